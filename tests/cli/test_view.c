// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// `cairn view`, driven over plain sockets: by clients that behave, and by others.

#include "check_cairn.h"
#include "ws_client.h"
#include <cairn/recording.h>
#include <fcntl.h>
#include <jansson.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

typedef struct server {
    pid_t process;
    int port;
    char token[64];
    char folder[64]; // it works there
    char host[64], origin[80], page[96], live[128];
} server;

enum { room = 1 << 20 };

// ---------------------------------------------------------------- the program

static void start(server* v, const char* what, const char* option)
{
    int ends[2];
    char text[1024] = {0};
    snprintf(v->folder, sizeof v->folder, "/tmp/cairn-view-XXXXXX");
    CHECK(mkdtemp(v->folder) != NULL && pipe(ends) == 0);
    v->process = fork();
    if (v->process == 0) {
        dup2(ends[1], STDOUT_FILENO);
        close(ends[0]);
        if (chdir(v->folder) != 0)
            _exit(9);
        execl(CAIRN_PROGRAM, "cairn", "view", what, "--json", option, (char*)NULL);
        _exit(9);
    }
    close(ends[1]);
    for (size_t have = 0; !strchr(text, '}') && have < sizeof text - 1;) {
        ssize_t got = read(ends[0], text + have, sizeof text - 1 - have);
        ck_assert_msg(got > 0, "cairn view has ended");
        have += (size_t)got;
    }
    close(ends[0]);
    json_t* said = json_loads(text, 0, NULL);
    v->port = (int)json_integer_value(json_object_get(said, "port"));
    snprintf(v->token, sizeof v->token, "%s", json_string_value(json_object_get(said, "token")));
    json_decref(said);
    snprintf(v->host, sizeof v->host, "127.0.0.1:%d", v->port);
    snprintf(v->origin, sizeof v->origin, "http://127.0.0.1:%d", v->port);
    snprintf(v->page, sizeof v->page, "/%s/", v->token);
    snprintf(v->live, sizeof v->live, "/%s/live", v->token);
}

static void end(server* v)
{
    int status;
    char command[128];
    kill(v->process, SIGTERM);
    waitpid(v->process, &status, 0);
    ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == 0, "cairn view ended with status %d",
                  status);
    snprintf(command, sizeof command, "rm -rf %s", v->folder);
    CHECK(system(command) == 0);
}

// the status of one request on a connection of its own
static int ask(const server* v, ws_request request)
{
    int s = ws_dial(v->port, 0);
    CHECK(s >= 0);
    int status = ws_ask(s, &request);
    close(s);
    return status;
}

static int join_on(const server* v, int s)
{
    CHECK(s >= 0);
    ck_assert_int_eq(ws_ask(s, &(ws_request){.path = v->live,
                                             .host = v->host,
                                             .origin = v->origin,
                                             .protocol = "cairn-view",
                                             .upgrade = true}),
                     101);
    return s;
}

static int join(const server* v)
{
    return join_on(v, ws_dial(v->port, 0));
}

// a client with little room for what it does not read
static int join_slowly(const server* v)
{
    return join_on(v, ws_dial(v->port, 4096));
}

// the next text of a type, whatever comes before; NULL after some seconds
static json_t* expect(int s, const char* type, double seconds)
{
    static char message[room];
    size_t size;
    for (int i = 0; i < 2000; i++) {
        int kind = ws_receive(s, message, room, &size, seconds);
        if (kind <= 0)
            return NULL;
        if (kind != 1)
            continue;
        json_t* object = json_loads(message, 0, NULL);
        ck_assert_msg(object != NULL, "not JSON: %.100s", message);
        if (strcmp(json_string_value(json_object_get(object, "type")), type) == 0)
            return object;
        json_decref(object);
    }
    return NULL;
}

static double number(const json_t* object, const char* key)
{
    return json_number_value(json_object_get(object, key));
}

