// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Shapes: making and checking them, boxes and spheres around them, compounds.

#include "collide/shape/mesh.h"
#include "collide/shape/usable.h"
#include "math/accept.h"
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------- making

cairn_shape cairn_shape_sphere(double radius)
{
    return (cairn_shape){.kind = CAIRN_SHAPE_SPHERE, .radius = radius};
}

cairn_shape cairn_shape_capsule(double radius, double half_height)
{
    return (cairn_shape){.kind = CAIRN_SHAPE_CAPSULE, .radius = radius, .half_height = half_height};
}

cairn_shape cairn_shape_box(cairn_vec3 half)
{
    return (cairn_shape){.kind = CAIRN_SHAPE_BOX, .half = half};
}

cairn_shape cairn_shape_cylinder(double radius, double half_height)
{
    return (cairn_shape){
        .kind = CAIRN_SHAPE_CYLINDER, .radius = radius, .half_height = half_height};
}

cairn_shape cairn_shape_ellipsoid(cairn_vec3 half)
{
    return (cairn_shape){.kind = CAIRN_SHAPE_ELLIPSOID, .half = half};
}

cairn_shape cairn_shape_cone(double radius, double half_height)
{
    return (cairn_shape){.kind = CAIRN_SHAPE_CONE, .radius = radius, .half_height = half_height};
}

cairn_shape cairn_shape_tapered_capsule(double radius, double top_radius, double half_height)
{
    return (cairn_shape){.kind = CAIRN_SHAPE_TAPERED_CAPSULE,
                         .radius = radius,
                         .half_height = half_height,
                         .top_radius = top_radius};
}

cairn_shape cairn_shape_half_space(void)
{
    return (cairn_shape){.kind = CAIRN_SHAPE_HALF_SPACE};
}

cairn_shape cairn_shape_hull(const cairn_hull* hull)
{
    return (cairn_shape){.kind = CAIRN_SHAPE_HULL, .data.hull = hull};
}

cairn_shape cairn_shape_mesh(const cairn_mesh* mesh)
{
    return (cairn_shape){.kind = CAIRN_SHAPE_MESH, .data.mesh = mesh};
}

cairn_shape cairn_shape_height_field(const cairn_height_field* field)
{
    return (cairn_shape){.kind = CAIRN_SHAPE_HEIGHT_FIELD, .data.field = field};
}

cairn_shape cairn_shape_compound(const cairn_compound* compound)
{
    return (cairn_shape){.kind = CAIRN_SHAPE_COMPOUND, .data.compound = compound};
}

const char* cairn_shape_name(cairn_shape_kind kind)
{
    static const char* const names[] = {"sphere",   "capsule",    "box",  "cylinder",
                                        "hull",     "half-space", "mesh", "height-field",
                                        "compound", "ellipsoid",  "cone", "tapered-capsule"};
    return (unsigned)kind < CAIRN_SHAPE_KIND_COUNT ? names[kind] : "unknown";
}

bool cairn_shape_is_convex(const cairn_shape* shape)
{
    if (!shape)
        return false;
    return shape->kind <= CAIRN_SHAPE_HULL ||
           (shape->kind > CAIRN_SHAPE_COMPOUND && shape->kind < CAIRN_SHAPE_KIND_COUNT);
}

// ---------------------------------------------------------------- checking

// surfaces: their corners are within range, and they are not all one point
static cairn_status check_box(const char* name, cairn_aabb box, cairn_error* error)
{
    cairn_vec3 wide = cairn_sub(box.hi, box.lo);
    cairn_status status = cairn_accept_vec(error, name, box.lo, CAIRN_A_COORDINATE);
    if (status == CAIRN_OK)
        status = cairn_accept_vec(error, name, box.hi, CAIRN_A_COORDINATE);
    if (status == CAIRN_OK)
        status = cairn_accept(error, name, fmax(wide.x, fmax(wide.y, wide.z)), CAIRN_A_SIZE);
    return status;
}

