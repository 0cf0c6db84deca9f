// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// SIGINT and SIGTERM: a flag that every solver polls, so that a computation ends at once and what
// was written so far is closed properly. A second signal ends the program the hard way.

#include "verb.h"
#include <math.h>
#include <signal.h>
#include <string.h>
#include <sys/time.h>

// signal handlers reach nothing but file scope
static cairn_cancel canceled;
static cairn_world* volatile stepping;
static volatile sig_atomic_t caught;

static void cancel_step(int number)
{
    cairn_world* world = stepping;
    (void)number;
    if (world)
        cairn_world_cancel(world);
}

static void note(int number)
{
    caught = number;
    cairn_cancel_raise(&canceled);
    cancel_step(number);
}

static void handle(int number, void (*handler)(int), int flags)
{
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = handler;
    action.sa_flags = flags;
    sigaction(number, &action, NULL);
}

const cairn_cancel* verb_canceled(void)
{
    return &canceled;
}

const cairn_cancel* verb_catch_signals(void)
{
    handle(SIGINT, note, (int)SA_RESETHAND);
    handle(SIGTERM, note, (int)SA_RESETHAND);
    return &canceled;
}

void verb_cancel_steps(cairn_world* world, double seconds)
{
    struct itimerval timer = {.it_value = {.tv_sec = (time_t)seconds}};
    stepping = world;

    // the timer repeats: a signal that comes between two steps cancels nothing
    if (seconds > 0.0) {
        handle(SIGALRM, cancel_step, SA_RESTART);
        double rest = 1e6 * (seconds - (double)timer.it_value.tv_sec);
        timer.it_value.tv_usec = (suseconds_t)fmin(rest + 1.0, 999999.0);
        timer.it_interval.tv_usec = 50000;
    }
    setitimer(ITIMER_REAL, &timer, NULL);
}

int verb_signal(void)
{
    return (int)caught;
}
