// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Islands of one body.

#include "check_cairn.h"
#include "worlds.h"
#include <cairn/random.h>
#include <string.h>

// gravity of 9.81 m/s² tilted by `angle` in the direction `heading`
static cairn_vec3 tilted(double angle, double heading)
{
    double along = 9.81 * sin(angle);
    return cairn_vec(along * cos(heading), along * sin(heading), -9.81 * cos(angle));
}

TEST(a_box_slides_down_a_slope_by_the_closed_form_to_round_off)
{
    for (int k = 0; k < 12; k++) {
        cairn_world_def def = cairn_default_world_def();
        double angle = atan(0.6) + 0.01 * (k + 1), heading = 0.37 * k;
        def.gravity = tilted(angle, heading);
        def.sleep = false;
        cairn_world* world = worlds_empty(def);
        worlds_ground(world);
        cairn_body_id box =
            worlds_add(world, CAIRN_BODY_DYNAMIC, cairn_shape_box(cairn_vec(0.5, 0.4, 0.25)),
                       cairn_vec(0.0, 0.0, 0.25));

        worlds_run(world, 120);
        cairn_vec3 v = worlds_state(world, box).velocity;
        double speed = 2.0 * 9.81 * (sin(angle) - 0.6 * cos(angle));

        // 120 steps, each exact to 1e-13 of the velocities at the contacts
        CHECK_NEAR(v.x, speed * cos(heading), 1e-12 * 120);
        CHECK_NEAR(v.y, speed * sin(heading), 1e-12 * 120);
        CHECK_NEAR(v.z, 0.0, 1e-12);
        cairn_world_destroy(world);
    }
}
END

// what the hook has seen of the solves of a step
typedef struct seen {
    int solves;
    double residual;
    int contacts;
} seen;

static void look(void* context, const cairn_island_solve* solve)
{
    seen* all = context;
    cairn_residual residual;
    CHECK(cairn_problem_residual(solve->problem, solve->lambda, solve->law, solve->facets,
                                 &residual) == CAIRN_OK);
    all->solves++;
    all->residual = fmax(all->residual, residual.relative);
    all->contacts = solve->problem->block_count;
}

// A tetrahedron on the ground, anyhow moving: three contacts, so that the loads and with them the
// motion are unique. Returns its state after a step.
static cairn_body_state stir(const char* method, uint64_t seed, seen* all, const char** used)
{
    const cairn_vec3 points[4] = {
        {0.5, 0.0, 0.0}, {-0.4, 0.3, 0.0}, {-0.3, -0.4, 0.0}, {0.0, 0.0, 0.4}};
    cairn_world_def def = cairn_default_world_def();
    cairn_random random = {seed};
    cairn_step_report report;
    cairn_hull* hull;
    CHECK(cairn_hull_create(points, 4, 0.0, &hull, NULL) == CAIRN_OK);

    def.method = method;
    def.substeps = 1;
    def.tolerance = strcmp(method, "auto") == 0 ? 1e-6 : 1e-12;
    def.rest_pass = false;
    cairn_world* world = worlds_empty(def);
    worlds_ground(world);
    cairn_body_id body =
        worlds_add(world, CAIRN_BODY_DYNAMIC, cairn_shape_hull(hull), cairn_vec(0.0, 0.0, 0.0));
    cairn_vec3 push = cairn_random_vec3(&random), spin = cairn_random_vec3(&random);
    push.z = -0.2 * fabs(push.z);
    CHECK(cairn_body_set_velocity(world, body, push, cairn_scale(2.0, spin), NULL) == CAIRN_OK);

    if (all)
        cairn_world_set_solve_hook(world, look, all);

    CHECK(cairn_world_step(world, worlds_dt, &report, NULL) == CAIRN_OK);

    *used = report.method;
    cairn_body_state state = worlds_state(world, body);
    cairn_world_destroy(world);
    cairn_hull_destroy(hull);
    return state;
}

TEST(one_body_moves_as_another_method_moves_it_and_the_certificate_agrees)
{
    int newton = 0, exact = 0;
    for (uint64_t seed = 0; seed < 200; seed++) {
        seen all = {0};
        const char *own, *other;
        cairn_body_state a = stir("auto", seed, &all, &own);
        cairn_body_state b = stir("exact", seed, NULL, &other);
        newton += strcmp(own, "newton") == 0;

        CHECK(all.solves == 2); // where the drift begins and where it ends
        CHECK_BELOW(all.residual, 1e-6);
        exact += all.residual <= 1e-12;

        // the other method's tolerance on velocities of some m/s
        CHECK_BELOW(cairn_norm(cairn_sub(a.velocity, b.velocity)), 1e-9);
        CHECK_BELOW(cairn_norm(cairn_sub(a.spin, b.spin)), 1e-9);
    }

    // what it does not solve goes to others; that is the exception
    CHECK(newton >= 190 && exact >= 190);
}
END

TEST(a_box_carried_by_a_turning_table_takes_part_or_slides)
{
    // r ω² = 0.8 g against μ = 0.6 slides outwards, 0.3 g does not move against the table
    for (int k = 0; k < 2; k++) {
        cairn_world_def def = cairn_default_world_def();
        def.sleep = false;
        cairn_world* world = worlds_empty(def);
        double rate = sqrt((k ? 0.8 : 0.3) * 9.81 / 2.0);
        cairn_body_id table =
            worlds_add(world, CAIRN_BODY_KINEMATIC, cairn_shape_box(cairn_vec(5.0, 5.0, 0.5)),
                       cairn_vec(0.0, 0.0, -0.5));
        cairn_body_id box =
            worlds_add(world, CAIRN_BODY_DYNAMIC, cairn_shape_box(cairn_vec(0.2, 0.2, 0.1)),
                       cairn_vec(2.0, 0.0, 0.1));
        cairn_vec3 spin = cairn_vec(0.0, 0.0, rate), v = cairn_vec(0.0, 2.0 * rate, 0.0);
        CHECK(cairn_body_set_velocity(world, table, cairn_vec(0.0, 0.0, 0.0), spin, NULL) ==
              CAIRN_OK);
        CHECK(cairn_body_set_velocity(world, box, v, spin, NULL) == CAIRN_OK);

        worlds_run(world, 60);
        cairn_vec3 x = worlds_state(world, box).center;
        double radius = hypot(x.x, x.y);

        // the error of second order that the start leaves, once
        if (k)
            CHECK(radius > 2.3);
        else
            CHECK_NEAR(radius, 2.0, 1e-5);
        cairn_world_destroy(world);
    }
}
END

TESTS(a_box_slides_down_a_slope_by_the_closed_form_to_round_off,
      one_body_moves_as_another_method_moves_it_and_the_certificate_agrees,
      a_box_carried_by_a_turning_table_takes_part_or_slides)
