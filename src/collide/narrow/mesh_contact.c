// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Convex shapes on surfaces of triangles, without ghosts. A triangle alone would push a body that
// slides over its border sideways; the surface would not. So a normal n that leans over an edge by
// the angle φ,
//
//     φ = atan2(n·m, n·N),     N the triangle's normal, m pointing out of the triangle at the edge,
//
// is allowed only up to the angle ψ at which the neighbor's normal leans. Beyond it n becomes the
// triangle's normal (flat or hollow edge) or the neighbor's (ridge), and only points over the
// triangle itself count. Only the edges that a body touches along n are asked: the one that lies
// farthest along n or, if a corner does, both edges there. Triangles that are touched in the same
// direction share a manifold, so that a box on a fine floor has four points, not four for each
// triangle.

#include "collide/narrow/surface.h"
#include <float.h>

// sine of the angle up to which two directions count as the same
static const double same_direction = 1e-6;
enum { most_groups = 16 };

typedef struct groups {
    int count;
    cairn_candidates c[most_groups];
} groups;

// ---------------------------------------------------------------- one triangle

static cairn_vec3 outward(const cairn_facet* f, int e)
{
    cairn_vec3 d = cairn_sub(f->corner[(e + 1) % 3], f->corner[e]);
    return cairn_normalize(cairn_cross(d, f->normal));
}

// which corners lie farthest along n; how many
static int top_corners(bool* top, const cairn_facet* f, cairn_vec3 n)
{
    double height[3], highest = -DBL_MAX, length = 0.0;
    int count = 0;
    for (int i = 0; i < 3; i++) {
        cairn_vec3 d = cairn_sub(f->corner[i], f->corner[(i + 1) % 3]);
        height[i] = cairn_dot(n, cairn_sub(f->corner[i], f->corner[0]));
        highest = fmax(highest, height[i]);
        length = fmax(length, cairn_dot(d, d));
    }

    for (int i = 0; i < 3; i++) {
        top[i] = highest - height[i] <= same_direction * sqrt(length);
        count += top[i];
    }
    return count;
}

// the normal that the surface allows; `changed` when it is not n, `hollow` when that is because the
// edge is
static cairn_vec3 allowed_normal(const cairn_facet* f, cairn_vec3 n, bool* changed, bool* hollow)
{
    bool top[3];
    int count = top_corners(top, f, n);
    *changed = *hollow = false;

    for (int e = 0; e < 3; e++) {
        bool from = top[e], to = top[(e + 1) % 3];

        // only edges that hold the farthest corner or corners
        if (count > 1 ? !(from && to) : !(from || to))
            continue;

        cairn_vec3 m = outward(f, e);
        double lean = cairn_dot(n, m);
        if (lean <= 0.0)
            continue;

        // an open border allows any normal
        cairn_vec3 beyond = cairn_facet_beyond(f, e);
        if (cairn_dot(beyond, beyond) == 0.0)
            continue;

        // a normal that leans farther over the edge than the neighbor's is that of an inner edge
        double phi = cairn_atan2(lean, cairn_dot(n, f->normal));
        double psi = cairn_atan2(cairn_dot(beyond, m), cairn_dot(beyond, f->normal));
        if (phi <= psi + same_direction)
            continue;

        // over a ridge it becomes the neighbor's normal, otherwise that of the triangle
        *changed = true;
        *hollow = psi < -same_direction;
        return psi > same_direction ? beyond : f->normal;
    }

    return n;
}

// whether the triangle is within `reach` of a box around B, in B's frame
static bool is_near_box(const cairn_facet* f, const cairn_placed* p, double reach)
{
    cairn_vec3 c[3], half = cairn_core_half(p->b);
    for (int i = 0; i < 3; i++)
        c[i] = cairn_to_b(p, f->corner[i]);
    cairn_vec3 lo = cairn_min(c[0], cairn_min(c[1], c[2]));
    cairn_vec3 hi = cairn_max(c[0], cairn_max(c[1], c[2]));
    return lo.x <= half.x + reach && lo.y <= half.y + reach && lo.z <= half.z + reach &&
           -hi.x <= half.x + reach && -hi.y <= half.y + reach && -hi.z <= half.z + reach;
}

