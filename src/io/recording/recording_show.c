// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// A frame of a recording, and the stage that it belongs to.

#include "io/recording/recording.h"
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------- the run

// a text of /run in memory of its own; empty when there is none
static char* copy_text(const cairn_recording* r, const char* name, size_t* length)
{
    size_t count = 0, size = 0;
    const char* text = cairn_table_find(r->table, name, CAIRN_HDF5_TEXT, &count, &size);
    size = text ? strnlen(text, size) : 0;
    char* copy = malloc(size + 1);
    if (!copy)
        return NULL;
    if (size > 0)
        memcpy(copy, text, size);
    copy[size] = 0;
    *length = size;
    return copy;
}

static void copy_word(char* to, size_t room, const cairn_recording* r, const char* name)
{
    size_t count = 0, size = 0;
    const char* text = cairn_table_find(r->table, name, CAIRN_HDF5_TEXT, &count, &size);
    size = text ? strnlen(text, size) : 0;
    snprintf(to, room, "%.*s", (int)(size < room ? size : room - 1), text ? text : "");
}

// numbers of /run; what is missing or not finite stays zero
static void copy_numbers(double* to, size_t wanted, const cairn_recording* r, const char* name)
{
    size_t count = 0, size = 0;
    const void* at = cairn_table_find(r->table, name, CAIRN_HDF5_REAL, &count, &size);
    if (at && size == sizeof *to && count >= wanted)
        memcpy(to, at, wanted * sizeof *to);
    for (size_t i = 0; i < wanted; i++)
        if (!isfinite(to[i]))
            to[i] = 0.0;
}

static cairn_status take_words(cairn_stage* stage, const cairn_recording* r, cairn_error* error)
{
    size_t length, count = 0, size = 0;
    double numbers[3] = {0};
    if (stage->change > 0)
        return CAIRN_OK;

    // the words of a run never change: they are copied once
    stage->name = copy_text(r, "/run/scene", &length);
    stage->title = copy_text(r, "/run/title", &length);
    stage->text = copy_text(r, "/run/text", &stage->text_size);
    if (!stage->name || !stage->title || !stage->text)
        return cairn_fail(error, CAIRN_NO_MEMORY, "%s: no memory for the text of its scene",
                          r->path);

    copy_word(stage->version, sizeof stage->version, r, "/run/version");
    copy_word(stage->method, sizeof stage->method, r, "/run/method");
    copy_numbers(&stage->dt, 1, r, "/run/dt");
    copy_numbers(&stage->tolerance, 1, r, "/run/tolerance");
    copy_numbers(numbers, 3, r, "/run/gravity");
    stage->gravity = cairn_vec(numbers[0], numbers[1], numbers[2]);

    int32_t substeps = 1;
    const void* at = cairn_table_find(r->table, "/run/substeps", CAIRN_HDF5_INTEGER, &count, &size);
    if (at && size == sizeof substeps)
        memcpy(&substeps, at, size);
    stage->substeps = substeps;
    return CAIRN_OK;
}

// ---------------------------------------------------------------- bodies

static cairn_status read_state(cairn_recording* r, uint64_t at, cairn_frame_body* body, int* row,
                               cairn_error* error)
{
    int32_t number, island;
    uint8_t flags;
    double pose[7], velocity[6];
    static const int columns[5] = {CAIRN_COLUMN_states_body, CAIRN_COLUMN_states_pose,
                                   CAIRN_COLUMN_states_velocity, CAIRN_COLUMN_states_flags,
                                   CAIRN_COLUMN_states_island};
    void* const rows[5] = {&number, pose, velocity, &flags, &island};

    for (int k = 0; k < 5; k++) {
        cairn_status status = cairn_table_read(r->table, columns[k], at, 1, rows[k], error);
        if (status != CAIRN_OK)
            return status;
    }

    bool sound = true;
    for (int k = 0; k < 6; k++)
        sound = sound && isfinite(velocity[k]);
    if (number < 0 || number >= r->body_count || island < -1 || !sound ||
        !cairn_recording_pose(&body->pose, pose))
        return cairn_fail(error, CAIRN_BAD_INPUT, "%s: row %llu of /states is no state of a body",
                          r->path, (unsigned long long)at);

    // the flags: asleep, frozen, pushed, squeezed
    body->present = true;
    body->asleep = flags & 1;
    body->frozen = flags & 2;
    body->pushed = flags & 4;
    body->squeezed = flags & 8;
    body->island = island;
    body->velocity = cairn_vec(velocity[0], velocity[1], velocity[2]);
    body->spin = cairn_vec(velocity[3], velocity[4], velocity[5]);

    *row = number;
    return CAIRN_OK;
}

