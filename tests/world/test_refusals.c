// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Bad input gets a status and a sentence and leaves the world as it was; a body that leaves the
// range of numbers is frozen, and the rest goes on.

#include "check_cairn.h"
#include "worlds.h"
#include <string.h>

static const cairn_vec3 none = {0.0, 0.0, 0.0};

typedef struct fixture {
    cairn_world* world;
    cairn_body_id ground, box, gone;
    cairn_joint_id hinge, gone_joint;
} fixture;

static fixture make_fixture(void)
{
    fixture f = {.world = worlds_empty(cairn_default_world_def())};
    f.ground = worlds_ground(f.world);
    f.box = worlds_add(f.world, CAIRN_BODY_DYNAMIC, cairn_shape_box(cairn_vec(0.5, 0.5, 0.5)),
                       cairn_vec(0.0, 0.0, 0.5));
    f.gone =
        worlds_add(f.world, CAIRN_BODY_DYNAMIC, cairn_shape_sphere(0.5), cairn_vec(3.0, 0.0, 0.5));
    cairn_joint_def joint = cairn_default_joint_def(CAIRN_JOINT_BALL);
    joint.body_a = f.box;
    joint.body_b = f.gone;
    joint.frame_a.p.x = 3.0;
    CHECK(cairn_world_add_joint(f.world, &joint, &f.hinge, NULL) == CAIRN_OK);
    CHECK(cairn_world_add_joint(f.world, &joint, &f.gone_joint, NULL) == CAIRN_OK);
    CHECK(cairn_world_remove_joint(f.world, f.gone_joint, NULL) == CAIRN_OK);

    worlds_run(f.world, 5);
    CHECK(cairn_world_remove_body(f.world, f.gone, NULL) == CAIRN_OK);

    joint.kind = CAIRN_JOINT_FIXED;
    joint.body_a = (cairn_body_id){0};
    joint.body_b = f.box;
    joint.frame_a.p = cairn_vec(0.0, 0.0, 0.5);
    CHECK(cairn_world_add_joint(f.world, &joint, &f.hinge, NULL) == CAIRN_OK);
    return f;
}

