// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The papers' headline figures: what was published, what is measured here as a ratio within one
// run, and a verdict by the rule of verdict.h. A figure that a paper does not contain has no
// published value; one that stands for something else here says what.
#ifndef CAIRN_BENCH_HEADLINES_H
#define CAIRN_BENCH_HEADLINES_H

#include "report.h"
#include "verdict.h"

typedef struct headlines {
    const json_t* report;
    json_t* list;
    const char* paper;
} headlines;

enum { number_size = 32 };

/// What stands in place of a figure that nobody published or measured.
extern const char headline_no_figure[];

/// Adds a figure; one that consists of several claims has the verdict of all of them together.
void headline_add(headlines* h, const char* figure, const char* published,
                  const verdict_claim* claims, int count, const char* note, const char* format, ...)
    __attribute__((format(printf, 7, 8)));

/// Claims by their sense: less, or more, is better.
verdict_claim headline_less(double low, double high, double measured, double factor);
verdict_claim headline_more(double low, double high, double measured, double factor);

/// The same figure of something else: `obstacle` says of what. NULL: it is comparable after all.
verdict_claim headline_apart(verdict_claim claim, const char* obstacle);

/// The first row of a suite with key = value (and key2 = number), or NULL.
const json_t* headline_row(const headlines* h, const char* suite, const char* key,
                           const char* value, const char* key2, double number);

/// A figure of the suite `papers`.
const json_t* headline_paper_row(const headlines* h, const char* figure);
double headline_paper_figure(const headlines* h, const char* figure);

double headline_ratio(const json_t* row, const char* over, const char* under);

/// Why the time of a solve is no measurement: something else than its own test ended it. NULL: it
/// is one.
const char* headline_unfinished(const json_t* row);

/// Why the rows of a suite are a part of the paper's cases: some were not reached. NULL: all were.
const char* headline_part(const headlines* h, const char* suite);

void headlines_baraff_1994(headlines* h);
void headlines_lloyd_2004(headlines* h);
void headlines_erleben_2017(headlines* h);
void headlines_ageia_2004(headlines* h);
void headlines_baraff_1996(headlines* h);

#endif
