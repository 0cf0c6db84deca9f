// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Projections on friction sets. The ellipsoid: minimize Σ (x_k - z_k)²/r_k subject to Σ (x_k/a_k)²
// = 1. With multiplier t,
//
//     x_k = z_k a_k² / (a_k² + t r_k),      g(t) = Σ a_k² z_k² / (a_k² + t r_k)² - 1 = 0.
//
// g is convex and falls for t >= 0, so Newton's method from a point with g >= 0 climbs to the root
// without a safeguard. No single term may exceed 1 at the root, which gives the start t_0 = max_k
// (a_k |z_k| - a_k²)/r_k.

#include "problem/friction.h"

cairn_friction cairn_friction_as(const cairn_friction* friction, cairn_law law, int facets)
{
    cairn_friction as = *friction;

    bool smooth = friction->kind == CAIRN_FRICTION_CONE ||
                  friction->kind == CAIRN_FRICTION_ELLIPSE ||
                  friction->kind == CAIRN_FRICTION_ELLIPSOID;
    bool faceted = friction->kind == CAIRN_FRICTION_PYRAMID || friction->kind == CAIRN_FRICTION_BOX;

    // facets give way to the cone or the ellipse with the same coefficients
    if (law == CAIRN_LAW_COULOMB && faceted) {
        as.kind = friction->mu[0] == friction->mu[1] || friction->kind == CAIRN_FRICTION_PYRAMID
                      ? CAIRN_FRICTION_CONE
                      : CAIRN_FRICTION_ELLIPSE;
    } else if (law == CAIRN_LAW_PYRAMID && smooth) {
        as.kind = CAIRN_FRICTION_PYRAMID;
        as.facets = facets;
    } else if (law == CAIRN_LAW_BOX && (smooth || friction->kind == CAIRN_FRICTION_PYRAMID)) {
        as.kind = CAIRN_FRICTION_BOX;
        if (friction->kind == CAIRN_FRICTION_CONE || friction->kind == CAIRN_FRICTION_PYRAMID)
            as.mu[1] = as.mu[0];
    }

    return as;
}

static double clamp(double x, double limit)
{
    return x > limit ? limit : x < -limit ? -limit : x;
}

cairn_vec3 cairn_project_on_cone(cairn_vec3 r, double mu)
{
    double t = cairn_hypot(r.y, r.z);

    // inside: stick
    if (t <= mu * r.x)
        return r;

    // in the polar cone: separate
    if (mu * t <= -r.x)
        return cairn_vec(0.0, 0.0, 0.0);

    // outside: slide on the boundary
    double n = (r.x + mu * t) / (1.0 + mu * mu);
    return cairn_vec(n, mu * n * r.y / t, mu * n * r.z / t);
}

static void project_on_disc(double* f, double radius)
{
    double length = cairn_length(f[0], f[1]);
    if (length <= radius)
        return;
    double s = radius / length;
    f[0] *= s;
    f[1] *= s;
}

void cairn_project_on_polygon(double* x, int facets, double radius)
{
    if (!(radius > 0.0)) {
        x[0] = x[1] = 0.0;
        return;
    }

    // the sector that x lies in; by symmetry its own edge is the nearest one
    double step = 2.0 * 3.14159265358979323846 / facets;
    double k = floor(cairn_atan2(x[1], x[0]) / step);
    double p[2] = {radius * cairn_cos(k * step), radius * cairn_sin(k * step)};
    double q[2] = {radius * cairn_cos((k + 1.0) * step), radius * cairn_sin((k + 1.0) * step)};
    double e[2] = {q[0] - p[0], q[1] - p[1]};

    // outward normal of the edge p q is (e_1, -e_0)
    double outside = (x[0] - p[0]) * e[1] - (x[1] - p[1]) * e[0];
    if (outside <= 0.0)
        return;

    double s = ((x[0] - p[0]) * e[0] + (x[1] - p[1]) * e[1]) / (e[0] * e[0] + e[1] * e[1]);
    s = s < 0.0 ? 0.0 : s > 1.0 ? 1.0 : s;
    x[0] = p[0] + s * e[0];
    x[1] = p[1] + s * e[1];
}

