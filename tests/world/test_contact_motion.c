// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Motion with contacts against closed forms: what rolls, slides, spins and strikes, at 1/60 s with
// 1 to 16 substeps.

#include "check_cairn.h"
#include "worlds.h"
#include <cairn/random.h>

static const double g = 9.81, pi = 3.14159265358979323846;
static const int substeps[] = {1, 2, 4, 16};

static cairn_world* world_with(int count, cairn_vec3 gravity)
{
    cairn_world_def def = cairn_default_world_def();
    def.substeps = count;
    def.restitution_speed = 1e-3;
    def.gravity = gravity;
    def.sleep = false;
    return worlds_empty(def);
}

static cairn_body_id add(cairn_world* world, const cairn_body_def* def)
{
    cairn_body_id id = {0};
    CHECK(cairn_world_add_body(world, def, &id, NULL) == CAIRN_OK);
    return id;
}

static cairn_body_def body_of(const cairn_shape* shape, double mu, double restitution)
{
    cairn_body_def def = cairn_default_body_def();
    def.shape = shape;
    def.material.mu = mu;
    def.material.restitution = restitution;
    return def;
}

static void add_floor(cairn_world* world, double mu, double restitution)
{
    cairn_shape plane = cairn_shape_half_space();
    cairn_body_def def = body_of(&plane, mu, restitution);
    def.type = CAIRN_BODY_STATIC;
    add(world, &def);
}

// a slope is a floor under tilted gravity
static cairn_vec3 tilted(double angle)
{
    return cairn_vec(g * sin(angle), 0.0, -g * cos(angle));
}

// ---------------------------------------------------------------- rolling

// relative errors of speed and place after a second down a slope of 20°
static void roll(const cairn_shape* shape, double radius, cairn_quat turned, int count,
                 double* speed, double* place)
{
    double angle = 20.0 * pi / 180.0;
    cairn_world* world = world_with(count, tilted(angle));
    add_floor(world, 0.8, 0.0);
    cairn_body_def def = body_of(shape, 0.8, 0.0);
    def.pose = (cairn_transform){cairn_vec(0.0, 0.0, radius), turned};
    cairn_body_id id = add(world, &def);
    cairn_body_mass mass;
    CHECK(cairn_body_get_mass(world, id, &mass, NULL) == CAIRN_OK);

    double I = mass.moments.z; // of round things about their axis, the last one

    if (shape->kind == CAIRN_SHAPE_CAPSULE || shape->kind == CAIRN_SHAPE_CYLINDER) {
        cairn_vec3 axis = cairn_rotate(mass.principal.q, cairn_vec(0.0, 0.0, 1.0));
        I = fabs(axis.z) > 0.5 ? mass.moments.z
            : fabs(cairn_rotate(mass.principal.q, cairn_vec(1.0, 0.0, 0.0)).z) > 0.5
                ? mass.moments.x
                : mass.moments.y;
    }

    // a = g sin α / (1 + I/(m r²))
    double a = g * sin(angle) / (1.0 + I / (mass.mass * radius * radius));
    worlds_run(world, 60);

    cairn_body_state state = worlds_state(world, id);
    *speed = state.velocity.x / a - 1.0;
    *place = state.center.x / (0.5 * a) - 1.0;
    cairn_world_destroy(world);
}

TEST(round_bodies_roll_down_a_slope_as_they_should_with_any_number_of_substeps)
{
    const cairn_quat level = cairn_quat_identity();
    const cairn_quat lying =
        cairn_quat_from_rotation_vector(cairn_scale(0.5 * pi, cairn_vec(1.0, 0.0, 0.0)));
    cairn_shape ball = cairn_shape_sphere(0.5), roller = cairn_shape_cylinder(0.3, 0.4),
                capsule = cairn_shape_capsule(0.3, 0.4);

    for (int k = 0; k < 4; k++) {
        double speed, place;
        roll(&ball, 0.5, level, substeps[k], &speed, &place);
        CHECK(fabs(speed) < 1e-9 && fabs(place) < 1e-9);
        roll(&roller, 0.3, lying, substeps[k], &speed, &place);
        CHECK(fabs(speed) < 1e-8 && fabs(place) < 1e-8);
        roll(&capsule, 0.3, lying, substeps[k], &speed, &place);
        CHECK(fabs(speed) < 1e-8 && fabs(place) < 1e-8);
    }
}
END

