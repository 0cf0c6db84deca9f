// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Building, copying and checking a contact problem.

#include "math/accept.h"
#include "math/numbers.h"
#include "problem/friction.h"
#include "problem/six.h"
#include <cairn/problem.h>
#include <stdlib.h>
#include <string.h>

cairn_problem cairn_problem_empty(void)
{
    return (cairn_problem){.space = 3};
}

static void destroy_block_matrix(cairn_block_matrix* A)
{
    if (!A)
        return;
    free(A->row_begin);
    free(A->column);
    free(A->value);
    free(A);
}

void cairn_problem_destroy(cairn_problem* problem)
{
    if (!problem)
        return;

    free(problem->bodies);
    free(problem->blocks);
    free(problem->rows);
    destroy_block_matrix(problem->A);
    free(problem->b);
    free(problem->lo);
    free(problem->hi);
    free(problem->compliance);
    free(problem->warm);
    *problem = cairn_problem_empty();
}

// ---------------------------------------------------------------- growth

static int grown(int capacity, int need)
{
    int larger = capacity < 8 ? 8 : capacity + capacity / 2;
    return larger < need ? need : larger;
}

static bool grow(void* array, int capacity, size_t element)
{
    void** pointer = array;
    void* memory = realloc(*pointer, (size_t)capacity * element);
    if (memory)
        *pointer = memory;
    return memory != NULL;
}

cairn_status cairn_problem_add_body(cairn_problem* problem, cairn_mass mass)
{
    if (!problem)
        return CAIRN_BAD_INPUT;
    if (problem->body_count == problem->body_capacity) {
        int capacity = grown(problem->body_capacity, problem->body_count + 1);
        if (!grow(&problem->bodies, capacity, sizeof(cairn_mass)))
            return CAIRN_NO_MEMORY;
        problem->body_capacity = capacity;
    }
    problem->bodies[problem->body_count++] = mass;
    return CAIRN_OK;
}

static bool reserve_rows(cairn_problem* problem, int count)
{
    int need = problem->row_count + count;
    if (need <= problem->row_capacity)
        return true;

    int capacity = grown(problem->row_capacity, need);
    if (!grow(&problem->rows, capacity, sizeof(cairn_row)) ||
        !grow(&problem->b, capacity, sizeof(double)) ||
        !grow(&problem->lo, capacity, sizeof(double)) ||
        !grow(&problem->hi, capacity, sizeof(double)))
        return false;

    // arrays that the problem does not have yet stay so
    if (problem->compliance && !grow(&problem->compliance, capacity, sizeof(double)))
        return false;
    if (problem->warm && !grow(&problem->warm, capacity, sizeof(double)))
        return false;

    problem->row_capacity = capacity;
    return true;
}

cairn_status cairn_problem_add_block(cairn_problem* problem, const cairn_block* block,
                                     const cairn_row* rows, const double* b)
{
    if (!problem || !block || !rows || !b)
        return CAIRN_BAD_INPUT;

    if (!reserve_rows(problem, block->row_count))
        return CAIRN_NO_MEMORY;
    if (problem->block_count == problem->block_capacity) {
        int capacity = grown(problem->block_capacity, problem->block_count + 1);
        if (!grow(&problem->blocks, capacity, sizeof(cairn_block)))
            return CAIRN_NO_MEMORY;
        problem->block_capacity = capacity;
    }

    // no bounds, no compliance and no warm start until the caller sets them
    int row = problem->row_count;
    for (int i = 0; i < block->row_count; i++) {
        problem->rows[row + i] = rows[i];
        problem->b[row + i] = b[i];
        problem->lo[row + i] = -INFINITY;
        problem->hi[row + i] = INFINITY;
        if (problem->compliance)
            problem->compliance[row + i] = 0.0;
        if (problem->warm)
            problem->warm[row + i] = 0.0;
    }

    problem->blocks[problem->block_count] = *block;
    problem->blocks[problem->block_count].row = row;
    problem->block_count++;
    problem->row_count += block->row_count;
    return CAIRN_OK;
}

void cairn_problem_set_bounds(cairn_problem* problem, int row, double lo, double hi)
{
    if (!problem || !problem->lo || !problem->hi)
        return;
    problem->lo[row] = lo;
    problem->hi[row] = hi;
}

