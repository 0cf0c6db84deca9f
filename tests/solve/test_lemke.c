// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Lemke's method on contact problems: the three variants against each other, against other methods
// and against what mechanics says.

#include "check_cairn.h"
#include "solve/pivot/lemke.h"
#include <cairn/cairn.h>
#include <cairn/random.h>
#include <string.h>

static const char* const variants[] = {"lemke", "lemke-structural", "lemke-standard",
                                       "lemke-published"};

enum { most_rows = 200, variant_count = 4 };

// ---------------------------------------------------------------- making problems

static cairn_mass cube_mass(double mass)
{
    double j = 6.0 / mass;
    return (cairn_mass){1.0 / mass, cairn_mat3_diagonal(j, j, j)};
}

static void add_contact(cairn_problem* problem, int a, int b, cairn_vec3 n, cairn_vec3 r_a,
                        cairn_vec3 r_b, double mu)
{
    const double none[3] = {0.0, 0.0, 0.0};
    cairn_row rows[3];
    cairn_block block = {.kind = CAIRN_BLOCK_CONTACT,
                         .row_count = 3,
                         .body_a = a,
                         .body_b = b,
                         .friction = cairn_friction_cone(mu)};
    cairn_contact_rows(n, r_a, r_b, 3, rows);
    ck_assert(cairn_problem_add_block(problem, &block, rows, none) == CAIRN_OK);
}

// b = J v for given velocities of the bodies, 6 numbers each
static void set_velocities(cairn_problem* problem, const double* v)
{
    for (int c = 0; c < problem->block_count; c++) {
        const cairn_block* block = &problem->blocks[c];
        for (int i = block->row; i < block->row + block->row_count; i++) {
            problem->b[i] = 0.0;
            for (int k = 0; k < 6; k++) {
                if (block->body_a >= 0)
                    problem->b[i] += problem->rows[i].a[k] * v[6 * block->body_a + k];
                if (block->body_b >= 0)
                    problem->b[i] += problem->rows[i].b[k] * v[6 * block->body_b + k];
            }
        }
    }
}

static void random_velocities(cairn_problem* problem, cairn_random* random)
{
    double v[60];
    for (int k = 0; k < 6 * problem->body_count; k++)
        v[k] = cairn_random_range(random, -1.0, 1.0);
    set_velocities(problem, v);
}

// bodies with contacts at random places against each other and the world
static cairn_problem random_problem(int bodies, int contacts, double mu, cairn_random* random)
{
    cairn_problem problem = cairn_problem_empty();
    for (int i = 0; i < bodies; i++)
        cairn_problem_add_body(&problem, cube_mass(cairn_random_range(random, 0.5, 2.0)));
    for (int c = 0; c < contacts; c++) {
        int a = cairn_random_index(random, bodies + 1) - 1;
        int b = cairn_random_index(random, bodies);
        a = a == b ? CAIRN_WORLD_BODY : a;
        add_contact(&problem, a, b, cairn_random_direction(random), cairn_random_vec3(random),
                    cairn_random_vec3(random), mu);
    }
    random_velocities(&problem, random);
    return problem;
}

// a unit cube on four corners, on a floor whose normal is z
static cairn_problem resting_cube(double mass, double mu)
{
    cairn_problem problem = cairn_problem_empty();
    cairn_problem_add_body(&problem, cube_mass(mass));
    for (int k = 0; k < 4; k++) {
        cairn_vec3 r = cairn_vec(k % 2 ? 0.5 : -0.5, k / 2 ? 0.5 : -0.5, -0.5);
        add_contact(&problem, CAIRN_WORLD_BODY, 0, cairn_vec(0.0, 0.0, 1.0), r, r, mu);
    }
    return problem;
}

static cairn_report solve(const cairn_problem* problem, const char* method, int facets,
                          double* lambda)
{
    cairn_solve_def def = cairn_default_solve_def();
    cairn_report report;
    cairn_error error;
    def.method = method;
    def.facets = facets;
    ck_assert_msg(cairn_solve(problem, &def, lambda, &report, &error) == CAIRN_OK, "%s",
                  error.text);
    return report;
}

static void check_solved(const cairn_report* report, const char* what)
{
    ck_assert_msg(report->outcome == CAIRN_OUTCOME_CONVERGED && report->residual.relative <= 1e-9,
                  "%s: %s ended %s, residual %g; %s", what, report->method,
                  cairn_outcome_name(report->outcome), report->residual.relative, report->note);
}

// ---------------------------------------------------------------- mechanics

