// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Messages between ranks. Sums over shared bodies go by their owners:
//
//     1.  who has a copy sends its numbers to the owner,
//     2.  who adds them to its own in the order of the ranks and sends the sums back,
//
// so that every rank has the same bits.

#include "distributed/ranks.h"
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// ---------------------------------------------------------------- parcels

void* cairn_parcel_add(cairn_parcel* parcel, const void* bytes, size_t size)
{
    if (parcel->size + size > parcel->room) {
        size_t room = 2 * parcel->room + size + 64;
        void* grown = realloc(parcel->bytes, room);
        if (!grown)
            return NULL;
        parcel->bytes = grown;
        parcel->room = room;
    }
    void* at = (char*)parcel->bytes + parcel->size;
    if (size > 0)
        memcpy(at, bytes, size);
    parcel->size += size;
    return at;
}

void cairn_parcels_free(cairn_parcel* parcels, int count)
{
    for (int i = 0; parcels && i < count; i++)
        free(parcels[i].bytes);
    free(parcels);
}

static void count_message(cairn_ranks* ranks, size_t bytes)
{
    ranks->traffic.messages++;
    ranks->traffic.bytes += (int64_t)bytes;
}

// Waits for requests. MPI would keep the processor busy, which other ranks may need: after a while
// this sleeps.
static void wait_all(cairn_ranks* ranks, MPI_Request* requests, int count)
{
    enum { busy_tests = 200 };
    const struct timespec pause = {.tv_nsec = 20000};
    double start = MPI_Wtime();
    int done = 0;
    for (int tests = 0; !done; tests++) {
        MPI_Testall(count, requests, &done, MPI_STATUSES_IGNORE);
        if (!done && tests > busy_tests)
            nanosleep(&pause, NULL);
    }
    ranks->traffic.waiting += MPI_Wtime() - start;
}

void cairn_ranks_gather(cairn_ranks* ranks, const void* own, size_t size, void* all, MPI_Comm who)
{
    MPI_Request request;
    MPI_Iallgather(own, (int)size, MPI_BYTE, all, (int)size, MPI_BYTE, who, &request);
    wait_all(ranks, &request, 1);
    count_message(ranks, size);
}

cairn_status cairn_ranks_trade(cairn_ranks* ranks, cairn_parcel* out, cairn_parcel* in,
                               cairn_error* error)
{
    enum { tag = 11 };
    int count = ranks->count, requests = 0;
    int* sizes = calloc(2 * (size_t)count, sizeof *sizes);
    if (!sizes)
        return cairn_fail(error, CAIRN_NO_MEMORY, "no memory for messages to %d ranks", count);

    // each rank tells each other one how much it will send
    bool fits = true;
    for (int r = 0; r < count; r++) {
        fits = fits && out[r].size <= INT_MAX;
        sizes[r] = (int)out[r].size;
    }

    MPI_Request request;
    MPI_Ialltoall(sizes, 1, MPI_INT, sizes + count, 1, MPI_INT, MPI_COMM_WORLD, &request);
    wait_all(ranks, &request, 1);

    for (int r = 0; r < count && fits; r++) {
        in[r].size = 0;
        if (sizes[count + r] > 0) {
            in[r].bytes = malloc((size_t)sizes[count + r]);
            fits = in[r].bytes != NULL;
        }
    }

    // a rank without memory does not send: its caller ends all ranks, so that none waits for ever
    for (int r = 0; r < count && fits; r++) {
        in[r].size = in[r].room = (size_t)sizes[count + r];
        if (in[r].size > 0)
            MPI_Irecv(in[r].bytes, (int)in[r].size, MPI_BYTE, r, tag, MPI_COMM_WORLD,
                      &ranks->requests[requests++]);
    }

    for (int r = 0; r < count && fits; r++) {
        if (out[r].size == 0)
            continue;
        MPI_Isend(out[r].bytes, (int)out[r].size, MPI_BYTE, r, tag, MPI_COMM_WORLD,
                  &ranks->requests[requests++]);
        count_message(ranks, out[r].size);
    }

    wait_all(ranks, ranks->requests, requests);
    free(sizes);
    return fits ? CAIRN_OK
                : cairn_fail(error, CAIRN_NO_MEMORY, "no memory for messages to %d ranks", count);
}

