// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Erleben's scenes by what the publication says of them: 49, 81 and 362 bodies, spheres of 68 kg,
// jacks of 35 kg, glasses of 91 kg, friction 0.75 and torsional friction 0.01 m, steps of 0.01 s by
// Moreau's midpoint rule, no stabilization. It does not say how large the blocks of tower and wall
// are: these have the density of water, like those of our other scenes (1,800 and 250 kg). The 362
// spheres are a part of the published 1,730. A container stands for the glass that spheres, jacks
// and glasses were poured into. Glasses are stems and bowls of convex parts instead of tetrahedra.
// The engine moves heaps by `prox`, structures by its own choice: that makes the motion, not what
// the variants solve.

#include "prox_scenes.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// JSON with the quotes of C in place of its own
typedef struct quoted_scene {
    const char* name;
    int bodies; // dynamic ones, as published
    const char* text;
} quoted_scene;

#define SCENE(options)                                                                             \
    "{'cairn': 1, 'run': {'time': 4.5, 'dt': 0.01, 'substeps': 1, 'tolerance': 1e-3, "             \
    "'integrator': 'moreau',"                                                                      \
    " 'stabilization': 'none', 'rest_pass': false, 'sleep': false" options "},"                    \
    " 'defaults': {'material': {'mu': 0.75, 'mu_spin': 0.01}},"
#define STRUCTURE SCENE("")
#define HEAP SCENE(", 'method': 'prox'")
#define FLOOR "{'type': 'static', 'shape': {'kind': 'half_space'}}"

static const quoted_scene scenes[prox_scene_count] = {
    // layers of three boxes, every other layer crosswise, one on top
    {"tower", 49,
     STRUCTURE
     " 'shapes': {'beam': {'kind': 'box', 'size': [3, 1, 0.6]}}, 'bodies': [" FLOOR ","
     " {'repeat': {'count': 8, 'step': [0, 0, 1.2]}, 'bodies': ["
     "  {'repeat': {'count': 3, 'step': [0, 1.05, 0]}, 'at': [0, -1.05, 0.3], 'shape': 'beam'},"
     // the step of a turned element turns with it
     "  {'repeat': {'count': 3, 'step': [0, -1.05, 0]}, 'at': [-1.05, 0, 0.9], 'shape': 'beam',"
     "   'turn': [0, 0, 90]}]},"
     " {'shape': 'beam', 'at': [0, 0, 9.9]}]}"},
    // nine rows of nine bricks, every other row shifted by half a brick
    {"wall81", 81,
     STRUCTURE " 'shapes': {'brick': {'kind': 'box', 'size': [1, 0.5, 0.5]}}, 'bodies': [" FLOOR ","
               " {'repeat': {'count': 5, 'step': [0, 0, 1]}, 'at': [0, 0, 0.25], 'bodies': ["
               "  {'repeat': {'count': 9, 'step': [1.01, 0, 0]}, 'shape': 'brick'}]},"
               " {'repeat': {'count': 4, 'step': [0, 0, 1]}, 'at': [0.505, 0, 0.75], 'bodies': ["
               "  {'repeat': {'count': 9, 'step': [1.01, 0, 0]}, 'shape': 'brick'}]}]}"},
    {"spheres", 362,
     HEAP " 'shapes': {'ball': {'kind': 'sphere', 'radius': 0.2532}}, 'bodies': [" FLOOR ","
          " {'type': 'static', 'ring': {'count': 4, 'radius': 2.2}, 'at': [0, 0, 5],"
          "  'shape': {'kind': 'box', 'size': [1, 6, 10]}},"
          " {'grid': {'count': [6, 6, 10], 'pitch': 0.56, 'jitter': 0.02, 'seed': 1}, 'mass': 68,"
          "  'shape': 'ball', 'at': [0, 0, 0.5]},"
          " {'repeat': {'count': 2, 'step': [0.6, 0, 0]}, 'mass': 68, 'shape': 'ball',"
          "  'at': [-0.3, 0, 6.2]}]}"},
    {"jacks", 362,
     HEAP
     " 'shapes': {'bar': {'kind': 'capsule', 'radius': 0.07, 'length': 0.7},"
     "  'jack': {'kind': 'compound', 'parts': [{'shape': 'bar'},"
     "   {'shape': 'bar', 'turn': [90, 0, 0]}, {'shape': 'bar', 'turn': [0, 90, 0]}]}},"
     " 'bodies': [" FLOOR ","
     " {'type': 'static', 'ring': {'count': 4, 'radius': 3.3}, 'at': [0, 0, 6],"
     "  'shape': {'kind': 'box', 'size': [1, 8, 12]}},"
     " {'grid': {'count': [6, 6, 10], 'pitch': 0.9, 'jitter': 0.02, 'tumble': true, 'seed': 1},"
     "  'mass': 35, 'shape': 'jack', 'at': [0, 0, 0.5]},"
     " {'repeat': {'count': 2, 'step': [0.9, 0, 0]}, 'mass': 35, 'shape': 'jack',"
     "  'at': [-0.45, 0, 9.6]}]}"},
    {"glasses", 362,
     HEAP
     " 'shapes': {'glass': {'kind': 'revolve', 'segments': 8, 'pieces': ["
     "   [[0, 0], [0.2, 0], [0.2, 0.04], [0, 0.04]], [[0, 0.04], [0.05, 0.04], [0.05, 0.4], [0, "
     "0.4]],"
     "   [[0, 0.4], [0.05, 0.4], [0.2, 0.5], [0, 0.5]],"
     "   [[0.16, 0.5], [0.2, 0.5], [0.24, 0.85], [0.2, 0.85]]]}},"
     " 'bodies': [" FLOOR ","
     " {'type': 'static', 'ring': {'count': 4, 'radius': 2.7}, 'at': [0, 0, 6],"
     "  'shape': {'kind': 'box', 'size': [1, 6, 14]}},"
     " {'grid': {'count': [6, 6, 10], 'pitch': [0.6, 0.6, 1], 'jitter': 0.02, 'seed': 1},"
     "  'at': [0, 0, 0.2], 'bodies': [{'mass': 91, 'shape': 'glass', 'turn': [10, 0, 0]}]},"
     " {'repeat': {'count': 2, 'step': [0.6, 0, 0]}, 'mass': 91, 'shape': 'glass',"
     "  'at': [-0.3, 0, 10.5]}]}"},
};

