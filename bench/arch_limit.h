// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Limit analysis of a semicircular arch, independent of any solver of contacts.
#ifndef CAIRN_BENCH_ARCH_LIMIT_H
#define CAIRN_BENCH_ARCH_LIMIT_H

/// The least ratio of thickness to mean radius at which a semicircular arch of equal flat-sided
/// wedges stands under its own weight, sliding excluded.
double arch_limit(int blocks);

#endif
