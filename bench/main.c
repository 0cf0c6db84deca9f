// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// cairn-bench SUITE [--json] [--quick] [--problems DIR] [--only NAME] [--seconds N],
// cairn-bench all [--html FILE] [--markdown FOLDER], or --list: the program behind `cairn bench`.

#include "all.h"
#include "verb.h"
#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>

void bench_collide(bench* b);
void bench_convergence(bench* b);
void bench_dantzig(bench* b);
void bench_engine(bench* b);
void bench_exact(bench* b);
void bench_files(bench* b);
void bench_lemke(bench* b);
void bench_papers(bench* b);
void bench_peers(bench* b);
void bench_pgs(bench* b);
void bench_problem(bench* b);
void bench_prox(bench* b);
void bench_quality(bench* b);
void bench_robots(bench* b);
void bench_simbenchmark(bench* b);
void bench_tree(bench* b);

static const bench_suite suites[] = {
    {"collide", "manifolds of every pair of shapes, and the broad phase", bench_collide, false},
    {"convergence", "the certified residual as a function of the work allowed", bench_convergence,
     false},
    {"dantzig", "Baraff 1994: pivoting against Gaussian elimination", bench_dantzig, false},
    {"engine", "speed of the engine on the included scenes, one thread", bench_engine, true},
    {"exact", "the true cone to round-off on stacks, walls, heaps and files, beside Siconos",
     bench_exact, true},
    {"files", "FCLib files by our methods and by Siconos' solvers, one measure for all",
     bench_files, false},
    {"lemke", "Lloyd's experiments: three variants of Lemke's method", bench_lemke, false},
    {"papers", "figures of the papers that no other suite measures", bench_papers, false},
    {"peers", "the reference scenes through ODE, Bullet, MuJoCo, DART and Cairn", bench_peers,
     true},
    {"pgs", "projected Gauss-Seidel: the patent's case, filtering, the fast loop", bench_pgs,
     false},
    {"problem", "what every solve pays before it starts", bench_problem, false},
    {"prox", "Erleben 2017: schemes and strategies on the problems of 450 steps", bench_prox, true},
    {"quality", "accuracy of the engine: included scenes and motion against laws and closed forms",
     bench_quality, true},
    {"robots",
     "an arm and a humanoid at equal energy error beside MuJoCo and DART; 1,000 worlds at once",
     bench_robots, true},
    {"simbenchmark", "the single-body tests of SimBenchmark, beside its published errors",
     bench_simbenchmark, false},
    {"tree", "Baraff 1996: linear time on trees, against dense factorization and other engines",
     bench_tree, false},
    {NULL, NULL, NULL, false},
};

