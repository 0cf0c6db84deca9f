// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Files: contact problems in FCLib's HDF5 format, plain LCPs in Matrix Market, meshes in OBJ and
// STL, scenes in JSON (robots: robot.h). Belongs to the library cairn-io. Readers refuse malformed files with one
// sentence and leave everything as it was; writers make a file appear whole or not at all.
// Functions that touch HDF5 files (FCLib, recordings) run in one thread at a time: libhdf5 has
// global state.
#ifndef CAIRN_IO_H
#define CAIRN_IO_H

#include <cairn/alert.h>
#include <cairn/problem.h>
#include <cairn/shape.h>
#include <cairn/world.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Reads an FCLib file: a local problem (u = W r + q) or a global one (M v = H r + G l + f). Local
/// problems and global ones whose mass is not made of rigid bodies become an explicit A; others
/// become bodies and rows. A stored guess becomes the warm start. Destroy with
/// cairn_problem_destroy.
CAIRN_API cairn_status cairn_fclib_read(const char* path, cairn_problem* problem,
                                        cairn_error* error);

/// Writes a problem as FCLib, local when A is explicit and global otherwise, with the solution when
/// `lambda` is not NULL. An existing file is refused unless `force`.
CAIRN_API cairn_status cairn_fclib_write(const char* path, const cairn_problem* problem,
                                         const double* lambda, bool force, cairn_error* error);

/// Writes `path` as a copy of the FCLib file `input` (from which `problem` was read) with its
/// solution replaced by `lambda`.
CAIRN_API cairn_status cairn_fclib_write_solution(const char* path, const char* input,
                                                  const cairn_problem* problem,
                                                  const double* lambda, bool force,
                                                  cairn_error* error);

/// A plain LCP with memory of its own: M row-major n x n, q.
typedef struct cairn_lcp_data {
    int n;
    double* M;
    double* q;
    double *lo, *hi; ///< or NULL
} cairn_lcp_data;

/// Reads M and q from Matrix Market files (array or coordinate; real or integer; general or
/// symmetric).
CAIRN_API cairn_status cairn_lcp_read(const char* M_path, const char* q_path, cairn_lcp_data* lcp,
                                      cairn_error* error);
CAIRN_API void cairn_lcp_data_destroy(cairn_lcp_data* lcp);

/// Reads bounds for an LCP that was read; either path may be NULL: none. Numbers of 1e300 and more
/// stand for infinite ones.
CAIRN_API cairn_status cairn_lcp_read_bounds(const char* lo_path, const char* hi_path,
                                             cairn_lcp_data* lcp, cairn_error* error);

/// Reads a mesh of triangles from a Wavefront OBJ or an STL file (text or binary), by the ending of
/// its name. Coordinates are meters. Destroy with cairn_mesh_destroy.
CAIRN_API cairn_status cairn_mesh_read(const char* path, cairn_mesh** mesh, cairn_error* error);

// ---------------------------------------------------------------- scenes

/// A world read from a scene file (docs/scene.md), with the names of its bodies and the shape data
/// that they borrow.
typedef struct cairn_scene cairn_scene;

/// How a robot is read (<cairn/robot.h>). Zero, NULL: the defaults.
typedef struct cairn_robot_def {
    const char*
        packages; ///< the folder in which package://NAME/... is looked for; NULL: the folders
                  ///< above the file
    const char* keyframe; ///< of an MJCF file: its name or number; NULL: the pose of the model
    bool strict;          ///< refuse what is not read, by name and line
    bool fix_base;        ///< the root of a URDF robot is fixed to the world
    bool no_floor;        ///< a URDF robot whose root is free gets no floor to stand on
    bool hold_frames; ///< a last link of a URDF robot that has neither mass nor shape is a frame:
                      ///< its joint does not move, and is listed; else it is refused
    bool no_meshes;   ///< read no mesh files: shapes that need one are left out, and listed
} cairn_robot_def;

