// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Cairn as one of the engines: the scene file as shipped, and two other tolerances.

#include "peers/engine.h"
#include "scene_run.h"
#include <cairn/io.h>
#include <stdlib.h>
#include <string.h>

enum { shipped, fast, tight };

typedef struct own_world {
    cairn_scene* scene;
    cairn_transform* back; ///< frame of the description -> principal frame
    const peer_scene* about;
    double stages[scene_stage_count]; ///< ms, sums
} own_world;

static const char* version(const peer_engine* engine)
{
    (void)engine;
    return cairn_version();
}

static const peer_setting settings[] = {{"auto, as shipped", shipped, true, true},
                                        {"auto, one substep, tolerance 1e-3", fast, true, true},
                                        {"auto, tolerance 1e-10", tight, true, true},
                                        {NULL, 0, false, false}};

static cairn_transform place(const peer_state* s)
{
    const double *p = s->position, *q = s->quaternion;
    return (cairn_transform){{p[0], p[1], p[2]}, {q[0], q[1], q[2], q[3]}};
}

static void* create(const peer_scene* scene, int choice)
{
    own_world* w = calloc(1, sizeof *w);
    cairn_scene_def def = {0};
    cairn_error error;

    def.no_sleep = true;
    if (choice == fast)
        def.tolerance = 1e-3, def.substeps = 1;
    if (choice == tight)
        def.tolerance = 1e-10;

    w->about = scene;
    w->back = calloc((size_t)scene->body_count + 1, sizeof *w->back);
    if (cairn_scene_read_text(scene->text, strlen(scene->text), scene->name, &def, &w->scene,
                              &error) != CAIRN_OK) {
        free(w->back);
        free(w);
        return NULL;
    }

    // a description has bodies in their principal frames
    const cairn_world* world = cairn_scene_world(w->scene);
    for (int i = 0; i < scene->body_count; i++) {
        cairn_body_state body;
        cairn_body_get(world, cairn_world_body_at(world, i), &body, NULL);
        w->back[i] = cairn_transform_relative(body.pose, place(&scene->bodies[i].start));
    }

    return w;
}

static void step(void* world, double dt)
{
    own_world* w = world;
    cairn_step_report report;
    cairn_error error;
    if (cairn_scene_step(w->scene, dt, &report, &error) == CAIRN_OK)
        scene_add_stages(w->stages, &report);
}

static const double* stages(const void* world)
{
    return ((const own_world*)world)->stages;
}

static void read(void* world, peer_state* all)
{
    const own_world* w = world;
    const cairn_world* inside = cairn_scene_world(w->scene);
    for (int i = 0; i < w->about->body_count; i++) {
        cairn_body_state body;
        cairn_body_get(inside, cairn_world_body_at(inside, i), &body, NULL);
        cairn_transform x = cairn_transform_multiply(body.pose, w->back[i]);
        cairn_vec3 v = body.velocity, spin = body.spin;
        all[i] = (peer_state){{x.p.x, x.p.y, x.p.z},
                              {x.q.w, x.q.x, x.q.y, x.q.z},
                              {v.x, v.y, v.z},
                              {spin.x, spin.y, spin.z}};
    }
}

static void destroy(void* world)
{
    own_world* w = world;
    cairn_scene_destroy(w->scene);
    free(w->back);
    free(w);
}

const peer_engine peer_cairn = {"cairn", "",   version, settings, NULL, create,
                                step,    read, destroy, stages,   NULL};
