// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Auxiliary rows on their way from their bodies to the roots (see tree_response.c), four in the
// lanes of a group, all groups together: links are visited once, in order of elimination, and every
// link adds its share to S for the pairs of groups that come through it,
//
//     t = -Z^T z,   γ = N^-1 t,   z_p += U^T t,   y = G^-1 (z + j_qk^T γ)
//     S_gh += y_g^T Δ^-1 y_h + γ_g^T E γ_h.

#include "solve/tree.h"
#include "solve/tree_unroll.h"

// (y, γ) of one group from what arrived in z; on return z holds what goes to the parent
INLINE void respond(const cairn_tree_sweep* sweep, const cairn_tree_link* link, cairn_double4* z,
                    cairn_double4* to, const int n, const int m)
{
    const double* G = sweep->factors + link->factor;
    const double* N = G + AT(n, 0);
    const double* Z = sweep->couplings + link->coupling;
    const double* U = Z + n * m;
    const double* jk = sweep->inputs + link->input + AT(n, 0);
    cairn_double4 y[6], t[6], c[6];
    UNROLL for (int i = 0; i < n; i++) y[i] = z[i];
    UNROLL for (int r = 0; r < m; r++)
    {
        cairn_double4 sum = -Z[n * r] * y[0];
        UNROLL for (int i = 1; i < n; i++) sum -= Z[n * r + i] * y[i];
        t[r] = c[r] = sum;
    }
    UNROLL for (int i = 0; i < n && m > 0; i++)
    {
        cairn_double4 sum = U[i] * t[0];
        UNROLL for (int r = 1; r < m; r++) sum += U[n * r + i] * t[r];
        z[i] = sum;
    }
    UNROLL for (int j = 0; j < m; j++)
    {
        UNROLL for (int i = j + 1; i < m; i++) c[i] -= N[AT(i, j)] * c[j];
    }
    UNROLL for (int i = 0; i < m; i++) c[i] *= N[AT(i, i)];
    UNROLL for (int i = m - 1; i >= 0; i--)
    {
        UNROLL for (int j = 0; j < i; j++) c[j] -= N[AT(i, j)] * c[i];
    }
    UNROLL for (int r = 0; r < m; r++)
    {
        UNROLL for (int i = 0; i < n; i++) y[i] += jk[n * r + i] * c[r];
        to[n + r] = c[r];
    }
    UNROLL for (int j = 0; j < n; j++)
    {
        UNROLL for (int i = j + 1; i < n; i++) y[i] -= G[AT(i, j)] * y[j];
        to[j] = y[j];
    }
}

INLINE void visit(const cairn_tree_sweep* sweep, const cairn_tree_link* link,
                  const cairn_tree_walk* walk, cairn_tree_head* head, const int n, const int m)
{
    const double* G = sweep->factors + link->factor;
    const double* E = sweep->inputs + link->input + AT(n, 0) + 2 * n * m;
    cairn_double4* right = head->right;
    const cairn_double4* force = head->left;
    respond(sweep, link, head->z[0], head->left, n, m);
    if (walk->other_forces) {
        respond(sweep, link, head->z[1], right, n, m);
        force = right;
    }
    UNROLL for (int i = 0; i < n; i++) right[i] = G[AT(i, i)] * force[i];
    if (walk->compliant) {
        UNROLL for (int r = 0; r < m; r++) right[n + r] = E[r] * force[n + r];
    }
}

// S_gh += left_g^T right_h
INLINE void meet(const cairn_tree_walk* walk, const cairn_tree_head* g, const cairn_tree_head* h,
                 const int n, int rows)
{
    const double* left = (const double*)g->left;
    double* S = walk->S + 4 * g->group * walk->stride + 4 * h->group;
    cairn_double4 sum[4];
    UNROLL for (int a = 0; a < 4; a++) sum[a] = left[a] * h->right[0];
    UNROLL for (int i = 1; i < n; i++)
    {
        UNROLL for (int a = 0; a < 4; a++) sum[a] += left[4 * i + a] * h->right[i];
    }
    for (int i = n; i < n + rows; i++) {
        UNROLL for (int a = 0; a < 4; a++) sum[a] += left[4 * i + a] * h->right[i];
    }
    UNROLL for (int a = 0; a < 4; a++)
    {
        cairn_store4(S + walk->stride * a, cairn_load4(S + walk->stride * a) + sum[a]);
    }
}

