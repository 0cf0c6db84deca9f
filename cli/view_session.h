// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// What `cairn view` shows: a scene that runs, or a recording that plays. A session belongs to its
// own thread, takes orders from the hub and shows pictures there.
#ifndef CAIRN_CLI_VIEW_SESSION_H
#define CAIRN_CLI_VIEW_SESSION_H

#include "dump.h"
#include "view_hub.h"
#include "view_worker.h"
#include <cairn/page.h>
#include <limits.h>

enum { view_most_springs = 16, view_most_moments = 600 };

/// A spring from a point of a body to the pointer of a client.
typedef struct view_spring {
    int client; ///< 0: none
    cairn_body_id body;
    cairn_vec3 point;  ///< body frame
    cairn_vec3 target; ///< world
} view_spring;

/// A drawing of the world that a client has asked for.
typedef struct view_drawing {
    int client; ///< 0: none
    unsigned what;
    double force_scale; ///< m/N
    json_t* id;         ///< of the message, or NULL
} view_drawing;

/// A force that a spring has had on a body during a step.
typedef struct view_pull {
    cairn_body_id body;
    cairn_vec3 force, point;
} view_pull;

/// The state before a step, and the report of the step before that.
typedef struct view_moment {
    cairn_snapshot* snapshot;
    cairn_step_report report;
    double ms;
    int pull_count;
    view_pull pulls[view_most_springs]; ///< of the step that followed
} view_moment;

/// What clients have set; it outlasts a restart.
typedef struct view_settings {
    const char* method; ///< static storage
    double tolerance;
    int iterations;
    int substeps;
    bool has_mu;
    double mu;
    cairn_vec3 gravity;
} view_settings;

/// The material that a body had before all of them got another friction.
typedef struct view_material {
    uint32_t generation; ///< 0: nothing kept
    cairn_material material;
} view_material;

/// What the worker is doing: a step; the problem of the last step, to be saved or raced; the race.
typedef enum view_task {
    VIEW_NOTHING,
    VIEW_STEP,
    VIEW_SAVE,
    VIEW_RACE_PROBLEM,
    VIEW_RACE
} view_task;

typedef struct view_session {
    view_hub* hub;
    view_worker* worker;
    view_task task;
    bool announced;        ///< clients were told that a computation takes long
    double told;           ///< s, steady clock: when they were last told
    bool single;           ///< the step under way is shown at once, whatever the pace
    int asked_by;          ///< the client who asked for the problem or the race
    json_t* asked_id;      ///< the id of that message, or NULL
    dump dumped;           ///< the problem that was asked for
    double race_tolerance; ///< of that race, whatever is set meanwhile
    int64_t race_step;     ///< the step whose problem it is
    json_t* race;          ///< the answer of the race
    cairn_cancel no_race;  ///< ends the race
    int stage_before;      ///< change of the stage before the step under way
    json_t* scenes;        ///< name and title of each shipped one
    char name[256];        ///< of the scene or file, as given
    char path[PATH_MAX];
    const cairn_robot_def* robot; ///< how scenes that are robots are read
    int clients;
    bool playing;
    double speed;
    double dt;    ///< s
    double due;   ///< s, steady clock: when the next step is to be made
    double shown; ///< s: when the last frame was shown
    int sent;     ///< change of the stage that was shown last; 0: none
    cairn_stage stage;
    cairn_frame frame;
    cairn_page_bytes bytes;

    // a scene
    cairn_scene* scene; ///< or NULL
    cairn_step_report report;
    double ms;
    view_settings settings;
    view_spring springs[view_most_springs];
    view_drawing drawings[view_most_springs];
    view_moment moments[view_most_moments]; ///< ring
    int moment_first, moment_count;
    int material_capacity;
    view_material* materials; ///< by slot
    int balls;
    cairn_recorder* recorder; ///< or NULL
    char record[PATH_MAX];

    // a recording
    cairn_recording* recording; ///< or NULL
    int index;
} view_session;

/// Opens a recording when the file is one, else a scene (a path or the name of a shipped one).
cairn_status view_session_open(view_session* s, view_hub* hub, const char* what,
                               const cairn_robot_def* robot, cairn_error* error);
void view_session_close(view_session* s);

/// Ends its thread and completes a recording, and frees nothing: the snapshots of a large pile take
/// longer to free than anybody waits after Ctrl-C.
void view_session_end(view_session* s);

/// Simulates or plays, and obeys, until the hub is stopped.
void view_session_run(view_session* s);

/// One turn of that: waits for orders, for so many seconds at most, obeys, and steps when it is
/// time. Gives the seconds until the next turn has something to do.
double view_session_turn(view_session* s, double wait);

/// Shows the state at hand (view_session.c). `now` is the steady clock; a frame that comes too
/// early is left out unless `force`.
void view_show(view_session* s, double now, bool force);

/// Tells all clients the state of the controls.
void view_tell_state(view_session* s);

// ---------------------------------------------------------------- orders (view_orders.c)

void view_obey(view_session* s, const view_order* order);

// ---------------------------------------------------------------- scenes (view_scene.c, view_record.c)

cairn_status view_scene_open(view_session* s, const char* name, cairn_error* error);
void view_scene_close(view_session* s);

/// Stops computing and completes a recording.
void view_scene_stop(view_session* s);

/// Begins the next step in the worker; view_scene_finish takes its result when it is done, or
/// undoes it when it was canceled.
cairn_status view_scene_begin(view_session* s, cairn_error* error);
cairn_status view_scene_finish(view_session* s, cairn_error* error);

/// Cancels what the worker does with the world, so that the session may touch it. A step that was
/// under way was not made. A race goes on: it has a problem of its own.
void view_scene_interrupt(view_session* s);
cairn_status view_scene_back(view_session* s, cairn_error* error);

/// From the start again, with the settings that were made.
cairn_status view_scene_restart(view_session* s, cairn_error* error);
cairn_status view_scene_apply(view_session* s, const view_settings* settings, cairn_error* error);
cairn_status view_scene_shoot(view_session* s, cairn_vec3 origin, cairn_vec3 direction,
                              double speed, double radius, cairn_error* error);

/// Begins to find the contact problem of the last step, by making that step once more, to be saved
/// or raced; view_scene_finish goes on with it and answers whoever asked.
cairn_status view_scene_problem(view_session* s, view_task task, int client, const json_t* message,
                                cairn_error* error);

/// An answer to one client, with the id of its message.
void view_reply(view_session* s, int client, const json_t* id, json_t* answer);

/// Starts a recording in the working folder; `record` names it.
cairn_status view_scene_record(view_session* s, cairn_error* error);

/// Completes the recording, and tells.
cairn_status view_scene_end_record(view_session* s, cairn_error* error);

/// Ends the recording because the program ends.
void view_scene_cut_record(view_session* s);

/// Writes the problem that was asked for, and answers whoever asked.
cairn_status view_scene_save(view_session* s, cairn_error* error);

/// A path in the working folder that is free: FOLDER/BASE MIDDLE ENDING, or FOLDER/BASE MIDDLE-2
/// ENDING, ...
void view_free_name(char* to, size_t size, const view_session* s, const char* middle,
                    const char* ending);

// ---------------------------------------------------------------- recordings

/// Shows frame `index` of the recording.
cairn_status view_seek(view_session* s, int index, cairn_error* error);

#endif