// A thin disc of radius r rolls round a circle of 2 m, leaning by 10°: steady where gravity's moment
// turns the angular momentum. The start is exact for no thickness; a coin of 2 mm would run on a
// circle of its own, so this one is 0.2 µm thick.
static double coin_lean_error(int count)
{
    const double r = 0.3, R = 2.0, lean = 10.0 * pi / 180.0;
    cairn_world* world = world_with(count, cairn_vec(0.0, 0.0, -g));
    add_floor(world, 1.0, 0.0);
    cairn_shape disc = cairn_shape_cylinder(r, 1e-7);
    cairn_body_def def = body_of(&disc, 1.0, 0.0);
    def.mass = 1.0;
    def.inertia = cairn_mat3_diagonal(0.25 * r * r, 0.25 * r * r, 0.5 * r * r);

    // the center moves on a circle of radius R - r sin(lean) about the z axis at rate Ω, the contact
    // on one of radius R: Ω² from the moments about the contact point
    double c = cos(lean), s = sin(lean);
    double center = R - r * s, I = 0.25 * r * r, J = 0.5 * r * r;

    // spin about the axis: rolling gives ω_axis = -Ω R/r + ... (axis tilted by lean)
    // L_axis = J ω_a, ω_a = Ω (s - R/r); transverse Ω c with I
    double k = c * (J * (R / r - s) + I * s) + center * r * c;
    double omega = sqrt(g * r * s / k);
    def.pose.p = cairn_vec(0.0, -center, r * c);
    def.pose.q =
        cairn_quat_from_rotation_vector(cairn_scale(-(0.5 * pi + lean), cairn_vec(1.0, 0.0, 0.0)));
    def.velocity = cairn_vec(omega * center, 0.0, 0.0);
    cairn_vec3 axis = cairn_rotate(def.pose.q, cairn_vec(0.0, 0.0, 1.0));

    // ω = Ω z + σ axis, and the contact point does not slip: v = ω x (center - contact)
    cairn_vec3 arm = cairn_vec(0.0, R - center, r * c);
    cairn_vec3 turn = cairn_cross(cairn_vec(0.0, 0.0, omega), arm), spin = cairn_cross(axis, arm);
    double sigma = (def.velocity.x - turn.x) / spin.x;
    def.spin = cairn_add(cairn_vec(0.0, 0.0, omega), cairn_scale(sigma, axis));
    cairn_body_id id = add(world, &def);
    double worst = 0.0;

    for (int i = 0; i < 240; i++) {
        worlds_run(world, 1);
        cairn_vec3 z = cairn_rotate(worlds_state(world, id).pose.q, cairn_vec(0.0, 0.0, 1.0));
        double now = asin(fmin(1.0, fabs(z.z)));
        worst = fmax(worst, fabs(now - lean) * 180.0 / pi);
    }
    cairn_world_destroy(world);
    return worst;
}

TEST(a_coin_keeps_its_lean_and_its_error_falls_with_the_square_of_the_step)
{
    double error[4];
    for (int k = 0; k < 3; k++) {
        error[k] = coin_lean_error(1 << k);
    }
    CHECK(error[0] < 0.05);
    for (int k = 1; k < 3; k++)
        CHECK(error[k - 1] / error[k] > 3.4 && error[k - 1] / error[k] < 4.6);
}
END

// A coin that was set spinning on its rim, tilted by 20°: without loss it goes on.
static double disk_energy_left(int count)
{
    const double r = 0.3, tilt = 20.0 * pi / 180.0;
    cairn_world* world = world_with(count, cairn_vec(0.0, 0.0, -g));
    add_floor(world, 1.0, 0.0);
    cairn_shape disc = cairn_shape_cylinder(r, 1e-3);
    cairn_body_def def = body_of(&disc, 1.0, 0.0);
    def.mass = 1.0;

    // a point of the rim rests while the plane of the disk turns at Ω² = 4 g/(r sin tilt)
    double omega = sqrt(4.0 * g / (r * sin(tilt)));
    def.pose.q = cairn_quat_from_rotation_vector(cairn_vec(tilt, 0.0, 0.0));
    cairn_vec3 axis = cairn_rotate(def.pose.q, cairn_vec(0.0, 0.0, 1.0));
    def.pose.p.z = r * sin(tilt) + 1e-3 * cos(tilt);
    def.spin = cairn_add(cairn_vec(0.0, 0.0, omega), cairn_scale(-omega * cos(tilt), axis));
    add(world, &def);

    // energy above that of the disk lying flat
    double kinetic, potential, before, rest = 1e-3 * g;
    cairn_world_energy(world, &kinetic, &potential);
    before = kinetic + potential - rest;

    worlds_run(world, 120);
    cairn_world_energy(world, &kinetic, &potential);
    cairn_world_destroy(world);
    return (kinetic + potential - rest) / before;
}

