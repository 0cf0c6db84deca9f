// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Matrix Market files (Boisvert, Pozo, Remington 1996) as dense matrices, for plain LCPs. A banner,
// comments, one line of sizes, then the numbers:
//
//     array        m n        values column by column (symmetric: the lower triangle only)
//     coordinate   m n count  row, column (from 1), value; entries given twice are summed
//
// Values may be broken over lines as they please. Both banners "%%MatrixMarket" and "%MatrixMarket"
// are met in the wild. Not for large sparse matrices: everything becomes dense.

#include "io/file.h"
#include <cairn/io.h>
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { largest_matrix = 1 << 27 }; // numbers in a dense matrix: 1 GB

typedef enum symmetry { GENERAL, SYMMETRIC, SKEW } symmetry;

// where reading is, and what the banner said
typedef struct reader {
    const char* path;
    const char* at;
    const char* end;
    int line;
    bool coordinate;
    bool integer;
    symmetry kind;
    int rows, columns;
    long count;
    cairn_error* error;
} reader;

// ---------------------------------------------------------------- words

static void skip_line(reader* in)
{
    while (in->at < in->end && *in->at != '\n')
        in->at++;
}

// to the next word; comments and blank lines are passed over
static bool next_word(reader* in)
{
    while (in->at < in->end) {
        if (*in->at == '\n') {
            in->line++;
            in->at++;
        } else if (isspace((unsigned char)*in->at)) {
            in->at++;
        } else if (*in->at == '%') {
            skip_line(in);
        } else {
            return true;
        }
    }
    return false;
}

// the rest of the word, for sentences
static int word_length(const reader* in)
{
    int n = 0;
    while (in->at + n < in->end && n < 40 && !isspace((unsigned char)in->at[n]))
        n++;
    return n;
}

static cairn_status expected(const reader* in, const char* what)
{
    if (in->at >= in->end)
        return cairn_fail(in->error, CAIRN_BAD_INPUT, "%s:%d: the file ends, expected %s", in->path,
                          in->line, what);
    return cairn_fail(in->error, CAIRN_BAD_INPUT, "%s:%d: found \"%.*s\", expected %s", in->path,
                      in->line, word_length(in), in->at, what);
}

static bool word_ends(const reader* in, const char* stop)
{
    return stop == in->end || isspace((unsigned char)*stop);
}

static cairn_status read_integer(reader* in, long* value, long least, long most, const char* what)
{
    char* stop;
    char sentence[96];
    snprintf(sentence, sizeof sentence, "%s, from %ld to %ld", what, least, most);
    if (!next_word(in))
        return expected(in, sentence);
    errno = 0;
    *value = strtol(in->at, &stop, 10);
    if (stop == in->at || !word_ends(in, stop) || errno || *value < least || *value > most)
        return expected(in, sentence);
    in->at = stop;
    return CAIRN_OK;
}

static cairn_status read_value(reader* in, double* value)
{
    char* stop;
    const char* what = in->integer ? "a whole number" : "a finite number";
    if (!next_word(in))
        return expected(in, what);
    *value = strtod(in->at, &stop);
    if (stop == in->at || !word_ends(in, stop) || !isfinite(*value) ||
        (in->integer && *value != floor(*value)))
        return expected(in, what);
    in->at = stop;
    return CAIRN_OK;
}

// ---------------------------------------------------------------- banner and sizes

// takes a word of the banner, whatever its case
static bool take_word(reader* in, const char* word)
{
    size_t n = strlen(word);
    while (in->at < in->end && (*in->at == ' ' || *in->at == '\t'))
        in->at++;
    if ((size_t)(in->end - in->at) < n)
        return false;
    for (size_t i = 0; i < n; i++)
        if (tolower((unsigned char)in->at[i]) != tolower((unsigned char)word[i]))
            return false;
    if (!word_ends(in, in->at + n))
        return false;
    in->at += n;
    return true;
}

