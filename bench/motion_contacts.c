// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Motion with contacts beside closed forms: what rolls, spins, slides, strikes, rocks and is shot.

#include "motion.h"
#include <cairn/random.h>
#include <math.h>

static const cairn_vec3 x_axis = {1.0, 0.0, 0.0}, y_axis = {0.0, 1.0, 0.0},
                        z_axis = {0.0, 0.0, 1.0};
static const cairn_vec3 zero = {0.0, 0.0, 0.0}, down = {0.0, 0.0, -9.81};
static const double degree = 180.0 / 3.14159265358979323846;

static cairn_body_def body_of(const cairn_shape* shape, double mu, double restitution)
{
    cairn_body_def def = cairn_default_body_def();
    def.shape = shape;
    def.material.mu = mu;
    def.material.restitution = restitution;
    return def;
}

static void add_floor(cairn_world* world, double mu)
{
    cairn_shape plane = cairn_shape_half_space();
    cairn_body_def def = body_of(&plane, mu, 0.0);
    def.type = CAIRN_BODY_STATIC;
    motion_add(world, &def);
}

static cairn_quat lying(void)
{
    return motion_turn(x_axis, 0.5 * motion_pi);
}

// ---------------------------------------------------------------- rolling

// The speed after a second down a slope of 20°, a floor under tilted gravity:
// v = g sin θ t / (1 + k), k = I / (m r²).
static void roll(bench* b, const char* name, cairn_shape shape, cairn_quat turned, double k,
                 double bound)
{
    const double angle = 20.0 / degree;
    cairn_world* world =
        motion_world(cairn_vec(motion_g * sin(angle), 0.0, -motion_g * cos(angle)));
    add_floor(world, 0.8);
    cairn_body_def def = body_of(&shape, 0.8, 0.0);
    def.pose = (cairn_transform){cairn_scale(shape.radius, z_axis), turned};
    cairn_body_id id = motion_add(world, &def);
    motion_run(world, 60);
    double right = motion_g * sin(angle) / (1.0 + k);
    motion_row(b, name, "of v", 1.0, motion_state(world, id).velocity.x / right, bound);
    cairn_world_destroy(world);
}

static void slopes(bench* b)
{
    // of a capsule per π r² and density: 0.8 m of cylinder with k 1/2, caps of 4/3 r with k 2/5
    double capsule = (0.8 * 0.5 + 4.0 / 3.0 * 0.3 * 0.4) / (0.8 + 4.0 / 3.0 * 0.3);
    roll(b, "ball down a slope", cairn_shape_sphere(0.5), cairn_quat_identity(), 0.4, 1e-9);
    roll(b, "cylinder down a slope", cairn_shape_cylinder(0.3, 0.4), lying(), 0.5, 1e-8);
    roll(b, "capsule down a slope", cairn_shape_capsule(0.3, 0.4), lying(), capsule, 1e-8);
}

// A thin disc of radius r rolls round a circle of radius R, leaning by 10°, where gravity's moment
// turns its angular momentum. The lean that is farthest from it in 4 s.
static void coin(bench* b)
{
    const double r = 0.3, R = 2.0, lean = 10.0 / degree, I = 0.25 * r * r, J = 0.5 * r * r;
    double c = cos(lean), s = sin(lean), center = R - r * s;
    double k = c * (J * (R / r - s) + I * s) + center * r * c, omega = sqrt(motion_g * r * s / k);
    cairn_world* world = motion_world(down);
    add_floor(world, 1.0);

    // the closed form is that of no thickness
    cairn_shape disc = cairn_shape_cylinder(r, 1e-7);
    cairn_body_def def = body_of(&disc, 1.0, 0.0);
    def.mass = 1.0;
    def.inertia = cairn_mat3_diagonal(I, I, J);
    def.pose =
        (cairn_transform){{0.0, -center, r * c}, motion_turn(x_axis, -0.5 * motion_pi - lean)};

    // ω = Ω z + σ axis, and the point of contact does not slip: v = ω x arm
    cairn_vec3 axis = cairn_rotate(def.pose.q, z_axis), arm = {0.0, r * s, r * c};
    cairn_vec3 turn = cairn_cross(cairn_scale(omega, z_axis), arm);
    def.velocity.x = omega * center;
    double sigma = (def.velocity.x - turn.x) / cairn_cross(axis, arm).x;
    def.spin = cairn_add_scaled(cairn_scale(omega, z_axis), sigma, axis);
    cairn_body_id id = motion_add(world, &def);

    // the lean that is farthest from its start
    double farthest = lean;
    for (int i = 0; i < 240; i++) {
        motion_step(world, motion_dt);
        double z = cairn_rotate(motion_state(world, id).pose.q, z_axis).z;
        double now = asin(fmin(1.0, fabs(z)));
        farthest = fabs(now - lean) > fabs(farthest - lean) ? now : farthest;
    }
    motion_row(b, "coin lean", "degrees", 10.0, farthest * degree, 0.05);
    cairn_world_destroy(world);
}

