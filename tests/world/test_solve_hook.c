// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors

#include "check_cairn.h"
#include <cairn/random.h>
#include <cairn/world.h>

typedef struct witness {
    int solves, blocks;
    double worst, worst_velocity; // of the step at hand
    double round_off;             // m/s
} witness;

// the certificate, measured from what the hook shows alone
static void look(void* context, const cairn_island_solve* solve)
{
    witness* w = context;
    cairn_residual residual;
    CHECK(cairn_problem_residual(solve->problem, solve->lambda, solve->law, solve->facets,
                                 &residual) == CAIRN_OK);

    CHECK_NEAR(residual.velocity, solve->residual_velocity, w->round_off);

    double scale = residual.relative > 0.0 ? residual.velocity / residual.relative : 0.0;
    CHECK(solve->scale >= scale * (1.0 - 1e-12));
    if (solve->scale > 0.0)
        CHECK_NEAR(residual.velocity / solve->scale, solve->residual, 1e-11);

    w->worst = fmax(w->worst, solve->residual);
    w->worst_velocity = fmax(w->worst_velocity, solve->residual_velocity);
    w->blocks += solve->problem->block_count;
    w->solves++;
}

static cairn_body_id add(cairn_world* world, cairn_shape shape, cairn_body_type type, cairn_vec3 at,
                         cairn_vec3 velocity)
{
    cairn_body_def def = cairn_default_body_def();
    cairn_body_id id;
    def.shape = &shape;
    def.type = type;
    def.pose.p = at;
    def.velocity = velocity;
    def.material.restitution = 0.3;
    CHECK(cairn_world_add_body(world, &def, &id, NULL) == CAIRN_OK);
    return id;
}

// a stack that a ball hits, a slide, and a pendulum with a motor
static cairn_world* make(const char* method, int substeps, double tolerance)
{
    cairn_world_def def = cairn_default_world_def();
    cairn_world* world;
    def.method = method;
    def.substeps = substeps;
    def.tolerance = tolerance;
    CHECK(cairn_world_create(&def, &world, NULL) == CAIRN_OK);
    cairn_vec3 still = {0.0, 0.0, 0.0}, half = {0.5, 0.4, 0.25};
    add(world, cairn_shape_half_space(), CAIRN_BODY_STATIC, still, still);

    for (int i = 0; i < 5; i++)
        add(world, cairn_shape_box(half), CAIRN_BODY_DYNAMIC,
            cairn_vec(0.02 * i, 0.0, 0.25 + 0.5 * i), still);

    add(world, cairn_shape_sphere(0.3), CAIRN_BODY_DYNAMIC, cairn_vec(-2.0, 0.1, 1.8),
        cairn_vec(6.0, 0.0, 0.0));
    add(world, cairn_shape_box(half), CAIRN_BODY_DYNAMIC, cairn_vec(8.0, 0.0, 0.25),
        cairn_vec(2.0, 1.0, 0.0));

    cairn_joint_def hinge = cairn_default_joint_def(CAIRN_JOINT_HINGE);
    hinge.body_b = add(world, cairn_shape_capsule(0.1, 0.5), CAIRN_BODY_DYNAMIC,
                       cairn_vec(0.0, 9.0, 3.0), still);
    hinge.frame_a.p = cairn_vec(0.0, 9.0, 3.5);
    hinge.frame_b.p = cairn_vec(0.0, 0.0, 0.5);
    hinge.frame_a.q = hinge.frame_b.q =
        cairn_quat_from_rotation_vector(cairn_vec(acos(0.0), 0.0, 0.0));
    hinge.driven = true;
    hinge.speed = 2.0;
    hinge.strength = 50.0;
    cairn_joint_id id;
    CHECK(cairn_world_add_joint(world, &hinge, &id, NULL) == CAIRN_OK);
    return world;
}

