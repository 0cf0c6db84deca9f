// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Systems with a basis of the faceted contact LCP (Lloyd 2004), solved in a kernel of at most
// rank + 1 dimensions. Rows whose velocity is not basic must vanish (or equal a load t):
//
//     ν:  N·v + c z_0 + q = t      σ:  D·v + λ + c z_0 + q = t      γ:  μ θ - Σ φ + c z_0 + q = t
//
// An item whose λ is basic gives up one of its basic φ, called φ_x, and λ itself:
//
//     φ_x = μ θ - Σ φ_κ + c z_0 + q_γ - t_γ,      λ = t_x - D_x·v - c z_0 - q_x,
//
// which leaves columns N* = N + μ D_x, D* = D_κ - D_x and c* = Σ D_x c in
//
//     v = p + Σ N* θ + Σ D* φ_κ + c* z_0,         p = load + Σ D_x (q_γ - t_γ),
//
// and rows ν of basic θ, σ_κ - σ_x of φ_κ, and one row for the open pair. A λ without any basic φ
// can only stand in the row of an open σ of its item; there the row of γ takes the place of σ.

#include "solve/lemke_basis.h"
#include <string.h>

// ---------------------------------------------------------------- memory and changes

bool cairn_lemke_basis_make(cairn_lemke_basis* basis, const cairn_lemke_form* form,
                            cairn_arena* arena)
{
    int n = form->count, pairs = n, capacity = form->dim + 2;
    for (int i = 0; i < n; i++)
        pairs += form->items[i].facets > 0 ? form->items[i].facets + 1 : 0;
    size_t size = (size_t)capacity, count = (size_t)n + 1, all = (size_t)pairs + 1;
    *basis = (cairn_lemke_basis){.form = form, .pairs = pairs, .capacity = capacity};
    basis->group = CAIRN_TAKE(arena, int, count);
    basis->item_of = CAIRN_TAKE(arena, int, all);
    basis->impulse = CAIRN_TAKE(arena, unsigned char, all);
    basis->is_active = CAIRN_TAKE_ZEROED(arena, unsigned char, count);
    basis->q = CAIRN_TAKE(arena, double, 3 * count);
    basis->lift = CAIRN_TAKE_ZEROED(arena, double, all);
    basis->cover = CAIRN_TAKE(arena, double, count);
    basis->active = CAIRN_TAKE(arena, int, count);
    basis->theta = CAIRN_TAKE(arena, int, count);
    basis->phi = CAIRN_TAKE(arena, int, all);
    basis->x = CAIRN_TAKE(arena, int, count);
    basis->kappa = CAIRN_TAKE(arena, int, all);
    basis->kernel = CAIRN_TAKE(arena, double, size* size);
    basis->swap = CAIRN_TAKE(arena, int, size);
    basis->gram = CAIRN_TAKE(arena, double, size* size);
    basis->gram_last = CAIRN_TAKE(arena, double, size* size);
    basis->slot = CAIRN_TAKE(arena, int, all);
    basis->slot_pair = CAIRN_TAKE(arena, int, size);
    basis->slot_x = CAIRN_TAKE(arena, int, size);
    basis->left = CAIRN_TAKE(arena, cairn_lemke_span, size);
    basis->right = CAIRN_TAKE(arena, cairn_lemke_span, size);
    basis->star = CAIRN_TAKE(arena, double, 2 * (size_t)form->width * size);
    basis->cover_column = CAIRN_TAKE(arena, double, form->dim + 1);
    basis->rhs = CAIRN_TAKE(arena, double, size);
    basis->last = CAIRN_TAKE(arena, double, size);
    basis->p = CAIRN_TAKE(arena, double, form->dim + 1);
    basis->item_theta = CAIRN_TAKE(arena, double, count);
    basis->item_phi = CAIRN_TAKE(arena, double, count);
    basis->item_slack = CAIRN_TAKE(arena, double, count);
    if (arena->failed)
        return false;
    for (int i = 0, next = n; i < n; i++) {
        int facets = form->items[i].facets;
        basis->item_of[i] = i;
        basis->group[i] = facets > 0 ? next : -1;
        basis->motors = basis->motors || form->items[i].motor;
        for (int j = 0; facets > 0 && j <= facets; j++)
            basis->item_of[next++] = i;
    }
    for (int p = 0; p < pairs; p++)
        basis->slot[p] = -1;
    cairn_lemke_basis_reset(basis);
    return true;
}

