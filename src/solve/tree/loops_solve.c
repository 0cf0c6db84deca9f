// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Nets of joints: the iteration; see loops.h. Conjugate gradients on A λ = r with the
// preconditioner z = W (r - Ĵ K^-1 Ĵ^T W r) (flexible form: Notay 2000, as single precision makes
// it a little unsymmetric). Ĵ^T p is kept beside the direction p, so that
//
//     p^T A p = |Ĵ^T p|² + p^T C p
//
// is known before A p, and an iteration reads the rows twice: once for z and Ĵ^T z, once for
// A p, the new r and Ĵ^T W r.
//
// What is left after a step by z is ε D z. Where most of r^T z comes from there, the rest lies in
// directions with σ < ε, which a finer factor takes: smaller ε, double precision.
//
// At the end of that ladder, or at once where the caller calls directions with σ < ε redundant, the
// proximal point method takes over: conjugate gradients on A + ε D, which old factors serve well,
// too. A step z_j = (A + ε D)^-1 r_j multiplies the part of r along σ by ε / (σ + ε) and adds r / ε
// to the multipliers along σ = 0, where that is in vain. The answer
//
//     λ + Σ_{j<k} z_j - k z_k
//
// has both: directions with σ > ε as after k steps, and nothing along σ = 0.

#include "solve/tree/loops.h"
#include "solve/tree/loops_rows.h"
#include <string.h>

enum {
    most_rounds = 12,  // restarts of the iteration
    fresh_limit = 16,  // iterations by a new factor that cost more than a finer one
    most_failures = 4, // of old factors that count
};

// share of r^T z along directions with σ < ε that the iteration bears, and from which on it is
// hopeless: σ is below ε/100
static const double most_unclear = 0.5, hopeless_share = 0.99;

// accuracy of a proximal step, of the last one, and the least gain for which another one is made
static const double step_accuracy = 0.03, last_accuracy = 1e-2, least_gain = 0.5;

// how an iteration ended
typedef enum ending {
    ended_done,
    ended_slow,
    ended_unclear,
    ended_hopeless,
    ended_stopped,
} ending;

// a column under way
typedef struct column {
    cairn_loops* loops;
    const double* c;
    double* lambda;
    bool may_factor;
    double scale;  // the right side, weighted
    double enough; // a norm of the rest that the caller calls good
    double norm;   // the rest
    double goal;
    int iterations, factorizations;
} column;

static const cairn_row* factored_rows(const cairn_loops* loops)
{
    return loops->is_fresh ? loops->rows : loops->old_rows;
}

// ---------------------------------------------------------------- the rest

// f̂ = G^-1 f
static void scale_forces(double* to, const cairn_loops* loops, const double* f)
{
    for (int i = 0; i < loops->body_count; i++, f += 6, to += 6) {
        const cairn_body_factor* body = &loops->body[i];
        cairn_vec3 turn = cairn_mat3_apply_transposed(body->S, cairn_vec(f[3], f[4], f[5]));
        for (int m = 0; m < 3; m++)
            to[m] = body->inverse_root_mass * f[m];
        to[3] = turn.x;
        to[4] = turn.y;
        to[5] = turn.z;
    }
}

// y = G^-T ŷ
static void unscale_velocities(double* to, const cairn_loops* loops)
{
    const double* y = loops->y;
    for (int i = 0; i < loops->body_count; i++, y += 6, to += 6) {
        const cairn_body_factor* body = &loops->body[i];
        cairn_vec3 turn = cairn_mat3_apply(body->S, cairn_vec(y[3], y[4], y[5]));
        for (int m = 0; m < 3; m++)
            to[m] = body->inverse_root_mass * y[m];
        to[3] = turn.x;
        to[4] = turn.y;
        to[5] = turn.z;
    }
}

// to += Ĵ^T x
static void add_transposed(double* to, const cairn_loops* loops, const cairn_row* rows,
                           const double* x)
{
    for (int k = 0; k < loops->joint_count; k++) {
        int a = loops->side[k][0], b = loops->side[k][1];
        for (int i = loops->row_begin[k]; i < loops->row_begin[k + 1]; i++) {
            if (a >= 0)
                add6(to + 6 * (ptrdiff_t)a, x[i], rows[i].a);
            if (b >= 0)
                add6(to + 6 * (ptrdiff_t)b, x[i], rows[i].b);
        }
    }
}

