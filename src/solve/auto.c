// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// `auto`: the right method for each island. An island is small, articulated, or large; its friction
// is a cone, or something that only some methods know. The rows of the table that apply to it are a
// chain of methods, the likely best first. Each answer is certified; when it misses the tolerance
// the next of the chain takes over from the best impulses so far, within the time and the work that
// are allowed. The islands of a step go through the same table (world/step/island_solve.c).
//
// The tolerance of the whole is shared out: with scale s = max |b| of the whole and s_i of an
// island, an island may have the relative residual tol s/s_i, so that islands that hardly move cost
// nothing.

#include "solve/auto.h"
#include "math/numbers.h"
#include "problem/islands.h"
#include "problem/residual.h"
#include "solve/method.h"
#include <string.h>

enum {
    pivoting_contacts = 24,                   // up to here pivoting beats factoring
    articulated_rows = 3 * pivoting_contacts, // auxiliary rows of a tree, likewise
    factoring_contacts = 50000,               // beyond this a first try by sweeps pays
    net_rows = 600,         // joints alone from which on no method does better than `tree`
    one_body_contacts = 64, // of a body in a step: beyond this sweeps are as good
    few_contacts = 64       // that an exact method solves sooner than many sweeps
};

static const double loose_tolerance = 1e-5; // a tighter one is beyond the reach of sweeps

// ---------------------------------------------------------------- kinds of islands

// in a step: where the user left the choice to Cairn
static bool is_free(const cairn_island_kind* k)
{
    return k->stepped && !k->named && !k->rolls;
}

static bool may_stand(const cairn_island_kind* k)
{
    return k->stepped && k->stands;
}

bool cairn_kind_is_one_body(const cairn_island_kind* k)
{
    return is_free(k) && k->joint_rows == 0 && k->cones && k->body_count == 1 && k->contacts > 0 &&
           k->contacts <= one_body_contacts;
}

// one body has no pile above it to be guessed
static bool may_stand_as_pile(const cairn_island_kind* k)
{
    return may_stand(k) && !cairn_kind_is_one_body(k);
}

static bool marches(const cairn_island_kind* k)
{
    return is_free(k) && k->marches;
}

static bool is_linkage(const cairn_island_kind* k)
{
    return is_free(k) && k->contacts == 0 && k->joint_rows > 0;
}

static bool is_loose_heap(const cairn_island_kind* k)
{
    return is_free(k) && k->joint_rows == 0 && k->contacts > 0 && k->tolerance >= loose_tolerance;
}

static bool is_small_loose_heap(const cairn_island_kind* k)
{
    return is_loose_heap(k) && k->contacts <= few_contacts;
}

static bool is_large_loose_heap(const cairn_island_kind* k)
{
    return is_loose_heap(k) && k->contacts > few_contacts;
}

// A wheel that happens to bear no load would spin: where motors push against contacts the motion
// depends on how loads are shared, which sweeps leave open.
static bool is_jointed(const cairn_island_kind* k)
{
    return is_free(k) && k->joint_rows > 0 && !k->squeezed && !k->driven;
}

static bool is_few_jointed(const cairn_island_kind* k)
{
    return is_free(k) && k->joint_rows > 0 && !k->squeezed && k->contacts > 0 &&
           k->contacts <= few_contacts;
}

// Sweeps share no loads, and are slow where joints close loops: more joints than bodies.
static bool is_few_driven_or_looped(const cairn_island_kind* k)
{
    enum { rows_per_joint = 6 };
    return is_few_jointed(k) && (k->driven || k->joint_rows > rows_per_joint * k->body_count);
}

static bool is_few_swept(const cairn_island_kind* k)
{
    return is_few_jointed(k) && !is_few_driven_or_looped(k);
}

static bool is_stepped(const cairn_island_kind* k)
{
    return k->stepped;
}

// cones, ellipses and no friction at all
static bool is_smooth(const cairn_island_kind* k)
{
    return !k->sliding && !k->custom && !k->faceted;
}

static bool is_sliding(const cairn_island_kind* k)
{
    return k->sliding;
}

static bool is_faceted(const cairn_island_kind* k)
{
    return k->faceted && !k->sliding && !k->custom;
}

