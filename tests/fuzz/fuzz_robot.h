// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// What the targets of both formats of robots do with bytes.
#ifndef CAIRN_FUZZ_ROBOT_H
#define CAIRN_FUZZ_ROBOT_H

#include "fuzz.h"
#include <cairn/robot.h>
#include <stdlib.h>
#include <string.h>

// the robot in joint coordinates, and one step of its scene
static inline void fuzz_use_robot(const cairn_robot* robot)
{
    cairn_scene_def def = {.method = "pgs", .substeps = 1, .tolerance = 0.1, .limit = 60};
    cairn_multibody* model = cairn_robot_multibody(robot);
    size_t nq = (size_t)cairn_multibody_q_count(model), nv = (size_t)cairn_multibody_v_count(model);
    double *q = calloc(nq + 1, sizeof *q), *v = calloc(nv + 1, sizeof *v);
    cairn_scene* scene = NULL;
    if (q && v && nv < 200 && cairn_robot_make_scene(robot, &def, &scene, NULL) == CAIRN_OK) {
        cairn_robot_start(robot, q, v);
        cairn_multibody_inverse(model, q, v, NULL, v, NULL);
        cairn_scene_step(scene, 1e-3, NULL, NULL);
        cairn_robot_get_state(robot, scene, q, v, NULL);
        cairn_scene_destroy(scene);
    }
    free(q);
    free(v);
}

static inline void fuzz_read_robot(const uint8_t* data, size_t size, const char* name)
{
    cairn_error error = {{0}};
    cairn_robot* robot = NULL;
    char* text = malloc(size + 1);
    if (!text)
        return;
    if (size)
        memcpy(text, data, size);
    cairn_robot_def def = {.strict = size > 0 && data[size - 1] == '!'};
    cairn_status status = cairn_robot_read_text(text, size, name, &def, &robot, &error);
    free(text);
    if (status != CAIRN_OK && strncmp(error.text, name, strlen(name)) != 0)
        abort();
    if (status == CAIRN_OK)
        fuzz_use_robot(robot);
    cairn_robot_destroy(robot);
}

#endif
