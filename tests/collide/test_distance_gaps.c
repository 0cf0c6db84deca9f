// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Convex shapes put at a known gap. With x a point of A, n a normal of A there, y a point of B with
// the normal -n,
//
//     y = x + g n      makes the shapes g apart along n,
//
// whatever they are elsewhere. A gap of a billionth of the size is where round-off takes shapes for
// overlapping.

#include "check_cairn.h"
#include "collide_laws.h"

typedef struct surface_point {
    cairn_vec3 x, n;
} surface_point;

// how far a feature extends: 0 a vertex or a rim, 1 an edge or a round side, 2 a face
static int feature_count(cairn_shape_kind kind)
{
    return kind == CAIRN_SHAPE_SPHERE ? 1 : kind == CAIRN_SHAPE_CAPSULE ? 2 : 3;
}

static double along(cairn_random* random, double half)
{
    return half * cairn_random_range(random, -0.99, 0.99);
}

static surface_point on_capsule(cairn_random* random, const cairn_shape* s, int feature)
{
    cairn_vec3 n = cairn_random_direction(random);
    double z = n.z < 0.0 ? -s->half_height : s->half_height;
    if (feature == 1) {
        z = along(random, s->half_height);
        n = cairn_normalize(cairn_vec(n.x, n.y, 0.0));
    }
    return (surface_point){cairn_add_scaled(cairn_vec(0.0, 0.0, z), s->radius, n), n};
}

static surface_point on_cylinder(cairn_random* random, const cairn_shape* s, int feature)
{
    cairn_vec3 n = cairn_random_direction(random), out = cairn_normalize(cairn_vec(n.x, n.y, 0.0));
    double r = s->radius, up = n.z < 0.0 ? -1.0 : 1.0, z = up * s->half_height;
    if (feature == 1) {
        z = along(random, s->half_height);
        n = out;
    } else if (feature == 2) {
        r = fabs(along(random, r));
        n = cairn_vec(0.0, 0.0, up);
    }
    return (surface_point){cairn_vec(r * out.x, r * out.y, z), n};
}

static surface_point on_box(cairn_random* random, cairn_vec3 half, int feature)
{
    const double h[3] = {half.x, half.y, half.z};
    cairn_vec3 m = cairn_random_direction(random);
    double n[3] = {m.x, m.y, m.z}, x[3];
    int first = cairn_random_index(random, 3);
    for (int k = 0; k < 3; k++) {
        int i = (first + k) % 3;
        x[i] = n[i] < 0.0 ? -h[i] : h[i];
        if (k < feature) {
            x[i] = along(random, h[i]);
            n[i] = 0.0;
        }
    }
    return (surface_point){cairn_vec(x[0], x[1], x[2]),
                           cairn_normalize(cairn_vec(n[0], n[1], n[2]))};
}

static cairn_vec3 between(cairn_vec3 p, cairn_vec3 q, double t)
{
    return cairn_add(cairn_scale(1.0 - t, p), cairn_scale(t, q));
}

static surface_point on_hull(cairn_random* random, const cairn_hull* h, int feature)
{
    cairn_vec3 n = cairn_random_direction(random);
    if (feature == 0) {
        int top = 0;
        for (int i = 1; i < h->vertex_count; i++)
            if (cairn_dot(n, h->vertices[i]) > cairn_dot(n, h->vertices[top]))
                top = i;
        return (surface_point){h->vertices[top], n};
    }
    int at = h->edge_half[cairn_random_index(random, h->edge_count / 2)];
    const cairn_hull_edge *e = &h->edges[at], *twin = &h->edges[e->twin];
    const cairn_hull_face* face = &h->faces[e->face];
    cairn_vec3 p = h->vertices[e->origin], q = h->vertices[twin->origin];
    cairn_vec3 x = between(p, q, cairn_random_range(random, 0.01, 0.99));
    if (feature == 1) {
        cairn_vec3 t = cairn_normalize(cairn_sub(q, p));
        n = between(face->normal, h->faces[twin->face].normal, cairn_random_unit(random));
        return (surface_point){x, cairn_normalize(cairn_add_scaled(n, -cairn_dot(n, t), t))};
    }
    int third = h->edges[face->edge + (at - face->edge + 2) % face->edge_count].origin;
    return (surface_point){between(x, h->vertices[third], cairn_random_range(random, 0.01, 0.9)),
                           face->normal};
}

