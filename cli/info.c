// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// cairn info F.h5: what is in a recording; cairn info ROBOT: links and joints of a robot.

#include "motion.h"
#include "robot_info.h"
#include "verb.h"
#include <cairn/recording.h>
#include <inttypes.h>
#include <math.h>

static const char doc[] =
    "Summarize a recording: its scene, its length and the largest errors it "
    "reported (`cairn check` recomputes them). For a URDF or MJCF robot: list its "
    "links, its joints and the elements that are not supported.\v"
    "Example:\n  cairn run wall --record wall.h5\n  cairn info wall.h5 --json\n  cairn info "
    "robot.urdf";

// what all frames say together
typedef struct summary {
    int frames, bodies, joints, contacts_max, missed;
    double contacts, residual_max, penetration_max, joint_error_max;
    double energy_start, energy_end, time;
    cairn_motion motion; ///< of all steps
    uint64_t hash;
} summary;

static void add_frame(summary* s, const cairn_frame* frame, const cairn_stage* stage)
{
    const cairn_step_report* report = &frame->report;
    double energy = report->kinetic + report->potential;
    int bodies = 0, joints = 0;

    // slots of removed bodies and joints have no generation
    for (int i = 0; i < stage->body_count; i++)
        bodies +=
            stage->bodies[i].id.generation != 0 && stage->bodies[i].type == CAIRN_BODY_DYNAMIC;
    for (int i = 0; i < stage->joint_count; i++)
        joints += stage->joints[i].id.generation != 0;

    // the largest counts of any frame
    s->bodies = bodies > s->bodies ? bodies : s->bodies;
    s->joints = joints > s->joints ? joints : s->joints;
    s->contacts += frame->contact_count;
    if (frame->contact_count > s->contacts_max)
        s->contacts_max = frame->contact_count;

    // worst values over the frames
    s->residual_max = fmax(s->residual_max, report->residual);
    s->penetration_max = fmax(s->penetration_max, report->penetration);
    s->joint_error_max = fmax(s->joint_error_max, report->joint_error);
    cairn_motion_add(&s->motion, &report->motion);
    s->missed += report->outcome != CAIRN_OUTCOME_CONVERGED;

    // the energy of the first frame, and the state of the last
    s->energy_start = s->frames == 0 ? energy : s->energy_start;
    s->energy_end = energy;
    s->time = report->time;
    s->hash = frame->hash;
    s->frames++;
}

static cairn_status summarize(summary* s, cairn_stage* stage, cairn_recording* recording,
                              cairn_error* error)
{
    cairn_frame frame = {0};
    cairn_status status = CAIRN_OK;
    int count = cairn_recording_frame_count(recording);
    for (int i = 0; status == CAIRN_OK && i < count; i++) {
        status = cairn_recording_show(recording, i, stage, &frame, error);
        if (status == CAIRN_OK)
            add_frame(s, &frame, stage);
    }
    cairn_frame_destroy(&frame);
    return status;
}

static int steps_of(const summary* s)
{
    return s->frames > 0 ? s->frames - 1 : 0;
}

// what is shown
typedef struct result {
    const summary* s;
    const cairn_stage* stage;
    const char* path;
} result;

static json_t* to_json(const void* from)
{
    const result* r = from;
    const summary* s = r->s;
    const cairn_stage* stage = r->stage;

    json_t* out = json_object();
    char hash[32];
    snprintf(hash, sizeof hash, "%016" PRIx64, s->hash);

    // where the recording comes from
    verb_set_string(out, "file", r->path);
    verb_set_string(out, "version", stage->version);
    verb_set_string(out, "scene", stage->name ? stage->name : "");
    verb_set_string(out, "title", stage->title ? stage->title : "");

    // how it was simulated
    verb_set_string(out, "method", stage->method);
    verb_set_real(out, "dt", stage->dt);
    verb_set_integer(out, "substeps", stage->substeps);
    verb_set_real(out, "tolerance", stage->tolerance);
    verb_set_integer(out, "steps", steps_of(s));
    verb_set_integer(out, "frames", s->frames);
    verb_set_real(out, "time", s->time);

    // what it holds, and how well it was solved
    verb_set_integer(out, "bodies", s->bodies);
    verb_set_integer(out, "joints", s->joints);
    verb_set_real(out, "contacts_mean", steps_of(s) ? s->contacts / steps_of(s) : 0.0);
    verb_set_integer(out, "contacts_max", s->contacts_max);
    verb_set_real(out, "residual_max", s->residual_max);
    verb_set_integer(out, "missed", s->missed);
    verb_set_real(out, "penetration_max", s->penetration_max);
    verb_set_real(out, "joint_error_max", s->joint_error_max);
    motion_to_json(out, &s->motion);
    verb_set_real(out, "energy_start", s->energy_start);
    verb_set_real(out, "energy_end", s->energy_end);

    verb_set_string(out, "state_hash", hash);
    return out;
}

static void to_text(const void* from)
{
    const result* r = from;
    const summary* s = r->s;
    const cairn_stage* stage = r->stage;
    verb_table table = {.columns = 2};

    verb_print("%s: %s", r->path, stage->title ? stage->title : "");

    verb_cell(&table, "scene");
    verb_cell(&table, "%s, by cairn %s", stage->name ? stage->name : "", stage->version);
    verb_cell(&table, "simulated");
    verb_cell(&table, "%.6g s: %d steps of %.6g s, %d substeps", s->time, steps_of(s), stage->dt,
              stage->substeps);
    verb_cell(&table, "bodies");
    verb_cell(&table, "%d, %d joints", s->bodies, s->joints);
    verb_cell(&table, "contacts");
    verb_cell(&table, "%.1f on average, %d at most", steps_of(s) ? s->contacts / steps_of(s) : 0.0,
              s->contacts_max);
    verb_cell(&table, "method");
    verb_cell(&table, "%s, tolerance %g", stage->method, stage->tolerance);

    // the worst steps
    verb_cell(&table, "residual");
    verb_cell(&table, "%.2e at most (reported); %d steps missed the tolerance", s->residual_max,
              s->missed);
    verb_cell(&table, "penetration");
    verb_cell(&table, "%.3g mm at most", 1e3 * s->penetration_max);
    verb_cell(&table, "joint error");
    verb_cell(&table, "%.3g mm at most", 1e3 * s->joint_error_max);
    verb_cell(&table, "energy");
    verb_cell(&table, "%.6g J at the start, %.6g J at the end", s->energy_start, s->energy_end);
    motion_to_table(&table, &s->motion);
    verb_cell(&table, "state hash");
    verb_cell(&table, "%016" PRIx64, s->hash);

    verb_print_table(&table);
}

static cairn_status run(verb_common* common, cairn_error* error)
{
    summary s = {0};
    cairn_stage stage = {0};
    cairn_recording* recording = NULL;
    if (robot_info_is_for(common->arguments[0]))
        return robot_info_run(common, error);
    cairn_status status = cairn_recording_open(common->arguments[0], &recording, error);
    if (status == CAIRN_OK)
        status = summarize(&s, &stage, recording, error);
    if (status == CAIRN_OK)
        verb_show(common, to_json, to_text, &(result){&s, &stage, common->arguments[0]});
    cairn_stage_destroy(&stage);
    cairn_recording_destroy(recording);
    return status;
}

const verb verb_info = {
    .name = "info",
    .summary = "summarize a recording or a robot",
    .arguments = "FILE",
    .least = 1,
    .most = 1,
    .noun = "recording or robot",
    .expected = "a file written by `cairn run --record`, or a URDF or MJCF robot",
    .doc = doc,
    .robots = true,
    .run = run,
};
