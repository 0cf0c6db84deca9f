// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// What `cairn info` shows of a robot.
#ifndef CAIRN_CLI_ROBOT_INFO_H
#define CAIRN_CLI_ROBOT_INFO_H

#include "verb.h"

/// Whether a file is named like a robot: .urdf, .xml or .mjcf.
bool robot_info_is_for(const char* path);
cairn_status robot_info_run(verb_common* common, cairn_error* error);

#endif
