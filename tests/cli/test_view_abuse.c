// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// `cairn view` and clients that do not behave.

#include "check_cairn.h"
#include "math/stop.h"
#include "view_process.h"
#include <stdio.h>
#include <string.h>
#include <unistd.h>

// ---------------------------------------------------------------- who may come in

TEST(only_who_knows_the_token_and_the_host_gets_the_page)
{
    view_process v;
    view_start(&v, CAIRN_PROGRAM, "column", "--paused");
    ck_assert_int_eq(view_ask(&v, (ws_request){.path = v.page, .host = v.host}), 200);
    char local[64], other[96];
    snprintf(local, sizeof local, "localhost:%d", v.port);
    ck_assert_int_eq(view_ask(&v, (ws_request){.path = v.page, .host = local}), 200);
    ck_assert_int_eq(view_ask(&v, (ws_request){.path = v.page, .host = "evil.example"}), 403);
    ck_assert_int_eq(view_ask(&v, (ws_request){.path = v.page, .host = "127.0.0.1"}), 403);
    ck_assert_int_eq(view_ask(&v, (ws_request){.path = "/", .host = v.host}), 404);
    ck_assert_int_eq(view_ask(&v, (ws_request){.path = "/live", .host = v.host}), 404);
    snprintf(other, sizeof other, "/%s/", v.token);
    other[5] = other[5] == 'a' ? 'b' : 'a';
    ck_assert_int_eq(view_ask(&v, (ws_request){.path = other, .host = v.host}), 404);
    snprintf(other, sizeof other, "/%s/../../etc/passwd", v.token);
    CHECK(view_ask(&v, (ws_request){.path = other, .host = v.host}) != 200);
    snprintf(other, sizeof other, "/%s/etc/passwd", v.token);
    ck_assert_int_eq(view_ask(&v, (ws_request){.path = other, .host = v.host}), 404);
    ck_assert_int_eq(view_ask(&v, (ws_request){.method = "HEAD", .path = v.page, .host = v.host}),
                     404);
    view_end(&v);
}
END

TEST(a_socket_of_another_origin_is_refused)
{
    view_process v;
    view_start(&v, CAIRN_PROGRAM, "column", "--paused");
    ws_request good = {.path = v.live,
                       .host = v.host,
                       .origin = v.origin,
                       .protocol = "cairn-view",
                       .upgrade = true};
    ws_request bad = good;
    char other[96];
    ck_assert_int_eq(view_ask(&v, good), 101);
    bad.origin = "http://evil.example";
    ck_assert_int_eq(view_ask(&v, bad), 403);
    bad.origin = NULL;
    ck_assert_int_eq(view_ask(&v, bad), 403);
    bad.origin = "null";
    ck_assert_int_eq(view_ask(&v, bad), 403);
    snprintf(other, sizeof other, "https://127.0.0.1:%d", v.port);
    bad.origin = other;
    ck_assert_int_eq(view_ask(&v, bad), 403);
    bad = good;
    bad.host = "evil.example";
    ck_assert_int_eq(view_ask(&v, bad), 403);
    bad = good;
    bad.path = "/0123456789abcdef0123456789abcdef/live";
    ck_assert_int_eq(view_ask(&v, bad), 403);
    bad = good;
    bad.path = v.page;
    ck_assert_int_eq(view_ask(&v, bad), 403);
    bad = good;
    bad.protocol = NULL;
    CHECK(view_ask(&v, bad) != 101);
    bad.protocol = "chat";
    CHECK(view_ask(&v, bad) != 101);
    int s = view_join(&v);
    view_check_alive(&v, s);
    close(s);
    view_end(&v);
}
END

// ---------------------------------------------------------------- misbehaving

TEST(who_misbehaves_is_let_go_and_nobody_else_notices)
{
    view_process v;
    view_start(&v, CAIRN_PROGRAM, "column", "--paused");
    static char large[70000];
    memset(large, ' ', sizeof large);
    large[0] = '{';
    large[sizeof large - 1] = '}';
    int good = view_join(&v);
    json_decref(view_expect(good, "state", view_patience));

    // too large, at once and in two lengths
    int s = view_join(&v);
    ws_send_frame(s, 1, large, sizeof large);
    CHECK(view_is_closed(s));
    close(s);
    s = view_join(&v);
    ws_send_frame(s, 1, large, 5000);
    CHECK(view_is_closed(s));
    close(s);

    // binary, no JSON, no object, no UTF-8
    s = view_join(&v);
    ws_send_frame(s, 2, "{}", 2);
    CHECK(view_is_closed(s));
    close(s);
    static const char* const nonsense[] = {
        "{", "[]", "12", "play", "", "{\"a\": 1, \"a\": 2}", "\xff\xfe\xfd"};
    for (size_t i = 0; i < sizeof nonsense / sizeof nonsense[0]; i++) {
        s = view_join(&v);
        ws_send_text(s, nonsense[i]);
        ck_assert_msg(view_is_closed(s), "not closed after '%s'", nonsense[i]);
        close(s);
    }

    // bytes that are no frames, and bytes that are no request
    unsigned random = 1;
    for (int trial = 0; trial < 20; trial++) {
        char bytes[512];
        for (size_t i = 0; i < sizeof bytes; i++) {
            random = random * 1103515245u + 12345u;
            bytes[i] = (char)(random >> 16);
        }
        s = trial % 2 ? view_join(&v) : ws_dial(v.port, 0);
        ws_send_bytes(s, bytes, sizeof bytes);
        ws_send_bytes(s, bytes, sizeof bytes);
        close(s);
    }
    view_check_alive(&v, good);

    // many messages
    s = view_join(&v);
    bool sent = true;
    for (int i = 0; i < 5000 && sent; i++)
        sent = ws_send_text(s, "{\"command\": \"pause\"}");
    CHECK(view_is_closed(s));
    close(s);
    view_check_alive(&v, good);
    close(good);
    view_end(&v);
}
END

