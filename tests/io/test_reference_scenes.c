// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The shipped scenes on which engines are compared, to the number: what is built by rules in the
// scene files is computed here once more from its definition. Round-off is all that may differ.

#include "check_cairn.h"
#include "world/state.h"
#include <cairn/io.h>
#include <stdio.h>

static const double g = 9.81, density = 1000.0, round_off = 1e-12;
static const double pi = 3.14159265358979323846;

typedef struct open_scene {
    cairn_scene* scene;
    const cairn_world* world;
    cairn_scene_info info;
    const char* name;
} open_scene;

static open_scene open(const char* name, double seconds)
{
    open_scene s = {.name = name};
    char path[4096];
    cairn_error error = {""};
    snprintf(path, sizeof path, "%s/scenes/%s.json", CAIRN_SOURCE_DIR, name);
    ck_assert_msg(cairn_scene_read(path, NULL, &s.scene, &error) == CAIRN_OK, "%s", error.text);
    s.world = cairn_scene_world(s.scene);
    s.info = cairn_scene_describe(s.scene);
    CHECK_NEAR(s.info.time, seconds, 0.0);
    CHECK_NEAR(s.info.dt, 1.0 / 60.0, round_off);
    return s;
}

static void check_friction(const open_scene* s, double mu)
{
    for (int i = 0; i < s->world->body_count; i++)
        CHECK_NEAR(s->world->bodies[i].material.mu, mu, 0.0);
    ck_assert_int_eq(s->world->bodies[0].shape.kind, CAIRN_SHAPE_HALF_SPACE);
}

static bool is_near(cairn_vec3 a, cairn_vec3 b, double within)
{
    return fabs(a.x - b.x) <= within && fabs(a.y - b.y) <= within && fabs(a.z - b.z) <= within;
}

// the one body whose center is at a place, which is at rest
static const cairn_body* body_at(const open_scene* s, cairn_vec3 at, double within)
{
    const cairn_body* found = NULL;
    for (int i = 0; i < s->world->body_count; i++) {
        const cairn_body* body = &s->world->bodies[i];
        if (!(body->inverse_mass > 0.0) || !is_near(body->x, at, within))
            continue;
        ck_assert_msg(!found, "%s: two bodies at %g %g %g", s->name, at.x, at.y, at.z);
        found = body;
    }
    ck_assert_msg(found != NULL, "%s: no body at %g %g %g", s->name, at.x, at.y, at.z);
    CHECK_NEAR(cairn_norm(found->v) + cairn_norm(found->w), 0.0, 0.0);
    return found;
}

static void check_box(const open_scene* s, cairn_vec3 at, cairn_vec3 size)
{
    const cairn_body* body = body_at(s, at, round_off);
    cairn_aabb box = cairn_shape_aabb(&body->shape, cairn_body_shape_pose(body));
    CHECK_NEAR(1.0 / body->inverse_mass, density * size.x * size.y * size.z, 1e-9);
    CHECK(is_near(cairn_sub(box.hi, box.lo), size, round_off));
}

static int moving_count(const open_scene* s)
{
    int count = 0;
    for (int i = 0; i < s->world->body_count; i++)
        count += s->world->bodies[i].inverse_mass > 0.0;
    return count;
}

// ---------------------------------------------------------------- standing

static void check_wall(const char* name, int n)
{
    open_scene s = open(name, 4.0);
    double end = 0.5 * (n - 1) * 1.01 + 0.5;
    check_friction(&s, 0.6);
    int bricks = 0;
    for (int row = 0; row < n; row++) {
        double z = 0.25 + 0.5 * row;
        int whole = n - row % 2;
        for (int i = 0; i < whole; i++, bricks++)
            check_box(&s, cairn_vec((i - 0.5 * (whole - 1)) * 1.01, 0.0, z),
                      cairn_vec(1.0, 0.5, 0.5));
        for (int side = -1; side <= 1 && row % 2; side += 2, bricks++)
            check_box(&s, cairn_vec(side * (end - 0.5 * 0.495), 0.0, z),
                      cairn_vec(0.495, 0.5, 0.5));
    }
    ck_assert_int_eq(moving_count(&s), bricks);

    // the ball enters after 1 s: with the floor it is the one that is not a brick
    ck_assert_int_eq(s.info.body_count, bricks + 2);
    cairn_scene_destroy(s.scene);
}

