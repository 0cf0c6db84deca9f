// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The passes over clusters of contacts (cluster.h), one source for every instruction set. With the
// frame c = (n, t, s = n x t), the arms r and the bodies' velocities v, ω,
//
//     p   = v_B + ω_B x r_B - v_A - ω_A x r_A,      u_i = c_i·p + bias_i
//     A_ij = c_i·K c_j,    K c = Σ c/m + (I^-1 (r x c)) x r     over both bodies
//     λ_N ← max(0, λ_N - u_N/A_NN),   λ_F ← P_disc(μ λ_N)(λ_F - u_F/max(A_TT, A_SS))
//     P = n Δ_N + t Δ_T + s Δ_S,      v_B += P/m_B,   ω_B += I_B^-1 (r_B x P),   A the other way
//
// Lanes share no body, so no sum runs across lanes and every instruction set gives the same bits.

#include "world/cluster.h"
#include <math.h>

// vectors wider than the machine's are passed between inlined functions of this file alone
#pragma GCC diagnostic ignored "-Wpsabi"

typedef cairn_double8 real;
typedef cairn_long8 mask;

typedef struct vec {
    real x, y, z;
} vec;

// the numbers of the bodies of eight lanes
typedef struct bodies {
    real w[8];
} bodies;

CAIRN_INLINE real load(const double* x)
{
    real v;
    memcpy(&v, x, sizeof v);
    return v;
}

CAIRN_INLINE void keep(double* x, real v)
{
    memcpy(x, &v, sizeof v);
}

CAIRN_INLINE real all(double x)
{
    return (real){x, x, x, x, x, x, x, x};
}

CAIRN_INLINE real pick(mask yes, real a, real b)
{
    return (real)((yes & (mask)a) | (~yes & (mask)b));
}

CAIRN_INLINE real largest(real a, real b)
{
    return pick(a > b, a, b);
}

CAIRN_INLINE real magnitude(real a)
{
    return largest(a, -a);
}

CAIRN_INLINE real root(real a)
{
    double x[8];
    memcpy(x, &a, sizeof x);
    for (int i = 0; i < 8; i++)
        x[i] = __builtin_sqrt(x[i]);
    return load(x);
}

// 8x8: lanes become numbers and numbers lanes; its own inverse
CAIRN_INLINE bodies transpose(bodies r)
{
    bodies a, b, c;
    for (int k = 0; k < 4; k++) {
        real low = r.w[2 * k], high = r.w[2 * k + 1];
        a.w[2 * k] = __builtin_shufflevector(low, high, 0, 8, 2, 10, 4, 12, 6, 14);
        a.w[2 * k + 1] = __builtin_shufflevector(low, high, 1, 9, 3, 11, 5, 13, 7, 15);
    }
    for (int k = 0; k < 2; k++)
        for (int odd = 0; odd < 2; odd++) {
            real low = a.w[4 * k + odd], high = a.w[4 * k + 2 + odd];
            b.w[4 * k + odd] = __builtin_shufflevector(low, high, 0, 1, 8, 9, 4, 5, 12, 13);
            b.w[4 * k + 2 + odd] = __builtin_shufflevector(low, high, 2, 3, 10, 11, 6, 7, 14, 15);
        }
    for (int k = 0; k < 4; k++) {
        c.w[k] = __builtin_shufflevector(b.w[k], b.w[4 + k], 0, 1, 2, 3, 8, 9, 10, 11);
        c.w[4 + k] = __builtin_shufflevector(b.w[k], b.w[4 + k], 4, 5, 6, 7, 12, 13, 14, 15);
    }
    return c;
}

CAIRN_INLINE bodies gather(const double* from, const int32_t* place)
{
    bodies s;
    for (int l = 0; l < 8; l++)
        s.w[l] = load(from + 8 * (ptrdiff_t)place[l]);
    return transpose(s);
}

CAIRN_INLINE void scatter(double* to, const int32_t* place, bodies s)
{
    s = transpose(s);
    for (int l = 0; l < 8; l++)
        keep(to + 8 * (ptrdiff_t)place[l], s.w[l]);
}

CAIRN_INLINE vec load3(double (*x)[8])
{
    return (vec){load(x[0]), load(x[1]), load(x[2])};
}

CAIRN_INLINE void keep3(double (*x)[8], vec v)
{
    keep(x[0], v.x);
    keep(x[1], v.y);
    keep(x[2], v.z);
}

