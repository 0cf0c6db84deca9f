// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Closed systems without motors over 10^5 steps of 1/60 s (a tenth of that with --quick), a section
// of the suite `quality`. With what the steps report,
//
//     E - E0 = W + W_motor - D - D_numeric + defect + rest,
//
// the rest is what nobody told. Energy must not be above its start, and little below it: `kept` is
// the largest of the last 200 steps, less the start.

#include "motion.h"
#include <math.h>

static const cairn_vec3 down = {0.0, 0.0, -9.81}, y_axis = {0.0, 1.0, 0.0};

typedef struct system_case {
    const char *told, *gained, *kept;    // names of the rows
    cairn_world* (*make)(double* scale); // J: what its energies are relative to
} system_case;

static cairn_body_id add_rod(cairn_world* world, double from, double length, cairn_body_id last)
{
    cairn_shape rod = cairn_shape_capsule(0.02, 0.5 * length);
    cairn_body_def def = cairn_default_body_def();
    def.shape = &rod;
    def.mass = 1.0;
    def.mask = 0; // rods pass each other
    def.pose =
        (cairn_transform){{from + 0.5 * length, 0.0, 0.0}, motion_turn(y_axis, 0.5 * motion_pi)};
    cairn_body_id id = motion_add(world, &def);
    cairn_joint_def joint = cairn_default_joint_def(CAIRN_JOINT_BALL);
    cairn_transform at = {{from, 0.0, 0.0}, cairn_quat_identity()};
    joint.body_a = last;
    joint.body_b = id;
    joint.frame_a =
        last.generation ? cairn_transform_relative(motion_state(world, last).pose, at) : at;
    joint.frame_b = cairn_transform_relative(def.pose, at);
    motion_join(world, &joint);
    return id;
}

static cairn_world* rods(int count, double* scale)
{
    cairn_world* world = motion_world(down);
    cairn_body_id last = {0};
    for (int i = 0; i < count; i++)
        last = add_rod(world, 0.5 * i, 0.5, last);
    *scale = motion_g * 0.5 * count * count;
    return world;
}

static cairn_world* pendulum(double* scale)
{
    return rods(1, scale);
}

static cairn_world* double_pendulum(double* scale)
{
    return rods(2, scale);
}

static cairn_world* chain(double* scale)
{
    return rods(5, scale);
}

// 1 kg on a slider with a spring of 100 N/m, from 10 cm
static cairn_world* spring(double* scale)
{
    cairn_world* world = motion_world(cairn_vec(0.0, 0.0, 0.0));
    cairn_shape ball = cairn_shape_sphere(0.1);
    cairn_body_def def = cairn_default_body_def();
    def.shape = &ball;
    def.mass = 1.0;
    cairn_joint_def joint = cairn_default_joint_def(CAIRN_JOINT_SLIDER);
    joint.body_b = motion_add(world, &def);
    joint.frame_a = joint.frame_b = cairn_transform_identity();
    joint.stiffness = 100.0;
    joint.rest = 0.1;
    motion_join(world, &joint);
    *scale = 0.5 * 100.0 * 0.01;
    return world;
}

// a disc of 1 kg spins at 100 rad/s about a rod of 0.2 m that leans by 30° on a ball joint
static cairn_world* top(double* scale)
{
    const double lean = motion_pi / 6.0;
    cairn_world* world = motion_world(down);
    cairn_body_def def = cairn_default_body_def();
    def.mass = 1.0;
    def.inertia = cairn_mat3_diagonal(0.0025, 0.0025, 0.005);
    def.pose.q = motion_turn(y_axis, lean);
    def.pose.p = cairn_rotate(def.pose.q, cairn_vec(0.0, 0.0, 0.2));
    def.spin = cairn_rotate(def.pose.q, cairn_vec(0.0, 0.0, 100.0));
    cairn_joint_def joint = cairn_default_joint_def(CAIRN_JOINT_BALL);
    joint.body_b = motion_add(world, &def);
    joint.frame_a = cairn_transform_identity();
    joint.frame_b = (cairn_transform){{0.0, 0.0, -0.2}, cairn_quat_identity()};
    motion_join(world, &joint);
    *scale = 0.5 * 0.005 * 1e4;
    return world;
}

