// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The numeric passes over a forest of ball joints (see ball_tree.h), one source for every
// instruction set; every sum runs in a fixed order.

#include "solve/tree/ball_tree.h"

enum { xx, yx, yy, zx, zy, zz };

// to += S [a]x, S symmetric: row by row s -> s x a
CAIRN_INLINE void add_skewed(double (*to)[3], const double* S, cairn_vec3 a)
{
    const double rows[3][3] = {{S[xx], S[yx], S[zx]}, {S[yx], S[yy], S[zy]}, {S[zx], S[zy], S[zz]}};
    for (int i = 0; i < 3; i++) {
        to[i][0] += rows[i][1] * a.z - rows[i][2] * a.y;
        to[i][1] += rows[i][2] * a.x - rows[i][0] * a.z;
        to[i][2] += rows[i][0] * a.y - rows[i][1] * a.x;
    }
}

// to += [a]x' Q, lower triangle: column by column q -> -a x q
CAIRN_INLINE void add_turned(double* to, double (*Q)[3], cairn_vec3 a)
{
    to[xx] += a.z * Q[1][0] - a.y * Q[2][0];
    to[yx] += a.x * Q[2][0] - a.z * Q[0][0];
    to[yy] += a.x * Q[2][1] - a.z * Q[0][1];
    to[zx] += a.y * Q[0][0] - a.x * Q[1][0];
    to[zy] += a.y * Q[0][1] - a.x * Q[1][1];
    to[zz] += a.y * Q[0][2] - a.x * Q[1][2];
}

// to += Q' [a]x, lower triangle: that of the transposed
CAIRN_INLINE void add_turned_back(double* to, double (*Q)[3], cairn_vec3 a)
{
    to[xx] += a.z * Q[1][0] - a.y * Q[2][0];
    to[yx] += a.z * Q[1][1] - a.y * Q[2][1];
    to[yy] += a.x * Q[2][1] - a.z * Q[0][1];
    to[zx] += a.z * Q[1][2] - a.y * Q[2][2];
    to[zy] += a.x * Q[2][2] - a.z * Q[0][2];
    to[zz] += a.y * Q[0][2] - a.x * Q[1][2];
}

// in place: S = L Δ L'; afterwards the diagonal holds 1/Δ
CAIRN_INLINE bool factor3(double* S)
{
    bool positive = S[xx] > 0.0;
    S[xx] = 1.0 / S[xx];
    double y = S[yx], z = S[zx];
    S[yx] *= S[xx];
    S[zx] *= S[xx];
    S[yy] -= S[yx] * y;
    S[zy] -= S[zx] * y;
    S[zz] -= S[zx] * z;
    positive = positive && S[yy] > 0.0;
    S[yy] = 1.0 / S[yy];
    z = S[zy];
    S[zy] *= S[yy];
    S[zz] -= S[zy] * z;
    positive = positive && S[zz] > 0.0;
    S[zz] = 1.0 / S[zz];
    return positive;
}

#define SOLVE3(S, x)                                                                               \
    do {                                                                                           \
        (x)[1] -= (S)[yx] * (x)[0];                                                                \
        (x)[2] -= (S)[zx] * (x)[0] + (S)[zy] * (x)[1];                                             \
        (x)[2] = (S)[zz] * (x)[2];                                                                 \
        (x)[1] = (S)[yy] * (x)[1] - (S)[zy] * (x)[2];                                              \
        (x)[0] = (S)[xx] * (x)[0] - ((S)[yx] * (x)[1] + (S)[zx] * (x)[2]);                         \
    } while (0)

// H = B C^-1 in place of B, and K = A - H B' in place of A; C is factored
CAIRN_INLINE void eliminate_turning(cairn_ball_link* link)
{
    double H[3][3];
    memcpy(H, link->B, sizeof H);
    for (int i = 0; i < 3; i++)
        SOLVE3(link->C, H[i]);
    for (int i = 0, k = 0; i < 3; i++)
        for (int j = 0; j <= i; j++, k++)
            link->A[k] -=
                H[i][0] * link->B[j][0] + H[i][1] * link->B[j][1] + H[i][2] * link->B[j][2];
    memcpy(link->B, H, sizeof H);
}

// D += P' K P
CAIRN_INLINE void load_parent(cairn_ball_link* parent, const double* K, cairn_vec3 rho)
{
    double Q[3][3] = {{0.0}};
    cairn_vec3 back = {-rho.x, -rho.y, -rho.z};
    add_skewed(Q, K, back); // -K [ρ]x
    for (int k = 0; k < 6; k++)
        parent->A[k] += K[k];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            parent->B[i][j] += Q[i][j];
    add_turned(parent->C, Q, back);
}

bool CAIRN_KERNEL(cairn_ball_factor)(const cairn_ball_tree* balls)
{
    bool positive = true;
    for (int k = 0; k < balls->count; k++) {
        cairn_ball_link* link = &balls->links[k];
        // from the center to the joint: C += [r]x' B + B0' [r]x with B = A [r]x + B0
        if (link->joint >= 0) {
            add_turned_back(link->C, link->B, link->r);
            add_skewed(link->B, link->A, link->r);
            add_turned(link->C, link->B, link->r);
        }
        positive = factor3(link->C) && positive;
        eliminate_turning(link);
        if (link->joint < 0)
            positive = factor3(link->A) && positive;
        else if (link->parent >= 0)
            load_parent(&balls->links[link->parent], link->A, link->rho);
    }
    return positive;
}

#define LANE double
#define LANE_NAME CAIRN_KERNEL(cairn_ball_solve)
#define LANE_STATIC(name) name##_one
#include "solve/tree/ball_tree_sweep.h"
#undef LANE
#undef LANE_NAME
#undef LANE_STATIC

#define LANE cairn_double2
#define LANE_NAME CAIRN_KERNEL(cairn_ball_solve2)
#define LANE_STATIC(name) name##_two
#include "solve/tree/ball_tree_sweep.h"
