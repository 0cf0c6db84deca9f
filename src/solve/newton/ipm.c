// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Interior points for Coulomb's law. With σ for the speed of the slip, the law is two conditions that
// have no kink,
//
//     0 <= u_N ⟂ r_N >= 0,        L ∋ y = (σ, u_T)  ⟂  r' = (μ r_N, r_T) ∈ L,
//
// L Lorentz's cone. u_N and u_T are variables of their own, so that the residual of u = W r + q is
// linear and shrinks with every step. Nesterov-Todd scaling F (F r' = F^-1 y = λ), Mehrotra's
// predictor and corrector with one factorization: the first row of F² dr' + dy = g gives dσ, what is
// left is
//
//     (W + D) dr = rhs,       D = ( u_N/r_N       0    )
//                                 ( μ (F²)_T0  (F²)_TT )
//
//     rhs_N = (c m - dr_N du_N)/r_N - u_N,
//     rhs_T = [F (λ \ (c m e - (F dr') ∘ (F^-1 dy)))]_T - u_T      (products: of the predictor).
//
// One step of iterative refinement keeps the changes of velocities exact where they are small beside
// those of redundant impulses: without it steps get stuck at m ~ 1e-7. Friction makes the path
// nonmonotone: on walls and heaps that slide it may turn back, and steps get stuck there. So this is
// a start for proximal-point Newton, not a method of its own: 1e-4 .. 1e-7 in 10 to 20
// factorizations. One-sided rows are cones of one dimension, equality rows have no barrier.
//
// Where no pressed contact slides, σ plays no part: the answer is also that of the convex problem
//
//     minimize ½ r·W r + q·r  over  r' ∈ L,       L ∋ y = (u_N/μ, u_T)  ⟂  r',
//
// whose path cannot turn back: 6 to 15 factorizations, whatever the friction. Its answers are those
// of Coulomb's law but for contacts that slide, which it lifts off (De Saxce and Feng 1998). So it is
// tried first and left as soon as the error does not follow m any more in steps that the cones do not
// cut short.
//
// Why heaps in a box are hard: forces between opposite walls may balance inside of their cones,
// W σ = 0 with σ in K (self-stress). Along σ impulses are not bounded and no velocities lie inside of
// the dual cones. If self-stress locks all that is pressed, the convex problem has the answer, at
// impulses up to a thousand times those of the start, after many short steps. Else contacts creep
// while impulses drift along σ by u/ε in every step of proximal-point Newton: that is its long tail.
//
// What did not help where contacts slide (measured on heaps of 200 spheres, μ 0.05 to 0.5): convex
// problems with the shift μ|u_T| held and updated between them, with Anderson mixing too, get stuck at
// errors of 1e-3; so do steps along the arc of the path, once a turning point has been met; more
// centering reaches the same turning points. Nor do: limits of friction held within an iteration
// (unstable below m ~ 1e-3); a proximal term in the systems wherever steps get short, which passes the
// first turning points and then creeps; the shift |u_T| updated in every iteration of the convex
// problem (no turning points, but short steps: 1e-3 after 30); starts at large impulses. The
// shift updated between convex problems, from none and for contacts at the boundary of their cones
// alone, gains a factor of 4 in each where most contacts are locked, and little elsewhere.
//
// The convex problems are not what fails there: with residuals that fall as the barrier does (by 1 - σ,
// not at once) and complete factors each is solved to m = 1e-12 in 20 to 30 factorizations. It is the
// map from shifts to slips: on a stirred heap (μ 0.2) a round leaves 0.45 of the error, on a pushed one
// (μ 0.3, 689 of 951 contacts locked) rounds stand still at 4e-3, Anderson's mixing creeps, and its
// Newton matrix is so nearly singular that shifts would change by 5e5 times the velocities. From all of
// those points proximal-point Newton comes no further than from here. The same residuals that fall with
// the barrier gain nothing in the present driver: 11 factorizations instead of 25 on one heap, 300
// instead of 30 on another.
//
// What proximal-point Newton does there (seen on three heaps of 100 spheres, μ 0.1 and 0.3): after some
// 60 factorizations 30 to 70 contacts slide clearly and 200 to 300 creep, most at 1e-6 m/s or less.
// Chains of spheres between opposite walls carry several times the impulses of the rest, more than
// they can bear, and unload by u/ε in every outer step; with less ε the inner problem fails, because contacts
// that stick come to slide one by one on the way. It is no exact self-stress: the least point of
// ½ r·(W/s + 1) r - Σ log det r' goes to zero with s at every contact, though in the chains only
// below s ~ 1e-8 (one heap at μ 0.1) and 1e-10 (μ 0.3).
//
// Nor did these help. On single heaps: Coulomb's law on what slides and the barrier of the convex
// problem on what creeps (ends at errors of 5e-3 to 2e-2); steps from one change of state to the
// next with the orientation of the path kept (500 changes, 15 to 36 turns, no end). On 32 heaps with
// a limit of 400 factorizations, where 12 fail as it is: a path of least impulses, ε r in place of
// ε (r - r_k), and proximal-point Newton from its end (22 fail); interior points again from where
// proximal-point Newton got to, in turns with it (11 to 16 fail). Impulses held near R by a softness
// m/R², with a start there: at R = 300 |q|/√n a median of 58 factorizations instead of 188 on the 32
// heaps that R was chosen on, but, with the present start as the second, 16,573 instead of 16,604 in
// all on 80 others (24 and 27 fail).
// Proximal-point Newton that keeps ε while it follows a drift: 36 instead of 40 of 166 heaps and walls
// fail, but stacks under a million times their weight take 34 factorizations (at most 20 as it is).

