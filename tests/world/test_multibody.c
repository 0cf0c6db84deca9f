// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Dynamics in joint coordinates against closed forms, against dense sums over Jacobians and against
// the world, which knows nothing of joint coordinates.

#include "check_cairn.h"
#include <cairn/multibody.h>
#include <cairn/world.h>
#include <stdlib.h>
#include <string.h>

enum { most = 64 };

static const cairn_vec3 gravity = {0.3, -0.2, -9.81};

static cairn_multibody* make(const cairn_multibody_link* links, int count, cairn_vec3 g)
{
    cairn_multibody* mb = NULL;
    cairn_error error;
    cairn_status status = cairn_multibody_create(links, count, g, &mb, &error);
    ck_assert_msg(status == CAIRN_OK, "%s", error.text);
    return mb;
}

static double uniform(uint64_t* state, double lo, double hi)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return lo + (hi - lo) * (double)(*state >> 11) * 0x1p-53;
}

static cairn_vec3 vector(uint64_t* state, double size)
{
    double x = uniform(state, -size, size), y = uniform(state, -size, size);
    return cairn_vec(x, y, uniform(state, -size, size));
}

// a tree with a free root and joints of every kind
static int draw_tree(cairn_multibody_link* links, int count, uint64_t* state)
{
    for (int i = 0; i < count; i++) {
        cairn_mat3 R = cairn_quat_to_mat3(cairn_quat_from_rotation_vector(vector(state, 1.0)));
        double a = uniform(state, 0.5, 1.0), b = uniform(state, 0.5, 1.0);
        cairn_mat3 D = cairn_mat3_diagonal(a, b, a + b - 0.3);
        links[i] = (cairn_multibody_link){
            .parent = i == 0 ? -1 : (int)uniform(state, i > 3 ? i - 3 : 0, i),
            .at = {vector(state, 0.5), cairn_quat_from_rotation_vector(vector(state, 1.5))},
            .mobility = i == 0 ? CAIRN_MOBILITY_FREE : (cairn_mobility)(i % 4),
            .axis = cairn_normalize(vector(state, 1.0)),
            .anchor = vector(state, 0.2),
            .mass = uniform(state, 0.5, 2.0),
            .center = vector(state, 0.3),
            .inertia = cairn_mat3_multiply(R, cairn_mat3_multiply(D, cairn_mat3_transpose(R))),
            .armature = i % 3 == 1 ? 0.1 : 0.0,
        };
    }

    return count;
}

static void draw_q(const cairn_multibody* mb, double* q, uint64_t* state)
{
    int n = cairn_multibody_q_count(mb);
    cairn_multibody_zero(mb, q);

    for (int i = 0; i < n; i++)
        q[i] += uniform(state, -0.7, 0.7);

    // quaternions of unit length, as finite differences need them
    for (int i = 0; i < cairn_multibody_links(mb); i++) {
        cairn_mobility kind = cairn_multibody_get(mb, i).mobility;
        double* at = q + cairn_multibody_q_offset(mb, i) + (kind == CAIRN_MOBILITY_FREE ? 3 : 0);
        if (kind != CAIRN_MOBILITY_BALL && kind != CAIRN_MOBILITY_FREE)
            continue;
        cairn_quat u = cairn_quat_normalize((cairn_quat){at[0], at[1], at[2], at[3]});
        memcpy(at, &u, sizeof u);
    }
}

// q moved by v for a time h
static void move_q(const cairn_multibody* mb, double* to, const double* q, const double* v,
                   double h)
{
    memcpy(to, q, (size_t)cairn_multibody_q_count(mb) * sizeof *q);
    for (int i = 0; i < cairn_multibody_links(mb); i++) {
        cairn_mobility kind = cairn_multibody_get(mb, i).mobility;
        double* at = to + cairn_multibody_q_offset(mb, i);
        const double* speed = v + cairn_multibody_v_offset(mb, i);

        if (kind == CAIRN_MOBILITY_HINGE || kind == CAIRN_MOBILITY_SLIDE)
            at[0] += h * speed[0];

        if (kind == CAIRN_MOBILITY_FREE) {
            for (int k = 0; k < 3; k++)
                at[k] += h * speed[k];
            at += 3;
            speed += 3;
        }

        if (kind == CAIRN_MOBILITY_BALL || kind == CAIRN_MOBILITY_FREE) {
            // the spin is in link axes: q exp(h ω)
            cairn_quat old = {at[0], at[1], at[2], at[3]};
            cairn_vec3 turn = cairn_vec(h * speed[0], h * speed[1], h * speed[2]);
            cairn_quat u = cairn_quat_multiply(old, cairn_quat_from_rotation_vector(turn));
            memcpy(at, &u, sizeof u);
        }
    }
}

