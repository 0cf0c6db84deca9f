// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Moving piles: sweeps of projected Gauss-Seidel over clusters of contacts (cluster.h), made faster
// by conjugate directions. With S the sweep, forward and backward in turn,
//
//     λ' = S(λ),   d = λ' - λ,   β = |d|² / |d_old|²  in the norm of the kinetic energy,
//     λ = λ' + β p,   p = β p + d          (β > 1: start again from p = d)
//
// which is the nonlinear conjugate-gradient step of Silcowitz-Hansen, Niebe and Erleben (2010). The
// bodies' velocities are linear in λ, so a step along p is a step along p_v, carried beside it.
//
// The end is told by the certificate: velocities afresh from the impulses alone. Sweeps are right
// for heaps where many contacts slide or part; for loads that go through many bodies, and for great
// ratios of masses, they converge slowly: then a more exact method goes on from here.

#include "world/cluster.h"
#include "world/island.h"
#include <string.h>

enum { most_colors = 64, least_sweeps = 2, most_sweeps = 200, lanes = cairn_cluster_lanes };

// the contacts of an island in clusters, for all substeps of a step
struct cairn_pack {
    int count;
    cairn_cluster* clusters;
};

typedef struct sweeper {
    const cairn_span* span;
    cairn_simd_level level;
    cairn_cluster_pass pass;
    int place_count;
    double* velocity;      // 8 per place; the last place is the ground
    double *before, *way;  // λ before the sweep and p, 3 x lanes per cluster
    double *start, *way_v; // v before the sweep and p_v, 8 per place
    double* weight;        // mass and mean moment of inertia of each place
    double last;           // |d_old|²
} sweeper;

// ---------------------------------------------------------------- dealing contacts to clusters

// greedy coloring; returns the number of clusters and lists the contacts cluster by cluster, -1 for
// empty lanes
static int deal(int** list, const cairn_span* span)
{
    cairn_arena* arena = span->arena;
    const cairn_island* island = span->island;
    const int* touches = span->group->touches + island->touch;
    int count = island->touch_count, size[most_colors + 1] = {0}, begin[most_colors + 1];
    uint64_t* used = CAIRN_TAKE_ZEROED(arena, uint64_t, island->body_count + 1);
    unsigned char* color = CAIRN_TAKE(arena, unsigned char, count);
    if (arena->failed)
        return -1;
    for (int c = 0; c < count; c++) {
        const cairn_touch* touch = &span->world->touches[touches[c]];
        int a = span->group->local[touch->a], b = span->group->local[touch->b];
        uint64_t taken = (a < 0 ? 0 : used[a]) | (b < 0 ? 0 : used[b]);
        int k = ~taken ? __builtin_ctzll(~taken) : most_colors;
        color[c] = (unsigned char)k;
        size[k]++;
        if (a >= 0 && k < most_colors)
            used[a] |= UINT64_C(1) << k;
        if (b >= 0 && k < most_colors)
            used[b] |= UINT64_C(1) << k;
    }

    // whole clusters of each color; one contact per cluster for what found none
    int clusters = 0;
    for (int k = 0; k <= most_colors; k++) {
        begin[k] = lanes * clusters;
        clusters += k < most_colors ? (size[k] + lanes - 1) / lanes : size[k];
    }
    *list = CAIRN_TAKE(arena, int, lanes*(size_t)clusters);
    if (!*list)
        return -1;
    memset(*list, 0xff, lanes * (size_t)clusters * sizeof(int));
    for (int c = 0; c < count; c++) {
        (*list)[begin[color[c]]] = touches[c];
        begin[color[c]] += color[c] < most_colors ? 1 : lanes;
    }
    return clusters;
}

static void put(double (*to)[lanes], int l, cairn_vec3 v)
{
    to[0][l] = v.x;
    to[1][l] = v.y;
    to[2][l] = v.z;
}

