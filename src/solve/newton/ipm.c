// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Interior points for second-order cones, with De Saxcé's term inside Newton's matrix. In the
// variables r' = (μ r_N, r_T), u' = (u_N/μ, u_T) both cones are Lorentz's cone L, and the law reads
//
//     E = u' + |u'_T| e,   y = E,   y ∈ L,  r' ∈ L,  r' ∘ y = 0,
//     E' = I + e t^T,      t = u'_T/|u'_T|.
//
// Nesterov-Todd scaling F (F r' = F^-1 y = λ), Mehrotra's predictor and corrector with one
// factorization:
//
//     (E' W' + F²) dr = -E,        (E' W' + F²) dr = F (λ \ (σ m e - (F dr_a) ∘ (F^-1 dy_a))) - E,
//     dy = E' W' dr + E - y   (any other form of dy loses feasibility below m ~ 1e-8).
//
// It reaches 1e-5 .. 1e-7 in 10 to 20 factorizations where proximal-point Newton wanders, and often
// stalls there: a start for the latter, not a method of its own. One-sided rows are cones of one
// dimension, equality rows have no barrier.

#include "solve/newton/exact.h"
#include <string.h>

enum { stride = CAIRN_CELL_STRIDE, most_iterations = 40 };

static const double good_enough = 1e-6, stalled_step = 0.02, joint_softness = 1e-10;

// a cone with its scaling; n = 0: no cone in this row
typedef struct cone {
    int cell, n;
    int row[4];
    double mu;
    double r[4], y[4], E[4], t[4]; // t: (0, u'_T/|u'_T|)
    double w[4], root_eta;         // F
    double dr[4], dy[4];
} cone;

typedef struct interior {
    cairn_exact* exact;
    cone* cones;
    int count;
    double *x, *dx, *d0, *rhs, *product; // 4 per cell
} interior;

static double dot(const double* x, const double* y, int n)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        sum += x[i] * y[i];
    return sum;
}

// x_0² - |x_T|²
static double determinant(const double* x, int n)
{
    double t = sqrt(dot(x + 1, x + 1, n - 1));
    return (x[0] - t) * (x[0] + t);
}

// ---------------------------------------------------------------- cones

static bool is_one_sided(const cairn_cell* cell, int i)
{
    return cell->lo[i] == 0.0 && cell->hi[i] == INFINITY;
}

static bool is_free(const cairn_cell* cell, int i)
{
    return cell->lo[i] == -INFINITY && cell->hi[i] == INFINITY;
}

static int count_cones(const cairn_cells* cells)
{
    int count = 0;
    for (int c = 0; c < cells->count; c++) {
        const cairn_cell* cell = &cells->cell[c];
        if (cell->kind == CAIRN_CELL_DIRECTED)
            return -1;
        if (cell->kind == CAIRN_CELL_CONE)
            count++;
        for (int i = 0; i < cell->rows && cell->kind == CAIRN_CELL_BOUNDS; i++) {
            if (is_one_sided(cell, i))
                count++;
            else if (!is_free(cell, i) && cell->lo[i] != cell->hi[i])
                return -1;
        }
    }
    return count;
}

static void list_cones(interior* in)
{
    const cairn_cells* cells = &in->exact->cells;
    for (int c = 0; c < cells->count; c++) {
        const cairn_cell* cell = &cells->cell[c];
        if (cell->kind == CAIRN_CELL_CONE) {
            cone* k = &in->cones[in->count++];
            *k = (cone){.cell = c, .n = 1 + cell->slip_count, .mu = cell->mu};
            for (int i = 0; i < cell->slip_count; i++)
                k->row[1 + i] = cell->slip[i];
        }
        for (int i = 0; i < cell->rows && cell->kind == CAIRN_CELL_BOUNDS; i++)
            if (is_one_sided(cell, i))
                in->cones[in->count++] = (cone){.cell = c, .n = 1, .row = {i}, .mu = 1.0};
    }
}

