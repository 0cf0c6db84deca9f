// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Writing FCLib files. Matrices are written by columns: the one form whose indices cannot be read
// two ways, and the one that libfclib's merit function can multiply with.

#include "io/fclib/fclib.h"
#include <stdio.h>
#include <string.h>

static cairn_status store_int(const cairn_hdf5* out, const char* group, const char* child,
                              int value)
{
    char full[80];
    snprintf(full, sizeof full, "%s/%s", group, child);
    return cairn_hdf5_write_ints(out, full, &value, 1);
}

static cairn_status store_matrix(const cairn_hdf5* out, const char* group, const cairn_sparse* A)
{
    const struct {
        const char* child;
        int value;
    } sizes[] = {{"nzmax", A->count}, {"m", A->m}, {"n", A->n}, {"nz", -1}};
    char full[80];
    cairn_columns columns;

    // nz = -1 says compressed columns
    cairn_status status = cairn_hdf5_make_group(out, group);
    for (size_t k = 0; status == CAIRN_OK && k < sizeof sizes / sizeof sizes[0]; k++)
        status = store_int(out, group, sizes[k].child, sizes[k].value);
    if (status != CAIRN_OK)
        return status;

    if (!cairn_columns_of(&columns, A, false))
        return cairn_fail(out->error, CAIRN_NO_MEMORY, "%s: no memory to write %s", out->path,
                          group);

    // begins, rows and numbers
    snprintf(full, sizeof full, "%s/p", group);
    status = cairn_hdf5_write_ints(out, full, columns.begin, A->n + 1);
    snprintf(full, sizeof full, "%s/i", group);
    if (status == CAIRN_OK)
        status = cairn_hdf5_write_ints(out, full, columns.row, A->count);
    snprintf(full, sizeof full, "%s/x", group);
    if (status == CAIRN_OK)
        status = cairn_hdf5_write_doubles(out, full, columns.x, A->count);

    cairn_columns_destroy(&columns);
    return status;
}

static cairn_status store_title(const cairn_hdf5* out, const char* group)
{
    char full[80];
    snprintf(full, sizeof full, "%s/info", group);
    cairn_status status = cairn_hdf5_make_group(out, full);
    if (status != CAIRN_OK)
        return status;
    snprintf(full, sizeof full, "%s/info/title", group);
    return cairn_hdf5_write_text(out, full, "a contact problem written by cairn");
}

static cairn_status store_local(const cairn_hdf5* out, const cairn_fclib* data)
{
    cairn_status status = store_matrix(out, "/fclib_local/W", &data->W);
    if (status == CAIRN_OK)
        status = cairn_hdf5_make_group(out, "/fclib_local/vectors");
    if (status == CAIRN_OK)
        status = cairn_hdf5_write_doubles(out, "/fclib_local/vectors/q", data->q,
                                          cairn_fclib_rows(data));
    if (status == CAIRN_OK)
        status = cairn_hdf5_write_doubles(out, "/fclib_local/vectors/mu", data->mu, data->contacts);

    if (status != CAIRN_OK || data->R.n == 0)
        return status;

    status = store_matrix(out, "/fclib_local/V", &data->V);
    if (status == CAIRN_OK)
        status = store_matrix(out, "/fclib_local/R", &data->R);
    if (status == CAIRN_OK)
        status = cairn_hdf5_write_doubles(out, "/fclib_local/vectors/s", data->s, data->R.n);
    return status;
}

static cairn_status store_global(const cairn_hdf5* out, const cairn_fclib* data)
{
    cairn_status status = store_matrix(out, "/fclib_global/M", &data->M);
    if (status == CAIRN_OK)
        status = store_matrix(out, "/fclib_global/H", &data->H);
    if (status == CAIRN_OK)
        status = cairn_hdf5_make_group(out, "/fclib_global/vectors");
    if (status == CAIRN_OK)
        status = cairn_hdf5_write_doubles(out, "/fclib_global/vectors/f", data->f, data->M.n);
    if (status == CAIRN_OK)
        status = cairn_hdf5_write_doubles(out, "/fclib_global/vectors/w", data->w, data->H.n);
    if (status == CAIRN_OK)
        status =
            cairn_hdf5_write_doubles(out, "/fclib_global/vectors/mu", data->mu, data->contacts);

    if (status != CAIRN_OK || data->G.n == 0)
        return status;

    status = store_matrix(out, "/fclib_global/G", &data->G);
    if (status == CAIRN_OK)
        status = cairn_hdf5_write_doubles(out, "/fclib_global/vectors/b", data->b, data->G.n);
    return status;
}

// what other readers of the format do not know, and may leave alone
static cairn_status store_laws(const cairn_hdf5* out, const cairn_fclib* data)
{
    cairn_status status = cairn_hdf5_make_group(out, "/cairn");
    if (status == CAIRN_OK)
        status = cairn_hdf5_make_group(out, "/cairn/friction");
    if (status == CAIRN_OK)
        status = cairn_hdf5_write_doubles(out, "/cairn/friction/law", data->law,
                                          cairn_fclib_law * data->contacts);
    if (status != CAIRN_OK || !data->spin_w)
        return status;
    status = cairn_hdf5_make_group(out, "/cairn/spin");
    if (status == CAIRN_OK)
        status = store_matrix(out, "/cairn/spin/H", &data->spin);
    if (status == CAIRN_OK)
        status = cairn_hdf5_write_doubles(out, "/cairn/spin/w", data->spin_w, data->contacts);
    return status;
}

cairn_status cairn_fclib_store(const cairn_hdf5* out, const cairn_fclib* data)
{
    const char* group = data->global ? "/fclib_global" : "/fclib_local";
    cairn_status status = cairn_hdf5_make_group(out, group);
    if (status == CAIRN_OK)
        status = store_int(out, group, "spacedim", data->space);
    if (status == CAIRN_OK)
        status = data->global ? store_global(out, data) : store_local(out, data);
    if (status == CAIRN_OK)
        status = store_title(out, group);
    if (status == CAIRN_OK && data->law)
        status = store_laws(out, data);
    return status;
}

cairn_status cairn_fclib_store_solution(const cairn_hdf5* out, const char* group,
                                        const cairn_fclib* data,
                                        const cairn_fclib_solution* solution)
{
    const struct {
        const char* child;
        const double* values;
        int count;
    } vectors[] = {{"u", solution->u, cairn_fclib_rows(data)},
                   {"r", solution->r, cairn_fclib_rows(data)},
                   {"spin", solution->spin, data->spin_w ? data->contacts : 0},
                   {"v", solution->v, cairn_fclib_freedoms(data)},
                   {"l", solution->l, cairn_fclib_multipliers(data)}};

    cairn_status status = cairn_hdf5_make_group(out, group);
    for (size_t k = 0; status == CAIRN_OK && k < sizeof vectors / sizeof vectors[0]; k++) {
        char full[80];
        snprintf(full, sizeof full, "%s/%s", group, vectors[k].child);
        if (vectors[k].count > 0 || k < 2)
            status = cairn_hdf5_write_doubles(out, full, vectors[k].values, vectors[k].count);
    }

    return status;
}

cairn_status cairn_fclib_store_guess(const cairn_hdf5* out, const cairn_fclib* data,
                                     const cairn_fclib_solution* guess)
{
    cairn_status status = cairn_hdf5_make_group(out, "/guesses");
    if (status == CAIRN_OK)
        status = store_int(out, "/guesses", "number_of_guesses", 1);
    if (status == CAIRN_OK)
        status = cairn_fclib_store_solution(out, "/guesses/1", data, guess);
    return status;
}
