// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Where the threads of `cairn view` meet: one lock around two queues and two pictures.

#include "view_hub.h"
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { most_orders = 512, most_messages = 384, most_texts = 512 };

struct view_hub {
    pthread_mutex_t lock;
    pthread_cond_t ordered;
    view_order orders[most_orders]; // rings
    int order_first, order_count;
    view_text texts[most_texts];
    int text_first, text_count;
    view_blob *state, *stage, *frame;
    view_seen newest;
    bool stopped, nudged;
    void (*wake)(void* context);
    void* wake_context;
};

double view_clock(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

view_hub* view_hub_create(void)
{
    view_hub* hub = calloc(1, sizeof *hub);
    pthread_condattr_t steady;
    if (!hub)
        return NULL;
    pthread_mutex_init(&hub->lock, NULL);
    pthread_condattr_init(&steady);
    pthread_condattr_setclock(&steady, CLOCK_MONOTONIC);
    pthread_cond_init(&hub->ordered, &steady);
    pthread_condattr_destroy(&steady);
    return hub;
}

// with the lock held
static void let_go(view_blob* blob)
{
    if (blob && --blob->holders == 0)
        free(blob);
}

void view_hub_destroy(view_hub* hub)
{
    if (!hub)
        return;
    for (int i = 0; i < hub->order_count; i++)
        json_decref(hub->orders[(hub->order_first + i) % most_orders].message);
    for (int i = 0; i < hub->text_count; i++)
        let_go(hub->texts[(hub->text_first + i) % most_texts].blob);
    let_go(hub->state);
    let_go(hub->stage);
    let_go(hub->frame);
    pthread_cond_destroy(&hub->ordered);
    pthread_mutex_destroy(&hub->lock);
    free(hub);
}

void view_hub_set_wake(view_hub* hub, void (*wake)(void* context), void* context)
{
    pthread_mutex_lock(&hub->lock);
    hub->wake = wake;
    hub->wake_context = context;
    pthread_mutex_unlock(&hub->lock);
}

// with the lock held
static void wake_server(view_hub* hub)
{
    if (hub->wake)
        hub->wake(hub->wake_context);
}

// ---------------------------------------------------------------- orders

bool view_hub_order(view_hub* hub, view_order order)
{
    pthread_mutex_lock(&hub->lock);
    bool room = hub->order_count < (order.kind == VIEW_MESSAGE ? most_messages : most_orders);
    order.when = view_clock();
    if (room) {
        hub->orders[(hub->order_first + hub->order_count++) % most_orders] = order;
        pthread_cond_signal(&hub->ordered);
    }
    pthread_mutex_unlock(&hub->lock);
    if (!room)
        json_decref(order.message);
    return room;
}

static struct timespec after(double seconds)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    double whole = floor(seconds);
    t.tv_sec += (time_t)whole;
    t.tv_nsec += (long)(1e9 * (seconds - whole));
    if (t.tv_nsec >= 1000000000L) {
        t.tv_nsec -= 1000000000L;
        t.tv_sec++;
    }
    return t;
}

bool view_hub_next_order(view_hub* hub, view_order* order, double seconds)
{
    struct timespec until = after(seconds > 0.0 ? seconds : 0.0);
    pthread_mutex_lock(&hub->lock);
    while (hub->order_count == 0 && !hub->stopped && !hub->nudged && seconds > 0.0)
        if (pthread_cond_timedwait(&hub->ordered, &hub->lock, &until) != 0)
            break;
    bool found = hub->order_count > 0 && !hub->stopped;
    hub->nudged = hub->nudged && found;
    if (found) {
        *order = hub->orders[hub->order_first];
        hub->order_first = (hub->order_first + 1) % most_orders;
        hub->order_count--;
    }
    pthread_mutex_unlock(&hub->lock);
    return found;
}

void view_hub_nudge(view_hub* hub)
{
    pthread_mutex_lock(&hub->lock);
    hub->nudged = true;
    pthread_cond_signal(&hub->ordered);
    pthread_mutex_unlock(&hub->lock);
}

void view_hub_stop(view_hub* hub)
{
    pthread_mutex_lock(&hub->lock);
    hub->stopped = true;
    pthread_cond_signal(&hub->ordered);
    pthread_mutex_unlock(&hub->lock);
}

