// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors

#include "engine_scenes.h"
#include <jansson.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>

static const double pi = 3.14159265358979323846;

// -1 to 1, the same in every run
static double random_of(unsigned* state)
{
    *state = *state * 1664525u + 1013904223u;
    return (double)(*state >> 8) / 8388608.0 - 1.0;
}

static json_t* vector(double x, double y, double z)
{
    return json_pack("[f,f,f]", x, y, z);
}

static void add_floor(json_t* bodies)
{
    json_array_append_new(
        bodies, json_pack("{s:s, s:{s:s}}", "type", "static", "shape", "kind", "half_space"));
}

// ---------------------------------------------------------------- stacks

static void add_block(json_t* bodies, double length, double height, double x, double z, double jolt,
                      unsigned* state)
{
    double v[3];
    for (int k = 0; k < 3; k++)
        v[k] = jolt * random_of(state);
    json_array_append_new(bodies, json_pack("{s:{s:s, s:[f,f,f]}, s:[f,f,f], s:[f,f,f]}", "shape",
                                            "kind", "box", "size", length, height, height, "at", x,
                                            0.0, z, "velocity", v[0], v[1], v[2]));
}

static void add_pyramid(json_t* bodies, int rows, double gap, double jolt)
{
    unsigned state = 1;
    for (int r = 0; r < rows; r++)
        for (int i = 0; i < rows - r; i++)
            add_block(bodies, 1.0, 1.0, i - 0.5 * (rows - r - 1), r + 0.5 + gap * (r + 1), jolt,
                      &state);
}

static void add_wall(json_t* bodies, int rows, double gap, double jolt)
{
    const double pitch = 1.01;
    unsigned state = 1;
    for (int r = 0; r < rows; r++)
        for (int i = 0; i < rows - r % 2; i++)
            add_block(bodies, 1.0, 0.5, pitch * (i - 0.5 * (rows - r % 2 - 1)),
                      0.5 * r + 0.25 + gap * (r + 1), jolt, &state);
}

// ---------------------------------------------------------------- heaps

// points on a sphere, along a spiral
static json_t* round_points(int count, double radius)
{
    json_t* points = json_array();
    for (int i = 0; i < count; i++) {
        double z = 1.0 - (2.0 * i + 1.0) / count, r = sqrt(1.0 - z * z), angle = 2.4 * i;
        json_array_append_new(points,
                              vector(radius * r * cos(angle), radius * r * sin(angle), radius * z));
    }
    return points;
}

// a block of hulls `pitch` m apart, the lowest layer at `height`
static void add_hulls(json_t* bodies, int points, double radius, int side, int layers, double pitch,
                      double height)
{
    json_array_append_new(bodies,
                          json_pack("{s:{s:[i,i,i], s:f, s:f, s:i}, s:{s:s, s:o}, s:[f,f,f]}",
                                    "grid", "count", side, side, layers, "pitch", pitch, "jitter",
                                    0.01, "seed", 1, "shape", "kind", "hull", "points",
                                    round_points(points, radius), "at", 0.0, 0.0, height));
}

static void add_container(json_t* bodies, double half, double height)
{
    json_array_append_new(
        bodies, json_pack("{s:s, s:{s:i, s:f}, s:{s:s, s:[f,f,f]}, s:[f,f,f]}", "type", "static",
                          "ring", "count", 4, "radius", half + 0.5, "shape", "kind", "box", "size",
                          1.0, 2.0 * half + 2.0, height, "at", 0.0, 0.0, 0.5 * height));
}

static void add_heap(json_t* bodies, int side)
{
    const double pitch = 1.1;
    add_container(bodies, 0.5 * pitch * side + 0.4, 2.0 * pitch * side);
    json_array_append_new(
        bodies, json_pack("{s:{s:[i,i,i], s:f, s:f, s:i}, s:{s:s, s:f}, s:[f,f,f]}", "grid",
                          "count", side, side, side, "pitch", pitch, "jitter", 0.04, "seed", 1,
                          "shape", "kind", "sphere", "radius", 0.5, "at", 0.0, 0.0, 1.0));
}

