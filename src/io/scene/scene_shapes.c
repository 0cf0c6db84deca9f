// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Shapes of a scene file. Lengths are full lengths, as a person measures them. Hulls, meshes,
// height fields and compounds are built once and belong to the scene.

#include "io/scene/scene.h"
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------- data of the scene

void cairn_scene_keep(const cairn_node* node, void* data, void (*destroy)(void*))
{
    cairn_scene* scene = node->reader->scene;
    if (scene->data_count == scene->data_capacity) {
        int capacity = scene->data_capacity ? 2 * scene->data_capacity : 16;
        cairn_scene_data* grown = realloc(scene->data, (size_t)capacity * sizeof *grown);
        if (!grown) {
            destroy(data);
            cairn_node_starve(node);
            return;
        }
        scene->data = grown;
        scene->data_capacity = capacity;
    }
    scene->data[scene->data_count++] = (cairn_scene_data){data, destroy};
}

static void destroy_hull(void* data)
{
    cairn_hull_destroy(data);
}

static void destroy_mesh(void* data)
{
    cairn_mesh_destroy(data);
}

static void destroy_field(void* data)
{
    cairn_height_field_destroy(data);
}

static void destroy_compound(void* data)
{
    cairn_compound_destroy(data);
}

// what stands for a shape after a complaint
static cairn_shape nothing(void)
{
    return cairn_shape_sphere(1.0);
}

cairn_shape cairn_scene_hull(const cairn_node* node, const cairn_vec3* points, int count)
{
    cairn_hull* hull = NULL;
    cairn_error error;
    if (!cairn_node_ok(node))
        return nothing();
    cairn_status status = cairn_hull_create(points, count, 0.0, &hull, &error);
    if (status != CAIRN_OK) {
        cairn_node_blame(node, status, &error);
        return nothing();
    }
    cairn_scene_keep(node, hull, destroy_hull);
    return cairn_node_ok(node) ? cairn_shape_hull(hull) : nothing();
}

cairn_shape cairn_scene_compound(const cairn_node* node, const cairn_shape* parts,
                                 const cairn_transform* offsets, int count)
{
    cairn_compound* compound = NULL;
    cairn_error error;
    if (!cairn_node_ok(node))
        return nothing();
    cairn_status status = cairn_compound_create(parts, offsets, count, &compound, &error);
    if (status != CAIRN_OK) {
        cairn_node_blame(node, status, &error);
        return nothing();
    }
    cairn_scene_keep(node, compound, destroy_compound);
    return cairn_node_ok(node) ? cairn_shape_compound(compound) : nothing();
}

cairn_shape cairn_scene_sector(const cairn_node* node, double inner, double outer, double height,
                               double angle)
{
    cairn_vec3 points[8];
    double middle = 0.5 * (inner + outer);
    if (cairn_node_ok(node) && !(inner < outer && angle < 3.1))
        cairn_node_fail(node, "is not a part of a ring, expected inner < outer and less than half "
                              "a turn");
    for (int i = 0; i < 8; i++) {
        double r = i & 1 ? outer : inner, a = i & 2 ? 0.5 * angle : -0.5 * angle;
        points[i] = cairn_vec(r * cairn_cos(a) - middle, r * cairn_sin(a),
                              i & 4 ? 0.5 * height : -0.5 * height);
    }
    return cairn_scene_hull(node, points, 8);
}

// ---------------------------------------------------------------- lists of numbers

// the vectors of a list; NULL when there are none
static cairn_vec3* read_points(const cairn_node* node, const char* key, int* count)
{
    cairn_node list;
    *count = 0;
    if (!cairn_node_need(&list, node, key))
        return NULL;
    *count = cairn_node_count(&list);
    cairn_vec3* points = calloc((size_t)*count + 1, sizeof *points);
    if (!points)
        cairn_node_starve(&list);
    for (int i = 0; points && i < *count; i++) {
        cairn_node item = cairn_node_item(&list, i);
        points[i] = cairn_node_triple(&item);
    }
    return points;
}