static cairn_status read_banner(reader* in)
{
    // %%MatrixMarket matrix <format> <field> <symmetry>
    if (!take_word(in, "%%MatrixMarket") && !take_word(in, "%MatrixMarket"))
        return expected(in, "the banner %%MatrixMarket");
    if (!take_word(in, "matrix"))
        return expected(in, "\"matrix\" in the banner");

    in->coordinate = take_word(in, "coordinate");
    if (!in->coordinate && !take_word(in, "array"))
        return expected(in, "\"array\" or \"coordinate\" in the banner");

    in->integer = take_word(in, "integer");
    if (!in->integer && !take_word(in, "real") && !take_word(in, "double"))
        return expected(in, "\"real\" or \"integer\" in the banner");

    if (take_word(in, "symmetric"))
        in->kind = SYMMETRIC;
    else if (take_word(in, "skew-symmetric"))
        in->kind = SKEW;
    else if (!take_word(in, "general"))
        return expected(in, "\"general\", \"symmetric\" or \"skew-symmetric\" in the banner");

    // nothing but spaces may follow
    while (in->at < in->end && *in->at != '\n' && isspace((unsigned char)*in->at))
        in->at++;
    if (in->at < in->end && *in->at != '\n')
        return expected(in, "the end of the banner");
    return CAIRN_OK;
}

static cairn_status read_sizes(reader* in)
{
    long rows = 0, columns = 0;
    cairn_status status = read_integer(in, &rows, 0, INT_MAX, "the number of rows");
    if (status == CAIRN_OK)
        status = read_integer(in, &columns, 0, INT_MAX, "the number of columns");
    if (status == CAIRN_OK && in->coordinate)
        status = read_integer(in, &in->count, 0, LONG_MAX, "the number of entries");
    if (status != CAIRN_OK)
        return status;

    in->rows = (int)rows;
    in->columns = (int)columns;

    // sizes that the kind allows and that fit into memory
    if (in->kind != GENERAL && rows != columns)
        return cairn_fail(
            in->error, CAIRN_BAD_INPUT,
            "%s:%d: a symmetric matrix of %ld rows and %ld columns, expected a square "
            "one",
            in->path, in->line, rows, columns);
    if (columns > 0 && rows > largest_matrix / columns)
        return cairn_fail(in->error, CAIRN_BAD_INPUT,
                          "%s:%d: %ld rows and %ld columns, expected at most %d numbers", in->path,
                          in->line, rows, columns, largest_matrix);

    // an entry takes a digit and a space at least
    long room = (in->end - in->at) / 2 + 1;
    if (!in->coordinate)
        in->count = in->kind == GENERAL     ? rows * columns
                    : in->kind == SYMMETRIC ? rows * (rows + 1) / 2
                                            : rows * (rows - 1) / 2;
    if (in->count > room)
        return cairn_fail(in->error, CAIRN_BAD_INPUT,
                          "%s:%d: %ld entries are announced, the file has room for %ld at most",
                          in->path, in->line, in->count, room);
    return CAIRN_OK;
}

// ---------------------------------------------------------------- numbers

// entries given twice are summed, which may leave the range of numbers
static cairn_status add_entry(const reader* in, double* M, int i, int j, double value)
{
    double* entry = &M[(ptrdiff_t)i * in->columns + j];
    if (in->kind == SKEW && i == j && value != 0.0)
        return cairn_fail(in->error, CAIRN_BAD_INPUT,
                          "%s:%d: entry (%d, %d) of a skew-symmetric matrix is %g, expected 0",
                          in->path, in->line, i + 1, j + 1, value);
    *entry += value;
    if (!isfinite(*entry))
        return cairn_fail(in->error, CAIRN_BAD_INPUT,
                          "%s:%d: entry (%d, %d) sums to %g, expected a finite number", in->path,
                          in->line, i + 1, j + 1, *entry);
    if (i != j && in->kind != GENERAL)
        M[(ptrdiff_t)j * in->columns + i] = in->kind == SKEW ? -*entry : *entry;
    return CAIRN_OK;
}

static cairn_status read_array(reader* in, double* M)
{
    // without entries there may be any number of columns
    for (int j = 0; in->count > 0 && j < in->columns; j++) {
        int first = in->kind == GENERAL ? 0 : in->kind == SYMMETRIC ? j : j + 1;
        for (int i = first; i < in->rows; i++) {
            double value;
            cairn_status status = read_value(in, &value);
            if (status == CAIRN_OK)
                status = add_entry(in, M, i, j, value);
            if (status != CAIRN_OK)
                return status;
        }
    }
    return CAIRN_OK;
}

static cairn_status read_coordinates(reader* in, double* M)
{
    for (long k = 0; k < in->count; k++) {
        long i = 0, j = 0;
        double value;
        cairn_status status = read_integer(in, &i, 1, in->rows, "a row");
        if (status == CAIRN_OK)
            status = read_integer(in, &j, 1, in->columns, "a column");
        if (status == CAIRN_OK)
            status = read_value(in, &value);
        if (status == CAIRN_OK)
            status = add_entry(in, M, (int)i - 1, (int)j - 1, value);
        if (status != CAIRN_OK)
            return status;
    }
    return CAIRN_OK;
}

