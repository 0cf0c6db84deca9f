// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// How far a contact may go on its features. A foot on a face has its distance from the nearest
// side, and one that was found there stays there; a point of a line that from the nearer end; a
// normal at a corner or an edge must not lean over an adjacent edge or face, of direction m, by
// more than a hundredth:
//
//     n·m <= 0.01,      room = (0.01 - n·m) reach,      reach the distance of the cores,
//
// which is by how much the other core may move across until it does.

#include "collide/narrow/feature.h"
#include "collide/narrow/surface.h"

static const double grown = 0.01;       // by how much features are larger than they are
static const double least_sine = 0.04;  // of two edges, a little less than where they are found
static const double least_lean = 1e-3;  // sine of a normal and the axis of a rim
static const double same_normal = 1e-9; // sine
static const double is_there = 1e-9;    // of the size: a point lies on a plane

// ---------------------------------------------------------------- faces

// how far a point is inside of a face, and by how much the face is grown where that is least
typedef struct inside {
    double by, growth; // m
} inside;

static inside lesser(inside a, inside b)
{
    return a.by + a.growth < b.by + b.growth ? a : b;
}

static inside inside_box(const cairn_shape* box, cairn_vec3 p, cairn_vec3 normal)
{
    const double h[3] = {box->half.x, box->half.y, box->half.z}, x[3] = {p.x, p.y, p.z};
    cairn_vec3 n = cairn_abs(normal);
    int across = n.y > n.x ? (n.z > n.y ? 2 : 1) : (n.z > n.x ? 2 : 0);
    int i = (across + 1) % 3, k = (across + 2) % 3;
    return lesser((inside){h[i] - fabs(x[i]), grown * h[i]},
                  (inside){h[k] - fabs(x[k]), grown * h[k]});
}

static inside inside_hull(const cairn_hull* hull, cairn_vec3 p, cairn_vec3 normal)
{
    const cairn_hull_face* face = &hull->faces[cairn_hull_facing(hull, normal)];
    cairn_vec3 first = hull->vertices[hull->edges[face->edge].origin];
    double room = INFINITY, size = 0.0;

    // the distance to the nearest edge, inwards
    for (int i = 0; i < face->edge_count; i++) {
        int next = i + 1 < face->edge_count ? i + 1 : 0;
        cairn_vec3 o = hull->vertices[hull->edges[face->edge + i].origin];
        cairn_vec3 d = cairn_sub(hull->vertices[hull->edges[face->edge + next].origin], o);
        double area = cairn_dot(cairn_cross(face->normal, d), cairn_sub(p, o));
        room = fmin(room, area / cairn_norm(d));
        size = fmax(size, cairn_norm(cairn_sub(o, first)));
    }

    return (inside){room, 0.5 * grown * size};
}

// about the length of a side of its triangles
static double side_length(const cairn_shape* surface)
{
    if (surface->kind == CAIRN_SHAPE_HEIGHT_FIELD)
        return fmin(surface->data.field->spacing_x, surface->data.field->spacing_y);
    const cairn_mesh* mesh = surface->data.mesh;
    return cairn_norm(cairn_sub(mesh->box.hi, mesh->box.lo)) / sqrt(mesh->triangle_count);
}

// the triangle with this normal that the point is farthest inside of
static inside inside_surface(const cairn_shape* surface, cairn_vec3 p, cairn_vec3 normal)
{
    cairn_aabb box = cairn_aabb_grow((cairn_aabb){p, p}, grown * side_length(surface));
    cairn_surface_walk walk = cairn_surface_start(surface, box);
    inside best = {-INFINITY, 0.0};

    for (int i = cairn_surface_next(&walk); i >= 0; i = cairn_surface_next(&walk)) {
        cairn_facet f = cairn_surface_facet(surface, i);
        cairn_vec3 off = cairn_sub(f.normal, normal);
        if (cairn_dot(off, off) > same_normal * same_normal)
            continue;

        // the distance to the nearest edge, inwards
        inside room = {INFINITY, 0.0};
        for (int e = 0; e < 3; e++) {
            cairn_vec3 d = cairn_sub(f.corner[(e + 1) % 3], f.corner[e]);
            double length = cairn_norm(d);
            double area = cairn_dot(cairn_cross(f.normal, d), cairn_sub(p, f.corner[e]));
            room = lesser(room, (inside){area / length, 0.5 * grown * length});
        }

        if (room.by + room.growth > best.by + best.growth)
            best = room;
    }
    return best;
}

