// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The numeric passes over a forest (see tree.h), one source for every instruction set; every sum
// runs in a fixed order.

#include "solve/tree/tree.h"
#include "solve/tree/tree_unroll.h"

// a pivot below this share of its diagonal is round-off: the row repeats others
static const double least_pivot = 1e-14;

// In place: a = L Δ L^T; afterwards the diagonal holds 1/Δ. A pivot that is not above `floor` times
// its diagonal is dropped with its column (1/Δ = 0). Right-looking: one division per column lies on
// the critical path.
INLINE bool factor_packed(double* a, const int n, double floor)
{
    double diagonal[6] = {0.0};
    bool whole = true;

    UNROLL for (int i = 0; i < n; i++) diagonal[i] = floor * a[AT(i, i)];
    UNROLL for (int j = 0; j < n; j++)
    {
        double pivot = a[AT(j, j)], column[6];
        bool keep = pivot > diagonal[j];
        double over = keep ? 1.0 / pivot : 0.0;
        whole = whole && keep;
        a[AT(j, j)] = over;

        UNROLL for (int i = j + 1; i < n; i++)
        {
            column[i] = a[AT(i, j)];
            a[AT(i, j)] = column[i] * over;
        }

        // the trailing matrix loses the outer product of the column
        UNROLL for (int i = j + 1; i < n; i++)
        {
            UNROLL for (int k = j + 1; k <= i; k++) a[AT(i, k)] -= a[AT(i, j)] * column[k];
        }
    }
    return whole;
}

INLINE void solve_lower(const double* L, double* x, const int n)
{
    SOLVE_LOWER(L, x, n);
}

INLINE void solve_upper(const double* L, double* x, const int n)
{
    SOLVE_UPPER(L, x, n);
}

// V = Λ^-1 j_qp, row by row
INLINE void reduce_parent_rows(double (*V)[6], const double* N, const double* jp, const int n,
                               const int m)
{
    UNROLL for (int r = 0; r < m; r++)
    {
        UNROLL for (int i = 0; i < n; i++) V[r][i] = jp[n * r + i];
        UNROLL for (int q = 0; q < r; q++)
        {
            UNROLL for (int i = 0; i < n; i++) V[r][i] -= N[AT(r, q)] * V[q][i];
        }
    }
}

// to = from + V^T Γ^-1 V, lower triangle
INLINE void add_to_parent(double* to, const double* from, double (*V)[6], const double* N,
                          const int n, const int m)
{
    UNROLL for (int i = 0; i < n; i++)
    {
        double scaled[6] = {0.0};
        UNROLL for (int r = 0; r < m; r++) scaled[r] = N[AT(r, r)] * V[r][i];
        UNROLL for (int j = 0; j <= i; j++)
        {
            double sum = from[AT(i, j)];
            UNROLL for (int r = 0; r < m; r++) sum += scaled[r] * V[r][j];
            to[AT(i, j)] = sum;
        }
    }
}

// N_q = E + W^T Δ^-1 W with W = G^-1 j_qk^T, factored; Z = G^-T Δ^-1 W
INLINE bool factor_constraint(double* N, double* Z, const double* G, const double* j,
                              const double* E, const int n, const int m)
{
    double W[6][6], Y[6][6];

    // W and Δ^-1 W, row by row
    UNROLL for (int r = 0; r < m; r++)
    {
        UNROLL for (int i = 0; i < n; i++) W[r][i] = j[n * r + i];
        solve_lower(G, W[r], n);
        UNROLL for (int i = 0; i < n; i++) Y[r][i] = G[AT(i, i)] * W[r][i];
    }

    UNROLL for (int r = 0; r < m; r++)
    {
        UNROLL for (int q = 0; q <= r; q++)
        {
            double sum = r == q ? E[r] : 0.0;
            UNROLL for (int i = 0; i < n; i++) sum += W[r][i] * Y[q][i];
            N[AT(r, q)] = sum;
        }
    }

    UNROLL for (int r = 0; r < m; r++)
    {
        solve_upper(G, Y[r], n);
        UNROLL for (int i = 0; i < n; i++) Z[n * r + i] = Y[r][i];
    }
    return factor_packed(N, m, least_pivot);
}

