// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors

#include "check_cairn.h"
#include "mixed_problem.h"
#include "nets.h"
#include <cairn/cairn.h>
#include <cairn/random.h>
#include <string.h>

// ---------------------------------------------------------------- scenes

enum { most_bodies = 64 };

// bodies with velocities, and the problem of an instant
typedef struct scene {
    cairn_problem problem;
    cairn_vec3 x[most_bodies], v[most_bodies], w[most_bodies];
    double mass[most_bodies], inertia[most_bodies]; // balls: a number each
} scene;

static scene empty_scene(void)
{
    return (scene){.problem = cairn_problem_empty()};
}

static int add_body(scene* s, double mass, double inertia, cairn_vec3 x)
{
    int i = s->problem.body_count;
    double k = 1.0 / inertia;
    s->x[i] = x;
    s->mass[i] = mass;
    s->inertia[i] = inertia;
    cairn_problem_add_body(&s->problem, (cairn_mass){1.0 / mass, cairn_mat3_diagonal(k, k, k)});
    return i;
}

static cairn_vec3 arm(const scene* s, int body, cairn_vec3 at)
{
    return body == CAIRN_WORLD_BODY ? at : cairn_sub(at, s->x[body]);
}

// a block whose b is the velocity of its rows now
static void add_rows(scene* s, cairn_block block, const cairn_row* rows)
{
    double b[6];
    for (int i = 0; i < block.row_count; i++) {
        b[i] = 0.0;
        const double* j[2] = {rows[i].a, rows[i].b};
        int body[2] = {block.body_a, block.body_b};
        for (int side = 0; side < 2; side++)
            if (body[side] != CAIRN_WORLD_BODY)
                b[i] += cairn_dot(cairn_vec(j[side][0], j[side][1], j[side][2]), s->v[body[side]]) +
                        cairn_dot(cairn_vec(j[side][3], j[side][4], j[side][5]), s->w[body[side]]);
    }
    cairn_problem_add_block(&s->problem, &block, rows, b);
}

static void add_ball(scene* s, int a, int b, cairn_vec3 at)
{
    cairn_row rows[6];
    int n = cairn_ball_rows(arm(s, a, at), arm(s, b, at), rows);
    add_rows(s, (cairn_block){.kind = CAIRN_BLOCK_JOINT, .row_count = n, .body_a = a, .body_b = b},
             rows);
}

static void add_hinge(scene* s, int a, int b, cairn_vec3 at, cairn_vec3 axis)
{
    cairn_row rows[6];
    int n = cairn_hinge_rows(arm(s, a, at), arm(s, b, at), axis, rows);
    add_rows(s, (cairn_block){.kind = CAIRN_BLOCK_JOINT, .row_count = n, .body_a = a, .body_b = b},
             rows);
}

static void add_contact(scene* s, int body, cairn_vec3 at, double mu)
{
    cairn_row rows[3];
    cairn_contact_rows(cairn_vec(0.0, 0.0, 1.0), at, arm(s, body, at), 3, rows);
    add_rows(s,
             (cairn_block){.kind = CAIRN_BLOCK_CONTACT,
                           .row_count = 3,
                           .body_a = CAIRN_WORLD_BODY,
                           .body_b = body,
                           .friction = cairn_friction_cone(mu)},
             rows);
}

// one row about an axis between two bodies: a limit or a motor
static void add_turning(scene* s, cairn_block_kind kind, int a, int b, cairn_vec3 axis, double lo,
                        double hi)
{
    cairn_row row = {{0.0, 0.0, 0.0, -axis.x, -axis.y, -axis.z},
                     {0.0, 0.0, 0.0, axis.x, axis.y, axis.z}};
    add_rows(s, (cairn_block){.kind = kind, .row_count = 1, .body_a = a, .body_b = b}, &row);
    cairn_problem_set_bounds(&s->problem, s->problem.row_count - 1, lo, hi);
}

typedef struct answer {
    double lambda[400];
    double change[6 * most_bodies];
    cairn_report report;
} answer;

static void solve_with(answer* out, const scene* s, const cairn_solve_def* def)
{
    cairn_error error;
    ck_assert_int_le(s->problem.row_count, 400);
    cairn_status status = cairn_solve(&s->problem, def, out->lambda, &out->report, &error);
    ck_assert_msg(status == CAIRN_OK, "%s", error.text);
    cairn_problem_body_velocity(&s->problem, out->lambda, out->change);
}

static void solve_by(answer* out, const scene* s, const char* method, double tolerance)
{
    cairn_solve_def def = cairn_default_solve_def();
    def.method = method;
    def.tolerance = tolerance;
    solve_with(out, s, &def);
}

