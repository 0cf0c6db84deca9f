// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// What a step tells: islands with their methods, and impulses that add up to the change of
// momentum, however many substeps there are.

#include "check_cairn.h"
#include "worlds.h"
#include <string.h>

enum { most_bodies = 64 };

TEST(every_island_has_a_report_and_the_step_has_their_worst)
{
    cairn_world_def def = cairn_default_world_def();
    def.sleep = false;
    cairn_world* world = worlds_columns(def, 5, 4);
    worlds_add(world, CAIRN_BODY_DYNAMIC, cairn_shape_sphere(0.3), cairn_vec(-5.0, 0.0, 20.0));

    for (int k = 0; k < 40; k++) {
        cairn_step_report report = worlds_run(world, 1);
        int bodies = 0, contacts = 0, rows = 0;
        double residual = 0.0;

        ck_assert_int_eq(report.islands, 6);
        for (int i = 0; i < report.islands; i++) {
            const cairn_island_report* own = &report.island_reports[i];
            bodies += own->bodies;
            contacts += own->contacts;
            rows += own->rows;
            residual = fmax(residual, own->residual);
            CHECK(own->outcome == CAIRN_OUTCOME_CONVERGED);
            CHECK((strcmp(own->method, "none") == 0) == (own->contacts == 0));
        }

        // five columns of four, and a ball that falls alone
        ck_assert_int_eq(bodies, 21);
        ck_assert_int_eq(report.awake, 21);
        ck_assert_int_eq(contacts, report.awake_contacts);
        ck_assert_int_eq(rows, 3 * contacts);
        CHECK(residual == report.residual);
    }
    cairn_world_destroy(world);
}
END

TEST(joints_count_in_their_island)
{
    cairn_joint_id motor;
    cairn_world* world = worlds_machine(cairn_default_world_def(), &motor);
    cairn_step_report report = worlds_run(world, 3);
    ck_assert_int_eq(report.islands, 1);
    ck_assert_int_eq(report.island_reports[0].joints, 4);
    // two hinges, a slider, a spring, a motor and a limit beside the contacts
    CHECK(report.island_reports[0].rows >= 3 * report.awake_contacts + 5 + 5 + 5 + 1 + 1);
    cairn_world_destroy(world);
}
END

// the largest |m Δv - m g dt - Σ impulses| of a body in a step, over its m g dt
static double unbalanced(cairn_world* world, const cairn_body_id* id, int count,
                         const cairn_joint_def* joints, const cairn_joint_id* joint_ids, int links)
{
    cairn_vec3 p[most_bodies] = {{0}};
    double weight = 0.0, worst = 0.0;
    const cairn_vec3 g = cairn_vec(0.0, 0.0, -9.81);

    // what gravity alone would leave of each momentum
    for (int i = 0; i < count; i++) {
        cairn_body_state s = worlds_state(world, id[i]);
        p[id[i].index] = cairn_scale(s.mass, cairn_add_scaled(s.velocity, worlds_dt, g));
        weight = fmax(weight, s.mass * 9.81 * worlds_dt);
    }

    worlds_run(world, 1);
    int contact_count;
    const cairn_contact* contacts = cairn_world_contacts(world, &contact_count);

    // and what contacts and joints add to it
    for (int c = 0; c < contact_count; c++) {
        cairn_vec3* a = &p[contacts[c].body_a.index];
        cairn_vec3* b = &p[contacts[c].body_b.index];
        *a = cairn_sub(*a, contacts[c].impulse);
        *b = cairn_add(*b, contacts[c].impulse);
    }

    for (int i = 0; i < links; i++) {
        cairn_joint_state state;
        CHECK(cairn_joint_get(world, joint_ids[i], &state, NULL) == CAIRN_OK);
        if (joints[i].body_a.generation)
            p[joints[i].body_a.index] = cairn_sub(p[joints[i].body_a.index], state.impulse);
        p[joints[i].body_b.index] = cairn_add(p[joints[i].body_b.index], state.impulse);
    }

    for (int i = 0; i < count; i++) {
        cairn_body_state s = worlds_state(world, id[i]);
        cairn_vec3 off = cairn_sub(cairn_scale(s.mass, s.velocity), p[id[i].index]);
        worst = fmax(worst, cairn_norm(off) / weight);
    }

    return worst;
}

