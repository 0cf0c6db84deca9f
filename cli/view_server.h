// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The server of `cairn view`: one page and one WebSocket on 127.0.0.1 (docs/view-protocol.md).
#ifndef CAIRN_CLI_VIEW_SERVER_H
#define CAIRN_CLI_VIEW_SERVER_H

#include "view_hub.h"
#include <cairn/base.h>

typedef struct view_server view_server;

/// Listens on a port of 127.0.0.1; 0: any that is free. The page is borrowed.
cairn_status view_server_create(view_server** server, view_hub* hub, int port, const char* page,
                                size_t page_size, cairn_error* error);
void view_server_destroy(view_server* server);

int view_server_port(const view_server* server);
const char* view_server_token(const view_server* server);

/// Serves until *stop is set (by a signal) or something breaks.
void view_server_run(view_server* server, const volatile int* stop);

/// Lets it look at *stop now. May be called from a signal handler.
void view_server_wake(view_server* server);

#endif
