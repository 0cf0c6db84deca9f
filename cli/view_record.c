// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Files that a live view writes into the folder where it was started: recordings and problems.

#include "verb.h"
#include "view_session.h"
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

void view_free_name(char* to, size_t size, const view_session* s, const char* middle,
                    const char* ending)
{
    const char* slash = strrchr(s->name, '/');
    const char* base = slash ? slash + 1 : s->name;
    const char* dot = strstr(base, ".json");
    int length = dot ? (int)(dot - base) : (int)strlen(base);
    char folder[PATH_MAX];
    struct stat about;

    if (!getcwd(folder, sizeof folder))
        snprintf(folder, sizeof folder, ".");

    for (int attempt = 1; attempt < 1000; attempt++) {
        char number[16] = "";
        if (attempt > 1)
            snprintf(number, sizeof number, "-%d", attempt);
        snprintf(to, size, "%s/%.*s%s%s%s", folder, length, base, middle, number, ending);
        if (stat(to, &about) != 0)
            return;
    }
}

cairn_status view_scene_record(view_session* s, cairn_error* error)
{
    char when[64];
    time_t t = time(NULL);
    struct tm local;
    if (s->recorder)
        return cairn_fail(error, CAIRN_BAD_INPUT, "%s is being recorded already", s->record);
    localtime_r(&t, &local);
    strftime(when, sizeof when, "-%Y%m%d-%H%M%S", &local);
    view_free_name(s->record, sizeof s->record, s, when, ".h5");
    cairn_status status = cairn_recorder_create(s->record, &s->stage, false, &s->recorder, error);
    if (status != CAIRN_OK)
        return status;
    cairn_world_set_solve_hook(cairn_scene_world(s->scene), cairn_recorder_solve, s->recorder);
    return cairn_recorder_add(s->recorder, &s->stage, &s->frame, error);
}

// `hurry`: the program ends
static cairn_status end_record(view_session* s, bool hurry, cairn_error* error)
{
    cairn_world_set_solve_hook(cairn_scene_world(s->scene), NULL, NULL);
    cairn_status status =
        hurry ? cairn_recorder_cut(s->recorder, error) : cairn_recorder_destroy(s->recorder, error);
    s->recorder = NULL;
    if (status == CAIRN_OK)
        view_hub_tell(s->hub, 0, json_pack("{s:s,s:s}", "type", "saved", "file", s->record));
    return status;
}

cairn_status view_scene_end_record(view_session* s, cairn_error* error)
{
    return s->recorder ? end_record(s, false, error)
                       : cairn_fail(error, CAIRN_BAD_INPUT, "nothing is being recorded");
}

void view_scene_cut_record(view_session* s)
{
    if (end_record(s, true, NULL) == CAIRN_OK)
        verb_print_on(stderr, "cairn view: the recording is in %s", s->record);
}

cairn_status view_scene_save(view_session* s, cairn_error* error)
{
    char middle[64], file[PATH_MAX];
    snprintf(middle, sizeof middle, "-step-%06lld", (long long)s->report.step);
    view_free_name(file, sizeof file, s, middle, ".hdf5");
    cairn_status status =
        cairn_fclib_write(file, &s->dumped.problem, s->dumped.lambda, false, error);
    if (status == CAIRN_OK)
        view_reply(s, s->asked_by, s->asked_id,
                   json_pack("{s:s,s:s}", "type", "saved", "file", file));
    return status;
}
