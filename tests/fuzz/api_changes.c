// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The calls that change bodies while the world runs, and those on all bodies at once.

#include "api.h"
#include <stdlib.h>

// a body of a world of the session, which may be neither; false: there is no world
typedef struct target {
    int w;
    cairn_world* world;
    cairn_body_id id;
} target;

static bool pick(api* a, target* t)
{
    t->w = api_pick_world(a);
    if (t->w < 0)
        return false;
    t->id = api_pick_body(a, t->w);
    t->world = API_OR_NULL(a, a->worlds[t->w].world);
    return true;
}

// ---------------------------------------------------------------- one body

static void set_type(api* a)
{
    target t;
    if (!pick(a, &t))
        return;
    cairn_body_type type = (cairn_body_type)api_int(a, 0, 2);
    api_begin(a);
    api_end(a, cairn_body_set_type(t.world, t.id, type, a->said), t.w);
}

static void set_mass(api* a)
{
    target t;
    if (!pick(a, &t))
        return;
    double mass = api_real(a, 0.1, 100.0);
    api_begin(a);
    api_end(a, cairn_body_set_mass(t.world, t.id, mass, a->said), t.w);
}

static void set_inertia(api* a)
{
    target t;
    if (!pick(a, &t))
        return;
    cairn_vec3 center = api_vec(a, -0.5, 0.5);
    cairn_mat3 inertia = api_inertia(a);
    api_begin(a);
    api_end(a, cairn_body_set_inertia(t.world, t.id, center, inertia, a->said), t.w);
}

static void set_damping(api* a)
{
    target t;
    if (!pick(a, &t))
        return;
    double linear = api_real(a, 0.0, 2.0), angular = api_real(a, 0.0, 2.0);
    api_begin(a);
    api_end(a, cairn_body_set_damping(t.world, t.id, linear, angular, a->said), t.w);
}

static void set_gravity_scale(api* a)
{
    target t;
    if (!pick(a, &t))
        return;
    double scale = api_real(a, -1.0, 1.0);
    api_begin(a);
    api_end(a, cairn_body_set_gravity_scale(t.world, t.id, scale, a->said), t.w);
}

static void set_filter(api* a)
{
    target t;
    if (!pick(a, &t))
        return;
    uint32_t category = (uint32_t)api_int(a, 0, 3), mask = (uint32_t)api_int(a, 0, 3);
    api_begin(a);
    api_end(a, cairn_body_set_filter(t.world, t.id, category, mask, a->said), t.w);
}

static void set_enabled(api* a)
{
    target t;
    if (!pick(a, &t))
        return;
    bool enabled = api_byte(a) & 1;
    api_begin(a);
    api_end(a, cairn_body_set_enabled(t.world, t.id, enabled, a->said), t.w);
}

static void allow_sleep(api* a)
{
    target t;
    if (!pick(a, &t))
        return;
    bool allowed = api_byte(a) & 1;
    api_begin(a);
    api_end(a, cairn_body_allow_sleep(t.world, t.id, allowed, a->said), t.w);
}

static void set_user(api* a)
{
    target t;
    if (!pick(a, &t))
        return;
    api_begin(a);
    api_end(a, cairn_body_set_user(t.world, t.id, a, a->said), t.w);
}

static void set_target(api* a)
{
    target t;
    if (!pick(a, &t))
        return;
    cairn_transform pose = api_pose(a);
    double dt = api_real(a, 0.001, 0.1);
    api_begin(a);
    api_end(a, cairn_body_set_target(t.world, t.id, pose, dt, a->said), t.w);
}

static void velocity_at(api* a)
{
    target t;
    if (!pick(a, &t))
        return;
    cairn_vec3 point = api_vec(a, -2.0, 2.0), velocity;
    cairn_vec3* place = API_OR_NULL(a, &velocity);
    api_begin(a);
    api_end(a, cairn_body_velocity_at(t.world, t.id, point, place, a->said), API_NOTHING);
}

static void add_force_local(api* a)
{
    target t;
    if (!pick(a, &t))
        return;
    cairn_vec3 force = api_vec(a, -1e4, 1e4), point = api_vec(a, -2.0, 2.0);
    api_begin(a);
    api_end(a, cairn_body_add_force_local(t.world, t.id, force, point, a->said), t.w);
}

static void add_torque_local(api* a)
{
    target t;
    if (!pick(a, &t))
        return;
    cairn_vec3 torque = api_vec(a, -1e3, 1e3);
    api_begin(a);
    api_end(a, cairn_body_add_torque_local(t.world, t.id, torque, a->said), t.w);
}

// ---------------------------------------------------------------- all of them

enum { most = 64 };

// a number of slots for which the arrays of the session have room
static int count_of(api* a)
{
    int count = api_int(a, 0, most);
    return count > most ? most : count;
}

