// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// What a report says of overlaps, against all pairs measured afresh: it hides nothing, it makes
// nothing up where a body has left the plane of a contact within the step, and a step that leaves bodies deeper in each other than is allowed has not converged.

#include "check_cairn.h"
#include "worlds.h"
#include <cairn/random.h>

enum { most_bodies = 64 };

typedef struct crowd {
    cairn_world* world;
    cairn_body_id ids[most_bodies];
    const cairn_shape* shapes[most_bodies];
    int count;
    cairn_contacts contacts;
} crowd;

static void add(crowd* all, const cairn_shape* shape, cairn_body_def def)
{
    def.shape = all->shapes[all->count] = shape;
    CHECK(cairn_world_add_body(all->world, &def, &all->ids[all->count++], NULL) == CAIRN_OK);
}

static void add_floor(crowd* all, const cairn_shape* floor)
{
    cairn_body_def def = cairn_default_body_def();
    def.type = CAIRN_BODY_STATIC;
    add(all, floor, def);
}

// how deep two bodies overlap, from fresh manifolds with all points
static double depth_of(crowd* all, int a, int b)
{
    const cairn_collide_def def = {.all_points = true};
    cairn_body_state first, second;
    CHECK(cairn_body_get(all->world, all->ids[a], &first, NULL) == CAIRN_OK);
    CHECK(cairn_body_get(all->world, all->ids[b], &second, NULL) == CAIRN_OK);
    cairn_contacts_clear(&all->contacts);
    CHECK(cairn_collide(&all->contacts, all->shapes[a], first.pose, all->shapes[b], second.pose,
                        &def) == CAIRN_OK);

    double depth = 0.0;
    for (int i = 0; i < all->contacts.point_count; i++)
        depth = fmax(depth, -all->contacts.points[i].gap);
    return depth;
}

static void check_step(crowd* all, const cairn_step_report* report, double dt)
{
    double deepest = 0.0;
    bool allowed = true;
    for (int a = 0; a < all->count; a++)
        for (int b = a + 1; b < all->count; b++) {
            double depth = depth_of(all, a, b);
            deepest = fmax(deepest, depth);
            allowed = allowed && depth <= cairn_overlap_allowed(all->shapes[a], all->shapes[b]) +
                                              report->residual_velocity * dt;
        }
    CHECK_BELOW(deepest - report->motion.penetration, 1e-5);
    CHECK_BELOW(report->motion.penetration - deepest, 1e-5);
    CHECK(allowed || report->outcome != CAIRN_OUTCOME_CONVERGED);
}

// bodies thrown onto a heap
static void toss(const cairn_shape* shapes[], int kinds, double step)
{
    enum { thrown = CHECK_SLOW_BUILD ? 20 : 40, steps = CHECK_SLOW_BUILD ? 75 : 150 };
    static const double dt = 1.0 / 60.0;
    cairn_shape floor = cairn_shape_half_space();
    cairn_random random = {17};
    crowd all = {.world = worlds_empty(cairn_default_world_def())};
    add_floor(&all, &floor);

    for (int i = 0; i < thrown; i++) {
        cairn_body_def def = cairn_default_body_def();
        def.pose.p = cairn_vec(0.1 * (i % 5), 0.13 * (i % 3), 0.5 + step * i);
        def.velocity = cairn_scale(2.0, cairn_random_direction(&random));
        def.spin = cairn_scale(8.0, cairn_random_direction(&random));
        add(&all, shapes[i % kinds], def);
    }

    for (int k = 0; k < steps; k++) {
        cairn_step_report report;
        CHECK(cairn_world_step(all.world, dt, &report, NULL) == CAIRN_OK);
        check_step(&all, &report, dt);
    }
    cairn_contacts_destroy(&all.contacts);
    cairn_world_destroy(all.world);
}

TEST(no_overlap_of_tossed_boxes_is_hidden)
{
    cairn_shape box = cairn_shape_box(cairn_vec(0.2, 0.2, 0.2));
    cairn_shape brick = cairn_shape_box(cairn_vec(0.3, 0.1, 0.15));
    toss((const cairn_shape*[]){&box, &brick}, 2, 0.55);
}
END

TEST(no_overlap_of_tossed_round_bodies_is_hidden)
{
    cairn_shape ball = cairn_shape_sphere(0.2), rod = cairn_shape_capsule(0.1, 0.2);
    cairn_shape can = cairn_shape_cylinder(0.15, 0.15);
    toss((const cairn_shape*[]){&ball, &rod, &can}, 3, 0.5);
}
END

// a rod strikes the edge of a box and turns about it: a point that was over a face ends beside it
TEST(a_rod_that_leaves_the_plane_of_a_contact_is_not_below_it)
{
    enum { steps = 20 };
    cairn_shape box = cairn_shape_box(cairn_vec(0.3, 0.3, 0.3));
    cairn_shape rod = cairn_shape_capsule(0.05, 0.2);
    crowd all = {.world = worlds_empty(cairn_default_world_def())};
    cairn_body_def def = cairn_default_body_def();
    def.type = CAIRN_BODY_STATIC;
    add(&all, &box, def);
    def = cairn_default_body_def();
    def.pose.p = cairn_vec(-0.3353413765926585, -0.56485938414967229, -0.75397615166727483);
    def.velocity = cairn_vec(3.0911564475580797, 8.5546941359410695, 10.183477246828158);
    def.spin = cairn_vec(13.077454043308643, 24.037044275675267, -47.078536997258198);
    add(&all, &rod, def);

    for (int k = 0; k < steps; k++) {
        cairn_step_report report;
        CHECK(cairn_world_step(all.world, 1.0 / 60.0, &report, NULL) == CAIRN_OK);
        check_step(&all, &report, 1.0 / 60.0);
    }
    cairn_contacts_destroy(&all.contacts);
    cairn_world_destroy(all.world);
}
END

// a block that begins half way in the floor, and is pushed out of it step by step
TEST(an_overlap_that_is_not_allowed_is_no_success)
{
    cairn_shape floor = cairn_shape_half_space(), box = cairn_shape_box(cairn_vec(0.1, 0.1, 0.1));
    crowd all = {.world = worlds_empty(cairn_default_world_def())};
    add_floor(&all, &floor);
    cairn_body_def def = cairn_default_body_def();
    def.pose.p.z = 0.05;
    add(&all, &box, def);

    cairn_step_report report;
    CHECK(cairn_world_step(all.world, 1.0 / 60.0, &report, NULL) == CAIRN_OK);

    CHECK(report.motion.penetration < cairn_overlap_allowed(&floor, &box) ||
          report.outcome == CAIRN_OUTCOME_STEP_LIMIT);
    CHECK(report.island_reports[0].outcome == report.outcome);
    cairn_contacts_destroy(&all.contacts);
    cairn_world_destroy(all.world);
}
END

TESTS(no_overlap_of_tossed_boxes_is_hidden, no_overlap_of_tossed_round_bodies_is_hidden,
      a_rod_that_leaves_the_plane_of_a_contact_is_not_below_it,
      an_overlap_that_is_not_allowed_is_no_success)