// a mesh that the scene keeps
static cairn_shape keep_mesh(const cairn_node* node, const cairn_mesh_def* def)
{
    cairn_mesh* mesh = NULL;
    cairn_error error;
    cairn_status status = cairn_mesh_create(def, &mesh, &error);
    if (status == CAIRN_OK)
        cairn_scene_keep(node, mesh, destroy_mesh);
    else
        cairn_node_blame(node, status, &error);
    return cairn_node_ok(node) ? cairn_shape_mesh(mesh) : nothing();
}

static void free_def(cairn_mesh_def* def)
{
    free((void*)def->vertices);
    free((void*)def->triangles);
}

static cairn_shape read_mesh_file(const cairn_node* node)
{
    cairn_mesh_def def;
    cairn_shape shape = cairn_scene_load(&def, node) ? keep_mesh(node, &def) : nothing();
    free_def(&def);
    return shape;
}

static cairn_shape read_hull_file(const cairn_node* node)
{
    cairn_mesh_def def;
    cairn_shape shape = cairn_scene_load(&def, node)
                            ? cairn_scene_hull(node, def.vertices, def.vertex_count)
                            : nothing();
    free_def(&def);
    return shape;
}

static cairn_shape read_hull(const cairn_node* node)
{
    int count;
    cairn_node file;
    if (cairn_node_child(&file, node, "file"))
        return read_hull_file(node);
    cairn_vec3* points = read_points(node, "points", &count);
    cairn_shape shape = points ? cairn_scene_hull(node, points, count) : nothing();
    free(points);
    return shape;
}

static cairn_shape read_mesh(const cairn_node* node)
{
    cairn_mesh_def def = {0};
    cairn_shape shape = nothing();
    int count;
    cairn_node file;
    if (cairn_node_child(&file, node, "file"))
        return read_mesh_file(node);

    // indices are read as points, then checked to be whole numbers
    cairn_vec3* corners = read_points(node, "triangles", &count);
    int* triangles = calloc(3 * (size_t)count + 1, sizeof *triangles);
    if (!triangles)
        cairn_node_starve(node);
    for (int i = 0; corners && triangles && i < count; i++) {
        const double corner[3] = {corners[i].x, corners[i].y, corners[i].z};
        for (int k = 0; k < 3; k++) {
            cairn_node list, item;
            cairn_node_child(&list, node, "triangles");
            item = cairn_node_item(&list, i);
            if (cairn_node_ok(node) &&
                !(corner[k] >= 0.0 && corner[k] < 1e9 && corner[k] == floor(corner[k])))
                cairn_node_fail(&item, "is not a triangle, expected three indices of vertices");
            triangles[3 * (ptrdiff_t)i + k] = cairn_node_ok(node) ? (int)corner[k] : 0;
        }
    }

    def.triangles = triangles;
    def.triangle_count = count;
    cairn_vec3* vertices = read_points(node, "vertices", &def.vertex_count);
    def.vertices = vertices;

    // the mesh itself checks that the indices are those of vertices
    if (cairn_node_ok(node) && corners && triangles && vertices)
        shape = keep_mesh(node, &def);

    free(corners);
    free(triangles);
    free(vertices);
    return shape;
}

