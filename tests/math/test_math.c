// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Vectors, matrices, quaternions and rigid motions by the laws they obey, on random values near
// one.

#include "check_cairn.h"
#include <cairn/random.h>

enum { trials = 500 };
static const double round_off = 1e-14; // a few operations on numbers up to 3

#define CHECK_SAME(a, b) CHECK_BELOW(cairn_norm(cairn_sub((a), (b))), round_off)

static cairn_mat3 random_matrix(cairn_random* random)
{
    cairn_vec3 x = cairn_random_vec3(random), y = cairn_random_vec3(random);
    return (cairn_mat3){x, y, cairn_random_vec3(random)};
}

static cairn_quat random_rotation(cairn_random* random)
{
    return cairn_quat_from_rotation_vector(cairn_scale(3.0, cairn_random_vec3(random)));
}

static double distance(cairn_mat3 a, cairn_mat3 b)
{
    return cairn_norm(cairn_sub(a.cx, b.cx)) + cairn_norm(cairn_sub(a.cy, b.cy)) +
           cairn_norm(cairn_sub(a.cz, b.cz));
}

TEST(the_cross_product_is_normal_to_both_and_obeys_jacobi)
{
    cairn_random random = {1};
    for (int i = 0; i < trials; i++) {
        cairn_vec3 a = cairn_random_vec3(&random), b = cairn_random_vec3(&random);
        cairn_vec3 c = cairn_random_vec3(&random), ab = cairn_cross(a, b);
        CHECK_NEAR(cairn_dot(ab, a), 0.0, round_off);
        CHECK_NEAR(cairn_dot(ab, b), 0.0, round_off);
        double square = cairn_dot(a, b) * cairn_dot(a, b) + cairn_dot(ab, ab);
        CHECK_NEAR(square, cairn_dot(a, a) * cairn_dot(b, b), round_off);
        cairn_vec3 sum = cairn_add(
            cairn_cross(a, cairn_cross(b, c)),
            cairn_add(cairn_cross(b, cairn_cross(c, a)), cairn_cross(c, cairn_cross(a, b))));
        CHECK_SAME(sum, cairn_vec(0.0, 0.0, 0.0));
    }
    cairn_vec3 z = cairn_cross(cairn_vec(1.0, 0.0, 0.0), cairn_vec(0.0, 1.0, 0.0));
    CHECK(z.x == 0.0 && z.y == 0.0 && z.z == 1.0);
}
END

TEST(a_normalized_vector_has_length_one_and_zero_stays_zero)
{
    cairn_random random = {2};
    for (int i = 0; i < trials; i++) {
        cairn_vec3 a = cairn_random_vec3(&random), n = cairn_normalize(a);
        CHECK_NEAR(cairn_norm(n), 1.0, 4e-16);
        CHECK_SAME(cairn_scale(cairn_norm(a), n), a);
    }
    CHECK(cairn_norm(cairn_normalize(cairn_vec(0.0, 0.0, 0.0))) == 0.0);
}
END

TEST(tangents_make_a_right_handed_frame_for_every_normal)
{
    cairn_random random = {3};
    for (int i = 0; i < trials + 6; i++) {
        const cairn_vec3 axes[6] = {{1.0, 0.0, 0.0},  {-1.0, 0.0, 0.0}, {0.0, 1.0, 0.0},
                                    {0.0, -1.0, 0.0}, {0.0, 0.0, 1.0},  {0.0, 0.0, -1.0}};
        cairn_vec3 n = i < 6 ? axes[i] : cairn_random_direction(&random), t, s;
        cairn_tangents(n, &t, &s);
        CHECK_NEAR(cairn_norm(t), 1.0, 1e-15);
        CHECK_NEAR(cairn_norm(s), 1.0, 1e-15);
        CHECK_SAME(cairn_cross(n, t), s);
    }
}
END

TEST(componentwise_bounds_bound)
{
    cairn_vec3 a = {1.0, -2.0, 3.0}, b = {0.0, 5.0, -4.0};
    cairn_vec3 lo = cairn_min(a, b), hi = cairn_max(a, b), size = cairn_abs(b);
    CHECK(lo.x == 0.0 && lo.y == -2.0 && lo.z == -4.0);
    CHECK(hi.x == 1.0 && hi.y == 5.0 && hi.z == 3.0);
    CHECK(size.x == 0.0 && size.y == 5.0 && size.z == 4.0);
    CHECK(cairn_is_finite(a) && !cairn_is_finite(cairn_vec(0.0, NAN, 0.0)));
    CHECK(!cairn_is_finite(cairn_vec(0.0, 0.0, -INFINITY)));
}
END

