// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Two fingers press a box of 1 kg and lift it. It is held as long as 2 μ F > m (g + a), and slips below.
#include "example.h"

// m: how far the box is lifted by fingers that press with a force
static double lift(double force, double mu)
{
    cairn_world* world = make_world();
    cairn_error error;
    cairn_shape palm_shape = box(0.6, 0.1, 0.1);
    cairn_body_def def = cairn_default_body_def();
    cairn_body_id palm, fingers[2];
    add(world, cairn_shape_half_space(), 0.0, 0.0, 0.0, 0.0);
    cairn_body_id load = add(world, box(0.2, 0.2, 0.2), 1.0, 0.0, 0.0, 0.1);
    def.type = CAIRN_BODY_KINEMATIC;
    def.shape = &palm_shape;
    def.pose.p = cairn_vec(0.0, 0.0, 0.5);
    must(cairn_world_add_body(world, &def, &palm, &error), &error);
    cairn_material rubber = cairn_default_material();
    rubber.mu = mu;
    must(cairn_body_set_material(world, load, &rubber, &error), &error);

    // fingers on sliders towards each other
    for (int i = 0; i < 2; i++) {
        double side = i ? 1.0 : -1.0;
        fingers[i] = add(world, box(0.05, 0.1, 0.2), 0.1, 0.15 * side, 0.0, 0.13);
        must(cairn_body_set_material(world, fingers[i], &rubber, &error), &error);
        cairn_joint_def slide =
            joint_at(world, CAIRN_JOINT_SLIDER, palm, fingers[i], cairn_vec(0.15 * side, 0.0, 0.13),
                     cairn_vec(-side, 0.0, 0.0));
        slide.driven = true;
        slide.speed = 0.5;
        slide.strength = force;
        add_joint(world, &slide);
    }
    step(world, 60);

    // up by 0.5 m within 2 s, gently
    for (int i = 1; i <= 120; i++) {
        double z = 0.5 + 0.25 * (1.0 - cos(1.5707963267948966 * i * dt));
        cairn_transform to = {cairn_vec(0.0, 0.0, z), cairn_quat_identity()};
        must(cairn_body_set_target(world, palm, to, dt, &error), &error);
        step(world, 1);
    }
    double lifted = state(world, load).pose.p.z - 0.1;
    cairn_world_destroy(world);
    return lifted;
}

int main(void)
{
    const double mu = 0.5, least = g / (2.0 * mu);
    double most = 0.25 * 1.5707963267948966 * 1.5707963267948966; // m/s²: of the palm
    fact("lifted by 1.2 times the least force, m", lift(1.2 * (least + most), mu), 0.5, 2e-3);
    fact("lifted by 0.8 times the least force, m", lift(0.8 * least, mu), 0.0, 2e-3);
    return 0;
}