static cairn_status make_room(cairn_recording* r, cairn_frame* frame, int slots, cairn_error* error)
{
    if (!cairn_grow((void**)&frame->bodies, &frame->body_capacity, slots, sizeof *frame->bodies) ||
        !cairn_grow((void**)&r->row, &r->row_capacity, slots, sizeof *r->row))
        return cairn_fail(error, CAIRN_NO_MEMORY, "%s: no memory for %d bodies", r->path, slots);
    for (int i = frame->body_count; i < slots; i++) {
        frame->bodies[i] = (cairn_frame_body){.island = -1};
        r->row[i] = -1;
    }
    frame->body_count = slots > frame->body_count ? slots : frame->body_count;
    return CAIRN_OK;
}

static cairn_status read_states(cairn_recording* r, int index, cairn_frame* frame,
                                cairn_error* error)
{
    cairn_range range = {0};
    cairn_status status = cairn_recording_range(r, CAIRN_COLUMN_steps_states, (uint64_t)index,
                                                CAIRN_COLUMN_states_island, &range, error);

    frame->body_count = 0;
    frame->island_count = 0;

    for (int i = 0; status == CAIRN_OK && i < range.count; i++) {
        cairn_frame_body body = {0};
        int row = 0;
        status = read_state(r, range.first + (uint64_t)i, &body, &row, error);
        if (status != CAIRN_OK)
            break;

        // bodies are listed by row, and have their place by slot
        int slot = r->bodies[row].id.index;
        status = make_room(r, frame, slot + 1, error);
        if (status != CAIRN_OK)
            break;
        frame->bodies[slot] = body;
        r->row[slot] = row;

        if (body.island >= frame->island_count)
            frame->island_count = body.island + 1;
    }
    return status;
}

// ---------------------------------------------------------------- contacts

static cairn_body_id id_of(const cairn_recording* r, int32_t row)
{
    return row >= 0 && row < r->body_count ? r->bodies[row].id : (cairn_body_id){-1, 0};
}

static cairn_status read_contact(cairn_recording* r, uint64_t at, cairn_contact* contact,
                                 cairn_error* error)
{
    int32_t bodies[2];
    uint8_t state;
    double vectors[9];
    static const int columns[6] = {CAIRN_COLUMN_contacts_bodies, CAIRN_COLUMN_contacts_point,
                                   CAIRN_COLUMN_contacts_normal, CAIRN_COLUMN_contacts_impulse,
                                   CAIRN_COLUMN_contacts_gap,    CAIRN_COLUMN_contacts_state};
    void* const rows[6] = {bodies, vectors, vectors + 3, vectors + 6, &contact->gap, &state};

    for (int k = 0; k < 6; k++) {
        cairn_status status = cairn_table_read(r->table, columns[k], at, 1, rows[k], error);
        if (status != CAIRN_OK)
            return status;
    }

    // recordings of older versions do not tell it
    contact->mu = 0.0;
    cairn_status status =
        cairn_recording_later(r, CAIRN_COLUMN_contacts_mu, at, &contact->mu, error);
    if (status != CAIRN_OK)
        return status;

    contact->body_a = id_of(r, bodies[0]);
    contact->body_b = id_of(r, bodies[1]);
    contact->point = cairn_vec(vectors[0], vectors[1], vectors[2]);
    contact->normal = cairn_vec(vectors[3], vectors[4], vectors[5]);
    contact->impulse = cairn_vec(vectors[6], vectors[7], vectors[8]);
    contact->state = (cairn_contact_state)state;

    if (contact->body_a.generation == 0 || contact->body_b.generation == 0 ||
        state > CAIRN_CONTACT_SLIDE || !isfinite(contact->gap) || !(contact->mu >= 0.0) ||
        !isfinite(contact->mu) || !cairn_is_finite(contact->point) ||
        !cairn_is_finite(contact->normal) || !cairn_is_finite(contact->impulse))
        return cairn_fail(error, CAIRN_BAD_INPUT, "%s: row %llu of /contacts is no contact",
                          r->path, (unsigned long long)at);
    return CAIRN_OK;
}

static cairn_status read_contacts(cairn_recording* r, int index, cairn_frame* frame,
                                  cairn_error* error)
{
    cairn_range range = {0};
    cairn_status status = cairn_recording_range(r, CAIRN_COLUMN_steps_contacts, (uint64_t)index,
                                                CAIRN_COLUMN_contacts_state, &range, error);
    frame->contact_count = 0;
    for (int i = 0; status == CAIRN_OK && i < range.count; i++) {
        if (!cairn_grow((void**)&frame->contacts, &frame->contact_capacity, i + 1,
                        sizeof *frame->contacts))
            return cairn_fail(error, CAIRN_NO_MEMORY, "%s: no memory for %d contacts", r->path,
                              range.count);
        status = read_contact(r, range.first + (uint64_t)i, &frame->contacts[i], error);
        frame->contact_count += status == CAIRN_OK;
    }
    return status;
}

