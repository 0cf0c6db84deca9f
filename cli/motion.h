// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The certificate of the motion (docs/certificate.md) as verbs show it: of one step, or of a whole
// run, where cairn_motion_add has kept the worst and summed the energies.
#ifndef CAIRN_CLI_MOTION_H
#define CAIRN_CLI_MOTION_H

#include "verb.h"

/// Sets the object `motion`.
void motion_to_json(json_t* out, const cairn_motion* motion);

/// Rows of a summary: errors of the motion in mm, then the balance of energy in J.
void motion_to_table(verb_table* table, const cairn_motion* motion);

#endif
