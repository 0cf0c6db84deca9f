// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// What the module gives to JavaScript. Numbers are passed as they are, texts and arrays as
// addresses in its memory, which the caller takes by cairn_web_alloc. A status is 0 or a
// cairn_status, whose sentence cairn_web_error tells. web/npm/index.js is the other side.
#ifndef CAIRN_WEB_EXPORTS_H
#define CAIRN_WEB_EXPORTS_H

#include <cairn/io.h>

#define CAIRN_WEB __attribute__((visibility("default"), used))

CAIRN_WEB void* cairn_web_alloc(size_t size);
CAIRN_WEB void cairn_web_free(void* memory);
CAIRN_WEB const char* cairn_web_version(void);
CAIRN_WEB const char* cairn_web_error(void);

// ---------------------------------------------------------------- the live view (session.c)

/// Keeps a file, for scenes and their meshes.
CAIRN_WEB int cairn_web_put(const char* name, const char* text, size_t size);

/// Opens a scene by the name of its file; the messages that follow are those of
/// docs/view-protocol.md.
CAIRN_WEB cairn_status cairn_web_start(const char* scene);
CAIRN_WEB cairn_status cairn_web_send(const char* text, size_t size);

/// Obeys and steps; gives the seconds until it has something to do again.
CAIRN_WEB double cairn_web_turn(void);

/// The next message to the page, or NULL; it lasts until the next call.
CAIRN_WEB const void* cairn_web_next(void);
CAIRN_WEB size_t cairn_web_next_size(void);
CAIRN_WEB int cairn_web_next_is_text(void);

// ---------------------------------------------------------------- worlds (world.c)

/// A scene with the arrays that a page reads without copies.
typedef struct web_world web_world;

/// Options that overrule the scene; zero: as the scene says.
typedef struct web_options {
    double tolerance, substeps, dt;
    double has_gravity, gravity[3];
    double threads; ///< 0: all that the module has
} web_options;

/// NULL with a sentence when the scene is refused. `method` may be NULL.
CAIRN_WEB web_world* cairn_web_world(const char* text, size_t size, const char* method,
                                     const web_options* options);
CAIRN_WEB void cairn_web_world_free(web_world* w);
CAIRN_WEB cairn_status cairn_web_world_step(web_world* w, double dt);

/// Addresses that JavaScript asks for again after every call that may add or remove bodies.
typedef struct web_arrays {
    uint32_t slots, contacts;
    double* poses;      ///< x y z, w x y z of the quaternion, for each slot
    double* velocities; ///< m/s, then rad/s
    int32_t* states;    ///< 0: empty; 1: awake; 2: asleep; 3: static or kinematic; 4: frozen
    int32_t* pairs; ///< slots a and b of each contact, then its state: 0 open, 1 sticks, 2 slides
    double* points; ///< point, normal from a to b, impulse on b, gap: ten numbers each
    double* report; ///< see world.c
    uint64_t* hash;
    const char* method; ///< of the last step
} web_arrays;

CAIRN_WEB const web_arrays* cairn_web_world_arrays(web_world* w);

/// The slot of a body by its name, or -1.
CAIRN_WEB int cairn_web_world_find(web_world* w, const char* name);

/// Adds a body of a plain shape from 24 numbers (world.c); gives its slot, or -1.
CAIRN_WEB int cairn_web_world_add(web_world* w, const double* numbers);
CAIRN_WEB cairn_status cairn_web_world_remove(web_world* w, int slot);
CAIRN_WEB cairn_status cairn_web_world_set_pose(web_world* w, int slot, const double* pose);
CAIRN_WEB cairn_status cairn_web_world_set_velocity(web_world* w, int slot, const double* velocity);

/// A force until the next step, at a point of the world: six numbers.
CAIRN_WEB cairn_status cairn_web_world_push(web_world* w, int slot, const double* force);
CAIRN_WEB cairn_status cairn_web_world_set_gravity(web_world* w, const double* gravity);
CAIRN_WEB cairn_status cairn_web_world_set_method(web_world* w, const char* method,
                                                  double tolerance);

/// The first body on a way: origin and way in, slot out (-1: none), and the seven numbers of point,
/// normal and fraction.
CAIRN_WEB int cairn_web_world_ray(web_world* w, const double* ray, double* hit);

CAIRN_WEB cairn_snapshot* cairn_web_world_snapshot(web_world* w);
CAIRN_WEB cairn_status cairn_web_world_restore(web_world* w, const cairn_snapshot* snapshot);
CAIRN_WEB void cairn_web_snapshot_free(cairn_snapshot* snapshot);

/// Sets and gives the sentence of the last refusal (session.c).
cairn_error* cairn_web_said(void);

#endif
