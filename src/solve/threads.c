// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Threads, what they work on, and their barrier; see threads.h. A ticket says which list of items is
// worked on, how many it has and which comes next; who moves it on from one item to the next has that
// item. So nobody has to come, and a list is done when all items are that somebody has taken.
//
// Who waits for a ticket, for the last items or at the barrier looks on for a moment, gives way for a
// while, and then sleeps; who brings what is waited for wakes sleepers. That none is missed is
// Dekker's argument: a sleeper announces itself before it looks once more, and who brings it brings it
// before looking for sleepers. Where there are more threads than processors, those that wait sleep at
// once: looking on would take the processor from the ones that they wait for.

#include "solve/threads.h"
#include "math/stop.h"
#include "math/system.h"
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

enum { most_members = 64, looks_before_yield = 200, looks_before_sleep = 400 };

typedef struct member {
    cairn_team* team;
    int rank;
    cairn_thread thread;
} member;

struct cairn_team {
    _Atomic(uint64_t) ticket; // list << 32 | items << 16 | the next one
    atomic_int left;          // items that are not done
    atomic_int arrived;       // at the barrier
    atomic_int round;         // of it
    atomic_int sleepers;
    atomic_bool open; // members that have nothing to do wait for more
    cairn_lock mutex; // of the sleepers
    cairn_condition woken;
    int count;
    bool crowded; // more members than processors
    bool led;     // members of a host are at hand
    int alone;    // brief lists that the caller does by itself,
    int penalty;  // and how many it will when one comes late again
    cairn_team_item item;
    cairn_team_function function; // of cairn_team_run
    void* context;
    void* function_context;
    cairn_task_hook hook; // of a host that has the threads; NULL: they are the team's own
    void* host;
    member members[most_members];
};

// ---------------------------------------------------------------- waiting

static void look_away(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ __volatile__("yield");
#endif
}

// what somebody waits for
typedef bool (*news)(cairn_team* team, uint64_t known);

static bool has_ticket(cairn_team* team, uint64_t known)
{
    return atomic_load(&team->ticket) != known || !atomic_load(&team->open);
}

static bool is_done(cairn_team* team, uint64_t known)
{
    (void)known;
    return atomic_load(&team->left) == 0;
}

static bool is_opened(cairn_team* team, uint64_t known)
{
    return (uint64_t)atomic_load(&team->round) != known;
}

// whether it came while looking on
static bool look_on(cairn_team* team, news came, uint64_t known, int most_looks)
{
    for (int looks = 0; !team->crowded && looks < most_looks; looks++) {
        if (came(team, known))
            return true;
        look_away();
    }
    return came(team, known);
}

static void wait_for(cairn_team* team, news came, uint64_t known)
{
    if (look_on(team, came, known, looks_before_yield))
        return;
    for (int looks = 0; !team->crowded && looks < looks_before_sleep; looks++) {
        if (came(team, known))
            return;
        cairn_thread_yield();
    }

    cairn_lock_acquire(&team->mutex);
    atomic_fetch_add(&team->sleepers, 1);
    while (!came(team, known))
        cairn_condition_wait(&team->woken, &team->mutex);
    atomic_fetch_sub(&team->sleepers, 1);
    cairn_lock_release(&team->mutex);
}

static void wake_sleepers(cairn_team* team)
{
    if (atomic_load(&team->sleepers) == 0)
        return;
    cairn_lock_acquire(&team->mutex);
    cairn_condition_wake_all(&team->woken);
    cairn_lock_release(&team->mutex);
}

void cairn_team_meet(cairn_team* team)
{
    int round = atomic_load_explicit(&team->round, memory_order_acquire);
    if (atomic_fetch_add_explicit(&team->arrived, 1, memory_order_acq_rel) + 1 == team->count) {
        atomic_store_explicit(&team->arrived, 0, memory_order_relaxed);
        atomic_store(&team->round, round + 1);
        wake_sleepers(team);
        return;
    }
    wait_for(team, is_opened, (uint64_t)round);
}

// ---------------------------------------------------------------- items

// the items of a list from the `next` one on; the others were taken before
static void publish(cairn_team* team, cairn_team_item item, void* context, int count, int next)
{
    uint64_t list = (atomic_load_explicit(&team->ticket, memory_order_relaxed) >> 32) + 1;
    team->item = item;
    team->context = context;
    atomic_store_explicit(&team->left, count - next, memory_order_relaxed);
    atomic_store(&team->ticket, list << 32 | (uint64_t)count << 16 | (uint64_t)next);
    if (!team->hook || team->led)
        wake_sleepers(team);
}

// works on items until all are taken; returns the ticket that tells so
static uint64_t take_items(cairn_team* team, int rank)
{
    uint64_t ticket = atomic_load_explicit(&team->ticket, memory_order_acquire);
    while ((ticket & 0xffff) < (ticket >> 16 & 0xffff)) {
        if (!atomic_compare_exchange_weak(&team->ticket, &ticket, ticket + 1))
            continue;
        team->item(team->context, rank, (int)(ticket & 0xffff));
        if (atomic_fetch_sub(&team->left, 1) == 1)
            wake_sleepers(team);
        ticket = atomic_load_explicit(&team->ticket, memory_order_acquire);
    }
    return ticket;
}

