// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Bodies of a world: all of them at once as arrays, changes while the world runs, targets, and
// forces in the frame of a body. What cannot be done is refused with one sentence and changes
// nothing. Every change wakes the body, and what it held.
#ifndef CAIRN_BODY_H
#define CAIRN_BODY_H

#include <cairn/world.h>

#ifdef __cplusplus
extern "C" {
#endif

// ---------------------------------------------------------------- many bodies at once

// Arrays hold one entry for each of the slots 0 to before `count`; those of empty slots, and beyond
// cairn_world_body_slots, are zeros.

/// Poses as cairn_body_get tells them, 7 numbers each: position (m), quaternion (w, x, y, z).
CAIRN_API cairn_status cairn_world_get_poses(const cairn_world* world, double* poses, int count,
                                             cairn_error* error);
CAIRN_API cairn_status cairn_world_get_poses_float(const cairn_world* world, float* poses,
                                                   int count, cairn_error* error);

/// Velocities, 6 numbers each: of the center of mass (m/s), spin (rad/s).
CAIRN_API cairn_status cairn_world_get_velocities(const cairn_world* world, double* velocities,
                                                  int count, cairn_error* error);
CAIRN_API cairn_status cairn_world_get_velocities_float(const cairn_world* world, float* velocities,
                                                        int count, cairn_error* error);

/// Places all bodies of the slots below `count`. A body whose numbers are those that
/// cairn_world_get_poses gives now is left alone, asleep or not; entries of empty slots are not
/// looked at. All numbers are checked before the first body moves.
CAIRN_API cairn_status cairn_world_set_poses(cairn_world* world, const double* poses, int count,
                                             cairn_error* error);

/// Likewise. A static body takes no velocity but zero.
CAIRN_API cairn_status cairn_world_set_velocities(cairn_world* world, const double* velocities,
                                                  int count, cairn_error* error);

/// The bodies whose pose the last step changed, in the order of their slots: the first `room` of
/// them go to `bodies` (NULL: none do). Returns how many there are.
CAIRN_API int cairn_world_moved(const cairn_world* world, cairn_body_id* bodies, int room);

// ---------------------------------------------------------------- changes

/// A body that becomes dynamic has the mass that it had or, if it never was, that of its def. A
/// body that becomes static stops. Meshes and height fields cannot be dynamic.
CAIRN_API cairn_status cairn_body_set_type(cairn_world* world, cairn_body_id id,
                                           cairn_body_type type, cairn_error* error);

/// The mass of a dynamic body (kg); its moments of inertia change in proportion.
CAIRN_API cairn_status cairn_body_set_mass(cairn_world* world, cairn_body_id id, double mass,
                                           cairn_error* error);

/// The center of mass of a dynamic body (m, body frame) and its inertia about it (kg m², body
/// axes). The body frame goes on as it moves; the velocity becomes that of the new center.
CAIRN_API cairn_status cairn_body_set_inertia(cairn_world* world, cairn_body_id id,
                                              cairn_vec3 center, cairn_mat3 inertia,
                                              cairn_error* error);

/// Another shape, or another compound where parts were added or removed; as `shape`,
/// `shape_offset` and `parts` of cairn_body_def. With a density > 0 the mass properties of a dynamic
/// body follow from it anew (of parts: from theirs); with 0 they stay as they are.
CAIRN_API cairn_status cairn_body_set_shape(cairn_world* world, cairn_body_id id,
                                            const cairn_shape* shape, cairn_transform offset,
                                            const cairn_part* parts, double density,
                                            cairn_error* error);

/// Damping of translation and rotation, 1/s.
CAIRN_API cairn_status cairn_body_set_damping(cairn_world* world, cairn_body_id id, double linear,
                                              double angular, cairn_error* error);
CAIRN_API cairn_status cairn_body_set_gravity_scale(cairn_world* world, cairn_body_id id,
                                                    double scale, cairn_error* error);

/// Whom the body collides with, as in cairn_body_def. Contacts that are no longer allowed end with
/// the next step.
CAIRN_API cairn_status cairn_body_set_filter(cairn_world* world, cairn_body_id id,
                                             uint32_t category, uint32_t mask, cairn_error* error);

/// A body that is not enabled stays where it is: nothing touches it, no query sees it, its joints
/// let go. It stops, and comes back at rest.
CAIRN_API cairn_status cairn_body_set_enabled(cairn_world* world, cairn_body_id id, bool enabled,
                                              cairn_error* error);

/// Whether its island may fall asleep.
CAIRN_API cairn_status cairn_body_allow_sleep(cairn_world* world, cairn_body_id id, bool allowed,
                                              cairn_error* error);

/// What cairn_body_get tells as `user`.
CAIRN_API cairn_status cairn_body_set_user(cairn_world* world, cairn_body_id id, void* user,
                                           cairn_error* error);

// ---------------------------------------------------------------- motion

/// Sends a kinematic body to a pose: it moves there in a step of dt seconds, at a steady velocity
/// and spin by the smaller angle, pushes what is on its way, and stops where it arrives.
CAIRN_API cairn_status cairn_body_set_target(cairn_world* world, cairn_body_id id,
                                             cairn_transform pose, double dt, cairn_error* error);

/// The velocity (m/s) of the material point of a body that is at a point of the world now.
CAIRN_API cairn_status cairn_body_velocity_at(const cairn_world* world, cairn_body_id id,
                                              cairn_vec3 point, cairn_vec3* velocity,
                                              cairn_error* error);

/// A force (N) at a point (m), both in the body frame as it is now, acting during the next step.
CAIRN_API cairn_status cairn_body_add_force_local(cairn_world* world, cairn_body_id id,
                                                  cairn_vec3 force, cairn_vec3 point,
                                                  cairn_error* error);
/// A torque (N m) in the body frame as it is now, acting during the next step.
CAIRN_API cairn_status cairn_body_add_torque_local(cairn_world* world, cairn_body_id id,
                                                   cairn_vec3 torque, cairn_error* error);

#ifdef __cplusplus
}
#endif

#endif
