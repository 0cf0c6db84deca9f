// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Cores of shapes and their support points. A box is a hull whose topology is a constant; a
// triangle is a flat hull with two faces; a segment is an edge without faces. The vertices of a
// hull are looked at eight at a time. Very large hulls are walked uphill from vertex to vertex: on
// a convex body every local maximum is the maximum.

#include "collide/narrow/support.h"
#include <string.h>

// ---------------------------------------------------------------- the topology of a box

// vertex i has the signs of its bits: x + for 1, y + for 2, z + for 4. Faces -x +x -y +y -z +z.
#define EDGE(o, t, f)                                                                              \
    {                                                                                              \
        .origin = (o), .twin = (t), .face = (f)                                                    \
    }
static const cairn_hull_edge box_edges[24] = {
    EDGE(0, 11, 0), EDGE(4, 23, 0), EDGE(6, 12, 0), EDGE(2, 16, 0), // -x: 0 4 6 2
    EDGE(1, 18, 1), EDGE(3, 14, 1), EDGE(7, 21, 1), EDGE(5, 9, 1),  // +x: 1 3 7 5
    EDGE(0, 19, 2), EDGE(1, 7, 2),  EDGE(5, 20, 2), EDGE(4, 0, 2),  // -y: 0 1 5 4
    EDGE(2, 2, 3),  EDGE(6, 22, 3), EDGE(7, 5, 3),  EDGE(3, 17, 3), // +y: 2 6 7 3
    EDGE(0, 3, 4),  EDGE(2, 15, 4), EDGE(3, 4, 4),  EDGE(1, 8, 4),  // -z: 0 2 3 1
    EDGE(4, 10, 5), EDGE(5, 6, 5),  EDGE(7, 13, 5), EDGE(6, 1, 5)}; // +z: 4 5 7 6
static const int box_edge_half[12] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 13, 15};
static const int box_vertex_edge[8] = {0, 4, 3, 5, 1, 7, 2, 6};

#define FACE(x, y, z, f)                                                                           \
    {                                                                                              \
        .normal = {(x), (y), (z)}, .edge = 4 * (f), .edge_count = 4                                \
    }
static const cairn_hull_face box_faces[6] = {FACE(-1.0, 0.0, 0.0, 0), FACE(1.0, 0.0, 0.0, 1),
                                             FACE(0.0, -1.0, 0.0, 2), FACE(0.0, 1.0, 0.0, 3),
                                             FACE(0.0, 0.0, -1.0, 4), FACE(0.0, 0.0, 1.0, 5)};

static void fill_box(cairn_core* core, cairn_vec3 h)
{
    for (int i = 0; i < 8; i++)
        core->room_vertices[i] =
            cairn_vec(i & 1 ? h.x : -h.x, i & 2 ? h.y : -h.y, i & 4 ? h.z : -h.z);

    memcpy(core->room_faces, box_faces, sizeof box_faces);
    core->room_faces[0].offset = core->room_faces[1].offset = h.x;
    core->room_faces[2].offset = core->room_faces[3].offset = h.y;
    core->room_faces[4].offset = core->room_faces[5].offset = h.z;

    core->vertex_count = 8;
    core->edge_count = 12;
    core->face_count = 6;
    core->edges = box_edges;
    core->edge_half = box_edge_half;
    core->vertex_edge = box_vertex_edge;
}

// ---------------------------------------------------------------- segments and triangles

static const cairn_hull_edge segment_edges[2] = {EDGE(0, 1, 0), EDGE(1, 0, 0)};
static const int first_edge[1] = {0};

static void fill_segment(cairn_core* core, double half)
{
    core->room_vertices[0] = cairn_vec(0.0, 0.0, -half);
    core->room_vertices[1] = cairn_vec(0.0, 0.0, half);
    core->vertex_count = 2;
    core->edge_count = 1;
    core->edges = segment_edges;
    core->edge_half = first_edge;
}

// face 0 in front, face 1 behind
static const cairn_hull_edge triangle_edges[6] = {EDGE(0, 3, 0), EDGE(1, 5, 0), EDGE(2, 4, 0),
                                                  EDGE(1, 0, 1), EDGE(0, 2, 1), EDGE(2, 1, 1)};
static const int triangle_edge_half[3] = {0, 1, 2};
static const int triangle_vertex_edge[3] = {0, 1, 2};

