// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// A path from impulses near the answer: those of the last step, or of cones in place of pyramids.
//
// A basis from a point. All contacts between the same two bodies are an interface. Given impulses r
// and velocities v, an interface by itself, the rest of the world held, has
//
//     v' = A_l r' + (v - A_l r),     A_l = columns of one of the two bodies alone,
//
// and Lemke's method on these few contacts finds an answer r', v'. Its basic impulses are basic in
// the whole as well, but for those whose columns depend on the columns before (walls have more
// interfaces than bodies).
//
// A point from a basis. The basis gives impulses and velocities for the data, some of them of the
// wrong sign. They are the next point. Where r and v are an answer already, r' and v' are one too:
// this is Newton's method on the map (r, v) -> (r', v'), and ends after a few rounds.
//
// A warm start by an answer of this method needs no rounds: its support is basic.
//
// When the signs stay wrong, a path leads from the last basis: values x_B + d with
// d = -x_B (1 + random) where x_B is negative, a little where it is zero and none elsewhere are
// those of the data q + p, with p = d - M d over all rows. So p is the cover, and z_0 sinks from 1
// to zero. A cover with negative entries does not promise an end: what goes wrong here starts again
// from nothing (lemke.c).

#include "solve/pivot/lemke_guess.h"
#include "linalg/ldl.h"
#include "problem/friction.h"
#include <cairn/random.h>
#include <string.h>

enum { tries_allowed = 6, rounds_allowed = 40, whole_rounds = 6, halvings_allowed = 5 };

// what counts as no impulse, how much of its squared length a column must keep beside the others,
// how far a zero is lifted, by how much the data of an interface are moved at most, and how
// negative a value of an answer may be
static const double least_impulse = 1e-9, least_rest = 1e-8, lift_of_zero = 1e-7,
                    largest_size = 1e-7, largest_error = 1e-11;

// a point: impulses (negative ones too) and the velocities that they cause
typedef struct point {
    double *theta, *friction, *v;
} point;

// ---------------------------------------------------------------- interfaces

// items of the same two bodies follow each other in `order`
typedef struct interfaces {
    int* order;
    int* begin; // count + 1
    int count;
} interfaces;

static bool same_bodies(const cairn_lemke_item* a, const cairn_lemke_item* b)
{
    return a->place[0] == b->place[0] && a->place[1] == b->place[1];
}

// dense columns tell nothing about bodies: every item is an interface of its own
static bool find_interfaces(interfaces* of, const cairn_lemke_form* form, cairn_arena* arena)
{
    int n = form->count, bodies = form->dim / 6 + 1;
    of->order = CAIRN_TAKE(arena, int, n + 1);
    of->begin = CAIRN_TAKE(arena, int, n + 1);
    int* first = CAIRN_TAKE(arena, int, bodies + 1);
    int* next = CAIRN_TAKE(arena, int, n + 1);
    unsigned char* taken = CAIRN_TAKE_ZEROED(arena, unsigned char, n + 1);
    if (arena->failed)
        return false;

    // lists of the items of each first body, in order
    for (int k = 0; k <= bodies; k++)
        first[k] = -1;
    for (int i = n - 1; i >= 0; i--) {
        int body = form->width == 6 ? form->items[i].place[0] / 6 + 1 : 0;
        next[i] = first[body];
        first[body] = i;
    }

    // each item that is still free opens an interface and takes all others of its bodies along
    int at = of->count = 0;
    for (int i = 0; i < n; i++) {
        if (taken[i])
            continue;

        of->begin[of->count++] = at;
        of->order[at++] = i;
        for (int j = form->width == 6 ? next[i] : -1; j >= 0; j = next[j])
            if (!taken[j] && same_bodies(&form->items[i], &form->items[j])) {
                taken[j] = 1;
                of->order[at++] = j;
            }
    }

    of->begin[of->count] = at;
    return true;
}

static void add_impulse(const cairn_lemke_item* it, double theta, const double* friction, double* v,
                        int width)
{
    if (!it->motor)
        cairn_lemke_item_add(it, 0, theta, v, width);
    for (int k = 1; k < 3; k++)
        cairn_lemke_item_add(it, k, friction[k - 1], v, width);
}

