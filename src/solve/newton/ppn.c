// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Proximal-point Newton. Outer loop: around the center r_k solve the regularized problem
//
//     u_e = W r + q + ε (r - r_k),
//
// then r_k := r. ε > 0 makes singular systems regular, and at the end r = r_k: the answer is that
// of the problem itself. Inner loop: semismooth Newton on the map of Alart and Curnier (1991),
//
//     z = r - ρ u_e,   R = μ max(0, z_N),
//     Φ_N = r_N - max(0, z_N),   Φ_T = r_T - z_T min(1, R/|z_T|).
//
//     open   z_N <= 0:     dr = -r
//     stick  |z_T| <= R:   W dr + ε dr = -u_e
//     slide  t = z_T/|z_T|, p ⟂ t, κ = R/|z_T|:  dr = (ξ_N, (μ r_N - r_T·t) t + μ ξ_N t + ξ_p p),
//                          rows e_N and p;  right sides -u_eN, -(r_T·p)/(κ ρ);
//                          diagonal ε, (1/κ - 1)/ρ + ε
//
// ρ = 3 (W has unit diagonal) serves almost everything, 1 to 5 alike; towers under a load of a
// million times their own weight want up to 100.
//
// The slide rows make the system nonsymmetric; that is the Coulomb coupling, and symmetrising it
// ruins the method. So do line searches of more than one halving, and sweeps of Gauss-Seidel
// between Newton steps (both measured).

#include "math/numbers.h"
#include "solve/newton/exact.h"
#include "solve/sweep/gauss_seidel.h"
#include <string.h>

enum {
    stride = CAIRN_CELL_STRIDE,
    inner_limit = 15,
    remembered = 4,
    rejects_before_sweeps = 3,
};

// the present inner problem
typedef struct inner {
    cairn_exact* exact;
    double* r;
    double* u;            // W r + q, without the regularization
    const double* center; // r_k
    double eps, rho;
    double *d0, *rhs, *dr, *du;
    int steps, limit;
} inner;

static double clamp(double x, double lo, double hi)
{
    return x < lo ? lo : x > hi ? hi : x;
}

// a contact's state: z_T, its length and R
typedef struct slip_state {
    double u_e[4], z_N, z_T[3], length, R;
} slip_state;

static void look(slip_state* s, const cairn_cell* cell, const double* r, const double* u_e,
                 double rho)
{
    s->z_N = r[0] - rho * u_e[0];
    double sum = 0.0;
    for (int k = 0; k < cell->slip_count; k++) {
        s->z_T[k] = r[cell->slip[k]] - rho * u_e[cell->slip[k]];
        sum += s->z_T[k] * s->z_T[k];
    }
    s->length = sqrt(sum);
    s->R = s->z_N > 0.0 ? cell->mu * s->z_N : 0.0;
}

// |Φ_c|² of one cell
static double phi_squared(const cairn_cell* cell, const double* r, const double* u_e, double rho)
{
    double sum = 0.0;
    if (cell->kind == CAIRN_CELL_CONE) {
        slip_state s;
        look(&s, cell, r, u_e, rho);
        double n = r[0] - (s.z_N > 0.0 ? s.z_N : 0.0);
        double factor = s.length > s.R ? s.R / s.length : 1.0;
        sum = n * n;
        for (int k = 0; k < cell->slip_count; k++) {
            double t = r[cell->slip[k]] - factor * s.z_T[k];
            sum += t * t;
        }
    } else if (cell->kind == CAIRN_CELL_BOUNDS) {
        for (int i = 0; i < cell->rows; i++) {
            double x = r[i] - clamp(r[i] - rho * u_e[i], cell->lo[i], cell->hi[i]);
            sum += x * x;
        }
    } else {
        double n = fmax(0.0, r[0] - rho * u_e[0]);
        for (int i = 0; i < cell->rows; i++)
            sum += (r[i] - n * cell->along[i]) * (r[i] - n * cell->along[i]);
    }
    return sum;
}

static void regularized(double* u_e, const inner* in, const double* r, const double* u, int c)
{
    for (int i = 0; i < stride; i++) {
        ptrdiff_t at = stride * (ptrdiff_t)c + i;
        u_e[i] = u[at] + in->eps * (r[at] - in->center[at]);
    }
}

// |Φ| at r + α dr
static double phi_at(const inner* in, double alpha)
{
    double sum = 0.0;
    const cairn_cells* cells = &in->exact->cells;
    for (int c = 0; c < cells->count; c++) {
        double x[4], u[4];
        for (int i = 0; i < stride; i++) {
            ptrdiff_t at = stride * (ptrdiff_t)c + i;
            x[i] = in->r[at] + alpha * in->dr[at];
            u[i] = in->u[at] + alpha * in->du[at] + in->eps * (x[i] - in->center[at]);
        }
        sum += phi_squared(&cells->cell[c], x, u, in->rho);
    }
    return sqrt(sum);
}

