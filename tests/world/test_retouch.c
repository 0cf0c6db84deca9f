// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Contacts of fast bodies: found anew within a step.

#include "check_cairn.h"
#include "worlds.h"

static cairn_world* fresh_world(int substeps)
{
    cairn_world_def def = cairn_default_world_def();
    def.tolerance = 1e-3;
    def.substeps = substeps;
    return worlds_empty(def);
}

static void set_velocity(cairn_world* world, cairn_body_id id, cairn_vec3 v, cairn_vec3 w)
{
    CHECK(cairn_body_set_velocity(world, id, v, w, NULL) == CAIRN_OK);
}

// Nobody expects them to meet: they fall side by side, until one of them stops.
TEST(a_column_of_balls_that_lands_does_not_run_into_itself)
{
    enum { balls = 6 };
    cairn_world* world = fresh_world(4);
    cairn_body_id id[balls];
    worlds_ground(world);
    for (int i = 0; i < balls; i++) {
        id[i] = worlds_add(world, CAIRN_BODY_DYNAMIC, cairn_shape_sphere(0.5),
                           cairn_vec(0.01 * (i % 2), 0.0, 0.9 + 1.02 * i));
        set_velocity(world, id[i], cairn_vec(0.0, 0.0, -6.0), cairn_vec(0.0, 0.0, 0.0));
    }
    double deepest = 0.0;
    for (int k = 0; k < 60; k++) {
        worlds_run(world, 1);
        for (int i = 1; i < balls; i++) {
            cairn_vec3 a = worlds_state(world, id[i - 1]).pose.p;
            cairn_vec3 b = worlds_state(world, id[i]).pose.p;
            deepest = fmax(deepest, 1.0 - cairn_norm(cairn_sub(b, a)));
        }
    }
    // a ball goes 100 mm in a step and 25 mm in a substep, at the end of which it is seen and
    // pushed
    CHECK_BELOW(deepest, 5e-3);
    cairn_world_destroy(world);
}
END

// At 25 rad/s the end of the capsule goes 50 mm in a step, on an arc.
TEST(a_capsule_that_whirls_into_a_ball_stays_outside)
{
    cairn_world* world = fresh_world(4);
    cairn_shape capsule = cairn_shape_capsule(0.04, 0.12), ball = cairn_shape_sphere(0.12);
    cairn_body_id post = worlds_add(world, CAIRN_BODY_STATIC, ball, cairn_vec(0.0, 0.0, 5.0));
    double deepest = 0.0;
    for (int k = 0; k < 12; k++) {
        cairn_body_id arm =
            worlds_add(world, CAIRN_BODY_DYNAMIC, capsule, cairn_vec(0.2 + 0.004 * k, 0.1, 5.1));
        set_velocity(world, arm, cairn_vec(-2.0, 0.0, 0.0), cairn_vec(0.0, -25.0, 6.0));
        for (int i = 0; i < 20; i++) {
            cairn_step_report report = worlds_run(world, 1);
            cairn_gap gap = cairn_distance(&capsule, worlds_state(world, arm).pose, &ball,
                                           worlds_state(world, post).pose);
            deepest = fmax(deepest, -gap.gap);
            CHECK(report.outcome == CAIRN_OUTCOME_CONVERGED);
        }
        CHECK(cairn_world_remove_body(world, arm, NULL) == CAIRN_OK);
    }
    CHECK_BELOW(deepest, 1e-3);
    cairn_world_destroy(world);
}
END

// The report tells the overlap that is there.
TEST(the_deepest_overlap_is_the_true_one_after_the_step)
{
    cairn_world* world = fresh_world(3);
    cairn_body_id id[40];
    worlds_ground(world);
    for (int i = 0; i < 40; i++) {
        id[i] = worlds_add(world, CAIRN_BODY_DYNAMIC, cairn_shape_sphere(0.25),
                           cairn_vec(0.1 * (i % 3), 0.13 * (i % 2), 0.5 + 0.55 * i));
        set_velocity(world, id[i], cairn_vec(0.0, 0.0, -4.0), cairn_vec(0.0, 0.0, 0.0));
    }
    for (int k = 0; k < 90; k++) {
        cairn_step_report report = worlds_run(world, 1);
        double deepest = 0.0;
        for (int i = 0; i < 40; i++) {
            cairn_vec3 a = worlds_state(world, id[i]).pose.p;
            deepest = fmax(deepest, 0.25 - a.z);
            for (int j = 0; j < i; j++)
                deepest = fmax(deepest,
                               0.5 - cairn_norm(cairn_sub(a, worlds_state(world, id[j]).pose.p)));
        }
        CHECK_NEAR(report.penetration, deepest, 5e-4);
    }
    cairn_world_destroy(world);
}
END

