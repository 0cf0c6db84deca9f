// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// How far impulses are from solving a problem: the natural map, block by block, from λ and a
// freshly computed v = A λ + b alone. With a_c the mean diagonal of A_cc (over the rows that can
// move) and ρ_c = 1/a_c,
//
//     normal     F_N = λ_N - max(0, λ_N - ρ v_N)
//     friction   F_F = λ_F - P_F(λ_N)(λ_F - ρ v_F)
//     equality   F   = ρ v
//     bounds     F   = λ - clamp(λ - ρ v, lo, hi)
//
// F is an impulse, a_c F a velocity. A spin row is measured in m/s at the arm ℓ = μ_τ/μ_T (v ℓ,
// λ/ℓ, A ℓ²), so that one ρ serves all friction rows of a contact and no unit is mixed.
//
// Beside it stands the field's own figure: F = r - P_K(r - u - μ|u_T| n) with step 1.
//
// Nothing here uses the scaled rows or the block diagonal that the methods work with.

#include "problem/residual.h"
#include "math/numbers.h"
#include "problem/friction.h"
#include "problem/mass.h"
#include "problem/natural_map.h"
#include "problem/six.h"
#include <stdlib.h>

typedef struct measure {
    const cairn_problem* problem;
    const double* lambda;
    const double* body; // M^-1 J^T λ
    cairn_law law;
    int facets;
} measure;

void cairn_problem_body_velocity(const cairn_problem* problem, const double* lambda, double* change)
{
    if (!problem || (problem->body_count > 0 && !change) || (problem->row_count > 0 && !lambda))
        return;

    // gather J^T λ, then multiply by M^-1 once per body
    for (ptrdiff_t i = 0; i < 6 * (ptrdiff_t)problem->body_count; i++)
        change[i] = 0.0;

    if (!problem->rows)
        return;
    for (int c = 0; c < problem->block_count; c++) {
        const cairn_block* block = &problem->blocks[c];
        for (int i = block->row; i < block->row + block->row_count; i++)
            for (int k = 0; k < 6; k++) {
                if (block->body_a != CAIRN_WORLD_BODY)
                    change[6 * (ptrdiff_t)block->body_a + k] += lambda[i] * problem->rows[i].a[k];
                if (block->body_b != CAIRN_WORLD_BODY)
                    change[6 * (ptrdiff_t)block->body_b + k] += lambda[i] * problem->rows[i].b[k];
            }
    }

    for (int i = 0; i < problem->body_count; i++) {
        double velocity[6];
        cairn_mass_apply(velocity, &problem->bodies[i], change + 6 * (ptrdiff_t)i);
        for (int k = 0; k < 6; k++)
            change[6 * (ptrdiff_t)i + k] = velocity[k];
    }
}

// v and the diagonal of A_cc for the rows of one block
static void block_state(const measure* m, int c, double* v, double* diagonal)
{
    const cairn_problem* problem = m->problem;
    const cairn_block* block = &problem->blocks[c];

    for (int i = 0; i < block->row_count; i++) {
        int row = block->row + i;
        double softness = problem->compliance ? problem->compliance[row] : 0.0;
        v[i] = problem->b[row] + softness * m->lambda[row];
        diagonal[i] = softness;

        // v_i = b_i + j_i M^-1 J^T λ, A_ii = j_i M^-1 j_i^T
        if (problem->A)
            continue;

        int body[2] = {block->body_a, block->body_b};
        const double* j[2] = {problem->rows[row].a, problem->rows[row].b};
        for (int side = 0; side < 2; side++) {
            double x[6];
            if (body[side] == CAIRN_WORLD_BODY)
                continue;
            v[i] += cairn_dot6(j[side], m->body + 6 * (ptrdiff_t)body[side]);
            cairn_mass_apply(x, &problem->bodies[body[side]], j[side]);
            diagonal[i] += cairn_dot6(j[side], x);
        }
    }

    // or by an explicit A
    if (!problem->A)
        return;
    const cairn_block_matrix* A = problem->A;
    for (int k = A->row_begin[c]; k < A->row_begin[c + 1]; k++) {
        const double* a = A->value + 9 * (ptrdiff_t)k;
        const double* x = m->lambda + 3 * (ptrdiff_t)A->column[k];
        for (int i = 0; i < 3; i++) {
            for (int j = 0; j < 3; j++) // one after the other, as libfclib sums
                v[i] += a[3 * i + j] * x[j];
            if (A->column[k] == c)
                diagonal[i] += a[3 * i + i];
        }
    }
}

