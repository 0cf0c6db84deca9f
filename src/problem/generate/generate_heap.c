// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Spheres in an open box: square layers, each sphere in the pit of four below, every center moved a
// little at random. Spheres nearer than a small gap touch; about five contacts per sphere. Geometry
// alone makes the heap, no simulation.

#include "problem/generate/generate_draft.h"

static const double radius = 0.5;
static const double jitter = 0.02;                         // m, each way
static const double gap = 0.03;                            // m up to which spheres touch
static const double layer_height = 0.70710678118654752440; // of spheres in the pits of a square

typedef struct layers {
    int side;  // spheres along an edge of an even layer; odd layers have one less
    int count; // spheres in all
} layers;

static int side_of(const layers* heap, int layer)
{
    return layer % 2 == 0 ? heap->side : heap->side - 1;
}

static int first_of(const layers* heap, int layer)
{
    int even = heap->side * heap->side, odd = (heap->side - 1) * (heap->side - 1);
    return (layer + 1) / 2 * even + layer / 2 * odd;
}

// the sphere at place (i, j) of a layer, or -1
static int sphere_at(const layers* heap, int layer, int i, int j)
{
    int side = side_of(heap, layer);
    if (layer < 0 || i < 0 || j < 0 || i >= side || j >= side)
        return -1;
    int index = first_of(heap, layer) + i * side + j;
    return index < heap->count ? index : -1;
}

static void touch_sphere(cairn_draft* draft, int a, int b, double mu)
{
    if (a < 0 || draft->failed)
        return;
    cairn_vec3 between = cairn_sub(draft->center[b], draft->center[a]);
    double distance = cairn_norm(between);
    if (distance > 2.0 * radius + gap)
        return;
    cairn_vec3 point = cairn_add_scaled(draft->center[a], 0.5, between);
    cairn_draft_contact(draft, a, b, point, cairn_scale(1.0 / distance, between), mu);
}

// the floor z = 0 and the walls x, y = ±half
static void touch_box(cairn_draft* draft, int sphere, double half, double mu)
{
    if (draft->failed)
        return;
    cairn_vec3 c = draft->center[sphere];
    const cairn_vec3 inward[5] = {
        {0.0, 0.0, 1.0}, {1.0, 0.0, 0.0}, {-1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, -1.0, 0.0}};
    for (int k = 0; k < 5; k++) {
        double distance = cairn_dot(inward[k], c) + (k == 0 ? 0.0 : half);
        if (distance <= radius + gap)
            cairn_draft_contact(draft, CAIRN_WORLD_BODY, sphere,
                                cairn_add_scaled(c, -distance, inward[k]), inward[k], mu);
    }
}

static void place_spheres(cairn_draft* draft, const layers* heap)
{
    const double mass = 1000.0 * 4.0 / 3.0 * 3.14159265358979323846 * radius * radius * radius;
    const double turn = 1.0 / (0.4 * mass * radius * radius);
    cairn_mass ball = {1.0 / mass, cairn_mat3_diagonal(turn, turn, turn)};

    for (int layer = 0; draft->problem.body_count < heap->count && !draft->failed; layer++) {
        int side = side_of(heap, layer);
        for (int i = 0; i < side * side && draft->problem.body_count < heap->count; i++) {
            cairn_vec3 place = cairn_vec(i / side - 0.5 * (side - 1), i % side - 0.5 * (side - 1),
                                         radius + layer * layer_height);
            cairn_vec3 shift = cairn_scale(jitter, cairn_random_vec3(&draft->random));
            cairn_draft_body(draft, ball, cairn_add(place, shift));
            if (draft->failed)
                return;
        }
    }
}

void cairn_generate_heap(cairn_draft* draft, const cairn_generate_def* def)
{
    // the smallest side that makes the heap at most as many layers high
    layers heap = {.side = 1, .count = def->size};
    while (first_of(&heap, heap.side) < def->size)
        heap.side++;
    place_spheres(draft, &heap);

    for (int layer = 0; first_of(&heap, layer) < heap.count; layer++) {
        int side = side_of(&heap, layer), back = layer % 2 == 0 ? 1 : 0;
        for (int i = 0; i < side; i++)
            for (int j = 0; j < side; j++) {
                int sphere = sphere_at(&heap, layer, i, j);
                if (sphere < 0)
                    continue;

                // the four spheres below, the two before it in its own layer, and the walls
                for (int pit = 0; pit < 4; pit++)
                    touch_sphere(
                        draft, sphere_at(&heap, layer - 1, i - back + pit / 2, j - back + pit % 2),
                        sphere, def->mu);
                touch_sphere(draft, sphere_at(&heap, layer, i - 1, j), sphere, def->mu);
                touch_sphere(draft, sphere_at(&heap, layer, i, j - 1), sphere, def->mu);
                touch_box(draft, sphere, 0.5 * heap.side, def->mu);
            }
    }

    cairn_draft_gravity(draft);
}
