// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Cairn beside its peers: for each bounded scene the best error and the shortest time of any peer
// with any setting, and the setting of ours that comes closest to a tenth of the one at no more
// than twice the other.

#include "report.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool ours(const json_t* row)
{
    return report_is(row, "peer", "cairn");
}

typedef struct bests {
    const json_t *fast, *exact; ///< rows of peers
    const json_t* own;          ///< the setting of ours that comes closest to both bounds
    const json_t* sharpest;     ///< the one with the least error
    double own_score;
} bests;

const double report_no_error = 1e-9;

static bool less(const json_t* a, const json_t* b, const char* key)
{
    double x = report_number(a, key), y = b ? report_number(b, key) : INFINITY;
    return isfinite(x) && x < y;
}

// how far a row of ours is from both bounds; at most 1 when it meets them
static double score(const json_t* row, const bests* b)
{
    double error = report_number(row, "error"), time = report_number(row, "ms_step_mean");
    double best = b->exact ? report_number(b->exact, "error") : INFINITY;
    double fast = b->fast ? report_number(b->fast, "ms_step_mean") : INFINITY;
    if (!report_is(row, "status", "done") || !isfinite(error))
        return INFINITY;
    double e = error <= report_no_error ? 0.0 : error / (0.1 * best);
    return fmax(e, time / (2.0 * fast));
}

// ---------------------------------------------------------------- why a bound is missed

typedef struct stage {
    const char* name;
    double ms;
} stage;

static int by_time(const void* a, const void* b)
{
    double x = ((const stage*)a)->ms, y = ((const stage*)b)->ms;
    return (x < y) - (x > y);
}

// "of which solve 51 %, narrow 20 %, integrate 12 %": the three stages that take most of our step
static void write_stages(FILE* f, const json_t* row)
{
    enum { most = 8, shown = 3 };
    stage stages[most];
    double sum = 0.0;
    int count = 0;
    const char* name;
    json_t* ms;
    json_object_foreach(json_object_get(row, "stages"), name, ms) if (count < most)
        stages[count++] = (stage){name, json_number_value(ms)};
    for (int k = 0; k < count; k++)
        sum += stages[k].ms;
    qsort(stages, (size_t)count, sizeof stages[0], by_time);
    for (int k = 0; k < count && k < shown; k++)
        fprintf(f, "%s%s %.0f %%", k ? ", " : ", of which ", stages[k].name,
                100.0 * stages[k].ms / sum);
}

// from the rows alone: where our time goes, and what the peer's time buys
static void explain_time(FILE* f, const bests* b)
{
    double error = report_number(b->own, "error"), theirs = report_number(b->fast, "error");
    fprintf(f, "our step takes %.3g us", 1e3 * report_number(b->own, "ms_step_mean"));
    write_stages(f, b->own);
    fprintf(f, "; the fastest peer's takes %.3g us and ",
            1e3 * report_number(b->fast, "ms_step_mean"));
    if (!isfinite(theirs))
        fputs("fails (no error can be given)", f);
    else if (error <= report_no_error)
        fprintf(f, "leaves an error of %.2g, ours counts as none", theirs);
    else
        fprintf(f, "leaves an error of %.2g, %.2g times ours", theirs, theirs / error);
}

static void explain_error(FILE* f, const bests* b)
{
    double error = report_number(b->own, "error"), best = report_number(b->exact, "error");
    fprintf(f,
            "our error of %.2g with \"%s\" is %.2g times the best peer's, which takes %.3g times "
            "our time",
            error, report_string(b->own, "settings"), error / best,
            report_number(b->exact, "ms_step_mean") / report_number(b->own, "ms_step_mean"));
    if (b->sharpest && b->sharpest != b->own)
        fprintf(f, "; \"%s\" has %.2g and takes %.3g times the fastest peer's time",
                report_string(b->sharpest, "settings"), report_number(b->sharpest, "error"),
                report_number(b->sharpest, "ms_step_mean") /
                    report_number(b->fast, "ms_step_mean"));
}

static json_t* explain(const bests* b, bool error_met, bool time_met)
{
    char* text = NULL;
    size_t size = 0;
    FILE* f = open_memstream(&text, &size);

    if (!report_is(b->own, "status", "done"))
        fprintf(f, "no run of ours ended: %s", report_string(b->own, "status"));
    else if (!isfinite(report_number(b->own, "error")))
        fputs("ours collapses", f);
    else {
        if (!time_met)
            explain_time(f, b);
        if (!time_met && !error_met)
            fputs("; ", f);
        if (!error_met)
            explain_error(f, b);
    }

    fclose(f);
    json_t* out = json_string(text);
    free(text);
    return out;
}

// ---------------------------------------------------------------- a scene