static cairn_status check_tapered(const cairn_shape* s, cairn_error* error)
{
    cairn_status status =
        cairn_accept(error, "the tapered capsule's radius", s->radius, CAIRN_A_SIZE);
    if (status == CAIRN_OK)
        status =
            cairn_accept(error, "the tapered capsule's top radius", s->top_radius, CAIRN_A_SIZE);
    if (status == CAIRN_OK)
        status =
            cairn_accept(error, "the tapered capsule's half height", s->half_height, CAIRN_A_SIZE);

    if (status == CAIRN_OK && fabs(s->radius - s->top_radius) >= 2.0 * s->half_height)
        return cairn_fail(error, CAIRN_BAD_INPUT,
                          "tapered capsule: one of its balls holds the other; take a sphere");
    return status;
}

cairn_status cairn_shape_check(const cairn_shape* s, cairn_error* error)
{
    if (!s)
        return cairn_refuse_null(error, "the shape");

    cairn_status status = CAIRN_OK;
    if ((unsigned)s->kind < CAIRN_SHAPE_KIND_COUNT && !cairn_shape_known(s))
        return cairn_fail(error, CAIRN_BAD_INPUT, "%s: no data", cairn_shape_name(s->kind));

    switch (s->kind) {
    case CAIRN_SHAPE_SPHERE:
        return cairn_accept(error, "the sphere's radius", s->radius, CAIRN_A_SIZE);
    case CAIRN_SHAPE_CAPSULE:
        status = cairn_accept(error, "the capsule's radius", s->radius, CAIRN_A_SIZE);
        return status == CAIRN_OK ? cairn_accept(error, "the capsule's half height", s->half_height,
                                                 CAIRN_A_DISTANCE)
                                  : status;
    case CAIRN_SHAPE_CYLINDER:
        status = cairn_accept(error, "the cylinder's radius", s->radius, CAIRN_A_SIZE);
        return status == CAIRN_OK
                   ? cairn_accept(error, "the cylinder's half height", s->half_height, CAIRN_A_SIZE)
                   : status;
    case CAIRN_SHAPE_CONE:
        status = cairn_accept(error, "the cone's radius", s->radius, CAIRN_A_SIZE);
        return status == CAIRN_OK
                   ? cairn_accept(error, "the cone's half height", s->half_height, CAIRN_A_SIZE)
                   : status;
    case CAIRN_SHAPE_TAPERED_CAPSULE:
        return check_tapered(s, error);
    case CAIRN_SHAPE_BOX:
        return cairn_accept_vec(error, "a half side of the box", s->half, CAIRN_A_SIZE);
    case CAIRN_SHAPE_ELLIPSOID:
        return cairn_accept_vec(error, "a half axis of the ellipsoid", s->half, CAIRN_A_SIZE);
    case CAIRN_SHAPE_HULL:
        return cairn_accept(error, "the hull's size", s->data.hull->size, CAIRN_A_SIZE);
    case CAIRN_SHAPE_MESH:
        return check_box("the mesh's size", s->data.mesh->box, error);
    case CAIRN_SHAPE_HEIGHT_FIELD:
        return check_box("the height field's size", s->data.field->box, error);
    case CAIRN_SHAPE_HALF_SPACE:
    case CAIRN_SHAPE_COMPOUND: // its parts were looked at when it was made
        return CAIRN_OK;
    default:
        return cairn_fail(error, CAIRN_BAD_INPUT, "shape: kind %d is unknown", (int)s->kind);
    }
}

