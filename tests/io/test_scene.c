// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors

#include "check_cairn.h"
#include <cairn/io.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static cairn_scene* read_text(const char* text)
{
    cairn_scene* scene = NULL;
    cairn_error error = {""};
    cairn_status status =
        cairn_scene_read_text(text, strlen(text), "test.json", NULL, &scene, &error);
    ck_assert_msg(status == CAIRN_OK, "%s", error.text);
    return scene;
}

// a scene with these bodies and joints
static cairn_scene* read_bodies(const char* bodies)
{
    char text[2048];
    snprintf(text, sizeof text, "{\"cairn\": 1, \"bodies\": [%s]}", bodies);
    return read_text(text);
}

static cairn_body_state state_of(const cairn_scene* scene, const char* name)
{
    cairn_body_id id;
    cairn_body_state state = {0};
    ck_assert_msg(cairn_scene_find(scene, name, &id), "there is no body '%s'", name);
    CHECK(cairn_body_get(cairn_scene_world(scene), id, &state, NULL) == CAIRN_OK);
    return state;
}

static void check_at(const cairn_scene* scene, const char* name, double x, double y, double z)
{
    cairn_vec3 at = state_of(scene, name).center;
    double off = cairn_norm(cairn_sub(at, cairn_vec(x, y, z)));
    ck_assert_msg(off < 1e-12, "%s is at %g %g %g, expected %g %g %g", name, at.x, at.y, at.z, x, y,
                  z);
}

TEST(a_wall_has_half_bricks_at_the_ends_of_odd_rows)
{
    cairn_scene* scene = read_bodies("{\"name\": \"b\", \"wall\": {\"rows\": 2, \"bricks\": 3, "
                                     "\"brick\": [1, 0.5, 0.5], \"pitch\": 1.01}}");
    ck_assert_int_eq(cairn_scene_describe(scene).body_count, 3 + 2 + 2);
    check_at(scene, "b.0", -1.01, 0.0, 0.25);
    check_at(scene, "b.2", 1.01, 0.0, 0.25);
    check_at(scene, "b.3", -0.505, 0.0, 0.75);
    // a half brick of 0.495 m ends where the row below ends, at 1.51 m
    check_at(scene, "b.6", 1.51 - 0.2475, 0.0, 0.75);
    CHECK_NEAR(state_of(scene, "b.6").mass, 0.495 * 0.25 * 1000.0, 1e-9);
    cairn_scene_destroy(scene);
}
END

TEST(an_arch_of_wedges_closes)
{
    cairn_scene* scene = read_bodies("{\"name\": \"b\", \"arch\": {\"blocks\": 15, \"radius\": 5, "
                                     "\"thickness\": 1, \"depth\": 1}}");
    // the key stone sits on top, and mirror images mirror each other
    cairn_vec3 key = state_of(scene, "b.7").center;
    CHECK_NEAR(key.x, 0.0, 1e-12);
    CHECK_NEAR(key.y, 0.0, 1e-12);
    cairn_vec3 left = state_of(scene, "b.14").center, right = state_of(scene, "b.0").center;
    CHECK_NEAR(left.x, -right.x, 1e-12);
    CHECK_NEAR(left.z, right.z, 1e-12);
    // area between the chords of a sector: sin(pi/15)/2 (R² - r²)
    CHECK_NEAR(state_of(scene, "b.3").mass,
               1000.0 * 0.5 * sin(3.141592653589793 / 15.0) * (5.5 * 5.5 - 4.5 * 4.5), 1e-6);
    cairn_scene_destroy(scene);
}
END

