// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Rays. A convex shape is an intersection of simple sets (slabs, planes, an endless cylinder), each
// of which a line o + t w crosses in one interval of t; the shape's interval is their intersection,
// and the set that begins last gives the normal. Capsules are unions instead: the earliest of the
// side and the two ends. Surfaces are hit from either side.

#include "collide/query/ray.h"
#include "collide/shape/mesh.h"
#include "collide/shape/tapered.h"
#include "collide/shape/usable.h"
#include <cairn/collide.h>
#include <float.h>

typedef struct interval {
    double from, to;
    cairn_vec3 normal; // of the set that begins last
} interval;

// lo <= n·x <= hi
static bool cut_slab(interval* i, cairn_vec3 n, double lo, double hi, cairn_vec3 o, cairn_vec3 w)
{
    double at = cairn_dot(n, o), speed = cairn_dot(n, w);
    if (speed == 0.0)
        return at >= lo && at <= hi;
    double begin = ((speed > 0.0 ? lo : hi) - at) / speed;
    double end = ((speed > 0.0 ? hi : lo) - at) / speed;
    if (begin > i->from) {
        i->from = begin;
        i->normal = speed > 0.0 ? cairn_neg(n) : n;
    }
    i->to = fmin(i->to, end);
    return i->from <= i->to;
}

// |x - c| <= r where only the components that `o` and `w` keep count
static bool cut_ball(interval* i, cairn_vec3 o, cairn_vec3 w, double r)
{
    double a = cairn_dot(w, w), b = cairn_dot(o, w), c = cairn_dot(o, o) - r * r;
    if (a == 0.0)
        return c <= 0.0;

    // the height of the line over the center, free of cancellation for far origins
    cairn_vec3 foot = cairn_add_scaled(o, -b / a, w);
    double half2 = (r * r - cairn_dot(foot, foot)) / a;
    if (half2 < 0.0)
        return false;

    double half = sqrt(half2), begin = -b / a - half;
    if (begin > i->from) {
        i->from = begin;
        i->normal = cairn_normalize(cairn_add_scaled(o, begin, w)); // r may be zero
    }

    i->to = fmin(i->to, -b / a + half);
    return i->from <= i->to;
}

// of an ellipsoid: a unit ball in coordinates by its half axes, where normals go with their inverse
static bool cut_ellipsoid(interval* i, cairn_vec3 h, cairn_vec3 o, cairn_vec3 w)
{
    double before = i->from;
    cairn_vec3 inverse = cairn_vec(1.0 / h.x, 1.0 / h.y, 1.0 / h.z);
    cairn_vec3 a = cairn_vec(o.x * inverse.x, o.y * inverse.y, o.z * inverse.z);
    cairn_vec3 b = cairn_vec(w.x * inverse.x, w.y * inverse.y, w.z * inverse.z);
    if (!cut_ball(i, a, b, 1.0))
        return false;
    if (i->from > before)
        i->normal = cairn_normalize(
            cairn_vec(i->normal.x * inverse.x, i->normal.y * inverse.y, i->normal.z * inverse.z));
    return true;
}

