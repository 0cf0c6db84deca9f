// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// HDF5's two filters: bytes of equal place put together, then deflate.
#ifndef CAIRN_IO_SHUFFLE_H
#define CAIRN_IO_SHUFFLE_H

#include <stdbool.h>
#include <stddef.h>

/// Packs `bytes` of elements of `size` into `packed`, which has room for as many; `scratch` has it
/// too. Returns the bytes used, or 0 when it would take more than there are.
size_t cairn_pack(unsigned char* packed, const unsigned char* data, size_t bytes, size_t size,
                  unsigned char* scratch);

/// Unpacks exactly `bytes`; false when the packed bytes hold anything else.
bool cairn_unpack(unsigned char* data, size_t bytes, size_t size, const unsigned char* packed,
                  size_t packed_bytes, unsigned char* scratch);

#endif
