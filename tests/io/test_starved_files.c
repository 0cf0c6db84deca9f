// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Every request for memory that reading and writing make fails once: the status is CAIRN_NO_MEMORY,
// nothing leaks, and no half-written file is left. The linker sends the requests of our libraries
// here (--wrap), and Jansson is given the same functions; HDF5 and zlib have their own.

#include "check_cairn.h"
#include "wrapped_memory.h"
#include <cairn/generate.h>
#include <cairn/io.h>
#include <cairn/page.h>
#include <dirent.h>
#include <errno.h>
#include <jansson.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool harmless; // the request that failed was not needed: the action has said so

// ---------------------------------------------------------------- failing once

static char folder[256];

static void path_in(char* path, const char* name)
{
    snprintf(path, PATH_MAX, "%s/%s", folder, name);
}

static int files(void)
{
    int count = 0;
    DIR* all = opendir(folder);
    while (readdir(all))
        count++;
    closedir(all);
    return count - 2;
}

typedef cairn_status (*action)(const char* what, cairn_error* error);

// How many requests failed before the action ended well. With many of them every n-th is tried, so
// that a test takes seconds; the first and the last are among them.
static long starve(action act, const char* what, long most)
{
    cairn_error error = {""};
    long before = memory_blocks(), start = memory_requests();
    int kept = files();

    // with all its memory: how many requests there are
    memory_fail_after(-1);
    ck_assert_msg(act(what, &error) == CAIRN_OK, "%s: %s", what, error.text);
    long count = memory_requests() - start, stride = 1 + count / CHECK_FEWER(most, most / 3),
         tried = 0;
    ck_assert_msg(memory_blocks() == before, "%s leaks %ld blocks", what, memory_blocks() - before);
    ck_assert_int_gt(count, 0);

    for (long k = 1; k <= count; k += stride) {
        memory_fail_after(k - 1);
        error.text[0] = 0;
        harmless = false;

        cairn_status status = act(what, &error);
        bool struck = memory_failed();
        memory_fail_after(-1);

        // it is told, and nothing is left
        ck_assert_msg(status == CAIRN_NO_MEMORY || (status == CAIRN_OK && (harmless || !struck)),
                      "%.40s: request %ld of %ld fails: status %d, '%s'", what, k, count, status,
                      error.text);
        ck_assert_msg(status == CAIRN_OK || strlen(error.text) > 5,
                      "%s: request %ld fails without a sentence", what, k);
        ck_assert_msg(memory_blocks() == before, "%s: request %ld fails and leaks %ld blocks", what,
                      k, memory_blocks() - before);
        ck_assert_msg(files() == kept, "%s: request %ld fails and leaves a file", what, k);
        tried++;
    }
    return tried;
}

// Jansson goes on when the buffer of a token cannot grow: what it says then is not ours
static void* request_of_jansson(size_t size)
{
    bool before = memory_failed();
    void* memory = memory_take(size);
    harmless = harmless || memory_failed() != before;
    return memory;
}

static void start(void)
{
    json_set_alloc_funcs(request_of_jansson, memory_give);
    snprintf(folder, sizeof folder, "%s/cairn-starved-XXXXXX", check_cairn_folder());
    CHECK(mkdtemp(folder) != NULL);
}

static void end(void)
{
    DIR* all = opendir(folder);
    struct dirent* entry;
    while ((entry = readdir(all))) {
        char path[PATH_MAX];
        path_in(path, entry->d_name);
        unlink(path);
    }
    closedir(all);
    rmdir(folder);
}

// ---------------------------------------------------------------- scenes

static cairn_status read_text(const char* text, cairn_error* error)
{
    cairn_scene* scene = NULL;
    cairn_status status =
        cairn_scene_read_text(text, strlen(text), "scene.json", NULL, &scene, error);
    cairn_scene_destroy(scene);
    return status;
}

