// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Complete search for a solution of a plain LCP: a tree over the pairs, pruned by linear programs.
// The feasible set {z >= 0, w = M z + q >= 0} is entered by the simplex method (phase 1). At a
// vertex where some pair has z_i > 0 and w_i > 0 two branches open,
//
//     z_i = 0      or      w_i = 0,
//
// each reached by minimizing that variable over the face on which the pairs decided so far have
// their zero. A face that does not touch it is cut off. A vertex without such a pair is a solution;
// an empty tree is a proof (to the tolerance of the linear programs) that there is none, for every
// matrix, singular and degenerate ones included.
//
// Exponential in the worst case: it stands behind the other methods and ends when its work is done.
// Work is counted in multiplications, so that the end does not depend on the machine: a pivot of a
// dictionary and a copy of one for a branch take n (n + 1) each. No more branches than pairs are
// open at once; each holds a dictionary, and the memory for them is bounded, too.

#include "math/arena.h"
#include "solve/method.h"
#include "solve/pivot/lcp_method.h"
#include <limits.h>
#include <string.h>

enum { simplex_limit = 50 };

static const double default_work = 3e9;  // multiplications
static const double most_memory = 512e6; // bytes of open branches

static const double zero = 1e-9, unclear = 1e-7;

// w = M z + q + t as a dictionary: basic variables = value + table * non-basic ones. Variables:
// i < n: w_i, n + i: z_i, 2 n: the artificial t.
typedef struct dictionary {
    int n;         // rows; columns are n + 1
    double* table; // n x (n + 1), row-major
    double* value;
    int* row;    // basic variable of a row
    int* column; // non-basic variable of a column
    bool* fixed; // 2 n + 1: must stay zero
} dictionary;

typedef enum lp_end { lp_zero, lp_positive, lp_unclear } lp_end;

// what may be spent on a search
typedef struct effort {
    const cairn_stop* stop;
    double work, most_work; // multiplications
    int pivots, most_pivots;
    bool late; // the time or the work is used up
} effort;

// counts a pivot or a copy of a dictionary; false: there is nothing left for it
static bool spend(effort* e, const dictionary* d, int pivots)
{
    e->work += (double)d->n * (d->n + 1);
    e->pivots += pivots;
    e->late =
        e->late || e->work > e->most_work || e->pivots > e->most_pivots || cairn_stop_now(e->stop);
    return !e->late;
}

static bool take(dictionary* d, int n, cairn_arena* arena)
{
    size_t rows = (size_t)n, columns = rows + 1;
    *d = (dictionary){.n = n};
    d->table = CAIRN_TAKE(arena, double, rows* columns);
    d->value = CAIRN_TAKE(arena, double, rows);
    d->row = CAIRN_TAKE(arena, int, rows);
    d->column = CAIRN_TAKE(arena, int, columns);
    d->fixed = CAIRN_TAKE_ZEROED(arena, bool, 2 * rows + 1);
    return !arena->failed;
}

static void copy(dictionary* to, const dictionary* from)
{
    size_t rows = (size_t)from->n, columns = rows + 1;
    memcpy(to->table, from->table, rows * columns * sizeof(double));
    memcpy(to->value, from->value, rows * sizeof(double));
    memcpy(to->row, from->row, rows * sizeof(int));
    memcpy(to->column, from->column, columns * sizeof(int));
    memcpy(to->fixed, from->fixed, (2 * rows + 1) * sizeof(bool));
}

static void pivot(dictionary* d, int r, int s)
{
    int columns = d->n + 1;
    double* line = d->table + (ptrdiff_t)columns * r;
    double over = 1.0 / line[s];
    int variable = d->row[r];

    // x_s = (x_r - value - Σ line x) / line_s
    for (int j = 0; j < columns; j++)
        line[j] *= -over;
    line[s] = over;
    d->value[r] *= -over;

    // the other rows, with x_s eliminated
    for (int i = 0; i < d->n; i++) {
        double* other = d->table + (ptrdiff_t)columns * i;
        double factor = other[s];
        if (i == r || factor == 0.0)
            continue;
        other[s] = 0.0;
        for (int j = 0; j < columns; j++)
            other[j] += factor * line[j];
        d->value[i] += factor * d->value[r];
    }

    d->row[r] = d->column[s];
    d->column[s] = variable;
}

// the row that blocks first when column s grows; ties go to the least variable (Bland)
static int blocking_row(const dictionary* d, int s)
{
    int best = -1;
    double least = INFINITY;
    for (int i = 0; i < d->n; i++) {
        double slope = d->table[(ptrdiff_t)(d->n + 1) * i + s];

        // a variable that must stay zero blocks in either direction
        bool held = d->fixed[d->row[i]] && d->value[i] <= zero && fabs(slope) > 1e-9;
        if (!(slope < -1e-11) && !held)
            continue;
        double ratio = held ? 0.0 : fmax(d->value[i], 0.0) / -slope;
        if (ratio < least - 1e-13 || (ratio <= least && best >= 0 && d->row[i] < d->row[best])) {
            least = ratio;
            best = i;
        }
    }
    return best;
}

