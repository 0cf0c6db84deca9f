// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors

#include "solve/stiffness.h"
#include <math.h>
#include <string.h>

enum { six = 6, most_dense = 6 }; // bodies up to which a dense factor is cheaper than an analysis

static int larger(int a, int b)
{
    return a > b ? a : b;
}

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

// sorts the columns of a row and drops repetitions; returns how many are left
static int tidy(int* row, int count)
{
    for (int k = 1; k < count; k++)
        for (int j = k; j > 0 && row[j] < row[j - 1]; j--) {
            int swap = row[j];
            row[j] = row[j - 1];
            row[j - 1] = swap;
        }
    int kept = 0;
    for (int k = 0; k < count; k++)
        if (kept == 0 || row[kept - 1] != row[k])
            row[kept++] = row[k];
    return kept;
}

// the blocks of the lower triangle by rows, the diagonal last in each
static cairn_status find_pattern(cairn_stiffness* stiffness, cairn_element* elements, int count,
                                 cairn_arena* arena)
{
    int n = stiffness->bodies;
    int* begin = stiffness->begin = CAIRN_TAKE_ZEROED(arena, int, n + 1);
    int* column = stiffness->column = CAIRN_TAKE(arena, int, count + n);
    int* next = CAIRN_TAKE(arena, int, n);
    if (arena->failed)
        return CAIRN_NO_MEMORY;

    // a counting sort by rows
    for (int e = 0; e < count; e++)
        if (elements[e].a >= 0 && elements[e].b >= 0)
            begin[1 + larger(elements[e].a, elements[e].b)]++;
    for (int i = 0; i < n; i++) {
        begin[i + 1] += begin[i] + 1;
        next[i] = begin[i];
        column[next[i]++] = i;
    }
    for (int e = 0; e < count; e++)
        if (elements[e].a >= 0 && elements[e].b >= 0)
            column[next[larger(elements[e].a, elements[e].b)]++] =
                smaller(elements[e].a, elements[e].b);

    // each block once
    int used = 0;
    for (int i = 0; i < n; i++) {
        int from = begin[i], kept = tidy(column + from, begin[i + 1] - from);
        memmove(column + used, column + from, (size_t)kept * sizeof(int));
        begin[i] = used;
        used += kept;
    }
    begin[n] = used;

    // where each element finds its block, by bisection
    for (int e = 0; e < count; e++) {
        int a = elements[e].a, b = elements[e].b;
        if (a < 0 || b < 0)
            continue;
        int low = begin[larger(a, b)], high = begin[larger(a, b) + 1] - 1;
        while (low < high) {
            int middle = (low + high) / 2;
            if (column[middle] < smaller(a, b))
                low = middle + 1;
            else
                high = middle;
        }
        elements[e].slot = low;
    }
    return CAIRN_OK;
}

cairn_status cairn_stiffness_prepare(cairn_stiffness* stiffness, int bodies,
                                     cairn_element* elements, int count, cairn_arena* arena,
                                     const cairn_stop* stop)
{
    *stiffness = (cairn_stiffness){.bodies = bodies, .dense = bodies <= most_dense};

    // few bodies: a dense matrix
    if (stiffness->dense) {
        stiffness->size = (size_t)(six * bodies) * (size_t)(six * bodies);
        stiffness->K = CAIRN_TAKE(arena, double, stiffness->size);
        stiffness->L = CAIRN_TAKE(arena, double, stiffness->size);
        stiffness->over = CAIRN_TAKE(arena, double, six* bodies);
        return arena->failed ? CAIRN_NO_MEMORY : CAIRN_OK;
    }

    // many bodies: sparse, factored by fronts
    cairn_status status = find_pattern(stiffness, elements, count, arena);
    if (status != CAIRN_OK)
        return status;
    stiffness->size = CAIRN_CHOLESKY_BLOCK * (size_t)stiffness->begin[bodies];
    stiffness->K = CAIRN_TAKE(arena, double, stiffness->size);
    if (!stiffness->K)
        return CAIRN_NO_MEMORY;

    return cairn_front_cholesky_prepare(&stiffness->chol, bodies, stiffness->begin,
                                        stiffness->column, arena, arena, stop);
}

void cairn_stiffness_start(cairn_stiffness* stiffness, double shift)
{
    memset(stiffness->K, 0, stiffness->size * sizeof(double));
    for (int i = 0; i < six * stiffness->bodies; i++) {
        size_t at = stiffness->dense
                        ? (size_t)i * (size_t)(six * stiffness->bodies) + (size_t)i
                        : CAIRN_CHOLESKY_BLOCK * (size_t)(stiffness->begin[i / six + 1] - 1) +
                              (size_t)(i % six * six + i % six);
        stiffness->K[at] = shift;
    }
}

// to += R^T S of `rows` rows of 12 numbers, 6 of them each; lines of `to` are `stride` apart
static void add_block(double* to, size_t stride, const double (*R)[12], const double (*S)[12],
                      int side_r, int side_s, int rows)
{
    for (int k = 0; k < rows; k++) {
        const double *r = R[k] + side_r, *s = S[k] + side_s;
        for (int i = 0; i < six; i++)
            for (int j = 0; j < six; j++)
                to[(size_t)i * stride + (size_t)j] += r[i] * s[j];
    }
}