// a cube on an incline whose steepest line is at `turn` to the first facet
static double slip_on_incline(double slope, double mu, int facets, double turn, const char* method)
{
    cairn_problem problem = resting_cube(3.0, mu);
    double angle = atan(slope), g = 9.81 * 0.01, lambda[12], body[6];
    double v[6] = {g * sin(angle) * cos(turn), g * sin(angle) * sin(turn), -g * cos(angle)};
    set_velocities(&problem, v);
    cairn_report report = solve(&problem, method, facets, lambda);
    check_solved(&report, "incline");
    cairn_problem_body_velocity(&problem, lambda, body);
    cairn_problem_destroy(&problem);
    return hypot(v[0] + body[0], v[1] + body[1]) / g;
}

TEST(a_block_sticks_just_below_and_slides_just_above_the_angle_of_friction)
{
    for (int k = 0; k < variant_count; k++) {
        double mu = 0.5, above = mu * (1.0 + 1e-6), angle = atan(above);
        CHECK_BELOW(slip_on_incline(mu * (1.0 - 1e-6), mu, 8, 0.0, variants[k]), 1e-12);

        // g sin - μ g cos of acceleration is left
        CHECK_NEAR(slip_on_incline(above, mu, 8, 0.0, variants[k]), sin(angle) - mu * cos(angle),
                   1e-12);
    }
}
END

TEST(finer_pyramids_approach_the_cone_as_the_square_of_the_facets)
{
    // between two corners a polygon of d sides is 1 - cos(π/d) short of the circle
    double mu = 0.5;
    for (int d = 4; d <= 256; d *= 4) {
        double limit = mu * cos(3.14159265358979323846 / d);
        double turn = 3.14159265358979323846 / d;
        CHECK_BELOW(slip_on_incline(limit * (1.0 - 1e-6), mu, d, turn, "lemke"), 1e-12);
        ck_assert(slip_on_incline(limit * (1.0 + 1e-6), mu, d, turn, "lemke") > 1e-7);
    }
}
END

TEST(friction_never_adds_energy_and_normal_impulses_never_pull)
{
    cairn_random random = {2};
    for (int k = 0; k < 200; k++) {
        cairn_problem problem = random_problem(1 + k % 3, 2 + k % 9, 0.6, &random);
        double lambda[most_rows], v[most_rows], work = 0.0;
        cairn_report report = solve(&problem, "lemke", 8, lambda);
        check_solved(&report, "random");
        cairn_problem_velocity(&problem, lambda, v);
        for (int i = 0; i < problem.row_count; i++)
            work += 0.5 * lambda[i] * (v[i] + problem.b[i]);
        CHECK_BELOW(work, 1e-12);
        for (int c = 0; c < problem.block_count; c++)
            ck_assert(lambda[3 * c] >= 0.0);
        cairn_problem_destroy(&problem);
    }
}
END

// ---------------------------------------------------------------- the variants

TEST(all_variants_solve_random_problems_with_any_number_of_facets)
{
    const int facets[] = {3, 4, 5, 8, 9, 16};
    cairn_random random = {3};

    for (int k = 0; k < CHECK_CASES(300); k++) {
        cairn_problem problem = random_problem(1 + k % 3, 1 + k % 8, 0.1 + 0.1 * (k % 9), &random);
        double lambda[most_rows];
        for (int m = 0; m < variant_count; m++) {
            cairn_report report = solve(&problem, variants[m], facets[k % 6], lambda);
            check_solved(&report, "random");
            ck_assert_msg(strcmp(report.method, variants[m]) == 0, "case %d: %s fell back to %s", k,
                          variants[m], report.method);
            ck_assert_int_eq(report.law, CAIRN_LAW_PYRAMID);
        }
        cairn_problem_destroy(&problem);
    }
}
END

// friction lies on the inner side of each edge between two corners
static void within_pyramid(const cairn_friction* friction, const double* lambda)
{
    double half = 3.14159265358979323846 / friction->facets;
    for (int j = 0; j < friction->facets; j++) {
        double angle = (2 * j + 1) * half;
        CHECK_BELOW(lambda[1] * cos(angle) + lambda[2] * sin(angle),
                    friction->mu[0] * lambda[0] * cos(half) + 1e-9);
    }
}

TEST(contacts_may_have_pyramids_of_different_facets)
{
    cairn_random random = {17};
    for (int k = 0; k < 100; k++) {
        cairn_problem problem = random_problem(1 + k % 3, 2 + k % 7, 0.1 + 0.1 * (k % 9), &random);
        double lambda[most_rows];

        for (int c = 0; c < problem.block_count; c++) {
            problem.blocks[c].friction.kind = CAIRN_FRICTION_PYRAMID;
            problem.blocks[c].friction.facets = 3 + (c + k) % 14;
        }

        // the certificate measures each contact against its own pyramid
        for (int m = 0; m < variant_count; m++) {
            cairn_report report = solve(&problem, variants[m], 8, lambda);
            check_solved(&report, "mixed facets");
            for (int c = 0; c < problem.block_count; c++)
                within_pyramid(&problem.blocks[c].friction, lambda + 3 * c);
        }
        cairn_problem_destroy(&problem);
    }
}
END

