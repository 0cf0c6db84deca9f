// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Polygons that cores show, points of crossing edges, and the reduction to few points: the deepest;
// the farthest from it; the one that makes the largest triangle with both; the one that adds most
// area beyond that triangle; then, when more are wanted, whatever is farthest from those chosen.
// Beside the deepest, points count by the square of what their gap lacks of the margin: the margin
// is how far a pair can come together until it is looked at again, so that a point at the end of it
// will hardly bear anything, however far out it lies.
// Points that were chosen the last time are preferred while they are nearly as good, so that a
// symmetric body at rest does not change its points from step to step. A point is known again by
// its features or, where two corners lie on each other and round-off decides which one it is, by
// its place; then it keeps its name.

#include "collide/narrow/manifold.h"
#include <float.h>

// ---------------------------------------------------------------- polygons of cores

void cairn_face_polygon(cairn_feature_polygon* out, const cairn_core* core, int face)
{
    const cairn_hull_face* f = &core->faces[face];

    // a face of very many corners shows every second, third, ... of them
    int step = (f->edge_count + CAIRN_MOST_CORNERS - 1) / CAIRN_MOST_CORNERS;

    out->count = 0;
    out->face = face;
    out->normal = f->normal;

    for (int i = 0; i < f->edge_count; i += step) {
        int h = f->edge + i, twin = core->edges[h].twin;
        out->corner[out->count] = core->vertices[core->edges[h].origin];
        out->vertex[out->count] = core->edges[h].origin;
        out->edge[out->count++] = h < twin ? h : twin;
    }
}

// caps and sides meet at right angles: whichever is nearer to looking along a direction
static const double cap_looks = 0.70710678118654752440;

static void cylinder_cap(cairn_feature_polygon* out, const cairn_core* core, double up)
{
    static const double s = 0.70710678118654752440;
    static const double c[8][2] = {{1.0, 0.0},  {s, s},   {0.0, 1.0},  {-s, s},
                                   {-1.0, 0.0}, {-s, -s}, {0.0, -1.0}, {s, -s}};

    out->count = 8;
    out->face = up > 0.0;
    out->normal = cairn_vec(0.0, 0.0, up > 0.0 ? 1.0 : -1.0);

    for (int i = 0; i < 8; i++) {
        int k = up > 0.0 ? i : 7 - i;
        out->corner[i] = cairn_vec(core->half.x * c[k][0], core->half.y * c[k][1],
                                   up > 0.0 ? core->half.z : -core->half.z);
        out->vertex[i] = out->edge[i] = 8 * (up > 0.0) + k;
    }
}

// the line on a cylinder's side that looks along d
static void cylinder_side(cairn_feature_polygon* out, const cairn_core* core, cairn_vec3 d)
{
    double across = sqrt(d.x * d.x + d.y * d.y), s = core->half.x / across;
    out->count = 2;
    out->face = 2;
    out->normal = cairn_vec(0.0, 0.0, 0.0);
    for (int i = 0; i < 2; i++) {
        out->corner[i] = cairn_vec(s * d.x, s * d.y, i ? core->half.z : -core->half.z);
        out->vertex[i] = out->edge[i] = 16 + i;
    }
}

// the base of a cone where it is nearer to looking along d than the side is
static bool base_looks(const cairn_core* cone, cairn_vec3 d)
{
    double slant = cairn_length(cone->half.x, 2.0 * cone->half.z);
    double across = sqrt(d.x * d.x + d.y * d.y);
    return -d.z * slant > 2.0 * cone->half.z * across + cone->half.x * d.z;
}

// the line on a cone's side that looks along d, from the rim to the apex
static void cone_side(cairn_feature_polygon* out, const cairn_core* core, cairn_vec3 d)
{
    double across = sqrt(d.x * d.x + d.y * d.y), s = across > 0.0 ? core->half.x / across : 0.0;
    out->count = 2;
    out->face = 2;
    out->normal = cairn_vec(0.0, 0.0, 0.0);
    out->corner[0] = cairn_vec(across > 0.0 ? s * d.x : core->half.x, s * d.y, -core->half.z);
    out->corner[1] = cairn_vec(0.0, 0.0, core->half.z);
    for (int i = 0; i < 2; i++)
        out->vertex[i] = out->edge[i] = 16 + i;
}

