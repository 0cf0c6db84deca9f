// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// A world on all ranks. A step is
//
//     copies      bodies near those of other ranks are copied there (copies.c)
//     step        every rank steps its world; contacts between ranks belong to the rank of the body with the
//                 smaller id; sweeps and position passes of the island of all shared bodies exchange what they
//                 do to these (messages.c)
//     report      the worst and the sums of all ranks, and a count of all bodies by their ids
//
// and now and then the bodies are dealt anew (deal.c). For the same number of ranks it has the same
// bits: sums are taken in the order of the ranks, and nothing depends on time.

#include "distributed/ranks.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// ---------------------------------------------------------------- whose contact it is

static bool is_ours(void* context, const cairn_world* world, cairn_body_id a, cairn_body_id b)
{
    const cairn_ranks* ranks = context;
    const cairn_body *first = &world->bodies[a.index], *second = &world->bodies[b.index];
    if (!first->copy && !second->copy)
        return true;
    if (first->copy && second->copy)
        return false;

    // static bodies are on every rank: their contacts belong to the owner of the other body
    int64_t own = ranks->id[first->copy ? b.index : a.index];
    int64_t other = ranks->id[first->copy ? a.index : b.index];
    return own >= 0 && own < other;
}

cairn_status cairn_ranks_claim(cairn_ranks* ranks, cairn_error* error)
{
    return cairn_world_set_pair_hook(ranks->world, is_ours, ranks, error);
}

// ---------------------------------------------------------------- numbers of all ranks

