// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Hooks and visitors that reach back into their own world: they may read it, and every attempt to
// change it is refused, so that the call under way goes on as if they had not tried.

#include "check_cairn.h"
#include "worlds.h"
#include <string.h>

typedef struct intruder {
    cairn_world* world;
    cairn_body_id box;
    cairn_joint_id joint;
    const cairn_snapshot* snapshot;
    int calls, refused, read;
} intruder;

// everything that changes a world; counts the refusals
static void change_everything(intruder* i)
{
    cairn_world* world = i->world;
    cairn_error error;
    cairn_body_def body = cairn_default_body_def();
    cairn_joint_def joint = cairn_default_joint_def(CAIRN_JOINT_BALL);
    cairn_material material = cairn_default_material();
    cairn_shape ball = cairn_shape_sphere(0.5);
    cairn_body_id added = {7, 7};
    cairn_joint_id made = {7, 7};
    cairn_vec3 v = {1.0, 2.0, 3.0};
    body.shape = &ball;
    joint.body_b = i->box;

    const cairn_status answers[] = {
        cairn_world_step(world, worlds_dt, NULL, &error),
        cairn_world_set_gravity(world, v, &error),
        cairn_world_set_method(world, "pgs", 1e-3, 7, &error),
        cairn_world_restore(world, i->snapshot, &error),
        cairn_world_add_body(world, &body, &added, &error),
        cairn_world_remove_body(world, i->box, &error),
        cairn_body_set_pose(world, i->box, cairn_transform_identity(), &error),
        cairn_body_set_velocity(world, i->box, v, v, &error),
        cairn_body_wake(world, i->box, &error),
        cairn_body_set_material(world, i->box, &material, &error),
        cairn_body_add_force(world, i->box, v, v, &error),
        cairn_body_add_torque(world, i->box, v, &error),
        cairn_body_add_impulse(world, i->box, v, v, &error),
        cairn_world_add_joint(world, &joint, &made, &error),
        cairn_world_remove_joint(world, i->joint, &error),
        cairn_joint_set_motor(world, i->joint, 1.0, 1.0, &error),
    };

    const int count = (int)(sizeof answers / sizeof answers[0]);
    for (int k = 0; k < count; k++) {
        ck_assert_msg(answers[k] == CAIRN_BUSY, "call %d said %d", k, (int)answers[k]);
        i->refused++;
    }
    CHECK(strlen(error.text) > 10 && added.index == 7 && made.index == 7);

    // what has no status does nothing
    cairn_world_destroy(world);

    cairn_world_wake_all(world);
    cairn_world_set_solve_hook(world, NULL, NULL);
    i->calls++;
}

// everything that reads one
static void read_everything(intruder* i)
{
    cairn_body_state body;
    cairn_joint_state joint;
    cairn_material material;
    double kinetic, potential;
    int count;
    CHECK(cairn_body_get(i->world, i->box, &body, NULL) == CAIRN_OK);
    CHECK(cairn_joint_get(i->world, i->joint, &joint, NULL) == CAIRN_OK);
    CHECK(cairn_body_get_material(i->world, i->box, &material, NULL) == CAIRN_OK);
    cairn_world_energy(i->world, &kinetic, &potential);
    cairn_world_contacts(i->world, &count);
    cairn_world_events(i->world);
    CHECK(cairn_world_hash(i->world) != 0 && cairn_world_memory(i->world, NULL) > 0);
    i->read++;
}

static cairn_world* make_world(intruder* i)
{
    cairn_world_def def = cairn_default_world_def();
    cairn_joint_def joint = cairn_default_joint_def(CAIRN_JOINT_HINGE);
    def.substeps = 2;
    i->world = worlds_columns(def, 2, 3);
    i->box = (cairn_body_id){2, 1};
    joint.body_a = (cairn_body_id){1, 1};
    joint.body_b = i->box;
    CHECK(cairn_world_add_joint(i->world, &joint, &i->joint, NULL) == CAIRN_OK);
    return i->world;
}

