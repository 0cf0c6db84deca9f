// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// A pile at rest. Bodies have levels: the least number of contacts that lead to the ground. From
// the top level down each body hands the impulse that it needs to stop,
//
//     p = M (0 - v*),      v* = free velocity with the reactions of the bodies above,
//
// to its contacts with lower levels, by the least-norm split
//
//     λ = D G^T x,   K x = p,   K = Σ D G G^T  (6x6, over the rows of those contacts),
//
// G = the row's 6-vector on this body, D = 1 for normals and 0.3 for tangents. Contacts that would
// pull are dropped and the split repeated; tangents are clipped to the friction limit. One pass, no
// iteration between bodies: it is exact for layered piles and worthless for arches, which is why
// the certificate decides. A body that is not stopped by what is below it ends the attempt: in a
// pile that moves one of the first is, and the work for the others would be in vain.
//
// The even split matters: filling the contacts one after the other gives lopsided loads that topple
// a wall.

#include "world/step/statics.h"
#include "problem/friction.h"
#include "problem/mass.h"
#include "problem/residual.h"
#include <string.h>

enum { most_splits = 5, most_refined = 64 };
static const double tangent_weight = 0.3;
static const double regularization = 1e-9;
static const double stopped = 1e-2; // m/s, rad/s: far above what the regularization leaves

typedef struct pile {
    const cairn_problem* problem;
    const double* gap;
    double margin;
    double* lambda;
    double* velocity; // v*, 6 per body
    int* level;       // of each body; 0 for bodies that do not move
    int* begin;       // contacts of body i: contact[begin[i]] .. contact[begin[i + 1] - 1]
    int* contact;
    int* order; // bodies by ascending level
} pile;

static bool moving(const pile* p, int body)
{
    return body != CAIRN_WORLD_BODY && cairn_mass_moves(&p->problem->bodies[body]);
}

static int level_of(const pile* p, int body)
{
    return moving(p, body) ? p->level[body] : 0;
}

static bool closed(const pile* p, int c)
{
    return p->gap[c] <= p->margin;
}

static void list_contacts(pile* p)
{
    const cairn_problem* problem = p->problem;
    for (int pass = 0; pass < 2; pass++) {
        for (int c = 0; c < problem->block_count; c++) {
            int body[2] = {problem->blocks[c].body_a, problem->blocks[c].body_b};
            for (int side = 0; side < 2; side++) {
                if (!moving(p, body[side]))
                    continue;
                if (pass == 0)
                    p->begin[body[side] + 2]++;
                else
                    p->contact[p->begin[body[side] + 1]++] = c;
            }
        }
        for (int i = 0; pass == 0 && i < problem->body_count; i++)
            p->begin[i + 2] += p->begin[i + 1];
    }
}

// breadth first from the ground; returns the number of bodies that were reached
static int find_levels(pile* p)
{
    const cairn_problem* problem = p->problem;
    int head = 0, tail = 0;
    memset(p->level, 0, (size_t)problem->body_count * sizeof(int));
    for (int c = 0; c < problem->block_count; c++) {
        int a = problem->blocks[c].body_a, b = problem->blocks[c].body_b;
        if (!closed(p, c) || moving(p, a) == moving(p, b))
            continue;
        int body = moving(p, a) ? a : b;
        if (p->level[body] == 0) {
            p->level[body] = 1;
            p->order[tail++] = body;
        }
    }
    while (head < tail) {
        int body = p->order[head++];
        for (int k = p->begin[body]; k < p->begin[body + 1]; k++) {
            int c = p->contact[k];
            const cairn_block* block = &problem->blocks[c];
            int other = block->body_a == body ? block->body_b : block->body_a;
            if (!closed(p, c) || !moving(p, other) || p->level[other] != 0)
                continue;
            p->level[other] = p->level[body] + 1;
            p->order[tail++] = other;
        }
    }
    return tail;
}

// K = L L^T in place (lower triangle); false when it is not positive
static bool cholesky6(double* K)
{
    for (int j = 0; j < 6; j++) {
        for (int k = 0; k < j; k++)
            for (int i = j; i < 6; i++)
                K[6 * i + j] -= K[6 * i + k] * K[6 * j + k];
        if (!(K[7 * j] > 0.0))
            return false;
        double root = sqrt(K[7 * j]);
        for (int i = j; i < 6; i++)
            K[6 * i + j] /= root;
    }
    return true;
}

static void solve6(const double* L, double* x)
{
    for (int i = 0; i < 6; i++) {
        for (int k = 0; k < i; k++)
            x[i] -= L[6 * i + k] * x[k];
        x[i] /= L[7 * i];
    }
    for (int i = 5; i >= 0; i--) {
        for (int k = i + 1; k < 6; k++)
            x[i] -= L[6 * k + i] * x[k];
        x[i] /= L[7 * i];
    }
}

