// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The contact problems of a recording, put together again from their rows (recorder_solve.c tells
// how they are stored). Every number is checked by cairn_problem_check.

#include "io/recording/recording.h"
#include <stdlib.h>
#include <string.h>

typedef struct solve_ranges {
    cairn_range masses, contacts, blocks, rows;
} solve_ranges;

static cairn_status no_problem(const cairn_recording* r, uint64_t at, cairn_error* error)
{
    return cairn_fail(error, CAIRN_BAD_INPUT, "%s: solve %llu is no contact problem", r->path,
                      (unsigned long long)at);
}

static cairn_status read_ranges(cairn_recording* r, uint64_t at, solve_ranges* s,
                                cairn_error* error)
{
    cairn_status status = cairn_recording_range(r, CAIRN_COLUMN_solves_masses, at,
                                                CAIRN_COLUMN_masses_inverse, &s->masses, error);
    if (status == CAIRN_OK)
        status = cairn_recording_range(r, CAIRN_COLUMN_solves_contacts, at,
                                       CAIRN_COLUMN_points_impulse, &s->contacts, error);
    if (status == CAIRN_OK)
        status = cairn_recording_range(r, CAIRN_COLUMN_solves_blocks, at, CAIRN_COLUMN_blocks_rows,
                                       &s->blocks, error);
    if (status == CAIRN_OK)
        status = cairn_recording_range(r, CAIRN_COLUMN_solves_rows, at, CAIRN_COLUMN_rows_impulse,
                                       &s->rows, error);
    return status;
}

static cairn_status add_masses(cairn_recording* r, const cairn_range* range,
                               cairn_recorded_solve* solve, cairn_error* error)
{
    for (int i = 0; i < range->count; i++) {
        double x[7];
        int32_t slot;
        uint64_t at = range->first + (uint64_t)i;
        cairn_status status =
            cairn_table_read(r->table, CAIRN_COLUMN_masses_inverse, at, 1, x, error);
        if (status == CAIRN_OK)
            status = cairn_table_read(r->table, CAIRN_COLUMN_masses_slot, at, 1, &slot, error);

        if (status != CAIRN_OK)
            return status;

        cairn_mass mass = {x[0], {{x[1], x[4], x[5]}, {x[4], x[2], x[6]}, {x[5], x[6], x[3]}}};
        if (cairn_problem_add_body(&solve->problem, mass) != CAIRN_OK)
            return cairn_fail(error, CAIRN_NO_MEMORY, "%s: no memory for a problem", r->path);
        solve->slot[i] = slot;
    }

    return CAIRN_OK;
}

static cairn_vec3 vector(const double* x)
{
    return cairn_vec(x[0], x[1], x[2]);
}

static bool is_mass(int32_t index, const cairn_recorded_solve* solve)
{
    return index >= CAIRN_WORLD_BODY && index < solve->problem.body_count;
}

static cairn_status add_contact(cairn_recording* r, uint64_t at, cairn_recorded_solve* solve,
                                cairn_error* error)
{
    int32_t masses[2], friction[3];
    double mu[3], frame[6], arms[6], b[4], impulse[4];
    static const int columns[7] = {CAIRN_COLUMN_points_masses, CAIRN_COLUMN_points_friction,
                                   CAIRN_COLUMN_points_mu,     CAIRN_COLUMN_points_frame,
                                   CAIRN_COLUMN_points_arms,   CAIRN_COLUMN_points_b,
                                   CAIRN_COLUMN_points_impulse};
    void* const parts[7] = {masses, friction, mu, frame, arms, b, impulse};

    for (int k = 0; k < 7; k++) {
        cairn_status status = cairn_table_read(r->table, columns[k], at, 1, parts[k], error);
        if (status != CAIRN_OK)
            return status;
    }

    // older recordings have none, of contacts that are no springs and give no way to a squeeze
    double compliance = 0.0;
    if (at < cairn_table_rows(r->table, CAIRN_COLUMN_points_compliance)) {
        cairn_status status =
            cairn_table_read(r->table, CAIRN_COLUMN_points_compliance, at, 1, &compliance, error);
        if (status != CAIRN_OK)
            return status;
    }

    if (friction[0] < 3 || friction[0] > 4 || friction[1] < CAIRN_FRICTION_NONE ||
        friction[1] > CAIRN_FRICTION_BOX || !is_mass(masses[0], solve) ||
        !is_mass(masses[1], solve))
        return no_problem(r, at, error);

    // the third axis is the cross product of the two that are stored
    cairn_row rows[4];
    cairn_mat3 axes = {vector(frame), vector(frame + 3),
                       cairn_cross(vector(frame), vector(frame + 3))};
    cairn_frame_rows(axes, vector(arms), vector(arms + 3), friction[0], rows);

    cairn_block block = {.kind = CAIRN_BLOCK_CONTACT,
                         .row_count = friction[0],
                         .body_a = masses[0],
                         .body_b = masses[1],
                         .friction = {.kind = (cairn_friction_kind)friction[1],
                                      .facets = friction[2],
                                      .mu = {mu[0], mu[1], mu[2]}}};

    int first = solve->problem.row_count;
    memcpy(solve->lambda + first, impulse, (size_t)friction[0] * sizeof(double));
    if (cairn_problem_add_block(&solve->problem, &block, rows, b) != CAIRN_OK)
        return cairn_fail(error, CAIRN_NO_MEMORY, "%s: no memory for a problem", r->path);
    solve->problem.compliance[first] = compliance;
    return CAIRN_OK;
}

