// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The method `tree`: linear time for articulated figures. Joints and velocity constraints that form
// a forest are eliminated exactly (tree_factor.c); loops, limits, motors and contacts see what is
// left of the bodies' mobility, a small dense system (tree_response.c, tree_small.c) that goes to
// another method.
//
// The work is done on the scaled rows Ĵ = J G^-T, where every mass is the identity and directions
// that cannot move have zero columns: with w = Ĵ^T λ,
//
//     w - Ĵ^T λ = 0,     Ĵ w + C λ + b = 0   on primary rows.
//
// Where there are joints alone, and so many of them close loops that the dense system costs more,
// the whole goes to a sparse factor of the bodies' system (net.h).
//
// Not for heaps: with many auxiliary rows the small system is large and dense, and the problem is
// handed on whole (see cairn_tree_def). Contacts with spin are handed on likewise.

#include "problem/mass.h"
#include "solve/tree/net.h"
#include "solve/tree/tree.h"
#include "solve/tree/tree_small.h"
#include <string.h>

enum { most_attempts = 3, most_rebuilds = 8, most_refinements = 2 };

// auxiliary rows of joints from which on a sparse factor of all bodies is faster (measured on nets)
enum { many_loops = 150 };

// numbers that the paths of auxiliary rows may take: 256 MB
static const double most_path_numbers = 32.0 * 1024 * 1024;

typedef struct plan {
    cairn_job* job;
    cairn_tree tree;
    bool* barred;             // blocks that are redundant as primary constraints
    int* block_of_constraint; // constraint_count
    int* constraint_of_block; // or -1
    cairn_tree_constraint* constraints;
    int* dimension;
    int auxiliary_count, auxiliary_rows;
    int* auxiliary; // blocks
    cairn_tree_auxiliary* rows;
    cairn_tree_response response;
    double *y, *lambda, *c; // vectors of the tree
} plan;

static bool moves(const cairn_problem* problem, int body)
{
    return body != CAIRN_WORLD_BODY && cairn_mass_moves(&problem->bodies[body]);
}

// ---------------------------------------------------------------- the forest

static bool can_be_primary(const plan* p, int c)
{
    const cairn_problem* problem = p->job->problem;
    const cairn_block* block = &problem->blocks[c];
    return (block->kind == CAIRN_BLOCK_JOINT || block->kind == CAIRN_BLOCK_VELOCITY) &&
           !p->barred[c] && block->body_a != block->body_b &&
           (moves(problem, block->body_a) || moves(problem, block->body_b));
}

static bool take_plan(plan* p, cairn_job* job)
{
    const cairn_problem* problem = job->problem;
    int blocks = problem->block_count;
    *p = (plan){.job = job};
    p->barred = CAIRN_TAKE_ZEROED(job->arena, bool, blocks);
    p->block_of_constraint = CAIRN_TAKE(job->arena, int, blocks);
    p->constraint_of_block = CAIRN_TAKE(job->arena, int, blocks);
    p->constraints = CAIRN_TAKE(job->arena, cairn_tree_constraint, blocks);
    p->dimension = CAIRN_TAKE(job->arena, int, problem->body_count);
    p->auxiliary = CAIRN_TAKE(job->arena, int, blocks);
    p->rows = CAIRN_TAKE(job->arena, cairn_tree_auxiliary, blocks);
    if (job->arena->failed)
        return false;
    for (int i = 0; i < problem->body_count; i++)
        p->dimension[i] = moves(problem, i) ? 6 : 0;
    return true;
}

static void set_constraint(plan* p, int constraint)
{
    const cairn_problem* problem = p->job->problem;
    const cairn_block* block = &problem->blocks[p->block_of_constraint[constraint]];
    double a[36], b[36];
    for (int r = 0; r < block->row_count; r++) {
        const cairn_row* row = &p->job->A.scaled[block->row + r];
        memcpy(a + 6 * r, row->a, sizeof row->a);
        memcpy(b + 6 * r, row->b, sizeof row->b);
    }
    cairn_tree_set_constraint(&p->tree, constraint, a, b,
                              problem->compliance ? problem->compliance + block->row : NULL);
}

