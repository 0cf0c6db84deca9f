// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// When a long computation ends before it is done: at its deadline, when its work is used up, or
// when its caller cancels it. All go through one question, cairn_stop_now, which every loop asks
// whose work is not bounded by some milliseconds.
//
// Work is a clock that runs the same on every machine: loops that may crawl say what they spend, in
// updates of rows (some 10 to 50 ns each).
#ifndef CAIRN_MATH_STOP_H
#define CAIRN_MATH_STOP_H

#include <cairn/base.h>

/// Zeroed: never.
typedef struct cairn_stop {
    double deadline;            ///< of cairn_clock(); 0: none
    const cairn_cancel* cancel; ///< or NULL
    double* spent;              ///< updates of rows so far, of all who share this; or NULL
    double most;                ///< of them
} cairn_stop;

/// Whether a flag is raised. NULL is not.
static inline bool cairn_is_raised(const cairn_cancel* cancel)
{
    return cancel && __atomic_load_n(&cancel->raised, __ATOMIC_RELAXED) != 0;
}

/// The end of a computation that began at `started` (of cairn_clock()) and may take `limit` seconds
/// (0: any time).
static inline cairn_stop cairn_stop_after(double started, double limit, const cairn_cancel* cancel)
{
    return (cairn_stop){.deadline = limit > 0.0 ? started + limit : 0.0, .cancel = cancel};
}

/// Adds to the work that was done. One thread at a time.
static inline void cairn_stop_spend(const cairn_stop* stop, double updates)
{
    if (stop->spent)
        *stop->spent += updates;
}

/// Whether the work is used up.
static inline bool cairn_stop_exhausted(const cairn_stop* stop)
{
    return stop->spent && *stop->spent >= stop->most;
}

/// Whether to end now. Costs some 20 ns with a deadline and next to nothing without.
static inline bool cairn_stop_now(const cairn_stop* stop)
{
    return cairn_is_raised(stop->cancel) || cairn_stop_exhausted(stop) ||
           (stop->deadline > 0.0 && cairn_clock() >= stop->deadline);
}

/// The same of a computation that may have been given none (NULL).
static inline bool cairn_stop_asked(const cairn_stop* stop)
{
    return stop && cairn_stop_now(stop);
}

#endif
