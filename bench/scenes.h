// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Scenes of the suites of iterative methods, and the way from one time step's problem to the next.
#ifndef CAIRN_BENCH_SCENES_H
#define CAIRN_BENCH_SCENES_H

#include "math/random.h"
#include <cairn/cairn.h>

/// Makes a scene by name: wallN, wallN-hit, wallNxM (N long, M high), pile (888 cubes, about 5,170
/// contacts), tower (49 boxes crosswise), wall81, spheres (362 in a box), jacks (362, each with six
/// arms' tips). Ends the program when the name is wrong or there is no memory.
cairn_problem bench_scene(const char* name, uint64_t seed);

/// The next step's problem with the contacts kept: `velocity` (6 per body, zeros at first) takes up
/// what `lambda` did (NULL at first), gravity for one frame and a random push of up to `shake` m/s;
/// the points of contact wander by up to `wander` m, which turns the rows a little; then b = J
/// velocity. `lambda` becomes the warm start.
void bench_next_step(cairn_problem* problem, double* velocity, const double* lambda, double shake,
                     double wander, cairn_random* random);

#endif
