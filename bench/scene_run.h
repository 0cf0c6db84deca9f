// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Shipped scenes, run by the suites of the engine.
#ifndef CAIRN_BENCH_SCENE_RUN_H
#define CAIRN_BENCH_SCENE_RUN_H

#include <cairn/cairn.h>
#include <cairn/io.h>
#include <jansson.h>

/// The stages of a step: their milliseconds added up, and the mean of some steps as an object.
enum { scene_stage_count = 5 };
void scene_add_stages(double* sums, const cairn_step_report* step);
json_t* scene_stages(const double* sums, int steps);

/// A scene under way and the worst of its steps so far.
typedef struct scene_run {
    cairn_scene* scene;
    cairn_world* world;
    cairn_scene_info info;
    cairn_step_report last; ///< of the last step
    int steps, missed;      ///< steps made, and those that missed the tolerance
    double penetration, joint_error, residual;
    double ms;                        ///< of all steps: the lesser of wall time and processor time
    double ms_last;                   ///< of the last one
    double stages[scene_stage_count]; ///< ms, sums
} scene_run;

/// Opens a shipped scene by name, or the text of one, with nothing asleep. Both end the program
/// when they cannot.
scene_run scene_open(const char* name);

/// The same by a method of one's choice.
scene_run scene_open_by(const char* name, const char* method);

/// The same without the bodies that enter later: a wall that no ball hits.
scene_run scene_open_undisturbed(const char* name);
scene_run scene_open_text(const char* text);

/// The same with a budget for each step, s; 0: none.
scene_run scene_open_within(const char* text, double budget);

/// One step of the scene's own length.
void scene_step(scene_run* run);

/// As many steps as the seconds hold.
void scene_advance(scene_run* run, double seconds);

/// The state of a named body; ends the program when there is none.
cairn_body_state scene_body(const scene_run* run, const char* name);

/// The total energy in J.
double scene_energy(const scene_run* run);

void scene_close(scene_run* run);

#endif
