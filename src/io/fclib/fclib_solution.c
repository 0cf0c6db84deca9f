// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// From impulses to all that FCLib calls a solution:
//
//     local     R l = -(V^T r + s)                         u = W r + V l + q
//     global    M v - G l = H r + f,  G^T v = -b           u = H^T v + w
//
// Where the problem has bodies and rows, its impulses hold l already.

#include "io/fclib/fclib.h"
#include "io/fclib/kkt.h"
#include <stdlib.h>
#include <string.h>

// r, and l where the impulses hold it
static void split_impulses(cairn_fclib_solution* to, const cairn_fclib* data,
                           const cairn_problem* problem, const double* lambda)
{
    int contact = 0, joint = 0;

    for (int c = 0; c < problem->block_count; c++) {
        const cairn_block* block = &problem->blocks[c];
        const double* x = lambda + block->row;

        if (block->kind == CAIRN_BLOCK_CONTACT) {
            for (int i = 0; i < block->row_count && i < data->space; i++)
                to->r[data->space * contact + i] = x[i];
            if (block->row_count > data->space && data->spin_w)
                to->spin[contact] = x[data->space];
            contact++;
        } else {
            for (int i = 0; i < block->row_count; i++)
                to->l[joint++] = x[i];
        }
    }
}

static cairn_status complete_local(cairn_fclib_solution* to, const cairn_fclib* data,
                                   const cairn_kkt* K)
{
    for (int j = 0; j < data->R.n; j++)
        to->l[j] = -data->s[j];
    cairn_sparse_multiply_transposed(to->l, -1.0, &data->V, to->r);
    if (!cairn_kkt_solve(K, to->l))
        return CAIRN_BAD_INPUT;
    memcpy(to->u, data->q, (size_t)data->W.n * sizeof(double));
    cairn_sparse_multiply(to->u, 1.0, &data->W, to->r);
    cairn_sparse_multiply(to->u, 1.0, &data->V, to->l);
    return CAIRN_OK;
}

static cairn_status complete_global(cairn_fclib_solution* to, const cairn_fclib* data,
                                    const cairn_kkt* K)
{
    // M v = f + H r + G l,  Gᵀ v = −b
    int n = data->M.n;
    double* x = calloc((size_t)K->n + (size_t)K->p + 1, sizeof(double));
    if (!x)
        return CAIRN_NO_MEMORY;

    memcpy(x, data->f, (size_t)n * sizeof(double));
    cairn_sparse_multiply(x, 1.0, &data->H, to->r);
    if (data->spin_w)
        cairn_sparse_multiply(x, 1.0, &data->spin, to->spin);

    // l is known, or an unknown beside v
    if (K->p == 0)
        cairn_sparse_multiply(x, 1.0, &data->G, to->l);
    for (int j = 0; j < K->p; j++)
        x[n + j] = -data->b[j];

    bool solved = cairn_kkt_solve(K, x);
    memcpy(to->v, x, (size_t)n * sizeof(double));
    for (int j = 0; j < K->p; j++)
        to->l[j] = x[n + j];
    free(x);

    // u = Hᵀ v + w
    memcpy(to->u, data->w, (size_t)data->H.n * sizeof(double));
    cairn_sparse_multiply_transposed(to->u, 1.0, &data->H, to->v);
    return solved ? CAIRN_OK : CAIRN_BAD_INPUT;
}

static bool create(cairn_fclib_solution* to, const cairn_fclib* data)
{
    size_t rows = (size_t)cairn_fclib_rows(data);
    to->u = calloc(rows + 1, sizeof(double));
    to->r = calloc(rows + 1, sizeof(double));
    to->v = calloc((size_t)cairn_fclib_freedoms(data) + 1, sizeof(double));
    to->l = calloc((size_t)cairn_fclib_multipliers(data) + 1, sizeof(double));
    to->spin = calloc((size_t)data->contacts + 1, sizeof(double));
    return to->u && to->r && to->v && to->l && to->spin;
}

// a problem and data that came from one another have the same sizes
static bool belongs(const cairn_fclib* data, const cairn_problem* problem)
{
    int joints = 0, contacts = cairn_problem_contact_count(problem);
    for (int c = 0; c < problem->block_count; c++)
        joints += problem->blocks[c].kind == CAIRN_BLOCK_CONTACT ? 0 : problem->blocks[c].row_count;
    bool known = problem->A || (data->global && joints == data->G.n);
    return contacts == data->contacts && problem->space == data->space && known;
}

cairn_status cairn_fclib_complete(cairn_fclib_solution* solution, const cairn_fclib* data,
                                  const cairn_problem* problem, const double* lambda,
                                  const char* path, cairn_error* error)
{
    cairn_fclib_solution to = {0};
    cairn_kkt K = {0};
    cairn_sparse none = {0};

    if (!belongs(data, problem))
        return cairn_fail(error, CAIRN_BAD_INPUT,
                          "%s: holds another problem than the one that was solved", path);
    if (!create(&to, data)) {
        cairn_fclib_solution_destroy(&to);
        return cairn_fail(error, CAIRN_NO_MEMORY, "%s: no memory for a solution", path);
    }

    // the impulses are known: velocities and the forces of joints follow from them
    split_impulses(&to, data, problem, lambda);
    cairn_status status =
        data->global ? cairn_kkt_create(&K, &data->M, problem->A ? &data->G : &none, path,
                                        "/fclib_global/M", error)
                     : cairn_kkt_create(&K, &data->R, &none, path, "/fclib_local/R", error);

    if (status == CAIRN_OK) {
        status = data->global ? complete_global(&to, data, &K) : complete_local(&to, data, &K);
        if (status != CAIRN_OK)
            cairn_fail(error, status, "%s: %s", path,
                       status == CAIRN_NO_MEMORY ? "no memory for its velocities"
                                                 : "its masses give no velocities");
    }

    cairn_kkt_destroy(&K);
    if (status != CAIRN_OK)
        cairn_fclib_solution_destroy(&to);
    else
        *solution = to;
    return status;
}