// sends a command and gives the state that follows
static json_t* order(int s, const char* text)
{
    CHECK(ws_send_text(s, text));
    json_t* state = expect(s, "state", 20.0);
    ck_assert_msg(state != NULL, "no answer to %s", text);
    return state;
}

static long long step_after(int s, const char* text)
{
    json_t* state = order(s, text);
    long long step = (long long)number(state, "step");
    json_decref(state);
    return step;
}

// frames that come within some seconds
static int count_frames(int s, double seconds)
{
    static char message[room];
    size_t size;
    int frames = 0;
    struct timespec a, b;
    clock_gettime(CLOCK_MONOTONIC, &a);
    for (;;) {
        int kind = ws_receive(s, message, room, &size, 0.1);
        frames += kind == 2 && message[0] != '{';
        clock_gettime(CLOCK_MONOTONIC, &b);
        if (kind < 0 ||
            (double)(b.tv_sec - a.tv_sec) + 1e-9 * (double)(b.tv_nsec - a.tv_nsec) > seconds)
            return frames;
    }
}

// whether the server hangs up within some seconds
static bool is_closed(int s)
{
    static char message[room];
    size_t size;
    for (int i = 0; i < 2000; i++) {
        int kind = ws_receive(s, message, room, &size, 10.0);
        if (kind <= 0)
            return kind < 0;
    }
    return false;
}

// the server answers this client
static void check_alive(const server* v, int s)
{
    CHECK(ws_send_text(s, "{\"command\": \"are you there\", \"id\": \"ping\"}"));
    json_t* error = expect(s, "error", 10.0);
    ck_assert_msg(error != NULL, "no answer any more");
    ck_assert_str_eq(json_string_value(json_object_get(error, "id")), "ping");
    json_decref(error);
    CHECK(kill(v->process, 0) == 0);
}

// ---------------------------------------------------------------- who may come in

TEST(only_who_knows_the_token_and_the_host_gets_the_page)
{
    server v;
    start(&v, "column", "--paused");
    ck_assert_int_eq(ask(&v, (ws_request){.path = v.page, .host = v.host}), 200);
    char local[64], other[96];
    snprintf(local, sizeof local, "localhost:%d", v.port);
    ck_assert_int_eq(ask(&v, (ws_request){.path = v.page, .host = local}), 200);
    ck_assert_int_eq(ask(&v, (ws_request){.path = v.page, .host = "evil.example"}), 403);
    ck_assert_int_eq(ask(&v, (ws_request){.path = v.page, .host = "127.0.0.1"}), 403);
    ck_assert_int_eq(ask(&v, (ws_request){.path = "/", .host = v.host}), 404);
    ck_assert_int_eq(ask(&v, (ws_request){.path = "/live", .host = v.host}), 404);
    snprintf(other, sizeof other, "/%s/", v.token);
    other[5] = other[5] == 'a' ? 'b' : 'a';
    ck_assert_int_eq(ask(&v, (ws_request){.path = other, .host = v.host}), 404);
    snprintf(other, sizeof other, "/%s/../../etc/passwd", v.token);
    CHECK(ask(&v, (ws_request){.path = other, .host = v.host}) != 200);
    snprintf(other, sizeof other, "/%s/etc/passwd", v.token);
    ck_assert_int_eq(ask(&v, (ws_request){.path = other, .host = v.host}), 404);
    ck_assert_int_eq(ask(&v, (ws_request){.method = "HEAD", .path = v.page, .host = v.host}), 404);
    end(&v);
}
END

