// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The pivoting method of 1994 keeps the direction that friction had when a contact began to slide;
// Coulomb's law wants it against the slip. From its answer, where the sets are right or nearly so,
// Newton's method on the natural map ends at that law:
//
//     bounded    a = 0           while lo < f - ρ a < hi, else f = bound
//     stick      a_F = 0         while |z| <= μ f_N, z = f_F - ρ a_F
//     slide      f_F - μ f_N z/|z| = 0
//
// with the derivative of z/|z| = (I - ẑ ẑ^T) dz / |z|. Rows at rest get 1e-9 on their diagonal, so
// that redundant contacts leave the matrix regular; the residual is the true one, so the answer is
// not softened. Steps are halved until |F| falls; the best point is kept. Steps go on to round-off
// while they halve |F|. Redundant contacts that creep let the derivative flip from step to step,
// and |F| then hardly falls: steps end with the first that does not halve it once |F| is well below
// the tolerance, after some in a row near the tolerance, and after many elsewhere.
//
// Rows at a bound and open contacts are rows of the identity: their unknowns are known before the
// elimination, which only sees the others.

#include "linalg/gauss.h"
#include "solve/pivot/dantzig.h"
#include <string.h>

enum { most_steps = 60, most_halvings = 12 };

static const double softening = 1e-9;

// steps that may fail to halve |F|, by what it is in units of the tolerance
enum { some_slow_steps = 4, most_slow_steps = 16 };
static const double near_below = 0.1;

typedef struct polish {
    cairn_dantzig* d;
    double *A, *J; // n x n row-major
    double *f, *a, *F, *step, *trial, *trial_F;
    bool* known; // rows of J that are rows of the identity
    int* sought; // the others, ascending
} polish;

static cairn_status take(polish* p, cairn_dantzig* d)
{
    size_t n = (size_t)d->n;
    cairn_arena* arena = d->job->arena;
    *p = (polish){.d = d};
    p->A = CAIRN_TAKE(arena, double, n* n);
    p->J = CAIRN_TAKE(arena, double, n* n);
    double** numbers[] = {&p->f, &p->a, &p->F, &p->step, &p->trial, &p->trial_F};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        *numbers[i] = CAIRN_TAKE_ZEROED(arena, double, n);
    p->known = CAIRN_TAKE(arena, bool, n);
    p->sought = CAIRN_TAKE(arena, int, n);
    return arena->failed ? CAIRN_NO_MEMORY : CAIRN_OK;
}

// false: no time for it
static bool form_matrix(polish* p)
{
    cairn_dantzig* d = p->d;
    size_t n = (size_t)d->n;
    for (size_t j = 0; j < n; j++) {
        if (cairn_job_stopped(d->job))
            return false;
        p->step[j] = 1.0;
        cairn_dantzig_apply(d, p->trial, p->step);
        p->step[j] = 0.0;
        for (size_t i = 0; i < n; i++)
            p->A[i * n + j] = p->trial[i];
    }
    return true;
}

// ρ: one over the mean diagonal of a row or of the rows of a group
static double step_of_group(const cairn_dantzig* d, const cairn_dantzig_group* group)
{
    double sum = 0.0;
    for (int k = 0; k < group->m; k++)
        sum += d->size[group->row[k]] * d->size[group->row[k]];
    return sum > 0.0 ? group->m / sum : 1.0;
}

// -1, 0, 1: at lo, at rest, at hi
static int side(const cairn_dantzig* d, int i, const double* f, const double* a)
{
    double z = f[i] - a[i] / (d->size[i] * d->size[i]);
    return z <= d->lo[i] ? -1 : z >= d->hi[i] ? 1 : 0;
}

// the point z and its length; whether the group slides
static bool slides(const cairn_dantzig* d, const cairn_dantzig_group* group, const double* f,
                   const double* a, double* z, double* length)
{
    double sum = 0.0, rho = step_of_group(d, group);
    for (int k = 0; k < group->m; k++) {
        z[k] = f[group->row[k]] - rho * a[group->row[k]];
        sum += z[k] * z[k];
    }
    *length = sqrt(sum);
    return side(d, group->normal, f, a) < 0 || *length > group->mu * fmax(f[group->normal], 0.0);
}

