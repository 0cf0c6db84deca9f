// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The GLB file: a header, the description as JSON and one buffer of numbers. The buffer holds the
// times, the keys of the tracks, then vertices and indices of the surfaces. glTF has the y axis up,
// so all bodies hang on one node that turns z to y. Source: The Khronos Group, glTF 2.0
// Specification, 2021.

#include "io/file.h"
#include "io/gltf/gltf.h"
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

enum {
    TYPE_FLOAT = 5126,
    TYPE_UNSIGNED_INT = 5125,
    TARGET_VERTICES = 34962,
    TARGET_INDICES = 34963,
    MATERIAL_COUNT = 7
};

/// What a material is to the eye.
typedef struct material {
    const char* name;
    double color[4], metallic, roughness;
} material;

// linear colors, in the order of cairn_look, then the ground and glass
static const material materials[MATERIAL_COUNT] = {
    {"plain", {0.36, 0.46, 0.53, 1.0}, 0.0, 0.7},  {"stone", {0.40, 0.38, 0.33, 1.0}, 0.0, 0.9},
    {"wood", {0.56, 0.32, 0.13, 1.0}, 0.0, 0.7},   {"steel", {0.55, 0.57, 0.59, 1.0}, 1.0, 0.35},
    {"rubber", {0.04, 0.05, 0.06, 1.0}, 0.0, 0.9}, {"ground", {0.50, 0.50, 0.48, 1.0}, 0.0, 1.0},
    {"glass", {0.70, 0.82, 0.85, 0.3}, 0.0, 0.1},
};

typedef struct writer {
    const cairn_gltf* g;
    cairn_page_bytes numbers;
    json_t *nodes, *meshes, *materials, *accessors, *views, *channels, *samplers;
    int *mesh_of, material_of[MATERIAL_COUNT]; // by surface and material; -1: none so far
    int* accessor_of;                          // of positions, by surface; -1: none so far
    bool starved;
} writer;

// ---------------------------------------------------------------- JSON

static void set(writer* w, json_t* object, const char* key, json_t* value)
{
    w->starved = json_object_set_new(object, key, value) != 0 || w->starved;
}

// gives the index
static int append(writer* w, json_t* list, json_t* value)
{
    w->starved = json_array_append_new(list, value) != 0 || w->starved;
    return (int)json_array_size(list) - 1;
}

static json_t* reals(writer* w, const float* x, int count)
{
    json_t* list = json_array();
    for (int i = 0; i < count; i++)
        append(w, list, json_real((double)x[i]));
    return list;
}

// names may be no UTF-8
static json_t* text(const char* name)
{
    json_t* value = json_string(name);
    return value ? value : json_string("?");
}

// an array is left out where it would be empty: glTF has none
static void set_list(writer* w, json_t* object, const char* key, json_t* list)
{
    if (json_array_size(list) > 0)
        set(w, object, key, json_incref(list));
}

// ---------------------------------------------------------------- the buffer

static size_t put_numbers(writer* w, const void* data, size_t size)
{
    size_t at = w->numbers.size;
    w->starved = !cairn_page_append(&w->numbers, data, size) || w->starved;
    return at;
}

static int add_view(writer* w, size_t at, size_t size, int stride, int target)
{
    json_t* view = json_object();
    set(w, view, "buffer", json_integer(0));
    set(w, view, "byteOffset", json_integer((json_int_t)at));
    set(w, view, "byteLength", json_integer((json_int_t)size));
    if (stride)
        set(w, view, "byteStride", json_integer(stride));
    if (target)
        set(w, view, "target", json_integer(target));
    return append(w, w->views, view);
}

static json_t* new_accessor(writer* w, int view, size_t offset, const char* type, size_t count)
{
    json_t* accessor = json_object();
    set(w, accessor, "bufferView", json_integer(view));
    set(w, accessor, "byteOffset", json_integer((json_int_t)offset));
    set(w, accessor, "componentType", json_integer(TYPE_FLOAT));
    set(w, accessor, "type", json_string(type));
    set(w, accessor, "count", json_integer((json_int_t)count));
    return accessor;
}

// floats that stand side by side
static int add_floats(writer* w, const float* data, size_t count, int width, const char* type)
{
    size_t size = count * (size_t)width * sizeof(float), at = put_numbers(w, data, size);
    return append(w, w->accessors, new_accessor(w, add_view(w, at, size, 0, 0), 0, type, count));
}

