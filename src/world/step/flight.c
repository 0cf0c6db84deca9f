// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// An island of joints alone on its way out of the world, into memory of its own where substeps can
// be tried and taken back, and home again at the end of the step.

#include "world/step/leapfrog.h"
#include <string.h>

static const double joint_tolerance = 1e-9; // m, rad: of joints at the end of a substep,
static const double least_reach = 1e-3;    // m: for arms of at least so much. Angles have round-off
static const double singular_share = 1e3;  // of it: rows of loops that nearly repeat each other
static const double slow_nutation = 0.1;   // rad
static const double longest_return = 0.05; // m, rad: into limits, in a step

// ---------------------------------------------------------------- the beginning

static bool has_extra(const cairn_link* link)
{
    return cairn_joint_has_coordinate(link->kind) &&
           (link->limited || link->driven || link->stiffness + link->damping > 0.0);
}

static bool has_more(const cairn_link* link)
{
    return link->kind != CAIRN_JOINT_BALL || has_extra(link);
}

// The axis of a symmetric body whose gyroscopic torque belongs to the kicks, or -1: what nutates
// by a small angle in the step drifts as a free body.
static int gyroscopic_axis(const cairn_body* body, double dt)
{
    int axis = cairn_symmetry_axis(body->inertia);
    if (axis < 0)
        return -1;
    const double I[3] = {body->inertia.x, body->inertia.y, body->inertia.z};
    double spin = cairn_dot(body->w, cairn_axis_of(body->q, axis));
    return dt * fabs(spin) * I[axis] / I[(axis + 1) % 3] > slow_nutation ? axis : -1;
}

static void gather_body(cairn_flight* all, int i)
{
    const cairn_span* span = all->span;
    cairn_body* body = &span->world->bodies[span->group->bodies[span->island->body + i]];
    double raised = body->pace.raised > 1.0 ? body->pace.raised : 1.0;
    all->movers[i] = (cairn_mover){.body = body,
                                   .at = {body->x, body->q},
                                   .u = {body->v, body->w},
                                   .moments = cairn_scale(raised, body->inertia),
                                   .raised = raised,
                                   .stiffness = body->pace.stiffness,
                                   .quiet = body->pace.quiet,
                                   .axis = gyroscopic_axis(body, span->h)};
    all->gyric = all->gyric || all->movers[i].axis >= 0;
}

enum { limit_warm = 6, motor_warm = 7, spring_warm = 8 };

// what held the coordinate of a joint at the end of the last step is likely to hold it now
static void recall_free(cairn_tie* tie, double span, double slack)
{
    const cairn_link* link = tie->link;
    cairn_free* free = &tie->more->free;
    double bound = 0.5 * span * link->strength;

    // a coordinate that starts beyond its limits comes back little by little
    tie->more->lo = fmin(link->lo, free->x + longest_return);
    tie->more->hi = fmax(link->hi, free->x - longest_return);
    if (link->limited && link->warm[limit_warm] > 0.0)
        free->side = free->x <= link->lo + slack ? 1.0 : free->x >= link->hi - slack ? -1.0 : 0.0;
    if (link->driven && span > 0.0 && fabs(link->warm[motor_warm]) >= bound)
        free->saturated = link->warm[motor_warm] > 0.0 ? 1 : -1;
}

static void gather_link(cairn_flight* all, int i)
{
    const cairn_span* span = all->span;
    cairn_world* world = span->world;
    cairn_link* link = &world->links[span->group->links[span->island->link + i]];
    cairn_tie* tie = &all->ties[i];
    *tie = (cairn_tie){.link = link, .a = -1, .b = span->group->local[link->b]};
    if (link->a != CAIRN_WORLD_BODY)
        tie->a = span->group->local[link->a];

    // a joint to a body that is not in the island anchors it
    all->anchored = all->anchored || tie->a < 0 || tie->b < 0;

    // a ball joint without limit, motor or spring has three rows and needs no more
    bool extra = has_extra(link);
    tie->width = 3;
    if (!has_more(link))
        return;

    tie->more = &all->more[all->more_count++];
    bool loose = (link->kind == CAIRN_JOINT_DISTANCE || link->kind == CAIRN_JOINT_PULLEY) && extra;
    *tie->more = (cairn_tie_more){.count = loose ? 0 : cairn_link_most_rows(link), .extra = extra};
    tie->more->free.x = link->turns;
    tie->width = tie->more->count + extra;

    all->extra = all->extra || extra;
}