cairn_status cairn_compound_create(const cairn_shape* parts, const cairn_transform* offsets,
                                   int count, cairn_compound** out, cairn_error* error)
{
    if (!out || !parts || !offsets)
        return cairn_refuse_null(error, "the place for the compound, its parts or their offsets");

    if (count < 1)
        return cairn_fail(error, CAIRN_BAD_INPUT, "compound: it has no parts");

    for (int i = 0; i < count; i++) {
        cairn_quat q = offsets[i].q;
        double norm = q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
        cairn_status status = cairn_shape_check(&parts[i], error);
        if (status != CAIRN_OK)
            return status;

        if (!cairn_shape_is_convex(&parts[i]) && parts[i].kind != CAIRN_SHAPE_HALF_SPACE)
            return cairn_fail(error, CAIRN_BAD_INPUT, "compound: part %d is a %s", i,
                              cairn_shape_name(parts[i].kind));

        status =
            cairn_accept_vec(error, "an offset of the compound", offsets[i].p, CAIRN_A_COORDINATE);
        if (status != CAIRN_OK)
            return status;
        if (!(fabs(norm - 1.0) < 1e-6))
            return cairn_fail(error, CAIRN_BAD_INPUT,
                              "compound: the offset of part %d is no rigid motion", i);
    }

    cairn_compound* compound = calloc(1, sizeof *compound);
    size_t n = (size_t)count;
    if (compound) {
        compound->count = count;
        compound->parts = malloc(n * sizeof *parts);
        compound->offsets = malloc(n * sizeof *offsets);
        compound->boxes = malloc(n * sizeof *compound->boxes);
    }

    if (!compound || !compound->parts || !compound->offsets || !compound->boxes) {
        cairn_compound_destroy(compound);
        return cairn_fail(error, CAIRN_NO_MEMORY, "compound: no memory for %d parts", count);
    }

    memcpy(compound->parts, parts, n * sizeof *parts);
    memcpy(compound->offsets, offsets, n * sizeof *offsets);
    for (int i = 0; i < count; i++)
        compound->boxes[i] = cairn_shape_aabb(&parts[i], offsets[i]);

    *out = compound;
    return CAIRN_OK;
}

void cairn_compound_destroy(cairn_compound* compound)
{
    if (!compound)
        return;
    free(compound->parts);
    free(compound->offsets);
    free(compound->boxes);
    free(compound);
}

// ---------------------------------------------------------------- boxes around shapes

// half sides of the box around a turned box: |R| h
static cairn_vec3 turned_half(cairn_quat q, cairn_vec3 h)
{
    cairn_mat3 r = cairn_quat_to_mat3(q);
    cairn_mat3 a = {cairn_abs(r.cx), cairn_abs(r.cy), cairn_abs(r.cz)};
    return cairn_mat3_apply(a, h);
}

static cairn_aabb around(cairn_vec3 center, cairn_vec3 half)
{
    return (cairn_aabb){cairn_sub(center, half), cairn_add(center, half)};
}

static cairn_aabb turned_box(cairn_aabb box, cairn_transform x)
{
    cairn_vec3 middle = cairn_scale(0.5, cairn_add(box.lo, box.hi));
    cairn_vec3 half = cairn_scale(0.5, cairn_sub(box.hi, box.lo));
    return around(cairn_transform_point(x, middle), turned_half(x.q, half));
}

// a disk with unit normal u reaches r sqrt(1 - u_i²) along axis i
static cairn_vec3 disk_half(cairn_vec3 u, double r)
{
    return cairn_vec(r * sqrt(fmax(0.0, 1.0 - u.x * u.x)), r * sqrt(fmax(0.0, 1.0 - u.y * u.y)),
                     r * sqrt(fmax(0.0, 1.0 - u.z * u.z)));
}

// a turned ellipsoid reaches sqrt(Σ_j (R_ij h_j)²) along axis i
static cairn_vec3 ellipsoid_half(cairn_quat q, cairn_vec3 h)
{
    cairn_mat3 r = cairn_quat_to_mat3(q);
    cairn_vec3 x = cairn_scale(h.x, r.cx), y = cairn_scale(h.y, r.cy), z = cairn_scale(h.z, r.cz);
    return cairn_vec(sqrt(x.x * x.x + y.x * y.x + z.x * z.x),
                     sqrt(x.y * x.y + y.y * y.y + z.y * z.y),
                     sqrt(x.z * x.z + y.z * y.z + z.z * z.z));
}