TEST(velocities_without_friction_are_unique_and_the_same_by_every_variant)
{
    cairn_random random = {4};
    for (int k = 0; k < 100; k++) {
        cairn_problem problem = random_problem(1 + k % 4, 2 + k % 20, 0.0, &random);
        double lambda[most_rows], v[most_rows], other[most_rows];
        cairn_report report = solve(&problem, "lemke", 8, lambda);
        check_solved(&report, "frictionless");

        cairn_problem_velocity(&problem, lambda, v);
        for (int m = 1; m < variant_count; m++) {
            report = solve(&problem, variants[m], 8, lambda);
            check_solved(&report, "frictionless");
            cairn_problem_velocity(&problem, lambda, other);
            for (int i = 0; i < problem.row_count; i++)
                CHECK_NEAR(other[i], v[i], 1e-9);
        }
        cairn_problem_destroy(&problem);
    }
}
END

// attempts one variant directly
static cairn_lemke_attempt attempt(const cairn_problem* problem, cairn_lemke_variant variant)
{
    cairn_arena arena = {0};
    cairn_solve_def def = cairn_default_solve_def();
    cairn_report report = {0};
    cairn_error error;
    cairn_job job = {.problem = problem, .def = &def, .arena = &arena, .report = &report};
    cairn_lemke_form form;
    cairn_lemke_attempt out;
    job.lambda = CAIRN_TAKE(&arena, double, problem->row_count);
    ck_assert(cairn_delassus_prepare(&job.A, problem, &arena) == CAIRN_OK);
    ck_assert(cairn_lemke_form_make(&form, &job, &error) == CAIRN_OK);
    ck_assert(cairn_lemke_try(&out, &job, &form, variant) == CAIRN_OK);
    cairn_arena_destroy(&arena);
    return out;
}

TEST(the_kernel_never_exceeds_the_degrees_of_freedom_by_more_than_two)
{
    cairn_random random = {5};
    for (int k = 0; k < 100; k++) {
        int bodies = 1 + k % 3;
        cairn_problem problem = random_problem(bodies, 24, 0.3, &random);
        for (int v = 0; v < 2; v++) {
            cairn_lemke_attempt out = attempt(&problem, (cairn_lemke_variant)v);
            ck_assert_int_eq(out.outcome, CAIRN_OUTCOME_CONVERGED);
            ck_assert_int_le(out.kernel, 6 * bodies + 2);
        }
        cairn_problem_destroy(&problem);
    }
}
END

// two rings of contacts around a peg
static cairn_problem make_peg(int contacts, cairn_random* random)
{
    cairn_problem problem = cairn_problem_empty();
    cairn_problem_add_body(&problem, cube_mass(2.0));
    for (int k = 0; k < contacts; k++) {
        double angle = 4.0 * 3.14159265358979323846 * k / contacts;
        cairn_vec3 out = cairn_vec(cos(angle), sin(angle), 0.0);
        cairn_vec3 r = cairn_vec(0.3 * out.x, 0.3 * out.y, 2 * k < contacts ? -0.4 : 0.4);
        add_contact(&problem, CAIRN_WORLD_BODY, 0, cairn_neg(out), r, r,
                    cairn_random_range(random, 0.2, 0.3));
    }
    random_velocities(&problem, random);
    return problem;
}

TEST(the_reduced_variant_solves_pegs_without_a_restart)
{
    cairn_random random = {6};
    for (int k = 0; k < CHECK_CASES(1500); k++) {
        cairn_problem problem = make_peg(8 + 2 * (k % 13), &random);
        double lambda[most_rows];
        cairn_report report = solve(&problem, "lemke", 8, lambda);
        check_solved(&report, "peg");
        ck_assert_msg(report.note[0] == '\0', "case %d: %s", k, report.note);
        cairn_problem_destroy(&problem);
    }
}
END

TEST(the_reduced_variant_needs_fewer_pivots_than_the_structural_one)
{
    cairn_random random = {7};
    int reduced = 0, structural = 0;
    for (int k = 0; k < 20; k++) {
        cairn_problem problem = make_peg(32, &random);
        reduced += attempt(&problem, CAIRN_LEMKE_REDUCED).pivots;
        structural += attempt(&problem, CAIRN_LEMKE_STRUCTURAL).pivots;
        cairn_problem_destroy(&problem);
    }
    ck_assert_int_lt(2 * reduced, structural);
}
END

// ---------------------------------------------------------------- degenerate problems

