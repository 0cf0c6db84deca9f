// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// What the module has instead of threads, folders and HDF5: a worker that does its job at once, and
// files that the page has put into memory.

#include "here.h"
#include "io/file.h"
#include "math/system.h"
#include "view_needs.h"
#include "view_session.h"
#include <cairn/robot.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------- files in memory

typedef struct kept_file {
    char* name;
    char* text;
    size_t size;
} kept_file;

// the page is one client of one module: its files are those of the module
static kept_file* files;
static int file_count;

static kept_file* find_file(const char* name)
{
    for (int i = 0; i < file_count; i++)
        if (strcmp(files[i].name, name) == 0)
            return &files[i];
    return NULL;
}

bool here_put_file(const char* name, const char* text, size_t size)
{
    char* copy = malloc(size + 1);
    kept_file* file = find_file(name);
    if (!copy)
        return false;

    memcpy(copy, text, size);
    copy[size] = 0;

    // a file of the same name is replaced
    if (file) {
        free(file->text);
        file->text = copy;
        file->size = size;
        return true;
    }

    kept_file* grown = realloc(files, sizeof *grown * ((size_t)file_count + 1));
    char* own_name = strdup(name);
    if (!grown || !own_name) {
        files = grown ? grown : files;
        free(own_name);
        free(copy);
        return false;
    }

    files = grown;
    files[file_count++] = (kept_file){own_name, copy, size};
    return true;
}

const cairn_file_kind cairn_file_text = {1 << 30, NULL};
const cairn_file_kind cairn_file_bytes = {1 << 30, NULL};

cairn_status cairn_file_read(cairn_bytes* bytes, const char* path, const cairn_file_kind* kind,
                             cairn_error* error)
{
    (void)kind;
    const kept_file* file = find_file(path);
    if (!file)
        return cairn_fail(error, CAIRN_NO_FILE, "%s: the page has no such file", path);
    char* copy = malloc(file->size + 1);
    if (!copy)
        return cairn_fail(error, CAIRN_NO_MEMORY, "%s: no memory to read it", path);
    memcpy(copy, file->text, file->size + 1);
    *bytes = (cairn_bytes){copy, file->size};
    return CAIRN_OK;
}

bool cairn_file_is_hdf5(const char* path)
{
    (void)path;
    return false;
}

// ---------------------------------------------------------------- scenes

cairn_status verb_scene_path(char* path, size_t size, const char* scene, cairn_error* error)
{
    if (!find_file(scene))
        return cairn_fail(error, CAIRN_BAD_INPUT, "'%s' is not a scene of this page", scene);
    snprintf(path, size, "%s", scene);
    return CAIRN_OK;
}

json_t* verb_list_scenes(void)
{
    json_t* list = json_array();
    for (int i = 0; i < file_count; i++) {
        json_t* scene = json_loadb(files[i].text, files[i].size, 0, NULL);
        const char* title = json_string_value(json_object_get(scene, "title"));
        const char* group = json_string_value(json_object_get(scene, "group"));
        json_array_append_new(list, json_pack("{s:s,s:s,s:s}", "scene", files[i].name, "title",
                                              title ? title : "", "group", group ? group : ""));
        json_decref(scene);
    }
    return list;
}

// the thread of the page, and the workers that it has brought
int view_threads(void)
{
#if defined(__wasm_atomics__)
    return cairn_processor_count();
#else
    return 1;
#endif
}

// ---------------------------------------------------------------- the worker

struct view_worker {
    double seconds;
    bool busy;
    cairn_status status;
    cairn_error error;
};

cairn_status view_worker_create(view_worker** worker, view_hub* hub, cairn_error* error)
{
    (void)hub;
    *worker = calloc(1, sizeof **worker);
    return *worker ? CAIRN_OK : cairn_fail(error, CAIRN_NO_MEMORY, "no memory for a worker");
}

void view_worker_destroy(view_worker* worker)
{
    free(worker);
}

void view_worker_begin(view_worker* worker, view_job job, void* context)
{
    double start = view_clock();
    worker->error = (cairn_error){""};
    worker->status = job(context, &worker->error);
    worker->seconds = view_clock() - start;
    worker->busy = true;
}

bool view_worker_busy(view_worker* worker)
{
    return worker->busy;
}

bool view_worker_done(view_worker* worker)
{
    return worker->busy;
}

double view_worker_age(view_worker* worker)
{
    return worker->seconds;
}

cairn_status view_worker_end(view_worker* worker, cairn_error* error)
{
    worker->busy = false;
    if (error)
        *error = worker->error;
    return worker->status;
}

// ---------------------------------------------------------------- what a page cannot write or read

static cairn_status no_files(cairn_error* error)
{
    return cairn_fail(error, CAIRN_NOT_SUPPORTED, "a page has no folder to write into");
}

cairn_status view_scene_record(view_session* s, cairn_error* error)
{
    (void)s;
    return no_files(error);
}

cairn_status view_scene_end_record(view_session* s, cairn_error* error)
{
    (void)s;
    return no_files(error);
}

void view_scene_cut_record(view_session* s)
{
    (void)s;
}

cairn_status view_scene_save(view_session* s, cairn_error* error)
{
    (void)s;
    return no_files(error);
}

cairn_status cairn_recorder_add(cairn_recorder* recorder, const cairn_stage* stage,
                                const cairn_frame* frame, cairn_error* error)
{
    (void)recorder;
    (void)stage;
    (void)frame;
    return no_files(error);
}

void cairn_recorder_forget(cairn_recorder* recorder)
{
    (void)recorder;
}

void cairn_recorder_solve(void* recorder, const cairn_island_solve* solve)
{
    (void)recorder;
    (void)solve;
}

cairn_status cairn_recording_open(const char* path, cairn_recording** recording, cairn_error* error)
{
    (void)path;
    (void)recording;
    return no_files(error);
}

cairn_status cairn_recording_show(cairn_recording* recording, int index, cairn_stage* stage,
                                  cairn_frame* frame, cairn_error* error)
{
    (void)recording;
    (void)index;
    (void)stage;
    (void)frame;
    return no_files(error);
}

int cairn_recording_frame_count(const cairn_recording* recording)
{
    (void)recording;
    return 0;
}

void cairn_recording_destroy(cairn_recording* recording)
{
    (void)recording;
}

// ---------------------------------------------------------------- robots, which are XML

cairn_status cairn_robot_read_text(const char* text, size_t size, const char* name,
                                   const cairn_robot_def* def, cairn_robot** robot,
                                   cairn_error* error)
{
    (void)text;
    (void)size;
    (void)def;
    (void)robot;
    return cairn_fail(error, CAIRN_NOT_SUPPORTED, "%s: robots are not read in a page", name);
}

cairn_status cairn_robot_make_scene(const cairn_robot* robot, const cairn_scene_def* def,
                                    cairn_scene** scene, cairn_error* error)
{
    (void)robot;
    (void)def;
    (void)scene;
    return cairn_fail(error, CAIRN_NOT_SUPPORTED, "robots are not read in a page");
}

cairn_robot_info cairn_robot_describe(const cairn_robot* robot)
{
    (void)robot;
    return (cairn_robot_info){.ignored = ""};
}

void cairn_robot_destroy(cairn_robot* robot)
{
    (void)robot;
}
