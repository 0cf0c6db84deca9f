// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// A problem as an explicit matrix in 3x3 blocks. Unknowns other than the contacts' are condensed:
//
//     local     A = W - V R^-1 V^T         b = q - V R^-1 s
//     global    A = H^T (K^-1 H)_v         b = H^T (K^-1 (f, -b))_v + w
//
// with K the saddle-point matrix of M and G (see kkt.c). With B = V^T or H, both add ± B_i·(K^-1
// B_j) for all rows i and j that reach the same part of K. Plane contacts get a third row of zeros.

#include "io/fclib/fclib.h"
#include "io/fclib/kkt.h"
#include <stdlib.h>
#include <string.h>

// blocks of A that condensation may fill: 720 MB
static const double most_blocks = 1e7;

typedef struct condensation {
    const cairn_fclib* data;
    double sign;     // of the condensed part
    cairn_columns B; // one column per contact row
    cairn_kkt K;
    int* begin;   // of each part of K: the contacts that reach it
    int* contact; // ascending
    double* y;    // K^-1 B of one contact, `space` columns of K.largest numbers
} condensation;

// ---------------------------------------------------------------- what meets what

// the contacts that reach each part, by counting and then filling
static bool list_contacts(condensation* c)
{
    // the first pass counts, the second fills; `last` is the contact that a part has met last
    const cairn_fclib* data = c->data;
    int* last = malloc((size_t)c->K.parts * sizeof(int) + 1);
    c->begin = calloc((size_t)c->K.parts + 2, sizeof(int));

    for (int pass = 0; last && c->begin && pass < 2; pass++) {
        memset(last, -1, (size_t)c->K.parts * sizeof(int));
        for (int k = 0; k < data->contacts; k++)
            for (int e = c->B.begin[data->space * k]; e < c->B.begin[data->space * (k + 1)]; e++) {
                int part = c->K.part[c->B.row[e]];
                if (last[part] == k)
                    continue;
                last[part] = k;
                if (pass == 0)
                    c->begin[part + 2]++;
                else
                    c->contact[c->begin[part + 1]++] = k;
            }

        // begin is shifted by one more, so that filling leaves it right
        if (pass == 1)
            break;
        for (int part = 0; part < c->K.parts; part++)
            c->begin[part + 2] += c->begin[part + 1];
        c->contact = malloc((size_t)c->begin[c->K.parts + 1] * sizeof(int) + 1);
        if (!c->contact)
            break;
    }

    free(last);
    return c->contact != NULL;
}

static double condensed_blocks(const condensation* c)
{
    double sum = 0.0;
    for (int part = 0; part < c->K.parts; part++) {
        double count = c->begin[part + 1] - c->begin[part];
        sum += count * count;
    }
    return sum;
}

static bool note_pairs(cairn_pattern* pattern, const condensation* c)
{
    const cairn_sparse* W = &c->data->W;
    for (int k = 0; k < W->count; k++)
        if (!cairn_pattern_add(pattern, W->row[k] / c->data->space, W->column[k] / c->data->space))
            return false;
    for (int part = 0; part < c->K.parts; part++)
        for (int i = c->begin[part]; i < c->begin[part + 1]; i++)
            for (int j = c->begin[part]; j < c->begin[part + 1]; j++)
                if (!cairn_pattern_add(pattern, c->contact[i], c->contact[j]))
                    return false;
    return true;
}

// ---------------------------------------------------------------- numbers

static void add_entries(cairn_block_matrix* A, const cairn_sparse* W, int space)
{
    for (int k = 0; k < W->count; k++) {
        int i = W->row[k], j = W->column[k];
        double* block = cairn_block_at(A, i / space, j / space);
        block[3 * (i % space) + j % space] += W->x[k];
    }
}

// y = K^-1 B_j within one part
static bool solve_column(const condensation* c, double* y, int part, int j)
{
    memset(y, 0, (size_t)c->K.largest * sizeof(double));
    for (int e = c->B.begin[j]; e < c->B.begin[j + 1]; e++)
        if (c->K.part[c->B.row[e]] == part)
            y[c->K.place[c->B.row[e]]] += c->B.x[e];
    return cairn_kkt_solve_part(&c->K, part, y);
}

static double dot_column(const condensation* c, const double* y, int part, int i)
{
    double sum = 0.0;
    for (int e = c->B.begin[i]; e < c->B.begin[i + 1]; e++)
        if (c->K.part[c->B.row[e]] == part)
            sum += c->B.x[e] * y[c->K.place[c->B.row[e]]];
    return sum;
}

static bool add_part(cairn_block_matrix* A, const condensation* c, int part)
{
    int space = c->data->space;
    for (int d = c->begin[part]; d < c->begin[part + 1]; d++) {
        // K⁻¹ B of contact d, then its product with every contact of the same part
        for (int j = 0; j < space; j++)
            if (!solve_column(c, c->y + (ptrdiff_t)j * c->K.largest, part,
                              space * c->contact[d] + j))
                return false;

        for (int k = c->begin[part]; k < c->begin[part + 1]; k++) {
            double* block = cairn_block_at(A, c->contact[k], c->contact[d]);
            for (int i = 0; i < space; i++)
                for (int j = 0; j < space; j++)
                    block[3 * i + j] += c->sign * dot_column(c, c->y + (ptrdiff_t)j * c->K.largest,
                                                             part, space * c->contact[k] + i);
        }
    }

    return true;
}

