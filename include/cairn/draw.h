// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// A world as lines, points and words, for a program that wants to see what the engine sees.
#ifndef CAIRN_DRAW_H
#define CAIRN_DRAW_H

#include <cairn/world.h>

#ifdef __cplusplus
extern "C" {
#endif

/// What is drawn.
enum {
    CAIRN_DRAW_SHAPES = 1,   ///< blue: asleep, green: kinematic, gray: static, white: the others
    CAIRN_DRAW_JOINTS = 2,   ///< lines from the centers to the points, red where they gape
    CAIRN_DRAW_CONTACTS = 4, ///< points, and forces as lines of `force_scale` m/N
    CAIRN_DRAW_CENTERS = 8,  ///< the principal axes at the centers of mass
    CAIRN_DRAW_SLOTS = 16,   ///< the slots of bodies, as text
};

/// Who draws. Functions that are NULL are not called; without `shape` shapes are drawn as lines. They
/// may read the world (CAIRN_BUSY for what changes it). Colors are 0xrrggbb.
typedef struct cairn_draw {
    uint32_t cookie;    ///< of cairn_default_draw
    unsigned what;      ///< default shapes, joints and contacts
    double force_scale; ///< m/N; default 0.001
    double extent;      ///< m: how far half-spaces are drawn, to each side; default 10
    void* context;
    void (*line)(void* context, cairn_vec3 from, cairn_vec3 to, uint32_t color);
    void (*point)(void* context, cairn_vec3 at, uint32_t color);
    void (*shape)(void* context, const cairn_shape* shape, cairn_transform pose, uint32_t color);
    void (*text)(void* context, cairn_vec3 at, const char* text, uint32_t color);
} cairn_draw;

/// Draws nothing: the functions and what is shown are yours to give.
CAIRN_API cairn_draw cairn_default_draw(void);
/// Calls the functions of `draw` for all that it asks for; the world is as it was.
CAIRN_API cairn_status cairn_world_draw(const cairn_world* world, const cairn_draw* draw,
                                        cairn_error* error);

#ifdef __cplusplus
}
#endif

#endif
