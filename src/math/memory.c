// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Memory of the core, from the C library or from the host. A block of the host has a head of one
// cache line that remembers its size, which the host's `release` and our `realloc` want to know.

#define CAIRN_MEMORY_OF_THE_SYSTEM
#include "math/memory.h"
#include "math/system.h"
#undef malloc
#undef calloc
#undef aligned_alloc
#undef realloc
#undef free
#include <cairn/hooks.h>
#include <stdatomic.h>
#include <string.h>

enum { head = 64 }; // bytes; the largest alignment that is asked for

static cairn_allocator host; // of the process; no allocate: the C library
static atomic_long alive;    // blocks

cairn_status cairn_set_allocator(const cairn_allocator* allocator, cairn_error* error)
{
    if (allocator && (!allocator->allocate || !allocator->release))
        return cairn_refuse_null(error, "a function of the allocator");
    long blocks = atomic_load(&alive);
    if (blocks > 0)
        return cairn_fail(error, CAIRN_BUSY,
                          "%ld blocks of memory are in use, expected none when an allocator is set",
                          blocks);
    host = allocator ? *allocator : (cairn_allocator){0};
    return CAIRN_OK;
}

static void* counted(void* memory)
{
    if (memory)
        atomic_fetch_add_explicit(&alive, 1, memory_order_relaxed);
    return memory;
}

static void* take_from_host(size_t size)
{
    if (size > SIZE_MAX - head)
        return NULL;
    char* block = host.allocate(host.context, size + head, head);
    if (!block)
        return NULL;
    memcpy(block, &size, sizeof size);
    return block + head;
}

static size_t size_of(const void* memory)
{
    size_t size;
    memcpy(&size, (const char*)memory - head, sizeof size);
    return size;
}

void* cairn_memory_take(size_t size)
{
    return counted(host.allocate ? take_from_host(size) : cairn_system_take(size));
}

void* cairn_memory_take_zeroed(size_t count, size_t size)
{
    if (!host.allocate)
        return counted(cairn_system_take_zeroed(count, size));
    if (size > 0 && count > SIZE_MAX / size)
        return NULL;
    void* memory = take_from_host(count * size);
    if (memory)
        memset(memory, 0, count * size);
    return counted(memory);
}

void* cairn_memory_take_aligned(size_t alignment, size_t size)
{
    return counted(host.allocate ? take_from_host(size)
                                 : cairn_system_take_aligned(alignment, size));
}

void* cairn_memory_resize(void* memory, size_t size)
{
    if (!memory)
        return cairn_memory_take(size);
    if (!host.allocate)
        return cairn_system_resize(memory, size);
    void* larger = take_from_host(size);
    if (!larger)
        return NULL;
    size_t old = size_of(memory);
    memcpy(larger, memory, old < size ? old : size);
    host.release(host.context, (char*)memory - head, old + head);
    return larger;
}

void cairn_memory_give(void* memory)
{
    if (!memory)
        return;
    atomic_fetch_sub_explicit(&alive, 1, memory_order_relaxed);
    if (host.allocate)
        host.release(host.context, (char*)memory - head, size_of(memory) + head);
    else
        cairn_system_give(memory);
}
