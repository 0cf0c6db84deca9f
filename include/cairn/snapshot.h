// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Snapshots as bytes, for files and networks. The bytes are the same on every machine, start with a
// version and carry a checksum. A reader trusts none of them: what is not a snapshot is refused, and
// what it accepts is safe to step. docs/world.md says what that covers.
#ifndef CAIRN_SNAPSHOT_H
#define CAIRN_SNAPSHOT_H

#include <cairn/world.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The version of the bytes that this library writes, and the only one that it reads.
#define CAIRN_SNAPSHOT_VERSION 6

/// Shape data that bodies and sensors borrow: hulls, meshes, height fields and compounds, with the
/// parts of a compound if bodies have some. Bytes name them by their place in a list that writer and
/// reader both have, and by a digest of what they hold. Materials of parts are borrowed as well.
typedef struct cairn_asset {
    cairn_shape shape;
    const cairn_part* parts; ///< or NULL
} cairn_asset;

/// Writes a snapshot to `bytes`, which has room for `room` of them, and their number to *size.
/// With NULL for `bytes` it only counts. `assets` has all shape data that the snapshot needs.
/// Pointers of the user are written as numbers: between programs, keep indices in them.
CAIRN_API cairn_status cairn_snapshot_write(const cairn_snapshot* snapshot,
                                            const cairn_asset* assets, int asset_count, void* bytes,
                                            size_t room, size_t* size, cairn_error* error);

/// Makes a snapshot from bytes. It brings a world to where the writer's was, bit for bit, but for
/// what the writer's hooks were and what its last step told of islands.
CAIRN_API cairn_status cairn_snapshot_read(const void* bytes, size_t size,
                                           const cairn_asset* assets, int asset_count,
                                           cairn_snapshot** snapshot, cairn_error* error);

#ifdef __cplusplus
}
#endif

#endif
