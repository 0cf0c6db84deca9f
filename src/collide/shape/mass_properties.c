// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Volume, center and inertia at density 1. Closed forms for the round shapes and the box, exact
// sums for the tapered capsule; for polytopes and closed meshes the surface is cut into triangles
// and every triangle makes a tetrahedron (o, a, b, c) of signed volume V = det(a, b, c) / 6 with
//
//     ∫ 1 = V,   ∫ x = V (a + b + c) / 4,   ∫ x x^T = V/20 (a a^T + b b^T + c c^T + s s^T),
//     s = a + b + c,
//
// exact because the integrands are polynomials. Moments are taken about a point of the surface
// (so that a far away body does not cancel) and moved to the center by Steiner's theorem. With
// S = ∫ x x^T about the center, the inertia is tr(S) 1 - S.

#include "collide/shape/mesh.h"
#include "collide/shape/tapered.h"
#include "math/accept.h"
#include <cairn/shape.h>

typedef struct moments {
    double volume;
    cairn_vec3 first;
    cairn_mat3 second;
} moments;

static cairn_mat3 outer(cairn_vec3 a, cairn_vec3 b)
{
    cairn_mat3 m = {cairn_scale(b.x, a), cairn_scale(b.y, a), cairn_scale(b.z, a)};
    return m;
}

static void add_tetrahedron(moments* m, cairn_vec3 a, cairn_vec3 b, cairn_vec3 c)
{
    double volume = cairn_dot(a, cairn_cross(b, c)) / 6.0;
    cairn_vec3 s = cairn_add(a, cairn_add(b, c));
    cairn_mat3 second = cairn_mat3_add(cairn_mat3_add(outer(a, a), outer(b, b)),
                                       cairn_mat3_add(outer(c, c), outer(s, s)));
    m->volume += volume;
    m->first = cairn_add_scaled(m->first, volume / 4.0, s);
    m->second = cairn_mat3_add(m->second, cairn_mat3_scale(volume / 20.0, second));
}

static cairn_mat3 inertia_of(cairn_mat3 second)
{
    double trace = second.cx.x + second.cy.y + second.cz.z;
    return cairn_mat3_add(cairn_mat3_diagonal(trace, trace, trace), cairn_mat3_scale(-1.0, second));
}

// from moments about `origin`
static cairn_mass_properties from_moments(const moments* m, cairn_vec3 origin)
{
    cairn_vec3 center = cairn_scale(1.0 / m->volume, m->first);
    cairn_mat3 second =
        cairn_mat3_add(m->second, cairn_mat3_scale(-m->volume, outer(center, center)));
    return (cairn_mass_properties){m->volume, cairn_add(origin, center), inertia_of(second)};
}

static cairn_mass_properties hull_mass(const cairn_hull* hull)
{
    moments m = {0};
    cairn_vec3 o = hull->center;
    for (int f = 0; f < hull->face_count; f++) {
        const cairn_hull_edge* e = &hull->edges[hull->faces[f].edge];
        cairn_vec3 a = cairn_sub(hull->vertices[e[0].origin], o);
        for (int i = 1; i + 1 < hull->faces[f].edge_count; i++)
            add_tetrahedron(&m, a, cairn_sub(hull->vertices[e[i].origin], o),
                            cairn_sub(hull->vertices[e[i + 1].origin], o));
    }
    return from_moments(&m, o);
}

static cairn_status mesh_mass(cairn_mass_properties* mass, const cairn_mesh* mesh,
                              cairn_error* error)
{
    moments m = {0};
    if (!mesh->closed)
        return cairn_fail(error, CAIRN_BAD_INPUT, "mass: the mesh is not closed");

    // signed tetrahedra from the middle of the box to each triangle
    cairn_vec3 o = cairn_scale(0.5, cairn_add(mesh->box.lo, mesh->box.hi));
    for (int i = 0; i < mesh->triangle_count; i++) {
        const int* v = &mesh->triangles[3 * i];
        add_tetrahedron(&m, cairn_sub(mesh->vertices[v[0]], o), cairn_sub(mesh->vertices[v[1]], o),
                        cairn_sub(mesh->vertices[v[2]], o));
    }

    if (!(m.volume > 0.0))
        return cairn_fail(error, CAIRN_BAD_INPUT, "mass: the mesh faces inwards");
    *mass = from_moments(&m, o);
    return CAIRN_OK;
}

