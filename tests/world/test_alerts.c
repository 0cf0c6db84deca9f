// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Sensors, hits, belts, static friction, parts of bodies, and hooks that decide who collides.

#include "check_cairn.h"
#include "worlds.h"
#include <string.h>

static const double g = 9.81;
#define OK(call) CHECK((call) == CAIRN_OK)

static bool same(cairn_body_id a, cairn_body_id b)
{
    return a.index == b.index && a.generation == b.generation;
}

static cairn_sensor_id add_sensor(cairn_world* world, cairn_body_id body, cairn_shape shape,
                                  cairn_vec3 at)
{
    cairn_sensor_def def = cairn_default_sensor_def();
    cairn_sensor_id id;
    def.body = body;
    def.shape = &shape;
    def.pose.p = at;
    OK(cairn_world_add_sensor(world, &def, &id, NULL));
    return id;
}

static cairn_shape cube(void)
{
    return cairn_shape_box(cairn_vec(0.5, 0.5, 0.5));
}

// ---------------------------------------------------------------- sensors

// a ball falls through a curtain: z = 4 - g t²/2 from the upper face to the lower one
TEST(a_sensor_sees_a_ball_enter_stay_and_leave_when_it_does)
{
    cairn_world* world = worlds_empty(cairn_default_world_def());
    cairn_body_id none = {0}, inside[2];
    cairn_body_id ball =
        worlds_add(world, CAIRN_BODY_DYNAMIC, cairn_shape_sphere(0.1), cairn_vec(0., 0., 4.));
    cairn_sensor_id curtain =
        add_sensor(world, none, cairn_shape_box(cairn_vec(1.0, 1.0, 0.5)), cairn_vec(0., 0., 2.));
    int began = -1, ended = -1;

    for (int i = 1; i <= 60; i++) {
        worlds_run(world, 1);
        cairn_sensor_events events = cairn_world_sensor_events(world);
        if (events.begun_count > 0) {
            CHECK(began < 0 && events.begun_count == 1 && same(events.begun->body, ball));
            began = i;
        }
        if (events.ended_count > 0) {
            CHECK(ended < 0 && same(events.ended->body, ball));
            ended = i;
        }
        CHECK(cairn_sensor_inside(world, curtain, inside, 2) == (began > 0 && ended < 0));
    }

    // its center is 0.1 m above the curtain when it enters, 0.1 m below it when it leaves
    CHECK_NEAR(began, ceil(60.0 * sqrt(2.0 * (4.0 - 2.6) / g)), 0.5);
    CHECK_NEAR(ended, ceil(60.0 * sqrt(2.0 * (4.0 - 1.4) / g)), 0.5);
    cairn_world_destroy(world);
}
END

TEST(a_sensor_sees_what_sleeps_and_what_is_static_and_travels_with_its_body)
{
    cairn_world* world = worlds_empty(cairn_default_world_def());
    worlds_ground(world);
    worlds_add(world, CAIRN_BODY_DYNAMIC, cube(), cairn_vec(0.0, 0.0, 0.5));
    worlds_add(world, CAIRN_BODY_STATIC, cube(), cairn_vec(3.0, 0.0, 0.5));

    worlds_run(world, 60);
    cairn_body_id cart = worlds_add(world, CAIRN_BODY_KINEMATIC, cube(), cairn_vec(-3.0, 2.0, 0.5));
    cairn_sensor_id nose = add_sensor(world, cart, cairn_shape_sphere(0.2), cairn_vec(0., -2., 0.));
    OK(cairn_body_set_velocity(world, cart, cairn_vec(1.0, 0.0, 0.0), cairn_vec(0., 0., 0.), NULL));
    int begun = 0, ended = 0;

    for (int i = 0; i < 480; i++) {
        worlds_run(world, 1);
        cairn_sensor_events events = cairn_world_sensor_events(world);
        for (int k = 0; k < events.begun_count; k++)
            CHECK(!same(events.begun[k].body, cart));
        begun += events.begun_count;
        ended += events.ended_count;
    }
    CHECK(begun == 2 && ended == 2); // the ground is half a meter below the nose

    // its body goes, and so does it
    OK(cairn_body_set_pose(world, cart, (cairn_transform){{3.0, 2.0, 0.5}, {1.0, 0.0, 0.0, 0.0}},
                           NULL));

    worlds_run(world, 1);
    CHECK(cairn_sensor_inside(world, nose, NULL, 0) == 1);

    OK(cairn_world_remove_body(world, cart, NULL));
    worlds_run(world, 1);

    CHECK(cairn_world_sensor_events(world).ended_count == 1);
    CHECK(cairn_world_remove_sensor(world, nose, NULL) == CAIRN_BAD_INPUT);
    cairn_world_destroy(world);
}
END

