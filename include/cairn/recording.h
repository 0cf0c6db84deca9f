// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// What a run looked like. A stage holds what stays (bodies and their shapes, joints, the scene's
// text), a frame what one step changed (poses, velocities, contacts, the report, the state hash).
// Both are plain arrays over the slots of the world, taken from a world or read from a recording,
// and the only thing that pages and files see of a run. Belongs to the library cairn-io.
#ifndef CAIRN_RECORDING_H
#define CAIRN_RECORDING_H

#include <cairn/io.h>
#include <cairn/world.h>

#ifdef __cplusplus
extern "C" {
#endif

// ---------------------------------------------------------------- the stage

/// What a body is drawn as. Of no meaning for its motion.
typedef enum cairn_look {
    CAIRN_LOOK_PLAIN,
    CAIRN_LOOK_STONE,
    CAIRN_LOOK_WOOD,
    CAIRN_LOOK_STEEL,
    CAIRN_LOOK_RUBBER
} cairn_look;

/// A body as long as it is there.
typedef struct cairn_stage_body {
    cairn_body_id id; ///< generation 0: the slot is empty, and the rest is not to be read
    cairn_body_type type;
    bool shaped;               ///< whether it has a shape
    cairn_shape shape;         ///< its data is borrowed from the world, or owned by the recording
    cairn_transform offset;    ///< shape frame -> body frame
    double mass;               ///< kg; infinite for static and kinematic bodies
    cairn_transform principal; ///< frame of the principal axes at the center of mass -> body frame
    cairn_vec3 moments;        ///< kg m² about them; 0 unless dynamic, and in older recordings
    double gravity_scale;
    uint32_t category, mask; ///< two bodies collide when each one's category is in the other's mask
    bool soft;               ///< contacts with it are springs: overlaps are their work
    bool glass;              ///< drawn so that one sees through it
    cairn_look look;
    const char* name; ///< borrowed from the scene or the recording; NULL: none
} cairn_stage_body;

typedef struct cairn_stage_joint {
    cairn_joint_id id; ///< generation 0: the slot is empty
    cairn_joint_kind kind;
    int body_a, body_b;               ///< slots; CAIRN_WORLD_BODY: the world
    cairn_transform frame_a, frame_b; ///< joint frame -> body frame (of the world: -> world)
    cairn_surface surface;            ///< of A, for CAIRN_JOINT_SURFACE and CAIRN_JOINT_ROLLING
    double radius, tube;              ///< m: of the surface
    double roller;                    ///< m: radius of the ball or wheel that rolls
    bool wheel;
    double length; ///< m: that a distance joint keeps; below 0: none, it is free or unknown
    double stiffness, rest; ///< a spring on the free coordinate
    bool collide;           ///< whether the two bodies collide
    bool driven;            ///< a motor drives the free coordinate; older recordings do not tell
} cairn_stage_joint;

/// What does not change from step to step. Zeroed is empty; free with cairn_stage_destroy.
typedef struct cairn_stage {
    int change; ///< grows by one whenever bodies or joints came or went; 1 after the first taking
    char* name; ///< of the scene: that of a shipped one or the path of its file; "" when unknown
    char* title;
    char* text; ///< of the scene file; text_size bytes and a zero
    size_t text_size;
    char version[32]; ///< of the library that made the run
    char method[32];  ///< that was asked for; the report of a frame tells the one that was used
    double dt;        ///< s
    int substeps;
    double tolerance;   ///< relative residual asked of each solve
    cairn_vec3 gravity; ///< m/s²
    int body_count;     ///< slots of the world, empty ones included
    int body_capacity;
    cairn_stage_body* bodies;
    int joint_count;
    int joint_capacity;
    cairn_stage_joint* joints;
    int excluded_count;
    int excluded_capacity;
    int (*excluded)[2]; ///< slots of bodies that do not collide; none in older recordings
} cairn_stage;

/// Where a run comes from: what a world does not know. Any of them may be NULL or zero.
typedef struct cairn_stage_origin {
    const char* name;
    const char* text;
    size_t text_size;
} cairn_stage_origin;

/// Says where the run comes from. Copies.
CAIRN_API cairn_status cairn_stage_set_origin(cairn_stage* stage, const cairn_stage_origin* origin,
                                              cairn_error* error);

/// Takes bodies and joints of a scene's world. Called again it updates the stage, raises `change`
/// when something came or went, and allocates only when the world has outgrown the stage. `dt` is
/// the length of a step in s.
CAIRN_API cairn_status cairn_stage_take(cairn_stage* stage, const cairn_scene* scene, double dt,
                                        cairn_error* error);

/// Frees the arrays; shape data and the names of bodies belong to others.
CAIRN_API void cairn_stage_destroy(cairn_stage* stage);

// ---------------------------------------------------------------- the frame

typedef struct cairn_frame_body {
    bool present; ///< false: the slot is empty, and the rest is not to be read
    bool asleep, frozen;
    bool pushed;          ///< as of cairn_body_state, or disabled
    bool squeezed;        ///< as of cairn_body_state
    int island;           ///< of the bodies that touch or are joined, from 0; -1: not dynamic
    cairn_transform pose; ///< body frame -> world
    cairn_vec3 velocity;  ///< m/s, of the center of mass
    cairn_vec3 spin;      ///< rad/s
} cairn_frame_body;

/// One step. Zeroed is empty; free with cairn_frame_destroy.
typedef struct cairn_frame {
    int change;               ///< of the stage that the frame belongs to
    cairn_step_report report; ///< `method` has static storage, also in frames of a recording
    double ms;                ///< wall time of the step
    uint64_t hash;            ///< of the state after the step
    int island_count;
    int body_count; ///< slots, as in the stage
    int body_capacity;
    cairn_frame_body* bodies;
    int contact_count;
    int contact_capacity;
    cairn_contact* contacts; ///< the index of a body id is its slot
    int* scratch;            ///< body_capacity
} cairn_frame;

/// Takes the state of the world after a step: `report` is that of the step (NULL before the first
/// one) and `ms` its wall time. Reuses the arrays; allocates only when the world has outgrown them.
CAIRN_API cairn_status cairn_frame_take(cairn_frame* frame, const cairn_stage* stage,
                                        const cairn_scene* scene, const cairn_step_report* report,
                                        double ms, cairn_error* error);

/// Frees the arrays; what is left is empty.
CAIRN_API void cairn_frame_destroy(cairn_frame* frame);

// ---------------------------------------------------------------- recordings

/// Writes a run as HDF5 (docs/recording.md). The file is whole at every moment: a process that is
/// killed leaves all frames but those of its last quarter of a second.
typedef struct cairn_recorder cairn_recorder;

/// Makes the file. An existing one is replaced only with `force`.
CAIRN_API cairn_status cairn_recorder_create(const char* path, const cairn_stage* stage, bool force,
                                             cairn_recorder** recorder, cairn_error* error);

/// Keeps a solve, for the frame that is added next: the hook for cairn_world_set_solve_hook, with
/// the recorder as context. What goes wrong is told by cairn_recorder_add.
CAIRN_API void cairn_recorder_solve(void* recorder, const cairn_island_solve* solve);

/// Adds a frame.
CAIRN_API cairn_status cairn_recorder_add(cairn_recorder* recorder, const cairn_stage* stage,
                                          const cairn_frame* frame, cairn_error* error);

/// The step whose solves were shown since the last frame was not made: forgets them.
CAIRN_API void cairn_recorder_forget(cairn_recorder* recorder);

/// Completes the file and frees the recorder, also when that fails. NULL is nothing.
CAIRN_API cairn_status cairn_recorder_destroy(cairn_recorder* recorder, cairn_error* error);

/// The same at once: every frame is there and the file is sound, but it is left larger than need
/// be. For programs that were asked to end.
CAIRN_API cairn_status cairn_recorder_cut(cairn_recorder* recorder, cairn_error* error);

/// A recording, open to be read.
typedef struct cairn_recording cairn_recording;

/// Opens a recording and checks it. Damaged files are refused with one sentence.
CAIRN_API cairn_status cairn_recording_open(const char* path, cairn_recording** recording,
                                            cairn_error* error);

/// The same from memory; `name` stands for the file in errors. Copies the bytes.
CAIRN_API cairn_status cairn_recording_open_bytes(const void* data, size_t size, const char* name,
                                                  cairn_recording** recording, cairn_error* error);
CAIRN_API void cairn_recording_destroy(cairn_recording* recording);

/// Frames, the state before the first step included.
CAIRN_API int cairn_recording_frame_count(const cairn_recording* recording);

/// Brings a stage and a frame (both zeroed at first) to frame `index`. The stage's `change` is
/// raised when its bodies or joints differ from those that it held. Shape data and names belong to
/// the recording.
CAIRN_API cairn_status cairn_recording_show(cairn_recording* recording, int index,
                                            cairn_stage* stage, cairn_frame* frame,
                                            cairn_error* error);

/// The solves of a frame: one for each island and substep.
CAIRN_API int cairn_recording_solve_count(cairn_recording* recording, int index);

/// A contact problem that was recorded, with its impulses and what the solve reported.
typedef struct cairn_recorded_solve {
    cairn_problem problem; ///< free with cairn_problem_destroy
    double* lambda;        ///< row_count; free
    int* slot;             ///< body_count: the slot of each body of the problem; free
    cairn_law law;
    int facets;
    double residual, residual_velocity; ///< as recorded
} cairn_recorded_solve;

/// Reads solve `number` of frame `index` into memory of its own.
CAIRN_API cairn_status cairn_recording_solve(cairn_recording* recording, int index, int number,
                                             cairn_recorded_solve* solve, cairn_error* error);
CAIRN_API void cairn_recorded_solve_destroy(cairn_recorded_solve* solve);

#ifdef __cplusplus
}
#endif

#endif
