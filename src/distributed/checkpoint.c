// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// One file for all ranks, written by all of them at once (MPI-IO):
//
//     head, the size of what each rank has, then rank by rank:
//     head of the rank, ids and boxes of its slots, its copies and what others copy, the snapshot of its world
//
// It is written beside its place and renamed when all of it is there: a run that is killed at any
// time leaves a whole one. The bytes of a snapshot carry a checksum.

#include "distributed/ranks.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char magic[8] = "cairnR1";

typedef struct file_head {
    char magic[8];
    int64_t ranks, total;
    uint64_t total_mix;
} file_head;

typedef struct rank_head {
    int64_t slots, steps;
    int64_t snapshot; // bytes
} rank_head;

// ---------------------------------------------------------------- writing

static bool add_lists(cairn_parcel* out, const cairn_ranks* ranks)
{
    bool fits = true;
    size_t slots = (size_t)ranks->world->body_count;
    unsigned char* copy = calloc(slots + 1, 1);

    for (size_t i = 0; copy && i < slots; i++)
        copy[i] = ranks->world->bodies[i].copy;

    fits = copy && cairn_parcel_add(out, ranks->id, slots * sizeof *ranks->id) &&
           cairn_parcel_add(out, ranks->leaf, slots * sizeof *ranks->leaf) &&
           cairn_parcel_add(out, copy, slots);

    for (int r = 0; r < ranks->count && fits; r++) {
        const cairn_peer* peer = &ranks->peers[r];
        const int counts[2] = {peer->own_count, peer->copy_count};
        fits = cairn_parcel_add(out, counts, sizeof counts) &&
               cairn_parcel_add(out, peer->own, (size_t)counts[0] * sizeof *peer->own) &&
               cairn_parcel_add(out, peer->copies, (size_t)counts[1] * sizeof *peer->copies);
    }

    free(copy);
    return fits;
}

// what this rank writes
static cairn_status make_part(cairn_parcel* out, const cairn_ranks* ranks, cairn_error* error)
{
    cairn_snapshot* snapshot = NULL;
    rank_head head = {.slots = ranks->world->body_count, .steps = ranks->steps};
    size_t size = 0;

    // written twice: the first time only tells the size
    cairn_status status = cairn_world_snapshot(ranks->world, &snapshot, error);
    if (status == CAIRN_OK)
        status = cairn_snapshot_write(snapshot, ranks->assets, ranks->asset_count, NULL, 0, &size,
                                      error);

    void* bytes = status == CAIRN_OK ? malloc(size + 1) : NULL;
    if (status == CAIRN_OK && !bytes)
        status = cairn_fail(error, CAIRN_NO_MEMORY, "no memory for a checkpoint");
    if (status == CAIRN_OK)
        status = cairn_snapshot_write(snapshot, ranks->assets, ranks->asset_count, bytes, size,
                                      &size, error);

    // a head, the lists of this rank, and the snapshot at the end
    head.snapshot = (int64_t)size;
    if (status == CAIRN_OK && !(cairn_parcel_add(out, &head, sizeof head) &&
                                add_lists(out, ranks) && cairn_parcel_add(out, bytes, size)))
        status = cairn_fail(error, CAIRN_NO_MEMORY, "no memory for a checkpoint");

    free(bytes);
    cairn_snapshot_destroy(snapshot);
    return status;
}

// whether all ranks succeeded so far
static bool all_fine(bool fine)
{
    int all = fine;
    MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    return all;
}

static bool write_at(MPI_File file, MPI_Offset at, const void* bytes, size_t size)
{
    enum { most = 1 << 30 };
    bool fine = true;
    for (size_t done = 0; done < size && fine; done += most) {
        int count = size - done < most ? (int)(size - done) : most, written = 0;
        MPI_Status status;
        fine = MPI_File_write_at(file, at + (MPI_Offset)done, (const char*)bytes + done, count,
                                 MPI_BYTE, &status) == MPI_SUCCESS;
        if (fine)
            MPI_Get_count(&status, MPI_BYTE, &written);
        fine = fine && written == count;
    }
    return fine;
}

