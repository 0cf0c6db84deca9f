// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Springs and dampers of joints whose bodies touch something, with default options, against the
// closed forms of one degree of freedom: a contact nearby changes nothing about them.

#include "check_cairn.h"
#include "worlds.h"
#include <math.h>

static const double g = 9.81;
static const cairn_vec3 up = {0.0, 0.0, 1.0};

// a plate of 1 kg on a belt that runs at `belt` m/s along x, held by a spring that is at rest at x = 0
static cairn_world* on_belt(double belt, double mu, double stiffness, double damping,
                            cairn_body_def plate, cairn_body_id* id)
{
    cairn_world_def options = cairn_default_world_def();
    options.sleep = false;
    cairn_world* world = worlds_empty(options);
    cairn_shape long_box = cairn_shape_box(cairn_vec(50.0, 1.0, 0.5));
    cairn_shape flat = cairn_shape_box(cairn_vec(0.1, 0.1, 0.05));
    cairn_body_def under = cairn_default_body_def();
    cairn_body_id ignored;
    under.type = CAIRN_BODY_KINEMATIC;
    under.shape = &long_box;
    under.pose.p = cairn_scale(-0.5, up);
    under.velocity.x = belt;
    under.material.mu = plate.material.mu = mu;
    CHECK(cairn_world_add_body(world, &under, &ignored, NULL) == CAIRN_OK);

    plate.shape = &flat;
    plate.mass = 1.0;
    plate.pose.p.z = 0.05;
    CHECK(cairn_world_add_body(world, &plate, id, NULL) == CAIRN_OK);

    cairn_joint_def joint = cairn_default_joint_def(CAIRN_JOINT_DISTANCE);
    cairn_joint_id spring;
    joint.body_b = *id;
    joint.frame_a = (cairn_transform){{-2.0, 0.0, 0.05}, cairn_quat_identity()};
    joint.frame_b = cairn_transform_identity();
    joint.stiffness = stiffness;
    joint.damping = damping;
    joint.rest = 2.0;
    CHECK(cairn_world_add_joint(world, &joint, &spring, NULL) == CAIRN_OK);
    return world;
}

// x = 0.1 cos ωt on a floor without friction: the amplitude stays, the phase is right to (ωh)²/24
TEST(a_spring_on_a_smooth_floor_keeps_its_swing)
{
    const double rates[] = {5.0, 10.0, 40.0};
    for (int k = 0; k < 3; k++) {
        double omega = rates[k];
        cairn_body_def plate = cairn_default_body_def();
        cairn_body_id id;
        plate.pose.p.x = 0.1;
        cairn_world* world = on_belt(0.0, 0.0, omega * omega, 0.0, plate, &id);
        double least = INFINITY, most = 0.0;

        for (int i = 0; i < 600; i++) {
            worlds_run(world, 1);
            cairn_body_state now = worlds_state(world, id);
            double amplitude = hypot(now.center.x, now.velocity.x / omega);
            least = fmin(least, amplitude);
            most = fmax(most, amplitude);
        }

        CHECK_NEAR(least, 0.1, 1e-4);
        CHECK_NEAR(most, 0.1, 1e-4);
        cairn_world_destroy(world);
    }
}
END

// On a running belt the plate sticks until the spring pulls with μ m g, then swings about that place
// with amplitude v/ω and meets the speed of the belt again and again.
TEST(stick_and_slip_have_the_amplitude_of_the_belt)
{
    const double speed = 0.3, omega = 10.0, mu = 0.3;
    cairn_body_def plate = cairn_default_body_def();
    cairn_body_id id;
    plate.velocity.x = speed;
    cairn_world* world = on_belt(speed, mu, omega * omega, 0.0, plate, &id);
    double least = INFINITY, most = -INFINITY, middle = mu * g / (omega * omega);

    for (int i = 0; i < 1200; i++) {
        worlds_run(world, 1);
        double x = worlds_state(world, id).center.x - middle;
        least = i < 30 ? least : fmin(least, x);
        most = i < 30 ? most : fmax(most, x);
    }

    CHECK_NEAR(most, speed / omega, 0.01 * speed / omega);
    CHECK_NEAR(least, -speed / omega, 0.01 * speed / omega);
    cairn_world_destroy(world);
}
END

// v = v₀ e^(-c t / m), and x = x₀ (1 + ωt) e^-ωt at the critical damping
TEST(dampers_beside_contacts_follow_their_closed_forms)
{
    cairn_body_def plate = cairn_default_body_def();
    cairn_body_id id;
    plate.velocity.x = 1.0;
    cairn_world* world = on_belt(0.0, 0.0, 0.0, 3.0, plate, &id);
    worlds_run(world, 60);

    CHECK_NEAR(worlds_state(world, id).velocity.x, exp(-3.0), 1e-9);
    cairn_world_destroy(world);

    plate.velocity.x = 0.0;
    plate.pose.p.x = 0.1;
    world = on_belt(0.0, 0.0, 100.0, 20.0, plate, &id);
    worlds_run(world, 15);

    CHECK_NEAR(worlds_state(world, id).center.x, 0.1 * 3.5 * exp(-2.5), 1e-5);
    cairn_world_destroy(world);
}
END

TESTS(a_spring_on_a_smooth_floor_keeps_its_swing, stick_and_slip_have_the_amplitude_of_the_belt,
      dampers_beside_contacts_follow_their_closed_forms)
