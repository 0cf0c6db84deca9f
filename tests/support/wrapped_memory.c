// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The functions that the linker puts in place of malloc and its kin; see wrapped_memory.h.

#include "wrapped_memory.h"
#include <errno.h>
#include <malloc.h>
#include <stdatomic.h>

void* __real_malloc(size_t size);
void* __real_calloc(size_t count, size_t size);
void* __real_realloc(void* memory, size_t size);
void* __real_aligned_alloc(size_t alignment, size_t size);
char* __real_strdup(const char* text);
void __real_free(void* memory);
void* __wrap_malloc(size_t size);
void* __wrap_calloc(size_t count, size_t size);
void* __wrap_realloc(void* memory, size_t size);
void* __wrap_aligned_alloc(size_t alignment, size_t size);
char* __wrap_strdup(const char* text);
void __wrap_free(void* memory);

static atomic_long requests, blocks, bytes;
static atomic_long left = -1; // requests until one fails; negative: none will
static atomic_bool failed;

long memory_requests(void)
{
    return requests;
}

long memory_blocks(void)
{
    return blocks;
}

size_t memory_bytes(void)
{
    return (size_t)bytes;
}

void memory_fail_after(long more)
{
    failed = false;
    left = more;
}

bool memory_failed(void)
{
    return failed;
}

static bool fails(void)
{
    atomic_fetch_add(&requests, 1);
    if (left < 0 || atomic_fetch_sub(&left, 1) != 0)
        return false;
    failed = true;
    errno = ENOMEM;
    return true;
}

static void* note(void* memory)
{
    if (memory) {
        atomic_fetch_add(&blocks, 1);
        atomic_fetch_add(&bytes, (long)malloc_usable_size(memory));
    }
    return memory;
}

static void forget(void* memory)
{
    if (memory) {
        atomic_fetch_sub(&blocks, 1);
        atomic_fetch_sub(&bytes, (long)malloc_usable_size(memory));
    }
}

void* __wrap_malloc(size_t size)
{
    return fails() ? NULL : note(__real_malloc(size));
}

void* __wrap_calloc(size_t count, size_t size)
{
    return fails() ? NULL : note(__real_calloc(count, size));
}

void* __wrap_realloc(void* memory, size_t size)
{
    if (fails())
        return NULL;
    forget(memory);
    return note(__real_realloc(memory, size));
}

void* __wrap_aligned_alloc(size_t alignment, size_t size)
{
    return fails() ? NULL : note(__real_aligned_alloc(alignment, size));
}

char* __wrap_strdup(const char* text)
{
    return fails() ? NULL : note(__real_strdup(text));
}

void __wrap_free(void* memory)
{
    forget(memory);
    __real_free(memory);
}

void* memory_take(size_t size)
{
    return __wrap_malloc(size);
}

void memory_give(void* memory)
{
    __wrap_free(memory);
}
