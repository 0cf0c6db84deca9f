// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The system layer on Windows; see system.h. Memory that is aligned must be released by another
// function than malloc's, so all of it is.

#if defined(_WIN32)

#define CAIRN_MEMORY_OF_THE_SYSTEM
#include "math/memory.h"
#undef malloc
#undef calloc
#undef aligned_alloc
#undef realloc
#undef free
#include "math/stop.h"
#include "math/system.h"
#include <malloc.h>
#include <stdint.h>
#include <string.h>
#define WIN32_LEAN_AND_MEAN
#include <windows.h>

double cairn_clock(void)
{
    LARGE_INTEGER now, frequency;
    QueryPerformanceCounter(&now);
    QueryPerformanceFrequency(&frequency);
    return (double)now.QuadPart / (double)frequency.QuadPart;
}

// ---------------------------------------------------------------- threads

static DWORD WINAPI begin(void* argument)
{
    cairn_thread* thread = argument;
    thread->run(thread->argument);
    return 0;
}

bool cairn_thread_start(cairn_thread* thread, void* (*run)(void*), void* argument)
{
    thread->run = run;
    thread->argument = argument;
    thread->handle = CreateThread(NULL, 0, begin, thread, 0, NULL);
    return thread->handle != NULL;
}

void cairn_thread_join(cairn_thread* thread)
{
    WaitForSingleObject(thread->handle, INFINITE);
    CloseHandle(thread->handle);
}

void cairn_thread_yield(void)
{
    SwitchToThread();
}

int cairn_processor_count(void)
{
    SYSTEM_INFO info;
    GetSystemInfo(&info);
    return (int)info.dwNumberOfProcessors;
}

// ---------------------------------------------------------------- locks

_Static_assert(sizeof(SRWLOCK) == sizeof(void*), "a lock is a pointer");
_Static_assert(sizeof(CONDITION_VARIABLE) == sizeof(void*), "a condition is a pointer");

void cairn_lock_init(cairn_lock* lock)
{
    InitializeSRWLock((SRWLOCK*)&lock->state);
}

void cairn_lock_destroy(cairn_lock* lock)
{
    (void)lock;
}

void cairn_lock_acquire(cairn_lock* lock)
{
    AcquireSRWLockExclusive((SRWLOCK*)&lock->state);
}

void cairn_lock_release(cairn_lock* lock)
{
    ReleaseSRWLockExclusive((SRWLOCK*)&lock->state);
}

void cairn_condition_init(cairn_condition* condition)
{
    InitializeConditionVariable((CONDITION_VARIABLE*)&condition->state);
}

void cairn_condition_destroy(cairn_condition* condition)
{
    (void)condition;
}

void cairn_condition_wait(cairn_condition* condition, cairn_lock* lock)
{
    SleepConditionVariableSRW((CONDITION_VARIABLE*)&condition->state, (SRWLOCK*)&lock->state,
                              INFINITE, 0);
}

void cairn_condition_wake_all(cairn_condition* condition)
{
    WakeAllConditionVariable((CONDITION_VARIABLE*)&condition->state);
}

// ---------------------------------------------------------------- memory

void cairn_prefer_huge_pages(void* memory, size_t size)
{
    (void)memory;
    (void)size;
}

// _aligned_realloc wants the alignment that a block has; those that are resized have this one
enum { least_alignment = 64 };

void* cairn_system_take(size_t size)
{
    return _aligned_malloc(size > 0 ? size : 1, least_alignment);
}

void* cairn_system_take_zeroed(size_t count, size_t size)
{
    if (size > 0 && count > SIZE_MAX / size)
        return NULL;
    void* memory = cairn_system_take(count * size);
    if (memory)
        memset(memory, 0, count * size);
    return memory;
}

void* cairn_system_take_aligned(size_t alignment, size_t size)
{
    return _aligned_malloc(size > 0 ? size : 1, alignment);
}

void* cairn_system_resize(void* memory, size_t size)
{
    return _aligned_realloc(memory, size > 0 ? size : 1, least_alignment);
}

void cairn_system_give(void* memory)
{
    _aligned_free(memory);
}

#else
typedef int cairn_system_windows_is_empty;
#endif