TEST(sensors_and_hits_come_back_with_a_snapshot)
{
    cairn_world* world = worlds_empty(cairn_default_world_def());
    cairn_body_id none = {0};
    worlds_ground(world);

    for (int i = 0; i < 8; i++)
        worlds_add(world, CAIRN_BODY_DYNAMIC, cairn_shape_sphere(0.1),
                   cairn_vec(0.1 * i, 0.15 * (i % 2), 0.5 + 0.4 * i));

    add_sensor(world, none, cairn_shape_sphere(0.5), cairn_vec(0.3, 0.0, 0.6));
    OK(cairn_world_set_hit_speed(world, 0.5, NULL));
    cairn_snapshot* snapshot;
    long seen[2][4] = {{0}};

    worlds_run(world, 20);
    OK(cairn_world_snapshot(world, &snapshot, NULL));

    // the same 40 steps twice; each event counts by its step, so that order matters
    for (int k = 0; k < 2; k++) {
        for (int i = 0; i < 40; i++) {
            int hits;
            worlds_run(world, 1);
            cairn_world_hits(world, &hits);
            seen[k][0] += cairn_world_sensor_events(world).begun_count * (i + 1);
            seen[k][1] += cairn_world_sensor_events(world).ended_count * (i + 1);
            seen[k][2] += hits * (i + 1);
        }
        OK(cairn_world_restore(world, snapshot, NULL));
    }

    CHECK(memcmp(seen[0], seen[1], sizeof seen[0]) == 0);
    CHECK(seen[0][0] > 0 && seen[0][2] > 0);
    cairn_snapshot_destroy(snapshot);
    cairn_world_destroy(world);
}
END

// ---------------------------------------------------------------- hits

// m v = P for a ball that stays, at v = sqrt(2 g h); from every height of fall but the least
TEST(a_hit_tells_point_normal_speed_and_impulse)
{
    cairn_world* world = worlds_empty(cairn_default_world_def());
    cairn_body_id ground = worlds_ground(world);
    cairn_body_id ball =
        worlds_add(world, CAIRN_BODY_DYNAMIC, cairn_shape_sphere(0.1), cairn_vec(1., 2., 1.35));
    OK(cairn_body_set_mass(world, ball, 2.0, NULL));
    OK(cairn_world_set_hit_speed(world, 1.0, NULL));
    int found = 0;
    double v = sqrt(2.0 * g * 1.25);

    for (int i = 0; i < 60; i++) {
        int count;
        worlds_run(world, 1);

        const cairn_hit_event* hit = cairn_world_hits(world, &count);
        found += count;

        if (count == 0)
            continue;

        bool first = same(hit->body_a, ground);
        CHECK(first ? same(hit->body_b, ball) : same(hit->body_a, ball));
        CHECK_NEAR(hit->normal.z, first ? 1.0 : -1.0, 1e-9);
        CHECK_NEAR(cairn_norm(cairn_sub(hit->point, cairn_vec(1.0, 2.0, 0.0))), 0.0, 1e-3);
        CHECK_NEAR(hit->speed, v, g * worlds_dt);                     // that it gains in the step
        CHECK_NEAR(hit->impulse, 2.0 * v, 2.0 * 2.0 * g * worlds_dt); // and the weight of the step
    }

    CHECK(found == 1);
    cairn_world_destroy(world);
}
END

