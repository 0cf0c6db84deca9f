// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The calls on bodies and joints of a world.

#include "api.h"
#include <string.h>

// ---------------------------------------------------------------- bodies

static cairn_material material(api* a)
{
    cairn_material m = cairn_default_material();
    int b = api_byte(a);
    m.mu = api_real(a, 0.0, 1.2);
    m.restitution = api_real(a, 0.0, 1.0);
    if (b & 1)
        m.mu_spin = api_real(a, 0.0, 0.05);
    if ((b & 48) == 48)
        m.mu_static = api_real(a, 0.0, 1.5);
    if ((b & 192) == 192)
        m.mu_roll = api_real(a, 0.0, 0.05);
    if ((b & 80) == 80) {
        m.stiffness = api_real(a, 0.0, 1e5);
        m.damping = api_real(a, 0.0, 1e3);
    }
    if ((b & 160) == 160)
        m.surface_velocity = api_vec(a, -3.0, 3.0);
    if ((b & 6) == 6) {
        m.direction = api_unit(a);
        m.mu_across = api_real(a, 0.0, 1.0);
    }
    if (b & 8) {
        m.friction_rule = (cairn_combine)api_int(a, 0, 4);
        m.restitution_rule = (cairn_combine)api_int(a, 0, 4);
    }
    return m;
}

// most bodies move
static cairn_body_type body_type(api* a)
{
    int choice = api_int(a, 0, 7);
    if (choice >= 0 && choice < 6)
        return CAIRN_BODY_DYNAMIC;
    if (choice == 6 || choice == 7)
        return choice == 6 ? CAIRN_BODY_KINEMATIC : CAIRN_BODY_STATIC;
    return (cairn_body_type)choice;
}

static cairn_body_def body_def(api* a, const cairn_shape* shape)
{
    cairn_body_def def = cairn_default_body_def();
    int b = api_byte(a);
    def.shape = shape;
    def.type =
        shape->kind == CAIRN_SHAPE_HALF_SPACE && !(b & 128) ? CAIRN_BODY_STATIC : body_type(a);
    def.pose = api_pose(a);
    if (b & 1)
        def.velocity = api_vec(a, -5.0, 5.0);
    if (b & 2)
        def.spin = api_vec(a, -5.0, 5.0);
    if (b & 4)
        def.material = material(a);
    if ((b & 24) == 24) {
        def.mass = api_real(a, 0.1, 100.0);
        def.inertia = api_inertia(a);
        def.shape = api_chance(a, 64) ? NULL : shape;
        def.centered = api_chance(a, 64);
        if (def.centered)
            def.center = api_vec(a, -0.5, 0.5);
    } else if (b & 8) {
        def.density = api_real(a, 1.0, 5000.0);
    }
    if ((b & 48) == 48) {
        def.linear_damping = api_real(a, 0.0, 2.0);
        def.angular_damping = api_real(a, 0.0, 2.0);
        def.gravity_scale = api_real(a, -1.0, 1.0);
    }
    if ((b & 80) == 80) {
        def.belt = def.type == CAIRN_BODY_KINEMATIC;
        def.centered = true;
        def.center = api_vec(a, -0.3, 0.3);
    }
    if ((b & 96) == 96) {
        def.shape_offset = api_pose(a);
        def.mask = (uint32_t)api_int(a, 0, 3);
    }
    return def;
}

static void default_body_def(api* a)
{
    api_begin(a);
    cairn_body_def def = cairn_default_body_def();
    api_end(a, CAIRN_OK, API_NOTHING);
    if (def.shape || def.density != 1000.0 || def.gravity_scale != 1.0)
        api_broken(a, "other defaults than the header says");
}

static void default_material(api* a)
{
    api_begin(a);
    cairn_material m = cairn_default_material();
    api_end(a, CAIRN_OK, API_NOTHING);
    if (!(m.mu >= 0.0) || !(m.restitution >= 0.0))
        api_broken(a, "a default that is refused");
}

static void add_body(api* a)
{
    int w = api_pick_world(a);
    if (w < 0 || a->body_count == api_most_bodies)
        return;
    cairn_body_id id = {0};
    cairn_shape shape = api_pick_shape(a);
    cairn_body_def def = body_def(a, &shape);
    cairn_world* world = API_OR_NULL(a, a->worlds[w].world);
    const cairn_body_def* given = API_OR_NULL(a, &def);
    cairn_body_id* place = API_OR_NULL(a, &id);
    api_begin(a);
    if (api_end(a, cairn_world_add_body(world, given, place, a->said), w))
        api_keep_body(a, w, id);
}