static double largest(const double* x, int n)
{
    double most_of = 0.0;
    for (int i = 0; i < n; i++)
        most_of = fmax(most_of, fabs(x[i]));
    return most_of;
}

TEST(a_pendulum_has_the_mass_and_the_weight_of_the_textbook)
{
    // (I + m l²) a + m g l sin q = τ
    cairn_multibody_link link = {.parent = -1,
                                 .at = cairn_transform_identity(),
                                 .mobility = CAIRN_MOBILITY_HINGE,
                                 .axis = {0.0, 1.0, 0.0},
                                 .mass = 2.0,
                                 .center = {0.0, 0.0, -0.5},
                                 .inertia = cairn_mat3_diagonal(0.1, 0.2, 0.3)};
    cairn_multibody* mb = make(&link, 1, cairn_vec(0.0, 0.0, -9.81));
    double q = 0.7, M, tau, a;
    CHECK(cairn_multibody_mass_matrix(mb, &q, &M, NULL) == CAIRN_OK);
    CHECK(cairn_multibody_inverse(mb, &q, NULL, NULL, &tau, NULL) == CAIRN_OK);
    CHECK(cairn_multibody_forward(mb, &q, NULL, NULL, &a, NULL) == CAIRN_OK);

    CHECK_NEAR(M, 0.2 + 2.0 * 0.25, 1e-15);
    CHECK_NEAR(tau, 2.0 * 9.81 * 0.5 * sin(0.7), 1e-14);
    CHECK_NEAR(a, -tau / M, 1e-13);
    cairn_multibody_destroy(mb);
}
END

TEST(a_double_pendulum_has_the_equations_of_the_textbook)
{
    // two rods without thickness, masses at their ends: M11 = (m1 + m2) l1² + m2 l2² + 2 m2 l1 l2 cos q2,
    // M12 = m2 l2² + m2 l1 l2 cos q2, M22 = m2 l2²; c1 = -m2 l1 l2 sin q2 (2 v1 v2 + v2²), c2 = m2 l1 l2
    // sin q2 v1²
    const double m1 = 1.3, m2 = 0.7, l1 = 0.8, l2 = 0.5, q[] = {0.4, 1.1}, v[] = {0.9, -1.7};
    cairn_multibody_link rods[2] = {{.parent = -1,
                                     .at = cairn_transform_identity(),
                                     .mobility = CAIRN_MOBILITY_HINGE,
                                     .axis = {0.0, 1.0, 0.0},
                                     .mass = m1,
                                     .center = {0.0, 0.0, -l1}},
                                    {.parent = 0,
                                     .at = {{0.0, 0.0, -l1}, {1.0, 0.0, 0.0, 0.0}},
                                     .mobility = CAIRN_MOBILITY_HINGE,
                                     .axis = {0.0, 1.0, 0.0},
                                     .mass = m2,
                                     .center = {0.0, 0.0, -l2}}};
    cairn_multibody* mb = make(rods, 2, cairn_vec(0.0, 0.0, 0.0));
    double M[4], c[2];
    CHECK(cairn_multibody_mass_matrix(mb, q, M, NULL) == CAIRN_OK);
    CHECK(cairn_multibody_inverse(mb, q, v, NULL, c, NULL) == CAIRN_OK);
    double k = m2 * l1 * l2;

    CHECK_NEAR(M[0], (m1 + m2) * l1 * l1 + m2 * l2 * l2 + 2.0 * k * cos(q[1]), 1e-14);
    CHECK_NEAR(M[1], m2 * l2 * l2 + k * cos(q[1]), 1e-14);
    CHECK_NEAR(M[2], M[1], 0.0);
    CHECK_NEAR(M[3], m2 * l2 * l2, 1e-15);
    CHECK_NEAR(c[0], -k * sin(q[1]) * (2.0 * v[0] * v[1] + v[1] * v[1]), 1e-14);
    CHECK_NEAR(c[1], k * sin(q[1]) * v[0] * v[0], 1e-14);
    cairn_multibody_destroy(mb);
}
END

