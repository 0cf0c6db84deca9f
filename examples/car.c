// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// A car of four wheels on hinges, driven at the back, steered by servos at the front. It drives off,
// turns, and stops with locked wheels within v²/(2 μ g).
#include "example.h"

typedef struct car {
    cairn_world* world;
    cairn_body_id chassis, wheels[4];
    cairn_joint_id axles[4], steering[2];
} car;

static car make_car(void)
{
    car c = {.world = make_world()};
    const double x[4] = {-1.2, -1.2, 1.2, 1.2}, y[4] = {-0.8, 0.8, -0.8, 0.8};
    cairn_error error;
    add(c.world, cairn_shape_half_space(), 0.0, 0.0, 0.0, 0.0);
    c.chassis = add(c.world, box(3.6, 0.8, 0.4), 1000.0, 0.0, 0.0, 0.7);

    // the engine and the floor: the center of mass is low
    cairn_mat3 inertia = cairn_mat3_diagonal(250.0, 1200.0, 1300.0);
    must(cairn_body_set_inertia(c.world, c.chassis, cairn_vec(0.0, 0.0, -0.2), inertia, &error),
         &error);
    for (int i = 0; i < 4; i++) {
        c.wheels[i] = add(c.world, cairn_shape_sphere(0.35), 20.0, x[i], y[i], 0.35);
        cairn_vec3 at = cairn_vec(x[i], y[i], 0.35);
        cairn_body_id carrier = c.chassis;
        if (i >= 2) {
            // a knuckle that a servo turns about the upright axis
            carrier = add(c.world, cairn_shape_sphere(0.1), 10.0, x[i], y[i], 0.35);
            must(cairn_body_set_filter(c.world, carrier, 0, 0, &error), &error);
            cairn_joint_def turn = joint_at(c.world, CAIRN_JOINT_HINGE, c.chassis, carrier, at,
                                            cairn_vec(0.0, 0.0, 1.0));
            turn.servo = true;
            turn.stiffness = 2e5;
            turn.damping = 5e3;
            turn.strength = 5e3;
            c.steering[i - 2] = add_joint(c.world, &turn);
        }
        cairn_joint_def axle = joint_at(c.world, CAIRN_JOINT_HINGE, carrier, c.wheels[i], at,
                                        cairn_vec(0.0, 1.0, 0.0));
        c.axles[i] = add_joint(c.world, &axle);
    }
    return c;
}

static void steer(car* c, double angle)
{
    cairn_error error;
    for (int i = 0; i < 2; i++)
        must(cairn_joint_set_servo(c->world, c->steering[i], angle, 2e5, 5e3, 5e3, &error), &error);
}

// the motors of the wheels from the first to before the last one
static void drive(car* c, int first, int last, double speed, double strength)
{
    cairn_error error;
    for (int i = first; i < last; i++)
        must(cairn_joint_set_motor(c->world, c->axles[i], speed, strength, &error), &error);
}

int main(void)
{
    car c = make_car();
    const double total = 1000.0 + 4 * 20.0 + 2 * 10.0, mu = 0.8, r = 0.35;
    step(c.world, 60);
    fact("load of the wheels, N", -load_on(c.world, (cairn_body_id){0, 1}), total * g, 1.0);

    // 100 N m on each back wheel: F = 2 τ/r moves the car and turns four solid balls
    drive(&c, 0, 2, 1000.0, 100.0);
    step(c.world, 60);
    double rolling = total + 4 * 0.4 * 20.0;
    fact("speed after 1 s, m/s", state(c.world, c.chassis).velocity.x, 200.0 / r / rolling, 0.01);

    // a turn to the left and straight on again
    drive(&c, 0, 2, 20.0, 2000.0);
    steer(&c, 0.2);
    step(c.world, 90);
    fact("angle of the front wheels, rad", motion(c.world, c.steering[0]).coordinate, 0.2, 0.02);
    fact("turned to the left (1: yes)", state(c.world, c.chassis).spin.z > 0.1, 1.0, 0.0);
    steer(&c, 0.0);
    step(c.world, 240);

    // all wheels locked
    cairn_body_state before = state(c.world, c.chassis);
    double v = cairn_norm(before.velocity);
    drive(&c, 0, 4, 0.0, 1e6);
    step(c.world, 180);
    double way = cairn_norm(cairn_sub(state(c.world, c.chassis).pose.p, before.pose.p));
    fact("speed before braking, m/s", v, 20.0 * r, 0.1);
    fact("stopping distance, m", way, v * v / (2.0 * mu * g), 0.05 * way);
    cairn_world_destroy(c.world);
    return 0;
}
