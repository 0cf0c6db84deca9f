// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// GJK (Gilbert, Johnson, Keerthi 1988): the distance of A and B is that of A - B from the origin.
// Keep a simplex of points of A - B; find its closest point v to the origin; add the point of A - B
// that lies farthest against v; drop what v does not need; stop when the new point is no closer:
//
//     |v|² - v·w <= ε |v| s,      s the size of the pair, ε of round-off.
//
// The distance is of second order in v, so that it comes to its end in round-off when v has half of
// its digits; of two v that are equally long the one with less beyond it is better, and the search
// goes on while that halves.
//
// A direction v with v·w > 0 proves that the cores are apart, so that a flat simplex cannot mistake
// round-off for overlap, nor overlap for a tiny gap. The sub-problem is solved by signed volumes
// (Montanari, Petrinic, Barbieri 2017). At the end the normal is taken from the features, not from
// v: the cross product of a triangle's edges has full precision also when the gap is a millionth of
// the size.

#include "collide/narrow/gjk.h"
#include <float.h>

// Each round lowers |v|, so that no simplex comes back, and on polytopes the rounds are as many as
// it takes to come from face to face. On a rim they close a bracket: the chord between the angles α
// and β of a circle has its normal at (α + β) / 2, where the next point lies, so that each round
// halves the bracket, and what lies beyond v, which is of second order in it, falls to a quarter.
// From π to round-off, r θ² / 2 = 1e-15 r, that takes log2(π / 4.5e-8) = 26 rounds. A round face of
// many small facets has two principal directions, and there are two cores: 4 · 26 = 104 rounds, and
// some for the way there. The most that was seen, over ratios of sizes up to 1e12, aspects up to
// 1e6 and gaps down to 1e-15 of the size, is 30. Were the rounds used up, the answer would still be
// a pair of points and a direction that separates, with `miss` between them.
enum { most_iterations = 128 };

cairn_difference cairn_difference_support(const cairn_placed* p, cairn_vec3 direction,
                                          const cairn_difference* last)
{
    cairn_difference d = {.vertex_a = last->vertex_a, .vertex_b = last->vertex_b};
    cairn_vec3 back = cairn_neg(cairn_mat3_apply_transposed(p->R, direction));
    d.a = cairn_core_support(p->a, direction, &d.vertex_a);
    d.b = cairn_to_a(p, cairn_core_support(p->b, back, &d.vertex_b));
    d.w = cairn_sub(d.a, d.b);
    return d;
}

// ---------------------------------------------------------------- closest point of a simplex

// weights of the closest point of a sub-simplex; zero for points that it does not need
typedef struct closest {
    double weight[4];
    double distance2;
} closest;

static closest closest_on_segment(const cairn_vec3* w, int i, int j)
{
    closest c = {{0.0}, 0.0};
    cairn_vec3 d = cairn_sub(w[j], w[i]);
    double length2 = cairn_dot(d, d), along = -cairn_dot(w[i], d);
    double t = length2 > 0.0 ? along / length2 : 0.0;
    t = t < 0.0 ? 0.0 : t > 1.0 ? 1.0 : t;
    c.weight[i] = 1.0 - t;
    c.weight[j] = t;
    cairn_vec3 v = cairn_add_scaled(w[i], t, d);
    c.distance2 = cairn_dot(v, v);
    return c;
}

// p x q = p x d = q x d with d = q - p, by the two that are shortest: a small triangle far from the
// origin, and a large one with a corner close to it, then have their weights to round-off over
// their size, not over its square.
static cairn_vec3 cross_of_corners(cairn_vec3 p, cairn_vec3 q, cairn_vec3 d, double p2, double q2)
{
    double d2 = cairn_dot(d, d);
    if (d2 >= p2 && d2 >= q2)
        return cairn_cross(p, q);
    return cairn_cross(p2 <= q2 ? p : q, d);
}

