// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Reading what an FCLib file says. A matrix comes in one of three forms, told by its nz:
//
//     -1  by columns (p: begin of each column, i: rows)
//     -2  by rows    (p: begin of each row, i: columns)
//     >=0 triplets   (p: columns, i: rows; the documentation has it the other way round, and files
//                     where only that fits are read that way)
//
// nzmax may exceed what is there. A mass matrix with one triangle alone is a symmetric one of which
// the other triangle was left out. /solution is not read: it often is a dummy.

#include "io/fclib/fclib.h"
#include <stdio.h>
#include <stdlib.h>

void cairn_fclib_destroy(cairn_fclib* data)
{
    cairn_sparse* matrix[] = {&data->W, &data->V, &data->R,   &data->M,
                              &data->H, &data->G, &data->spin};
    double* vector[] = {data->mu, data->q,       data->s,       data->f,   data->w,
                        data->b,  data->guess_r, data->guess_l, data->law, data->spin_w};
    for (size_t k = 0; k < sizeof matrix / sizeof matrix[0]; k++)
        cairn_sparse_destroy(matrix[k]);
    for (size_t k = 0; k < sizeof vector / sizeof vector[0]; k++)
        free(vector[k]);
    *data = (cairn_fclib){0};
}

void cairn_fclib_solution_destroy(cairn_fclib_solution* solution)
{
    free(solution->u);
    free(solution->r);
    free(solution->v);
    free(solution->l);
    free(solution->spin);
    *solution = (cairn_fclib_solution){0};
}

// ---------------------------------------------------------------- matrices

typedef struct name {
    char text[80];
} name;

static name name_in(const char* group, const char* child)
{
    name full;
    snprintf(full.text, sizeof full.text, "%s/%s", group, child);
    return full;
}

// the arrays of a matrix as the file has them
typedef struct stored {
    const char* group;
    int nzmax, m, n, nz;
    int p_count, i_count, x_count;
    int *p, *i;
    double* x;
} stored;

static void destroy_stored(stored* s)
{
    free(s->p);
    free(s->i);
    free(s->x);
}

static cairn_status load_stored(stored* s, const cairn_hdf5* in)
{
    // the sizes; nz tells the format, as in CSparse: -1 by columns, -2 by rows, else triplets
    struct {
        const char* child;
        int* to;
        int least;
    } sizes[] = {{"nzmax", &s->nzmax, 0}, {"m", &s->m, 0}, {"n", &s->n, 0}, {"nz", &s->nz, -2}};
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
        name full = name_in(s->group, sizes[k].child);
        cairn_status status = cairn_hdf5_read_int(in, sizes[k].to, full.text);
        if (status != CAIRN_OK)
            return status;
        if (*sizes[k].to < sizes[k].least)
            return cairn_fail(in->error, CAIRN_BAD_INPUT, "%s: %s is %d, expected at least %d",
                              in->path, full.text, *sizes[k].to, sizes[k].least);
    }

    // a matrix without entries may come without arrays
    if (s->nz == 0 || (s->nzmax == 0 && !cairn_hdf5_has(in, name_in(s->group, "x").text)))
        return CAIRN_OK;

    cairn_status status = cairn_hdf5_read_ints(in, &s->p, &s->p_count, name_in(s->group, "p").text);
    if (status == CAIRN_OK)
        status = cairn_hdf5_read_ints(in, &s->i, &s->i_count, name_in(s->group, "i").text);
    if (status == CAIRN_OK)
        status = cairn_hdf5_read_doubles(in, &s->x, &s->x_count, name_in(s->group, "x").text);
    return status;
}

static cairn_status short_array(const cairn_hdf5* in, const stored* s, const char* child, int have,
                                int need)
{
    return cairn_fail(in->error, CAIRN_BAD_INPUT, "%s: %s has %d numbers, expected %d", in->path,
                      name_in(s->group, child).text, have, need);
}

// room for `count` entries, which the arrays must have
static cairn_status make_room(cairn_sparse* A, const cairn_hdf5* in, const stored* s, int count)
{
    if (s->nzmax < count)
        return cairn_fail(in->error, CAIRN_BAD_INPUT, "%s: %s is %d, but there are %d entries",
                          in->path, name_in(s->group, "nzmax").text, s->nzmax, count);
    if (s->i_count < count)
        return short_array(in, s, "i", s->i_count, count);
    if (s->x_count < count)
        return short_array(in, s, "x", s->x_count, count);
    A->m = s->m;
    A->n = s->n;
    if (!cairn_sparse_reserve(A, count))
        return cairn_fail(in->error, CAIRN_NO_MEMORY, "%s: no memory for %s", in->path, s->group);
    return CAIRN_OK;
}

