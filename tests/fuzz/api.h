// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// A hostile caller of the whole C interface. Bytes are decoded into a session: a sequence of calls
// from a table that names every public function, with values that are plausible, so that deep
// states are reached, or hostile: stale ids, ids of other worlds, NaN, 1e±300, denormals, NULL.
//
// Each call is judged:
// - a status is one of cairn_status, and a refusal says one printable, terminated sentence;
// - a refused call, and a call that only reads, leaves every world as it was (api_digest);
// - a call on one world leaves the others as they were;
// - after a step that says CAIRN_OK bodies, contacts, joints and report are finite;
// - snapshot, step, restore, step gives the same state twice;
// - no call takes more than api_seconds of processor time.
//
// The same session runs in libFuzzer (fuzz_api.c), in the replay of kept inputs and in the driver
// hostile_calls.c, which draws the bytes at random. To add a public function: write one small
// function and one line in the table of its file.
#ifndef CAIRN_FUZZ_API_H
#define CAIRN_FUZZ_API_H

#include <cairn/cairn.h>
#include <cairn/gltf.h>
#include <cairn/instrument.h>
#include <cairn/io.h>
#include <cairn/page.h>
#include <cairn/recording.h>
#include <cairn/robot.h>

enum {
    api_worlds = 3,
    api_most_bodies = 48, // that a session adds, in all worlds together
    api_most_joints = 24,
    api_most_shapes = 24,
    api_most_data = 6, // hulls, meshes, fields and compounds, of each
    api_most_snapshots = 3,
    api_most_problems = 3,
    api_most_rows = 96, // of a problem
    api_most_calls = 400,
};

/// A world that the session holds.
typedef struct api_world {
    cairn_world* world;
    cairn_scene* scene; ///< that owns it, or NULL
    double time_limit;  ///< s per solve; 0: none
    struct api* session;
    int reentries; ///< calls that its hook and its visitors may still make
    int busy;      ///< hooks and visitors of its own that are under way
    bool known;    ///< `digest` is that of its state now
    uint64_t digest;
} api_world;

typedef struct api_body {
    cairn_body_id id;
    int world;
} api_body;

typedef struct api_joint {
    cairn_joint_id id;
    int world;
} api_joint;

/// A shape that was made, with the data that it borrows until the end of the session.
typedef struct api_shapes_held {
    cairn_shape shapes[api_most_shapes];
    int count;
    cairn_hull* hulls[api_most_data];
    int hull_count;
    cairn_mesh* meshes[api_most_data];
    int mesh_count;
    cairn_height_field* fields[api_most_data];
    int field_count;
    cairn_compound* compounds[api_most_data];
    int compound_count;
} api_shapes_held;

/// A contact problem with impulses of its size.
typedef struct api_problem {
    cairn_problem problem;
    bool made;
} api_problem;

/// The elimination on a forest: topology, numbers and auxiliary rows that a response borrows.
typedef struct api_forest api_forest;

/// Boxes that move, and how many proxies were added.
typedef struct api_boxes {
    cairn_broad* broad;
    bool used[16];
} api_boxes;

/// What came of sessions. The driver keeps it in memory that outlives a crash.
typedef struct api_tally {
    long calls;          ///< calls of public functions that were judged
    long refused;        ///< of them
    long steps;          ///< of worlds, that said CAIRN_OK
    double slowest;      ///< s of processor time: the longest call
    char slow_call[64];  ///< which one
    char call[64];       ///< the one at hand
    char fault[512];     ///< the promise that was broken, or ""
    void (*watch)(void); ///< called before each call, or NULL
    bool told;           ///< every call is told on the standard error
} api_tally;

/// A session at work.
typedef struct api {
    // the bytes that are still to be decoded
    const uint8_t* data;
    size_t size, at;
    int hostility; ///< of 256 values so many are hostile
    bool nulls;    ///< whether objects may be missing

    // what was made so far
    api_world worlds[api_worlds];
    api_body bodies[api_most_bodies];
    int body_count;
    api_joint joints[api_most_joints];
    int joint_count;
    api_shapes_held held;
    cairn_snapshot* snapshots[api_most_snapshots];
    double snapshot_limits[api_most_snapshots]; ///< s per solve, of the worlds that they show
    api_problem problems[api_most_problems];
    cairn_workspace* workspace;
    cairn_cancel cancel; ///< of solves that look at it
    api_boxes boxes;
    cairn_contacts contacts;
    api_forest* forest;
    cairn_stage stage;
    cairn_frame frame;
    cairn_recorder* recorder;
    cairn_recording* recording;
    cairn_replay* replay;
    cairn_gltf* gltf;

    // the call at hand
    const char* call;
    double started; ///< s of processor time
    cairn_error error;
    cairn_error* said; ///< &error, or NULL where the caller does not ask
    int nested;        ///< hooks that we are in

    api_tally* tally;
} api;

