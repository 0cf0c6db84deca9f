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
// and with torsion u_τ = n·(ω_B - ω_A), the moment n λ_τ, and ℓ² n·I^-1 n in the trace, ℓ the arm of
// spin (natural_map.h).
//
// Lanes share no body, so no sum runs across lanes and every instruction set gives the same bits.

#include "solve/sweep/cluster.h"
#include <math.h>

// vectors wider than the machine's are passed between inlined functions of this file alone
#pragma GCC diagnostic ignored "-Wpsabi"

typedef double scalar;
typedef cairn_double8 real;
typedef cairn_long8 mask;
#define ROOT __builtin_sqrt
#include "solve/sweep/lanes.h"
#include "solve/sweep/lanes_eight.h"
#define CAIRN_NATURAL_LANES
#include "problem/natural_map.h"

// m/s: the bias of contacts that take no part
static const double never = 1e30;

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

CAIRN_INLINE vec center(const bodies* pose)
{
    return (vec){pose->w[0], pose->w[1], pose->w[2]};
}

CAIRN_INLINE reached reach_anchors(const bodies* pose, const vec* core, vec n)
{
    vec d = minus(plus(center(&pose[1]), core[1]), plus(center(&pose[0]), core[0]));
    return (reached){n, {core[0], core[1]}, dot(n, d)};
}

// two points of radii ρ about them
CAIRN_INLINE reached reach_points(vec d, const vec* core, real a, real b, vec old)
{
    real distance = root(dot(d, d)), radii = a + b;
    vec n = pick3(distance > all(1e-15) * radii, times(all(1.0) / distance, d), old);
    return (reached){
        n, {plus(core[0], times(a, n)), minus(core[1], times(b, n))}, distance - radii};
}

CAIRN_INLINE reached reach_balls(const bodies* pose, real a, real b, vec old)
{
    const vec none[2] = {{all(0.0), all(0.0), all(0.0)}, {all(0.0), all(0.0), all(0.0)}};
    return reach_points(minus(center(&pose[1]), center(&pose[0])), none, a, b, old);
}

// a face of A: core[0] is its normal, a its level; the point is that of B
CAIRN_INLINE reached reach_face_a(const bodies* pose, const vec* core, real a, real b)
{
    reached r = {.n = core[0]};
    r.arm[1] = minus(core[1], times(b, r.n));
    vec from = plus(minus(center(&pose[1]), center(&pose[0])), r.arm[1]);
    r.gap = dot(r.n, from) - a;
    r.arm[0] = minus(from, times(r.gap, r.n));
    return r;
}

CAIRN_INLINE reached reach_face_b(const bodies* pose, const vec* core, real a, real b)
{
    reached r = {.n = core[1]};
    r.arm[0] = plus(core[0], times(a, r.n));
    vec from = plus(minus(center(&pose[0]), center(&pose[1])), r.arm[0]);
    r.gap = b - dot(r.n, from);
    r.arm[1] = plus(from, times(r.gap, r.n));
    return r;
}

CAIRN_INLINE reached pick_reached(mask yes, reached a, reached b)
{
    return (reached){pick3(yes, a.n, b.n),
                     {pick3(yes, a.arm[0], b.arm[0]), pick3(yes, a.arm[1], b.arm[1])},
                     pick(yes, a.gap, b.gap)};
}

CAIRN_INLINE mask lanes_of(int bits)
{
    const mask bit = {1, 2, 4, 8, 16, 32, 64, 128};
    return (bit & (bits - (mask){0})) != 0;
}

// the lanes of eight that follow features
CAIRN_INLINE int followers(const cairn_cluster_rules* rules, int at)
{
    return (rules->balls | rules->face_a | rules->face_b | rules->points) >> at & 0xff;
}

