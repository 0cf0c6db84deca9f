// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The time of a stretch of work on a machine that others use too: the lesser of wall time and
// processor time. On a quiet machine both agree; a solver with several threads is not charged for
// their sum.
#ifndef CAIRN_BENCH_STOPWATCH_H
#define CAIRN_BENCH_STOPWATCH_H

#include <time.h>

typedef struct stopwatch {
    struct timespec wall, processor;
} stopwatch;

static inline stopwatch stopwatch_start(void)
{
    stopwatch watch;
    clock_gettime(CLOCK_MONOTONIC, &watch.wall);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &watch.processor);
    return watch;
}

/// Milliseconds since the start.
static inline double stopwatch_read(const stopwatch* from)
{
    stopwatch now = stopwatch_start();
    double wall = 1e3 * (double)(now.wall.tv_sec - from->wall.tv_sec) +
                  1e-6 * (double)(now.wall.tv_nsec - from->wall.tv_nsec);
    double processor = 1e3 * (double)(now.processor.tv_sec - from->processor.tv_sec) +
                       1e-6 * (double)(now.processor.tv_nsec - from->processor.tv_nsec);
    return wall < processor ? wall : processor;
}

#endif