static cairn_shape read_height_field(const cairn_node* node)
{
    cairn_height_field_def def = {.count_x = cairn_node_integer(node, "count_x", 2, 2, 10000),
                                  .count_y = cairn_node_integer(node, "count_y", 2, 2, 10000),
                                  .spacing_x =
                                      cairn_node_real(node, "spacing", 1.0, CAIRN_ABOVE_0)};
    cairn_height_field* field = NULL;
    cairn_error error;
    cairn_node list;

    def.spacing_y = def.spacing_x;
    if (!cairn_node_need(&list, node, "heights"))
        return nothing();

    int count = cairn_node_count(&list);
    if (cairn_node_ok(node) && count != def.count_x * def.count_y)
        cairn_node_fail(&list, "has %d numbers, expected count_x count_y = %d", count,
                        def.count_x * def.count_y);

    // heights are copied by the field, which the scene keeps
    double* heights = calloc((size_t)count + 1, sizeof *heights);
    if (!heights)
        cairn_node_starve(node);
    for (int i = 0; heights && i < count; i++) {
        cairn_node item = cairn_node_item(&list, i);
        heights[i] = cairn_node_number(&item, CAIRN_ANY);
    }

    def.heights = heights;
    if (cairn_node_ok(node) && heights) {
        cairn_status status = cairn_height_field_create(&def, &field, &error);
        if (status == CAIRN_OK)
            cairn_scene_keep(node, field, destroy_field);
        else
            cairn_node_blame(node, status, &error);
    }

    free(heights);
    return cairn_node_ok(node) && field ? cairn_shape_height_field(field) : nothing();
}

// ---------------------------------------------------------------- compounds

static cairn_shape read_compound(const cairn_node* node)
{
    static const char* const keys[] = {"shape", "at", "turn", "quaternion", NULL};
    cairn_node list;
    if (!cairn_node_need(&list, node, "parts"))
        return nothing();

    int count = cairn_node_count(&list);
    cairn_shape* parts = calloc((size_t)count + 1, sizeof *parts);
    cairn_transform* offsets = calloc((size_t)count + 1, sizeof *offsets);
    if (!parts || !offsets)
        cairn_node_starve(node);

    for (int i = 0; i < count && cairn_node_ok(node); i++) {
        cairn_node item = cairn_node_item(&list, i), shape;
        if (!cairn_node_allow(&item, keys, NULL) || !cairn_node_need(&shape, &item, "shape"))
            break;
        parts[i] = cairn_read_shape(&shape);
        offsets[i] = cairn_node_pose(&item);
    }

    cairn_shape out = cairn_scene_compound(node, parts, offsets, count);
    free(parts);
    free(offsets);
    return out;
}

// ---------------------------------------------------------------- kinds

static double need_length(const cairn_node* node, const char* key, cairn_bound bound)
{
    cairn_node child;
    return cairn_node_need(&child, node, key) ? cairn_node_number(&child, bound) : 1.0;
}

static cairn_shape read_sphere(const cairn_node* node)
{
    return cairn_shape_sphere(need_length(node, "radius", CAIRN_ABOVE_0));
}

// half of "size"
static cairn_vec3 need_half(const cairn_node* node)
{
    cairn_node size;
    if (!cairn_node_need(&size, node, "size"))
        return cairn_vec(1.0, 1.0, 1.0);
    cairn_vec3 full = cairn_node_triple(&size);
    if (cairn_node_ok(node) && !(full.x > 0.0 && full.y > 0.0 && full.z > 0.0))
        cairn_node_fail(&size, "is [%g, %g, %g], expected three lengths > 0", full.x, full.y,
                        full.z);
    return cairn_scale(0.5, full);
}

static cairn_shape read_box(const cairn_node* node)
{
    return cairn_shape_box(need_half(node));
}

static cairn_shape read_capsule(const cairn_node* node)
{
    return cairn_shape_capsule(need_length(node, "radius", CAIRN_ABOVE_0),
                               0.5 * need_length(node, "length", CAIRN_AT_LEAST_0));
}

static cairn_shape read_cylinder(const cairn_node* node)
{
    return cairn_shape_cylinder(need_length(node, "radius", CAIRN_ABOVE_0),
                                0.5 * need_length(node, "height", CAIRN_ABOVE_0));
}

static cairn_shape read_ellipsoid(const cairn_node* node)
{
    return cairn_shape_ellipsoid(need_half(node));
}

