// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The balance of energy of islands with contacts over a step. With E kinetic energy and gravity of
// the bodies, and Σ ½ k (x - x0)² of the springs of joints and soft contacts,
//
//     W = Σ force·(x' - x) + torque·θ                    θ: the turn of the body in the step
//         + Σ P·v_k  -  Σ P·s                            P: of contacts with kinematic bodies, and of
//                                                        those whose surfaces pass at s beside them
//     W_motor = Σ λ J (v + v')/2                         over the kicks
//     E' - E = W + W_motor - D - D_numeric + defect
//
// An overlap δ under a load F is energy owed, F δ: bodies sank that deep when a solve within its
// tolerance held them a little too softly, which counted as dissipated. When overlaps are pushed
// apart it comes back, at most what was owed when the step began: -D_numeric.
//
// D cannot be told apart from an error that takes energy away (within the step of an impact the
// split between gravity and contact is ambiguous): what is missing counts as dissipated, and only a
// gain is a defect.

#include "world/step/balance.h"
#include "world/step/contact_law.h"
#include "world/step/policy.h"

static double energy_of(const cairn_world* world, const cairn_body* body)
{
    cairn_vec3 own = cairn_rotate_back(body->q, body->w), I = body->inertia;
    double turning = I.x * own.x * own.x + I.y * own.y * own.y + I.z * own.z * own.z;
    double m = 1.0 / body->inverse_mass;
    return 0.5 * (m * cairn_dot(body->v, body->v) + turning) -
           m * body->gravity_scale * cairn_dot(world->def.gravity, body->x);
}

// J: of the spring of a joint
static double spring_of(const cairn_world* world, const cairn_link* link)
{
    cairn_row row;
    if (link->stiffness == 0.0)
        return 0.0;
    cairn_link_place place = cairn_link_where(world, link);
    double stretch = place.coordinate - link->rest;
    return cairn_link_free_row(&row, link, &place) ? 0.5 * link->stiffness * stretch * stretch
                                                   : 0.0;
}

static bool is_pushed(const cairn_body* body)
{
    return cairn_dot(body->force, body->force) > 0.0 || cairn_dot(body->torque, body->torque) > 0.0;
}

cairn_status cairn_balance_begin(cairn_balance** balance, const cairn_group* group,
                                 cairn_world* world)
{
    *balance = CAIRN_TAKE(&world->keep, cairn_balance, world->body_count);
    if (!*balance)
        return CAIRN_NO_MEMORY;
    world->balance = *balance;

    // energy of the bodies; the place is kept of those that a force does work on
    for (int i = 0; i < world->body_count; i++) {
        const cairn_body* body = &world->bodies[i];
        if (group->local[i] < 0 || !cairn_body_active(body))
            continue;
        (*balance)[i] = (cairn_balance){.energy = energy_of(world, body)};
        if (is_pushed(body))
            (*balance)[i].from = (cairn_transform){body->x, body->q};
    }

    // the energy of a spring is booked on one of its bodies
    for (int i = 0; i < world->link_count; i++) {
        const cairn_link* link = &world->links[i];
        if (!cairn_link_active(world, link))
            continue;
        int slot = group->local[link->b] >= 0 ? link->b : link->a;
        if (slot >= 0 && group->local[slot] >= 0)
            (*balance)[slot].energy += spring_of(world, link);
    }

    // the energy that an overlap owes is booked on one of its bodies
    for (int c = 0; c < world->touch_count; c++) {
        const cairn_touch* touch = &world->touches[c];
        int slot = group->local[touch->a] >= 0 ? touch->a : touch->b;
        double load = touch->span > 0.0 ? cairn_dot(touch->impulse, touch->n) / touch->span : 0.0;
        if (touch->soft && group->local[slot] >= 0)
            (*balance)[slot].energy += cairn_touch_soft_energy(touch, world);
        else if (touch->gap < 0.0 && group->local[slot] >= 0)
            (*balance)[slot].owed -= load * touch->gap;
    }

    return CAIRN_OK;
}

// the turn of a body in the step, as a vector
static cairn_vec3 turn_of(cairn_quat from, cairn_quat to)
{
    cairn_quat d = cairn_quat_multiply(to, cairn_quat_conjugate(from));
    double sign = d.w < 0.0 ? -1.0 : 1.0, length = cairn_length(cairn_length(d.x, d.y), d.z);
    double angle = 2.0 * cairn_atan2(length, sign * d.w);
    double factor = length > 0.0 ? sign * angle / length : 0.0;
    return cairn_vec(factor * d.x, factor * d.y, factor * d.z);
}

