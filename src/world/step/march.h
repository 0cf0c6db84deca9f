// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Large islands of contacts in motion go through a substep in small steps of their own, on manifolds
// in lanes (manifold.h), laid out once for all substeps of the step. Private to this folder.
#ifndef CAIRN_WORLD_MARCH_H
#define CAIRN_WORLD_MARCH_H

#include "solve/sweep/manifold.h"
#include "world/step/step.h"

static const float cairn_wide_open = 2e30f; ///< m: the gap of empty lanes

/// A manifold: some contacts of a pair, and where they are in the clusters.
typedef struct cairn_march_place {
    int touch[cairn_manifold_points]; ///< contacts of the world
    int count;                        ///< so many; 0: the lane is kept for its pair
    int pair;                         ///< slot of the pair,
    int next;                         ///< and the next manifold of it, plus 1; 0: none
    int lane;                         ///< cluster times lanes, plus its lane there
    int band;         ///< by which it is swept: how far its bodies are from the ground
    int held[2];      ///< places of its bodies
    float base[2][6]; ///< displacements of its bodies when it was placed
} cairn_march_place;

/// How often a march may be cut into halves, and those again (march_deal.c).
enum { cairn_march_cuts = 4 };

struct cairn_march {
    int count; ///< clusters
    int laid;  ///< these were laid out by bands; the others hold what came later, lane by lane
    int cuts;  ///< what is on two sides of a seam shares no body:
    int part
        [2
         << cairn_march_cuts]; ///< first cluster of each part, in the order of sweeps, and the end
    int capacity;              ///< for so many
    cairn_manifold_cluster* clusters;
    int point_count, point_room;
    cairn_manifold_point* points;
    cairn_cluster_law* laws; ///< of each point; NULL: all friction is of cones
    int law_room;
    int manifold_count, manifold_room;
    cairn_march_place* manifolds;
    int body_count;   ///< places: active bodies; grounds, one for each part and one for what came
    int ground_count; ///< later, since threads may write to them at once; and a
    int place_count;  ///< partner that is moved from outside for each manifold with one
    int place_room;
    int* driven;  ///< slots of the latter
    double eta;   ///< s: for which the impulses act
    bool round;   ///< all active bodies have the same moment of inertia about every axis
    bool amended; ///< contacts came or went since it was last swept

    // Of each active body, in double precision: its velocity without the impulses that the contacts do
    // not hold yet, the sum of these, and the velocity that the march left it with. Contacts are to
    // tell the change of momentum.
    cairn_vec3 *linear, *sum, *left;

    // eight numbers for each place, as in cairn_march_pass
    float *velocity, *displacement, *mass;
    float* pushed; ///< what the impulses do to the velocities
    float* begun;  ///< what those did with which the small step began
    float* done;   ///< displacements that the bodies have made

    // what the position pass has seen and moved, as in cairn_march_pass
    int32_t visit;
    int32_t* moved;
};

/// Parts of a march: 2^cuts that are swept at once, then by and by the seams between them.
static inline int cairn_march_parts(const cairn_march* march)
{
    return (2 << march->cuts) - 1;
}

/// Gives each manifold its lane, and counts the clusters of each part; false without memory.
bool cairn_march_deal(cairn_march* march, const cairn_span* span);

/// The slot of a place; -1 for a ground.
int cairn_march_slot(const cairn_span* span, int place);

/// Lays out the island with the impulses that its contacts hold, as those of `eta` seconds. Memory
/// lasts through the substeps of the step.
cairn_status cairn_march_make(const cairn_span* span, double eta);

/// Places the manifolds again whose bodies have moved too far against each other since for arms and
/// normals that stand still.
void cairn_march_follow(const cairn_span* span);

/// Contacts of a pair will be found anew: hands their impulses back and empties their lanes; and takes in
/// those that there are then. The latter returns whether there was room: else the layout is given up.
void cairn_march_release(const cairn_span* span, int pair);
bool cairn_march_adopt(const cairn_span* span, int pair);

/// What these need of the layout: the place of a body that no impulse moves, body_count for a ground;
/// whether a contact has the bodies, the normal and the friction of another
/// one; a manifold to its lane, and its impulses to its contacts.
int cairn_march_immovable(cairn_march* march, const cairn_span* span, int slot);
bool cairn_march_belongs(const cairn_touch* touch, const cairn_touch* first);
void cairn_march_fill(cairn_march* march, const cairn_span* span, cairn_march_place* manifold);
void cairn_march_hand_back(cairn_march* march, const cairn_span* span,
                           const cairn_march_place* manifold, bool totals);

/// Hands the impulses back to the contacts, with their totals if these are to count; and the same
/// before the layout is given up.
void cairn_march_store(const cairn_span* span, bool totals);
void cairn_march_yield(const cairn_span* span);

/// Whether the island goes through a substep in small steps.
bool cairn_march_applies(const cairn_span* span);

/// Whether one certificate for a step is enough for a pile in motion: nobody asked for more, and it is not slow.
bool cairn_march_suffices(const cairn_span* span);

/// One substep of it: velocities and places.
cairn_status cairn_island_march(const cairn_span* span);

/// Moves overlaps out of contacts that were found after it.
cairn_status cairn_march_part(const cairn_span* span);

/// Sweeps the last half kick of the step until `judge` keeps the impulses that the contacts then hold. `kept`: it did;
/// else they are a start for another method.
cairn_status cairn_march_end(const cairn_span* span, cairn_solve_function judge,
                             cairn_judged* judged, bool* kept);

#endif
