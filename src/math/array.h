// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Arrays with memory of their own.
#ifndef CAIRN_MATH_ARRAY_H
#define CAIRN_MATH_ARRAY_H

#include <cairn/base.h>
#include <stdlib.h>
#include <string.h>

/// A copy of the first `used` bytes with room for `capacity` >= used bytes, aligned to the 64 bytes
/// that come from memory at once; NULL only when there is no memory.
static inline void* cairn_array_copy(const void* from, size_t used, size_t capacity)
{
    size_t lines = (capacity + 63) / 64;
    void* copy = aligned_alloc(64, lines > 0 ? 64 * lines : 64);
    if (copy && used > 0)
        memcpy(copy, from, used);
    return copy;
}

/// The same in place of the old array, which is freed; NULL leaves it as it was.
static inline void* cairn_array_grow(void* old, size_t used, size_t capacity)
{
    void* grown = cairn_array_copy(old, used, capacity);
    if (grown)
        free(old);
    return grown;
}

/// The same for arrays of a type: CAIRN_COPY_ARRAY(from, int, count, capacity).
#define CAIRN_COPY_ARRAY(from, type, count, capacity)                                              \
    ((type*)cairn_array_copy((from), (size_t)(count) * sizeof(type),                               \
                             (size_t)(capacity) * sizeof(type)))
#define CAIRN_GROW_ARRAY(old, type, count, capacity)                                               \
    ((type*)cairn_array_grow((old), (size_t)(count) * sizeof(type),                                \
                             (size_t)(capacity) * sizeof(type)))

/// Room for `need` items and a few more.
static inline int cairn_array_room(int need)
{
    return need + need / 30 + 4;
}

/// Gives back what is more than room for `room` items of `size` bytes. Returns the array, aligned
/// as the others: not by realloc, which may move it anywhere.
static inline void* cairn_array_shrink(void* array, int* capacity, int room, size_t size)
{
    if (*capacity <= room || room <= 0)
        return array;
    void* shrunk = cairn_array_grow(array, (size_t)room * size, (size_t)room * size);
    if (shrunk)
        *capacity = room;
    return shrunk ? shrunk : array;
}

/// Gives back what is more than room for `need` items and a few more, where that is worth it.
static inline void* cairn_array_fit(void* array, int* capacity, int need, size_t size)
{
    int room = cairn_array_room(need);
    bool worth = *capacity > cairn_array_room(room);
    return worth ? cairn_array_shrink(array, capacity, room, size) : array;
}

/// The same in place: CAIRN_FIT_ARRAY(list.items, list.capacity, need).
#define CAIRN_FIT_ARRAY(array, capacity, need)                                                     \
    ((array) = cairn_array_fit((array), &(capacity), (need), sizeof *(array)))
#define CAIRN_SHRINK_ARRAY(array, capacity, room)                                                  \
    ((array) = cairn_array_shrink((array), &(capacity), (room), sizeof *(array)))

#endif
