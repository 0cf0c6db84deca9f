// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Forests with bodies or constraints of more than six dimensions, or with more rows between two
// bodies than the outer one has dimensions. See tree_general.c.
#ifndef CAIRN_SOLVE_TREE_GENERAL_H
#define CAIRN_SOLVE_TREE_GENERAL_H

#include "solve/tree/tree.h"

/// Whether the kernels for small blocks do not apply to this structure.
bool cairn_tree_needs_general(const cairn_tree* tree);

/// Makes the memory of the general way. False: there is none.
bool cairn_tree_general_make(cairn_tree* tree);
void cairn_tree_general_destroy(cairn_tree_general* general);

/// What the functions of the same names do.
int cairn_tree_general_factor(cairn_tree* tree);
void cairn_tree_general_load(cairn_tree* tree, const double* f, const double* c);
void cairn_tree_general_solve(cairn_tree* tree, const double* f, const double* c, double* y,
                              double* lambda);
void cairn_tree_general_respond(cairn_tree_response* response);
void cairn_tree_general_finish(cairn_tree_response* response, const double* mu, double* y,
                               double* lambda);

#endif
