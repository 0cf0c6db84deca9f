// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Passes over clusters of contacts: the same bits for every instruction set, and a sweep in single
// precision that leaves what the certificate in double precision expects.

#include "check_cairn.h"
#include "solve/sweep/cluster_law.h"
#include <cairn/random.h>
#include <stdlib.h>
#include <string.h>

// one cluster: sixteen contacts of spheres of radius 1/2 and 1 kg with a ground, six of them as
// balls about the center of the ground
enum { lanes = cairn_cluster_lanes, places = lanes + 2, numbers = 8 * places };
enum { balls = 0x8c0e };

static bool is_ball(int l)
{
    return balls >> l & 1;
}

typedef struct scene {
    cairn_cluster cluster;
    cairn_swift swift;
    cairn_cluster_rules rules;
    cairn_cluster_law law;
    double pose[numbers], mass[numbers], velocity[numbers], momentum[numbers];
    float swift_mass[numbers], swift_velocity[numbers], before[numbers], way[numbers];
    cairn_cluster_pass pass;
} scene;

// a cone, an ellipse, a ball with torsion and an ellipsoid in turn
static cairn_friction law_of(int l)
{
    const cairn_friction laws[] = {
        {.kind = CAIRN_FRICTION_CONE, .mu = {0.5}},
        {.kind = CAIRN_FRICTION_ELLIPSE, .mu = {0.5, 0.2}},
        {.kind = CAIRN_FRICTION_ELLIPSOID, .mu = {0.5, 0.5, 0.02}},
        {.kind = CAIRN_FRICTION_ELLIPSOID, .mu = {0.2, 0.6, 0.05}},
    };
    return laws[l % 4];
}

static void set_law(scene* s, int l)
{
    cairn_friction friction = law_of(l);
    double angle = 0.3 * l;
    s->cluster.mu[l] =
        cairn_cluster_set_law(&s->law, l, &friction, l % 4 < 2 ? 3 : 4, cos(angle), sin(angle));
    s->swift.mu[l] = (float)s->cluster.mu[l];
}

static void make(scene* s, bool curved)
{
    cairn_random random = {11};
    *s = (scene){.rules = {.balls = balls}};

    // bodies with random velocities; the places behind the lanes do not move
    for (int i = 0; i < places; i++) {
        s->pose[8 * i + 3] = 1.0;
        for (int k = 0; k < 7 && i < lanes; k++) {
            s->mass[8 * i + k] = k == 0 ? 1.0 : k < 4 ? 10.0 : 0.0;
            s->swift_mass[8 * i + k] = (float)s->mass[8 * i + k];
        }
        for (int k = 0; k < 6 && i < lanes; k++)
            s->velocity[8 * i + k] = cairn_random_range(&random, -1.0, 1.0);
        s->velocity[8 * i + 6] = s->mass[8 * i];
        s->velocity[8 * i + 7] = s->mass[8 * i + 1];
    }

    // one contact in each lane, of a body with the ground; some are those of balls
    for (int l = 0; l < lanes; l++) {
        cairn_vec3 n = cairn_random_direction(&random);
        const double normal[3] = {n.x, n.y, n.z};

        for (int k = 0; k < 3; k++) {
            s->cluster.normal[k][l] = normal[k];
            s->cluster.anchor[1][k][l] = is_ball(l) ? 0.0 : -0.5 * normal[k];
            s->cluster.anchor[0][k][l] = is_ball(l) ? 0.0 : -0.5 * normal[k];
            s->pose[8 * l + k] = is_ball(l) ? 0.9999 * normal[k] : 0.0;
            s->swift.normal[k][l] = (float)normal[k];
        }

        s->cluster.round[0][l] = s->cluster.round[1][l] = 0.5;
        s->cluster.mu[l] = 0.5;
        s->swift.mu[l] = 0.5f;
        s->swift.body[0][l] = lanes;
        s->swift.body[1][l] = l;

        if (curved)
            set_law(s, l);
    }

    s->pass = (cairn_cluster_pass){.clusters = &s->cluster,
                                   .swift = &s->swift,
                                   .law = curved ? &s->law : NULL,
                                   .rules = &s->rules,
                                   .velocity = s->velocity,
                                   .momentum = s->momentum,
                                   .mass = s->mass,
                                   .pose = s->pose,
                                   .swift_velocity = s->swift_velocity,
                                   .swift_mass = s->swift_mass,
                                   .remaining = 0.01,
                                   .touching = 1e-3,
                                   .longest = 1.0};
}