// where the balls of a tapered core reach farthest along d
static void tapered_side(cairn_feature_polygon* out, const cairn_core* core, cairn_vec3 d)
{
    out->count = 2;
    out->face = 0;
    out->normal = cairn_vec(0.0, 0.0, 0.0);
    for (int i = 0; i < 2; i++) {
        cairn_vec3 c = cairn_vec(0.0, 0.0, i ? core->half.z : -core->half.z);
        out->corner[i] = cairn_add_scaled(c, core->end[i], d);
        out->vertex[i] = i;
        out->edge[i] = 0;
    }
}

static void curved_polygon(cairn_feature_polygon* out, const cairn_core* core, cairn_vec3 d)
{
    int vertex = 0;
    if (core->kind == CAIRN_CORE_TAPERED) {
        tapered_side(out, core, d);
    } else if (core->kind == CAIRN_CORE_CONE) {
        if (base_looks(core, d))
            cylinder_cap(out, core, -1.0);
        else
            cone_side(out, core, d);
    } else {
        *out = (cairn_feature_polygon){.count = 1};
        out->corner[0] = cairn_core_support(core, d, &vertex);
    }
}

static void vertices_only(cairn_feature_polygon* out, const cairn_core* core)
{
    out->count = core->vertex_count;
    out->face = 0;
    out->normal = cairn_vec(0.0, 0.0, 0.0);
    for (int i = 0; i < core->vertex_count; i++) {
        out->corner[i] = core->vertices[i];
        out->vertex[i] = i;
        out->edge[i] = 0;
    }
}

// the face of a box: the coordinate of d that is greatest
static int facing_face_of_box(cairn_vec3 d, double* along)
{
    cairn_vec3 a = cairn_abs(d);
    int axis = a.y > a.x ? (a.z > a.y ? 2 : 1) : (a.z > a.x ? 2 : 0);
    double x = axis == 0 ? d.x : axis == 1 ? d.y : d.z;
    *along = fabs(x);
    return 2 * axis + (x > 0.0);
}

static int facing_face(const cairn_core* core, cairn_vec3 d, double* along)
{
    if (core->kind == CAIRN_CORE_BOX)
        return facing_face_of_box(d, along);

    if (core->face_lanes) {
        int face = CAIRN_PICK_KERNEL(core->level, cairn_lanes_farthest)(
            core->face_lanes, cairn_hull_groups(core->face_count), CAIRN_FACE_GROUP, d);
        *along = cairn_dot(core->faces[face].normal, d);
        return face;
    }

    int best = 0;
    *along = -DBL_MAX;
    for (int f = 0; f < core->face_count; f++) {
        double here = cairn_dot(core->faces[f].normal, d);
        if (here > *along) {
            *along = here;
            best = f;
        }
    }
    return best;
}

double cairn_facing_cosine(const cairn_core* core, cairn_vec3 d)
{
    double along = 0.0;
    if (core->kind == CAIRN_CORE_CYLINDER)
        along = fabs(d.z) > cap_looks ? fabs(d.z) : 0.0;
    else if (cairn_core_is_curved(core))
        along = core->kind == CAIRN_CORE_CONE && base_looks(core, d) ? -d.z : 0.0;
    else if (core->kind != CAIRN_CORE_POINT && core->kind != CAIRN_CORE_SEGMENT)
        facing_face(core, d, &along);
    return along;
}

void cairn_facing_polygon(cairn_feature_polygon* out, const cairn_core* core, cairn_vec3 d)
{
    double along;
    if (core->kind == CAIRN_CORE_POINT || core->kind == CAIRN_CORE_SEGMENT) {
        vertices_only(out, core);
    } else if (cairn_core_is_curved(core)) {
        curved_polygon(out, core, d);
    } else if (core->kind == CAIRN_CORE_CYLINDER) {
        if (fabs(d.z) > cap_looks)
            cylinder_cap(out, core, d.z);
        else
            cylinder_side(out, core, d);
    } else {
        cairn_face_polygon(out, core, facing_face(core, d, &along));
    }
}

// ---------------------------------------------------------------- single points