TEST(a_spinning_disk_goes_on)
{
    double left[3];
    for (int k = 0; k < 3; k++) {
        left[k] = disk_energy_left(1 << (2 * k));
    }
    CHECK(left[0] > 0.8 && left[1] > 0.99 && left[2] > 0.9998);
}
END

// A ball on a turntable goes round a circle at 2/7 of its rate, for ever.
static double turntable_speed(int count)
{
    cairn_world* world = world_with(count, cairn_vec(0.0, 0.0, -g));
    cairn_shape disc = cairn_shape_cylinder(20.0, 0.5), ball = cairn_shape_sphere(0.1);
    cairn_body_def table = body_of(&disc, 1.0, 0.0), def = body_of(&ball, 1.0, 0.0);
    const double rate = 7.0;
    table.type = CAIRN_BODY_KINEMATIC;
    table.pose.p.z = -0.5;
    table.spin.z = rate;
    add(world, &table);

    // at x = 1 it moves across at 1 m/s: no slip where the table moves at 7 m/s there
    def.pose.p = cairn_vec(1.0, 0.0, 0.1);
    def.velocity.y = 1.0;
    def.spin.x = (rate * 1.0 - 1.0) / 0.1 * -1.0 * -1.0;
    cairn_body_id id = add(world, &def);

    worlds_run(world, (int)(5.0 * 2.0 * pi / 2.0 * 60.0));
    double speed = cairn_norm(worlds_state(world, id).velocity);
    cairn_world_destroy(world);
    return speed;
}

TEST(a_ball_on_a_turntable_keeps_its_speed)
{
    for (int k = 0; k < 3; k++) {
        double speed = turntable_speed(1 << (2 * k));
        CHECK_NEAR(speed, 1.0, 1e-3);
    }
}
END

// ---------------------------------------------------------------- sliding, flying, damping

TEST(a_box_slides_as_far_as_friction_lets_it)
{
    for (int k = 0; k < 4; k++) {
        cairn_world* world = world_with(substeps[k], cairn_vec(0.0, 0.0, -g));
        add_floor(world, 0.3, 0.0);
        cairn_shape box = cairn_shape_box(cairn_vec(0.5, 0.5, 0.1));
        cairn_body_def def = body_of(&box, 0.3, 0.0);
        def.pose.p.z = 0.1;
        def.velocity.x = 3.0;
        cairn_body_id id = add(world, &def);
        worlds_run(world, 120);
        double way = worlds_state(world, id).center.x, right = 9.0 / (2.0 * 0.3 * g);
        CHECK_NEAR(way, right, 5e-5);
        cairn_world_destroy(world);
    }
}
END

TEST(a_projectile_flies_on_its_parabola)
{
    cairn_world* world = world_with(1, cairn_vec(0.0, 0.0, -g));
    cairn_body_id id =
        worlds_add(world, CAIRN_BODY_DYNAMIC, cairn_shape_sphere(0.1), cairn_vec(0.0, 0.0, 0.0));
    CHECK(cairn_body_set_velocity(world, id, cairn_vec(3.0, 0.0, 8.0), cairn_vec(0.0, 0.0, 0.0),
                                  NULL) == CAIRN_OK);
    worlds_run(world, 120);
    cairn_body_state state = worlds_state(world, id);
    CHECK_NEAR(state.center.x, 6.0, 1e-12);
    CHECK_NEAR(state.center.z, 16.0 - 2.0 * g, 1e-12);
    CHECK_NEAR(state.velocity.z, 8.0 - 2.0 * g, 1e-12);
    cairn_world_destroy(world);
}
END

