// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors

#include "check_cairn.h"
#include "collide/narrow/feature.h"
#include "collide_reference.h"

enum { kinds = 6, trials = CHECK_SLOW_BUILD ? 60 : 600 };
static const cairn_shape_kind kind_of[kinds] = {CAIRN_SHAPE_SPHERE, CAIRN_SHAPE_CAPSULE,
                                                CAIRN_SHAPE_BOX,    CAIRN_SHAPE_CYLINDER,
                                                CAIRN_SHAPE_HULL,   CAIRN_SHAPE_HALF_SPACE};

static const cairn_quat upright = {1.0, 0.0, 0.0, 0.0};

typedef struct scene {
    cairn_shape a, b;
    cairn_transform xa, xb;
    double size;
    cairn_contacts contacts;
} scene;

static double size_of(const cairn_shape* s)
{
    return s->kind == CAIRN_SHAPE_HALF_SPACE ? 1.0
                                             : cairn_shape_radius(s, cairn_vec(0.0, 0.0, 0.0));
}

static void collide(scene* s)
{
    cairn_collide_def def = cairn_default_collide_def();
    def.margin = 0.05;
    def.reuse = 0.0;
    ck_assert_int_eq(cairn_collide(&s->contacts, &s->a, s->xa, &s->b, s->xb, &def), CAIRN_OK);
}

static cairn_shape make_shape(cairn_random* random, cairn_shape_kind kind)
{
    return kind == CAIRN_SHAPE_HALF_SPACE ? cairn_shape_half_space()
                                          : reference_shape(random, kind, 0.5, 12.0);
}

// two shapes of a kind, from a little overlap to a little gap; some of them face to face
static scene make(cairn_random* random, cairn_shape_kind a, cairn_shape_kind b)
{
    scene s = {.a = make_shape(random, a), .b = make_shape(random, b)};
    bool aligned = cairn_random_unit(random) < 0.3;
    s.xa = (cairn_transform){cairn_random_vec3(random), reference_rotation(random)};
    s.xb = (cairn_transform){s.xa.p, aligned ? s.xa.q : reference_rotation(random)};
    s.size = size_of(&s.a) + size_of(&s.b);
    cairn_vec3 way =
        aligned ? cairn_rotate(s.xa.q, cairn_vec(0.0, 0.0, 1.0)) : cairn_random_direction(random);

    // apart along the way, then as near as wanted along the normal
    if (a == CAIRN_SHAPE_HALF_SPACE || b == CAIRN_SHAPE_HALF_SPACE)
        way = cairn_rotate(a == CAIRN_SHAPE_HALF_SPACE ? s.xa.q : s.xb.q,
                           cairn_vec(0.0, 0.0, a == CAIRN_SHAPE_HALF_SPACE ? 1.0 : -1.0));
    s.xb.p = cairn_add_scaled(s.xb.p, 2.0 * s.size, way);
    cairn_gap g = cairn_distance(&s.a, s.xa, &s.b, s.xb);
    double want = s.size * (0.02 * cairn_random_unit(random) - 0.005);
    s.xb.p = cairn_add_scaled(s.xb.p, want - g.gap, g.normal);
    collide(&s);
    return s;
}

static void drop(scene* s)
{
    cairn_contacts_destroy(&s->contacts);
    reference_shape_destroy(&s->a);
    reference_shape_destroy(&s->b);
}

static cairn_transform moved(cairn_transform x, cairn_random* random, double by, double size)
{
    cairn_quat turn =
        cairn_quat_from_rotation_vector(cairn_scale(by / size, cairn_random_vec3(random)));
    return (cairn_transform){cairn_add_scaled(x.p, by, cairn_random_vec3(random)),
                             cairn_quat_normalize(cairn_quat_multiply(turn, x.q))};
}

static cairn_feature_pair feature_at(const scene* s, const cairn_patch* patch, int k)
{
    cairn_feature_pair f;
    cairn_contact_feature(&f, &s->a, s->xa, patch->part_a, &s->b, s->xb, patch->part_b,
                          patch->normal, &s->contacts.points[patch->first + k]);
    return f;
}

static double room(const scene* s, const cairn_patch* patch, const cairn_feature_pair* f,
                   const cairn_feature_place* now)
{
    return cairn_feature_room(f, now, &s->a, s->xa, patch->part_a, &s->b, s->xb, patch->part_b);
}