bool cairn_lemke_point_make(cairn_lemke_point* point, const cairn_lemke_basis* basis,
                            cairn_arena* arena)
{
    point->value = CAIRN_TAKE_ZEROED(arena, double, basis->pairs + 1);
    point->v = CAIRN_TAKE_ZEROED(arena, double, basis->form->dim + 1);
    point->z0 = 0.0;
    return !arena->failed;
}

void cairn_lemke_basis_reset(cairn_lemke_basis* basis)
{
    int n = basis->form->count;
    memset(basis->impulse, 0, (size_t)basis->pairs);
    memset(basis->is_active, 0, (size_t)n);
    basis->active_count = basis->theta_count = basis->phi_count = basis->kappa_count = 0;
    basis->open = -1;
    basis->has_z0 = false;
    for (int i = 0; i < n; i++) {
        basis->x[i] = -1;
        basis->cover[i] = 0.0;
        if (basis->form->items[i].motor)
            cairn_lemke_basis_activate(basis, i, 1.0);
    }
}

void cairn_lemke_basis_activate(cairn_lemke_basis* basis, int item, double cover)
{
    basis->is_active[item] = 1;
    basis->cover[item] = cover;
    basis->active[basis->active_count++] = item;
}

static void drop(int* list, int* count, int member)
{
    int k = 0;
    while (list[k] != member)
        k++;
    list[k] = list[--*count];
}

void cairn_lemke_basis_deactivate(cairn_lemke_basis* basis, int item)
{
    int first = basis->group[item], facets = basis->form->items[item].facets;
    for (int p = first; p < first + facets; p++)
        if (basis->impulse[p])
            drop(basis->phi, &basis->phi_count, p);
    memset(basis->impulse + first, 0, (size_t)facets + 1);
    drop(basis->active, &basis->active_count, item);
    basis->is_active[item] = 0;
    basis->x[item] = -1;
}

void cairn_lemke_basis_set(cairn_lemke_basis* basis, int pair, bool impulse)
{
    int item = basis->item_of[pair];
    bool normal = pair < basis->form->count;
    bool slack = !normal && pair == cairn_lemke_limit_pair(basis, item);
    if (impulse == (basis->impulse[pair] != 0))
        return;
    basis->impulse[pair] = impulse;
    int* list = normal ? basis->theta : basis->phi;
    int* count = normal ? &basis->theta_count : &basis->phi_count;
    if (slack)
        return;
    if (impulse)
        list[(*count)++] = pair;
    else
        drop(list, count, pair);
}

// ---------------------------------------------------------------- the kernel

static double span_dot(const cairn_lemke_span* a, const cairn_lemke_span* b, int width)
{
    double sum = 0.0;
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
            if (a->place[i] >= 0 && a->place[i] == b->place[j])
                sum += cairn_lemke_dot(a->part[i], b->part[j], width);
    return sum;
}

static double span_dot_vector(const cairn_lemke_span* a, const double* v, int width)
{
    double sum = 0.0;
    for (int i = 0; i < 2; i++)
        if (a->place[i] >= 0)
            sum += cairn_lemke_dot(a->part[i], v + a->place[i], width);
    return sum;
}

static void span_add(const cairn_lemke_span* a, double s, double* v, int width)
{
    for (int i = 0; i < 2; i++)
        for (int k = 0; a->place[i] >= 0 && k < width; k++)
            v[a->place[i] + k] += s * a->part[i][k];
}

