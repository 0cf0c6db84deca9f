// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Contacts of fast bodies: found anew within a step.

#include "check_cairn.h"
#include "worlds.h"
#include <cairn/random.h>

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

            // the gap and the point follow from the centers and radii
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

// The bricks about the one that is struck lie flush with it, and it gives way: the ball would run
// 29 mm into them. (What bricks that fly apart overlap each other is less.)
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
END

// Two cylinders in free flight, and the same two in a world in which they do not collide.
typedef struct passing {
    cairn_shape shape;
    cairn_world* world[2];
    cairn_body_id id[2][2];
} passing;

static void start_passing(passing* p, uint64_t seed)
{
    cairn_random random = {seed};
    cairn_world_def def = cairn_default_world_def();
    def.gravity = cairn_vec(0.0, 0.0, 0.0);
    p->shape = cairn_shape_cylinder(0.033, 0.06);

    // the same two cylinders in two worlds; in the second they do not collide
    for (int w = 0; w < 2; w++)
        p->world[w] = worlds_empty(def);

    for (int i = 0; i < 2; i++) {
        cairn_body_def body = cairn_default_body_def();
        body.shape = &p->shape;
        body.pose.q = cairn_quat_from_rotation_vector(cairn_scale(3.0, cairn_random_vec3(&random)));
        body.spin = cairn_scale(25.0, cairn_random_vec3(&random));

        if (i == 1) {
            body.pose.p =
                cairn_add_scaled(cairn_vec(0.16, 0.0, 0.0), 0.05, cairn_random_vec3(&random));
            body.velocity = cairn_random_vec3(&random);
        }

        for (int w = 0; w < 2; w++) {
            body.mask = w == 0 ? CAIRN_MASK_ALL : 0;
            CHECK(cairn_world_add_body(p->world[w], &body, &p->id[w][i], NULL) == CAIRN_OK);
        }
    }
}

// m: the least distance on the way through a step, without a collision
static double pass(passing* p)
{
    double least = INFINITY;
    for (int k = 0; k < 8; k++) {
        CHECK(cairn_world_step(p->world[1], worlds_dt / 8.0, NULL, NULL) == CAIRN_OK);
        cairn_transform a = worlds_state(p->world[1], p->id[1][0]).pose;
        cairn_transform b = worlds_state(p->world[1], p->id[1][1]).pose;
        least = fmin(least, cairn_distance(&p->shape, a, &p->shape, b).gap);
    }
    return least;
}

// The rim of one passes the side of the other at some distance while both turn: lines that cross
// there now cross elsewhere a moment later.
TEST(cylinders_that_pass_each_other_keep_their_velocities)
{
    int passes = 0;
    for (int trial = 0; trial < CHECK_CASES(600); trial++) {
        passing p;
        start_passing(&p, 1000 + (uint64_t)trial);

        for (int k = 0; k < 12 && pass(&p) > 5e-3; k++) {
            worlds_run(p.world[0], 1);
            for (int i = 0; i < 2; i++) {
                cairn_vec3 v = worlds_state(p.world[0], p.id[0][i]).velocity;
                cairn_vec3 free = worlds_state(p.world[1], p.id[1][i]).velocity;
                CHECK_BELOW(cairn_norm(cairn_sub(v, free)), 1e-12);
            }
            passes++;
        }
        cairn_world_destroy(p.world[0]);
        cairn_world_destroy(p.world[1]);
    }

    CHECK(passes > CHECK_CASES(600));
}
END

// ---------------------------------------------------------------- near misses

static cairn_shape any_convex(cairn_random* random)
{
    double size = cairn_random_range(random, 0.05, 0.4);
    double length = size * cairn_random_range(random, 0.3, 2.0);
    switch ((int)cairn_random_range(random, 0.0, 6.0)) {
    case 0:
        return cairn_shape_sphere(size);
    case 1:
        return cairn_shape_capsule(size, length);
    case 2:
        return cairn_shape_cylinder(size, length);
    case 3:
        return cairn_shape_ellipsoid(cairn_vec(size, 0.6 * size, length));
    case 4:
        return cairn_shape_cone(size, length);
    default:
        return cairn_shape_box(cairn_vec(size, 0.7 * size, length));
    }
}

