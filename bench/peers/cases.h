// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The scenes on which engines are compared: the shipped scene files, read by Cairn's own reader and
// turned into the description of engine.h, with the time to run and what counts as an error.
#ifndef CAIRN_BENCH_PEERS_CASES_H
#define CAIRN_BENCH_PEERS_CASES_H

#include "engine.h"
#include <cairn/io.h>

/// What is known about the right motion.
typedef enum peer_truth {
    PEER_STANDS,  ///< nothing moves: penetration and horizontal drift are errors
    PEER_STICKS,  ///< a box below the limit of friction: creep after the first second
    PEER_SLIDES,  ///< above it: the acceleration
    PEER_SPINS,   ///< a plate on four corners: how fast the spin decays
    PEER_SWINGS,  ///< a plane chain: where its tip is, and its energy
    PEER_HANGS,   ///< a tree: its energy
    PEER_SETTLES, ///< a heap: comes to rest
    PEER_HIT,     ///< a wall that is hit: nothing but penetration
} peer_truth;

typedef struct peer_case {
    const char* name;
    const char* file;   ///< a shipped scene, or NULL: made by `rule` with `size`
    const char* rule;   ///< "heap" or "boxes"
    int size;           ///< per side
    bool late;          ///< bodies that enter later are there from the start; else left out
    double time;        ///< s of a full run
    double quick;       ///< s of a quick one; 0: not run
    double full_budget; ///< s: a full run that takes longer is stopped
    peer_truth truth;
    const char* error; ///< what the error is, and its unit
    bool bound;        ///< the scene's errors are bounded against those of the peers
} peer_case;

/// The cases; the last has no name.
extern const peer_case peer_cases[];

/// An open case: the description, and the shapes for the judge.
typedef struct peer_problem {
    const peer_case* about;
    peer_scene scene;
    cairn_shape* shapes;      ///< of each body
    cairn_transform* offsets; ///< shape frame -> body frame
    cairn_scene* source;
    char* text;
} peer_problem;

/// Opens a case; `folder` holds the shipped scenes. False, with a sentence, when it cannot.
bool peer_open(peer_problem* problem, const peer_case* about, const char* folder,
               cairn_error* error);
void peer_close(peer_problem* problem);

#endif
