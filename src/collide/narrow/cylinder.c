// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// How a cylinder is apart from another core. GJK ends on curved surfaces when the distance is right
// to round-off, where the normal is right to the square root of it only. The points themselves are
// the fixed point of two projections,
//
//     a = P_A(b),   b = P_B(a),       so     F(a) = P_A(P_B(a)) - a = 0,
//
// and F is right to first order. A Newton step (I - J_A J_B) Δa = F takes the derivatives of the
// projections, which are projectors on the features that the feet lie on (a semi-smooth Newton
// method: features may change from step to step). A zero of F is the answer, whatever the start.
//
// With a small gap the projection on a round side hardly pulls, so when a foot lies on one, the
// last steps replace the cylinder by its axis: the distance is then larger by the radius. Along a
// rim it hardly pulls either: there the last step is on the features themselves, a plane and a rim
// or two curves. The normal is taken from the features: a face decides, else two tangents, else the
// points.
//
// What GJK alone finds of two curves is polished in cylinder_curves.c. How deep a cylinder is in
// another core: see cylinder_depth.c.

#include "collide/narrow/cylinder.h"
#include "collide/narrow/convex_pair.h"
#include "collide/query/closest_point.h"
#include <float.h>

typedef struct problem {
    const cairn_placed* p;
    cairn_footing a, b;
    int most_steps;
    bool careful;
} problem;

typedef struct feet {
    cairn_foot a, b; // both in the frame of A
} feet;

typedef enum verdict { UNDECIDED, APART, MEET } verdict;

// ---------------------------------------------------------------- the points

static void foot_on_b(cairn_foot* foot, const problem* q, cairn_vec3 a)
{
    cairn_find_foot(foot, &q->b, cairn_to_b(q->p, a));
    foot->x = cairn_to_a(q->p, foot->x);
}

static cairn_vec3 foot_on_a(const problem* q, cairn_vec3 x)
{
    cairn_foot foot;
    cairn_find_foot(&foot, &q->a, x);
    return foot.x;
}

// (I - J_A J_B) Δ = F with J = T W Tᵀ: Δ = F + T_A W_A G η, (I - W_B Gᵀ W_A G) η = W_B T_Bᵀ F,
// G = T_Aᵀ T_B. Along what both features share there is nothing to decide: a little less than I.
static cairn_vec3 newton_step(const feet* f, const cairn_placed* p, cairn_vec3 F)
{
    double G[2][2] = {{0.0}}, rhs[2] = {0.0}, M[2][2] = {{1.0, 0.0}, {0.0, 1.0}};
    int m = f->a.freedom < 2 ? f->a.freedom : 2, n = f->b.freedom < 2 ? f->b.freedom : 2;

    for (int j = 0; j < n; j++) {
        cairn_vec3 t = cairn_mat3_apply(p->R, f->b.tangent[j]);
        rhs[j] = f->b.weight[j] * cairn_dot(t, F);
        for (int i = 0; i < m; i++)
            G[i][j] = cairn_dot(f->a.tangent[i], t);
    }

    for (int j = 0; j < n; j++)
        for (int k = 0; k < n; k++)
            for (int i = 0; i < m; i++)
                M[j][k] -= (1.0 - 1e-13) * f->b.weight[j] * G[i][j] * f->a.weight[i] * G[i][k];

    // Cramer's rule; a singular matrix leaves the plain projection
    double det = M[0][0] * M[1][1] - M[0][1] * M[1][0];
    double s = det != 0.0 ? 1.0 / det : 0.0;
    double eta[2] = {s * (M[1][1] * rhs[0] - M[0][1] * rhs[1]),
                     s * (M[0][0] * rhs[1] - M[1][0] * rhs[0])};

    for (int i = 0; i < m; i++)
        F = cairn_add_scaled(F, f->a.weight[i] * (G[i][0] * eta[0] + G[i][1] * eta[1]),
                             f->a.tangent[i]);
    return F;
}

static double distance_from(const problem* q, cairn_vec3 a)
{
    cairn_foot b;
    foot_on_b(&b, q, a);
    return cairn_norm(cairn_sub(b.x, a));
}