// the surface of a box
static cairn_mesh* mesh_of(cairn_vec3 half)
{
    static const int triangles[36] = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                                      2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};
    cairn_vec3 corners[8];
    for (int i = 0; i < 8; i++)
        corners[i] =
            cairn_vec(i & 1 ? half.x : -half.x, i & 2 ? half.y : -half.y, i & 4 ? half.z : -half.z);
    cairn_mesh_def def = {corners, 8, triangles, 12};
    cairn_mesh* mesh = NULL;
    CHECK(cairn_mesh_create(&def, &mesh, NULL) == CAIRN_OK);
    return mesh;
}

// The smallest distance of two shapes while one flies along d from its place, on some meters of way.
static double nearest(const cairn_shape shape[2], const cairn_transform at[2], cairn_vec3 d,
                      double way)
{
    enum { places = 400 };
    double least = INFINITY;
    for (int i = 0; i <= places; i++) {
        cairn_transform there = at[1];
        there.p = cairn_add_scaled(there.p, way * i / places, d);
        least = fmin(least, cairn_distance(&shape[0], at[0], &shape[1], there).gap);
    }
    return least;
}

// Nothing turns, nothing pulls: what flies past another body keeps its velocity, however fast it is.
TEST(what_flies_past_at_a_distance_keeps_its_velocity)
{
    const double way = 6.0, apart = 0.02; // m; what the places of the way leave out is half of that
    int misses = 0;
    for (int trial = 0; trial < CHECK_CASES(1200); trial++) {
        cairn_random random = {500 + (uint64_t)trial};
        cairn_shape shape[2] = {any_convex(&random), any_convex(&random)};
        cairn_transform at[2];
        for (int i = 0; i < 2; i++) {
            cairn_vec3 turn = cairn_scale(3.0, cairn_random_vec3(&random));
            at[i] = (cairn_transform){cairn_vec(0.0, 0.0, 0.0),
                                      trial % 2 ? cairn_quat_identity()
                                                : cairn_quat_from_rotation_vector(turn)};
        }
        cairn_vec3 d = cairn_vec(1.0, 0.0, 0.0);
        at[1].p = cairn_vec(-3.0, cairn_random_range(&random, -0.9, 0.9),
                            cairn_random_range(&random, -0.9, 0.9));
        double speed = 2.0 * cairn_exp(5.0 * cairn_random_unit(&random));
        if (!(nearest(shape, at, d, way) > apart))
            continue;

        // every other box that stands is a mesh
        cairn_mesh* mesh = NULL;
        if (shape[0].kind == CAIRN_SHAPE_BOX && trial % 4 < 2) {
            mesh = mesh_of(shape[0].half);
            shape[0] = cairn_shape_mesh(mesh);
        }

        cairn_world_def def = cairn_default_world_def();
        def.gravity = cairn_vec(0.0, 0.0, 0.0);
        cairn_world* world = worlds_empty(def);
        cairn_body_id id[2] = {{0}, {0}};
        for (int i = 0; i < 2; i++) {
            cairn_body_def body = cairn_default_body_def();
            body.type = i ? CAIRN_BODY_DYNAMIC : CAIRN_BODY_STATIC;
            body.shape = &shape[i];
            body.pose = at[i];
            body.velocity = cairn_scale(i * speed, d);
            CHECK(cairn_world_add_body(world, &body, &id[i], NULL) == CAIRN_OK);
        }

        worlds_run(world, (int)(60.0 * way / speed) + 2);
        cairn_body_state end = worlds_state(world, id[1]);
        ck_assert_msg(cairn_norm(cairn_sub(end.velocity, cairn_scale(speed, d))) < 1e-9 * speed &&
                          cairn_norm(end.spin) < 1e-9 * speed,
                      "trial %d: %g m/s past a body became %g %g %g, spin %g", trial, speed,
                      end.velocity.x, end.velocity.y, end.velocity.z, cairn_norm(end.spin));
        misses++;
        cairn_world_destroy(world);
        cairn_mesh_destroy(mesh);
    }
    CHECK(misses > CHECK_CASES(1200) / 4);
}
END

TESTS(what_flies_past_at_a_distance_keeps_its_velocity,
      cylinders_that_pass_each_other_keep_their_velocities,
      a_grain_that_turns_out_of_the_normal_gives_contacts_another_law,
      contacts_of_balls_are_where_their_centers_say,
      a_column_of_balls_that_lands_does_not_run_into_itself,
      a_capsule_that_whirls_into_a_ball_stays_outside,
      the_deepest_overlap_is_the_true_one_after_the_step,
      a_ball_that_strikes_a_brick_of_a_wall_meets_those_about_it)
