// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Snapshots as bytes: what comes back goes on to the bit, and bytes of somebody else's do no harm.

#include "check_cairn.h"
#include "worlds.h"
#include <cairn/random.h>
#include <stdlib.h>
#include <string.h>

enum { head = 28 };

typedef struct message {
    unsigned char* bytes;
    size_t size;
} message;

static message write_world(const cairn_world* world, const cairn_asset* assets, int count)
{
    cairn_snapshot* snapshot = NULL;
    cairn_error error;
    message m = {0};
    CHECK(cairn_world_snapshot(world, &snapshot, NULL) == CAIRN_OK);
    cairn_status status = cairn_snapshot_write(snapshot, assets, count, NULL, 0, &m.size, &error);
    ck_assert_msg(status == CAIRN_OK, "%s", error.text);

    m.bytes = malloc(m.size);
    size_t written = 0;
    CHECK(cairn_snapshot_write(snapshot, assets, count, m.bytes, m.size, &written, NULL) ==
          CAIRN_OK);

    ck_assert_uint_eq(written, m.size);
    CHECK(cairn_snapshot_write(snapshot, assets, count, m.bytes, m.size - 1, &written, NULL) ==
          CAIRN_BAD_INPUT);
    cairn_snapshot_destroy(snapshot);
    return m;
}

// a world of its own, brought to where the bytes say
static cairn_world* read_world(message m, const cairn_asset* assets, int count)
{
    cairn_world* world = worlds_empty(cairn_default_world_def());
    cairn_snapshot* snapshot = NULL;
    cairn_error error;
    cairn_status status = cairn_snapshot_read(m.bytes, m.size, assets, count, &snapshot, &error);
    ck_assert_msg(status == CAIRN_OK, "%s", error.text);
    CHECK(cairn_world_restore(world, snapshot, NULL) == CAIRN_OK);
    cairn_snapshot_destroy(snapshot);
    return world;
}

// runs `before` steps, sends the world through bytes, and runs both on; destroys the world
static void goes_on(cairn_world* world, const cairn_asset* assets, int count, int before, int after)
{
    worlds_run(world, before);
    message m = write_world(world, assets, count);
    cairn_world* other = read_world(m, assets, count);

    ck_assert_uint_eq(worlds_seen(other), worlds_seen(world));
    for (int i = 0; i < after; i++) {
        worlds_run(world, 1);
        worlds_run(other, 1);
        ck_assert_uint_eq(worlds_seen(other), worlds_seen(world));
    }

    // what was read writes the same bytes
    message again = write_world(other, assets, count), here = write_world(world, assets, count);

    ck_assert_uint_eq(again.size, here.size);
    free(again.bytes);
    free(here.bytes);
    free(m.bytes);
    cairn_world_destroy(other);
    cairn_world_destroy(world);
}

TEST(a_world_that_was_sent_goes_on_to_the_bit)
{
    cairn_world_def def = cairn_default_world_def();
    cairn_joint_id motor;
    goes_on(worlds_heap(def, 3), NULL, 0, 40, 30);
    goes_on(worlds_wall(def, 4, 3), NULL, 0, 5, 30);
    goes_on(worlds_machine(def, &motor), NULL, 0, 30, 60);
    goes_on(worlds_columns(def, 3, 4), NULL, 0, 90, 10);
    goes_on(worlds_empty(def), NULL, 0, 0, 3);
    goes_on(worlds_pyramid(cairn_preset_world_def(CAIRN_PRESET_EXACT), 4), NULL, 0, 10, 10);
    def.integrator = CAIRN_INTEGRATOR_MOREAU;
    goes_on(worlds_chain(def, 20, NULL), NULL, 0, 30, 60);
}
END

TEST(bodies_of_every_shape_that_is_not_borrowed_go_along)
{
    const cairn_shape shapes[] = {cairn_shape_sphere(0.2),
                                  cairn_shape_box(cairn_vec(0.1, 0.2, 0.3)),
                                  cairn_shape_capsule(0.1, 0.2),
                                  cairn_shape_cylinder(0.1, 0.2),
                                  cairn_shape_cone(0.2, 0.2),
                                  cairn_shape_ellipsoid(cairn_vec(0.1, 0.2, 0.3)),
                                  cairn_shape_tapered_capsule(0.1, 0.2, 0.2)};
    cairn_world* world = worlds_empty(cairn_default_world_def());
    worlds_ground(world);
    for (int i = 0; i < 7; i++)
        worlds_add(world, CAIRN_BODY_DYNAMIC, shapes[i], cairn_vec(0.2 * i, 0.0, 0.5 + 0.5 * i));
    goes_on(world, NULL, 0, 20, 30);
}
END