void cairn_core_of_facet(cairn_core* core, const cairn_facet* facet)
{
    core->kind = CAIRN_CORE_TRIANGLE;
    core->radius = 0.0;
    core->size = 0.0;

    for (int i = 0; i < 3; i++) {
        cairn_vec3 v = cairn_abs(facet->corner[i]);
        core->room_vertices[i] = facet->corner[i];
        core->size = fmax(core->size, fmax(v.x, fmax(v.y, v.z)));
    }

    // the two sides of the triangle are its faces
    double offset = cairn_dot(facet->normal, facet->corner[0]);
    core->room_faces[0] = (cairn_hull_face){facet->normal, offset, 0, 3};
    core->room_faces[1] = (cairn_hull_face){cairn_neg(facet->normal), -offset, 3, 3};
    core->vertex_count = 3;
    core->edge_count = 3;
    core->face_count = 2;

    core->vertices = core->room_vertices;
    core->faces = core->room_faces;
    core->vertex_lanes = core->face_lanes = NULL;
    core->edges = triangle_edges;
    core->edge_half = triangle_edge_half;
    core->vertex_edge = triangle_vertex_edge;
}

// ---------------------------------------------------------------- shapes

static void fill_hull(cairn_core* core, const cairn_hull* hull)
{
    core->vertices = hull->vertices;
    core->edges = hull->edges;
    core->faces = hull->faces;
    core->edge_half = hull->edge_half;
    core->vertex_edge = hull->vertex_edge;
    core->vertex_count = hull->vertex_count;
    core->edge_count = hull->edge_count / 2;
    core->face_count = hull->face_count;
    core->size = hull->size;
    core->center = hull->center;
    core->vertex_lanes = hull->vertex_lanes;
    core->face_lanes = hull->face_lanes;
    core->level = cairn_simd_detect();
}

void cairn_core_of_shape(cairn_core* core, const cairn_shape* s)
{
    core->radius = 0.0;
    core->size = 0.0;
    core->center = cairn_vec(0.0, 0.0, 0.0);
    core->vertex_count = core->edge_count = core->face_count = 0;
    core->vertices = core->room_vertices;
    core->faces = core->room_faces;
    core->vertex_lanes = core->face_lanes = NULL;

    switch (s->kind) {
    case CAIRN_SHAPE_CAPSULE:
        core->kind = CAIRN_CORE_SEGMENT;
        core->radius = s->radius;
        core->size = s->half_height;
        fill_segment(core, s->half_height);
        break;
    case CAIRN_SHAPE_BOX:
        core->kind = CAIRN_CORE_BOX;
        core->half = s->half;
        core->size = fmax(s->half.x, fmax(s->half.y, s->half.z));
        fill_box(core, s->half);
        break;
    case CAIRN_SHAPE_CYLINDER:
        core->kind = CAIRN_CORE_CYLINDER;
        core->half = cairn_vec(s->radius, s->radius, s->half_height);
        core->size = fmax(s->radius, s->half_height);
        break;
    case CAIRN_SHAPE_ELLIPSOID:
        core->kind = CAIRN_CORE_ELLIPSOID;
        core->half = s->half;
        core->size = fmax(s->half.x, fmax(s->half.y, s->half.z));
        break;
    case CAIRN_SHAPE_CONE:
        core->kind = CAIRN_CORE_CONE;
        core->half = cairn_vec(s->radius, s->radius, s->half_height);
        core->size = fmax(s->radius, s->half_height);
        break;
    case CAIRN_SHAPE_TAPERED_CAPSULE:
        // the core is the shape less its smaller radius; the larger end keeps the difference
        core->kind = CAIRN_CORE_TAPERED;
        core->radius = fmin(s->radius, s->top_radius);
        core->end[0] = s->radius - core->radius;
        core->end[1] = s->top_radius - core->radius;
        core->half = cairn_vec(0.0, 0.0, s->half_height);
        core->size = s->half_height + fmax(core->end[0], core->end[1]);
        break;
    case CAIRN_SHAPE_HULL:
        core->kind = CAIRN_CORE_HULL;
        fill_hull(core, s->data.hull);
        break;
    default: // a half-space, a mesh or a field has no radius, whatever stands there
        core->kind = CAIRN_CORE_POINT;
        core->radius = s->kind == CAIRN_SHAPE_SPHERE ? s->radius : 0.0;
        core->room_vertices[0] = cairn_vec(0.0, 0.0, 0.0);
        core->vertex_count = 1;
        break;
    }
}

// ---------------------------------------------------------------- support points

enum { walk_above = 64, walk_above_lanes = 1024 };

// Steps to a better neighbor while there is one: never twice to the same vertex, as each is better
// than all before it. The half-edges around a vertex are a cycle.
static int climb(const cairn_core* core, cairn_vec3 d, int v)
{
    double best = cairn_dot(d, core->vertices[v]);
    for (;;) {
        int first = core->vertex_edge[v], h = first, better = v;
        do {
            int twin = core->edges[h].twin, to = core->edges[twin].origin;
            double value = cairn_dot(d, core->vertices[to]);
            if (value > best) {
                best = value;
                better = to;
            }

            // the next half-edge that leaves v is the one after the twin on the twin's face
            const cairn_hull_face* face = &core->faces[core->edges[twin].face];
            h = twin + 1 < face->edge + face->edge_count ? twin + 1 : face->edge;
        } while (h != first);

        if (better == v)
            return v;
        v = better;
    }
}

