// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// What a measured figure says about a published one. The rule has two sides: with a published range
// [low, high] and a factor F >= 1,
//
//     low / F <= measured <= high F      reproduced
//     beyond it, on the good side        better
//     beyond it, on the bad side         worse
//
// and two figures that stand for different things are not compared at all: another algorithm,
// another friction law or tolerance, a solve that its time limit ended, a part of the paper's
// cases, a figure that the paper does not contain, or one that this run did not measure.
#ifndef CAIRN_BENCH_VERDICT_H
#define CAIRN_BENCH_VERDICT_H

typedef enum verdict {
    VERDICT_REPRODUCED,
    VERDICT_BETTER,
    VERDICT_WORSE,
    VERDICT_NOT_COMPARABLE,
} verdict;

typedef enum verdict_sense { VERDICT_LESS_IS_BETTER, VERDICT_MORE_IS_BETTER } verdict_sense;

typedef struct verdict_claim {
    double low, high; ///< as published; twice the same number, or infinite where a side is open.
                      ///< NaN: the paper has no figure
    double measured;  ///< NaN: not measured
    double factor;    ///< >= 1: how far off counts as the same
    verdict_sense sense;
    const char* obstacle; ///< why the two may not be compared, or NULL
} verdict_claim;

/// The verdict, and for one that is not comparable the reason (static storage, or the obstacle).
verdict verdict_judge(const verdict_claim* claim, const char** why);

/// The verdict on several figures of one claim: as bad as the worst of them, and better only where
/// all of them are.
verdict verdict_join(verdict a, verdict b);

const char* verdict_name(verdict v);

#endif
