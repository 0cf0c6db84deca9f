// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Free rotation by splitting. With L the angular momentum in the frame of the principal axes, the
// energy is
//
//     H = L_x²/2I_x + L_y²/2I_y + L_z²/2I_z,
//
// and the motion under each term alone is a turn about that axis by h L_k / I_k, under which L
// stays fixed in the world. The symmetric sequence x/2, y/2, z, y/2, x/2 is of second order,
// reversible and symplectic: |L| is kept exactly and the energy oscillates without drift (McLachlan
// 1993). Fast bodies take shorter sub-steps.
//
// Where two moments are equal, I, the motion is known: with e the third axis and J its moment, the
// body precesses about L while it spins about e,
//
//     q(t) = exp(t L/I) q(0) exp(t s e),     ω = L/I + s e,     s = (1/J - 1/I) L·e.

#include "world/rotation.h"

static const double largest_turn = 0.05; // rad per sub-step: relative energy error about turn²/50
static const double smallest_turn =
    1e-7; // rad: below it the change of ω is lost in round-off anyway

// One term: the body turns by `angle` about its own axis k, so L turns back by it in the body
// frame.
static void turn(cairn_quat* q, double* along, double* second, double* third, double rate, int k)
{
    double half = 0.5 * rate * *along;
    double ch = cos(half), sh = sin(half);
    double c = ch * ch - sh * sh, s = 2.0 * sh * ch;
    double y = c * *second + s * *third, z = c * *third - s * *second;
    *second = y;
    *third = z;
    cairn_quat r = {ch, k == 0 ? sh : 0.0, k == 1 ? sh : 0.0, k == 2 ? sh : 0.0};
    *q = cairn_quat_multiply(*q, r);
}

// the axis of two equal moments, or -1
static int symmetry(cairn_vec3 inertia)
{
    return inertia.x == inertia.y   ? 2
           : inertia.x == inertia.z ? 1
           : inertia.y == inertia.z ? 0
                                    : -1;
}

static void precess(cairn_quat* q, cairn_vec3* omega, cairn_vec3 inertia, int k, double h)
{
    const cairn_vec3 axes[3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    const double moments[3] = {inertia.x, inertia.y, inertia.z};
    double across = moments[(k + 1) % 3], own = moments[k];
    cairn_vec3 e = cairn_rotate(*q, axes[k]);
    double rate = cairn_dot(*omega, e), spin = rate - rate * own / across;
    cairn_vec3 precession = cairn_add_scaled(*omega, -spin, e); // L/I
    cairn_quat turned = cairn_quat_multiply(cairn_turn_by(cairn_scale(h, precession)), *q);
    cairn_quat own_turn = cairn_turn_by(cairn_scale(h * spin, axes[k]));
    *q = cairn_quat_normalize(cairn_quat_multiply(turned, own_turn));
    *omega = cairn_add_scaled(precession, spin, cairn_rotate(*q, axes[k]));
}

void cairn_rotate_freely(cairn_quat* q, cairn_vec3* omega, cairn_vec3 inertia, double h)
{
    double whole = h * cairn_norm(*omega);
    bool round = inertia.x == inertia.y && inertia.y == inertia.z;
    if (whole < smallest_turn || round) {
        *q = cairn_quat_normalize(cairn_quat_multiply(cairn_turn_by(cairn_scale(h, *omega)), *q));
        return;
    }
    int axis = symmetry(inertia);
    if (axis >= 0) {
        precess(q, omega, inertia, axis, h);
        return;
    }
    cairn_vec3 w = cairn_rotate_back(*q, *omega);
    cairn_vec3 L = cairn_vec(inertia.x * w.x, inertia.y * w.y, inertia.z * w.z);
    int n = (int)fmin(ceil(whole / largest_turn), 1024.0);
    double s = h / n;
    double rx = 0.5 * s / inertia.x, ry = 0.5 * s / inertia.y, rz = s / inertia.z;
    for (int i = 0; i < n; i++) {
        turn(q, &L.x, &L.y, &L.z, rx, 0);
        turn(q, &L.y, &L.z, &L.x, ry, 1);
        turn(q, &L.z, &L.x, &L.y, rz, 2);
        turn(q, &L.y, &L.z, &L.x, ry, 1);
        turn(q, &L.x, &L.y, &L.z, rx, 0);
    }
    *q = cairn_quat_normalize(*q);
    *omega = cairn_rotate(*q, cairn_vec(L.x / inertia.x, L.y / inertia.y, L.z / inertia.z));
}
