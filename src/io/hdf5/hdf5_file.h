// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// HDF5 files as trees of small arrays, with one sentence for each thing that can be wrong. Files
// are opened from memory and made in memory, so that HDF5 itself never touches the disk. Every call
// leaves HDF5's own error printing as it found it.
#ifndef CAIRN_IO_HDF5_FILE_H
#define CAIRN_IO_HDF5_FILE_H

#include "io/file.h"
#include <hdf5.h>

/// HDF5's error printing, off from here on; give it back with cairn_hdf5_loud.
typedef struct cairn_hdf5_quiet {
    H5E_auto2_t print;
    void* data;
} cairn_hdf5_quiet;

cairn_hdf5_quiet cairn_hdf5_hush(void);
void cairn_hdf5_loud(cairn_hdf5_quiet quiet);

/// An open file, and what sentences need.
typedef struct cairn_hdf5 {
    hid_t file;
    const char* path; ///< borrowed
    size_t size;      ///< bytes of the file: no array may announce more numbers than that
    cairn_error* error;
} cairn_hdf5;

// ---------------------------------------------------------------- reading

/// Opens the bytes of a file, after cairn_hdf5_check found them sound. With `change` the copy in
/// memory may be written to.
cairn_status cairn_hdf5_open(cairn_hdf5* in, const cairn_bytes* bytes, const char* path,
                             bool change, cairn_error* error);

/// An empty file in memory.
cairn_status cairn_hdf5_create(cairn_hdf5* out, const char* path, cairn_error* error);

void cairn_hdf5_close(cairn_hdf5* in);

/// Whether an object of that absolute name is there, by hard links alone.
bool cairn_hdf5_has(const cairn_hdf5* in, const char* name);

/// One integer.
cairn_status cairn_hdf5_read_int(const cairn_hdf5* in, int* value, const char* name);

/// All numbers of a dataset, in memory of their own; `count` receives how many.
cairn_status cairn_hdf5_read_ints(const cairn_hdf5* in, int** values, int* count, const char* name);

/// The same for doubles, all of them finite.
cairn_status cairn_hdf5_read_doubles(const cairn_hdf5* in, double** values, int* count,
                                     const char* name);

// ---------------------------------------------------------------- writing

cairn_status cairn_hdf5_make_group(const cairn_hdf5* out, const char* name);
cairn_status cairn_hdf5_write_ints(const cairn_hdf5* out, const char* name, const int* values,
                                   int count);
cairn_status cairn_hdf5_write_doubles(const cairn_hdf5* out, const char* name, const double* values,
                                      int count);

cairn_status cairn_hdf5_write_text(const cairn_hdf5* out, const char* name, const char* text);

/// Removes an object, if it is there.
cairn_status cairn_hdf5_remove(const cairn_hdf5* out, const char* name);

/// The bytes that the file has on a disk; free `data` with free.
cairn_status cairn_hdf5_bytes(const cairn_hdf5* out, cairn_bytes* bytes);

#endif