// (Ĵ x)_i of a joint between a and b
static inline double row_product(const cairn_row* row, int a, int b, const double* x)
{
    return (a >= 0 ? dot6(row->a, x + 6 * (ptrdiff_t)a) : 0.0) +
           (b >= 0 ? dot6(row->b, x + 6 * (ptrdiff_t)b) : 0.0);
}

// sizes of the bodies' terms, one number each: f̂ and Ĵ^T λ
static void size_terms(double* size, const column* run)
{
    const cairn_loops* loops = run->loops;
    for (int i = 0; i < loops->body_count; i++)
        size[i] = sqrt(dot6(loops->free + 6 * (ptrdiff_t)i, loops->free + 6 * (ptrdiff_t)i));
    for (int k = 0; k < loops->joint_count; k++) {
        int a = loops->side[k][0], b = loops->side[k][1];
        for (int i = loops->row_begin[k]; i < loops->row_begin[k + 1]; i++) {
            double push = fabs(run->lambda[i]) * sqrt(loops->diagonal[i]);
            if (a >= 0)
                size[a] += push;
            if (b >= 0)
                size[b] += push;
        }
    }
}

// ŷ and the rest from λ alone; its norm, round-off, and the goal
static void evaluate(column* run)
{
    cairn_loops* loops = run->loops;
    double* size = loops->change;
    double norm = 0.0, noise = 0.0;

    memcpy(loops->y, loops->free, 6 * (size_t)loops->body_count * sizeof(double));
    add_transposed(loops->y, loops, loops->rows, run->lambda);
    size_terms(size, run);

    // the rest of each row, and what round-off may make of its terms
    for (int k = 0; k < loops->joint_count; k++) {
        int a = loops->side[k][0], b = loops->side[k][1];
        for (int i = loops->row_begin[k]; i < loops->row_begin[k + 1]; i++) {
            double soft = loops->compliance[i] * run->lambda[i], c = run->c ? run->c[i] : 0.0;
            loops->r[i] = -(c + soft + row_product(&loops->rows[i], a, b, loops->y));
            norm += loops->weight[i] * loops->r[i] * loops->r[i];

            double terms =
                fabs(c) + fabs(soft) +
                sqrt(loops->diagonal[i]) * ((a >= 0 ? size[a] : 0.0) + (b >= 0 ? size[b] : 0.0));
            noise += loops->weight[i] * terms * terms;
        }
    }

    run->norm = sqrt(norm);
    run->goal = fmax(run->enough, 4.0 * 2.2e-16 * sqrt(noise));
}

// the larger of |Ĵ f̂| and |c|, and what the caller asks for
static void set_goal(column* run)
{
    const cairn_loops* loops = run->loops;
    double forces = 0.0, given = 0.0, weights = 0.0;
    for (int k = 0; k < loops->joint_count; k++) {
        int a = loops->side[k][0], b = loops->side[k][1];
        for (int i = loops->row_begin[k]; i < loops->row_begin[k + 1]; i++) {
            double v = row_product(&loops->rows[i], a, b, loops->free);
            double c = run->c ? run->c[i] : 0.0;
            forces += loops->weight[i] * v * v;
            given += loops->weight[i] * c * c;
            weights += loops->weight[i];
        }
    }

    run->scale = sqrt(fmax(forces, given));
    run->enough = fmax(loops->def.tolerance * run->scale, loops->def.velocity * sqrt(weights));
}

// ---------------------------------------------------------------- the preconditioner

// solved = K^-1 solved; single precision needs numbers around 1
static void solve_bodies(cairn_loops* loops)
{
    ptrdiff_t n = 6 * (ptrdiff_t)loops->body_count;
    double most = 0.0;
    for (ptrdiff_t i = 0; i < n; i++)
        most = fmax(most, fabs(loops->solved[i]));
    if (!(most > 0.0))
        return;

    int exponent;
    frexp(most, &exponent);
    double down = ldexp(1.0, -exponent), up = ldexp(1.0, exponent);
    for (ptrdiff_t i = 0; i < n; i++)
        loops->solved[i] *= down;
    cairn_front_cholesky_solve(&loops->chol, loops->solved);
    for (ptrdiff_t i = 0; i < n; i++)
        loops->solved[i] *= up;
}