TEST(damping_slows_motion_and_lowers_no_weight)
{
    const double rates[] = {0.0, 1.0, 10.0, 60.0};
    for (int k = 0; k < 4; k++) {
        cairn_world* world = world_with(4, cairn_vec(0.0, 0.0, -g));
        add_floor(world, 0.5, 0.0);
        cairn_shape box = cairn_shape_box(cairn_vec(0.5, 0.5, 0.5));
        cairn_body_def def = body_of(&box, 0.5, 0.0);
        def.mass = 2.0;
        def.pose.p.z = 0.5;
        def.linear_damping = def.angular_damping = rates[k];
        add(world, &def);

        worlds_run(world, 10);
        int count;
        const cairn_contact* contacts = cairn_world_contacts(world, &count);
        double sum = 0.0;

        for (int c = 0; c < count; c++)
            sum += contacts[c].impulse.z;

        CHECK_NEAR(fabs(sum) / worlds_dt, 2.0 * g, 1e-9);
        cairn_world_destroy(world);
    }
}
END

// Where a box that slides along `heading` over a slab comes to after half a second; both have a grain,
// that of the box turned by `angle` against the slab's, which is along x.
static cairn_vec3 slide_on_grain(double heading, double angle, bool box_first)
{
    cairn_world* world = world_with(4, cairn_vec(0.0, 0.0, -g));
    cairn_shape box = cairn_shape_box(cairn_vec(0.5, 0.5, 0.05)),
                slab = cairn_shape_box(cairn_vec(5.0, 5.0, 0.5));
    cairn_body_id moving = {0};

    for (int k = 0; k < 2; k++) {
        bool mine = (k == 0) == box_first;
        cairn_body_def def = body_of(mine ? &box : &slab, 0.2, 0.0);
        double turned = mine ? angle : 0.0;
        def.material.mu_across = 0.6;
        def.material.direction = cairn_vec(cos(turned), sin(turned), 0.0);
        def.type = mine ? CAIRN_BODY_DYNAMIC : CAIRN_BODY_STATIC;
        def.pose.p.z = mine ? 0.05 : -0.5;
        if (mine)
            def.velocity = cairn_vec(4.0 * cos(heading), 4.0 * sin(heading), 0.0);
        cairn_body_id id = add(world, &def);
        moving = mine ? id : moving;
    }

    worlds_run(world, 30);
    cairn_vec3 at = worlds_state(world, moving).center;
    cairn_world_destroy(world);
    return at;
}

TEST(two_surfaces_with_a_grain_are_equals)
{
    // grains that agree: as one of them
    double t = 30.0 * worlds_dt;
    CHECK_NEAR(slide_on_grain(0.0, 0.0, true).x, 4.0 * t - 0.5 * 0.2 * g * t * t, 1e-5);
    CHECK_NEAR(slide_on_grain(0.5 * pi, 0.0, true).y, 4.0 * t - 0.5 * 0.6 * g * t * t, 1e-5);

    // and whichever body is the first: each solve may leave 1e-6 of 4 m/s, for half a second
    for (int i = 0; i < 6; i++) {
        double heading = 0.3 + 0.9 * i, angle = 0.25 * i;
        cairn_vec3 one = slide_on_grain(heading, angle, true);
        cairn_vec3 other = slide_on_grain(heading, angle, false);
        CHECK_BELOW(cairn_norm(cairn_sub(one, other)), 4e-6);
    }
}
END

// ---------------------------------------------------------------- seams

// The largest change of velocity of a body without friction that slides over a floor of 36 boxes.
static double stumble(cairn_shape shape, double height, cairn_quat turned, double speed, int count)
{
    cairn_world* world = world_with(count, cairn_vec(0.0, 0.0, -g));
    cairn_shape tile = cairn_shape_box(cairn_vec(0.25, 1.0, 0.5));

    for (int i = 0; i < 36; i++) {
        cairn_body_def def = body_of(&tile, 0.0, 0.0);
        def.type = CAIRN_BODY_STATIC;
        def.pose.p = cairn_vec(0.5 * i, 0.0, -0.5);
        add(world, &def);
    }

    cairn_body_def def = body_of(&shape, 0.0, 0.0);
    def.pose = (cairn_transform){cairn_vec(0.6, 0.0, height), turned};
    def.velocity.x = speed;
    cairn_body_id id = add(world, &def);
    double worst = 0.0;

    for (int i = 0; i < (int)(60.0 * 16.0 / speed); i++) {
        worlds_run(world, 1);
        cairn_vec3 v = worlds_state(world, id).velocity;
        worst = fmax(worst, cairn_norm(cairn_sub(v, cairn_vec(speed, 0.0, 0.0))));
    }
    cairn_world_destroy(world);
    return worst;
}

