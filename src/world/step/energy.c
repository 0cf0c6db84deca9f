// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The balance of energy of an island without contacts. With v before and v' after it, a kick
// changes the kinetic energy by exactly Σ impulse · (v + v')/2, and a drift does not change it:
// each term is a product of numbers that are at hand.
//
//     E        kinetic, gravity, springs
//     W_ext    η (force, torque)·(v + v')/2;  kinematic bodies: -λ J v_kinematic
//     W_motor  λ_motor J (v + v')/2
//     D        -λ J (v + v')/2 of limits and dampers; of damping, with x = η c and P the impulse,
//              P·(v + v')/2 - ΔKE,    P = φ M (v' - e^-x v)
//     defect   E' - E - W_ext - W_motor + D
//
// The defect is what the substep has made of nothing: the rows of the start do a little work while
// the place changes, and gravity acts at both ends instead of all the way. It is of third order,
// and small where the substeps resolve the motion.

#include "world/step/leapfrog.h"

static double turning(const cairn_mover* mover, cairn_vec3 w)
{
    cairn_vec3 own = cairn_rotate_back(mover->at.q, w), I = mover->moments;
    return I.x * own.x * own.x + I.y * own.y * own.y + I.z * own.z * own.z;
}

double cairn_flight_kinetic(const cairn_flight* all)
{
    double sum = 0.0;
    for (int i = 0; i < all->body_count; i++) {
        const cairn_mover* mover = &all->movers[i];
        sum += 0.5 * (cairn_dot(mover->u.v, mover->u.v) / mover->body->inverse_mass +
                      turning(mover, mover->u.w));
    }
    return sum;
}

double cairn_flight_raised_energy(const cairn_flight* all)
{
    double sum = 0.0;
    for (int i = 0; i < all->body_count; i++) {
        const cairn_mover* mover = &all->movers[i];
        if (mover->raised > 1.0)
            sum += 0.5 * (1.0 - 1.0 / mover->raised) * turning(mover, mover->u.w);
    }
    return sum;
}

double cairn_flight_spring_energy(const cairn_flight* all)
{
    double sum = 0.0;
    for (int i = 0; i < all->link_count && all->extra; i++) {
        const cairn_tie* tie = &all->ties[i];
        if (!tie->more || !tie->more->extra)
            continue;
        double stretch = tie->more->free.x - tie->link->rest;
        sum += 0.5 * tie->link->stiffness * stretch * stretch;
    }
    return sum;
}

double cairn_flight_spring_force(const cairn_flight* all)
{
    double sum = 0.0;
    for (int i = 0; i < all->link_count && all->extra; i++) {
        const cairn_tie* tie = &all->ties[i];
        if (tie->more && tie->more->extra)
            sum += tie->link->stiffness * fabs(tie->more->free.x - tie->link->rest);
    }
    return sum;
}

double cairn_flight_lively(const cairn_flight* all, double kinetic)
{
    double mass = 0.0;
    cairn_vec3 momentum = cairn_vec(0.0, 0.0, 0.0);
    if (all->anchored)
        return kinetic;
    for (int i = 0; i < all->body_count; i++) {
        double m = 1.0 / all->movers[i].body->inverse_mass;
        mass += m;
        momentum = cairn_add_scaled(momentum, m, all->movers[i].u.v);
    }
    return fmax(kinetic - 0.5 * cairn_dot(momentum, momentum) / mass, 0.0);
}

// ---------------------------------------------------------------- the work of a kick

static cairn_vec3 turning_momentum(const cairn_mover* mover, cairn_vec3 w)
{
    cairn_vec3 own = cairn_rotate_back(mover->at.q, w), I = mover->moments;
    return cairn_rotate(mover->at.q, cairn_vec(I.x * own.x, I.y * own.y, I.z * own.z));
}

// of damping: what impulses have done and kinetic energy does not show
static double dragged(const cairn_mover* mover, const cairn_twist* before, cairn_drag drag)
{
    double m = 1.0 / mover->body->inverse_mass;
    cairn_twist after = mover->u;
    cairn_vec3 mean_v = cairn_scale(0.5, cairn_add(before->v, after.v));
    cairn_vec3 mean_w = cairn_scale(0.5, cairn_add(before->w, after.w));

    // P - M (v' - v), along the mean velocity
    cairn_vec3 P = cairn_scale(drag.phi_v, cairn_add_scaled(after.v, -drag.keep_v, before->v));
    cairn_vec3 T = cairn_scale(drag.phi_w, cairn_add_scaled(after.w, -drag.keep_w, before->w));
    cairn_vec3 slow = cairn_sub(P, cairn_sub(after.v, before->v));
    cairn_vec3 still = cairn_sub(T, cairn_sub(after.w, before->w));
    return m * cairn_dot(slow, mean_v) + cairn_dot(turning_momentum(mover, still), mean_w);
}

