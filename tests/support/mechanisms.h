// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Bodies without shapes on joints, and what a run of them did: for tests of motion.
#ifndef CAIRN_TESTS_MECHANISMS_H
#define CAIRN_TESTS_MECHANISMS_H

#include <cairn/cairn.h>

static const cairn_body_id mechanism_world = {0, 0};
static const double mechanism_g = 9.81;

/// A world of default options without sleep, for `substeps` at least and `most` at most.
cairn_world* mechanism_make(double accuracy, int substeps, int most);

/// A body with principal moments about the axes of its frame.
cairn_body_id mechanism_body(cairn_world* world, double mass, cairn_vec3 moments,
                             cairn_transform at);

/// The rotation that leads the z axis to a direction; the moments of a rod about (x, y, z).
cairn_quat mechanism_turn(cairn_vec3 direction);
cairn_vec3 mechanism_rod(double mass, double length, double radius);

/// A joint definition at a point of the world with its z axes along `axis`.
cairn_joint_def mechanism_joint(const cairn_world* world, cairn_joint_kind kind, cairn_body_id a,
                                cairn_body_id b, cairn_vec3 at, cairn_vec3 axis);
cairn_joint_id mechanism_add(cairn_world* world, const cairn_joint_def* def);

/// The same and added.
cairn_joint_id mechanism_join(cairn_world* world, cairn_joint_kind kind, cairn_body_id a,
                              cairn_body_id b, cairn_vec3 at, cairn_vec3 axis);

/// A chain of rods along x on ball joints, held by the world at the origin; the last rod.
cairn_body_id mechanism_chain(cairn_world* world, int links, double length, double mass,
                              double radius);

double mechanism_energy(const cairn_world* world);
double mechanism_coordinate(const cairn_world* world, cairn_joint_id id);

/// What a run did.
typedef struct mechanism_run {
    double joint_error;    ///< m: the worst
    double gain;           ///< J: the most above the start
    double rise;           ///< J: the most in one step, beside what raised inertia takes and gives
    double change;         ///< J: at the end
    double balance;        ///< J: of energy, which the motion's certificate does not explain
    double numeric, motor; ///< J: sums of what the certificate says
    double substeps, raised; ///< mean; largest factor on inertia
    int missed;              ///< steps that did not converge
} mechanism_run;

/// Springs are not part of the energy of a world: `balance` is for worlds without them.
mechanism_run mechanism_step(cairn_world* world, int steps);

#endif
