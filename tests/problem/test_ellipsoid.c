// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors

#include "check_cairn.h"
#include "problem/friction.h"
#include <cairn/random.h>
#include <string.h>

enum { points = CHECK_CASES(1000000) };

typedef struct ellipsoid_case {
    double z[3], axis[3], weight[3];
    int n;
    bool weighted;
} ellipsoid_case;

static double power_of_ten(cairn_random* random, double lo, double hi)
{
    return pow(10.0, cairn_random_range(random, lo, hi));
}

// axes over eight decades, some of no length, some equal; points near, far and on the axes
static ellipsoid_case draw(cairn_random* random)
{
    ellipsoid_case e = {.n = 1 + cairn_random_index(random, 3)};
    e.weighted = cairn_random_index(random, 2) == 0;
    double size = power_of_ten(random, -6.0, 6.0);
    for (int k = 0; k < e.n; k++) {
        e.axis[k] = size * power_of_ten(random, -8.0, 0.0);
        e.z[k] = size * cairn_random_range(random, -1.0, 1.0) * power_of_ten(random, -3.0, 3.0);
        e.weight[k] = power_of_ten(random, -4.0, 4.0);
    }
    switch (cairn_random_index(random, 6)) {
    case 0:
        e.axis[cairn_random_index(random, e.n)] = 0.0;
        break;
    case 1:
        for (int k = 1; k < e.n; k++)
            e.axis[k] = e.axis[0];
        break;
    case 2:
        e.z[cairn_random_index(random, e.n)] = 0.0;
        break;
    case 3: // just outside of a point of the surface
        for (int k = 0; k < e.n; k++)
            e.z[k] = 1.001 * e.axis[k] / sqrt(e.n);
        break;
    default:
        break;
    }
    return e;
}

// The same point by bisection on the multiplier in long double, nothing in common but the equation.
static void reference(double* x, const ellipsoid_case* e)
{
    long double inside = 0.0L, hi = 0.0L;
    for (int k = 0; k < e->n; k++) {
        x[k] = e->axis[k] > 0.0 ? e->z[k] : 0.0;
        if (e->axis[k] > 0.0) {
            long double y = (long double)e->z[k] / (long double)e->axis[k];
            inside += y * y;
        }
    }
    if (inside <= 1.0L)
        return;
    for (int k = 0; k < e->n; k++) {
        long double r = e->weighted ? (long double)e->weight[k] : 1.0L;
        long double t = 2.0L * (long double)e->axis[k] * fabsl((long double)e->z[k]) / r;
        hi = t > hi ? t : hi;
    }
    long double lo = 0.0L;
    for (int i = 0; i < 200 && hi - lo > 1e-17L * hi; i++) {
        long double t = lo > 0.0L ? sqrtl(lo) * sqrtl(hi) : 0.5L * hi, g = -1.0L;
        for (int k = 0; k < e->n; k++) {
            long double a = (long double)e->axis[k],
                        r = e->weighted ? (long double)e->weight[k] : 1.0L;
            if (a > 0.0L) {
                long double y = a * (long double)e->z[k] / (a * a + t * r);
                g += y * y;
            }
        }
        if (g > 0.0L)
            lo = t;
        else
            hi = t;
    }
    for (int k = 0; k < e->n; k++) {
        long double a = (long double)e->axis[k], r = e->weighted ? (long double)e->weight[k] : 1.0L;
        x[k] = a > 0.0L ? (double)((long double)e->z[k] * a * a / (a * a + hi * r)) : 0.0;
    }
}

TEST(projections_on_an_ellipsoid_are_the_nearest_points_at_any_aspect)
{
    // the worst of all is judged at the end: a million assertions take longer than they check
    cairn_random random = {.state = 7};
    double longest = 0.0, farthest = 0.0;
    int moved = 0, off = 0;
    for (int i = 0; i < points; i++) {
        ellipsoid_case e = draw(&random);
        double x[3] = {0.0}, again[3], expected[3], length = 0.0;
        const double* weight = e.weighted ? e.weight : NULL;
        cairn_project_on_ellipsoid(x, e.z, e.axis, weight, e.n);

        // feasible, axes of no length included
        for (int k = 0; k < e.n; k++) {
            if (e.axis[k] > 0.0)
                length += (x[k] / e.axis[k]) * (x[k] / e.axis[k]);
            else
                off += x[k] != 0.0;
        }
        longest = fmax(longest, length);

        // a projection leaves what it has projected
        cairn_project_on_ellipsoid(again, x, e.axis, weight, e.n);
        moved += memcmp(again, x, (size_t)e.n * sizeof(double)) != 0;

        // the nearest point, each coordinate to its own axis' precision
        reference(expected, &e);
        for (int k = 0; k < e.n; k++) {
            double precision = fmax(e.axis[k], 1e-6 * fabs(expected[k]));
            double error = fabs(x[k] - expected[k]);
            farthest = fmax(farthest, precision > 0.0 ? error / precision : error);
            off += !isfinite(x[k]);
        }
    }
    CHECK(off == 0 && moved == 0);
    CHECK_BELOW(longest, 1.0);
    CHECK_BELOW(farthest, 1e-9);
}
END

TEST(no_point_of_the_surface_is_nearer_than_the_projection)
{
    cairn_random random = {.state = 11};
    for (int i = 0; i < 200; i++) {
        double axis[3], z[3], weight[3], x[3], best = INFINITY, distance = 0.0;
        for (int k = 0; k < 3; k++) {
            axis[k] = power_of_ten(&random, -1.0, 0.0);
            z[k] = cairn_random_range(&random, -2.0, 2.0);
            weight[k] = power_of_ten(&random, -1.0, 1.0);
        }
        cairn_project_on_ellipsoid(x, z, axis, weight, 3);
        for (int k = 0; k < 3; k++)
            distance += (x[k] - z[k]) * (x[k] - z[k]) / weight[k];
        for (int j = 0; j < 2000; j++) {
            cairn_vec3 u = cairn_normalize(cairn_random_vec3(&random));
            double p[3] = {axis[0] * u.x, axis[1] * u.y, axis[2] * u.z}, d = 0.0;
            for (int k = 0; k < 3; k++)
                d += (p[k] - z[k]) * (p[k] - z[k]) / weight[k];
            best = fmin(best, d);
        }
        CHECK_BELOW(distance, best * (1.0 + 1e-12));
    }
}
END

TEST(an_ellipsoid_without_any_axis_is_the_origin)
{
    double z[3] = {1.0, -2.0, 3.0}, axis[3] = {0.0, 0.0, 0.0}, x[3] = {9.0, 9.0, 9.0};
    cairn_project_on_ellipsoid(x, z, axis, NULL, 3);
    for (int k = 0; k < 3; k++)
        CHECK(x[k] == 0.0);
}
END

TESTS(projections_on_an_ellipsoid_are_the_nearest_points_at_any_aspect,
      no_point_of_the_surface_is_nearer_than_the_projection,
      an_ellipsoid_without_any_axis_is_the_origin)
