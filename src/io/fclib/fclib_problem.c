// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// A contact problem as FCLib data: an explicit A becomes W, bodies and rows become
//
//     M = blocks (m 1, I),  H and G = the rows of J of contacts and joints,  f = 0,  w and b = b.
//
// What cannot move has no mass that could be written: such degrees of freedom get a mass of one and
// no entry in H and G, which leaves J M^-1 J^T as it is. Contacts of fewer rows than space has
// dimensions get columns of zeros. Motors, limits, spin rows, compliance between bodies and
// friction other than cones cannot be said in FCLib; it stands beside, in the group /cairn,
// together with spin rows.

#include "io/fclib/fclib.h"
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------- what cannot be said

static cairn_status refuse(const char* path, int block, const char* what, cairn_error* error)
{
    return cairn_fail(error, CAIRN_NOT_SUPPORTED, "%s: cannot be written as FCLib: block %d %s",
                      path, block, what);
}

static cairn_status check_contact(const cairn_problem* problem, int c, const char* path,
                                  cairn_error* error)
{
    const cairn_block* block = &problem->blocks[c];
    int most = problem->A || problem->space == 2 ? problem->space : 4;
    most = problem->A ? 3 : most;
    if (block->row_count > most)
        return refuse(path, c, "is a contact with rows out of its plane", error);
    if (block->friction.kind == CAIRN_FRICTION_CUSTOM)
        return refuse(path, c, "has a projection of its own for friction", error);
    return CAIRN_OK;
}

static cairn_status check_block(const cairn_problem* problem, int c, const char* path,
                                cairn_error* error)
{
    const cairn_block* block = &problem->blocks[c];

    // FCLib has equalities and contacts, no inequalities of one row
    switch (block->kind) {
    case CAIRN_BLOCK_LIMIT:
        return refuse(path, c, "is a limit", error);
    case CAIRN_BLOCK_MOTOR:
        return refuse(path, c, "is a motor", error);
    case CAIRN_BLOCK_JOINT:
    case CAIRN_BLOCK_VELOCITY:
        break;
    case CAIRN_BLOCK_CONTACT: {
        cairn_status status = check_contact(problem, c, path, error);
        if (status != CAIRN_OK)
            return status;
        break;
    }
    }

    // compliance has no place in the file, unless it is on the diagonal of a matrix
    for (int i = block->row;
         problem->compliance && !problem->A && i < block->row + block->row_count; i++)
        if (problem->compliance[i] != 0.0)
            return refuse(path, c, "is compliant", error);
    return CAIRN_OK;
}

// ---------------------------------------------------------------- the explicit form

static bool from_matrix(cairn_fclib* data, const cairn_problem* problem)
{
    const cairn_block_matrix* A = problem->A;
    int space = data->space, rows = cairn_fclib_rows(data);

    data->W.m = data->W.n = data->V.m = rows;
    if ((int64_t)A->row_begin[A->n] * space * space + rows > INT32_MAX ||
        !cairn_sparse_reserve(&data->W, A->row_begin[A->n] * space * space))
        return false;

    // blocks to entries; the diagonal is kept even where it is zero
    for (int c = 0; c < A->n; c++)
        for (int i = 0; i < space; i++)
            for (int k = A->row_begin[c]; k < A->row_begin[c + 1]; k++)
                for (int j = 0; j < space; j++) {
                    double x = A->value[9 * (ptrdiff_t)k + 3 * i + j];
                    if (problem->compliance && A->column[k] == c && i == j)
                        x += problem->compliance[3 * c + i];
                    if (x != 0.0 || (A->column[k] == c && i == j))
                        cairn_sparse_add(&data->W, space * c + i, space * A->column[k] + j, x);
                }

    data->q = calloc((size_t)rows + 1, sizeof(double));
    for (int i = 0; data->q && i < rows; i++)
        data->q[i] = problem->b[3 * (i / space) + i % space];
    return data->q != NULL;
}

// ---------------------------------------------------------------- bodies and rows

// which of the six degrees of freedom of a body move; false when the inertia is singular otherwise
static bool find_movable(bool movable[6], const cairn_mass* mass)
{
    const cairn_mat3* I = &mass->inverse_inertia;
    const double x[3][3] = {
        {I->cx.x, I->cx.y, I->cx.z}, {I->cy.x, I->cy.y, I->cy.z}, {I->cz.x, I->cz.y, I->cz.z}};
    for (int i = 0; i < 3; i++) {
        movable[i] = mass->inverse_mass > 0.0;
        movable[3 + i] = x[i][0] != 0.0 || x[i][1] != 0.0 || x[i][2] != 0.0;
    }
    cairn_mat3 full = *I;
    full.cx.x += movable[3] ? 0.0 : 1.0;
    full.cy.y += movable[4] ? 0.0 : 1.0;
    full.cz.z += movable[5] ? 0.0 : 1.0;
    double det = cairn_mat3_determinant(full);
    return det > 1e-12 * full.cx.x * full.cy.y * full.cz.z;
}