// The interface as a problem of one body, whose answer the guess is. Items of one row have that row
// alone, also when they are motors.
static void form_local(cairn_lemke_form* local, const cairn_lemke_solver* solver, const int* order,
                       int count, const point* at)
{
    const cairn_lemke_form* form = solver->basis.form;
    double* v = solver->drive.v;
    local->count = count;
    local->facets = 0;

    memset(v, 0, (size_t)form->width * sizeof(double));
    for (int k = 0; k < count; k++) {
        const cairn_lemke_item* it = &form->items[order[k]];
        cairn_lemke_item* to = &local->items[k];
        int side = it->place[1] >= 0;

        // the columns of one body alone
        *to = *it;
        to->part[0] = it->part[side];
        to->part[1] = NULL;
        to->place[0] = it->place[0] >= 0 ? 0 : -1;
        to->place[1] = -1;

        local->facets += it->facets;
        add_impulse(to, at->theta[order[k]], at->friction + 2 * order[k], v, form->width);
    }

    // q' = v - A_l r: the guess r then has the velocities v
    for (int k = 0; k < count; k++) {
        const cairn_lemke_item* it = &form->items[order[k]];
        cairn_lemke_item* to = &local->items[k];
        for (int which = it->motor; which < 3; which++)
            to->q[which] = it->q[which] + cairn_lemke_item_dot(it, which, at->v, form->width) -
                           cairn_lemke_item_dot(to, which, v, form->width);
    }
}

// ---------------------------------------------------------------- the basis of the whole

// the columns that are basic so far, and the factor of their products
typedef struct columns {
    cairn_ldl gram;
    cairn_lemke_span* span;
    double* memory;
    double* products;
    int width;
} columns;

static bool take_columns(columns* kept, const cairn_lemke_form* form, cairn_arena* arena)
{
    size_t most = (size_t)form->dim + 1;
    kept->width = form->width;
    kept->span = CAIRN_TAKE(arena, cairn_lemke_span, most);
    kept->memory = CAIRN_TAKE(arena, double, 2 * (size_t)form->width * most);
    kept->products = CAIRN_TAKE(arena, double, most);
    return cairn_ldl_take(&kept->gram, form->dim, arena) == CAIRN_OK && !arena->failed;
}

// keeps n N + x T + y S unless it depends on the columns that are there
static bool keep(columns* kept, const cairn_lemke_item* item, double n, double x, double y)
{
    int count = kept->gram.n;
    if (count == kept->gram.capacity)
        return false;
    cairn_lemke_span* span = &kept->span[count];
    double* memory = kept->memory + 2 * (ptrdiff_t)kept->width * count;
    *span = cairn_lemke_combine(item, n, x, y, memory, kept->width);
    for (int k = 0; k < count; k++)
        kept->products[k] = cairn_lemke_span_product(span, &kept->span[k], kept->width);
    return cairn_ldl_append(&kept->gram, kept->products,
                            cairn_lemke_span_product(span, span, kept->width), least_rest);
}

// f = α c_j + β c_k with neighboring corners j and k; false: no sector of the polygon holds f
static bool split(const cairn_lemke_item* it, const double* f, int* corner, double* part)
{
    for (int j = 0; j < it->facets; j++) {
        int k = (j + 1) % it->facets;
        const double *a = it->corner + 2 * j, *b = it->corner + 2 * k;
        double det = a[0] * b[1] - a[1] * b[0];
        bool line = fabs(det) <= 1e-12; // of a plane problem
        corner[0] = j;
        corner[1] = k;
        part[0] = line ? (f[0] * a[0] + f[1] * a[1]) / (a[0] * a[0] + a[1] * a[1])
                       : (f[0] * b[1] - f[1] * b[0]) / det;
        part[1] = line ? 0.0 : (a[0] * f[1] - a[1] * f[0]) / det;
        if (part[0] >= -least_impulse && part[1] >= -least_impulse)
            return true;
    }
    return false;
}

