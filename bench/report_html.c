// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The report as one page without anything from outside.

#include "io/file.h"
#include "report.h"
#include "report_scatter.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char style[] =
    ":root{--ink:#23272b;--soft:#6b7177;--line:#e4e3de;--paper:#faf9f6;--card:#fff;--good:#24784f;"
    "--bad:#b3261e;--warn:#8a6200}"
    "*{box-sizing:border-box}body{margin:0;background:var(--paper);color:var(--ink);font:15px/1.55 "
    "system-ui,-apple-system,'Segoe UI',sans-serif}"
    "main{max-width:1180px;margin:0 auto;padding:0 28px 80px}"
    "header{padding:56px 0 8px}h1{font-size:34px;margin:0;letter-spacing:-.02em}"
    "h2{font-size:22px;margin:56px 0 6px;padding-top:18px;border-top:2px solid var(--ink);"
    "letter-spacing:-.01em}h3{font-size:15px;margin:26px 0 8px;color:var(--soft);font-weight:600}"
    "p{max-width:760px;margin:6px 0}.soft{color:var(--soft)}"
    ".tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(210px,1fr));gap:14px;margin:"
    "26px 0}.tile{background:var(--card);border:1px solid var(--line);border-radius:8px;padding:"
    "16px 18px}.tile b{display:block;font-size:27px;letter-spacing:-.02em;line-height:1.2}"
    ".tile span{color:var(--soft);font-size:13.5px}"
    "dl{display:grid;grid-template-columns:110px 1fr;margin:18px 0;font-size:13.5px;gap:2px 0}"
    "dt{color:var(--soft)}dd{margin:0}"
    ".plots{display:grid;grid-template-columns:repeat(auto-fill,minmax(480px,1fr));align-items:"
    "start;gap:18px;margin:"
    "18px 0}figure{margin:0;background:#fff;border:1px solid var(--line);border-radius:8px;padding:"
    "8px 6px 4px}figure svg{width:100%;height:auto;display:block}figcaption{color:#6b7177;font-"
    "size:13px;padding:2px 12px 8px}"
    "table{border-collapse:collapse;width:100%;background:var(--card);font-size:13.5px;margin:12px "
    "0;border:1px solid var(--line)}th{text-align:left;font-weight:600;color:var(--soft);border-"
    "bottom:1px solid var(--line);padding:7px 10px;vertical-align:bottom}td{padding:6px "
    "10px;border-"
    "bottom:1px solid var(--line);vertical-align:top}td.n,th.n{text-align:right;font-variant-"
    "numeric:tabular-nums;white-space:nowrap}tr:last-child td{border-bottom:0}"
    "tr.own td{background:#2f8f6b14}tr.paper td{font-weight:600;background:#00000008}"
    ".chip{display:inline-block;border-radius:10px;padding:1px 9px;font-size:12px;font-weight:600;"
    "white-space:nowrap}.good{color:var(--good);background:#24784f1a}.bad{color:var(--bad);"
    "background:#b3261e1a}.grey{color:var(--soft);background:#6b71771a}.warn{color:var(--warn);"
    "background:#8a62001a}.red{color:var(--bad);font-weight:600}"
    "details{margin:10px 0}summary{cursor:pointer;color:var(--soft);font-size:13.5px}"
    ".scroll{overflow-x:auto}ul.bounds{list-style:none;padding:0;margin:10px 0;font-size:13.5px;"
    "columns:1}ul.bounds li{padding:3px 0 3px 74px;text-indent:-74px}ul.bounds .chip{text-indent:0;"
    "width:64px;text-align:center;margin-right:10px}"
    "nav{font-size:13.5px;margin:10px 0 0;display:flex;flex-wrap:wrap;gap:4px 16px}nav a{color:"
    "var(--soft);text-decoration:none;border-bottom:1px solid var(--line)}"
    "@media(prefers-color-scheme:dark){:root{--ink:#e8e6e1;--soft:#9aa0a6;--line:#35383b;--paper:"
    "#17191b;--card:#1f2224;--good:#6fce9f;--bad:#ff8a80;--warn:#e2b455}tr.paper td{background:"
    "#ffffff0a}}@media(max-width:640px){.plots{grid-template-columns:1fr}main{padding:0 14px "
    "60px}header{padding-top:28px}.tiles{grid-template-columns:1fr 1fr}"
    "table.stack tr:first-child{display:none}table.stack,table.stack tbody,table.stack tr,"
    "table.stack td{display:block;width:100%}table.stack tr{border-bottom:1px solid var(--line);"
    "padding:6px 0}table.stack td,table.stack td.n{border:0;padding:2px 12px;text-align:left;"
    "white-space:normal}table.stack td:empty{display:none}table.stack tr:not(.paper) "
    "td:first-child{font-weight:600}table.stack td[data-is]:before{content:"
    "attr(data-is)\": \";color:var(--soft);font-weight:400}}@media "
    "print{body{background:#fff}details{display:none}}";