// x² + y² <= (ρ + σ z)² where ρ + σ z >= 0. Along the line the difference of both sides is
// a t² + 2 b t + c, taken from the foot of the z axis on it, so that far origins do not cancel.
static bool cut_cone(interval* i, double rho, double sigma, cairn_vec3 o, cairn_vec3 w)
{
    double ww = cairn_dot(w, w), shift = ww > 0.0 ? -cairn_dot(o, w) / ww : 0.0;
    cairn_vec3 p = cairn_add_scaled(o, shift, w);
    double wide = rho + sigma * p.z, grows = sigma * w.z;
    double a = w.x * w.x + w.y * w.y - grows * grows, b = p.x * w.x + p.y * w.y - wide * grows;
    double c = p.x * p.x + p.y * p.y - wide * wide, half2 = b * b - a * c, from, to;

    if (a > 0.0 && half2 < 0.0)
        return false;
    double half = sqrt(fmax(half2, 0.0)), q = b < 0.0 ? -b + half : -b - half;

    // the roots; a line steeper than the side stays inside of one half of the double cone
    if (a == 0.0 && b == 0.0) {
        from = c <= 0.0 ? -DBL_MAX : DBL_MAX;
        to = DBL_MAX;
    } else if (a == 0.0) {
        from = b < 0.0 ? -0.5 * c / b : -DBL_MAX;
        to = b < 0.0 ? DBL_MAX : -0.5 * c / b;
    } else {
        double x = q / a, y = q != 0.0 ? c / q : 0.0;
        from = a > 0.0 ? fmin(x, y) : grows > 0.0 ? fmax(x, y) : -DBL_MAX;
        to = a > 0.0 ? fmax(x, y) : grows > 0.0 ? DBL_MAX : fmin(x, y);
    }

    if (from + shift > i->from) {
        cairn_vec3 at = cairn_add_scaled(p, from, w);
        cairn_vec3 n = cairn_vec(at.x, at.y, -sigma * (rho + sigma * at.z));
        bool apex = cairn_dot(n, n) == 0.0;
        i->from = from + shift;
        i->normal = apex ? cairn_vec(0.0, 0.0, sigma < 0.0 ? 1.0 : -1.0) : cairn_normalize(n);
    }

    i->to = fmin(i->to, to + shift);
    return i->from <= i->to;
}

static cairn_vec3 flat(cairn_vec3 v)
{
    return cairn_vec(v.x, v.y, 0.0);
}

static bool cut_hull(interval* i, const cairn_hull* hull, cairn_vec3 o, cairn_vec3 w)
{
    for (int f = 0; f < hull->face_count; f++)
        if (!cut_slab(i, hull->faces[f].normal, -DBL_MAX, hull->faces[f].offset, o, w))
            return false;
    return true;
}

static bool cut_box(interval* i, cairn_vec3 h, cairn_vec3 o, cairn_vec3 w)
{
    return cut_slab(i, cairn_vec(1.0, 0.0, 0.0), -h.x, h.x, o, w) &&
           cut_slab(i, cairn_vec(0.0, 1.0, 0.0), -h.y, h.y, o, w) &&
           cut_slab(i, cairn_vec(0.0, 0.0, 1.0), -h.z, h.z, o, w);
}

// the earliest of those of three parts that are hit
static bool take_earliest(interval* i, const interval* part, const bool* hit)
{
    interval best = {DBL_MAX, -DBL_MAX, {0.0, 0.0, 0.0}};
    for (int k = 0; k < 3; k++)
        if (hit[k] && part[k].from < best.from)
            best = part[k];
    if (!(hit[0] || hit[1] || hit[2]))
        return false;
    *i = best;
    return true;
}

static bool cut_capsule(interval* i, const cairn_shape* s, cairn_vec3 o, cairn_vec3 w)
{
    cairn_vec3 up = cairn_vec(0.0, 0.0, s->half_height);
    interval part[3] = {*i, *i, *i};
    bool hit[3] = {
        cut_ball(&part[0], cairn_sub(o, up), w, s->radius),
        cut_ball(&part[1], cairn_add(o, up), w, s->radius),
        cut_ball(&part[2], flat(o), flat(w), s->radius) &&
            cut_slab(&part[2], cairn_vec(0.0, 0.0, 1.0), -s->half_height, s->half_height, o, w)};
    return take_earliest(i, part, hit);
}

static bool cut_tapered(interval* i, const cairn_shape* s, cairn_vec3 o, cairn_vec3 w)
{
    cairn_vec3 up = cairn_vec(0.0, 0.0, s->half_height);
    cairn_tapered_side side = cairn_tapered_side_of(s);
    interval part[3] = {*i, *i, *i};
    bool hit[3] = {cut_ball(&part[0], cairn_add(o, up), w, s->radius),
                   cut_ball(&part[1], cairn_sub(o, up), w, s->top_radius),
                   side.to > side.from && cut_cone(&part[2], side.rho, side.sigma, o, w) &&
                       cut_slab(&part[2], cairn_vec(0.0, 0.0, 1.0), side.from, side.to, o, w)};
    return take_earliest(i, part, hit);
}

