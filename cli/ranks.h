// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The processes that `mpirun` started together. A program that was started alone never touches MPI.
#ifndef CAIRN_CLI_RANKS_H
#define CAIRN_CLI_RANKS_H

#include <cairn/base.h>
#include <stdbool.h>

/// Whether this process is one of several that `mpirun` or `srun` started.
bool ranks_are_several(void);

/// How many, likewise by what the launcher says.
int ranks_size(void);

/// Which of them it is, by what the launcher says: known before ranks_begin.
int ranks_own(void);

/// Meets the others; refuses where the program was built without MPI. `count` receives how many.
cairn_status ranks_begin(int* count, cairn_error* error);

/// Other ranks than the first print no results, and no errors before they meet: those are the same
/// for all.
void ranks_hush(void);

/// Parts from them, if it has met them; with a fault (not 0) that the others may not know, ends
/// them all.
void ranks_end(int fault);

/// The largest of a number of each rank, on all of them; its own where there is one.
int ranks_most(int x);

/// In a child process: it is none of them.
void ranks_leave(void);

#endif