TEST(a_tree_turns_by_one_over_its_level)
{
    cairn_scene* scene = read_bodies("{\"name\": \"b\", \"tree\": {\"links\": 4}}");
    check_at(scene, "b.0", 0.25, 0.0, 0.0);
    check_at(scene, "b.1", 0.5 + 0.25 * cos(1.0), 0.25 * sin(1.0), 0.0);
    check_at(scene, "b.2", 0.5 + 0.25 * cos(1.0), -0.25 * sin(1.0), 0.0);
    check_at(scene, "b.3", 0.5 + 0.5 * cos(1.0) + 0.25 * cos(1.5), 0.5 * sin(1.0) + 0.25 * sin(1.5),
             0.0);
    cairn_scene_destroy(scene);
}
END

TEST(a_chain_of_ten_links_swings_to_the_published_place)
{
    cairn_scene_def def = {.substeps = 16};
    cairn_scene* scene = NULL;
    cairn_error error = {""};
    cairn_status status =
        cairn_scene_read(CAIRN_SOURCE_DIR "/scenes/chain.json", &def, &scene, &error);
    ck_assert_msg(status == CAIRN_OK, "%s", error.text);
    for (int i = 0; i < 120; i++)
        CHECK(cairn_scene_step(scene, 1.0 / 60.0, NULL, &error) == CAIRN_OK);
    cairn_body_state last = state_of(scene, "link.9");
    // the center of the last link by an error-controlled integration, to the digits given
    CHECK_BELOW(cairn_norm(cairn_sub(last.center, cairn_vec(-4.397, 0.0, -0.788))), 1e-3);
    cairn_scene_destroy(scene);
}
END

// boxes of friction let a block that slides across their axes lose √2 of the cone's speed
TEST(options_of_the_method_reach_the_world)
{
    static const char text[] =
        "{\"cairn\": 1, \"run\": {\"method\": \"pgs\", \"options\": {\"pgs.box\": %s}},"
        " \"defaults\": {\"material\": {\"mu\": 0.5}},"
        " \"bodies\": [{\"shape\": {\"kind\": \"half_space\"}, \"type\": \"static\"},"
        " {\"shape\": {\"kind\": \"box\", \"size\": [1, 1, 0.2]}, \"at\": [0, 0, 0.1],"
        " \"velocity\": [2, 2, 0]}]}";
    double left[2];
    for (int k = 0; k < 2; k++) {
        char scene_text[sizeof text + 8];
        snprintf(scene_text, sizeof scene_text, text, k ? "true" : "false");
        cairn_scene* scene = read_text(scene_text);
        cairn_world* world = cairn_scene_world(scene);
        cairn_body_state state;
        cairn_error error;
        cairn_body_id id = cairn_world_body_at(world, 1);
        ck_assert(cairn_world_step(world, 0.01, NULL, &error) == CAIRN_OK);
        ck_assert(cairn_body_get(world, id, &state, &error) == CAIRN_OK);
        left[k] = 2.0 - state.velocity.x;
        cairn_scene_destroy(scene);
    }
    CHECK_NEAR(left[1], sqrt(2.0) * left[0], 1e-3 * left[0]);
}
END

TEST(the_same_seed_gives_the_same_places)
{
    const char* heap = "{\"name\": \"b\", \"grid\": {\"count\": [3, 3, 3], \"pitch\": 2, "
                       "\"jitter\": 0.1, \"tumble\": true, \"seed\": %d}, "
                       "\"shape\": {\"kind\": \"box\", \"size\": [1, 1, 1]}}";
    char one[512], two[512];
    snprintf(one, sizeof one, heap, 1);
    snprintf(two, sizeof two, heap, 2);
    cairn_scene *a = read_bodies(one), *b = read_bodies(one), *c = read_bodies(two);
    ck_assert_uint_eq(cairn_world_hash(cairn_scene_world(a)),
                      cairn_world_hash(cairn_scene_world(b)));
    ck_assert_uint_ne(cairn_world_hash(cairn_scene_world(a)),
                      cairn_world_hash(cairn_scene_world(c)));
    for (int i = 0; i < 27; i++) {
        char name[16];
        snprintf(name, sizeof name, "b.%d", i);
        cairn_vec3 at = state_of(a, name).center;
        CHECK_BELOW(fabs(at.x - 2.0 * (i % 3 - 1)), 0.1 + 1e-12);
        CHECK_BELOW(fabs(at.z - 2.0 * (i / 9)), 0.1 + 1e-12);
    }
    cairn_scene_destroy(a);
    cairn_scene_destroy(b);
    cairn_scene_destroy(c);
}
END