static void add_yard(json_t* bodies, int layers)
{
    const double half = 49.0;
    add_container(bodies, half, 16.0);
    add_hulls(bodies, 14, 1.5, 21, layers, 4.0, 26.0);
    json_array_append_new(bodies, json_pack("{s:s, s:{s:s, s:f, s:f}, s:[f,f,f], s:[f,f,f]}",
                                            "type", "kinematic", "shape", "kind", "cylinder",
                                            "radius", 4.0, "height", 24.0, "at", 35.0, 0.0, 12.0,
                                            "velocity", -3.6, 0.0, 0.0));
}

// ---------------------------------------------------------------- the drum

// a part of a ring about y: from radius r to R, from angle s to t
static json_t* drum_part(double r, double R, double s, double t)
{
    const double half = 10.0;
    json_t* points = json_array();
    for (int k = 0; k < 8; k++) {
        double radius = k & 1 ? R : r, angle = k & 2 ? t : s;
        json_array_append_new(
            points, vector(radius * cos(angle), k & 4 ? half : -half, radius * sin(angle)));
    }
    return json_pack("{s:{s:s, s:o}}", "shape", "kind", "hull", "points", points);
}

static void add_drum(json_t* bodies, int side)
{
    enum { staves = 36, blades = 4 };
    const double step = 2.0 * pi / staves, lap = 0.1 * step, size = 0.4, turn = 25.0 * pi / 180.0;
    json_t* parts = json_array();
    for (int i = 0; i < staves; i++) {
        json_array_append_new(parts, drum_part(16.0, 18.0, i * step - lap, (i + 1) * step + lap));
        if (i % (staves / blades) == 0)
            json_array_append_new(parts, drum_part(14.0, 16.0, i * step, (i + 1) * step));
    }

    json_array_append_new(bodies, json_pack("{s:s, s:{s:s, s:o}, s:[f,f,f], s:[f,f,f]}", "type",
                                            "kinematic", "shape", "kind", "compound", "parts",
                                            parts, "at", 0.0, 0.0, 21.0, "spin", 0.0, turn, 0.0));
    json_array_append_new(bodies, json_pack("{s:{s:[i,i,i], s:f}, s:{s:s, s:[f,f,f]}, s:[f,f,f]}",
                                            "grid", "count", side, side, side, "pitch", 2.0 * size,
                                            "shape", "kind", "box", "size", size, size, size, "at",
                                            0.0, 0.0, 21.0 - size * side));
}

// ---------------------------------------------------------------- joints

static void add_joint(json_t* joints, const char* kind, const char* a, const char* b, double x,
                      double y, double z)
{
    json_array_append_new(joints, json_pack("{s:s, s:s, s:s, s:[f,f,f]}", "kind", kind, "a", a, "b",
                                            b, "at", x, y, z));
}

static void add_net(json_t* bodies, json_t* joints, int side)
{
    char own[32], other[32];
    for (int k = 0; k < side; k++)
        for (int i = 0; i < side; i++) {
            snprintf(own, sizeof own, "%d %d", k, i);
            json_array_append_new(bodies,
                                  json_pack("{s:s, s:s, s:{s:s, s:f}, s:[i,i,i], s:i}", "name", own,
                                            "type", i ? "dynamic" : "static", "shape", "kind",
                                            "sphere", "radius", 0.4, "at", k, 0, -i, "mask", 0));
            snprintf(other, sizeof other, "%d %d", k, i - 1);
            if (i > 0)
                add_joint(joints, "ball", other, own, k, 0.0, 0.5 - i);
            snprintf(other, sizeof other, "%d %d", k - 1, i);
            if (i > 0 && k > 0)
                add_joint(joints, "ball", other, own, k - 0.5, 0.0, -i);
        }
}

// a limb of a figure: a capsule upright, or along y
static void add_limb(json_t* bodies, const char* name, double radius, double length, bool upright,
                     double y, double z)
{
    json_array_append_new(bodies,
                          json_pack("{s:s, s:{s:s, s:f, s:f}, s:[f,f,f], s:[f,f,f]}", "name", name,
                                    "shape", "kind", "capsule", "radius", radius, "length", length,
                                    "at", 0.0, y, z, "turn", upright ? 0.0 : 90.0, 0.0, 0.0));
}