TEST(nothing_stumbles_over_the_seams_of_a_flat_floor)
{
    const cairn_quat level = cairn_quat_identity();
    const cairn_quat lying =
        cairn_quat_from_rotation_vector(cairn_scale(0.5 * pi, cairn_vec(1.0, 0.0, 0.0)));
    const double speeds[] = {2.0, 8.0};

    for (int k = 0; k < 2; k++)
        for (int s = CHECK_FEWER(0, k); s < CHECK_FEWER(2, k + 1); s++) {
            int count = k ? 4 : 1;
            double plate =
                stumble(cairn_shape_box(cairn_vec(0.5, 0.5, 0.05)), 0.05, level, speeds[s], count);
            double cube =
                stumble(cairn_shape_box(cairn_vec(0.2, 0.2, 0.2)), 0.2, level, speeds[s], count);
            double ball = stumble(cairn_shape_sphere(0.2), 0.2, level, speeds[s], count);
            double capsule = stumble(cairn_shape_capsule(0.2, 0.3), 0.2, lying, speeds[s], count);
            double roller = stumble(cairn_shape_cylinder(0.2, 0.3), 0.2, lying, speeds[s], count);
            CHECK_BELOW(plate, 1e-6);
            CHECK_BELOW(cube, 1e-6);
            CHECK_BELOW(ball, 1e-6);
            CHECK_BELOW(capsule, 1e-6);
            CHECK_BELOW(roller, 1e-6);
        }

    // small ones are far past a seam within a substep
    for (int k = 0; k < 2; k++) {
        double speed = k ? 30.0 : 12.0;
        CHECK_BELOW(stumble(cairn_shape_box(cairn_vec(0.02, 0.02, 0.02)), 0.02, level, speed, 4),
                    1e-6);
        CHECK_BELOW(stumble(cairn_shape_cylinder(0.04, 0.06), 0.04, lying, speed, 4), 1e-6);
    }
}
END

// An ellipsoid passes the seams of tiles at an angle. Just as it does, the edge behind its lowest point
// is nearly as low, with a normal that leans by less than a thousandth.
TEST(what_is_round_passes_seams_at_an_angle)
{
    const double speed = 2.0, angle = 5.57766;
    const cairn_vec3 v = cairn_vec(speed * cos(angle), speed * sin(angle), 0.0);
    cairn_world* world = world_with(4, cairn_vec(0.0, 0.0, -g));
    cairn_shape tile = cairn_shape_box(cairn_vec(0.2, 0.2, 0.1));

    for (int i = 0; i < 400; i++) {
        cairn_body_def def = body_of(&tile, 0.0, 0.0);
        def.type = CAIRN_BODY_STATIC;
        def.pose.p = cairn_vec(0.4 * (i % 20) - 0.03, -0.4 * (double)(i / 20) + 0.03, -0.1);
        add(world, &def);
    }

    cairn_shape egg = cairn_shape_ellipsoid(cairn_vec(0.2, 0.15, 0.1));
    cairn_body_def def = body_of(&egg, 0.0, 0.0);
    def.pose.p.z = 0.1;
    def.velocity = v;
    cairn_body_id id = add(world, &def);

    for (int i = 0; i < 180; i++) {
        worlds_run(world, 1);
        CHECK_BELOW(cairn_norm(cairn_sub(worlds_state(world, id).velocity, v)), 1e-9);
    }
    cairn_world_destroy(world);
}
END

