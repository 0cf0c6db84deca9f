// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors

#include "check_cairn.h"
#include <cairn/recording.h>
#include <string.h>

// two stacks on the ground and a ball in the air that enters after one step
static const char* const two_stacks =
    "{\"cairn\": 1, \"bodies\": ["
    "{\"name\": \"ground\", \"type\": \"static\", \"shape\": {\"kind\": \"half_space\"}},"
    "{\"name\": \"a\", \"at\": [0, 0, 0.5], \"shape\": {\"kind\": \"box\", \"size\": [1, 1, 1]}},"
    "{\"name\": \"b\", \"at\": [4, 0, 0.5], \"shape\": {\"kind\": \"box\", \"size\": [1, 1, 1]}},"
    "{\"name\": \"c\", \"at\": [0, 0, 1.5], \"shape\": {\"kind\": \"box\", \"size\": [1, 1, 1]}},"
    "{\"name\": \"late\", \"at\": [0, 9, 9], \"enter\": 0.01, "
    "\"shape\": {\"kind\": \"sphere\", \"radius\": 0.5}}]}";

static cairn_scene* read_text(const char* text)
{
    cairn_scene* scene = NULL;
    cairn_error error = {""};
    cairn_status status = cairn_scene_read_text(text, strlen(text), "test", NULL, &scene, &error);
    ck_assert_msg(status == CAIRN_OK, "%s", error.text);
    return scene;
}

static int slot_of(const cairn_stage* stage, const char* name)
{
    for (int i = 0; i < stage->body_count; i++)
        if (stage->bodies[i].name && strcmp(stage->bodies[i].name, name) == 0)
            return i;
    ck_abort_msg("there is no body '%s' on the stage", name);
}

static void advance(cairn_stage* stage, cairn_frame* frame, cairn_scene* scene)
{
    cairn_step_report report;
    CHECK(cairn_scene_step(scene, 0.01, &report, NULL) == CAIRN_OK);
    CHECK(cairn_stage_take(stage, scene, 0.01, NULL) == CAIRN_OK);
    CHECK(cairn_frame_take(frame, stage, scene, &report, 1.0, NULL) == CAIRN_OK);
}

TEST(a_frame_tells_the_state_of_every_body)
{
    cairn_scene* scene = read_text(two_stacks);
    cairn_stage stage = {0};
    cairn_frame frame = {0};
    advance(&stage, &frame, scene);
    ck_assert_int_eq(frame.body_count, 4);
    for (int i = 0; i < frame.body_count; i++) {
        cairn_body_state state;
        CHECK(cairn_body_get(cairn_scene_world(scene), stage.bodies[i].id, &state, NULL) ==
              CAIRN_OK);
        CHECK(frame.bodies[i].present);
        CHECK(memcmp(&frame.bodies[i].pose, &state.pose, sizeof state.pose) == 0);
        CHECK(memcmp(&frame.bodies[i].velocity, &state.velocity, sizeof state.velocity) == 0);
        CHECK(stage.bodies[i].mass == state.mass);
    }
    CHECK(frame.hash == cairn_world_hash(cairn_scene_world(scene)));
    CHECK(frame.contact_count == frame.report.contacts && frame.contact_count > 0);
    cairn_frame_destroy(&frame);
    cairn_stage_destroy(&stage);
    cairn_scene_destroy(scene);
}
END

TEST(bodies_that_touch_share_an_island_and_the_ground_connects_nothing)
{
    cairn_scene* scene = read_text(two_stacks);
    cairn_stage stage = {0};
    cairn_frame frame = {0};
    advance(&stage, &frame, scene);
    int a = frame.bodies[slot_of(&stage, "a")].island;
    int b = frame.bodies[slot_of(&stage, "b")].island;
    int c = frame.bodies[slot_of(&stage, "c")].island;
    ck_assert_int_eq(frame.island_count, 2);
    ck_assert_int_eq(a, c);
    ck_assert_int_ne(a, b);
    ck_assert_int_eq(frame.bodies[slot_of(&stage, "ground")].island, -1);
    cairn_frame_destroy(&frame);
    cairn_stage_destroy(&stage);
    cairn_scene_destroy(scene);
}
END

TEST(a_body_that_enters_changes_the_stage_once)
{
    cairn_scene* scene = read_text(two_stacks);
    cairn_stage stage = {0};
    cairn_frame frame = {0};
    advance(&stage, &frame, scene);
    ck_assert_int_eq(stage.change, 1);
    advance(&stage, &frame, scene);
    ck_assert_int_eq(stage.change, 2);
    ck_assert_int_eq(stage.bodies[slot_of(&stage, "late")].shape.kind, CAIRN_SHAPE_SPHERE);
    advance(&stage, &frame, scene);
    ck_assert_int_eq(stage.change, 2);
    ck_assert_int_eq(frame.change, 2);
    cairn_frame_destroy(&frame);
    cairn_stage_destroy(&stage);
    cairn_scene_destroy(scene);
}
END