const char* prox_scene_name(int index)
{
    return scenes[index].name;
}

scene_run prox_scene_open(int index)
{
    char* text = strdup(scenes[index].text);
    if (!text)
        exit(2);
    for (char* c = text; *c; c++)
        *c = *c == '\'' ? '"' : *c;
    scene_run run = scene_open_text(text);
    free(text);
    return run;
}

static int count_moving(const cairn_world* world)
{
    int count = 0;
    for (int slot = 0; slot < cairn_world_body_slots(world); slot++) {
        cairn_body_state state;
        if (cairn_body_get(world, cairn_world_body_at(world, slot), &state, NULL) == CAIRN_OK)
            count += isfinite(state.mass);
    }
    return count;
}

bool prox_scene_sound(int index, char* why, size_t size)
{
    // a solve to 1e-3 leaves velocities of 1e-3 g dt: bodies whose mean height is above 1 m may
    // rise by 1e-3 g dt² = 1e-6 m within the step
    const double deepest = 1e-6, gain = 1e-6;
    scene_run run = prox_scene_open(index);
    int bodies = count_moving(run.world);
    double before = scene_energy(&run);
    scene_step(&run);
    double after = scene_energy(&run);
    bool sound = bodies == scenes[index].bodies && run.penetration <= deepest &&
                 after <= before + gain * fabs(before);
    snprintf(why, size,
             "%s: %d bodies (published %d), overlap %.2g m after a step, energy %.6g J before and "
             "%.6g J after it",
             scenes[index].name, bodies, scenes[index].bodies, run.penetration, before, after);
    scene_close(&run);
    return sound;
}
