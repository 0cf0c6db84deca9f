// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// A problem of joints alone as a net (loops.h).
#ifndef CAIRN_SOLVE_NET_H
#define CAIRN_SOLVE_NET_H

#include "solve/method.h"

/// Solves a problem of equality rows between bodies, whatever loops they close. The workspace keeps
/// the order of elimination and the memory of its largest net; the answer does not depend on what
/// was solved before.
cairn_status cairn_net_solve(cairn_job* job);

#endif
