// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Test problems of any size, made from a seed: the same bits on every machine.
#ifndef CAIRN_GENERATE_H
#define CAIRN_GENERATE_H

#include <cairn/problem.h>

#ifdef __cplusplus
extern "C" {
#endif

/// What to make. Start from cairn_default_generate_def(kind).
typedef struct cairn_generate_def {
    const char* kind; ///< a name of cairn_generate_kind_at
    uint64_t seed;
    int size; ///< peg: contacts; stack: blocks; chain: links; heap: spheres; massratio: height
    int width, height; ///< wall: bricks per row and rows; random: bodies and contacts
    double mu;         ///< friction coefficient
    double mass_ratio; ///< massratio, stack: mass of the top block over the others'
    double hit;        ///< wall: m/s by which one brick is hit (0: at rest)
    int deficiency;    ///< random: contacts that repeat others, which lowers the rank of A
} cairn_generate_def;

/// How many kinds of problems cairn_generate makes, and their names.
CAIRN_API int cairn_generate_kind_count(void);
CAIRN_API const char* cairn_generate_kind_at(int index);

/// The reference size of a kind.
CAIRN_API cairn_generate_def cairn_default_generate_def(const char* kind);

/// Makes a problem; destroy it with cairn_problem_destroy.
CAIRN_API cairn_status cairn_generate(const cairn_generate_def* def, cairn_problem* problem,
                                      cairn_error* error);

#ifdef __cplusplus
}
#endif

#endif
