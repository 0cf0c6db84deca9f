// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// A run of one scene on all ranks of MPI.
#ifndef CAIRN_CLI_RUN_RANKS_H
#define CAIRN_CLI_RUN_RANKS_H

#include <cairn/io.h>
#include <cairn/ranks.h>
#include <jansson.h>

/// A scene on all ranks; `world` is NULL in a run of one process.
typedef struct run_ranks {
    int count;
    cairn_ranks* world;
    const char* checkpoint; ///< a file, or NULL
    int every;              ///< steps between two checkpoints
    bool parted;            ///< the scene was built in parts
    int islands;            ///< of this rank, in the last step
} run_ranks;

/// Spreads a scene over the ranks, which have met. Refuses what they cannot do yet.
cairn_status run_ranks_open(run_ranks* out, const cairn_scene* scene, cairn_error* error);
void run_ranks_close(run_ranks* run);

/// One step, and the checkpoint that is due after it.
cairn_status run_ranks_step(run_ranks* run, double dt, cairn_step_report* report,
                            cairn_error* error);

/// Goes on from a checkpoint; `steps` receives how many were made before it.
cairn_status run_ranks_resume(run_ranks* run, const cairn_scene* scene, const char* path,
                              int* steps, cairn_error* error);

/// J: of the whole world; and the hash of its state.
double run_ranks_energy(run_ranks* run);
uint64_t run_ranks_hash(run_ranks* run);

/// What is said of the ranks: `ranks`, with the traffic of each and the loads of the world.
void run_ranks_to_json(json_t* out, run_ranks* run, int steps);

/// The methods of another rank, by name: adds its counts to those of rank 0.
void run_ranks_count(run_ranks* run, const char* const* names, int64_t* counts, int known,
                     void (*add)(void* context, const char* name, int64_t count), void* context);

#endif
