// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// A `cairn view` of a test, and clients of it. Whatever goes wrong fails the test.
#ifndef CAIRN_TESTS_VIEW_PROCESS_H
#define CAIRN_TESTS_VIEW_PROCESS_H

#include "ws_client.h"
#include <jansson.h>
#include <sys/types.h>

typedef struct view_process {
    pid_t process;
    int port;
    char token[64];
    char folder[256]; ///< it works there
    char host[64], origin[80], page[96], live[128];
} view_process;

/// s: what is waited for comes in milliseconds on a quiet machine; a busy one has a minute.
static const double view_patience = 60.0;

/// Starts the program with `view WHAT --json OPTION` (NULL: no option) in a folder of its own.
void view_start(view_process* v, const char* program, const char* what, const char* option);

/// Ends it, which must end well, and removes the folder. Returns the seconds of processor time that it took to end.
double view_end(view_process* v);

/// The status of one request on a connection of its own.
int view_ask(const view_process* v, ws_request request);

/// A client of the WebSocket; a slow one has little room for what it does not read.
int view_join(const view_process* v);
int view_join_slowly(const view_process* v);

/// The next text of a type, whatever comes before; NULL after some seconds.
json_t* view_expect(int client, const char* type, double seconds);
double view_number(const json_t* object, const char* key);

/// Sends a command and gives the state that follows, or the step that it tells.
json_t* view_order(int client, const char* text);
long long view_step_after(int client, const char* text);

/// Waits for so many frames; returns the seconds that they took.
double view_await_frames(int client, int count);

/// Frames that come until none came for half a second.
int view_drain(int client);

/// Processor time in seconds that the view has used so far.
double view_work(const view_process* v);

/// Whether the server hangs up within some seconds.
bool view_is_closed(int client);

/// The server answers this client.
void view_check_alive(const view_process* v, int client);

#endif