static cairn_status out_of_range(const cairn_hdf5* in, const stored* s, const char* child, int k,
                                 int value, int most)
{
    return cairn_fail(in->error, CAIRN_BAD_INPUT, "%s: %s[%d] is %d, expected 0 to %d", in->path,
                      name_in(s->group, child).text, k, value, most);
}

static cairn_status unpack_compressed(cairn_sparse* A, const cairn_hdf5* in, const stored* s)
{
    // compressed by rows or by columns: p is where each begins, i the index within
    bool by_rows = s->nz == -2;
    int majors = by_rows ? s->m : s->n, minors = by_rows ? s->n : s->m;
    A->m = s->m;
    A->n = s->n;
    if (!s->p)
        return CAIRN_OK;

    if ((int64_t)s->p_count != (int64_t)majors + 1)
        return cairn_fail(in->error, CAIRN_BAD_INPUT,
                          "%s: %s has %d numbers, expected one more than the %d %s", in->path,
                          name_in(s->group, "p").text, s->p_count, majors,
                          by_rows ? "rows" : "columns");

    // begins must ascend, and indices lie within the matrix
    for (int j = 0; j <= majors; j++)
        if (s->p[j] < (j ? s->p[j - 1] : 0) || (j == 0 && s->p[0] != 0))
            return cairn_fail(in->error, CAIRN_BAD_INPUT,
                              "%s: %s[%d] is %d, expected to begin at 0 and never to descend",
                              in->path, name_in(s->group, "p").text, j, s->p[j]);

    cairn_status status = make_room(A, in, s, s->p[majors]);
    for (int j = 0; status == CAIRN_OK && j < majors; j++)
        for (int k = s->p[j]; k < s->p[j + 1]; k++) {
            if (s->i[k] < 0 || s->i[k] >= minors)
                return out_of_range(in, s, "i", k, s->i[k], minors - 1);
            cairn_sparse_add(A, by_rows ? j : s->i[k], by_rows ? s->i[k] : j, s->x[k]);
        }
    return status;
}

static bool all_below(const int* values, int count, int limit)
{
    for (int k = 0; k < count; k++)
        if (values[k] < 0 || values[k] >= limit)
            return false;
    return true;
}

static cairn_status unpack_triplets(cairn_sparse* A, const cairn_hdf5* in, const stored* s)
{
    cairn_status status = make_room(A, in, s, s->nz);
    if (status != CAIRN_OK)
        return status;
    if (s->p_count < s->nz)
        return short_array(in, s, "p", s->p_count, s->nz);

    // p is the column and i the row, unless only the other way fits
    const int *row = s->i, *column = s->p;
    bool fits = all_below(column, s->nz, s->n) && all_below(row, s->nz, s->m);
    if (!fits && all_below(column, s->nz, s->m) && all_below(row, s->nz, s->n)) {
        row = s->p;
        column = s->i;
        fits = true;
    }

    // neither way fits: name the first index that is wrong
    for (int k = 0; !fits && k < s->nz; k++) {
        if (column[k] < 0 || column[k] >= s->n)
            return out_of_range(in, s, "p", k, column[k], s->n - 1);
        if (row[k] < 0 || row[k] >= s->m)
            return out_of_range(in, s, "i", k, row[k], s->m - 1);
    }

    for (int k = 0; k < s->nz; k++)
        cairn_sparse_add(A, row[k], column[k], s->x[k]);
    return CAIRN_OK;
}

static cairn_status load_matrix(cairn_sparse* A, const cairn_hdf5* in, const char* group)
{
    stored s = {.group = group};
    if (!cairn_hdf5_has(in, group))
        return cairn_fail(in->error, CAIRN_BAD_INPUT, "%s: %s is missing", in->path, group);
    cairn_status status = load_stored(&s, in);
    if (status == CAIRN_OK)
        status = s.nz < 0 ? unpack_compressed(A, in, &s) : unpack_triplets(A, in, &s);
    destroy_stored(&s);
    return status;
}

static cairn_status expect_size(const cairn_hdf5* in, const cairn_sparse* A, const char* group,
                                int m, int n)
{
    if (A->m == m && A->n == n)
        return CAIRN_OK;
    return cairn_fail(in->error, CAIRN_BAD_INPUT,
                      "%s: %s has %d rows and %d columns, expected %d and %d", in->path, group,
                      A->m, A->n, m, n);
}

