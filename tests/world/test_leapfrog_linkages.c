// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Mechanisms without contacts: motors, limits, kinematic bodies, and loops whose rows repeat each
// other, at the default settings.

#include "check_cairn.h"
#include "mechanisms.h"
#include "worlds.h"
#include <math.h>

static const cairn_vec3 zero = {0.0, 0.0, 0.0}, x_axis = {1.0, 0.0, 0.0}, y_axis = {0.0, 1.0, 0.0},
                        z_axis = {0.0, 0.0, 1.0};
static const double pi = 3.141592653589793;

static cairn_world* make(bool gravity)
{
    cairn_world* world = mechanism_make(1e-4, 1, 64);
    if (!gravity)
        CHECK(cairn_world_set_gravity(world, zero, NULL) == CAIRN_OK);
    return world;
}

static cairn_transform at(cairn_vec3 p, cairn_vec3 direction)
{
    return (cairn_transform){p, mechanism_turn(direction)};
}

static void set_velocity(cairn_world* world, cairn_body_id id, cairn_vec3 v, cairn_vec3 w)
{
    CHECK(cairn_body_set_velocity(world, id, v, w, NULL) == CAIRN_OK);
}

// ---------------------------------------------------------------- motors

TEST(a_hinge_follows_its_motor_at_any_speed)
{
    const double speeds[3] = {250.0, 400.0, 1000.0}; // up to 16 rad in a step
    for (int k = 0; k < 3; k++) {
        cairn_world* world = make(false);
        cairn_body_id wheel =
            mechanism_body(world, 1.0, cairn_vec(0.1, 0.1, 0.1), at(zero, z_axis));
        cairn_joint_def def =
            mechanism_joint(world, CAIRN_JOINT_HINGE, mechanism_world, wheel, zero, z_axis);
        def.driven = true;
        def.speed = speeds[k];
        def.strength = 1e9;
        cairn_joint_id id = mechanism_add(world, &def);

        mechanism_run run = mechanism_step(world, 60);
        CHECK_NEAR(mechanism_coordinate(world, id), speeds[k], 1e-6);
        CHECK_NEAR(run.motor, 0.05 * speeds[k] * speeds[k], 1e-9 * speeds[k] * speeds[k]);
        cairn_world_destroy(world);
    }
}
END

TEST(a_weak_motor_gives_its_strength_and_no_more)
{
    cairn_world* world = make(false);
    cairn_body_id wheel = mechanism_body(world, 1.0, cairn_vec(0.1, 0.1, 0.1), at(zero, z_axis));
    cairn_joint_def def =
        mechanism_joint(world, CAIRN_JOINT_HINGE, mechanism_world, wheel, zero, z_axis);
    def.driven = true;
    def.speed = 10.0;
    def.strength = 0.5;
    cairn_joint_id id = mechanism_add(world, &def);

    // ω = 5 t until it has its speed after 2 s, θ = 2.5 t²
    mechanism_step(world, 60);

    CHECK_NEAR(worlds_state(world, wheel).spin.z, 5.0, 1e-12);
    CHECK_NEAR(mechanism_coordinate(world, id), 2.5, 1e-9);

    mechanism_step(world, 120);
    CHECK_NEAR(worlds_state(world, wheel).spin.z, 10.0, 1e-12);
    cairn_world_destroy(world);
}
END