TEST(matrices_are_linear_maps)
{
    cairn_random random = {4};
    for (int i = 0; i < trials; i++) {
        cairn_mat3 A = random_matrix(&random), B = random_matrix(&random);
        cairn_vec3 x = cairn_random_vec3(&random), y = cairn_random_vec3(&random);
        CHECK_SAME(cairn_mat3_apply(cairn_mat3_multiply(A, B), x),
                   cairn_mat3_apply(A, cairn_mat3_apply(B, x)));
        CHECK_SAME(cairn_mat3_apply(cairn_mat3_add(A, cairn_mat3_scale(2.0, B)), x),
                   cairn_add_scaled(cairn_mat3_apply(A, x), 2.0, cairn_mat3_apply(B, x)));
        CHECK_NEAR(cairn_dot(cairn_mat3_apply(A, x), y),
                   cairn_dot(x, cairn_mat3_apply_transposed(A, y)), round_off);
        CHECK_SAME(cairn_mat3_apply_transposed(A, y), cairn_mat3_apply(cairn_mat3_transpose(A), y));
        CHECK_SAME(cairn_mat3_apply(cairn_mat3_skew(x), y), cairn_cross(x, y));
    }
}
END

TEST(the_inverse_undoes_and_determinants_multiply)
{
    cairn_random random = {5};
    for (int i = 0; i < trials; i++) {
        cairn_mat3 A = random_matrix(&random), B = random_matrix(&random);
        double det = cairn_mat3_determinant(A);
        CHECK_NEAR(cairn_mat3_determinant(cairn_mat3_multiply(A, B)),
                   det * cairn_mat3_determinant(B), round_off);

        // round-off grows with the condition, which is below 9/|det| here
        cairn_mat3 product = cairn_mat3_multiply(A, cairn_mat3_inverse(A));
        CHECK_BELOW(distance(product, cairn_mat3_identity()) * fabs(det), round_off);
    }
    cairn_mat3 none = cairn_mat3_inverse(cairn_mat3_diagonal(1.0, 0.0, 1.0));
    CHECK(distance(none, cairn_mat3_diagonal(0.0, 0.0, 0.0)) == 0.0);
}
END

TEST(rotations_keep_lengths_and_orientation)
{
    cairn_random random = {6};
    for (int i = 0; i < trials; i++) {
        cairn_quat q = random_rotation(&random);
        cairn_vec3 x = cairn_random_vec3(&random), y = cairn_random_vec3(&random);
        cairn_mat3 R = cairn_quat_to_mat3(q);
        CHECK_NEAR(cairn_norm(cairn_rotate(q, x)), cairn_norm(x), round_off);
        CHECK_SAME(cairn_rotate(q, cairn_cross(x, y)),
                   cairn_cross(cairn_rotate(q, x), cairn_rotate(q, y)));
        CHECK_SAME(cairn_rotate(q, x), cairn_mat3_apply(R, x));
        CHECK_SAME(cairn_rotate_back(q, cairn_rotate(q, x)), x);
        CHECK_NEAR(cairn_mat3_determinant(R), 1.0, round_off);
        CHECK_BELOW(
            distance(cairn_mat3_multiply(R, cairn_mat3_transpose(R)), cairn_mat3_identity()),
            round_off);
    }
}
END

TEST(quaternions_compose_as_rotations_do)
{
    cairn_random random = {7};
    for (int i = 0; i < trials; i++) {
        cairn_quat a = random_rotation(&random), b = random_rotation(&random);
        cairn_vec3 x = cairn_random_vec3(&random);
        CHECK_SAME(cairn_rotate(cairn_quat_multiply(a, b), x), cairn_rotate(a, cairn_rotate(b, x)));
        cairn_quat back = cairn_quat_multiply(a, cairn_quat_conjugate(a));
        CHECK_NEAR(back.w, 1.0, round_off);
        CHECK_NEAR(fabs(back.x) + fabs(back.y) + fabs(back.z), 0.0, round_off);
    }
}
END

TEST(the_exponential_map_turns_by_its_length_about_itself)
{
    cairn_random random = {8};
    for (int i = 0; i < trials; i++) {
        double angle = i % 5 == 0 ? 1e-9 * i : cairn_random_range(&random, 0.0, 3.14);
        if (i % 5 == 1)
            angle *= 0.02; // around the end of the series
        cairn_vec3 axis = cairn_random_direction(&random), t, s;
        cairn_quat q = cairn_quat_from_rotation_vector(cairn_scale(angle, axis));
        cairn_tangents(axis, &t, &s);
        CHECK_SAME(cairn_rotate(q, axis), axis);
        CHECK_SAME(cairn_rotate(q, t), cairn_add_scaled(cairn_scale(cos(angle), t), sin(angle), s));
        CHECK_SAME(cairn_quat_to_rotation_vector(q), cairn_scale(angle, axis));

        // the same rotation with the other sign
        cairn_quat minus = {-q.w, -q.x, -q.y, -q.z};
        CHECK_SAME(cairn_quat_to_rotation_vector(minus), cairn_scale(angle, axis));
    }
}
END

