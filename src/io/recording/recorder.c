// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Recording a run: frames and contact problems become rows of columns (docs/recording.md). HDF5's
// library makes the empty file; from then on columns_write.c appends to it.

#include "io/recording/recorder.h"
#include "io/hdf5/hdf5_file.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double flush_after = 0.25; // s
static const double slow_step = 50.0;   // ms: frames of slower steps are flushed at once

// ---------------------------------------------------------------- the empty file

static hid_t type_of(const cairn_column_def* def)
{
    if (def->kind == CAIRN_HDF5_REAL)
        return H5Tcopy(H5T_IEEE_F64LE);
    if (def->kind == CAIRN_HDF5_INTEGER)
        return H5Tcopy(def->size == 4   ? H5T_STD_I32LE
                       : def->size == 1 ? H5T_STD_U8LE
                       : def->is_signed ? H5T_STD_I64LE
                                        : H5T_STD_U64LE);
    hid_t text = H5Tcopy(H5T_C_S1);
    H5Tset_size(text, (size_t)def->size);
    H5Tset_strpad(text, H5T_STR_NULLPAD);
    return text;
}

static cairn_status make_column(const cairn_hdf5* out, const cairn_column_def* def)
{
    int rank = def->width > 1 ? 2 : 1;
    hsize_t now[2] = {0, (hsize_t)def->width}, most[2] = {H5S_UNLIMITED, (hsize_t)def->width};
    hsize_t chunk[2] = {(hsize_t)def->chunk_rows, (hsize_t)def->width};
    hid_t how = H5Pcreate(H5P_DATASET_CREATE), type = type_of(def),
          space = H5Screate_simple(rank, now, most);

    H5Pset_obj_track_times(how, false);
    H5Pset_chunk(how, rank, chunk);
    H5Pset_shuffle(how);
    H5Pset_deflate(how, 1);

    hid_t set = H5Dcreate2(out->file, def->name, type, space, H5P_DEFAULT, how, H5P_DEFAULT);
    H5Dclose(set);
    H5Sclose(space);
    H5Tclose(type);
    H5Pclose(how);

    return set >= 0 ? CAIRN_OK
                    : cairn_fail(out->error, CAIRN_NO_MEMORY, "%s: no memory to make %s", out->path,
                                 def->name);
}

// the datasets of fixed size: what the run is
static cairn_status write_run(const cairn_hdf5* out, const cairn_stage* stage)
{
    const int format_version = cairn_recording_version;
    const double gravity[3] = {stage->gravity.x, stage->gravity.y, stage->gravity.z};

    // what kind of file it is
    cairn_status status = cairn_hdf5_write_text(out, "/run/format", CAIRN_RECORDING_FORMAT);
    if (status == CAIRN_OK)
        status = cairn_hdf5_write_ints(out, "/run/format_version", &format_version, 1);

    // where it comes from
    if (status == CAIRN_OK)
        status = cairn_hdf5_write_text(out, "/run/version", stage->version);
    if (status == CAIRN_OK)
        status = cairn_hdf5_write_text(out, "/run/scene", stage->name);
    if (status == CAIRN_OK)
        status = cairn_hdf5_write_text(out, "/run/title", stage->title);
    if (status == CAIRN_OK)
        status = cairn_hdf5_write_text(out, "/run/text", stage->text);

    // how it was simulated
    if (status == CAIRN_OK)
        status = cairn_hdf5_write_text(out, "/run/method", stage->method);
    if (status == CAIRN_OK)
        status = cairn_hdf5_write_doubles(out, "/run/dt", &stage->dt, 1);
    if (status == CAIRN_OK)
        status = cairn_hdf5_write_ints(out, "/run/substeps", &stage->substeps, 1);
    if (status == CAIRN_OK)
        status = cairn_hdf5_write_doubles(out, "/run/tolerance", &stage->tolerance, 1);
    if (status == CAIRN_OK)
        status = cairn_hdf5_write_doubles(out, "/run/gravity", gravity, 3);
    return status;
}