TEST(repeated_contacts_and_contacts_without_friction_are_no_trouble)
{
    cairn_random random = {8};
    for (int k = 0; k < 60; k++) {
        cairn_problem problem = cairn_problem_empty();
        double lambda[most_rows];
        cairn_problem_add_body(&problem, cube_mass(1.0));

        for (int c = 0; c < 16; c++) {
            // an octagon, each corner twice; every third without friction
            double angle = 2.0 * 3.14159265358979323846 * (c % 8) / 8;
            cairn_vec3 r = cairn_vec(0.5 * cos(angle), 0.5 * sin(angle), -0.5);
            add_contact(&problem, CAIRN_WORLD_BODY, 0, cairn_vec(0.0, 0.0, 1.0), r, r,
                        c % 3 ? 0.4 : 0.0);
        }

        if (k % 2) {
            double fall[6] = {0.0, 0.0, -1.0, 0.0, 0.0, 0.0};
            set_velocities(&problem, fall);
        } else {
            random_velocities(&problem, &random);
        }

        for (int m = 0; m < variant_count; m++) {
            cairn_report report = solve(&problem, variants[m], 8, lambda);
            check_solved(&report, "octagon");
        }
        cairn_problem_destroy(&problem);
    }
}
END

TEST(a_wedge_between_walls_is_held_by_friction)
{
    // walls lean out by less than the angle of friction, so the wedge cannot slip up when pressed
    cairn_problem problem = cairn_problem_empty();
    double lambda[most_rows], body[6], press[6] = {0.0, 0.0, -1.0, 0.0, 0.0, 0.0};
    cairn_problem_add_body(&problem, cube_mass(1.0));

    for (int k = 0; k < 4; k++) {
        double side = k % 2 ? 1.0 : -1.0;
        cairn_vec3 r = cairn_vec(0.5 * side, k / 2 ? 0.5 : -0.5, 0.0);
        add_contact(&problem, CAIRN_WORLD_BODY, 0, cairn_normalize(cairn_vec(-side, 0.0, 0.2)), r,
                    r, 0.5);
    }

    set_velocities(&problem, press);
    for (int m = 0; m < variant_count; m++) {
        cairn_report report = solve(&problem, variants[m], 8, lambda);
        check_solved(&report, "wedge");
        cairn_problem_body_velocity(&problem, lambda, body);
        CHECK_NEAR(body[2], 1.0, 1e-12);
    }
    cairn_problem_destroy(&problem);
}
END

TEST(walls_that_close_on_a_body_end_on_a_ray_that_squeezes_it)
{
    cairn_problem problem = cairn_problem_empty();
    double lambda[6], ray[6], body[6];
    cairn_problem_add_body(&problem, cube_mass(1.0));

    for (int k = 0; k < 2; k++) {
        double side = k ? 1.0 : -1.0;
        cairn_vec3 r = cairn_vec(0.5 * side, 0.0, 0.0);
        add_contact(&problem, CAIRN_WORLD_BODY, 0, cairn_vec(-side, 0.0, 0.0), r, r, 0.3);
        problem.b[3 * k] = -1.0;
    }

    for (int m = 0; m < variant_count; m++) {
        cairn_solve_def def = cairn_default_solve_def();
        cairn_report report;
        cairn_error error;
        def.method = variants[m];
        def.ray = ray;
        memset(ray, 0, sizeof ray);

        ck_assert(cairn_solve(&problem, &def, lambda, &report, &error) == CAIRN_OK);
        ck_assert_int_eq(report.outcome, CAIRN_OUTCOME_RAY);

        // impulses along the ray press from both sides and do not move the body
        ck_assert(ray[0] > 0.0 && ray[3] > 0.0);

        cairn_problem_body_velocity(&problem, ray, body);
        for (int k = 0; k < 6; k++)
            CHECK_NEAR(body[k], 0.0, 1e-9 * ray[0]);
    }
    cairn_problem_destroy(&problem);
}
END

// ---------------------------------------------------------------- other blocks

// a cube on the floor, another hung on it by a ball joint that is stored twice
static cairn_problem jointed_cubes(double mu)
{
    cairn_problem problem = resting_cube(1.0, mu);
    const double none[3] = {0.0, 0.0, 0.0};
    cairn_problem_add_body(&problem, cube_mass(2.0));
    for (int copy = 0; copy < 2; copy++) {
        cairn_row rows[3];
        cairn_block block = {.kind = CAIRN_BLOCK_JOINT, .row_count = 3, .body_a = 0, .body_b = 1};
        cairn_contact_rows(cairn_vec(0.0, 0.0, 1.0), cairn_vec(0.5, 0.1, 0.5),
                           cairn_vec(-0.5, 0.2, -0.5), 3, rows);
        cairn_problem_add_block(&problem, &block, rows, none);
    }
    return problem;
}

TEST(redundant_joints_are_projected_away)
{
    cairn_random random = {9};
    for (int k = 0; k < 50; k++) {
        cairn_problem problem = jointed_cubes(0.4);
        double lambda[most_rows];
        random_velocities(&problem, &random);
        for (int m = 0; m < variant_count; m++) {
            cairn_report report = solve(&problem, variants[m], 8, lambda);
            check_solved(&report, "joint");
            ck_assert_str_eq(report.method, variants[m]);
        }
        cairn_problem_destroy(&problem);
    }
}
END

