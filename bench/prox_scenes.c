// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Erleben's scenes by what the publication says of them: 49, 81 and 362 bodies, spheres of 68 kg,
// jacks of 35 kg, friction 0.75, steps of 0.01 s by Moreau's midpoint rule, no stabilization. It
// does not say how large the blocks of tower and wall are: these have the density of water, like
// those of our other scenes (1,800 and 250 kg). A container stands for the glass that spheres and
// jacks were poured into, and the small torsional friction (0.01 m) is left out. The engine takes
// the impulses of a heap as they are after 32 sweeps, as in our other scenes of heaps: that makes
// the motion, not what the variants solve.

#include "prox_scenes.h"
#include <stdlib.h>
#include <string.h>

// JSON with the quotes of C in place of its own
typedef struct quoted_scene {
    const char *name, *text;
} quoted_scene;

#define SCENE(options)                                                                             \
    "{'cairn': 1, 'run': {'time': 4.5, 'dt': 0.01, 'tolerance': 1e-3, 'integrator': 'moreau',"     \
    " 'stabilization': 'none', 'rest_pass': false, 'sleep': false" options "},"                    \
    " 'defaults': {'material': {'mu': 0.75}},"
#define STRUCTURE SCENE("")
#define HEAP SCENE(", 'sweeps': 32")
#define FLOOR "{'type': 'static', 'shape': {'kind': 'half_space'}}"

static const quoted_scene scenes[prox_scene_count] = {
    // layers of three boxes, every other layer crosswise, one on top
    {"tower", STRUCTURE
     " 'shapes': {'beam': {'kind': 'box', 'size': [3, 1, 0.6]}}, 'bodies': [" FLOOR ","
     " {'repeat': {'count': 8, 'step': [0, 0, 1.2]}, 'bodies': ["
     "  {'repeat': {'count': 3, 'step': [0, 1.05, 0]}, 'at': [0, -1.05, 0.3], 'shape': 'beam'},"
     "  {'repeat': {'count': 3, 'step': [1.05, 0, 0]}, 'at': [-1.05, 0, 0.9], 'shape': 'beam',"
     "   'turn': [0, 0, 90]}]},"
     " {'shape': 'beam', 'at': [0, 0, 9.9]}]}"},
    // nine rows of nine bricks, every other row shifted by half a brick
    {"wall81",
     STRUCTURE " 'shapes': {'brick': {'kind': 'box', 'size': [1, 0.5, 0.5]}}, 'bodies': [" FLOOR ","
               " {'repeat': {'count': 5, 'step': [0, 0, 1]}, 'at': [0, 0, 0.25], 'bodies': ["
               "  {'repeat': {'count': 9, 'step': [1.01, 0, 0]}, 'shape': 'brick'}]},"
               " {'repeat': {'count': 4, 'step': [0, 0, 1]}, 'at': [0.505, 0, 0.75], 'bodies': ["
               "  {'repeat': {'count': 9, 'step': [1.01, 0, 0]}, 'shape': 'brick'}]}]}"},
    {"spheres",
     HEAP " 'shapes': {'ball': {'kind': 'sphere', 'radius': 0.2532}}, 'bodies': [" FLOOR ","
          " {'type': 'static', 'ring': {'count': 4, 'radius': 2.2}, 'at': [0, 0, 5],"
          "  'shape': {'kind': 'box', 'size': [1, 6, 10]}},"
          " {'grid': {'count': [6, 6, 10], 'pitch': 0.56, 'jitter': 0.02, 'seed': 1}, 'mass': 68,"
          "  'shape': 'ball', 'at': [0, 0, 0.5]},"
          " {'repeat': {'count': 2, 'step': [0.6, 0, 0]}, 'mass': 68, 'shape': 'ball',"
          "  'at': [-0.3, 0, 6.2]}]}"},
    {"jacks", HEAP
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