// n N + x T + y S of an item, with memory at `to`
static cairn_lemke_span combine(const cairn_lemke_item* item, double n, double x, double y,
                                double* to, int width)
{
    cairn_lemke_span span = {{item->place[0], item->place[1]}, {to, to + width}};
    for (int side = 0; side < 2 && item->place[side] >= 0; side++) {
        const double* N = item->part[side];
        const double *T = N + width, *S = T + width;
        for (int k = 0; k < width; k++)
            to[side * width + k] = n * N[k] + (x * T[k] + y * S[k]);
    }
    return span;
}

static cairn_lemke_span normal_span(const cairn_lemke_item* item)
{
    return (cairn_lemke_span){{item->place[0], item->place[1]}, {item->part[0], item->part[1]}};
}

// the difference of a facet's corner to that of x (zero when there is no x)
static void corner_beyond_x(const cairn_lemke_basis* basis, int item, int facet, double* corner)
{
    const double* c = basis->form->items[item].corner;
    int x = basis->x[item];
    corner[0] = c[2 * facet] - (x >= 0 ? c[2 * x] : 0.0);
    corner[1] = c[2 * facet + 1] - (x >= 0 ? c[2 * x + 1] : 0.0);
}

// which basic φ are x, which κ
static void split_friction(cairn_lemke_basis* basis)
{
    for (int k = 0; k < basis->active_count; k++)
        basis->x[basis->active[k]] = -1;
    basis->kappa_count = 0;
    for (int k = 0; k < basis->phi_count; k++) {
        int pair = basis->phi[k], item = basis->item_of[pair];
        if (basis->x[item] < 0 && basis->impulse[cairn_lemke_limit_pair(basis, item)])
            basis->x[item] = pair - basis->group[item];
        else
            basis->kappa[basis->kappa_count++] = pair;
    }
}

static void form_cover(cairn_lemke_basis* basis)
{
    const cairn_lemke_form* form = basis->form;
    basis->covered = false;
    if (!basis->has_z0)
        return;
    for (int k = 0; k < basis->active_count; k++) {
        int i = basis->active[k], x = basis->x[i];
        if (x < 0 || basis->cover[i] == 0.0)
            continue;
        if (!basis->covered)
            memset(basis->cover_column, 0, (size_t)form->dim * sizeof(double));
        basis->covered = true;
        const double* corner = form->items[i].corner + 2 * x;
        for (int which = 1; which < 3; which++)
            cairn_lemke_item_add(&form->items[i], which, basis->cover[i] * corner[which - 1],
                                 basis->cover_column, form->width);
    }
}

// the row of the open pair; the spans before it belong to θ and κ
static void form_open_row(cairn_lemke_basis* basis, double* star)
{
    const cairn_lemke_form* form = basis->form;
    int last = basis->size - 1, item = basis->item_of[basis->open];
    const cairn_lemke_item* it = &form->items[item];
    basis->limit_row = basis->empty_slack = false;
    if (basis->open < form->count) {
        basis->left[last] = normal_span(it);
        return;
    }
    int limit = cairn_lemke_limit_pair(basis, item);
    basis->empty_slack = basis->open != limit && basis->impulse[limit] && basis->x[item] < 0;
    basis->limit_row = basis->open == limit || basis->empty_slack;
    if (!basis->limit_row) {
        double corner[2];
        corner_beyond_x(basis, item, basis->open - basis->group[item], corner);
        basis->left[last] = combine(it, 0.0, corner[0], corner[1], star, form->width);
    }
}

static void form_spans(cairn_lemke_basis* basis)
{
    const cairn_lemke_form* form = basis->form;
    double* star = basis->star;
    int width = form->width, at = 0;
    for (int k = 0; k < basis->theta_count; k++, at++) {
        const cairn_lemke_item* item = &form->items[basis->theta[k]];
        int x = basis->x[basis->theta[k]];
        basis->left[at] = basis->right[at] = normal_span(item);
        if (x >= 0) {
            const double* corner = item->corner + 2 * x;
            basis->right[at] =
                combine(item, 1.0, item->mu * corner[0], item->mu * corner[1], star, width);
            star += 2 * width;
        }
    }
    for (int k = 0; k < basis->kappa_count; k++, at++) {
        int pair = basis->kappa[k], item = basis->item_of[pair];
        double corner[2];
        corner_beyond_x(basis, item, pair - basis->group[item], corner);
        basis->left[at] = basis->right[at] =
            combine(&form->items[item], 0.0, corner[0], corner[1], star, width);
        star += 2 * width;
    }
    if (basis->has_z0)
        form_open_row(basis, star);
}

