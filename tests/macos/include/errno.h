// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Of <errno.h> of macOS, for the syntax check of the core (tests/macos/test_macos.sh).
#ifndef CAIRN_MACOS_ERRNO_H
#define CAIRN_MACOS_ERRNO_H

int* __error(void);
#define errno (*__error())
#define EINTR 4
#define ENOMEM 12
#define EINVAL 22

#endif
