// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Numbers that no step can digest are refused where they are given, by a sentence that names the
// field and its range; the ends of the ranges are accepted and stepped.

#include "check_cairn.h"
#include "worlds.h"
#include <stddef.h>
#include <string.h>

// a number of a def: what the sentence calls it, a range by its ends, and what lies beyond them
typedef struct field {
    const char* name;
    size_t offset;
    double accepted[2], refused[3];
} field;

static double* number_at(void* def, size_t offset)
{
    return (double*)(void*)((char*)def + offset);
}

static void check_refusal(cairn_status status, const cairn_error* error, const char* name)
{
    ck_assert_msg(status == CAIRN_BAD_INPUT, "%s was not refused", name);
    ck_assert_msg(strstr(error->text, name), "'%s' does not name %s", error->text, name);
    ck_assert_msg(strstr(error->text, "expected"), "'%s' names no range", error->text);
}

static const cairn_shape unit_box = {.kind = CAIRN_SHAPE_BOX, .half = {0.5, 0.5, 0.5}};

// ---------------------------------------------------------------- bodies

#define BODY(member) offsetof(cairn_body_def, member)

static const field body_fields[] = {
    {"pose", BODY(pose.p.x), {-1e12, 1e12}, {1e155, -1.1e12, NAN}},
    {"quaternion", BODY(pose.q.w), {1e-12, 1e12}, {0.0, 1e-160, 1e200}},
    {"offset", BODY(shape_offset.p.y), {-1e12, 1e12}, {1e13, -INFINITY, 1e308}},
    {"velocity", BODY(velocity.z), {-1e12, 1e12}, {1e13, 1e308, NAN}},
    {"spin", BODY(spin.x), {-1e12, 1e12}, {-1e13, 1e308, INFINITY}},
    {"mass", BODY(mass), {1e-27, 1e27}, {1e-28, 1e28, -1.0}},
    {"density", BODY(density), {1e-27, 1e27}, {0.0, 5e-324, 1e28}},
    {"linear damping", BODY(linear_damping), {0.0, 1e12}, {-1.0, 1e13, NAN}},
    {"angular damping", BODY(angular_damping), {0.0, 1e12}, {-1.0, 1e308, INFINITY}},
    {"gravity scale", BODY(gravity_scale), {-1e12, 1e12}, {1e13, -1e308, NAN}},
    {"friction coefficient", BODY(material.mu), {0.0, 1e6}, {-0.1, 1e-13, 1e200}},
    {"friction across", BODY(material.mu_across), {1e-12, 1e6}, {-0.1, 5e-324, 1e7}},
    {"spin friction", BODY(material.mu_spin), {1e-12, 1e6}, {-0.1, 1e-300, 1e300}},
    {"restitution", BODY(material.restitution), {0.0, 1.0}, {-1e-9, 1.1, NAN}},
    {"friction direction", BODY(material.direction.x), {1e-9, 1e12}, {1e-200, 1e200, NAN}},
};

TEST(numbers_of_a_body_beyond_their_ranges_are_refused_by_name)
{
    cairn_error error;
    for (int i = 0; i < (int)(sizeof body_fields / sizeof body_fields[0]); i++) {
        const field* f = &body_fields[i];
        cairn_world* world = worlds_empty(cairn_default_world_def());
        cairn_body_def def = cairn_default_body_def();
        cairn_body_id id;
        def.shape = &unit_box;

        for (int k = 0; k < 3; k++) {
            *number_at(&def, f->offset) = f->refused[k];
            check_refusal(cairn_world_add_body(world, &def, &id, &error), &error, f->name);
        }

        // the density at its ends makes a mass that is at its own
        for (int k = 0; k < 2; k++) {
            *number_at(&def, f->offset) = f->accepted[k];
            ck_assert_msg(cairn_world_add_body(world, &def, &id, &error) == CAIRN_OK, "%s %g: %s",
                          f->name, f->accepted[k], error.text);
            CHECK(cairn_world_step(world, worlds_dt, NULL, &error) == CAIRN_OK);
        }
        cairn_world_destroy(world);
    }
}
END

