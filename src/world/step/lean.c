// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// A step of bounded cost. n small steps of η seconds, each of them
//
//     v += η a                    forces
//     v += M^-1 J^T λ             the impulses of the small step before
//     one sweep over joints and contacts, in which errors of position C < 0 are pulled back softly
//     x += η v
//     one sweep without that, so that no velocity is left of the pulling
//
// with, for a contact with the gap g > 0, u_N + g/η >= 0. The geometry of contacts is that of the
// beginning of the step, carried along by their bodies; gaps follow to second order in the turns.
// The sweeps are those of projected Gauss-Seidel. What they reach is told by the natural map of the
// last small step, |b| being the largest velocity of a contact under forces alone.
//
// Not for accuracy: it is what is left of a step that has no time for more.

#include "world/step/lean.h"
#include "problem/friction.h"
#include "problem/natural_map.h"
#include "world/step/balance.h"
#include "world/step/contact_law.h"
#include "world/step/leapfrog.h"
#include "world/step/policy.h"
#include "world/step/rotation.h"
#include "world/step/step.h"

static const double contact_hertz = 30.0, contact_damping = 10.0;
static const double fastest_push = 3.0;      // m/s: at which overlaps are pulled back
static const double closed_joint = 1e-6;     // m: a joint that gapes more is told
static const double samples_per_cycle = 4.0; // of the spring of a contact

// A contact. Impulses are those of a small step: normal, two of friction, one against spinning.
typedef struct lean_contact {
    int a, b; // places
    int rows;
    cairn_vec3 n, t[2], r_a, r_b;
    cairn_vec3 carry;  // m/s: of its surfaces
    double start, gap; // m: when the step began, and now
    double mass[4];    // kg, of the rows
    double lambda[4];  // N s
    double approach;   // m/s: normal velocity when the step began
    double most;       // N s: the largest normal impulse
    int index;         // among the contacts of the island
    const cairn_touch* touch;
} lean_contact;

typedef struct lean {
    const cairn_span* span;
    cairn_lean_body* bodies;
    int body_count, place_count;
    lean_contact* contacts;
    cairn_lean_joints* joints;
    cairn_vec3* total; // N s, of each contact
    cairn_softness soft;
    double h, scale;
} lean;

cairn_softness cairn_softness_of(double hertz, double damping, double h)
{
    if (hertz == 0.0)
        return (cairn_softness){0.0, 1.0, 0.0};
    double omega = 6.283185307179586 * hertz;
    double a = 2.0 * damping + h * omega, b = h * omega * a, c = 1.0 / (1.0 + b);
    return (cairn_softness){omega / a, b * c, c};
}

// ---------------------------------------------------------------- the beginning

static cairn_lean_body body_of(const cairn_body* body, bool active)
{
    bool driven = body->type == CAIRN_BODY_KINEMATIC && !body->frozen;
    cairn_lean_body out = {.at = {body->x, body->q}};
    if (active || driven) {
        out.v = body->v;
        out.w = body->w;
    }
    if (active) {
        out.inverse_mass = body->inverse_mass;
        out.inverse_inertia = body->inverse_inertia;
    }
    return out;
}

static bool is_driven(const cairn_world* world, int slot)
{
    const cairn_body* body = &world->bodies[slot];
    return body->type == CAIRN_BODY_KINEMATIC && !body->frozen;
}

// The place of a body of a contact. All that stands shares one, behind those of the island; what
// the user moves gets one each time.
static int place_of(lean* all, int slot)
{
    int place = all->span->group->local[slot];
    if (place >= 0)
        return place;
    if (!is_driven(all->span->world, slot))
        return all->body_count;
    all->bodies[all->place_count] = body_of(&all->span->world->bodies[slot], false);
    return all->place_count++;
}

// places for the bodies of an island
static size_t room_for(const cairn_span* span)
{
    size_t places = (size_t)span->island->body_count + 1;
    for (int c = 0; c < span->island->touch_count; c++) {
        const cairn_touch* touch = cairn_span_touch(span, c);
        places += is_driven(span->world, touch->a);
        places += is_driven(span->world, touch->b);
    }
    return places;
}

static double mobility(const cairn_lean_body* body, cairn_vec3 r, cairn_vec3 d)
{
    cairn_vec3 turn = cairn_cross(r, d);
    return body->inverse_mass + cairn_dot(turn, cairn_mat3_apply(body->inverse_inertia, turn));
}

