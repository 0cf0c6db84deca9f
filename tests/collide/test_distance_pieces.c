// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Random pairs in which a shape has pieces or no end: half-spaces, meshes, height fields and
// compounds, against convex shapes and compounds. Apart: the pair of pieces that was found obeys
// the laws of convex shapes, and no other pair is nearer, by looking at all of them. Overlapping:
// moved by the depth, no pair of pieces overlaps.

#include "check_cairn.h"
#include "collide/shape/mesh.h"
#include "collide_laws.h"

enum { grid = 5, most_pieces = 2 * (grid - 1) * (grid - 1) };

// a triangle as a convex shape: a hull without volume, as far as the laws look at it
typedef struct flat_hull {
    cairn_hull hull;
    cairn_vec3 vertices[3];
    cairn_hull_face faces[5];
} flat_hull;

static void make_flat(flat_hull* f, const cairn_facet* facet)
{
    cairn_vec3 n = facet->normal;
    f->hull = (cairn_hull){.vertex_count = 3,
                           .face_count = 5,
                           .vertices = f->vertices,
                           .faces = f->faces,
                           .size = 0.0};
    for (int i = 0; i < 3; i++) {
        cairn_vec3 p = facet->corner[i], q = facet->corner[(i + 1) % 3], far = cairn_abs(p);
        cairn_vec3 out = cairn_normalize(cairn_cross(cairn_sub(q, p), n));
        f->vertices[i] = p;
        f->faces[i] = (cairn_hull_face){out, cairn_dot(out, p), 0, 0};
        f->hull.size = fmax(f->hull.size, fmax(far.x, fmax(far.y, far.z)));
    }
    double offset = cairn_dot(n, facet->corner[0]);
    f->faces[3] = (cairn_hull_face){n, offset, 0, 0};
    f->faces[4] = (cairn_hull_face){cairn_neg(n), -offset, 0, 0};
}

// ---------------------------------------------------------------- pieces

typedef struct pieces {
    int count;
    cairn_shape shape[most_pieces];
    cairn_transform offset[most_pieces], x[most_pieces];
    flat_hull flat[most_pieces];
    cairn_vec3 middle[most_pieces]; // of a ball around the piece, in its frame
    double radius[most_pieces];
    cairn_vec3 center[most_pieces]; // of that ball in the world
} pieces;

static void put_ball(pieces* out, int i)
{
    const cairn_shape* s = &out->shape[i];
    cairn_vec3 middle = cairn_vec(0.0, 0.0, 0.0);
    if (s->kind == CAIRN_SHAPE_HULL) {
        for (int k = 0; k < s->data.hull->vertex_count; k++)
            middle = cairn_add(middle, s->data.hull->vertices[k]);
        middle = cairn_scale(1.0 / s->data.hull->vertex_count, middle);
    }
    out->middle[i] = middle;
    out->radius[i] =
        s->kind == CAIRN_SHAPE_HALF_SPACE ? INFINITY : 1.000001 * cairn_shape_radius(s, middle);
}

static void take_apart(pieces* out, const cairn_shape* s)
{
    out->count = 1;
    if (s->kind == CAIRN_SHAPE_COMPOUND)
        out->count = s->data.compound->count;
    else if (s->kind == CAIRN_SHAPE_MESH || s->kind == CAIRN_SHAPE_HEIGHT_FIELD)
        out->count = cairn_surface_triangle_count(s);
    for (int i = 0; i < out->count; i++) {
        out->offset[i] = cairn_transform_identity();
        out->shape[i] = *s;
        if (s->kind == CAIRN_SHAPE_COMPOUND) {
            out->shape[i] = s->data.compound->parts[i];
            out->offset[i] = s->data.compound->offsets[i];
        } else if (s->kind >= CAIRN_SHAPE_MESH) {
            cairn_facet facet = cairn_surface_facet(s, i);
            make_flat(&out->flat[i], &facet);
            out->shape[i] = cairn_shape_hull(&out->flat[i].hull);
        }
        put_ball(out, i);
    }
}

static void put_pieces(pieces* out, cairn_transform x)
{
    for (int i = 0; i < out->count; i++) {
        out->x[i] = cairn_transform_multiply(x, out->offset[i]);
        out->center[i] = cairn_transform_point(out->x[i], out->middle[i]);
    }
}

// a shape, its pieces, and the other
typedef struct taken_pair {
    law_pair whole;
    pieces a, b;
} taken_pair;

// ---------------------------------------------------------------- laws

