// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Engines from npm (npm.c); the last has no name. Without an installed package: no version.
#ifndef CAIRN_BENCH_PEERS_NPM_H
#define CAIRN_BENCH_PEERS_NPM_H

#include "engine.h"

extern const peer_engine peer_npm[];

#endif