bool cairn_facet_near(const cairn_facet* f, const cairn_placed* p, double margin)
{
    double round = p->b->radius + 1e-12 * p->size;
    return is_near_box(f, p, margin + round) && cairn_separation(p, f->normal) <= margin + round &&
           cairn_separation(p, cairn_neg(f->normal)) <= round;
}

// B's lowest point over the plane of a triangle, and its foot
static cairn_apart apart_from_plane(const cairn_facet* f, const cairn_placed* p)
{
    int vertex = 0;
    cairn_vec3 down = cairn_neg(cairn_mat3_apply_transposed(p->R, f->normal));
    cairn_apart apart = {.normal = f->normal};
    apart.point_b = cairn_to_a(p, cairn_core_support(p->b, down, &vertex));
    apart.gap = cairn_dot(f->normal, cairn_sub(apart.point_b, f->corner[0]));
    apart.point_a = cairn_add_scaled(apart.point_b, -apart.gap, f->normal);
    return apart;
}

// Whether the plane decides. Let q be the foot of the lowest point, inside of the triangle by ρ or
// more. Above the plane it is the nearest point. At depth g, along a direction at an angle φ to the
// normal, up to 90 degrees, the cores overlap by at least ρ sin φ + g cos φ, which for ρ >= g is
// not less than g; and B leaves through the front anyway if its center is there.
static bool is_over_face(const cairn_apart* apart, const cairn_facet* f)
{
    double depth = fmax(0.0, -apart->gap);
    for (int e = 0; e < 3; e++) {
        cairn_vec3 d = cairn_sub(f->corner[(e + 1) % 3], f->corner[e]);
        cairn_vec3 r = cairn_sub(apart->point_a, f->corner[e]);
        double inside = cairn_dot(f->normal, cairn_cross(d, r));
        if (!(inside > 0.0 && inside * inside >= depth * depth * cairn_dot(d, d)))
            return false;
    }
    return true;
}

bool cairn_facet_apart(cairn_apart* apart, const cairn_facet* f, const cairn_placed* p,
                       double beyond)
{
    cairn_apart plane = apart_from_plane(f, p);
    cairn_vec3 center = cairn_to_a(p, p->b->center);
    bool front = cairn_dot(f->normal, cairn_sub(center, f->corner[0])) >= 0.0;

    // straight over the triangle its plane decides
    if ((plane.gap >= 0.0 || front) && is_over_face(&plane, f)) {
        *apart = plane;
        return true;
    }

    *apart = cairn_cores_apart(p, beyond);
    if (cairn_dot(apart->normal, f->normal) >= 0.0)
        return true;
    if (apart->gap > 0.0 || !front)
        return false;

    // sunk in more than half-way: still out through the front
    *apart = plane;
    return true;
}

// clips along a normal that the surface imposes: only what lies over the triangle is kept
static void clip_over(cairn_candidates* out, const cairn_facet* f, const cairn_placed* p,
                      cairn_vec3 normal, double margin)
{
    cairn_feature_polygon a, b;
    out->normal = normal;
    if (cairn_dot(normal, f->normal) < 0.1)
        return;
    cairn_face_polygon(&a, p->a, 0);
    cairn_facing_polygon(&b, p->b, cairn_neg(cairn_mat3_apply_transposed(p->R, normal)));
    for (int i = 0; i < b.count; i++)
        b.corner[i] = cairn_to_a(p, b.corner[i]);
    cairn_clip(out, p, &a, &b, false, normal, margin);
}

