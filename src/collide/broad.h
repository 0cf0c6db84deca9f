// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// What worlds ask of the broad phase beside its public functions.
#ifndef CAIRN_COLLIDE_BROAD_H
#define CAIRN_COLLIDE_BROAD_H

#include "math/codec.h"
#include <cairn/collide.h>

/// The index that the next added proxy will have.
int cairn_broad_next(const cairn_broad* broad);

/// Notes how boxes and pairs are before some moves and one update. Until something else is changed,
/// cairn_broad_undo brings them back: it goes on exactly as if these calls had not been.
/// CAIRN_NO_MEMORY or CAIRN_OK.
cairn_status cairn_broad_begin(cairn_broad* broad);
void cairn_broad_undo(cairn_broad* broad);

/// Writes a broad phase, or reads one that goes on exactly as the one that was written; NULL when
/// the bytes are not one (the codec is bad) or there is no memory (it is not).
void cairn_broad_write(cairn_codec* codec, const cairn_broad* broad);
cairn_broad* cairn_broad_read(cairn_codec* codec);

/// How many proxies there are or were, and whether one is in use.
int cairn_broad_proxy_count(const cairn_broad* broad);
bool cairn_broad_has(const cairn_broad* broad, int proxy);

#endif
