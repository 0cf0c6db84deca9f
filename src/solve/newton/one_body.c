// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// `newton`: Newton's method in the six velocities of one body. With λ the impulse of a contact, u
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
// six equations. The certificate decides after every step of Newton's. Where it does not arrive
// (jamming), other methods have to go on. Not for torsional or anisotropic friction.

#include "solve/newton/one_body.h"
#include "math/accept.h"
#include "problem/contact_geometry.h"
#include "problem/mass.h"
#include "problem/six.h"
#include "solve/method.h"
#include <string.h>

static const double slack = 1e-7;    // ε
static const double roundoff = 1e-9; // of the geometry of contacts, which answers inherit

static cairn_one_body_answer answer_of(const cairn_one_body_contact* contact, cairn_vec3 u)
{
    cairn_vec3 n = contact->n, P = contact->impulse;
    double mu = contact->mu, rho = 1.0 / contact->mean, kappa = rho / slack;
    double u_n = cairn_dot(u, n), x = cairn_dot(P, n), y_n = x - rho * u_n;

    // open
    if (!(y_n > 0.0))
        return (cairn_one_body_answer){.f = P, .d = contact->t, .p = cairn_cross(n, contact->t)};

    // stick
    cairn_vec3 x_t = cairn_add_scaled(P, -x, n);
    cairn_vec3 u_t = cairn_add_scaled(u, -u_n, n);
    cairn_vec3 y_t = cairn_add_scaled(x_t, -rho, u_t);
    double length = cairn_norm(y_t), limit = mu * y_n;
    if (length <= limit)
        return (cairn_one_body_answer){
            .f = cairn_add_scaled(cairn_scale(kappa, u_t), kappa * u_n, n),
            .d = contact->t,
            .p = cairn_cross(n, contact->t),
            .stiff = kappa,
            .along = kappa,
            .beside = kappa};

    // slide
    cairn_vec3 d = cairn_scale(1.0 / length, y_t), p = cairn_cross(n, d);
    double share = limit / length, rest = 1.0 - share + slack;
    cairn_vec3 f = cairn_scale(kappa * u_n, n);
    f = cairn_add_scaled(f, cairn_dot(x_t, d) - mu * (x - kappa * u_n), d);
    f = cairn_add_scaled(f, cairn_dot(x_t, p) / rest, p);
    return (cairn_one_body_answer){
        .f = f, .d = d, .p = p, .stiff = kappa, .cross = mu * kappa, .beside = share * rho / rest};
}

// λ' - λ for a change of u
static cairn_vec3 change(const cairn_one_body_answer* x, cairn_vec3 n, cairn_vec3 delta)
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
    cairn_store_six(to, x, cairn_cross(arm, x));
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
        // the largest pivot of the column
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

    // back substitution
    for (int k = 5; k >= 0; k--) {
        for (int j = k + 1; j < 6; j++)
            K[7 * k + 6] -= K[7 * k + j] * K[7 * j + 6];
        K[7 * k + 6] /= K[8 * k];
    }
    return true;
}

static cairn_vec3 relative_velocity(const cairn_one_body_contact* contact, const double* v)
{
    cairn_vec3 own = cairn_point_velocity(v, contact->arm);
    cairn_vec3 u = contact->is_b ? cairn_sub(own, contact->other) : cairn_sub(contact->other, own);
    return cairn_add(u, contact->bias);
}

