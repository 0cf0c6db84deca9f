// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The stage of a run, taken from a world: bodies with their shapes, joints, where it comes from.

#include "io/recording/stage.h"
#include "io/scene/scene.h"
#include <math.h>
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
    if (!stage || !origin)
        return cairn_refuse_null(error, "the stage or its origin");

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
           a->gravity_scale == b->gravity_scale && a->category == b->category &&
           a->mask == b->mask && a->soft == b->soft &&
           memcmp(&a->principal, &b->principal, sizeof a->principal) == 0 &&
           memcmp(&a->moments, &b->moments, sizeof a->moments) == 0 &&
           memcmp(&a->offset, &b->offset, sizeof a->offset) == 0 &&
           (!a->shaped || cairn_stage_same_shape(&a->shape, &b->shape));
}

// whether contacts with some part of a body are springs
static bool is_soft(const cairn_body_def* def)
{
    if (!def->shape || def->shape->kind != CAIRN_SHAPE_COMPOUND || !def->parts)
        return def->material.stiffness > 0.0;
    for (int i = 0; i < def->shape->data.compound->count; i++)
        if (def->parts[i].material.stiffness > 0.0)
            return true;
    return false;
}

// a slot may hold another body under the same id after the world was put back to an earlier state
static bool take_body(cairn_stage_body* to, const cairn_world* world, int slot)
{
    cairn_stage_body now = {.id = cairn_world_body_at(world, slot)};
    cairn_body_def def;

    // only the mass of a dynamic body counts
    if (cairn_body_get_def(world, now.id, &def, NULL) == CAIRN_OK) {
        now.type = def.type;
        now.shaped = def.shape != NULL;
        now.offset = def.shape_offset;
        now.mass = def.type == CAIRN_BODY_DYNAMIC ? def.mass : (double)INFINITY;
        now.gravity_scale = def.gravity_scale;
        now.category = def.category;
        now.mask = def.mask;
        now.soft = is_soft(&def);
        if (def.shape)
            now.shape = *def.shape;

        cairn_body_mass mass;
        if (cairn_body_get_mass(world, now.id, &mass, NULL) == CAIRN_OK) {
            now.principal = mass.principal;
            now.moments = mass.moments;
        }
    }

    if (cairn_stage_same_body(to, &now))
        return false;
    *to = now;
    return true;
}

// the distance that a joint keeps, measured when it is first seen; free when something acts on it
static double length_of(const cairn_joint_def* def, const cairn_world* world)
{
    cairn_body_state a = {.pose = cairn_transform_identity()}, b = a;
    if (def->kind != CAIRN_JOINT_DISTANCE || def->limited || def->driven || def->stiffness > 0.0 ||
        def->damping > 0.0)
        return -1.0;
    if (def->body_a.generation != 0)
        cairn_body_get(world, def->body_a, &a, NULL);
    cairn_body_get(world, def->body_b, &b, NULL);
    return cairn_norm(cairn_sub(cairn_transform_point(b.pose, def->frame_b.p),
                                cairn_transform_point(a.pose, def->frame_a.p)));
}

static bool take_joint(cairn_stage_joint* to, const cairn_world* world, int slot)
{
    cairn_joint_id id = cairn_world_joint_at(world, slot);
    cairn_joint_def def;
    if (to->id.generation == id.generation)
        return false;

    *to = (cairn_stage_joint){0};
    if (cairn_joint_get_def(world, id, &def, NULL) == CAIRN_OK)
        *to = (cairn_stage_joint){.id = id,
                                  .kind = def.kind,
                                  .body_a =
                                      def.body_a.generation ? def.body_a.index : CAIRN_WORLD_BODY,
                                  .body_b = def.body_b.index,
                                  .frame_a = def.frame_a,
                                  .frame_b = def.frame_b,
                                  .surface = def.surface,
                                  .radius = def.radius,
                                  .tube = def.tube,
                                  .roller = def.roller,
                                  .wheel = def.wheel,
                                  .length = length_of(&def, world),
                                  .stiffness = def.stiffness,
                                  .rest = def.rest,
                                  .collide = def.collide,
                                  .driven = def.driven};
    return true;
}

