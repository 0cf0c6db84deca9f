// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The contact problem of a solve in a recording: all that the residual needs, so that anyone can
// measure it again from the file alone. Contacts are stored by their frame and their arms, from
// which the rows follow:
//
//     row i of B:  (e_i, r_B × e_i),     row i of A:  -(e_i, r_A × e_i),     e = n, t, n × t
//
// and back: with an orthonormal frame, Σ e_i × (r × e_i) = 2 r. Other blocks are stored by rows.

#include "io/recording/recorder.h"
#include <string.h>

static cairn_vec3 vector(const double* x)
{
    return cairn_vec(x[0], x[1], x[2]);
}

static void store(double* to, cairn_vec3 v)
{
    to[0] = v.x;
    to[1] = v.y;
    to[2] = v.z;
}

// the arm r from the rows' angular parts r × e_i (times -1 for A)
static cairn_vec3 arm(const cairn_row* rows, bool of_a)
{
    cairn_vec3 sum = cairn_vec(0.0, 0.0, 0.0);
    for (int i = 0; i < 3; i++) {
        cairn_vec3 turn = vector(of_a ? rows[i].a + 3 : rows[i].b + 3);
        sum = cairn_add_scaled(sum, of_a ? -0.5 : 0.5, cairn_cross(vector(rows[i].b), turn));
    }
    return sum;
}

// the place of a body among the masses of this solve; a row is written when it is new
static int32_t mass_of(cairn_recorder* r, const cairn_island_solve* solve, int body, int64_t first)
{
    if (body < 0)
        return -1;
    if (r->mark[body] == 0) {
        const cairn_mass* mass = &solve->problem->bodies[body];
        const cairn_mat3* I = &mass->inverse_inertia;
        double inverse[7] = {
            mass->inverse_mass, I->cx.x, I->cy.y, I->cz.z, I->cy.x, I->cz.x, I->cz.y};
        int32_t number = solve->slot[body];
        r->mark[body] =
            (int)((int64_t)cairn_columns_rows(r->columns, CAIRN_COLUMN_masses_slot) - first) + 1;
        cairn_recorder_put(r, CAIRN_COLUMN_masses_slot, &number, 1);
        cairn_recorder_put(r, CAIRN_COLUMN_masses_inverse, inverse, 1);
    }
    return r->mark[body] - 1;
}

static void put_contact(cairn_recorder* r, const cairn_problem* problem, const double* lambda,
                        const cairn_block* block, const int32_t* masses)
{
    const cairn_row* rows = problem->rows + block->row;
    int32_t friction[3] = {block->row_count, (int32_t)block->friction.kind, block->friction.facets};
    double frame[6], arms[6], b[4] = {0}, impulse[4] = {0};
    double compliance = problem->compliance ? problem->compliance[block->row] : 0.0;

    // the frame from the rows of B, the arms from their angular parts
    store(frame, vector(rows[0].b));
    store(frame + 3, vector(rows[1].b));
    store(arms, arm(rows, true));
    store(arms + 3, arm(rows, false));

    for (int i = 0; i < block->row_count; i++) {
        b[i] = problem->b[block->row + i];
        impulse[i] = lambda[block->row + i];
    }

    cairn_recorder_put(r, CAIRN_COLUMN_points_masses, masses, 1);
    cairn_recorder_put(r, CAIRN_COLUMN_points_friction, friction, 1);
    cairn_recorder_put(r, CAIRN_COLUMN_points_mu, block->friction.mu, 1);
    cairn_recorder_put(r, CAIRN_COLUMN_points_frame, frame, 1);
    cairn_recorder_put(r, CAIRN_COLUMN_points_arms, arms, 1);
    cairn_recorder_put(r, CAIRN_COLUMN_points_b, b, 1);
    cairn_recorder_put(r, CAIRN_COLUMN_points_impulse, impulse, 1);
    cairn_recorder_put(r, CAIRN_COLUMN_points_compliance, &compliance, 1);
}

