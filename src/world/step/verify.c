// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// A pile that stood in the last step: its impulses, taken once more, are put to the certificate. If
// they pass they solve this step too, and nothing has to be solved.
//
//     v = v* + M^-1 J^T λ,     u = relative velocity at a contact + bias,     a = tr(A_cc)/3
//
// The worst a |F| of the natural map (natural_map.h) is the residual of docs/certificate.md. With
// cones the friction part needs no tangents: λ_F and u_F are vectors in the plane of the contact.
// Ellipses and ellipsoids are measured along their axes, and torsion as a third row.

#include "problem/friction.h"
#include "problem/natural_map.h"
#include "world/step/balance.h"
#include "world/step/island.h"
#include "world/threads.h"

// what the impulses do to the bodies: momentum first, then v = v* + M^-1 momentum
static void velocities(double* v, const cairn_span* span, const cairn_contact_place* placed)
{
    const cairn_world* world = span->world;
    const cairn_island* island = span->island;
    const int* local = span->group->local;

    // momentum that each contact gives to its two bodies
    for (int c = 0; c < island->touch_count; c++) {
        const cairn_touch* touch = cairn_span_touch(span, c);
        double warmth = cairn_touch_warmth(touch, span->kick), spin = warmth * touch->spin_impulse;
        cairn_vec3 P = cairn_scale(warmth, touch->impulse);
        if (cairn_is_out(&placed[c]))
            continue;
        for (int side = 0; side < 2; side++) {
            int place = local[side ? touch->b : touch->a];
            if (place < 0)
                continue;
            cairn_vec3 p = side ? P : cairn_scale(-1.0, P);
            cairn_vec3 L = cairn_cross(placed[c].r[side], p);
            if (touch->rows == 4)
                L = cairn_add_scaled(L, side ? spin : -spin, touch->n);
            double* m = v + 6 * (ptrdiff_t)place;
            m[0] += p.x;
            m[1] += p.y;
            m[2] += p.z;
            m[3] += L.x;
            m[4] += L.y;
            m[5] += L.z;
        }
    }

    // v = v* + M^-1 m
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

// |F| of a contact whose friction is no cone, from its map with vectors in the world; `spin` is
// that of B against A, `turning` how easily it is changed, and *a becomes the mean diagonal of all
// rows
static double natural_law(cairn_natural map, const cairn_touch* touch, double impulse, double spin,
                          double turning, double* a)
{
    cairn_friction friction = cairn_touch_friction(touch);
    cairn_mat3 frame = cairn_touch_frame(touch);
    cairn_vec3 x = cairn_vec(map.lambda_t[0], map.lambda_t[1], map.lambda_t[2]);
    cairn_vec3 v = cairn_vec(map.v_t[0], map.v_t[1], map.v_t[2]);
    double mu[3] = {touch->mu[0], touch->mu[1], touch->mu[0]}, arm = 0.0;
    if (touch->rows == 4) {
        arm = cairn_spin_arm(&friction);
        mu[2] = cairn_spin_axis(&friction);
        if (arm * arm * turning > 0.0)
            *a = (3.0 * *a + arm * arm * turning) / 4.0;
    }

    map.over = 1.0 / *a;
    map.lambda_t[0] = cairn_dot(x, frame.cy);
    map.lambda_t[1] = cairn_dot(x, frame.cz);
    map.lambda_t[2] = arm > 0.0 ? impulse / arm : 0.0;
    map.v_t[0] = cairn_dot(v, frame.cy);
    map.v_t[1] = cairn_dot(v, frame.cz);
    map.v_t[2] = arm * spin;

    double normal = natural_normal(&map);
    return sqrt(normal * normal + natural_slip_law(&map, mu));
}

// how far one contact is from its law; the largest |b| is kept in *scale
static double violation(const cairn_span* span, const cairn_touch* touch,
                        const cairn_contact_place* placed, const double* v, double* scale)
{
    const cairn_world* world = span->world;
    const int* local = span->group->local;
    const int slots[2] = {touch->a, touch->b};
    cairn_vec3 p[2], p_free[2];
    double a = 0.0, spin = 0.0, turning = 0.0;

    // velocity of each body's point with and without impulses, mobility, and spin about the normal
    for (int side = 0; side < 2; side++) {
        int place = local[slots[side]];
        cairn_vec3 arm = placed->r[side];
        p_free[side] = cairn_point_velocity(span->free + 6 * (ptrdiff_t)slots[side], arm);
        p[side] = place < 0 ? p_free[side] : cairn_point_velocity(v + 6 * (ptrdiff_t)place, arm);
        a += place < 0 ? 0.0 : cairn_body_trace(&world->bodies[slots[side]], arm) / 3.0;

        if (touch->rows < 4)
            continue;
        const double* own =
            place < 0 ? span->free + 6 * (ptrdiff_t)slots[side] : v + 6 * (ptrdiff_t)place;
        cairn_vec3 w = cairn_vec(own[3], own[4], own[5]), axis = touch->n;
        spin += (side ? 1.0 : -1.0) * cairn_dot(w, axis);
        cairn_mat3 J = world->bodies[slots[side]].inverse_inertia;
        turning += place < 0 ? 0.0 : cairn_dot(axis, cairn_mat3_apply(J, axis));
    }

    cairn_vec3 u = cairn_add(cairn_sub(p[1], p[0]), placed->bias), n = touch->n;
    cairn_vec3 b = cairn_add(cairn_sub(p_free[1], p_free[0]), placed->bias);

    // impulse and velocity along the normal and in the plane of the contact
    double u_n = cairn_dot(u, n);
    cairn_vec3 u_t = cairn_add_scaled(u, -u_n, n);
    cairn_vec3 P = cairn_scale(cairn_touch_warmth(touch, span->kick), touch->impulse);
    double x = cairn_dot(P, n);
    cairn_vec3 x_t = cairn_add_scaled(P, -x, n);
    cairn_natural map = {.lambda_n = x,
                         .v_n = u_n,
                         .lambda_t = {x_t.x, x_t.y, x_t.z},
                         .v_t = {u_t.x, u_t.y, u_t.z},
                         .mu = touch->mu[0],
                         .over = 1.0 / a};

    // the largest component of b
    cairn_vec3 s = cairn_cross(n, touch->t);
    double along = fabs(cairn_dot(b, touch->t)), across = fabs(cairn_dot(b, s));
    *scale = fmax(*scale, fmax(fabs(cairn_dot(b, n)), fmax(along, across)));

    if (touch->kind == CAIRN_FRICTION_CONE)
        return a * natural_contact(&map, 3);
    double impulse = cairn_touch_warmth(touch, span->kick) * touch->spin_impulse;
    double F = natural_law(map, touch, impulse, spin, turning, &a);
    return a * F;
}

// the contacts of an island, each by itself: how far it is from its law, and its |b|
typedef struct verifying {
    const cairn_span* span;
    const cairn_contact_place* placed;
    const double* v;
    int begin;
    double *residual, *scale; // of each contact from `begin` on
} verifying;

static void verify_some(void* context, int first, int end)
{
    const verifying* own = context;
    for (int i = first; i < end; i++) {
        int c = own->begin + i;
        own->residual[i] = own->scale[i] = 0.0;
        if (!cairn_is_out(&own->placed[c]))
            own->residual[i] = violation(own->span, cairn_span_touch(own->span, c), &own->placed[c],
                                         own->v, &own->scale[i]);
    }
}

cairn_status cairn_island_verify(const cairn_span* span, cairn_judged* judged, double limit)
{
    enum { most_at_once = 2048 }; // until it is known whether to go on
    const cairn_island* island = span->island;
    int count = island->touch_count;
    double* v = CAIRN_TAKE_ZEROED(span->arena, double, 6 * (size_t)island->body_count);
    const cairn_contact_place* placed = span->placed ? span->placed : cairn_island_place(span);
    double* residual = CAIRN_TAKE(span->arena, double, most_at_once);
    double* scale = CAIRN_TAKE(span->arena, double, most_at_once);
    if (!v || !placed || !residual || !scale)
        return CAIRN_NO_MEMORY;

    velocities(v, span, placed);
    *judged = (cairn_judged){.velocity = v, .placed = placed};

    // a residual over the limit ends the search: the impulses do not pass
    for (int begin = 0; begin < count && judged->residual <= limit; begin += most_at_once) {
        int size = count - begin < most_at_once ? count - begin : most_at_once;
        verifying own = {span, placed, v, begin, residual, scale};
        cairn_span_loop(span, verify_some, &own, size, cairn_touches_at_once);
        for (int i = 0; i < size && judged->residual <= limit; i++) {
            judged->residual = cairn_worst(judged->residual, residual[i]);
            judged->scale = fmax(judged->scale, scale[i]);
        }
    }
    return CAIRN_OK;
}

void cairn_island_accept(const cairn_span* span, const cairn_judged* judged)
{
    const cairn_island* island = span->island;
    for (int c = 0; c < island->touch_count; c++) {
        cairn_touch* touch = cairn_span_touch(span, c);
        double warmth = cairn_touch_warmth(touch, span->kick), spin = warmth * touch->spin_impulse;
        cairn_vec3 P = cairn_scale(warmth, touch->impulse);
        if (cairn_is_out(&judged->placed[c]))
            P = cairn_vec(0.0, 0.0, 0.0), spin = 0.0;
        cairn_touch_keep(touch, P, spin, span->kick);
    }
    cairn_island_carry(span);

    for (int i = 0; i < island->body_count; i++) {
        cairn_body* body = cairn_span_body(span, i);
        if (!cairn_body_active(body))
            continue;
        const double* v = judged->velocity + 6 * (ptrdiff_t)i;
        body->v = cairn_vec(v[0], v[1], v[2]);
        body->w = cairn_vec(v[3], v[4], v[5]);
    }
}
