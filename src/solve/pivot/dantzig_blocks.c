// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Block pivoting, for more contacts than rows can be established one after the other. While the
// limits of friction g are held at μ times the last normal impulses, the problem is convex,
//
//     minimize ½ r·W r + q·r + ε/2 |r - c|²    over   r_N >= 0,  |r_T| <= g,  lo <= r_i <= hi,
//
// with a center c that makes redundant contacts regular. Every contact has a state (open, stick,
// slide; a bounded row is free or at a bound), and one sparse system solves for given states:
//
//     u_e = W r + q + ε (r - c),  z = r - ρ u_e
//     free, stick   u_e = 0
//     at a bound    r = bound
//     slide         t = z_T/|z_T|, p ⟂ t:   r·t = g,   u_e·p + (1/κ - 1)/ρ r·p = 0,  κ = g/|z_T|
//
// All states that the solution contradicts change at once (Júdice and Pires 1994; primal-dual
// active sets). That mostly ends after a few systems, but it may cycle. Then the states are read
// with ρ = 1/ε: the step is Newton's on the dual function
//
//     θ(x) = ½ x·W x + Σ max over r of ( -r·u - ε/2 |r - c|² ),    u = W x + q,
//
// which is convex and has a continuous gradient. The step ends where the slope of θ vanishes, so θ
// falls in every step and no states recur: that is the safeguard, and it always ends.
//
// Around it the limits follow the normal impulses, the center the impulses, and ε falls, until the
// certificate accepts the answer for the cones themselves. Nothing proves that the limits converge;
// they do where most contacts stick.

#include "math/numbers.h"
#include "solve/newton/exact.h"
#include "solve/pivot/dantzig.h"
#include <string.h>

enum {
    stride = CAIRN_CELL_STRIDE,
    most_rounds = 60,   // of limits
    patience = 10,      // rounds that may pass until the error has halved
    most_pivots = 12,   // systems of plain block pivoting in a round
    most_descents = 60, // systems of the safeguard in a round
    most_systems = 120, // of all rounds
    most_sections = 25, // of a search for the end of a step
    polish_budget = 60, // factorizations of Newton's method without half the error
};

static const double first_softness = 0.1, least_softness = 1e-7, stiffening = 0.3;
static const double pivot_step = 3.0;  // ρ of plain block pivoting; W has unit diagonal
static const double round_gain = 0.01; // part of its first error at which a round ends
static const double flat = 0.1;        // part of its first slope at which a step ends
static const double held_error = 1e-3; // where Newton's method may take over

// states of a contact: bits. Rows of bounds have two bits each.
enum { state_pressed = 1, state_slides = 2 };

typedef struct blocks {
    cairn_exact exact;
    double eps;
    double *x, *u; // the point and W x + q
    double* r;     // the nearest point to z that the held limits allow
    double* center;
    double* limit; // g, one per cell
    double *d0, *rhs, *dr, *du;
    unsigned char* state; // one per cell
    int pivots;
} blocks;

// ---------------------------------------------------------------- states

// z of a cell with the step ρ
static void read_cell(double* z, double* u_e, const blocks* b, int c, double rho)
{
    for (int i = 0; i < stride; i++) {
        ptrdiff_t at = stride * (ptrdiff_t)c + i;
        u_e[i] = b->u[at] + b->eps * (b->x[at] - b->center[at]);
        z[i] = b->x[at] - rho * u_e[i];
    }
}

static double slip_length(const cairn_cell* cell, const double* z)
{
    double sum = 0.0;
    for (int k = 0; k < cell->slip_count; k++)
        sum += z[cell->slip[k]] * z[cell->slip[k]];
    return sqrt(sum);
}

// r = the nearest point to z within the held limits; the state there
static unsigned char project(double* r, const cairn_cell* cell, const double* z, double limit)
{
    unsigned state = 0;

    for (int i = 0; i < stride; i++)
        r[i] = 0.0;

    // rows with bounds: two bits of state for each
    if (cell->kind == CAIRN_CELL_BOUNDS) {
        for (int i = 0; i < cell->rows; i++) {
            unsigned side = z[i] <= cell->lo[i] ? 1 : z[i] >= cell->hi[i] ? 2 : 0;
            r[i] = side == 1 ? cell->lo[i] : side == 2 ? cell->hi[i] : z[i];
            state |= side << (2 * i);
        }
        return (unsigned char)state;
    }

    // a contact: pressed or open, sticking or sliding
    double length = slip_length(cell, z), factor = 1.0;
    if (z[0] > 0.0) {
        r[0] = z[0];
        state |= state_pressed;
    }

    if (length > limit) {
        factor = limit / length;
        state |= state_slides;
    }

    for (int k = 0; k < cell->slip_count; k++)
        r[cell->slip[k]] = factor * z[cell->slip[k]];
    return (unsigned char)state;
}