static closest closest_on_triangle(const cairn_vec3* w, int i, int j, int k)
{
    cairn_vec3 ij = cairn_sub(w[j], w[i]), jk = cairn_sub(w[k], w[j]), ki = cairn_sub(w[i], w[k]);
    cairn_vec3 n = cairn_cross(ki, ij);
    double n2 = cairn_dot(n, n);

    // twice the areas seen from the origin's projection
    double i2 = cairn_dot(w[i], w[i]), j2 = cairn_dot(w[j], w[j]), k2 = cairn_dot(w[k], w[k]);
    double a = cairn_dot(n, cross_of_corners(w[j], w[k], jk, j2, k2));
    double b = cairn_dot(n, cross_of_corners(w[k], w[i], ki, k2, i2));
    double c = cairn_dot(n, cross_of_corners(w[i], w[j], ij, i2, j2));

    // all weights positive: the closest point is inside
    if (n2 > 0.0 && a > 0.0 && b > 0.0 && c > 0.0) {
        double height = cairn_dot(n, w[i]), sum = a + b + c;
        closest inside = {{0.0}, height * height / n2};
        inside.weight[i] = a / sum;
        inside.weight[j] = b / sum;
        inside.weight[k] = c / sum;
        return inside;
    }

    // otherwise it lies on an edge whose weight is not positive; a triangle without area has all
    // three
    closest best = {{0.0}, DBL_MAX};
    const int edge[3][2] = {{j, k}, {k, i}, {i, j}};
    const double area[3] = {a, b, c};
    for (int e = 0; e < 3; e++) {
        if (n2 > 0.0 && area[e] > 0.0)
            continue;
        closest side = closest_on_segment(w, edge[e][0], edge[e][1]);
        if (side.distance2 < best.distance2)
            best = side;
    }
    return best;
}

// `outside`: the origin is known not to be inside, whatever round-off says
static closest closest_on_tetrahedron(const cairn_vec3* w, bool outside)
{
    static const int face[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};
    closest best = {{0.25, 0.25, 0.25, 0.25}, 0.0};
    bool found = false;
    for (int f = 0; f < 4; f++) {
        cairn_vec3 o = w[face[f][0]];
        cairn_vec3 n = cairn_cross(cairn_sub(w[face[f][1]], o), cairn_sub(w[face[f][2]], o));
        double here = -cairn_dot(n, o), corner = cairn_dot(n, cairn_sub(w[f], o));

        // the origin on the same side of the face as the opposite corner: not this face
        if (here * corner > 0.0 && !outside)
            continue;

        closest side = closest_on_triangle(w, face[f][0], face[f][1], face[f][2]);
        if (!found || side.distance2 < best.distance2)
            best = side;
        found = true;
    }
    return best;
}

static closest closest_on_simplex(const cairn_vec3* w, int count, bool outside)
{
    if (count == 2)
        return closest_on_segment(w, 0, 1);
    if (count == 3)
        return closest_on_triangle(w, 0, 1, 2);
    if (count == 4)
        return closest_on_tetrahedron(w, outside);
    return (closest){{1.0}, cairn_dot(w[0], w[0])};
}

double cairn_simplex_closest(double* weight, const cairn_vec3* w, int count)
{
    closest c = closest_on_simplex(w, count, false);
    for (int i = 0; i < count; i++)
        weight[i] = c.weight[i];
    return c.distance2;
}

static void reduce(cairn_simplex* s, bool outside)
{
    cairn_vec3 w[4] = {s->point[0].w, s->point[1].w, s->point[2].w, s->point[3].w};
    closest c = closest_on_simplex(w, s->count, outside);
    int kept = 0, count = s->count;
    for (int i = 0; i < count; i++) {
        if (c.weight[i] <= 0.0)
            continue;
        s->point[kept] = s->point[i];
        s->weight[kept++] = c.weight[i];
    }
    s->count = kept;
}

// ---------------------------------------------------------------- the loop

static cairn_vec3 closest_point(const cairn_simplex* s)
{
    cairn_vec3 v = cairn_vec(0.0, 0.0, 0.0);
    for (int i = 0; i < s->count; i++)
        v = cairn_add_scaled(v, s->weight[i], s->point[i].w);
    if (s->count != 3)
        return v;
    // above a triangle v is its height: free of cancellation between the corners
    cairn_vec3 n = cairn_cross(cairn_sub(s->point[1].w, s->point[0].w),
                               cairn_sub(s->point[2].w, s->point[0].w));
    double n2 = cairn_dot(n, n);
    return n2 > 0.0 ? cairn_scale(cairn_dot(n, s->point[0].w) / n2, n) : v;
}

static bool holds(const cairn_simplex* s, const cairn_difference* d)
{
    for (int i = 0; i < s->count; i++)
        if (cairn_norm(cairn_sub(s->point[i].w, d->w)) == 0.0)
            return true;
    return false;
}

static int vertex_of(const cairn_simplex* s, int i, bool of_b)
{
    return of_b ? s->point[i].vertex_b : s->point[i].vertex_a;
}

// how many vertices of A or of B the simplex comes from
static int count_vertices(const cairn_simplex* s, bool of_b)
{
    int count = 0;
    for (int i = 0; i < s->count; i++) {
        int k = 0;
        while (vertex_of(s, k, of_b) != vertex_of(s, i, of_b))
            k++;
        count += k == i;
    }
    return count;
}

