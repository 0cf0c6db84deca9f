// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// A bridge of planks on two piers. Its joints bear the bending moment up to a bound: they hold a light
// cart and break under a heavy one.
#include "example.h"

enum { planks = 8 };
static const double plank = 20.0, span = 7.0;

// N m: in the middle, of a beam on two piers with planks of 1 m and a load on ±0.1 m
static double moment(double mass)
{
    double over = 0.5 * (planks - span), own = plank * g * (span * span - 4.0 * over * over) / 8.0;
    return own + 0.5 * mass * g * (0.5 * span - 0.1);
}

// how many joints break under a load; the moment in the middle, and where the load is in the end
static int cross(double mass, double* bending, double* height)
{
    cairn_world* world = make_world();
    cairn_body_id before = the_world, next;
    cairn_joint_id middle = {0};
    int broken = 0;
    add(world, box(0.1, 1.0, 1.0), 0.0, 0.5, 0.0, -0.55);
    add(world, box(0.1, 1.0, 1.0), 0.0, 7.5, 0.0, -0.55);
    for (int i = 0; i < planks; i++, before = next) {
        next = add(world, box(0.98, 1.0, 0.1), plank, i + 0.5, 0.0, 0.0);
        if (i == 0)
            continue;
        cairn_joint_def weld = joint_at(world, CAIRN_JOINT_FIXED, before, next,
                                        cairn_vec((double)i, 0.0, 0.0), cairn_vec(0., 0., 1.));
        weld.break_torque = 5000.0;
        cairn_joint_id id = add_joint(world, &weld);
        middle = i == planks / 2 ? id : middle;
    }
    cairn_body_id cart = add(world, box(0.2, 0.8, 0.4), mass, 0.5 * planks, 0.0, 0.25);
    for (int i = 0; i < 120; i++) {
        int count;
        step(world, 1);
        cairn_world_broken(world, &count);
        broken += count;
    }
    cairn_joint_motion m = {0};
    cairn_joint_get_motion(world, middle, &m, NULL);
    *bending = cairn_norm(m.torque);
    *height = state(world, cart).pose.p.z;
    cairn_world_destroy(world);
    return broken;
}

int main(void)
{
    double bending, height;
    fact("joints that break under 50 kg", cross(50.0, &bending, &height), 0.0, 0.0);
    fact("moment in the middle, N m", bending, moment(50.0), 0.01 * moment(50.0));
    fact("the cart stands, m", height, 0.25, 1e-3);
    fact("moment of 500 kg beyond 5000 N m (1: yes)", moment(500.0) > 5000.0, 1.0, 0.0);
    fact("some break under 500 kg (1: yes)", cross(500.0, &bending, &height) > 0, 1.0, 0.0);
    fact("the cart falls (1: yes)", height < -1.0, 1.0, 0.0);
    return 0;
}