static cairn_vec3 velocity_after(const scene* s, const answer* a, int body)
{
    const double* d = a->change + 6 * body;
    return cairn_add(s->v[body], cairn_vec(d[0], d[1], d[2]));
}

static cairn_vec3 spin_after(const scene* s, const answer* a, int body)
{
    const double* d = a->change + 6 * body;
    return cairn_add(s->w[body], cairn_vec(d[3], d[4], d[5]));
}

static void check_same_motion(const scene* s, const answer* a, const answer* b, double tolerance)
{
    for (int i = 0; i < 6 * s->problem.body_count; i++)
        CHECK_NEAR(a->change[i], b->change[i], tolerance);
}

static void check_converged(const answer* a, double bound)
{
    ck_assert_msg(a->report.outcome == CAIRN_OUTCOME_CONVERGED, "%s: %s, %g",
                  cairn_outcome_name(a->report.outcome), a->report.note,
                  a->report.residual.relative);
    CHECK_BELOW(a->report.residual.relative, bound);
}

static void random_motion(scene* s, cairn_random* random)
{
    for (int i = 0; i < s->problem.body_count; i++) {
        s->v[i] = cairn_random_vec3(random);
        s->w[i] = cairn_random_vec3(random);
    }
}

static const cairn_vec3 z_axis = {0.0, 0.0, 1.0};

// ---------------------------------------------------------------- joints and loops

TEST(a_chain_is_solved_to_round_off)
{
    cairn_random random = {3};
    scene s = empty_scene();
    for (int i = 0; i < 40; i++)
        add_body(&s, cairn_random_range(&random, 0.1, 10.0), 0.1, cairn_vec(i + 0.5, 0.0, 0.0));
    random_motion(&s, &random);
    add_ball(&s, CAIRN_WORLD_BODY, 0, cairn_vec(0.0, 0.0, 0.0));
    for (int i = 1; i < 40; i++)
        add_ball(&s, i - 1, i, cairn_vec(i, 0.0, 0.0));
    answer a;
    solve_by(&a, &s, "tree", 1e-12);
    check_converged(&a, 1e-13);
    ck_assert_str_eq(a.report.note, "");
    cairn_problem_destroy(&s.problem);
}
END

TEST(a_parallelogram_linkage_has_one_freedom)
{
    // crank, coupler and rocker of unit length; hinges in space say more than is needed in the
    // plane, so rows are redundant
    scene s = empty_scene();
    int crank = add_body(&s, 2.0, 0.3, cairn_vec(0.0, 0.5, 0.0));
    int coupler = add_body(&s, 3.0, 0.4, cairn_vec(0.5, 1.0, 0.0));
    int rocker = add_body(&s, 4.0, 0.5, cairn_vec(1.0, 0.5, 0.0));
    s.w[crank] = cairn_vec(0.0, 0.0, 1.0); // by an angular impulse of 0.3
    add_hinge(&s, CAIRN_WORLD_BODY, crank, cairn_vec(0.0, 0.0, 0.0), z_axis);
    add_hinge(&s, crank, coupler, cairn_vec(0.0, 1.0, 0.0), z_axis);
    add_hinge(&s, coupler, rocker, cairn_vec(1.0, 1.0, 0.0), z_axis);
    add_hinge(&s, rocker, CAIRN_WORLD_BODY, cairn_vec(1.0, 0.0, 0.0), z_axis);
    answer a;
    solve_by(&a, &s, "tree", 1e-12);

    check_converged(&a, 1e-12);
    CHECK(strstr(a.report.note, "block 3") != NULL);

    // inertia at the crank: both levers about their pins, the coupler's mass at unit distance
    double omega = 0.3 / (0.3 + 2.0 * 0.25 + 0.5 + 4.0 * 0.25 + 3.0);

    CHECK_NEAR(spin_after(&s, &a, crank).z, omega, 1e-13);
    CHECK_NEAR(spin_after(&s, &a, rocker).z, omega, 1e-13);
    CHECK_NEAR(spin_after(&s, &a, coupler).z, 0.0, 1e-13);
    CHECK_NEAR(velocity_after(&s, &a, coupler).x, -omega, 1e-13);
    cairn_problem_destroy(&s.problem);
}
END

