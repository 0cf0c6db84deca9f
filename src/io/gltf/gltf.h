// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// What the parts of the glTF writer share: surfaces of triangles and tracks of bodies.
#ifndef CAIRN_IO_GLTF_H
#define CAIRN_IO_GLTF_H

#include "io/page/page.h"
#include <cairn/gltf.h>

// ---------------------------------------------------------------- surfaces (gltf_surface.c)

/// Triangles, counter-clockwise from outside. Zeroed is empty.
typedef struct gltf_surface {
    cairn_page_bytes vertices;  ///< 6 floats each: position, unit normal
    cairn_page_bytes triangles; ///< 3 indices of 32 bits each
    uint32_t vertex_count;
    float lo[3], hi[3]; ///< box around the positions
    bool starved;
} gltf_surface;

/// Adds a shape at a place; half-spaces reach `extent` to each side.
void gltf_add_shape(gltf_surface* surface, const cairn_shape* shape, cairn_transform at,
                    double extent);
void gltf_surface_destroy(gltf_surface* surface);

// ---------------------------------------------------------------- tracks (gltf.c)

enum { gltf_key_size = 7 }; ///< floats of a key: position 3, quaternion x, y, z, w

/// A body from the frame in which it came to the one in which it went. One that never moved has one
/// key.
typedef struct gltf_track {
    cairn_body_id id;
    char* name;
    int material;
    int surface;      ///< -1: none
    int first, count; ///< kept frames
    bool moved;
    float* keys;
    int capacity; ///< keys that there is room for
} gltf_track;

struct cairn_gltf {
    char* name;
    double dt, extent;
    int every; ///< frames of the run that a kept frame stands for
    int seen;  ///< frames of the run
    int kept;
    size_t key_count; ///< of all tracks
    int track_count, track_capacity;
    gltf_track* tracks;
    int slot_count, slot_capacity;
    int* slots; ///< the track + 1 of each slot of the world
    int surface_count, surface_capacity;
    gltf_surface* surfaces;
};

#endif
