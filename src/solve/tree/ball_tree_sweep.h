// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The two sweeps of a solve over a forest of ball joints, for one right-hand side (LANE is double)
// or two side by side. Included by ball_tree_kernel.c once for each, hence without a guard.

// to = a x b
CAIRN_INLINE void LANE_STATIC(cross)(LANE* to, cairn_vec3 a, const LANE* b)
{
    to[0] = a.y * b[2] - a.z * b[1];
    to[1] = a.z * b[0] - a.x * b[2];
    to[2] = a.x * b[1] - a.y * b[0];
}

// to = S x, S symmetric
CAIRN_INLINE void LANE_STATIC(apply)(LANE* to, const double* S, const LANE* x)
{
    to[0] = S[xx] * x[0] + S[yx] * x[1] + S[zx] * x[2];
    to[1] = S[yx] * x[0] + S[yy] * x[1] + S[zy] * x[2];
    to[2] = S[zx] * x[0] + S[zy] * x[1] + S[zz] * x[2];
}

// z of a link becomes t and C^-1 z'; its parent gets t + s K c at its arm
CAIRN_INLINE void LANE_STATIC(climb)(const cairn_ball_sweep* sweep, const cairn_ball_link* link,
                                     LANE* x)
{
    LANE turn[3], f[3], moved[3];

    // z' = z_ω - r x z_p and t = z_p - H z'
    if (link->joint >= 0) {
        LANE_STATIC(cross)(turn, link->r, x);
        for (int i = 0; i < 3; i++)
            x[3 + i] -= turn[i];
    }

    for (int i = 0; i < 3; i++)
        x[i] -= link->B[i][0] * x[3] + link->B[i][1] * x[4] + link->B[i][2] * x[5];
    SOLVE3(link->C, x + 3);

    if (link->parent < 0)
        return;

    // the parent feels t + s K c at its arm
    double s = link->body_is_b ? 1.0 : -1.0;
    LANE_STATIC(apply)(moved, link->A, (const LANE*)sweep->c + 3 * (size_t)link->joint);
    for (int i = 0; i < 3; i++)
        f[i] = x[i] + s * moved[i];
    LANE_STATIC(cross)(turn, link->rho, f);

    LANE* up = (LANE*)sweep->balls->x + 6 * (size_t)link->parent;
    for (int i = 0; i < 3; i++) {
        up[i] += f[i];
        up[3 + i] += turn[i];
    }
}

// p of a link from its parent and c, then ω, v and λ
CAIRN_INLINE void LANE_STATIC(descend)(const cairn_ball_sweep* sweep, const cairn_ball_link* link,
                                       const LANE* x)
{
    LANE* y = (LANE*)sweep->y + 6 * (size_t)link->body;
    LANE p[3] = {x[0], x[1], x[2]}, turn[3], w[3];

    // p = v_p + ω_p x ρ - s c; a free root has no joint, and p from its own mass
    double s = link->body_is_b ? 1.0 : -1.0;
    if (link->joint < 0) {
        SOLVE3(link->A, p);
    } else {
        const LANE* c = (const LANE*)sweep->c + 3 * (size_t)link->joint;
        for (int i = 0; i < 3; i++)
            p[i] = -s * c[i];
    }

    if (link->parent >= 0) {
        const LANE* up = (const LANE*)sweep->y + 6 * (size_t)sweep->balls->links[link->parent].body;
        LANE_STATIC(cross)(turn, link->rho, up + 3);
        for (int i = 0; i < 3; i++)
            p[i] += up[i] - turn[i];
    }

    // ω = C^-1 z' - H' p, then v = p + r x ω and s λ = K p - t
    for (int i = 0; i < 3; i++)
        w[i] = x[3 + i] - (link->B[0][i] * p[0] + link->B[1][i] * p[1] + link->B[2][i] * p[2]);
    for (int i = 0; i < 3; i++) {
        y[i] = p[i];
        y[3 + i] = w[i];
    }

    if (link->joint < 0)
        return;
    LANE_STATIC(cross)(turn, link->r, w);
    for (int i = 0; i < 3; i++)
        y[i] += turn[i];

    if (!sweep->lambda)
        return;
    LANE* lambda = (LANE*)sweep->lambda + 3 * (size_t)link->joint;
    LANE_STATIC(apply)(lambda, link->A, p);
    for (int i = 0; i < 3; i++)
        lambda[i] = s * (lambda[i] - x[i]);
}

void LANE_NAME(const cairn_ball_sweep* sweep)
{
    const cairn_ball_tree* balls = sweep->balls;
    LANE* x = (LANE*)balls->x;
    memset(x, 0, 6 * (size_t)balls->count * sizeof *x);
    for (int k = 0; k < balls->count; k++)
        LANE_STATIC(climb)(sweep, &balls->links[k], x + 6 * (size_t)k);
    for (int k = balls->count - 1; k >= 0; k--)
        LANE_STATIC(descend)(sweep, &balls->links[k], x + 6 * (size_t)k);
}