bool cairn_stage_keep_excluded(cairn_stage* stage, int count)
{
    size_t bytes = (size_t)count * sizeof *stage->excluded;
    if (count == 0 && stage->excluded_count == 0)
        return false;

    int(*fresh)[2] = stage->excluded + stage->excluded_count;
    bool changed = count != stage->excluded_count || memcmp(stage->excluded, fresh, bytes) != 0;
    memmove(stage->excluded, fresh, bytes);
    stage->excluded_count = count;
    return changed;
}

// the pairs of the world are written behind those of the stage, and compared with them
static cairn_status take_excluded(bool* changed, cairn_stage* stage, const cairn_world* world,
                                  cairn_error* error)
{
    int count = cairn_world_excluded(world, NULL, 0), before = stage->excluded_count;
    if (!cairn_grow((void**)&stage->excluded, &stage->excluded_capacity, before + count,
                    sizeof *stage->excluded))
        return cairn_fail(error, CAIRN_NO_MEMORY, "no memory for pairs that do not collide");

    if (count > 0)
        cairn_world_excluded(world, stage->excluded + before, count);
    *changed |= cairn_stage_keep_excluded(stage, count);
    return CAIRN_OK;
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

    for (int i = 0; i < scene->look_count; i++) {
        cairn_body_id id = scene->looks[i].id;
        if (id.index >= stage->body_count || stage->bodies[id.index].id.generation != id.generation)
            continue;
        stage->bodies[id.index].glass = scene->looks[i].glass;
        stage->bodies[id.index].look = scene->looks[i].look;
    }
}

static cairn_status make_room(cairn_stage* stage, const cairn_world* world, cairn_error* error)
{
    int bodies = cairn_world_body_slots(world), joints = cairn_world_joint_slots(world);
    if (!cairn_grow((void**)&stage->bodies, &stage->body_capacity, bodies, sizeof *stage->bodies) ||
        !cairn_grow((void**)&stage->joints, &stage->joint_capacity, joints, sizeof *stage->joints))
        return cairn_fail(error, CAIRN_NO_MEMORY, "no memory to look at %d bodies", bodies);
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
    snprintf(stage->method, sizeof stage->method, "%s", cairn_world_get_def(scene->world).method);
    return CAIRN_OK;
}

cairn_status cairn_stage_take(cairn_stage* stage, const cairn_scene* scene, double dt,
                              cairn_error* error)
{
    if (!stage || !scene)
        return cairn_refuse_null(error, "the stage or the scene");

    const cairn_world* world = scene->world;
    cairn_status status = take_words(stage, scene, error);
    if (status == CAIRN_OK)
        status = make_room(stage, world, error);
    if (status != CAIRN_OK)
        return status;

    int bodies = cairn_world_body_slots(world), joints = cairn_world_joint_slots(world);
    bool changed = stage->change == 0 || stage->body_count > bodies || stage->joint_count > joints;

    cairn_world_def def = cairn_world_get_def(world);
    stage->dt = dt;
    stage->substeps = def.substeps;
    stage->tolerance = cairn_world_def_tolerance(&def);
    stage->gravity = def.gravity;

    // a world that was put back to an earlier state may have fewer slots
    for (int i = bodies; i < stage->body_count; i++)
        stage->bodies[i] = (cairn_stage_body){0};
    for (int i = joints; i < stage->joint_count; i++)
        stage->joints[i] = (cairn_stage_joint){0};
    stage->body_count = bodies;
    stage->joint_count = joints;

    // a new number of the change tells readers to look at the stage again
    for (int i = 0; i < bodies; i++)
        changed |= take_body(&stage->bodies[i], world, i);
    for (int i = 0; i < joints; i++)
        changed |= take_joint(&stage->joints[i], world, i);

    status = take_excluded(&changed, stage, world, error);
    if (status == CAIRN_OK && changed) {
        describe_bodies(stage, scene);
        stage->change++;
    }
    return status;
}

void cairn_stage_destroy(cairn_stage* stage)
{
    if (!stage)
        return;
    free(stage->name);
    free(stage->title);
    free(stage->text);
    free(stage->bodies);
    free(stage->joints);
    free(stage->excluded);
    *stage = (cairn_stage){0};
}
