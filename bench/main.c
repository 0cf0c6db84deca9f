// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// cairn-bench SUITE [--json] [--quick] [--problems DIR] [--only NAME], or --list: the program
// behind `cairn bench`.

#include "suite.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

void bench_collide(bench* b);
void bench_dantzig(bench* b);
void bench_engine(bench* b);
void bench_exact(bench* b);
void bench_lemke(bench* b);
void bench_peers(bench* b);
void bench_pgs(bench* b);
void bench_problem(bench* b);
void bench_prox(bench* b);
void bench_quality(bench* b);
void bench_tree(bench* b);

static const struct {
    const char* name;
    const char* summary;
    bench_function run;
} suites[] = {
    {"collide", "manifolds of every pair of shapes, and the broad phase", bench_collide},
    {"dantzig", "Baraff 1994: pivoting against Gaussian elimination", bench_dantzig},
    {"engine", "how fast the engine is on shipped scenes, one thread", bench_engine},
    {"exact", "the true cone to round-off on stacks, walls, heaps and files; Siconos beside it",
     bench_exact},
    {"lemke", "Lloyd's experiments: three variants of Lemke's method", bench_lemke},
    {"peers", "the reference scenes through ODE, Bullet, MuJoCo, DART and Cairn", bench_peers},
    {"pgs", "projected Gauss-Seidel: the patent's case, filtering, the fast loop", bench_pgs},
    {"problem", "what every solve pays before it starts", bench_problem},
    {"prox", "Erleben 2017: schemes and strategies on 450 steps' problems", bench_prox},
    {"quality", "how right the engine is: shipped scenes against laws and closed forms",
     bench_quality},
    {"tree", "Baraff 1996: linear time on trees, against dense factorisation and other engines",
     bench_tree},
    {NULL, NULL, NULL},
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

double bench_median(double* x, int n)
{
    qsort(x, (size_t)n, sizeof(double), compare_doubles);
    return n > 0 ? x[n / 2] : 0.0;
}

static void print_value(const json_t* value)
{
    if (json_is_real(value))
        printf("%16.5g", json_real_value(value));
    else if (json_is_integer(value))
        printf("%16lld", (long long)json_integer_value(value));
    else
        printf("%16s", json_is_string(value) ? json_string_value(value) : "-");
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
    json_array_append_new(b->rows, row);
}

void bench_say(bench* b, const char* format, ...)
{
    FILE* stream = b->json ? stderr : stdout;
    va_list arguments;
    va_start(arguments, format);
    vfprintf(stream, format, arguments);
    va_end(arguments);
    fputc('\n', stream);
}

void bench_bound(bench* b, bool met, const char* format, ...)
{
    FILE* stream = b->json ? stderr : stdout;
    va_list arguments;
    fputs(met ? "met     " : "MISSED  ", stream);
    va_start(arguments, format);
    vfprintf(stream, format, arguments);
    va_end(arguments);
    fputc('\n', stream);
    b->missed = b->missed || !met;
}

static const char* machine(char* name, size_t size)
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

static int list(void)
{
    for (int i = 0; suites[i].name; i++)
        printf("%s\n", suites[i].name);
    return 0;
}

static int usage(void)
{
    fprintf(stderr,
            "usage: cairn bench SUITE [--json] [--quick] [--problems DIR] [--only NAME]; suites:");
    for (int i = 0; suites[i].name; i++)
        fprintf(stderr, " %s", suites[i].name);
    fprintf(stderr, "\n");
    return 2;
}

int main(int argc, char** argv)
{
    bench b = {.rows = json_array()};
    const char* suite = NULL;
    char cpu[128];
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--json") == 0)
            b.json = true;
        else if (strcmp(argv[i], "--list") == 0)
            return list();
        else if (strcmp(argv[i], "--quick") == 0)
            b.quick = true;
        else if (strcmp(argv[i], "--problems") == 0 && i + 1 < argc)
            b.problems = argv[++i];
        else if (strcmp(argv[i], "--only") == 0 && i + 1 < argc)
            b.only = argv[++i];
        else if (argv[i][0] != '-' && !suite)
            suite = argv[i];
        else
            return usage();
    }
    for (int i = 0; suite && suites[i].name; i++) {
        if (strcmp(suites[i].name, suite) != 0)
            continue;
        suites[i].run(&b);
        if (b.json) {
            json_t* out = json_pack("{s:s, s:s, s:s, s:o}", "suite", suite, "machine",
                                    machine(cpu, sizeof cpu), "version", CAIRN_VERSION_STRING,
                                    "rows", b.rows);
            json_dumpf(out, stdout, JSON_INDENT(1) | JSON_REAL_PRECISION(9));
            printf("\n");
            json_decref(out);
        } else {
            json_decref(b.rows);
        }
        return b.missed ? 1 : 0;
    }
    json_decref(b.rows);
    return usage();
}
