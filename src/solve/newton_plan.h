// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Finding the plan of a system: the one that the workspace keeps, or a new one.
#ifndef CAIRN_SOLVE_NEWTON_PLAN_H
#define CAIRN_SOLVE_NEWTON_PLAN_H

#include "solve/newton.h"

cairn_status cairn_newton_plan_find(const cairn_newton_plan** plan, const cairn_cells* cells,
                                    const cairn_job* job, cairn_newton_space space);

#endif
