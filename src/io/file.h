// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Whole files: read into memory at once, written whole or not at all.
#ifndef CAIRN_IO_FILE_H
#define CAIRN_IO_FILE_H

#include <cairn/base.h>

/// The bytes of a file; free `data` with free. One zero byte follows the last.
typedef struct cairn_bytes {
    char* data;
    size_t size;
} cairn_bytes;

/// Reads a regular file. The sentence names the file and what the system said.
cairn_status cairn_file_read(cairn_bytes* bytes, const char* path, cairn_error* error);

/// Refuses, before any work is done, a path where cairn_file_write would not put a file: a
/// directory, or an existing file without `force`.
cairn_status cairn_file_may_write(const char* path, bool force, cairn_error* error);

/// Puts a file in place: written beside `path`, flushed to the disk, renamed. When anything fails,
/// what was at `path` is still there. An existing file is refused unless `force`.
cairn_status cairn_file_write(const char* path, const void* data, size_t size, bool force,
                              cairn_error* error);

/// The parts of it, for files that grow: opens a new file beside the target, with a name that is
/// free (`room` is that of the path and 40 bytes more), to read and write; -1 when the system
/// refuses.
int cairn_file_open_beside(char* beside, size_t room, const char* path);

/// Gives it the target's name, over an existing file only with `force`. False when that fails.
bool cairn_file_take_name(const char* beside, const char* path, bool force);

#endif