static uint64_t mix(uint64_t x)
{
    x ^= x >> 30;
    x *= 0xbf58476d1ce4e5b9u;
    x ^= x >> 27;
    x *= 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

// what a rank tells of a step
typedef struct told {
    int64_t count;
    uint64_t mixed; // ids
    cairn_step_report report;
    char method[24];
    cairn_traffic traffic;
    bool shares;
} told;

static void count_own(told* out, const cairn_ranks* ranks)
{
    for (int slot = 0; slot < ranks->world->body_count; slot++)
        if (cairn_rank_owns(ranks, slot)) {
            out->count++;
            out->mixed += mix((uint64_t)ranks->id[slot] + 1);
        }
}

static cairn_status check_count(const told* all, const cairn_ranks* ranks, cairn_error* error)
{
    int64_t count = 0;
    uint64_t mixed = 0;
    for (int r = 0; r < ranks->count; r++) {
        count += all[r].count;
        mixed += all[r].mixed;
    }
    if (count == ranks->total && mixed == ranks->total_mix)
        return CAIRN_OK;
    return cairn_fail(error, CAIRN_FAULT, "the ranks have %lld bodies, expected %lld of other ids",
                      (long long)count, (long long)ranks->total);
}

// the larger of two; a NaN is larger than any number
static double worst(double a, double b)
{
    return b <= a || a != a ? a : b;
}

// the report of the world from those of the ranks, in their order
static void merge(cairn_step_report* out, const told* all, const cairn_ranks* ranks)
{
    static const char automatic[] = "auto", none[] = "none";
    const char* own = out->method;
    bool differ = false;
    int sharers = 0;

    // counts and energies begin at zero, worst values with those of the first rank
    cairn_step_report sum = all[0].report;
    sum.motion = (cairn_motion){.inertia_raised = 1.0};
    sum.bodies = sum.contacts = sum.joints = sum.awake = sum.awake_contacts = 0;
    sum.islands = sum.rested = sum.frozen = sum.multiplicity = 0;
    sum.kinetic = sum.potential = sum.work = 0.0;

    for (int r = 0; r < ranks->count; r++) {
        const cairn_step_report* x = &all[r].report;
        sum.bodies += x->bodies;
        sum.contacts += x->contacts;
        sum.joints += x->joints;
        sum.awake += x->awake;
        sum.awake_contacts += x->awake_contacts;
        sum.islands += x->islands;
        sum.rested += x->rested;
        sum.frozen += x->frozen;
        sum.kinetic += x->kinetic;
        sum.potential += x->potential;
        sum.work += x->work;
        sum.multiplicity = sum.multiplicity < 0 || x->multiplicity < 0
                               ? CAIRN_MULTIPLICITY_UNKNOWN
                               : sum.multiplicity + x->multiplicity;
        cairn_motion_add(&sum.motion, &x->motion);
        sharers += all[r].shares;

        sum.residual = worst(sum.residual, x->residual);
        sum.residual_velocity = worst(sum.residual_velocity, x->residual_velocity);
        sum.penetration = worst(sum.penetration, x->penetration);
        sum.joint_error = worst(sum.joint_error, x->joint_error);
        sum.outcome = x->outcome > sum.outcome ? x->outcome : sum.outcome;
        sum.ms_broad = worst(sum.ms_broad, x->ms_broad);
        sum.ms_narrow = worst(sum.ms_narrow, x->ms_narrow);
        sum.ms_assemble = worst(sum.ms_assemble, x->ms_assemble);
        sum.ms_solve = worst(sum.ms_solve, x->ms_solve);
        sum.ms_integrate = worst(sum.ms_integrate, x->ms_integrate);

        if (strcmp(all[r].method, none) != 0 && strcmp(all[r].method, own) != 0) {
            differ = differ || strcmp(own, none) != 0;
            own = all[r].method;
        }
    }

    // the shared island was counted by each rank that shares it
    sum.islands -= sharers > 1 ? sharers - 1 : 0;
    sum.method = differ || strcmp(own, out->method) != 0 ? automatic : out->method;
    sum.island_reports = out->island_reports;
    *out = sum;
}

// ---------------------------------------------------------------- making one

// shape data that bodies borrow, in the order of the slots
static bool list_assets(cairn_ranks* ranks)
{
    const cairn_world* world = ranks->world;
    int room = 0;

    for (int slot = 0; slot < world->body_count; slot++) {
        const cairn_body* body = &world->bodies[slot];
        cairn_shape_kind kind = body->shape.kind;

        // only kinds with data of their own borrow anything
        bool known = !body->alive || !body->shaped ||
                     !(kind == CAIRN_SHAPE_HULL || kind == CAIRN_SHAPE_MESH ||
                       kind == CAIRN_SHAPE_HEIGHT_FIELD || kind == CAIRN_SHAPE_COMPOUND);
        for (int i = 0; i < ranks->asset_count && !known; i++)
            known = ranks->assets[i].shape.data.hull == body->shape.data.hull &&
                    ranks->assets[i].parts == body->parts;

        if (known)
            continue;

        if (ranks->asset_count == room) {
            room = 2 * room + 16;
            cairn_asset* grown = realloc(ranks->assets, (size_t)room * sizeof *grown);
            if (!grown)
                return false;
            ranks->assets = grown;
        }
        ranks->assets[ranks->asset_count++] = (cairn_asset){body->shape, body->parts};
    }
    return true;
}

static bool is_moving(const cairn_material* material)
{
    return cairn_dot(material->surface_velocity, material->surface_velocity) > 0.0;
}

static cairn_status accept_material(const cairn_material* material, cairn_error* error)
{
    const char* what = material->restitution > 0.0 ? "restitution"
                       : material->mu_roll > 0.0   ? "rolling resistance"
                       : is_moving(material)       ? "surface velocities"
                                                   : NULL;
    if (!what)
        return CAIRN_OK;
    return cairn_fail(error, CAIRN_NOT_SUPPORTED,
                      "the world has %s, which is not solved on several ranks yet", what);
}

// refuses worlds that the sweeps between ranks cannot solve yet
static cairn_status accept(const cairn_world* world, cairn_error* error)
{
    for (int i = 0; i < world->link_count; i++)
        if (world->links[i].alive)
            return cairn_fail(error, CAIRN_NOT_SUPPORTED,
                              "the world has joints, which are not solved on several ranks yet");

    for (int slot = 0; slot < world->body_count; slot++) {
        const cairn_body* body = &world->bodies[slot];
        if (!body->alive)
            continue;
        cairn_status status = accept_material(&body->material, error);
        bool parts = body->parts && body->shape.kind == CAIRN_SHAPE_COMPOUND;
        for (int k = 0; parts && k < body->shape.data.compound->count && status == CAIRN_OK; k++)
            status = accept_material(&body->parts[k].material, error);
        if (status != CAIRN_OK)
            return status;
    }

    if (world->alerts)
        return cairn_fail(error, CAIRN_NOT_SUPPORTED,
                          "the world has sensors or alerts, which several ranks do not have yet");
    if (!world->automatic)
        return cairn_fail(error, CAIRN_NOT_SUPPORTED,
                          "the method is '%s', expected 'auto' on several ranks",
                          world->def.method);
    if (world->def.budget > 0.0 || world->def.work > 0.0)
        return cairn_fail(error, CAIRN_NOT_SUPPORTED, "steps on several ranks have no budget yet");
    return CAIRN_OK;
}

static bool reserve(cairn_ranks* ranks)
{
    size_t count = (size_t)ranks->count;
    ranks->slot_room = ranks->world->body_count + 1;
    ranks->id = malloc((size_t)ranks->slot_room * sizeof *ranks->id);
    ranks->leaf = calloc((size_t)ranks->slot_room, sizeof *ranks->leaf);
    ranks->peers = calloc(count, sizeof *ranks->peers);
    ranks->boxes = calloc(count * cairn_rank_boxes, sizeof *ranks->boxes);
    ranks->sharing = calloc(count, sizeof *ranks->sharing);
    ranks->requests = calloc(2 * count, sizeof(MPI_Request));
    ranks->gathered = calloc(2 * count, sizeof *ranks->gathered);
    return ranks->id && ranks->leaf && ranks->peers && ranks->boxes && ranks->sharing &&
           ranks->requests && ranks->gathered && list_assets(ranks);
}

// numbers the dynamic bodies of the whole world, and removes those of other ranks
static cairn_status number(cairn_ranks* ranks, bool parted, cairn_error* error)
{
    cairn_world* world = ranks->world;
    cairn_status status = CAIRN_OK;
    int64_t next = parted ? ranks->rank : 0, step = parted ? ranks->count : 1;
    for (int slot = 0; slot < ranks->slot_room; slot++)
        ranks->id[slot] = -1;
    for (int slot = 0; slot < world->body_count && status == CAIRN_OK; slot++) {
        if (!cairn_rank_owns(ranks, slot))
            continue;
        ranks->id[slot] = next;
        if (next % ranks->count != ranks->rank)
            status = cairn_ranks_remove(ranks, slot, error);
        next += step;
    }
    return status;
}

static cairn_status spread(cairn_ranks* ranks, bool parted, cairn_error* error)
{
    cairn_world* world = ranks->world;
    cairn_status status = number(ranks, parted, error);
    if (status != CAIRN_OK)
        return status;

    // gaps that count as closed depend on the smallest body, which must be that of all ranks
    MPI_Allreduce(MPI_IN_PLACE, &world->touching, 1, MPI_DOUBLE, MPI_MIN, MPI_COMM_WORLD);
    told own = {0};
    count_own(&own, ranks);
    MPI_Allreduce(&own.count, &ranks->total, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
    MPI_Allreduce(&own.mixed, &ranks->total_mix, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);

    // islands of several ranks cannot fall asleep, and those of one would be woken by copies
    cairn_world_wake_all(world);
    world->def.sleep = false;
    world->def.threads = 1;
    status = cairn_ranks_claim(ranks, error);
    return status == CAIRN_OK ? cairn_ranks_deal(ranks, error) : status;
}

cairn_status cairn_ranks_create(cairn_world* world, bool parted, cairn_ranks** out,
                                cairn_error* error)
{
    *out = NULL;

    cairn_status status = accept(world, error);
    if (status != CAIRN_OK)
        return status;

    cairn_ranks* ranks = calloc(1, sizeof *ranks);
    if (!ranks)
        return cairn_fail(error, CAIRN_NO_MEMORY, "no memory for a world on several ranks");

    ranks->world = world;
    ranks->sharers = MPI_COMM_NULL;
    MPI_Comm_rank(MPI_COMM_WORLD, &ranks->rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks->count);

    if (!reserve(ranks))
        status =
            cairn_fail(error, CAIRN_NO_MEMORY, "no memory for a world on %d ranks", ranks->count);

    if (status == CAIRN_OK)
        status = spread(ranks, parted, error);

    if (status != CAIRN_OK) {
        cairn_ranks_destroy(ranks);
        return status;
    }
    *out = ranks;
    return CAIRN_OK;
}

void cairn_ranks_destroy(cairn_ranks* ranks)
{
    if (!ranks)
        return;

    ((cairn_world_room*)ranks->world)->exchange = NULL;
    for (int r = 0; ranks->peers && r < ranks->count; r++) {
        cairn_peer* peer = &ranks->peers[r];
        free(peer->own);
        free(peer->copies);
        free(peer->own_index);
        free(peer->copy_index);
        free(peer->out);
        free(peer->in);
    }

    if (ranks->sharers != MPI_COMM_NULL)
        MPI_Comm_free(&ranks->sharers);

    free(ranks->id);
    free(ranks->leaf);
    free(ranks->peers);
    free(ranks->assets);
    free(ranks->boxes);
    free(ranks->shared);
    free(ranks->sharing);
    free(ranks->requests);
    free(ranks->gathered);
    free(ranks);
}

// ---------------------------------------------------------------- a step

static double processor_time(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

cairn_status cairn_ranks_step(cairn_ranks* ranks, double dt, cairn_step_report* report,
                              cairn_error* error)
{
    enum { deal_after = 128 }; // steps: bodies have mixed, and copies are more than they need be

    // bodies are dealt anew when enough steps have mixed them
    cairn_status status = CAIRN_OK;
    if (ranks->steps >= deal_after)
        status = cairn_ranks_deal(ranks, error);

    if (status == CAIRN_OK)
        status = cairn_ranks_copy(ranks, dt, error);

    told own = {0}, *all = calloc((size_t)ranks->count, sizeof *all);
    if (status == CAIRN_OK && !all)
        status =
            cairn_fail(error, CAIRN_NO_MEMORY, "no memory for reports of %d ranks", ranks->count);

    // the step itself, of which the processor time counts as busy
    double begun = processor_time();
    if (status == CAIRN_OK)
        status = cairn_world_step(ranks->world, dt, &own.report, error);

    // each rank tells its report to all, and all make the same sum of them
    if (status == CAIRN_OK) {
        ranks->traffic.busy += processor_time() - begun;
        ranks->traffic.memory = (int64_t)cairn_world_memory(ranks->world, NULL);
        ranks->steps++;
        ranks->islands = own.report.islands;
        own.shares = ranks->exchange.count > 0;
        snprintf(own.method, sizeof own.method, "%s", own.report.method);
        count_own(&own, ranks);
        cairn_ranks_gather(ranks, &own, sizeof own, all, MPI_COMM_WORLD);
        status = check_count(all, ranks, error);
        merge(&own.report, all, ranks);
    }

    if (status == CAIRN_OK && report)
        *report = own.report;
    free(all);
    return status;
}

int cairn_ranks_islands(const cairn_ranks* ranks)
{
    return ranks->islands;
}

// ---------------------------------------------------------------- what all ranks have together

// sums numbers of all ranks, in their order
static void sum_ranks(const cairn_ranks* ranks, double* x, int count)
{
    double* all = malloc((size_t)ranks->count * (size_t)count * sizeof *all);
    if (!all)
        MPI_Abort(MPI_COMM_WORLD, 3);
    MPI_Allgather(x, count, MPI_DOUBLE, all, count, MPI_DOUBLE, MPI_COMM_WORLD);
    for (int k = 0; k < count; k++) {
        x[k] = 0.0;
        for (int r = 0; r < ranks->count; r++)
            x[k] += all[r * count + k];
    }
    free(all);
}

void cairn_ranks_energy(cairn_ranks* ranks, double* kinetic, double* potential)
{
    double both[2];
    cairn_world_energy(ranks->world, &both[0], &both[1]);
    sum_ranks(ranks, both, 2);
    *kinetic = both[0];
    *potential = both[1];
}

uint64_t cairn_ranks_hash(cairn_ranks* ranks)
{
    uint64_t own = 0, all = 0;
    for (int slot = 0; slot < ranks->world->body_count; slot++) {
        const cairn_body* body = &ranks->world->bodies[slot];
        if (!cairn_rank_owns(ranks, slot))
            continue;

        const double numbers[13] = {body->x.x, body->x.y, body->x.z, body->q.w, body->q.x,
                                    body->q.y, body->q.z, body->v.x, body->v.y, body->v.z,
                                    body->w.x, body->w.y, body->w.z};

        // the sum does not depend on the order, nor on who has the body
        uint64_t bits, hash = mix((uint64_t)ranks->id[slot] + 1);
        for (int k = 0; k < 13; k++) {
            memcpy(&bits, &numbers[k], sizeof bits);
            hash = mix(hash ^ bits);
        }
        own += hash;
    }

    MPI_Allreduce(&own, &all, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
    return all;
}

void cairn_ranks_loads(cairn_ranks* ranks, double momentum[3], double ground[3])
{
    const cairn_world* world = ranks->world;
    cairn_vec3 P = cairn_vec(0.0, 0.0, 0.0), F = P;

    for (int slot = 0; slot < world->body_count; slot++)
        if (cairn_rank_owns(ranks, slot))
            P = cairn_add_scaled(P, 1.0 / world->bodies[slot].inverse_mass, world->bodies[slot].v);

    // forces on bodies that do not move, from the impulses of the last step
    for (int c = 0; c < world->touch_count; c++) {
        const cairn_touch* touch = &world->touches[c];
        if (world->bodies[touch->b].type != CAIRN_BODY_DYNAMIC)
            F = cairn_add_scaled(F, 1.0 / world->dt, touch->total);
        else if (world->bodies[touch->a].type != CAIRN_BODY_DYNAMIC)
            F = cairn_add_scaled(F, -1.0 / world->dt, touch->total);
    }

    double both[6] = {P.x, P.y, P.z, F.x, F.y, F.z};
    sum_ranks(ranks, both, 6);
    memcpy(momentum, both, 3 * sizeof *both);
    memcpy(ground, both + 3, 3 * sizeof *both);
}

cairn_traffic cairn_ranks_traffic(cairn_ranks* ranks, int rank)
{
    cairn_traffic traffic = ranks->traffic;
    MPI_Bcast(&traffic, sizeof traffic, MPI_BYTE, rank, MPI_COMM_WORLD);
    return traffic;
}
