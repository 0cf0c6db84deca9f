// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The two sweeps of a solve, for one right-hand side (LANE is double) or two or four side by side
// (LANE is a vector of doubles). Included by tree_kernel.c once for each, hence without a guard.
// They read and write a user's vectors f, c, y, λ in place. Forward, from the leaves, with z = f
// where nothing has arrived:
//
//     t = -c - Z^T z,   z_p += U^T t                    (kept: z and t)
//
// and backward, from the roots:
//
//     λ = N^-1 t - U y_p,   y = D^-1 z + Z λ.
//
// On the way up a chain only Z^T and U^T stand between one link and the next, on the way down U
// and Z: the triangular solves are off the critical path.

// n numbers of a body of dimension d <= n; those beyond are zero
INLINE void LANE_STATIC(load_body)(LANE* to, const LANE* from, size_t at, int d, const int n)
{
    if (from && d == n) {
        UNROLL for (int i = 0; i < n; i++) to[i] = from[at + (size_t)i];
        return;
    }
    for (int i = 0; i < n; i++)
        to[i] = from && i < d ? from[at + (size_t)i] : (LANE){0.0};
}

INLINE void LANE_STATIC(forward_link)(const cairn_tree_sweep* sweep, const cairn_tree_step* step,
                                      const double* Z, LANE* x, const int n, const int m)
{
    const double* U = Z + n * m;
    const LANE* f = (const LANE*)sweep->f;
    const LANE* c = (const LANE*)sweep->c;
    LANE z[6], t[6];

    // a leaf reads f itself; elsewhere the children have prepared z
    if (step->leaf) {
        LANE_STATIC(load_body)(z, f, step->body_at, step->dimension, n);
        UNROLL for (int i = 0; i < n; i++) x[i] = z[i];
    } else {
        UNROLL for (int i = 0; i < n; i++) z[i] = x[i];
    }

    // t = -c - Z^T z
    UNROLL for (int r = 0; r < m; r++)
    {
        LANE sum = c ? -c[step->row_at + (size_t)r] : (LANE){0.0};
        UNROLL for (int i = 0; i < n; i++) sum -= Z[n * r + i] * z[i];
        x[n + r] = t[r] = sum;
    }

    if (m == 0 || !step->has_parent)
        return;

    // z_p += U^T t; the first child brings the parent's f
    LANE* up = (LANE*)sweep->x + step->parent_x;
    if (step->opens)
        LANE_STATIC(load_body)(up, f, step->parent_body_at, step->parent_dimension, n);
    UNROLL for (int i = 0; i < n; i++)
    {
        LANE sum = up[i];
        UNROLL for (int r = 0; r < m; r++) sum += U[n * r + i] * t[r];
        up[i] = sum;
    }
}

INLINE void LANE_STATIC(store_body)(LANE* to, const LANE* from, int d, const int n)
{
    if (d == n) {
        UNROLL for (int i = 0; i < n; i++) to[i] = from[i];
        return;
    }
    for (int i = 0; i < d; i++)
        to[i] = from[i];
}

INLINE void LANE_STATIC(backward_link)(const cairn_tree_sweep* sweep, const cairn_tree_step* step,
                                       const double* G, const double* Z, const LANE* x, const int n,
                                       const int m)
{
    const double* N = G + AT(n, 0);
    const double* U = Z + n * m;
    LANE* y = (LANE*)sweep->y;
    LANE* lambda = (LANE*)sweep->lambda;
    LANE z[6], c[6];

    // N^-1 t and D^-1 z
    UNROLL for (int r = 0; r < m; r++) c[r] = x[n + r];
    SOLVE_PACKED(N, c, m);
    UNROLL for (int i = 0; i < n; i++) z[i] = x[i];
    SOLVE_PACKED(G, z, n);

    // λ = N^-1 t - U y_p
    if (m > 0 && step->has_parent) {
        LANE up[6];
        LANE_STATIC(load_body)(up, y, step->parent_body_at, step->parent_dimension, n);
        UNROLL for (int r = 0; r < m; r++)
        {
            LANE sum = U[n * r] * up[0];
            UNROLL for (int i = 1; i < n; i++) sum += U[n * r + i] * up[i];
            c[r] -= sum;
        }
    }

    // y = D^-1 z + Z λ
    UNROLL for (int r = 0; r < m; r++)
    {
        UNROLL for (int i = 0; i < n; i++) z[i] += Z[n * r + i] * c[r];
    }

    LANE_STATIC(store_body)(y + step->body_at, z, step->dimension, n);
    if (lambda) {
        UNROLL for (int r = 0; r < m; r++) lambda[step->row_at + (size_t)r] = c[r];
    }
}

