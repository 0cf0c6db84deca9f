// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Bytes as a pair of Matrix Market files, cut at the first byte 0 (all of them are M when there is
// none): refused with a sentence, or read as finite numbers.

#include "fuzz.h"
#include "io/file.h"
#include <cairn/io.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void check_finite(const double* x, long n)
{
    for (long k = 0; k < n; k++)
        if (!isfinite(x[k]))
            abort();
}

FUZZ_TARGET(fuzz_matrix_market)
{
    char M[64], q[64];
    cairn_error error = {{0}};
    cairn_lcp_data lcp = {0};
    snprintf(M, sizeof M, "/dev/shm/cairn-fuzz-%ld-M", (long)getpid());
    snprintf(q, sizeof q, "/dev/shm/cairn-fuzz-%ld-q", (long)getpid());
    const uint8_t* cut = size ? memchr(data, 0, size) : NULL;
    size_t first = cut ? (size_t)(cut - data) : size;
    size_t skip = cut ? first + 1 : size;
    if (cairn_file_write(M, data, first, true, &error) != CAIRN_OK ||
        cairn_file_write(q, data + skip, size - skip, true, &error) != CAIRN_OK)
        return 0;
    error.text[0] = 0;
    cairn_status status = cairn_lcp_read(M, q, &lcp, &error);
    if (status != CAIRN_OK && !error.text[0])
        abort();
    if (status == CAIRN_OK) {
        check_finite(lcp.M, (long)lcp.n * lcp.n);
        check_finite(lcp.q, lcp.n);
        cairn_lcp_data_destroy(&lcp);
    }
    unlink(M);
    unlink(q);
    return 0;
}