// ---------------------------------------------------------------- where they were found

// Balls and what else is round before a hollow edge of a surface have an open contact with the triangle behind it,
// which is looked at again after every drift: it has no room.
static bool may_be_ahead(const scene* s, const cairn_feature_pair* f, const cairn_contact_point* c)
{
    bool of_a = f->rule == CAIRN_RULE_FACE_A;
    cairn_shape_kind owner = of_a ? s->a.kind : s->b.kind, other = of_a ? s->b.kind : s->a.kind;
    bool surface = owner == CAIRN_SHAPE_MESH || owner == CAIRN_SHAPE_HEIGHT_FIELD;
    bool round = other == CAIRN_SHAPE_SPHERE || other == CAIRN_SHAPE_CAPSULE ||
                 other == CAIRN_SHAPE_CYLINDER || other == CAIRN_SHAPE_CONE ||
                 other == CAIRN_SHAPE_ELLIPSOID || other == CAIRN_SHAPE_TAPERED_CAPSULE;
    return surface && round && c->gap > 0.0;
}

// all points of a scene; returns how many are anchors
static int check_found(const scene* s)
{
    int anchors = 0;
    for (int i = 0; i < s->contacts.count; i++) {
        const cairn_patch* patch = &s->contacts.patches[i];
        for (int k = 0; k < patch->count; k++) {
            const cairn_contact_point* c = &s->contacts.points[patch->first + k];
            cairn_feature_pair f = feature_at(s, patch, k);
            cairn_feature_place now = cairn_feature_now(&f, s->xa, s->xb, patch->normal);
            cairn_vec3 middle = cairn_scale(0.5, cairn_add(now.point[0], now.point[1]));
            // the lowest point of a rim is found to 1e-10 in height, and so to 1e-5 along it
            double off = f.rim ? 1e-5 : 1e-8, high = f.rim ? 1e-9 : 1e-12;
            ck_assert_msg(fabs(now.gap - c->gap) <= high * s->size &&
                              cairn_norm(cairn_sub(middle, c->position)) <= off * s->size &&
                              cairn_norm(cairn_sub(now.normal, patch->normal)) <= 1e-7,
                          "%s %s rule %d rim %d: gap %.17g, found %.17g, off by %g, normal by %g",
                          cairn_shape_name(s->a.kind), cairn_shape_name(s->b.kind), f.rule, f.rim,
                          now.gap, c->gap, cairn_norm(cairn_sub(middle, c->position)),
                          cairn_norm(cairn_sub(now.normal, patch->normal)));
            double left = room(s, patch, &f, &now);
            ck_assert_msg(left >= 0.0 || may_be_ahead(s, &f, c),
                          "%s %s rule %d: room %g where it was found", cairn_shape_name(s->a.kind),
                          cairn_shape_name(s->b.kind), f.rule, left);
            anchors += f.rule == CAIRN_RULE_ANCHORS;
        }
    }
    return anchors;
}

// balls, and whatever lies on a plane, never need anchors
TEST(features_give_the_gap_point_and_normal_that_were_found)
{
    cairn_random random = {3};
    for (int i = 0; i < kinds; i++) {
        for (int k = 0; k < kinds; k++) {
            int anchors = 0;
            for (int t = 0; t < trials && !(i == kinds - 1 && k == i); t++) {
                scene s = make(&random, kind_of[i], kind_of[k]);
                anchors += check_found(&s);
                drop(&s);
            }
            bool ball = i == 0 || k == 0, plane = i == kinds - 1 || k == kinds - 1;
            CHECK(anchors == 0 || !(ball || plane));
        }
    }
}
END

// ---------------------------------------------------------------- after a motion

static bool is_tangent(const cairn_shape* s, const cairn_feature_pair* f, int side)
{
    return s->kind == CAIRN_SHAPE_CYLINDER && f->half[side] > 0.0 && f->round[side] == 0.0;
}

// an octagon stands for a cap: on the circle between two corners a point may be lower
static bool stands_for_cap(const scene* s, const cairn_feature_pair* f)
{
    bool of_a = f->rule == CAIRN_RULE_FACE_A, of_b = f->rule == CAIRN_RULE_FACE_B;
    const cairn_shape *face = of_a ? &s->a : &s->b, *other = of_a ? &s->b : &s->a;
    bool round = f->round[0] + f->round[1] > 0.0;
    return (of_a || of_b) && !f->rim && !round &&
           (face->kind == CAIRN_SHAPE_CYLINDER || other->kind == CAIRN_SHAPE_CYLINDER);
}

