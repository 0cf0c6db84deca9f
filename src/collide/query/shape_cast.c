// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Containment by the inequalities that define a shape, and casts of a shape along a line by
// conservative advancement (see time_of_impact.c): the distance along the normal n shrinks at w·n,
// so that d / (w·n) is safe to go; on the straight parts of polytopes one or two steps arrive.

#include "collide/narrow/surface.h"
#include "collide/query/ray.h"
#include "collide/shape/tapered.h"
#include "collide/shape/usable.h"

// ---------------------------------------------------------------- containment

static bool in_hull(const cairn_hull* hull, cairn_vec3 p)
{
    for (int f = 0; f < hull->face_count; f++)
        if (cairn_dot(hull->faces[f].normal, p) > hull->faces[f].offset)
            return false;
    return true;
}

static bool below_field(const cairn_shape* s, cairn_vec3 p)
{
    const cairn_height_field* f = s->data.field;
    if (p.x < f->box.lo.x || p.y < f->box.lo.y || p.x > f->box.hi.x || p.y > f->box.hi.y)
        return false;

    cairn_aabb column = {{p.x, p.y, -INFINITY}, {p.x, p.y, INFINITY}};
    cairn_surface_walk walk = cairn_surface_start(s, column);
    int i = cairn_surface_next(&walk);

    // the half of the cell that the point stands over
    double u = p.x / f->spacing_x, v = p.y / f->spacing_y;
    int cells = f->count_x - 1, cell = i / 2;
    if (v - cell / cells > u - cell % cells)
        i++;

    cairn_facet facet = cairn_surface_facet(s, i);
    return cairn_dot(facet.normal, cairn_sub(p, facet.corner[0])) <= 0.0;
}

static bool in_ellipsoid(cairn_vec3 h, cairn_vec3 p)
{
    cairn_vec3 u = cairn_vec(p.x / h.x, p.y / h.y, p.z / h.z);
    return cairn_dot(u, u) <= 1.0;
}

static bool in_cone(const cairn_shape* s, double across2, double z)
{
    double wide = 0.5 * s->radius * (1.0 - z / s->half_height);
    return fabs(z) <= s->half_height && across2 <= wide * wide;
}

// in one of the balls, or in the cone between them
static bool in_tapered(const cairn_shape* s, double across2, double z)
{
    cairn_tapered_side side = cairn_tapered_side_of(s);
    double below = z + s->half_height, above = z - s->half_height, wide = side.rho + side.sigma * z;
    return across2 + below * below <= s->radius * s->radius ||
           across2 + above * above <= s->top_radius * s->top_radius ||
           (z >= side.from && z <= side.to && across2 <= wide * wide);
}

static bool contains_local(const cairn_shape* s, cairn_vec3 p)
{
    double across = p.x * p.x + p.y * p.y, r2 = s->radius * s->radius;
    double beyond = fmax(0.0, fabs(p.z) - s->half_height);

    // a direction along which no mesh is likely to have an edge
    cairn_vec3 odd = cairn_vec(0.5377, 0.2231, 0.8131);
    switch (s->kind) {
    case CAIRN_SHAPE_SPHERE:
        return across + p.z * p.z <= r2;
    case CAIRN_SHAPE_CAPSULE:
        return across + beyond * beyond <= r2;
    case CAIRN_SHAPE_CYLINDER:
        return across <= r2 && fabs(p.z) <= s->half_height;
    case CAIRN_SHAPE_BOX:
        return fabs(p.x) <= s->half.x && fabs(p.y) <= s->half.y && fabs(p.z) <= s->half.z;
    case CAIRN_SHAPE_ELLIPSOID:
        return in_ellipsoid(s->half, p);
    case CAIRN_SHAPE_CONE:
        return in_cone(s, across, p.z);
    case CAIRN_SHAPE_TAPERED_CAPSULE:
        return in_tapered(s, across, p.z);
    case CAIRN_SHAPE_HULL:
        return in_hull(s->data.hull, p);
    case CAIRN_SHAPE_HALF_SPACE:
        return p.z <= 0.0;
    case CAIRN_SHAPE_MESH:
        return s->data.mesh->closed && cairn_mesh_crossings(s->data.mesh, p, odd) % 2 == 1;
    case CAIRN_SHAPE_HEIGHT_FIELD:
        return below_field(s, p);
    default:
        for (int i = 0; i < s->data.compound->count; i++)
            if (cairn_contains(&s->data.compound->parts[i], s->data.compound->offsets[i], p))
                return true;
        return false;
    }
}

bool cairn_contains(const cairn_shape* shape, cairn_transform x, cairn_vec3 point)
{
    if (!cairn_placed_usable(shape, x) || !cairn_vec_usable(point))
        return false;
    return contains_local(shape, cairn_transform_point_back(x, point));
}

// ---------------------------------------------------------------- casts

// The distance d(t) of two convex sets, one of which is moved by t w, is convex in t, and its slope
// is -s with s = -w·n. Advancing by d / s is therefore Newton's method on a convex function from
// the left, for which
//
//     d_k+1 / d_k + s_k+1 / s_k <= 1,      so that      d_k+1 s_k+1 <= d_k s_k / 4.
//
// The loop goes on only while d > c = 1e-12 (size + |w| + radii) and the next step ends before
// t = 1, that is d <= s: while d s > c². From d_0 s_0 <= 4 (size + |w| + radii)² that is over after
// log4(4e24) = 41 steps. Distances are right to 1e-15 of the size, a thousandth of c, so that
// round-off adds less than one.
enum { most_steps = 42 };

