// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Contacts laid out for the machine: batches of eight that share no moving body, one lane each,
// every quantity an array of eight numbers. A contact is its frame and the arms to it, 12 numbers
// in the place of 36 of its rows, because far beyond the caches a sweep lasts as long as its data
// takes to arrive. Bodies carry their velocity v = M^-1 J^T λ in eight numbers (linear 3, angular
// 3, what the filter needs, a zero) and, apart, their inverse mass and inertia in eight.
#ifndef CAIRN_SOLVE_BATCH_H
#define CAIRN_SOLVE_BATCH_H

#include "math/simd.h"
#include "solve/color.h"
#include "solve/method.h"

enum { cairn_lanes = 8, cairn_state_stride = 8 };

#define CAIRN_BATCH_OF(name, real)                                                                 \
    typedef struct name {                                                                          \
        real normal[3][cairn_lanes];                                                               \
        real tangent[3][cairn_lanes]; /* the second one is normal x tangent */                     \
        real arm[2][3][cairn_lanes];  /* from the centers of A and B to the point */               \
        real b[3][cairn_lanes];                                                                    \
        real soft[3][cairn_lanes];     /* compliance */                                            \
        real lambda[3][cairn_lanes];   /* impulses */                                              \
        real rate[3][cairn_lanes];     /* r of each row, relaxation included */                    \
        real coupling[3][cairn_lanes]; /* A_TN, A_SN, A_ST: what a row's change does to later */   \
        real stiffness[cairn_lanes];   /* 1 / r of the friction rows */                            \
        real mu[2][cairn_lanes];       /* T and S */                                               \
        int32_t body[2][cairn_lanes];  /* places in the state */                                   \
        int32_t block[cairn_lanes];    /* -1: an empty lane */                                     \
        int32_t rows;                  /* of all its contacts */                                   \
    } name

CAIRN_BATCH_OF(cairn_batch_float, float);
CAIRN_BATCH_OF(cairn_batch_double, double);

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

CAIRN_DECLARE_KERNEL(void, cairn_batch_sweep_float,
                     (cairn_batch_float * batches, int count, float* state, const float* mass,
                      cairn_batch_sweep* sweep));
CAIRN_DECLARE_KERNEL(void, cairn_batch_sweep_double,
                     (cairn_batch_double * batches, int count, double* state, const double* mass,
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
    cairn_coloring coloring;
    int batch_count;
    int batch_begin[cairn_most_colors + 2]; ///< per color; the last part is done one by one
    cairn_contact_frame* frame;             ///< block_count, of those in batches
    int* rest;                              ///< blocks that no batch can hold
    int rest_count;
    int slot_count; ///< places in the state: bodies, then one immovable place per batch
} cairn_batch_plan;

/// Plans the batches for a relaxation of 1. False when there is no memory.
bool cairn_batch_plan_make(cairn_batch_plan* plan, const cairn_delassus* A, cairn_law law,
                           cairn_arena* arena);

/// Fills batches (batch_count of them) with the problem and the impulses.
void cairn_batch_fill_float(cairn_batch_float* batches, const cairn_batch_plan* plan,
                            const double* lambda);
void cairn_batch_fill_double(cairn_batch_double* batches, const cairn_batch_plan* plan,
                             const double* lambda);

/// 8 numbers for a place in the state: 1/m, the inverse inertia xx, yy, zz, xy, xz, yz, and the
/// square of the radius of gyration.
void cairn_batch_mass(double* mass, const cairn_batch_plan* plan, int place);

/// Gives filled batches other impulses.
void cairn_batch_set_float(cairn_batch_float* batches, const cairn_batch_plan* plan,
                           const double* lambda);
void cairn_batch_set_double(cairn_batch_double* batches, const cairn_batch_plan* plan,
                            const double* lambda);

/// Copies the impulses out of the batches, cut to the friction limit in double precision.
void cairn_batch_store_float(double* lambda, const cairn_batch_plan* plan,
                             const cairn_batch_float* batches);
void cairn_batch_store_double(double* lambda, const cairn_batch_plan* plan,
                              const cairn_batch_double* batches);

#endif