// in the frame of a piece
static inside inside_face(const cairn_shape* piece, cairn_vec3 p, cairn_vec3 normal)
{
    switch (piece->kind) {
    case CAIRN_SHAPE_HALF_SPACE:
        return (inside){INFINITY, 0.0};
    case CAIRN_SHAPE_BOX:
        return inside_box(piece, p, normal);
    case CAIRN_SHAPE_CYLINDER:
    case CAIRN_SHAPE_CONE:
        return (inside){piece->radius - cairn_length(p.x, p.y), grown * piece->radius};
    case CAIRN_SHAPE_HULL:
        return inside_hull(piece->data.hull, p, normal);
    case CAIRN_SHAPE_MESH:
    case CAIRN_SHAPE_HEIGHT_FIELD:
        return inside_surface(piece, p, normal);
    default:
        return (inside){-INFINITY, 0.0};
    }
}

// A point at the border may be where that cuts an edge of the other side: it stands for all that
// lies on the face only as long as it is there. Farther inside, more of the edge has come over the
// face.
double cairn_face_room(const cairn_shape* piece, cairn_vec3 point, cairn_vec3 out, bool cut)
{
    inside is = inside_face(piece, point, out);
    double room = is.by + is.growth;
    return cut ? fmin(room, is.growth - is.by) : room;
}

static const cairn_shape* piece_of(const cairn_shape* shape, int part, cairn_transform* x)
{
    if (shape->kind != CAIRN_SHAPE_COMPOUND)
        return shape;
    *x = cairn_transform_multiply(*x, shape->data.compound->offsets[part]);
    return &shape->data.compound->parts[part];
}

static double room_on_face(const cairn_shape* shape, cairn_transform x, int part, cairn_vec3 point,
                           cairn_vec3 normal, bool cut)
{
    const cairn_shape* piece = piece_of(shape, part, &x);
    return cairn_face_room(piece, cairn_transform_point_back(x, point),
                           cairn_rotate_back(x.q, normal), cut);
}

// ---------------------------------------------------------------- corners and edges

// one side of points or edges, in the frame of its piece
typedef struct footing {
    const cairn_shape* piece;
    cairn_vec3 core; // corner, or middle of the line
    cairn_vec3 p;    // core point where the contact is now
    cairn_vec3 out;  // normal outwards
    bool edge;       // the core is a line
} footing;

// the most that the normal leans over an edge or a face beside a corner or an edge of a box
static double lean_on_box(const footing* f)
{
    const double h[3] = {f->piece->half.x, f->piece->half.y, f->piece->half.z};
    const double x[3] = {f->p.x, f->p.y, f->p.z}, n[3] = {f->out.x, f->out.y, f->out.z};
    double lean = -1.0;
    int along = -1;

    // along an edge the coordinate that is farthest from its ends
    for (int i = 0; i < 3 && f->edge; i++)
        if (along < 0 || h[i] - fabs(x[i]) > h[along] - fabs(x[along]))
            along = i;

    for (int i = 0; i < 3; i++)
        if (i != along)
            lean = fmax(lean, x[i] < 0.0 ? n[i] : -n[i]);
    return lean;
}

// over the face on the left of an edge that runs along d
static double lean_on_left(cairn_vec3 out, cairn_vec3 face_normal, cairn_vec3 d)
{
    return cairn_dot(out, cairn_cross(face_normal, d)) / cairn_norm(d);
}

static cairn_vec3 run_of(const cairn_hull* hull, int half_edge)
{
    const cairn_hull_edge* e = &hull->edges[half_edge];
    return cairn_sub(hull->vertices[hull->edges[e->twin].origin], hull->vertices[e->origin]);
}