static void text(FILE* f, const json_t* object, const char* key)
{
    report_escape(f, report_string(object, key));
}

static void number(FILE* f, double x)
{
    char digits[32];
    fprintf(f, "<td class=\"n\">%s</td>", report_format(digits, sizeof digits, x));
}

// cells that say what they are where there is no room for a head of the table
static void text_cell(FILE* f, const json_t* object, const char* key, const char* is)
{
    fprintf(f, "<td data-is=\"%s\">", is);
    text(f, object, key);
    fputs("</td>", f);
}

static void number_cell(FILE* f, double x, const char* is, const char* remark)
{
    char digits[32];
    fprintf(f, "<td class=\"n\" data-is=\"%s\">%s%s</td>", is,
            report_format(digits, sizeof digits, x), remark);
}

// ---------------------------------------------------------------- the head

static void count_bounds(const json_t* report, int* met, int* all)
{
    const json_t* suites = json_object_get(report, "suites");
    *met = *all = 0;
    for (size_t i = 0; i < json_array_size(suites); i++) {
        const json_t* bounds = json_object_get(json_array_get(suites, i), "bounds");
        for (size_t k = 0; k < json_array_size(bounds); k++) {
            ++*all;
            *met += json_is_true(json_object_get(json_array_get(bounds, k), "met"));
        }
    }
}

static int count_unreached(const json_t* report)
{
    const json_t* suites = json_object_get(report, "suites");
    int count = 0;
    for (size_t i = 0; i < json_array_size(suites); i++)
        count += (int)json_array_size(json_object_get(json_array_get(suites, i), "unreached"));
    return count;
}

static int count_where(const json_t* list, const char* key, const char* value)
{
    int count = 0;
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t* item = json_array_get(list, i);
        count += value ? report_is(item, key, value) : json_is_true(json_object_get(item, key));
    }
    return count;
}

static void write_tile(FILE* f, int good, int all, const char* what)
{
    fprintf(f, "<div class=\"tile\"><b>%d <span>of %d</span></b><span>%s</span></div>", good, all,
            what);
}

static void write_head(FILE* f, const json_t* report)
{
    const json_t* headlines = json_object_get(report, "headlines");
    const json_t* peers = json_object_get(report, "against_peers");
    int met, all;
    count_bounds(report, &met, &all);

    fputs("<header><h1>Cairn ", f);
    text(f, report, "version");
    fputs(", measured</h1><p class=\"soft\">The figures of the papers behind the methods, and "
          "other engines, in one run on one machine. Compare ratios; absolute times depend on the "
          "machine.</p>",
          f);

    if (report_stale(report))
        fprintf(f,
                "<p class=\"red\">Stale: measured at commit %s, the page was made by a later "
                "program.</p>",
                report_stale(report));

    fputs("<dl><dt>commit</dt><dd>", f);
    text(f, report, "commit");
    fputs("</dd><dt>date</dt><dd>", f);
    text(f, report, "date");
    fputs("</dd><dt>machine</dt><dd>", f);
    text(f, report, "machine");
    fputs("; ", f);
    text(f, report, "system");
    fputs("</dd><dt>compiler</dt><dd>", f);
    text(f, report, "compiler");
    fputs("</dd><dt>peers</dt><dd>", f);
    text(f, report, "engines");
    fprintf(f, "</dd><dt>run</dt><dd>%s</dd></dl>",
            json_is_true(json_object_get(report, "quick"))
                ? "quick: short sizes and few repetitions, not for quoting"
                : "full");

    // links to the sections
    fputs("<nav><a href=\"#papers\">papers</a><a href=\"#peers\">peers</a>", f);
    for (size_t i = 0; i < json_array_size(json_object_get(report, "suites")); i++) {
        const char* name =
            report_string(json_array_get(json_object_get(report, "suites"), i), "suite");
        if (strcmp(name, "papers") != 0 && strcmp(name, "peers") != 0)
            fprintf(f, "<a href=\"#%s\">%s</a>", name, name);
    }

    // the four figures at a glance
    fputs("</nav></header><div class=\"tiles\">", f);
    write_tile(f,
               count_where(headlines, "verdict", "reproduced") +
                   count_where(headlines, "verdict", "better"),
               (int)json_array_size(headlines), "published figures reproduced or bettered");
    write_tile(f, count_where(peers, "error_met", NULL), (int)json_array_size(peers),
               "scenes with at most a tenth of the best peer's error");
    write_tile(f, count_where(peers, "time_met", NULL), (int)json_array_size(peers),
               "scenes within twice the fastest peer's time");
    write_tile(f, met, all, "bounds of the suites met");
    fputs("</div>", f);

    if (count_unreached(report) > 0)
        fprintf(f,
                "<p class=\"red\">%d cases were skipped for lack of time; the sections below name "
                "them.</p>",
                count_unreached(report));
}

