// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// A global problem  M v = H r + G l + f,  G^T v + b = 0,  u = H^T v + w  as bodies and rows, where
// M is made of blocks of six degrees of freedom
//
//     | m 1   0 |
//     |  0    I |      linear first, I symmetric positive definite,
//
// and each contact (`space` columns of H) and joint (a column of G) touches two bodies at most.
// Then J = (H G)^T, λ = (r, l) and b = J M^-1 f + (w, b). Consecutive joint columns between the
// same bodies become one block. Anything else is left to the explicit form.

#include "io/fclib/fclib.h"
#include <math.h>
#include <stdlib.h>

// masses and inertias that differ by less are equal
static const double round_off = 1e-14;

enum { most_joint_rows = 6 };

typedef struct builder {
    const cairn_fclib* data;
    cairn_columns H, G, spin;
    double* v; // M^-1 f
    cairn_problem problem;
} builder;

// ---------------------------------------------------------------- masses

// the 6x6 blocks of M, row-major, or NULL without memory; `fits` tells whether M has no others
static double* gather_blocks(const cairn_sparse* M, bool* fits)
{
    *fits = M->n % 6 == 0;
    for (int k = 0; *fits && k < M->count; k++)
        *fits = M->row[k] / 6 == M->column[k] / 6 || M->x[k] == 0.0;
    double* blocks = calloc(6 * (size_t)M->n + 1, sizeof(double));
    for (int k = 0; blocks && *fits && k < M->count; k++)
        if (M->x[k] != 0.0)
            blocks[6 * (ptrdiff_t)M->row[k] + M->column[k] % 6] += M->x[k];
    return blocks;
}

static bool is_rigid_block(const double* block)
{
    double m = block[0];
    double size = fmax(fabs(block[21]), fmax(fabs(block[28]), fabs(block[35])));
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++) {
            double x = block[6 * i + j];
            if (i < 3 && j < 3 ? !(fabs(x - (i == j ? m : 0.0)) <= round_off * m)
                               : (i < 3) != (j < 3) && x != 0.0)
                return false;
            if (i >= 3 && j >= 3 && !(fabs(x - block[6 * j + i]) <= round_off * size))
                return false;
        }

    // positive definite: the leading minors are positive
    const double* I = block + 21;
    double two = I[0] * I[7] - I[1] * I[6];
    double three = two * I[14] - I[0] * I[8] * I[13] + I[1] * I[8] * I[12] + I[2] * I[6] * I[13] -
                   I[2] * I[7] * I[12];
    return m > 0.0 && I[0] > 0.0 && two > 0.0 && three > 0.0 && isfinite(three);
}

static cairn_mass mass_of(const double* block)
{
    const double* I = block + 21;
    double xy = 0.5 * (I[1] + I[6]), xz = 0.5 * (I[2] + I[12]), yz = 0.5 * (I[8] + I[13]);
    cairn_mat3 inertia = {{I[0], xy, xz}, {xy, I[7], yz}, {xz, yz, I[14]}};
    cairn_mat3 inverse = cairn_mat3_inverse(inertia);
    cairn_mat3 other = cairn_mat3_transpose(inverse);
    return (cairn_mass){1.0 / block[0], cairn_mat3_scale(0.5, cairn_mat3_add(inverse, other))};
}

// bodies from M, and v = M^-1 f
static bool add_bodies(builder* to, const double* blocks)
{
    const double* f = to->data->f;
    for (int k = 0; k < to->data->M.n / 6; k++) {
        cairn_mass mass = mass_of(blocks + 36 * (ptrdiff_t)k);
        const double* force = f + 6 * (ptrdiff_t)k;
        double* v = to->v + 6 * (ptrdiff_t)k;

        cairn_vec3 turn =
            cairn_mat3_apply(mass.inverse_inertia, cairn_vec(force[3], force[4], force[5]));
        for (int i = 0; i < 3; i++)
            v[i] = mass.inverse_mass * force[i];
        v[3] = turn.x;
        v[4] = turn.y;
        v[5] = turn.z;

        if (cairn_problem_add_body(&to->problem, mass) != CAIRN_OK)
            return false;
    }

    return true;
}