static void add_mass(cairn_fclib* data, const cairn_mass* mass, const bool* movable, int body)
{
    cairn_mat3 full = mass->inverse_inertia;
    full.cx.x += movable[3] ? 0.0 : 1.0;
    full.cy.y += movable[4] ? 0.0 : 1.0;
    full.cz.z += movable[5] ? 0.0 : 1.0;
    cairn_mat3 I = cairn_mat3_inverse(full);
    const double x[3][3] = {
        {I.cx.x, I.cx.y, I.cx.z}, {I.cx.y, I.cy.y, I.cy.z}, {I.cx.z, I.cy.z, I.cz.z}};
    for (int i = 0; i < 3; i++)
        cairn_sparse_add(&data->M, 6 * body + i, 6 * body + i,
                         movable[0] ? 1.0 / mass->inverse_mass : 1.0);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            if (x[i][j] != 0.0)
                cairn_sparse_add(&data->M, 6 * body + 3 + i, 6 * body + 3 + j, x[i][j]);
}

static cairn_status add_masses(cairn_fclib* data, bool* movable, const cairn_problem* problem,
                               const char* path, cairn_error* error)
{
    for (int k = 0; k < problem->body_count; k++) {
        if (!find_movable(movable + 6 * (ptrdiff_t)k, &problem->bodies[k]))
            return cairn_fail(error, CAIRN_NOT_SUPPORTED,
                              "%s: cannot be written as FCLib: the inverse inertia of body %d is "
                              "singular",
                              path, k);
        add_mass(data, &problem->bodies[k], movable + 6 * (ptrdiff_t)k, k);
    }
    return CAIRN_OK;
}

static void add_row(cairn_sparse* to, int column, const cairn_problem* problem,
                    const cairn_block* block, int row, const bool* movable)
{
    int body[2] = {block->body_a, block->body_b};
    double sum[6] = {0.0};
    bool same = body[0] == body[1];

    for (int side = 0; side < 2; side++) {
        const double* j = side ? problem->rows[row].b : problem->rows[row].a;
        if (body[side] == CAIRN_WORLD_BODY)
            continue;

        for (int k = 0; k < 6; k++) {
            // a body that touches itself has one entry, the sum
            sum[k] = j[k] + (same && side ? sum[k] : 0.0);
            int freedom = 6 * body[side] + k;
            if (sum[k] != 0.0 && movable[freedom] && (!same || side))
                cairn_sparse_add(to, freedom, column, sum[k]);
        }
    }
}

static void add_rows(cairn_fclib* data, const bool* movable, const cairn_problem* problem)
{
    int contact = 0, joint = 0;
    for (int c = 0; c < problem->block_count; c++) {
        const cairn_block* block = &problem->blocks[c];
        bool touching = block->kind == CAIRN_BLOCK_CONTACT;

        for (int i = 0; i < block->row_count; i++) {
            int row = block->row + i, column = touching ? data->space * contact + i : joint + i;

            if (touching && i >= data->space) {
                add_row(&data->spin, contact, problem, block, row, movable);
                data->spin_w[contact] = problem->b[row];
                continue;
            }
            add_row(touching ? &data->H : &data->G, column, problem, block, row, movable);
            (touching ? data->w : data->b)[column] = problem->b[row];
        }

        contact += touching;
        joint += touching ? 0 : block->row_count;
    }
}