// ---------------------------------------------------------------- the papers

static void write_verdict(FILE* f, const char* verdict)
{
    const char* kind = strcmp(verdict, "reproduced") == 0       ? "good"
                       : strcmp(verdict, "better") == 0         ? "good"
                       : strcmp(verdict, "not comparable") == 0 ? "warn"
                       : strcmp(verdict, "worse") == 0          ? "bad"
                                                                : "grey";
    fprintf(f, "<span class=\"chip %s\">%s</span>", kind, verdict);
}

static void write_headlines(FILE* f, const json_t* report)
{
    const json_t* list = json_object_get(report, "headlines");
    const char* last = "";
    fputs("<h2 id=\"papers\">The papers' figures</h2><p>What was published, what is measured here, "
          "and whether they agree. <em>Refuted</em> means that the publication is wrong and the "
          "reason is known.</p>"
          "<table class=\"stack\"><tr><th>figure</th><th>published</th><th>measured</th>"
          "<th>verdict</th><th>remark</th></tr>",
          f);

    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t* h = json_array_get(list, i);

        // a row for each paper before its figures
        if (strcmp(report_string(h, "paper"), last) != 0) {
            last = report_string(h, "paper");
            fputs("<tr class=\"paper\"><td colspan=\"5\">", f);
            report_escape(f, last);
            fputs("</td></tr>", f);
        }

        fputs("<tr><td>", f);
        text(f, h, "figure");
        fputs("</td>", f);
        text_cell(f, h, "published", "published");
        text_cell(f, h, "measured", "measured");
        fputs("<td>", f);
        write_verdict(f, report_string(h, "verdict"));
        fputs("</td><td class=\"soft\">", f);
        text(f, h, "note");
        fputs("</td></tr>", f);
    }

    fputs("</table>", f);
}

// ---------------------------------------------------------------- plots and tables

static void write_bounds(FILE* f, const json_t* suite)
{
    const json_t* bounds = json_object_get(suite, "bounds");
    if (json_array_size(bounds) == 0)
        return;

    fputs("<ul class=\"bounds\">", f);
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < json_array_size(bounds); i++) {
            const json_t* bound = json_array_get(bounds, i);
            bool met = json_is_true(json_object_get(bound, "met"));
            if (met != (pass == 1))
                continue;
            fprintf(f, "<li><span class=\"chip %s\">%s</span>", met ? "good" : "bad",
                    met ? "met" : "missed");
            text(f, bound, "text");
            fputs("</li>", f);
        }
    fputs("</ul>", f);
}

// what a suite had no time for, by name
static void write_unreached(FILE* f, const json_t* suite)
{
    const json_t* list = json_object_get(suite, "unreached");
    for (size_t i = 0; i < json_array_size(list); i++) {
        fputs(i ? "; " : "<p class=\"red\">Skipped for lack of time: ", f);
        report_escape(f, json_string_value(json_array_get(list, i)));
    }
    if (json_array_size(list) > 0)
        fputs(".</p>", f);
}

