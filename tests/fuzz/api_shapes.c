// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The calls of shape.h. Data of hulls, meshes, fields and compounds stays until the session ends,
// because bodies borrow it; what there is no room for is destroyed at once.

#include "api.h"
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------- values

static void kept(api* a, cairn_shape shape)
{
    api_end(a, CAIRN_OK, API_NOTHING);
    api_keep_shape(a, shape);
}

static void sphere(api* a)
{
    double radius = api_real(a, 0.05, 0.6);
    api_begin(a);
    kept(a, cairn_shape_sphere(radius));
}

static void capsule(api* a)
{
    double radius = api_real(a, 0.05, 0.4), half_height = api_real(a, 0.0, 0.6);
    api_begin(a);
    kept(a, cairn_shape_capsule(radius, half_height));
}

static void cone(api* a)
{
    double radius = api_real(a, 0.05, 0.5), half_height = api_real(a, 0.05, 0.5);
    api_begin(a);
    kept(a, cairn_shape_cone(radius, half_height));
}

static void ellipsoid(api* a)
{
    cairn_vec3 half = api_vec(a, 0.05, 0.6);
    api_begin(a);
    kept(a, cairn_shape_ellipsoid(half));
}

static void tapered_capsule(api* a)
{
    double radius = api_real(a, 0.05, 0.4), top = api_real(a, 0.05, 0.4);
    double half_height = api_real(a, 0.05, 0.6);
    api_begin(a);
    kept(a, cairn_shape_tapered_capsule(radius, top, half_height));
}

static void box(api* a)
{
    cairn_vec3 half = api_vec(a, 0.05, 0.6);
    api_begin(a);
    kept(a, cairn_shape_box(half));
}

static void cylinder(api* a)
{
    double radius = api_real(a, 0.05, 0.5), half_height = api_real(a, 0.05, 0.5);
    api_begin(a);
    kept(a, cairn_shape_cylinder(radius, half_height));
}

static void half_space(api* a)
{
    api_begin(a);
    kept(a, cairn_shape_half_space());
}

static void of_hull(api* a)
{
    int count = a->held.hull_count;
    api_begin(a);
    kept(a, cairn_shape_hull(count ? a->held.hulls[api_below(a, count)] : NULL));
}

static void of_mesh(api* a)
{
    int count = a->held.mesh_count;
    api_begin(a);
    kept(a, cairn_shape_mesh(count ? a->held.meshes[api_below(a, count)] : NULL));
}

static void of_field(api* a)
{
    int count = a->held.field_count;
    api_begin(a);
    kept(a, cairn_shape_height_field(count ? a->held.fields[api_below(a, count)] : NULL));
}

static void of_compound(api* a)
{
    int count = a->held.compound_count;
    api_begin(a);
    kept(a, cairn_shape_compound(count ? a->held.compounds[api_below(a, count)] : NULL));
}

// ---------------------------------------------------------------- what follows from a shape

static void shape_name(api* a)
{
    int kind = api_int(a, 0, CAIRN_SHAPE_KIND_COUNT);
    api_begin(a);
    const char* name = cairn_shape_name((cairn_shape_kind)kind);
    api_end(a, CAIRN_OK, API_NOTHING);
    if (!name)
        api_broken(a, "a kind without a name");
}

static void shape_check(api* a)
{
    cairn_shape shape = api_pick_shape(a);
    const cairn_shape* given = API_OR_NULL(a, &shape);
    api_begin(a);
    api_end(a, cairn_shape_check(given, a->said), API_NOTHING);
}

static void is_convex(api* a)
{
    cairn_shape shape = api_pick_shape(a);
    api_begin(a);
    cairn_shape_is_convex(&shape);
    api_end(a, CAIRN_OK, API_NOTHING);
}

static void aabb(api* a)
{
    cairn_shape shape = api_pick_shape(a);
    cairn_transform x = api_pose(a);
    api_begin(a);
    cairn_shape_aabb(&shape, x);
    api_end(a, CAIRN_OK, API_NOTHING);
}

static void radius(api* a)
{
    cairn_shape shape = api_pick_shape(a);
    cairn_vec3 center = api_vec(a, -1.0, 1.0);
    api_begin(a);
    cairn_shape_radius(&shape, center);
    api_end(a, CAIRN_OK, API_NOTHING);
}

static void overlap(api* a)
{
    cairn_shape first = api_pick_shape(a), second = api_pick_shape(a);
    api_begin(a);
    cairn_overlap_allowed(&first, &second);
    cairn_overlap_allowed(&first, NULL);
    api_end(a, CAIRN_OK, API_NOTHING);
}

static void mass(api* a)
{
    cairn_mass_properties m;
    cairn_shape shape = api_pick_shape(a);
    const cairn_shape* given = API_OR_NULL(a, &shape);
    cairn_mass_properties* place = API_OR_NULL(a, &m);
    api_begin(a);
    api_end(a, cairn_shape_mass(given, place, a->said), API_NOTHING);
}

// ---------------------------------------------------------------- data