// crank 0.3 m at 6 rad/s, rod 1 m, piston 2 kg: x = r cos φ + sqrt(l² - r² sin² φ)
TEST(a_slider_crank_moves_its_piston_exactly)
{
    const double r = 0.3, l = 1.0, omega = 6.0, rod_mass = 0.5;
    cairn_world* world = make(false);
    cairn_body_id crank = mechanism_body(world, 0.2, cairn_vec(0.01, 0.01, 0.01), at(zero, z_axis));
    cairn_body_id rod = mechanism_body(world, rod_mass, mechanism_rod(rod_mass, l, 0.05),
                                       at(cairn_vec(r + l / 2, 0.0, 0.0), x_axis));
    cairn_body_id piston = mechanism_body(world, 2.0, cairn_vec(0.1, 0.1, 0.1),
                                          at(cairn_vec(r + l, 0.0, 0.0), z_axis));
    set_velocity(world, crank, zero, cairn_vec(0.0, 0.0, omega));
    set_velocity(world, rod, cairn_vec(0.0, omega * r / 2, 0.0),
                 cairn_vec(0.0, 0.0, -omega * r / l));

    cairn_joint_def motor =
        mechanism_joint(world, CAIRN_JOINT_HINGE, mechanism_world, crank, zero, z_axis);
    motor.driven = true;
    motor.speed = omega;
    motor.strength = 1e6;
    cairn_joint_id id = mechanism_add(world, &motor);
    mechanism_join(world, CAIRN_JOINT_HINGE, crank, rod, cairn_vec(r, 0.0, 0.0), z_axis);
    mechanism_join(world, CAIRN_JOINT_HINGE, rod, piston, cairn_vec(r + l, 0.0, 0.0), z_axis);
    mechanism_join(world, CAIRN_JOINT_SLIDER, mechanism_world, piston, cairn_vec(r + l, 0.0, 0.0),
                   x_axis);

    double off = 0.0, angle = 0.0, most = 0.0, start = mechanism_energy(world), work = 0.0;

    for (int i = 1; i <= 300; i++) {
        mechanism_run run = mechanism_step(world, 1);
        double phi = mechanism_coordinate(world, id);
        double x = r * cos(phi) + sqrt(l * l - r * r * sin(phi) * sin(phi));
        off = fmax(off, fabs(worlds_state(world, piston).center.x - x));
        angle = fmax(angle, fabs(phi - omega * i * worlds_dt));
        most = fmax(most, mechanism_energy(world));
        work += run.motor;
        CHECK_BELOW(run.joint_error, 1e-8);
        ck_assert_int_eq(run.missed, 0);
    }

    CHECK_BELOW(off, 1e-7);
    CHECK_BELOW(angle, 1e-9);
    CHECK_NEAR(mechanism_energy(world) - start, work, 2e-3 * most);
    cairn_world_destroy(world);
}
END

// ---------------------------------------------------------------- limits

// A rod falls from level against a stop at 45° below: it stays there, and only its energy is gone.
TEST(a_limit_stops_without_a_bounce_and_its_loss_is_booked)
{
    cairn_world* world = make(true);
    cairn_body_id rod = mechanism_body(world, 1.0, mechanism_rod(1.0, 1.0, 0.02),
                                       at(cairn_vec(0.5, 0.0, 0.0), x_axis));
    cairn_joint_def def =
        mechanism_joint(world, CAIRN_JOINT_HINGE, mechanism_world, rod, zero, y_axis);
    def.limited = true;
    def.lo = -pi;
    def.hi = pi / 4.0;
    cairn_joint_id id = mechanism_add(world, &def);
    double worst = 0.0;
    mechanism_run run = {0};

    for (int i = 0; i < 120; i++) {
        run = mechanism_step(world, 1);
        worst = fmax(worst, mechanism_coordinate(world, id) - def.hi);
        CHECK_BELOW(run.balance, 1e-9);
        CHECK_BELOW(run.rise, 1e-6);
    }

    CHECK_BELOW(worst, 1e-8);
    CHECK_NEAR(mechanism_coordinate(world, id), def.hi, 1e-8);
    CHECK_BELOW(cairn_norm(worlds_state(world, rod).spin), 1e-9);
    cairn_world_destroy(world);
}
END

