// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The end of a step: contacts as the user sees them, and the figures of the report.

#include "world/alerts.h"
#include "world/sleep/sleep.h"
#include "world/step/island.h"
#include "world/step/undo.h"
#include "world/threads.h"

static cairn_contact_state state_of(const cairn_touch* touch)
{
    double normal = cairn_dot(touch->total, touch->n);
    double tangent = cairn_norm(cairn_add_scaled(touch->total, -normal, touch->n));
    if (!(normal > 0.0))
        return CAIRN_CONTACT_OPEN;
    return tangent < (1.0 - 1e-6) * touch->mu[0] * normal ? CAIRN_CONTACT_STICK
                                                          : CAIRN_CONTACT_SLIDE;
}

// the point of a contact on B, from its center
static cairn_vec3 arm_of(const cairn_world* world, const cairn_touch* touch)
{
    const cairn_body* b = &world->bodies[touch->b];
    if (touch->rule == CAIRN_RULE_ANCHORS)
        return cairn_rotate(b->q, touch->at_b);
    return cairn_touch_reach(touch, world).r_b;
}

static cairn_contact shown(const cairn_world* world, const cairn_touch* touch)
{
    const cairn_body *a = &world->bodies[touch->a], *b = &world->bodies[touch->b];
    return (cairn_contact){.body_a = {touch->a, a->generation},
                           .body_b = {touch->b, b->generation},
                           .point = cairn_add(b->x, arm_of(world, touch)),
                           .normal = touch->n,
                           .impulse = touch->total,
                           .gap = touch->gap,
                           .part_a = touch->part_a,
                           .part_b = touch->part_b,
                           .state = state_of(touch),
                           .mu = touch->mu[0]};
}

static void show_some(void* context, int first, int end)
{
    cairn_world* world = context;
    for (int c = first; c < end; c++)
        world->contacts[world->slept_count + c] = shown(world, &world->touches[c]);
}

// those of sleeping pairs stand first and change only when a pair falls asleep or wakes
static void publish_contacts(cairn_world* world, cairn_step_report* report)
{
    if (!world->slept_shown) {
        world->slept_depth = 0.0;
        for (int c = 0; c < world->slept_count; c++) {
            world->contacts[c] = shown(world, &world->slept[c]);
            if (!world->slept[c].soft)
                world->slept_depth = fmax(world->slept_depth, -world->slept[c].gap);
        }
        world->slept_shown = true;
    }

    // contacts of bodies that are awake follow those that sleep
    report->penetration = fmax(report->penetration, world->slept_depth);
    cairn_world_loop(world, show_some, world, world->touch_count, cairn_touches_at_once);
    for (int c = 0; c < world->touch_count; c++)
        if (!world->touches[c].soft) // those may overlap
            report->penetration = fmax(report->penetration, -world->touches[c].gap);

    report->contacts = world->slept_count + world->touch_count;
    report->awake_contacts = world->touch_count;
}

static void measure_joints(const cairn_world* world, cairn_step_report* report)
{
    for (int i = 0; i < world->link_count; i++) {
        const cairn_link* link = &world->links[i];
        if (!link->alive)
            continue;
        report->joint_error = fmax(report->joint_error, cairn_link_gap(world, link));
        report->joints++;
    }
}

static void publish_events(cairn_event_list* shown_list, cairn_event_list* found)
{
    cairn_event_list swap = *shown_list;
    *shown_list = *found;
    *found = swap;
}

// does all that may fail; falling asleep cannot be undone, and comes last
static cairn_status prepare(cairn_world* world, double dt)
{
    cairn_status status = cairn_world_find_events(world);
    if (status == CAIRN_OK)
        status = cairn_reports_reserve(world);
    if (status == CAIRN_OK && !cairn_world_reserve_contacts(world))
        status = CAIRN_NO_MEMORY;
    if (status == CAIRN_OK && world->alerts)
        status = cairn_alerts_find(world, dt);
    return status == CAIRN_OK ? cairn_world_fall_asleep(world, dt) : status;
}

cairn_status cairn_world_publish(cairn_world* world, double dt, cairn_step_report* report)
{
    cairn_status status = prepare(world, dt);
    if (status != CAIRN_OK)
        return status;

    // nothing fails from here on
    world->version++;
    world->step++;
    world->time += dt;
    world->dt = dt;

    publish_events(&world->begun, &world->begins);
    publish_events(&world->ended, &world->ends);
    cairn_reports_publish(world, report);
    if (world->alerts)
        cairn_alerts_publish(world);
    if (report->frozen > 0)
        cairn_world_hide_frozen(world);
    publish_contacts(world, report);
    measure_joints(world, report);
    cairn_world_follow_angles(world, dt);

    report->motion.penetration = fmax(report->motion.penetration, report->penetration);
    report->motion.joint_error = fmax(report->motion.joint_error, report->joint_error);

    // forces and targets last for one step
    for (int i = 0; i < world->body_count; i++) {
        cairn_body* body = &world->bodies[i];
        if (body->aimed)
            body->v = body->w = cairn_vec(0.0, 0.0, 0.0);
        body->aimed = body->traveled = false;
        body->pushed = cairn_dot(body->force, body->force) > 0.0 ||
                       cairn_dot(body->torque, body->torque) > 0.0;
        body->force = body->torque = cairn_vec(0.0, 0.0, 0.0);
        body->squeezed = body->yields;
        body->advanced = body->yields = false;
        report->bodies += body->alive && body->inverse_mass > 0.0 && !body->copy;
        report->awake += cairn_body_active(body) && !body->copy;
    }

    cairn_undo_mark_travelers(world);
    cairn_world_energy(world, &report->kinetic, &report->potential);
    report->step = world->step;
    report->time = world->time;
    return CAIRN_OK;
}
