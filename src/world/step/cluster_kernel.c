// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The passes over clusters of contacts (cluster.h) that decide what is true: places, gaps and the
// certificate, in double precision, eight lanes at a time. With the frame c = (n, t, s = n x t),
// the arms r and the bodies' velocities v, ω,
//
//     p = v_B + ω_B x r_B - v_A - ω_A x r_A,      u_i = c_i·p + bias_i
//     P = n λ_N + t λ_T + s λ_S                   on B at r_B, -P on A at r_A
//     tr(A_cc) = Σ 3/m + tr(I^-1) r² - r·I^-1 r   over both bodies
//
// Lanes share no body, so no sum runs across lanes and every instruction set gives the same bits.

#include "world/step/cluster.h"
#include <math.h>

// vectors wider than the machine's are passed between inlined functions of this file alone
#pragma GCC diagnostic ignored "-Wpsabi"

typedef double scalar;
typedef cairn_double8 real;
typedef cairn_long8 mask;
#define ROOT __builtin_sqrt
#include "world/step/lanes.h"
#include "world/step/lanes_eight.h"
#define CAIRN_NATURAL_LANES
#include "problem/natural_map.h"

CAIRN_INLINE void keep3(double (*x)[cairn_cluster_lanes], int at, vec v)
{
    keep(x[0] + at, v.x);
    keep(x[1] + at, v.y);
    keep(x[2] + at, v.z);
}

CAIRN_INLINE real widen(const float* x)
{
    cairn_float8 v;
    memcpy(&v, x, sizeof v);
    return __builtin_convertvector(v, real);
}

CAIRN_INLINE void narrow(float* x, real v)
{
    cairn_float8 small = __builtin_convertvector(v, cairn_float8);
    memcpy(x, &small, sizeof small);
}

CAIRN_INLINE void narrow3(float (*x)[cairn_cluster_lanes], int at, vec v)
{
    narrow(x[0] + at, v.x);
    narrow(x[1] + at, v.y);
    narrow(x[2] + at, v.z);
}

// of some lanes
CAIRN_INLINE void narrow_some(float (*x)[cairn_cluster_lanes], int at, mask some, vec v)
{
    narrow(x[0] + at, pick(some, v.x, widen(x[0] + at)));
    narrow(x[1] + at, pick(some, v.y, widen(x[1] + at)));
    narrow(x[2] + at, pick(some, v.z, widen(x[2] + at)));
}

// ---------------------------------------------------------------- placing

// the anchor of a body in the world, from its center: q a q*
CAIRN_INLINE vec rotate(const bodies* pose, vec a)
{
    vec u = {pose->w[4], pose->w[5], pose->w[6]};
    vec t = times(all(2.0), cross(u, a));
    return plus(plus(a, times(pose->w[3], t)), cross(u, t));
}

// lanes where they are: the normal, the arms, and the gap between the ends of these
typedef struct reached {
    vec n, arm[2];
    real gap;
} reached;

CAIRN_INLINE reached reach_anchors(const bodies* pose, cairn_cluster* cluster, int at)
{
    reached r = {.n = load3(cluster->normal, at)};
    vec end[2];
    for (int side = 0; side < 2; side++) {
        r.arm[side] = rotate(&pose[side], load3(cluster->anchor[side], at));
        end[side] = plus((vec){pose[side].w[0], pose[side].w[1], pose[side].w[2]}, r.arm[side]);
    }
    r.gap = dot(r.n, minus(end[1], end[0]));
    return r;
}

// the lanes of balls; see ball.h
CAIRN_INLINE reached reach_balls(const bodies* pose, cairn_cluster* cluster, int at)
{
    vec old = load3(cluster->normal, at);
    vec d = {pose[1].w[0] - pose[0].w[0], pose[1].w[1] - pose[0].w[1], pose[1].w[2] - pose[0].w[2]};
    real a = load(cluster->anchor[0][0] + at), b = load(cluster->anchor[1][0] + at);
    real distance = root(dot(d, d)), radii = a + b;
    vec n = pick3(distance > all(1e-15) * radii, times(all(1.0) / distance, d), old);
    return (reached){n, {times(a, n), times(-b, n)}, distance - radii};
}

// which of eight lanes are of balls
CAIRN_INLINE int balls_of(const cairn_cluster_pass* pass, int i, int at)
{
    return pass->balls[i] >> at & 0xff;
}

CAIRN_INLINE mask lanes_of(int bits)
{
    const mask bit = {1, 2, 4, 8, 16, 32, 64, 128};
    return (bit & (bits - (mask){0})) != 0;
}

