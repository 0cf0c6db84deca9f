// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Shapes as triangles with normals. Balls, capsules and cylinders are profiles in the half-plane
// (radius, z) that are turned about the z axis; everything else is made of flat polygons.

#include "io/gltf/gltf.h"
#include <math.h>

enum { slices = 32, arc_steps = 8 };
static const double half_pi = 1.57079632679489661923;

void gltf_surface_destroy(gltf_surface* surface)
{
    cairn_page_bytes_destroy(&surface->vertices);
    cairn_page_bytes_destroy(&surface->triangles);
}

// ---------------------------------------------------------------- vertices and triangles

static uint32_t add_vertex(gltf_surface* s, cairn_transform at, cairn_vec3 x, cairn_vec3 normal)
{
    cairn_vec3 p = cairn_transform_point(at, x), n = cairn_rotate(at.q, normal);
    const float v[6] = {(float)p.x, (float)p.y, (float)p.z, (float)n.x, (float)n.y, (float)n.z};
    s->starved = s->starved || !cairn_page_append(&s->vertices, v, sizeof v);
    for (int k = 0; k < 3; k++) {
        s->lo[k] = s->vertex_count == 0 || v[k] < s->lo[k] ? v[k] : s->lo[k];
        s->hi[k] = s->vertex_count == 0 || v[k] > s->hi[k] ? v[k] : s->hi[k];
    }
    return s->vertex_count++;
}

static void add_triangle(gltf_surface* s, uint32_t a, uint32_t b, uint32_t c)
{
    const uint32_t t[3] = {a, b, c};
    s->starved = s->starved || !cairn_page_append(&s->triangles, t, sizeof t);
}

static void add_flat_triangle(gltf_surface* s, cairn_transform at, const cairn_vec3 x[3])
{
    cairn_vec3 n = cairn_cross(cairn_sub(x[1], x[0]), cairn_sub(x[2], x[0]));
    double size = cairn_norm(n);
    if (!(size > 0.0))
        return;
    n = cairn_scale(1.0 / size, n);
    uint32_t a = add_vertex(s, at, x[0], n), b = add_vertex(s, at, x[1], n);
    add_triangle(s, a, b, add_vertex(s, at, x[2], n));
}

// ---------------------------------------------------------------- surfaces of revolution

/// A point of a profile and the normal there, both in the half-plane (radius, z).
typedef struct profile_point {
    double r, z, normal_r, normal_z;
} profile_point;

// a profile from below to above, stretched along the axes; where it meets the z axis a triangle of
// each pair has no area
static void revolve_stretched(gltf_surface* s, cairn_transform at, const profile_point* profile,
                              int count, cairn_vec3 by)
{
    // rings of vertices; the normal of a stretched surface is divided by the stretch
    uint32_t first = s->vertex_count;
    for (int i = 0; i < count; i++) {
        const profile_point* p = &profile[i];
        for (int k = 0; k < slices; k++) {
            double angle = 4.0 * half_pi * k / slices, c = cairn_cos(angle), d = cairn_sin(angle);
            cairn_vec3 n = {p->normal_r * c / by.x, p->normal_r * d / by.y, p->normal_z / by.z};
            add_vertex(s, at, cairn_vec(by.x * p->r * c, by.y * p->r * d, by.z * p->z),
                       cairn_normalize(n));
        }
    }

    // two triangles between neighbors on two rings; two rings in one place are a crease
    for (int i = 0; i + 1 < count; i++) {
        const profile_point *p = &profile[i], *q = &profile[i + 1];
        bool crease = p->r == q->r && p->z == q->z;
        for (uint32_t k = 0; k < slices && !crease; k++) {
            uint32_t next = (k + 1) % slices, low = first + (uint32_t)i * slices;
            uint32_t high = low + slices;
            if (p->r > 0.0)
                add_triangle(s, low + k, low + next, high + next);
            if (q->r > 0.0)
                add_triangle(s, low + k, high + next, high + k);
        }
    }
}

static void revolve(gltf_surface* s, cairn_transform at, const profile_point* profile, int count)
{
    revolve_stretched(s, at, profile, count, cairn_vec(1.0, 1.0, 1.0));
}