TEST(a_normalized_quaternion_is_a_rotation_and_zero_is_none)
{
    cairn_quat q = cairn_quat_normalize((cairn_quat){3.0, 0.0, 4.0, 0.0});
    CHECK_NEAR(q.w, 0.6, 1e-16);
    CHECK_NEAR(q.y, 0.8, 1e-16);
    q = cairn_quat_normalize((cairn_quat){0.0, 0.0, 0.0, 0.0});
    CHECK(q.w == 1.0 && q.x == 0.0 && q.y == 0.0 && q.z == 0.0);
}
END

TEST(rigid_motions_compose_and_go_back)
{
    cairn_random random = {9};
    for (int i = 0; i < trials; i++) {
        cairn_transform a = {cairn_random_vec3(&random), random_rotation(&random)};
        cairn_transform b = {cairn_random_vec3(&random), random_rotation(&random)};
        cairn_vec3 x = cairn_random_vec3(&random);
        cairn_vec3 ab = cairn_transform_point(cairn_transform_multiply(a, b), x);
        CHECK_SAME(ab, cairn_transform_point(a, cairn_transform_point(b, x)));
        CHECK_SAME(cairn_transform_point_back(a, cairn_transform_point(a, x)), x);
        CHECK_SAME(
            cairn_transform_point(a, cairn_transform_point(cairn_transform_relative(a, b), x)),
            cairn_transform_point(b, x));
        CHECK_SAME(cairn_transform_point(cairn_transform_identity(), x), x);
    }
}
END

TEST(random_numbers_are_those_of_the_published_generator)
{
    // the first outputs of SplitMix64 from seed 1234567, as its reference implementation gives them
    cairn_random random = {1234567};
    CHECK(cairn_random_bits(&random) == 6457827717110365317u);
    CHECK(cairn_random_bits(&random) == 3203168211198807973u);
    CHECK(cairn_random_bits(&random) == 9817491932198370423u);
}
END

TEST(random_numbers_fill_their_ranges)
{
    cairn_random random = {10};
    double mean = 0.0, least = 1.0, most = 0.0;
    int count[5] = {0};
    cairn_vec3 sum = {0.0, 0.0, 0.0};
    for (int i = 0; i < 20000; i++) {
        double x = cairn_random_unit(&random);
        mean += x / 20000.0;
        least = fmin(least, x);
        most = fmax(most, x);
        count[cairn_random_index(&random, 5)]++;
        sum = cairn_add(sum, cairn_random_direction(&random));
    }

    // five standard deviations
    CHECK_NEAR(mean, 0.5, 5.0 * sqrt(1.0 / 12.0 / 20000.0));
    CHECK(least >= 0.0 && least < 1e-3 && most < 1.0 && most > 0.999);
    for (int i = 0; i < 5; i++)
        CHECK_NEAR(count[i], 4000.0, 5.0 * sqrt(20000.0 * 0.2 * 0.8));
    CHECK_BELOW(cairn_norm(sum), 5.0 * sqrt(20000.0));
}
END

TEST(a_length_is_right_where_its_squares_are_not)
{
    static const double scale[] = {1.0, 1e-300, 1e300, 1e-140, 1e140, 0.0};
    for (int i = 0; i < 6; i++)
        CHECK_NEAR(cairn_length(-3.0 * scale[i], 4.0 * scale[i]), 5.0 * scale[i], 2e-15 * scale[i]);
}
END

TESTS(a_length_is_right_where_its_squares_are_not,
      the_cross_product_is_normal_to_both_and_obeys_jacobi,
      a_normalized_vector_has_length_one_and_zero_stays_zero,
      tangents_make_a_right_handed_frame_for_every_normal, componentwise_bounds_bound,
      matrices_are_linear_maps, the_inverse_undoes_and_determinants_multiply,
      rotations_keep_lengths_and_orientation, quaternions_compose_as_rotations_do,
      the_exponential_map_turns_by_its_length_about_itself,
      a_normalized_quaternion_is_a_rotation_and_zero_is_none, rigid_motions_compose_and_go_back,
      random_numbers_are_those_of_the_published_generator, random_numbers_fill_their_ranges)
