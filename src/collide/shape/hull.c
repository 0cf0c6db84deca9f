// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Convex hulls as half-edges. Quickhull gives triangles; triangles whose corners lie within the
// tolerance of the plane of a larger one become one face, largest first, so that a face never
// drifts from the plane that it grew from. A vertex that is left between only two faces and on the
// line of its neighbors is inside an edge and goes. Each face's plane is then moved out to its
// outermost vertex: the polytope lies below all its planes.
//
// A region that is not a disk (a needle-like bump inside a face) stays triangles; if merging leaves
// something that is no polytope, the triangles are taken as they are.

#include "collide/shape/hull_lanes.h"
#include "collide/shape/predicates.h"
#include "collide/shape/quickhull.h"
#include "collide/shape/usable.h"
#include "math/accept.h"
#include <float.h>
#include <stdlib.h>
#include <string.h>

typedef struct merger {
    bool starved; // there was no memory: another hull would be another answer
    const cairn_vec3* points;
    int point_count;
    double tolerance;
    cairn_triangulation mesh;
    int* region;     // of each triangle
    int* order;      // triangles by falling area
    double* area;    // of each triangle
    int* stack;      // triangles to visit
    int* loop_begin; // regions + 1: where each face's loop of points starts in `loop`
    int* loop;       // points around the faces
    int* uses;       // of each point: how many loops pass it
    int* index;      // of each point: its vertex in the hull
    int face_count;
} merger;

// ---------------------------------------------------------------- regions

static int by_area(const void* a, const void* b)
{
    const double* x = *(const double* const*)a;
    const double* y = *(const double* const*)b;
    if (*x != *y)
        return *x < *y ? 1 : -1;
    return (x > y) - (x < y);
}

static bool sort_by_area(merger* m)
{
    int n = m->mesh.count;
    const double** keys = malloc((size_t)n * sizeof *keys);
    if (!keys)
        return false;

    for (int i = 0; i < n; i++) {
        const int* v = m->mesh.triangles[i].vertex;
        cairn_vec3 p = m->points[v[0]];
        m->area[i] =
            cairn_norm(cairn_cross(cairn_sub(m->points[v[1]], p), cairn_sub(m->points[v[2]], p)));
        keys[i] = &m->area[i];
    }

    // the keys point into the areas, so that a sorted key gives the triangle's index back
    qsort(keys, (size_t)n, sizeof *keys, by_area);
    for (int i = 0; i < n; i++)
        m->order[i] = (int)(keys[i] - m->area);

    free(keys);
    return true;
}

static bool near_plane(const merger* m, const cairn_hull_triangle* plane, int triangle)
{
    const int* v = m->mesh.triangles[triangle].vertex;
    for (int i = 0; i < 3; i++)
        if (fabs(cairn_triangle_height(plane, m->points, m->points[v[i]])) > 2.0 * m->tolerance)
            return false;
    return true;
}

static void grow_region(merger* m, int seed, int label)
{
    const cairn_hull_triangle* plane = &m->mesh.triangles[seed];
    int count = 0;

    // flood fill from the seed over triangles that lie near its plane
    m->region[seed] = label;
    m->stack[count++] = seed;
    while (count > 0) {
        const cairn_hull_triangle* t = &m->mesh.triangles[m->stack[--count]];
        for (int e = 0; e < 3; e++) {
            int j = t->neighbor[e];
            if (m->region[j] >= 0 || !near_plane(m, plane, j))
                continue;
            m->region[j] = label;
            m->stack[count++] = j;
        }
    }
}

// The next boundary edge of a region around the head of edge e of triangle t. The turn around the
// head ends at the latest where it comes back to the boundary edge that it began with.
static void next_boundary(const merger* m, int* t, int* e)
{
    int triangle = *t, edge = (*e + 1) % 3;
    for (;;) {
        const cairn_hull_triangle* here = &m->mesh.triangles[triangle];
        int other = here->neighbor[edge];
        if (m->region[other] != m->region[triangle])
            break;

        // cross the edge and go on with the one after it
        const cairn_hull_triangle* there = &m->mesh.triangles[other];
        int k = 0;
        while (there->vertex[k] != here->vertex[(edge + 1) % 3])
            k++;
        triangle = other;
        edge = (k + 1) % 3;
    }

    *t = triangle;
    *e = edge;
}