// one row along x of body 0, at velocity b
static void add_slider(cairn_problem* problem, cairn_block_kind kind, double b)
{
    cairn_row row = {{0.0}, {1.0, 0.0, 0.0, 0.0, 0.0, 0.0}};
    cairn_block block = {.kind = kind, .row_count = 1, .body_a = CAIRN_WORLD_BODY, .body_b = 0};
    cairn_problem_add_block(problem, &block, &row, &b);
}

TEST(a_motor_reaches_its_velocity_or_its_limit)
{
    // pushes a cube of 2 kg over a floor without friction: 1 m/s asks for 2 N s
    const double limits[4][2] = {{-5.0, 5.0}, {-1.5, 1.5}, {-INFINITY, 5.0}, {-1.5, INFINITY}};
    const double expected[4] = {-2.0, -1.5, -2.0, -1.5};

    for (int k = 0; k < 4; k++)
        for (int m = 0; m < variant_count; m++) {
            cairn_problem problem = resting_cube(2.0, 0.0);
            double lambda[most_rows], v[6] = {0.0, 0.0, -1.0, 0.0, 0.0, 0.0};
            add_slider(&problem, CAIRN_BLOCK_MOTOR, 0.0);
            cairn_problem_set_bounds(&problem, 12, limits[k][0], limits[k][1]);
            set_velocities(&problem, v);
            problem.b[12] = 1.0;
            cairn_report report = solve(&problem, variants[m], 8, lambda);
            check_solved(&report, "motor");
            CHECK_NEAR(lambda[12], expected[k], 1e-12);
            cairn_problem_destroy(&problem);
        }
}
END

TEST(motors_limits_and_compliance_stand_beside_friction)
{
    cairn_random random = {10};
    for (int k = 0; k < 60; k++) {
        cairn_problem problem = jointed_cubes(0.5);
        double lambda[most_rows];
        add_slider(&problem, CAIRN_BLOCK_MOTOR, 0.0);
        cairn_problem_set_bounds(&problem, problem.row_count - 1, -0.2, 0.3);
        add_slider(&problem, CAIRN_BLOCK_LIMIT, 0.0);
        random_velocities(&problem, &random);

        if (k % 2) {
            problem.compliance = calloc((size_t)problem.row_capacity, sizeof(double));
            for (int i = 0; i < problem.row_count; i++)
                problem.compliance[i] = i % 3 ? 0.0 : 0.05;
        }

        for (int m = 0; m < variant_count; m++) {
            cairn_report report = solve(&problem, variants[m], 8, lambda);
            check_solved(&report, "mixed");
        }
        cairn_problem_destroy(&problem);
    }
}
END

TEST(contacts_of_one_and_two_rows_and_boxes_are_treated)
{
    cairn_random random = {11};
    for (int k = 0; k < 60; k++) {
        cairn_problem problem = cairn_problem_empty();
        double lambda[most_rows];
        cairn_problem_add_body(&problem, cube_mass(1.0));

        // four contacts below with box friction, four above with pyramids
        for (int c = 0; c < 8; c++) {
            const double none[3] = {0.0, 0.0, 0.0};
            cairn_row rows[3];
            cairn_friction box = {.kind = CAIRN_FRICTION_BOX, .mu = {0.3, c == 2 ? 0.0 : 0.6, 0.0}};
            cairn_friction pyramid = {.kind = CAIRN_FRICTION_PYRAMID, .facets = 4, .mu = {0.4}};
            cairn_block block = {.kind = CAIRN_BLOCK_CONTACT,
                                 .row_count = 1 + c % 3,
                                 .body_a = CAIRN_WORLD_BODY,
                                 .body_b = 0,
                                 .friction = c < 4 ? box : pyramid};
            cairn_vec3 r = cairn_vec(c & 1 ? 0.5 : -0.5, c & 2 ? 0.5 : -0.5, c & 4 ? 0.5 : -0.5);
            cairn_contact_rows(cairn_vec(0.0, 0.0, c & 4 ? -1.0 : 1.0), r, r, block.row_count,
                               rows);
            cairn_problem_add_block(&problem, &block, rows, none);
        }

        random_velocities(&problem, &random);
        for (int m = 0; m < variant_count; m++) {
            cairn_report report = solve(&problem, variants[m], 8, lambda);
            check_solved(&report, "rows");
        }
        cairn_problem_destroy(&problem);
    }
}
END