static cairn_status make_start(cairn_bytes* start, const char* path, const cairn_stage* stage,
                               cairn_error* error)
{
    static const char* const groups[] = {"/run",    "/shapes",   "/bodies",  "/joints", "/excluded",
                                         "/states", "/contacts", "/problem", "/steps"};
    cairn_hdf5 out;
    cairn_hdf5_quiet quiet = cairn_hdf5_hush();

    cairn_status status = cairn_hdf5_create(&out, path, error);
    for (size_t i = 0; status == CAIRN_OK && i < sizeof groups / sizeof groups[0]; i++)
        status = cairn_hdf5_make_group(&out, groups[i]);

    if (status == CAIRN_OK)
        status = write_run(&out, stage);
    for (int i = 0; status == CAIRN_OK && i < CAIRN_COLUMN_COUNT; i++)
        status = make_column(&out, &cairn_recording_columns[i]);
    if (status == CAIRN_OK)
        status = cairn_hdf5_bytes(&out, start);

    cairn_hdf5_close(&out);
    cairn_hdf5_loud(quiet);
    return status;
}

// ---------------------------------------------------------------- a recorder

cairn_status cairn_recorder_create(const char* path, const cairn_stage* stage, bool force,
                                   cairn_recorder** recorder, cairn_error* error)
{
    if (!recorder || !path || !stage)
        return cairn_refuse_null(error, "the place for the recorder, the path or the stage");

    cairn_bytes start;
    cairn_status status = cairn_file_may_write(path, force, error);
    if (status == CAIRN_OK)
        status = make_start(&start, path, stage, error);
    if (status != CAIRN_OK)
        return status;

    cairn_recorder* r = calloc(1, sizeof *r);
    status = r ? cairn_columns_create(&r->columns, path, &start, cairn_recording_columns,
                                      CAIRN_COLUMN_COUNT, force, error)
               : cairn_fail(error, CAIRN_NO_MEMORY, "%s: no memory to record", path);
    free(start.data);

    if (status != CAIRN_OK)
        free(r);
    else
        *recorder = r;
    return status;
}

void cairn_recorder_put(cairn_recorder* r, int column, const void* rows, size_t count)
{
    if (r->status == CAIRN_OK)
        r->status = cairn_columns_put(r->columns, column, rows, count, &r->error);
}

void cairn_transform_store(double* to, cairn_transform x)
{
    const double numbers[7] = {x.p.x, x.p.y, x.p.z, x.q.w, x.q.x, x.q.y, x.q.z};
    memcpy(to, numbers, sizeof numbers);
}

cairn_transform cairn_transform_load(const double* from)
{
    return (cairn_transform){.p = {from[0], from[1], from[2]},
                             .q = {from[3], from[4], from[5], from[6]}};
}

void cairn_recorder_forget(cairn_recorder* r)
{
    if (r)
        r->solve_first = (int64_t)cairn_columns_rows(r->columns, CAIRN_COLUMN_solves_law);
}

static cairn_status end(cairn_recorder* r, bool packed, cairn_error* error)
{
    if (!r)
        return CAIRN_OK;
    cairn_status status = cairn_columns_close(r->columns, packed, error);
    if (r->status != CAIRN_OK)
        status = cairn_fail(error, r->status, "%s", r->error.text);
    free(r->written);
    free(r->row);
    free(r->shapes);
    free(r->mark);
    free(r);
    return status;
}

cairn_status cairn_recorder_destroy(cairn_recorder* r, cairn_error* error)
{
    return end(r, true, error);
}

cairn_status cairn_recorder_cut(cairn_recorder* r, cairn_error* error)
{
    return end(r, false, error);
}

// ---------------------------------------------------------------- the stage

