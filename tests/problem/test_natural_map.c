// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The natural map of one contact: zero exactly where the law of contact holds, the same in a frame
// and in the world, and a NaN wherever it is given one.

#include "check_cairn.h"
#include "problem/friction.h"
#include "problem/natural_map.h"
#include <cairn/random.h>

static cairn_natural at(double lambda_n, double lambda_t, double v_n, double v_t)
{
    return (cairn_natural){.lambda_n = lambda_n,
                           .v_n = v_n,
                           .lambda_t = {0.6 * lambda_t, 0.8 * lambda_t},
                           .v_t = {0.6 * v_t, 0.8 * v_t},
                           .mu = 0.5,
                           .over = 2.0};
}

TEST(the_map_is_zero_where_the_law_of_contact_holds)
{
    // separation, stick, slip against the velocity, and the tip of the cone
    const cairn_natural right[] = {at(0, 0, 1, 3), at(2, 0.9, 0, 0), at(2, -1, 0, 3),
                                   at(0, 0, 0, 2)};
    for (int i = 0; i < 4; i++)
        CHECK_BELOW(natural_contact(&right[i], 2), 1e-15);

    // approach, pull, sticking while it slips, friction beyond its limit, slip along the friction
    const cairn_natural wrong[] = {at(0, 0, -1, 0),  at(-1, 0, 0, 0), at(2, 0.5, 0, 1),
                                   at(2, 1.1, 0, 0), at(2, 1, 0, 3),  at(1, 0, 1, 0)};
    for (int i = 0; i < 6; i++)
        CHECK(natural_contact(&wrong[i], 2) > 0.01);
}
END

TEST(friction_is_measured_alike_in_a_frame_and_in_the_world)
{
    cairn_random random = {3};
    for (int k = 0; k < 1000; k++) {
        cairn_natural plane = at(cairn_random_range(&random, -1.0, 2.0), 0.0,
                                 cairn_random_range(&random, -1.0, 1.0), 0.0);
        cairn_vec3 n = cairn_random_direction(&random), t[2];
        cairn_tangents(n, &t[0], &t[1]);
        cairn_natural space = plane;
        cairn_vec3 lambda = {0}, v = {0};
        for (int i = 0; i < 2; i++) {
            plane.lambda_t[i] = cairn_random_range(&random, -1.0, 1.0);
            plane.v_t[i] = cairn_random_range(&random, -1.0, 1.0);
            lambda = cairn_add_scaled(lambda, plane.lambda_t[i], t[i]);
            v = cairn_add_scaled(v, plane.v_t[i], t[i]);
        }
        space.lambda_t[0] = lambda.x, space.lambda_t[1] = lambda.y, space.lambda_t[2] = lambda.z;
        space.v_t[0] = v.x, space.v_t[1] = v.y, space.v_t[2] = v.z;
        CHECK_NEAR(natural_contact(&space, 3), natural_contact(&plane, 2), 1e-14);
    }
}
END

static cairn_natural draw(cairn_random* random)
{
    cairn_natural x = {.lambda_n = cairn_random_range(random, -0.5, 2.0),
                       .v_n = cairn_random_range(random, -1.0, 1.0),
                       .over = 0.7};
    for (int k = 0; k < 3; k++) {
        x.lambda_t[k] = cairn_random_range(random, -1.0, 1.0);
        x.v_t[k] = cairn_random_range(random, -3.0, 3.0);
    }
    return x;
}

// the projection that methods use, and that of the map
TEST(friction_in_an_ellipsoid_is_measured_by_the_nearest_point)
{
    cairn_random random = {7};
    for (int n = 0; n < CHECK_CASES(100000); n++) {
        cairn_natural x = draw(&random);
        double mu[3], axis[3], z[3], to[3], slip = 0.0;
        for (int k = 0; k < 3; k++) {
            mu[k] = pow(10.0, cairn_random_range(&random, -4.0, 0.0));
            if (n % 8 == 0)
                mu[k] = k == 0 ? 0.4 : mu[0]; // a ball
            if (n % 8 == 1 + k)
                mu[k] = 0.0;
        }
        x.mu = mu[0];
        for (int k = 0; k < 3; k++) {
            axis[k] = mu[k] * fmax(x.lambda_n, 0.0);
            z[k] = x.lambda_t[k] - x.over * x.v_t[k];
        }
        cairn_project_on_ellipsoid(to, z, axis, NULL, 3);
        for (int k = 0; k < 3; k++)
            slip += (x.lambda_t[k] - to[k]) * (x.lambda_t[k] - to[k]);

        // both end a hair inside of the boundary
        CHECK_NEAR(sqrt(natural_slip_law(&x, mu)), sqrt(slip), 1e-13);
    }
}
END

