// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Which features meet at a point of contact. The point and the gap give the two witness points, one
// on each surface; each side looks at its own in its own frame. Names of points are not asked:
// they are kept over time, and may be those of a neighbor.
//
// A side whose face looks along the normal owns the contact. Where both do, it is the side on which
// no corner lies, so that a corner stays the corner that it is. Otherwise each side says whether
// its witness lies on a corner (a point) or an edge (a line); the round side of a cylinder is its
// axis with a radius, and the edge of a cap the tangent there. What these give is compared with
// what was found; where it is something else, the witness points are anchors.

#include "collide/narrow/feature.h"
#include "collide/narrow/manifold.h"
#include "collide/narrow/surface.h"

static const double is_normal = 1e-7;    // sine: a face looks along a normal
static const double is_there = 1e-9;     // of the size: a point lies on a plane
static const double is_square = 1e-7;    // cosine: a normal is square to an axis
static const double is_lowest = 1e-6;    // 1 - cosine: the point of a rim that is farthest out
static const double least_lean = 1e-3;   // sine: less, and the lowest point of a rim is anywhere
static const double is_parallel = 1e-3;  // sine of two lines
static const double least_sine = 0.05;   // of two edges that cross: their normal turns with them,
                                         // faster by 1/sine
static const double tangent_half = 0.01; // of the radius: how far a rim is taken for its tangent

// one side of a contact, as its piece sees it
typedef struct view {
    const cairn_shape* piece;
    const cairn_transform* offset; // of the part in its compound, or NULL
    cairn_vec3 p, out;             // the witness point and the normal outwards, in its frame
} view;

// a feature of a side that is no face
typedef struct part {
    bool known;
    cairn_vec3 core, line;
    double half, round;
} part;

static view view_of(const cairn_shape* shape, cairn_transform x, int index, cairn_vec3 point,
                    cairn_vec3 out)
{
    view v = {.piece = shape};
    if (shape->kind == CAIRN_SHAPE_COMPOUND) {
        v.piece = &shape->data.compound->parts[index];
        v.offset = &shape->data.compound->offsets[index];
        x = cairn_transform_multiply(x, *v.offset);
    }
    v.p = cairn_transform_point_back(x, point);
    v.out = cairn_rotate_back(x.q, out);
    return v;
}

static cairn_vec3 axis(int i, double sign)
{
    return cairn_vec(i == 0 ? sign : 0.0, i == 1 ? sign : 0.0, i == 2 ? sign : 0.0);
}

static bool is_close(cairn_vec3 a, cairn_vec3 b, double distance)
{
    cairn_vec3 d = cairn_sub(a, b);
    return cairn_dot(d, d) <= distance * distance;
}

// ---------------------------------------------------------------- faces

static bool face_of_box(cairn_vec3* normal, cairn_vec3 out)
{
    const double x[3] = {out.x, out.y, out.z};
    for (int i = 0; i < 3; i++) {
        if (fabs(x[(i + 1) % 3]) <= is_normal && fabs(x[(i + 2) % 3]) <= is_normal) {
            *normal = axis(i, x[i] < 0.0 ? -1.0 : 1.0);
            return true;
        }
    }
    return false;
}

static bool face_of_hull(cairn_vec3* normal, const cairn_hull* hull, cairn_vec3 out)
{
    *normal = hull->faces[cairn_hull_facing(hull, out)].normal;
    return is_close(*normal, out, is_normal);
}

// a box about a point of a surface, as large as the round-off of its coordinates may be
static cairn_aabb about(cairn_vec3 p)
{
    cairn_vec3 a = cairn_abs(p);
    double slack = is_there * (1e-3 + fmax(a.x, fmax(a.y, a.z)));
    return cairn_aabb_grow((cairn_aabb){p, p}, slack);
}

// m: how far inside of the edge from corner e to e + 1 a point over a triangle is
static double inside_edge(const cairn_facet* f, int e, cairn_vec3 p)
{
    cairn_vec3 d = cairn_sub(f->corner[(e + 1) % 3], f->corner[e]);
    cairn_vec3 in = cairn_cross(f->normal, d);
    return cairn_dot(in, cairn_sub(p, f->corner[e])) / cairn_norm(d);
}