// a motor that presses against a limit presses with its strength, and lets go when it turns back
TEST(a_motor_against_a_limit_rests_and_comes_back)
{
    cairn_world* world = make(false);
    cairn_body_id wheel = mechanism_body(world, 1.0, cairn_vec(0.1, 0.1, 0.1), at(zero, z_axis));
    cairn_joint_def def =
        mechanism_joint(world, CAIRN_JOINT_HINGE, mechanism_world, wheel, zero, z_axis);
    def.driven = def.limited = true;
    def.speed = 3.0;
    def.strength = 2.0;
    def.lo = -1.0;
    def.hi = 1.0;
    cairn_joint_id id = mechanism_add(world, &def);
    mechanism_step(world, 120);

    CHECK_NEAR(mechanism_coordinate(world, id), 1.0, 1e-8);
    CHECK_BELOW(cairn_norm(worlds_state(world, wheel).spin), 1e-9);

    // to the other limit
    CHECK(cairn_joint_set_motor(world, id, -3.0, 2.0, NULL) == CAIRN_OK);
    mechanism_step(world, 120);

    CHECK_NEAR(mechanism_coordinate(world, id), -1.0, 1e-8);
    cairn_world_destroy(world);
}
END

// ---------------------------------------------------------------- kinematic bodies

// The pivot of a pendulum is carried along at a constant velocity: the same swing in a moving frame,
// and the carrier's work is booked.
TEST(a_pendulum_on_a_carrier_swings_as_on_the_ground)
{
    cairn_body_def carrier = cairn_default_body_def();
    carrier.type = CAIRN_BODY_KINEMATIC;
    carrier.velocity = cairn_vec(2.0, 0.5, 0.0);
    cairn_world *moving = make(true), *still = make(true);
    cairn_body_id pivot, rods[2];
    CHECK(cairn_world_add_body(moving, &carrier, &pivot, NULL) == CAIRN_OK);
    cairn_world* worlds[2] = {moving, still};

    for (int k = 0; k < 2; k++) {
        rods[k] = mechanism_body(worlds[k], 1.0, mechanism_rod(1.0, 1.0, 0.02),
                                 at(cairn_vec(0.5, 0.0, 0.0), x_axis));
        mechanism_join(worlds[k], CAIRN_JOINT_BALL, k ? mechanism_world : pivot, rods[k], zero,
                       z_axis);
    }

    set_velocity(moving, rods[0], carrier.velocity, zero);
    mechanism_run run = mechanism_step(moving, 120);
    mechanism_step(still, 120);

    cairn_vec3 apart =
        cairn_sub(worlds_state(moving, rods[0]).center, worlds_state(still, rods[1]).center);
    apart = cairn_add_scaled(apart, -2.0, carrier.velocity);

    // substeps may be chosen differently: the energy of the carried one is another
    CHECK_BELOW(cairn_norm(apart), 5e-3);
    CHECK_BELOW(run.balance, 1e-9);
    CHECK_BELOW(run.joint_error, 1e-8);
    cairn_world_destroy(moving);
    cairn_world_destroy(still);
}
END

// ---------------------------------------------------------------- rolling

// where a leaning wheel has rolled to after a second
static cairn_vec3 rolled(int substeps)
{
    const double r = 0.3, lean = 0.3;
    cairn_world* world = mechanism_make(1.0, substeps, substeps);
    cairn_vec3 axle = {0.0, -cos(lean), sin(lean)}, rim = {0.0, -r * sin(lean), -r * cos(lean)};
    cairn_body_id wheel = mechanism_body(world, 1.0, cairn_vec(0.0225, 0.0225, 0.045),
                                         at(cairn_vec(0.0, 0.0, r * cos(lean)), axle));
    cairn_vec3 w = cairn_add(cairn_scale(-8.0, axle), z_axis);
    set_velocity(world, wheel, cairn_neg(cairn_cross(w, rim)), w);

    // a wheel on the plane z = 0 that rolls without slip
    cairn_joint_def def = cairn_default_joint_def(CAIRN_JOINT_ROLLING);
    def.body_b = wheel;
    def.wheel = true;
    def.roller = r;
    mechanism_add(world, &def);
    mechanism_run run = mechanism_step(world, 60);

    CHECK_BELOW(run.joint_error, 1e-9);
    CHECK_BELOW(fabs(run.change), 2e-6);

    cairn_vec3 end = worlds_state(world, wheel).center;
    cairn_world_destroy(world);
    return end;
}

