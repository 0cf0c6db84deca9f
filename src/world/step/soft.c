// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Soft contacts: the normal force is that of a spring and a damper that push and never pull. With
// the overlap -x > 0, v_N before and u_N after a kick of η seconds in a step of h, and the
// trapezoidal rule (Newmark's with γ = 1/2, β = 1/4, which neither gains nor loses energy, and is
// stable for every k),
//
//     λ = -η (k (x + β h² (u_N - v_N)/η) + c (u_N + v_N)/2),      λ >= 0,
//
// which is a contact row with compliance:
//
//     0 <= λ  ⟂  u_N + λ/S + (η k x - (β h² k - η c/2) v_N)/S >= 0,      S = β h² k + η c/2.
//
// An impact is caught within a step, at an overlap of up to h v: with a = J M^-1 J^T this is wrong
// by up to h² k a/4 of the energy. Where h² k a > 1/4 (a contact lasts less than six steps or so)
// the spring is taken where the step would lead, which only loses energy:
//
//     λ = -η (k (x + h u_N) + c u_N)   ⇔   u_N + λ/S + k x/(h k + c) = 0,      S = η (h k + c).
//
// At rest u_N = v_N = 0 and λ = η m g: the overlap is m g / k. Open contacts take no part, nor do
// soft ones in an impact. Overlaps are not pushed apart. Friction is that of other contacts.
//
// Two soft materials are springs in series, 1/k = 1/k_A + 1/k_B, and their dampers give
// c = k² (c_A/k_A² + c_B/k_B²), right for motions slower than c/k.

#include "world/step/contact_law.h"
#include "world/step/island.h"

// of one material: 1/k and c/k²; a rigid one has neither
static void add_series(const cairn_material* m, double* yield, double* lag)
{
    if (!(m->stiffness > 0.0))
        return;
    *yield += 1.0 / m->stiffness;
    *lag += m->damping / (m->stiffness * m->stiffness);
}

cairn_spring cairn_spring_of(const cairn_material* m, const cairn_material* k)
{
    double yield = 0.0, lag = 0.0;
    add_series(m, &yield, &lag);
    add_series(k, &yield, &lag);
    if (yield == 0.0)
        return (cairn_spring){0.0, 0.0};
    double stiffness = 1.0 / yield;
    return (cairn_spring){stiffness, lag * stiffness * stiffness};
}

cairn_spring_law cairn_touch_soft_law(const cairn_span* span, const cairn_touch* touch, double gap,
                                      double speed, double mobility)
{
    const double beta = 0.25, stiff = 0.25;
    cairn_spring s = cairn_touch_spring(touch, span->world);
    if (span->h * span->h * s.stiffness * mobility > stiff) {
        double per_speed = span->h * s.stiffness + s.damping;
        return (cairn_spring_law){span->kick * per_speed, s.stiffness * gap / per_speed};
    }
    double inertial = beta * span->h * span->h * s.stiffness,
           viscous = 0.5 * span->kick * s.damping;
    double slope = inertial + viscous;
    return (cairn_spring_law){
        .slope = slope,
        .bias = (span->kick * s.stiffness * gap - (inertial - viscous) * speed) / slope};
}

double cairn_touch_soft_energy(const cairn_touch* touch, const cairn_world* world)
{
    if (!touch->soft || touch->gone)
        return 0.0;
    double gap = fmin(cairn_touch_reach(touch, world).gap, 0.0);
    return 0.5 * cairn_touch_spring(touch, world).stiffness * gap * gap;
}