TEST(moments_and_sizes_beyond_their_ranges_are_refused_by_name)
{
    cairn_world* world = worlds_empty(cairn_default_world_def());
    cairn_body_def def = cairn_default_body_def();
    cairn_body_id id;
    cairn_error error;
    const double moments[4] = {1e-46, 1e46, 1e-45, 1e45};
    def.mass = 1.0;

    for (int k = 0; k < 4; k++) {
        def.inertia = cairn_mat3_diagonal(moments[k], moments[k], moments[k]);
        cairn_status status = cairn_world_add_body(world, &def, &id, &error);
        if (k < 2)
            check_refusal(status, &error, "principal moment");
        else
            CHECK(status == CAIRN_OK);
    }

    const double sizes[4] = {0.9e-9, 1.1e12, 1e-9, 1e12};
    for (int k = 0; k < 4; k++) {
        double s = sizes[k];
        const cairn_shape shapes[4] = {cairn_shape_sphere(s), cairn_shape_capsule(s, 0.0),
                                       cairn_shape_cylinder(s, s),
                                       cairn_shape_box(cairn_vec(1.0, 1.0, s))};
        const char* names[4] = {"radius", "radius", "radius", "half side"};

        for (int i = 0; i < 4; i++) {
            cairn_status status = cairn_shape_check(&shapes[i], &error);
            if (k < 2)
                check_refusal(status, &error, names[i]);
            else
                CHECK(status == CAIRN_OK);
        }
    }
    cairn_world_destroy(world);
}
END

TEST(pushes_beyond_their_ranges_are_refused_by_name)
{
    cairn_world* world = worlds_empty(cairn_default_world_def());
    cairn_body_id id = worlds_add(world, CAIRN_BODY_DYNAMIC, unit_box, cairn_vec(0.0, 0.0, 0.5));
    cairn_vec3 none = {0.0, 0.0, 0.0}, huge = {0.0, 1e43, 0.0}, far = {1e13, 0.0, 0.0};
    cairn_transform away = {far, cairn_quat_identity()};
    cairn_error error;
    uint64_t before = cairn_world_hash(world);

    check_refusal(cairn_body_add_force(world, id, huge, none, &error), &error, "force");
    check_refusal(cairn_body_add_force(world, id, none, far, &error), &error, "point");
    check_refusal(cairn_body_add_torque(world, id, huge, &error), &error, "torque");
    check_refusal(cairn_body_add_impulse(world, id, huge, none, &error), &error, "impulse");
    check_refusal(cairn_body_set_velocity(world, id, far, none, &error), &error, "velocity");
    check_refusal(cairn_body_set_velocity(world, id, none, far, &error), &error, "spin");
    check_refusal(cairn_body_set_pose(world, id, away, &error), &error, "pose");
    check_refusal(cairn_world_set_gravity(world, far, &error), &error, "gravity");
    ck_assert_uint_eq(before, cairn_world_hash(world));
    cairn_world_destroy(world);
}
END

// ---------------------------------------------------------------- joints

#define JOINT(member) offsetof(cairn_joint_def, member)

static const field joint_fields[] = {
    {"frame_a", JOINT(frame_a.p.x), {-1e12, 1e12}, {1e155, 1e40, NAN}},
    {"frame_b", JOINT(frame_b.p.z), {-1e12, 1e12}, {1e155, -1e40, INFINITY}},
    {"quaternion", JOINT(frame_a.q.w), {1e-12, 1e12}, {0.0, 1e-160, 1e200}},
    {"stiffness", JOINT(stiffness), {1e-30, 1e30}, {-1.0, 5e-324, 1e31}},
    {"damping", JOINT(damping), {1e-30, 1e30}, {-1.0, 5e-324, 1e308}},
    {"rest", JOINT(rest), {-1e12, 1e12}, {1e13, NAN, -INFINITY}},
    {"speed", JOINT(speed), {-1e12, 1e12}, {1e13, NAN, INFINITY}},
    {"strength", JOINT(strength), {0.0, INFINITY}, {-1.0, 1e300, NAN}},
    {"ratio", JOINT(ratio), {-1e6, 1e-6}, {0.0, 1e-7, 1e300}},
    {"lower limit", JOINT(lo), {-INFINITY, -1e12}, {-1e13, 1e308, NAN}},
    {"upper limit", JOINT(hi), {INFINITY, 1e12}, {-1e13, 1e308, NAN}},
};

TEST(numbers_of_a_joint_beyond_their_ranges_are_refused_by_name)
{
    cairn_error error;
    for (int i = 0; i < (int)(sizeof joint_fields / sizeof joint_fields[0]); i++) {
        const field* f = &joint_fields[i];
        cairn_joint_def def = cairn_default_joint_def(CAIRN_JOINT_HINGE);
        cairn_joint_id id;

        for (int k = -3; k < 2; k++) {
            cairn_world* world = worlds_empty(cairn_default_world_def());
            def.body_b = worlds_add(world, CAIRN_BODY_DYNAMIC, unit_box, cairn_vec(0.0, 0.0, 5.0));
            def.limited = def.driven = true;
            *number_at(&def, f->offset) = k < 0 ? f->refused[k + 3] : f->accepted[k];
            cairn_status status = cairn_world_add_joint(world, &def, &id, &error);
            if (k < 0)
                check_refusal(status, &error, f->name);
            else
                ck_assert_msg(status == CAIRN_OK, "%s: %s", f->name, error.text);
            CHECK(cairn_world_step(world, worlds_dt, NULL, &error) == CAIRN_OK);
            cairn_world_destroy(world);
        }
    }
}
END

