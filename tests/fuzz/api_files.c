// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The calls of io.h. What files hold is the matter of the other targets; here the calls come in any
// order. Files lie in memory (/dev/shm) and are removed at the end.

#include "api.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char* const scenes[] = {
    "{\"cairn\": 1, \"bodies\": [{\"shape\": {\"kind\": \"half-space\"}, \"type\": \"static\"},"
    "{\"name\": \"b\", \"shape\": {\"kind\": \"box\", \"size\": [1, 1, 1]}, \"at\": [0, 0, 1]}]}",
    "{\"cairn\": 1, \"bodies\": [{\"name\": \"a\", \"shape\": {\"kind\": \"sphere\", \"radius\": "
    "0.3}, \"at\": [0, 0, 1]}, {\"name\": \"b\", \"shape\": {\"kind\": \"capsule\", \"radius\": "
    "0.1, \"length\": 1}, \"at\": [0, 0, 2]}], \"joints\": [{\"name\": \"j\", \"kind\": \"ball\", "
    "\"a\": \"a\", "
    "\"b\": \"b\", \"at\": [0, 0, 1.4]}]}",
    "{\"cairn\": 1, \"bodies\": [{\"name\": \"b\"}]}",
    "{",
};

enum { scene_count = sizeof scenes / sizeof scenes[0] };

// a file of this process; the session removes it
static const char* path_of(char* path, size_t room, const char* ending)
{
    snprintf(path, room, "/dev/shm/cairn-api-%ld%s", (long)getpid(), ending);
    return path;
}

// a path that leads to the file, or nowhere
const char* api_pick_path(api* a, char* path, size_t room, const char* ending)
{
    if (api_hostile(a))
        return API_OR_NULL(a, "/dev/shm/no/such/folder");
    return path_of(path, room, ending);
}

void api_files_free(api* a)
{
    static const char* const endings[] = {".fclib", ".solved", ".mtx", ".obj",
                                          ".json",  ".h5",     ".html"};
    char path[80];
    cairn_recorder_destroy(a->recorder, NULL);
    if (a->recording)
        cairn_recording_destroy(a->recording);
    cairn_replay_destroy(a->replay);
    cairn_gltf_destroy(a->gltf);
    cairn_stage_destroy(&a->stage);
    cairn_frame_destroy(&a->frame);
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++)
        unlink(path_of(path, sizeof path, endings[i]));
}

// ---------------------------------------------------------------- contact problems, LCPs, meshes

static void fclib_write(api* a)
{
    char path[80];
    int p = api_pick_problem(a);
    if (p < 0)
        return;
    const cairn_problem* problem = &a->problems[p].problem;
    double* lambda = calloc((size_t)problem->row_count + 1, sizeof(double));
    const char* to = api_pick_path(a, path, sizeof path, ".fclib");
    bool force = !api_chance(a, 32), solved = api_chance(a, 128);
    api_begin(a);
    cairn_status status = cairn_fclib_write(to, problem, solved ? lambda : NULL, force, a->said);
    api_end(a, status, API_NOTHING);
    free(lambda);
}

static void fclib_read(api* a)
{
    char path[80];
    cairn_problem problem;
    const char* from = api_pick_path(a, path, sizeof path, ".fclib");
    api_begin(a);
    if (api_end(a, cairn_fclib_read(from, &problem, a->said), API_NOTHING))
        cairn_problem_destroy(&problem);
}

static void fclib_write_solution(api* a)
{
    char input[80], output[80];
    cairn_problem problem;
    path_of(input, sizeof input, ".fclib");
    if (cairn_fclib_read(input, &problem, NULL) != CAIRN_OK)
        return;
    double* lambda = calloc((size_t)problem.row_count + 1, sizeof(double));
    const char* to = api_pick_path(a, output, sizeof output, ".solved");
    api_begin(a);
    cairn_status status = cairn_fclib_write_solution(to, input, &problem, lambda, true, a->said);
    api_end(a, status, API_NOTHING);
    free(lambda);
    cairn_problem_destroy(&problem);
}

static void write_text(const char* path, const char* text)
{
    FILE* file = fopen(path, "w");
    if (!file)
        return;
    fputs(text, file);
    fclose(file);
}

static void lcp_read(api* a)
{
    char path[80];
    cairn_lcp_data lcp;
    const char* from = api_pick_path(a, path, sizeof path, ".mtx");
    if (from == path)
        write_text(path, "%%MatrixMarket matrix array real general\n1 1\n2.0\n");
    api_begin(a);
    if (api_end(a, cairn_lcp_read(from, from, &lcp, a->said), API_NOTHING))
        cairn_lcp_data_destroy(&lcp);
}

static void lcp_read_bounds(api* a)
{
    char path[80];
    cairn_lcp_data lcp = {.n = 1};
    const char* from = api_pick_path(a, path, sizeof path, ".mtx");
    if (from == path)
        write_text(path, "%%MatrixMarket matrix array real general\n1 1\n2.0\n");
    api_begin(a);
    api_end(a, cairn_lcp_read_bounds(from, API_OR_NULL(a, from), &lcp, a->said), API_NOTHING);
    cairn_lcp_data_destroy(&lcp);
}

