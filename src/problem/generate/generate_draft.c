// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Building blocks of the generators; see generate_draft.h.

#include "problem/generate/generate_draft.h"
#include "problem/mass.h"
#include <stdlib.h>

static const double gravity = 9.81;          // m/s²
static const double frame_time = 1.0 / 60.0; // s

static bool reserve_bodies(cairn_draft* draft, int need)
{
    if (need <= draft->capacity)
        return true;

    int capacity = 2 * need + 8;

    cairn_vec3* center = realloc(draft->center, (size_t)capacity * sizeof *center);
    if (center)
        draft->center = center;
    double* velocity = realloc(draft->velocity, 6 * (size_t)capacity * sizeof *velocity);
    if (velocity)
        draft->velocity = velocity;

    if (center && velocity)
        draft->capacity = capacity;
    return center && velocity;
}

int cairn_draft_body(cairn_draft* draft, cairn_mass mass, cairn_vec3 center)
{
    int body = draft->problem.body_count;
    if (draft->failed || !reserve_bodies(draft, body + 1) ||
        cairn_problem_add_body(&draft->problem, mass) != CAIRN_OK) {
        draft->failed = true;
        return CAIRN_WORLD_BODY;
    }
    draft->center[body] = center;
    for (int k = 0; k < 6; k++)
        draft->velocity[6 * (ptrdiff_t)body + k] = 0.0;
    return body;
}

void cairn_draft_push(cairn_draft* draft, int body, cairn_vec3 linear, cairn_vec3 angular)
{
    if (draft->failed)
        return;
    double* v = draft->velocity + 6 * (ptrdiff_t)body;
    v[0] += linear.x;
    v[1] += linear.y;
    v[2] += linear.z;
    v[3] += angular.x;
    v[4] += angular.y;
    v[5] += angular.z;
}

void cairn_draft_gravity(cairn_draft* draft)
{
    cairn_vec3 fall = cairn_vec(0.0, 0.0, -gravity * frame_time);
    for (int i = 0; i < draft->problem.body_count; i++)
        if (cairn_mass_moves(&draft->problem.bodies[i]))
            cairn_draft_push(draft, i, fall, cairn_vec(0.0, 0.0, 0.0));
}

void cairn_draft_wrench(cairn_draft* draft, int body, double arm)
{
    // always draw both vectors, so that the stream of random numbers does not depend on success
    cairn_vec3 force = cairn_random_vec3(&draft->random);
    cairn_vec3 torque = cairn_random_vec3(&draft->random);
    if (draft->failed)
        return;
    const cairn_mass* mass = &draft->problem.bodies[body];
    double kick = gravity * frame_time;
    cairn_vec3 turn = cairn_mat3_apply(mass->inverse_inertia,
                                       cairn_scale(kick * arm / mass->inverse_mass, torque));
    cairn_draft_push(draft, body, cairn_scale(kick, force), turn);
}

static void add_rows(cairn_draft* draft, const cairn_block* block, cairn_row* rows)
{
    const double none[3] = {0.0};
    for (int i = 0; i < 3 && block->body_a == CAIRN_WORLD_BODY; i++)
        for (int k = 0; k < 6; k++)
            rows[i].a[k] = 0.0;
    draft->failed =
        draft->failed || cairn_problem_add_block(&draft->problem, block, rows, none) != CAIRN_OK;
}

static cairn_vec3 arm_of(const cairn_draft* draft, int body, cairn_vec3 point)
{
    return body == CAIRN_WORLD_BODY ? point : cairn_sub(point, draft->center[body]);
}

void cairn_draft_contact(cairn_draft* draft, int a, int b, cairn_vec3 point, cairn_vec3 normal,
                         double mu)
{
    cairn_row rows[3];
    cairn_block block = {.kind = CAIRN_BLOCK_CONTACT,
                         .row_count = 3,
                         .body_a = a,
                         .body_b = b,
                         .friction = cairn_friction_cone(mu)};
    if (draft->failed)
        return;
    cairn_contact_rows(normal, arm_of(draft, a, point), arm_of(draft, b, point), 3, rows);
    add_rows(draft, &block, rows);
}

void cairn_draft_ball(cairn_draft* draft, int a, int b, cairn_vec3 point)
{
    // the rows of a contact are those of a ball joint: only the law differs
    cairn_row rows[3];
    cairn_block block = {.kind = CAIRN_BLOCK_JOINT, .row_count = 3, .body_a = a, .body_b = b};
    if (draft->failed)
        return;
    cairn_contact_rows(cairn_vec(0.0, 0.0, 1.0), arm_of(draft, a, point), arm_of(draft, b, point),
                       3, rows);
    add_rows(draft, &block, rows);
}

void cairn_draft_finish(cairn_draft* draft)
{
    cairn_problem* problem = &draft->problem;

    // b = J v, as the bodies move without impulses
    for (int c = 0; c < problem->block_count; c++) {
        const cairn_block* block = &problem->blocks[c];
        for (int i = block->row; i < block->row + block->row_count; i++) {
            const double* a = draft->velocity + 6 * (ptrdiff_t)block->body_a;
            const double* b = draft->velocity + 6 * (ptrdiff_t)block->body_b;
            double sum = 0.0;

            for (int k = 0; k < 6 && block->body_a != CAIRN_WORLD_BODY; k++)
                sum += problem->rows[i].a[k] * a[k];
            for (int k = 0; k < 6 && block->body_b != CAIRN_WORLD_BODY; k++)
                sum += problem->rows[i].b[k] * b[k];

            problem->b[i] = sum;
        }
    }
}

cairn_mass cairn_draft_box(double mass, double x, double y, double z)
{
    double s = 12.0 / mass;
    return (cairn_mass){1.0 / mass, cairn_mat3_diagonal(s / (y * y + z * z), s / (z * z + x * x),
                                                        s / (x * x + y * y))};
}

cairn_vec3 cairn_draft_turn(int k, int n)
{
    // the octant, and the angle x in [0, π/4] from the nearest axis
    int octant = (int)(8 * (int64_t)k / n);
    int64_t rest = 8 * (int64_t)k - (int64_t)octant * n;
    if (octant % 2 == 1)
        rest = n - rest;
    double x = 0.78539816339744830962 * ((double)rest / n), x2 = x * x;

    // Taylor's series; the first term left out is below 2e-18
    double sine = 0.0, cosine = 0.0;
    for (int i = 16; i >= 2; i -= 2) {
        sine = (1.0 + sine) * -x2 / (i * (i + 1));
        cosine = (1.0 + cosine) * -x2 / ((i - 1) * i);
    }

    sine = x * (1.0 + sine);
    cosine = 1.0 + cosine;

    // an axis and the direction in which the angle leaves it
    static const int axis[8][4] = {{1, 0, 0, 1},   {0, 1, 1, 0},   {0, 1, -1, 0}, {-1, 0, 0, 1},
                                   {-1, 0, 0, -1}, {0, -1, -1, 0}, {0, -1, 1, 0}, {1, 0, 0, -1}};
    const int* e = axis[octant];
    return cairn_vec(e[0] * cosine + e[2] * sine, e[1] * cosine + e[3] * sine, 0.0);
}
