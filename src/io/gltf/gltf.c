// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// A run on its way to glTF: a track for each body, and each different surface once. A body that
// lies still has one key, which is repeated up to the frame in which it first moves.

#include "io/gltf/gltf.h"
#include "io/recording/stage.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const size_t most_keys = ((size_t)256 << 20) / (gltf_key_size * sizeof(float));
static const double least_extent = 5.0; // m

static cairn_status starve(cairn_error* error)
{
    return cairn_fail(error, CAIRN_NO_MEMORY, "no memory for a glTF file");
}

cairn_status cairn_gltf_create(cairn_gltf** gltf, cairn_error* error)
{
    if (!gltf)
        return cairn_refuse_null(error, "the place for the glTF file");
    cairn_gltf* g = calloc(1, sizeof *g);
    if (!g)
        return starve(error);
    g->every = 1;
    *gltf = g;
    return CAIRN_OK;
}

void cairn_gltf_destroy(cairn_gltf* gltf)
{
    if (!gltf)
        return;
    for (int i = 0; i < gltf->track_count; i++) {
        free(gltf->tracks[i].name);
        free(gltf->tracks[i].keys);
    }
    for (int i = 0; i < gltf->surface_count; i++)
        gltf_surface_destroy(&gltf->surfaces[i]);
    free(gltf->tracks);
    free(gltf->slots);
    free(gltf->surfaces);
    free(gltf->name);
    free(gltf);
}

// ---------------------------------------------------------------- surfaces

static bool same_bytes(const cairn_page_bytes* a, const cairn_page_bytes* b)
{
    return a->size == b->size && (a->size == 0 || memcmp(a->data, b->data, a->size) == 0);
}

// the index of the surface of a body; shapes that give the same triangles share it
static bool find_surface(cairn_gltf* g, const cairn_stage_body* body, int* index)
{
    gltf_surface s = {0};
    *index = -1;
    if (!body->shaped)
        return true;

    gltf_add_shape(&s, &body->shape, body->offset, g->extent);
    bool fits = !s.starved;

    // compare triangles, not shapes: different shapes may look the same
    for (int i = 0; i < g->surface_count && *index < 0 && fits; i++)
        if (same_bytes(&g->surfaces[i].vertices, &s.vertices) &&
            same_bytes(&g->surfaces[i].triangles, &s.triangles))
            *index = i;

    // an empty surface is not kept, a new one is
    if (fits && *index < 0 && s.triangles.size > 0) {
        fits = cairn_grow((void**)&g->surfaces, &g->surface_capacity, g->surface_count + 1,
                          sizeof *g->surfaces);
        if (fits) {
            *index = g->surface_count;
            g->surfaces[g->surface_count++] = s;
            return true;
        }
    }

    gltf_surface_destroy(&s);
    return fits;
}

// how far half-spaces are drawn: four times as far as anything is from the origin
static double find_extent(const cairn_stage* stage, const cairn_frame* frame)
{
    double far = least_extent;
    for (int i = 0; i < frame->body_count; i++) {
        const cairn_stage_body* body = &stage->bodies[i];
        if (!frame->bodies[i].present || !body->shaped)
            continue;
        double r = cairn_shape_radius(&body->shape, cairn_vec(0.0, 0.0, 0.0));
        r += cairn_norm(body->offset.p) + cairn_norm(frame->bodies[i].pose.p);
        if (isfinite(r))
            far = fmax(far, r);
    }
    return 4.0 * far;
}

// ---------------------------------------------------------------- tracks

static void to_key(float* key, cairn_transform x)
{
    const double values[gltf_key_size] = {x.p.x, x.p.y, x.p.z, x.q.x, x.q.y, x.q.z, x.q.w};
    for (int k = 0; k < gltf_key_size; k++)
        key[k] = (float)values[k];
}

static bool reserve(gltf_track* t, int count)
{
    if (count <= t->capacity)
        return true;
    int wanted = count > 2 * t->capacity ? count : 2 * t->capacity;
    float* grown = realloc(t->keys, (size_t)wanted * gltf_key_size * sizeof *grown);
    if (!grown)
        return false;
    t->keys = grown;
    t->capacity = wanted;
    return true;
}

// a quaternion and its negative are one rotation: the one nearer to the key before is taken
static void turn_near(float* key, const float* before)
{
    float dot = 0.0f;
    for (int k = 3; k < gltf_key_size; k++)
        dot += key[k] * before[k];
    for (int k = 3; k < gltf_key_size && dot < 0.0f; k++)
        key[k] = -key[k];
}

