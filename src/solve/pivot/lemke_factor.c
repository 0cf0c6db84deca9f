// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The kernel of a basis: columns N* = N + μ D_x of basic θ, D* = D_κ - D_x of the other basic φ and
// c of z_0; rows N, D* and that of the open pair (see lemke_basis.c for where they come from). It
// is not symmetric, since N* is not N, and has at most rank + 2 dimensions, so it is factored
// afresh at every basis by LU with partial pivoting; its inner products are kept from basis to
// basis, because a pivot changes few. Rows and columns are taken in the order of their items: what
// shares no body has no product, and where items are numbered along a pile the kernel is a band
// (with the column of z_0 at its side), which is all that is eliminated.

#include "solve/pivot/lemke_basis.h"
#include <string.h>

static cairn_lemke_span normal_span(const cairn_lemke_item* item)
{
    return (cairn_lemke_span){{item->place[0], item->place[1]}, {item->part[0], item->part[1]}};
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
        double cover = basis->cover[cairn_lemke_limit_pair(basis, i)];
        if (x < 0 || cover == 0.0)
            continue;
        if (!basis->covered)
            memset(basis->cover_column, 0, (size_t)form->dim * sizeof(double));
        basis->covered = true;
        const double* corner = form->items[i].corner + 2 * x;
        for (int which = 1; which < 3; which++)
            cairn_lemke_item_add(&form->items[i], which, cover * corner[which - 1],
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
        cairn_lemke_corner(basis, item, basis->open - basis->group[item], corner);
        basis->left[last] = cairn_lemke_combine(it, 0.0, corner[0], corner[1], star, form->width);
    }
}

static void form_spans(cairn_lemke_basis* basis)
{
    const cairn_lemke_form* form = basis->form;
    double* star = basis->star;
    int width = form->width, at = 0;

    // rows N of basic θ and their columns N + μ D_x
    for (int k = 0; k < basis->theta_count; k++, at++) {
        const cairn_lemke_item* item = &form->items[basis->theta[k]];
        int x = basis->x[basis->theta[k]];
        basis->left[at] = basis->right[at] = normal_span(item);
        if (x >= 0) {
            const double* corner = item->corner + 2 * x;
            basis->right[at] = cairn_lemke_combine(item, 1.0, item->mu * corner[0],
                                                   item->mu * corner[1], star, width);
            star += 2 * width;
        }
    }

    // D_κ - D_x serves as row and as column
    for (int k = 0; k < basis->kappa_count; k++, at++) {
        int pair = basis->kappa[k], item = basis->item_of[pair];
        double corner[2];
        cairn_lemke_corner(basis, item, pair - basis->group[item], corner);
        basis->left[at] = basis->right[at] =
            cairn_lemke_combine(&form->items[item], 0.0, corner[0], corner[1], star, width);
        star += 2 * width;
    }

    if (basis->has_z0)
        form_open_row(basis, star);
}

// c of a kernel row
static double row_cover(const cairn_lemke_basis* basis, int row)
{
    int pair = row < basis->theta_count ? basis->theta[row]
               : row < basis->theta_count + basis->kappa_count
                   ? basis->kappa[row - basis->theta_count]
                   : basis->open;
    return cairn_lemke_row_cover(basis, pair);
}

static void fill_limit_row(cairn_lemke_basis* basis, double* row)
{
    int item = basis->item_of[basis->open], at = 0;
    for (int k = 0; k < basis->theta_count; k++)
        row[at++] = basis->theta[k] == item ? basis->form->items[item].mu : 0.0;
    for (int k = 0; k < basis->kappa_count; k++)
        row[at++] = basis->item_of[basis->kappa[k]] == item ? -1.0 : 0.0;
    row[at] = basis->cover[cairn_lemke_limit_pair(basis, item)];
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

    // where each product was at the last basis, or a negative number
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
            row[j] = from >= 0 && was[j] >= 0
                         ? last[was[j]]
                         : cairn_lemke_span_product(&basis->left[i], &basis->right[j], width);
    }

    // remember the places for the next basis
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