static void group_map(const cairn_dantzig* d, const cairn_dantzig_group* group, const double* f,
                      const double* a, double* F)
{
    double z[cairn_dantzig_group_rows], length;
    double normal = side(d, group->normal, f, a) < 0 ? 0.0 : fmax(f[group->normal], 0.0);
    bool sliding = slides(d, group, f, a, z, &length);
    for (int k = 0; k < group->m; k++) {
        int i = group->row[k];
        if (group->dynamic)
            F[i] = f[i] - group->mu * normal * group->u[k];
        else if (!sliding)
            F[i] = a[i];
        else
            F[i] = f[i] - (length > 0.0 ? group->mu * normal * z[k] / length : 0.0);
    }
}

// F(f), a = A f + b; the length of F
static double evaluate(polish* p, const double* f, double* a, double* F)
{
    cairn_dantzig* d = p->d;
    cairn_dantzig_apply(d, a, f);
    for (int i = 0; i < d->n; i++)
        a[i] += d->b[i];
    for (int i = 0; i < d->n; i++) {
        int at = d->kind[i] == CAIRN_DANTZIG_BOUNDED ? side(d, i, f, a) : 0;
        F[i] = d->kind[i] == CAIRN_DANTZIG_INERT ? f[i]
               : at < 0                          ? f[i] - d->lo[i]
               : at > 0                          ? f[i] - d->hi[i]
                                                 : a[i];
    }

    for (int g = 0; g < d->group_total; g++)
        group_map(d, &d->groups[g], f, a, F);
    double sum = 0.0;
    for (int i = 0; i < d->n; i++)
        sum += F[i] * F[i];
    return sqrt(sum);
}

static void rest_row(polish* p, int i)
{
    size_t n = (size_t)p->d->n, r = (size_t)i;
    memcpy(p->J + r * n, p->A + r * n, n * sizeof(double));
    p->J[r * n + r] += softening;
    p->known[i] = false;
}

static void unit_row(polish* p, int i)
{
    size_t n = (size_t)p->d->n, r = (size_t)i;
    memset(p->J + r * n, 0, n * sizeof(double));
    p->J[r * n + r] = 1.0;
    p->known[i] = true;
}

static void group_rows(polish* p, const cairn_dantzig_group* group)
{
    const cairn_dantzig* d = p->d;
    size_t n = (size_t)d->n;
    double z[cairn_dantzig_group_rows], length, normal = fmax(p->f[group->normal], 0.0);
    bool sliding = slides(d, group, p->f, p->a, z, &length);
    bool open = side(d, group->normal, p->f, p->a) < 0;

    for (int k = 0; k < group->m; k++) {
        int i = group->row[k];

        // stick: a_F = 0
        if (!sliding && !group->dynamic) {
            rest_row(p, i);
            continue;
        }

        unit_row(p, i);
        if (open || (!group->dynamic && length == 0.0))
            continue;

        // a known direction of slip: f_F = μ f_N u
        double* row = p->J + (size_t)i * n;
        p->known[i] = false;
        if (group->dynamic) {
            row[group->normal] -= group->mu * group->u[k];
            continue;
        }

        // dF = df_F - μ ẑ df_N - (μ f_N/|z|) (I - ẑ ẑ^T)(df_F - ρ A_F df)
        row[group->normal] -= group->mu * z[k] / length;
        double turn = group->mu * normal / length, rho = step_of_group(d, group);
        for (int l = 0; l < group->m; l++) {
            double weight = turn * ((k == l ? 1.0 : 0.0) - z[k] * z[l] / (length * length));
            const double* A = p->A + (size_t)group->row[l] * n;
            row[group->row[l]] -= weight;
            for (size_t j = 0; j < n; j++)
                row[j] += rho * weight * A[j];
        }
    }
}

