// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// What a world tells beside its contacts, and what it asks: sensors, hits, joints that broke, and
// hooks that decide who collides and by which friction. All of it costs nothing until it is used.
// Arrays belong to the world and last until the next step. Snapshots keep sensors; hooks stay with
// the world.
#ifndef CAIRN_ALERT_H
#define CAIRN_ALERT_H

#include <cairn/world.h>

#ifdef __cplusplus
extern "C" {
#endif

// ---------------------------------------------------------------- sensors

typedef struct cairn_sensor_id {
    int32_t index;
    uint32_t generation;
} cairn_sensor_id;

/// A shape that pushes nothing and reports the bodies that share a point with it.
typedef struct cairn_sensor_def {
    uint32_t cookie;          ///< of cairn_default_sensor_def
    cairn_body_id body;       ///< that it moves with and does not report; none: the world
    const cairn_shape* shape; ///< convex; its data is borrowed
    cairn_transform pose;     ///< shape frame -> body frame, or -> world
    uint32_t mask;            ///< categories of the bodies that it reports; default all
    void* user;               ///< yours
    uint64_t reserved[4];     ///< room for options to come; 0
} cairn_sensor_def;

/// A sensor that reports all categories; its shape is yours to give.
CAIRN_API cairn_sensor_def cairn_default_sensor_def(void);
/// Adds a sensor, to a body or to the world. The first step reports who is inside.
CAIRN_API cairn_status cairn_world_add_sensor(cairn_world* world, const cairn_sensor_def* def,
                                              cairn_sensor_id* id, cairn_error* error);

/// Removes a sensor, without a word about who is inside. One whose body is removed goes with the
/// next step, which reports the ends.
CAIRN_API cairn_status cairn_world_remove_sensor(cairn_world* world, cairn_sensor_id id,
                                                 cairn_error* error);

/// A body that entered a sensor or left it. A body that was removed has left; its id is stale.
typedef struct cairn_sensor_event {
    cairn_sensor_id sensor;
    cairn_body_id body;
    void* user; ///< of the sensor
} cairn_sensor_event;

typedef struct cairn_sensor_events {
    const cairn_sensor_event* begun;
    int begun_count;
    const cairn_sensor_event* ended;
    int ended_count;
} cairn_sensor_events;

/// Who entered and who left in the last step, as the bodies stand at its end: dynamic, kinematic
/// and static ones, asleep or awake. What passes through within one step is not seen.
CAIRN_API cairn_sensor_events cairn_world_sensor_events(const cairn_world* world);

/// The bodies inside a sensor at the end of the last step, by slot: the first `room` of them go to
/// `bodies` (NULL: none do). Returns how many there are; 0 for a stale id.
CAIRN_API int cairn_sensor_inside(const cairn_world* world, cairn_sensor_id id,
                                  cairn_body_id* bodies, int room);

// ---------------------------------------------------------------- hits, broken joints

/// Two bodies that met.
typedef struct cairn_hit_event {
    cairn_body_id body_a, body_b;
    cairn_vec3 point;  ///< m, world: of the contact that came fastest
    cairn_vec3 normal; ///< from A to B
    double speed;      ///< m/s: at which they approached there when the step began
    double impulse;    ///< N s: along the normals, of all their contacts in the step
    int part_a, part_b;
} cairn_hit_event;

/// From now on steps list the pairs that started touching at this speed or faster; 0: none.
CAIRN_API cairn_status cairn_world_set_hit_speed(cairn_world* world, double speed,
                                                 cairn_error* error);
CAIRN_API const cairn_hit_event* cairn_world_hits(const cairn_world* world, int* count);

/// A joint that bore more than its break_force or break_torque in the last step and is gone.
typedef struct cairn_break_event {
    cairn_joint_id joint; ///< stale
    void* user;           ///< of the joint
    double force, torque; ///< N, N m: means over the step
} cairn_break_event;

/// The joints that broke in the last step. The array belongs to the world and lasts until the next step.
CAIRN_API const cairn_break_event* cairn_world_broken(const cairn_world* world, int* count);

// ---------------------------------------------------------------- hooks

/// Whether two bodies whose boxes are close may collide in this step. Asked again in each step, and
/// more than once: a function of the world as it is when the step begins, and of the two alone. May
/// read the world (CAIRN_BUSY for the rest).
typedef bool (*cairn_pair_hook)(void* context, const cairn_world* world, cairn_body_id a,
                                cairn_body_id b);
CAIRN_API cairn_status cairn_world_set_pair_hook(cairn_world* world, cairn_pair_hook hook,
                                                 void* context, cairn_error* error);

/// Whether the contacts of two parts along a normal count in this step: one-way platforms, walls that
/// are open from one side. `contact` is the deepest of them, or the nearest, and has no impulse yet.
/// Asked before they are solved, again in each step, and where a step looks at a pair once more: a
/// function of the contact and of the world as it is when the step begins. A pair of which contacts
/// were refused may pass through each other at any speed in that step. May read the world.
typedef bool (*cairn_contact_hook)(void* context, const cairn_world* world,
                                   const cairn_contact* contact);
CAIRN_API cairn_status cairn_world_set_contact_hook(cairn_world* world, cairn_contact_hook hook,
                                                    void* context, cairn_error* error);

/// The law of contacts between two bodies as their materials make it, for a hook to change.
typedef struct cairn_law_of_pair {
    double mu;          ///< along both tangents, unless a material has a direction
    double mu_static;   ///< of contacts that do not slide; less than mu: mu
    double mu_spin;     ///< m
    double restitution; ///< 0 .. 1
} cairn_law_of_pair;

/// Numbers outside their ranges are taken as the nearest one inside.
typedef void (*cairn_material_hook)(void* context, const cairn_world* world, cairn_body_id a,
                                    int part_a, cairn_body_id b, int part_b,
                                    cairn_law_of_pair* law);
CAIRN_API cairn_status cairn_world_set_material_hook(cairn_world* world, cairn_material_hook hook,
                                                     void* context, cairn_error* error);

#ifdef __cplusplus
}
#endif

#endif