static double miss_at(const problem* q, cairn_vec3 a)
{
    cairn_foot b;
    foot_on_b(&b, q, a);
    return cairn_norm(cairn_sub(foot_on_a(q, b.x), a));
}

// A step that stays on A: Newton's when it brings F down; or so much of it, no longer than the
// shapes, that comes nearer; or plain projection, which always does.
static cairn_vec3 careful_step(const problem* q, const feet* f, cairn_vec3 a)
{
    cairn_vec3 F = cairn_sub(f->a.x, a), step = newton_step(f, q->p, F), best = f->a.x;
    cairn_vec3 whole = foot_on_a(q, cairn_add(a, step));
    if (miss_at(q, whole) < 0.5 * cairn_norm(F))
        return whole;

    // otherwise look along the step for a point that is nearer to B
    double length = cairn_norm(step), least = distance_from(q, best);
    double t = length > q->p->size ? q->p->size / length : 1.0;

    // down to 2^-40 of the size: what the distance gains from less is below the 1e-12 that is asked
    for (int i = 0; i < 40; i++, t *= 0.5) {
        cairn_vec3 to = foot_on_a(q, cairn_add_scaled(a, t, step));
        double here = distance_from(q, to);
        if (here < least) {
            least = here;
            best = to;
        } else if (best.x != f->a.x.x || best.y != f->a.x.y || best.z != f->a.x.z) {
            break;
        }
    }

    return best;
}

// Ends at round-off or after a bounded number of steps: where the foot changes between two features
// in turn it comes to no end. A careful step of Newton halves the miss, from the size to 2^-52 of
// it in 52 steps, and 8 more may go by projection; without care 12 are enough for the quadratic end
// of Newton's method (2^-1, 2^-2, ... 2^-64) and as many to get there.
static verdict find_feet(feet* f, const problem* q, cairn_vec3 a)
{
    double last = DBL_MAX, size = q->p->size;
    for (int i = 0; i < q->most_steps; i++) {
        foot_on_b(&f->b, q, a);
        cairn_find_foot(&f->a, &q->a, f->b.x);
        if (cairn_norm(cairn_sub(f->b.x, f->a.x)) <= 4.0 * DBL_EPSILON * size)
            return MEET;

        cairn_vec3 F = cairn_sub(f->a.x, a);
        double miss = cairn_norm(F);
        if (miss <= DBL_EPSILON * size || (fmax(last, miss) <= 1e-13 * size && miss >= 0.5 * last))
            return APART;

        // a careful step, or Newton's where the miss went down, or plain projection
        if (q->careful)
            a = careful_step(q, f, a);
        else
            a = miss < 0.9 * last ? cairn_add(a, newton_step(f, q->p, F)) : f->a.x;
        last = miss;
    }

    return UNDECIDED;
}

// ---------------------------------------------------------------- the normal

// d without its part along an edge or a rim; B's tangent is in its own frame
static cairn_vec3 square_to(cairn_vec3 d, const cairn_foot* foot, cairn_mat3 R)
{
    if (foot->freedom != 1)
        return d;
    cairn_vec3 t = cairn_mat3_apply(R, foot->tangent[0]);
    return cairn_add_scaled(d, -cairn_dot(t, d), t);
}

static bool on_rim(const cairn_footing* on, const cairn_foot* foot)
{
    return on->core->kind == CAIRN_CORE_CYLINDER && foot->freedom == 1;
}

// Over which length a tangent turns: at a point of a rim that is off by δ it is off by the angle
// δ / R. That of an edge is known, as if R were the size.
static double turning_radius(const cairn_footing* on, const cairn_foot* foot, double size)
{
    return on_rim(on, foot) ? fmin(on->core->half.x, size) : size;
}