// places, sweeps and certifies; returns the residual after so many sweeps
static double solve(scene* s, cairn_simd_level level, int sweeps, bool round, bool curved)
{
    make(s, curved);
    s->pass.round = round;
    CAIRN_PICK_KERNEL(level, cairn_cluster_place)(&s->pass, 0, 1);
    CAIRN_PICK_KERNEL(level, cairn_cluster_diagonal)(&s->pass, 0, 1);

    for (int i = 0; i < numbers; i++)
        s->swift_velocity[i] = s->before[i] = (float)s->velocity[i];

    // sweeps by conjugate directions, the first two without momentum
    for (int k = 0; k < sweeps; k++) {
        s->pass.beta = k > 1 ? 0.25f : 0.0f;
        CAIRN_PICK_KERNEL(level, cairn_cluster_follow)
        (s->swift_velocity, s->way, s->before, numbers, s->pass.beta);
        CAIRN_PICK_KERNEL(level, cairn_cluster_sweep)(&s->pass, 0, 1);
    }

    // velocities in double from the momentum of the impulses, then the certificate
    CAIRN_PICK_KERNEL(level, cairn_cluster_push)(&s->pass, 0, 1);
    for (int i = 0; i < 8 * lanes; i++) {
        int k = i % 8;
        if (k < 6)
            s->velocity[i] += s->mass[i - k + (k < 3 ? 0 : 1)] * s->momentum[i];
    }

    return CAIRN_PICK_KERNEL(level, cairn_cluster_measure)(&s->pass, 0, 1);
}

TEST(every_instruction_set_gives_the_same_bits)
{
    scene first, other;
    for (int curved = 0; curved < 2; curved++) {
        double residual = solve(&first, CAIRN_SIMD_BASELINE, 3, false, curved);
        double square = CAIRN_PICK_KERNEL(CAIRN_SIMD_BASELINE, cairn_cluster_square)(
            first.swift_velocity, first.before, first.swift_mass, numbers);
        CHECK(residual > 0.0 && square > 0.0);

        // and so does what round bodies carry with them, instead of their inertia
        for (int k = 1; k < 2 * ((int)cairn_simd_detect() + 1); k++) {
            int level = k / 2;
            double again = solve(&other, (cairn_simd_level)level, 3, k % 2, curved);
            CHECK(again == residual);
            CHECK(memcmp(&first.cluster, &other.cluster, sizeof first.cluster) == 0);
            CHECK(memcmp(&first.swift, &other.swift, sizeof first.swift) == 0);
            CHECK(memcmp(&first.law, &other.law, sizeof first.law) == 0);
            CHECK(memcmp(first.swift_velocity, other.swift_velocity, sizeof first.before) == 0);
            CHECK(square == CAIRN_PICK_KERNEL((cairn_simd_level)level, cairn_cluster_square)(
                                other.swift_velocity, other.before, other.swift_mass, numbers));
        }
    }
}
END

TEST(sweeps_of_single_precision_bring_the_residual_to_round_off)
{
    // one contact per body: sweeps converge fast, down to 2^-24 of speeds of some m/s
    scene s;
    for (int curved = 0; curved < 2; curved++) {
        double start = solve(&s, cairn_simd_detect(), 0, false, curved);
        double end = solve(&s, cairn_simd_detect(), 60, false, curved);
        CHECK(start > 0.1);
        CHECK_BELOW(end, 1e-5);

        // and velocities that sweeps carried along are those that impulses give
        for (int i = 0; i < 8 * lanes; i++)
            CHECK_NEAR((double)s.swift_velocity[i], s.velocity[i], 1e-5);
    }
}
END

static cairn_vec3 get(double (*x)[lanes], int l)
{
    return cairn_vec(x[0][l], x[1][l], x[2][l]);
}

