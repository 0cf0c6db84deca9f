// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Quickhull (Barber, Dobkin, Huhdanpaa 1996): start from a tetrahedron; every triangle keeps the
// points above it; take the highest point of some triangle, remove all triangles that it sees, and
// close the hole by a fan from that point to the rim.
//
// The rim is a single loop only if "sees" is decided without error, so visibility uses exact signs
// (predicates.h); heights, which only choose among points, use doubles, with normals that are good
// also for slivers.
//
// A point is left out if no triangle of the end sees it from higher than the tolerance. That cannot
// be said early: of a thin slab all first triangles are nearly parallel, and a point far out beside
// them stands above none. So a point keeps to a triangle that may see it, also from below the
// tolerance. When a new point takes that triangle away, one of the new ones sees it, or it is
// inside: a plane of the fan at an edge of the rim is between the planes of the two triangles that
// met there. At the end the triangles that may see such a point, which hang together, are searched
// for one that it stands high above.
//
// Expected O(n log n); a worst case of n² is known and not guarded against.

#include "collide/shape/quickhull.h"
#include "collide/shape/predicates.h"
#include <float.h>
#include <stdlib.h>
#include <string.h>

typedef struct builder {
    const cairn_vec3* points;
    double tolerance;
    int* next;       // of each point, in the list of its triangle
    int* rim;        // of each point: the new triangle whose rim edge starts there
    int* stack;      // triangles to visit
    int stack_count; // of `stack`
    cairn_hull_triangle* triangles;
    int count, capacity;
    int* visible; // triangles that the new point sees
    int visible_count;
    int* fresh; // triangles of the new fan
    int fresh_count;
    bool* is_corner; // of each point: it was added
} builder;

static double height(const builder* b, const cairn_hull_triangle* t, int point)
{
    return cairn_triangle_height(t, b->points, b->points[point]);
}

// true of every triangle that sees the point, and of those that it hardly misses
static bool may_see(const builder* b, const cairn_hull_triangle* t, int point)
{
    return height(b, t, point) > -0.5 * b->tolerance;
}

static bool sees(const builder* b, const cairn_hull_triangle* t, int point)
{
    const cairn_vec3* p = b->points;
    return cairn_orient(p[t->vertex[0]], p[t->vertex[1]], p[t->vertex[2]], p[point]) > 0;
}

// ---------------------------------------------------------------- memory

static bool reserve(builder* b, int more)
{
    if (b->count + more <= b->capacity)
        return true;

    int capacity = 2 * b->capacity + more + 64;
    size_t n = (size_t)capacity;
    cairn_hull_triangle* triangles = realloc(b->triangles, n * sizeof *triangles);
    if (triangles)
        b->triangles = triangles;

    // a list that could not grow stays as it is, so that release can free it
    int** lists[3] = {&b->stack, &b->visible, &b->fresh};
    bool ok = triangles != NULL;
    for (int i = 0; i < 3; i++) {
        int* list = realloc(*lists[i], n * sizeof(int));
        if (list)
            *lists[i] = list;
        ok = ok && list;
    }

    if (ok)
        b->capacity = capacity;
    return ok;
}

static void release(builder* b)
{
    free(b->next);
    free(b->rim);
    free(b->stack);
    free(b->visible);
    free(b->fresh);
    free(b->is_corner);
    free(b->triangles);
}

static int add_triangle(builder* b, int i, int j, int k)
{
    cairn_vec3 n = cairn_area_vector(b->points[i], b->points[j], b->points[k]);
    b->triangles[b->count] = (cairn_hull_triangle){
        .vertex = {i, j, k}, .normal = cairn_direction_of(n), .conflict = -1, .alive = true};
    return b->count++;
}

// ---------------------------------------------------------------- the first tetrahedron