void cairn_frame_rows(cairn_mat3 frame, cairn_vec3 r_a, cairn_vec3 r_b, int row_count,
                      cairn_row* rows)
{
    if (!rows)
        return;
    const cairn_vec3 c[3] = {frame.cx, frame.cy, frame.cz};
    for (int i = 0; i < row_count && i < 3; i++) {
        cairn_store_six(rows[i].a, cairn_neg(c[i]), cairn_neg(cairn_cross(r_a, c[i])));
        cairn_store_six(rows[i].b, c[i], cairn_cross(r_b, c[i]));
    }
    if (row_count == 4) {
        cairn_store_six(rows[3].a, cairn_vec(0.0, 0.0, 0.0), cairn_neg(c[0]));
        cairn_store_six(rows[3].b, cairn_vec(0.0, 0.0, 0.0), c[0]);
    }
}

double cairn_contact_restitution(double v_normal, double e, double threshold)
{
    return v_normal < -threshold ? e * v_normal : 0.0;
}

void cairn_contact_rows(cairn_vec3 n, cairn_vec3 r_a, cairn_vec3 r_b, int row_count,
                        cairn_row* rows)
{
    if (!rows)
        return;
    cairn_mat3 frame = {.cx = n};
    cairn_tangents(n, &frame.cy, &frame.cz);
    cairn_frame_rows(frame, r_a, r_b, row_count, rows);
}

cairn_friction cairn_friction_cone(double mu)
{
    return (cairn_friction){.kind = CAIRN_FRICTION_CONE, .mu = {mu, mu, 0.0}};
}

int cairn_problem_contact_count(const cairn_problem* problem)
{
    if (!problem)
        return 0;
    int count = 0;
    for (int c = 0; c < problem->block_count; c++)
        count += problem->blocks[c].kind == CAIRN_BLOCK_CONTACT;
    return count;
}

// ---------------------------------------------------------------- copying

static bool duplicate(void* to, const void* from, size_t bytes)
{
    void** pointer = to;
    if (!from)
        return true;
    *pointer = malloc(bytes ? bytes : 1);
    if (*pointer)
        memcpy(*pointer, from, bytes);
    return *pointer != NULL;
}

static bool duplicate_matrix(cairn_block_matrix** to, const cairn_block_matrix* from)
{
    if (!from)
        return true;
    cairn_block_matrix* A = *to = calloc(1, sizeof *A);
    if (!A)
        return false;
    size_t blocks = (size_t)from->row_begin[from->n];
    A->n = from->n;
    return duplicate(&A->row_begin, from->row_begin, ((size_t)from->n + 1) * sizeof(int)) &&
           duplicate(&A->column, from->column, blocks * sizeof(int)) &&
           duplicate(&A->value, from->value, 9 * blocks * sizeof(double));
}

cairn_status cairn_problem_copy(const cairn_problem* problem, cairn_problem* copy)
{
    if (!copy || !problem)
        return CAIRN_BAD_INPUT;

    size_t rows = (size_t)problem->row_count * sizeof(double);
    cairn_problem to = {.body_count = problem->body_count,
                        .block_count = problem->block_count,
                        .row_count = problem->row_count,
                        .space = problem->space,
                        .body_capacity = problem->body_count,
                        .block_capacity = problem->block_count,
                        .row_capacity = problem->row_count};

    bool done =
        duplicate(&to.bodies, problem->bodies, (size_t)to.body_count * sizeof(cairn_mass)) &&
        duplicate(&to.blocks, problem->blocks, (size_t)to.block_count * sizeof(cairn_block)) &&
        duplicate(&to.rows, problem->rows, (size_t)to.row_count * sizeof(cairn_row)) &&
        duplicate_matrix(&to.A, problem->A) && duplicate(&to.b, problem->b, rows) &&
        duplicate(&to.lo, problem->lo, rows) && duplicate(&to.hi, problem->hi, rows) &&
        duplicate(&to.compliance, problem->compliance, rows) &&
        duplicate(&to.warm, problem->warm, rows);

    if (!done) {
        cairn_problem_destroy(&to);
        return CAIRN_NO_MEMORY;
    }

    *copy = to;
    return CAIRN_OK;
}

// ---------------------------------------------------------------- checking