// from the first vertex of A or of B to the second one, in its own frame; there are two at least
static cairn_vec3 edge_of(const cairn_simplex* s, const cairn_core* core, bool of_b)
{
    int i = 1, first = vertex_of(s, 0, of_b);
    while (vertex_of(s, i, of_b) == first)
        i++;
    return cairn_sub(core->vertices[vertex_of(s, i, of_b)], core->vertices[first]);
}

// A triangle that comes from an edge of A and one of B, from a0 along e and from b0 along g. The
// corners of the triangle are right to ε times the size of the pair, which is much for the sides of
// one with a short edge. The edges themselves are not:
//
//     a0 + s e + λ n = b0 + t g,   n = e x g,   d = b0 - a0:
//     s = (d x g)·n / n²,   t = (d x e)·n / n².
static void cross_edges(cairn_apart* apart, const cairn_simplex* s, const cairn_placed* p)
{
    const cairn_difference* first = &s->point[0];
    cairn_vec3 e = edge_of(s, p->a, false), g = cairn_mat3_apply(p->R, edge_of(s, p->b, true));
    cairn_vec3 n = cairn_cross(e, g), d = cairn_neg(first->w);
    double n2 = cairn_dot(n, n);

    // nearly parallel edges do not cross
    if (!(n2 > 1e-12 * cairn_dot(e, e) * cairn_dot(g, g)))
        return;

    double on_a = cairn_dot(cairn_cross(d, g), n) / n2, on_b = cairn_dot(cairn_cross(d, e), n) / n2;
    if (!(on_a >= 0.0 && on_a <= 1.0 && on_b >= 0.0 && on_b <= 1.0))
        return;

    double side = cairn_dot(n, apart->normal) < 0.0 ? -1.0 : 1.0;
    apart->normal = cairn_scale(side / sqrt(n2), n);
    apart->gap = cairn_dot(apart->normal, d);
    apart->point_a = cairn_add_scaled(first->a, on_a, e);
    apart->point_b = cairn_add_scaled(apart->point_a, apart->gap, apart->normal);
}

// A triangle that comes from three vertices of one core and more than one of the other is no face
// of the difference: round-off kept a corner that has hardly a weight, as that of a short edge and
// a long one is known no better in A - B. Two edges that the other corners span separate more.
static void try_edges(cairn_apart* apart, const cairn_simplex* s, const cairn_placed* p)
{
    for (int i = 0; i < 3; i++) {
        cairn_simplex pair = {.count = 2, .point = {s->point[i], s->point[(i + 1) % 3]}};
        if (count_vertices(&pair, false) < 2 || count_vertices(&pair, true) < 2)
            continue;

        cairn_apart next = *apart;
        cross_edges(&next, &pair, p);

        // the distance of the edges is the gap if nothing else sticks out along their normal
        double between = cairn_separation(p, next.normal);
        if (between > cairn_separation(p, apart->normal) &&
            next.gap - between <= 4.0 * DBL_EPSILON * p->size)
            *apart = next;
    }
}

// A triangle that comes from three vertices of A or of B: the face that they span has the normal,
// when it separates as well, free of the round-off of the other core's place.
static cairn_vec3 face_normal(const cairn_simplex* s, const cairn_placed* p, bool of_b,
                              const cairn_apart* apart)
{
    const cairn_vec3* v = of_b ? p->b->vertices : p->a->vertices;
    cairn_vec3 o = v[vertex_of(s, 0, of_b)];
    cairn_vec3 n =
        cairn_cross(cairn_sub(v[vertex_of(s, 1, of_b)], o), cairn_sub(v[vertex_of(s, 2, of_b)], o));
    n = cairn_normalize(of_b ? cairn_mat3_apply(p->R, n) : n);
    n = cairn_dot(n, apart->normal) < 0.0 ? cairn_neg(n) : n;
    double lost = cairn_separation(p, apart->normal) - cairn_separation(p, n);
    return lost <= 4.0 * DBL_EPSILON * p->size ? n : apart->normal;
}