TEST(contact_impulses_are_the_change_of_momentum_of_the_step)
{
    for (int substeps = 1; substeps <= 8; substeps *= 2) {
        cairn_world_def def = cairn_default_world_def();
        def.substeps = substeps;
        def.sleep = false;
        cairn_world* world = worlds_empty(def);
        cairn_body_id id[12];
        worlds_ground(world);

        for (int i = 0; i < 12; i++)
            id[i] = worlds_add(world, CAIRN_BODY_DYNAMIC,
                               i % 2 ? cairn_shape_sphere(0.5)
                                     : cairn_shape_box(cairn_vec(0.5, 0.4, 0.3)),
                               cairn_vec(0.3 * (i % 3), 0.2 * (i % 2), 0.6 + 1.1 * i));

        for (int k = 0; k < 90; k++)
            CHECK_BELOW(unbalanced(world, id, 12, NULL, NULL, 0), 1e-9);
        cairn_world_destroy(world);
    }
}
END

// numbers in -1 .. 1, always the same ones
static double scatter(uint32_t* state)
{
    *state = *state * 1664525u + 1013904223u;
    return (double)(*state >> 8) / 8388608.0 - 1.0;
}

// rods, plates, balls and discs that tumble onto each other
static void drop_rubble(cairn_world* world, cairn_body_id* id, int count, uint32_t seed)
{
    const cairn_shape shapes[4] = {cairn_shape_sphere(0.2),
                                   cairn_shape_box(cairn_vec(0.2, 0.15, 0.1)),
                                   cairn_shape_capsule(0.1, 0.15), cairn_shape_cylinder(0.15, 0.2)};
    worlds_ground(world);
    for (int i = 0; i < count; i++) {
        double x[8];
        for (int n = 0; n < 8; n++)
            x[n] = scatter(&seed);
        cairn_vec3 at = cairn_vec(0.3 * x[0], 0.3 * x[1], 0.5 + 0.35 * i);
        cairn_vec3 v = cairn_vec(x[2], x[3], 2.0 * x[4] - 2.0), w = cairn_vec(x[5], x[6], x[7]);
        id[i] = worlds_add(world, CAIRN_BODY_DYNAMIC, shapes[i % 4], at);
        CHECK(cairn_body_set_velocity(world, id[i], v, w, NULL) == CAIRN_OK);
    }
}

// keeps who touches whom; each contact that bore an impulse is between its begin and its end
static void follow_events(bool touching[most_bodies][most_bodies], const cairn_world* world)
{
    cairn_events events = cairn_world_events(world);
    int count;
    const cairn_contact* contacts = cairn_world_contacts(world, &count);
    for (int i = 0; i < events.begun_count; i++)
        touching[events.begun[i].body_a.index][events.begun[i].body_b.index] = true;
    for (int i = 0; i < events.ended_count; i++)
        touching[events.ended[i].body_a.index][events.ended[i].body_b.index] = false;
    for (int c = 0; c < count; c++)
        CHECK(cairn_norm(contacts[c].impulse) == 0.0 ||
              touching[contacts[c].body_a.index][contacts[c].body_b.index]);
}

TEST(rubble_that_is_swept_balances_its_momentum_and_tells_all_that_touches)
{
    for (uint32_t k = 0; k < CHECK_FEWER(12, 4); k++) {
        cairn_world_def def = cairn_default_world_def();
        def.substeps = (const int[]){1, 2, 4, 7}[k % 4];
        def.tolerance = 1e-2;
        def.sleep = false;
        cairn_world* world = worlds_empty(def);
        cairn_body_id id[20];
        bool touching[most_bodies][most_bodies] = {{false}};
        drop_rubble(world, id, 20, k);

        for (int s = 0; s < 150; s++) {
            CHECK_BELOW(unbalanced(world, id, 20, NULL, NULL, 0), 1.001e-9); // 1e-9 and round-off
            follow_events(touching, world);
        }
        cairn_world_destroy(world);
    }
}
END

