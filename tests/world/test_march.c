// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Large islands of contacts in motion, which go through a step in small steps (march.h).

#include "check_cairn.h"
#include "worlds.h"

enum { some_contacts = 200 }; // beyond these islands march

static cairn_world* fresh_world(void)
{
    cairn_world_def def = cairn_default_world_def();
    def.sleep = false;
    return worlds_empty(def);
}

static cairn_body_id add_cube(cairn_world* world, cairn_vec3 at)
{
    return worlds_add(world, CAIRN_BODY_DYNAMIC, cairn_shape_box(cairn_vec(0.5, 0.5, 0.5)), at);
}

// a pyramid of cubes, `gap` m above each other and side by side
static int add_pyramid(cairn_world* world, int rows, double gap)
{
    int count = 0;
    for (int r = 0; r < rows; r++)
        for (int i = 0; i < rows - r; i++, count++)
            add_cube(world, cairn_vec(i - 0.5 * (rows - r - 1), 0.0, r + 0.5 + gap * (r + 1)));
    return count;
}

// a wall of bricks that stand a hundredth of their length apart; returns how many
static int add_wall(cairn_world* world, int rows, cairn_vec3 half, cairn_body_id* id)
{
    int count = 0;
    for (int r = 0; r < rows; r++)
        for (int i = 0; i < rows - r % 2; i++)
            id[count++] = worlds_add(world, CAIRN_BODY_DYNAMIC, cairn_shape_box(half),
                                     cairn_vec(2.02 * half.x * (i - 0.5 * (rows - r % 2 - 1)), 0.0,
                                               half.z * (2.0 * r + 1.0)));
    return count;
}

// A block of cubes that fall together and run into each other: forces within it move no center.
TEST(a_block_of_cubes_in_free_fall_keeps_its_momentum)
{
    enum { side = 4, count = side * side * side };
    cairn_world* world = fresh_world();
    cairn_body_id id[count];
    cairn_vec3 before = {0}, center = {0};

    for (int i = 0; i < count; i++) {
        cairn_vec3 at = cairn_vec(i % side, i / side % side, 20.0 + i / (side * side));
        cairn_vec3 v = cairn_vec(0.4 * (1.5 - at.x), 0.3 * (1.5 - at.y), 0.5 * (21.5 - at.z));
        id[i] = add_cube(world, at);
        CHECK(cairn_body_set_velocity(world, id[i], v, cairn_vec(0.0, 0.0, 0.1 * (i % 3)), NULL) ==
              CAIRN_OK);
        center = cairn_add_scaled(center, 1.0 / count, at);
        before = cairn_add_scaled(before, 1.0 / count, v);
    }

    const int steps = 12;
    const double t = steps * (1.0 / 60.0), g = 9.81;

    cairn_step_report report = worlds_run(world, steps);
    CHECK(report.contacts > some_contacts);

    cairn_vec3 after = {0}, place = {0};
    for (int i = 0; i < count; i++) {
        cairn_body_state state = worlds_state(world, id[i]);
        after = cairn_add_scaled(after, 1.0 / count, state.velocity);
        place = cairn_add_scaled(place, 1.0 / count, state.center);
    }

    // single precision, 16 small steps in each of 12 steps
    const double round_off = 1e-5;

    CHECK_NEAR(after.x, before.x, round_off);
    CHECK_NEAR(after.y, before.y, round_off);
    CHECK_NEAR(after.z, before.z - g * t, round_off);

    // and the parabola is right to second order, whatever the small steps are
    CHECK_NEAR(place.x, center.x + before.x * t, round_off);
    CHECK_NEAR(place.z, center.z + before.z * t - 0.5 * g * t * t, round_off);
    cairn_world_destroy(world);
}
END

