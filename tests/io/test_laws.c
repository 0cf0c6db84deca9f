// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Steps of earlier versions that broke a law of motion while every solve was within its tolerance, in
// tests/data/motion: a scene, and what some frames of its recording showed, states and impulses of contacts.
// Each is told by what `cairn check` measures. Today's steps of the same scenes break none.

#include "check_cairn.h"
#include "io/recording/laws.h"
#include <cairn/io.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// what a step can do wrong
enum {
    overlaps = 1,
    torn = 2,
    gained = 4,
    unborne = 8,
    lost = 16,
    grown = 32,
    askew = 64,
    ghostly = 128,
    passed = 256
};

static cairn_scene* read_scene(const char* name)
{
    char path[256];
    cairn_error error = {""};
    cairn_scene* scene = NULL;
    snprintf(path, sizeof path, "%s/motion/%s.json", CAIRN_TEST_DATA, name);
    ck_assert_msg(cairn_scene_read(path, NULL, &scene, &error) == CAIRN_OK, "%s", error.text);
    return scene;
}

static double number(FILE* file)
{
    double x = 0.0;
    CHECK(fscanf(file, "%lf", &x) == 1);
    return x;
}

static cairn_vec3 vector(FILE* file)
{
    double x = number(file), y = number(file);
    return cairn_vec(x, y, number(file));
}

// the states of the bodies that move and the contacts that bear; false: there are no more
static bool read_frame(cairn_frame* frame, FILE* file)
{
    int bodies, contacts;
    if (fscanf(file, "%d %d", &bodies, &contacts) != 2)
        return false;
    for (int i = 0; i < bodies; i++) {
        int slot = (int)number(file);
        CHECK(slot >= 0 && slot < frame->body_count);
        cairn_frame_body* body = &frame->bodies[slot];
        body->asleep = number(file) != 0.0;
        body->pose.p = vector(file);
        body->pose.q.w = number(file);
        cairn_vec3 q = vector(file);
        body->pose.q = cairn_quat_normalize((cairn_quat){body->pose.q.w, q.x, q.y, q.z});
        body->velocity = vector(file);
        body->spin = vector(file);
    }

    CHECK(contacts <= 64);
    frame->contact_count = contacts;
    for (int i = 0; i < contacts; i++) {
        cairn_contact* contact = &frame->contacts[i];
        contact->body_a = (cairn_body_id){(int)number(file), 1};
        contact->body_b = (cairn_body_id){(int)number(file), 1};
        contact->state = (cairn_contact_state)number(file);
        contact->normal = vector(file);
        contact->impulse = vector(file);
    }
    return true;
}

// what was measured so far
typedef struct measuring {
    cairn_remeasure all;
    cairn_remeasured last;
    cairn_laws laws;
    bool begun;
} measuring;

static int judge(measuring* m, const cairn_stage* stage, const cairn_frame* frame)
{
    cairn_remeasured now;
    cairn_law_flaws law;
    CHECK(cairn_remeasure_frame(&m->all, stage, frame, &now, NULL) == CAIRN_OK);
    CHECK(cairn_laws_judge(&m->laws, &law, stage, frame, &now, m->begun));
    cairn_motion_flaws motion =
        cairn_motion_judge(m->begun ? &m->last : NULL, &now, &frame->report, stage->dt);
    m->last = now;
    if (!m->begun) {
        m->begun = true;
        return 0;
    }
    return motion.overlaps * overlaps + motion.torn * torn + motion.gained * gained +
           law.unborne * unborne + law.lost * lost + law.grown * grown + law.askew * askew +
           law.ghostly * ghostly + law.passed * passed;
}

// what the frames of an earlier version did wrong
static int judge_old(const char* name)
{
    char path[256];
    snprintf(path, sizeof path, "%s/motion/%s.txt", CAIRN_TEST_DATA, name);
    FILE* file = fopen(path, "r");
    ck_assert_msg(file != NULL, "%s", path);

    cairn_scene* scene = read_scene(name);
    cairn_stage stage = {0};
    cairn_frame frame = {0};
    measuring m = {0};
    int found = 0;
    CHECK(cairn_stage_take(&stage, scene, number(file), NULL) == CAIRN_OK);
    CHECK(cairn_frame_take(&frame, &stage, scene, NULL, 0.0, NULL) == CAIRN_OK);
    cairn_contact contacts[64] = {0};
    cairn_contact* own = frame.contacts;
    frame.contacts = contacts;
    while (read_frame(&frame, file))
        found |= judge(&m, &stage, &frame);

    frame.contacts = own;
    cairn_frame_destroy(&frame);
    cairn_stage_destroy(&stage);
    cairn_remeasure_destroy(&m.all);
    cairn_laws_destroy(&m.laws);
    cairn_scene_destroy(scene);
    fclose(file);
    return found;
}

// and what today's first steps do
static int judge_new(const char* name, int steps)
{
    const double dt = 1.0 / 60.0;
    cairn_scene* scene = read_scene(name);
    cairn_stage stage = {0};
    cairn_frame frame = {0};
    measuring m = {0};
    int found = 0;
    for (int i = 0; i <= steps; i++) {
        cairn_step_report report = {0};
        if (i > 0)
            CHECK(cairn_scene_step(scene, dt, &report, NULL) == CAIRN_OK);
        CHECK(cairn_stage_take(&stage, scene, dt, NULL) == CAIRN_OK);
        CHECK(cairn_frame_take(&frame, &stage, scene, i > 0 ? &report : NULL, 0.0, NULL) ==
              CAIRN_OK);
        found |= judge(&m, &stage, &frame);
    }
    cairn_frame_destroy(&frame);
    cairn_stage_destroy(&stage);
    cairn_remeasure_destroy(&m.all);
    cairn_laws_destroy(&m.laws);
    cairn_scene_destroy(scene);
    return found;
}

static const struct {
    const char* name;
    int flaw;   // that the old steps have, besides others
    bool right; // today's steps have none
} cases[] = {
    {"chain_tears", torn, true},
    {"wrecking_ball", torn, true},
    {"pendulum", lost, true},
    {"top", lost, true},
    {"spring", lost, true},
    {"coin_substeps", lost, true},
    {"eulers_disk", lost, true},
    {"slope_ball_substeps", grown, true},
    {"roll_midpoint", overlaps, true},
    {"tunnel_midpoint", overlaps, true},
    {"overlap_sleep", overlaps, false},
    {"press", overlaps, false},
    {"damped_weight", unborne, true},
    {"seam", ghostly, true},
    {"pool", askew, true},
    {"capstan", torn, true},
    {"turntable", overlaps, true},
    {"bullet_midpoint", passed, true},
};

TEST(steps_that_broke_a_law_of_motion_are_told)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int found = judge_old(cases[i].name);
        ck_assert_msg(found & cases[i].flaw, "%s: found %d, not %d", cases[i].name, found,
                      cases[i].flaw);
    }
}
END

TEST(steps_of_today_break_none)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int found = cases[i].right ? judge_new(cases[i].name, 60) : 0;
        ck_assert_msg(found == 0, "%s: found %d", cases[i].name, found);
    }
}
END

TESTS(steps_that_broke_a_law_of_motion_are_told, steps_of_today_break_none)