// solved = Ĵ^T W r of the rows that were factored
static void load_rest(cairn_loops* loops, const double* r)
{
    const cairn_row* rows = factored_rows(loops);
    memset(loops->solved, 0, 6 * (size_t)loops->body_count * sizeof(double));
    for (int i = 0; i < loops->row_count; i++)
        loops->z[i] = loops->W[i] * r[i];
    add_transposed(loops->solved, loops, rows, loops->z);
}

// sums over the rows of an application of the preconditioner
typedef struct sums {
    double rz;      // r^T z
    double qz;      // (A p)^T z
    double unclear; // z^T ε D z
} sums;

// z from r and K^-1 Ĵ^T W r (in `solved`), and change = Ĵ^T z
static sums apply(cairn_loops* loops)
{
    const cairn_row* old = factored_rows(loops);
    sums sum = {0};
    memset(loops->change, 0, 6 * (size_t)loops->body_count * sizeof(double));

    for (int k = 0; k < loops->joint_count; k++) {
        int a = loops->side[k][0], b = loops->side[k][1];
        for (int i = loops->row_begin[k]; i < loops->row_begin[k + 1]; i++) {
            double r = loops->r[i];
            double z = loops->W[i] * (r - row_product(&old[i], a, b, loops->solved));

            // `unclear`: the part of r·z that comes from the shift alone
            loops->z[i] = z;
            sum.rz += r * z;
            sum.qz += loops->q[i] * z;
            sum.unclear += loops->shift * loops->diagonal[i] * z * z;

            if (a >= 0)
                add6(loops->change + 6 * (ptrdiff_t)a, z, loops->rows[i].a);
            if (b >= 0)
                add6(loops->change + 6 * (ptrdiff_t)b, z, loops->rows[i].b);
        }
    }

    return sum;
}

// ---------------------------------------------------------------- conjugate gradients

// what an iteration solves: (A + shift D) z = r to a norm of the rest, with λ += gain z
typedef struct shifted_system {
    double shift, gain, goal;
    int limit; // iterations
} shifted_system;

// p = z + β p, the same of Ĵ^T p; returns p^T (A + shift D) p
static double turn_direction(cairn_loops* loops, double beta, double shift)
{
    double curvature = 0.0;
    for (ptrdiff_t i = 0; i < 6 * (ptrdiff_t)loops->body_count; i++) {
        loops->step[i] = loops->change[i] + beta * loops->step[i];
        curvature += loops->step[i] * loops->step[i];
    }
    for (int i = 0; i < loops->row_count; i++) {
        loops->p[i] = loops->z[i] + beta * loops->p[i];
        double soft = loops->compliance[i] + shift * loops->diagonal[i];
        curvature += soft * loops->p[i] * loops->p[i];
    }
    return curvature;
}

// λ += α p, r -= α (A + shift D) p, and the right side of the next solve with K
static void advance(column* run, const shifted_system* system, double alpha)
{
    cairn_loops* loops = run->loops;
    const cairn_row* old = factored_rows(loops);
    double norm = 0.0;
    memset(loops->solved, 0, 6 * (size_t)loops->body_count * sizeof(double));

    for (int k = 0; k < loops->joint_count; k++) {
        int a = loops->side[k][0], b = loops->side[k][1];
        for (int i = loops->row_begin[k]; i < loops->row_begin[k + 1]; i++) {
            // A p, kept for the next direction
            double soft = loops->compliance[i] + system->shift * loops->diagonal[i];
            double q = row_product(&loops->rows[i], a, b, loops->step) + soft * loops->p[i];
            double r = loops->r[i] - alpha * q;

            loops->q[i] = q;
            loops->r[i] = r;
            run->lambda[i] += system->gain * alpha * loops->p[i];
            norm += loops->weight[i] * r * r;

            // Ĵ^T W r with the rows that were factored
            if (a >= 0)
                add6(loops->solved + 6 * (ptrdiff_t)a, loops->W[i] * r, old[i].a);
            if (b >= 0)
                add6(loops->solved + 6 * (ptrdiff_t)b, loops->W[i] * r, old[i].b);
        }
    }

    run->norm = sqrt(norm);
}