static cairn_vec3 slip_of(const lean_contact* c, const cairn_lean_body* a, const cairn_lean_body* b)
{
    cairn_vec3 u_b = cairn_add(b->v, cairn_cross(b->w, c->r_b));
    return cairn_sub(cairn_add(u_b, c->carry), cairn_add(a->v, cairn_cross(a->w, c->r_a)));
}

static double over(double x)
{
    return x > 0.0 ? 1.0 / x : 0.0;
}

static void set_contact(lean* all, lean_contact* c, int index)
{
    cairn_touch* touch = cairn_span_touch(all->span, index);
    const cairn_world* world = all->span->world;
    cairn_reach reach = cairn_touch_refresh(touch, world);
    *c = (lean_contact){.a = place_of(all, touch->a),
                        .b = place_of(all, touch->b),
                        .rows = touch->rows,
                        .n = touch->n,
                        .carry = cairn_touch_carry(touch, world),
                        .t = {touch->t, cairn_cross(touch->n, touch->t)},
                        .r_a = reach.r_a,
                        .r_b = reach.r_b,
                        .start = reach.gap,
                        .gap = reach.gap,
                        .index = index,
                        .touch = touch};

    // the diagonal of A
    const cairn_lean_body *a = &all->bodies[c->a], *b = &all->bodies[c->b];
    const cairn_vec3 axes[3] = {c->n, c->t[0], c->t[1]};
    for (int k = 0; k < 3; k++)
        c->mass[k] = over(mobility(a, c->r_a, axes[k]) + mobility(b, c->r_b, axes[k]));
    c->mass[3] = over(cairn_dot(c->n, cairn_mat3_apply(a->inverse_inertia, c->n)) +
                      cairn_dot(c->n, cairn_mat3_apply(b->inverse_inertia, c->n)));
    c->approach = cairn_dot(c->n, slip_of(c, a, b));

    // the warm start
    double warmth = cairn_touch_warmth(touch, all->h);
    for (int k = 0; k < 3; k++)
        c->lambda[k] = warmth * cairn_dot(touch->impulse, axes[k]);
    c->lambda[0] = fmax(c->lambda[0], 0.0);
    c->lambda[3] = touch->rows == 4 ? warmth * touch->spin_impulse : 0.0;
}

static cairn_status begin(lean* all, const cairn_span* span)
{
    const cairn_island* island = span->island;
    cairn_arena* arena = span->arena;

    *all = (lean){.span = span, .h = span->h, .body_count = island->body_count};
    all->bodies = CAIRN_TAKE(arena, cairn_lean_body, room_for(span));
    all->contacts = CAIRN_TAKE(arena, lean_contact, island->touch_count);
    all->total = CAIRN_TAKE_ZEROED(arena, cairn_vec3, island->touch_count);
    bool none = false;
    all->joints = cairn_lean_joints_make(span, &none);
    if (arena->failed || (!all->joints && !none))
        return CAIRN_NO_MEMORY;

    for (int i = 0; i < island->body_count; i++)
        all->bodies[i] = body_of(cairn_span_body(span, i), true);
    all->bodies[island->body_count] = (cairn_lean_body){0};
    all->place_count = island->body_count + 1;

    // a sweep ends with the contacts of bodies that nothing moves: no load drives others into these
    int free = 0, held = island->touch_count;
    for (int c = 0; c < island->touch_count; c++) {
        const cairn_touch* touch = cairn_span_touch(span, c);
        bool holds = span->group->local[touch->a] < 0 || span->group->local[touch->b] < 0;
        set_contact(all, &all->contacts[holds ? --held : free++], c);
    }

    return CAIRN_OK;
}

// ---------------------------------------------------------------- a small step

static void push(lean* all, const lean_contact* c, cairn_vec3 P)
{
    cairn_lean_body *a = &all->bodies[c->a], *b = &all->bodies[c->b];
    a->v = cairn_add_scaled(a->v, -a->inverse_mass, P);
    b->v = cairn_add_scaled(b->v, b->inverse_mass, P);
    a->w = cairn_sub(a->w, cairn_mat3_apply(a->inverse_inertia, cairn_cross(c->r_a, P)));
    b->w = cairn_add(b->w, cairn_mat3_apply(b->inverse_inertia, cairn_cross(c->r_b, P)));
}

static void spin(lean* all, const lean_contact* c, double L)
{
    cairn_lean_body *a = &all->bodies[c->a], *b = &all->bodies[c->b];
    a->w = cairn_add_scaled(a->w, -L, cairn_mat3_apply(a->inverse_inertia, c->n));
    b->w = cairn_add_scaled(b->w, L, cairn_mat3_apply(b->inverse_inertia, c->n));
}

