// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Who looks on while a scene runs: takes a frame after each step and keeps it for the files that
// were asked for.
#ifndef CAIRN_CLI_WITNESS_H
#define CAIRN_CLI_WITNESS_H

#include <cairn/gltf.h>
#include <cairn/page.h>

/// Set the paths, the rest is zero. Close in any case.
typedef struct witness {
    const char* html;           ///< page to write, or NULL
    const char* record;         ///< recording to write, or NULL
    const char* gltf;           ///< GLB file to write, or NULL
    bool force;                 ///< over existing files
    const cairn_cancel* cancel; ///< ends the writing of the page; or NULL
    cairn_stage stage;
    cairn_frame frame;
    cairn_replay* replay;
    cairn_recorder* recorder;
    cairn_gltf* animation;
    double html_seconds, record_seconds, gltf_seconds; ///< that each has cost so far
} witness;

/// Takes the stage and the state before the first step. `name` is that of the scene, `path` its
/// file. Does nothing when no file was asked for.
cairn_status witness_open(witness* w, const cairn_scene* scene, const char* name, const char* path,
                          double dt, cairn_error* error);

/// Takes the state after a step that took `ms` milliseconds.
cairn_status witness_see(witness* w, const cairn_scene* scene, const cairn_step_report* report,
                         double ms, cairn_error* error);

/// Writes the files. In a `hurry` the recording is completed but not packed, and neither page
/// nor GLB file is written. CAIRN_INTERRUPTED when that was asked for while the page was made.
cairn_status witness_write(witness* w, bool hurry, cairn_error* error);
void witness_close(witness* w);

#endif