static void exclude(api* a)
{
    int w = api_pick_world(a);
    if (w < 0)
        return;
    cairn_world* world = API_OR_NULL(a, a->worlds[w].world);
    cairn_body_id one = api_pick_body(a, w), other = api_pick_body(a, w);
    bool excluded = api_chance(a, 128);
    api_begin(a);
    api_end(a, cairn_world_exclude(world, one, other, excluded, a->said), w);
}

static void excluded_pairs(api* a)
{
    int w = api_pick_world(a), slots[4][2] = {{0}};
    if (w < 0)
        return;
    const cairn_world* world = API_OR_NULL(a, a->worlds[w].world);
    api_begin(a);
    cairn_world_excluded(world, api_chance(a, 32) ? NULL : slots, api_chance(a, 32) ? -1 : 4);
    api_end(a, CAIRN_OK, API_NOTHING);
}

static void remove_body(api* a)
{
    int w = api_pick_world(a);
    if (w < 0)
        return;
    cairn_body_id id = api_pick_body(a, w);
    cairn_world* world = API_OR_NULL(a, a->worlds[w].world);
    api_begin(a);
    api_end(a, cairn_world_remove_body(world, id, a->said), w);
}

static void body_get(api* a)
{
    int w = api_pick_world(a);
    if (w < 0)
        return;
    cairn_body_state state;
    cairn_body_id id = api_pick_body(a, w);
    cairn_world* world = API_OR_NULL(a, a->worlds[w].world);
    cairn_body_state* place = API_OR_NULL(a, &state);
    api_begin(a);
    api_end(a, cairn_body_get(world, id, place, a->said), API_NOTHING);
}

// a definition that is read back makes the same body again
static void get_body_def(api* a)
{
    int w = api_pick_world(a);
    if (w < 0)
        return;
    cairn_body_def def;
    cairn_body_id id = api_pick_body(a, w), twin = {0};
    cairn_world* world = API_OR_NULL(a, a->worlds[w].world);
    cairn_body_def* place = API_OR_NULL(a, &def);
    api_begin(a);
    if (!api_end(a, cairn_body_get_def(world, id, place, a->said), API_NOTHING) ||
        !api_chance(a, 32) || a->body_count == api_most_bodies)
        return;

    // the world may move the shape that the definition points at
    cairn_shape shape;
    if (def.shape) {
        shape = *def.shape;
        def.shape = &shape;
    }
    api_begin(a);
    if (api_end(a, cairn_world_add_body(a->worlds[w].world, &def, &twin, a->said), w))
        api_keep_body(a, w, twin);
}

static void get_mass(api* a)
{
    int w = api_pick_world(a);
    if (w < 0)
        return;
    cairn_body_mass mass;
    cairn_body_id id = api_pick_body(a, w);
    cairn_world* world = API_OR_NULL(a, a->worlds[w].world);
    cairn_body_mass* place = API_OR_NULL(a, &mass);
    api_begin(a);
    if (api_end(a, cairn_body_get_mass(world, id, place, a->said), API_NOTHING) &&
        !(mass.mass > 0.0))
        api_broken(a, "a mass of %g kg", mass.mass);
}

static void set_pose(api* a)
{
    int w = api_pick_world(a);
    if (w < 0)
        return;
    cairn_body_id id = api_pick_body(a, w);
    cairn_transform pose = api_pose(a);
    cairn_world* world = API_OR_NULL(a, a->worlds[w].world);
    api_begin(a);
    api_end(a, cairn_body_set_pose(world, id, pose, a->said), w);
}

static void set_velocity(api* a)
{
    int w = api_pick_world(a);
    if (w < 0)
        return;
    cairn_body_id id = api_pick_body(a, w);
    cairn_vec3 velocity = api_vec(a, -10.0, 10.0), spin = api_vec(a, -10.0, 10.0);
    cairn_world* world = API_OR_NULL(a, a->worlds[w].world);
    api_begin(a);
    api_end(a, cairn_body_set_velocity(world, id, velocity, spin, a->said), w);
}

static void wake(api* a)
{
    int w = api_pick_world(a);
    if (w < 0)
        return;
    cairn_body_id id = api_pick_body(a, w);
    cairn_world* world = API_OR_NULL(a, a->worlds[w].world);
    api_begin(a);
    api_end(a, cairn_body_wake(world, id, a->said), w);
}