static const char* check_half_space(const taken_pair* t, const cairn_gap* g, double* by)
{
    const law_pair* p = &t->whole;
    const pieces* b = &t->b;
    cairn_vec3 n = cairn_rotate(p->xa.q, cairn_vec(0.0, 0.0, 1.0));
    *by = cairn_norm(cairn_sub(g->normal, n));
    if (!(*by <= 1e-12))
        return "the normal is the plane's";
    long double least = INFINITY;
    for (int i = 0; i < b->count; i++)
        least = fminl(least, -reference_reach(&b->shape[i], b->x[i], cairn_neg(n)));
    *by = fabs((double)(least - cairn_dot(n, p->xa.p)) - g->gap) / p->scale;
    return *by <= 1e-9 ? NULL : "the gap is the height of the lowest point";
}

// A surface is not felt from behind: by what is wholly there, or with more than its middle.
static bool is_behind(const pieces* a, int i, const pieces* b, int k, const cairn_gap* other)
{
    cairn_vec3 front = cairn_rotate(a->x[i].q, a->flat[i].faces[3].normal);
    cairn_vec3 corner = cairn_transform_point(a->x[i], a->flat[i].vertices[0]);
    cairn_vec3 middle = b->shape[k].kind == CAIRN_SHAPE_HULL ? b->shape[k].data.hull->center
                                                             : cairn_vec(0.0, 0.0, 0.0);
    middle = cairn_sub(cairn_transform_point(b->x[k], middle), corner);
    return cairn_dot(front, other->normal) < 0.0 ||
           (other->gap < 0.0 && cairn_dot(front, middle) < 0.0);
}

// all pairs of pieces but the one that was found; those whose balls are farther apart cannot be
// nearer
static const char* check_apart(const taken_pair* t, const cairn_gap* g, double* by)
{
    const law_pair* p = &t->whole;
    const pieces *a = &t->a, *b = &t->b;
    for (int i = 0; i < a->count; i++) {
        for (int k = 0; k < b->count; k++) {
            double apart = cairn_norm(cairn_sub(b->center[k], a->center[i]));
            if (apart - a->radius[i] - b->radius[k] > g->gap ||
                (isfinite(g->gap) && i == g->part_a && k == g->part_b))
                continue;
            cairn_gap other = cairn_distance(&a->shape[i], a->x[i], &b->shape[k], b->x[k]);
            if (p->a.kind != CAIRN_SHAPE_COMPOUND && is_behind(a, i, b, k, &other))
                continue;
            *by = (g->gap - other.gap) / p->scale;
            if (!(*by <= 1e-9))
                return "no other pair of pieces is nearer";
        }
    }
    if (isinf(g->gap))
        return NULL;
    law_pair one = {a->shape[g->part_a], b->shape[g->part_b], a->x[g->part_a], b->x[g->part_b],
                    p->scale};
    return law_of_apart(&one, g, by);
}

static const char* check_deep(const law_pair* p, const cairn_gap* g, double* by)
{
    cairn_transform xb = {cairn_add_scaled(p->xb.p, -g->gap, g->normal), p->xb.q};
    *by = -cairn_distance(&p->a, p->xa, &p->b, xb).gap / p->scale;
    return *by <= 1e-9 ? NULL : "the depth parts the shapes";
}

static const char* check_pair(taken_pair* t, double* by)
{
    const law_pair* p = &t->whole;
    put_pieces(&t->a, p->xa);
    put_pieces(&t->b, p->xb);
    cairn_gap g = cairn_distance(&p->a, p->xa, &p->b, p->xb);
    const char* law = p->a.kind == CAIRN_SHAPE_HALF_SPACE ? check_half_space(t, &g, by)
                      : g.gap > 0.0                       ? check_apart(t, &g, by)
                                                          : check_deep(p, &g, by);
    // behind a surface there is nothing
    return law || isinf(g.gap) ? law : law_of_symmetry(p, &g, by);
}

// ---------------------------------------------------------------- random shapes

static void random_heights(cairn_random* random, double* heights, double size)
{
    for (int i = 0; i < grid * grid; i++)
        heights[i] = 0.3 * size * cairn_random_unit(random);
}

static cairn_shape random_field(cairn_random* random, double size, double aspect)
{
    double heights[grid * grid];
    double sx = size / (grid - 1), sy = sx * pow(aspect, -cairn_random_unit(random));
    random_heights(random, heights, sy);
    cairn_height_field_def def = {grid, grid, sx, sy, heights};
    cairn_height_field* field = NULL;
    cairn_height_field_create(&def, &field, NULL);
    return cairn_shape_height_field(field);
}

// the same kind of ground with other triangles
typedef struct ground {
    cairn_vec3 vertices[grid * grid];
    int triangles[3 * most_pieces];
} ground;

