// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The thread that computes for a session: one job at a time, a step or a race. The session goes on
// taking orders meanwhile, and hears through the hub that the job is done.
#ifndef CAIRN_CLI_VIEW_WORKER_H
#define CAIRN_CLI_VIEW_WORKER_H

#include "view_hub.h"
#include <cairn/base.h>

typedef struct view_worker view_worker;

/// What the worker does; touches nothing that the session touches before view_worker_end.
typedef cairn_status (*view_job)(void* context, cairn_error* error);

cairn_status view_worker_create(view_worker** worker, view_hub* hub, cairn_error* error);

/// Waits for the job at hand.
void view_worker_destroy(view_worker* worker);

/// Begins a job; there must be none at hand.
void view_worker_begin(view_worker* worker, view_job job, void* context);

/// Whether a job is at hand, and whether it has been done.
bool view_worker_busy(view_worker* worker);
bool view_worker_done(view_worker* worker);

/// Seconds since the job began.
double view_worker_age(view_worker* worker);

/// Waits until the job at hand is done and gives its status. From then on there is none.
cairn_status view_worker_end(view_worker* worker, cairn_error* error);

#endif
