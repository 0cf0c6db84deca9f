// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// A pile that stood in the last step: its impulses, taken once more, are put to the certificate. If
// they pass they solve this step too, and nothing has to be solved.
//
//     v = v* + M^-1 J^T λ,     u = relative velocity at a contact + bias,     a = tr(A_cc)/3
//     F_N = λ_N - max(0, λ_N - u_N/a),     F_F = λ_F - P_disc(μ λ_N)(λ_F - u_F/a)
//
// the worst a |F| of which is the residual of docs/certificate.md. With cones the friction part
// needs no tangents: λ_F and u_F are vectors in the plane of the contact. Not for contacts with
// torsional or anisotropic friction.

#include "world/island.h"

// what the impulses do to the bodies: momentum first, then v = v* + M^-1 momentum
static void velocities(double* v, const cairn_span* span, const cairn_arms* arms)
{
    const cairn_world* world = span->world;
    const cairn_island* island = span->island;
    const int* local = span->group->local;
    for (int c = 0; c < island->touch_count; c++) {
        const cairn_touch* touch = &world->touches[span->group->touches[island->touch + c]];
        cairn_vec3 P = cairn_scale(cairn_touch_warmth(touch, span->h), touch->impulse);
        for (int side = 0; side < 2; side++) {
            int place = local[side ? touch->b : touch->a];
            if (place < 0)
                continue;
            cairn_vec3 p = side ? P : cairn_scale(-1.0, P);
            cairn_vec3 L = cairn_cross(arms[c].r[side], p);
            double* m = v + 6 * (ptrdiff_t)place;
            m[0] += p.x;
            m[1] += p.y;
            m[2] += p.z;
            m[3] += L.x;
            m[4] += L.y;
            m[5] += L.z;
        }
    }
    for (int i = 0; i < island->body_count; i++) {
        int slot = span->group->bodies[island->body + i];
        const cairn_body* body = &world->bodies[slot];
        const double* start = span->free + 6 * (ptrdiff_t)slot;
        double* m = v + 6 * (ptrdiff_t)i;
        cairn_vec3 turn = cairn_mat3_apply(body->inverse_inertia, cairn_vec(m[3], m[4], m[5]));
        for (int k = 0; k < 3; k++)
            m[k] = start[k] + body->inverse_mass * m[k];
        m[3] = start[3] + turn.x;
        m[4] = start[4] + turn.y;
        m[5] = start[5] + turn.z;
    }
}

// how far one contact is from its law; the largest |b| is kept in *scale
static double violation(const cairn_span* span, const cairn_touch* touch, const cairn_arms* arms,
                        const double* v, double* scale)
{
    const cairn_world* world = span->world;
    const int* local = span->group->local;
    const int slots[2] = {touch->a, touch->b};
    cairn_vec3 p[2], p_free[2];
    double a = 0.0;
    for (int side = 0; side < 2; side++) {
        int place = local[slots[side]];
        cairn_vec3 arm = arms->r[side];
        p_free[side] = cairn_point_velocity(span->free + 6 * (ptrdiff_t)slots[side], arm);
        p[side] = place < 0 ? p_free[side] : cairn_point_velocity(v + 6 * (ptrdiff_t)place, arm);
        a += place < 0 ? 0.0 : cairn_body_trace(&world->bodies[slots[side]], arm) / 3.0;
    }
    cairn_vec3 u = cairn_sub(p[1], p[0]), n = touch->n, u_free = cairn_sub(p_free[1], p_free[0]);
    double free_normal = cairn_dot(u_free, n);
    double bias = cairn_touch_bias(world, touch, span->h);
    double u_n = cairn_dot(u, n) + bias;
    cairn_vec3 u_t = cairn_add_scaled(u, -cairn_dot(u, n), n);
    cairn_vec3 P = cairn_scale(cairn_touch_warmth(touch, span->h), touch->impulse);
    double x = cairn_dot(P, n);
    cairn_vec3 x_t = cairn_add_scaled(P, -x, n);
    cairn_vec3 y_t = cairn_add_scaled(x_t, -1.0 / a, u_t);
    double limit = touch->mu[0] * fmax(x, 0.0), length = cairn_norm(y_t);
    if (length > limit)
        y_t = cairn_scale(limit / length, y_t);
    cairn_vec3 s = cairn_cross(n, touch->t);
    double along = fabs(cairn_dot(u_free, touch->t)), across = fabs(cairn_dot(u_free, s));
    *scale = fmax(*scale, fmax(fabs(free_normal + bias), fmax(along, across)));
    double f = x - fmax(0.0, x - u_n / a);
    cairn_vec3 f_t = cairn_sub(x_t, y_t);
    return a * sqrt(f * f + cairn_dot(f_t, f_t));
}

// Where the bodies are now. As long as they are where detection found them the points of a contact
// are its gap apart, along the normal.
static cairn_arms arms_of(const cairn_span* span, cairn_touch* touch)
{
    if (!span->fresh || touch->balls) {
        cairn_reach reach = cairn_touch_refresh(touch, span->world);
        return (cairn_arms){{reach.r_a, reach.r_b}};
    }
    const cairn_body* a = &span->world->bodies[touch->a];
    const cairn_body* b = &span->world->bodies[touch->b];
    cairn_vec3 r_a = cairn_rotate(a->q, touch->at_a), between = cairn_sub(a->x, b->x);
    return (cairn_arms){{r_a, cairn_add(cairn_add_scaled(between, touch->gap, touch->n), r_a)}};
}

cairn_status cairn_island_verify(const cairn_span* span, cairn_judged* judged, double limit)
{
    cairn_world* world = span->world;
    const cairn_island* island = span->island;
    double* v = CAIRN_TAKE_ZEROED(span->arena, double, 6 * (size_t)island->body_count);
    cairn_arms* arms = CAIRN_TAKE(span->arena, cairn_arms, island->touch_count);
    if (!v || !arms)
        return CAIRN_NO_MEMORY;
    for (int c = 0; c < island->touch_count; c++)
        arms[c] = arms_of(span, &world->touches[span->group->touches[island->touch + c]]);
    velocities(v, span, arms);
    *judged = (cairn_judged){.velocity = v, .arms = arms};
    for (int c = 0; c < island->touch_count && judged->residual <= limit; c++) {
        const cairn_touch* touch = &world->touches[span->group->touches[island->touch + c]];
        judged->residual =
            fmax(judged->residual, violation(span, touch, &arms[c], v, &judged->scale));
    }
    return CAIRN_OK;
}

void cairn_island_accept(const cairn_span* span, const cairn_judged* judged)
{
    const cairn_island* island = span->island;
    for (int c = 0; c < island->touch_count; c++) {
        cairn_touch* touch = &span->world->touches[span->group->touches[island->touch + c]];
        cairn_vec3 P = cairn_scale(cairn_touch_warmth(touch, span->h), touch->impulse);
        cairn_touch_keep(touch, P, 0.0, span->h);
    }
    for (int i = 0; i < island->body_count; i++) {
        cairn_body* body = &span->world->bodies[span->group->bodies[island->body + i]];
        if (!cairn_body_active(body))
            continue;
        const double* v = judged->velocity + 6 * (ptrdiff_t)i;
        body->v = cairn_vec(v[0], v[1], v[2]);
        body->w = cairn_vec(v[3], v[4], v[5]);
    }
}
