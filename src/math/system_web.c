// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The system layer of the module with threads for browsers; see system.h. A page cannot start a
// thread in the middle of a call, so its workers are there from the start: each sits in a seat and
// waits (cairn_web_sit). To start a thread is to give a seat a function, to join it is to wait
// until the seat is free. Locks are words of the shared memory: 0 free, 1 held, 2 held and waited
// for. The window of a page must not sleep; there cairn_web_wait returns at once, and the loops
// around it spin.

#if defined(__wasm_atomics__)

#define CAIRN_MEMORY_OF_THE_SYSTEM
#include "math/memory.h"
#undef malloc
#undef calloc
#undef aligned_alloc
#undef realloc
#undef free
#include "math/stop.h"
#include "math/system.h"
#include <stdlib.h>
#include <time.h>

// sleeps while the word has that value; given by the page
__attribute__((import_module("env"), import_name("cairn_web_wait"))) void cairn_web_wait(int* word,
                                                                                         int value);

static void wake(int* word, unsigned count)
{
    __builtin_wasm_memory_atomic_notify(word, count);
}

double cairn_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// ---------------------------------------------------------------- threads

enum { most_seats = 64 };
enum { SEAT_EMPTY, SEAT_FREE, SEAT_TAKEN, SEAT_AT_WORK, SEAT_DONE };

typedef struct seat {
    int state;
    void* (*run)(void*);
    void* argument;
} seat;

static seat seats[most_seats];
static int seated;

__attribute__((visibility("default"), used)) void cairn_web_sit(int number)
{
    seat* own = &seats[number];
    __atomic_store_n(&own->state, SEAT_FREE, __ATOMIC_SEQ_CST);
    __atomic_fetch_add(&seated, 1, __ATOMIC_SEQ_CST);

    for (;;) {
        // until a function is given
        int state = __atomic_load_n(&own->state, __ATOMIC_ACQUIRE);
        if (state != SEAT_AT_WORK) {
            cairn_web_wait(&own->state, state);
            continue;
        }

        own->run(own->argument);
        __atomic_store_n(&own->state, SEAT_DONE, __ATOMIC_SEQ_CST);
        wake(&own->state, ~0U);
    }
}

/// How many workers sit and wait.
__attribute__((visibility("default"), used)) int cairn_web_seated(void)
{
    return __atomic_load_n(&seated, __ATOMIC_SEQ_CST);
}

bool cairn_thread_start(cairn_thread* thread, void* (*run)(void*), void* argument)
{
    for (int i = 0; i < most_seats; i++) {
        int expected = SEAT_FREE;
        if (!__atomic_compare_exchange_n(&seats[i].state, &expected, SEAT_TAKEN, false,
                                         __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
            continue;
        thread->seat = i;
        seats[i].run = run;
        seats[i].argument = argument;
        __atomic_store_n(&seats[i].state, SEAT_AT_WORK, __ATOMIC_SEQ_CST);
        wake(&seats[i].state, ~0U);
        return true;
    }
    return false;
}

void cairn_thread_join(cairn_thread* thread)
{
    seat* other = &seats[thread->seat];
    for (;;) {
        int state = __atomic_load_n(&other->state, __ATOMIC_ACQUIRE);
        if (state == SEAT_DONE)
            break;
        cairn_web_wait(&other->state, state);
    }
    __atomic_store_n(&other->state, SEAT_FREE, __ATOMIC_SEQ_CST);
}

void cairn_thread_yield(void)
{
    // a page has no such call; who waits for long sleeps
}

int cairn_processor_count(void)
{
    return 1 + cairn_web_seated();
}

// ---------------------------------------------------------------- locks

void cairn_lock_init(cairn_lock* lock)
{
    lock->state = 0;
}

void cairn_lock_destroy(cairn_lock* lock)
{
    (void)lock;
}

void cairn_lock_acquire(cairn_lock* lock)
{
    int expected = 0;
    if (__atomic_compare_exchange_n(&lock->state, &expected, 1, false, __ATOMIC_SEQ_CST,
                                    __ATOMIC_SEQ_CST))
        return;
    while (__atomic_exchange_n(&lock->state, 2, __ATOMIC_SEQ_CST) != 0)
        cairn_web_wait(&lock->state, 2);
}

void cairn_lock_release(cairn_lock* lock)
{
    if (__atomic_exchange_n(&lock->state, 0, __ATOMIC_SEQ_CST) == 2)
        wake(&lock->state, 1);
}

void cairn_condition_init(cairn_condition* condition)
{
    condition->round = 0;
}

void cairn_condition_destroy(cairn_condition* condition)
{
    (void)condition;
}

void cairn_condition_wait(cairn_condition* condition, cairn_lock* lock)
{
    // a round that moves on between the release and the wait makes this return at once
    int round = __atomic_load_n(&condition->round, __ATOMIC_SEQ_CST);
    cairn_lock_release(lock);
    cairn_web_wait(&condition->round, round);
    cairn_lock_acquire(lock);
}

void cairn_condition_wake_all(cairn_condition* condition)
{
    __atomic_fetch_add(&condition->round, 1, __ATOMIC_SEQ_CST);
    wake(&condition->round, ~0U);
}

// ---------------------------------------------------------------- memory

void cairn_prefer_huge_pages(void* memory, size_t size)
{
    (void)memory;
    (void)size;
}

// The C library of the module is the one without threads. Workers take memory through this layer
// alone, and the thread of the page calls the library only while they wait: one lock is enough.
static cairn_lock memory_lock;

void* cairn_system_take(size_t size)
{
    cairn_lock_acquire(&memory_lock);
    void* memory = malloc(size);
    cairn_lock_release(&memory_lock);
    return memory;
}

void* cairn_system_take_zeroed(size_t count, size_t size)
{
    cairn_lock_acquire(&memory_lock);
    void* memory = calloc(count, size);
    cairn_lock_release(&memory_lock);
    return memory;
}

void* cairn_system_take_aligned(size_t alignment, size_t size)
{
    cairn_lock_acquire(&memory_lock);
    void* memory = aligned_alloc(alignment, size);
    cairn_lock_release(&memory_lock);
    return memory;
}

void* cairn_system_resize(void* memory, size_t size)
{
    cairn_lock_acquire(&memory_lock);
    void* resized = realloc(memory, size);
    cairn_lock_release(&memory_lock);
    return resized;
}

void cairn_system_give(void* memory)
{
    cairn_lock_acquire(&memory_lock);
    free(memory);
    cairn_lock_release(&memory_lock);
}

#else
typedef int cairn_system_web_is_empty;
#endif