#include "math/numbers.h"
#include "solve/newton/exact.h"
#include <string.h>

enum { stride = CAIRN_CELL_STRIDE, most_iterations = 40 };

static const double good_enough = 1e-6, stalled_step = 0.02, joint_softness = 1e-10;
static const double first_slip = 0.3;                         // measured: 0.1 to 3 are much alike
static const double far_impulse = 100.0, far_velocity = 10.0; // 10 to 1000, 1 to 100 much alike
static const double fine_gap = 1e-5; // part of the first m below which systems are refined
static const double follows = 0.9;   // ratio of errors up to which a long step has helped
static const double long_part = 0.6; // of a step that should help; shorter ones the cones have cut

// a cone with its scaling; n = 0: no cone in this row
typedef struct cone {
    int cell, n;
    int row[4];
    double mu;
    double r[4], y[4];     // r' and (σ, u_T) of a contact; r and u of a row of one side
    double u[4];           // W r + q in its rows
    double gap;            // contacts with slip: u_N
    bool slips;            // σ is a variable and u_N stands apart
    double w[4], root_eta; // F
    double dr[4], dy[4], dgap;
} cone;

typedef struct interior {
    cairn_exact* exact;
    cone* cones;
    int count;
    bool slips;                   // Coulomb's law, not the convex problem
    double second;                // weight of the terms of second order
    double first;                 // m at the start
    bool fine;                    // systems are refined
    double *x, *dx, *d0, *rhs;    // 4 per cell
    double *product, *rest, *fix; // W dx, what is left of a system, and its correction
} interior;

// x_0² - |x_T|²
static double determinant(const double* x, int n)
{
    double t = sqrt(cairn_dot_n(x + 1, x + 1, n - 1));
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
            *k = (cone){.cell = c, .n = 1 + cell->slip_count, .mu = cell->mu, .slips = in->slips};
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
    double along = cairn_dot_n(k->w + 1, x + 1, k->n - 1);
    double first = k->w[0] * x[0] + sign * along;
    for (int i = 1; i < k->n; i++)
        to[i] = factor * (x[i] + k->w[i] * (sign * x[0] + along / (1.0 + k->w[0])));
    to[0] = factor * first;
}

static void find_scaling(cone* k)
{
    double det_r = determinant(k->r, k->n), det_y = determinant(k->y, k->n);
    double root_r = sqrt(det_r), root_y = sqrt(det_y);
    double g = sqrt(0.5 * (1.0 + cairn_dot_n(k->r, k->y, k->n) / (root_r * root_y)));
    for (int i = 0; i < k->n; i++)
        k->w[i] = (k->y[i] / root_y - (i == 0 ? -1.0 : 1.0) * k->r[i] / root_r) / (2.0 * g);
    k->w[0] = sqrt(1.0 + cairn_dot_n(k->w + 1, k->w + 1, k->n - 1));
    k->root_eta = sqrt(root_y / root_r);
}

// the longest step that keeps x + α d in the cone
static double longest(const double* x, const double* d, int n)
{
    double a = determinant(d, n), b = x[0] * d[0] - cairn_dot_n(x + 1, d + 1, n - 1);
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
        if (k->slips && k->dgap < 0.0)
            alpha = fmin(alpha, -k->gap / k->dgap);
    }
    return alpha;
}

// ---------------------------------------------------------------- to and from the cells

static void read_velocity(double* to, const cone* k, const double* v)
{
    for (int i = 0; i < k->n; i++)
        to[i] = v[stride * (ptrdiff_t)k->cell + k->row[i]];
}