// core B moves by `way` (frame of A); true when it reaches A before `hit->t`
static bool cast_cores(cairn_hit* hit, const cairn_placed* start, cairn_vec3 way)
{
    cairn_placed p = *start;
    double radii = p.a->radius + p.b->radius, t = 0.0;
    double close = 1e-12 * (p.size + cairn_norm(way) + radii);

    // conservative advancement: no core is reached before t + gap / speed
    for (int step = 0; step < most_steps; step++) {
        cairn_apart apart = cairn_cores_apart(&p, INFINITY);
        double gap = apart.gap - radii, speed = -cairn_dot(way, apart.normal);

        if (gap <= close) {
            bool inside = step == 0 && gap < 0.0;
            hit->t = t;
            hit->point = cairn_add_scaled(apart.point_a, p.a->radius, apart.normal);
            hit->normal = inside ? cairn_vec(0.0, 0.0, 0.0) : apart.normal;
            return true;
        }

        if (!(speed > 0.0) || !(t + gap / speed <= hit->t))
            return false;

        t += gap / speed;
        p.t = cairn_add_scaled(start->t, t, way);
    }
    return false;
}

static bool cast_convex(cairn_hit* hit, const cairn_core* b, const cairn_shape* a,
                        cairn_transform relative, cairn_vec3 way)
{
    cairn_core core;
    cairn_core_of_shape(&core, a);
    cairn_placed p = cairn_place(&core, b, relative);
    return cast_cores(hit, &p, way);
}

static bool cast_half_space(cairn_hit* hit, const cairn_core* b, cairn_transform relative,
                            cairn_vec3 way)
{
    cairn_core none = {.kind = CAIRN_CORE_POINT};
    cairn_placed p = cairn_place(&none, b, relative);
    int vertex = 0;

    cairn_vec3 down = cairn_vec(-p.R.cx.z, -p.R.cy.z, -p.R.cz.z);
    cairn_vec3 lowest = cairn_to_a(&p, cairn_core_support(b, down, &vertex));
    double gap = lowest.z - b->radius, t = gap <= 0.0 ? 0.0 : way.z < 0.0 ? -gap / way.z : 2.0;

    if (t > hit->t)
        return false;

    hit->t = t;
    hit->point = cairn_add_scaled(lowest, t, way);
    hit->point.z -= b->radius;
    hit->normal = cairn_vec(0.0, 0.0, gap < 0.0 ? 0.0 : 1.0);
    return true;
}

static bool cast_surface(cairn_hit* hit, const cairn_shape* moving, const cairn_core* b,
                         const cairn_shape* a, cairn_transform relative, cairn_vec3 way)
{
    cairn_aabb box = cairn_shape_aabb(moving, relative), end = box;
    end.lo = cairn_add(end.lo, way);
    end.hi = cairn_add(end.hi, way);

    cairn_surface_walk walk = cairn_surface_start(a, cairn_aabb_join(box, end));
    bool found = false;
    for (int i; (i = cairn_surface_next(&walk)) >= 0;) {
        cairn_facet facet = cairn_surface_facet(a, i);
        cairn_core core;

        // from the front only
        if (cairn_dot(facet.normal, way) >= 0.0)
            continue;

        cairn_core_of_facet(&core, &facet);
        cairn_placed p = cairn_place(&core, b, relative);
        if (cast_cores(hit, &p, way)) {
            hit->part = i;
            found = true;
        }
    }
    return found;
}

static bool cast_local(cairn_hit* hit, const cairn_shape* moving, const cairn_shape* shape,
                       cairn_transform relative, cairn_vec3 way)
{
    cairn_core core;
    cairn_core_of_shape(&core, moving);
    if (cairn_shape_is_convex(shape))
        return cast_convex(hit, &core, shape, relative, way);
    if (shape->kind == CAIRN_SHAPE_HALF_SPACE)
        return cast_half_space(hit, &core, relative, way);
    if (shape->kind != CAIRN_SHAPE_COMPOUND)
        return cast_surface(hit, moving, &core, shape, relative, way);

    // hit->t is the earliest hit so far: a part that comes later does not replace it
    const cairn_compound* c = shape->data.compound;
    bool found = false;
    for (int i = 0; i < c->count; i++) {
        cairn_transform seen = cairn_transform_relative(c->offsets[i], relative);
        cairn_vec3 turned = cairn_rotate_back(c->offsets[i].q, way);
        if (!cast_local(hit, moving, &c->parts[i], seen, turned))
            continue;

        hit->point = cairn_transform_point(c->offsets[i], hit->point);
        hit->normal = cairn_rotate(c->offsets[i].q, hit->normal);
        hit->part = i;
        found = true;
    }
    return found;
}

bool cairn_shape_cast_shape(const cairn_shape* moving, cairn_transform from, cairn_vec3 way,
                            const cairn_shape* shape, cairn_transform x, cairn_hit* hit)
{
    if (!hit || !cairn_placed_usable(moving, from) || !cairn_placed_usable(shape, x))
        return false;
    if (!cairn_shape_is_convex(moving) || !cairn_vec_usable(way))
        return false;

    cairn_hit best = {.t = 1.0};
    cairn_vec3 local = cairn_rotate_back(x.q, way);
    if (!cast_local(&best, moving, shape, cairn_transform_relative(x, from), local))
        return false;

    *hit = best;
    hit->point = cairn_transform_point(x, best.point);
    hit->normal = cairn_rotate(x.q, best.normal);
    return true;
}