TEST(a_ring_of_twenty_moves_as_the_general_solver_says)
{
    cairn_random random = {5};
    scene s = empty_scene();
    enum { n = 20 };

    for (int i = 0; i < n; i++) {
        double angle = 2.0 * 3.14159265358979 * (i + 0.5) / n;
        add_body(&s, cairn_random_range(&random, 0.5, 2.0), 0.05,
                 cairn_vec(cos(angle), sin(angle), 0.1 * cairn_random_unit(&random)));
    }

    random_motion(&s, &random);
    cairn_vec3 before = cairn_vec(0.0, 0.0, 0.0), after = before;

    for (int i = 0; i < n; i++) {
        double angle = 2.0 * 3.14159265358979 * i / n;
        add_ball(&s, (i + n - 1) % n, i, cairn_vec(cos(angle), sin(angle), 0.0));
        before = cairn_add_scaled(before, s.mass[i], s.v[i]);
    }

    answer a, b;
    solve_by(&a, &s, "tree", 1e-11);
    solve_by(&b, &s, "dantzig", 1e-11);

    check_converged(&a, 1e-11);
    check_same_motion(&s, &a, &b, 1e-9);

    for (int i = 0; i < n; i++)
        after = cairn_add_scaled(after, s.mass[i], velocity_after(&s, &a, i));

    CHECK_BELOW(cairn_norm(cairn_sub(after, before)), 1e-12);
    cairn_problem_destroy(&s.problem);
}
END

TEST(a_straight_chain_pinned_at_both_ends_is_singular_and_solved)
{
    cairn_random random = {7};
    scene s = empty_scene();
    enum { n = 12 };

    for (int i = 0; i < n; i++)
        add_body(&s, 1.0, 0.1, cairn_vec(i + 0.5, 0.0, 0.0));

    for (int i = 0; i < n; i++) {
        s.v[i] = cairn_vec(0.0, cairn_random_unit(&random), -1.0);
        s.w[i] = cairn_random_vec3(&random);
    }

    for (int i = 0; i <= n; i++)
        add_ball(&s, i ? i - 1 : CAIRN_WORLD_BODY, i < n ? i : CAIRN_WORLD_BODY,
                 cairn_vec(i, 0.0, 0.0));

    answer a;
    solve_by(&a, &s, "tree", 1e-11);

    check_converged(&a, 1e-11);
    cairn_problem_destroy(&s.problem);
}
END

TEST(a_joint_given_twice_is_named)
{
    cairn_random random = {9};
    scene s = empty_scene();

    for (int i = 0; i < 5; i++)
        add_body(&s, 1.0, 0.1, cairn_vec(i + 0.5, 0.0, 0.0));

    random_motion(&s, &random);
    for (int i = 1; i < 5; i++)
        add_ball(&s, i - 1, i, cairn_vec(i, 0.0, 0.0));

    answer once, twice;
    solve_by(&once, &s, "tree", 1e-12);
    add_ball(&s, 1, 2, cairn_vec(2.0, 0.0, 0.0));
    solve_by(&twice, &s, "tree", 1e-12);

    check_converged(&twice, 1e-12);
    CHECK(strstr(twice.report.note, "block 4") != NULL);
    check_same_motion(&s, &once, &twice, 1e-12);

    // asking for two different velocities at once has no answer, and says so
    s.problem.b[s.problem.row_count - 1] += 1.0;
    solve_by(&twice, &s, "tree", 1e-12);

    ck_assert_int_eq(twice.report.outcome, CAIRN_OUTCOME_SINGULAR);
    CHECK(strstr(twice.report.note, "block 4") != NULL);
    cairn_problem_destroy(&s.problem);
}
END

TEST(a_joint_with_a_repeated_row_is_named)
{
    scene s = empty_scene();
    for (int i = 0; i < 3; i++)
        add_body(&s, 1.0, 0.1, cairn_vec(i + 0.5, 0.0, 0.0));

    s.v[2] = cairn_vec(0.0, 1.0, 0.0);
    add_ball(&s, 0, 1, cairn_vec(1.0, 0.0, 0.0));
    cairn_row rows[4];
    cairn_ball_rows(arm(&s, 1, cairn_vec(2.0, 0.0, 0.0)), arm(&s, 2, cairn_vec(2.0, 0.0, 0.0)),
                    rows);
    rows[3] = rows[1];
    add_rows(&s, (cairn_block){.kind = CAIRN_BLOCK_JOINT, .row_count = 4, .body_a = 1, .body_b = 2},
             rows);
    answer a;
    solve_by(&a, &s, "tree", 1e-12);

    check_converged(&a, 1e-12);
    CHECK(strstr(a.report.note, "block 1") != NULL);
    cairn_problem_destroy(&s.problem);
}
END

// ---------------------------------------------------------------- velocity constraints

