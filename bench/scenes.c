// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Problems made from geometry alone; see scenes.h. No engine runs here: a sequence of problems
// keeps its contacts and lets velocities change from step to step.

#include "scenes.h"
#include "problem/generate/generate_draft.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void give_up(const char* what)
{
    fprintf(stderr, "cairn-bench: %s\n", what);
    exit(2);
}

static cairn_vec3 up(void)
{
    return cairn_vec(0.0, 0.0, 1.0);
}

// ---------------------------------------------------------------- the pile

// Unit cubes in square layers, each on four below, neighbors of a layer side by side: one contact
// per overlap, at a random place of it. Layers of 14², 13², ... 8² cubes and 13 on top.
static void lay_pile(cairn_draft* draft)
{
    int below[14][14], here[14][14];
    const double height = 1.0, mu = 0.5;
    for (int layer = 0, side = 14; side >= 7; layer++, side--) {
        int most = side == 7 ? 13 : side * side;
        for (int i = 0; i < side * side; i++) {
            int x = i / side, y = i % side;
            double px = x - 0.5 * (side - 1), py = y - 0.5 * (side - 1),
                   pz = (layer + 0.5) * height;

            here[x][y] = -1;
            if (i >= most)
                continue;
            int cube = here[x][y] = cairn_draft_body(draft, cairn_draft_box(400.0, 1.0, 1.0, 1.0),
                                                     cairn_vec(px, py, pz));

            // on four cubes below, or with its corners on the ground
            for (int k = 0; k < 4; k++) {
                double sx = k / 2 ? 1.0 : -1.0, sy = k % 2 ? 1.0 : -1.0;
                double reach = layer ? cairn_random_range(&draft->random, 0.15, 0.35) : 0.5;
                cairn_vec3 point = cairn_vec(px + sx * reach, py + sy * reach, layer * height);
                int under = layer ? below[x + k / 2][y + k % 2] : CAIRN_WORLD_BODY;
                cairn_draft_contact(draft, under, cube, point, up(), mu);
            }

            // beside the neighbors that are there already
            double a = cairn_random_range(&draft->random, -0.3, 0.3);
            double b = cairn_random_range(&draft->random, -0.3, 0.3);
            if (x > 0 && here[x - 1][y] >= 0)
                cairn_draft_contact(draft, here[x - 1][y], cube,
                                    cairn_vec(px - 0.5, py + a, pz + b), cairn_vec(1.0, 0.0, 0.0),
                                    mu);
            if (y > 0 && here[x][y - 1] >= 0)
                cairn_draft_contact(draft, here[x][y - 1], cube,
                                    cairn_vec(px + a, py - 0.5, pz + b), cairn_vec(0.0, 1.0, 0.0),
                                    mu);
        }

        memcpy(below, here, sizeof here);
    }

    cairn_draft_gravity(draft);
    for (int i = 0; i < draft->problem.body_count; i++)
        cairn_draft_push(draft, i, cairn_scale(0.1, cairn_random_vec3(&draft->random)),
                         cairn_vec(0.0, 0.0, 0.0));
}

// ---------------------------------------------------------------- by name

static cairn_problem pile(uint64_t seed)
{
    cairn_draft draft = {.problem = cairn_problem_empty(), .random = {.state = seed}};
    draft.problem.space = 3;
    lay_pile(&draft);
    cairn_draft_finish(&draft);
    if (draft.failed)
        give_up("no memory for a scene");
    free(draft.center);
    free(draft.velocity);
    return draft.problem;
}

cairn_problem bench_scene(const char* name, uint64_t seed)
{
    cairn_generate_def def = cairn_default_generate_def("wall");
    cairn_problem problem;
    cairn_error error;
    int width = 0, height = 0;
    if (strcmp(name, "pile") == 0)
        return pile(seed);

    int parts = sscanf(name, "wall%dx%d", &width, &height);
    if (parts < 1)
        give_up("no such scene");
    def.seed = seed;
    def.width = width;
    def.height = parts > 1 ? height : width;
    def.hit = strstr(name, "-hit") ? 2.0 : 0.0;
    if (cairn_generate(&def, &problem, &error) != CAIRN_OK)
        give_up(error.text);
    return problem;
}

// ---------------------------------------------------------------- from step to step

// velocities after the last step's impulses and a frame of gravity; the impulses become the warm
// start
static void move_on(cairn_problem* problem, double* velocity, const double* lambda)
{
    const double fall = 9.81 / 60.0;
    size_t rows = (size_t)problem->row_count, numbers = 6 * (size_t)problem->body_count;
    double* change = calloc(numbers + 1, sizeof(double));
    if (!problem->warm)
        problem->warm = calloc(rows + 1, sizeof(double));
    if (!change || !problem->warm)
        give_up("no memory for a step");
    if (lambda) {
        memcpy(problem->warm, lambda, rows * sizeof(double));
        cairn_problem_body_velocity(problem, lambda, change);
    }
    for (size_t i = 0; i < numbers; i++)
        velocity[i] += change[i] - (i % 6 == 2 ? fall : 0.0);
    free(change);
}

void bench_next_step(cairn_problem* problem, double* velocity, const double* lambda)
{
    move_on(problem, velocity, lambda);
    for (int c = 0; c < problem->block_count; c++) {
        const cairn_block* block = &problem->blocks[c];
        for (int i = block->row; i < block->row + block->row_count; i++) {
            const cairn_row* row = &problem->rows[i];
            problem->b[i] = 0.0;
            for (int k = 0; k < 6; k++) {
                if (block->body_a != CAIRN_WORLD_BODY)
                    problem->b[i] += row->a[k] * velocity[6 * (ptrdiff_t)block->body_a + k];
                if (block->body_b != CAIRN_WORLD_BODY)
                    problem->b[i] += row->b[k] * velocity[6 * (ptrdiff_t)block->body_b + k];
            }
        }
    }
}
