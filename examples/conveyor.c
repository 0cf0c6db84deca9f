// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// A belt carries parcels through a light barrier, and a gate pushes every second one off. No parcel is
// missed and none is seen twice.
#include "example.h"

enum { parcels = 6 };

int main(void)
{
    cairn_world* world = make_world();
    cairn_error error;
    cairn_body_id ids[parcels];
    add(world, cairn_shape_half_space(), 0.0, 0.0, 0.0, 0.0);

    // the surface of the belt moves, the belt stays
    cairn_shape slab = box(20.0, 1.0, 0.2);
    cairn_body_def def = cairn_default_body_def();
    cairn_body_id belt, gate;
    def.type = CAIRN_BODY_KINEMATIC;
    def.shape = &slab;
    def.pose.p = cairn_vec(0.0, 0.0, 0.9);
    def.belt = true;
    def.velocity = cairn_vec(1.5, 0.0, 0.0);
    def.material.mu = 0.8;
    must(cairn_world_add_body(world, &def, &belt, &error), &error);
    cairn_shape plate = box(0.8, 0.1, 0.4);
    def = cairn_default_body_def();
    def.type = CAIRN_BODY_KINEMATIC;
    def.shape = &plate;
    def.pose.p = cairn_vec(4.0, -1.0, 1.4);
    must(cairn_world_add_body(world, &def, &gate, &error), &error);
    for (int i = 0; i < parcels; i++)
        ids[i] = add(world, box(0.4, 0.4, 0.4), 5.0, -1.5 * i, 0.0, 1.2);

    cairn_shape beam = box(0.1, 1.0, 0.2);
    cairn_sensor_def sensor = cairn_default_sensor_def();
    cairn_sensor_id barrier;
    sensor.shape = &beam;
    sensor.pose.p = cairn_vec(3.0, 0.0, 1.2);
    sensor.mask = 1;
    must(cairn_body_set_filter(world, belt, 2, 1, &error), &error);
    must(cairn_body_set_filter(world, gate, 2, 1, &error), &error);
    must(cairn_world_add_sensor(world, &sensor, &barrier, &error), &error);

    // the gate starts when a parcel to be pushed has left the barrier, and takes half a second each way
    int begun = 0, ended = 0, push = -1000;
    for (int i = 0; i < 900; i++) {
        step(world, 1);
        cairn_sensor_events events = cairn_world_sensor_events(world);
        begun += events.begun_count;
        ended += events.ended_count;
        if (events.ended_count > 0 && ended % 2 == 1)
            push = i + 20;
        double phase = (i - push) * dt, out = 0.0;
        if (phase > 0.0 && phase < 1.0)
            out = 0.6 * (1.0 - cos(6.283185307179586 * phase));
        cairn_transform to = {cairn_vec(4.0, -1.0 + out, 1.4), cairn_quat_identity()};
        must(cairn_body_set_target(world, gate, to, dt, &error), &error);
    }
    fact("parcels that entered the barrier", begun, parcels, 0.0);
    fact("parcels that left it", ended, parcels, 0.0);
    for (int i = 0; i < parcels; i++) {
        double y = state(world, ids[i]).pose.p.y;
        fact(i % 2 == 0 ? "pushed off (1: yes)" : "stayed on course (1: yes)",
             i % 2 == 0 ? y > 0.3 : fabs(y) < 0.3, 1.0, 0.0);
    }
    cairn_world_destroy(world);
    return 0;
}