// the two of the six extreme points that are farthest apart
static void extreme_pair(int* pair, const cairn_vec3* p, int count)
{
    int extreme[6] = {0};
    for (int i = 1; i < count; i++) {
        extreme[0] = p[i].x < p[extreme[0]].x ? i : extreme[0];
        extreme[1] = p[i].x > p[extreme[1]].x ? i : extreme[1];
        extreme[2] = p[i].y < p[extreme[2]].y ? i : extreme[2];
        extreme[3] = p[i].y > p[extreme[3]].y ? i : extreme[3];
        extreme[4] = p[i].z < p[extreme[4]].z ? i : extreme[4];
        extreme[5] = p[i].z > p[extreme[5]].z ? i : extreme[5];
    }

    double best = -1.0;
    for (int i = 0; i < 6; i++) {
        for (int j = i + 1; j < 6; j++) {
            double d = cairn_norm(cairn_sub(p[extreme[i]], p[extreme[j]]));
            if (d > best) {
                best = d;
                pair[0] = extreme[i];
                pair[1] = extreme[j];
            }
        }
    }
}

static int farthest_from_line(const cairn_vec3* p, int count, int i, int j, double* distance)
{
    cairn_vec3 u = cairn_normalize(cairn_sub(p[j], p[i]));
    int best = 0;
    *distance = -1.0;
    for (int k = 0; k < count; k++) {
        double d = cairn_norm(cairn_cross(u, cairn_sub(p[k], p[i])));
        if (d > *distance) {
            *distance = d;
            best = k;
        }
    }
    return best;
}

static int farthest_from_plane(const cairn_vec3* p, int count, const int* plane, double* distance)
{
    cairn_vec3 o = p[plane[0]];
    cairn_vec3 n = cairn_direction_of(cairn_area_vector(o, p[plane[1]], p[plane[2]]));
    int best = 0;
    *distance = -1.0;
    for (int k = 0; k < count; k++) {
        double d = fabs(cairn_dot(n, cairn_sub(p[k], o)));
        if (d > *distance) {
            *distance = d;
            best = k;
        }
    }
    return best;
}

static cairn_status first_vertices(int* v, const cairn_vec3* p, int count, double tolerance,
                                   cairn_error* error)
{
    double d;
    extreme_pair(v, p, count);
    if (cairn_norm(cairn_sub(p[v[0]], p[v[1]])) <= tolerance)
        return cairn_fail(error, CAIRN_BAD_INPUT, "hull: all %d points coincide", count);

    // v[2] spans a triangle with the first two
    v[2] = farthest_from_line(p, count, v[0], v[1], &d);
    if (d <= tolerance)
        return cairn_fail(error, CAIRN_BAD_INPUT, "hull: all %d points lie on a line", count);

    // v[3] spans a tetrahedron with them
    v[3] = farthest_from_plane(p, count, v, &d);
    int side = cairn_orient(p[v[0]], p[v[1]], p[v[2]], p[v[3]]);
    if (d <= 4.0 * tolerance || side == 0)
        return cairn_fail(error, CAIRN_BAD_INPUT, "hull: all %d points lie on a plane", count);

    // the fourth vertex below the triangle of the others
    if (side > 0) {
        int swap = v[1];
        v[1] = v[2];
        v[2] = swap;
    }
    return CAIRN_OK;
}