// ---------------------------------------------------------------- the report

static const char* method_name(const char* word)
{
    static const char* const others[] = {"none", "rest"}; // "rest": of older files
    for (int i = 0; i < (int)(sizeof others / sizeof *others); i++)
        if (strncmp(word, others[i], cairn_word_size) == 0)
            return others[i];
    for (int i = 0; i < cairn_method_count(); i++)
        if (strncmp(word, cairn_method_at(i).name, cairn_word_size) == 0)
            return cairn_method_at(i).name;
    return "unknown";
}

static cairn_outcome outcome_of(const char* word)
{
    for (int i = 0; i <= CAIRN_OUTCOME_STEP_LIMIT; i++)
        if (strncmp(word, cairn_outcome_name((cairn_outcome)i), cairn_word_size) == 0)
            return (cairn_outcome)i;
    return CAIRN_OUTCOME_ITERATION_LIMIT;
}

// zeros if it was not recorded
static cairn_status read_motion(cairn_recording* r, int index, cairn_motion* motion,
                                cairn_error* error)
{
    double numbers[10] = {0.0};
    cairn_status status =
        cairn_recording_later(r, CAIRN_COLUMN_steps_motion, (uint64_t)index, numbers, error);
    if (status != CAIRN_OK)
        return status;

    if (!(numbers[8] >= 0.0 && numbers[8] <= 1e9))
        return cairn_fail(error, CAIRN_BAD_INPUT, "%s: frame %d has no number of substeps", r->path,
                          index);

    *motion = (cairn_motion){.penetration = numbers[0],
                             .joint_error = numbers[1],
                             .energy_defect = numbers[2],
                             .work_external = numbers[3],
                             .work_motor = numbers[4],
                             .dissipated = numbers[5],
                             .dissipated_numeric = numbers[6],
                             .update_error = numbers[7],
                             .substeps_max = (int)numbers[8],
                             .inertia_raised = numbers[9]};
    return CAIRN_OK;
}

static cairn_status read_report(cairn_recording* r, int index, cairn_frame* frame,
                                cairn_stage* stage, cairn_error* error)
{
    cairn_step_report* s = &frame->report;
    int32_t counts[6];
    double residual[2], energy[2], ms[6];
    char method[cairn_word_size], outcome[cairn_word_size];
    const struct {
        int column;
        void* to;
    } parts[] = {{CAIRN_COLUMN_steps_step, &s->step},
                 {CAIRN_COLUMN_steps_time, &s->time},
                 {CAIRN_COLUMN_steps_counts, counts},
                 {CAIRN_COLUMN_steps_residual, residual},
                 {CAIRN_COLUMN_steps_tolerance, &stage->tolerance},
                 {CAIRN_COLUMN_steps_penetration, &s->penetration},
                 {CAIRN_COLUMN_steps_joint_error, &s->joint_error},
                 {CAIRN_COLUMN_steps_energy, energy},
                 {CAIRN_COLUMN_steps_ms, ms},
                 {CAIRN_COLUMN_steps_method, method},
                 {CAIRN_COLUMN_steps_outcome, outcome},
                 {CAIRN_COLUMN_steps_hash, &frame->hash}};

    for (size_t k = 0; k < sizeof parts / sizeof parts[0]; k++) {
        cairn_status status =
            cairn_table_read(r->table, parts[k].column, (uint64_t)index, 1, parts[k].to, error);
        if (status != CAIRN_OK)
            return status;
    }

    cairn_status status = read_motion(r, index, &s->motion, error);
    if (status != CAIRN_OK)
        return status;

    s->bodies = counts[0];
    s->contacts = counts[1];
    s->joints = counts[2];
    s->islands = counts[3];
    s->rested = counts[4];
    s->frozen = counts[5];

    s->residual = residual[0];
    s->residual_velocity = residual[1];
    s->kinetic = energy[0];
    s->potential = energy[1];

    frame->ms = ms[0];
    s->ms_broad = ms[1];
    s->ms_narrow = ms[2];
    s->ms_assemble = ms[3];
    s->ms_solve = ms[4];
    s->ms_integrate = ms[5];

    // names of a later version become the default ones
    s->method = method_name(method);
    s->outcome = outcome_of(outcome);
    if (!isfinite(s->time) || !isfinite(stage->tolerance))
        return cairn_fail(error, CAIRN_BAD_INPUT, "%s: frame %d has no time", r->path, index);
    return CAIRN_OK;
}

