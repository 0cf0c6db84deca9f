// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Numbers as bytes, the same on every machine: little-endian, doubles by their bits. One list of
// fields serves both ways, so that what is written is what is read. A reader trusts nothing: the
// first number that is out of place marks the codec as bad, and all that follow are zero.
#ifndef CAIRN_MATH_CODEC_H
#define CAIRN_MATH_CODEC_H

#include <cairn/math.h>
#include <string.h>

typedef struct cairn_codec {
    bool writing;
    unsigned char* out;      ///< of a writer; NULL: bytes are only counted
    const unsigned char* in; ///< of a reader
    size_t at, size;         ///< bytes done; bytes that there are
    bool bad;                ///< a reader met what cannot be
} cairn_codec;

/// The lowest `bytes` bytes of a number.
void cairn_code(cairn_codec* c, uint64_t* x, int bytes);
void cairn_code_u64(cairn_codec* c, uint64_t* x);
void cairn_code_u32(cairn_codec* c, uint32_t* x);

/// A whole number within [lo, hi].
void cairn_code_int(cairn_codec* c, int* x, int lo, int hi);
void cairn_code_bool(cairn_codec* c, bool* x);

/// A number whatever it is.
void cairn_code_bits(cairn_codec* c, double* x);

/// A number that may be infinite.
void cairn_code_bound(cairn_codec* c, double* x);

/// A finite number.
void cairn_code_real(cairn_codec* c, double* x);
void cairn_code_reals(cairn_codec* c, double* x, int count);
void cairn_code_vec(cairn_codec* c, cairn_vec3* x);

/// A rotation: a reader accepts what has the length 1 but for round-off.
void cairn_code_quat(cairn_codec* c, cairn_quat* q);
void cairn_code_transform(cairn_codec* c, cairn_transform* x);

/// How many items follow, each of `least` bytes at least: a reader that has too few bytes left for
/// them says so before anybody takes memory.
void cairn_code_count(cairn_codec* c, int* count, size_t least);

#endif