static void random_ground(ground* out, cairn_random* random, double size, double aspect)
{
    double heights[grid * grid];
    int count = 0;
    double sx = size / (grid - 1), sy = sx * pow(aspect, -cairn_random_unit(random));
    random_heights(random, heights, sy);
    for (int i = 0; i < grid * grid; i++)
        out->vertices[i] = cairn_vec(sx * (i % grid + 0.3 * cairn_random_unit(random)),
                                     sy * (i / grid + 0.3 * cairn_random_unit(random)), heights[i]);
    for (int j = 0; j + 1 < grid; j++) {
        for (int i = 0; i + 1 < grid; i++) {
            int a = j * grid + i, b = a + 1, c = b + grid, d = a + grid;
            const int one[6] = {a, b, c, a, c, d}, two[6] = {a, b, d, b, c, d};
            for (int k = 0; k < 6; k++)
                out->triangles[count++] = (i + j) % 2 ? one[k] : two[k];
        }
    }
}

static cairn_shape mesh_of(const ground* g)
{
    cairn_mesh_def def = {g->vertices, grid * grid, g->triangles, most_pieces};
    cairn_mesh* mesh = NULL;
    cairn_mesh_create(&def, &mesh, NULL);
    return cairn_shape_mesh(mesh);
}

static cairn_shape random_mesh(cairn_random* random, double size, double aspect)
{
    ground g;
    random_ground(&g, random, size, aspect);
    return mesh_of(&g);
}

static cairn_shape random_compound(cairn_random* random, double size, double aspect)
{
    cairn_shape parts[3];
    cairn_transform offsets[3];
    int count = 2 + cairn_random_index(random, 2);
    for (int i = 0; i < count; i++) {
        parts[i] = reference_shape(random, (cairn_shape_kind)cairn_random_index(random, 4),
                                   0.5 * size, aspect);
        offsets[i] = (cairn_transform){cairn_scale(0.5 * size, cairn_random_vec3(random)),
                                       reference_rotation(random)};
    }
    cairn_compound* compound = NULL;
    cairn_compound_create(parts, offsets, count, &compound, NULL);
    return cairn_shape_compound(compound);
}

static cairn_shape random_shape(cairn_random* random, cairn_shape_kind kind, double size,
                                double aspect)
{
    switch (kind) {
    case CAIRN_SHAPE_HALF_SPACE:
        return cairn_shape_half_space();
    case CAIRN_SHAPE_MESH:
        return random_mesh(random, size, aspect);
    case CAIRN_SHAPE_HEIGHT_FIELD:
        return random_field(random, size, aspect);
    case CAIRN_SHAPE_COMPOUND:
        return random_compound(random, size, aspect);
    default:
        return reference_shape(random, kind, size, aspect);
    }
}

static void destroy_shape(cairn_shape* s)
{
    if (s->kind == CAIRN_SHAPE_MESH)
        cairn_mesh_destroy((cairn_mesh*)s->data.mesh);
    else if (s->kind == CAIRN_SHAPE_HEIGHT_FIELD)
        cairn_height_field_destroy((cairn_height_field*)s->data.field);
    else if (s->kind == CAIRN_SHAPE_COMPOUND)
        cairn_compound_destroy((cairn_compound*)s->data.compound);
    else
        reference_shape_destroy(s);
}

// Over a surface B hangs above it, or sinks in by up to a tenth of what it is tall.
static void random_poses(law_pair* p, cairn_random* random, double size)
{
    cairn_vec3 o = cairn_vec(0.0, 0.0, 0.0);
    double radius = cairn_shape_radius(&p->b, o);
    p->xa =
        (cairn_transform){cairn_scale(size, cairn_random_vec3(random)), reference_rotation(random)};
    p->scale = size + 3.0 * radius;
    cairn_aabb box = cairn_shape_aabb(&p->a, cairn_transform_identity());
    cairn_vec3 over = cairn_vec(0.0, 0.0, 0.0), extent = over;
    if (p->a.kind != CAIRN_SHAPE_HALF_SPACE) {
        over = cairn_scale(0.5, cairn_add(box.lo, box.hi));
        extent = cairn_scale(0.4, cairn_sub(box.hi, box.lo));
    }
    cairn_transform local = {cairn_vec(over.x + extent.x * cairn_random_range(random, -1.0, 1.0),
                                       over.y + extent.y * cairn_random_range(random, -1.0, 1.0),
                                       over.z + extent.z + 2.0 * radius),
                             reference_rotation(random)};
    cairn_aabb lowest = cairn_shape_aabb(&p->b, local);
    double tall = lowest.hi.z - lowest.lo.z;
    double top = p->a.kind == CAIRN_SHAPE_HALF_SPACE ? 0.0 : box.hi.z;
    local.p.z += top - lowest.lo.z + tall * cairn_random_range(random, -0.1, 0.5);
    p->xb = cairn_transform_multiply(p->xa, local);
}