// The points are right to ε times the size of the pair, so that d = b - a is off by the angle
// ε size / |d|. Across a small gap that is much, but along an edge or a rim d is zero, and what it
// has there is left out: last of all along the straighter one, whose ends are far. The normal of
// two tangents is off by ε size / (R sine), R the lesser one, and taken when that is less.
static cairn_vec3 normal_of(const feet* f, const problem* q)
{
    const cairn_placed* p = q->p;
    double Ra = turning_radius(&q->a, &f->a, p->size), Rb = turning_radius(&q->b, &f->b, p->size);
    cairn_vec3 d = cairn_sub(f->b.x, f->a.x), none = cairn_vec(0.0, 0.0, 0.0);
    cairn_vec3 back = f->b.freedom == 2 ? cairn_neg(cairn_mat3_apply(p->R, f->b.normal)) : none;

    if (f->a.freedom == 2 && f->b.freedom == 2) {
        // a plane's normal is known, that of a round side only as well as the point on it
        double plain = 8.0 * DBL_EPSILON * p->size * (f->b.round - f->a.round);
        bool of_a = cairn_separation(p, f->a.normal) + plain >= cairn_separation(p, back);
        return of_a ? f->a.normal : back;
    }

    if (f->a.freedom == 2)
        return f->a.normal;
    if (f->b.freedom == 2)
        return back;

    // two curves: the normal of both tangents, where it is known better than d
    if (f->a.freedom == 1 && f->b.freedom == 1) {
        cairn_vec3 n = cairn_cross(f->a.tangent[0], cairn_mat3_apply(p->R, f->b.tangent[0]));
        double sine = cairn_norm(n);
        if (sine * fmin(Ra, Rb) > cairn_norm(d))
            return cairn_scale((cairn_dot(n, d) < 0.0 ? -1.0 : 1.0) / sine, n);
    }

    const cairn_mat3 I = cairn_mat3_identity();
    d = Ra > Rb ? square_to(square_to(d, &f->b, p->R), &f->a, I)
                : square_to(square_to(d, &f->a, I), &f->b, p->R);
    return cairn_normalize(d);
}

// a cylinder's axis in its place when the foot lies on the side; the radius that it lacks
static double take_axis(cairn_footing* on, const cairn_foot* foot, cairn_core* room)
{
    if (!foot->round)
        return 0.0;
    double radius = on->core->half.x;
    cairn_core_of_shape(
        room, &(cairn_shape){.kind = CAIRN_SHAPE_CAPSULE, .half_height = on->core->half.z});
    on->core = room;
    return radius;
}

// the second derivative of an edge or a rim by its length, at a point x of it in the core's frame
static cairn_vec3 bend(const cairn_footing* on, const cairn_foot* foot, cairn_vec3 x)
{
    double R = on->core->half.x;
    return on_rim(on, foot) ? cairn_vec(-x.x / (R * R), -x.y / (R * R), 0.0)
                            : cairn_vec(0.0, 0.0, 0.0);
}

// By how much the points are not over each other as seen along the normal: of two curves that of
// their tangents, if they have one at all, as along d they always are.
static double offset(const feet* f, const problem* q)
{
    cairn_vec3 d = cairn_sub(f->b.x, f->a.x), n = normal_of(f, q);
    if (f->a.freedom == 1 && f->b.freedom == 1) {
        cairn_vec3 g = cairn_mat3_apply(q->p->R, f->b.tangent[0]);
        cairn_vec3 square = cairn_cross(f->a.tangent[0], g);
        double sine = cairn_norm(square);
        n = sine * q->p->size > cairn_norm(d) ? cairn_scale(1.0 / sine, square) : n;
    }
    return cairn_norm(cairn_cross(n, d));
}

