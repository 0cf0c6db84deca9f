// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The server of `cairn view` on libwebsockets. Whoever asks must know the token in the address,
// must have come to this host by its own name (another name that leads to 127.0.0.1 is refused),
// and a WebSocket must have been opened by our own page: the browser tells its origin. Nothing but
// the page is served. A client that sends too much, too often or nonsense is disconnected; the
// others do not notice.

#include "view_server.h"
#include <libwebsockets.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>

enum {
    token_bytes = 16,
    most_clients = 16,
    most_message = 4096,     // bytes
    most_waiting = 64,       // texts for one client
    most_silent = 24,        // connections that ask for nothing, of either kind
    burst = 240,             // messages
    rate = 120,              // messages per second
    send_buffer = 64 * 1024, // bytes
    page_piece = 16 * 1024   // bytes of the page that are written at once
};

_Static_assert(view_headroom >= LWS_PRE, "messages have room for their heads");

// a client of the WebSocket
typedef struct client {
    struct client* next;
    struct lws* wsi;
    int number;   // from 1; 0: was not let in
    bool greeted; // was told something: what it is told first is hello
    view_seen seen;
    view_blob* waiting[most_waiting]; // ring
    int first, count;
    char message[most_message];
    size_t size;
    double allowance; // messages that it may send at once
    double last;      // s
} client;

// a request for the page
typedef struct request {
    size_t sent;
} request;

// connections that hold a place and ask for nothing; the oldest first
typedef struct silent_list {
    int count;
    struct lws* wsi[most_silent];
} silent_list;

struct view_server {
    view_hub* hub;
    struct lws_context* context;
    int port;
    char token[2 * token_bytes + 1];
    const char* page;
    size_t page_size;
    client* clients;
    int client_count, last_number;
    silent_list fresh, idle; // have not asked yet; were answered
};

static view_server* server_of(struct lws* wsi)
{
    return lws_context_user(lws_get_context(wsi));
}

// ---------------------------------------------------------------- who may come in

static bool header(struct lws* wsi, enum lws_token_indexes token, char* text, int size)
{
    return lws_hdr_total_length(wsi, token) > 0 && lws_hdr_copy(wsi, text, size, token) > 0;
}

// 127.0.0.1:PORT or localhost:PORT
static bool is_own_host(const view_server* server, const char* host)
{
    static const char* const names[] = {"127.0.0.1", "localhost"};
    char own[64];
    for (int i = 0; i < 2; i++) {
        snprintf(own, sizeof own, "%s:%d", names[i], server->port);
        if (strcmp(host, own) == 0 || (server->port == 80 && strcmp(host, names[i]) == 0))
            return true;
    }
    return false;
}

static bool has_own_host(struct lws* wsi)
{
    char host[64];
    return header(wsi, WSI_TOKEN_HOST, host, sizeof host) && is_own_host(server_of(wsi), host);
}

static bool has_own_origin(struct lws* wsi)
{
    char origin[96];
    static const char scheme[] = "http://";
    size_t length = sizeof scheme - 1;
    return header(wsi, WSI_TOKEN_ORIGIN, origin, sizeof origin) &&
           strncmp(origin, scheme, length) == 0 && is_own_host(server_of(wsi), origin + length);
}

// what follows /TOKEN/ in a path, or NULL; the token is compared in constant time
static const char* behind_token(const view_server* server, const char* path)
{
    size_t length = strlen(server->token);
    unsigned wrong = 0;
    if (strlen(path) < length + 2 || path[0] != '/' || path[length + 1] != '/')
        return NULL;
    for (size_t i = 0; i < length; i++)
        wrong |= (unsigned char)path[1 + i] ^ (unsigned char)server->token[i];
    return wrong ? NULL : path + length + 2;
}

// ---------------------------------------------------------------- silent connections

// Whoever connects and sends no whole request holds a place and a header buffer, of which there are
// few. When too many do, the one that has been silent for longest goes, so that a new one is always
// heard. Those that were answered count apart: they must not push out one that is about to ask.
static void remove_from(silent_list* list, const struct lws* wsi)
{
    int kept = 0;
    for (int i = 0; i < list->count; i++)
        if (list->wsi[i] != wsi)
            list->wsi[kept++] = list->wsi[i];
    list->count = kept;
}

static void drop_silent(view_server* server, const struct lws* wsi)
{
    remove_from(&server->fresh, wsi);
    remove_from(&server->idle, wsi);
}

static void add_silent(silent_list* list, struct lws* wsi)
{
    if (list->count == most_silent) {
        struct lws* oldest = list->wsi[0];
        remove_from(list, oldest);
        lws_set_timeout(oldest, PENDING_TIMEOUT_USER_REASON_BASE, LWS_TO_KILL_ASYNC);
    }
    list->wsi[list->count++] = wsi;
}