CAIRN_INLINE reached reach(const cairn_cluster_pass* pass, int i, int at)
{
    cairn_cluster* cluster = &pass->clusters[i];
    const cairn_swift* swift = &pass->swift[i];
    const cairn_cluster_rules* rules = &pass->rules[i];
    bodies pose[2] = {gather(pass->pose, swift->body[0] + at),
                      gather(pass->pose, swift->body[1] + at)};
    vec old = load3(cluster->normal, at);
    real a = load(cluster->round[0] + at), b = load(cluster->round[1] + at);
    int balls = rules->balls >> at & 0xff;
    if (balls == 0xff)
        return reach_balls(pose, a, b, old);
    vec core[2] = {rotate(&pose[0], load3(cluster->anchor[0], at)),
                   rotate(&pose[1], load3(cluster->anchor[1], at))};
    reached here = reach_anchors(pose, core, old);
    int face_a = rules->face_a >> at & 0xff, face_b = rules->face_b >> at & 0xff;
    int points = rules->points >> at & 0xff;
    if (face_a)
        here = pick_reached(lanes_of(face_a), reach_face_a(pose, core, a, b), here);
    if (face_b)
        here = pick_reached(lanes_of(face_b), reach_face_b(pose, core, a, b), here);
    if (points) {
        vec d = minus(plus(center(&pose[1]), core[1]), plus(center(&pose[0]), core[0]));
        here = pick_reached(lanes_of(points), reach_points(d, core, a, b, old), here);
    }
    if (balls)
        here = pick_reached(lanes_of(balls), reach_balls(pose, a, b, old), here);
    return here;
}

// Open lanes of points: the plane at the time of their impact, or of their closest approach, within
// the substep; see kinematics.c.
CAIRN_INLINE void aim(reached* here, const cairn_cluster* cluster, int at, mask points,
                      const bodies* v, real h)
{
    const real zero = all(0.0);
    real a = load(cluster->round[0] + at), b = load(cluster->round[1] + at), R = a + b;
    vec core[2] = {minus(here->arm[0], times(a, here->n)), plus(here->arm[1], times(b, here->n))};
    vec d = times(here->gap + R, here->n), u = approach(v, core);
    real uu = dot(u, u), du = dot(d, u), square = du * du - uu * (dot(d, d) - R * R);
    real at_impact = -du - root(largest(square, zero)),
         t = pick(square >= zero, at_impact, -du) / uu;
    t = pick(t < h, t, h);
    vec then = plus(d, times(t, u));
    real distance = root(dot(then, then));
    vec n = times(all(1.0) / distance, then);
    mask yes = points & (here->gap > zero) & (du < zero) & (distance > all(1e-15) * R);
    reached aimed = {n, {plus(core[0], times(a, n)), minus(core[1], times(b, n))}, dot(n, d) - R};
    *here = pick_reached(yes, aimed, *here);
}

// Frames of lanes that follow features, to their new normals: the impulse stays what it was in the
// world.
CAIRN_INLINE void turn_frames(cairn_cluster* cluster, cairn_swift* swift, int at, mask some, vec n)
{
    vec old[3], now[3];
    frame(old, load3(cluster->normal, at));
    frame(now, pick3(some, n, old[0]));
    keep3(cluster->normal, at, now[0]);
    narrow3(swift->normal, at, now[0]);
    vec P = {all(0.0), all(0.0), all(0.0)};
    for (int i = 0; i < 3; i++)
        P = plus(P, times(widen(swift->lambda[i] + at), old[i]));
    for (int i = 0; i < 3; i++)
        narrow(swift->lambda[i] + at, pick(some, dot(now[i], P), widen(swift->lambda[i] + at)));
}

CAIRN_INLINE real trace(const bodies* m, vec r)
{
    real sum = m->w[1] + m->w[2] + m->w[3];
    return all(3.0) * m->w[0] + sum * dot(r, r) - dot(r, turn(m, r));
}

// the mean diagonal of A_cc with the row of spin, where it can move
CAIRN_INLINE real mean_with_spin(const cairn_cluster_law* law, int at, const bodies* m, real mean,
                                 vec n)
{
    real arm = load(law->arm + at), spin = dot(n, plus(turn(&m[0], n), turn(&m[1], n))) * arm * arm;
    return pick(spin > all(0.0), (all(3.0) * mean + spin) / all(4.0), mean);
}