// the states that the impulses x alone tell, before any pivot
static void start_states(blocks* b)
{
    const cairn_cells* cells = &b->exact.cells;
    for (int c = 0; c < cells->count; c++) {
        double r[stride];
        const double* x = b->x + stride * (ptrdiff_t)c;
        double inside = b->limit[c] * (1.0 - 1e-9);
        b->state[c] = project(r, &cells->cell[c], x, inside);
    }
}

// ---------------------------------------------------------------- the system for given states

static void set_free(const blocks* b, int c, int i, const double* u_e)
{
    cairn_newton_cell* local = &b->exact.newton.local[c];
    ptrdiff_t at = stride * (ptrdiff_t)c + i;
    local->V[5 * i] = local->Vt[5 * i] = 1.0;
    local->D[5 * i] = b->eps;
    b->d0[at] = 0.0;
    b->rhs[at] = -u_e[i];
}

// friction at its limit: held along t, softly turned across it
static void set_slide(const blocks* b, int c, const double* z, double rho)
{
    const cairn_cell* cell = &b->exact.cells.cell[c];
    cairn_newton_cell* local = &b->exact.newton.local[c];
    ptrdiff_t at = stride * (ptrdiff_t)c;
    double t[3], p[2][3], length = slip_length(cell, z), kappa = b->limit[c] / length;
    if (kappa < 1e-8)
        return;

    // t along the friction, p across it
    for (int k = 0; k < cell->slip_count; k++)
        t[k] = z[cell->slip[k]] / length;

    int count = cairn_exact_complete_basis(p, t, cell->slip_count);
    for (int m = 0; m < count; m++) {
        int column = cell->slip[m]; // the unknown r·p takes the place of a friction row
        double across = 0.0;
        for (int k = 0; k < cell->slip_count; k++)
            across += b->x[at + cell->slip[k]] * p[m][k];

        // across t, friction turns with the stiffness (1/κ - 1)/ρ
        for (int k = 0; k < cell->slip_count; k++) {
            b->d0[at + cell->slip[k]] += across * p[m][k];
            local->V[4 * column + cell->slip[k]] = p[m][k];
            local->Vt[4 * cell->slip[k] + column] = p[m][k];
        }
        local->D[5 * column] = (1.0 / kappa - 1.0) / rho + b->eps;
        b->rhs[at + column] = -across / (kappa * rho);
    }
}

// whether the cell has an unknown
static bool set_bounds(const blocks* b, int c, const double* u_e)
{
    bool any = false;
    for (int i = 0; i < b->exact.cells.cell[c].rows; i++)
        if ((b->state[c] >> (2 * i) & 3) == 0) {
            set_free(b, c, i, u_e);
            any = true;
        }
    return any;
}

static bool set_contact(const blocks* b, int c, const double* z, const double* u_e, double rho)
{
    const cairn_cell* cell = &b->exact.cells.cell[c];
    bool pressed = b->state[c] & state_pressed, slides = b->state[c] & state_slides;
    if (pressed)
        set_free(b, c, 0, u_e);
    if (slides)
        set_slide(b, c, z, rho);
    for (int k = 0; k < cell->slip_count && !slides; k++)
        set_free(b, c, cell->slip[k], u_e);
    return pressed || !slides || b->limit[c] > 0.0;
}

// reads the state of a cell, counts its change and sets its part of the system
static void set_cell(blocks* b, int c, double rho)
{
    const cairn_cell* cell = &b->exact.cells.cell[c];
    cairn_newton_cell* local = &b->exact.newton.local[c];
    ptrdiff_t at = stride * (ptrdiff_t)c;
    double z[stride], u_e[stride];
    read_cell(z, u_e, b, c, rho);
    unsigned char state = project(b->r + at, cell, z, b->limit[c]);
    b->pivots += state != b->state[c];
    b->state[c] = state;

    // what is not free goes to where the state holds it
    memset(local, 0, sizeof *local);
    for (int i = 0; i < stride; i++) {
        local->D[5 * i] = 1.0;
        b->d0[at + i] = b->r[at + i] - b->x[at + i];
        b->rhs[at + i] = 0.0;
    }
    bool any =
        cell->kind == CAIRN_CELL_BOUNDS ? set_bounds(b, c, u_e) : set_contact(b, c, z, u_e, rho);
    b->exact.newton.open[c] = !any;
}