TEST(the_jacobian_is_the_derivative_of_the_pose)
{
    uint64_t state = 1;
    cairn_multibody_link links[12];
    cairn_multibody* mb = make(links, draw_tree(links, 12, &state), gravity);
    int n = cairn_multibody_v_count(mb);
    double q[most], moved[most], v[most], *J = calloc((size_t)(6 * n), sizeof *J);
    const double h = 1e-5;

    for (int round = 0; round < 5; round++) {
        draw_q(mb, q, &state);
        for (int i = 0; i < n; i++)
            v[i] = uniform(&state, -1.0, 1.0);

        cairn_vec3 point = vector(&state, 0.5);
        CHECK(cairn_multibody_jacobian(mb, q, 11, point, J, NULL) == CAIRN_OK);

        // J v against a central difference
        cairn_vec3 at[2];

        for (int side = 0; side < 2; side++) {
            cairn_transform poses[12];
            move_q(mb, moved, q, v, side ? h : -h);
            CHECK(cairn_multibody_kinematics(mb, moved, NULL, poses, NULL, NULL, NULL) == CAIRN_OK);
            at[side] = cairn_transform_point(poses[11], point);
        }

        cairn_vec3 speed = cairn_scale(0.5 / h, cairn_sub(at[1], at[0]));
        const double expected[] = {speed.x, speed.y, speed.z};

        for (int row = 0; row < 3; row++) {
            double sum = 0.0;
            for (int k = 0; k < n; k++)
                sum += J[row * n + k] * v[k];
            CHECK_NEAR(sum, expected[row], 1e-8); // h² of the third derivative
        }
    }
    free(J);
    cairn_multibody_destroy(mb);
}
END

TEST(the_mass_matrix_is_the_sum_over_the_jacobians_of_all_links)
{
    // M = Σ m J_v^T J_v + J_ω^T I J_ω + armature
    uint64_t state = 2;
    cairn_multibody_link links[12];
    cairn_multibody* mb = make(links, draw_tree(links, 12, &state), gravity);
    int n = cairn_multibody_v_count(mb);
    double q[most];
    double* M = calloc((size_t)(n * n), sizeof *M);
    double* sum = calloc((size_t)(n * n), sizeof *M);
    double* J = calloc((size_t)(6 * n), sizeof *J);
    cairn_transform poses[12];
    draw_q(mb, q, &state);
    CHECK(cairn_multibody_mass_matrix(mb, q, M, NULL) == CAIRN_OK);
    CHECK(cairn_multibody_kinematics(mb, q, NULL, poses, NULL, NULL, NULL) == CAIRN_OK);

    for (int i = 0; i < 12; i++) {
        cairn_mat3 R = cairn_quat_to_mat3(poses[i].q);
        cairn_mat3 I =
            cairn_mat3_multiply(R, cairn_mat3_multiply(links[i].inertia, cairn_mat3_transpose(R)));
        CHECK(cairn_multibody_jacobian(mb, q, i, links[i].center, J, NULL) == CAIRN_OK);

        for (int k = 0; k < n; k++) {
            cairn_vec3 w = cairn_vec(J[3 * n + k], J[4 * n + k], J[5 * n + k]);
            cairn_vec3 L = cairn_mat3_apply(I, w);
            for (int l = 0; l < n; l++) {
                double s = L.x * J[3 * n + l] + L.y * J[4 * n + l] + L.z * J[5 * n + l];
                for (int row = 0; row < 3; row++)
                    s += links[i].mass * J[row * n + k] * J[row * n + l];
                sum[k * n + l] += s;
            }
        }

        int dofs =
            (i < 11 ? cairn_multibody_v_offset(mb, i + 1) : n) - cairn_multibody_v_offset(mb, i);

        for (int k = 0; k < dofs; k++)
            sum[(n + 1) * (cairn_multibody_v_offset(mb, i) + k)] += links[i].armature;
    }

    double size = largest(sum, n * n);
    for (int k = 0; k < n * n; k++)
        CHECK_NEAR(M[k], sum[k], 1e-14 * size);
    free(M);
    free(sum);
    free(J);
    cairn_multibody_destroy(mb);
}
END