typedef struct follow {
    cairn_feature_pair pair[8];
    cairn_feature_place now[8];
    int count, deepest;
} follow;

static void follow_all(follow* f, const scene* s, cairn_transform xa, cairn_transform xb)
{
    const cairn_patch* patch = &s->contacts.patches[0];
    f->count = patch->count;
    f->deepest = 0;
    for (int k = 0; k < patch->count; k++) {
        f->pair[k] = feature_at(s, patch, k);
        f->now[k] = cairn_feature_now(&f->pair[k], xa, xb, patch->normal);
        if (f->now[k].gap < f->now[f->deepest].gap)
            f->deepest = k;
    }
}

// Features that stay the same give the distance itself. A rim that is followed along its tangent
// leaves it by δ²/2R, with δ <= 4 by (both bodies move and turn) and R >= size/24.
static int check_motion(const scene* s, cairn_random* random, double by)
{
    const cairn_patch* patch = &s->contacts.patches[0];
    scene to = *s;
    follow f;
    to.xa = moved(s->xa, random, by, s->size);
    to.xb = moved(s->xb, random, by, s->size);
    cairn_gap g = cairn_distance(&to.a, to.xa, &to.b, to.xb);
    if (s->contacts.point_count == 0 || !(g.gap > 0.0))
        return 0;
    follow_all(&f, s, to.xa, to.xb);
    const cairn_feature_pair* pair = &f.pair[f.deepest];
    const cairn_feature_place* now = &f.now[f.deepest];
    double left = room(&to, patch, pair, now);
    if (pair->rule == CAIRN_RULE_ANCHORS || stands_for_cap(s, pair) || left < 0.01 * s->size)
        return 0;
    bool tangent = is_tangent(&s->a, pair, 0) || is_tangent(&s->b, pair, 1);
    double slack = tangent ? 200.0 * by * by / s->size : 1e-10 * s->size;
    ck_assert_msg(fabs(now->gap - g.gap) <= slack,
                  "%s %s rule %d rim %d room %g: gap %.12g, distance %.12g, before %.12g",
                  cairn_shape_name(s->a.kind), cairn_shape_name(s->b.kind), pair->rule, pair->rim,
                  left, now->gap, g.gap, s->contacts.points[patch->first + f.deepest].gap);
    return 1;
}

TEST(features_that_stay_the_same_follow_the_distance_of_bodies_that_move)
{
    cairn_random random = {4};
    for (int i = 0; i < kinds; i++) {
        for (int k = 0; k < kinds; k++) {
            int checked = 0;
            for (int t = 0; t < trials && !(i == kinds - 1 && k == i); t++) {
                scene s = make(&random, kind_of[i], kind_of[k]);
                checked += check_motion(&s, &random, 1e-3 * s.size);
                drop(&s);
            }
            CHECK(checked > 0 || (i == kinds - 1 && k == i));
        }
    }
}
END

// ---------------------------------------------------------------- pieces

// a part of a compound is the shape that it is, where it is
TEST(features_of_a_part_are_in_the_frame_of_its_compound)
{
    cairn_random random = {5};
    for (int t = 0; t < trials; t++) {
        scene s = make(&random, kind_of[t % 5], kind_of[t / 5 % 5]);
        cairn_transform offset = {cairn_random_vec3(&random), reference_rotation(&random)};
        cairn_transform back = cairn_transform_relative(offset, cairn_transform_identity());
        cairn_shape parts[2] = {cairn_shape_sphere(0.1), s.a}, alone = s.a;
        cairn_transform offsets[2] = {{{50.0, 0.0, 0.0}, upright}, offset};
        cairn_compound* compound = NULL;
        ck_assert_int_eq(cairn_compound_create(parts, offsets, 2, &compound, NULL), CAIRN_OK);
        s.a = cairn_shape_compound(compound);
        s.xa = cairn_transform_multiply(s.xa, back);
        cairn_contacts_clear(&s.contacts);
        collide(&s);
        check_found(&s);
        CHECK(s.contacts.count > 0 && s.contacts.patches[0].part_a == 1);
        s.a = alone;
        drop(&s);
        cairn_compound_destroy(compound);
    }
}
END