// the states at x and their system; |x - r|
static double set_system(blocks* b, double rho)
{
    double sum = 0.0;
    for (int c = 0; c < b->exact.cells.count; c++)
        set_cell(b, c, rho);
    for (size_t i = 0; i < b->exact.size; i++)
        sum += (b->x[i] - b->r[i]) * (b->x[i] - b->r[i]);
    return sqrt(sum);
}

// whether time, systems or the caller's limit of pivots are used up
static bool used_up(const blocks* b)
{
    int limit = b->exact.job->def->max_iterations;
    return cairn_exact_stop(&b->exact) || b->exact.factorizations >= most_systems ||
           (limit > 0 && b->pivots > limit);
}

// dr and W dr for the system that was set
static bool solve_system(blocks* b)
{
    cairn_exact* exact = &b->exact;
    if (used_up(b) || !cairn_exact_factor(exact))
        return false;
    cairn_newton_solve(&exact->newton, b->dr, b->d0, b->rhs);
    cairn_cells_product(&exact->cells, b->du, b->dr, exact->w);
    exact->iterations++;
    return true;
}

static void advance(blocks* b, double alpha)
{
    for (size_t i = 0; i < b->exact.size; i++) {
        b->x[i] += alpha * b->dr[i];
        b->u[i] += alpha * b->du[i];
    }
}

// ---------------------------------------------------------------- one round of held limits

// the slope of θ at x + α dr
static double slope(const blocks* b, double alpha)
{
    const cairn_cells* cells = &b->exact.cells;
    double sum = 0.0;
    for (int c = 0; c < cells->count; c++) {
        double z[stride], r[stride];
        ptrdiff_t at = stride * (ptrdiff_t)c;
        for (int i = 0; i < stride; i++)
            z[i] = b->center[at + i] - (b->u[at + i] + alpha * b->du[at + i]) / b->eps;
        project(r, &cells->cell[c], z, b->limit[c]);
        for (int i = 0; i < stride; i++)
            sum += (b->x[at + i] + alpha * b->dr[at + i] - r[i]) * b->du[at + i];
    }
    return sum;
}

// the step at which the slope of θ has all but vanished: the full one, or one found by sections
static double step_length(const blocks* b)
{
    double low = 0.0, high = 1.0, first = slope(b, 0.0), at_low = first, at_high = slope(b, 1.0);
    if (at_high <= flat * fabs(first))
        return 1.0;

    // regula falsi within the bracket, no closer to its ends than a tenth
    double alpha = 1.0;
    for (int i = 0; i < most_sections; i++) {
        double part = at_low / (at_low - at_high);
        alpha = low + (high - low) * fmin(0.9, fmax(0.1, part));
        double here = slope(b, alpha);
        if (fabs(here) <= flat * fabs(first))
            break;

        if (here < 0.0) {
            low = alpha;
            at_low = here;
        } else {
            high = alpha;
            at_high = here;
        }
    }

    return alpha;
}

// plain block pivoting; false: it has not ended
static bool pivot_all(blocks* b, double enough)
{
    double least = INFINITY;
    for (int k = 0, since = 0; k < most_pivots; k++) {
        double error = set_system(b, pivot_step);
        if (error <= enough)
            return true;
        since = error < 0.7 * least ? 0 : since + 1;
        least = fmin(least, error);
        if (since > 4 || !solve_system(b))
            return false;
        advance(b, 1.0);
    }
    return false;
}

// the safeguard: Newton's method on θ
static bool descend(blocks* b, double enough)
{
    for (int k = 0; k < most_descents; k++) {
        if (set_system(b, 1.0 / b->eps) <= enough)
            return true;
        if (!solve_system(b))
            return false;
        advance(b, step_length(b));
    }
    return false;
}

// x = r, u = W r + q
static void start_at(blocks* b, const double* r)
{
    cairn_exact* exact = &b->exact;
    if (r != b->x)
        memcpy(b->x, r, exact->size * sizeof(double));
    cairn_cells_product(&exact->cells, b->u, b->x, exact->w);
    for (size_t i = 0; i < exact->size; i++)
        b->u[i] += exact->cells.q[i];
}

