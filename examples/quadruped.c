// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// A robot of four legs with two servos each stands, crouches and stands up again. Its feet bear its
// weight, and its height follows from the angles of the servos.
#include "example.h"

static const double thigh = 0.3, shin = 0.3, foot = 0.03;

typedef struct robot {
    cairn_world* world;
    cairn_body_id trunk;
    cairn_joint_id hips[4], knees[4];
} robot;

// targets of all servos: the thigh leans forwards by an angle, the shin back by twice of it
static void pose(robot* r, double angle)
{
    cairn_error error;
    for (int i = 0; i < 4; i++) {
        must(cairn_joint_set_servo(r->world, r->hips[i], -angle, 800.0, 40.0, 60.0, &error),
             &error);
        must(cairn_joint_set_servo(r->world, r->knees[i], 2.0 * angle, 800.0, 40.0, 60.0, &error),
             &error);
    }
}

static robot make_robot(void)
{
    robot r = {.world = make_world()};
    const double x[4] = {-0.3, -0.3, 0.3, 0.3}, y[4] = {-0.2, 0.2, -0.2, 0.2};
    double hip = foot + shin + thigh;
    cairn_vec3 across = cairn_vec(0.0, 1.0, 0.0);
    add(r.world, cairn_shape_half_space(), 0.0, 0.0, 0.0, 0.0);
    r.trunk = add(r.world, box(0.8, 0.3, 0.12), 10.0, 0.0, 0.0, hip);
    for (int i = 0; i < 4; i++) {
        cairn_body_id upper = add(r.world, cairn_shape_capsule(foot, 0.4 * thigh), 0.8, x[i], y[i],
                                  hip - 0.5 * thigh);
        cairn_body_id lower =
            add(r.world, cairn_shape_capsule(foot, 0.5 * shin), 0.4, x[i], y[i], foot + 0.5 * shin);
        cairn_joint_def joint = joint_at(r.world, CAIRN_JOINT_HINGE, r.trunk, upper,
                                         cairn_vec(x[i], y[i], hip), across);
        r.hips[i] = add_joint(r.world, &joint);
        joint = joint_at(r.world, CAIRN_JOINT_HINGE, upper, lower,
                         cairn_vec(x[i], y[i], foot + shin), across);
        r.knees[i] = add_joint(r.world, &joint);
    }
    return r;
}

int main(void)
{
    robot r = make_robot();
    const double mass = 10.0 + 4 * 1.2, angles[3] = {0.3, 0.8, 0.3};
    cairn_body_id ground = cairn_world_body_at(r.world, 0);
    for (int k = 0; k < 3; k++) {
        // slowly there, as a gait would do it
        double from = k == 0 ? 0.0 : angles[k - 1];
        for (int i = 1; i <= 120; i++) {
            pose(&r, from + (angles[k] - from) * i / 120.0);
            step(r.world, 1);
        }
        step(r.world, 120);
        double hip = motion(r.world, r.hips[0]).coordinate,
               knee = motion(r.world, r.knees[0]).coordinate;
        double height = thigh * cos(hip) + shin * cos(hip + knee) + foot;
        fact("height, m", state(r.world, r.trunk).pose.p.z, height, 0.01);
        fact("knee, rad", knee, 2.0 * angles[k], 0.1);
        fact("load of the feet, N", -load_on(r.world, ground), mass * g, 0.02 * mass * g);
        fact("it is level (1: yes)", state(r.world, r.trunk).pose.q.w > 0.999, 1.0, 0.0);
    }
    cairn_world_destroy(r.world);
    return 0;
}