// a call that must be refused with a sentence and without a trace
#define REFUSED(call)                                                                              \
    do {                                                                                           \
        cairn_error error = {""};                                                                  \
        uint64_t before = cairn_world_hash(f.world);                                               \
        cairn_status status = (call);                                                              \
        ck_assert_msg(status == CAIRN_BAD_INPUT, "%s was not refused", #call);                     \
        ck_assert_msg(strlen(error.text) > 10, "%s: '%s'", #call, error.text);                     \
        ck_assert_uint_eq(before, cairn_world_hash(f.world));                                      \
    } while (0)

TEST(bad_bodies_are_refused)
{
    fixture f = make_fixture();
    cairn_shape box = cairn_shape_box(cairn_vec(0.5, 0.5, 0.5)), flat = box;
    cairn_shape half = cairn_shape_half_space(), ball = cairn_shape_sphere(NAN);
    cairn_body_def good = cairn_default_body_def(), bad;
    cairn_body_id id = {7, 7};
    good.shape = &box;
    flat.half.z = 0.0;

#define BAD(change)                                                                                \
    do {                                                                                           \
        bad = good;                                                                                \
        bad.change;                                                                                \
        REFUSED(cairn_world_add_body(f.world, &bad, &id, &error));                                 \
        ck_assert_int_eq(id.index, 7);                                                             \
    } while (0)

    BAD(mass = -1.0);
    BAD(mass = NAN);
    BAD(mass = INFINITY);
    BAD(mass = 1e-320); // its inverse is not a number

    BAD(density = 0.0);
    BAD(density = -5.0);
    BAD(density = NAN);

    BAD(pose.p.x = NAN);
    BAD(pose.q = ((cairn_quat){0.0, 0.0, 0.0, 0.0}));
    BAD(shape_offset.p.z = INFINITY);
    BAD(velocity.y = NAN);
    BAD(spin.z = INFINITY);

    BAD(shape = NULL);
    BAD(shape = &flat);
    BAD(shape = &ball);
    BAD(shape = &half);
    BAD(inertia = cairn_mat3_diagonal(1.0, 1.0, NAN));
    BAD(inertia = cairn_mat3_diagonal(1.0, 1.0, -1.0));
    BAD(inertia.cx.y = 1.0);

    BAD(material.mu = -0.1);
    BAD(material.mu = NAN);
    BAD(material.restitution = 1.5);
    BAD(material.restitution = NAN);
    BAD(material.friction_rule = (cairn_combine)9);

    BAD(linear_damping = -1.0);
    BAD(angular_damping = NAN);
    BAD(gravity_scale = NAN);
    BAD(type = (cairn_body_type)5);

    good.user = &box;
    CHECK(cairn_world_add_body(f.world, &good, &id, NULL) == CAIRN_OK);

    CHECK(worlds_state(f.world, id).user == &box);
    cairn_world_destroy(f.world);
}
END

TEST(dynamic_bodies_with_surfaces_for_shapes_are_refused)
{
    fixture f = make_fixture();
    cairn_vec3 corners[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    int triangles[12] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
    double heights[4] = {0.0};
    cairn_mesh_def surface = {corners, 4, triangles, 4};
    cairn_height_field_def grid = {2, 2, 1.0, 1.0, heights};
    cairn_mesh* mesh;
    cairn_height_field* field;
    cairn_compound* compound;
    CHECK(cairn_mesh_create(&surface, &mesh, NULL) == CAIRN_OK);
    CHECK(cairn_height_field_create(&grid, &field, NULL) == CAIRN_OK);
    cairn_shape shapes[2] = {cairn_shape_mesh(mesh), cairn_shape_height_field(field)};
    cairn_transform here = cairn_transform_identity();
    cairn_body_def def = cairn_default_body_def();
    cairn_body_id id;

    for (int k = 0; k < 2; k++) {
        def.shape = &shapes[k];
        def.mass = 1.0;
        def.inertia = cairn_mat3_diagonal(1.0, 1.0, 1.0);
        def.type = CAIRN_BODY_DYNAMIC;

        REFUSED(cairn_world_add_body(f.world, &def, &id, &error));
        REFUSED(cairn_compound_create(&shapes[k], &here, 1, &compound, &error));

        // bodies that nothing pushes may have them
        def.type = CAIRN_BODY_KINEMATIC;
        CHECK(cairn_world_add_body(f.world, &def, &id, NULL) == CAIRN_OK);
        def.type = CAIRN_BODY_STATIC;
        CHECK(cairn_world_add_body(f.world, &def, &id, NULL) == CAIRN_OK);
    }
    cairn_world_destroy(f.world);
    cairn_mesh_destroy(mesh);
    cairn_height_field_destroy(field);
}
END

TEST(degenerate_hulls_are_refused)
{
    cairn_vec3 flat[5] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}, {0.5, 0.5, 0}};
    cairn_vec3 line[4] = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0}};
    cairn_hull* hull = NULL;
    cairn_error error = {""};
    CHECK(cairn_hull_create(flat, 5, 0.0, &hull, &error) == CAIRN_BAD_INPUT && error.text[0]);
    CHECK(cairn_hull_create(line, 4, 0.0, &hull, &error) == CAIRN_BAD_INPUT);
    flat[4].z = NAN;
    CHECK(cairn_hull_create(flat, 5, 0.0, &hull, &error) == CAIRN_BAD_INPUT);
    CHECK(hull == NULL);
}
END