static double mean_of_positive(const double* diagonal, int n)
{
    double sum = 0.0;
    int count = 0;
    for (int i = 0; i < n; i++)
        if (!(diagonal[i] <= 0.0)) { // a NaN must not hide
            sum += diagonal[i];
            count++;
        }
    return count ? sum / count : 0.0;
}

// |F_F|² by the projection of a friction law
static double projected_slip(const cairn_natural* map, const cairn_friction* friction,
                             const double* lambda, const double* v, int n)
{
    double f[3] = {0.0}, slip = 0.0;
    for (int i = 1; i < n; i++)
        f[i - 1] = lambda[i] - map->over * v[i];
    cairn_friction_project(f, n, friction, lambda[0] > 0.0 ? lambda[0] : 0.0);
    for (int i = 1; i < n; i++)
        slip += (lambda[i] - f[i - 1]) * (lambda[i] - f[i - 1]);
    return slip;
}

// a |F| of a contact without friction rows
static double normal_error(double lambda, double v, double a)
{
    cairn_natural map = {.lambda_n = lambda, .v_n = v, .over = 1.0 / a};
    return a * fabs(natural_normal(&map));
}

// a_c |F_c| of a contact
static double contact_error(const measure* m, const cairn_block* block, const double* velocity,
                            const double* block_diagonal, cairn_residual* residual)
{
    int n = block->row_count;

    if (n == 1 && block_diagonal[0] > 0.0) {
        residual->approach = -velocity[0] > residual->approach ? -velocity[0] : residual->approach;
        return normal_error(m->lambda[block->row], velocity[0], block_diagonal[0]);
    }

    cairn_friction friction = cairn_friction_as(&block->friction, m->law, m->facets);
    double lambda[4] = {0.0}, v[4] = {0.0}, diagonal[4] = {0.0};

    for (int i = 0; i < n; i++) {
        lambda[i] = m->lambda[block->row + i];
        v[i] = velocity[i];
        diagonal[i] = block_diagonal[i];
    }

    // the spin row in the units of the others: a torque by its arm is a force
    if (n == 4) {
        double arm = cairn_spin_arm(&friction);
        v[3] *= arm;
        lambda[3] /= arm;
        diagonal[3] *= arm * arm;
        friction.mu[2] = cairn_spin_axis(&friction);
    }

    // a contact that nothing can move has no impulse to judge: its approach is the error
    residual->approach = fmax(residual->approach, -v[0]);
    double a = mean_of_positive(diagonal, n);
    if (a == 0.0)
        return fmax(0.0, -v[0]);

    cairn_natural map = {.lambda_n = lambda[0], .v_n = v[0], .mu = friction.mu[0], .over = 1.0 / a};
    double normal = natural_normal(&map), slip = 0.0;
    for (int i = 1; i < n; i++) {
        map.lambda_t[i - 1] = lambda[i];
        map.v_t[i - 1] = v[i];
    }

    if (n == 3 && friction.kind == CAIRN_FRICTION_CONE) {
        slip = natural_slip(&map, 2);
    } else if (n == 3 && friction.kind == CAIRN_FRICTION_ELLIPSE) {
        const double mu[3] = {friction.mu[0], friction.mu[1], friction.mu[0]};
        slip = natural_slip_law(&map, mu);
    } else if (n == 4 && friction.kind == CAIRN_FRICTION_ELLIPSOID) {
        slip = natural_slip_law(&map, friction.mu);
    } else {
        slip = projected_slip(&map, &friction, lambda, v, n);
    }

    residual->slip = fmax(residual->slip, a * sqrt(slip));
    return a * sqrt(normal * normal + slip);
}