static void start_tetrahedron(builder* b, const int* v)
{
    static const int corner[4][3] = {{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {2, 3, 0}};
    static const int across[4][3] = {{1, 2, 3}, {3, 2, 0}, {1, 3, 0}, {2, 1, 0}};
    for (int i = 0; i < 4; i++) {
        add_triangle(b, v[corner[i][0]], v[corner[i][1]], v[corner[i][2]]);
        memcpy(b->triangles[i].neighbor, across[i], sizeof across[i]);
    }
}

// ---------------------------------------------------------------- points above triangles

// gives the point to the candidate that it stands highest above; a point far below all is inside
static void assign(builder* b, int point, const int* candidates, int candidate_count)
{
    double best = -DBL_MAX;
    int owner = -1;

    for (int i = 0; i < candidate_count; i++) {
        double h = height(b, &b->triangles[candidates[i]], point);
        if (h > best) {
            best = h;
            owner = candidates[i];
        }
    }

    if (owner < 0 || !may_see(b, &b->triangles[owner], point))
        return;

    b->next[point] = b->triangles[owner].conflict;
    b->triangles[owner].conflict = point;
}

static int highest(const builder* b, const cairn_hull_triangle* t)
{
    int best = t->conflict;
    for (int i = t->conflict; i >= 0; i = b->next[i])
        if (height(b, t, i) > height(b, t, best))
            best = i;
    return best;
}

// a corner of the hull does not stick out again, whatever round-off says
static bool sticks_out(const builder* b, const cairn_hull_triangle* t, int point)
{
    return !b->is_corner[point] && height(b, t, point) > b->tolerance && sees(b, t, point);
}

// ---------------------------------------------------------------- adding a point

static void find_visible(builder* b, int start, int point)
{
    b->visible_count = 0;
    b->stack_count = 0;
    b->triangles[start].visible = true;
    b->stack[b->stack_count++] = start;

    // depth first over the neighbors: what a point sees of a convex hull is connected
    while (b->stack_count > 0) {
        int i = b->stack[--b->stack_count];
        b->visible[b->visible_count++] = i;
        for (int e = 0; e < 3; e++) {
            int j = b->triangles[i].neighbor[e];
            cairn_hull_triangle* t = &b->triangles[j];
            if (t->visible || !sees(b, t, point))
                continue;
            t->visible = true;
            b->stack[b->stack_count++] = j;
        }
    }
}

// a fan from the point to the rim of what it sees; false when memory ran out
static bool close_hole(builder* b, int point)
{
    if (!reserve(b, 3 * b->visible_count))
        return false;

    b->fresh_count = 0;
    for (int i = 0; i < b->visible_count; i++) {
        for (int e = 0; e < 3; e++) {
            cairn_hull_triangle* t = &b->triangles[b->visible[i]];
            int outer = t->neighbor[e];

            if (b->triangles[outer].visible)
                continue;

            // a triangle from this edge of the rim to the point takes the place of t beside `outer`
            int from = t->vertex[e], to = t->vertex[(e + 1) % 3];
            int fan = add_triangle(b, from, to, point);
            b->triangles[fan].neighbor[0] = outer;
            for (int k = 0; k < 3; k++)
                if (b->triangles[outer].vertex[k] == to &&
                    b->triangles[outer].vertex[(k + 1) % 3] == from)
                    b->triangles[outer].neighbor[k] = fan;

            b->rim[from] = fan;
            b->fresh[b->fresh_count++] = fan;
        }
    }

    // consecutive triangles of the fan are neighbors; `rim` finds the next one by its first vertex
    for (int i = 0; i < b->fresh_count; i++) {
        cairn_hull_triangle* t = &b->triangles[b->fresh[i]];
        int after = b->rim[t->vertex[1]];
        t->neighbor[1] = after;
        b->triangles[after].neighbor[2] = b->fresh[i];
    }
    return true;
}

static void hand_over_points(builder* b, int point)
{
    for (int i = 0; i < b->visible_count; i++) {
        cairn_hull_triangle* t = &b->triangles[b->visible[i]];
        t->alive = false;
        for (int p = t->conflict, next; p >= 0; p = next) {
            next = b->next[p];
            if (p != point)
                assign(b, p, b->fresh, b->fresh_count);
        }
    }
}

static bool add_point(builder* b, int start, int point)
{
    b->is_corner[point] = true;
    find_visible(b, start, point);
    if (!close_hole(b, point))
        return false;
    hand_over_points(b, point);
    return true;
}

// the points that stand high above the triangle that they keep to
static bool add_high_points(builder* b)
{
    // new triangles come at the end, so one pass over the growing list meets all of them
    for (int i = 0; i < b->count; i++) {
        if (!b->triangles[i].alive || b->triangles[i].conflict < 0)
            continue;
        int point = highest(b, &b->triangles[i]);
        if (sticks_out(b, &b->triangles[i], point) && !add_point(b, i, point))
            return false;
    }
    return true;
}

// the triangle that a point of triangle `start` sticks out of, or -1: a search over those that may
// see it
static int search_above(builder* b, int start, int point)
{
    int found = -1, met = 0;
    b->visible[met++] = start;
    b->triangles[start].visible = true;

    for (int i = 0; i < met && found < 0; i++) {
        const cairn_hull_triangle* t = &b->triangles[b->visible[i]];
        found = sticks_out(b, t, point) ? b->visible[i] : -1;

        for (int e = 0; e < 3; e++) {
            cairn_hull_triangle* other = &b->triangles[t->neighbor[e]];
            if (other->visible || !may_see(b, other, point))
                continue;
            other->visible = true;
            b->visible[met++] = t->neighbor[e];
        }
    }

    // leave the marks as they were
    for (int i = 0; i < met; i++)
        b->triangles[b->visible[i]].visible = false;
    return found;
}

// the points that stand high above another triangle
static bool add_points_beside(builder* b)
{
    for (int i = 0; i < b->count; i++) {
        int point = b->triangles[i].alive ? b->triangles[i].conflict : -1;
        while (point >= 0 && b->triangles[i].alive) {
            int next = b->next[point], above = search_above(b, i, point);
            if (above >= 0 && !add_point(b, above, point))
                return false;
            point = next;
        }
    }
    return true;
}

// No point is added twice, so that there are at most as many rounds as points.
static bool grow_hull(builder* b)
{
    int before = 0;
    while (b->count > before) {
        before = b->count;
        if (!add_high_points(b) || !add_points_beside(b))
            return false;
    }
    return true;
}

// drops the dead triangles and renumbers the rest
static void compact(builder* b)
{
    // the new number of each triangle
    int kept = 0;
    for (int i = 0; i < b->count; i++)
        b->stack[i] = b->triangles[i].alive ? kept++ : -1;

    for (int i = 0; i < b->count; i++) {
        if (b->stack[i] < 0)
            continue;
        cairn_hull_triangle t = b->triangles[i];
        for (int e = 0; e < 3; e++)
            t.neighbor[e] = b->stack[t.neighbor[e]];
        b->triangles[b->stack[i]] = t;
    }
    b->count = kept;
}

cairn_status cairn_quickhull(cairn_triangulation* hull, const cairn_vec3* points, int count,
                             double tolerance, cairn_error* error)
{
    // the first tetrahedron
    int v[4] = {0};
    cairn_status status = first_vertices(v, points, count, tolerance, error);
    if (status != CAIRN_OK)
        return status;

    builder b = {.points = points,
                 .tolerance = tolerance,
                 .next = malloc((size_t)count * sizeof(int)),
                 .rim = malloc((size_t)count * sizeof(int)),
                 .is_corner = calloc((size_t)count, sizeof(bool))};

    bool ok = b.next && b.rim && b.is_corner && reserve(&b, 4);
    if (ok) {
        static const int all[4] = {0, 1, 2, 3};
        start_tetrahedron(&b, v);
        for (int i = 0; i < count; i++)
            assign(&b, i, all, 4);
        ok = grow_hull(&b);
    }

    if (!ok) {
        release(&b);
        return cairn_fail(error, CAIRN_NO_MEMORY, "hull: no memory for %d points", count);
    }

    // the caller takes over the triangles
    compact(&b);
    *hull = (cairn_triangulation){b.triangles, b.count};
    b.triangles = NULL;
    release(&b);
    return CAIRN_OK;
}
