// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// A figure of eleven limbs on ball joints with limits is knocked over. Its joints stay closed and
// within their limits, and the ground bears its weight.
#include "example.h"

enum { limbs = 11 };

typedef struct limb {
    double x, z, radius, half, mass; // upright capsules in the plane y = 0
    int parent;
    double joint_x, joint_z, swing; // where it hangs, and by how much it may swing (rad)
} limb;

static const limb figure[limbs] = {
    {0.00, 1.25, 0.16, 0.15, 30.0, -1, 0.0, 0.0, 0.0},   // chest
    {0.00, 0.85, 0.15, 0.08, 12.0, 0, 0.00, 1.00, 0.4},  // pelvis
    {0.00, 1.75, 0.12, 0.04, 5.0, 0, 0.00, 1.58, 0.5},   // head
    {0.25, 1.25, 0.05, 0.14, 2.5, 0, 0.25, 1.42, 1.5},   // upper arms
    {-0.25, 1.25, 0.05, 0.14, 2.5, 0, -0.25, 1.42, 1.5}, //
    {0.25, 0.90, 0.04, 0.13, 1.5, 3, 0.25, 1.07, 1.5},   // forearms
    {-0.25, 0.90, 0.04, 0.13, 1.5, 4, -0.25, 1.07, 1.5}, //
    {0.11, 0.52, 0.07, 0.14, 8.0, 1, 0.11, 0.73, 1.2},   // thighs
    {-0.11, 0.52, 0.07, 0.14, 8.0, 1, -0.11, 0.73, 1.2}, //
    {0.11, 0.12, 0.05, 0.14, 4.0, 7, 0.11, 0.31, 1.2},   // shins
    {-0.11, 0.12, 0.05, 0.14, 4.0, 8, -0.11, 0.31, 1.2}, //
};

int main(void)
{
    cairn_world* world = make_world();
    cairn_body_id ids[limbs];
    cairn_joint_id joints[limbs];
    cairn_error error;
    double mass = 0.0;
    cairn_body_id ground = add(world, cairn_shape_half_space(), 0.0, 0.0, 0.0, 0.0);
    for (int i = 0; i < limbs; i++) {
        const limb* l = &figure[i];
        ids[i] =
            add(world, cairn_shape_capsule(l->radius, l->half), l->mass, l->x, 0.0, l->z + 0.5);
        mass += l->mass;
        if (l->parent < 0)
            continue;
        cairn_joint_def ball =
            joint_at(world, CAIRN_JOINT_BALL, ids[l->parent], ids[i],
                     cairn_vec(l->joint_x, 0.0, l->joint_z + 0.5), cairn_vec(0.0, 0.0, -1.0));
        ball.limited = true;
        ball.hi = l->swing;
        ball.damping = 0.5;
        joints[i] = add_joint(world, &ball);
    }
    must(cairn_body_add_impulse(world, ids[0], cairn_vec(60.0, 80.0, 0.0), cairn_vec(0.0, 0.0, 1.9),
                                &error),
         &error);

    double gap = 0.0, beyond = 0.0;
    for (int i = 0; i < 600; i++) {
        step(world, 1);
        for (int k = 1; k < limbs; k++) {
            cairn_joint_motion m = motion(world, joints[k]);
            gap = fmax(gap, cairn_norm(m.shift));
            beyond = fmax(beyond, m.coordinate - figure[k].swing);
        }
    }
    fact("widest gap of a joint, mm", 1e3 * gap, 0.0, 0.1);
    fact("farthest beyond a limit, rad", beyond, 0.0, 0.02);
    fact("it lies (m: height of the chest)", state(world, ids[0]).pose.p.z, 0.2, 0.15);
    fact("weight on the ground, N", -load_on(world, ground), mass * g, 0.05 * mass * g);
    cairn_world_destroy(world);
    return 0;
}