TEST(bad_pushes_and_stale_ids_are_refused)
{
    fixture f = make_fixture();
    cairn_vec3 nan = cairn_vec(NAN, 0.0, 0.0);
    cairn_transform pose = cairn_transform_identity(), off = {nan, pose.q};
    cairn_transform zero = {none, {0.0, 0.0, 0.0, 0.0}};
    cairn_body_state state;
    cairn_joint_state joint;
    cairn_body_id ids[3] = {f.gone, {0}, {1000, 1}};

    for (int k = 0; k < 3; k++) {
        REFUSED(cairn_body_get(f.world, ids[k], &state, &error));
        REFUSED(cairn_body_set_pose(f.world, ids[k], pose, &error));
        REFUSED(cairn_body_set_velocity(f.world, ids[k], none, none, &error));
        REFUSED(cairn_body_add_force(f.world, ids[k], none, none, &error));
        REFUSED(cairn_body_add_torque(f.world, ids[k], none, &error));
        REFUSED(cairn_body_add_impulse(f.world, ids[k], none, none, &error));
        REFUSED(cairn_body_wake(f.world, ids[k], &error));
        REFUSED(cairn_world_remove_body(f.world, ids[k], &error));
    }

    REFUSED(cairn_body_set_pose(f.world, f.box, off, &error));
    REFUSED(cairn_body_set_pose(f.world, f.box, zero, &error));
    REFUSED(cairn_body_set_velocity(f.world, f.box, nan, none, &error));
    REFUSED(cairn_body_set_velocity(f.world, f.ground, none, none, &error));
    REFUSED(cairn_body_add_force(f.world, f.box, none, nan, &error));
    REFUSED(cairn_body_add_torque(f.world, f.box, nan, &error));
    REFUSED(cairn_body_add_impulse(f.world, f.box, nan, none, &error));
    REFUSED(cairn_world_set_gravity(f.world, nan, &error));

    REFUSED(cairn_joint_get(f.world, f.gone_joint, &joint, &error));
    REFUSED(cairn_joint_set_motor(f.world, f.gone_joint, 0.0, 1.0, &error));
    REFUSED(cairn_joint_set_motor(f.world, f.hinge, 1.0, 1.0, &error));
    REFUSED(cairn_world_remove_joint(f.world, f.gone_joint, &error));
    cairn_world_destroy(f.world);
}
END

TEST(bad_joints_are_refused)
{
    fixture f = make_fixture();
    cairn_joint_def good = cairn_default_joint_def(CAIRN_JOINT_HINGE), bad;
    cairn_joint_id id = {7, 7};
    good.body_a = f.ground;
    good.body_b = f.box;

#define BAD_JOINT(change)                                                                          \
    do {                                                                                           \
        bad = good;                                                                                \
        bad.change;                                                                                \
        REFUSED(cairn_world_add_joint(f.world, &bad, &id, &error));                                \
        ck_assert_int_eq(id.index, 7);                                                             \
    } while (0)

    BAD_JOINT(body_a = f.box);
    BAD_JOINT(body_a = f.gone);
    BAD_JOINT(body_b = f.gone);
    BAD_JOINT(body_b = ((cairn_body_id){0}));
    BAD_JOINT(frame_a.p.x = NAN);
    BAD_JOINT(frame_b.q = ((cairn_quat){0.0, 0.0, 0.0, 0.0}));
    BAD_JOINT(stiffness = -1.0);
    BAD_JOINT(damping = NAN);
    BAD_JOINT(strength = -1.0);
    BAD_JOINT(speed = NAN);
    BAD_JOINT(ratio = 0.0);
    BAD_JOINT(kind = (cairn_joint_kind)42);

    // ranges that are empty, or that no coordinate of the kind can be in
    bad = good;
    bad.limited = true;
    const struct {
        cairn_joint_kind kind;
        double lo, hi;
    } limits[] = {{CAIRN_JOINT_HINGE, 1.0, -1.0},
                  {CAIRN_JOINT_HINGE, NAN, 1.0},
                  {CAIRN_JOINT_HINGE, INFINITY, INFINITY},
                  {CAIRN_JOINT_SLIDER, -INFINITY, -INFINITY},
                  {CAIRN_JOINT_BALL, 3.2, 4.0},
                  {CAIRN_JOINT_BALL, -1.0, -0.5},
                  {CAIRN_JOINT_DISTANCE, -2.0, -1.0}};

    for (int k = 0; k < (int)(sizeof limits / sizeof limits[0]); k++) {
        bad.kind = limits[k].kind;
        bad.lo = limits[k].lo;
        bad.hi = limits[k].hi;
        REFUSED(cairn_world_add_joint(f.world, &bad, &id, &error));
    }

    bad = good;
    bad.kind = CAIRN_JOINT_FIXED;
    bad.driven = true;
    REFUSED(cairn_world_add_joint(f.world, &bad, &id, &error));

    CHECK(cairn_world_add_joint(f.world, &good, &id, NULL) == CAIRN_OK);
    cairn_world_destroy(f.world);
}
END