static void get_poses(api* a)
{
    double numbers[7 * most];
    int w = api_pick_world(a), count = count_of(a);
    if (w < 0)
        return;
    cairn_world* world = API_OR_NULL(a, a->worlds[w].world);
    double* place = API_OR_NULL(a, numbers);
    api_begin(a);
    api_end(a, cairn_world_get_poses(world, place, count, a->said), API_NOTHING);
}

static void get_poses_float(api* a)
{
    float numbers[7 * most];
    int w = api_pick_world(a), count = count_of(a);
    if (w < 0)
        return;
    cairn_world* world = API_OR_NULL(a, a->worlds[w].world);
    float* place = API_OR_NULL(a, numbers);
    api_begin(a);
    api_end(a, cairn_world_get_poses_float(world, place, count, a->said), API_NOTHING);
}

static void get_velocities(api* a)
{
    double numbers[6 * most];
    int w = api_pick_world(a), count = count_of(a);
    if (w < 0)
        return;
    cairn_world* world = API_OR_NULL(a, a->worlds[w].world);
    double* place = API_OR_NULL(a, numbers);
    api_begin(a);
    api_end(a, cairn_world_get_velocities(world, place, count, a->said), API_NOTHING);
}

static void get_velocities_float(api* a)
{
    float numbers[6 * most];
    int w = api_pick_world(a), count = count_of(a);
    if (w < 0)
        return;
    cairn_world* world = API_OR_NULL(a, a->worlds[w].world);
    float* place = API_OR_NULL(a, numbers);
    api_begin(a);
    api_end(a, cairn_world_get_velocities_float(world, place, count, a->said), API_NOTHING);
}

static void set_poses(api* a)
{
    double numbers[7 * most] = {0.0};
    int w = api_pick_world(a), count = count_of(a);
    if (w < 0)
        return;
    cairn_world_get_poses(a->worlds[w].world, numbers, most, NULL);
    for (int k = 0; k < 4; k++)
        numbers[7 * api_below(a, most) + api_below(a, 7)] = api_real(a, -2.0, 2.0);
    cairn_world* world = API_OR_NULL(a, a->worlds[w].world);
    api_begin(a);
    api_end(a, cairn_world_set_poses(world, numbers, count, a->said), w);
}

static void set_velocities(api* a)
{
    double numbers[6 * most] = {0.0};
    int w = api_pick_world(a), count = count_of(a);
    if (w < 0)
        return;
    cairn_world_get_velocities(a->worlds[w].world, numbers, most, NULL);
    for (int k = 0; k < 4; k++)
        numbers[6 * api_below(a, most) + api_below(a, 6)] = api_real(a, -5.0, 5.0);
    cairn_world* world = API_OR_NULL(a, a->worlds[w].world);
    api_begin(a);
    api_end(a, cairn_world_set_velocities(world, numbers, count, a->said), w);
}

static void moved(api* a)
{
    cairn_body_id ids[most];
    int w = api_pick_world(a), count = count_of(a);
    if (w < 0)
        return;
    cairn_world* world = API_OR_NULL(a, a->worlds[w].world);
    cairn_body_id* place = API_OR_NULL(a, ids);
    api_begin(a);
    int found = cairn_world_moved(world, place, count);
    api_end(a, CAIRN_OK, API_NOTHING);
    if (found < 0 || found > cairn_world_body_slots(world))
        api_broken(a, "%d bodies moved", found);
}

// clang-format off: one line for each call
const api_call api_change_calls[] = {
    {"cairn_body_set_type", set_type, 4},
    {"cairn_body_set_mass", set_mass, 2},
    {"cairn_body_set_inertia", set_inertia, 2},
    {"cairn_body_set_damping", set_damping, 1},
    {"cairn_body_set_gravity_scale", set_gravity_scale, 1},
    {"cairn_body_set_filter", set_filter, 3},
    {"cairn_body_set_enabled", set_enabled, 3},
    {"cairn_body_allow_sleep", allow_sleep, 1},
    {"cairn_body_set_user", set_user, 1},
    {"cairn_body_set_target", set_target, 2},
    {"cairn_body_velocity_at", velocity_at, 1},
    {"cairn_body_add_force_local", add_force_local, 1},
    {"cairn_body_add_torque_local", add_torque_local, 1},
    {"cairn_world_get_poses", get_poses, 1},
    {"cairn_world_get_poses_float", get_poses_float, 1},
    {"cairn_world_get_velocities", get_velocities, 1},
    {"cairn_world_get_velocities_float", get_velocities_float, 1},
    {"cairn_world_set_poses", set_poses, 2},
    {"cairn_world_set_velocities", set_velocities, 2},
    {"cairn_world_moved", moved, 1},
    {0},
};
// clang-format on