// ---------------------------------------------------------------- the stage

static cairn_status read_joint(cairn_recording* r, uint64_t at, cairn_stage_joint* joint,
                               cairn_error* error)
{
    int64_t id[2];
    int32_t kind, slots[2];
    double frames[14];
    static const int columns[4] = {CAIRN_COLUMN_joints_id, CAIRN_COLUMN_joints_kind,
                                   CAIRN_COLUMN_joints_slots, CAIRN_COLUMN_joints_frames};
    void* const rows[4] = {id, &kind, slots, frames};

    for (int k = 0; k < 4; k++) {
        cairn_status status = cairn_table_read(r->table, columns[k], at, 1, rows[k], error);
        if (status != CAIRN_OK)
            return status;
    }

    *joint =
        (cairn_stage_joint){.kind = (cairn_joint_kind)kind, .body_a = slots[0], .body_b = slots[1]};
    joint->id = (cairn_joint_id){(int32_t)id[0], (uint32_t)id[1]};

    if (id[0] < 0 || id[0] > INT32_MAX || id[1] < 1 || id[1] > UINT32_MAX ||
        kind < CAIRN_JOINT_BALL || kind >= CAIRN_JOINT_KIND_COUNT || slots[0] < CAIRN_WORLD_BODY ||
        slots[1] < CAIRN_WORLD_BODY || !cairn_recording_pose(&joint->frame_a, frames) ||
        !cairn_recording_pose(&joint->frame_b, frames + 7))
        return cairn_fail(error, CAIRN_BAD_INPUT, "%s: row %llu of /joints is no joint", r->path,
                          (unsigned long long)at);
    return CAIRN_OK;
}

// the surface of a joint, its lengths and its spring, if recorded
static cairn_status read_settings(cairn_recording* r, uint64_t at, cairn_stage_joint* joint,
                                  cairn_error* error)
{
    int32_t surface = 0;
    double size[2] = {0.0, 0.0}, own_size[2] = {-1.0, 0.0}, spring[2] = {0.0, 0.0};
    uint8_t flags = 0;
    const int columns[5] = {CAIRN_COLUMN_joints_surface, CAIRN_COLUMN_joints_surface_size,
                            CAIRN_COLUMN_joints_size, CAIRN_COLUMN_joints_spring,
                            CAIRN_COLUMN_joints_flags};
    void* const rows[5] = {&surface, size, own_size, spring, &flags};
    for (int k = 0; k < 5; k++) {
        cairn_status status = cairn_recording_later(r, columns[k], at, rows[k], error);
        if (status != CAIRN_OK)
            return status;
    }

    if (surface < CAIRN_SURFACE_PLANE || surface > CAIRN_SURFACE_TORUS ||
        !isfinite(size[0] + size[1] + own_size[0] + own_size[1] + spring[0] + spring[1]))
        return cairn_fail(error, CAIRN_BAD_INPUT, "%s: row %llu of /joints has no surface", r->path,
                          (unsigned long long)at);

    joint->surface = (cairn_surface)surface;
    joint->radius = size[0];
    joint->tube = size[1];
    joint->length = own_size[0];
    joint->roller = own_size[1];
    joint->stiffness = spring[0];
    joint->rest = spring[1];
    joint->collide = (flags & cairn_joint_collides) != 0;
    joint->wheel = (flags & cairn_joint_wheel) != 0;
    joint->driven = (flags & cairn_joint_driven) != 0;
    return CAIRN_OK;
}

static cairn_status take_joints(cairn_recording* r, int index, cairn_stage* stage, bool* changed,
                                cairn_error* error)
{
    // a page builds its scene anew only when bodies or joints have changed
    cairn_range range = {0};
    cairn_status status = cairn_recording_range(r, CAIRN_COLUMN_steps_joints, (uint64_t)index,
                                                CAIRN_COLUMN_joints_frames, &range, error);
    if (status == CAIRN_OK && range.count != stage->joint_count)
        *changed = true;

    for (int i = 0; status == CAIRN_OK && i < range.count; i++) {
        cairn_stage_joint joint;
        if (!cairn_grow((void**)&stage->joints, &stage->joint_capacity, i + 1,
                        sizeof *stage->joints))
            return cairn_fail(error, CAIRN_NO_MEMORY, "%s: no memory for joints", r->path);

        status = read_joint(r, range.first + (uint64_t)i, &joint, error);
        if (status == CAIRN_OK)
            status = read_settings(r, range.first + (uint64_t)i, &joint, error);
        if (status == CAIRN_OK &&
            (joint.body_a >= stage->body_count || joint.body_b >= stage->body_count))
            status = cairn_fail(error, CAIRN_BAD_INPUT, "%s: a joint of frame %d has no body",
                                r->path, index);
        if (status != CAIRN_OK)
            return status;

        const cairn_stage_joint* before = &stage->joints[i];
        *changed = *changed || before->id.index != joint.id.index ||
                   before->id.generation != joint.id.generation;
        stage->joints[i] = joint;
    }

    stage->joint_count = range.count;
    return status;
}

