// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The expanding polytope (van den Bergen 2001): a polytope inside A - B that holds the origin; take
// its face nearest to the origin; add the point of A - B farthest along that face's normal; stop
// when it is no farther than the face. The depth is then reported as the separation along that
// normal itself, h_A(n) + h_B(-n), which parts the cores whether or not the loop came to its end.
//
// For polytopes the end is exact after finitely many steps. Boxes and hulls of moderate size use
// separating axes instead (sat.c): faster, and with features for the manifold.

#include "collide/narrow/gjk.h"
#include "collide/shape/predicates.h"
#include <float.h>
#include <string.h>

enum { most_points = 200, most_faces = 2 * most_points };

typedef struct face {
    int v[3];
    cairn_vec3 n;
    double distance;
} face;

typedef struct hull {
    cairn_difference point[most_points];
    int point_count;
    face faces[most_faces];
    int face_count;
    int rim[most_faces][2];
    int rim_count;
} hull;

// The unit normal n of a face made square to the face's longest edge: a needle of width w and
// length l has a cross product that is off by round-off times l / w, and would tilt away from its
// own corners.
static cairn_vec3 upright(cairn_vec3 n, cairn_vec3 longest)
{
    cairn_vec3 unit = cairn_normalize(n), u = cairn_normalize(longest);
    return cairn_normalize(cairn_add_scaled(unit, -cairn_dot(unit, u), u));
}

static bool add_face(hull* h, int i, int j, int k)
{
    if (h->face_count == most_faces)
        return false;
    cairn_vec3 a = h->point[i].w, b = h->point[j].w, c = h->point[k].w;
    cairn_vec3 e[3] = {cairn_sub(b, a), cairn_sub(c, b), cairn_sub(a, c)}, longest = e[0];
    for (int l = 1; l < 3; l++)
        longest = cairn_dot(e[l], e[l]) > cairn_dot(longest, longest) ? e[l] : longest;
    cairn_vec3 n = upright(cairn_cross(e[0], e[1]), longest);
    h->faces[h->face_count++] = (face){{i, j, k}, n, cairn_dot(n, a)};
    return true;
}

static double volume(const hull* h)
{
    cairn_vec3 o = h->point[0].w;
    return cairn_dot(cairn_cross(cairn_sub(h->point[1].w, o), cairn_sub(h->point[2].w, o)),
                     cairn_sub(h->point[3].w, o));
}

// how well the direction splits what is missing: distance, area, volume of the simplex so far
static double spread(const hull* h, cairn_vec3 w)
{
    cairn_vec3 d = cairn_sub(w, h->point[0].w);
    if (h->point_count == 1)
        return cairn_norm(d);
    cairn_vec3 u = cairn_sub(h->point[1].w, h->point[0].w);
    if (h->point_count == 2)
        return cairn_norm(cairn_cross(cairn_normalize(u), d));
    cairn_vec3 n = cairn_cross(u, cairn_sub(h->point[2].w, h->point[0].w));
    return fabs(cairn_dot(cairn_normalize(n), d));
}

// grows the simplex to a tetrahedron by the directions that spread it most
static bool complete(hull* h, const cairn_placed* p)
{
    while (h->point_count < 4) {
        double best = 1e-14 * p->size;
        cairn_difference chosen = {0};
        bool found = false;

        // the 26 directions to the faces, edges and corners of a cube
        for (int i = 0; i < 26; i++) {
            int k = i < 13 ? i : i + 1;
            cairn_vec3 d = cairn_vec(k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1);
            cairn_difference w = cairn_difference_support(p, d, &h->point[0]);
            double s = spread(h, w.w);
            if (s > best) {
                best = s;
                chosen = w;
                found = true;
            }
        }

        if (!found)
            return false;
        h->point[h->point_count++] = chosen;
    }
    return true;
}

static bool start(hull* h, const cairn_simplex* simplex, const cairn_placed* p)
{
    h->point_count = simplex->count;
    h->face_count = 0;
    memcpy(h->point, simplex->point, (size_t)simplex->count * sizeof h->point[0]);

    if (!complete(h, p) || volume(h) == 0.0)
        return false;

    // the faces look outwards: the volume as the points come must not be positive
    if (volume(h) > 0.0) {
        cairn_difference swap = h->point[1];
        h->point[1] = h->point[2];
        h->point[2] = swap;
    }
    return add_face(h, 0, 1, 2) && add_face(h, 0, 3, 1) && add_face(h, 1, 3, 2) &&
           add_face(h, 2, 3, 0);
}

