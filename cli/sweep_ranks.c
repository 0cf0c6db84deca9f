// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Two kinds of messages: a batch of runs to a rank (an empty one ends it), and a row from it.
// Nobody waits inside MPI, which would keep a processor busy that a run could use.

#include "sweep_ranks.h"
#include "verb.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef CAIRN_HAVE_MPI
#include <mpi.h>

enum { tag_batch = 1, tag_row = 2, most_reason = 512 };

// a run as it is handed out
typedef struct order {
    int run;
    double searched; // by a bisection
} order;

// a row as it comes back, the metrics behind it
typedef struct answer {
    int run;
    sweep_status status;
    bool holds;
    double seconds;
    char reason[most_reason]; // empty: none
} answer;

// the runs that a rank is told with the next message
typedef struct sweep_batch {
    order orders[sweep_most_jobs + sweep_runs_ahead];
    int count;
} sweep_batch;

struct sweep_ranks {
    int ranks;
    sweep_batch* batch; // of each rank
};

static size_t answer_size(const study* s)
{
    return sizeof(answer) + (size_t)s->metric_count * sizeof(double);
}

// ---------------------------------------------------------------- rank 0

cairn_status sweep_ranks_open(sweep_pool* w, int ranks, cairn_error* error)
{
    int each = w->jobs + sweep_runs_ahead, own = w->jobs;
    int count = own + (ranks - 1) * each;
    sweep_worker* workers = realloc(w->workers, (size_t)count * sizeof *workers);
    if (workers)
        w->workers = workers;
    w->others = calloc(1, sizeof *w->others);
    if (w->others)
        w->others->batch = calloc((size_t)ranks, sizeof *w->others->batch);
    if (!workers || !w->others || !w->others->batch)
        return cairn_fail(error, CAIRN_NO_MEMORY, "no memory for the runs of %d ranks", ranks);
    w->others->ranks = ranks;

    // the first slots are our own; those of the others take turns, so that all get work at once
    for (int k = own; k < count; k++)
        workers[k] = (sweep_worker){.rank = 1 + (k - own) % (ranks - 1)};
    w->jobs = count;
    return CAIRN_OK;
}

void sweep_ranks_start(sweep_pool* w, sweep_worker* slot, int run)
{
    sweep_batch* batch = &w->others->batch[slot->rank];
    slot->run = run;
    slot->away = true;
    batch->orders[batch->count++] = (order){run, w->rows->row[run].searched};
}

static void send_batches(sweep_pool* w)
{
    for (int rank = 1; rank < w->others->ranks; rank++) {
        sweep_batch* batch = &w->others->batch[rank];
        if (batch->count == 0)
            continue;
        MPI_Send(batch->orders, (int)sizeof(order) * batch->count, MPI_BYTE, rank, tag_batch,
                 MPI_COMM_WORLD);
        batch->count = 0;
    }
}

// a row from another rank, as if its run had ended here
static void take_answer(sweep_pool* w, const answer* a)
{
    sweep_row* row = &w->rows->row[a->run];
    size_t metrics = (size_t)w->s->metric_count;
    row->status = a->status;
    row->holds = a->holds;
    row->seconds = a->seconds;
    free(row->reason);
    row->reason = a->reason[0] ? strdup(a->reason) : NULL;
    memcpy(w->rows->metric + (size_t)a->run * metrics, a + 1, metrics * sizeof(double));
    for (int k = 0; k < w->jobs; k++)
        if (w->workers[k].away && w->workers[k].run == a->run)
            w->workers[k].away = false;
    w->ended(w, a->run);
}