static void lcp_data_destroy(api* a)
{
    cairn_lcp_data lcp = {0};
    api_begin(a);
    cairn_lcp_data_destroy(&lcp);
    api_end(a, CAIRN_OK, API_NOTHING);
}

static void mesh_read(api* a)
{
    char path[80];
    cairn_mesh* mesh = NULL;
    const char* from = api_pick_path(a, path, sizeof path, ".obj");
    if (from == path)
        write_text(path,
                   "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n");
    api_begin(a);
    if (!api_end(a, cairn_mesh_read(from, &mesh, a->said), API_NOTHING))
        return;
    if (a->held.mesh_count < api_most_data) {
        a->held.meshes[a->held.mesh_count++] = mesh;
        api_keep_shape(a, cairn_shape_mesh(mesh));
    } else {
        cairn_mesh_destroy(mesh);
    }
}

// ---------------------------------------------------------------- scenes

static cairn_scene_def scene_def(api* a)
{
    cairn_scene_def def = {0};
    int b = api_byte(a);
    if (b & 1)
        def.method = api_pick_method(a);
    if (b & 2)
        def.substeps = api_below(a, 5);
    if (b & 4)
        def.tolerance = api_real(a, 1e-9, 1e-3);
    if (b & 8)
        def.threads = api_below(a, 5);
    if (b & 16)
        def.limit = api_int(a, 0, 4);
    def.no_sleep = (b & 32) != 0;
    return def;
}

static void keep_scene(api* a, cairn_scene* scene)
{
    api_keep_world(a, cairn_scene_world(scene), scene, 0.0);
}

static void scene_read(api* a)
{
    char path[80];
    cairn_scene* scene = NULL;
    const char* from = api_pick_path(a, path, sizeof path, ".json");
    if (from == path)
        write_text(path, scenes[api_below(a, scene_count)]);
    cairn_scene_def def = scene_def(a);
    const cairn_scene_def* given = api_chance(a, 64) ? NULL : &def;
    api_begin(a);
    if (api_end(a, cairn_scene_read(from, given, &scene, a->said), API_NOTHING))
        keep_scene(a, scene);
}

static void scene_read_text(api* a)
{
    cairn_scene* scene = NULL;
    const char* text = scenes[api_below(a, scene_count)];
    size_t size = api_chance(a, 16) ? (size_t)api_byte(a) % strlen(text) : strlen(text);
    cairn_scene_def def = scene_def(a);
    const char* given = API_OR_NULL(a, text);
    cairn_scene** place = API_OR_NULL(a, &scene);
    api_begin(a);
    if (api_end(a, cairn_scene_read_text(given, size, "session", &def, place, a->said),
                API_NOTHING))
        keep_scene(a, scene);
}

// a world that a scene owns, or -1
int api_pick_scene(api* a)
{
    int first = api_below(a, api_worlds);
    for (int i = 0; i < api_worlds; i++) {
        int w = (first + i) % api_worlds;
        if (a->worlds[w].world && a->worlds[w].scene)
            return w;
    }
    return -1;
}

// names of bodies are borrowed by the stage, which goes first
static void scene_destroy(api* a)
{
    int w = a->nested == 0 ? api_pick_scene(a) : -1;
    api_begin(a);
    if (w < 0) {
        cairn_scene_destroy(NULL);
    } else {
        cairn_stage_destroy(&a->stage);
        cairn_frame_destroy(&a->frame);
        memset(&a->stage, 0, sizeof a->stage);
        memset(&a->frame, 0, sizeof a->frame);
        cairn_scene_destroy(a->worlds[w].scene);
        a->worlds[w].world = NULL;
    }
    api_end(a, CAIRN_OK, w);
}

static void scene_world(api* a)
{
    int w = api_pick_scene(a);
    if (w < 0)
        return;
    api_begin(a);
    cairn_world* world = cairn_scene_world(a->worlds[w].scene);
    api_end(a, CAIRN_OK, API_NOTHING);
    if (world != a->worlds[w].world)
        api_broken(a, "another world than before");
}

static void scene_describe(api* a)
{
    int w = api_pick_scene(a);
    if (w < 0)
        return;
    api_begin(a);
    cairn_scene_info info = cairn_scene_describe(a->worlds[w].scene);
    api_end(a, CAIRN_OK, API_NOTHING);
    if (!(info.dt > 0.0) || !info.method)
        api_broken(a, "a step of %g s", info.dt);
}

static void scene_find(api* a)
{
    int w = api_pick_scene(a);
    if (w < 0)
        return;
    cairn_body_id id;
    const char* name = api_chance(a, 64) ? "nobody" : "b";
    api_begin(a);
    bool found = cairn_scene_find(a->worlds[w].scene, name, &id);
    api_end(a, CAIRN_OK, API_NOTHING);
    if (found)
        api_keep_body(a, w, id);
}

