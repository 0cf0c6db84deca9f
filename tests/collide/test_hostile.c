// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Every loop of the collision code ends, whatever numbers it is given, which the time limit of these
// tests decides; what a query answers is finite and in its range, or it meets nothing.

#include "check_cairn.h"
#include <cairn/cairn.h>
#include <cairn/random.h>

// of any size that a double has; now and then zero, or not finite
static double hostile(cairn_random* random, bool any)
{
    double x = cairn_random_range(random, -1.0, 1.0);
    switch (cairn_random_index(random, any ? 12 : 8)) {
    case 0:
        return x * pow(10.0, cairn_random_range(random, -320.0, 308.0));
    case 1:
        return x * 1e18;
    case 2:
        return x * 1e-12;
    case 3:
        return 0.0;
    case 8:
        return NAN;
    case 9:
        return INFINITY;
    default:
        return x;
    }
}

static cairn_vec3 hostile_vec(cairn_random* random, bool any)
{
    double x = hostile(random, any), y = hostile(random, any), z = hostile(random, any);
    return cairn_vec(x, y, z);
}

static cairn_transform hostile_pose(cairn_random* random, bool any)
{
    cairn_vec3 axis = cairn_random_vec3(random);
    cairn_quat q = cairn_quat_normalize((cairn_quat){0.3, axis.x, axis.y, axis.z});
    return (cairn_transform){hostile_vec(random, any), q};
}

// what is made once: a mesh, a field, a compound of two spheres, hulls
typedef struct models {
    cairn_mesh* mesh;
    cairn_height_field* field;
    cairn_compound* compound;
    cairn_hull* hull[4];
} models;

static models make_models(cairn_random* random)
{
    models m = {0};
    cairn_vec3 points[200];
    int triangles[30];
    double heights[16];
    for (int i = 0; i < 200; i++)
        points[i] = cairn_random_direction(random);
    for (int i = 0; i < 30; i++)
        triangles[i] = i;
    for (int i = 0; i < 16; i++)
        heights[i] = cairn_random_unit(random);
    cairn_mesh_def md = {points, 30, triangles, 10};
    cairn_height_field_def fd = {4, 4, 0.5, 0.25, heights};
    const cairn_shape parts[2] = {cairn_shape_sphere(0.5), cairn_shape_sphere(0.2)};
    cairn_transform offsets[2] = {cairn_transform_identity(), cairn_transform_identity()};
    offsets[1].p = points[0];
    CHECK(cairn_mesh_create(&md, &m.mesh, NULL) == CAIRN_OK);
    CHECK(cairn_height_field_create(&fd, &m.field, NULL) == CAIRN_OK);
    CHECK(cairn_compound_create(parts, offsets, 2, &m.compound, NULL) == CAIRN_OK);
    for (int k = 0; k < 4; k++) // a ball, a needle, a plate, a few corners
        for (int i = 0; i < 200; i++) {
            cairn_vec3 p = points[i];
            points[i] = cairn_vec(p.x, k == 1 ? 1e-5 * p.y : p.y, k == 2 ? 1e-6 * p.z : p.z);
            if (i == 199)
                CHECK(cairn_hull_create(points, k == 3 ? 5 : 200, 0.0, &m.hull[k], NULL) ==
                      CAIRN_OK);
        }
    return m;
}

static void destroy_models(models* m)
{
    cairn_mesh_destroy(m->mesh);
    cairn_height_field_destroy(m->field);
    cairn_compound_destroy(m->compound);
    for (int k = 0; k < 4; k++)
        cairn_hull_destroy(m->hull[k]);
}

static cairn_shape any_shape(const models* m, cairn_random* random)
{
    double size = fabs(hostile(random, false)), other = fabs(hostile(random, false));
    switch (cairn_random_index(random, 9)) {
    case 0:
        return cairn_shape_sphere(size);
    case 1:
        return cairn_shape_box(cairn_vec(size, other, fabs(hostile(random, false))));
    case 2:
        return cairn_shape_capsule(size, other);
    case 3:
        return cairn_shape_cylinder(size, other);
    case 4:
        return cairn_shape_mesh(m->mesh);
    case 5:
        return cairn_shape_height_field(m->field);
    case 6:
        return cairn_shape_compound(m->compound);
    case 7:
        return cairn_shape_half_space();
    default:
        return cairn_shape_hull(m->hull[cairn_random_index(random, 4)]);
    }
}