static surface_point on_shape(cairn_random* random, const cairn_shape* s, int feature)
{
    switch (s->kind) {
    case CAIRN_SHAPE_BOX:
        return on_box(random, s->half, feature);
    case CAIRN_SHAPE_HULL:
        return on_hull(random, s->data.hull, feature);
    case CAIRN_SHAPE_CYLINDER:
        return on_cylinder(random, s, feature);
    default: // a sphere is a capsule without a height
        return on_capsule(random, s, feature);
    }
}

// a rotation that takes one unit vector to another
static cairn_quat turn_to(cairn_vec3 from, cairn_vec3 to)
{
    cairn_vec3 c = cairn_cross(from, to), t, s;
    double cosine = cairn_dot(from, to);
    if (cosine > -0.9)
        return cairn_quat_normalize((cairn_quat){1.0 + cosine, c.x, c.y, c.z});
    cairn_tangents(from, &t, &s);
    return cairn_quat_multiply(turn_to(cairn_neg(from), to), (cairn_quat){0.0, t.x, t.y, t.z});
}

static const char* check_gap(const law_pair* p, double gap, double* by)
{
    cairn_gap g = cairn_distance(&p->a, p->xa, &p->b, p->xb);
    // a point has some ten roundings of the size behind it, over the sine of the angle of two edges
    *by = fabs(g.gap - gap) / p->scale;
    if (!(*by <= 1e-11))
        return "the gap is the one that they were put at";
    const char* law = law_of_apart(p, &g, by);
    return law ? law : law_of_symmetry(p, &g, by);
}

static int run_features(cairn_random* random, law_pair* kinds, int fa, int fb, int trials)
{
    int broken = 0;
    for (int trial = 0; trial < trials; trial++) {
        double size = pow(10.0, cairn_random_range(random, -4.0, 4.0)), by;
        double small = size * pow(10.0, cairn_random_range(random, -4.0, 0.0));
        double gap = size * pow(10.0, cairn_random_range(random, -10.0, -4.0));
        law_pair p = {.a = reference_shape(random, kinds->a.kind, size, 3.0),
                      .b = reference_shape(random, kinds->b.kind, small, 3.0)};
        surface_point a = on_shape(random, &p.a, fa), b = on_shape(random, &p.b, fb);
        cairn_vec3 spin = cairn_scale(cairn_random_range(random, -3.0, 3.0), a.n);
        cairn_quat q = cairn_quat_multiply(cairn_quat_from_rotation_vector(spin),
                                           turn_to(b.n, cairn_neg(a.n)));
        cairn_vec3 at = cairn_add_scaled(a.x, gap, a.n);
        p.xa.p = cairn_scale(size, cairn_random_vec3(random));
        p.xa.q = reference_rotation(random);
        p.xb = cairn_transform_multiply(p.xa,
                                        (cairn_transform){cairn_sub(at, cairn_rotate(q, b.x)), q});
        p.scale = 3.0 * size;
        const char* law = check_gap(&p, gap, &by);
        if (law)
            law_report(&p, ++broken, trial, law, by);
        reference_shape_destroy(&p.a);
        reference_shape_destroy(&p.b);
    }
    return broken;
}

// The face of a hull may be a sliver, with a normal that is known to round-off over its height:
// what is put along it is parallel to it no better than that, so that only what ends in a point is.
static bool is_well_put(cairn_shape_kind a, int fa, cairn_shape_kind b, int fb)
{
    bool face_a = a == CAIRN_SHAPE_HULL && fa == 2, face_b = b == CAIRN_SHAPE_HULL && fb == 2;
    return !(face_a && fb > 0) && !(face_b && fa > 0);
}

