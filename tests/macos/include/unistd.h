// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Of <unistd.h> of macOS, for the syntax check of the core (tests/macos/test_macos.sh).
#ifndef CAIRN_MACOS_UNISTD_H
#define CAIRN_MACOS_UNISTD_H

long sysconf(int name);
#define _SC_PAGESIZE 29

// as there: hidden from those who ask for POSIX alone
#if !defined(_POSIX_C_SOURCE) || defined(_DARWIN_C_SOURCE)
#define _SC_NPROCESSORS_ONLN 58
#endif

#endif