static bool is_finite(cairn_vec3 v)
{
    return isfinite(v.x) && isfinite(v.y) && isfinite(v.z);
}

static void check_hit(bool met, const cairn_hit* hit)
{
    CHECK(!met || (hit->t >= 0.0 && hit->t <= 1.0));
    CHECK(!met || (is_finite(hit->point) && is_finite(hit->normal)));
}

static void check_gap(cairn_gap g)
{
    CHECK(!isnan(g.gap) && is_finite(g.normal) && is_finite(g.point_a) && is_finite(g.point_b));
}

TEST(distances_contacts_rays_casts_and_impacts_of_hostile_numbers_end)
{
    cairn_random random = {1};
    models m = make_models(&random);
    cairn_contacts contacts = {0};
    for (int trial = 0; trial < 20000; trial++) {
        bool any = trial % 4 == 0;
        cairn_shape a = any_shape(&m, &random), b = any_shape(&m, &random);
        cairn_transform xa = hostile_pose(&random, any), xb = hostile_pose(&random, any);
        cairn_vec3 way = hostile_vec(&random, any);
        cairn_hit hit = {.t = 1.0};
        check_hit(cairn_shape_cast_ray(&a, xa, xb.p, way, &hit), &hit);
        check_hit(cairn_shape_cast_shape(&b, xb, way, &a, xa, &hit), &hit);
        check_gap(cairn_distance(&a, xa, &b, xb));
        cairn_collide_def def = cairn_default_collide_def();
        def.margin = fabs(hostile(&random, false));
        (void)cairn_collide(&contacts, &a, xa, &b, xb, &def);
        if (trial % 8 != 0)
            continue;
        cairn_sweep to_a = {xa, hostile_pose(&random, any)}, to_b = {xb, xb};
        double t;
        (void)cairn_time_of_impact(&a, &to_a, &b, &to_b, 1e-3, &t);
        CHECK(t >= 0.0 && t <= 1.0);
    }
    cairn_contacts_destroy(&contacts);
    destroy_models(&m);
}
END

// kinds that do not exist, data that is missing, sizes and poses that are none
TEST(a_shape_that_cannot_be_used_meets_nothing)
{
    cairn_shape good = cairn_shape_box(cairn_vec(1.0, 1.0, 1.0)), bad[10];
    cairn_transform here = cairn_transform_identity(), nowhere = here;
    cairn_vec3 way = cairn_vec(0.0, 0.0, -1.0);
    nowhere.p.x = 1e155;
    for (int i = 0; i < 10; i++)
        bad[i] = good;
    bad[0].kind = CAIRN_SHAPE_KIND_COUNT;
    bad[1].kind = (cairn_shape_kind)-1;
    bad[2].kind = CAIRN_SHAPE_HULL;
    bad[3].kind = CAIRN_SHAPE_MESH;
    bad[4].kind = CAIRN_SHAPE_HEIGHT_FIELD;
    bad[5].kind = CAIRN_SHAPE_COMPOUND;
    bad[6] = cairn_shape_sphere(NAN);
    bad[7] = cairn_shape_capsule(-1.0, 1.0);
    bad[8] = cairn_shape_box(cairn_vec(1.0, 1e155, 1.0));
    for (int i = 0; i < 10; i++) {
        // the last one is a good shape at a bad place
        cairn_transform x = i == 9 ? nowhere : here;
        cairn_sweep stay = {here, here}, bad_stay = {x, x};
        cairn_hit hit;
        double t;
        CHECK(cairn_distance(&bad[i], x, &good, here).gap == INFINITY);
        CHECK(cairn_distance(&good, here, &bad[i], x).gap == INFINITY);
        CHECK(!cairn_overlap(&bad[i], x, &good, here) && !cairn_overlap(&good, here, &bad[i], x));
        CHECK(!cairn_contains(&bad[i], x, here.p));
        CHECK(!cairn_shape_cast_ray(&bad[i], x, here.p, way, &hit));
        CHECK(!cairn_shape_cast_shape(&bad[i], x, way, &good, here, &hit));
        CHECK(!cairn_shape_cast_shape(&good, here, way, &bad[i], x, &hit));
        CHECK(cairn_time_of_impact(&bad[i], &bad_stay, &good, &stay, 1e-3, &t) ==
              CAIRN_IMPACT_NONE);
        CHECK(t == 1.0);
    }

    // contacts are made in every step and look at kind and data alone
    cairn_collide_def def = cairn_default_collide_def();
    cairn_contacts contacts = {0};
    cairn_manifold manifold = {.count = 1};
    for (int i = 0; i < 6; i++) {
        CHECK(cairn_collide(&contacts, &bad[i], here, &good, here, &def) == CAIRN_BAD_INPUT);
        CHECK(cairn_collide(&contacts, &good, here, &bad[i], here, &def) == CAIRN_BAD_INPUT);
        CHECK(!cairn_collide_convex(&bad[i], here, &good, here, &def, NULL, &manifold));
        CHECK(manifold.count == 0);
        CHECK(cairn_shape_radius(&bad[i], here.p) == 0.0);
        CHECK(cairn_shape_aabb(&bad[i], here).hi.x == 0.0);
    }
}
END

