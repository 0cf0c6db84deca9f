// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Islands of one body: Newton's method in its six velocities. With λ the impulse of a contact, u
// its relative velocity, a = tr(A_cc)/3 and ρ = 1/a, the point y = λ - ρ u tells what the contact
// does next, and how λ changes with the change δ of u:
//
//     open    y_N <= 0                λ' = 0
//     stick   |y_F| <= μ y_N          λ' = λ - κ (u + δ)
//     slide   else                    λ'_N = λ_N - κ (u_N + δ_N),   λ'_F = μ λ'_N d + λ'_p p
//                                     λ'_p = λ_p - (λ_p + τ ρ δ_p) / (1 - τ + ε)
//
// with d = y_F/|y_F|, p = n x d and τ = μ y_N/|y_F|. κ = ρ/ε is large: a proximal step, so that
// loads which the body does not feel (four feet, three equations) stay where they were. In short
// λ' = λ - f - B δ; with G the rows of the contact, δ = G dv, and momentum gives
//
//     (M + Σ G^T B G) dv = -Σ G^T f,
//
// six equations. The certificate decides after every step of Newton's; impulses of the last
// substep that still pass cost no step at all. Where Newton's method does not arrive (jamming),
// the island is left as it was for the other methods. Not for torsional or anisotropic friction.

#include "world/step/policy.h"
#include <string.h>

enum { most_steps = 12, most_contacts = 64 };
static const double slack = 1e-7;      // ε
static const double exactness = 1e-13; // of the scale: what is left is round-off

bool cairn_island_single(const cairn_span* span)
{
    const cairn_island* island = span->island;
    return island->plain && island->body_count == 1 && island->touch_count > 0 &&
           island->touch_count <= most_contacts && span->world->automatic;
}

bool cairn_single_exact(const cairn_judged* judged)
{
    return judged->residual <= exactness * judged->scale;
}

// how a contact answers: λ' = λ - f - (stiff n n^T + cross d n^T + along d d^T + beside p p^T) δ
typedef struct answer {
    cairn_vec3 f, d, p;
    double stiff, cross, along, beside;
} answer;

static answer answer_of(const cairn_touch* touch, cairn_vec3 u, double a)
{
    cairn_vec3 n = touch->n, P = touch->impulse;
    double mu = touch->mu[0], rho = 1.0 / a, kappa = rho / slack;
    double u_n = cairn_dot(u, n), x = cairn_dot(P, n), y_n = x - rho * u_n;
    if (!(y_n > 0.0))
        return (answer){.f = P, .d = touch->t, .p = cairn_cross(n, touch->t)};
    cairn_vec3 x_t = cairn_add_scaled(P, -x, n);
    cairn_vec3 u_t = cairn_add_scaled(u, -u_n, n);
    cairn_vec3 y_t = cairn_add_scaled(x_t, -rho, u_t);
    double length = cairn_norm(y_t), limit = mu * y_n;
    if (length <= limit)
        return (answer){.f = cairn_add_scaled(cairn_scale(kappa, u_t), kappa * u_n, n),
                        .d = touch->t,
                        .p = cairn_cross(n, touch->t),
                        .stiff = kappa,
                        .along = kappa,
                        .beside = kappa};
    cairn_vec3 d = cairn_scale(1.0 / length, y_t), p = cairn_cross(n, d);
    double share = limit / length, rest = 1.0 - share + slack;
    cairn_vec3 f = cairn_scale(kappa * u_n, n);
    f = cairn_add_scaled(f, cairn_dot(x_t, d) - mu * (x - kappa * u_n), d);
    f = cairn_add_scaled(f, cairn_dot(x_t, p) / rest, p);
    return (answer){
        .f = f, .d = d, .p = p, .stiff = kappa, .cross = mu * kappa, .beside = share * rho / rest};
}

// λ' - λ for a change of u
static cairn_vec3 change(const answer* x, cairn_vec3 n, cairn_vec3 delta)
{
    double normal = cairn_dot(n, delta);
    cairn_vec3 sum = cairn_add_scaled(x->f, x->stiff * normal, n);
    sum = cairn_add_scaled(sum, x->cross * normal + x->along * cairn_dot(x->d, delta), x->d);
    return cairn_neg(cairn_add_scaled(sum, x->beside * cairn_dot(x->p, delta), x->p));
}

// ---------------------------------------------------------------- six equations

// G^T x of a direction: (x, r x x)
static void wrench(double* to, cairn_vec3 arm, cairn_vec3 x)
{
    cairn_vec3 turn = cairn_cross(arm, x);
    const double all[6] = {x.x, x.y, x.z, turn.x, turn.y, turn.z};
    memcpy(to, all, sizeof all);
}

// K += stiffness g h^T
static void add_product(double* K, double stiffness, const double* g, const double* h)
{
    if (stiffness == 0.0)
        return;
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++)
            K[7 * i + j] += stiffness * g[i] * h[j];
}

// solves the 6x6 system in rows of 7, the right-hand side last; false when it is singular
static bool eliminate(double* K)
{
    for (int k = 0; k < 6; k++) {
        int pivot = k;
        for (int i = k + 1; i < 6; i++)
            if (fabs(K[7 * i + k]) > fabs(K[7 * pivot + k]))
                pivot = i;
        if (!(fabs(K[7 * pivot + k]) > 0.0))
            return false;
        for (int j = k; j < 7 && pivot != k; j++) {
            double swap = K[7 * k + j];
            K[7 * k + j] = K[7 * pivot + j];
            K[7 * pivot + j] = swap;
        }
        for (int i = k + 1; i < 6; i++) {
            double factor = K[7 * i + k] / K[8 * k];
            for (int j = k + 1; j < 7; j++)
                K[7 * i + j] -= factor * K[7 * k + j];
        }
    }
    for (int k = 5; k >= 0; k--) {
        for (int j = k + 1; j < 6; j++)
            K[7 * k + 6] -= K[7 * k + j] * K[7 * j + 6];
        K[7 * k + 6] /= K[8 * k];
    }
    return true;
}

