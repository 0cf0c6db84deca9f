// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors

#include "check_cairn.h"

int check_cairn_run(const char* name, const TTest* const* tests, int count)
{
    for (int i = 0; i < count; i++)
        tests[i]->function(0);
    printf("%s: %d tests passed\n", name, count);
    return 0;
}
