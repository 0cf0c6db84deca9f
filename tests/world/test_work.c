// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// What a step may cost at most: worlds that ask for what no method can reach are told so after a
// count of work that their contacts bound, whatever the kicks, the impacts and the threads.

#include "check_cairn.h"
#include "worlds.h"

// What a step with that many contacts is allowed: 400 factorizations of 32 sweeps each for every
// kick, and four million updates of rows. Twice that, since a sweep costs a little by itself, and
// what has used up its work still gets a few sweeps in every solve.
static double most_work(int contacts, int substeps)
{
    return 2.0 * (4e6 + 3.0 * contacts * 32.0 * 400.0 * (substeps + 1));
}

// boxes that overlap and bounce, with friction that differs by direction, in clusters of six;
// residuals of 1e-300 are beyond double precision
static cairn_world* unsolvable(int boxes, int threads)
{
    cairn_world_def def = cairn_default_world_def();
    def.tolerance = 1e-300;
    def.substeps = 1;
    def.threads = threads;
    cairn_world* world = worlds_empty(def);
    worlds_ground(world);

    for (int i = 0; i < boxes; i++) {
        cairn_shape box = cairn_shape_box(cairn_vec(0.5, 0.5, 0.5));
        cairn_body_def body = cairn_default_body_def();
        cairn_body_id id;
        body.shape = &box;
        body.pose.p = cairn_vec(0.9 * (i % 3) + 5.0 * (i / 6), 0.9 * (i / 3 % 2), 0.49);
        body.velocity = cairn_vec(0.1 * (i % 6), 0.0, -2.0);
        body.material = (cairn_material){.mu = 0.8,
                                         .mu_across = 0.2,
                                         .direction = cairn_vec(1.0, 0.5, 0.0),
                                         .mu_spin = 0.05,
                                         .restitution = 0.4};
        CHECK(cairn_world_add_body(world, &body, &id, NULL) == CAIRN_OK);
    }

    return world;
}

TEST(a_step_that_cannot_meet_its_tolerance_ends_by_count)
{
    for (int boxes = 1; boxes <= 6; boxes += 5) {
        cairn_world* world = unsolvable(boxes, 1);
        cairn_step_report report;

        CHECK(cairn_world_step(world, worlds_dt, &report, NULL) == CAIRN_OK);
        CHECK(report.outcome == CAIRN_OUTCOME_ITERATION_LIMIT);
        ck_assert_msg(report.work > 0.0 && report.work <= most_work(report.contacts, 1),
                      "%d contacts took the work %g", report.contacts, report.work);

        // what the islands took adds up
        double sum = 0.0;

        for (int i = 0; i < report.islands; i++)
            sum += report.island_reports[i].work;

        CHECK_NEAR(sum, report.work, 1e-12 * sum);
        cairn_world_destroy(world);
    }
}

TEST(the_number_of_threads_changes_neither_the_work_nor_where_it_ends)
{
    double work[2];
    uint64_t hash[2];
    for (int t = 0; t < 2; t++) {
        cairn_world* world = unsolvable(12, 1 + t);
        cairn_step_report report;
        CHECK(cairn_world_step(world, worlds_dt, &report, NULL) == CAIRN_OK);
        work[t] = report.work;
        hash[t] = cairn_world_hash(world);
        cairn_world_destroy(world);
    }
    CHECK(work[0] == work[1] && hash[0] == hash[1]);
}

TEST(what_can_be_solved_takes_a_small_part_of_the_work_that_is_allowed)
{
    cairn_world_def def = cairn_default_world_def();
    def.tolerance = 1e-9;
    def.sleep = false;
    cairn_world* world = worlds_wall(def, 4, 4);
    for (int k = 0; k < 60; k++) {
        cairn_step_report report;
        CHECK(cairn_world_step(world, worlds_dt, &report, NULL) == CAIRN_OK);
        CHECK(report.outcome == CAIRN_OUTCOME_CONVERGED);
        CHECK(report.work <= 0.1 * most_work(report.contacts, 4));
    }
    cairn_world_destroy(world);
}

// two million updates of rows, three where one body slides, and a few sweeps in each kick after that
TEST(rubble_in_which_little_moves_takes_no_more_than_its_share)
{
    enum { steps = 200 }; // the first such island comes after 155
    cairn_world* world = worlds_wall(cairn_default_world_def(), 8, 8);
    cairn_body_id ball =
        worlds_add(world, CAIRN_BODY_DYNAMIC, cairn_shape_sphere(1.0), cairn_vec(0.0, -4.0, 2.0));
    CHECK(cairn_body_set_velocity(world, ball, cairn_vec(0.0, 10.0, 0.0), cairn_vec(0.0, 0.0, 0.0),
                                  NULL) == CAIRN_OK);
    int favored = 0;

    for (int k = 0; k < steps; k++) {
        cairn_step_report report;
        CHECK(cairn_world_step(world, worlds_dt, &report, NULL) == CAIRN_OK);
        for (int i = 0; i < report.islands; i++) {
            const cairn_island_report* island = &report.island_reports[i];
            if (island->contacts <= 64 || island->contacts > 400)
                continue;
            favored += island->work > 0.0;
            ck_assert_msg(island->work <= 3e6, "step %d: %d contacts took %g", k, island->contacts,
                          island->work);
        }
    }

    CHECK(favored > 0);
    cairn_world_destroy(world);
}

TESTS(a_step_that_cannot_meet_its_tolerance_ends_by_count,
      the_number_of_threads_changes_neither_the_work_nor_where_it_ends,
      what_can_be_solved_takes_a_small_part_of_the_work_that_is_allowed,
      rubble_in_which_little_moves_takes_no_more_than_its_share)
