// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Of <stdlib.h> of C17, for the syntax check of the core (tests/macos/test_macos.sh).
#ifndef CAIRN_MACOS_STDLIB_H
#define CAIRN_MACOS_STDLIB_H

#include <stddef.h>

#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1

typedef struct lldiv_t {
    long long quot, rem;
} lldiv_t;

void* malloc(size_t size);
void* calloc(size_t count, size_t size);
void* realloc(void* memory, size_t size);
void* aligned_alloc(size_t alignment, size_t size);
void free(void* memory);
void qsort(void* items, size_t count, size_t size, int (*compare)(const void*, const void*));
void* bsearch(const void* key, const void* items, size_t count, size_t size,
              int (*compare)(const void*, const void*));
int abs(int x);
long labs(long x);
long long llabs(long long x);
_Noreturn void abort(void);
_Noreturn void exit(int status);
double strtod(const char* text, char** end);
long strtol(const char* text, char** end, int base);
long long strtoll(const char* text, char** end, int base);
unsigned long strtoul(const char* text, char** end, int base);
unsigned long long strtoull(const char* text, char** end, int base);

#endif