// The impulses of one item that are not zero, into the basis: those of an answer by this method are
// basic, and their basis is its own.
static void support_item(cairn_lemke_basis* to, int item, double theta, const double* f,
                         columns* kept)
{
    const cairn_lemke_item* it = &to->form->items[item];
    int corner[2] = {0, 0};
    double part[2] = {f[0], 0.0}, room = it->motor ? it->q_limit : it->mu * theta, x[2] = {0};

    // contacts without a load, and friction in no sector of the polygon, stay out
    if (!it->motor && !(theta > least_impulse))
        return;
    if (!it->motor && it->facets > 0 && !split(it, f, corner, part))
        return;

    // at its limit the larger part becomes φ_x
    bool limit = it->facets > 0 && part[0] + part[1] >= room - least_impulse;
    int first = part[0] >= part[1] ? 0 : 1;
    for (int k = 0; limit && k < 2; k++)
        x[k] = it->corner[2 * corner[first] + k];

    if (!it->motor && !keep(kept, it, 1.0, it->mu * x[0], it->mu * x[1]))
        return;
    if (!it->motor)
        cairn_lemke_basis_set(to, item, true);

    if (it->facets == 0)
        return;
    if (!to->is_active[item])
        cairn_lemke_basis_activate(to, item, 1.0);

    if (limit) {
        cairn_lemke_basis_set(to, cairn_lemke_limit_pair(to, item), true);
        cairn_lemke_basis_set(to, to->group[item] + corner[first], true);
    }

    for (int k = 0; k < 2; k++) {
        const double* c = it->corner + 2 * corner[k];
        if (part[k] > least_impulse && !(limit && k == first) &&
            keep(kept, it, 0.0, c[0] - x[0], c[1] - x[1]))
            cairn_lemke_basis_set(to, to->group[item] + corner[k], true);
    }
}

// false: no memory
static bool support_basis(cairn_lemke_solver* solver, const double* theta, const double* friction,
                          cairn_arena* arena)
{
    const cairn_lemke_form* form = solver->basis.form;
    columns kept;
    if (!take_columns(&kept, form, arena))
        return false;
    cairn_lemke_basis_reset(&solver->basis);
    for (int i = 0; i < form->count && !cairn_stop_now(&solver->stop); i++)
        support_item(&solver->basis, i, theta[i], friction + 2 * i, &kept);
    return true;
}

// item k of an interface, into the basis of the whole
static void copy_item(cairn_lemke_basis* to, int item, const cairn_lemke_basis* from, int k,
                      columns* kept)
{
    const cairn_lemke_item* it = &to->form->items[item];
    const unsigned char* phi = from->impulse + (from->group[k] >= 0 ? from->group[k] : 0);
    bool slack = from->is_active[k] && phi[it->facets];
    double x[2] = {0.0, 0.0};
    int first = -1;

    if (!it->motor && !from->impulse[k])
        return;

    // of an item at its limit, the first basic φ becomes φ_x
    for (int j = 0; slack && first < 0 && j < it->facets; j++)
        if (phi[j]) {
            first = j;
            memcpy(x, it->corner + 2 * j, sizeof x);
        }

    if (!it->motor && !keep(kept, it, 1.0, it->mu * x[0], it->mu * x[1]))
        return;
    if (!it->motor)
        cairn_lemke_basis_set(to, item, true);

    if (!from->is_active[k])
        return;
    if (!to->is_active[item])
        cairn_lemke_basis_activate(to, item, 1.0);

    if (first >= 0) {
        cairn_lemke_basis_set(to, cairn_lemke_limit_pair(to, item), true);
        cairn_lemke_basis_set(to, to->group[item] + first, true);
    }

    for (int j = 0; j < it->facets; j++)
        if (phi[j] && j != first &&
            keep(kept, it, 0.0, it->corner[2 * j] - x[0], it->corner[2 * j + 1] - x[1]))
            cairn_lemke_basis_set(to, to->group[item] + j, true);
}