static int run_pair(cairn_random* random, cairn_shape_kind a, cairn_shape_kind b, int trials)
{
    law_pair kinds = {.a.kind = a, .b.kind = b};
    int broken = 0;
    for (int fa = 0; fa < feature_count(a); fa++)
        for (int fb = 0; fb < feature_count(b); fb++)
            if (is_well_put(a, fa, b, fb))
                broken += run_features(random, &kinds, fa, fb, trials);
    return broken;
}

static void place(law_pair* p, cairn_random* random, cairn_transform local)
{
    p->xa = (cairn_transform){cairn_random_vec3(random), reference_rotation(random)};
    p->xb = cairn_transform_multiply(p->xa, local);
    p->scale = 3.0;
}

static bool breaks_a_law(const law_pair* p, double gap, int trial)
{
    double by;
    const char* law = check_gap(p, gap, &by);
    if (law)
        law_report(p, 1, trial, law, by);
    return law != NULL;
}

TEST(shapes_put_at_a_small_gap_are_that_far_apart)
{
    cairn_random random = {97 + (uint64_t)law_from_environment("CAIRN_SEED", 0) * 1000};
    int trials = law_from_environment("CAIRN_CAMPAIGN", 500), broken = 0;
    for (int a = 0; a <= CAIRN_SHAPE_HULL; a++)
        for (int b = 0; b <= CAIRN_SHAPE_HULL; b++)
            broken += run_pair(&random, (cairn_shape_kind)a, (cairn_shape_kind)b, trials);
    ck_assert_int_eq(broken, 0);
}
END

// The normal of the rim next to that of the side or of the cap, against a vertex:
// the direction of the points, off by round-off over the gap, may lean out of the normals of both.
TEST(a_vertex_at_the_end_of_the_normals_of_a_rim_keeps_its_gap)
{
    cairn_random random = {101 + (uint64_t)law_from_environment("CAIRN_SEED", 0) * 1000};
    int trials = law_from_environment("CAIRN_CAMPAIGN", 3000), broken = 0;
    for (int trial = 0; trial < trials; trial++) {
        double lean = pow(10.0, cairn_random_range(&random, -9.0, -5.0));
        double gap = pow(10.0, cairn_random_range(&random, -10.0, -7.0));
        double small = pow(10.0, cairn_random_range(&random, -4.0, 0.0));
        law_pair p = {.a = reference_shape(&random, CAIRN_SHAPE_CYLINDER, 1.0, 3.0),
                      .b = reference_shape(&random, CAIRN_SHAPE_BOX, small, 3.0)};
        cairn_vec3 n = trial % 2 ? cairn_vec(1.0, 0.0, lean) : cairn_vec(lean, 0.0, 1.0);
        surface_point corner = on_box(&random, p.b.half, 0);
        n = cairn_normalize(n);
        cairn_quat q = turn_to(corner.n, cairn_neg(n));
        cairn_vec3 at = cairn_add_scaled(cairn_vec(p.a.radius, 0.0, p.a.half_height), gap, n);
        place(&p, &random, (cairn_transform){cairn_sub(at, cairn_rotate(q, corner.x)), q});
        broken += breaks_a_law(&p, gap, trial);
    }
    ck_assert_int_eq(broken, 0);
}
END