static cairn_vec3 impulse_of(const lean_contact* c)
{
    cairn_vec3 P = cairn_scale(c->lambda[0], c->n);
    return cairn_add_scaled(cairn_add_scaled(P, c->lambda[1], c->t[0]), c->lambda[2], c->t[1]);
}

// forces and damping for the small step
static void kick(lean* all)
{
    const cairn_span* span = all->span;
    for (int i = 0; i < all->body_count; i++) {
        const cairn_body* body = cairn_span_body(span, i);
        cairn_lean_body* own = &all->bodies[i];

        cairn_vec3 pull =
            cairn_add_scaled(cairn_scale(body->gravity_scale, span->world->def.gravity),
                             body->inverse_mass, body->force);
        own->v = cairn_add_scaled(own->v, all->h, pull);
        own->w =
            cairn_add_scaled(own->w, all->h, cairn_mat3_apply(own->inverse_inertia, body->torque));

        if (body->linear_damping > 0.0)
            own->v = cairn_scale(cairn_exp(-all->h * body->linear_damping), own->v);
        if (body->angular_damping > 0.0)
            own->w = cairn_scale(cairn_exp(-all->h * body->angular_damping), own->w);
    }
}

// what a turn by θ makes of an arm, less the arm: θ x r + θ x (θ x r)/2
static cairn_vec3 swung(cairn_vec3 theta, cairn_vec3 r)
{
    cairn_vec3 d = cairn_cross(theta, r);
    return cairn_add_scaled(d, 0.5, cairn_cross(theta, d));
}

static void follow_gaps(lean* all)
{
    for (int i = 0; i < all->span->island->touch_count; i++) {
        lean_contact* c = &all->contacts[i];
        const cairn_lean_body *a = &all->bodies[c->a], *b = &all->bodies[c->b];
        cairn_vec3 d = cairn_sub(cairn_add(b->moved, swung(b->turned, c->r_b)),
                                 cairn_add(a->moved, swung(a->turned, c->r_a)));
        c->gap = c->start + cairn_dot(c->n, d);
    }
}

// friction stays in its set: the ellipse that the normal impulse allows
static void rub(lean* all, lean_contact* c)
{
    const cairn_touch* touch = c->touch;
    cairn_lean_body *a = &all->bodies[c->a], *b = &all->bodies[c->b];
    cairn_vec3 u = slip_of(c, a, b);
    double f[2], square = 0.0;

    // f: friction that would stop the slip, and how far it is outside of the ellipse
    for (int k = 0; k < 2; k++) {
        double radius = touch->mu[k] * c->lambda[0];
        f[k] = c->lambda[1 + k] - c->mass[1 + k] * cairn_dot(u, c->t[k]);
        square += radius > 0.0 ? f[k] * f[k] / (radius * radius) : f[k] == 0.0 ? 0.0 : INFINITY;
    }

    // outside, it is scaled back onto the ellipse: sliding
    double share = square > 1.0 ? 1.0 / sqrt(square) : 1.0;
    cairn_vec3 P = cairn_add_scaled(cairn_scale(share * f[0] - c->lambda[1], c->t[0]),
                                    share * f[1] - c->lambda[2], c->t[1]);
    c->lambda[1] = share * f[0];
    c->lambda[2] = share * f[1];

    push(all, c, P);
    if (c->rows < 4)
        return;

    // and against spinning
    double bound = touch->mu_spin * c->lambda[0];
    double L = c->lambda[3] - c->mass[3] * cairn_dot(c->n, cairn_sub(b->w, a->w));
    L = fmax(-bound, fmin(bound, L));
    spin(all, c, L - c->lambda[3]);
    c->lambda[3] = L;
}

static void sweep_contacts(lean* all, bool relax)
{
    const double slop = all->span->world->def.slop;
    for (int i = 0; i < all->span->island->touch_count; i++) {
        lean_contact* c = &all->contacts[i];

        // the normal: open gaps may close, overlaps are pulled back
        double bias = 0.0, mass = c->mass[0], keep = 0.0;
        if (c->gap > 0.0) {
            bias = c->gap / all->h;
        } else if (!relax && c->gap < -slop) {
            bias = fmax(all->soft.rate * (c->gap + slop), -fastest_push);
            mass *= all->soft.mass_scale;
            keep = all->soft.impulse_scale;
        }

        // one projected Gauss-Seidel step of the normal impulse
        double u = cairn_dot(c->n, slip_of(c, &all->bodies[c->a], &all->bodies[c->b]));
        double N = fmax(0.0, c->lambda[0] - mass * (u + bias) - keep * c->lambda[0]);
        push(all, c, cairn_scale(N - c->lambda[0], c->n));
        c->lambda[0] = N;
        c->most = fmax(c->most, N);

        if (N > 0.0 || c->lambda[1] != 0.0 || c->lambda[2] != 0.0 || c->lambda[3] != 0.0)
            rub(all, c);
    }
}