// F x, or F^-1 x
static void scale(double* to, const cone* k, const double* x, bool inverse)
{
    double sign = inverse ? -1.0 : 1.0, factor = inverse ? 1.0 / k->root_eta : k->root_eta;
    double along = dot(k->w + 1, x + 1, k->n - 1);
    double first = k->w[0] * x[0] + sign * along;
    for (int i = 1; i < k->n; i++)
        to[i] = factor * (x[i] + k->w[i] * (sign * x[0] + along / (1.0 + k->w[0])));
    to[0] = factor * first;
}

static void find_scaling(cone* k)
{
    double det_r = determinant(k->r, k->n), det_y = determinant(k->y, k->n);
    double root_r = sqrt(det_r), root_y = sqrt(det_y);
    double g = sqrt(0.5 * (1.0 + dot(k->r, k->y, k->n) / (root_r * root_y)));
    for (int i = 0; i < k->n; i++)
        k->w[i] = (k->y[i] / root_y - (i == 0 ? -1.0 : 1.0) * k->r[i] / root_r) / (2.0 * g);
    k->w[0] = sqrt(1.0 + dot(k->w + 1, k->w + 1, k->n - 1));
    k->root_eta = sqrt(root_y / root_r);
}

// the longest step that keeps x + α d in the cone
static double longest(const double* x, const double* d, int n)
{
    double a = determinant(d, n), b = x[0] * d[0] - dot(x + 1, d + 1, n - 1);
    double c = determinant(x, n), root = b * b - a * c;
    if (root < 0.0)
        return INFINITY;
    double bottom = sqrt(root) - b;
    double alpha = bottom > 0.0 ? c / bottom : INFINITY;
    return d[0] < 0.0 ? fmin(alpha, -x[0] / d[0]) : alpha;
}

static double common_step(const interior* in)
{
    double alpha = INFINITY;
    for (int i = 0; i < in->count; i++) {
        const cone* k = &in->cones[i];
        alpha = fmin(alpha, longest(k->r, k->dr, k->n));
        alpha = fmin(alpha, longest(k->y, k->dy, k->n));
    }
    return alpha;
}

// ---------------------------------------------------------------- to and from the cells

// x' = (x_N/μ, x_T) of a velocity-like vector of cells
static void read_velocity(double* to, const cone* k, const double* v)
{
    for (int i = 0; i < k->n; i++)
        to[i] = v[stride * (ptrdiff_t)k->cell + k->row[i]];
    to[0] /= k->mu;
}

static void write_impulses(const interior* in)
{
    for (int i = 0; i < in->count; i++) {
        const cone* k = &in->cones[i];
        double* x = in->x + stride * (ptrdiff_t)k->cell;
        for (int j = 0; j < k->n; j++)
            x[k->row[j]] = k->r[j];
        x[k->row[0]] /= k->mu;
    }
}

// E and t from the velocity that was measured last. |u'_T| is convex, so E_0 is never below what
// the last step took it for: raising y_0 to it keeps y in its cone, farther from the boundary, and
// takes away the part of the residual at which steps get stuck.
static void read_state(interior* in)
{
    for (int i = 0; i < in->count; i++) {
        cone* k = &in->cones[i];
        read_velocity(k->E, k, in->exact->u);
        double length = sqrt(dot(k->E + 1, k->E + 1, k->n - 1));
        for (int j = 1; j < k->n; j++)
            k->t[j] = length > 0.0 ? k->E[j] / length : 0.0;
        k->E[0] += length;
        if (k->n > 1)
            k->y[0] = fmax(k->y[0], k->E[0]);
    }
}

