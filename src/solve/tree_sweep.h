// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The two sweeps of a solve, for one right-hand side (LANE is double) or four side by side (LANE is
// a vector of doubles). Included by tree_kernel.c once for each, hence without a guard. On entry
// the vector x holds f and -c of each link. Forward, from the leaves:
//
//     t = -c - Z^T z,   γ = N^-1 t,   z_p += U^T t,   w = D^-1 z + Z γ        (kept: w and γ)
//
// and backward, from the roots:
//
//     u = U y_p,   y = w - Z u,   λ = γ - u.
//
// On the way up a chain only Z^T and U^T stand between one link and the next, on the way down U
// and Z: the triangular solves are off the critical path.

INLINE void LANE_STATIC(forward_link)(const cairn_tree_sweep* sweep, const cairn_tree_link* link,
                                      const int n, const int m)
{
    const double* G = sweep->factors + link->factor;
    const double* N = G + AT(n, 0);
    const double* Z = N + AT(m, 0);
    const double* U = Z + n * m;
    LANE* x = (LANE*)sweep->x;
    LANE* keep = (LANE*)sweep->forward + link->x;
    const LANE* rhs = x + link->x;
    LANE z[6], c[6];
    UNROLL for (int i = 0; i < n; i++) z[i] = rhs[i];
    UNROLL for (int r = 0; r < m; r++)
    {
        LANE sum = rhs[n + r];
        UNROLL for (int i = 0; i < n; i++) sum -= Z[n * r + i] * z[i];
        c[r] = sum;
    }
    if (m > 0 && link->parent >= 0) {
        LANE* up = x + sweep->links[link->parent].x;
        UNROLL for (int i = 0; i < n; i++)
        {
            LANE sum = up[i];
            UNROLL for (int r = 0; r < m; r++) sum += U[n * r + i] * c[r];
            up[i] = sum;
        }
    }

    // γ = N^-1 t
    UNROLL for (int j = 0; j < m; j++)
    {
        UNROLL for (int i = j + 1; i < m; i++) c[i] -= N[AT(i, j)] * c[j];
    }
    UNROLL for (int i = 0; i < m; i++) c[i] *= N[AT(i, i)];
    UNROLL for (int i = m - 1; i >= 0; i--)
    {
        UNROLL for (int j = 0; j < i; j++) c[j] -= N[AT(i, j)] * c[i];
        keep[n + i] = c[i];
    }

    // w = D^-1 z + Z γ
    UNROLL for (int j = 0; j < n; j++)
    {
        UNROLL for (int i = j + 1; i < n; i++) z[i] -= G[AT(i, j)] * z[j];
    }
    UNROLL for (int i = 0; i < n; i++) z[i] *= G[AT(i, i)];
    UNROLL for (int i = n - 1; i >= 0; i--)
    {
        UNROLL for (int j = 0; j < i; j++) z[j] -= G[AT(i, j)] * z[i];
    }
    UNROLL for (int i = 0; i < n; i++)
    {
        LANE sum = z[i];
        UNROLL for (int r = 0; r < m; r++) sum += Z[n * r + i] * c[r];
        keep[i] = sum;
    }
}

INLINE void LANE_STATIC(backward_link)(const cairn_tree_sweep* sweep, const cairn_tree_link* link,
                                       const int n, const int m)
{
    const double* Z = sweep->factors + link->factor + AT(n, 0) + AT(m, 0);
    const double* U = Z + n * m;
    LANE* x = (LANE*)sweep->x;
    const LANE* keep = (const LANE*)sweep->forward + link->x;
    LANE* y = x + link->x;
    if (m == 0 || link->parent < 0) {
        UNROLL for (int i = 0; i < n + m; i++) y[i] = keep[i];
        return;
    }
    const LANE* up = x + sweep->links[link->parent].x;
    LANE u[6];
    UNROLL for (int r = 0; r < m; r++)
    {
        LANE sum = U[n * r] * up[0];
        UNROLL for (int i = 1; i < n; i++) sum += U[n * r + i] * up[i];
        u[r] = sum;
    }
    UNROLL for (int i = 0; i < n; i++)
    {
        LANE sum = keep[i];
        UNROLL for (int r = 0; r < m; r++) sum -= Z[n * r + i] * u[r];
        y[i] = sum;
    }
    UNROLL for (int r = 0; r < m; r++) y[n + r] = keep[n + r] - u[r];
}

INLINE void LANE_STATIC(sweep_up)(const cairn_tree_sweep* sweep, const int n)
{
    for (int k = 0; k < sweep->link_count; k++) {
        const cairn_tree_link* link = &sweep->links[k];
        FOR_ROWS(link->rows, LANE_STATIC(forward_link), n, sweep, link)
    }
}