// Two curves, edges or rims: where they cross as seen along the normal. With d = b - a, unit
// tangents e, g and second derivatives e', g' this is a Newton step for d·e = d·g = 0,
//
//     ds = (d·(g x (e x g)) + (d·g') (d·e)) / (|e x g|² - d·e' + d·g' - (d·e') (d·g')).
//
// The projections find the point to second order in the angle between the curves, this to first:
// the cross products have the small sine as a factor, not as what is left of a difference. Taken
// while it brings the points over each other.
static void cross_curves(feet* f, const problem* q)
{
    enum { steps = 4 };
    const cairn_placed* p = q->p;

    for (int i = 0; i < steps && f->a.freedom == 1 && f->b.freedom == 1; i++) {
        feet to = *f;
        cairn_vec3 e = f->a.tangent[0], g = cairn_mat3_apply(p->R, f->b.tangent[0]);
        cairn_vec3 n = cairn_cross(e, g), d = cairn_sub(f->b.x, f->a.x);
        cairn_vec3 bend_b = bend(&q->b, &f->b, cairn_to_b(p, f->b.x));
        double over_a = cairn_dot(d, bend(&q->a, &f->a, f->a.x));
        double over_b = cairn_dot(d, cairn_mat3_apply(p->R, bend_b));
        double det = cairn_dot(n, n) - over_a + over_b - over_a * over_b;

        if (!(det > 1e-24))
            return;

        double s = (cairn_dot(cairn_cross(d, g), n) + over_b * cairn_dot(d, e)) / det;
        cairn_find_foot(&to.a, &q->a, cairn_add_scaled(f->b.x, s * (1.0 - over_a), e));
        foot_on_b(&to.b, q, to.a.x);

        if (!(offset(&to, q) < offset(f, q)))
            return;
        *f = to;
    }
}

// the point of the circle through x that lies farthest along n, in the cylinder's frame; x when all
// do
static cairn_vec3 circle_point(const cairn_core* cylinder, cairn_vec3 x, cairn_vec3 n)
{
    double across = sqrt(n.x * n.x + n.y * n.y), s = cylinder->half.x / across;
    return across > 0.0 ? cairn_vec(s * n.x, s * n.y, x.z) : x;
}

static bool on_circle(const cairn_footing* on, const cairn_foot* foot)
{
    return foot->round || on_rim(on, foot);
}

static bool on_plane(const cairn_foot* foot)
{
    return foot->freedom == 2 && !foot->round;
}

// A plane and a rim of radius R, across a gap g: a point that is off by δ along the rim has
// F = δ g sin φ / R, φ the angle of the plane's normal with the axis, and F is right to ε times the
// size of the pair. With a small gap δ is anything. But the plane's normal n is known, and the
// point is the one of the rim that lies farthest along -n; likewise of the circle around a side
// that lies along the plane. Taken when its foot is still on the plane.
static void lay_rim(feet* f, const problem* q)
{
    feet g = *f;

    if (on_plane(&f->a) && on_circle(&q->b, &f->b)) {
        cairn_vec3 n = cairn_neg(cairn_mat3_apply_transposed(q->p->R, f->a.normal));
        g.b.x = cairn_to_a(q->p, circle_point(q->b.core, cairn_to_b(q->p, f->b.x), n));
        cairn_find_foot(&g.a, &q->a, g.b.x);
    } else if (on_plane(&f->b) && on_circle(&q->a, &f->a)) {
        cairn_vec3 n = cairn_neg(cairn_mat3_apply(q->p->R, f->b.normal));
        g.a.x = circle_point(q->a.core, f->a.x, n);
        foot_on_b(&g.b, q, g.a.x);
    }

    if (on_plane(&g.a) || on_plane(&g.b))
        *f = g;
}

static cairn_apart apart_at(const feet* f, const problem* q, double ra, double rb)
{
    cairn_vec3 n = normal_of(f, q);
    return (cairn_apart){cairn_separation(q->p, n), n, cairn_add_scaled(f->a.x, ra, n),
                         cairn_add_scaled(f->b.x, -rb, n)};
}