TEST(a_disc_that_starts_to_roll_keeps_two_thirds_of_its_speed)
{
    // angular momentum about the point of contact: m r v = (I + m r²) ω, I = m r²/2
    scene s = empty_scene();
    double m = 3.0, r = 0.4;
    int disc = add_body(&s, m, 0.5 * m * r * r, cairn_vec(0.0, 0.0, r));
    s.v[disc] = cairn_vec(1.0, 0.0, 0.0);
    cairn_row rows[3];
    int n = cairn_rolling_rows(cairn_vec(0.0, 0.0, 0.0), cairn_vec(0.0, 0.0, -r), z_axis, rows);
    add_rows(&s,
             (cairn_block){.kind = CAIRN_BLOCK_VELOCITY,
                           .row_count = n,
                           .body_a = CAIRN_WORLD_BODY,
                           .body_b = disc},
             rows);
    answer a;
    solve_by(&a, &s, "tree", 1e-12);

    check_converged(&a, 1e-14);
    CHECK_NEAR(velocity_after(&s, &a, disc).x, 2.0 / 3.0, 1e-14);
    CHECK_NEAR(spin_after(&s, &a, disc).y, 2.0 / 3.0 / r, 1e-13);
    cairn_problem_destroy(&s.problem);
}
END

TEST(a_gear_pair_shares_its_spin_by_the_ratio)
{
    // ω_a = 2 ω_b from ω_a = 1: the impulse turns a by -λ and b by 2 λ
    scene s = empty_scene();
    int a = add_body(&s, 1.0, 0.2, cairn_vec(0.0, 0.0, 0.0));
    int b = add_body(&s, 1.0, 0.7, cairn_vec(1.0, 0.0, 0.0));
    s.w[a] = z_axis;
    add_hinge(&s, CAIRN_WORLD_BODY, a, s.x[a], z_axis);
    add_hinge(&s, CAIRN_WORLD_BODY, b, s.x[b], z_axis);
    cairn_row row;
    cairn_gear_rows(z_axis, z_axis, 2.0, &row);
    add_rows(&s,
             (cairn_block){.kind = CAIRN_BLOCK_VELOCITY, .row_count = 1, .body_a = a, .body_b = b},
             &row);
    answer out;
    solve_by(&out, &s, "tree", 1e-12);
    check_converged(&out, 1e-13);

    double lambda = 1.0 / (1.0 / 0.2 + 4.0 / 0.7);
    CHECK_NEAR(spin_after(&s, &out, a).z, 1.0 - lambda / 0.2, 1e-13);
    CHECK_NEAR(spin_after(&s, &out, b).z, 2.0 * lambda / 0.7, 1e-13);
    cairn_problem_destroy(&s.problem);
}
END

// ---------------------------------------------------------------- limits, motors, contacts

// twenty bodies: a spine of four, and four limbs of four, joined by balls and hinges, that fall
static scene falling_figure(cairn_random* random)
{
    scene s = empty_scene();
    for (int i = 0; i < 20; i++) {
        int limb = i / 4, k = i % 4;
        cairn_vec3 x = limb == 0
                           ? cairn_vec(0.4 * k, 0.0, 1.0)
                           : cairn_vec(limb < 3 ? 0.0 : 1.2, (limb % 2 ? 0.3 : -0.3) * (k + 1),
                                       1.0 - 0.25 * (k + 1));
        add_body(&s, cairn_random_range(random, 0.5, 5.0), cairn_random_range(random, 0.01, 0.1),
                 x);
        s.v[i] = cairn_add(cairn_vec(1.0, 0.0, -3.0), cairn_scale(0.3, cairn_random_vec3(random)));
        s.w[i] = cairn_random_vec3(random);
    }

    // limbs hang on the two ends of the spine
    for (int i = 1; i < 20; i++) {
        int limb = i / 4, k = i % 4;
        int parent = limb == 0 || k > 0 ? i - 1 : limb < 3 ? 0 : 3;
        cairn_vec3 middle = cairn_scale(0.5, cairn_add(s.x[parent], s.x[i]));
        if (i % 3)
            add_ball(&s, parent, i, middle);
        else
            add_hinge(&s, parent, i, middle, cairn_random_direction(random));
    }

    return s;
}

static void put_down(scene* s, double mu)
{
    // hands and feet, two points each
    for (int limb = 1; limb < 5; limb++) {
        int body = 4 * limb + 3;
        cairn_vec3 at = cairn_sub(s->x[body], cairn_vec(0.1, 0.0, 0.05));
        add_contact(s, body, at, mu);
        at.x += 0.2;
        add_contact(s, body, at, mu);
    }
}

