// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The scenes of the PROX experiments (Erleben 2017), as the text of scene files.
#ifndef CAIRN_BENCH_PROX_SCENES_H
#define CAIRN_BENCH_PROX_SCENES_H

#include "scene_run.h"
#include <stdbool.h>
#include <stddef.h>

enum { prox_scene_count = 5 };

/// tower, wall81, spheres, jacks, glasses
const char* prox_scene_name(int index);

/// Opens one of them; ends the program when it cannot.
scene_run prox_scene_open(int index);

/// Whether a scene is fit to be measured on: it has the published number of bodies, none overlaps
/// another after the first step, and no energy came from nowhere. Fills one sentence with what was
/// found.
bool prox_scene_sound(int index, char* why, size_t size);

#endif
