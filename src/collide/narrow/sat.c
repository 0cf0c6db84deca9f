// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Separating axes of convex polytopes. The candidates are the face normals of A - B: the faces of
// A, those of B reversed, and the cross products of an edge of A with an edge of B. A pair of edges
// makes a face of A - B only if, on the sphere of normals, the arc between the two faces at A's
// edge crosses the arc at B's edge reversed (Gregorius 2013): with edges e, f, the normals a0, a1
// beside e and c0, c1 beside f,
//
//     (c0·e)(c1·e) < 0,   (a0·f)(a1·f) < 0,   (c0·e)(a1·f) < 0,
//
// four dot products instead of two support points. A segment's arc is a full circle, a flat
// triangle's arcs are half circles; for them the crossing e x f is tested against the arcs
// directly.
//
// Few candidates are looked at. Along a normal x of A the cores are apart by
//
//     s(x) = min_b x·b - max_a x·a  <=  x·b - max_a x·a     for any point b of B,
//
// which at a face is the height of b over it. Along the arc of an edge, from n0 to n1, it is at
// most the greater of the heights over both faces, unless b is straight out from the edge, between
// the normals: not if it is above neither face; nor if it is above one of them and the arc is no
// longer than a quarter of a circle. The points of B that were lowest over a few faces of A bound
// nearly all other faces and edges of A below the best axis so far; likewise points of A those of
// B.

#include "collide/narrow/sat.h"
#include <float.h>

// sin² below which two edges count as parallel
static const double parallel = 1e-14;

// points of the other core that bound faces and edges
enum { most_witnesses = 4 };

static const cairn_axis no_axis = {CAIRN_AXIS_NONE, -1, -1, -DBL_MAX, {0.0, 0.0, 0.0}};

const cairn_axis* cairn_axes_best(const cairn_axes* axes)
{
    const cairn_axis* best = &axes->face_a;
    if (axes->face_b.separation > best->separation)
        best = &axes->face_b;
    if (axes->edges.separation > best->separation)
        best = &axes->edges;
    return best;
}

// ---------------------------------------------------------------- faces

// n·x = offset in the frame of A, everything of A below; the least height of B over it
static double height_over_a(const cairn_placed* p, const cairn_hull_face* face, int* start)
{
    cairn_vec3 m = cairn_mat3_apply_transposed(p->R, face->normal);
    *start = cairn_core_support_vertex(p->b, cairn_neg(m), *start);
    return cairn_dot(face->normal, p->t) + cairn_dot(m, p->b->vertices[*start]) - face->offset;
}

static double height_over_b(const cairn_placed* p, const cairn_hull_face* face, int* start)
{
    cairn_vec3 m = cairn_mat3_apply(p->R, face->normal);
    *start = cairn_core_support_vertex(p->a, cairn_neg(m), *start);
    return cairn_dot(m, cairn_sub(p->a->vertices[*start], p->t)) - face->offset;
}

// room for the faces of a core in whole groups of lanes
enum { face_room = CAIRN_MOST_SAT_FACES };

// the search over the faces of one core
typedef struct face_search {
    const cairn_placed* p;
    bool of_b;
    const cairn_core *core, *other;
    int start;    // where walks over the other core begin
    double slack; // m: round-off of a separation
    cairn_axis best;
    cairn_lane_points seen; // witnesses, in the frame of the core
    int next;               // which of them to replace
    double most[face_room]; // m: no face separates by more
} face_search;

static void start_search(face_search* s, const cairn_placed* p, bool of_b)
{
    s->p = p;
    s->of_b = of_b;
    s->core = of_b ? p->b : p->a;
    s->other = of_b ? p->a : p->b;
    s->start = s->next = s->seen.count = 0;
    s->slack = 1e-14 * p->size;
    s->best = no_axis;
}

// bounds all faces by a point of the other core
static void lower_faces(face_search* s, cairn_vec3 point)
{
    const cairn_core* core = s->core;
    if (core->face_lanes) {
        CAIRN_PICK_KERNEL(core->level, cairn_lanes_lower)
        (s->most, core->face_lanes, cairn_hull_groups(core->face_count), point);
        return;
    }
    for (int f = 0; f < core->face_count; f++) {
        double height = cairn_dot(core->faces[f].normal, point) - core->faces[f].offset;
        s->most[f] = height < s->most[f] ? height : s->most[f];
    }
}

