// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Bytes as a session of calls of the whole C interface; see api.h for the promises that are judged.

#include "api.h"
#include "fuzz.h"
#include <string.h>

FUZZ_TARGET(fuzz_api)
{
    api_tally tally;
    memset(&tally, 0, sizeof tally);
    api_run(data, size, &tally);
    return 0;
}
