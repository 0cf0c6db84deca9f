// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors

#include "check_cairn.h"
#include "worlds.h"

// a body without friction that gives back all of a blow
static cairn_body_id add_ball(cairn_world* world, double x, double speed, double restitution)
{
    cairn_body_def def = cairn_default_body_def();
    cairn_shape ball = cairn_shape_sphere(0.5);
    cairn_body_id id;
    def.shape = &ball;
    def.pose.p.x = x;
    def.velocity.x = speed;
    def.material.mu = 0.0;
    def.material.restitution = restitution;
    CHECK(cairn_world_add_body(world, &def, &id, NULL) == CAIRN_OK);
    return id;
}

TEST(a_blow_passes_through_a_row_of_balls_to_the_last)
{
    enum { balls = 5 };
    cairn_world_def def = cairn_default_world_def();
    cairn_body_id id[balls];
    def.gravity = cairn_vec(0.0, 0.0, 0.0);
    cairn_world* world = worlds_empty(def);
    for (int i = 0; i < balls; i++)
        id[i] = add_ball(world, 1.001 * i - (i == 0 ? 0.2 : 0.0), i == 0 ? 3.0 : 0.0, 1.0);
    worlds_run(world, 30);

    // equal masses exchange their velocities: round-off of four exchanges
    for (int i = 0; i < balls; i++)
        CHECK_NEAR(worlds_state(world, id[i]).velocity.x, i == balls - 1 ? 3.0 : 0.0, 1e-9);
    cairn_world_destroy(world);
}
END

TEST(two_balls_part_with_the_share_of_their_speed_that_restitution_says)
{
    cairn_world_def def = cairn_default_world_def();
    def.gravity = cairn_vec(0.0, 0.0, 0.0);
    cairn_world* world = worlds_empty(def);
    cairn_body_id a = add_ball(world, 0.0, 4.0, 0.25), b = add_ball(world, 1.5, -1.0, 0.25);
    worlds_run(world, 30);
    double u = worlds_state(world, a).velocity.x, v = worlds_state(world, b).velocity.x;
    CHECK_NEAR(u + v, 3.0, 1e-9);        // momentum
    CHECK_NEAR(v - u, 0.25 * 5.0, 1e-9); // Newton's law
    cairn_world_destroy(world);
}
END

// how high a ball with restitution e comes up again that fell from a height, at 1/60 s
static double bounce(cairn_integrator integrator, double e, double height)
{
    cairn_world_def def = cairn_default_world_def();
    double summit = 0.0;
    def.integrator = integrator;
    cairn_world* world = worlds_empty(def);
    cairn_body_def ground = cairn_default_body_def();
    cairn_shape plane = cairn_shape_half_space();
    cairn_body_id id;
    ground.type = CAIRN_BODY_STATIC;
    ground.shape = &plane;
    ground.material.restitution = e;
    CHECK(cairn_world_add_body(world, &ground, &id, NULL) == CAIRN_OK);
    cairn_body_id ball = add_ball(world, 0.0, 0.0, e);
    cairn_transform start = {cairn_vec(0.0, 0.0, 0.5 + height), cairn_quat_identity()};
    CHECK(cairn_body_set_pose(world, ball, start, NULL) == CAIRN_OK);

    // until it comes down again after the first bounce
    for (bool up = false; up || summit == 0.0;) {
        worlds_run(world, 1);
        cairn_body_state state = worlds_state(world, ball);
        up = state.velocity.z > 0.0;
        summit = up ? fmax(summit, state.center.z - 0.5) : summit;
    }
    cairn_world_destroy(world);
    return summit;
}

TEST(a_ball_comes_up_again_to_the_share_of_its_height_that_restitution_says)
{
    // wherever in a step it meets the ground, by either rule
    for (int k = 0; k < 24; k++) {
        double height = 2.0 + 0.013 * (k / 2), e = k % 4 < 2 ? 0.5 : 0.8;
        double summit = bounce(k % 2 ? CAIRN_INTEGRATOR_MOREAU : CAIRN_INTEGRATOR_EULER, e, height);
        CHECK_NEAR(summit / height, e * e, 0.01 * e * e); // g dt²/8 of it: between two steps
    }
}
END

TEST(a_chain_moves_by_its_own_solver_as_by_the_exact_method)
{
    cairn_vec3 end[2];
    for (int k = 0; k < 2; k++) {
        cairn_world_def def = cairn_default_world_def();
        cairn_body_id last;
        def.integrator = CAIRN_INTEGRATOR_MOREAU;
        def.method = k ? "exact" : "auto";
        def.tolerance = 1e-12;
        cairn_world* world = worlds_chain(def, 6, &last);
        worlds_run(world, 30);
        end[k] = worlds_state(world, last).center;
        cairn_world_destroy(world);
    }

    // the same equations, solved to 1e-12 of speeds of some m/s
    CHECK_BELOW(cairn_norm(cairn_sub(end[0], end[1])), 1e-8);
}
END

TEST(a_column_at_rest_does_not_move_by_a_bit)
{
    cairn_world_def def = cairn_default_world_def();
    def.sleep = false;
    cairn_world* world = worlds_columns(def, 2, 10);
    worlds_run(world, 30);
    uint64_t hash = cairn_world_hash(world);
    cairn_step_report report = worlds_run(world, 120);
    CHECK(cairn_world_hash(world) == hash);
    CHECK_BELOW(report.residual, 1e-6);
    cairn_world_destroy(world);
}
END