// conditions on velocities hold on the mean of both ends of a substep
TEST(a_leaning_wheel_rolls_by_second_order)
{
    cairn_vec3 reference = rolled(64);
    double error[3];
    for (int k = 0; k < 3; k++)
        error[k] = cairn_norm(cairn_sub(rolled(1 << k), reference));
    CHECK_BELOW(error[0], 5e-5);
    CHECK_NEAR(error[0] / error[1], 4.0, 0.2);
    CHECK_NEAR(error[1] / error[2], 4.0, 0.3);
}
END

// ---------------------------------------------------------------- loops

// Two hinges on one axis repeat each other: the least forces share the weight.
TEST(two_hinges_share_the_weight_of_a_door)
{
    cairn_world* world = make(true);
    cairn_body_id door = mechanism_body(world, 20.0, cairn_vec(6.67, 8.33, 1.67),
                                        at(cairn_vec(0.5, 0.0, 1.0), z_axis));
    cairn_joint_id ids[2];

    for (int k = 0; k < 2; k++)
        ids[k] = mechanism_join(world, CAIRN_JOINT_HINGE, mechanism_world, door,
                                cairn_vec(0.0, 0.0, k ? 1.8 : 0.2), z_axis);

    mechanism_step(world, 10);
    for (int k = 0; k < 2; k++) {
        cairn_joint_state state;
        CHECK(cairn_joint_get(world, ids[k], &state, NULL) == CAIRN_OK);
        CHECK_NEAR(state.impulse.z / worlds_dt, 98.1, 1e-6);
    }
    CHECK_BELOW(cairn_norm(worlds_state(world, door).spin), 1e-9);
    cairn_world_destroy(world);
}
END

// A platform on five parallel cranks: three of them more than it needs.
TEST(a_parallelogram_on_five_cranks_swings_as_one_pendulum)
{
    cairn_world* world = make(true);
    const double crank = 0.2;
    cairn_vec3 d = {sin(1.0), 0.0, -cos(1.0)};
    cairn_body_id platform = mechanism_body(world, 2.0, cairn_vec(0.5, 0.5, 0.5),
                                            at(cairn_add(cairn_vec(2.0, 0.0, 0.0), d), z_axis));

    for (int i = 0; i < 5; i++) {
        cairn_vec3 top = {i, 0.0, 0.0};
        cairn_body_id bar = mechanism_body(world, crank, mechanism_rod(crank, 1.0, 1e-3),
                                           at(cairn_add_scaled(top, 0.5, d), d));
        mechanism_join(world, CAIRN_JOINT_HINGE, mechanism_world, bar, top, y_axis);
        mechanism_join(world, CAIRN_JOINT_HINGE, bar, platform, cairn_add(top, d), y_axis);
    }

    mechanism_run run = mechanism_step(world, 300);
    cairn_vec3 p = cairn_sub(worlds_state(world, platform).center, cairn_vec(2.0, 0.0, 0.0));

    // θ'' = -(5 m/2 + M) g sin θ / (5 m/3 + M)
    CHECK_NEAR(atan2(p.x, -p.z), -0.879054, 1e-3);
    CHECK_BELOW(run.joint_error, 1e-8);
    ck_assert_int_eq(run.missed, 0);
    cairn_world_destroy(world);
}
END

// Bennett's linkage: four hinges that move only because twists and lengths fit,
// a / sin α = b / sin β. Any place that is off has no freedom at all.
typedef struct bennett {
    cairn_world* world;
    cairn_joint_id motor;
    cairn_body_id links[3];
    cairn_vec3 axis, point; // of the first hinge
} bennett;