TEST(a_socket_of_another_origin_is_refused)
{
    server v;
    start(&v, "column", "--paused");
    ws_request good = {.path = v.live,
                       .host = v.host,
                       .origin = v.origin,
                       .protocol = "cairn-view",
                       .upgrade = true};
    ws_request bad = good;
    char other[96];
    ck_assert_int_eq(ask(&v, good), 101);
    bad.origin = "http://evil.example";
    ck_assert_int_eq(ask(&v, bad), 403);
    bad.origin = NULL;
    ck_assert_int_eq(ask(&v, bad), 403);
    bad.origin = "null";
    ck_assert_int_eq(ask(&v, bad), 403);
    snprintf(other, sizeof other, "https://127.0.0.1:%d", v.port);
    bad.origin = other;
    ck_assert_int_eq(ask(&v, bad), 403);
    bad = good;
    bad.host = "evil.example";
    ck_assert_int_eq(ask(&v, bad), 403);
    bad = good;
    bad.path = "/0123456789abcdef0123456789abcdef/live";
    ck_assert_int_eq(ask(&v, bad), 403);
    bad = good;
    bad.path = v.page;
    ck_assert_int_eq(ask(&v, bad), 403);
    bad = good;
    bad.protocol = NULL;
    CHECK(ask(&v, bad) != 101);
    bad.protocol = "chat";
    CHECK(ask(&v, bad) != 101);
    int s = join(&v);
    check_alive(&v, s);
    close(s);
    end(&v);
}
END

// ---------------------------------------------------------------- driving

TEST(a_client_drives_time)
{
    server v;
    start(&v, "column", "--paused");
    int s = join(&v);
    json_t* hello = expect(s, "hello", 10.0);
    CHECK(hello != NULL);
    ck_assert_str_eq(json_string_value(json_object_get(hello, "mode")), "live");
    ck_assert_str_eq(json_string_value(json_object_get(hello, "scene")), "column");
    ck_assert_int_gt((int)json_array_size(json_object_get(hello, "scenes")), 20);
    json_decref(hello);
    json_decref(expect(s, "state", 10.0));

    // paused: nothing moves; a step is one step; back goes back
    ck_assert_int_eq(count_frames(s, 0.5), 1);
    ck_assert_int_eq(step_after(s, "{\"command\": \"step\"}"), 1);
    ck_assert_int_eq(step_after(s, "{\"command\": \"step\"}"), 2);
    ck_assert_int_eq(step_after(s, "{\"command\": \"back\"}"), 1);
    ck_assert_int_eq(step_after(s, "{\"command\": \"step\"}"), 2);

    // playing: frames come, at most 60 a second; paused again: they do not
    json_decref(order(s, "{\"command\": \"play\"}"));
    int frames = count_frames(s, 1.0);
    CHECK(frames >= 5 && frames <= 70);
    long long step = step_after(s, "{\"command\": \"pause\"}");
    ck_assert_int_gt(step, 5);
    count_frames(s, 0.3);
    ck_assert_int_eq(count_frames(s, 0.5), 0);
    ck_assert_int_eq(step_after(s, "{\"command\": \"step\"}"), step + 1);
    ck_assert_int_eq(step_after(s, "{\"command\": \"restart\"}"), 0);
    close(s);
    end(&v);
}
END