static bool write_file(const cairn_ranks* ranks, const char* path, const cairn_parcel* part)
{
    MPI_File file = MPI_FILE_NULL;
    size_t count = (size_t)ranks->count;
    int64_t own = (int64_t)part->size, *sizes = calloc(count, sizeof *sizes);
    if (!sizes)
        MPI_Abort(MPI_COMM_WORLD, 3);

    // the parts stand one after the other, so the sizes tell where each begins
    MPI_Allgather(&own, 1, MPI_INT64_T, sizes, 1, MPI_INT64_T, MPI_COMM_WORLD);
    MPI_Offset at = (MPI_Offset)(sizeof(file_head) + count * sizeof *sizes);
    for (int r = 0; r < ranks->rank; r++)
        at += sizes[r];

    bool fine = MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_CREATE | MPI_MODE_WRONLY,
                              MPI_INFO_NULL, &file) == MPI_SUCCESS;
    if (all_fine(fine)) {
        // the first rank writes the head and the table of sizes, each one its own part
        file_head head = {
            .ranks = ranks->count, .total = ranks->total, .total_mix = ranks->total_mix};
        memcpy(head.magic, magic, sizeof magic);
        if (ranks->rank == 0)
            fine = write_at(file, 0, &head, sizeof head) &&
                   write_at(file, sizeof head, sizes, count * sizeof *sizes);
        fine = write_at(file, at, part->bytes, part->size) && fine;
        fine = MPI_File_sync(file) == MPI_SUCCESS && fine;
    } else {
        fine = false;
    }

    if (file != MPI_FILE_NULL)
        MPI_File_close(&file);
    free(sizes);
    return all_fine(fine);
}

cairn_status cairn_ranks_save(cairn_ranks* ranks, const char* path, cairn_error* error)
{
    cairn_parcel part = {0};
    char beside[4096];

    snprintf(beside, sizeof beside, "%.4000s.part", path);

    // no rank may begin to write unless all can
    cairn_status status = make_part(&part, ranks, error);
    if (!all_fine(status == CAIRN_OK)) {
        free(part.bytes);
        return status == CAIRN_OK ? cairn_fail(error, CAIRN_NO_MEMORY,
                                               "another rank has no memory for a checkpoint")
                                  : status;
    }

    // the file is written beside and takes its name when it is whole
    if (ranks->rank == 0)
        remove(beside); // what was longer before
    MPI_Barrier(MPI_COMM_WORLD);
    bool fine = write_file(ranks, beside, &part);
    if (ranks->rank == 0)
        fine = fine && rename(beside, path) == 0;

    fine = all_fine(fine);
    if (!fine && ranks->rank == 0)
        remove(beside);

    free(part.bytes);
    return fine ? CAIRN_OK
                : cairn_fail(error, CAIRN_NO_FILE,
                             "%s cannot be written: the disk is full or the folder is not there",
                             path);
}

// ---------------------------------------------------------------- reading

// takes bytes off a part; false at its end
static bool take(const char** at, const char* end, void* to, size_t size)
{
    if ((size_t)(end - *at) < size)
        return false;
    memcpy(to, *at, size);
    *at += size;
    return true;
}

static bool take_list(const char** at, const char* end, int** list, int count, int slots)
{
    free(*list);
    *list = calloc((size_t)count + 1, sizeof **list);
    if (!*list || !take(at, end, *list, (size_t)count * sizeof **list))
        return false;
    for (int i = 0; i < count; i++)
        if ((*list)[i] < 0 || (*list)[i] >= slots)
            return false;
    return true;
}

static bool take_peers(const char** at, const char* end, cairn_ranks* ranks)
{
    int slots = ranks->world->body_count;
    for (int r = 0; r < ranks->count; r++) {
        cairn_peer* peer = &ranks->peers[r];
        int counts[2];
        peer->own_count = peer->copy_count = 0;
        if (!take(at, end, counts, sizeof counts) || counts[0] < 0 || counts[0] > slots ||
            counts[1] < 0 || counts[1] > slots ||
            !take_list(at, end, &peer->own, counts[0], slots) ||
            !take_list(at, end, &peer->copies, counts[1], slots))
            return false;
        peer->own_count = counts[0];
        peer->copy_count = peer->copy_room = counts[1];
    }
    return true;
}

static cairn_status take_part(cairn_ranks* ranks, const char* bytes, size_t size, const char* path,
                              cairn_error* error)
{
    const char *at = bytes, *end = bytes + size;
    rank_head head = {0};

    // the file may be of another scene or damaged: nothing of it is believed
    bool fine = take(&at, end, &head, sizeof head) && head.slots >= 0 && head.slots < INT32_MAX &&
                head.snapshot >= 0 && (size_t)head.snapshot <= size;

    // the world first: lists are of its slots
    cairn_snapshot* snapshot = NULL;
    cairn_status status = CAIRN_OK;
    if (fine)
        status = cairn_snapshot_read(end - head.snapshot, (size_t)head.snapshot, ranks->assets,
                                     ranks->asset_count, &snapshot, error);
    if (fine && status == CAIRN_OK)
        status = cairn_world_restore(ranks->world, snapshot, error);
    cairn_snapshot_destroy(snapshot);
    if (status != CAIRN_OK)
        return status;

    size_t slots = fine ? (size_t)head.slots : 0;
    fine = fine && ranks->world->body_count == head.slots;
    int64_t* id = malloc((slots + 1) * sizeof *id);
    int* leaf = malloc((slots + 1) * sizeof *leaf);
    unsigned char* copy = malloc(slots + 1);

    // the lists are replaced together, or not at all
    if (id && leaf && copy) {
        free(ranks->id);
        free(ranks->leaf);
        ranks->id = id;
        ranks->leaf = leaf;
        ranks->slot_room = (int)slots;
    }

    fine = fine && id && leaf && copy && take(&at, end, id, slots * sizeof *id) &&
           take(&at, end, leaf, slots * sizeof *leaf) && take(&at, end, copy, slots) &&
           take_peers(&at, end, ranks);

    for (size_t i = 0; fine && i < slots; i++) {
        fine = leaf[i] >= 0 && leaf[i] < cairn_rank_boxes;
        ranks->world->bodies[i].copy = copy[i] != 0;
    }

    free(copy);
    ranks->steps = head.steps;
    return fine ? CAIRN_OK
                : cairn_fail(error, CAIRN_BAD_INPUT, "%s is not a checkpoint of this scene", path);
}

