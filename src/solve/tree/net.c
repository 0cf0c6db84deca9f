// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// A problem of joints alone as a net; see net.h.

#include "solve/tree/net.h"
#include "problem/mass.h"
#include "solve/tree/loops.h"
#include <stdlib.h>
#include <string.h>

// what a workspace keeps: one net
typedef struct kept_net {
    cairn_kept base;
    cairn_loops* loops;
    cairn_tree_constraint* joints;
    int body_count, joint_count;
    bool used; // since the last fit
} kept_net;

static void forget_net(kept_net* kept)
{
    cairn_loops_destroy(kept->loops);
    free(kept->joints);
    kept->loops = NULL;
    kept->joints = NULL;
}

static void destroy_net(cairn_kept* base)
{
    kept_net* kept = (kept_net*)base;
    forget_net(kept);
    free(kept);
}

static size_t net_memory(const cairn_kept* base)
{
    const kept_net* kept = (const kept_net*)base;
    size_t loops = kept->loops ? sizeof *kept->loops + cairn_arena_memory(&kept->loops->own) : 0;
    return sizeof *kept + loops + (size_t)kept->joint_count * sizeof *kept->joints;
}

static bool net_used(cairn_kept* base)
{
    kept_net* kept = (kept_net*)base;
    bool used = kept->used;
    kept->used = false;
    return used;
}

// ---------------------------------------------------------------- the graph

static int mover(const cairn_problem* problem, int body)
{
    bool moves = body != CAIRN_WORLD_BODY && cairn_mass_moves(&problem->bodies[body]);
    return moves ? body : CAIRN_WORLD_BODY;
}

// the joints of a problem; bodies that cannot move are the world
static cairn_tree_constraint* list_joints(const cairn_problem* problem, cairn_arena* arena)
{
    cairn_tree_constraint* joints =
        CAIRN_TAKE_ZEROED(arena, cairn_tree_constraint, problem->block_count);
    for (int c = 0; c < problem->block_count && joints; c++) {
        const cairn_block* block = &problem->blocks[c];
        joints[c] = (cairn_tree_constraint){mover(problem, block->body_a),
                                            mover(problem, block->body_b), block->row_count};
    }
    return joints;
}

static bool is_same(const kept_net* kept, const cairn_problem* problem,
                    const cairn_tree_constraint* joints)
{
    return kept->loops && kept->body_count == problem->body_count &&
           kept->joint_count == problem->block_count &&
           memcmp(kept->joints, joints, (size_t)kept->joint_count * sizeof *joints) == 0;
}

static cairn_status refill(kept_net* kept, const cairn_problem* problem,
                           const cairn_tree_constraint* joints, const cairn_loops_def* def)
{
    size_t bytes = (size_t)problem->block_count * sizeof *joints;
    forget_net(kept);
    kept->joints = malloc(bytes);
    if (!kept->joints)
        return CAIRN_NO_MEMORY;
    memcpy(kept->joints, joints, bytes);
    kept->body_count = problem->body_count;
    kept->joint_count = problem->block_count;
    return cairn_loops_create(&kept->loops, kept->body_count, joints, kept->joint_count, def);
}

// the net in the workspace, or one of this solve
static cairn_status find_loops(cairn_loops** loops, cairn_job* job, const cairn_loops_def* def)
{
    const cairn_problem* problem = job->problem;
    cairn_tree_constraint* joints = list_joints(problem, job->arena);
    cairn_kept** place = cairn_job_kept(job, destroy_net);
    if (!joints)
        return CAIRN_NO_MEMORY;

    // without a workspace it lives as long as this solve
    if (!place) {
        *loops = CAIRN_TAKE(job->arena, cairn_loops, 1);
        return *loops ? cairn_loops_prepare(*loops, problem->body_count, joints,
                                            problem->block_count, def, job->arena)
                      : CAIRN_NO_MEMORY;
    }

    // otherwise it is kept from solve to solve, and analyzed again only for other joints
    if (!*place) {
        kept_net* made = calloc(1, sizeof *made);
        if (!made)
            return CAIRN_NO_MEMORY;
        made->base = (cairn_kept){.destroy = destroy_net, .memory = net_memory, .fit = net_used};
        *place = &made->base;
    }

    kept_net* kept = (kept_net*)*place;
    kept->used = true;
    cairn_status status =
        is_same(kept, problem, joints) ? CAIRN_OK : refill(kept, problem, joints, def);
    *loops = kept->loops;
    return status;
}

