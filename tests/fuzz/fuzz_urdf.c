// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Bytes as a robot in URDF: refused with a sentence that names the file, or read into a scene that can
// take a step and joint coordinates that can be asked.

#include "fuzz_robot.h"

FUZZ_TARGET(fuzz_urdf)
{
    fuzz_read_robot(data, size, "fuzz.urdf");
    return 0;
}