int cairn_core_support_vertex(const cairn_core* core, cairn_vec3 d, int start)
{
    if (core->kind == CAIRN_CORE_BOX)
        return (d.x > 0.0 ? 1 : 0) | (d.y > 0.0 ? 2 : 0) | (d.z > 0.0 ? 4 : 0);
    if (core->vertex_count > (core->vertex_lanes ? walk_above_lanes : walk_above))
        return climb(core, d, start);
    if (core->vertex_lanes)
        return CAIRN_PICK_KERNEL(core->level, cairn_lanes_farthest)(
            core->vertex_lanes, cairn_hull_groups(core->vertex_count), CAIRN_VERTEX_GROUP, d);

    int best = 0;
    double most = cairn_dot(d, core->vertices[0]);
    for (int i = 1; i < core->vertex_count; i++) {
        double value = cairn_dot(d, core->vertices[i]);
        if (value > most) {
            most = value;
            best = i;
        }
    }
    return best;
}

// of an ellipsoid E² d / |E d|, E the diagonal matrix of its half axes
static cairn_vec3 ellipsoid_support(cairn_vec3 h, cairn_vec3 d)
{
    cairn_vec3 e = cairn_vec(h.x * d.x, h.y * d.y, h.z * d.z);
    double q = cairn_norm(e), s = q > 0.0 ? 1.0 / q : 0.0;
    return cairn_vec(s * h.x * e.x, s * h.y * e.y, s * h.z * e.z);
}

// the apex, or a point of the base's rim
static cairn_vec3 cone_support(cairn_vec3 h, cairn_vec3 d)
{
    double across = sqrt(d.x * d.x + d.y * d.y);
    if (2.0 * h.z * d.z >= h.x * across)
        return cairn_vec(0.0, 0.0, h.z);
    double s = across > 0.0 ? h.x / across : 0.0;
    return cairn_vec(s * d.x, s * d.y, -h.z);
}

// of the ball that reaches farther
static cairn_vec3 tapered_support(const cairn_core* core, cairn_vec3 d)
{
    double length = cairn_norm(d);
    int top = (core->end[1] - core->end[0]) * length + 2.0 * core->half.z * d.z >= 0.0;
    cairn_vec3 c = cairn_vec(0.0, 0.0, top ? core->half.z : -core->half.z);
    return length > 0.0 ? cairn_add_scaled(c, core->end[top] / length, d) : c;
}

cairn_vec3 cairn_core_support(const cairn_core* core, cairn_vec3 d, int* vertex)
{
    if (core->kind == CAIRN_CORE_ELLIPSOID)
        return ellipsoid_support(core->half, d);
    if (core->kind == CAIRN_CORE_CONE)
        return cone_support(core->half, d);
    if (core->kind == CAIRN_CORE_TAPERED)
        return tapered_support(core, d);
    if (core->kind == CAIRN_CORE_CYLINDER) {
        double across = sqrt(d.x * d.x + d.y * d.y);
        double s = across > 0.0 ? core->half.x / across : 0.0;
        return cairn_vec(s * d.x, s * d.y, d.z >= 0.0 ? core->half.z : -core->half.z);
    }
    *vertex = cairn_core_support_vertex(core, d, *vertex);
    return core->vertices[*vertex];
}

double cairn_shape_reach(const cairn_shape* s, cairn_vec3 d)
{
    cairn_vec3 a = cairn_abs(d);
    cairn_core core;
    int vertex;
    switch (s->kind) {
    case CAIRN_SHAPE_SPHERE:
        return s->radius;
    case CAIRN_SHAPE_CAPSULE:
        return s->radius + a.z * s->half_height;
    case CAIRN_SHAPE_BOX:
        return cairn_dot(a, s->half);
    case CAIRN_SHAPE_CYLINDER:
        return sqrt(d.x * d.x + d.y * d.y) * s->radius + a.z * s->half_height;
    default:
        vertex = 0;
        cairn_core_of_shape(&core, s);
        return cairn_dot(d, cairn_core_support(&core, d, &vertex)) + core.radius;
    }
}

cairn_placed cairn_place(const cairn_core* a, const cairn_core* b, cairn_transform relative)
{
    cairn_vec3 t = cairn_abs(relative.p);
    return (cairn_placed){a, b, cairn_quat_to_mat3(relative.q), relative.p,
                          fmax(a->size + b->size, fmax(t.x, fmax(t.y, t.z)))};
}

double cairn_separation(const cairn_placed* p, cairn_vec3 n)
{
    int va = 0, vb = 0;
    cairn_vec3 m = cairn_mat3_apply_transposed(p->R, n);
    cairn_vec3 pa = cairn_core_support(p->a, n, &va);
    cairn_vec3 pb = cairn_core_support(p->b, cairn_neg(m), &vb);
    return cairn_dot(n, p->t) + cairn_dot(m, pb) - cairn_dot(n, pa);
}
