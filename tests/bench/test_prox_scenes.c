// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The scenes that PROX schemes are measured on are what they are said to be.

#include "check_cairn.h"
#include "prox_scenes.h"
#include <string.h>

TEST(every_scene_has_the_published_bodies_no_overlap_and_no_energy_from_nowhere)
{
    char why[256];
    for (int i = 0; i < prox_scene_count; i++)
        ck_assert_msg(prox_scene_sound(i, why, sizeof why), "%s", why);
}
END

// what stands keeps its potential energy: the tower of an earlier benchmark lay inside itself and
// lost more than half of it
TEST(the_tower_and_the_wall_stand)
{
    const double sink = 1e-3; // of the energy: a tower of 10 m sinks by less than 1 cm
    for (int i = 0; i < 2; i++) {
        scene_run run = prox_scene_open(i);
        double before = scene_energy(&run);
        scene_advance(&run, 0.2);
        CHECK_BELOW(run.penetration, 1e-3);
        CHECK_NEAR(scene_energy(&run), before, sink * before);
        scene_close(&run);
    }
}
END

TEST(friction_of_the_scenes_has_the_torsion_of_the_publication)
{
    for (int i = 0; i < prox_scene_count; i++) {
        scene_run run = prox_scene_open(i);
        cairn_material material;
        cairn_body_id last = cairn_world_body_at(run.world, cairn_world_body_slots(run.world) - 1);
        CHECK(cairn_body_get_material(run.world, last, &material, NULL) == CAIRN_OK);
        CHECK_NEAR(material.mu, 0.75, 0.0);
        CHECK_NEAR(material.mu_spin, 0.01, 0.0);
        scene_close(&run);
    }
}
END

TESTS(every_scene_has_the_published_bodies_no_overlap_and_no_energy_from_nowhere,
      the_tower_and_the_wall_stand, friction_of_the_scenes_has_the_torsion_of_the_publication)