// glTF requires the bounds of an accessor of times
static int add_times(writer* w, const float* times, int count)
{
    int index = add_floats(w, times, (size_t)count, 1, "SCALAR");
    json_t* accessor = json_array_get(w->accessors, (size_t)index);
    set(w, accessor, "min", reals(w, times, 1));
    set(w, accessor, "max", reals(w, times + count - 1, 1));
    return index;
}

// ---------------------------------------------------------------- meshes

// positions and normals beside each other, then indices: three accessors in a row
static int surface_accessors(writer* w, int i)
{
    const gltf_surface* s = &w->g->surfaces[i];
    if (w->accessor_of[i] >= 0)
        return w->accessor_of[i];
    int vertices = add_view(w, put_numbers(w, s->vertices.data, s->vertices.size), s->vertices.size,
                            6 * (int)sizeof(float), TARGET_VERTICES);
    int indices = add_view(w, put_numbers(w, s->triangles.data, s->triangles.size),
                           s->triangles.size, 0, TARGET_INDICES);

    json_t* positions = new_accessor(w, vertices, 0, "VEC3", s->vertex_count);
    set(w, positions, "min", reals(w, s->lo, 3));
    set(w, positions, "max", reals(w, s->hi, 3));
    w->accessor_of[i] = append(w, w->accessors, positions);
    append(w, w->accessors, new_accessor(w, vertices, 3 * sizeof(float), "VEC3", s->vertex_count));
    json_t* triangles = new_accessor(w, indices, 0, "SCALAR", s->triangles.size / sizeof(uint32_t));
    set(w, triangles, "componentType", json_integer(TYPE_UNSIGNED_INT));
    append(w, w->accessors, triangles);
    return w->accessor_of[i];
}

static int find_material(writer* w, int i)
{
    const material* m = &materials[i];
    if (w->material_of[i] >= 0)
        return w->material_of[i];

    json_t *all = json_object(), *look = json_object(), *color = json_array();
    for (int k = 0; k < 4; k++)
        append(w, color, json_real(m->color[k]));
    set(w, look, "baseColorFactor", color);
    set(w, look, "metallicFactor", json_real(m->metallic));
    set(w, look, "roughnessFactor", json_real(m->roughness));

    set(w, all, "name", json_string(m->name));
    set(w, all, "pbrMetallicRoughness", look);
    if (m->color[3] < 1.0)
        set(w, all, "alphaMode", json_string("BLEND"));

    w->material_of[i] = append(w, w->materials, all);
    return w->material_of[i];
}

static int find_mesh(writer* w, const gltf_track* t)
{
    int* known = &w->mesh_of[t->surface * MATERIAL_COUNT + t->material];
    if (*known >= 0)
        return *known;

    int first = surface_accessors(w, t->surface);
    json_t *mesh = json_object(), *list = json_array();
    json_t *part = json_object(), *attributes = json_object();

    set(w, attributes, "POSITION", json_integer(first));
    set(w, attributes, "NORMAL", json_integer(first + 1));
    set(w, part, "attributes", attributes);
    set(w, part, "indices", json_integer(first + 2));
    set(w, part, "material", json_integer(find_material(w, t->material)));

    append(w, list, part);
    set(w, mesh, "primitives", list);
    *known = append(w, w->meshes, mesh);
    return *known;
}

// ---------------------------------------------------------------- the animation

static void add_channel(writer* w, int node, const char* path, int times, int values)
{
    json_t *sampler = json_object(), *channel = json_object(), *target = json_object();
    set(w, sampler, "input", json_integer(times));
    set(w, sampler, "output", json_integer(values));
    set(w, sampler, "interpolation", json_string(strcmp(path, "scale") == 0 ? "STEP" : "LINEAR"));
    set(w, target, "node", json_integer(node));
    set(w, target, "path", json_string(path));
    set(w, channel, "sampler", json_integer(append(w, w->samplers, sampler)));
    set(w, channel, "target", target);
    append(w, w->channels, channel);
}

// the part of the keys from column `first` on
static int add_keys(writer* w, const gltf_track* t, int first, int width, const char* type)
{
    float* part = malloc((size_t)t->count * (size_t)width * sizeof *part);
    if (!part) {
        w->starved = true;
        return 0;
    }
    for (int i = 0; i < t->count; i++)
        memcpy(part + (size_t)i * (size_t)width, t->keys + (size_t)i * gltf_key_size + first,
               (size_t)width * sizeof *part);
    int index = add_floats(w, part, (size_t)t->count, width, type);
    free(part);
    return index;
}