static bool is_boundary(const merger* m, int t, int e)
{
    return m->region[m->mesh.triangles[t].neighbor[e]] != m->region[t];
}

// Walks the loop that starts at an edge of t; returns its length and writes its points. Each
// boundary edge has one successor and one predecessor, so that the way leads back to the first.
static int walk(const merger* m, int t, int e, int* loop)
{
    int t0 = t, e0 = e, length = 0;
    do {
        if (loop)
            loop[length] = m->mesh.triangles[t].vertex[e];
        length++;
        next_boundary(m, &t, &e);
    } while (t != t0 || e != e0);
    return length;
}

// a face is a disk when its boundary is one loop that passes each vertex once
static void split_other_than_disks(merger* m, int* edge_count, int* seen)
{
    int n = m->mesh.count, faces = m->face_count;

    // the number of boundary edges of each region
    memset(edge_count, 0, (size_t)n * sizeof(int));
    for (int t = 0; t < n; t++)
        for (int e = 0; e < 3; e++)
            edge_count[m->region[t]] += is_boundary(m, t, e);

    for (int i = 0; i < m->point_count; i++)
        seen[i] = -1;
    bool* split = calloc((size_t)faces + 1, 1);
    m->starved = m->starved || !split;

    // walk the boundary of each region once, from the first edge met; a count of -1 marks it done
    for (int t = 0; split && t < n; t++) {
        int label = m->region[t];
        for (int e = 0; e < 3; e++) {
            if (edge_count[label] < 0 || !is_boundary(m, t, e))
                continue;
            int length = walk(m, t, e, m->stack);

            // a boundary of several loops is longer than this walk; a pinched one meets a vertex
            // twice
            bool disk = length == edge_count[label] && length >= 3;
            for (int i = 0; i < length; i++) {
                disk = disk && seen[m->stack[i]] != label;
                seen[m->stack[i]] = label;
            }
            split[label] = !disk;
            edge_count[label] = -1;
        }
    }

    // a region that is no disk falls apart into single triangles
    for (int t = 0; split && t < n; t++)
        if (m->region[t] < faces && split[m->region[t]])
            m->region[t] = m->face_count++;
    free(split);
}

static void find_regions(merger* m)
{
    int n = m->mesh.count;
    m->face_count = 0;
    memset(m->region, -1, (size_t)n * sizeof(int));
    for (int i = 0; i < n; i++)
        if (m->region[m->order[i]] < 0)
            grow_region(m, m->order[i], m->face_count++);
    split_other_than_disks(m, m->loop_begin, m->uses);
}

// every triangle a face of its own
static void keep_triangles(merger* m)
{
    m->face_count = m->mesh.count;
    for (int i = 0; i < m->mesh.count; i++)
        m->region[i] = i;
}

// ---------------------------------------------------------------- loops

// the loops of all faces, one after the other; a label that lost all its triangles has no loop
static void find_loops(merger* m)
{
    int n = m->mesh.count, used = 0, faces = 0;
    int* first = m->stack;

    memset(m->uses, 0, (size_t)m->point_count * sizeof(int));
    for (int i = 0; i < m->face_count; i++)
        first[i] = -1;

    // the first boundary edge of each region, in the order of the triangles
    for (int t = n - 1; t >= 0; t--)
        for (int e = 0; e < 3; e++)
            if (is_boundary(m, t, e))
                first[m->region[t]] = 3 * t + e;

    // walk each boundary once and number the faces that are left
    for (int i = 0; i < m->face_count; i++) {
        if (first[i] < 0)
            continue;
        m->loop_begin[faces++] = used;
        used += walk(m, first[i] / 3, first[i] % 3, m->loop + used);
    }
    m->loop_begin[faces] = used;
    m->face_count = faces;

    // in how many loops each point occurs
    for (int i = 0; i < used; i++)
        m->uses[m->loop[i]]++;
}

