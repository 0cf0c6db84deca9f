// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// A lander of 500 kg falls from 50 m and lands softly on its engine, whose thrust is limited. The
// impulse of the engine is the weight times the time, and what stopped the fall.
#include "example.h"

int main(void)
{
    cairn_world* world = make_world();
    cairn_error error;
    const double mass = 500.0, most = 1e4, height = 50.0;
    add(world, cairn_shape_half_space(), 0.0, 0.0, 0.0, 0.0);
    cairn_body_id ship = add(world, box(2.0, 2.0, 1.0), mass, 0.0, 0.0, height + 0.5);
    must(cairn_world_set_hit_speed(world, 0.01, &error), &error);

    // full thrust where the way to stop is what is left: v² = 2 (F/m - g) (z - 0.5 m)
    double impulse = 0.0, speed = 0.0, time = 0.0;
    for (int i = 0; i < 1200; i++) {
        cairn_body_state s = state(world, ship);
        double z = s.pose.p.z - 0.5, brake = 0.9 * most / mass - g;
        double wanted = -sqrt(fmax(2.0 * brake * (z - 0.2), 0.0)) - 0.3;
        double thrust = mass * (g + (wanted - s.velocity.z) / dt);
        thrust = fmin(fmax(thrust, 0.0), most);
        must(cairn_body_add_force_local(world, ship, cairn_vec(0.0, 0.0, thrust),
                                        cairn_vec(0.0, 0.0, -0.5), &error),
             &error);
        impulse += thrust * dt;
        step(world, 1);
        time += dt;
        int hits;
        const cairn_hit_event* hit = cairn_world_hits(world, &hits);
        if (hits > 0) {
            speed = hit->speed;
            break;
        }
    }
    fact("speed of the touchdown, m/s", speed, 0.3, 0.05);
    fact("impulse of the engine, N s", impulse, mass * (g * time - speed), 1.0);
    step(world, 60);
    fact("it stands, m", state(world, ship).pose.p.z, 0.5, 1e-3);
    cairn_world_destroy(world);
    return 0;
}