// Edges that lie along each other to round-off have no direction between them. The cube arrives with
// its front edge on the seam of two parts of a floor, and goes on.
TEST(edges_that_meet_to_round_off_push_nobody_aside)
{
    cairn_shape tile = cairn_shape_box(cairn_vec(0.25, 1.0, 0.5)), parts[4];
    cairn_transform places[4];

    for (int i = 0; i < 4; i++) {
        parts[i] = tile;
        places[i] = (cairn_transform){cairn_vec(0.5 * i, 0.0, -0.5), cairn_quat_identity()};
    }

    cairn_compound* floor = NULL;
    CHECK(cairn_compound_create(parts, places, 4, &floor, NULL) == CAIRN_OK);
    cairn_shape whole = cairn_shape_compound(floor);
    cairn_world* world = world_with(4, cairn_vec(0.0, 0.0, -g));
    cairn_body_def def = body_of(&whole, 0.0, 0.0);
    def.type = CAIRN_BODY_STATIC;
    add(world, &def);

    cairn_shape cube = cairn_shape_box(cairn_vec(0.05, 0.05, 0.05));
    def = body_of(&cube, 0.0, 0.0);
    def.pose.p = cairn_vec(0.6, 0.0, 0.05);
    def.velocity.x = 2.0;
    cairn_body_id id = add(world, &def);

    worlds_run(world, 30);
    cairn_vec3 v = worlds_state(world, id).velocity;

    CHECK_BELOW(cairn_norm(cairn_sub(v, cairn_vec(2.0, 0.0, 0.0))), 1e-6);
    cairn_world_destroy(world);
    cairn_compound_destroy(floor);
}
END

// A plate without friction slides over a row of bricks that lie loose on the floor, side by side. They
// sink and rise by what the solves leave, and are no steps. Its speed at the end.
static double slide_over_bricks(double side, double density, double speed)
{
    cairn_world* world = worlds_empty(cairn_default_world_def());
    cairn_shape brick = cairn_shape_box(cairn_vec(0.5 * side, 0.5 * side, 0.25 * side));
    cairn_shape plate = cairn_shape_box(cairn_vec(1.5 * side, 1.5 * side, 0.3 * side));
    add_floor(world, 0.3, 0.0);

    for (int i = 0; i < 16; i++) {
        cairn_body_def def = body_of(&brick, 0.3, 0.0);
        def.pose.p = cairn_vec(side * i, 0.0, 0.25 * side);
        add(world, &def);
    }

    cairn_body_def def = body_of(&plate, 0.0, 0.0);
    def.density = density;
    def.pose.p = cairn_vec(2.2 * side, 0.0, 0.8 * side);
    def.velocity.x = speed;
    cairn_body_id id = add(world, &def);

    // eleven bricks further
    worlds_run(world, (int)(60.0 * 11.0 * side / speed));
    double end = worlds_state(world, id).velocity.x;
    cairn_world_destroy(world);
    return end;
}

TEST(a_plate_slides_over_loose_bricks)
{
    if (!CHECK_SLOW_BUILD) {
        CHECK_NEAR(slide_over_bricks(0.1, 3000.0, 5.0), 5.0, 0.05);
        CHECK_NEAR(slide_over_bricks(0.1, 3000.0, 3.0), 3.0, 0.05);
    }
    CHECK_NEAR(slide_over_bricks(0.2, 1000.0, 3.0), 3.0, 0.05);
}
END

// A ball without friction and restitution that meets a step of height s keeps of its velocity what
// is square to the line from the edge to its center: v_x = v (1 - s/R)². A plate stops.
TEST(a_step_of_a_millimeter_is_felt)
{
    const double rise = 1e-3, v = 8.0, r = 0.2;
    for (int k = 0; k < 2; k++) {
        cairn_world* world = world_with(4, cairn_vec(0.0, 0.0, -g));
        for (int i = 0; i < 2; i++) {
            cairn_shape box = cairn_shape_box(cairn_vec(2.0, 1.0, 0.5 + 0.5 * i * rise));
            cairn_body_def def = body_of(&box, 0.0, 0.0);
            def.type = CAIRN_BODY_STATIC;
            def.pose.p = cairn_vec(4.0 * i - 2.0, 0.0, 0.5 * i * rise - 0.5);
            add(world, &def);
        }

        cairn_shape ball = cairn_shape_sphere(r),
                    plate = cairn_shape_box(cairn_vec(0.5, 0.5, 0.05));
        cairn_body_def def = body_of(k ? &plate : &ball, 0.0, 0.0);
        def.pose.p = cairn_vec(-1.0, 0.0, k ? 0.05 : r);
        def.velocity.x = v;
        cairn_body_id id = add(world, &def);

        worlds_run(world, 20);
        double end = worlds_state(world, id).velocity.x, kept = 1.0 - rise / r;

        CHECK_NEAR(end, k ? 0.0 : v * kept * kept, k ? 0.1 : 1e-6);
        cairn_world_destroy(world);
    }
}
END

