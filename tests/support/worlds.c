// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors

#include "worlds.h"
#include "check_cairn.h"
#include <cairn/random.h>

static const double quarter_turn = 1.5707963267948966;

cairn_world* worlds_empty(cairn_world_def def)
{
    cairn_world* world = NULL;
    CHECK(cairn_world_create(&def, &world, NULL) == CAIRN_OK);
    return world;
}

cairn_body_id worlds_add(cairn_world* world, cairn_body_type type, cairn_shape shape, cairn_vec3 at)
{
    cairn_body_def def = cairn_default_body_def();
    cairn_body_id id = {0};
    cairn_error error = {""};
    def.type = type;
    def.shape = &shape;
    def.pose.p = at;
    def.material.mu = 0.6;
    cairn_status status = cairn_world_add_body(world, &def, &id, &error);
    ck_assert_msg(status == CAIRN_OK, "%s", error.text);
    return id;
}

cairn_body_id worlds_ground(cairn_world* world)
{
    return worlds_add(world, CAIRN_BODY_STATIC, cairn_shape_half_space(), cairn_vec(0.0, 0.0, 0.0));
}

cairn_body_state worlds_state(const cairn_world* world, cairn_body_id id)
{
    cairn_body_state state = {0};
    CHECK(cairn_body_get(world, id, &state, NULL) == CAIRN_OK);
    return state;
}

cairn_step_report worlds_run(cairn_world* world, int steps)
{
    cairn_step_report report = {0}, worst = {0};
    cairn_error error = {""};
    for (int i = 0; i < steps; i++) {
        cairn_status status = cairn_world_step(world, worlds_dt, &report, &error);
        ck_assert_msg(status == CAIRN_OK, "%s", error.text);
        worst.residual = fmax(worst.residual, report.residual);
        worst.penetration = fmax(worst.penetration, report.penetration);
        worst.joint_error = fmax(worst.joint_error, report.joint_error);
    }
    report.residual = worst.residual;
    report.penetration = worst.penetration;
    report.joint_error = worst.joint_error;
    return report;
}

cairn_world* worlds_wall(cairn_world_def def, int rows, int bricks)
{
    cairn_world* world = worlds_empty(def);
    cairn_shape brick = cairn_shape_box(cairn_vec(0.5, 0.25, 0.25));
    worlds_ground(world);
    for (int i = 0; i < rows; i++)
        for (int k = 0; k < bricks; k++) {
            double x = 1.01 * (k - 0.5 * (bricks - 1)) + (i % 2 ? 0.125 : -0.125);
            worlds_add(world, CAIRN_BODY_DYNAMIC, brick, cairn_vec(x, 0.0, 0.25 + 0.5 * i));
        }
    return world;
}

cairn_world* worlds_pyramid(cairn_world_def def, int rows)
{
    cairn_world* world = worlds_empty(def);
    cairn_shape cube = cairn_shape_box(cairn_vec(0.5, 0.5, 0.5));
    worlds_ground(world);
    for (int i = 0; i < rows; i++)
        for (int k = 0; k < rows - i; k++)
            worlds_add(world, CAIRN_BODY_DYNAMIC, cube,
                       cairn_vec(1.1 * (k - 0.5 * (rows - i - 1)), 0.0, 0.5 + i));
    return world;
}