static cairn_status build_forest(plan* p)
{
    const cairn_problem* problem = p->job->problem;
    cairn_tree_topology topology = cairn_default_tree_topology();
    int count = 0;

    // candidates: joints and velocity constraints that are not barred
    for (int c = 0; c < problem->block_count; c++) {
        const cairn_block* block = &problem->blocks[c];
        p->constraint_of_block[c] = -1;
        if (!can_be_primary(p, c))
            continue;
        p->constraints[count] =
            (cairn_tree_constraint){block->body_a, block->body_b, block->row_count};
        p->block_of_constraint[count] = c;
        p->constraint_of_block[c] = count++;
    }

    topology.body_count = problem->body_count;
    topology.dimension = p->dimension;
    topology.constraint_count = count;
    topology.constraints = p->constraints;
    p->tree = (cairn_tree){0};
    if (cairn_tree_build(&p->tree, &topology, false, p->job->arena) != CAIRN_OK)
        return CAIRN_NO_MEMORY;

    for (int c = 0; c < count; c++)
        set_constraint(p, c);
    return CAIRN_OK;
}

// Builds and factors; a primary constraint that turns out redundant is barred and the forest built
// again without it.
static cairn_status grow_forest(plan* p)
{
    cairn_arena_mark mark = cairn_arena_here(p->job->arena);
    for (int trial = 0;; trial++) {
        cairn_status status = build_forest(p);
        if (status != CAIRN_OK)
            return status;

        p->job->report->factorizations++;
        int redundant = cairn_tree_factor(&p->tree);
        if (redundant == 0 || trial == most_rebuilds)
            return CAIRN_OK;

        // bar them and build again
        int first = cairn_tree_next_redundant(&p->tree, -1);
        cairn_job_note(p->job,
                       "block %d: its rows depend on each other (%d such blocks); treated as "
                       "auxiliary",
                       p->block_of_constraint[first], redundant);
        for (int c = first; c >= 0; c = cairn_tree_next_redundant(&p->tree, c))
            p->barred[p->block_of_constraint[c]] = true;
        cairn_arena_release(p->job->arena, mark);
    }
}

// ---------------------------------------------------------------- the rest

// every block that is not primary, over the bodies that move
static bool list_auxiliary(plan* p)
{
    const cairn_problem* problem = p->job->problem;
    for (int c = 0; c < problem->block_count; c++) {
        const cairn_block* block = &problem->blocks[c];
        int constraint = p->constraint_of_block[c], body[2] = {block->body_a, block->body_b};
        if (constraint >= 0 && cairn_tree_is_primary(&p->tree, constraint))
            continue;

        int* bodies = CAIRN_TAKE(p->job->arena, int, 2);
        double* j = CAIRN_TAKE(p->job->arena, double, 12 * block->row_count);
        if (p->job->arena->failed)
            return false;

        // the scaled rows of each body that moves
        cairn_tree_auxiliary* rows = &p->rows[p->auxiliary_count];
        *rows = (cairn_tree_auxiliary){.row_count = block->row_count, .bodies = bodies, .j = j};
        for (int side = 0; side < 2; side++) {
            if (!moves(problem, body[side]))
                continue;
            bodies[rows->body_count++] = body[side];
            for (int r = 0; r < block->row_count; r++, j += 6) {
                const cairn_row* row = &p->job->A.scaled[block->row + r];
                memcpy(j, side ? row->b : row->a, sizeof row->a);
            }
        }

        p->auxiliary[p->auxiliary_count++] = c;
        p->auxiliary_rows += block->row_count;
    }
    return true;
}

static const char* why_not(const plan* p)
{
    const cairn_problem* problem = p->job->problem;
    if (p->auxiliary_rows > p->job->def->tree.max_auxiliary)
        return "too many auxiliary rows for a dense system";
    if (cairn_tree_response_size(&p->tree, p->rows, p->auxiliary_count) > most_path_numbers)
        return "the auxiliary rows are too far from the roots";
    for (int k = 0; k < p->auxiliary_count; k++)
        if (!cairn_small_takes(&problem->blocks[p->auxiliary[k]]))
            return "contacts with spin";
    return NULL;
}

// b of the primary rows, in the tree's order of rows
static bool load_bias(plan* p)
{
    const cairn_problem* problem = p->job->problem;
    const cairn_tree* tree = &p->tree;
    size_t rows = (size_t)tree->row_offset[tree->constraint_count];
    p->y = CAIRN_TAKE(p->job->arena, double, tree->body_offset[tree->body_count]);
    p->lambda = CAIRN_TAKE(p->job->arena, double, rows);
    p->c = CAIRN_TAKE(p->job->arena, double, rows);
    if (p->job->arena->failed)
        return false;

    for (int c = 0; c < tree->constraint_count; c++)
        memcpy(p->c + tree->row_offset[c],
               problem->b + problem->blocks[p->block_of_constraint[c]].row,
               (size_t)tree->constraints[c].row_count * sizeof(double));
    return true;
}