// whether a foot is not beyond an edge, or not far beyond one that is hollow
static bool is_before(const cairn_facet* f, int e, cairn_vec3 foot, double margin)
{
    cairn_vec3 m = outward(f, e), o = f->corner[e], neighbor = cairn_facet_beyond(f, e);
    double past = cairn_dot(m, cairn_sub(foot, o));
    double height = -cairn_dot(m, cairn_sub(f->corner[(e + 2) % 3], o));
    return past <= 0.0 ||
           (cairn_dot(neighbor, m) < -same_direction && past <= fmin(margin, height));
}

// A ball, cylinder or what else is round that comes to a hollow edge meets the triangle behind it before it is over it.
// Beyond such an edge the plane of the triangle lies under the surface: what is in front of it
// there has a contact with it.
static void meet_plane(cairn_candidates* out, const cairn_facet* f, const cairn_placed* p,
                       double margin)
{
    cairn_feature_polygon b;
    double rounds = p->a->radius + p->b->radius;

    cairn_facing_polygon(&b, p->b, cairn_neg(cairn_mat3_apply_transposed(p->R, f->normal)));
    for (int i = 0; i < b.count; i++) {
        cairn_vec3 point = cairn_to_a(p, b.corner[i]);
        double gap = cairn_dot(f->normal, cairn_sub(point, f->corner[0]));
        cairn_vec3 foot = cairn_add_scaled(point, -gap, f->normal);
        bool near = gap - rounds >= 0.0 && gap - rounds <= margin;
        for (int e = 0; e < 3 && near; e++)
            near = is_before(f, e, foot, margin);
        if (near && out->count < CAIRN_MOST_CANDIDATES)
            cairn_add_candidate(out, p, foot, point, cairn_feature(CAIRN_FEATURE_ROUND, 0, i));
    }
}

// contacts with a triangle; those with its plane beyond a hollow edge go to `planes`
static void collide_facet(cairn_candidates* out, cairn_candidates* planes, const cairn_facet* f,
                          const cairn_placed* p, double margin)
{
    cairn_apart apart;
    bool changed, hollow;
    double reach = margin + p->a->radius + p->b->radius;
    out->count = planes->count = 0;

    if (!cairn_facet_near(f, p, margin) || !cairn_facet_apart(&apart, f, p, reach) ||
        apart.gap > reach)
        return;

    // a normal of an inner edge gives way to that of a face, whose points are clipped anew
    cairn_vec3 n = allowed_normal(f, apart.normal, &changed, &hollow);
    if (changed)
        clip_over(out, f, p, n, margin);

    planes->normal = n;
    bool round = p->b->radius > 0.0 || p->b->kind >= CAIRN_CORE_CYLINDER;
    if (hollow && out->count == 0 && round)
        meet_plane(planes, f, p, margin);

    if (!changed)
        cairn_collide_apart(out, p, &apart, margin);
}

// ---------------------------------------------------------------- triangles together

static cairn_candidates* group_for(groups* g, cairn_vec3 normal)
{
    for (int i = 0; i < g->count; i++) {
        cairn_vec3 d = cairn_sub(g->c[i].normal, normal);
        if (cairn_dot(d, d) <= same_direction * same_direction)
            return &g->c[i];
    }
    if (g->count == most_groups)
        return NULL;
    g->c[g->count].count = 0;
    g->c[g->count].normal = normal;
    return &g->c[g->count++];
}

static void add_to_group(groups* g, const cairn_candidates* c, int triangle, double size)
{
    cairn_candidates* group = c->count ? group_for(g, c->normal) : NULL;

    // triangles that share an edge find the same point twice
    for (int i = 0; group && i < c->count && group->count < CAIRN_MOST_CANDIDATES; i++) {
        cairn_contact_point point = c->point[i];
        bool known = false;
        for (int k = 0; k < group->count && !known; k++) {
            cairn_vec3 d = cairn_sub(group->point[k].position, point.position);
            known = cairn_dot(d, d) <= 1e-18 * size * size;
        }

        if (known)
            continue;

        // a vertex of the body keeps its name from triangle to triangle; other names are local
        if (point.feature >> 62 != CAIRN_FEATURE_VERTEX_B)
            point.feature ^= (uint64_t)(uint32_t)(triangle + 1) << 33;
        group->point[group->count++] = point;
    }
}

