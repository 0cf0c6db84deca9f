// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Alternating directions with over-relaxation 1.6, one factorization for many cheap iterations:
//
//     (W + ρ I) x = ρ z - y - q - s,   s_N = μ|y_T|
//     x̂ = 1.6 x - 0.6 z,   z = P_K(x̂ + y/ρ),   y += ρ (x̂ - z).      y → -(u + μ|u_T| e_N)
//
// ρ is doubled or halved (up to 30 times) when the primal and dual residuals drift apart. Very good
// on stacks of any mass ratio, a slow tail elsewhere: a start for proximal-point Newton.

#include "math/numbers.h"
#include "solve/newton/exact.h"
#include <string.h>

enum { stride = CAIRN_CELL_STRIDE, first_interval = 10 };

typedef struct split {
    cairn_exact* exact;
    double rho;
    double *x, *y, *z, *before, *rhs, *d0;
} split;

static double distance(const double* x, const double* y, size_t n)
{
    double sum = 0.0;
    for (size_t i = 0; i < n; i++)
        sum += (x[i] - y[i]) * (x[i] - y[i]);
    return sqrt(sum);
}

// μ |v_T| of a contact, 0 of other cells
static double saxce_term(const cairn_cell* cell, const double* v)
{
    double sum = 0.0;
    for (int k = 0; k < cell->slip_count && cell->kind == CAIRN_CELL_CONE; k++)
        sum += v[cell->slip[k]] * v[cell->slip[k]];
    return cell->mu * sqrt(sum);
}

static bool factor(split* s)
{
    cairn_exact* exact = s->exact;
    for (int c = 0; c < exact->cells.count; c++) {
        cairn_newton_cell* local = &exact->newton.local[c];
        memset(local, 0, sizeof *local);
        exact->newton.open[c] = false;
        for (int i = 0; i < stride; i++) {
            bool used = i < exact->cells.cell[c].rows;
            local->V[5 * i] = local->Vt[5 * i] = used ? 1.0 : 0.0;
            local->D[5 * i] = used ? s->rho : 1.0;
        }
    }
    return cairn_exact_factor(exact);
}

// y from the velocity at z: the part of -(u + μ|u_T| e_N) in the polar cone
static void start(split* s)
{
    cairn_exact* exact = s->exact;
    cairn_exact_measure(exact, s->z);
    for (int c = 0; c < exact->cells.count; c++) {
        ptrdiff_t at = stride * (ptrdiff_t)c;
        for (int i = 0; i < stride; i++)
            s->x[at + i] = s->y[at + i] = -exact->u[at + i];
        s->y[at] -= saxce_term(&exact->cells.cell[c], exact->u + at);
        s->x[at] = s->y[at];
    }

    cairn_cells_project(&exact->cells, s->x);
    for (size_t i = 0; i < exact->size; i++)
        s->y[i] -= s->x[i];
}

static void iterate(split* s)
{
    cairn_exact* exact = s->exact;
    size_t n = exact->size;
    for (size_t i = 0; i < n; i++)
        s->rhs[i] = s->rho * s->z[i] - s->y[i] - exact->cells.q[i];
    for (int c = 0; c < exact->cells.count; c++) {
        ptrdiff_t at = stride * (ptrdiff_t)c;
        s->rhs[at] -= saxce_term(&exact->cells.cell[c], s->y + at);
    }
    cairn_newton_solve(&exact->newton, s->x, s->d0, s->rhs);
    for (size_t i = 0; i < n; i++) {
        s->before[i] = s->z[i];
        s->x[i] = 1.6 * s->x[i] - 0.6 * s->z[i];
        s->z[i] = s->x[i] + s->y[i] / s->rho;
    }

    cairn_cells_project(&exact->cells, s->z);
    for (size_t i = 0; i < n; i++)
        s->y[i] += s->rho * (s->x[i] - s->z[i]);
}

// whether ρ should change, and does
static bool balance(split* s)
{
    size_t n = s->exact->size;
    double primal = distance(s->x, s->z, n) / cairn_norm_n(s->z, (ptrdiff_t)n);
    double dual = s->rho * distance(s->z, s->before, n) / cairn_norm_n(s->y, (ptrdiff_t)n);
    double ratio = sqrt(primal / dual);
    if (!(ratio > 5.0 || ratio < 0.2) || !isfinite(ratio))
        return false;
    s->rho *= fmin(30.0, fmax(1.0 / 30.0, ratio));
    return true;
}

void cairn_exact_admm(cairn_exact* exact, double* r, int iterations)
{
    split s = {.exact = exact,
               .rho = 0.1,
               .x = exact->scratch[0],
               .y = exact->scratch[1],
               .z = r,
               .before = exact->scratch[2],
               .rhs = exact->scratch[3],
               .d0 = exact->scratch[6]};

    int interval = first_interval, wait = 0;
    memset(s.d0, 0, exact->size * sizeof(double));
    start(&s);
    bool ready = factor(&s);

    for (int k = 0; k < iterations && ready && !cairn_exact_stop(exact); k++) {
        iterate(&s);
        exact->iterations++;
        cairn_job_spend(exact->job, 2.0);

        // now and then: measure, and factor again where ρ has changed
        if (++wait < interval)
            continue;
        wait = 0;
        cairn_exact_measure(exact, s.z);
        if (balance(&s)) {
            interval += interval / 2;
            ready = factor(&s);
        }
    }

    cairn_exact_measure(exact, s.z);
}