// A small rim over an edge that it all but touches along. Its tangent turns by ε size / R with the
// round-off of its point, over the small angle with the edge much more than the points do.
TEST(the_normal_joins_the_points_of_a_small_rim_along_an_edge)
{
    cairn_random random = {103 + (uint64_t)law_from_environment("CAIRN_SEED", 0) * 1000};
    int trials = law_from_environment("CAIRN_CAMPAIGN", 3000), broken = 0;
    for (int trial = 0; trial < trials; trial++) {
        double lean = pow(10.0, cairn_random_range(&random, -6.0, -1.0));
        double gap = pow(10.0, cairn_random_range(&random, -10.0, -4.0));
        double small = pow(10.0, cairn_random_range(&random, -4.0, -3.0));
        law_pair p = {.a = reference_shape(&random, CAIRN_SHAPE_BOX, 1.0, 3.0),
                      .b = reference_shape(&random, CAIRN_SHAPE_CYLINDER, small, 3.0)};
        surface_point a = on_box(&random, p.a.half, 1), b = on_cylinder(&random, &p.b, 0);
        cairn_vec3 e = cairn_vec(a.n.x == 0.0, a.n.y == 0.0, a.n.z == 0.0);
        cairn_quat q = turn_to(b.n, cairn_neg(a.n));
        cairn_vec3 t = cairn_rotate(q, cairn_normalize(cairn_vec(-b.x.y, b.x.x, 0.0)));
        double angle = atan2(cairn_dot(cairn_cross(t, e), a.n), cairn_dot(t, e)) + lean;
        q = cairn_quat_multiply(cairn_quat_from_rotation_vector(cairn_scale(angle, a.n)), q);
        cairn_vec3 at = cairn_add_scaled(a.x, gap, a.n);
        place(&p, &random, (cairn_transform){cairn_sub(at, cairn_rotate(q, b.x)), q});
        broken += breaks_a_law(&p, gap, trial);
    }
    ck_assert_int_eq(broken, 0);
}
END

// A small rim over an edge, with the normal next to that of a face: its point is beyond the border
// of the face by less than round-off, but the normal is that of the edge.
TEST(a_small_rim_at_the_border_of_a_face_has_a_normal_of_both)
{
    cairn_random random = {107 + (uint64_t)law_from_environment("CAIRN_SEED", 0) * 1000};
    int trials = law_from_environment("CAIRN_CAMPAIGN", 3000), broken = 0;
    for (int trial = 0; trial < trials; trial++) {
        double lean = pow(10.0, cairn_random_range(&random, -6.0, -4.0));
        double gap = pow(10.0, cairn_random_range(&random, -10.0, -9.0));
        double small = pow(10.0, cairn_random_range(&random, -4.0, -2.0));
        law_pair p = {.a = reference_shape(&random, CAIRN_SHAPE_BOX, 1.0, 3.0),
                      .b = reference_shape(&random, CAIRN_SHAPE_CYLINDER, small, 3.0)};
        surface_point b = on_cylinder(&random, &p.b, 0);
        cairn_vec3 n = cairn_normalize(cairn_vec(lean, 0.0, 1.0));
        cairn_vec3 spin = cairn_scale(cairn_random_range(&random, -3.0, 3.0), n);
        cairn_quat q =
            cairn_quat_multiply(cairn_quat_from_rotation_vector(spin), turn_to(b.n, cairn_neg(n)));
        cairn_vec3 x = cairn_vec(p.a.half.x, along(&random, p.a.half.y), p.a.half.z);
        cairn_vec3 at = cairn_add_scaled(x, gap, n);
        place(&p, &random, (cairn_transform){cairn_sub(at, cairn_rotate(q, b.x)), q});
        broken += breaks_a_law(&p, gap, trial);
    }
    ck_assert_int_eq(broken, 0);
}
END

