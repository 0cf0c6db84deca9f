// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Projections. p is the nearest point of a convex set F to z if and only if p lies in F and
// (z - p)·(y - p) <= 0 for every y in F (the variational inequality); the tests check both.

#include "check_cairn.h"
#include "problem/friction.h"
#include <cairn/random.h>

enum { trials = 4000, probes = 30 };
static const double pi = 3.14159265358979323846;

static double dot(const double* a, const double* b, int n)
{
    double sum = 0.0;
    for (int k = 0; k < n; k++)
        sum += a[k] * b[k];
    return sum;
}

// ---------------------------------------------------------------- sets by their definitions

static void corner(double* x, int k, int facets, double radius)
{
    x[0] = radius * cos(2.0 * pi * k / facets);
    x[1] = radius * sin(2.0 * pi * k / facets);
}

// how far f is outside F(normal), in units of the set's size
static double excess(const double* f, int n, const cairn_friction* law, double normal)
{
    const double* mu = law->mu;
    double sum = 0.0, worst = -1.0;
    switch (law->kind) {
    case CAIRN_FRICTION_CONE:
        return sqrt(dot(f, f, n > 2 ? 2 : n)) / (mu[0] * normal) - 1.0;
    case CAIRN_FRICTION_ELLIPSE:
    case CAIRN_FRICTION_ELLIPSOID:
        for (int k = 0; k < n; k++)
            if (k < 2 || law->kind == CAIRN_FRICTION_ELLIPSOID)
                sum += f[k] / (mu[k] * normal) * f[k] / (mu[k] * normal);
        return sqrt(sum) - 1.0;
    case CAIRN_FRICTION_BOX:
        for (int k = 0; k < n && k < 2; k++)
            worst = fmax(worst, fabs(f[k]) / (mu[k] * normal) - 1.0);
        return worst;
    case CAIRN_FRICTION_PYRAMID:
        if (n == 1)
            return fabs(f[0]) / (mu[0] * normal) - 1.0;
        for (int k = 0; k < law->facets; k++) {
            double angle = 2.0 * pi * (k + 0.5) / law->facets;
            double reach = cos(pi / law->facets) * mu[0] * normal;
            worst = fmax(worst, (cos(angle) * f[0] + sin(angle) * f[1]) / reach - 1.0);
        }
        return worst;
    default:
        return INFINITY;
    }
}

// a random point of F(normal)
static void draw(double* y, int n, const cairn_friction* law, double normal, cairn_random* random)
{
    double size = normal * fmax(law->mu[0], fmax(law->mu[1], law->mu[2]));
    y[0] = y[1] = y[2] = 0.0;
    if (law->kind == CAIRN_FRICTION_PYRAMID && n > 1 && cairn_random_index(random, 2)) {
        corner(y, cairn_random_index(random, law->facets), law->facets, law->mu[0] * normal);
        return;
    }
    do {
        for (int k = 0; k < n; k++)
            y[k] = cairn_random_range(random, -size, size);
        if (n == 3 && law->kind != CAIRN_FRICTION_ELLIPSOID)
            y[2] = 0.0;
    } while (excess(y, n, law, normal) > 0.0);
}

static void check_law(const cairn_friction* law, int n, double normal, cairn_random* random)
{
    double z[3], p[3] = {0.0}, again[3] = {0.0}, y[3];
    double size = normal * fmax(law->mu[0], fmax(law->mu[1], law->mu[2]));
    for (int k = 0; k < n; k++)
        z[k] = p[k] = cairn_random_range(random, -3.0, 3.0) * size;
    cairn_friction_project(p, n + 1, law, normal);

    // feasible and idempotent to round-off
    CHECK_BELOW(excess(p, n, law, normal), 1e-14);
    for (int k = 0; k < n; k++)
        again[k] = p[k];
    cairn_friction_project(again, n + 1, law, normal);
    for (int k = 0; k < n; k++)
        CHECK_NEAR(again[k], p[k], 4e-15 * size);

    // the variational inequality; products of numbers up to 4 size
    for (int probe = 0; probe < probes; probe++) {
        double sum = 0.0;
        draw(y, n, law, normal, random);
        for (int k = 0; k < n; k++)
            sum += (z[k] - p[k]) * (y[k] - p[k]);
        CHECK_BELOW(sum, 1e-13 * size * size);
    }
}