static cairn_vec3 equal(double r)
{
    return cairn_vec(r, r, r);
}

static cairn_aabb hull_aabb(const cairn_hull* hull, cairn_transform x)
{
    cairn_mat3 r = cairn_quat_to_mat3(x.q);
    cairn_vec3 lo = cairn_mat3_apply(r, hull->vertices[0]), hi = lo;
    for (int i = 1; i < hull->vertex_count; i++) {
        cairn_vec3 v = cairn_mat3_apply(r, hull->vertices[i]);
        lo = cairn_min(lo, v);
        hi = cairn_max(hi, v);
    }
    return (cairn_aabb){cairn_add(x.p, lo), cairn_add(x.p, hi)};
}

static cairn_aabb half_space_aabb(cairn_transform x)
{
    cairn_vec3 n = cairn_rotate(x.q, cairn_vec(0.0, 0.0, 1.0));
    cairn_aabb box = {cairn_vec(-INFINITY, -INFINITY, -INFINITY),
                      cairn_vec(INFINITY, INFINITY, INFINITY)};

    // the box is cut only where the normal lies along an axis
    double c[3] = {n.x, n.y, n.z}, p[3] = {x.p.x, x.p.y, x.p.z};
    double* lo[3] = {&box.lo.x, &box.lo.y, &box.lo.z};
    double* hi[3] = {&box.hi.x, &box.hi.y, &box.hi.z};
    for (int i = 0; i < 3; i++) {
        if (c[i] >= 1.0 - 1e-15)
            *hi[i] = p[i];
        if (c[i] <= -1.0 + 1e-15)
            *lo[i] = p[i];
    }
    return box;
}

cairn_aabb cairn_shape_aabb(const cairn_shape* s, cairn_transform x)
{
    if (!s || !cairn_shape_known(s))
        return (cairn_aabb){0};

    cairn_vec3 axis, r = equal(s->radius);
    switch (s->kind) {
    case CAIRN_SHAPE_SPHERE:
        return around(x.p, r);
    case CAIRN_SHAPE_CAPSULE:
        axis = cairn_rotate(x.q, cairn_vec(0.0, 0.0, s->half_height));
        return around(x.p, cairn_add(cairn_abs(axis), r));
    case CAIRN_SHAPE_CYLINDER:
        // half the extent along the axis, and that of the disk
        axis = cairn_rotate(x.q, cairn_vec(0.0, 0.0, 1.0));
        return around(x.p, cairn_add(cairn_scale(s->half_height, cairn_abs(axis)),
                                     disk_half(axis, s->radius)));
    case CAIRN_SHAPE_CONE:
        axis = cairn_rotate(x.q, cairn_vec(0.0, 0.0, 1.0));
        // the base and the apex
        return cairn_aabb_join(
            around(cairn_add_scaled(x.p, -s->half_height, axis), disk_half(axis, s->radius)),
            around(cairn_add_scaled(x.p, s->half_height, axis), equal(0.0)));
    case CAIRN_SHAPE_TAPERED_CAPSULE:
        axis = cairn_rotate(x.q, cairn_vec(0.0, 0.0, s->half_height));
        return cairn_aabb_join(around(cairn_sub(x.p, axis), r),
                               around(cairn_add(x.p, axis), equal(s->top_radius)));
    case CAIRN_SHAPE_ELLIPSOID:
        return around(x.p, ellipsoid_half(x.q, s->half));
    case CAIRN_SHAPE_BOX:
        return around(x.p, turned_half(x.q, s->half));
    case CAIRN_SHAPE_HULL:
        return hull_aabb(s->data.hull, x);
    case CAIRN_SHAPE_MESH:
        return turned_box(s->data.mesh->box, x);
    case CAIRN_SHAPE_HEIGHT_FIELD:
        return turned_box(s->data.field->box, x);
    case CAIRN_SHAPE_COMPOUND: {
        const cairn_compound* c = s->data.compound;
        cairn_aabb box = cairn_shape_aabb(&c->parts[0], cairn_transform_multiply(x, c->offsets[0]));
        for (int i = 1; i < c->count; i++)
            box = cairn_aabb_join(
                box, cairn_shape_aabb(&c->parts[i], cairn_transform_multiply(x, c->offsets[i])));
        return box;
    }
    default:
        return half_space_aabb(x);
    }
}