// A disk set spinning on its rim, tilted by 20°, with Ω² = 4 g/(r sin tilt): without loss it goes
// on. What is left of its energy after 2 s.
static void eulers_disk(bench* b)
{
    const double r = 0.3, tilt = 20.0 / degree, thin = 1e-3, rest = thin * motion_g;
    double omega = sqrt(4.0 * motion_g / (r * sin(tilt)));
    cairn_world* world = motion_world(down);
    add_floor(world, 1.0);

    cairn_shape disc = cairn_shape_cylinder(r, thin);
    cairn_body_def def = body_of(&disc, 1.0, 0.0);
    def.mass = 1.0;
    def.pose.q = motion_turn(x_axis, tilt);
    def.pose.p.z = r * sin(tilt) + thin * cos(tilt);
    def.spin = cairn_add_scaled(cairn_scale(omega, z_axis), -omega * cos(tilt),
                                cairn_rotate(def.pose.q, z_axis));
    motion_add(world, &def);

    double before = motion_energy(world) - rest;
    motion_run(world, 120);
    motion_row(b, "Euler's disk", "of its energy", 1.0, (motion_energy(world) - rest) / before,
               0.15);
    cairn_world_destroy(world);
}

// a ball on a turntable goes round a circle at 2/7 of its rate and keeps its speed
static void turntable(bench* b)
{
    const double rate = 7.0, r = 0.1;
    cairn_world* world = motion_world(down);
    cairn_shape disc = cairn_shape_cylinder(20.0, 0.5), ball = cairn_shape_sphere(r);
    cairn_body_def table = body_of(&disc, 1.0, 0.0), def = body_of(&ball, 1.0, 0.0);
    table.type = CAIRN_BODY_KINEMATIC;
    table.pose.p.z = -0.5;
    table.spin.z = rate;
    motion_add(world, &table);

    // across at 1 m/s where the table moves at 7 m/s, without slip
    def.pose.p = cairn_vec(1.0, 0.0, r);
    def.velocity.y = 1.0;
    def.spin.x = (rate - 1.0) / r;
    cairn_body_id id = motion_add(world, &def);
    motion_run(world, (int)(5.0 * motion_pi * 60.0)); // five turns
    motion_row(b, "turntable", "m/s", 1.0, cairn_norm(motion_state(world, id).velocity), 1e-3);
    cairn_world_destroy(world);
}

// ---------------------------------------------------------------- sliding

static void sliding(bench* b)
{
    cairn_world* world = motion_world(down);
    add_floor(world, 0.3);
    cairn_shape box = cairn_shape_box(cairn_vec(0.5, 0.5, 0.1));
    cairn_body_def def = body_of(&box, 0.3, 0.0);
    def.pose.p.z = 0.1;
    def.velocity.x = 3.0;
    cairn_body_id id = motion_add(world, &def);
    motion_run(world, 120);
    motion_row(b, "sliding distance", "m", 9.0 / (2.0 * 0.3 * motion_g),
               motion_state(world, id).center.x, 5e-5);
    cairn_world_destroy(world);
}

static void damped_weight(bench* b)
{
    cairn_world* world = motion_world(down);
    add_floor(world, 0.5);

    cairn_shape box = cairn_shape_box(cairn_vec(0.5, 0.5, 0.5));
    cairn_body_def def = body_of(&box, 0.5, 0.0);
    def.mass = 2.0;
    def.pose.p.z = 0.5;
    def.linear_damping = def.angular_damping = 60.0;
    motion_add(world, &def);
    motion_run(world, 10);

    // the floor bears the weight, whatever the damping
    int count;
    const cairn_contact* contacts = cairn_world_contacts(world, &count);
    double sum = 0.0;
    for (int i = 0; i < count; i++)
        sum += contacts[i].impulse.z;

    motion_row(b, "damping 60/s floor force", "of the weight", 1.0,
               fabs(sum) / (2.0 * motion_g * motion_dt), 1e-9);
    cairn_world_destroy(world);
}