void cairn_add_candidate(cairn_candidates* out, const cairn_placed* p, cairn_vec3 a, cairn_vec3 b,
                         uint64_t feature)
{
    // surfaces lie a radius beyond the cores
    cairn_vec3 on_a = cairn_add_scaled(a, p->a->radius, out->normal);
    cairn_vec3 on_b = cairn_add_scaled(b, -p->b->radius, out->normal);
    double gap = cairn_dot(out->normal, cairn_sub(b, a)) - p->a->radius - p->b->radius;
    cairn_vec3 middle = cairn_scale(0.5, cairn_add(on_a, on_b));
    out->point[out->count++] = (cairn_contact_point){middle, gap, feature};
}

bool cairn_add_edge_candidate(cairn_candidates* out, const cairn_placed* p, const cairn_axis* axis)
{
    cairn_vec3 pa = cairn_core_edge_start(p->a, axis->a);
    cairn_vec3 e = cairn_sub(cairn_core_edge_end(p->a, axis->a), pa);
    cairn_vec3 pb = cairn_to_a(p, cairn_core_edge_start(p->b, axis->b));
    cairn_vec3 f = cairn_sub(cairn_to_a(p, cairn_core_edge_end(p->b, axis->b)), pb);

    // pa + s e and pb + t f closest: (pb + t f - pa - s e) along e x f
    cairn_vec3 n = cairn_cross(e, f), d = cairn_sub(pb, pa);
    double n2 = cairn_dot(n, n);
    double s = cairn_dot(cairn_cross(d, f), n) / n2, t = cairn_dot(cairn_cross(d, e), n) / n2;

    // an edge that round-off leaves without a length is its start
    if (!(n2 > 0.0)) {
        double e2 = cairn_dot(e, e), f2 = cairn_dot(f, f);
        s = e2 > 0.0 ? cairn_dot(d, e) / e2 : 0.0;
        t = e2 > 0.0 || !(f2 > 0.0) ? 0.0 : -cairn_dot(d, f) / f2;
    }

    // the nearest points of the segments lie within both
    bool crossing = s >= 0.0 && s <= 1.0 && t >= 0.0 && t <= 1.0;
    s = s < 0.0 ? 0.0 : s > 1.0 ? 1.0 : s;
    t = t < 0.0 ? 0.0 : t > 1.0 ? 1.0 : t;

    cairn_add_candidate(
        out, p, cairn_add_scaled(pa, s, e), cairn_add_scaled(pb, t, f),
        cairn_feature(CAIRN_FEATURE_EDGES, p->a->edge_half[axis->a], p->b->edge_half[axis->b]));
    return crossing;
}

// ---------------------------------------------------------------- reduction

static double area(const cairn_candidates* c, const int* chosen, int i)
{
    cairn_vec3 o = c->point[i].position, n = c->normal;
    cairn_vec3 a = cairn_sub(c->point[chosen[0]].position, o);
    cairn_vec3 b = cairn_sub(c->point[chosen[1]].position, o);
    double ab = cairn_dot(n, cairn_cross(a, b));
    return ab;
}

// what point i adds beyond the triangle of the first three, whose orientation is `sign`
static double added_area(const cairn_candidates* c, const int* chosen, double sign, int i)
{
    double most = 0.0;
    for (int k = 0; k < 3; k++) {
        const int edge[2] = {chosen[k], chosen[(k + 1) % 3]};
        most = fmax(most, -sign * area(c, edge, i));
    }
    return most;
}

static double distance_to_chosen(const cairn_candidates* c, const int* chosen, int count, int i)
{
    double least = DBL_MAX;
    for (int k = 0; k < count; k++) {
        cairn_vec3 d = cairn_sub(c->point[i].position, c->point[chosen[k]].position);
        least = fmin(least, cairn_dot(d, d));
    }
    return least;
}

typedef struct reduction {
    const cairn_candidates* c;
    int count, chosen[CAIRN_MANIFOLD_POINTS];
    double sign; // orientation of the first three
    bool used[CAIRN_MOST_CANDIDATES];
    bool known[CAIRN_MOST_CANDIDATES]; // chosen the last time: preferred by a tenth
    uint64_t feature[CAIRN_MOST_CANDIDATES];
    double slack;  // m: depth by which a known point may be less deep
    double margin; // m: that no gap exceeds
} reduction;

