// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// cairn-bench SUITE [--json] [--quick] [--problems DIR], or --list: the program behind `cairn
// bench`.

#include "suite.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

void bench_dantzig(bench* b);
    {"lemke", "Lloyd's experiments: three variants of Lemke's method", bench_lemke},
