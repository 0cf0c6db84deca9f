// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Engines from npm, mostly WebAssembly, in node: npm/driver.mjs steps one of them in a process of
// its own and answers over a socket. It also measures the time of a step, so that neither the
// socket nor the reading of states counts. An engine takes part where `npm ci` has installed its
// package in bench/peers/npm.

#include "npm.h"
#include "suite.h"
#include "verb.h"
#include <fcntl.h>
#include <jansson.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { rapier, jolt, havok, mujoco, ammo, cannon, engine_count };
enum { driver_file = 3, numbers_per_body = 13 };

// the modules beside the driver; a choice of peer_setting is engine * per_engine + a number that
// the module understands
enum { per_engine = 1000 };
static const char* const modules[engine_count] = {"rapier", "jolt", "havok",
                                                  "mujoco", "ammo", "cannon"};

typedef struct npm_world {
    const peer_scene* scene;
    pid_t node;
    int socket;
    double* answer; ///< ms of the last step, and the numbers of all bodies
    size_t size;    ///< of the answer, bytes
} npm_world;

// ---------------------------------------------------------------- what is installed

// the folder of the driver, beside that of the scenes in the source tree
static bool driver_folder(char* folder, size_t size)
{
    char scenes[4096];
    if (!verb_scene_folder(scenes, sizeof scenes))
        return false;
    return (size_t)snprintf(folder, size, "%s/../bench/peers/npm", scenes) < size;
}

// what the package itself says; NULL when it is not there
static const char* version(const peer_engine* engine)
{
    static char texts[engine_count][32];
    char folder[4200], path[4400];
    if (!driver_folder(folder, sizeof folder))
        return NULL;

    snprintf(path, sizeof path, "%s/node_modules/%s/package.json", folder, engine->package);
    json_t* about = json_load_file(path, 0, NULL);
    const char* number = json_string_value(json_object_get(about, "version"));
    char* text = texts[engine - peer_npm];
    if (number)
        snprintf(text, sizeof texts[0], "%s", number);
    json_decref(about);
    return number ? text : NULL;
}

// ---------------------------------------------------------------- the scene as JSON

static json_t* numbers(const double* x, int n)
{
    json_t* list = json_array();
    for (int i = 0; i < n; i++)
        json_array_append_new(list, json_real(x[i]));
    return list;
}

static json_t* whole_numbers(const unsigned* x, int n)
{
    json_t* list = json_array();
    for (int i = 0; i < n; i++)
        json_array_append_new(list, json_integer(x[i]));
    return list;
}

static json_t* body_json(const peer_body* b)
{
    static const char* const shapes[] = {"sphere", "capsule", "box", "hull", "half_space"};
    const peer_state* s = &b->start;
    return json_pack("{s:s, s:o, s:o, s:o, s:f, s:o, s:f, s:b, s:o, s:o, s:o, s:o}", "shape",
                     shapes[b->shape], "size", numbers(b->size, 3), "points",
                     numbers(b->hull.points, 3 * b->hull.point_count), "polygons",
                     whole_numbers(b->hull.polygons, b->hull.polygon_size), "mass", b->mass,
                     "inertia", numbers(b->inertia, 3), "mu", b->mu, "collides", b->collides,
                     "position", numbers(s->position, 3), "quaternion", numbers(s->quaternion, 4),
                     "velocity", numbers(s->velocity, 3), "spin", numbers(s->spin, 3));
}

static char* scene_json(const peer_scene* scene)
{
    json_t *bodies = json_array(), *joints = json_array();
    for (int i = 0; i < scene->body_count; i++)
        json_array_append_new(bodies, body_json(&scene->bodies[i]));
    for (int i = 0; i < scene->joint_count; i++) {
        const peer_joint* j = &scene->joints[i];
        json_array_append_new(joints,
                              json_pack("{s:i, s:i, s:o, s:o}", "a", j->a, "b", j->b, "at_a",
                                        numbers(j->at_a, 3), "at_b", numbers(j->at_b, 3)));
    }

    json_t* all = json_pack("{s:o, s:f, s:o, s:o}", "gravity", numbers(scene->gravity, 3), "dt",
                            scene->dt, "bodies", bodies, "joints", joints);
    char* text = json_dumps(all, JSON_COMPACT | JSON_REAL_PRECISION(17));
    json_decref(all);
    return text;
}

// ---------------------------------------------------------------- talking to node

static bool send_all(int socket, const void* bytes, size_t size)
{
    for (const char* at = bytes; size > 0;) {
        ssize_t sent = send(socket, at, size, MSG_NOSIGNAL);
        if (sent <= 0)
            return false;
        at += sent;
        size -= (size_t)sent;
    }
    return true;
}

static bool receive_all(int socket, void* bytes, size_t size)
{
    for (char* at = bytes; size > 0;) {
        ssize_t got = recv(socket, at, size, 0);
        if (got <= 0)
            return false;
        at += got;
        size -= (size_t)got;
    }
    return true;
}

