// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Steps that have to keep a budget: of seconds, or of counted operations.

#include "check_cairn.h"
#include "world/state.h"
#include "worlds.h"

static const double dt = 1.0 / 60.0;

static void add_pyramid(cairn_world* world, int rows, double gap)
{
    for (int r = 0; r < rows; r++)
        for (int i = 0; i < rows - r; i++)
            worlds_add(world, CAIRN_BODY_DYNAMIC, cairn_shape_box(cairn_vec(0.5, 0.5, 0.5)),
                       cairn_vec(i - 0.5 * (rows - r - 1), 0.0, r + 0.5 + gap * (r + 1)));
}

// boxes that fall on each other from a lattice
static void add_boxes(cairn_world* world, int count, double height)
{
    enum { side = 4 };
    for (int i = 0; i < count; i++)
        worlds_add(world, CAIRN_BODY_DYNAMIC, cairn_shape_box(cairn_vec(0.2, 0.2, 0.2)),
                   cairn_vec(0.45 * (i % side) + 0.01 * (i % 7), 0.45 * (i / side % side),
                             height + 0.5 * (i / (side * side))));
}

static void join(cairn_world* world, cairn_body_id a, cairn_body_id b, double half)
{
    cairn_joint_def def = cairn_default_joint_def(CAIRN_JOINT_BALL);
    cairn_joint_id id;
    def.body_a = a;
    def.body_b = b;
    def.frame_a.p = cairn_vec(half, 0.0, 0.0);
    def.frame_b.p = cairn_vec(-half, 0.0, 0.0);
    CHECK(cairn_world_add_joint(world, &def, &id, NULL) == CAIRN_OK);
}

// a chain along x, whose first link is held where `held`
static void add_chain(cairn_world* world, int links, double height, bool held)
{
    cairn_body_id last = {0};
    for (int i = 0; i < links; i++) {
        cairn_body_id id = worlds_add(
            world, held && i == 0 ? CAIRN_BODY_STATIC : CAIRN_BODY_DYNAMIC,
            cairn_shape_box(cairn_vec(0.2, 0.05, 0.05)), cairn_vec(3.0 + 0.5 * i, 0.0, height));
        if (i > 0)
            join(world, last, id, 0.25);
        last = id;
    }
}

static double lowest(const cairn_world* world)
{
    double z = INFINITY;
    for (int i = 1; i < cairn_world_body_slots(world); i++) // after the ground
        z = fmin(z, worlds_state(world, cairn_world_body_at(world, i)).center.z);
    return z;
}

// a budget that is not used up changes nothing
TEST(a_step_within_its_budget_is_the_step_without_one)
{
    cairn_world_def def = cairn_default_world_def();
    uint64_t hash[3];

    for (int k = 0; k < 3; k++) {
        def.budget = k == 1 ? 1e3 : 0.0;
        def.work = k == 2 ? 1e9 : 0.0;
        cairn_world* world = worlds_empty(def);
        worlds_ground(world);
        add_pyramid(world, 6, 1e-3);
        add_chain(world, 5, 1.0, false);
        worlds_run(world, CHECK_FEWER(60, 15));
        hash[k] = cairn_world_hash(world);
        cairn_world_destroy(world);
    }

    CHECK(hash[0] == hash[1]);
    CHECK(hash[0] == hash[2]);
}
END

enum { landing_rows = CHECK_SLOW_BUILD ? 12 : 24 };

// what the costliest of some steps of a pyramid that lands spends, in operations
static double most_spent(double work, int steps, int* limited)
{
    cairn_world_def def = cairn_default_world_def();
    def.work = work;
    def.sleep = false;
    cairn_world* world = worlds_empty(def);
    worlds_ground(world);
    add_pyramid(world, landing_rows, 1e-3);
    double worst = 0.0;

    for (int k = 0; k < steps; k++) {
        cairn_step_report report = worlds_run(world, 1);
        worst = fmax(worst, (double)world->meter.spent);
        *limited += report.outcome == CAIRN_OUTCOME_TIME_LIMIT;
        CHECK(report.outcome != CAIRN_OUTCOME_TIME_LIMIT || report.residual > 0.0);
    }
    cairn_world_destroy(world);
    return worst;
}

