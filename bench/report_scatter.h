// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Plots of the suite `peers`: error over time, one point for each engine and setting.
#ifndef CAIRN_BENCH_REPORT_SCATTER_H
#define CAIRN_BENCH_REPORT_SCATTER_H

#include "report.h"

bool draw_peers_massratio(FILE* file, const json_t* report);
bool draw_peers_incline(FILE* file, const json_t* report);
bool draw_peers_chain(FILE* file, const json_t* report);
bool draw_peers_wall(FILE* file, const json_t* report);
bool draw_peers_tree(FILE* file, const json_t* report);
bool draw_peers_time(FILE* file, const json_t* report);

/// The six scenes of README.md at a glance (report_overview.c).
bool draw_peers_overview(FILE* file, const json_t* report);

/// Any scene of the suite by its name.
bool draw_peers_scene(FILE* file, const json_t* report, const char* scene, const char* title);

#endif