enum { cells = 8, side = cells + 1 };

static double hill(double x, double y)
{
    return 0.15 * sin(2.1 * x) * cos(1.7 * y) + 0.05 * x;
}

static cairn_height_field* make_field(void)
{
    double heights[side * side];
    for (int i = 0; i < side * side; i++)
        heights[i] = i % side > 5 ? 0.0 : hill(0.25 * (i % side), 0.25 * (i / side));
    cairn_height_field_def def = {side, side, 0.25, 0.25, heights};
    cairn_height_field* field = NULL;
    ck_assert_int_eq(cairn_height_field_create(&def, &field, NULL), CAIRN_OK);
    return field;
}

static cairn_mesh* make_mesh(void)
{
    cairn_vec3 vertices[side * side];
    int triangles[6 * cells * cells], n = 0;
    for (int i = 0; i < side * side; i++) {
        double x = 0.25 * (i % side), y = 0.25 * (i / side);
        vertices[i] = cairn_vec(x, y, i % side > 5 ? 0.0 : hill(x, y));
    }
    for (int c = 0; c < cells * cells; c++) {
        int a = c / cells * side + c % cells,
            of[6] = {a, a + 1, a + side, a + 1, a + side + 1, a + side};
        for (int k = 0; k < 6; k++)
            triangles[n++] = of[k];
    }
    cairn_mesh_def def = {vertices, side * side, triangles, 2 * cells * cells};
    cairn_mesh* mesh = NULL;
    ck_assert_int_eq(cairn_mesh_create(&def, &mesh, NULL), CAIRN_OK);
    return mesh;
}

// bodies of every kind on a surface; balls never need anchors where the surface chose no normal
static void check_on_surface(const cairn_shape* surface, bool flip)
{
    cairn_random random = {flip ? 6 : 7};
    int points = 0, anchors = 0;
    for (int t = 0; t < trials; t++) {
        scene s = {.a = *surface, .b = reference_shape(&random, kind_of[t % 5], 0.2, 4.0)};
        s.xa = (cairn_transform){cairn_random_vec3(&random), reference_rotation(&random)};
        s.size = 2.0;
        cairn_transform local = {cairn_vec(0.2 + 1.6 * cairn_random_unit(&random),
                                           0.2 + 1.6 * cairn_random_unit(&random), 2.0),
                                 reference_rotation(&random)};
        s.xb = cairn_transform_multiply(s.xa, local);
        cairn_gap g = cairn_distance(&s.a, s.xa, &s.b, s.xb);
        cairn_vec3 up = cairn_rotate(s.xa.q, cairn_vec(0.0, 0.0, 1.0));
        // down until it touches: the gap along the way down is at least the gap
        for (int i = 0; i < 60 && g.gap > 0.002; i++) {
            s.xb.p = cairn_add_scaled(s.xb.p, -(g.gap - 0.001), up);
            g = cairn_distance(&s.a, s.xa, &s.b, s.xb);
        }
        if (flip) {
            scene turned = {s.b, s.a, s.xb, s.xa, s.size, {0}};
            s = turned;
        }
        collide(&s);
        CHECK(s.contacts.point_count > 0 || g.gap > 0.04);
        int held = check_found(&s);
        points += t % 5 == 0 ? s.contacts.point_count : 0;
        anchors += t % 5 == 0 ? held : 0;
        cairn_contacts_destroy(&s.contacts);
        reference_shape_destroy(flip ? &s.a : &s.b);
    }
    CHECK(points > trials / 6);
    CHECK_BELOW(anchors, 0.05 * points);
}

TEST(features_on_surfaces_give_what_was_found)
{
    cairn_height_field* field = make_field();
    cairn_mesh* mesh = make_mesh();
    cairn_shape on_field = cairn_shape_height_field(field), on_mesh = cairn_shape_mesh(mesh);
    for (int flip = 0; flip < 2; flip++) {
        check_on_surface(&on_field, flip);
        check_on_surface(&on_mesh, flip);
    }
    cairn_height_field_destroy(field);
    cairn_mesh_destroy(mesh);
}
END

// ---------------------------------------------------------------- rules and their room

