// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// What shipped scenes hold, most of them seven seconds after their end, when what can settle has: scratch
// memory included, whatever the number of threads. Joints are not counted: a body comes with its
// joint.

#include "check_cairn.h"
#include <cairn/io.h>
#include <stdio.h>

static const double three_kilobytes = 3072.0, moving_bytes = 3584.0;
static const double longest = 4.0; // s that a scene is run
static const double at_rest = 7.0; // s more: heaps fall asleep, and memory is given back

static bool same_pair(const cairn_contact* a, const cairn_contact* b)
{
    return a->body_a.index == b->body_a.index && a->body_b.index == b->body_b.index &&
           a->part_a == b->part_a && a->part_b == b->part_b;
}

// pairs of bodies, or of the parts of compounds
static int touching_pairs(const cairn_world* world)
{
    int count, pairs = 0;
    const cairn_contact* contacts = cairn_world_contacts(world, &count);
    for (int c = 0; c < count; c++)
        pairs += c == 0 || !same_pair(&contacts[c], &contacts[c - 1]);
    return pairs;
}

// bytes for each moving body and each touching pair of a scene, where it had most of them
typedef struct share {
    double all;
    double lasting; // without what a step needs while it lasts
} share;

static share bytes_after(const char* name, int threads, double settling)
{
    char path[4096];
    cairn_error error = {""};
    cairn_scene* scene = NULL;
    cairn_scene_def def = {.threads = threads};
    cairn_step_report report = {0};
    snprintf(path, sizeof path, "%s/scenes/%s.json", CAIRN_SOURCE_DIR, name);
    ck_assert_msg(cairn_scene_read(path, &def, &scene, &error) == CAIRN_OK, "%s", error.text);
    cairn_scene_info info = cairn_scene_describe(scene);
    const cairn_world* world = cairn_scene_world(scene);
    double each = 0.0;
    for (int i = 0; i < (int)round((fmin(info.time, longest) + settling) / info.dt); i++) {
        CHECK(cairn_scene_step(scene, info.dt, &report, NULL) == CAIRN_OK);
        each = fmax(each, report.bodies + touching_pairs(world));
    }
    size_t scratch, bytes = cairn_world_memory(world, &scratch);
    share of = {(double)bytes / each, (double)(bytes - scratch) / each};
    cairn_scene_destroy(scene);
    return of;
}

static share bytes_each(const char* name, int threads)
{
    return bytes_after(name, threads, at_rest);
}

static void check_threads(const char* name, int threads, double most)
{
    double each = bytes_each(name, threads).all;
    ck_assert_msg(each < most, "%s with %d threads: %g bytes", name, threads, each);
}

// four threads need the most scratch memory
static void check_scene(const char* name, double most)
{
    check_threads(name, 4, most);
}

TEST(chains_and_trees_of_joints_hold_three_kilobytes_for_each_body)
{
    check_scene("chain100", moving_bytes);
    check_threads("chain100", 1, moving_bytes);
    if (!CHECK_SLOW_BUILD)
        check_scene("tree127", moving_bytes);
}
END

TEST(what_stands_holds_three_kilobytes_for_each_body_and_pair)
{
    check_scene("column", three_kilobytes);
    check_threads("column", 1, three_kilobytes);
    if (CHECK_SLOW_BUILD)
        return;
    check_scene("pyramid", three_kilobytes);
    check_scene("temple", three_kilobytes);
}
END

// several parts touch for each pair of bodies
TEST(compounds_hold_little_more_for_each_touching_pair_of_parts)
{
    check_scene("glasses", three_kilobytes);
    if (CHECK_SLOW_BUILD)
        return;
    CHECK_BELOW(bytes_each("jacks", 4).all, moving_bytes);
    check_scene("chalices", moving_bytes);
}
END

// half of the rubble sleeps, the other half trembles; a heap has settled when its run ends; boxes never
// stop, and are measured in the middle of their motion
TEST(piles_that_move_hold_little_more_for_each_body_and_pair)
{
    // minutes of arithmetic under the sanitizers, which see the same memory in shorter tests
    if (CHECK_SLOW_BUILD)
        return;
    share wall = bytes_after("wall", 1, 1.0);
    CHECK_BELOW(wall.lasting, 2176.0);
    CHECK_BELOW(wall.all, 12288.0); // an exact method solves the small islands of the rubble
    CHECK_BELOW(bytes_after("domino", 1, 1.0).all,
                14336.0); // an exact method solves up to 400 contacts of it
    CHECK_BELOW(bytes_after("heap", 1, 0.0).all, 2048.0);
    share boxes = bytes_after("boxes", 1, 0.0);
    CHECK_BELOW(boxes.lasting, 2432.0); // contacts with all that lies flush with what is struck
    CHECK_BELOW(
        boxes.all,
        5632.0); // lanes of the march, with room for contacts that come, beside those of its end
}
END

TESTS(chains_and_trees_of_joints_hold_three_kilobytes_for_each_body,
      what_stands_holds_three_kilobytes_for_each_body_and_pair,
      compounds_hold_little_more_for_each_touching_pair_of_parts,
      piles_that_move_hold_little_more_for_each_body_and_pair)
