// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The live view inside the page: the session of `cairn view`, without its server. The page sends
// the messages of docs/view-protocol.md and takes the answers one by one; turns are made when it
// says.

#include "exports.h"
#include "here.h"
#include "view_session.h"
#include <stdlib.h>
#include <string.h>

// one session in a module: a page that wants two loads it twice
static view_hub* hub;
static view_session* session;
static view_seen seen;
static view_blob* shown; // the message that the page reads
static cairn_error said;

const char* cairn_web_error(void)
{
    return said.text;
}

cairn_error* cairn_web_said(void)
{
    return &said;
}

int cairn_web_put(const char* name, const char* text, size_t size)
{
    return here_put_file(name, text, size) ? 0 : -1;
}

cairn_status cairn_web_start(const char* scene)
{
    if (session)
        return cairn_fail(&said, CAIRN_BAD_INPUT, "the session has started already");
    hub = view_hub_create();
    session = calloc(1, sizeof *session);
    if (!hub || !session)
        return cairn_fail(&said, CAIRN_NO_MEMORY, "no memory for a session");
    cairn_status status = view_session_open(session, hub, scene, NULL, &said);
    if (status == CAIRN_OK)
        view_hub_order(hub, (view_order){.kind = VIEW_JOINED, .client = 1});
    return status;
}

cairn_status cairn_web_send(const char* text, size_t size)
{
    json_t* message = json_loadb(text, size, 0, NULL);
    if (!json_is_object(message)) {
        json_decref(message);
        return cairn_fail(&said, CAIRN_BAD_INPUT, "the message is not a JSON object");
    }
    view_order order = {.kind = VIEW_MESSAGE, .client = 1, .message = message};
    return view_hub_order(hub, order) ? CAIRN_OK : CAIRN_BUSY;
}

double cairn_web_turn(void)
{
    return view_session_turn(session, 0.0);
}

const void* cairn_web_next(void)
{
    view_text text;
    view_hub_release(hub, shown);
    shown = view_hub_next_text(hub, &text) ? text.blob : view_hub_news(hub, &seen);
    return shown ? shown->room + view_headroom : NULL;
}

size_t cairn_web_next_size(void)
{
    return shown ? shown->size : 0;
}

int cairn_web_next_is_text(void)
{
    return shown && shown->text;
}
