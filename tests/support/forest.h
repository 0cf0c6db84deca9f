// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Forests with random numbers, and the dense matrix [M J^T; J -E] that they stand for, solved by
// Gauss elimination: the reference that knows nothing about trees.
#ifndef CAIRN_TESTS_FOREST_H
#define CAIRN_TESTS_FOREST_H

#include <cairn/cairn.h>
#include <cairn/random.h>
#include <stdlib.h>
#include <string.h>

typedef struct forest {
    int body_count, constraint_count;
    int* dimension;
    cairn_tree_constraint* constraints;
    double** M;    // dimension²
    double** j[2]; // rows x dimension of body_a and body_b
    double** E;    // rows
    cairn_tree* tree;
    int unknowns, body_unknowns;
} forest;

static inline double* forest_numbers(cairn_random* random, int n)
{
    double* x = malloc((size_t)n * sizeof(double) + 1);
    for (int i = 0; i < n; i++)
        x[i] = cairn_random_range(random, -1.0, 1.0);
    return x;
}

// B B^T + I
static inline double* random_mass(cairn_random* random, int d)
{
    double* B = forest_numbers(random, d * d);
    double* M = malloc((size_t)(d * d) * sizeof(double) + 1);
    for (int i = 0; i < d; i++)
        for (int j = 0; j < d; j++) {
            double sum = i == j ? 1.0 : 0.0;
            for (int k = 0; k < d; k++)
                sum += B[d * i + k] * B[d * j + k];
            M[d * i + j] = sum;
        }
    free(B);
    return M;
}

static inline int forest_dimension(const forest* f, int body)
{
    return body == CAIRN_WORLD_BODY ? 0 : f->dimension[body];
}

/// Numbers for a topology; `soft` adds random compliance.
static inline forest forest_fill(cairn_random* random, int bodies, const int* dimension,
                                 int constraints, const cairn_tree_constraint* list, bool soft)
{
    forest f = {.body_count = bodies, .constraint_count = constraints};
    size_t words = (size_t)(bodies + constraints + 1);
    f.dimension = calloc(words, sizeof(int));
    f.constraints = calloc(words, sizeof *f.constraints);
    f.M = calloc(words, sizeof(double*));
    f.j[0] = calloc(words, sizeof(double*));
    f.j[1] = calloc(words, sizeof(double*));
    f.E = calloc(words, sizeof(double*));
    for (int i = 0; i < bodies; i++) {
        f.dimension[i] = dimension ? dimension[i] : 6;
        f.M[i] = random_mass(random, f.dimension[i]);
    }
    for (int c = 0; c < constraints; c++) {
        int m = list[c].row_count;
        f.constraints[c] = list[c];
        f.j[0][c] = forest_numbers(random, m * forest_dimension(&f, list[c].body_a));
        f.j[1][c] = forest_numbers(random, m * forest_dimension(&f, list[c].body_b));
        f.E[c] = forest_numbers(random, m);
        for (int r = 0; r < m; r++)
            f.E[c][r] = soft ? fabs(f.E[c][r]) : 0.0;
    }
    return f;
}

/// Builds the tree of a forest with a wish for the root, sets all numbers and factors. Returns what
/// cairn_tree_factor says.
static inline int forest_factor(forest* f, int root)
{
    cairn_tree_topology topology = cairn_default_tree_topology();
    topology.body_count = f->body_count;
    topology.dimension = f->dimension;
    topology.constraint_count = f->constraint_count;
    topology.constraints = f->constraints;
    topology.root = root;
    cairn_tree_destroy(f->tree);
    f->tree = NULL;
    if (cairn_tree_create(&topology, &f->tree, NULL) != CAIRN_OK)
        return -2;
    for (int i = 0; i < f->body_count; i++)
        cairn_tree_set_mass(f->tree, i, f->M[i]);
    for (int c = 0; c < f->constraint_count; c++)
        cairn_tree_set_constraint(f->tree, c, f->j[0][c], f->j[1][c], f->E[c]);
    f->body_unknowns = (int)cairn_tree_body_offset(f->tree, f->body_count);
    f->unknowns = f->body_unknowns + (int)cairn_tree_row_offset(f->tree, f->constraint_count);
    return cairn_tree_factor(f->tree);
}

static inline void forest_free(forest* f)
{
    for (int i = 0; i < f->body_count; i++)
        free(f->M[i]);
    for (int c = 0; c < f->constraint_count; c++) {
        free(f->j[0][c]);
        free(f->j[1][c]);
        free(f->E[c]);
    }
    free(f->dimension);
    free(f->constraints);
    free(f->M);
    free(f->j[0]);
    free(f->j[1]);
    free(f->E);
    cairn_tree_destroy(f->tree);
    *f = (forest){0};
}