// ---------------------------------------------------------------- belts and friction

// a crate on a belt slides until v = μ g t and then rides; the belt stays where it is
TEST(a_belt_carries_a_crate_at_its_speed_and_stays)
{
    cairn_world* world = worlds_empty(cairn_default_world_def());
    cairn_shape slab = cairn_shape_box(cairn_vec(10.0, 1.0, 0.1));
    cairn_body_def def = cairn_default_body_def();
    cairn_body_id belt;
    def.type = CAIRN_BODY_KINEMATIC;
    def.shape = &slab;
    def.pose.p = cairn_vec(0.0, 0.0, -0.1);
    def.belt = true;
    def.velocity = cairn_vec(2.0, 0.0, 0.0);
    def.material.mu = 0.6;
    OK(cairn_world_add_body(world, &def, &belt, NULL));
    cairn_body_id crate =
        worlds_add(world, CAIRN_BODY_DYNAMIC, cairn_shape_box(cairn_vec(0.2, 0.2, 0.2)),
                   cairn_vec(-5.0, 0.0, 0.2));
    const double mu = 0.6, v = 2.0, t = 3.0;

    worlds_run(world, 12);
    CHECK_NEAR(worlds_state(world, crate).velocity.x, mu * g * 0.2, 1e-3);

    worlds_run(world, 168);
    CHECK_NEAR(worlds_state(world, crate).velocity.x, v, 1e-6);
    CHECK_NEAR(worlds_state(world, crate).pose.p.x, -5.0 + v * t - 0.5 * v * v / (mu * g), 0.02);
    CHECK(worlds_state(world, belt).pose.p.x == 0.0);
    CHECK(cairn_world_moved(world, NULL, 0) == 1);

    // the belt stops, and so does the crate
    OK(cairn_body_set_velocity(world, belt, cairn_vec(0.0, 0.0, 0.0), cairn_vec(0., 0., 0.), NULL));

    worlds_run(world, 60);
    CHECK_NEAR(worlds_state(world, crate).velocity.x, 0.0, 1e-6);

    def.type = CAIRN_BODY_STATIC;
    CHECK(cairn_world_add_body(world, &def, &belt, NULL) == CAIRN_BAD_INPUT);
    cairn_world_destroy(world);
}
END

// On a slope of 0.45 with μ_s = 0.5 and μ_k = 0.3 a block stays until it is pushed, and then slides
// down with g (sin - μ_k cos).
TEST(static_friction_holds_until_a_push_and_kinetic_friction_slides)
{
    double angle = atan(0.45);
    cairn_world_def options = cairn_default_world_def();
    options.gravity = cairn_vec(g * sin(angle), 0.0, -g * cos(angle));
    cairn_world* world = worlds_empty(options);
    cairn_body_id ground = worlds_ground(world);
    cairn_body_id block =
        worlds_add(world, CAIRN_BODY_DYNAMIC, cairn_shape_box(cairn_vec(0.4, 0.4, 0.1)),
                   cairn_vec(0.0, 0.0, 0.1));
    cairn_material m = cairn_default_material();
    m.mu = 0.3;
    m.mu_static = 0.5;
    OK(cairn_body_set_material(world, ground, &m, NULL));
    OK(cairn_body_set_material(world, block, &m, NULL));

    worlds_run(world, 60);
    CHECK_NEAR(worlds_state(world, block).pose.p.x, 0.0, 1e-6);

    OK(cairn_body_set_velocity(world, block, cairn_vec(0.05, 0., 0.), cairn_vec(0., 0., 0.), NULL));
    worlds_run(world, 60);

    double a = g * (sin(angle) - 0.3 * cos(angle));
    CHECK_NEAR(worlds_state(world, block).velocity.x, 0.05 + a, 1e-3);

    // by a material without static friction it would not have stayed
    m.mu_static = 0.0;
    OK(cairn_body_set_material(world, block, &m, NULL));
    OK(cairn_body_set_material(world, ground, &m, NULL));
    OK(cairn_body_set_velocity(world, block, cairn_vec(0., 0., 0.), cairn_vec(0., 0., 0.), NULL));
    worlds_run(world, 60);

    CHECK_NEAR(worlds_state(world, block).velocity.x, a, 1e-3);
    cairn_world_destroy(world);
}
END