// An edge 5,000 times as long as the other: where the search ended a third corner of A had a weight
// of 5e-7, and the point of A was 4e-12 of the size off its edge.
TEST(the_point_on_a_long_edge_over_a_short_one_lies_on_it)
{
    const cairn_vec3 large[4] = {{39.517238274574709, -63.644898146768156, -169.36294691101725},
                                 {-127.65938914369131, 10.689023164629118, -179.43572121815117},
                                 {-190.88272699281615, 5.5909036464319577, -123.31847189080395},
                                 {101.49810031163744, 3.5806246527659691, -194.35432797745108}};
    const cairn_vec3 small[5] = {
        {-0.015511631076088654, 0.033702047156318707, 0.00026387776770209811},
        {-0.010035383807689115, -0.036607664565057818, -0.0065323183960121194},
        {-0.0041029774180605313, -0.036601607392194924, -0.014595175913118916},
        {-0.026085931518607216, -0.019232165407298784, 0.0034310118142990213},
        {-0.024500790425790044, -0.02182218102445907, 0.0069906044172203625}};
    cairn_hull *a, *b;
    double by = 0.0;
    CHECK(cairn_hull_create(large, 4, 0.0, &a, NULL) == CAIRN_OK);
    CHECK(cairn_hull_create(small, 5, 0.0, &b, NULL) == CAIRN_OK);
    law_pair p = {.a = cairn_shape_hull(a), .b = cairn_shape_hull(b), .scale = 700.0};
    p.xa = cairn_transform_identity();
    p.xb = (cairn_transform){
        {-169.70879201411333, -0.81085042654825035, -127.57733189847843},
        {0.1792013298364625, 0.40601558385622677, 0.020521734024714522, -0.89588899283524492}};
    cairn_gap g = cairn_distance(&p.a, p.xa, &p.b, p.xb);
    const char* law = law_of_apart(&p, &g, &by);
    ck_assert_msg(law == NULL, "%s, by %g", law, by);
    cairn_hull_destroy(a);
    cairn_hull_destroy(b);
}
END

// The search for the distance of a box and a hull of a ten-thousandth of its size ended in
// round-off before it was done, with the hull as A.
TEST(a_box_and_a_grain_are_as_far_apart_as_the_grain_and_the_box)
{
    const cairn_vec3 corner[11] = {
        {-0.00024928357310791583, -0.00016702922733448909, 0.00011997831790049036},
        {0.00023676896902332016, 0.00025189693132940909, 8.4670805732561143e-05},
        {5.7044008109428241e-05, -7.3627116719679391e-05, 0.00025715181598248065},
        {-6.4170581812463689e-05, 0.00024551271716572712, -0.00021742410244640905},
        {0.0001147137074492554, -0.00026413035083791667, 0.00019320208792096531},
        {-0.0002091013608410794, -0.00022529151112699972, -0.00014372481337028304},
        {0.0002756265530645525, -0.00019152042017080387, -3.2936850959979217e-05},
        {-0.00026743240576736606, -0.00014093949920879821, -0.00010005458770106627},
        {0.0001538632579034468, -0.00021074167173818257, 0.00019451375525271584},
        {-0.00029144018628387555, -0.00013941176533837778, 8.1123552785099242e-06},
        {-0.00021649116124014366, 0.00026887644027782123, -0.00010556823621808736}};
    cairn_shape box =
        cairn_shape_box(cairn_vec(3.4146708960460237, 4.2143732448075975, 2.4668244789976752));
    cairn_transform xa = {{-5.7667153213851172, 1.0746085673516874, -2.7781009610303373},
                          {0.58587665529659261, -0.74283954392432106, 0.32391636720757744,
                           -0.004017936762859187}},
                    xb = {{-6.0281790932805333, -3.1627261302885219, -6.9595927488747904},
                          {0.10085184635828903, -0.58732940561349734, 0.21276800114439412,
                           -0.77434026892370733}};
    cairn_hull* hull;
    CHECK(cairn_hull_create(corner, 11, 0.0, &hull, NULL) == CAIRN_OK);
    cairn_shape grain = cairn_shape_hull(hull);
    cairn_gap there = cairn_distance(&box, xa, &grain, xb);
    cairn_gap back = cairn_distance(&grain, xb, &box, xa);
    CHECK_NEAR(there.gap, 0.00017130717051561819, 1e-11 * 17.0);
    CHECK_NEAR(back.gap, there.gap, 1e-11 * 17.0);
    cairn_hull_destroy(hull);
}
END