// iterates from the rest that is there
static ending iterate(column* run, const shifted_system* system)
{
    cairn_loops* loops = run->loops;
    double alpha = 0.0, before = 1.0;
    memset(loops->p, 0, (size_t)loops->row_count * sizeof(double));
    memset(loops->q, 0, (size_t)loops->row_count * sizeof(double));
    memset(loops->step, 0, 6 * (size_t)loops->body_count * sizeof(double));

    load_rest(loops, loops->r);
    for (int k = 0; k < system->limit; k++) {
        if (cairn_stop_asked(loops->def.stop))
            return ended_stopped;

        // z = preconditioned rest
        run->iterations++;
        solve_bodies(loops);
        sums sum = apply(loops);
        if (!(sum.rz > 0.0 && sum.rz < INFINITY))
            return ended_unclear;
        if (loops->is_fresh && system->shift == 0.0 && sum.unclear > most_unclear * sum.rz)
            return sum.unclear > hopeless_share * sum.rz ? ended_hopeless : ended_unclear;

        // β makes the new direction conjugate to the last, although the preconditioner varies
        double beta = fmax(0.0, -alpha * sum.qz / before);
        double curvature = turn_direction(loops, beta, system->shift);
        if (!(curvature > 0.0))
            return ended_unclear;
        alpha = sum.rz / curvature;
        before = sum.rz;
        advance(run, system, alpha);
        if (run->norm <= system->goal)
            return ended_done;
    }
    return ended_slow;
}

// ---------------------------------------------------------------- factors

// iterations that a factor is given; none to an old factor while old ones are distrusted
static int patience(const column* run)
{
    const cairn_loops* loops = run->loops;
    int left = loops->def.most_iterations - run->iterations;
    int limit = loops->is_fresh ? fresh_limit : loops->distrust > 0 ? 0 : loops->def.patience;
    return !run->may_factor || limit > left ? left : limit;
}

// an old factor was too slow: it is not tried again for a while, longer each time
static void distrust_old(cairn_loops* loops)
{
    if (loops->distrust > 0) {
        loops->distrust--;
    } else if (loops->is_factored) {
        loops->failures += loops->failures < most_failures;
        loops->distrust = (1 << loops->failures) - 1;
    }
}

// the first factor of the present rows, or the next of the ladder; false: there is none
static bool make_factor(column* run, int finest)
{
    cairn_loops* loops = run->loops;
    if (!run->may_factor || run->iterations >= loops->def.most_iterations)
        return false;

    bool is_last = loops->level >= finest ||
                   (loops->level >= CAIRN_LOOPS_DOUBLE && loops->shift <= loops->def.redundancy);
    if (loops->is_fresh && is_last)
        return false;

    run->factorizations++;
    if (loops->is_fresh) {
        loops->needed = CAIRN_LOOPS_DOUBLE;
        return cairn_loops_factor_at(loops, loops->level + 1);
    }
    distrust_old(loops);
    return cairn_loops_factor(loops);
}

// ---------------------------------------------------------------- the two methods

// Conjugate gradients on A, up the ladder of factors. What made the rest larger is undone.
static ending solve_exactly(column* run)
{
    cairn_loops* loops = run->loops;
    size_t bytes = (size_t)loops->row_count * sizeof(double);
    double least = run->norm;
    memcpy(loops->best, run->lambda, bytes);

    for (int round = 0; round < most_rounds; round++) {
        ending ended = ended_slow;
        shifted_system system = {.gain = 1.0, .goal = run->goal, .limit = patience(run)};
        if (loops->is_factored && system.limit > 0)
            ended = iterate(run, &system);

        // measure the true rest; go back when it has grown
        evaluate(run);
        bool better = run->norm < least;
        if (better) {
            least = run->norm;
            memcpy(loops->best, run->lambda, bytes);
        } else {
            memcpy(run->lambda, loops->best, bytes);
            evaluate(run);
        }

        if (run->norm <= run->goal || ended == ended_stopped)
            return ended;
        if (ended == ended_hopeless && loops->level == CAIRN_LOOPS_DOUBLE)
            return ended;

        // a finer factor, unless the present one converged and helped
        if (!(ended == ended_done && better) && !make_factor(run, CAIRN_LOOPS_FINE))
            break;
    }
    return ended_slow;
}