static void put_body(cairn_recorder* r, const cairn_stage_body* body)
{
    int64_t id[2] = {body->id.index, body->id.generation};
    int32_t type = (int32_t)body->type,
            shape = body->shaped ? cairn_recorder_shape(r, &body->shape) : -1;
    double offset[7];
    uint8_t look =
        (uint8_t)((body->glass ? cairn_look_glass : 0) | (body->soft ? cairn_look_soft : 0) |
                  (int)body->look << cairn_look_shift);
    char name[cairn_name_size] = {0};
    double principal[7], moments[3] = {body->moments.x, body->moments.y, body->moments.z};
    int64_t filter[2] = {body->category, body->mask};

    cairn_transform_store(offset, body->offset);
    cairn_transform_store(principal, body->principal);
    if (body->name)
        snprintf(name, sizeof name, "%s", body->name);

    cairn_recorder_put(r, CAIRN_COLUMN_bodies_id, id, 1);
    cairn_recorder_put(r, CAIRN_COLUMN_bodies_type, &type, 1);
    cairn_recorder_put(r, CAIRN_COLUMN_bodies_shape, &shape, 1);
    cairn_recorder_put(r, CAIRN_COLUMN_bodies_offset, offset, 1);
    cairn_recorder_put(r, CAIRN_COLUMN_bodies_mass, &body->mass, 1);
    cairn_recorder_put(r, CAIRN_COLUMN_bodies_principal, principal, 1);
    cairn_recorder_put(r, CAIRN_COLUMN_bodies_moments, moments, 1);
    cairn_recorder_put(r, CAIRN_COLUMN_bodies_gravity, &body->gravity_scale, 1);
    cairn_recorder_put(r, CAIRN_COLUMN_bodies_filter, filter, 1);
    cairn_recorder_put(r, CAIRN_COLUMN_bodies_name, name, 1);
    cairn_recorder_put(r, CAIRN_COLUMN_bodies_look, &look, 1);
}

static void put_joint(cairn_recorder* r, const cairn_stage_joint* joint)
{
    int64_t id[2] = {joint->id.index, joint->id.generation};
    int32_t kind = (int32_t)joint->kind, slots[2] = {joint->body_a, joint->body_b};
    int32_t surface = (int32_t)joint->surface;
    double frames[14], size[2] = {joint->radius, joint->tube};
    double own_size[2] = {joint->length, joint->roller};
    double spring[2] = {joint->stiffness, joint->rest};
    uint8_t flags = (uint8_t)((joint->collide ? cairn_joint_collides : 0) |
                              (joint->wheel ? cairn_joint_wheel : 0) |
                              (joint->driven ? cairn_joint_driven : 0));

    cairn_transform_store(frames, joint->frame_a);
    cairn_transform_store(frames + 7, joint->frame_b);

    cairn_recorder_put(r, CAIRN_COLUMN_joints_id, id, 1);
    cairn_recorder_put(r, CAIRN_COLUMN_joints_kind, &kind, 1);
    cairn_recorder_put(r, CAIRN_COLUMN_joints_slots, slots, 1);
    cairn_recorder_put(r, CAIRN_COLUMN_joints_frames, frames, 1);
    cairn_recorder_put(r, CAIRN_COLUMN_joints_flags, &flags, 1);
    cairn_recorder_put(r, CAIRN_COLUMN_joints_size, own_size, 1);
    cairn_recorder_put(r, CAIRN_COLUMN_joints_spring, spring, 1);
    cairn_recorder_put(r, CAIRN_COLUMN_joints_surface, &surface, 1);
    cairn_recorder_put(r, CAIRN_COLUMN_joints_surface_size, size, 1);
}

