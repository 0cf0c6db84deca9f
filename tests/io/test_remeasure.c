// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Recordings of motions that are wrong, made by hand: what a report hides, shapes, places and
// velocities show.

#include "check_cairn.h"
#include "io/recording/remeasure.h"
#include <stdio.h>
#include <string.h>
#include <unistd.h>

// a run of two frames that was written and read again
typedef struct film {
    cairn_stage_body bodies[24];
    cairn_stage_joint joints[24];
    cairn_frame_body states[2][24];
    cairn_stage stage;
    cairn_step_report report; ///< of the step between them
    cairn_remeasured start, end;
    bool touching; ///< a contact between the first two
} film;

static void begin(film* f)
{
    *f = (film){.report = {.step = 1,
                           .time = 1.0 / 60.0,
                           .method = "tree",
                           .motion = {.substeps_max = 4, .inertia_raised = 1.0}}};
    f->stage = (cairn_stage){.change = 1,
                             .name = "",
                             .title = "",
                             .text = "",
                             .dt = 1.0 / 60.0,
                             .substeps = 4,
                             .tolerance = 1e-6,
                             .gravity = {0.0, 0.0, -9.81},
                             .bodies = f->bodies,
                             .joints = f->joints};
}

// a ball of 1 kg and 10 cm at two places, with two velocities
static void add_ball(film* f, cairn_vec3 from, cairn_vec3 to, cairn_vec3 v, cairn_vec3 v_after)
{
    int i = f->stage.body_count++;
    double moment = 0.4 * 0.1 * 0.1;
    f->bodies[i] = (cairn_stage_body){.id = {i, 1},
                                      .shaped = true,
                                      .shape = cairn_shape_sphere(0.1),
                                      .offset = cairn_transform_identity(),
                                      .mass = 1.0,
                                      .principal = cairn_transform_identity(),
                                      .moments = {moment, moment, moment},
                                      .gravity_scale = 1.0,
                                      .category = 1,
                                      .mask = UINT32_MAX};
    for (int k = 0; k < 2; k++) {
        f->states[k][i] = (cairn_frame_body){
            .present = true, .pose = cairn_transform_identity(), .velocity = k ? v_after : v};
        f->states[k][i].pose.p = k ? to : from;
    }
}

// a ball joint between the last two balls, midway between them at the start
static void join(film* f)
{
    int i = f->stage.joint_count++, b = f->stage.body_count - 1, a = b - 1;
    cairn_vec3 half = cairn_scale(0.5, cairn_sub(f->states[0][b].pose.p, f->states[0][a].pose.p));
    f->joints[i] = (cairn_stage_joint){.id = {i, 1},
                                       .kind = CAIRN_JOINT_BALL,
                                       .body_a = a,
                                       .body_b = b,
                                       .frame_a = cairn_transform_identity(),
                                       .frame_b = cairn_transform_identity(),
                                       .length = -1.0};
    f->joints[i].frame_a.p = half;
    f->joints[i].frame_b.p = cairn_scale(-1.0, half);
}

static double lift_of(const film* f, int k)
{
    double sum = 0.0;
    for (int i = 0; i < f->stage.body_count; i++)
        sum += 9.81 * f->states[k][i].pose.p.z;
    return sum;
}

static double moving(const film* f, int k)
{
    double sum = 0.0;
    for (int i = 0; i < f->stage.body_count; i++)
        sum += 0.5 * cairn_dot(f->states[k][i].velocity, f->states[k][i].velocity);
    return sum;
}