static cairn_mass_properties box_mass(cairn_vec3 h)
{
    double volume = 8.0 * h.x * h.y * h.z;
    cairn_vec3 s = cairn_scale(volume / 3.0, cairn_vec(h.x * h.x, h.y * h.y, h.z * h.z));
    return (cairn_mass_properties){
        volume, {0.0, 0.0, 0.0}, cairn_mat3_diagonal(s.y + s.z, s.z + s.x, s.x + s.y)};
}

static const double pi = 3.14159265358979323846;

static cairn_mass_properties sphere_mass(double r)
{
    double volume = 4.0 / 3.0 * pi * r * r * r, i = 0.4 * volume * r * r;
    return (cairn_mass_properties){volume, {0.0, 0.0, 0.0}, cairn_mat3_diagonal(i, i, i)};
}

static cairn_mass_properties cylinder_mass(double r, double h)
{
    double volume = 2.0 * pi * r * r * h;
    double across = volume * (r * r / 4.0 + h * h / 3.0), along = volume * r * r / 2.0;
    return (cairn_mass_properties){
        volume, {0.0, 0.0, 0.0}, cairn_mat3_diagonal(across, across, along)};
}

// a cylinder and two half spheres whose centers of mass lie 3/8 r outside the cylinder's ends
static cairn_mass_properties capsule_mass(double r, double h)
{
    cairn_mass_properties m = cylinder_mass(r, h), s = sphere_mass(r);
    double across = s.inertia.cx.x + s.volume * (h * h + 0.75 * h * r);
    m.volume += s.volume;
    m.inertia = cairn_mat3_add(m.inertia, cairn_mat3_diagonal(across, across, s.inertia.cz.z));
    return m;
}

// the axes of an ellipsoid are scaled ones of a ball: ∫ x² = V a² / 5
static cairn_mass_properties ellipsoid_mass(cairn_vec3 h)
{
    double volume = 4.0 / 3.0 * pi * h.x * h.y * h.z;
    cairn_vec3 s = cairn_scale(volume / 5.0, cairn_vec(h.x * h.x, h.y * h.y, h.z * h.z));
    return (cairn_mass_properties){
        volume, {0.0, 0.0, 0.0}, cairn_mat3_diagonal(s.y + s.z, s.z + s.x, s.x + s.y)};
}

// height 2 h over the base, center of mass a quarter of it up
static cairn_mass_properties cone_mass(double r, double h)
{
    double volume = 2.0 / 3.0 * pi * r * r * h;
    double across = volume * (0.15 * r * r + 0.15 * h * h), along = 0.3 * volume * r * r;
    return (cairn_mass_properties){
        volume, {0.0, 0.0, -0.5 * h}, cairn_mat3_diagonal(across, across, along)};
}

// a solid of revolution: ∫ π ρ², ∫ π ρ² z, ∫ π ρ² z² and ∫ π ρ⁴ over z
typedef struct turned {
    double one, z, zz, rr;
} turned;

// ρ(z)² = a + b z + c z² from z0 to z1: polynomials of degree 4, exact by Gauss' rule of 3 points
static void add_turned(turned* sum, double z0, double z1, double a, double b, double c)
{
    static const double node = 0.77459666924148337704; // sqrt(3/5)
    static const double weight[3] = {5.0 / 18.0, 8.0 / 18.0, 5.0 / 18.0};
    for (int i = 0; i < 3; i++) {
        double z = 0.5 * (z0 + z1) + 0.5 * (i - 1) * node * (z1 - z0);
        double rr = a + z * (b + z * c), w = pi * weight[i] * (z1 - z0) * rr;
        sum->one += w;
        sum->z += w * z;
        sum->zz += w * z * z;
        sum->rr += w * rr;
    }
}