// ---------------------------------------------------------------- parts

// A sledge of two runners, one of them rough, turns as it slides; masses and centers are those of the
// parts.
TEST(parts_have_materials_and_densities_of_their_own)
{
    cairn_shape pieces[2] = {cairn_shape_box(cairn_vec(0.5, 0.1, 0.1)),
                             cairn_shape_box(cairn_vec(0.5, 0.1, 0.1))};
    cairn_transform places[2] = {{{0.0, -0.5, 0.0}, {1.0, 0.0, 0.0, 0.0}},
                                 {{0.0, 0.5, 0.0}, {1.0, 0.0, 0.0, 0.0}}};
    cairn_compound* compound;
    OK(cairn_compound_create(pieces, places, 2, &compound, NULL));
    cairn_shape shape = cairn_shape_compound(compound);
    cairn_part parts[2] = {cairn_default_part(), cairn_default_part()};
    parts[0].density = 100.0;
    parts[1].density = 300.0;
    parts[0].material.mu = parts[1].material.mu = 0.0;
    cairn_world* world = worlds_empty(cairn_default_world_def());
    worlds_ground(world);
    cairn_body_def def = cairn_default_body_def();
    cairn_body_id sledge;
    def.shape = &shape;
    def.parts = parts;
    def.pose.p = cairn_vec(0.0, 0.0, 0.1);
    OK(cairn_world_add_body(world, &def, &sledge, NULL));
    double volume = 1.0 * 0.2 * 0.2;

    CHECK_NEAR(worlds_state(world, sledge).mass, 400.0 * volume, 1e-12);
    CHECK_NEAR(worlds_state(world, sledge).center.y, 0.25, 1e-12);

    // about z: two bars of (1² + 0.2²)/12, 0.75 and 0.25 m from the center
    cairn_body_mass mass;
    OK(cairn_body_get_mass(world, sledge, &mass, NULL));
    double own = 1.04 / 12.0, about = volume * (100.0 * (own + 0.5625) + 300.0 * (own + 0.0625));
    CHECK_NEAR(fmax(mass.moments.x, fmax(mass.moments.y, mass.moments.z)), about, 1e-12);

    // without friction it goes straight on; with a rough right runner it turns to the right
    OK(cairn_body_set_velocity(world, sledge, cairn_vec(2.0, 0., 0.), cairn_vec(0., 0., 0.), NULL));
    worlds_run(world, 30);

    CHECK_NEAR(worlds_state(world, sledge).spin.z, 0.0, 1e-9);
    CHECK_NEAR(worlds_state(world, sledge).velocity.x, 2.0, 1e-9);

    cairn_part rough[2] = {parts[0], parts[1]};
    rough[0].material.mu = 0.5;
    OK(cairn_body_set_shape(world, sledge, &shape, cairn_transform_identity(), rough, 0.0, NULL));
    worlds_run(world, 10);

    CHECK(worlds_state(world, sledge).spin.z < -0.05);
    CHECK_NEAR(worlds_state(world, sledge).mass, 400.0 * volume, 1e-12);
    cairn_world_destroy(world);
    cairn_compound_destroy(compound);
}
END