// M + Σ G^T B G and -Σ G^T f
static void gather(double* K, cairn_one_body_contact* contacts, int count, const cairn_mass* mass,
                   const double* v)
{
    cairn_mat3 inertia = cairn_mat3_inverse(mass->inverse_inertia);
    const cairn_vec3 I[3] = {inertia.cx, inertia.cy, inertia.cz};

    // the mass, in rows of seven numbers
    memset(K, 0, 42 * sizeof(double));
    for (int k = 0; k < 3; k++) {
        K[8 * k] = 1.0 / mass->inverse_mass;
        K[7 * 3 + 3 + k] = I[k].x;
        K[7 * 4 + 3 + k] = I[k].y;
        K[7 * 5 + 3 + k] = I[k].z;
    }

    // what each contact adds at its point y
    for (int c = 0; c < count; c++) {
        cairn_one_body_contact* contact = &contacts[c];
        cairn_one_body_answer* x = &contact->answer;
        double n[6], d[6], p[6], f[6];
        *x = answer_of(contact, relative_velocity(contact, v));

        wrench(n, contact->arm, contact->n);
        wrench(d, contact->arm, x->d);
        wrench(p, contact->arm, x->p);
        wrench(f, contact->arm, x->f);

        add_product(K, x->stiff, n, n);
        add_product(K, x->cross, d, n);
        add_product(K, x->along, d, d);
        add_product(K, x->beside, p, p);

        for (int i = 0; i < 6; i++)
            K[7 * i + 6] -= contact->is_b ? f[i] : -f[i];
    }
}

bool cairn_one_body_step(cairn_one_body_contact* contacts, int count, const cairn_mass* mass,
                         const double* v)
{
    double K[42], dv[6];
    gather(K, contacts, count, mass, v);
    if (!eliminate(K))
        return false;

    for (int i = 0; i < 6; i++)
        dv[i] = K[7 * i + 6];
    for (int c = 0; c < count; c++) {
        cairn_one_body_contact* contact = &contacts[c];
        cairn_vec3 delta = cairn_point_velocity(dv, contact->arm);
        if (!contact->is_b)
            delta = cairn_neg(delta);
        contact->impulse = cairn_add(contact->impulse, change(&contact->answer, contact->n, delta));
    }
    return true;
}

// ---------------------------------------------------------------- the method

// The problem of one body. The velocity of the body counts from v*, so that b is the bias.
typedef struct lone {
    const cairn_problem* problem;
    int body;  // or -1
    int count; // contacts that the body has
    cairn_one_body_contact* contacts;
    cairn_contact_geometry* geometry;
    const cairn_block** blocks; // of each contact
} lone;

static bool moves(const cairn_problem* problem, int body)
{
    return body != CAIRN_WORLD_BODY && cairn_mass_moves(&problem->bodies[body]);
}

// the one body that has contacts; a second one is refused
static cairn_status find_body(lone* s, cairn_error* error)
{
    const cairn_problem* problem = s->problem;
    s->body = -1;

    for (int c = 0; c < problem->block_count; c++) {
        const int body[2] = {problem->blocks[c].body_a, problem->blocks[c].body_b};
        for (int side = 0; side < 2; side++) {
            if (!moves(problem, body[side]) || body[side] == s->body)
                continue;

            if (s->body >= 0)
                return cairn_fail(error, CAIRN_NOT_SUPPORTED,
                                  "newton solves for one movable body, but bodies %d and %d have "
                                  "contacts",
                                  s->body, body[side]);
            s->body = body[side];
        }
    }

    // the mass matrix must have an inverse
    const cairn_mass* mass = s->body >= 0 ? &problem->bodies[s->body] : NULL;
    if (mass && !(mass->inverse_mass > 0.0 && cairn_mat3_determinant(mass->inverse_inertia) > 0.0))
        return cairn_fail(error, CAIRN_NOT_SUPPORTED,
                          "newton needs a body that can move and turn in all directions, but body "
                          "%d cannot",
                          s->body);
    return CAIRN_OK;
}