static void scene_find_joint(api* a)
{
    int w = api_pick_scene(a);
    if (w < 0)
        return;
    cairn_joint_id id;
    const char* name = API_OR_NULL(a, "j");
    api_begin(a);
    bool found = cairn_scene_find_joint(a->worlds[w].scene, name, &id);
    api_end(a, CAIRN_OK, API_NOTHING);
    if (found)
        api_keep_joint(a, w, id);
}

static void scene_find_sensor(api* a)
{
    int w = api_pick_scene(a);
    if (w < 0)
        return;
    cairn_sensor_id id;
    const char* name = API_OR_NULL(a, "s");
    api_begin(a);
    cairn_scene_find_sensor(a->worlds[w].scene, name, &id);
    api_end(a, CAIRN_OK, API_NOTHING);
}

static void scene_instruments(api* a)
{
    int w = api_pick_scene(a);
    if (w < 0)
        return;
    const cairn_scene* scene = a->worlds[w].scene;
    int index = api_int(a, -1, 4), count;
    const char* name = API_OR_NULL(a, "i");
    double values[CAIRN_INSTRUMENT_VALUES];
    api_begin(a);
    count = cairn_scene_instruments(scene);
    cairn_instrument told = cairn_scene_get_instrument(scene, index);
    int found = cairn_scene_find_instrument(scene, name);
    api_end(a, cairn_scene_read_instrument(scene, index, values, a->said), API_NOTHING);
    if (found >= count || told.count < 0 || told.count > CAIRN_INSTRUMENT_VALUES)
        api_broken(a, "instrument %d of %d has %d values", found, count, told.count);
}

static void scene_names(api* a)
{
    int w = api_pick_scene(a);
    if (w < 0)
        return;
    const cairn_scene* scene = API_OR_NULL(a, a->worlds[w].scene);
    cairn_body_id body = api_pick_body(a, w);
    cairn_joint_id joint = api_pick_joint(a, w);
    api_begin(a);
    const char* first = cairn_scene_body_name(scene, body);
    const char* second = cairn_scene_joint_name(scene, joint);
    api_end(a, CAIRN_OK, API_NOTHING);
    if (!first || !second || strlen(first) > 100 || strlen(second) > 100)
        api_broken(a, "a name that is none");
}

static void scene_step(api* a)
{
    int w = api_pick_scene(a);
    if (w < 0)
        return;
    cairn_step_report report;
    double dt = api_chance(a, 64) ? api_real(a, 1e-4, 0.05) : 0.01;
    cairn_scene* scene = API_OR_NULL(a, a->worlds[w].scene);
    api_begin(a);
    api_end(a, cairn_scene_step(scene, dt, &report, a->said), w);
}

// snapshots of other worlds are not for scenes
static void scene_restore(api* a)
{
    int w = api_pick_scene(a);
    if (w < 0)
        return;
    cairn_snapshot* here = NULL;
    if (cairn_world_snapshot(a->worlds[w].world, &here, NULL) != CAIRN_OK)
        return;
    cairn_scene_step(a->worlds[w].scene, 0.01, NULL, NULL);
    a->worlds[w].known = false;
    cairn_scene* scene = API_OR_NULL(a, a->worlds[w].scene);
    api_begin(a);
    api_end(a, cairn_scene_restore(scene, here, a->said), w);
    cairn_snapshot_destroy(here);
}

// clang-format off: one line for each call
const api_call api_file_calls[] = {
    {"cairn_fclib_read", fclib_read, 1},
    {"cairn_fclib_write", fclib_write, 1},
    {"cairn_fclib_write_solution", fclib_write_solution, 1},
    {"cairn_lcp_read", lcp_read, 1},
    {"cairn_lcp_read_bounds", lcp_read_bounds, 1},
    {"cairn_lcp_data_destroy", lcp_data_destroy, 1},
    {"cairn_mesh_read", mesh_read, 1},
    {"cairn_scene_read", scene_read, 1},
    {"cairn_scene_read_text", scene_read_text, 1},
    {"cairn_scene_destroy", scene_destroy, 1},
    {"cairn_scene_world", scene_world, 1},
    {"cairn_scene_describe", scene_describe, 1},
    {"cairn_scene_find", scene_find, 1},
    {"cairn_scene_find_joint", scene_find_joint, 1},
    {"cairn_scene_find_sensor", scene_find_sensor, 1},
    {"cairn_scene_instruments", scene_instruments, 1},
    {"cairn_scene_get_instrument", scene_instruments, 1},
    {"cairn_scene_find_instrument", scene_instruments, 1},
    {"cairn_scene_read_instrument", scene_instruments, 1},
    {"cairn_scene_body_name", scene_names, 1},
    {"cairn_scene_joint_name", scene_names, 1},
    {"cairn_scene_step", scene_step, 2},
    {"cairn_scene_restore", scene_restore, 1},
    {0},
};
// clang-format on
