// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// One engine with one setting on one case, in a process of its own: an engine that crashes or never
// returns costs one row and nothing else.
#ifndef CAIRN_BENCH_PEERS_TRIAL_H
#define CAIRN_BENCH_PEERS_TRIAL_H

#include "peers/judge.h"
#include "scene_run.h"

typedef enum peer_outcome {
    PEER_DONE,
    PEER_STOPPED,  ///< beyond its budget: what there is counts, but not as the whole run
    PEER_DIVERGED, ///< numbers left the range
    PEER_CRASHED,
    PEER_NO_ANSWER, ///< a single step took longer than the budget
    PEER_REFUSED,   ///< cannot make the scene
} peer_outcome;

/// Whether a run that ended so has been measured.
static inline bool peer_measured(peer_outcome outcome)
{
    return outcome <= PEER_DIVERGED;
}

typedef struct peer_trial {
    peer_outcome outcome;
    int steps;       ///< done
    double ms;       ///< of a step, mean
    double friction; ///< see the truth of the case; NaN: none
    double error;    ///< likewise
    bool stands;     ///< nothing has moved by more than 0.25 m
    peer_measure measure;
    bool staged;                      ///< the engine tells where its time goes
    double stages[scene_stage_count]; ///< ms, sums
} peer_trial;

const char* peer_outcome_name(peer_outcome outcome);

/// Runs for `time` seconds of the scene and at most about `budget` seconds of the clock. `tip` is
/// where the tip of a chain belongs at the end.
peer_trial peer_try(const peer_engine* engine, int choice, const peer_problem* problem, double time,
                    double budget, cairn_vec3 tip);

#endif