static cairn_shape read_cone(const cairn_node* node)
{
    return cairn_shape_cone(need_length(node, "radius", CAIRN_ABOVE_0),
                            0.5 * need_length(node, "height", CAIRN_ABOVE_0));
}

static cairn_shape read_tapered_capsule(const cairn_node* node)
{
    double radius = need_length(node, "radius", CAIRN_ABOVE_0);
    double top = need_length(node, "top_radius", CAIRN_ABOVE_0);
    return cairn_shape_tapered_capsule(radius, top,
                                       0.5 * need_length(node, "length", CAIRN_ABOVE_0));
}

static cairn_shape read_half_space(const cairn_node* node)
{
    (void)node;
    return cairn_shape_half_space();
}

static cairn_shape read_sector(const cairn_node* node)
{
    double inner = need_length(node, "inner", CAIRN_ABOVE_0);
    double outer = need_length(node, "outer", CAIRN_ABOVE_0);
    double height = need_length(node, "height", CAIRN_ABOVE_0);
    double degrees = need_length(node, "degrees", CAIRN_ABOVE_0);
    return cairn_scene_sector(node, inner, outer, height, degrees * 0.017453292519943295);
}

typedef struct shape_kind {
    const char* name;
    const char* keys[6];
    cairn_shape (*read)(const cairn_node* node);
} shape_kind;

static const shape_kind kinds[] = {
    {"sphere", {"kind", "radius"}, read_sphere},
    {"box", {"kind", "size"}, read_box},
    {"capsule", {"kind", "radius", "length"}, read_capsule},
    {"cylinder", {"kind", "radius", "height"}, read_cylinder},
    {"ellipsoid", {"kind", "size"}, read_ellipsoid},
    {"cone", {"kind", "radius", "height"}, read_cone},
    {"tapered_capsule", {"kind", "radius", "top_radius", "length"}, read_tapered_capsule},
    {"half_space", {"kind"}, read_half_space},
    {"hull", {"kind", "points", "file", "scale"}, read_hull},
    {"mesh", {"kind", "vertices", "triangles", "file", "scale"}, read_mesh},
    {"height_field", {"kind", "count_x", "count_y", "spacing", "heights"}, read_height_field},
    {"compound", {"kind", "parts"}, read_compound},
    {"sector", {"kind", "inner", "outer", "height", "degrees"}, read_sector},
    {"revolve", {"kind", "segments", "pieces"}, cairn_read_revolve}};

enum { kind_count = sizeof kinds / sizeof kinds[0] };

static cairn_shape named_shape(const cairn_node* node)
{
    const cairn_reader* reader = node->reader;
    const char* name = json_string_value(node->value);
    for (int i = 0; i < reader->shape_count; i++)
        if (strcmp(reader->shape_names[i], name) == 0)
            return reader->shapes[i];
    cairn_node_fail(node, "is '%.60s', expected the name of one of \"shapes\" or an object", name);
    return nothing();
}

cairn_shape cairn_read_shape(const cairn_node* node)
{
    const char* names[kind_count];
    cairn_node kind;
    cairn_error error;
    if (!cairn_node_ok(node))
        return nothing();

    // a name stands for a shape of the list
    if (json_is_string(node->value))
        return named_shape(node);
    if (!json_is_object(node->value))
        cairn_node_fail(node,
                        "is not a shape, expected an object or the name of one of \"shapes\"");

    if (!cairn_node_need(&kind, node, "kind"))
        return nothing();

    for (int i = 0; i < kind_count; i++)
        names[i] = kinds[i].name;
    int k = cairn_node_choice(node, "kind", names, kind_count, 0);
    if (!cairn_node_allow(node, kinds[k].keys, NULL))
        return nothing();

    cairn_shape shape = kinds[k].read(node);
    if (!cairn_node_ok(node))
        return nothing();

    // a shape that can be read may still be impossible
    cairn_status status = cairn_shape_check(&shape, &error);
    if (status != CAIRN_OK)
        cairn_node_blame(node, status, &error);
    return shape;
}
