// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Many blows within a step, in the order of time: rows of balls of different masses, a light ball between
// a heavy one and a wall, and what a blow makes faster than its pairs were looked at for.

#include "check_cairn.h"
#include "worlds.h"

static cairn_world* empty(cairn_vec3 gravity)
{
    cairn_world_def def = cairn_default_world_def();
    def.gravity = gravity;
    def.sleep = false;
    return worlds_empty(def);
}

static cairn_body_id add(cairn_world* world, cairn_shape shape, double mass, cairn_vec3 at,
                         double speed, double restitution)
{
    cairn_body_def def = cairn_default_body_def();
    cairn_body_id id = {0};
    def.type = mass > 0.0 ? CAIRN_BODY_DYNAMIC : CAIRN_BODY_STATIC;
    def.shape = &shape;
    def.mass = mass;
    def.material.mu = 0.0;
    def.material.restitution = restitution;
    def.pose.p = at;
    def.velocity.x = speed;
    CHECK(cairn_world_add_body(world, &def, &id, NULL) == CAIRN_OK);
    return id;
}

static double speed_of(const cairn_world* world, cairn_body_id id)
{
    return worlds_state(world, id).velocity.x;
}

static double energy_of(const cairn_world* world)
{
    double kinetic, potential;
    cairn_world_energy(world, &kinetic, &potential);
    return kinetic + potential;
}

static void step(cairn_world* world)
{
    cairn_step_report report;
    CHECK(cairn_world_step(world, worlds_dt, &report, NULL) == CAIRN_OK);
    CHECK(report.outcome == CAIRN_OUTCOME_CONVERGED);
}

// ---------------------------------------------------------------- rows of balls

enum { row = 6 };

// Each ball is twice as heavy as the one before it and strikes the next one once: v' = v (1 + e)/3. At 300 m/s
// all five blows happen within one step, and none of the balls that were struck had pairs when it began.
TEST(a_blow_travels_through_a_row_of_balls_however_fast)
{
    const double speeds[] = {5.0, 30.0, 300.0}, restitutions[] = {1.0, 0.9};
    const double r = 0.05, gap = 0.1;
    for (int k = 0; k < 6; k++) {
        double speed = speeds[k % 3], e = restitutions[k / 3], mass = 1.0, time = 0.0;
        cairn_world* world = empty(cairn_vec(0.0, 0.0, 0.0));
        cairn_body_id ids[row];
        for (int i = 0; i < row; i++) {
            ids[i] = add(world, cairn_shape_sphere(r), mass,
                         cairn_vec((2.0 * r + gap) * i, 0.0, 0.0), i == 0 ? speed : 0.0, e);
            mass *= 2.0;
        }

        double v = speed;
        for (int i = 1; i < row; i++) {
            time += gap / v;
            v *= (1.0 + e) / 3.0;
        }
        for (int i = 0; i < (int)(time / worlds_dt) + 2; i++)
            step(world);

        CHECK_NEAR(speed_of(world, ids[row - 1]), v, 1e-12 * speed);
        for (int i = 1; i < row; i++)
            CHECK(worlds_state(world, ids[i]).center.x > worlds_state(world, ids[i - 1]).center.x);
        cairn_world_destroy(world);
    }
}
END

// A step that is made again tells the hook so: only what was shown last counts.
static void note_attempt(void* context, const cairn_island_solve* solve)
{
    int64_t* attempts = context;
    attempts[solve->attempt == attempts[1] ? 2 : 0]++;
    attempts[1] = solve->attempt;
}

TEST(the_hook_is_told_of_steps_that_are_made_again)
{
    int64_t attempts[3] = {0}; // that began, the last one, solves of a known one
    cairn_world* world = empty(cairn_vec(0.0, 0.0, 0.0));
    for (int i = 0; i < 3; i++)
        add(world, cairn_shape_sphere(0.05), 1.0, cairn_vec(0.2 * i, 0.0, 0.0),
            i == 0 ? 100.0 : 0.0, 1.0);
    cairn_world_set_solve_hook(world, note_attempt, attempts);
    step(world);
    CHECK(attempts[0] >= 2);
    cairn_world_destroy(world);
}
END

// ---------------------------------------------------------------- between walls

