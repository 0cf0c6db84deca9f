// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Rows against central differences of the constraint functions that they come from, and against
// the motions that a joint must leave free.

#include "check_cairn.h"
#include <cairn/cairn.h>
#include <cairn/random.h>

typedef struct motion {
    cairn_vec3 v, w;
} motion;

// two bodies with what is fixed to them: a point and an axis each
typedef struct pair {
    cairn_transform x[2];
    cairn_vec3 point[2], axis[2]; // in body axes
    motion u[2];
} pair;

static cairn_quat random_turn(cairn_random* random)
{
    return cairn_quat_from_rotation_vector(cairn_scale(1.5, cairn_random_vec3(random)));
}

// a pair whose points lie at `apart` (in world axes) from each other; axis_b as given
static pair random_pair(cairn_random* random, cairn_vec3 axis_a, cairn_vec3 axis_b,
                        cairn_vec3 apart)
{
    pair p;
    for (int i = 0; i < 2; i++) {
        p.x[i] = (cairn_transform){cairn_random_vec3(random), random_turn(random)};
        p.point[i] = cairn_random_vec3(random);
        p.u[i] = (motion){cairn_random_vec3(random), cairn_random_vec3(random)};
        p.axis[i] = cairn_rotate_back(p.x[i].q, i == 0 ? axis_a : axis_b);
    }
    cairn_vec3 a = cairn_transform_point(p.x[0], p.point[0]);
    cairn_vec3 b = cairn_transform_point(p.x[1], p.point[1]);
    p.x[1].p = cairn_add(p.x[1].p, cairn_sub(cairn_add(a, apart), b));
    return p;
}

static pair moved(pair p, double t)
{
    for (int i = 0; i < 2; i++) {
        p.x[i].p = cairn_add_scaled(p.x[i].p, t, p.u[i].v);
        p.x[i].q = cairn_quat_multiply(cairn_quat_from_rotation_vector(cairn_scale(t, p.u[i].w)),
                                       p.x[i].q);
    }
    return p;
}

static cairn_vec3 point(const pair* p, int i)
{
    return cairn_transform_point(p->x[i], p->point[i]);
}

static cairn_vec3 axis(const pair* p, int i)
{
    return cairn_rotate(p->x[i].q, p->axis[i]);
}

static cairn_vec3 arm(const pair* p, int i)
{
    return cairn_sub(point(p, i), p->x[i].p);
}

static cairn_vec3 apart(const pair* p)
{
    return cairn_sub(point(p, 1), point(p, 0));
}

static double row_velocity(const cairn_row* row, const motion* u)
{
    double j[2][6], sum = 0.0;
    for (int k = 0; k < 6; k++) {
        j[0][k] = row->a[k];
        j[1][k] = row->b[k];
    }
    for (int i = 0; i < 2; i++)
        sum += cairn_dot(cairn_vec(j[i][0], j[i][1], j[i][2]), u[i].v) +
               cairn_dot(cairn_vec(j[i][3], j[i][4], j[i][5]), u[i].w);
    return sum;
}

// ---------------------------------------------------------------- constraint functions

// what a joint's rows measure, as functions of the pose alone; `at` is the pose of the rows, which
// fixes directions to body A
typedef int (*constraint_function)(double* C, const pair* now, const pair* at);
typedef int (*row_function)(cairn_row* rows, const pair* at);

// a direction that is `d` in the pose `at` and fixed to body i
static cairn_vec3 fixed_to(const pair* now, const pair* at, int i, cairn_vec3 d)
{
    return cairn_rotate(now->x[i].q, cairn_rotate_back(at->x[i].q, d));
}

static void ball_function(double* C, const pair* now)
{
    cairn_vec3 d = apart(now);
    C[0] = d.x;
    C[1] = d.y;
    C[2] = d.z;
}

// across the axis of A: the axis of B has no part along t and s of A. With n × t = s,
// d/dt (s_a · n_b) = -t·(ω_b - ω_a) and d/dt (t_a · n_b) = s·(ω_b - ω_a) when the axes agree
static void align_function(double* C, const pair* now, const pair* at)
{
    cairn_vec3 t, s;
    cairn_tangents(axis(at, 0), &t, &s);
    C[0] = -cairn_dot(fixed_to(now, at, 0, s), axis(now, 1));
    C[1] = cairn_dot(fixed_to(now, at, 0, t), axis(now, 1));
}

static void line_function(double* C, const pair* now, const pair* at)
{
    cairn_vec3 t, s;
    cairn_tangents(axis(at, 0), &t, &s);
    C[0] = cairn_dot(fixed_to(now, at, 0, t), apart(now));
    C[1] = cairn_dot(fixed_to(now, at, 0, s), apart(now));
}