TEST(a_known_slip_direction_fixes_the_friction)
{
    cairn_problem problem = resting_cube(1.0, 0.5);
    double lambda[12], v[6] = {0.3, 0.4, -1.0, 0.0, 0.0, 0.0};
    for (int c = 0; c < 4; c++)
        problem.blocks[c].friction =
            (cairn_friction){.kind = CAIRN_FRICTION_SLIDING, .mu = {0.2}, .slip = {0.6, 0.8}};
    set_velocities(&problem, v);
    cairn_report report = solve(&problem, "lemke", 8, lambda);
    check_solved(&report, "sliding");
    ck_assert_str_eq(report.method, "lemke-standard");
    ck_assert(report.note[0] != '\0');
    for (int c = 0; c < 4; c++)
        CHECK_NEAR(lambda[3 * c + 2], -0.16 * lambda[3 * c], 1e-12);
    cairn_problem_destroy(&problem);
}
END

TEST(an_explicit_matrix_gives_the_same_velocities_as_bodies)
{
    cairn_random random = {12};
    for (int k = 0; k < 40; k++) {
        cairn_problem problem = make_peg(8 + 2 * (k % 5), &random), form;
        double lambda[most_rows];
        cairn_error error;
        ck_assert(cairn_problem_explicit(&problem, &form, &error) == CAIRN_OK);

        for (int m = 0; m < variant_count; m++) {
            cairn_report report = solve(&form, variants[m], 8, lambda);
            check_solved(&report, "explicit");
            ck_assert_str_eq(report.method, variants[m]);
        }

        // no longer symmetric: the standard variant takes over and says so
        form.A->value[1] += 0.01;
        cairn_report report = solve(&form, "lemke", 8, lambda);

        ck_assert_str_eq(report.method, "lemke-standard");
        ck_assert(report.note[0] != '\0');
        cairn_problem_destroy(&form);
        cairn_problem_destroy(&problem);
    }
}
END

TEST(answers_do_not_depend_on_the_units_of_mass_and_time)
{
    cairn_random random = {13};
    cairn_problem problem = make_peg(16, &random), heavy;
    double lambda[most_rows], other[most_rows];
    cairn_problem_copy(&problem, &heavy);
    heavy.bodies[0].inverse_mass *= 0x1p-20;
    heavy.bodies[0].inverse_inertia = cairn_mat3_scale(0x1p-20, heavy.bodies[0].inverse_inertia);

    for (int i = 0; i < heavy.row_count; i++)
        heavy.b[i] *= 0x1p-10;

    for (int m = 0; m < variant_count; m++) {
        solve(&problem, variants[m], 8, lambda);
        solve(&heavy, variants[m], 8, other);
        for (int i = 0; i < problem.row_count; i++)
            CHECK_NEAR(0x1p-10 * other[i], lambda[i], 1e-10);
    }
    cairn_problem_destroy(&heavy);
    cairn_problem_destroy(&problem);
}
END

TEST(problems_without_contacts_and_bodies_that_part_need_no_impulse)
{
    cairn_problem empty = cairn_problem_empty(), problem = resting_cube(1.0, 0.5);
    double lambda[12], up[6] = {0.1, 0.0, 1.0, 0.0, 0.0, 0.0};
    set_velocities(&problem, up);
    for (int m = 0; m < variant_count; m++) {
        cairn_report report = solve(&empty, variants[m], 8, lambda);
        ck_assert_int_eq(report.outcome, CAIRN_OUTCOME_CONVERGED);
        report = solve(&problem, variants[m], 8, lambda);
        ck_assert_int_eq(report.outcome, CAIRN_OUTCOME_CONVERGED);
        for (int i = 0; i < 12; i++)
            CHECK_NEAR(lambda[i], 0.0, 0.0);
    }
    cairn_problem_destroy(&problem);
}
END

// contacts beside a joint whose rows have any size that fits a double
static cairn_problem overflowing_problem(cairn_random* random)
{
    cairn_problem problem = random_problem(3, 6, 0.5, random);
    cairn_row rows[3] = {{{0.0}, {0.0}}};
    double b[3];
    cairn_block joint = {.kind = CAIRN_BLOCK_JOINT, .row_count = 3, .body_a = 0, .body_b = 1};

    for (int r = 0; r < 3; r++) {
        double size = pow(10.0, cairn_random_range(random, -160.0, 150.0));
        b[r] = pow(10.0, cairn_random_range(random, -300.0, 300.0));
        for (int k = 0; k < 6; k++) {
            rows[r].a[k] = size * cairn_random_range(random, -1.0, 1.0);
            rows[r].b[k] = size * cairn_random_range(random, -1.0, 1.0);
        }
    }

    ck_assert(cairn_problem_add_block(&problem, &joint, rows, b) == CAIRN_OK);
    return problem;
}