TEST(a_falling_figure_lands_as_the_general_solvers_say)
{
    cairn_random random = {11};
    for (int trial = 0; trial < 6; trial++) {
        scene s = falling_figure(&random);
        put_down(&s, 0.2 * trial);
        ck_assert_int_eq(cairn_problem_contact_count(&s.problem), 8);
        answer a, b, c;
        solve_by(&a, &s, "tree", 1e-10);
        solve_by(&b, &s, "pgs", 1e-11);
        solve_by(&c, &s, "dantzig", 1e-10);
        check_converged(&a, 1e-10);
        check_same_motion(&s, &a, &b, 1e-7);
        check_same_motion(&s, &a, &c, 1e-7);
        cairn_problem_destroy(&s.problem);
    }
}
END

TEST(any_method_can_take_the_auxiliary_rows)
{
    cairn_random random = {13};
    scene s = falling_figure(&random);
    put_down(&s, 0.5);
    answer a, b;
    cairn_solve_def def = cairn_default_solve_def();
    def.method = "tree";
    def.tolerance = 1e-9;
    solve_with(&a, &s, &def);
    def.tree.auxiliary_method = "pgs";
    solve_with(&b, &s, &def);

    check_converged(&a, 1e-9);
    check_converged(&b, 1e-9);
    check_same_motion(&s, &a, &b, 1e-6);
    cairn_problem_destroy(&s.problem);
}
END

TEST(limits_and_motors_act_as_the_general_solver_says)
{
    cairn_random random = {17};
    for (int trial = 0; trial < 20; trial++) {
        scene s = falling_figure(&random);
        for (int k = 0; k < 8; k++) {
            int body = 1 + cairn_random_index(&random, 19);
            cairn_vec3 axis = cairn_random_direction(&random);
            double x = cairn_random_range(&random, -0.2, 0.2),
                   width = 0.1 * cairn_random_unit(&random);
            double lo = k % 4 == 2 ? -INFINITY : x, hi = k % 4 == 3 ? INFINITY : x + width;
            add_turning(&s, k < 2 ? CAIRN_BLOCK_LIMIT : CAIRN_BLOCK_MOTOR, body - 1, body, axis, lo,
                        hi);
        }

        add_turning(&s, CAIRN_BLOCK_MOTOR, 2, 9, z_axis, -INFINITY, INFINITY);
        put_down(&s, 0.4);

        answer a, b;
        solve_by(&a, &s, "tree", 1e-10);
        solve_by(&b, &s, "pgs", 1e-11);

        check_converged(&a, 1e-10);
        check_same_motion(&s, &a, &b, 1e-6);
        cairn_problem_destroy(&s.problem);
    }
}
END

TEST(compliance_softens_joints_and_loops_alike)
{
    cairn_random random = {19};
    scene s = falling_figure(&random);
    add_ball(&s, 7, 11, cairn_vec(0.0, 0.0, 0.2));
    put_down(&s, 0.3);
    s.problem.compliance = calloc((size_t)s.problem.row_capacity, sizeof(double));
    for (int i = 0; i < s.problem.row_count; i++)
        s.problem.compliance[i] = 0.05 * cairn_random_unit(&random);
    answer a, b;
    solve_by(&a, &s, "tree", 1e-10);
    solve_by(&b, &s, "pgs", 1e-11);
    check_converged(&a, 1e-10);
    check_same_motion(&s, &a, &b, 1e-7);
    cairn_problem_destroy(&s.problem);
}
END

TEST(static_bodies_and_directions_that_cannot_turn_are_anchors)
{
    cairn_random random = {23};
    scene s = empty_scene();

    for (int i = 0; i < 6; i++)
        add_body(&s, 1.0, 0.1, cairn_vec(i + 0.5, 0.0, 0.0));

    random_motion(&s, &random);
    s.problem.bodies[0] = (cairn_mass){0};
    s.problem.bodies[3].inverse_inertia = cairn_mat3_diagonal(0.0, 0.0, 5.0);

    for (int i = 1; i < 6; i++)
        add_ball(&s, i - 1, i, cairn_vec(i, 0.0, 0.0));

    answer a, b;
    solve_by(&a, &s, "tree", 1e-11);
    solve_by(&b, &s, "dantzig", 1e-11);

    check_converged(&a, 1e-11);
    check_same_motion(&s, &a, &b, 1e-9);
    cairn_problem_destroy(&s.problem);
}
END

// ---------------------------------------------------------------- where it hands on