// a table loses a leg and tips; a joint of it goes on excluding
TEST(parts_are_removed_while_the_world_runs)
{
    cairn_shape pieces[3] = {cairn_shape_box(cairn_vec(1.0, 0.2, 0.05)),
                             cairn_shape_box(cairn_vec(0.05, 0.2, 0.5)),
                             cairn_shape_box(cairn_vec(0.05, 0.2, 0.5))};
    cairn_transform places[3] = {{{0.0, 0.0, 0.55}, {1.0, 0.0, 0.0, 0.0}},
                                 {{-0.9, 0.0, 0.0}, {1.0, 0.0, 0.0, 0.0}},
                                 {{0.9, 0.0, 0.0}, {1.0, 0.0, 0.0, 0.0}}};
    cairn_compound *whole, *less;
    OK(cairn_compound_create(pieces, places, 3, &whole, NULL));
    OK(cairn_compound_create(pieces, places, 2, &less, NULL));
    cairn_world* world = worlds_empty(cairn_default_world_def());
    worlds_ground(world);
    cairn_shape shape = cairn_shape_compound(whole);
    cairn_body_id table = worlds_add(world, CAIRN_BODY_DYNAMIC, shape, cairn_vec(0.0, 0.0, 0.5));

    worlds_run(world, 60);
    CHECK(worlds_state(world, table).asleep);

    // one leg of 1000 kg/m³ is gone, the other holds the top at one end
    double mass = worlds_state(world, table).mass;
    shape = cairn_shape_compound(less);
    OK(cairn_body_set_shape(world, table, &shape, cairn_transform_identity(), NULL, 1000.0, NULL));
    CHECK_NEAR(worlds_state(world, table).mass, mass - 1000.0 * 0.1 * 0.4 * 1.0, 1e-9);

    worlds_run(world, 60);
    cairn_transform pose = worlds_state(world, table).pose;

    CHECK(cairn_transform_point(pose, cairn_vec(1.0, 0.0, 0.55)).z < 0.3);
    cairn_world_destroy(world);
    cairn_compound_destroy(whole);
    cairn_compound_destroy(less);
}
END

// ---------------------------------------------------------------- hooks

// bodies that rise pass the platform, bodies that fall land on it
static bool one_way(void* context, const cairn_world* world, cairn_body_id a, cairn_body_id b)
{
    const cairn_body_id* platform = context;
    if (!same(a, *platform) && !same(b, *platform))
        return true;
    cairn_body_state s;
    OK(cairn_body_get(world, same(a, *platform) ? b : a, &s, NULL));
    CHECK(cairn_body_wake((cairn_world*)world, a, NULL) == CAIRN_BUSY);
    return s.velocity.z <= 0.0 && s.pose.p.z > 2.0 + 0.09;
}

TEST(a_one_way_platform_lets_a_ball_up_and_catches_it)
{
    for (int fast = 0; fast < 2; fast++) {
        cairn_world* world = worlds_empty(cairn_default_world_def());
        cairn_body_id platform =
            worlds_add(world, CAIRN_BODY_STATIC, cairn_shape_box(cairn_vec(1.0, 1.0, 0.05)),
                       cairn_vec(0.0, 0.0, 1.95));
        cairn_body_id ball =
            worlds_add(world, CAIRN_BODY_DYNAMIC, cairn_shape_sphere(0.1), cairn_vec(0., 0., 0.));
        OK(cairn_world_set_pair_hook(world, one_way, &platform, NULL));
        double v = fast ? 40.0 : 8.0;
        OK(cairn_body_set_velocity(world, ball, cairn_vec(0., 0., v), cairn_vec(0., 0., 0.), NULL));
        double highest = 0.0;

        for (int i = 0; i < 600; i++) {
            worlds_run(world, 1);
            highest = fmax(highest, worlds_state(world, ball).pose.p.z);
        }

        CHECK_NEAR(highest, v * v / (2.0 * g), 0.02 * v);
        CHECK_NEAR(worlds_state(world, ball).pose.p.z, 2.1, 1e-3);
        cairn_world_destroy(world);
    }
}
END

