// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Ellipsoids, cones and tapered capsules on a floor against closed forms: what rests, rocks and
// rolls about an apex.

#include "check_cairn.h"
#include "worlds.h"

static const double g = 9.81, pi = 3.14159265358979323846;

static cairn_world* world_with(int substeps)
{
    cairn_world_def def = cairn_default_world_def();
    def.substeps = substeps;
    def.gravity = cairn_vec(0.0, 0.0, -g);
    def.sleep = false;
    cairn_world* world = worlds_empty(def);
    worlds_ground(world);
    return world;
}

static cairn_body_id add(cairn_world* world, const cairn_shape* shape, cairn_transform pose,
                         cairn_vec3 velocity, cairn_vec3 spin)
{
    cairn_body_def def = cairn_default_body_def();
    cairn_body_id id = {0};
    def.shape = shape;
    def.material.mu = 1.0;
    def.pose = pose;
    def.velocity = velocity;
    def.spin = spin;
    CHECK(cairn_world_add_body(world, &def, &id, NULL) == CAIRN_OK);
    return id;
}

static const cairn_vec3 none = {0.0, 0.0, 0.0};

// ---------------------------------------------------------------- rest

TEST(what_stands_or_lies_stays)
{
    cairn_shape cone = cairn_shape_cone(0.5, 0.6),
                egg = cairn_shape_ellipsoid(cairn_vec(0.5, 0.4, 0.2));
    cairn_shape club = cairn_shape_tapered_capsule(0.3, 0.1, 0.5);

    // a line of a cone's side lies level when its axis is tilted by 90° less the half angle, α; the
    // side of the club by its own
    double alpha = atan2(0.5, 1.2), beta = asin(0.2);
    const cairn_shape* shapes[4] = {&cone, &cone, &egg, &club};
    cairn_transform poses[4] = {
        {{0.0, 0.0, 0.6}, cairn_quat_identity()},
        {{3.0, 0.0, 0.6 * sin(alpha)},
         cairn_quat_from_rotation_vector(cairn_vec(0.0, 0.5 * pi + alpha, 0.0))},
        {{6.0, 0.0, 0.2}, cairn_quat_identity()},
        {{9.0, 0.0, 0.3 - 0.5 * sin(beta)},
         cairn_quat_from_rotation_vector(cairn_vec(0.0, 0.5 * pi + beta, 0.0))}};
    cairn_world* world = world_with(1);
    cairn_body_id id[4];
    cairn_vec3 before[4];

    for (int i = 0; i < 4; i++) {
        id[i] = add(world, shapes[i], poses[i], none, none);
        before[i] = worlds_state(world, id[i]).center;
    }

    worlds_run(world, 300);
    for (int i = 0; i < 4; i++) {
        cairn_body_state state = worlds_state(world, id[i]);
        CHECK_BELOW(cairn_norm(cairn_sub(state.center, before[i])), 1e-6);
        CHECK_BELOW(cairn_norm(state.velocity), 1e-6);
        CHECK_BELOW(cairn_norm(state.spin), 1e-5);
    }
    cairn_world_destroy(world);
}
END

// ---------------------------------------------------------------- rocking

// The floor meets an ellipsoid with half axes a (x) and c (z) where its radius of curvature is
// ρ = a²/c, so that the center rises by (ρ - c) θ²/2, and rolling turns about the contact:
//
//     ω² = m g (ρ - c) / (I + m c²),     I = m (a² + c²) / 5.
static double period_of(int substeps, double a, double c)
{
    cairn_shape egg = cairn_shape_ellipsoid(cairn_vec(a, 0.3, c));
    cairn_world* world = world_with(substeps);
    const double tilt = 1e-3;

    // the lowest point of the tilted ellipsoid is sqrt(a² sin² + c² cos²) below its center
    double height = sqrt(a * a * sin(tilt) * sin(tilt) + c * c * cos(tilt) * cos(tilt));
    cairn_transform pose = {{0.0, 0.0, height},
                            cairn_quat_from_rotation_vector(cairn_vec(0.0, tilt, 0.0))};
    cairn_body_id id = add(world, &egg, pose, none, none);

    // twenty crossings of the upright, interpolated
    double last = tilt, first = 0.0, end = 0.0;
    int crossings = 0;

    for (int k = 1; k < 2000 && crossings < 21; k++) {
        worlds_run(world, 1);
        double angle = cairn_quat_to_rotation_vector(worlds_state(world, id).pose.q).y;
        if (angle * last < 0.0) {
            double t = (k - 1 + last / (last - angle)) * worlds_dt;
            first = crossings == 0 ? t : first;
            end = t;
            crossings++;
        }
        last = angle;
    }

    CHECK(crossings == 21);
    cairn_world_destroy(world);
    return (end - first) / 10.0;
}