TEST(copies_of_a_group_join_their_own_bodies)
{
    cairn_scene* scene = read_bodies(
        "{\"repeat\": {\"count\": 3, \"step\": [10, 0, 0]}, \"bodies\": ["
        "{\"name\": \"a\", \"shape\": {\"kind\": \"sphere\", \"radius\": 0.1}, \"at\": [0, 0, 0]},"
        "{\"name\": \"b\", \"shape\": {\"kind\": \"sphere\", \"radius\": 0.1}, \"at\": [1, 0, 0]}],"
        "\"joints\": [{\"kind\": \"ball\", \"a\": \"a\", \"b\": \"b\", \"at\": [0.5, 0, 0]}]}");
    cairn_step_report report;
    CHECK(cairn_scene_step(scene, 1.0 / 60.0, &report, NULL) == CAIRN_OK);
    ck_assert_int_eq(report.joints, 3);
    // a joint across copies would gape by 10 m
    CHECK_BELOW(report.joint_error, 1e-9);
    cairn_scene_destroy(scene);
}
END

TEST(a_body_enters_at_its_time)
{
    cairn_scene* scene =
        read_bodies("{\"name\": \"late\", \"shape\": {\"kind\": \"sphere\", \"radius\": 0.1}, "
                    "\"enter\": 0.5, \"velocity\": [1, 0, 0]}");
    cairn_body_id id;
    cairn_step_report report;
    for (int i = 0; i < 30; i++) {
        CHECK(cairn_scene_step(scene, 1.0 / 60.0, &report, NULL) == CAIRN_OK);
        CHECK(!cairn_scene_find(scene, "late", &id));
    }
    CHECK(cairn_scene_step(scene, 1.0 / 60.0, &report, NULL) == CAIRN_OK);
    CHECK_NEAR(state_of(scene, "late").center.x, 1.0 / 60.0, 1e-12);
    cairn_scene_destroy(scene);
}
END

// a file of this text is refused with a sentence that begins with `place` and says `word`
static void refuse(const char* text, const char* place, const char* word)
{
    cairn_scene* scene = NULL;
    cairn_error error = {""};
    cairn_status status =
        cairn_scene_read_text(text, strlen(text), "test.json", NULL, &scene, &error);
    ck_assert_msg(status == CAIRN_BAD_INPUT, "accepted: %s", text);
    ck_assert_msg(strncmp(error.text, place, strlen(place)) == 0, "'%s' begins with '%s'",
                  error.text, place);
    ck_assert_msg(strstr(error.text, word) != NULL, "'%s' says '%s'", error.text, word);
    CHECK(scene == NULL);
}