TEST(data_that_overflow_end_with_an_outcome_and_finite_impulses)
{
    cairn_random random = {23};
    cairn_workspace* workspace = cairn_workspace_create();

    for (int k = 0; k < CHECK_CASES(300); k++) {
        cairn_problem problem = overflowing_problem(&random);
        double lambda[21];
        cairn_solve_def def = cairn_default_solve_def();
        cairn_report report;

        // memory that earlier solves have used holds their numbers
        def.workspace = workspace;
        def.method = variants[k % variant_count];

        CHECK(cairn_solve(&problem, &def, lambda, &report, NULL) == CAIRN_OK);
        for (int i = 0; i < problem.row_count; i++)
            CHECK(isfinite(lambda[i]));
        cairn_problem_destroy(&problem);
    }
    cairn_workspace_destroy(workspace);
}
END

// ---------------------------------------------------------------- many bodies, far masses

// unit cubes on eight contacts each, in a column; the top one is pushed
static cairn_problem column(int bodies, cairn_random* random)
{
    cairn_problem problem = cairn_problem_empty();
    double v[6 * 32] = {0};

    for (int i = 0; i < bodies; i++) {
        cairn_problem_add_body(&problem, cube_mass(1000.0));
        v[6 * i + 2] = -0.1;
    }

    for (int k = 0; k < 6; k++)
        v[6 * (bodies - 1) + k] += cairn_random_range(random, -1.0, 1.0);

    for (int c = 0; c < 8 * bodies; c++) {
        double x = 0.5 * cos(0.25 * 3.14159265358979 * c),
               y = 0.5 * sin(0.25 * 3.14159265358979 * c);
        add_contact(&problem, c / 8 - 1, c / 8, cairn_vec(0.0, 0.0, 1.0), cairn_vec(x, y, 0.5),
                    cairn_vec(x, y, -0.5), cairn_random_range(random, 0.2, 0.3));
    }

    set_velocities(&problem, v);
    return problem;
}

TEST(columns_of_thirty_two_bodies_are_solved_by_the_reduced_variant)
{
    cairn_random random = {3};
    double lambda[3 * 8 * 32];
    for (int k = 0; k < CHECK_FEWER(6, 2); k++) {
        cairn_problem problem = column(32, &random);
        cairn_report report = solve(&problem, "lemke", 8, lambda);
        check_solved(&report, "column");
        ck_assert_str_eq(report.method, "lemke");
        cairn_problem_destroy(&problem);
    }
}
END

TEST(an_answer_is_its_own_warm_start)
{
    cairn_random random = {5};
    double lambda[3 * 8 * 32];

    for (int bodies = 1; bodies <= 32; bodies *= 2) {
        cairn_problem problem = column(bodies, &random);
        cairn_solve_def def = cairn_default_solve_def();
        cairn_report report;
        cairn_error error;
        def.method = "lemke";
        def.any_forces = true; // a corner, where pivoting ends

        ck_assert(cairn_solve(&problem, &def, lambda, &report, &error) == CAIRN_OK);

        problem.warm = lambda;
        def.warm_start = true;

        ck_assert(cairn_solve(&problem, &def, lambda, &report, &error) == CAIRN_OK);
        check_solved(&report, "warm start");
        ck_assert_int_eq(report.pivots, 0);

        problem.warm = NULL;
        cairn_problem_destroy(&problem);
    }
}
END

// columns whose masses differ by up to 1e4
static cairn_problem far_masses(uint64_t seed)
{
    cairn_random random = {seed};
    cairn_problem problem = cairn_problem_empty();
    int bodies = 2 + (int)cairn_random_range(&random, 0.0, 4.0);
    double v[6 * 6], pi = 3.14159265358979323846;

    // masses from 0.01 to 100, moving at random
    for (int i = 0; i < bodies; i++) {
        cairn_problem_add_body(&problem,
                               cube_mass(pow(10.0, cairn_random_range(&random, -2.0, 2.0))));
        for (int k = 0; k < 6; k++)
            v[6 * i + k] = cairn_random_range(&random, -1.0, 1.0);
    }

    for (int i = 0; i < bodies; i++) {
        double mu = cairn_random_range(&random, 0.2, 0.9);
        for (int c = 0; c < 8; c++) {
            double angle = 2.0 * pi * (c + 0.5 * (double)(seed & 1)) / 8;
            double x = 0.5 * cos(angle), y = 0.5 * sin(angle);
            add_contact(&problem, i - 1, i, cairn_vec(0.0, 0.0, 1.0), cairn_vec(x, y, 0.5),
                        cairn_vec(x, y, -0.5), mu);
        }
    }

    set_velocities(&problem, v);
    return problem;
}