// Minimizes a basic variable; says whether it can be zero. Bland's rule cannot cycle but for
// round-off, which the limit of pivots ends.
static lp_end minimize(dictionary* d, int variable, effort* spent)
{
    int columns = d->n + 1, limit = simplex_limit * (columns + 10);
    for (int k = 0; k < limit; k++) {
        int r = -1, s = -1;
        for (int i = 0; i < d->n && r < 0; i++)
            if (d->row[i] == variable)
                r = i;
        if (r < 0)
            return lp_zero;
        if (d->value[r] <= zero)
            return lp_zero;

        // steepest column at first, least index (Bland) later, which cannot cycle
        double* line = d->table + (ptrdiff_t)columns * r;
        double steepest = -1e-11;
        for (int j = 0; j < columns; j++) {
            if (d->fixed[d->column[j]])
                continue;
            bool better = k < limit / 2
                              ? line[j] < steepest
                              : line[j] < -1e-11 && (s < 0 || d->column[j] < d->column[s]);
            if (better) {
                steepest = fmin(steepest, line[j]);
                s = j;
            }
        }
        if (s < 0)
            return d->value[r] <= zero      ? lp_zero
                   : d->value[r] <= unclear ? lp_unclear
                                            : lp_positive;

        // the driver itself leaves when it reaches zero before any other row
        int block = blocking_row(d, s);
        if (block < 0)
            return lp_unclear;
        if (d->value[r] / -line[s] <=
            fmax(d->value[block], 0.0) / fabs(d->table[(ptrdiff_t)columns * block + s]) + 1e-13)
            block = r;

        if (!spend(spent, d, 1))
            return lp_unclear;
        pivot(d, block, s);
    }
    return lp_unclear;
}

// fills the dictionary, rows of M and then q scaled to the size of one, and makes it feasible by t;
// returns the unit of z
static double enter(dictionary* d, const cairn_lcp* lcp)
{
    int n = d->n, columns = n + 1, r = 0;
    double unit = 0.0, worst = 0.0;

    for (int i = 0; i < n; i++) {
        const double* row = lcp->M + (ptrdiff_t)n * i;
        double* line = d->table + (ptrdiff_t)columns * i;
        double most = 0.0;
        for (int j = 0; j < n; j++)
            most = fmax(most, fabs(row[j]));
        most = most > 0.0 ? most : 1.0;
        for (int j = 0; j < n; j++)
            line[j] = row[j] / most;

        // t has coefficient one in every row
        line[n] = 1.0;
        d->value[i] = lcp->q[i] / most;
        unit = fmax(unit, fabs(d->value[i]));
    }

    unit = unit > 0.0 ? unit : 1.0;
    for (int i = 0; i < n; i++) {
        d->value[i] /= unit;
        d->row[i] = i;
        d->column[i] = n + i;
        if (d->value[i] < worst) {
            worst = d->value[i];
            r = i;
        }
    }

    // t enters where q is most negative, which makes all rows feasible
    d->column[n] = 2 * n;
    if (worst < 0.0)
        pivot(d, r, n);
    return unit;
}

// the pair that is violated most, or -1: complementary
static int worst_pair(const dictionary* d, double* z, double* w)
{
    int n = d->n, worst = -1;
    double most = 0.0;
    memset(z, 0, (size_t)n * sizeof(double));
    memset(w, 0, (size_t)n * sizeof(double));
    for (int i = 0; i < n; i++) {
        int variable = d->row[i];
        if (variable < n)
            w[variable] = fmax(0.0, d->value[i]);
        else if (variable < 2 * n)
            z[variable - n] = fmax(0.0, d->value[i]);
    }

    for (int i = 0; i < n; i++)
        if (fmin(z[i], w[i]) > zero && z[i] * w[i] > most) {
            most = z[i] * w[i];
            worst = i;
        }
    return worst;
}

typedef struct search {
    const cairn_lcp* lcp;
    const cairn_solve_def* def;
    cairn_arena* arena;
    double* z;
    double* w;
    double unit;
    effort effort;
    int depth, deepest; // open branches
    bool found, unclear;
} search;

static cairn_status visit(search* s, const dictionary* node);