static cairn_status read_scene(const char* name, cairn_error* error)
{
    char path[PATH_MAX];
    cairn_scene* scene = NULL;
    snprintf(path, sizeof path, "%s/scenes/%s.json", CAIRN_SOURCE_DIR, name);
    cairn_status status = cairn_scene_read(path, NULL, &scene, error);
    cairn_scene_destroy(scene);
    return status;
}

// every kind of shape, names, layouts, late bodies, joints
static const char everything[] =
    "{\"cairn\": 1, \"title\": \"all\", \"group\": \"g\", \"materials\": {\"m\": {\"mu\": 0.5}}, "
    "\"shapes\": {\"s\": {\"kind\": \"box\", \"size\": [1, 1, 1]}}, \"bodies\": ["
    "{\"type\": \"static\", \"glass\": true, \"shape\": {\"kind\": \"half_space\"}},"
    "{\"name\": \"a\", \"shape\": \"s\", \"at\": [0, 0, 5]},"
    "{\"name\": \"b\", \"shape\": {\"kind\": \"hull\", \"points\": [[0,0,0],[1,0,0],[0,1,0],"
    "[0,0,1]]}, \"at\": [3, 0, 5]},"
    "{\"type\": \"static\", \"shape\": {\"kind\": \"mesh\", \"vertices\": [[0,0,0],[1,0,0],"
    "[0,1,0]], \"triangles\": [[0,1,2]]}, \"at\": [6, 0, 5]},"
    "{\"type\": \"static\", \"shape\": {\"kind\": \"height_field\", \"count_x\": 2, \"count_y\": "
    "2, \"heights\": [0, 0, 0, 0]}, \"at\": [9, 0, 5]},"
    "{\"shape\": {\"kind\": \"compound\", \"parts\": [{\"shape\": \"s\"}, {\"shape\": \"s\", "
    "\"at\": [1, 0, 0]}]}, \"at\": [12, 0, 5]},"
    "{\"name\": \"late\", \"enter\": 1, \"shape\": \"s\", \"at\": [0, 5, 5]}],"
    "\"joints\": [{\"kind\": \"ball\", \"a\": \"a\", \"b\": \"b\", \"at\": [1, 0, 5]}]}";