// whether a point lies on the plane of a triangle, but for round-off, and not far beyond its edges
static bool is_on_facet(const cairn_facet* f, cairn_vec3 p, double slack, double beyond)
{
    if (fabs(cairn_dot(f->normal, cairn_sub(p, f->corner[0]))) > slack)
        return false;
    for (int e = 0; e < 3; e++)
        if (inside_edge(f, e, p) < -beyond)
            return false;
    return true;
}

// Within `beyond` of it the plane of a triangle may own a contact, too: behind a hollow edge, see
// mesh_contact.c.
static bool face_of_surface(cairn_vec3* normal, const view* v, double beyond)
{
    cairn_aabb box = about(v->p);
    double slack = box.hi.x - v->p.x;
    box = cairn_aabb_grow(box, beyond);
    cairn_surface_walk walk = cairn_surface_start(v->piece, box);

    for (int i = cairn_surface_next(&walk); i >= 0; i = cairn_surface_next(&walk)) {
        cairn_facet facet = cairn_surface_facet(v->piece, i);
        if (is_close(facet.normal, v->out, is_normal) &&
            is_on_facet(&facet, v->p, slack, slack + beyond)) {
            *normal = facet.normal;
            return true;
        }
    }
    return false;
}

// m: how far beyond the border of a surface's triangle its plane may be met by a shape
static double beyond_of(const cairn_shape* shape)
{
    switch (shape->kind) {
    case CAIRN_SHAPE_SPHERE:
    case CAIRN_SHAPE_CAPSULE:
    case CAIRN_SHAPE_CYLINDER:
    case CAIRN_SHAPE_CONE:
        return shape->radius;
    case CAIRN_SHAPE_TAPERED_CAPSULE:
        return fmax(shape->radius, shape->top_radius);
    case CAIRN_SHAPE_ELLIPSOID:
        return fmax(shape->half.x, fmax(shape->half.y, shape->half.z));
    default:
        return 0.0;
    }
}

// the outward normal of the face that looks along the normal of contact
static bool find_face(cairn_vec3* normal, const view* v, double beyond)
{
    switch (v->piece->kind) {
    case CAIRN_SHAPE_HALF_SPACE:
        *normal = cairn_vec(0.0, 0.0, 1.0);
        return true;
    case CAIRN_SHAPE_BOX:
        return face_of_box(normal, v->out);
    case CAIRN_SHAPE_CYLINDER:
        *normal = cairn_vec(0.0, 0.0, v->out.z < 0.0 ? -1.0 : 1.0);
        return cairn_length(v->out.x, v->out.y) <= is_normal;
    case CAIRN_SHAPE_CONE:
        *normal = cairn_vec(0.0, 0.0, -1.0);
        return v->out.z < 0.0 && cairn_length(v->out.x, v->out.y) <= is_normal;
    case CAIRN_SHAPE_HULL:
        return face_of_hull(normal, v->piece->data.hull, v->out);
    case CAIRN_SHAPE_MESH:
    case CAIRN_SHAPE_HEIGHT_FIELD:
        return face_of_surface(normal, v, 0.0) ||
               (beyond > 0.0 && face_of_surface(normal, v, beyond));
    default:
        return false;
    }
}

// ---------------------------------------------------------------- corners and edges

static double clamp(double x, double most)
{
    return x < -most ? -most : x > most ? most : x;
}

static double size_of_box(const cairn_shape* box)
{
    return fmax(box->half.x, fmax(box->half.y, box->half.z));
}

// coordinates at their ends: three on a corner, two on an edge
static part part_of_box(const view* v)
{
    const double h[3] = {v->piece->half.x, v->piece->half.y, v->piece->half.z};
    double x[3] = {v->p.x, v->p.y, v->p.z}, slack = is_there * size_of_box(v->piece);

    int count = 0, along = 0;
    for (int i = 0; i < 3; i++) {
        if (fabs(fabs(x[i]) - h[i]) <= slack) {
            x[i] = x[i] < 0.0 ? -h[i] : h[i];
            count++;
        } else {
            along = i;
        }
    }

    if (count < 2)
        return (part){0};
    if (count == 3)
        return (part){.known = true, .core = cairn_vec(x[0], x[1], x[2])};

    // an edge: its middle and its direction
    x[along] = 0.0;
    return (part){true, cairn_vec(x[0], x[1], x[2]), axis(along, 1.0), h[along], 0.0};
}