static void write_impulses(const interior* in)
{
    for (int i = 0; i < in->count; i++) {
        const cone* k = &in->cones[i];
        double* x = in->x + stride * (ptrdiff_t)k->cell;
        for (int j = 0; j < k->n; j++)
            x[k->row[j]] = k->r[j];
        if (k->n > 1)
            x[k->row[0]] /= k->mu;
    }
}

// the entry of F²
static double square(const cone* k, int i, int j)
{
    double eta = k->root_eta * k->root_eta, jordan = i != j ? 0.0 : i == 0 ? 1.0 : -1.0;
    return eta * (2.0 * k->w[i] * k->w[j] - jordan);
}

// u = weight y in row i of the convex problem
static double weight(const cone* k, int i)
{
    return i == 0 && !k->slips ? k->mu : 1.0;
}

static void set_local(cairn_newton_cell* local, const cone* k)
{
    for (int j = 0; j < k->n; j++) {
        int column = 4 * k->row[j];
        local->V[column + k->row[j]] = local->Vt[column + k->row[j]] = 1.0;
        for (int i = 0; i < k->n; i++)
            local->D[column + k->row[i]] = weight(k, i) * (j == 0 ? k->mu : 1.0) * square(k, i, j);
    }
    if (!k->slips)
        return;

    // u_N has a row of its own
    for (int j = 1; j < k->n; j++)
        local->D[4 * k->row[j] + k->row[0]] = 0.0;
    local->D[5 * k->row[0]] = k->gap * k->mu / k->r[0];
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
    x[0] = (lambda[0] * s[0] - cairn_dot_n(lambda + 1, s + 1, n - 1)) / determinant(lambda, n);
    for (int i = 1; i < n; i++)
        x[i] = over * (s[i] - x[0] * lambda[i]);
}

// F (λ \ (σ m e - (F dr) ∘ (F^-1 dy))); center < 0: the predictor has none of it
static void correction(double* to, const interior* in, const cone* k, double center)
{
    double a[4], b[4], lambda[4], s[4], x[4];
    memset(to, 0, 4 * sizeof(double));
    if (center < 0.0)
        return;
    scale(a, k, k->dr, false);
    scale(b, k, k->dy, true);
    scale(lambda, k, k->r, false);
    s[0] = center - in->second * cairn_dot_n(a, b, k->n);
    for (int i = 1; i < k->n; i++)
        s[i] = -in->second * (a[0] * b[i] + b[0] * a[i]);
    divide(x, lambda, s, k->n);
    scale(to, k, x, false);
}

static void set_rhs(const interior* in, const cone* k, double center)
{
    double extra[4], *rhs = in->rhs + stride * (ptrdiff_t)k->cell;
    correction(extra, in, k, center);
    if (k->slips) {
        double r_n = k->r[0] / k->mu, dr_n = k->dr[0] / k->mu;
        extra[0] = center < 0.0 ? 0.0 : (center - in->second * dr_n * k->dgap) / r_n;
    }
    for (int j = 0; j < k->n; j++)
        rhs[k->row[j]] = weight(k, j) * extra[j] - k->u[j];
}

// dr, dy and the change of the gap from those of impulses and velocities
static void read_change(const interior* in, cone* k, double center)
{
    double extra[4], dr[4] = {0.0}, du[4] = {0.0};
    correction(extra, in, k, center);
    read_velocity(dr, k, in->dx);
    read_velocity(du, k, in->product);
    for (int j = 0; j < k->n; j++)
        k->dy[j] = (du[j] + k->u[j]) / weight(k, j) - k->y[j];
    dr[0] *= k->mu;
    if (k->slips) {
        k->dgap = du[0] + k->u[0] - k->gap;
        k->dy[0] = extra[0] - k->y[0];
        for (int j = 0; j < k->n; j++)
            k->dy[0] -= square(k, 0, j) * dr[j];
    }
    memcpy(k->dr, dr, (size_t)k->n * sizeof(double));
}

// dx += the solution for rhs - D dx - W dx
static void refine(interior* in)
{
    cairn_exact* exact = in->exact;
    for (int c = 0; c < exact->cells.count; c++) {
        const cairn_newton_cell* local = &exact->newton.local[c];
        ptrdiff_t at = stride * (ptrdiff_t)c;
        for (int i = 0; i < stride; i++) {
            double rest = in->rhs[at + i] - in->product[at + i];
            for (int j = 0; j < stride; j++)
                rest -= local->D[4 * j + i] * in->dx[at + j];
            in->rest[at + i] = local->V[5 * i] != 0.0 ? rest : 0.0;
        }
    }
    cairn_newton_solve(&exact->newton, in->fix, in->d0, in->rest);
    for (size_t i = 0; i < exact->size; i++)
        in->dx[i] += in->fix[i];
    cairn_cells_product(&exact->cells, in->product, in->dx, exact->w);
}

