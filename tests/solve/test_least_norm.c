// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Forces where statics leave a choice: the least of them, whatever the method, and how many there
// are. References are symmetry, the law of a rigid plate on equal springs, and dense elimination.

#include "check_cairn.h"
#include "dense_reference.h"
#include <cairn/cairn.h>
#include <cairn/random.h>
#include <string.h>

static const double g = 9.81, dt = 0.01; // m/s², s
static const char* const methods[] = {"auto", "dantzig", "exact", "gauss-seidel", "prox", "pgs"};
enum { method_count = 6 };

typedef struct answer {
    double* lambda;
    cairn_report report;
} answer;

static answer solve(const cairn_problem* problem, const char* method, double tolerance, bool any)
{
    answer out = {.lambda = malloc((size_t)problem->row_count * sizeof(double))};
    cairn_solve_def def = cairn_default_solve_def();
    cairn_error error = {""};
    def.method = method;
    def.tolerance = tolerance;
    def.any_forces = any;
    cairn_status status = cairn_solve(problem, &def, out.lambda, &out.report, &error);
    ck_assert_msg(status == CAIRN_OK, "%s: %s", method, error.text);
    ck_assert_msg(out.report.outcome == CAIRN_OUTCOME_CONVERGED, "%s: residual %g", method,
                  out.report.residual.relative);
    return out;
}

// a body of mass m and the inertia of a ball of radius 1/2
static int add_body(cairn_problem* problem, double m)
{
    double turn = 1.0 / (0.1 * m);
    cairn_mass mass = {1.0 / m, cairn_mat3_diagonal(turn, turn, turn)};
    CHECK(cairn_problem_add_body(problem, mass) == CAIRN_OK);
    return problem->body_count - 1;
}

static double row_velocity(const cairn_row* row, cairn_vec3 va, cairn_vec3 vb)
{
    return row->a[0] * va.x + row->a[1] * va.y + row->a[2] * va.z + row->b[0] * vb.x +
           row->b[1] * vb.y + row->b[2] * vb.z;
}

// a contact of body b with the world or with body a, r from the centers; bodies move with va, vb
static void add_contact(cairn_problem* problem, int a, int b, cairn_vec3 n, cairn_vec3 r_a,
                        cairn_vec3 r_b, double mu, cairn_vec3 va, cairn_vec3 vb)
{
    cairn_row rows[3];
    double velocity[3];
    cairn_block block = {.kind = CAIRN_BLOCK_CONTACT,
                         .row_count = 3,
                         .body_a = a,
                         .body_b = b,
                         .friction = cairn_friction_cone(mu)};
    cairn_contact_rows(n, r_a, r_b, 3, rows);
    for (int k = 0; k < 3; k++)
        velocity[k] = row_velocity(&rows[k], va, vb);
    CHECK(cairn_problem_add_block(problem, &block, rows, velocity) == CAIRN_OK);
}

static const cairn_vec3 up = {0.0, 0.0, 1.0}, still = {0.0, 0.0, 0.0};

static cairn_vec3 fallen(void)
{
    return cairn_vec(0.0, 0.0, -g * dt);
}

// a plate of mass m that rests on points (x, y, -0.4) of the floor, and moves with v before gravity
static cairn_problem plate(double m, const double (*at)[2], int count, double mu, cairn_vec3 v)
{
    cairn_problem problem = cairn_problem_empty();
    int body = add_body(&problem, m);
    for (int i = 0; i < count; i++)
        add_contact(&problem, CAIRN_WORLD_BODY, body, up, still,
                    cairn_vec(at[i][0], at[i][1], -0.4), mu, still, cairn_add(v, fallen()));
    return problem;
}

static double force_of(const answer* out, int contact)
{
    return out->lambda[3 * contact] / dt;
}

// ---------------------------------------------------------------- tables and beams

