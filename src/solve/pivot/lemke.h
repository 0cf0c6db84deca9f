// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The variants of Lemke's method on a contact problem, one attempt each and unchecked; the methods
// in lemke.c check what they give and fall back.
#ifndef CAIRN_SOLVE_LEMKE_H
#define CAIRN_SOLVE_LEMKE_H

#include "solve/pivot/lemke_form.h"

typedef enum cairn_lemke_variant {
    CAIRN_LEMKE_REDUCED,
    CAIRN_LEMKE_STRUCTURAL,
    CAIRN_LEMKE_STANDARD,
    CAIRN_LEMKE_PUBLISHED,
} cairn_lemke_variant;

/// Where a path began.
typedef enum cairn_lemke_start {
    CAIRN_LEMKE_NO_GUESS, ///< from nothing
    CAIRN_LEMKE_WARM,     ///< from the impulses that the problem came with
    CAIRN_LEMKE_CONES,    ///< from an answer for cones inside the pyramids
} cairn_lemke_start;

typedef struct cairn_lemke_attempt {
    cairn_outcome outcome;
    int pivots;
    int kernel;   ///< dimensions of the largest system (of the LCP, for the standard variant)
    int restarts; ///< of the reduced variant
    cairn_lemke_start guess; ///< where the path began
} cairn_lemke_attempt;

/// Fills job->lambda and, on a ray, the caller's ray; takes scratch from the job's arena and gives
/// it back. CAIRN_NO_MEMORY or CAIRN_OK.
cairn_status cairn_lemke_try(cairn_lemke_attempt* attempt, cairn_job* job,
                             const cairn_lemke_form* form, cairn_lemke_variant variant);

/// The standard variant of cairn_lemke_try.
cairn_status cairn_lemke_try_standard(cairn_lemke_attempt* attempt, cairn_job* job,
                                      const cairn_lemke_form* form);

#endif