// how a run without an error ended; NULL: it has one
static const char* ending(const json_t* row)
{
    if (isfinite(report_number(row, "error")))
        return NULL;
    return report_is(row, "status", "done") ? "collapsed" : report_string(row, "status");
}

// the rows of a scene from row i on that are by the same engine and ended alike, and whether row i
// is the first of them
static bool count_alike(const json_t* rows, size_t i, int* alike)
{
    const json_t* row = json_array_get(rows, i);
    bool first = true;
    *alike = 0;
    for (size_t k = 0; k < json_array_size(rows); k++) {
        const json_t* other = json_array_get(rows, k);
        const char* how = ending(other);
        if (!how || strcmp(how, ending(row)) != 0 ||
            !report_is(other, "scene", report_string(row, "scene")) ||
            !report_is(other, "peer", report_string(row, "peer")))
            continue;
        first = first && k >= i;
        ++*alike;
    }
    return first;
}

// "ode: 2 collapsed; mujoco: 5 refused": settings whose error cannot be given
static json_t* without_error(const json_t* rows, const char* scene)
{
    char* text = NULL;
    size_t size = 0;
    FILE* f = open_memstream(&text, &size);
    bool any = false;
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t* row = json_array_get(rows, i);
        int alike;
        if (!report_is(row, "scene", scene) || !ending(row) || !count_alike(rows, i, &alike))
            continue;
        fprintf(f, "%s%s: %d %s", any ? "; " : "", report_string(row, "peer"), alike, ending(row));
        any = true;
    }

    fclose(f);
    json_t* out = json_string(text);
    free(text);
    return out;
}

static void name_row(json_t* out, const char* key, const json_t* row)
{
    char name[160] = "none";
    if (row)
        snprintf(name, sizeof name, "%s, %s", report_string(row, "peer"),
                 report_string(row, "settings"));
    json_object_set_new(out, key, json_string(name));
}

static json_t* judge(const char* scene, const bests* b)
{
    double error = report_number(b->own, "error"), ms = report_number(b->own, "ms_step_mean");
    double peer_error = b->exact ? report_number(b->exact, "error") : NAN;
    double peer_ms = report_number(b->fast, "ms_step_mean");

    // our error counts as met where no peer has one
    bool time_met = ms <= 2.0 * peer_ms;
    bool error_met = error <= report_no_error || error <= 0.1 * peer_error ||
                     (isfinite(error) && isnan(peer_error));

    json_t* out = json_pack("{s:s, s:s, s:s, s:b, s:b, s:b}", "scene", scene, "error_kind",
                            report_string(b->own, "error_kind"), "settings",
                            report_string(b->own, "settings"), "met", b->own_score <= 1.0,
                            "error_met", error_met, "time_met", time_met);

    const double values[] = {error, peer_error, ms, peer_ms};
    static const char* const keys[] = {"error", "peer_error", "ms", "peer_ms"};
    for (int k = 0; k < 4; k++)
        json_object_set_new(out, keys[k], isfinite(values[k]) ? json_real(values[k]) : json_null());

    name_row(out, "best_peer", b->exact);
    name_row(out, "fastest_peer", b->fast);
    json_object_set_new(out, "why", explain(b, error_met, time_met));
    return out;
}

json_t* report_judge_scene(const json_t* rows, const char* scene)
{
    bests b = {.own_score = INFINITY};

    // the best of the peers, error and time each by itself
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t* row = json_array_get(rows, i);
        if (!report_is(row, "scene", scene) || ours(row))
            continue;

        if (less(row, b.fast, "ms_step_mean"))
            b.fast = row;
        if (less(row, b.exact, "error"))
            b.exact = row;
    }

    // the setting of ours that comes closest to both goals
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t* row = json_array_get(rows, i);
        if (!report_is(row, "scene", scene) || !ours(row))
            continue;

        double s = score(row, &b);
        if (less(row, b.sharpest, "error"))
            b.sharpest = row;
        if (!b.own || s < b.own_score) {
            b.own = row;
            b.own_score = s;
        }
    }

    json_t* verdict = b.own && b.fast ? judge(scene, &b) : NULL;
    if (verdict)
        json_object_set_new(verdict, "without_error", without_error(rows, scene));
    return verdict;
}

json_t* report_against_peers(const json_t* report)
{
    const json_t* rows = report_rows(report, "peers");
    json_t* list = json_array();
    const char* last = "";
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t* row = json_array_get(rows, i);
        const char* scene = report_string(row, "scene");
        if (strcmp(scene, last) == 0 || !json_is_true(json_object_get(row, "bounded")))
            continue;
        last = scene;
        json_t* verdict = report_judge_scene(rows, scene);
        if (verdict)
            json_array_append_new(list, verdict);
    }
    return list;
}
