// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// What worlds ask of the broad phase beside its public functions.
#ifndef CAIRN_COLLIDE_BROAD_H
#define CAIRN_COLLIDE_BROAD_H

#include <cairn/collide.h>

/// The index that the next added proxy will have.
int cairn_broad_next(const cairn_broad* broad);

/// Notes how boxes and pairs are before some moves and one update. Until something else is changed,
/// cairn_broad_undo brings them back: it goes on exactly as if these calls had not been.
/// CAIRN_NO_MEMORY or CAIRN_OK.
cairn_status cairn_broad_begin(cairn_broad* broad);
void cairn_broad_undo(cairn_broad* broad);

#endif
