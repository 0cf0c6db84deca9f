// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Lemke's algorithm for any square matrix, in revised form. With a cover c > 0 the system
//
//     w - M z - c z_0 = q,     w, z, z_0 >= 0
//
// is solved along almost complementary bases: of each pair (w_i, z_i) one variable is basic, but
// for one pair of which none is, and z_0 is basic until it leaves, which is the solution. With B
// the basic columns, x = B^-1 q their values and u = B^-1 a the column of the driving variable,
//
//     leaves:  argmin x_i / u_i over u_i > 0, ties broken by the rows of [x, B^-1] / u_i in
//              lexicographic order; z_0 leaves whenever it can; no u_i > 0: a secondary ray.
//
// Columns of B^-1 that belong to a basic w are unit vectors and are not stored, so a pivot costs
// n k for k basic z, and B^-1 is rebuilt by the same pivots after some dozens of updates. Rows and
// columns are equilibrated by powers of two first, which only changes the cover and the units of z.
// The answer is refined with the residual of its basis.
//
// A ray is not a proof that there is no solution unless its direction is a Farkas certificate
// (M^T y <= 0, q·y < 0, y >= 0); matrices outside the classes that Lemke's method can process end
// on a ray although solutions exist. O(n²) memory: not for thousands of unknowns.

#include "solve/pivot/lcp_lemke.h"
#include "solve/method.h"
#include "solve/pivot/lcp_method.h"
#include <cairn/random.h>
#include <string.h>

enum { pivots_between_rebuilds = 48, covers_tried = 8 };

static const double pivot_tolerance = 1e-11, tie_tolerance = 1e-12;

// multiplications that all covers of a small problem may take
static const double least_work = 5e8;

typedef struct tableau {
    int n;
    double* M;        // column j of the scaled M at M + n j
    double* q;        // scaled
    double* c;        // the cover
    double* row_unit; // w = scaled w / row_unit
    double* col_unit; // z = scaled z * col_unit * q_unit
    double q_unit;
    double* inverse; // columns of B^-1; only those of non-basic w are kept
    int* outside;    // the non-basic w, `outside_count` of them
    int outside_count;
    int* head;  // basic variable of each place: i < n: w_i, n + i: z_i, 2 n: z_0
    int* place; // place of w_i in the basis, or -1
    double* x;
    double* u;
    double* work;
    bool* open; // places that a rebuild may still fill
    int* tied;
    int tied_count;
    cairn_stop stop; // when to give up
    double spent;    // multiplications so far
} tableau;

static bool is_late(const tableau* t)
{
    return cairn_stop_now(&t->stop);
}

// ---------------------------------------------------------------- scaling

static double power_of_two(double x)
{
    int exponent;
    frexp(x, &exponent);
    return ldexp(1.0, -exponent);
}

static double larger(double a, double b)
{
    return a > b ? a : b;
}

// one sweep: the largest entry of each row and then of each column comes into [1/2, 1)
static void equilibrate_once(tableau* t, double* most)
{
    int n = t->n;

    // the largest entries of the rows
    for (int i = 0; i < n; i++)
        most[i] = 0.0;
    for (int j = 0; j < n; j++) {
        const double* column = t->M + (ptrdiff_t)n * j;
        for (int i = 0; i < n; i++)
            most[i] = larger(most[i], fabs(column[i]));
    }

    // units are powers of two: scaling has no round-off
    for (int i = 0; i < n; i++) {
        most[i] = most[i] > 0.0 ? power_of_two(most[i]) : 1.0;
        t->row_unit[i] *= most[i];
    }

    for (int j = 0; j < n; j++) {
        double *column = t->M + (ptrdiff_t)n * j, top = 0.0;
        for (int i = 0; i < n; i++) {
            column[i] *= most[i];
            top = larger(top, fabs(column[i]));
        }

        double s = top > 0.0 ? power_of_two(top) : 1.0;
        t->col_unit[j] *= s;
        for (int i = 0; i < n; i++)
            column[i] *= s;
    }
}