// planes beyond hollow edges that are not nearer than the surface itself
typedef struct beyond {
    int count;
    cairn_candidates c[most_groups];
    int triangle[most_groups];
} beyond;

static double least_gap(const groups* g)
{
    double least = INFINITY;
    for (int i = 0; i < g->count; i++)
        for (int k = 0; k < g->c[i].count; k++)
            least = fmin(least, g->c[i].point[k].gap);
    return least;
}

// of a small triangle the plane may rise above what lies behind its neighbor
static void add_planes(groups* g, const beyond* planes, double size)
{
    double least = least_gap(g);
    for (int i = 0; i < planes->count; i++) {
        const cairn_candidates* from = &planes->c[i];
        cairn_candidates kept = {.normal = from->normal};
        for (int k = 0; k < from->count; k++)
            if (from->point[k].gap >= least)
                kept.point[kept.count++] = from->point[k];
        add_to_group(g, &kept, planes->triangle[i], size);
    }
}

// a number for a direction, the same as long as the same plane is touched; a unit vector may be an
// ulp longer than 1
static int direction_number(cairn_vec3 n)
{
    int x = (int)fmax(floor(511.37 * (n.x + 1.0)), 0.0);
    int y = (int)fmax(floor(511.41 * (n.y + 1.0)), 0.0);
    int z = (int)fmax(floor(511.43 * (n.z + 1.0)), 0.0);
    return x << 20 | y << 10 | z;
}

static const cairn_manifold* last_in_direction(const cairn_surface_job* job, int number)
{
    for (int i = 0; i < job->last_count; i++)
        if (job->last[i].part_a == number)
            return &job->last[i];
    return NULL;
}

int cairn_collide_surface(cairn_manifold* manifolds, int capacity, const cairn_surface_job* job)
{
    cairn_core core_a, core_b;
    cairn_candidates one, plane;
    groups g;
    beyond planes;
    g.count = planes.count = 0;

    double margin = job->def->margin;
    cairn_transform relative = cairn_transform_relative(job->xa, job->xb);
    cairn_aabb box = cairn_aabb_grow(cairn_shape_aabb(job->b, relative), margin);
    cairn_surface_walk walk = cairn_surface_start(job->a, box);
    cairn_core_of_shape(&core_b, job->b);
    core_a.size = 0.0;
    cairn_placed p = cairn_place(&core_a, &core_b, relative);

    // candidates of all triangles, grouped by their normals
    for (int i = cairn_surface_next(&walk); i >= 0; i = cairn_surface_next(&walk)) {
        cairn_facet facet = cairn_surface_facet(job->a, i);
        cairn_core_of_facet(&core_a, &facet);
        cairn_place_other(&p, &core_a);
        collide_facet(&one, &plane, &facet, &p, margin);
        add_to_group(&g, &one, i, core_b.size + core_b.radius);

        if (plane.count > 0 && planes.count < most_groups) {
            planes.triangle[planes.count] = i;
            planes.c[planes.count++] = plane;
        }
    }
    add_planes(&g, &planes, core_b.size + core_b.radius);

    // ascending by direction, whatever the order of the walk
    int count = 0;
    for (int i = 0; i < g.count && i < capacity; i++, count++) {
        int number = direction_number(g.c[i].normal), k = count;
        for (; k > 0 && manifolds[k - 1].part_a > number; k--)
            manifolds[k] = manifolds[k - 1];

        // points of the last step in the same direction keep their names
        cairn_memory memory = {last_in_direction(job, number), job->xa,
                               0.02 * (core_b.size + core_b.radius), 0.1 * margin};
        cairn_finish_manifold(&manifolds[k], &g.c[i], job->xa, job->def->all_points ? 8 : 4,
                              job->def->margin, memory.last ? &memory : NULL);
        manifolds[k].part_a = number;
        manifolds[k].part_b = 0;
    }

    return count;
}

