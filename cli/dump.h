// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The contact problem of a step, kept so that it can be written as a file or solved again.
#ifndef CAIRN_CLI_DUMP_H
#define CAIRN_CLI_DUMP_H

#include <cairn/world.h>

typedef struct dump {
    bool wanted; ///< keep the problems of the solves that follow; the last one stays
    bool failed; ///< there was no memory
    cairn_problem problem;
    double* lambda;
} dump;

/// A problem hook; its context is a dump. Bodies that nothing moves become the world, which is what
/// a file knows.
void dump_keep(void* context, const cairn_problem* problem, const double* lambda);
void dump_free(dump* d);

#endif