// ---------------------------------------------------------------- the campaign

static void new_shapes(taken_pair* t, cairn_random* random, cairn_shape_kind ka,
                       cairn_shape_kind kb, double size, double aspect)
{
    double ratio = pow(10.0, cairn_random_range(random, -1.0, 0.3));
    t->whole.a = random_shape(random, ka, size, aspect);
    t->whole.b = random_shape(random, kb, ratio * size, aspect);
    take_apart(&t->a, &t->whole.a);
    take_apart(&t->b, &t->whole.b);
}

static void destroy_shapes(taken_pair* t)
{
    destroy_shape(&t->whole.a);
    destroy_shape(&t->whole.b);
}

static int run_kinds(cairn_random* random, cairn_shape_kind ka, cairn_shape_kind kb, int trials,
                     double aspect)
{
    enum { poses = 32 };
    static taken_pair t;
    int broken = 0;
    double size = 1.0, by;
    for (int trial = 0; trial < trials; trial++) {
        if (trial % poses == 0) {
            if (trial > 0)
                destroy_shapes(&t);
            size = pow(10.0, cairn_random_range(random, -4.0, 4.0));
            new_shapes(&t, random, ka, kb, size, aspect);
        }
        if (ka == CAIRN_SHAPE_COMPOUND)
            law_random_poses(&t.whole, random, 1.0);
        else
            random_poses(&t.whole, random, size);
        const char* law = check_pair(&t, &by);
        if (law)
            law_report(&t.whole, ++broken, trial, law, by);
    }
    destroy_shapes(&t);
    return broken;
}

static void campaign(cairn_shape_kind ka, int trials, uint64_t seed)
{
    static const cairn_shape_kind others[] = {CAIRN_SHAPE_SPHERE, CAIRN_SHAPE_CAPSULE,
                                              CAIRN_SHAPE_BOX,    CAIRN_SHAPE_CYLINDER,
                                              CAIRN_SHAPE_HULL,   CAIRN_SHAPE_COMPOUND};
    cairn_random random = {seed + (uint64_t)law_from_environment("CAIRN_SEED", 0) * 1000};
    int broken = 0;
    trials = law_from_environment("CAIRN_CAMPAIGN", trials);
    for (int i = 0; i < 6; i++) {
        broken += run_kinds(&random, ka, others[i], trials / 2, 10.0);
        broken += run_kinds(&random, ka, others[i], trials / 2, 1000.0);
    }
    ck_assert_int_eq(broken, 0);
}

TEST(half_spaces_are_as_far_away_as_the_lowest_point)
{
    campaign(CAIRN_SHAPE_HALF_SPACE, 4000, 4);
}
END

TEST(distances_to_meshes_are_certified)
{
    campaign(CAIRN_SHAPE_MESH, 600, 5);
}
END

TEST(distances_to_height_fields_are_certified)
{
    campaign(CAIRN_SHAPE_HEIGHT_FIELD, 600, 6);
}
END

TEST(distances_of_compounds_are_certified)
{
    campaign(CAIRN_SHAPE_COMPOUND, 1000, 7);
}
END

// the last triangle first, each as it was
static void turn_round(ground* g)
{
    for (int i = 0, k = most_pieces - 1; i < k; i++, k--) {
        for (int c = 0; c < 3; c++) {
            int swap = g->triangles[3 * i + c];
            g->triangles[3 * i + c] = g->triangles[3 * k + c];
            g->triangles[3 * k + c] = swap;
        }
    }
}

// two grounds on which triangles with a common edge are equally deep: their order once decided
TEST(ties_between_triangles_decide_nothing)
{
    cairn_random one = {4323995235769360200u}, other = {2021231132981274574u};
    ck_assert_int_eq(run_kinds(&one, CAIRN_SHAPE_HEIGHT_FIELD, CAIRN_SHAPE_HULL, 32, 10.0), 0);
    ck_assert_int_eq(run_kinds(&other, CAIRN_SHAPE_HEIGHT_FIELD, CAIRN_SHAPE_COMPOUND, 32, 10.0),
                     0);
}
END

// a triangle 800 times as large as the cylinder whose rim is 2e-8 of that above it: its normal was
// off by 2e-9 at the point that was found on the rim
TEST(a_small_rim_close_to_a_large_triangle_is_certified)
{
    cairn_random random = {12087038506071343272u};
    ck_assert_int_eq(run_kinds(&random, CAIRN_SHAPE_MESH, CAIRN_SHAPE_CYLINDER, 32, 1000.0), 0);
}
END

