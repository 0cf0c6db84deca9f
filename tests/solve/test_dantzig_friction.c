// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Dantzig's method with friction: rest and slip, all laws, jamming, mechanisms, Painlevé's rod.

#include "check_cairn.h"
#include <cairn/cairn.h>
#include <cairn/random.h>
#include <string.h>

enum { most_rows = 512 };

static cairn_report solve_by(const char* method, double* lambda, const cairn_problem* problem)
{
    cairn_solve_def def = cairn_default_solve_def();
    cairn_report report;
    cairn_error error = {""};
    def.method = method;
    CHECK(problem->row_count <= most_rows);
    ck_assert_msg(cairn_solve(problem, &def, lambda, &report, &error) == CAIRN_OK, "%s",
                  error.text);
    return report;
}

static cairn_report solve(double* lambda, const cairn_problem* problem)
{
    return solve_by("dantzig", lambda, problem);
}

static double dot6(const double* x, const double* y)
{
    double sum = 0.0;
    for (int k = 0; k < 6; k++)
        sum += x[k] * y[k];
    return sum;
}

// adds a block; b from the velocities of the bodies (6 numbers each)
static void add_moving(cairn_problem* problem, const cairn_block* block, const cairn_row* rows,
                       const double* velocity)
{
    double b[6] = {0.0};
    for (int i = 0; i < block->row_count; i++) {
        if (block->body_a != CAIRN_WORLD_BODY)
            b[i] += dot6(rows[i].a, velocity + 6 * block->body_a);
        if (block->body_b != CAIRN_WORLD_BODY)
            b[i] += dot6(rows[i].b, velocity + 6 * block->body_b);
    }
    CHECK(cairn_problem_add_block(problem, block, rows, b) == CAIRN_OK);
}

// a contact at the point p between bodies with centers at c_a, c_b
static void add_contact(cairn_problem* problem, int a, int b, cairn_vec3 n, cairn_vec3 r_a,
                        cairn_vec3 r_b, cairn_friction friction, int rows_wanted,
                        const double* velocity)
{
    cairn_row rows[4];
    cairn_block block = {.kind = CAIRN_BLOCK_CONTACT,
                         .row_count = rows_wanted,
                         .body_a = a,
                         .body_b = b,
                         .friction = friction};
    cairn_contact_rows(n, r_a, r_b, rows_wanted, rows);
    add_moving(problem, &block, rows, velocity);
}

static cairn_mass unit_box(void)
{
    return (cairn_mass){1.0, cairn_mat3_diagonal(6.0, 6.0, 6.0)};
}

// a box on four points of a plane, pushed for one step by gravity along `down`
static cairn_problem box_on_plane(cairn_vec3 down, cairn_friction friction, int rows)
{
    cairn_problem problem = cairn_problem_empty();
    double velocity[6] = {0.0981 * down.x, 0.0981 * down.y, 0.0981 * down.z, 0.0, 0.0, 0.0};
    cairn_problem_add_body(&problem, unit_box());
    for (int c = 0; c < 4; c++) {
        cairn_vec3 r = cairn_vec(c & 1 ? 0.5 : -0.5, c & 2 ? 0.5 : -0.5, -0.05);
        add_contact(&problem, CAIRN_WORLD_BODY, 0, cairn_vec(0.0, 0.0, 1.0),
                    cairn_vec(0.0, 0.0, 0.0), r, friction, rows, velocity);
    }
    return problem;
}

static void body_velocity(double* v, const cairn_problem* problem, const double* lambda,
                          cairn_vec3 down)
{
    cairn_problem_body_velocity(problem, lambda, v);
    v[0] += 0.0981 * down.x;
    v[1] += 0.0981 * down.y;
    v[2] += 0.0981 * down.z;
}

TEST(a_block_sticks_just_below_the_friction_angle_and_slides_just_above)
{
    double mu = 0.3;
    for (int slides = 0; slides < 2; slides++) {
        double angle = atan(mu * (1.0 + (slides ? 1e-6 : -1e-6)));

        // downhill along any direction of the plane: the cone has no preferred axis
        for (int k = 0; k < 7; k++) {
            double turn = 0.9 * k;
            cairn_vec3 down =
                cairn_vec(sin(angle) * cos(turn), sin(angle) * sin(turn), -cos(angle));
            cairn_problem problem = box_on_plane(down, cairn_friction_cone(mu), 3);
            double lambda[12], v[6];
            cairn_report report = solve(lambda, &problem);
            CHECK(report.outcome == CAIRN_OUTCOME_CONVERGED);
            body_velocity(v, &problem, lambda, down);

            // g dt (sin θ - μ cos θ) downhill
            double expected = slides ? 0.0981 * (sin(angle) - mu * cos(angle)) : 0.0;
            double along = v[0] * cos(turn) + v[1] * sin(turn);

            CHECK_NEAR(along, expected, 1e-14);
            CHECK(slides ? along > 1e-8 : fabs(along) < 1e-14);
            CHECK_NEAR(v[2], 0.0, 1e-14);
            cairn_problem_destroy(&problem);
        }
    }
}
END

