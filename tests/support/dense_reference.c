// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors

#include "dense_reference.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static double inverse_mass_entry(const cairn_mass* mass, size_t i, size_t j)
{
    const cairn_vec3 column[3] = {mass->inverse_inertia.cx, mass->inverse_inertia.cy,
                                  mass->inverse_inertia.cz};
    if (i < 3 || j < 3)
        return i == j ? mass->inverse_mass : 0.0;
    const cairn_vec3* c = &column[j - 3];
    return i == 3 ? c->x : i == 4 ? c->y : c->z;
}

static double* dense_J(const cairn_problem* problem)
{
    size_t width = 6 * (size_t)problem->body_count;
    double* J = calloc((size_t)problem->row_count * width + 1, sizeof(double));
    for (int c = 0; c < problem->block_count; c++) {
        const cairn_block* block = &problem->blocks[c];
        for (int i = block->row; i < block->row + block->row_count; i++)
            for (size_t k = 0; k < 6; k++) {
                if (block->body_a != CAIRN_WORLD_BODY)
                    J[(size_t)i * width + 6 * (size_t)block->body_a + k] += problem->rows[i].a[k];
                if (block->body_b != CAIRN_WORLD_BODY)
                    J[(size_t)i * width + 6 * (size_t)block->body_b + k] += problem->rows[i].b[k];
            }
    }
    return J;
}

// A += J M^-1 J^T
static void add_bodies(double* A, const cairn_problem* problem)
{
    size_t n = (size_t)problem->row_count, width = 6 * (size_t)problem->body_count;
    double* J = dense_J(problem);
    double* MJ = calloc(n * width + 1, sizeof(double));
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < width; k++)
            for (size_t l = k - k % 6; l < k - k % 6 + 6; l++)
                MJ[i * width + k] +=
                    inverse_mass_entry(&problem->bodies[k / 6], k % 6, l % 6) * J[i * width + l];
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            for (size_t k = 0; k < width; k++)
                A[i * n + j] += J[i * width + k] * MJ[j * width + k];
    free(J);
    free(MJ);
}

double* dense_A(const cairn_problem* problem)
{
    size_t n = (size_t)problem->row_count;
    double* A = calloc(n * n + 1, sizeof(double));
    if (!problem->A)
        add_bodies(A, problem);
    for (int c = 0; problem->A && c < problem->A->n; c++)
        for (int k = problem->A->row_begin[c]; k < problem->A->row_begin[c + 1]; k++)
            for (size_t i = 0; i < 9; i++)
                A[(3 * (size_t)c + i / 3) * n + 3 * (size_t)problem->A->column[k] + i % 3] +=
                    problem->A->value[9 * (size_t)k + i];
    for (size_t i = 0; problem->compliance && i < n; i++)
        A[i * n + i] += problem->compliance[i];
    return A;
}

double dense_distance(const double* a, const double* b, size_t n)
{
    double worst = 0.0, scale = 0.0;
    for (size_t i = 0; i < n; i++) {
        double error = fabs(a[i] - b[i]);
        if (!(error <= worst))
            worst = error;
        scale = fmax(scale, fabs(b[i]));
    }
    return scale > 0.0 ? worst / scale : worst;
}

static void swap_rows(double* A, size_t n, size_t i, size_t j)
{
    for (size_t k = 0; k < n; k++) {
        double x = A[i * n + k];
        A[i * n + k] = A[j * n + k];
        A[j * n + k] = x;
    }
}

static void swap_columns(double* A, size_t n, size_t i, size_t j)
{
    for (size_t k = 0; k < n; k++) {
        double x = A[k * n + i];
        A[k * n + i] = A[k * n + j];
        A[k * n + j] = x;
    }
}

int dense_rank(double* A, double* b, int count, double small, double* left)
{
    size_t n = (size_t)count, rank = 0;
    double first = 0.0, scale = 0.0;
    for (size_t i = 0; i < n; i++)
        scale = fmax(scale, fabs(b[i]));
    for (; rank < n; rank++) {
        size_t row = rank, column = rank;
        for (size_t i = rank; i < n; i++)
            for (size_t j = rank; j < n; j++)
                if (fabs(A[i * n + j]) > fabs(A[row * n + column])) {
                    row = i;
                    column = j;
                }
        double pivot = fabs(A[row * n + column]);
        first = rank == 0 ? pivot : first;
        if (!(pivot > small * first))
            break;
        swap_rows(A, n, rank, row);
        swap_columns(A, n, rank, column);
        double x = b[rank];
        b[rank] = b[row];
        b[row] = x;
        for (size_t i = rank + 1; i < n; i++) {
            double s = A[i * n + rank] / A[rank * n + rank];
            for (size_t j = rank; j < n; j++)
                A[i * n + j] -= s * A[rank * n + j];
            b[i] -= s * b[rank];
        }
    }
    *left = 0.0;
    for (size_t i = rank; i < n; i++)
        *left = fmax(*left, fabs(b[i]) / (scale > 0.0 ? scale : 1.0));
    return (int)rank;
}

double dense_least_pivot(double* A, int count)
{
    size_t n = (size_t)count;
    double largest = 0.0, least = 0.0;
    for (size_t k = 0; k < n; k++) {
        size_t best = k;
        for (size_t i = k; i < n; i++) {
            largest = fmax(largest, A[i * n + i]);
            least = fmin(least, A[i * n + i]);
            if (A[i * n + i] > A[best * n + best])
                best = i;
        }
        if (!(A[best * n + best] > 1e-13 * largest))
            break;
        swap_rows(A, n, k, best);
        swap_columns(A, n, k, best);
        for (size_t i = k + 1; i < n; i++)
            for (size_t j = k + 1; j < n; j++)
                A[i * n + j] -= A[i * n + k] * A[k * n + j] / A[k * n + k];
    }
    return largest > 0.0 ? least / largest : least;
}