// All arrays are read and written in order, but for the user's: bodies come in the user's order,
// links in the order of elimination.
INLINE void LANE_STATIC(ask_up)(const cairn_tree_sweep* sweep, const cairn_tree_step* step,
                                const double* Z, const LANE* x, const int n)
{
    ASK(Z, early * 2 * n * step->rows, 2 * n * 3, 0);
    ASK(x, early * LANES * (n + step->rows), LANES * (n + 3), 1);
    step += early;
    ASK_BOTH_ENDS((const LANE*)sweep->x + step->parent_x, LANES * n, 1);
    if (sweep->f)
        ASK_BOTH_ENDS((const LANE*)sweep->f + step->body_at, LANES * n, 0);
    if (sweep->f && step->opens)
        ASK_BOTH_ENDS((const LANE*)sweep->f + step->parent_body_at, LANES * n, 0);
    if (sweep->c)
        ASK_BOTH_ENDS((const LANE*)sweep->c + step->row_at, LANES * 3, 0);
}

INLINE void LANE_STATIC(sweep_up)(const cairn_tree_sweep* sweep, const int n)
{
    const double* Z = sweep->couplings;
    LANE* x = (LANE*)sweep->x;
    int asked = ASKING(sweep->link_count);
    for (int k = 0; k < sweep->link_count; k++) {
        const cairn_tree_step* step = &sweep->steps[k];
        if (k < asked)
            LANE_STATIC(ask_up)(sweep, step, Z, x, n);
        FOR_ROWS(step->rows, LANE_STATIC(forward_link), sweep, step, Z, x, n)
        Z += 2 * n * step->rows;
        x += n + step->rows;
    }
}

INLINE void LANE_STATIC(ask_down)(const cairn_tree_sweep* sweep, const cairn_tree_step* step,
                                  const double* G, const double* Z, const LANE* x, const int n)
{
    ASK(Z, -early * 2 * n * step->rows, 2 * n * 3, 0);
    ASK(G, -early * (AT(n, 0) + AT(step->rows, 0)), AT(n, 0) + AT(3, 0), 0);
    ASK(x, -early * LANES * (n + step->rows), LANES * (n + 3), 0);
    step -= early;
    ASK_BOTH_ENDS((const LANE*)sweep->y + step->body_at, LANES * n, 1);
    ASK_BOTH_ENDS((const LANE*)sweep->y + step->parent_body_at, LANES * n, 0);
    if (sweep->lambda)
        ASK_BOTH_ENDS((const LANE*)sweep->lambda + step->row_at, LANES * 3, 1);
}

INLINE void LANE_STATIC(sweep_down)(const cairn_tree_sweep* sweep, const int n)
{
    if (sweep->link_count == 0)
        return;

    const cairn_tree_link* end = &sweep->links[sweep->link_count - 1];
    const double* Z = sweep->couplings + end->coupling;
    const double* G = sweep->factors + end->factor;
    const LANE* x = (const LANE*)sweep->x + end->x;
    int asked = ASKING(sweep->link_count) > 0 ? early : sweep->link_count;

    for (int k = sweep->link_count - 1; k >= 0; k--) {
        const cairn_tree_step* step = &sweep->steps[k];

        // prefetch links far ahead
        if (k >= asked)
            LANE_STATIC(ask_down)(sweep, step, G, Z, x, n);

        FOR_ROWS(step->rows, LANE_STATIC(backward_link), sweep, step, G, Z, x, n)
        if (k == 0)
            break;
        int below = step[-1].rows;
        Z -= 2 * n * below;
        G -= AT(n, 0) + AT(below, 0);
        x -= n + below;
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