// a hanging chain of six boxes, open or held at both ends
static int hang(cairn_world* world, cairn_body_id* id, cairn_joint_def* joint,
                cairn_joint_id* joint_id, bool closed)
{
    static const double sag[6] = {-0.1, -0.3, -0.4, -0.4, -0.3, -0.1};
    cairn_vec3 center[6];

    for (int i = 0; i < 6; i++) {
        center[i] = cairn_vec(0.5 * i + 0.25, 0.0, sag[i]);
        id[i] = worlds_add(world, CAIRN_BODY_DYNAMIC, cairn_shape_box(cairn_vec(0.2, 0.05, 0.05)),
                           center[i]);
    }

    // joints halfway between neighbors; the world holds one end or both
    int count = closed ? 7 : 6;
    for (int i = 0; i < count; i++) {
        cairn_vec3 end = cairn_vec(i ? 3.0 : 0.0, 0.0, 0.0);
        cairn_vec3 at = i % 6 ? cairn_scale(0.5, cairn_add(center[i - 1], center[i])) : end;
        joint[i] = cairn_default_joint_def(i == 3 ? CAIRN_JOINT_HINGE : CAIRN_JOINT_BALL);
        joint[i].body_a = i % 6 ? id[i - 1] : (cairn_body_id){0};
        joint[i].body_b = id[i < 6 ? i : 5];
        joint[i].frame_a.p = i % 6 ? cairn_sub(at, center[i - 1]) : at;
        joint[i].frame_b.p = cairn_sub(at, center[i < 6 ? i : 5]);
        CHECK(cairn_world_add_joint(world, &joint[i], &joint_id[i], NULL) == CAIRN_OK);
    }

    return count;
}

TEST(joint_impulses_are_the_change_of_momentum_of_the_step)
{
    for (int k = 0; k < 16; k++) {
        cairn_world_def def = cairn_default_world_def();
        def.substeps = 1 << (k % 4);
        def.integrator = k % 8 < 4 ? CAIRN_INTEGRATOR_EULER : CAIRN_INTEGRATOR_MOREAU;
        def.sleep = false;
        cairn_world* world = worlds_empty(def);
        cairn_body_id id[6];
        cairn_joint_def joint[7];
        cairn_joint_id joint_id[7];
        int links = hang(world, id, joint, joint_id, k >= 8);

        for (int s = 0; s < 60; s++)
            CHECK_BELOW(unbalanced(world, id, 6, joint, joint_id, links), 1e-9);
        cairn_world_destroy(world);
    }
}
END

TEST(contacts_name_the_parts_that_touch)
{
    cairn_shape balls[2] = {cairn_shape_sphere(0.5), cairn_shape_sphere(0.5)};
    cairn_transform at[2] = {cairn_transform_identity(), cairn_transform_identity()};
    at[0].p.x = -1.0;
    at[1].p.x = 1.0;
    cairn_compound* dumbbell;
    CHECK(cairn_compound_create(balls, at, 2, &dumbbell, NULL) == CAIRN_OK);
    cairn_world* world = worlds_empty(cairn_default_world_def());
    worlds_ground(world);
    worlds_add(world, CAIRN_BODY_DYNAMIC, cairn_shape_compound(dumbbell), cairn_vec(0.0, 0.0, 0.5));

    worlds_run(world, 1);
    int count;
    const cairn_contact* contacts = cairn_world_contacts(world, &count);

    ck_assert_int_eq(count, 2);
    for (int c = 0; c < count; c++) {
        ck_assert_int_eq(contacts[c].part_a, 0);
        ck_assert_int_eq(contacts[c].part_b, c);
        CHECK_NEAR(contacts[c].point.x, c ? 1.0 : -1.0, 1e-12);
    }
    cairn_world_destroy(world);
    cairn_compound_destroy(dumbbell);
}
END

// Coulomb's law: |f_T| ≤ μ f_N, with equality where the contact slides
TEST(forces_lie_in_the_cones_that_their_contacts_tell)
{
    cairn_world_def def = cairn_default_world_def();
    def.sleep = false;
    cairn_world* world = worlds_columns(def, 2, 3);
    cairn_body_id slider =
        worlds_add(world, CAIRN_BODY_DYNAMIC, cairn_shape_box(cairn_vec(0.5, 0.5, 0.5)),
                   cairn_vec(-9.0, 0.0, 0.5));
    cairn_body_set_velocity(world, slider, cairn_vec(6.0, 0.0, 0.0), cairn_vec(0.0, 0.0, 0.0),
                            NULL);

    int sliding = 0, bearing = 0;
    for (int k = 0; k < 20; k++) {
        worlds_run(world, 1);
        int count;
        const cairn_contact* contacts = cairn_world_contacts(world, &count);
        for (int i = 0; i < count; i++) {
            const cairn_contact* c = &contacts[i];
            double normal = cairn_dot(c->impulse, c->normal);
            double tangent = cairn_norm(cairn_add_scaled(c->impulse, -normal, c->normal));
            CHECK(c->mu > 0.0);
            CHECK(tangent <= c->mu * normal * (1.0 + 1e-9) + 1e-12);
            bearing += c->state != CAIRN_CONTACT_OPEN;
            sliding += c->state == CAIRN_CONTACT_SLIDE;
            if (c->state == CAIRN_CONTACT_SLIDE)
                CHECK_NEAR(tangent, c->mu * normal, 1e-5 * normal);
        }
    }
    CHECK(sliding > 0 && bearing > sliding);
    cairn_world_destroy(world);
}
END

