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
// G = the row's 6-vector on this body, D = 1 for normals, 0.3 for tangents and 0.3 ℓ² for torsion,
// ℓ its arm (friction.h). Contacts that would pull are dropped and the split repeated; friction is
// clipped to its limit. One pass, no iteration between bodies: it is exact for layered piles and
// worthless for arches, which is why the certificate decides. A body that is not stopped by what is
// below it ends the attempt: in a pile that moves one of the first is, and the work for the others
// would be in vain.
//
// The even split matters: filling the contacts one after the other gives lopsided loads that topple
// a wall.
//
// A problem knows b = J v* + bias, and neither v* nor which contacts are open. The method `statics`
// takes as v* the least motion (in kinetic energy) with which the contacts below each body have b,
//
//     min |x|  of those that minimize |Ĝ x - (b - Ĝ_below x_below)|,    Ĝ = G M^-1/2,  v* = M^-1/2 x,
//
// from the ground up. It first takes all contacts as closed; if that does not hold the pile, it
// takes those that separate by themselves (b_N > 0) as open.

#include "solve/statics.h"
#include "linalg/cholesky6.h"
#include "problem/friction.h"
#include "problem/mass.h"
#include "problem/residual.h"
#include "solve/method.h"
#include <string.h>

enum { most_splits = 5, most_refined = 64, most_rows = 4 };
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
    int* order;             // bodies by ascending level
    int* below;             // room for the contacts that bear one body
    int reached;            // bodies in `order`
    int loose;              // the body that ended the attempt
    const cairn_stop* stop; // or NULL
} pile;

// how an attempt ended
typedef enum verdict {
    HELD,    // every body stops
    AFLOAT,  // no chain of contacts leads from a body to the ground
    MOVING,  // what is below a body does not stop it
    STOPPED, // the time is up
} verdict;

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

    // level 1: bodies that touch the ground or something else that cannot move
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

    // a body that is not yet reached is one level above the one that reaches it
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

// D of a row of a contact
static double weight_of(const cairn_block* block, int i)
{
    if (i == 0)
        return 1.0;
    double arm = i == 3 ? cairn_spin_arm(&block->friction) : 1.0;
    return tangent_weight * arm * arm;
}