TEST(plane_contacts_of_two_rows_and_padded_ones_of_three_agree)
{
    for (int k = 0; k < 10; k++) {
        double velocity[6] = {0.2 * k - 1.0, 0.0, -0.5, 0.0, 0.3, 0.0}, v[2][6];

        // once with two rows, once with a third row of zeros
        for (int padded = 0; padded < 2; padded++) {
            cairn_problem problem = cairn_problem_empty();
            cairn_mass mass = {1.0, cairn_mat3_diagonal(0.0, 4.0, 0.0)};
            double lambda[6];
            problem.space = 2;
            cairn_problem_add_body(&problem, mass);

            for (int c = 0; c < 2; c++) {
                cairn_vec3 r = cairn_vec(c ? 0.5 : -0.5, 0.0, -0.4), e = cairn_vec(1.0, 0.0, 0.0);
                cairn_vec3 n = cairn_vec(0.0, 0.0, 1.0);
                cairn_vec3 rn = cairn_cross(r, n), re = cairn_cross(r, e);
                cairn_row rows[3] = {{.b = {n.x, n.y, n.z, rn.x, rn.y, rn.z}},
                                     {.b = {e.x, e.y, e.z, re.x, re.y, re.z}},
                                     {.b = {0.0}}};
                cairn_block block = {.kind = CAIRN_BLOCK_CONTACT,
                                     .row_count = padded ? 3 : 2,
                                     .body_a = CAIRN_WORLD_BODY,
                                     .body_b = 0,
                                     .friction = cairn_friction_cone(0.4)};
                add_moving(&problem, &block, rows, velocity);
            }
            CHECK(solve(lambda, &problem).outcome == CAIRN_OUTCOME_CONVERGED);

            cairn_problem_body_velocity(&problem, lambda, v[padded]);
            cairn_problem_destroy(&problem);
        }
        for (int i = 0; i < 6; i++)
            CHECK_NEAR(v[0][i], v[1][i], 1e-13);
    }
}
END

// every law of friction on one box, thrown onto its plane at random
static void throw_box(cairn_friction friction, int rows, cairn_law expected_law)
{
    cairn_random random = {17};
    for (int k = 0; k < 50; k++) {
        cairn_problem problem = cairn_problem_empty();
        double velocity[6], lambda[16];
        cairn_problem_add_body(&problem, unit_box());

        for (int i = 0; i < 6; i++)
            velocity[i] = cairn_random_range(&random, -1.0, 1.0);

        velocity[2] -= 1.0;
        for (int c = 0; c < 4; c++) {
            cairn_vec3 r = cairn_vec(c & 1 ? 0.5 : -0.5, c & 2 ? 0.5 : -0.5, -0.3);
            add_contact(&problem, CAIRN_WORLD_BODY, 0, cairn_vec(0.0, 0.0, 1.0),
                        cairn_vec(0.0, 0.0, 0.0), r, friction, rows, velocity);
        }

        cairn_report report = solve(lambda, &problem);
        CHECK(report.outcome == CAIRN_OUTCOME_CONVERGED);
        CHECK(report.law == expected_law);
        cairn_problem_destroy(&problem);
    }
}