// ---------------------------------------------------------------- rows

// the bodies that columns j .. j+count-1 touch, ascending; the world stands for missing ones,
// before them. False when there are more than two.
static bool find_pair(int pair[2], const cairn_columns* from, int j, int count)
{
    pair[0] = pair[1] = CAIRN_WORLD_BODY;

    for (int k = from->begin[j]; k < from->begin[j + count]; k++) {
        int body = from->row[k] / 6;
        if (from->x[k] == 0.0 || body == pair[0] || body == pair[1])
            continue;
        if (pair[0] != CAIRN_WORLD_BODY)
            return false;
        pair[0] = pair[1];
        pair[1] = body;
    }

    if (pair[0] > pair[1]) {
        int keep = pair[0];
        pair[0] = pair[1];
        pair[1] = keep;
    }
    return true;
}

// one row of J from a column; returns its part of J M^-1 f
static double fill_row(const builder* to, cairn_row* row, const cairn_columns* from, int j,
                       const int pair[2])
{
    double b = 0.0;
    *row = (cairn_row){{0.0}, {0.0}};
    for (int k = from->begin[j]; k < from->begin[j + 1]; k++) {
        int body = from->row[k] / 6, place = from->row[k] % 6;
        if (from->x[k] == 0.0)
            continue;
        if (body == pair[1])
            row->b[place] += from->x[k];
        else
            row->a[place] += from->x[k];
        b += from->x[k] * to->v[from->row[k]];
    }
    return b;
}

// whether a contact has a spin row
static bool spins(const cairn_fclib* data, int contact)
{
    return data->spin_w && data->law[cairn_fclib_law * (ptrdiff_t)contact + 7] != 0.0;
}

// a contact: `space` columns of H, and one more where it has a spin row
static bool add_contact(builder* to, cairn_block block, int contact)
{
    const cairn_fclib* data = to->data;
    cairn_row rows[4];
    double b[4];
    int pair[2] = {block.body_a, block.body_b}, j = data->space * contact;
    for (int i = 0; i < data->space; i++)
        b[i] = data->w[j + i] + fill_row(to, &rows[i], &to->H, j + i, pair);
    if (spins(data, contact))
        b[data->space] =
            data->spin_w[contact] + fill_row(to, &rows[data->space], &to->spin, contact, pair);
    block.row_count = data->space + spins(data, contact);
    return cairn_problem_add_block(&to->problem, &block, rows, b) == CAIRN_OK;
}

static bool add_columns(builder* to, cairn_block block, const cairn_columns* from, int j,
                        const double* drift)
{
    cairn_row rows[most_joint_rows];
    double b[most_joint_rows];
    int pair[2] = {block.body_a, block.body_b};
    for (int i = 0; i < block.row_count; i++)
        b[i] = drift[j + i] + fill_row(to, &rows[i], from, j + i, pair);
    return cairn_problem_add_block(&to->problem, &block, rows, b) == CAIRN_OK;
}

static bool add_contacts(builder* to)
{
    const cairn_fclib* data = to->data;
    for (int c = 0; c < data->contacts; c++) {
        int pair[2];
        find_pair(pair, &to->H, data->space * c, data->space);
        cairn_block block = {.kind = CAIRN_BLOCK_CONTACT,
                             .body_a = pair[0],
                             .body_b = pair[1],
                             .friction = cairn_fclib_friction(data, c)};
        if (!add_contact(to, block, c))
            return false;
    }
    return true;
}