// what a step keeps of one contact
static void fill_lane(cairn_cluster* cluster, int l, const cairn_span* span, int c)
{
    const cairn_world* world = span->world;
    const cairn_touch* touch = &world->touches[c];
    const int slots[2] = {touch->a, touch->b};
    for (int side = 0; side < 2; side++) {
        const cairn_body* body = &world->bodies[slots[side]];
        int place = span->group->local[slots[side]];
        cairn_vec3 at = side ? touch->at_b : touch->at_a;
        // the ground has one place at the origin: points of what is not active in the world
        if (place < 0)
            at = cairn_add(body->x, cairn_rotate(body->q, at));
        put(cluster->anchor[side], l, at);
        cluster->body[side][l] = place < 0 ? span->island->body_count : place;
        cluster->driven = cluster->driven || (place < 0 && body->type == CAIRN_KINEMATIC);
    }
    put(cluster->normal, l, touch->n);
    put(cluster->tangent, l, touch->t);
    cluster->mu[l] = touch->friction.mu[0];
    cluster->touch[l] = c;
}

// the impulses that the contacts hold
static void load_impulses(cairn_cluster* cluster, const cairn_span* span)
{
    for (int l = 0; l < lanes; l++) {
        if (cluster->touch[l] < 0)
            continue;
        const cairn_touch* touch = &span->world->touches[cluster->touch[l]];
        cairn_vec3 P = cairn_scale(cairn_touch_warmth(touch, span->h), touch->impulse);
        cluster->lambda[0][l] = cairn_dot(P, touch->n);
        cluster->lambda[1][l] = cairn_dot(P, touch->t);
        cluster->lambda[2][l] = cairn_dot(P, touch->s);
    }
}

static cairn_status make_pack(const cairn_span* span)
{
    cairn_arena* keep = span->keep;
    int* list;
    int count = deal(&list, span);
    cairn_pack* pack = CAIRN_TAKE(keep, cairn_pack, 1);
    cairn_cluster* clusters = CAIRN_TAKE(keep, cairn_cluster, count > 0 ? count : 0);
    if (count < 0 || keep->failed)
        return CAIRN_NO_MEMORY;
    for (int i = 0; i < count; i++) {
        cairn_cluster* cluster = &clusters[i];
        memset(cluster, 0, sizeof *cluster);
        for (int l = 0; l < lanes; l++) {
            cluster->touch[l] = -1;
            cluster->body[0][l] = cluster->body[1][l] = span->island->body_count;
            if (list[lanes * i + l] >= 0)
                fill_lane(cluster, l, span, list[lanes * i + l]);
        }
        load_impulses(cluster, span);
    }
    *pack = (cairn_pack){count, clusters};
    span->island->pack = pack;
    return CAIRN_OK;
}

// ---------------------------------------------------------------- a substep's numbers

// 8 numbers for each place: pose, mass and v*
static void load_bodies(sweeper* s, double* pose, double* mass)
{
    const cairn_island* island = s->span->island;
    for (int i = 0; i < s->place_count; i++) {
        double *x = pose + 8 * (ptrdiff_t)i, *m = mass + 8 * (ptrdiff_t)i;
        x[3] = 1.0; // no turn
        if (i == island->body_count)
            break;
        int slot = s->span->group->bodies[island->body + i];
        const cairn_body* body = &s->span->world->bodies[slot];
        const cairn_mat3* J = &body->inverse_inertia;
        const double place[8] = {body->x.x, body->x.y, body->x.z, body->q.w,
                                 body->q.x, body->q.y, body->q.z, 0.0};
        const double inverse[8] = {
            body->inverse_mass, J->cx.x, J->cy.y, J->cz.z, J->cy.x, J->cz.x, J->cz.y, 0.0};
        memcpy(x, place, sizeof place);
        memcpy(m, inverse, sizeof inverse);
    }
}

static void load_velocities(const sweeper* s)
{
    const cairn_island* island = s->span->island;
    for (int i = 0; i < island->body_count; i++)
        memcpy(s->velocity + 8 * (ptrdiff_t)i,
               s->span->free + 6 * (ptrdiff_t)s->span->group->bodies[island->body + i],
               6 * sizeof(double));
}