static cairn_status check_bodies(const cairn_problem* problem, cairn_error* error)
{
    for (int i = 0; i < problem->body_count; i++) {
        const cairn_mass* body = &problem->bodies[i];
        const cairn_mat3* I = &body->inverse_inertia;

        if (!(isfinite(body->inverse_mass) && body->inverse_mass >= 0.0))
            return cairn_fail(error, CAIRN_BAD_INPUT,
                              "body %d: its inverse mass is %g, expected a finite number >= 0", i,
                              body->inverse_mass);

        if (!(cairn_is_finite(I->cx) && cairn_is_finite(I->cy) && cairn_is_finite(I->cz)))
            return cairn_fail(error, CAIRN_BAD_INPUT, "body %d: its inverse inertia is not finite",
                              i);
        if (I->cx.x < 0.0 || I->cy.y < 0.0 || I->cz.z < 0.0)
            return cairn_fail(error, CAIRN_BAD_INPUT,
                              "body %d: its inverse inertia has a negative diagonal", i);
    }
    return CAIRN_OK;
}

static cairn_status check_friction(const cairn_problem* problem, int c, cairn_error* error)
{
    const cairn_block* block = &problem->blocks[c];
    const cairn_friction* friction = &block->friction;

    if (block->row_count > 4)
        return cairn_fail(error, CAIRN_BAD_INPUT, "block %d: a contact of %d rows, expected 1 to 4",
                          c, block->row_count);
    if ((int)friction->kind < CAIRN_FRICTION_NONE || (int)friction->kind > CAIRN_FRICTION_CUSTOM)
        return cairn_fail(error, CAIRN_BAD_INPUT, "block %d: there is no kind %d of friction", c,
                          (int)friction->kind);

    for (int i = 0; i < 3; i++)
        if (!(isfinite(friction->mu[i]) && friction->mu[i] >= 0.0))
            return cairn_fail(error, CAIRN_BAD_INPUT,
                              "block %d: its friction coefficient is %g, expected a finite number "
                              ">= 0",
                              c, friction->mu[i]);

    // what belongs to one law alone
    if (friction->kind == CAIRN_FRICTION_PYRAMID &&
        (friction->facets < 3 || friction->facets > cairn_most_facets))
        return cairn_fail(error, CAIRN_BAD_INPUT,
                          "block %d: a friction pyramid of %d facets, expected 3 to %d", c,
                          friction->facets, cairn_most_facets);

    if (friction->kind == CAIRN_FRICTION_CUSTOM && !friction->project)
        return cairn_fail(error, CAIRN_BAD_INPUT,
                          "block %d: its friction set has no projection function", c);
    if (friction->kind == CAIRN_FRICTION_SLIDING &&
        !(fabs(cairn_hypot(friction->slip[0], friction->slip[1]) - 1.0) < 1e-9))
        return cairn_fail(error, CAIRN_BAD_INPUT,
                          "block %d: its slip direction is not a unit vector", c);

    return CAIRN_OK;
}

static cairn_status check_blocks(const cairn_problem* problem, cairn_error* error)
{
    int row = 0;
    for (int c = 0; c < problem->block_count; c++) {
        const cairn_block* block = &problem->blocks[c];

        // blocks have consecutive rows and name existing bodies
        if (block->row != row || block->row_count < 1 || block->row_count > 6)
            return cairn_fail(error, CAIRN_BAD_INPUT,
                              "block %d: rows %d..%d, expected 1 to 6 rows from row %d on", c,
                              block->row, block->row + block->row_count - 1, row);

        row += block->row_count;
        if (block->body_a < CAIRN_WORLD_BODY || block->body_a >= problem->body_count ||
            block->body_b < CAIRN_WORLD_BODY || block->body_b >= problem->body_count)
            return cairn_fail(error, CAIRN_BAD_INPUT,
                              "block %d: between bodies %d and %d, but there are %d bodies", c,
                              block->body_a, block->body_b, problem->body_count);

        // the kind is known, and has the data that belong to it
        if ((int)block->kind < CAIRN_BLOCK_CONTACT || (int)block->kind > CAIRN_BLOCK_VELOCITY)
            return cairn_fail(error, CAIRN_BAD_INPUT, "block %d: there is no kind %d of blocks", c,
                              (int)block->kind);

        if (block->kind == CAIRN_BLOCK_CONTACT) {
            cairn_status status = check_friction(problem, c, error);
            if (status != CAIRN_OK)
                return status;
        }

        if (problem->A && (block->kind != CAIRN_BLOCK_CONTACT || block->row_count != 3))
            return cairn_fail(error, CAIRN_BAD_INPUT,
                              "block %d: an explicit matrix takes contacts of 3 rows only", c);

        if (block->kind == CAIRN_BLOCK_MOTOR) {
            if (!problem->lo || !problem->hi)
                return cairn_fail(error, CAIRN_BAD_INPUT, "block %d: a motor without bounds", c);
            for (int i = block->row; i < row; i++)
                if (!(problem->lo[i] <= problem->hi[i] && problem->lo[i] < INFINITY &&
                      problem->hi[i] > -INFINITY))
                    return cairn_fail(error, CAIRN_BAD_INPUT,
                                      "row %d: its bounds are %g and %g, expected lo <= hi with "
                                      "finite numbers between them",
                                      i, problem->lo[i], problem->hi[i]);
        }
    }

    if (row != problem->row_count)
        return cairn_fail(error, CAIRN_BAD_INPUT, "the blocks hold %d rows, the problem %d", row,
                          problem->row_count);
    return CAIRN_OK;
}

