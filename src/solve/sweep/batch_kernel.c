// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The hot loop of the iterative methods in both precisions, compiled for every instruction set; see
// batch_sweep.h.

#include "solve/sweep/batch.h"
#include <string.h>

// vectors wider than the machine's are passed between inlined functions of this file alone
#pragma GCC diagnostic ignored "-Wpsabi"

// batches are asked for this many before they are used
enum { early = 8 };

#define REAL float
#define VECTOR cairn_float8
#define HALF cairn_float4
#define MASK cairn_int8
#define ROOT __builtin_sqrtf
#define NAMED(name) name##_float
#include "solve/sweep/batch_sweep.h"
#undef REAL
#undef VECTOR
#undef HALF
#undef MASK
#undef ROOT
#undef NAMED

#define REAL double
#define VECTOR cairn_double8
#define HALF cairn_double4
#define MASK cairn_long8
#define ROOT __builtin_sqrt
#define NAMED(name) name##_double
#include "solve/sweep/batch_sweep.h"