// every impulse lies in its cone, and the certificate is what was told
static void look(void* context, const cairn_island_solve* solve)
{
    int* solves = context;
    cairn_residual residual;
    CHECK(cairn_problem_residual(solve->problem, solve->lambda, solve->law, solve->facets,
                                 &residual) == CAIRN_OK);
    CHECK_NEAR(residual.velocity, solve->residual_velocity, 1e-11); // round-off at 10 m/s
    for (int c = 0; c < solve->problem->block_count; c++) {
        const double* x = solve->lambda + solve->problem->blocks[c].row;
        double limit = solve->problem->blocks[c].friction.mu[0] * x[0];
        CHECK(x[0] >= 0.0);
        CHECK(hypot(x[1], x[2]) <= limit * (1.0 + 1e-12) + 1e-12);
    }
    *solves += 1;
}

TEST(a_heap_that_is_swept_is_judged_by_the_certificate)
{
    cairn_world_def def = cairn_default_world_def();
    int solves = 0;
    def.substeps = 2;
    def.sweeps = 6;
    cairn_world* world = worlds_heap(def, 3);
    cairn_world_set_solve_hook(world, look, &solves);
    cairn_step_report report = worlds_run(world, 90);
    ck_assert_int_gt(solves, 90);
    CHECK_BELOW(report.penetration, 0.01); // a hundredth of a sphere
    cairn_world_destroy(world);
}
END

TEST(overlaps_go_through_a_column_within_a_step)
{
    cairn_world_def def = cairn_default_world_def();
    def.tolerance = 1e-2;
    def.substeps = 4;
    def.rest_pass = false;
    cairn_world* world = worlds_empty(def);
    worlds_ground(world);

    // ten balls, each 5 mm into the one below: the last has to rise by 50 mm
    for (int i = 0; i < 10; i++)
        worlds_add(world, CAIRN_BODY_DYNAMIC, cairn_shape_sphere(0.5),
                   cairn_vec(0.0, 0.0, 0.495 + 0.995 * i));

    cairn_step_report report = worlds_run(world, 1);
    CHECK_BELOW(report.penetration, 5e-4);
    cairn_world_destroy(world);
}
END

// five cubes of a size, dropped with small gaps between them, lie on each other without
static void drop_stack(double size, double off)
{
    cairn_world* world = worlds_empty(cairn_default_world_def());
    double half = 0.5 * size;
    cairn_body_id top;
    worlds_ground(world);
    for (int i = 0; i < 5; i++)
        top = worlds_add(world, CAIRN_BODY_DYNAMIC, cairn_shape_box(cairn_vec(half, half, half)),
                         cairn_vec(0.0, 0.0, (1.01 + 1.02 * i) * size));
    worlds_run(world, 180);
    cairn_step_report report = worlds_run(world, 1);
    ck_assert_int_eq(report.awake, 0);
    CHECK_BELOW(report.penetration, off);
    CHECK_NEAR(worlds_state(world, top).center.z, 4.5 * size, 5.0 * off);
    cairn_world_destroy(world);
}

TEST(a_stack_that_fell_stands_without_the_overlaps_of_its_landing)
{
    drop_stack(1.0, 1e-4); // a fifth of a gap that counts as closed
}
END

TEST(grains_come_to_lie_on_each_other_and_not_on_air)
{
    for (double size = 1e-4; size < 0.05; size *= 10.0)
        drop_stack(size, 2e-3 * size);
}
END

// Ten cubes and a ball on a block, L m from the origin along each axis: positions are rounded to 1e-16 L, and nothing
// is off by more than ten times that.
TEST(a_stack_stands_far_from_the_origin_as_well_as_double_precision_has_places)
{
    for (double L = 1e3; L < 2e8; L *= 10.0) {
        cairn_world* world = worlds_empty(cairn_default_world_def());
        cairn_body_id top, ball;
        worlds_add(world, CAIRN_BODY_STATIC, cairn_shape_box(cairn_vec(10.0, 10.0, 1.0)),
                   cairn_vec(L, L, L - 1.0));
        for (int i = 0; i < 10; i++)
            top = worlds_add(world, CAIRN_BODY_DYNAMIC, cairn_shape_box(cairn_vec(0.5, 0.5, 0.5)),
                             cairn_vec(L, L, L + 0.5 + i));
        ball = worlds_add(world, CAIRN_BODY_DYNAMIC, cairn_shape_sphere(0.25),
                          cairn_vec(L + 3.0, L, L + 3.0));

        cairn_step_report report = worlds_run(world, 180);
        CHECK(report.outcome == CAIRN_OUTCOME_CONVERGED && report.frozen == 0);
        CHECK(worlds_state(world, top).asleep);
        CHECK_NEAR(worlds_state(world, top).pose.p.z, L + 9.5, 1e-15 * L);
        CHECK_NEAR(worlds_state(world, ball).pose.p.z, L + 0.25, 1e-15 * L + 1e-12);
        cairn_world_destroy(world);
    }
}
END

TESTS(a_blow_passes_through_a_row_of_balls_to_the_last,
      two_balls_part_with_the_share_of_their_speed_that_restitution_says,
      a_ball_comes_up_again_to_the_share_of_its_height_that_restitution_says,
      a_chain_moves_by_its_own_solver_as_by_the_exact_method,
      a_column_at_rest_does_not_move_by_a_bit, a_heap_that_is_swept_is_judged_by_the_certificate,
      overlaps_go_through_a_column_within_a_step,
      a_stack_that_fell_stands_without_the_overlaps_of_its_landing,
      grains_come_to_lie_on_each_other_and_not_on_air,
      a_stack_stands_far_from_the_origin_as_well_as_double_precision_has_places)
