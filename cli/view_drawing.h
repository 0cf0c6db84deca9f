// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Drawings of the world for clients of `cairn view`.
#ifndef CAIRN_CLI_VIEW_DRAWING_H
#define CAIRN_CLI_VIEW_DRAWING_H

#include "view_session.h"

/// Takes the order of a client for one drawing of the world.
cairn_status view_drawings_order(view_session* s, int client, const json_t* message,
                                 cairn_error* error);

/// Answers the orders that wait, when the worker leaves the world alone.
void view_drawings_show(view_session* s);

/// Drops that of a client.
void view_drawings_forget(view_session* s, int client);

#endif
