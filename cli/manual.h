// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// What is written from the tables of verbs and options: the manual page and the completions of
// shells. Nothing is listed twice, so nothing can drift.
#ifndef CAIRN_CLI_MANUAL_H
#define CAIRN_CLI_MANUAL_H

#include "verb.h"

void manual_page(FILE* file);
void manual_bash(FILE* file);
void manual_zsh(FILE* file);

/// Calls `visit` for every option of a verb, shared ones included.
typedef void (*manual_visit)(void* context, const struct argp_option* option);
void manual_options(const verb* v, manual_visit visit, void* context);

#endif