TEST(reading_a_scene_survives_every_missing_byte)
{
    start();
    ck_assert_int_gt(starve(read_text, everything, 2000), 100);
    static const char* const names[] = {"fourbar", "tree127", "chalices", "ragdolls",
                                        "wall",    "chain",   "arch"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        starve(read_scene, names[i], 120);
    end();
}
END

// ---------------------------------------------------------------- problems

static cairn_problem problem;
static double impulses[4096];

static void make_problem(void)
{
    cairn_generate_def def = cairn_default_generate_def("wall");
    def.width = def.height = 3;
    CHECK(cairn_generate(&def, &problem, NULL) == CAIRN_OK);
    CHECK(problem.row_count < 4096);
}

static cairn_status write_problem(const char* name, cairn_error* error)
{
    char path[PATH_MAX];
    path_in(path, name);
    cairn_status status = cairn_fclib_write(path, &problem, impulses, false, error);
    if (status == CAIRN_OK)
        unlink(path);
    return status;
}

static cairn_status read_problem(const char* name, cairn_error* error)
{
    char path[PATH_MAX];
    cairn_problem read;
    path_in(path, name);
    cairn_status status = cairn_fclib_read(path, &read, error);
    if (status == CAIRN_OK)
        cairn_problem_destroy(&read);
    return status;
}

static cairn_status write_solution(const char* name, cairn_error* error)
{
    char input[PATH_MAX], path[PATH_MAX];
    path_in(input, name);
    path_in(path, "solved.hdf5");
    cairn_status status = cairn_fclib_write_solution(path, input, &problem, impulses, false, error);
    if (status == CAIRN_OK)
        unlink(path);
    return status;
}

TEST(problems_are_written_and_read_whole_or_not_at_all)
{
    char path[PATH_MAX];
    start();
    make_problem();
    starve(write_problem, "new.hdf5", 400);
    path_in(path, "wall.hdf5");
    CHECK(cairn_fclib_write(path, &problem, impulses, false, NULL) == CAIRN_OK);
    starve(read_problem, "wall.hdf5", 400);
    starve(write_solution, "wall.hdf5", 400);
    cairn_problem_destroy(&problem);
    end();
}
END

// ---------------------------------------------------------------- matrices and meshes

static void write_text(const char* name, const char* text)
{
    char path[PATH_MAX];
    path_in(path, name);
    FILE* file = fopen(path, "w");
    fputs(text, file);
    fclose(file);
}

static cairn_status read_lcp(const char* name, cairn_error* error)
{
    char path[PATH_MAX], q[PATH_MAX];
    cairn_lcp_data lcp;
    path_in(path, name);
    path_in(q, "q.mtx");
    cairn_status status = cairn_lcp_read(path, q, &lcp, error);
    if (status == CAIRN_OK)
        cairn_lcp_data_destroy(&lcp);
    return status;
}

static cairn_status read_mesh(const char* name, cairn_error* error)
{
    char path[PATH_MAX];
    cairn_mesh* mesh = NULL;
    path_in(path, name);
    cairn_status status = cairn_mesh_read(path, &mesh, error);
    cairn_mesh_destroy(mesh);
    return status;
}

TEST(matrices_and_meshes_are_read_whole_or_not_at_all)
{
    start();
    write_text("M.mtx", "%%MatrixMarket matrix array real general\n2 2\n2\n1\n1\n2\n");
    write_text("q.mtx", "%%MatrixMarket matrix array real general\n2 1\n-5\n-6\n");
    write_text("a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n");
    write_text("a.stl", "solid s\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\n"
                        "vertex 0 1 0\nendloop\nendfacet\nendsolid s\n");
    starve(read_lcp, "M.mtx", 400);
    starve(read_mesh, "a.obj", 400);
    starve(read_mesh, "a.stl", 400);
    end();
}
END

// ---------------------------------------------------------------- recordings and pages

static cairn_scene* scene; // that is shown
static cairn_stage stage;
static cairn_frame frame;

static void open_scene(const char* name)
{
    char path[PATH_MAX];
    cairn_stage_origin origin = {.name = name, .text = "{}", .text_size = 2};
    snprintf(path, sizeof path, "%s/scenes/%s.json", CAIRN_SOURCE_DIR, name);
    CHECK(cairn_scene_read(path, NULL, &scene, NULL) == CAIRN_OK);
    CHECK(cairn_stage_set_origin(&stage, &origin, NULL) == CAIRN_OK);
    CHECK(cairn_stage_take(&stage, scene, 1.0 / 60.0, NULL) == CAIRN_OK);
    CHECK(cairn_frame_take(&frame, &stage, scene, NULL, 0.0, NULL) == CAIRN_OK);
}

static void close_scene(void)
{
    cairn_scene_destroy(scene);
    cairn_stage_destroy(&stage);
    cairn_frame_destroy(&frame);
    scene = NULL;
    stage = (cairn_stage){0};
    frame = (cairn_frame){0};
}

// a problem of its own, shown as a step would show it
static cairn_status record(const char* name, cairn_error* error)
{
    char path[PATH_MAX];
    cairn_recorder* recorder = NULL;
    int slots[64];
    for (int i = 0; i < 64; i++)
        slots[i] = i;
    path_in(path, name);
    cairn_status status = cairn_recorder_create(path, &stage, false, &recorder, error);
    for (int i = 0; i < 3 && status == CAIRN_OK; i++) {
        cairn_island_solve solve = {.problem = &problem, .lambda = impulses, .slot = slots};
        cairn_recorder_solve(recorder, &solve);
        status = cairn_recorder_add(recorder, &stage, &frame, error);
    }
    bool sound = status == CAIRN_OK && !memory_failed();
    cairn_status closed = cairn_recorder_destroy(recorder, status == CAIRN_OK ? error : NULL);

    // without memory the file is not packed at its end; all of it is there
    struct stat about;
    harmless = sound && closed == CAIRN_OK && stat(path, &about) == 0 && about.st_size > 1000;
    unlink(path);
    return status == CAIRN_OK ? closed : status;
}

static cairn_status play(const char* name, cairn_error* error)
{
    char path[PATH_MAX];
    cairn_recording* recording = NULL;
    cairn_stage shown = {0};
    cairn_frame at = {0};
    path_in(path, name);
    cairn_status status = cairn_recording_open(path, &recording, error);
    for (int i = 0; status == CAIRN_OK && i < cairn_recording_frame_count(recording); i++) {
        status = cairn_recording_show(recording, i, &shown, &at, error);
        int count = status == CAIRN_OK ? cairn_recording_solve_count(recording, i) : 0;
        if (count < 0)
            status = cairn_fail(error, CAIRN_NO_MEMORY, "the solves cannot be counted");
        for (int k = 0; status == CAIRN_OK && k < count; k++) {
            cairn_recorded_solve solve;
            status = cairn_recording_solve(recording, i, k, &solve, error);
            if (status == CAIRN_OK)
                cairn_recorded_solve_destroy(&solve);
        }
    }
    cairn_frame_destroy(&at);
    cairn_stage_destroy(&shown);
    cairn_recording_destroy(recording);
    return status;
}

TEST(recordings_are_made_and_read_whole_or_not_at_all)
{
    char path[PATH_MAX];
    cairn_recorder* recorder = NULL;
    start();
    make_problem();
    open_scene("fourbar");
    starve(record, "new.h5", 400);
    path_in(path, "run.h5");
    cairn_step_report report;
    CHECK(cairn_recorder_create(path, &stage, false, &recorder, NULL) == CAIRN_OK);
    cairn_world_set_solve_hook(cairn_scene_world(scene), cairn_recorder_solve, recorder);
    for (int i = 0; i < 4; i++) {
        CHECK(cairn_scene_step(scene, 1.0 / 60.0, &report, NULL) == CAIRN_OK);
        CHECK(cairn_frame_take(&frame, &stage, scene, &report, 1.0, NULL) == CAIRN_OK);
        CHECK(cairn_recorder_add(recorder, &stage, &frame, NULL) == CAIRN_OK);
    }
    CHECK(cairn_recorder_destroy(recorder, NULL) == CAIRN_OK);
    starve(play, "run.h5", 600);
    close_scene();
    cairn_problem_destroy(&problem);
    end();
}
END

static cairn_status write_page(const char* name, cairn_error* error)
{
    char path[PATH_MAX];
    cairn_replay* replay = NULL;
    path_in(path, name);
    cairn_status status = cairn_replay_create(NULL, &replay, error);
    for (int i = 0; i < 3 && status == CAIRN_OK; i++)
        status = cairn_replay_add(replay, &stage, &frame, error);
    if (status == CAIRN_OK)
        status = cairn_replay_write(replay, path, false, error);
    cairn_replay_destroy(replay);

    // without memory the camera counts the outliers too: the page is whole
    struct stat about;
    harmless = harmless || (status == CAIRN_OK && stat(path, &about) == 0);
    if (status == CAIRN_OK)
        unlink(path);
    return status;
}

TEST(pages_are_written_whole_or_not_at_all)
{
    start();
    static const char* const names[] = {"chalices", "fourbar"};
    for (int i = 0; i < 2 && cairn_page_check(NULL) == CAIRN_OK; i++) {
        open_scene(names[i]);
        starve(write_page, "page.html", 400);
        close_scene();
    }
    end();
}
END

TESTS(reading_a_scene_survives_every_missing_byte,
      problems_are_written_and_read_whole_or_not_at_all,
      recordings_are_made_and_read_whole_or_not_at_all,
      matrices_and_meshes_are_read_whole_or_not_at_all, pages_are_written_whole_or_not_at_all)
