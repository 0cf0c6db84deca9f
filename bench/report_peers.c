// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Cairn beside its peers: for each bounded scene the best error and the shortest time of any peer
// with any setting, and the setting of ours that comes closest to a tenth of the one at no more
// than twice the other.

#include "report.h"
#include <math.h>
#include <string.h>

static bool ours(const json_t* row)
{
    return report_is(row, "peer", "cairn");
}

typedef struct bests {
    const json_t *fast, *exact; ///< rows of peers
    const json_t* own;
    double own_score;
} bests;

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
    double e = error <= 1e-9 ? 0.0 : error / (0.1 * best);
    return fmax(e, time / (2.0 * fast));
}

// what makes a scene costly for us, said where a bound is missed
static const char* reason(const char* scene)
{
    static const struct {
        const char *scene, *why;
    } reasons[] = {
        {"incline",
         "a single box: we solve its four contacts and certify the answer at every step, "
         "the fastest peers sweep ten times and do not look"},
        {"massratio", "two boxes: we solve and certify, the fastest peers sweep ten times and do "
                      "not look"},
        {"chain", "we keep the energy and the tip by the midpoint rule, with rows at the middle of "
                  "the step and a correction of the joints at its end; the fastest peers take one "
                  "semi-implicit step"},
        {"wall",
         "the whole wall is solved and certified as one island; the fastest peers sweep ten "
         "times and let it sink"},
    };
    for (size_t i = 0; i < sizeof reasons / sizeof reasons[0]; i++)
        if (strncmp(scene, reasons[i].scene, strlen(reasons[i].scene)) == 0)
            return reasons[i].why;
    return "";
}

static json_t* judge(const char* scene, const bests* b)
{
    double error = report_number(b->own, "error"), ms = report_number(b->own, "ms_step_mean");
    double peer_error = b->exact ? report_number(b->exact, "error") : NAN;
    double peer_ms = b->fast ? report_number(b->fast, "ms_step_mean") : NAN;
    json_t* out = json_pack("{s:s, s:s, s:s, s:b}", "scene", scene, "error_kind",
                            report_string(b->own, "error_kind"), "settings",
                            report_string(b->own, "settings"), "met", b->own_score <= 1.0);
    const double values[] = {error, peer_error, ms, peer_ms};
    static const char* const keys[] = {"error", "peer_error", "ms", "peer_ms"};
    char name[160];
    for (int k = 0; k < 4; k++)
        json_object_set_new(out, keys[k], isfinite(values[k]) ? json_real(values[k]) : json_null());
    snprintf(name, sizeof name, "%s, %s", b->exact ? report_string(b->exact, "peer") : "none",
             b->exact ? report_string(b->exact, "settings") : "");
    json_object_set_new(out, "best_peer", json_string(name));
    snprintf(name, sizeof name, "%s, %s", b->fast ? report_string(b->fast, "peer") : "none",
             b->fast ? report_string(b->fast, "settings") : "");
    json_object_set_new(out, "fastest_peer", json_string(name));
    json_object_set_new(out, "error_met",
                        json_boolean(error <= 1e-9 || error <= 0.1 * peer_error ||
                                     (isfinite(error) && isnan(peer_error))));
    json_object_set_new(out, "why", json_string(b->own_score <= 1.0 ? "" : reason(scene)));
    json_object_set_new(out, "time_met", json_boolean(ms <= 2.0 * peer_ms));
    return out;
}

static json_t* judge_scene(const json_t* rows, const char* scene)
{
    bests b = {.own_score = INFINITY};
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t* row = json_array_get(rows, i);
        if (!report_is(row, "scene", scene) || ours(row))
            continue;
        if (less(row, b.fast, "ms_step_mean"))
            b.fast = row;
        if (less(row, b.exact, "error"))
            b.exact = row;
    }
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t* row = json_array_get(rows, i);
        if (!report_is(row, "scene", scene) || !ours(row))
            continue;
        double s = score(row, &b);
        if (!b.own || s < b.own_score) {
            b.own = row;
            b.own_score = s;
        }
    }
    return b.own && b.fast ? judge(scene, &b) : NULL;
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
        json_t* verdict = judge_scene(rows, scene);
        if (verdict)
            json_array_append_new(list, verdict);
    }
    return list;
}