// c of a kernel row: that of σ_κ - σ_x is zero because the facets of an item share one cover
static double row_cover(const cairn_lemke_basis* basis, int row)
{
    int pair = row < basis->theta_count ? basis->theta[row]
               : row < basis->theta_count + basis->kappa_count
                   ? basis->kappa[row - basis->theta_count]
                   : basis->open;
    int item = basis->item_of[pair];
    if (pair < basis->form->count)
        return 1.0;
    bool last = row == basis->size - 1;
    return basis->x[item] >= 0 && !(last && basis->limit_row) ? 0.0 : basis->cover[item];
}

static void fill_limit_row(cairn_lemke_basis* basis, double* row)
{
    int item = basis->item_of[basis->open], at = 0;
    for (int k = 0; k < basis->theta_count; k++)
        row[at++] = basis->theta[k] == item ? basis->form->items[item].mu : 0.0;
    for (int k = 0; k < basis->kappa_count; k++)
        row[at++] = basis->item_of[basis->kappa[k]] == item ? -1.0 : 0.0;
    row[at] = basis->cover[item];
}

static int kernel_pair(const cairn_lemke_basis* basis, int row)
{
    return row < basis->theta_count ? basis->theta[row] : basis->kappa[row - basis->theta_count];
}

// Products of rows and columns of θ and κ. Those that were there at the last basis, with the same
// x, are taken from it: a pivot changes few.
static void fill_gram(cairn_lemke_basis* basis)
{
    int inner = basis->size - basis->has_z0, stride = basis->capacity;
    int width = basis->form->width, thetas = basis->theta_count;
    int* was = basis->swap; // free until the kernel is factored
    for (int i = 0; i < inner; i++) {
        int pair = kernel_pair(basis, i), slot = basis->slot[pair];
        was[i] = slot;

        // the row of a θ is N, whatever its x; its column and those of κ depend on it
        if (slot >= 0 && basis->slot_x[slot] != basis->x[basis->item_of[pair]])
            was[i] = i < thetas ? -2 - slot : -1;
    }
    for (int i = 0; i < inner; i++) {
        int from = was[i] <= -2 ? -2 - was[i] : was[i];
        double* row = basis->gram + (ptrdiff_t)stride * i;
        const double* last = basis->gram_last + (ptrdiff_t)stride * (from < 0 ? 0 : from);
        for (int j = 0; j < inner; j++)
            row[j] = from >= 0 && was[j] >= 0 ? last[was[j]]
                                              : span_dot(&basis->left[i], &basis->right[j], width);
    }
    for (int i = 0; i < basis->slots; i++)
        basis->slot[basis->slot_pair[i]] = -1;
    for (int i = 0; i < inner; i++) {
        int pair = kernel_pair(basis, i);
        basis->slot[pair] = i;
        basis->slot_pair[i] = pair;
        basis->slot_x[i] = basis->x[basis->item_of[pair]];
    }
    basis->slots = inner;
}

static void fill_kernel(cairn_lemke_basis* basis)
{
    int size = basis->size, width = basis->form->width, inner = size - basis->has_z0;
    fill_gram(basis);
    for (int i = 0; i < size; i++) {
        double* row = basis->kernel + (ptrdiff_t)size * i;
        const cairn_lemke_span* left = &basis->left[i];
        if (i == inner && basis->limit_row) {
            fill_limit_row(basis, row);
            continue;
        }
        if (i < inner)
            memcpy(row, basis->gram + (ptrdiff_t)basis->capacity * i,
                   (size_t)inner * sizeof(double));
        else
            for (int j = 0; j < inner; j++)
                row[j] = span_dot(left, &basis->right[j], width);
        if (basis->has_z0)
            row[inner] = row_cover(basis, i) +
                         (basis->covered ? span_dot_vector(left, basis->cover_column, width) : 0.0);
    }
    double* last = basis->gram_last;
    basis->gram_last = basis->gram;
    basis->gram = last;
}