// Every loop of a step asks one question, whether its operations or the clock have passed the limit:
// what holds for counts holds for seconds, which `cairn bench engine` measures. A tenth above the
// budget is for what is not interrupted.
TEST(a_step_keeps_its_budget)
{
    const double budget = CHECK_SLOW_BUILD ? 6e4 : 5e5, plenty = 1e9;
    int limited = 0;
    CHECK_BELOW(2.0 * budget, most_spent(plenty, 12, &limited));
    CHECK(limited == 0);
    CHECK_BELOW(most_spent(budget, 40, &limited), 1.1 * budget);
    CHECK(limited > 0);
}
END

// a nanosecond is over before detection is
TEST(a_step_whose_time_is_over_is_lean)
{
    cairn_world_def def = cairn_default_world_def();
    def.budget = 1e-9;
    def.sleep = false;
    cairn_world* world = worlds_empty(def);
    worlds_ground(world);
    add_pyramid(world, 6, 1e-3);
    for (int k = 0; k < 40; k++) {
        cairn_step_report report = worlds_run(world, 1);
        CHECK(report.outcome == CAIRN_OUTCOME_TIME_LIMIT);
        CHECK(world->meter.steps == 1);
    }
    CHECK(lowest(world) > 0.0);
    cairn_world_destroy(world);
}
END

static cairn_world* counted_world(double work, int threads)
{
    cairn_world_def def = cairn_default_world_def();
    def.work = work;
    def.threads = threads;
    cairn_world* world = worlds_empty(def);
    worlds_ground(world);
    add_pyramid(world, 12, 1e-3);
    add_chain(world, 8, 2.0, false);
    for (int i = 0; i < 20; i++)
        worlds_add(world, CAIRN_BODY_DYNAMIC, cairn_shape_sphere(0.1),
                   cairn_vec(-20.0 + 0.5 * i, 5.0, 0.3 + 0.02 * i));
    return world;
}

// Steps that are whole and steps that are lean, told apart by counts alone
TEST(counted_work_gives_the_same_bits_in_every_run_and_with_any_number_of_threads)
{
    enum { runs = CHECK_SLOW_BUILD ? 2 : 4, steps = CHECK_SLOW_BUILD ? 20 : 60 };
    const int threads[4] = {1, 3, 1, 2};
    uint64_t hash[runs][steps];
    int limited = 0, met = 0;

    for (int k = 0; k < runs; k++) {
        cairn_world* world = counted_world(2e6, threads[k]);
        for (int i = 0; i < steps; i++) {
            cairn_step_report report = worlds_run(world, 1);
            limited += report.outcome == CAIRN_OUTCOME_TIME_LIMIT;
            met += report.outcome == CAIRN_OUTCOME_CONVERGED;
            hash[k][i] = cairn_world_hash(world);
        }
        cairn_world_destroy(world);
    }

    for (int k = 1; k < runs; k++)
        for (int i = 0; i < steps; i++)
            CHECK(hash[k][i] == hash[0][i]);
    CHECK(limited > 0);
    CHECK(met > 0);
}
END

TEST(a_snapshot_goes_on_with_the_same_steps_under_counted_work)
{
    cairn_world* world = counted_world(1e5, 1);
    cairn_snapshot* snapshot;
    worlds_run(world, 13);
    CHECK(cairn_world_snapshot(world, &snapshot, NULL) == CAIRN_OK);
    worlds_run(world, 20);
    uint64_t hash = cairn_world_hash(world);
    CHECK(cairn_world_restore(world, snapshot, NULL) == CAIRN_OK);
    worlds_run(world, 20);
    CHECK(cairn_world_hash(world) == hash);
    cairn_snapshot_destroy(snapshot);
    cairn_world_destroy(world);
}
END

// the least that a step can be: one small step, every time
static cairn_world* starved_world(void)
{
    cairn_world_def def = cairn_default_world_def();
    def.work = 1.0;
    def.sleep = false;
    return worlds_empty(def);
}

// Overlaps are pulled back as springs would, which gives no more than is lost: what was lifted by that
// is a part of the energy of the fall.
TEST(starved_boxes_pile_up_on_the_floor_and_gain_no_energy)
{
    cairn_world* world = starved_world();
    worlds_ground(world);
    add_boxes(world, 200, 0.5);
    double kinetic, start;
    cairn_world_energy(world, &kinetic, &start);

    for (int k = 0; k < 240; k++) {
        cairn_step_report report = worlds_run(world, 1);
        CHECK(isfinite(report.kinetic));
        CHECK_BELOW(report.kinetic + report.potential, 1.001 * start);
        CHECK(lowest(world) > 0.0);
    }

    cairn_step_report report = worlds_run(world, 1);
    CHECK(report.outcome == CAIRN_OUTCOME_TIME_LIMIT);
    CHECK(report.residual > 0.0);
    cairn_world_destroy(world);
}
END