static void serve(cairn_team* team, int rank)
{
    while (atomic_load(&team->open))
        wait_for(team, has_ticket, take_items(team, rank));
}

static void serve_once(void* context, int rank)
{
    take_items(context, rank);
}

void cairn_team_each(cairn_team* team, cairn_team_item function, void* context, int count)
{
    if (!team || team->count == 1 || count == 1) {
        for (int i = 0; i < count; i++)
            function(context, 0, i);
        return;
    }
    if (count <= 0)
        return;
    publish(team, function, context, count, 0);
    if (team->hook && !team->led) {
        team->hook(team->host, team->count, serve_once, team);
        return;
    }
    take_items(team, 0);
    wait_for(team, is_done, 0);
}

// Waits for the last items. What comes late was with a member that has lost its processor: the caller does the next
// lists by itself, more of them each time.
static void wait_briefly(cairn_team* team)
{
    enum { looks = 1000, least_penalty = 256, most_penalty = 8192 };
    static const double late = 3e-4; // s
    if (look_on(team, is_done, 0, looks)) {
        team->penalty -= team->penalty > 0;
        return;
    }
    double since = cairn_clock();
    wait_for(team, is_done, 0);
    if (team->crowded || cairn_clock() - since < late)
        return;
    team->penalty = team->penalty < least_penalty ? least_penalty : 2 * team->penalty;
    team->penalty = team->penalty < most_penalty ? team->penalty : most_penalty;
    team->alone = team->penalty;
}

void cairn_team_each_brief(cairn_team* team, cairn_team_item function, void* context, int count)
{
    if (!team || team->count == 1 || count == 1 || team->alone > 0) {
        for (int i = 0; i < count; i++)
            function(context, 0, i);
        if (team && team->alone > 0)
            team->alone--;
        return;
    }
    if (count <= 0)
        return;
    if (team->hook && !team->led) {
        cairn_team_each(team, function, context, count);
        return;
    }
    publish(team, function, context, count, 0);
    take_items(team, 0);
    wait_briefly(team);
}

// ---------------------------------------------------------------- the same function

static void run_member(void* context, int rank, int item)
{
    cairn_team* team = context;
    (void)rank;
    team->function(team->function_context, item);
}

void cairn_team_run(cairn_team* team, cairn_team_function function, void* context)
{
    if (team->hook && !team->led) {
        team->hook(team->host, team->count, function, context);
        return;
    }
    team->function = function;
    team->function_context = context;
    publish(team, run_member, team, team->count, 1);
    function(context, 0);
    wait_for(team, is_done, 0);
}

typedef struct lead {
    cairn_team* team;
    void (*function)(void* context);
    void* context;
} lead;

static void close_team(cairn_team* team)
{
    atomic_store(&team->open, false);
    wake_sleepers(team);
}

static void lead_or_serve(void* context, int rank)
{
    const lead* own = context;
    if (rank > 0) {
        serve(own->team, rank);
        return;
    }
    own->function(own->context);
    close_team(own->team);
}

void cairn_team_lead(cairn_team* team, void (*function)(void* context), void* context)
{
    if (!team || !team->hook || team->led) {
        function(context);
        return;
    }
    lead own = {team, function, context};
    atomic_store(&team->open, true);
    team->led = true;
    team->hook(team->host, team->count, lead_or_serve, &own);
    team->led = false;
}

// ---------------------------------------------------------------- members

static void* work(void* argument)
{
    member* self = argument;
    serve(self->team, self->rank);
    return NULL;
}

static cairn_team* make_team(int count)
{
    cairn_team* team = calloc(1, sizeof(cairn_team));
    if (!team)
        return NULL;
    cairn_lock_init(&team->mutex);
    cairn_condition_init(&team->woken);
    team->crowded = count > cairn_processor_count();
    team->count = 1;
    atomic_store(&team->open, true);
    return team;
}

cairn_team* cairn_team_of_host(int count, cairn_task_hook hook, void* context)
{
    cairn_team* team = make_team(count);
    if (!team)
        return NULL;
    team->count = count < most_members ? count : most_members;
    team->hook = hook;
    team->host = context;
    return team;
}

cairn_team* cairn_team_start(int count)
{
    cairn_team* team = make_team(count);
    if (!team)
        return NULL;

    while (team->count < count && team->count < most_members) {
        member* next = &team->members[team->count];
        *next = (member){.team = team, .rank = team->count};
        if (!cairn_thread_start(&next->thread, work, next))
            break;
        team->count++;
    }
    return team;
}

void cairn_team_stop(cairn_team* team)
{
    if (!team)
        return;
    close_team(team);
    for (int i = 1; i < team->count && !team->hook; i++)
        cairn_thread_join(&team->members[i].thread);
    cairn_condition_destroy(&team->woken);
    cairn_lock_destroy(&team->mutex);
    free(team);
}

int cairn_team_count(const cairn_team* team)
{
    return team->count;
}