// a_c |F_c| of rows with bounds: equality (-∞, ∞), limits [0, ∞), motors [lo, hi]
static double bounded_error(const measure* m, const cairn_block* block, const double* v,
                            const double* diagonal)
{
    const cairn_problem* problem = m->problem;

    double a = mean_of_positive(diagonal, block->row_count), sum = 0.0;
    for (int i = 0; i < block->row_count; i++) {
        int row = block->row + i;
        double x = m->lambda[row], F = v[i];

        // F = a (λ - clamp(λ - v/a, lo, hi)); what nothing can move must not break its limit
        if (block->kind == CAIRN_BLOCK_LIMIT || block->kind == CAIRN_BLOCK_MOTOR) {
            double lo = block->kind == CAIRN_BLOCK_LIMIT ? 0.0 : problem->lo[row];
            double hi = block->kind == CAIRN_BLOCK_LIMIT ? INFINITY : problem->hi[row];
            double to = fmin(fmax(a > 0.0 ? x - v[i] / a : x, lo), hi);
            F = a > 0.0 ? a * (x - to) : block->kind == CAIRN_BLOCK_LIMIT ? fmin(v[i], 0.0) : 0.0;
        }

        sum += F * F;
    }
    return sqrt(sum);
}

// The natural map of FCLib: step 1, De Saxcé's term. Squares are summed over contacts and equality
// rows, in libfclib's order of operations: its merit function gives the same bits.
typedef struct fclib_sums {
    double F, q, equality, s;
    bool applies;
} fclib_sums;

static void add_fclib(fclib_sums* sums, const measure* m, const cairn_block* block, const double* v)
{
    const double* r = m->lambda + block->row;
    const double* b = m->problem->b + block->row;

    if (block->kind == CAIRN_BLOCK_JOINT || block->kind == CAIRN_BLOCK_VELOCITY) {
        for (int i = 0; i < block->row_count; i++) {
            sums->equality += v[i] * v[i];
            sums->s += b[i] * b[i];
        }
        return;
    }

    bool cone =
        block->friction.kind == CAIRN_FRICTION_CONE || block->friction.kind == CAIRN_FRICTION_NONE;
    if (block->kind != CAIRN_BLOCK_CONTACT || block->row_count > 3 || !cone) {
        sums->applies = false;
        return;
    }

    if (block->row_count == 1) {
        double F = r[0] - fmax(0.0, r[0] - v[0]);
        sums->q += b[0] * b[0];
        sums->F += F * F;
        return;
    }

    double mu = block->friction.kind == CAIRN_FRICTION_CONE ? block->friction.mu[0] : 0.0;
    double u[3] = {0.0}, x[3] = {0.0};

    for (int i = 0; i < block->row_count; i++) {
        u[i] = v[i];
        x[i] = r[i];
        sums->q += b[i] * b[i];
    }

    // F = r - P_K(r - u - μ|u_T| n)
    double slip = block->row_count > 1 ? cairn_hypot(u[1], u[2]) : 0.0;
    double shifted = u[0] + mu * slip;
    cairn_vec3 p = cairn_project_on_cone(cairn_vec(x[0] - shifted, x[1] - u[1], x[2] - u[2]), mu);
    sums->F +=
        (x[0] - p.x) * (x[0] - p.x) + (x[1] - p.y) * (x[1] - p.y) + (x[2] - p.z) * (x[2] - p.z);
}

static void finish_fclib(cairn_residual* residual, const fclib_sums* sums)
{
    if (!sums->applies) {
        residual->fclib_merit = residual->fclib_relative = NAN;
        return;
    }
    double q = sqrt(sums->q), F = sqrt(sums->F + sums->equality);
    double b = sqrt(sums->q + sums->s);
    residual->fclib_merit =
        sqrt(sums->F) / (1.0 + sqrt(q)) + sqrt(sums->equality) / (1.0 + sqrt(sums->s));
    residual->fclib_relative = b > 0.0 ? F / b : F;
}

// the error of a block; a NaN is the worst of all
static double block_error(const measure* m, const cairn_block* block, const double* v,
                          const double* diagonal, cairn_residual* residual)
{
    double error = block->kind == CAIRN_BLOCK_CONTACT
                       ? contact_error(m, block, v, diagonal, residual)
                       : bounded_error(m, block, v, diagonal);
    bool finite = cairn_all_finite(v, block->row_count) &&
                  cairn_all_finite(m->lambda + block->row, block->row_count);
    return finite ? error : (double)INFINITY;
}