void cairn_project_on_ellipsoid(double* x, const double* z, const double* axis,
                                const double* weight, int n)
{
    // scale the largest length to 1, so that no square overflows
    double scale = 0.0;
    for (int k = 0; k < n; k++)
        scale = fmax(scale, fmax(axis[k], fabs(z[k])));
    if (scale == 0.0) {
        for (int k = 0; k < n; k++)
            x[k] = 0.0;
        return;
    }

    // axes of no length drop out; the others keep their place in a, w, r
    double a[3], w[3], r[3], inside = 0.0, start = 0.0, heaviest = 0.0;
    int place[3], live = 0;
    for (int k = 0; k < n; k++)
        heaviest = fmax(heaviest, weight ? weight[k] : 1.0);
    for (int k = 0; k < n; k++) {
        double zk = z[k] / scale, ak = axis[k] / scale;
        if (!(ak > 1e-150)) {
            x[k] = 0.0;
            continue;
        }
        a[live] = ak;
        w[live] = zk;
        r[live] = (weight ? weight[k] : 1.0) / heaviest;
        place[live] = k;
        inside += (zk / ak) * (zk / ak);
        start = fmax(start, (ak * fabs(zk) - ak * ak) / r[live]);
        live++;
    }

    if (inside <= 1.0) {
        for (int i = 0; i < live; i++)
            x[place[i]] = z[place[i]];
        return;
    }

    // Newton's method from below the root of g
    double t = start;
    for (int iteration = 0; iteration < 100; iteration++) {
        double g = -1.0, slope = 0.0;
        for (int i = 0; i < live; i++) {
            double d = a[i] * a[i] + t * r[i];
            double y = a[i] * w[i] / d;
            g += y * y;
            slope -= 2.0 * y * y * r[i] / d;
        }

        double next = t - g / slope;
        if (!(g > 0.0) || !(next > t))
            break;
        t = next;
    }

    // round-off: end a hair inside the boundary, so that projecting again changes nothing
    double length = 0.0, y[3];
    for (int i = 0; i < live; i++) {
        y[i] = a[i] * w[i] / (a[i] * a[i] + t * r[i]);
        length += y[i] * y[i];
    }

    length = sqrt(length) * (1.0 + 1e-15);
    for (int i = 0; i < live; i++)
        x[place[i]] = scale * a[i] * y[i] / length;
}

void cairn_friction_project(double* f, int rows, const cairn_friction* friction, double normal)
{
    const double* mu = friction->mu;
    int n = rows - 1;
    if (n <= 0)
        return;

    // the spin row belongs to the ellipsoid (and to a user's set) alone
    bool torsion =
        friction->kind == CAIRN_FRICTION_ELLIPSOID || friction->kind == CAIRN_FRICTION_CUSTOM;
    if (n == 3 && !torsion)
        f[2] = 0.0;

    switch (friction->kind) {
    case CAIRN_FRICTION_NONE:
        for (int k = 0; k < n; k++)
            f[k] = 0.0;
        break;
    case CAIRN_FRICTION_CONE:
        if (n == 1)
            f[0] = clamp(f[0], mu[0] * normal);
        else
            project_on_disc(f, mu[0] * normal);
        break;
    case CAIRN_FRICTION_ELLIPSE:
    case CAIRN_FRICTION_ELLIPSOID: {
        double axis[3] = {mu[0] * normal, mu[1] * normal, mu[2] * normal};
        int count = friction->kind == CAIRN_FRICTION_ELLIPSE && n > 2 ? 2 : n;
        cairn_project_on_ellipsoid(f, f, axis, NULL, count);
        break;
    }
    case CAIRN_FRICTION_PYRAMID:
        if (n == 1)
            f[0] = clamp(f[0], mu[0] * normal);
        else
            cairn_project_on_polygon(f, friction->facets, mu[0] * normal);
        break;
    case CAIRN_FRICTION_BOX:
        f[0] = clamp(f[0], mu[0] * normal);
        if (n > 1)
            f[1] = clamp(f[1], mu[1] * normal);
        break;
    case CAIRN_FRICTION_SLIDING:
        for (int k = 0; k < n && k < 2; k++)
            f[k] = -mu[0] * normal * friction->slip[k];
        break;
    case CAIRN_FRICTION_CUSTOM:
        friction->project(f, normal, n, friction->context);
        break;
    }
}