static double merit(const reduction* r, int i)
{
    // the first point is the deepest; one of the last step is kept unless it is shallower by
    // `slack`
    if (r->count == 0)
        return -r->c->point[i].gap + (r->known[i] ? r->slack : 0.0);

    // then spread: the farthest point, the largest triangle, the most added area; deep points first
    double m, reach = r->margin - r->c->point[r->chosen[0]].gap;
    double near = reach > 0.0 ? (r->margin - r->c->point[i].gap) / reach : 1.0;

    if (r->count == 2)
        m = fabs(area(r->c, r->chosen, i));
    else if (r->count == 3)
        m = added_area(r->c, r->chosen, r->sign, i);
    else
        m = distance_to_chosen(r->c, r->chosen, r->count, i);

    // points of the last step win against others that are hardly better
    m *= near * near;
    return r->known[i] ? 1.1 * m : m;
}

static int best_left(const reduction* r, double* value)
{
    int best = -1;
    for (int i = 0; i < r->c->count; i++) {
        if (r->used[i])
            continue;
        double m = merit(r, i);
        if (best < 0 || m > *value) {
            *value = m;
            best = i;
        }
    }
    return best;
}

static void choose(reduction* r, int most)
{
    while (r->count < most) {
        double value = 0.0;
        int best = best_left(r, &value);
        // a third or fourth point on the line or inside the triangle of the others adds nothing
        if (best < 0 || (r->count >= 2 && !(value > 0.0)))
            break;
        r->used[best] = true;
        r->chosen[r->count++] = best;
        if (r->count == 3)
            r->sign = area(r->c, r->chosen, best) < 0.0 ? -1.0 : 1.0;
    }
}

// the candidate nearest to where a point was, among those not known by their features
static int nearest_stranger(const reduction* r, cairn_vec3 place, double near)
{
    int best = -1;
    double least = near * near;
    for (int i = 0; i < r->c->count; i++) {
        cairn_vec3 d = cairn_sub(r->c->point[i].position, place);
        if (!r->known[i] && cairn_dot(d, d) <= least) {
            least = cairn_dot(d, d);
            best = i;
        }
    }
    return best;
}

static void recognize(reduction* r, const cairn_memory* memory)
{
    const cairn_manifold* last = memory->last;
    bool found[CAIRN_MANIFOLD_POINTS] = {false};

    // the same feature is the same point
    for (int i = 0; i < r->c->count; i++) {
        for (int k = 0; k < last->count; k++) {
            if (last->points[k].feature != r->c->point[i].feature)
                continue;
            r->known[i] = found[k] = true;
        }
    }

    // a point whose feature changed its name is looked for by its place
    for (int k = 0; k < last->count; k++) {
        if (found[k])
            continue;
        cairn_vec3 place = cairn_transform_point_back(memory->at, last->points[k].position);
        int i = nearest_stranger(r, place, memory->near);

        if (i < 0)
            continue;

        r->known[i] = true;
        r->feature[i] = last->points[k].feature;
    }
}

void cairn_finish_manifold(cairn_manifold* m, const cairn_candidates* c, cairn_transform xa,
                           int most, double margin, const cairn_memory* memory)
{
    reduction r;
    r.c = c;
    r.count = 0;
    r.margin = margin;
    r.slack = memory ? memory->slack : 0.0;

    for (int i = 0; i < c->count; i++) {
        r.used[i] = r.known[i] = false;
        r.feature[i] = c->point[i].feature;
    }
    if (memory)
        recognize(&r, memory);

    bool all = c->count <= most;
    if (!all)
        choose(&r, most);

    // from the frame of A to the world
    cairn_mat3 R = cairn_quat_to_mat3(xa.q);
    m->normal = cairn_mat3_apply(R, c->normal);
    m->count = all ? c->count : r.count;
    for (int i = 0; i < m->count; i++) {
        int k = all ? i : r.chosen[i];
        m->points[i] = c->point[k];
        m->points[i].feature = r.feature[k];
        m->points[i].position = cairn_add(xa.p, cairn_mat3_apply(R, c->point[k].position));
    }
}
