// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The thread that computes for a session.

#include "view_worker.h"
#include <pthread.h>
#include <stdlib.h>

typedef enum phase { IDLE, BEGUN, DONE } phase;

struct view_worker {
    view_hub* hub;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    bool quit;
    phase phase;
    view_job job;
    void* context;
    double began; // s, steady clock
    cairn_status status;
    cairn_error error;
};

static void* work(void* context)
{
    view_worker* w = context;
    pthread_mutex_lock(&w->lock);
    for (;;) {
        while (w->phase != BEGUN && !w->quit)
            pthread_cond_wait(&w->changed, &w->lock);

        if (w->phase != BEGUN)
            break;

        pthread_mutex_unlock(&w->lock);

        // the job runs without the lock
        cairn_error error = {""};
        cairn_status status = w->job(w->context, &error);

        pthread_mutex_lock(&w->lock);
        w->status = status;
        w->error = error;
        w->phase = DONE;
        pthread_cond_broadcast(&w->changed);
        view_hub_nudge(w->hub);
    }

    pthread_mutex_unlock(&w->lock);
    return NULL;
}

cairn_status view_worker_create(view_worker** worker, view_hub* hub, cairn_error* error)
{
    view_worker* w = calloc(1, sizeof *w);
    if (!w)
        return cairn_fail(error, CAIRN_NO_MEMORY, "no memory for a worker");
    w->hub = hub;
    pthread_mutex_init(&w->lock, NULL);
    pthread_cond_init(&w->changed, NULL);
    if (pthread_create(&w->thread, NULL, work, w) != 0) {
        pthread_cond_destroy(&w->changed);
        pthread_mutex_destroy(&w->lock);
        free(w);
        return cairn_fail(error, CAIRN_NO_MEMORY, "no thread for the simulation");
    }
    *worker = w;
    return CAIRN_OK;
}

void view_worker_destroy(view_worker* w)
{
    if (!w)
        return;
    pthread_mutex_lock(&w->lock);
    w->quit = true;
    pthread_cond_broadcast(&w->changed);
    pthread_mutex_unlock(&w->lock);
    pthread_join(w->thread, NULL);
    pthread_cond_destroy(&w->changed);
    pthread_mutex_destroy(&w->lock);
    free(w);
}

void view_worker_begin(view_worker* w, view_job job, void* context)
{
    pthread_mutex_lock(&w->lock);
    w->job = job;
    w->context = context;
    w->began = view_clock();
    w->phase = BEGUN;
    pthread_cond_broadcast(&w->changed);
    pthread_mutex_unlock(&w->lock);
}

static phase phase_of(view_worker* w)
{
    pthread_mutex_lock(&w->lock);
    phase now = w->phase;
    pthread_mutex_unlock(&w->lock);
    return now;
}

bool view_worker_busy(view_worker* w)
{
    return phase_of(w) != IDLE;
}

bool view_worker_done(view_worker* w)
{
    return phase_of(w) == DONE;
}

double view_worker_age(view_worker* w)
{
    return view_clock() - w->began;
}

cairn_status view_worker_end(view_worker* w, cairn_error* error)
{
    pthread_mutex_lock(&w->lock);
    while (w->phase == BEGUN)
        pthread_cond_wait(&w->changed, &w->lock);
    w->phase = IDLE;
    cairn_status status = w->status;
    if (error)
        *error = w->error;
    pthread_mutex_unlock(&w->lock);
    return status;
}