// M by columns, some at a time, which stay in the cache; false: out of time
static bool transpose(tableau* t, const double* M)
{
    enum { at_once = 64 };
    int n = t->n;
    for (int begin = 0; begin < n; begin += at_once) {
        int end = begin + at_once < n ? begin + at_once : n;
        if (is_late(t))
            return false;
        for (int i = 0; i < n; i++)
            for (int j = begin; j < end; j++)
                t->M[(ptrdiff_t)n * j + i] = M[(ptrdiff_t)n * i + j];
    }
    return true;
}

// false: out of time
static bool equilibrate(tableau* t, const cairn_lcp* lcp)
{
    int n = t->n;
    double largest = 0.0;

    if (!transpose(t, lcp->M))
        return false;
    for (int i = 0; i < n; i++)
        t->row_unit[i] = t->col_unit[i] = 1.0;

    for (int sweep = 0; sweep < 2; sweep++) {
        equilibrate_once(t, t->work);
        if (is_late(t))
            return false;
    }

    // q is scaled to the size of one
    for (int i = 0; i < n; i++) {
        t->q[i] = t->row_unit[i] * lcp->q[i];
        largest = larger(largest, fabs(t->q[i]));
    }
    t->q_unit = largest > 0.0 ? 1.0 / power_of_two(largest) : 1.0;
    for (int i = 0; i < n; i++)
        t->q[i] /= t->q_unit;

    return true;
}

// ---------------------------------------------------------------- the basis

// y = B^-1 a
static void apply_inverse(tableau* t, double* y, const double* a)
{
    int n = t->n;
    t->spent += (double)n * (t->outside_count + 1);
    memset(y, 0, (size_t)n * sizeof(double));
    for (int i = 0; i < n; i++)
        if (t->place[i] >= 0)
            y[t->place[i]] = a[i];
    for (int k = 0; k < t->outside_count; k++) {
        const double* column = t->inverse + (ptrdiff_t)n * t->outside[k];
        double s = a[t->outside[k]];
        if (s == 0.0)
            continue;
        for (int i = 0; i < n; i++)
            y[i] += s * column[i];
    }
}

// u = B^-1 of the column of a variable: e_i, -M_i or -c
static void form_column(tableau* t, int variable)
{
    int n = t->n;
    if (variable < n) {
        memcpy(t->u, t->inverse + (ptrdiff_t)n * variable, (size_t)n * sizeof(double));
        return;
    }
    const double* column = variable < 2 * n ? t->M + (ptrdiff_t)n * (variable - n) : t->c;
    for (int i = 0; i < n; i++)
        t->work[i] = -column[i];
    apply_inverse(t, t->u, t->work);
}

// the variable with column u takes place p of the basis
static void exchange(tableau* t, int p, int entering)
{
    int n = t->n, leaving = t->head[p];
    double over = 1.0 / t->u[p];

    t->spent += (double)n * (t->outside_count + 1);

    // a w that enters has a unit column from now on
    if (entering < n) {
        int k = 0;
        while (t->outside[k] != entering)
            k++;
        t->outside[k] = t->outside[--t->outside_count];
    }

    // the rank-one update of B^-1
    for (int k = 0; k < t->outside_count; k++) {
        double* column = t->inverse + (ptrdiff_t)n * t->outside[k];
        double s = column[p] * over;
        if (s == 0.0)
            continue;
        for (int i = 0; i < n; i++)
            column[i] -= s * t->u[i];
        column[p] = s;
    }

    // a w that leaves gets a column of its own
    if (leaving < n) {
        double* column = t->inverse + (ptrdiff_t)n * leaving;
        for (int i = 0; i < n; i++)
            column[i] = -over * t->u[i];
        column[p] = over;
        t->outside[t->outside_count++] = leaving;
        t->place[leaving] = -1;
    }

    t->head[p] = entering;
    if (entering < n)
        t->place[entering] = p;
}