// corners of a box, points on a grid (many of them coplanar), or anywhere
static int points(api* a, cairn_vec3* p, int most)
{
    int kind = api_below(a, 3), count = 4 + api_below(a, most - 3);
    double size = api_real(a, 0.2, 1.0);
    for (int i = 0; i < count; i++) {
        if (kind == 0) {
            p[i] = cairn_vec(i & 1 ? size : -size, i & 2 ? size : -size, i & 4 ? size : -size);
        } else if (kind == 1) {
            int b = api_byte(a);
            p[i] = cairn_vec(size * (b % 6), size * (b / 6 % 6), size * (b / 36));
        } else {
            p[i] = api_vec(a, -size, size);
        }
    }
    return count;
}

static void hull_create(api* a)
{
    cairn_vec3 p[24];
    cairn_hull* hull = NULL;
    int count = points(a, p, 24);
    double tolerance = api_chance(a, 32) ? api_real(a, 0.0, 0.1) : 0.0;

    // never more points than there are
    int said = api_hostile(a) ? api_int(a, 0, 4) : count;
    if (said > count)
        said = -said;
    const cairn_vec3* given = API_OR_NULL(a, p);
    cairn_hull** place = API_OR_NULL(a, &hull);
    api_begin(a);
    bool made = api_end(a, cairn_hull_create(given, said, tolerance, place, a->said), API_NOTHING);
    if (made != (hull != NULL))
        api_broken(a, "a status that does not fit the hull");
    if (made && a->held.hull_count < api_most_data) {
        a->held.hulls[a->held.hull_count++] = hull;
        api_keep_shape(a, cairn_shape_hull(hull));
    } else {
        cairn_hull_destroy(hull);
    }
}