static part line_between(cairn_vec3 from, cairn_vec3 to)
{
    cairn_vec3 d = cairn_sub(to, from);
    double length = cairn_norm(d);
    return (part){true, cairn_scale(0.5, cairn_add(from, to)), cairn_scale(1.0 / length, d),
                  0.5 * length, 0.0};
}

static cairn_vec3 end_of(const cairn_hull* hull, int half_edge)
{
    return hull->vertices[hull->edges[hull->edges[half_edge].twin].origin];
}

// the corner of a face that is nearest to a point
static cairn_vec3 nearest_corner(const cairn_hull* hull, int face, cairn_vec3 p)
{
    const cairn_hull_face* f = &hull->faces[face];
    cairn_vec3 best = p;
    double least = INFINITY;
    for (int i = 0; i < f->edge_count; i++) {
        cairn_vec3 corner = hull->vertices[hull->edges[f->edge + i].origin];
        double distance = cairn_norm(cairn_sub(corner, p));
        if (distance < least) {
            least = distance;
            best = corner;
        }
    }
    return best;
}

// faces through the point: two share an edge, more a corner
static part part_of_hull(const view* v)
{
    const cairn_hull* hull = v->piece->data.hull;
    int on[2] = {0, 0};
    int count = cairn_hull_faces_at(hull, v->p, is_there * hull->size, on, 2);

    if (count < 2)
        return (part){0};
    if (count > 2)
        return (part){.known = true, .core = nearest_corner(hull, on[0], v->p)};

    // the edge of the first face that has the second one beyond it
    const cairn_hull_face* face = &hull->faces[on[0]];
    for (int h = face->edge; h < face->edge + face->edge_count; h++)
        if (hull->edges[hull->edges[h].twin].face == on[1])
            return line_between(hull->vertices[hull->edges[h].origin], end_of(hull, h));
    return (part){0};
}

static part part_of_facet(const cairn_facet* f, cairn_vec3 p, double slack)
{
    int count = 0, at[3];
    for (int e = 0; e < 3; e++)
        if (fabs(inside_edge(f, e, p)) <= slack)
            at[count++] = e;
    if (count == 0)
        return (part){0};
    if (count == 1)
        return line_between(f->corner[at[0]], f->corner[(at[0] + 1) % 3]);
    // the corner between edges e and e + 1 is e + 1
    int corner = at[0] == 0 && at[1] == 2 ? 0 : at[1];
    return (part){.known = true, .core = f->corner[corner]};
}

static part part_of_surface(const view* v)
{
    cairn_aabb box = about(v->p);
    double slack = box.hi.x - v->p.x;
    cairn_surface_walk walk = cairn_surface_start(v->piece, box);
    for (int i = cairn_surface_next(&walk); i >= 0; i = cairn_surface_next(&walk)) {
        cairn_facet facet = cairn_surface_facet(v->piece, i);
        if (is_on_facet(&facet, v->p, slack, slack))
            return part_of_facet(&facet, v->p, slack);
    }
    return (part){0};
}

static part part_of_capsule(const view* v)
{
    const cairn_shape* s = v->piece;
    double z = v->p.z - s->radius * v->out.z, h = s->half_height;
    bool end = fabs(z) >= h - is_there * (h + s->radius);
    if (end)
        return (part){
            .known = true, .core = cairn_vec(0.0, 0.0, z < 0.0 ? -h : h), .round = s->radius};
    return (part){true, cairn_vec(0.0, 0.0, 0.0), axis(2, 1.0), h, s->radius};
}

// an end of a tapered capsule; its side is none of the lines that are followed
static part part_of_tapered(const view* v)
{
    const cairn_shape* s = v->piece;
    double h = s->half_height, k = (s->top_radius - s->radius) / (2.0 * h);
    if (fabs(v->out.z + k) <= is_square)
        return (part){0};
    bool top = v->out.z > -k;
    return (part){.known = true,
                  .core = cairn_vec(0.0, 0.0, top ? h : -h),
                  .round = top ? s->top_radius : s->radius};
}

