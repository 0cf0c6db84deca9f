// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Runs as glTF 2.0 in one binary file (GLB), for Blender, three.js and other programs: a node for
// each body with its shape as triangles, materials by name, and the motion as one animation.
// Belongs to the library cairn-io.
#ifndef CAIRN_GLTF_H
#define CAIRN_GLTF_H

#include <cairn/recording.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A GLB file in the making.
typedef struct cairn_gltf cairn_gltf;

/// Begins an empty file. Free it with cairn_gltf_destroy.
CAIRN_API cairn_status cairn_gltf_create(cairn_gltf** gltf, cairn_error* error);

/// Adds where the bodies are, frame after frame, `dt` of the stage apart. Shapes and names are
/// copied. Above 256 MB of poses every other frame is dropped, and from then on only every second,
/// fourth, ... is kept.
CAIRN_API cairn_status cairn_gltf_add(cairn_gltf* gltf, const cairn_stage* stage,
                                      const cairn_frame* frame, cairn_error* error);

/// Writes the file. An existing one is refused unless `force`.
CAIRN_API cairn_status cairn_gltf_write(const cairn_gltf* gltf, const char* path, bool force,
                                        cairn_error* error);
CAIRN_API void cairn_gltf_destroy(cairn_gltf* gltf);

#ifdef __cplusplus
}
#endif

#endif
