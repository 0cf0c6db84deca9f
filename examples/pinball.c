// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// A ball on a sloping table meets bumpers and a flipper. Hits tell the bumpers, and the flipper throws
// the ball with the speed of its tip.
#include "example.h"

static const double slope = 0.12; // rad

static cairn_body_id add_ball(cairn_world* world, double x, double y)
{
    cairn_body_id id = add(world, cairn_shape_sphere(0.02), 0.08, x, y, 0.02);
    cairn_error error;
    cairn_material steel = cairn_default_material();
    steel.mu = 0.0;
    steel.restitution = 0.9;
    steel.restitution_rule = CAIRN_COMBINE_LARGER;
    must(cairn_body_set_material(world, id, &steel, &error), &error);
    return id;
}

// m/s: how fast a ball at rest leaves a turning flipper that meets it so far from its axis
static double shoot(double spin, double reach)
{
    cairn_world* world = make_world();
    cairn_error error;
    must(cairn_world_set_gravity(world, cairn_vec(0.0, 0.0, 0.0), &error), &error);
    cairn_body_id flipper = add(world, box(0.2, 0.02, 0.04), 20.0, 0.1, 0.0, 0.02);
    cairn_joint_def hinge = joint_at(world, CAIRN_JOINT_HINGE, the_world, flipper,
                                     cairn_vec(0.0, 0.0, 0.02), cairn_vec(0.0, 0.0, 1.0));
    hinge.limited = true;
    hinge.lo = -0.5;
    hinge.hi = 0.5;
    cairn_joint_id id = add_joint(world, &hinge);
    cairn_body_id ball = add_ball(world, reach, 0.05);
    must(cairn_joint_set_motor(world, id, spin, 1e4, &error), &error);
    step(world, 30);
    double speed = cairn_norm(state(world, ball).velocity);
    cairn_world_destroy(world);
    return speed;
}

int main(void)
{
    // v = (1 + e) ω r: the flipper is heavy and driven
    fact("speed off the flipper, m/s", shoot(10.0, 0.15), 1.9 * 10.0 * 0.15, 0.15);

    // down the table between bumpers and walls
    cairn_world* world = make_world();
    cairn_error error;
    must(cairn_world_set_gravity(world, cairn_vec(0.0, -g * sin(slope), -g * cos(slope)), &error),
         &error);
    add(world, cairn_shape_half_space(), 0.0, 0.0, 0.0, 0.0);
    const double wall[4][4] = {{0., 0.52, 0.6, 0.04},
                               {0., -0.52, 0.6, 0.04},
                               {0.32, 0., 0.04, 1.1},
                               {-0.32, 0., 0.04, 1.1}};
    for (int i = 0; i < 4; i++)
        add(world, box(wall[i][2], wall[i][3], 0.1), 0.0, wall[i][0], wall[i][1], 0.05);
    cairn_body_id bumpers[3] = {
        add(world, cairn_shape_cylinder(0.05, 0.05), 0.0, 0.0, 0.2, 0.05),
        add(world, cairn_shape_cylinder(0.05, 0.05), 0.0, 0.12, 0.0, 0.05),
        add(world, cairn_shape_cylinder(0.05, 0.05), 0.0, -0.12, 0.0, 0.05)};
    cairn_body_id ball = add_ball(world, 0.01, 0.45);
    must(cairn_world_set_hit_speed(world, 0.05, &error), &error);
    int score = 0;
    double first = 0.0;
    for (int i = 0; i < 600; i++) {
        int count;
        step(world, 1);
        const cairn_hit_event* hits = cairn_world_hits(world, &count);
        for (int k = 0; k < count; k++)
            for (int b = 0; b < 3; b++)
                if (hits[k].body_a.index == bumpers[b].index ||
                    hits[k].body_b.index == bumpers[b].index) {
                    first = score == 0 ? hits[k].speed : first;
                    score += 100;
                }
    }
    // down by 0.45 - 0.2 - 0.07 m, met at an angle of about 8 degrees
    double fall = sqrt(2.0 * g * sin(slope) * (0.45 - 0.2 - 0.07));
    fact("speed of the first bumper, m/s", first, fall, 0.06);
    fact("score of some (1: yes)", score >= 100, 1.0, 0.0);
    cairn_vec3 p = state(world, ball).pose.p;
    fact("the ball is on the table (1: yes)", fabs(p.x) < 0.3 && fabs(p.y) < 0.5 && p.z < 0.1, 1.,
         0.);
    cairn_world_destroy(world);
    return 0;
}