// splits `impulse` over the first `count` contacts of `below`; false when they cannot bear it
static bool split(pile* p, int body, const int* below, int count, const double* impulse)
{
    double K[36] = {0}, x[6], trace = 0.0;
    for (int k = 0; k < count; k++) {
        const cairn_block* block = &p->problem->blocks[below[k]];
        for (int i = 0; i < block->row_count; i++) {
            const double* g = side(p, block->row + i, block, body);
            double weight = weight_of(block, i);
            for (int a = 0; a < 6; a++)
                for (int b = 0; b <= a; b++)
                    K[6 * a + b] += weight * g[a] * g[b];
        }
    }

    // K x = impulse, made regular where contacts leave a motion free
    for (int a = 0; a < 6; a++)
        trace += K[7 * a];
    for (int a = 0; a < 6; a++)
        K[7 * a] += regularization * (K[7 * a] + trace / 6.0);
    memcpy(x, impulse, sizeof x);
    if (!cairn_cholesky6_factor(K, 6, 0.0))
        return false;
    cairn_cholesky6_solve(K, 6, x);

    // λ = weight g·x
    for (int k = 0; k < count; k++) {
        const cairn_block* block = &p->problem->blocks[below[k]];
        for (int i = 0; i < block->row_count; i++) {
            const double* g = side(p, block->row + i, block, body);
            double sum = 0.0;
            for (int a = 0; a < 6; a++)
                sum += g[a] * x[a];
            p->lambda[block->row + i] = weight_of(block, i) * sum;
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

        // the impulse and its moment on this body, J^T λ
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
static void settle(pile* p, int body)
{
    const cairn_problem* problem = p->problem;
    double impulse[6];
    int* below = p->below;
    int count = 0;
    needed_impulse(impulse, &problem->bodies[body], p->velocity + 6 * (ptrdiff_t)body);

    // the closed contacts with what is below
    for (int k = p->begin[body]; k < p->begin[body + 1]; k++) {
        const cairn_block* block = &problem->blocks[p->contact[k]];
        int other = block->body_a == body ? block->body_b : block->body_a;
        if (closed(p, p->contact[k]) && level_of(p, other) < p->level[body])
            below[count++] = p->contact[k];
    }

    // contacts that would have to pull are left out, and the rest bears all
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

    // within the limits of friction; the bodies below feel it
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
static void refine(pile* p, int body)
{
    const cairn_problem* problem = p->problem;
    double impulse[6], old[most_rows * most_refined];
    int *below = p->below, count = 0;
    needed_impulse(impulse, &problem->bodies[body], p->velocity + 6 * (ptrdiff_t)body);

    // the contacts below that bear
    for (int k = p->begin[body]; k < p->begin[body + 1] && count < most_refined; k++) {
        const cairn_block* block = &problem->blocks[p->contact[k]];
        int other = block->body_a == body ? block->body_b : block->body_a;
        if (p->lambda[block->row] > 0.0 && level_of(p, other) < p->level[body])
            below[count++] = p->contact[k];
    }

    // split overwrites λ: the impulses so far are put aside
    for (int k = 0; k < count; k++)
        for (int i = 0; i < problem->blocks[below[k]].row_count; i++)
            old[most_rows * k + i] = p->lambda[problem->blocks[below[k]].row + i];

    bool done = count > 0 && split(p, body, below, count, impulse);
    for (int k = 0; k < count && done; k++)
        react(p, below[k]);

    // the correction is added, or the old impulses come back
    for (int k = 0; k < count; k++)
        for (int i = 0; i < problem->blocks[below[k]].row_count; i++) {
            double* x = &p->lambda[problem->blocks[below[k]].row + i];
            *x = done ? old[most_rows * k + i] + *x : old[most_rows * k + i];
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

// all bodies from the top down
static verdict settle_all(pile* p)
{
    for (int i = p->reached - 1; i >= 0; i--) {
        if (p->stop && cairn_stop_now(p->stop))
            return STOPPED;
        settle(p, p->order[i]);
        if (!stands(p, p->order[i])) {
            p->loose = p->order[i];
            return MOVING;
        }
    }

    for (int i = p->reached - 1; i >= 0; i--)
        refine(p, p->order[i]);
    return HELD;
}

// a body that has contacts, none of which leads to the ground; -1: there is none
static int find_afloat(const pile* p)
{
    for (int i = 0; i < p->problem->body_count; i++)
        if (moving(p, i) && p->begin[i] < p->begin[i + 1] && p->level[i] == 0)
            return i;
    return -1;
}

// room for a pile, and its contacts by body
static bool prepare(pile* p, cairn_arena* arena)
{
    size_t bodies = (size_t)p->problem->body_count, blocks = (size_t)p->problem->block_count;
    p->velocity = CAIRN_TAKE(arena, double, 6 * bodies);
    p->level = CAIRN_TAKE(arena, int, bodies);
    p->order = CAIRN_TAKE(arena, int, bodies);
    p->begin = CAIRN_TAKE_ZEROED(arena, int, bodies + 2);
    p->contact = CAIRN_TAKE(arena, int, 2 * blocks);
    p->below = CAIRN_TAKE(arena, int, blocks);
    if (arena->failed)
        return false;
    list_contacts(p);
    return true;
}

cairn_status cairn_statics_attempt(double* lambda, double* residual, const cairn_problem* problem,
                                   const cairn_statics_input* input, cairn_arena* arena)
{
    cairn_arena_mark mark = cairn_arena_here(arena);
    pile p = {.problem = problem, .gap = input->gap, .margin = input->margin, .lambda = lambda};
    *residual = INFINITY;
    memset(lambda, 0, (size_t)problem->row_count * sizeof(double));
    if (!applies(problem))
        return CAIRN_OK;
    if (!prepare(&p, arena))
        return CAIRN_NO_MEMORY;

    // the pile: levels from the ground, then impulses from the top level down
    size_t velocities = 6 * (size_t)problem->body_count;
    memcpy(p.velocity, input->free_velocity, velocities * sizeof(double));
    p.reached = find_levels(&p);
    bool held = find_afloat(&p) < 0 && settle_all(&p) == HELD;
    cairn_arena_release(arena, mark); // the pile has done its part
    if (!held)
        return CAIRN_OK;

    // the certificate in units of velocity
    cairn_residual measured;
    cairn_status status =
        cairn_residual_measure(&measured, problem, lambda, CAIRN_LAW_AS_GIVEN, 0, arena);
    *residual = measured.velocity;
    cairn_arena_release(arena, mark);
    return status;
}

// ---------------------------------------------------------------- the method

// what a row of a block sees of the scaled velocities x of one of its bodies
static double seen_by(const pile* p, const cairn_row* row, const cairn_block* block, int body,
                      const double* x)
{
    const double* g = block->body_a == body ? row->a : row->b;
    double sum = 0.0;
    if (!moving(p, body))
        return 0.0;
    for (int k = 0; k < 6; k++)
        sum += g[k] * x[6 * (ptrdiff_t)body + k];
    return sum;
}

// x of one body from the contacts below it; refinement takes away the error of the regularization
static void fit_body(const pile* p, const cairn_row* scaled, int body, double* x)
{
    enum { rounds = 4 };
    double L[36], rhs[6];
    for (int round = 0; round < rounds; round++) {
        double K[36] = {0}, trace = 0.0;

        // J^T of what is left of b, and once J^T J
        memset(rhs, 0, sizeof rhs);
        for (int k = p->begin[body]; k < p->begin[body + 1]; k++) {
            const cairn_block* block = &p->problem->blocks[p->contact[k]];
            int other = block->body_a == body ? block->body_b : block->body_a;
            if (!closed(p, p->contact[k]) || level_of(p, other) >= p->level[body])
                continue;
            for (int i = block->row; i < block->row + block->row_count; i++) {
                const double* g = block->body_a == body ? scaled[i].a : scaled[i].b;
                double left = p->problem->b[i] - seen_by(p, &scaled[i], block, body, x) -
                              seen_by(p, &scaled[i], block, other, x);
                for (int a = 0; a < 6; a++) {
                    rhs[a] += g[a] * left;
                    for (int b = 0; b <= a && round == 0; b++)
                        K[6 * a + b] += g[a] * g[b];
                }
            }
        }

        // one factor serves all rounds
        for (int a = 0; a < 6 && round == 0; a++)
            trace += K[7 * a];
        for (int a = 0; a < 6 && round == 0; a++)
            K[7 * a] += regularization * trace;
        if (round == 0 && !cairn_cholesky6_factor(K, 6, 0.0))
            return;
        if (round == 0)
            memcpy(L, K, sizeof L);

        cairn_cholesky6_solve(L, 6, rhs);
        for (int a = 0; a < 6; a++)
            x[6 * (ptrdiff_t)body + a] += rhs[a];
    }
}

// v* of all bodies from b, from the ground up
static cairn_status recover(pile* p, const cairn_job* job)
{
    double* x = CAIRN_TAKE_ZEROED(job->arena, double, 6 * (size_t)p->problem->body_count);
    if (!x)
        return CAIRN_NO_MEMORY;
    for (int i = 0; i < p->reached; i++)
        fit_body(p, job->A.scaled, p->order[i], x);
    cairn_delassus_body_velocity(&job->A, p->velocity, x);
    return CAIRN_OK;
}

// which block the method does not know; -1: none
static int find_foreign(const cairn_problem* problem)
{
    for (int c = 0; c < problem->block_count; c++)
        if (problem->blocks[c].kind != CAIRN_BLOCK_CONTACT)
            return c;
    return -1;
}

static cairn_status check(const cairn_problem* problem, cairn_error* error)
{
    if (problem->A)
        return cairn_fail(error, CAIRN_NOT_SUPPORTED,
                          "statics goes from body to body, but the problem gives A alone");
    int foreign = find_foreign(problem);
    if (foreign >= 0)
        return cairn_fail(
            error, CAIRN_NOT_SUPPORTED,
            "statics knows contacts alone, but block %d is a joint, a limit or a motor", foreign);
    return CAIRN_OK;
}

// why the first attempt, with all contacts closed, did not hold the pile
static void tell(cairn_job* job, verdict end, int loose)
{
    if (end == AFLOAT)
        cairn_job_note(job,
                       "statics does not apply: no chain of contacts leads from body %d to the "
                       "ground",
                       loose);
    else if (end == MOVING)
        cairn_job_note(job, "statics does not apply: the contacts below body %d do not stop it",
                       loose);
    else if (end == HELD)
        cairn_job_note(job, "statics does not apply: bodies that it stops do not stay in contact");
}

cairn_status cairn_method_statics(cairn_job* job, cairn_error* error)
{
    const cairn_problem* problem = job->problem;
    cairn_status status = check(problem, error);
    size_t rows = (size_t)problem->row_count;
    if (status != CAIRN_OK || rows == 0)
        return status;
    double* gap = CAIRN_TAKE_ZEROED(job->arena, double, problem->block_count);
    double* lambda = CAIRN_TAKE(job->arena, double, rows);
    pile p = {.problem = problem, .gap = gap, .lambda = lambda, .stop = &job->stop};
    if (job->arena->failed || !prepare(&p, job->arena))
        return CAIRN_NO_MEMORY;

    // the start is the answer until an attempt does better
    cairn_residual best = {.relative = INFINITY};
    if (cairn_job_done(job, job->lambda, &best)) {
        job->report->outcome = CAIRN_OUTCOME_CONVERGED;
        return CAIRN_OK;
    }

    // the first attempt takes all contacts as closed, the second lets those with b > 0 open
    verdict end = HELD, first = HELD;
    int loose = -1;
    bool done = false;
    for (int attempt = 0; attempt < 2 && !done && end != STOPPED; attempt++) {
        for (int c = 0; c < problem->block_count && attempt == 1; c++)
            gap[c] = fmax(problem->b[problem->blocks[c].row], 0.0);

        // levels from the ground; a body that none of them reaches is afloat
        memset(lambda, 0, rows * sizeof(double));
        p.reached = find_levels(&p);
        p.loose = find_afloat(&p);
        end = p.loose >= 0 ? AFLOAT : HELD;
        if (end == HELD && recover(&p, job) != CAIRN_OK)
            return CAIRN_NO_MEMORY;
        if (end == HELD)
            end = settle_all(&p);

        // the note tells of the first attempt
        job->report->iterations++;
        first = attempt == 0 ? end : first;
        loose = attempt == 0 ? p.loose : loose;
        if (end != HELD)
            continue;

        cairn_residual residual = {.relative = INFINITY};
        done = cairn_job_done(job, lambda, &residual);
        if (done || residual.relative < best.relative) {
            best = residual;
            memcpy(job->lambda, lambda, rows * sizeof(double));
        }
    }

    job->report->outcome = done             ? CAIRN_OUTCOME_CONVERGED
                           : end == STOPPED ? CAIRN_OUTCOME_TIME_LIMIT
                                            : CAIRN_OUTCOME_ITERATION_LIMIT;
    if (!done)
        tell(job, first, loose);
    return CAIRN_OK;
}