// the apex of a cone, or the tangent of its rim
static part part_of_cone(const view* v)
{
    const cairn_shape* s = v->piece;
    double slack = is_there * (s->radius + s->half_height);
    double across = cairn_length(v->p.x, v->p.y);
    if (is_close(v->p, cairn_vec(0.0, 0.0, s->half_height), slack))
        return (part){.known = true, .core = cairn_vec(0.0, 0.0, s->half_height)};
    if (fabs(across - s->radius) > slack || fabs(v->p.z + s->half_height) > slack)
        return (part){0};
    cairn_vec3 tangent = cairn_vec(-v->p.y / across, v->p.x / across, 0.0);
    return (part){true, v->p, tangent, tangent_half * s->radius, 0.0};
}

static part part_of_cylinder(const view* v)
{
    const cairn_shape* s = v->piece;
    double slack = is_there * (s->radius + s->half_height);

    double across = cairn_length(v->p.x, v->p.y);
    if (fabs(across - s->radius) > slack)
        return (part){0};

    bool border = fabs(v->p.z) >= s->half_height - slack;
    if (!border && fabs(v->out.z) <= is_square)
        return (part){true, cairn_vec(0.0, 0.0, 0.0), axis(2, 1.0), s->half_height, s->radius};

    if (!border)
        return (part){0};

    // the rim bends away: for a small turn it is its tangent at the point
    cairn_vec3 tangent = cairn_vec(-v->p.y / across, v->p.x / across, 0.0);
    return (part){true, v->p, tangent, tangent_half * s->radius, 0.0};
}

// what a side is where none of its faces looks along the normal
static part find_part(const view* v)
{
    switch (v->piece->kind) {
    case CAIRN_SHAPE_SPHERE:
        return (part){.known = true, .round = v->piece->radius};
    case CAIRN_SHAPE_CAPSULE:
        return part_of_capsule(v);
    case CAIRN_SHAPE_BOX:
        return part_of_box(v);
    case CAIRN_SHAPE_CYLINDER:
        return part_of_cylinder(v);
    case CAIRN_SHAPE_CONE:
        return part_of_cone(v);
    case CAIRN_SHAPE_TAPERED_CAPSULE:
        return part_of_tapered(v);
    case CAIRN_SHAPE_HULL:
        return part_of_hull(v);
    case CAIRN_SHAPE_MESH:
    case CAIRN_SHAPE_HEIGHT_FIELD:
        return part_of_surface(v);
    default:
        return (part){0};
    }
}

// ---------------------------------------------------------------- the pair

static cairn_vec3 to_shape(const view* v, cairn_vec3 point)
{
    return v->offset ? cairn_transform_point(*v->offset, point) : point;
}

static cairn_vec3 turn_to_shape(const view* v, cairn_vec3 direction)
{
    return v->offset ? cairn_rotate(v->offset->q, direction) : direction;
}

// the point of a cylinder that is farthest out, of those at its height
static bool is_rim(const view* v)
{
    double across = cairn_length(v->p.x, v->p.y), lean = cairn_length(v->out.x, v->out.y);
    double along = v->p.x * v->out.x + v->p.y * v->out.y;
    return fabs(across - v->piece->radius) <= is_lowest * v->piece->radius && lean > least_lean &&
           along > (1.0 - is_lowest) * across * lean;
}

// The ball of a tapered capsule that has the witness point: along z that is at
// z + (r + k (z + h)) m.z, r the lower radius and k the slope.
static cairn_vec3 core_in_tapered(const view* v, double* round)
{
    const cairn_shape* s = v->piece;
    double h = s->half_height, k = (s->top_radius - s->radius) / (2.0 * h);
    double z = clamp((v->p.z - (s->radius + k * h) * v->out.z) / (1.0 + k * v->out.z), h);
    *round = s->radius + k * (z + h);
    return cairn_vec(0.0, 0.0, z);
}

