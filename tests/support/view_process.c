// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors

#include "view_process.h"
#include "check_cairn.h"
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { room = 1 << 20 };

// ---------------------------------------------------------------- the program

void view_start(view_process* v, const char* program, const char* what, const char* option)
{
    int ends[2];
    char text[1024] = {0};
    snprintf(v->folder, sizeof v->folder, "%s/cairn-view-XXXXXX", check_cairn_folder());
    CHECK(mkdtemp(v->folder) != NULL && pipe(ends) == 0);
    v->process = fork();
    if (v->process == 0) {
        // a test that fails leaves nothing behind
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        dup2(ends[1], STDOUT_FILENO);
        close(ends[0]);
        if (chdir(v->folder) != 0)
            _exit(9);
        execl(program, "cairn", "view", what, "--json", option, (char*)NULL);
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

double view_work(const view_process* v)
{
    clockid_t clock;
    struct timespec time = {0};
    CHECK(clock_getcpuclockid(v->process, &clock) == 0);
    CHECK(clock_gettime(clock, &time) == 0);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

double view_end(view_process* v)
{
    int status;
    char command[300];
    struct rusage all;
    double before = view_work(v);
    kill(v->process, SIGTERM);
    CHECK(wait4(v->process, &status, 0, &all) == v->process);
    ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == 0, "cairn view ended with status %d",
                  status);
    snprintf(command, sizeof command, "rm -rf '%s'", v->folder);
    CHECK(system(command) == 0);
    return (double)(all.ru_utime.tv_sec + all.ru_stime.tv_sec) +
           1e-6 * (double)(all.ru_utime.tv_usec + all.ru_stime.tv_usec) - before;
}

// the status of one request on a connection of its own
int view_ask(const view_process* v, ws_request request)
{
    int s = ws_dial(v->port, 0);
    CHECK(s >= 0);
    int status = ws_ask(s, &request);
    close(s);
    return status;
}

static int join_on(const view_process* v, int s)
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

int view_join(const view_process* v)
{
    return join_on(v, ws_dial(v->port, 0));
}

// a client with little room for what it does not read
int view_join_slowly(const view_process* v)
{
    return join_on(v, ws_dial(v->port, 4096));
}

// the next text of a type, whatever comes before; NULL after some seconds
json_t* view_expect(int s, const char* type, double seconds)
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

double view_number(const json_t* object, const char* key)
{
    return json_number_value(json_object_get(object, key));
}

// sends a command and gives the state that follows
json_t* view_order(int s, const char* text)
{
    CHECK(ws_send_text(s, text));
    json_t* state = view_expect(s, "state", view_patience);
    ck_assert_msg(state != NULL, "no answer to %s", text);
    return state;
}

long long view_step_after(int s, const char* text)
{
    json_t* state = view_order(s, text);
    long long step = (long long)view_number(state, "step");
    json_decref(state);
    return step;
}

static double seconds_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// the next message: whether it is a frame; -1: none within some seconds, or the other side has gone
static int next_is_frame(int s, double seconds)
{
    static char message[room];
    size_t size;
    int kind = ws_receive(s, message, room, &size, seconds);
    return kind <= 0 ? -1 : kind == 2 && message[0] != '{';
}

double view_await_frames(int s, int count)
{
    double start = seconds_now();
    for (int got = 0; got < count;) {
        int kind = next_is_frame(s, view_patience);
        ck_assert_msg(kind >= 0, "%d frames, no more", got);
        got += kind;
    }
    return seconds_now() - start;
}

int view_drain(int s)
{
    int frames = 0;
    for (int kind; (kind = next_is_frame(s, 0.5)) >= 0;)
        frames += kind;
    return frames;
}

// whether the server hangs up within some seconds
bool view_is_closed(int s)
{
    static char message[room];
    size_t size;
    for (int i = 0; i < 2000; i++) {
        int kind = ws_receive(s, message, room, &size, view_patience);
        if (kind <= 0)
            return kind < 0;
    }
    return false;
}

// the server answers this client
void view_check_alive(const view_process* v, int s)
{
    CHECK(ws_send_text(s, "{\"command\": \"are you there\", \"id\": \"ping\"}"));
    json_t* error = view_expect(s, "error", view_patience);
    ck_assert_msg(error != NULL, "no answer any more");
    ck_assert_str_eq(json_string_value(json_object_get(error, "id")), "ping");
    json_decref(error);
    CHECK(kill(v->process, 0) == 0);
}
