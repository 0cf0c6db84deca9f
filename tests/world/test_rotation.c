// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors

#include "check_cairn.h"
#include "world/step/rotation.h"

static const cairn_vec3 inertia = {1.0, 2.0, 3.0};

static cairn_vec3 momentum(cairn_quat q, cairn_vec3 omega)
{
    cairn_vec3 w = cairn_rotate_back(q, omega);
    return cairn_rotate(q, cairn_vec(inertia.x * w.x, inertia.y * w.y, inertia.z * w.z));
}

static double energy(cairn_quat q, cairn_vec3 omega)
{
    return 0.5 * cairn_dot(omega, momentum(q, omega));
}

TEST(a_tumbling_body_keeps_momentum_and_energy_for_a_minute)
{
    // about the intermediate axis, where a small disturbance turns the body over again and again
    cairn_quat q = cairn_quat_identity();
    cairn_vec3 omega = cairn_vec(0.01, 10.0, 0.01);
    cairn_vec3 L = momentum(q, omega);
    double E = energy(q, omega), least = 1.0;
    for (int i = 0; i < 3600; i++) {
        cairn_rotate_freely(&q, &omega, inertia, 1.0 / 60.0);
        cairn_vec3 side = cairn_rotate(q, cairn_vec(0.0, 1.0, 0.0));
        least = fmin(least, side.y);
        CHECK_BELOW(fabs(energy(q, omega) / E - 1.0), 1e-3);
        CHECK_BELOW(cairn_norm(cairn_sub(momentum(q, omega), L)) / cairn_norm(L), 1e-11);
    }
    CHECK_BELOW(least, -0.9); // it did turn over
}
END

TEST(the_error_of_a_turn_falls_with_the_square_of_the_step)
{
    // against the same motion in steps a hundred times shorter; 0.04 rad at most, so no sub-steps
    double error[2];

    for (int k = 0; k < 2; k++) {
        double h = k ? 0.01 : 0.02;
        cairn_quat q = cairn_quat_normalize((cairn_quat){1.0, 0.3, -0.2, 0.5}), p = q;
        cairn_vec3 omega = cairn_vec(1.0, -1.0, 0.8), w = omega;
        for (int i = 0; i < (k ? 100 : 50); i++)
            cairn_rotate_freely(&q, &omega, inertia, h);
        for (int i = 0; i < 10000; i++)
            cairn_rotate_freely(&p, &w, inertia, 1e-4);
        error[k] = cairn_norm(
            cairn_quat_to_rotation_vector(cairn_quat_multiply(q, cairn_quat_conjugate(p))));
    }

    CHECK_NEAR(log2(error[0] / error[1]), 2.0, 0.1);
}
END

TEST(a_round_body_keeps_its_axis)
{
    cairn_quat q = cairn_quat_identity();
    cairn_vec3 omega = cairn_vec(1.0, 2.0, 3.0), before = omega;
    cairn_rotate_freely(&q, &omega, cairn_vec(2.0, 2.0, 2.0), 0.1);
    CHECK_NEAR(cairn_norm(cairn_sub(omega, before)), 0.0, 0.0);
}
END

TEST(a_symmetric_top_precesses_as_one_that_is_all_but_symmetric)
{
    // one exact step against ten thousand of second order, whatever axis is the odd one
    for (int axis = 0; axis < 3; axis++) {
        double I[3] = {2.0, 2.0, 2.0};
        I[axis] = 0.7;
        cairn_vec3 exact = cairn_vec(I[0], I[1], I[2]);
        I[(axis + 1) % 3] *= 1.0 + 1e-12;
        cairn_vec3 almost = cairn_vec(I[0], I[1], I[2]);
        cairn_quat q = cairn_quat_normalize((cairn_quat){1.0, 0.3, -0.2, 0.5}), p = q;
        cairn_vec3 omega = cairn_vec(3.0, -2.0, 4.0), w = omega;
        cairn_rotate_freely(&q, &omega, exact, 1.0);

        for (int i = 0; i < 10000; i++)
            cairn_rotate_freely(&p, &w, almost, 1e-4);

        // (ω h)² = 3e-7 of a turn of some radians in each radian
        CHECK_BELOW(cairn_norm(cairn_quat_to_rotation_vector(
                        cairn_quat_multiply(q, cairn_quat_conjugate(p)))),
                    1e-6);
        CHECK_BELOW(cairn_norm(cairn_sub(omega, w)), 1e-5);
    }
}
END

TEST(a_turn_is_the_exponential_map_to_round_off)
{
    // from angles that vanish to 3 rad, beyond the quarter of a radian where the series ends
    for (int k = 0; k < 380; k++) {
        double angle = pow(10.0, -9.0 + 0.025 * k);
        cairn_vec3 axis = cairn_normalize(cairn_vec(0.6, -0.3 + 0.001 * k, 0.7));
        cairn_quat q = cairn_turn_by(cairn_scale(angle, axis));
        CHECK_NEAR(q.w, cos(0.5 * angle), 4e-16);
        CHECK_NEAR(q.x, axis.x * sin(0.5 * angle), 4e-16);
        CHECK_NEAR(q.y, axis.y * sin(0.5 * angle), 4e-16);
        CHECK_NEAR(q.z, axis.z * sin(0.5 * angle), 4e-16);
    }
}
END

TESTS(a_turn_is_the_exponential_map_to_round_off,
      a_symmetric_top_precesses_as_one_that_is_all_but_symmetric,
      a_tumbling_body_keeps_momentum_and_energy_for_a_minute,
      the_error_of_a_turn_falls_with_the_square_of_the_step, a_round_body_keeps_its_axis)