static bool add_joints(builder* to)
{
    int count;
    for (int j = 0; j < to->G.n; j += count) {
        int pair[2], next[2];
        find_pair(pair, &to->G, j, 1);

        // rows in a row between the same bodies are one joint
        for (count = 1; count < most_joint_rows && j + count < to->G.n; count++) {
            find_pair(next, &to->G, j + count, 1);
            if (next[0] != pair[0] || next[1] != pair[1])
                break;
        }

        cairn_block block = {
            .kind = CAIRN_BLOCK_JOINT, .row_count = count, .body_a = pair[0], .body_b = pair[1]};
        if (!add_columns(to, block, &to->G, j, to->data->b))
            return false;
    }

    return true;
}

static bool add_guess(builder* to)
{
    const cairn_fclib* data = to->data;
    int joint = 0;

    if (!data->guess_r)
        return true;

    double* warm = calloc((size_t)to->problem.row_capacity + 1, sizeof(double));
    to->problem.warm = warm;

    for (int c = 0; warm && c < to->problem.block_count; c++) {
        const cairn_block* block = &to->problem.blocks[c];
        bool touching = block->kind == CAIRN_BLOCK_CONTACT; // contacts come first
        for (int i = 0; i < block->row_count; i++) {
            if (touching && i < data->space)
                warm[block->row + i] = data->guess_r[data->space * c + i];
            else if (!touching && data->guess_l)
                warm[block->row + i] = data->guess_l[joint++];
        }
    }

    return warm != NULL;
}

// ---------------------------------------------------------------- the whole

// whether the spin row of a contact touches no other bodies than the contact
static bool spins_within(const builder* to, int contact, const int pair[2])
{
    for (int k = to->spin.begin[contact]; k < to->spin.begin[contact + 1]; k++) {
        int body = to->spin.row[k] / 6;
        if (to->spin.x[k] != 0.0 && body != pair[0] && body != pair[1])
            return false;
    }
    return true;
}

static bool is_rigid(const builder* to, const double* blocks)
{
    int pair[2];
    for (int k = 0; k < to->data->M.n / 6; k++)
        if (!is_rigid_block(blocks + 36 * (ptrdiff_t)k))
            return false;
    for (int c = 0; c < to->data->contacts; c++)
        if (!find_pair(pair, &to->H, to->data->space * c, to->data->space) ||
            (spins(to->data, c) && !spins_within(to, c, pair)))
            return false;
    for (int j = 0; j < to->G.n; j++)
        if (!find_pair(pair, &to->G, j, 1))
            return false;
    return true;
}

cairn_status cairn_fclib_to_bodies(cairn_problem* problem, bool* fits, const cairn_fclib* data,
                                   const char* path, cairn_error* error)
{
    builder to = {.data = data, .problem = cairn_problem_empty()};

    // bodies fit when M is made of blocks of rigid bodies
    double* blocks = gather_blocks(&data->M, fits);
    to.problem.space = data->space;
    to.v = calloc((size_t)data->M.n + 1, sizeof(double));

    // columns of H, G and the spin rows: one for each row of the problem
    bool done = blocks && to.v && cairn_columns_of(&to.H, &data->H, false) &&
                cairn_columns_of(&to.G, &data->G, false) &&
                (!data->spin_w || cairn_columns_of(&to.spin, &data->spin, false));
    *fits = *fits && done && is_rigid(&to, blocks);

    if (*fits)
        done = add_bodies(&to, blocks) && add_contacts(&to) && add_joints(&to) && add_guess(&to);

    free(blocks);
    free(to.v);
    cairn_columns_destroy(&to.H);
    cairn_columns_destroy(&to.G);
    cairn_columns_destroy(&to.spin);

    // a problem that does not fit is no fault: the caller condenses it to a matrix
    if (done && *fits) {
        *problem = to.problem;
        return CAIRN_OK;
    }
    cairn_problem_destroy(&to.problem);
    return done ? CAIRN_OK
                : cairn_fail(error, CAIRN_NO_MEMORY, "%s: no memory for its problem", path);
}
