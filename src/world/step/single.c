// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Islands of one body go to Newton's method in its six velocities (solve/newton/one_body.c).
// Impulses of the last substep that still pass the certificate cost no step at all. Where Newton's
// method does not arrive (jamming), the island is left as it was for the other methods.

#include "solve/newton/one_body.h"
#include "world/step/policy.h"

bool cairn_single_exact(const cairn_judged* judged)
{
    return judged->residual <= cairn_one_body_exact * judged->scale;
}

// the contacts that take part, for Newton's steps, and their numbers in the island
static int read_contacts(cairn_one_body_contact* contacts, int* index, const cairn_span* span,
                         const cairn_contact_place* placed, int slot)
{
    const cairn_body* body = &span->world->bodies[slot];
    int count = 0;
    for (int c = 0; c < span->island->touch_count; c++) {
        const cairn_touch* touch = cairn_span_touch(span, c);
        if (cairn_is_out(&placed[c]))
            continue;

        bool is_b = touch->b == slot;
        const double* still = span->free + 6 * (ptrdiff_t)(is_b ? touch->a : touch->b);
        cairn_vec3 arm = placed[c].r[is_b];
        index[count] = c;
        contacts[count++] =
            (cairn_one_body_contact){.n = touch->n,
                                     .t = touch->t,
                                     .arm = arm,
                                     .other = cairn_point_velocity(still, placed[c].r[!is_b]),
                                     .bias = placed[c].bias,
                                     .impulse = touch->impulse,
                                     .mu = touch->mu[0],
                                     .mean = cairn_body_trace(body, arm) / 3.0,
                                     .is_b = is_b};
    }
    return count;
}

// the impulses of the last substep as those of h seconds; `old` keeps them as they were
static void warm_up(const cairn_span* span, cairn_vec3* old, double* spans)
{
    for (int c = 0; c < span->island->touch_count; c++) {
        cairn_touch* touch = cairn_span_touch(span, c);
        old[c] = touch->impulse;
        spans[c] = touch->span;
        touch->impulse = cairn_scale(cairn_touch_warmth(touch, span->kick), touch->impulse);
        touch->span = span->kick;
    }
}

cairn_status cairn_single_solve(const cairn_span* span, cairn_judged* judged, bool* solved)
{
    size_t count = (size_t)span->island->touch_count;
    cairn_one_body_contact* contacts = CAIRN_TAKE(span->arena, cairn_one_body_contact, count);
    int* index = CAIRN_TAKE(span->arena, int, count);
    cairn_vec3* old = CAIRN_TAKE(span->arena, cairn_vec3, count);
    double* spans = CAIRN_TAKE(span->arena, double, count);
    if (span->arena->failed)
        return CAIRN_NO_MEMORY;

    cairn_span own = *span;
    own.placed = cairn_island_place(span);
    if (!own.placed)
        return CAIRN_NO_MEMORY;

    int slot = span->group->bodies[span->island->body], parts = 0;
    const cairn_body* body = &span->world->bodies[slot];
    const cairn_mass mass = {body->inverse_mass, body->inverse_inertia};
    warm_up(span, old, spans);

    double tolerance = cairn_island_tolerance(span), before = INFINITY;
    for (int k = 0;; k++) {
        cairn_arena_mark mark = cairn_arena_here(span->arena);
        cairn_status status = cairn_island_verify(&own, judged, INFINITY);
        if (status != CAIRN_OK)
            return status;

        // until exact; or as exact as the tolerance asks and round-off allows
        bool stuck = !(judged->residual < 0.5 * before);
        *solved = cairn_single_exact(judged) ||
                  (k > 0 && stuck && judged->residual <= tolerance * judged->scale);
        if (*solved) {
            cairn_island_accept(span, judged);
            return CAIRN_OK;
        }
        before = judged->residual;

        // arms and biases stay through the steps: impulses that pass need none of this
        if (k == 0)
            parts = read_contacts(contacts, index, span, judged->placed, slot);
        if (k == span->budget || !cairn_one_body_step(contacts, parts, &mass, judged->velocity))
            break;
        for (int i = 0; i < parts; i++)
            cairn_span_touch(span, index[i])->impulse = contacts[i].impulse;
        cairn_arena_release(span->arena, mark);
    }

    // Newton's method did not converge: put the impulses back
    for (size_t c = 0; c < count; c++) {
        cairn_span_touch(span, (int)c)->impulse = old[c];
        cairn_span_touch(span, (int)c)->span = spans[c];
    }
    return CAIRN_OK;
}