// holes in the slots, a sensor, forces to come, a joint that is gone, a body that is asleep
static cairn_world* busy_world(const cairn_asset* assets)
{
    cairn_world* world = worlds_columns(cairn_default_world_def(), 2, 3);
    worlds_run(world, 90);
    cairn_body_id ids[6];

    for (int i = 0; i < 6; i++) {
        cairn_body_def def = cairn_default_body_def();
        def.shape = &assets[i % 2].shape;
        def.parts = assets[i % 2].parts;
        def.pose.p = cairn_vec(0.4 * i, 2.0 + 0.3 * i, 1.0 + 1.1 * i);
        def.user = (void*)(uintptr_t)(i + 7);
        CHECK(cairn_world_add_body(world, &def, &ids[i], NULL) == CAIRN_OK);
    }

    cairn_joint_def joint = cairn_default_joint_def(CAIRN_JOINT_HINGE);
    joint.body_a = ids[0];
    joint.body_b = ids[1];
    joint.driven = true;
    joint.speed = 2.0;
    joint.strength = INFINITY;
    cairn_joint_id held, gone;
    CHECK(cairn_world_add_joint(world, &joint, &gone, NULL) == CAIRN_OK);
    CHECK(cairn_world_add_joint(world, &joint, &held, NULL) == CAIRN_OK);

    cairn_sensor_def sensor = cairn_default_sensor_def();
    cairn_shape zone = cairn_shape_box(cairn_vec(9.0, 9.0, 1.0));
    cairn_sensor_id id;
    sensor.shape = &zone;
    CHECK(cairn_world_add_sensor(world, &sensor, &id, NULL) == CAIRN_OK);
    CHECK(cairn_world_set_hit_speed(world, 0.1, NULL) == CAIRN_OK);

    worlds_run(world, 20);

    // holes among the joints and bodies, and a force for the next step
    CHECK(cairn_world_remove_joint(world, gone, NULL) == CAIRN_OK);
    CHECK(cairn_world_remove_body(world, ids[3], NULL) == CAIRN_OK);
    CHECK(cairn_world_exclude(world, ids[4], ids[5], true, NULL) == CAIRN_OK);
    CHECK(cairn_body_add_force(world, ids[2], cairn_vec(3.0, 1.0, 2.0), cairn_vec(0.0, 0.0, 1.0),
                               NULL) == CAIRN_OK);
    return world;
}

typedef struct level {
    cairn_hull* hull;
    cairn_compound* dumbbell;
    cairn_part parts[2];
    cairn_asset assets[2];
} level;

static void make_level(level* l, double size)
{
    cairn_vec3 points[] = {{0, 0, 0}, {size, 0, 0}, {0, size, 0}, {0, 0, size}, {size, size, size}};
    CHECK(cairn_hull_create(points, 5, 0.0, &l->hull, NULL) == CAIRN_OK);
    cairn_shape balls[2] = {cairn_shape_sphere(0.2), cairn_shape_hull(l->hull)};
    cairn_transform at[2] = {cairn_transform_identity(), cairn_transform_identity()};
    at[1].p = cairn_vec(0.5, 0.0, 0.0);
    CHECK(cairn_compound_create(balls, at, 2, &l->dumbbell, NULL) == CAIRN_OK);
    l->parts[0] = l->parts[1] = cairn_default_part();
    l->parts[1].density = 300.0;
    l->assets[0] = (cairn_asset){cairn_shape_hull(l->hull), NULL};
    l->assets[1] = (cairn_asset){cairn_shape_compound(l->dumbbell), l->parts};
}

static void free_level(level* l)
{
    cairn_compound_destroy(l->dumbbell);
    cairn_hull_destroy(l->hull);
}

TEST(borrowed_shapes_holes_and_sensors_go_along)
{
    level l;
    make_level(&l, 0.5);
    goes_on(busy_world(l.assets), l.assets, 2, 0, 60);
    goes_on(busy_world(l.assets), l.assets, 2, 15, 60);
    free_level(&l);
}
END