static bool is_articulated(const cairn_island_kind* k)
{
    return is_smooth(k) && k->bodies && k->joint_rows > 0 &&
           3 * k->contacts + k->bounded_rows <= articulated_rows;
}

static bool is_small_without_friction(const cairn_island_kind* k)
{
    return is_smooth(k) && !is_articulated(k) && !k->frictional && k->contacts <= pivoting_contacts;
}

// contacts that resist rolling: moments link all of them, and factors fill in
static bool is_loose_rolling_heap(const cairn_island_kind* k)
{
    return is_smooth(k) && k->bodies && k->joint_rows == 0 && k->bounded_rows > 0 &&
           k->contacts > few_contacts && k->tolerance >= loose_tolerance;
}

static bool is_worth_factoring(const cairn_island_kind* k)
{
    return is_smooth(k) && k->contacts <= factoring_contacts;
}

static bool is_huge(const cairn_island_kind* k)
{
    return is_smooth(k) && k->contacts > factoring_contacts;
}

static bool is_any(const cairn_island_kind* k)
{
    (void)k;
    return true;
}

// ---------------------------------------------------------------- the policy

// clang-format off
static const cairn_choice table[] = {
    // the islands of a step, in its own arrays
    {may_stand,              CAIRN_WAY_WARM,     "warm",    1},
    {may_stand_as_pile,      CAIRN_WAY_STATICS,  "statics", 1},
    {marches,                CAIRN_WAY_MARCH,    "sweeps",  0},
    {is_linkage,             CAIRN_WAY_LINKAGE,  "tree",    0},
    {cairn_kind_is_one_body, CAIRN_WAY_ONE_BODY, "newton",  12},
    {is_small_loose_heap,    CAIRN_WAY_SWEEPS,   "sweeps",  50},
    {is_large_loose_heap,    CAIRN_WAY_SWEEPS,   "sweeps",  1000},
    {is_few_driven_or_looped, CAIRN_WAY_FEW,     "newton",  0},
    {is_jointed,             CAIRN_WAY_JOINTED,  "tree",    0},
    {is_few_swept,           CAIRN_WAY_FEW,      "newton",  0},
    {is_stepped,             CAIRN_WAY_PROBLEM,  "auto",    0},

    // problems; those of a step come here by the front door
    {is_sliding,                CAIRN_WAY_METHOD, "dantzig", 0},
    {is_faceted,                CAIRN_WAY_METHOD, "lemke",   0},
    {is_articulated,            CAIRN_WAY_METHOD, "tree",    0},
    {is_small_without_friction, CAIRN_WAY_METHOD, "dantzig", 0},
    {is_loose_rolling_heap,     CAIRN_WAY_METHOD, "prox",    0},
    {is_worth_factoring,        CAIRN_WAY_METHOD, "exact",   0},
    {is_any,                    CAIRN_WAY_METHOD, "prox",    0},
    {is_huge,                   CAIRN_WAY_METHOD, "exact",   0},
    {is_any,                    CAIRN_WAY_METHOD, "pgs",     0},
};
// clang-format on

const cairn_choice* cairn_choose(const cairn_island_kind* kind, const cairn_choice* last)
{
    const cairn_choice* end = table + sizeof table / sizeof table[0];
    for (const cairn_choice* row = last ? last + 1 : table; row < end; row++)
        if (row->applies(kind))
            return row;
    return NULL;
}

static cairn_island_kind kind_of(const cairn_problem* part)
{
    cairn_island_kind kind = {.bodies = !part->A, .body_count = part->body_count};
    for (int c = 0; c < part->block_count; c++) {
        const cairn_block* block = &part->blocks[c];
        const cairn_friction* friction = &block->friction;

        // rows by what bounds them
        if (block->kind == CAIRN_BLOCK_JOINT || block->kind == CAIRN_BLOCK_VELOCITY)
            kind.joint_rows += block->row_count;
        else if (block->kind != CAIRN_BLOCK_CONTACT)
            kind.bounded_rows += block->row_count;
        else
            kind.contacts++;

        // laws of friction
        if (block->kind != CAIRN_BLOCK_CONTACT || block->row_count == 1)
            continue;
        if (friction->kind != CAIRN_FRICTION_NONE && friction->mu[0] > 0.0)
            kind.frictional = true;
        kind.faceted |= friction->kind == CAIRN_FRICTION_PYRAMID;
        kind.sliding |= friction->kind == CAIRN_FRICTION_SLIDING;
        kind.custom |=
            friction->kind == CAIRN_FRICTION_CUSTOM || friction->kind == CAIRN_FRICTION_BOX;
    }

    return kind;
}