// ---------------------------------------------------------------- the solve

// the block of a row
static int block_of_row(const cairn_problem* problem, int row)
{
    int block = 0;
    while (row >= problem->blocks[block].row + problem->blocks[block].row_count)
        block++;
    return block;
}

static void report_end(cairn_job* job, const cairn_loops_report* report)
{
    job->report->iterations += report->iterations;
    job->report->factorizations += report->factorizations;

    // what did not converge may be within the tolerance asked for
    if (report->converged || cairn_job_done(job, job->lambda, NULL)) {
        job->report->outcome = CAIRN_OUTCOME_CONVERGED;
    } else if (cairn_job_stopped(job)) {
        job->report->outcome = CAIRN_OUTCOME_TIME_LIMIT;
    } else {
        job->report->outcome = CAIRN_OUTCOME_SINGULAR;
        cairn_job_note(job, "block %d: its rows depend on other constraints",
                       block_of_row(job->problem, report->worst_row));
    }
}

// The certificate is relative to max |b| and asks for the worst block, the residual of a net is a
// sum of squares: it is asked for as little as satisfies the certificate.
static cairn_loops_report solve_to_certificate(cairn_loops* loops, cairn_job* job, double* y)
{
    cairn_loops_report total = {0};
    for (double share = 0.02; share > 1e-5; share *= 0.2) {
        loops->def.tolerance = fmax(1e-13, share * job->def->tolerance);
        cairn_loops_report report =
            cairn_loops_solve(loops, NULL, job->problem->b, 1, y, job->lambda);
        report.iterations += total.iterations;
        report.factorizations += total.factorizations;
        total = report;
        if (!report.converged || cairn_job_stopped(job) || cairn_job_done(job, job->lambda, NULL))
            break;
    }
    return total;
}

// A factor that is there brings many more digits for a tenth of its price. They are worth it: steps
// of a world start from them, and a net at rest then needs no factor at all.
static void polish(cairn_loops* loops, cairn_job* job, cairn_loops_report* report, double* y)
{
    loops->def.tolerance = 1e-11;
    loops->def.proximal_steps = 0;
    loops->def.most_iterations = 8;
    cairn_loops_report more = cairn_loops_iterate(loops, NULL, job->problem->b, 1, y, job->lambda);
    report->iterations += more.iterations;
}

cairn_status cairn_net_solve(cairn_job* job)
{
    cairn_loops* loops = NULL;
    cairn_loops_def def = cairn_default_loops_def();
    def.stop = &job->stop;

    // the finest factor would be one more, and is for masses of very different size
    def.redundancy = 1e-9;
    cairn_status status = find_loops(&loops, job, &def);
    if (status == CAIRN_INTERRUPTED) {
        job->report->outcome = CAIRN_OUTCOME_TIME_LIMIT;
        return CAIRN_OK;
    }

    double* y = CAIRN_TAKE(job->arena, double, 6 * (ptrdiff_t)job->problem->body_count);
    if (status != CAIRN_OK || !y)
        return CAIRN_NO_MEMORY;

    // the rows are scaled already: masses are 1
    cairn_loops_forget(loops, &def);
    cairn_loops_load(loops, NULL, job->A.scaled, job->problem->compliance);
    cairn_loops_report report = solve_to_certificate(loops, job, y);
    if (report.factorizations > 0 && report.converged)
        polish(loops, job, &report, y);
    report_end(job, &report);
    return CAIRN_OK;
}