TEST(every_law_projects_on_the_nearest_point)
{
    cairn_random random = {11};
    const cairn_friction_kind kinds[] = {CAIRN_FRICTION_CONE, CAIRN_FRICTION_ELLIPSE,
                                         CAIRN_FRICTION_ELLIPSOID, CAIRN_FRICTION_BOX,
                                         CAIRN_FRICTION_PYRAMID};
    for (int i = 0; i < trials; i++) {
        cairn_friction law = {.kind = kinds[i % 5], .facets = 3 + cairn_random_index(&random, 10)};
        for (int k = 0; k < 3; k++)
            law.mu[k] = cairn_random_range(&random, 0.05, 1.5);
        check_law(&law, 1 + cairn_random_index(&random, 3), cairn_random_range(&random, 0.1, 10.0),
                  &random);
    }
}
END

TEST(points_inside_stay_where_they_are)
{
    cairn_random random = {12};
    const cairn_friction_kind kinds[] = {CAIRN_FRICTION_CONE, CAIRN_FRICTION_ELLIPSE,
                                         CAIRN_FRICTION_ELLIPSOID, CAIRN_FRICTION_BOX,
                                         CAIRN_FRICTION_PYRAMID};
    for (int i = 0; i < trials; i++) {
        cairn_friction law = {.kind = kinds[i % 5], .facets = 6, .mu = {0.5, 0.8, 0.2}};
        double y[3], p[3];
        draw(y, 2, &law, 1.0, &random);
        for (int k = 0; k < 3; k++)
            p[k] = y[k] *= 0.999;
        cairn_friction_project(p, 3, &law, 1.0);
        CHECK(p[0] == y[0] && p[1] == y[1]);
    }
}
END

TEST(no_normal_impulse_bears_no_friction)
{
    for (int kind = CAIRN_FRICTION_NONE; kind <= CAIRN_FRICTION_SLIDING; kind++)
        for (int rows = 1; rows <= 4; rows++) {
            cairn_friction law = {.kind = (cairn_friction_kind)kind,
                                  .facets = 4,
                                  .mu = {0.5, 0.5, 0.1},
                                  .slip = {1.0}};
            double f[3] = {0.3, -0.2, 0.1};
            cairn_friction_project(f, rows, &law, 0.0);
            for (int k = 0; k < rows - 1; k++)
                CHECK(f[k] == 0.0);
        }
}
END

TEST(only_an_ellipsoid_bears_torsion)
{
    for (int kind = CAIRN_FRICTION_NONE; kind <= CAIRN_FRICTION_BOX; kind++) {
        cairn_friction law = {
            .kind = (cairn_friction_kind)kind, .facets = 4, .mu = {0.5, 0.5, 0.1}};
        double f[3] = {0.0, 0.0, 0.05};
        cairn_friction_project(f, 4, &law, 1.0);
        CHECK(f[2] == (kind == CAIRN_FRICTION_ELLIPSOID ? 0.05 : 0.0));
    }
}
END

TEST(a_sliding_contact_is_braked_against_its_slip)
{
    cairn_friction law = {.kind = CAIRN_FRICTION_SLIDING, .mu = {0.5}, .slip = {0.6, -0.8}};
    double f[2] = {7.0, 7.0};
    cairn_friction_project(f, 3, &law, 2.0);
    CHECK_NEAR(f[0], -0.6, 1e-15);
    CHECK_NEAR(f[1], 0.8, 1e-15);
}
END

static void halve(double* f, double normal, int rows, void* context)
{
    for (int k = 0; k < rows; k++)
        f[k] = 0.5 * normal * *(const double*)context;
}