// ---------------------------------------------------------------- the method `auto`

// by how much the tolerance of an island may exceed that of the whole
static double share(const cairn_problem* whole, const cairn_problem* part, int islands, bool fclib)
{
    double ratio = cairn_largest(whole->b, whole->row_count) /
                   fmax(cairn_largest(part->b, part->row_count), 1e-300);
    if (fclib)
        ratio =
            fmin(ratio, cairn_norm_n(whole->b, whole->row_count) /
                            (fmax(cairn_norm_n(part->b, part->row_count), 1e-300) * sqrt(islands)));
    return fmax(1.0, ratio);
}

// what the whole's report takes over from an island's
static void add_report(cairn_report* whole, const cairn_report* part, bool first)
{
    whole->iterations += part->iterations;
    whole->pivots += part->pivots;
    whole->factorizations += part->factorizations;

    // the whole is named after a method or a law only when all islands share it
    if (first) {
        whole->method = part->method;
        whole->law = part->law;
        whole->facets = part->facets;
    } else if (whole->method != part->method) {
        whole->method = "auto";
    }
    if (part->law != whole->law)
        whole->law = CAIRN_LAW_AS_GIVEN;

    // the worst outcome of an island is that of the whole; the first rescue and the first note stay
    if (part->outcome != CAIRN_OUTCOME_CONVERGED &&
        (whole->outcome == CAIRN_OUTCOME_CONVERGED || part->outcome > whole->outcome))
        whole->outcome = part->outcome;
    if (!whole->rescued_by)
        whole->rescued_by = part->rescued_by;
    if (part->note[0] && !whole->note[0])
        memcpy(whole->note, part->note, sizeof whole->note);
}

// whether the joints of a net contradict each other: `tree` then has their least-squares answer
static bool is_final(const cairn_island_kind* kind, const cairn_report* trial)
{
    return trial->outcome == CAIRN_OUTCOME_SINGULAR && kind->joint_rows > net_rows &&
           kind->contacts == 0 && kind->bounded_rows == 0;
}

// whether a method of the chain said why there is no answer
static bool tells_why(const cairn_report* trial)
{
    return trial->outcome == CAIRN_OUTCOME_NO_SOLUTION || trial->outcome == CAIRN_OUTCOME_SINGULAR;
}

// tries the chain on one island; sub->lambda holds the best impulses on return
static cairn_status solve_island(cairn_job* sub, cairn_error* error)
{
    cairn_island_kind kind = kind_of(sub->problem);
    kind.tolerance = sub->def->tolerance;
    size_t bytes = (size_t)sub->problem->row_count * sizeof(double);
    double* best = CAIRN_TAKE(sub->arena, double, sub->problem->row_count);
    double least = INFINITY;
    cairn_report total = {.outcome = CAIRN_OUTCOME_ITERATION_LIMIT}, why = {0}, *own = sub->report;
    int iterations = 0, pivots = 0, factorizations = 0, trials = 0;
    if (!best)
        return CAIRN_NO_MEMORY;

    // the start counts as the first answer
    memcpy(best, sub->lambda, bytes);
    for (const cairn_choice* row = cairn_choose(&kind, NULL); row; row = cairn_choose(&kind, row)) {
        cairn_report trial = {.tolerance = sub->def->tolerance, .facets = sub->def->facets};
        cairn_residual residual = {.relative = INFINITY};
        cairn_arena_mark mark = cairn_arena_here(sub->arena);

        // the certificate decides whether the method has solved it, not the method's own outcome
        sub->report = &trial;
        cairn_status status = cairn_job_delegate(sub, row->method, error);
        if (status == CAIRN_NO_MEMORY)
            return status;

        bool done = status == CAIRN_OK && cairn_job_done(sub, sub->lambda, &residual);
        if (done)
            trial.outcome = CAIRN_OUTCOME_CONVERGED;
        else if (trial.outcome == CAIRN_OUTCOME_CONVERGED)
            trial.outcome = CAIRN_OUTCOME_ITERATION_LIMIT;

        // the report is that of the best trial, with the work of all; a reason outlasts it
        if (!tells_why(&why) && tells_why(&trial))
            why = trial;
        iterations += trial.iterations;
        pivots += trial.pivots;
        factorizations += trial.factorizations;
        trials++;
        if (status == CAIRN_OK && (done || residual.relative < least)) {
            least = residual.relative;
            memcpy(best, sub->lambda, bytes);
            total = trial;
        }

        cairn_arena_release(sub->arena, mark);
        if (done || cairn_job_stopped(sub) || is_final(&kind, &trial))
            break;

        // the next method of the chain takes over from the best impulses
        memcpy(sub->lambda, best, bytes);
    }

    // why there is no answer, or how far the best method came
    if (total.outcome == CAIRN_OUTCOME_ITERATION_LIMIT && tells_why(&why)) {
        total.outcome = why.outcome;
        memcpy(total.note, why.note, sizeof total.note);
    }
    total.iterations = iterations;
    total.pivots = pivots;
    total.factorizations = factorizations;
    memcpy(sub->lambda, best, bytes);
    sub->report = own;
    *own = total;
    if (!own->method)
        own->method = "auto";
    if (own->outcome != CAIRN_OUTCOME_CONVERGED)
        cairn_job_note(sub,
                       "none of %d methods met the tolerance; the best left a residual of %.1e",
                       trials, least);
    return CAIRN_OK;
}

