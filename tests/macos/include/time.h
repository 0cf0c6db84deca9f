// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Of <time.h> of macOS (10.12 and later), for the syntax check of the core (tests/macos/test_macos.sh).
#ifndef CAIRN_MACOS_TIME_H
#define CAIRN_MACOS_TIME_H

#include <stddef.h>

typedef long time_t;
struct timespec {
    time_t tv_sec;
    long tv_nsec;
};
typedef enum clockid_t { CLOCK_REALTIME = 0, CLOCK_MONOTONIC = 6 } clockid_t;
int clock_gettime(clockid_t clock, struct timespec* now);
int nanosleep(const struct timespec* want, struct timespec* left);
time_t time(time_t* now);

#endif
