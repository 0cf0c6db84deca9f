// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Grains are balls of 1 m that start on a grid with some disorder, as many as fill it: at least as
// many as were asked for, and at most a layer more.
//
//     heap    a block twice as wide as high, which falls apart on the ground
//     silo    a square bin twice as high as wide, with a hole of a third of its width in the bottom
//     drum    half of a drum as long as wide, which turns at a Froude number ω² R/g of 0.05

#include "sized.h"
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { most_along = 1000 }; // of a grid

static const double pitch = 1.03, jitter = 0.01, radius = 0.5, gravity = 9.81;

static const struct {
    const char* name;
    double grains; // without a size; 0: there is a shipped scene
} scenes[] = {{"heap", 0.0}, {"silo", 1e4}, {"drum", 1e4}};

bool sized_scene(const char* name, double* grains)
{
    for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++)
        if (strcmp(name, scenes[i].name) == 0) {
            *grains = scenes[i].grains;
            return true;
        }
    return false;
}

// the grid of the grains: nx by ny by nz, its lowest layer at z
static void add_grains(FILE* file, const int n[3], double z)
{
    fprintf(
        file,
        "{\"grid\": {\"count\": [%d, %d, %d], \"pitch\": %.17g, \"jitter\": %.17g, \"seed\": 1}, "
        "\"shape\": {\"kind\": \"sphere\", \"radius\": %.17g}, \"at\": [0, 0, %.17g]}\n",
        n[0], n[1], n[2], pitch, jitter, radius, z);
}

static void add_box(FILE* file, double x, double y, double z, double a, double b, double c)
{
    fprintf(file,
            "{\"type\": \"static\", \"glass\": true, \"shape\": {\"kind\": \"box\", "
            "\"size\": [%.17g, %.17g, %.17g]}, \"at\": [%.17g, %.17g, %.17g]},\n",
            a, b, c, x, y, z);
}

static void write_heap(FILE* file, double grains)
{
    int wide = (int)ceil(cbrt(2.0 * grains));
    const int n[3] = {wide, wide, (int)ceil(grains / ((double)wide * wide))};
    add_grains(file, n, radius + jitter);
}

static void write_silo(FILE* file, double grains)
{
    int wide = (int)ceil(cbrt(0.5 * grains));
    const int n[3] = {wide, wide, (int)ceil(grains / ((double)wide * wide))};
    double w = wide * pitch + 2.0 * jitter, h = 1.2 * n[2] * pitch + 4.0, t = 2.0;
    double hole = w / 3.0, rim = 0.5 * (w - hole),
           z = 0.5 * w + 2.0; // of the bottom, above the ground

    // four walls, and the bottom about its hole
    add_box(file, -0.5 * (w + t), 0.0, z + 0.5 * h, t, w + 2.0 * t, h);
    add_box(file, 0.5 * (w + t), 0.0, z + 0.5 * h, t, w + 2.0 * t, h);
    add_box(file, 0.0, -0.5 * (w + t), z + 0.5 * h, w, t, h);
    add_box(file, 0.0, 0.5 * (w + t), z + 0.5 * h, w, t, h);
    add_box(file, -0.5 * (w - rim), 0.0, z - 0.5 * t, rim, w, t);
    add_box(file, 0.5 * (w - rim), 0.0, z - 0.5 * t, rim, w, t);
    add_box(file, 0.0, -0.5 * (w - rim), z - 0.5 * t, hole, rim, t);
    add_box(file, 0.0, 0.5 * (w - rim), z - 0.5 * t, hole, rim, t);
    add_grains(file, n, z + radius + jitter);
}

static void write_drum(FILE* file, double grains)
{
    enum { segments = 64 };
    const double froude = 0.05;

    // a box of grains of sides a, 2 a, a/2 (across, along, up) lies within a drum of radius 0.75 a
    // and length 2 a, on a chord at 0.7 of the radius below its axis
    int side = (int)ceil(cbrt(grains));
    const int n[3] = {side, 2 * side, (int)ceil(grains / (2.0 * (double)side * side))};
    double a = side * pitch + 1.0, R = 0.75 * a, half = a + 1.0, t = 2.0;
    double spin = sqrt(froude * gravity / R), z = R + t + 1.0;
    fprintf(
        file,
        "{\"type\": \"kinematic\", \"glass\": true, \"at\": [0, 0, %.17g], \"turn\": [90, 0, 0], "
        "\"spin\": [0, %.17g, 0], \"shape\": {\"kind\": \"revolve\", \"segments\": %d, \"pieces\": "
        "[[[%.17g, %.17g], [%.17g, %.17g], [%.17g, %.17g], [%.17g, %.17g]], "
        "[[0, %.17g], [%.17g, %.17g], [%.17g, %.17g], [0, %.17g]], "
        "[[0, %.17g], [%.17g, %.17g], [%.17g, %.17g], [0, %.17g]]]}},\n",
        z, spin, segments, R, -half, R + t, -half, R + t, half, R, half, half, R + t, half, R + t,
        half + t, half + t, -half - t, R + t, -half - t, R + t, -half, -half);
    add_grains(file, n, z - 0.7 * R + radius);
}

cairn_status sized_write(const char* name, double grains, char* path, size_t room,
                         cairn_error* error)
{
    if (!(grains >= 1.0 && grains <= 1e8))
        return cairn_fail(error, CAIRN_BAD_INPUT, "--size is %g, expected 1 to 1e8 grains", grains);

    // the scene is a temporary file, which the caller deletes
    const char* where = getenv("TMPDIR");
    snprintf(path, room, "%.2000s/cairn-%s-XXXXXX.json", where && *where ? where : "/tmp", name);
    int handle = mkstemps(path, (int)strlen(".json"));
    FILE* file = handle >= 0 ? fdopen(handle, "w") : NULL;
    if (!file) {
        cairn_status status =
            cairn_fail(error, CAIRN_NO_FILE, "%s cannot be made: %s", path, strerror(errno));
        if (handle >= 0)
            close(handle);
        return status;
    }

    // ground and material are the same for all
    fprintf(file,
            "{\"cairn\": 1, \"title\": \"%s of %.3g grains\", \"run\": {\"time\": 2},\n"
            "\"defaults\": {\"material\": {\"mu\": 0.5}},\n\"bodies\": [\n"
            "{\"type\": \"static\", \"shape\": {\"kind\": \"half_space\"}},\n",
            name, grains);
    if (strcmp(name, "heap") == 0)
        write_heap(file, grains);
    else if (strcmp(name, "silo") == 0)
        write_silo(file, grains);
    else
        write_drum(file, grains);

    // an error shows at the latest when the buffer is flushed by fclose
    fputs("]}\n", file);
    bool written = !ferror(file);
    written = fclose(file) == 0 && written;
    return written ? CAIRN_OK
                   : cairn_fail(error, CAIRN_NO_FILE, "%s cannot be written: %s", path,
                                strerror(errno));
}