TEST(inverse_dynamics_is_the_mass_matrix_and_the_bias_and_forward_dynamics_undoes_it)
{
    uint64_t state = 3;
    cairn_multibody_link links[14];
    cairn_multibody* mb = make(links, draw_tree(links, 14, &state), gravity);
    int n = cairn_multibody_v_count(mb);
    double q[most], v[most], a[most], tau[most], c[most], back[most];
    double* M = calloc((size_t)(n * n), sizeof *M);

    for (int round = 0; round < 5; round++) {
        draw_q(mb, q, &state);
        for (int i = 0; i < n; i++) {
            v[i] = uniform(&state, -2.0, 2.0);
            a[i] = uniform(&state, -5.0, 5.0);
        }

        CHECK(cairn_multibody_inverse(mb, q, v, a, tau, NULL) == CAIRN_OK);
        CHECK(cairn_multibody_inverse(mb, q, v, NULL, c, NULL) == CAIRN_OK);
        CHECK(cairn_multibody_mass_matrix(mb, q, M, NULL) == CAIRN_OK);
        CHECK(cairn_multibody_forward(mb, q, v, tau, back, NULL) == CAIRN_OK);

        // τ = M a + c
        double size = largest(tau, n);

        for (int k = 0; k < n; k++) {
            double sum = c[k];
            for (int l = 0; l < n; l++)
                sum += M[k * n + l] * a[l];
            CHECK_NEAR(tau[k], sum, 1e-13 * size);
            CHECK_NEAR(back[k], a[k], 1e-10); // times the condition of M, some hundred
        }
    }
    free(M);
    cairn_multibody_destroy(mb);
}
END

TEST(a_tree_left_to_itself_keeps_energy_at_every_moment)
{
    // d/dt (T + P) = τ·v; with τ = 0 the rate vanishes. By central differences along the motion.
    uint64_t state = 4;
    cairn_multibody_link links[10];
    cairn_multibody* mb = make(links, draw_tree(links, 10, &state), gravity);
    int n = cairn_multibody_v_count(mb);
    double q[most], v[most], a[most], at[most], speed[most], T[2], P[2];
    const double h = 1e-5;
    draw_q(mb, q, &state);

    for (int i = 0; i < n; i++)
        v[i] = uniform(&state, -2.0, 2.0);

    CHECK(cairn_multibody_forward(mb, q, v, NULL, a, NULL) == CAIRN_OK);
    for (int side = 0; side < 2; side++) {
        double s = side ? h : -h;
        for (int i = 0; i < n; i++)
            speed[i] = v[i] + s * a[i];
        move_q(mb, at, q, v, s);
        CHECK(cairn_multibody_energy(mb, at, speed, &T[side], &P[side], NULL) == CAIRN_OK);
    }

    double kinetic = (T[1] - T[0]) / (2.0 * h), potential = (P[1] - P[0]) / (2.0 * h);
    CHECK(fabs(kinetic) > 1.0); // something goes to and fro
    CHECK_NEAR(kinetic, -potential, 1e-6 * fabs(kinetic));
    cairn_multibody_destroy(mb);
}
END