TEST(every_friction_law_is_solved_or_the_simpler_one_is_named)
{
    cairn_friction ellipse = {.kind = CAIRN_FRICTION_ELLIPSE, .mu = {0.6, 0.2, 0.0}};
    cairn_friction ellipsoid = {.kind = CAIRN_FRICTION_ELLIPSOID, .mu = {0.5, 0.3, 0.05}};
    cairn_friction box = {.kind = CAIRN_FRICTION_BOX, .mu = {0.4, 0.2, 0.0}};
    cairn_friction pyramid = {.kind = CAIRN_FRICTION_PYRAMID, .facets = 8, .mu = {0.4, 0.4, 0.0}};
    cairn_friction thin = {.kind = CAIRN_FRICTION_ELLIPSE, .mu = {0.5, 0.0, 0.0}};
    throw_box(cairn_friction_cone(0.5), 3, CAIRN_LAW_AS_GIVEN);
    throw_box(cairn_friction_cone(0.0), 3, CAIRN_LAW_AS_GIVEN);
    throw_box(ellipse, 3, CAIRN_LAW_AS_GIVEN);
    throw_box(thin, 3, CAIRN_LAW_AS_GIVEN);
    throw_box(ellipsoid, 4, CAIRN_LAW_AS_GIVEN);
    throw_box(box, 3, CAIRN_LAW_AS_GIVEN);
    throw_box(cairn_friction_cone(0.5), 4, CAIRN_LAW_AS_GIVEN);
    throw_box(pyramid, 3, CAIRN_LAW_COULOMB);
}
END

TEST(sliding_friction_of_a_single_contact_opposes_the_slip)
{
    cairn_random random = {23};
    for (int k = 0; k < 50; k++) {
        cairn_problem problem = cairn_problem_empty();
        double velocity[6] = {0.0}, lambda[3], v[3];
        cairn_problem_add_body(&problem, unit_box());

        for (int i = 0; i < 3; i++)
            velocity[i] = cairn_random_range(&random, -1.0, 1.0);

        velocity[2] = -0.1;
        add_contact(&problem, CAIRN_WORLD_BODY, 0, cairn_vec(0.0, 0.0, 1.0),
                    cairn_vec(0.0, 0.0, 0.0), cairn_scale(0.5, cairn_random_direction(&random)),
                    cairn_friction_cone(0.3), 3, velocity);
        CHECK(solve(lambda, &problem).outcome == CAIRN_OUTCOME_CONVERGED);

        cairn_problem_velocity(&problem, lambda, v);
        double slip = hypot(v[1], v[2]), force = hypot(lambda[1], lambda[2]);

        // λ_F/|λ_F| = -u_F/|u_F|
        if (slip > 1e-9) {
            CHECK_NEAR(lambda[1] / force, -v[1] / slip, 1e-9);
            CHECK_NEAR(lambda[2] / force, -v[2] / slip, 1e-9);
        }
        cairn_problem_destroy(&problem);
    }
}
END

TEST(random_contacts_with_friction_are_solved_whatever_their_redundancy)
{
    for (uint64_t seed = 1; seed <= 100; seed++) {
        cairn_generate_def def = cairn_default_generate_def("random");
        cairn_problem problem;
        double lambda[most_rows];
        def.seed = seed;
        def.width = 1 + (int)(seed % 5);
        def.height = 4 + (int)(seed % 17);
        def.deficiency = def.height / 3;
        def.mu = 0.3;
        CHECK(cairn_generate(&def, &problem, NULL) == CAIRN_OK);
        cairn_report report = solve(lambda, &problem);

        CHECK(report.outcome == CAIRN_OUTCOME_CONVERGED);
        CHECK_BELOW(report.residual.relative, 1e-8);
        cairn_problem_destroy(&problem);
    }
}
END

TEST(rows_that_were_given_up_are_established_again)
{
    int seen = 0;
    for (uint64_t seed = 1; seed <= 400 && seen < 5; seed++) {
        cairn_generate_def def = cairn_default_generate_def("random");
        cairn_problem problem;
        double lambda[most_rows];
        def.seed = seed;
        def.width = 3;
        def.height = 14;
        def.deficiency = 5;
        def.mu = 0.5;
        CHECK(cairn_generate(&def, &problem, NULL) == CAIRN_OK);
        cairn_report report = solve(lambda, &problem);

        if (strstr(report.note, "given up")) {
            seen++;
            CHECK(report.outcome == CAIRN_OUTCOME_CONVERGED);
            CHECK(strcmp(report.method, "dantzig") == 0);
        }
        cairn_problem_destroy(&problem);
    }
    CHECK(seen > 0);
}
END

