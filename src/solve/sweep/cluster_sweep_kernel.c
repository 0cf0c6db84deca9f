// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Sweeps over clusters of contacts (cluster.h), in single precision, a register of lanes at a time.
// With the frame c = (n, t, s = n x t), the arms r and the bodies' velocities v, ω,
//
//     p   = v_B + ω_B x r_B - v_A - ω_A x r_A,      u_i = c_i·p + bias_i
//     A_ij = c_i·K c_j,    K c = Σ c/m + (I^-1 (r x c)) x r     over both bodies
//     λ_N ← max(0, λ_N - u_N/A_NN),   λ_F ← P_disc(μ λ_N)(λ_F - u_F/max(A_TT, A_SS))
//     P = n Δ_N + t Δ_T + s Δ_S,      v_B += P/m_B,   ω_B += I_B^-1 (r_B x P),   A the other way
//
// Friction in an ellipsoid is in lanes_law.h.
//
// Before it, the impulses step along the way p of the conjugate directions (cluster_solve.c) as the
// velocities did: λ += β p, p = β p + d. Lanes share no body, so no sum runs across lanes and every
// instruction set gives the same bits.

#include "solve/sweep/cluster.h"
#include <math.h>

// vectors wider than the machine's are passed between inlined functions of this file alone
#pragma GCC diagnostic ignored "-Wpsabi"

#include "solve/sweep/lanes_swift.h"

#include "solve/sweep/lanes_law.h"

// P on B, -P on A
CAIRN_INLINE void strike(bodies* s, const cairn_swift* swift, int at,
                         const cairn_cluster_pass* pass, const vec* arm, vec P)
{
    const int32_t *a = swift->body[0] + at, *b = swift->body[1] + at;
    if (pass->round) {
        apply_round(&s[0], arm[0], times(all(-1.0f), P));
        apply_round(&s[1], arm[1], P);
        scatter(pass->swift_velocity, a, s[0]);
        scatter(pass->swift_velocity, b, s[1]);
        return;
    }
    bodies m[2] = {gather(pass->swift_mass, a), gather(pass->swift_mass, b)};
    apply(&s[0], &m[0], arm[0], times(all(-1.0f), P));
    apply(&s[1], &m[1], arm[1], P);
    scatter(pass->swift_velocity, a, s[0]);
    scatter(pass->swift_velocity, b, s[1]);
}

// P on B, -P on A, and the moment L likewise
CAIRN_INLINE void strike_and_turn(bodies* s, const cairn_swift* swift, int at,
                                  const cairn_cluster_pass* pass, const vec* arm, vec P, vec L)
{
    for (int side = 0; side < 2; side++) {
        const int32_t* body = swift->body[side] + at;
        real sign = all(side ? 1.0f : -1.0f);
        vec own = times(sign, P), moment = plus(cross(arm[side], own), times(sign, L)), v, w;
        if (pass->round) {
            v = times(s[side].w[6], own);
            w = times(s[side].w[7], moment);
        } else {
            bodies m = gather(pass->swift_mass, body);
            v = times(m.w[0], own);
            w = turn(&m, moment);
        }
        const real change[6] = {v.x, v.y, v.z, w.x, w.y, w.z};
        for (int k = 0; k < 6; k++)
            s[side].w[k] += change[k];
        scatter(pass->swift_velocity, body, s[side]);
    }
}

// ---------------------------------------------------------------- the diagonal

CAIRN_INLINE void law_diagonal_lanes(cairn_swift* swift, cairn_cluster_law* law, int at,
                                     const cairn_cluster_pass* pass)
{
    bodies m[2] = {gather(pass->swift_mass, swift->body[0] + at),
                   gather(pass->swift_mass, swift->body[1] + at)};
    vec c[3], arm[2] = {load3(swift->arm[0], at), load3(swift->arm[1], at)};
    frame(c, load3(swift->normal, at));
    find_rates(law, at, m, c, arm);
}

