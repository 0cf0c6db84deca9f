// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The calls that change bodies and joints while the world runs, those on all bodies at once, and
// those on sensors, hits and hooks.

#include "api.h"
#include <math.h>

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

static void default_part(api* a)
{
    api_begin(a);
    cairn_part part = cairn_default_part();
    api_end(a, CAIRN_OK, API_NOTHING);
    if (part.density != 1000.0)
        api_broken(a, "other defaults than the header says");
}

// parts with and without filters, for compounds of few parts; they outlive all bodies
static const cairn_part* parts_for(api* a, const cairn_shape* shape)
{
    enum { most = 8 };
    static cairn_part parts[most];
    for (int i = 0; i < most && parts[i].density == 0.0; i++) {
        parts[i] = cairn_default_part();
        parts[i].filtered = i % 3 > 0;
        parts[i].category = 1u << i % 4;
        parts[i].mask = i % 3 == 1 ? CAIRN_MASK_ALL : 5;
    }
    bool fits = shape->kind != CAIRN_SHAPE_COMPOUND || !shape->data.compound ||
                shape->data.compound->count <= most;
    return fits && api_chance(a, 96) ? parts : NULL;
}

static void set_shape(api* a)
{
    target t;
    if (!pick(a, &t))
        return;
    cairn_shape shape = api_pick_shape(a);
    const cairn_part* parts = parts_for(a, &shape);
    cairn_transform offset = api_chance(a, 64) ? api_pose(a) : cairn_transform_identity();
    double density = api_chance(a, 128) ? api_real(a, 1.0, 5000.0) : 0.0;
    const cairn_shape* given = API_OR_NULL(a, &shape);
    api_begin(a);
    api_end(a, cairn_body_set_shape(t.world, t.id, given, offset, parts, density, a->said), t.w);
}

// ---------------------------------------------------------------- joints

static cairn_joint_id pick_joint(api* a, target* t)
{
    t->w = api_pick_world(a);
    t->world = t->w < 0 ? NULL : API_OR_NULL(a, a->worlds[t->w].world);
    return t->w < 0 ? (cairn_joint_id){0} : api_pick_joint(a, t->w);
}

static void set_limits(api* a)
{
    target t;
    cairn_joint_id id = pick_joint(a, &t);
    double lo = api_real(a, -1.0, 0.0), hi = api_real(a, 0.0, 1.0);
    if (t.w < 0)
        return;
    api_begin(a);
    api_end(a, cairn_joint_set_limits(t.world, id, lo, hi, a->said), t.w);
}

static void set_spring(api* a)
{
    target t;
    cairn_joint_id id = pick_joint(a, &t);
    double k = api_real(a, 0.0, 1e4), c = api_real(a, 0.0, 1e2), rest = api_real(a, 0.0, 1.0);
    if (t.w < 0)
        return;
    api_begin(a);
    api_end(a, cairn_joint_set_spring(t.world, id, k, c, rest, a->said), t.w);
}

static void set_servo(api* a)
{
    target t;
    cairn_joint_id id = pick_joint(a, &t);
    double k = api_real(a, 0.0, 1e4), c = api_real(a, 0.0, 1e2), to = api_real(a, 0.0, 1.0);
    double strength = api_real(a, 0.0, 1e3);
    if (t.w < 0)
        return;
    api_begin(a);
    api_end(a, cairn_joint_set_servo(t.world, id, to, k, c, strength, a->said), t.w);
}

static void set_break(api* a)
{
    target t;
    cairn_joint_id id = pick_joint(a, &t);
    double force = api_real(a, 0.0, 1e5), torque = api_real(a, 0.0, 1e5);
    if (t.w < 0)
        return;
    api_begin(a);
    api_end(a, cairn_joint_set_break(t.world, id, force, torque, a->said), t.w);
}

static void lock_body(api* a)
{
    target t;
    cairn_joint_id id = {0};
    if (!pick(a, &t) || a->joint_count == api_most_joints)
        return;
    unsigned locks = (unsigned)api_int(a, 1, 63);
    cairn_joint_id* place = API_OR_NULL(a, &id);
    api_begin(a);
    if (api_end(a, cairn_body_lock(t.world, t.id, locks, place, a->said), t.w))
        api_keep_joint(a, t.w, id);
}