TEST(a_table_of_one_body_stands_evenly_on_four_legs_by_every_method)
{
    const double at[4][2] = {{-0.5, -0.3}, {0.5, -0.3}, {-0.5, 0.3}, {0.5, 0.3}};
    for (int m = 0; m < method_count; m++) {
        cairn_problem problem = plate(20.0, at, 4, 0.5, still);
        answer out = solve(&problem, methods[m], 1e-8, false);
        for (int i = 0; i < 4; i++) {
            CHECK_NEAR(force_of(&out, i), 5.0 * g, 1e-6 * g); // the tolerance, in forces
            CHECK_NEAR(hypot(out.lambda[3 * i + 1], out.lambda[3 * i + 2]), 0.0, 1e-8);
        }
        CHECK(out.report.multiplicity == 6); // 12 rows on one body
        free(out.lambda);
        cairn_problem_destroy(&problem);
    }
}

TEST(legs_off_the_center_carry_loads_that_are_affine_in_their_places)
{
    const double at[5][2] = {{-0.45, -0.3}, {0.55, -0.3}, {-0.45, 0.3}, {0.55, 0.3}, {0.1, 0.17}};
    for (int m = 0; m < method_count; m++) {
        cairn_problem problem = plate(20.0, at, 5, 0.5, still);
        answer out = solve(&problem, methods[m], 1e-9, false);

        // F = a + b x + c y through three of the legs gives the others
        double F[5], sum = 0.0, moment[2] = {0};

        for (int i = 0; i < 5; i++) {
            F[i] = force_of(&out, i);
            sum += F[i];
            moment[0] += F[i] * at[i][0];
            moment[1] += F[i] * at[i][1];
        }

        double b = F[1] - F[0], c = (F[2] - F[0]) / 0.6, a = F[0] + 0.45 * b + 0.3 * c;
        CHECK_NEAR(sum, 20.0 * g, 1e-5);
        CHECK_NEAR(hypot(moment[0], moment[1]), 0.0, 1e-5);
        for (int i = 3; i < 5; i++)
            CHECK_NEAR(F[i], a + b * at[i][0] + c * at[i][1], 1e-4);
        free(out.lambda);
        cairn_problem_destroy(&problem);
    }
}

TEST(a_beam_on_five_supports_lifts_from_none_that_springs_would_load)
{
    // center over x = 0.3: F = a + b x >= 0 on x = -1 .. 1 with Σ F = W, Σ F x = 0.3 W - so that
    // Σ F (x - 0.3) = 0 about the center
    const double at[5][2] = {{-1.3, 0.0}, {-0.8, 0.0}, {-0.3, 0.0}, {0.2, 0.0}, {0.7, 0.0}};
    const double x[5] = {-1.0, -0.5, 0.0, 0.5, 1.0};
    cairn_problem problem = plate(10.0, at, 5, 0.5, still);
    for (int m = 0; m < method_count; m++) {
        answer out = solve(&problem, methods[m], 1e-9, false);
        for (int i = 0; i < 5; i++)
            CHECK_NEAR(force_of(&out, i), 10.0 * g * (0.2 + 0.3 / 2.5 * x[i]), 1e-4);
        free(out.lambda);
    }
    cairn_problem_destroy(&problem);
}

TEST(a_support_that_springs_would_pull_on_lifts)
{
    // center over x = 0.8 of supports at -1, 0, 1: springs would pull at -1, so the other two carry
    const double at[3][2] = {{-1.8, 0.0}, {-0.8, 0.0}, {0.2, 0.0}};
    cairn_problem problem = plate(10.0, at, 3, 0.5, still);
    answer out = solve(&problem, "exact", 1e-9, false);
    CHECK_NEAR(force_of(&out, 0), 0.0, 1e-4);
    CHECK_NEAR(force_of(&out, 1), 0.2 * 10.0 * g, 1e-4);
    CHECK_NEAR(force_of(&out, 2), 0.8 * 10.0 * g, 1e-4);
    free(out.lambda);
    cairn_problem_destroy(&problem);
}