TEST(a_body_that_leaves_empties_its_slot)
{
    cairn_scene* scene = read_text(two_stacks);
    cairn_stage stage = {0};
    cairn_frame frame = {0};
    advance(&stage, &frame, scene);
    int slot = slot_of(&stage, "b");
    CHECK(cairn_world_remove_body(cairn_scene_world(scene), stage.bodies[slot].id, NULL) ==
          CAIRN_OK);
    CHECK(cairn_stage_take(&stage, scene, 0.01, NULL) == CAIRN_OK);
    CHECK(cairn_frame_take(&frame, &stage, scene, NULL, 0.0, NULL) == CAIRN_OK);
    ck_assert_int_eq(stage.change, 2);
    CHECK(stage.bodies[slot].id.generation == 0 && !frame.bodies[slot].present);
    cairn_frame_destroy(&frame);
    cairn_stage_destroy(&stage);
    cairn_scene_destroy(scene);
}
END

TEST(a_scene_that_goes_back_goes_on_as_before)
{
    cairn_scene* scene = read_text(two_stacks);
    cairn_snapshot *start, *later;
    cairn_stage stage = {0};
    cairn_frame frame = {0};
    uint64_t hash[6];
    CHECK(cairn_world_snapshot(cairn_scene_world(scene), &start, NULL) == CAIRN_OK);
    for (int i = 0; i < 6; i++) {
        advance(&stage, &frame, scene);
        hash[i] = frame.hash;
        if (i == 3)
            CHECK(cairn_world_snapshot(cairn_scene_world(scene), &later, NULL) == CAIRN_OK);
    }

    // after a body has entered, and before
    CHECK(cairn_scene_restore(scene, later, NULL) == CAIRN_OK);
    advance(&stage, &frame, scene);
    CHECK(frame.hash == hash[4]);
    CHECK(cairn_scene_restore(scene, start, NULL) == CAIRN_OK);
    for (int i = 0; i < 6; i++) {
        advance(&stage, &frame, scene);
        CHECK(frame.hash == hash[i]);
    }
    cairn_snapshot_destroy(start);
    cairn_snapshot_destroy(later);
    cairn_frame_destroy(&frame);
    cairn_stage_destroy(&stage);
    cairn_scene_destroy(scene);
}
END

// bodies of the world and whether the name of the late one leads to one of them
static void check_bodies(cairn_scene* scene, int count, bool late)
{
    cairn_step_report report;
    cairn_body_id id;
    cairn_body_state state;
    CHECK(cairn_scene_step(scene, 0.01, &report, NULL) == CAIRN_OK);
    ck_assert_int_eq(report.bodies, count);
    ck_assert_int_eq(cairn_scene_find(scene, "late", &id), late);
    if (late)
        CHECK(cairn_body_get(cairn_scene_world(scene), id, &state, NULL) == CAIRN_OK);
}

TEST(late_bodies_enter_once_however_a_scene_goes_back_and_forth)
{
    cairn_scene *scene = read_text(two_stacks), *other = read_text(two_stacks);
    cairn_world *world = cairn_scene_world(scene), *twin = cairn_scene_world(other);
    cairn_snapshot *early, *later, *removed;
    cairn_body_id id;
    check_bodies(scene, 3, false);
    CHECK(cairn_world_snapshot(world, &early, NULL) == CAIRN_OK);
    check_bodies(scene, 4, true);
    CHECK(cairn_world_snapshot(world, &later, NULL) == CAIRN_OK);
    check_bodies(scene, 4, true);
    uint64_t undisturbed = cairn_world_hash(world);

    // back and forth, and forth only in an instance where it has never entered
    CHECK(cairn_scene_restore(scene, early, NULL) == CAIRN_OK);
    CHECK(!cairn_scene_find(scene, "late", &id));
    CHECK(cairn_scene_restore(scene, later, NULL) == CAIRN_OK);
    check_bodies(scene, 4, true);
    ck_assert_uint_eq(cairn_world_hash(world), undisturbed);
    CHECK(cairn_scene_restore(other, later, NULL) == CAIRN_OK);
    check_bodies(other, 4, true);
    ck_assert_uint_eq(cairn_world_hash(twin), undisturbed);

    // back where it has not entered yet, then it enters again
    CHECK(cairn_scene_restore(other, early, NULL) == CAIRN_OK);
    check_bodies(other, 4, true);

    // one that has entered and was removed stays away
    CHECK(cairn_scene_find(other, "late", &id));
    CHECK(cairn_world_remove_body(twin, id, NULL) == CAIRN_OK);
    CHECK(cairn_world_snapshot(twin, &removed, NULL) == CAIRN_OK);
    CHECK(cairn_scene_restore(scene, removed, NULL) == CAIRN_OK);
    check_bodies(scene, 3, false);

    // a step that is refused lets nobody in
    CHECK(cairn_scene_restore(scene, early, NULL) == CAIRN_OK);
    uint64_t before = cairn_world_hash(world);
    CHECK(cairn_scene_step(scene, -1.0, NULL, NULL) == CAIRN_BAD_INPUT);
    ck_assert_uint_eq(cairn_world_hash(world), before);
    check_bodies(scene, 4, true);
    cairn_snapshot_destroy(early);
    cairn_snapshot_destroy(later);
    cairn_snapshot_destroy(removed);
    cairn_scene_destroy(scene);
    cairn_scene_destroy(other);
}
END

TESTS(a_frame_tells_the_state_of_every_body,
      bodies_that_touch_share_an_island_and_the_ground_connects_nothing,
      a_body_that_enters_changes_the_stage_once, a_body_that_leaves_empties_its_slot,
      a_scene_that_goes_back_goes_on_as_before,
      late_bodies_enter_once_however_a_scene_goes_back_and_forth)
