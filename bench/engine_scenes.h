// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Scenes of the engine's benchmark that are made rather than shipped: they grow, and start a little
// beside where they would stand.
#ifndef CAIRN_BENCH_ENGINE_SCENES_H
#define CAIRN_BENCH_ENGINE_SCENES_H

/// What a scene is made of, and what its size means.
typedef enum engine_kind {
    ENGINE_PYRAMID,  ///< rows of cubes
    ENGINE_WALL,     ///< rows of as many bricks
    ENGINE_HEAP,     ///< balls per side of a cube that falls into a container
    ENGINE_NET,      ///< bodies per side of a square of ball joints that hangs from its upper edge
    ENGINE_RAGDOLLS, ///< layers of five figures that fall onto each other
    ENGINE_HULLS,    ///< layers of 64 hulls of 32 points that fall onto each other
    ENGINE_ROCKS,    ///< layers of 441 rocks in a yard, through which a post is driven
    ENGINE_WASHER,   ///< cubes per side of a cube in a drum that turns
} engine_kind;

/// The text of a scene, to be freed: cubes and bricks `gap` m above each other, each with a
/// velocity of its own of up to `jolt` m/s along each axis. NULL: no memory.
char* engine_scene_text(engine_kind kind, int size, double gap, double jolt);

#endif
