// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// One world on all ranks of MPI (docs/scale.md). Every rank has the static and kinematic bodies, its own share
// of the dynamic ones, and copies of those of other ranks that are near them. Belongs to the library
// cairn-ranks. All functions are called by all ranks of MPI_COMM_WORLD, in the same order; MPI is started and
// ended by the caller. A fault on one rank is to end them all (MPI_Abort).
#ifndef CAIRN_RANKS_H
#define CAIRN_RANKS_H

#include <cairn/world.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cairn_ranks cairn_ranks;

/// What a rank has sent since the world was spread, and how long it has waited for others.
typedef struct cairn_traffic {
    int64_t messages, bytes;
    double busy;        ///< s: of the processor, in steps
    int64_t memory;     ///< bytes that its world holds, now
    double waiting;     ///< s
    int64_t bodies;     ///< its own, now
    int64_t copies;     ///< of bodies of others, now
    int64_t partitions; ///< how often the bodies were dealt anew
    int64_t moved;      ///< bodies that were given to another rank
} cairn_traffic;

/// Spreads a world, which the caller owns, over the ranks: each keeps its share of the dynamic bodies and
/// removes the others. `parted`: the world has only every Rth of them from the start, beginning with that of
/// its rank. Refuses joints, sensors and restitution, which are not solved between ranks yet.
CAIRN_API cairn_status cairn_ranks_create(cairn_world* world, bool parted, cairn_ranks** ranks,
                                          cairn_error* error);
CAIRN_API void cairn_ranks_destroy(cairn_ranks* ranks);

/// One step of the world. The report is that of the whole world, on every rank, but for its island reports,
/// which are those of the rank. Counts the bodies by their ids: one that was lost or doubled is a fault.
CAIRN_API cairn_status cairn_ranks_step(cairn_ranks* ranks, double dt, cairn_step_report* report,
                                        cairn_error* error);

/// How many island reports that report has.
CAIRN_API int cairn_ranks_islands(const cairn_ranks* ranks);

/// Energies of the whole world.
CAIRN_API void cairn_ranks_energy(cairn_ranks* ranks, double* kinetic, double* potential);

/// A hash over all dynamic bodies, in the order of their ids, that does not depend on which rank has them.
CAIRN_API uint64_t cairn_ranks_hash(cairn_ranks* ranks);

/// The sums over all ranks of the momentum (kg m/s), and of the impulse per second on static and kinematic
/// bodies in the last step (N).
CAIRN_API void cairn_ranks_loads(cairn_ranks* ranks, double momentum[3], double ground[3]);

/// The traffic of a rank, known on all of them.
CAIRN_API cairn_traffic cairn_ranks_traffic(cairn_ranks* ranks, int rank);

/// Writes the state of all ranks to one file, which appears whole or not at all; and goes on from it, on as
/// many ranks as wrote it, bit for bit. `ranks` was created from the same world.
CAIRN_API cairn_status cairn_ranks_save(cairn_ranks* ranks, const char* path, cairn_error* error);
CAIRN_API cairn_status cairn_ranks_load(cairn_ranks* ranks, const char* path, cairn_error* error);

#ifdef __cplusplus
}
#endif

#endif