static void read_contact(lone* s, const cairn_block* block, const double* lambda)
{
    const cairn_mass* mass = &s->problem->bodies[s->body];
    cairn_contact_geometry* geometry = &s->geometry[s->count];
    bool is_b = block->body_b == s->body, rough = block->friction.kind == CAIRN_FRICTION_CONE;
    cairn_contact_geometry_read(geometry, s->problem, block, roundoff);
    s->blocks[s->count] = block;
    s->contacts[s->count++] = (cairn_one_body_contact){
        .n = geometry->axis[0],
        .t = geometry->axis[1],
        .arm = geometry->arm[is_b],
        .bias = cairn_contact_vector(geometry, block, s->problem->b),
        .impulse = cairn_contact_vector(geometry, block, lambda),
        .mu = rough && block->row_count > 1 ? block->friction.mu[0] : 0.0,
        .mean =
            cairn_mass_trace(mass->inverse_mass, &mass->inverse_inertia, geometry->arm[is_b]) / 3.0,
        .is_b = is_b};
}

// λ of the contacts, and the velocity M^-1 J^T λ of the body
static void write_lambda(const lone* s, double* lambda, double* v, double* velocities)
{
    for (int c = 0; c < s->count; c++)
        cairn_contact_components(&s->geometry[c], s->blocks[c], s->contacts[c].impulse, lambda);
    cairn_problem_body_velocity(s->problem, lambda, velocities);
    memcpy(v, velocities + 6 * (ptrdiff_t)s->body, 6 * sizeof *v);
}

static cairn_status iterate(cairn_job* job, lone* s)
{
    enum { most_steps = 50 };
    size_t rows = (size_t)job->problem->row_count, bodies = (size_t)job->problem->body_count;
    double* lambda = CAIRN_TAKE_ZEROED(job->arena, double, rows);
    double* velocities = CAIRN_TAKE(job->arena, double, 6 * bodies);
    if (job->arena->failed)
        return CAIRN_NO_MEMORY;

    int limit = job->def->max_iterations ? job->def->max_iterations : most_steps;
    double v[6], best = INFINITY, before = INFINITY;
    job->report->outcome = CAIRN_OUTCOME_ITERATION_LIMIT;

    for (int k = 0;; k++) {
        cairn_residual residual = {.relative = INFINITY};
        write_lambda(s, lambda, v, velocities);
        bool done = cairn_job_done(job, lambda, &residual);
        cairn_job_trace(job, k, residual.relative);
        if (residual.relative < best) {
            best = residual.relative;
            memcpy(job->lambda, lambda, rows * sizeof(double));
        }

        // until exact; or as exact as the tolerance asks and round-off allows
        bool stuck = k > 0 && !(residual.relative < 0.5 * before);
        if (residual.relative <= cairn_one_body_exact || (done && stuck)) {
            job->report->outcome = CAIRN_OUTCOME_CONVERGED;
            return CAIRN_OK;
        }

        before = residual.relative;
        if (cairn_job_stopped(job)) {
            job->report->outcome = CAIRN_OUTCOME_TIME_LIMIT;
            return CAIRN_OK;
        }

        if (k == limit ||
            !cairn_one_body_step(s->contacts, s->count, &job->problem->bodies[s->body], v))
            return CAIRN_OK;
        job->report->iterations++;
    }
}

cairn_status cairn_method_newton(cairn_job* job, cairn_error* error)
{
    const cairn_problem* problem = job->problem;
    lone s = {.problem = problem};
    cairn_status status = cairn_contacts_check(problem, "newton", true, roundoff, error);
    if (status == CAIRN_OK)
        status = find_body(&s, error);
    if (status != CAIRN_OK || s.body < 0)
        return status;

    size_t blocks = (size_t)problem->block_count;
    s.contacts = CAIRN_TAKE(job->arena, cairn_one_body_contact, blocks);
    s.geometry = CAIRN_TAKE(job->arena, cairn_contact_geometry, blocks);
    s.blocks = CAIRN_TAKE(job->arena, const cairn_block*, blocks);
    if (job->arena->failed)
        return CAIRN_NO_MEMORY;

    for (size_t c = 0; c < blocks; c++)
        if (problem->blocks[c].body_a == s.body || problem->blocks[c].body_b == s.body)
            read_contact(&s, &problem->blocks[c], job->lambda);
    return iterate(job, &s);
}