static void hull_destroy(api* a)
{
    static const cairn_vec3 corners[4] = {
        {0.0, 0.0, 0.0}, {1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    cairn_hull* hull = NULL;
    if (api_chance(a, 128))
        cairn_hull_create(corners, 4, 0.0, &hull, NULL);
    api_begin(a);
    cairn_hull_destroy(hull);
    api_end(a, CAIRN_OK, API_NOTHING);
}

// a wavy sheet of triangles; some indices are wrong and some triangles have no area
static int sheet(api* a, cairn_vec3* p, int* t)
{
    enum { side = 4 };
    double size = api_real(a, 0.3, 1.5), height = api_real(a, 0.0, 0.5);
    int count = 0;
    for (int i = 0; i < side * side; i++)
        p[i] = cairn_vec(size * (i % side - 1.5), size * (i / side - 1.5), height * (i * 7 % 3));
    for (int j = 0; j + 1 < side; j++)
        for (int i = 0; i + 1 < side; i++) {
            int k = j * side + i;
            int two[6] = {k, k + 1, k + side, k + 1, k + side + 1, k + side};
            memcpy(t + count, two, sizeof two);
            count += 6;
        }
    if (api_hostile(a))
        p[api_below(a, side * side)] = api_vec(a, -1.0, 1.0);
    if (api_hostile(a))
        t[api_below(a, count)] = api_int(a, -1, side * side);
    return count / 3;
}

static void mesh_create(api* a)
{
    cairn_vec3 p[16];
    int t[54];
    cairn_mesh* mesh = NULL;
    int count = sheet(a, p, t);
    cairn_mesh_def def = {p, 16, t, count};
    if (api_hostile(a))
        def.triangle_count = api_int(a, 0, count) > count ? -1 : 0;
    if (a->nulls && api_hostile(a))
        def.vertices = NULL;
    const cairn_mesh_def* given = API_OR_NULL(a, &def);
    cairn_mesh** place = API_OR_NULL(a, &mesh);
    api_begin(a);
    bool made = api_end(a, cairn_mesh_create(given, place, a->said), API_NOTHING);
    if (made && a->held.mesh_count < api_most_data) {
        a->held.meshes[a->held.mesh_count++] = mesh;
        api_keep_shape(a, cairn_shape_mesh(mesh));
    } else if (made) {
        cairn_mesh_destroy(mesh);
    }
}

static void mesh_destroy(api* a)
{
    api_begin(a);
    cairn_mesh_destroy(NULL);
    api_end(a, CAIRN_OK, API_NOTHING);
}

static void triangle_count(api* a)
{
    if (a->held.mesh_count == 0)
        return;
    int m = api_below(a, a->held.mesh_count);
    api_begin(a);
    int count = cairn_mesh_triangle_count(a->held.meshes[m]);
    api_end(a, CAIRN_OK, API_NOTHING);
    if (count < 0)
        api_broken(a, "%d triangles", count);
}

static void mesh_get_def(api* a)
{
    if (a->held.mesh_count == 0)
        return;
    int m = api_below(a, a->held.mesh_count);
    api_begin(a);
    cairn_mesh_def def = cairn_mesh_get_def(a->held.meshes[m]);
    api_end(a, CAIRN_OK, API_NOTHING);
    for (int i = 0; i < 3 * def.triangle_count; i++)
        if (def.triangles[i] < 0 || def.triangles[i] >= def.vertex_count)
            api_broken(a, "a triangle with vertex %d", def.triangles[i]);
}

static void field_get_def(api* a)
{
    if (a->held.field_count == 0)
        return;
    int f = api_below(a, a->held.field_count);
    api_begin(a);
    cairn_height_field_def def = cairn_height_field_get_def(a->held.fields[f]);
    api_end(a, CAIRN_OK, API_NOTHING);
    if (def.count_x < 2 || def.count_y < 2 || !def.heights)
        api_broken(a, "a field of %d x %d points", def.count_x, def.count_y);
}

static void field_create(api* a)
{
    double heights[25];
    cairn_height_field* field = NULL;
    cairn_height_field_def def = {5, 5, 0.0, 0.0, heights};
    def.spacing_x = api_real(a, 0.2, 1.0);
    def.spacing_y = api_real(a, 0.2, 1.0);
    double scale = api_real(a, 0.0, 0.5);
    for (int i = 0; i < 25; i++)
        heights[i] = scale * (i * 13 % 7) / 7.0;
    if (api_hostile(a))
        heights[api_below(a, 25)] = api_real(a, 0.0, 1.0);
    if (api_hostile(a)) {
        def.count_x = api_int(a, 0, 5);
        def.count_y = def.count_x > 5 ? 0 : 5;
    }
    const cairn_height_field_def* given = API_OR_NULL(a, &def);
    cairn_height_field** place = API_OR_NULL(a, &field);
    api_begin(a);
    bool made = api_end(a, cairn_height_field_create(given, place, a->said), API_NOTHING);
    if (made && a->held.field_count < api_most_data) {
        a->held.fields[a->held.field_count++] = field;
        api_keep_shape(a, cairn_shape_height_field(field));
    } else if (made) {
        cairn_height_field_destroy(field);
    }
}

static void field_destroy(api* a)
{
    api_begin(a);
    cairn_height_field_destroy(NULL);
    api_end(a, CAIRN_OK, API_NOTHING);
}

static void compound_create(api* a)
{
    cairn_shape parts[5];
    cairn_transform offsets[5];
    cairn_compound* compound = NULL;
    int count = 1 + api_below(a, 5);
    for (int i = 0; i < count; i++) {
        parts[i] = api_pick_shape(a);
        offsets[i] = api_pose(a);
        offsets[i].p = cairn_scale(0.3, offsets[i].p);
    }
    int said = api_hostile(a) ? api_int(a, 0, 1) : count;
    if (said > count)
        said = -said;
    const cairn_shape* given = API_OR_NULL(a, parts);
    const cairn_transform* at = API_OR_NULL(a, offsets);
    cairn_compound** place = API_OR_NULL(a, &compound);
    api_begin(a);
    bool made = api_end(a, cairn_compound_create(given, at, said, place, a->said), API_NOTHING);
    if (made && a->held.compound_count < api_most_data) {
        a->held.compounds[a->held.compound_count++] = compound;
        api_keep_shape(a, cairn_shape_compound(compound));
    } else if (made) {
        cairn_compound_destroy(compound);
    }
}

static void compound_destroy(api* a)
{
    api_begin(a);
    cairn_compound_destroy(NULL);
    api_end(a, CAIRN_OK, API_NOTHING);
}

// clang-format off: one line for each call
const api_call api_shape_calls[] = {
    {"cairn_shape_sphere", sphere, 2},
    {"cairn_shape_capsule", capsule, 2},
    {"cairn_shape_box", box, 2},
    {"cairn_shape_cylinder", cylinder, 2},
    {"cairn_shape_ellipsoid", ellipsoid, 2},
    {"cairn_shape_cone", cone, 2},
    {"cairn_shape_tapered_capsule", tapered_capsule, 2},
    {"cairn_shape_half_space", half_space, 2},
    {"cairn_shape_hull", of_hull, 2},
    {"cairn_shape_mesh", of_mesh, 2},
    {"cairn_shape_height_field", of_field, 2},
    {"cairn_shape_compound", of_compound, 2},
    {"cairn_shape_name", shape_name, 1},
    {"cairn_shape_check", shape_check, 1},
    {"cairn_shape_is_convex", is_convex, 1},
    {"cairn_shape_aabb", aabb, 1},
    {"cairn_shape_radius", radius, 1},
    {"cairn_overlap_allowed", overlap, 1},
    {"cairn_shape_mass", mass, 2},
    {"cairn_hull_create", hull_create, 4},
    {"cairn_hull_destroy", hull_destroy, 1},
    {"cairn_mesh_create", mesh_create, 3},
    {"cairn_mesh_destroy", mesh_destroy, 1},
    {"cairn_mesh_triangle_count", triangle_count, 1},
    {"cairn_mesh_get_def", mesh_get_def, 1},
    {"cairn_height_field_get_def", field_get_def, 1},
    {"cairn_height_field_create", field_create, 3},
    {"cairn_height_field_destroy", field_destroy, 1},
    {"cairn_compound_create", compound_create, 3},
    {"cairn_compound_destroy", compound_destroy, 1},
    {0},
};
// clang-format on