// J step = step, in place. Row and column sought[r] move to place r <= sought[r].
static bool solve_sought(polish* p)
{
    size_t n = (size_t)p->d->n;
    int count = 0;
    for (int i = 0; i < p->d->n; i++)
        if (!p->known[i])
            p->sought[count++] = i;

    // known rows go to the right side
    for (int r = 0; r < count; r++) {
        const double* row = p->J + (size_t)p->sought[r] * n;
        double* to = p->J + (size_t)r * n;
        double sum = p->step[p->sought[r]];
        for (size_t j = 0; j < n; j++)
            if (p->known[j])
                sum -= row[j] * p->step[j];

        for (int c = 0; c < count; c++)
            to[c] = row[p->sought[c]];
        p->trial[r] = sum;
    }

    cairn_stop_spend(&p->d->job->stop, (double)count * count * count / 300.0);
    if (!cairn_gauss_solve(p->J, n, p->trial, count, &p->d->job->stop))
        return false;

    for (int r = 0; r < count; r++)
        p->step[p->sought[r]] = p->trial[r];
    return true;
}

// step = -J^-1 F
static bool newton_step(polish* p)
{
    const cairn_dantzig* d = p->d;
    for (int i = 0; i < d->n; i++) {
        if (d->kind[i] == CAIRN_DANTZIG_BOUNDED && side(d, i, p->f, p->a) == 0)
            rest_row(p, i);
        else
            unit_row(p, i);
        p->step[i] = -p->F[i];
    }
    for (int g = 0; g < d->group_total; g++)
        group_rows(p, &d->groups[g]);
    return solve_sought(p);
}

static double search(polish* p, double error)
{
    cairn_dantzig* d = p->d;
    double t = 1.0, best = INFINITY, best_t = 0.0;
    for (int halving = 0; halving < most_halvings; halving++, t *= 0.5) {
        for (int i = 0; i < d->n; i++)
            p->trial[i] = p->f[i] + t * p->step[i];
        double e = evaluate(p, p->trial, p->a, p->trial_F);
        if (e < best) {
            best = e;
            best_t = t;
        }
        if (e < (1.0 - 0.1 * t) * error)
            break;
    }

    for (int i = 0; i < d->n; i++)
        p->f[i] += best_t * p->step[i];
    return evaluate(p, p->f, p->a, p->F);
}

// steps in a row that may fail to halve |F| where it is `now`
static int patience(double now, double tolerance)
{
    return now < fmax(1e-12, cairn_dantzig_well_below * tolerance) ? 1
           : now < near_below * tolerance                          ? some_slow_steps
                                                                   : most_slow_steps;
}

cairn_status cairn_dantzig_polish(cairn_dantzig* d, double* error)
{
    polish p;
    cairn_arena_mark mark = cairn_arena_here(d->job->arena);
    if (take(&p, d) != CAIRN_OK)
        return CAIRN_NO_MEMORY;

    bool formed = form_matrix(&p);
    memcpy(p.f, d->f, (size_t)d->n * sizeof(double));
    double least = evaluate(&p, p.f, p.a, p.F), now = least, size = 0.0;

    // |F| is judged relative to |b|
    for (int i = 0; i < d->n; i++)
        size += d->b[i] * d->b[i];
    size = sqrt(size);

    double halved = now; // |F| where it was last halved, and the steps since
    int slow = 0;
    for (int step = 0; step < most_steps && formed && now > 1e-15 * size; step++) {
        if (!newton_step(&p) || cairn_job_stopped(d->job))
            break;

        // a step that does not halve |F| counts as slow
        now = search(&p, now);
        slow = now < 0.5 * halved ? 0 : slow + 1;
        halved = slow == 0 ? now : halved;

        if (now < least) {
            least = now;
            memcpy(d->f, p.f, (size_t)d->n * sizeof(double));
        }
        if (!isfinite(now) || slow >= patience(least / size, d->job->def->tolerance))
            break;
    }

    *error = least;
    cairn_arena_release(d->job->arena, mark);
    return CAIRN_OK;
}