typedef struct row_values {
    cairn_row row;
    double b, bounds[2], compliance, impulse;
} row_values;

static cairn_status read_row(cairn_recording* r, uint64_t at, row_values* row, cairn_error* error)
{
    double jacobian[12];
    static const int columns[5] = {CAIRN_COLUMN_rows_jacobian, CAIRN_COLUMN_rows_b,
                                   CAIRN_COLUMN_rows_bounds, CAIRN_COLUMN_rows_compliance,
                                   CAIRN_COLUMN_rows_impulse};
    void* const parts[5] = {jacobian, &row->b, row->bounds, &row->compliance, &row->impulse};
    for (int k = 0; k < 5; k++) {
        cairn_status status = cairn_table_read(r->table, columns[k], at, 1, parts[k], error);
        if (status != CAIRN_OK)
            return status;
    }
    memcpy(row->row.a, jacobian, sizeof row->row.a);
    memcpy(row->row.b, jacobian + 6, sizeof row->row.b);
    return CAIRN_OK;
}

// a block of rows; `next` is the row at hand and moves on
static cairn_status add_block(cairn_recording* r, uint64_t at, uint64_t* next, uint64_t end,
                              cairn_recorded_solve* solve, cairn_error* error)
{
    int32_t masses[2], kind, count;
    row_values values[6];
    cairn_row rows[6];
    double b[6];

    cairn_status status =
        cairn_table_read(r->table, CAIRN_COLUMN_blocks_masses, at, 1, masses, error);
    if (status == CAIRN_OK)
        status = cairn_table_read(r->table, CAIRN_COLUMN_blocks_kind, at, 1, &kind, error);
    if (status == CAIRN_OK)
        status = cairn_table_read(r->table, CAIRN_COLUMN_blocks_rows, at, 1, &count, error);
    if (status != CAIRN_OK)
        return status;

    // up to six rows of their own, still within those of the solve
    if (kind < CAIRN_BLOCK_JOINT || kind > CAIRN_BLOCK_VELOCITY || count < 1 || count > 6 ||
        (uint64_t)count > end - *next || !is_mass(masses[0], solve) || !is_mass(masses[1], solve))
        return no_problem(r, at, error);

    for (int i = 0; status == CAIRN_OK && i < count; i++) {
        status = read_row(r, (*next)++, &values[i], error);
        rows[i] = values[i].row;
        b[i] = values[i].b;
    }
    if (status != CAIRN_OK)
        return status;

    int first = solve->problem.row_count;
    cairn_block block = {.kind = (cairn_block_kind)kind,
                         .row_count = count,
                         .body_a = masses[0],
                         .body_b = masses[1]};

    if (cairn_problem_add_block(&solve->problem, &block, rows, b) != CAIRN_OK)
        return cairn_fail(error, CAIRN_NO_MEMORY, "%s: no memory for a problem", r->path);

    for (int i = 0; i < count; i++) {
        cairn_problem_set_bounds(&solve->problem, first + i, values[i].bounds[0],
                                 values[i].bounds[1]);
        solve->problem.compliance[first + i] = values[i].compliance;
        solve->lambda[first + i] = values[i].impulse;
    }
    return CAIRN_OK;
}