static double distance_to_line(cairn_vec3 p, cairn_vec3 a, cairn_vec3 b)
{
    cairn_vec3 u = cairn_normalize(cairn_sub(b, a));
    return cairn_norm(cairn_cross(u, cairn_sub(p, a)));
}

// drops the points that lie between two faces only; neighbors are looked up in the loop that is
// being shortened, so that a row of such points goes one by one
static void drop_points_inside_edges(merger* m)
{
    int kept = 0, begin = 0;
    for (int i = 0; i < m->point_count; i++)
        m->index[i] = 0; // 1: dropped, 2: must stay

    for (int f = 0; f < m->face_count; f++) {
        int end = m->loop_begin[f + 1], first = kept;
        for (int i = begin; i < end; i++) {
            int p = m->loop[i];

            // a point of two faces alone is decided once, in the first of them
            if (m->uses[p] == 2 && m->index[p] == 0) {
                int before = kept > first ? m->loop[kept - 1] : m->loop[end - 1];
                int after = i + 1 < end ? m->loop[i + 1] : m->loop[first];
                double d = distance_to_line(m->points[p], m->points[before], m->points[after]);
                m->index[p] = d <= 8.0 * m->tolerance ? 1 : 2;
            }

            if (m->index[p] != 1)
                m->loop[kept++] = p;
        }

        begin = end;
        m->loop_begin[f + 1] = kept;
    }
}

// Euler's formula and at least three corners everywhere
static bool is_polytope(merger* m)
{
    int vertices = 0, half_edges = m->loop_begin[m->face_count];
    memset(m->uses, 0, (size_t)m->point_count * sizeof(int));
    for (int i = 0; i < half_edges; i++)
        vertices += m->uses[m->loop[i]]++ == 0;
    for (int f = 0; f < m->face_count; f++)
        if (m->loop_begin[f + 1] - m->loop_begin[f] < 3)
            return false;
    return half_edges % 2 == 0 && vertices - half_edges / 2 + m->face_count == 2;
}

// ---------------------------------------------------------------- the hull

static void fill_vertices(cairn_hull* hull, merger* m)
{
    cairn_vec3 sum = cairn_vec(0.0, 0.0, 0.0);
    int count = 0;
    for (int i = 0; i < m->point_count; i++) {
        if (m->uses[i] == 0)
            continue;

        m->index[i] = count;
        hull->vertices[count++] = m->points[i];
        sum = cairn_add(sum, m->points[i]);

        cairn_vec3 a = cairn_abs(m->points[i]);
        hull->size = fmax(hull->size, fmax(a.x, fmax(a.y, a.z)));
    }

    hull->vertex_count = count;
    hull->center = cairn_scale(1.0 / count, sum);
}

// Newell's normal about the first corner, and the plane through the outermost corner
static void fill_face(cairn_hull* hull, int f)
{
    cairn_hull_face* face = &hull->faces[f];
    const cairn_hull_edge* e = &hull->edges[face->edge];
    cairn_vec3 o = hull->vertices[e[0].origin], n = cairn_vec(0.0, 0.0, 0.0);

    for (int i = 1; i + 1 < face->edge_count; i++)
        n = cairn_add(
            n, cairn_area_vector(o, hull->vertices[e[i].origin], hull->vertices[e[i + 1].origin]));
    face->normal = cairn_direction_of(n);

    // no corner may lie above the plane
    face->offset = -DBL_MAX;
    for (int i = 0; i < face->edge_count; i++) {
        double d = cairn_dot(face->normal, hull->vertices[e[i].origin]);
        face->offset = d > face->offset ? d : face->offset;
    }
}

