// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// What the core asks of the system beside the C library: threads, locks, the number of processors,
// huge pages and aligned memory (and the clock, math/stop.h). POSIX, Windows, and the workers of a
// web page; nothing else of the core may call these (scripts/check-system).
#ifndef CAIRN_MATH_SYSTEM_H
#define CAIRN_MATH_SYSTEM_H

#include <stdbool.h>
#include <stddef.h>

#if defined(_WIN32)
typedef struct cairn_thread {
    void* handle;
    void* (*run)(void*);
    void* argument;
} cairn_thread;
typedef struct cairn_lock {
    void* state; // an SRWLOCK
} cairn_lock;
typedef struct cairn_condition {
    void* state; // a CONDITION_VARIABLE
} cairn_condition;
#elif defined(__wasm_atomics__)
typedef struct cairn_thread {
    int seat;
} cairn_thread;
typedef struct cairn_lock {
    int state;
} cairn_lock;
typedef struct cairn_condition {
    int round;
} cairn_condition;
#else
#include <pthread.h>
typedef struct cairn_thread {
    pthread_t handle;
} cairn_thread;
typedef struct cairn_lock {
    pthread_mutex_t state;
} cairn_lock;
typedef struct cairn_condition {
    pthread_cond_t state;
} cairn_condition;
#endif

/// Runs a function in a thread of its own; false when there is none to be had. `thread` must stay
/// where it is until it is joined.
bool cairn_thread_start(cairn_thread* thread, void* (*run)(void*), void* argument);
void cairn_thread_join(cairn_thread* thread);

/// Gives way to other threads.
void cairn_thread_yield(void);

/// Processors that are there.
int cairn_processor_count(void);

void cairn_lock_init(cairn_lock* lock);
void cairn_lock_destroy(cairn_lock* lock);
void cairn_lock_acquire(cairn_lock* lock);
void cairn_lock_release(cairn_lock* lock);

void cairn_condition_init(cairn_condition* condition);
void cairn_condition_destroy(cairn_condition* condition);

/// Waits, with the lock released meanwhile; may come back without a reason.
void cairn_condition_wait(cairn_condition* condition, cairn_lock* lock);
void cairn_condition_wake_all(cairn_condition* condition);

/// A hint: that memory is swept over, and best kept in huge pages.
void cairn_prefer_huge_pages(void* memory, size_t size);

/// malloc and its kin, all of which are released by the last one. Sizes of aligned memory are
/// multiples of the alignment.
void* cairn_system_take(size_t size);
void* cairn_system_take_zeroed(size_t count, size_t size);
void* cairn_system_take_aligned(size_t alignment, size_t size);
void* cairn_system_resize(void* memory, size_t size);
void cairn_system_give(void* memory);

#endif