// M (0 - v*) of a body, from its inverse mass and inertia
static void needed_impulse(double* impulse, const cairn_mass* mass, const double* v)
{
    cairn_mat3 inertia = cairn_mat3_inverse(mass->inverse_inertia);
    cairn_vec3 spin = cairn_mat3_apply(inertia, cairn_vec(v[3], v[4], v[5]));
    for (int k = 0; k < 3; k++)
        impulse[k] = mass->inverse_mass > 0.0 ? -v[k] / mass->inverse_mass : 0.0;
    impulse[3] = -spin.x;
    impulse[4] = -spin.y;
    impulse[5] = -spin.z;
}

static const double* side(const pile* p, int row, const cairn_block* block, int body)
{
    return block->body_a == body ? p->problem->rows[row].a : p->problem->rows[row].b;
}

// splits `impulse` over the first `count` contacts of `below`; false when they cannot bear it
static bool split(pile* p, int body, const int* below, int count, const double* impulse)
{
    double K[36] = {0}, x[6], trace = 0.0;
    for (int k = 0; k < count; k++) {
        const cairn_block* block = &p->problem->blocks[below[k]];
        for (int i = 0; i < block->row_count && i < 3; i++) {
            const double* g = side(p, block->row + i, block, body);
            double weight = i == 0 ? 1.0 : tangent_weight;
            for (int a = 0; a < 6; a++)
                for (int b = 0; b <= a; b++)
                    K[6 * a + b] += weight * g[a] * g[b];
        }
    }
    for (int a = 0; a < 6; a++)
        trace += K[7 * a];
    for (int a = 0; a < 6; a++)
        K[7 * a] += regularization * (K[7 * a] + trace / 6.0);
    memcpy(x, impulse, sizeof x);
    if (!cholesky6(K))
        return false;
    solve6(K, x);
    for (int k = 0; k < count; k++) {
        const cairn_block* block = &p->problem->blocks[below[k]];
        for (int i = 0; i < block->row_count && i < 3; i++) {
            const double* g = side(p, block->row + i, block, body);
            double sum = 0.0;
            for (int a = 0; a < 6; a++)
                sum += g[a] * x[a];
            p->lambda[block->row + i] = (i == 0 ? 1.0 : tangent_weight) * sum;
        }
    }
    return true;
}

// adds M^-1 G^T λ of one contact to the velocities of its two bodies
static void react(pile* p, int c)
{
    const cairn_block* block = &p->problem->blocks[c];
    int body[2] = {block->body_a, block->body_b};
    for (int k = 0; k < 2; k++) {
        if (!moving(p, body[k]))
            continue;
        const cairn_mass* mass = &p->problem->bodies[body[k]];
        double* v = p->velocity + 6 * (ptrdiff_t)body[k];
        double g[6] = {0};
        for (int i = 0; i < block->row_count; i++) {
            const double* row =
                k == 0 ? p->problem->rows[block->row + i].a : p->problem->rows[block->row + i].b;
            for (int a = 0; a < 6; a++)
                g[a] += p->lambda[block->row + i] * row[a];
        }
        cairn_vec3 spin = cairn_mat3_apply(mass->inverse_inertia, cairn_vec(g[3], g[4], g[5]));
        for (int a = 0; a < 3; a++)
            v[a] += mass->inverse_mass * g[a];
        v[3] += spin.x;
        v[4] += spin.y;
        v[5] += spin.z;
    }
}

// hands the impulse of one body to the contacts below it
static void settle(pile* p, int body, int* below)
{
    const cairn_problem* problem = p->problem;
    double impulse[6];
    int count = 0;
    needed_impulse(impulse, &problem->bodies[body], p->velocity + 6 * (ptrdiff_t)body);
    for (int k = p->begin[body]; k < p->begin[body + 1]; k++) {
        const cairn_block* block = &problem->blocks[p->contact[k]];
        int other = block->body_a == body ? block->body_b : block->body_a;
        if (closed(p, p->contact[k]) && level_of(p, other) < p->level[body])
            below[count++] = p->contact[k];
    }
    for (int attempt = 0; attempt < most_splits && count > 0; attempt++) {
        int kept = 0;
        if (!split(p, body, below, count, impulse))
            return;
        for (int k = 0; k < count; k++) {
            const cairn_block* block = &problem->blocks[below[k]];
            if (p->lambda[block->row] >= 0.0)
                below[kept++] = below[k];
            else
                memset(p->lambda + block->row, 0, (size_t)block->row_count * sizeof(double));
        }
        if (kept == count)
            break;
        count = kept;
    }
    for (int k = 0; k < count; k++) {
        const cairn_block* block = &problem->blocks[below[k]];
        double* lambda = p->lambda + block->row;
        if (lambda[0] < 0.0)
            lambda[0] = 0.0;
        cairn_friction_project(lambda + 1, block->row_count, &block->friction, lambda[0]);
        react(p, below[k]);
    }
}