TEST(hulls_of_points_that_round_off_cannot_tell_apart_end)
{
    enum { most = 1000 };
    cairn_random random = {2};
    cairn_vec3 p[most];
    for (int trial = 0; trial < 200; trial++) {
        int count = 4 + cairn_random_index(&random, most - 4);
        double flat = pow(10.0, cairn_random_range(&random, -16.0, 0.0));
        double noise = pow(10.0, cairn_random_range(&random, -17.0, -6.0));
        for (int i = 0; i < count; i++) {
            cairn_vec3 v = cairn_random_direction(&random);
            // on a sphere, on a lattice, on a circle, in a heap
            if (trial % 4 == 1)
                v = cairn_vec(i % 10, i / 10 % 10, i / 100);
            if (trial % 4 == 2)
                v = cairn_vec(cos(0.01 * i), sin(0.01 * i), i % 2);
            if (trial % 4 == 3)
                v = cairn_scale(noise, v);
            v.z *= flat;
            p[i] = cairn_add_scaled(v, noise, cairn_random_vec3(&random));
        }
        cairn_hull* hull;
        cairn_error error;
        if (cairn_hull_create(p, count, 0.0, &hull, &error) == CAIRN_OK)
            cairn_hull_destroy(hull);
    }
}
END

// a field of heights of 1e299 m gave points that were no numbers
TEST(data_beyond_the_range_is_refused)
{
    enum { side = 3 };
    static const double far = 1.000001e40;
    double heights[side * side] = {0.0};
    cairn_height_field_def field = {side, side, 1.0, 1.0, heights};
    cairn_height_field* made_field = NULL;
    CHECK(cairn_height_field_create(&field, &made_field, NULL) == CAIRN_OK);
    cairn_height_field_destroy(made_field);
    heights[4] = -far;
    CHECK(cairn_height_field_create(&field, &made_field, NULL) == CAIRN_BAD_INPUT);
    heights[4] = 0.0;
    field.spacing_y = far / side;
    CHECK(cairn_height_field_create(&field, &made_field, NULL) == CAIRN_BAD_INPUT);

    cairn_vec3 points[] = {{0.0, 0.0, 0.0}, {1.0, 0.0, 0.0}, {0.0, far, 0.0}, {0.0, 0.0, 1.0}};
    const int triangle[] = {0, 1, 2};
    cairn_mesh_def mesh = {points, 4, triangle, 1};
    cairn_mesh* made_mesh = NULL;
    cairn_hull* made_hull = NULL;
    CHECK(cairn_mesh_create(&mesh, &made_mesh, NULL) == CAIRN_BAD_INPUT);
    CHECK(cairn_hull_create(points, 4, 0.0, &made_hull, NULL) == CAIRN_BAD_INPUT);
}
END

TESTS(data_beyond_the_range_is_refused,
      distances_contacts_rays_casts_and_impacts_of_hostile_numbers_end,
      a_shape_that_cannot_be_used_meets_nothing,
      hulls_of_points_that_round_off_cannot_tell_apart_end)
