// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The scenes at the papers' size have the published numbers of bodies and the published friction,
// start without overlaps, and are solved within their tolerance. Two mechanisms do what their titles
// say.

#include "check_cairn.h"
#include <cairn/cairn.h>
#include <cairn/io.h>
#include <stdio.h>

static cairn_scene* open(const char* name)
{
    char path[4096];
    cairn_scene* scene = NULL;
    cairn_error error = {""};
    snprintf(path, sizeof path, "%s/scenes/%s.json", CAIRN_SOURCE_DIR, name);
    ck_assert_msg(cairn_scene_read(path, NULL, &scene, &error) == CAIRN_OK, "%s", error.text);
    return scene;
}

static cairn_step_report step(cairn_scene* scene)
{
    cairn_step_report report;
    cairn_error error = {""};
    cairn_status status = cairn_scene_step(scene, cairn_scene_describe(scene).dt, &report, &error);
    ck_assert_msg(status == CAIRN_OK, "%s", error.text);
    return report;
}

static cairn_body_state get(cairn_scene* scene, const char* name)
{
    cairn_body_id id;
    cairn_body_state state;
    ck_assert_msg(cairn_scene_find(scene, name, &id), "%s is missing", name);
    CHECK(cairn_body_get(cairn_scene_world(scene), id, &state, NULL) == CAIRN_OK);
    return state;
}

// bodies that move, those that enter later included
static const struct {
    const char* name;
    int bodies, fixed;
    double mu, mu_spin, dt;
} published[] = {
    {"glasses362", 362, 5, 0.75, 0.01, 0.01},    {"jacks362", 362, 5, 0.75, 0.01, 0.01},
    {"temple639", 639, 1, 0.75, 0.01, 0.01},     {"colosseum649", 649, 1, 0.75, 0.01, 0.01},
    {"spheres1730", 1730, 5, 0.75, 0.01, 0.01},  {"funnel2002", 2002, 2, 0.75, 0.01, 0.01},
    {"chalices4004", 4004, 1, 0.75, 0.01, 0.01}, {"pile888", 889, 1, 0.5, 0.0, 1.0 / 60.0},
};

enum { published_count = sizeof published / sizeof published[0] };

TEST(scenes_have_the_published_numbers_of_bodies_and_the_published_friction)
{
    for (int i = 0; i < published_count; i++) {
        cairn_scene* scene = open(published[i].name);
        cairn_world* world = cairn_scene_world(scene);
        cairn_scene_info info = cairn_scene_describe(scene);
        ck_assert_msg(info.body_count == published[i].bodies + published[i].fixed,
                      "%s has %d bodies", published[i].name, info.body_count);
        CHECK_NEAR(info.dt, published[i].dt, 1e-12);
        for (int slot = 0; slot < cairn_world_body_slots(world); slot++) {
            cairn_material material;
            CHECK(cairn_body_get_material(world, cairn_world_body_at(world, slot), &material,
                                          NULL) == CAIRN_OK);
            CHECK_NEAR(material.mu, published[i].mu, 0.0);
            CHECK_NEAR(material.mu_spin, published[i].mu_spin, 0.0);
        }
        cairn_scene_destroy(scene);
    }
}
END

// two of them stand from the start, most of the others fall first: nothing may overlap
TEST(scenes_start_without_overlaps_and_gain_no_energy)
{
    const double deepest = 1e-3; // m: a thousandth of a body; cubes at a pitch of 1.001 touch
    for (int i = 0; i < published_count; i++) {
        if (CHECK_SLOW_BUILD && published[i].bodies > 700)
            continue;
        cairn_scene* scene = open(published[i].name);
        double kinetic, potential;
        cairn_world_energy(cairn_scene_world(scene), &kinetic, &potential);
        cairn_step_report report = step(scene);
        ck_assert_msg(report.penetration <= deepest, "%s: overlaps of %g m", published[i].name,
                      report.penetration);
        CHECK_BELOW(report.kinetic + report.potential, (kinetic + potential) * (1.0 + 1e-6));
        cairn_scene_destroy(scene);
    }
}
END

