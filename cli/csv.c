// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// One line for each step of a run.

#include "csv.h"
#include "io/file.h"
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char head[] =
    "step,time,ms,bodies,contacts,residual,residual_velocity,penetration,joint_error,"
    "kinetic,potential,method,outcome,motion_penetration,motion_joint_error,energy_defect,"
    "work_external,work_motor,dissipated,dissipated_numeric,update_error,substeps_max,"
    "inertia_raised\n";

static cairn_status refused(const char* path, cairn_error* error)
{
    return cairn_fail(error, CAIRN_NO_FILE, "%s: cannot be written: %s", path, strerror(errno));
}

cairn_status csv_open(csv* c, const char* path, bool force, cairn_error* error)
{
    *c = (csv){.path = path};
    if (!path)
        return CAIRN_OK;
    if (strcmp(path, "-") == 0) {
        c->file = stdout;
        setvbuf(stdout, NULL, _IOLBF, 0);
        return fputs(head, stdout) < 0 ? refused("standard output", error) : CAIRN_OK;
    }

    // the head is there before the name is
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
    } else if (fputs(head, c->file) < 0 || fflush(c->file) != 0) {
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

cairn_status csv_add(csv* c, const cairn_step_report* s, double ms, cairn_error* error)
{
    if (!c->file)
        return CAIRN_OK;
    const cairn_motion* m = &s->motion;
    fprintf(c->file, "%" PRId64 ",%.9g,%.6g,%d,%d,%.6g,%.6g,%.6g,%.6g,%.17g,%.17g,%s,%s", s->step,
            s->time, ms, s->bodies, s->contacts, s->residual, s->residual_velocity, s->penetration,
            s->joint_error, s->kinetic, s->potential, s->method, cairn_outcome_name(s->outcome));
    fprintf(c->file, ",%.6g,%.6g,%.9g,%.9g,%.9g,%.9g,%.9g,%.6g,%d,%.6g\n", m->penetration,
            m->joint_error, m->energy_defect, m->work_external, m->work_motor, m->dissipated,
            m->dissipated_numeric, m->update_error, m->substeps_max, m->inertia_raised);
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
