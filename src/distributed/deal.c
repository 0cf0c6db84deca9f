// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Recursive bisection: the ranks are halved and so are the bodies, by a plane across the longest
// side of the box about their centers, until each rank has its own box. No rank knows all centers:
// a plane is found by halving an interval, with the bodies below it counted on all ranks at once.
// All cuts of a level are found together, so that a level takes as many messages as one cut.

#include "distributed/ranks.h"
#include <float.h>
#include <stdlib.h>
#include <string.h>

// A set of ranks and the bodies that will be theirs.
typedef struct part {
    int first, end; // ranks
    int axis;
    double lo, hi; // m: the plane is between them
    int64_t want;  // bodies below it
} part;

typedef struct dealing {
    MPI_Comm ranks; // who counts: all, or one alone
    int count;      // bodies here
    double* x;      // 3 of each
    int* of;        // its part
    int parts;
    part* part;
    double*
        low; // 6 of each part: the box about its centers, the upper bounds with their signs changed
    int64_t *below, *all;
} dealing;

static void find_axes(dealing* d)
{
    // the box about the centers of each part; −max is a minimum too, so that one reduction does
    for (int i = 0; i < 6 * d->parts; i++)
        d->low[i] = DBL_MAX;
    for (int i = 0; i < d->parts; i++)
        d->below[i] = 0;

    for (int i = 0; i < d->count; i++) {
        double* low = d->low + 6 * d->of[i];
        d->below[d->of[i]]++;
        for (int k = 0; k < 3; k++) {
            low[k] = fmin(low[k], d->x[3 * i + k]);
            low[3 + k] = fmin(low[3 + k], -d->x[3 * i + k]);
        }
    }

    // the same bounds and counts on all ranks
    MPI_Allreduce(MPI_IN_PLACE, d->low, 6 * d->parts, MPI_DOUBLE, MPI_MIN, d->ranks);
    MPI_Allreduce(d->below, d->all, d->parts, MPI_INT64_T, MPI_SUM, d->ranks);

    // the plane is across the longest side, and leaves as many bodies below as its ranks are due
    for (int i = 0; i < d->parts; i++) {
        part* p = &d->part[i];
        const double* low = d->low + 6 * i;
        p->axis = 0;
        for (int k = 1; k < 3; k++)
            if (-low[3 + k] - low[k] > -low[3 + p->axis] - low[p->axis])
                p->axis = k;
        p->lo = low[p->axis];
        p->hi = -low[3 + p->axis];

        int ranks = p->end - p->first, half = ranks / 2;
        p->want = d->all[i] * half / ranks;
    }
}

// halves the interval of each plane until it is where it belongs
static void find_planes(dealing* d)
{
    enum { halvings = 48 };
    for (int round = 0; round < halvings; round++) {
        for (int i = 0; i < d->parts; i++)
            d->below[i] = 0;

        for (int i = 0; i < d->count; i++) {
            const part* p = &d->part[d->of[i]];
            d->below[d->of[i]] += d->x[3 * i + p->axis] < 0.5 * (p->lo + p->hi);
        }

        MPI_Allreduce(d->below, d->all, d->parts, MPI_INT64_T, MPI_SUM, d->ranks);
        for (int i = 0; i < d->parts; i++) {
            part* p = &d->part[i];
            double middle = 0.5 * (p->lo + p->hi);
            *(d->all[i] < p->want ? &p->lo : &p->hi) = middle;
        }
    }
}

// cuts each part of several ranks in two; false when there are none
static bool cut(dealing* d)
{
    bool any = false;
    for (int i = 0; i < d->parts; i++)
        any = any || d->part[i].end - d->part[i].first > 1;
    if (!any)
        return false;

    find_axes(d);
    find_planes(d);

    // the upper half of part i becomes the part behind all others
    int parts = d->parts;
    int* upper = malloc((size_t)parts * sizeof *upper);
    if (!upper)
        MPI_Abort(MPI_COMM_WORLD, 3);
    for (int i = 0; i < parts; i++) {
        part* p = &d->part[i];
        upper[i] = -1;
        if (p->end - p->first < 2)
            continue;
        int middle = p->first + (p->end - p->first) / 2;
        upper[i] = d->parts;
        d->part[d->parts++] = (part){.first = middle, .end = p->end};
        p->end = middle;
    }

    // bodies above the plane go to the upper half
    for (int i = 0; i < d->count; i++) {
        const part* p = &d->part[d->of[i]];
        if (upper[d->of[i]] >= 0 && !(d->x[3 * i + p->axis] < 0.5 * (p->lo + p->hi)))
            d->of[i] = upper[d->of[i]];
    }

    free(upper);
    return true;
}