TEST(a_wedge_between_closing_walls_jams_below_the_friction_angle_and_escapes_above)
{
    // two walls of mass 1 close at 1 m/s each on a wedge whose faces lean by `angle`
    double mu = 0.4;

    for (int jams = 0; jams < 2; jams++) {
        double angle = atan(mu) * (jams ? 0.99 : 1.01);
        cairn_problem problem = cairn_problem_empty();
        cairn_mass wall = {1.0, cairn_mat3_diagonal(0.0, 0.0, 0.0)};
        double velocity[18] = {[6] = 1.0, [12] = -1.0}, lambda[12], v[12], change[18];
        cairn_problem_add_body(&problem, unit_box());
        cairn_problem_add_body(&problem, wall);
        cairn_problem_add_body(&problem, wall);

        for (int c = 0; c < 4; c++) {
            double side = c & 1 ? 1.0 : -1.0;
            cairn_vec3 n = cairn_vec(-side * cos(angle), 0.0, sin(angle));
            add_contact(&problem, c & 1 ? 2 : 1, 0, n, cairn_vec(0.0, 0.0, 0.0),
                        cairn_vec(0.5 * side, c & 2 ? 0.5 : -0.5, 0.0), cairn_friction_cone(mu), 3,
                        velocity);
        }
        CHECK(solve(lambda, &problem).outcome == CAIRN_OUTCOME_CONVERGED);

        cairn_problem_velocity(&problem, lambda, v);
        cairn_problem_body_velocity(&problem, lambda, change);
        double slip = 0.0;

        for (int c = 0; c < 4; c++) {
            // both walls press; how a wall's two contacts share is free
            CHECK(lambda[3 * (c & 1)] + lambda[3 * (c & 1) + 6] > 0.0);
            slip = fmax(slip, hypot(v[3 * c + 1], v[3 * c + 2]));
        }
        if (jams) {
            CHECK_NEAR(slip, 0.0, 1e-12);
        } else {
            CHECK(slip > 1e-3);
            CHECK(change[2] > 1e-3);
        }

        // momentum upward: what the wedge gains the walls lose
        CHECK_NEAR(change[2] + change[8] + change[14], 0.0, 1e-14);
        cairn_problem_destroy(&problem);
    }
}
END

// Two pins lift a plate through levers: bodies 0 and 1 turn about fixed hinges (joints), press
// on body 2 between them from below with friction, while body 2 is pushed down and sideways.
static cairn_problem jack(double mu, const double* velocity)
{
    cairn_problem problem = cairn_problem_empty();
    for (int i = 0; i < 3; i++)
        cairn_problem_add_body(&problem, unit_box());

    for (int arm = 0; arm < 2; arm++) {
        cairn_vec3 pin = cairn_vec(arm ? 0.5 : -0.5, 0.0, 0.0);
        cairn_row rows[5] = {{.b = {1.0, 0.0, 0.0, 0.0, pin.z, -pin.y}},
                             {.b = {0.0, 1.0, 0.0, -pin.z, 0.0, pin.x}},
                             {.b = {0.0, 0.0, 1.0, pin.y, -pin.x, 0.0}},
                             {.b = {0.0, 0.0, 0.0, 1.0, 0.0, 0.0}},
                             {.b = {0.0, 0.0, 0.0, 0.0, 0.0, 1.0}}};
        cairn_block joint = {
            .kind = CAIRN_BLOCK_JOINT, .row_count = 5, .body_a = CAIRN_WORLD_BODY, .body_b = arm};
        add_moving(&problem, &joint, rows, velocity);

        for (int c = 0; c < 2; c++)
            add_contact(&problem, arm, 2, cairn_vec(0.0, 0.0, 1.0),
                        cairn_vec(arm ? -0.4 : 0.4, c ? 0.3 : -0.3, 0.2),
                        cairn_vec(arm ? 0.5 : -0.5, c ? 0.3 : -0.3, -0.2), cairn_friction_cone(mu),
                        3, velocity);

        cairn_row motor = {.b = {0.0, 0.0, 0.0, 0.0, 1.0, 0.0}};
        cairn_block drive = {
            .kind = CAIRN_BLOCK_MOTOR, .row_count = 1, .body_a = CAIRN_WORLD_BODY, .body_b = arm};
        add_moving(&problem, &drive, &motor, velocity);
        cairn_problem_set_bounds(&problem, problem.row_count - 1, -0.3, 0.3);
    }

    return problem;
}