// solves the problem of held limits around the center: the answer is in r
static bool solve_round(blocks* b)
{
    double size = cairn_norm_n(b->center, (ptrdiff_t)b->exact.size);
    double first = set_system(b, pivot_step);
    double enough = fmax(round_gain * first, 1e-14 * size);
    if (pivot_all(b, enough))
        return true;
    if (used_up(b))
        return false;
    start_at(b, b->center);
    return descend(b, enough);
}

// limits, center and point follow the impulses r
static void follow(blocks* b)
{
    const cairn_cells* cells = &b->exact.cells;
    memcpy(b->center, b->r, b->exact.size * sizeof(double));
    for (int c = 0; c < cells->count; c++)
        b->limit[c] = cells->cell[c].mu * fmax(0.0, b->r[stride * (ptrdiff_t)c]);
    start_at(b, b->r);
}

// rounds until the certificate accepts the impulses or the limits do not settle
static void pivot(blocks* b)
{
    cairn_exact* exact = &b->exact;
    double reference = INFINITY;
    for (int round = 0, since = 0; round < most_rounds && since < patience; round++) {
        if (used_up(b) || !solve_round(b))
            return;
        double error = cairn_exact_measure(exact, b->r);
        cairn_job_trace(exact->job, exact->factorizations, error);
        if (exact->done)
            return;
        since = error < 0.5 * reference ? 0 : since + 1;
        reference = fmin(reference, error);
        b->eps = fmax(stiffening * b->eps, least_softness);
        follow(b);
    }
}

// ---------------------------------------------------------------- the whole

static cairn_status prepare(blocks* b, cairn_job* job)
{
    cairn_status status = cairn_exact_prepare(&b->exact, job);
    if (status == CAIRN_OK)
        status = cairn_exact_prepare_newton(&b->exact, CAIRN_NEWTON_CHEAPEST);
    if (status != CAIRN_OK)
        return status;
    double** numbers[] = {&b->x, &b->u, &b->r, &b->center, &b->d0, &b->rhs, &b->dr, &b->du};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        *numbers[i] = CAIRN_TAKE_ZEROED(job->arena, double, b->exact.size);
    b->limit = CAIRN_TAKE_ZEROED(job->arena, double, b->exact.cells.count);
    b->state = CAIRN_TAKE_ZEROED(job->arena, unsigned char, b->exact.cells.count);
    return job->arena->failed ? CAIRN_NO_MEMORY : CAIRN_OK;
}

cairn_status cairn_dantzig_blocks(cairn_job* job, bool* done)
{
    blocks b = {.eps = first_softness};
    cairn_exact* exact = &b.exact;
    cairn_status status = prepare(&b, job);
    *done = false;
    if (status != CAIRN_OK)
        return status == CAIRN_INTERRUPTED ? CAIRN_OK : status;

    // from the start that was given
    cairn_cells_load(&exact->cells, b.r, job->lambda);
    cairn_cells_project(&exact->cells, b.r);
    cairn_exact_measure(exact, b.r);
    follow(&b);
    start_states(&b);
    if (!exact->done)
        pivot(&b);

    // iteration with incomplete factors has failed: on with complete ones from the best point
    if (exact->newton.gave_up && !cairn_job_stopped(job)) {
        memcpy(b.r, exact->best, exact->size * sizeof(double));
        status = cairn_exact_prepare_newton(exact, CAIRN_NEWTON_COMPLETE);
        if (status == CAIRN_NO_MEMORY)
            return status;
        follow(&b);
        pivot(&b);
    }

    // near the answer Newton's method on the cones themselves converges at once
    if (!exact->done && !cairn_job_stopped(job) && exact->best_error <= held_error) {
        memcpy(b.r, exact->best, exact->size * sizeof(double));
        cairn_exact_ppn(exact, b.r, polish_budget, 1e-3, CAIRN_PPN_STEP);
        if (exact->done)
            job->report->rescued_by = "polish";
    }

    cairn_cells_store(&exact->cells, job->lambda, exact->best);
    job->report->pivots += b.pivots;
    job->report->factorizations += exact->factorizations;
    job->report->iterations += exact->iterations;
    *done = exact->done;
    return CAIRN_OK;
}
