// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Films an example program: the linker puts these functions in place of cairn_world_step and
// cairn_world_destroy (--wrap), so that every step of the unchanged program becomes a frame and the
// end of its world a page, CAIRN_FILM. Pages show scenes; a scene without bodies of its own takes
// over the state of the program's world by a snapshot before each frame.

#include <cairn/page.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

cairn_status __real_cairn_world_step(cairn_world* world, double dt, cairn_step_report* report,
                                     cairn_error* error);
void __real_cairn_world_destroy(cairn_world* world);
cairn_status __wrap_cairn_world_step(cairn_world* world, double dt, cairn_step_report* report,
                                     cairn_error* error);
void __wrap_cairn_world_destroy(cairn_world* world);

static struct {
    cairn_scene* scene;
    cairn_stage stage;
    cairn_frame frame;
    cairn_replay* replay;
} film;

static void must(cairn_status status, const cairn_error* error)
{
    if (status == CAIRN_OK)
        return;
    fprintf(stderr, "film: %s\n", error->text);
    exit(2);
}

static void begin(void)
{
    static const char text[] = "{\"cairn\": 1, \"title\": \"a program\", \"bodies\": [{\"type\": "
                               "\"static\", \"shape\": {\"kind\": \"half_space\"}}]}";
    cairn_error error;
    must(cairn_scene_read_text(text, strlen(text), "film", NULL, &film.scene, &error), &error);
    must(cairn_replay_create(NULL, &film.replay, &error), &error);
}

// the state of the world as a frame; `report` is NULL before the first step
static void expose(const cairn_world* world, double dt, const cairn_step_report* report)
{
    cairn_snapshot* state;
    cairn_error error;

    must(cairn_world_snapshot(world, &state, &error), &error);
    must(cairn_world_restore(cairn_scene_world(film.scene), state, &error), &error);
    cairn_snapshot_destroy(state);

    must(cairn_stage_take(&film.stage, film.scene, dt, &error), &error);
    must(cairn_frame_take(&film.frame, &film.stage, film.scene, report, 0.0, &error), &error);
    must(cairn_replay_add(film.replay, &film.stage, &film.frame, &error), &error);
}

cairn_status __wrap_cairn_world_step(cairn_world* world, double dt, cairn_step_report* report,
                                     cairn_error* error)
{
    cairn_step_report own;
    if (!film.scene) {
        begin();
        expose(world, dt, NULL);
    }

    cairn_status status = __real_cairn_world_step(world, dt, report ? report : &own, error);
    if (status == CAIRN_OK)
        expose(world, dt, report ? report : &own);
    return status;
}

void __wrap_cairn_world_destroy(cairn_world* world)
{
    const char* path = getenv("CAIRN_FILM");
    cairn_error error;
    if (film.replay && path)
        must(cairn_replay_write(film.replay, path, true, &error), &error);
    cairn_replay_destroy(film.replay);
    cairn_frame_destroy(&film.frame);
    cairn_stage_destroy(&film.stage);
    __real_cairn_world_destroy(world);
}
