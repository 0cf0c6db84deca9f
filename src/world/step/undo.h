// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The way back from a step that fails; see undo.c. Private to this folder.
#ifndef CAIRN_WORLD_UNDO_H
#define CAIRN_WORLD_UNDO_H

#include "world/state.h"

/// Starts to note what the step changes, from its first line on. CAIRN_NO_MEMORY or CAIRN_OK.
cairn_status cairn_undo_begin(cairn_world* world);

/// Notes a sleeping island that is about to wake. CAIRN_NO_MEMORY or CAIRN_OK.
cairn_status cairn_undo_note_sleepers(cairn_world* world, int slot);

/// Notes the bodies and joints that take part in the step. CAIRN_NO_MEMORY or CAIRN_OK.
cairn_status cairn_undo_note_movers(cairn_world* world);

/// Makes room for pairs, and notes the one of a slot. CAIRN_NO_MEMORY or CAIRN_OK.
cairn_status cairn_undo_reserve_pairs(cairn_world* world, int count);
void cairn_undo_note_pair(cairn_world* world, int slot);

/// Notes the manifolds of a pair before they are computed anew, once in a step, and drops the note
/// if they turned out to be the same, which it tells (where it knows). Each thread has a log of its
/// own. False without memory.
bool cairn_undo_note_contacts(cairn_undo_log* log, cairn_world* world, int slot);
bool cairn_undo_compare_contacts(cairn_undo_log* log, cairn_world* world, int slot);

/// Puts a body that takes part in the step where it was when the step began.
void cairn_undo_place(cairn_world* world, int slot);

/// The step is about to succeed: marks the bodies that are elsewhere than when it began.
void cairn_undo_mark_travelers(cairn_world* world);

/// The step failed: brings the world back to where it began.
void cairn_undo_step(cairn_world* world);

/// The step is done: gives back the notes.
void cairn_undo_end(cairn_world* world);

/// Bytes that a log holds; frees them.
size_t cairn_undo_log_memory(const cairn_undo_log* log);
void cairn_undo_log_destroy(cairn_undo_log* log);

#endif