// each impulse has a normal of its own, to which the velocity of the surfaces is square
void cairn_balance_carry(const cairn_world* world, const cairn_touch* touch, cairn_vec3 P)
{
    if (!touch->carries || !world->balance)
        return;
    int slot = cairn_body_active(&world->bodies[touch->a]) ? touch->a : touch->b;
    world->balance[slot].carried -= cairn_dot(P, cairn_touch_carried(touch, world));
}

void cairn_island_carry(const cairn_span* span)
{
    for (int c = 0; c < span->island->touch_count && span->island->carries; c++) {
        const cairn_touch* touch = cairn_span_touch(span, c);
        if (!touch->gone)
            cairn_balance_carry(span->world, touch, touch->impulse);
    }
}

// J: the work that kinematic bodies do through contacts
static double work_of_kinematic(const cairn_span* span)
{
    const cairn_world* world = span->world;
    double work = 0.0;

    for (int c = 0; c < span->island->touch_count; c++) {
        const cairn_touch* touch = &world->touches[span->group->touches[span->island->touch + c]];
        const cairn_body *a = &world->bodies[touch->a], *b = &world->bodies[touch->b];
        if (a->type != CAIRN_BODY_KINEMATIC && b->type != CAIRN_BODY_KINEMATIC)
            continue;

        // the impulse P acts on B, and -P on A
        cairn_reach reach = cairn_touch_reach(touch, world);
        if (a->type == CAIRN_BODY_KINEMATIC)
            work += cairn_dot(touch->total, cairn_add(a->v, cairn_cross(a->w, reach.r_a)));
        else
            work -= cairn_dot(touch->total, cairn_add(b->v, cairn_cross(b->w, reach.r_b)));
    }

    return work;
}

static double motor_work(const cairn_span* span)
{
    double work = 0.0;
    for (int i = 0; i < span->island->link_count; i++)
        work += span->world->links[span->group->links[span->island->link + i]].worked;
    return work;
}

// m: how far the joints of an island gape
static double gape_of(const cairn_span* span)
{
    double most = 0.0;
    for (int i = 0; i < span->island->link_count; i++) {
        const cairn_link* link = &span->world->links[span->group->links[span->island->link + i]];
        most = fmax(most, cairn_link_gap(span->world, link));
    }
    return most;
}

// the largest factor on the inertia of a body of the island
static double raised_of(const cairn_span* span)
{
    double most = 1.0;
    for (int i = 0; i < span->island->body_count; i++)
        most = fmax(most,
                    span->world->bodies[span->group->bodies[span->island->body + i]].pace.raised);
    return most;
}

// J: while a soft contact is closed its spring acts as if the bodies were heavier by β h² k
// (soft.c): that share of the energy swings, and is back when it opens
static double swing_of(const cairn_span* span, double moving)
{
    const cairn_world* world = span->world;
    const double stiff = 0.25; // h² k/m: as in soft.c
    double swing = 0.0;
    for (int c = 0; c < span->island->touch_count && span->island->soft; c++) {
        const cairn_touch* touch = cairn_span_touch(span, c);
        if (!touch->soft)
            continue;
        double light = world->bodies[touch->a].inverse_mass + world->bodies[touch->b].inverse_mass;
        double share =
            0.25 * span->h * span->h * cairn_touch_spring(touch, world).stiffness * light;

        // beyond that the spring only loses energy
        if (share > 0.25 * stiff)
            continue;
        swing += share * (moving + 2.0 * cairn_touch_soft_energy(touch, world));
    }
    return swing;
}