// over the faces beside the edge that the middle of the line lies on
static double lean_on_hull_edge(const footing* f, const cairn_hull* hull)
{
    int beside[2];
    if (cairn_hull_faces_at(hull, f->core, is_there * hull->size, beside, 2) < 2)
        return -1.0;

    const cairn_hull_face* face = &hull->faces[beside[0]];
    for (int h = face->edge; h < face->edge + face->edge_count; h++) {
        if (hull->edges[hull->edges[h].twin].face != beside[1])
            continue;
        cairn_vec3 d = run_of(hull, h);
        return fmax(lean_on_left(f->out, face->normal, d),
                    lean_on_left(f->out, hull->faces[beside[1]].normal, cairn_neg(d)));
    }
    return -1.0;
}

// along the edges that leave a corner, on either side of it around each of its faces
static double lean_on_hull_corner(const footing* f, const cairn_hull* hull)
{
    int at;
    if (cairn_hull_faces_at(hull, f->core, is_there * hull->size, &at, 1) < 1)
        return -1.0;

    // the corner of a face there that is nearest
    const cairn_hull_face* face = &hull->faces[at];
    int first = face->edge;
    double least = INFINITY, lean = -1.0;
    for (int h = face->edge; h < face->edge + face->edge_count; h++) {
        cairn_vec3 d = cairn_sub(hull->vertices[hull->edges[h].origin], f->core);
        if (cairn_dot(d, d) < least) {
            least = cairn_dot(d, d);
            first = h;
        }
    }

    // around the corner
    int h = first;
    do {
        cairn_vec3 d = run_of(hull, h);
        lean = fmax(lean, cairn_dot(f->out, d) / cairn_norm(d));

        // the next half-edge that leaves the vertex: the one after the twin on the twin's face
        int twin = hull->edges[h].twin;
        const cairn_hull_face* next = &hull->faces[hull->edges[twin].face];
        h = twin + 1 < next->edge + next->edge_count ? twin + 1 : next->edge;
    } while (h != first);
    return lean;
}

// triangles that have the point on an edge or at a corner: over their inside, or along their edges
static double lean_on_surface(const footing* f)
{
    double slack = 1e-6 * side_length(f->piece), lean = -1.0;
    cairn_aabb box = cairn_aabb_grow((cairn_aabb){f->p, f->p}, slack);
    cairn_surface_walk walk = cairn_surface_start(f->piece, box);
    for (int i = cairn_surface_next(&walk); i >= 0; i = cairn_surface_next(&walk)) {
        cairn_facet facet = cairn_surface_facet(f->piece, i);

        // an edge that holds the point, or the two edges at a corner that does
        for (int e = 0; e < 3; e++) {
            cairn_vec3 o = facet.corner[e], d = cairn_sub(facet.corner[(e + 1) % 3], o);
            cairn_vec3 back = cairn_sub(facet.corner[(e + 2) % 3], o), r = cairn_sub(f->p, o);
            double off = cairn_norm(cairn_cross(d, r)) / cairn_norm(d);
            if (f->edge && off <= slack)
                lean = fmax(lean, lean_on_left(f->out, facet.normal, d));
            if (!f->edge && cairn_norm(r) <= slack)
                lean = fmax(lean, fmax(cairn_dot(f->out, d) / cairn_norm(d),
                                       cairn_dot(f->out, back) / cairn_norm(back)));
        }
    }
    return lean;
}

// over the side from one of its ends: the normals of the side have m.z = -k
static double lean_on_tapered(const footing* f)
{
    const cairn_shape* s = f->piece;
    double k = (s->top_radius - s->radius) / (2.0 * s->half_height);
    return f->core.z < 0.0 ? f->out.z + k : -f->out.z - k;
}

// along the lines of the side, which leave the apex downwards
static double lean_on_apex(const footing* f)
{
    double r = f->piece->radius, h = 2.0 * f->piece->half_height;
    return (r * cairn_length(f->out.x, f->out.y) - h * f->out.z) / cairn_length(r, h);
}

