// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// NULL where an object is needed, in the functions that read and write files.

#include "check_cairn.h"
#include <cairn/cairn.h>
#include <cairn/io.h>
#include <cairn/page.h>
#include <cairn/recording.h>
#include <string.h>

#define REFUSED(call)                                                                              \
    do {                                                                                           \
        cairn_error error = {""};                                                                  \
        cairn_error* e = &error;                                                                   \
        ck_assert_msg((call) == CAIRN_BAD_INPUT, "%s was not refused", #call);                     \
        ck_assert_msg(strstr(error.text, "NULL"), "%s: '%s'", #call, error.text);                  \
    } while (0)

static const char* const text = "{\"cairn\": 1, \"bodies\": []}";

TEST(files_and_scenes_refuse_what_is_missing)
{
    cairn_problem problem = cairn_problem_empty();
    cairn_lcp_data lcp;
    cairn_mesh* mesh;
    cairn_scene* scene = NULL;
    cairn_body_id id;
    double lambda = 0.0;
    CHECK(cairn_scene_read_text(text, strlen(text), "test", NULL, &scene, NULL) == CAIRN_OK);
    REFUSED(cairn_fclib_read("no.hdf5", NULL, e));
    REFUSED(cairn_fclib_read(NULL, &problem, e));
    REFUSED(cairn_fclib_write(NULL, &problem, NULL, false, e));
    REFUSED(cairn_fclib_write("no.hdf5", NULL, NULL, false, e));
    REFUSED(cairn_fclib_write_solution(NULL, "a", &problem, &lambda, false, e));
    REFUSED(cairn_fclib_write_solution("b", NULL, &problem, &lambda, false, e));
    REFUSED(cairn_fclib_write_solution("b", "a", NULL, &lambda, false, e));
    REFUSED(cairn_fclib_write_solution("b", "a", &problem, NULL, false, e));
    REFUSED(cairn_lcp_read("M.mtx", "q.mtx", NULL, e));
    REFUSED(cairn_lcp_read(NULL, "q.mtx", &lcp, e));
    REFUSED(cairn_lcp_read("M.mtx", NULL, &lcp, e));
    REFUSED(cairn_mesh_read("a.obj", NULL, e));
    REFUSED(cairn_mesh_read(NULL, &mesh, e));
    REFUSED(cairn_scene_read("a.json", NULL, NULL, e));
    REFUSED(cairn_scene_read(NULL, NULL, &scene, e));
    REFUSED(cairn_scene_read_text(text, strlen(text), "test", NULL, NULL, e));
    REFUSED(cairn_scene_read_text(NULL, 0, "test", NULL, &scene, e));
    REFUSED(cairn_scene_read_text(text, strlen(text), NULL, NULL, &scene, e));
    REFUSED(cairn_scene_step(NULL, 0.01, NULL, e));
    REFUSED(cairn_scene_restore(NULL, NULL, e));
    REFUSED(cairn_scene_restore(scene, NULL, e));
    cairn_lcp_data_destroy(NULL);
    cairn_scene_destroy(NULL);
    CHECK(cairn_scene_world(NULL) == NULL && cairn_scene_describe(NULL).body_count == 0);
    CHECK(!cairn_scene_find(NULL, "a", &id) && !cairn_scene_find(scene, NULL, &id));
    CHECK(!cairn_scene_find(scene, "a", NULL));
    cairn_scene_destroy(scene);
}
END

TEST(recordings_refuse_what_is_missing)
{
    cairn_scene* scene = NULL;
    cairn_stage stage = {0};
    cairn_frame frame = {0};
    cairn_stage_origin origin = {0};
    cairn_recorder* recorder;
    cairn_recording* recording;
    cairn_recorded_solve solve;
    CHECK(cairn_scene_read_text(text, strlen(text), "test", NULL, &scene, NULL) == CAIRN_OK);
    REFUSED(cairn_stage_set_origin(NULL, &origin, e));
    REFUSED(cairn_stage_set_origin(&stage, NULL, e));
    REFUSED(cairn_stage_take(NULL, scene, 0.01, e));
    REFUSED(cairn_stage_take(&stage, NULL, 0.01, e));
    REFUSED(cairn_frame_take(NULL, &stage, scene, NULL, 0.0, e));
    REFUSED(cairn_frame_take(&frame, NULL, scene, NULL, 0.0, e));
    REFUSED(cairn_frame_take(&frame, &stage, NULL, NULL, 0.0, e));
    REFUSED(cairn_recorder_create("a.h5", &stage, false, NULL, e));
    REFUSED(cairn_recorder_create(NULL, &stage, false, &recorder, e));
    REFUSED(cairn_recorder_create("a.h5", NULL, false, &recorder, e));
    REFUSED(cairn_recorder_add(NULL, &stage, &frame, e));
    REFUSED(cairn_recording_open("a.h5", NULL, e));
    REFUSED(cairn_recording_open(NULL, &recording, e));
    REFUSED(cairn_recording_open_bytes("a", 1, "a", NULL, e));
    REFUSED(cairn_recording_open_bytes(NULL, 1, "a", &recording, e));
    REFUSED(cairn_recording_open_bytes("a", 1, NULL, &recording, e));
    REFUSED(cairn_recording_show(NULL, 0, &stage, &frame, e));
    REFUSED(cairn_recording_solve(NULL, 0, 0, &solve, e));
    CHECK(cairn_recorder_destroy(NULL, NULL) == CAIRN_OK);
    cairn_recorder_solve(NULL, NULL);
    cairn_stage_destroy(NULL);
    cairn_frame_destroy(NULL);
    cairn_recording_destroy(NULL);
    cairn_recorded_solve_destroy(NULL);
    CHECK(cairn_recording_frame_count(NULL) == 0 && cairn_recording_solve_count(NULL, 0) == 0);
    cairn_scene_destroy(scene);
}
END

TEST(pages_refuse_what_is_missing)
{
    cairn_page_bytes bytes = {0};
    cairn_stage stage = {0};
    cairn_frame frame = {0};
    cairn_replay* replay;
    CHECK(cairn_replay_create(NULL, &replay, NULL) == CAIRN_OK);
    REFUSED(cairn_page_stage(&stage, NULL, e));
    REFUSED(cairn_page_stage(NULL, &bytes, e));
    REFUSED(cairn_page_frame(&stage, &frame, NULL, e));
    REFUSED(cairn_page_frame(NULL, &frame, &bytes, e));
    REFUSED(cairn_page_frame(&stage, NULL, &bytes, e));
    REFUSED(cairn_replay_create(NULL, NULL, e));
    REFUSED(cairn_replay_add(NULL, &stage, &frame, e));
    REFUSED(cairn_replay_add(replay, NULL, &frame, e));
    REFUSED(cairn_replay_add(replay, &stage, NULL, e));
    REFUSED(cairn_replay_write(NULL, "a.html", false, e));
    REFUSED(cairn_replay_write(replay, NULL, false, e));
    REFUSED(cairn_page_write_race(NULL, "{}", false, e));
    REFUSED(cairn_page_write_race("a.html", NULL, false, e));
    CHECK(cairn_replay_frames(NULL, NULL) == 0);
    cairn_page_bytes_destroy(NULL);
    cairn_page_html(NULL);
    cairn_replay_destroy(NULL);
    cairn_replay_destroy(replay);
}
END

TESTS(files_and_scenes_refuse_what_is_missing, recordings_refuse_what_is_missing,
      pages_refuse_what_is_missing)
