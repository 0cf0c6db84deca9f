// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The scenes of the PROX experiments (Erleben 2017), as the text of scene files.
#ifndef CAIRN_BENCH_PROX_SCENES_H
#define CAIRN_BENCH_PROX_SCENES_H

#include "scene_run.h"

enum { prox_scene_count = 4 };

/// tower, wall81, spheres, jacks
const char* prox_scene_name(int index);

/// Opens one of them; ends the program when it cannot.
scene_run prox_scene_open(int index);

#endif