// velocities that bodies can have leave no room for a ray, whatever round-off says
TEST(no_variant_ends_on_a_ray_where_finite_impulses_exist)
{
    static const int seeds[] = {120, 379, 7, 8, 9, 10};
    double lambda[most_rows];
    for (int k = 0; k < 6; k++) {
        cairn_problem problem = far_masses((uint64_t)seeds[k]);
        for (int m = 0; m < variant_count; m++) {
            cairn_report report = solve(&problem, variants[m], 3 + seeds[k] % 14, lambda);
            check_solved(&report, variants[m]);
        }
        cairn_problem_destroy(&problem);
    }
}
END

// pyramids in place of ellipses are an answer only to who asks for them
TEST(a_simpler_law_is_not_taken_for_the_one_that_was_given)
{
    double lambda[12], v[6] = {1.0, 1.0, -1.0};
    for (int m = 0; m < variant_count; m++) {
        cairn_problem problem = resting_cube(1.0, 0.5);
        cairn_solve_def def = cairn_default_solve_def();
        cairn_report report;
        cairn_error error;
        set_velocities(&problem, v);

        for (int c = 0; c < 4; c++)
            problem.blocks[c].friction =
                (cairn_friction){.kind = CAIRN_FRICTION_ELLIPSE, .mu = {0.8, 0.1}};

        def.method = variants[m];
        ck_assert(cairn_solve(&problem, &def, lambda, &report, &error) == CAIRN_OK);

        ck_assert_int_eq(report.law, CAIRN_LAW_AS_GIVEN);
        ck_assert_int_ne(report.outcome, CAIRN_OUTCOME_CONVERGED);

        def.simpler_law = true;
        ck_assert(cairn_solve(&problem, &def, lambda, &report, &error) == CAIRN_OK);

        ck_assert_int_eq(report.law, CAIRN_LAW_PYRAMID);
        ck_assert_int_eq(report.outcome, CAIRN_OUTCOME_CONVERGED);
        cairn_problem_destroy(&problem);
    }
}
END

TEST(every_seed_of_the_perturbation_leads_to_an_answer)
{
    cairn_random random = {17};
    cairn_problem problem = make_peg(16, &random);
    double lambda[most_rows];
    for (uint64_t seed = 1; seed <= 20; seed++) {
        cairn_solve_def def = cairn_default_solve_def();
        cairn_report report;
        cairn_error error;
        def.method = "lemke";
        def.seed = seed;
        ck_assert(cairn_solve(&problem, &def, lambda, &report, &error) == CAIRN_OK);
        check_solved(&report, "seed");
    }
    cairn_problem_destroy(&problem);
}
END

// seven contacts on pyramids of a thousand facets are 7,014 pairs: a matrix of 400 MB
TEST(an_lcp_too_large_to_be_formed_is_left_alone_and_told)
{
    cairn_random random = {5};
    cairn_problem problem = random_problem(3, 7, 0.5, &random);
    double lambda[most_rows];
    cairn_report report = solve(&problem, "lemke-standard", 1000, lambda);
    ck_assert(report.outcome == CAIRN_OUTCOME_ITERATION_LIMIT);
    ck_assert_ptr_nonnull(strstr(report.note, "7014 pairs"));
    cairn_problem_destroy(&problem);
}
END

TESTS(an_lcp_too_large_to_be_formed_is_left_alone_and_told,
      contacts_may_have_pyramids_of_different_facets,
      columns_of_thirty_two_bodies_are_solved_by_the_reduced_variant,
      an_answer_is_its_own_warm_start, no_variant_ends_on_a_ray_where_finite_impulses_exist,
      a_simpler_law_is_not_taken_for_the_one_that_was_given,
      every_seed_of_the_perturbation_leads_to_an_answer,
      a_block_sticks_just_below_and_slides_just_above_the_angle_of_friction,
      finer_pyramids_approach_the_cone_as_the_square_of_the_facets,
      friction_never_adds_energy_and_normal_impulses_never_pull,
      all_variants_solve_random_problems_with_any_number_of_facets,
      velocities_without_friction_are_unique_and_the_same_by_every_variant,
      the_kernel_never_exceeds_the_degrees_of_freedom_by_more_than_two,
      the_reduced_variant_solves_pegs_without_a_restart,
      the_reduced_variant_needs_fewer_pivots_than_the_structural_one,
      repeated_contacts_and_contacts_without_friction_are_no_trouble,
      a_wedge_between_walls_is_held_by_friction,
      walls_that_close_on_a_body_end_on_a_ray_that_squeezes_it, redundant_joints_are_projected_away,
      a_motor_reaches_its_velocity_or_its_limit, motors_limits_and_compliance_stand_beside_friction,
      contacts_of_one_and_two_rows_and_boxes_are_treated, a_known_slip_direction_fixes_the_friction,
      an_explicit_matrix_gives_the_same_velocities_as_bodies,
      answers_do_not_depend_on_the_units_of_mass_and_time,
      problems_without_contacts_and_bodies_that_part_need_no_impulse,
      data_that_overflow_end_with_an_outcome_and_finite_impulses)