// the points of partners that are moved from outside
static void follow_driven(cairn_cluster* cluster, const cairn_span* span)
{
    for (int l = 0; l < lanes; l++) {
        if (cluster->touch[l] < 0)
            continue;
        const cairn_touch* touch = &span->world->touches[cluster->touch[l]];
        cairn_vec3 drive = cairn_vec(0.0, 0.0, 0.0);
        for (int side = 0; side < 2; side++) {
            const cairn_body* body = &span->world->bodies[side ? touch->b : touch->a];
            if (body->type != CAIRN_KINEMATIC)
                continue;
            cairn_vec3 arm = cairn_rotate(body->q, side ? touch->at_b : touch->at_a);
            cairn_vec3 v = cairn_add(body->v, cairn_cross(body->w, arm));
            put(cluster->anchor[side], l, cairn_add(body->x, arm));
            drive = cairn_add_scaled(drive, side ? 1.0 : -1.0, v);
        }
        put(cluster->drive, l, drive);
    }
}

static bool prepare(sweeper* s, const cairn_span* span, double* scale)
{
    cairn_world* world = span->world;
    cairn_arena* arena = span->arena;
    cairn_pack* pack = span->island->pack;
    bool soft = world->def.stabilization == CAIRN_STABILIZE_VELOCITIES;
    *s = (sweeper){.span = span, .level = cairn_simd_detect()};
    s->place_count = span->island->body_count + 1;
    size_t numbers = 8 * (size_t)s->place_count, impulses = 3 * lanes * (size_t)pack->count;
    double* pose = CAIRN_TAKE_ZEROED(arena, double, numbers);
    double* mass = CAIRN_TAKE_ZEROED(arena, double, numbers);
    s->velocity = CAIRN_TAKE_ZEROED(arena, double, numbers);
    s->start = CAIRN_TAKE(arena, double, numbers);
    s->way_v = CAIRN_TAKE_ZEROED(arena, double, numbers);
    s->before = CAIRN_TAKE(arena, double, impulses);
    s->way = CAIRN_TAKE_ZEROED(arena, double, impulses);
    s->weight = CAIRN_TAKE(arena, double, 2 * (size_t)s->place_count);
    if (arena->failed)
        return false;
    load_bodies(s, pose, mass);
    for (int i = 0; i < span->island->body_count; i++) {
        const double* m = mass + 8 * (ptrdiff_t)i;
        double mean = (m[1] + m[2] + m[3]) / 3.0;
        s->weight[2 * (ptrdiff_t)i] = m[0] > 0.0 ? 1.0 / m[0] : 0.0;
        s->weight[2 * (ptrdiff_t)i + 1] = mean > 0.0 ? 1.0 / mean : 0.0;
    }
    load_velocities(s);
    s->pass = (cairn_cluster_pass){
        .clusters = pack->clusters,
        .count = pack->count,
        .velocity = s->velocity,
        .mass = mass,
        .pose = pose,
        .remaining = world->def.integrator == CAIRN_MIDPOINT ? 0.5 * span->h : span->h,
        .touching = cairn_touching_gap,
        .slop = world->def.slop,
        .baumgarte = soft ? world->def.baumgarte : 0.0};
    for (int i = 0; i < pack->count; i++)
        if (pack->clusters[i].driven)
            follow_driven(&pack->clusters[i], span);
    CAIRN_PICK_KERNEL(s->level, cairn_cluster_place)(&s->pass);
    *scale = s->pass.worst;
    return true;
}

// ---------------------------------------------------------------- sweeping

static double plain_sweep(sweeper* s, bool backward)
{
    s->pass.backward = backward;
    CAIRN_PICK_KERNEL(s->level, cairn_cluster_sweep)(&s->pass);
    return s->pass.worst;
}