double bench_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int compare_doubles(const void* a, const void* b)
{
    double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

void bench_sort(double* x, int n)
{
    qsort(x, (size_t)n, sizeof(double), compare_doubles);
}

double bench_median(double* x, int n)
{
    bench_sort(x, n);
    return n > 0 ? x[n / 2] : 0.0;
}

static void print_value(const json_t* value)
{
    if (json_is_real(value))
        printf(" %15.5g", json_real_value(value));
    else if (json_is_integer(value))
        printf(" %15lld", (long long)json_integer_value(value));
    else
        printf(" %15s", json_is_string(value) ? json_string_value(value) : "-");
}

static bool same_keys(const json_t* a, const json_t* b)
{
    void* x = json_object_iter((json_t*)a);
    void* y = json_object_iter((json_t*)b);
    for (; x && y;
         x = json_object_iter_next((json_t*)a, x), y = json_object_iter_next((json_t*)b, y))
        if (strcmp(json_object_iter_key(x), json_object_iter_key(y)) != 0)
            return false;
    return !x && !y;
}

// a line of its own, whole as soon as it is there: who reads may end this process at any time
static void tell(bench* b, const char* what, json_t* value)
{
    json_t* line = json_pack("{s:o}", what, value);
    if (b->stream) {
        json_dumpf(line, b->stream, JSON_COMPACT | JSON_REAL_PRECISION(9));
        fputc('\n', b->stream);
        fflush(b->stream);
    }
    json_decref(line);
}

void bench_row(bench* b, json_t* row)
{
    size_t count = json_array_size(b->rows);
    const json_t* last = count ? json_array_get(b->rows, count - 1) : NULL;
    const char* key;
    json_t* value;
    if (!b->json) {
        if (!last || !same_keys(last, row)) {
            json_object_foreach(row, key, value)
                printf("%*s", (int)(strlen(key) > 16 ? strlen(key) + 1 : 16), key);
            printf("\n");
        }
        json_object_foreach(row, key, value) print_value(value);
        printf("\n");
        fflush(stdout);
    }

    tell(b, "row", json_incref(row));
    json_array_append_new(b->rows, row);
}

enum { sentence_size = 1024 };

void bench_say(bench* b, const char* format, ...)
{
    char text[sentence_size];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    fprintf(b->json ? stderr : stdout, "%s\n", text);
    tell(b, "note", json_string(text));
}

void bench_bound(bench* b, bool met, const char* format, ...)
{
    char text[sentence_size];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    b->missed = b->missed || !met;
    fprintf(b->json ? stderr : stdout, "%s%s\n", met ? "met     " : "MISSED  ", text);
    tell(b, "bound", json_pack("{s:b, s:s}", "met", met, "text", text));
}

void bench_unreached(bench* b, const char* format, ...)
{
    char text[sentence_size];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    b->missed = true;
    fprintf(b->json ? stderr : stdout, "NOT REACHED  %s\n", text);
    tell(b, "unreached", json_string(text));
}

bool bench_wants(bench* b, const char* name)
{
    bool wanted = !b->only || strstr(name, b->only);
    b->found = b->found || wanted;
    return wanted;
}

bool bench_reach(bench* b, const char* format, ...)
{
    char text[sentence_size];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    bool begins = !(b->deadline > 0.0) || bench_clock() < b->deadline;
    if (begins)
        tell(b, "begun", json_string(text));
    else
        bench_unreached(b, "%s", text);
    return begins;
}

void bench_end_with_parent(void)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
}

double bench_part_ends(const bench* b, int parts)
{
    double now = bench_clock();
    return b->deadline > 0.0 ? now + (b->deadline - now) / parts : INFINITY;
}

const char* bench_machine(char* name, size_t size)
{
    FILE* file = fopen("/proc/cpuinfo", "r");
    char line[256];
    snprintf(name, size, "unknown");
    while (file && fgets(line, sizeof line, file)) {
        char* colon = strchr(line, ':');
        if (strncmp(line, "model name", 10) == 0 && colon) {
            snprintf(name, size, "%s", colon + 2);
            name[strcspn(name, "\n")] = '\0';
            break;
        }
    }

    if (file)
        fclose(file);
    return name;
}

// names alone, for completions
static int list_names(void)
{
    for (int i = 0; suites[i].name; i++)
        printf("%s\n", suites[i].name);
    return 0;
}

static int list(bool as_json)
{
    static const char all[] = "all of these, the papers' figures and the peers in one report";
    json_t* items = json_array();
    for (int i = 0; suites[i].name; i++)
        json_array_append_new(
            items, json_pack("{s:s, s:s}", "suite", suites[i].name, "summary", suites[i].summary));
    json_array_append_new(items, json_pack("{s:s, s:s}", "suite", "all", "summary", all));

    if (as_json) {
        json_t* object = json_pack("{s:O}", "suites", items);
        json_dumpf(object, stdout, JSON_INDENT(1));
        printf("\n");
        json_decref(object);
    } else {
        size_t i;
        json_t* item;
        json_array_foreach(items, i, item)
        {
            printf("%-12s %s\n", json_string_value(json_object_get(item, "suite")),
                   json_string_value(json_object_get(item, "summary")));
        }
        printf("`cairn bench SUITE --quick` runs one in seconds; `cairn help bench` has the "
               "options.\n");
    }

    json_decref(items);
    return 0;
}

