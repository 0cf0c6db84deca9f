// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Scratch memory; see arena.h. Chunks form a stack: a release pops the chunks that are newer than
// the mark, and a reset replaces several chunks by one that holds the most that was in use.

#include "math/arena.h"
#include "math/assert.h"
#include "math/system.h"
#include <stdlib.h>
#include <string.h>

enum { alignment = 64, smallest_chunk = 1 << 16, huge_page = 1 << 21 };

struct cairn_arena_chunk {
    cairn_arena_chunk* older;
    size_t capacity;
    size_t used_before; // bytes that were in use in the older chunk when this one was added
    char pad[alignment - sizeof(void*) - 2 * sizeof(size_t)];
};

// Large chunks start at a huge page and ask for such pages: sweeps over them are otherwise bound by
// the translation of addresses.
static void* allocate(size_t bytes)
{
    if (bytes < 2 * huge_page)
        return aligned_alloc(alignment, bytes);
    size_t pages = (bytes + huge_page - 1) / huge_page * huge_page;
    void* memory = aligned_alloc(huge_page, pages);
    if (memory)
        cairn_prefer_huge_pages(memory, pages);
    return memory;
}

// aligned_alloc takes whole multiples of the alignment
static size_t whole(size_t bytes)
{
    return (bytes + alignment - 1) / alignment * alignment;
}

static bool push_chunk(cairn_arena* arena, size_t capacity)
{
    cairn_arena_chunk* chunk = allocate(sizeof(cairn_arena_chunk) + capacity);
    if (!chunk)
        return false;
    chunk->older = arena->chunk;
    chunk->capacity = capacity;
    chunk->used_before = arena->used;
    arena->chunk = chunk;
    arena->used = 0;
    return true;
}

// room for `bytes` more, and for as much again as there was
static bool grow(cairn_arena* arena, size_t bytes)
{
    size_t capacity = arena->chunk ? 2 * arena->chunk->capacity : smallest_chunk;
    return push_chunk(arena, capacity < bytes ? bytes : capacity);
}

static void pop_chunk(cairn_arena* arena)
{
    cairn_arena_chunk* chunk = arena->chunk;
    arena->chunk = chunk->older;
    arena->used = chunk->used_before;
    free(chunk);
}

void* cairn_arena_take(cairn_arena* arena, size_t bytes)
{
    if (bytes > SIZE_MAX / 4) {
        arena->failed = true;
        return NULL;
    }

    bytes = whole(bytes);
    if (bytes == 0)
        bytes = alignment;

    if (!arena->chunk || arena->chunk->capacity - arena->used < bytes) {
        if (!grow(arena, bytes)) {
            arena->failed = true;
            return NULL;
        }
    }

    char* memory = (char*)(arena->chunk + 1) + arena->used;
    arena->used += bytes;
    arena->taken += bytes;
    if (arena->peak < arena->taken)
        arena->peak = arena->taken;
    return memory;
}

void* cairn_arena_take_zeroed(cairn_arena* arena, size_t bytes)
{
    void* memory = cairn_arena_take(arena, bytes);
    return memory ? memset(memory, 0, bytes) : NULL;
}

cairn_arena_mark cairn_arena_here(const cairn_arena* arena)
{
    return (cairn_arena_mark){arena->chunk, arena->used, arena->taken};
}

void cairn_arena_release(cairn_arena* arena, cairn_arena_mark mark)
{
    // an arena that was empty at the mark keeps its chunks: they are joined by the next reset
    if (!mark.chunk)
        return;
    while (arena->chunk != mark.chunk)
        pop_chunk(arena);
    arena->used = mark.used;
    arena->taken = mark.taken;
}

// one chunk in place of all; on failure the arena is empty and asks again when needed
static void replace_chunks(cairn_arena* arena, size_t capacity)
{
    while (arena->chunk)
        pop_chunk(arena);
    arena->used = 0;
    if (capacity > 0)
        push_chunk(arena, capacity);
}

void cairn_arena_reset(cairn_arena* arena)
{
    // what was in use may lie in several chunks, or in some that a release has freed
    if (arena->chunk && (arena->chunk->older || arena->chunk->capacity < arena->peak))
        replace_chunks(arena, whole(arena->peak + arena->peak / 8));
    if (arena->most < arena->peak)
        arena->most = arena->peak;
    arena->used = 0;
    arena->taken = 0;
    arena->peak = 0;
    arena->failed = false;
}

void cairn_arena_fit(cairn_arena* arena)
{
    cairn_arena_reset(arena);
    size_t room = whole(arena->most + arena->most / 30);
    if (arena->chunk && arena->chunk->capacity > room + room / 30)
        replace_chunks(arena, room);
    arena->most = 0;
}

size_t cairn_arena_memory(const cairn_arena* arena)
{
    size_t bytes = 0;
    for (const cairn_arena_chunk* chunk = arena->chunk; chunk; chunk = chunk->older)
        bytes += sizeof *chunk + chunk->capacity;
    return bytes;
}

void cairn_arena_destroy(cairn_arena* arena)
{
    while (arena->chunk)
        pop_chunk(arena);
    *arena = (cairn_arena){0};
}
