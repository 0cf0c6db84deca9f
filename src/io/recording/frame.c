// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// One step of a run, taken from a world. Islands are those of the contact problem: dynamic bodies
// that contacts or joints connect, found by union of sets with halved paths and numbered by their
// first slot. Bodies that nothing moves connect nothing.

#include "io/recording/stage.h"
#include "io/scene/scene.h"
#include <stdlib.h>
#include <string.h>

static bool is_dynamic(const cairn_stage* stage, int slot)
{
    return slot >= 0 && slot < stage->body_count && stage->bodies[slot].id.generation != 0 &&
           stage->bodies[slot].type == CAIRN_BODY_DYNAMIC;
}

static int root_of(int* parent, int i)
{
    while (parent[i] != i) {
        parent[i] = parent[parent[i]];
        i = parent[i];
    }
    return i;
}

// the smaller slot leads, so that a root is the first slot of its island
static void connect(int* parent, const cairn_stage* stage, int a, int b)
{
    if (!is_dynamic(stage, a) || !is_dynamic(stage, b))
        return;
    int first = root_of(parent, a), second = root_of(parent, b);
    if (first < second)
        parent[second] = first;
    else
        parent[first] = second;
}

static void number_islands(cairn_frame* frame, const cairn_stage* stage)
{
    int* parent = frame->scratch;

    // union-find: contacts and joints connect dynamic bodies
    for (int i = 0; i < frame->body_count; i++)
        parent[i] = i;
    for (int c = 0; c < frame->contact_count; c++)
        connect(parent, stage, frame->contacts[c].body_a.index, frame->contacts[c].body_b.index);
    for (int i = 0; i < stage->joint_count; i++)
        if (stage->joints[i].id.generation != 0)
            connect(parent, stage, stage->joints[i].body_a, stage->joints[i].body_b);

    // the root of a set is its least body, so islands are numbered in the order of the bodies
    frame->island_count = 0;
    for (int i = 0; i < frame->body_count; i++) {
        int root = root_of(parent, i);
        if (!is_dynamic(stage, i))
            frame->bodies[i].island = -1;
        else
            frame->bodies[i].island =
                root == i ? frame->island_count++ : frame->bodies[root].island;
    }
}

static void take_bodies(cairn_frame* frame, const cairn_world* world)
{
    frame->body_count = cairn_world_body_slots(world);
    for (int i = 0; i < frame->body_count; i++) {
        cairn_body_state body;
        frame->bodies[i] = (cairn_frame_body){.island = -1};
        if (cairn_body_get(world, cairn_world_body_at(world, i), &body, NULL) == CAIRN_OK)
            frame->bodies[i] = (cairn_frame_body){.present = true,
                                                  .asleep = body.asleep,
                                                  .frozen = body.frozen,
                                                  .pushed = body.pushed || body.disabled,
                                                  .squeezed = body.squeezed,
                                                  .pose = body.pose,
                                                  .velocity = body.velocity,
                                                  .spin = body.spin};
    }
}

static cairn_status make_room(cairn_frame* frame, int bodies, int contacts, cairn_error* error)
{
    int capacity = frame->body_capacity;
    if (!cairn_grow((void**)&frame->scratch, &capacity, bodies, sizeof *frame->scratch) ||
        !cairn_grow((void**)&frame->bodies, &frame->body_capacity, bodies, sizeof *frame->bodies) ||
        !cairn_grow((void**)&frame->contacts, &frame->contact_capacity, contacts,
                    sizeof *frame->contacts))
        return cairn_fail(error, CAIRN_NO_MEMORY, "no memory for a frame of %d bodies", bodies);
    return CAIRN_OK;
}

cairn_status cairn_frame_take(cairn_frame* frame, const cairn_stage* stage,
                              const cairn_scene* scene, const cairn_step_report* report, double ms,
                              cairn_error* error)
{
    if (!frame || !stage || !scene)
        return cairn_refuse_null(error, "the frame, the stage or the scene");

    const cairn_world* world = scene->world;
    int count = 0;
    const cairn_contact* contacts = cairn_world_contacts(world, &count);
    cairn_status status = make_room(frame, cairn_world_body_slots(world), count, error);
    if (status != CAIRN_OK)
        return status;

    // before the first step there is no report, but there are energies
    frame->change = stage->change;
    frame->report = report ? *report : (cairn_step_report){.method = "none"};
    if (!report)
        cairn_world_energy(world, &frame->report.kinetic, &frame->report.potential);
    frame->ms = ms;
    frame->hash = cairn_world_hash(world);

    frame->contact_count = count;
    if (count > 0)
        memcpy(frame->contacts, contacts, (size_t)count * sizeof *contacts);

    take_bodies(frame, world);
    number_islands(frame, stage);
    return CAIRN_OK;
}

void cairn_frame_destroy(cairn_frame* frame)
{
    if (!frame)
        return;
    free(frame->bodies);
    free(frame->contacts);
    free(frame->scratch);
    *frame = (cairn_frame){0};
}
