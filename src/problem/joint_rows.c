// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Rows of joints, made of two kinds of row. A point row along a direction d that is fixed to A, for
// points p_a = x_a + r_a and p_b = x_b + r_b:
//
//     d/dt [ d·(p_b - p_a) ] = d·(v_b + ω_b × r_b) - d·(v_a + ω_a × (r_a + p_b - p_a))
//
// (where p_a = p_b it does not matter to which body d is fixed), and a turning row
//
//     n·(ω_b - ω_a).

#include "problem/six.h"
#include <cairn/joint.h>

static const cairn_vec3 zero = {0.0, 0.0, 0.0};

// `arm` leads from the center of A to the point of B
static void point_row(cairn_row* row, cairn_vec3 arm, cairn_vec3 r_b, cairn_vec3 d)
{
    cairn_store_six(row->a, cairn_neg(d), cairn_cross(d, arm));
    cairn_store_six(row->b, d, cairn_cross(r_b, d));
}

static void turning_row(cairn_row* row, cairn_vec3 n)
{
    cairn_store_six(row->a, zero, cairn_neg(n));
    cairn_store_six(row->b, zero, n);
}

// two turning rows across an axis
static void align_rows(cairn_row* rows, cairn_vec3 axis)
{
    cairn_vec3 t, s;
    cairn_tangents(axis, &t, &s);
    turning_row(&rows[0], t);
    turning_row(&rows[1], s);
}

// two point rows across an axis
static void line_rows(cairn_row* rows, cairn_vec3 arm, cairn_vec3 r_b, cairn_vec3 axis)
{
    cairn_vec3 t, s;
    cairn_tangents(axis, &t, &s);
    point_row(&rows[0], arm, r_b, t);
    point_row(&rows[1], arm, r_b, s);
}

static void lock_rows(cairn_row* rows)
{
    turning_row(&rows[0], cairn_vec(1.0, 0.0, 0.0));
    turning_row(&rows[1], cairn_vec(0.0, 1.0, 0.0));
    turning_row(&rows[2], cairn_vec(0.0, 0.0, 1.0));
}

int cairn_ball_rows(cairn_vec3 r_a, cairn_vec3 r_b, cairn_row* rows)
{
    if (!rows)
        return 0;
    point_row(&rows[0], r_a, r_b, cairn_vec(1.0, 0.0, 0.0));
    point_row(&rows[1], r_a, r_b, cairn_vec(0.0, 1.0, 0.0));
    point_row(&rows[2], r_a, r_b, cairn_vec(0.0, 0.0, 1.0));
    return 3;
}

int cairn_hinge_rows(cairn_vec3 r_a, cairn_vec3 r_b, cairn_vec3 axis, cairn_row* rows)
{
    if (!rows)
        return 0;
    cairn_ball_rows(r_a, r_b, rows);
    align_rows(rows + 3, axis);
    return 5;
}

int cairn_slider_rows(cairn_vec3 r_a, cairn_vec3 r_b, cairn_vec3 apart, cairn_vec3 axis,
                      cairn_row* rows)
{
    if (!rows)
        return 0;
    line_rows(rows, cairn_add(r_a, apart), r_b, axis);
    lock_rows(rows + 2);
    return 5;
}

int cairn_cylindrical_rows(cairn_vec3 r_a, cairn_vec3 r_b, cairn_vec3 apart, cairn_vec3 axis,
                           cairn_row* rows)
{
    if (!rows)
        return 0;
    line_rows(rows, cairn_add(r_a, apart), r_b, axis);
    align_rows(rows + 2, axis);
    return 4;
}

int cairn_universal_rows(cairn_vec3 r_a, cairn_vec3 r_b, cairn_vec3 axis_a, cairn_vec3 axis_b,
                         cairn_row* rows)
{
    if (!rows)
        return 0;
    // d/dt (axis_a · axis_b) = (ω_b - ω_a) · (axis_b × axis_a)
    cairn_ball_rows(r_a, r_b, rows);
    turning_row(&rows[3], cairn_normalize(cairn_cross(axis_b, axis_a)));
    return 4;
}

int cairn_fixed_rows(cairn_vec3 r_a, cairn_vec3 r_b, cairn_row* rows)
{
    if (!rows)
        return 0;
    cairn_ball_rows(r_a, r_b, rows);
    lock_rows(rows + 3);
    return 6;
}

int cairn_distance_rows(cairn_vec3 r_a, cairn_vec3 r_b, cairn_vec3 apart, cairn_row* rows)
{
    if (!rows)
        return 0;
    // along the line of the points the arm of A may end at either of them
    point_row(&rows[0], r_a, r_b, cairn_normalize(apart));
    return 1;
}

int cairn_surface_rows(cairn_vec3 r_a, cairn_vec3 r_b, cairn_vec3 normal, cairn_row* rows)
{
    if (!rows)
        return 0;
    point_row(&rows[0], r_a, r_b, normal);
    return 1;
}

int cairn_gear_rows(cairn_vec3 axis_a, cairn_vec3 axis_b, double ratio, cairn_row* rows)
{
    if (!rows)
        return 0;
    cairn_store_six(rows[0].a, zero, cairn_neg(axis_a));
    cairn_store_six(rows[0].b, zero, cairn_scale(ratio, axis_b));
    return 1;
}

int cairn_rolling_rows(cairn_vec3 r_a, cairn_vec3 r_b, cairn_vec3 normal, cairn_row* rows)
{
    if (!rows)
        return 0;
    cairn_contact_rows(normal, r_a, r_b, 3, rows);
    return 3;
}
