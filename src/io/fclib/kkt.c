// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The saddle-point system of a mass matrix and its joints,
//
//     K = | M   -G |        K (v, l) = (f, -b)
//         | G^T  0 |
//
// Unknowns that no entry connects are solved apart: bodies of a heap, or the one mesh of a
// deformable part. Each part is scaled to a unit diagonal (D K D, so that masses of any unit and
// joints of any length have comparable pivots) and factored densely with complete pivoting, which
// bears redundant joints. Not for meshes of more than `largest_part` unknowns.

#include "io/fclib/kkt.h"
#include <math.h>
#include <stdlib.h>

enum { largest_part = 4096, most_numbers = 1 << 26 };

// numbers in the matrices of all parts
static double matrix_numbers(const cairn_kkt* kkt)
{
    double sum = 0.0;
    for (int k = 0; k < kkt->parts; k++) {
        double n = kkt->begin[k + 1] - kkt->begin[k];
        sum += n * n;
    }
    return sum;
}

// ---------------------------------------------------------------- parts

static int find_root(int* parent, int i)
{
    while (parent[i] != i) {
        parent[i] = parent[parent[i]];
        i = parent[i];
    }
    return i;
}

static void join(int* parent, int i, int j)
{
    int a = find_root(parent, i), b = find_root(parent, j);
    if (a < b)
        parent[b] = a;
    else
        parent[a] = b;
}

// part, place, begin and member of every unknown; `begin` counts first
static bool find_parts(cairn_kkt* kkt, const cairn_sparse* M, const cairn_sparse* G)
{
    int total = kkt->n + kkt->p;
    int* parent = malloc((size_t)total * sizeof(int) + 1);
    if (!parent)
        return false;

    // union-find: unknowns that an entry couples belong together
    for (int i = 0; i < total; i++)
        parent[i] = i;
    for (int k = 0; k < M->count; k++)
        join(parent, M->row[k], M->column[k]);
    for (int k = 0; k < G->count; k++)
        join(parent, G->row[k], kkt->n + G->column[k]);

    // the root of a set is its least unknown: sets are numbered as they are met
    for (int i = 0; i < total; i++) {
        int root = find_root(parent, i);
        kkt->part[i] = root == i ? kkt->parts++ : kkt->part[root];
        kkt->place[i] = kkt->begin[kkt->part[i] + 1]++;
        if (kkt->place[i] + 1 > kkt->largest)
            kkt->largest = kkt->place[i] + 1;
    }

    // begins are the sums of the counts
    for (int k = 0; k < kkt->parts; k++)
        kkt->begin[k + 1] += kkt->begin[k];
    for (int i = 0; i < total; i++)
        kkt->member[kkt->begin[kkt->part[i]] + kkt->place[i]] = i;

    free(parent);
    return true;
}

// ---------------------------------------------------------------- the matrices

// d = 1 / sqrt |M_ii|, then joints of unit length
static void find_scales(cairn_kkt* kkt, const cairn_sparse* M, const cairn_sparse* G)
{
    for (int k = 0; k < M->count; k++)
        if (M->row[k] == M->column[k])
            kkt->scale[M->row[k]] += M->x[k];

    for (int i = 0; i < kkt->n; i++) {
        double size = sqrt(fabs(kkt->scale[i]));
        kkt->scale[i] = size > 0.0 && isfinite(1.0 / size) ? 1.0 / size : 1.0;
    }

    // the scaled columns of G get unit length
    for (int k = 0; k < G->count; k++) {
        double x = G->x[k] * kkt->scale[G->row[k]];
        kkt->scale[kkt->n + G->column[k]] += x * x;
    }

    for (int j = kkt->n; j < kkt->n + kkt->p; j++) {
        double size = sqrt(kkt->scale[j]);
        kkt->scale[j] = size > 0.0 && isfinite(size) ? 1.0 / size : 1.0;
    }
}

static void add_entry(cairn_kkt* kkt, int i, int j, double x)
{
    cairn_lu* lu = &kkt->lu[kkt->part[i]];
    lu->a[(ptrdiff_t)lu->n * kkt->place[i] + kkt->place[j]] += kkt->scale[i] * x * kkt->scale[j];
}