// LU with partial pivoting; the diagonal of U is stored inverted
static bool factor_kernel(double* K, int* swap, int n)
{
    for (int k = 0; k < n; k++) {
        int p = k;
        for (int i = k + 1; i < n; i++)
            if (fabs(K[n * i + k]) > fabs(K[n * p + k]))
                p = i;
        swap[k] = p;
        if (!(fabs(K[n * p + k]) > 1e-13))
            return false;
        if (p != k)
            for (int j = 0; j < n; j++) {
                double x = K[n * k + j];
                K[n * k + j] = K[n * p + j];
                K[n * p + j] = x;
            }
        const double* top = K + n * k;
        double over = 1.0 / top[k];
        for (int i = k + 1; i < n; i++) {
            double* row = K + n * i;
            double f = row[k] *= over;
            for (int j = k + 1; j < n; j++)
                row[j] -= f * top[j];
        }
        K[n * k + k] = over;
    }
    return true;
}

static void solve_kernel(const double* K, const int* swap, int n, double* b)
{
    for (int k = 0; k < n; k++) {
        double x = b[swap[k]];
        b[swap[k]] = b[k];
        b[k] = x;
    }
    for (int i = 1; i < n; i++) {
        double sum = b[i];
        for (int j = 0; j < i; j++)
            sum -= K[n * i + j] * b[j];
        b[i] = sum;
    }
    for (int i = n - 1; i >= 0; i--) {
        double sum = b[i];
        for (int j = i + 1; j < n; j++)
            sum -= K[n * i + j] * b[j];
        b[i] = sum * K[n * i + i];
    }
}

bool cairn_lemke_basis_factor(cairn_lemke_basis* basis)
{
    split_friction(basis);
    basis->size = basis->theta_count + basis->kappa_count + basis->has_z0;
    if (basis->size > basis->capacity)
        return false;
    if (basis->largest < basis->size)
        basis->largest = basis->size;
    basis->limit_row = basis->empty_slack = false;
    form_spans(basis);
    form_cover(basis);
    fill_kernel(basis);
    return factor_kernel(basis->kernel, basis->swap, basis->size);
}

// ---------------------------------------------------------------- right-hand sides

// what a load does, in the terms of one system: q_γ of one item, σ of one item, t of one pair
typedef struct effect {
    bool data, any_p;
    int item;     // of q_limit and slack, or -1
    double limit; // q_γ of that item
    double slack; // added to all σ of that item
    int target;   // the pair whose velocity must be one, or -1
} effect;

static void add_facet(const cairn_lemke_basis* basis, int item, int facet, double s, double* v)
{
    const cairn_lemke_item* it = &basis->form->items[item];
    cairn_lemke_item_add(it, 1, s * it->corner[2 * facet], v, basis->form->width);
    cairn_lemke_item_add(it, 2, s * it->corner[2 * facet + 1], v, basis->form->width);
}

