// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Sparse matrices as lists of entries, by columns, and in 3x3 blocks. A matrix in blocks is made in
// two passes: note the pairs that meet, then add numbers to their blocks.

#include "io/fclib/sparse.h"
#include <stdlib.h>
#include <string.h>

static bool resize(void* array, size_t count, size_t element)
{
    void** pointer = array;
    void* memory = realloc(*pointer, count * element + 1);
    if (memory)
        *pointer = memory;
    return memory != NULL;
}

bool cairn_sparse_reserve(cairn_sparse* A, int capacity)
{
    if (capacity <= A->capacity)
        return true;
    if (!resize(&A->row, (size_t)capacity, sizeof(int)) ||
        !resize(&A->column, (size_t)capacity, sizeof(int)) ||
        !resize(&A->x, (size_t)capacity, sizeof(double)))
        return false;
    A->capacity = capacity;
    return true;
}

void cairn_sparse_destroy(cairn_sparse* A)
{
    free(A->row);
    free(A->column);
    free(A->x);
    *A = (cairn_sparse){0};
}

void cairn_sparse_multiply(double* y, double s, const cairn_sparse* A, const double* x)
{
    for (int k = 0; k < A->count; k++)
        y[A->row[k]] += s * A->x[k] * x[A->column[k]];
}

void cairn_sparse_multiply_transposed(double* y, double s, const cairn_sparse* A, const double* x)
{
    for (int k = 0; k < A->count; k++)
        y[A->column[k]] += s * A->x[k] * x[A->row[k]];
}

// ---------------------------------------------------------------- by columns

bool cairn_columns_of(cairn_columns* columns, const cairn_sparse* A, bool transposed)
{
    // rows of A are columns of its transpose
    const int* major = transposed ? A->row : A->column;
    const int* minor = transposed ? A->column : A->row;
    int n = transposed ? A->m : A->n;
    *columns = (cairn_columns){.n = n,
                               .begin = calloc((size_t)n + 2, sizeof(int)),
                               .row = malloc((size_t)A->count * sizeof(int) + 1),
                               .x = malloc((size_t)A->count * sizeof(double) + 1)};

    if (!columns->begin || !columns->row || !columns->x) {
        cairn_columns_destroy(columns);
        return false;
    }

    // a counting sort: begin is shifted by one while it counts, and right when it ends
    int* next = columns->begin + 1;
    for (int k = 0; k < A->count; k++)
        next[major[k] + 1]++;
    for (int j = 1; j <= n; j++)
        next[j] += next[j - 1];
    for (int k = 0; k < A->count; k++) {
        int to = next[major[k]]++;
        columns->row[to] = minor[k];
        columns->x[to] = A->x[k];
    }
    return true;
}

void cairn_columns_destroy(cairn_columns* columns)
{
    free(columns->begin);
    free(columns->row);
    free(columns->x);
    *columns = (cairn_columns){0};
}

// ---------------------------------------------------------------- in blocks

bool cairn_pattern_add(cairn_pattern* pattern, int row, int column)
{
    uint64_t pair = (uint64_t)row << 32 | (uint32_t)column;

    // neighbors in a file mostly fall into the same block
    if (pattern->count > 0 && pattern->pair[pattern->count - 1] == pair)
        return true;
    if (pattern->count == pattern->capacity) {
        size_t capacity = 2 * pattern->capacity + 64;
        if (!resize(&pattern->pair, capacity, sizeof(uint64_t)))
            return false;
        pattern->capacity = capacity;
    }
    pattern->pair[pattern->count++] = pair;
    return true;
}

static int compare_pairs(const void* a, const void* b)
{
    uint64_t x = *(const uint64_t*)a, y = *(const uint64_t*)b;
    return (x > y) - (x < y);
}

static size_t unique_pairs(cairn_pattern* pattern)
{
    size_t count = 0;
    qsort(pattern->pair, pattern->count, sizeof(uint64_t), compare_pairs);
    for (size_t k = 0; k < pattern->count; k++)
        if (k == 0 || pattern->pair[k] != pattern->pair[k - 1])
            pattern->pair[count++] = pattern->pair[k];
    return count;
}

cairn_block_matrix* cairn_pattern_finish(cairn_pattern* pattern, int n)
{
    // every diagonal block is there, even when nothing couples it
    bool done = true;
    for (int c = 0; c < n && done; c++)
        done = cairn_pattern_add(pattern, c, c);

    size_t count = done && pattern->count > 0 ? unique_pairs(pattern) : 0;
    cairn_block_matrix* A = calloc(1, sizeof *A);
    if (A) {
        A->n = n;
        A->row_begin = calloc((size_t)n + 1, sizeof(int));
        A->column = malloc(count * sizeof(int) + 1);
        A->value = calloc(9 * count + 1, sizeof(double));
        done = done && A->row_begin && A->column && A->value;
    }

    // pairs are sorted by row, then column
    for (size_t k = 0; A && done && k < count; k++) {
        A->row_begin[(pattern->pair[k] >> 32) + 1]++;
        A->column[k] = (int)(pattern->pair[k] & UINT32_MAX);
    }
    for (int c = 0; A && done && c < n; c++)
        A->row_begin[c + 1] += A->row_begin[c];

    free(pattern->pair);
    *pattern = (cairn_pattern){0};

    if (A && !done) {
        free(A->row_begin);
        free(A->column);
        free(A->value);
        free(A);
        A = NULL;
    }
    return A;
}

double* cairn_block_at(const cairn_block_matrix* A, int row, int column)
{
    int low = A->row_begin[row], high = A->row_begin[row + 1] - 1;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (A->column[middle] < column)
            low = middle + 1;
        else
            high = middle;
    }
    return A->value + 9 * (ptrdiff_t)low;
}