TEST(an_explicit_matrix_is_handed_on)
{
    scene s = empty_scene();
    int body = add_body(&s, 1.0, 0.1, cairn_vec(0.0, 0.0, 0.1));
    s.v[body] = cairn_vec(1.0, 0.0, -1.0);
    add_contact(&s, body, cairn_vec(0.0, 0.0, 0.0), 0.3);
    cairn_problem form;
    ck_assert_int_eq(cairn_problem_explicit(&s.problem, &form, NULL), CAIRN_OK);

    cairn_solve_def def = cairn_default_solve_def();
    def.method = "tree";
    double lambda[3];
    cairn_report report;

    ck_assert_int_eq(cairn_solve(&form, &def, lambda, &report, NULL), CAIRN_OK);
    ck_assert_int_eq(report.outcome, CAIRN_OUTCOME_CONVERGED);
    ck_assert_str_eq(report.method, "dantzig");
    CHECK(strstr(report.note, "explicit") != NULL);
    cairn_problem_destroy(&form);
    cairn_problem_destroy(&s.problem);
}
END

// a net of joints alone as a problem
static cairn_problem net_problem(const net* n)
{
    cairn_problem problem = cairn_problem_empty();
    for (int i = 0; i < n->bodies; i++)
        CHECK(cairn_problem_add_body(&problem, n->mass[i]) == CAIRN_OK);
    for (int k = 0, row = 0; k < n->joints; k++) {
        const cairn_tree_constraint* joint = &n->joint[k];
        cairn_block block = {.kind = CAIRN_BLOCK_JOINT,
                             .row_count = joint->row_count,
                             .body_a = joint->body_a,
                             .body_b = joint->body_b};
        CHECK(cairn_problem_add_block(&problem, &block, n->row + row, n->c + row) == CAIRN_OK);
        row += joint->row_count;
    }
    return problem;
}

TEST(nets_of_joints_are_solved_whatever_their_loops)
{
    for (int joint_rows = 1; joint_rows <= 6; joint_rows++) {
        net n = net_grid(CHECK_SLOW_BUILD ? 14 : 40, 40, joint_rows, 3.0);
        net_load(&n, 3, true);
        cairn_problem problem = net_problem(&n);
        double* lambda = calloc((size_t)problem.row_count, sizeof(double));

        for (int k = 0; k < 2; k++) {
            cairn_solve_def def = cairn_default_solve_def();
            cairn_report report;
            def.method = k == 0 ? "tree" : "auto";
            ck_assert_int_eq(cairn_solve(&problem, &def, lambda, &report, NULL), CAIRN_OK);
            ck_assert_int_eq(report.outcome, CAIRN_OUTCOME_CONVERGED);
            ck_assert_str_eq(report.method, "tree");
            CHECK_BELOW(report.residual.relative, def.tolerance);
        }
        free(lambda);
        cairn_problem_destroy(&problem);

        net_free(&n);
    }
}
END

TEST(a_net_that_contradicts_itself_names_a_joint)
{
    net n = net_grid(12, 12, 3, 1.0);
    net_joint(&n, CAIRN_WORLD_BODY, 143, n.place[143], 3);
    net_joint(&n, CAIRN_WORLD_BODY, 143, n.place[143], 3);
    net_load(&n, 3, false);
    n.c[n.rows - 5] = 0.3;
    cairn_problem problem = net_problem(&n);
    double* lambda = calloc((size_t)problem.row_count, sizeof(double));
    cairn_solve_def def = cairn_default_solve_def();
    cairn_report report;
    def.method = "tree";

    ck_assert_int_eq(cairn_solve(&problem, &def, lambda, &report, NULL), CAIRN_OK);
    ck_assert_int_eq(report.outcome, CAIRN_OUTCOME_SINGULAR);
    CHECK(strstr(report.note, "depend on other constraints") != NULL);
    for (int i = 0; i < problem.row_count; i++)
        CHECK(isfinite(lambda[i]));
    free(lambda);
    cairn_problem_destroy(&problem);

    net_free(&n);
}
END

// a few bodies, which `auto` gives to other methods where `tree` finds no answer: no one can
TEST(joints_that_contradict_each_other_are_told_by_auto)
{
    net n = net_grid(2, 2, 3, 1.0);
    net_joint(&n, CAIRN_WORLD_BODY, 3, n.place[3], 3);
    net_joint(&n, CAIRN_WORLD_BODY, 3, n.place[3], 3);
    net_load(&n, 3, false);
    n.c[n.rows - 5] = 0.3;
    cairn_problem problem = net_problem(&n);
    double* lambda = calloc((size_t)problem.row_count, sizeof(double));
    cairn_solve_def def = cairn_default_solve_def();
    cairn_report report;
    ck_assert_int_eq(cairn_solve(&problem, &def, lambda, &report, NULL), CAIRN_OK);
    CHECK(report.outcome != CAIRN_OUTCOME_CONVERGED);
    ck_assert_msg(strstr(report.note, "depend on other constraints") != NULL, "%s", report.note);
    free(lambda);
    cairn_problem_destroy(&problem);
    net_free(&n);
}
END

