// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Runs of a study as processes: `cairn run --json` of a scene file that is made for it and removed
// afterwards. A run dies with the program that started it.

#include "ranks.h"
#include "sweep_ranks.h"
#include "verb.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { most_arguments = 200 };

// ---------------------------------------------------------------- one run as a process

// the arguments of a run, in memory of their own
typedef struct arguments {
    int count;
    char* text[most_arguments + 1];
} arguments;

static void add_argument(arguments* a, const char* format, ...)
    __attribute__((format(printf, 2, 3)));
static void add_argument(arguments* a, const char* format, ...)
{
    char text[1024];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    if (a->count < most_arguments)
        a->text[a->count++] = strdup(text);
}

static void add_option(arguments* a, const char* name, const json_t* value)
{
    if (json_is_false(value))
        return;
    add_argument(a, "--%s", name);
    if (json_is_string(value))
        add_argument(a, "%s", json_string_value(value));
    else if (json_is_integer(value))
        add_argument(a, "%lld", (long long)json_integer_value(value));
    else if (json_is_real(value))
        add_argument(a, "%.17g", json_real_value(value));
}

static void add_watched(void* context, const char* name, size_t length)
{
    arguments* a = context;
    add_argument(a, "--watch");
    add_argument(a, "%.*s", (int)length, name);
}

static bool wants_joints(const study* s)
{
    for (int k = 0; k < s->metric_count; k++)
        if (strstr(s->metrics[k].expression, "joints."))
            return true;
    return s->bisection.parameter >= 0 && strstr(s->bisection.when, "joints.");
}

static void make_arguments(arguments* a, const sweep_pool* w, int run, const char* scene)
{
    const study* s = w->s;
    const char* key;
    json_t* value;

    // the result comes as JSON on standard output
    add_argument(a, "cairn");
    add_argument(a, "run");
    add_argument(a, "%s", scene);
    add_argument(a, "--json");
    add_argument(a, "--quiet");

    // options of all runs, then those that are parameters
    if (s->run)
        json_object_foreach(s->run, key, value) add_option(a, key, value);
    for (int k = 0; k < s->parameter_count; k++) {
        if (!s->parameters[k].option)
            continue;
        value = k == s->bisection.parameter ? json_real(w->rows->row[run].searched)
                                            : study_value(s, k, run / s->stride);
        add_option(a, s->parameters[k].option, value);
        json_decref(value);
    }

    // only what the metrics need is printed
    study_watched(s, add_watched, a);
    if (wants_joints(s))
        add_argument(a, "--joints");
}

static void free_arguments(arguments* a)
{
    for (int k = 0; k < a->count; k++)
        free(a->text[k]);
}

// writes the scene of a run
static cairn_status write_scene(const sweep_pool* w, int run, const char* path, cairn_error* error)
{
    json_t* scene = study_scene(w->s, run / w->s->stride, w->rows->row[run].searched, error);
    if (!scene)
        return CAIRN_BAD_INPUT;
    int wrong = json_dump_file(scene, path, JSON_REAL_PRECISION(17));
    json_decref(scene);
    return wrong ? cairn_fail(error, CAIRN_NO_FILE, "%s cannot be written", path) : CAIRN_OK;
}

// in the new process: becomes a run that ends with its parent
static _Noreturn void become(const arguments* a, int out, int err, pid_t parent)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(exit_fault);
    int none = open("/dev/null", O_RDONLY);
    dup2(none, STDIN_FILENO);
    dup2(out, STDOUT_FILENO);
    dup2(err, STDERR_FILENO);
    signal(SIGINT, SIG_IGN); // the parent decides
    ranks_leave();
    execv("/proc/self/exe", a->text);
    _exit(exit_fault);
}

// a pipe that other runs do not inherit
static bool open_pipe(int ends[2])
{
    return pipe(ends) == 0 && fcntl(ends[0], F_SETFD, FD_CLOEXEC) == 0 &&
           fcntl(ends[1], F_SETFD, FD_CLOEXEC) == 0;
}

