// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Jacobi's method: rotate in the plane of the largest off-diagonal entry until none is left. The
// rotation is kept as a quaternion, so that it stays proper and of unit length.

#include "linalg/eigen3.h"

enum { most_rotations = 64 };

// R^T m R for the rotation q
static cairn_mat3 seen_from(cairn_mat3 m, cairn_quat q)
{
    cairn_mat3 R = cairn_quat_to_mat3(q);
    return cairn_mat3_multiply(cairn_mat3_transpose(R), cairn_mat3_multiply(m, R));
}

void cairn_eigen3(cairn_vec3* values, cairn_quat* axes, cairn_mat3 m)
{
    cairn_quat q = cairn_quat_identity();
    cairn_mat3 d = m;
    for (int k = 0; k < most_rotations; k++) {
        // the largest off-diagonal entry, and the axis about which a turn removes it
        double yz = fabs(d.cy.z), xz = fabs(d.cx.z), xy = fabs(d.cx.y);
        double most = fmax(yz, fmax(xz, xy));
        double size = fabs(d.cx.x) + fabs(d.cy.y) + fabs(d.cz.z);
        if (most <= 1e-17 * size)
            break;

        cairn_vec3 axis;
        double off, gap;
        if (most == yz) {
            axis = cairn_vec(1.0, 0.0, 0.0);
            off = d.cy.z;
            gap = d.cz.z - d.cy.y;
        } else if (most == xz) {
            axis = cairn_vec(0.0, 1.0, 0.0);
            off = d.cx.z;
            gap = d.cx.x - d.cz.z;
        } else {
            axis = cairn_vec(0.0, 0.0, 1.0);
            off = d.cx.y;
            gap = d.cy.y - d.cx.x;
        }

        // tan 2θ = 2 off / (d_p - d_q); the smaller angle
        double angle = gap == 0.0 ? 0.78539816339744831 : 0.5 * cairn_atan(-2.0 * off / gap);
        q = cairn_quat_normalize(
            cairn_quat_multiply(q, cairn_quat_from_rotation_vector(cairn_scale(angle, axis))));
        d = seen_from(m, q);
    }

    *values = cairn_vec(d.cx.x, d.cy.y, d.cz.z);
    *axes = q;
}
