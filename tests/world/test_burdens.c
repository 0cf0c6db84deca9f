// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Heavy bodies that move over light ones at rest, or on light rollers, at 1/60 s and default settings.
// What bears them neither sinks nor rises: they keep their speed.

#include "check_cairn.h"
#include "worlds.h"

static const double pi = 3.14159265358979323846;

static cairn_body_def body_of(const cairn_shape* shape, double mu, double mass)
{
    cairn_body_def def = cairn_default_body_def();
    def.shape = shape;
    def.material.mu = mu;
    def.mass = mass;
    return def;
}

static cairn_body_id add(cairn_world* world, const cairn_body_def* def)
{
    cairn_body_id id = {0};
    CHECK(cairn_world_add_body(world, def, &id, NULL) == CAIRN_OK);
    return id;
}

// bricks of half a kilogram and 10 x 10 x 5 cm, side by side along x
static cairn_world* lay_bricks(int count)
{
    cairn_world* world = worlds_empty(cairn_default_world_def());
    worlds_ground(world);
    cairn_shape brick = cairn_shape_box(cairn_vec(0.05, 0.05, 0.025));
    for (int i = 0; i < count; i++) {
        cairn_body_def def = body_of(&brick, 0.6, 0.5);
        def.pose.p = cairn_vec(0.1 * i, 0.0, 0.025);
        add(world, &def);
    }
    return world;
}

// what a body has of its speed after some way over them
static double kept(cairn_world* world, const cairn_body_def* def, double way)
{
    cairn_body_id id = add(world, def);
    worlds_run(world, (int)(60.0 * way / def->velocity.x));
    double speed = worlds_state(world, id).velocity.x / def->velocity.x;
    cairn_world_destroy(world);
    return speed;
}

static double slide(int bricks, double mass, double speed)
{
    cairn_shape plate = cairn_shape_box(cairn_vec(0.15, 0.15, 0.03));
    cairn_body_def def = body_of(&plate, 0.0, mass);
    def.pose.p = cairn_vec(0.22, 0.0, 0.08);
    def.velocity.x = speed;
    return kept(lay_bricks(bricks), &def, 0.8);
}

static double roll(int bricks, double mass, double speed)
{
    cairn_shape ball = cairn_shape_sphere(0.1);
    cairn_body_def def = body_of(&ball, 0.6, mass);
    def.pose.p = cairn_vec(0.2, 0.0, 0.15);
    def.velocity.x = speed;
    def.spin.y = speed / 0.1;
    return kept(lay_bricks(bricks), &def, 0.8);
}

TEST(a_plate_keeps_its_speed_over_loose_bricks)
{
    CHECK_NEAR(slide(16, 16.0, 0.5), 1.0, 1e-5);
    if (CHECK_SLOW_BUILD)
        return;
    CHECK_NEAR(slide(16, 16.0, 1.0), 1.0, 1e-5);
    CHECK_NEAR(slide(16, 16.0, 2.0), 1.0, 1e-5);
    CHECK_NEAR(slide(16, 500.0, 1.0), 1.0, 1e-5);
}
END

TEST(a_ball_keeps_its_speed_over_loose_bricks)
{
    CHECK_NEAR(roll(16, 0.5, 0.5), 1.0, 1e-5);
    if (CHECK_SLOW_BUILD)
        return;
    CHECK_NEAR(roll(16, 4.0, 0.5), 1.0, 1e-5);
    CHECK_NEAR(roll(16, 16.0, 1.0), 1.0, 1e-5);
}
END

// more than 400 contacts: small steps in single precision
TEST(a_long_row_of_bricks_is_no_worse)
{
    CHECK_NEAR(slide(60, 16.0, 1.0), 1.0, 2e-4);
    if (!CHECK_SLOW_BUILD)
        CHECK_NEAR(roll(60, 4.0, 0.5), 1.0, 5e-4);
}
END

// A plank lies on rollers as wide as it is, which roll at half its speed. How much of its speed it
// keeps.
static double roll_on(double mass)
{
    const double speed = 0.5, radius = 0.05, width = 0.2;
    cairn_world* world = worlds_empty(cairn_default_world_def());
    worlds_ground(world);
    cairn_shape roller = cairn_shape_cylinder(radius, width);
    cairn_shape plank = cairn_shape_box(cairn_vec(1.0, width, 0.05));

    for (int i = 0; i < 5; i++) {
        cairn_body_def def = body_of(&roller, 0.8, 0.5);
        def.pose.p = cairn_vec(0.3 * i - 0.6, 0.0, radius);
        def.pose.q = cairn_quat_from_rotation_vector(cairn_vec(0.5 * pi, 0.0, 0.0));
        def.velocity.x = 0.5 * speed;
        def.spin.y = 0.5 * speed / radius;
        add(world, &def);
    }

    cairn_body_def def = body_of(&plank, 0.8, mass);
    def.pose.p.z = 2.0 * radius + 0.05;
    def.velocity.x = speed;
    return kept(world, &def, 0.5);
}

TEST(a_plank_keeps_its_speed_on_light_rollers)
{
    CHECK_NEAR(roll_on(4.0), 1.0, 1e-6);
    CHECK_NEAR(roll_on(16.0), 1.0, 1e-6);
    CHECK_NEAR(roll_on(50.0), 1.0, 1e-6);
    CHECK_NEAR(roll_on(500.0), 1.0, 1e-6);
}
END

TESTS(a_plate_keeps_its_speed_over_loose_bricks, a_ball_keeps_its_speed_over_loose_bricks,
      a_long_row_of_bricks_is_no_worse, a_plank_keeps_its_speed_on_light_rollers)