// positions of θ and κ by item, that of z_0 last
static void sort_kernel(cairn_lemke_basis* basis)
{
    int inner = basis->size - basis->has_z0, items = basis->form->count;
    int* bucket = basis->bucket;
    memset(bucket, 0, (size_t)(items + 1) * sizeof(int));
    for (int i = 0; i < inner; i++)
        bucket[basis->item_of[kernel_pair(basis, i)] + 1]++;
    for (int i = 0; i < items; i++)
        bucket[i + 1] += bucket[i];
    for (int i = 0; i < inner; i++)
        basis->order[bucket[basis->item_of[kernel_pair(basis, i)]]++] = i;
    if (basis->has_z0)
        basis->order[inner] = inner;
}

// the row of the open pair, in the order of the kernel
static void fill_open_row(cairn_lemke_basis* basis, double* row)
{
    int inner = basis->size - basis->has_z0;
    if (!basis->limit_row) {
        for (int j = 0; j < inner; j++)
            row[j] = cairn_lemke_span_product(&basis->left[inner], &basis->right[basis->order[j]],
                                              basis->form->width);
        return;
    }
    fill_limit_row(basis, basis->sorted);
    for (int j = 0; j <= inner; j++)
        row[j] = basis->sorted[basis->order[j]];
}

// where the zeros of rows and columns are; elimination does not reach beyond, since it swaps a row
// only with one that is not zero in the same column
static void find_band(cairn_lemke_basis* basis)
{
    int size = basis->size, inner = size - basis->has_z0;
    memset(basis->reach, 0, (size_t)size * sizeof(int));
    for (int i = 0; i < size; i++) {
        const double* row = basis->kernel + (ptrdiff_t)size * i;
        int first = 0, end = inner;
        while (end > 0 && row[end - 1] == 0.0)
            end--;
        while (first < end && row[first] == 0.0)
            first++;
        basis->end[i] = end;
        if (i < inner && first < end)
            basis->reach[first] = i + 1;
    }

    for (int k = 1; k < inner; k++)
        if (basis->reach[k] < basis->reach[k - 1])
            basis->reach[k] = basis->reach[k - 1];
}

static void fill_kernel(cairn_lemke_basis* basis)
{
    int size = basis->size, width = basis->form->width, inner = size - basis->has_z0;
    const int* order = basis->order;

    fill_gram(basis);
    for (int i = 0; i < size; i++) {
        double* row = basis->kernel + (ptrdiff_t)size * i;
        const cairn_lemke_span* left = &basis->left[order[i]];
        const double* gram = basis->gram + (ptrdiff_t)basis->capacity * order[i];

        // rows of θ and κ, then that of the open pair
        if (i < inner)
            for (int j = 0; j < inner; j++)
                row[j] = gram[order[j]];
        else
            fill_open_row(basis, row);

        // the column of z_0
        if (basis->has_z0 && !(i == inner && basis->limit_row))
            row[inner] =
                row_cover(basis, order[i]) +
                (basis->covered ? cairn_lemke_span_dot(left, basis->cover_column, width) : 0.0);
    }

    // this basis becomes the last one
    find_band(basis);
    double* last = basis->gram_last;
    basis->gram_last = basis->gram;
    basis->gram = last;
}

static void swap_rows(cairn_lemke_basis* basis, int a, int b)
{
    int n = basis->size, end = basis->end[a];
    double* x = basis->kernel + (ptrdiff_t)n * a;
    double* y = basis->kernel + (ptrdiff_t)n * b;
    for (int j = 0; j < n; j++) {
        double t = x[j];
        x[j] = y[j];
        y[j] = t;
    }
    basis->end[a] = basis->end[b];
    basis->end[b] = end;
}

