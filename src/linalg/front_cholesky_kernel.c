// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The numeric part of the fronts in both precisions: one source, front_cholesky_real.h.

#include "linalg/front_cholesky.h"
#include <math.h>

#define REAL float
#define REAL_SQRT sqrtf
#define REAL_NAME(name) CAIRN_JOIN(name, single)
#define REAL_KERNEL(name) CAIRN_KERNEL(name##_single_kernel)
#include "linalg/front_cholesky_real.h"
#undef REAL
#undef REAL_SQRT
#undef REAL_NAME
#undef REAL_KERNEL

#define REAL double
#define REAL_SQRT sqrt
#define REAL_NAME(name) CAIRN_JOIN(name, double)
#define REAL_KERNEL(name) CAIRN_KERNEL(name##_double_kernel)
#include "linalg/front_cholesky_real.h"
