// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Chains, light links under heavy loads, and random islands that no constant was chosen for: joints
// never open, energy is never made, and what is lost is booked, whatever number of substeps the
// user allows.

#include "check_cairn.h"
#include "mechanisms.h"
#include "worlds.h"
#include <cairn/random.h>
#include <math.h>

static const cairn_vec3 zero = {0.0, 0.0, 0.0}, x_axis = {1.0, 0.0, 0.0}, z_axis = {0.0, 0.0, 1.0};

// a ball of `mass` at the end of a chain of links of 10 cm and 10 g
static cairn_body_id add_load(cairn_world* world, int links, double mass)
{
    const double r = 0.05, I = 0.4 * mass * r * r;
    cairn_body_id last = mechanism_chain(world, links, 0.1, 0.01, 0.005);
    cairn_vec3 end = {0.1 * links, 0.0, 0.0};
    cairn_body_id ball =
        mechanism_body(world, mass, cairn_vec(I, I, I),
                       (cairn_transform){cairn_add_scaled(end, r, x_axis), cairn_quat_identity()});
    mechanism_join(world, CAIRN_JOINT_BALL, last, ball, end, z_axis);
    return ball;
}

// the chains and loads that tear other engines; `scale` receives m g L
static cairn_world* make_case(int which, int most, double* scale)
{
    cairn_world* world = mechanism_make(1e-4, 1, most);
    double mass = 0.0, length = 0.0;

    if (which < 2) {
        int links = which ? 40 : 20;
        mechanism_chain(world, links, 0.1, 0.1, 0.01);
        mass = 0.1 * links;
        length = 0.1 * links;
    } else {
        const double loads[4] = {1.0, 100.0, 1e4, 100.0};
        int links = which == 5 ? 20 : 5;
        add_load(world, links, loads[which - 2]);
        mass = loads[which - 2] + 0.01 * links;
        length = 0.1 * links;
    }

    *scale = mass * mechanism_g * length;
    return world;
}

TEST(chains_and_loads_neither_tear_nor_gain_whatever_the_substeps)
{
    int seconds = CHECK_SLOW_BUILD ? 1 : 3;
    for (int which = 0; which < 6; which++)
        for (int p = 0; p <= 6; p++) {
            double scale;
            cairn_world* world = make_case(which, 1 << p, &scale);
            mechanism_run run = mechanism_step(world, 60 * seconds);
            ck_assert_msg(run.joint_error <= 1e-6, "case %d, %d substeps: joints open by %g m",
                          which, 1 << p, run.joint_error);
            ck_assert_msg(run.gain <= 1e-3 * scale, "case %d, %d substeps: %g J gained", which,
                          1 << p, run.gain);
            ck_assert_msg(run.balance <= 1e-9 * scale, "case %d, %d substeps: %g J nowhere", which,
                          1 << p, run.balance);
            cairn_world_destroy(world);
        }
}
END

// references: 256 substeps without raised inertia agree on them to a millimeter
TEST(a_heavy_ball_on_light_links_swings_to_its_place)
{
    cairn_world* world = mechanism_make(1e-4, 1, 64);
    cairn_body_id ball = add_load(world, 5, 100.0);
    mechanism_run run = mechanism_step(world, 300);
    cairn_vec3 end = worlds_state(world, ball).center;
    CHECK_NEAR(end.x, 0.433, 5e-3);
    CHECK_NEAR(end.z, -0.338, 5e-3);
    CHECK_BELOW(-run.change, 2.0);
    CHECK_BELOW(run.substeps, 16.0);
    cairn_world_destroy(world);
}
END

TEST(a_chain_of_a_hundred_links_has_its_tip_where_it_belongs)
{
    cairn_world* world = mechanism_make(1e-4, 1, 64);

    // capsules of 0.5 m, radius 0.05 m
    const double r = 0.05, l = 0.5, rho = 1000.0, pi = acos(-1.0);
    double rod = rho * pi * r * r * l, cap = rho * 4.0 / 3.0 * pi * r * r * r;
    double own = rod * r * r / 2.0 + cap * 0.4 * r * r;
    double across =
        rod * (l * l / 12.0 + r * r / 4.0) + cap * (0.4 * r * r + l * l / 4.0 + 3.0 / 8.0 * l * r);
    cairn_body_id last = mechanism_world;

    for (int i = 0; i < 100; i++) {
        cairn_vec3 from = {0.5 * i, 0.0, 0.0};
        cairn_body_id link = mechanism_body(
            world, rod + cap, cairn_vec(across, across, own),
            (cairn_transform){cairn_add_scaled(from, 0.25, x_axis), mechanism_turn(x_axis)});
        mechanism_join(world, CAIRN_JOINT_BALL, last, link, from, z_axis);
        last = link;
    }

    mechanism_run run = mechanism_step(world, 120);
    cairn_vec3 tip = worlds_state(world, last).center;

    CHECK_NEAR(tip.x, 40.943, 2e-3);
    CHECK_NEAR(tip.z, -19.620, 2e-3);
    CHECK_BELOW(run.joint_error, 1e-8);
    CHECK_BELOW(run.substeps, 6.0);
    cairn_world_destroy(world);
}
END