static effect form_effect(cairn_lemke_basis* basis, cairn_lemke_load load, int pair)
{
    const cairn_lemke_form* form = basis->form;
    effect e = {.data = load == CAIRN_LEMKE_DATA, .item = -1, .target = -1};
    memset(basis->p, 0, (size_t)form->dim * sizeof(double));
    if (e.data) {
        for (int k = 0; basis->motors && k < basis->active_count; k++) {
            int i = basis->active[k];
            if (basis->x[i] >= 0 && form->items[i].motor) {
                add_facet(basis, i, basis->x[i], form->items[i].q_limit, basis->p);
                e.any_p = true;
            }
        }
        return e;
    }
    int item = basis->item_of[pair];
    bool normal = pair < form->count;
    bool limit = !normal && pair == cairn_lemke_limit_pair(basis, item);
    double through_x = 0.0;
    if (load == CAIRN_LEMKE_VELOCITY) {
        e.target = pair;
        through_x = limit ? -1.0 : 0.0;
    } else {
        e.item = item;
        e.any_p = !limit;
        e.slack = limit ? 1.0 : 0.0;
        e.limit = normal ? form->items[item].mu : limit ? 0.0 : -1.0;
        through_x = e.limit;
        if (normal)
            cairn_lemke_item_add(&form->items[item], 0, 1.0, basis->p, form->width);
        else if (!limit)
            add_facet(basis, item, pair - basis->group[item], 1.0, basis->p);
    }
    if (basis->x[item] >= 0 && through_x != 0.0) {
        add_facet(basis, item, basis->x[item], through_x, basis->p);
        e.any_p = true;
    }
    return e;
}

static double limit_load(const cairn_lemke_basis* basis, const effect* e, int item)
{
    return (e->data ? basis->form->items[item].q_limit : 0.0) + (item == e->item ? e->limit : 0.0);
}

// -(q - t) of the row σ_j (minus that of σ_x, when there is an x)
static double friction_rhs(const cairn_lemke_basis* basis, const effect* e, int pair)
{
    int item = basis->item_of[pair], x = basis->x[item];
    const double* q = basis->q + 3 * item;
    double b = e->target == pair ? 1.0 : 0.0;
    if (e->data) {
        double corner[2];
        corner_beyond_x(basis, item, pair - basis->group[item], corner);
        b -= corner[0] * q[1] + corner[1] * q[2] + basis->lift[pair] -
             (x >= 0 ? basis->lift[basis->group[item] + x] : 0.0);
    }
    if (x >= 0)
        return b - (e->target == basis->group[item] + x ? 1.0 : 0.0);
    return b - (item == e->item ? e->slack : 0.0);
}

static void fill_rhs(cairn_lemke_basis* basis, const effect* e)
{
    const cairn_lemke_form* form = basis->form;
    double* b = basis->rhs;
    int at = 0;
    for (int k = 0; k < basis->theta_count; k++, at++) {
        int i = basis->theta[k];
        b[at] = (e->target == i ? 1.0 : 0.0) - (e->data ? basis->q[3 * i] : 0.0);
    }
    for (int k = 0; k < basis->kappa_count; k++, at++)
        b[at] = friction_rhs(basis, e, basis->kappa[k]);
    if (basis->has_z0) {
        int item = basis->item_of[basis->open];
        if (basis->limit_row)
            b[at] = (e->target == cairn_lemke_limit_pair(basis, item) ? 1.0 : 0.0) -
                    limit_load(basis, e, item);
        else if (basis->open < form->count)
            b[at] = (e->target == item ? 1.0 : 0.0) - (e->data ? basis->q[3 * item] : 0.0);
        else
            b[at] = friction_rhs(basis, e, basis->open);
        at++;
    }
    int rows = at - (basis->has_z0 && basis->limit_row);
    for (int k = 0; e->any_p && k < rows; k++)
        b[k] -= span_dot_vector(&basis->left[k], basis->p, form->width);
}

// ---------------------------------------------------------------- values

// θ, φ_κ and v from the kernel's solution, then φ_x
static void take_impulses(cairn_lemke_basis* basis, cairn_lemke_point* point)
{
    const cairn_lemke_form* form = basis->form;
    const double* b = basis->rhs;
    int at = 0, inner = basis->size - basis->has_z0;
    point->z0 = basis->has_z0 ? b[inner] : 0.0;
    memcpy(point->v, basis->p, (size_t)form->dim * sizeof(double));
    for (int k = 0; k < inner; k++)
        span_add(&basis->right[k], b[k], point->v, form->width);
    for (int k = 0; basis->covered && k < form->dim; k++)
        point->v[k] += point->z0 * basis->cover_column[k];
    for (int k = 0; k < basis->active_count; k++) {
        int i = basis->active[k];
        basis->item_theta[i] = basis->item_phi[i] = basis->item_slack[i] = 0.0;
    }
    for (int k = 0; k < basis->theta_count; k++, at++)
        basis->item_theta[basis->theta[k]] = b[at];
    for (int k = 0; k < basis->kappa_count; k++, at++)
        basis->item_phi[basis->item_of[basis->kappa[k]]] += b[at];
}

