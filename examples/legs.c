// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// A table on four legs: equilibrium fixes the sum of the four loads and their moments, that is
// three equations for four unknowns. Prints the loads that each method returns
// (docs/concepts/forces.md).
#include <cairn/cairn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const double dt = 1.0 / 60.0;

static void must(cairn_status status, const cairn_error* error)
{
    if (status == CAIRN_OK)
        return;
    fprintf(stderr, "%s\n", error->text);
    exit(1);
}

// a top of 1 x 1 x 0.1 m whose legs turn on hinges that a strong motor holds still
static void build(cairn_world* world, cairn_body_id legs[4])
{
    static const double corner[4][2] = {{-0.4, -0.4}, {0.4, -0.4}, {-0.4, 0.4}, {0.4, 0.4}};
    cairn_shape plane = cairn_shape_half_space();
    cairn_shape plate = cairn_shape_box(cairn_vec(0.5, 0.5, 0.05));
    cairn_shape foot = cairn_shape_sphere(0.05);
    cairn_body_def body = cairn_default_body_def();
    cairn_joint_def hinge = cairn_default_joint_def(CAIRN_JOINT_HINGE);
    cairn_body_id ground, top;
    cairn_joint_id joint;
    cairn_error error;

    body.type = CAIRN_BODY_STATIC, body.shape = &plane;
    must(cairn_world_add_body(world, &body, &ground, &error), &error);
    body.type = CAIRN_BODY_DYNAMIC, body.shape = &plate, body.mass = 20.0;
    body.pose.p = cairn_vec(0.0, 0.0, 0.5);
    must(cairn_world_add_body(world, &body, &top, &error), &error);

    hinge.driven = true, hinge.speed = 0.0, hinge.strength = 1e4;
    body.shape = &foot, body.mass = 0.1;
    for (int i = 0; i < 4; i++) {
        body.pose.p = cairn_vec(corner[i][0], corner[i][1], 0.05);
        must(cairn_world_add_body(world, &body, &legs[i], &error), &error);
        hinge.body_a = top, hinge.body_b = legs[i];
        hinge.frame_a.p = cairn_vec(corner[i][0], corner[i][1], -0.45);
        must(cairn_world_add_joint(world, &hinge, &joint, &error), &error);
    }
}

// N: what the ground carries below each leg
static void read_loads(const cairn_world* world, const cairn_body_id legs[4], double load[4])
{
    int count;
    const cairn_contact* contacts = cairn_world_contacts(world, &count);
    for (int i = 0; i < 4; i++) {
        load[i] = 0.0;
        for (int c = 0; c < count; c++)
            if (contacts[c].body_a.index == legs[i].index ||
                contacts[c].body_b.index == legs[i].index)
                load[i] += fabs(contacts[c].impulse.z) / dt;
    }
}

int main(void)
{
    static const char* const methods[] = {"auto", "exact", "prox", "pgs"};
    const double weight = 9.81 * 20.4;
    int wrong = 0;
    for (int m = 0; m < 4; m++) {
        cairn_world_def def = cairn_default_world_def();
        cairn_step_report report;
        cairn_body_id legs[4];
        double load[4];
        cairn_world* world;
        cairn_error error;
        def.method = methods[m];
        must(cairn_world_create(&def, &world, &error), &error);
        build(world, legs);
        for (int step = 0; step < 30; step++)
            must(cairn_world_step(world, dt, &report, &error), &error);
        read_loads(world, legs, load);
        printf("%-6s %6.1f %6.1f %6.1f %6.1f N, residual %.0e\n", methods[m], load[0], load[1],
               load[2], load[3], report.residual);
        wrong += fabs(load[0] + load[1] + load[2] + load[3] - weight) > 1e-3 * weight;
        cairn_world_destroy(world);
    }
    return wrong;
}