// 1 kg on a belt at 0.3 m/s and a spring of 36 N/m sticks until the spring pulls with μ m g, then
// it swings about that place with amplitude v/ω = 0.05 m, and meets the speed of the belt again
static void stick_slip(bench* b)
{
    const double speed = 0.3, omega = 6.0, mu = 0.3;
    cairn_world* world = motion_world(down);
    cairn_shape long_box = cairn_shape_box(cairn_vec(50.0, 1.0, 0.5));
    cairn_shape plate = cairn_shape_box(cairn_vec(0.1, 0.1, 0.05));
    cairn_body_def belt = body_of(&long_box, mu, 0.0), def = body_of(&plate, mu, 0.0);
    belt.type = CAIRN_BODY_KINEMATIC;
    belt.pose.p.z = -0.5;
    belt.velocity.x = def.velocity.x = speed;
    motion_add(world, &belt);
    def.mass = 1.0;
    def.pose.p.z = 0.05;
    cairn_body_id id = motion_add(world, &def);

    // a spring to the wall
    cairn_joint_def joint = cairn_default_joint_def(CAIRN_JOINT_DISTANCE);
    joint.body_b = id;
    joint.frame_a = (cairn_transform){{-2.0, 0.0, 0.05}, cairn_quat_identity()};
    joint.frame_b = cairn_transform_identity();
    joint.stiffness = omega * omega;
    joint.rest = 2.0;
    motion_join(world, &joint);

    // the last 100 of 600 steps: more than a period
    double least = INFINITY, most = -INFINITY;
    for (int i = 0; i < 600; i++) {
        motion_step(world, motion_dt);
        double x = motion_state(world, id).center.x;
        least = i < 500 ? least : fmin(least, x);
        most = i < 500 ? most : fmax(most, x);
    }

    motion_row(b, "stick-slip amplitude", "m", 0.05, 0.5 * (most - least), 5e-4);
    cairn_world_destroy(world);
}

// a floor of 36 flush boxes without friction: bodies, or parts of one; its compound, or NULL
static cairn_compound* lay_tiles(cairn_world* world, bool one)
{
    enum { count = 36 };
    cairn_shape tile = cairn_shape_box(cairn_vec(0.25, 1.0, 0.5)), parts[count];
    cairn_transform places[count];

    for (int i = 0; i < count; i++) {
        parts[i] = tile;
        places[i] = (cairn_transform){{0.5 * i, 0.0, -0.5}, cairn_quat_identity()};
    }

    cairn_compound* floor = NULL;
    cairn_body_def def = body_of(&tile, 0.0, 0.0);
    def.type = CAIRN_BODY_STATIC;

    // one body of many parts, or many bodies
    if (one && cairn_compound_create(parts, places, count, &floor, NULL) == CAIRN_OK) {
        cairn_shape shape = cairn_shape_compound(floor);
        def.shape = &shape;
        motion_add(world, &def);
        return floor;
    }

    for (int i = 0; i < count; i++) {
        def.pose = places[i];
        motion_add(world, &def);
    }
    return NULL;
}

// the largest change of velocity on such a floor
static double stumble(const cairn_shape* shape, cairn_transform at, double speed, bool one)
{
    cairn_world* world = motion_world(down);
    cairn_compound* floor = lay_tiles(world, one);
    cairn_body_def def = body_of(shape, 0.0, 0.0);
    def.pose = at;
    def.velocity.x = speed;
    cairn_body_id id = motion_add(world, &def);

    double worst = 0.0;
    for (int i = 0; i < (int)(60.0 * 16.0 / speed); i++) {
        motion_step(world, motion_dt);
        cairn_vec3 v = motion_state(world, id).velocity;
        worst = fmax(worst, cairn_norm(cairn_add_scaled(v, -speed, x_axis)));
    }
    cairn_world_destroy(world);
    cairn_compound_destroy(floor);
    return worst;
}