// one step of iterative refinement: the rows that should vanish are evaluated from v, solved for
// and corrected
static void refine(cairn_lemke_basis* basis, cairn_lemke_point* point, effect e)
{
    double *b = basis->rhs, *p = basis->p, *kept = basis->last;
    memcpy(kept, b, (size_t)basis->size * sizeof(double));
    basis->p = point->v;
    e.any_p = true;
    fill_rhs(basis, &e);
    basis->p = p;
    solve_kernel(basis->kernel, basis->swap, basis->size, b);
    for (int k = 0; k < basis->size; k++)
        b[k] += kept[k];
    take_impulses(basis, point);
}

// velocities of all rows of an active item, and its λ and φ_x
static void value_friction(cairn_lemke_basis* basis, cairn_lemke_point* point, const effect* e,
                           int item)
{
    const cairn_lemke_form* form = basis->form;
    const cairn_lemke_item* it = &form->items[item];
    const double* q = basis->q + 3 * item;
    int first = basis->group[item], x = basis->x[item], facets = it->facets;
    double* value = point->value + first;
    const double* lift = basis->lift + first;
    double c = basis->cover[item] * point->z0;
    double T = cairn_lemke_item_dot(it, 1, point->v, form->width) + (e->data ? q[1] : 0.0);
    double S = cairn_lemke_item_dot(it, 2, point->v, form->width) + (e->data ? q[2] : 0.0);
    double room =
        it->mu * basis->item_theta[item] - basis->item_phi[item] + c + limit_load(basis, e, item);
    int carrier = x >= 0                                                      ? x
                  : basis->empty_slack && basis->item_of[basis->open] == item ? basis->open - first
                                                                              : -1;
    double slack = item == e->item ? e->slack : 0.0;
    if (carrier >= 0)
        slack = (e->target == first + carrier ? 1.0 : 0.0) - c -
                (it->corner[2 * carrier] * T + it->corner[2 * carrier + 1] * S) -
                (e->data ? lift[carrier] : 0.0);
    for (int j = 0; j < facets; j++)
        value[j] = it->corner[2 * j] * T + it->corner[2 * j + 1] * S + (slack + c);
    for (int j = 0; e->data && j < facets; j++)
        value[j] += lift[j];
    if (x >= 0)
        value[x] = room - (e->target == first + facets ? 1.0 : 0.0);
    value[facets] = carrier >= 0 ? slack : room;
}

void cairn_lemke_basis_solve(cairn_lemke_basis* basis, cairn_lemke_point* point,
                             cairn_lemke_load load, int pair)
{
    const cairn_lemke_form* form = basis->form;
    effect e = form_effect(basis, load, pair);
    fill_rhs(basis, &e);
    solve_kernel(basis->kernel, basis->swap, basis->size, basis->rhs);
    take_impulses(basis, point);
    if (e.data && !basis->has_z0)
        refine(basis, point, e);
    for (int i = 0; i < form->count; i++)
        point->value[i] = cairn_lemke_item_dot(&form->items[i], 0, point->v, form->width) +
                          point->z0 + (e.data ? basis->q[3 * i] : 0.0);
    for (int k = 0; k < basis->active_count; k++)
        value_friction(basis, point, &e, basis->active[k]);

    // basic θ and φ_κ stand where their velocities would
    int at = 0;
    for (int k = 0; k < basis->theta_count; k++)
        point->value[basis->theta[k]] = basis->rhs[at++];
    for (int k = 0; k < basis->kappa_count; k++)
        point->value[basis->kappa[k]] = basis->rhs[at++];
    if (basis->open >= 0)
        point->value[basis->open] = 0.0;
}