static double lean_of(const footing* f)
{
    switch (f->piece->kind) {
    case CAIRN_SHAPE_BOX:
        return lean_on_box(f);
    case CAIRN_SHAPE_HULL:
        return f->edge ? lean_on_hull_edge(f, f->piece->data.hull)
                       : lean_on_hull_corner(f, f->piece->data.hull);
    case CAIRN_SHAPE_CAPSULE:
        return f->edge || f->piece->half_height == 0.0 ? -1.0 : f->p.z < 0.0 ? f->out.z : -f->out.z;
    case CAIRN_SHAPE_TAPERED_CAPSULE:
        return lean_on_tapered(f);
    case CAIRN_SHAPE_CONE:
        return f->edge ? -1.0 : lean_on_apex(f);
    case CAIRN_SHAPE_MESH:
    case CAIRN_SHAPE_HEIGHT_FIELD:
        return lean_on_surface(f);
    default:
        return -1.0; // a ball, or a cylinder: its lines alone
    }
}

// ---------------------------------------------------------------- the pair

// one side of points or edges
static double room_of_side(const cairn_feature_pair* pair, const cairn_feature_place* now, int side,
                           const cairn_shape* shape, cairn_transform x, int part)
{
    bool edge = pair->half[side] > 0.0;
    cairn_vec3 out = side ? cairn_neg(now->normal) : now->normal;
    cairn_vec3 core = cairn_add_scaled(now->point[side], -pair->round[side], out);
    double room = INFINITY, reach = now->gap + pair->round[0] + pair->round[1];

    // between the ends of its line
    if (edge) {
        cairn_vec3 from = cairn_sub(cairn_transform_point_back(x, core), pair->core[side]);
        room = (1.0 + grown) * pair->half[side] - fabs(cairn_dot(from, pair->line[side]));
    }

    // with a normal that is one of its corner or edge; lines turn with their bodies
    if (pair->rule == CAIRN_RULE_EDGES)
        reach = fmax(reach, fmin(pair->half[0], pair->half[1]));

    cairn_transform at = x;
    footing f = {.piece = piece_of(shape, part, &at), .edge = edge, .core = pair->core[side]};
    if (f.piece != shape)
        f.core = cairn_transform_point_back(shape->data.compound->offsets[part], f.core);
    f.p = cairn_transform_point_back(at, core);
    f.out = cairn_rotate_back(at.q, out);

    return fmin(room, (grown - lean_of(&f)) * reach);
}

static double sine_of(const cairn_feature_pair* pair, cairn_transform xa, cairn_transform xb)
{
    return cairn_norm(
        cairn_cross(cairn_rotate(xa.q, pair->line[0]), cairn_rotate(xb.q, pair->line[1])));
}

double cairn_feature_room(const cairn_feature_pair* pair, const cairn_feature_place* now,
                          const cairn_shape* a, cairn_transform xa, int part_a,
                          const cairn_shape* b, cairn_transform xb, int part_b)
{
    if (pair->rule == CAIRN_RULE_ANCHORS)
        return INFINITY;

    if (pair->rule == CAIRN_RULE_POINTS || pair->rule == CAIRN_RULE_EDGES) {
        double room = fmin(room_of_side(pair, now, 0, a, xa, part_a),
                           room_of_side(pair, now, 1, b, xb, part_b));
        if (pair->rule == CAIRN_RULE_EDGES)
            room = fmin(room,
                        (sine_of(pair, xa, xb) - least_sine) * fmin(pair->half[0], pair->half[1]));
        return room;
    }

    // over its face; a rim must lean, or its lowest point is undetermined
    bool of_a = pair->rule == CAIRN_RULE_FACE_A;
    double room =
        of_a ? room_on_face(a, xa, part_a, now->point[0], now->normal, pair->cut)
             : room_on_face(b, xb, part_b, now->point[1], cairn_neg(now->normal), pair->cut);

    if (pair->rim) {
        cairn_vec3 z = cairn_rotate(of_a ? xb.q : xa.q, pair->line[of_a ? 1 : 0]);
        double lean = cairn_norm(cairn_cross(now->normal, z));
        room = fmin(room, (lean - least_lean) * pair->disc);
    }
    return room;
}
