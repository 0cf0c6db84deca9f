// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The single-body tests of SimBenchmark (Kang and Hwangbo 2018,
// leggedrobotics.github.io/SimBenchmark), with the error measures of that project and the figures
// of its data files beside ours:
//
//     rolling         a box of 10 kg on the ground (μ 0.4) is pushed along the diagonal by 150 N, 25 balls
//                     of 1 kg roll on it (μ 0.8): mean of |Δv_box|² + |Δv_ball|² over 4 s, (m/s)². With
//                     a = (F - μ (M + n m) g) / (M + 2/7 n m) the box has a t, the balls 2/7 a t
//     bouncing        49 balls of 10 kg fall 5 m, restitution 1: mean of (E - E₀)² over 20 s, J²
//     666             6³ balls of 10 kg collapse, no friction, no restitution: mean over 10 s of the sum of
//                     squared overlaps of all pairs and of the ground, m²
//     elastic-666     the same from 1 m up, restitution 1: mean of (E - E₀)², J²
//     kapla           102 blocks: steps of 0.01 s until they collapse, of 6000 (60 s; theirs are 60000)
//     chain           ten rods on ball joints fall from the horizontal: mean of (E - E₀)² over 10 s, J². Not
//                     one of theirs: no figures
//
// Their times are of another machine: what can be compared is the error. Ours are of processor
// time, one thread, default options.

#include "suite.h"
#include <cairn/cairn.h>
#include <cairn/random.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

void bench_simbenchmark(bench* b);

static const double g = 9.81;

enum { most_bodies = 256 };

typedef struct stage {
    cairn_world* world;
    int count;
    cairn_body_id body[most_bodies];
    double dt;
} stage;

static cairn_body_id add(stage* s, cairn_shape shape, double mass, cairn_vec3 at, double mu,
                         double restitution)
{
    cairn_body_def def = cairn_default_body_def();
    cairn_body_id id = {0};
    def.shape = &shape;
    def.type = mass > 0.0 ? CAIRN_BODY_DYNAMIC : CAIRN_BODY_STATIC;
    def.mass = mass;
    def.pose.p = at;
    def.material.mu = mu;
    def.material.friction_rule = CAIRN_COMBINE_SMALLER;
    def.material.restitution = restitution;
    cairn_world_add_body(s->world, &def, &id, NULL);
    if (mass > 0.0 && s->count < most_bodies)
        s->body[s->count++] = id;
    return id;
}

static void begin(stage* s, double mu, double restitution)
{
    cairn_world_def def = cairn_default_world_def();
    def.gravity = cairn_vec(0.0, 0.0, -g);
    s->count = 0;
    s->world = NULL;
    cairn_world_create(&def, &s->world, NULL);
    add(s, cairn_shape_half_space(), 0.0, cairn_vec(0.0, 0.0, 0.0), mu, restitution);
}

static cairn_body_state state_of(const stage* s, int i)
{
    cairn_body_state state = {0};
    cairn_body_get(s->world, s->body[i], &state, NULL);
    return state;
}

static double energy_of(const stage* s)
{
    double kinetic, potential;
    cairn_world_energy(s->world, &kinetic, &potential);
    return kinetic + potential;
}