cairn_world* worlds_heap(cairn_world_def def, int n)
{
    cairn_world* world = worlds_empty(def);
    cairn_random random = {7};
    double half = 0.55 * n + 0.1;
    worlds_ground(world);
    for (int k = 0; k < 4; k++) {
        double c = k % 2 ? 0.0 : (k < 2 ? 1.0 : -1.0), s = k % 2 ? (k < 2 ? 1.0 : -1.0) : 0.0;
        cairn_vec3 size = cairn_vec(k % 2 ? half + 1.0 : 0.5, k % 2 ? 0.5 : half + 1.0, 2.0 * n);
        worlds_add(world, CAIRN_BODY_STATIC, cairn_shape_box(size),
                   cairn_vec(c * (half + 0.5), s * (half + 0.5), 2.0 * n));
    }
    for (int i = 0; i < n * n * n; i++) {
        cairn_vec3 at = cairn_vec(1.1 * (i % n - 0.5 * (n - 1)), 1.1 * (i / n % n - 0.5 * (n - 1)),
                                  0.6 + 1.1 * (i / n / n));
        at.x += cairn_random_range(&random, -0.04, 0.04);
        at.y += cairn_random_range(&random, -0.04, 0.04);
        worlds_add(world, CAIRN_BODY_DYNAMIC, cairn_shape_sphere(0.5), at);
    }
    return world;
}

cairn_world* worlds_chain(cairn_world_def def, int links, cairn_body_id* last)
{
    cairn_world* world = worlds_empty(def);
    cairn_shape capsule = cairn_shape_capsule(0.05, 0.25);
    cairn_body_id before = {0}, body;
    for (int i = 0; i < links; i++) {
        cairn_body_def link = cairn_default_body_def();
        cairn_joint_def joint = cairn_default_joint_def(CAIRN_JOINT_BALL);
        cairn_joint_id id;
        link.shape = &capsule;
        link.mask = 0;
        link.pose.p = cairn_vec(0.5 * i + 0.25, 0.0, 0.0);
        // the capsule's z axis along x
        link.pose.q = cairn_quat_from_rotation_vector(cairn_vec(0.0, quarter_turn, 0.0));
        CHECK(cairn_world_add_body(world, &link, &body, NULL) == CAIRN_OK);
        joint.body_a = before;
        joint.body_b = body;
        joint.frame_a.p = i > 0 ? cairn_vec(0.0, 0.0, 0.25) : cairn_vec(0.0, 0.0, 0.0);
        joint.frame_b.p = cairn_vec(0.0, 0.0, -0.25);
        CHECK(cairn_world_add_joint(world, &joint, &id, NULL) == CAIRN_OK);
        before = body;
    }
    if (last)
        *last = before;
    return world;
}

cairn_world* worlds_columns(cairn_world_def def, int count, int height)
{
    cairn_world* world = worlds_empty(def);
    worlds_ground(world);
    for (int i = 0; i < count; i++)
        for (int k = 0; k < height; k++)
            worlds_add(world, CAIRN_BODY_DYNAMIC, cairn_shape_box(cairn_vec(0.5, 0.5, 0.5)),
                       cairn_vec(3.0 * i, 0.05 * (k % 2), 0.5 + k));
    return world;
}

static cairn_joint_id join(cairn_world* world, cairn_joint_def joint)
{
    cairn_joint_id id = {0};
    cairn_error error = {""};
    cairn_status status = cairn_world_add_joint(world, &joint, &id, &error);
    ck_assert_msg(status == CAIRN_OK, "%s", error.text);
    return id;
}

