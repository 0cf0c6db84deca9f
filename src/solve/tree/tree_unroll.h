// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// What the kernels of a forest share: functions written for any n and m are inlined with constants,
// so that each pair gets its own unrolled code.
#ifndef CAIRN_SOLVE_TREE_UNROLL_H
#define CAIRN_SOLVE_TREE_UNROLL_H

#include <stdint.h>

// Sanitizers check every access of unrolled code, and compilers then take minutes. Nor is half a
// minute spent on x86 without AVX2 and on WebAssembly without SIMD, for machines and browsers that
// are old and few. Without optimization nothing is unrolled anyway, and gcc warns about it. The bits
// are the same.
#if defined(CAIRN_SANITIZED) || !defined(__OPTIMIZE__) ||                                          \
    (defined(CAIRN_TARGET_baseline) &&                                                             \
     (defined(__x86_64__) || (defined(__wasm__) && !defined(__wasm_simd128__))))
#define INLINE static
#define UNROLL
#else
#define INLINE static inline __attribute__((always_inline))
#define UNROLL _Pragma("GCC unroll 8")
#endif

// place of (i, j), j <= i, in a packed lower triangle
#define AT(i, j) ((i) * ((i) + 1) / 2 + (j))

// x ← L^-1 x, x ← Δ^-1 x and x ← L^-T x for a packed L with unit diagonal whose place holds 1/Δ; x
// is an array of numbers or of vectors of them
#define SOLVE_LOWER(L, x, n)                                                                       \
    do {                                                                                           \
        UNROLL for (int j_ = 0; j_ < (n); j_++)                                                    \
        {                                                                                          \
            UNROLL for (int i_ = j_ + 1; i_ < (n); i_++)(x)[i_] -= (L)[AT(i_, j_)] * (x)[j_];      \
        }                                                                                          \
    } while (0)
#define SOLVE_DIAGONAL(L, x, n)                                                                    \
    do {                                                                                           \
        UNROLL for (int i_ = 0; i_ < (n); i_++)(x)[i_] *= (L)[AT(i_, i_)];                         \
    } while (0)
#define SOLVE_UPPER(L, x, n)                                                                       \
    do {                                                                                           \
        UNROLL for (int i_ = (n)-1; i_ >= 0; i_--)                                                 \
        {                                                                                          \
            UNROLL for (int j_ = 0; j_ < i_; j_++)(x)[j_] -= (L)[AT(i_, j_)] * (x)[i_];            \
        }                                                                                          \
    } while (0)
#define SOLVE_PACKED(L, x, n)                                                                      \
    do {                                                                                           \
        SOLVE_LOWER(L, x, n);                                                                      \
        SOLVE_DIAGONAL(L, x, n);                                                                   \
        SOLVE_UPPER(L, x, n);                                                                      \
    } while (0)

// calls f(..., m) with a constant m, 0..6
#define FOR_ROWS(m, f, ...)                                                                        \
    switch (m) {                                                                                   \
    case 0:                                                                                        \
        f(__VA_ARGS__, 0);                                                                         \
        break;                                                                                     \
    case 1:                                                                                        \
        f(__VA_ARGS__, 1);                                                                         \
        break;                                                                                     \
    case 2:                                                                                        \
        f(__VA_ARGS__, 2);                                                                         \
        break;                                                                                     \
    case 3:                                                                                        \
        f(__VA_ARGS__, 3);                                                                         \
        break;                                                                                     \
    case 4:                                                                                        \
        f(__VA_ARGS__, 4);                                                                         \
        break;                                                                                     \
    case 5:                                                                                        \
        f(__VA_ARGS__, 5);                                                                         \
        break;                                                                                     \
    default:                                                                                       \
        f(__VA_ARGS__, 6);                                                                         \
        break;                                                                                     \
    }

// the same with functions of their own: X(n, m) for each pair, and a table of their names
#define EACH_ROWS(X, n) X(n, 0) X(n, 1) X(n, 2) X(n, 3) X(n, 4) X(n, 5) X(n, 6)
#define EACH_SHAPE(X) EACH_ROWS(X, 3) EACH_ROWS(X, 6)
#define ROWS_TABLE(name, n)                                                                        \
    {                                                                                              \
        name(n, 0), name(n, 1), name(n, 2), name(n, 3), name(n, 4), name(n, 5), name(n, 6)         \
    }
#define SHAPE_TABLE(name)                                                                          \
    {                                                                                              \
        ROWS_TABLE(name, 3), ROWS_TABLE(name, 6)                                                   \
    }

// Asks for `count` numbers at `from` + `offset`, to be read (0) or written (1). The address may be
// outside of any array: hence no sum of pointers.
#define ASK(from, offset, count, write)                                                            \
    UNROLL for (int ask_ = 0; ask_ < (count); ask_ += 8) __builtin_prefetch(                       \
        (const void*)((uintptr_t)(from) + sizeof(double) * (uintptr_t)((offset) + ask_)), write)

// The same for at most the size of a cache line, which may lie across two.
#define ASK_BOTH_ENDS(from, count, write)                                                          \
    do {                                                                                           \
        ASK(from, 0, count, write);                                                                \
        ASK(from, (count)-1, 1, write);                                                            \
    } while (0)

#endif
