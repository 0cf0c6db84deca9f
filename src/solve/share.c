// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// What follows a solve: each island gets the least of the impulses that its law allows
// (least_norm.c). For the motion that was found they are unique. Where something slides, or a motor
// is at its bound, even the motion may depend on the choice: a driven wheel that happens to bear no
// load spins. There the island is solved once more on springs,
//
//     v = A λ + b + ε C (λ - λ_k),      λ_0 = 0,   ε = 1e-5 tr A / tr C,
//
// (proximal point method: Rockafellar 1976), which shares loads from the beginning; a few rounds
// take the springs away again, and the last is without them. The certificate decides what is taken.

#include "math/numbers.h"
#include "problem/islands.h"
#include "problem/residual.h"
#include "solve/least_norm.h"
#include <string.h>

enum {
    most_again = 64, // contacts of an island that is solved on springs,
    rounds = 4
};

static const double softness = 1e-5; // of A

typedef struct island {
    cairn_job job; // of the island alone
    cairn_solve_def def;
    cairn_problem problem;
    int* row_of; // of the whole
    double* C;
} island;

// the velocities of an answer, and what counts as rest
static bool read_answer(cairn_answer* answer, const cairn_job* job, const double* lambda,
                        const cairn_residual* residual)
{
    const cairn_problem* problem = job->problem;
    double* w = CAIRN_TAKE_ZEROED(job->arena, double, cairn_delassus_state_size(&job->A));
    double* v = CAIRN_TAKE(job->arena, double, problem->row_count);
    if (job->arena->failed)
        return false;
    cairn_delassus_load(&job->A, w, lambda);
    cairn_delassus_velocity(&job->A, v, w, lambda);

    // what is slower than the certificate can see is at rest
    double scale = cairn_largest(problem->b, problem->row_count);
    *answer = (cairn_answer){
        .A = &job->A,
        .v = v,
        .still = fmax(2.0 * residual->velocity, fmax(1e-3 * job->def->tolerance, 1e-13) * scale),
        .law = job->report->law,
        .facets = job->report->facets};
    return true;
}

// ---------------------------------------------------------------- on springs

// the blocks of an island as a problem whose rows are springs of their own
static cairn_status soften(island* own, const cairn_job* job, const int* blocks, int count)
{
    cairn_arena* arena = job->arena;
    cairn_status status =
        cairn_problem_part(&own->problem, &own->row_of, job->problem, blocks, count, arena);
    if (status != CAIRN_OK)
        return status;

    cairn_problem* part = &own->problem;
    double* soft = CAIRN_TAKE(arena, double, part->row_count);
    own->C = CAIRN_TAKE(arena, double, part->row_count);
    own->job.lambda = CAIRN_TAKE_ZEROED(arena, double, part->row_count);
    if (arena->failed || cairn_delassus_prepare(&own->job.A, part, arena) != CAIRN_OK)
        return CAIRN_NO_MEMORY;

    // ε C, with the traces over all rows
    double trace[2] = {0};
    for (int c = 0; c < part->block_count; c++) {
        const cairn_block* block = &part->blocks[c];
        const double* A = cairn_delassus_block(&own->job.A, c);
        cairn_share_compliance(own->C + block->row, part, block);
        for (int k = 0; k < block->row_count; k++) {
            trace[0] += A[k * (block->row_count + 1)];
            trace[1] += own->C[block->row + k];
        }
    }

    for (int i = 0; i < part->row_count; i++) {
        own->C[i] *= softness * trace[0] / trace[1];
        soft[i] = own->C[i] + (part->compliance ? part->compliance[i] : 0.0);
    }

    part->compliance = soft;
    return cairn_delassus_prepare(&own->job.A, part, arena);
}

// Solves an island from nothing on springs that then give way. `lambda` of the whole receives it.
static cairn_status solve_on_springs(double* lambda, const cairn_job* job, const int* blocks,
                                     int count, cairn_error* error)
{
    island own = {.job = {.arena = job->arena, .started = job->started, .stop = job->stop},
                  .def = *job->def};
    cairn_report report = {.tolerance = job->def->tolerance, .facets = job->def->facets};
    cairn_status status = soften(&own, job, blocks, count);
    double* b = CAIRN_TAKE(job->arena, double, own.problem.row_count);
    if (status != CAIRN_OK || !b)
        return CAIRN_NO_MEMORY;

    memcpy(b, own.problem.b, (size_t)own.problem.row_count * sizeof(double));
    own.def.warm_start = true;
    own.problem.warm = own.job.lambda; // where each round begins
    own.job.def = &own.def;
    own.job.problem = &own.problem;
    own.job.report = &report;

    // each round pulls towards the answer of the last; the last round has no springs
    for (int round = 0; round < rounds && status == CAIRN_OK; round++) {
        bool last = round + 1 == rounds;
        for (int i = 0; i < own.problem.row_count; i++) {
            own.problem.b[i] = last ? b[i] : b[i] - own.C[i] * own.job.lambda[i];
            own.problem.compliance[i] -= last ? own.C[i] : 0.0;
        }
        if (last)
            status = cairn_delassus_prepare(&own.job.A, &own.problem, job->arena);
        if (status == CAIRN_OK)
            status = cairn_job_delegate(&own.job, "dantzig", error);
    }

    for (int i = 0; i < own.problem.row_count && status == CAIRN_OK; i++)
        lambda[own.row_of[i]] = own.job.lambda[i];
    return status == CAIRN_NO_MEMORY ? status : CAIRN_OK;
}

