// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors

#include "check_cairn.h"
#include "worlds.h"
#include <string.h>

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

TESTS(a_step_that_was_canceled_before_it_began_does_nothing_and_the_next_one_goes_on,
      a_snapshot_neither_keeps_nor_lowers_the_flag)
