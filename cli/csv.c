// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// One line for each step of a run.

#include "csv.h"
#include "io/file.h"
#include <cairn/alert.h>
#include <cairn/drive.h>
#include <cairn/instrument.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char head[] =
    "step,time,ms,bodies,contacts,residual,residual_velocity,penetration,joint_error,"
    "kinetic,potential,method,outcome,motion_penetration,motion_joint_error,energy_defect,"
    "work_external,work_motor,dissipated,dissipated_numeric,update_error,substeps_max,"
    "inertia_raised";

// of a body, a joint and a sensor that are watched
static const char* const of_body[] = {"x",  "y",  "z",  "qw", "qx", "qy", "qz",
                                      "vx", "vy", "vz", "wx", "wy", "wz", NULL};
static const char* const of_joint[] = {"coordinate", "speed", "motor",  "limit",
                                       "spring",     "force", "torque", NULL};
static const char* const of_sensor[] = {"inside", NULL};

static bool is_joint(const csv* c, const char* name)
{
    cairn_joint_id id;
    return cairn_scene_find_joint(c->scene, name, &id);
}

static int find_instrument(const csv* c, const char* name)
{
    return cairn_scene_find_instrument(c->scene, name);
}

static bool is_sensor(const csv* c, const char* name)
{
    cairn_sensor_id id;
    return cairn_scene_find_sensor(c->scene, name, &id);
}

// a cell in quotes; quotes within the name are doubled
static void put_column(FILE* file, const char* name, const char* column)
{
    fputs(",\"", file);
    for (const char* at = name; *at; at++) {
        if (*at == '"')
            fputc('"', file);
        fputc(*at, file);
    }
    fprintf(file, ".%s\"", column);
}

static bool put_head(const csv* c)
{
    fputs(head, c->file);

    for (int k = 0; k < c->watched_count; k++) {
        int own = find_instrument(c, c->watched[k]);
        cairn_instrument instrument = cairn_scene_get_instrument(c->scene, own);
        for (int i = 0; i < instrument.count; i++)
            put_column(c->file, c->watched[k], instrument.columns[i]);

        if (own >= 0)
            continue;
        const char* const* columns = is_joint(c, c->watched[k])    ? of_joint
                                     : is_sensor(c, c->watched[k]) ? of_sensor
                                                                   : of_body;

        for (int i = 0; columns[i]; i++)
            put_column(c->file, c->watched[k], columns[i]);
    }

    return fputs("\n", c->file) >= 0;
}

static cairn_status refused(const char* path, cairn_error* error)
{
    return cairn_fail(error, CAIRN_NO_FILE, "%s: cannot be written: %s", path, strerror(errno));
}

cairn_status csv_open(csv* c, const char* path, bool force, cairn_error* error)
{
    c->path = path;
    c->file = NULL;
    if (!path)
        return CAIRN_OK;

    // a live stream: each line leaves when it is complete
    if (strcmp(path, "-") == 0) {
        c->file = stdout;
        setvbuf(stdout, NULL, _IOLBF, 0);
        return put_head(c) ? CAIRN_OK : refused("standard output", error);
    }

    // the head is written before the file takes its name, so that readers never see it empty
    size_t room = strlen(path) + 40;
    char* beside = malloc(room);
    if (!beside)
        return cairn_fail(error, CAIRN_NO_MEMORY, "%s: no memory to write it", path);
    int number = cairn_file_open_beside(beside, room, path);
    c->file = number >= 0 ? fdopen(number, "w") : NULL;

    cairn_status status = CAIRN_OK;
    if (!c->file) {
        status = errno == ENOMEM
                     ? cairn_fail(error, CAIRN_NO_MEMORY, "%s: no memory to write it", path)
                     : refused(path, error);
        if (number >= 0) {
            close(number);
            unlink(beside);
        }
    } else if (!put_head(c) || fflush(c->file) != 0) {
        status = refused(path, error);
        unlink(beside);
    } else {
        status = cairn_file_take_name(beside, path, force, error);
    }

    free(beside);
    if (status != CAIRN_OK && c->file) {
        fclose(c->file);
        c->file = NULL;
    }
    return status;
}