static cairn_feature_pair only_feature(scene* s, cairn_feature_place* now, double* left)
{
    collide(s);
    ck_assert_int_eq(s->contacts.point_count, 1);
    const cairn_patch* patch = &s->contacts.patches[0];
    cairn_feature_pair f = feature_at(s, patch, 0);
    *now = cairn_feature_now(&f, s->xa, s->xb, patch->normal);
    *left = room(s, patch, &f, now);
    return f;
}

// where the ball is now, with the feature of where it was
static double room_after(scene* s, const cairn_feature_pair* f, cairn_vec3 way)
{
    scene to = *s;
    to.xb.p = cairn_add(to.xb.p, way);
    cairn_feature_place now = cairn_feature_now(f, to.xa, to.xb, s->contacts.patches[0].normal);
    return room(&to, &to.contacts.patches[0], f, &now);
}

TEST(a_ball_that_leaves_its_face_edge_or_corner_has_no_room_left)
{
    scene s = {.a = cairn_shape_box(cairn_vec(1.0, 1.0, 1.0)), .b = cairn_shape_sphere(0.5)};
    s.xa = s.xb = cairn_transform_identity();
    cairn_feature_place now;
    double left;

    // on the top, 0.3 from its border, which is grown by a hundredth
    s.xb.p = cairn_vec(0.7, 0.2, 1.5);
    cairn_feature_pair f = only_feature(&s, &now, &left);
    ck_assert_int_eq(f.rule, CAIRN_RULE_FACE_A);
    CHECK_NEAR(left, 0.31, 1e-12);
    CHECK_NEAR(room_after(&s, &f, cairn_vec(0.2, 0.0, 0.0)), 0.11, 1e-12);
    CHECK(room_after(&s, &f, cairn_vec(0.32, 0.0, 0.0)) < 0.0);

    // at an edge: along it, and around it to either face
    s.xb.p = cairn_vec(1.3, 0.5, 1.4);
    f = only_feature(&s, &now, &left);
    ck_assert_int_eq(f.rule, CAIRN_RULE_POINTS);
    CHECK(f.half[0] == 1.0 && f.half[1] == 0.0 && left > 0.0);
    CHECK(room_after(&s, &f, cairn_vec(0.0, 0.4, 0.0)) > 0.0);
    CHECK(room_after(&s, &f, cairn_vec(0.0, 0.52, 0.0)) < 0.0);
    CHECK(room_after(&s, &f, cairn_vec(-0.35, 0.0, 0.0)) < 0.0);
    CHECK(room_after(&s, &f, cairn_vec(0.0, 0.0, -0.45)) < 0.0);

    // at a corner: over each of its edges
    s.xb.p = cairn_vec(1.3, 1.28, 1.28);
    f = only_feature(&s, &now, &left);
    ck_assert_int_eq(f.rule, CAIRN_RULE_POINTS);
    CHECK(f.half[0] == 0.0 && left > 0.0);
    CHECK(room_after(&s, &f, cairn_vec(0.0, -0.3, 0.0)) < 0.0);
    CHECK(room_after(&s, &f, cairn_vec(0.0, 0.0, -0.3)) < 0.0);
    CHECK(room_after(&s, &f, cairn_vec(-0.32, 0.0, 0.0)) < 0.0);
    cairn_contacts_destroy(&s.contacts);
}
END

TEST(two_crossing_capsules_are_edges_with_radii_until_one_ends)
{
    cairn_quat lying = cairn_quat_from_rotation_vector(cairn_vec(1.5707963267948966, 0.0, 0.0));
    cairn_quat across = cairn_quat_from_rotation_vector(cairn_vec(0.0, 1.5707963267948966, 0.0));
    scene s = {.a = cairn_shape_capsule(0.2, 1.0), .b = cairn_shape_capsule(0.3, 0.8)};
    s.xa = (cairn_transform){{0.0, 0.0, 0.0}, lying};
    s.xb = (cairn_transform){{0.1, 0.2, 0.501}, across};
    cairn_feature_place now;
    double left;
    cairn_feature_pair f = only_feature(&s, &now, &left);
    ck_assert_int_eq(f.rule, CAIRN_RULE_EDGES);
    CHECK_NEAR(now.gap, 0.001, 1e-12);
    CHECK(room_after(&s, &f, cairn_vec(0.6, 0.0, 0.0)) > 0.0);
    CHECK(room_after(&s, &f, cairn_vec(0.72, 0.0, 0.0)) < 0.0);
    CHECK(room_after(&s, &f, cairn_vec(0.0, 0.7, 0.0)) > 0.0);
    CHECK(room_after(&s, &f, cairn_vec(0.0, 0.82, 0.0)) < 0.0);
    cairn_contacts_destroy(&s.contacts);
}
END

