// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// A step of a settled scene asks the system for no memory. The linker sends every request of the
// library here (--wrap).

#include "check_cairn.h"
#include "worlds.h"

void* __real_malloc(size_t size);
void* __real_calloc(size_t count, size_t size);
void* __real_realloc(void* memory, size_t size);
void* __real_aligned_alloc(size_t alignment, size_t size);
void* __wrap_malloc(size_t size);
void* __wrap_calloc(size_t count, size_t size);
void* __wrap_realloc(void* memory, size_t size);
void* __wrap_aligned_alloc(size_t alignment, size_t size);

static int requests;

void* __wrap_malloc(size_t size)
{
    requests++;
    return __real_malloc(size);
}

void* __wrap_calloc(size_t count, size_t size)
{
    requests++;
    return __real_calloc(count, size);
}

void* __wrap_realloc(void* memory, size_t size)
{
    requests++;
    return __real_realloc(memory, size);
}

void* __wrap_aligned_alloc(size_t alignment, size_t size)
{
    requests++;
    return __real_aligned_alloc(alignment, size);
}

// lets the world settle, then counts what `steps` steps ask for; destroys the world
static int asked(cairn_world* world, int settle, int steps)
{
    worlds_run(world, settle);
    int before = requests, failed = 0;
    for (int i = 0; i < steps; i++)
        failed += cairn_world_step(world, worlds_dt, NULL, NULL) != CAIRN_OK;
    int count = requests - before;
    ck_assert_int_eq(failed, 0);
    cairn_world_destroy(world);
    return count;
}

static cairn_world_def options(void)
{
    cairn_world_def def = cairn_default_world_def();
    def.sleep = false;
    def.tolerance = 1e-3;
    return def;
}

TEST(requests_are_counted)
{
    int before = requests;
    cairn_world_destroy(worlds_empty(options()));
    CHECK(requests > before);
}
END

TEST(a_standing_wall_asks_for_no_memory)
{
    ck_assert_int_eq(asked(worlds_wall(options(), 10, 10), 30, 60), 0);
}
END

TEST(a_standing_pyramid_asks_for_no_memory)
{
    ck_assert_int_eq(asked(worlds_pyramid(options(), 10), 30, 60), 0);
}
END

TEST(a_heap_at_rest_asks_for_no_memory)
{
    ck_assert_int_eq(asked(worlds_heap(options(), 4), 600, 60), 0);
}
END

TEST(a_swinging_chain_asks_for_no_memory)
{
    cairn_world_def def = options();
    ck_assert_int_eq(asked(worlds_chain(def, 20, NULL), 30, 60), 0);
    def.integrator = CAIRN_MIDPOINT;
    def.substeps = 4;
    ck_assert_int_eq(asked(worlds_chain(def, 20, NULL), 30, 60), 0);
}
END

TEST(exact_solves_and_motors_ask_for_no_memory)
{
    cairn_world_def def = options();
    cairn_joint_id motor;
    def.rest_pass = false;
    def.method = "exact";
    ck_assert_int_eq(asked(worlds_columns(def, 5, 5), 30, 60), 0);
    def.method = "auto";
    ck_assert_int_eq(asked(worlds_machine(def, &motor), 120, 60), 0);
}
END

TEST(sleeping_stacks_ask_for_no_memory)
{
    ck_assert_int_eq(asked(worlds_columns(cairn_default_world_def(), 5, 5), 60, 60), 0);
}
END

TESTS(requests_are_counted, a_standing_wall_asks_for_no_memory,
      a_standing_pyramid_asks_for_no_memory, a_heap_at_rest_asks_for_no_memory,
      a_swinging_chain_asks_for_no_memory, exact_solves_and_motors_ask_for_no_memory,
      sleeping_stacks_ask_for_no_memory)