TEST(what_slides_fast_on_a_floor_is_where_its_speed_takes_it)
{
    cairn_world* world = world_with(4, cairn_vec(0.0, 0.0, -g));
    cairn_shape cube = cairn_shape_box(cairn_vec(0.05, 0.05, 0.05));
    add_floor(world, 0.0, 0.0);
    cairn_body_def def = body_of(&cube, 0.0, 0.0);
    def.pose.p.z = 0.05;
    def.velocity.x = 300.0;
    cairn_body_id id = add(world, &def);
    worlds_run(world, 60);
    CHECK_NEAR(worlds_state(world, id).center.x, 300.0, 1e-6);
    cairn_world_destroy(world);
}
END

// A rod that turns by 83 rad in a substep and flies along a wall: beyond its reach it arrives, within
// it strikes the wall again and again, and what it does not make of its way is told.
static cairn_body_state fly_along_wall(double distance, cairn_outcome* outcome)
{
    cairn_world* world = world_with(4, cairn_vec(0.0, 0.0, 0.0));
    cairn_shape wall = cairn_shape_box(cairn_vec(0.5, 50.0, 5.0));
    cairn_shape rod = cairn_shape_box(cairn_vec(0.5, 0.01, 0.01));
    cairn_body_def def = body_of(&wall, 0.0, 0.0);
    def.type = CAIRN_BODY_STATIC;
    def.pose.p.x = -0.5;
    add(world, &def);
    def = body_of(&rod, 0.0, 0.0);
    def.pose.p.x = distance;
    def.velocity.y = 300.0;
    def.spin.z = 20000.0;
    cairn_body_id id = add(world, &def);
    cairn_step_report report;

    CHECK(cairn_world_step(world, 1.0 / 60.0, &report, NULL) == CAIRN_OK);
    *outcome = report.outcome;
    cairn_body_state state = worlds_state(world, id);
    cairn_world_destroy(world);
    return state;
}

TEST(what_does_not_arrive_is_told)
{
    cairn_outcome outcome;
    for (int k = 0; k < 2; k++) {
        cairn_body_state missed = fly_along_wall(k ? 0.6 : 0.55, &outcome);
        CHECK_NEAR(missed.center.y, 5.0, 1e-9);
        CHECK_NEAR(missed.velocity.x, 0.0, 1e-9);
        CHECK_NEAR(missed.spin.z, 20000.0, 1e-6);
        CHECK(outcome == CAIRN_OUTCOME_CONVERGED);
    }
    CHECK(fly_along_wall(0.2, &outcome).center.y < 4.9 && outcome == CAIRN_OUTCOME_STEP_LIMIT);
}
END

// ---------------------------------------------------------------- impacts

static cairn_body_id add_ball(cairn_world* world, double radius, cairn_vec3 at, cairn_vec3 velocity,
                              double restitution)
{
    cairn_shape ball = cairn_shape_sphere(radius);
    cairn_body_def def = body_of(&ball, 0.0, restitution);
    def.pose.p = at;
    def.velocity = velocity;
    return add(world, &def);
}

TEST(a_ball_that_is_cut_leaves_along_the_line_of_centers)
{
    const double speeds[] = {1.0, 3.0, 8.0, 30.0}, r = 0.0286, es[] = {0.0, 0.95};
    for (int s = 0; s < 4; s++)
        for (int k = 0; k < 4; k++)
            for (int phase = 0; phase < 5; phase++)
                for (int e = 0; e < 2; e++) {
                    cairn_world* world = world_with(substeps[k], cairn_vec(0.0, 0.0, 0.0));
                    double start = -0.5 - 0.2 * phase * speeds[s] / 60.0;
                    add_ball(world, r, cairn_vec(start, r, 0.0), cairn_vec(speeds[s], 0.0, 0.0),
                             es[e]);
                    cairn_body_id object = add_ball(world, r, cairn_vec(0.0, 0.0, 0.0),
                                                    cairn_vec(0.0, 0.0, 0.0), es[e]);
                    worlds_run(world, (int)(60.0 * (-start / speeds[s])) + 4);
                    cairn_vec3 v = worlds_state(world, object).velocity;
                    double angle = atan2(v.y, v.x) * 180.0 / pi, speed = cairn_norm(v);
                    double right = 0.5 * (1.0 + es[e]) * speeds[s] * cos(pi / 6.0);
                    CHECK_NEAR(angle, -30.0, 1e-3);
                    CHECK_NEAR(speed / right, 1.0, 1e-6);
                    cairn_world_destroy(world);
                }
}
END