TEST(too_many_auxiliary_rows_are_handed_on)
{
    cairn_random random = {29};
    scene s = falling_figure(&random);
    put_down(&s, 0.2);
    answer a;
    cairn_solve_def def = cairn_default_solve_def();
    def.method = "tree";
    def.tree.max_auxiliary = 12;
    solve_with(&a, &s, &def);

    check_converged(&a, 1e-8);
    ck_assert_str_eq(a.report.method, "pgs");
    CHECK(strstr(a.report.note, "too many") != NULL);

    // and a partner that does not exist is refused
    cairn_error error;
    def.tree.auxiliary_method = "tree";
    ck_assert_int_eq(cairn_solve(&s.problem, &def, a.lambda, &a.report, &error), CAIRN_BAD_INPUT);

    // as is `auto`, which would hand the rows back for ever
    def.tree.auxiliary_method = "dantzig";
    def.tree.large_method = "auto";
    ck_assert_int_eq(cairn_solve(&s.problem, &def, a.lambda, &a.report, &error), CAIRN_BAD_INPUT);

    def.tree.large_method = NULL;
    ck_assert_int_eq(cairn_solve(&s.problem, &def, a.lambda, &a.report, &error), CAIRN_BAD_INPUT);
    cairn_problem_destroy(&s.problem);
}
END

TEST(problems_of_every_kind_of_block_do_no_harm)
{
    for (uint64_t seed = 1; seed <= 20; seed++) {
        cairn_problem problem = mixed_problem(seed);
        double* lambda = calloc((size_t)problem.row_count, sizeof(double));
        cairn_solve_def def = cairn_default_solve_def();
        cairn_report report;
        def.method = "tree";
        def.max_iterations = 200;

        cairn_status status = cairn_solve(&problem, &def, lambda, &report, NULL);
        CHECK(status == CAIRN_OK || status == CAIRN_NOT_SUPPORTED);
        if (status == CAIRN_OK) {
            cairn_residual measured, zero;
            double* none = calloc((size_t)problem.row_count, sizeof(double));
            CHECK(cairn_problem_residual(&problem, lambda, report.law, report.facets, &measured) ==
                  CAIRN_OK);
            CHECK(cairn_problem_residual(&problem, none, report.law, report.facets, &zero) ==
                  CAIRN_OK);

            // what is reported is what is measured, and no worse than no impulses at all
            CHECK_NEAR(report.residual.relative, measured.relative, 1e-12);
            CHECK_BELOW(measured.relative, zero.relative * (1.0 + 1e-12));
            CHECK((report.outcome == CAIRN_OUTCOME_CONVERGED) ==
                  (measured.relative <= def.tolerance));
            free(none);
        }
        free(lambda);
        cairn_problem_destroy(&problem);
    }
}
END

// a chain of balls whose links touch planes all around
static cairn_problem touched_chain(void)
{
    cairn_generate_def def = cairn_default_generate_def("random");
    cairn_problem problem;
    cairn_error error;
    def.width = 10;
    def.height = 20;
    def.mu = 0.4;
    ck_assert(cairn_generate(&def, &problem, &error) == CAIRN_OK);

    for (int i = 1; i < 10; i++) {
        const double b[3] = {0.1, 0.2, 0.3};
        cairn_row rows[3];
        cairn_ball_rows(cairn_vec(0.3, 0.0, 0.0), cairn_vec(-0.3, 0.0, 0.0), rows);
        cairn_block joint = {
            .kind = CAIRN_BLOCK_JOINT, .row_count = 3, .body_a = i - 1, .body_b = i};
        ck_assert(cairn_problem_add_block(&problem, &joint, rows, b) == CAIRN_OK);
    }

    return problem;
}

TEST(a_warm_start_reaches_the_method_of_the_auxiliary_rows)
{
    static const char* const methods[] = {"dantzig", "pgs", "exact", "lemke"};
    cairn_problem problem = touched_chain();
    double* lambda = calloc((size_t)problem.row_count, sizeof(double));

    for (int m = 0; m < 4; m++) {
        cairn_solve_def def = cairn_default_solve_def();
        cairn_report report;
        cairn_error error;
        def.method = "tree";
        def.tree.auxiliary_method = methods[m];

        ck_assert(cairn_solve(&problem, &def, lambda, &report, &error) == CAIRN_OK);
        ck_assert_int_eq(report.outcome, CAIRN_OUTCOME_CONVERGED);
        ck_assert_int_gt(report.pivots + report.iterations, 0);

        problem.warm = lambda;
        def.warm_start = true;

        ck_assert(cairn_solve(&problem, &def, lambda, &report, &error) == CAIRN_OK);
        ck_assert_int_eq(report.outcome, CAIRN_OUTCOME_CONVERGED);
        ck_assert_msg(report.pivots + report.iterations == 0, "%s: %d pivots, %d sweeps",
                      methods[m], report.pivots, report.iterations);

        problem.warm = NULL;
    }
    free(lambda);
    cairn_problem_destroy(&problem);
}
END

