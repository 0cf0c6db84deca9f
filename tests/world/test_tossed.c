// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Bodies of all kinds tossed into a bin at default settings: corners turn in, edges slide off faces,
// rims meet rims, blows travel through the heap. Whatever meets whatever, bodies overlap by a few
// millimeters at most at the end of any step, and no energy comes from nowhere.

#include "check_cairn.h"
#include "worlds.h"
#include <cairn/random.h>

static const double pi = 3.14159265358979323846;

enum { most_corners = 12 };

// four walls about 4 x 4 m of floor
static void add_bin(cairn_world* world)
{
    cairn_shape wall = cairn_shape_box(cairn_vec(0.5, 3.0, 3.0)), plane = cairn_shape_half_space();
    for (int i = 0; i < 5; i++) {
        cairn_body_def def = cairn_default_body_def();
        cairn_body_id id;
        def.shape = i < 4 ? &wall : &plane;
        def.type = CAIRN_BODY_STATIC;
        def.material.mu = 0.5;
        def.pose.q = cairn_quat_from_rotation_vector(cairn_vec(0.0, 0.0, 0.5 * pi * i));
        if (i < 4)
            def.pose.p = cairn_rotate(def.pose.q, cairn_vec(2.5, 0.0, 3.0));
        CHECK(cairn_world_add_body(world, &def, &id, NULL) == CAIRN_OK);
    }
}

static cairn_shape shape_of(cairn_shape_kind kind, cairn_random* random, cairn_hull** hull)
{
    double a = cairn_random_range(random, 0.1, 0.3), b = cairn_random_range(random, 0.1, 0.3);
    cairn_vec3 corners[most_corners];

    switch (kind) {
    case CAIRN_SHAPE_CYLINDER:
        return cairn_shape_cylinder(a, b);
    case CAIRN_SHAPE_CAPSULE:
        return cairn_shape_capsule(a, b);
    case CAIRN_SHAPE_HULL:
        for (int i = 0; i < most_corners; i++)
            corners[i] = cairn_scale(0.3, cairn_random_vec3(random));
        CHECK(cairn_hull_create(corners, most_corners, 0.0, hull, NULL) == CAIRN_OK);
        return cairn_shape_hull(*hull);
    default:
        return cairn_shape_box(cairn_vec(a, b, cairn_random_range(random, 0.1, 0.3)));
    }
}

// tosses `count` bodies and looks at every step
static void toss(cairn_shape_kind kind, uint64_t seed, int count)
{
    enum { most = 32, steps = 90 };
    const double deepest = 5e-3, gained = 1e-3; // m; of the energy in the bin
    cairn_world* world = worlds_empty(cairn_default_world_def());
    cairn_hull* hulls[most] = {NULL};
    cairn_random random = {seed};
    add_bin(world);

    for (int i = 0; i < count; i++) {
        cairn_shape shape = shape_of(kind, &random, &hulls[i]);
        cairn_body_def def = cairn_default_body_def();
        cairn_body_id id;
        def.shape = &shape;
        def.material.mu = 0.5;
        def.pose.p = cairn_vec(1.1 * (i % 3) - 1.1, 1.1 * (i / 3 % 3) - 1.1, 0.6 + 1.1 * (i / 9));
        def.pose.q = cairn_quat_from_rotation_vector(cairn_scale(3.0, cairn_random_vec3(&random)));
        def.velocity = cairn_scale(10.0, cairn_random_vec3(&random));
        def.velocity.z -= 5.0;
        def.spin = cairn_scale(10.0, cairn_random_vec3(&random));
        CHECK(cairn_world_add_body(world, &def, &id, NULL) == CAIRN_OK);
    }

    double kinetic, potential;
    cairn_world_energy(world, &kinetic, &potential);
    double energy = kinetic + potential, start = energy;

    for (int k = 0; k < steps; k++) {
        cairn_step_report report = worlds_run(world, 1);
        cairn_world_energy(world, &kinetic, &potential);
        double more = kinetic + potential - energy;
        ck_assert_msg(report.penetration <= deepest, "shape %d, seed %d, step %d: %g mm deep", kind,
                      (int)seed, k, 1e3 * report.penetration);
        ck_assert_msg(more <= gained * start, "shape %d, seed %d, step %d: gains %g of %g J", kind,
                      (int)seed, k, more, start);
        energy = kinetic + potential;
    }
    cairn_world_destroy(world);

    for (int i = 0; i < count; i++)
        cairn_hull_destroy(hulls[i]);
}

static void toss_all(cairn_shape_kind kind)
{
    for (uint64_t seed = 1; seed <= (CHECK_SLOW_BUILD ? 1 : 3); seed++)
        toss(kind, seed, CHECK_SLOW_BUILD ? 12 : 27);
}

TEST(tossed_boxes_hardly_overlap_and_gain_no_energy)
{
    toss_all(CAIRN_SHAPE_BOX);
}
END

TEST(tossed_cylinders_hardly_overlap_and_gain_no_energy)
{
    toss_all(CAIRN_SHAPE_CYLINDER);
}
END

TEST(tossed_capsules_hardly_overlap_and_gain_no_energy)
{
    toss_all(CAIRN_SHAPE_CAPSULE);
}
END

TEST(tossed_hulls_hardly_overlap_and_gain_no_energy)
{
    toss_all(CAIRN_SHAPE_HULL);
}
END

TESTS(tossed_boxes_hardly_overlap_and_gain_no_energy,
      tossed_cylinders_hardly_overlap_and_gain_no_energy,
      tossed_capsules_hardly_overlap_and_gain_no_energy,
      tossed_hulls_hardly_overlap_and_gain_no_energy)