// a body that has not entered yet has empty cells
static void put_body(const csv* c, const char* name)
{
    cairn_body_id id;
    cairn_body_state s;
    if (!cairn_scene_find(c->scene, name, &id) ||
        cairn_body_get(cairn_scene_world(c->scene), id, &s, NULL) != CAIRN_OK) {
        for (int i = 0; of_body[i]; i++)
            fputc(',', c->file);
        return;
    }
    const double numbers[] = {s.pose.p.x, s.pose.p.y, s.pose.p.z,   s.pose.q.w,   s.pose.q.x,
                              s.pose.q.y, s.pose.q.z, s.velocity.x, s.velocity.y, s.velocity.z,
                              s.spin.x,   s.spin.y,   s.spin.z};
    for (int i = 0; of_body[i]; i++)
        fprintf(c->file, ",%.17g", numbers[i]);
}

// likewise a joint that broke
static void put_joint(const csv* c, const char* name)
{
    cairn_joint_id id = {0};
    cairn_joint_motion m;
    cairn_scene_find_joint(c->scene, name, &id);
    if (cairn_joint_get_motion(cairn_scene_world(c->scene), id, &m, NULL) != CAIRN_OK) {
        for (int i = 0; of_joint[i]; i++)
            fputc(',', c->file);
        return;
    }
    const double numbers[] = {
        m.coordinate,        m.speed, m.motor, m.limit, m.spring, cairn_norm(m.force),
        cairn_norm(m.torque)};
    for (int i = 0; of_joint[i]; i++)
        fprintf(c->file, ",%.17g", numbers[i]);
}

static void put_sensor(const csv* c, const char* name)
{
    cairn_sensor_id id = {0};
    cairn_scene_find_sensor(c->scene, name, &id);
    fprintf(c->file, ",%d", cairn_sensor_inside(cairn_scene_world(c->scene), id, NULL, 0));
}

// likewise what has nothing to measure yet
static void put_instrument(const csv* c, const char* name)
{
    int own = find_instrument(c, name);
    double values[CAIRN_INSTRUMENT_VALUES];
    bool reads = cairn_scene_read_instrument(c->scene, own, values, NULL) == CAIRN_OK;
    for (int i = 0; i < cairn_scene_get_instrument(c->scene, own).count; i++)
        if (reads)
            fprintf(c->file, ",%.17g", values[i]);
        else
            fputc(',', c->file);
}

cairn_status csv_add(csv* c, const cairn_step_report* s, double ms, cairn_error* error)
{
    if (!c->file)
        return CAIRN_OK;

    const cairn_motion* m = &s->motion;
    fprintf(c->file, "%" PRId64 ",%.9g,%.6g,%d,%d,%.6g,%.6g,%.6g,%.6g,%.17g,%.17g,%s,%s", s->step,
            s->time, ms, s->bodies, s->contacts, s->residual, s->residual_velocity, s->penetration,
            s->joint_error, s->kinetic, s->potential, s->method, cairn_outcome_name(s->outcome));
    fprintf(c->file, ",%.6g,%.6g,%.9g,%.9g,%.9g,%.9g,%.9g,%.6g,%d,%.6g", m->penetration,
            m->joint_error, m->energy_defect, m->work_external, m->work_motor, m->dissipated,
            m->dissipated_numeric, m->update_error, m->substeps_max, m->inertia_raised);

    for (int k = 0; k < c->watched_count; k++)
        (find_instrument(c, c->watched[k]) >= 0 ? put_instrument
         : is_joint(c, c->watched[k])           ? put_joint
         : is_sensor(c, c->watched[k])          ? put_sensor
                                                : put_body)(c, c->watched[k]);

    fputc('\n', c->file);
    return fflush(c->file) == 0 ? CAIRN_OK : refused(c->path, error);
}

cairn_status csv_close(csv* c, cairn_error* error)
{
    FILE* file = c->file;
    c->file = NULL;
    if (!file || file == stdout)
        return CAIRN_OK;
    bool done = fflush(file) == 0 && fsync(fileno(file)) == 0;
    done = fclose(file) == 0 && done;
    return done ? CAIRN_OK : refused(c->path, error);
}
