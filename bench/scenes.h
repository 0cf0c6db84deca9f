// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Problems for projected Gauss-Seidel, and the way from one time step's problem to the next.
#ifndef CAIRN_BENCH_SCENES_H
#define CAIRN_BENCH_SCENES_H

#include <cairn/cairn.h>

/// Makes a scene by name: wallN, wallN-hit, wallNxM (N long, M high), or pile (888 cubes, about
/// 5,170 contacts). Ends the program when the name is wrong or there is no memory.
cairn_problem bench_scene(const char* name, uint64_t seed);

/// The next step's problem with the contacts kept: `velocity` (6 per body, zeros at first) takes up
/// what `lambda` did (NULL at first) and gravity for one frame; then b = J velocity. `lambda`
/// becomes the warm start.
void bench_next_step(cairn_problem* problem, double* velocity, const double* lambda);

#endif