static void seams(bench* b)
{
    const cairn_quat level = cairn_quat_identity();
    const struct {
        const char* name;
        cairn_shape shape;
        double height;
        cairn_quat turned;
    } cases[] = {
        {"36 seams: plate", cairn_shape_box(cairn_vec(0.5, 0.5, 0.05)), 0.05, level},
        {"36 seams: cube", cairn_shape_box(cairn_vec(0.2, 0.2, 0.2)), 0.2, level},
        {"36 seams: cube of 10 cm", cairn_shape_box(cairn_vec(0.05, 0.05, 0.05)), 0.05, level},
        {"36 seams: cube of 4 cm", cairn_shape_box(cairn_vec(0.02, 0.02, 0.02)), 0.02, level},
        {"36 seams: ball", cairn_shape_sphere(0.2), 0.2, level},
        {"36 seams: capsule", cairn_shape_capsule(0.2, 0.3), 0.2, lying()},
        {"36 seams: cylinder", cairn_shape_cylinder(0.2, 0.3), 0.2, lying()},
        {"36 seams: cylinder of 8 cm", cairn_shape_cylinder(0.04, 0.06), 0.04, lying()}};

    const double speeds[] = {2.0, 8.0, 12.0};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        double worst = 0.0;
        cairn_transform at = {{0.6, 0.0, cases[i].height}, cases[i].turned};

        // on separate boxes and on one compound, at three speeds
        for (int k = 0; k < 6; k++)
            worst = fmax(worst, stumble(&cases[i].shape, at, speeds[k / 2], k % 2));

        motion_row(b, cases[i].name, "m/s", 0.0, worst, 1e-6);
    }
}

// A plate of 16 kg without friction slides over bricks of half a kilogram that lie loose, side by
// side: the speed that is farthest from its own at the end of the row.
static void loose_bricks(bench* b)
{
    const double side = 0.1, speeds[] = {0.5, 1.0, 2.0, 3.0, 5.0, 8.0};
    double farthest = 1.0;
    for (int k = 0; k < 6; k++) {
        cairn_world* world = motion_world(down);
        cairn_shape brick = cairn_shape_box(cairn_vec(0.5 * side, 0.5 * side, 0.25 * side));
        cairn_shape plate = cairn_shape_box(cairn_vec(1.5 * side, 1.5 * side, 0.3 * side));
        add_floor(world, 0.3);

        // bricks side by side, then the plate on the first ones
        for (int i = 0; i < 36; i++) {
            cairn_body_def def = body_of(&brick, 0.3, 0.0);
            def.pose.p = cairn_vec(side * i, 0.0, 0.25 * side);
            motion_add(world, &def);
        }

        cairn_body_def def = body_of(&plate, 0.0, 0.0);
        def.density = 3000.0;
        def.pose.p = cairn_vec(2.2 * side, 0.0, 0.8 * side);
        def.velocity.x = speeds[k];
        cairn_body_id id = motion_add(world, &def);

        // as long as the plate takes to the end of the row
        motion_run(world, (int)(60.0 * 31.0 * side / speeds[k]));
        double kept = motion_state(world, id).velocity.x / speeds[k];
        farthest = fabs(kept - 1.0) > fabs(farthest - 1.0) ? kept : farthest;

        cairn_world_destroy(world);
    }

    motion_row(b, "plate over loose bricks", "of its speed", 1.0, farthest, 1e-5);
}

// A plank of 16 and 500 kg on five rollers of half a kilogram that are as wide, each at half its
// speed: the speed that is farthest from its own after a second.
static void rollers(bench* b)
{
    const double speed = 0.5, r = 0.05, masses[] = {16.0, 500.0};
    double farthest = 1.0;
    for (int k = 0; k < 2; k++) {
        cairn_world* world = motion_world(down);
        cairn_shape roller = cairn_shape_cylinder(r, 0.2);
        cairn_shape plank = cairn_shape_box(cairn_vec(1.0, 0.2, 0.05));
        add_floor(world, 0.8);

        // rollers at half the speed of the plank, rolling on the floor
        for (int i = 0; i < 5; i++) {
            cairn_body_def def = body_of(&roller, 0.8, 0.0);
            def.mass = 0.5;
            def.pose = (cairn_transform){{0.3 * i - 0.6, 0.0, r}, lying()};
            def.velocity.x = 0.5 * speed;
            def.spin.y = 0.5 * speed / r;
            motion_add(world, &def);
        }

        cairn_body_def def = body_of(&plank, 0.8, 0.0);
        def.mass = masses[k];
        def.pose.p.z = 2.0 * r + 0.05;
        def.velocity.x = speed;
        cairn_body_id id = motion_add(world, &def);

        motion_run(world, 60);
        double kept = motion_state(world, id).velocity.x / speed;
        farthest = fabs(kept - 1.0) > fabs(farthest - 1.0) ? kept : farthest;

        cairn_world_destroy(world);
    }

    motion_row(b, "plank on light rollers", "of its speed", 1.0, farthest, 1e-5);
}

