// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// A suite that fails or hangs costs its own section and nothing else: it runs in a child that tells
// each row, bound and note at once, so that what was measured before it was ended counts.
//
// A run has a time to keep. Suite i gets its share of what is left,
//
//     share_i = left need_i / Σ_{k >= i} need_k,
//
// so that what one suite does not use is there for the next ones. A suite begins no case after its
// share (bench_reach) and is ended when a single case takes longer than that by far.

#include "all.h"
#include "commit.h"
#include "io/file.h"
#include "report.h"
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

// the order of a run, and the seconds that a suite needs by itself; the one that can do with less
// comes last and has all that is left
static const struct {
    const char* name;
    double quick, full;
} plan[] = {{"peers", 25, 500}, {"quality", 2, 10}, {"engine", 2, 20},      {"files", 5, 40},
            {"exact", 5, 360},  {"dantzig", 3, 5},  {"lemke", 5, 25},       {"pgs", 3, 20},
            {"tree", 5, 120},   {"papers", 3, 40},  {"convergence", 3, 20}, {"prox", 20, 350}};

enum { plan_count = sizeof plan / sizeof plan[0] };

static const double quick_time = 95.0, full_time = 1900.0; // s: what a run may take

// how much longer than its share a suite may take for the case that is under way
static double grace(double share)
{
    return 5.0 + 0.25 * share;
}

static void run_child(const bench* options, const bench_suite* suite, FILE* file)
{
    bench b = *options;
    bench_end_with_parent();
    b.json = true;
    b.missed = false;
    b.rows = json_array();
    b.stream = file;
    if (!freopen("/dev/null", "w", stdout) || !freopen("/dev/null", "w", stderr))
        _exit(3);
    suite->run(&b);
    _exit(0);
}

// what a child has told, gathered by kind; a line that it could not finish is left out
static json_t* gather(FILE* file)
{
    static const char* const kinds[][2] = {{"row", "rows"},
                                           {"bound", "bounds"},
                                           {"note", "notes"},
                                           {"unreached", "unreached"},
                                           {"begun", "begun"}};
    enum { kind_count = sizeof kinds / sizeof kinds[0] };

    json_t* result = json_object();
    for (int k = 0; k < kind_count; k++)
        json_object_set_new(result, kinds[k][1], json_array());

    // a child writes one JSON object per line
    rewind(file);
    for (json_t* line; (line = json_loadf(file, JSON_DISABLE_EOF_CHECK, NULL));) {
        for (int k = 0; k < kind_count; k++) {
            json_t* value = json_object_get(line, kinds[k][0]);
            if (value)
                json_array_append(json_object_get(result, kinds[k][1]), value);
        }
        json_decref(line);
    }

    return result;
}

// a line that grows a clock on a terminal
static void show(int index, const char* name, double seconds, const char* end)
{
    if (isatty(STDERR_FILENO) || end)
        fprintf(stderr, "%s[%2d/%d] %-12s %5.1f s%s%s", isatty(STDERR_FILENO) ? "\r\033[K" : "",
                index + 1, plan_count, name, seconds, end ? "  " : "", end ? end : "");
    if (end)
        fputc('\n', stderr);
}

