// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Motion of jointed and free bodies beside closed forms: pendulums, tops, springs, doors, chains.

#include "motion.h"
#include <math.h>

static const cairn_vec3 zero = {0.0, 0.0, 0.0}, x_axis = {1.0, 0.0, 0.0}, y_axis = {0.0, 1.0, 0.0},
                        z_axis = {0.0, 0.0, 1.0};
static const cairn_vec3 down = {0.0, 0.0, -9.81};
static const cairn_body_id ground = {0, 0};

static cairn_body_id add_body(cairn_world* world, double mass, cairn_vec3 moments,
                              cairn_transform pose)
{
    cairn_body_def def = cairn_default_body_def();
    def.mass = mass;
    def.inertia = cairn_mat3_diagonal(moments.x, moments.y, moments.z);
    def.pose = pose;
    return motion_add(world, &def);
}

static cairn_transform in_body(const cairn_world* world, cairn_body_id id, cairn_transform at)
{
    return id.generation == 0 ? at : cairn_transform_relative(motion_state(world, id).pose, at);
}

// a joint at a point of the world
static cairn_joint_id join(cairn_world* world, cairn_joint_kind kind, cairn_body_id a,
                           cairn_body_id b, cairn_vec3 at)
{
    cairn_joint_def def = cairn_default_joint_def(kind);
    cairn_transform frame = {at, cairn_quat_identity()};
    def.body_a = a;
    def.body_b = b;
    def.frame_a = in_body(world, a, frame);
    def.frame_b = in_body(world, b, frame);
    return motion_join(world, &def);
}

// level rods along x on ball joints, the first held by the world; the last one
static cairn_body_id add_chain(cairn_world* world, int links, double length, double mass,
                               double radius)
{
    double across = mass * (length * length / 12.0 + radius * radius / 4.0);
    cairn_vec3 moments = {across, across, 0.5 * mass * radius * radius};
    cairn_quat level = motion_turn(y_axis, 0.5 * motion_pi); // z to x
    cairn_body_id last = ground;
    for (int i = 0; i < links; i++) {
        cairn_vec3 middle = cairn_scale((i + 0.5) * length, x_axis);
        cairn_body_id rod = add_body(world, mass, moments, (cairn_transform){middle, level});
        join(world, CAIRN_JOINT_BALL, last, rod, cairn_scale(i * length, x_axis));
        last = rod;
    }
    return last;
}

// ---------------------------------------------------------------- pendulums

// a rod of 1 m let go level: T = 2π / (ω agm(1, cos 45°)), ω² = 3g/2
static void pendulum(bench* b)
{
    double a = 1.0, c = sqrt(0.5);

    // the arithmetic-geometric mean
    for (int i = 0; i < 8; i++) {
        double mean = 0.5 * (a + c);
        c = sqrt(a * c);
        a = mean;
    }
    double period = 2.0 * motion_pi / (sqrt(1.5 * motion_g) * a);

    // passages below the pivot in 20 s
    cairn_world* world = motion_world(down);
    cairn_body_id rod = add_chain(world, 1, 1.0, 1.0, 1e-6);
    double first = 0.0, last = 0.0, x = motion_state(world, rod).center.x;
    int passages = 0;
    for (int i = 0; i < 1200; i++) {
        motion_step(world, motion_dt);
        double next = motion_state(world, rod).center.x;
        if (x * next < 0.0) {
            last = (i + x / (x - next)) * motion_dt;
            first = passages++ == 0 ? last : first;
        }
        x = next;
    }

    motion_row(b, "pendulum period", "s", period, 2.0 * (last - first) / (passages - 1), 5e-4);
    motion_row(b, "pendulum energy", "J", 0.0, motion_energy(world), 3e-3);
    cairn_world_destroy(world);
}

// angles θ of two rods of 1 m and 1 kg from the vertical, and their rates
typedef struct double_pendulum {
    double x[4];
} double_pendulum;

//   4/3 θ1'' + 1/2 cos Δ θ2'' = -1/2 sin Δ θ2'² - 3/2 g sin θ1      Δ = θ1 - θ2
//   1/2 cos Δ θ1'' + 1/3 θ2'' =  1/2 sin Δ θ1'² - 1/2 g sin θ2
static double_pendulum rates(double_pendulum p)
{
    double s = 0.5 * sin(p.x[0] - p.x[1]), c = 0.5 * cos(p.x[0] - p.x[1]);
    double f = -s * p.x[3] * p.x[3] - 1.5 * motion_g * sin(p.x[0]);
    double h = s * p.x[2] * p.x[2] - 0.5 * motion_g * sin(p.x[1]), det = 4.0 / 9.0 - c * c;
    return (double_pendulum){
        {p.x[2], p.x[3], (f / 3.0 - c * h) / det, (4.0 / 3.0 * h - c * f) / det}};
}