TEST(a_wrong_scene_is_refused_with_line_column_and_key)
{
    // the file and its keys
    refuse("", "test.json:1:", "expected");
    refuse("{\"cairn\": 1, \"run\": {\"options\": {\"prox.strategy\": 3}}, \"bodies\": []}",
           "test.json:1:", "expected one of scalar-local");
    refuse("{\"cairn\": 1, \"run\": {\"options\": {\"prox\": 3}}, \"bodies\": []}",
           "test.json:1:", "not an option");
    refuse("{\"cairn\": 1,\n \"bodies\": [}", "test.json:2:", "expected a scene in JSON");
    refuse("{\"cairn\": 1, \"cairn\": 1, \"bodies\": []}", "test.json:1:", "duplicate");
    refuse("[]", "test.json:1:1: the scene", "not an object");
    refuse("{\"bodies\": []}", "test.json:1:1: the scene", "\"cairn\"");
    refuse("{\"cairn\": 2, \"bodies\": []}", "test.json:1:2: cairn", "from 1 to 1");
    refuse("{\"cairn\": 1,\n \"bodys\": []}", "test.json:2:2: bodys is not a known key",
           "did you mean 'bodies'?");
    refuse("{\"cairn\": 1, \"zzz\": []}", "test.json:1:14: zzz is not a known key",
           "expected one of cairn");

    // shapes
    refuse(
        "{\"cairn\": 1,\n \"bodies\": [\n  {\"shape\": {\"kind\": \"sphere\", \"radius\": -1}}]}",
        "test.json:3:32: bodies[0].shape.radius is -1", "expected a number > 0");
    refuse("{\"cairn\": 1, \"bodies\": [{\"shape\": {\"kind\": \"sphere\"}}]}",
           "test.json:1:26: bodies[0].shape has no \"radius\"", "needed");
    refuse("{\"cairn\": 1, \"bodies\": [{\"shape\": {\"kind\": \"ball\"}}]}",
           "test.json:1:36: bodies[0].shape.kind is 'ball'", "\"sphere\"");
    refuse("{\"cairn\": 1, \"bodies\": [{\"shape\": \"x\"}]}", "test.json:1:26: bodies[0].shape",
           "'x'");
    refuse("{\"cairn\": 1, \"bodies\": [{}]}", "test.json:1:25: bodies[0]", "mass");

    // methods and joints
    refuse("{\"cairn\": 1, \"run\": {\"method\": \"magic\"}, \"bodies\": []}",
           "test.json:1:22: run.method is 'magic'", "method");
    refuse("{\"cairn\": 1, \"bodies\": [], \"joints\": [{\"kind\": \"ball\", \"b\": \"x\"}]}",
           "test.json:1:56: joints[0].b is 'x'", "name of a body");
    refuse("{\"cairn\": 1, \"bodies\": [{\"name\": \"x\", \"shape\": {\"kind\": \"sphere\", "
           "\"radius\": 1}}],\n \"joints\": [{\"kind\": \"surface\", \"b\": \"x\", "
           "\"surface\": \"cube\"}]}",
           "test.json:2:43: joints[0].surface is 'cube'", "\"torus\"");
    refuse("{\"cairn\": 1, \"bodies\": [{\"name\": \"x\", \"shape\": {\"kind\": \"sphere\", "
           "\"radius\": 1}}],\n \"joints\": [{\"kind\": \"rolling\", \"b\": \"x\"}]}",
           "test.json:2:13: joints[0] is refused", "roller");
    refuse("{\"cairn\": 1, \"bodies\": [{\"shape\": {\"kind\": \"hull\", "
           "\"points\": [[0,0,0],[1,0,0],[0,1,0],[1,1,0]]}}]}",
           "test.json:1:26: bodies[0].shape is refused", "plane");

    // comments, materials, places, surfaces
    refuse("{\"cairn\": 1, \"comment\": 5, \"bodies\": []}", "test.json:1:14: comment", "text");
    refuse("{\"cairn\": 1, \"materials\": {\"ice\": {\"mu\": -1}}, \"bodies\": []}",
           "test.json:1:36: materials.ice.mu is -1", ">= 0");
    refuse("{\"cairn\": 1, \"bodies\": [{\"type\": \"static\", \"turn\": [0, 0, 9], "
           "\"quaternion\": [1, 0, 0, 0]}]}",
           "test.json:1:63: bodies[0].quaternion", "one of them");
    refuse(
        "{\"cairn\": 1, \"shapes\": {\"s\": {\"kind\": \"sphere\", \"radius\": 1}}, \"bodies\": [\n"
        "{\"wall\": {}, \"shape\": \"s\"}]}",
        "test.json:2:2: bodies[0].wall", "\"shape\"");
    refuse("{\"cairn\": 1, \"bodies\": [{\"type\": \"static\", \"shape\": {\"kind\": \"mesh\", "
           "\"vertices\": [[0,0,0],[1,0,0],[0,1,0]], \"triangles\": [[0, 1.5, 2]]}}]}",
           "test.json:1:", "indices of vertices");
}
END

