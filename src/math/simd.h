// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Vector-extension types for kernels. A kernel is a file NAME_kernel.c that is compiled once for
// every instruction set (cmake/kernels.cmake); it names its entry points with CAIRN_KERNEL(name),
// and a plain file picks one with cairn_simd_level(). Lanes always run across independent blocks
// and never inside a sum, so that every width gives the same bits.
#ifndef CAIRN_MATH_SIMD_H
#define CAIRN_MATH_SIMD_H

#include <cairn/base.h>
#include <string.h>

/// Instruction sets that kernels are compiled for, narrowest first.
typedef enum cairn_simd_level {
    CAIRN_SIMD_BASELINE, ///< what every machine of this architecture has
    CAIRN_SIMD_AVX2,
    CAIRN_SIMD_AVX512
} cairn_simd_level;

/// The widest level that this machine and this build offer.
cairn_simd_level cairn_simd_detect(void);

#define CAIRN_JOIN_(a, b) a##_##b
#define CAIRN_JOIN(a, b) CAIRN_JOIN_(a, b)

/// The name of a kernel in the instruction set that is being compiled: name_baseline, name_avx2,
/// ...
#define CAIRN_KERNEL(name) CAIRN_JOIN(name, CAIRN_TARGET)

/// Declares one kernel for every instruction set.
#if defined(__x86_64__) && !defined(CAIRN_BASELINE_ONLY)
#define CAIRN_DECLARE_KERNEL(result, name, arguments)                                              \
    result name##_baseline arguments;                                                              \
    result name##_avx2 arguments;                                                                  \
    result name##_avx512 arguments
#define CAIRN_PICK_KERNEL(level, name)                                                             \
    ((level) == CAIRN_SIMD_AVX512 ? name##_avx512                                                  \
     : (level) == CAIRN_SIMD_AVX2 ? name##_avx2                                                    \
                                  : name##_baseline)
#else
#define CAIRN_DECLARE_KERNEL(result, name, arguments) result name##_baseline arguments
#define CAIRN_PICK_KERNEL(level, name) ((void)(level), name##_baseline)
#endif

// Vectors of 2, 4, 8 and 16 numbers. A kernel written with the 8-wide types compiles to two 4-wide
// or four 2-wide instructions where the machine is narrower: one source.
typedef double cairn_double2 __attribute__((vector_size(16)));
typedef double cairn_double4 __attribute__((vector_size(32)));
typedef double cairn_double8 __attribute__((vector_size(64)));
typedef float cairn_float4 __attribute__((vector_size(16)));
typedef float cairn_float8 __attribute__((vector_size(32)));
typedef float cairn_float16 __attribute__((vector_size(64)));
typedef int32_t cairn_int8 __attribute__((vector_size(32)));
typedef int32_t cairn_int16 __attribute__((vector_size(64)));
typedef int64_t cairn_long4 __attribute__((vector_size(32)));
typedef int64_t cairn_long8 __attribute__((vector_size(64)));

// inlined, so that the calling convention of wide vectors does not matter
#define CAIRN_INLINE static inline __attribute__((always_inline))
#pragma GCC diagnostic ignored "-Wpsabi"

/// Four numbers from any address.
CAIRN_INLINE cairn_double4 cairn_load4(const double* x)
{
    cairn_double4 y;
    memcpy(&y, x, sizeof y);
    return y;
}

/// Four numbers to any address.
CAIRN_INLINE void cairn_store4(double* to, cairn_double4 x)
{
    memcpy(to, &x, sizeof x);
}

/// Eight numbers from any address.
CAIRN_INLINE cairn_double8 cairn_load8(const double* x)
{
    cairn_double8 y;
    memcpy(&y, x, sizeof y);
    return y;
}

/// Eight numbers to any address.
CAIRN_INLINE void cairn_store8(double* to, cairn_double8 x)
{
    memcpy(to, &x, sizeof x);
}

// Kernels of src/solve/tree, but for those of articulated.h, have at most four numbers in a vector: machines with
// AVX-512 run the copy for AVX2, and there is no other (cmake/kernels.cmake).
#if defined(__x86_64__) && !defined(CAIRN_BASELINE_ONLY)
#define CAIRN_DECLARE_NARROW_KERNEL(result, name, arguments)                                       \
    result name##_baseline arguments;                                                              \
    result name##_avx2 arguments
#define CAIRN_PICK_NARROW_KERNEL(level, name)                                                      \
    ((level) == CAIRN_SIMD_BASELINE ? name##_baseline : name##_avx2)
#else
#define CAIRN_DECLARE_NARROW_KERNEL CAIRN_DECLARE_KERNEL
#define CAIRN_PICK_NARROW_KERNEL CAIRN_PICK_KERNEL
#endif

#endif