CAIRN_INLINE void diagonal_lanes(cairn_swift* swift, int at, const cairn_cluster_pass* pass)
{
    const real zero = all(0.0f), one = all(1.0f);
    bodies m[2] = {gather(pass->swift_mass, swift->body[0] + at),
                   gather(pass->swift_mass, swift->body[1] + at)};
    vec c[3], K[3], arm[2] = {load3(swift->arm[0], at), load3(swift->arm[1], at)};
    real d[3];
    frame(c, load3(swift->normal, at));
    for (int i = 0; i < 3; i++) {
        K[i] = plus(answer(&m[0], arm[0], c[i]), answer(&m[1], arm[1], c[i]));
        d[i] = dot(c[i], K[i]);
    }
    real slide = largest(d[1], d[2]);
    keep(swift->rate[0] + at, pick(d[0] > zero, one / d[0], zero));
    keep(swift->rate[1] + at, pick(slide > zero, one / slide, zero));
    keep(swift->coupling[0] + at, dot(c[1], K[0]));
    keep(swift->coupling[1] + at, dot(c[2], K[0]));
}

double CAIRN_KERNEL(cairn_cluster_diagonal)(const cairn_cluster_pass* pass, int first, int end)
{
    for (int i = first; i < end; i++)
        for (int at = 0; at < cairn_cluster_lanes; at += wide)
            diagonal_lanes(&pass->swift[i], at, pass);
    for (int i = first; i < end && pass->law; i++)
        for (int at = 0; at < cairn_cluster_lanes; at += wide)
            law_diagonal_lanes(&pass->swift[i], &pass->law[i], at, pass);
    return 0.0;
}

// ---------------------------------------------------------------- sweeps

// λ + β p, and p = β p + d
CAIRN_INLINE real step_along(const float* lambda, float* way, const float* change, float beta)
{
    real step = all(beta) * load(way);
    keep(way, step + load(change));
    return load(lambda) + step;
}

CAIRN_INLINE real sweep_lanes(cairn_swift* swift, int at, const cairn_cluster_pass* pass)
{
    bodies s[2] = {gather(pass->swift_velocity, swift->body[0] + at),
                   gather(pass->swift_velocity, swift->body[1] + at)};
    vec c[3], arm[2] = {load3(swift->arm[0], at), load3(swift->arm[1], at)};
    real u[3], old[3], now[3], delta[3];
    frame(c, load3(swift->normal, at));
    vec p = approach(s, arm);
    for (int i = 0; i < 3; i++) {
        u[i] = dot(c[i], p) + load(swift->bias[i] + at);
        old[i] = step_along(swift->lambda[i] + at, swift->way[i] + at, swift->change[i] + at,
                            pass->beta);
    }

    // normal, then friction at the velocity that the normal's change leaves
    now[0] = largest(old[0] - load(swift->rate[0] + at) * u[0], all(0.0f));
    delta[0] = now[0] - old[0];
    u[1] += load(swift->coupling[0] + at) * delta[0];
    u[2] += load(swift->coupling[1] + at) * delta[0];
    real rate = load(swift->rate[1] + at);
    now[1] = old[1] - rate * u[1];
    now[2] = old[2] - rate * u[2];
    cut(&now[1], &now[2], load(swift->mu + at) * now[0]);
    delta[1] = now[1] - old[1];
    delta[2] = now[2] - old[2];
    for (int i = 0; i < 3; i++) {
        keep(swift->lambda[i] + at, now[i]);
        keep(swift->change[i] + at, delta[i]);
    }
    strike(s, swift, at, pass, arm,
           plus(times(delta[0], c[0]), plus(times(delta[1], c[1]), times(delta[2], c[2]))));
    real slide = largest(magnitude(delta[1]), magnitude(delta[2]));
    return largest(magnitude(delta[0]), slide) * load(swift->mean + at);
}