static void report(cairn_apart* apart, const cairn_simplex* s, const cairn_placed* p, cairn_vec3 v)
{
    cairn_vec3 a = cairn_vec(0.0, 0.0, 0.0), b = a;

    for (int i = 0; i < s->count; i++) {
        a = cairn_add_scaled(a, s->weight[i], s->point[i].a);
        b = cairn_add_scaled(b, s->weight[i], s->point[i].b);
    }

    // on an edge v is square to it
    if (s->count == 2) {
        cairn_vec3 u = cairn_normalize(cairn_sub(s->point[1].w, s->point[0].w));
        v = cairn_add_scaled(v, -cairn_dot(u, v), u);
    }

    apart->normal = cairn_neg(cairn_normalize(v));
    apart->gap = -cairn_dot(apart->normal, s->point[0].w);

    // the points lie straight over each other: start from that of the smaller feature, which has
    // less of the weights' round-off
    int of_a = count_vertices(s, false), of_b = count_vertices(s, true);
    if (of_a == 3 || of_b == 3) {
        apart->normal = face_normal(s, p, of_b == 3, apart);
        apart->gap = -cairn_dot(apart->normal, s->point[0].w);
    }
    apart->point_a = of_a <= of_b ? a : cairn_add_scaled(b, -apart->gap, apart->normal);
    apart->point_b = of_a <= of_b ? cairn_add_scaled(a, apart->gap, apart->normal) : b;

    // two edges: their crossing is known better than the weights
    if (of_a == 2 && of_b == 2)
        cross_edges(apart, s, p);
    else if (s->count == 3 && of_a > 1 && of_b > 1)
        try_edges(apart, s, p);
}

typedef struct search {
    cairn_vec3 along; // the first direction
    bool apart;       // which is known to separate
    double beyond, slack;
} search;

// `miss` (m) is by how much the points are farther apart than what is known to be between
static bool find_distance(cairn_apart* apart, cairn_simplex* s, const cairn_placed* p,
                          const search* how, double* miss)
{
    cairn_difference first = {0};
    double touching = 4.0 * DBL_EPSILON * p->size;

    s->count = 1;
    s->weight[0] = 1.0;
    s->point[0] = cairn_difference_support(p, how->along, &first);
    cairn_vec3 v = s->point[0].w, best_v = v;
    cairn_simplex best = *s;
    double least = DBL_MAX, excess = DBL_MAX;
    bool proven = how->apart;
    *miss = 0.0;

    for (int i = 0; i < most_iterations; i++) {
        double length2 = cairn_dot(v, v), length = sqrt(length2);

        // the origin lies on the simplex
        if (length2 <= touching * touching)
            return false;

        // the support point bounds the distance from below: positive, no overlap; beyond the reach,
        // done
        cairn_difference next = cairn_difference_support(p, cairn_neg(v), &s->point[s->count - 1]);
        double ahead = cairn_dot(v, next.w);
        proven = proven || ahead > 0.0;

        if (ahead > how->beyond * length) {
            report(apart, s, p, v);
            apart->gap = ahead / length;
            return true;
        }

        // neither the distance nor the excess has become smaller: round-off decides from here on
        if (length2 >= least && (length2 > (1.0 + 1e-12) * least || length2 - ahead > 0.5 * excess))
            break;

        least = length2;
        excess = length2 - ahead;
        best = *s;
        best_v = v;

        // no support point gets closer
        if (excess <= fmax(1e-15 * length * p->size, how->slack * length2) || holds(s, &next))
            break;

        s->point[s->count++] = next;

        // inside a tetrahedron: overlap, unless a direction is known that separates
        reduce(s, proven);
        if (s->count == 4)
            return false;
        v = closest_point(s);
    }

    *s = best;
    v = best_v;

    // no direction separates: the cores meet, and v is round-off
    if (!proven)
        return false;

    *miss = excess / sqrt(least);
    report(apart, s, p, v);
    return true;
}

// Of a large and a small core the search may end in round-off before it is done. From its normal
// the corners come in another order; the end that misses less is the better one.
static void search_again(cairn_apart* apart, cairn_simplex* s, const cairn_placed* p, double miss)
{
    cairn_apart other;
    cairn_simplex end;
    double less;
    search how = {apart->normal, true, INFINITY, 0.0};
    if (find_distance(&other, &end, p, &how, &less) && less < miss) {
        *apart = other;
        *s = end;
    }
}

bool cairn_gjk(cairn_apart* apart, cairn_simplex* s, const cairn_placed* p, double beyond,
               double slack)
{
    bool centered = cairn_dot(p->t, p->t) == 0.0;
    search how = {centered ? cairn_vec(1.0, 0.0, 0.0) : p->t, false, beyond, slack};
    double miss;
    if (!find_distance(apart, s, p, &how, &miss))
        return false;
    if (slack == 0.0 && miss > 1e-13 * p->size)
        search_again(apart, s, p, miss);
    return true;
}

bool cairn_gjk_apart(cairn_apart* apart, cairn_simplex* s, const cairn_placed* p, cairn_vec3 normal)
{
    double miss;
    return find_distance(apart, s, p, &(search){normal, true, INFINITY, 0.0}, &miss);
}