TEST(settings_show_in_the_state_and_bad_ones_are_errors)
{
    server v;
    start(&v, "column", "--paused");
    int s = join(&v);
    json_decref(expect(s, "state", 10.0));
    json_t* state = order(s, "{\"command\": \"set\", \"method\": \"prox\", \"tolerance\": 1e-4, "
                             "\"iterations\": 50, \"mu\": 0.25, \"gravity\": [0, 0, -1]}");
    ck_assert_str_eq(json_string_value(json_object_get(state, "method")), "prox");
    CHECK_NEAR(number(state, "tolerance"), 1e-4, 1e-12);
    CHECK_NEAR(number(state, "mu"), 0.25, 1e-12);
    CHECK_NEAR(number(state, "iterations"), 50.0, 0.0);
    CHECK_NEAR(json_number_value(json_array_get(json_object_get(state, "gravity"), 2)), -1.0,
               1e-12);
    json_decref(state);
    state = order(s, "{\"command\": \"set\", \"mu\": null}");
    CHECK(json_is_null(json_object_get(state, "mu")));
    json_decref(state);
    static const char* const wrong[] = {
        "{\"command\": \"set\", \"method\": \"magic\", \"id\": 7}",
        "{\"command\": \"set\", \"method\": 3, \"id\": 7}",
        "{\"command\": \"set\", \"gravity\": [0, 0], \"id\": 7}",
        "{\"command\": \"set\", \"tolerance\": -1, \"id\": 7}",
        "{\"command\": \"set\", \"gravity\": [1e300, 0, 0], \"id\": 7}",
        "{\"command\": \"drag\", \"body\": 99999, \"id\": 7}",
        "{\"command\": \"drag\", \"body\": 0, \"point\": [0,0,0], \"target\": [0,0,0], \"id\": 7}",
        "{\"command\": \"shoot\", \"origin\": [0,0,0], \"direction\": [0,0,0], \"id\": 7}",
        "{\"command\": \"scene\", \"name\": \"../../etc/passwd\", \"id\": 7}",
        "{\"command\": \"scene\", \"name\": 12, \"id\": 7}",
        "{\"command\": \"seek\", \"step\": 1, \"id\": 7}",
        "{\"command\": \"record\", \"on\": false, \"id\": 7}",
        "{\"command\": \"race\", \"id\": 7}",
        "{\"command\": \"format c:\", \"id\": 7}",
        "{\"command\": 5, \"id\": 7}",
        "{\"id\": 7}"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        CHECK(ws_send_text(s, wrong[i]));
        json_t* error = expect(s, "error", 10.0);
        ck_assert_msg(error != NULL, "no error after %s", wrong[i]);
        ck_assert_msg(strlen(json_string_value(json_object_get(error, "text"))) > 5, "%s",
                      wrong[i]);
        CHECK_NEAR(number(error, "id"), 7.0, 0.0);
        json_decref(error);
    }
    check_alive(&v, s);
    close(s);
    end(&v);
}
END

    // a byte of a file, or none
    static bool
    file_is_there(const server* v, const char* name)
{
    char path[640];
    struct stat about;
    snprintf(path, sizeof path, "%s/%s", v->folder, name);
    return stat(path, &about) == 0 && about.st_size > 1000;
}

TEST(files_are_saved_where_the_view_was_started)
{
    server v;
    start(&v, "column", "--paused");
    int s = join(&v);
    json_decref(expect(s, "state", 10.0));
    json_t* state = order(s, "{\"command\": \"record\", \"on\": true}");
    char recording[256];
    snprintf(recording, sizeof recording, "%s",
             json_string_value(json_object_get(state, "recording")));
    json_decref(state);
    for (int i = 0; i < 5; i++)
        step_after(s, "{\"command\": \"step\"}");
    CHECK(ws_send_text(s, "{\"command\": \"save-problem\"}"));
    json_t* saved = expect(s, "saved", 10.0);
    CHECK(saved && file_is_there(&v, json_string_value(json_object_get(saved, "file"))));
    ck_assert_str_eq(json_string_value(json_object_get(saved, "file")), "column-step-000005.hdf5");
    json_decref(saved);
    CHECK(ws_send_text(s, "{\"command\": \"record\", \"on\": false}"));
    saved = expect(s, "saved", 10.0);
    CHECK(saved && file_is_there(&v, recording));
    json_decref(saved);

    // what was recorded is a recording like any other
    char command[1024];
    snprintf(command, sizeof command, "%s check %s/%s --quiet", CAIRN_PROGRAM, v.folder, recording);
    ck_assert_int_eq(system(command), 0);
    close(s);

    // and can be viewed
    server w;
    char path[512];
    snprintf(path, sizeof path, "%s/%s", v.folder, recording);
    start(&w, path, "--paused");
    s = join(&w);
    state = expect(s, "state", 10.0);
    CHECK_NEAR(number(state, "steps"), 6.0, 0.0);
    json_decref(state);
    ck_assert_int_eq(step_after(s, "{\"command\": \"seek\", \"step\": 3}"), 3);
    ck_assert_int_eq(step_after(s, "{\"command\": \"step\"}"), 4);
    ck_assert_int_eq(step_after(s, "{\"command\": \"back\"}"), 3);
    ck_assert_int_eq(step_after(s, "{\"command\": \"restart\"}"), 0);
    json_decref(order(s, "{\"command\": \"play\"}"));
    state = expect(s, "state", 10.0);
    CHECK(json_is_false(json_object_get(state, "playing")));
    CHECK_NEAR(number(state, "step"), 5.0, 0.0);
    json_decref(state);
    close(s);
    end(&w);
    end(&v);
}
END

    // where the body of a name was at the end of a recording
    static double
    height_at_end(const server* v, const char* file, const char* name)
{
    char path[640];
    cairn_recording* recording = NULL;
    cairn_stage stage = {0};
    cairn_frame frame = {0};
    double z = NAN;
    snprintf(path, sizeof path, "%s/%s", v->folder, file);
    CHECK(cairn_recording_open(&recording, path, NULL) == CAIRN_OK);
    int last = cairn_recording_frame_count(recording) - 1;
    CHECK(cairn_recording_show(recording, last, &stage, &frame, NULL) == CAIRN_OK);
    for (int i = 0; i < stage.body_count; i++)
        if (stage.bodies[i].name && strcmp(stage.bodies[i].name, name) == 0)
            z = frame.bodies[i].pose.p.z;
    cairn_frame_free(&frame);
    cairn_stage_free(&stage);
    cairn_recording_close(recording);
    return z;
}