// However they roll and spin, and however many of them there are.
TEST(contacts_of_balls_are_where_their_centers_say)
{
    enum { balls = 30 };
    cairn_world* world = fresh_world(3);
    worlds_ground(world);
    for (int i = 0; i < balls; i++) {
        cairn_body_id id =
            worlds_add(world, CAIRN_BODY_DYNAMIC, cairn_shape_sphere(0.2 + 0.01 * (i % 5)),
                       cairn_vec(0.1 * (i % 3), 0.13 * (i % 2), 0.3 + 0.5 * i));
        set_velocity(world, id, cairn_vec(0.0, 0.0, -3.0), cairn_vec(20.0, -9.0, 4.0 * (i % 4)));
    }
    int seen = 0;
    for (int k = 0; k < 90; k++) {
        int count;
        CHECK(worlds_run(world, 1).outcome == CAIRN_OUTCOME_CONVERGED);
        const cairn_contact* contacts = cairn_world_contacts(world, &count);
        for (int c = 0; c < count; c++) {
            if (contacts[c].body_a.index == 0)
                continue;
            int a = contacts[c].body_a.index - 1, b = contacts[c].body_b.index - 1;
            cairn_vec3 x_a = worlds_state(world, contacts[c].body_a).pose.p;
            cairn_vec3 x_b = worlds_state(world, contacts[c].body_b).pose.p;
            double r_a = 0.2 + 0.01 * (a % 5), r_b = 0.2 + 0.01 * (b % 5);
            double gap = cairn_norm(cairn_sub(x_b, x_a)) - r_a - r_b;
            CHECK_NEAR(contacts[c].gap, gap, 1e-14);
            CHECK_NEAR(cairn_norm(cairn_sub(contacts[c].point, x_b)), r_b, 1e-14);
            seen++;
        }
    }
    CHECK(seen > 500);
    cairn_world_destroy(world);
}
END

// A grain along the normal has no direction: friction is a cone. As boxes tumble it turns out of the
// normal, in the middle of a step, and friction is an ellipse. It does no work of its own.
TEST(a_grain_that_turns_out_of_the_normal_gives_contacts_another_law)
{
    enum { boxes = 6 };
    for (int sweeps = 0; sweeps <= 4; sweeps += 4) {
        cairn_world_def def = cairn_default_world_def();
        def.substeps = 2;
        def.sweeps = sweeps;
        cairn_world* world = worlds_empty(def);
        worlds_ground(world);
        for (int i = 0; i < boxes; i++) {
            cairn_shape box = cairn_shape_box(cairn_vec(0.5, 0.5, 0.5));
            cairn_body_def body = cairn_default_body_def();
            cairn_body_id id;
            body.shape = &box;
            body.material.direction = cairn_vec(0.0, 0.0, 1.0);
            body.material.mu = 0.4;
            body.material.mu_across = 0.9;
            body.pose.p = cairn_vec(0.3 * (i % 2), 0.2 * (i % 3), 0.5 + i);
            body.velocity = cairn_vec(1.0, 0.0, -1.0);
            body.spin = cairn_vec(i % 2, 1.0, 0.0);
            CHECK(cairn_world_add_body(world, &body, &id, NULL) == CAIRN_OK);
        }

        // what overlaps may be lifted by a millimeter
        cairn_step_report report = worlds_run(world, 1);
        double first = report.kinetic + report.potential, lift = boxes * 1000.0 * 9.81 * 1e-3;
        for (int k = 0; k < 120; k++) {
            report = worlds_run(world, 1);
            CHECK_BELOW(report.kinetic + report.potential, first + lift);
        }
        cairn_world_destroy(world);
    }
}
END

// The bricks about the one that is struck lie flush with it, and it gives way: the ball would run 29 mm into
// them. (What bricks that fly apart overlap each other is less.)
TEST(a_ball_that_strikes_a_brick_of_a_wall_meets_those_about_it)
{
    const double speeds[] = {10.0, 12.0, 14.0};
    for (int k = 0; k < 3; k++) {
        cairn_world* world = worlds_wall(cairn_default_world_def(), 8, 8);
        cairn_body_id ball = worlds_add(world, CAIRN_BODY_DYNAMIC, cairn_shape_sphere(1.0),
                                        cairn_vec(0.0, -4.0, 2.0));
        set_velocity(world, ball, cairn_vec(0.0, speeds[k], 0.0), cairn_vec(0.0, 0.0, 0.0));
        for (int step = 0; step < 40; step++) {
            cairn_step_report report = worlds_run(world, 1);
            CHECK_BELOW(report.motion.penetration, 7e-3);
        }
        cairn_world_destroy(world);
    }
}
TESTS(a_grain_that_turns_out_of_the_normal_gives_contacts_another_law,
      contacts_of_balls_are_where_their_centers_say,
      a_column_of_balls_that_lands_does_not_run_into_itself,
      a_capsule_that_whirls_into_a_ball_stays_outside,
      the_deepest_overlap_is_the_true_one_after_the_step,
      a_ball_that_strikes_a_brick_of_a_wall_meets_those_about_it)
