// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// What a host does in the library's place: the physics is the same to the bit, and nothing leaks.

#include "check_cairn.h"
#include "math/assert.h"
#include "worlds.h"
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

// ---------------------------------------------------------------- memory

typedef struct purse {
    atomic_long blocks, bytes, requests;
    long most; // requests that are granted; negative: all
} purse;

static void* grant(void* context, size_t size, size_t alignment)
{
    purse* p = context;
    if (p->most >= 0 && atomic_load(&p->requests) >= p->most)
        return NULL;
    atomic_fetch_add(&p->requests, 1);
    atomic_fetch_add(&p->blocks, 1);
    atomic_fetch_add(&p->bytes, (long)size);
    return aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}

static void take_back(void* context, void* memory, size_t size)
{
    purse* p = context;
    atomic_fetch_sub(&p->blocks, 1);
    atomic_fetch_sub(&p->bytes, (long)size);
    free(memory);
}

static uint64_t heap_hash(int threads, cairn_task_hook hook, void* context)
{
    cairn_world_def def = cairn_default_world_def();
    def.threads = threads;
    cairn_world* world = worlds_heap(def, 4);
    CHECK(cairn_world_set_task_hook(world, hook, context, NULL) == CAIRN_OK);

    worlds_run(world, 40);
    cairn_snapshot* snapshot = NULL;
    CHECK(cairn_world_snapshot(world, &snapshot, NULL) == CAIRN_OK);

    worlds_run(world, 10);
    CHECK(cairn_world_restore(world, snapshot, NULL) == CAIRN_OK);
    cairn_snapshot_destroy(snapshot);

    worlds_run(world, 10);
    uint64_t hash = cairn_world_hash(world);
    cairn_world_destroy(world);
    return hash;
}

TEST(a_world_in_the_hosts_memory_is_the_same_and_gives_all_of_it_back)
{
    uint64_t expected = heap_hash(1, NULL, NULL);
    purse p = {.most = -1};
    cairn_allocator host = {grant, take_back, &p};
    CHECK(cairn_set_allocator(&host, NULL) == CAIRN_OK);

    ck_assert_uint_eq(heap_hash(1, NULL, NULL), expected);
    ck_assert_uint_eq(heap_hash(2, NULL, NULL), expected);
    ck_assert_int_gt(p.requests, 20);
    ck_assert_int_eq(p.blocks, 0);
    ck_assert_int_eq(p.bytes, 0);

    // not while something of it is in use
    cairn_world* world = worlds_empty(cairn_default_world_def());

    ck_assert_int_gt(p.blocks, 0);
    CHECK(cairn_set_allocator(NULL, NULL) == CAIRN_BUSY);
    cairn_world_destroy(world);
    CHECK(cairn_set_allocator(&(cairn_allocator){grant, NULL, NULL}, NULL) == CAIRN_BAD_INPUT);

    CHECK(cairn_set_allocator(NULL, NULL) == CAIRN_OK);
}
END

TEST(a_host_without_memory_is_told_and_loses_none)
{
    for (long most = 0; most < 60; most += 3) {
        purse p = {.most = most};
        cairn_allocator host = {grant, take_back, &p};
        cairn_world_def def = cairn_default_world_def();
        cairn_world* world = NULL;
        CHECK(cairn_set_allocator(&host, NULL) == CAIRN_OK);
        cairn_status status = cairn_world_create(&def, &world, NULL);

        cairn_body_def body = cairn_default_body_def();
        cairn_shape ball = cairn_shape_sphere(0.5);
        cairn_body_id id;
        body.shape = &ball;

        for (int i = 0; i < 40 && status == CAIRN_OK; i++)
            status = cairn_world_add_body(world, &body, &id, NULL);
        if (status == CAIRN_OK)
            status = cairn_world_step(world, 0.01, NULL, NULL);

        // with few blocks granted it must fail; all that was granted comes back
        CHECK(status == CAIRN_OK || status == CAIRN_NO_MEMORY);
        CHECK(most > 20 || status == CAIRN_NO_MEMORY);
        cairn_world_destroy(world);
        ck_assert_int_eq(p.blocks, 0);

        CHECK(cairn_set_allocator(NULL, NULL) == CAIRN_OK);
    }
}
END

// ---------------------------------------------------------------- log and assertions

typedef struct heard {
    int count;
    cairn_status status;
    char text[512];
} heard;

static void hear(void* context, cairn_status status, const char* text)
{
    heard* h = context;
    h->count++;
    h->status = status;
    strncpy(h->text, text, sizeof h->text - 1);
}

TEST(a_refusal_is_heard_in_the_words_of_its_error)
{
    heard h = {0};
    cairn_error error;
    cairn_world_def def = cairn_default_world_def();
    cairn_world* world = NULL;
    def.gravity.x = NAN;
    cairn_set_log_hook(hear, &h);
    CHECK(cairn_world_create(&def, &world, &error) == CAIRN_BAD_INPUT);
    ck_assert_int_eq(h.count, 1);
    ck_assert_int_eq(h.status, CAIRN_BAD_INPUT);
    ck_assert_str_eq(h.text, error.text);
    cairn_set_log_hook(NULL, NULL);
    CHECK(cairn_world_create(&def, &world, &error) == CAIRN_BAD_INPUT);
    ck_assert_int_eq(h.count, 1);
}
END

static void leave(void* context, const char* condition, const char* file, int line)
{
    bool right = strcmp(condition, "1 == 2") == 0 && strcmp(file, "here.c") == 0 && line == 3;
    _exit(right ? *(int*)context : 1);
}

TEST(a_failed_assertion_is_the_hosts_to_tell)
{
    int code = 42, status = 0;
    pid_t child = fork();
    if (child == 0) {
        cairn_set_assert_hook(leave, &code);
        cairn_assert_failed("1 == 2", "here.c", 3);
    }
    CHECK(waitpid(child, &status, 0) == child);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 42);
}
END

// ---------------------------------------------------------------- tasks

enum { most_ranks = 8 };

typedef struct job {
    cairn_task task;
    void* argument;
    int rank;
} job;

static void* run_job(void* argument)
{
    job* j = argument;
    j->task(j->argument, j->rank);
    return NULL;
}

// a job system that starts a thread for each task
static void run_all(void* context, int count, cairn_task task, void* argument)
{
    pthread_t threads[most_ranks];
    job jobs[most_ranks];
    atomic_fetch_add((atomic_int*)context, 1);
    CHECK(count <= most_ranks);
    for (int i = 0; i < count; i++) {
        jobs[i] = (job){task, argument, i};
        if (i > 0)
            CHECK(pthread_create(&threads[i], NULL, run_job, &jobs[i]) == 0);
    }
    run_job(&jobs[0]);
    for (int i = 1; i < count; i++)
        pthread_join(threads[i], NULL);
}

TEST(a_world_on_the_hosts_threads_is_the_same)
{
    atomic_int calls = 0;
    uint64_t expected = heap_hash(1, NULL, NULL);
    ck_assert_uint_eq(heap_hash(3, run_all, &calls), expected);
    ck_assert_int_gt(calls, 10);
}
END

TESTS(a_world_in_the_hosts_memory_is_the_same_and_gives_all_of_it_back,
      a_host_without_memory_is_told_and_loses_none, a_refusal_is_heard_in_the_words_of_its_error,
      a_failed_assertion_is_the_hosts_to_tell, a_world_on_the_hosts_threads_is_the_same)