TEST(a_pyramid_that_falls_by_a_millimeter_stands_and_comes_to_rest)
{
    enum { rows = CHECK_FEWER(24, 12) };
    cairn_world* world = fresh_world();
    worlds_ground(world);
    int count = add_pyramid(world, rows, 1e-3);
    double deepest = 0.0;
    cairn_step_report report = {0};

    for (int k = 0; k < 60; k++) {
        report = worlds_run(world, 1);
        deepest = fmax(deepest, report.penetration);
    }

    CHECK(report.bodies >= count);
    CHECK(report.contacts > some_contacts);
    CHECK_BELOW(deepest, 1e-3);
    CHECK(report.rested == 1);
    CHECK_BELOW(report.kinetic, 1e-12);
    cairn_world_destroy(world);
}
END

static void count_solves(void* context, const cairn_island_solve* solve)
{
    *(int*)context += solve->problem->block_count > some_contacts;
}

// Small steps are not recorded one by one: what is solved and certified is the end of the step.
TEST(a_pile_in_motion_is_solved_once_in_a_step_at_default_settings)
{
    cairn_world* world = fresh_world();
    worlds_ground(world);
    add_pyramid(world, 12, 1e-3);
    worlds_run(world, 2);
    int solves = 0;
    cairn_world_set_solve_hook(world, count_solves, &solves);
    cairn_step_report report = worlds_run(world, 1);
    CHECK(report.rested == 0);
    CHECK(report.outcome == CAIRN_OUTCOME_CONVERGED);
    CHECK(solves == 1);
    cairn_world_destroy(world);
}
END

// What rolls or slides slowly within a pile goes on: the march brings nothing to rest by itself. Balls
// of a bed on a plane roll side by side, v = ω r, and nothing but the step could stop them.
TEST(a_bed_of_balls_that_rolls_slowly_goes_on)
{
    enum { side = 12 };
    const double v = 0.08, r = 0.5;
    cairn_world* world = fresh_world();
    worlds_ground(world);
    cairn_body_id first = {0};

    for (int i = 0; i < side * side; i++) {
        cairn_body_id id = worlds_add(world, CAIRN_BODY_DYNAMIC, cairn_shape_sphere(r),
                                      cairn_vec(i % side, 1.1 * (i / side), r));
        CHECK(cairn_body_set_velocity(world, id, cairn_vec(0.0, v, 0.0),
                                      cairn_vec(-v / r, 0.0, 0.0), NULL) == CAIRN_OK);
        first = i == 0 ? id : first;
    }

    double from = worlds_state(world, first).center.y;
    worlds_run(world, 60);

    CHECK_NEAR(worlds_state(world, first).center.y - from, v, 1e-3 * v);
    cairn_world_destroy(world);
}
END

// the certificate, measured from what the hook shows alone
static void certify(void* context, const cairn_island_solve* solve)
{
    (void)context;
    cairn_residual residual;
    CHECK(cairn_problem_residual(solve->problem, solve->lambda, solve->law, solve->facets,
                                 &residual) == CAIRN_OK);
    CHECK_NEAR(residual.velocity, solve->residual_velocity, 1e-10);
}

// m Δv + m g dt = Σ impulses, of a body that had the velocity v before a step of dt seconds
static void check_momentum(const cairn_world* world, cairn_body_id id, cairn_vec3 v, double dt)
{
    int contacts;
    const cairn_contact* all = cairn_world_contacts(world, &contacts);
    cairn_body_state state = worlds_state(world, id);
    cairn_vec3 P = cairn_scale(state.mass, cairn_sub(state.velocity, v));
    P.z += state.mass * 9.81 * dt;
    for (int c = 0; c < contacts; c++) {
        double own =
            (double)(all[c].body_b.index == id.index) - (double)(all[c].body_a.index == id.index);
        P = cairn_add_scaled(P, -own, all[c].impulse);
    }
    CHECK_BELOW(cairn_norm(P), 1e-8 * state.mass);
}