// A face and a rim, but the point of the rim that lies farthest along the face is beyond its border
// by less than what the feet are known to: there the border and the rim cross.
static void cross_border(cairn_apart* apart, const feet* f, const problem* q)
{
    feet g = *f;

    if (f->a.freedom == 2 && on_rim(&q->b, &f->b)) {
        cairn_vec3 n = cairn_neg(cairn_mat3_apply_transposed(q->p->R, f->a.normal));
        g.b.x = cairn_to_a(q->p, circle_point(q->b.core, cairn_to_b(q->p, f->b.x), n));
        cairn_find_foot(&g.a, &q->a, g.b.x);
    } else if (f->b.freedom == 2 && on_rim(&q->a, &f->a)) {
        cairn_vec3 n = cairn_neg(cairn_mat3_apply(q->p->R, f->b.normal));
        g.a.x = circle_point(q->a.core, f->a.x, n);
        foot_on_b(&g.b, q, g.a.x);
    }

    if (g.a.freedom == 1 && g.b.freedom == 1)
        cairn_join_feet(apart, q->p, &g.a, &g.b);
}

static void report(cairn_apart* apart, const problem* q, const feet* f)
{
    cairn_core axis_a, axis_b;
    problem thin = *q;
    feet g = *f;
    double ra = take_axis(&thin.a, &f->a, &axis_a), rb = take_axis(&thin.b, &f->b, &axis_b);

    // on a round side, look for the points of the axis and add the radius at the end; where the
    // foot is an end of the axis, keep the feet as they are
    if (f->a.round || f->b.round) {
        bool found = find_feet(&g, &thin, foot_on_a(&thin, f->a.x)) == APART;
        if (!found || (f->a.round && g.a.freedom != 1) || (f->b.round && g.b.freedom != 1)) {
            thin = *q;
            g = *f;
            ra = rb = 0.0;
        }
    }

    cross_curves(&g, &thin);
    lay_rim(&g, &thin);
    *apart = apart_at(&g, &thin, ra, rb);

    if (g.a.freedom == 2 || g.b.freedom == 2)
        cross_border(apart, &g, &thin);
}

// ---------------------------------------------------------------- vertices that matter

// all vertices of a triangle; of a hull those that GJK ended with, or the support vertex
static cairn_footing footing(const cairn_core* core, cairn_vec3 along, const cairn_simplex* from,
                             bool of_b)
{
    cairn_footing on = {.core = core};
    if (core->kind == CAIRN_CORE_TRIANGLE) {
        on.count = 3;
        on.vertex[1] = 1;
        on.vertex[2] = 2;
    } else if (core->kind == CAIRN_CORE_HULL && !from) {
        on.count = 1;
        on.vertex[0] = cairn_core_support_vertex(core, along, 0);
    } else if (core->kind == CAIRN_CORE_HULL) {
        for (int i = 0; i < from->count; i++) {
            int v = of_b ? from->point[i].vertex_b : from->point[i].vertex_a, k = 0;
            while (k < on.count && on.vertex[k] != v)
                k++;
            on.vertex[k] = v;
            on.count = k == on.count ? k + 1 : on.count;
        }
    }
    return on;
}

// takes in the vertex of a hull that sticks out along the normal; false when there is none. Adds by
// how much it does to `over`.
static bool exchange(cairn_footing* on, cairn_vec3 from, cairn_vec3 at, cairn_vec3 n, double size,
                     double* over)
{
    if (on->core->kind != CAIRN_CORE_HULL)
        return false;
    int v = cairn_core_support_vertex(on->core, n, on->vertex[0]);
    double out = cairn_dot(n, cairn_sub(on->core->vertices[v], at));
    if (!(out > 1e-15 * size) || !cairn_footing_exchange(on, from, v))
        return false;
    *over += out;
    return true;
}

// what sticks out of A along the normal of B's face, or out of B along that of A's
static cairn_vec3 other_end(const cairn_placed* p, const feet* f, cairn_vec3 n, bool of_a)
{
    int vertex = 0;
    if (of_a) {
        cairn_vec3 along = f->b.freedom == 2 ? cairn_neg(cairn_mat3_apply(p->R, f->b.normal)) : n;
        return cairn_core_support(p->a, along, &vertex);
    }
    cairn_vec3 along = f->a.freedom == 2 ? f->a.normal : n;
    cairn_vec3 back = cairn_neg(cairn_mat3_apply_transposed(p->R, along));
    return cairn_to_a(p, cairn_core_support(p->b, back, &vertex));
}

