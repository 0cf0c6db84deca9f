// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// What queries remember of a state of the world.
#ifndef CAIRN_WORLD_QUERY_H
#define CAIRN_WORLD_QUERY_H

#include "world/state.h"
#include <stdlib.h>

/// The bodies that have left their boxes of the broad phase, ascending.
struct cairn_strays {
    uint64_t version; ///< the state that the list belongs to
    int count, capacity;
    int* bodies;  ///< slots
    int visiting; ///< visitors that are being called, one from another
};

#endif
