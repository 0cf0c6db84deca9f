// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// From an FCLib file to a contact problem: the bytes are read, checked and opened in memory, so
// that nothing that happens to the file meanwhile, and nothing in it, can harm.

#include "io/fclib/fclib_read.h"
#include <cairn/io.h>
#include <stdlib.h>

cairn_status cairn_fclib_to_problem(cairn_problem* problem, const cairn_fclib* data,
                                    const char* path, cairn_error* error)
{
    cairn_error reason;
    cairn_problem out;
    bool fits = false;
    cairn_status status = CAIRN_OK;
    if (data->global)
        status = cairn_fclib_to_bodies(&out, &fits, data, path, error);
    if (status == CAIRN_OK && !fits && data->spin_w)
        status =
            cairn_fail(error, CAIRN_NOT_SUPPORTED,
                       "%s: has spin rows, but its masses are not those of rigid bodies", path);

    // rigid bodies where the masses are theirs, a matrix otherwise
    if (status == CAIRN_OK && !fits)
        status = cairn_fclib_to_matrix(&out, data, path, error);
    if (status != CAIRN_OK)
        return status;

    // sums and quotients of finite numbers may still leave their range
    status = cairn_problem_check(&out, &reason);
    if (status != CAIRN_OK) {
        cairn_problem_destroy(&out);
        return cairn_fail(error, status, "%s: %.400s", path, reason.text);
    }

    *problem = out;
    return CAIRN_OK;
}

cairn_status cairn_fclib_parse(cairn_fclib* data, const cairn_bytes* bytes, const char* path,
                               cairn_error* error)
{
    cairn_hdf5 in;
    cairn_hdf5_quiet quiet = cairn_hdf5_hush();
    cairn_status status = cairn_hdf5_open(&in, bytes, path, false, error);
    if (status == CAIRN_OK) {
        status = cairn_fclib_load(data, &in);
        cairn_hdf5_close(&in);
    }
    cairn_hdf5_loud(quiet);
    return status;
}

cairn_status cairn_fclib_read_bytes(cairn_problem* problem, const cairn_bytes* bytes,
                                    const char* path, cairn_error* error)
{
    cairn_fclib data = {0};
    cairn_status status = cairn_fclib_parse(&data, bytes, path, error);
    if (status != CAIRN_OK)
        return status;
    status = cairn_fclib_to_problem(problem, &data, path, error);
    cairn_fclib_destroy(&data);
    return status;
}

cairn_status cairn_fclib_read(const char* path, cairn_problem* problem, cairn_error* error)
{
    if (!problem || !path)
        return cairn_refuse_null(error, "the problem or the path");
    cairn_bytes bytes = {0};
    cairn_status status = cairn_file_read(&bytes, path, &cairn_file_hdf5, error);
    if (status != CAIRN_OK)
        return status;
    status = cairn_fclib_read_bytes(problem, &bytes, path, error);
    free(bytes.data);
    return status;
}