static double_pendulum moved(double_pendulum p, double h, double_pendulum rate)
{
    for (int i = 0; i < 4; i++)
        p.x[i] += h * rate.x[i];
    return p;
}

// after 2 s, by the classical Runge-Kutta method with steps of 20 µs
static double_pendulum double_pendulum_reference(void)
{
    const double h = 2e-5;
    double_pendulum p = {{0.5 * motion_pi, 0.5 * motion_pi, 0.0, 0.0}};
    for (int i = 0; i < 100000; i++) {
        double_pendulum k1 = rates(p), k2 = rates(moved(p, 0.5 * h, k1)),
                        k3 = rates(moved(p, 0.5 * h, k2)), k4 = rates(moved(p, h, k3));
        p = moved(p, h / 6.0, k1);
        p = moved(p, h / 3.0, k2);
        p = moved(p, h / 3.0, k3);
        p = moved(p, h / 6.0, k4);
    }
    return p;
}

static void double_pendulum_tip(bench* b)
{
    cairn_world* world = motion_world(down);
    cairn_body_id rod = add_chain(world, 2, 1.0, 1.0, 1e-6);
    motion_run(world, 120);
    cairn_vec3 tip = cairn_transform_point(motion_state(world, rod).pose, cairn_vec(0, 0, 0.5));
    cairn_world_destroy(world);

    double_pendulum p = double_pendulum_reference();
    motion_row(b, "double pendulum x", "m", sin(p.x[0]) + sin(p.x[1]), tip.x, 4e-3);
    motion_row(b, "double pendulum z", "m", -cos(p.x[0]) - cos(p.x[1]), tip.z, 4e-3);
}

// ---------------------------------------------------------------- tops and springs

// A disk on a rod precesses steadily at 30°: I cosθ Ω² - I_s ω Ω + m g l = 0. The tilt that is
// farthest from it in 5 s.
static void top(bench* b, const char* name, double spin)
{
    const double m = 1.0, l = 0.3, r = 0.2, tilt = motion_pi / 6.0, degree = 180.0 / motion_pi;
    double own = 0.5 * m * r * r, across = 0.5 * own, a = (across + m * l * l) * cos(tilt);
    double L = own * spin, rate = (L - sqrt(L * L - 4.0 * a * m * motion_g * l)) / (2.0 * a);
    cairn_vec3 axis = {sin(tilt), 0.0, cos(tilt)}, arm = cairn_scale(l, axis);

    // it starts with the rate of its steady precession
    cairn_world* world = motion_world(down);
    cairn_body_def def = cairn_default_body_def();
    def.mass = m;
    def.inertia = cairn_mat3_diagonal(across, across, own);
    def.pose = (cairn_transform){arm, motion_turn(y_axis, tilt)};
    def.spin = cairn_add_scaled(cairn_scale(rate, z_axis), spin - rate * cos(tilt), axis);
    def.velocity = cairn_cross(def.spin, arm);
    cairn_body_id id = motion_add(world, &def);
    join(world, CAIRN_JOINT_BALL, ground, id, zero);

    double farthest = tilt;
    for (int i = 0; i < 300; i++) {
        motion_step(world, motion_dt);
        cairn_vec3 p = motion_state(world, id).center;
        double now = acos(p.z / cairn_norm(p));
        farthest = fabs(now - tilt) > fabs(farthest - tilt) ? now : farthest;
    }

    motion_row(b, name, "degrees", tilt * degree, farthest * degree, 0.01);
    cairn_world_destroy(world);
}

static void tops(bench* b)
{
    top(b, "top 100 rad/s tilt", 100.0);
    top(b, "top 400 rad/s tilt", 400.0);
}

// 1 kg on 100 N/m: the largest way of the last tenth of 10⁴ steps, as a share of the first
static void spring(bench* b)
{
    const int steps = b->quick ? 2000 : 10000;
    cairn_world* world = motion_world(zero);
    cairn_vec3 start = {0.0, 0.0, 0.1};
    cairn_body_id id = add_body(world, 1.0, cairn_vec(1.0, 1.0, 1.0),
                                (cairn_transform){start, cairn_quat_identity()});
    cairn_joint_def def = cairn_default_joint_def(CAIRN_JOINT_SLIDER);
    def.body_b = id;
    def.frame_a = def.frame_b = cairn_transform_identity();
    def.stiffness = 100.0;
    motion_join(world, &def);

    // the last tenth of the steps
    double amplitude = 0.0;
    for (int i = 0; i < steps; i++) {
        motion_step(world, motion_dt);
        if (i >= steps - steps / 10)
            amplitude = fmax(amplitude, fabs(motion_state(world, id).center.z));
    }

    motion_row(b, "spring amplitude", "of its start", 1.0, amplitude / 0.1, 1e-3);
    cairn_world_destroy(world);
}