// adds an edge of the hole; an edge that comes back the other way is inside the hole
static void add_rim(hull* h, int from, int to)
{
    for (int i = 0; i < h->rim_count; i++) {
        if (h->rim[i][0] != to || h->rim[i][1] != from)
            continue;

        h->rim_count--;
        h->rim[i][0] = h->rim[h->rim_count][0];
        h->rim[i][1] = h->rim[h->rim_count][1];
        return;
    }

    if (h->rim_count < most_faces) {
        h->rim[h->rim_count][0] = from;
        h->rim[h->rim_count++][1] = to;
    }
}

static bool sees(const hull* h, const face* f, cairn_vec3 w)
{
    return cairn_orient(h->point[f->v[0]].w, h->point[f->v[1]].w, h->point[f->v[2]].w, w) > 0;
}

// replaces what the point sees, without rounding error, by a fan; false when there is no room
static bool expand(hull* h, const cairn_difference* w, int from)
{
    int kept = 0, added = h->point_count, before = h->face_count;
    if (added == most_points)
        return false;

    h->point[h->point_count++] = *w;
    h->rim_count = 0;

    // faces that the point sees go; their edges are the rim of the hole
    for (int f = 0; f < before; f++) {
        const face here = h->faces[f];
        if (!sees(h, &here, w->w)) {
            h->faces[kept++] = here;
            continue;
        }
        for (int e = 0; e < 3; e++)
            add_rim(h, here.v[e], here.v[(e + 1) % 3]);
    }

    // the face is a needle whose normal is round-off: rule it out
    if (kept == before) {
        h->point_count--;
        h->faces[from].distance = DBL_MAX;
        return true;
    }

    h->face_count = kept;
    for (int i = 0; i < h->rim_count; i++)
        if (!add_face(h, h->rim[i][0], h->rim[i][1], added))
            return false;
    return h->face_count > 0;
}

static int nearest(const hull* h)
{
    int best = 0;
    for (int f = 1; f < h->face_count; f++)
        if (h->faces[f].distance < h->faces[best].distance)
            best = f;
    return best;
}

// The points of an overlap: those that touch first when B comes back along the normal from a little
// outside. (Weights on the last face would do, were it not often a needle.)
static void witness(cairn_apart* apart, const cairn_placed* p)
{
    cairn_placed out = *p;
    cairn_apart near;
    cairn_simplex simplex;

    double back = -apart->gap + 1e-4 * p->size;
    out.t = cairn_add_scaled(p->t, back, apart->normal);
    if (cairn_gjk(&near, &simplex, &out, INFINITY, 0.0)) {
        apart->point_a = near.point_a;
        apart->point_b = cairn_add_scaled(near.point_b, -back, apart->normal);
    } else {
        // without an answer: the support points along the normal
        cairn_difference none = {0}, d = cairn_difference_support(p, apart->normal, &none);
        apart->point_a = d.a;
        apart->point_b = d.b;
    }
}

static void try_direction(cairn_apart* best, const cairn_placed* p, cairn_vec3 n)
{
    double gap = cairn_separation(p, n);
    if (gap <= best->gap)
        return;
    cairn_difference none = {0};
    cairn_difference d = cairn_difference_support(p, n, &none);
    *best = (cairn_apart){gap, n, d.a, d.b};
}

// cores so thin or so barely touching that no tetrahedron exists: the best of the main directions
static void main_directions(cairn_apart* apart, const cairn_placed* p)
{
    const cairn_vec3 axis[7] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0},      p->R.cx,
                                p->R.cy,         p->R.cz,         cairn_normalize(p->t)};
    apart->gap = -DBL_MAX;
    for (int i = 0; i < 7; i++) {
        if (cairn_dot(axis[i], axis[i]) == 0.0)
            continue;
        try_direction(apart, p, axis[i]);
        try_direction(apart, p, cairn_neg(axis[i]));
    }
}

void cairn_epa(cairn_apart* apart, const cairn_simplex* simplex, const cairn_placed* p)
{
    hull h;
    double upper = DBL_MAX;
    if (!start(&h, simplex, p)) {
        main_directions(apart, p);
        return;
    }

    // each round adds a point, of which there are 200, or rules out a face that round-off has made
    for (int round = 0; round < most_points + most_faces; round++) {
        int best = nearest(&h);
        const face f = h.faces[best];
        if (f.distance == DBL_MAX)
            break;

        // the nearest face is a lower bound of the depth; its support point gives an upper bound
        cairn_difference w = cairn_difference_support(p, f.n, &h.point[f.v[0]]);
        double reach = cairn_dot(f.n, w.w);

        // the support value along any direction is a valid depth: keep the least
        if (reach < upper) {
            upper = reach;
            apart->normal = f.n;
        }

        if (upper - f.distance <= 1e-10 * p->size)
            break;
        if (!expand(&h, &w, best))
            break;
    }

    apart->gap = cairn_separation(p, apart->normal);
    witness(apart, p);
}
