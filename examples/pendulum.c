// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// A bar on a hinge, let go at 90 degrees: a pendulum in a plane. Its period is the elliptic integral
// and its energy stays.
#include "example.h"

// K(m) by the arithmetic-geometric mean
static double elliptic(double m)
{
    double a = 1.0, b = sqrt(1.0 - m);
    for (int i = 0; i < 10; i++) {
        double mean = 0.5 * (a + b);
        b = sqrt(a * b);
        a = mean;
    }
    return 1.5707963267948966 / a;
}

int main(void)
{
    cairn_world* world = make_world();
    const double length = 1.0, mass = 1.0, amplitude = 1.5707963267948966;
    cairn_body_id bar = add(world, box(length, 0.02, 0.02), mass, 0.5 * length, 0.0, 0.0);
    cairn_joint_def hinge = joint_at(world, CAIRN_JOINT_HINGE, the_world, bar,
                                     cairn_vec(0.0, 0.0, 0.0), cairn_vec(0.0, 1.0, 0.0));
    cairn_joint_id id = add_joint(world, &hinge);

    // the second passage through rest in the same place, between two steps
    double before = 0.0, last = 0.0, period = 0.0;
    double energy, potential, start;
    cairn_world_energy(world, &energy, &start);
    for (int i = 1, turns = 0; turns < 10; i++) {
        step(world, 1);
        double speed = motion(world, id).speed;
        if (before < 0.0 && speed >= 0.0) {
            double t = dt * (i - speed / (speed - before));
            turns++;
            if (turns > 1)
                period += (t - last) / 9.0;
            last = t;
        }
        before = speed;
    }
    double inertia = mass * (length * length + 0.02 * 0.02) / 12.0 + 0.25 * mass * length * length;
    double omega = sqrt(mass * g * 0.5 * length / inertia), k = sin(0.5 * amplitude);
    fact("period, s", period, 4.0 * elliptic(k * k) / omega, 2e-3);
    cairn_world_energy(world, &energy, &potential);
    fact("energy gained in ten swings, J", energy + potential - start, 0.0, 2e-3);
    cairn_world_destroy(world);
    return 0;
}