// of two faces that separate alike the lower index wins, in whatever order they come
static void look_at_face(face_search* s, int f)
{
    const cairn_hull_face* face = &s->core->faces[f];

    double separation =
        s->of_b ? height_over_b(s->p, face, &s->start) : height_over_a(s->p, face, &s->start);
    int best = s->of_b ? s->best.b : s->best.a;
    if (separation < s->best.separation || (separation == s->best.separation && f > best))
        return;

    s->best = (cairn_axis){s->of_b ? CAIRN_AXIS_FACE_B : CAIRN_AXIS_FACE_A, s->of_b ? -1 : f,
                           s->of_b ? f : -1, separation, s->best.normal};

    // the lowest point over it becomes a witness
    cairn_vec3 lowest = s->other->vertices[s->start];
    cairn_vec3* witness = &s->seen.at[s->next];
    *witness = s->of_b ? cairn_to_b(s->p, lowest) : cairn_to_a(s->p, lowest);
    s->next = (s->next + 1) % most_witnesses;
    s->seen.count += s->seen.count < most_witnesses;
    lower_faces(s, *witness);
}

// the face that looks most at a point inside the other core: a good one to begin with
static int first_face(face_search* s)
{
    bool flat = s->other->kind == CAIRN_CORE_TRIANGLE;
    cairn_vec3 inside = flat ? s->other->vertices[0] : s->other->center;
    int room = CAIRN_HULL_LANES * cairn_hull_groups(s->core->face_count);

    for (int f = 0; f < room; f++)
        s->most[f] = DBL_MAX;
    lower_faces(s, s->of_b ? cairn_to_b(s->p, inside) : cairn_to_a(s->p, inside));

    int best = 0;
    double highest = s->most[0];
    for (int f = 1, count = s->core->face_count; f < count; f++) {
        if (s->most[f] > highest) {
            highest = s->most[f];
            best = f;
        }
    }
    return best;
}

// the best face, or the first found that separates by more than `beyond`
static cairn_axis find_face(face_search* s, double beyond)
{
    if (s->core->face_count == 0)
        return no_axis;

    int first = first_face(s), count = s->core->face_count;
    look_at_face(s, first);
    double least = s->best.separation - s->slack;

    // a witness bounds the separation of a face from above: most faces need no support point
    for (int f = 0; f < count && s->best.separation <= beyond; f++) {
        if (s->most[f] < least || f == first)
            continue;
        look_at_face(s, f);
        least = s->best.separation - s->slack;
    }

    // no face was found: the heights are beyond the range of numbers
    if (s->best.kind == CAIRN_AXIS_NONE)
        return no_axis;

    s->best.normal = s->of_b
                         ? cairn_neg(cairn_mat3_apply(s->p->R, s->core->faces[s->best.b].normal))
                         : s->core->faces[s->best.a].normal;
    return s->best;
}

// ---------------------------------------------------------------- edges

typedef struct arc {
    cairn_vec3 p, e;   // start of the edge and its direction
    cairn_vec3 n0, n1; // normals of the faces on its left and right
} arc;

static arc arc_of_half(const cairn_core* core, int half)
{
    const cairn_hull_edge* h = &core->edges[half];
    arc a = {.p = core->vertices[h->origin]};
    a.e = cairn_sub(core->vertices[core->edges[h->twin].origin], a.p);
    if (core->kind != CAIRN_CORE_SEGMENT) {
        a.n0 = core->faces[h->face].normal;
        a.n1 = core->faces[core->edges[h->twin].face].normal;
    }
    return a;
}

static arc get_arc(const cairn_core* core, int i)
{
    return arc_of_half(core, core->edge_half[i]);
}

static arc to_a(const cairn_placed* p, arc a)
{
    return (arc){cairn_to_a(p, a.p), cairn_mat3_apply(p->R, a.e), cairn_mat3_apply(p->R, a.n0),
                 cairn_mat3_apply(p->R, a.n1)};
}

// The separation along x, which points from A to B. Of two that separate alike the first.
static void try_axis(cairn_axis* best, cairn_vec3 x, const arc* a, const arc* b, int i, int j)
{
    double length2 = cairn_dot(x, x);
    if (length2 <= parallel * cairn_dot(a->e, a->e) * cairn_dot(b->e, b->e))
        return;
    double length = sqrt(length2);
    double s = cairn_dot(x, cairn_sub(b->p, a->p)) / length;
    bool before = j < best->b || (j == best->b && i < best->a);
    if (s > best->separation || (s == best->separation && before))
        *best = (cairn_axis){CAIRN_AXIS_EDGES, i, j, s, cairn_scale(1.0 / length, x)};
}

// Edges of a core that may make the best axis, by their half-edges h < twin. A convex polytope of n
// faces has at most 3n - 6 edges.
typedef struct edge_list {
    int count;
    unsigned short half[3 * CAIRN_MOST_SAT_FACES];
} edge_list;

// For each face, as bits, the witnesses that stand no higher over it than the best axis separates,
// and above these bits those that are not above it at all.
typedef struct bounds {
    unsigned char bits[face_room];
} bounds;

