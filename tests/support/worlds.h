// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Small worlds that tests step: a wall, a heap, a chain, figures, many stacks apart.
#ifndef CAIRN_TESTS_WORLDS_H
#define CAIRN_TESTS_WORLDS_H

#include <cairn/cairn.h>

static const double worlds_dt = 1.0 / 60.0;

cairn_world* worlds_empty(cairn_world_def def);

/// Adds a body with μ 0.6.
cairn_body_id worlds_add(cairn_world* world, cairn_body_type type, cairn_shape shape,
                         cairn_vec3 at);

/// A static half-space z <= 0.
cairn_body_id worlds_ground(cairn_world* world);

cairn_body_state worlds_state(const cairn_world* world, cairn_body_id id);

/// Steps the world; the report of the last step with the worst residual, penetration and joint
/// error of all.
cairn_step_report worlds_run(cairn_world* world, int steps);

/// A hash of all that can be seen: poses, velocities, impulses, clocks, contacts, events, energies.
uint64_t worlds_seen(const cairn_world* world);

/// What is seen after each of some steps, and what their reports say.
enum { worlds_followed = 8 };
void worlds_follow(uint64_t* hash, cairn_world* world, double dt);

/// Bricks of 1 x 0.5 x 0.5 m in quarter bond, on the ground, a centimeter apart.
cairn_world* worlds_wall(cairn_world_def def, int rows, int bricks);

/// Cubes of 1 m, `rows` of them at the bottom.
cairn_world* worlds_pyramid(cairn_world_def def, int rows);

/// n³ spheres of 1 m fall into a container.
cairn_world* worlds_heap(cairn_world_def def, int n);

/// Capsules of 0.5 m on ball joints along x, the first held by the world at `from`; `last` may be
/// NULL.
cairn_world* worlds_chain(cairn_world_def def, int links, cairn_body_id* last);

/// `count` columns of `height` cubes, 3 m apart: as many islands.
cairn_world* worlds_columns(cairn_world_def def, int count, int height);

/// A motor turns a wheel on the ground that pulls a cart on a spring, with limits and a gear.
cairn_world* worlds_machine(cairn_world_def def, cairn_joint_id* motor);

#endif