// ---------------------------------------------------------------- the linear system

static void set_free(cairn_newton_cell* local, int i, double diagonal)
{
    local->V[5 * i] = local->Vt[5 * i] = 1.0;
    local->D[5 * i] = diagonal;
}

int cairn_exact_complete_basis(double p[2][3], const double* t, int n)
{
    if (n == 2) {
        p[0][0] = -t[1];
        p[0][1] = t[0];
    } else if (n == 3) {
        cairn_vec3 a, b;
        cairn_tangents(cairn_vec(t[0], t[1], t[2]), &a, &b);
        p[0][0] = a.x, p[0][1] = a.y, p[0][2] = a.z;
        p[1][0] = b.x, p[1][1] = b.y, p[1][2] = b.z;
    }
    return n - 1;
}

static void linearize_slide(cairn_newton_cell* local, double* d0, double* rhs, const inner* in,
                            const cairn_cell* cell, const double* r, const slip_state* s)
{
    double t[3], p[2][3], along = 0.0, kappa = s->R / s->length;
    int n = cell->slip_count;
    for (int k = 0; k < n; k++) {
        t[k] = s->z_T[k] / s->length;
        along += r[cell->slip[k]] * t[k];
    }
    set_free(local, 0, in->eps);
    rhs[0] = -s->u_e[0];
    for (int k = 0; k < n; k++) {
        d0[cell->slip[k]] = t[k] * (cell->mu * r[0] - along);
        local->V[cell->slip[k]] = cell->mu * t[k];
    }
    int count = cairn_exact_complete_basis(p, t, n);
    for (int m = 0; m < count; m++) {
        int column = cell->slip[m]; // the unknown ξ_p takes the place of a friction row
        double across = 0.0;
        for (int k = 0; k < n; k++)
            across += r[cell->slip[k]] * p[m][k];
        if (kappa < 1e-8) {
            for (int k = 0; k < n; k++)
                d0[cell->slip[k]] -= across * p[m][k];
            continue;
        }
        for (int k = 0; k < n; k++) {
            local->V[4 * column + cell->slip[k]] = p[m][k];
            local->Vt[4 * cell->slip[k] + column] = p[m][k];
        }
        local->D[5 * column] = (1.0 / kappa - 1.0) / in->rho + in->eps;
        rhs[column] = -across / (kappa * in->rho);
    }
}

// false when the cell has no unknown
static bool linearize_cone(cairn_newton_cell* local, double* d0, double* rhs, const inner* in,
                           const cairn_cell* cell, const double* r, slip_state* s)
{
    look(s, cell, r, s->u_e, in->rho);
    if (!(s->z_N > 0.0)) {
        for (int i = 0; i < stride; i++)
            d0[i] = -r[i];
        return false;
    }
    if (s->length > s->R) {
        linearize_slide(local, d0, rhs, in, cell, r, s);
        return true;
    }
    set_free(local, 0, in->eps);
    rhs[0] = -s->u_e[0];
    for (int k = 0; k < cell->slip_count; k++) {
        set_free(local, cell->slip[k], in->eps);
        rhs[cell->slip[k]] = -s->u_e[cell->slip[k]];
    }
    return true;
}

static bool linearize_bounds(cairn_newton_cell* local, double* d0, double* rhs, const inner* in,
                             const cairn_cell* cell, const double* r, const double* u_e)
{
    bool any = false;
    for (int i = 0; i < cell->rows; i++) {
        double z = r[i] - in->rho * u_e[i];
        if (z <= cell->lo[i]) {
            d0[i] = cell->lo[i] - r[i];
        } else if (z >= cell->hi[i]) {
            d0[i] = cell->hi[i] - r[i];
        } else {
            set_free(local, i, in->eps);
            rhs[i] = -u_e[i];
            any = true;
        }
    }
    return any;
}

static bool linearize_directed(cairn_newton_cell* local, double* d0, double* rhs, const inner* in,
                               const cairn_cell* cell, const double* r, const double* u_e)
{
    bool pressed = r[0] - in->rho * u_e[0] > 0.0;
    for (int i = 0; i < cell->rows; i++)
        d0[i] = pressed && i > 0 ? r[0] * cell->along[i] - r[i] : pressed ? 0.0 : -r[i];
    if (!pressed)
        return false;
    set_free(local, 0, in->eps);
    for (int i = 1; i < cell->rows; i++)
        local->V[i] = cell->along[i];
    rhs[0] = -u_e[0];
    return true;
}