// row i -= f row k, where column k of row i is not zero
static void eliminate(cairn_lemke_basis* basis, int i, int k, double over)
{
    int n = basis->size, end = basis->end[k], inner = n - basis->has_z0;
    const double* top = basis->kernel + (ptrdiff_t)n * k;
    double* row = basis->kernel + (ptrdiff_t)n * i;
    if (row[k] == 0.0)
        return;

    double f = row[k] *= over;
    for (int j = k + 1; j < end; j++)
        row[j] -= f * top[j];
    if (basis->has_z0)
        row[inner] -= f * top[inner];
    if (basis->end[i] < end)
        basis->end[i] = end;
}

// LU with partial pivoting; the diagonal of U is stored inverted
static bool factor_kernel(cairn_lemke_basis* basis)
{
    int n = basis->size, inner = n - basis->has_z0;
    double* K = basis->kernel;
    for (int k = 0; k < n; k++) {
        if (cairn_stop_asked(basis->stop))
            return false;
        int p = k, reach = k < inner ? basis->reach[k] : k;
        bool bordered = basis->has_z0 && k < inner;

        // the largest entry of the column, within the band or in the row of the open pair
        for (int i = k + 1; i < reach; i++)
            if (fabs(K[n * i + k]) > fabs(K[n * p + k]))
                p = i;
        if (bordered && fabs(K[n * inner + k]) > fabs(K[n * p + k]))
            p = inner;

        basis->swap[k] = p;
        if (!(fabs(K[n * p + k]) > 1e-13))
            return false;
        if (p != k)
            swap_rows(basis, k, p);

        double over = 1.0 / K[n * k + k];
        for (int i = k + 1; i < reach; i++)
            eliminate(basis, i, k, over);
        if (bordered)
            eliminate(basis, inner, k, over);
        K[n * k + k] = over;
    }
    return true;
}

void cairn_lemke_basis_backsolve(cairn_lemke_basis* basis)
{
    const double* K = basis->kernel;
    const int* swap = basis->swap;
    double* b = basis->sorted;
    int n = basis->size, inner = n - basis->has_z0;

    // the rows in the order of the kernel, then of the pivots
    for (int i = 0; i < n; i++)
        b[i] = basis->rhs[basis->order[i]];
    for (int k = 0; k < n; k++) {
        double x = b[swap[k]];
        b[swap[k]] = b[k];
        b[k] = x;
    }

    // L, then U within the band
    for (int i = 1; i < n; i++) {
        double sum = b[i];
        for (int j = 0; j < i; j++)
            sum -= K[n * i + j] * b[j];
        b[i] = sum;
    }

    for (int i = n - 1; i >= 0; i--) {
        double sum = b[i];
        for (int j = i + 1; j < basis->end[i]; j++)
            sum -= K[n * i + j] * b[j];
        if (i < inner && basis->has_z0)
            sum -= K[n * i + inner] * b[inner];
        b[i] = sum * K[n * i + i];
    }

    for (int i = 0; i < n; i++)
        basis->rhs[basis->order[i]] = b[i];
}

// a λ without φ has no column but in an open σ of its item
static bool slacks_have_columns(const cairn_lemke_basis* basis)
{
    int open = basis->open >= basis->form->count ? basis->item_of[basis->open] : -1;
    for (int k = 0; k < basis->active_count; k++) {
        int i = basis->active[k];
        if (basis->x[i] < 0 && i != open && basis->impulse[cairn_lemke_limit_pair(basis, i)])
            return false;
    }
    return true;
}

bool cairn_lemke_basis_factor(cairn_lemke_basis* basis)
{
    split_friction(basis);
    basis->size = basis->theta_count + basis->kappa_count + basis->has_z0;
    if (basis->size > basis->capacity || !slacks_have_columns(basis))
        return false;
    if (basis->largest < basis->size)
        basis->largest = basis->size;
    basis->limit_row = basis->empty_slack = false;
    form_spans(basis);
    form_cover(basis);
    sort_kernel(basis);
    fill_kernel(basis);
    return factor_kernel(basis);
}