// Deals the centers x to so many ranks, or to so many boxes of one; `of` receives which. False
// without memory.
static bool bisect(int* of, double* x, int count, int into, MPI_Comm ranks)
{
    dealing d = {.ranks = ranks, .count = count, .x = x, .of = of, .parts = 1};
    d.part = calloc((size_t)into, sizeof *d.part);
    d.low = calloc(6 * (size_t)into, sizeof *d.low);
    d.below = calloc((size_t)into, sizeof *d.below);
    d.all = calloc((size_t)into, sizeof *d.all);
    bool fits = d.part && d.low && d.below && d.all;

    // one part of all ranks is cut until each part is one rank
    if (fits) {
        d.part[0].end = into;
        memset(of, 0, (size_t)count * sizeof *of);
        while (cut(&d))
            ;

        for (int i = 0; i < count; i++)
            of[i] = d.part[of[i]].first;
    }

    free(d.part);
    free(d.low);
    free(d.below);
    free(d.all);
    return fits;
}

// own bodies, and their centers
static int list_own(const cairn_ranks* ranks, int* slots, double* x)
{
    int count = 0;
    for (int slot = 0; slot < ranks->world->body_count; slot++) {
        const cairn_body* body = &ranks->world->bodies[slot];
        if (!cairn_rank_owns(ranks, slot))
            continue;
        const double at[3] = {body->x.x, body->x.y, body->x.z};
        memcpy(x + 3 * (ptrdiff_t)count, at, sizeof at);
        slots[count++] = slot;
    }
    return count;
}

// sends the bodies away that are others' now
static cairn_status migrate(cairn_ranks* ranks, const int* slots, const int* to, int count,
                            cairn_error* error)
{
    cairn_parcel* out = calloc((size_t)ranks->count, sizeof *out);
    cairn_parcel* in = calloc((size_t)ranks->count, sizeof *in);
    cairn_status status = CAIRN_OK;
    bool fits = out && in;

    // own bodies that now belong to others leave the world
    for (int i = 0; i < count && fits && status == CAIRN_OK; i++) {
        if (to[i] == ranks->rank)
            continue;
        cairn_traveler traveler;
        cairn_traveler_take(&traveler, ranks, slots[i]);
        fits = cairn_parcel_add(&out[to[i]], &traveler, sizeof traveler);
        status = cairn_ranks_remove(ranks, slots[i], error);
        ranks->traffic.moved++;
    }

    if (!fits)
        status = cairn_fail(error, CAIRN_NO_MEMORY, "no memory for bodies that change their rank");

    if (status == CAIRN_OK)
        status = cairn_ranks_trade(ranks, out, in, error);

    // and those of others come in, in the order of the ranks
    for (int r = 0; r < ranks->count && status == CAIRN_OK; r++)
        for (size_t at = 0; at < in[r].size && status == CAIRN_OK; at += sizeof(cairn_traveler)) {
            cairn_traveler traveler;
            int slot;
            memcpy(&traveler, (const char*)in[r].bytes + at, sizeof traveler);
            status = cairn_traveler_settle(ranks, &traveler, false, &slot, error);
        }

    cairn_parcels_free(out, ranks->count);
    cairn_parcels_free(in, ranks->count);
    return status;
}

// how many ranks the world is worth: what is small is solved sooner, and exactly, by one
static int worth(const cairn_ranks* ranks)
{
    enum { least_bodies = 256 };
    int64_t most = ranks->total / least_bodies;
    return most < 1 ? 1 : most < ranks->count ? (int)most : ranks->count;
}

cairn_status cairn_ranks_deal(cairn_ranks* ranks, cairn_error* error)
{
    cairn_status status = cairn_ranks_drop_copies(ranks, error);
    for (int pass = 0; pass < 2 && status == CAIRN_OK; pass++) {
        size_t slots = (size_t)ranks->world->body_count + 1;
        int *own = malloc(slots * sizeof *own), *to = malloc(slots * sizeof *to), count = 0;
        double* x = malloc(3 * slots * sizeof *x);
        bool fits = own && to && x;
        if (fits)
            count = list_own(ranks, own, x);

        // first to the ranks, then those of a rank to its boxes
        if (fits && pass == 0)
            fits = bisect(to, x, count, worth(ranks), MPI_COMM_WORLD);
        if (fits && pass == 0)
            status = migrate(ranks, own, to, count, error);
        if (fits && pass == 1)
            fits = bisect(to, x, count, cairn_rank_boxes, MPI_COMM_SELF);
        for (int i = 0; i < count && fits && pass == 1; i++)
            ranks->leaf[own[i]] = to[i];

        ranks->traffic.bodies = count;
        if (!fits)
            status = cairn_fail(error, CAIRN_NO_MEMORY, "no memory to deal %d bodies", count);
        free(own);
        free(to);
        free(x);
    }

    ranks->steps = 0;
    ranks->traffic.partitions++;
    return status;
}