// Contacts come and go in a pile that tumbles, also within a step: what those tell that there are in the end, or
// were, is all that changes the momentum of each body beside gravity.
TEST(contacts_of_a_tumbling_pile_tell_the_momentum_of_each_body)
{
    enum { side = 4, count = side * side * side };
    cairn_world* world = fresh_world();
    worlds_ground(world);
    cairn_body_id id[count];
    cairn_vec3 v[count];
    const double dt = 1.0 / 60.0;

    for (int i = 0; i < count; i++) {
        cairn_vec3 at = cairn_vec(1.2 * (i % side), 1.2 * (i / side % side),
                                  1.0 + 1.2 * (double)(i / (side * side)));
        id[i] = add_cube(world, at);
        cairn_vec3 spin = cairn_vec(1.0 + i % 3, 0.7 * (i % 5) - 1.0, 0.3 * (i % 7));
        CHECK(cairn_body_set_velocity(world, id[i], cairn_vec(0.0, 0.0, -3.0), spin, NULL) ==
              CAIRN_OK);
    }

    int most = 0;
    for (int k = 0; k < CHECK_FEWER(60, 36); k++) {
        for (int i = 0; i < count; i++)
            v[i] = worlds_state(world, id[i]).velocity;
        int marched = worlds_run(world, 1).contacts;
        most = marched > most ? marched : most;
        for (int i = 0; i < count; i++)
            check_momentum(world, id[i], v[i], dt);
    }

    CHECK(most > some_contacts);
    cairn_world_destroy(world);
}
END

// What moves by half its radius in a substep does not march. A small cube that slides over a pile at 25 m/s, until it meets a post within
// the step, is swept with the pile before and marches after that: what the sweeps have found goes on, and what the hook shows of the
// end is what was certified.
TEST(sweeps_and_a_march_of_one_step_tell_the_momentum_of_each_body)
{
    enum { side = 5, count = 2 * side * side + 1 };
    const double dt = 1.0 / 60.0, small = 0.05;
    for (int seen = 0; seen < 2; seen++) {
        cairn_world* world = fresh_world();
        worlds_ground(world);
        cairn_body_id id[count];
        cairn_vec3 v[count];

        // a pile of two layers, which slides
        for (int i = 0; i < count - 1; i++) {
            id[i] = add_cube(world, cairn_vec(1.01 * (i % side),
                                              1.01 * (i / side % side) + 0.5 * (i / (side * side)),
                                              0.5 + (double)(i / (side * side))));
            CHECK(cairn_body_set_velocity(world, id[i], cairn_vec(1.0, 0.1 * (i % 3), 0.0),
                                          cairn_vec(0.0, 0.0, 0.0), NULL) == CAIRN_OK);
        }

        // the cube on top of it, and the post just above it
        cairn_vec3 at = cairn_vec(2.0, 2.5, 2.0 + small);
        id[count - 1] = worlds_add(world, CAIRN_BODY_DYNAMIC,
                                   cairn_shape_box(cairn_vec(small, small, small)), at);
        CHECK(cairn_body_set_velocity(world, id[count - 1], cairn_vec(25.0, 0.0, 0.0),
                                      cairn_vec(0.0, 0.0, 0.0), NULL) == CAIRN_OK);
        worlds_add(world, CAIRN_BODY_STATIC, cairn_shape_box(cairn_vec(small, 1.0, small)),
                   cairn_vec(at.x + 5.0 * small, at.y, at.z + 0.5 * small));
        if (seen)
            cairn_world_set_solve_hook(world, certify, NULL);

        for (int k = 0; k < 4; k++) {
            for (int i = 0; i < count; i++)
                v[i] = worlds_state(world, id[i]).velocity;
            CHECK(worlds_run(world, 1).contacts > some_contacts);
            for (int i = 0; i < count; i++)
                check_momentum(world, id[i], v[i], dt);
        }
        cairn_world_destroy(world);
    }
}
END