// B^-1 afresh: the basic z enter one by one, each at the largest pivot among the places of the w
// that are to leave. Converged, or: the basis is singular, the time is up.
static cairn_outcome rebuild(tableau* t)
{
    int n = t->n, count = 0;
    int* enter = t->outside + n; // the second half of the array is spare

    for (int p = 0; p < n; p++)
        if (t->head[p] >= n)
            enter[count++] = t->head[p];

    // start from B = 1: the places of the w outside of the basis are open
    for (int i = 0; i < n; i++)
        t->open[i] = false;
    for (int k = 0; k < t->outside_count; k++)
        t->open[t->outside[k]] = true;
    for (int i = 0; i < n; i++)
        t->head[i] = t->place[i] = i;
    t->outside_count = 0;

    for (int k = 0; k < count; k++) {
        int p = -1;
        if (is_late(t))
            return CAIRN_OUTCOME_TIME_LIMIT;

        form_column(t, enter[k]);
        for (int i = 0; i < n; i++)
            if (t->open[i] && (p < 0 || fabs(t->u[i]) > fabs(t->u[p])))
                p = i;

        if (p < 0 || !(fabs(t->u[p]) > 1e-14))
            return CAIRN_OUTCOME_SINGULAR;
        t->open[p] = false;
        exchange(t, p, enter[k]);
    }

    apply_inverse(t, t->x, t->q);
    return CAIRN_OUTCOME_CONVERGED;
}

// x += B^-1 (q - B x), twice
static void refine(tableau* t)
{
    int n = t->n;
    for (int sweep = 0; sweep < 2; sweep++) {
        memcpy(t->work, t->q, (size_t)n * sizeof(double));
        for (int p = 0; p < n; p++) {
            int variable = t->head[p];
            const double* column = variable < 2 * n ? t->M + (ptrdiff_t)n * (variable - n) : t->c;
            if (variable < n)
                t->work[variable] -= t->x[p];
            else if (t->x[p] != 0.0)
                for (int i = 0; i < n; i++)
                    t->work[i] += column[i] * t->x[p];
        }
        apply_inverse(t, t->u, t->work);
        for (int i = 0; i < n; i++)
            t->x[i] += t->u[i];
    }
}

// ---------------------------------------------------------------- pivoting

// of the tied places keeps those whose entry of `column` over u is least; NULL stands for the unit
// vector of place `unit`
static void keep_least(tableau* t, const double* column, int unit)
{
    double least = INFINITY;
    int left = 0;
    for (int k = 0; k < t->tied_count; k++) {
        int i = t->tied[k];
        least = fmin(least, (column ? column[i] : i == unit ? 1.0 : 0.0) / t->u[i]);
    }
    for (int k = 0; k < t->tied_count; k++) {
        int i = t->tied[k];
        double ratio = (column ? column[i] : i == unit ? 1.0 : 0.0) / t->u[i];
        if (ratio <= least + tie_tolerance * (1.0 + fabs(least)))
            t->tied[left++] = i;
    }
    t->tied_count = left;
}

// the place that leaves when the driving variable grows, or -1: a ray
static int ratio_test(tableau* t)
{
    int n = t->n, best = -1;
    double most = 0.0, least = INFINITY;

    for (int i = 0; i < n; i++)
        most = larger(most, fabs(t->u[i]));
    double small = pivot_tolerance * most;

    // the least ratio, with a margin for ties
    for (int i = 0; i < n; i++)
        if (t->u[i] > small) {
            double ratio = (larger(t->x[i], 0.0) + tie_tolerance) / t->u[i];
            least = ratio < least ? ratio : least;
        }

    // all rows within the margin; z_0 leaves whenever it can
    t->tied_count = 0;
    for (int i = 0; i < n; i++) {
        if (!(t->u[i] > small) || larger(t->x[i], 0.0) > least * t->u[i])
            continue;
        if (t->head[i] == 2 * n)
            return i;
        t->tied[t->tied_count++] = i;
    }

    // the lexicographic rule, then the largest pivot
    for (int j = 0; j < n && t->tied_count > 1; j++)
        keep_least(t, t->place[j] < 0 ? t->inverse + (ptrdiff_t)n * j : NULL, t->place[j]);
    for (int k = 0; k < t->tied_count; k++)
        if (best < 0 || t->u[t->tied[k]] > t->u[best])
            best = t->tied[k];

    return best;
}

static void step(tableau* t, int p, int entering)
{
    double length = fmax(t->x[p], 0.0) / t->u[p];
    for (int i = 0; i < t->n; i++)
        t->x[i] -= length * t->u[i];
    t->x[p] = length;
    exchange(t, p, entering);
}

static int complement(int variable, int n)
{
    return variable < n ? variable + n : variable - n;
}

