// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Other engines on the benchmarks' own scenes, each compiled where its package is installed
// (CAIRN_HAVE_BULLET, CAIRN_HAVE_MUJOCO).
#ifndef CAIRN_BENCH_PEERS_H
#define CAIRN_BENCH_PEERS_H

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

#ifdef __cplusplus
}
#endif

#endif