cairn_status sweep_pool_start(sweep_pool* w, sweep_worker* slot, int run, cairn_error* error)
{
    int out[2] = {-1, -1}, err[2] = {-1, -1};
    arguments a = {0};

    // the worker of another rank gets the run by message
    if (slot->rank > 0) {
        sweep_ranks_start(w, slot, run);
        return CAIRN_OK;
    }

    // the scene with the values of this run
    *slot = (sweep_worker){.run = run, .out = -1, .err = -1, .started = verb_clock()};
    snprintf(slot->scene, sizeof slot->scene, "%.3000s/run-%d.json", w->folder, run);
    cairn_status status = write_scene(w, run, slot->scene, error);
    if (status != CAIRN_OK)
        return status;

    make_arguments(&a, w, run, slot->scene);
    if (!open_pipe(out) || !open_pipe(err))
        status = cairn_fail(error, CAIRN_FAULT, "no pipe for a run: %s", strerror(errno));

    // the child becomes cairn run; it ends when this process does
    if (status == CAIRN_OK) {
        pid_t parent = getpid();
        slot->pid = fork();
        if (slot->pid == 0)
            become(&a, out[1], err[1], parent);
        if (slot->pid < 0) {
            slot->pid = 0;
            status = cairn_fail(error, CAIRN_FAULT, "no process for a run: %s", strerror(errno));
        }
    }

    // the child has the other ends: what it writes is read here, to the end
    if (status == CAIRN_OK) {
        slot->out = out[0];
        slot->err = err[0];
        out[0] = err[0] = -1;
    }
    const int unused[] = {out[0], out[1], err[0], err[1]};
    for (int i = 0; i < 4; i++)
        if (unused[i] >= 0)
            close(unused[i]);

    free_arguments(&a);
    return status;
}

// ---------------------------------------------------------------- what became of it

// takes what a pipe holds; closes it at its end
static void drain(int* from, char** text, size_t* size)
{
    enum { most = 64 << 20 };
    char some[4096];
    ssize_t count = read(*from, some, sizeof some);
    if (count < 0 && (errno == EINTR || errno == EAGAIN))
        return;

    char* more = count > 0 && *size < most ? realloc(*text, *size + (size_t)count + 1) : NULL;
    if (!more) {
        if (count > 0 && *size >= most)
            return; // the rest is not kept
        close(*from);
        *from = -1;
        return;
    }

    memcpy(more + *size, some, (size_t)count);
    *size += (size_t)count;
    more[*size] = 0;
    *text = more;
}

static void set_reason(sweep_row* row, sweep_status status, const char* format, ...)
    __attribute__((format(printf, 3, 4)));
static void set_reason(sweep_row* row, sweep_status status, const char* format, ...)
{
    char text[512];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    text[strcspn(text, "\n")] = 0;
    row->status = status;
    free(row->reason);
    row->reason = strdup(text);
}

// the metrics of a run that ended by itself
static void measure(sweep_pool* w, const sweep_worker* slot, int code)
{
    sweep_row* row = &w->rows->row[slot->run];
    double parameters[study_most_parameters];
    cairn_error error = {""};
    json_t* result = slot->text ? json_loadb(slot->text, slot->text_size, 0, NULL) : NULL;
    sweep_parameters(w->rows, slot->run, parameters);
    study_result of = {w->s, parameters, result,
                       w->rows->metric + (size_t)slot->run * (size_t)w->s->metric_count, 0};
    if (!result)
        set_reason(row, SWEEP_FAILED, "%s", slot->said ? slot->said : "it printed no result");
    else if (study_measure(&of, &row->holds, &error) != CAIRN_OK)
        set_reason(row, SWEEP_FAILED, "%s", error.text);
    else
        row->status = code == exit_missed ? SWEEP_MISSED : SWEEP_OK;
    json_decref(result);
}

// a row of the table
static void keep_row(sweep_pool* w, int run)
{
    w->done++;
    if (w->table) {
        sweep_table_line(w->table, w->rows, run);
        w->lost = w->lost || fflush(w->table) != 0;
    }
}

// a run has ended: its row is complete
static void finish(sweep_pool* w, sweep_worker* slot)
{
    int code = 0;
    sweep_row* row = &w->rows->row[slot->run];
    while (waitpid(slot->pid, &code, 0) < 0 && errno == EINTR)
        ;

    row->seconds = verb_clock() - slot->started;

    // how it ended; only a run that reports a result has metrics
    if (slot->late)
        set_reason(row, SWEEP_STALLED, "it did not end within %g s", w->s->time_limit);
    else if (WIFSIGNALED(code))
        set_reason(row, SWEEP_CRASHED, "ended by signal %d", WTERMSIG(code));
    else if (WEXITSTATUS(code) != exit_done && WEXITSTATUS(code) != exit_missed)
        set_reason(row, SWEEP_FAILED, "%s", slot->said ? slot->said : "it printed no reason");
    else
        measure(w, slot, WEXITSTATUS(code));

    w->ended(w, slot->run);
    unlink(slot->scene);
    free(slot->text);
    free(slot->said);
    *slot = (sweep_worker){0};
}