// V = T^-1, V_l^T = E' T^-1, D = F² with T = diag(μ, 1, ..)
static void set_local(cairn_newton_cell* local, const cone* k)
{
    double eta = k->root_eta * k->root_eta;
    for (int j = 0; j < k->n; j++) {
        int column = 4 * k->row[j];
        for (int i = 0; i < k->n; i++) {
            double jordan = i != j ? 0.0 : i == 0 ? 1.0 : -1.0;
            local->D[column + k->row[i]] = eta * (2.0 * k->w[i] * k->w[j] - jordan);
        }
        double over = j == 0 ? 1.0 / k->mu : 1.0;
        local->V[column + k->row[j]] = over;
        local->Vt[column + k->row[j]] = over;
        if (j > 0)
            local->Vt[column + k->row[0]] = k->t[j];
    }
}

// the matrix of this iteration; equality rows have no barrier
static bool factor(interior* in)
{
    cairn_exact* exact = in->exact;
    for (int c = 0; c < exact->cells.count; c++) {
        const cairn_cell* cell = &exact->cells.cell[c];
        cairn_newton_cell* local = &exact->newton.local[c];
        memset(local, 0, sizeof *local);
        exact->newton.open[c] = false;
        for (int i = 0; i < stride; i++)
            local->D[5 * i] = 1.0;
        for (int i = 0; i < cell->rows && cell->kind == CAIRN_CELL_BOUNDS; i++)
            if (is_free(cell, i)) {
                local->V[5 * i] = local->Vt[5 * i] = 1.0;
                local->D[5 * i] = joint_softness;
            }
    }
    for (int i = 0; i < in->count; i++) {
        find_scaling(&in->cones[i]);
        set_local(&exact->newton.local[in->cones[i].cell], &in->cones[i]);
    }
    return cairn_exact_factor(exact);
}

// λ \ s: the x with λ ∘ x = s
static void divide(double* x, const double* lambda, const double* s, int n)
{
    double over = 1.0 / lambda[0];
    x[0] = (lambda[0] * s[0] - dot(lambda + 1, s + 1, n - 1)) / determinant(lambda, n);
    for (int i = 1; i < n; i++)
        x[i] = over * (s[i] - x[0] * lambda[i]);
}

// F (λ \ (σ m e - (F dr) ∘ (F^-1 dy)))
static void correction(double* to, const cone* k, double center)
{
    double a[4], b[4], lambda[4], s[4], x[4];
    scale(a, k, k->dr, false);
    scale(b, k, k->dy, true);
    scale(lambda, k, k->r, false);
    s[0] = center - dot(a, b, k->n);
    for (int i = 1; i < k->n; i++)
        s[i] = -(a[0] * b[i] + b[0] * a[i]);
    divide(x, lambda, s, k->n);
    scale(to, k, x, false);
}

// solves for dr and dy; center < 0: the predictor
static void solve(interior* in, double center)
{
    cairn_exact* exact = in->exact;
    for (int c = 0; c < exact->cells.count; c++) {
        const cairn_cell* cell = &exact->cells.cell[c];
        for (int i = 0; i < stride; i++) {
            ptrdiff_t at = stride * (ptrdiff_t)c + i;
            bool joint = cell->kind == CAIRN_CELL_BOUNDS && i < cell->rows && is_free(cell, i);
            in->rhs[at] = joint ? -exact->u[at] : 0.0;
        }
    }
    for (int i = 0; i < in->count; i++) {
        const cone* k = &in->cones[i];
        double extra[4] = {0.0};
        if (center >= 0.0)
            correction(extra, k, center);
        for (int j = 0; j < k->n; j++)
            in->rhs[stride * (ptrdiff_t)k->cell + k->row[j]] = extra[j] - k->E[j];
    }
    cairn_newton_solve(&exact->newton, in->dx, in->d0, in->rhs);
    cairn_cells_product(&exact->cells, in->product, in->dx, exact->w);
    for (int i = 0; i < in->count; i++) {
        cone* k = &in->cones[i];
        double v[4];
        read_velocity(v, k, in->product);
        v[0] += dot(k->t + 1, v + 1, k->n - 1);
        for (int j = 0; j < k->n; j++) {
            k->dr[j] = in->dx[stride * (ptrdiff_t)k->cell + k->row[j]];
            k->dy[j] = v[j] + k->E[j] - k->y[j];
        }
        k->dr[0] *= k->mu;
    }
}