// a ball of one meter, stretched
static void add_ellipsoid(gltf_surface* s, cairn_transform at, cairn_vec3 half)
{
    profile_point profile[2 * arc_steps + 1];
    for (int i = 0; i <= 2 * arc_steps; i++) {
        double angle = half_pi * (i - arc_steps) / arc_steps;
        double c = i == 0 || i == 2 * arc_steps ? 0.0 : cairn_cos(angle), d = cairn_sin(angle);
        profile[i] = (profile_point){c, d, c, d};
    }
    revolve_stretched(s, at, profile, 2 * arc_steps + 1, half);
}

static void add_cone(gltf_surface* s, cairn_transform at, double r, double h)
{
    double size = sqrt(4.0 * h * h + r * r), n = 2.0 * h / size, m = r / size;
    const profile_point profile[4] = {
        {0.0, -h, 0.0, -1.0}, {r, -h, 0.0, -1.0}, {r, -h, n, m}, {0.0, h, n, m}};
    revolve(s, at, profile, 4);
}

// two balls and what lies between them: arcs that meet where sin α = (r - R) / 2h
static void add_tapered(gltf_surface* s, cairn_transform at, const cairn_shape* shape)
{
    double h = shape->half_height, r = shape->radius, top = shape->top_radius;
    double sine = fmin(fmax((r - top) / (2.0 * h), -1.0), 1.0);
    double meet = cairn_atan2(sine, sqrt(1.0 - sine * sine));
    profile_point profile[2 * arc_steps + 2];
    for (int i = 0; i <= arc_steps; i++) {
        double low = -half_pi + (meet + half_pi) * i / arc_steps;
        double high = meet + (half_pi - meet) * i / arc_steps;
        double c = i == 0 ? 0.0 : cairn_cos(low), d = cairn_sin(low);
        double e = i == arc_steps ? 0.0 : cairn_cos(high), f = cairn_sin(high);
        profile[i] = (profile_point){r * c, r * d - h, c, d};
        profile[arc_steps + 1 + i] = (profile_point){top * e, top * f + h, e, f};
    }
    revolve(s, at, profile, 2 * arc_steps + 2);
}

// a ball, or a capsule: two quarters of a circle, half_height off the middle
static void add_round(gltf_surface* s, cairn_transform at, double radius, double half_height)
{
    profile_point profile[2 * arc_steps + 2];
    int count = 0;
    for (int i = -arc_steps; i <= arc_steps; i++) {
        double angle = half_pi * i / arc_steps;
        bool pole = i == -arc_steps || i == arc_steps;
        double c = pole ? 0.0 : cairn_cos(angle), d = cairn_sin(angle);
        if (i <= 0)
            profile[count++] = (profile_point){radius * c, radius * d - half_height, c, d};
        if (i > 0 || (i == 0 && half_height > 0.0))
            profile[count++] = (profile_point){radius * c, radius * d + half_height, c, d};
    }
    revolve(s, at, profile, count);
}

static void add_cylinder(gltf_surface* s, cairn_transform at, double r, double h)
{
    const profile_point profile[6] = {{0.0, -h, 0.0, -1.0}, {r, -h, 0.0, -1.0}, {r, -h, 1.0, 0.0},
                                      {r, h, 1.0, 0.0},     {r, h, 0.0, 1.0},   {0.0, h, 0.0, 1.0}};
    revolve(s, at, profile, 6);
}

// ---------------------------------------------------------------- polygons

// a convex polygon, as a fan
static void add_polygon(gltf_surface* s, cairn_transform at, const cairn_vec3* x, int count,
                        cairn_vec3 normal)
{
    uint32_t first = s->vertex_count;
    for (int i = 0; i < count; i++)
        add_vertex(s, at, x[i], normal);
    for (int i = 1; i + 1 < count; i++)
        add_triangle(s, first, first + (uint32_t)i, first + (uint32_t)i + 1);
}

// a face on each side of each axis
static void add_box(gltf_surface* s, cairn_transform at, cairn_vec3 half)
{
    const double h[3] = {half.x, half.y, half.z};
    for (int face = 0; face < 6; face++) {
        int i = face / 2, j = (i + 1) % 3, k = (i + 2) % 3;
        double side = face % 2 ? 1.0 : -1.0, n[3] = {0.0, 0.0, 0.0};
        cairn_vec3 corners[4];

        n[i] = side;

        // counterclockwise, seen from outside
        for (int c = 0; c < 4; c++) {
            double x[3];
            x[i] = side * h[i];
            x[j] = c == 1 || c == 2 ? side * h[j] : -side * h[j];
            x[k] = c >= 2 ? h[k] : -h[k];
            corners[c] = cairn_vec(x[0], x[1], x[2]);
        }

        add_polygon(s, at, corners, 4, cairn_vec(n[0], n[1], n[2]));
    }
}

