// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Whole files: looked at, then read into memory at once; written whole or not at all. Nothing here
// waits for a FIFO, reads a device or writes over anything but a regular file.
#ifndef CAIRN_IO_FILE_H
#define CAIRN_IO_FILE_H

#include <cairn/base.h>
#include <stdint.h>

/// The bytes of a file; free `data` with free. One zero byte follows the last.
typedef struct cairn_bytes {
    char* data;
    size_t size;
} cairn_bytes;

// ---------------------------------------------------------------- reading

enum { cairn_file_head_size = 4096 };

/// What is known of a file before it is loaded.
typedef struct cairn_file_head {
    const char* path;
    uint64_t size; ///< of the file
    uint64_t load; ///< bytes to load; a kind may ask for fewer than `size`
    size_t count;  ///< of `bytes`
    unsigned char bytes[cairn_file_head_size];
} cairn_file_head;

/// A kind of file: its reader judges the first bytes and the size before anything is loaded. A
/// sparse file can claim any size, so what cannot be of this kind must be refused here.
typedef struct cairn_file_kind {
    uint64_t most; ///< bytes that are loaded at most; 0: as many as the machine has memory
    cairn_status (*look)(cairn_file_head* head, cairn_error* error); ///< or NULL
} cairn_file_kind;

extern const cairn_file_kind cairn_file_text;  ///< without zero bytes, up to 1 GiB
extern const cairn_file_kind cairn_file_bytes; ///< anything, up to 1 GiB
extern const cairn_file_kind cairn_file_hdf5;  ///< as long as its superblock says

/// Reads a regular file. The sentence names the file and what is wrong with it. Never blocks.
cairn_status cairn_file_read(cairn_bytes* bytes, const char* path, const cairn_file_kind* kind,
                             cairn_error* error);

/// Whether `path` is a regular file that starts like HDF5. Never blocks.
bool cairn_file_is_hdf5(const char* path);

// ---------------------------------------------------------------- writing

/// Refuses, before any work is done, a path where cairn_file_write would not put a file: a
/// directory, device, FIFO or socket; a symbolic link, unless it leads to a regular file in its own
/// directory (that file is then the one that is written); and an existing file without `force`.
cairn_status cairn_file_may_write(const char* path, bool force, cairn_error* error);

/// Puts a file in place: written beside `path`, flushed to the disk, renamed. When anything fails,
/// what was at `path` is still there and nothing is left beside it.
cairn_status cairn_file_write(const char* path, const void* data, size_t size, bool force,
                              cairn_error* error);

/// The parts of it, for files that grow: opens a new file beside the target, with a name that is
/// free (`room` is that of the path and 40 bytes more), to read and write; -1 when the system
/// refuses.
int cairn_file_open_beside(char* beside, size_t room, const char* path);

/// Gives it the target's name under the rules of cairn_file_may_write, which are looked at again;
/// removes it when that fails.
cairn_status cairn_file_take_name(const char* beside, const char* path, bool force,
                                  cairn_error* error);

#endif
