// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Bodies that several processes sweep, each with contacts of its own: what these have to tell each
// other. Whoever connects the processes gives the functions; sweeps call them at the same places in
// all of them.
#ifndef CAIRN_SOLVE_EXCHANGE_H
#define CAIRN_SOLVE_EXCHANGE_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct cairn_exchange {
    int count;         ///< shared bodies that this process knows
    const int* bodies; ///< their slots in the world
    bool first;        ///< the one process that tells what is told once
    void* context;

    /// Replaces the numbers of every shared body, `each` for one, by their sums over all processes,
    /// the same bits in all of them.
    void (*sum)(void* context, double* numbers, int each);

    /// Replaces *total by its sum and *most by its maximum over all processes. NaN is the maximum.
    void (*agree)(void* context, double* total, double* most);
} cairn_exchange;

/// The sum and the largest of a number of each process; without an exchange there is one.
static inline double cairn_exchange_total(const cairn_exchange* exchange, double own)
{
    double none = 0.0;
    if (exchange)
        exchange->agree(exchange->context, &own, &none);
    return own;
}

static inline double cairn_exchange_most(const cairn_exchange* exchange, double own)
{
    double none = 0.0;
    if (exchange)
        exchange->agree(exchange->context, &none, &own);
    return own;
}

#endif
