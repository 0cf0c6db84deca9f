// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// What a fuzz target is: one function that hands bytes to a reader. libFuzzer calls it
// LLVMFuzzerTestOneInput; the replay of kept inputs is compiled with a name for each target.
#ifndef CAIRN_FUZZ_FUZZ_H
#define CAIRN_FUZZ_FUZZ_H

#include <stddef.h>
#include <stdint.h>

#ifdef CAIRN_FUZZ_REPLAY
int fuzz_api(const uint8_t* data, size_t size);
int fuzz_fclib(const uint8_t* data, size_t size);
int fuzz_hull(const uint8_t* data, size_t size);
int fuzz_matrix_market(const uint8_t* data, size_t size);
int fuzz_scene(const uint8_t* data, size_t size);
int fuzz_urdf(const uint8_t* data, size_t size);
int fuzz_mjcf(const uint8_t* data, size_t size);
int fuzz_recording(const uint8_t* data, size_t size);
#define FUZZ_TARGET(name) int name(const uint8_t* data, size_t size)
#else
int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);
#define FUZZ_TARGET(name) int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
#endif

#endif