// Between a wall and a ball that is M times as heavy and comes at v, a light ball is struck n times, all
// blows elastic. Their velocities follow one by one from momentum and energy.
TEST(a_light_ball_between_a_heavy_one_and_a_wall_sends_it_back)
{
    const double masses[] = {1.0, 100.0, 1e4};
    const int blows[] = {3, 31, 314};
    for (int k = 0; k < 3; k++) {
        double M = masses[k], light = 0.0, heavy = -1.0;
        int count = 0;
        while (light > heavy || light < 0.0) {
            double center = (light + M * heavy) / (1.0 + M);
            bool meet = light > heavy;
            light = meet ? 2.0 * center - light : -light;
            heavy = meet ? 2.0 * center - heavy : heavy;
            count++;
        }
        CHECK(count == blows[k]);

        cairn_world* world = empty(cairn_vec(0.0, 0.0, 0.0));
        add(world, cairn_shape_box(cairn_vec(0.1, 2.0, 2.0)), 0.0, cairn_vec(-0.1, 0.0, 0.0), 0.0,
            1.0);
        cairn_body_id first =
            add(world, cairn_shape_sphere(0.1), 1.0, cairn_vec(1.0, 0.0, 0.0), 0.0, 1.0);
        cairn_body_id second =
            add(world, cairn_shape_sphere(0.1), M, cairn_vec(2.0, 0.0, 0.0), -1.0, 1.0);
        for (int i = 0; i < 240; i++) {
            step(world);
            CHECK(worlds_state(world, first).center.x >= 0.1 - 1e-9);
        }
        CHECK_NEAR(speed_of(world, second), heavy, 1e-9);
        CHECK_NEAR(fabs(speed_of(world, first)), light, 1e-9 * sqrt(M));
        CHECK_NEAR(energy_of(world), 0.5 * M, 1e-9 * M);
        cairn_world_destroy(world);
    }
}
END

// A ball between two walls keeps its speed, and its place is that of a billiard: a zigzag.
TEST(a_ball_between_walls_is_where_a_billiard_has_it)
{
    const double speeds[] = {10.0, 96.0, 100.0, 300.0}, room = 0.8;
    for (int k = 0; k < 4; k++) {
        cairn_world* world = empty(cairn_vec(0.0, 0.0, 0.0));
        for (int side = -1; side <= 1; side += 2)
            add(world, cairn_shape_box(cairn_vec(0.5, 5.0, 5.0)), 0.0, cairn_vec(side, 0.0, 0.0),
                0.0, 1.0);
        cairn_body_id ball =
            add(world, cairn_shape_sphere(0.1), 1.0, cairn_vec(0.0, 0.0, 0.0), speeds[k], 1.0);
        for (int i = 1; i <= 60; i++) {
            step(world);
            double way = fmod(speeds[k] * i * worlds_dt + 0.5 * room, 2.0 * room);
            double x = (way < room ? way : 2.0 * room - way) - 0.5 * room;
            CHECK_NEAR(worlds_state(world, ball).center.x, x, 1e-9);
            CHECK_NEAR(fabs(speed_of(world, ball)), speeds[k], 1e-9);
        }
        cairn_world_destroy(world);
    }
}
END

// Of a ball that falls on a floor the times of the blows are known, too: with T = sqrt(2 h/g) until the
// first one, the k-th flight takes 2 T e^k.
TEST(a_ball_bounces_when_it_should)
{
    const double g = 9.81, h = 1.0, r = 0.1, e = 0.8, T = sqrt(2.0 * h / g);
    cairn_world* world = empty(cairn_vec(0.0, 0.0, -g));
    add(world, cairn_shape_half_space(), 0.0, cairn_vec(0.0, 0.0, 0.0), 0.0, e);
    cairn_body_id ball = add(world, cairn_shape_sphere(r), 1.0, cairn_vec(0.0, 0.0, r + h), 0.0, e);

    for (int i = 1; i <= 120; i++) {
        step(world);

        // the flight that the time is in, and how long it has lasted
        double start = -T, flight = 2.0 * T, up = g * T, t = i * worlds_dt;
        while (t > start + flight) {
            start += flight;
            flight *= e;
            up *= e;
        }
        double s = t - start;
        CHECK_NEAR(worlds_state(world, ball).center.z, r + up * s - 0.5 * g * s * s, 1e-9);
    }
    cairn_world_destroy(world);
}
END

// ---------------------------------------------------------------- a break

enum { balls = 7 };

typedef struct table {
    cairn_vec3 x[balls], v[balls];
} table;

// s: until two balls meet, of |d + t u| = 2 r
static double meeting(const table* all, int a, int b, double r)
{
    cairn_vec3 d = cairn_sub(all->x[b], all->x[a]), u = cairn_sub(all->v[b], all->v[a]);
    double uu = cairn_dot(u, u), du = cairn_dot(d, u);
    double root = du * du - uu * (cairn_dot(d, d) - 4.0 * r * r);
    return du < 0.0 && root > 0.0 ? (-du - sqrt(root)) / uu : INFINITY;
}

