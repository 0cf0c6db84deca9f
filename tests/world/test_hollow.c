// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Balls and capsules in a valley of flat strips, without friction, at 1/60 s and default settings.
// Their center runs on the polygon of lines at distance r from the strips. On each side it falls
// freely, s'' = -g sin α, and at each corner it strikes the next strip: of its speed cos θ is left,
// θ the angle between the strips. That motion is followed here from corner to corner, exactly.

#include "check_cairn.h"
#include "worlds.h"
#include <math.h>
#include <stdlib.h>

static const double g = 9.81, pi = 3.14159265358979323846;
static const double valley = 2.0, half_angle = 1.2, round_radius = 0.1; // m, rad, m
enum { most_strips = 64 };

// strips along y on an arc about (0, 0, R), half_angle to either side
typedef struct strips {
    int count;    // to either side
    double theta; // rad: between neighbors
    double apothem, half;
} strips;

// of the center of a ball: from the middle of the strip `at`, along it
typedef struct runner {
    int at;
    double s, v;
} runner;

static strips strips_of(int count)
{
    double theta = half_angle / count, apothem = valley * cos(0.5 * theta) - round_radius;
    return (strips){count, theta, apothem, apothem * tan(0.5 * theta)};
}

static double slope(const strips* all, int at)
{
    return (at + 0.5 - all->count) * all->theta;
}

static double height(const strips* all, const runner* r)
{
    double a = slope(all, r->at);
    return valley - all->apothem * cos(a) + r->s * sin(a);
}

// when s + v t + a t²/2 leaves through one end, or `most`
static double leaves(const runner* r, double a, double end, double most)
{
    double square = r->v * r->v + 2.0 * a * (end - r->s);
    if (square < 0.0)
        return most;
    double first = most, way = end > 0.0 ? 1.0 : -1.0;
    // outwards there: v + a t = ±√(v² + 2 a (end - s))
    double t = fabs(a) > 1e-12 ? (way * sqrt(square) - r->v) / a : (end - r->s) / r->v;
    if (t > 1e-12 && t < first)
        first = t;
    return first;
}

static void run(runner* r, const strips* all, double seconds)
{
    for (int k = 0; k < 1000 && seconds > 0.0; k++) {
        double a = -g * sin(slope(all, r->at));
        double up = leaves(r, a, all->half, seconds), down = leaves(r, a, -all->half, seconds);
        double t = fmin(up, down);
        r->s += r->v * t + 0.5 * a * t * t;
        r->v += a * t;
        seconds -= t;
        if (t == up && up < down)
            *r = (runner){r->at + 1, -all->half, r->v * cos(all->theta)};
        else if (t == down && down < up)
            *r = (runner){r->at - 1, all->half, r->v * cos(all->theta)};
    }
}

static cairn_mesh* make_valley(const strips* all)
{
    cairn_vec3 corners[4 * most_strips + 2];
    int triangles[12 * most_strips], n = 2 * all->count;

    // corners on a circle of radius `valley`, at both ends of the valley
    for (int i = 0; i <= n; i++) {
        double a = (i - all->count) * all->theta;
        for (int k = 0; k < 2; k++)
            corners[2 * i + k] =
                cairn_vec(valley * sin(a), k ? 5.0 : -5.0, valley - valley * cos(a));
    }

    for (int i = 0; i < n; i++) {
        const int two[6] = {2 * i, 2 * i + 2, 2 * i + 1, 2 * i + 1, 2 * i + 2, 2 * i + 3};
        for (int k = 0; k < 6; k++)
            triangles[6 * i + k] = two[k];
    }

    cairn_mesh* mesh = NULL;
    cairn_mesh_def def = {corners, 2 * (n + 1), triangles, 2 * n};
    CHECK(cairn_mesh_create(&def, &mesh, NULL) == CAIRN_OK);
    return mesh;
}

// J of a body of 1 kg above the lowest place
static double energy_of(const cairn_world* world, cairn_body_id id, double lowest)
{
    cairn_body_state state = worlds_state(world, id);
    return 0.5 * cairn_dot(state.velocity, state.velocity) + g * (state.center.z - lowest);
}

// Of the energy at the start: what is left after two seconds, less what is right; and by how much
// it rose.
static double swing(cairn_shape shape, int count, double* rise)
{
    strips all = strips_of(count);
    cairn_mesh* mesh = make_valley(&all);
    cairn_world* world = worlds_empty(cairn_default_world_def());
    cairn_shape surface = cairn_shape_mesh(mesh);
    cairn_body_def def = cairn_default_body_def();
    def.type = CAIRN_BODY_STATIC;
    def.shape = &surface;
    def.material.mu = 0.0;
    CHECK(cairn_world_add_body(world, &def, &(cairn_body_id){0}, NULL) == CAIRN_OK);

    // let go from the middle of a strip, half-way up
    runner right = {count + count / 2, 0.0, 0.0};
    double a = slope(&all, right.at), lowest = valley - all.apothem;
    cairn_body_id id = {0};
    def = cairn_default_body_def();
    def.shape = &shape;
    def.mass = 1.0;
    def.material.mu = 0.0;
    def.pose.p = cairn_vec(all.apothem * sin(a), 0.013, valley - all.apothem * cos(a));
    def.pose.q = cairn_quat_from_rotation_vector(cairn_vec(0.5 * pi, 0.0, 0.0));
    CHECK(cairn_world_add_body(world, &def, &id, NULL) == CAIRN_OK);

    double start = energy_of(world, id, lowest), least = start;
    *rise = 0.0;

    for (int i = 0; i < 120; i++) {
        worlds_run(world, 1);
        run(&right, &all, worlds_dt);
        double now = energy_of(world, id, lowest);
        *rise = fmax(*rise, (now - least) / start);
        least = fmin(least, now);
    }

    double asked = 0.5 * right.v * right.v + g * (height(&all, &right) - lowest);
    double error = (energy_of(world, id, lowest) - asked) / start;
    cairn_world_destroy(world);
    cairn_mesh_destroy(mesh);
    return error;
}

TEST(what_slides_through_a_valley_of_strips_loses_what_it_strikes)
{
    const int counts[] = {4, 8, 32, 64};
    const cairn_shape shapes[] = {cairn_shape_sphere(0.1), cairn_shape_capsule(0.1, 0.2)};
    for (int i = 0; i < 8; i++) {
        double rise, error = swing(shapes[i % 2], counts[i / 2], &rise);
        CHECK_NEAR(error, 0.0, 0.01);
        CHECK_BELOW(rise, 1e-9);
    }
}
END

TESTS(what_slides_through_a_valley_of_strips_loses_what_it_strikes)
