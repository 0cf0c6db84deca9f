// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Scenes of as many grains as one asks for: `heap`, `silo`, `drum`.
#ifndef CAIRN_CLI_SIZED_H
#define CAIRN_CLI_SIZED_H

#include <cairn/base.h>
#include <stdbool.h>
#include <stddef.h>

/// Whether a name is that of a scene that takes a size. *grains receives how many it has without
/// one; 0: then it is a shipped scene.
bool sized_scene(const char* name, double* grains);

/// Writes such a scene of about so many grains to a file of its own, which the caller removes.
cairn_status sized_write(const char* name, double grains, char* path, size_t room,
                         cairn_error* error);

#endif