static cairn_status branch(search* s, const dictionary* node, int variable)
{
    cairn_arena_mark mark = cairn_arena_here(s->arena);
    dictionary child;
    cairn_status status = CAIRN_OK;

    // out of depth, work or time: the search is no proof any more
    if (s->depth == s->deepest || !spend(&s->effort, node, 0)) {
        s->unclear = true;
        return CAIRN_OK;
    }

    if (!take(&child, node->n, s->arena))
        return CAIRN_NO_MEMORY;
    copy(&child, node);
    child.fixed[variable] = true;

    // the variable is driven to zero over the face
    lp_end end = minimize(&child, variable, &s->effort);
    s->unclear = s->unclear || end == lp_unclear;
    s->depth++;
    if (end == lp_zero)
        status = visit(s, &child);
    s->depth--;

    cairn_arena_release(s->arena, mark);
    return status;
}

static cairn_status visit(search* s, const dictionary* node)
{
    int n = node->n, i = worst_pair(node, s->z, s->w);
    if (i < 0) {
        for (int k = 0; k < n; k++)
            s->z[k] *= s->unit;
        s->found = cairn_lcp_residual(s->lcp, s->z) <= s->def->tolerance;
        s->unclear = s->unclear || !s->found;
        return CAIRN_OK;
    }
    // the smaller of the two first: it is the nearer zero
    int first = s->z[i] < s->w[i] ? n + i : i, second = s->z[i] < s->w[i] ? i : n + i;
    cairn_status status = branch(s, node, first);
    if (status == CAIRN_OK && !s->found && !s->effort.late)
        status = branch(s, node, second);
    return status;
}

// Whether the last row of t proves on the problem itself that nothing is feasible: with y >= 0 its
// coefficients of w, M^T y <= 0 and q·y < 0, both beyond round-off.
static bool proves_infeasible(const dictionary* d, const cairn_lcp* lcp, double* y)
{
    int n = d->n, r = 0;
    double q = 0.0, q_size = 0.0;

    while (d->row[r] != 2 * n)
        r++;
    for (int i = 0; i < n; i++)
        y[i] = 0.0;

    // y from the row of t, scaled back to the rows of M
    for (int j = 0; j <= n; j++)
        if (d->column[j] < n) {
            const double* row = lcp->M + (ptrdiff_t)n * d->column[j];
            double most = 0.0;
            for (int k = 0; k < n; k++)
                most = fmax(most, fabs(row[k]));
            y[d->column[j]] =
                fmax(0.0, d->table[(ptrdiff_t)(n + 1) * r + j]) / (most > 0.0 ? most : 1.0);
        }

    // q·y < 0
    for (int i = 0; i < n; i++) {
        q += y[i] * lcp->q[i];
        q_size += y[i] * fabs(lcp->q[i]);
    }

    // M^T y <= 0
    for (int j = 0; j < n; j++) {
        double sum = 0.0, size = 0.0;
        for (int i = 0; i < n; i++) {
            sum += y[i] * lcp->M[(ptrdiff_t)n * i + j];
            size += y[i] * fabs(lcp->M[(ptrdiff_t)n * i + j]);
        }
        if (sum > 1e-10 * size)
            return false;
    }
    return q < -1e-8 * q_size;
}

cairn_status cairn_lcp_search(double* z, const cairn_lcp* lcp, const cairn_solve_def* def,
                              const cairn_stop* stop, cairn_lcp_report* report)
{
    cairn_arena arena = {0};
    dictionary root;
    double square = (double)lcp->n * (lcp->n + 1.0);
    search s = {.lcp = lcp,
                .def = def,
                .arena = &arena,
                .z = z,
                .effort = {.stop = stop, .most_work = default_work, .most_pivots = INT_MAX}};

    s.deepest = (int)fmin(lcp->n, most_memory / fmax(sizeof(double) * square, 1.0));
    if (def->max_iterations) {
        s.effort.most_pivots = def->max_iterations;
        s.effort.most_work = INFINITY;
    }

    s.w = CAIRN_TAKE(&arena, double, lcp->n);
    cairn_status status = take(&root, lcp->n, &arena) ? CAIRN_OK : CAIRN_NO_MEMORY;

    // phase 1: t to zero, or a proof that nothing is feasible
    if (status == CAIRN_OK) {
        s.unit = enter(&root, lcp);
        root.fixed[2 * lcp->n] = true;
        lp_end end = minimize(&root, 2 * lcp->n, &s.effort);
        s.unclear =
            end == lp_unclear || (end == lp_positive && !proves_infeasible(&root, lcp, s.w));
        if (end == lp_zero)
            status = visit(&s, &root);
    }

    bool open = s.effort.late || s.unclear || lcp->n == 0;
    report->iterations = s.effort.pivots;
    report->outcome = s.found                                 ? CAIRN_OUTCOME_CONVERGED
                      : s.effort.late && cairn_stop_now(stop) ? CAIRN_OUTCOME_TIME_LIMIT
                      : open                                  ? CAIRN_OUTCOME_ITERATION_LIMIT
                                                              : CAIRN_OUTCOME_NO_SOLUTION;
    cairn_arena_destroy(&arena);
    return status;
}