// λ += gain (A + shift D)^-1 r to some digits
static ending step_proximally(column* run, double shift, double gain, double accuracy)
{
    cairn_loops* loops = run->loops;
    shifted_system system = {.shift = shift, .gain = gain};
    system.goal = fmax(accuracy * run->norm, 0.3 * run->goal);
    while (run->norm > system.goal) {
        ending ended = ended_slow;
        system.limit = patience(run);
        if (loops->is_factored && system.limit > 0)
            ended = iterate(run, &system);
        if (ended == ended_done || ended == ended_stopped)
            return ended;
        if (!make_factor(run, CAIRN_LOOPS_DOUBLE))
            return ended_slow;
    }
    return ended_done;
}

static void solve_proximally(column* run, double shift)
{
    int steps = 0, most = run->loops->def.proximal_steps;
    for (; steps < most; steps++) {
        double before = run->norm;
        ending ended = step_proximally(run, shift, 1.0, step_accuracy);
        evaluate(run);
        if (ended != ended_done || run->norm <= run->goal)
            return;
        most += run->norm < least_gain * before && most < most_rounds;
    }

    // what is left does not converge: multipliers must not pile up along it
    if (steps == 0)
        return;
    step_proximally(run, shift, -(double)steps, last_accuracy);
    evaluate(run);
}

static void solve_column(column* run)
{
    cairn_loops* loops = run->loops;
    set_goal(run);
    evaluate(run);
    if (run->norm <= run->goal)
        return;

    // directions below the shift of the first factor count as redundant
    double shift = cairn_loops_shift(loops, CAIRN_LOOPS_SINGLE);
    if (shift <= loops->def.redundancy) {
        solve_proximally(run, shift);
        return;
    }
    ending ended = solve_exactly(run);
    if (run->norm <= run->goal || ended == ended_stopped)
        return;

    // The multipliers r/ε that cancel in the end must not drown the others: the finest shift is not
    // for this.
    if (run->may_factor && loops->level != CAIRN_LOOPS_DOUBLE) {
        run->factorizations++;
        if (!cairn_loops_factor_at(loops, CAIRN_LOOPS_DOUBLE))
            return;
    }
    if (loops->is_factored)
        solve_proximally(run, loops->shift);
}

// the largest velocity that is left
static double worst_rest(const cairn_loops* loops, int* row)
{
    double most = 0.0;
    *row = -1;
    for (int i = 0; i < loops->row_count; i++)
        if (fabs(loops->r[i]) > most) {
            most = fabs(loops->r[i]);
            *row = i;
        }
    return most;
}

// whether all rows that move no body are satisfied
static bool idle_rows_hold(const cairn_loops* loops)
{
    for (int i = 0; i < loops->row_count; i++)
        if (loops->weight[i] == 0.0 && loops->r[i] != 0.0)
            return false;
    return true;
}

static cairn_loops_report solve(cairn_loops* loops, const double* f, const double* c, int columns,
                                double* y, double* lambda, bool may_factor)
{
    cairn_loops_report report = {.converged = true, .worst_row = -1};
    ptrdiff_t bodies = 6 * (ptrdiff_t)loops->body_count, rows = loops->row_count;
    for (int k = 0; k < columns; k++) {
        column run = {.loops = loops,
                      .c = c ? c + k * rows : NULL,
                      .lambda = lambda + k * rows,
                      .may_factor = may_factor};
        memset(loops->free, 0, (size_t)bodies * sizeof(double));
        if (f)
            scale_forces(loops->free, loops, f + k * bodies);
        solve_column(&run);
        unscale_velocities(y + k * bodies, loops);

        // the worst of all columns
        int row;
        double velocity = worst_rest(loops, &row);
        if (velocity > report.velocity) {
            report.velocity = velocity;
            report.worst_row = row;
        }
        report.converged = report.converged && run.norm <= run.goal && idle_rows_hold(loops);
        report.residual = fmax(report.residual, run.scale > 0.0 ? run.norm / run.scale : run.norm);
        report.factorizations += run.factorizations;
        if (!loops->is_fresh && run.norm <= run.goal)
            loops->failures = 0;
        if (run.iterations > report.iterations)
            report.iterations = run.iterations;
    }
    return report;
}

cairn_loops_report cairn_loops_solve(cairn_loops* loops, const double* f, const double* c,
                                     int columns, double* y, double* lambda)
{
    return solve(loops, f, c, columns, y, lambda, true);
}

cairn_loops_report cairn_loops_iterate(cairn_loops* loops, const double* f, const double* c,
                                       int columns, double* y, double* lambda)
{
    return solve(loops, f, c, columns, y, lambda, false);
}
