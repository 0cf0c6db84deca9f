// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Scenes made from geometry alone; see scenes.h. No engine runs here: a sequence of problems keeps
// its contacts and lets velocities, pushes and points of contact change from step to step.

#include "scenes.h"
#include "problem/generate_draft.h"
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
            for (int k = 0; k < 4; k++) {
                double sx = k / 2 ? 1.0 : -1.0, sy = k % 2 ? 1.0 : -1.0;
                double reach = layer ? cairn_random_range(&draft->random, 0.15, 0.35) : 0.5;
                cairn_vec3 point = cairn_vec(px + sx * reach, py + sy * reach, layer * height);
                int under = layer ? below[x + k / 2][y + k % 2] : CAIRN_WORLD;
                cairn_draft_contact(draft, under, cube, point, up(), mu);
            }
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

// ---------------------------------------------------------------- tower and heaps

// 49 boxes 3 x 1 x 0.6 m in layers of three, every other layer crosswise, one on top
static void lay_tower(cairn_draft* draft)
{
    const double mu = 0.5, height = 0.6;
    int below[3] = {CAIRN_WORLD, CAIRN_WORLD, CAIRN_WORLD};
    for (int layer = 0, body = 0; body < 49; layer++) {
        int here[3] = {0};
        for (int i = 0; i < 3 && body < 49; i++, body++) {
            bool along = layer % 2 == 0;
            double place = 1.05 * (i - 1);
            cairn_vec3 center = along ? cairn_vec(0.0, place, (layer + 0.5) * height)
                                      : cairn_vec(place, 0.0, (layer + 0.5) * height);
            here[i] = cairn_draft_body(
                draft, cairn_draft_box(1800.0, along ? 3.0 : 1.0, along ? 1.0 : 3.0, height),
                center);
            for (int j = 0; j < 3; j++)
                for (int k = 0; k < 4; k++) {
                    double u = 1.05 * (j - 1) + (k / 2 ? 0.45 : -0.45),
                           v = place + (k % 2 ? 0.45 : -0.45);
                    cairn_vec3 point =
                        along ? cairn_vec(u, v, layer * height) : cairn_vec(v, u, layer * height);
                    cairn_draft_contact(draft, below[j], here[i], point, up(), mu);
                }
        }
        memcpy(below, here, sizeof here);
    }
    cairn_draft_gravity(draft);
}

// nine rows of nine bricks 1 x 0.5 x 0.5 m, every other row shifted by half a brick
static void lay_wall(cairn_draft* draft)
{
    const double mu = 0.5, half = 0.5;
    for (int i = 0; i < 81; i++) {
        int row = i / 9, place = i % 9;
        double shift = row % 2 ? 0.5 : 0.0, x = place + shift, z = row * half;
        int brick = cairn_draft_body(draft, cairn_draft_box(250.0, 1.0, half, half),
                                     cairn_vec(x, 0.0, z + 0.5 * half));
        for (int side = 0; side < 2; side++) {
            // the left and the right half, each on the brick that it lies on
            int under = (row - 1) * 9 + place + side - (row % 2 ? 0 : 1);
            bool on_floor = row == 0, carried = under >= (row - 1) * 9 && under < row * 9;
            for (int k = 0; k < 4 && (on_floor || carried); k++) {
                double u = x + 0.5 * (side - 1) + (k / 2 ? 0.5 : 0.0), v = k % 2 ? 0.25 : -0.25;
                if (!on_floor || (k / 2) == side)
                    cairn_draft_contact(draft, on_floor ? CAIRN_WORLD : under, brick,
                                        cairn_vec(u, v, z), up(), mu);
            }
        }
    }
    cairn_draft_gravity(draft);
}

// 362 jacks: three crossed bars, their tips in a grid of layers. Each rests on the three lowest
// tips on jacks below, and leans on two neighbors; the places are drawn at random.
static void lay_jacks(cairn_draft* draft)
{
    const double mu = 0.4, pitch = 0.8;
    enum { count = 362, side = 8 };
    for (int i = 0; i < count; i++) {
        int layer = i / (side * side), x = i / side % side, y = i % side;
        cairn_vec3 shift = cairn_scale(0.1, cairn_random_vec3(&draft->random));
        cairn_vec3 center = cairn_add(cairn_vec(x * pitch, y * pitch, 0.5 + layer * pitch), shift);
        double turn = 1.0 / (120.0 * 0.07);
        int jack = cairn_draft_body(
            draft, (cairn_mass){1.0 / 120.0, cairn_mat3_diagonal(turn, turn, turn)}, center);
        for (int k = 0; k < 5; k++) {
            cairn_vec3 tip = cairn_normalize(cairn_random_vec3(&draft->random));
            tip.z = k < 3 ? -fabs(tip.z) - 0.5 : 0.3 * tip.z;
            tip = cairn_normalize(tip);
            int dx = cairn_random_index(&draft->random, 3) - 1,
                dy = cairn_random_index(&draft->random, 3) - 1;
            int nx = x + dx, ny = y + dy, nl = k < 3 ? layer - 1 : layer;
            int other = (nl * side + nx) * side + ny;
            if (k < 3 && layer == 0)
                other = CAIRN_WORLD;
            else if (nx < 0 || ny < 0 || nx >= side || ny >= side || other >= jack)
                continue;
            cairn_vec3 normal = other == CAIRN_WORLD ? up() : cairn_neg(tip);
            cairn_draft_contact(draft, other, jack, cairn_add_scaled(center, 0.45, tip), normal,
                                mu);
        }
    }
    cairn_draft_gravity(draft);
    for (int i = 0; i < draft->problem.body_count; i++)
        cairn_draft_push(draft, i, cairn_scale(0.3, cairn_random_vec3(&draft->random)),
                         cairn_scale(0.3, cairn_random_vec3(&draft->random)));
}