CAIRN_INLINE reached reach(const cairn_cluster_pass* pass, int i, int at)
{
    cairn_cluster* cluster = &pass->clusters[i];
    const cairn_swift* swift = &pass->swift[i];
    int bits = balls_of(pass, i, at);
    bodies pose[2] = {gather(pass->pose, swift->body[0] + at),
                      gather(pass->pose, swift->body[1] + at)};
    if (bits == 0)
        return reach_anchors(pose, cluster, at);
    reached balls = reach_balls(pose, cluster, at);
    if (bits == 0xff)
        return balls;
    reached others = reach_anchors(pose, cluster, at);
    mask yes = lanes_of(bits);
    return (reached){
        pick3(yes, balls.n, others.n),
        {pick3(yes, balls.arm[0], others.arm[0]), pick3(yes, balls.arm[1], others.arm[1])},
        pick(yes, balls.gap, others.gap)};
}

// Frames of balls to their new normals: the impulse stays what it was in the world.
CAIRN_INLINE void turn_frames(cairn_cluster* cluster, cairn_swift* swift, int at, mask balls, vec n)
{
    vec old[3], now[3];
    frame(old, load3(cluster->normal, at));
    frame(now, pick3(balls, n, old[0]));
    keep3(cluster->normal, at, now[0]);
    narrow3(swift->normal, at, now[0]);
    vec P = {all(0.0), all(0.0), all(0.0)};
    for (int i = 0; i < 3; i++)
        P = plus(P, times(widen(swift->lambda[i] + at), old[i]));
    for (int i = 0; i < 3; i++)
        narrow(swift->lambda[i] + at, pick(balls, dot(now[i], P), widen(swift->lambda[i] + at)));
}

CAIRN_INLINE real trace(const bodies* m, vec r)
{
    real sum = m->w[1] + m->w[2] + m->w[3];
    return all(3.0) * m->w[0] + sum * dot(r, r) - dot(r, turn(m, r));
}

CAIRN_INLINE real place_lanes(const cairn_cluster_pass* pass, int which, int at)
{
    cairn_cluster* cluster = &pass->clusters[which];
    cairn_swift* swift = &pass->swift[which];
    const int32_t *a = swift->body[0] + at, *b = swift->body[1] + at;
    reached here = reach(pass, which, at);
    vec *arm = here.arm, c[3];
    real zero = all(0.0), u[3], gap = here.gap;
    int balls = balls_of(pass, which, at);
    if (balls)
        turn_frames(cluster, swift, at, lanes_of(balls), here.n);
    bodies v[2] = {gather(pass->velocity, a), gather(pass->velocity, b)};
    bodies m[2] = {gather(pass->mass, a), gather(pass->mass, b)};
    for (int side = 0; side < 2; side++) {
        keep3(cluster->arm[side], at, arm[side]);
        narrow3(swift->arm[side], at, arm[side]);
    }
    frame(c, load3(cluster->normal, at));
    real open = gap / all(pass->remaining);
    real deep = all(pass->baumgarte) * (gap + all(pass->slop)) / all(pass->remaining);
    real bias = pick(gap > all(pass->touching), open, pick(gap < all(-pass->slop), deep, zero));
    real mean = (trace(&m[0], arm[0]) + trace(&m[1], arm[1])) / all(3.0);
    keep(cluster->gap + at, gap);
    keep(cluster->bias + at, bias);
    keep(cluster->mean + at, mean);
    narrow(swift->bias + at, bias);
    narrow(swift->mean + at, mean);
    vec p = approach(v, arm);
    for (int i = 0; i < 3; i++)
        u[i] = dot(c[i], p);
    return largest(magnitude(u[0] + bias), largest(magnitude(u[1]), magnitude(u[2])));
}

double CAIRN_KERNEL(cairn_cluster_place)(const cairn_cluster_pass* pass, int first, int end)
{
    real most = all(0.0);
    for (int i = first; i < end; i++)
        for (int at = 0; at < cairn_cluster_lanes; at += wide)
            most = largest(most, place_lanes(pass, i, at));
    return widest(most);
}

// The normals of balls for a position pass. Their arms lie along them and turn nothing: without
// them that is true to the last bit.
CAIRN_INLINE void aim(cairn_swift* swift, int at, mask balls, vec n)
{
    const vec none = {all(0.0), all(0.0), all(0.0)};
    narrow_some(swift->normal, at, balls, n);
    narrow_some(swift->arm[0], at, balls, none);
    narrow_some(swift->arm[1], at, balls, none);
}