// z_0 enters so far that no w is negative; the lexicographically least row leaves
static int start(tableau* t)
{
    int n = t->n, r = 0;
    double worst = 0.0;
    for (int i = 0; i < n; i++) {
        t->head[i] = t->place[i] = i;
        t->x[i] = t->q[i];
    }
    t->outside_count = 0;

    // the last of equal rows is lexicographically least: its unit entry comes latest
    for (int i = 0; i < n; i++)
        if (t->q[i] / t->c[i] <= worst) {
            worst = t->q[i] / t->c[i];
            r = i;
        }

    form_column(t, 2 * n);
    for (int i = 0; i < n; i++)
        t->x[i] = t->q[i] - worst * t->c[i];
    t->x[r] = -worst;
    exchange(t, r, 2 * n);
    return n + r;
}

// whether the direction y of the ray shows that no z is feasible
static bool proves_infeasible(const tableau* t, const double* y)
{
    int n = t->n;
    double q = 0.0, most = 0.0;
    for (int i = 0; i < n; i++) {
        q += t->q[i] * y[i];
        most = fmax(most, y[i]);
    }
    if (!(q < -1e-9 * most))
        return false;

    for (int j = 0; j < n; j++) {
        double sum = 0.0;
        for (int i = 0; i < n; i++)
            sum += t->M[(ptrdiff_t)n * j + i] * y[i];
        if (sum > 1e-12 * most)
            return false;
    }
    return true;
}

static void read_ray(tableau* t, int driver, double* ray, cairn_lcp_lemke_end* end)
{
    int n = t->n;
    double* y = t->work;
    memset(y, 0, (size_t)n * sizeof(double));
    if (driver >= n)
        y[driver - n] = 1.0;
    for (int p = 0; p < n; p++)
        if (t->head[p] >= n && t->head[p] < 2 * n)
            y[t->head[p] - n] = fmax(0.0, -t->u[p]);
    end->outcome = CAIRN_OUTCOME_RAY;
    for (int i = 0; ray && i < n; i++)
        ray[i] = y[i] * t->col_unit[i];
    end->infeasible = proves_infeasible(t, y);
}

static void pivot(tableau* t, double* ray, const cairn_lcp_lemke_def* def, cairn_lcp_lemke_end* end)
{
    int n = t->n, limit = def->max_pivots ? def->max_pivots : 50 * n + 1000;
    int driver = start(t), since = 0;
    double most_work = def->max_work > 0.0 ? def->max_work : INFINITY;
    end->outcome = CAIRN_OUTCOME_ITERATION_LIMIT;
    for (end->pivots = 1; end->pivots < limit && t->spent < most_work; end->pivots++) {
        if (is_late(t)) {
            end->outcome = CAIRN_OUTCOME_TIME_LIMIT;
            return;
        }

        // round-off gathers in updates: invert anew now and then
        if (++since > pivots_between_rebuilds) {
            since = 0;
            cairn_outcome rebuilt = rebuild(t);
            if (rebuilt != CAIRN_OUTCOME_CONVERGED) {
                end->outcome = rebuilt;
                return;
            }
        }

        // the driving variable enters until a basic variable is zero
        cairn_stop_spend(&t->stop, (double)n * n / 16.0);
        form_column(t, driver);
        int p = ratio_test(t);
        if (p < 0) {
            read_ray(t, driver, ray, end);
            return;
        }

        int leaving = t->head[p];
        step(t, p, driver);

        // z_0 has left: this is the solution
        if (leaving == 2 * n) {
            end->outcome = rebuild(t);
            if (end->outcome == CAIRN_OUTCOME_CONVERGED)
                refine(t);
            return;
        }

        driver = complement(leaving, n);
    }
}