// bodies that are new or have become others get a row; the joints of the moment are a range of rows
static void put_stage(cairn_recorder* r, const cairn_stage* stage)
{
    int count = stage->body_count;
    if (!cairn_grow((void**)&r->written, &r->slot_capacity, count, sizeof *r->written) ||
        !cairn_grow((void**)&r->row, &r->row_capacity, count, sizeof *r->row)) {
        r->status = cairn_fail(&r->error, CAIRN_NO_MEMORY, "no memory to record %d bodies", count);
        return;
    }

    // a body that has its row already is not written again
    for (int i = 0; i < count; i++) {
        const cairn_stage_body* body = &stage->bodies[i];
        if (body->id.generation != 0 && !cairn_stage_same_body(&r->written[i], body)) {
            r->row[i] = (int)cairn_columns_rows(r->columns, CAIRN_COLUMN_bodies_mass);
            put_body(r, body);
            r->written[i] = *body;
        }
    }

    r->joint_first = (int64_t)cairn_columns_rows(r->columns, CAIRN_COLUMN_joints_kind);
    r->joint_count = 0;
    for (int i = 0; i < stage->joint_count; i++)
        if (stage->joints[i].id.generation != 0) {
            put_joint(r, &stage->joints[i]);
            r->joint_count++;
        }

    r->excluded_first = (int64_t)cairn_columns_rows(r->columns, CAIRN_COLUMN_excluded_slots);
    r->excluded_count = stage->excluded_count;
    for (int i = 0; i < stage->excluded_count; i++) {
        int32_t slots[2] = {stage->excluded[i][0], stage->excluded[i][1]};
        cairn_recorder_put(r, CAIRN_COLUMN_excluded_slots, slots, 1);
    }

    r->change = stage->change;
}

// ---------------------------------------------------------------- frames

static void put_states(cairn_recorder* r, const cairn_frame* frame)
{
    int64_t range[2] = {(int64_t)cairn_columns_rows(r->columns, CAIRN_COLUMN_states_body), 0};
    for (int i = 0; i < frame->body_count; i++) {
        const cairn_frame_body* body = &frame->bodies[i];
        if (!body->present)
            continue;

        double pose[7];
        double velocity[6] = {body->velocity.x, body->velocity.y, body->velocity.z,
                              body->spin.x,     body->spin.y,     body->spin.z};
        uint8_t flags =
            (uint8_t)(body->asleep | body->frozen << 1 | body->pushed << 2 | body->squeezed << 3);
        int32_t row = r->row[i], island = body->island;

        cairn_transform_store(pose, body->pose);
        cairn_recorder_put(r, CAIRN_COLUMN_states_body, &row, 1);
        cairn_recorder_put(r, CAIRN_COLUMN_states_pose, pose, 1);
        cairn_recorder_put(r, CAIRN_COLUMN_states_velocity, velocity, 1);
        cairn_recorder_put(r, CAIRN_COLUMN_states_flags, &flags, 1);
        cairn_recorder_put(r, CAIRN_COLUMN_states_island, &island, 1);
        range[1]++;
    }

    cairn_recorder_put(r, CAIRN_COLUMN_steps_states, range, 1);
}

static int32_t row_of(const cairn_recorder* r, const cairn_frame* frame, cairn_body_id id)
{
    return id.index >= 0 && id.index < frame->body_count ? r->row[id.index] : -1;
}

static void put_contacts(cairn_recorder* r, const cairn_frame* frame)
{
    int64_t range[2] = {(int64_t)cairn_columns_rows(r->columns, CAIRN_COLUMN_contacts_gap),
                        frame->contact_count};
    for (int i = 0; i < frame->contact_count; i++) {
        const cairn_contact* contact = &frame->contacts[i];
        int32_t bodies[2] = {row_of(r, frame, contact->body_a), row_of(r, frame, contact->body_b)};
        double point[3] = {contact->point.x, contact->point.y, contact->point.z};
        double normal[3] = {contact->normal.x, contact->normal.y, contact->normal.z};
        double impulse[3] = {contact->impulse.x, contact->impulse.y, contact->impulse.z};
        uint8_t state = (uint8_t)contact->state;

        cairn_recorder_put(r, CAIRN_COLUMN_contacts_bodies, bodies, 1);
        cairn_recorder_put(r, CAIRN_COLUMN_contacts_point, point, 1);
        cairn_recorder_put(r, CAIRN_COLUMN_contacts_normal, normal, 1);
        cairn_recorder_put(r, CAIRN_COLUMN_contacts_impulse, impulse, 1);
        cairn_recorder_put(r, CAIRN_COLUMN_contacts_gap, &contact->gap, 1);
        cairn_recorder_put(r, CAIRN_COLUMN_contacts_state, &state, 1);
        cairn_recorder_put(r, CAIRN_COLUMN_contacts_mu, &contact->mu, 1);
    }

    cairn_recorder_put(r, CAIRN_COLUMN_steps_contacts, range, 1);
}