// most dissipation: λ_k = -μ_k² v_k λ_N/√Σ(μ_k v_k)²
TEST(the_map_is_zero_where_an_ellipsoid_dissipates_most)
{
    cairn_random random = {9};
    const double mu[3] = {0.6, 0.2, 0.05};
    for (int n = 0; n < 1000; n++) {
        cairn_natural x = draw(&random);
        double length = 0.0;
        x.lambda_n = 2.0;
        x.mu = mu[0];
        for (int k = 0; k < 3; k++)
            length += mu[k] * mu[k] * x.v_t[k] * x.v_t[k];
        for (int k = 0; k < 3; k++)
            x.lambda_t[k] = -mu[k] * mu[k] * x.v_t[k] * x.lambda_n / sqrt(length);
        CHECK_BELOW(sqrt(natural_slip_law(&x, mu)), 1e-13);
        x.v_t[0] = -x.v_t[0];
        x.v_t[1] = -x.v_t[1];
        x.v_t[2] = -x.v_t[2];
        CHECK(sqrt(natural_slip_law(&x, mu)) > 0.01);
    }
}
END

TEST(a_nan_in_any_number_of_an_ellipsoid_stays)
{
    cairn_random random = {2};
    for (int n = 0; n < 100; n++) {
        cairn_natural x = draw(&random);
        double mu[3] = {0.6, n % 3 == 0 ? 0.6 : 0.2, n % 3 == 1 ? 0.0 : 0.6};
        x.mu = mu[0];
        double* read[] = {&x.lambda_n, &x.lambda_t[0], &x.lambda_t[1], &x.lambda_t[2], &x.v_t[0],
                          &x.v_t[1],   &x.v_t[2],      &x.over,        &mu[1],         &mu[2]};
        for (int k = 0; k < 10; k++) {
            double before = *read[k];
            *read[k] = NAN;
            ck_assert_msg(isnan(natural_slip_law(&x, mu)), "state %d, number %d", n, k);
            *read[k] = before;
        }
    }
}
END

TEST(a_nan_in_any_number_of_a_contact_stays)
{
    const cairn_natural states[] = {at(0, 0, 1, 3), at(2, 0.9, 0, 0), at(2, -1, 0, 3),
                                    at(0, 0, -1, 0), at(-1, 0, 0, 0)};
    for (int i = 0; i < 5; i++) {
        cairn_natural x = states[i];
        double* read[] = {&x.lambda_n, &x.v_n,    &x.lambda_t[0], &x.lambda_t[1],
                          &x.v_t[0],   &x.v_t[1], &x.mu,          &x.over};
        for (int k = 0; k < 8; k++) {
            double before = *read[k];
            *read[k] = NAN;
            ck_assert_msg(isnan(natural_contact(&x, 2)), "state %d, number %d", i, k);
            *read[k] = before;
        }
    }
}
END

TEST(the_worst_error_is_infinite_as_soon_as_one_is_no_number)
{
    CHECK(cairn_worst(1.0, 2.0) == 2.0 && cairn_worst(2.0, 1.0) == 2.0);
    CHECK(cairn_worst(1.0, NAN) == INFINITY);
    CHECK(cairn_worst(cairn_worst(1.0, NAN), 3.0) == INFINITY);
}
END

TESTS(the_map_is_zero_where_the_law_of_contact_holds,
      friction_is_measured_alike_in_a_frame_and_in_the_world,
      friction_in_an_ellipsoid_is_measured_by_the_nearest_point,
      the_map_is_zero_where_an_ellipsoid_dissipates_most, a_nan_in_any_number_of_an_ellipsoid_stays,
      a_nan_in_any_number_of_a_contact_stays,
      the_worst_error_is_infinite_as_soon_as_one_is_no_number)
