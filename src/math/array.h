// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Arrays with memory of their own.
#ifndef CAIRN_MATH_ARRAY_H
#define CAIRN_MATH_ARRAY_H

#include <cairn/base.h>
#include <stdlib.h>
#include <string.h>

/// A copy of the first `used` bytes with room for `capacity` >= used bytes; NULL only when there is
/// no memory.
static inline void* cairn_array_copy(const void* from, size_t used, size_t capacity)
{
    void* copy = malloc(capacity > 0 ? capacity : 1);
    if (copy && used > 0)
        memcpy(copy, from, used);
    return copy;
}

/// The same for arrays of a type: CAIRN_COPY_ARRAY(from, int, count, capacity).
#define CAIRN_COPY_ARRAY(from, type, count, capacity)                                              \
    ((type*)cairn_array_copy((from), (size_t)(count) * sizeof(type),                               \
                             (size_t)(capacity) * sizeof(type)))

#endif