static cairn_world* floor_under(cairn_vec3 gravity)
{
    cairn_world* world = motion_world(gravity);
    cairn_shape plane = cairn_shape_half_space();
    cairn_body_def def = cairn_default_body_def();
    def.type = CAIRN_BODY_STATIC;
    def.shape = &plane;
    motion_add(world, &def);
    return world;
}

static cairn_world* rolling_ball(double* scale)
{
    cairn_world* world = floor_under(down);
    cairn_shape ball = cairn_shape_sphere(0.1);
    cairn_body_def def = cairn_default_body_def();
    def.shape = &ball;
    def.mass = 1.0;
    def.pose.p.z = 0.1;
    def.velocity.x = 0.5;
    def.spin.y = 5.0;
    motion_add(world, &def);
    *scale = 0.7 * 0.25;
    return world;
}

// cubes of 1 kg on each other; on a slope, the floor under gravity that leans by 20°
static cairn_world* cubes(int count, double lean, double* scale)
{
    cairn_world* world = floor_under(cairn_vec(motion_g * sin(lean), 0.0, -motion_g * cos(lean)));
    cairn_shape cube = cairn_shape_box(cairn_vec(0.1, 0.1, 0.1));
    for (int i = 0; i < count; i++) {
        cairn_body_def def = cairn_default_body_def();
        def.shape = &cube;
        def.mass = 1.0;
        def.pose.p.z = 0.1 + 0.2 * i;
        motion_add(world, &def);
    }
    *scale = motion_g * 0.1 * count * count;
    return world;
}

static cairn_world* box_on_slope(double* scale)
{
    return cubes(1, motion_pi / 9.0, scale);
}

static cairn_world* stack(double* scale)
{
    return cubes(5, 0.0, scale);
}

static void endure(bench* b, const system_case* own, int steps)
{
    enum { last = 200 };
    double scale, told = 0.0, most = 0.0, kept = -INFINITY;
    cairn_world* world = own->make(&scale);

    double start = motion_energy(world);
    if (own->make == spring)
        start += scale; // the world's energy has no springs: it starts stretched, and at rest
    double now = start;

    // what the steps tell must add up to the change of energy
    for (int i = 0; i < steps; i++) {
        cairn_motion m = motion_step(world, motion_dt).motion;
        told +=
            m.work_external + m.work_motor - m.dissipated - m.dissipated_numeric + m.energy_defect;

        now = motion_energy(world);
        most = fmax(most, now - start);
        kept = i < steps - last ? kept : fmax(kept, now - start);
    }

    if (own->make != spring)
        motion_row(b, own->told, "of its energy", 0.0, (now - start - told) / scale, 1e-6);
    motion_row(b, own->gained, "of its energy", 0.0, most / scale, 1e-3);
    motion_row(b, own->kept, "of its energy", 0.0, kept / scale, 1e-2);
    cairn_world_destroy(world);
}

void motion_long(bench* b)
{
    static const system_case cases[] = {
        {"pendulum: not told", "pendulum: gained", "pendulum: kept", pendulum},
        {"double pendulum: not told", "double pendulum: gained", "double pendulum: kept",
         double_pendulum},
        {"chain of 5: not told", "chain of 5: gained", "chain of 5: kept", chain},
        {"spring: not told", "spring: gained", "spring: kept", spring},
        {"top: not told", "top: gained", "top: kept", top},
        {"rolling ball: not told", "rolling ball: gained", "rolling ball: kept", rolling_ball},
        {"box on a slope: not told", "box on a slope: gained", "box on a slope: kept",
         box_on_slope},
        {"stack of 5: not told", "stack of 5: gained", "stack of 5: kept", stack}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        endure(b, &cases[i], b->quick ? 10000 : 100000);
}
