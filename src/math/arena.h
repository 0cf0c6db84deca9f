// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Scratch memory: a bump allocator that grows by chunks and gives everything back at once. After
// one use of a given size the next use of that size allocates nothing.
#ifndef CAIRN_MATH_ARENA_H
#define CAIRN_MATH_ARENA_H

#include <cairn/base.h>

typedef struct cairn_arena_chunk cairn_arena_chunk;

typedef struct cairn_arena {
    cairn_arena_chunk* chunk; ///< newest chunk, older ones linked behind it
    size_t used;              ///< bytes taken from the newest chunk
    size_t taken;             ///< bytes in use in all chunks
    size_t peak;              ///< most bytes in use since the last reset
    size_t most;              ///< most bytes in use between two resets since the last fit
    bool failed;              ///< some request since the last reset got no memory
} cairn_arena;

/// A place to return to: everything taken after it is given back by cairn_arena_release.
typedef struct cairn_arena_mark {
    cairn_arena_chunk* chunk;
    size_t used, taken;
} cairn_arena_mark;

/// `bytes` of uninitialized memory aligned to 64, or NULL (then `failed` is set). Zero bytes give a
/// valid pointer.
void* cairn_arena_take(cairn_arena* arena, size_t bytes);

/// The same, filled with zeros.
void* cairn_arena_take_zeroed(cairn_arena* arena, size_t bytes);

/// `count` elements of a type: CAIRN_TAKE(arena, double, n).
#define CAIRN_TAKE(arena, type, count)                                                             \
    ((type*)cairn_arena_take((arena), (size_t)(count) * sizeof(type)))
#define CAIRN_TAKE_ZEROED(arena, type, count)                                                      \
    ((type*)cairn_arena_take_zeroed((arena), (size_t)(count) * sizeof(type)))

cairn_arena_mark cairn_arena_here(const cairn_arena* arena);

/// Gives back what was taken since the mark. Chunks are kept for the next use.
void cairn_arena_release(cairn_arena* arena, cairn_arena_mark mark);

/// Gives back everything and joins the chunks into one, so that the next use of this size is one
/// chunk.
void cairn_arena_reset(cairn_arena* arena);

/// Resets, and gives back what no use since the last fit has needed, but for a little room.
void cairn_arena_fit(cairn_arena* arena);

/// Bytes that the arena holds, in use or not.
size_t cairn_arena_memory(const cairn_arena* arena);

void cairn_arena_destroy(cairn_arena* arena);

#endif
