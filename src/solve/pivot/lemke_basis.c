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

#include "solve/pivot/lemke_basis.h"
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

    // pairs, by item: their state, data and covers
    basis->group = CAIRN_TAKE(arena, int, count);
    basis->item_of = CAIRN_TAKE(arena, int, all);
    basis->impulse = CAIRN_TAKE(arena, unsigned char, all);
    basis->is_active = CAIRN_TAKE_ZEROED(arena, unsigned char, count);
    basis->q = CAIRN_TAKE(arena, double, 3 * count);
    basis->lift = CAIRN_TAKE_ZEROED(arena, double, all);
    basis->cover = CAIRN_TAKE_ZEROED(arena, double, all);
    basis->firm = CAIRN_TAKE_ZEROED(arena, unsigned char, count);

    // lists of what is basic
    basis->active = CAIRN_TAKE(arena, int, count);
    basis->theta = CAIRN_TAKE(arena, int, count);
    basis->phi = CAIRN_TAKE(arena, int, all);
    basis->x = CAIRN_TAKE(arena, int, count);
    basis->kappa = CAIRN_TAKE(arena, int, all);

    // the kernel, its order and its factors
    basis->kernel = CAIRN_TAKE(arena, double, size* size);
    basis->order = CAIRN_TAKE(arena, int, size);
    basis->bucket = CAIRN_TAKE(arena, int, count + 1);
    basis->end = CAIRN_TAKE(arena, int, size);
    basis->reach = CAIRN_TAKE(arena, int, size);
    basis->swap = CAIRN_TAKE(arena, int, size);
    basis->sorted = CAIRN_TAKE(arena, double, size);

    // inner products that are kept from basis to basis
    basis->gram = CAIRN_TAKE(arena, double, size* size);
    basis->gram_last = CAIRN_TAKE(arena, double, size* size);
    basis->slot = CAIRN_TAKE(arena, int, all);
    basis->slot_pair = CAIRN_TAKE(arena, int, size);
    basis->slot_x = CAIRN_TAKE(arena, int, size);
    basis->left = CAIRN_TAKE(arena, cairn_lemke_span, size);
    basis->right = CAIRN_TAKE(arena, cairn_lemke_span, size);
    basis->star = CAIRN_TAKE(arena, double, 2 * (size_t)form->width * size);
    basis->cover_column = CAIRN_TAKE(arena, double, form->dim + 1);

    // right-hand sides and values
    basis->rhs = CAIRN_TAKE(arena, double, size);
    basis->last = CAIRN_TAKE(arena, double, size);
    basis->p = CAIRN_TAKE(arena, double, form->dim + 1);
    basis->item_theta = CAIRN_TAKE(arena, double, count);
    basis->item_phi = CAIRN_TAKE(arena, double, count);
    basis->item_slack = CAIRN_TAKE(arena, double, count);
    if (arena->failed)
        return false;

    // normals come first, then the facets and the limit of each item
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
    memset(basis->firm, 0, (size_t)n);
    for (int p = 0; p < basis->pairs; p++)
        basis->cover[p] = p < n ? 1.0 : 0.0;
    basis->active_count = basis->theta_count = basis->phi_count = basis->kappa_count = 0;
    basis->open = -1;
    basis->has_z0 = false;
    for (int i = 0; i < n; i++) {
        basis->x[i] = -1;
        if (basis->form->items[i].motor)
            cairn_lemke_basis_activate(basis, i, 1.0);
    }
}

void cairn_lemke_basis_activate(cairn_lemke_basis* basis, int item, double cover)
{
    basis->is_active[item] = 1;
    basis->firm[item] = cover != 0.0;
    for (int p = basis->group[item]; p <= cairn_lemke_limit_pair(basis, item); p++)
        basis->cover[p] = cover;
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

    // data: q of the rows, and the limits of motors through φ_x
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

    // a unit velocity is the target of its own row, a unit impulse changes v
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

    // both change φ_x of the item, which acts as a facet
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
        cairn_lemke_corner(basis, item, pair - basis->group[item], corner);
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

    // rows of basic θ and φ_κ
    for (int k = 0; k < basis->theta_count; k++, at++) {
        int i = basis->theta[k];
        b[at] = (e->target == i ? 1.0 : 0.0) - (e->data ? basis->q[3 * i] : 0.0);
    }
    for (int k = 0; k < basis->kappa_count; k++, at++)
        b[at] = friction_rhs(basis, e, basis->kappa[k]);

    // the row of the open pair, which determines z_0
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

    // all but the limit's row feel p
    int rows = at - (basis->has_z0 && basis->limit_row);
    for (int k = 0; e->any_p && k < rows; k++)
        b[k] -= cairn_lemke_span_dot(&basis->left[k], basis->p, form->width);
}

// ---------------------------------------------------------------- values

static void span_add(const cairn_lemke_span* a, double s, double* v, int width)
{
    for (int i = 0; i < 2; i++)
        for (int k = 0; a->place[i] >= 0 && k < width; k++)
            v[a->place[i] + k] += s * a->part[i][k];
}

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
    cairn_lemke_basis_backsolve(basis);
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
    const double* cover = basis->cover + first;

    // the tangential velocity and what friction may still take
    double T = cairn_lemke_item_dot(it, 1, point->v, form->width) + (e->data ? q[1] : 0.0);
    double S = cairn_lemke_item_dot(it, 2, point->v, form->width) + (e->data ? q[2] : 0.0);
    double room = it->mu * basis->item_theta[item] - basis->item_phi[item] +
                  cover[facets] * point->z0 + limit_load(basis, e, item);

    // the row that determines λ: that of φ_x, or the open one
    int carrier = x >= 0                                                      ? x
                  : basis->empty_slack && basis->item_of[basis->open] == item ? basis->open - first
                                                                              : -1;
    double slack = item == e->item ? e->slack : 0.0;
    if (carrier >= 0)
        slack = (e->target == first + carrier ? 1.0 : 0.0) - cover[carrier] * point->z0 -
                (it->corner[2 * carrier] * T + it->corner[2 * carrier + 1] * S) -
                (e->data ? lift[carrier] : 0.0);

    for (int j = 0; j < facets; j++)
        value[j] =
            it->corner[2 * j] * T + it->corner[2 * j + 1] * S + (slack + cover[j] * point->z0);
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
    cairn_lemke_basis_backsolve(basis);
    take_impulses(basis, point);

    if (e.data && !basis->has_z0)
        refine(basis, point, e);

    // velocities of all rows
    for (int i = 0; i < form->count; i++)
        point->value[i] = cairn_lemke_item_dot(&form->items[i], 0, point->v, form->width) +
                          basis->cover[i] * point->z0 + (e.data ? basis->q[3 * i] : 0.0);
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
