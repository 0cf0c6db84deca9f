// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Rolling resistance. A contact with the coefficient ρ (m) resists the relative spin about two
// tangents e_1, e_2 of the bodies,
//
//     v_k = e_k·(ω_B - ω_A),    |m_k| <= ρ λ_N,    m_k v_k = -ρ λ_N |v_k|
//
// so that a ball of radius r rolls on a level floor with the deceleration (5/7) g ρ/r, and stays on
// a slope whose tangent is less than ρ/r. e_1 is the axis about which the bodies roll or are about
// to roll: there the square of the moments and their disc are the same.
//
// In the problem of a kick these are bounded rows (motors at rest). Their bounds depend on the
// answer:
//
//     solve with |m| <= ρ λ_N of the last answer,    set the bounds anew,    until the certificate,
//     which knows only the new bounds, is met.
//
// A moment changes a normal impulse by about ρ/r of itself, so that a round leaves about that share
// of the error; on a plane one round is exact.

#include "problem/residual.h"
#include "world/step/island.h"

void cairn_rolling_room(const cairn_span* span, size_t* rows, size_t* blocks)
{
    for (int c = 0; c < span->island->touch_count && span->island->rolls; c++) {
        bool rolls = cairn_span_touch(span, c)->rolls;
        *rows += rolls ? 2 : 0;
        *blocks += rolls ? 1 : 0;
    }
}

// the axis about which B rolls on A by the velocities without impulses: that of the spins or, where
// the bodies only start to roll, the one square to the way of the centers
static cairn_vec3 rolling_axis(const cairn_span* span, const cairn_touch* touch)
{
    const double *a = span->free + 6 * (ptrdiff_t)touch->a,
                 *b = span->free + 6 * (ptrdiff_t)touch->b;
    cairn_vec3 v = cairn_vec(b[0] - a[0], b[1] - a[1], b[2] - a[2]);
    cairn_vec3 w = cairn_vec(b[3] - a[3], b[4] - a[4], b[5] - a[5]);
    double lever = fmax(span->world->bodies[touch->a].radius, span->world->bodies[touch->b].radius);
    cairn_vec3 turn = cairn_scale(lever, cairn_add_scaled(w, -cairn_dot(w, touch->n), touch->n));
    cairn_vec3 roll = cairn_add(turn, cairn_cross(touch->n, v));
    double length = cairn_norm(roll);
    return length > 0.0 ? cairn_scale(1.0 / length, roll) : touch->t;
}

static void set_bounds(cairn_problem* problem, const cairn_block* block, double most)
{
    for (int r = block->row; r < block->row + block->row_count; r++) {
        problem->lo[r] = -most;
        problem->hi[r] = most;
    }
}

static void add_rows(cairn_problem* problem, const cairn_span* span, const cairn_block* contact)
{
    const cairn_touch* touch = &span->world->touches[contact->source];
    const double *a = span->free + 6 * (ptrdiff_t)touch->a,
                 *b = span->free + 6 * (ptrdiff_t)touch->b;
    cairn_vec3 axis = rolling_axis(span, touch);
    const cairn_vec3 axes[2] = {axis, cairn_cross(touch->n, axis)};

    cairn_block* block = &problem->blocks[problem->block_count++];
    *block = (cairn_block){.kind = CAIRN_BLOCK_MOTOR,
                           .row = problem->row_count,
                           .row_count = 2,
                           .body_a = contact->body_a,
                           .body_b = contact->body_b,
                           .source = -1 - contact->source};

    problem->row_count += 2;
    for (int k = 0; k < 2; k++) {
        int row = block->row + k;
        cairn_vec3 e = axes[k];
        problem->rows[row] =
            (cairn_row){{0.0, 0.0, 0.0, -e.x, -e.y, -e.z}, {0.0, 0.0, 0.0, e.x, e.y, e.z}};
        problem->b[row] = cairn_dot(e, cairn_vec(b[3] - a[3], b[4] - a[4], b[5] - a[5]));
        problem->warm[row] = problem->compliance[row] = 0.0;
    }

    set_bounds(problem, block,
               cairn_touch_rolling(touch, span->world) * fmax(problem->warm[contact->row], 0.0));
}

void cairn_island_add_rolling(cairn_problem* problem, const cairn_span* span)
{
    int count = problem->block_count;
    for (int c = 0; c < count && span->island->rolls; c++) {
        const cairn_block* contact = &problem->blocks[c];
        if (contact->kind == CAIRN_BLOCK_CONTACT && span->world->touches[contact->source].rolls)
            add_rows(problem, span, contact);
    }
}

// the bounds of normal impulses; contacts and their rolling stand in the same order
static void follow_impulses(cairn_problem* problem, const cairn_world* world, const double* lambda)
{
    int contact = 0;
    for (int c = 0; c < problem->block_count; c++) {
        const cairn_block* block = &problem->blocks[c];
        if (!cairn_is_rolling(block))
            continue;
        int source = -1 - block->source;
        while (problem->blocks[contact].source != source)
            contact++;
        double normal = fmax(lambda[problem->blocks[contact].row], 0.0);
        set_bounds(problem, block, cairn_touch_rolling(&world->touches[source], world) * normal);
    }
}

cairn_status cairn_island_call_rolling(const cairn_span* span, cairn_problem* problem,
                                       const cairn_solve_def* def, double* lambda,
                                       cairn_report* report)
{
    enum { most_rounds = 16 };
    cairn_status status = cairn_island_call(span, problem, def, lambda, report);
    int last = problem->block_count - 1;
    if (status != CAIRN_OK || last < 0 || !cairn_is_rolling(&problem->blocks[last]))
        return status;

    for (int round = 1; status == CAIRN_OK; round++) {
        // the residual of the answer, with the bounds that its own normal impulses set
        follow_impulses(problem, span->world, lambda);
        status =
            cairn_problem_residual(problem, lambda, report->law, report->facets, &report->residual);
        bool met = report->residual.relative <= def->tolerance;
        if (status != CAIRN_OK || met || round == most_rounds ||
            report->outcome != CAIRN_OUTCOME_CONVERGED) {
            if (!met && report->outcome == CAIRN_OUTCOME_CONVERGED)
                report->outcome = CAIRN_OUTCOME_ITERATION_LIMIT;
            return status;
        }

        // solve again with the bounds of this answer, from this answer
        for (int r = 0; r < problem->row_count; r++)
            problem->warm[r] = lambda[r];
        status = cairn_island_call(span, problem, def, lambda, report);
    }
    return status;
}
