// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// A plate that moves whatever resists it presses bodies into the floor: no velocities satisfy the contacts. The report
// says so and names the bodies, what is squeezed stays between its squeezers and is not shot away, and such steps
// take no more substeps than others.

#include "check_cairn.h"
#include "worlds.h"

static const double speed = 0.5; // m/s, of the plate downwards

typedef struct press {
    cairn_world* world;
    cairn_body_id plate, body, apart;
} press;

// a body of half a meter in height under a plate that touches it, and one apart
static press make(cairn_shape shape)
{
    press all = {.world = worlds_empty(cairn_default_world_def())};
    cairn_shape plate = cairn_shape_box(cairn_vec(1.0, 1.0, 0.1));
    worlds_ground(all.world);
    all.body = worlds_add(all.world, CAIRN_BODY_DYNAMIC, shape, cairn_vec(0.0, 0.0, 0.25));
    all.apart = worlds_add(all.world, CAIRN_BODY_DYNAMIC, shape, cairn_vec(5.0, 0.0, 0.25));
    all.plate = worlds_add(all.world, CAIRN_BODY_KINEMATIC, plate, cairn_vec(0.0, 0.0, 0.6));
    CHECK(cairn_body_set_velocity(all.world, all.plate, cairn_vec(0.0, 0.0, -speed),
                                  cairn_vec(0.0, 0.0, 0.0), NULL) == CAIRN_OK);
    return all;
}

static void check_squeezed(cairn_shape shape)
{
    enum { steps = 30, settled = 3, substeps = 4 };
    press all = make(shape);
    for (int step = 0; step < steps; step++) {
        cairn_step_report report;
        CHECK(cairn_world_step(all.world, worlds_dt, &report, NULL) == CAIRN_OK);
        CHECK(report.outcome == CAIRN_OUTCOME_NO_SOLUTION);
        if (step >= settled)
            CHECK(report.motion.substeps_max <= substeps);

        // between the floor and the plate and slower than the plate
        cairn_body_state state = worlds_state(all.world, all.body);
        cairn_body_state plate = worlds_state(all.world, all.plate);
        CHECK(state.squeezed);
        CHECK(state.center.z > 0.0 && state.center.z < plate.center.z - 0.1);
        CHECK_BELOW(cairn_norm(state.velocity), speed);
        CHECK(!plate.squeezed && !worlds_state(all.world, all.apart).squeezed);
    }
    cairn_world_destroy(all.world);
}

TEST(a_box_between_plate_and_floor_is_told_and_stays_there)
{
    check_squeezed(cairn_shape_box(cairn_vec(0.25, 0.25, 0.25)));
}
END

TEST(a_ball_between_plate_and_floor_is_told_and_stays_there)
{
    check_squeezed(cairn_shape_sphere(0.25));
}
END

TEST(a_squeeze_ends_with_its_cause)
{
    press all = make(cairn_shape_box(cairn_vec(0.25, 0.25, 0.25)));
    worlds_run(all.world, 10);
    CHECK(worlds_state(all.world, all.body).squeezed);

    CHECK(cairn_body_set_velocity(all.world, all.plate, cairn_vec(0.0, 0.0, speed),
                                  cairn_vec(0.0, 0.0, 0.0), NULL) == CAIRN_OK);
    worlds_run(all.world, 60);
    cairn_body_state state = worlds_state(all.world, all.body);
    CHECK(!state.squeezed && cairn_norm(state.velocity) < 1e-3);
    CHECK_BELOW(fabs(state.center.z - 0.25), 1e-3);
    cairn_world_destroy(all.world);
}
END

TESTS(a_box_between_plate_and_floor_is_told_and_stays_there,
      a_ball_between_plate_and_floor_is_told_and_stays_there, a_squeeze_ends_with_its_cause)