static void intrude(void* context, const cairn_island_solve* solve)
{
    intruder* i = context;
    cairn_snapshot* copy = NULL;
    cairn_body_hit hit;
    cairn_vec3 up = {0.0, 0.0, 1.0};
    (void)solve;
    change_everything(i);
    read_everything(i);

    // bodies are on their way: nothing that a query or a copy says would hold
    CHECK(cairn_world_snapshot(i->world, &copy, NULL) == CAIRN_BUSY && !copy);
    CHECK(cairn_world_cast_ray(i->world, up, up, CAIRN_MASK_ALL, &hit, NULL) == CAIRN_BUSY);
}

TEST(a_solve_hook_that_changes_its_world_is_refused_and_the_motion_is_the_same)
{
    intruder plain = {0}, i = {0};
    cairn_snapshot* snapshot;
    make_world(&plain);
    make_world(&i);
    CHECK(cairn_world_snapshot(i.world, &snapshot, NULL) == CAIRN_OK);
    i.snapshot = snapshot;
    cairn_world_set_solve_hook(i.world, intrude, &i);

    for (int k = 0; k < 20; k++) {
        CHECK(cairn_world_step(plain.world, worlds_dt, NULL, NULL) == CAIRN_OK);
        CHECK(cairn_world_step(i.world, worlds_dt, NULL, NULL) == CAIRN_OK);
        ck_assert_uint_eq(cairn_world_hash(plain.world), cairn_world_hash(i.world));
    }
    CHECK(i.calls > 0 && i.refused == 16 * i.calls && i.read == i.calls);

    // between steps all is allowed again
    CHECK(cairn_body_wake(i.world, i.box, NULL) == CAIRN_OK);
    cairn_snapshot_destroy(snapshot);
    cairn_world_destroy(i.world);
    cairn_world_destroy(plain.world);
}
END

static bool intrude_on_body(void* context, cairn_body_id id)
{
    intruder* i = context;
    cairn_snapshot* copy = NULL;
    cairn_body_hit hit;
    (void)id;
    change_everything(i);
    read_everything(i);

    // another question, and a copy, do not disturb the first
    CHECK(cairn_world_snapshot(i->world, &copy, NULL) == CAIRN_OK);
    cairn_snapshot_destroy(copy);
    CHECK(cairn_world_cast_ray(i->world, cairn_vec(0.0, 0.0, 9.0), cairn_vec(0.0, 0.0, -9.0),
                               CAIRN_MASK_ALL, &hit, NULL) == CAIRN_OK);
    return true;
}

static bool intrude_on_hit(void* context, const cairn_body_hit* hit)
{
    return intrude_on_body(context, hit->body);
}

TEST(a_visitor_that_changes_its_world_is_refused_and_the_query_goes_on)
{
    intruder i = {0};
    cairn_snapshot* snapshot;
    make_world(&i);

    worlds_run(i.world, 3);
    CHECK(cairn_world_snapshot(i.world, &snapshot, NULL) == CAIRN_OK);
    i.snapshot = snapshot;
    uint64_t before = cairn_world_hash(i.world);

    cairn_aabb all = {{-9.0, -9.0, -9.0}, {9.0, 9.0, 9.0}};
    cairn_vec3 inside = worlds_state(i.world, i.box).center;
    CHECK(cairn_world_overlap_box(i.world, all, CAIRN_MASK_ALL, intrude_on_body, &i, NULL) ==
          CAIRN_OK);
    ck_assert_int_eq(i.calls, 7); // two columns of three, and the ground

    CHECK(cairn_world_overlap_point(i.world, inside, CAIRN_MASK_ALL, intrude_on_body, &i, NULL) ==
          CAIRN_OK);
    CHECK(cairn_world_cast_ray_all(i.world, cairn_vec(0.0, 0.0, 9.0), cairn_vec(0.0, 0.0, -18.0),
                                   CAIRN_MASK_ALL, intrude_on_hit, &i, NULL) == CAIRN_OK);

    CHECK(i.calls > 9);
    ck_assert_uint_eq(before, cairn_world_hash(i.world));

    worlds_run(i.world, 3);
    cairn_snapshot_destroy(snapshot);
    cairn_world_destroy(i.world);
}
END

TESTS(a_solve_hook_that_changes_its_world_is_refused_and_the_motion_is_the_same,
      a_visitor_that_changes_its_world_is_refused_and_the_query_goes_on)