TEST(a_body_that_is_dragged_follows_the_pointer)
{
    server v;
    start(&v, "bounce", "--paused");
    int s = join(&v);
    json_decref(expect(s, "state", 10.0));
    json_t* state = order(s, "{\"command\": \"record\", \"on\": true}");
    char recording[256];
    snprintf(recording, sizeof recording, "%s",
             json_string_value(json_object_get(state, "recording")));
    json_decref(state);
    CHECK(ws_send_text(s, "{\"command\": \"drag\", \"body\": 1, \"point\": [0, 0, 0], "
                          "\"target\": [0, 0, 5]}"));
    for (int i = 0; i < 120; i++)
        step_after(s, "{\"command\": \"step\"}");
    CHECK(ws_send_text(s, "{\"command\": \"record\", \"on\": false}"));
    json_decref(expect(s, "saved", 10.0));

    // it hangs in the spring: g / w² = 2.5 cm below the pointer
    CHECK_NEAR(height_at_end(&v, recording, "ball"), 5.0 - 9.81 / 400.0, 1e-3);
    close(s);
    end(&v);
}
END

TEST(a_race_a_ball_and_another_scene)
{
    server v;
    start(&v, "column", "--paused");
    int s = join(&v);
    json_decref(expect(s, "state", 10.0));
    step_after(s, "{\"command\": \"step\"}");
    CHECK(ws_send_text(s, "{\"command\": \"race\", \"id\": \"r\"}"));
    json_t* race = expect(s, "race", 60.0);
    CHECK(race != NULL);
    const json_t *methods = json_object_get(race, "methods"), *item;
    size_t i;
    int converged = 0, traced = 0;
    json_array_foreach(methods, i, item)
    {
        converged += strcmp(json_string_value(json_object_get(item, "status")), "converged") == 0;
        traced += json_array_size(json_object_get(item, "trace")) > 1;
    }
    CHECK(converged >= 5 && traced >= 1);
    ck_assert_str_eq(json_string_value(json_object_get(race, "id")), "r");
    json_decref(race);

    // the race has not moved the world; a ball does
    ck_assert_int_eq(step_after(s, "{\"command\": \"step\"}"), 2);
    CHECK(ws_send_text(s, "{\"command\": \"shoot\", \"origin\": [-3, 0, 1], "
                          "\"direction\": [1, 0, 0], \"speed\": 30}"));
    json_t* state = order(s, "{\"command\": \"scene\", \"name\": \"arch\"}");
    ck_assert_str_eq(json_string_value(json_object_get(state, "scene")), "arch");
    CHECK_NEAR(number(state, "step"), 0.0, 0.0);
    json_decref(state);
    check_alive(&v, s);
    close(s);
    end(&v);
}
END

// ---------------------------------------------------------------- misbehaving

