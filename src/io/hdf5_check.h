// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Whether the bytes of a file may be handed to HDF5.
#ifndef CAIRN_IO_HDF5_CHECK_H
#define CAIRN_IO_HDF5_CHECK_H

#include <cairn/base.h>

/// Walks through the groups and datasets of a file and refuses what is damaged, or what contact
/// problems never use. Objects named "info" and "comment", which nobody opens, are passed over, and
/// "solution" unless the file is to be changed. CAIRN_BAD_INPUT names the byte and what was
/// expected.
cairn_status cairn_hdf5_check(const void* data, size_t size, const char* path, bool change,
                              cairn_error* error);

#endif