TEST(a_ball_that_misses_another_does_not_touch_it)
{
    for (int k = 0; k < 4; k++)
        for (int way = 0; way < 3; way++) {
            const double miss[] = {1.0001, 1.01, 1.1}, r = 0.0286;
            cairn_world* world = world_with(substeps[k], cairn_vec(0.0, 0.0, 0.0));
            add_ball(world, r, cairn_vec(-0.5, miss[way] * 2.0 * r, 0.0), cairn_vec(8.0, 0.0, 0.0),
                     0.95);
            cairn_body_id object =
                add_ball(world, r, cairn_vec(0.0, 0.0, 0.0), cairn_vec(0.0, 0.0, 0.0), 0.95);
            worlds_run(world, 30);
            CHECK(cairn_norm(worlds_state(world, object).velocity) == 0.0);
            cairn_world_destroy(world);
        }
}
END

TEST(elastic_balls_in_a_box_keep_their_energy)
{
    for (int k = 0; k < 3; k++) {
        cairn_world* world = world_with(substeps[k], cairn_vec(0.0, 0.0, 0.0));
        cairn_random random = {7};

        // six walls one meter from the center
        for (int side = 0; side < 6; side++) {
            cairn_shape plane = cairn_shape_half_space();
            cairn_body_def def = body_of(&plane, 0.0, 1.0);
            cairn_vec3 axis = cairn_vec(side / 2 == 1, side / 2 == 0, 0.0);
            def.type = CAIRN_BODY_STATIC;
            double angle = side / 2 == 2 ? (side % 2 ? pi : 0.0) : (side % 2 ? 0.5 : -0.5) * pi;
            if (side / 2 == 2)
                axis = cairn_vec(1.0, 0.0, 0.0);
            def.pose.q = cairn_quat_from_rotation_vector(cairn_scale(angle, axis));
            def.pose.p = cairn_rotate(def.pose.q, cairn_vec(0.0, 0.0, -1.0));
            add(world, &def);
        }

        // balls on a grid with random velocities
        for (int i = 0; i < 40; i++) {
            cairn_vec3 at =
                cairn_vec(0.4 * (i % 4) - 0.6, 0.4 * (i / 4 % 4) - 0.6, 0.4 * (i / 16) - 0.6);
            cairn_vec3 v = cairn_vec(cairn_random_range(&random, -3.0, 3.0),
                                     cairn_random_range(&random, -3.0, 3.0),
                                     cairn_random_range(&random, -3.0, 3.0));
            add_ball(world, 0.1, at, v, 1.0);
        }

        double before, after, none;
        cairn_world_energy(world, &before, &none);

        cairn_step_report report = worlds_run(world, 600);
        cairn_world_energy(world, &after, &none);

        CHECK_BELOW(report.penetration, 1e-6);
        CHECK_NEAR(after / before, 1.0, 1e-5);
        cairn_world_destroy(world);
    }
}
END

TESTS(round_bodies_roll_down_a_slope_as_they_should_with_any_number_of_substeps,
      a_coin_keeps_its_lean_and_its_error_falls_with_the_square_of_the_step,
      a_spinning_disk_goes_on, a_ball_on_a_turntable_keeps_its_speed,
      a_box_slides_as_far_as_friction_lets_it, a_projectile_flies_on_its_parabola,
      damping_slows_motion_and_lowers_no_weight, two_surfaces_with_a_grain_are_equals,
      nothing_stumbles_over_the_seams_of_a_flat_floor, what_is_round_passes_seams_at_an_angle,
      edges_that_meet_to_round_off_push_nobody_aside, a_plate_slides_over_loose_bricks,
      a_step_of_a_millimeter_is_felt, what_does_not_arrive_is_told,
      what_slides_fast_on_a_floor_is_where_its_speed_takes_it,
      a_ball_that_is_cut_leaves_along_the_line_of_centers,
      a_ball_that_misses_another_does_not_touch_it, elastic_balls_in_a_box_keep_their_energy)