static bool factor_parts(cairn_kkt* kkt, const cairn_sparse* M, const cairn_sparse* G)
{
    for (int k = 0; k < kkt->parts; k++)
        if (!cairn_lu_create(&kkt->lu[k], kkt->begin[k + 1] - kkt->begin[k]))
            return false;
    for (int k = 0; k < M->count; k++)
        add_entry(kkt, M->row[k], M->column[k], M->x[k]);
    for (int k = 0; k < G->count; k++) {
        add_entry(kkt, G->row[k], kkt->n + G->column[k], -G->x[k]);
        add_entry(kkt, kkt->n + G->column[k], G->row[k], G->x[k]);
    }
    for (int k = 0; k < kkt->parts; k++)
        cairn_lu_factor(&kkt->lu[k]);
    return true;
}

cairn_status cairn_kkt_create(cairn_kkt* kkt, const cairn_sparse* M, const cairn_sparse* G,
                              const char* path, const char* name, cairn_error* error)
{
    size_t total = (size_t)M->n + (size_t)G->n;
    *kkt = (cairn_kkt){.n = M->n,
                       .p = G->n,
                       .part = malloc(total * sizeof(int) + 1),
                       .place = malloc(total * sizeof(int) + 1),
                       .begin = calloc(total + 1, sizeof(int)),
                       .member = malloc(total * sizeof(int) + 1),
                       .scale = calloc(total + 1, sizeof(double))};
    bool done =
        kkt->part && kkt->place && kkt->begin && kkt->member && kkt->scale && find_parts(kkt, M, G);

    // parts are dense: their size decides whether they can be factored at all
    if (done && (kkt->largest > largest_part || matrix_numbers(kkt) > most_numbers)) {
        int largest = kkt->largest, parts = kkt->parts;
        cairn_kkt_destroy(kkt);
        return cairn_fail(error, CAIRN_NOT_SUPPORTED,
                          "%s: %s couples up to %d unknowns in each of %d parts, expected at most "
                          "%d and %d MB of matrices",
                          path, name, largest, parts, largest_part, most_numbers >> 17);
    }

    if (done) {
        find_scales(kkt, M, G);
        kkt->lu = calloc((size_t)kkt->parts + 1, sizeof(cairn_lu));
        kkt->work = malloc(2 * (size_t)kkt->largest * sizeof(double) + 1);
        done = kkt->lu && kkt->work && factor_parts(kkt, M, G);
    }

    if (done)
        return CAIRN_OK;
    cairn_kkt_destroy(kkt);
    return cairn_fail(error, CAIRN_NO_MEMORY, "%s: no memory to factor %s", path, name);
}

void cairn_kkt_destroy(cairn_kkt* kkt)
{
    for (int k = 0; kkt->lu && k < kkt->parts; k++)
        cairn_lu_destroy(&kkt->lu[k]);
    free(kkt->lu);
    free(kkt->part);
    free(kkt->place);
    free(kkt->begin);
    free(kkt->member);
    free(kkt->scale);
    free(kkt->work);
    *kkt = (cairn_kkt){0};
}

// ---------------------------------------------------------------- solving

bool cairn_kkt_solve_part(const cairn_kkt* kkt, int part, double* x)
{
    const int* member = kkt->member + kkt->begin[part];
    const cairn_lu* lu = &kkt->lu[part];
    for (int i = 0; i < lu->n; i++)
        x[i] *= kkt->scale[member[i]];
    bool solved = cairn_lu_solve(lu, x, kkt->work);
    for (int i = 0; i < lu->n; i++)
        x[i] *= kkt->scale[member[i]];
    return solved;
}

bool cairn_kkt_solve(const cairn_kkt* kkt, double* x)
{
    double* local = kkt->work + kkt->largest;
    for (int k = 0; k < kkt->parts; k++) {
        const int* member = kkt->member + kkt->begin[k];
        int n = kkt->lu[k].n;
        for (int i = 0; i < n; i++)
            local[i] = x[member[i]];
        if (!cairn_kkt_solve_part(kkt, k, local))
            return false;
        for (int i = 0; i < n; i++)
            x[member[i]] = local[i];
    }
    return true;
}