static bool take(tableau* t, int n, cairn_arena* arena)
{
    size_t square = (size_t)n * (size_t)n, count = (size_t)n + 1;
    *t = (tableau){.n = n};
    t->M = CAIRN_TAKE(arena, double, square);
    t->inverse = CAIRN_TAKE(arena, double, square);
    t->q = CAIRN_TAKE(arena, double, count);
    t->c = CAIRN_TAKE(arena, double, count);
    t->row_unit = CAIRN_TAKE(arena, double, count);
    t->col_unit = CAIRN_TAKE(arena, double, count);
    t->x = CAIRN_TAKE(arena, double, count);
    t->u = CAIRN_TAKE(arena, double, count);
    t->work = CAIRN_TAKE(arena, double, count);
    t->head = CAIRN_TAKE(arena, int, count);
    t->place = CAIRN_TAKE(arena, int, count);
    t->outside = CAIRN_TAKE(arena, int, 2 * count);
    t->open = CAIRN_TAKE(arena, bool, count);
    t->tied = CAIRN_TAKE(arena, int, count);
    return !arena->failed;
}

cairn_status cairn_lcp_lemke(double* z, double* ray, const cairn_lcp* lcp,
                             const cairn_lcp_lemke_def* def, cairn_lcp_lemke_end* end,
                             cairn_arena* arena)
{
    int n = lcp->n;
    cairn_arena_mark mark = cairn_arena_here(arena);
    tableau t;
    bool negative = false;

    // q >= 0: z = 0 solves it
    *end = (cairn_lcp_lemke_end){.outcome = CAIRN_OUTCOME_CONVERGED};
    memset(z, 0, (size_t)n * sizeof(double));
    for (int i = 0; i < n; i++)
        negative = negative || lcp->q[i] < 0.0;
    if (!negative)
        return CAIRN_OK;

    if (!take(&t, n, arena))
        return CAIRN_NO_MEMORY;

    t.stop = def->stop;
    for (int i = 0; i < n; i++)
        t.c[i] = def->cover ? def->cover[i] : 1.0;

    if (equilibrate(&t, lcp))
        pivot(&t, ray, def, end);
    else
        end->outcome = CAIRN_OUTCOME_TIME_LIMIT;
    end->work = t.spent;

    for (int p = 0; p < n && end->outcome == CAIRN_OUTCOME_CONVERGED; p++)
        if (t.head[p] >= n && t.head[p] < 2 * n) {
            int i = t.head[p] - n;
            z[i] = fmax(0.0, t.x[p]) * t.col_unit[i] * t.q_unit;
        }

    cairn_arena_release(arena, mark);
    return CAIRN_OK;
}

// The method: the plain cover first, then random ones, until an answer passes the residual, the ray
// proves that there is none, or their common work is done. A path of 10 n pivots takes some
// 20 n³ multiplications, and most paths are shorter than n; small problems may take a second.
cairn_status cairn_lcp_lemke_standard(double* z, const cairn_lcp* lcp, const cairn_solve_def* def,
                                      const cairn_stop* stop, cairn_lcp_report* report)
{
    cairn_arena arena = {0};
    cairn_random random = {def->seed};
    cairn_lcp_lemke_def options = {.max_pivots = def->max_iterations, .stop = *stop};
    cairn_outcome first = CAIRN_OUTCOME_CONVERGED;
    double* cover = CAIRN_TAKE(&arena, double, lcp->n);
    cairn_status status = cover ? CAIRN_OK : CAIRN_NO_MEMORY;
    double n = lcp->n, left = fmax(least_work, 20.0 * n * n * n);

    for (int k = 0; k < covers_tried && status == CAIRN_OK && left > 0.0; k++) {
        cairn_lcp_lemke_end end;
        for (int i = 0; i < lcp->n; i++)
            cover[i] = k == 0 ? 1.0 : cairn_exp(cairn_random_range(&random, -2.0, 2.0));

        options.max_work = def->max_iterations ? 0.0 : left;
        options.cover = cover;
        status = cairn_lcp_lemke(z, NULL, lcp, &options, &end, &arena);

        report->iterations += end.pivots;
        left -= def->max_iterations ? 0.0 : end.work;
        report->outcome = end.infeasible ? CAIRN_OUTCOME_NO_SOLUTION : end.outcome;

        // the outcome is that of the plain cover, unless a later one decides
        first = k == 0 ? report->outcome : first;
        if (end.infeasible || end.outcome == CAIRN_OUTCOME_TIME_LIMIT ||
            (end.outcome == CAIRN_OUTCOME_CONVERGED &&
             cairn_lcp_residual(lcp, z) <= def->tolerance))
            break;
        report->outcome = first;
    }

    cairn_arena_destroy(&arena);
    return status;
}
