// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Limit, motor and spring act on the coordinate x of a joint, along one row J. In a kick that leads
// from v to u, with η = h/2 at both ends of a substep of h seconds:
//
//     spring, damper   λ = -η k (x_n - x0 + (h/2) J u) - D (θ J u + (1 - θ) J v),   D = η c,
//                      θ = 1/(1 - e^-y) - 1/y,  y = D J M^-1 J^T:
//                      implicit midpoint for the spring, exact decay for the damper. As a row:
//                      J u + soft λ + bias = 0. In the end kick the spring is known beforehand,
//                      -η k ((x_n + x_{n+1})/2 - x0), and only the damper is a row
//     motor            J u = speed with |λ| <= η strength
//     limit            x_{n+1} within [lo, hi], λ >= 0 inwards; at the end J u >= 0 inwards
//
// At most one of them is solved for: a limit that holds, or else a motor within its strength, or
// else the spring. Where one of the first two sets J u, the impulse of the spring follows from its
// law, and that of a motor beside a limit is its whole strength. Which one it is changes by trial:
// all rows that are wrong at once, and after some rounds the first one alone (Murty's rule, which
// ends).

#include "problem/natural_map.h"
#include "world/step/leapfrog.h"

enum { rounds_at_once = 6, most_rounds = 60 };
static const double closed_share = 10.0; // of the tolerance of joints: a limit is closed
static const double round_off = 1e-12;
static const double verge = 1e-9; // relative, of the strength and the speed of a motor

// ---------------------------------------------------------------- one row

void cairn_free_place(cairn_tie* tie)
{
    cairn_tie_more* more = tie->more;
    cairn_row* row = &more->rows[more->count];
    *row = (cairn_row){{0.0}, {0.0}};
    more->free.there = cairn_link_free_row(row, tie->link, &more->place);
}

static double row_velocity(const cairn_flight* all, const cairn_tie* tie)
{
    double u[6];
    cairn_tie_velocity(u, all, tie);
    return u[tie->more->count];
}

// J M^-1 J^T of the row by itself
static double mobility(const cairn_flight* all, const cairn_tie* tie)
{
    const cairn_row* row = &tie->more->rows[tie->more->count];
    const int sides[2] = {tie->a, tie->b};
    double sum = 0.0;
    for (int k = 0; k < 2; k++) {
        if (sides[k] < 0)
            continue;
        const double* j = k ? row->b : row->a;
        const cairn_mover* mover = &all->movers[sides[k]];
        cairn_vec3 linear = cairn_vec(j[0], j[1], j[2]), angular = cairn_vec(j[3], j[4], j[5]);
        sum += mover->inverse_mass * cairn_dot(linear, linear) +
               cairn_dot(angular, cairn_mat3_apply(mover->inverse_inertia, angular));
    }
    return sum;
}

// how much of a damper acts by the velocity after the kick
static double after_share(double y)
{
    return y < 1e-4 ? 0.5 + y / 12.0 : 1.0 / (1.0 - cairn_exp(-y)) - 1.0 / y;
}

static bool driven(const cairn_link* link)
{
    return link->driven && link->strength > 0.0;
}

static double edge_of(const cairn_tie* tie)
{
    return tie->more->free.side > 0.0 ? tie->more->lo : tie->more->hi;
}

// ---------------------------------------------------------------- the kicks

static cairn_free* begin_kick(const cairn_flight* all, cairn_tie* tie, double eta)
{
    cairn_free* free = &tie->more->free;
    free->soft = free->bias = free->spring = free->damping = free->share = 0.0;
    free->limit = free->motor = free->pull = 0.0;
    free->pressed = 0.0;
    free->bound = tie->link->driven ? eta * tie->link->strength : 0.0;

    if (!free->there) {
        free->side = 0.0;
        free->saturated = 0;
        return NULL;
    }

    free->row_before = row_velocity(all, tie);
    free->damping = eta * tie->link->damping;
    if (free->damping > 0.0)
        free->share = after_share(free->damping * mobility(all, tie));
    return free;
}

