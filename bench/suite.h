// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// A benchmark suite: one file bench_NAME.c with one function of this type, and one line in the
// table of main.c. A suite adds rows; the frame prints them as a table or as one JSON object.
#ifndef CAIRN_BENCH_SUITE_H
#define CAIRN_BENCH_SUITE_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

typedef struct bench {
    bool quick;           ///< --quick: a run of seconds
    bool json;            ///< --json: nothing but the object on standard output
    const char* problems; ///< --problems DIR: a folder of FCLib files, or NULL
    const char* only;     ///< --only NAME: what the names of cases must hold, or NULL
    bool found;           ///< some case was wanted
    double deadline;      ///< of bench_clock: a case that would begin later does not; 0: none
    json_t* rows;         ///< what the suite has measured so far
    FILE* stream;         ///< takes every row, bound, note and case at once, or NULL
    bool missed;          ///< some bound was missed or some case not reached: exit status 1
} bench;

typedef void (*bench_function)(bench* b);

/// Adds a row (the reference is taken over): bench_row(b, json_pack("{s:i, s:f}", "n", n, "us",
/// us)). Keys keep their order; the first row of a new shape starts a new table.
void bench_row(bench* b, json_t* row);

/// A sentence below the table (standard error with --json), for bounds met and missed.
void bench_say(bench* b, const char* format, ...) __attribute__((format(printf, 2, 3)));

/// The same for a bound: says "met" or "MISSED" and remembers a miss.
void bench_bound(bench* b, bool met, const char* format, ...) __attribute__((format(printf, 3, 4)));

/// Whether --only, if given, asks for the case of this name.
bool bench_wants(bench* b, const char* name);

/// Whether the case of this name may begin. False once the time of the suite is used up: the case
/// is then named among those that were not reached.
bool bench_reach(bench* b, const char* format, ...) __attribute__((format(printf, 2, 3)));

/// The same for what a case leaves out for want of time.
void bench_unreached(bench* b, const char* format, ...) __attribute__((format(printf, 2, 3)));

/// When the first of `parts` equal parts of the time that is left ends, in seconds of bench_clock.
double bench_part_ends(const bench* b, int parts);

/// Lets this process, made by fork, end when its parent does.
void bench_end_with_parent(void);

/// Seconds of a steady clock.
double bench_clock(void);

/// Sorts n numbers, the least first.
void bench_sort(double* x, int n);

/// The median of n numbers (sorts them).
double bench_median(double* x, int n);

#endif
