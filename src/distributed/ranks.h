// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// What a rank knows of the others. Private to this folder.
#ifndef CAIRN_DISTRIBUTED_RANKS_H
#define CAIRN_DISTRIBUTED_RANKS_H

#include "world/state.h"
#include <cairn/ranks.h>
#include <cairn/snapshot.h>
#include <mpi.h>

/// Boxes about the bodies of a rank, so that others copy no more than is near them.
enum { cairn_rank_boxes = 32 };

/// Another rank, and the bodies that it and this one share.
typedef struct cairn_peer {
    int own_count, own_room;
    int* own; ///< slots of own bodies of which it has copies, ascending
    int copy_count, copy_room;
    int* copies;                 ///< slots of copies of its bodies, in its order
    int *own_index, *copy_index; ///< places of both among the shared bodies
    double *out, *in;            ///< numbers of messages, 6 for each of the larger count
    size_t number_room;
} cairn_peer;

struct cairn_ranks {
    cairn_world* world;
    int rank, count; ///< which one this is, of how many
    int slot_room;
    int64_t* id;         ///< of each slot: the number of the body in the whole world; -1: none
    int* leaf;           ///< of each slot of an own body: its box
    cairn_peer* peers;   ///< of each rank
    cairn_asset* assets; ///< shape data of all bodies, in the same order on all ranks
    int asset_count;
    cairn_aabb* boxes; ///< cairn_rank_boxes of each rank

    // bodies that several ranks have
    cairn_exchange exchange;
    int* shared;
    int shared_room;
    MPI_Comm sharers;      ///< the ranks that share any; MPI_COMM_NULL: this one does not
    bool* sharing;         ///< of each rank: whether it shares any
    MPI_Request* requests; ///< two for each rank
    double* gathered;      ///< two numbers of each rank

    int64_t total;      ///< bodies of the whole world
    uint64_t total_mix; ///< and what their ids sum up to
    int islands;        ///< of this rank, in the last step
    int64_t steps;      ///< since the bodies were dealt
    cairn_traffic traffic;
};

/// A body as it travels; pointers of its shape are places in the list of assets.
typedef struct cairn_traveler {
    int64_t id;
    int asset; ///< -1: its shape has none
    cairn_body body;
} cairn_traveler;

/// What changes of a body from step to step.
typedef struct cairn_motion_state {
    cairn_vec3 x, v, w;
    cairn_quat q;
} cairn_motion_state;

/// Reads a body for another rank, and makes one here. The latter wants memory: CAIRN_OK or not.
void cairn_traveler_take(cairn_traveler* out, const cairn_ranks* ranks, int slot);
cairn_status cairn_traveler_settle(cairn_ranks* ranks, const cairn_traveler* from, bool copy,
                                   int* slot, cairn_error* error);
cairn_status cairn_ranks_remove(cairn_ranks* ranks, int slot, cairn_error* error);

/// Deals the bodies to the ranks anew: as many for each, in boxes. Nobody has copies after it.
cairn_status cairn_ranks_deal(cairn_ranks* ranks, cairn_error* error);

/// Brings the copies in line with what is near in a step of dt seconds, and lists what is shared.
cairn_status cairn_ranks_copy(cairn_ranks* ranks, double dt, cairn_error* error);

/// Drops all copies.
cairn_status cairn_ranks_drop_copies(cairn_ranks* ranks, cairn_error* error);

/// The lists of shared bodies, once the copies are there.
cairn_status cairn_ranks_connect(cairn_ranks* ranks, cairn_error* error);

/// Bytes for each rank and from each: sizes of `out` in, memory of `in` from malloc. False without
/// memory.
typedef struct cairn_parcel {
    void* bytes;
    size_t size, room;
} cairn_parcel;
void* cairn_parcel_add(cairn_parcel* parcel, const void* bytes, size_t size);
cairn_status cairn_ranks_trade(cairn_ranks* ranks, cairn_parcel* out, cairn_parcel* in,
                               cairn_error* error);
void cairn_parcels_free(cairn_parcel* parcels, int count);

/// What all ranks of a communicator have, `size` bytes each.
void cairn_ranks_gather(cairn_ranks* ranks, const void* own, size_t size, void* all, MPI_Comm who);

/// The world asks whose its contacts are.
cairn_status cairn_ranks_claim(cairn_ranks* ranks, cairn_error* error);

/// Own dynamic bodies.
static inline bool cairn_rank_owns(const cairn_ranks* ranks, int slot)
{
    const cairn_body* body = &ranks->world->bodies[slot];
    return body->alive && body->type == CAIRN_BODY_DYNAMIC && !body->copy;
}

#endif
