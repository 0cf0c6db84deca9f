// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Requests for memory, counted, and failing on order. The linker sends those of our libraries here
// (--wrap, see cmake/tests.cmake); requests of threads count, too.
#ifndef CAIRN_TESTS_WRAPPED_MEMORY_H
#define CAIRN_TESTS_WRAPPED_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

/// Requests so far, those that failed included.
long memory_requests(void);

/// Blocks and bytes that were given out and not given back.
long memory_blocks(void);
size_t memory_bytes(void);

/// Lets one request fail after `requests` more have been met, with ENOMEM; negative: none.
void memory_fail_after(long requests);

/// Whether that request has come since then.
bool memory_failed(void);

/// Where the requests go: for libraries that can be given functions of their own.
void* memory_take(size_t size);
void memory_give(void* memory);

#endif