TEST(the_walls_are_bricks_in_bond_at_a_pitch_of_1_01_m)
{
    check_wall("wall", 10);
    check_wall("wall32", 32);
}
END

TEST(the_ball_enters_four_meters_before_the_wall_at_20_m_s)
{
    open_scene s = open("wall", 4.0);
    cairn_body_id id;
    cairn_body_state ball;
    cairn_error error;
    for (int i = 0; i <= 60; i++)
        ck_assert_int_eq(cairn_scene_step(s.scene, s.info.dt, NULL, &error), CAIRN_OK);
    ck_assert(cairn_scene_find(s.scene, "ball", &id));
    ck_assert_int_eq(cairn_body_get(s.world, id, &ball, &error), CAIRN_OK);
    CHECK_NEAR(ball.mass, density * 4.0 / 3.0 * pi, 1e-9);

    // one step under way: x = 0, y = -4 + 20 dt, and z a step's fall below max(N / 4, 1.2)
    CHECK_NEAR(ball.center.x, 0.0, round_off);
    CHECK_NEAR(ball.center.y, -4.0 + 20.0 * s.info.dt, 1e-9);
    CHECK_NEAR(ball.center.z, 2.5, g * s.info.dt * s.info.dt);
    cairn_scene_destroy(s.scene);
}
END

TEST(the_pyramid_is_of_20_rows_of_unit_cubes_at_a_pitch_of_1_05_m)
{
    open_scene s = open("pyramid", 5.0);
    check_friction(&s, 0.6);
    for (int row = 0; row < 20; row++)
        for (int i = 0; i < 20 - row; i++)
            check_box(&s, cairn_vec((i - 0.5 * (19 - row)) * 1.05, 0.0, 0.5 + row),
                      cairn_vec(1.0, 1.0, 1.0));
    ck_assert_int_eq(moving_count(&s), 210);
    cairn_scene_destroy(s.scene);
}
END

TEST(a_cube_of_1_kg_carries_cubes_of_100_to_10000_kg)
{
    static const char* const names[] = {"massratio100", "massratio", "massratio10000"};
    for (int k = 0; k < 3; k++) {
        open_scene s = open(names[k], 5.0);
        check_friction(&s, 0.6);
        ck_assert_int_eq(moving_count(&s), 2);
        CHECK_NEAR(body_at(&s, cairn_vec(0.0, 0.0, 0.5), 0.0)->inverse_mass, 1.0, 0.0);
        CHECK_NEAR(1.0 / body_at(&s, cairn_vec(0.0, 0.0, 1.5), 0.0)->inverse_mass, pow(10.0, 2 + k),
                   1e-9);
        cairn_scene_destroy(s.scene);
    }
}
END

// Trapezoids with their corners on circles of radius 4.5 and 5.5: of area (5.5² - 4.5²) sin(π/15)/2
TEST(the_arch_is_of_15_equal_wedges_of_radius_5_m)
{
    open_scene s = open("arch", 10.0);
    check_friction(&s, 0.7);
    ck_assert_int_eq(moving_count(&s), 15);
    double middle = 0.0;
    for (int i = 0; i < s.world->body_count; i++) {
        const cairn_body* body = &s.world->bodies[i];
        if (!(body->inverse_mass > 0.0))
            continue;
        CHECK_NEAR(1.0 / body->inverse_mass, density * 5.0 * sin(pi / 15.0), 1e-9);
        double radius = hypot(body->x.x, body->x.z);
        middle = middle > 0.0 ? middle : radius;
        CHECK_NEAR(radius, middle, 1e-9);
        CHECK_NEAR(body->x.y, 0.0, round_off);
    }
    cairn_scene_destroy(s.scene);
}
END

// ---------------------------------------------------------------- heaps