// A cube of 1 kg between jaws on sliders, pressed by forces of 0.99 of what holds it, μ = 1: it
// falls by g t²/200.
static void grip(bench* b)
{
    const double force = 0.99 * 0.5 * motion_g;
    cairn_world* world = motion_world(down);
    cairn_shape cube = cairn_shape_box(cairn_vec(0.05, 0.05, 0.05));
    cairn_shape plate = cairn_shape_box(cairn_vec(0.05, 0.1, 0.3));

    cairn_body_def def = body_of(&cube, 1.0, 0.0);
    def.mass = 1.0;
    cairn_body_id id = motion_add(world, &def), jaws[2];

    // the jaws may only move along x
    for (int i = 0; i < 2; i++) {
        cairn_vec3 at = {i ? 0.1 : -0.1, 0.0, 0.0};
        def = body_of(&plate, 1.0, 0.0);
        def.mass = 1.0;
        def.pose.p = at;
        jaws[i] = motion_add(world, &def);

        cairn_joint_def joint = cairn_default_joint_def(CAIRN_JOINT_SLIDER);
        joint.body_b = jaws[i];
        joint.frame_a = (cairn_transform){at, motion_turn(y_axis, 0.5 * motion_pi)};
        joint.frame_b = (cairn_transform){zero, joint.frame_a.q};
        motion_join(world, &joint);
    }

    for (int k = 0; k < 60; k++) {
        for (int i = 0; i < 2; i++)
            cairn_body_add_force(world, jaws[i], cairn_scale(i ? -force : force, x_axis),
                                 motion_state(world, jaws[i]).center, NULL);
        motion_step(world, motion_dt);
    }

    motion_row(b, "slip between jaws", "m", -motion_g / 200.0, motion_state(world, id).center.z,
               1e-5);
    cairn_world_destroy(world);
}

// ---------------------------------------------------------------- impacts

enum { cue = 0, object = 1 };

// Two balls, one of which comes along x with an offset: the velocity of the other one afterwards.
static cairn_vec3 shot(double speed, double start, double offset, double restitution)
{
    cairn_world* world = motion_world(zero);
    cairn_shape ball = cairn_shape_sphere(0.0286);
    cairn_body_id ids[2];
    for (int k = cue; k <= object; k++) {
        cairn_body_def def = body_of(&ball, 0.0, restitution);
        def.pose.p = k == cue ? cairn_vec(start, offset, 0.0) : zero;
        def.velocity.x = k == cue ? speed : 0.0;
        ids[k] = motion_add(world, &def);
    }

    motion_run(world, (int)(60.0 * -start / speed) + 4);
    cairn_vec3 v = motion_state(world, ids[object]).velocity;
    cairn_world_destroy(world);
    return v;
}

// an offset of r cuts by 30°: the worst of five phases of the step and two restitutions
static void pool(bench* b)
{
    static const struct {
        const char* name;
        double speed;
    } cases[] = {{"pool shot 1 m/s", 1.0},
                 {"pool shot 3 m/s", 3.0},
                 {"pool shot 8 m/s", 8.0},
                 {"pool shot 30 m/s", 30.0}};
    for (int i = 0; i < 4; i++) {
        double farthest = -30.0;
        for (int k = 0; k < 10; k++) {
            double start = -0.5 - 0.2 * (k / 2) * cases[i].speed / 60.0;
            cairn_vec3 v = shot(cases[i].speed, start, 0.0286, k % 2 ? 0.95 : 0.0);
            double angle = atan2(v.y, v.x) * degree;
            farthest = fabs(angle + 30.0) > fabs(farthest + 30.0) ? angle : farthest;
        }
        motion_row(b, cases[i].name, "degrees", -30.0, farthest, 0.1);
    }
}

