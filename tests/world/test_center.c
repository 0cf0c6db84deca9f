// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Bodies whose center of mass is not that of their shape, and pairs that do not collide.

#include "check_cairn.h"
#include <cairn/body.h>
#include <cairn/world.h>

static cairn_world* make_world(int substeps)
{
    cairn_world* world = NULL;
    cairn_world_def def = cairn_default_world_def();
    def.substeps = substeps;
    def.sleep = false;
    CHECK(cairn_world_create(&def, &world, NULL) == CAIRN_OK);
    return world;
}

static cairn_body_id add(cairn_world* world, const cairn_body_def* def)
{
    cairn_body_id id;
    cairn_error error;
    cairn_status status = cairn_world_add_body(world, def, &id, &error);
    ck_assert_msg(status == CAIRN_OK, "%s", error.text);
    return id;
}

static cairn_body_id add_floor(cairn_world* world)
{
    cairn_shape floor = cairn_shape_half_space();
    cairn_body_def def = cairn_default_body_def();
    def.type = CAIRN_BODY_STATIC;
    def.shape = &floor;
    return add(world, &def);
}

TEST(a_loaded_ball_rocks_with_the_period_of_its_center)
{
    // ω² = m g d / (I + m (R - d)²) for small swings of a ball of radius R that rolls, its center
    // of mass d below its middle
    const double R = 0.1, d = 0.03, m = 2.0, I = 0.006, g = 9.81;
    cairn_world* world = make_world(8);
    add_floor(world);
    cairn_shape ball = cairn_shape_sphere(R);
    cairn_body_def def = cairn_default_body_def();
    def.shape = &ball;
    def.mass = m;
    def.inertia = cairn_mat3_diagonal(I, I, I);
    def.centered = true;
    def.center = cairn_vec(0.0, 0.0, -d);
    def.pose.p = cairn_vec(0.0, 0.0, R);
    def.pose.q = cairn_quat_from_rotation_vector(cairn_vec(0.0, 0.05, 0.0));
    def.material.mu = 1.0;
    cairn_body_id id = add(world, &def);

    // the time from one upright moment to the third after it
    const double dt = 1.0 / 240.0;
    double before = 0.0, first = -1.0, period = -1.0;

    for (int i = 0; i < 1200 && period < 0.0; i++) {
        cairn_body_state s;
        CHECK(cairn_world_step(world, dt, NULL, NULL) == CAIRN_OK);

        CHECK(cairn_body_get(world, id, &s, NULL) == CAIRN_OK);
        double lean = cairn_rotate(s.pose.q, cairn_vec(0.0, 0.0, 1.0)).x;
        double now = cairn_world_time(world);

        if (before > 0.0 && lean <= 0.0) {
            double at = now - dt * lean / (lean - before);
            if (first < 0.0)
                first = at;
            else
                period = at - first;
        }

        before = lean;
    }

    double omega = sqrt(m * g * d / (I + m * (R - d) * (R - d)));
    CHECK_NEAR(period, 2.0 * M_PI / omega, 4e-3 * period); // the swing is 3°, the step 1/70 of it
    cairn_world_destroy(world);
}
END

TEST(what_is_read_back_of_a_loaded_body_is_what_was_given)
{
    cairn_world* world = make_world(4);
    cairn_shape box = cairn_shape_box(cairn_vec(0.1, 0.2, 0.3));
    cairn_body_def def = cairn_default_body_def(), back;
    def.shape = &box;
    def.mass = 3.0;
    def.inertia = (cairn_mat3){{0.3, 0.01, 0.02}, {0.01, 0.2, 0.03}, {0.02, 0.03, 0.25}};
    def.centered = true;
    def.center = cairn_vec(0.05, -0.02, 0.2);
    def.pose.p = cairn_vec(1.0, 2.0, 3.0);
    def.pose.q = cairn_quat_from_rotation_vector(cairn_vec(0.3, 0.4, 0.5));
    cairn_body_id id = add(world, &def);
    CHECK(cairn_body_get_def(world, id, &back, NULL) == CAIRN_OK);

    CHECK(back.centered);
    CHECK_BELOW(cairn_norm(cairn_sub(back.center, def.center)), 1e-15);
    CHECK_BELOW(cairn_norm(cairn_sub(back.inertia.cy, def.inertia.cy)), 1e-15);
    CHECK_BELOW(cairn_norm(cairn_sub(back.shape_offset.p, cairn_vec(0.0, 0.0, 0.0))), 1e-15);

    // the center in the world
    cairn_body_state s;
    CHECK(cairn_body_get(world, id, &s, NULL) == CAIRN_OK);
    cairn_vec3 expected = cairn_transform_point(def.pose, def.center);

    CHECK_BELOW(cairn_norm(cairn_sub(s.center, expected)), 1e-14);
    cairn_world_destroy(world);
}
END