static void get_material(api* a)
{
    int w = api_pick_world(a);
    if (w < 0)
        return;
    cairn_material m;
    cairn_body_id id = api_pick_body(a, w);
    cairn_world* world = API_OR_NULL(a, a->worlds[w].world);
    cairn_material* place = API_OR_NULL(a, &m);
    api_begin(a);
    api_end(a, cairn_body_get_material(world, id, place, a->said), API_NOTHING);
}

static void set_material(api* a)
{
    int w = api_pick_world(a);
    if (w < 0)
        return;
    cairn_body_id id = api_pick_body(a, w);
    cairn_material m = material(a);
    cairn_world* world = API_OR_NULL(a, a->worlds[w].world);
    const cairn_material* given = API_OR_NULL(a, &m);
    api_begin(a);
    api_end(a, cairn_body_set_material(world, id, given, a->said), w);
}

static void add_force(api* a)
{
    int w = api_pick_world(a);
    if (w < 0)
        return;
    cairn_body_id id = api_pick_body(a, w);
    cairn_vec3 force = api_vec(a, -1e4, 1e4), point = api_vec(a, -2.0, 2.0);
    cairn_world* world = API_OR_NULL(a, a->worlds[w].world);
    api_begin(a);
    api_end(a, cairn_body_add_force(world, id, force, point, a->said), w);
}

static void add_torque(api* a)
{
    int w = api_pick_world(a);
    if (w < 0)
        return;
    cairn_body_id id = api_pick_body(a, w);
    cairn_vec3 torque = api_vec(a, -1e3, 1e3);
    cairn_world* world = API_OR_NULL(a, a->worlds[w].world);
    api_begin(a);
    api_end(a, cairn_body_add_torque(world, id, torque, a->said), w);
}

static void add_impulse(api* a)
{
    int w = api_pick_world(a);
    if (w < 0)
        return;
    cairn_body_id id = api_pick_body(a, w);
    cairn_vec3 impulse = api_vec(a, -1e3, 1e3), point = api_vec(a, -2.0, 2.0);
    cairn_world* world = API_OR_NULL(a, a->worlds[w].world);
    api_begin(a);
    api_end(a, cairn_body_add_impulse(world, id, impulse, point, a->said), w);
}

// clang-format off: one line for each call
const api_call api_body_calls[] = {
    {"cairn_default_body_def", default_body_def, 1},
    {"cairn_default_material", default_material, 1},
    {"cairn_world_add_body", add_body, 30},
    {"cairn_world_exclude", exclude, 2},
    {"cairn_world_excluded", excluded_pairs, 1},
    {"cairn_world_remove_body", remove_body, 8},
    {"cairn_body_get", body_get, 2},
    {"cairn_body_get_def", get_body_def, 2},
    {"cairn_body_get_mass", get_mass, 1},
    {"cairn_body_set_pose", set_pose, 4},
    {"cairn_body_set_velocity", set_velocity, 4},
    {"cairn_body_wake", wake, 2},
    {"cairn_body_get_material", get_material, 1},
    {"cairn_body_set_material", set_material, 3},
    {"cairn_body_add_force", add_force, 3},
    {"cairn_body_add_torque", add_torque, 2},
    {"cairn_body_add_impulse", add_impulse, 3},
    {0},
};
// clang-format on

// ---------------------------------------------------------------- joints

static void set_actuators(api* a, cairn_joint_def* def)
{
    int b = api_byte(a);
    if (b & 1) {
        def->limited = true;
        def->lo = api_real(a, -1.0, 0.0);
        def->hi = api_real(a, 0.0, 1.0);
    }
    if (b & 2) {
        def->driven = true;
        def->speed = api_real(a, -5.0, 5.0);
        def->strength = api_real(a, 0.0, 1e3);
    }
    if (b & 4) {
        def->stiffness = api_real(a, 0.0, 1e4);
        def->damping = api_real(a, 0.0, 1e2);
        def->rest = api_real(a, 0.0, 1.0);
    }
    if (b & 8)
        def->servo = !def->driven;
    if (b & 16)
        def->break_force = api_real(a, 0.0, 1e4);
}

static void set_surface(api* a, cairn_joint_def* def)
{
    def->surface = (cairn_surface)api_int(a, 0, 3);
    def->radius = api_real(a, 0.0, 2.0);
    def->tube = api_real(a, 0.0, 0.5);
    def->roller = api_real(a, 0.05, 0.5);
    def->wheel = api_chance(a, 64);
}