// writes both frames, reads and measures them, and judges the step
static cairn_motion_flaws judge(film* f)
{
    char path[256];
    cairn_recorder* recorder = NULL;
    cairn_recording* recording = NULL;
    cairn_error error = {""};
    snprintf(path, sizeof path, "%s/cairn-test-remeasure-%ld.h5", check_cairn_folder(),
             (long)getpid());
    CHECK(cairn_recorder_create(path, &f->stage, true, &recorder, &error) == CAIRN_OK);
    cairn_contact contact = {.body_a = {0, 1}, .body_b = {1, 1}, .normal = {1.0, 0.0, 0.0}};
    for (int k = 0; k < 2; k++) {
        cairn_frame frame = {.change = 1,
                             .report = f->report,
                             .body_count = f->stage.body_count,
                             .bodies = f->states[k],
                             .contact_count = f->touching,
                             .contacts = &contact};
        frame.report.step = k;
        frame.report.kinetic = moving(f, k);
        frame.report.potential = lift_of(f, k);
        cairn_status status = cairn_recorder_add(recorder, &f->stage, &frame, &error);
        ck_assert_msg(status == CAIRN_OK, "%s", error.text);
    }
    CHECK(cairn_recorder_destroy(recorder, &error) == CAIRN_OK);

    cairn_status status = cairn_recording_open(path, &recording, &error);
    ck_assert_msg(status == CAIRN_OK, "%s", error.text);
    cairn_stage stage = {0};
    cairn_frame frame = {0};
    cairn_remeasure all = {0};
    for (int k = 0; k < 2; k++) {
        CHECK(cairn_recording_show(recording, k, &stage, &frame, &error) == CAIRN_OK);
        CHECK(cairn_remeasure_frame(&all, &stage, &frame, k ? &f->end : &f->start, &error) ==
              CAIRN_OK);
    }
    cairn_motion_flaws flaws = cairn_motion_judge(&f->start, &f->end, &frame.report, stage.dt);
    cairn_remeasure_destroy(&all);
    cairn_frame_destroy(&frame);
    cairn_stage_destroy(&stage);
    cairn_recording_destroy(recording);
    remove(path);
    return flaws;
}

static bool sound(cairn_motion_flaws flaws)
{
    return !flaws.overlaps && !flaws.torn && !flaws.gained && !flaws.differs;
}

static const cairn_vec3 none = {0.0, 0.0, 0.0};

// ---------------------------------------------------------------- what is right

TEST(a_ball_that_falls_is_sound)
{
    film f;
    begin(&f);
    double dt = f.stage.dt, v = 9.81 * dt;
    add_ball(&f, cairn_vec(0.0, 0.0, 1.0), cairn_vec(0.0, 0.0, 1.0 - 0.5 * v * dt), none,
             cairn_vec(0.0, 0.0, -v));
    cairn_motion_flaws flaws = judge(&f);
    ck_assert(sound(flaws) && f.end.weighed);
    CHECK_NEAR(flaws.gain, 0.0, 1e-14);
}
END

TEST(two_balls_that_touch_are_sound)
{
    film f;
    begin(&f);
    add_ball(&f, none, none, none, none);
    add_ball(&f, cairn_vec(0.2, 0.0, 0.0), cairn_vec(0.2, 0.0, 0.0), none, none);
    ck_assert(sound(judge(&f)));
}
END

// ---------------------------------------------------------------- what is wrong

TEST(a_chain_that_is_torn_is_found_whether_it_is_admitted_or_not)
{
    film f;
    begin(&f);
    for (int i = 0; i < 20; i++) {
        // the lower half has fallen by 1 cm
        cairn_vec3 from = cairn_vec(0.3 * i, 0.0, 0.0);
        cairn_vec3 to = cairn_vec(0.3 * i, 0.0, i >= 10 ? -0.01 : 0.0);
        add_ball(&f, from, to, none, none);
        if (i > 0)
            join(&f);
    }
    cairn_motion_flaws flaws = judge(&f);
    ck_assert(flaws.torn && flaws.differs && !flaws.overlaps);
    ck_assert_int_eq(f.end.joint, 9);
    CHECK_NEAR(f.end.joint_error, 0.01, 1e-15);

    // a report that admits it does not make it right
    f.report.joint_error = f.report.motion.joint_error = 0.01;
    flaws = judge(&f);
    ck_assert(flaws.torn && !flaws.differs);
}
END

TEST(a_ball_that_gains_energy_is_found_unless_work_explains_it)
{
    film f;
    begin(&f);
    add_ball(&f, none, cairn_vec(0.02, 0.0, 0.0), cairn_vec(1.0, 0.0, 0.0),
             cairn_vec(1.1, 0.0, 0.0));
    cairn_motion_flaws flaws = judge(&f);
    ck_assert(flaws.gained && flaws.differs);
    CHECK_NEAR(flaws.gain, 0.5 * (1.21 - 1.0), 1e-15);

    // a defect that is admitted is one all the same
    f.report.motion.energy_defect = 0.105;
    flaws = judge(&f);
    ck_assert(flaws.gained && !flaws.differs);

    // somebody has pushed it
    f.report.motion.energy_defect = 0.0;
    f.report.motion.work_external = 0.105;
    ck_assert(sound(judge(&f)));
}
END

