// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// What the generators of test problems share. A draft holds, beside the problem, where each body is
// and how it would move without impulses; b = J v_free is formed once at the end, so that it always
// lies in the range of J. Only + - * / and sqrt are used, which IEEE 754 rounds in one way: the
// same bits on every machine.
#ifndef CAIRN_PROBLEM_GENERATE_DRAFT_H
#define CAIRN_PROBLEM_GENERATE_DRAFT_H

#include <cairn/generate.h>
#include <cairn/random.h>

typedef struct cairn_draft {
    cairn_problem problem;
    cairn_random random;
    cairn_vec3* center; ///< of each body, m
    double* velocity;   ///< v_free, 6 per body (linear, angular)
    int capacity;       ///< of these two
    bool failed;        ///< some request got no memory
} cairn_draft;

/// Makes one kind of problem; the options have been checked.
typedef void (*cairn_generate_function)(cairn_draft* draft, const cairn_generate_def* def);

void cairn_generate_peg(cairn_draft* draft, const cairn_generate_def* def);
void cairn_generate_stack(cairn_draft* draft, const cairn_generate_def* def);
void cairn_generate_massratio(cairn_draft* draft, const cairn_generate_def* def);
void cairn_generate_wall(cairn_draft* draft, const cairn_generate_def* def);
void cairn_generate_chain(cairn_draft* draft, const cairn_generate_def* def);
void cairn_generate_heap(cairn_draft* draft, const cairn_generate_def* def);
void cairn_generate_random(cairn_draft* draft, const cairn_generate_def* def);

/// Adds a body at rest and returns its index.
int cairn_draft_body(cairn_draft* draft, cairn_mass mass, cairn_vec3 center);

/// Adds to the free velocity of a body.
void cairn_draft_push(cairn_draft* draft, int body, cairn_vec3 linear, cairn_vec3 angular);

/// Lets gravity act on every body for one frame.
void cairn_draft_gravity(cairn_draft* draft);

/// Lets a random force (each component up to m g) and torque (up to m g `arm`) act on a body for
/// one frame.
void cairn_draft_wrench(cairn_draft* draft, int body, double arm);

/// A contact at a point with the unit normal from A to B; A may be CAIRN_WORLD_BODY.
void cairn_draft_contact(cairn_draft* draft, int a, int b, cairn_vec3 point, cairn_vec3 normal,
                         double mu);

/// A ball joint at a point: three equality rows; A may be CAIRN_WORLD_BODY.
void cairn_draft_ball(cairn_draft* draft, int a, int b, cairn_vec3 point);

/// b = J v_free
void cairn_draft_finish(cairn_draft* draft);

/// A homogeneous box with the given edges.
cairn_mass cairn_draft_box(double mass, double x, double y, double z);

/// The unit vector (cos, sin, 0) of the angle 2π k/n, 0 <= k < n, to the last bit or two.
cairn_vec3 cairn_draft_turn(int k, int n);

#endif
