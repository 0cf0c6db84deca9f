// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// What a host program may do in the library's place: give memory, hear refusals, answer failed
// assertions, run its threads. Nothing of it is needed, and nothing costs until it is set. Memory, log
// and assertions belong to the process: set them before other threads use the library.
#ifndef CAIRN_HOOKS_H
#define CAIRN_HOOKS_H

#include <cairn/base.h>

#ifdef __cplusplus
extern "C" {
#endif

// ---------------------------------------------------------------- memory

/// Where the core takes its memory: worlds, shapes, problems, solvers. Files (<cairn/io.h>) stand on
/// libraries with memory of their own; a program that reads or writes them keeps the C library's.
typedef struct cairn_allocator {
    /// `size` bytes at a multiple of `alignment`, a power of two; NULL: there are none. Called from any
    /// thread of a world.
    void* (*allocate)(void* context, size_t size, size_t alignment);
    /// Takes them back: `size` is what was asked for.
    void (*release)(void* context, void* memory, size_t size);
    void* context;
} cairn_allocator;

/// Sets the allocator; NULL: malloc and free again. CAIRN_BUSY while anything that the library has
/// allocated is alive.
CAIRN_API cairn_status cairn_set_allocator(const cairn_allocator* allocator, cairn_error* error);

// ---------------------------------------------------------------- log and assertions

/// Called with every sentence that a call writes into a cairn_error: refusals, want of memory. The
/// text lasts until the hook returns.
typedef void (*cairn_log_hook)(void* context, cairn_status status, const char* text);
CAIRN_API void cairn_set_log_hook(cairn_log_hook hook, void* context);

/// Called where an assertion of a build with assertions (not release) fails, a fault of ours or a
/// broken contract. The program is aborted when the hook returns.
typedef void (*cairn_assert_hook)(void* context, const char* condition, const char* file, int line);
CAIRN_API void cairn_set_assert_hook(cairn_assert_hook hook, void* context);

// ---------------------------------------------------------------- tasks

/// What a task does: the argument that came with it, and its rank among its like, from 0.
typedef void (*cairn_task)(void* argument, int rank);

/// Runs `task` with the ranks 0 .. count - 1 and returns when all have ended. They wait for each other:
/// each needs a thread of its own, all at the same time; the caller's may be one of them.
typedef void (*cairn_task_hook)(void* context, int count, cairn_task task, void* argument);

/// From now on the steps of a world run on the host's threads, as many as its `threads`; NULL: on
/// threads of its own. The bits are the same.
struct cairn_world;
CAIRN_API cairn_status cairn_world_set_task_hook(struct cairn_world* world, cairn_task_hook hook,
                                                 void* context, cairn_error* error);

#ifdef __cplusplus
}
#endif

#endif
