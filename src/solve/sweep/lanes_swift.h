// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Lanes of single precision for sweeps: bodies to lanes and back, and what an impulse does to them.
// For kernels, after cluster.h.

// as wide as the registers: shuffles of wider vectors would be done number by number
typedef float scalar;
#if defined(CAIRN_TARGET_avx512)
typedef cairn_float16 real;
typedef cairn_int16 mask;
#else
typedef cairn_float8 real;
typedef cairn_int8 mask;
#endif
#define ROOT __builtin_sqrtf
#include "solve/sweep/lanes.h"

#if defined(CAIRN_TARGET_avx512)

// 8x8 transposes of both halves, its own inverse; by shuffles within quarters but for the last step
CAIRN_INLINE bodies transpose(bodies r)
{
    bodies a, b, c;

    // interleave single numbers of neighboring rows
    for (int k = 0; k < 4; k++) {
        real low = r.w[2 * k], high = r.w[2 * k + 1];
        a.w[2 * k] = __builtin_shufflevector(low, high, 0, 16, 1, 17, 4, 20, 5, 21, 8, 24, 9, 25,
                                             12, 28, 13, 29);
        a.w[2 * k + 1] = __builtin_shufflevector(low, high, 2, 18, 3, 19, 6, 22, 7, 23, 10, 26, 11,
                                                 27, 14, 30, 15, 31);
    }

    // interleave pairs
    for (int k = 0; k < 2; k++)
        for (int odd = 0; odd < 2; odd++) {
            real low = a.w[4 * k + odd], high = a.w[4 * k + 2 + odd];
            b.w[4 * k + 2 * odd] = __builtin_shufflevector(low, high, 0, 1, 16, 17, 4, 5, 20, 21, 8,
                                                           9, 24, 25, 12, 13, 28, 29);
            b.w[4 * k + 2 * odd + 1] = __builtin_shufflevector(low, high, 2, 3, 18, 19, 6, 7, 22,
                                                               23, 10, 11, 26, 27, 14, 15, 30, 31);
        }

    // exchange quads between the halves
    for (int k = 0; k < 4; k++) {
        real low = b.w[k], high = b.w[4 + k];
        c.w[k] = __builtin_shufflevector(low, high, 0, 1, 2, 3, 16, 17, 18, 19, 8, 9, 10, 11, 24,
                                         25, 26, 27);
        c.w[4 + k] = __builtin_shufflevector(low, high, 4, 5, 6, 7, 20, 21, 22, 23, 12, 13, 14, 15,
                                             28, 29, 30, 31);
    }

    return c;
}

// lanes l and l + 8 share a vector, so that two transposes of half vectors turn the whole
CAIRN_INLINE bodies gather(const float* from, const int32_t* place)
{
    bodies s;
    for (int l = 0; l < 8; l++) {
        cairn_float8 low, high;
        memcpy(&low, from + cairn_place_stride * (ptrdiff_t)place[l], sizeof low);
        memcpy(&high, from + cairn_place_stride * (ptrdiff_t)place[l + 8], sizeof high);
        s.w[l] = __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13,
                                         14, 15);
    }
    return transpose(s);
}

CAIRN_INLINE void scatter(float* to, const int32_t* place, bodies s)
{
    s = transpose(s);
    for (int l = 0; l < 8; l++) {
        cairn_float8 low = __builtin_shufflevector(s.w[l], s.w[l], 0, 1, 2, 3, 4, 5, 6, 7);
        cairn_float8 high = __builtin_shufflevector(s.w[l], s.w[l], 8, 9, 10, 11, 12, 13, 14, 15);
        memcpy(to + cairn_place_stride * (ptrdiff_t)place[l], &low, sizeof low);
        memcpy(to + cairn_place_stride * (ptrdiff_t)place[l + 8], &high, sizeof high);
    }
}

#else
#include "solve/sweep/lanes_eight.h"
#endif

// what the impulse P at the arm does to a body
CAIRN_INLINE void apply(bodies* s, const bodies* m, vec arm, vec P)
{
    vec w = turn(m, cross(arm, P));
    s->w[0] += m->w[0] * P.x;
    s->w[1] += m->w[0] * P.y;
    s->w[2] += m->w[0] * P.z;
    s->w[3] += w.x;
    s->w[4] += w.y;
    s->w[5] += w.z;
}

// to a round one, which carries 1/m and 1/I with it
CAIRN_INLINE void apply_round(bodies* s, vec arm, vec P)
{
    vec v = times(s->w[6], P), w = times(s->w[7], cross(arm, P));
    s->w[0] += v.x;
    s->w[1] += v.y;
    s->w[2] += v.z;
    s->w[3] += w.x;
    s->w[4] += w.y;
    s->w[5] += w.z;
}

// K c of one body
CAIRN_INLINE vec answer(const bodies* m, vec arm, vec c)
{
    return plus(times(m->w[0], c), cross(turn(m, cross(arm, c)), arm));
}