// the relative turn since `at`, as a rotation vector
static void lock_function(double* C, const pair* now, const pair* at)
{
    cairn_quat a = cairn_quat_multiply(now->x[0].q, cairn_quat_conjugate(at->x[0].q));
    cairn_quat b = cairn_quat_multiply(now->x[1].q, cairn_quat_conjugate(at->x[1].q));
    cairn_vec3 v = cairn_quat_to_rotation_vector(cairn_quat_multiply(b, cairn_quat_conjugate(a)));
    C[0] = v.x;
    C[1] = v.y;
    C[2] = v.z;
}

static int hinge_function(double* C, const pair* now, const pair* at)
{
    ball_function(C, now);
    align_function(C + 3, now, at);
    return 5;
}

static int slider_function(double* C, const pair* now, const pair* at)
{
    line_function(C, now, at);
    lock_function(C + 2, now, at);
    return 5;
}

static int cylindrical_function(double* C, const pair* now, const pair* at)
{
    line_function(C, now, at);
    align_function(C + 2, now, at);
    return 4;
}

static int universal_function(double* C, const pair* now, const pair* at)
{
    (void)at;
    ball_function(C, now);
    C[3] = cairn_dot(axis(now, 0), axis(now, 1));
    return 4;
}

static int fixed_function(double* C, const pair* now, const pair* at)
{
    ball_function(C, now);
    lock_function(C + 3, now, at);
    return 6;
}

static int distance_function(double* C, const pair* now, const pair* at)
{
    (void)at;
    C[0] = cairn_norm(apart(now));
    return 1;
}

// a sphere around the point of A, on which the point of B lies: its level function is the distance
static int surface_function(double* C, const pair* now, const pair* at)
{
    return distance_function(C, now, at);
}

static int hinge_of(cairn_row* rows, const pair* p)
{
    return cairn_hinge_rows(arm(p, 0), arm(p, 1), axis(p, 0), rows);
}

static int slider_of(cairn_row* rows, const pair* p)
{
    return cairn_slider_rows(arm(p, 0), arm(p, 1), apart(p), axis(p, 0), rows);
}

static int cylindrical_of(cairn_row* rows, const pair* p)
{
    return cairn_cylindrical_rows(arm(p, 0), arm(p, 1), apart(p), axis(p, 0), rows);
}

static int universal_of(cairn_row* rows, const pair* p)
{
    return cairn_universal_rows(arm(p, 0), arm(p, 1), axis(p, 0), axis(p, 1), rows);
}

static int fixed_of(cairn_row* rows, const pair* p)
{
    return cairn_fixed_rows(arm(p, 0), arm(p, 1), rows);
}

static int distance_of(cairn_row* rows, const pair* p)
{
    return cairn_distance_rows(arm(p, 0), arm(p, 1), apart(p), rows);
}

static int surface_of(cairn_row* rows, const pair* p)
{
    // the point where B touches the sphere of A, seen from the center of A
    cairn_vec3 touch = cairn_sub(point(p, 1), p->x[0].p);
    return cairn_surface_rows(touch, arm(p, 1), cairn_normalize(apart(p)), rows);
}

static const struct {
    const char* name;
    row_function rows;
    constraint_function C;
    bool perpendicular; // axis_b is perpendicular to axis_a, else the same
    double along;       // distance of the points along the axis
    double aside;       // distance of the points in any direction
} joints[] = {
    {"hinge", hinge_of, hinge_function, false, 0.0, 0.0},
    {"slider", slider_of, slider_function, false, 0.7, 0.0},
    {"cylindrical", cylindrical_of, cylindrical_function, false, -0.4, 0.0},
    {"universal", universal_of, universal_function, true, 0.0, 0.0},
    {"fixed", fixed_of, fixed_function, false, 0.0, 0.0},
    {"distance", distance_of, distance_function, false, 0.0, 1.3},
    {"surface", surface_of, surface_function, false, 0.0, 0.8},
};

TEST(rows_are_the_rates_of_their_constraint_functions)
{
    cairn_random random = {3};
    const double h = 1e-5; // central differences: error h² ~ 1e-10, round-off 1e-16/h ~ 1e-11
    for (size_t k = 0; k < sizeof joints / sizeof joints[0]; k++)
        for (int trial = 0; trial < 50; trial++) {
            cairn_vec3 n = cairn_random_direction(&random), t, s;
            cairn_tangents(n, &t, &s);
            cairn_vec3 d = cairn_add(cairn_scale(joints[k].along, n),
                                     cairn_scale(joints[k].aside, cairn_random_direction(&random)));
            pair p = random_pair(&random, n, joints[k].perpendicular ? t : n, d);
            pair after = moved(p, h), before = moved(p, -h);
            double plus[6], minus[6];
            cairn_row rows[6];
            int count = joints[k].rows(rows, &p);
            ck_assert_int_eq(joints[k].C(plus, &after, &p), count);
            joints[k].C(minus, &before, &p);
            for (int i = 0; i < count; i++)
                ck_assert_msg(fabs(row_velocity(&rows[i], p.u) - (plus[i] - minus[i]) / (2.0 * h)) <
                                  1e-8,
                              "%s row %d: %g, difference %g", joints[k].name, i,
                              row_velocity(&rows[i], p.u), (plus[i] - minus[i]) / (2.0 * h));
        }
}
END