/// What overrules the file. Zero, NULL: as the file says.
typedef struct cairn_scene_def {
    const char* preset; ///< "balanced", "realtime" or "exact"; NULL: the scene's
    const char* method;
    int substeps;
    double tolerance;
    double time_limit;         ///< seconds per solve
    double budget;             ///< seconds per step
    double work;               ///< counted operations per step
    const cairn_vec3* gravity; ///< m/s²
    int threads;
    bool no_sleep;
    int limit; ///< bodies and joints that a scene may have; default 1,000,000
    int part,
        parts; ///< of its dynamic bodies in their order, only every one of number `part` modulo `parts`
               ///< is made (a share of a scene without joints, <cairn/ranks.h>); parts 0: all
    const char* const* options; ///< of the method, "NAME=VALUE" each (cairn_solve_def_set)
    int option_count;
    const cairn_robot_def* robot; ///< of scenes in URDF or MJCF; NULL: the defaults
} cairn_scene_def;

/// How a scene is meant to be run.
typedef struct cairn_scene_info {
    const char* title;  ///< one line; belongs to the scene
    const char* group;  ///< of scenes that belong together, or ""; belongs to the scene
    const char* method; ///< static storage
    double time;        ///< s
    double dt;          ///< s
    int substeps;
    double tolerance;
    cairn_vec3 gravity;
    int body_count;      ///< those that enter later included
    bool driven;         ///< bodies enter later, or are driven by the scene
    const char* ignored; ///< what the reader of a robot passed over, or ""; belongs to the scene
} cairn_scene_info;

/// Reads a scene: JSON, or a robot in URDF or MJCF (<cairn/robot.h>). `def` may be NULL. Errors name
/// the file, the line, the column and the key.
CAIRN_API cairn_status cairn_scene_read(const char* path, const cairn_scene_def* def,
                                        cairn_scene** scene, cairn_error* error);

/// The same from memory; `name` stands for the file in errors.
CAIRN_API cairn_status cairn_scene_read_text(const char* text, size_t size, const char* name,
                                             const cairn_scene_def* def, cairn_scene** scene,
                                             cairn_error* error);

/// Destroys the scene and its world.
CAIRN_API void cairn_scene_destroy(cairn_scene* scene);

/// The world; it belongs to the scene.
CAIRN_API cairn_world* cairn_scene_world(const cairn_scene* scene);
CAIRN_API cairn_scene_info cairn_scene_describe(const cairn_scene* scene);

/// The body of a name; false when there is none, or when it has not entered yet.
CAIRN_API bool cairn_scene_find(const cairn_scene* scene, const char* name, cairn_body_id* id);

/// The joint of a name; false when there is none.
CAIRN_API bool cairn_scene_find_joint(const cairn_scene* scene, const char* name,
                                      cairn_joint_id* id);

/// The sensor of a name; false when there is none.
CAIRN_API bool cairn_scene_find_sensor(const cairn_scene* scene, const char* name,
                                       cairn_sensor_id* id);

/// The name of a body or of a joint, or "". It belongs to the scene.
CAIRN_API const char* cairn_scene_body_name(const cairn_scene* scene, cairn_body_id id);
CAIRN_API const char* cairn_scene_joint_name(const cairn_scene* scene, cairn_joint_id id);

/// Lets bodies enter whose time has come, drives what the scene drives, then steps the world.
CAIRN_API cairn_status cairn_scene_step(cairn_scene* scene, double dt, cairn_step_report* report,
                                        cairn_error* error);

/// Brings the scene to a snapshot that was taken between two steps, of its world or of that of
/// another instance of the same scene, earlier or later. Bodies that have not entered by then will
/// enter, the others are in. (`user` of the bodies of a scene belongs to the scene.)
CAIRN_API cairn_status cairn_scene_restore(cairn_scene* scene, const cairn_snapshot* snapshot,
                                           cairn_error* error);

#ifdef __cplusplus
}
#endif

#endif