// all pairs of heads at a link; those of K = J_a^T in one order alone
INLINE void meet_all(const cairn_tree_walk* walk, int first, const int n, int rows)
{
    for (int g = first; g >= 0; g = walk->heads[g].next)
        for (int h = walk->other_forces ? first : g; h >= 0; h = walk->heads[h].next) {
            bool swap = !walk->other_forces && walk->heads[g].group < walk->heads[h].group;
            meet(walk, &walk->heads[swap ? h : g], &walk->heads[swap ? g : h], n, rows);
        }
}

// the heads of a link go to its parent, each joined with one of its group that is there already
INLINE void move_up(cairn_tree_walk* walk, int first, int parent, const int n)
{
    int sides = walk->other_forces ? 2 : 1;
    if (walk->first_head[parent] < 0) {
        walk->first_head[parent] = first;
        walk->pending[parent / 64] |= UINT64_C(1) << parent % 64;
        return;
    }
    for (int g = first, next; g >= 0; g = next) {
        cairn_tree_head* head = &walk->heads[g];
        int into = walk->first_head[parent];
        next = head->next;
        while (into >= 0 && walk->heads[into].group != head->group)
            into = walk->heads[into].next;
        if (into < 0) {
            head->next = walk->first_head[parent];
            walk->first_head[parent] = g;
            continue;
        }
        for (int side = 0; side < sides; side++)
            UNROLL for (int i = 0; i < n; i++) walk->heads[into].z[side][i] += head->z[side][i];
    }
}

INLINE void go_through(const cairn_tree_sweep* sweep, cairn_tree_walk* walk, int k, const int n)
{
    const cairn_tree_link* link = &sweep->links[k];
    int first = walk->first_head[k];
    walk->first_head[k] = -1;
    for (int g = first; g >= 0; g = walk->heads[g].next)
        FOR_ROWS(link->rows, visit, n, sweep, link, walk, &walk->heads[g])
    meet_all(walk, first, n, walk->compliant ? link->rows : 0);
    if (link->parent >= 0)
        move_up(walk, first, link->parent, n);
}

void CAIRN_KERNEL(cairn_tree_respond)(const cairn_tree_sweep* t, cairn_tree_walk* walk)
{
    for (int word = 0; word < (t->link_count + 63) / 64; word++)
        while (walk->pending[word]) {
            uint64_t lowest = walk->pending[word] & (~walk->pending[word] + 1);
            int k = 64 * word + __builtin_ctzll(lowest);
            walk->pending[word] ^= lowest;
            walk->visited[word] |= lowest;
            if (t->n == 3)
                go_through(t, walk, k, 3);
            else
                go_through(t, walk, k, 6);
        }
}

// ---------------------------------------------------------------- one column more

// z and t of forces that are added to a solve, at one link
INLINE void push_link(const cairn_tree_sweep* sweep, const cairn_tree_link* link, double* z,
                      const int n, const int m)
{
    const double* Z = sweep->couplings + link->coupling;
    const double* U = Z + n * m;
    const double* own = z + link->x;
    double* x = sweep->x + link->x;
    double t[6];
    UNROLL for (int r = 0; r < m; r++)
    {
        double sum = -Z[n * r] * own[0];
        UNROLL for (int i = 1; i < n; i++) sum -= Z[n * r + i] * own[i];
        t[r] = sum;
        x[n + r] += sum;
    }
    UNROLL for (int i = 0; i < n; i++) x[i] += own[i];
    if (m == 0 || link->parent < 0)
        return;
    double* up = z + sweep->links[link->parent].x;
    UNROLL for (int i = 0; i < n; i++)
    {
        UNROLL for (int r = 0; r < m; r++) up[i] += U[n * r + i] * t[r];
    }
}

void CAIRN_KERNEL(cairn_tree_push)(const cairn_tree_sweep* t, const uint64_t* visited, double* z)
{
    for (int word = 0; word < (t->link_count + 63) / 64; word++)
        for (uint64_t bits = visited[word]; bits; bits &= bits - 1) {
            const cairn_tree_link* link = &t->links[64 * word + __builtin_ctzll(bits)];
            if (t->n == 3)
                FOR_ROWS(link->rows, push_link, 3, t, link, z)
            else
                FOR_ROWS(link->rows, push_link, 6, t, link, z)
        }
}