// n³ bodies within `jitter` of a lattice around the axis, and the inner faces of the container
static void check_heap(const char* name, int n, double pitch, double jitter, double mass)
{
    open_scene s = open(name, 6.0);
    double lowest = INFINITY, inside = INFINITY;
    check_friction(&s, 0.5);
    for (int i = 0; i < s.world->body_count; i++)
        if (s.world->bodies[i].inverse_mass > 0.0) {
            lowest = fmin(lowest, s.world->bodies[i].x.z);
            CHECK_NEAR(1.0 / s.world->bodies[i].inverse_mass, mass, 1e-9);
        } else if (i > 0) {
            cairn_aabb wall = cairn_shape_aabb(&s.world->bodies[i].shape,
                                               cairn_body_shape_pose(&s.world->bodies[i]));
            double away = fmax(fmax(wall.lo.x, -wall.hi.x), fmax(wall.lo.y, -wall.hi.y));
            inside = fmin(inside, away);
        }
    CHECK_NEAR(inside, 0.5 * pitch * n + 0.4, 1e-9);
    CHECK_NEAR(lowest, 1.0, jitter + round_off);
    for (int k = 0; k < n; k++)
        for (int j = 0; j < n; j++)
            for (int i = 0; i < n; i++)
                body_at(&s,
                        cairn_vec((i - 0.5 * (n - 1)) * pitch, (j - 0.5 * (n - 1)) * pitch,
                                  1.0 + k * pitch),
                        jitter + round_off);
    ck_assert_int_eq(moving_count(&s), n * n * n);
    cairn_scene_destroy(s.scene);
}

TEST(the_heaps_are_lattices_in_open_containers)
{
    check_heap("heap", 12, 1.1, 0.04, density * pi / 6.0);
    check_heap("boxes", 10, 1.8, 0.0, density);
}
END

// ---------------------------------------------------------------- linkages

// a capsule of radius 0.05 m and 0.5 m between the centers of its spheres
static void check_link(const cairn_body* body, cairn_vec3 from, cairn_vec3 along)
{
    const double r = 0.05, length = 0.5;
    CHECK(is_near(body->x, cairn_add_scaled(from, 0.5 * length, along), 1e-9));
    CHECK_NEAR(1.0 / body->inverse_mass, density * pi * r * r * (length + 4.0 / 3.0 * r), 1e-9);
    ck_assert_int_eq(body->shape.kind, CAIRN_SHAPE_CAPSULE);
    ck_assert_int_eq((int)body->mask, 0);
}

TEST(the_chains_lie_along_x_and_hang_at_the_origin)
{
    static const struct {
        const char* name;
        int links;
    } chains[] = {{"chain", 10}, {"chain100", 100}, {"chain1000", 1000}};
    for (int k = 0; k < 3; k++) {
        open_scene s = open(chains[k].name, 2.0);
        ck_assert_int_eq(s.world->body_count, chains[k].links);
        ck_assert_int_eq(s.world->link_count, chains[k].links);
        for (int i = 0; i < chains[k].links; i++) {
            check_link(&s.world->bodies[i], cairn_vec(0.5 * i, 0.0, 0.0), cairn_vec(1.0, 0.0, 0.0));
            ck_assert_int_eq(s.world->links[i].a, i ? i - 1 : CAIRN_WORLD_BODY);
            ck_assert_int_eq(s.world->links[i].b, i);
        }
        cairn_scene_destroy(s.scene);
    }
}
END

// heading of link i: its parent's ± 1/level, plus for odd i
TEST(the_tree_turns_by_one_over_its_level)
{
    enum { links = 127 };
    open_scene s = open("tree127", 2.0);
    double heading[links] = {0.0};
    cairn_vec3 tip[links];
    ck_assert_int_eq(s.world->body_count, links);
    for (int i = 0; i < links; i++) {
        int parent = (i - 1) / 2, level = 0;
        for (int k = i; k > 0; k = (k - 1) / 2)
            level++;
        cairn_vec3 from = i ? tip[parent] : cairn_vec(0.0, 0.0, 0.0);
        if (i)
            heading[i] = heading[parent] + (i % 2 ? 1.0 : -1.0) / level;
        cairn_vec3 along = cairn_vec(cos(heading[i]), sin(heading[i]), 0.0);
        tip[i] = cairn_add_scaled(from, 0.5, along);
        check_link(&s.world->bodies[i], from, along);
        ck_assert_int_eq(s.world->links[i].a, i ? parent : CAIRN_WORLD_BODY);
    }
    cairn_scene_destroy(s.scene);
}
END