static _Noreturn void become_node(int socket, int choice)
{
    char folder[4200], driver[4400], number[16];
    bench_end_with_parent();
    if (!driver_folder(folder, sizeof folder) || dup2(socket, driver_file) < 0)
        _exit(127);

    // only the socket is handed on
    if (socket != driver_file)
        close(socket);
    for (int file = driver_file + 1; file < 64; file++)
        close(file);
    snprintf(driver, sizeof driver, "%s/driver.mjs", folder);
    snprintf(number, sizeof number, "%d", choice % per_engine);
    execlp("node", "node", driver, modules[choice / per_engine], number, (char*)NULL);
    _exit(127);
}

// sends the scene; false when the engine cannot make it
static bool begin(const npm_world* w)
{
    char* text = scene_json(w->scene);
    uint32_t length = (uint32_t)strlen(text);
    char made = 'n';
    bool sent = send_all(w->socket, &length, sizeof length) && send_all(w->socket, text, length);
    free(text);
    return sent && receive_all(w->socket, &made, 1) && made == 'y';
}

// ---------------------------------------------------------------- an engine

static void destroy(void* world)
{
    npm_world* w = world;
    close(w->socket); // node ends when the other side is closed
    waitpid(w->node, NULL, 0);
    free(w->answer);
    free(w);
}

static void* create(const peer_scene* scene, int choice)
{
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0)
        return NULL;

    pid_t node = fork();
    if (node == 0) {
        close(ends[0]);
        become_node(ends[1], choice);
    }
    close(ends[1]);
    if (node < 0) {
        close(ends[0]);
        return NULL;
    }

    npm_world* w = calloc(1, sizeof *w);
    w->scene = scene;
    w->node = node;
    w->socket = ends[0];
    w->size = (1 + numbers_per_body * (size_t)scene->body_count) * sizeof *w->answer;
    w->answer = calloc(1, w->size);
    if (begin(w))
        return w;
    destroy(w);
    return NULL;
}

// a driver that has died leaves no numbers
static void step(void* world, double dt)
{
    npm_world* w = world;
    (void)dt; // of the scene
    if (send_all(w->socket, "s", 1) && receive_all(w->socket, w->answer, w->size))
        return;
    for (size_t i = 1; i < w->size / sizeof *w->answer; i++)
        w->answer[i] = NAN;
}

static double step_ms(const void* world)
{
    return ((const npm_world*)world)->answer[0];
}

static void read_states(void* world, peer_state* all)
{
    const npm_world* w = world;
    _Static_assert(sizeof(peer_state) == numbers_per_body * sizeof(double),
                   "states are sent as they lie in memory");
    memcpy(all, w->answer + 1, (size_t)w->scene->body_count * sizeof *all);
}

// ---------------------------------------------------------------- the table

static const peer_setting of_rapier[] = {
    {"WASM with SIMD, 4 iterations", rapier* per_engine + 4, true, true},
    {"WASM with SIMD, 20 iterations", rapier* per_engine + 20, true, true},
    {0}};
static const peer_setting of_jolt[] = {
    {"WASM, 10 velocity and 2 position steps", jolt* per_engine + 10, true, true},
    {"WASM, 50 velocity and 10 position steps", jolt* per_engine + 50, true, true},
    {0}};
static const peer_setting of_havok[] = {{"WASM, as it comes", havok* per_engine + 0, true, true},
                                        {0}};
static const peer_setting of_mujoco[] = {
    {"WASM, Newton, elliptic cone", mujoco* per_engine + 0, true, true},
    {"WASM, Newton, elliptic cone, stiff (solimp 0.9999, impratio 100)", mujoco* per_engine + 1,
     true, false},
    {0}};
static const peer_setting of_ammo[] = {
    {"asm.js, sequential impulse, 10 iterations", ammo* per_engine + 0, true, true}, {0}};
static const peer_setting of_cannon[] = {
    {"JavaScript, 10 iterations", cannon* per_engine + 10, true, true},
    {"JavaScript, 50 iterations", cannon* per_engine + 50, true, true},
    {0}};

// all alike but for the package and its settings
const peer_engine peer_npm[] = {{"rapier", "@dimforge/rapier3d-simd-compat", version, of_rapier,
                                 NULL, create, step, read_states, destroy, NULL, step_ms},
                                {"jolt", "jolt-physics", version, of_jolt, NULL, create, step,
                                 read_states, destroy, NULL, step_ms},
                                {"havok", "@babylonjs/havok", version, of_havok, NULL, create, step,
                                 read_states, destroy, NULL, step_ms},
                                {"mujoco 3", "@mujoco/mujoco", version, of_mujoco, NULL, create,
                                 step, read_states, destroy, NULL, step_ms},
                                {"ammo.js", "ammo.js", version, of_ammo, NULL, create, step,
                                 read_states, destroy, NULL, step_ms},
                                {"cannon-es", "cannon-es", version, of_cannon, NULL, create, step,
                                 read_states, destroy, NULL, step_ms},
                                {0}};
