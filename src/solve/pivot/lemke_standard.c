// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The standard variant: the faceted LCP is formed whole,
//
//     | ν |   | N^T N  N^T D  0 | | θ |   | q_N |
//     | σ | = | D^T N  D^T D  E | | φ | + | q_F |
//     | γ |   |  μ     -E^T   0 | | λ |   | q_γ |
//
// and given to Lemke's method for plain LCPs. Of size n (2 + d): the comparison, and the last
// resort of the others. It alone treats matrices A that are not symmetric.

#include "solve/pivot/lcp_lemke.h"
#include "solve/pivot/lemke.h"
#include <cairn/random.h>
#include <string.h>

enum { covers_tried = 4 };

// Pairs of the whole LCP that are formed: its matrix takes 8 bytes for the square of them, the
// tableau twice as much (400 MB in all). Larger ones are left to the variants that form nothing.
enum { most_pairs = 4096 };

// an impulse variable: its pair, its item and what it adds to N, T and S of the item
typedef struct impulse {
    int pair, item;
    double along[3];
} impulse;

static int list_impulses(const cairn_lemke_form* form, impulse* list, int* limit)
{
    int count = 0, next = form->count;
    for (int i = 0; i < form->count; i++) {
        const cairn_lemke_item* item = &form->items[i];
        if (!item->motor)
            list[count++] = (impulse){i, i, {1.0, item->slide[0], item->slide[1]}};
        for (int j = 0; j < item->facets; j++)
            list[count++] =
                (impulse){next++, i, {0.0, item->corner[2 * j], item->corner[2 * j + 1]}};
        limit[i] = item->facets > 0 ? next++ : -1;
    }
    return count;
}

// A of all items, 3 rows each; false: out of time
static bool form_A(double* A, const cairn_lemke_form* form, const cairn_job* job)
{
    int n = 3 * form->count, width = form->width;
    for (int i = 0; i < n; i++) {
        if (cairn_job_stopped(job))
            return false;
        for (int j = 0; j <= i; j++) {
            const cairn_lemke_item *a = &form->items[i / 3], *b = &form->items[j / 3];
            double sum = 0.0;
            for (int s = 0; s < 2; s++)
                for (int t = 0; t < 2; t++)
                    if (a->place[s] >= 0 && a->place[s] == b->place[t])
                        sum += cairn_lemke_dot(a->part[s] + (i % 3) * width,
                                               b->part[t] + (j % 3) * width, width);
            A[(ptrdiff_t)n * i + j] = A[(ptrdiff_t)n * j + i] = sum;
        }
    }
    return true;
}

// the impulse variables and what is to be filled with them
typedef struct lcp_form {
    const cairn_lemke_form* form;
    const double* A;
    impulse* list;
    int count;
    int* limit; // pair of each item's limit of friction, or -1
} lcp_form;

// false: out of time
static bool form_lcp(double* M, double* q, int size, const lcp_form* from, const cairn_job* job)
{
    const cairn_lemke_form* form = from->form;
    const impulse* list = from->list;
    const int* limit = from->limit;
    int count = from->count;
    ptrdiff_t n = 3 * form->count;

    memset(q, 0, (size_t)size * sizeof(double));
    for (int i = 0; i < size; i++) {
        if (cairn_job_stopped(job))
            return false;
        memset(M + (ptrdiff_t)size * i, 0, (size_t)size * sizeof(double));
    }
    for (int a = 0; a < count; a++) {
        if (cairn_job_stopped(job))
            return false;

        // a velocity is seen along N or a facet, never along a known slip
        bool normal = list[a].pair < form->count;
        const double x = normal ? 0.0 : list[a].along[1], y = normal ? 0.0 : list[a].along[2];
        const cairn_lemke_item* item = &form->items[list[a].item];
        const double* rows = from->A + n * 3 * list[a].item;
        double* to = M + (ptrdiff_t)size * list[a].pair;

        for (int b = 0; b < count; b++) {
            double sum = 0.0;
            for (int k = 0; k < 3; k++) {
                const double* at = rows + 3 * list[b].item + k;
                sum += list[b].along[k] * (normal ? at[0] : x * at[n] + y * at[2 * n]);
            }
            to[list[b].pair] = sum;
        }

        q[list[a].pair] = normal ? item->q[0] : x * item->q[1] + y * item->q[2];
        if (!normal) {
            to[limit[list[a].item]] = 1.0;
            M[(ptrdiff_t)size * limit[list[a].item] + list[a].pair] = -1.0;
        }
    }

    // limits: γ = μ θ - Σ φ + q_γ
    for (int i = 0; i < form->count; i++) {
        if (limit[i] < 0)
            continue;
        M[(ptrdiff_t)size * limit[i] + i] = form->items[i].mu;
        q[limit[i]] = form->items[i].q_limit;
    }

    for (int i = 0; i < form->count; i++)
        if (form->items[i].motor)
            q[i] = 1.0;
    return true;
}