INLINE void LANE_STATIC(sweep_down)(const cairn_tree_sweep* sweep, const int n)
{
    for (int k = sweep->link_count - 1; k >= 0; k--) {
        const cairn_tree_link* link = &sweep->links[k];
        FOR_ROWS(link->rows, LANE_STATIC(backward_link), n, sweep, link)
    }
}

void LANE_NAME(forward)(const cairn_tree_sweep* t)
{
    if (t->n == 3)
        LANE_STATIC(sweep_up)(t, 3);
    else
        LANE_STATIC(sweep_up)(t, 6);
}

void LANE_NAME(backward)(const cairn_tree_sweep* t)
{
    if (t->n == 3)
        LANE_STATIC(sweep_down)(t, 3);
    else
        LANE_STATIC(sweep_down)(t, 6);
}

// ---------------------------------------------------------------- paths

// One link of a path: the forward sweep of rows without a right-hand side of their own,
//
//     t = -Z^T z,   γ = N^-1 t,   z_p = U^T t,   y = G^-1 (z + j_qk^T γ)
//
// On return z holds what goes to the parent.
INLINE void LANE_STATIC(path_link)(const cairn_tree_sweep* sweep, const cairn_tree_link* link,
                                   LANE* z, LANE* data, const int n, const int m)
{
    const double* G = sweep->factors + link->factor;
    const double* N = G + AT(n, 0);
    const double* Z = N + AT(m, 0);
    const double* U = Z + n * m;
    const double* jk = sweep->inputs + link->input + AT(n, 0);
    const double* E = jk + 2 * n * m;
    LANE y[6], t[6], c[6];
    UNROLL for (int i = 0; i < n; i++) y[i] = z[i];
    UNROLL for (int r = 0; r < m; r++)
    {
        LANE sum = -Z[n * r] * y[0];
        UNROLL for (int i = 1; i < n; i++) sum -= Z[n * r + i] * y[i];
        t[r] = c[r] = sum;
    }
    UNROLL for (int i = 0; i < n && m > 0; i++)
    {
        LANE sum = U[i] * t[0];
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
    }
    UNROLL for (int j = 0; j < n; j++)
    {
        UNROLL for (int i = j + 1; i < n; i++) y[i] -= G[AT(i, j)] * y[j];
    }
    UNROLL for (int i = 0; i < n; i++)
    {
        data[i] = y[i];
        data[n + m + i] = G[AT(i, i)] * y[i];
    }
    UNROLL for (int r = 0; r < m; r++)
    {
        data[n + r] = c[r];
        data[n + m + n + r] = E[r] * c[r];
    }
}

// moves the first head to its parent, and joins it with a head that is there already
INLINE void LANE_STATIC(advance)(cairn_tree_heads* heads, int first, int parent, const int n)
{
    LANE* z = (LANE*)heads->z;
    int last = heads->count - 1, into = parent < 0 ? last : -1;
    for (int h = 0; h <= last && parent >= 0; h++)
        if (h != first && heads->link[h] == parent)
            into = h;
    if (into < 0) {
        heads->link[first] = parent;
        return;
    }
    for (int i = 0; i < n && parent >= 0; i++)
        z[n * into + i] += z[n * first + i];
    heads->link[first] = heads->link[last];
    for (int i = 0; i < n; i++)
        z[n * first + i] = z[n * last + i];
    heads->count = last;
}

INLINE void LANE_STATIC(walk)(const cairn_tree_sweep* sweep, cairn_tree_path* path,
                              cairn_tree_heads* heads, const int n)
{
    LANE* data = (LANE*)path->data;
    path->count = 0;
    while (heads->count > 0) {
        int first = 0;
        for (int h = 1; h < heads->count; h++)
            if (heads->link[h] < heads->link[first])
                first = h;
        const cairn_tree_link* link = &sweep->links[heads->link[first]];
        LANE* z = (LANE*)heads->z + n * first;
        path->links[path->count++] = heads->link[first];
        FOR_ROWS(link->rows, LANE_STATIC(path_link), n, sweep, link, z, data)
        data += 2 * (n + link->rows);
        LANE_STATIC(advance)(heads, first, link->parent, n);
    }
}

void LANE_NAME(path)(const cairn_tree_sweep* t, cairn_tree_path* path, cairn_tree_heads* heads)
{
    if (t->n == 3)
        LANE_STATIC(walk)(t, path, heads, 3);
    else
        LANE_STATIC(walk)(t, path, heads, 6);
}