void cairn_stiffness_add(cairn_stiffness* stiffness, const cairn_element* element, const double* W)
{
    int n = element->count, a = element->a, b = element->b;

    // W J
    double WJ[cairn_element_rows][12] = {{0}};
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < 12 && W[n * i + j] != 0.0; k++)
                WJ[i][k] += W[n * i + j] * element->J[j][k];

    // the lower triangle: rows of the body with the larger number
    size_t stride = stiffness->dense ? six * (size_t)stiffness->bodies : six;
    for (int side = 0; side < 2; side++) {
        int body = side ? b : a;
        if (body < 0)
            continue;
        double* own =
            stiffness->dense
                ? stiffness->K + six * (size_t)body * (stride + 1)
                : stiffness->K + CAIRN_CHOLESKY_BLOCK * (size_t)(stiffness->begin[body + 1] - 1);
        add_block(own, stride, element->J, (const double(*)[12])WJ, six * side, six * side, n);
    }

    if (a < 0 || b < 0)
        return;

    // the block between the two bodies
    double* both =
        stiffness->dense
            ? stiffness->K + six * ((size_t)larger(a, b) * stride + (size_t)smaller(a, b))
            : stiffness->K + CAIRN_CHOLESKY_BLOCK * (size_t)element->slot;
    int below = a > b ? 0 : six;
    add_block(both, stride, element->J, (const double(*)[12])WJ, below, six - below, n);
}

// L D L^T row by row: L below the diagonal
static bool factor_dense(cairn_stiffness* stiffness)
{
    int n = six * stiffness->bodies;

    for (int i = 0; i < n; i++) {
        double* row = stiffness->L + (size_t)i * (size_t)n;
        memcpy(row, stiffness->K + (size_t)i * (size_t)n, (size_t)(i + 1) * sizeof(double));

        // the products with the rows above, still times D
        for (int j = 0; j < i; j++) {
            const double* other = stiffness->L + (size_t)j * (size_t)n;
            double sum = row[j];
            for (int k = 0; k < j; k++)
                sum -= row[k] * other[k];
            row[j] = sum; // L_ij D_j, until the row is done
        }

        for (int j = 0; j < i; j++) {
            double scaled = row[j] * stiffness->over[j];
            row[i] -= row[j] * scaled;
            row[j] = scaled;
        }

        if (!(row[i] > 0.0 && row[i] < INFINITY))
            return false;
        stiffness->over[i] = 1.0 / row[i];
    }
    return true;
}

bool cairn_stiffness_factor(cairn_stiffness* stiffness)
{
    if (stiffness->dense)
        return factor_dense(stiffness);
    return cairn_front_cholesky_factor(&stiffness->chol, stiffness->K, CAIRN_FRONT_DOUBLE);
}

// Pivots of a symmetric matrix of up to 36 rows that are no larger than `limit`, the largest first.
// Its lower triangle is spoiled.
static int small_pivots(double* S, int n, double limit)
{
    int left[six * most_dense];
    for (int i = 0; i < n; i++)
        left[i] = i;

    for (int count = n; count > 0; count--) {
        int at = 0;
        for (int k = 1; k < count; k++)
            if (S[(n + 1) * left[k]] > S[(n + 1) * left[at]])
                at = k;

        int p = left[at];
        double pivot = S[(n + 1) * p];
        if (!(pivot > limit))
            return count;
        memmove(left + at, left + at + 1, (size_t)(count - 1 - at) * sizeof(int));

        // rows ascend, so that the lower triangle is all that is needed
        double column[six * most_dense];
        for (int k = 0; k < count - 1; k++)
            column[k] = left[k] > p ? S[n * left[k] + p] : S[n * p + left[k]];
        for (int k = 0; k < count - 1; k++) {
            double factor = column[k] / pivot;
            for (int m = 0; m <= k && factor != 0.0; m++)
                S[n * left[k] + left[m]] -= factor * column[m];
        }
    }
    return 0;
}

int cairn_stiffness_null(cairn_stiffness* stiffness, double limit)
{
    if (stiffness->dense)
        return small_pivots(stiffness->K, six * stiffness->bodies, limit);
    int count = 0;
    cairn_front_cholesky_pivots(&stiffness->chol, stiffness->K);
    for (int i = 0; i < stiffness->bodies; i++)
        count += small_pivots(stiffness->K + CAIRN_CHOLESKY_BLOCK * (size_t)i, six, limit);
    return count;
}

void cairn_stiffness_solve(const cairn_stiffness* stiffness, double* x)
{
    int n = six * stiffness->bodies;
    if (!stiffness->dense) {
        cairn_front_cholesky_solve(&stiffness->chol, x);
        return;
    }
    for (int i = 0; i < n; i++)
        for (int k = 0; k < i; k++)
            x[i] -= stiffness->L[(size_t)i * (size_t)n + (size_t)k] * x[k];
    for (int i = n - 1; i >= 0; i--) {
        x[i] *= stiffness->over[i];
        for (int k = i + 1; k < n; k++)
            x[i] -= stiffness->L[(size_t)k * (size_t)n + (size_t)i] * x[k];
    }
}