// a request was answered: the connection may ask again
static int answered(struct lws* wsi)
{
    if (lws_http_transaction_completed(wsi))
        return -1;
    add_silent(&server_of(wsi)->idle, wsi);
    return 0;
}

// ---------------------------------------------------------------- the page

static int refuse(struct lws* wsi, unsigned status)
{
    return lws_return_http_status(wsi, status, NULL) ? -1 : answered(wsi);
}

static int add(struct lws* wsi, const char* name, const char* value, unsigned char** at,
               unsigned char* end)
{
    return lws_add_http_header_by_name(wsi, (const unsigned char*)name, (const unsigned char*)value,
                                       (int)strlen(value), at, end);
}

// the page runs its own scripts alone, talks to this server alone, and is shown in no frame
static int start_page(struct lws* wsi, request* r)
{
    view_server* server = server_of(wsi);
    unsigned char head[LWS_PRE + 2048], *at = head + LWS_PRE, *end = head + sizeof head - 1;
    char policy[512];

    // scripts and styles are in the page itself; its only connection is this server's WebSocket
    snprintf(policy, sizeof policy,
             "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; "
             "img-src data: blob:; font-src data:; worker-src blob:; "
             "connect-src ws://127.0.0.1:%d ws://localhost:%d; "
             "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
             server->port, server->port);

    if (lws_add_http_common_headers(wsi, HTTP_STATUS_OK, "text/html; charset=utf-8",
                                    server->page_size, &at, end) ||
        add(wsi, "content-security-policy:", policy, &at, end) ||
        add(wsi, "x-content-type-options:", "nosniff", &at, end) ||
        add(wsi, "x-frame-options:", "DENY", &at, end) ||
        add(wsi, "referrer-policy:", "no-referrer", &at, end) ||
        add(wsi, "cross-origin-opener-policy:", "same-origin", &at, end) ||
        add(wsi, "cross-origin-resource-policy:", "same-origin", &at, end) ||
        add(wsi, "cache-control:", "no-store", &at, end) ||
        lws_finalize_write_http_header(wsi, head + LWS_PRE, &at, end))
        return -1;

    // the body follows when the socket can take it
    r->sent = 0;
    lws_callback_on_writable(wsi);
    return 0;
}

static int go_on_with_page(struct lws* wsi, request* r)
{
    view_server* server = server_of(wsi);
    unsigned char piece[LWS_PRE + page_piece];
    size_t left = server->page_size - r->sent, now = left < page_piece ? left : page_piece;
    bool last = now == left;
    memcpy(piece + LWS_PRE, server->page + r->sent, now);
    if (lws_write(wsi, piece + LWS_PRE, now, last ? LWS_WRITE_HTTP_FINAL : LWS_WRITE_HTTP) < 0)
        return -1;
    r->sent += now;
    if (last)
        return answered(wsi);
    lws_callback_on_writable(wsi);
    return 0;
}

static int answer(struct lws* wsi, request* r, const char* path)
{
    if (!has_own_host(wsi))
        return refuse(wsi, HTTP_STATUS_FORBIDDEN);
    const char* name = behind_token(server_of(wsi), path);
    bool get = lws_hdr_total_length(wsi, WSI_TOKEN_GET_URI) > 0;
    if (!get || !name || (*name && strcmp(name, "index.html") != 0))
        return refuse(wsi, HTTP_STATUS_NOT_FOUND);
    return start_page(wsi, r);
}

// 0: may go on; 1: was refused
static int admit(struct lws* wsi)
{
    char path[128];
    if (has_own_host(wsi) && has_own_origin(wsi) &&
        header(wsi, WSI_TOKEN_GET_URI, path, sizeof path)) {
        const char* name = behind_token(server_of(wsi), path);
        if (name && strcmp(name, "live") == 0)
            return 0;
    }
    lws_return_http_status(wsi, HTTP_STATUS_FORBIDDEN, NULL);
    return 1;
}

