// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Where the threads of `cairn view` meet: the session, which takes orders, its worker, which
// computes, and the server, which talks to browsers. Orders go one way and wait in a queue, answers
// the other way; states and pictures do not wait: a new one takes the place of the old. Every
// function may be called from all threads.
#ifndef CAIRN_CLI_VIEW_HUB_H
#define CAIRN_CLI_VIEW_HUB_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Room in front of the bytes of a message, for the head of its WebSocket frame.
enum { view_headroom = 64 };

/// Bytes to be sent. Shared by those who send them; given back with view_hub_release.
typedef struct view_blob {
    int holders;
    bool text;
    size_t size;
    unsigned char room[]; ///< headroom, then `size` bytes
} view_blob;

typedef enum view_order_kind { VIEW_JOINED, VIEW_LEFT, VIEW_MESSAGE } view_order_kind;

/// What a client wants. `message` is an object that belongs to whoever took the order.
typedef struct view_order {
    view_order_kind kind;
    int client;
    json_t* message;
    double when; ///< s, steady clock: set by view_hub_order
} view_order;

/// A text for one client, or for all of them (client 0).
typedef struct view_text {
    int client;
    view_blob* blob;
} view_text;

typedef struct view_hub view_hub;

/// Seconds of a steady clock.
double view_clock(void);

view_hub* view_hub_create(void);
void view_hub_destroy(view_hub* hub);

/// Called whenever there is something new for the server.
void view_hub_set_wake(view_hub* hub, void (*wake)(void* context), void* context);

// ---------------------------------------------------------------- for the server

/// Hands over an order with its message. False when too many wait; then the message is freed. There
/// is always room to tell that a client has come or gone.
bool view_hub_order(view_hub* hub, view_order order);

/// The next text, oldest first; false when there is none. The caller holds its blob.
bool view_hub_next_text(view_hub* hub, view_text* text);

/// What a client has seen of each: their numbers.
typedef struct view_seen {
    uint64_t state, stage, frame;
} view_seen;

/// What is newer than what a client has seen: the state, then the stage, then the frame. NULL when
/// there is nothing new. `seen` is brought up to date.
view_blob* view_hub_news(view_hub* hub, view_seen* seen);
void view_hub_hold(view_hub* hub, view_blob* blob);
void view_hub_release(view_hub* hub, view_blob* blob);

/// Ends the session: view_hub_next_order gives false from now on.
void view_hub_stop(view_hub* hub);

// ---------------------------------------------------------------- for the session

/// Waits for an order until `seconds` have passed; true with an order, false without one.
bool view_hub_next_order(view_hub* hub, view_order* order, double seconds);

/// Ends that waiting before its time, now or the next time.
void view_hub_nudge(view_hub* hub);
bool view_hub_stopped(view_hub* hub);

/// Shows a stage, or a frame of the stage that was shown last.
void view_hub_show_stage(view_hub* hub, const void* data, size_t size);
void view_hub_show_frame(view_hub* hub, const void* data, size_t size);

/// Shows the state of the controls, an object that is freed.
void view_hub_show_state(view_hub* hub, json_t* object);

/// Tells one client (0: all) an object, which is freed.
void view_hub_tell(view_hub* hub, int client, json_t* object);

#endif