static cairn_status read_solve(cairn_recording* r, uint64_t at, cairn_recorded_solve* solve,
                               cairn_error* error)
{
    solve_ranges s = {0};
    int32_t law[2];
    double residual[2];

    cairn_status status = read_ranges(r, at, &s, error);
    if (status == CAIRN_OK)
        status = cairn_table_read(r->table, CAIRN_COLUMN_solves_law, at, 1, law, error);
    if (status == CAIRN_OK)
        status = cairn_table_read(r->table, CAIRN_COLUMN_solves_residual, at, 1, residual, error);
    if (status != CAIRN_OK)
        return status;

    if (law[0] < CAIRN_LAW_AS_GIVEN || law[0] > CAIRN_LAW_BOX ||
        (law[0] == CAIRN_LAW_PYRAMID && law[1] < 3) || s.contacts.count > INT32_MAX / 8)
        return no_problem(r, at, error);

    solve->law = (cairn_law)law[0];
    solve->facets = law[1];
    solve->residual = residual[0];
    solve->residual_velocity = residual[1];

    // room for all impulses: a contact has four rows at most
    size_t rows = 4 * (size_t)s.contacts.count + (size_t)s.rows.count;
    solve->lambda = calloc(rows + 1, sizeof *solve->lambda);
    solve->slot = calloc((size_t)s.masses.count + 1, sizeof *solve->slot);

    // problem->compliance, once it is there, grows with the rows
    solve->problem.compliance = calloc(1, sizeof(double));
    if (!solve->lambda || !solve->slot || !solve->problem.compliance)
        return cairn_fail(error, CAIRN_NO_MEMORY, "%s: no memory for a problem", r->path);

    // bodies, contacts, then the blocks, which take their rows in order
    status = add_masses(r, &s.masses, solve, error);
    for (int i = 0; status == CAIRN_OK && i < s.contacts.count; i++)
        status = add_contact(r, s.contacts.first + (uint64_t)i, solve, error);
    uint64_t next = s.rows.first, end = s.rows.first + (uint64_t)s.rows.count;
    for (int i = 0; status == CAIRN_OK && i < s.blocks.count; i++)
        status = add_block(r, s.blocks.first + (uint64_t)i, &next, end, solve, error);

    for (int i = 0; status == CAIRN_OK && i < solve->problem.row_count; i++)
        if (!isfinite(solve->lambda[i]))
            status = no_problem(r, at, error);

    return status == CAIRN_OK ? cairn_problem_check(&solve->problem, error) : status;
}

int cairn_recording_solve_count(cairn_recording* r, int index)
{
    if (!r)
        return 0;
    cairn_range range = {0};
    if (index < 0 || index >= r->frame_count ||
        cairn_recording_range(r, CAIRN_COLUMN_steps_solves, (uint64_t)index,
                              CAIRN_COLUMN_solves_residual, &range, NULL) != CAIRN_OK)
        return -1;
    return range.count;
}

cairn_status cairn_recording_solve(cairn_recording* r, int index, int number,
                                   cairn_recorded_solve* solve, cairn_error* error)
{
    if (!r || !solve)
        return cairn_refuse_null(error, "the recording or the place for the solve");
    cairn_range range = {0};
    *solve = (cairn_recorded_solve){.problem = cairn_problem_empty()};

    if (index < 0 || index >= r->frame_count)
        return cairn_fail(error, CAIRN_BAD_INPUT, "%s: has %d frames, frame %d is asked for",
                          r->path, r->frame_count, index);

    cairn_status status = cairn_recording_range(r, CAIRN_COLUMN_steps_solves, (uint64_t)index,
                                                CAIRN_COLUMN_solves_residual, &range, error);
    if (status == CAIRN_OK && (number < 0 || number >= range.count))
        status = cairn_fail(error, CAIRN_BAD_INPUT, "%s: frame %d has %d solves", r->path, index,
                            range.count);
    if (status == CAIRN_OK)
        status = read_solve(r, range.first + (uint64_t)number, solve, error);

    if (status != CAIRN_OK)
        cairn_recorded_solve_destroy(solve);
    return status;
}

void cairn_recorded_solve_destroy(cairn_recorded_solve* solve)
{
    if (!solve)
        return;
    cairn_problem_destroy(&solve->problem);
    free(solve->lambda);
    free(solve->slot);
    *solve = (cairn_recorded_solve){.problem = cairn_problem_empty()};
}