CAIRN_INLINE vec load_bend(const cairn_bend* bend, int at)
{
    return (vec){load(bend->by[0] + at), load(bend->by[1] + at), load(bend->by[2] + at)};
}

// a bit for each lane of a mask
CAIRN_INLINE uint16_t bits_of(mask yes)
{
    int bits = 0;
    for (int l = 0; l < wide; l++)
        bits |= (yes[l] != 0) << l;
    return (uint16_t)bits;
}

// the open lanes that v* closes along the normals of their features
CAIRN_INLINE void note_closing(cairn_cluster_rules* rules, const reached* here, int at,
                               const bodies* v, const cairn_cluster_pass* pass)
{
    real ahead = here->gap + all(pass->remaining) * dot(here->n, approach(v, here->arm));
    mask closing = (here->gap > all(pass->touching)) & (ahead < all(0.0));
    uint16_t others = (uint16_t)(rules->closing & ~(0xff << at));
    rules->closing = any(closing) ? (uint16_t)(others | bits_of(closing) << at) : others;
}

CAIRN_INLINE real place_lanes(const cairn_cluster_pass* pass, int which, int at)
{
    cairn_cluster* cluster = &pass->clusters[which];
    cairn_swift* swift = &pass->swift[which];
    const int32_t *a = swift->body[0] + at, *b = swift->body[1] + at;
    cairn_cluster_rules* rules = &pass->rules[which];
    reached here = reach(pass, which, at);
    bodies v[2] = {gather(pass->velocity, a), gather(pass->velocity, b)};
    bodies m[2] = {gather(pass->mass, a), gather(pass->mass, b)};
    int points = (rules->balls | rules->points) >> at & 0xff, following = followers(rules, at);
    if (pass->remaining > 0.0)
        note_closing(rules, &here, at, v, pass);
    if (points && pass->remaining > 0.0)
        aim(&here, cluster, at, lanes_of(points), v, all(pass->remaining));
    if (rules->passed >> at & 0xff) {
        reached kept = {load3(cluster->normal, at),
                        {load3(cluster->arm[0], at), load3(cluster->arm[1], at)},
                        load(cluster->gap + at)};
        here = pick_reached(lanes_of(rules->passed >> at & 0xff), kept, here);
    }
    if (following)
        turn_frames(cluster, swift, at, lanes_of(following), here.n);
    vec *arm = here.arm, c[3];
    real zero = all(0.0), u[3], gap = here.gap;
    for (int side = 0; side < 2; side++) {
        keep3(cluster->arm[side], at, arm[side]);
        narrow3(swift->arm[side], at, arm[side]);
    }
    frame(c, load3(cluster->normal, at));
    vec p = approach(v, arm);
    real bound = pick(widen(swift->lambda[0] + at) > zero, all(pass->touching), all(pass->closed));
    real bias = zero;
    mask out = gap != gap;
    if (pass->remaining > 0.0) {
        real open = gap / all(pass->remaining);
        real deep = all(pass->baumgarte) * (gap + all(pass->slop)) / all(pass->remaining);
        bias = pick(gap > bound, open, pick(gap < all(-pass->slop), deep, zero));
        out = (gap > all(pass->touching)) & lanes_of(rules->turning >> at & 0xff);
        bias = pick(out, all(never), bias);
    } else {
        // what is open at the end of the step takes no part, and what bounces waits
        out = (gap > bound) |
              (lanes_of(rules->bouncy >> at & 0xff) & (dot(c[0], p) < all(-pass->bounce)));
        bias = pick(out, all(never), zero);
    }
    real mean = (trace(&m[0], arm[0]) + trace(&m[1], arm[1])) / all(3.0);
    if (pass->law)
        mean = mean_with_spin(&pass->law[which], at, m, mean, c[0]);
    keep(cluster->gap + at, gap);
    keep(cluster->bias + at, bias);
    keep(cluster->mean + at, mean);
    narrow(swift->mean + at, mean);
    if (pass->bend)
        p = plus(p, load_bend(&pass->bend[which], at));
    for (int i = 0; i < 3; i++) {
        real beside = i == 0 ? bias : zero;
        if (pass->bend)
            beside = beside + dot(c[i], load_bend(&pass->bend[which], at));
        narrow(swift->bias[i] + at, beside);
        u[i] = magnitude(dot(c[i], p) + (i == 0 ? bias : zero));
    }
    real most = largest(u[0], largest(u[1], u[2]));
    return pick(out, zero, most);
}