static int serve_page(struct lws* wsi, enum lws_callback_reasons reason, void* user, void* in,
                      size_t length)
{
    switch (reason) {
    case LWS_CALLBACK_SERVER_NEW_CLIENT_INSTANTIATED:
        add_silent(&server_of(wsi)->fresh, wsi);
        return 0;
    case LWS_CALLBACK_WSI_DESTROY:
        drop_silent(server_of(wsi), wsi);
        return 0;

    case LWS_CALLBACK_HTTP:
        drop_silent(server_of(wsi), wsi);
        return answer(wsi, user, in);
    case LWS_CALLBACK_HTTP_WRITEABLE:
        return go_on_with_page(wsi, user);
    case LWS_CALLBACK_HTTP_CONFIRM_UPGRADE:
        drop_silent(server_of(wsi), wsi);
        return admit(wsi);

    case LWS_CALLBACK_FILTER_PROTOCOL_CONNECTION:
        return -1; // a WebSocket without our subprotocol
    default:
        return lws_callback_http_dummy(wsi, reason, user, in, length);
    }
}

// ---------------------------------------------------------------- clients

static double now(void)
{
    return 1e-6 * (double)lws_now_usecs();
}

static int part_with(struct lws* wsi, enum lws_close_status why)
{
    lws_close_reason(wsi, why, NULL, 0);
    return -1;
}

static int join(struct lws* wsi, client* c)
{
    view_server* server = server_of(wsi);
    *c = (client){.wsi = wsi, .allowance = burst, .last = now()};

    // a small send buffer: frames that wait there for a slow browser would be old when they arrive
    int buffer = send_buffer;
    setsockopt(lws_get_socket_fd(wsi), SOL_SOCKET, SO_SNDBUF, &buffer, sizeof buffer);
    if (server->client_count >= most_clients)
        return part_with(wsi, LWS_CLOSE_STATUS_POLICY_VIOLATION);
    c->number = ++server->last_number;
    c->next = server->clients;
    server->clients = c;
    server->client_count++;
    return view_hub_order(server->hub, (view_order){.kind = VIEW_JOINED, .client = c->number}) ? 0
                                                                                               : -1;
}

static void leave(struct lws* wsi, client* c)
{
    view_server* server = server_of(wsi);
    if (c->number == 0)
        return;
    for (client** at = &server->clients; *at; at = &(*at)->next)
        if (*at == c) {
            *at = c->next;
            break;
        }
    for (int i = 0; i < c->count; i++)
        view_hub_release(server->hub, c->waiting[(c->first + i) % most_waiting]);
    server->client_count--;
    view_hub_order(server->hub, (view_order){.kind = VIEW_LEFT, .client = c->number});
    c->number = 0;
}

// a token bucket: `rate` messages per second, `burst` at once
static bool may_send(client* c)
{
    double t = now();
    c->allowance += rate * (t - c->last);
    c->allowance = c->allowance < burst ? c->allowance : burst;
    c->last = t;
    c->allowance -= 1.0;
    return c->allowance >= 0.0;
}

static int hear(struct lws* wsi, client* c, const char* data, size_t length)
{
    view_server* server = server_of(wsi);

    // orders are text, within the room of a client
    if (lws_frame_is_binary(wsi))
        return part_with(wsi, LWS_CLOSE_STATUS_UNACCEPTABLE_OPCODE);
    if (length > sizeof c->message - c->size)
        return part_with(wsi, LWS_CLOSE_STATUS_MESSAGE_TOO_LARGE);

    // a message may come in fragments
    if (length > 0)
        memcpy(c->message + c->size, data, length);
    c->size += length;
    if (!lws_is_final_fragment(wsi) || lws_remaining_packet_payload(wsi) > 0)
        return 0;

    // who sends no JSON, or too much of it, is cut off
    json_t* message = json_loadb(c->message, c->size, JSON_REJECT_DUPLICATES, NULL);
    c->size = 0;
    if (!json_is_object(message) || !may_send(c)) {
        json_decref(message);
        return part_with(wsi, LWS_CLOSE_STATUS_POLICY_VIOLATION);
    }

    if (!view_hub_order(
            server->hub,
            (view_order){.kind = VIEW_MESSAGE, .client = c->number, .message = message}))
        return part_with(wsi, LWS_CLOSE_STATUS_POLICY_VIOLATION);
    return 0;
}

// one message: a text that waits, or what is new to see
static int speak(struct lws* wsi, client* c)
{
    view_server* server = server_of(wsi);
    view_blob* blob;

    if (c->count > 0) {
        blob = c->waiting[c->first];
        c->first = (c->first + 1) % most_waiting;
        c->count--;
        c->greeted = true;
    } else {
        blob = c->greeted ? view_hub_news(server->hub, &c->seen) : NULL;
    }

    if (!blob)
        return 0;

    int sent = lws_write(wsi, blob->room + view_headroom, blob->size,
                         blob->text ? LWS_WRITE_TEXT : LWS_WRITE_BINARY);
    bool done = sent >= (int)blob->size;
    view_hub_release(server->hub, blob);

    lws_callback_on_writable(wsi);
    return done ? 0 : -1;
}

