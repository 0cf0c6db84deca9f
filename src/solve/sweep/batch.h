// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Contacts laid out for the machine: batches of eight that share no moving body, one lane each,
// every quantity an array of eight numbers. A contact is its frame and the arms to it, 12 numbers
// in the place of 36 of its rows, because far beyond the caches a sweep lasts as long as its data
// takes to arrive. For the same reason the bodies of a large problem are divided into domains
// (color_domains.h), whose batches come one after the other. Bodies carry their velocity v = M^-1
// J^T λ in eight numbers (linear 3, angular 3, what the filter needs, a zero) and, apart, their
// inverse mass and inertia in eight.
#ifndef CAIRN_SOLVE_BATCH_H
#define CAIRN_SOLVE_BATCH_H

#include "math/simd.h"
#include "solve/method.h"
#include "solve/sweep/color_domains.h"

enum { cairn_lanes = 8, cairn_state_stride = 8 };

#define CAIRN_BATCH_OF(name, real)                                                                 \
    typedef struct cairn_batch_##name {                                                            \
        real normal[3][cairn_lanes];                                                               \
        real tangent[3][cairn_lanes]; /* the second one is normal x tangent */                     \
        real arm[2][3][cairn_lanes];  /* from the centers of A and B to the point */               \
        real b[3][cairn_lanes];                                                                    \
        real lambda[3][cairn_lanes];   /* impulses */                                              \
        real rate[3][cairn_lanes];     /* r of each row, relaxation included */                    \
        real coupling[2][cairn_lanes]; /* A_TN, A_SN: what the normal's change does to later */    \
        real mu[cairn_lanes];          /* T */                                                     \
        int32_t body[2][cairn_lanes];  /* places in the state */                                   \
    } cairn_batch_##name;                                                                          \
                                                                                                   \
    /* what few problems need: compliance, and boxes */                                            \
    typedef struct cairn_batch_more_##name {                                                       \
        real soft[3][cairn_lanes];  /* compliance */                                               \
        real coupling[cairn_lanes]; /* A_ST */                                                     \
        real mu[cairn_lanes];       /* S */                                                        \
    } cairn_batch_more_##name;                                                                     \
                                                                                                   \
    typedef struct cairn_batches_##name {                                                          \
        cairn_batch_##name* batch;                                                                 \
        cairn_batch_more_##name* more; /* or NULL */                                               \
        const int32_t* rows;           /* of each batch; or NULL: not counted */                   \
        real* state;                                                                               \
        real* mass;                                                                                \
        real relaxation;                                                                           \
    } cairn_batches_##name

CAIRN_BATCH_OF(float, float);
CAIRN_BATCH_OF(double, double);

/// What a sweep over some batches is told and tells.
typedef struct cairn_batch_sweep {
    bool box;              ///< boxes instead of discs
    bool backward;         ///< last batch first
    const uint8_t* active; ///< of each body: whether it changed in the last sweep; NULL: no filter
    uint8_t* woken;        ///< of each body: set when it changed in this one
    double threshold;      ///< m/s: rows that violate by more keep their bodies awake
    double worst;          ///< m/s: out, the largest violation met, before the update
    int64_t visited;       ///< out, rows not skipped
} cairn_batch_sweep;

/// Batches from `first` to before `end`.
CAIRN_DECLARE_KERNEL(void, cairn_batch_sweep_float,
                     (const cairn_batches_float* batches, int first, int end,
                      cairn_batch_sweep* sweep));
CAIRN_DECLARE_KERNEL(void, cairn_batch_sweep_double,
                     (const cairn_batches_double* batches, int first, int end,
                      cairn_batch_sweep* sweep));

/// Frame and arms of a contact whose rows are (∓c, ∓r x c) of orthonormal directions c.
typedef struct cairn_contact_frame {
    cairn_vec3 normal, tangent;
    cairn_vec3 arm[2];
} cairn_contact_frame;

/// How the contacts of a problem are dealt to batches; the same for both precisions.
typedef struct cairn_batch_plan {
    const cairn_delassus* A;
    cairn_law law; ///< boxes when CAIRN_LAW_BOX, or when all friction of the problem is boxed
    bool box;
    double relaxation;
    bool more; ///< cairn_batch_more is needed
    int domain_count;
    int* domain_begin; ///< batches of each domain, to be done in their order
    int color_count;
    int batch_count;
    int batch_begin[cairn_most_colors + 2]; ///< per color of what is between domains; the last
                                            ///< part is done one by one
    int* block;                             ///< of each lane, in the order of batches
    int* first_block;                       ///< batch_count + 1: where a batch starts in `block`
    int32_t* rows;                          ///< of each batch
    int* immovable;                         ///< of each batch: the place of what does not move
    cairn_contact_frame* frame;             ///< block_count, of those in batches
    int* rest;                              ///< blocks that no batch can hold
    int rest_count;
    int slot_count; ///< places in the state: bodies, then immovable places
} cairn_batch_plan;

/// Plans the batches for a relaxation of 1. False when there is no memory.
bool cairn_batch_plan_make(cairn_batch_plan* plan, const cairn_delassus* A, cairn_law law,
                           cairn_arena* arena);

/// Takes memory for the batches, state and mass. False when there is none.
bool cairn_batch_take_float(cairn_batches_float* batches, const cairn_batch_plan* plan,
                            cairn_arena* arena);
bool cairn_batch_take_double(cairn_batches_double* batches, const cairn_batch_plan* plan,
                             cairn_arena* arena);

/// Fills batches with the problem and the impulses; the state is the caller's.
void cairn_batch_fill_float(cairn_batches_float* batches, const cairn_batch_plan* plan,
                            const double* lambda);
void cairn_batch_fill_double(cairn_batches_double* batches, const cairn_batch_plan* plan,
                             const double* lambda);

/// Gives filled batches other impulses.
void cairn_batch_set_float(cairn_batches_float* batches, const cairn_batch_plan* plan,
                           const double* lambda);
void cairn_batch_set_double(cairn_batches_double* batches, const cairn_batch_plan* plan,
                            const double* lambda);

/// Copies the impulses out of the batches, cut to the friction limit in double precision.
void cairn_batch_store_float(double* lambda, const cairn_batch_plan* plan,
                             const cairn_batches_float* batches);
void cairn_batch_store_double(double* lambda, const cairn_batch_plan* plan,
                              const cairn_batches_double* batches);

#endif