static void read_impulses(const cairn_lemke_form* form, const double* z, const impulse* list,
                          int count, double* theta, double* friction)
{
    for (int i = 0; i < form->count; i++)
        theta[i] = friction[2 * i] = friction[2 * i + 1] = 0.0;
    for (int a = 0; a < count; a++) {
        if (list[a].pair < form->count)
            theta[list[a].item] = z[list[a].pair];
        for (int k = 1; k < 3 && list[a].pair >= form->count; k++)
            friction[2 * list[a].item + k - 1] += list[a].along[k] * z[list[a].pair];
    }
}

// the plain cover, then random ones until an answer passes
static cairn_status pivot(cairn_lemke_attempt* attempt, cairn_job* job, const cairn_lcp* lcp,
                          double* z, double* ray)
{
    cairn_lcp_lemke_def def = {.max_pivots = job->def->max_iterations, .stop = job->stop};
    cairn_random random = {job->def->seed};
    double* cover = CAIRN_TAKE(job->arena, double, lcp->n + 1);
    if (!cover)
        return CAIRN_NO_MEMORY;

    for (int k = 0; k < covers_tried; k++) {
        cairn_lcp_lemke_end end;
        for (int i = 0; i < lcp->n; i++)
            cover[i] = k == 0 ? 1.0 : cairn_exp(cairn_random_range(&random, -1.0, 1.0));
        def.cover = cover;
        cairn_status status = cairn_lcp_lemke(z, ray, lcp, &def, &end, job->arena);
        if (status != CAIRN_OK)
            return status;

        attempt->pivots += end.pivots;
        attempt->outcome = end.outcome;
        if (end.outcome == CAIRN_OUTCOME_TIME_LIMIT || end.infeasible ||
            (end.outcome == CAIRN_OUTCOME_CONVERGED && cairn_lcp_residual(lcp, z) <= 1e-9))
            break;
    }
    return CAIRN_OK;
}

cairn_status cairn_lemke_try_standard(cairn_lemke_attempt* attempt, cairn_job* job,
                                      const cairn_lemke_form* form)
{
    int n = form->count, size = n;
    for (int i = 0; i < n; i++)
        size += form->items[i].facets > 0 ? form->items[i].facets + 1 : 0;
    *attempt = (cairn_lemke_attempt){.kernel = size, .outcome = CAIRN_OUTCOME_ITERATION_LIMIT};
    if (size > most_pairs) {
        cairn_job_note(job, "the whole LCP would have %d pairs, more than %d", size, most_pairs);
        return CAIRN_OK;
    }

    cairn_arena_mark mark = cairn_arena_here(job->arena);
    impulse* list = CAIRN_TAKE(job->arena, impulse, size + 1);
    int* limit = CAIRN_TAKE(job->arena, int, n + 1);
    double* A = CAIRN_TAKE(job->arena, double, 9 * (size_t)n * (size_t)n + 1);
    double* M = CAIRN_TAKE(job->arena, double, (size_t)size*(size_t)size + 1);
    double* q = CAIRN_TAKE(job->arena, double, size + 1);
    double* z = CAIRN_TAKE_ZEROED(job->arena, double, size + 1);
    double* ray = CAIRN_TAKE_ZEROED(job->arena, double, size + 1);
    double* theta = CAIRN_TAKE(job->arena, double, 3 * (size_t)n + 1);
    if (job->arena->failed)
        return CAIRN_NO_MEMORY;

    // the whole LCP, and its path
    int count = list_impulses(form, list, limit);
    lcp_form from = {form, form->dense ? form->dense : A, list, count, limit};
    cairn_lcp lcp = {.n = size, .M = M, .q = q};
    cairn_status status = CAIRN_OK;
    attempt->outcome = CAIRN_OUTCOME_TIME_LIMIT;
    if ((form->dense || form_A(A, form, job)) && form_lcp(M, q, size, &from, job))
        status = pivot(attempt, job, &lcp, z, ray);

    // a ray counts where its impulses move nothing
    double* v = CAIRN_TAKE(job->arena, double, form->dim + 1);
    if (!v)
        return CAIRN_NO_MEMORY;
    if (status == CAIRN_OK && attempt->outcome == CAIRN_OUTCOME_RAY) {
        read_impulses(form, ray, list, count, theta, theta + n);
        if (!cairn_lemke_form_jams(form, theta, theta + n, v))
            attempt->outcome = CAIRN_OUTCOME_SINGULAR;
    }
    if (status == CAIRN_OK && attempt->outcome == CAIRN_OUTCOME_RAY && job->def->ray) {
        status = cairn_lemke_form_impulses(form, job, job->def->ray, theta, theta + n, true);
    }

    // the impulses, even of a path that has not ended
    if (status == CAIRN_OK) {
        read_impulses(form, z, list, count, theta, theta + n);
        status = cairn_lemke_form_impulses(form, job, job->lambda, theta, theta + n, false);
    }
    cairn_arena_release(job->arena, mark);
    return status;
}