// the plots of a suite in two columns; bounds take the place beside an odd one
static void write_plots(FILE* f, const json_t* report, const char* suite, const json_t* bounds)
{
    int count = 0;
    for (const report_plot* p = report_plots; p->name; p++) {
        char* svg = NULL;
        size_t size = 0;
        if (strcmp(p->suite, suite) != 0)
            continue;

        // a plot without data leaves nothing behind
        FILE* memory = open_memstream(&svg, &size);
        bool drawn = memory && p->draw(memory, report);
        if (memory)
            fclose(memory);

        if (drawn) {
            fprintf(f, "%s<figure>%s<figcaption>", count ? "" : "<div class=\"plots\">", svg);
            report_escape(f, p->caption);
            fputs("</figcaption></figure>", f);
            count++;
        }

        free(svg);
    }

    if (bounds && count % 2 == 1)
        write_bounds(f, bounds);
    if (count)
        fputs("</div>", f);
    if (bounds && count % 2 == 0)
        write_bounds(f, bounds);
}

static void write_cell(FILE* f, const json_t* value)
{
    char digits[32];
    if (json_is_real(value))
        number(f, json_real_value(value));
    else if (json_is_integer(value))
        fprintf(f, "<td class=\"n\">%lld</td>", (long long)json_integer_value(value));
    else if (json_is_string(value)) {
        fputs("<td>", f);
        report_escape(f, json_string_value(value));
        fputs("</td>", f);
    } else if (json_is_boolean(value)) {
        fprintf(f, "<td>%s</td>", json_is_true(value) ? "yes" : "<span class=\"red\">no</span>");
    } else {
        fprintf(f, "<td class=\"n\">%s</td>", report_format(digits, sizeof digits, NAN));
    }
}

// every row, a new table where the keys change
static void write_rows(FILE* f, const json_t* rows)
{
    size_t keys = 0;
    bool open = false;
    fputs("<details><summary>all rows</summary><div class=\"scroll\">", f);

    for (size_t i = 0; i < json_array_size(rows); i++) {
        json_t* row = json_array_get(rows, i);
        const char* key;
        json_t* value;

        if (!open || json_object_size(row) != keys) {
            fprintf(f, "%s<table><tr>", open ? "</table>" : "");
            json_object_foreach(row, key, value)
            {
                fprintf(f, "<th%s>", json_is_number(value) ? " class=\"n\"" : "");
                report_escape(f, key);
                fputs("</th>", f);
            }
            fputs("</tr>", f);
            keys = json_object_size(row);
            open = true;
        }

        fprintf(f, "<tr%s>", report_is(row, "peer", "cairn") ? " class=\"own\"" : "");
        json_object_foreach(row, key, value) if (!json_is_object(value)) write_cell(f, value);
        else fputs("<td>…</td>", f);
        fputs("</tr>\n", f);
    }

    fputs(open ? "</table></div></details>" : "</div></details>", f);
}

// ---------------------------------------------------------------- peers

// errors that count as none say so
static void error_cell(FILE* f, double error, const char* is)
{
    number_cell(f, error, is,
                error <= report_no_error ? "<br><span class=\"soft\">counts as none</span>" : "");
}

static void write_scene(FILE* f, const json_t* p)
{
    bool met = json_is_true(json_object_get(p, "met"));
    bool late = !json_is_true(json_object_get(p, "time_met"));
    bool wrong = !json_is_true(json_object_get(p, "error_met"));
    double ms = report_number(p, "ms"), peer = report_number(p, "peer_ms");
    char digits[32];

    fputs("<tr><td><b>", f);
    text(f, p, "scene");
    fputs("</b></td>", f);
    text_cell(f, p, "error_kind", "error");

    error_cell(f, report_number(p, "error"), "Cairn");
    error_cell(f, report_number(p, "peer_error"), "best peer");
    text_cell(f, p, "best_peer", "who");

    number_cell(f, ms, "Cairn, ms", "");
    number_cell(f, peer, "fastest peer, ms", "");
    text_cell(f, p, "fastest_peer", "who");

    fprintf(f,
            "<td class=\"n%s\" data-is=\"times\">%s</td><td><span class=\"chip "
            "%s\">%s</span></td></tr>",
            late ? " red" : "", report_format(digits, sizeof digits, ms / peer),
            met ? "good" : "bad",
            met             ? "met"
            : late && wrong ? "slow and inaccurate"
            : late          ? "too slow"
                            : "not accurate enough");

    if (!met) {
        fputs("<tr><td></td><td colspan=\"9\" class=\"red\">Why: ", f);
        text(f, p, "why");
        fputs(".</td></tr>", f);
    }

    if (*report_string(p, "without_error")) {
        fputs(
            "<tr><td></td><td colspan=\"9\" class=\"soft\">Settings without an error to compare: ",
            f);
        text(f, p, "without_error");
        fputs(".</td></tr>", f);
    }
}