static void linearize(const inner* in)
{
    cairn_exact* exact = in->exact;
    memset(in->d0, 0, exact->size * sizeof(double));
    memset(in->rhs, 0, exact->size * sizeof(double));
    for (int c = 0; c < exact->cells.count; c++) {
        const cairn_cell* cell = &exact->cells.cell[c];
        cairn_newton_cell* local = &exact->newton.local[c];
        ptrdiff_t at = stride * (ptrdiff_t)c;
        slip_state s;
        bool any;
        memset(local, 0, sizeof *local);
        for (int i = 0; i < stride; i++)
            local->D[5 * i] = 1.0;
        regularized(s.u_e, in, in->r, in->u, c);
        if (cell->kind == CAIRN_CELL_CONE)
            any = linearize_cone(local, in->d0 + at, in->rhs + at, in, cell, in->r + at, &s);
        else if (cell->kind == CAIRN_CELL_BOUNDS)
            any = linearize_bounds(local, in->d0 + at, in->rhs + at, in, cell, in->r + at, s.u_e);
        else
            any = linearize_directed(local, in->d0 + at, in->rhs + at, in, cell, in->r + at, s.u_e);
        exact->newton.open[c] = !any;
    }
}

// ---------------------------------------------------------------- inner loop

// factors; a singular system is tried again with more regularization
static bool factor(inner* in)
{
    for (int attempt = 0; attempt < 3; attempt++) {
        linearize(in);
        if (cairn_exact_factor(in->exact))
            return true;
        if (cairn_job_stopped(in->exact->job))
            return false;
        in->eps *= 100.0;
    }
    return false;
}

// one Newton step of length 1, or 1/2 when the map does not fall; returns the new |Φ|
static double step(inner* in, double highest)
{
    cairn_exact* exact = in->exact;
    cairn_newton_solve(&exact->newton, in->dr, in->d0, in->rhs);
    cairn_cells_product(&exact->cells, in->du, in->dr, exact->w);
    double alpha = 1.0, phi = phi_at(in, alpha);
    if (!(phi <= (1.0 - 1e-4) * highest)) {
        alpha = 0.5;
        phi = phi_at(in, alpha);
    }
    for (size_t i = 0; i < exact->size; i++) {
        in->r[i] += alpha * in->dr[i];
        in->u[i] += alpha * in->du[i];
    }
    in->steps++;
    exact->iterations++;
    return phi;
}

// solves the regularized problem around the center, from in->r with its velocity in->u
static bool solve_inner(inner* in)
{
    size_t n = in->exact->size;
    double history[remembered], start, last;
    memset(in->dr, 0, n * sizeof(double));
    memset(in->du, 0, n * sizeof(double));
    start = last = phi_at(in, 0.0);
    for (int k = 0; k < remembered; k++)
        history[k] = start;
    for (in->steps = 0; in->steps < in->limit;) {
        double highest = 0.0;
        if (last <= 1e-15 * cairn_norm_n(in->r, (ptrdiff_t)n))
            return true;
        if (cairn_exact_stop(in->exact) || !factor(in))
            return false;
        for (int k = 0; k < remembered && k <= in->steps; k++)
            highest = fmax(highest, history[k]);
        double phi = step(in, highest);
        if (!isfinite(phi))
            return false;
        if (phi <= 0.05 * start)
            return true;
        if (in->steps > 3 && phi > 1e4 * start && phi > last)
            return false;
        last = history[in->steps % remembered] = phi;
    }
    return false;
}

// an inner problem at a copy of r, with its velocity
static inner begin_inner(cairn_exact* exact, const double* r, const double* center, double eps)
{
    inner in = {.exact = exact,
                .r = exact->scratch[0],
                .u = exact->u,
                .center = center,
                .eps = eps,
                .rho = CAIRN_PPN_STEP,
                .limit = inner_limit,
                .d0 = exact->scratch[2],
                .rhs = exact->scratch[3],
                .dr = exact->scratch[4],
                .du = exact->scratch[5]};
    memcpy(in.r, r, exact->size * sizeof(double));
    memset(in.dr, 0, exact->size * sizeof(double));
    memset(in.du, 0, exact->size * sizeof(double));
    cairn_exact_measure(exact, r);
    return in;
}

double cairn_exact_ppn_map(cairn_exact* exact, const double* r, const double* center, double eps)
{
    inner in = begin_inner(exact, r, center, eps);
    return phi_at(&in, 0.0);
}