// ---------------------------------------------------------------- sums over shared bodies

static void gather_numbers(double* out, const double* numbers, const int* index, int count,
                           int each)
{
    for (int i = 0; i < count; i++)
        memcpy(out + (size_t)i * (size_t)each, numbers + (size_t)index[i] * (size_t)each,
               (size_t)each * sizeof *out);
}

// sends numbers to a rank and expects some from it
static int post(cairn_ranks* ranks, int r, int out_count, int in_count, int each, int tag,
                int requests)
{
    cairn_peer* peer = &ranks->peers[r];
    if (in_count > 0)
        MPI_Irecv(peer->in, in_count * each, MPI_DOUBLE, r, tag, MPI_COMM_WORLD,
                  &ranks->requests[requests++]);
    if (out_count > 0) {
        MPI_Isend(peer->out, out_count * each, MPI_DOUBLE, r, tag, MPI_COMM_WORLD,
                  &ranks->requests[requests++]);
        count_message(ranks, (size_t)(out_count * each) * sizeof(double));
    }
    return requests;
}

static void sum_shared(void* context, double* numbers, int each)
{
    enum { to_owner = 12, to_copies = 13 };
    cairn_ranks* ranks = context;
    int requests = 0;

    // copies send their sums to the owners, which add them in the order of the ranks
    for (int r = 0; r < ranks->count; r++) {
        cairn_peer* peer = &ranks->peers[r];
        gather_numbers(peer->out, numbers, peer->copy_index, peer->copy_count, each);
        requests = post(ranks, r, peer->copy_count, peer->own_count, each, to_owner, requests);
    }
    wait_all(ranks, ranks->requests, requests);
    for (int r = 0; r < ranks->count; r++) {
        const cairn_peer* peer = &ranks->peers[r];
        for (int i = 0; i < peer->own_count; i++)
            for (int k = 0; k < each; k++)
                numbers[peer->own_index[i] * each + k] += peer->in[i * each + k];
    }

    // the owners send the totals back, so that all have the same bits
    requests = 0;
    for (int r = 0; r < ranks->count; r++) {
        cairn_peer* peer = &ranks->peers[r];
        gather_numbers(peer->out, numbers, peer->own_index, peer->own_count, each);
        requests = post(ranks, r, peer->own_count, peer->copy_count, each, to_copies, requests);
    }
    wait_all(ranks, ranks->requests, requests);
    for (int r = 0; r < ranks->count; r++) {
        const cairn_peer* peer = &ranks->peers[r];
        for (int i = 0; i < peer->copy_count; i++)
            memcpy(numbers + peer->copy_index[i] * each, peer->in + i * each,
                   (size_t)each * sizeof *numbers);
    }
}

static void agree(void* context, double* total, double* most)
{
    cairn_ranks* ranks = context;
    const double own[2] = {*total, *most};
    int count;
    MPI_Comm_size(ranks->sharers, &count);
    cairn_ranks_gather(ranks, own, sizeof own, ranks->gathered, ranks->sharers);
    *total = 0.0;
    *most = ranks->gathered[1];
    for (int r = 0; r < count; r++) {
        double x = ranks->gathered[2 * r + 1];
        *total += ranks->gathered[2 * r];
        if (*most == *most && !(x <= *most))
            *most = x; // a NaN stays
    }
}

// ---------------------------------------------------------------- who shares what