// m, rad: less than that is lost in round-off of angles, far from the origin and on long arms, and
// small mechanisms need less
static double tolerance_of(cairn_flight* all)
{
    double reach = 0.0, far = 0.0;
    for (int i = 0; i < all->link_count; i++) {
        const cairn_link* link = all->ties[i].link;
        reach = fmax(reach, fmax(all->ties[i].a < 0 ? 0.0 : cairn_norm(link->frame_a.p),
                                 cairn_norm(link->frame_b.p)));
    }
    all->reach = reach;
    all->fast = 0.0;
    for (int i = 0; i < all->body_count; i++) {
        far = fmax(far, cairn_norm(all->movers[i].at.p));
        all->fast = fmax(all->fast, cairn_flight_speed(all, all->movers[i].u));
    }
    return fmax(joint_tolerance * fmin(1.0, fmax(reach, least_reach)), 1e-14 * (far + reach));
}

static bool take_rows(cairn_flight* all)
{
    cairn_arena* arena = all->span->arena;
    size_t rows = (size_t)all->row_count, bodies = (size_t)all->body_count;
    bool damped = false;
    for (int i = 0; i < all->body_count; i++) {
        const cairn_body* body = all->movers[i].body;
        damped = damped || body->linear_damping > 0.0 || body->angular_damping > 0.0;
    }

    if (damped)
        all->drags = CAIRN_TAKE(arena, cairn_drag, bodies);
    all->c = CAIRN_TAKE(arena, double, rows);
    all->delta = CAIRN_TAKE(arena, double, rows);
    all->lambda = CAIRN_TAKE(arena, double, rows);
    all->mu = CAIRN_TAKE_ZEROED(arena, double, rows);
    all->next_at = CAIRN_TAKE(arena, cairn_transform, bodies);
    all->next_w = CAIRN_TAKE(arena, cairn_vec3, bodies);
    all->before = CAIRN_TAKE(arena, cairn_twist, bodies);
    all->momentum = CAIRN_TAKE(arena, cairn_twist, bodies);
    all->past_movers = CAIRN_TAKE(arena, cairn_past_mover, bodies);
    all->past_free = CAIRN_TAKE(arena, cairn_past_free, all->more_count);

    return !arena->failed;
}

// s: of the substep whose end kick the warm starts of all joints are; 0: none, or not of all
static double common_span(const cairn_flight* all)
{
    double span = all->movers[0].body->pace.span;
    for (int i = 1; i < all->body_count; i++)
        if (all->movers[i].body->pace.span != span)
            return 0.0;
    return span;
}

bool cairn_flight_begin(cairn_flight* all, const cairn_span* span)
{
    const cairn_island* island = span->island;
    size_t more = 0;
    for (int i = 0; i < island->link_count; i++)
        more += has_more(&span->world->links[span->group->links[island->link + i]]);

    *all = (cairn_flight){
        .span = span, .body_count = island->body_count, .link_count = island->link_count};
    all->movers = CAIRN_TAKE(span->arena, cairn_mover, island->body_count);
    all->ties = CAIRN_TAKE(span->arena, cairn_tie, island->link_count);
    all->more = CAIRN_TAKE(span->arena, cairn_tie_more, more);
    if (span->arena->failed)
        return false;

    for (int i = 0; i < island->body_count; i++)
        gather_body(all, i);
    for (int i = 0; i < island->link_count; i++)
        gather_link(all, i);

    if (!cairn_flight_choose(all) || !take_rows(all))
        return false;

    // the last end kick's multipliers are the warm start
    all->tolerance = tolerance_of(all);
    all->acceptable = all->loops ? singular_share * all->tolerance : all->tolerance;
    all->warm = common_span(all);
    for (int i = 0; i < island->link_count; i++) {
        const cairn_tie* tie = &all->ties[i];
        memcpy(all->mu + tie->first, tie->link->warm,
               (size_t)(tie->more ? tie->more->count : 3) * sizeof(double));
    }

    // what held each free coordinate is likely to hold it now
    cairn_flight_place(all);
    for (int i = 0; i < island->link_count && all->extra; i++)
        if (all->ties[i].more && all->ties[i].more->extra)
            recall_free(&all->ties[i], all->warm, cairn_joint_slack * all->tolerance);
    return true;
}

