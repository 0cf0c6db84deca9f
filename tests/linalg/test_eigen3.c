// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors

#include "check_cairn.h"
#include "linalg/eigen3.h"
#include <cairn/random.h>

static double distance(cairn_mat3 a, cairn_mat3 b)
{
    cairn_mat3 d = cairn_mat3_add(a, cairn_mat3_scale(-1.0, b));
    return fmax(cairn_norm(d.cx), fmax(cairn_norm(d.cy), cairn_norm(d.cz)));
}

static cairn_mat3 rebuilt(cairn_vec3 values, cairn_quat axes)
{
    cairn_mat3 R = cairn_quat_to_mat3(axes);
    return cairn_mat3_multiply(
        R, cairn_mat3_multiply(cairn_mat3_diagonal(values.x, values.y, values.z),
                               cairn_mat3_transpose(R)));
}

TEST(the_principal_axes_rebuild_the_matrix)
{
    cairn_random random = {1};
    for (int k = 0; k < 2000; k++) {
        // spectra over twelve decades, repeated values included
        cairn_vec3 spread = cairn_vec(pow(10.0, cairn_random_range(&random, -6.0, 6.0)),
                                      pow(10.0, cairn_random_range(&random, -6.0, 6.0)), 1.0);
        if (k % 3 == 0)
            spread.y = spread.x;
        cairn_quat turn = cairn_quat_normalize((cairn_quat){
            cairn_random_unit(&random), cairn_random_range(&random, -1.0, 1.0),
            cairn_random_range(&random, -1.0, 1.0), cairn_random_range(&random, -1.0, 1.0)});
        cairn_mat3 m = rebuilt(spread, turn);
        cairn_vec3 values;
        cairn_quat axes;
        cairn_eigen3(&values, &axes, m);
        double size = fmax(spread.x, fmax(spread.y, spread.z));
        CHECK_BELOW(distance(rebuilt(values, axes), m), 1e-14 * size);
    }
}
END

TEST(a_diagonal_matrix_keeps_its_axes)
{
    cairn_vec3 values;
    cairn_quat axes;
    cairn_eigen3(&values, &axes, cairn_mat3_diagonal(3.0, 1.0, 2.0));
    CHECK_NEAR(axes.w, 1.0, 0.0);
    CHECK_NEAR(values.x, 3.0, 0.0);
    CHECK_NEAR(values.y, 1.0, 0.0);
}
END

TESTS(the_principal_axes_rebuild_the_matrix, a_diagonal_matrix_keeps_its_axes)
