// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Many worlds at once: N copies of one world, stepped by several threads with one call. Each copy is
// a world of one thread, so that its motion depends neither on the number of threads nor on the other
// copies. For learning and studies: actions go in and observations come out as one array each.
#ifndef CAIRN_BATCH_H
#define CAIRN_BATCH_H

#include <cairn/world.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cairn_batch cairn_batch;

/// What a reset draws at random, uniformly and by seed, for each copy anew. 0: nothing.
typedef struct cairn_variation {
    double velocity; ///< m/s: added to each component of the velocity of each dynamic body, +-
    double spin;     ///< rad/s: likewise
    double friction; ///< 0 .. 1: the coefficients of each body times 1 +- this
    double gravity;  ///< 0 .. 1: gravity times 1 +- this
} cairn_variation;

typedef struct cairn_batch_def {
    uint32_t cookie; ///< of cairn_default_batch_def
    int count;       ///< of worlds, 1 to 1,000,000; default 1
    int threads;     ///< default 1
    uint64_t seed;   ///< of variations; default 1
    cairn_variation variation;
    const cairn_joint_id* observed; ///< hinges and sliders whose coordinate and speed are observed
    int observed_count;
    const cairn_joint_id* actuated; ///< hinges and sliders that actions push
    int actuated_count;
    uint64_t reserved[4]; ///< 0
} cairn_batch_def;

/// A batch without worlds yet: how many, and of which scene, is yours to give.
CAIRN_API cairn_batch_def cairn_default_batch_def(void);

/// Copies a world, which is left as it is, `count` times. The copies borrow its shape data, which
/// must outlive them. They start as after a reset of all.
CAIRN_API cairn_status cairn_batch_create(const cairn_world* world, const cairn_batch_def* def,
                                          cairn_batch** batch, cairn_error* error);
CAIRN_API void cairn_batch_destroy(cairn_batch* batch);

/// How many worlds, how many bodies (slots) each has, how many numbers an observation has: the
/// coordinates of the observed joints, then their speeds; and an action.
CAIRN_API int cairn_batch_count(const cairn_batch* batch);
CAIRN_API int cairn_batch_bodies(const cairn_batch* batch);
CAIRN_API int cairn_batch_observation_count(const cairn_batch* batch);
CAIRN_API int cairn_batch_action_count(const cairn_batch* batch);

/// One of the worlds, or NULL; it belongs to the batch and may be used between two calls.
CAIRN_API cairn_world* cairn_batch_world(const cairn_batch* batch, int index);

/// Makes `steps` steps of dt seconds in every world. `actions`: count x action_count forces (N m or
/// N), row-major, that act during all of them; NULL: none. `observations`: count x
/// observation_count, of the end; NULL: not wanted. `missed`: of each world how many steps did not
/// converge; NULL: not wanted. When a step fails, the status is that of the first such world: it
/// stays as it was before that step, and so does whoever comes after it within its own steps.
CAIRN_API cairn_status cairn_batch_step(cairn_batch* batch, double dt, int steps,
                                        const double* actions, double* observations, int* missed,
                                        cairn_error* error);

/// Ends the steps that are under way with CAIRN_INTERRUPTED. From any thread and from a signal
/// handler.
CAIRN_API void cairn_batch_cancel(cairn_batch* batch);

/// Brings worlds back to where they started and varies them anew: those with `which` true, or all
/// when it is NULL. The n-th reset of a world with the same seed is the same, bit for bit.
CAIRN_API cairn_status cairn_batch_reset(cairn_batch* batch, const bool* which, cairn_error* error);

/// Starts the variations of all worlds from another seed, with the next reset.
CAIRN_API void cairn_batch_seed(cairn_batch* batch, uint64_t seed);

/// count x observation_count numbers, row-major.
CAIRN_API cairn_status cairn_batch_observe(const cairn_batch* batch, double* observations,
                                           cairn_error* error);

/// count x bodies x 13 numbers: position and quaternion of the body's frame, velocity of the center
/// of mass, spin. Zero for empty slots.
CAIRN_API cairn_status cairn_batch_get_states(const cairn_batch* batch, double* states,
                                              cairn_error* error);

/// The same numbers into the bodies of one world.
CAIRN_API cairn_status cairn_batch_set_state(cairn_batch* batch, int index, const double* states,
                                             cairn_error* error);

#ifdef __cplusplus
}
#endif

#endif
