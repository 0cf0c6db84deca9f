// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// What stages, frames and recordings share.
#ifndef CAIRN_IO_STAGE_H
#define CAIRN_IO_STAGE_H

#include <cairn/recording.h>

/// Makes room for `count` items of `size` bytes, at least doubling; what is new is zeroed. False
/// when there is no memory; then nothing has changed.
bool cairn_grow(void** array, int* capacity, int count, size_t size);

/// Whether two bodies or shapes look the same; shape data is compared by its address.
bool cairn_stage_same_body(const cairn_stage_body* a, const cairn_stage_body* b);
bool cairn_stage_same_shape(const cairn_shape* a, const cairn_shape* b);

/// Replaces the excluded pairs by the `count` that were written behind them; whether they differ.
bool cairn_stage_keep_excluded(cairn_stage* stage, int count);

#endif
