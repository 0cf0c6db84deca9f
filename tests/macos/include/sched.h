// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Of <sched.h> of macOS, for the syntax check of the core (tests/macos/test_macos.sh).
#ifndef CAIRN_MACOS_SCHED_H
#define CAIRN_MACOS_SCHED_H

int sched_yield(void);

#endif
