// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// All ranks call all of these; rank 0 shows what they find.

#include "run_ranks.h"
#include "verb.h"
#include <stdlib.h>
#include <string.h>

#ifdef CAIRN_HAVE_MPI
#include <mpi.h>

cairn_status run_ranks_open(run_ranks* out, const cairn_scene* scene, cairn_error* error)
{
    cairn_scene_info info = cairn_scene_describe(scene);
    if (info.driven)
        return cairn_fail(error, CAIRN_NOT_SUPPORTED,
                          "the scene drives bodies or lets them enter later, which is not done on "
                          "several ranks yet");
    return cairn_ranks_create(cairn_scene_world(scene), out->parted, &out->world, error);
}

void run_ranks_close(run_ranks* run)
{
    cairn_ranks_destroy(run->world);
    run->world = NULL;
}

cairn_status run_ranks_step(run_ranks* run, double dt, cairn_step_report* report,
                            cairn_error* error)
{
    cairn_status status = cairn_ranks_step(run->world, dt, report, error);
    run->islands = cairn_ranks_islands(run->world);
    if (status == CAIRN_OK && run->checkpoint && report->step % run->every == 0)
        status = cairn_ranks_save(run->world, run->checkpoint, error);
    return status;
}

cairn_status run_ranks_resume(run_ranks* run, const cairn_scene* scene, const char* path,
                              int* steps, cairn_error* error)
{
    cairn_status status = cairn_ranks_load(run->world, path, error);
    if (status == CAIRN_OK)
        *steps = (int)cairn_world_step_count(cairn_scene_world(scene));
    return status;
}

double run_ranks_energy(run_ranks* run)
{
    double kinetic, potential;
    cairn_ranks_energy(run->world, &kinetic, &potential);
    return kinetic + potential;
}

uint64_t run_ranks_hash(run_ranks* run)
{
    return cairn_ranks_hash(run->world);
}

static void add_vector(json_t* out, const char* key, const double x[3])
{
    json_t* list = json_array();
    for (int k = 0; k < 3; k++)
        json_array_append_new(list, json_real(x[k]));
    json_object_set_new(out, key, list);
}

void run_ranks_to_json(json_t* out, run_ranks* run, int steps)
{
    json_t *all = json_object(), *each = json_array();
    double momentum[3], ground[3];
    cairn_ranks_loads(run->world, momentum, ground);

    verb_set_integer(all, "count", run->count);
    add_vector(all, "momentum", momentum);
    add_vector(all, "ground_force", ground);

    // what each rank holds, what it sends, and how long it waits for the others
    for (int r = 0; r < run->count; r++) {
        cairn_traffic t = cairn_ranks_traffic(run->world, r);
        json_t* own = json_object();
        verb_set_integer(own, "bodies", t.bodies);
        verb_set_integer(own, "copies", t.copies);
        verb_set_real(own, "messages_per_step", (double)t.messages / steps);
        verb_set_real(own, "bytes_per_step", (double)t.bytes / steps);
        verb_set_real(own, "ms_waiting_per_step", 1e3 * t.waiting / steps);
        verb_set_real(own, "ms_busy_per_step", 1e3 * t.busy / steps);
        verb_set_integer(own, "memory", t.memory);
        verb_set_integer(own, "partitions", t.partitions);
        verb_set_integer(own, "moved", t.moved);
        json_array_append_new(each, own);
    }

    json_object_set_new(all, "each", each);
    json_object_set_new(out, "ranks", all);
}

enum { most_names = 24, name_room = 24 };

void run_ranks_count(run_ranks* run, const char* const* names, int64_t* counts, int known,
                     void (*add)(void* context, const char* name, int64_t count), void* context)
{
    typedef struct tally {
        char name[name_room];
        int64_t count;
    } tally;
    tally own[most_names] = {{"", 0}};
    tally* all = calloc((size_t)run->count * most_names, sizeof *all);

    for (int k = 0; k < known && k < most_names; k++) {
        snprintf(own[k].name, name_room, "%s", names[k]);
        own[k].count = counts[k];
    }

    if (!all)
        MPI_Abort(MPI_COMM_WORLD, exit_fault);

    // the own counts are in the table already: those of the others are added
    MPI_Gather(own, sizeof own, MPI_BYTE, all, sizeof own, MPI_BYTE, 0, MPI_COMM_WORLD);
    for (int k = most_names; k < run->count * most_names; k++)
        if (all[k].count > 0)
            add(context, all[k].name, all[k].count);

    free(all);
}

#else

cairn_status run_ranks_open(run_ranks* out, const cairn_scene* scene, cairn_error* error)
{
    (void)scene;
    return cairn_fail(error, CAIRN_NOT_SUPPORTED, "%d ranks without MPI", out->count);
}

void run_ranks_close(run_ranks* run)
{
    (void)run;
}

cairn_status run_ranks_step(run_ranks* run, double dt, cairn_step_report* report,
                            cairn_error* error)
{
    (void)run, (void)dt, (void)report;
    return cairn_fail(error, CAIRN_NOT_SUPPORTED, "a step of ranks without MPI");
}

cairn_status run_ranks_resume(run_ranks* run, const cairn_scene* scene, const char* path,
                              int* steps, cairn_error* error)
{
    (void)run, (void)scene, (void)steps;
    return cairn_fail(error, CAIRN_NOT_SUPPORTED, "%s is of several ranks, without MPI", path);
}

double run_ranks_energy(run_ranks* run)
{
    (void)run;
    return 0.0;
}

uint64_t run_ranks_hash(run_ranks* run)
{
    (void)run;
    return 0;
}

void run_ranks_to_json(json_t* out, run_ranks* run, int steps)
{
    (void)out, (void)run, (void)steps;
}

void run_ranks_count(run_ranks* run, const char* const* names, int64_t* counts, int known,
                     void (*add)(void* context, const char* name, int64_t count), void* context)
{
    (void)run, (void)names, (void)counts, (void)known, (void)add, (void)context;
}

#endif