// waits for a child until `end`
static bool await(pid_t child, int index, const char* name, double start, double end)
{
    int status;
    const struct timespec pause = {0, 100000000};
    while (waitpid(child, &status, WNOHANG) == 0) {
        double now = bench_clock();
        show(index, name, now - start, NULL);
        if (now > end) {
            kill(child, SIGKILL);
            waitpid(child, &status, 0);
            return false;
        }
        nanosleep(&pause, NULL);
    }
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static int count_missed(const json_t* bounds)
{
    int missed = 0;
    for (size_t i = 0; i < json_array_size(bounds); i++)
        missed += json_is_false(json_object_get(json_array_get(bounds, i), "met"));
    return missed;
}

// a suite that was ended: the case that was under way, and what would have come
static void add_interrupted(json_t* unreached, const json_t* begun)
{
    size_t count = json_array_size(begun);
    const char* last = count ? json_string_value(json_array_get(begun, count - 1)) : "the first";
    json_array_append_new(
        unreached, json_sprintf("%s, which was under way when the suite was ended, and what comes "
                                "after it",
                                last));
}

static json_t* run_suite(const bench* options, const bench_suite* suite, int index)
{
    double start = bench_clock(), limit = options->deadline + grace(options->deadline - start);
    char end[96];
    FILE* file = tmpfile();
    if (!file)
        return NULL;

    // the child writes into a file, which the parent reads when it has ended
    fflush(NULL);
    pid_t child = fork();
    if (child == 0)
        run_child(options, suite, file);

    bool done = child > 0 && await(child, index, suite->name, start, limit);
    json_t* result = gather(file);
    json_t* unreached = json_object_get(result, "unreached");
    fclose(file);

    if (!done)
        add_interrupted(unreached, json_object_get(result, "begun"));
    json_object_del(result, "begun");

    json_object_set_new(result, "suite", json_string(suite->name));
    json_object_set_new(result, "commit", json_string(CAIRN_COMMIT));
    json_object_set_new(result, "summary", json_string(suite->summary));
    json_object_set_new(result, "seconds", json_real(bench_clock() - start));

    int bounds = (int)json_array_size(json_object_get(result, "bounds"));
    int missed = count_missed(json_object_get(result, "bounds"));
    int left = (int)json_array_size(unreached);
    int length = snprintf(end, sizeof end, "%d of %d bounds met", bounds - missed, bounds);
    if (left > 0)
        snprintf(end + length, sizeof end - (size_t)length, ", %d cases not reached%s", left,
                 done ? "" : " (ended early)");

    show(index, suite->name, bench_clock() - start, end);
    return result;
}

// ---------------------------------------------------------------- who and where

static json_t* describe(const bench* options)
{
    char cpu[128], date[64], system[512];
    struct utsname host;
    time_t now = time(NULL);
    struct tm day;
    gmtime_r(&now, &day);
    strftime(date, sizeof date, "%Y-%m-%d %H:%M UTC", &day);
    if (uname(&host) != 0)
        memset(&host, 0, sizeof host);
    snprintf(system, sizeof system, "%s %s %s, %ld processors", host.sysname, host.release,
             host.machine, sysconf(_SC_NPROCESSORS_ONLN));
    return json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:b, s:[]}", "suite", "all", "machine",
                     bench_machine(cpu, sizeof cpu), "version", cairn_version(), "commit",
                     CAIRN_COMMIT, "date", date, "system", system, "compiler",
                     "C compiler " __VERSION__, "quick", options->quick, "suites");
}

static void summarize(const json_t* report)
{
    const json_t* headlines = json_object_get(report, "headlines");
    const json_t* peers = json_object_get(report, "against_peers");
    for (size_t i = 0; i < json_array_size(headlines); i++) {
        const json_t* h = json_array_get(headlines, i);
        printf("%-14s %s: published %s, measured %s\n", report_string(h, "verdict"),
               report_string(h, "figure"), report_string(h, "published"),
               report_string(h, "measured"));
    }

    for (size_t i = 0; i < json_array_size(peers); i++) {
        const json_t* p = json_array_get(peers, i);
        printf("%-14s %s: error %.2g (best peer %.2g), %.3g ms a step (fastest peer %.3g)\n",
               json_is_true(json_object_get(p, "met")) ? "met" : "MISSED",
               report_string(p, "scene"), report_number(p, "error"), report_number(p, "peer_error"),
               report_number(p, "ms"), report_number(p, "peer_ms"));
    }
}

// the first note of the suite `peers` names the engines and their versions
static const char* engines(const json_t* suites)
{
    for (size_t i = 0; i < json_array_size(suites); i++) {
        const json_t* suite = json_array_get(suites, i);
        const json_t* note = json_array_get(json_object_get(suite, "notes"), 0);
        if (report_is(suite, "suite", "peers") && note)
            return json_string_value(note);
    }
    return "none";
}

static const bench_suite* find(const bench_suite* suites, const char* name)
{
    for (; suites->name; suites++)
        if (strcmp(suites->name, name) == 0)
            return suites;
    return NULL;
}

// what cannot be written is refused before an hour is spent
static bool may_write(const bench_all_options* out)
{
    cairn_error error;
    if (!out->html || cairn_file_may_write(out->html, out->force, &error) == CAIRN_OK)
        return true;
    fprintf(stderr, "cairn bench: %s\n", error.text);
    return false;
}

// the result of a suite takes the place of an older one
static void put_result(json_t* list, json_t* result)
{
    for (size_t i = 0; i < json_array_size(list); i++)
        if (report_is(json_array_get(list, i), "suite", report_string(result, "suite"))) {
            json_array_set_new(list, i, result);
            return;
        }
    json_array_append_new(list, result);
}

static bool is_wanted(const bench* options, int i)
{
    return !options->only || strcmp(options->only, plan[i].name) == 0;
}

