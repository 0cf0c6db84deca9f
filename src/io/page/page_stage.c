// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// A stage as JSON for the page: shapes that are equal are written once, however many bodies have
// them; hulls, meshes and compounds with all of their triangles. docs/page-format.md.

#include "io/page/page.h"
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/// The shapes that were written, found by what is in them.
typedef struct shape_book {
    bool failed; ///< there was no memory for something
    json_t* list;
    cairn_shape* shapes;
    int count, capacity;
    int* slots; ///< shape + 1 by hash, 0: free
    int slot_count;
} shape_book;

// ---------------------------------------------------------------- values

// a failure is remembered, so that nothing is left out silently
static void append(shape_book* book, json_t* list, json_t* value)
{
    if (json_array_append_new(list, value) != 0)
        book->failed = true;
}

static void set(shape_book* book, json_t* object, const char* key, json_t* value)
{
    if (json_object_set_new(object, key, value) != 0)
        book->failed = true;
}

// text from outside may be no UTF-8
static json_t* text_json(const char* text)
{
    json_t* value = json_string(text ? text : "");
    if (value || !text)
        return value;
    char* ascii = strdup(text);
    bool plain = true;
    for (char* c = ascii; c && *c; c++) {
        plain = plain && (unsigned char)*c < 128;
        *c = (unsigned char)*c < 128 ? *c : '?';
    }

    // a plain text was refused for want of memory
    value = ascii && !plain ? json_string(ascii) : NULL;
    free(ascii);
    return value;
}

static json_t* real_json(double x)
{
    return isfinite(x) ? json_real(x) : json_null();
}

static void append_vector(shape_book* book, json_t* list, cairn_vec3 v)
{
    append(book, list, real_json(v.x));
    append(book, list, real_json(v.y));
    append(book, list, real_json(v.z));
}

static json_t* vector_json(shape_book* book, cairn_vec3 v)
{
    json_t* list = json_array();
    append_vector(book, list, v);
    return list;
}

static json_t* transform_json(shape_book* book, cairn_transform x)
{
    json_t* list = vector_json(book, x.p);
    append(book, list, real_json(x.q.w));
    append_vector(book, list, cairn_vec(x.q.x, x.q.y, x.q.z));
    return list;
}

static void append_triangle(shape_book* book, json_t* list, int a, int b, int c)
{
    append(book, list, json_integer(a));
    append(book, list, json_integer(b));
    append(book, list, json_integer(c));
}

// ---------------------------------------------------------------- shapes, each once

// only what belongs to the kind, and zeros
static cairn_shape plain_shape(const cairn_shape* shape)
{
    cairn_shape s;
    memset(&s, 0, sizeof s);
    s.kind = shape->kind;
    switch (shape->kind) {
    case CAIRN_SHAPE_SPHERE:
        s.radius = shape->radius;
        break;
    case CAIRN_SHAPE_CAPSULE:
    case CAIRN_SHAPE_CYLINDER:
    case CAIRN_SHAPE_CONE:
        s.radius = shape->radius;
        s.half_height = shape->half_height;
        break;
    case CAIRN_SHAPE_TAPERED_CAPSULE:
        s.radius = shape->radius;
        s.half_height = shape->half_height;
        s.top_radius = shape->top_radius;
        break;
    case CAIRN_SHAPE_BOX:
    case CAIRN_SHAPE_ELLIPSOID:
        s.half = shape->half;
        break;
    default:
        s.data = shape->data;
        break;
    }
    return s;
}

static bool same_shape(const cairn_shape* a, const cairn_shape* b)
{
    return a->kind == b->kind && a->radius == b->radius && a->half_height == b->half_height &&
           a->half.x == b->half.x && a->half.y == b->half.y && a->half.z == b->half.z &&
           a->data.hull == b->data.hull;
}

static uint64_t mix(uint64_t hash, double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    hash = (hash ^ bits) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ (hash >> 29);
}

static uint64_t hash_shape(const cairn_shape* s)
{
    uint64_t hash = mix(UINT64_C(1469598103934665603), s->radius);
    hash = mix(mix(hash, s->half_height), s->half.x);
    hash = mix(mix(hash, s->half.y), s->half.z);
    return mix(hash, (double)(uintptr_t)s->data.hull + (double)s->kind);
}

static bool grow_book(shape_book* book)
{
    int capacity = book->capacity ? 2 * book->capacity : 64;
    cairn_shape* shapes = realloc(book->shapes, (size_t)capacity * sizeof *shapes);
    int* slots = calloc((size_t)capacity * 2, sizeof *slots);

    // the old table is kept when there is no memory for a larger one
    if (shapes)
        book->shapes = shapes;
    if (!shapes || !slots) {
        free(slots);
        return false;
    }
    free(book->slots);
    book->capacity = capacity;
    book->slots = slots;
    book->slot_count = 2 * capacity;

    // open addressing: the hash gives the slot, a taken one the next; 0 is free
    for (int i = 0; i < book->count; i++) {
        uint64_t at = hash_shape(&book->shapes[i]) % (uint64_t)book->slot_count;
        while (slots[at])
            at = (at + 1) % (uint64_t)book->slot_count;
        slots[at] = i + 1;
    }
    return true;
}

