// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Shapes and what follows from a shape alone: boxes around it, volume, center and inertia. A shape
// is a small value; the data of hulls, meshes, height fields and compounds is built once, shared by
// any number of shapes, never changed, and must outlive them. Lengths in meters, z up.
#ifndef CAIRN_SHAPE_H
#define CAIRN_SHAPE_H

#include <cairn/base.h>
#include <cairn/math.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum cairn_shape_kind {
    CAIRN_SHAPE_SPHERE,       ///< radius, about the origin
    CAIRN_SHAPE_CAPSULE,      ///< radius around the segment z in [-half_height, half_height]
    CAIRN_SHAPE_BOX,          ///< |x| <= half.x, |y| <= half.y, |z| <= half.z
    CAIRN_SHAPE_CYLINDER,     ///< radius around the z axis, |z| <= half_height
    CAIRN_SHAPE_HULL,         ///< the convex hull of points
    CAIRN_SHAPE_HALF_SPACE,   ///< z <= 0, without end; its surface faces +z
    CAIRN_SHAPE_MESH,         ///< a surface of triangles, for bodies that do not move
    CAIRN_SHAPE_HEIGHT_FIELD, ///< the ground below a grid of heights, for bodies that do not move
    CAIRN_SHAPE_COMPOUND,     ///< several convex shapes and half-spaces at offsets
    CAIRN_SHAPE_ELLIPSOID,    ///< (x/half.x)² + (y/half.y)² + (z/half.z)² <= 1
    CAIRN_SHAPE_CONE,         ///< base of the radius at z = -half_height, apex at half_height
    CAIRN_SHAPE_TAPERED_CAPSULE, ///< hull of two balls: radius about -half_height, top_radius
                                 ///< about half_height
    CAIRN_SHAPE_KIND_COUNT
} cairn_shape_kind;

typedef struct cairn_hull cairn_hull;
typedef struct cairn_mesh cairn_mesh;
typedef struct cairn_height_field cairn_height_field;
typedef struct cairn_compound cairn_compound;

/// A shape in its own frame; a cairn_transform places it.
typedef struct cairn_shape {
    cairn_shape_kind kind;
    double radius;      ///< m; sphere, capsule, cylinder, cone (base), tapered capsule (lower end)
    double half_height; ///< m; capsules (between the sphere centers: half of it), cylinder, cone
    union {
        cairn_vec3 half;   ///< m; box, ellipsoid (half axes)
        double top_radius; ///< m; tapered capsule (upper end)
    };
    union {
        const cairn_hull* hull;
        const cairn_mesh* mesh;
        const cairn_height_field* field;
        const cairn_compound* compound;
    } data;
} cairn_shape;

/// Shapes in their own frames, as cairn_shape_kind describes them: lengths are radii and half sizes in m. Those with data
/// borrow it.
CAIRN_API cairn_shape cairn_shape_sphere(double radius);
CAIRN_API cairn_shape cairn_shape_capsule(double radius, double half_height);
CAIRN_API cairn_shape cairn_shape_box(cairn_vec3 half);
CAIRN_API cairn_shape cairn_shape_cylinder(double radius, double half_height);
CAIRN_API cairn_shape cairn_shape_ellipsoid(cairn_vec3 half);
CAIRN_API cairn_shape cairn_shape_cone(double radius, double half_height);
CAIRN_API cairn_shape cairn_shape_tapered_capsule(double radius, double top_radius,
                                                  double half_height);
CAIRN_API cairn_shape cairn_shape_half_space(void);
CAIRN_API cairn_shape cairn_shape_hull(const cairn_hull* hull);
CAIRN_API cairn_shape cairn_shape_mesh(const cairn_mesh* mesh);
CAIRN_API cairn_shape cairn_shape_height_field(const cairn_height_field* field);
CAIRN_API cairn_shape cairn_shape_compound(const cairn_compound* compound);

/// "sphere", "capsule", "box", ... Static storage.
CAIRN_API const char* cairn_shape_name(cairn_shape_kind kind);