static void add_bushing(api* a)
{
    target t;
    cairn_bushing bushing = {.frame_a = api_pose(a), .frame_b = api_pose(a)};
    cairn_joint_id ids[6] = {{0}};
    if (!pick(a, &t) || a->joint_count + 6 > api_most_joints)
        return;
    bushing.body_b = t.id;
    if (api_chance(a, 128))
        bushing.body_a = api_pick_body(a, t.w);
    for (int k = 0; k < 6; k++) {
        bushing.stiffness[k] = api_chance(a, 64) ? 0.0 : api_real(a, 0.0, 1e4);
        bushing.damping[k] = api_real(a, 0.0, 1e2);
    }
    const cairn_bushing* given = API_OR_NULL(a, &bushing);
    cairn_joint_id* place = API_OR_NULL(a, ids);
    api_begin(a);
    if (api_end(a, cairn_world_add_bushing(t.world, given, place, a->said), t.w))
        for (int k = 0; k < 6; k++)
            if (ids[k].generation != 0)
                api_keep_joint(a, t.w, ids[k]);
}

static void set_joint_user(api* a)
{
    target t;
    cairn_joint_id id = pick_joint(a, &t);
    if (t.w < 0)
        return;
    api_begin(a);
    api_end(a, cairn_joint_set_user(t.world, id, a, a->said), t.w);
}

static void get_motion(api* a)
{
    target t;
    cairn_joint_motion motion;
    cairn_joint_id id = pick_joint(a, &t);
    cairn_joint_motion* place = API_OR_NULL(a, &motion);
    if (t.w < 0)
        return;
    api_begin(a);
    api_end(a, cairn_joint_get_motion(t.world, id, place, a->said), API_NOTHING);
}

// ---------------------------------------------------------------- alerts

static cairn_sensor_id sensor_of(api* a)
{
    return (cairn_sensor_id){api_int(a, 0, 4), (uint32_t)api_int(a, 0, 3)};
}

static void default_sensor_def(api* a)
{
    api_begin(a);
    cairn_sensor_def def = cairn_default_sensor_def();
    api_end(a, CAIRN_OK, API_NOTHING);
    if (def.shape || def.mask != CAIRN_MASK_ALL)
        api_broken(a, "other defaults than the header says");
}

static void add_sensor(api* a)
{
    target t;
    cairn_sensor_id id = {0};
    if (!pick(a, &t))
        return;
    cairn_sensor_def def = cairn_default_sensor_def();
    cairn_shape shape = api_pick_shape(a);
    def.shape = API_OR_NULL(a, &shape);
    def.pose = api_pose(a);
    if (api_chance(a, 128))
        def.body = t.id;
    const cairn_sensor_def* given = API_OR_NULL(a, &def);
    cairn_sensor_id* place = API_OR_NULL(a, &id);
    api_begin(a);
    api_end(a, cairn_world_add_sensor(t.world, given, place, a->said), t.w);
}

static void remove_sensor(api* a)
{
    target t;
    if (!pick(a, &t))
        return;
    cairn_sensor_id id = sensor_of(a);
    api_begin(a);
    api_end(a, cairn_world_remove_sensor(t.world, id, a->said), t.w);
}

static void sensor_events(api* a)
{
    target t;
    if (!pick(a, &t))
        return;
    api_begin(a);
    cairn_sensor_events events = cairn_world_sensor_events(t.world);
    api_end(a, CAIRN_OK, API_NOTHING);
    if (events.begun_count < 0 || events.ended_count < 0)
        api_broken(a, "%d bodies entered", events.begun_count);
}

static void sensor_inside(api* a)
{
    target t;
    cairn_body_id ids[8];
    if (!pick(a, &t))
        return;
    cairn_sensor_id id = sensor_of(a);
    cairn_body_id* place = API_OR_NULL(a, ids);
    int room = api_int(a, 0, 8);
    api_begin(a);
    int count = cairn_sensor_inside(t.world, id, place, room > 8 ? 8 : room);
    api_end(a, CAIRN_OK, API_NOTHING);
    if (count < 0 || count > cairn_world_body_slots(t.world))
        api_broken(a, "%d bodies inside", count);
}

static void set_hit_speed(api* a)
{
    target t;
    if (!pick(a, &t))
        return;
    double speed = api_real(a, 0.0, 5.0);
    api_begin(a);
    api_end(a, cairn_world_set_hit_speed(t.world, speed, a->said), t.w);
}

static void hits(api* a)
{
    target t;
    int count = 0;
    if (!pick(a, &t))
        return;
    api_begin(a);
    const cairn_hit_event* list = cairn_world_hits(t.world, &count);
    api_end(a, CAIRN_OK, API_NOTHING);
    for (int i = 0; i < count; i++)
        if (!isfinite(list[i].speed) || !(list[i].impulse > 0.0))
            api_broken(a, "a hit of %g m/s and %g N s", list[i].speed, list[i].impulse);
}