static json_t* hull_json(shape_book* book, json_t* out, const cairn_hull* hull)
{
    json_t *vertices = json_array(), *triangles = json_array();
    for (int i = 0; i < hull->vertex_count; i++)
        append_vector(book, vertices, hull->vertices[i]);
    // a fan over each face
    for (int f = 0; f < hull->face_count; f++) {
        const cairn_hull_edge* edge = hull->edges + hull->faces[f].edge;
        for (int k = 1; k + 1 < hull->faces[f].edge_count; k++)
            append_triangle(book, triangles, edge[0].origin, edge[k].origin, edge[k + 1].origin);
    }
    set(book, out, "vertices", vertices);
    set(book, out, "triangles", triangles);
    return out;
}

static json_t* mesh_json(shape_book* book, json_t* out, const cairn_mesh* given)
{
    cairn_mesh_def def = cairn_mesh_get_def(given), *mesh = &def;
    json_t *vertices = json_array(), *triangles = json_array();
    for (int i = 0; i < mesh->vertex_count; i++)
        append_vector(book, vertices, mesh->vertices[i]);
    for (int i = 0; i < mesh->triangle_count; i++)
        append_triangle(book, triangles, mesh->triangles[3 * i], mesh->triangles[3 * i + 1],
                        mesh->triangles[3 * i + 2]);
    set(book, out, "vertices", vertices);
    set(book, out, "triangles", triangles);
    return out;
}

static json_t* field_json(shape_book* book, json_t* out, const cairn_height_field* given)
{
    cairn_height_field_def def = cairn_height_field_get_def(given), *field = &def;
    json_t* heights = json_array();
    for (int i = 0; i < field->count_x * field->count_y; i++)
        append(book, heights, real_json(field->heights[i]));
    set(book, out, "count_x", json_integer(field->count_x));
    set(book, out, "count_y", json_integer(field->count_y));
    set(book, out, "spacing", json_pack("[f,f]", field->spacing_x, field->spacing_y));
    set(book, out, "heights", heights);
    return out;
}

static int find_shape(shape_book* book, const cairn_shape* shape);

static json_t* compound_json(json_t* out, const cairn_compound* compound, shape_book* book)
{
    json_t* parts = json_array();
    for (int i = 0; i < compound->count; i++) {
        json_t* part = json_object();
        set(book, part, "shape", json_integer(find_shape(book, &compound->parts[i])));
        set(book, part, "offset", transform_json(book, compound->offsets[i]));
        append(book, parts, part);
    }
    set(book, out, "parts", parts);
    return out;
}

static json_t* shape_json(const cairn_shape* s, shape_book* book)
{
    json_t* out = json_object();
    set(book, out, "kind", json_string(cairn_shape_name(s->kind)));

    switch (s->kind) {
    case CAIRN_SHAPE_SPHERE:
        set(book, out, "radius", real_json(s->radius));
        return out;
    case CAIRN_SHAPE_TAPERED_CAPSULE:
        set(book, out, "top_radius", real_json(s->top_radius));
        // fall through
    case CAIRN_SHAPE_CAPSULE:
    case CAIRN_SHAPE_CYLINDER:
    case CAIRN_SHAPE_CONE:
        set(book, out, "radius", real_json(s->radius));
        set(book, out, "half_height", real_json(s->half_height));
        return out;
    case CAIRN_SHAPE_BOX:
    case CAIRN_SHAPE_ELLIPSOID:
        set(book, out, "half", vector_json(book, s->half));
        return out;

    case CAIRN_SHAPE_HULL:
        return hull_json(book, out, s->data.hull);
    case CAIRN_SHAPE_MESH:
        return mesh_json(book, out, s->data.mesh);
    case CAIRN_SHAPE_HEIGHT_FIELD:
        return field_json(book, out, s->data.field);
    case CAIRN_SHAPE_COMPOUND:
        return compound_json(out, s->data.compound, book);
    default:
        return out;
    }
}