// U = Λ^-T Γ^-1 V
INLINE void finish_parent_rows(double* U, double (*V)[6], const double* N, const int n, const int m)
{
    UNROLL for (int r = m - 1; r >= 0; r--)
    {
        double u[6];
        UNROLL for (int i = 0; i < n; i++) u[i] = N[AT(r, r)] * V[r][i];
        UNROLL for (int q = r + 1; q < m; q++)
        {
            UNROLL for (int i = 0; i < n; i++) u[i] -= N[AT(q, r)] * U[n * q + i];
        }
        UNROLL for (int i = 0; i < n; i++) U[n * r + i] = u[i];
    }
}

// rare: links are written only when this changes
static void note_redundancy(cairn_tree_sweep* t, cairn_tree_link* link, int redundancy)
{
    t->redundant += (redundancy & 1) - (link->redundancy & 1);
    t->massless += (redundancy >> 1) - (link->redundancy >> 1);
    link->redundancy = (uint8_t)redundancy;
}

// one link whose D_k stands in its factor's place; adds to the parent when `push`
INLINE void factor_link(cairn_tree_sweep* t, cairn_tree_link* link, bool push, const int n,
                        const int m)
{
    const int packed = AT(n, 0);
    const double* input = t->inputs + link->input;
    double* G = t->factors + link->factor;
    double* N = G + packed;
    double* Z = t->couplings + link->coupling;
    double* U = Z + n * m;
    const double* jk = input + packed;
    const double* jp = jk + n * m;

    // the body, then the constraint towards the parent
    int redundancy = factor_packed(G, n, 0.0) ? 0 : 2;
    if (m > 0 && !factor_constraint(N, Z, G, jk, jp + n * m, n, m))
        redundancy |= 1;

    if (redundancy != link->redundancy)
        note_redundancy(t, link, redundancy);
    if (m == 0 || link->parent < 0)
        return;

    // the Schur complement of the link on its parent
    double V[6][6];
    reduce_parent_rows(V, N, jp, n, m);
    finish_parent_rows(U, V, N, n, m);
    if (!push)
        return;

    const cairn_tree_link* parent = &t->links[link->parent];
    double* D = t->factors + parent->factor;
    add_to_parent(D, link->opens ? t->inputs + parent->input : D, V, N, n, m);
}

// what a child that did not change adds to D_k, with the same bits as when it was factored
INLINE void add_child(const cairn_tree_sweep* t, const cairn_tree_link* child, double* D,
                      const int n, const int m)
{
    double V[6][6];
    const double* N = t->factors + child->factor + AT(n, 0);
    reduce_parent_rows(V, N, t->inputs + child->input + AT(n, 0) + n * m, n, m);
    add_to_parent(D, D, V, N, n, m);
}

// Functions of their own for bodies in space, called by number: all of them inlined in one loop take
// compilers half a minute. In the plane a call would count.
typedef void factor_function(cairn_tree_sweep* t, cairn_tree_link* link, bool push);
typedef void add_function(const cairn_tree_sweep* t, const cairn_tree_link* child, double* D);
#define FACTOR_NAME(n, m) factor_link_##n##_##m
#define ADD_NAME(n, m) add_child_##n##_##m
#define FACTOR_FUNCTIONS(n, m)                                                                     \
    static void FACTOR_NAME(n, m)(cairn_tree_sweep * t, cairn_tree_link * link, bool push)         \
    {                                                                                              \
        factor_link(t, link, push, n, m);                                                          \
    }                                                                                              \
    static void ADD_NAME(n, m)(const cairn_tree_sweep* t, const cairn_tree_link* child, double* D) \
    {                                                                                              \
        add_child(t, child, D, n, m);                                                              \
    }
EACH_ROWS(FACTOR_FUNCTIONS, 6)
static factor_function* const factor_in_space[7] = ROWS_TABLE(FACTOR_NAME, 6);
static add_function* const add_in_space[7] = ROWS_TABLE(ADD_NAME, 6);

INLINE void factor_rows(cairn_tree_sweep* t, cairn_tree_link* link, bool push, const int n)
{
    if (n == 3)
        FOR_ROWS(link->rows, factor_link, t, link, push, 3)
    else
        factor_in_space[link->rows](t, link, push);
}