// a hull with its vertices on a surface: a ball, an ellipsoid 10 m long, one 1 cm thin, a drum
static cairn_hull* round_hull(cairn_random* random, int kind, int vertices)
{
    cairn_vec3* points = malloc((size_t)vertices * sizeof *points);
    cairn_hull* hull = NULL;
    for (int i = 0; i < vertices; i++) {
        double angle = 6.283185307179586 * i / vertices;
        cairn_vec3 x;
        do
            x = cairn_random_vec3(random);
        while (cairn_norm(x) < 0.05 || cairn_norm(x) > 1.0);
        x = cairn_normalize(x);
        x.x *= kind == 1 ? 10.0 : 1.0;
        x.z *= kind == 2 ? 0.01 : 1.0;
        points[i] = kind == 3 ? cairn_vec(cos(angle), sin(angle), i % 2 ? 1.0 : -1.0) : x;
    }
    CHECK(cairn_hull_create(points, vertices, 0.0, &hull, NULL) == CAIRN_OK);
    free(points);
    return hull;
}

TEST(a_cylinder_finds_its_way_over_hulls_of_many_vertices)
{
    int broken = 0, apart = 0;
    for (int kind = 0; kind < 4; kind++)
        for (int vertices = 8; vertices <= 2048; vertices *= 4) {
            cairn_random random = {(uint64_t)(vertices + kind)};
            cairn_hull* hull = round_hull(&random, kind, vertices);
            for (int trial = 0; trial < CHECK_CASES(500); trial++) {
                double radius = pow(10.0, cairn_random_range(&random, -2.0, 2.0)), by = 0.0;
                double height = pow(10.0, cairn_random_range(&random, -2.0, 2.0));
                law_pair p = {.a = cairn_shape_cylinder(radius, height),
                              .b = cairn_shape_hull(hull)};
                p.scale = 2.0 * (radius + height + (kind == 1 ? 10.0 : 2.0));
                law_random_poses(&p, &random, 1.5);
                cairn_gap g = cairn_distance(&p.a, p.xa, &p.b, p.xb);
                if (!(g.gap > 0.0))
                    continue;
                const char* law = law_of_apart(&p, &g, &by);
                apart++;
                broken += law != NULL;
                if (law)
                    law_report(&p, broken, trial, law, by);
            }
            cairn_hull_destroy(hull);
        }
    ck_assert_int_gt(apart, CHECK_CASES(500) * 4);
    ck_assert_int_eq(broken, 0);
}
END

// The search for the points of this disk on a flat hull exchanges the same vertices for ever, and ends
// by its bound.
TEST(a_cylinder_that_goes_round_in_a_circle_over_a_flat_hull_comes_to_an_end)
{
    cairn_random random = {515};
    cairn_hull* hull = round_hull(&random, 2, 512);
    cairn_shape disk = cairn_shape_cylinder(0.62795755417935706, 0.04391549760022468);
    cairn_shape flat = cairn_shape_hull(hull);
    cairn_transform xa = {
        {0.0, 0.0, 0.0},
        {0.94121796048490625, 0.32120349815837351, 0.088041120524654765, 0.056443110546996932}};
    cairn_transform xb = {
        {0.2235890136189955, 0.67937024867071683, -0.08616372812938089},
        {-0.2979659527189441, 0.020797696895234134, 0.60068198802586104, 0.74159618127755034}};
    cairn_gap g = cairn_distance(&disk, xa, &flat, xb);
    CHECK_NEAR(g.gap, -0.08698490042440199, 1e-12);
    CHECK_NEAR(cairn_dot(g.normal, cairn_sub(g.point_b, g.point_a)), g.gap, 1e-12);
    cairn_hull_destroy(hull);
}
END

TESTS(a_cylinder_that_goes_round_in_a_circle_over_a_flat_hull_comes_to_an_end,
      a_box_and_a_grain_are_as_far_apart_as_the_grain_and_the_box,
      shapes_put_at_a_small_gap_are_that_far_apart,
      the_point_on_a_long_edge_over_a_short_one_lies_on_it,
      a_small_rim_at_the_border_of_a_face_has_a_normal_of_both,
      the_normal_joins_the_points_of_a_small_rim_along_an_edge,
      a_vertex_at_the_end_of_the_normals_of_a_rim_keeps_its_gap,
      a_cylinder_finds_its_way_over_hulls_of_many_vertices)