static bennett make_bennett(bool driven)
{
    const double alpha = 40.0 * pi / 180.0, beta = 65.0 * pi / 180.0, a = 1.0;
    double b = a * sin(beta) / sin(alpha), first = 1.0;
    double K = sin((beta + alpha) / 2.0) / sin((beta - alpha) / 2.0);
    double second = 2.0 * atan(K / tan(first / 2.0));
    const double table[4][3] = {
        {first, alpha, a}, {second, beta, b}, {-first, alpha, a}, {-second, beta, b}};
    cairn_vec3 points[5] = {zero}, axes[5] = {z_axis};
    cairn_transform frame = cairn_transform_identity();

    // Denavit and Hartenberg: turn about z, step along x, twist about x
    for (int i = 0; i < 4; i++) {
        cairn_quat turn = cairn_quat_from_rotation_vector(cairn_scale(table[i][0], z_axis));
        cairn_quat twist = cairn_quat_from_rotation_vector(cairn_scale(table[i][1], x_axis));
        cairn_transform along = {cairn_rotate(turn, cairn_scale(table[i][2], x_axis)),
                                 cairn_quat_multiply(turn, twist)};
        frame = cairn_transform_multiply(frame, along);
        points[i + 1] = frame.p;
        axes[i + 1] = cairn_rotate(frame.q, z_axis);
    }

    bennett out = {.world = make(false), .axis = axes[1], .point = points[1]};
    for (int i = 0; i < 3; i++)
        out.links[i] =
            mechanism_body(out.world, 1.0, cairn_vec(0.1, 0.1, 0.1),
                           at(cairn_scale(0.5, cairn_add(points[i + 1], points[i + 2])), z_axis));

    cairn_joint_def def = mechanism_joint(out.world, CAIRN_JOINT_HINGE, mechanism_world,
                                          out.links[0], points[1], axes[1]);
    def.driven = driven;
    def.speed = 2.0;
    def.strength = 1e6;
    out.motor = mechanism_add(out.world, &def);
    mechanism_join(out.world, CAIRN_JOINT_HINGE, out.links[0], out.links[1], points[2], axes[2]);
    mechanism_join(out.world, CAIRN_JOINT_HINGE, out.links[1], out.links[2], points[3], axes[3]);
    mechanism_join(out.world, CAIRN_JOINT_HINGE, mechanism_world, out.links[2], points[0], axes[0]);
    return out;
}

TEST(bennetts_linkage_follows_its_motor)
{
    bennett b = make_bennett(true);
    mechanism_run run = mechanism_step(b.world, CHECK_SLOW_BUILD ? 60 : 600);
    CHECK_NEAR(mechanism_coordinate(b.world, b.motor), CHECK_SLOW_BUILD ? 2.0 : 20.0, 1e-6);
    CHECK_BELOW(run.joint_error, 1e-8);
    ck_assert_int_eq(run.missed, 0);
    cairn_world_destroy(b.world);
}
END

TEST(bennetts_linkage_keeps_its_energy)
{
    bennett b = make_bennett(false);
    cairn_vec3 w = cairn_scale(2.0, b.axis);
    cairn_vec3 arm = cairn_sub(worlds_state(b.world, b.links[0]).center, b.point);
    set_velocity(b.world, b.links[0], cairn_cross(w, arm), w);

    // the first step brings the velocities of all links in line
    mechanism_step(b.world, 1);
    double start = mechanism_energy(b.world);
    mechanism_run run = mechanism_step(b.world, CHECK_SLOW_BUILD ? 60 : 600);
    CHECK_BELOW(fabs(mechanism_energy(b.world) / start - 1.0), 1e-5);
    CHECK_BELOW(run.joint_error, 1e-8);
    cairn_world_destroy(b.world);
}
END

// ---------------------------------------------------------------- nets

enum { net_side = 8 };

