// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// A world in two halves that are stepped side by side, by two threads that stand for two processes.
// Both know all bodies, each owns a half of them, and every contact is in one of them alone.

#include "check_cairn.h"
#include "world/state.h"
#include "worlds.h"
#include <cairn/alert.h>
#include <pthread.h>
#include <string.h>

enum { most_numbers = 6 * 4096 };

// what the two tell each other
typedef struct meeting {
    pthread_barrier_t barrier;
    double numbers[2][most_numbers];
} meeting;

typedef struct half {
    meeting* between;
    int which;
    cairn_world* world;
    cairn_exchange exchange;
    int slots[4096];
    int steps;
    cairn_step_report report;
    cairn_vec3 ground; // N: on what is static, in the last step
} half;

static void sum(void* context, double* numbers, int each)
{
    half* h = context;
    size_t count = (size_t)h->exchange.count * (size_t)each;
    memcpy(h->between->numbers[h->which], numbers, count * sizeof *numbers);
    pthread_barrier_wait(&h->between->barrier);
    for (size_t i = 0; i < count; i++)
        numbers[i] = h->between->numbers[0][i] + h->between->numbers[1][i];
    pthread_barrier_wait(&h->between->barrier);
}

static void agree(void* context, double* total, double* most)
{
    half* h = context;
    double(*all)[most_numbers] = h->between->numbers;
    all[h->which][0] = *total;
    all[h->which][1] = *most;
    pthread_barrier_wait(&h->between->barrier);
    *total = all[0][0] + all[1][0];
    *most = all[0][1] <= all[1][1] ? all[1][1] : all[0][1];
    pthread_barrier_wait(&h->between->barrier);
}

// a contact belongs to the owner of the body with the smaller slot; of static ones to that of the other
static bool is_ours(void* context, const cairn_world* world, cairn_body_id a, cairn_body_id b)
{
    (void)context;
    const cairn_body *first = &world->bodies[a.index], *second = &world->bodies[b.index];
    bool owns = a.index < b.index ? !first->copy : !second->copy;
    if (first->type != CAIRN_BODY_DYNAMIC)
        owns = !second->copy;
    if (second->type != CAIRN_BODY_DYNAMIC)
        owns = !first->copy;
    return owns;
}

// bodies on either side of the plane x = 0 belong to one half each
static void share(half* h)
{
    cairn_world* world = h->world;
    for (int slot = 0; slot < world->body_count; slot++) {
        cairn_body* body = &world->bodies[slot];
        if (body->type != CAIRN_BODY_DYNAMIC)
            continue;
        body->spread = true;
        body->copy = (body->x.x > 0.0) != (h->which == 1);
        h->slots[h->exchange.count++] = slot;
    }

    h->exchange.bodies = h->slots;
    h->exchange.first = h->which == 0;
    h->exchange.context = h;
    h->exchange.sum = sum;
    h->exchange.agree = agree;
    ((cairn_world_room*)world)->exchange = &h->exchange;
    CHECK(cairn_world_set_pair_hook(world, is_ours, h, NULL) == CAIRN_OK);
}

static void* run_half(void* context)
{
    half* h = context;
    for (int k = 0; k < h->steps; k++)
        if (cairn_world_step(h->world, 1.0 / 60.0, &h->report, NULL) != CAIRN_OK)
            return NULL;
    for (int c = 0; c < h->world->touch_count; c++) {
        const cairn_touch* touch = &h->world->touches[c];
        bool below = h->world->bodies[touch->a].type != CAIRN_BODY_DYNAMIC;
        if (below || h->world->bodies[touch->b].type != CAIRN_BODY_DYNAMIC)
            h->ground = cairn_add_scaled(h->ground, below ? -60.0 : 60.0, touch->total);
    }
    return h;
}

