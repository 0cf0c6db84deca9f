// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// A trolley on a rail carries a load on a rope that a winch winds in. Lifting steadily the rope bears
// the weight, and the swing after a stop has the period of the rope's length.
#include "example.h"

int main(void)
{
    cairn_world* world = make_world();
    const double mass = 500.0;
    cairn_error error;
    cairn_body_id trolley = add(world, box(1.0, 1.0, 0.4), 200.0, 0.0, 0.0, 10.0);
    cairn_body_id load = add(world, cairn_shape_sphere(0.4), mass, 0.0, 0.0, 2.0);
    cairn_joint_def rail = joint_at(world, CAIRN_JOINT_SLIDER, the_world, trolley,
                                    cairn_vec(0.0, 0.0, 10.0), cairn_vec(1.0, 0.0, 0.0));
    rail.driven = true;
    rail.strength = 5e4;
    cairn_joint_id drive = add_joint(world, &rail);
    cairn_joint_def rope = cairn_default_joint_def(CAIRN_JOINT_DISTANCE);
    rope.body_a = trolley;
    rope.body_b = load;
    rope.driven = true;
    rope.strength = 1e5;
    cairn_joint_id winch = add_joint(world, &rope);

    // up by 3 m
    must(cairn_joint_set_motor(world, winch, -0.5, 1e5, &error), &error);
    step(world, 360);
    fact("length of the rope, m", motion(world, winch).coordinate, 5.0, 1e-3);
    fact("force of the rope, N", cairn_norm(motion(world, winch).force), mass * g, 0.1);
    must(cairn_joint_set_motor(world, winch, 0.0, 1e5, &error), &error);

    // along the rail and a stop: the load swings
    must(cairn_joint_set_motor(world, drive, 0.3, 5e4, &error), &error);
    step(world, 120);
    must(cairn_joint_set_motor(world, drive, 0.0, 5e4, &error), &error);
    double before = 0.0, first = 0.0, last = 0.0;
    int turns = 0;
    for (int i = 0; turns < 5; i++) {
        step(world, 1);
        double x = state(world, load).pose.p.x - state(world, trolley).pose.p.x;
        if (before < 0.0 && x >= 0.0) {
            last = dt * (i - x / (x - before));
            first = turns++ == 0 ? last : first;
        }
        before = x;
    }
    // a ball of 0.4 m on a rope to its center does not turn
    fact("period of the swing, s", (last - first) / 4.0, 6.283185307179586 * sqrt(5.0 / g), 0.02);
    fact("place of the trolley, m", state(world, trolley).pose.p.x, 0.6, 1e-2);
    cairn_world_destroy(world);
    return 0;
}