// balls of 1 kg in the plane y = 0 that hang on each other by ball joints, the uppermost on the world;
// all of a row begin with the same velocity along y. The bodies of the first column are told
static cairn_world* make_net(int columns, double v, cairn_body_id* column, cairn_joint_id* top)
{
    cairn_world* world = mechanism_make(1e-4, 4, 64);
    cairn_body_id ids[net_side][net_side];

    for (int k = 0; k < columns; k++)
        for (int i = 0; i < net_side; i++) {
            cairn_body_id above = i > 0 ? ids[k][i - 1] : mechanism_world;
            ids[k][i] = mechanism_body(world, 1.0, cairn_vec(0.1, 0.1, 0.1),
                                       at(cairn_vec(k, 0.0, -i), z_axis));
            cairn_joint_def def = mechanism_joint(world, CAIRN_JOINT_BALL, above, ids[k][i],
                                                  cairn_vec(k, 0.0, 0.5 - i), z_axis);
            cairn_joint_id id = mechanism_add(world, &def);
            if (i == 0)
                top[k] = id;

            if (k > 0) {
                def = mechanism_joint(world, CAIRN_JOINT_BALL, ids[k - 1][i], ids[k][i],
                                      cairn_vec(k - 0.5, 0.0, -i), z_axis);
                mechanism_add(world, &def);
            }
            set_velocity(world, ids[k][i], cairn_vec(0.0, v * (i + 0.5), 0.0),
                         cairn_vec(v, 0.0, 0.0));
            column[i] = ids[0][i];
        }

    return world;
}

// its kicks start from each other's impulses, and what they leave must not pile up
TEST(a_net_hangs_still_and_its_uppermost_joints_bear_it)
{
    cairn_body_id column[net_side];
    cairn_joint_id top[net_side];
    cairn_world* world = make_net(net_side, 0.0, column, top);
    mechanism_run run = mechanism_step(world, CHECK_SLOW_BUILD ? 60 : 600);

    CHECK_BELOW(run.joint_error, 1e-9);
    ck_assert_int_eq(run.missed, 0);

    double sum = 0.0;
    for (int k = 0; k < net_side; k++) {
        cairn_joint_state state;
        CHECK(cairn_joint_get(world, top[k], &state, NULL) == CAIRN_OK);
        sum += 60.0 * state.impulse.z;
    }

    CHECK_NEAR(sum, net_side * net_side * 9.81, 1e-6);
    CHECK_BELOW(cairn_norm(worlds_state(world, column[net_side - 1]).velocity), 1e-7);
    cairn_world_destroy(world);
}
END

// the tree of one column knows nothing of nets; both are of second order
TEST(a_net_swings_as_each_of_its_columns_by_itself)
{
    cairn_body_id many[net_side], one[net_side];
    cairn_joint_id top[net_side];
    cairn_world* net = make_net(net_side, 1.0, many, top);
    cairn_world* chain = make_net(1, 1.0, one, top);
    mechanism_run run = mechanism_step(net, 60);
    mechanism_step(chain, 60);
    CHECK_BELOW(run.joint_error, 1e-6); // what loops that come no closer are allowed
    for (int i = 0; i < net_side; i++) {
        cairn_vec3 p = worlds_state(net, many[i]).center, q = worlds_state(chain, one[i]).center;
        CHECK_BELOW(cairn_norm(cairn_sub(p, q)), 1e-3);
    }
    cairn_world_destroy(net);
    cairn_world_destroy(chain);
}
END

TESTS(a_hinge_follows_its_motor_at_any_speed, a_weak_motor_gives_its_strength_and_no_more,
      a_slider_crank_moves_its_piston_exactly,
      a_limit_stops_without_a_bounce_and_its_loss_is_booked,
      a_motor_against_a_limit_rests_and_comes_back, a_pendulum_on_a_carrier_swings_as_on_the_ground,
      a_leaning_wheel_rolls_by_second_order, two_hinges_share_the_weight_of_a_door,
      a_parallelogram_on_five_cranks_swings_as_one_pendulum, bennetts_linkage_follows_its_motor,
      bennetts_linkage_keeps_its_energy, a_net_hangs_still_and_its_uppermost_joints_bear_it,
      a_net_swings_as_each_of_its_columns_by_itself)
