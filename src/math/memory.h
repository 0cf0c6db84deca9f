// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Memory of the core. Every source of the core is compiled with this header in front of it
// (cmake/libraries.cmake), so that malloc and its kin are those of the host where it has set some.
#ifndef CAIRN_MATH_MEMORY_H
#define CAIRN_MATH_MEMORY_H

#include <stdlib.h>

void* cairn_memory_take(size_t size);
void* cairn_memory_take_zeroed(size_t count, size_t size);
void* cairn_memory_take_aligned(size_t alignment, size_t size);
void* cairn_memory_resize(void* memory, size_t size);
void cairn_memory_give(void* memory);

#ifndef CAIRN_MEMORY_OF_THE_SYSTEM
#define malloc(size) cairn_memory_take(size)
#define calloc(count, size) cairn_memory_take_zeroed(count, size)
#define aligned_alloc(alignment, size) cairn_memory_take_aligned(alignment, size)
#define realloc(memory, size) cairn_memory_resize(memory, size)
#define free(memory) cairn_memory_give(memory)
#endif

#endif