TEST(copies_that_make_a_scene_too_big_are_refused_before_the_first_is_made)
{
    clock_t start = clock();
    refuse("{\"cairn\": 1, \"bodies\": [{\"grid\": {\"count\": [1000, 1000, 1000], \"pitch\": 1}, "
           "\"shape\": {\"kind\": \"sphere\", \"radius\": 0.1}}]}",
           "test.json:1:25: bodies[0]", "too big");
    refuse("{\"cairn\": 1, \"bodies\": [{\"grid\": {\"count\": [1000, 1000, 1000], \"pitch\": 1}, "
           "\"bodies\": [{\"shape\": {\"kind\": \"sphere\", \"radius\": 0.1}}]}]}",
           "test.json:1:25: bodies[0]", "too big");

    // a million bodies, all that a scene may have, take seconds
    CHECK_BELOW((double)(clock() - start) / CLOCKS_PER_SEC, 0.5);
}
END

// whole sizes in a scene, half of them in a shape
TEST(ellipsoids_cones_and_tapered_capsules_have_their_sizes)
{
    cairn_scene* scene = read_bodies(
        "{\"name\": \"egg\", \"shape\": {\"kind\": \"ellipsoid\", \"size\": [1, 0.6, 0.4]}},"
        "{\"name\": \"cone\", \"shape\": {\"kind\": \"cone\", \"radius\": 0.3, \"height\": 1}},"
        "{\"name\": \"club\", \"shape\": {\"kind\": \"tapered_capsule\", \"radius\": 0.3, "
        "\"top_radius\": 0.1, \"length\": 1}}");
    const cairn_shape expected[3] = {cairn_shape_ellipsoid(cairn_vec(0.5, 0.3, 0.2)),
                                     cairn_shape_cone(0.3, 0.5),
                                     cairn_shape_tapered_capsule(0.3, 0.1, 0.5)};
    static const char* const names[3] = {"egg", "cone", "club"};
    for (int i = 0; i < 3; i++) {
        cairn_body_id id;
        cairn_body_mass mass;
        cairn_mass_properties p;
        CHECK(cairn_scene_find(scene, names[i], &id));
        CHECK(cairn_body_get_mass(cairn_scene_world(scene), id, &mass, NULL) == CAIRN_OK);
        CHECK(cairn_shape_mass(&expected[i], &p, NULL) == CAIRN_OK);
        CHECK_NEAR(mass.mass, 1000.0 * p.volume, 1e-9);
    }
    cairn_scene_destroy(scene);
}
END

TEST(whole_numbers_may_be_written_in_any_way)
{
    cairn_scene* scene = read_bodies("{\"shape\": {\"kind\": \"sphere\", \"radius\": 0.1}, "
                                     "\"category\": 2.0, \"repeat\": {\"count\": 3e0}}");
    ck_assert_int_eq(cairn_scene_describe(scene).body_count, 3);
    cairn_scene_destroy(scene);
}
END

TESTS(ellipsoids_cones_and_tapered_capsules_have_their_sizes,
      a_wall_has_half_bricks_at_the_ends_of_odd_rows, an_arch_of_wedges_closes,
      a_tree_turns_by_one_over_its_level, a_chain_of_ten_links_swings_to_the_published_place,
      options_of_the_method_reach_the_world, the_same_seed_gives_the_same_places,
      copies_of_a_group_join_their_own_bodies, a_body_enters_at_its_time,
      a_wrong_scene_is_refused_with_line_column_and_key,
      copies_that_make_a_scene_too_big_are_refused_before_the_first_is_made,
      whole_numbers_may_be_written_in_any_way)