// Painlevé's rod as the last link of two: no finite impulses below the speed that jams it
TEST(a_ray_of_a_sliding_link_carries_the_impulses_of_its_joint)
{
    cairn_problem problem = cairn_problem_empty();
    double c = 1.0 / sqrt(5.0), s = 2.0 / sqrt(5.0), zero[2] = {0.0, 0.0}, b[2] = {-0.1, 1.0};
    cairn_vec3 r = cairn_vec(c, 0.0, -s), n = cairn_vec(0.0, 0.0, 1.0),
               t = cairn_vec(1.0, 0.0, 0.0);
    cairn_vec3 rn = cairn_cross(r, n), rt = cairn_cross(r, t);
    cairn_row ball[3], joint[2],
        contact[2] = {{.b = {n.x, n.y, n.z, rn.x, rn.y, rn.z}},
                      {.b = {t.x, t.y, t.z, rt.x, rt.y, rt.z}}};
    cairn_block hinge = {.kind = CAIRN_BLOCK_JOINT, .row_count = 2, .body_a = 0, .body_b = 1};
    cairn_block tip = {
        .kind = CAIRN_BLOCK_CONTACT,
        .row_count = 2,
        .body_a = CAIRN_WORLD_BODY,
        .body_b = 1,
        .friction = {.kind = CAIRN_FRICTION_SLIDING, .mu = {3.0}, .slip = {1.0, 0.0}}};
    problem.space = 2;

    for (int i = 0; i < 2; i++)
        cairn_problem_add_body(&problem, (cairn_mass){1.0, cairn_mat3_diagonal(0.0, 3.0, 0.0)});

    cairn_ball_rows(r, cairn_neg(r), ball);
    joint[0] = ball[0];
    joint[1] = ball[2];
    cairn_problem_add_block(&problem, &hinge, joint, zero);
    cairn_problem_add_block(&problem, &tip, contact, b);

    double lambda[4], ray[4] = {0}, velocity[4];
    cairn_solve_def def = cairn_default_solve_def();
    cairn_report report;
    cairn_error error;
    int applied;
    def.method = "tree";
    def.ray = ray;

    ck_assert(cairn_solve(&problem, &def, lambda, &report, &error) == CAIRN_OK);
    ck_assert_int_eq(report.outcome, CAIRN_OUTCOME_RAY);

    // it presses, slides along the law, and leaves the joint closed
    cairn_problem_velocity(&problem, ray, velocity);

    ck_assert(ray[2] > 0.0);
    CHECK_NEAR(ray[3], -3.0 * ray[2], 1e-12 * ray[2]);
    for (int i = 0; i < 2; i++)
        CHECK_NEAR(velocity[i], 0.0, 1e-12 * ray[2]);

    ck_assert(cairn_solve_with_rays(&problem, &def, lambda, &applied, &report, &error) == CAIRN_OK);
    ck_assert_int_eq(report.outcome, CAIRN_OUTCOME_CONVERGED);
    ck_assert_int_eq(applied, 1);
    cairn_problem_destroy(&problem);
}
END

TESTS(a_warm_start_reaches_the_method_of_the_auxiliary_rows,
      a_ray_of_a_sliding_link_carries_the_impulses_of_its_joint, a_chain_is_solved_to_round_off,
      a_parallelogram_linkage_has_one_freedom, a_ring_of_twenty_moves_as_the_general_solver_says,
      a_straight_chain_pinned_at_both_ends_is_singular_and_solved, a_joint_given_twice_is_named,
      a_joint_with_a_repeated_row_is_named,
      a_disc_that_starts_to_roll_keeps_two_thirds_of_its_speed,
      a_gear_pair_shares_its_spin_by_the_ratio, a_falling_figure_lands_as_the_general_solvers_say,
      any_method_can_take_the_auxiliary_rows, limits_and_motors_act_as_the_general_solver_says,
      compliance_softens_joints_and_loops_alike,
      static_bodies_and_directions_that_cannot_turn_are_anchors, an_explicit_matrix_is_handed_on,
      nets_of_joints_are_solved_whatever_their_loops, a_net_that_contradicts_itself_names_a_joint,
      joints_that_contradict_each_other_are_told_by_auto, too_many_auxiliary_rows_are_handed_on,
      problems_of_every_kind_of_block_do_no_harm)