static cairn_status load_square(cairn_sparse* A, const cairn_hdf5* in, const char* group)
{
    cairn_status status = load_matrix(A, in, group);
    if (status != CAIRN_OK || A->m == A->n)
        return status;
    return cairn_fail(in->error, CAIRN_BAD_INPUT,
                      "%s: %s has %d rows and %d columns, expected a square matrix", in->path,
                      group, A->m, A->n);
}

// a symmetric matrix of which one triangle was left out gets it back
static bool complete_triangle(cairn_sparse* M)
{
    int above = 0, below = 0, count = M->count;
    for (int k = 0; k < count; k++) {
        above += M->column[k] > M->row[k] && M->x[k] != 0.0;
        below += M->column[k] < M->row[k] && M->x[k] != 0.0;
    }
    if ((above == 0) == (below == 0))
        return true;
    if (count > INT32_MAX / 2 || !cairn_sparse_reserve(M, 2 * count))
        return false;
    for (int k = 0; k < count; k++)
        if (M->row[k] != M->column[k])
            cairn_sparse_add(M, M->column[k], M->row[k], M->x[k]);
    return true;
}

// ---------------------------------------------------------------- vectors

static cairn_status load_vector(double** values, const cairn_hdf5* in, const char* full, int need)
{
    int count = 0;
    cairn_status status = cairn_hdf5_read_doubles(in, values, &count, full);
    if (status != CAIRN_OK || count == need)
        return status;
    return cairn_fail(in->error, CAIRN_BAD_INPUT, "%s: %s has %d numbers, expected %d", in->path,
                      full, count, need);
}

static cairn_status load_friction(cairn_fclib* data, const cairn_hdf5* in, const char* full,
                                  int rows)
{
    if (rows % data->space != 0)
        return cairn_fail(in->error, CAIRN_BAD_INPUT,
                          "%s: there are %d rows, expected a multiple of the space dimension %d",
                          in->path, rows, data->space);
    data->contacts = rows / data->space;
    cairn_status status = load_vector(&data->mu, in, full, data->contacts);
    for (int c = 0; status == CAIRN_OK && c < data->contacts; c++)
        if (data->mu[c] < 0.0)
            return cairn_fail(in->error, CAIRN_BAD_INPUT,
                              "%s: %s[%d] is %g, expected a friction coefficient >= 0", in->path,
                              full, c, data->mu[c]);
    return status;
}

static cairn_status load_local(cairn_fclib* data, const cairn_hdf5* in)
{
    // u = W r + V l + q: the contacts
    cairn_status status = load_square(&data->W, in, "/fclib_local/W");
    if (status == CAIRN_OK)
        status = load_friction(data, in, "/fclib_local/vectors/mu", data->W.n);
    if (status == CAIRN_OK)
        status = load_vector(&data->q, in, "/fclib_local/vectors/q", data->W.n);

    // 0 = Vᵀ r + R l + s: what was condensed, if there is any
    data->V.m = data->W.n;
    bool linked = cairn_hdf5_has(in, "/fclib_local/V") || cairn_hdf5_has(in, "/fclib_local/R");
    if (status != CAIRN_OK || !linked)
        return status;

    status = load_square(&data->R, in, "/fclib_local/R");
    if (status == CAIRN_OK)
        status = load_vector(&data->s, in, "/fclib_local/vectors/s", data->R.n);
    if (status == CAIRN_OK)
        status = load_matrix(&data->V, in, "/fclib_local/V");
    if (status == CAIRN_OK)
        status = expect_size(in, &data->V, "/fclib_local/V", data->W.n, data->R.n);
    return status;
}

static cairn_status load_global(cairn_fclib* data, const cairn_hdf5* in)
{
    // M v = f + H r + G l: the masses, of which half may be stored
    cairn_status status = load_square(&data->M, in, "/fclib_global/M");
    if (status == CAIRN_OK)
        status = load_vector(&data->f, in, "/fclib_global/vectors/f", data->M.n);
    if (status == CAIRN_OK && !complete_triangle(&data->M))
        status =
            cairn_fail(in->error, CAIRN_NO_MEMORY, "%s: no memory for /fclib_global/M", in->path);

    // u = Hᵀ v + w: the contacts
    if (status == CAIRN_OK)
        status = load_matrix(&data->H, in, "/fclib_global/H");
    if (status == CAIRN_OK)
        status = expect_size(in, &data->H, "/fclib_global/H", data->M.n, data->H.n);
    if (status == CAIRN_OK)
        status = load_friction(data, in, "/fclib_global/vectors/mu", data->H.n);
    if (status == CAIRN_OK)
        status = load_vector(&data->w, in, "/fclib_global/vectors/w", data->H.n);

    // 0 = Gᵀ v + b: the joints, if there are any
    data->G.m = data->M.n;
    if (status != CAIRN_OK || !cairn_hdf5_has(in, "/fclib_global/G"))
        return status;

    status = load_matrix(&data->G, in, "/fclib_global/G");
    if (status == CAIRN_OK)
        status = expect_size(in, &data->G, "/fclib_global/G", data->M.n, data->G.n);
    if (status == CAIRN_OK)
        status = load_vector(&data->b, in, "/fclib_global/vectors/b", data->G.n);
    return status;
}