static void add_hull(gltf_surface* s, cairn_transform at, const cairn_hull* hull)
{
    for (int i = 0; i < hull->face_count; i++) {
        const cairn_hull_face* face = &hull->faces[i];
        uint32_t first = s->vertex_count;
        for (int k = 0; k < face->edge_count; k++)
            add_vertex(s, at, hull->vertices[hull->edges[face->edge + k].origin], face->normal);
        for (int k = 1; k + 1 < face->edge_count; k++)
            add_triangle(s, first, first + (uint32_t)k, first + (uint32_t)k + 1);
    }
}

static void add_mesh(gltf_surface* s, cairn_transform at, const cairn_mesh* mesh)
{
    cairn_mesh_def def = cairn_mesh_get_def(mesh);
    for (int i = 0; i < def.triangle_count; i++) {
        const int* t = def.triangles + 3 * i;
        const cairn_vec3 x[3] = {def.vertices[t[0]], def.vertices[t[1]], def.vertices[t[2]]};
        add_flat_triangle(s, at, x);
    }
}

// each cell is cut along the diagonal from (i, j) to (i + 1, j + 1), as it is when bodies touch it
static void add_field(gltf_surface* s, cairn_transform at, const cairn_height_field* field)
{
    cairn_height_field_def def = cairn_height_field_get_def(field);
    for (int j = 0; j + 1 < def.count_y; j++)
        for (int i = 0; i + 1 < def.count_x; i++) {
            cairn_vec3 x[4];
            for (int c = 0; c < 4; c++) {
                int u = i + (c == 1 || c == 2), v = j + c / 2;
                x[c] = cairn_vec(u * def.spacing_x, v * def.spacing_y,
                                 def.heights[(size_t)v * (size_t)def.count_x + (size_t)u]);
            }
            add_flat_triangle(s, at, (const cairn_vec3[3]){x[0], x[1], x[2]});
            add_flat_triangle(s, at, (const cairn_vec3[3]){x[0], x[2], x[3]});
        }
}

// ---------------------------------------------------------------- all shapes

void gltf_add_shape(gltf_surface* s, const cairn_shape* shape, cairn_transform at, double extent)
{
    double e = extent;
    switch (shape->kind) {
    case CAIRN_SHAPE_SPHERE:
        add_round(s, at, shape->radius, 0.0);
        return;
    case CAIRN_SHAPE_CAPSULE:
        add_round(s, at, shape->radius, shape->half_height);
        return;
    case CAIRN_SHAPE_CYLINDER:
        add_cylinder(s, at, shape->radius, shape->half_height);
        return;
    case CAIRN_SHAPE_ELLIPSOID:
        add_ellipsoid(s, at, shape->half);
        return;
    case CAIRN_SHAPE_CONE:
        add_cone(s, at, shape->radius, shape->half_height);
        return;
    case CAIRN_SHAPE_TAPERED_CAPSULE:
        add_tapered(s, at, shape);
        return;
    case CAIRN_SHAPE_BOX:
        add_box(s, at, shape->half);
        return;
    case CAIRN_SHAPE_HULL:
        add_hull(s, at, shape->data.hull);
        return;
    case CAIRN_SHAPE_MESH:
        add_mesh(s, at, shape->data.mesh);
        return;
    case CAIRN_SHAPE_HEIGHT_FIELD:
        add_field(s, at, shape->data.field);
        return;
    case CAIRN_SHAPE_HALF_SPACE:
        add_polygon(s, at, (const cairn_vec3[4]){{-e, -e, 0}, {e, -e, 0}, {e, e, 0}, {-e, e, 0}}, 4,
                    cairn_vec(0.0, 0.0, 1.0));
        return;
    default:
        break;
    }

    // parts of a compound are no compounds
    const cairn_compound* all = shape->data.compound;
    for (int i = 0; shape->kind == CAIRN_SHAPE_COMPOUND && i < all->count; i++)
        if (all->parts[i].kind != CAIRN_SHAPE_COMPOUND)
            gltf_add_shape(s, &all->parts[i], cairn_transform_multiply(at, all->offsets[i]),
                           extent);
}