TEST(a_swinging_chain_of_the_world_follows_the_equations_in_joint_coordinates)
{
    // two links on hinges about skew axes: the world knows bodies and rows, the multibody angles
    const cairn_vec3 g = {0.0, 0.0, -9.81};
    cairn_multibody_link links[2] = {{.parent = -1,
                                      .at = cairn_transform_identity(),
                                      .mobility = CAIRN_MOBILITY_HINGE,
                                      .axis = {0.0, 1.0, 0.0},
                                      .mass = 1.0,
                                      .center = {0.2, 0.0, 0.0},
                                      .inertia = cairn_mat3_diagonal(0.01, 0.02, 0.03)},
                                     {.parent = 0,
                                      .at = {{0.4, 0.0, 0.0}, {1.0, 0.0, 0.0, 0.0}},
                                      .mobility = CAIRN_MOBILITY_HINGE,
                                      .axis = {0.0, 0.0, 1.0},
                                      .mass = 0.5,
                                      .center = {0.2, 0.0, 0.05},
                                      .inertia = cairn_mat3_diagonal(0.01, 0.01, 0.02)}};
    cairn_multibody* mb = make(links, 2, g);
    double q[2] = {0.0, 0.5}, v[2] = {0.0, 0.0};
    cairn_transform poses[2];
    CHECK(cairn_multibody_kinematics(mb, q, v, poses, NULL, NULL, NULL) == CAIRN_OK);

    // the same as bodies
    cairn_world_def options = cairn_default_world_def();
    options.accuracy = 1e-9;
    options.most_substeps = 1000;
    cairn_world* world = NULL;
    CHECK(cairn_world_create(&options, &world, NULL) == CAIRN_OK);
    cairn_body_id ids[2];

    for (int i = 0; i < 2; i++) {
        cairn_body_def def = cairn_default_body_def();
        def.mass = links[i].mass;
        def.inertia = links[i].inertia;
        def.centered = true;
        def.center = links[i].center;
        def.pose = poses[i];
        CHECK(cairn_world_add_body(world, &def, &ids[i], NULL) == CAIRN_OK);
        cairn_joint_def joint = cairn_default_joint_def(CAIRN_JOINT_HINGE);
        cairn_joint_id id;
        cairn_vec3 z = {0.0, 0.0, 1.0}, turn = cairn_cross(z, links[i].axis);
        joint.body_b = ids[i];
        joint.frame_b.q = cairn_quat_from_rotation_vector(cairn_scale(M_PI / 2.0, turn));
        cairn_transform there = cairn_transform_multiply(poses[i], joint.frame_b);
        joint.frame_a = i ? cairn_transform_relative(poses[0], there) : there;

        if (i)
            joint.body_a = ids[0];

        CHECK(cairn_world_add_joint(world, &joint, &id, NULL) == CAIRN_OK);
    }

    // half a second: the world in steps of its own, the angles by the midpoint rule
    for (int i = 0; i < 30; i++)
        CHECK(cairn_world_step(world, 1.0 / 60.0, NULL, NULL) == CAIRN_OK);

    const double h = 0.5 / 5000.0;
    for (int i = 0; i < 5000; i++) {
        double a[2], mid_q[2], mid_v[2];
        CHECK(cairn_multibody_forward(mb, q, v, NULL, a, NULL) == CAIRN_OK);
        for (int k = 0; k < 2; k++) {
            mid_q[k] = q[k] + 0.5 * h * v[k];
            mid_v[k] = v[k] + 0.5 * h * a[k];
        }
        CHECK(cairn_multibody_forward(mb, mid_q, mid_v, NULL, a, NULL) == CAIRN_OK);
        for (int k = 0; k < 2; k++) {
            q[k] += h * mid_v[k];
            v[k] += h * a[k];
        }
    }

    CHECK(cairn_multibody_kinematics(mb, q, v, poses, NULL, NULL, NULL) == CAIRN_OK);
    for (int i = 0; i < 2; i++) {
        cairn_body_state s;
        CHECK(cairn_body_get(world, ids[i], &s, NULL) == CAIRN_OK);
        CHECK_BELOW(cairn_norm(cairn_sub(s.pose.p, poses[i].p)), 2e-4); // of a way of half a meter
    }
    cairn_world_destroy(world);
    cairn_multibody_destroy(mb);
}
END

