// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Many hostile calls in any build, without a fuzzer: sessions (api.h) of bytes drawn from a seed.
//
//     hostile_calls [CALLS [SEED [FOLDER [PROCESSES]]]]
//     hostile_calls replay FILE        tells every call of a session that was kept
//
// Defaults: 1000000 calls, seed 1, no folder, as many processes as there are processors.
//
// Sessions run in child processes; a session that crashes, hangs or breaks a promise is told with
// its number, and the rest goes on. With a folder, its bytes are kept there as a file that
// `fuzz_api FILE` replays. The last line counts; the exit status is 1 when something was found.
//
// A call may take 2 s of processor time in a release build (api_judge.c); one that never ends is
// ended after 4 s.

#include "api.h"
#include "fuzz.h"
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

enum { session_bytes = 3072, call_seconds = 4, sessions_per_child = 16 };

// what the parent sees of its child, also after a crash
typedef struct shared {
    api_tally tally;
    long session; // the one at hand
} shared;

// splitmix64
static uint64_t draw(uint64_t* state)
{
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static size_t fill(uint8_t* bytes, uint64_t seed, long session)
{
    uint64_t state = seed * 0x100000001b3u + (uint64_t)session;
    size_t size = 256 + (size_t)(draw(&state) % (session_bytes - 256));
    for (size_t i = 0; i < size; i++)
        bytes[i] = (uint8_t)draw(&state);
    return size;
}

// a call that takes so many seconds of processor time is ended by SIGPROF, with its process
static void limit_time(void)
{
    struct itimerval timer = {{0, 0}, {call_seconds, 0}};
    setitimer(ITIMER_PROF, &timer, NULL);
}

static void run_session(shared* s, uint64_t seed)
{
    uint8_t bytes[session_bytes];
    size_t size = fill(bytes, seed, s->session);
    api_run(bytes, size, &s->tally);
}

static void keep(const char* folder, uint64_t seed, long session)
{
    char path[512];
    uint8_t bytes[session_bytes];
    size_t size = fill(bytes, seed, session);
    snprintf(path, sizeof path, "%s/session-%llu-%ld", folder, (unsigned long long)seed, session);
    FILE* file = fopen(path, "wb");
    if (!file)
        return;
    fwrite(bytes, 1, size, file);
    fclose(file);
}

// what ended a child, told in one line
static void tell(const shared* s, int status)
{
    const char* what = s->tally.fault;
    if (!what[0] && WIFSIGNALED(status) && WTERMSIG(status) == SIGPROF)
        what = "did not end";
    else if (!what[0])
        what = WIFSIGNALED(status) ? strsignal(WTERMSIG(status)) : "ended the process";
    printf("session %ld, in %s: %s\n", s->session, s->tally.call, what);
    fflush(stdout);
}

typedef struct driver {
    uint64_t seed;
    const char* folder; // for sessions that went wrong, or NULL
    long first;         // the next session that nobody has begun
    long found;
    shared* children;
    pid_t* process;
    long* end; // of the sessions of each child
} driver;

// a child that goes on with sessions [first, end)
static bool start(driver* d, int k, long first)
{
    shared* s = &d->children[k];
    s->tally.fault[0] = 0;
    s->session = first;
    fflush(stdout);
    d->process[k] = fork();
    if (d->process[k] != 0)
        return d->process[k] > 0;

    // the parent tells what went wrong
    if (!freopen("/dev/null", "w", stderr))
        _exit(2);
    for (; s->session < d->end[k]; s->session++)
        run_session(s, d->seed);
    _exit(0);
}

// waits for a child; one that went wrong goes on after the session that did it
static bool await(driver* d, int count)
{
    int status = 0, k = 0;
    pid_t ended = waitpid(-1, &status, 0);
    while (k < count && d->process[k] != ended)
        k++;
    if (k == count)
        return false;
    d->process[k] = 0;
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return true;
    tell(&d->children[k], status);
    if (d->folder)
        keep(d->folder, d->seed, d->children[k].session);
    d->found++;
    return d->children[k].session + 1 >= d->end[k] || start(d, k, d->children[k].session + 1);
}

static api_tally total(const driver* d, int count)
{
    api_tally sum;
    memset(&sum, 0, sizeof sum);
    for (int k = 0; k < count; k++) {
        const api_tally* t = &d->children[k].tally;
        sum.calls += t->calls;
        sum.refused += t->refused;
        sum.steps += t->steps;
        if (t->slowest >= sum.slowest) {
            sum.slowest = t->slowest;
            memcpy(sum.slow_call, t->slow_call, sizeof sum.slow_call);
        }
    }
    return sum;
}

// so many children at once until enough calls were made
static bool drive(driver* d, int count, long calls)
{
    for (;;) {
        int busy = 0;
        for (int k = 0; k < count; k++) {
            if (!d->process[k] && total(d, count).calls < calls) {
                d->end[k] = d->first + sessions_per_child;
                if (!start(d, k, d->first))
                    return false;
                d->first += sessions_per_child;
            }
            busy += d->process[k] != 0;
        }
        if (busy == 0)
            return true;
        if (!await(d, count))
            return false;
    }
}

static int replay(const char* path)
{
    static uint8_t bytes[1 << 16];
    api_tally tally;
    FILE* file = fopen(path, "rb");
    if (!file)
        return 2;
    size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    memset(&tally, 0, sizeof tally);
    tally.told = true;
    api_run(bytes, size, &tally);
    fprintf(stderr, "%ld calls, slowest %.3f s (%s)\n", tally.calls, tally.slowest,
            tally.slow_call);
    return 0;
}

int main(int argc, char** argv)
{
    if (argc == 3 && strcmp(argv[1], "replay") == 0)
        return replay(argv[2]);
    long calls = argc > 1 ? atol(argv[1]) : 1000000;
    int count = argc > 4 ? atoi(argv[4]) : (int)sysconf(_SC_NPROCESSORS_ONLN);
    count = count < 1 ? 1 : count;
    size_t room = (size_t)count * sizeof(shared);
    shared* children = mmap(NULL, room, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    driver d = {.seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1,
                .folder = argc > 3 && argv[3][0] ? argv[3] : NULL,
                .children = children,
                .process = calloc((size_t)count, sizeof(pid_t)),
                .end = calloc((size_t)count, sizeof(long))};
    if (children == MAP_FAILED || !d.process || !d.end)
        return 2;
    for (int k = 0; k < count; k++)
        children[k].tally.watch = limit_time;
    if (!drive(&d, count, calls))
        return 2;
    api_tally t = total(&d, count);
    printf("%ld calls in %ld sessions, %ld steps, %ld refused, slowest %.3f s (%s), %ld found\n",
           t.calls, d.first, t.steps, t.refused, t.slowest, t.slow_call, d.found);
    free(d.process);
    free(d.end);
    return d.found > 0;
}