static cairn_status solve_part(cairn_job* job, const cairn_islands* islands, int i,
                               cairn_error* error)
{
    cairn_problem part;
    int* row_of;
    int begin = islands->begin[i], count = islands->begin[i + 1] - begin;
    cairn_status status =
        cairn_problem_part(&part, &row_of, job->problem, islands->block + begin, count, job->arena);
    if (status != CAIRN_OK)
        return status;

    // a job of its own, with its share of tolerance and work
    cairn_solve_def def = *job->def;
    cairn_report report = {0};
    cairn_job sub = {.problem = &part,
                     .def = &def,
                     .arena = job->arena,
                     .started = job->started,
                     .stop = job->stop,
                     .report = &report};
    def.tolerance *= share(job->problem, &part, islands->count, def.fclib);
    double portion = (double)part.row_count / (double)job->problem->row_count;
    sub.stop.most = fmin(job->stop.most, *job->stop.spent + portion * job->stop.most);
    def.ray = def.ray ? CAIRN_TAKE_ZEROED(job->arena, double, part.row_count) : NULL;
    sub.lambda = CAIRN_TAKE(job->arena, double, part.row_count);
    if (job->arena->failed || cairn_delassus_prepare(&sub.A, &part, job->arena) != CAIRN_OK)
        return CAIRN_NO_MEMORY;

    // from its rows of the whole, and back
    for (int r = 0; r < part.row_count; r++)
        sub.lambda[r] = job->lambda[row_of[r]];
    status = solve_island(&sub, error);
    for (int r = 0; r < part.row_count; r++) {
        job->lambda[row_of[r]] = sub.lambda[r];
        if (def.ray)
            job->def->ray[row_of[r]] = def.ray[r];
    }

    // an island that has used up its share of the work has not run out of time
    if (report.outcome == CAIRN_OUTCOME_TIME_LIMIT && cairn_stop_exhausted(&sub.stop))
        report.outcome = CAIRN_OUTCOME_ITERATION_LIMIT;
    add_report(job->report, &report, i == 0);
    return status;
}

cairn_status cairn_method_auto(cairn_job* job, cairn_error* error)
{
    cairn_islands islands;
    cairn_status status = cairn_islands_find(&islands, job->problem, job->arena);
    if (status != CAIRN_OK)
        return status;

    if (islands.count == 1)
        return solve_island(job, error);

    job->report->outcome = CAIRN_OUTCOME_CONVERGED;
    for (int i = 0; i < islands.count && status == CAIRN_OK; i++) {
        // islands that are not reached in time keep the impulses that they started with
        if (i > 0 && cairn_job_stopped(job)) {
            job->report->outcome = CAIRN_OUTCOME_TIME_LIMIT;
            break;
        }

        cairn_arena_mark mark = cairn_arena_here(job->arena);
        status = solve_part(job, &islands, i, error);
        cairn_arena_release(job->arena, mark);
    }
    return status;
}