static bool any_is_wanted(const bench* options)
{
    for (int i = 0; i < plan_count; i++)
        if (is_wanted(options, i))
            return true;
    fprintf(stderr, "cairn bench all: there is no suite \"%s\" in a report\n", options->only);
    return false;
}

static double need(const bench* options, int i)
{
    return !is_wanted(options, i) ? 0.0 : options->quick ? plan[i].quick : plan[i].full;
}

// the share of suite i in the time until `end`
static double share(const bench* options, int i, double end)
{
    double rest = 0.0;
    for (int k = i; k < plan_count; k++)
        rest += need(options, k);
    return fmax(end - bench_clock(), 0.0) * need(options, i) / rest;
}

// runs every suite, or the one that --only names, into a report that may hold results already
static void run_all(json_t* report, const bench* options, double seconds, const bench_suite* suites)
{
    json_t* list = json_object_get(report, "suites");
    double end = bench_clock() + seconds;
    for (int i = 0; i < plan_count; i++) {
        const bench_suite* suite = find(suites, plan[i].name);
        if (!suite || !(need(options, i) > 0.0))
            continue;
        bench whole = *options;
        whole.only = NULL;
        whole.deadline = bench_clock() + share(options, i, end);
        json_t* result = run_suite(&whole, suite, i);
        if (result)
            put_result(list, result);
    }
    json_object_set_new(report, "engines", json_string(engines(list)));
}

static json_t* load(const char* path)
{
    cairn_bytes text;
    cairn_error error;
    if (cairn_file_read(&text, path, &cairn_file_text, &error) != CAIRN_OK) {
        fprintf(stderr, "cairn bench: %s\n", error.text);
        return NULL;
    }
    json_error_t syntax;
    json_t* report = json_loadb(text.data, text.size, 0, &syntax);
    free(text.data);
    if (json_is_array(json_object_get(report, "suites")))
        return report;

    fprintf(stderr, "cairn bench: %s: is not the object of `cairn bench all --json`%s%s\n", path,
            report ? "" : ": ", report ? "" : syntax.text);
    json_decref(report);
    return NULL;
}

// New rows beside old ones are of one commit, and of one that is known: whoever reads the page
// cannot tell them apart.
static bool may_mix(const json_t* report, const bench_all_options* out)
{
    const char* commit = report_string(report, "commit");
    bool dirty = strstr(CAIRN_COMMIT, "-dirty") != NULL;
    if (!dirty && strcmp(CAIRN_COMMIT, "unknown") != 0 && strcmp(commit, CAIRN_COMMIT) == 0)
        return true;
    fprintf(stderr,
            "cairn bench: %s: measured at commit %s, this program is of %s: rows of different "
            "commits are not mixed; run all suites\n",
            out->from, *commit ? commit : "unknown", CAIRN_COMMIT);
    return false;
}

static bool any_missed(const json_t* report)
{
    const json_t* suites = json_object_get(report, "suites");
    for (size_t i = 0; i < json_array_size(suites); i++) {
        const json_t* suite = json_array_get(suites, i);
        if (count_missed(json_object_get(suite, "bounds")) > 0 ||
            json_array_size(json_object_get(suite, "unreached")) > 0)
            return true;
    }
    return false;
}

int bench_all(const bench* options, const bench_all_options* out, const bench_suite* suites)
{
    bool written = true;
    if (!may_write(out) || !any_is_wanted(options))
        return 2;

    json_t* report = out->from ? load(out->from) : describe(options);
    if (!report)
        return 2;

    // new rows join a report of the same commit only
    if (out->from && options->only && !may_mix(report, out)) {
        json_decref(report);
        return 2;
    }

    json_object_set_new(report, "program_commit", json_string(CAIRN_COMMIT));
    double planned = options->quick ? quick_time : full_time;
    if (!out->from || options->only)
        run_all(report, options, out->seconds > 0.0 ? out->seconds : planned, suites);

    json_object_set_new(report, "headlines", report_headlines(report));
    json_object_set_new(report, "against_peers", report_against_peers(report));

    if (out->html)
        written = report_html(out->html, report) && written;
    if (out->markdown)
        written = report_markdown(out->markdown, report) && written;

    if (options->json) {
        json_dumpf(report, stdout, JSON_INDENT(1) | JSON_REAL_PRECISION(9));
        printf("\n");
    } else {
        summarize(report);
    }

    int status = !written ? 2 : any_missed(report) ? 1 : 0;
    json_decref(report);
    return status;
}
