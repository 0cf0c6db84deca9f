// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// A study (docs/sweep.md): one scene, run again and again with other values of its numbers or of
// the options of `cairn run`, and the metrics that are kept of each run.
//
// A *case* is one choice of all parameters. A run of a plain study is a case; a bisection makes
// several runs for each case, which differ in the parameter that is searched. Which values a run
// has depends on the study and on its number alone, so any run can be made by itself.
#ifndef CAIRN_CLI_STUDY_H
#define CAIRN_CLI_STUDY_H

#include <cairn/base.h>
#include <jansson.h>
#include <stdint.h>

enum { study_most_parameters = 32, study_most_metrics = 64, study_most_runs = 1000000 };

typedef enum study_sampling { STUDY_GRID, STUDY_RANDOM, STUDY_LATIN } study_sampling;

/// A number that is varied: values from a list, or evenly (or by equal factors) from `from` to
/// `to`.
typedef struct study_parameter {
    const char* name;
    const char* pointer; ///< JSON pointer into the scene; or NULL
    const char* option;  ///< of `cairn run`; or NULL
    json_t* values;      ///< array; or NULL
    double from, to;
    int count; ///< of a grid
    bool log;
} study_parameter;

typedef struct study_metric {
    const char* name;
    const char* expression;
} study_metric;

/// The value of a parameter at which the truth of `when` changes, to `tolerance`.
typedef struct study_bisection {
    int parameter; ///< or -1: none
    double tolerance;
    const char* when;
} study_bisection;

typedef struct study {
    json_t *root, *scene; ///< the study and the scene, both parsed
    const char* title;    ///< or ""
    char scene_name[512]; ///< as the study gives it
    json_t* run;          ///< options of `cairn run`; or NULL
    double time_limit;    ///< s of the clock for each run
    study_sampling sampling;
    uint64_t seed, digest; ///< of study and scene: results of another study are not mixed in
    int parameter_count, metric_count;
    study_parameter parameters[study_most_parameters];
    study_metric metrics[study_most_metrics];
    study_bisection bisection;
    int cases;
    int stride; ///< runs that a case may have: run = case * stride + k
} study;

/// Reads and checks a study and its scene. Sentences name the key.
cairn_status study_read(study* s, const char* path, cairn_error* error);
void study_free(study* s);

/// The value of a parameter in a case: a new reference. Numbers, or anything else from a list.
json_t* study_value(const study* s, int parameter, int number);

/// The scene of a case with its values put in; `searched` is that of the bisection's parameter.
/// NULL and a sentence when a pointer leads nowhere.
json_t* study_scene(const study* s, int number, double searched, cairn_error* error);

/// The result of a run: the object that `cairn run --json` prints, the values of the parameters,
/// and the metrics that were computed so far.
typedef struct study_result {
    const study* of;
    const double* parameters; ///< NaN for texts
    const json_t* run;
    double* metrics;
    int known; ///< metrics that are known
} study_result;

/// Computes all metrics; with a bisection also whether its `when` holds.
cairn_status study_measure(study_result* result, bool* holds, cairn_error* error);

/// The names of bodies that metrics ask for, `watch.NAME.x`: calls `visit` for each mention.
void study_watched(const study* s, void (*visit)(void* context, const char* name, size_t length),
                   void* context);

#endif