double CAIRN_KERNEL(cairn_cluster_gaps)(const cairn_cluster_pass* pass, int first, int end)
{
    real most = all(0.0), slop = all(pass->slop), longest = all(-pass->longest);
    for (int i = first; i < end; i++)
        for (int at = 0; at < cairn_cluster_lanes; at += wide) {
            cairn_swift* swift = &pass->swift[i];
            reached here = reach(pass, i, at);
            keep(pass->clusters[i].gap + at, here.gap);
            narrow(swift->bias + at, largest(here.gap + slop, longest));
            most = largest(most, -here.gap);
            // impulses keep their frame
            int balls = balls_of(pass, i, at);
            if (balls)
                aim(swift, at, lanes_of(balls), here.n);
        }
    return widest(most);
}

// ---------------------------------------------------------------- the certificate

// impulses in their cones, and not only to single precision
CAIRN_INLINE vec settle(cairn_cluster* cluster, const cairn_swift* swift, int at)
{
    vec x = {widen(swift->lambda[0] + at), widen(swift->lambda[1] + at),
             widen(swift->lambda[2] + at)};
    x.x = largest(x.x, all(0.0));
    cut(&x.y, &x.z, load(cluster->mu + at) * x.x);
    keep3(cluster->lambda, at, x);
    return x;
}

// momentum: P, and its moment r x P
CAIRN_INLINE void add_momentum(double* momentum, const int32_t* place, vec arm, vec P)
{
    vec L = cross(arm, P);
    add(momentum, place, (bodies){{P.x, P.y, P.z, L.x, L.y, L.z, all(0.0), all(0.0)}});
}

double CAIRN_KERNEL(cairn_cluster_push)(const cairn_cluster_pass* pass, int first, int end)
{
    for (int i = first; i < end; i++)
        for (int at = 0; at < cairn_cluster_lanes; at += wide) {
            cairn_cluster* cluster = &pass->clusters[i];
            const cairn_swift* swift = &pass->swift[i];
            vec c[3], x = settle(cluster, swift, at);
            frame(c, load3(cluster->normal, at));
            vec P = plus(times(x.x, c[0]), plus(times(x.y, c[1]), times(x.z, c[2])));
            add_momentum(pass->momentum, swift->body[0] + at, load3(cluster->arm[0], at),
                         times(all(-1.0), P));
            add_momentum(pass->momentum, swift->body[1] + at, load3(cluster->arm[1], at), P);
        }
    return 0.0;
}

CAIRN_INLINE real measure_lanes(cairn_cluster* cluster, const cairn_swift* swift, int at,
                                const cairn_cluster_pass* pass)
{
    bodies s[2] = {gather(pass->velocity, swift->body[0] + at),
                   gather(pass->velocity, swift->body[1] + at)};
    vec c[3], arm[2] = {load3(cluster->arm[0], at), load3(cluster->arm[1], at)};
    frame(c, load3(cluster->normal, at));
    vec p = approach(s, arm);

    // empty lanes have a mean of 0, which makes their error 0
    real mean = load(cluster->mean + at);
    cairn_natural map = {.lambda_n = load(cluster->lambda[0] + at),
                         .v_n = dot(c[0], p) + load(cluster->bias + at),
                         .lambda_t = {load(cluster->lambda[1] + at), load(cluster->lambda[2] + at)},
                         .v_t = {dot(c[1], p), dot(c[2], p)},
                         .mu = load(cluster->mu + at),
                         .over = pick(mean > all(0.0), all(1.0) / mean, all(0.0))};
    return mean * natural_contact(&map, 2);
}

double CAIRN_KERNEL(cairn_cluster_measure)(const cairn_cluster_pass* pass, int first, int end)
{
    real most = all(0.0);
    for (int i = first; i < end; i++)
        for (int at = 0; at < cairn_cluster_lanes; at += wide) {
            real error = measure_lanes(&pass->clusters[i], &pass->swift[i], at, pass);

            // a NaN counts as infinite, and infinite stays
            error = pick(error == error, error, all(INFINITY));
            most = largest(most, error);
        }
    return widest(most);
}

// ---------------------------------------------------------------- the end of a substep

void CAIRN_KERNEL(cairn_cluster_sum)(cairn_cluster* clusters, int count)
{
    for (int i = 0; i < count; i++)
        for (int at = 0; at < cairn_cluster_lanes; at += wide) {
            vec c[3], sum = load3(clusters[i].total, at), x = load3(clusters[i].lambda, at);
            frame(c, load3(clusters[i].normal, at));
            vec P = plus(times(x.x, c[0]), plus(times(x.y, c[1]), times(x.z, c[2])));
            keep3(clusters[i].total, at, plus(sum, P));
        }
}