void cairn_free_start(cairn_flight* all, double h)
{
    double eta = 0.5 * h;
    for (int i = 0; i < all->link_count && all->extra; i++) {
        cairn_tie* tie = &all->ties[i];
        if (!tie->more || !tie->more->extra)
            continue;
        tie->more->free.x_last = tie->more->free.x;
        cairn_free* free = begin_kick(all, tie, eta);

        double stiffness = tie->link->stiffness;
        if (!free || stiffness + tie->link->damping == 0.0)
            continue;

        // the spring at mid-drift and the damper's exact decay make one compliant row
        double slope = eta * stiffness * 0.5 * h + free->damping * free->share;
        double at_once = eta * stiffness * (free->x - tie->link->rest) +
                         free->damping * (1.0 - free->share) * free->row_before;
        free->soft = 1.0 / slope;
        free->bias = at_once / slope;
    }
}

void cairn_free_end(cairn_flight* all, double h)
{
    double eta = 0.5 * h;
    for (int i = 0; i < all->link_count && all->extra; i++) {
        cairn_tie* tie = &all->ties[i];
        if (!tie->more || !tie->more->extra)
            continue;
        cairn_free* free = begin_kick(all, tie, eta);
        if (!free)
            continue;

        // the spring is known: its coordinate is at both ends. The damper alone is a row
        double middle = 0.5 * (free->x_last + free->x);
        free->spring = -eta * tie->link->stiffness * (middle - tie->link->rest);
        if (free->damping > 0.0) {
            free->soft = 1.0 / (free->damping * free->share);
            free->bias = (1.0 - free->share) / free->share * free->row_before;
        }
    }
}

void cairn_free_whole(cairn_flight* all, double h)
{
    for (int i = 0; i < all->link_count && all->extra; i++) {
        cairn_tie* tie = &all->ties[i];
        if (!tie->more || !tie->more->extra)
            continue;
        tie->more->free.x_last = tie->more->free.x;
        cairn_free* free = begin_kick(all, tie, h);
        double slope = h * (tie->link->damping + h * tie->link->stiffness);
        if (!free || slope == 0.0)
            continue;
        free->share = 1.0;
        free->soft = 1.0 / slope;
        free->bias = h * tie->link->stiffness * (free->x - tie->link->rest) / slope;
    }
}

void cairn_free_jump(cairn_flight* all, double eta)
{
    for (int i = 0; i < all->link_count && all->extra; i++) {
        cairn_tie* tie = &all->ties[i];
        if (!tie->more || !tie->more->extra)
            continue;
        begin_kick(all, tie, eta);
        tie->more->free.damping = tie->more->free.share = 0.0;
        tie->more->free.saturated = 0;
    }
}

void cairn_free_positions(cairn_flight* all)
{
    for (int i = 0; i < all->link_count && all->extra; i++) {
        cairn_tie* tie = &all->ties[i];
        if (!tie->more || !tie->more->extra)
            continue;
        cairn_free* free = &tie->more->free;
        bool below = tie->link->limited && free->x < tie->more->lo;
        bool above = tie->link->limited && free->x > tie->more->hi;
        free->mode = free->there && (below || above) ? CAIRN_FREE_LIMIT : CAIRN_FREE_OFF;
        free->side = below ? 1.0 : above ? -1.0 : 0.0;
        free->saturated = 0;
        free->pressed = free->spring = free->soft = free->bias = 0.0;
    }
}

// ---------------------------------------------------------------- which one is solved for