void cairn_residual_evaluate(cairn_residual* residual, const cairn_problem* problem,
                             const double* lambda, const double* v, const double* diagonal,
                             cairn_law law, int facets)
{
    measure m = {.problem = problem, .lambda = lambda, .law = law, .facets = facets};
    fclib_sums fclib = {.applies = true};
    double scale = 0.0;

    *residual = (cairn_residual){.worst_block = -1};
    for (int c = 0; c < problem->block_count; c++) {
        const cairn_block* block = &problem->blocks[c];
        const double* block_v = v + block->row;
        const double* block_diagonal = diagonal + block->row;

        add_fclib(&fclib, &m, block, block_v);

        double error = block_error(&m, block, block_v, block_diagonal, residual);
        double worst = cairn_worst(residual->velocity, error);
        if (worst > residual->velocity) {
            residual->velocity = worst;
            residual->worst_block = c;
        }

        for (int i = block->row; i < block->row + block->row_count; i++)
            scale = fmax(scale, fabs(problem->b[i]));
    }

    residual->relative = scale > 0.0 ? residual->velocity / scale : residual->velocity;
    finish_fclib(residual, &fclib);
}

cairn_status cairn_residual_measure(cairn_residual* residual, const cairn_problem* problem,
                                    const double* lambda, cairn_law law, int facets,
                                    cairn_arena* arena)
{
    cairn_arena_mark mark = cairn_arena_here(arena);
    double* body = CAIRN_TAKE(arena, double, 6 * (ptrdiff_t)problem->body_count);
    double* v = CAIRN_TAKE(arena, double, problem->row_count);
    double* diagonal = CAIRN_TAKE(arena, double, problem->row_count);

    if (!body || !v || !diagonal)
        return CAIRN_NO_MEMORY;

    cairn_problem_body_velocity(problem, lambda, body);
    measure m = {.problem = problem, .lambda = lambda, .body = body};
    for (int c = 0; c < problem->block_count; c++)
        block_state(&m, c, v + problem->blocks[c].row, diagonal + problem->blocks[c].row);

    cairn_residual_evaluate(residual, problem, lambda, v, diagonal, law, facets);
    cairn_arena_release(arena, mark);
    return CAIRN_OK;
}

cairn_status cairn_residual_exceeds(bool* exceeds, const cairn_problem* problem,
                                    const double* lambda, double bound, cairn_law law, int facets,
                                    cairn_arena* arena)
{
    cairn_arena_mark mark = cairn_arena_here(arena);
    double* body = CAIRN_TAKE_ZEROED(arena, double, 6 * (ptrdiff_t)problem->body_count);
    double scale = 0.0;
    bool any = false;
    *exceeds = false;

    if (!body)
        return CAIRN_NO_MEMORY;

    for (int i = 0; i < problem->row_count; i++) {
        scale = fmax(scale, fabs(problem->b[i]));
        any = any || lambda[i] != 0.0;
    }
    double most = scale > 0.0 ? bound * scale : bound;

    // without impulses no body changes its velocity
    if (any)
        cairn_problem_body_velocity(problem, lambda, body);

    measure m = {.problem = problem, .lambda = lambda, .body = body, .law = law, .facets = facets};
    for (int c = 0; c < problem->block_count && !*exceeds; c++) {
        cairn_residual ignored = {0};
        double v[6], diagonal[6];
        block_state(&m, c, v, diagonal);
        *exceeds = !(block_error(&m, &problem->blocks[c], v, diagonal, &ignored) <= most);
    }

    cairn_arena_release(arena, mark);
    return CAIRN_OK;
}

cairn_status cairn_problem_residual(const cairn_problem* problem, const double* lambda,
                                    cairn_law law, int facets, cairn_residual* residual)
{
    if (!residual || !problem || (problem->row_count > 0 && !lambda))
        return CAIRN_BAD_INPUT;
    cairn_arena arena = {0};
    cairn_status status = cairn_residual_measure(residual, problem, lambda, law, facets, &arena);
    cairn_arena_destroy(&arena);
    return status;
}

cairn_status cairn_problem_velocity(const cairn_problem* problem, const double* lambda, double* v)
{
    if (!problem || (problem->row_count > 0 && (!v || !lambda)))
        return CAIRN_BAD_INPUT;

    double* body = malloc(6 * (size_t)problem->body_count * sizeof(double) + 1);
    if (!body)
        return CAIRN_NO_MEMORY;

    cairn_problem_body_velocity(problem, lambda, body);
    measure m = {.problem = problem, .lambda = lambda, .body = body};
    for (int c = 0; c < problem->block_count; c++) {
        double diagonal[6];
        block_state(&m, c, v + problem->blocks[c].row, diagonal);
    }

    free(body);
    return CAIRN_OK;
}