// twins: the half-edges that leave a vertex form a list through `next`
static bool fill_twins(cairn_hull* hull, int* first, int* next)
{
    cairn_hull_edge* edges = hull->edges;
    int count = 0;

    // list the half-edges that leave each vertex
    for (int i = 0; i < hull->vertex_count; i++)
        first[i] = -1;
    for (int h = 0; h < hull->edge_count; h++) {
        next[h] = first[edges[h].origin];
        first[edges[h].origin] = h;
        hull->vertex_edge[edges[h].origin] = h;
    }

    // the twin of h leaves the head of h and ends at its origin
    for (int h = 0; h < hull->edge_count; h++) {
        const cairn_hull_face* face = &hull->faces[edges[h].face];
        int to = edges[h + 1 < face->edge + face->edge_count ? h + 1 : face->edge].origin;
        int twin = first[to];
        for (; twin >= 0; twin = next[twin]) {
            const cairn_hull_face* other = &hull->faces[edges[twin].face];
            int end = other->edge + other->edge_count;
            if (edges[twin + 1 < end ? twin + 1 : other->edge].origin == edges[h].origin)
                break;
        }

        if (twin < 0)
            return false;
        edges[h].twin = twin;

        // the lower half-edge of two twins stands for the edge
        if (h < twin)
            hull->edge_half[count++] = h;
    }

    return 2 * count == hull->edge_count;
}

static cairn_hull* allocate_hull(int vertices, int half_edges, int faces)
{
    cairn_hull* hull = calloc(1, sizeof *hull);
    if (!hull)
        return NULL;

    hull->edge_count = half_edges;
    hull->face_count = faces;

    hull->vertices = calloc((size_t)vertices, sizeof *hull->vertices);
    hull->edges = calloc((size_t)half_edges, sizeof *hull->edges);
    hull->faces = calloc((size_t)faces, sizeof *hull->faces);
    hull->vertex_edge = calloc((size_t)vertices, sizeof(int));
    hull->edge_half = calloc((size_t)half_edges, sizeof(int));

    if (hull->vertices && hull->edges && hull->faces && hull->vertex_edge && hull->edge_half)
        return hull;
    cairn_hull_destroy(hull);
    return NULL;
}

// from the loops of the merger; NULL when there is no memory or the loops do not close
static cairn_hull* make_hull(merger* m)
{
    // Euler's formula: V = E - F + 2
    int half_edges = m->loop_begin[m->face_count];
    int vertices = half_edges / 2 - m->face_count + 2;
    cairn_hull* hull = allocate_hull(vertices, half_edges, m->face_count);
    if (!hull) {
        m->starved = true;
        return NULL;
    }

    fill_vertices(hull, m);
    for (int f = 0; f < hull->face_count; f++) {
        hull->faces[f].edge = m->loop_begin[f];
        hull->faces[f].edge_count = m->loop_begin[f + 1] - m->loop_begin[f];
        for (int h = m->loop_begin[f]; h < m->loop_begin[f + 1]; h++) {
            hull->edges[h].origin = m->index[m->loop[h]];
            hull->edges[h].face = f;
        }
        fill_face(hull, f);
    }

    // loops that do not pair up into twins are no hull
    if (fill_twins(hull, m->uses, m->loop))
        return hull;
    cairn_hull_destroy(hull);
    return NULL;
}

static cairn_hull* merge_faces(merger* m)
{
    if (!sort_by_area(m))
        return NULL;
    find_regions(m);
    find_loops(m);
    drop_points_inside_edges(m);

    // the faces of merged triangles, when they close to a polytope
    cairn_hull* hull = is_polytope(m) ? make_hull(m) : NULL;
    if (hull || m->starved) {
        cairn_hull_destroy(m->starved ? hull : NULL);
        return m->starved ? NULL : hull;
    }

    // otherwise every triangle is a face of its own
    keep_triangles(m);
    find_loops(m);
    return is_polytope(m) ? make_hull(m) : NULL;
}

