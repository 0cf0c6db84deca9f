// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// What `cairn run` is told, what it leaves behind, and who looks on.
#ifndef CAIRN_CLI_RUN_H
#define CAIRN_CLI_RUN_H

#include "csv.h"
#include "dump.h"
#include "run_ranks.h"
#include "verb.h"
#include "witness.h"

enum { run_most_options = 32 };

typedef struct run_options {
    verb_common common;
    double size;       ///< grains; 0: the scene's
    int steps;         ///< 0: from the time
    double time;       ///< s; 0: the scene's
    double dt;         ///< s; 0: the scene's
    double time_limit; ///< s of the clock; 0: none
    cairn_scene_def def;
    const char* options[run_most_options];
    char facets[24], seed[40];
    cairn_vec3 gravity;
    const char* csv;
    int dump_step; ///< 0: none
    const char* dump;
    const char* html;
    const char* gltf;
    const char* record;
    const char* watched[run_most_options]; ///< names of bodies and joints
    int watched_count;
    bool joints; ///< whether their states are shown
    const char* checkpoint;
    int every; ///< steps between two of them
    const char* resume;
} run_options;

enum { run_most_methods = 24, run_most_named = 8 };

// how a run ended
typedef enum run_ending { ENDED_DONE, ENDED_TIME_LIMIT, ENDED_SIGNAL } run_ending;

typedef struct run_record {
    int steps; ///< to make
    int done;
    run_ending ended;
    double started;            ///< s: when the program began its work
    double* ms;                ///< of each step
    double contacts, residual; ///< sums
    int contacts_max;
    double residual_max, penetration_max, joint_error_max;
    double energy_start, energy_end;
    cairn_motion motion; ///< of all steps
    double stages[5];    ///< ms, sums
    int missed, frozen;
    int squeezed; ///< of those missed: bodies were pressed between others that do not give way
    int squeezed_count; ///< such bodies that are named
    cairn_body_id squeezed_bodies[run_most_named];
    int limited; ///< of those missed: by the motion, not by a solve
    int bodies, awake;
    int multiplicity; ///< of the last step in which something was awake
    int method_count;
    struct {
        const char* name;
        int64_t count;
    } methods[run_most_methods]; ///< how many islands of all steps each one solved
} run_record;

// all that looks on
typedef struct run_onlookers {
    dump d;
    witness w;
    csv c;
    run_ranks ranks;
    bool sized; ///< the scene was made for the run, and so was its file
} run_onlookers;

// what is shown
typedef struct run_result {
    run_record* r;
    const cairn_scene* scene;
    const run_options* o;
    run_onlookers* all;
    uint64_t hash;
    json_t* ranks; ///< what is said of them, or NULL
} run_result;

/// Bodies of a scene that is worth several ranks, at least: structures of some hundred stones are
/// solved exactly by one, and sooner. Of a scene that takes a size, where one has asked for many.
enum { run_least_shared = 2048, run_least_sized = 512 };

/// Adds islands that a method solved; the name lasts.
void run_count_method(run_record* r, const char* name, int64_t count);

/// Shows a run; of several ranks all call it.
void run_show(run_result* shown);

#endif