static bool cut_shape(interval* i, const cairn_shape* s, cairn_vec3 o, cairn_vec3 w)
{
    switch (s->kind) {
    case CAIRN_SHAPE_SPHERE:
        return cut_ball(i, o, w, s->radius);
    case CAIRN_SHAPE_CAPSULE:
        return cut_capsule(i, s, o, w);
    case CAIRN_SHAPE_BOX:
        return cut_box(i, s->half, o, w);
    case CAIRN_SHAPE_CYLINDER:
        // a disk across, and a slab along the axis
        return cut_ball(i, flat(o), flat(w), s->radius) &&
               cut_slab(i, cairn_vec(0.0, 0.0, 1.0), -s->half_height, s->half_height, o, w);
    case CAIRN_SHAPE_ELLIPSOID:
        return cut_ellipsoid(i, s->half, o, w);
    case CAIRN_SHAPE_CONE:
        return cut_slab(i, cairn_vec(0.0, 0.0, 1.0), -s->half_height, s->half_height, o, w) &&
               cut_cone(i, 0.5 * s->radius, -0.5 * s->radius / s->half_height, o, w);
    case CAIRN_SHAPE_TAPERED_CAPSULE:
        return cut_tapered(i, s, o, w);
    case CAIRN_SHAPE_HULL:
        return cut_hull(i, s->data.hull, o, w);
    default:
        return cut_slab(i, cairn_vec(0.0, 0.0, 1.0), -DBL_MAX, 0.0, o, w);
    }
}

// ---------------------------------------------------------------- surfaces

// Moeller and Trumbore 1997
static bool hit_triangle(double* t, const cairn_vec3* c, cairn_vec3 o, cairn_vec3 w)
{
    cairn_vec3 e = cairn_sub(c[1], c[0]), f = cairn_sub(c[2], c[0]), d = cairn_sub(o, c[0]);
    cairn_vec3 p = cairn_cross(w, f), q = cairn_cross(d, e);
    double det = cairn_dot(e, p);
    if (det == 0.0)
        return false;
    double u = cairn_dot(d, p) / det, v = cairn_dot(w, q) / det;
    *t = cairn_dot(f, q) / det;
    return u >= 0.0 && v >= 0.0 && u + v <= 1.0 && *t >= 0.0;
}

static void try_triangle(cairn_hit* hit, bool* found, const cairn_shape* s, int i, cairn_vec3 o,
                         cairn_vec3 w)
{
    cairn_facet facet = cairn_surface_facet(s, i);
    double t;
    if (!hit_triangle(&t, facet.corner, o, w) || t > hit->t)
        return;
    hit->t = t;
    hit->normal = facet.normal;
    hit->part = i;
    *found = true;
}

static bool ray_mesh(cairn_hit* hit, const cairn_shape* s, cairn_vec3 o, cairn_vec3 w)
{
    const cairn_box_tree* tree = &s->data.mesh->tree;
    cairn_box_tree_walk walk = cairn_box_tree_start(tree);
    cairn_box_tree_ray ray = cairn_box_tree_ray_make(o, w, 1.0);
    bool found = false;
    hit->t = 1.0;
    for (int i; (i = cairn_box_tree_next_ray(tree, &walk, &ray)) >= 0;) {
        try_triangle(hit, &found, s, i, o, w);
        ray.reach = hit->t;
    }
    return found;
}

// the fraction at which a line leaves cell i of width h along one axis
static double leave(double o, double w, double h, int i)
{
    if (w == 0.0)
        return DBL_MAX;
    return ((w > 0.0 ? i + 1 : i) * h - o) / w;
}

static int cell(double x, double h, int cells)
{
    int i = (int)floor(fmin(fmax(x / h, 0.0), cells));
    return i < cells ? i : cells - 1;
}

