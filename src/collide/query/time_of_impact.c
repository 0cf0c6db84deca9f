// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Time of impact by conservative advancement (Mirtich 1996). At time t let the shapes be apart by d
// along the unit n. No later separation along the same n can shrink faster than
//
//     μ = (v_A - v_B)·n + |ω_A x n| r_A + |ω_B x n| r_B,
//
// v the velocities of the frames' origins, r the greatest distances of the shapes' points from
// them. So the shapes stay more than δ apart for at least (d - δ) / μ: go there and measure again.
// Steps never pass an impact; they get short only where the shapes graze. Turning at a steady rate
// about an axis ω keeps |ω x n| r an upper bound for all times.

#include "collide/query/time_of_impact.h"
#include "collide/shape/usable.h"

// How many steps there are. Let L >= μ be the length of the path that the farthest points take.
//
// Convex shapes that do not turn: f(t) = d(t) - δ is convex and -μ one of its slopes, so that a
// step is Newton's. From f_k >= f_{k+1} + μ_{k+1} f_k / μ_k follows
//
//     f_{k+1}/f_k + μ_{k+1}/μ_k <= 1,     hence     f_{k+1} μ_{k+1} <= f_k μ_k / 4.
//
// A step is taken only from f > 0.1 δ and within the unit of time, f <= μ, so that f μ > 0.01 δ²;
// at the start f μ <= L². There are at most 1 + log2(10 L/δ): 135 for L/δ = 1e40.
//
// Shapes that turn, and those with parts: of d(t) only |d'| <= L is known. From a gap d the search
// goes (d - δ)/μ >= (d - δ)/L ahead, and no method could go farther: a point that comes straight
// from there would have arrived. To exclude an impact at a clearance c = d - δ all the time takes
// L/c distances, whoever measures them. So the count and the clearance that it resolves are one
// choice, N and L/N: shapes that stay more than δ + L/N apart advance by 1/N or more at each of N
// steps and are told free; nearer ones may be told to hit early, at a time that no impact precedes,
// as after any other step. With N = 1024 that is a thousandth of the path, and N is enough for all
// convex shapes that do not turn and for every path up to 102 δ (c > 0.1 δ).
enum { most_steps = 1024 };

typedef struct motion {
    cairn_transform from;
    cairn_vec3 v, w; // over unit time
    double reach;
} motion;

static motion get_motion(const cairn_sweep* sweep, const cairn_shape* shape)
{
    cairn_quat turn = cairn_quat_multiply(sweep->to.q, cairn_quat_conjugate(sweep->from.q));
    motion m = {sweep->from, cairn_sub(sweep->to.p, sweep->from.p),
                cairn_quat_to_rotation_vector(turn), 0.0};
    // a shape that does not turn may be endless
    if (cairn_dot(m.w, m.w) > 0.0)
        m.reach = cairn_shape_radius(shape, cairn_vec(0.0, 0.0, 0.0));
    return m;
}

static cairn_transform motion_at(const motion* m, double t)
{
    cairn_quat turn = cairn_quat_from_rotation_vector(cairn_scale(t, m->w));
    return (cairn_transform){cairn_add_scaled(m->from.p, t, m->v),
                             cairn_quat_normalize(cairn_quat_multiply(turn, m->from.q))};
}

cairn_transform cairn_sweep_at(const cairn_sweep* sweep, double t)
{
    if (!sweep)
        return (cairn_transform){0};
    cairn_shape point = {.kind = CAIRN_SHAPE_SPHERE};
    motion m = get_motion(sweep, &point);
    return motion_at(&m, t);
}

static double turning(const motion* m, cairn_vec3 n)
{
    return cairn_dot(m->w, m->w) > 0.0 ? cairn_norm(cairn_cross(m->w, n)) * m->reach : 0.0;
}

static bool has_parts(const cairn_shape* s)
{
    return !cairn_shape_is_convex(s) && s->kind != CAIRN_SHAPE_HALF_SPACE;
}

static bool sweep_usable(const cairn_shape* shape, const cairn_sweep* sweep)
{
    return sweep && cairn_placed_usable(shape, sweep->from) && cairn_pose_usable(sweep->to);
}

cairn_impact cairn_time_of_impact_within(const cairn_shape* a, const cairn_sweep* ma,
                                         const cairn_shape* b, const cairn_sweep* mb, double target,
                                         double* t, int* looks)
{
    *t = 1.0;
    if (!sweep_usable(a, ma) || !sweep_usable(b, mb) || !(target > 0.0))
        return CAIRN_IMPACT_NONE;

    motion pa = get_motion(ma, a), pb = get_motion(mb, b);
    *t = 0.0;

    // conservative advancement
    for (int step = 0; *looks > 0; step++) {
        --*looks;
        cairn_gap g = cairn_distance(a, motion_at(&pa, *t), b, motion_at(&pb, *t));
        if (g.gap <= 1.1 * target)
            return step == 0 && g.gap < 0.9 * target ? CAIRN_IMPACT_OVERLAP : CAIRN_IMPACT_HIT;

        if (!(g.gap < INFINITY)) {
            *t = 1.0;
            return CAIRN_IMPACT_NONE;
        }

        // aim at the target itself: the next measure then lies between it and 1.1 of it
        double speed = cairn_dot(cairn_sub(pa.v, pb.v), g.normal) + turning(&pa, g.normal) +
                       turning(&pb, g.normal);

        // compounds and surfaces may meet elsewhere with another normal: bound the speed in all
        // directions
        if (has_parts(a) || has_parts(b))
            speed = cairn_norm(cairn_sub(pa.v, pb.v)) + cairn_norm(pa.w) * pa.reach +
                    cairn_norm(pb.w) * pb.reach;

        if (!(speed > 0.0) || *t + (g.gap - target) / speed > 1.0) {
            *t = 1.0;
            return CAIRN_IMPACT_NONE;
        }
        *t += (g.gap - target) / speed;
    }

    // the looks are used up, as when shapes graze each other: the time reached is safe
    return CAIRN_IMPACT_HIT;
}

cairn_impact cairn_time_of_impact(const cairn_shape* a, const cairn_sweep* ma, const cairn_shape* b,
                                  const cairn_sweep* mb, double target, double* t)
{
    int looks = most_steps;
    return t ? cairn_time_of_impact_within(a, ma, b, mb, target, t, &looks) : CAIRN_IMPACT_NONE;
}