TEST(many_clients_are_served_and_too_many_are_not)
{
    view_process v;
    view_start(&v, CAIRN_PROGRAM, "column", "--paused");
    int s[18], let_in = 0;
    for (int i = 0; i < 18; i++) {
        s[i] = view_join(&v);
        json_t* state = view_expect(s[i], "state", view_patience);
        let_in += state != NULL;
        json_decref(state);
    }
    ck_assert_int_eq(let_in, 16);

    // what one does, the others see
    CHECK(ws_send_text(s[3], "{\"command\": \"speed\", \"value\": 0.5}"));
    json_t* state;
    do {
        state = view_expect(s[9], "state", view_patience);
        CHECK(state != NULL);
        if (view_number(state, "speed") == 0.5)
            break;
        json_decref(state);
    } while (true);
    json_decref(state);
    for (int i = 0; i < 18; i++)
        close(s[i]);

    // there is room again, once the server has noticed that they have gone
    bool room = false;
    for (int trial = 0; trial < 200 && !room; trial++) {
        int again = view_join(&v);
        json_t* told = view_expect(again, "state", view_patience);
        room = told != NULL;
        if (room)
            view_check_alive(&v, again);
        json_decref(told);
        close(again);
        usleep(room ? 0 : 50000);
    }
    CHECK(room);
    view_end(&v);
}
END

TEST(frames_that_a_slow_client_does_not_read_are_dropped)
{
    view_process v;
    view_start(&v, CAIRN_PROGRAM, "wall", NULL);
    int lazy = view_join_slowly(&v), good = view_join(&v);
    enum { shown = 200 };
    view_await_frames(good, shown);
    json_decref(view_order(good, "{\"command\": \"pause\"}"));

    // what the system buffers between the two ends, and no more
    int waiting = view_drain(lazy);
    ck_assert_msg(waiting >= 1 && waiting < shown / 2, "%d frames were shown, %d waited", shown,
                  waiting);
    close(lazy);
    view_check_alive(&v, good);
    close(good);
    view_end(&v);
}
END

// seconds until the page is served
static double time_to_page(const view_process* v)
{
    double start = cairn_clock();
    ck_assert_int_eq(view_ask(v, (ws_request){.path = v->page, .host = v->host}), 200);
    return cairn_clock() - start;
}

TEST(half_open_connections_do_not_withhold_the_page)
{
    static const char half[] = "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n";
    view_process v;
    int s[200];
    view_start(&v, CAIRN_PROGRAM, "column", "--paused");
    int good = view_join(&v);
    json_decref(view_expect(good, "state", view_patience));

    // a busy machine takes longer for a page, with half-open connections and without
    double alone = 0.0;
    for (int i = 0; i < 5; i++)
        alone = fmax(alone, time_to_page(&v));

    // some say nothing, some say half of something, some ask and stay
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < 200; i++) {
            s[i] = ws_dial(v.port, 0);
            if (i % 3 == 1)
                ws_send_bytes(s[i], half, sizeof half - 1);
            if (i % 3 == 2) {
                ws_send_bytes(s[i], half, sizeof half - 1);
                ws_send_bytes(s[i], "\r\n", 2);
            }
        }

        CHECK_BELOW(time_to_page(&v), 1.0 + 50.0 * alone);
        int another = view_join(&v);
        view_check_alive(&v, another);
        close(another);
        for (int i = 0; i < 200; i++)
            close(s[i]);
    }

    // who was there before has not noticed
    view_check_alive(&v, good);
    close(good);
    view_end(&v);
}
END

TESTS(only_who_knows_the_token_and_the_host_gets_the_page, a_socket_of_another_origin_is_refused,
      who_misbehaves_is_let_go_and_nobody_else_notices,
      many_clients_are_served_and_too_many_are_not,
      frames_that_a_slow_client_does_not_read_are_dropped,
      half_open_connections_do_not_withhold_the_page)