void sweep_ranks_attend(sweep_pool* w)
{
    send_batches(w);
    int there = 0;
    size_t size = answer_size(w->s);
    answer* a = malloc(size);
    for (int k = 0; k < w->jobs && a; k++) {
        MPI_Iprobe(MPI_ANY_SOURCE, tag_row, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE);
        if (!there)
            break;
        MPI_Recv(a, (int)size, MPI_BYTE, MPI_ANY_SOURCE, tag_row, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
        take_answer(w, a);
    }
    free(a);
}

void sweep_ranks_close(sweep_pool* w)
{
    for (int rank = 1; w->others && rank < w->others->ranks; rank++)
        MPI_Send(NULL, 0, MPI_BYTE, rank, tag_batch, MPI_COMM_WORLD);
    if (w->others)
        free(w->others->batch);
    free(w->others);
    w->others = NULL;
}

// ---------------------------------------------------------------- the others

static void send_row(sweep_pool* w, int run)
{
    const sweep_row* row = &w->rows->row[run];
    size_t size = answer_size(w->s), metrics = (size_t)w->s->metric_count;
    answer* a = calloc(1, size);
    if (!a)
        return; // the run stays open, and is made when the study goes on
    *a = (answer){run, row->status, row->holds, row->seconds, ""};
    if (row->reason)
        snprintf(a->reason, sizeof a->reason, "%s", row->reason);
    memcpy(a + 1, w->rows->metric + (size_t)run * metrics, metrics * sizeof(double));
    MPI_Send(a, (int)size, MPI_BYTE, 0, tag_row, MPI_COMM_WORLD);
    free(a);
}

// a run that could not be started: its row says why
static void refuse(sweep_pool* w, int run, const cairn_error* error)
{
    sweep_row* row = &w->rows->row[run];
    free(row->reason);
    row->reason = strdup(error->text);
    row->status = SWEEP_FAILED;
    send_row(w, run);
}

// takes a batch if there is one; false: the study is over
static bool take_batch(sweep_batch* queue)
{
    MPI_Status status;
    int there = 0, bytes = 0;
    MPI_Iprobe(0, tag_batch, MPI_COMM_WORLD, &there, &status);
    if (!there)
        return true;
    MPI_Get_count(&status, MPI_BYTE, &bytes);
    MPI_Recv(queue->orders + queue->count, bytes, MPI_BYTE, 0, tag_batch, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
    queue->count += bytes / (int)sizeof(order);
    return bytes > 0;
}

// starts runs of the queue in free slots; returns how many are under way
static int start_runs(sweep_pool* w, sweep_batch* queue)
{
    int busy = 0;
    cairn_error error;
    for (int k = 0; k < w->jobs; k++) {
        if (!w->workers[k].pid && queue->count > 0) {
            order next = queue->orders[0];
            memmove(queue->orders, queue->orders + 1, (size_t)--queue->count * sizeof next);
            w->rows->row[next.run].searched = next.searched;
            if (sweep_pool_start(w, &w->workers[k], next.run, &error) != CAIRN_OK)
                refuse(w, next.run, &error);
        }
        busy += w->workers[k].pid != 0;
    }
    return busy;
}

cairn_status sweep_ranks_serve(const study* s, sweep_rows* rows, int jobs, cairn_error* error)
{
    enum { nap = 2000 }; // microseconds
    sweep_pool w;
    sweep_batch* queue = calloc(1, sizeof *queue);
    cairn_status status = sweep_pool_open(&w, s, rows, jobs, error);
    if (status == CAIRN_OK && !queue)
        status = cairn_fail(error, CAIRN_NO_MEMORY, "no memory for a batch of runs");

    w.ended = send_row;
    while (status == CAIRN_OK && take_batch(queue)) {
        if (start_runs(&w, queue) > 0)
            sweep_pool_attend(&w);
        else
            usleep(nap);
    }

    sweep_pool_close(&w);
    free(queue);
    return status;
}

#else

cairn_status sweep_ranks_open(sweep_pool* w, int ranks, cairn_error* error)
{
    (void)w;
    return cairn_fail(error, CAIRN_NOT_SUPPORTED, "%d ranks without MPI", ranks);
}

void sweep_ranks_start(sweep_pool* w, sweep_worker* slot, int run)
{
    (void)w, (void)slot, (void)run;
}

void sweep_ranks_attend(sweep_pool* w)
{
    (void)w;
}

void sweep_ranks_close(sweep_pool* w)
{
    (void)w;
}

cairn_status sweep_ranks_serve(const study* s, sweep_rows* rows, int jobs, cairn_error* error)
{
    (void)s, (void)rows;
    return cairn_fail(error, CAIRN_NOT_SUPPORTED, "%d jobs of a rank without MPI", jobs);
}

#endif
