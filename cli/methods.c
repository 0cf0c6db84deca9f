// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// cairn methods: what can solve a problem, and what each method is for.

#include "verb.h"
#include <cairn/lcp.h>

static const char doc[] =
    "List the methods for contact problems (`cairn solve`) and for plain linear complementarity "
    "problems (`cairn lcp`).\v"
    "Example:\n  cairn methods --json";

static void print_json(void)
{
    json_t *contact = json_array(), *plain = json_array(), *out = json_object();
    for (int i = 0; i < cairn_method_count(); i++) {
        cairn_method_info info = cairn_method_at(i);
        json_t* item = json_object();
        verb_set_string(item, "name", info.name);
        verb_set_string(item, "from", info.from);
        verb_set_string(item, "law", info.law);
        json_object_set_new(item, "exact", json_boolean(info.exact));
        verb_set_string(item, "summary", info.summary);
        json_array_append_new(contact, item);
    }
    for (int i = 0; i < cairn_lcp_method_count(); i++)
        json_array_append_new(plain, json_string(cairn_lcp_method_at(i)));
    json_object_set_new(out, "methods", contact);
    json_object_set_new(out, "lcp_methods", plain);
    verb_print_json(out);
}

static void print_text(void)
{
    verb_table table = {.columns = 5};
    const char* const head[] = {"method", "from", "friction", "exact", "for"};
    for (int i = 0; i < 5; i++)
        verb_cell(&table, "%s", head[i]);
    for (int i = 0; i < cairn_method_count(); i++) {
        cairn_method_info info = cairn_method_at(i);
        verb_cell(&table, "%s", info.name);
        verb_cell(&table, "%s", info.from);
        verb_cell(&table, "%s", info.law);
        verb_cell(&table, "%s", info.exact ? "yes" : "no");
        verb_cell(&table, "%s", info.summary);
    }
    verb_print_table(&table);
    printf("\nplain LCPs: auto");
    for (int i = 0; i < cairn_lcp_method_count(); i++)
        printf(", %s", cairn_lcp_method_at(i));
    printf("\n");
}

static int run(const verb* v, int argc, char** argv)
{
    verb_common common = {0};
    verb_parse(v, argc, argv, &common);
    if (common.json)
        print_json();
    else if (!common.quiet)
        print_text();
    return exit_done;
}

const verb verb_methods = {
    .name = "methods",
    .summary = "the methods and what each is for",
    .arguments = "",
    .doc = doc,
    .run = run,
};
