// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The PROX driver as published, for comparison.
#ifndef CAIRN_SOLVE_PROX_PUBLISHED_H
#define CAIRN_SOLVE_PROX_PUBLISHED_H

#include "solve/sweep/prox_step.h"

/// Runs the published driver on a prepared solver and fills in the report.
cairn_status cairn_prox_published(cairn_job* job, cairn_prox* prox);

#endif