static cairn_status from_bodies(cairn_fclib* data, const cairn_problem* problem, const char* path,
                                cairn_error* error)
{
    // indices of FCLib are 32 bits wide, and a row has up to 12 numbers
    int rows = cairn_fclib_rows(data), joints = 0;
    for (int c = 0; c < problem->block_count; c++)
        joints += problem->blocks[c].kind == CAIRN_BLOCK_CONTACT ? 0 : problem->blocks[c].row_count;
    if (problem->body_count > INT32_MAX / 12 || rows > INT32_MAX / 12 || joints > INT32_MAX / 12)
        return cairn_fail(error, CAIRN_NOT_SUPPORTED, "%s: the problem is too large for FCLib",
                          path);

    // six velocities for each body
    int n = 6 * problem->body_count;
    data->M.m = data->M.n = data->H.m = data->G.m = data->spin.m = n;
    data->spin.n = data->spin_w ? data->contacts : 0;
    data->H.n = rows;
    data->G.n = joints;
    data->f = calloc((size_t)n + 1, sizeof(double));
    data->w = calloc((size_t)rows + 1, sizeof(double));
    data->b = calloc((size_t)joints + 1, sizeof(double));
    bool* movable = malloc((size_t)n * sizeof(bool) + 1);

    cairn_status status = CAIRN_OK;
    if (!data->f || !data->w || !data->b || !movable || !cairn_sparse_reserve(&data->M, 2 * n) ||
        !cairn_sparse_reserve(&data->H, 12 * rows) ||
        !cairn_sparse_reserve(&data->G, 12 * joints) ||
        (data->spin_w && !cairn_sparse_reserve(&data->spin, 12 * data->contacts)))
        status = cairn_fail(error, CAIRN_NO_MEMORY, "%s: no memory to write it", path);

    // velocities that cannot change get a unit mass, and no entries in H and G
    if (status == CAIRN_OK)
        status = add_masses(data, movable, problem, path, error);
    if (status == CAIRN_OK)
        add_rows(data, movable, problem);

    free(movable);
    return status;
}

// laws and spin rows, where some contact has other friction than a cone; false: no memory
static bool add_laws(cairn_fclib* data, const cairn_problem* problem)
{
    bool needed = false, spin = false;
    int contact = 0;

    // the cone is FCLib's own law and needs nothing more
    for (int c = 0; c < problem->block_count; c++) {
        const cairn_block* block = &problem->blocks[c];
        bool touching = block->kind == CAIRN_BLOCK_CONTACT;
        needed = needed || (touching && block->friction.kind != CAIRN_FRICTION_CONE &&
                            block->friction.kind != CAIRN_FRICTION_NONE);
        spin = spin || (touching && block->row_count == 4);
    }

    if (!needed && !spin)
        return true;

    size_t count = (size_t)data->contacts;
    data->law = calloc(cairn_fclib_law * count + 1, sizeof(double));
    data->spin_w = spin ? calloc(count + 1, sizeof(double)) : NULL;
    if (!data->law || (spin && !data->spin_w))
        return false;

    // kind, facets, coefficients, slip and whether the contact has a spin row
    for (int c = 0; c < problem->block_count; c++) {
        const cairn_block* block = &problem->blocks[c];
        const cairn_friction* f = &block->friction;
        if (block->kind != CAIRN_BLOCK_CONTACT)
            continue;
        double law[cairn_fclib_law] = {f->kind,  f->facets,  f->mu[0],   f->mu[1],
                                       f->mu[2], f->slip[0], f->slip[1], block->row_count == 4};
        memcpy(data->law + cairn_fclib_law * contact++, law, sizeof law);
    }
    return true;
}

cairn_status cairn_fclib_from_problem(cairn_fclib* data, const cairn_problem* problem,
                                      const char* path, cairn_error* error)
{
    cairn_fclib out = {.global = !problem->A,
                       .space = problem->space,
                       .contacts = cairn_problem_contact_count(problem)};
    cairn_status status = CAIRN_OK;
    for (int c = 0; status == CAIRN_OK && c < problem->block_count; c++)
        status = check_block(problem, c, path, error);
    if (status != CAIRN_OK)
        return status;

    // FCLib has one coefficient for each contact
    int contact = 0;
    out.mu = calloc((size_t)out.contacts + 1, sizeof(double));
    for (int c = 0; out.mu && c < problem->block_count; c++) {
        const cairn_block* block = &problem->blocks[c];
        if (block->kind == CAIRN_BLOCK_CONTACT)
            out.mu[contact++] =
                block->friction.kind != CAIRN_FRICTION_NONE ? block->friction.mu[0] : 0.0;
    }

    // a matrix becomes a local problem, bodies become a global one
    if (!out.mu || !add_laws(&out, problem) || (problem->A && !from_matrix(&out, problem)))
        status = cairn_fail(error, CAIRN_NO_MEMORY, "%s: no memory to write it", path);
    if (status == CAIRN_OK && !problem->A)
        status = from_bodies(&out, problem, path, error);

    if (status != CAIRN_OK)
        cairn_fclib_destroy(&out);
    else
        *data = out;
    return status;
}