static cairn_hull* hull_of_triangles(cairn_triangulation mesh, const cairn_vec3* points, int count,
                                     double tolerance)
{
    size_t n = (size_t)mesh.count, p = (size_t)count;
    merger m = {.points = points,
                .point_count = count,
                .tolerance = tolerance,
                .mesh = mesh,
                .region = malloc(n * sizeof(int)),
                .order = malloc(n * sizeof(int)),
                .area = malloc(n * sizeof(double)),
                .stack = malloc(3 * n * sizeof(int)),
                .loop_begin = malloc((n + 1) * sizeof(int)),
                .loop = malloc(3 * n * sizeof(int)),
                .uses = malloc(p * sizeof(int)),
                .index = malloc(p * sizeof(int))};
    cairn_hull* hull = NULL;

    if (m.region && m.order && m.area && m.stack && m.loop_begin && m.loop && m.uses && m.index)
        hull = merge_faces(&m);

    free(m.region);
    free(m.order);
    free(m.area);
    free(m.stack);
    free(m.loop_begin);
    free(m.loop);
    free(m.uses);
    free(m.index);
    return hull;
}

static cairn_status check_points(const cairn_vec3* points, int count, double* extent,
                                 cairn_error* error)
{
    if (count < 4)
        return cairn_fail(error, CAIRN_BAD_INPUT, "hull: %d points given, at least 4 are needed",
                          count);

    cairn_vec3 lo = points[0], hi = points[0];
    for (int i = 0; i < count; i++) {
        if (!cairn_vec_usable(points[i]))
            return cairn_fail(error, CAIRN_BAD_INPUT,
                              "hull: point %d is not finite or lies beyond 1e40 m", i);
        lo = cairn_min(lo, points[i]);
        hi = cairn_max(hi, points[i]);
    }

    cairn_vec3 far = cairn_max(cairn_abs(lo), cairn_abs(hi));
    cairn_vec3 d = cairn_sub(hi, lo);
    double size = fmax(d.x, fmax(d.y, d.z));

    if (!(fmax(far.x, fmax(far.y, far.z)) < 1e60))
        return cairn_fail(error, CAIRN_BAD_INPUT, "hull: points beyond 1e60 m");
    if (size < 1e-60)
        return cairn_fail(error, CAIRN_BAD_INPUT, "hull: all %d points coincide", count);

    // far from the origin the coordinates themselves are coarser than the tolerance
    *extent = fmax(size, 1e-4 * fmax(far.x, fmax(far.y, far.z)));
    return CAIRN_OK;
}

cairn_status cairn_hull_create(const cairn_vec3* points, int count, double tolerance,
                               cairn_hull** hull, cairn_error* error)
{
    if (!hull || !points)
        return cairn_refuse_null(error, "the place for the hull or its points");

    double extent = 0.0;
    cairn_triangulation mesh;
    cairn_status status = check_points(points, count, &extent, error);
    if (status != CAIRN_OK)
        return status;

    if (!(tolerance >= 0.0 && tolerance < 0.1))
        return cairn_fail(error, CAIRN_BAD_INPUT, "hull: tolerance %g is not in [0, 0.1)",
                          tolerance);

    // the caller gives the tolerance relative to the extent of the points
    tolerance = (tolerance > 0.0 ? tolerance : 1e-11) * extent;
    status = cairn_quickhull(&mesh, points, count, tolerance, error);
    if (status != CAIRN_OK)
        return status;

    // join nearly coplanar triangles to faces, and copy these for the vector units
    cairn_hull* made = hull_of_triangles(mesh, points, count, tolerance);
    free(mesh.triangles);
    if (!made || !cairn_hull_fill_lanes(made)) {
        cairn_hull_destroy(made);
        return cairn_fail(error, CAIRN_NO_MEMORY, "hull: no memory for %d points", count);
    }

    *hull = made;
    return CAIRN_OK;
}

void cairn_hull_destroy(cairn_hull* hull)
{
    if (!hull)
        return;
    free(hull->vertices);
    free(hull->edges);
    free(hull->faces);
    free(hull->vertex_edge);
    free(hull->edge_half);
    free(hull->vertex_lanes);
    free(hull->face_lanes);
    free(hull);
}
