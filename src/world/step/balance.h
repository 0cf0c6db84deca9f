// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The balance of energy of islands with contacts; see balance.c. Private to this folder.
#ifndef CAIRN_WORLD_BALANCE_H
#define CAIRN_WORLD_BALANCE_H

#include "world/step/island.h"

/// What is known of a body when its step began.
typedef struct cairn_balance {
    double owed;          ///< J: by its overlaps
    double energy;        ///< J
    double carried;       ///< J: that surfaces do that move, by contacts of which it is the first
    cairn_transform from; ///< of bodies with a force or torque
} cairn_balance;

/// Notes the energies of all slots. Memory of the step; CAIRN_NO_MEMORY or CAIRN_OK.
cairn_status cairn_balance_begin(cairn_balance** balance, const cairn_group* group,
                                 cairn_world* world);

/// Books what moving surfaces do by an impulse P on B of a contact.
void cairn_balance_carry(const cairn_world* world, const cairn_touch* touch, cairn_vec3 P);

/// The same for the impulses of the kick that its contacts have just been given.
void cairn_island_carry(const cairn_span* span);

/// J: what an island may gain in a step, by the accuracy and the tolerance that are asked for.
double cairn_balance_allowed(const cairn_span* span, double worked);

/// Tells what became of the energy of an island.
void cairn_balance_end(const cairn_balance* balance, const cairn_span* span);

#endif