static void write_against(FILE* f, const json_t* report)
{
    const json_t* list = json_object_get(report, "against_peers");
    fprintf(f,
            "<p>Bounded: at most a tenth of the best peer's error at no more than twice the "
            "fastest peer's time a step, whoever these are, with one setting of ours. <b>Errors "
            "below 10<sup>%.0f</sup> (meters, or relative) count as none.</b> Where a bound is "
            "missed, it is "
            "said in red, with the reason that the measured rows give.</p><table "
            "class=\"stack\"><tr><th>scene</th><th>error</th><th class=\"n\">Cairn</th><th "
            "class=\"n\">best peer</th><th>who</th><th class=\"n\">Cairn, ms</th><th "
            "class=\"n\">fastest peer, ms</th><th>who</th><th class=\"n\">times</th><th></th></tr>",
            log10(report_no_error));
    for (size_t i = 0; i < json_array_size(list); i++)
        write_scene(f, json_array_get(list, i));
    fputs("</table>", f);
}

static void write_peers(FILE* f, const json_t* report)
{
    const json_t* rows = report_rows(report, "peers");
    const char* last = "";
    fputs("<h2 id=\"peers\">Against peers</h2><p>The same scenes, one description for all, one "
          "thread, sleeping off, frames of 1/60 s. Errors are measured by one judge from the poses "
          "that an engine reports, never by the engine itself. The green corner of a plot is where "
          "we want to be; settings that collapsed, were stopped or refused have no point there."
          "</p>",
          f);

    write_against(f, report);
    write_plots(f, report, "peers", NULL);

    // a plot for each scene, in the order of the rows
    fputs("<details><summary>every scene</summary><div class=\"plots\">", f);
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const char* scene = report_string(json_array_get(rows, i), "scene");
        char* svg = NULL;
        size_t size = 0;
        if (strcmp(scene, last) == 0)
            continue;
        last = scene;

        FILE* memory = open_memstream(&svg, &size);
        bool drawn = memory && draw_peers_scene(memory, report, scene, scene);
        if (memory)
            fclose(memory);

        if (drawn)
            fprintf(f, "<figure>%s</figure>", svg);
        free(svg);
    }

    fputs("</div></details>", f);
}

// ---------------------------------------------------------------- the page

static void write_suite(FILE* f, const json_t* report, const json_t* suite)
{
    const char* name = report_string(suite, "suite");
    if (strcmp(name, "peers") == 0) {
        write_unreached(f, suite);
        write_rows(f, json_object_get(suite, "rows"));
        return;
    }

    fprintf(f, "<h2 id=\"%s\">%s</h2><p class=\"soft\">",
            strcmp(name, "papers") == 0 ? "papers-rows" : name, name);
    text(f, suite, "summary");
    fprintf(f, "; %.0f s</p>", report_number(suite, "seconds"));
    write_unreached(f, suite);
    write_plots(f, report, name, suite);
    write_rows(f, json_object_get(suite, "rows"));
}

static void write_page(FILE* f, const json_t* report)
{
    const json_t* suites = json_object_get(report, "suites");
    fputs("<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
          "content=\"width=device-width,initial-scale=1\"><title>Cairn, measured</title><style>",
          f);
    fputs(style, f);
    fputs("</style></head><body><main>", f);
    write_head(f, report);
    write_headlines(f, report);
    write_peers(f, report);
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < json_array_size(suites); i++) {
            const json_t* suite = json_array_get(suites, i);
            if (report_is(suite, "suite", "peers") == (pass == 0))
                write_suite(f, report, suite);
        }
    fputs("</main></body></html>\n", f);
}

bool report_html(const char* path, const json_t* report)
{
    char* page = NULL;
    size_t size = 0;
    cairn_error error;
    FILE* f = open_memstream(&page, &size);
    if (!f)
        return false;

    write_page(f, report);
    fclose(f);
    bool written = cairn_file_write(path, page, size, true, &error) == CAIRN_OK;
    if (!written)
        fprintf(stderr, "cairn bench: %s\n", error.text);
    free(page);
    return written;
}