// forces within a block move no center
TEST(a_starved_block_in_free_fall_keeps_its_momentum)
{
    enum { count = 64, steps = 12 };
    cairn_world* world = starved_world();
    add_boxes(world, count, 20.0);

    for (int i = 0; i < count; i++)
        CHECK(cairn_body_set_velocity(world, cairn_world_body_at(world, i),
                                      cairn_vec(0.1 * (i % 5), -0.2 * (i % 3), 0.3 * (i % 4)),
                                      cairn_vec(0.0, 0.0, 0.0), NULL) == CAIRN_OK);

    cairn_vec3 before = {0}, after = {0};
    for (int i = 0; i < count; i++)
        before = cairn_add(before, worlds_state(world, cairn_world_body_at(world, i)).velocity);

    worlds_run(world, steps);
    for (int i = 0; i < count; i++)
        after = cairn_add(after, worlds_state(world, cairn_world_body_at(world, i)).velocity);

    CHECK_NEAR(after.x, before.x, 1e-10);
    CHECK_NEAR(after.y, before.y, 1e-10);
    CHECK_NEAR(after.z, before.z - count * 9.81 * steps * dt, 1e-9);
    cairn_world_destroy(world);
}
END

// A chain that swings down and cracks like a whip: no joint opens by a link, and once it swings freely
// joints gape by less than its end moves in a step, √(2 g L) dt. Its energy does not grow beyond what
// lifts it by that.
TEST(a_starved_chain_holds_together)
{
    const double way = sqrt(2.0 * 9.81 * 3.5) * dt;
    cairn_world* world = starved_world();
    add_chain(world, 8, 0.0, true);
    for (int k = 0; k < 300; k++) {
        cairn_step_report report = worlds_run(world, 1);
        CHECK_BELOW(report.joint_error, k < 150 ? 0.5 : way);
        CHECK(isfinite(report.kinetic));
        CHECK_BELOW(report.kinetic + report.potential, report.bodies * 4.0 * 9.81 * way);
        CHECK(report.motion.joint_error >= report.joint_error);
    }
    cairn_world_destroy(world);
}
END

// a block on a slope of 20° with μ = 0.5 stays, with μ = 0.2 it slides at g (sin α - μ cos α)
TEST(a_starved_block_sticks_and_slides_as_friction_says)
{
    const double alpha = acos(-1.0) / 9.0, g = 9.81;
    for (int k = 0; k < 2; k++) {
        cairn_world_def def = cairn_default_world_def();
        def.work = 1.0;
        def.sleep = false;
        def.gravity = cairn_vec(g * sin(alpha), 0.0, -g * cos(alpha));
        cairn_world* world = worlds_empty(def);
        worlds_ground(world);
        cairn_body_def body = cairn_default_body_def();
        cairn_shape box = cairn_shape_box(cairn_vec(0.5, 0.5, 0.1));
        body.shape = &box;
        body.pose.p = cairn_vec(0.0, 0.0, 0.1);
        body.material.mu = k == 0 ? 0.5 : 0.2;
        body.material.friction_rule = CAIRN_COMBINE_SMALLER;
        cairn_body_id id;
        CHECK(cairn_world_add_body(world, &body, &id, NULL) == CAIRN_OK);

        worlds_run(world, 60);

        double expected = k == 0 ? 0.0 : g * (sin(alpha) - 0.2 * cos(alpha));

        CHECK_NEAR(worlds_state(world, id).velocity.x, expected, 0.02);
        cairn_world_destroy(world);
    }
}
END

TESTS(a_step_within_its_budget_is_the_step_without_one, a_step_keeps_its_budget,
      a_step_whose_time_is_over_is_lean,
      counted_work_gives_the_same_bits_in_every_run_and_with_any_number_of_threads,
      a_snapshot_goes_on_with_the_same_steps_under_counted_work,
      starved_boxes_pile_up_on_the_floor_and_gain_no_energy,
      a_starved_block_in_free_fall_keeps_its_momentum, a_starved_chain_holds_together,
      a_starved_block_sticks_and_slides_as_friction_says)