// ---------------------------------------------------------------- friction

TEST(the_slopes_are_half_a_degree_from_the_limit_of_friction)
{
    static const struct {
        const char* name;
        double degrees, heading;
    } slopes[] = {{"incline_lo", -0.5, 0.0}, {"incline_hi", 0.5, 0.0}, {"incline_hi45", 0.5, 45.0}};
    for (int k = 0; k < 3; k++) {
        open_scene s = open(slopes[k].name, 10.0);
        double tilt = atan(0.5) + slopes[k].degrees * pi / 180.0;
        double heading = slopes[k].heading * pi / 180.0;
        cairn_vec3 right =
            cairn_vec(g * sin(tilt) * cos(heading), g * sin(tilt) * sin(heading), -g * cos(tilt));
        CHECK(is_near(s.info.gravity, right, 1e-11));
        check_friction(&s, 0.5);
        check_box(&s, cairn_vec(0.0, 0.0, 0.25), cairn_vec(1.0, 1.0, 0.5));
        cairn_scene_destroy(s.scene);
    }
}
END

TEST(the_plates_spin_at_10_rad_s_and_slide_at_5_m_s)
{
    static const struct {
        const char* name;
        double spin, slide;
    } plates[] = {{"spin", 10.0, 0.0}, {"slide", 0.0, 5.0}, {"spinslide", 10.0, 5.0}};
    for (int k = 0; k < 3; k++) {
        open_scene s = open(plates[k].name, 3.0);
        const cairn_body* plate = &s.world->bodies[1];
        check_friction(&s, 0.5);
        ck_assert_int_eq(s.world->body_count, 2);
        CHECK(is_near(plate->x, cairn_vec(0.0, 0.0, 0.05), 0.0));
        CHECK_NEAR(1.0 / plate->inverse_mass, density * 0.1, 1e-9);
        CHECK(is_near(plate->v, cairn_vec(plates[k].slide, 0.0, 0.0), 0.0));
        CHECK(is_near(plate->w, cairn_vec(0.0, 0.0, plates[k].spin), 0.0));
        cairn_scene_destroy(s.scene);
    }
}
END

// They land within the first second and a half, limbs first, at up to 10 m/s.
TEST(figures_that_land_neither_overlap_nor_come_apart)
{
    open_scene s = open("ragdolls", 4.0);
    for (int k = 0; k < 100; k++) {
        cairn_step_report report;
        cairn_error error = {""};
        cairn_status status = cairn_scene_step(s.scene, s.info.dt, &report, &error);
        ck_assert_msg(status == CAIRN_OK, "%s", error.text);
        CHECK(report.outcome == CAIRN_OUTCOME_CONVERGED);
        CHECK_BELOW(report.penetration, 5e-3);
        CHECK_BELOW(report.joint_error, 1e-4);
    }
    cairn_scene_destroy(s.scene);
}
END

TESTS(figures_that_land_neither_overlap_nor_come_apart,
      the_walls_are_bricks_in_bond_at_a_pitch_of_1_01_m,
      the_ball_enters_four_meters_before_the_wall_at_20_m_s,
      the_pyramid_is_of_20_rows_of_unit_cubes_at_a_pitch_of_1_05_m,
      a_cube_of_1_kg_carries_cubes_of_100_to_10000_kg, the_arch_is_of_15_equal_wedges_of_radius_5_m,
      the_heaps_are_lattices_in_open_containers, the_chains_lie_along_x_and_hang_at_the_origin,
      the_tree_turns_by_one_over_its_level, the_slopes_are_half_a_degree_from_the_limit_of_friction,
      the_plates_spin_at_10_rad_s_and_slide_at_5_m_s)