static void drift(lean* all)
{
    for (int i = 0; i < all->place_count; i++) {
        cairn_lean_body* body = &all->bodies[i];
        body->moved = cairn_add_scaled(body->moved, all->h, body->v);
        body->turned = cairn_add_scaled(body->turned, all->h, body->w);
        if (!all->joints || i >= all->body_count)
            continue;
        body->at.p = cairn_add_scaled(body->at.p, all->h, body->v);
        body->at.q = cairn_quat_normalize(
            cairn_quat_multiply(cairn_turn_by(cairn_scale(all->h, body->w)), body->at.q));
    }
}

// m/s: the fastest contact under forces alone
static double largest_slip(const lean* all)
{
    double most = 0.0;
    for (int i = 0; i < all->span->island->touch_count; i++) {
        const lean_contact* c = &all->contacts[i];
        most = fmax(most, cairn_norm(slip_of(c, &all->bodies[c->a], &all->bodies[c->b])));
    }
    return most;
}

// a small step; returns how fast joints are violated after it
static double small_step(lean* all, double longer)
{
    int count = all->span->island->touch_count;

    // forces, then the impulses of the small step before
    kick(all);
    all->scale = largest_slip(all);
    if (all->joints)
        all->scale =
            fmax(all->scale, cairn_lean_joints_begin(all->joints, all->span, all->bodies, all->h));

    for (int i = 0; i < count; i++) {
        lean_contact* c = &all->contacts[i];
        for (int k = 0; k < 4; k++)
            c->lambda[k] *= longer;
        if (c->lambda[0] > 0.0)
            push(all, c, impulse_of(c));
        if (c->lambda[0] > 0.0 && c->lambda[3] != 0.0)
            spin(all, c, c->lambda[3]);
    }

    // pull errors back, move, and sweep again so that no velocity of the pulling is left
    if (all->joints)
        cairn_lean_joints_sweep(all->joints, all->bodies, false);
    sweep_contacts(all, false);
    drift(all);
    follow_gaps(all);
    double left = all->joints ? cairn_lean_joints_sweep(all->joints, all->bodies, true) : 0.0;
    sweep_contacts(all, true);

    if (all->joints)
        cairn_lean_joints_end(all->joints);

    for (int i = 0; i < count; i++)
        all->total[i] = cairn_add(all->total[i], impulse_of(&all->contacts[i]));
    return left;
}

// ---------------------------------------------------------------- the end

// contacts that struck faster than the restitution speed bounce
static void bounce(lean* all)
{
    double least = all->span->world->def.restitution_speed;
    for (int i = 0; i < all->span->island->touch_count; i++) {
        lean_contact* c = &all->contacts[i];
        double e = c->touch->restitution;
        if (e == 0.0 || c->most == 0.0 || c->approach > -least)
            continue;
        double u = cairn_dot(c->n, slip_of(c, &all->bodies[c->a], &all->bodies[c->b]));
        double N = fmax(0.0, c->lambda[0] - c->mass[0] * (u + e * c->approach));
        cairn_vec3 P = cairn_scale(N - c->lambda[0], c->n);
        push(all, c, P);
        all->total[i] = cairn_add(all->total[i], P);
        c->lambda[0] = N;
    }
}

// m/s: by how much a contact misses its law; spin is measured at an arm
static double miss_of(const lean* all, const lean_contact* c)
{
    const cairn_lean_body *a = &all->bodies[c->a], *b = &all->bodies[c->b];
    cairn_friction friction = cairn_touch_friction(c->touch);
    double mu[3] = {c->touch->mu[0], c->touch->mu[1], c->touch->mu[0]}, diagonal = 0.0;
    for (int k = 0; k < 3; k++)
        diagonal += over(c->mass[k]) / 3.0;

    // the natural map in the frame of the contact
    cairn_vec3 u = slip_of(c, a, b);
    cairn_natural map = {.lambda_n = c->lambda[0],
                         .v_n = cairn_dot(c->n, u) + fmax(c->gap, 0.0) / all->h,
                         .mu = mu[0],
                         .over = over(diagonal)};
    for (int k = 0; k < 2 && c->rows > 1; k++) {
        map.lambda_t[k] = c->lambda[1 + k];
        map.v_t[k] = cairn_dot(c->t[k], u);
    }
    if (c->rows == 4) {
        double arm = cairn_spin_arm(&friction);
        mu[2] = cairn_spin_axis(&friction);
        map.lambda_t[2] = c->lambda[3] / arm;
        map.v_t[2] = arm * cairn_dot(c->n, cairn_sub(b->w, a->w));
    }

    double normal = natural_normal(&map);
    return diagonal * sqrt(normal * normal + natural_slip_law(&map, mu));
}