static cairn_vec3 impulse(scene* s, int l)
{
    cairn_vec3 n = get(s->cluster.normal, l), t, b;
    cairn_tangents(n, &t, &b);
    const float* x = s->swift.lambda[0] + l;
    cairn_vec3 P = cairn_add_scaled(cairn_scale((double)x[0], n), (double)x[lanes], t);
    return cairn_add_scaled(P, (double)x[2 * lanes], b);
}

TEST(contacts_of_balls_follow_the_centers_and_impulses_stay_in_the_world)
{
    cairn_random random = {5};
    cairn_vec3 before[lanes];
    scene s;
    make(&s, false);

    for (int l = 0; l < lanes; l++) {
        for (int k = 0; k < 3; k++) {
            s.swift.lambda[k][l] = (float)cairn_random_range(&random, -1.0, 1.0);
            s.pose[8 * l + k] += is_ball(l) ? cairn_random_range(&random, -0.2, 0.2) : 0.0;
        }
        before[l] = impulse(&s, l);
    }

    memset(s.velocity, 0, sizeof s.velocity); // who does not move is not expected elsewhere
    CAIRN_PICK_KERNEL(cairn_simd_detect(), cairn_cluster_place)(&s.pass, 0, 1);

    for (int l = 0; l < lanes; l++) {
        // single precision
        CHECK_BELOW(cairn_norm(cairn_sub(impulse(&s, l), before[l])), 1e-6);
        if (!is_ball(l))
            continue;
        cairn_vec3 d = cairn_vec(s.pose[8 * l], s.pose[8 * l + 1], s.pose[8 * l + 2]);
        double distance = cairn_norm(d);
        cairn_vec3 n = get(s.cluster.normal, l);
        CHECK_NEAR(s.cluster.gap[l], distance - 1.0, 1e-15);
        CHECK_BELOW(cairn_norm(cairn_sub(n, cairn_scale(1.0 / distance, d))), 1e-15);
        CHECK_BELOW(cairn_norm(cairn_add_scaled(get(s.cluster.arm[0], l), -0.5, n)), 1e-15);
        CHECK_BELOW(cairn_norm(cairn_add_scaled(get(s.cluster.arm[1], l), 0.5, n)), 1e-15);
    }
}
END

TEST(a_nan_in_any_lane_is_an_infinite_residual)
{
    for (int level = 0; level <= (int)cairn_simd_detect(); level++)
        for (int l = 0; l < lanes; l++) {
            scene s;
            solve(&s, (cairn_simd_level)level, 3, false, false);

            // each number that the measure reads, one after the other
            cairn_cluster* c = &s.cluster;
            double* read[] = {s.velocity + 8 * l,
                              s.velocity + 8 * l + 1,
                              s.velocity + 8 * l + 2,
                              s.velocity + 8 * l + 3,
                              s.velocity + 8 * l + 4,
                              s.velocity + 8 * l + 5,
                              &c->lambda[0][l],
                              &c->lambda[1][l],
                              &c->lambda[2][l],
                              &c->bias[l],
                              &c->mean[l],
                              &c->mu[l],
                              &c->normal[0][l],
                              &c->normal[2][l],
                              &c->arm[1][0][l]};
            for (size_t i = 0; i < sizeof read / sizeof read[0]; i++) {
                double before = *read[i];
                *read[i] = NAN;
                double residual = CAIRN_PICK_KERNEL((cairn_simd_level)level,
                                                    cairn_cluster_measure)(&s.pass, 0, 1);
                ck_assert_msg(residual == INFINITY, "level %d, lane %d, number %zu: %g", level, l,
                              i, residual);
                *read[i] = before;
            }
        }
}
END