static bool add_key(cairn_gltf* g, gltf_track* t, cairn_transform pose)
{
    float key[gltf_key_size];
    to_key(key, pose);
    if (t->count > 0 && !t->moved && memcmp(key, t->keys, sizeof key) == 0) {
        t->count++;
        return true;
    }
    if (!reserve(t, t->count + 1))
        return false;

    // it has not moved before: its first key is repeated
    for (int i = 1; i < t->count && !t->moved; i++)
        memcpy(t->keys + (size_t)i * gltf_key_size, t->keys, sizeof key);
    g->key_count += t->moved || t->count == 0 ? 1 : (size_t)t->count;
    t->moved = t->count > 0;
    if (t->count > 0)
        turn_near(key, t->keys + (size_t)(t->count - 1) * gltf_key_size);
    memcpy(t->keys + (size_t)t->count * gltf_key_size, key, sizeof key);
    t->count++;
    return true;
}

// glass, the ground, or what a look is made of: the order of the writer's table
static int material_of(const cairn_stage_body* body)
{
    if (body->glass)
        return CAIRN_LOOK_RUBBER + 2;
    return body->type == CAIRN_BODY_STATIC && body->look == CAIRN_LOOK_PLAIN ? CAIRN_LOOK_RUBBER + 1
                                                                             : (int)body->look;
}

static bool begin_track(cairn_gltf* g, const cairn_stage_body* body, int slot)
{
    char name[32];
    snprintf(name, sizeof name, "body %d", slot);
    gltf_track t = {.id = body->id, .material = material_of(body), .first = g->kept};
    if (!find_surface(g, body, &t.surface) ||
        !cairn_grow((void**)&g->tracks, &g->track_capacity, g->track_count + 1, sizeof t))
        return false;
    t.name = strdup(body->name && body->name[0] ? body->name : name);
    if (!t.name)
        return false;
    g->tracks[g->track_count++] = t;
    g->slots[slot] = g->track_count;
    return true;
}

// ---------------------------------------------------------------- thinning

// keeps the frames 0, 2, 4, ... of those that were kept
static void drop_half(cairn_gltf* g)
{
    g->key_count = 0;
    for (int i = 0; i < g->track_count; i++) {
        gltf_track* t = &g->tracks[i];
        int odd = t->first % 2, count = (t->count + 1 - odd) / 2;
        for (int k = 0; k < count && t->moved; k++)
            memmove(t->keys + (size_t)k * gltf_key_size,
                    t->keys + (size_t)(2 * k + odd) * gltf_key_size,
                    gltf_key_size * sizeof *t->keys);
        t->first = (t->first + 1) / 2;
        t->count = count;
        g->key_count += t->moved ? (size_t)count : 1;
    }
    g->kept = (g->kept + 1) / 2;
    g->every *= 2;
}

// ---------------------------------------------------------------- adding

static bool add_bodies(cairn_gltf* g, const cairn_stage* stage, const cairn_frame* frame)
{
    for (int i = 0; i < frame->body_count; i++) {
        if (!frame->bodies[i].present)
            continue;
        cairn_body_id id = stage->bodies[i].id;
        int track = g->slots[i] - 1;
        if ((track < 0 || g->tracks[track].id.generation != id.generation) &&
            !begin_track(g, &stage->bodies[i], i))
            return false;
        gltf_track* t = &g->tracks[g->slots[i] - 1];
        if (!add_key(g, t, frame->bodies[i].pose))
            return false;
    }
    return true;
}

cairn_status cairn_gltf_add(cairn_gltf* gltf, const cairn_stage* stage, const cairn_frame* frame,
                            cairn_error* error)
{
    cairn_gltf* g = gltf;
    if (!g || !stage || !frame)
        return cairn_refuse_null(error, "the glTF file, the stage or the frame");

    if (frame->body_count > stage->body_count)
        return cairn_fail(error, CAIRN_BAD_INPUT, "the frame has %d bodies, the stage %d",
                          frame->body_count, stage->body_count);
    if (g->seen++ % g->every != 0)
        return CAIRN_OK;

    // the first frame tells how large the scene is
    if (g->kept == 0) {
        g->dt = stage->dt;
        g->extent = find_extent(stage, frame);
        free(g->name);
        g->name = strdup(stage->name ? stage->name : "");
    }

    if (!g->name ||
        !cairn_grow((void**)&g->slots, &g->slot_capacity, frame->body_count, sizeof *g->slots) ||
        !add_bodies(g, stage, frame))
        return starve(error);

    // too many keys: half of them go
    g->kept++;
    if (g->key_count > most_keys && g->kept > 1)
        drop_half(g);
    return CAIRN_OK;
}
