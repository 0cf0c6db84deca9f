// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Other engines on the benchmarks' own scenes, each compiled where its package is installed
// (CAIRN_HAVE_BULLET, CAIRN_HAVE_MUJOCO, CAIRN_HAVE_DART).
#ifndef CAIRN_BENCH_PEERS_H
#define CAIRN_BENCH_PEERS_H

#include <cairn/multibody.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Microseconds that Bullet's multibody (double precision) takes for the accelerations of bodies
/// joined by ball joints, the least of some repetitions. parent[i] < i is the body that body i
/// hangs on; body 0 floats.
double peer_bullet_us(const int* parent, int bodies, int repetitions);

/// Microseconds of one mj_forward of MuJoCo for a chain of bodies with three hinges between
/// neighbors, constraints and contacts off; negative when the model cannot be made.
double peer_mujoco_chain_us(int bodies);

/// A robot in DART: the tree of `model` without armatures, which starts at q and v.
typedef struct peer_dart_robot peer_dart_robot;
peer_dart_robot* peer_dart_robot_create(const cairn_multibody* model, const double* q,
                                        const double* v, cairn_vec3 gravity, double dt);

/// False where the robot is so fast that the run is lost and should not go on.
bool peer_dart_robot_step(peer_dart_robot* robot);
void peer_dart_robot_energy(const peer_dart_robot* robot, double* kinetic, double* potential);
void peer_dart_robot_destroy(peer_dart_robot* robot);

#ifdef __cplusplus
}
#endif

#endif