TEST(a_jack_with_hinges_motors_and_friction_is_solved_and_its_hinges_hold)
{
    cairn_random random = {31};
    for (int k = 0; k < 100; k++) {
        double velocity[18], lambda[64], v[64];
        for (int i = 0; i < 18; i++)
            velocity[i] = cairn_random_range(&random, -0.5, 0.5);

        velocity[14] -= 1.0;
        cairn_problem problem = jack(0.2 + 0.01 * (k % 50), velocity);
        cairn_report report = solve(lambda, &problem);
        CHECK(report.outcome == CAIRN_OUTCOME_CONVERGED);

        cairn_problem_velocity(&problem, lambda, v);
        for (int c = 0; c < problem.block_count; c++)
            for (int i = 0; problem.blocks[c].kind == CAIRN_BLOCK_JOINT && i < 5; i++)
                CHECK_NEAR(v[problem.blocks[c].row + i], 0.0, 1e-8);
        cairn_problem_destroy(&problem);
    }
}
END

// Painlevé: a uniform rod of length 2 and mass 1 slides to the right on its lower end, which
// lies to the right of and below its center, leaning by tan θ = 2; the critical μ is 4/3 there
static cairn_problem painleve_rod(double mu, double approach)
{
    cairn_problem problem = cairn_problem_empty();
    double c = 1.0 / sqrt(5.0), s = 2.0 / sqrt(5.0);
    cairn_vec3 r = cairn_vec(c, 0.0, -s), n = cairn_vec(0.0, 0.0, 1.0), t = cairn_vec(1.0, 0, 0);
    cairn_vec3 rn = cairn_cross(r, n), rt = cairn_cross(r, t);
    cairn_mass rod = {1.0, cairn_mat3_diagonal(0.0, 3.0, 0.0)};
    cairn_row rows[2] = {{.b = {n.x, n.y, n.z, rn.x, rn.y, rn.z}},
                         {.b = {t.x, t.y, t.z, rt.x, rt.y, rt.z}}};
    cairn_block block = {
        .kind = CAIRN_BLOCK_CONTACT,
        .row_count = 2,
        .body_a = CAIRN_WORLD_BODY,
        .body_b = 0,
        .friction = {.kind = CAIRN_FRICTION_SLIDING, .mu = {mu}, .slip = {1.0, 0.0}}};
    double b[2] = {approach, 1.0};
    problem.space = 2;
    cairn_problem_add_body(&problem, rod);
    cairn_problem_add_block(&problem, &block, rows, b);
    return problem;
}

TEST(a_rod_below_the_critical_friction_slides_on)
{
    cairn_problem problem = painleve_rod(1.2, -0.1);
    double lambda[2];
    CHECK(solve(lambda, &problem).outcome == CAIRN_OUTCOME_CONVERGED);
    CHECK(lambda[0] > 0.0);
    CHECK_NEAR(lambda[1], -1.2 * lambda[0], 1e-14);
    cairn_problem_destroy(&problem);
}
END

TEST(painleves_rod_ends_in_a_ray_whose_impulse_stops_the_slip)
{
    cairn_problem problem = painleve_rod(1.6, -0.1);
    cairn_solve_def def = cairn_default_solve_def();
    cairn_report report;
    cairn_ray_effect effect;
    double lambda[2], ray[2], impulse[2] = {0.0, 0.0};
    def.method = "dantzig";
    def.ray = ray;

    CHECK(cairn_solve(&problem, &def, lambda, &report, NULL) == CAIRN_OK);
    CHECK(report.outcome == CAIRN_OUTCOME_RAY);
    CHECK(ray[0] > 0.0);
    CHECK_NEAR(ray[1], -1.6 * ray[0], 1e-14);

    // the more it presses, the faster the end approaches
    double rest[2] = {0.0, 0.0}, v[2];
    memcpy(rest, problem.b, sizeof rest);
    cairn_problem_velocity(&problem, ray, v);
    CHECK(v[0] < rest[0]);

    CHECK(cairn_problem_apply_ray(&problem, ray, impulse, &effect) == CAIRN_OK);
    CHECK(effect.block == 0 && effect.stopped && effect.step > 0.0);
    CHECK_NEAR(problem.b[1], 0.0, 1e-14);
    CHECK(problem.blocks[0].friction.kind == CAIRN_FRICTION_CONE);

    CHECK(cairn_solve(&problem, &def, lambda, &report, NULL) == CAIRN_OK);
    CHECK(report.outcome == CAIRN_OUTCOME_CONVERGED);
    cairn_problem_destroy(&problem);
}
END