TEST(a_nan_in_any_lane_of_any_law_is_an_infinite_residual)
{
    for (int level = 0; level <= (int)cairn_simd_detect(); level++)
        for (int l = 0; l < lanes; l++) {
            scene s;
            solve(&s, (cairn_simd_level)level, 3, false, true);
            cairn_cluster_law* law = &s.law;
            double* read[] = {s.velocity + 8 * l,
                              s.velocity + 8 * l + 4,
                              &s.cluster.lambda[0][l],
                              &s.cluster.lambda[2][l],
                              &s.cluster.mean[l],
                              &law->axis[0][l],
                              &law->axis[1][l],
                              &law->mu[0][l],
                              &law->mu[1][l],
                              &law->mu[2][l],
                              &law->arm[l],
                              &law->bias[l],
                              &law->spin[l]};
            for (size_t i = 0; i < sizeof read / sizeof read[0]; i++) {
                double before = *read[i];
                *read[i] = NAN;
                double residual = CAIRN_PICK_KERNEL((cairn_simd_level)level,
                                                    cairn_cluster_measure)(&s.pass, 0, 1);
                ck_assert_msg(residual == INFINITY, "level %d, lane %d, number %zu: %g", level, l,
                              i, residual);
                *read[i] = before;
            }
        }
}
END

// the same contacts as a problem, measured by the certificate of all methods
TEST(lanes_measure_every_law_as_the_certificate_does)
{
    scene s;
    for (int sweeps = 0; sweeps < 4; sweeps++) {
        double measured = solve(&s, cairn_simd_detect(), sweeps, false, true), worst = 0.0;
        for (int l = 0; l < lanes; l++) {
            cairn_problem problem = cairn_problem_empty();
            cairn_vec3 n = get(s.cluster.normal, l), t, across;
            cairn_tangents(n, &t, &across);
            double c = s.law.axis[0][l], d = s.law.axis[1][l], b[4], lambda[4];
            cairn_mat3 frame = {.cx = n, .cy = cairn_add_scaled(cairn_scale(c, t), d, across)};
            frame.cz = cairn_cross(n, frame.cy);
            int rows = l % 4 < 2 ? 3 : 4;
            cairn_row row[4];
            cairn_frame_rows(frame, get(s.cluster.arm[0], l), get(s.cluster.arm[1], l), rows, row);
            cairn_problem_add_body(&problem,
                                   (cairn_mass){1.0, cairn_mat3_diagonal(10.0, 10.0, 10.0)});

            // velocities count from those that the impulses leave
            const double* v = s.velocity + 8 * l;
            cairn_vec3 P = cairn_add(cairn_scale(s.cluster.lambda[1][l], t),
                                     cairn_scale(s.cluster.lambda[2][l], across));
            const double x[4] = {s.cluster.lambda[0][l], cairn_dot(P, frame.cy),
                                 cairn_dot(P, frame.cz), s.law.spin[l]};

            for (int i = 0; i < rows; i++) {
                b[i] = i == 0 ? s.cluster.bias[l] : 0.0;
                lambda[i] = x[i];
                for (int k = 0; k < 6; k++)
                    b[i] += row[i].b[k] * v[k];
            }

            cairn_block block = {.kind = CAIRN_BLOCK_CONTACT,
                                 .row_count = rows,
                                 .body_a = CAIRN_WORLD_BODY,
                                 .friction = law_of(l)};
            cairn_problem_add_block(&problem, &block, row, b);
            double response[4], zero[4] = {0.0};
            cairn_problem_velocity(&problem, lambda, response);
            cairn_problem_velocity(&problem, zero, b);

            for (int i = 0; i < rows; i++)
                problem.b[i] -= response[i] - b[i];

            cairn_residual residual;
            CHECK(cairn_problem_residual(&problem, lambda, CAIRN_LAW_AS_GIVEN, 0, &residual) ==
                  CAIRN_OK);
            worst = fmax(worst, residual.velocity);
            cairn_problem_destroy(&problem);
        }

        // sums of a few velocities of some m/s, in another order
        CHECK_NEAR(measured, worst, 1e-13 * fmax(1.0, worst));
    }
}
END

TESTS(every_instruction_set_gives_the_same_bits,
      a_nan_in_any_lane_of_any_law_is_an_infinite_residual,
      lanes_measure_every_law_as_the_certificate_does, a_nan_in_any_lane_is_an_infinite_residual,
      contacts_of_balls_follow_the_centers_and_impulses_stay_in_the_world,
      sweeps_of_single_precision_bring_the_residual_to_round_off)
