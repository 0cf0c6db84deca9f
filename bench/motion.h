// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Motion beside closed forms, a section of the suite `quality`: small worlds at 1/60 s and default
// settings. motion_joints.c and motion_contacts.c hold the cases, motion.c what they share.
#ifndef CAIRN_BENCH_MOTION_H
#define CAIRN_BENCH_MOTION_H

#include "suite.h"
#include <cairn/cairn.h>

static const double motion_g = 9.81, motion_pi = 3.14159265358979323846, motion_dt = 1.0 / 60.0;

/// All rows of the section.
void motion_section(bench* b);
void motion_joints(bench* b);
void motion_contacts(bench* b);

/// Closed systems over 10^5 steps, a section of its own.
void motion_long(bench* b);

/// One row: the error |measured - reference| meets its bound when it is not above it.
void motion_row(bench* b, const char* name, const char* unit, double reference, double measured,
                double bound);

/// A world of default options but for its gravity. These end the program when the library refuses.
cairn_world* motion_world(cairn_vec3 gravity);
cairn_body_id motion_add(cairn_world* world, const cairn_body_def* def);
cairn_joint_id motion_join(cairn_world* world, const cairn_joint_def* def);
cairn_body_state motion_state(const cairn_world* world, cairn_body_id id);
cairn_step_report motion_step(cairn_world* world, double dt);
void motion_run(cairn_world* world, int steps);

/// J: kinetic and potential.
double motion_energy(const cairn_world* world);

/// A turn about an axis by an angle in rad.
cairn_quat motion_turn(cairn_vec3 axis, double angle);

#endif