TEST(solving_with_rays_leaves_the_rod_neither_sliding_on_nor_approaching)
{
    cairn_problem problem = painleve_rod(1.6, -0.1);
    cairn_solve_def def = cairn_default_solve_def();
    cairn_report report;
    int applied = 0;
    double lambda[2], v[2];
    def.method = "dantzig";
    CHECK(cairn_solve_with_rays(&problem, &def, lambda, &applied, &report, NULL) == CAIRN_OK);

    CHECK(report.outcome == CAIRN_OUTCOME_CONVERGED);
    CHECK(applied == 1);

    cairn_problem_velocity(&problem, lambda, v);
    CHECK(v[0] > -1e-14);
    CHECK(v[1] < 1e-14);
    CHECK_BELOW(fabs(lambda[1]), 1.6 * lambda[0] * (1.0 + 1e-14));
    cairn_problem_destroy(&problem);
}
END

TEST(contacts_at_rest_and_sliding_ones_mix)
{
    cairn_random random = {41};
    int converged = 0;

    for (int k = 0; k < 100; k++) {
        cairn_problem problem = cairn_problem_empty();
        double velocity[12], lambda[24];
        cairn_problem_add_body(&problem, unit_box());
        cairn_problem_add_body(&problem, unit_box());

        for (int i = 0; i < 12; i++)
            velocity[i] = cairn_random_range(&random, -0.5, 0.5) - (i % 6 == 2 ? 1.0 : 0.0);

        for (int c = 0; c < 8; c++) {
            double turn = cairn_random_range(&random, 0.0, 6.0);
            cairn_friction sliding = {
                .kind = CAIRN_FRICTION_SLIDING, .mu = {0.3}, .slip = {cos(turn), sin(turn)}};
            cairn_vec3 r = cairn_vec(c & 1 ? 0.5 : -0.5, c & 2 ? 0.5 : -0.5, 0.5);
            cairn_vec3 below = cairn_vec(r.x, r.y, -0.5);
            add_contact(&problem, c < 4 ? CAIRN_WORLD_BODY : 0, c < 4 ? 0 : 1,
                        cairn_vec(0.0, 0.0, 1.0), r, below,
                        c % 3 ? cairn_friction_cone(0.3) : sliding, 3, velocity);
        }

        cairn_report report = solve(lambda, &problem);
        converged += report.outcome == CAIRN_OUTCOME_CONVERGED;

        CHECK(report.outcome == CAIRN_OUTCOME_CONVERGED || report.outcome == CAIRN_OUTCOME_RAY);

        // friction of sliding contacts has its full size
        for (int c = 0; c < 8 && report.outcome == CAIRN_OUTCOME_CONVERGED; c += 3)
            CHECK_NEAR(hypot(lambda[3 * c + 1], lambda[3 * c + 2]), 0.3 * lambda[3 * c], 1e-9);
        cairn_problem_destroy(&problem);
    }
    CHECK(converged >= 95);
}
END

TEST(the_pivoting_and_the_iterative_answer_have_the_same_velocities_where_nothing_slips)
{
    // strong friction and no slip: the velocities are unique
    cairn_vec3 down = cairn_vec(0.2, 0.1, -1.0);
    cairn_problem problem = box_on_plane(down, cairn_friction_cone(0.8), 3);
    double lambda[12], other[12], v[12], w[12];
    CHECK(solve(lambda, &problem).outcome == CAIRN_OUTCOME_CONVERGED);
    CHECK(solve_by("pgs", other, &problem).outcome == CAIRN_OUTCOME_CONVERGED);
    cairn_problem_velocity(&problem, lambda, v);
    cairn_problem_velocity(&problem, other, w);
    for (int i = 0; i < 12; i++)
        CHECK_NEAR(v[i], w[i], 1e-8);
    cairn_problem_destroy(&problem);
}
END

TESTS(a_block_sticks_just_below_the_friction_angle_and_slides_just_above,
      plane_contacts_of_two_rows_and_padded_ones_of_three_agree,
      every_friction_law_is_solved_or_the_simpler_one_is_named,
      sliding_friction_of_a_single_contact_opposes_the_slip,
      random_contacts_with_friction_are_solved_whatever_their_redundancy,
      rows_that_were_given_up_are_established_again,
      a_wedge_between_closing_walls_jams_below_the_friction_angle_and_escapes_above,
      a_jack_with_hinges_motors_and_friction_is_solved_and_its_hinges_hold,
      a_rod_below_the_critical_friction_slides_on,
      painleves_rod_ends_in_a_ray_whose_impulse_stops_the_slip,
      solving_with_rays_leaves_the_rod_neither_sliding_on_nor_approaching,
      contacts_at_rest_and_sliding_ones_mix,
      the_pivoting_and_the_iterative_answer_have_the_same_velocities_where_nothing_slips)