// a communicator of the ranks that share bodies, made anew when they are others
static void meet_sharers(cairn_ranks* ranks, bool shares)
{
    bool changed = false, *now = malloc((size_t)ranks->count * sizeof *now);
    if (!now)
        MPI_Abort(MPI_COMM_WORLD, 3);
    cairn_ranks_gather(ranks, &shares, sizeof shares, now, MPI_COMM_WORLD);
    for (int r = 0; r < ranks->count; r++)
        changed = changed || now[r] != ranks->sharing[r];
    if (changed) {
        if (ranks->sharers != MPI_COMM_NULL)
            MPI_Comm_free(&ranks->sharers);
        MPI_Comm_split(MPI_COMM_WORLD, shares ? 0 : MPI_UNDEFINED, ranks->rank, &ranks->sharers);
        memcpy(ranks->sharing, now, (size_t)ranks->count * sizeof *now);
    }
    free(now);
}

// room for the messages of one peer
static bool reserve_peer(cairn_peer* peer)
{
    size_t most = (size_t)(peer->own_count > peer->copy_count ? peer->own_count : peer->copy_count);
    if (most <= peer->number_room)
        return true;

    size_t room = most + most / 4 + 16;

    // what was grown stays valid even if the rest fails
    double* out = realloc(peer->out, 6 * room * sizeof *out);
    if (out)
        peer->out = out;
    double* in = realloc(peer->in, 6 * room * sizeof *in);
    if (in)
        peer->in = in;
    int* own = realloc(peer->own_index, room * sizeof *own);
    if (own)
        peer->own_index = own;
    int* copies = realloc(peer->copy_index, room * sizeof *copies);
    if (copies)
        peer->copy_index = copies;

    if (!out || !in || !own || !copies)
        return false;
    peer->number_room = room;
    return true;
}

cairn_status cairn_ranks_connect(cairn_ranks* ranks, cairn_error* error)
{
    cairn_world* world = ranks->world;
    bool fits = true;

    // bodies that other ranks have copies of, and copies of theirs
    for (int slot = 0; slot < world->body_count; slot++)
        world->bodies[slot].spread = false;
    for (int r = 0; r < ranks->count; r++) {
        const cairn_peer* peer = &ranks->peers[r];
        fits = fits && reserve_peer(&ranks->peers[r]);
        for (int i = 0; i < peer->own_count; i++)
            world->bodies[peer->own[i]].spread = true;
        for (int i = 0; i < peer->copy_count; i++)
            world->bodies[peer->copies[i]].spread = true;
    }

    if (ranks->shared_room < world->body_count) {
        int* shared = realloc(ranks->shared, 2 * (size_t)world->body_count * sizeof *shared);
        fits = fits && shared;
        if (shared) {
            ranks->shared = shared;
            ranks->shared_room = world->body_count;
        }
    }
    if (!fits)
        return cairn_fail(error, CAIRN_NO_MEMORY, "no memory for the bodies of several ranks");

    // in the order of the slots; the second half of the memory tells where each slot is
    int count = 0, *index = ranks->shared + ranks->shared_room;
    for (int slot = 0; slot < world->body_count; slot++)
        if (world->bodies[slot].spread) {
            index[slot] = count;
            ranks->shared[count++] = slot;
        }

    // messages list bodies by their place among the shared ones
    for (int r = 0; r < ranks->count; r++) {
        cairn_peer* peer = &ranks->peers[r];
        for (int i = 0; i < peer->own_count; i++)
            peer->own_index[i] = index[peer->own[i]];
        for (int i = 0; i < peer->copy_count; i++)
            peer->copy_index[i] = index[peer->copies[i]];
    }

    // only the ranks that share bodies take part in sums and agreements
    meet_sharers(ranks, count > 0);
    int place = 0;
    if (count > 0)
        MPI_Comm_rank(ranks->sharers, &place);

    ranks->exchange = (cairn_exchange){.count = count,
                                       .bodies = ranks->shared,
                                       .first = place == 0,
                                       .context = ranks,
                                       .sum = sum_shared,
                                       .agree = agree};

    ((cairn_world_room*)world)->exchange = count > 0 ? &ranks->exchange : NULL;
    return CAIRN_OK;
}