TEST(a_custom_set_is_asked_with_its_context)
{
    double context = 3.0, f[3] = {9.0, 9.0, 9.0};
    cairn_friction law = {.kind = CAIRN_FRICTION_CUSTOM, .project = halve, .context = &context};
    cairn_friction_project(f, 4, &law, 2.0);
    CHECK(f[0] == 3.0 && f[1] == 3.0 && f[2] == 3.0);
}
END

// ---------------------------------------------------------------- single projections

TEST(the_cone_and_its_polar_split_every_vector)
{
    // Moreau: z = P_K(z) + P_K°(z), the parts orthogonal; -K° is the cone of 1/μ
    cairn_random random = {13};
    for (int i = 0; i < trials; i++) {
        cairn_vec3 z = cairn_random_vec3(&random);
        double mu = cairn_random_range(&random, 0.01, 3.0);
        cairn_vec3 p = cairn_project_on_cone(z, mu), d = cairn_sub(z, p);
        CHECK_BELOW(hypot(p.y, p.z) - mu * p.x, 1e-15);
        CHECK_BELOW(mu * hypot(d.y, d.z) + d.x, 1e-14);
        CHECK_NEAR(cairn_dot(p, d), 0.0, 1e-15);
    }
}
END

TEST(a_cone_without_friction_is_a_ray)
{
    cairn_vec3 p = cairn_project_on_cone(cairn_vec(2.0, 1.0, -1.0), 0.0);
    CHECK(p.x == 2.0 && p.y == 0.0 && p.z == 0.0);
    p = cairn_project_on_cone(cairn_vec(-2.0, 1.0, -1.0), 0.0);
    CHECK(p.x == 0.0 && p.y == 0.0 && p.z == 0.0);
}
END

// the nearest point of all edges, or z itself inside
static void polygon_by_force(double* p, const double* z, int facets, double radius)
{
    double best = INFINITY;
    cairn_friction law = {.kind = CAIRN_FRICTION_PYRAMID, .facets = facets, .mu = {radius}};
    p[0] = z[0];
    p[1] = z[1];
    if (excess(z, 2, &law, 1.0) <= 0.0)
        return;
    for (int k = 0; k < facets; k++) {
        double a[2], b[2];
        corner(a, k, facets, radius);
        corner(b, k + 1, facets, radius);
        double e[2] = {b[0] - a[0], b[1] - a[1]}, d[2] = {z[0] - a[0], z[1] - a[1]};
        double s = fmin(fmax(dot(d, e, 2) / dot(e, e, 2), 0.0), 1.0);
        double x[2] = {a[0] + s * e[0], a[1] + s * e[1]};
        double distance = hypot(z[0] - x[0], z[1] - x[1]);
        if (distance < best) {
            best = distance;
            p[0] = x[0];
            p[1] = x[1];
        }
    }
}

TEST(the_polygon_is_projected_on_as_brute_force_does)
{
    cairn_random random = {14};
    for (int i = 0; i < trials; i++) {
        int facets = 3 + i % 14;
        double z[2] = {cairn_random_range(&random, -2.0, 2.0),
                       cairn_random_range(&random, -2.0, 2.0)};
        double p[2] = {z[0], z[1]}, q[2];
        if (i % 10 == 0)
            p[1] = z[1] = 0.0; // on the axis of a corner, where two sectors meet
        polygon_by_force(q, z, facets, 0.7);
        cairn_project_on_polygon(p, facets, 0.7);
        CHECK_NEAR(p[0], q[0], 1e-14);
        CHECK_NEAR(p[1], q[1], 1e-14);
    }
}
END