// From cell to cell along the ray, always in the same direction of each axis: no more steps than
// the field has columns and rows.
static bool ray_field(cairn_hit* hit, const cairn_shape* s, cairn_vec3 o, cairn_vec3 w)
{
    // the stretch of the ray within the box of the field, grown by round-off
    const cairn_height_field* f = s->data.field;
    interval inside = {0.0, 1.0, {0.0, 0.0, 0.0}};
    cairn_vec3 middle = cairn_scale(0.5, cairn_add(f->box.lo, f->box.hi));
    cairn_vec3 half = cairn_scale(0.5 * (1.0 + 1e-12), cairn_sub(f->box.hi, f->box.lo));
    half.z += 1e-12 * (half.x + half.y);

    if (!cut_box(&inside, half, cairn_sub(o, middle), w))
        return false;

    // the cell that it enters by
    cairn_vec3 start = cairn_add_scaled(o, inside.from, w);
    int nx = f->count_x - 1, ny = f->count_y - 1;
    int i = cell(start.x, f->spacing_x, nx), j = cell(start.y, f->spacing_y, ny);
    bool found = false;
    hit->t = inside.to;

    while (i >= 0 && j >= 0 && i < nx && j < ny) {
        try_triangle(hit, &found, s, 2 * (j * nx + i), o, w);
        try_triangle(hit, &found, s, 2 * (j * nx + i) + 1, o, w);

        double tx = leave(o.x, w.x, f->spacing_x, i), ty = leave(o.y, w.y, f->spacing_y, j);
        if (found || fmin(tx, ty) > inside.to)
            break;

        // on to the neighbor whose border comes first
        if (tx < ty)
            i += w.x > 0.0 ? 1 : -1;
        else
            j += w.y > 0.0 ? 1 : -1;
    }
    return found;
}

// ---------------------------------------------------------------- all shapes

static bool ray_local(cairn_hit* hit, const cairn_shape* s, cairn_vec3 o, cairn_vec3 w)
{
    *hit = (cairn_hit){0};
    if (s->kind == CAIRN_SHAPE_MESH)
        return ray_mesh(hit, s, o, w);
    if (s->kind == CAIRN_SHAPE_HEIGHT_FIELD)
        return ray_field(hit, s, o, w);
    interval i = {0.0, 1.0, {0.0, 0.0, 0.0}};
    if (!cut_shape(&i, s, o, w))
        return false;
    hit->t = i.from;
    hit->normal = i.normal;
    return true;
}

bool cairn_shape_cast_ray(const cairn_shape* s, cairn_transform x, cairn_vec3 origin,
                          cairn_vec3 way, cairn_hit* hit)
{
    if (!hit || !cairn_placed_usable(s, x) || !cairn_vec_usable(origin) || !cairn_vec_usable(way))
        return false;

    // of a compound the part that is hit first
    if (s->kind == CAIRN_SHAPE_COMPOUND) {
        const cairn_compound* c = s->data.compound;
        bool found = false;
        for (int i = 0; i < c->count; i++) {
            cairn_hit part;
            cairn_transform y = cairn_transform_multiply(x, c->offsets[i]);
            if (!cairn_shape_cast_ray(&c->parts[i], y, origin, way, &part) ||
                (found && part.t >= hit->t))
                continue;
            *hit = part;
            hit->part = i;
            found = true;
        }
        return found;
    }

    cairn_hit local;
    if (!ray_local(&local, s, cairn_transform_point_back(x, origin), cairn_rotate_back(x.q, way)))
        return false;

    *hit = local;
    hit->normal = cairn_rotate(x.q, local.normal);
    hit->point = cairn_add_scaled(origin, local.t, way);
    return true;
}

int cairn_mesh_crossings(const cairn_mesh* mesh, cairn_vec3 origin, cairn_vec3 way)
{
    cairn_shape s = cairn_shape_mesh(mesh);
    cairn_box_tree_walk walk = cairn_box_tree_start(&mesh->tree);
    cairn_box_tree_ray ray = cairn_box_tree_ray_make(origin, way, DBL_MAX);
    int count = 0;
    for (int i; (i = cairn_box_tree_next_ray(&mesh->tree, &walk, &ray)) >= 0;) {
        cairn_facet facet = cairn_surface_facet(&s, i);
        double t;
        count += hit_triangle(&t, facet.corner, origin, way);
    }
    return count;
}