static cairn_joint_def joint_def(api* a, int w)
{
    cairn_joint_def def =
        cairn_default_joint_def((cairn_joint_kind)api_int(a, 0, CAIRN_JOINT_KIND_COUNT - 1));
    int b = api_byte(a);
    def.body_a = b & 1 ? (cairn_body_id){0} : api_pick_body(a, w);
    def.body_b = api_pick_body(a, w);
    if (b & 2)
        def.frame_a = api_pose(a);
    if (b & 4)
        def.frame_b = api_pose(a);
    if (b & 8)
        set_actuators(a, &def);
    if (b & 16)
        def.ratio = api_real(a, -3.0, 3.0);
    if (def.kind == CAIRN_JOINT_SURFACE || def.kind == CAIRN_JOINT_ROLLING)
        set_surface(a, &def);
    if (def.kind == CAIRN_JOINT_LOCKS)
        def.locks = (unsigned)api_int(a, 1, 63);
    if (def.kind == CAIRN_JOINT_PULLEY) {
        def.anchor_a = api_pose(a).p;
        def.anchor_b = api_pose(a).p;
    }
    def.collide = (b & 64) != 0;
    return def;
}

static void default_joint_def(api* a)
{
    int kind = api_int(a, 0, 9);
    api_begin(a);
    cairn_joint_def def = cairn_default_joint_def((cairn_joint_kind)kind);
    api_end(a, CAIRN_OK, API_NOTHING);
    if ((int)def.kind != kind || def.limited || def.driven)
        api_broken(a, "other defaults than the header says");
}

static void add_joint(api* a)
{
    int w = api_pick_world(a);
    if (w < 0 || a->joint_count == api_most_joints)
        return;
    cairn_joint_id id = {0};
    cairn_joint_def def = joint_def(a, w);
    cairn_world* world = API_OR_NULL(a, a->worlds[w].world);
    const cairn_joint_def* given = API_OR_NULL(a, &def);
    cairn_joint_id* place = API_OR_NULL(a, &id);
    api_begin(a);
    if (api_end(a, cairn_world_add_joint(world, given, place, a->said), w))
        api_keep_joint(a, w, id);
}

static void remove_joint(api* a)
{
    int w = api_pick_world(a);
    if (w < 0)
        return;
    cairn_joint_id id = api_pick_joint(a, w);
    cairn_world* world = API_OR_NULL(a, a->worlds[w].world);
    api_begin(a);
    api_end(a, cairn_world_remove_joint(world, id, a->said), w);
}

static void joint_get(api* a)
{
    int w = api_pick_world(a);
    if (w < 0)
        return;
    cairn_joint_state state;
    cairn_joint_id id = api_pick_joint(a, w);
    cairn_world* world = API_OR_NULL(a, a->worlds[w].world);
    cairn_joint_state* place = API_OR_NULL(a, &state);
    api_begin(a);
    api_end(a, cairn_joint_get(world, id, place, a->said), API_NOTHING);
}

static void get_joint_def(api* a)
{
    int w = api_pick_world(a);
    if (w < 0)
        return;
    cairn_joint_def def;
    cairn_joint_id id = api_pick_joint(a, w);
    cairn_world* world = API_OR_NULL(a, a->worlds[w].world);
    cairn_joint_def* place = API_OR_NULL(a, &def);
    api_begin(a);
    api_end(a, cairn_joint_get_def(world, id, place, a->said), API_NOTHING);
}

static void set_motor(api* a)
{
    int w = api_pick_world(a);
    if (w < 0)
        return;
    cairn_joint_id id = api_pick_joint(a, w);
    double speed = api_real(a, -5.0, 5.0), strength = api_real(a, 0.0, 1e3);
    cairn_world* world = API_OR_NULL(a, a->worlds[w].world);
    api_begin(a);
    api_end(a, cairn_joint_set_motor(world, id, speed, strength, a->said), w);
}

// clang-format off: one line for each call
const api_call api_joint_calls[] = {
    {"cairn_default_joint_def", default_joint_def, 1},
    {"cairn_world_add_joint", add_joint, 16},
    {"cairn_world_remove_joint", remove_joint, 3},
    {"cairn_joint_get", joint_get, 2},
    {"cairn_joint_get_def", get_joint_def, 1},
    {"cairn_joint_set_motor", set_motor, 4},
    {0},
};
// clang-format on