static void check_run(const char* method, int substeps, double tolerance)
{
    cairn_world *seen = make(method, substeps, tolerance),
                *unseen = make(method, substeps, tolerance);
    // sums of a few velocities below 10 m/s: round-off of some 1e-15 each
    witness w = {.round_off = 1e-12};
    cairn_world_set_solve_hook(seen, look, &w);

    for (int i = 0; i < 90; i++) {
        cairn_step_report report;
        w.worst = w.worst_velocity = 0.0;
        CHECK(cairn_world_step(seen, 0.01, &report, NULL) == CAIRN_OK);
        CHECK(cairn_world_step(unseen, 0.01, NULL, NULL) == CAIRN_OK);
        CHECK(report.residual == w.worst && report.residual_velocity == w.worst_velocity);
        CHECK(cairn_world_hash(seen) == cairn_world_hash(unseen));
    }

    ck_assert_int_gt(w.solves, 180);
    ck_assert_int_gt(w.blocks, 90 * 20);
    cairn_world_destroy(seen);
    cairn_world_destroy(unseen);
}

TEST(what_a_step_reports_is_the_certificate_of_its_solves)
{
    check_run("auto", 1, 1e-6);
    check_run("auto", 4, 1e-4);
}
END

TEST(the_law_that_a_faceted_method_solved_is_told)
{
    check_run("lemke", 1, 1e-6);
    check_run("pgs", 1, 1e-4);
}
END

// Balls, boxes and rods at 40 m/s among walls and posts, in one island of some hundred contacts that is swept in lanes:
// many fly past each other, and many turn by more than a radian in a substep.
TEST(the_certificate_of_thrown_bodies_is_that_of_their_contacts)
{
    enum { bodies = 60, walls = 6, steps = 4 };
    cairn_world_def def = cairn_default_world_def();
    cairn_world* world;
    CHECK(cairn_world_create(&def, &world, NULL) == CAIRN_OK);
    cairn_vec3 still = {0.0, 0.0, 0.0};
    add(world, cairn_shape_half_space(), CAIRN_BODY_STATIC, still, still);
    for (int i = 0; i < walls; i++) {
        add(world, cairn_shape_box(cairn_vec(0.01, 2.0, 1.0)), CAIRN_BODY_STATIC,
            cairn_vec(i - 3.0, 0.0, 1.0), still);
        add(world, cairn_shape_cylinder(0.01, 1.0), CAIRN_BODY_STATIC, cairn_vec(i - 2.5, 0.3, 1.0),
            still);
    }

    cairn_random random = {33};
    const cairn_shape shapes[3] = {cairn_shape_sphere(0.05),
                                   cairn_shape_box(cairn_vec(0.05, 0.03, 0.05)),
                                   cairn_shape_capsule(0.03, 0.05)};
    for (int i = 0; i < bodies; i++) {
        cairn_vec3 at = cairn_vec(cairn_random_range(&random, -2.9, 1.9),
                                  cairn_random_range(&random, -1.5, 1.5),
                                  cairn_random_range(&random, 0.1, 1.8));
        cairn_body_id id = add(world, shapes[i % 3], CAIRN_BODY_DYNAMIC, at, still);
        cairn_vec3 v = cairn_scale(60.0, cairn_random_direction(&random));
        cairn_vec3 w = cairn_scale(40.0, cairn_random_direction(&random));
        CHECK(cairn_body_set_velocity(world, id, v, w, NULL) == CAIRN_OK);
    }

    // velocities of some hundred m/s
    witness w = {.round_off = 1e-9};
    cairn_world_set_solve_hook(world, look, &w);
    for (int i = 0; i < steps; i++)
        CHECK(cairn_world_step(world, 1.0 / 60.0, NULL, NULL) == CAIRN_OK);
    ck_assert_int_gt(w.blocks, 1000);
    cairn_world_destroy(world);
}
END

TESTS(what_a_step_reports_is_the_certificate_of_its_solves,
      the_law_that_a_faceted_method_solved_is_told,
      the_certificate_of_thrown_bodies_is_that_of_their_contacts)