// false: no memory
static bool find_basis(cairn_lemke_solver* solver, const point* at, double size, cairn_arena* arena)
{
    const cairn_lemke_form* form = solver->basis.form;
    interfaces of;
    columns kept;
    cairn_lemke_form local = {.width = form->width, .dim = form->width, .unit = 1.0};

    local.items = CAIRN_TAKE(arena, cairn_lemke_item, form->count);
    if (!local.items || !find_interfaces(&of, form, arena) || !take_columns(&kept, form, arena))
        return false;

    cairn_lemke_basis_reset(&solver->basis);
    for (int k = 0; k < of.count && !cairn_stop_now(&solver->stop); k++) {
        const int* order = of.order + of.begin[k];
        cairn_arena_mark mark = cairn_arena_here(arena);
        cairn_lemke_solver part;

        form_local(&local, solver, order, of.begin[k + 1] - of.begin[k], at);
        if (!cairn_lemke_solver_make(&part, &local, arena))
            return false;

        part.reduced = true;
        part.perturbation = size;
        part.seed = solver->seed;
        part.max_pivots = 10 * local.count + 100;
        part.stop = solver->stop;
        part.basis.stop = solver->basis.stop;

        // the signs of values below the error of the guess do not matter
        cairn_lemke_run(&part);
        if (!part.basis.has_z0)
            for (int i = 0; i < local.count; i++)
                copy_item(&solver->basis, order[i], &part.basis, i, &kept);

        solver->pivots += part.pivots;
        cairn_arena_release(arena, mark);
    }
    return true;
}

// ---------------------------------------------------------------- the cover

// d of a pair's basic variable, kept in drive.value
static void choose_lifts(cairn_lemke_solver* solver)
{
    cairn_random random = {solver->seed};
    for (int p = 0; p < solver->basis.pairs; p++) {
        double x = solver->now.value[p], share = cairn_random_range(&random, 1.0, 2.0);
        solver->drive.value[p] = x < -lift_of_zero  ? -x * share
                                 : x < lift_of_zero ? lift_of_zero * share
                                                    : 0.0;
    }
}

// p = d - M d
static void cover_lifts(cairn_lemke_solver* solver)
{
    cairn_lemke_basis* basis = &solver->basis;
    const cairn_lemke_form* form = basis->form;
    const double* d = solver->drive.value;
    double* v = solver->drive.v;

    // the velocities of basic impulses d
    memset(v, 0, (size_t)form->dim * sizeof(double));
    for (int k = 0; k < basis->theta_count; k++)
        cairn_lemke_item_add(&form->items[basis->theta[k]], 0, d[basis->theta[k]], v, form->width);
    for (int k = 0; k < basis->phi_count; k++) {
        int pair = basis->phi[k], item = basis->item_of[pair];
        const double* corner = form->items[item].corner + 2 * (pair - basis->group[item]);
        for (int which = 1; which < 3; which++)
            cairn_lemke_item_add(&form->items[item], which, corner[which - 1] * d[pair], v,
                                 form->width);
    }

    for (int i = 0; i < form->count; i++)
        basis->cover[i] = (basis->impulse[i] ? 0.0 : d[i]) -
                          cairn_lemke_item_dot(&form->items[i], 0, v, form->width);

    for (int k = 0; k < basis->active_count; k++) {
        int i = basis->active[k], first = basis->group[i];
        const cairn_lemke_item* it = &form->items[i];
        double T = cairn_lemke_item_dot(it, 1, v, form->width);
        double S = cairn_lemke_item_dot(it, 2, v, form->width);

        int limit = first + it->facets;
        double slack = basis->impulse[limit] ? d[limit] : 0.0;
        basis->cover[limit] = basis->impulse[limit] ? 0.0 : d[limit];
        basis->cover[limit] -= basis->impulse[i] ? it->mu * d[i] : 0.0;

        for (int j = 0; j < it->facets; j++) {
            bool impulse = basis->impulse[first + j];
            basis->cover[first + j] = (impulse ? 0.0 : d[first + j]) - slack -
                                      (it->corner[2 * j] * T + it->corner[2 * j + 1] * S);
            basis->cover[limit] += impulse ? d[first + j] : 0.0;
        }
    }
}

// ---------------------------------------------------------------- the step