static void bound_faces(bounds* out, const face_search* s, double best)
{
    const cairn_core* core = s->core;

    best += s->slack;
    if (core->face_lanes) {
        CAIRN_PICK_KERNEL(core->level, cairn_lanes_bound)
        (out->bits, core->face_lanes, cairn_hull_groups(core->face_count), &s->seen, best);
        return;
    }

    for (int f = 0; f < core->face_count; f++) {
        unsigned found = 0;
        for (int k = 0; k < s->seen.count; k++) {
            double height = cairn_dot(core->faces[f].normal, s->seen.at[k]) - core->faces[f].offset;
            found |= (unsigned)(height <= best) << k | (unsigned)(height <= 0.0) << (4 + k);
        }
        out->bits[f] = (unsigned char)found;
    }
}

// whether a witness shows that no axis at the edge between two faces separates by more than the
// best
static bool is_edge_bounded(const cairn_core* core, int left, int right, const bounds* known)
{
    int both = known->bits[left] & known->bits[right], one = known->bits[left] | known->bits[right];
    if (both & both >> 4)
        return true;
    return (both & one >> 4 & 15) &&
           cairn_dot(core->faces[left].normal, core->faces[right].normal) >= 0.0;
}

// The edges around faces that not all witnesses are below of: others are bounded by any witness.
static void list_edges(edge_list* out, const face_search* s, double best)
{
    bounds known;
    const cairn_core* core = s->core;
    int all = (1 << s->seen.count) - 1;
    all |= all << 4;
    bound_faces(&known, s, best);

    out->count = 0;
    for (int left = 0; left < core->face_count; left++) {
        if (known.bits[left] == all)
            continue;

        const cairn_hull_face* face = &core->faces[left];
        for (int h = face->edge; h < face->edge + face->edge_count; h++) {
            int twin = core->edges[h].twin, right = core->edges[twin].face;
            bool seen = known.bits[right] != all && twin < h;
            if (!seen && !is_edge_bounded(core, left, right, &known))
                out->half[out->count++] = (unsigned short)(h < twin ? h : twin);
        }
    }
}

// some of the edges of A
enum { most_arcs = 32 };

typedef struct arcs {
    int count;
    int half[most_arcs];
    arc arc[most_arcs];
} arcs;

static int gather_arcs(arcs* out, const cairn_core* core, const edge_list* list, int from)
{
    out->count = 0;
    for (; from < list->count && out->count < most_arcs; from++) {
        out->half[out->count] = list->half[from];
        out->arc[out->count++] = arc_of_half(core, list->half[from]);
    }
    return from;
}

// all pairs of an edge of B (in the frame of A) with edges of A whose arcs cross
static void cross_arcs(cairn_axis* best, const arcs* of_a, const arc* b, int j)
{
    for (int k = 0; k < of_a->count; k++) {
        const arc* a = &of_a->arc[k];
        double c0 = cairn_dot(b->n0, a->e), c1 = cairn_dot(b->n1, a->e);
        if (c0 * c1 >= 0.0)
            continue;

        double a0 = cairn_dot(a->n0, b->e), a1 = cairn_dot(a->n1, b->e);
        if (a0 * a1 >= 0.0 || c0 * a1 >= 0.0)
            continue;

        cairn_vec3 x = cairn_cross(a->e, b->e);
        if (cairn_dot(x, cairn_add(a->n0, a->n1)) < 0.0)
            x = cairn_neg(x);
        try_axis(best, x, a, b, of_a->half[k], j);
    }
}

// the whole edge of a half-edge h < twin; they ascend
static int edge_of_half(const cairn_core* core, int half)
{
    int lo = 0, hi = core->edge_count - 1;
    while (lo < hi) {
        int middle = (lo + hi) / 2;
        if (core->edge_half[middle] < half)
            lo = middle + 1;
        else
            hi = middle;
    }
    return lo;
}

// Polytopes with volume. An edge axis counts only if it separates by more than all faces do.
static void edge_axes(cairn_axis* best, const cairn_placed* p, const face_search* a,
                      const face_search* b, double beyond)
{
    double least = fmax(a->best.separation, b->best.separation);
    edge_list list_a, list_b;

    list_edges(&list_a, a, least);
    list_edges(&list_b, b, least);

    arcs of_a;
    for (int from = 0; from < list_a.count && best->separation <= beyond;) {
        from = gather_arcs(&of_a, p->a, &list_a, from);
        for (int j = 0; j < list_b.count && best->separation <= beyond; j++) {
            arc of_b = to_a(p, arc_of_half(p->b, list_b.half[j]));
            cross_arcs(best, &of_a, &of_b, list_b.half[j]);
        }
    }

    // the search names half-edges; the axis names edges
    if (best->kind) {
        best->a = edge_of_half(p->a, best->a);
        best->b = edge_of_half(p->b, best->b);
    }
}