CAIRN_INLINE vec plus(vec a, vec b)
{
    return (vec){a.x + b.x, a.y + b.y, a.z + b.z};
}

CAIRN_INLINE vec minus(vec a, vec b)
{
    return (vec){a.x - b.x, a.y - b.y, a.z - b.z};
}

CAIRN_INLINE vec times(real s, vec a)
{
    return (vec){s * a.x, s * a.y, s * a.z};
}

CAIRN_INLINE real dot(vec a, vec b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

CAIRN_INLINE vec cross(vec a, vec b)
{
    return (vec){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

// v + ω x r
CAIRN_INLINE vec point_velocity(const bodies* s, vec arm)
{
    return plus((vec){s->w[0], s->w[1], s->w[2]}, cross((vec){s->w[3], s->w[4], s->w[5]}, arm));
}

// I^-1 L
CAIRN_INLINE vec turn(const bodies* m, vec L)
{
    return (vec){m->w[1] * L.x + m->w[4] * L.y + m->w[5] * L.z,
                 m->w[4] * L.x + m->w[2] * L.y + m->w[6] * L.z,
                 m->w[5] * L.x + m->w[6] * L.y + m->w[3] * L.z};
}

// what the impulse P at the arm does to a body
CAIRN_INLINE void apply(bodies* s, const bodies* m, vec arm, vec P)
{
    vec w = turn(m, cross(arm, P));
    s->w[0] += m->w[0] * P.x;
    s->w[1] += m->w[0] * P.y;
    s->w[2] += m->w[0] * P.z;
    s->w[3] += w.x;
    s->w[4] += w.y;
    s->w[5] += w.z;
}

// relative velocity of the points, and the frame
CAIRN_INLINE vec approach(const cairn_cluster* cluster, const bodies* s, const vec* arm)
{
    vec p = minus(point_velocity(&s[1], arm[1]), point_velocity(&s[0], arm[0]));
    return plus(p, load3(((cairn_cluster*)cluster)->drive));
}

CAIRN_INLINE void frame(vec* c, cairn_cluster* cluster)
{
    c[0] = load3(cluster->normal);
    c[1] = load3(cluster->tangent);
    c[2] = cross(c[0], c[1]);
}

static double widest(real x)
{
    double most = 0.0;
    for (int l = 0; l < 8; l++)
        most = x[l] > most ? x[l] : most;
    return most;
}

// ---------------------------------------------------------------- placing

// the anchor of a body in the world, from its center: q a q*
CAIRN_INLINE vec rotate(const bodies* pose, vec a)
{
    vec u = {pose->w[4], pose->w[5], pose->w[6]};
    vec t = times(all(2.0), cross(u, a));
    return plus(plus(a, times(pose->w[3], t)), cross(u, t));
}

// K c of one body
CAIRN_INLINE vec answer(const bodies* m, vec arm, vec c)
{
    return plus(times(m->w[0], c), cross(turn(m, cross(arm, c)), arm));
}

CAIRN_INLINE void place_diagonal(cairn_cluster* cluster, const bodies* m, const vec* arm,
                                 const vec* c)
{
    vec K[3];
    real d[3], zero = all(0.0), one = all(1.0);
    for (int i = 0; i < 3; i++) {
        K[i] = plus(answer(&m[0], arm[0], c[i]), answer(&m[1], arm[1], c[i]));
        d[i] = dot(c[i], K[i]);
    }
    real slide = largest(d[1], d[2]);
    keep(cluster->rate[0], pick(d[0] > zero, one / d[0], zero));
    keep(cluster->rate[1], pick(slide > zero, one / slide, zero));
    keep(cluster->coupling[0], dot(c[1], K[0]));
    keep(cluster->coupling[1], dot(c[2], K[0]));
    keep(cluster->mean, (d[0] + d[1] + d[2]) / all(3.0));
}

CAIRN_INLINE real place_one(cairn_cluster* cluster, const cairn_cluster_pass* pass)
{
    const int32_t *a = cluster->body[0], *b = cluster->body[1];
    bodies pose[2] = {gather(pass->pose, a), gather(pass->pose, b)};
    bodies v[2] = {gather(pass->velocity, a), gather(pass->velocity, b)};
    bodies m[2] = {gather(pass->mass, a), gather(pass->mass, b)};
    vec arm[2], at[2], c[3];
    real zero = all(0.0), u[3];
    for (int side = 0; side < 2; side++) {
        arm[side] = rotate(&pose[side], load3(cluster->anchor[side]));
        at[side] = plus((vec){pose[side].w[0], pose[side].w[1], pose[side].w[2]}, arm[side]);
        keep3(cluster->arm[side], arm[side]);
    }
    frame(c, cluster);
    real gap = dot(c[0], minus(at[1], at[0]));
    real open = gap / all(pass->remaining);
    real deep = all(pass->baumgarte) * (gap + all(pass->slop)) / all(pass->remaining);
    real bias = pick(gap > all(pass->touching), open, pick(gap < all(-pass->slop), deep, zero));
    vec p = approach(cluster, v, arm);
    for (int i = 0; i < 3; i++)
        u[i] = dot(c[i], p);
    keep(cluster->gap, gap);
    keep(cluster->bias, bias);
    place_diagonal(cluster, m, arm, c);
    return largest(magnitude(u[0] + bias), largest(magnitude(u[1]), magnitude(u[2])));
}

void CAIRN_KERNEL(cairn_cluster_place)(cairn_cluster_pass* pass)
{
    real most = all(0.0), least = all(INFINITY);
    for (int i = 0; i < pass->count; i++) {
        most = largest(most, place_one(&pass->clusters[i], pass));
        real gap = load(pass->clusters[i].gap);
        least = pick(gap < least, gap, least);
    }
    pass->worst = widest(most);
    pass->deepest = INFINITY;
    for (int l = 0; l < 8; l++)
        pass->deepest = least[l] < pass->deepest ? least[l] : pass->deepest;
}

// ---------------------------------------------------------------- impulses

void CAIRN_KERNEL(cairn_cluster_push)(cairn_cluster_pass* pass)
{
    for (int i = 0; i < pass->count; i++) {
        cairn_cluster* cluster = &pass->clusters[i];
        const int32_t *a = cluster->body[0], *b = cluster->body[1];
        bodies s[2] = {gather(pass->velocity, a), gather(pass->velocity, b)};
        bodies m[2] = {gather(pass->mass, a), gather(pass->mass, b)};
        vec c[3];
        frame(c, cluster);
        vec P = plus(
            times(load(cluster->lambda[0]), c[0]),
            plus(times(load(cluster->lambda[1]), c[1]), times(load(cluster->lambda[2]), c[2])));
        apply(&s[0], &m[0], load3(cluster->arm[0]), times(all(-1.0), P));
        apply(&s[1], &m[1], load3(cluster->arm[1]), P);
        scatter(pass->velocity, a, s[0]);
        scatter(pass->velocity, b, s[1]);
    }
}

// ---------------------------------------------------------------- sweeps

// (x, y) cut to the disc of radius `limit`
CAIRN_INLINE mask cut(real* x, real* y, real limit)
{
    real square = *x * *x + *y * *y;
    mask slides = square > limit * limit;
    real share = limit / root(square);
    *x = pick(slides, *x * share, *x);
    *y = pick(slides, *y * share, *y);
    return slides;
}

CAIRN_INLINE real sweep_one(cairn_cluster* cluster, const cairn_cluster_pass* pass)
{
    const int32_t *a = cluster->body[0], *b = cluster->body[1];
    bodies s[2] = {gather(pass->velocity, a), gather(pass->velocity, b)};
    vec c[3], arm[2] = {load3(cluster->arm[0]), load3(cluster->arm[1])};
    real zero = all(0.0), u[3], old[3], now[3], delta[3];
    frame(c, cluster);
    vec p = approach(cluster, s, arm);
    for (int i = 0; i < 3; i++) {
        u[i] = dot(c[i], p);
        old[i] = load(cluster->lambda[i]);
    }
    u[0] += load(cluster->bias);

    // normal, then friction at the velocity that the normal's change leaves
    now[0] = largest(old[0] - load(cluster->rate[0]) * u[0], zero);
    delta[0] = now[0] - old[0];
    u[1] += load(cluster->coupling[0]) * delta[0];
    u[2] += load(cluster->coupling[1]) * delta[0];
    real rate = load(cluster->rate[1]);
    now[1] = old[1] - rate * u[1];
    now[2] = old[2] - rate * u[2];
    cut(&now[1], &now[2], load(cluster->mu) * now[0]);
    delta[1] = now[1] - old[1];
    delta[2] = now[2] - old[2];
    for (int i = 0; i < 3; i++)
        keep(cluster->lambda[i], now[i]);
    bodies m[2] = {gather(pass->mass, a), gather(pass->mass, b)};
    vec P = plus(times(delta[0], c[0]), plus(times(delta[1], c[1]), times(delta[2], c[2])));
    apply(&s[0], &m[0], arm[0], times(all(-1.0), P));
    apply(&s[1], &m[1], arm[1], P);
    scatter(pass->velocity, a, s[0]);
    scatter(pass->velocity, b, s[1]);
    real slide = largest(magnitude(delta[1]), magnitude(delta[2]));
    return largest(magnitude(delta[0]), slide) * load(cluster->mean);
}

void CAIRN_KERNEL(cairn_cluster_sweep)(cairn_cluster_pass* pass)
{
    real most = all(0.0);
    for (int i = 0; i < pass->count; i++) {
        int k = pass->backward ? pass->count - 1 - i : i;
        most = largest(most, sweep_one(&pass->clusters[k], pass));
    }
    pass->worst = widest(most);
}

// ---------------------------------------------------------------- the certificate

CAIRN_INLINE real measure_one(cairn_cluster* cluster, const cairn_cluster_pass* pass)
{
    bodies s[2] = {gather(pass->velocity, cluster->body[0]),
                   gather(pass->velocity, cluster->body[1])};
    vec c[3], arm[2] = {load3(cluster->arm[0]), load3(cluster->arm[1])};
    real zero = all(0.0), mean = load(cluster->mean), x[3], y[3];
    real over = pick(mean > zero, all(1.0) / mean, zero);
    frame(c, cluster);
    vec p = approach(cluster, s, arm);
    for (int i = 0; i < 3; i++) {
        real u = dot(c[i], p);
        x[i] = load(cluster->lambda[i]);
        y[i] = x[i] - over * (i == 0 ? u + load(cluster->bias) : u);
    }
    y[0] = largest(y[0], zero);
    cut(&y[1], &y[2], load(cluster->mu) * largest(x[0], zero));
    for (int i = 0; i < 3; i++)
        y[i] -= x[i];
    return mean * root(y[0] * y[0] + y[1] * y[1] + y[2] * y[2]);
}

void CAIRN_KERNEL(cairn_cluster_measure)(cairn_cluster_pass* pass)
{
    real most = all(0.0);
    for (int i = 0; i < pass->count; i++)
        most = largest(most, measure_one(&pass->clusters[i], pass));
    pass->worst = widest(most);
}

// ---------------------------------------------------------------- positions

// x ← max(0, x - (gap + n·d)/A_NN), d = displacement of the points
CAIRN_INLINE void part_one(cairn_cluster* cluster, const cairn_cluster_pass* pass)
{
    const int32_t *a = cluster->body[0], *b = cluster->body[1];
    bodies s[2] = {gather(pass->velocity, a), gather(pass->velocity, b)};
    vec n = load3(cluster->normal), arm[2] = {load3(cluster->arm[0]), load3(cluster->arm[1])};
    vec d = minus(point_velocity(&s[1], arm[1]), point_velocity(&s[0], arm[0]));
    real gap = largest(load(cluster->gap) + all(pass->slop), all(-pass->longest));
    real old = load(cluster->amount);
    real now = largest(old - load(cluster->rate[0]) * (gap + dot(n, d)), all(0.0));
    keep(cluster->amount, now);
    bodies m[2] = {gather(pass->mass, a), gather(pass->mass, b)};
    vec P = times(now - old, n);
    apply(&s[0], &m[0], arm[0], times(all(-1.0), P));
    apply(&s[1], &m[1], arm[1], P);
    scatter(pass->velocity, a, s[0]);
    scatter(pass->velocity, b, s[1]);
}

void CAIRN_KERNEL(cairn_cluster_part)(cairn_cluster_pass* pass)
{
    for (int i = 0; i < pass->count; i++)
        part_one(&pass->clusters[pass->backward ? pass->count - 1 - i : i], pass);
}

void CAIRN_KERNEL(cairn_cluster_follow)(double* x, double* way, const double* before, int n,
                                        double beta)
{
    for (int k = 0; k < n; k += 8) {
        real now = load(x + k), p = all(beta) * load(way + k);
        keep(way + k, p + (now - load(before + k)));
        keep(x + k, now + p);
    }
}
