// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// A body alone: kick, drift, kick, with damping as in leapfrog.c. A projectile and a free rotor are
// exact in one substep; the user's substeps are for torques and damping.

#include "world/step/leapfrog.h"

// the share of a velocity that damping leaves in a kick, and the factor on the mass that it sees
typedef struct thickness {
    double keep, phi;
} thickness;

static thickness thickness_of(double x)
{
    if (x == 0.0)
        return (thickness){1.0, 1.0};
    double phi = x < 1e-4 ? 1.0 + x / 2.0 + x * x / 12.0 : x / (1.0 - cairn_exp(-x));
    return (thickness){cairn_exp(-x), phi};
}

// what impulses have done in a kick from v to w and the change of velocity does not show:
// (P/m - (w - v)), P/m = φ (w - keep v)
static cairn_vec3 slowed(thickness t, cairn_vec3 v, cairn_vec3 w)
{
    cairn_vec3 P = cairn_scale(t.phi, cairn_add_scaled(w, -t.keep, v));
    return cairn_sub(P, cairn_sub(w, v));
}

// I a · b
static double through_inertia(const cairn_body* body, cairn_vec3 a, cairn_vec3 b)
{
    cairn_vec3 x = cairn_rotate_back(body->q, a), y = cairn_rotate_back(body->q, b);
    return body->inertia.x * x.x * y.x + body->inertia.y * x.y * y.y + body->inertia.z * x.z * y.z;
}

void cairn_island_fly(const cairn_span* span)
{
    cairn_world* world = span->world;
    cairn_body* body = &world->bodies[span->group->bodies[span->island->body]];
    bool twisted = cairn_dot(body->torque, body->torque) > 0.0;
    bool damped = body->linear_damping > 0.0 || body->angular_damping > 0.0;
    int count = twisted || damped ? world->def.substeps : 1;
    double h = span->h / count, eta = 0.5 * h, mass = 1.0 / body->inverse_mass;
    thickness v = thickness_of(eta * body->linear_damping);
    thickness w = thickness_of(eta * body->angular_damping);
    cairn_vec3 pull = cairn_add_scaled(cairn_scale(body->gravity_scale, world->def.gravity),
                                       body->inverse_mass, body->force);

    cairn_motion motion = {.substeps_max = count, .inertia_raised = 1.0};
    for (int k = 0; k < 2 * count; k++) {
        // the kick
        cairn_vec3 v0 = body->v, w0 = body->w;
        body->v = cairn_add_scaled(cairn_scale(v.keep, v0), eta / v.phi, pull);
        body->w = cairn_scale(w.keep, w0);
        if (twisted)
            body->w = cairn_add_scaled(body->w, eta / w.phi,
                                       cairn_mat3_apply(body->inverse_inertia, body->torque));

        // its work
        cairn_vec3 v2 = cairn_add(v0, body->v), w2 = cairn_add(w0, body->w);
        motion.work_external +=
            0.5 * eta * (cairn_dot(body->force, v2) + cairn_dot(body->torque, w2));
        if (damped)
            motion.dissipated += 0.5 * (mass * cairn_dot(slowed(v, v0, body->v), v2) +
                                        through_inertia(body, slowed(w, w0, body->w), w2));

        // the drift, between the two kicks of a substep
        if (k % 2 == 1)
            continue;
        body->x = cairn_add_scaled(body->x, h, body->v);
        cairn_rotate_freely(&body->q, &body->w, body->inertia, h);
        if (twisted)
            cairn_body_refresh(body);
    }

    cairn_body_refresh(body);
    body->advanced = true;
    body->pace = (cairn_pace){0};
    span->island->advanced = true;
    cairn_island_tell_motion(span, &motion, 0);
}