// the number of a shape, written when it is new; -1 when there is no memory
static int find_shape(shape_book* book, const cairn_shape* shape)
{
    cairn_shape s = plain_shape(shape);
    if (book->count == book->capacity && !grow_book(book)) {
        book->failed = true;
        return -1;
    }
    uint64_t at = hash_shape(&s) % (uint64_t)book->slot_count;
    for (; book->slots[at]; at = (at + 1) % (uint64_t)book->slot_count)
        if (same_shape(&book->shapes[book->slots[at] - 1], &s))
            return book->slots[at] - 1;
    int index = book->count++;
    book->shapes[index] = s;
    book->slots[at] = index + 1;

    // parts of a compound come behind it: its own place is kept first
    append(book, book->list, json_null());
    if (json_array_set_new(book->list, (size_t)index, shape_json(&s, book)) != 0)
        book->failed = true;
    return index;
}

// ---------------------------------------------------------------- bodies, joints, the rest

static json_t* body_json(const cairn_stage_body* body, shape_book* book)
{
    static const char* const types[] = {"dynamic", "kinematic", "static"};
    static const char* const looks[] = {"plain", "stone", "wood", "steel", "rubber"};
    if (body->id.generation == 0)
        return json_null();

    json_t* out = json_object();
    set(book, out, "type", json_string(types[body->type]));
    set(book, out, "mass", real_json(body->mass));

    if (body->name)
        set(book, out, "name", text_json(body->name));
    if (body->glass)
        set(book, out, "glass", json_true());
    if (body->look != CAIRN_LOOK_PLAIN)
        set(book, out, "look", json_string(looks[body->look]));

    if (body->shaped) {
        set(book, out, "shape", json_integer(find_shape(book, &body->shape)));
        set(book, out, "offset", transform_json(book, body->offset));
    }

    return out;
}

static json_t* joint_json(shape_book* book, const cairn_stage_joint* joint)
{
    static const char* const kinds[] = {"ball",  "hinge",    "slider", "universal", "cylindrical",
                                        "fixed", "distance", "gear",   "surface",   "rolling",
                                        "locks", "rack",     "screw",  "wheel",     "pulley",
                                        "along", "twist",    "around"};
    static const char* const surfaces[] = {"plane", "sphere", "cylinder", "torus"};

    json_t* out = json_object();
    set(book, out, "kind", json_string(kinds[joint->kind]));
    set(book, out, "a", json_integer(joint->body_a));
    set(book, out, "b", json_integer(joint->body_b));
    set(book, out, "frame_a", transform_json(book, joint->frame_a));
    set(book, out, "frame_b", transform_json(book, joint->frame_b));

    if (joint->kind == CAIRN_JOINT_SURFACE || joint->kind == CAIRN_JOINT_ROLLING) {
        set(book, out, "surface", json_string(surfaces[joint->surface]));
        set(book, out, "radius", real_json(joint->radius));
        set(book, out, "tube", real_json(joint->tube));
    }

    return out;
}

static void set_words(shape_book* book, json_t* out, const cairn_stage* stage)
{
    set(book, out, "type", json_string("stage"));
    set(book, out, "change", json_integer(stage->change));
    set(book, out, "version", text_json(stage->version));
    set(book, out, "name", text_json(stage->name));
    set(book, out, "title", text_json(stage->title));
    set(book, out, "method", text_json(stage->method));
    set(book, out, "dt", real_json(stage->dt));
    set(book, out, "substeps", json_integer(stage->substeps));
    set(book, out, "tolerance", real_json(stage->tolerance));
    set(book, out, "gravity", vector_json(book, stage->gravity));
}

// NULL without memory
static json_t* stage_json(const cairn_stage* stage)
{
    shape_book all = {.list = json_array()}, *book = &all;
    json_t *out = json_object(), *bodies = json_array(), *joints = json_array();

    set_words(book, out, stage);
    for (int i = 0; i < stage->body_count; i++)
        append(book, bodies, body_json(&stage->bodies[i], book));
    for (int i = 0; i < stage->joint_count; i++)
        if (stage->joints[i].id.generation != 0)
            append(book, joints, joint_json(book, &stage->joints[i]));

    set(book, out, "bodies", bodies);
    set(book, out, "joints", joints);
    set(book, out, "shapes", book->list);

    free(book->shapes);
    free(book->slots);
    if (book->failed) {
        json_decref(out);
        return NULL;
    }
    return out;
}

cairn_status cairn_page_stage(const cairn_stage* stage, cairn_page_bytes* bytes, cairn_error* error)
{
    if (!bytes || !stage)
        return cairn_refuse_null(error, "the place for the bytes or the stage");
    json_t* out = stage_json(stage);
    char* text = json_dumps(out, JSON_COMPACT | JSON_REAL_PRECISION(8));
    bytes->size = 0;
    bool done = text && cairn_page_append(bytes, text, strlen(text));
    free(text);
    json_decref(out);
    return done ? CAIRN_OK
                : cairn_fail(error, CAIRN_NO_MEMORY, "no memory to show a stage of %d bodies",
                             stage->body_count);
}