// Σ (r + α dr)·(y + α dy) per cone
static double gap(const interior* in, double alpha)
{
    double sum = 0.0;
    for (int i = 0; i < in->count; i++) {
        const cone* k = &in->cones[i];
        for (int j = 0; j < k->n; j++)
            sum += (k->r[j] + alpha * k->dr[j]) * (k->y[j] + alpha * k->dy[j]);
    }
    return sum / in->count;
}

static void move(interior* in, double alpha)
{
    for (size_t i = 0; i < in->exact->size; i++)
        in->x[i] += alpha * in->dx[i];
    for (int i = 0; i < in->count; i++) {
        cone* k = &in->cones[i];
        for (int j = 0; j < k->n; j++) {
            k->r[j] += alpha * k->dr[j];
            k->y[j] += alpha * k->dy[j];
        }
    }
    write_impulses(in);
}

// r = y = (|q'|/√n) e; equality rows 0, fixed rows at their value
static void start(interior* in)
{
    const cairn_cells* cells = &in->exact->cells;
    double sum = 0.0;
    for (int c = 0; c < cells->count; c++)
        for (int i = 0; i < stride; i++) {
            const cairn_cell* cell = &cells->cell[c];
            bool fixed = cell->kind == CAIRN_CELL_BOUNDS && cell->lo[i] == cell->hi[i];
            in->x[stride * (ptrdiff_t)c + i] = fixed ? cell->lo[i] : 0.0;
        }
    for (int i = 0; i < in->count; i++) {
        double q[4];
        read_velocity(q, &in->cones[i], cells->q);
        sum += dot(q, q, in->cones[i].n);
    }
    double size = sqrt(sum / in->count);
    for (int i = 0; i < in->count; i++)
        in->cones[i].r[0] = in->cones[i].y[0] = size > 0.0 ? size : 1.0;
    write_impulses(in);
}

// one iteration; returns the length of its step, or a negative number when it failed
static double iterate(interior* in)
{
    read_state(in);
    if (!factor(in))
        return -1.0;
    double m = gap(in, 0.0);
    solve(in, -1.0);
    double ahead = gap(in, fmin(1.0, common_step(in))) / m;
    solve(in, m * fmin(1.0, fmax(1e-6, ahead * ahead * ahead)));
    double alpha = fmin(1.0, 0.99 * common_step(in));
    if (!(alpha > 0.0))
        return -1.0;
    move(in, alpha);
    in->exact->iterations++;
    return alpha;
}

bool cairn_exact_ipm(cairn_exact* exact, double* r)
{
    cairn_arena* arena = exact->job->arena;
    cairn_arena_mark here = cairn_arena_here(arena);
    int count = count_cones(&exact->cells);
    if (count <= 0)
        return false;
    interior in = {.exact = exact,
                   .cones = CAIRN_TAKE(arena, cone, count),
                   .x = exact->scratch[0],
                   .dx = exact->scratch[1],
                   .d0 = exact->scratch[6],
                   .rhs = exact->scratch[3],
                   .product = exact->scratch[4]};
    if (!in.cones)
        return false;
    memset(in.d0, 0, exact->size * sizeof(double));
    list_cones(&in);
    start(&in);
    double best = cairn_exact_measure(exact, in.x);
    memcpy(r, in.x, exact->size * sizeof(double));
    for (int k = 0; k < most_iterations; k++) {
        if (cairn_exact_stop(exact))
            break;
        double alpha = iterate(&in);
        if (alpha < 0.0)
            break;
        double error = cairn_exact_measure(exact, in.x);
        cairn_job_trace(exact->job, exact->factorizations, error);
        if (error < best) {
            best = error;
            memcpy(r, in.x, exact->size * sizeof(double));
        }
        if (error <= good_enough || alpha < stalled_step)
            break;
    }
    cairn_arena_release(arena, here);
    return true;
}