TEST(balls_that_sleep_in_each_other_are_found)
{
    film f;
    begin(&f);
    for (int i = 0; i < 10; i++) {
        cairn_vec3 at = cairn_vec(0.15 * i, 0.0, 0.0);
        add_ball(&f, at, at, none, none);
        f.states[0][i].asleep = f.states[1][i].asleep = true;
    }
    cairn_motion_flaws flaws = judge(&f);
    ck_assert(flaws.overlaps && flaws.differs);
    CHECK_NEAR(f.end.penetration, 0.05, 1e-14);

    // those that do not collide may lie anywhere
    for (int i = 0; i < 10; i++)
        f.bodies[i].mask = 0;
    ck_assert(sound(judge(&f)));
}
END

TEST(an_overlap_that_the_residual_allows_must_be_reported)
{
    film f;
    begin(&f);
    add_ball(&f, none, none, none, none);
    add_ball(&f, cairn_vec(0.2, 0.0, 0.0), cairn_vec(0.195, 0.0, 0.0), none, none);
    f.report.penetration = f.report.motion.penetration = 5e-3;
    ck_assert(judge(&f).overlaps);

    // 1 mm is allowed, and 0.3 m/s for 1/60 s
    f.report.residual_velocity = 0.3;
    ck_assert(sound(judge(&f)));
    f.report.penetration = f.report.motion.penetration = 0.0;
    ck_assert(judge(&f).differs);
}
END

TEST(joined_balls_may_overlap_unless_their_joint_says_that_they_collide)
{
    film f;
    begin(&f);
    add_ball(&f, none, none, none, none);
    add_ball(&f, cairn_vec(0.1, 0.0, 0.0), cairn_vec(0.1, 0.0, 0.0), none, none);
    join(&f);
    ck_assert(sound(judge(&f)));
    f.joints[0].collide = true;
    ck_assert(judge(&f).overlaps);
}
END

TEST(the_energy_of_a_motor_beside_contacts_is_not_judged)
{
    film f;
    begin(&f);
    add_ball(&f, none, none, none, cairn_vec(1.0, 0.0, 0.0));
    add_ball(&f, cairn_vec(0.2, 0.0, 0.0), cairn_vec(0.2, 0.0, 0.0), none, none);
    join(&f);
    ck_assert(judge(&f).gained);
    f.joints[0].driven = true;
    ck_assert(judge(&f).gained);
    f.touching = true;
    cairn_motion_flaws flaws = judge(&f);
    ck_assert(sound(flaws) && !flaws.judged);
}
END

TEST(energy_goes_into_a_spring_and_comes_back)
{
    film f;
    begin(&f);
    // 1 kg on 400 N/m: ½ v² = ½ 400 x² at x = 0.1 for v = 2
    add_ball(&f, cairn_vec(0.5, 0.0, 0.0), cairn_vec(0.6, 0.0, 0.0), cairn_vec(2.0, 0.0, 0.0),
             none);
    f.stage.joint_count = 1;
    f.joints[0] = (cairn_stage_joint){.id = {0, 1},
                                      .kind = CAIRN_JOINT_DISTANCE,
                                      .body_a = CAIRN_WORLD_BODY,
                                      .frame_a = cairn_transform_identity(),
                                      .frame_b = cairn_transform_identity(),
                                      .length = -1.0,
                                      .stiffness = 400.0,
                                      .rest = 0.5};
    cairn_motion_flaws flaws = judge(&f);
    ck_assert(sound(flaws));
    CHECK_NEAR(f.end.spring, 2.0, 1e-14);
    CHECK_NEAR(flaws.gain, 0.0, 1e-14);
}
END

TESTS(a_ball_that_falls_is_sound, two_balls_that_touch_are_sound,
      a_chain_that_is_torn_is_found_whether_it_is_admitted_or_not,
      a_ball_that_gains_energy_is_found_unless_work_explains_it,
      balls_that_sleep_in_each_other_are_found,
      an_overlap_that_the_residual_allows_must_be_reported,
      joined_balls_may_overlap_unless_their_joint_says_that_they_collide,
      the_energy_of_a_motor_beside_contacts_is_not_judged, energy_goes_into_a_spring_and_comes_back)
