// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Shuffle and deflate. Numbers of one column share their exponents and often their last bytes, so
// the first bytes of all elements are put first, then the second ones, and so on.

#include "io/hdf5/shuffle.h"
#include <string.h>
#include <zlib.h>

enum { level = 1 }; // most of the gain for a fraction of the time of the standard level

static void shuffle(unsigned char* out, const unsigned char* in, size_t bytes, size_t size)
{
    size_t n = bytes / size;
    for (size_t j = 0; j < size; j++)
        for (size_t i = 0; i < n; i++)
            out[j * n + i] = in[i * size + j];
}

static void unshuffle(unsigned char* out, const unsigned char* in, size_t bytes, size_t size)
{
    size_t n = bytes / size;
    for (size_t j = 0; j < size; j++)
        for (size_t i = 0; i < n; i++)
            out[i * size + j] = in[j * n + i];
}

size_t cairn_pack(unsigned char* packed, const unsigned char* data, size_t bytes, size_t size,
                  unsigned char* scratch)
{
    uLongf room = (uLongf)bytes;
    shuffle(scratch, data, bytes, size);
    return compress2(packed, &room, scratch, (uLong)bytes, level) == Z_OK ? room : 0;
}

bool cairn_unpack(unsigned char* data, size_t bytes, size_t size, const unsigned char* packed,
                  size_t packed_bytes, unsigned char* scratch)
{
    uLongf room = (uLongf)bytes;
    if (uncompress(scratch, &room, packed, (uLong)packed_bytes) != Z_OK || room != bytes)
        return false;
    unshuffle(data, scratch, bytes, size);
    return true;
}
