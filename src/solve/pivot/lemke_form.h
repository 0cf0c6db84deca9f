// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// A contact problem as Lemke's method sees it: unilateral items with faceted friction,
//
//     v = p + Σ_i N_i θ_i + Σ_ij D_ij φ_ij,     D_ij = x_j T_i + y_j S_i   (corner j)
//
//     ν_i  = N_i·v  + q_N              >= 0  ⟂  θ_i  >= 0
//     σ_ij = D_ij·v + q_ij + λ_i       >= 0  ⟂  φ_ij >= 0
//     γ_i  = μ_i θ_i - Σ_j φ_ij + q_γ  >= 0  ⟂  λ_i  >= 0
//
// Contacts, limits and motors are items; equality rows are projected away; compliance and an
// explicit A become further dimensions of the columns. Items are scaled to N·N ~ 1, q to max 1.
#ifndef CAIRN_SOLVE_LEMKE_FORM_H
#define CAIRN_SOLVE_LEMKE_FORM_H

#include "solve/method.h"

/// One unilateral item. Its columns N, T, S are one or two parts of `width` numbers at places of v.
typedef struct cairn_lemke_item {
    int row;               ///< its first row in the problem
    int rows;              ///< 1 (N or, for a motor, T alone), 2 or 3
    int place[2];          ///< where each part begins in v, or -1
    const double* part[2]; ///< N, T, S: 3 x width numbers each
    int facets;            ///< corners of its friction; 0: none
    const double* corner;  ///< x, y of each corner
    double mu;             ///< how much Σ φ grows with θ
    double q[3];           ///< of N, T and S
    double q_limit;        ///< q_γ: the room of a motor
    double unit;           ///< impulse = unit * form->unit * (θ, φ)
    double sign;           ///< -1: a row bounded above alone, mirrored
    double shift;          ///< impulse at θ = 0 or, of a motor, at φ = 0
    double slide[2];       ///< known slip: T and S impulse per normal impulse
    bool motor;            ///< no θ: row is T
    bool sliding;          ///< `slide` counts
} cairn_lemke_item;

typedef struct cairn_lemke_form {
    int count; ///< items
    cairn_lemke_item* items;
    int width;           ///< numbers in a part: 6, or dim when columns are dense
    int dim;             ///< numbers in v
    int facets;          ///< Σ of the items' facets
    double unit;         ///< of impulses, beside each item's own
    const double* dense; ///< A of the items (3 per item), when it is no product of columns, or NULL
    bool sliding;        ///< some item slides in a known direction
    bool simpler;        ///< an ellipse or a spin was replaced by a regular polygon
    int bilateral;       ///< independent equality rows
    int* bilateral_row;  ///< their rows in the problem
    double* Q;           ///< bilateral x dim, orthonormal
    double* R;           ///< B = Q R: R_ik at R + stride i + k
    int stride;          ///< of R
    double* g;           ///< R^-T b of the equality rows
} cairn_lemke_form;

/// Builds the form with memory from the job's arena. CAIRN_NOT_SUPPORTED for friction sets that
/// have no corners.
cairn_status cairn_lemke_form_make(cairn_lemke_form* form, cairn_job* job, cairn_error* error);

/// The impulses of all rows from θ (per item) and the friction impulses T, S (2 per item), all in
/// the form's units. A direction (of a ray) has no shifts and no velocities of its own.
cairn_status cairn_lemke_form_impulses(const cairn_lemke_form* form, cairn_job* job, double* lambda,
                                       const double* theta, const double* friction, bool direction);

/// Whether impulses along a ray prove that there are no finite ones: they move nothing, while the
/// velocities of their rows ask for more of them. True for every ray where A is not symmetric,
/// which leaves no such proof. `v` has room for dim numbers.
bool cairn_lemke_form_jams(const cairn_lemke_form* form, const double* theta,
                           const double* friction, double* v);

/// The other way: θ and friction of impulses that may be of any origin, θ >= 0.
void cairn_lemke_form_guess(const cairn_lemke_form* form, const double* lambda, double* theta,
                            double* friction);

/// x·y over a part; the width of one body is unrolled.
static inline double cairn_lemke_dot(const double* x, const double* y, int width)
{
    if (width == 6)
        return (x[0] * y[0] + x[1] * y[1] + x[2] * y[2]) +
               (x[3] * y[3] + x[4] * y[4] + x[5] * y[5]);
    double sum = 0.0;
    for (int k = 0; k < width; k++)
        sum += x[k] * y[k];
    return sum;
}

/// Column `which` (0: N, 1: T, 2: S) of an item times v.
static inline double cairn_lemke_item_dot(const cairn_lemke_item* item, int which, const double* v,
                                          int width)
{
    double sum = 0.0;
    for (int side = 0; side < 2; side++)
        if (item->place[side] >= 0)
            sum += cairn_lemke_dot(item->part[side] + which * width, v + item->place[side], width);
    return sum;
}

/// v += s times column `which` of an item.
static inline void cairn_lemke_item_add(const cairn_lemke_item* item, int which, double s,
                                        double* v, int width)
{
    for (int side = 0; side < 2; side++) {
        if (item->place[side] < 0)
            continue;
        const double* x = item->part[side] + which * width;
        double* to = v + item->place[side];
        for (int k = 0; k < width; k++)
            to[k] += s * x[k];
    }
}

#endif