TEST(who_misbehaves_is_let_go_and_nobody_else_notices)
{
    server v;
    start(&v, "column", "--paused");
    static char large[70000];
    memset(large, ' ', sizeof large);
    large[0] = '{';
    large[sizeof large - 1] = '}';
    int good = join(&v);
    json_decref(expect(good, "state", 10.0));

    // too large, at once and in two lengths
    int s = join(&v);
    ws_send_frame(s, 1, large, sizeof large);
    CHECK(is_closed(s));
    close(s);
    s = join(&v);
    ws_send_frame(s, 1, large, 5000);
    CHECK(is_closed(s));
    close(s);

    // binary, no JSON, no object, no UTF-8
    s = join(&v);
    ws_send_frame(s, 2, "{}", 2);
    CHECK(is_closed(s));
    close(s);
    static const char* const nonsense[] = {
        "{", "[]", "12", "play", "", "{\"a\": 1, \"a\": 2}", "\xff\xfe\xfd"};
    for (size_t i = 0; i < sizeof nonsense / sizeof nonsense[0]; i++) {
        s = join(&v);
        ws_send_text(s, nonsense[i]);
        ck_assert_msg(is_closed(s), "not closed after '%s'", nonsense[i]);
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
        s = trial % 2 ? join(&v) : ws_dial(v.port, 0);
        ws_send_bytes(s, bytes, sizeof bytes);
        ws_send_bytes(s, bytes, sizeof bytes);
        close(s);
    }
    check_alive(&v, good);

    // many messages
    s = join(&v);
    bool sent = true;
    for (int i = 0; i < 5000 && sent; i++)
        sent = ws_send_text(s, "{\"command\": \"pause\"}");
    CHECK(is_closed(s));
    close(s);
    check_alive(&v, good);
    close(good);
    end(&v);
}
END

TEST(many_clients_are_served_and_too_many_are_not)
{
    server v;
    start(&v, "column", "--paused");
    int s[18], let_in = 0;
    for (int i = 0; i < 18; i++) {
        s[i] = join(&v);
        json_t* state = expect(s[i], "state", 3.0);
        let_in += state != NULL;
        json_decref(state);
    }
    ck_assert_int_eq(let_in, 16);

    // what one does, the others see
    CHECK(ws_send_text(s[3], "{\"command\": \"speed\", \"value\": 0.5}"));
    json_t* state;
    do {
        state = expect(s[9], "state", 5.0);
        CHECK(state != NULL);
        if (number(state, "speed") == 0.5)
            break;
        json_decref(state);
    } while (true);
    json_decref(state);
    for (int i = 0; i < 18; i++)
        close(s[i]);
    usleep(300000);
    int again = join(&v);
    check_alive(&v, again);
    close(again);
    end(&v);
}
END

TEST(frames_that_a_slow_client_does_not_read_are_dropped)
{
    server v;
    start(&v, "wall", NULL);
    int lazy = join_slowly(&v), good = join(&v);
    int shown = count_frames(good, 4.0);
    CHECK(ws_send_text(good, "{\"command\": \"pause\"}"));
    usleep(200000);

    // what the system buffers between the two ends, and no more
    int waiting = count_frames(lazy, 1.0);
    ck_assert_msg(shown > 60 && waiting >= 1 && waiting < shown / 2,
                  "%d frames were shown, %d waited", shown, waiting);
    close(lazy);
    check_alive(&v, good);
    close(good);
    end(&v);
}
END

TESTS(only_who_knows_the_token_and_the_host_gets_the_page, a_socket_of_another_origin_is_refused,
      a_client_drives_time, settings_show_in_the_state_and_bad_ones_are_errors,
      files_are_saved_where_the_view_was_started, a_body_that_is_dragged_follows_the_pointer, a_race_a_ball_and_another_scene,
      who_misbehaves_is_let_go_and_nobody_else_notices,
      many_clients_are_served_and_too_many_are_not,
      frames_that_a_slow_client_does_not_read_are_dropped)