// ---------------------------------------------------------------- the island

// the one body and how it moves with the impulses at hand
typedef struct single {
    const cairn_span* span;
    const cairn_body* body;
    int slot;
    const double* v; // 6
    const cairn_contact_place* placed;
} single;

static cairn_touch* touch_of(const cairn_span* span, int c)
{
    return &span->world->touches[span->group->touches[span->island->touch + c]];
}

static answer look_at(const single* s, const cairn_touch* touch, const cairn_contact_place* placed)
{
    bool is_b = touch->b == s->slot;
    const double* still = s->span->free + 6 * (ptrdiff_t)(is_b ? touch->a : touch->b);
    cairn_vec3 arm = placed->r[is_b];
    cairn_vec3 own = cairn_point_velocity(s->v, arm);
    cairn_vec3 other = cairn_point_velocity(still, placed->r[!is_b]);
    cairn_vec3 u = is_b ? cairn_sub(own, other) : cairn_sub(other, own);
    return answer_of(touch, cairn_add(u, placed->bias), cairn_body_trace(s->body, arm) / 3.0);
}

// M + Σ G^T B G and -Σ G^T f
static void gather(double* K, answer* answers, const single* s)
{
    cairn_mat3 inertia = cairn_mat3_inverse(s->body->inverse_inertia);
    const cairn_vec3 I[3] = {inertia.cx, inertia.cy, inertia.cz};
    memset(K, 0, 42 * sizeof(double));
    for (int k = 0; k < 3; k++) {
        K[8 * k] = 1.0 / s->body->inverse_mass;
        K[7 * 3 + 3 + k] = I[k].x;
        K[7 * 4 + 3 + k] = I[k].y;
        K[7 * 5 + 3 + k] = I[k].z;
    }
    for (int c = 0; c < s->span->island->touch_count; c++) {
        const cairn_touch* touch = touch_of(s->span, c);
        bool is_b = touch->b == s->slot;
        cairn_vec3 arm = s->placed[c].r[is_b];
        double n[6], d[6], p[6], f[6];
        if (cairn_is_out(&s->placed[c]))
            continue;
        answers[c] = look_at(s, touch, &s->placed[c]);
        wrench(n, arm, touch->n);
        wrench(d, arm, answers[c].d);
        wrench(p, arm, answers[c].p);
        wrench(f, arm, answers[c].f);
        add_product(K, answers[c].stiff, n, n);
        add_product(K, answers[c].cross, d, n);
        add_product(K, answers[c].along, d, d);
        add_product(K, answers[c].beside, p, p);
        for (int i = 0; i < 6; i++)
            K[7 * i + 6] -= is_b ? f[i] : -f[i];
    }
}

// one step of Newton's: new impulses of all contacts
static bool improve(answer* answers, const single* s)
{
    double K[42], dv[6];
    gather(K, answers, s);
    if (!eliminate(K))
        return false;
    for (int i = 0; i < 6; i++)
        dv[i] = K[7 * i + 6];
    for (int c = 0; c < s->span->island->touch_count; c++) {
        cairn_touch* touch = touch_of(s->span, c);
        bool is_b = touch->b == s->slot;
        if (cairn_is_out(&s->placed[c]))
            continue;
        cairn_vec3 delta = cairn_point_velocity(dv, s->placed[c].r[is_b]);
        if (!is_b)
            delta = cairn_neg(delta);
        touch->impulse = cairn_add(touch->impulse, change(&answers[c], touch->n, delta));
    }
    return true;
}

// the impulses of the last substep as those of h seconds; `old` keeps them as they were
static void warm_up(const cairn_span* span, cairn_vec3* old, double* spans)
{
    for (int c = 0; c < span->island->touch_count; c++) {
        cairn_touch* touch = touch_of(span, c);
        old[c] = touch->impulse;
        spans[c] = touch->span;
        touch->impulse = cairn_scale(cairn_touch_warmth(touch, span->kick), touch->impulse);
        touch->span = span->kick;
    }
}

cairn_status cairn_single_solve(const cairn_span* span, cairn_judged* judged, bool* solved)
{
    size_t count = (size_t)span->island->touch_count;
    answer* answers = CAIRN_TAKE(span->arena, answer, count);
    cairn_vec3* old = CAIRN_TAKE(span->arena, cairn_vec3, count);
    double* spans = CAIRN_TAKE(span->arena, double, count);
    if (span->arena->failed)
        return CAIRN_NO_MEMORY;
    cairn_span own = *span;
    own.placed = cairn_island_place(span);
    if (!own.placed)
        return CAIRN_NO_MEMORY;
    single s = {.span = &own, .slot = span->group->bodies[span->island->body]};
    s.body = &span->world->bodies[s.slot];
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
        s.v = judged->velocity;
        s.placed = judged->placed;
        if (k == most_steps || !improve(answers, &s))
            break;
        cairn_arena_release(span->arena, mark);
    }
    for (size_t c = 0; c < count; c++) {
        touch_of(span, (int)c)->impulse = old[c];
        touch_of(span, (int)c)->span = spans[c];
    }
    return CAIRN_OK;
}
