// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Lets one request for memory of a whole process fail, whoever makes it: the program, Jansson, zlib
// or the C library. Preloaded by test_starved.sh. STARVE_AT is the number of the request, from 0;
// STARVE_COUNT a file that is told at the end how many there were.

#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

void* __libc_malloc(size_t size);
void* __libc_calloc(size_t count, size_t size);
void* __libc_realloc(void* memory, size_t size);

static atomic_long requests;
static long fails_at = -1;

__attribute__((constructor)) static void start(void)
{
    const char* at = getenv("STARVE_AT");
    requests = 0;
    fails_at = at ? atol(at) : -1;
}

__attribute__((destructor)) static void stop(void)
{
    const char* path = getenv("STARVE_COUNT");
    long count = requests;
    fails_at = -1;
    FILE* file = path ? fopen(path, "w") : NULL;
    if (!file)
        return;
    fprintf(file, "%ld\n", count);
    fclose(file);
}

static int fails(void)
{
    if (atomic_fetch_add(&requests, 1) != fails_at)
        return 0;
    errno = ENOMEM;
    return 1;
}

void* malloc(size_t size)
{
    return fails() ? NULL : __libc_malloc(size);
}

void* calloc(size_t count, size_t size)
{
    return fails() ? NULL : __libc_calloc(count, size);
}

void* realloc(void* memory, size_t size)
{
    return fails() ? NULL : __libc_realloc(memory, size);
}
