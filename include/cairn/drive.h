// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Joints of a world while it runs: limits, springs and servos that change, where a joint is and how
// fast, and what it bears.
#ifndef CAIRN_DRIVE_H
#define CAIRN_DRIVE_H

#include <cairn/world.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Axes of A's frame along which, and about which, a joint of the kind CAIRN_JOINT_LOCKS holds B. One
/// locked turn alone holds the spin about its axis and no angle.
enum {
    CAIRN_LOCK_X = 1,
    CAIRN_LOCK_Y = 2,
    CAIRN_LOCK_Z = 4,
    CAIRN_LOCK_TURN_X = 8,
    CAIRN_LOCK_TURN_Y = 16,
    CAIRN_LOCK_TURN_Z = 32,
    CAIRN_LOCK_TURNS = 56,
    CAIRN_LOCK_PLANE = 2 + 8 + 32, ///< moves and turns in the plane of x and z alone
};

/// Locks axes of the world for a body, at its center of mass where it is now, by a joint to the world;
/// removing the joint ends it.
CAIRN_API cairn_status cairn_body_lock(cairn_world* world, cairn_body_id id, unsigned locks,
                                       cairn_joint_id* joint, cairn_error* error);

/// A bushing, or a weld that gives: springs and dampers along the three axes of A's frame at its point
/// and about them. Turns are measured by their twists about the axes: small ones are independent.
typedef struct cairn_bushing {
    cairn_body_id body_a; ///< none: the world
    cairn_body_id body_b;
    cairn_transform frame_a,
        frame_b;         ///< as of a joint; the springs are at rest where both coincide
    double stiffness[6]; ///< N/m along x, y, z; N m/rad about them
    double damping[6];   ///< N s/m, N m s/rad
    bool collide;        ///< whether the two bodies collide
} cairn_bushing;

/// Adds the joints of a bushing: CAIRN_JOINT_ALONG for x, y, z, CAIRN_JOINT_TWIST about them. `joints`
/// has room for six; those without stiffness and damping are not made, and their ids are none. Each
/// may be changed and removed as any joint. Where one is refused, none is made.
CAIRN_API cairn_status cairn_world_add_bushing(cairn_world* world, const cairn_bushing* bushing,
                                               cairn_joint_id* joints, cairn_error* error);

// What is set to what it is already wakes nobody, so that a program may set it in every step.

/// The limits of the free coordinate (rad or m); -INFINITY and INFINITY: none.
CAIRN_API cairn_status cairn_joint_set_limits(cairn_world* world, cairn_joint_id id, double lo,
                                              double hi, cairn_error* error);

/// The spring of the free coordinate; stiffness and damping 0: none. Ends a servo.
CAIRN_API cairn_status cairn_joint_set_spring(cairn_world* world, cairn_joint_id id,
                                              double stiffness, double damping, double rest,
                                              cairn_error* error);

/// A position servo on the free coordinate x: the force -k (x - target) - c x', at most `strength`
/// (N or N m; INFINITY: no bound). Whether the bound holds it is decided where a step begins.
/// Takes the place of the motor and the spring. cairn_joint_set_motor is the servo of velocities.
CAIRN_API cairn_status cairn_joint_set_servo(cairn_world* world, cairn_joint_id id, double target,
                                             double stiffness, double damping, double strength,
                                             cairn_error* error);

/// Loads above which a joint is removed at the end of a step, told by cairn_world_broken; 0: none.
CAIRN_API cairn_status cairn_joint_set_break(cairn_world* world, cairn_joint_id id, double force,
                                             double torque, cairn_error* error);

/// What cairn_joint_get tells as `user`.
CAIRN_API cairn_status cairn_joint_set_user(cairn_world* world, cairn_joint_id id, void* user,
                                            cairn_error* error);

/// Where a joint is, how fast, and what it bears. Forces are means over the last step.
typedef struct cairn_joint_motion {
    double coordinate, speed;    ///< rad or m, and per second: of the free coordinate
    cairn_vec3 shift, turn;      ///< m, rad: of B's frame in A's, the latter as a rotation vector
    cairn_vec3 slide, spin;      ///< m/s, rad/s: of B's frame in A's, along and about A's axes
    double motor, limit, spring; ///< N or N m along the free coordinate: what each does on B
    cairn_vec3 point;            ///< m, world: the joint's point on B
    cairn_vec3 force, torque;    ///< N, N m on B at that point, all of the joint together
} cairn_joint_motion;

/// Reads all axes of a joint at the end of the last step.
CAIRN_API cairn_status cairn_joint_get_motion(const cairn_world* world, cairn_joint_id id,
                                              cairn_joint_motion* motion, cairn_error* error);

#ifdef __cplusplus
}
#endif

#endif
