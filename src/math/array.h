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

/// Room for `need` items and a few more.
static inline int cairn_array_room(int need)
{
    return need + need / 30 + 4;
}

/// Gives back what is more than such room, where that is worth it: `*capacity` items of `size`
/// bytes. Returns the array.
static inline void* cairn_array_fit(void* array, int* capacity, int need, size_t size)
{
    int room = cairn_array_room(need);
    if (*capacity <= cairn_array_room(room))
        return array;
    void* fitted = realloc(array, (size_t)room * size);
    if (fitted)
        *capacity = room;
    return fitted ? fitted : array;
}

/// The same in place: CAIRN_FIT_ARRAY(list.items, list.capacity, need).
#define CAIRN_FIT_ARRAY(array, capacity, need)                                                     \
    ((array) = cairn_array_fit((array), &(capacity), (need), sizeof *(array)))

#endif