static int refuse_suite(const char* name)
{
    cairn_guess guess = {.word = name};
    char hint[80];
    for (int i = 0; suites[i].name; i++)
        cairn_guess_offer(&guess, suites[i].name);
    fprintf(stderr, "cairn bench: '%s' is not a suite%s\n", name,
            guess.best ? cairn_guess_hint(&guess, hint, sizeof hint)
                       : "; `cairn bench` lists them");
    return 2;
}

static bool read_seconds(double* out, const char* text)
{
    char* end;
    *out = strtod(text, &end);
    return *text && !*end && *out > 0.0 && isfinite(*out);
}

static bool refuse(const char* what, const char* why)
{
    fprintf(stderr, "cairn bench: %s %s\n", what, why);
    return false;
}

// the arguments; false after a sentence
static bool parse(bench* b, bench_all_options* out, const char** suite, int argc, char** argv)
{
    const char* seconds = NULL;

    for (int i = 1; i < argc; i++) {
        const char* a = argv[i];
        const char** value = strcmp(a, "--problems") == 0   ? &b->problems
                             : strcmp(a, "--only") == 0     ? &b->only
                             : strcmp(a, "--html") == 0     ? &out->html
                             : strcmp(a, "--markdown") == 0 ? &out->markdown
                             : strcmp(a, "--from") == 0     ? &out->from
                             : strcmp(a, "--seconds") == 0  ? &seconds
                                                            : NULL;

        if (strcmp(a, "--json") == 0)
            b->json = true;
        else if (strcmp(a, "--quick") == 0)
            b->quick = true;
        else if (strcmp(a, "--force") == 0)
            out->force = true;
        else if (value && i + 1 < argc)
            *value = argv[++i];
        else if (value)
            return refuse(a, "needs a value; `cairn help bench` has the options");
        else if (a[0] == '-')
            return refuse(a, "is not an option; `cairn help bench` lists them");
        else if (*suite)
            return refuse(a, "is one argument too many");
        else
            *suite = a;
    }

    if (seconds && !read_seconds(&out->seconds, seconds))
        return refuse("--seconds", "expects a number > 0");

    // options of the report are for all suites only
    bool all = *suite && strcmp(*suite, "all") == 0;
    if (!all && (out->html || out->markdown || out->from || out->force))
        return refuse("--html, --markdown, --from and --force", "are for `cairn bench all` only");
    return true;
}

static int refuse_name(const bench_suite* suite, const char* name)
{
    fprintf(stderr, "cairn bench %s: no case has \"%s\" in its name\n", suite->name, name);
    return 2;
}

static int run_suite(bench* b, const bench_suite* suite)
{
    char cpu[128];

    if (b->only && !suite->has_cases)
        return refuse_name(suite, b->only);

    b->rows = json_array();
    suite->run(b);
    if (b->only && !b->found) {
        json_decref(b->rows);
        return refuse_name(suite, b->only);
    }

    if (b->json) {
        json_t* object =
            json_pack("{s:s, s:s, s:s, s:O}", "suite", suite->name, "machine",
                      bench_machine(cpu, sizeof cpu), "version", cairn_version(), "rows", b->rows);
        json_dumpf(object, stdout, JSON_INDENT(1) | JSON_REAL_PRECISION(9));
        printf("\n");
        json_decref(object);
    }

    json_decref(b->rows);
    return b->missed ? 1 : 0;
}

int main(int argc, char** argv)
{
    bench b = {0};
    bench_all_options out = {0};
    const char* suite = NULL;
    if (argc > 1 && strcmp(argv[1], "--list") == 0)
        return list_names();
    if (!parse(&b, &out, &suite, argc, argv))
        return 2;
    if (!suite)
        return list(b.json);
    if (strcmp(suite, "all") == 0)
        return bench_all(&b, &out, suites);
    if (out.seconds > 0.0)
        b.deadline = bench_clock() + out.seconds;
    for (int i = 0; suites[i].name; i++)
        if (strcmp(suites[i].name, suite) == 0)
            return run_suite(&b, &suites[i]);
    return refuse_suite(suite);
}