TEST(two_crossing_edges_stay_edges_while_the_boxes_stir)
{
    cairn_collide_def def = cairn_default_collide_def();
    cairn_random random = {8};
    const double quarter = 0.78539816339744831, edge = sqrt(0.5);
    cairn_vec3 half = cairn_vec(0.5, 0.5, 0.5);
    scene s = {.a = cairn_shape_box(half), .b = cairn_shape_box(half), .size = 1.7};
    s.xa = (cairn_transform){{0.0, 0.0, 0.0},
                             cairn_quat_from_rotation_vector(cairn_vec(quarter, 0.0, 0.0))};
    s.xb = (cairn_transform){{0.1, 0.05, 2.0 * edge + 0.001},
                             cairn_quat_from_rotation_vector(cairn_vec(0.0, quarter, 0.0))};
    for (int i = 0; i < 20; i++) {
        cairn_collide(&s.contacts, &s.a, s.xa, &s.b, s.xb, &def);
        ck_assert_int_eq(s.contacts.point_count, 1);
        const cairn_patch* patch = &s.contacts.patches[0];
        cairn_feature_pair f = feature_at(&s, patch, 0);
        ck_assert_int_eq(f.rule, CAIRN_RULE_EDGES);
        cairn_feature_place now = cairn_feature_now(&f, s.xa, s.xb, patch->normal);
        CHECK_NEAR(now.gap, cairn_distance(&s.a, s.xa, &s.b, s.xb).gap, 1e-12);
        s.xa = moved(s.xa, &random, 3e-5, s.size);
        s.xb = moved(s.xb, &random, 3e-5, s.size);
    }
    cairn_contacts_destroy(&s.contacts);
}
END

TEST(a_coin_that_rolls_on_its_rim_touches_where_it_is_lowest)
{
    scene s = {.a = cairn_shape_half_space(), .b = cairn_shape_cylinder(0.5, 0.01)};
    double lean = 0.3;
    cairn_quat q = cairn_quat_from_rotation_vector(cairn_vec(0.0, lean, 0.0));
    s.xa = cairn_transform_identity();
    s.xb = (cairn_transform){{0.0, 0.0, 0.5 * sin(lean) + 0.01 * cos(lean) + 1e-4}, q};
    collide(&s);
    const cairn_patch* patch = &s.contacts.patches[0];
    int rims = 0;
    for (int k = 0; k < patch->count; k++) {
        cairn_feature_pair f = feature_at(&s, patch, k);
        ck_assert_int_eq(f.rule, CAIRN_RULE_FACE_A);
        if (!f.rim)
            continue;
        rims++;
        // turned about its axis by a radian, it touches at the same place
        cairn_quat turn = cairn_quat_from_rotation_vector(cairn_vec(0.0, 0.0, 1.0));
        cairn_transform rolled = {s.xb.p, cairn_quat_multiply(q, turn)};
        cairn_feature_place now = cairn_feature_now(&f, s.xa, rolled, patch->normal);
        CHECK_NEAR(now.gap, 1e-4, 1e-12);
        CHECK_NEAR(now.point[1].x, 0.5 * cos(lean) - 0.01 * sin(lean), 1e-12);
    }
    ck_assert_int_eq(rims, 1);
    cairn_contacts_destroy(&s.contacts);
}
END

TESTS(features_give_the_gap_point_and_normal_that_were_found,
      features_that_stay_the_same_follow_the_distance_of_bodies_that_move,
      features_of_a_part_are_in_the_frame_of_its_compound, features_on_surfaces_give_what_was_found,
      a_ball_that_leaves_its_face_edge_or_corner_has_no_room_left,
      two_crossing_edges_stay_edges_while_the_boxes_stir,
      two_crossing_capsules_are_edges_with_radii_until_one_ends,
      a_coin_that_rolls_on_its_rim_touches_where_it_is_lowest)
