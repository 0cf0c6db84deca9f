// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// A frame in whole numbers. A quantity x becomes round(x / 2^e) with one exponent e for each kind
// of quantity: what is equal for the eye is then equal in bits, bodies at rest have velocity zero,
// and the differences from step to step are small. For looking only: recordings keep every bit.

#include "io/page/page.h"
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// of so many bodies each is small in the picture, and numbers are rounded more
enum { many_bodies = 200 };

// ---------------------------------------------------------------- units

// the exponent of the greatest power of two that is not above x, within what a byte holds
static int exponent_below(double x)
{
    if (!(x > 0.0) || !isfinite(x))
        return 0;
    int e = ilogb(x);
    return e < -100 ? -100 : e > 100 ? 100 : e;
}

cairn_page_units cairn_page_choose_units(const cairn_stage* stage)
{
    double radius = INFINITY, mass = 0.0;
    int count = 0;
    for (int i = 0; i < stage->body_count; i++) {
        const cairn_stage_body* body = &stage->bodies[i];
        if (body->id.generation == 0 || body->type != CAIRN_BODY_DYNAMIC)
            continue;
        count++;
        mass += isfinite(body->mass) ? body->mass : 0.0;
        if (body->shaped)
            radius = fmin(radius, cairn_shape_radius(&body->shape, cairn_vec(0.0, 0.0, 0.0)));
    }

    // lengths are rounded by the smallest body, impulses by the weight of all in a step
    radius = isfinite(radius) && radius > 0.0 ? radius : 1.0;
    double g = cairn_norm(stage->gravity);
    double weight = mass * (g > 0.0 ? g : 9.81) * (stage->dt > 0.0 ? stage->dt : 1.0);
    int length = exponent_below(1e-4 * radius), impulse = exponent_below(5e-7 * weight);

    // a length is still rounded to a six-hundredth of the smallest radius
    if (count > many_bodies)
        return (cairn_page_units){.length = length + 4,
                                  .speed = length + 8,
                                  .spin = -6,
                                  .impulse = impulse + 5,
                                  .quaternion = -12,
                                  .normal = -7};

    return (cairn_page_units){.length = length,
                              .speed = length + 1,
                              .spin = -12,
                              .impulse = impulse,
                              .quaternion = -15,
                              .normal = -12};
}

// ---------------------------------------------------------------- rounding

static int32_t whole(double x, int exponent)
{
    double n = rint(ldexp(x, -exponent));
    if (!(n > -2147483647.0))
        return n <= -2147483647.0 ? -2147483647 : 0;
    return n < 2147483647.0 ? (int32_t)n : 2147483647;
}

// three columns, one after the other, from entry i on
static void put_vector(int32_t* column, int n, cairn_vec3 v, int exponent)
{
    column[0] = whole(v.x, exponent);
    column[n] = whole(v.y, exponent);
    column[2 * n] = whole(v.z, exponent);
}

static void put_body(const cairn_shot* shot, int i, const cairn_frame_body* body)
{
    enum { present = 1, asleep = 2, frozen = 4, squeezed = 8 };
    const cairn_page_units* u = &shot->units;
    int n = shot->body_count;
    int32_t* at = shot->numbers + i;

    if (!body->present) {
        for (int k = 0; k < cairn_shot_body_columns; k++)
            at[(size_t)k * (size_t)n] = 0;
        return;
    }

    // columns stand one after the other: the next number of the same body is n further
    at[0] = present | (body->asleep ? asleep : 0) | (body->frozen ? frozen : 0) |
            (body->squeezed ? squeezed : 0);
    at[n] = body->island + 1;
    const cairn_quat q = body->pose.q;
    const double parts[4] = {q.w, q.x, q.y, q.z};

    put_vector(cairn_shot_body(shot, 2) + i, n, body->pose.p, u->length);
    for (int k = 0; k < 4; k++)
        cairn_shot_body(shot, 5 + k)[i] = whole(parts[k], u->quaternion);
    put_vector(cairn_shot_body(shot, 9) + i, n, body->velocity, u->speed);
    put_vector(cairn_shot_body(shot, 12) + i, n, body->spin, u->spin);
}

static void put_contact(const cairn_shot* shot, int i, const cairn_contact* contact)
{
    const cairn_page_units* u = &shot->units;
    int n = shot->contact_count;
    cairn_shot_contact(shot, 0)[i] = (int32_t)contact->state;
    cairn_shot_contact(shot, 1)[i] = contact->body_a.index;
    cairn_shot_contact(shot, 2)[i] = contact->body_b.index;
    put_vector(cairn_shot_contact(shot, 3) + i, n, contact->point, u->length);
    put_vector(cairn_shot_contact(shot, 6) + i, n, contact->normal, u->normal);
    put_vector(cairn_shot_contact(shot, 9) + i, n, contact->impulse, u->impulse);
    cairn_shot_contact(shot, 12)[i] = whole(contact->mu, cairn_shot_mu_unit);
}

static cairn_shot_report take_report(const cairn_stage* stage, const cairn_frame* frame)
{
    const cairn_step_report* r = &frame->report;
    return (cairn_shot_report){
        .outcome = (int)r->outcome,
        .method = r->method ? r->method : "none",
        .islands = frame->island_count,
        .frozen = r->frozen,
        .step = (double)r->step,
        .time = r->time,
        .dt = stage->dt,
        .kinetic = r->kinetic,
        .potential = r->potential,
        .hash = frame->hash,
        .residual = r->residual,
        .residual_velocity = r->residual_velocity,
        .penetration = r->penetration,
        .joint_error = r->joint_error,
        .ms = frame->ms,
        .stages = {r->ms_broad, r->ms_narrow, r->ms_assemble, r->ms_solve, r->ms_integrate},
        .motion = r->motion,
    };
}

bool cairn_shot_take(cairn_shot* shot, const cairn_stage* stage, const cairn_frame* frame,
                     cairn_page_units units)
{
    size_t count = (size_t)frame->body_count * cairn_shot_body_columns +
                   (size_t)frame->contact_count * cairn_shot_contact_columns;

    if (count > shot->capacity || !shot->numbers) {
        int32_t* grown = realloc(shot->numbers, (count + 1) * sizeof *grown);
        if (!grown)
            return false;
        shot->numbers = grown;
        shot->capacity = count;
    }

    shot->change = frame->change;
    shot->units = units;
    shot->report = take_report(stage, frame);
    shot->body_count = frame->body_count;
    shot->contact_count = frame->contact_count;

    for (int i = 0; i < frame->body_count; i++)
        put_body(shot, i, &frame->bodies[i]);
    for (int i = 0; i < frame->contact_count; i++)
        put_contact(shot, i, &frame->contacts[i]);
    return true;
}