double cairn_balance_allowed(const cairn_span* span, double worked)
{
    const cairn_world_def* def = &span->world->def;
    double moving = 0.0, falling = 0.0, g = cairn_norm(def->gravity), fall = g * span->h;

    for (int i = 0; i < span->island->body_count; i++) {
        int slot = span->group->bodies[span->island->body + i];
        const cairn_body* body = &span->world->bodies[slot];
        if (!cairn_body_active(body) || body->copy)
            continue;

        double m = 1.0 / body->inverse_mass, v = cairn_norm(body->v);
        moving += m * v * (v + fall);
        falling += 0.25 * m * fall * fall;
    }

    // processes that share the island have one sum
    moving = cairn_exchange_total(cairn_island_exchange(span), moving);
    falling = cairn_exchange_total(cairn_island_exchange(span), falling);
    return 10.0 * (falling + def->accuracy * (moving + fabs(worked))) +
           cairn_island_tolerance(span) * moving + swing_of(span, moving);
}

// whether contacts, dampers, limits or motors may take energy from the island
static bool may_dissipate(const cairn_span* span)
{
    for (int i = 0; i < span->island->link_count; i++) {
        const cairn_link* link = &span->world->links[span->group->links[span->island->link + i]];
        if (link->damping > 0.0 || link->limited || link->driven)
            return true;
    }
    for (int i = 0; i < span->island->body_count; i++) {
        const cairn_body* body = cairn_span_body(span, i);
        if (body->linear_damping > 0.0 || body->angular_damping > 0.0)
            return true;
    }
    return span->island->touch_count > 0 || span->island->shared;
}

void cairn_balance_end(const cairn_balance* balance, const cairn_span* span)
{
    const double closed = 1e-5; // m: a joint that gapes more is not

    // joints first: how far they gape, and by how much inertia is raised
    double gape = gape_of(span);
    if (span->island->link_count > 0)
        cairn_island_tell_joints(span, gape, raised_of(span), gape > closed);

    const cairn_world* world = span->world;
    cairn_motion motion = {.substeps_max = span->substeps, .inertia_raised = 1.0};

    // E' - E: springs, soft contacts, then kinetic energy and gravity of the bodies
    double gain = 0.0, owed = 0.0;
    for (int i = 0; i < span->island->link_count; i++)
        gain += spring_of(world, &world->links[span->group->links[span->island->link + i]]);
    for (int c = 0; c < span->island->touch_count && span->island->soft; c++)
        gain += cairn_touch_soft_energy(cairn_span_touch(span, c), world);

    for (int i = 0; i < span->island->body_count; i++) {
        int slot = span->group->bodies[span->island->body + i];
        const cairn_body* body = &world->bodies[slot];
        const cairn_balance* old = &balance[slot];
        if (!cairn_body_active(body) && !span->island->shared)
            return;

        owed += old->owed;
        if (body->copy || !cairn_body_active(body))
            continue;

        gain += energy_of(world, body) - old->energy;
        motion.work_external += old->carried;
        if (is_pushed(body))
            motion.work_external += cairn_dot(body->force, cairn_sub(body->x, old->from.p)) +
                                    cairn_dot(body->torque, turn_of(old->from.q, body->q));
    }

    // what remains after work and motors is dissipated, or gained
    motion.work_external += work_of_kinematic(span);
    motion.work_motor = motor_work(span);

    const cairn_exchange* exchange = cairn_island_exchange(span);
    motion.work_external = cairn_exchange_total(exchange, motion.work_external);
    gain = cairn_exchange_total(exchange, gain) - motion.work_external - motion.work_motor;
    owed = cairn_exchange_total(exchange, owed);

    // overlaps that were pushed apart give back at most what they owed
    motion.dissipated_numeric = -fmin(fmax(gain, 0.0), owed);
    gain += motion.dissipated_numeric;
    motion.energy_defect = fmax(gain, 0.0);
    motion.dissipated = fmax(-gain, 0.0);

    // where nothing can take energy, what is missing is an error as well
    bool lossless = !may_dissipate(span);
    if (lossless) {
        motion.energy_defect = gain;
        motion.dissipated = 0.0;
    }

    // what a soft contact loses that bounces within less than six substeps is none of its damper's
    if (span->h * span->h * span->island->bounce > 0.25) {
        motion.dissipated_numeric += motion.dissipated;
        motion.dissipated = 0.0;
    }

    bool missed = (lossless ? fabs(gain) : gain) >
                  cairn_balance_allowed(span, fabs(motion.work_external) + fabs(motion.work_motor));

    // one process tells for all that share the island
    if (exchange && !exchange->first)
        motion = (cairn_motion){.substeps_max = span->substeps, .inertia_raised = 1.0};

    cairn_island_tell_balance(span, &motion, missed);
}
