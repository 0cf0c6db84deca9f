// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Threads and their barrier; see threads.h. The barrier counts arrivals; the last one to come opens
// it by moving the round on. Who waits spins for a moment, gives way for a while, and then sleeps;
// the opener wakes sleepers. That none is missed is Dekker's argument: a sleeper announces itself
// before it looks at the round once more, the opener moves the round before it looks for sleepers.
// Where there are more threads than processors, those that wait sleep at once: spinning would take
// the processor from the ones that they wait for.

#include "solve/threads.h"
#include "math/system.h"
#include <stdatomic.h>
#include <stdlib.h>

enum { most_members = 64, spins_before_yield = 2000, spins_before_sleep = 4000 };

typedef struct member {
    cairn_team* team;
    int rank;
    cairn_thread thread;
} member;

struct cairn_team {
    atomic_int ready; // the number of members is final
    atomic_int arrived;
    atomic_int round;
    atomic_int sleepers;
    cairn_lock mutex; // of the sleepers
    cairn_condition opened;
    int count;
    bool crowded; // more members than processors
    bool stop;
    cairn_team_function function;
    void* context;
    cairn_task_hook hook; // of a host that has the threads; NULL: they are the team's own
    void* host;
    member members[most_members];
};

static void open_barrier(cairn_team* team, int round)
{
    atomic_store_explicit(&team->arrived, 0, memory_order_relaxed);
    atomic_store(&team->round, round + 1);
    if (atomic_load(&team->sleepers) == 0)
        return;
    cairn_lock_acquire(&team->mutex);
    cairn_condition_wake_all(&team->opened);
    cairn_lock_release(&team->mutex);
}

static void sleep_until_opened(cairn_team* team, int round)
{
    cairn_lock_acquire(&team->mutex);
    atomic_fetch_add(&team->sleepers, 1);
    while (atomic_load(&team->round) == round)
        cairn_condition_wait(&team->opened, &team->mutex);
    atomic_fetch_sub(&team->sleepers, 1);
    cairn_lock_release(&team->mutex);
}

void cairn_team_meet(cairn_team* team)
{
    int round = atomic_load_explicit(&team->round, memory_order_acquire);
    if (atomic_fetch_add_explicit(&team->arrived, 1, memory_order_acq_rel) + 1 == team->count) {
        open_barrier(team, round);
        return;
    }
    for (int spins = 0; atomic_load_explicit(&team->round, memory_order_acquire) == round;) {
        if (team->crowded || ++spins > spins_before_sleep)
            sleep_until_opened(team, round);
        else if (spins > spins_before_yield)
            cairn_thread_yield();
    }
}

static void* work(void* argument)
{
    member* self = argument;
    cairn_team* team = self->team;
    while (!atomic_load_explicit(&team->ready, memory_order_acquire))
        cairn_thread_yield();
    for (;;) {
        cairn_team_meet(team);
        if (team->stop)
            return NULL;
        team->function(team->context, self->rank);
        cairn_team_meet(team);
    }
}

static cairn_team* make_team(int count)
{
    cairn_team* team = calloc(1, sizeof(cairn_team));
    if (!team)
        return NULL;
    cairn_lock_init(&team->mutex);
    cairn_condition_init(&team->opened);
    team->crowded = count > cairn_processor_count();
    team->count = 1;
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

    atomic_store_explicit(&team->ready, 1, memory_order_release);
    return team;
}

void cairn_team_stop(cairn_team* team)
{
    if (!team)
        return;
    team->stop = true;
    if (!team->hook)
        cairn_team_meet(team);
    for (int i = 1; i < team->count && !team->hook; i++)
        cairn_thread_join(&team->members[i].thread);
    cairn_condition_destroy(&team->opened);
    cairn_lock_destroy(&team->mutex);
    free(team);
}

int cairn_team_count(const cairn_team* team)
{
    return team->count;
}

void cairn_team_run(cairn_team* team, cairn_team_function function, void* context)
{
    if (team->hook) {
        team->hook(team->host, team->count, function, context);
        return;
    }
    team->function = function;
    team->context = context;
    cairn_team_meet(team);
    function(context, 0);
    cairn_team_meet(team);
}