static cairn_status state_small(plan* p, cairn_small* small)
{
    cairn_job* job = p->job;
    if (!cairn_small_take(small, job, p->auxiliary, p->auxiliary_count, p->auxiliary_rows) ||
        cairn_tree_response_build(&p->response, &p->tree, p->rows, p->auxiliary_count,
                                  job->arena) != CAIRN_OK)
        return CAIRN_NO_MEMORY;

    cairn_tree_response_matrix(&p->response, small->S);
    cairn_tree_response_offset(&p->response, small->s);
    for (int k = 0, row = 0; k < p->auxiliary_count; k++) {
        const cairn_block* block = &job->problem->blocks[p->auxiliary[k]];
        for (int i = block->row; i < block->row + block->row_count; i++, row++) {
            small->s[row] += job->problem->b[i];
            if (job->problem->compliance)
                small->S[(ptrdiff_t)(p->auxiliary_rows + 1) * row] += job->problem->compliance[i];
        }
    }
    return cairn_small_prepare(small);
}

// all rows from the tree's multipliers and μ
static void collect(plan* p, const double* mu, double* lambda)
{
    const cairn_problem* problem = p->job->problem;
    const cairn_tree* tree = &p->tree;
    for (int c = 0; c < tree->constraint_count; c++)
        memcpy(lambda + problem->blocks[p->block_of_constraint[c]].row,
               p->lambda + tree->row_offset[c],
               (size_t)tree->constraints[c].row_count * sizeof(double));
    for (int k = 0; k < p->auxiliary_count; k++) {
        const cairn_block* block = &problem->blocks[p->auxiliary[k]];
        memcpy(lambda + block->row, mu, (size_t)block->row_count * sizeof(double));
        mu += block->row_count;
    }
}

// Iterative refinement of the primary rows: what is left of their velocities is taken away by one
// more solve. Where the masses are tame this ends after one look.
static cairn_status refine(plan* p)
{
    cairn_job* job = p->job;
    const cairn_problem* problem = job->problem;
    double* w = CAIRN_TAKE(job->arena, double, cairn_delassus_state_size(&job->A));
    if (!w)
        return CAIRN_NO_MEMORY;

    for (int k = 0; k < most_refinements; k++) {
        double worst = 0.0, scale = 0.0;

        // v = Ĵ w + C λ + b of the primary rows
        cairn_delassus_load(&job->A, w, job->lambda);
        for (int c = 0; c < p->tree.constraint_count; c++) {
            const cairn_block* block = &problem->blocks[p->block_of_constraint[c]];
            double* v = p->c + p->tree.row_offset[c];
            cairn_delassus_block_velocity(&job->A, v, p->block_of_constraint[c], w, job->lambda);
            for (int i = 0; i < block->row_count; i++) {
                worst = fmax(worst, cairn_tree_is_primary(&p->tree, c) ? fabs(v[i]) : 0.0);
                scale = fmax(scale, fabs(problem->b[block->row + i]));
            }
        }

        if (!(worst > 1e-13 * scale))
            break;

        // one solve for what is left of it
        cairn_tree_solve(&p->tree, NULL, p->c, 1, p->y, p->lambda);
        for (int c = 0; c < p->tree.constraint_count; c++) {
            const cairn_block* block = &problem->blocks[p->block_of_constraint[c]];
            for (int i = 0; i < block->row_count; i++)
                job->lambda[block->row + i] += p->lambda[p->tree.row_offset[c] + i];
        }
    }
    return CAIRN_OK;
}

static cairn_status solve_with_auxiliary(plan* p, cairn_error* error)
{
    cairn_job* job = p->job;
    cairn_small small;
    cairn_status status = state_small(p, &small);
    double tolerance = job->def->tolerance;

    for (int attempt = 0; status == CAIRN_OK && attempt < most_attempts; attempt++) {
        if (!p->tree.loaded)
            cairn_tree_load(&p->tree, NULL, p->c);
        status = cairn_small_solve(&small, job->def->tree.auxiliary_method, tolerance, error);
        if (status != CAIRN_OK)
            break;
        cairn_tree_response_finish(&p->response, small.mu, p->y, p->lambda);
        collect(p, small.mu, job->lambda);

        // what the small system calls converged may be short of it in the whole one
        if (small.exact || cairn_job_stopped(job) || cairn_job_done(job, job->lambda, NULL))
            break;
        tolerance *= 0.03;
    }

    if (status != CAIRN_OK)
        return status;
    job->report->outcome = small.outcome;

    // the direction of a ray, with what the joints bear along it
    if (small.outcome == CAIRN_OUTCOME_RAY && small.ray) {
        cairn_tree_load(&p->tree, NULL, NULL);
        cairn_tree_response_finish(&p->response, small.ray, p->y, p->lambda);
        collect(p, small.ray, job->def->ray);
    }

    if (small.refused > 0) {
        job->report->outcome = CAIRN_OUTCOME_SINGULAR;
        cairn_job_note(job, "block %d: its rows depend on other constraints (%d such rows)",
                       small.refused_block, small.refused);
    }
    return refine(p);
}

