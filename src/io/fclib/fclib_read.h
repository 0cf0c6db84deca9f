// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// FCLib files that are in memory already.
#ifndef CAIRN_IO_FCLIB_READ_H
#define CAIRN_IO_FCLIB_READ_H

#include "io/fclib/fclib.h"

/// What the bytes of a file say; `path` is for the sentences. Free with cairn_fclib_destroy.
cairn_status cairn_fclib_parse(cairn_fclib* data, const cairn_bytes* bytes, const char* path,
                               cairn_error* error);

/// cairn_fclib_read of bytes.
cairn_status cairn_fclib_read_bytes(cairn_problem* problem, const cairn_bytes* bytes,
                                    const char* path, cairn_error* error);

#endif
