// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// cairn view SCENE|F.h5: the web page, live.

#include "verb.h"

#ifdef CAIRN_HAVE_WEBSOCKETS
#include "view_server.h"
#include "view_session.h"
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#endif

typedef struct options {
    verb_common common;
    int port; ///< 0: any
    bool open, paused;
} options;

static const verb_option own[] = {
    {"port", "N", "Port on 127.0.0.1 (default: any free port)", VERB_INTEGER,
     offsetof(options, port), 1, 65535, NULL},
    {"open", NULL, "Open the page in the browser", VERB_FLAG, offsetof(options, open), 0, 0, NULL},
    {"paused", NULL, "Start paused", VERB_FLAG, offsetof(options, paused), 0, 0, NULL},
    {0}};
static const char doc[] =
    "Run a scene, or play a recording, live in a web page: pause, step, step back, "
    "drag bodies, shoot balls, change the solver. The simulation runs while the "
    "page is open. The page is served on 127.0.0.1 under a secret address, until "
    "Ctrl-C.\v"
    "Example:\n  cairn view wall --open\n  cairn view wall.h5";

#ifdef CAIRN_HAVE_WEBSOCKETS

// signal handlers reach nothing but file scope
static volatile sig_atomic_t stopped = 0;
static view_server* volatile serving = NULL;

// what the process takes with it when it ends; kept here, it is no leak
static view_session* ended = NULL;

static void stop(int number)
{
    view_server* server = serving;
    (void)number;
    stopped = 1;
    if (server)
        view_server_wake(server);
}

static void catch_signals(void)
{
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = stop;
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

// signals are for the thread that serves: the others are made while they are blocked
static void block_signals(int how)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGTERM);
    pthread_sigmask(how, &set, NULL);
}

static void* simulate(void* context)
{
    view_session_run(context);
    return NULL;
}

// ---------------------------------------------------------------- the browser

static void no_browser(void)
{
    fputs("cairn view: no browser could be opened; open the address yourself\n", stderr);
}

// xdg-open may run as long as the browser does, so a thread waits for it
static void* wait_for_browser(void* context)
{
    pid_t child = (pid_t)(intptr_t)context;
    int status = 0;
    if (waitpid(child, &status, 0) == child && (!WIFEXITED(status) || WEXITSTATUS(status) != 0))
        no_browser();
    return NULL;
}

// the output of the browser is discarded
static void open_browser(char* url)
{
    extern char** environ;
    char program[] = "xdg-open";
    char* arguments[] = {program, url, NULL};
    pid_t child;
    pthread_t thread;
    posix_spawn_file_actions_t silence;

    posix_spawn_file_actions_init(&silence);
    posix_spawn_file_actions_addopen(&silence, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&silence, 1, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&silence, 2, "/dev/null", O_WRONLY, 0);

    // somebody has to wait for the child, or it would stay as a zombie
    if (posix_spawnp(&child, program, &silence, NULL, arguments, environ) != 0)
        no_browser();
    else if (pthread_create(&thread, NULL, wait_for_browser, (void*)(intptr_t)child) == 0)
        pthread_detach(thread);

    posix_spawn_file_actions_destroy(&silence);
}

// ---------------------------------------------------------------- serving

static void announce(const options* o, const view_server* server)
{
    char url[128];
    snprintf(url, sizeof url, "http://127.0.0.1:%d/%s/", view_server_port(server),
             view_server_token(server));

    if (o->common.json) {
        json_t* out = json_object();
        verb_set_string(out, "url", url);
        verb_set_integer(out, "port", view_server_port(server));
        verb_set_string(out, "token", view_server_token(server));
        verb_print_json(out);
    } else if (o->common.quiet) {
        puts(url);
    } else {
        printf("%s\nOpen this address in a browser; the simulation starts when the page has "
               "loaded. Ctrl-C quits.\n",
               url);
    }

    fflush(stdout);
    if (o->open)
        open_browser(url);
}

static cairn_status serve(const options* o, view_hub* hub, view_session* session,
                          cairn_error* error)
{
    size_t size;
    const char* page = cairn_page_html(&size);
    view_server* server = NULL;
    pthread_t thread;

    // the server and the simulation run in two threads, which meet in the hub
    cairn_status status = view_server_create(&server, hub, o->port, page, size, error);
    if (status != CAIRN_OK)
        return status;
    if (pthread_create(&thread, NULL, simulate, session) != 0) {
        view_server_destroy(server);
        return cairn_fail(error, CAIRN_NO_MEMORY, "no thread for the simulation");
    }

    // signals reach this thread alone, and only while the server can be stopped
    announce(o, server);
    serving = server;
    catch_signals();
    block_signals(SIG_UNBLOCK);
    view_server_run(server, &stopped);
    block_signals(SIG_BLOCK);
    serving = NULL;

    // the simulation ends before what it shares
    view_hub_stop(hub);
    pthread_join(thread, NULL);
    view_server_destroy(server);
    return CAIRN_OK;
}

static cairn_status view(const options* o, cairn_error* error)
{
    cairn_status status = cairn_page_check(error);
    if (status != CAIRN_OK)
        return status;

    view_hub* hub = view_hub_create();
    view_session* session = malloc(sizeof *session);
    if (!hub || !session) {
        view_hub_destroy(hub);
        free(session);
        return cairn_fail(error, CAIRN_NO_MEMORY, "no memory for a view");
    }

    // threads are made while signals are blocked, so that these come to the serving thread
    block_signals(SIG_BLOCK);
    status = view_session_open(session, hub, o->common.arguments[0], &o->common.robot, error);
    if (status == CAIRN_OK) {
        session->playing = !o->paused;
        status = serve(o, hub, session, error);
        view_session_end(session);
        ended = session;
    } else {
        view_session_close(session);
        free(session);
    }
    view_hub_destroy(hub);
    return status;
}

#else

static cairn_status view(const options* o, cairn_error* error)
{
    (void)o;
    return cairn_fail(error, CAIRN_NOT_SUPPORTED,
                      "this program was built without libwebsockets; install libwebsockets-dev and "
                      "build again");
}

#endif

static cairn_status run(verb_common* common, cairn_error* error)
{
    return view((const options*)common, error);
}

const verb verb_view = {
    .name = "view",
    .summary = "run a scene or play a recording live in a web page",
    .arguments = "SCENE|FILE.h5",
    .least = 1,
    .most = 1,
    .noun = "scene or recording",
    .expected = "for example 'wall'",
    .doc = doc,
    .options = own,
    .robots = true,
    .size = sizeof(options),
    .run = run,
};
