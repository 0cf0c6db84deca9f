// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Listing a world: slots name those who are there, and what is read back makes the same world.

#include "check_cairn.h"
#include <cairn/world.h>

static const double dt = 1.0 / 60.0;

static cairn_world* make_world(void)
{
    cairn_world* world = NULL;
    cairn_world_def def = cairn_default_world_def();
    CHECK(cairn_world_create(&def, &world, NULL) == CAIRN_OK);
    return world;
}

static cairn_body_id add(cairn_world* world, const cairn_body_def* def)
{
    cairn_body_id id;
    CHECK(cairn_world_add_body(world, def, &id, NULL) == CAIRN_OK);
    return id;
}

// a floor, a crooked box with an offset that spins, and a ball that hangs from it
static void furnish(cairn_world* world)
{
    cairn_shape floor = cairn_shape_half_space();
    cairn_body_def def = cairn_default_body_def();
    def.type = CAIRN_BODY_STATIC;
    def.shape = &floor;
    add(world, &def);

    cairn_shape box = cairn_shape_box(cairn_vec(0.2, 0.3, 0.4));
    def = cairn_default_body_def();
    def.shape = &box;
    def.shape_offset.p = cairn_vec(0.1, -0.2, 0.3);
    def.shape_offset.q = cairn_quat_from_rotation_vector(cairn_vec(0.42, 0.0, 0.56));
    def.pose.p = cairn_vec(0.0, 0.0, 2.0);
    def.pose.q = cairn_quat_from_rotation_vector(cairn_vec(0.0, 0.4, 0.0));
    def.spin = cairn_vec(1.0, 2.0, 3.0);
    def.material.mu = 0.3;
    def.angular_damping = 0.1;
    cairn_body_id a = add(world, &def);

    cairn_shape ball = cairn_shape_sphere(0.1);
    def = cairn_default_body_def();
    def.shape = &ball;
    def.pose.p = cairn_vec(0.0, 0.0, 1.4);
    cairn_body_id b = add(world, &def);

    cairn_joint_def joint = cairn_default_joint_def(CAIRN_JOINT_BALL);
    joint.body_a = a;
    joint.body_b = b;
    joint.frame_a.p = cairn_vec(0.0, 0.0, -0.5);
    joint.frame_b.p = cairn_vec(0.0, 0.0, 0.1);
    cairn_joint_id id;
    CHECK(cairn_world_add_joint(world, &joint, &id, NULL) == CAIRN_OK);
}

static cairn_world* copy_of(const cairn_world* from)
{
    cairn_world_def def = cairn_world_get_def(from);
    cairn_world* to = NULL;
    CHECK(cairn_world_create(&def, &to, NULL) == CAIRN_OK);

    for (int i = 0; i < cairn_world_body_slots(from); i++) {
        cairn_body_def body;
        CHECK(cairn_body_get_def(from, cairn_world_body_at(from, i), &body, NULL) == CAIRN_OK);
        CHECK(add(to, &body).index == i);
    }

    for (int i = 0; i < cairn_world_joint_slots(from); i++) {
        cairn_joint_def joint;
        cairn_joint_id id;
        CHECK(cairn_joint_get_def(from, cairn_world_joint_at(from, i), &joint, NULL) == CAIRN_OK);
        CHECK(cairn_world_add_joint(to, &joint, &id, NULL) == CAIRN_OK);
    }

    return to;
}

TEST(a_world_made_from_what_is_read_back_moves_alike)
{
    cairn_world* world = make_world();
    furnish(world);

    for (int k = 0; k < 5; k++)
        CHECK(cairn_world_step(world, dt, NULL, NULL) == CAIRN_OK);
    cairn_world* again = copy_of(world);

    // in the air, where motion does not branch: round-off of the frames alone
    for (int k = 0; k < 15; k++) {
        CHECK(cairn_world_step(world, dt, NULL, NULL) == CAIRN_OK);
        CHECK(cairn_world_step(again, dt, NULL, NULL) == CAIRN_OK);
    }

    for (int i = 0; i < cairn_world_body_slots(world); i++) {
        cairn_body_state one, other;
        CHECK(cairn_body_get(world, cairn_world_body_at(world, i), &one, NULL) == CAIRN_OK);
        CHECK(cairn_body_get(again, cairn_world_body_at(again, i), &other, NULL) == CAIRN_OK);
        CHECK_BELOW(cairn_norm(cairn_sub(one.pose.p, other.pose.p)), 1e-9);
        CHECK_BELOW(cairn_norm(cairn_sub(one.spin, other.spin)), 1e-9);
    }
    CHECK(cairn_world_step_count(world) == 20 && cairn_world_step_count(again) == 15);
    CHECK_NEAR(cairn_world_time(world), 20.0 * dt, 1e-12);
    cairn_world_destroy(world);
    cairn_world_destroy(again);
}
END

TEST(slots_of_removed_bodies_and_joints_are_empty)
{
    cairn_world* world = make_world();
    furnish(world);
    cairn_body_id box = cairn_world_body_at(world, 1);
    CHECK(box.generation != 0);

    CHECK(cairn_world_remove_body(world, box, NULL) == CAIRN_OK);
    CHECK(cairn_world_body_slots(world) == 3);
    CHECK(cairn_world_body_at(world, 1).generation == 0);
    CHECK(cairn_world_body_at(world, 2).generation != 0);
    CHECK(cairn_world_joint_at(world, 0).generation == 0);

    // there is nobody where there is no slot
    const int none[] = {-1, -2147483647, 3, 2147483647};

    for (int i = 0; i < 4; i++) {
        CHECK(cairn_world_body_at(world, none[i]).generation == 0);
        CHECK(cairn_world_joint_at(world, none[i]).generation == 0);
    }

    cairn_body_def def;
    cairn_error error;

    CHECK(cairn_body_get_def(world, box, &def, &error) == CAIRN_BAD_INPUT);
    cairn_world_destroy(world);
}
END

TEST(the_mass_of_a_body_is_told_about_its_principal_axes)
{
    // a box of 0.4 x 0.6 x 0.8 m: m (b² + c²)/12 about each axis, the center at the offset
    cairn_world* world = make_world();
    furnish(world);
    cairn_body_mass mass;
    CHECK(cairn_body_get_mass(world, cairn_world_body_at(world, 1), &mass, NULL) == CAIRN_OK);
    double m = 1000.0 * 0.4 * 0.6 * 0.8;
    double sum = m / 6.0 * (0.16 + 0.36 + 0.64);
    CHECK_NEAR(mass.mass, m, 1e-9);
    CHECK_NEAR(mass.moments.x + mass.moments.y + mass.moments.z, sum, 1e-9);
    CHECK_BELOW(cairn_norm(cairn_sub(mass.principal.p, cairn_vec(0.1, -0.2, 0.3))), 1e-12);
    CHECK(cairn_body_get_mass(world, cairn_world_body_at(world, 0), &mass, NULL) == CAIRN_OK);
    CHECK(isinf(mass.mass));
    cairn_world_destroy(world);
}
END

TESTS(a_world_made_from_what_is_read_back_moves_alike, slots_of_removed_bodies_and_joints_are_empty,
      the_mass_of_a_body_is_told_about_its_principal_axes)