// the nearest friction impulse that an item can bear under θ
static void project(const cairn_lemke_item* it, double theta, double* f)
{
    double most = it->mu * fmax(theta, 0.0);
    if (it->motor) {
        f[0] = fmin(fmax(f[0], 0.0), it->q_limit);
    } else if (it->facets <= 2 || it->corner[0] != 1.0 || it->corner[1] != 0.0) {
        // along the axes: a plane problem or a box
        for (int k = 0; k < 2; k++) {
            double end = it->facets > 0 ? most * fabs(it->corner[k]) : 0.0;
            f[k] = fmin(fmax(f[k], -end), end);
        }
    } else {
        cairn_project_on_polygon(f, it->facets, most);
    }
}

// Σ |F|² of the natural map, which vanishes at an answer
static double merit(const cairn_lemke_form* form, const point* at)
{
    double sum = 0.0;
    for (int i = 0; i < form->count; i++) {
        const cairn_lemke_item* it = &form->items[i];
        const double* f = at->friction + 2 * i;
        double u[3], y[2];
        for (int k = it->motor; k < 3; k++)
            u[k] = it->q[k] + cairn_lemke_item_dot(it, k, at->v, form->width);
        double normal = it->motor ? 0.0 : fmin(at->theta[i], u[0]);
        for (int k = 0; k < 2; k++)
            y[k] = f[k] - u[k + 1];
        project(it, at->theta[i], y);
        sum += normal * normal + (f[0] - y[0]) * (f[0] - y[0]);
        sum += it->rows > 2 ? (f[1] - y[1]) * (f[1] - y[1]) : 0.0;
    }
    return sum;
}

// the point of a basis
static void read_point(const cairn_lemke_solver* solver, point* at)
{
    const cairn_lemke_basis* basis = &solver->basis;
    const double* value = solver->now.value;
    size_t n = (size_t)basis->form->count;
    memset(at->theta, 0, n * sizeof(double));
    memset(at->friction, 0, 2 * n * sizeof(double));
    memcpy(at->v, solver->now.v, (size_t)basis->form->dim * sizeof(double));
    for (int k = 0; k < basis->theta_count; k++)
        at->theta[basis->theta[k]] = value[basis->theta[k]];
    for (int k = 0; k < basis->phi_count; k++) {
        int pair = basis->phi[k], item = basis->item_of[pair];
        const double* corner = basis->form->items[item].corner + 2 * (pair - basis->group[item]);
        at->friction[2 * item] += value[pair] * corner[0];
        at->friction[2 * item + 1] += value[pair] * corner[1];
    }
}

static void between(double* to, const double* a, const double* b, double share, int n)
{
    for (int k = 0; k < n; k++)
        to[k] = a[k] + share * (b[k] - a[k]);
}

// Moves `at` towards `aim` by a share of the way, or by less where that raises the merit too much.
static void step(const cairn_lemke_form* form, point* at, const point* aim, point* trial,
                 double share)
{
    double before = merit(form, at);
    for (int k = 0;; k++, share *= 0.5) {
        between(trial->theta, at->theta, aim->theta, share, form->count);
        between(trial->friction, at->friction, aim->friction, share, 2 * form->count);
        between(trial->v, at->v, aim->v, share, form->dim);
        if (k == halvings_allowed || !(merit(form, trial) > 10.0 * before))
            break;
    }
    point was = *at;
    *at = *trial;
    *trial = was;
}

static bool take_point(point* at, const cairn_lemke_form* form, cairn_arena* arena)
{
    at->theta = CAIRN_TAKE(arena, double, form->count + 1);
    at->friction = CAIRN_TAKE(arena, double, 2 * (size_t)form->count + 1);
    at->v = CAIRN_TAKE(arena, double, form->dim + 1);
    return !arena->failed;
}

// The values of the basis that was found, in `now`. False: it is singular.
static bool value_basis(cairn_lemke_solver* solver)
{
    cairn_lemke_true_data(solver);
    if (!cairn_lemke_basis_factor(&solver->basis))
        return false;
    cairn_lemke_basis_solve(&solver->basis, &solver->now, CAIRN_LEMKE_DATA, 0);
    return true;
}

