// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The system layer on POSIX; see system.h. What it calls beyond POSIX is asked for where it is compiled
// (cmake/libraries.cmake).

#if !defined(_WIN32) && !defined(__wasm_atomics__)

#define CAIRN_MEMORY_OF_THE_SYSTEM
#include "math/memory.h"
#undef malloc
#undef calloc
#undef aligned_alloc
#undef realloc
#undef free
#include "math/stop.h"
#include "math/system.h"
#include <sched.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
#if defined(__linux__)
#include <sys/mman.h>
#endif

double cairn_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// ---------------------------------------------------------------- threads

bool cairn_thread_start(cairn_thread* thread, void* (*run)(void*), void* argument)
{
    return pthread_create(&thread->handle, NULL, run, argument) == 0;
}

void cairn_thread_join(cairn_thread* thread)
{
    pthread_join(thread->handle, NULL);
}

void cairn_thread_yield(void)
{
    sched_yield();
}

int cairn_processor_count(void)
{
    return (int)sysconf(_SC_NPROCESSORS_ONLN);
}

// ---------------------------------------------------------------- locks

void cairn_lock_init(cairn_lock* lock)
{
    pthread_mutex_init(&lock->state, NULL);
}

void cairn_lock_destroy(cairn_lock* lock)
{
    pthread_mutex_destroy(&lock->state);
}

void cairn_lock_acquire(cairn_lock* lock)
{
    pthread_mutex_lock(&lock->state);
}

void cairn_lock_release(cairn_lock* lock)
{
    pthread_mutex_unlock(&lock->state);
}

void cairn_condition_init(cairn_condition* condition)
{
    pthread_cond_init(&condition->state, NULL);
}

void cairn_condition_destroy(cairn_condition* condition)
{
    pthread_cond_destroy(&condition->state);
}

void cairn_condition_wait(cairn_condition* condition, cairn_lock* lock)
{
    pthread_cond_wait(&condition->state, &lock->state);
}

void cairn_condition_wake_all(cairn_condition* condition)
{
    pthread_cond_broadcast(&condition->state);
}

// ---------------------------------------------------------------- memory

void cairn_prefer_huge_pages(void* memory, size_t size)
{
#if defined(__linux__) && defined(MADV_HUGEPAGE)
    madvise(memory, size, MADV_HUGEPAGE); // refusal does no harm
#else
    (void)memory;
    (void)size;
#endif
}

void* cairn_system_take(size_t size)
{
    return malloc(size);
}

void* cairn_system_take_zeroed(size_t count, size_t size)
{
    return calloc(count, size);
}

void* cairn_system_take_aligned(size_t alignment, size_t size)
{
    return aligned_alloc(alignment, size);
}

void* cairn_system_resize(void* memory, size_t size)
{
    return realloc(memory, size);
}

void cairn_system_give(void* memory)
{
    free(memory);
}

#else
typedef int cairn_system_posix_is_empty;
#endif