bool view_hub_stopped(view_hub* hub)
{
    pthread_mutex_lock(&hub->lock);
    bool stopped = hub->stopped;
    pthread_mutex_unlock(&hub->lock);
    return stopped;
}

// ---------------------------------------------------------------- pictures

static view_blob* make_blob(const void* data, size_t size, bool text)
{
    view_blob* blob = malloc(sizeof *blob + view_headroom + size);
    if (!blob)
        return NULL;
    *blob = (view_blob){.holders = 1, .text = text, .size = size};
    memcpy(blob->room + view_headroom, data, size);
    return blob;
}

void view_hub_show_stage(view_hub* hub, const void* data, size_t size)
{
    view_blob* blob = make_blob(data, size, false);
    if (!blob)
        return;
    pthread_mutex_lock(&hub->lock);
    let_go(hub->stage);
    hub->stage = blob;
    hub->newest.stage++;

    // a frame that still waits belongs to the old stage
    let_go(hub->frame);
    hub->frame = NULL;
    wake_server(hub);
    pthread_mutex_unlock(&hub->lock);
}

void view_hub_show_frame(view_hub* hub, const void* data, size_t size)
{
    view_blob* blob = make_blob(data, size, false);
    if (!blob)
        return;
    pthread_mutex_lock(&hub->lock);
    let_go(hub->frame);
    hub->frame = blob;
    hub->newest.frame++;
    wake_server(hub);
    pthread_mutex_unlock(&hub->lock);
}

view_blob* view_hub_news(view_hub* hub, view_seen* seen)
{
    view_blob* blob = NULL;
    pthread_mutex_lock(&hub->lock);

    // the state first, then the stage, then the frame: a page needs them in this order
    if (hub->state && seen->state != hub->newest.state) {
        blob = hub->state;
        seen->state = hub->newest.state;
    } else if (hub->stage && seen->stage != hub->newest.stage) {
        blob = hub->stage;
        seen->stage = hub->newest.stage;
    } else if (hub->frame && seen->frame != hub->newest.frame) {
        blob = hub->frame;
        seen->frame = hub->newest.frame;
    }

    if (blob)
        blob->holders++;
    pthread_mutex_unlock(&hub->lock);
    return blob;
}

void view_hub_hold(view_hub* hub, view_blob* blob)
{
    pthread_mutex_lock(&hub->lock);
    blob->holders++;
    pthread_mutex_unlock(&hub->lock);
}

void view_hub_release(view_hub* hub, view_blob* blob)
{
    pthread_mutex_lock(&hub->lock);
    let_go(blob);
    pthread_mutex_unlock(&hub->lock);
}

// ---------------------------------------------------------------- texts

// frees the object
static view_blob* make_text(json_t* object)
{
    char* text = object ? json_dumps(object, JSON_COMPACT | JSON_REAL_PRECISION(9)) : NULL;
    json_decref(object);
    view_blob* blob = text ? make_blob(text, strlen(text), true) : NULL;
    free(text);
    return blob;
}

void view_hub_show_state(view_hub* hub, json_t* object)
{
    view_blob* blob = make_text(object);
    if (!blob)
        return;
    pthread_mutex_lock(&hub->lock);
    let_go(hub->state);
    hub->state = blob;
    hub->newest.state++;
    wake_server(hub);
    pthread_mutex_unlock(&hub->lock);
}

void view_hub_tell(view_hub* hub, int client, json_t* object)
{
    view_blob* blob = make_text(object);
    if (!blob)
        return;
    pthread_mutex_lock(&hub->lock);

    // the ring is full because nobody reads: the oldest text is dropped
    if (hub->text_count == most_texts) {
        let_go(hub->texts[hub->text_first].blob);
        hub->text_first = (hub->text_first + 1) % most_texts;
        hub->text_count--;
    }
    hub->texts[(hub->text_first + hub->text_count++) % most_texts] = (view_text){client, blob};
    wake_server(hub);
    pthread_mutex_unlock(&hub->lock);
}

bool view_hub_next_text(view_hub* hub, view_text* text)
{
    pthread_mutex_lock(&hub->lock);
    bool found = hub->text_count > 0;
    if (found) {
        *text = hub->texts[hub->text_first];
        hub->text_first = (hub->text_first + 1) % most_texts;
        hub->text_count--;
    }
    pthread_mutex_unlock(&hub->lock);
    return found;
}