// |d|² by the energy of the change of velocity; rotation counts at the mean inertia
static double change_square(const sweeper* s)
{
    double sum = 0.0;
    for (int i = 0; i < s->place_count - 1; i++) {
        const double *v = s->velocity + 8 * (ptrdiff_t)i, *v0 = s->start + 8 * (ptrdiff_t)i;
        const double* m = s->weight + 2 * (ptrdiff_t)i;
        double linear = 0.0, angular = 0.0;
        for (int k = 0; k < 3; k++) {
            linear += (v[k] - v0[k]) * (v[k] - v0[k]);
            angular += (v[3 + k] - v0[3 + k]) * (v[3 + k] - v0[3 + k]);
        }
        sum += m[0] * linear + m[1] * angular;
    }
    return sum;
}

static double accelerated_sweep(sweeper* s, bool backward)
{
    enum { each = 3 * lanes };
    size_t numbers = 8 * (size_t)s->place_count;
    for (int i = 0; i < s->pass.count; i++)
        memcpy(s->before + each * (ptrdiff_t)i, s->pass.clusters[i].lambda, each * sizeof(double));
    memcpy(s->start, s->velocity, numbers * sizeof(double));
    double worst = plain_sweep(s, backward);
    double square = change_square(s);
    double beta = s->last > 0.0 ? square / s->last : 0.0;
    if (beta > 1.0)
        beta = 0.0;
    for (int i = 0; i < s->pass.count; i++) {
        double *lambda = &s->pass.clusters[i].lambda[0][0], *way = s->way + each * (ptrdiff_t)i;
        const double* before = s->before + each * (ptrdiff_t)i;
        CAIRN_PICK_KERNEL(s->level, cairn_cluster_follow)(lambda, way, before, each, beta);
    }
    double* v = s->velocity;
    CAIRN_PICK_KERNEL(s->level, cairn_cluster_follow)(v, s->way_v, s->start, (int)numbers, beta);
    s->last = square;
    return worst;
}

// velocities afresh from the impulses, and the residual of both
static double certify(sweeper* s)
{
    load_velocities(s);
    CAIRN_PICK_KERNEL(s->level, cairn_cluster_push)(&s->pass);
    CAIRN_PICK_KERNEL(s->level, cairn_cluster_measure)(&s->pass);
    return s->pass.worst;
}

// impulses and gaps of a cluster to the contacts
static void store_cluster(const cairn_cluster* cluster, const cairn_span* span)
{
    for (int l = 0; l < lanes; l++) {
        if (cluster->touch[l] < 0)
            continue;
        cairn_touch* touch = &span->world->touches[cluster->touch[l]];
        cairn_vec3 P = cairn_scale(cluster->lambda[0][l], touch->n);
        P = cairn_add_scaled(P, cluster->lambda[1][l], touch->t);
        P = cairn_add_scaled(P, cluster->lambda[2][l], touch->s);
        cairn_vec3 sum = cairn_scale(cluster->total[0][l], touch->n);
        sum = cairn_add_scaled(sum, cluster->total[1][l], touch->t);
        sum = cairn_add_scaled(sum, cluster->total[2][l], touch->s);
        touch->gap = cluster->gap[l];
        touch->total = cairn_add(touch->total, sum);
        cairn_touch_keep(touch, P, 0.0, span->h);
    }
}

// Velocities to the bodies, impulses to the contacts: with the last substep, or at once when other
// methods may go on from them or somebody looks on.
static void store(const sweeper* s)
{
    const cairn_span* span = s->span;
    const cairn_world* world = span->world;
    bool now = span->last || world->def.sweeps == 0 || world->solve_hook;
    for (int i = 0; i < s->pass.count; i++) {
        cairn_cluster* cluster = &s->pass.clusters[i];
        if (now)
            store_cluster(cluster, span);
        for (int k = 0; k < 3 * lanes && !now; k++)
            (&cluster->total[0][0])[k] += (&cluster->lambda[0][0])[k];
    }
    for (int i = 0; i < span->island->body_count; i++) {
        cairn_body* body = &span->world->bodies[span->group->bodies[span->island->body + i]];
        const double* v = s->velocity + 8 * (ptrdiff_t)i;
        if (!cairn_body_active(body))
            continue;
        body->v = cairn_vec(v[0], v[1], v[2]);
        body->w = cairn_vec(v[3], v[4], v[5]);
    }
}