// both halves of a heap of n³ balls, stepped
static void run_halves(half h[2], meeting* between, int n, int steps)
{
    cairn_world_def def = cairn_default_world_def();
    pthread_t threads[2];
    void* done[2];
    def.sleep = false;
    memset(h, 0, 2 * sizeof *h);
    ck_assert_int_eq(pthread_barrier_init(&between->barrier, NULL, 2), 0);

    // each half is a world of its own, on a thread of its own
    for (int k = 0; k < 2; k++) {
        h[k].between = between;
        h[k].which = k;
        h[k].steps = steps;
        h[k].world = worlds_heap(def, n);
        share(&h[k]);
    }

    for (int k = 0; k < 2; k++)
        ck_assert_int_eq(pthread_create(&threads[k], NULL, run_half, &h[k]), 0);
    for (int k = 0; k < 2; k++)
        pthread_join(threads[k], &done[k]);

    ck_assert_ptr_nonnull(done[0]);
    ck_assert_ptr_nonnull(done[1]);

    pthread_barrier_destroy(&between->barrier);
}

static void end_halves(half h[2])
{
    for (int k = 0; k < 2; k++) {
        ((cairn_world_room*)h[k].world)->exchange = NULL;
        cairn_world_destroy(h[k].world);
    }
}

static double momentum_of(const cairn_world* world)
{
    double sum_z = 0.0;
    for (int i = 0; i < world->body_count; i++)
        if (world->bodies[i].inverse_mass > 0.0)
            sum_z += world->bodies[i].v.z / world->bodies[i].inverse_mass;
    return sum_z;
}

static half halves[2], later[2];
static meeting between;

TEST(copies_have_the_bits_of_the_bodies_that_they_are_of)
{
    run_halves(halves, &between, 5, 40);
    const cairn_world *a = halves[0].world, *b = halves[1].world;
    ck_assert_int_gt(halves[0].report.contacts, 50);
    ck_assert_int_gt(halves[1].report.contacts, 50);
    for (int i = 0; i < a->body_count; i++) {
        ck_assert(memcmp(&a->bodies[i].x, &b->bodies[i].x, sizeof a->bodies[i].x) == 0);
        ck_assert(memcmp(&a->bodies[i].q, &b->bodies[i].q, sizeof a->bodies[i].q) == 0);
        ck_assert(memcmp(&a->bodies[i].v, &b->bodies[i].v, sizeof a->bodies[i].v) == 0);
        ck_assert(memcmp(&a->bodies[i].w, &b->bodies[i].w, sizeof a->bodies[i].w) == 0);
    }
    end_halves(halves);
}
END

TEST(both_halves_tell_the_same_certificate_and_meet_it)
{
    run_halves(halves, &between, 5, 40);
    double tolerance = cairn_world_def_tolerance(&halves[0].world->def);
    ck_assert(halves[0].report.residual == halves[1].report.residual);
    ck_assert(halves[0].report.residual <= tolerance);
    ck_assert_int_eq(halves[0].report.outcome, CAIRN_OUTCOME_CONVERGED);
    ck_assert_int_eq(halves[0].report.bodies + halves[1].report.bodies, 125);
    end_halves(halves);
}
END

TEST(the_ground_bears_the_weight_of_both_halves)
{
    run_halves(halves, &between, 5, 40);
    run_halves(later, &between, 5, 41);
    double weight = 0.0, g = cairn_norm(later[0].world->def.gravity);
    for (int i = 0; i < later[0].world->body_count; i++)
        if (later[0].world->bodies[i].inverse_mass > 0.0)
            weight += g / later[0].world->bodies[i].inverse_mass;

    // P' - P = dt (F - m g): sums of some hundred numbers round to 1e-9 of the weight
    double change = 60.0 * (momentum_of(later[0].world) - momentum_of(halves[0].world));
    double ground = -(later[0].ground.z + later[1].ground.z);
    CHECK_NEAR(change, ground - weight, 1e-9 * weight);
    end_halves(halves);
    end_halves(later);
}
END

TESTS(copies_have_the_bits_of_the_bodies_that_they_are_of,
      both_halves_tell_the_same_certificate_and_meet_it, the_ground_bears_the_weight_of_both_halves)