// Whoever looks on changes nothing: a wall that is hit moves by the same bits, and what is shown is what was certified.
TEST(looking_on_does_not_change_a_march)
{
    enum { rows = 10 };
    cairn_world* world[2];
    for (int k = 0; k < 2; k++) {
        cairn_body_id id[rows * rows];
        world[k] = fresh_world();
        worlds_ground(world[k]);
        add_wall(world[k], rows, cairn_vec(0.5, 0.25, 0.25), id);
        cairn_body_id ball = worlds_add(world[k], CAIRN_BODY_DYNAMIC, cairn_shape_sphere(1.0),
                                        cairn_vec(0.0, -1.5, 3.0));
        CHECK(cairn_body_set_velocity(world[k], ball, cairn_vec(0.0, 20.0, 0.0),
                                      cairn_vec(0.0, 0.0, 0.0), NULL) == CAIRN_OK);
    }
    cairn_world_set_solve_hook(world[1], certify, NULL);
    for (int k = 0; k < 60; k++) {
        for (int i = 0; i < 2; i++)
            worlds_run(world[i], 1);
        CHECK(cairn_world_hash(world[0]) == cairn_world_hash(world[1]));
    }
    for (int i = 0; i < 2; i++)
        cairn_world_destroy(world[i]);
}
END

// A small step may leave an approach that will overlap by 0.05 mm; deeper ones go within the step.
TEST(a_ball_that_hits_a_wall_at_20_m_per_s_overlaps_by_less_than_5_mm)
{
    enum { rows = 12 };
    cairn_world* world = fresh_world();
    worlds_ground(world);
    cairn_body_id id[rows * rows];
    add_wall(world, rows, cairn_vec(0.5, 0.25, 0.25), id);
    cairn_body_id ball =
        worlds_add(world, CAIRN_BODY_DYNAMIC, cairn_shape_sphere(1.0), cairn_vec(0.0, -2.0, 3.0));
    CHECK(cairn_body_set_velocity(world, ball, cairn_vec(0.0, 20.0, 0.0), cairn_vec(0.0, 0.0, 0.0),
                                  NULL) == CAIRN_OK);
    double deepest = 0.0, energy = INFINITY;

    for (int k = 0; k < 40; k++) {
        cairn_step_report report = worlds_run(world, 1);
        deepest = fmax(deepest, report.penetration);
        double now = report.kinetic + report.potential;
        CHECK_BELOW(now, energy * (1.0 + 1e-3));
        energy = now;
    }

    CHECK_BELOW(deepest, 5e-3);
    cairn_world_destroy(world);
}
END

// how many of 12 steps of a block of cubes that flies at 2 m/s, and runs into itself, are not whole ones when a
// step may take `work` operations
static int late_steps(double work)
{
    enum { side = 4, count = side * side * side, steps = 12 };
    cairn_world_def def = cairn_default_world_def();
    def.sleep = false;
    def.work = work;
    cairn_world* world = worlds_empty(def);

    for (int i = 0; i < count; i++) {
        cairn_vec3 at = cairn_vec(i % side, i / side % side, 20.0 + i / (side * side));
        cairn_vec3 v = cairn_vec(2.0 + 0.4 * (1.5 - at.x), 0.3 * (1.5 - at.y), 0.5 * (21.5 - at.z));
        CHECK(cairn_body_set_velocity(world, add_cube(world, at), v,
                                      cairn_vec(0.0, 0.0, 0.1 * (i % 3)), NULL) == CAIRN_OK);
    }

    int late = 0;
    for (int k = 0; k < steps; k++)
        late += worlds_run(world, 1).outcome == CAIRN_OUTCOME_TIME_LIMIT;
    cairn_world_destroy(world);
    return late;
}

// Many small steps take few sweeps each: whole steps take less than 118,000 operations, and would take more than
// 130,000 with half as many of 12 sweeps.
TEST(a_pile_takes_few_sweeps_in_many_small_steps)
{
    CHECK(late_steps(118e3) == 0);
}
END

TESTS(a_block_of_cubes_in_free_fall_keeps_its_momentum,
      a_pyramid_that_falls_by_a_millimeter_stands_and_comes_to_rest,
      a_pile_in_motion_is_solved_once_in_a_step_at_default_settings,
      a_bed_of_balls_that_rolls_slowly_goes_on,
      contacts_of_a_tumbling_pile_tell_the_momentum_of_each_body,
      sweeps_and_a_march_of_one_step_tell_the_momentum_of_each_body,
      looking_on_does_not_change_a_march,
      a_ball_that_hits_a_wall_at_20_m_per_s_overlaps_by_less_than_5_mm,
      a_pile_takes_few_sweeps_in_many_small_steps)