double CAIRN_KERNEL(cairn_cluster_place)(const cairn_cluster_pass* pass, int first, int end)
{
    real most = all(0.0);
    for (int i = first; i < end; i++)
        for (int at = 0; at < cairn_cluster_lanes; at += wide)
            most = largest(most, place_lanes(pass, i, at));
    return widest(most);
}

// Normals and arms for a position pass. The arms of balls lie along the normal and turn nothing:
// without them that is true to the last bit.
CAIRN_INLINE void point(cairn_swift* swift, int at, mask some, mask balls, const reached* here)
{
    const vec none = {all(0.0), all(0.0), all(0.0)};
    narrow_some(swift->normal, at, some, here->n);
    narrow_some(swift->arm[0], at, some, pick3(balls, none, here->arm[0]));
    narrow_some(swift->arm[1], at, some, pick3(balls, none, here->arm[1]));
}

double CAIRN_KERNEL(cairn_cluster_gaps)(const cairn_cluster_pass* pass, int first, int end)
{
    real most = all(0.0), slop = all(pass->slop), longest = all(-pass->longest);
    for (int i = first; i < end; i++)
        for (int at = 0; at < cairn_cluster_lanes; at += wide) {
            cairn_swift* swift = &pass->swift[i];
            reached here = reach(pass, i, at);
            keep(pass->clusters[i].gap + at, here.gap);
            narrow(swift->bias[0] + at, largest(here.gap + slop, longest));
            most = largest(most, -here.gap);
            // impulses keep their frame
            int following = followers(&pass->rules[i], at);
            if (following)
                point(swift, at, lanes_of(following), lanes_of(pass->rules[i].balls >> at & 0xff),
                      &here);
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

// the axes e_1, e_2 of a contact from its tangents
CAIRN_INLINE void turn_axes(vec* c, real cosine, real sine)
{
    vec t = c[1], s = c[2];
    c[1] = plus(times(cosine, t), times(sine, s));
    c[2] = minus(times(cosine, s), times(sine, t));
}

// the same in their ellipsoids: y_k = λ_k/s_k goes back to its ball along a ray
CAIRN_INLINE vec settle_law(cairn_cluster* cluster, cairn_cluster_law* law,
                            const cairn_swift* swift, int at)
{
    const real zero = all(0.0);
    vec x = {widen(swift->lambda[0] + at), widen(swift->lambda[1] + at),
             widen(swift->lambda[2] + at)};
    real spin = widen(law->lambda + at), cosine = load(law->axis[0] + at),
         sine = load(law->axis[1] + at);
    x.x = largest(x.x, zero);
    real f[3] = {cosine * x.y + sine * x.z, cosine * x.z - sine * x.y, spin}, square = zero;
    for (int k = 0; k < 3; k++) {
        real inverse = widen(law->inverse[k] + at), y = f[k] * inverse;
        f[k] = pick(inverse == zero, zero, f[k]);
        square += y * y;
    }
    real limit = load(cluster->mu + at) * x.x;
    real share = pick(square > limit * limit, limit / root(square), all(1.0));
    x.y = share * (cosine * f[0] - sine * f[1]);
    x.z = share * (sine * f[0] + cosine * f[1]);
    keep3(cluster->lambda, at, x);
    keep(law->spin + at, share * f[2]);
    return x;
}

// momentum and its moment
CAIRN_INLINE void add_momentum(double* momentum, const int32_t* place, vec P, vec L)
{
    add(momentum, place, (bodies){{P.x, P.y, P.z, L.x, L.y, L.z, all(0.0), all(0.0)}});
}

double CAIRN_KERNEL(cairn_cluster_push)(const cairn_cluster_pass* pass, int first, int end)
{
    for (int i = first; i < end; i++)
        for (int at = 0; at < cairn_cluster_lanes; at += wide) {
            cairn_cluster* cluster = &pass->clusters[i];
            const cairn_swift* swift = &pass->swift[i];
            cairn_cluster_law* law = pass->law ? &pass->law[i] : NULL;
            vec c[3], x = law ? settle_law(cluster, law, swift, at) : settle(cluster, swift, at);
            frame(c, load3(cluster->normal, at));
            vec P = plus(times(x.x, c[0]), plus(times(x.y, c[1]), times(x.z, c[2])));
            for (int side = 0; side < 2; side++) {
                vec own = side ? P : times(all(-1.0), P), L;
                L = cross(load3(cluster->arm[side], at), own);
                if (law)
                    L = plus(L, times(side ? load(law->spin + at) : -load(law->spin + at), c[0]));
                add_momentum(pass->momentum, swift->body[side] + at, own, L);
            }
        }
    return 0.0;
}

// |F| of contacts with an ellipsoid each; p: as in measure_lanes
CAIRN_INLINE real natural_law(cairn_natural* map, const cairn_cluster_law* law, int at, vec* c,
                              vec p, const bodies* s)
{
    real cosine = load(law->axis[0] + at), sine = load(law->axis[1] + at);
    real arm = load(law->arm + at), x = map->lambda_t[0], y = map->lambda_t[1], mu[3];
    vec spin =
        minus((vec){s[1].w[3], s[1].w[4], s[1].w[5]}, (vec){s[0].w[3], s[0].w[4], s[0].w[5]});
    for (int k = 0; k < 3; k++)
        mu[k] = load(law->mu[k] + at);

    // along the axes, and spin at its arm
    turn_axes(c, cosine, sine);
    map->mu = mu[0];
    map->lambda_t[0] = cosine * x + sine * y;
    map->lambda_t[1] = cosine * y - sine * x;
    map->lambda_t[2] = load(law->spin + at) / pick(arm == all(0.0), all(1.0), arm);
    map->v_t[0] = dot(c[1], p);
    map->v_t[1] = dot(c[2], p);
    map->v_t[2] = arm * (dot(c[0], spin) + load(law->bias + at));
    real normal = natural_normal(map);
    return root(normal * normal + natural_slip_law(map, mu));
}

CAIRN_INLINE real measure_lanes(const cairn_cluster_pass* pass, int which, int at)
{
    cairn_cluster* cluster = &pass->clusters[which];
    const cairn_swift* swift = &pass->swift[which];
    bodies s[2] = {gather(pass->velocity, swift->body[0] + at),
                   gather(pass->velocity, swift->body[1] + at)};
    vec c[3], arm[2] = {load3(cluster->arm[0], at), load3(cluster->arm[1], at)};
    frame(c, load3(cluster->normal, at));
    vec p = approach(s, arm);
    if (pass->bend)
        p = plus(p, load_bend(&pass->bend[which], at));

    // empty lanes have a mean of 0, which makes their error 0
    real mean = load(cluster->mean + at);
    cairn_natural map = {.lambda_n = load(cluster->lambda[0] + at),
                         .v_n = dot(c[0], p) + load(cluster->bias + at),
                         .lambda_t = {load(cluster->lambda[1] + at), load(cluster->lambda[2] + at)},
                         .v_t = {dot(c[1], p), dot(c[2], p)},
                         .mu = load(cluster->mu + at),
                         .over = pick(mean > all(0.0), all(1.0) / mean, all(0.0))};
    return mean * (pass->law ? natural_law(&map, &pass->law[which], at, c, p, s)
                             : natural_contact(&map, 2));
}

double CAIRN_KERNEL(cairn_cluster_measure)(const cairn_cluster_pass* pass, int first, int end)
{
    real most = all(0.0);
    for (int i = first; i < end; i++)
        for (int at = 0; at < cairn_cluster_lanes; at += wide) {
            real error = measure_lanes(pass, i, at);

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