// a body that comes later or goes before the end has no size while it is away
static void add_presence(writer* w, const gltf_track* t, int node, const float* times)
{
    float when[3], sizes[9] = {0.0f};
    int count = 0, end = t->first + t->count;
    if (t->first > 0)
        when[count++] = times[0];
    for (int k = 0; k < 3; k++)
        sizes[3 * count + k] = 1.0f;
    when[count++] = times[t->first];
    if (end < w->g->kept)
        when[count++] = times[end];
    if (count > 1)
        add_channel(w, node, "scale", add_times(w, when, count),
                    add_floats(w, sizes, (size_t)count, 3, "VEC3"));
}

static void add_node(writer* w, const gltf_track* t, const float* times, int* all_times)
{
    json_t* node = json_object();
    set(w, node, "name", text(t->name));
    set(w, node, "translation", reals(w, t->keys, 3));
    set(w, node, "rotation", reals(w, t->keys + 3, 4));
    if (t->surface >= 0)
        set(w, node, "mesh", json_integer(find_mesh(w, t)));
    int index = append(w, w->nodes, node);
    add_presence(w, t, index, times);
    if (!t->moved || t->count < 2)
        return;

    // bodies that are there from the first to the last frame share their times
    int own = *all_times;
    if (t->count < w->g->kept)
        own = add_times(w, times + t->first, t->count);
    else if (own < 0)
        own = *all_times = add_times(w, times, t->count);
    add_channel(w, index, "translation", own, add_keys(w, t, 0, 3, "VEC3"));
    add_channel(w, index, "rotation", own, add_keys(w, t, 3, 4, "VEC4"));
}

// ---------------------------------------------------------------- the file

static void add_nodes(writer* w, const float* times)
{
    const float upright[4] = {-0.70710678f, 0.0f, 0.0f, 0.70710678f};
    const char* name = w->g->name && w->g->name[0] ? w->g->name : "cairn";
    json_t *root = json_object(), *children = json_array();
    int all_times = -1;
    set(w, root, "name", text(name));
    set(w, root, "rotation", reals(w, upright, 4));
    append(w, w->nodes, root);
    for (int i = 0; i < w->g->track_count && !w->starved; i++)
        if (w->g->tracks[i].count > 0) {
            append(w, children, json_integer((json_int_t)json_array_size(w->nodes)));
            add_node(w, &w->g->tracks[i], times, &all_times);
        }
    set_list(w, root, "children", children);
    json_decref(children);
}

static json_t* describe(writer* w)
{
    char maker[64];
    json_t *all = json_object(), *asset = json_object(), *scene = json_object();
    json_t *scenes = json_array(), *first = json_array(), *buffers = json_array();

    // one scene, whose first node holds all others
    snprintf(maker, sizeof maker, "cairn %s", cairn_version());
    set(w, asset, "version", json_string("2.0"));
    set(w, asset, "generator", json_string(maker));
    append(w, first, json_integer(0));
    set(w, scene, "nodes", first);
    append(w, scenes, scene);

    set(w, all, "asset", asset);
    set(w, all, "scene", json_integer(0));
    set(w, all, "scenes", scenes);
    set_list(w, all, "nodes", w->nodes);
    set_list(w, all, "meshes", w->meshes);
    set_list(w, all, "materials", w->materials);
    set_list(w, all, "accessors", w->accessors);
    set_list(w, all, "bufferViews", w->views);

    if (json_array_size(w->channels) > 0) {
        json_t *animation = json_object(), *animations = json_array();
        set(w, animation, "name", json_string("run"));
        set_list(w, animation, "channels", w->channels);
        set_list(w, animation, "samplers", w->samplers);
        append(w, animations, animation);
        set(w, all, "animations", animations);
    }

    // the buffer without a name is the binary chunk of the file
    if (w->numbers.size > 0) {
        json_t* buffer = json_object();
        set(w, buffer, "byteLength", json_integer((json_int_t)w->numbers.size));
        append(w, buffers, buffer);
        set_list(w, all, "buffers", buffers);
    }

    json_decref(buffers);
    return all;
}