static void add_side(json_t* bodies, json_t* joints, double side)
{
    const char *arm = side > 0.0 ? "left arm" : "right arm",
               *hand = side > 0.0 ? "left hand" : "right hand",
               *thigh = side > 0.0 ? "left thigh" : "right thigh",
               *shin = side > 0.0 ? "left shin" : "right shin";

    add_limb(bodies, arm, 0.05, 0.24, false, 0.38 * side, 1.42);
    add_limb(bodies, hand, 0.04, 0.24, false, 0.68 * side, 1.42);
    add_limb(bodies, thigh, 0.08, 0.3, true, 0.11 * side, 0.78);
    add_limb(bodies, shin, 0.06, 0.3, true, 0.11 * side, 0.36);

    add_joint(joints, "ball", "chest", arm, 0.0, 0.22 * side, 1.42);
    add_joint(joints, "ball", "chest", thigh, 0.0, 0.11 * side, 0.97);

    // elbows and knees bend one way
    json_array_append_new(joints,
                          json_pack("{s:s, s:s, s:s, s:[f,f,f], s:[f,f,f], s:[f,f]}", "kind",
                                    "hinge", "a", arm, "b", hand, "at", 0.0, 0.53 * side, 1.42,
                                    "axis", 0.0, 0.0, side, "limits", -130.0, 5.0));
    json_array_append_new(joints,
                          json_pack("{s:s, s:s, s:s, s:[f,f,f], s:[f,f,f], s:[f,f]}", "kind",
                                    "hinge", "a", thigh, "b", shin, "at", 0.0, 0.11 * side, 0.57,
                                    "axis", 0.0, 1.0, 0.0, "limits", -5.0, 130.0));
}

static void add_ragdolls(json_t* bodies, int layers)
{
    json_t *parts = json_array(), *joints = json_array();
    json_array_append_new(parts, json_pack("{s:s, s:{s:s, s:[f,f,f]}, s:[f,f,f]}", "name", "chest",
                                           "shape", "kind", "box", "size", 0.22, 0.36, 0.5, "at",
                                           0.0, 0.0, 1.25));
    json_array_append_new(parts,
                          json_pack("{s:s, s:{s:s, s:f}, s:[f,f,f]}", "name", "head", "shape",
                                    "kind", "sphere", "radius", 0.12, "at", 0.0, 0.0, 1.64));
    add_joint(joints, "ball", "chest", "head", 0.0, 0.0, 1.52);
    add_side(parts, joints, 1.0);
    add_side(parts, joints, -1.0);
    json_array_append_new(
        bodies, json_pack("{s:{s:[i,i,i], s:[f,f,f], s:f, s:i}, s:[f,f,f], s:o, s:o}", "grid",
                          "count", 5, 1, layers, "pitch", 1.2, 1.8, 2.2, "jitter", 0.05, "seed", 4,
                          "at", 0.0, 0.0, 1.0, "bodies", parts, "joints", joints));
}

// ---------------------------------------------------------------- all of them

char* engine_scene_text(engine_kind kind, int size, double gap, double jolt)
{
    json_t *bodies = json_array(), *joints = json_array();
    if (kind != ENGINE_NET)
        add_floor(bodies);

    switch (kind) {
    case ENGINE_PYRAMID:
        add_pyramid(bodies, size, gap, jolt);
        break;
    case ENGINE_WALL:
        add_wall(bodies, size, gap, jolt);
        break;
    case ENGINE_HEAP:
        add_heap(bodies, size);
        break;
    case ENGINE_NET:
        add_net(bodies, joints, size);
        break;
    case ENGINE_RAGDOLLS:
        add_ragdolls(bodies, size);
        break;
    case ENGINE_HULLS:
        add_hulls(bodies, 32, 2.0, 8, size, 4.0, 2.1);
        break;
    case ENGINE_ROCKS:
        add_yard(bodies, size);
        break;
    case ENGINE_WASHER:
        add_drum(bodies, size);
        break;
    }

    json_t* root = json_pack("{s:i, s:o, s:o}", "cairn", 1, "bodies", bodies, "joints", joints);
    char* text = json_dumps(root, JSON_REAL_PRECISION(17));
    json_decref(root);
    return text;
}