TEST(a_table_that_slides_keeps_its_motion_and_shares_its_load)
{
    const double at[4][2] = {{-0.5, -0.3}, {0.5, -0.3}, {-0.5, 0.3}, {0.5, 0.3}};
    const double mu = 0.3;
    cairn_problem problem = plate(20.0, at, 4, mu, cairn_vec(2.0, 0.0, 0.0));

    for (int m = 0; m < method_count; m++) {
        answer any = solve(&problem, methods[m], 1e-9, true);
        answer out = solve(&problem, methods[m], 1e-9, false);
        double change[2][6];
        cairn_problem_body_velocity(&problem, any.lambda, change[0]);
        cairn_problem_body_velocity(&problem, out.lambda, change[1]);

        for (int k = 0; k < 6; k++)
            CHECK_NEAR(change[1][k], change[0][k], 1e-9);

        // friction tips it: the front legs carry more, left and right the same
        for (int i = 0; i < 4; i++) {
            double friction = hypot(out.lambda[3 * i + 1], out.lambda[3 * i + 2]);
            CHECK_NEAR(friction, mu * out.lambda[3 * i], 1e-8);
        }
        CHECK_NEAR(force_of(&out, 0), force_of(&out, 2), 1e-4);
        CHECK_NEAR(force_of(&out, 1), force_of(&out, 3), 1e-4);
        CHECK(force_of(&out, 1) > force_of(&out, 0));
        CHECK(out.report.multiplicity == 1);
        free(any.lambda);
        free(out.lambda);
    }
    cairn_problem_destroy(&problem);
}

TEST(three_legs_without_friction_are_unique_and_left_alone)
{
    const double at[3][2] = {{-0.5, -0.3}, {0.5, -0.3}, {0.1, 0.3}};
    cairn_problem problem = plate(20.0, at, 3, 0.0, still);
    answer any = solve(&problem, "dantzig", 1e-9, true);
    answer out = solve(&problem, "dantzig", 1e-9, false);
    CHECK(out.report.multiplicity == 0);
    CHECK(any.report.multiplicity == CAIRN_MULTIPLICITY_UNKNOWN);
    CHECK(memcmp(any.lambda, out.lambda, 9 * sizeof(double)) == 0);
    free(any.lambda);
    free(out.lambda);
    cairn_problem_destroy(&problem);
}

// ---------------------------------------------------------------- joints