bool cairn_exact_ppn_direction(cairn_exact* exact, double* dr, const double* r,
                               const double* center, double eps)
{
    inner in = begin_inner(exact, r, center, eps);
    if (!factor(&in))
        return false;
    cairn_newton_solve(&exact->newton, dr, in.d0, in.rhs);
    return true;
}

// ---------------------------------------------------------------- outer loop

// the schedule of ε and of the acceleration
typedef struct schedule {
    double eps, shrink, theta, error, best;
    double least; // lower bound of ε
    int rejects;
    bool accelerated;
} schedule;

static void accept_eps(schedule* s, int steps)
{
    if (steps <= 3)
        s->eps *= s->shrink;
    else if (steps <= 6)
        s->eps *= sqrt(s->shrink);
    else if (steps > 10)
        s->eps *= 1.5;
    if (steps <= 6)
        s->shrink = fmax(0.01, 0.5 * s->shrink);
    s->eps = fmax(s->eps, s->least);
    s->rejects = 0;
}

// the center moves to r; when the error hardly falls although the inner problem is easy, the drift
// is followed further
static void accept(cairn_exact* exact, schedule* s, double* center, double* saved, const double* r,
                   double error, int steps)
{
    s->accelerated = error > 0.7 * s->error && steps <= 5;
    if (s->accelerated) {
        for (size_t i = 0; i < exact->size; i++) {
            saved[i] = r[i];
            center[i] = r[i] + s->theta * (r[i] - center[i]);
        }
        cairn_cells_project(&exact->cells, center);
        s->theta = fmin(64.0, 2.0 * s->theta);
    } else {
        memcpy(center, r, exact->size * sizeof(double));
        s->theta = 1.0;
    }

    // the inner problem is easy but the center creeps: loads far above the velocities that they
    // cause (a heavy top) need less regularization
    if (s->eps <= s->least && steps <= 3 && error > 0.03 * s->error)
        s->least = fmax(1e-13, 0.01 * s->least);
    s->error = error;
    accept_eps(s, steps);
}

static void reject(cairn_exact* exact, schedule* s, double* center, const double* saved,
                   const double* r, double error)
{
    size_t bytes = exact->size * sizeof(double);
    if (s->accelerated) {
        memcpy(center, saved, bytes);
        s->accelerated = false;
        s->theta = 1.0;
        return;
    }
    if (error <= s->best)
        memcpy(center, r, bytes);
    s->eps = fmin(8.0 * s->eps, 10.0);
    s->shrink = fmin(0.5, sqrt(s->shrink));
    if (++s->rejects >= rejects_before_sweeps) {
        cairn_gauss_seidel_start(&exact->cells, center, exact->w);
        cairn_gauss_seidel_sweep(&exact->cells, center, exact->w, false);
        cairn_gauss_seidel_sweep(&exact->cells, center, exact->w, true);
        exact->iterations += 2;
    }
}

void cairn_exact_ppn(cairn_exact* exact, double* r, int budget, double eps, double rho)
{
    double *center = exact->scratch[0], *saved = exact->scratch[1];
    size_t bytes = exact->size * sizeof(double);
    inner in = {.exact = exact,
                .r = r,
                .u = exact->u,
                .center = center,
                .rho = rho,
                .limit = budget < inner_limit ? budget : inner_limit,
                .d0 = exact->scratch[2],
                .rhs = exact->scratch[3],
                .dr = exact->scratch[4],
                .du = exact->scratch[5]};
    int last = exact->factorizations + budget;
    schedule s = {.eps = eps, .shrink = 0.05, .theta = 1.0, .least = 1e-8};
    memcpy(center, r, bytes);
    s.error = s.best = cairn_exact_measure(exact, r);
    double reference = s.error;

    // an outer step that round-off has made trivial costs no factorization: they are counted too
    for (int outer = 0; outer < budget; outer++) {
        if (cairn_exact_stop(exact) || exact->factorizations >= last)
            return;
        in.eps = s.eps;
        bool converged = solve_inner(&in);
        s.eps = in.eps;
        cairn_cells_project(&exact->cells, r);
        double error = cairn_exact_measure(exact, r);
        cairn_job_trace(exact->job, exact->factorizations, error);

        // a point where the map vanishes can not be improved by it
        if (exact->done || in.steps == 0)
            return;
        if (error < 0.5 * reference) {
            reference = error;
            last = exact->factorizations + budget;
        }
        s.best = fmin(s.best, error);
        if (converged && error < 20.0 * s.best)
            accept(exact, &s, center, saved, r, error, in.steps);
        else
            reject(exact, &s, center, saved, r, error);
        memcpy(r, center, bytes);

        // r moved: its velocity is needed again
        cairn_exact_measure(exact, r);
    }
}
