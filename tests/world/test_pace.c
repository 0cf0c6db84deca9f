// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Substeps that small islands of contacts choose for themselves, at 1/60 s and default options: what is
// small and fast, and what rocks from edge to edge, beside closed forms.

#include "check_cairn.h"
#include "worlds.h"
#include <math.h>

static const double pi = 3.14159265358979323846, g = 9.81;
static const cairn_vec3 x_axis = {1.0, 0.0, 0.0}, y_axis = {0.0, 1.0, 0.0},
                        z_axis = {0.0, 0.0, 1.0};

static cairn_quat turn(cairn_vec3 axis, double angle)
{
    return cairn_quat_from_rotation_vector(cairn_scale(angle, axis));
}

static cairn_world* on_floor(int most_substeps, const cairn_body_def* def, cairn_body_id* id)
{
    cairn_world_def options = cairn_default_world_def();
    options.most_substeps = most_substeps;
    cairn_world* world = worlds_empty(options);
    cairn_shape plane = cairn_shape_half_space();
    cairn_body_def floor = cairn_default_body_def();
    floor.type = CAIRN_BODY_STATIC;
    floor.shape = &plane;
    floor.material.mu = 1.0;
    CHECK(cairn_world_add_body(world, &floor, id, NULL) == CAIRN_OK);
    CHECK(cairn_world_add_body(world, def, id, NULL) == CAIRN_OK);
    return world;
}

// A thin coin of radius r rolls round a circle of radius R, leaning: gravity's moment turns its angular
// momentum (as in test_contact_motion.c). By how many degrees the lean is off, at most, in 2 s.
static double lean_error(double r, double R, double lean, int most_substeps)
{
    lean *= pi / 180.0;
    double c = cos(lean), s = sin(lean), center = R - r * s, I = 0.25 * r * r, J = 0.5 * r * r;
    double k = c * (J * (R / r - s) + I * s) + center * r * c, omega = sqrt(g * r * s / k);
    cairn_shape disc = cairn_shape_cylinder(r, 1e-7 * r);
    cairn_body_def def = cairn_default_body_def();
    def.shape = &disc;
    def.material.mu = 1.0;
    def.mass = 1.0;
    def.inertia = cairn_mat3_diagonal(I, I, J);
    def.pose = (cairn_transform){{0.0, -center, r * c}, turn(x_axis, -0.5 * pi - lean)};
    cairn_vec3 axis = cairn_rotate(def.pose.q, z_axis), arm = {0.0, r * s, r * c};

    // the spin about the axis so that the point of contact rests
    def.velocity.x = omega * center;
    double sigma = (def.velocity.x - cairn_cross(cairn_scale(omega, z_axis), arm).x) /
                   cairn_cross(axis, arm).x;
    def.spin = cairn_add_scaled(cairn_scale(omega, z_axis), sigma, axis);

    cairn_body_id id;
    cairn_world* world = on_floor(most_substeps, &def, &id);
    double worst = 0.0;

    for (int i = 0; i < 120; i++) {
        worlds_run(world, 1);
        double z = cairn_rotate(worlds_state(world, id).pose.q, z_axis).z;
        worst = fmax(worst, fabs(asin(fmin(1.0, fabs(z))) - lean) * 180.0 / pi);
    }
    cairn_world_destroy(world);
    return worst;
}

TEST(small_coins_keep_their_lean)
{
    CHECK_BELOW(lean_error(0.02, 0.2, 15.0, 64), 0.05);
    CHECK_BELOW(lean_error(0.0125, 0.1, 25.0, 64), 0.1);

    // with the four substeps that were asked for alone it is not so
    CHECK(lean_error(0.0125, 0.1, 25.0, 4) > 0.5);
}
END

// A disk of the size of the toy, on its rim at Ω² = 4 g/(r sin tilt): what is left of its energy in 2 s
TEST(a_small_spinning_disk_goes_on)
{
    const double r = 0.0375, thin = 5e-4, tilt = 15.0 * pi / 180.0;
    double omega = sqrt(4.0 * g / (r * sin(tilt))), rest = thin * g, kinetic, potential;
    cairn_shape disc = cairn_shape_cylinder(r, thin);
    cairn_body_def def = cairn_default_body_def();
    def.shape = &disc;
    def.material.mu = 1.0;
    def.mass = 1.0;
    def.pose.q = turn(x_axis, tilt);
    def.pose.p.z = r * sin(tilt) + thin * cos(tilt);
    def.spin = cairn_add_scaled(cairn_scale(omega, z_axis), -omega * cos(tilt),
                                cairn_rotate(def.pose.q, z_axis));
    cairn_body_id id;
    cairn_world* world = on_floor(64, &def, &id);
    cairn_world_energy(world, &kinetic, &potential);
    double before = kinetic + potential - rest;

    worlds_run(world, 120);
    cairn_world_energy(world, &kinetic, &potential);

    CHECK_NEAR((kinetic + potential - rest) / before, 1.0, 0.05);
    cairn_world_destroy(world);
}
END

// A block rocks from `first`. Its energy is m g R (cos(α - θ) - cos α), and the impact of its base
// leaves (1 - 3/2 sin² α)² of it (Housner 1963). The next peak as a share of what it should be.
static double second_peak(double width, double height, double first, double dt)
{
    double alpha = atan(width / height), kept = 1.0 - 1.5 * sin(alpha) * sin(alpha);
    first *= pi / 180.0;
    double energy = kept * kept * (cos(alpha - first) - cos(alpha));
    double second = alpha - acos(cos(alpha) + energy);
    cairn_shape block = cairn_shape_box(cairn_vec(0.5 * width, 0.5 * width, 0.5 * height));
    cairn_body_def def = cairn_default_body_def();
    def.shape = &block;
    def.material.mu = 1.0;
    def.pose.q = turn(y_axis, first);
    def.pose.p = cairn_rotate(def.pose.q, cairn_vec(-0.5 * width, 0.0, 0.5 * height));
    cairn_body_id id;
    cairn_world* world = on_floor(64, &def, &id);

    // until it has passed its second peak
    double peak = 0.0, tilt = 0.0;
    for (int i = 0; i < (int)(4.0 / dt) && !(peak > 0.0 && tilt < 0.5 * peak); i++) {
        CHECK(cairn_world_step(world, dt, NULL, NULL) == CAIRN_OK);
        cairn_vec3 z = cairn_rotate(worlds_state(world, id).pose.q, z_axis);
        tilt = -atan2(z.x, z.z);
        peak = fmax(peak, tilt);
    }
    cairn_world_destroy(world);
    return peak / second;
}

TEST(blocks_rock_as_far_as_housner_says)
{
    CHECK_NEAR(second_peak(0.2, 1.0, 5.0, 1.0 / 480.0), 1.0, 0.005);
    CHECK_NEAR(second_peak(0.3, 1.0, 10.0, 1.0 / 480.0), 1.0, 0.005);
    CHECK_NEAR(second_peak(0.4, 2.0, 4.0, 1.0 / 480.0), 1.0, 0.005);
    CHECK_NEAR(second_peak(0.2, 1.0, 5.0, 1.0 / 60.0), 1.0, 0.02);
}
END

TESTS(small_coins_keep_their_lean, a_small_spinning_disk_goes_on,
      blocks_rock_as_far_as_housner_says)