// two hinges in line share the weight of a door of 20 kg
static void door(bench* b)
{
    static const char* const names[2] = {"door, lower hinge", "door, upper hinge"};
    cairn_world* world = motion_world(down);
    cairn_body_id leaf = add_body(world, 20.0, cairn_vec(6.67, 8.33, 1.67),
                                  (cairn_transform){{0.5, 0.0, 1.0}, cairn_quat_identity()});
    cairn_joint_id hinges[2];
    for (int k = 0; k < 2; k++)
        hinges[k] = join(world, CAIRN_JOINT_HINGE, ground, leaf, cairn_vec(0, 0, k ? 1.8 : 0.2));
    motion_run(world, 10);
    for (int k = 0; k < 2; k++) {
        cairn_joint_state state = {0};
        cairn_joint_get(world, hinges[k], &state, NULL);
        motion_row(b, names[k], "N", 98.1, state.impulse.z / motion_dt, 1e-6);
    }
    cairn_world_destroy(world);
}

// ---------------------------------------------------------------- chains and damping

// 3 s after a chain was let go level: the widest joint, and the energy above that of the start
// as a share of m g L
static void fall(bench* b, cairn_world* world, double scale, const char* error, const char* energy)
{
    double start = motion_energy(world), widest = 0.0, gain = 0.0;
    for (int i = 0; i < 180; i++) {
        cairn_step_report report = motion_step(world, motion_dt);
        widest = fmax(widest, fmax(report.joint_error, report.motion.joint_error));
        gain = fmax(gain, motion_energy(world) - start);
    }
    motion_row(b, error, "m", 0.0, widest, 1e-6);
    motion_row(b, energy, "of m g L", 0.0, gain / scale, 1e-3);
    cairn_world_destroy(world);
}

static void chains(bench* b)
{
    static const struct {
        double mass;
        const char *error, *energy;
    } loads[] = {{1.0, "1 kg on 50 g: joints", "1 kg on 50 g: energy gained"},
                 {100.0, "100 kg on 50 g: joints", "100 kg on 50 g: energy gained"},
                 {1e4, "10 t on 50 g: joints", "10 t on 50 g: energy gained"}};

    // twenty links of 10 cm and 100 g
    cairn_world* world = motion_world(down);
    add_chain(world, 20, 0.1, 0.1, 0.01);
    fall(b, world, 2.0 * motion_g * 2.0, "chain-20: joints", "chain-20: energy gained");

    // balls at the end of five links of 10 cm and 10 g
    for (int i = 0; i < 3; i++) {
        const double m = loads[i].mass, r = 0.05, I = 0.4 * m * r * r;
        world = motion_world(down);
        cairn_body_id last = add_chain(world, 5, 0.1, 0.01, 0.005);
        cairn_body_id ball =
            add_body(world, m, cairn_vec(I, I, I),
                     (cairn_transform){cairn_scale(0.5 + r, x_axis), cairn_quat_identity()});
        join(world, CAIRN_JOINT_BALL, last, ball, cairn_scale(0.5, x_axis));
        fall(b, world, (m + 0.05) * motion_g * 0.5, loads[i].error, loads[i].energy);
    }
}

// v = v0 exp(-c t) at c = 60/s, after 0.1 s
static void decay(bench* b)
{
    cairn_world* world = motion_world(zero);
    cairn_body_def def = cairn_default_body_def();
    def.mass = 2.0;
    def.inertia = cairn_mat3_diagonal(0.3, 0.3, 0.3);
    def.velocity = x_axis;
    def.linear_damping = 60.0;
    cairn_body_id id = motion_add(world, &def);
    motion_run(world, 6);
    motion_row(b, "damping 60/s decay", "m/s", exp(-6.0), motion_state(world, id).velocity.x,
               1e-12);
    cairn_world_destroy(world);
}

void motion_joints(bench* b)
{
    static void (*const cases[])(bench*) = {
        pendulum, double_pendulum_tip, tops, spring, door, chains, decay};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        cases[i](b);
}