static cairn_status check_matrix(const cairn_block_matrix* A, int block_count, cairn_error* error)
{
    if (A->n != block_count || A->row_begin[0] != 0)
        return cairn_fail(error, CAIRN_BAD_INPUT,
                          "the matrix has %d block rows, the problem %d contacts", A->n,
                          block_count);

    for (int i = 0; i < A->n; i++) {
        bool diagonal = false;
        if (A->row_begin[i] > A->row_begin[i + 1])
            return cairn_fail(error, CAIRN_BAD_INPUT, "block row %d of the matrix is not in order",
                              i);

        // columns ascend, and the diagonal is among them
        for (int k = A->row_begin[i]; k < A->row_begin[i + 1]; k++) {
            int j = A->column[k];
            if (j < 0 || j >= A->n || (k > A->row_begin[i] && j <= A->column[k - 1]))
                return cairn_fail(error, CAIRN_BAD_INPUT,
                                  "block row %d of the matrix: column %d is out of place", i, j);
            if (!cairn_all_finite(A->value + 9 * (ptrdiff_t)k, 9))
                return cairn_fail(error, CAIRN_BAD_INPUT,
                                  "block (%d, %d) of the matrix is not finite", i, j);
            diagonal = diagonal || j == i;
        }

        if (!diagonal)
            return cairn_fail(error, CAIRN_BAD_INPUT,
                              "block row %d of the matrix has no diagonal block", i);
    }
    return CAIRN_OK;
}

static cairn_status check_rows(const cairn_problem* problem, cairn_error* error)
{
    for (int i = 0; i < problem->row_count; i++) {
        if (!isfinite(problem->b[i]))
            return cairn_fail(error, CAIRN_BAD_INPUT, "row %d: b is %g, expected a finite number",
                              i, problem->b[i]);

        if (problem->rows &&
            !(cairn_all_finite(problem->rows[i].a, 6) && cairn_all_finite(problem->rows[i].b, 6)))
            return cairn_fail(error, CAIRN_BAD_INPUT, "row %d: its Jacobian is not finite", i);

        if (problem->compliance &&
            !(isfinite(problem->compliance[i]) && problem->compliance[i] >= 0.0))
            return cairn_fail(error, CAIRN_BAD_INPUT,
                              "row %d: its compliance is %g, expected a finite number >= 0", i,
                              problem->compliance[i]);

        if (problem->warm && !isfinite(problem->warm[i]))
            return cairn_fail(error, CAIRN_BAD_INPUT, "row %d: its warm start is not finite", i);
    }
    return CAIRN_OK;
}

cairn_status cairn_problem_check(const cairn_problem* problem, cairn_error* error)
{
    if (!problem)
        return cairn_refuse_null(error, "the problem");

    // sizes and arrays first, so that the checks below may follow them
    if (problem->body_count < 0 || problem->block_count < 0 || problem->row_count < 0)
        return cairn_fail(error, CAIRN_BAD_INPUT, "the problem has a negative size");
    if (problem->space != 2 && problem->space != 3)
        return cairn_fail(error, CAIRN_BAD_INPUT, "space has %d dimensions, expected 2 or 3",
                          problem->space);
    if (problem->row_count > 0 && (!problem->b || !problem->rows == !problem->A))
        return cairn_fail(error, CAIRN_BAD_INPUT,
                          "the problem needs b and either rows or an explicit matrix");

    if ((problem->body_count > 0 && !problem->bodies) ||
        (problem->block_count > 0 && !problem->blocks))
        return cairn_refuse_null(error, "the list of bodies or of blocks");

    cairn_status status = check_bodies(problem, error);
    if (status == CAIRN_OK)
        status = check_blocks(problem, error);
    if (status == CAIRN_OK && problem->A)
        status = check_matrix(problem->A, problem->block_count, error);
    if (status == CAIRN_OK)
        status = check_rows(problem, error);
    return status;
}