// ---------------------------------------------------------------- free motions

// how far a motion of B against a resting A is from being free
static double resistance(const cairn_row* rows, int count, motion u)
{
    motion both[2] = {{{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}}, u};
    double worst = 0.0;
    for (int i = 0; i < count; i++)
        worst = fmax(worst, fabs(row_velocity(&rows[i], both)));
    return worst;
}

// turning about an axis through the point at r from the center of B
static motion turn_about(cairn_vec3 w, cairn_vec3 r)
{
    return (motion){cairn_cross(r, w), w};
}

static motion slide_along(cairn_vec3 v)
{
    return (motion){v, {0.0, 0.0, 0.0}};
}

TEST(each_joint_leaves_its_own_motions_free_and_no_others)
{
    cairn_random random = {5};
    for (int trial = 0; trial < 20; trial++) {
        cairn_vec3 n = cairn_random_direction(&random), t, s, r_a = cairn_random_vec3(&random);
        cairn_vec3 r_b = cairn_random_vec3(&random);
        cairn_tangents(n, &t, &s);
        cairn_vec3 none = cairn_vec(0.0, 0.0, 0.0);
        // in order: turning about n, t, s at the joint; sliding along n, t, s
        motion u[6] = {turn_about(n, r_b), turn_about(t, r_b), turn_about(s, r_b),
                       slide_along(n),     slide_along(t),     slide_along(s)};
        cairn_row rows[8][6];
        int count[8];
        count[0] = cairn_ball_rows(r_a, r_b, rows[0]);
        count[1] = cairn_hinge_rows(r_a, r_b, n, rows[1]);
        count[2] = cairn_slider_rows(r_a, r_b, none, n, rows[2]);
        count[3] = cairn_cylindrical_rows(r_a, r_b, none, n, rows[3]);
        count[4] = cairn_universal_rows(r_a, r_b, n, t, rows[4]);
        count[5] = cairn_fixed_rows(r_a, r_b, rows[5]);
        count[6] = cairn_surface_rows(r_a, r_b, n, rows[6]);
        count[7] = cairn_rolling_rows(r_a, r_b, n, rows[7]);
        static const char* const freedom[8] = {"111000", "100000", "000100", "100100",
                                               "110000", "000000", "111011", "111000"};
        for (int k = 0; k < 8; k++)
            for (int i = 0; i < 6; i++) {
                double x = resistance(rows[k], count[k], u[i]);
                ck_assert_msg(freedom[k][i] == '1' ? x < 1e-12 : x > 1e-3,
                              "joint %d, motion %d: %g", k, i, x);
            }
    }
}
END

TEST(a_gear_couples_two_speeds_by_its_ratio)
{
    cairn_row row;
    cairn_vec3 x = cairn_vec(1.0, 0.0, 0.0), y = cairn_vec(0.0, 1.0, 0.0);
    ck_assert_int_eq(cairn_gear_rows(x, y, 2.0, &row), 1);
    motion u[2] = {{{1.0, 2.0, 3.0}, {6.0, 5.0, 4.0}}, {{3.0, 2.0, 1.0}, {7.0, 3.0, 8.0}}};
    CHECK_NEAR(row_velocity(&row, u), 0.0, 1e-15);
    u[1].w.y = 3.5;
    CHECK_NEAR(row_velocity(&row, u), 1.0, 1e-15);
}
END

TEST(joint_forces_are_equal_and_opposite)
{
    // a rigid motion of both bodies together is free for every holonomic joint: forces and moments
    // cancel
    cairn_random random = {7};
    for (size_t k = 0; k < sizeof joints / sizeof joints[0]; k++) {
        cairn_vec3 n = cairn_random_direction(&random), t, s;
        cairn_tangents(n, &t, &s);
        cairn_vec3 d = cairn_add(cairn_scale(joints[k].along, n),
                                 cairn_scale(joints[k].aside, cairn_random_direction(&random)));
        pair p = random_pair(&random, n, joints[k].perpendicular ? t : n, d);
        cairn_row rows[6];
        int count = joints[k].rows(rows, &p);
        cairn_vec3 v = cairn_random_vec3(&random), w = cairn_random_vec3(&random);
        for (int i = 0; i < 2; i++)
            p.u[i] = (motion){cairn_add(v, cairn_cross(w, p.x[i].p)), w};
        for (int i = 0; i < count; i++)
            CHECK_NEAR(row_velocity(&rows[i], p.u), 0.0, 1e-13);
    }
}
END

TESTS(rows_are_the_rates_of_their_constraint_functions,
      each_joint_leaves_its_own_motions_free_and_no_others, a_gear_couples_two_speeds_by_its_ratio,
      joint_forces_are_equal_and_opposite)