// a ball that falls on another one that rests; how high the first one is after half a second
static double fall(bool excluded, bool again)
{
    cairn_world* world = make_world(4);
    add_floor(world);
    cairn_shape ball = cairn_shape_sphere(0.2);
    cairn_body_def def = cairn_default_body_def();
    def.shape = &ball;
    def.pose.p = cairn_vec(0.0, 0.0, 0.2);
    cairn_body_id low = add(world, &def);
    def.pose.p.z = 0.8;
    cairn_body_id high = add(world, &def);

    if (excluded)
        CHECK(cairn_world_exclude(world, high, low, true, NULL) == CAIRN_OK);
    if (again)
        CHECK(cairn_world_exclude(world, low, high, false, NULL) == CAIRN_OK);
    for (int i = 0; i < 60; i++)
        CHECK(cairn_world_step(world, 1.0 / 120.0, NULL, NULL) == CAIRN_OK);

    cairn_body_state s;
    CHECK(cairn_body_get(world, high, &s, NULL) == CAIRN_OK);
    cairn_world_destroy(world);
    return s.center.z;
}

TEST(bodies_that_are_excluded_pass_through_each_other)
{
    CHECK_NEAR(fall(false, false), 0.6, 1e-3);
    CHECK_NEAR(fall(true, false), 0.2, 1e-3);
    CHECK_NEAR(fall(true, true), 0.6, 1e-3);
}
END

TEST(bodies_that_are_excluded_stay_so_with_another_shape)
{
    cairn_world* world = make_world(4);
    cairn_shape ball = cairn_shape_sphere(0.2), larger = cairn_shape_sphere(0.3);
    cairn_body_def def = cairn_default_body_def();
    def.shape = &ball;
    cairn_body_id one = add(world, &def), other = add(world, &def), third = add(world, &def);
    int slots[4][2];

    CHECK(cairn_world_exclude(world, one, other, true, NULL) == CAIRN_OK);
    CHECK(cairn_world_exclude(world, third, one, true, NULL) == CAIRN_OK);
    CHECK(cairn_body_set_shape(world, one, &larger, cairn_transform_identity(), NULL, 1000.0,
                               NULL) == CAIRN_OK);

    // those of the old shape are gone
    ck_assert_int_eq(cairn_world_excluded(world, slots, 4), 2);
    for (int i = 0; i < 2; i++)
        CHECK(slots[i][0] == one.index || slots[i][1] == one.index);
    cairn_world_destroy(world);
}
END

TEST(an_exclusion_of_one_body_or_of_a_stale_one_is_refused)
{
    cairn_world* world = make_world(4);
    cairn_error error = {""};
    cairn_body_id floor = add_floor(world), none = {0, 0};
    CHECK(cairn_world_exclude(world, floor, floor, true, &error) == CAIRN_BAD_INPUT);
    CHECK(error.text[0]);
    CHECK(cairn_world_exclude(world, floor, none, true, &error) == CAIRN_BAD_INPUT);
    CHECK(cairn_world_exclude(NULL, floor, floor, true, &error) == CAIRN_BAD_INPUT);
    cairn_world_destroy(world);
}
END

TESTS(a_loaded_ball_rocks_with_the_period_of_its_center,
      what_is_read_back_of_a_loaded_body_is_what_was_given,
      bodies_that_are_excluded_pass_through_each_other,
      bodies_that_are_excluded_stay_so_with_another_shape,
      an_exclusion_of_one_body_or_of_a_stale_one_is_refused)