static cairn_status read_numbers(reader* in, double* M)
{
    cairn_status status = in->coordinate ? read_coordinates(in, M) : read_array(in, M);
    if (status == CAIRN_OK && next_word(in))
        status = expected(in, "the end of the file after the last entry");
    return status;
}

// a whole matrix; `in` holds its sizes afterwards
static cairn_status read_matrix(double** M, reader* in)
{
    cairn_bytes bytes = {0};
    cairn_status status = cairn_file_read(&bytes, in->path, &cairn_file_text, in->error);
    if (status != CAIRN_OK)
        return status;

    in->at = bytes.data;
    in->end = bytes.data + bytes.size;
    in->line = 1;
    status = read_banner(in);
    if (status == CAIRN_OK)
        status = read_sizes(in);

    // dense, whatever the format of the file: an LCP needs the whole matrix
    double* values = NULL;
    if (status == CAIRN_OK) {
        values = calloc((size_t)in->rows * (size_t)in->columns + 1, sizeof(double));
        status = values ? read_numbers(in, values)
                        : cairn_fail(in->error, CAIRN_NO_MEMORY, "%s: no memory for its matrix",
                                     in->path);
    }

    free(bytes.data);
    if (status != CAIRN_OK) {
        free(values);
        return status;
    }
    *M = values;
    return CAIRN_OK;
}

// ---------------------------------------------------------------- the pair

cairn_status cairn_lcp_read(const char* M_path, const char* q_path, cairn_lcp_data* lcp,
                            cairn_error* error)
{
    if (!lcp || !M_path || !q_path)
        return cairn_refuse_null(error, "the LCP or a path");

    double* M = NULL;
    double* q = NULL;
    reader M_file = {.path = M_path, .error = error};
    reader q_file = {.path = q_path, .error = error};

    // the matrix, then a vector of as many rows
    cairn_status status = read_matrix(&M, &M_file);
    if (status == CAIRN_OK && M_file.rows != M_file.columns)
        status = cairn_fail(error, CAIRN_BAD_INPUT,
                            "%s: %d rows and %d columns, expected a square matrix", M_path,
                            M_file.rows, M_file.columns);

    if (status == CAIRN_OK)
        status = read_matrix(&q, &q_file);
    if (status == CAIRN_OK && (q_file.rows != M_file.rows || q_file.columns != 1))
        status = cairn_fail(error, CAIRN_BAD_INPUT,
                            "%s: %d rows and %d columns, expected %d rows and 1 column as %s has",
                            q_path, q_file.rows, q_file.columns, M_file.rows, M_path);

    if (status != CAIRN_OK) {
        free(M);
        free(q);
        return status;
    }
    *lcp = (cairn_lcp_data){.n = M_file.rows, .M = M, .q = q};
    return CAIRN_OK;
}

// one column of n numbers
static cairn_status read_bound(double** bound, const char* path, int n, cairn_error* error)
{
    double* values = NULL;
    reader file = {.path = path, .error = error};
    cairn_status status = read_matrix(&values, &file);
    if (status == CAIRN_OK && (file.rows != n || file.columns != 1))
        status = cairn_fail(error, CAIRN_BAD_INPUT,
                            "%s: %d rows and %d columns, expected %d rows and 1 column", path,
                            file.rows, file.columns, n);

    if (status != CAIRN_OK) {
        free(values);
        return status;
    }

    // the format has no infinity: numbers this large stand for it
    for (int i = 0; i < n; i++)
        if (fabs(values[i]) >= 1e300)
            values[i] = values[i] > 0.0 ? INFINITY : -INFINITY;

    free(*bound);
    *bound = values;
    return CAIRN_OK;
}

cairn_status cairn_lcp_read_bounds(const char* lo_path, const char* hi_path, cairn_lcp_data* lcp,
                                   cairn_error* error)
{
    if (!lcp)
        return cairn_refuse_null(error, "the LCP");
    cairn_status status = CAIRN_OK;
    if (lo_path)
        status = read_bound(&lcp->lo, lo_path, lcp->n, error);
    if (status == CAIRN_OK && hi_path)
        status = read_bound(&lcp->hi, hi_path, lcp->n, error);
    return status;
}

void cairn_lcp_data_destroy(cairn_lcp_data* lcp)
{
    if (!lcp)
        return;
    free(lcp->M);
    free(lcp->q);
    free(lcp->lo);
    free(lcp->hi);
    *lcp = (cairn_lcp_data){0};
}