// whether an island is worth it: few contacts or none, cones alone
static bool may_move(const cairn_problem* problem, const int* blocks, int count)
{
    int contacts = 0;
    for (int c = 0; c < count; c++) {
        const cairn_block* block = &problem->blocks[blocks[c]];
        if (block->kind != CAIRN_BLOCK_CONTACT)
            continue;
        if (block->friction.kind != CAIRN_FRICTION_CONE)
            return false;
        contacts++;
    }
    return contacts <= most_again;
}

// another motion of an island with a choice, if the certificate takes it; then its least impulses
static cairn_status choose_motion(double* least, const cairn_job* job, const int* blocks, int count,
                                  cairn_error* error)
{
    size_t bytes = (size_t)job->problem->row_count * sizeof(double);
    double* other = CAIRN_TAKE(job->arena, double, job->problem->row_count);
    if (!other)
        return CAIRN_NO_MEMORY;

    memcpy(other, least, bytes);
    cairn_status status = solve_on_springs(other, job, blocks, count, error);
    cairn_residual residual;
    cairn_answer answer;
    cairn_shared shared;
    if (status != CAIRN_OK || !cairn_job_done(job, other, &residual))
        return status;

    memcpy(least, other, bytes);
    if (!read_answer(&answer, job, least, &residual))
        return CAIRN_NO_MEMORY;
    return cairn_least_norm(least, &shared, &answer, blocks, count, job->arena, &job->stop);
}

// ---------------------------------------------------------------- after a solve

static cairn_status share_island(double* least, cairn_job* job, const cairn_answer* answer,
                                 const int* blocks, int count, cairn_error* error)
{
    cairn_report* report = job->report;
    cairn_shared shared;
    cairn_status status =
        cairn_least_norm(least, &shared, answer, blocks, count, job->arena, &job->stop);
    if (status == CAIRN_OK && shared.moves && shared.multiplicity > 0 &&
        may_move(job->problem, blocks, count) && job->report->law == CAIRN_LAW_AS_GIVEN)
        status = choose_motion(least, job, blocks, count, error);
    if (shared.multiplicity < 0 || report->multiplicity < 0)
        report->multiplicity = CAIRN_MULTIPLICITY_UNKNOWN;
    else
        report->multiplicity += shared.multiplicity;
    return status == CAIRN_NO_MEMORY ? status : CAIRN_OK;
}

cairn_status cairn_job_share(cairn_job* job, cairn_error* error)
{
    cairn_report* report = job->report;
    cairn_arena* arena = job->arena;
    size_t bytes = (size_t)job->problem->row_count * sizeof(double);
    double* least = CAIRN_TAKE(arena, double, job->problem->row_count);
    cairn_islands islands;
    cairn_answer answer;
    report->multiplicity = CAIRN_MULTIPLICITY_UNKNOWN;
    if (!job->problem->rows)
        return CAIRN_OK;
    if (!least || !read_answer(&answer, job, job->lambda, &report->residual) ||
        cairn_islands_find(&islands, job->problem, arena) != CAIRN_OK)
        return CAIRN_NO_MEMORY;

    memcpy(least, job->lambda, bytes);
    report->multiplicity = 0;
    for (int i = 0; i < islands.count; i++) {
        cairn_arena_mark mark = cairn_arena_here(arena);
        cairn_status status = share_island(least, job, &answer, islands.block + islands.begin[i],
                                           islands.begin[i + 1] - islands.begin[i], error);
        cairn_arena_release(arena, mark);
        if (status != CAIRN_OK)
            return status;
    }

    // they are taken where the certificate says that they solve the problem
    cairn_residual residual;
    if (memcmp(least, job->lambda, bytes) == 0 || !cairn_job_done(job, least, &residual))
        return arena->failed ? CAIRN_NO_MEMORY : CAIRN_OK;
    report->residual = residual;
    memcpy(job->lambda, least, bytes);
    return CAIRN_OK;
}
