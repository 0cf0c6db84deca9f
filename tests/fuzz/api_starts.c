// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Starts from which a session goes deeper than single calls would lead it: a stack at rest, a heap,
// a chain, ground of triangles, and some time that passes.

#include "api.h"

// the world that a start fills: a new one, unless there is no room
static int start_world(api* a)
{
    cairn_world* world = NULL;
    cairn_world_def def = cairn_default_world_def();
    int b = api_byte(a);
    def.time_limit = 0.01;
    def.threads = 1 + (b & 3);
    def.sleep = (b & 4) != 0;
    def.sleep_time = b & 8 ? 0.1 : def.sleep_time;
    def.integrator = b & 16 ? CAIRN_INTEGRATOR_MOREAU : CAIRN_INTEGRATOR_EULER;
    def.substeps = b & 32 ? 2 : 1;
    bool room = false;
    for (int w = 0; w < api_worlds; w++)
        room = room || !a->worlds[w].world;
    if (!room)
        return api_pick_world(a);
    api_begin(a);
    if (!api_end(a, cairn_world_create(&def, &world, a->said), API_NOTHING))
        api_broken(a, "a plain world is refused");
    api_keep_world(a, world, NULL, def.time_limit);
    for (int w = 0; w < api_worlds; w++)
        if (a->worlds[w].world == world)
            return w;
    return -1;
}

static void place(api* a, int w, cairn_shape shape, cairn_body_type type, cairn_vec3 at)
{
    cairn_body_def def = cairn_default_body_def();
    cairn_body_id id = {0};
    if (a->body_count == api_most_bodies)
        return;
    def.shape = &shape;
    def.type = type;
    def.pose.p = at;
    api_begin(a);
    if (api_end(a, cairn_world_add_body(a->worlds[w].world, &def, &id, a->said), w))
        api_keep_body(a, w, id);
}

static void pass(api* a, int w, int steps)
{
    for (int i = 0; i < steps; i++)
        if (!api_step(a, w, 1.0 / 60.0))
            return;
}

static void stack(api* a)
{
    int w = start_world(a), count = 1 + api_below(a, 6);
    if (w < 0)
        return;
    double half = 0.25;
    place(a, w, cairn_shape_half_space(), CAIRN_BODY_STATIC, cairn_vec(0.0, 0.0, 0.0));
    for (int i = 0; i < count; i++)
        place(a, w, cairn_shape_box(cairn_vec(half, half, half)), CAIRN_BODY_DYNAMIC,
              cairn_vec(0.01 * i, 0.0, half * (2 * i + 1)));
    pass(a, w, api_below(a, 12));
}

static void heap(api* a)
{
    int w = start_world(a), count = 1 + api_below(a, 8);
    if (w < 0)
        return;
    place(a, w, cairn_shape_box(cairn_vec(3.0, 3.0, 0.5)), CAIRN_BODY_STATIC,
          cairn_vec(0.0, 0.0, -0.5));
    for (int i = 0; i < count; i++) {
        cairn_shape shape = api_good_shape(a);
        cairn_vec3 at = api_vec(a, -0.5, 0.5);
        at.z += 1.0 + 0.5 * i;
        place(a, w, cairn_shape_is_convex(&shape) ? shape : cairn_shape_sphere(0.3),
              CAIRN_BODY_DYNAMIC, at);
    }
    pass(a, w, api_below(a, 15));
}

static void chain(api* a)
{
    int w = start_world(a), count = 1 + api_below(a, 6);
    if (w < 0)
        return;
    cairn_body_id last = {0};
    int kind = api_below(a, 4);
    for (int i = 0; i < count && a->body_count < api_most_bodies; i++) {
        int before = a->body_count;
        place(a, w, cairn_shape_capsule(0.1, 0.3), CAIRN_BODY_DYNAMIC,
              cairn_vec(0.5 * i, 0.0, 2.0));
        if (a->body_count == before)
            return;
        cairn_joint_id id;
        cairn_joint_def def =
            cairn_default_joint_def(kind == 3 ? CAIRN_JOINT_UNIVERSAL : (cairn_joint_kind)kind);
        def.body_a = last;
        def.body_b = a->bodies[a->body_count - 1].id;
        def.frame_a.p = i == 0 ? cairn_vec(-0.25, 0.0, 2.0) : cairn_vec(0.25, 0.0, 0.0);
        def.frame_b.p = cairn_vec(-0.25, 0.0, 0.0);
        last = def.body_b;
        api_begin(a);
        if (api_end(a, cairn_world_add_joint(a->worlds[w].world, &def, &id, a->said), w))
            api_keep_joint(a, w, id);
    }
    pass(a, w, api_below(a, 12));
}

// bodies over a mesh or a height field
static void ground(api* a)
{
    const api_shapes_held* held = &a->held;
    bool field = api_chance(a, 128);
    if (field ? held->field_count == 0 : held->mesh_count == 0)
        return;
    int w = start_world(a), count = 1 + api_below(a, 5);
    if (w < 0)
        return;
    cairn_shape shape = field ? cairn_shape_height_field(held->fields[held->field_count - 1])
                              : cairn_shape_mesh(held->meshes[held->mesh_count - 1]);
    place(a, w, shape, CAIRN_BODY_STATIC, cairn_vec(field ? -1.0 : 0.0, field ? -1.0 : 0.0, 0.0));
    for (int i = 0; i < count; i++) {
        cairn_shape above = api_good_shape(a);
        place(a, w, cairn_shape_is_convex(&above) ? above : cairn_shape_sphere(0.3),
              CAIRN_BODY_DYNAMIC, cairn_vec(0.2 * i, 0.1 * i, 0.8 + 0.5 * i));
    }
    pass(a, w, api_below(a, 15));
}

// a quarter of a second and more, in which bodies fall asleep
static void a_while(api* a)
{
    int w = api_pick_world(a);
    if (w >= 0)
        pass(a, w, 15 + api_below(a, 30));
}

// clang-format off: one line for each call
const api_call api_start_calls[] = {
    {"start: stack", stack, 8},   {"start: heap", heap, 8},       {"start: chain", chain, 8},
    {"start: ground", ground, 6}, {"start: a while", a_while, 6}, {0},
};
// clang-format on