// ---------------------------------------------------------------- distance

static cairn_aabb facet_box(const cairn_facet* f)
{
    return (cairn_aabb){cairn_min(f->corner[0], cairn_min(f->corner[1], f->corner[2])),
                        cairn_max(f->corner[0], cairn_max(f->corner[1], f->corner[2]))};
}

static double box_distance(const cairn_aabb* a, const cairn_aabb* b)
{
    cairn_vec3 d = cairn_max(cairn_sub(a->lo, b->hi), cairn_sub(b->lo, a->hi));
    return cairn_norm(cairn_max(d, cairn_vec(0.0, 0.0, 0.0)));
}

// what was found so far, between a surface and B
typedef struct nearest {
    cairn_transform xa;
    cairn_placed p;
    cairn_gap best;
} nearest;

// the plane rules out most triangles: B is behind it, or farther above it than the best
static void look_at_facet(nearest* s, const cairn_facet* facet)
{
    cairn_core core;
    cairn_apart apart;
    cairn_core_of_facet(&core, facet);
    cairn_place_other(&s->p, &core);

    // reach a little farther than the best, so that a triangle that is as near but for round-off is
    // not cut off
    double reach = fmax(s->best.gap, 0.0) + 1e-12 * s->p.size;
    if (!cairn_facet_near(facet, &s->p, reach) ||
        !cairn_facet_apart(&apart, facet, &s->p, reach + s->p.b->radius))
        return;

    cairn_gap g = cairn_gap_to_world(&apart, &s->p, s->xa);
    g.part_a = facet->triangle;
    if (cairn_is_nearer(&g, &s->best))
        s->best = g;
}

cairn_gap cairn_surface_distance(const cairn_shape* a, cairn_transform xa, const cairn_shape* b,
                                 cairn_transform xb)
{
    cairn_core none = {.size = 0.0}, core_b;
    cairn_transform relative = cairn_transform_relative(xa, xb);
    cairn_core_of_shape(&core_b, b);
    nearest s = {xa, cairn_place(&none, &core_b, relative), {.gap = INFINITY}};
    s.best.normal = cairn_vec(0.0, 0.0, 1.0);

    cairn_aabb box = cairn_shape_aabb(b, relative), seen = box;
    cairn_aabb both = cairn_aabb_join(box, cairn_shape_aabb(a, cairn_transform_identity()));
    double farthest = cairn_norm(cairn_sub(both.hi, both.lo));

    // Look farther and farther until something within the reach is found. A point has no size to
    // start from, nor has a body that is so far away that round-off leaves none: 2^-40 of the way
    // then. With a factor of 4 the reach is beyond everything after 21 rounds, also where numbers
    // overflow.
    enum { most_rounds = 21 };
    double reach = fmax(0.01 * cairn_norm(cairn_sub(box.hi, box.lo)), 0x1p-40 * farthest);
    for (int round = 0; round < most_rounds; round++, reach *= 4.0) {
        bool first = round == 0;
        cairn_surface_walk walk = cairn_surface_start(a, cairn_aabb_grow(box, reach));

        for (int i = cairn_surface_next(&walk); i >= 0; i = cairn_surface_next(&walk)) {
            cairn_facet facet = cairn_surface_facet(a, i);
            cairn_aabb around = facet_box(&facet);
            if ((first || !cairn_aabb_overlap(&around, &seen)) &&
                !(box_distance(&around, &box) > s.best.gap))
                look_at_facet(&s, &facet);
        }

        if (s.best.gap <= reach || !(reach <= farthest))
            return s.best;
        seen = cairn_aabb_grow(box, 0.99 * reach); // less, as walks may round at the border
    }
    return s.best;
}
