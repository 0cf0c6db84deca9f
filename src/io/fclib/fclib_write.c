// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Contact problems and solutions as FCLib files. A file is made in memory and put in place as a
// whole: HDF5 never sees a full disk.

#include "io/fclib/fclib_read.h"
#include <cairn/io.h>
#include <math.h>
#include <stdlib.h>

static cairn_status check_impulses(const char* path, const cairn_problem* problem,
                                   const double* lambda, cairn_error* error)
{
    for (int i = 0; lambda && i < problem->row_count; i++)
        if (!isfinite(lambda[i]))
            return cairn_fail(error, CAIRN_BAD_INPUT,
                              "%s: impulse %d to be written is %g, expected a finite number", path,
                              i, lambda[i]);
    return CAIRN_OK;
}

// one set of impulses, as the solution or as a guess
static cairn_status add_impulses(const cairn_hdf5* out, const cairn_fclib* data,
                                 const cairn_problem* problem, const double* lambda, bool guess)
{
    cairn_fclib_solution solution = {0};
    cairn_status status =
        cairn_fclib_complete(&solution, data, problem, lambda, out->path, out->error);
    if (status != CAIRN_OK)
        return status;
    status = guess ? cairn_fclib_store_guess(out, data, &solution)
                   : cairn_fclib_store_solution(out, "/solution", data, &solution);
    cairn_fclib_solution_destroy(&solution);
    return status;
}

// gives up the open file in any case
static cairn_status put_in_place(cairn_hdf5* out, cairn_status status, bool force)
{
    cairn_bytes bytes = {0};
    if (status == CAIRN_OK)
        status = cairn_hdf5_bytes(out, &bytes);
    cairn_hdf5_close(out);
    if (status == CAIRN_OK)
        status = cairn_file_write(out->path, bytes.data, bytes.size, force, out->error);
    free(bytes.data);
    return status;
}

static cairn_status write_data(const char* path, const cairn_fclib* data,
                               const cairn_problem* problem, const double* lambda, bool force,
                               cairn_error* error)
{
    cairn_hdf5 out;
    cairn_status status = cairn_hdf5_create(&out, path, error);
    if (status != CAIRN_OK)
        return status;
    status = cairn_fclib_store(&out, data);
    if (status == CAIRN_OK && lambda)
        status = add_impulses(&out, data, problem, lambda, false);
    if (status == CAIRN_OK && problem->warm)
        status = add_impulses(&out, data, problem, problem->warm, true);
    return put_in_place(&out, status, force);
}

cairn_status cairn_fclib_write(const char* path, const cairn_problem* problem, const double* lambda,
                               bool force, cairn_error* error)
{
    if (!path || !problem)
        return cairn_refuse_null(error, "the path or the problem");

    cairn_error reason;
    cairn_fclib data = {0};
    cairn_status status = cairn_problem_check(problem, &reason);
    if (status != CAIRN_OK)
        return cairn_fail(error, status, "%s: cannot be written: %.400s", path, reason.text);

    status = cairn_file_may_write(path, force, error);
    if (status == CAIRN_OK)
        status = check_impulses(path, problem, lambda, error);
    if (status == CAIRN_OK)
        status = cairn_fclib_from_problem(&data, problem, path, error);
    if (status != CAIRN_OK)
        return status;

    cairn_hdf5_quiet quiet = cairn_hdf5_hush();
    status = write_data(path, &data, problem, lambda, force, error);
    cairn_hdf5_loud(quiet);
    cairn_fclib_destroy(&data);
    return status;
}

static cairn_status replace_solution(const cairn_hdf5* file, const cairn_problem* problem,
                                     const double* lambda)
{
    cairn_fclib data = {0};
    cairn_status status = cairn_fclib_load(&data, file);
    if (status == CAIRN_OK)
        status = cairn_hdf5_remove(file, "/solution");
    if (status == CAIRN_OK)
        status = add_impulses(file, &data, problem, lambda, false);
    cairn_fclib_destroy(&data);
    return status;
}

cairn_status cairn_fclib_write_solution(const char* path, const char* input,
                                        const cairn_problem* problem, const double* lambda,
                                        bool force, cairn_error* error)
{
    if (!path || !input || !problem || !lambda)
        return cairn_refuse_null(error, "the path, the input, the problem or the impulses");

    // everything is refused that can be, before the copy is made
    cairn_hdf5 file;
    cairn_bytes bytes = {0};
    cairn_status status = cairn_file_may_write(path, force, error);
    if (status == CAIRN_OK)
        status = check_impulses(path, problem, lambda, error);
    if (status == CAIRN_OK)
        status = cairn_file_read(&bytes, input, &cairn_file_hdf5, error);
    if (status != CAIRN_OK)
        return status;

    // the whole input is copied, with another solution; HDF5 would print its errors itself
    cairn_hdf5_quiet quiet = cairn_hdf5_hush();
    status = cairn_hdf5_open(&file, &bytes, input, true, error);
    free(bytes.data);
    if (status == CAIRN_OK) {
        status = replace_solution(&file, problem, lambda);
        file.path = path;
        status = put_in_place(&file, status, force);
    }

    cairn_hdf5_loud(quiet);
    return status;
}