static bool read_at(MPI_File file, MPI_Offset at, void* bytes, size_t size)
{
    enum { most = 1 << 30 };
    bool fine = true;
    for (size_t done = 0; done < size && fine; done += most) {
        int count = size - done < most ? (int)(size - done) : most, got = 0;
        MPI_Status status;
        fine = MPI_File_read_at(file, at + (MPI_Offset)done, (char*)bytes + done, count, MPI_BYTE,
                                &status) == MPI_SUCCESS;
        if (fine)
            MPI_Get_count(&status, MPI_BYTE, &got);
        fine = fine && got == count;
    }
    return fine;
}

// the part of this rank, from malloc; NULL with a sentence
static char* read_part(const cairn_ranks* ranks, const char* path, size_t* size, cairn_error* error)
{
    MPI_File file;
    file_head head = {{0}, 0, 0, 0};
    char* bytes = NULL;
    size_t count = (size_t)ranks->count;
    int64_t* sizes = calloc(count, sizeof *sizes);
    if (!sizes ||
        MPI_File_open(MPI_COMM_SELF, path, MPI_MODE_RDONLY, MPI_INFO_NULL, &file) != MPI_SUCCESS) {
        free(sizes);
        cairn_fail(error, CAIRN_NO_FILE, "%s: cannot be opened", path);
        return NULL;
    }

    // the head must be that of this scene and of as many ranks
    MPI_Offset at = (MPI_Offset)(sizeof head + count * sizeof *sizes), whole = 0;
    MPI_File_get_size(file, &whole);
    bool fine = read_at(file, 0, &head, sizeof head) &&
                memcmp(head.magic, magic, sizeof magic) == 0 && head.total == ranks->total &&
                head.total_mix == ranks->total_mix;

    bool same = fine && head.ranks == ranks->count;
    fine = same && read_at(file, sizeof head, sizes, count * sizeof *sizes);

    // the own part lies behind those of the ranks before, within the file
    for (int r = 0; fine && r <= ranks->rank; r++) {
        fine = sizes[r] >= 0 && sizes[r] <= whole - at;
        at += fine && r < ranks->rank ? sizes[r] : 0;
    }
    *size = fine ? (size_t)sizes[ranks->rank] : 0;

    if (fine)
        bytes = malloc(*size + 1);
    fine = bytes && read_at(file, at, bytes, *size);

    if (!fine) {
        free(bytes);
        bytes = NULL;
    }

    // why it is refused
    if (!fine && memcmp(head.magic, magic, sizeof magic) == 0 && !same)
        cairn_fail(
            error, CAIRN_BAD_INPUT, "%s is of %lld bodies on %lld ranks, expected %lld on %d", path,
            (long long)head.total, (long long)head.ranks, (long long)ranks->total, ranks->count);
    else if (!fine)
        cairn_fail(error, CAIRN_BAD_INPUT, "%s is not a whole checkpoint", path);

    MPI_File_close(&file);
    free(sizes);
    return bytes;
}

cairn_status cairn_ranks_load(cairn_ranks* ranks, const char* path, cairn_error* error)
{
    size_t size = 0;
    char* bytes = read_part(ranks, path, &size, error);

    if (!all_fine(bytes != NULL)) {
        if (bytes)
            cairn_fail(error, CAIRN_BAD_INPUT, "another rank cannot read %s", path);
        free(bytes);
        return CAIRN_BAD_INPUT;
    }

    cairn_status status = take_part(ranks, bytes, size, path, error);
    free(bytes);
    bool fine = all_fine(status == CAIRN_OK);
    if (status == CAIRN_OK && !fine)
        status = cairn_fail(error, CAIRN_BAD_INPUT, "another rank cannot read %s", path);

    if (status == CAIRN_OK)
        status = cairn_ranks_claim(ranks, error);
    return status == CAIRN_OK ? cairn_ranks_connect(ranks, error) : status;
}
