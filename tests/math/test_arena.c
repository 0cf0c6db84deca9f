// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors

#include "check_cairn.h"
#include "math/arena.h"
#include <cairn/random.h>
#include <stdio.h>
#include <string.h>

TEST(memory_is_aligned_and_does_not_overlap)
{
    enum { pieces = 400 };
    cairn_arena arena = {0};
    cairn_random random = {1};
    unsigned char* piece[pieces];
    size_t size[pieces];
    for (int i = 0; i < pieces; i++) {
        size[i] = (size_t)cairn_random_index(&random, i % 10 == 0 ? 200000 : 300);
        piece[i] = cairn_arena_take(&arena, size[i]);
        CHECK(piece[i] && (uintptr_t)piece[i] % 64 == 0);
        memset(piece[i], i % 256, size[i]);
    }
    size_t changed = 0;
    for (int i = 0; i < pieces; i++)
        for (size_t k = 0; k < size[i]; k++)
            changed += piece[i][k] != i % 256;
    CHECK(changed == 0);
    CHECK(!arena.failed);
    cairn_arena_destroy(&arena);
}
END

TEST(zeroed_memory_is_zero_also_where_it_was_used_before)
{
    cairn_arena arena = {0};
    memset(cairn_arena_take(&arena, 5000), 255, 5000);
    cairn_arena_reset(&arena);
    const double* x = CAIRN_TAKE_ZEROED(&arena, double, 600);
    for (int i = 0; i < 600; i++)
        CHECK(x[i] == 0.0);
    cairn_arena_destroy(&arena);
}
END

TEST(a_release_gives_back_what_was_taken_since_the_mark)
{
    cairn_arena arena = {0};
    int* kept = CAIRN_TAKE(&arena, int, 10);
    for (int i = 0; i < 10; i++)
        kept[i] = i;
    cairn_arena_mark mark = cairn_arena_here(&arena);
    size_t taken = arena.taken;
    void* first = cairn_arena_take(&arena, 100);
    cairn_arena_take(&arena, 1000000); // a chunk of its own
    cairn_arena_release(&arena, mark);
    CHECK(arena.taken == taken);
    CHECK(cairn_arena_take(&arena, 100) == first);
    for (int i = 0; i < 10; i++)
        CHECK(kept[i] == i);
    cairn_arena_destroy(&arena);
}
END

TEST(the_second_use_of_a_size_takes_one_chunk_and_no_memory)
{
    cairn_arena arena = {0};
    for (int i = 0; i < 100; i++)
        cairn_arena_take(&arena, 10000);
    CHECK(arena.peak >= 1000000);
    cairn_arena_reset(&arena);
    CHECK(arena.taken == 0);
    cairn_arena_chunk* chunk = arena.chunk;
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < 100; i++)
            cairn_arena_take(&arena, 10000);
        CHECK(arena.chunk == chunk);
        cairn_arena_reset(&arena);
        CHECK(arena.chunk == chunk);
    }
    cairn_arena_destroy(&arena);
}
END

TEST(nothing_is_a_valid_request)
{
    cairn_arena arena = {0};
    char *a = cairn_arena_take(&arena, 0), *b = cairn_arena_take(&arena, 0);
    CHECK(a && b && a != b);
    cairn_arena_destroy(&arena);
    cairn_arena_destroy(&arena);
}
END

TEST(too_large_a_request_is_remembered_until_the_reset)
{
    cairn_arena arena = {0};
    CHECK(cairn_arena_take(&arena, 64));
    CHECK(!cairn_arena_take(&arena, SIZE_MAX));
    CHECK(!cairn_arena_take(&arena, (size_t)-64)); // a negative count of elements
    CHECK(arena.failed);
    CHECK(cairn_arena_take(&arena, 64));
    CHECK(arena.failed);
    cairn_arena_reset(&arena);
    CHECK(!arena.failed);
    cairn_arena_destroy(&arena);
}
END

// the address sanitizer refuses chunks that are no whole multiple of their alignment
TEST(a_reset_after_any_peak_gives_one_sound_chunk)
{
    for (size_t blocks = 1; blocks < 4000; blocks += 97) {
        cairn_arena arena = {0};
        for (size_t i = 0; i < blocks; i++)
            CHECK(cairn_arena_take(&arena, 64));
        CHECK(cairn_arena_take(&arena, 1 << 16));
        cairn_arena_reset(&arena);
        char* whole = cairn_arena_take(&arena, 64 * blocks + (1 << 16));
        CHECK(whole && (uintptr_t)whole % 64 == 0);
        memset(whole, 1, 64 * blocks + (1 << 16));
        cairn_arena_destroy(&arena);
    }
}
END

TEST(a_fit_gives_back_what_no_use_since_the_last_one_has_needed)
{
    cairn_arena arena = {0};
    CHECK(cairn_arena_take(&arena, 1000000));
    cairn_arena_reset(&arena);
    CHECK(cairn_arena_take(&arena, 10000));
    // the larger use was since the last fit
    cairn_arena_fit(&arena);
    CHECK(cairn_arena_memory(&arena) >= 1000000);
    CHECK(cairn_arena_take(&arena, 10000));
    cairn_arena_fit(&arena);
    CHECK(cairn_arena_memory(&arena) >= 10000);
    CHECK(cairn_arena_memory(&arena) < 11000);
    const cairn_arena_chunk* chunk = arena.chunk;
    CHECK(cairn_arena_take(&arena, 10000));
    CHECK(arena.chunk == chunk);
    cairn_arena_fit(&arena);
    cairn_arena_fit(&arena);
    CHECK(cairn_arena_memory(&arena) == 0);
    cairn_arena_destroy(&arena);
}
END

// whether Linux was asked for huge pages where `memory` lies; true where that cannot be known
static bool huge_pages_asked(const void* memory)
{
    FILE* supported = fopen("/sys/kernel/mm/transparent_hugepage/enabled", "r");
    FILE* map = fopen("/proc/self/smaps", "r");
    const uintptr_t address = (uintptr_t)memory;
    bool asked = !supported || !map, here = false;
    char line[512];
    while (!asked && fgets(line, sizeof line, map)) {
        // a region's first line, "from-to rwxp ...", and its last, "VmFlags: rd wr ..."
        unsigned long from, to;
        if (sscanf(line, "%lx-%lx ", &from, &to) == 2)
            here = address >= from && address < to;
        else if (here && strncmp(line, "VmFlags:", 8) == 0)
            asked = strstr(line, " hg") != NULL;
    }
    if (supported)
        fclose(supported);
    if (map)
        fclose(map);
    return asked;
}

TEST(large_chunks_ask_for_huge_pages)
{
    cairn_arena arena = {0};
    char* memory = cairn_arena_take(&arena, 5 << 20);
    CHECK(memory && huge_pages_asked(memory + (2 << 20)));
    cairn_arena_destroy(&arena);
}
END

TESTS(memory_is_aligned_and_does_not_overlap, zeroed_memory_is_zero_also_where_it_was_used_before,
      a_release_gives_back_what_was_taken_since_the_mark,
      the_second_use_of_a_size_takes_one_chunk_and_no_memory, nothing_is_a_valid_request,
      too_large_a_request_is_remembered_until_the_reset,
      a_reset_after_any_peak_gives_one_sound_chunk,
      a_fit_gives_back_what_no_use_since_the_last_one_has_needed, large_chunks_ask_for_huge_pages)