static void put_word(cairn_recorder* r, int column, const char* text)
{
    char word[cairn_word_size] = {0};
    snprintf(word, sizeof word, "%s", text ? text : "");
    cairn_recorder_put(r, column, word, 1);
}

static void put_report(cairn_recorder* r, const cairn_stage* stage, const cairn_frame* frame)
{
    const cairn_step_report* s = &frame->report;
    int64_t solves[2] = {r->solve_first, 0}, joints[2] = {r->joint_first, r->joint_count};
    int64_t excluded[2] = {r->excluded_first, r->excluded_count};
    int32_t counts[6] = {s->bodies, s->contacts, s->joints, s->islands, s->rested, s->frozen};
    double residual[2] = {s->residual, s->residual_velocity};
    double energy[2] = {s->kinetic, s->potential};
    double ms[6] = {frame->ms,      s->ms_broad, s->ms_narrow,
                    s->ms_assemble, s->ms_solve, s->ms_integrate};

    const cairn_motion* m = &s->motion;
    double motion[10] = {m->penetration,  m->joint_error,   m->energy_defect,      m->work_external,
                         m->work_motor,   m->dissipated,    m->dissipated_numeric, m->update_error,
                         m->substeps_max, m->inertia_raised};

    // rows from the first solve of the step to the last
    solves[1] = (int64_t)cairn_columns_rows(r->columns, CAIRN_COLUMN_solves_law) - solves[0];

    cairn_recorder_put(r, CAIRN_COLUMN_steps_motion, motion, 1);
    cairn_recorder_put(r, CAIRN_COLUMN_steps_solves, solves, 1);
    cairn_recorder_put(r, CAIRN_COLUMN_steps_joints, joints, 1);
    cairn_recorder_put(r, CAIRN_COLUMN_steps_excluded, excluded, 1);
    cairn_recorder_put(r, CAIRN_COLUMN_steps_step, &s->step, 1);
    cairn_recorder_put(r, CAIRN_COLUMN_steps_time, &s->time, 1);
    cairn_recorder_put(r, CAIRN_COLUMN_steps_counts, counts, 1);
    cairn_recorder_put(r, CAIRN_COLUMN_steps_residual, residual, 1);
    cairn_recorder_put(r, CAIRN_COLUMN_steps_tolerance, &stage->tolerance, 1);
    cairn_recorder_put(r, CAIRN_COLUMN_steps_penetration, &s->penetration, 1);
    cairn_recorder_put(r, CAIRN_COLUMN_steps_joint_error, &s->joint_error, 1);
    cairn_recorder_put(r, CAIRN_COLUMN_steps_energy, energy, 1);
    cairn_recorder_put(r, CAIRN_COLUMN_steps_ms, ms, 1);
    put_word(r, CAIRN_COLUMN_steps_method, s->method);
    put_word(r, CAIRN_COLUMN_steps_outcome, cairn_outcome_name(s->outcome));

    cairn_recorder_put(r, CAIRN_COLUMN_steps_hash, &frame->hash, 1);
    r->solve_first += solves[1];
}

cairn_status cairn_recorder_add(cairn_recorder* r, const cairn_stage* stage,
                                const cairn_frame* frame, cairn_error* error)
{
    if (!r || !stage || !frame)
        return cairn_refuse_null(error, "the recorder, the stage or the frame");

    double now = cairn_clock();
    if (r->change != stage->change)
        put_stage(r, stage);

    if (r->status == CAIRN_OK) {
        put_states(r, frame);
        put_contacts(r, frame);
        put_report(r, stage, frame);
    }

    if (r->status == CAIRN_OK)
        r->status = cairn_columns_settle(r->columns, &r->error);

    // readers see the rows now and then, and after every slow step
    if (r->status == CAIRN_OK && (now - r->flushed >= flush_after || frame->ms >= slow_step)) {
        r->status = cairn_columns_flush(r->columns, &r->error);
        r->flushed = now;
    }

    return r->status == CAIRN_OK ? CAIRN_OK : cairn_fail(error, r->status, "%s", r->error.text);
}
