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

#include "world/rotation.h"

static const double largest_turn = 0.05; // rad per sub-step: relative energy error about turn²/50
static const double smallest_turn =
    1e-7; // rad: below it the change of ω is lost in round-off anyway

// One term: the body turns by `angle` about its own axis k, so L turns back by it in the body
// frame.
static void turn(cairn_quat* q, double* along, double* second, double* third, double rate, int k)
{
    double angle = rate * *along;
    double c = cos(angle), s = sin(angle), half = 0.5 * angle;
    double y = c * *second + s * *third, z = c * *third - s * *second;
    *second = y;
    *third = z;
    double sh = sin(half);
    cairn_quat r = {cos(half), k == 0 ? sh : 0.0, k == 1 ? sh : 0.0, k == 2 ? sh : 0.0};
    *q = cairn_quat_multiply(*q, r);
}

void cairn_rotate_freely(cairn_quat* q, cairn_vec3* omega, cairn_vec3 inertia, double h)
{
    double whole = h * cairn_norm(*omega);
    bool round = inertia.x == inertia.y && inertia.y == inertia.z;
    if (whole < smallest_turn || round) {
        cairn_quat step = cairn_quat_from_rotation_vector(cairn_scale(h, *omega));
        *q = cairn_quat_normalize(cairn_quat_multiply(step, *q));
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