/// Refuses sizes outside 1e-9 .. 1e12 m (a capsule may have no height), a tapered capsule one ball
/// of which holds the other, and data that is missing. Everything else in this library relies on it.
CAIRN_API cairn_status cairn_shape_check(const cairn_shape* shape, cairn_error* error);

/// Bounded and convex: all but half-space, mesh, height field and compound.
CAIRN_API bool cairn_shape_is_convex(const cairn_shape* shape);

// ---------------------------------------------------------------- boxes around shapes

/// An axis-aligned box. Empty when lo > hi somewhere.
typedef struct cairn_aabb {
    cairn_vec3 lo, hi;
} cairn_aabb;

static inline bool cairn_aabb_overlap(const cairn_aabb* a, const cairn_aabb* b)
{
    return a->lo.x <= b->hi.x && b->lo.x <= a->hi.x && a->lo.y <= b->hi.y && b->lo.y <= a->hi.y &&
           a->lo.z <= b->hi.z && b->lo.z <= a->hi.z;
}

/// Whether b lies inside a.
static inline bool cairn_aabb_contains(const cairn_aabb* a, const cairn_aabb* b)
{
    return a->lo.x <= b->lo.x && a->lo.y <= b->lo.y && a->lo.z <= b->lo.z && b->hi.x <= a->hi.x &&
           b->hi.y <= a->hi.y && b->hi.z <= a->hi.z;
}

static inline cairn_aabb cairn_aabb_join(cairn_aabb a, cairn_aabb b)
{
    cairn_aabb box = {cairn_min(a.lo, b.lo), cairn_max(a.hi, b.hi)};
    return box;
}

static inline cairn_aabb cairn_aabb_grow(cairn_aabb a, double margin)
{
    cairn_vec3 m = cairn_vec(margin, margin, margin);
    cairn_aabb box = {cairn_sub(a.lo, m), cairn_add(a.hi, m)};
    return box;
}

/// The box around a placed shape: tight for all but compounds and meshes in a turned frame. A
/// half-space has infinite sides unless its surface is level.
CAIRN_API cairn_aabb cairn_shape_aabb(const cairn_shape* shape, cairn_transform x);

/// The greatest distance of a point of the shape from `center` (in its frame), a bound of it for an
/// ellipsoid away from its center; infinite for a half-space. Bounds how fast a turning body moves.
CAIRN_API double cairn_shape_radius(const cairn_shape* shape, cairn_vec3 center);

/// m: how deep two shapes may overlap in a motion that counts as true: 1 mm or, where that is more,
/// 1 % of half the least side of the smaller box about them. 1 mm without a shape.
CAIRN_API double cairn_overlap_allowed(const cairn_shape* a, const cairn_shape* b);

// ---------------------------------------------------------------- mass properties

/// Volume, center and inertia at density 1 kg/m³; multiply volume and inertia by a density.
typedef struct cairn_mass_properties {
    double volume;      ///< m³
    cairn_vec3 center;  ///< m, of mass, in the shape's frame
    cairn_mat3 inertia; ///< m⁵, about the center, axes of the shape's frame
} cairn_mass_properties;

/// Exact for every shape. Parts of a compound that overlap count twice. A mesh must be closed and
/// face outwards; half-spaces, height fields and open meshes are refused by name.
CAIRN_API cairn_status cairn_shape_mass(const cairn_shape* shape, cairn_mass_properties* mass,
                                        cairn_error* error);

// ---------------------------------------------------------------- convex hulls

/// Half-edge h runs from `origin` to the origin of the next half-edge around its face.
typedef struct cairn_hull_edge {
    int origin; ///< vertex
    int twin;   ///< the same edge run backwards, on the neighboring face
    int face;   ///< on its left when seen from outside
} cairn_hull_edge;

/// A plane polygon: half-edges [edge, edge + edge_count), counter-clockwise from outside.
typedef struct cairn_hull_face {
    cairn_vec3 normal; ///< unit, outwards
    double offset;     ///< the face lies on normal·x = offset, everything else below
    int edge, edge_count;
} cairn_hull_face;