// b, `space` numbers per contact, in the numbering of the file
static bool condense_vector(double* b, const condensation* c)
{
    const cairn_fclib* data = c->data;
    double* x = calloc((size_t)c->K.n + (size_t)c->K.p + 1, sizeof(double));
    if (!x)
        return false;

    for (int i = 0; i < c->K.n; i++)
        x[i] = data->global ? data->f[i] : data->s[i];
    for (int j = 0; j < c->K.p; j++)
        x[c->K.n + j] = -data->b[j];

    bool solved = cairn_kkt_solve(&c->K, x);

    for (int i = 0; i < cairn_fclib_rows(data); i++) {
        b[i] = data->global ? data->w[i] : data->q[i];
        for (int e = c->B.begin[i]; e < c->B.begin[i + 1]; e++)
            b[i] += c->sign * c->B.x[e] * x[c->B.row[e]];
    }

    free(x);
    return solved;
}

// ---------------------------------------------------------------- the whole

static cairn_status no_memory(const char* path, cairn_error* error)
{
    return cairn_fail(error, CAIRN_NO_MEMORY, "%s: no memory for its matrix", path);
}

static cairn_status no_velocity(const cairn_fclib* data, const char* path, cairn_error* error)
{
    if (!data->global)
        return cairn_fail(error, CAIRN_BAD_INPUT,
                          "%s: /fclib_local/R is singular, expected a matrix that gives l", path);
    return cairn_fail(error, CAIRN_BAD_INPUT,
                      "%s: /fclib_global/M is singular or the joints of G and b contradict one "
                      "another, expected a velocity for every force",
                      path);
}

static cairn_status prepare(condensation* c, const char* path, cairn_error* error)
{
    const cairn_fclib* data = c->data;
    cairn_sparse none = {0};
    bool done = cairn_columns_of(&c->B, data->global ? &data->H : &data->V, !data->global);
    if (!done)
        return no_memory(path, error);

    cairn_status status =
        data->global ? cairn_kkt_create(&c->K, &data->M, &data->G, path, "/fclib_global/M", error)
                     : cairn_kkt_create(&c->K, &data->R, &none, path, "/fclib_local/R", error);
    if (status != CAIRN_OK)
        return status;

    c->y = malloc(3 * (size_t)c->K.largest * sizeof(double) + 1);
    if (!c->y || !list_contacts(c))
        return no_memory(path, error);

    if (condensed_blocks(c) > most_blocks)
        return cairn_fail(error, CAIRN_NOT_SUPPORTED,
                          "%s: its explicit matrix would take %.0f blocks, expected at most %.0f",
                          path, condensed_blocks(c), most_blocks);
    return CAIRN_OK;
}

static bool make_arrays(cairn_problem* problem, const cairn_fclib* data)
{
    size_t n = (size_t)data->contacts;
    problem->space = data->space;
    problem->block_count = data->contacts;
    problem->row_count = 3 * data->contacts;

    problem->blocks = calloc(n + 1, sizeof(cairn_block));
    problem->b = calloc(3 * n + 1, sizeof(double));
    problem->warm = data->guess_r ? calloc(3 * n + 1, sizeof(double)) : NULL;

    for (int c = 0; problem->blocks && c < data->contacts; c++)
        problem->blocks[c] = (cairn_block){.kind = CAIRN_BLOCK_CONTACT,
                                           .row = 3 * c,
                                           .row_count = 3,
                                           .body_a = CAIRN_WORLD_BODY,
                                           .body_b = CAIRN_WORLD_BODY,
                                           .friction = cairn_fclib_friction(data, c)};

    return problem->blocks && problem->b && (problem->warm || !data->guess_r);
}

static cairn_status fill_problem(cairn_problem* problem, const condensation* c, const char* path,
                                 cairn_error* error)
{
    // blocks that the parts will fill must be known before
    const cairn_fclib* data = c->data;
    cairn_pattern pattern = {0};
    double* b = calloc((size_t)cairn_fclib_rows(data) + 1, sizeof(double));
    if (b && make_arrays(problem, data) && note_pairs(&pattern, c))
        problem->A = cairn_pattern_finish(&pattern, data->contacts);

    free(pattern.pair);
    if (!problem->A) {
        free(b);
        return no_memory(path, error);
    }

    // the condensed unknowns add ± Bᵀ K⁻¹ B, one part of K at a time
    add_entries(problem->A, &data->W, data->space);
    bool solved = condense_vector(b, c);
    for (int part = 0; solved && part < c->K.parts; part++)
        solved = add_part(problem->A, c, part);

    // a plane contact has two rows in the file and three in the problem
    for (int i = 0; i < cairn_fclib_rows(data); i++) {
        int row = 3 * (i / data->space) + i % data->space;
        problem->b[row] = b[i];
        if (problem->warm)
            problem->warm[row] = data->guess_r[i];
    }

    free(b);
    return solved ? CAIRN_OK : no_velocity(data, path, error);
}

cairn_status cairn_fclib_to_matrix(cairn_problem* problem, const cairn_fclib* data,
                                   const char* path, cairn_error* error)
{
    condensation c = {.data = data, .sign = data->global ? 1.0 : -1.0};
    cairn_problem out = cairn_problem_empty();

    cairn_status status = prepare(&c, path, error);
    if (status == CAIRN_OK)
        status = fill_problem(&out, &c, path, error);

    cairn_columns_destroy(&c.B);
    cairn_kkt_destroy(&c.K);
    free(c.begin);
    free(c.contact);
    free(c.y);

    if (status != CAIRN_OK)
        cairn_problem_destroy(&out);
    else
        *problem = out;
    return status;
}
