// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Files of the module: texts that the page has put into memory, by name.
#ifndef CAIRN_WEB_HERE_H
#define CAIRN_WEB_HERE_H

#include <stdbool.h>
#include <stddef.h>

/// Keeps a copy of a text under a name, in place of what had that name. False without memory.
bool here_put_file(const char* name, const char* text, size_t size);

#endif
