// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// One measure for every engine, taken from the poses and velocities that it reports and from
// nothing else: how deep bodies lie in each other, how far joints gape, how far things have moved,
// their energy.
#ifndef CAIRN_BENCH_PEERS_JUDGE_H
#define CAIRN_BENCH_PEERS_JUDGE_H

#include "peers/cases.h"

typedef struct peer_measure {
    double penetration; ///< m: the deepest at any sample
    double joint_error; ///< m: the widest gap of a joint at any sample
    double drift;       ///< m: the longest way of a body in the plane of the floor
    double moved;       ///< m: the longest way of a body, at the last sample
    double speed;       ///< m/s: root mean square of the bodies, at the last sample
    double energy;      ///< (E - E_start) / Σ m |g| |x_start|, at the last sample
    bool finite;        ///< all numbers so far
} peer_measure;

typedef struct peer_judge peer_judge;

peer_judge* peer_judge_create(const peer_problem* problem);
void peer_judge_destroy(peer_judge* judge);

/// Takes a sample into the measure, which starts from zeros with `finite` true.
void peer_judge_sample(peer_judge* judge, peer_measure* m, const peer_state* all);

/// Where the last link of a plane chain is.
typedef struct peer_last_link {
    cairn_vec3 center, tip;
} peer_last_link;

/// The last link after `time` seconds, by an integration of its own in angles.
peer_last_link peer_chain_end(const peer_scene* scene, double time);

/// Where the far end of the last link of a chain is.
cairn_vec3 peer_tip(const peer_scene* scene, const peer_state* all);

#endif