// whether x is an outward normal at the edge
static bool on_arc(const cairn_core* core, const arc* a, cairn_vec3 x)
{
    if (core->kind == CAIRN_CORE_SEGMENT)
        return true;
    if (core->kind == CAIRN_CORE_TRIANGLE)
        return cairn_dot(x, cairn_cross(a->e, a->n0)) >= 0.0;
    return cairn_dot(cairn_cross(a->n0, x), a->e) >= 0.0 &&
           cairn_dot(cairn_cross(x, a->n1), a->e) >= 0.0;
}

bool cairn_edge_shows(const cairn_core* core, int i, cairn_vec3 x)
{
    arc a = get_arc(core, i);
    return on_arc(core, &a, x);
}

static bool is_flat(const cairn_core* core)
{
    return core->kind == CAIRN_CORE_SEGMENT || core->kind == CAIRN_CORE_TRIANGLE;
}

// whether the arc of an edge may cross a direction square to e: it does not if e sees both ends of
// it from the same side
static bool may_cross(const cairn_core* core, const arc* a, cairn_vec3 e)
{
    return is_flat(core) || !(cairn_dot(a->n0, e) * cairn_dot(a->n1, e) > 0.0);
}

// for pairs with a segment or a triangle among them
static void flat_edge_axes(cairn_axis* best, const cairn_placed* p, double beyond)
{
    for (int j = 0; j < p->b->edge_count; j++) {
        arc b = to_a(p, get_arc(p->b, j));
        for (int i = 0; i < p->a->edge_count; i++) {
            arc a = get_arc(p->a, i);
            if (!may_cross(p->a, &a, b.e) || !may_cross(p->b, &b, a.e))
                continue;

            // either sign of the cross product may point out of A
            cairn_vec3 x = cairn_cross(a.e, b.e);
            for (int side = 0; side < 2; side++) {
                cairn_vec3 back = cairn_neg(x);
                if (on_arc(p->a, &a, x) && on_arc(p->b, &b, back))
                    try_axis(best, x, &a, &b, i, j);
                x = back;
            }

            if (best->separation > beyond)
                return;
        }
    }
}

void cairn_sat(cairn_axes* axes, const cairn_placed* p, double beyond)
{
    face_search a, b;

    start_search(&a, p, false);
    start_search(&b, p, true);
    *axes = (cairn_axes){no_axis, no_axis, no_axis};

    axes->face_a = find_face(&a, beyond);
    if (axes->face_a.separation > beyond)
        return;

    axes->face_b = find_face(&b, beyond);
    if (axes->face_b.separation > beyond)
        return;

    if (is_flat(p->a) || is_flat(p->b))
        flat_edge_axes(&axes->edges, p, beyond);
    else
        edge_axes(&axes->edges, p, &a, &b, beyond);
}

// ---------------------------------------------------------------- a cached axis

static bool edges_again(cairn_axis* axis, const cairn_placed* p)
{
    arc a = get_arc(p->a, axis->a), b = to_a(p, get_arc(p->b, axis->b));
    cairn_vec3 x = cairn_cross(a.e, b.e);
    if (cairn_dot(x, axis->normal) < 0.0)
        x = cairn_neg(x);
    if (!on_arc(p->a, &a, x) || !on_arc(p->b, &b, cairn_neg(x)))
        return false;
    axis->separation = -DBL_MAX;
    try_axis(axis, x, &a, &b, axis->a, axis->b);
    return axis->separation > -DBL_MAX;
}

// the cores have the features: a cache that another pair left may name others
static bool has_features(const cairn_axis* axis, const cairn_placed* p)
{
    switch (axis->kind) {
    case CAIRN_AXIS_FACE_A:
        return axis->a >= 0 && axis->a < p->a->face_count;
    case CAIRN_AXIS_FACE_B:
        return axis->b >= 0 && axis->b < p->b->face_count;
    default:
        return axis->a >= 0 && axis->a < p->a->edge_count && axis->b >= 0 &&
               axis->b < p->b->edge_count;
    }
}

bool cairn_sat_again(cairn_axis* axis, const cairn_placed* p)
{
    int start = 0;
    if (!has_features(axis, p))
        return false;

    switch (axis->kind) {
    case CAIRN_AXIS_FACE_A:
        axis->normal = p->a->faces[axis->a].normal;
        axis->separation = height_over_a(p, &p->a->faces[axis->a], &start);
        return true;
    case CAIRN_AXIS_FACE_B:
        axis->normal = cairn_neg(cairn_mat3_apply(p->R, p->b->faces[axis->b].normal));
        axis->separation = height_over_b(p, &p->b->faces[axis->b], &start);
        return true;
    case CAIRN_AXIS_EDGES:
        return edges_again(axis, p);
    default:
        return false;
    }
}
