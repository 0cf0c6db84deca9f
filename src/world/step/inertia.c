// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// A body that hangs between two joints under tension swings about its center with a frequency that
// has nothing to do with the motion of the island: a link of 10 g that holds 100 kg at 1 kHz. The
// kicks of a leapfrog feel that frequency, and h ω < 2 is the limit of their stability. From the
// impulses of an end kick, F_j = μ_j / η at the arm r_j, a bound of ω² for each body:
//
//     K = |I^-½ [ Σ_j |r_j·F_j| (1 - r̂_j r̂_j^T) ] I^-½|,
//
// and no mode of the island is faster than its stiffest body alone. Substeps are chosen so that
// h² K <= 1. Where even the finest that are meant for it are too long the moments of inertia of the
// body are raised by a power of two, and stay so: its angular momentum is kept, so that energy can
// only fall. They come down again, half by half, when a tenth of the bound has been enough for a
// while; then the angular velocity is kept, and energy falls again.

#include "world/step/leapfrog.h"

enum { patience = 64 };
static const double enough = 0.1; // of the bound: inertia may come down

// K of each body in its principal frame, symmetric: xx, yx, yy, zx, zy, zz
static void add_tension(double* K, cairn_vec3 arm, double tension)
{
    double square = cairn_dot(arm, arm);
    if (!(square > 0.0) || tension == 0.0)
        return;
    double t = fabs(tension), s = t / square;
    K[0] += t - s * arm.x * arm.x;
    K[1] -= s * arm.x * arm.y;
    K[2] += t - s * arm.y * arm.y;
    K[3] -= s * arm.x * arm.z;
    K[4] -= s * arm.y * arm.z;
    K[5] += t - s * arm.z * arm.z;
}

// the force of a joint on B
static cairn_vec3 force_of(const cairn_tie* tie, const double* mu, double eta)
{
    cairn_vec3 sum = cairn_vec(0.0, 0.0, 0.0);
    if (!tie->more)
        return cairn_scale(1.0 / eta, cairn_vec(mu[0], mu[1], mu[2]));
    for (int r = 0; r < tie->width; r++) {
        const double* b = tie->more->rows[r].b;
        sum = cairn_add_scaled(sum, mu[r] / eta, cairn_vec(b[0], b[1], b[2]));
    }
    return sum;
}

// the arms of a joint, world axes
static void arms_of(cairn_vec3* r_a, cairn_vec3* r_b, const cairn_tie* tie)
{
    *r_a = tie->more ? tie->more->place.r_a : tie->r_a;
    *r_b = tie->more ? tie->more->place.r_b : tie->r_b;
    cairn_joint_kind kind = tie->link->kind;
    if (kind == CAIRN_JOINT_SLIDER || kind == CAIRN_JOINT_CYLINDRICAL ||
        kind == CAIRN_JOINT_SCREW || kind == CAIRN_JOINT_WHEEL || kind == CAIRN_JOINT_ALONG)
        *r_a = cairn_add(*r_a, tie->more->place.apart);
}

// a bound of the eigenvalues of I^-½ K I^-½: the smaller of the sum of squares and the row sums
static double largest_rate(const double* k, cairn_vec3 I)
{
    double x = k[0] / I.x, y = k[2] / I.y, z = k[5] / I.z;
    double xy = k[1] * k[1] / (I.x * I.y), xz = k[3] * k[3] / (I.x * I.z),
           yz = k[4] * k[4] / (I.y * I.z);
    double whole = sqrt(x * x + y * y + z * z + 2.0 * (xy + xz + yz));
    xy = sqrt(xy);
    xz = sqrt(xz);
    yz = sqrt(yz);
    return fmin(whole, fmax(x + xy + xz, fmax(y + xy + yz, z + xz + yz)));
}

void cairn_flight_measure(cairn_flight* all, const double* lambda, double eta)
{
    // six numbers for each body, in the memory of its momentum
    double* K = (double*)all->momentum;
    for (int i = 0; i < 6 * all->body_count; i++)
        K[i] = 0.0;

    // K: the tension of each joint resists turning about the axes square to its arm
    for (int i = 0; i < all->link_count; i++) {
        const cairn_tie* tie = &all->ties[i];
        cairn_vec3 r_a, r_b, F = force_of(tie, lambda + tie->first, eta);
        arms_of(&r_a, &r_b, tie);
        if (tie->a >= 0)
            add_tension(K + 6 * (ptrdiff_t)tie->a, cairn_rotate_back(all->movers[tie->a].at.q, r_a),
                        cairn_dot(F, r_a));
        if (tie->b >= 0)
            add_tension(K + 6 * (ptrdiff_t)tie->b, cairn_rotate_back(all->movers[tie->b].at.q, r_b),
                        cairn_dot(F, r_b));
    }

    for (int i = 0; i < all->body_count; i++)
        all->movers[i].stiffness = largest_rate(K + 6 * (ptrdiff_t)i, all->movers[i].moments);
}

double cairn_flight_stiffness(const cairn_flight* all)
{
    double most = 0.0;
    for (int i = 0; i < all->body_count; i++)
        most = fmax(most, all->movers[i].stiffness);
    return most;
}

double cairn_flight_nutation(const cairn_flight* all)
{
    double most = 0.0;
    for (int i = 0; i < all->body_count && all->gyric; i++) {
        const cairn_mover* mover = &all->movers[i];
        if (mover->axis < 0)
            continue;
        const double I[3] = {mover->moments.x, mover->moments.y, mover->moments.z};
        double spin = cairn_dot(mover->u.w, cairn_axis_of(mover->at.q, mover->axis));
        most = fmax(most, fabs(spin) * I[mover->axis] / I[(mover->axis + 1) % 3]);
    }
    return most;
}

static void scale_moments(cairn_mover* mover, double f)
{
    mover->moments = cairn_scale(f, mover->moments);
    mover->raised *= f;
    mover->stiffness /= f;
    mover->quiet = 0;
}

bool cairn_flight_raise(cairn_flight* all, double h)
{
    bool any = false;
    for (int i = 0; i < all->body_count; i++) {
        cairn_mover* mover = &all->movers[i];

        double load = h * h * mover->stiffness;

        // too stiff for h: raise the moments and keep the angular momentum
        if (load > 1.0 && load < INFINITY) {
            double f = 2.0;
            while (load / f > 0.5)
                f *= 2.0;
            scale_moments(mover, f);
            mover->u.w = cairn_scale(1.0 / f, mover->u.w);
            any = true;

        } else if (mover->raised > 1.0 && load < enough) {
            if (++mover->quiet > patience) {
                scale_moments(mover, 0.5);
                any = true;
            }
        } else {
            mover->quiet = 0;
        }
    }
    return any;
}