// two balls, cut where the side touches them, and the side between them
static cairn_mass_properties tapered_mass(const cairn_shape* shape)
{
    turned sum = {0};

    double r = shape->radius, t = shape->top_radius, h = shape->half_height;
    cairn_tapered_side side = cairn_tapered_side_of(shape);
    double rho = side.rho, sigma = side.sigma;
    add_turned(&sum, -h - r, side.from, r * r - h * h, -2.0 * h, -1.0);
    add_turned(&sum, side.from, side.to, rho * rho, 2.0 * rho * sigma, sigma * sigma);
    add_turned(&sum, side.to, h + t, t * t - h * h, 2.0 * h, -1.0);

    // about the center of mass
    double center = sum.z / sum.one;
    double across = 0.25 * sum.rr + sum.zz - sum.one * center * center;
    return (cairn_mass_properties){
        sum.one, {0.0, 0.0, center}, cairn_mat3_diagonal(across, across, 0.5 * sum.rr)};
}

static cairn_mat3 rotate_inertia(cairn_mat3 inertia, cairn_quat q)
{
    cairn_mat3 r = cairn_quat_to_mat3(q);
    return cairn_mat3_multiply(cairn_mat3_multiply(r, inertia), cairn_mat3_transpose(r));
}

// v (|d|² 1 - d d^T)
static cairn_mat3 steiner(double volume, cairn_vec3 d)
{
    return cairn_mat3_scale(volume, inertia_of(outer(d, d)));
}

static cairn_status compound_mass(cairn_mass_properties* mass, const cairn_compound* compound,
                                  cairn_error* error)
{
    // volume and center first, so that the inertia is summed about the center
    cairn_mass_properties part, sum = {0};
    cairn_vec3 first = cairn_vec(0.0, 0.0, 0.0);
    for (int i = 0; i < compound->count; i++) {
        cairn_status status = cairn_shape_mass(&compound->parts[i], &part, error);
        if (status != CAIRN_OK)
            return status;
        cairn_vec3 center = cairn_transform_point(compound->offsets[i], part.center);
        sum.volume += part.volume;
        first = cairn_add_scaled(first, part.volume, center);
    }
    sum.center = cairn_scale(1.0 / sum.volume, first);

    // the inertia about that center, by Steiner's theorem
    for (int i = 0; i < compound->count; i++) {
        cairn_shape_mass(&compound->parts[i], &part, NULL);
        cairn_transform x = compound->offsets[i];
        cairn_vec3 d = cairn_sub(cairn_transform_point(x, part.center), sum.center);
        sum.inertia = cairn_mat3_add(sum.inertia, rotate_inertia(part.inertia, x.q));
        sum.inertia = cairn_mat3_add(sum.inertia, steiner(part.volume, d));
    }

    *mass = sum;
    return CAIRN_OK;
}

cairn_status cairn_shape_mass(const cairn_shape* shape, cairn_mass_properties* mass,
                              cairn_error* error)
{
    if (!mass)
        return cairn_refuse_null(error, "the place for the mass properties");

    cairn_status status = cairn_shape_check(shape, error);
    if (status != CAIRN_OK)
        return status;

    switch (shape->kind) {
    case CAIRN_SHAPE_SPHERE:
        *mass = sphere_mass(shape->radius);
        return CAIRN_OK;
    case CAIRN_SHAPE_CAPSULE:
        *mass = capsule_mass(shape->radius, shape->half_height);
        return CAIRN_OK;
    case CAIRN_SHAPE_BOX:
        *mass = box_mass(shape->half);
        return CAIRN_OK;
    case CAIRN_SHAPE_CYLINDER:
        *mass = cylinder_mass(shape->radius, shape->half_height);
        return CAIRN_OK;
    case CAIRN_SHAPE_ELLIPSOID:
        *mass = ellipsoid_mass(shape->half);
        return CAIRN_OK;
    case CAIRN_SHAPE_CONE:
        *mass = cone_mass(shape->radius, shape->half_height);
        return CAIRN_OK;
    case CAIRN_SHAPE_TAPERED_CAPSULE:
        *mass = tapered_mass(shape);
        return CAIRN_OK;
    case CAIRN_SHAPE_HULL:
        *mass = hull_mass(shape->data.hull);
        return CAIRN_OK;
    case CAIRN_SHAPE_MESH:
        return mesh_mass(mass, shape->data.mesh, error);
    case CAIRN_SHAPE_COMPOUND:
        return compound_mass(mass, shape->data.compound, error);
    default:
        return cairn_fail(error, CAIRN_BAD_INPUT, "mass: a %s has none",
                          cairn_shape_name(shape->kind));
    }
}