// ---------------------------------------------------------------- by name

static cairn_problem generated(cairn_generate_def def)
{
    cairn_problem problem;
    cairn_error error;
    if (cairn_generate(&problem, &def, &error) != CAIRN_OK)
        give_up(error.text);
    return problem;
}

static cairn_problem drafted(void (*lay)(cairn_draft*), uint64_t seed)
{
    cairn_draft draft = {.problem = cairn_problem_empty(), .random = {.state = seed}};
    draft.problem.space = 3;
    lay(&draft);
    cairn_draft_finish(&draft);
    if (draft.failed)
        give_up("no memory for a scene");
    free(draft.center);
    free(draft.velocity);
    return draft.problem;
}

cairn_problem bench_scene(const char* name, uint64_t seed)
{
    int width = 0, height = 0;
    if (strcmp(name, "pile") == 0)
        return drafted(lay_pile, seed);
    if (strcmp(name, "tower") == 0)
        return drafted(lay_tower, seed);
    if (strcmp(name, "wall81") == 0)
        return drafted(lay_wall, seed);
    if (strcmp(name, "jacks") == 0)
        return drafted(lay_jacks, seed);
    cairn_generate_def def =
        cairn_default_generate_def(strcmp(name, "spheres") == 0 ? "heap" : "wall");
    def.seed = seed;
    if (strcmp(name, "spheres") == 0) {
        def.size = 362;
        return generated(def);
    }
    int parts = sscanf(name, "wall%dx%d", &width, &height);
    if (parts < 1)
        give_up("no such scene");
    def.width = width;
    def.height = parts > 1 ? height : width;
    def.hit = strstr(name, "-hit") ? 2.0 : 0.0;
    return generated(def);
}

// ---------------------------------------------------------------- from step to step

static void wander_row(double* half, cairn_vec3 shift)
{
    // J_ang = r x c: moving the point by s adds s x c
    cairn_vec3 c = cairn_vec(half[0], half[1], half[2]);
    cairn_vec3 turn = cairn_cross(shift, c);
    half[3] += turn.x;
    half[4] += turn.y;
    half[5] += turn.z;
}

// what the impulses and a frame of gravity leave
static void move_on(cairn_problem* problem, double* velocity, const double* lambda, double shake,
                    cairn_random* random)
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
        cairn_problem_body_velocity(change, problem, lambda);
    }
    for (size_t i = 0; i < numbers; i++)
        velocity[i] += change[i];
    for (int i = 0; i < problem->body_count; i++) {
        cairn_vec3 push = cairn_scale(shake, cairn_random_vec3(random));
        double* v = velocity + 6 * (ptrdiff_t)i;
        v[0] += push.x;
        v[1] += push.y;
        v[2] += push.z - fall;
    }
    free(change);
}

void bench_next_step(cairn_problem* problem, double* velocity, const double* lambda, double shake,
                     double wander, cairn_random* random)
{
    move_on(problem, velocity, lambda, shake, random);
    for (int c = 0; c < problem->block_count; c++) {
        const cairn_block* block = &problem->blocks[c];
        cairn_vec3 shift = cairn_scale(wander, cairn_random_vec3(random));
        for (int i = block->row; i < block->row + block->row_count; i++) {
            cairn_row* row = &problem->rows[i];
            wander_row(row->a, shift);
            wander_row(row->b, shift);
            problem->b[i] = 0.0;
            for (int k = 0; k < 6; k++) {
                if (block->body_a != CAIRN_WORLD)
                    problem->b[i] += row->a[k] * velocity[6 * (ptrdiff_t)block->body_a + k];
                if (block->body_b != CAIRN_WORLD)
                    problem->b[i] += row->b[k] * velocity[6 * (ptrdiff_t)block->body_b + k];
            }
        }
    }
}