TEST(an_ellipsoid_rocks_with_its_period)
{
    double a = 0.5, c = 0.2;
    double omega = sqrt(g * (a * a / c - c) / ((a * a + c * c) / 5.0 + c * c)),
           T = 2.0 * pi / omega;
    double error[3];
    for (int i = 0; i < 3; i++) {
        error[i] = fabs(period_of(1 << (2 * i), a, c) / T - 1.0);
    }
    // second order: a sixteenth with four times the substeps
    CHECK_BELOW(error[0], 2e-3);
    CHECK_BELOW(error[1], error[0] / 8.0);
    CHECK_BELOW(error[2], error[1] / 8.0);
}
END

// ---------------------------------------------------------------- rolling about an apex

// A cone of half angle α that rolls on its side about its apex at the rate Ω turns about the line
// of contact, at Ω cot α: its center of mass, at the distance d from the apex, goes around at the
// distance d cos α. A tapered capsule does so about the apex of the cone that its side is part of.
static double circle_error(const cairn_shape* shape, double alpha, double to_apex, double rate,
                           int substeps, double* height)
{
    cairn_world* world = world_with(substeps);

    // apex at the origin, the line of contact along x, the axis above it
    cairn_vec3 axis = cairn_vec(-cos(alpha), 0.0, -sin(alpha)); // from the base to the apex
    cairn_quat lying = cairn_quat_from_rotation_vector(cairn_vec(0.0, -0.5 * pi - alpha, 0.0));
    cairn_transform pose = {cairn_scale(-to_apex, axis), lying};
    CHECK_BELOW(cairn_norm(cairn_sub(cairn_rotate(lying, cairn_vec(0.0, 0.0, 1.0)), axis)), 1e-14);

    // spin along the line of contact, and the velocity that leaves it at rest
    cairn_vec3 spin = cairn_vec(-rate / tan(alpha), 0.0, 0.0);
    cairn_mass_properties mass;
    CHECK(cairn_shape_mass(shape, &mass, NULL) == CAIRN_OK);
    cairn_vec3 center = cairn_transform_point(pose, mass.center);
    cairn_body_id id = add(world, shape, pose, cairn_cross(spin, center), spin);
    cairn_vec3 start = worlds_state(world, id).center;
    CHECK_BELOW(cairn_norm(cairn_sub(start, center)), 1e-12);

    // one second: the center has turned by the rate about the vertical
    worlds_run(world, 60);

    cairn_vec3 now = worlds_state(world, id).center;
    double r = cairn_length(start.x, start.y);
    cairn_vec3 expected = cairn_vec(r * cos(rate), r * sin(rate), start.z);
    *height = fabs(now.z - start.z);
    cairn_world_destroy(world);
    return cairn_norm(cairn_sub(now, expected)) / r;
}

TEST(a_cone_rolls_about_its_apex)
{
    cairn_shape cone = cairn_shape_cone(0.3, 0.5);
    double height, error[3];
    for (int i = 0; i < 3; i++) {
        error[i] = circle_error(&cone, atan2(0.3, 1.0), 0.5, 1.0, 1 << (2 * i), &height);
        CHECK_BELOW(height, 1e-3);
    }
    CHECK_BELOW(error[0], 3e-4);
    CHECK_BELOW(error[2], error[0] / 64.0);
}
END

TEST(a_tapered_capsule_rolls_in_its_circle)
{
    // radii 0.3 and 0.15 over 1 m: the apex is 2 m from the larger center
    cairn_shape club = cairn_shape_tapered_capsule(0.3, 0.15, 0.5);
    double height, error[3];
    for (int i = 0; i < 3; i++) {
        error[i] = circle_error(&club, asin(0.15), 1.5, 0.5, 1 << (2 * i), &height);
        CHECK_BELOW(height, 1e-3);
    }
    CHECK_BELOW(error[0], 3e-4);
    CHECK_BELOW(error[2], error[0] / 64.0);
}
END

TESTS(what_stands_or_lies_stays, an_ellipsoid_rocks_with_its_period, a_cone_rolls_about_its_apex,
      a_tapered_capsule_rolls_in_its_circle)