// Lemke's path from the values in `now`.
static cairn_outcome walk(cairn_lemke_solver* solver)
{
    choose_lifts(solver);
    cover_lifts(solver);
    return cairn_lemke_walk(solver);
}

// Rounds until the signs are right. False: no memory.
static bool iterate(cairn_lemke_solver* solver, point* at, cairn_arena* arena,
                    cairn_outcome* outcome)
{
    const cairn_lemke_form* form = solver->basis.form;
    cairn_random random = {solver->seed};
    point aim, trial;
    double size = largest_size;
    if (!take_point(&aim, form, arena) || !take_point(&trial, form, arena))
        return false;

    for (int round = 0; round < rounds_allowed; round++) {
        cairn_arena_mark mark = cairn_arena_here(arena);
        bool found = find_basis(solver, at, size, arena);
        cairn_arena_release(arena, mark);
        if (!found)
            return false;
        *outcome = CAIRN_OUTCOME_TIME_LIMIT;
        if (cairn_stop_now(&solver->stop))
            return true;

        // other data against degeneracy lead to another basis
        *outcome = CAIRN_OUTCOME_SINGULAR;
        if (!value_basis(solver)) {
            solver->seed++;
            continue;
        }

        double least = cairn_lemke_least_value(solver);
        *outcome = CAIRN_OUTCOME_CONVERGED;
        if (least >= -largest_error)
            return true;

        // whole steps at first; where these go round in circles, parts of them
        *outcome = CAIRN_OUTCOME_ITERATION_LIMIT;
        read_point(solver, &aim);
        step(form, at, &aim, &trial,
             round < whole_rounds ? 1.0 : cairn_random_range(&random, 0.3, 0.9));
        size = fmin(largest_size, fmax(-0.1 * least, largest_error));
    }
    return true;
}

static bool make_point(point* at, const cairn_lemke_form* form, const double* theta,
                       const double* friction, cairn_arena* arena)
{
    if (!take_point(at, form, arena))
        return false;
    memcpy(at->theta, theta, (size_t)form->count * sizeof(double));
    memcpy(at->friction, friction, 2 * (size_t)form->count * sizeof(double));
    memset(at->v, 0, (size_t)form->dim * sizeof(double));
    for (int i = 0; i < form->count; i++)
        add_impulse(&form->items[i], theta[i], friction + 2 * i, at->v, form->width);
    return true;
}

bool cairn_lemke_run_near(cairn_lemke_solver* solver, const double* theta, const double* friction,
                          cairn_arena* arena, cairn_outcome* outcome)
{
    const cairn_lemke_form* form = solver->basis.form;
    *outcome = CAIRN_OUTCOME_ITERATION_LIMIT;
    for (int k = 0; k < tries_allowed && (*outcome == CAIRN_OUTCOME_ITERATION_LIMIT ||
                                          *outcome == CAIRN_OUTCOME_SINGULAR);
         k++) {
        cairn_arena_mark mark = cairn_arena_here(arena);
        point at;
        if (!make_point(&at, form, theta, friction, arena) || !iterate(solver, &at, arena, outcome))
            return false;
        cairn_arena_release(arena, mark);
        solver->seed++;
    }

    if (*outcome == CAIRN_OUTCOME_ITERATION_LIMIT)
        *outcome = walk(solver);
    return true;
}

bool cairn_lemke_run_warm(cairn_lemke_solver* solver, const double* theta, const double* friction,
                          cairn_arena* arena, cairn_outcome* outcome)
{
    cairn_arena_mark mark = cairn_arena_here(arena);
    bool found = support_basis(solver, theta, friction, arena);
    cairn_arena_release(arena, mark);
    if (!found)
        return false;

    *outcome = CAIRN_OUTCOME_TIME_LIMIT;
    if (cairn_stop_now(&solver->stop))
        return true;

    *outcome = CAIRN_OUTCOME_SINGULAR;
    if (!value_basis(solver))
        return true;
    *outcome =
        cairn_lemke_least_value(solver) >= -largest_error ? CAIRN_OUTCOME_CONVERGED : walk(solver);
    return true;
}
