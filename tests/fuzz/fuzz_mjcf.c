// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Bytes as a robot in MJCF, likewise.

#include "fuzz_robot.h"

FUZZ_TARGET(fuzz_mjcf)
{
    fuzz_read_robot(data, size, "fuzz.xml");
    return 0;
}