static double processor_time(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// ---------------------------------------------------------------- the tests

static void make_rolling(stage* s)
{
    begin(s, 0.4, 0.0);
    add(s, cairn_shape_box(cairn_vec(10.0, 10.0, 0.5)), 10.0, cairn_vec(0.0, 0.0, 0.5), 0.8, 0.0);
    for (int i = 0; i < 25; i++)
        add(s, cairn_shape_sphere(0.5), 1.0, cairn_vec(i % 5 * 2.0 - 4.0, i / 5 * 2.0 - 4.0, 1.5),
            0.8, 0.0);
}

// also pushes for the next step
static double error_of_rolling(stage* s, double t)
{
    const double F = 150.0, M = 10.0, m = 1.0, n = 25.0, mu = 0.4, diagonal = 0.70710678118654752;
    double a = (F - mu * (M + n * m) * g) / (M + 2.0 / 7.0 * n * m);
    cairn_vec3 way = cairn_vec(diagonal, diagonal, 0.0);
    cairn_vec3 box = cairn_sub(state_of(s, 0).velocity, cairn_scale(a * t, way));
    cairn_vec3 ball = cairn_sub(state_of(s, 1).velocity, cairn_scale(2.0 / 7.0 * a * t, way));
    cairn_body_add_force(s->world, s->body[0], cairn_scale(F, way), state_of(s, 0).center, NULL);
    return cairn_dot(box, box) + cairn_dot(ball, ball);
}

static void make_bouncing(stage* s)
{
    begin(s, 0.0, 1.0);
    for (int i = 0; i < 49; i++)
        add(s, cairn_shape_sphere(0.1), 10.0, cairn_vec(i % 7 * 1.0, i / 7 * 1.0, 5.1), 0.0, 1.0);
}

static void make_cube(stage* s, double height, double restitution)
{
    cairn_random random = {42};
    begin(s, 0.0, restitution);
    for (int i = 0; i < 216; i++) {
        double x = cairn_random_unit(&random) * 0.001, y = cairn_random_unit(&random) * 0.001;
        add(s, cairn_shape_sphere(0.1), 10.0,
            cairn_vec(i % 6 * 0.21 + x, i / 6 % 6 * 0.21 + y, i / 36 * 0.21 + height), 0.0,
            restitution);
    }
}

static void make_666(stage* s)
{
    make_cube(s, 0.101, 0.0);
}

static void make_elastic_666(stage* s)
{
    make_cube(s, 1.101, 1.0);
}

static double overlaps_of(stage* s, double t)
{
    double sum = 0.0;
    cairn_vec3 at[most_bodies];
    (void)t;
    for (int i = 0; i < s->count; i++) {
        at[i] = state_of(s, i).pose.p;
        double sunk = fmax(0.1 - at[i].z, 0.0);
        sum += sunk * sunk;
        for (int k = 0; k < i; k++) {
            cairn_vec3 d = cairn_sub(at[i], at[k]);
            double square = cairn_dot(d, d);
            if (square < 0.04)
                sum += (0.2 - sqrt(square)) * (0.2 - sqrt(square));
        }
    }
    return sum;
}

// six floors: eight blocks across, and on them two rows of four and five along
static void make_kapla(stage* s)
{
    const double length = 0.2, width = 0.05, height = 0.1;
    cairn_shape across =
        cairn_shape_box(cairn_vec(0.5 * width, 0.5 * (length + 0.05), 0.5 * height));
    cairn_shape along = cairn_shape_box(cairn_vec(0.5 * length, 0.5 * width, 0.5 * height));
    begin(s, 0.8, 0.0);
    for (int floor = 0; floor < 6; floor++) {
        double z = 2.0 * floor * height + 0.5 * height, up = z + height, side = 0.5 * length;
        for (int i = 0; i < 8; i++)
            add(s, across, 10.0, cairn_vec(i * length, 0.0, z), 0.8, 0.0);
        for (int i = 0; i < 4; i++)
            add(s, along, 10.0, cairn_vec(2.0 * i * length + 0.1, -side, up), 0.8, 0.0);
        for (int i = 0; i < 3; i++)
            add(s, along, 10.0, cairn_vec(2.0 * i * length + 0.3, side, up), 0.8, 0.0);
        add(s, along, 10.0, cairn_vec(0.1, side, up), 0.8, 0.0);
        add(s, along, 10.0, cairn_vec(6.0 * length + 0.1, side, up), 0.8, 0.0);
    }
}

static void make_chain(stage* s)
{
    cairn_body_id none = {0};
    begin(s, 0.0, 0.0);

    for (int i = 0; i < 10; i++) {
        cairn_body_def def = cairn_default_body_def();
        cairn_shape rod = cairn_shape_capsule(0.05, 0.2);

        def.shape = &rod;
        def.mask = 0;
        def.pose = (cairn_transform){
            {0.25 + 0.5 * i, 0.0, 10.0},
            cairn_quat_from_rotation_vector(cairn_vec(0.0, 1.5707963267948966, 0.0))};
        cairn_world_add_body(s->world, &def, &s->body[s->count++], NULL);

        // each rod hangs from the one before it, the first from the world
        cairn_joint_def joint = cairn_default_joint_def(CAIRN_JOINT_BALL);
        cairn_joint_id id;
        joint.body_a = i ? s->body[i - 1] : none;
        joint.body_b = s->body[i];
        joint.frame_a.p = i ? cairn_vec(0.0, 0.0, 0.25) : cairn_vec(0.0, 0.0, 10.0);
        joint.frame_b.p = cairn_vec(0.0, 0.0, -0.25);

        cairn_world_add_joint(s->world, &joint, &id, NULL);
    }
}

// ---------------------------------------------------------------- the suite

typedef struct test {
    const char* name;
    const char* unit;
    double time; // s
    void (*make)(stage* s);
    double (*error)(stage* s, double t); // NULL: the square of the change of energy
    // the published errors at 0.001 and 0.01 s, without error reduction, of the best solver of each
    // engine; NAN: none
    double raisim[2], bullet[2], ode[2], mujoco[2], dart[2];
} test;

static const test tests[] = {
    {"rolling",
     "m2/s2",
     4.0,
     make_rolling,
     error_of_rolling,
     {4.137e-7, NAN},
     {5.707e-9, NAN},
     {3.145, NAN},
     {6.927e-3, NAN},
     {3.145, NAN}},
    {"bouncing",
     "J2",
     20.0,
     make_bouncing,
     NULL,
     {0.01862, 186.0},
     {75245.4, 7.407e6},
     {185.0, 18808.3},
     {NAN, NAN},
     {72274.4, 7.376e6}},
    {"666",
     "m2",
     10.0,
     make_666,
     overlaps_of,
     {1.353e-4, 0.01527},
     {0.3825, 37.42},
     {1.546e-4, 0.01611},
     {0.09501, 0.9338},
     {2.824e-4, 214.8}},
    {"elastic-666",
     "J2",
     10.0,
     make_elastic_666,
     NULL,
     {8.368, 5.184e6},
     {41498.1, 9.864e6},
     {112.3, 8.56e6},
     {NAN, NAN},
     {346280.0, 1.287e10}},
    {"chain",
     "J2",
     10.0,
     make_chain,
     NULL,
     {NAN, NAN},
     {NAN, NAN},
     {NAN, NAN},
     {NAN, NAN},
     {NAN, NAN}},
};

static json_t* figure(double x)
{
    return isnan(x) ? json_null() : json_real(x);
}

static void run(bench* b, const test* t, int which)
{
    static const double steps_of[2] = {0.001, 0.01};
    stage s = {.dt = steps_of[which]};

    t->make(&s);
    double sum = 0.0, first = energy_of(&s), seconds = 0.0;
    int steps = (int)(t->time / s.dt + 0.5);
    if (b->quick)
        steps /= 10;

    for (int k = 0; k < steps; k++) {
        double change = energy_of(&s) - first, begun;
        sum += t->error ? t->error(&s, k * s.dt) : change * change;

        // the time of the step alone, without measuring
        begun = processor_time();
        cairn_world_step(s.world, s.dt, NULL, NULL);
        seconds += processor_time() - begun;
    }

    bench_row(b, json_pack("{s:s, s:f, s:f, s:s, s:f, s:o, s:o, s:o, s:o, s:o}", "test", t->name,
                           "dt", s.dt, "error", sum / steps, "unit", t->unit, "cpu_s", seconds,
                           "raisim", figure(t->raisim[which]), "bullet", figure(t->bullet[which]),
                           "ode", figure(t->ode[which]), "mujoco", figure(t->mujoco[which]), "dart",
                           figure(t->dart[which])));
    cairn_world_destroy(s.world);
}

// steps until the top block has fallen below its floor
static void run_kapla(bench* b)
{
    stage s = {.dt = 0.01};
    int most = b->quick ? 600 : 6000, stood = 0;
    make_kapla(&s);
    double begun = processor_time();
    while (stood < most && state_of(&s, s.count - 1).pose.p.z > 1.0) {
        cairn_world_step(s.world, s.dt, NULL, NULL);
        stood++;
    }
    bench_row(b, json_pack("{s:s, s:f, s:i, s:i, s:f, s:s}", "test", "kapla", "dt", s.dt,
                           "steps_stood", stood, "steps_run", most, "cpu_s",
                           processor_time() - begun, "published",
                           "RaiSim 60000 of 60000 with 1000 iterations, all others fell earlier"));
    cairn_world_destroy(s.world);
}

void bench_simbenchmark(bench* b)
{
    for (size_t i = 0; i < sizeof tests / sizeof tests[0]; i++)
        for (int which = 0; which < 2; which++)
            if (bench_wants(b, tests[i].name) && bench_reach(b, "%s", tests[i].name))
                run(b, &tests[i], which);
    if (bench_wants(b, "kapla") && bench_reach(b, "kapla"))
        run_kapla(b);
}