// The direction of the points across a gap g is off by ε size / g, and may leave the cone of the
// normals of A at a or of -B at b: what lies beyond the points along it is taken away,
//
//     n ← n - (n·c / c·c) c,      c from the point to what sticks out most, n·c > 0.
static void turn_between_cones(cairn_apart* x, const cairn_placed* p)
{
    enum { turns = 4 };
    const double slack = 4.0 * DBL_EPSILON * p->size;

    cairn_vec3 n = x->normal;
    for (int i = 0; i < turns; i++) {
        cairn_difference none = {0}, out = cairn_difference_support(p, n, &none);
        cairn_vec3 a = cairn_sub(out.a, x->point_a), b = cairn_sub(x->point_b, out.b);
        double over_a = cairn_dot(n, a), over_b = cairn_dot(n, b);
        if (!(fmax(over_a, over_b) > slack))
            break;

        cairn_vec3 c = over_a > over_b ? a : b;
        n = cairn_normalize(cairn_add_scaled(n, -cairn_dot(n, c) / cairn_dot(c, c), c));
    }

    // keep the new normal only if it separates farther
    double gap = cairn_separation(p, n);
    if (gap > x->gap) {
        x->gap = gap;
        x->normal = n;
    }
}

// where to start: a normal, a point near A, and the vertices that GJK came to or, with none, those
// that look along the normal
typedef struct hint {
    cairn_vec3 n, x;
    const cairn_simplex* from;
    bool careful; // worth many steps
} hint;

// How often feet are looked for. An exchange brings in the vertices that stick out most over those
// that are held, by h in all, and h falls from one to the next: on a round hull the new vertex is near
// the middle of the patch that the held ones span, what is left of the patch is half as large, and so
// is h; where a patch is narrow every second exchange shortens its other side. Who has not halved h in
// `patience` looks, twice as many, goes round in a circle, as between the flat sides of a hull that are
// even to round-off: the verdict is then UNDECIDED, and what GJK found stands.
//
// So there is a bound for every hull: h is at most twice the size, and at least 1e-15 of it where there
// is an exchange. It is halved at most 51 times, an attempt takes at most 52 patience + 1 looks, and
// there are 1 + most_retries attempts.
enum { most_retries = 3, patience = 4 };

static verdict settle(cairn_apart* apart, const cairn_placed* p, const hint* h)
{
    cairn_vec3 m = cairn_mat3_apply_transposed(p->R, h->n), start = h->x;
    problem q = {p, footing(p->a, h->n, h->from, false), footing(p->b, cairn_neg(m), h->from, true),
                 h->careful ? 60 : 12, h->careful};
    int retries = 0, stalled = 0;
    double least = INFINITY;
    cairn_apart best = {.gap = -DBL_MAX};
    while (stalled < patience) {
        feet f;
        verdict found = find_feet(&f, &q, foot_on_a(&q, start));
        if (found == MEET)
            return MEET;

        // on a plane the normal is known wherever the points go to and fro along it
        if (found == UNDECIDED && !(q.careful && (on_plane(&f.a) || on_plane(&f.b))))
            break;

        report(apart, &q, &f);
        m = cairn_mat3_apply_transposed(p->R, apart->normal);
        cairn_vec3 a = f.a.x, b = cairn_to_b(p, f.b.x);
        double over = 0.0;
        bool more = exchange(&q.a, f.b.x, a, apart->normal, p->size, &over);
        more = exchange(&q.b, cairn_to_b(p, a), b, cairn_neg(m), p->size, &over) || more;
        start = a;
        if (more) {
            bool halved = over <= 0.5 * least;
            stalled = halved ? 0 : stalled + 1;
            least = halved ? over : least;
            continue;
        }
        if (f.a.freedom * f.b.freedom == 0 && cairn_excess(apart, p) > 1e-15)
            turn_between_cones(apart, p);
        if (cairn_excess(apart, p) < cairn_excess(&best, p))
            best = *apart;

        // Features that lie nearly along each other: F is of second order in their angle and took
        // the wrong end for a zero. What sticks out along the normal is the right one.
        if (cairn_excess(&best, p) <= 2e-15 || retries++ == most_retries)
            break;
        start = other_end(p, &f, apart->normal, retries % 2);
        stalled = 0;
        least = INFINITY;
    }

    *apart = best;
    return cairn_excess(&best, p) <= 1e-12 ? APART : UNDECIDED;
}

