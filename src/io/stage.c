// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The stage of a run, taken from a world: bodies with their shapes, joints, where it comes from.

#include "io/stage.h"
#include "io/scene.h"
#include "world/state.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool cairn_grow(void** array, int* capacity, int count, size_t size)
{
    if (count <= *capacity)
        return true;
    int wanted = count > 2 * *capacity ? count : 2 * *capacity;
    void* grown = realloc(*array, (size_t)wanted * size);
    if (!grown)
        return false;
    memset((char*)grown + (size_t)*capacity * size, 0, (size_t)(wanted - *capacity) * size);
    *array = grown;
    *capacity = wanted;
    return true;
}

static char* copy_text(const char* text, size_t size)
{
    char* copy = malloc(size + 1);
    if (!copy)
        return NULL;
    if (size > 0)
        memcpy(copy, text, size);
    copy[size] = 0;
    return copy;
}

static char* copy_string(const char* text)
{
    return copy_text(text, text ? strlen(text) : 0);
}

cairn_status cairn_stage_set_origin(cairn_stage* stage, const cairn_stage_origin* origin,
                                    cairn_error* error)
{
    char* name = copy_string(origin->name);
    char* text = copy_text(origin->text, origin->text_size);
    if (!name || !text) {
        free(name);
        free(text);
        return cairn_fail(error, CAIRN_NO_MEMORY, "no memory for the text of a scene");
    }
    free(stage->name);
    free(stage->text);
    stage->name = name;
    stage->text = text;
    stage->text_size = origin->text_size;
    return CAIRN_OK;
}

// ---------------------------------------------------------------- bodies and joints

bool cairn_stage_same_shape(const cairn_shape* a, const cairn_shape* b)
{
    return a->kind == b->kind && a->radius == b->radius && a->half_height == b->half_height &&
           a->half.x == b->half.x && a->half.y == b->half.y && a->half.z == b->half.z &&
           a->data.hull == b->data.hull;
}

bool cairn_stage_same_body(const cairn_stage_body* a, const cairn_stage_body* b)
{
    if (a->id.generation == 0 || b->id.generation == 0)
        return a->id.generation == b->id.generation;
    return a->id.index == b->id.index && a->id.generation == b->id.generation &&
           a->type == b->type && a->shaped == b->shaped && a->mass == b->mass &&
           memcmp(&a->offset, &b->offset, sizeof a->offset) == 0 &&
           (!a->shaped || cairn_stage_same_shape(&a->shape, &b->shape));
}

// a slot may hold another body under the same id after the world was put back to an earlier state
static bool take_body(cairn_stage_body* to, const cairn_body* body, int slot)
{
    cairn_stage_body now = {0};
    if (body->alive)
        now = (cairn_stage_body){.id = {slot, body->generation},
                                 .type = body->type,
                                 .shaped = body->shaped,
                                 .shape = body->shape,
                                 .offset = cairn_transform_multiply(body->principal, body->offset),
                                 .mass = body->inverse_mass > 0.0 ? 1.0 / body->inverse_mass
                                                                  : (double)INFINITY};
    if (cairn_stage_same_body(to, &now))
        return false;
    *to = now;
    return true;
}

// frames of joints lead to principal frames, those of a stage to the frames that users see
static cairn_transform to_user(const cairn_world* world, int slot, cairn_transform frame)
{
    return slot >= 0 ? cairn_transform_multiply(world->bodies[slot].principal, frame) : frame;
}

static bool take_joint(cairn_stage_joint* to, const cairn_world* world, int slot)
{
    const cairn_link* link = &world->links[slot];
    if (!link->alive) {
        bool changed = to->id.generation != 0;
        *to = (cairn_stage_joint){0};
        return changed;
    }
    if (to->id.generation == link->generation)
        return false;
    *to = (cairn_stage_joint){.id = {slot, link->generation},
                              .kind = link->kind,
                              .body_a = link->a,
                              .body_b = link->b,
                              .frame_a = to_user(world, link->a, link->frame_a),
                              .frame_b = to_user(world, link->b, link->frame_b),
                              .surface = link->surface,
                              .radius = link->radius,
                              .tube = link->tube};
    return true;
}

// names and looks, which a world does not know
static void describe_bodies(cairn_stage* stage, const cairn_scene* scene)
{
    for (int i = 0; i < scene->name_count; i++) {
        cairn_body_id id = scene->names[i].id;
        if (id.generation == 0 || id.index >= stage->body_count)
            continue;
        cairn_stage_body* body = &stage->bodies[id.index];
        if (body->id.generation == id.generation)
            body->name = scene->names[i].name;
    }
    for (int i = 0; i < scene->glass_count; i++) {
        cairn_body_id id = scene->glass[i];
        if (id.index < stage->body_count)
            stage->bodies[id.index].glass |= stage->bodies[id.index].id.generation == id.generation;
    }
}

static cairn_status make_room(cairn_stage* stage, const cairn_world* world, cairn_error* error)
{
    if (!cairn_grow((void**)&stage->bodies, &stage->body_capacity, world->body_count,
                    sizeof *stage->bodies) ||
        !cairn_grow((void**)&stage->joints, &stage->joint_capacity, world->link_count,
                    sizeof *stage->joints))
        return cairn_fail(error, CAIRN_NO_MEMORY, "no memory to look at %d bodies",
                          world->body_count);
    return CAIRN_OK;
}

static cairn_status take_words(cairn_stage* stage, const cairn_scene* scene, cairn_error* error)
{
    if (!stage->name)
        stage->name = copy_string("");
    if (!stage->text)
        stage->text = copy_string("");
    if (!stage->title)
        stage->title = copy_string(scene->title);
    if (!stage->name || !stage->text || !stage->title)
        return cairn_fail(error, CAIRN_NO_MEMORY, "no memory for the title of a scene");
    snprintf(stage->version, sizeof stage->version, "%s", cairn_version());
    snprintf(stage->method, sizeof stage->method, "%s", scene->world->def.method);
    return CAIRN_OK;
}

cairn_status cairn_stage_take(cairn_stage* stage, const cairn_scene* scene, double dt,
                              cairn_error* error)
{
    const cairn_world* world = scene->world;
    cairn_status status = take_words(stage, scene, error);
    if (status == CAIRN_OK)
        status = make_room(stage, world, error);
    if (status != CAIRN_OK)
        return status;
    bool changed = stage->change == 0 || stage->body_count > world->body_count ||
                   stage->joint_count > world->link_count;
    stage->dt = dt;
    stage->substeps = world->def.substeps;
    stage->tolerance = world->def.tolerance;
    stage->gravity = world->def.gravity;

    // a world that was put back to an earlier state may have fewer slots
    for (int i = world->body_count; i < stage->body_count; i++)
        stage->bodies[i] = (cairn_stage_body){0};
    for (int i = world->link_count; i < stage->joint_count; i++)
        stage->joints[i] = (cairn_stage_joint){0};
    stage->body_count = world->body_count;
    stage->joint_count = world->link_count;
    for (int i = 0; i < world->body_count; i++)
        changed |= take_body(&stage->bodies[i], &world->bodies[i], i);
    for (int i = 0; i < world->link_count; i++)
        changed |= take_joint(&stage->joints[i], world, i);
    if (changed) {
        describe_bodies(stage, scene);
        stage->change++;
    }
    return CAIRN_OK;
}

void cairn_stage_free(cairn_stage* stage)
{
    free(stage->name);
    free(stage->title);
    free(stage->text);
    free(stage->bodies);
    free(stage->joints);
    *stage = (cairn_stage){0};
}
