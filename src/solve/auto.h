// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The policy: which method an island gets. One table (auto.c), read from top to bottom, for problems of
// the front door and for the islands of a step. Private to the library.
#ifndef CAIRN_SOLVE_AUTO_H
#define CAIRN_SOLVE_AUTO_H

#include <stdbool.h>

/// All that the choice depends on.
typedef struct cairn_island_kind {
    // what the island is made of
    int body_count, contacts, joint_rows, bounded_rows;
    bool bodies;     ///< rows and masses are known, not A alone
    bool frictional; ///< some contact has friction
    bool faceted, sliding, custom;

    // what is known in a step
    bool stepped;     ///< an island of a step
    bool named;       ///< the user has named a method
    bool rolls;       ///< some contact resists rolling, by bounded rows, or is soft
    bool stands;      ///< slow enough that it may be at rest
    bool marches;     ///< a large pile in motion that takes small steps
    bool cones;       ///< all friction is a cone
    bool squeezed;    ///< no velocities satisfy its contacts
    bool driven;      ///< motors of limited strength push against contacts
    double tolerance; ///< that is asked for; INFINITY: the user has fixed the sweeps
} cairn_island_kind;

/// The form in which an island is solved: in the arrays of the step, or as a problem.
typedef enum cairn_solve_way {
    CAIRN_WAY_WARM,     ///< the impulses of the last step
    CAIRN_WAY_STATICS,  ///< the forces of a pile at rest, from the top down
    CAIRN_WAY_MARCH,    ///< a few sweeps for each of many small steps
    CAIRN_WAY_LINKAGE,  ///< joints alone, in linear time
    CAIRN_WAY_ONE_BODY, ///< Newton's method in six velocities
    CAIRN_WAY_SWEEPS,   ///< contacts in vector lanes
    CAIRN_WAY_JOINTED,  ///< sweeps over contacts with the joints eliminated
    CAIRN_WAY_FEW,      ///< Newton's method in the velocities of a few bodies
    CAIRN_WAY_PROBLEM,  ///< the front door on the assembled problem
    CAIRN_WAY_METHOD    ///< a method of the table in methods.c
} cairn_solve_way;

typedef struct cairn_choice {
    bool (*applies)(const cairn_island_kind* kind);
    cairn_solve_way way;
    const char* method; ///< what reports call it
    int budget;         ///< iterations at most; 0: as many as the caller allows
} cairn_choice;

/// The first row of the table after `last` (NULL: of all) that applies; NULL: there is none.
const cairn_choice* cairn_choose(const cairn_island_kind* kind, const cairn_choice* last);

/// Whether an island of a step is one body that Newton's method solves by itself.
bool cairn_kind_is_one_body(const cairn_island_kind* kind);

#endif
