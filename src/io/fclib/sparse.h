// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Sparse matrices on their way from and to files.
#ifndef CAIRN_IO_SPARSE_H
#define CAIRN_IO_SPARSE_H

#include <cairn/problem.h>

/// A matrix as a list of entries; entries of one place add up. Zero is the empty 0 x 0 matrix.
typedef struct cairn_sparse {
    int m, n;
    int count, capacity;
    int* row;
    int* column;
    double* x;
} cairn_sparse;

/// Makes room for `capacity` entries in all.
bool cairn_sparse_reserve(cairn_sparse* A, int capacity);

/// Adds an entry; room must have been reserved.
static inline void cairn_sparse_add(cairn_sparse* A, int row, int column, double x)
{
    A->row[A->count] = row;
    A->column[A->count] = column;
    A->x[A->count++] = x;
}

void cairn_sparse_destroy(cairn_sparse* A);

/// y += s A x, and y += s A^T x
void cairn_sparse_multiply(double* y, double s, const cairn_sparse* A, const double* x);
void cairn_sparse_multiply_transposed(double* y, double s, const cairn_sparse* A, const double* x);

/// The same entries in order of columns: those of column j are begin[j] .. begin[j+1]-1.
typedef struct cairn_columns {
    int n;
    int* begin;
    int* row;
    double* x;
} cairn_columns;

/// Sorts by columns, and within a column in the order of the list. With `transposed`, by rows.
bool cairn_columns_of(cairn_columns* columns, const cairn_sparse* A, bool transposed);
void cairn_columns_destroy(cairn_columns* columns);

// ---------------------------------------------------------------- matrices in 3x3 blocks

/// Pairs of contacts that a matrix in blocks will have an entry for.
typedef struct cairn_pattern {
    uint64_t* pair;
    size_t count, capacity;
} cairn_pattern;

bool cairn_pattern_add(cairn_pattern* pattern, int row, int column);

/// The matrix of zeros with this pattern and the diagonal, n block rows; NULL without memory. Free
/// it with the problem that owns it. The pattern is given back.
cairn_block_matrix* cairn_pattern_finish(cairn_pattern* pattern, int n);

/// The nine numbers of a block that is in the pattern.
double* cairn_block_at(const cairn_block_matrix* A, int row, int column);

#endif
