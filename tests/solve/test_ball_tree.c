// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors

#include "check_cairn.h"
#include "solve/tree/ball_tree.h"
#include "solve/tree/tree_input.h"
#include <cairn/random.h>
#include <string.h>

enum { bodies = 60 };

// a forest of random shape, some trees anchored to the world, in both solvers
typedef struct forest {
    cairn_tree tree;
    cairn_ball_tree balls;
    cairn_arena arena;
    cairn_tree_constraint joints[bodies];
    int joint_count;
    double mass[bodies];
    cairn_mat3 inertia[bodies];
    cairn_vec3 r_a[bodies], r_b[bodies];
} forest;

static void plant(forest* f, cairn_random* random, double ratio, bool chain)
{
    *f = (forest){0};
    for (int i = 0; i < bodies; i++) {
        int other = chain ? i - 1 : (int)cairn_random_index(random, i + 1) - 1;
        bool free = chain ? i == 0 && cairn_random_index(random, 2) : i % 17 == 0;
        cairn_vec3 u = cairn_random_vec3(random);
        f->mass[i] = pow(ratio, cairn_random_unit(random));
        f->inertia[i] =
            cairn_mat3_scale(f->mass[i], cairn_mat3_add(cairn_mat3_diagonal(0.1, 0.2, 0.25),
                                                        (cairn_mat3){cairn_scale(0.1 * u.x, u),
                                                                     cairn_scale(0.1 * u.y, u),
                                                                     cairn_scale(0.1 * u.z, u)}));

        if (free)
            continue;

        // the joint may have either body first
        bool turned = other >= 0 && cairn_random_index(random, 2);
        f->joints[f->joint_count] =
            (cairn_tree_constraint){turned ? i : other, turned ? other : i, 3};
        f->r_a[f->joint_count] = cairn_random_vec3(random);
        f->r_b[f->joint_count++] = cairn_random_vec3(random);
    }

    // the same forest for the general solver and for that of ball joints
    cairn_tree_topology topology = cairn_default_tree_topology();
    topology.body_count = bodies;
    topology.constraint_count = f->joint_count;
    topology.constraints = f->joints;
    CHECK(cairn_tree_build(&f->tree, &topology, true, &f->arena) == CAIRN_OK);
    CHECK(cairn_ball_tree_make(&f->balls, &f->tree, &f->arena));

    for (int i = 0; i < bodies; i++) {
        cairn_tree_put_body(&f->tree, i, f->mass[i], f->inertia[i]);
        cairn_ball_tree_put_body(&f->balls, i, f->mass[i], f->inertia[i]);
    }

    for (int i = 0; i < f->joint_count; i++) {
        cairn_tree_put_ball(&f->tree, i, f->r_a[i], f->r_b[i]);
        cairn_ball_tree_put_joint(&f->balls, i, f->r_a[i], f->r_b[i]);
    }

    CHECK(cairn_tree_factor(&f->tree) == 0);
    CHECK(cairn_ball_tree_factor(&f->balls));
}

static cairn_vec3 point_velocity(const double* y, int body, cairn_vec3 r)
{
    if (body == CAIRN_WORLD_BODY)
        return cairn_vec(0.0, 0.0, 0.0);
    y += 6 * (ptrdiff_t)body;
    return cairn_add(cairn_vec(y[0], y[1], y[2]), cairn_cross(cairn_vec(y[3], y[4], y[5]), r));
}

// the largest of J y + c
static double miss(const forest* f, const double* y, const double* c)
{
    double worst = 0.0;
    for (int i = 0; i < f->joint_count; i++) {
        cairn_vec3 u = cairn_sub(point_velocity(y, f->joints[i].body_b, f->r_b[i]),
                                 point_velocity(y, f->joints[i].body_a, f->r_a[i]));
        u = cairn_add(u, cairn_vec(c[3 * i], c[3 * i + 1], c[3 * i + 2]));
        worst = fmax(worst, cairn_norm(u));
    }
    return worst;
}

// the largest difference of two vectors, in units of the largest number of the first
static double apart(const double* x, const double* y, int n)
{
    double most = 0.0, difference = 0.0;
    for (int i = 0; i < n; i++) {
        most = fmax(most, fabs(x[i]));
        difference = fmax(difference, fabs(x[i] - y[i]));
    }
    return difference / most;
}

static void compare(double ratio, bool chain, double within)
{
    cairn_random random = {7};
    for (int round = 0; round < 20; round++) {
        forest f;
        double c[3 * bodies], y[6 * bodies], lambda[3 * bodies];
        double other_y[6 * bodies], other_lambda[3 * bodies];
        plant(&f, &random, ratio, chain);

        for (int i = 0; i < 3 * f.joint_count; i++)
            c[i] = cairn_random_range(&random, -1.0, 1.0);

        cairn_tree_solve(&f.tree, NULL, c, 1, y, lambda);
        cairn_ball_tree_solve(&f.balls, other_y, other_lambda, c, 1);

        CHECK_BELOW(apart(y, other_y, 6 * bodies), within);
        CHECK_BELOW(apart(lambda, other_lambda, 3 * f.joint_count), within);
        CHECK_BELOW(miss(&f, other_y, c), 1e-11); // round-off of sixty links in a row
        cairn_arena_destroy(&f.arena);
    }
}

TEST(forests_of_ball_joints_are_solved_as_those_of_any_joints)
{
    compare(1.0, false, 1e-11);
    compare(1.0, true, 1e-9);
}
END

TEST(masses_of_four_orders_of_magnitude_are_solved_as_well)
{
    compare(1e4, false, 1e-8);
    compare(1e4, true, 1e-7);
}
END

TEST(two_columns_are_two_solves_to_the_bit)
{
    cairn_random random = {3};
    forest f;
    double c[6 * bodies], y[12 * bodies], lambda[6 * bodies];
    plant(&f, &random, 100.0, false);

    for (int i = 0; i < 6 * f.joint_count; i++)
        c[i] = cairn_random_range(&random, -1.0, 1.0);

    cairn_ball_tree_solve(&f.balls, y, lambda, c, 2);
    for (int column = 0; column < 2; column++) {
        double own_c[3 * bodies], own_y[6 * bodies], own_lambda[3 * bodies];
        for (int i = 0; i < 3 * f.joint_count; i++)
            own_c[i] = c[2 * i + column];
        cairn_ball_tree_solve(&f.balls, own_y, own_lambda, own_c, 1);
        for (int i = 0; i < 6 * bodies; i++)
            CHECK(own_y[i] == y[2 * i + column]);
        for (int i = 0; i < 3 * f.joint_count; i++)
            CHECK(own_lambda[i] == lambda[2 * i + column]);
    }
    cairn_arena_destroy(&f.arena);
}
END

TEST(a_mass_that_is_not_positive_is_told)
{
    cairn_random random = {5};
    forest f;
    plant(&f, &random, 1.0, false);
    for (int i = 0; i < bodies; i++)
        cairn_ball_tree_put_body(&f.balls, i, f.mass[i], f.inertia[i]);
    cairn_ball_tree_put_body(&f.balls, 30, 1.0, cairn_mat3_diagonal(-5.0, -5.0, -5.0));
    CHECK(!cairn_ball_tree_factor(&f.balls));
    cairn_arena_destroy(&f.arena);
}
END

TESTS(forests_of_ball_joints_are_solved_as_those_of_any_joints,
      masses_of_four_orders_of_magnitude_are_solved_as_well, two_columns_are_two_solves_to_the_bit,
      a_mass_that_is_not_positive_is_told)