// moves the balls for `time` seconds, from blow to blow
static void play(table* all, double r, double e, double time)
{
    for (;;) {
        double first = time;
        int a = -1, b = -1;
        for (int i = 0; i < balls; i++)
            for (int k = 0; k < i; k++)
                if (meeting(all, k, i, r) < first) {
                    first = meeting(all, k, i, r);
                    a = k;
                    b = i;
                }
        for (int i = 0; i < balls; i++)
            all->x[i] = cairn_add_scaled(all->x[i], first, all->v[i]);
        time -= first;
        if (a < 0)
            return;

        cairn_vec3 n = cairn_normalize(cairn_sub(all->x[b], all->x[a]));
        double P = -0.5 * (1.0 + e) * cairn_dot(n, cairn_sub(all->v[b], all->v[a]));
        all->v[a] = cairn_add_scaled(all->v[a], -P, n);
        all->v[b] = cairn_add_scaled(all->v[b], P, n);
    }
}

// A ball breaks six others that lie a millimeter apart: they are where a billiard of events has them.
TEST(a_break_leaves_the_balls_where_a_billiard_has_them)
{
    const double r = 0.05, e = 0.95;
    const int substeps[] = {1, 4, 64};
    for (int k = 0; k < 3; k++) {
        table all = {.x = {{-1.0, 0.013, 0.0}}, .v = {{12.0, 0.0, 0.0}}};
        for (int i = 0, at = 1; i < 3; i++)
            for (int side = 0; side <= i; side++)
                all.x[at++] = cairn_vec(0.0875 * i, 0.101 * (side - 0.5 * i), 0.0);

        cairn_world_def def = cairn_default_world_def();
        def.gravity = cairn_vec(0.0, 0.0, 0.0);
        def.sleep = false;
        def.substeps = substeps[k];
        cairn_world* world = worlds_empty(def);
        cairn_body_id ids[balls];
        for (int i = 0; i < balls; i++)
            ids[i] = add(world, cairn_shape_sphere(r), 1.0, all.x[i], all.v[i].x, e);

        for (int i = 0; i < 18; i++)
            step(world);
        play(&all, r, e, 18.0 * worlds_dt);
        for (int i = 0; i < balls; i++)
            CHECK_BELOW(cairn_norm(cairn_sub(worlds_state(world, ids[i]).center, all.x[i])), 1e-9);
        cairn_world_destroy(world);
    }
}
END

// Stacks of two crates stand a centimeter apart, each an island at rest or asleep. A ball drives the first crate
// through the place of the second and the third in one step.
static void hit_stacks(bool sleep)
{
    enum { stacks = 4, steps = 40 };
    static const double half = 0.3, room = 0.01;
    cairn_world_def def = cairn_default_world_def();
    def.sleep = sleep;
    cairn_world* world = worlds_empty(def);
    worlds_ground(world);
    for (int i = 0; i < stacks; i++)
        for (int k = 0; k < 2; k++)
            worlds_add(world, CAIRN_BODY_DYNAMIC, cairn_shape_box(cairn_vec(half, half, half)),
                       cairn_vec(i * (2.0 * half + room), 0.0, half + 2.0 * half * k));
    worlds_run(world, sleep ? 60 : 5);

    cairn_shape ball = cairn_shape_sphere(0.25);
    cairn_body_def thrown = cairn_default_body_def();
    cairn_body_id id;
    thrown.shape = &ball;
    thrown.density = 7800.0;
    thrown.pose.p = cairn_vec(-1.2, 0.0, 0.95);
    thrown.velocity.x = 60.0;
    CHECK(cairn_world_add_body(world, &thrown, &id, NULL) == CAIRN_OK);

    double kinetic, potential, energy = INFINITY;
    for (int k = 0; k < steps; k++) {
        cairn_step_report report;
        CHECK(cairn_world_step(world, worlds_dt, &report, NULL) == CAIRN_OK);
        CHECK_BELOW(report.motion.penetration, 1e-3);
        cairn_world_energy(world, &kinetic, &potential);
        CHECK_BELOW(kinetic + potential - energy, 1e-3 * energy);
        energy = kinetic + potential;
    }
    cairn_world_destroy(world);
}

TEST(a_blow_runs_through_stacks_that_rest_and_through_none_of_them)
{
    hit_stacks(false);
    hit_stacks(true);
}
END

TESTS(a_blow_runs_through_stacks_that_rest_and_through_none_of_them,
      a_blow_travels_through_a_row_of_balls_however_fast,
      the_hook_is_told_of_steps_that_are_made_again,
      a_light_ball_between_a_heavy_one_and_a_wall_sends_it_back,
      a_ball_between_walls_is_where_a_billiard_has_it,
      a_break_leaves_the_balls_where_a_billiard_has_them, a_ball_bounces_when_it_should)
