// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Which instruction set this machine offers.

#include "math/simd.h"

cairn_simd_level cairn_simd_detect(void)
{
#if defined(__x86_64__) && !defined(CAIRN_BASELINE_ONLY)
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw"))
        return CAIRN_SIMD_AVX512;
    if (__builtin_cpu_supports("avx2"))
        return CAIRN_SIMD_AVX2;
#endif
    return CAIRN_SIMD_BASELINE;
}