// pairs that do not collide, if recorded
static cairn_status take_excluded(cairn_recording* r, int index, cairn_stage* stage, bool* changed,
                                  cairn_error* error)
{
    cairn_range range = {0};
    cairn_status status = CAIRN_OK;
    if ((uint64_t)index < cairn_table_rows(r->table, CAIRN_COLUMN_steps_excluded))
        status = cairn_recording_range(r, CAIRN_COLUMN_steps_excluded, (uint64_t)index,
                                       CAIRN_COLUMN_excluded_slots, &range, error);
    if (status != CAIRN_OK)
        return status;

    // behind those of the frame before
    int first = stage->excluded_count;
    if (range.count > INT_MAX / 2 - first ||
        !cairn_grow((void**)&stage->excluded, &stage->excluded_capacity, first + range.count,
                    sizeof *stage->excluded))
        return cairn_fail(error, CAIRN_NO_MEMORY, "%s: no memory for pairs", r->path);

    for (int i = 0; i < range.count; i++) {
        int32_t slots[2];
        uint64_t row = range.first + (uint64_t)i;
        status = cairn_table_read(r->table, CAIRN_COLUMN_excluded_slots, row, 1, slots, error);
        if (status != CAIRN_OK)
            return status;
        if (slots[0] < 0 || slots[1] < 0 || slots[0] == slots[1] || slots[0] >= stage->body_count ||
            slots[1] >= stage->body_count)
            return cairn_fail(error, CAIRN_BAD_INPUT, "%s: row %llu of /excluded is no pair",
                              r->path, (unsigned long long)row);
        stage->excluded[first + i][0] = slots[0];
        stage->excluded[first + i][1] = slots[1];
    }

    *changed |= cairn_stage_keep_excluded(stage, range.count);
    return CAIRN_OK;
}

static cairn_status take_bodies(cairn_recording* r, const cairn_frame* frame, cairn_stage* stage,
                                bool* changed, cairn_error* error)
{
    if (!cairn_grow((void**)&stage->bodies, &stage->body_capacity, frame->body_count,
                    sizeof *stage->bodies))
        return cairn_fail(error, CAIRN_NO_MEMORY, "%s: no memory for bodies", r->path);
    *changed = *changed || stage->body_count != frame->body_count;
    stage->body_count = frame->body_count;
    for (int i = 0; i < frame->body_count; i++) {
        cairn_stage_body body = {0};
        if (r->row[i] >= 0)
            body = r->bodies[r->row[i]];
        *changed = *changed || !cairn_stage_same_body(&stage->bodies[i], &body);
        stage->bodies[i] = body;
    }
    return CAIRN_OK;
}

cairn_status cairn_recording_show(cairn_recording* r, int index, cairn_stage* stage,
                                  cairn_frame* frame, cairn_error* error)
{
    if (!r || !stage || !frame)
        return cairn_refuse_null(error, "the recording, the stage or the frame");
    if (index < 0 || index >= r->frame_count)
        return cairn_fail(error, CAIRN_BAD_INPUT, "%s: has %d frames, frame %d is asked for",
                          r->path, r->frame_count, index);

    bool changed = stage->change == 0;
    cairn_status status = cairn_recording_shapes(r, error);

    // the report, the bodies and the contacts, and then what they belong to
    if (status == CAIRN_OK)
        status = take_words(stage, r, error);
    if (status == CAIRN_OK)
        status = read_report(r, index, frame, stage, error);
    if (status == CAIRN_OK)
        status = read_states(r, index, frame, error);
    if (status == CAIRN_OK)
        status = read_contacts(r, index, frame, error);
    if (status == CAIRN_OK)
        status = take_bodies(r, frame, stage, &changed, error);
    if (status == CAIRN_OK)
        status = take_joints(r, index, stage, &changed, error);
    if (status == CAIRN_OK)
        status = take_excluded(r, index, stage, &changed, error);

    stage->change += changed;
    frame->change = stage->change;
    return status;
}