// The steps that a test has time for: until the first impacts have gone through the bodies, and the
// colosseum until it is hit (docs/papers.md has the whole runs).
TEST(scenes_with_torsion_are_solved_within_their_tolerance)
{
    static const struct {
        const char* name;
        int steps, contacts;
    } runs[] = {{"spheres1730", 45, 1500},
                {"jacks362", 60, 300},
                {"glasses362", 35, 1000},
                {"temple639", 30, 3000},
                {"colosseum649", 28, 5000}};
    for (int i = 0; i < 5; i++) {
        cairn_scene* scene = open(runs[i].name);
        int contacts = 0;
        for (int n = 0; n < runs[i].steps / (CHECK_SLOW_BUILD ? 8 : 1); n++) {
            cairn_step_report report = step(scene);
            ck_assert_msg(report.residual <= 1e-3, "%s, step %d: residual %g", runs[i].name, n,
                          report.residual);
            contacts = report.contacts > contacts ? report.contacts : contacts;
        }
        if (!CHECK_SLOW_BUILD)
            ck_assert_msg(contacts > runs[i].contacts, "%s: %d contacts", runs[i].name, contacts);
        cairn_scene_destroy(scene);
    }
}
END

TEST(bodies_of_the_plane_world_do_not_leave_their_plane)
{
    cairn_scene* scene = open("plane");
    cairn_world* world = cairn_scene_world(scene);
    int touching = 0;
    for (int n = 0; n < 90; n++) {
        cairn_step_report report = step(scene);
        touching = report.contacts > touching ? report.contacts : touching;
        CHECK_BELOW(report.joint_error, 1e-6);
    }
    for (int slot = 0; slot < cairn_world_body_slots(world); slot++) {
        cairn_body_state state;
        CHECK(cairn_body_get(world, cairn_world_body_at(world, slot), &state, NULL) == CAIRN_OK);
        if (!isfinite(state.mass))
            continue;

        // three points 0.3 m apart, each within 1e-6 m of the plane
        CHECK_NEAR(state.center.y, 0.0, 1e-5);
        CHECK_NEAR(state.velocity.y, 0.0, 1e-3);
        CHECK_NEAR(cairn_norm(cairn_vec(state.spin.x, 0.0, state.spin.z)), 0.0, 1e-2);
    }
    CHECK(touching > 20);
    cairn_scene_destroy(scene);
}
END

// the cam is a box of 0.6 by 0.2 m: on its corner it holds the plate sqrt(0.3² + 0.1²) above its
// axle, on its flat side 0.1
TEST(the_cam_lifts_the_plate_by_contact_as_far_as_its_corner_reaches)
{
    const double axle = 0.5, half_plate = 0.05, corner = 0.316227766016838;
    cairn_scene* scene = open("double-jack");
    double top = 0.0, bottom = INFINITY, left = INFINITY;
    int contacts = 0;
    for (int n = 0; n < 200; n++) {
        cairn_step_report report = step(scene);
        double z = get(scene, "plate").center.z;
        CHECK_BELOW(report.joint_error, 1e-8);
        CHECK_BELOW(report.penetration, 1e-4);
        contacts = report.contacts > contacts ? report.contacts : contacts;
        top = fmax(top, z);
        bottom = n > 100 ? fmin(bottom, z) : bottom;
        left = fmin(left, get(scene, "follower").center.x);
    }

    // a step of 1/60 s at 2 rad/s passes the corner within 1/60 rad: 0.316 (1 - cos 1/60) = 4e-5 m
    CHECK_NEAR(top, axle + corner + half_plate, 1e-3);
    CHECK_BELOW(axle + 0.1 + half_plate - 1e-4, bottom);
    CHECK(contacts >= 5);
    CHECK_BELOW(left, 0.2); // follows the cam by its spring: 0.35 at the start
    cairn_scene_destroy(scene);
}
END

TESTS(scenes_have_the_published_numbers_of_bodies_and_the_published_friction,
      scenes_start_without_overlaps_and_gain_no_energy,
      scenes_with_torsion_are_solved_within_their_tolerance,
      bodies_of_the_plane_world_do_not_leave_their_plane,
      the_cam_lifts_the_plate_by_contact_as_far_as_its_corner_reaches)