// ---------------------------------------------------------------- forth and back

void cairn_flight_save(cairn_flight* all)
{
    for (int i = 0; i < all->body_count; i++)
        all->past_movers[i] = (cairn_past_mover){all->movers[i].u, all->movers[i].stiffness};
    for (int i = 0; i < all->more_count; i++) {
        const cairn_free* free = &all->more[i].free;
        all->past_free[i] = (cairn_past_free){free->x, free->side, free->saturated};
    }
    all->past_time = all->time;
}

void cairn_flight_take_back(cairn_flight* all)
{
    for (int i = 0; i < all->body_count; i++) {
        cairn_mover* mover = &all->movers[i];

        // the place has changed only if the drift was made
        if (all->arrived)
            mover->at = all->next_at[i];
        mover->u = all->past_movers[i].u;
        mover->stiffness = all->past_movers[i].stiffness;
    }

    for (int i = 0; i < all->link_count; i++)
        all->ties[i].impulse = all->ties[i].twist = cairn_vec(0.0, 0.0, 0.0);
    for (int i = 0; i < all->more_count; i++) {
        memset(all->more[i].shares, 0, sizeof all->more[i].shares);
        cairn_free* free = &all->more[i].free;
        free->x = all->past_free[i].x;
        free->side = all->past_free[i].side;
        free->saturated = all->past_free[i].saturated;
    }

    all->time = all->past_time;
    if (all->arrived)
        cairn_flight_place(all);
    all->arrived = false;
}

void cairn_flight_keep(cairn_flight* all)
{
    for (int i = 0; i < all->link_count; i++) {
        cairn_tie* tie = &all->ties[i];
        tie->link->impulse = cairn_add(tie->link->impulse, tie->impulse);
        tie->link->twist = cairn_add(tie->link->twist, tie->twist);
        tie->impulse = tie->twist = cairn_vec(0.0, 0.0, 0.0);
        for (int k = 0; tie->more && k < 3; k++) {
            tie->link->shares[k] += tie->more->shares[k];
            tie->more->shares[k] = 0.0;
        }
    }
}

void cairn_flight_forget(cairn_flight* all)
{
    for (int i = 0; i < all->link_count; i++) {
        cairn_link* link = all->ties[i].link;
        link->impulse = link->twist = cairn_vec(0.0, 0.0, 0.0);
        memset(link->shares, 0, sizeof link->shares);
    }
}

// ---------------------------------------------------------------- the end

double cairn_flight_end(cairn_flight* all, const cairn_pace* pace)
{
    double raised = 1.0;
    for (int i = 0; i < all->body_count; i++) {
        const cairn_mover* mover = &all->movers[i];
        cairn_body* body = mover->body;
        body->x = mover->at.p;
        body->q = mover->at.q;
        body->v = mover->u.v;
        body->w = mover->u.w;
        cairn_body_refresh(body);

        // the pace of the island is kept by each body
        body->advanced = true;
        body->pace = *pace;
        body->pace.span = all->warm;
        body->pace.raised = mover->raised > 1.0 ? mover->raised : 0.0;
        body->pace.stiffness = mover->stiffness;
        body->pace.quiet = (uint8_t)mover->quiet;
        raised = fmax(raised, mover->raised);
    }

    // multipliers and coordinates for the warm start of the next step
    for (int i = 0; i < all->link_count; i++) {
        const cairn_tie* tie = &all->ties[i];
        cairn_link* link = tie->link;
        memset(link->warm, 0, sizeof link->warm);
        memcpy(link->warm, all->mu + tie->first,
               (size_t)(tie->more ? tie->more->count : 3) * sizeof(double));

        if (!tie->more)
            continue;
        link->turns = tie->more->free.x;
        link->warm[limit_warm] = tie->more->free.limit;
        link->warm[motor_warm] = tie->more->free.motor;
        link->warm[spring_warm] = tie->more->free.pull;
    }

    return raised;
}