static void book_body(cairn_flight* all, int i, double eta)
{
    const cairn_mover* mover = &all->movers[i];
    const cairn_twist* before = &all->before[i];
    cairn_vec3 force = mover->body->force, torque = mover->body->torque;
    if (cairn_dot(force, force) + cairn_dot(torque, torque) > 0.0)
        all->ledger.external += 0.5 * eta *
                                (cairn_dot(force, cairn_add(before->v, mover->u.v)) +
                                 cairn_dot(torque, cairn_add(before->w, mover->u.w)));
    if (all->drags)
        all->ledger.dissipated += dragged(mover, before, all->drags[i]);
}

static void book_free(cairn_flight* all, const cairn_tie* tie)
{
    const cairn_free* free = &tie->more->free;
    double u[6];
    if (!free->there)
        return;
    cairn_tie_velocity(u, all, tie);
    double after = u[tie->more->count], mean = 0.5 * (free->row_before + after);
    double damper = -free->damping * (free->share * after + (1.0 - free->share) * free->row_before);
    all->ledger.motor += free->motor * mean;
    all->ledger.dissipated -= (free->side * free->limit + damper) * mean;
}

static void book_kinematic(cairn_flight* all, const cairn_tie* tie, const double* lambda)
{
    double u[6] = {0.0};
    cairn_tie_own_velocity(u, all, tie);
    for (int r = 0; r < tie->width; r++)
        all->ledger.external -= lambda[r] * u[r];
    if (tie->more && tie->more->extra)
        all->ledger.external -=
            (tie->more->free.pressed + tie->more->free.spring) * u[tie->more->count];
}

void cairn_flight_book(cairn_flight* all, const double* lambda, double eta)
{
    for (int i = 0; i < all->body_count; i++)
        book_body(all, i, eta);
    for (int i = 0; i < all->link_count; i++) {
        const cairn_tie* tie = &all->ties[i];
        if (tie->more && tie->more->extra)
            book_free(all, tie);
        if (tie->a < 0 || tie->b < 0)
            book_kinematic(all, tie, lambda + tie->first);
    }
}

// ---------------------------------------------------------------- gains

// the rigid motion of an island that nothing anchors: velocity of its center, spin about it
static cairn_twist rigid_motion(const cairn_flight* all, cairn_vec3* center)
{
    double mass = 0.0;
    cairn_twist rigid = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    cairn_vec3 at = rigid.v, L = rigid.v;
    cairn_mat3 I = cairn_mat3_diagonal(0.0, 0.0, 0.0);

    // mass, center and velocity of the center
    for (int i = 0; i < all->body_count; i++) {
        const cairn_mover* mover = &all->movers[i];
        double m = 1.0 / mover->body->inverse_mass;
        mass += m;
        at = cairn_add_scaled(at, m, mover->at.p);
        rigid.v = cairn_add_scaled(rigid.v, m, mover->u.v);
    }
    *center = cairn_scale(1.0 / mass, at);
    rigid.v = cairn_scale(1.0 / mass, rigid.v);

    // angular momentum L and inertia I about the center: ω = I^-1 L
    for (int i = 0; i < all->body_count; i++) {
        const cairn_mover* mover = &all->movers[i];
        double m = 1.0 / mover->body->inverse_mass;
        cairn_vec3 r = cairn_sub(mover->at.p, *center);
        cairn_mat3 cross = cairn_mat3_skew(r);
        L = cairn_add(L, cairn_scale(m, cairn_cross(r, cairn_sub(mover->u.v, rigid.v))));
        L = cairn_add(L, turning_momentum(mover, mover->u.w));
        I = cairn_mat3_add(I, cairn_mat3_scale(-m, cairn_mat3_multiply(cross, cross)));
        I = cairn_mat3_add(I, cairn_principal_tensor(mover->at.q, mover->moments));
    }

    rigid.w = cairn_mat3_apply(cairn_mat3_inverse(I), L);
    return rigid;
}

void cairn_flight_clamp(cairn_flight* all, double gain)
{
    cairn_vec3 center = cairn_vec(0.0, 0.0, 0.0);
    cairn_twist rigid = {center, center};
    if (!all->anchored)
        rigid = rigid_motion(all, &center);

    // what moves within the island gives back the gain: J v = 0 stays true
    double inner = 0.0;
    for (int i = 0; i < all->body_count; i++) {
        cairn_mover* mover = &all->movers[i];
        cairn_vec3 r = cairn_sub(mover->at.p, center);
        mover->u.v = cairn_sub(mover->u.v, cairn_add(rigid.v, cairn_cross(rigid.w, r)));
        mover->u.w = cairn_sub(mover->u.w, rigid.w);
    }

    // kinetic energy is quadratic: f² inner = inner - gain
    inner = cairn_flight_kinetic(all);
    double f = inner > gain ? sqrt(1.0 - gain / inner) : 0.0;
    for (int i = 0; i < all->body_count; i++) {
        cairn_mover* mover = &all->movers[i];
        cairn_vec3 r = cairn_sub(mover->at.p, center);
        mover->u.v = cairn_add_scaled(cairn_add(rigid.v, cairn_cross(rigid.w, r)), f, mover->u.v);
        mover->u.w = cairn_add_scaled(rigid.w, f, mover->u.w);
    }

    // the multipliers of the last kick no longer fit these velocities
    all->warm = 0.0;
}