// the same of contacts with ellipsoids of friction
CAIRN_INLINE real sweep_law_lanes(cairn_swift* swift, cairn_cluster_law* law, int at,
                                  const cairn_cluster_pass* pass)
{
    bodies s[2] = {gather(pass->swift_velocity, swift->body[0] + at),
                   gather(pass->swift_velocity, swift->body[1] + at)};
    vec c[3], arm[2] = {load3(swift->arm[0], at), load3(swift->arm[1], at)};
    real u[4], old[4], now[4], most = all(0.0f);
    frame(c, load3(swift->normal, at));
    vec p = approach(s, arm), P = {all(0.0f), all(0.0f), all(0.0f)};
    for (int i = 0; i < 3; i++) {
        u[i] = dot(c[i], p) + load(swift->bias[i] + at);
        old[i] = step_along(swift->lambda[i] + at, swift->way[i] + at, swift->change[i] + at,
                            pass->beta);
    }
    u[3] = spin_about(c[0], s) + load(law->swift_bias + at);
    old[3] = step_along(law->lambda + at, law->way + at, law->change + at, pass->beta);

    real spun = solve_law(now, old, u, load(swift->rate[0] + at), load(swift->mu + at), law, at);
    for (int i = 0; i < 3; i++) {
        keep(swift->lambda[i] + at, now[i]);
        keep(swift->change[i] + at, now[i] - old[i]);
        P = plus(P, times(now[i] - old[i], c[i]));
        most = largest(most, magnitude(now[i] - old[i]));
    }
    keep(law->lambda + at, now[3]);
    keep(law->change + at, now[3] - old[3]);
    strike_and_turn(s, swift, at, pass, arm, P, times(now[3] - old[3], c[0]));
    return largest(most * load(swift->mean + at), spun);
}

CAIRN_INLINE double sweep_laws(const cairn_cluster_pass* pass, int first, int end)
{
    real most = all(0.0f);
    for (int i = first; i < end; i++)
        for (int at = 0; at < cairn_cluster_lanes; at += wide)
            most = largest(most, sweep_law_lanes(&pass->swift[i], &pass->law[i], at, pass));
    return widest(most);
}

double CAIRN_KERNEL(cairn_cluster_sweep)(const cairn_cluster_pass* pass, int first, int end)
{
    real most = all(0.0f);
    if (pass->law)
        return sweep_laws(pass, first, end);
    for (int i = first; i < end; i++)
        for (int at = 0; at < cairn_cluster_lanes; at += wide)
            most = largest(most, sweep_lanes(&pass->swift[i], at, pass));
    return widest(most);
}

// ---------------------------------------------------------------- positions

// x ← max(0, x - (gap + n·d)/A_NN), d = displacement of the points; along the way as above
CAIRN_INLINE real part_lanes(cairn_swift* swift, int at, const cairn_cluster_pass* pass)
{
    bodies s[2] = {gather(pass->swift_velocity, swift->body[0] + at),
                   gather(pass->swift_velocity, swift->body[1] + at)};
    vec n = load3(swift->normal, at);
    vec arm[2] = {load3(swift->arm[0], at), load3(swift->arm[1], at)};
    real gap = load(swift->bias[0] + at) + dot(n, approach(s, arm));
    real old =
        step_along(swift->amount + at, swift->way[0] + at, swift->change[0] + at, pass->beta);
    real now = largest(old - load(swift->rate[0] + at) * gap, all(0.0f));
    keep(swift->amount + at, now);
    keep(swift->change[0] + at, now - old);
    strike(s, swift, at, pass, arm, times(now - old, n));
    return -gap;
}

double CAIRN_KERNEL(cairn_cluster_part)(const cairn_cluster_pass* pass, int first, int end)
{
    real most = all(0.0f);
    for (int i = first; i < end; i++)
        for (int at = 0; at < cairn_cluster_lanes; at += wide)
            most = largest(most, part_lanes(&pass->swift[i], at, pass));
    return widest(most);
}

// ---------------------------------------------------------------- along the way

double CAIRN_KERNEL(cairn_cluster_square)(const float* x, const float* before, const float* weight,
                                          int n)
{
    // sixteen sums, whatever the width
    enum { parts = cairn_cluster_lanes / wide };
    real sum[parts];
    for (int i = 0; i < parts; i++)
        sum[i] = all(0.0f);
    for (int k = 0; k < n; k += cairn_cluster_lanes)
        for (int i = 0; i < parts; i++) {
            int at = k + wide * i;
            real d = load(x + at) - load(before + at);
            sum[i] += load(weight + at) * d * d;
        }
    double square = 0.0;
    for (int i = 0; i < parts; i++)
        for (int l = 0; l < wide; l++)
            square += (double)sum[i][l];
    return square;
}

void CAIRN_KERNEL(cairn_cluster_follow)(float* x, float* way, float* before, int n, float beta)
{
    for (int k = 0; k < n; k += wide) {
        real now = load(x + k), step = all(beta) * load(way + k);
        keep(way + k, step + (now - load(before + k)));
        keep(x + k, now + step);
        keep(before + k, now + step);
    }
}
