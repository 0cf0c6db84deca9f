// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors

#include "check_cairn.h"
#include "worlds.h"
#include <pthread.h>
#include <string.h>
#include <time.h>

TEST(a_step_that_was_canceled_before_it_began_does_nothing_and_the_next_one_goes_on)
{
    cairn_world *world = worlds_pyramid(cairn_default_world_def(), 4), *free = NULL;
    free = worlds_pyramid(cairn_default_world_def(), 4);

    for (int i = 0; i < 20; i++) {
        cairn_step_report report;
        cairn_error error = {""};
        memset(&report, 7, sizeof report);
        const cairn_step_report before = report;
        uint64_t hash = cairn_world_hash(world);
        cairn_world_cancel(world);

        CHECK(cairn_world_step(world, worlds_dt, &report, &error) == CAIRN_INTERRUPTED);
        CHECK(memcmp(&report, &before, sizeof report) == 0);
        CHECK(error.text[0] != '\0');
        CHECK(cairn_world_hash(world) == hash);

        // one call ends one step
        CHECK(cairn_world_step(world, worlds_dt, &report, &error) == CAIRN_OK);
        CHECK(cairn_world_step(free, worlds_dt, NULL, NULL) == CAIRN_OK);

        CHECK(cairn_world_hash(world) == cairn_world_hash(free));
    }
    cairn_world_destroy(world);
    cairn_world_destroy(free);
}
END

TEST(a_snapshot_neither_keeps_nor_lowers_the_flag)
{
    cairn_world* world = worlds_pyramid(cairn_default_world_def(), 2);
    cairn_snapshot* snapshot;
    cairn_world_cancel(world);
    CHECK(cairn_world_snapshot(world, &snapshot, NULL) == CAIRN_OK);
    CHECK(cairn_world_step(world, worlds_dt, NULL, NULL) == CAIRN_INTERRUPTED);
    CHECK(cairn_world_restore(world, snapshot, NULL) == CAIRN_OK);
    CHECK(cairn_world_step(world, worlds_dt, NULL, NULL) == CAIRN_OK);
    cairn_world_cancel(world);
    CHECK(cairn_world_restore(world, snapshot, NULL) == CAIRN_OK);
    CHECK(cairn_world_step(world, worlds_dt, NULL, NULL) == CAIRN_INTERRUPTED);
    cairn_snapshot_destroy(snapshot);
    cairn_world_destroy(world);
}
END

// ---------------------------------------------------------------- while a step runs

// Seconds that a thread has computed. The wall clock would measure how loaded the machine is.
static double computed(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

typedef struct canceler {
    cairn_world* world;
    clockid_t stepper; // clock of the thread that steps
    double at;         // of that clock
} canceler;

static void* cancel_later(void* context)
{
    canceler* c = context;
    const struct timespec pause = {0, 500000};
    while (computed(c->stepper) < c->at)
        nanosleep(&pause, NULL);
    c->at = computed(c->stepper);
    cairn_world_cancel(c->world);
    return NULL;
}

// steps until a step is canceled; the seconds that it went on computing
static double latency(cairn_world* world, double delay)
{
    canceler c = {.world = world};
    pthread_t thread;
    cairn_status status = CAIRN_OK;
    CHECK(pthread_getcpuclockid(pthread_self(), &c.stepper) == 0);
    c.at = computed(c.stepper) + delay;
    CHECK(pthread_create(&thread, NULL, cancel_later, &c) == 0);
    while (status == CAIRN_OK)
        status = cairn_world_step(world, worlds_dt, NULL, NULL);
    double ended = computed(c.stepper);
    ck_assert_int_eq(status, CAIRN_INTERRUPTED);
    pthread_join(thread, NULL);
    return ended - c.at;
}

#if CHECK_SLOW_BUILD
static const double longest = 2.0;
#else
static const double longest = 0.2;
#endif

// a pyramid of 990 boxes with a tolerance and a limit that no step reaches the end of
static void ends_soon(const char* method, int threads)
{
    cairn_world_def def = cairn_default_world_def();
    def.threads = threads;
    def.method = method;
    def.tolerance = 1e-16;
    def.max_iterations = def.sweeps = 1000000;
    def.rest_pass = false;
    cairn_world* world = worlds_pyramid(def, 44);
    for (int k = 0; k < 3; k++) {
        double t = latency(world, 0.02 + 0.15 * k);
        ck_assert_msg(t <= longest, "%s, %d threads: %.3f s", method, threads, t);
    }
    cairn_world_destroy(world);
}

TEST(a_step_of_a_thousand_boxes_that_would_take_hours_ends_soon)
{
    ends_soon("auto", 1);
    ends_soon("pgs", 1);
    ends_soon("exact", 1);
    ends_soon("gauss-seidel", 1);
    ends_soon("prox", 1);
}
END

TEST(so_it_does_with_threads)
{
    ends_soon("auto", 4);
    ends_soon("pgs", 4);
}
END

TEST(a_cancel_that_was_taken_back_ends_no_step)
{
    cairn_world* world = worlds_pyramid(cairn_default_world_def(), 3);
    cairn_world_cancel(world);
    cairn_world_resume(world);
    CHECK(cairn_world_step(world, worlds_dt, NULL, NULL) == CAIRN_OK);
    cairn_world_destroy(world);
}
END

TEST(a_limit_of_time_ends_the_sweeps_of_a_step)
{
    cairn_world_def def = cairn_default_world_def();
    def.tolerance = 1e-16;
    def.sweeps = 1000000000;
    def.rest_pass = def.sleep = false;
    def.time_limit = 1e-3;
    cairn_world* world = worlds_pyramid(def, 12);
    cairn_step_report report;
    for (int i = 0; i < 5; i++)
        CHECK(cairn_world_step(world, worlds_dt, &report, NULL) == CAIRN_OK);
    ck_assert_str_eq(cairn_outcome_name(report.outcome), "time-limit");
    CHECK(isfinite(report.residual));
    cairn_world_destroy(world);
}
END

TESTS(a_cancel_that_was_taken_back_ends_no_step,
      a_step_that_was_canceled_before_it_began_does_nothing_and_the_next_one_goes_on,
      a_snapshot_neither_keeps_nor_lowers_the_flag,
      a_step_of_a_thousand_boxes_that_would_take_hours_ends_soon, so_it_does_with_threads,
      a_limit_of_time_ends_the_sweeps_of_a_step)