// what stands over a face: a ball, a rim, an ellipsoid, or the witness point
static void put_over_face(cairn_feature_pair* pair, int side, const view* v)
{
    const cairn_shape* s = v->piece;

    cairn_vec3 core = v->p;
    if (s->kind == CAIRN_SHAPE_SPHERE || s->kind == CAIRN_SHAPE_CAPSULE) {
        // the point of the axis below the witness point
        double h = s->kind == CAIRN_SHAPE_CAPSULE ? s->half_height : 0.0;
        core = cairn_vec(0.0, 0.0, clamp(v->p.z - s->radius * v->out.z, h));
        pair->round[side] = s->radius;
    } else if (s->kind == CAIRN_SHAPE_TAPERED_CAPSULE) {
        core = core_in_tapered(v, &pair->round[side]);
    } else if (s->kind == CAIRN_SHAPE_ELLIPSOID) {
        // its surface is x^T S^-1 x = 1
        cairn_vec3 h = s->half;
        core = cairn_vec(0.0, 0.0, 0.0);
        pair->oval = true;
        pair->S = cairn_mat3_diagonal(h.x * h.x, h.y * h.y, h.z * h.z);
        if (v->offset)
            pair->S = cairn_oval_turned(pair->S, v->offset->q);
    } else if ((s->kind == CAIRN_SHAPE_CYLINDER || s->kind == CAIRN_SHAPE_CONE) && is_rim(v)) {
        // the disc of the rim, about the axis
        core = cairn_vec(0.0, 0.0, v->p.z);
        pair->rim = true;
        pair->disc = s->radius;
        pair->line[side] = turn_to_shape(v, axis(2, 1.0));
    }

    pair->core[side] = to_shape(v, core);
}

static void put_part(cairn_feature_pair* pair, int side, const view* v, const part* p)
{
    pair->core[side] = to_shape(v, p->core);
    pair->line[side] = turn_to_shape(v, p->line);
    pair->half[side] = p->half;
    pair->round[side] = p->round;
}

// lines that are all but parallel: the point of this one that is nearest to the witness
static void take_point(part* p, const view* v)
{
    cairn_vec3 inner = cairn_add_scaled(v->p, -p->round, v->out);
    double s = cairn_dot(p->line, cairn_sub(inner, p->core));
    p->core = cairn_add_scaled(p->core, clamp(s, p->half), p->line);
    p->line = cairn_vec(0.0, 0.0, 0.0);
    p->half = 0.0;
}

// two features that are no faces; whether a rule covers them
static bool join_parts(cairn_feature_pair* pair, const view* a, cairn_transform xa, const view* b,
                       cairn_transform xb, cairn_vec3 normal)
{
    part of_a = find_part(a), of_b = find_part(b);

    if (!of_a.known || !of_b.known)
        return false;

    // crossing lines have a normal square to both; of parallel ones that of A becomes a point
    if (of_a.half > 0.0 && of_b.half > 0.0) {
        cairn_vec3 la = cairn_rotate(xa.q, turn_to_shape(a, of_a.line));
        cairn_vec3 lb = cairn_rotate(xb.q, turn_to_shape(b, of_b.line));
        cairn_vec3 x = cairn_cross(la, lb);
        double sine = cairn_norm(x);
        if (sine > least_sine) {
            if (cairn_dot(x, normal) < 0.0)
                of_b.line = cairn_neg(of_b.line);
            pair->rule = CAIRN_RULE_EDGES;
        } else if (sine > is_parallel) {
            return false;
        } else {
            take_point(&of_a, a);
        }
    }

    put_part(pair, 0, a, &of_a);
    put_part(pair, 1, b, &of_b);
    if (pair->rule == CAIRN_RULE_EDGES)
        return true;

    // a corner that comes to a corner or an edge must not turn the normal as it arrives
    pair->rule = CAIRN_RULE_POINTS;
    return of_a.round + of_b.round > 0.0;
}