// ---------------------------------------------------------------- slow but sure

// starts from the result of GJK, to three digits and then to its full accuracy
static bool settle_slowly(cairn_apart* apart, const cairn_placed* p, double beyond)
{
    for (double slack = 1e-3; slack >= 0.0; slack -= 1e-3) {
        cairn_apart rough;
        cairn_simplex simplex;
        if (!cairn_gjk(&rough, &simplex, p, beyond, slack))
            return false;

        bool settled =
            rough.gap <= beyond &&
            settle(apart, p, &(hint){rough.normal, rough.point_a, &simplex, true}) == APART;
        if (settled)
            return true;

        // not settled: polish GJK's points by the curves they lie on
        *apart = rough;
        if (rough.gap <= beyond) {
            cairn_polish_curves(apart, p, &simplex);
            cairn_try_crossings(apart, p);
        }
    }
    return true;
}

// ---------------------------------------------------------------- depth

static double thinnest(const cairn_placed* p)
{
    double a = p->a->kind == CAIRN_CORE_CYLINDER ? p->a->half.x : p->size;
    double b = p->b->kind == CAIRN_CORE_CYLINDER ? p->b->half.x : p->size;
    return fmin(a, b);
}

// the points that touch first when B comes back along the normal from a little outside
static void touch(cairn_apart* apart, const cairn_placed* p)
{
    cairn_placed out = *p;
    cairn_apart near;
    int va = 0, vb = 0;

    double back = -1.01 * apart->gap + 0.02 * thinnest(p);
    out.t = cairn_add_scaled(p->t, back, apart->normal);

    cairn_vec3 start = cairn_core_support(p->a, apart->normal, &va);
    if (settle(&near, &out, &(hint){apart->normal, start, NULL, false}) == APART ||
        settle_slowly(&near, &out, INFINITY)) {
        apart->point_a = near.point_a;
        apart->point_b = cairn_add_scaled(near.point_b, -back, apart->normal);
    } else {
        // without an answer: the support points along the normal
        cairn_vec3 m = cairn_neg(cairn_mat3_apply_transposed(p->R, apart->normal));
        apart->point_a = start;
        apart->point_b = cairn_to_a(p, cairn_core_support(p->b, m, &vb));
    }
}

// A is a cylinder
static cairn_apart depth(const cairn_placed* p)
{
    cairn_apart apart = {.normal = cairn_cylinder_way_out(p)};
    apart.gap = cairn_separation(p, apart.normal);
    touch(&apart, p);
    return apart;
}

static cairn_apart depth_of_pair(const cairn_placed* p)
{
    if (p->a->kind == CAIRN_CORE_CYLINDER)
        return depth(p);
    cairn_placed turned = {p->b, p->a, cairn_mat3_transpose(p->R),
                           cairn_neg(cairn_mat3_apply_transposed(p->R, p->t)), p->size};
    return cairn_apart_turned(p, depth(&turned));
}

cairn_apart cairn_cylinder_apart(const cairn_placed* p, double beyond)
{
    cairn_apart apart, near;
    verdict found = settle(&apart, p, &(hint){p->t, p->t, NULL, false});
    if (found == APART || (found == UNDECIDED && settle_slowly(&apart, p, beyond)))
        return apart;
    apart = depth_of_pair(p);
    // Cores are apart when a face of their difference has the origin outside, however small the
    // gap is: GJK was wrong, and the points that touch are a good start.
    bool parted = found == UNDECIDED && apart.gap > 4.0 * DBL_EPSILON * p->size;
    hint touching = {apart.normal, apart.point_a, NULL, true};
    return parted && settle(&near, p, &touching) == APART ? near : apart;
}