// solves for all changes; center < 0: the predictor
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
    for (int i = 0; i < in->count; i++)
        set_rhs(in, &in->cones[i], center);
    cairn_newton_solve(&exact->newton, in->dx, in->d0, in->rhs);
    cairn_cells_product(&exact->cells, in->product, in->dx, exact->w);
    if (in->fine)
        refine(in);
    for (int i = 0; i < in->count; i++)
        read_change(in, &in->cones[i], center);
}

// the mean product of what is complementary, after a step α
static double gap(const interior* in, double alpha)
{
    double sum = 0.0;
    int count = 0;
    for (int i = 0; i < in->count; i++) {
        const cone* k = &in->cones[i];
        for (int j = 0; j < k->n; j++)
            sum += (k->r[j] + alpha * k->dr[j]) * (k->y[j] + alpha * k->dy[j]);
        if (k->slips)
            sum += (k->r[0] + alpha * k->dr[0]) / k->mu * (k->gap + alpha * k->dgap);
        count += k->slips ? 2 : 1;
    }
    return sum / count;
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
        k->gap += alpha * k->dgap;
    }
    write_impulses(in);
}

// r = u_N = |q|/√n, y a part of it, along e; equality rows 0, fixed rows at their value. The convex
// problem starts far out: impulses that lock a heap are large, and steps towards them short
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
        sum += cairn_dot_n(q, q, in->cones[i].n);
    }
    double size = sqrt(sum / in->count);
    size = size > 0.0 ? size : 1.0;
    for (int i = 0; i < in->count; i++) {
        in->cones[i].r[0] = in->slips ? size : far_impulse * size;
        in->cones[i].y[0] = first_slip * (in->slips ? size : far_velocity * size);
        in->cones[i].gap = size;
    }
    write_impulses(in);
}

// one iteration; returns the length of its step, or a negative number when it failed
static double iterate(interior* in)
{
    for (int i = 0; i < in->count; i++)
        read_velocity(in->cones[i].u, &in->cones[i], in->exact->u);
    if (!factor(in))
        return -1.0;

    // a predictor that does not get far says little about the terms of second order
    double m = gap(in, 0.0);
    in->first = fmax(in->first, m);
    in->fine = m <= fine_gap * in->first;
    solve(in, -1.0);
    double reach = fmin(1.0, common_step(in)), ahead = gap(in, reach) / m;
    in->second = fmin(1.0, 2.0 * reach);
    solve(in, m * fmin(1.0, fmax(1e-6, ahead * ahead * ahead)));
    double alpha = fmin(1.0, 0.99 * common_step(in));
    if (!(alpha > 0.0))
        return -1.0;
    move(in, alpha);
    in->exact->iterations++;
    return alpha;
}

bool cairn_exact_ipm(cairn_exact* exact, double* r, bool slips)
{
    cairn_arena* arena = exact->job->arena;
    cairn_arena_mark here = cairn_arena_here(arena);
    int count = count_cones(&exact->cells);
    if (count <= 0)
        return false;

    // scratch of the exact method serves as that of the interior point
    interior in = {.exact = exact,
                   .slips = slips,
                   .cones = CAIRN_TAKE(arena, cone, count),
                   .x = exact->scratch[0],
                   .dx = exact->scratch[1],
                   .d0 = exact->scratch[6],
                   .rhs = exact->scratch[3],
                   .product = exact->scratch[4],
                   .rest = exact->scratch[2],
                   .fix = exact->scratch[5]};
    if (!in.cones)
        return false;

    // from well inside of the cones
    memset(in.d0, 0, exact->size * sizeof(double));
    list_cones(&in);
    start(&in);
    double best = cairn_exact_measure(exact, in.x);
    memcpy(r, in.x, exact->size * sizeof(double));
    double last = best;
    int idle = 0;

    // until it is good enough or stalls; the best iterate is kept
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

        // the answer of the convex problem is an answer where the error follows m to its end
        idle += alpha > long_part && error > follows * last;
        last = error;
        if ((slips && error <= good_enough) || (!slips && idle >= 2) || alpha < stalled_step)
            break;
    }

    cairn_arena_release(arena, here);
    return true;
}