// the farthest point of |x - c| <= h by component
static double farthest_in_box(cairn_vec3 center, cairn_vec3 half, cairn_vec3 from)
{
    return cairn_norm(cairn_add(cairn_abs(cairn_sub(center, from)), half));
}

static double box_radius(cairn_aabb box, cairn_vec3 from)
{
    return farthest_in_box(cairn_scale(0.5, cairn_add(box.lo, box.hi)),
                           cairn_scale(0.5, cairn_sub(box.hi, box.lo)), from);
}

double cairn_shape_radius(const cairn_shape* s, cairn_vec3 center)
{
    if (!s || !cairn_shape_known(s))
        return 0.0;

    double radius = 0.0, across;
    cairn_vec3 up;
    switch (s->kind) {
    case CAIRN_SHAPE_SPHERE:
        return cairn_norm(center) + s->radius;
    case CAIRN_SHAPE_CAPSULE:
        return cairn_norm(cairn_vec(center.x, center.y, fabs(center.z) + s->half_height)) +
               s->radius;
    case CAIRN_SHAPE_CYLINDER:
        across = sqrt(center.x * center.x + center.y * center.y) + s->radius;
        return cairn_norm(cairn_vec(across, 0.0, fabs(center.z) + s->half_height));
    case CAIRN_SHAPE_CONE:
        across = sqrt(center.x * center.x + center.y * center.y);
        return fmax(cairn_length(across + s->radius, center.z + s->half_height),
                    cairn_length(across, center.z - s->half_height));
    case CAIRN_SHAPE_TAPERED_CAPSULE:
        up = cairn_vec(0.0, 0.0, s->half_height);
        return fmax(cairn_norm(cairn_add(center, up)) + s->radius,
                    cairn_norm(cairn_sub(center, up)) + s->top_radius);
    case CAIRN_SHAPE_ELLIPSOID:
        // an upper bound; exact from its own center
        return cairn_norm(center) + fmax(s->half.x, fmax(s->half.y, s->half.z));
    case CAIRN_SHAPE_BOX:
        return farthest_in_box(cairn_vec(0.0, 0.0, 0.0), s->half, center);
    case CAIRN_SHAPE_HULL:
        for (int i = 0; i < s->data.hull->vertex_count; i++)
            radius = fmax(radius, cairn_norm(cairn_sub(s->data.hull->vertices[i], center)));
        return radius;
    case CAIRN_SHAPE_MESH:
        return box_radius(s->data.mesh->box, center);
    case CAIRN_SHAPE_HEIGHT_FIELD:
        return box_radius(s->data.field->box, center);
    case CAIRN_SHAPE_COMPOUND:
        for (int i = 0; i < s->data.compound->count; i++) {
            cairn_vec3 local = cairn_transform_point_back(s->data.compound->offsets[i], center);
            radius = fmax(radius, cairn_shape_radius(&s->data.compound->parts[i], local));
        }
        return radius;
    default:
        return INFINITY;
    }
}

// ---------------------------------------------------------------- overlaps

static double thickness(const cairn_shape* shape)
{
    cairn_aabb box = cairn_shape_aabb(shape, cairn_transform_identity());
    cairn_vec3 half = cairn_scale(0.5, cairn_sub(box.hi, box.lo));
    return fmin(half.x, fmin(half.y, half.z));
}

double cairn_overlap_allowed(const cairn_shape* a, const cairn_shape* b)
{
    static const double always = 1e-3, share = 0.01; // m, of the half thickness
    return a && b ? fmax(always, share * fmin(thickness(a), thickness(b))) : always;
}
