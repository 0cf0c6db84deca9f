// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Bytes as a scene file: refused with a sentence that names the file, or read into a world that
// can take a step.

#include "fuzz.h"
#include <cairn/io.h>
#include <stdlib.h>
#include <string.h>

FUZZ_TARGET(fuzz_scene)
{
    // small enough that a step takes milliseconds
    cairn_scene_def def = {.method = "pgs", .substeps = 1, .tolerance = 0.1, .limit = 40};
    cairn_error error = {{0}};
    cairn_scene* scene = NULL;
    char* text = malloc(size + 1);
    if (!text)
        return 0;
    if (size)
        memcpy(text, data, size);
    cairn_status status = cairn_scene_read_text(text, size, "fuzz.json", &def, &scene, &error);
    free(text);
    if (status != CAIRN_OK && strncmp(error.text, "fuzz.json:", 10) != 0)
        abort();
    if (status == CAIRN_OK) {
        cairn_step_report report;
        cairn_scene_step(scene, 1.0 / 60.0, &report, &error);
        cairn_scene_destroy(scene);
    }
    return 0;
}
