// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// A basis of the faceted contact LCP, and the solution of systems with it that never forms the
// LCP's matrix. Pairs of variables are numbered: item i has the pair (ν_i, θ_i) at i, and, when it
// has friction, (σ_ij, φ_ij) at group_i + j and (γ_i, λ_i) at group_i + facets_i. Of each pair one
// variable is basic, but for the pair `open` of which none is.
#ifndef CAIRN_SOLVE_LEMKE_BASIS_H
#define CAIRN_SOLVE_LEMKE_BASIS_H

#include "solve/pivot/lemke_form.h"

/// A column of the reduced problem: up to two parts of `width` numbers at places of v.
typedef struct cairn_lemke_span {
    int place[2];
    const double* part[2];
} cairn_lemke_span;

/// Values of all basic variables (by pair), of z_0, and v of these impulses.
typedef struct cairn_lemke_point {
    double* value;
    double* v;
    double z0;
} cairn_lemke_point;

/// What a system is solved for.
typedef enum cairn_lemke_load {
    CAIRN_LEMKE_DATA,     ///< q: the values of the basic variables
    CAIRN_LEMKE_IMPULSE,  ///< unit growth of θ, φ or λ of a pair
    CAIRN_LEMKE_VELOCITY, ///< unit growth of ν, σ or γ of a pair
} cairn_lemke_load;

typedef struct cairn_lemke_basis {
    const cairn_lemke_form* form;
    int pairs;
    int* group;               ///< per item: its first friction pair, or -1
    int* item_of;             ///< per pair
    unsigned char* impulse;   ///< per pair: whether its θ, φ or λ is basic
    unsigned char* is_active; ///< per item: whether its friction takes part
    double* q;                ///< N, T, S per item: the data that is solved for
    double* lift;             ///< per pair: added to the data of σ
    double* cover;            ///< per pair: c, how z_0 lifts its row
    unsigned char* firm;      ///< per item: its friction takes part whether its θ is basic or not
    int* active;              ///< items whose friction takes part
    int active_count;
    int* theta; ///< items whose θ is basic
    int theta_count;
    int* phi; ///< friction pairs whose φ is basic
    int phi_count;
    int open; ///< the pair of which no variable is basic, or -1
    bool has_z0;
    bool motors; ///< some item is a motor

    // the kernel: one row and column per basic θ, per basic φ that is not an x, and for z_0
    int* x;     ///< per item: the facet whose φ is eliminated by γ = 0, or -1
    int* kappa; ///< the other basic friction pairs
    int kappa_count;
    int size, capacity;
    int largest;      ///< the largest kernel so far
    bool empty_slack; ///< the open σ carries a λ without φ: the γ row stands in for it
    bool limit_row;   ///< the last row of the kernel is that of γ
    double* kernel;   ///< size x size, row-major, rows and columns by `order`, factored in place
    int* order;       ///< items ascending, so that what shares no body is far apart; z_0 last
    int* bucket;      ///< per item, scratch
    int* end;         ///< of each row of the kernel: zeros from here to the column of z_0
    int* reach;       ///< of each column: zeros from here to the row of the open pair
    int* swap;
    double* sorted;          ///< the right-hand side by `order`
    double* gram;            ///< the kernel's products, before they are factored (stride: capacity)
    double* gram_last;       ///< those of the last basis
    int* slot;               ///< per pair: its row in gram_last, or -1
    int* slot_pair;          ///< the pair of each row in gram_last
    int* slot_x;             ///< the x that each row and column was made with
    int slots;               ///< rows of gram_last
    cairn_lemke_span* left;  ///< rows
    cairn_lemke_span* right; ///< columns
    double* star;            ///< their numbers, where they are sums
    double* cover_column;    ///< Σ D_x c
    bool covered;            ///< it is not zero
    double* rhs;
    double* last;       ///< a solution that is being refined
    double* p;          ///< what the load and the eliminated φ do to v
    double* item_theta; ///< per item, scratch
    double* item_phi;
    double* item_slack;
    const cairn_stop* stop; ///< ends a factorization, which then fails; or NULL
} cairn_lemke_basis;

/// Takes memory; every variable ν, σ, γ is basic. False: no memory.
bool cairn_lemke_basis_make(cairn_lemke_basis* basis, const cairn_lemke_form* form,
                            cairn_arena* arena);
bool cairn_lemke_point_make(cairn_lemke_point* point, const cairn_lemke_basis* basis,
                            cairn_arena* arena);

/// Back to the start: all velocities basic, no friction active but that of motors.
void cairn_lemke_basis_reset(cairn_lemke_basis* basis);

/// Makes the friction of an item take part, its rows covered by `cover`; firm unless that is zero.
void cairn_lemke_basis_activate(cairn_lemke_basis* basis, int item, double cover);

/// Takes the friction of an item out; its φ and λ leave the basis.
void cairn_lemke_basis_deactivate(cairn_lemke_basis* basis, int item);

/// Makes the impulse or the velocity of a pair basic.
void cairn_lemke_basis_set(cairn_lemke_basis* basis, int pair, bool impulse);

/// Builds and factors the kernel (lemke_factor.c). False: it is singular or too large.
bool cairn_lemke_basis_factor(cairn_lemke_basis* basis);

/// Solves the factored kernel for basis->rhs, in place.
void cairn_lemke_basis_backsolve(cairn_lemke_basis* basis);

/// Solves for a load; `pair` is ignored for data.
void cairn_lemke_basis_solve(cairn_lemke_basis* basis, cairn_lemke_point* point,
                             cairn_lemke_load load, int pair);

/// The pair (γ, λ) of an item with friction.
static inline int cairn_lemke_limit_pair(const cairn_lemke_basis* basis, int item)
{
    return basis->group[item] + basis->form->items[item].facets;
}

/// The product of two spans: what shares no body has none.
static inline double cairn_lemke_span_product(const cairn_lemke_span* a, const cairn_lemke_span* b,
                                              int width)
{
    double sum = 0.0;
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
            if (a->place[i] >= 0 && a->place[i] == b->place[j])
                sum += cairn_lemke_dot(a->part[i], b->part[j], width);
    return sum;
}

/// n N + x T + y S of an item, with memory for two parts at `to`
static inline cairn_lemke_span cairn_lemke_combine(const cairn_lemke_item* item, double n, double x,
                                                   double y, double* to, int width)
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

/// A span times v.
static inline double cairn_lemke_span_dot(const cairn_lemke_span* a, const double* v, int width)
{
    double sum = 0.0;
    for (int i = 0; i < 2; i++)
        if (a->place[i] >= 0)
            sum += cairn_lemke_dot(a->part[i], v + a->place[i], width);
    return sum;
}

/// c of the row of a pair; of σ_κ - σ_x where the item has an x
static inline double cairn_lemke_row_cover(const cairn_lemke_basis* basis, int pair)
{
    int item = basis->item_of[pair], x = basis->x[item];
    bool facet = pair >= basis->form->count && pair != cairn_lemke_limit_pair(basis, item);
    return basis->cover[pair] - (facet && x >= 0 ? basis->cover[basis->group[item] + x] : 0.0);
}

/// The difference of a facet's corner to that of x (zero when there is no x)
static inline void cairn_lemke_corner(const cairn_lemke_basis* basis, int item, int facet,
                                      double* corner)
{
    const double* c = basis->form->items[item].corner;
    int x = basis->x[item];
    corner[0] = c[2 * facet] - (x >= 0 ? c[2 * x] : 0.0);
    corner[1] = c[2 * facet + 1] - (x >= 0 ? c[2 * x + 1] : 0.0);
}

#endif