TEST(the_order_of_the_triangles_does_not_matter)
{
    cairn_random random = {23};
    for (int trial = 0; trial < CHECK_CASES(2000); trial++) {
        ground g;
        random_ground(&g, &random, 4.0, 2.0);
        law_pair p = {.a = mesh_of(&g),
                      .b = reference_shape(&random, trial % 2 ? CAIRN_SHAPE_HULL : CAIRN_SHAPE_BOX,
                                           2.0, 10.0)};
        turn_round(&g);
        cairn_shape turned = mesh_of(&g);
        random_poses(&p, &random, 4.0);
        // deep, so that several triangles are in it
        cairn_vec3 up = cairn_rotate(p.xa.q, cairn_vec(0.0, 0.0, 1.0));
        p.xb.p = cairn_add_scaled(p.xb.p, -0.5, up);
        cairn_gap one = cairn_distance(&p.a, p.xa, &p.b, p.xb);
        cairn_gap other = cairn_distance(&turned, p.xa, &p.b, p.xb);
        // behind the surface there is nothing, either way
        ck_assert_int_eq(isinf(other.gap), isinf(one.gap));
        if (isfinite(one.gap))
            CHECK_NEAR(other.gap, one.gap, 1e-9 * p.scale);
        destroy_shape(&p.a);
        destroy_shape(&p.b);
        destroy_shape(&turned);
    }
}
END

static cairn_shape hull_at(const cairn_vec3* points, int count, cairn_vec3 offset)
{
    cairn_vec3 moved[12];
    cairn_hull* hull = NULL;
    for (int i = 0; i < count; i++)
        moved[i] = cairn_add(points[i], offset);
    cairn_hull_create(moved, count, 0.0, &hull, NULL);
    return cairn_shape_hull(hull);
}

TEST(where_the_frame_of_a_hull_lies_does_not_matter)
{
    cairn_random random = {19};
    for (int trial = 0; trial < CHECK_CASES(1000); trial++) {
        cairn_vec3 points[12], offset = cairn_scale(10.0, cairn_random_vec3(&random));
        for (int i = 0; i < 12; i++)
            points[i] = cairn_random_direction(&random);
        law_pair p = {.a = random_field(&random, 4.0, 2.0),
                      .b = hull_at(points, 12, cairn_vec(0.0, 0.0, 0.0))};
        cairn_shape off = hull_at(points, 12, offset);
        random_poses(&p, &random, 4.0);
        cairn_transform x = {cairn_transform_point(p.xb, cairn_neg(offset)), p.xb.q};
        cairn_gap g = cairn_distance(&p.a, p.xa, &p.b, p.xb);
        cairn_gap h = cairn_distance(&p.a, p.xa, &off, x);
        CHECK_NEAR(h.gap, g.gap, 1e-9 * p.scale);
        destroy_shape(&p.a);
        destroy_shape(&p.b);
        destroy_shape(&off);
    }
}
END

TEST(half_spaces_in_two_compounds_do_not_touch_each_other)
{
    cairn_shape parts[2] = {cairn_shape_half_space(), cairn_shape_box(cairn_vec(0.5, 0.5, 0.5))};
    cairn_transform at[2] = {cairn_transform_identity(), cairn_transform_identity()};
    cairn_compound* compound = NULL;
    at[1].p.z = 0.5;
    CHECK(cairn_compound_create(parts, at, 2, &compound, NULL) == CAIRN_OK);
    cairn_shape shape = cairn_shape_compound(compound);

    // what is left are a box in a half-space and two boxes: 0.6 m deep, and 0.2 m apart at x
    cairn_transform x = cairn_transform_identity(), y = cairn_transform_identity();
    y.p = cairn_vec(1.2, 0.0, -0.6);
    cairn_gap gap = cairn_distance(&shape, x, &shape, y);
    CHECK_NEAR(gap.gap, -0.6, 1e-12);
    cairn_compound_destroy(compound);
}
END

TESTS(half_spaces_in_two_compounds_do_not_touch_each_other,
      half_spaces_are_as_far_away_as_the_lowest_point, distances_to_meshes_are_certified,
      distances_to_height_fields_are_certified, distances_of_compounds_are_certified,
      ties_between_triangles_decide_nothing, a_small_rim_close_to_a_large_triangle_is_certified,
      the_order_of_the_triangles_does_not_matter, where_the_frame_of_a_hull_lies_does_not_matter)