// sets the mode of a row; impulses that it no longer solves for are taken out of the velocities
static void arrange(cairn_flight* all, cairn_tie* tie, double* lambda, double h)
{
    cairn_free* free = &tie->more->free;
    cairn_free_mode mode = CAIRN_FREE_OFF;

    // a limit that holds comes first, then a motor within its strength, then the spring
    if (free->there && free->side != 0.0)
        mode = CAIRN_FREE_LIMIT;
    else if (free->there && driven(tie->link) && !free->saturated)
        mode = CAIRN_FREE_MOTOR;
    else if (free->soft > 0.0)
        mode = CAIRN_FREE_SPRING;

    free->goal = 0.0;
    if (mode == CAIRN_FREE_MOTOR)
        free->goal = tie->link->speed;
    if (mode == CAIRN_FREE_LIMIT && h > 0.0)
        free->goal = (edge_of(tie) - free->x) / h;

    // a saturated motor presses with its whole strength; a change of mode takes its impulse back
    double pressed = 0.0;
    if (mode != CAIRN_FREE_LIMIT && free->saturated && !all->jumps)
        pressed = free->saturated * free->bound;
    double change = pressed - free->pressed;
    if (mode != free->mode) {
        change -= lambda[tie->first + tie->more->count];
        lambda[tie->first + tie->more->count] = 0.0;
    }

    if (change != 0.0)
        cairn_flight_push_free(all, tie, change);
    free->pressed = pressed;
    free->mode = mode;
}

// divides the impulse of a row between limit, motor and spring, for the present J u
static void divide(cairn_tie* tie, double lambda, double u, bool jumps)
{
    cairn_free* free = &tie->more->free;
    bool hard = free->mode == CAIRN_FREE_LIMIT || free->mode == CAIRN_FREE_MOTOR;
    free->limit = 0.0;
    free->motor = free->pressed;
    free->pull = hard && free->soft > 0.0          ? -(u + free->bias) / free->soft
                 : free->mode == CAIRN_FREE_SPRING ? lambda
                                                   : 0.0;

    if (free->mode == CAIRN_FREE_MOTOR)
        free->motor = lambda - free->pull;
    if (free->mode == CAIRN_FREE_LIMIT) {
        // a motor without bound gives way to the limit
        double speed = tie->link->speed;
        bool presses = driven(tie->link) && free->bound < INFINITY && u != speed && !jumps;
        free->motor = presses ? (speed > u ? free->bound : -free->bound) : 0.0;
        free->limit = free->side * (lambda - free->pull - free->motor);
    }
}

void cairn_free_divide(cairn_flight* all, const double* lambda)
{
    for (int i = 0; i < all->link_count && all->extra; i++) {
        cairn_tie* tie = &all->ties[i];
        if (tie->more && tie->more->extra)
            divide(tie, lambda[tie->first + tie->more->count], row_velocity(all, tie), all->jumps);
    }
}

// whether the limit of a free coordinate would be passed, and which: 1, -1 or 0
static int passed(const cairn_flight* all, const cairn_tie* tie, double x, double u, double h)
{
    double slack = all->tolerance * closed_share, lo = tie->more->lo, hi = tie->more->hi;
    if (!tie->link->limited)
        return 0;
    if (h > 0.0)
        return x < lo - all->tolerance ? 1 : x > hi + all->tolerance ? -1 : 0;
    if (x <= lo + slack && u < -round_off)
        return 1;
    return x >= hi - slack && u > round_off ? -1 : 0;
}

// changes what holds a coordinate where it is wrong; returns whether it did. The coordinate comes
// to x, at a mean velocity `u`
static bool revise(cairn_flight* all, cairn_tie* tie, double lambda, double x, double u, double h)
{
    cairn_free* free = &tie->more->free;
    double speed = tie->link->speed;
    if (!free->there)
        return false;
    divide(tie, lambda, row_velocity(all, tie), all->jumps);

    // a limit that would have to pull lets go; the motor that it held may be saturated
    if (free->mode == CAIRN_FREE_LIMIT) {
        if (free->limit >= 0.0)
            return false;
        free->side = 0.0;
        free->saturated = free->motor > 0.0 ? 1 : free->motor < 0.0 ? -1 : 0;
        return true;
    }

    // a limit that the coordinate would pass begins to hold
    int side = passed(all, tie, x, u, h);
    if (side != 0) {
        free->side = side;
        return true;
    }

    // both bounds leave some room, so that a motor on the verge of its strength may be either
    if (free->mode == CAIRN_FREE_MOTOR && fabs(free->motor) > (1.0 + verge) * free->bound) {
        free->saturated = free->motor > 0.0 ? 1 : -1;
        return true;
    }

    double over = free->saturated * (u - speed);
    if (free->saturated && !all->jumps && over > verge * (1.0 + fabs(speed))) {
        free->saturated = 0;
        return true;
    }
    return false;
}

