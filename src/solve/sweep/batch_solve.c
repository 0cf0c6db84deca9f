// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Sweeps over batches; see batch_solve.h.

#include "solve/sweep/batch_solve.h"
#include "problem/mass.h"
#include <string.h>

// A batch takes some 0.1 µs and a meeting of two threads 1 µs: with fewer batches than this between
// two meetings a second thread costs more than it saves; and where other processes want the
// processors each meeting may take a time slice, so that thousands of sweeps would take minutes.
enum { fewest_batches_per_meeting = 32 };

// whether threads have enough to do between the meetings of a sweep: one after each color, one
// after the domains and one at the end
static bool pays_threads(const cairn_batch_plan* plan)
{
    return plan->batch_count >= fewest_batches_per_meeting * (plan->color_count + 2);
}

bool cairn_batch_loop_prepare(cairn_batch_loop* fast, cairn_job* job, cairn_law law,
                              double relaxation, double filter_speed)
{
    *fast = (cairn_batch_loop){
        .job = job, .level = cairn_simd_detect(), .filter_speed = filter_speed, .single = false};
    if (!cairn_batch_plan_make(&fast->plan, &job->A, law, job->arena))
        return false;

    fast->plan.relaxation = relaxation;
    if (fast->plan.rest_count > 0 &&
        !cairn_rows_prepare(&fast->rest, job, CAIRN_PGS_COMPRESSED, law, relaxation, -1.0))
        return false;
    if (filter_speed >= 0.0) {
        fast->active = CAIRN_TAKE(job->arena, uint8_t, fast->plan.slot_count);
        fast->woken = CAIRN_TAKE(job->arena, uint8_t, fast->plan.slot_count);
        if (job->arena->failed)
            return false;
    }

    if (job->def->threads > 1 && pays_threads(&fast->plan))
        fast->team = cairn_team_start(job->def->threads);
    return true;
}

void cairn_batch_loop_end(cairn_batch_loop* fast)
{
    cairn_team_stop(fast->team);
    fast->team = NULL;
}

bool cairn_batch_loop_narrow(const cairn_batch_loop* fast)
{
    return fast->plan.rest_count == 0;
}

// the filter's limit of a place: the square of a speed
static double quiet_square(const cairn_batch_loop* fast, int place)
{
    const cairn_problem* problem = fast->job->problem;
    if (place >= problem->body_count || !cairn_mass_moves(&problem->bodies[place]))
        return INFINITY;
    return fast->filter_speed * fast->filter_speed;
}

static void load_state(cairn_batch_loop* fast, double* w)
{
    const cairn_problem* problem = fast->job->problem;
    cairn_problem_body_velocity(problem, fast->job->lambda, w);
    for (int i = 0; i < fast->plan.slot_count; i++) {
        bool body = i < problem->body_count && cairn_mass_moves(&problem->bodies[i]);
        double to[cairn_state_stride] = {0.0};
        if (body)
            memcpy(to, w + 6 * (ptrdiff_t)i, 6 * sizeof(double));
        to[6] = fast->filter_speed >= 0.0 ? quiet_square(fast, i) : 0.0;
        for (int k = 0; k < cairn_state_stride; k++)
            if (fast->single)
                fast->narrow.state[cairn_state_stride * (ptrdiff_t)i + k] = (float)to[k];
            else
                fast->wide.state[cairn_state_stride * (ptrdiff_t)i + k] = to[k];
    }
}

bool cairn_batch_loop_begin(cairn_batch_loop* fast, bool single)
{
    cairn_arena* arena = fast->job->arena;
    const cairn_batch_plan* plan = &fast->plan;
    fast->single = single;

    // room is taken once for each precision
    if (single && !fast->narrow.batch && !cairn_batch_take_float(&fast->narrow, plan, arena))
        return false;
    if (!single && !fast->wide.batch && !cairn_batch_take_double(&fast->wide, plan, arena))
        return false;
    if (!fast->scratch)
        fast->scratch = CAIRN_TAKE(arena, double, cairn_delassus_state_size(&fast->job->A));

    if (arena->failed)
        return false;

    // the impulses go in, and the velocities follow from them
    if (single)
        cairn_batch_fill_float(&fast->narrow, plan, fast->job->lambda);
    else
        cairn_batch_fill_double(&fast->wide, plan, fast->job->lambda);
    load_state(fast, fast->scratch);

    fast->rest.state = fast->wide.state;
    if (fast->active)
        cairn_batch_loop_wake(fast);
    return true;
}

void cairn_batch_loop_restart(cairn_batch_loop* fast)
{
    if (fast->single)
        cairn_batch_set_float(&fast->narrow, &fast->plan, fast->job->lambda);
    else
        cairn_batch_set_double(&fast->wide, &fast->plan, fast->job->lambda);
    load_state(fast, fast->scratch);
}