TEST(other_levels_versions_and_cut_bytes_are_refused_by_name)
{
    level l, other;
    make_level(&l, 0.5);
    make_level(&other, 0.6);
    cairn_world* world = busy_world(l.assets);
    cairn_snapshot *snapshot = NULL, *none = NULL;
    cairn_error error;
    size_t size;
    CHECK(cairn_world_snapshot(world, &snapshot, NULL) == CAIRN_OK);

    // a shape that no asset names
    CHECK(cairn_snapshot_write(snapshot, l.assets, 1, NULL, 0, &size, &error) == CAIRN_BAD_INPUT);
    CHECK(strstr(error.text, "compound") && strstr(error.text, "assets"));

    // assets of another level, and bytes that end too early
    message m = write_world(world, l.assets, 2);
    CHECK(cairn_snapshot_read(m.bytes, m.size, other.assets, 2, &none, &error) == CAIRN_BAD_INPUT);
    CHECK(strstr(error.text, "asset"));
    for (size_t cut = 0; cut < m.size; cut += 1 + m.size / 300)
        CHECK(cairn_snapshot_read(m.bytes, cut, l.assets, 2, &none, &error) == CAIRN_BAD_INPUT);

    // the number of the version
    m.bytes[8]++;
    CHECK(cairn_snapshot_read(m.bytes, m.size, l.assets, 2, &none, &error) == CAIRN_BAD_INPUT);
    CHECK(strstr(error.text, "version"));

    // a byte of the content
    m.bytes[8]--;
    m.bytes[head + 40]++;

    CHECK(cairn_snapshot_read(m.bytes, m.size, l.assets, 2, &none, &error) == CAIRN_BAD_INPUT);
    CHECK(strstr(error.text, "checksum"));
    CHECK(none == NULL);
    free(m.bytes);
    cairn_snapshot_destroy(snapshot);
    cairn_world_destroy(world);
    free_level(&other);
    free_level(&l);
}
END

// as a forger would
static void sign(message m)
{
    uint64_t sum = 0xcbf29ce484222325u;
    for (size_t i = head; i < m.size; i++)
        sum = (sum ^ m.bytes[i]) * 0x100000001b3u;
    for (int i = 0; i < 8; i++)
        m.bytes[20 + i] = (unsigned char)(sum >> (8 * i));
}

TEST(forged_bytes_are_refused_or_safe_to_step)
{
    level l;
    make_level(&l, 0.5);
    cairn_world* world = busy_world(l.assets);
    message m = write_world(world, l.assets, 2);
    message forged = {malloc(m.size), m.size};
    cairn_world* victim = worlds_empty(cairn_default_world_def());
    cairn_random random = {5};
    int refused = 0, rounds = 1500;

    for (int round = 0; round < rounds; round++) {
        memcpy(forged.bytes, m.bytes, m.size);
        int changes = 1 + round % 3;

        for (int k = 0; k < changes; k++) {
            size_t at = head + (size_t)(cairn_random_bits(&random) % (m.size - head));
            unsigned char values[] = {
                0, 1, 2, 0x7f, 0x80, 0xff, (unsigned char)cairn_random_bits(&random)};
            forged.bytes[at] = values[cairn_random_bits(&random) % sizeof values];
        }

        // the checksum is made right, so that the content is read
        sign(forged);
        cairn_snapshot* snapshot = NULL;
        cairn_status status =
            cairn_snapshot_read(forged.bytes, forged.size, l.assets, 2, &snapshot, NULL);
        CHECK((status == CAIRN_OK) == (snapshot != NULL));

        refused += status != CAIRN_OK;
        if (status != CAIRN_OK)
            continue;

        // what is accepted must be safe to step and to change
        CHECK(cairn_world_restore(victim, snapshot, NULL) == CAIRN_OK);
        cairn_snapshot_destroy(snapshot);

        CHECK(cairn_world_set_method(victim, "auto", 1e-2, 20, NULL) == CAIRN_OK);
        for (int i = 0; i < 2; i++)
            cairn_world_step(victim, worlds_dt, NULL, NULL);
        for (int i = 0; i < cairn_world_body_slots(victim); i += 3)
            cairn_world_remove_body(victim, cairn_world_body_at(victim, i), NULL);

        cairn_world_step(victim, worlds_dt, NULL, NULL);
    }

    ck_assert_int_gt(refused, rounds / 10);
    free(forged.bytes);
    free(m.bytes);
    cairn_world_destroy(victim);
    cairn_world_destroy(world);
    free_level(&l);
}
END

TESTS(bodies_of_every_shape_that_is_not_borrowed_go_along, a_world_that_was_sent_goes_on_to_the_bit,
      borrowed_shapes_holes_and_sensors_go_along,
      other_levels_versions_and_cut_bytes_are_refused_by_name,
      forged_bytes_are_refused_or_safe_to_step)