// `drifted`: the place after the drift is known, else it follows from the velocities
static bool revise_all(cairn_flight* all, const double* lambda, double h, bool drifted, bool single)
{
    bool changed = false;
    for (int i = 0; i < all->link_count && !(changed && single); i++) {
        cairn_tie* tie = &all->ties[i];
        if (!tie->more || !tie->more->extra)
            continue;
        const cairn_free* free = &tie->more->free;
        double u = drifted ? (free->x_next - free->x) / h : row_velocity(all, tie);
        bool own = revise(all, tie, lambda[tie->first + tie->more->count], free->x + h * u, u, h);
        changed = changed || own;
    }
    return changed;
}

bool cairn_free_revise(cairn_flight* all, double* lambda, double h)
{
    return all->extra && revise_all(all, lambda, h, true, false);
}

// ---------------------------------------------------------------- the solve

static void add_free_law(double* own, const cairn_tie* tie, const double* lambda)
{
    const cairn_free* free = &tie->more->free;
    if (free->mode == CAIRN_FREE_OFF)
        *own = 0.0;
    else if (free->mode == CAIRN_FREE_SPRING)
        *own += free->soft * lambda[tie->first + tie->more->count] + free->bias;
    else
        *own -= free->goal;
}

double cairn_flight_miss(cairn_flight* all, const double* lambda)
{
    double worst = 0.0;
    for (int i = 0; i < all->link_count; i++) {
        const cairn_tie* tie = &all->ties[i];
        double *c = all->c + tie->first, square = 0.0;
        cairn_tie_velocity(c, all, tie);
        if (tie->more && tie->more->extra)
            add_free_law(c + tie->more->count, tie, lambda);
        for (int r = 0; r < tie->width; r++)
            square += c[r] * c[r];
        worst = cairn_worst(worst, square);
    }
    return sqrt(worst);
}

bool cairn_free_misses(const cairn_flight* all, double least)
{
    for (int i = 0; i < all->link_count && all->extra; i++) {
        const cairn_tie* tie = &all->ties[i];
        if (!tie->more || !tie->more->extra || !tie->more->free.there)
            continue;
        double u = row_velocity(all, tie);
        int side = passed(all, tie, tie->more->free.x, u, 0.0);
        if (side != 0 && fabs(u) > least)
            return true;
        if (driven(tie->link) && fabs(u - tie->link->speed) > least)
            return true;
    }
    return false;
}

static double largest(const double* x, int count)
{
    double most = 0.0;
    for (int i = 0; i < count; i++)
        most = fabs(x[i]) > most ? fabs(x[i]) : most;
    return most;
}

bool cairn_free_solve(cairn_flight* all, double* lambda, double h)
{
    for (int round = 0; round < most_rounds; round++) {
        for (int i = 0; i < all->link_count && all->extra; i++)
            if (all->ties[i].more && all->ties[i].more->extra)
                arrange(all, &all->ties[i], lambda, h);
        if (!cairn_flight_factor(all))
            return false;

        cairn_flight_miss(all, lambda);
        if (round == 0)
            all->scale = largest(all->c, all->row_count);
        cairn_flight_solve(all, cairn_kick_accuracy);

        for (int r = 0; r < all->row_count; r++)
            lambda[r] += all->delta[r];
        cairn_flight_push(all, all->delta);

        // done when no limit or motor of the set is wrong
        if (!all->extra || all->decided ||
            !revise_all(all, lambda, h, false, round >= rounds_at_once))
            return true;
    }
    return false;
}

double cairn_flight_spring_rate(const cairn_flight* all)
{
    double most = 0.0;
    for (int i = 0; i < all->link_count && all->extra; i++) {
        const cairn_tie* tie = &all->ties[i];
        if (tie->more && tie->more->extra && tie->more->free.there && tie->link->stiffness > 0.0)
            most = fmax(most, tie->link->stiffness * mobility(all, tie));
    }
    return most;
}