// The split leaves an error of the regularization: the same once more for what is left of the
// velocity, on the contacts that bear, without dropping and clipping.
static void refine(pile* p, int body, int* below)
{
    const cairn_problem* problem = p->problem;
    double impulse[6], old[3 * most_refined];
    int count = 0;
    needed_impulse(impulse, &problem->bodies[body], p->velocity + 6 * (ptrdiff_t)body);
    for (int k = p->begin[body]; k < p->begin[body + 1] && count < most_refined; k++) {
        const cairn_block* block = &problem->blocks[p->contact[k]];
        int other = block->body_a == body ? block->body_b : block->body_a;
        if (p->lambda[block->row] > 0.0 && level_of(p, other) < p->level[body])
            below[count++] = p->contact[k];
    }
    for (int k = 0; k < count; k++)
        for (int i = 0; i < problem->blocks[below[k]].row_count && i < 3; i++)
            old[3 * k + i] = p->lambda[problem->blocks[below[k]].row + i];
    bool done = count > 0 && split(p, body, below, count, impulse);
    for (int k = 0; k < count && done; k++)
        react(p, below[k]);
    for (int k = 0; k < count; k++)
        for (int i = 0; i < problem->blocks[below[k]].row_count && i < 3; i++) {
            double* x = &p->lambda[problem->blocks[below[k]].row + i];
            *x = done ? old[3 * k + i] + *x : old[3 * k + i];
        }
}

static bool applies(const cairn_problem* problem)
{
    for (int c = 0; c < problem->block_count; c++)
        if (problem->blocks[c].kind != CAIRN_BLOCK_CONTACT)
            return false;
    return problem->rows != NULL;
}

static bool stands(const pile* p, int body)
{
    const double* v = p->velocity + 6 * (ptrdiff_t)body;
    double most = 0.0;
    for (int a = 0; a < 6; a++)
        most = fmax(most, fabs(v[a]));
    return most <= stopped;
}

// all bodies from the top down; false when one of them does not stop
static bool settle_all(pile* p, int* below, int count)
{
    for (int i = count - 1; i >= 0; i--) {
        settle(p, p->order[i], below);
        if (!stands(p, p->order[i]))
            return false;
    }
    for (int i = count - 1; i >= 0; i--)
        refine(p, p->order[i], below);
    return true;
}

static int moving_bodies(const pile* p)
{
    int count = 0;
    for (int i = 0; i < p->problem->body_count; i++)
        count += moving(p, i);
    return count;
}

cairn_status cairn_rest_attempt(double* lambda, double* residual, const cairn_problem* problem,
                                const double* free_velocity, const double* gap, double margin,
                                cairn_arena* arena)
{
    cairn_arena_mark mark = cairn_arena_here(arena);
    size_t velocities = 6 * (size_t)problem->body_count;
    pile p = {.problem = problem, .gap = gap, .margin = margin, .lambda = lambda};
    *residual = INFINITY;
    memset(lambda, 0, (size_t)problem->row_count * sizeof(double));
    if (!applies(problem))
        return CAIRN_OK;
    p.velocity = CAIRN_TAKE(arena, double, velocities);
    p.level = CAIRN_TAKE(arena, int, problem->body_count);
    p.order = CAIRN_TAKE(arena, int, problem->body_count);
    p.begin = CAIRN_TAKE_ZEROED(arena, int, problem->body_count + 2);
    p.contact = CAIRN_TAKE(arena, int, 2 * problem->block_count);
    int* below = CAIRN_TAKE(arena, int, problem->block_count);
    if (arena->failed)
        return CAIRN_NO_MEMORY;

    cairn_status status = CAIRN_OK;
    memcpy(p.velocity, free_velocity, velocities * sizeof(double));
    list_contacts(&p);
    int reached = find_levels(&p);
    if (reached == moving_bodies(&p) && settle_all(&p, below, reached)) {
        // the pile has done its part
        cairn_arena_release(arena, mark);
        cairn_residual measured;
        status = cairn_residual_measure(&measured, problem, lambda, CAIRN_LAW_AS_GIVEN, 0, arena);
        *residual = measured.velocity;
    }
    cairn_arena_release(arena, mark);
    return status;
}