// n equality rows that hold the point at r of body b to that of a: translations, then rotations
static void add_joint(cairn_problem* problem, int a, int b, cairn_vec3 r_a, cairn_vec3 r_b,
                      int row_count, cairn_vec3 va, cairn_vec3 vb)
{
    cairn_row rows[6] = {{{0}, {0}}};
    double velocity[6];
    cairn_block block = {
        .kind = CAIRN_BLOCK_JOINT, .row_count = row_count, .body_a = a, .body_b = b};
    cairn_frame_rows((cairn_mat3){{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, r_a, r_b, 3, rows);
    for (int k = 3; k < row_count; k++) {
        rows[k].a[k] = a == CAIRN_WORLD_BODY ? 0.0 : -1.0;
        rows[k].b[k] = 1.0;
    }
    for (int k = 0; k < row_count; k++)
        velocity[k] = row_velocity(&rows[k], va, vb);
    CHECK(cairn_problem_add_block(problem, &block, rows, velocity) == CAIRN_OK);
}

// a table top on four legs that are bodies of their own, held by fixed joints; `offset` moves the
// legs under it
static cairn_problem jointed_table(double offset)
{
    const double at[4][2] = {{-0.5, -0.3}, {0.5, -0.3}, {-0.5, 0.3}, {0.5, 0.3}};
    cairn_problem problem = cairn_problem_empty();
    int top = add_body(&problem, 20.0);
    for (int i = 0; i < 4; i++) {
        int leg = add_body(&problem, 1.0);
        add_joint(&problem, top, leg, cairn_vec(at[i][0] + offset, at[i][1], 0.0),
                  cairn_vec(0.0, 0.0, 0.2), 6, fallen(), fallen());
        add_contact(&problem, CAIRN_WORLD_BODY, leg, up, still, cairn_vec(0.0, 0.0, -0.2), 0.5,
                    still, fallen());
    }
    return problem;
}

TEST(a_table_of_five_bodies_stands_as_one_of_one_body_does)
{
    for (int m = 0; m < method_count; m++) {
        cairn_problem problem = jointed_table(0.0);
        answer out = solve(&problem, methods[m], 1e-9, false);
        for (int i = 0; i < 4; i++) {
            CHECK_NEAR(out.lambda[9 * i + 6] / dt, 6.0 * g, 1e-4);       // the foot
            CHECK_NEAR(fabs(out.lambda[9 * i + 2]) / dt, 5.0 * g, 1e-4); // the joint above
        }
        CHECK(out.report.multiplicity == 6); // 24 + 12 rows on five bodies
        free(out.lambda);
        cairn_problem_destroy(&problem);
    }
}

TEST(loads_of_five_bodies_are_affine_in_the_places_of_the_legs)
{
    // a rectangle: affine is F0 - F1 - F2 + F3 = 0, and the moments tell the slope
    cairn_problem problem = jointed_table(0.1);
    for (int m = 0; m < method_count; m++) {
        answer out = solve(&problem, methods[m], 1e-9, false);
        double F[4];
        for (int i = 0; i < 4; i++)
            F[i] = out.lambda[9 * i + 6] / dt;
        CHECK_NEAR(F[0] - F[1] - F[2] + F[3], 0.0, 1e-3);
        CHECK_NEAR(F[0], F[2], 1e-3);
        CHECK(F[0] > F[1]);
        free(out.lambda);
    }
    cairn_problem_destroy(&problem);
}

TEST(a_door_hangs_equally_on_its_hinges)
{
    for (int hinges = 2; hinges <= 3; hinges++)
        for (int m = 0; m < method_count; m++) {
            cairn_problem problem = cairn_problem_empty();
            int door = add_body(&problem, 20.0);
            for (int i = 0; i < hinges; i++) {
                double z = hinges == 2 ? (i ? 0.8 : -0.8) : 0.8 * (i - 1);
                add_joint(&problem, CAIRN_WORLD_BODY, door, still, cairn_vec(-0.4, 0.0, z), 5,
                          still, fallen());
            }
            answer out = solve(&problem, methods[m], 1e-9, false);
            for (int i = 0; i < hinges; i++)
                CHECK_NEAR(out.lambda[5 * i + 2] / dt, 20.0 * g / hinges, 1e-4);
            CHECK(out.report.multiplicity == 5 * (hinges - 1));
            free(out.lambda);
            cairn_problem_destroy(&problem);
        }
}

// a net of bodies with random joints of 3 rows, many more than it needs
static cairn_problem random_net(uint64_t seed, int bodies, int joints)
{
    cairn_problem problem = cairn_problem_empty();
    cairn_random random = {seed};

    for (int i = 0; i < bodies; i++)
        add_body(&problem, cairn_random_range(&random, 0.5, 5.0));

    for (int j = 0; j < joints; j++) {
        int b = j < bodies ? j : (int)cairn_random_range(&random, 0.0, bodies - 0.01);
        int a = b == 0 ? CAIRN_WORLD_BODY : (int)cairn_random_range(&random, -1.0, b - 0.01);
        if (a < 0)
            a = CAIRN_WORLD_BODY;
        cairn_vec3 r[2];
        for (int k = 0; k < 2; k++)
            r[k] = cairn_vec(cairn_random_range(&random, -1.0, 1.0),
                             cairn_random_range(&random, -1.0, 1.0),
                             cairn_random_range(&random, -1.0, 1.0));
        add_joint(&problem, a, b, r[0], r[1], 3, a < 0 ? still : fallen(), fallen());
    }

    return problem;
}

// |x| of what is left of rhs outside of the range of A
static double outside(const cairn_problem* problem, const double* rhs, int* rank)
{
    double *A = dense_A(problem), *b = malloc((size_t)problem->row_count * sizeof(double)), left;
    memcpy(b, rhs, (size_t)problem->row_count * sizeof(double));
    *rank = dense_rank(A, b, problem->row_count, 1e-10, &left);
    free(A);
    free(b);
    return left;
}

TEST(the_impulses_of_joints_are_least_and_counted_as_elimination_counts_them)
{
    // least among λ + null space <=> λ is in the range of A; ball joints have C = 1
    for (uint64_t seed = 1; seed <= 12; seed++) {
        cairn_problem problem = random_net(seed, 2 + (int)seed, 3 * (2 + (int)seed));
        answer any = solve(&problem, "tree", 1e-8, true);
        answer out = solve(&problem, "tree", 1e-8, false);
        int rank;
        CHECK_BELOW(outside(&problem, out.lambda, &rank), 1e-8);
        ck_assert_msg(out.report.multiplicity == problem.row_count - rank, "%d of %d rows, rank %d",
                      out.report.multiplicity, problem.row_count, rank);
        CHECK(outside(&problem, any.lambda, &rank) > 1e-3); // there was something to do
        free(any.lambda);
        free(out.lambda);
        cairn_problem_destroy(&problem);
    }
}

// ---------------------------------------------------------------- invariance

// a wall of bricks at rest
static cairn_problem wall(int width, int height)
{
    cairn_problem problem;
    cairn_generate_def def = cairn_default_generate_def("wall");
    def.width = width;
    def.height = height;
    CHECK(cairn_generate(&def, &problem, NULL) == CAIRN_OK);
    return problem;
}

TEST(methods_agree_on_the_forces_of_a_wall)
{
    cairn_problem problem = wall(4, 4);
    answer first = solve(&problem, "dantzig", 1e-10, false);
    CHECK(first.report.multiplicity > 0);
    for (int m = 2; m < method_count; m++) {
        answer out = solve(&problem, methods[m], 1e-10, false);
        CHECK(out.report.multiplicity == first.report.multiplicity);
        CHECK_BELOW(dense_distance(out.lambda, first.lambda, (size_t)problem.row_count), 1e-6);
        free(out.lambda);
    }
    free(first.lambda);
    cairn_problem_destroy(&problem);
}

static cairn_vec3 turned(cairn_quat q, const double* x)
{
    return cairn_rotate(q, cairn_vec(x[0], x[1], x[2]));
}

TEST(forces_turn_with_the_scene)
{
    // rows turned by 45 degrees: impulses along rows stay what they are
    cairn_problem problem = wall(3, 4), other;
    cairn_quat q = {cos(0.3926990816987241), 0.0, 0.0, sin(0.3926990816987241)};
    CHECK(cairn_problem_copy(&problem, &other) == CAIRN_OK);

    for (int i = 0; i < other.body_count; i++) {
        cairn_mat3 R = cairn_quat_to_mat3(q), I = other.bodies[i].inverse_inertia;
        other.bodies[i].inverse_inertia =
            cairn_mat3_multiply(R, cairn_mat3_multiply(I, cairn_mat3_transpose(R)));
    }

    for (int i = 0; i < other.row_count; i++)
        for (int k = 0; k < 12; k += 3) {
            double* x = k < 6 ? other.rows[i].a + k : other.rows[i].b + (k - 6);
            cairn_vec3 y = turned(q, x);
            x[0] = y.x, x[1] = y.y, x[2] = y.z;
        }

    answer one = solve(&problem, "exact", 1e-11, false), two = solve(&other, "exact", 1e-11, false);
    CHECK(one.report.multiplicity == two.report.multiplicity);
    CHECK_BELOW(dense_distance(two.lambda, one.lambda, (size_t)problem.row_count), 1e-8);
    free(one.lambda);
    free(two.lambda);
    cairn_problem_destroy(&problem);
    cairn_problem_destroy(&other);
}

TEST(the_order_of_bodies_and_contacts_changes_nothing)
{
    cairn_problem problem = wall(3, 4), other = cairn_problem_empty();
    int n = problem.body_count;

    // the same wall with bodies and contacts in reverse order
    for (int i = 0; i < n; i++)
        CHECK(cairn_problem_add_body(&other, problem.bodies[n - 1 - i]) == CAIRN_OK);

    for (int c = problem.block_count - 1; c >= 0; c--) {
        cairn_block block = problem.blocks[c];
        block.body_a = block.body_a < 0 ? block.body_a : n - 1 - block.body_a;
        block.body_b = block.body_b < 0 ? block.body_b : n - 1 - block.body_b;
        CHECK(cairn_problem_add_block(&other, &block, problem.rows + block.row,
                                      problem.b + block.row) == CAIRN_OK);
    }

    answer one = solve(&problem, "dantzig", 1e-11, false),
           two = solve(&other, "dantzig", 1e-11, false);
    double most = 0.0, apart = 0.0;

    for (int c = 0; c < problem.block_count; c++)
        for (int k = 0; k < 3; k++) {
            double x = one.lambda[problem.blocks[c].row + k];
            double y = two.lambda[other.blocks[problem.block_count - 1 - c].row + k];
            most = fmax(most, fabs(x));
            apart = fmax(apart, fabs(x - y));
        }

    CHECK_BELOW(apart, 1e-9 * most);
    free(one.lambda);
    free(two.lambda);
    cairn_problem_destroy(&problem);
    cairn_problem_destroy(&other);
}

TEST(more_than_a_thousand_contacts_are_one_of_many)
{
    cairn_problem problem = wall(16, 10);
    CHECK(cairn_problem_contact_count(&problem) > 1000);
    answer out = solve(&problem, "exact", 1e-6, false);
    CHECK(out.report.multiplicity == CAIRN_MULTIPLICITY_UNKNOWN);
    free(out.lambda);
    cairn_problem_destroy(&problem);
}

// two hands press a book by four contacts; each is held but for the way along which it presses
TEST(a_book_pressed_a_little_above_the_limit_hangs_without_torque)
{
    const double m = 1.0, mu = 0.5, press = 1.01 * 0.5 * m * g / mu; // N, by each hand
    cairn_problem problem = cairn_problem_empty();
    int book = add_body(&problem, m);

    for (int side = 0; side < 2; side++) {
        double way = side ? 1.0 : -1.0;
        int hand = add_body(&problem, 0.5);
        cairn_vec3 v = cairn_vec(-way * press / 0.5 * dt, 0.0, 0.0);
        cairn_row rows[5] = {{{0}, {0}}};
        double b[5] = {0};

        for (int k = 0; k < 5; k++)
            rows[k].b[k + 1] = 1.0; // all but x

        cairn_block hold = {
            .kind = CAIRN_BLOCK_JOINT, .row_count = 5, .body_a = CAIRN_WORLD_BODY, .body_b = hand};
        CHECK(cairn_problem_add_block(&problem, &hold, rows, b) == CAIRN_OK);

        for (int i = 0; i < 2; i++)
            add_contact(&problem, book, hand, cairn_vec(way, 0.0, 0.0),
                        cairn_vec(0.02 * way, i ? 0.1 : -0.1, 0.0),
                        cairn_vec(-0.05 * way, i ? 0.1 : -0.1, 0.0), mu, fallen(), v);
    }

    // each contact bears a quarter of the weight, straight up
    for (int t = 0; t < 2; t++) {
        answer out = solve(&problem, methods[t + 1], 1e-10, false);
        for (int c = 0; c < problem.block_count; c++) {
            const cairn_block* block = &problem.blocks[c];
            if (block->kind != CAIRN_BLOCK_CONTACT)
                continue;

            cairn_vec3 P = still;
            for (int k = 0; k < 3; k++) {
                const double* e = problem.rows[block->row + k].a;
                P = cairn_add_scaled(P, out.lambda[block->row + k] / dt,
                                     cairn_vec(e[0], e[1], e[2]));
            }

            CHECK_NEAR(fabs(P.x), 0.5 * press, 1e-5);
            CHECK_NEAR(P.y, 0.0, 1e-5);
            CHECK_NEAR(P.z, 0.25 * m * g, 1e-5);
        }
        free(out.lambda);
    }
    cairn_problem_destroy(&problem);
}

TESTS(a_table_of_one_body_stands_evenly_on_four_legs_by_every_method,
      legs_off_the_center_carry_loads_that_are_affine_in_their_places,
      a_beam_on_five_supports_lifts_from_none_that_springs_would_load,
      a_support_that_springs_would_pull_on_lifts,
      a_table_that_slides_keeps_its_motion_and_shares_its_load,
      three_legs_without_friction_are_unique_and_left_alone,
      a_table_of_five_bodies_stands_as_one_of_one_body_does,
      loads_of_five_bodies_are_affine_in_the_places_of_the_legs, a_door_hangs_equally_on_its_hinges,
      the_impulses_of_joints_are_least_and_counted_as_elimination_counts_them,
      methods_agree_on_the_forces_of_a_wall, forces_turn_with_the_scene,
      the_order_of_bodies_and_contacts_changes_nothing,
      more_than_a_thousand_contacts_are_one_of_many,
      a_book_pressed_a_little_above_the_limit_hangs_without_torque)
