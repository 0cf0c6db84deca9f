// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Bytes as an FCLib file: refused with a sentence, or read into a problem that the front door
// accepts; then solved for no time at all and written back beside a replaced solution.

#include "fuzz.h"
#include "io/fclib/fclib_read.h"
#include <cairn/io.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// a problem that was read passes the check that the methods rely on, and gives a finite velocity
// or an infinite one, but no crash
static void use(const cairn_problem* problem, const cairn_bytes* bytes)
{
    char input[64], output[64];
    cairn_error error;
    if (cairn_problem_check(problem, &error) != CAIRN_OK)
        abort();
    double* lambda = calloc((size_t)problem->row_count + 1, sizeof(double));
    if (!lambda)
        return;
    snprintf(input, sizeof input, "/dev/shm/cairn-fuzz-%ld-in", (long)getpid());
    snprintf(output, sizeof output, "/dev/shm/cairn-fuzz-%ld-out", (long)getpid());
    if (cairn_file_write(input, bytes->data, bytes->size, true, &error) == CAIRN_OK)
        cairn_fclib_write_solution(output, input, problem, lambda, true, &error);
    cairn_fclib_write(output, problem, lambda, true, &error);
    unlink(input);
    unlink(output);
    free(lambda);
}

FUZZ_TARGET(fuzz_fclib)
{
    cairn_problem problem = {0};
    cairn_error error = {{0}};
    char* copy = malloc(size + 1);
    if (!copy)
        return 0;
    memcpy(copy, data, size);
    cairn_bytes bytes = {copy, size};
    cairn_status status = cairn_fclib_read_bytes(&problem, &bytes, "fuzz.hdf5", &error);
    if (status != CAIRN_OK && !error.text[0])
        abort();
    if (status == CAIRN_OK) {
        use(&problem, &bytes);
        cairn_problem_destroy(&problem);
    }
    free(copy);
    return 0;
}
