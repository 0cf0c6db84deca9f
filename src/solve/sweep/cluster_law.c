// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors

#include "solve/sweep/cluster_law.h"

// μ_1, μ_2 and μ_τ
static void coefficients_of(double* mu, const cairn_friction* friction, int rows)
{
    bool cone = friction->kind == CAIRN_FRICTION_CONE,
         smooth = friction->kind != CAIRN_FRICTION_NONE;
    bool spins = rows == 4 && friction->kind == CAIRN_FRICTION_ELLIPSOID;
    mu[0] = rows > 1 && smooth ? friction->mu[0] : 0.0;
    mu[1] = rows > 1 && smooth ? friction->mu[cone ? 0 : 1] : 0.0;
    mu[2] = spins ? friction->mu[2] : 0.0;
}

double cairn_cluster_set_law(cairn_cluster_law* law, int lane, const cairn_friction* friction,
                             int rows, double cosine, double sine)
{
    double mu[3];
    coefficients_of(mu, friction, rows);

    // the ball of sweeps; where there is torsion alone its radius is that of the moment
    double radius = mu[0] > mu[1] ? mu[0] : mu[1];
    radius = radius > 0.0 ? radius : mu[2];
    for (int k = 0; k < 3; k++) {
        law->scale[k][lane] = radius > 0.0 ? (float)(mu[k] / radius) : 0.0f;
        law->inverse[k][lane] = mu[k] > 0.0 ? (float)(radius / mu[k]) : 0.0f;
    }

    // the ellipsoid of the residual, which is a ball where there is no spin row
    law->mu[0][lane] = mu[0];
    law->mu[1][lane] = mu[1];
    law->mu[2][lane] = rows < 4 ? mu[0] : mu[2] > 0.0 ? cairn_spin_axis(friction) : 0.0;
    law->arm[lane] = rows == 4 ? cairn_spin_arm(friction) : 0.0;
    law->axis[0][lane] = cosine;
    law->axis[1][lane] = sine;
    law->turn[0][lane] = (float)cosine;
    law->turn[1][lane] = (float)sine;
    return radius;
}