// queues texts for their clients; a client that does not read them is disconnected
static void hand_out(view_server* server)
{
    view_text text;
    while (view_hub_next_text(server->hub, &text)) {
        for (client* c = server->clients; c; c = c->next) {
            if (text.client != 0 && text.client != c->number)
                continue;

            if (c->count == most_waiting) {
                lws_set_timeout(c->wsi, PENDING_TIMEOUT_USER_REASON_BASE, LWS_TO_KILL_ASYNC);
                continue;
            }
            view_hub_hold(server->hub, text.blob);
            c->waiting[(c->first + c->count++) % most_waiting] = text.blob;
        }
        view_hub_release(server->hub, text.blob);
    }

    for (client* c = server->clients; c; c = c->next)
        lws_callback_on_writable(c->wsi);
}

static int serve_live(struct lws* wsi, enum lws_callback_reasons reason, void* user, void* in,
                      size_t length)
{
    switch (reason) {
    case LWS_CALLBACK_ESTABLISHED:
        drop_silent(server_of(wsi), wsi);
        return join(wsi, user);

    case LWS_CALLBACK_CLOSED:
        drop_silent(server_of(wsi), wsi);
        leave(wsi, user);
        return 0;

    case LWS_CALLBACK_RECEIVE:
        return hear(wsi, user, in, length);
    case LWS_CALLBACK_SERVER_WRITEABLE:
        return speak(wsi, user);
    case LWS_CALLBACK_EVENT_WAIT_CANCELLED:
        hand_out(server_of(wsi));
        return 0;
    default:
        return 0;
    }
}

// ---------------------------------------------------------------- the server

static const struct lws_protocols protocols[] = {
    {"http", serve_page, sizeof(request), 0, 0, NULL, 0},
    {"cairn-view", serve_live, sizeof(client), most_message, 0, NULL, 0},
    {NULL, NULL, 0, 0, 0, NULL, 0}};

static bool make_token(view_server* server)
{
    unsigned char bytes[token_bytes];
    if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes)
        return false;
    for (int i = 0; i < token_bytes; i++)
        snprintf(server->token + 2 * (ptrdiff_t)i, 3, "%02x", bytes[i]);
    return true;
}

static void wake(void* context)
{
    view_server* server = context;
    lws_cancel_service(server->context);
}

cairn_status view_server_create(view_server** server, view_hub* hub, int port, const char* page,
                                size_t page_size, cairn_error* error)
{
    view_server* s = calloc(1, sizeof *s);
    if (!s)
        return cairn_fail(error, CAIRN_NO_MEMORY, "no memory for a server");

    *s = (view_server){.hub = hub, .page = page, .page_size = page_size};
    if (!make_token(s)) {
        free(s);
        return cairn_fail(error, CAIRN_FAULT, "the system has no random numbers for a token");
    }

    lws_set_log_level(0, NULL);

    // reachable from this machine alone, with limits against slow clients
    struct lws_context_creation_info info = {.port = port,
                                             .iface = "127.0.0.1",
                                             .protocols = protocols,
                                             .gid = -1,
                                             .uid = -1,
                                             .user = s,
                                             .options = LWS_SERVER_OPTION_DISABLE_IPV6 |
                                                        LWS_SERVER_OPTION_VALIDATE_UTF8 |
                                                        LWS_SERVER_OPTION_FAIL_UPON_UNABLE_TO_BIND,
                                             .server_string = "cairn",
                                             .timeout_secs = 5,
                                             .keepalive_timeout = 10,
                                             .fd_limit_per_thread = 512,
                                             .max_http_header_data = 4096,
                                             .max_http_header_pool = 512};

    s->context = lws_create_context(&info);
    if (!s->context) {
        free(s);
        return cairn_fail(error, CAIRN_NO_FILE,
                          "cannot listen on port %d of 127.0.0.1; another program may be using it",
                          port);
    }

    s->port = lws_get_vhost_listen_port(lws_get_vhost_by_name(s->context, "default"));
    view_hub_set_wake(hub, wake, s);
    *server = s;
    return CAIRN_OK;
}

int view_server_port(const view_server* server)
{
    return server->port;
}

const char* view_server_token(const view_server* server)
{
    return server->token;
}

void view_server_wake(view_server* server)
{
    lws_cancel_service(server->context);
}

void view_server_run(view_server* server, const volatile int* stop)
{
    while (!*stop && lws_service(server->context, 0) >= 0) {
    }
}

void view_server_destroy(view_server* server)
{
    if (!server)
        return;
    view_hub_set_wake(server->hub, NULL, NULL);
    lws_context_destroy(server->context);
    free(server);
}