void cairn_batch_loop_wake(cairn_batch_loop* fast)
{
    for (int i = 0; i < fast->plan.slot_count; i++)
        fast->active[i] = fast->woken[i] = quiet_square(fast, i) < INFINITY;
}

// ---------------------------------------------------------------- one sweep

typedef struct sweep_job {
    cairn_batch_loop* fast;
    bool backward;
    double threshold;
    cairn_batch_sweep member[64];
} sweep_job;

static void run_batches(const cairn_batch_loop* fast, cairn_batch_sweep* sweep, int first, int end)
{
    if (fast->single)
        CAIRN_PICK_KERNEL(fast->level, cairn_batch_sweep_float)(&fast->narrow, first, end, sweep);
    else
        CAIRN_PICK_KERNEL(fast->level, cairn_batch_sweep_double)(&fast->wide, first, end, sweep);
}

// whole domains, dealt to the members in turn
static void sweep_domains(const cairn_batch_loop* fast, cairn_batch_sweep* sweep, int rank,
                          int members)
{
    const cairn_batch_plan* plan = &fast->plan;
    for (int d = rank; d < plan->domain_count; d += members)
        run_batches(fast, sweep, plan->domain_begin[d], plan->domain_begin[d + 1]);
    if (fast->team && plan->domain_count > 0)
        cairn_team_meet(fast->team);
}

// then every member takes an equal run of each color; what has no color is the first member's
static void sweep_member(void* context, int rank)
{
    sweep_job* work = context;
    cairn_batch_loop* fast = work->fast;
    const cairn_batch_plan* plan = &fast->plan;
    int colors = plan->color_count, members = fast->team ? cairn_team_count(fast->team) : 1;
    cairn_batch_sweep* sweep = &work->member[rank];

    *sweep = (cairn_batch_sweep){.box = plan->box,
                                 .backward = work->backward,
                                 .active = fast->active,
                                 .woken = fast->woken,
                                 .threshold = work->threshold};

    // domains come first in a forward sweep and last in a backward one
    if (!work->backward)
        sweep_domains(fast, sweep, rank, members);

    for (int i = 0; i <= colors; i++) {
        int k = work->backward ? colors - i : i;
        int begin = plan->batch_begin[k], size = plan->batch_begin[k + 1] - begin;
        if (k == colors && rank == 0)
            run_batches(fast, sweep, begin, begin + size);
        else if (k < colors)
            run_batches(fast, sweep, begin + (int)((int64_t)size * rank / members),
                        begin + (int)((int64_t)size * (rank + 1) / members));

        if (fast->team)
            cairn_team_meet(fast->team);
    }

    if (work->backward)
        sweep_domains(fast, sweep, rank, members);
}

static void sweep_rest(cairn_batch_loop* fast, bool backward)
{
    const cairn_batch_plan* plan = &fast->plan;
    fast->rest.worst = 0.0;
    fast->rest.visits = 0;
    for (int i = 0; i < plan->rest_count; i++)
        cairn_rows_visit(&fast->rest, plan->rest[backward ? plan->rest_count - 1 - i : i]);
    fast->worst = fmax(fast->worst, fast->rest.worst);
    fast->visits += fast->rest.visits;
}

void cairn_batch_loop_sweep(cairn_batch_loop* fast, bool backward, double threshold)
{
    sweep_job work = {.fast = fast, .backward = backward, .threshold = threshold};
    int members = fast->team ? cairn_team_count(fast->team) : 1;

    // bodies woken in the last sweep are the active ones of this sweep
    if (fast->active) {
        memcpy(fast->active, fast->woken, (size_t)fast->plan.slot_count);
        memset(fast->woken, 0, (size_t)fast->plan.slot_count);
    }

    // the rows outside of batches are swept last, or first when going backward
    fast->worst = 0.0;
    if (backward && fast->plan.rest_count)
        sweep_rest(fast, backward);
    if (fast->team)
        cairn_team_run(fast->team, sweep_member, &work);
    else
        sweep_member(&work, 0);

    for (int i = 0; i < members; i++) {
        fast->worst = fmax(fast->worst, work.member[i].worst);
        fast->visits += work.member[i].visited;
    }

    if (!backward && fast->plan.rest_count)
        sweep_rest(fast, backward);
}

void cairn_batch_loop_store(cairn_batch_loop* fast)
{
    if (fast->single)
        cairn_batch_store_float(fast->job->lambda, &fast->plan, &fast->narrow);
    else
        cairn_batch_store_double(fast->job->lambda, &fast->plan, &fast->wide);
}