// ice for one body alone
static void slippery(void* context, const cairn_world* world, cairn_body_id a, int part_a,
                     cairn_body_id b, int part_b, cairn_law_of_pair* law)
{
    const cairn_body_id* skater = context;
    (void)world;
    (void)part_a;
    (void)part_b;
    if (same(a, *skater) || same(b, *skater))
        law->mu = 0.0;
}

TEST(a_material_hook_makes_ice_for_one_body)
{
    cairn_world* world = worlds_empty(cairn_default_world_def());
    worlds_ground(world);
    cairn_body_id two[2];
    for (int i = 0; i < 2; i++) {
        two[i] = worlds_add(world, CAIRN_BODY_DYNAMIC, cube(), cairn_vec(0.0, 3.0 * i, 0.5));
        OK(cairn_body_set_velocity(world, two[i], cairn_vec(3., 0., 0.), cairn_vec(0., 0., 0.),
                                   NULL));
    }
    OK(cairn_world_set_material_hook(world, slippery, &two[0], NULL));
    worlds_run(world, 60);
    CHECK_NEAR(worlds_state(world, two[0]).velocity.x, 3.0, 1e-9);
    CHECK_NEAR(worlds_state(world, two[1]).velocity.x, 0.0, 1e-6);
    cairn_world_destroy(world);
}
END

TEST(nonsense_is_refused)
{
    cairn_world* world = worlds_empty(cairn_default_world_def());
    cairn_shape half = cairn_shape_half_space();
    cairn_sensor_def def = cairn_default_sensor_def();
    cairn_sensor_id id = {0};
    CHECK(cairn_world_add_sensor(world, &def, &id, NULL) == CAIRN_BAD_INPUT);

    def.shape = &half;
    CHECK(cairn_world_add_sensor(world, &def, &id, NULL) == CAIRN_BAD_INPUT);
    CHECK(cairn_world_add_sensor(NULL, &def, &id, NULL) == CAIRN_BAD_INPUT);
    CHECK(cairn_world_remove_sensor(world, id, NULL) == CAIRN_BAD_INPUT);
    CHECK(cairn_world_set_hit_speed(world, NAN, NULL) == CAIRN_BAD_INPUT);
    CHECK(cairn_world_set_pair_hook(NULL, one_way, NULL, NULL) == CAIRN_BAD_INPUT);
    CHECK(cairn_sensor_inside(NULL, id, NULL, 0) == 0);
    CHECK(cairn_world_hits(NULL, NULL) == NULL && cairn_world_broken(world, NULL) == NULL);

    cairn_body_def body = cairn_default_body_def();
    cairn_part part = cairn_default_part();
    cairn_shape ball = cairn_shape_sphere(1.0);
    cairn_body_id made;
    body.shape = &ball;
    body.parts = &part;

    CHECK(cairn_world_add_body(world, &body, &made, NULL) == CAIRN_BAD_INPUT);
    cairn_world_destroy(world);
}
END

TESTS(a_sensor_sees_a_ball_enter_stay_and_leave_when_it_does,
      a_sensor_sees_what_sleeps_and_what_is_static_and_travels_with_its_body,
      sensors_and_hits_come_back_with_a_snapshot, a_hit_tells_point_normal_speed_and_impulse,
      a_belt_carries_a_crate_at_its_speed_and_stays,
      static_friction_holds_until_a_push_and_kinetic_friction_slides,
      parts_have_materials_and_densities_of_their_own, parts_are_removed_while_the_world_runs,
      a_one_way_platform_lets_a_ball_up_and_catches_it, a_material_hook_makes_ice_for_one_body,
      nonsense_is_refused)
