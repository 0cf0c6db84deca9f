// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// A body whose state is not finite, or that is farther than 1e9 m from the origin, is taken out of
// the simulation and reported: it stays where it is, nothing touches it, its joints let go. Bodies
// that would leave within the substep are found before its problem is made, so that no number of
// theirs reaches the bodies that are sound.

#include "world/state.h"

static const double range = 1e9; // m, and rad/s

// false also for numbers that are none
static bool within(cairn_vec3 v)
{
    return cairn_dot(v, v) < range * range;
}

// where and how fast the body will be after h seconds if nothing holds it
static bool sound(const cairn_world* world, const cairn_body* body, double h)
{
    cairn_vec3 v = body->v, w = body->w;
    if (h > 0.0 && body->type == CAIRN_DYNAMIC) {
        cairn_vec3 pull = cairn_scale(body->gravity_scale, world->def.gravity);
        v = cairn_add_scaled(v, h, cairn_add_scaled(pull, body->inverse_mass, body->force));
        w = cairn_add_scaled(w, h, cairn_mat3_apply(body->inverse_inertia, body->torque));
    }
    return within(body->x) && within(w) && cairn_is_finite(v) &&
           within(cairn_add_scaled(body->x, h, v));
}

static void freeze(cairn_world* world, cairn_body* body)
{
    static const cairn_filter unseen = {.category = 0, .mask = 0, .owner = -1, .fixed = true};
    cairn_vec3 none = cairn_vec(0.0, 0.0, 0.0);
    body->frozen = true;
    body->v = body->w = none;
    if (!cairn_is_finite(body->x))
        body->x = none;
    if (!isfinite(body->q.w + body->q.x + body->q.y + body->q.z))
        body->q = cairn_quat_identity();
    body->inverse_mass = 0.0;
    cairn_body_refresh(body);
    if (body->proxy >= 0)
        cairn_broad_set_filter(world->broad, body->proxy, &unseen);
}

void cairn_body_freeze_lost(cairn_world* world, cairn_body* body, double h,
                            cairn_step_report* report)
{
    if (sound(world, body, h))
        return;
    freeze(world, body);
    report->frozen++;
}

void cairn_world_freeze_lost(cairn_world* world, double h, cairn_step_report* report)
{
    for (int i = 0; i < world->body_count; i++) {
        cairn_body* body = &world->bodies[i];
        if (!body->alive || body->frozen || body->asleep || body->type == CAIRN_STATIC)
            continue;
        cairn_body_freeze_lost(world, body, h, report);
    }
}