static void put_word(cairn_page_bytes* file, size_t word, bool* starved)
{
    unsigned char bytes[4];
    for (int k = 0; k < 4; k++)
        bytes[k] = (unsigned char)(word >> (8 * k));
    *starved = !cairn_page_append(file, bytes, 4) || *starved;
}

// a length, a kind, and the bytes up to a multiple of four
static void put_chunk(cairn_page_bytes* file, const char* kind, const void* data, size_t size,
                      char filler, bool* starved)
{
    const char fill[4] = {filler, filler, filler, filler};
    size_t more = (4 - size % 4) % 4;
    put_word(file, size + more, starved);
    *starved = !cairn_page_append(file, kind, 4) || !cairn_page_append(file, data, size) ||
               !cairn_page_append(file, fill, more) || *starved;
}

static cairn_status put_file(writer* w, const char* path, bool force, cairn_error* error)
{
    cairn_page_bytes file = {0};

    // a GLB file: a head of 12 bytes, the JSON, and the numbers, each chunk with a head of 8 bytes
    json_t* all = describe(w);
    char* json = w->starved ? NULL : json_dumps(all, JSON_COMPACT);
    json_decref(all);
    w->starved = w->starved || !json;
    size_t length = json ? strlen(json) : 0, chunks = w->numbers.size > 0 ? 2 : 1;
    size_t size = 12 + 8 * chunks + (length + 3) / 4 * 4 + w->numbers.size;

    cairn_status status = CAIRN_OK;
    if (size > UINT32_MAX)
        status = cairn_fail(error, CAIRN_BAD_INPUT,
                            "%.200s would have %zu bytes, expected less than 4 GiB in a GLB file",
                            path, size);

    if (status == CAIRN_OK && !w->starved) {
        w->starved = !cairn_page_append(&file, "glTF", 4);
        put_word(&file, 2, &w->starved);
        put_word(&file, size, &w->starved);
        put_chunk(&file, "JSON", json, length, ' ', &w->starved);
        if (chunks == 2)
            put_chunk(&file, "BIN\0", w->numbers.data, w->numbers.size, 0, &w->starved);
    }

    if (status == CAIRN_OK && w->starved)
        status = cairn_fail(error, CAIRN_NO_MEMORY, "no memory for a glTF file");
    if (status == CAIRN_OK)
        status = cairn_file_write(path, file.data, file.size, force, error);

    free(json);
    cairn_page_bytes_destroy(&file);
    return status;
}

static bool prepare(writer* w)
{
    const cairn_gltf* g = w->g;
    size_t count = (size_t)g->surface_count;
    json_t** lists[] = {&w->nodes, &w->meshes,   &w->materials, &w->accessors,
                        &w->views, &w->channels, &w->samplers};

    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
        *lists[i] = json_array();
    for (int i = 0; i < MATERIAL_COUNT; i++)
        w->material_of[i] = -1;

    w->accessor_of = malloc((count + 1) * sizeof *w->accessor_of);
    w->mesh_of = malloc((count + 1) * MATERIAL_COUNT * sizeof *w->mesh_of);
    for (size_t i = 0; i < count && w->accessor_of; i++)
        w->accessor_of[i] = -1;
    for (size_t i = 0; i < count * MATERIAL_COUNT && w->mesh_of; i++)
        w->mesh_of[i] = -1;

    return w->accessor_of && w->mesh_of;
}

static void release(writer* w)
{
    json_t* lists[] = {w->nodes, w->meshes,   w->materials, w->accessors,
                       w->views, w->channels, w->samplers};
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
        json_decref(lists[i]);
    free(w->accessor_of);
    free(w->mesh_of);
    cairn_page_bytes_destroy(&w->numbers);
}

cairn_status cairn_gltf_write(const cairn_gltf* gltf, const char* path, bool force,
                              cairn_error* error)
{
    if (!gltf || !path)
        return cairn_refuse_null(error, "the glTF file or its path");
    cairn_status status = cairn_file_may_write(path, force, error);
    if (status != CAIRN_OK)
        return status;

    writer w = {.g = gltf};
    float* times = malloc(((size_t)gltf->kept + 1) * sizeof *times);
    w.starved = !prepare(&w) || !times;

    for (int i = 0; i < gltf->kept && times; i++)
        times[i] = (float)((double)i * gltf->every * gltf->dt);
    if (!w.starved)
        add_nodes(&w, times);

    status = put_file(&w, path, force, error);
    free(times);
    release(&w);
    return status;
}