/// The dense matrix of H (y; -λ) = (f; -c), row-major; constraints that are not primary have an
/// identity in their place, so that their multiplier is what the right-hand side says.
static inline double* forest_dense(const forest* f)
{
    int n = f->unknowns;
    double* H = calloc((size_t)n * (size_t)n + 1, sizeof(double));
    for (int i = 0; i < f->body_count; i++) {
        int at = (int)cairn_tree_body_offset(f->tree, i), d = f->dimension[i];
        for (int r = 0; r < d; r++)
            for (int k = 0; k < d; k++)
                H[(size_t)n * (size_t)(at + r) + (size_t)(at + k)] = f->M[i][d * r + k];
    }
    for (int c = 0; c < f->constraint_count; c++) {
        int row = f->body_unknowns + (int)cairn_tree_row_offset(f->tree, c);
        int body[2] = {f->constraints[c].body_a, f->constraints[c].body_b};
        bool primary = cairn_tree_is_primary(f->tree, c);
        for (int r = 0; r < f->constraints[c].row_count; r++) {
            H[(size_t)(n + 1) * (size_t)(row + r)] = primary ? -f->E[c][r] : 1.0;
            for (int side = 0; side < 2 && primary; side++) {
                int d = forest_dimension(f, body[side]);
                int at = d ? (int)cairn_tree_body_offset(f->tree, body[side]) : 0;
                for (int k = 0; k < d; k++) {
                    double value = f->j[side][c][d * r + k];
                    H[(size_t)n * (size_t)(row + r) + (size_t)(at + k)] = value;
                    H[(size_t)n * (size_t)(at + k) + (size_t)(row + r)] = value;
                }
            }
        }
    }
    return H;
}

/// x ← H^-1 x by elimination with partial pivoting; H is destroyed. Returns an estimate of the
/// condition: the ratio of the largest to the smallest pivot.
static inline double dense_solve(double* H, double* x, int n)
{
    double largest = 0.0, smallest = INFINITY;
    for (int k = 0; k < n; k++) {
        int best = k;
        for (int i = k + 1; i < n; i++)
            if (fabs(H[(size_t)n * (size_t)i + (size_t)k]) >
                fabs(H[(size_t)n * (size_t)best + (size_t)k]))
                best = i;
        for (int j = 0; j < n && best != k; j++) {
            double swap = H[(size_t)n * (size_t)k + (size_t)j];
            H[(size_t)n * (size_t)k + (size_t)j] = H[(size_t)n * (size_t)best + (size_t)j];
            H[(size_t)n * (size_t)best + (size_t)j] = swap;
        }
        double swap = x[k];
        x[k] = x[best];
        x[best] = swap;
        double pivot = H[(size_t)n * (size_t)k + (size_t)k];
        largest = fmax(largest, fabs(pivot));
        smallest = fmin(smallest, fabs(pivot));
        for (int i = k + 1; i < n; i++) {
            double l = H[(size_t)n * (size_t)i + (size_t)k] / pivot;
            if (l == 0.0)
                continue;
            for (int j = k; j < n; j++)
                H[(size_t)n * (size_t)i + (size_t)j] -= l * H[(size_t)n * (size_t)k + (size_t)j];
            x[i] -= l * x[k];
        }
    }
    for (int k = n - 1; k >= 0; k--) {
        for (int j = k + 1; j < n; j++)
            x[k] -= H[(size_t)n * (size_t)k + (size_t)j] * x[j];
        x[k] /= H[(size_t)n * (size_t)k + (size_t)k];
    }
    return largest / smallest;
}

/// Solves densely: y and λ (in the tree's vectors) of f and c. Returns the condition estimate.
static inline double forest_dense_solve(const forest* f, double* y, double* lambda, const double* F,
                                        const double* c)
{
    int n = f->unknowns, rows = n - f->body_unknowns;
    double* H = forest_dense(f);
    double* x = malloc((size_t)n * sizeof(double) + 1);
    for (int i = 0; i < f->body_unknowns; i++)
        x[i] = F[i];
    for (int i = 0; i < rows; i++)
        x[f->body_unknowns + i] = -c[i];
    for (int k = 0; k < f->constraint_count; k++)
        for (int r = 0; r < f->constraints[k].row_count && !cairn_tree_is_primary(f->tree, k); r++)
            x[f->body_unknowns + (int)cairn_tree_row_offset(f->tree, k) + r] = 0.0;
    double condition = dense_solve(H, x, n);
    memcpy(y, x, (size_t)f->body_unknowns * sizeof(double));
    for (int i = 0; i < rows; i++)
        lambda[i] = -x[f->body_unknowns + i];
    free(H);
    free(x);
    return condition;
}

#endif