cairn_friction cairn_fclib_friction(const cairn_fclib* data, int contact)
{
    if (!data->law)
        return cairn_friction_cone(data->mu[contact]);
    const double* law = data->law + cairn_fclib_law * (ptrdiff_t)contact;
    return (cairn_friction){.kind = (cairn_friction_kind)law[0],
                            .facets = (int)law[1],
                            .mu = {law[2], law[3], law[4]},
                            .slip = {law[5], law[6]}};
}

// the laws of friction that are not cones, and spin rows
static cairn_status load_laws(cairn_fclib* data, const cairn_hdf5* in)
{
    if (!cairn_hdf5_has(in, "/cairn/friction/law"))
        return CAIRN_OK;

    cairn_status status =
        load_vector(&data->law, in, "/cairn/friction/law", cairn_fclib_law * data->contacts);
    for (int c = 0; status == CAIRN_OK && c < data->contacts; c++) {
        const double* law = data->law + cairn_fclib_law * (ptrdiff_t)c;
        if (!(law[0] >= 0.0 && law[0] < CAIRN_FRICTION_CUSTOM && law[1] >= 0.0 && law[1] <= 1e6))
            status = cairn_fail(in->error, CAIRN_BAD_INPUT,
                                "%s: /cairn/friction/law says kind %g with %g facets of contact %d",
                                in->path, law[0], law[1], c);
    }

    if (status != CAIRN_OK || !data->global || !cairn_hdf5_has(in, "/cairn/spin"))
        return status;

    status = load_matrix(&data->spin, in, "/cairn/spin/H");
    if (status == CAIRN_OK)
        status = expect_size(in, &data->spin, "/cairn/spin/H", data->M.n, data->contacts);
    if (status == CAIRN_OK)
        status = load_vector(&data->spin_w, in, "/cairn/spin/w", data->contacts);
    return status;
}

static cairn_status load_guess(cairn_fclib* data, const cairn_hdf5* in)
{
    cairn_status status = CAIRN_OK;
    if (cairn_hdf5_has(in, "/guesses/1/r"))
        status = load_vector(&data->guess_r, in, "/guesses/1/r", cairn_fclib_rows(data));
    if (status == CAIRN_OK && data->guess_r && cairn_hdf5_has(in, "/guesses/1/l"))
        status = load_vector(&data->guess_l, in, "/guesses/1/l", cairn_fclib_multipliers(data));
    return status;
}

cairn_status cairn_fclib_load(cairn_fclib* data, const cairn_hdf5* in)
{
    cairn_fclib out = {.global = cairn_hdf5_has(in, "/fclib_global")};
    if (cairn_hdf5_has(in, "/fclib_global_rolling"))
        return cairn_fail(
            in->error, CAIRN_BAD_INPUT,
            "%s: /fclib_global_rolling has rolling friction, expected /fclib_local or "
            "/fclib_global",
            in->path);
    if (!out.global && !cairn_hdf5_has(in, "/fclib_local"))
        return cairn_fail(in->error, CAIRN_BAD_INPUT,
                          "%s: holds no contact problem, expected the group /fclib_local or "
                          "/fclib_global",
                          in->path);

    const char* dimension = out.global ? "/fclib_global/spacedim" : "/fclib_local/spacedim";
    cairn_status status = cairn_hdf5_read_int(in, &out.space, dimension);
    if (status == CAIRN_OK && out.space != 2 && out.space != 3)
        status = cairn_fail(in->error, CAIRN_BAD_INPUT, "%s: %s is %d, expected 2 or 3", in->path,
                            dimension, out.space);

    // the problem, then Cairn's own friction laws, then a guess
    if (status == CAIRN_OK)
        status = out.global ? load_global(&out, in) : load_local(&out, in);
    if (status == CAIRN_OK)
        status = load_laws(&out, in);
    if (status == CAIRN_OK)
        status = load_guess(&out, in);

    if (status != CAIRN_OK) {
        cairn_fclib_destroy(&out);
        return status;
    }
    *data = out;
    return CAIRN_OK;
}