TEST(the_motion_of_many_steps_has_the_worst_errors_and_the_sums_of_energies)
{
    cairn_motion sum = {0};
    const cairn_motion first = {.penetration = 2e-3,
                                .joint_error = 1e-9,
                                .energy_defect = -0.5,
                                .work_motor = 3.0,
                                .substeps_max = 16,
                                .inertia_raised = 1.0};
    const cairn_motion second = {.penetration = 1e-3,
                                 .joint_error = 1e-6,
                                 .energy_defect = 0.25,
                                 .work_motor = -1.0,
                                 .substeps_max = 4,
                                 .inertia_raised = 8.0};
    cairn_motion_add(&sum, &first);
    cairn_motion_add(&sum, &second);

    ck_assert(sum.penetration == 2e-3 && sum.joint_error == 1e-6);
    ck_assert(sum.energy_defect == -0.25 && sum.work_motor == 2.0);
    ck_assert(sum.substeps_max == 16 && sum.inertia_raised == 8.0);

    // what was not measured is not zero
    cairn_motion_add(&sum, &(cairn_motion){.penetration = NAN});

    ck_assert(isinf(sum.penetration));
}
END

static bool is_listed(const char* name)
{
    for (int i = 0; i < cairn_method_count(); i++)
        if (strcmp(cairn_method_at(i).name, name) == 0)
            return true;
    return false;
}

// steps a world, and marks which of the names its islands were solved by
static void collect(cairn_world* world, int steps, const char* const* names, bool* seen, int count)
{
    for (int k = 0; k < steps; k++) {
        cairn_step_report report = worlds_run(world, 1);
        for (int i = 0; i < report.islands; i++) {
            const char* method = report.island_reports[i].method;
            bool empty = strcmp(method, "none") == 0;
            ck_assert_msg(empty || is_listed(method), "'%s' is in no table", method);
            for (int n = 0; n < count; n++)
                seen[n] = seen[n] || strcmp(method, names[n]) == 0;
        }
    }
    cairn_world_destroy(world);
}

TEST(every_way_that_a_report_names_is_in_the_table_of_methods)
{
    const char* const names[] = {"warm", "statics", "newton", "sweeps", "tree"};
    bool seen[5] = {false};
    cairn_world_def def = cairn_default_world_def();
    cairn_joint_id motor;
    def.sleep = false;

    // what stands; what slides alone, and with another on top; what hangs together
    collect(worlds_wall(def, 6, 5), 20, names, seen, 5);

    for (int boxes = 1; boxes <= 2; boxes++) {
        cairn_world_def loose = def;
        loose.tolerance = 1e-3;
        cairn_world* slide = worlds_empty(loose);
        worlds_ground(slide);

        for (int i = 0; i < boxes; i++) {
            cairn_body_id box =
                worlds_add(slide, CAIRN_BODY_DYNAMIC, cairn_shape_box(cairn_vec(0.5, 0.5, 0.5)),
                           cairn_vec(0.0, 0.0, 0.5 + i));
            CHECK(cairn_body_set_velocity(slide, box, cairn_vec(3.0, 0.0, 0.0),
                                          cairn_vec(0.0, 0.0, 0.0), NULL) == CAIRN_OK);
        }

        collect(slide, 10, names, seen, 5);
    }

    collect(worlds_chain(def, 8, NULL), 10, names, seen, 5);
    collect(worlds_machine(def, &motor), 10, names, seen, 5);

    for (int n = 0; n < 5; n++)
        ck_assert_msg(seen[n], "no island was solved by %s", names[n]);
}
END

TESTS(forces_lie_in_the_cones_that_their_contacts_tell,
      every_way_that_a_report_names_is_in_the_table_of_methods,
      the_motion_of_many_steps_has_the_worst_errors_and_the_sums_of_energies,
      contacts_name_the_parts_that_touch, every_island_has_a_report_and_the_step_has_their_worst,
      joints_count_in_their_island, contact_impulses_are_the_change_of_momentum_of_the_step,
      rubble_that_is_swept_balances_its_momentum_and_tells_all_that_touches,
      joint_impulses_are_the_change_of_momentum_of_the_step)
