// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// What launchers of MPI leave in the environment tells whether there are several ranks, before MPI
// is started: that takes half a second, and no single process is to wait for it.

#include "ranks.h"
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#ifdef CAIRN_HAVE_MPI
#include <mpi.h>
#endif

// Open MPI, MPICH and its kin, Slurm
static const char* const sizes[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"};
static const char* const own[] = {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK"};

static int number_in(const char* const* names, int count, int missing)
{
    for (int k = 0; k < count; k++) {
        const char* text = getenv(names[k]);
        if (text && *text)
            return atoi(text);
    }
    return missing;
}

int ranks_size(void)
{
    return number_in(sizes, sizeof sizes / sizeof *sizes, 1);
}

bool ranks_are_several(void)
{
    return ranks_size() > 1;
}

int ranks_own(void)
{
    return ranks_are_several() ? number_in(own, sizeof own / sizeof *own, 0) : 0;
}

void ranks_leave(void)
{
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
        unsetenv(sizes[k]);
    for (size_t k = 0; k < sizeof own / sizeof *own; k++)
        unsetenv(own[k]);
}

// standard error while it is hushed, or -1
static int heard = -1;

void ranks_hush(void)
{
    if (ranks_own() == 0)
        return;
    int none = open("/dev/null", O_WRONLY);
    heard = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    dup2(none, STDOUT_FILENO);
    dup2(none, STDERR_FILENO);
    close(none);
}

#ifdef CAIRN_HAVE_MPI

cairn_status ranks_begin(int* count, cairn_error* error)
{
    int provided;
    if (MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &provided) != MPI_SUCCESS)
        return cairn_fail(error, CAIRN_FAULT, "MPI does not start");
    MPI_Comm_size(MPI_COMM_WORLD, count);
    if (heard >= 0)
        dup2(heard, STDERR_FILENO);
    return CAIRN_OK;
}

int ranks_most(int x)
{
    if (ranks_are_several())
        MPI_Allreduce(MPI_IN_PLACE, &x, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    return x;
}

void ranks_end(int fault)
{
    int begun = 0;
    MPI_Initialized(&begun);
    if (begun && fault)
        MPI_Abort(MPI_COMM_WORLD, fault);
    if (begun)
        MPI_Finalize();
}

#else

cairn_status ranks_begin(int* count, cairn_error* error)
{
    *count = 1;
    return cairn_fail(error, CAIRN_NOT_SUPPORTED,
                      "this cairn was built without MPI; the package libopenmpi-dev brings it");
}

int ranks_most(int x)
{
    return x;
}

void ranks_end(int fault)
{
    (void)fault;
}

#endif