// whether every auxiliary row is one of a joint that closes a loop
static bool joints_alone(const plan* p)
{
    for (int k = 0; k < p->auxiliary_count; k++) {
        cairn_block_kind kind = p->job->problem->blocks[p->auxiliary[k]].kind;
        if (kind != CAIRN_BLOCK_JOINT && kind != CAIRN_BLOCK_VELOCITY)
            return false;
    }
    return true;
}

// ---------------------------------------------------------------- the method

static cairn_status hand_on(cairn_job* job, const char* method, const char* why, cairn_error* error)
{
    cairn_job_note(job, "solved by %s: %s", method, why);
    return cairn_job_delegate(job, method, error);
}

static cairn_status check_options(const cairn_solve_def* def, cairn_error* error)
{
    const char* names[2] = {def->tree.auxiliary_method, def->tree.large_method};

    // `auto` would hand them back
    for (int i = 0; i < 2; i++) {
        const char* name = names[i] ? names[i] : "";
        const cairn_method* other = cairn_method_find(name);
        if (!other || other->solve == cairn_method_tree || other->solve == cairn_method_auto)
            return cairn_fail(error, CAIRN_BAD_INPUT,
                              "'%s' is not a method that `tree` can hand its rows to", name);
    }
    return CAIRN_OK;
}

// Rows that nearly depend on each other may lose in the small system what the whole one still tells:
// where `tree` was asked for by name and misses, the method of the auxiliary rows gets the whole
// problem. Its answer is taken when it is one, else all stays as it was.
static cairn_status try_whole(cairn_job* job, cairn_error* error)
{
    cairn_outcome outcome = job->report->outcome;
    size_t bytes = (size_t)job->problem->row_count * sizeof(double);
    if (!cairn_method_is(job->def->method, "tree") || cairn_job_stopped(job) ||
        outcome == CAIRN_OUTCOME_RAY || outcome == CAIRN_OUTCOME_NO_SOLUTION ||
        cairn_job_done(job, job->lambda, NULL))
        return CAIRN_OK;
    const cairn_report own = *job->report;
    double* kept = CAIRN_TAKE(job->arena, double, job->problem->row_count);
    if (!kept)
        return CAIRN_NO_MEMORY;
    memcpy(kept, job->lambda, bytes);
    memset(job->lambda, 0, bytes);
    const char* method = job->def->tree.auxiliary_method;
    job->report->note[0] = '\0';
    cairn_job_note(job, "solved by %s: rows nearly depend on each other", method);
    cairn_status status = cairn_job_delegate(job, method, error);
    if (status != CAIRN_OK || cairn_job_done(job, job->lambda, NULL))
        return status;
    memcpy(job->lambda, kept, bytes);
    *job->report = own;
    return CAIRN_OK;
}

cairn_status cairn_method_tree(cairn_job* job, cairn_error* error)
{
    plan p;
    const cairn_tree_def* def = &job->def->tree;
    cairn_status status = check_options(job->def, error);
    if (status != CAIRN_OK)
        return status;

    if (job->problem->A)
        return hand_on(job, def->auxiliary_method, "an explicit matrix has no bodies", error);

    // the forest of primary constraints
    if (!take_plan(&p, job))
        return CAIRN_NO_MEMORY;
    status = grow_forest(&p);
    if (status != CAIRN_OK)
        return status;

    if (!list_auxiliary(&p) || !load_bias(&p))
        return CAIRN_NO_MEMORY;

    // many loops of joints alone: the sparse factor of the bodies is cheaper
    if (p.auxiliary_rows > many_loops && joints_alone(&p))
        return cairn_net_solve(job);
    const char* why = why_not(&p);
    if (why)
        return hand_on(job, def->large_method, why, error);

    // auxiliary rows: the dense system of what the forest leaves
    if (p.auxiliary_count > 0) {
        cairn_tree_load(&p.tree, NULL, p.c);
        status = solve_with_auxiliary(&p, error);
        return status == CAIRN_OK ? try_whole(job, error) : status;
    }

    // the forest alone
    cairn_tree_solve(&p.tree, NULL, p.c, 1, p.y, p.lambda);
    job->report->outcome = CAIRN_OUTCOME_CONVERGED;
    collect(&p, NULL, job->lambda);
    return refine(&p);
}