// a ball that passes another one by 6 µm, 0.6 mm and 6 mm does not touch it
static void near_miss(bench* b)
{
    double fastest = 0.0;
    for (int i = 0; i < 3; i++) {
        const double past[] = {1.0001, 1.01, 1.1};
        fastest = fmax(fastest, cairn_norm(shot(8.0, -0.5, past[i] * 2.0 * 0.0286, 0.95)));
    }
    motion_row(b, "near miss", "m/s", 0.0, fastest, 0.0);
}

// A block of 0.2 x 1 m rocks from 5°. Its energy is m g R (cos(α - θ) - cos α), and the impact of
// its base leaves (1 - 3/2 sin² α)² of it (Housner 1963): the next peak, at 1/480 s.
static void rocking(bench* b)
{
    const double alpha = atan(0.2), first = 5.0 / degree;
    double kept = 1.0 - 1.5 * sin(alpha) * sin(alpha);
    double energy = kept * kept * (cos(alpha - first) - cos(alpha));
    double second = alpha - acos(cos(alpha) + energy);

    // it stands on the edge at the origin
    cairn_world* world = motion_world(down);
    add_floor(world, 1.0);
    cairn_shape block = cairn_shape_box(cairn_vec(0.1, 0.2, 0.5));
    cairn_body_def def = body_of(&block, 1.0, 0.0);
    def.pose.q = motion_turn(y_axis, first);
    def.pose.p = cairn_rotate(def.pose.q, cairn_vec(-0.1, 0.0, 0.5));
    cairn_body_id id = motion_add(world, &def);

    // the peak on the other side, until it comes back
    double peak = 0.0;
    for (int i = 0; i < 480 * 4; i++) {
        motion_step(world, 1.0 / 480.0);
        cairn_vec3 z = cairn_rotate(motion_state(world, id).pose.q, z_axis);
        double tilt = -atan2(z.x, z.z);
        if (peak > 0.0 && tilt < 0.5 * peak)
            break;
        peak = fmax(peak, tilt);
    }

    motion_row(b, "rocking, second peak", "degrees", second * degree, peak * degree,
               0.005 * second * degree);
    cairn_world_destroy(world);
}

// whether a ball or box that was shot at a wall of 5 cm gets behind the middle of it
static bool passes(cairn_random* random, bool round)
{
    cairn_world* world = motion_world(zero);
    cairn_shape wall = cairn_shape_box(cairn_vec(0.025, 5.0, 5.0));
    cairn_body_def def = body_of(&wall, 0.5, 0.0);
    def.type = CAIRN_BODY_STATIC;
    motion_add(world, &def);

    // from up to 4 m before it at a place on it, 10 to 1000 m/s, with spin
    double size = cairn_random_range(random, 0.01, 0.05);
    cairn_shape shape =
        round ? cairn_shape_sphere(size) : cairn_shape_box(cairn_vec(size, size, 0.5 * size));
    def = body_of(&shape, 0.5, cairn_random_range(random, 0.0, 1.0));
    def.pose.p =
        cairn_vec(cairn_random_range(random, -4.0, -0.5), cairn_random_range(random, -1.0, 1.0),
                  cairn_random_range(random, -1.0, 1.0));
    def.pose.q = cairn_quat_from_rotation_vector(cairn_scale(3.0, cairn_random_vec3(random)));
    cairn_vec3 aim = {0.0, cairn_random_range(random, -1.0, 1.0),
                      cairn_random_range(random, -1.0, 1.0)};
    def.velocity = cairn_scale(cairn_random_range(random, 10.0, 1000.0),
                               cairn_normalize(cairn_sub(aim, def.pose.p)));
    def.spin = cairn_scale(50.0, cairn_random_vec3(random));
    cairn_body_id id = motion_add(world, &def);

    bool through = false;
    for (int i = 0; i < 30 && !through; i++) {
        motion_step(world, motion_dt);
        through = !(motion_state(world, id).center.x < 0.0);
    }
    cairn_world_destroy(world);
    return through;
}

static void bullets(bench* b)
{
    int through = 0;
    cairn_random random = {20};
    for (int i = 0; i < 200; i++)
        through += passes(&random, i % 2);
    motion_row(b, "bullets, 200 shots", "through", 0.0, through, 0.0);
}

void motion_contacts(bench* b)
{
    static void (*const cases[])(bench*) = {
        slopes,       coin,    eulers_disk, turntable, sliding,   damped_weight, stick_slip, seams,
        loose_bricks, rollers, grip,        pool,      near_miss, rocking,       bullets};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        cases[i](b);
}
