// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// An island laid out in clusters (cluster.h) for all substeps of a step: its contacts by color, and
// the places of its bodies. Private to this folder.
#ifndef CAIRN_WORLD_LAYOUT_H
#define CAIRN_WORLD_LAYOUT_H

#include "solve/sweep/cluster.h"
#include "world/step/island.h"

enum { cairn_pack_colors = 64, cairn_small_island = 64 };

/// Clusters of an island that is worth several threads, at least.
enum { cairn_shared_clusters = 32 };

struct cairn_pack {
    int count; ///< clusters
    cairn_cluster* clusters;
    cairn_swift* swift;
    cairn_cluster_law* law;           ///< of each cluster; NULL: all friction is of cones
    cairn_cluster_rules* rules;       ///< of each cluster
    cairn_bend* bend;                 ///< of each cluster of a small island; NULL of a large one
    int lined;                        ///< contacts with lines, which are followed one by one
    bool grained;                     ///< the axes of friction of some contacts turn with bodies
    int color[cairn_pack_colors + 1]; ///< where a color begins; the clusters from the last one on
                                      ///< have several colors, or one contact, and are done one by
                                      ///< one
    int* lane;        ///< of each contact of the island: cluster times lanes, plus its lane there
    int body_count;   ///< places: active bodies; grounds, one for each cluster where threads share
    int ground_count; ///< the clusters, otherwise one; and a
    int place_count;  ///< partner moved from outside for each contact with one
    int* driven;      ///< slots of the latter
    bool stale;       ///< the contacts hold newer impulses
    bool placed;      ///< arms and diagonal are those of its contacts, of this substep
    bool round;       ///< all active bodies have the same moment of inertia about every axis
    int cluster_room, lane_room, driven_room, place_room;

    // eight numbers for each place, as in cairn_cluster_pass
    double *mass, *velocity;
    double *pose, *momentum; ///< the same memory: no pass needs both
    float *swift_velocity, *swift_mass;
    float *before, *way; ///< velocities before a sweep, and the way of the conjugate directions
    float* weight;       ///< mass and mean moment of inertia, of the largest
};

/// Whether the layout of an island lasts through the substeps. Small islands, of which there may be
/// many with most lanes empty, are laid out for each solve; and nothing follows the last kick.
static inline bool cairn_pack_lasts(const cairn_span* span)
{
    return span->island->touch_count > cairn_small_island && span->phase != CAIRN_PHASE_END;
}

/// Where the contacts of an island go: a color, a mixed cluster, or a cluster of one's own (deal.c).
enum { cairn_pack_kinds = 2 * cairn_pack_colors + 1 };
typedef struct cairn_palette {
    unsigned char* place; ///< of each contact
    uint64_t* used;       ///< of each body: colors, or mixed clusters, that it is in
    int size[cairn_pack_kinds];
} cairn_palette;

/// Colors the contacts of an island and counts its clusters; false without memory. Then deals them to
/// lanes.
bool cairn_pack_color(cairn_pack* pack, cairn_palette* colors, const cairn_span* span);
void cairn_pack_deal(cairn_pack* pack, const cairn_palette* colors, int count);

/// Lays out the island; its contacts' impulses become those of the clusters. Memory from `keep`, or
/// from the arena if it does not last.
cairn_status cairn_pack_make(const cairn_span* span);

/// Follows the contacts with lines to where they are now; and tells what the drift ahead adds to b
/// of a small island.
void cairn_pack_follow_lines(const cairn_span* span);
void cairn_pack_bend(const cairn_span* span);

/// Which contacts take no part while they are open, as their features turn too far (cairn_touch_turns_far).
void cairn_pack_mark_turning(const cairn_span* span);

/// Open contacts of bodies that pass each other get the plane along their way; whether there are some. Their
/// lanes were placed, and are to be placed again.
bool cairn_pack_let_pass(const cairn_span* span);

/// The axes of friction of contacts with a grain, along the normals that lanes have now.
void cairn_pack_turn_grains(const cairn_span* span);

/// Where the bodies are now; how heavy; newer impulses of the contacts, if there are; and v*.
void cairn_pack_load_poses(const cairn_span* span);
void cairn_pack_load_masses(const cairn_span* span);
void cairn_pack_load_impulses(const cairn_span* span);
void cairn_pack_load_velocities(const cairn_span* span);

/// An answer: velocities to the bodies, and impulses to the contacts with the last substep, or at
/// once when somebody looks on.
void cairn_pack_store(const cairn_span* span);

/// No answer: the contacts get what was found so far as the start of another method.
void cairn_pack_yield(const cairn_span* span);

/// The contacts get what it holds, if the island has one, and another way goes on: it is of no more use but for its memory.
void cairn_pack_retire(const cairn_span* span);

/// The same for one contact of the world, if the island has it; and then to follow it, found anew,
/// with the impulse that it holds. `*place` guesses where the contact is in the island; what it
/// becomes is right for the next one of the pair.
void cairn_pack_yield_touch(const cairn_span* span, int index, int* place);
void cairn_pack_redraw_touch(const cairn_span* span, int index, int* place);

#endif