// ---------------------------------------------------------------- worlds, steps, queries

TEST(options_and_steps_beyond_their_ranges_are_refused_by_name)
{
    cairn_error error;
    cairn_world* world = NULL;
    cairn_world_def good = cairn_default_world_def(), bad;

#define BAD_OPTION(change, name)                                                                   \
    do {                                                                                           \
        bad = good;                                                                                \
        bad.change;                                                                                \
        check_refusal(cairn_world_create(&bad, &world, &error), &error, name);                     \
        ck_assert_ptr_null(world);                                                                 \
    } while (0)

    BAD_OPTION(substeps = 2147483647, "substeps");

    BAD_OPTION(substeps = 10001, "substeps");
    BAD_OPTION(gravity.z = -1e13, "gravity");
    BAD_OPTION(tolerance = 2.0, "tolerance");
    BAD_OPTION(max_iterations = 2147483647, "iterations");
    BAD_OPTION(sweeps = -1, "sweeps");
    BAD_OPTION(contact_margin = 1e13, "margin");
    BAD_OPTION(slop = 1e200, "slop");
    BAD_OPTION(baumgarte = 1.5, "Baumgarte");
    BAD_OPTION(time_limit = NAN, "time limit");

    // steps that are too short or too long
    world = worlds_empty(good);
    worlds_add(world, CAIRN_BODY_DYNAMIC, unit_box, cairn_vec(0.0, 0.0, 5.0));
    const double steps[] = {5e-324, 1e-10, 1e4, 1e308};

    for (int k = 0; k < 4; k++)
        check_refusal(cairn_world_step(world, steps[k], NULL, &error), &error, "step");
    CHECK(cairn_world_step(world, 1e-9, NULL, &error) == CAIRN_OK);
    CHECK(cairn_world_step(world, worlds_dt, NULL, &error) == CAIRN_OK);
    CHECK(cairn_world_step(world, 1e3, NULL, &error) == CAIRN_OK);
    cairn_world_destroy(world);
}
END

static bool go_on(void* context, cairn_body_id id)
{
    (void)context;
    (void)id;
    return true;
}

TEST(queries_beyond_the_ranges_are_refused_by_name)
{
    cairn_world* world = worlds_empty(cairn_default_world_def());
    cairn_vec3 none = {0.0, 0.0, 0.0}, far = {0.0, 1e18, 0.0};
    cairn_shape small = cairn_shape_sphere(1e-30);
    cairn_transform away = {far, cairn_quat_identity()};
    cairn_body_hit hit;
    cairn_body_gap gap;
    cairn_error e;

    check_refusal(cairn_world_cast_ray(world, far, none, CAIRN_MASK_ALL, &hit, &e), &e, "start");
    check_refusal(cairn_world_cast_ray(world, none, far, CAIRN_MASK_ALL, &hit, &e), &e, "way");
    check_refusal(cairn_world_cast_shape(world, &unit_box, away, none, CAIRN_MASK_ALL, &hit, &e),
                  &e, "pose");
    check_refusal(cairn_world_overlap(world, &unit_box, away, CAIRN_MASK_ALL, go_on, NULL, &e), &e,
                  "pose");
    check_refusal(cairn_world_overlap(world, &small, cairn_transform_identity(), CAIRN_MASK_ALL,
                                      go_on, NULL, &e),
                  &e, "radius");
    check_refusal(cairn_world_overlap_point(world, far, CAIRN_MASK_ALL, go_on, NULL, &e), &e,
                  "point");
    check_refusal(cairn_world_closest(world, far, 1.0, CAIRN_MASK_ALL, &gap, &e), &e, "point");
    check_refusal(cairn_world_closest(world, none, -1.0, CAIRN_MASK_ALL, &gap, &e), &e, "reach");

    CHECK(cairn_world_closest(world, none, INFINITY, CAIRN_MASK_ALL, &gap, &e) == CAIRN_OK);
    cairn_world_destroy(world);
}
END

TESTS(numbers_of_a_body_beyond_their_ranges_are_refused_by_name,
      moments_and_sizes_beyond_their_ranges_are_refused_by_name,
      pushes_beyond_their_ranges_are_refused_by_name,
      numbers_of_a_joint_beyond_their_ranges_are_refused_by_name,
      options_and_steps_beyond_their_ranges_are_refused_by_name,
      queries_beyond_the_ranges_are_refused_by_name)