TEST(bad_steps_and_bad_worlds_are_refused)
{
    fixture f = make_fixture();
    const double lengths[] = {0.0, -1.0 / 60.0, NAN, INFINITY};

    for (int k = 0; k < 4; k++)
        REFUSED(cairn_world_step(f.world, lengths[k], NULL, &error));

    cairn_world* other = NULL;
    cairn_world_def good = cairn_default_world_def(), bad;

#define BAD_WORLD(change)                                                                          \
    do {                                                                                           \
        bad = good;                                                                                \
        bad.change;                                                                                \
        REFUSED(cairn_world_create(&bad, &other, &error));                                         \
        ck_assert_ptr_null(other);                                                                 \
    } while (0)

    BAD_WORLD(gravity.z = NAN);
    BAD_WORLD(substeps = 0);
    BAD_WORLD(threads = 0);
    BAD_WORLD(tolerance = -1.0);
    BAD_WORLD(tolerance = NAN);
    BAD_WORLD(contact_margin = INFINITY);
    BAD_WORLD(sleep_time = NAN);
    BAD_WORLD(sleep_speed = -1.0);
    BAD_WORLD(method = "magic");
    BAD_WORLD(method = NULL);
    BAD_WORLD(integrator = (cairn_integrator)4);
    cairn_world_destroy(f.world);
}
END

// how a body is driven out of the range of numbers
static void drive_out(cairn_world* world, cairn_body_id id, int way)
{
    cairn_vec3 huge = cairn_vec(1e42, 1e42, 0.0), fast = cairn_vec(0.0, 0.0, 1e12);
    cairn_vec3 at = worlds_state(world, id).center;
    cairn_transform far = {cairn_vec(0.0, 2e9, 0.0), cairn_quat_identity()};
    cairn_status status = way == 0   ? cairn_body_add_force(world, id, huge, at, NULL)
                          : way == 1 ? cairn_body_add_torque(world, id, huge, NULL)
                          : way == 2 ? cairn_body_set_velocity(world, id, fast, none, NULL)
                          : way == 3 ? cairn_body_set_velocity(world, id, none, fast, NULL)
                                     : cairn_body_set_pose(world, id, far, NULL);
    CHECK(status == CAIRN_OK);
}

TEST(a_body_that_leaves_the_range_of_numbers_is_frozen_and_the_rest_goes_on)
{
    for (int way = 0; way < 10; way++) {
        cairn_world_def def = cairn_default_world_def();
        def.substeps = way < 5 ? 1 : 4;
        cairn_world* world = worlds_columns(def, 3, 4);
        cairn_body_id lost = {6, 1}, above = {7, 1}, neighbor = {12, 1};
        cairn_joint_def joint = cairn_default_joint_def(CAIRN_JOINT_DISTANCE);
        cairn_joint_id id;
        joint.body_a = lost;
        joint.body_b = neighbor;
        CHECK(cairn_world_add_joint(world, &joint, &id, NULL) == CAIRN_OK);

        worlds_run(world, 10);
        double top = worlds_state(world, above).center.z;
        drive_out(world, lost, way % 5);

        cairn_step_report report = worlds_run(world, 1);
        ck_assert_int_eq(report.frozen, 1);
        CHECK(worlds_state(world, lost).frozen);

        report = worlds_run(world, 80);
        ck_assert_int_eq(report.frozen, 0);
        ck_assert_int_eq(report.bodies, 11);
        CHECK(isfinite(report.kinetic + report.potential));

        // what stood on it has come down by its height, its neighbor stands
        CHECK_NEAR(worlds_state(world, above).center.z, top - 1.0, 2e-2);
        CHECK_NEAR(worlds_state(world, neighbor).center.z, 3.5, 1e-2);

        fixture f = {.world = world};
        REFUSED(cairn_body_set_velocity(world, lost, none, none, &error));

        CHECK(cairn_world_remove_body(world, lost, NULL) == CAIRN_OK);
        worlds_run(world, 2);
        cairn_world_destroy(world);
    }
}
END

TESTS(bad_bodies_are_refused, dynamic_bodies_with_surfaces_for_shapes_are_refused,
      degenerate_hulls_are_refused, bad_pushes_and_stale_ids_are_refused, bad_joints_are_refused,
      bad_steps_and_bad_worlds_are_refused,
      a_body_that_leaves_the_range_of_numbers_is_frozen_and_the_rest_goes_on)