// whether the place that features give is the one that was found, to round-off
static bool is_found(const cairn_feature_pair* pair, const cairn_feature_place* now,
                     cairn_vec3 normal, const cairn_contact_point* point)
{
    cairn_vec3 far = cairn_abs(point->position), half = cairn_scale(0.5 * point->gap, normal);
    double size = cairn_norm(pair->core[0]) + cairn_norm(pair->core[1]) + pair->round[0] +
                  pair->round[1] + fabs(point->gap) + 1e-3 * (far.x + far.y + far.z);
    return fabs(now->gap - point->gap) <= 1e-12 * size && is_close(now->normal, normal, 1e-7) &&
           is_close(now->point[0], cairn_sub(point->position, half), 1e-8 * size);
}

static void anchor(cairn_feature_pair* pair, const view* a, const view* b)
{
    *pair = (cairn_feature_pair){.rule = CAIRN_RULE_ANCHORS};
    pair->core[0] = to_shape(a, a->p);
    pair->core[1] = to_shape(b, b->p);
}

void cairn_contact_feature(cairn_feature_pair* out, const cairn_shape* a, cairn_transform xa,
                           int part_a, const cairn_shape* b, cairn_transform xb, int part_b,
                           cairn_vec3 normal, const cairn_contact_point* point)
{
    // each side's own view of the point
    cairn_vec3 half = cairn_scale(0.5 * point->gap, normal), face_a, face_b;
    view va = view_of(a, xa, part_a, cairn_sub(point->position, half), normal);
    view vb = view_of(b, xb, part_b, cairn_add(point->position, half), cairn_neg(normal));
    *out = (cairn_feature_pair){.rule = CAIRN_RULE_ANCHORS};

    // a face owns the contact; of two, that of B where a corner of A lies on it
    bool corner_of_a = point->feature >> 62 == CAIRN_FEATURE_VERTEX_A;
    bool of_a = find_face(&face_a, &va, beyond_of(b));
    bool of_b = (!of_a || corner_of_a) && find_face(&face_b, &vb, beyond_of(a));
    if (of_a && !of_b) {
        out->rule = CAIRN_RULE_FACE_A;
        out->own = turn_to_shape(&va, face_a);
        out->core[0] = to_shape(&va, va.p);
        put_over_face(out, 1, &vb);
    } else if (of_b) {
        out->rule = CAIRN_RULE_FACE_B;
        out->own = cairn_neg(turn_to_shape(&vb, face_b));
        out->core[1] = to_shape(&vb, vb.p);
        put_over_face(out, 0, &va);
    }

    // near the border of the face, which may have cut off the rest of the other side
    if (of_a || of_b) {
        const view* owner = of_b ? &vb : &va;
        out->cut = cairn_face_room(owner->piece, owner->p, owner->out, true) >= 0.0;
        return;
    }

    // A point where faces were clipped along the normal of others may lie on lines that would give
    // its gap, but with a normal that is not theirs.
    if (join_parts(out, &va, xa, &vb, xb, normal)) {
        cairn_feature_place now = cairn_feature_now(out, xa, xb, normal);
        if (is_found(out, &now, normal, point) &&
            cairn_feature_room(out, &now, a, xa, part_a, b, xb, part_b) >= 0.0)
            return;
    }
    anchor(out, &va, &vb);
}

// ---------------------------------------------------------------- at other poses

// how far a rim reaches along `out` from its center, as a vector
static cairn_vec3 rim_reach(cairn_vec3 axis_of_rim, double radius, cairn_vec3 out)
{
    cairn_vec3 d = cairn_add_scaled(out, -cairn_dot(out, axis_of_rim), axis_of_rim);
    double length = cairn_norm(d);
    return length > 0.0 ? cairn_scale(radius / length, d) : cairn_vec(0.0, 0.0, 0.0);
}

static cairn_feature_place over_face(const cairn_feature_pair* f, cairn_transform xa,
                                     cairn_transform xb)
{
    bool of_a = f->rule == CAIRN_RULE_FACE_A;
    int other = of_a ? 1 : 0;
    cairn_transform x = of_a ? xb : xa, owner = of_a ? xa : xb;
    cairn_vec3 n = cairn_rotate(owner.q, f->own), out = of_a ? cairn_neg(n) : n;

    // the point that stands over the face, farthest out towards it
    cairn_vec3 p = cairn_add_scaled(cairn_transform_point(x, f->core[other]), f->round[other], out);
    if (f->rim)
        p = cairn_add(p, rim_reach(cairn_rotate(x.q, f->line[other]), f->disc, out));
    if (f->oval)
        p = cairn_add(p, cairn_rotate(x.q, cairn_oval_reach(f->S, cairn_rotate_back(x.q, out))));

    // the foot of the point on the face, and its height
    cairn_vec3 on_face = cairn_transform_point(owner, f->core[1 - other]);
    double gap = -cairn_dot(out, cairn_sub(p, on_face));
    cairn_vec3 foot = cairn_add_scaled(p, gap, out);
    return (cairn_feature_place){n, {of_a ? foot : p, of_a ? p : foot}, gap};
}