/// One public function, or a building block of several calls.
typedef struct api_call {
    const char* name;
    void (*run)(api* a);
    int weight; ///< how often it is drawn, among the others
} api_call;

/// The tables, by header; each ends with a name NULL.
extern const api_call api_world_calls[], api_body_calls[], api_joint_calls[], api_query_calls[];
extern const api_call api_shape_calls[], api_collide_calls[], api_broad_calls[];
extern const api_call api_problem_calls[], api_solve_calls[], api_tree_calls[], api_file_calls[];
extern const api_call api_recording_calls[], api_start_calls[], api_change_calls[];
extern const api_call api_multibody_calls[], api_robot_calls[], api_batch_calls[];
extern const api_call api_math_calls[];

/// All of them, ended by NULL, with the share of calls that is drawn from each.
typedef struct api_table {
    const api_call* calls;
    int share;
} api_table;
extern const api_table api_tables[];

/// Runs the session that the bytes stand for. A broken promise is told on the standard error and
/// in `tally`, and ends the process by abort().
void api_run(const uint8_t* data, size_t size, api_tally* tally);

// ---------------------------------------------------------------- values

int api_byte(api* a);
bool api_ended(const api* a);

/// A number from 0 to count - 1.
int api_below(api* a, int count);

/// True for `of_256` values of a byte.
bool api_chance(api* a, int of_256);

/// Whether the next value is to be hostile.
bool api_hostile(api* a);

double api_real(api* a, double lo, double hi);
int api_int(api* a, int lo, int hi);
cairn_vec3 api_vec(api* a, double lo, double hi);
cairn_vec3 api_unit(api* a);
cairn_transform api_pose(api* a);
cairn_mat3 api_inertia(api* a);

/// The pointer, or sometimes NULL.
const void* api_or_null(api* a, const void* pointer);
#define API_OR_NULL(a, pointer) ((void*)(uintptr_t)api_or_null(a, pointer))

/// A world of the session, or -1.
int api_pick_world(api* a);
cairn_body_id api_pick_body(api* a, int world);
cairn_joint_id api_pick_joint(api* a, int world);

/// A shape of the session or a simple one; it may be one that no function accepts.
cairn_shape api_pick_shape(api* a);

/// One that cairn_shape_check accepts.
cairn_shape api_good_shape(api* a);

const char* api_pick_method(api* a);
int api_pick_problem(api* a);

/// A world that a scene owns, or -1.
int api_pick_scene(api* a);

/// The path of a file of this process with that ending, or one that leads nowhere.
const char* api_pick_path(api* a, char* path, size_t room, const char* ending);

/// Objects that the session goes on with. What there is no room for is forgotten; a world is
/// destroyed.
void api_keep_shape(api* a, cairn_shape shape);
void api_keep_world(api* a, cairn_world* world, cairn_scene* scene, double time_limit);
void api_keep_body(api* a, int world, cairn_body_id id);
void api_keep_joint(api* a, int world, cairn_joint_id id);

// ---------------------------------------------------------------- judgment

/// A call that reads alone, or whose effect no world sees.
#define API_NOTHING (-1)

/// Before each call: prepares `error`, and notes the state of the worlds and the time.
void api_begin(api* a);

/// After each call: judges it. `changed` is the world that it may have changed, or API_NOTHING.
/// Gives whether the status was CAIRN_OK.
bool api_end(api* a, cairn_status status, int changed);

/// A promise was broken: ends the process.
_Noreturn void api_broken(api* a, const char* format, ...) CAIRN_PRINTF(2, 3);

/// A number that depends on all that the public interface tells of a world.
uint64_t api_digest(const api* a, int world);

/// Steps a world and judges the step.
bool api_step(api* a, int world, double dt);

/// A call of any kind from a hook or a visitor of a world, which must not be changed by it.
void api_reenter(api* a, int world);

/// Judges that a snapshot, a step, a restore and the same step give the same state.
void api_step_twice(api* a, int world, double dt);

/// Frees what a file keeps that the others do not know.
void api_forest_free(api* a);
void api_files_free(api* a);

#endif