static void broken(api* a)
{
    target t;
    int count = 0;
    if (!pick(a, &t))
        return;
    api_begin(a);
    const cairn_break_event* list = cairn_world_broken(t.world, &count);
    api_end(a, CAIRN_OK, API_NOTHING);
    for (int i = 0; i < count; i++)
        if (!isfinite(list[i].force) || !isfinite(list[i].torque))
            api_broken(a, "a joint broke at %g N", list[i].force);
}

static void no_line(void* context, cairn_vec3 from, cairn_vec3 to, uint32_t color)
{
    (void)from;
    (void)to;
    *(uint32_t*)context |= color;
}

static void draw(api* a)
{
    target t;
    uint32_t seen = 0;
    if (!pick(a, &t))
        return;
    cairn_draw def = cairn_default_draw();
    def.what = (unsigned)api_int(a, 0, 31);
    def.extent = api_real(a, 0.0, 20.0);
    def.context = &seen;
    def.line = no_line;
    const cairn_draw* given = API_OR_NULL(a, &def);
    api_begin(a);
    api_end(a, cairn_world_draw(t.world, given, a->said), API_NOTHING);
}

// every seventh pair is let through
static bool some_pairs(void* context, const cairn_world* world, cairn_body_id x, cairn_body_id y)
{
    (void)context;
    cairn_body_state state;
    return cairn_body_get(world, x, &state, NULL) == CAIRN_OK && (x.index + y.index) % 7 != 0;
}

static void set_pair_hook(api* a)
{
    target t;
    if (!pick(a, &t))
        return;
    cairn_pair_hook hook = api_chance(a, 128) ? some_pairs : NULL;
    api_begin(a);
    api_end(a, cairn_world_set_pair_hook(t.world, hook, NULL, a->said), t.w);
}

// laws that are none
static void some_laws(void* context, const cairn_world* world, cairn_body_id x, int part_x,
                      cairn_body_id y, int part_y, cairn_law_of_pair* law)
{
    (void)context;
    (void)world;
    if ((x.index + part_x) % 3 == 0)
        law->mu = (double)NAN;
    if ((y.index + part_y) % 3 == 0)
        law->restitution = 7.0;
    law->mu_static = 0.9;
}

// by the place of the contact
static bool some_contacts(void* context, const cairn_world* world, const cairn_contact* contact)
{
    (void)context;
    return cairn_world_time(world) >= 0.0 && contact->normal.z + contact->gap < 0.7;
}

static void set_contact_hook(api* a)
{
    target t;
    if (!pick(a, &t))
        return;
    cairn_contact_hook hook = api_chance(a, 128) ? some_contacts : NULL;
    api_begin(a);
    api_end(a, cairn_world_set_contact_hook(t.world, hook, NULL, a->said), t.w);
}

static void set_material_hook(api* a)
{
    target t;
    if (!pick(a, &t))
        return;
    cairn_material_hook hook = api_chance(a, 128) ? some_laws : NULL;
    api_begin(a);
    api_end(a, cairn_world_set_material_hook(t.world, hook, NULL, a->said), t.w);
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
    {"cairn_default_part", default_part, 1},
    {"cairn_body_set_shape", set_shape, 3},
    {"cairn_joint_set_limits", set_limits, 2},
    {"cairn_joint_set_spring", set_spring, 2},
    {"cairn_joint_set_servo", set_servo, 3},
    {"cairn_joint_set_break", set_break, 2},
    {"cairn_body_lock", lock_body, 2},
    {"cairn_world_add_bushing", add_bushing, 2},
    {"cairn_default_draw", draw, 1},
    {"cairn_world_draw", draw, 1},
    {"cairn_joint_set_user", set_joint_user, 1},
    {"cairn_joint_get_motion", get_motion, 2},
    {"cairn_default_sensor_def", default_sensor_def, 1},
    {"cairn_world_add_sensor", add_sensor, 4},
    {"cairn_world_remove_sensor", remove_sensor, 1},
    {"cairn_world_sensor_events", sensor_events, 1},
    {"cairn_sensor_inside", sensor_inside, 1},
    {"cairn_world_set_hit_speed", set_hit_speed, 1},
    {"cairn_world_hits", hits, 1},
    {"cairn_world_broken", broken, 1},
    {"cairn_world_set_pair_hook", set_pair_hook, 1},
    {"cairn_world_set_contact_hook", set_contact_hook, 1},
    {"cairn_world_set_material_hook", set_material_hook, 1},
    {0},
};
// clang-format on