/// A convex polytope. Coplanar triangles are one face; no vertex lies inside a face or an edge.
struct cairn_hull {
    int vertex_count, edge_count, face_count; ///< edge_count counts half-edges
    cairn_vec3* vertices;
    cairn_hull_edge* edges;
    cairn_hull_face* faces;
    int* vertex_edge;     ///< a half-edge that leaves each vertex
    int* edge_half;       ///< edge_count / 2: the half-edge h < twin of each edge
    cairn_vec3 center;    ///< mean of the vertices, inside
    double size;          ///< greatest coordinate of a vertex
    double* vertex_lanes; ///< vertices and faces once more, for vector instructions; NULL in a
    double* face_lanes;   ///< hull that cairn_hull_create did not make
};

/// Hull of points. `tolerance` is relative to the extent of the points: a point that sticks out
/// less is dropped, faces that deviate less are merged; 0 means 1e-11. No point is further out of
/// a face than 8 tolerances (of 1e-12 at least, what coordinates far from the origin may be off).
/// Numbers that are not finite or beyond 1e40 m, fewer than four points, and points that coincide,
/// lie on a line or on a plane are refused.
CAIRN_API cairn_status cairn_hull_create(const cairn_vec3* points, int count, double tolerance,
                                         cairn_hull** hull, cairn_error* error);
CAIRN_API void cairn_hull_destroy(cairn_hull* hull);

// ---------------------------------------------------------------- meshes, fields, compounds

/// A static surface of triangles, counter-clockwise from outside, with a tree over them. Contacts
/// push to the outside. Edges remember their neighbors so that flat seams are not felt.
typedef struct cairn_mesh_def {
    const cairn_vec3* vertices;
    int vertex_count;
    const int* triangles; ///< 3 vertex indices each
    int triangle_count;
} cairn_mesh_def;

/// Copies the data. Triangles without area are dropped; bad indices, and numbers that are not finite
/// or beyond 1e40 m, are refused.
CAIRN_API cairn_status cairn_mesh_create(const cairn_mesh_def* def, cairn_mesh** mesh,
                                         cairn_error* error);
CAIRN_API void cairn_mesh_destroy(cairn_mesh* mesh);
CAIRN_API int cairn_mesh_triangle_count(const cairn_mesh* mesh);

/// The data of a mesh, without the triangles that were dropped. The arrays belong to the mesh.
CAIRN_API cairn_mesh_def cairn_mesh_get_def(const cairn_mesh* mesh);

/// Heights z over a grid: point (i, j) lies at (i spacing_x, j spacing_y, heights[j count_x + i]).
/// Each cell is two triangles along the diagonal from (i, j) to (i+1, j+1); solid below.
typedef struct cairn_height_field_def {
    int count_x, count_y; ///< points, at least 2 each
    double spacing_x, spacing_y;
    const double* heights;
} cairn_height_field_def;

/// Makes a height field; the heights are copied. Refuses numbers that are not finite and coordinates beyond 1e40 m.
CAIRN_API cairn_status cairn_height_field_create(const cairn_height_field_def* def,
                                                 cairn_height_field** field, cairn_error* error);
CAIRN_API void cairn_height_field_destroy(cairn_height_field* field);

/// The data of a height field. The array belongs to the field.
CAIRN_API cairn_height_field_def cairn_height_field_get_def(const cairn_height_field* field);

/// Shapes with offsets on one body. Parts are convex or half-spaces; their data is borrowed.
struct cairn_compound {
    int count;
    cairn_shape* parts;
    cairn_transform* offsets; ///< part frame -> compound frame
    cairn_aabb* boxes;        ///< around the parts, in the compound's frame; may be NULL
};

/// Copies `parts` and `offsets`.
CAIRN_API cairn_status cairn_compound_create(const cairn_shape* parts,
                                             const cairn_transform* offsets, int count,
                                             cairn_compound** compound, cairn_error* error);
CAIRN_API void cairn_compound_destroy(cairn_compound* compound);

#ifdef __cplusplus
}
#endif

#endif