// ---------------------------------------------------------------- random islands

static double between(cairn_random* random, double lo, double hi)
{
    return cairn_random_range(random, lo, hi);
}

static cairn_vec3 any_vector(cairn_random* random, double size)
{
    double x = between(random, -size, size), y = between(random, -size, size);
    return cairn_vec(x, y, between(random, -size, size));
}

// chains and trees of 3 to 20 links with random velocities, some free, some with a heavy end;
// returns m g L plus the kinetic energy
static double add_random(cairn_world* world, cairn_random* random)
{
    int links = 3 + (int)between(random, 0.0, 18.0);
    double length = between(random, 0.05, 0.4), radius = length * between(random, 0.05, 0.25);
    double mass = pow(10.0, between(random, -2.5, 0.5)), total = mass * links;
    bool tree = between(random, 0.0, 1.0) < 0.3, anchored = between(random, 0.0, 1.0) < 0.8;
    bool hinged = between(random, 0.0, 1.0) < 0.3, loaded = between(random, 0.0, 1.0) < 0.5;
    cairn_body_id ids[32];
    cairn_vec3 tips[32];

    // each link begins at the tip of its parent
    for (int i = 0; i < links; i++) {
        int parent = tree ? (int)between(random, 0.0, i) : i - 1;
        cairn_vec3 from = i ? tips[parent] : zero, d = {0};
        d.x = between(random, 0.2, 1.0);
        d.y = between(random, -0.6, 0.6);
        d.z = between(random, -0.4, 0.6);
        d = cairn_normalize(d);
        tips[i] = cairn_add_scaled(from, length, d);
        ids[i] = mechanism_body(
            world, mass, mechanism_rod(mass, length, radius),
            (cairn_transform){cairn_add_scaled(from, 0.5 * length, d), mechanism_turn(d)});
        cairn_vec3 axis = any_vector(random, 1.0);

        if (i > 0 || anchored)
            mechanism_join(world, hinged && i % 3 == 1 ? CAIRN_JOINT_HINGE : CAIRN_JOINT_BALL,
                           i ? ids[parent] : mechanism_world, ids[i], from, axis);
    }

    // up to 10⁵ times as heavy as a link
    if (loaded) {
        double load = mass * pow(10.0, between(random, 0.0, 5.0)), I = 0.4 * load * 0.05 * 0.05;
        total += load;
        ids[links] =
            mechanism_body(world, load, cairn_vec(I, I, I),
                           (cairn_transform){cairn_add_scaled(tips[links - 1], 0.05, x_axis),
                                             cairn_quat_identity()});
        mechanism_join(world, CAIRN_JOINT_BALL, ids[links - 1], ids[links], tips[links - 1],
                       z_axis);
    }

    for (int i = 0; i < links + loaded; i++) {
        cairn_vec3 v = any_vector(random, 2.0);
        CHECK(cairn_body_set_velocity(world, ids[i], v, any_vector(random, 10.0), NULL) ==
              CAIRN_OK);
    }
    return total * mechanism_g * length * links;
}

TEST(random_islands_stay_closed_and_lose_only_what_is_booked)
{
    const uint64_t seeds[2] = {20261116, 4711};
    int islands = CHECK_SLOW_BUILD ? 6 : 30;

    for (int k = 0; k < 2; k++) {
        cairn_random random = {seeds[k]};
        for (int i = 0; i < islands; i++) {
            cairn_world* world = mechanism_make(1e-4, 1, 64);
            double scale = add_random(world, &random);

            // velocities that fit the joints are what is left of them after a step
            mechanism_step(world, 1);

            double kinetic;
            cairn_world_energy(world, &kinetic, NULL);
            scale += kinetic;

            mechanism_run run = mechanism_step(world, CHECK_SLOW_BUILD ? 60 : 180);
            ck_assert_msg(run.joint_error <= 1e-6, "island %d: joints open by %g m", i,
                          run.joint_error);
            ck_assert_msg(run.gain <= 1e-3 * scale, "island %d: %g of its energy gained", i,
                          run.gain / scale);
            ck_assert_msg(run.rise <= 1e-3 * scale, "island %d: %g of its energy in a step", i,
                          run.rise / scale);
            ck_assert_msg(run.balance <= 1e-9 * scale, "island %d: %g of its energy nowhere", i,
                          run.balance / scale);
            ck_assert_msg(run.raised > 1.0 || run.missed > 0 || -run.change <= 5e-3 * scale,
                          "island %d: %g of its energy lost", i, -run.change / scale);
            cairn_world_destroy(world);
        }
    }
}
END

TESTS(chains_and_loads_neither_tear_nor_gain_whatever_the_substeps,
      a_heavy_ball_on_light_links_swings_to_its_place,
      a_chain_of_a_hundred_links_has_its_tip_where_it_belongs,
      random_islands_stay_closed_and_lose_only_what_is_booked)
