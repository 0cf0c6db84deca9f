// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Velocities from forces where masses are coupled and joints hold.
#ifndef CAIRN_IO_KKT_H
#define CAIRN_IO_KKT_H

#include "io/fclib/lu.h"
#include "io/fclib/sparse.h"

/// The factored system  M v - G l = f,  G^T v = -b,  one dense part for each set of degrees of
/// freedom that M and G connect.
typedef struct cairn_kkt {
    int n, p;      ///< unknowns v and l
    int parts;     ///< sets of connected unknowns
    int largest;   ///< unknowns in the largest part
    int* part;     ///< n + p: the part of each unknown, v first
    int* place;    ///< n + p: its place in the part
    int* begin;    ///< parts + 1
    int* member;   ///< n + p: the unknowns of the parts, one after the other
    double* scale; ///< n + p: D of D K D, which has a unit diagonal where it can
    cairn_lu* lu;  ///< parts
    double* work;  ///< 2 x largest
} cairn_kkt;

/// Factors; G may have no columns. `name` of M is for the sentences, which begin with `path`.
cairn_status cairn_kkt_create(cairn_kkt* kkt, const cairn_sparse* M, const cairn_sparse* G,
                              const char* path, const char* name, cairn_error* error);
void cairn_kkt_destroy(cairn_kkt* kkt);

/// Solves one part in place: `x` holds the right-hand sides of its unknowns in their places. False
/// when there is no solution.
bool cairn_kkt_solve_part(const cairn_kkt* kkt, int part, double* x);

/// Solves all parts in place of the right-hand side (f, -b), n + p numbers.
bool cairn_kkt_solve(const cairn_kkt* kkt, double* x);

#endif