TEST(links_without_mass_serve_as_joints_of_several_axes)
{
    // two hinges at one place: the first moves a link without mass, which moves one with it
    cairn_multibody_link links[2] = {{.parent = -1,
                                      .at = cairn_transform_identity(),
                                      .mobility = CAIRN_MOBILITY_HINGE,
                                      .axis = {1.0, 0.0, 0.0}},
                                     {.parent = 0,
                                      .at = cairn_transform_identity(),
                                      .mobility = CAIRN_MOBILITY_HINGE,
                                      .axis = {0.0, 1.0, 0.0},
                                      .mass = 1.0,
                                      .center = {0.0, 0.0, -0.5}}};
    cairn_multibody* mb = make(links, 2, cairn_vec(0.0, 0.0, -9.81));
    double q[2] = {0.3, 0.4}, tau[2] = {0.1, -0.2}, a[2], back[2];
    CHECK(cairn_multibody_forward(mb, q, NULL, tau, a, NULL) == CAIRN_OK);
    CHECK(cairn_multibody_inverse(mb, q, NULL, a, back, NULL) == CAIRN_OK);

    CHECK_NEAR(back[0], tau[0], 1e-13);
    CHECK_NEAR(back[1], tau[1], 1e-13);
    cairn_multibody_destroy(mb);
}
END

TEST(what_cannot_be_a_tree_is_refused_with_a_sentence)
{
    cairn_error error = {""};
    cairn_multibody* mb = NULL;
    cairn_multibody_link good = {.parent = -1,
                                 .at = cairn_transform_identity(),
                                 .mobility = CAIRN_MOBILITY_HINGE,
                                 .axis = {0.0, 0.0, 1.0},
                                 .mass = 1.0};
    cairn_multibody_link bad = good;
    bad.parent = 0;

    CHECK(cairn_multibody_create(&bad, 1, gravity, &mb, &error) == CAIRN_BAD_INPUT);
    CHECK(strstr(error.text, "parent"));

    bad = good;
    bad.axis = cairn_vec(0.0, 0.0, 0.0);
    CHECK(cairn_multibody_create(&bad, 1, gravity, &mb, &error) == CAIRN_BAD_INPUT);

    bad = good;
    bad.mass = NAN;

    CHECK(cairn_multibody_create(&bad, 1, gravity, &mb, &error) == CAIRN_BAD_INPUT);
    CHECK(cairn_multibody_create(NULL, 1, gravity, &mb, &error) == CAIRN_BAD_INPUT);
    CHECK(mb == NULL);

    // a joint that moves nothing, numbers that are none, and objects that are missing
    mb = make(&good, 1, gravity);
    double q = 0.0, a, nan = NAN;

    CHECK(cairn_multibody_forward(mb, &q, NULL, NULL, &a, &error) == CAIRN_BAD_INPUT);
    CHECK(strstr(error.text, "moves no mass"));
    CHECK(cairn_multibody_forward(mb, &nan, NULL, NULL, &a, &error) == CAIRN_BAD_INPUT);
    CHECK(cairn_multibody_inverse(mb, &q, NULL, NULL, NULL, &error) == CAIRN_BAD_INPUT);
    CHECK(cairn_multibody_mass_matrix(NULL, &q, &a, &error) == CAIRN_BAD_INPUT);
    CHECK(cairn_multibody_jacobian(mb, &q, 1, gravity, &a, &error) == CAIRN_BAD_INPUT);
    cairn_multibody_destroy(mb);
    cairn_multibody_destroy(NULL);
}
END

TESTS(a_pendulum_has_the_mass_and_the_weight_of_the_textbook,
      a_double_pendulum_has_the_equations_of_the_textbook,
      the_jacobian_is_the_derivative_of_the_pose,
      the_mass_matrix_is_the_sum_over_the_jacobians_of_all_links,
      inverse_dynamics_is_the_mass_matrix_and_the_bias_and_forward_dynamics_undoes_it,
      a_tree_left_to_itself_keeps_energy_at_every_moment,
      a_swinging_chain_of_the_world_follows_the_equations_in_joint_coordinates,
      links_without_mass_serve_as_joints_of_several_axes,
      what_cannot_be_a_tree_is_refused_with_a_sentence)