static void put_block(cairn_recorder* r, const cairn_problem* problem, const double* lambda,
                      const cairn_block* block, const int32_t* masses)
{
    int32_t kind = (int32_t)block->kind, count = block->row_count;
    for (int i = block->row; i < block->row + block->row_count; i++) {
        double jacobian[12];
        double bounds[2] = {problem->lo ? problem->lo[i] : (double)-INFINITY,
                            problem->hi ? problem->hi[i] : (double)INFINITY};
        double compliance = problem->compliance ? problem->compliance[i] : 0.0;

        memcpy(jacobian, problem->rows[i].a, sizeof problem->rows[i].a);
        memcpy(jacobian + 6, problem->rows[i].b, sizeof problem->rows[i].b);

        cairn_recorder_put(r, CAIRN_COLUMN_rows_jacobian, jacobian, 1);
        cairn_recorder_put(r, CAIRN_COLUMN_rows_b, &problem->b[i], 1);
        cairn_recorder_put(r, CAIRN_COLUMN_rows_bounds, bounds, 1);
        cairn_recorder_put(r, CAIRN_COLUMN_rows_compliance, &compliance, 1);
        cairn_recorder_put(r, CAIRN_COLUMN_rows_impulse, &lambda[i], 1);
    }

    cairn_recorder_put(r, CAIRN_COLUMN_blocks_masses, masses, 1);
    cairn_recorder_put(r, CAIRN_COLUMN_blocks_kind, &kind, 1);
    cairn_recorder_put(r, CAIRN_COLUMN_blocks_rows, &count, 1);
}

// whether a frame, arms, coefficients and the compliance along the normal describe the contact completely
static bool is_plain_contact(const cairn_block* block)
{
    return block->kind == CAIRN_BLOCK_CONTACT && block->row_count >= 3 &&
           block->friction.kind != CAIRN_FRICTION_CUSTOM &&
           block->friction.kind != CAIRN_FRICTION_SLIDING;
}

static bool start(cairn_recorder* r, const cairn_problem* problem)
{
    if (r->status != CAIRN_OK)
        return false;
    if (!problem->rows ||
        !cairn_grow((void**)&r->mark, &r->mark_capacity, problem->body_count, sizeof *r->mark)) {
        r->status = cairn_fail(&r->error, CAIRN_NO_MEMORY, "no memory to record a problem");
        return false;
    }
    if (r->mark)
        memset(r->mark, 0, (size_t)r->mark_capacity * sizeof *r->mark);
    return true;
}

void cairn_recorder_solve(void* recorder, const cairn_island_solve* solve)
{
    if (!recorder || !solve)
        return;

    // a step that is made again takes the place of what was shown of it before
    cairn_recorder* r = recorder;
    if (solve->attempt != r->attempt)
        cairn_recorder_forget(r);
    r->attempt = solve->attempt;

    const cairn_problem* problem = solve->problem;
    const double* lambda = solve->lambda;
    static const int columns[4] = {CAIRN_COLUMN_masses_slot, CAIRN_COLUMN_points_mu,
                                   CAIRN_COLUMN_blocks_kind, CAIRN_COLUMN_rows_b};
    static const int ranges[4] = {CAIRN_COLUMN_solves_masses, CAIRN_COLUMN_solves_contacts,
                                  CAIRN_COLUMN_solves_blocks, CAIRN_COLUMN_solves_rows};

    int64_t first[4];
    if (!start(r, problem))
        return;

    // the rows that this solve adds to each table begin here
    for (int k = 0; k < 4; k++)
        first[k] = (int64_t)cairn_columns_rows(r->columns, columns[k]);

    for (int c = 0; c < problem->block_count; c++) {
        const cairn_block* block = &problem->blocks[c];
        int32_t masses[2] = {mass_of(r, solve, block->body_a, first[0]),
                             mass_of(r, solve, block->body_b, first[0])};

        // contacts are stored by their frame and arms, a third of the numbers of their rows
        if (is_plain_contact(block))
            put_contact(r, problem, lambda, block, masses);
        else if (block->kind != CAIRN_BLOCK_CONTACT)
            put_block(r, problem, lambda, block, masses);
        else
            r->status = cairn_fail(&r->error, CAIRN_NOT_SUPPORTED,
                                   "contact %d has a friction law that cannot be recorded", c);
    }

    // the ranges of rows, the friction law and the residual as the solver reported it
    int32_t law[2] = {(int32_t)solve->law, solve->facets};
    double residual[2] = {solve->residual, solve->residual_velocity};
    for (int k = 0; k < 4; k++) {
        int64_t range[2] = {first[k],
                            (int64_t)cairn_columns_rows(r->columns, columns[k]) - first[k]};
        cairn_recorder_put(r, ranges[k], range, 1);
    }

    cairn_recorder_put(r, CAIRN_COLUMN_solves_law, law, 1);
    cairn_recorder_put(r, CAIRN_COLUMN_solves_residual, residual, 1);
}
