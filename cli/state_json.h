// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The state in which a run ended, as JSON.
#ifndef CAIRN_CLI_STATE_JSON_H
#define CAIRN_CLI_STATE_JSON_H

#include <cairn/io.h>
#include <jansson.h>

/// Where a body is and how it moves; null when there is none of that name.
json_t* state_of_body(const cairn_scene* scene, const char* name);

/// What each sensor that measures reads.
json_t* state_of_sensors(const cairn_scene* scene);

/// Of each joint: coordinate, error and the mean forces of the last step of `dt` seconds.
json_t* state_of_joints(const cairn_world* world, double dt);

#endif