static cairn_feature_place between_points(const cairn_feature_pair* f, cairn_transform xa,
                                          cairn_transform xb, cairn_vec3 last)
{
    cairn_vec3 ca = cairn_transform_point(xa, f->core[0]);
    cairn_vec3 cb = cairn_transform_point(xb, f->core[1]), d = cairn_sub(cb, ca);
    double rounds = f->round[0] + f->round[1];

    // the core of a line slides to where it is nearest
    if (f->half[0] > 0.0) {
        cairn_vec3 l = cairn_rotate(xa.q, f->line[0]);
        ca = cairn_add_scaled(ca, cairn_dot(d, l), l);
        d = cairn_sub(cb, ca);
    } else if (f->half[1] > 0.0) {
        cairn_vec3 l = cairn_rotate(xb.q, f->line[1]);
        cb = cairn_add_scaled(cb, -cairn_dot(d, l), l);
        d = cairn_sub(cb, ca);
    }

    // cores that meet, or are deep in each other, keep their normal
    double distance = cairn_norm(d), along = cairn_dot(d, last);
    bool clear = distance > 1e-9 * rounds && along > 0.0;
    cairn_vec3 n = clear ? cairn_scale(1.0 / distance, d) : last;
    return (cairn_feature_place){
        n,
        {cairn_add_scaled(ca, f->round[0], n), cairn_add_scaled(cb, -f->round[1], n)},
        (clear ? distance : along) - rounds};
}

static cairn_feature_place between_lines(const cairn_feature_pair* f, cairn_transform xa,
                                         cairn_transform xb, cairn_vec3 last)
{
    cairn_vec3 ca = cairn_transform_point(xa, f->core[0]), la = cairn_rotate(xa.q, f->line[0]);
    cairn_vec3 cb = cairn_transform_point(xb, f->core[1]), lb = cairn_rotate(xb.q, f->line[1]);
    cairn_vec3 d = cairn_sub(cb, ca), x = cairn_cross(la, lb);
    double sine2 = cairn_dot(x, x);

    // c_A + s l_A and c_B + t l_B are nearest where their difference is along l_A x l_B
    cairn_vec3 n = last;
    if (sine2 > 1e-24) {
        double s = cairn_dot(cairn_cross(d, lb), x) / sine2;
        double t = cairn_dot(cairn_cross(d, la), x) / sine2;
        n = cairn_scale(1.0 / sqrt(sine2), x);
        ca = cairn_add_scaled(ca, s, la);
        cb = cairn_add_scaled(cb, t, lb);
    }
    return (cairn_feature_place){
        n,
        {cairn_add_scaled(ca, f->round[0], n), cairn_add_scaled(cb, -f->round[1], n)},
        cairn_dot(n, d) - f->round[0] - f->round[1]};
}

cairn_feature_place cairn_feature_now(const cairn_feature_pair* f, cairn_transform xa,
                                      cairn_transform xb, cairn_vec3 last)
{
    switch (f->rule) {
    case CAIRN_RULE_FACE_A:
    case CAIRN_RULE_FACE_B:
        return over_face(f, xa, xb);
    case CAIRN_RULE_POINTS:
        return between_points(f, xa, xb, last);
    case CAIRN_RULE_EDGES:
        return between_lines(f, xa, xb, last);
    default:
        break;
    }

    cairn_vec3 a = cairn_transform_point(xa, f->core[0]), b = cairn_transform_point(xb, f->core[1]);
    return (cairn_feature_place){last, {a, b}, cairn_dot(last, cairn_sub(b, a))};
}
