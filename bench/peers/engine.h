// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// One description of a scene for every engine, and what an engine must do to take part. Plain
// numbers in SI units, z up, quaternions (w, x, y, z), so that drivers in C and C++ need nothing of
// Cairn. A body's frame sits at its center of mass, along its principal axes.
#ifndef CAIRN_BENCH_PEERS_ENGINE_H
#define CAIRN_BENCH_PEERS_ENGINE_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum peer_shape {
    PEER_SPHERE,     ///< size[0]: radius
    PEER_CAPSULE,    ///< size[0]: radius, size[1]: half the distance of its sphere centers, along z
    PEER_BOX,        ///< size: half lengths
    PEER_HULL,       ///< the convex hull of points
    PEER_HALF_SPACE, ///< z <= 0 of the world; static
} peer_shape;

/// A convex polytope: points, and its faces as planes n·x = d and as polygons, each a count
/// followed by that many indices, counter-clockwise from outside.
typedef struct peer_hull {
    int point_count, face_count, polygon_size;
    double* points;     ///< 3 each
    double* planes;     ///< 4 each
    unsigned* polygons; ///< polygon_size numbers in all
} peer_hull;

typedef struct peer_state {
    double position[3];   ///< m, of the center of mass
    double quaternion[4]; ///< body frame -> world
    double velocity[3];   ///< m/s
    double spin[3];       ///< rad/s, world
} peer_state;

typedef struct peer_body {
    peer_shape shape;
    double size[3];
    peer_hull hull;
    double mass;       ///< kg; 0: static
    double inertia[3]; ///< kg m²
    double mu;         ///< the same for all bodies of a scene
    bool collides;
    peer_state start;
} peer_body;

/// A ball joint. In scenes with joints, body i hangs by joint i on a body before it.
typedef struct peer_joint {
    int a, b;                ///< bodies; a = -1: the world
    double at_a[3], at_b[3]; ///< m: its point in the two frames (of the world: in the world)
} peer_joint;

typedef struct peer_scene {
    const char* name;
    const char* text; ///< the scene file, for Cairn
    double gravity[3];
    double dt; ///< s: a frame
    int body_count, joint_count;
    peer_body* bodies;
    peer_joint* joints;
} peer_scene;

/// An engine with one choice of settings.
typedef struct peer_setting {
    const char* text; ///< what is printed
    int choice;       ///< the driver's own number
    bool contacts;    ///< serves scenes with contacts
    bool joints;      ///< serves scenes with joints
} peer_setting;

typedef struct peer_engine {
    const char* name;
    const char* package;                               ///< of Debian or npm
    const char* (*version)(const struct peer_engine*); ///< gives NULL when it is not installed
    const peer_setting* settings;                      ///< the last has no text
    bool (*refuses)(const peer_scene*, int);           ///< scenes beyond the engine; NULL: none
    void* (*create)(const peer_scene*, int);    ///< a world of a scene with a choice; NULL: cannot
    void (*step)(void* world, double dt);       ///< one frame
    void (*read)(void* world, peer_state* all); ///< where the bodies are now
    void (*destroy)(void* world);
    const double* (*stages)(const void* world); ///< ms so far (scene_run.h); NULL: not known
    double (*step_ms)(
        const void* world); ///< of the last step, by an engine that measures itself; or NULL
} peer_engine;

extern const peer_engine peer_cairn, peer_ode, peer_bullet, peer_mujoco, peer_dart, peer_box3d;

#ifdef __cplusplus
}
#endif

#endif
