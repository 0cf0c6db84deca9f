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

#include "world/step/rotation.h"

static const double largest_turn = 0.05; // rad per sub-step: relative energy error about turn²/50
static const double smallest_turn =
    1e-7; // rad: below it the change of ω is lost in round-off anyway
static const double unseen_turn = 1e-17; // rad: below it no bit of q changes

// One term: the body turns by `angle` about its own axis k, so L turns back by it in the body
// frame.
static void turn(cairn_quat* q, double* along, double* second, double* third, double rate, int k)
{
    double half = 0.5 * rate * *along;
    double ch = cairn_cos(half), sh = cairn_sin(half);
    double c = ch * ch - sh * sh, s = 2.0 * sh * ch;
    double y = c * *second + s * *third, z = c * *third - s * *second;
    *second = y;
    *third = z;
    cairn_quat r = {ch, k == 0 ? sh : 0.0, k == 1 ? sh : 0.0, k == 2 ? sh : 0.0};
    *q = cairn_quat_multiply(*q, r);
}

int cairn_symmetry_axis(cairn_vec3 inertia)
{
    if (inertia.x == inertia.y && inertia.y == inertia.z)
        return -1;
    return inertia.x == inertia.y   ? 2
           : inertia.x == inertia.z ? 1
           : inertia.y == inertia.z ? 0
                                    : -1;
}

cairn_vec3 cairn_axis_of(cairn_quat q, int k)
{
    cairn_vec3 u = cairn_vec(q.x, q.y, q.z);
    double along = k == 0 ? q.x : k == 1 ? q.y : q.z;
    // 2 q_k u + 2 w u x e_k + (2 w² - 1) e_k
    cairn_vec3 twice = cairn_scale(2.0 * along, u);
    double w = 2.0 * q.w, rest = w * q.w - 1.0;
    if (k == 0)
        return cairn_vec(twice.x + rest, twice.y + w * q.z, twice.z - w * q.y);
    if (k == 1)
        return cairn_vec(twice.x - w * q.z, twice.y + rest, twice.z + w * q.x);
    return cairn_vec(twice.x + w * q.y, twice.y - w * q.x, twice.z + rest);
}

static void precess(cairn_quat* q, cairn_vec3* omega, cairn_vec3 inertia, int k, double h)
{
    double across = k == 0 ? inertia.y : inertia.x;
    double own = k == 0 ? inertia.x : k == 1 ? inertia.y : inertia.z;
    cairn_vec3 e = cairn_axis_of(*q, k);
    double rate = cairn_dot(*omega, e), spin = rate - rate * own / across, angle = h * spin;
    cairn_vec3 precession = cairn_add_scaled(*omega, -spin, e); // L/I
    cairn_quat turned = cairn_quat_multiply(cairn_turn_by(cairn_scale(h, precession)), *q);
    if (fabs(angle) > unseen_turn) {
        cairn_vec3 about =
            cairn_vec(k == 0 ? angle : 0.0, k == 1 ? angle : 0.0, k == 2 ? angle : 0.0);
        turned = cairn_quat_multiply(turned, cairn_turn_by(about));
    }
    *q = cairn_quat_normalize(turned);
    *omega = cairn_add_scaled(precession, spin, cairn_axis_of(*q, k));
}

void cairn_turn_axis(cairn_quat* q, cairn_vec3* omega, int k, double h)
{
    cairn_vec3 e = cairn_axis_of(*q, k);
    double spin = cairn_dot(*omega, e), angle = h * spin;
    cairn_vec3 across = cairn_add_scaled(*omega, -spin, e);
    cairn_vec3 own = cairn_vec(k == 0 ? angle : 0.0, k == 1 ? angle : 0.0, k == 2 ? angle : 0.0);
    cairn_quat turned = cairn_quat_multiply(cairn_turn_by(cairn_scale(h, across)), *q);
    *q = cairn_quat_normalize(cairn_quat_multiply(turned, cairn_turn_by(own)));
    *omega = cairn_add_scaled(across, spin, cairn_axis_of(*q, k));
}

// a product of unit quaternions, made unit: 1/√n = (3 - n)/2 to round-off where |n - 1|² is below
// it
static cairn_quat near_unit(cairn_quat q)
{
    double n = q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
    if (!(fabs(n - 1.0) < 1e-8))
        return cairn_quat_normalize(q);
    double s = 1.5 - 0.5 * n;
    return (cairn_quat){s * q.w, s * q.x, s * q.y, s * q.z};
}

void cairn_rotate_freely(cairn_quat* q, cairn_vec3* omega, cairn_vec3 inertia, double h)
{
    bool round = inertia.x == inertia.y && inertia.y == inertia.z;
    if (round) {
        *q = near_unit(cairn_quat_multiply(cairn_turn_by(cairn_scale(h, *omega)), *q));
        return;
    }

    double whole = h * cairn_norm(*omega);
    if (whole < smallest_turn) {
        *q = cairn_quat_normalize(cairn_quat_multiply(cairn_turn_by(cairn_scale(h, *omega)), *q));
        return;
    }

    int axis = cairn_symmetry_axis(inertia);
    if (axis >= 0) {
        precess(q, omega, inertia, axis, h);
        return;
    }

    // no symmetry: split the energy into three turns, x/2 y/2 z y/2 x/2, in short sub-steps
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