// waits for news of the runs under way, at most a tenth of a second
void sweep_pool_attend(sweep_pool* w)
{
    enum { longest = 100, shortest = 5 }; // ms: rows of other ranks wait for nobody
    struct pollfd polled[2 * sweep_most_jobs];
    int count = 0;
    if (w->others)
        sweep_ranks_attend(w);

    // listen to the outputs of all runs
    for (int k = 0; k < w->jobs; k++) {
        const sweep_worker* slot = &w->workers[k];
        if (slot->pid && slot->out >= 0)
            polled[count++] = (struct pollfd){slot->out, POLLIN, 0};
        if (slot->pid && slot->err >= 0)
            polled[count++] = (struct pollfd){slot->err, POLLIN, 0};
    }

    bool wait = count > 0 || w->others;
    if (wait && poll(polled, (nfds_t)count, w->others ? shortest : longest) < 0)
        return;

    for (int k = 0; k < w->jobs; k++) {
        sweep_worker* slot = &w->workers[k];
        if (!slot->pid)
            continue;
        for (int i = 0; i < count; i++) {
            if (polled[i].revents && polled[i].fd == slot->out)
                drain(&slot->out, &slot->text, &slot->text_size);
            else if (polled[i].revents && polled[i].fd == slot->err)
                drain(&slot->err, &slot->said, &slot->said_size);
        }

        // a run that takes too long is killed
        if (!slot->late && verb_clock() - slot->started > w->s->time_limit) {
            slot->late = true;
            kill(slot->pid, SIGKILL);
        }

        // both ends closed: the run is over
        if (slot->out < 0 && slot->err < 0)
            finish(w, slot);
    }
}

// makes a run again as a page beside the study's own
bool sweep_pool_replay(const sweep_pool* w, sweep_replay* replay, const char* page)
{
    char scene[PATH_MAX], path[PATH_MAX];
    cairn_error error;

    // the page stands beside the study's own and is named after it
    const char* slash = strrchr(page, '/');
    const char* name = slash ? slash + 1 : page;
    const char* dot = strrchr(name, '.');
    int stem = dot ? (int)(dot - name) : (int)strlen(name);
    snprintf(replay->file, sizeof replay->file, "%.*s-run-%d.html", stem < 200 ? stem : 200, name,
             replay->run);
    snprintf(path, sizeof path, "%.*s%s", slash ? (int)(slash - page) + 1 : 0, page, replay->file);

    snprintf(scene, sizeof scene, "%.3000s/replay.json", w->folder);
    if (write_scene(w, replay->run, scene, &error) != CAIRN_OK)
        return false;

    // the same run, with a page
    arguments a = {0};
    make_arguments(&a, w, replay->run, scene);
    add_argument(&a, "--html");
    add_argument(&a, "%.900s", path);
    add_argument(&a, "--force");

    // its output was read the first time
    int code = 1, none = open("/dev/null", O_WRONLY);
    pid_t parent = getpid(), pid = fork();
    if (pid == 0)
        become(&a, none, none, parent);
    if (pid > 0)
        waitpid(pid, &code, 0);

    close(none);
    free_arguments(&a);
    unlink(scene);

    return pid > 0 && WIFEXITED(code) && WEXITSTATUS(code) <= exit_missed;
}

// ---------------------------------------------------------------- the pool

cairn_status sweep_pool_open(sweep_pool* w, const study* s, sweep_rows* rows, int jobs,
                             cairn_error* error)
{
    *w = (sweep_pool){.s = s, .rows = rows, .jobs = jobs, .ended = keep_row};
    w->workers = calloc((size_t)jobs, sizeof *w->workers);
    if (!w->workers)
        return cairn_fail(error, CAIRN_NO_MEMORY, "no memory for %d jobs", jobs);
    const char* where = getenv("TMPDIR");
    snprintf(w->folder, sizeof w->folder, "%.2000s/cairn-XXXXXX",
             where && *where ? where : P_tmpdir);
    if (mkdtemp(w->folder))
        return CAIRN_OK;
    char refused[PATH_MAX];
    snprintf(refused, sizeof refused, "%s", w->folder);
    w->folder[0] = 0;
    return cairn_fail(error, CAIRN_NO_FILE, "%.300s cannot be made: %s", refused, strerror(errno));
}

// ends what is under way
static void give_up(sweep_worker* slot)
{
    kill(slot->pid, SIGKILL);
    waitpid(slot->pid, NULL, 0);
    if (slot->out >= 0)
        close(slot->out);
    if (slot->err >= 0)
        close(slot->err);
    unlink(slot->scene);
    free(slot->text);
    free(slot->said);
    *slot = (sweep_worker){0};
}

void sweep_pool_close(sweep_pool* w)
{
    sweep_ranks_close(w);
    for (int k = 0; k < w->jobs && w->workers; k++)
        if (w->workers[k].pid)
            give_up(&w->workers[k]);
    if (w->folder[0])
        rmdir(w->folder);
    free(w->workers);
    *w = (sweep_pool){0};
}
