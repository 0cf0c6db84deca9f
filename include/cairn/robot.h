// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Robots in URDF and in MuJoCo's MJCF (docs/robots.md). A robot is a tree of links with masses,
// shapes and joints; it becomes a scene, and it has joint coordinates (<cairn/multibody.h>). Belongs
// to the library cairn-io. cairn_scene_read reads these files too.
#ifndef CAIRN_ROBOT_H
#define CAIRN_ROBOT_H

#include <cairn/io.h>
#include <cairn/multibody.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cairn_robot cairn_robot;

/// Reads a robot, by what its file holds: <robot> is URDF, <mujoco> is MJCF. `def` may be NULL. What
/// is not read is listed by cairn_robot_describe, or refused when `strict`. Errors name the file and
/// the line. Meshes and included files are looked for beside the file.
CAIRN_API cairn_status cairn_robot_read(const char* path, const cairn_robot_def* def,
                                        cairn_robot** robot, cairn_error* error);

/// The same from memory; `name` stands for the file in errors, and its folder is where meshes are
/// looked for.
CAIRN_API cairn_status cairn_robot_read_text(const char* text, size_t size, const char* name,
                                             const cairn_robot_def* def, cairn_robot** robot,
                                             cairn_error* error);
CAIRN_API void cairn_robot_destroy(cairn_robot* robot);

/// What a robot is. Texts belong to it.
typedef struct cairn_robot_info {
    const char* name;
    const char* format;  ///< "URDF" or "MJCF"
    const char* ignored; ///< what the reader passed over, "" when nothing: names, counts and lines
    int link_count;      ///< that move; what is fixed to them is part of them
    int joint_count;     ///< with at least one coordinate
    int q_count, v_count;
    double mass; ///< kg, of all that moves
} cairn_robot_info;

/// What was read. All zeros without a robot.
CAIRN_API cairn_robot_info cairn_robot_describe(const cairn_robot* robot);

/// A link that moves, in the order of the file. All zeros when there is no such link.
typedef struct cairn_robot_link {
    const char* name;   ///< also that of its body in the scene
    const char* parent; ///< a link, or "" for the world
    int link;           ///< in the multibody: the one that carries its mass
    double mass;        ///< kg
    cairn_vec3 center;  ///< m, in the link's frame
} cairn_robot_link;

/// The link of an index, 0 <= index < link_count.
CAIRN_API cairn_robot_link cairn_robot_get_link(const cairn_robot* robot, int index);

/// A joint, in the order of the coordinates. All zeros when there is no such joint.
typedef struct cairn_robot_joint {
    const char* name; ///< also that of its joint in the scene
    const char* link; ///< that it moves
    cairn_mobility mobility;
    int q, v; ///< where its numbers start in q and v
    bool limited;
    double lo, hi;            ///< rad or m
    double effort;            ///< N m or N that its motor has; 0: not told
    double damping, friction; ///< N m s or N s/m; N m or N
    double start;             ///< rad or m: where it is when the scene begins
    double reduction;         ///< what the force of its motor is multiplied by (URDF); else 1
} cairn_robot_joint;

/// The joint of an index, 0 <= index < joint_count.
CAIRN_API cairn_robot_joint cairn_robot_get_joint(const cairn_robot* robot, int index);

/// The robot in joint coordinates. It belongs to the robot, and so does its one thread at a time.
CAIRN_API cairn_multibody* cairn_robot_multibody(const cairn_robot* robot);

/// q and v where the scene begins. Either may be NULL.
CAIRN_API void cairn_robot_start(const cairn_robot* robot, double* q, double* v);

/// The robot as a scene (docs/scene.md): JSON, terminated; it belongs to the robot.
CAIRN_API const char* cairn_robot_scene_text(const cairn_robot* robot);

/// The same, read. `def` may be NULL.
CAIRN_API cairn_status cairn_robot_make_scene(const cairn_robot* robot, const cairn_scene_def* def,
                                              cairn_scene** scene, cairn_error* error);

/// The joint coordinates of the robot in a scene of its own, from the poses and velocities of its
/// bodies. Hinges give angles from -π to π. `v` may be NULL.
CAIRN_API cairn_status cairn_robot_get_state(const cairn_robot* robot, const cairn_scene* scene,
                                             double* q, double* v, cairn_error* error);

/// Puts the bodies of such a scene where q says, moving as v says (NULL: at rest).
CAIRN_API cairn_status cairn_robot_set_state(const cairn_robot* robot, cairn_scene* scene,
                                             const double* q, const double* v, cairn_error* error);

/// Joint forces τ in the order of v, acting during the next step: each on its link, and its opposite
/// on the parent.
CAIRN_API cairn_status cairn_robot_add_forces(const cairn_robot* robot, cairn_scene* scene,
                                              const double* tau, cairn_error* error);

#ifdef __cplusplus
}
#endif

#endif