INLINE void add_rows(const cairn_tree_sweep* t, const cairn_tree_link* child, double* D,
                     const int n)
{
    if (n == 3)
        FOR_ROWS(child->rows, add_child, t, child, D, 3)
    else
        add_in_space[child->rows](t, child, D);
}

INLINE void load_mass(const cairn_tree_sweep* t, const cairn_tree_link* link, const int n)
{
    const double* M = t->inputs + link->input;
    double* D = t->factors + link->factor;
    UNROLL for (int i = 0; i < AT(n, 0); i++) D[i] = M[i];
}

// Forests that exceed the caches prefetch memory `early` links before it is used; a parent that is
// `far` away is prefetched as well, with its mass where the first child opens it.
enum { early = 8, ahead = 4, far = 16, small_forest = 512 };

// how many links prefetch
#define ASKING(link_count) ((link_count) > small_forest ? (link_count)-early : 0)

INLINE void ask_for_parent(const cairn_tree_sweep* t, const cairn_tree_link* link, const int n)
{
    const cairn_tree_link* parent = &t->links[link->parent];
    const double* D = t->factors + parent->factor;
    const double* M = t->inputs + parent->input;
    ASK(D, 0, AT(n, 0), 1);
    if (link->opens)
        ASK(M, 0, AT(n, 0), 0);
}

// all that a link of the usual number of rows reads and writes
INLINE void ask_for_link(const cairn_tree_sweep* t, const cairn_tree_link* link, const int n)
{
    ASK(t->inputs + link->input, 0, AT(n, 0) + 6 * n + 3, 0);
    ASK(t->factors + link->factor, 0, AT(n, 0) + AT(3, 0), 1);
    ASK(t->couplings + link->coupling, 0, 6 * n, 1);
}

INLINE void factor_all(cairn_tree_sweep* t, const int n)
{
    int asked = ASKING(t->link_count);
    for (int k = 0; k < t->link_count; k++) {
        cairn_tree_link* link = &t->links[k];
        if (k + ahead < t->link_count && link[ahead].parent > k + far)
            ask_for_parent(t, &link[ahead], n);
        if (k < asked)
            ask_for_link(t, &link[early], n);
        if (link->first_child < 0)
            load_mass(t, link, n);
        factor_rows(t, link, true, n);
    }
}

INLINE void factor_changed(cairn_tree_sweep* t, bool* changed, int first, const int n)
{
    for (int k = first; k < t->link_count; k++) {
        if (!changed[k])
            continue;
        cairn_tree_link* link = &t->links[k];
        changed[k] = false;
        load_mass(t, link, n);
        for (int c = link->first_child; c >= 0; c = t->links[c].next_sibling)
            add_rows(t, &t->links[c], t->factors + link->factor, n);
        factor_rows(t, link, false, n);
        if (link->parent >= 0)
            changed[link->parent] = true;
    }
}

void CAIRN_KERNEL(cairn_tree_factor_all)(cairn_tree_sweep* t)
{
    if (t->n == 3)
        factor_all(t, 3);
    else
        factor_all(t, 6);
}

void CAIRN_KERNEL(cairn_tree_factor_changed)(cairn_tree_sweep* t, bool* changed, int first)
{
    if (t->n == 3)
        factor_changed(t, changed, first, 3);
    else
        factor_changed(t, changed, first, 6);
}

#define LANE double
#define LANES 1
#define LANE_NAME(name) CAIRN_KERNEL(cairn_tree_##name)
#define LANE_STATIC(name) name##_one
#include "solve/tree/tree_sweep.h"
#undef LANE
#undef LANES
#undef LANE_NAME
#undef LANE_STATIC

#define LANE cairn_double2
#define LANES 2
#define LANE_NAME(name) CAIRN_KERNEL(cairn_tree_##name##2)
#define LANE_STATIC(name) name##_two
#include "solve/tree/tree_sweep.h"
#undef LANE
#undef LANES
#undef LANE_NAME
#undef LANE_STATIC

#define LANE cairn_double4
#define LANES 4
#define LANE_NAME(name) CAIRN_KERNEL(cairn_tree_##name##4)
#define LANE_STATIC(name) name##_four
#include "solve/tree/tree_sweep.h"