// the impulses at hand act on the bodies, unless none at all are the better start
static void start(sweeper* s, cairn_judged* judged)
{
    judged->residual = certify(s);
    if (judged->residual <= judged->scale)
        return;
    for (int i = 0; i < s->pass.count; i++)
        memset(s->pass.clusters[i].lambda, 0, sizeof s->pass.clusters[i].lambda);
    judged->residual = certify(s);
}

cairn_status cairn_island_sweep(const cairn_span* span, cairn_judged* judged, bool* solved)
{
    sweeper s;
    cairn_status status = span->island->pack ? CAIRN_OK : make_pack(span);
    if (status != CAIRN_OK || !prepare(&s, span, &judged->scale))
        return CAIRN_NO_MEMORY;
    int budget = span->world->def.sweeps > 0 ? span->world->def.sweeps : most_sweeps;
    double target = span->world->def.tolerance * judged->scale;
    start(&s, judged);
    for (int k = 0; k < budget && judged->residual > target;) {
        double worst = INFINITY;
        for (int end = k + least_sweeps; k + 1 < budget && (worst > target || k < end); k++)
            worst = accelerated_sweep(&s, k % 2 == 1);
        // the last sweep is plain: its impulses lie in their cones
        plain_sweep(&s, k++ % 2 == 1);
        s.last = 0.0;
        judged->residual = certify(&s);
    }
    *solved = judged->residual <= target || span->world->def.sweeps > 0;
    if (*solved)
        store(&s);
    return CAIRN_OK;
}

// ---------------------------------------------------------------- positions

cairn_status cairn_pack_push(const cairn_span* span, double least, double most)
{
    enum { rounds = 4 };
    sweeper s = {.span = span, .level = cairn_simd_detect()};
    cairn_arena* arena = span->arena;
    s.place_count = span->island->body_count + 1;
    size_t numbers = 8 * (size_t)s.place_count;
    double* pose = CAIRN_TAKE_ZEROED(arena, double, numbers);
    double* mass = CAIRN_TAKE_ZEROED(arena, double, numbers);
    double* moved = CAIRN_TAKE_ZEROED(arena, double, numbers);
    if (arena->failed)
        return CAIRN_NO_MEMORY;
    load_bodies(&s, pose, mass);
    s.pass = (cairn_cluster_pass){.clusters = span->island->pack->clusters,
                                  .count = span->island->pack->count,
                                  .velocity = moved,
                                  .mass = mass,
                                  .pose = pose,
                                  .remaining = 1.0,
                                  .slop = span->world->def.slop,
                                  .longest = most};
    for (int i = 0; i < s.pass.count; i++) {
        if (s.pass.clusters[i].driven)
            follow_driven(&s.pass.clusters[i], span);
        memset(s.pass.clusters[i].amount, 0, sizeof s.pass.clusters[i].amount);
    }
    CAIRN_PICK_KERNEL(s.level, cairn_cluster_place)(&s.pass);
    if (s.pass.deepest + s.pass.slop >= -least)
        return CAIRN_OK;
    for (int k = 0; k < rounds; k++) {
        s.pass.backward = k % 2 == 1;
        CAIRN_PICK_KERNEL(s.level, cairn_cluster_part)(&s.pass);
    }
    for (int i = 0; i < span->island->body_count; i++) {
        cairn_body* body = &span->world->bodies[span->group->bodies[span->island->body + i]];
        if (cairn_body_active(body))
            cairn_body_displace(body, moved + 8 * (ptrdiff_t)i);
    }
    return CAIRN_OK;
}