TEST(an_ellipsoid_is_projected_on_in_any_diagonal_norm)
{
    cairn_random random = {15};
    for (int i = 0; i < trials; i++) {
        int n = 1 + i % 3;
        double scale = i % 7 == 0 ? 1e-150 : i % 7 == 1 ? 1e150 : 1.0;
        double z[3], x[3], a[3], w[3], outside = 0.0, length = 0.0;
        for (int k = 0; k < n; k++) {
            z[k] = cairn_random_range(&random, -3.0, 3.0) * scale;
            a[k] = cairn_random_range(&random, 0.05, 2.0) * scale;
            w[k] = cairn_random_range(&random, 0.1, 10.0);
            outside += z[k] / a[k] * z[k] / a[k];
        }
        cairn_project_on_ellipsoid(x, z, a, w, n);
        for (int k = 0; k < n; k++)
            length += x[k] / a[k] * x[k] / a[k];
        CHECK_NEAR(length, outside <= 1.0 ? outside : 1.0, 1e-14);

        // stationarity: (z_k - x_k)/w_k = t x_k/a_k² with one t >= 0; the VI tests it
        for (int probe = 0; probe < probes; probe++) {
            double y[3], norm = 0.0, sum = 0.0;
            for (int k = 0; k < n; k++) {
                y[k] = cairn_random_range(&random, -1.0, 1.0);
                norm += y[k] * y[k];
            }
            for (int k = 0; k < n; k++)
                sum += (z[k] - x[k]) / scale * (a[k] * y[k] / fmax(1.0, sqrt(norm)) - x[k]) /
                       scale / w[k];
            CHECK_BELOW(sum, 1e-12);
        }
    }
}
END

TEST(an_ellipsoid_may_be_flat)
{
    double z[3] = {3.0, 4.0, 5.0}, x[3], disc[3] = {1.0, 1.0, 0.0}, none[3] = {0.0};
    cairn_project_on_ellipsoid(x, z, disc, NULL, 3);
    CHECK_NEAR(x[0], 0.6, 1e-15);
    CHECK_NEAR(x[1], 0.8, 1e-15);
    CHECK(x[2] == 0.0);
    cairn_project_on_ellipsoid(x, z, none, NULL, 3);
    CHECK(x[0] == 0.0 && x[1] == 0.0 && x[2] == 0.0);
}
END

// ---------------------------------------------------------------- laws in place of others

TEST(laws_stand_for_each_other_as_they_are_named)
{
    cairn_friction cone = {.kind = CAIRN_FRICTION_CONE, .mu = {0.4, 0.0, 0.0}};
    cairn_friction box = {.kind = CAIRN_FRICTION_BOX, .mu = {0.4, 0.6, 0.0}};
    cairn_friction square = {.kind = CAIRN_FRICTION_BOX, .mu = {0.4, 0.4, 0.0}};
    cairn_friction sliding = {.kind = CAIRN_FRICTION_SLIDING, .mu = {0.4}, .slip = {1.0}};
    cairn_friction as = cairn_friction_as(&cone, CAIRN_LAW_PYRAMID, 12);
    CHECK(as.kind == CAIRN_FRICTION_PYRAMID && as.facets == 12 && as.mu[0] == 0.4);
    as = cairn_friction_as(&cone, CAIRN_LAW_BOX, 12);
    CHECK(as.kind == CAIRN_FRICTION_BOX && as.mu[0] == 0.4 && as.mu[1] == 0.4);
    CHECK(cairn_friction_as(&box, CAIRN_LAW_COULOMB, 0).kind == CAIRN_FRICTION_ELLIPSE);
    CHECK(cairn_friction_as(&square, CAIRN_LAW_COULOMB, 0).kind == CAIRN_FRICTION_CONE);
    for (int law = CAIRN_LAW_AS_GIVEN; law <= CAIRN_LAW_BOX; law++)
        CHECK(cairn_friction_as(&sliding, (cairn_law)law, 8).kind == CAIRN_FRICTION_SLIDING);
    CHECK(cairn_friction_as(&box, CAIRN_LAW_AS_GIVEN, 8).kind == CAIRN_FRICTION_BOX);
}
END

TESTS(every_law_projects_on_the_nearest_point, points_inside_stay_where_they_are,
      no_normal_impulse_bears_no_friction, only_an_ellipsoid_bears_torsion,
      a_sliding_contact_is_braked_against_its_slip, a_custom_set_is_asked_with_its_context,
      the_cone_and_its_polar_split_every_vector, a_cone_without_friction_is_a_ray,
      the_polygon_is_projected_on_as_brute_force_does,
      an_ellipsoid_is_projected_on_in_any_diagonal_norm, an_ellipsoid_may_be_flat,
      laws_stand_for_each_other_as_they_are_named)