cairn_world* worlds_machine(cairn_world_def def, cairn_joint_id* motor)
{
    cairn_world* world = worlds_empty(def);
    cairn_quat along_y = cairn_quat_from_rotation_vector(cairn_vec(-quarter_turn, 0.0, 0.0));
    cairn_quat along_x = cairn_quat_from_rotation_vector(cairn_vec(0.0, quarter_turn, 0.0));
    worlds_ground(world);
    cairn_body_id cart =
        worlds_add(world, CAIRN_BODY_DYNAMIC, cairn_shape_box(cairn_vec(0.6, 0.2, 0.1)),
                   cairn_vec(0.0, 0.0, 0.6));
    cairn_body_id wheel[2];
    for (int k = 0; k < 2; k++) {
        wheel[k] = worlds_add(world, CAIRN_BODY_DYNAMIC, cairn_shape_sphere(0.3),
                              cairn_vec(k ? 0.7 : -0.7, 0.0, 0.3));
        cairn_joint_def axle = cairn_default_joint_def(CAIRN_JOINT_HINGE);
        axle.body_a = cart;
        axle.body_b = wheel[k];
        axle.frame_a = (cairn_transform){cairn_vec(k ? 0.7 : -0.7, 0.0, -0.3), along_y};
        axle.frame_b.q = along_y;
        axle.driven = k == 0;
        axle.speed = 4.0;
        axle.strength = 200.0;
        cairn_joint_id id = join(world, axle);
        if (k == 0)
            *motor = id;
    }
    cairn_body_id trailer =
        worlds_add(world, CAIRN_BODY_DYNAMIC, cairn_shape_box(cairn_vec(0.2, 0.2, 0.2)),
                   cairn_vec(-2.0, 0.0, 0.2));
    cairn_joint_def spring = cairn_default_joint_def(CAIRN_JOINT_DISTANCE);
    spring.body_a = cart;
    spring.body_b = trailer;
    spring.stiffness = 2000.0;
    spring.damping = 50.0;
    spring.rest = 1.5;
    join(world, spring);
    cairn_body_id slide =
        worlds_add(world, CAIRN_BODY_DYNAMIC, cairn_shape_box(cairn_vec(0.1, 0.1, 0.1)),
                   cairn_vec(0.0, 0.0, 1.2));
    cairn_joint_def slider = cairn_default_joint_def(CAIRN_JOINT_SLIDER);
    slider.body_a = cart;
    slider.body_b = slide;
    slider.frame_a = (cairn_transform){cairn_vec(0.0, 0.0, 0.6), along_x};
    slider.frame_b.q = along_x;
    slider.limited = true;
    slider.lo = -0.2;
    slider.hi = 0.2;
    join(world, slider);
    return world;
}

// ---------------------------------------------------------------- all that can be seen

static uint64_t mix(uint64_t hash, const void* bytes, size_t count)
{
    const unsigned char* b = bytes;
    for (size_t i = 0; i < count; i++)
        hash = (hash ^ b[i]) * 0x100000001b3u;
    return hash;
}

static uint64_t mix_events(uint64_t hash, const cairn_contact_event* events, int count)
{
    hash = mix(hash, &count, sizeof count);
    for (int i = 0; i < count; i++) {
        const int ids[] = {events[i].body_a.index, (int)events[i].body_a.generation,
                           events[i].body_b.index, (int)events[i].body_b.generation};
        hash = mix(hash, ids, sizeof ids);
    }
    return hash;
}

uint64_t worlds_seen(const cairn_world* world)
{
    int count;
    double energy[2];
    uint64_t hash = cairn_world_hash(world);
    const cairn_contact* contacts = cairn_world_contacts(world, &count);
    hash = mix(hash, &count, sizeof count);
    for (int c = 0; c < count; c++) {
        const int ids[] = {contacts[c].body_a.index, contacts[c].body_b.index, contacts[c].part_a,
                           contacts[c].part_b, (int)contacts[c].state};
        hash = mix(hash, ids, sizeof ids);
        hash = mix(hash, &contacts[c].point, 3 * sizeof(cairn_vec3) + sizeof(double));
    }
    cairn_events events = cairn_world_events(world);
    hash = mix_events(hash, events.begun, events.begun_count);
    hash = mix_events(hash, events.ended, events.ended_count);
    cairn_world_energy(world, &energy[0], &energy[1]);
    return mix(hash, energy, sizeof energy);
}

void worlds_follow(uint64_t* hash, cairn_world* world, double dt)
{
    for (int i = 0; i < worlds_followed; i++) {
        cairn_step_report r = {0};
        CHECK(cairn_world_step(world, dt, &r, NULL) == CAIRN_OK);
        const double numbers[] = {(double)r.step, r.time, r.residual, r.penetration, r.joint_error};
        const int counts[] = {r.bodies, r.contacts, r.awake, r.islands, r.rested, r.frozen};
        hash[i] = mix(mix(worlds_seen(world), numbers, sizeof numbers), counts, sizeof counts);
    }
}
