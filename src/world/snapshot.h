// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Snapshots and their bytes; private to this folder.
#ifndef CAIRN_WORLD_SNAPSHOT_H
#define CAIRN_WORLD_SNAPSHOT_H

#include "math/codec.h"
#include "world/alerts.h"
#include <cairn/snapshot.h>

struct cairn_snapshot {
    cairn_world state; ///< without arena, workspace and hooks
};

/// A snapshot on its way to bytes or from them.
typedef struct cairn_snapshot_codec {
    cairn_codec c;
    const cairn_asset* assets;
    const uint64_t* digests; ///< one for each of them
    int asset_count;
    bool no_memory;   ///< a reader got none
    const char* what; ///< is being read: for the sentence that says what is wrong
    cairn_error* error;
} cairn_snapshot_codec;

/// A digest of what an asset holds: every number that steps depend on.
uint64_t cairn_asset_digest(const cairn_asset* asset);

/// A shape, with its parts where `parts` is given.
void cairn_code_shape(cairn_snapshot_codec* s, cairn_shape* shape, const cairn_part** parts);
void cairn_code_material(cairn_codec* c, cairn_material* material);

/// Bodies, joints and sensors of a world; counts are known and room has been made.
void cairn_code_body(cairn_snapshot_codec* s, cairn_body* body, int bodies);
void cairn_code_link(cairn_codec* c, cairn_link* link, int bodies);
void cairn_code_alerts(cairn_snapshot_codec* s, cairn_alerts** alerts);

/// Whether the parts of a world that was read agree with each other: slots, proxies, rings, pairs.
/// CAIRN_BAD_INPUT: `what` does not. CAIRN_NO_MEMORY: it cannot be told.
cairn_status cairn_snapshot_agrees(const cairn_world* world, const char** what);

/// Checks options and takes them over, method by its name in the table.
cairn_status cairn_world_take_def(cairn_world* world, const cairn_world_def* def,
                                  cairn_error* error);

#endif