static void store(const lean* all)
{
    const cairn_span* span = all->span;
    for (int i = 0; i < all->body_count; i++) {
        int slot = span->group->bodies[span->island->body + i];
        cairn_body* body = &span->world->bodies[slot];
        const cairn_lean_body* own = &all->bodies[i];
        const double d[6] = {own->moved.x,  own->moved.y,  own->moved.z,
                             own->turned.x, own->turned.y, own->turned.z};
        cairn_body_displace(body, d);

        // with joints the orientation was integrated turn by turn
        if (all->joints)
            body->q = own->at.q;
        cairn_body_refresh(body);
        body->v = own->v;
        body->w = own->w;
        body->pace = (cairn_pace){0};
    }

    // impulses of the last small step warm start the next step; totals are for the user
    for (int i = 0; i < span->island->touch_count; i++) {
        const lean_contact* c = &all->contacts[i];
        cairn_touch* touch = cairn_span_touch(span, c->index);
        cairn_touch_start(touch, impulse_of(c), c->lambda[3], all->h);
        touch->total = cairn_add(touch->total, all->total[i]);
        cairn_balance_carry(span->world, touch, all->total[i]);
    }
}

// m: how far the joints of the island gape
static double gape_of(const cairn_span* span)
{
    double most = 0.0;
    for (int i = 0; i < span->island->link_count; i++)
        most = fmax(
            most, cairn_link_gap(span->world,
                                 &span->world->links[span->group->links[span->island->link + i]]));
    return most;
}

// reports the residual of the last small step
static void tell(const lean* all, double joints, int steps)
{
    const cairn_span* span = all->span;
    cairn_judged judged = {.residual = joints, .scale = all->scale};
    for (int i = 0; i < span->island->touch_count; i++)
        judged.residual = cairn_worst(judged.residual, miss_of(all, &all->contacts[i]));
    double gape = gape_of(span);

    // small steps know nothing of rolling resistance and soft contacts
    bool met = judged.residual <= cairn_island_tolerance(span) * judged.scale &&
               gape <= closed_joint && !span->island->rolls && !span->island->soft;
    cairn_island_tell(span, "pgs", &judged,
                      met ? CAIRN_OUTCOME_CONVERGED : CAIRN_OUTCOME_TIME_LIMIT);
    cairn_island_tell_joints(span, gape, 1.0, false);
    cairn_island_report_of(span)->motion.substeps_max = steps;
}

cairn_status cairn_island_lean(const cairn_span* span)
{
    // a body that flies alone needs no small steps
    if (span->island->touch_count == 0 && span->island->link_count == 0) {
        cairn_span whole = *span;
        whole.h = span->substeps * span->h;
        cairn_island_fly(&whole);
        return CAIRN_OK;
    }

    lean all;
    cairn_status status = begin(&all, span);
    double left = span->substeps * span->h, joints = 0.0, longer = 1.0;
    int steps = 0;
    for (int k = 0; k < span->substeps && status == CAIRN_OK && left > 0.0; k++) {
        // when the deadline has passed, the rest of the step becomes one small step
        bool last = k + 1 == span->substeps;
        bool late = !last && span->deadline > 0.0 && cairn_clock() >= span->deadline;
        double h = last || late ? left : span->h;

        longer = h / all.h;
        all.h = h;
        all.soft = cairn_softness_of(fmin(contact_hertz, 1.0 / (samples_per_cycle * h)),
                                     contact_damping, h);

        joints = small_step(&all, longer);
        left = last || late ? 0.0 : left - h;
        steps++;
        status = cairn_world_poll(span->world);
    }
    if (status != CAIRN_OK)
        return status;

    // after the motion: bounces, and joints closed by displacement
    bounce(&all);
    if (all.joints)
        cairn_lean_joints_close(all.joints, span, all.bodies);
    store(&all);
    tell(&all, joints, steps);
    return CAIRN_OK;
}
