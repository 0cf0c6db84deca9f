// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The springs among which loads are shared (least_norm.c): one for each contact, joint, limit or motor
// that may bear something else. Private to this folder.
#ifndef CAIRN_SOLVE_LEAST_NORM_SPRINGS_H
#define CAIRN_SOLVE_LEAST_NORM_SPRINGS_H

#include "solve/least_norm.h"
#include "solve/stiffness.h"

typedef enum cairn_spring_kind {
    CAIRN_SPRING_FREE,     ///< a joint
    CAIRN_SPRING_HALF,     ///< x >= 0: a normal, a limit, a contact that slides
    CAIRN_SPRING_INTERVAL, ///< a motor
    CAIRN_SPRING_CONE,     ///< |x_1, x_2, x_3| <= μ x_0
} cairn_spring_kind;

/// How an element stands for rows of the problem: λ[row[k]] = unit[k] x[k], or unit[k] x[0] of a ray
typedef struct cairn_spring {
    cairn_spring_kind kind;
    bool ray;
    int lambda_count;
    int row[cairn_element_rows];
    double unit[cairn_element_rows];
    double mu, lo, hi;
    double x[cairn_element_rows], z[cairn_element_rows], start[cairn_element_rows];
} cairn_spring;

typedef struct cairn_sharing {
    const cairn_answer* answer;
    const cairn_problem* problem;
    const double* lambda;
    int* local; ///< of each body of the problem: its number here, or -1
    int bodies;
    int count, variables;
    cairn_spring* springs;
    cairn_element* elements;
    double *f, *y, *r, *d, *trial;
    double largest; ///< of f
    bool moves;     ///< something slides, or a motor drives as hard as it can
    cairn_stiffness stiffness;
} cairn_sharing;

/// Whether rows of a block have a compliance of their own: their impulses are unique.
bool cairn_block_is_soft(const cairn_problem* problem, const cairn_block* block);

/// Adds the springs of a block, as it stands in the answer.
void cairn_sharing_add(cairn_sharing* all, const cairn_block* block);

#endif
