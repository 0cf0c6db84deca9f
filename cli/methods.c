// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// cairn methods [NAME]: what can solve a problem, and what each method is for.

#include "verb.h"
#include <cairn/lcp.h>
#include <string.h>

static const char doc[] =
    "List the methods for contact problems (`cairn solve`, `cairn run --method`) and for plain "
    "linear complementarity problems (`cairn lcp`), or describe one of them.\v"
    "Example:\n  cairn methods\n  cairn methods exact\n  cairn methods --json";

// ---------------------------------------------------------------- all of them

static json_t* method_json(const cairn_method_info* info)
{
    json_t* item = json_object();
    verb_set_string(item, "name", info->name);
    verb_set_string(item, "from", info->from);
    verb_set_string(item, "law", info->law);
    json_object_set_new(item, "exact", json_boolean(info->exact));
    verb_set_string(item, "summary", info->summary);
    return item;
}

static json_t* list_json(const void* from)
{
    json_t *contact = json_array(), *plain = json_array(), *out = json_object();
    (void)from;

    for (int i = 0; i < cairn_method_count(); i++) {
        cairn_method_info info = cairn_method_at(i);
        json_array_append_new(contact, method_json(&info));
    }
    for (int i = 0; i < cairn_lcp_method_count(); i++)
        json_array_append_new(plain, json_string(cairn_lcp_method_at(i)));

    json_object_set_new(out, "methods", contact);
    json_object_set_new(out, "lcp_methods", plain);

    json_t* options = json_array();
    for (int i = 0; cairn_solve_option_at(i); i++)
        json_array_append_new(options, json_string(cairn_solve_option_at(i)));
    json_object_set_new(out, "options", options);

    return out;
}

static void list_text(const void* from)
{
    verb_table table = {.columns = 5};
    const char* const head[] = {"method", "from", "friction", "exact", "for"};
    (void)from;

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

    // four names per line
    printf("\n\noptions (--option NAME=VALUE, docs/methods.md):");
    for (int i = 0; cairn_solve_option_at(i); i++)
        printf("%s%s", i % 4 ? ", " : i ? ",\n  " : "\n  ", cairn_solve_option_at(i));
    printf("\n");
}

// ---------------------------------------------------------------- one of them

static json_t* one_json(const void* from)
{
    return method_json(from);
}

static void one_text(const void* from)
{
    const cairn_method_info* info = from;
    verb_table table = {.columns = 2};

    verb_cell(&table, "method");
    verb_cell(&table, "%s", info->name);
    verb_cell(&table, "from");
    verb_cell(&table, "%s", info->from);
    verb_cell(&table, "friction");
    verb_cell(&table, "%s", info->law);
    verb_cell(&table, "exact");
    verb_cell(&table, "%s", info->exact ? "yes" : "no, it iterates to the tolerance");
    verb_cell(&table, "for");
    verb_cell(&table, "%s", info->summary);
    verb_cell(&table, "try");
    verb_cell(&table, "cairn run wall --time 2 --method %s", info->name);

    verb_print_table(&table);
}

static cairn_status run(verb_common* common, cairn_error* error)
{
    if (common->argument_count == 0) {
        verb_show(common, list_json, list_text, NULL);
        return CAIRN_OK;
    }

    const char* name = common->arguments[0];
    for (int i = 0; i < cairn_method_count(); i++) {
        cairn_method_info info = cairn_method_at(i);
        if (strcmp(info.name, name) != 0)
            continue;
        verb_show(common, one_json, one_text, &info);
        return CAIRN_OK;
    }

    cairn_guess guess;
    char hint[80];
    verb_is_method(name, &guess);
    return cairn_fail(error, CAIRN_BAD_INPUT, "'%s' is not a method%s", name,
                      guess.best ? cairn_guess_hint(&guess, hint, sizeof hint)
                                 : "; `cairn methods` lists them");
}

const verb verb_methods = {
    .name = "methods",
    .summary = "list the solvers and what each is for",
    .arguments = "[NAME]",
    .most = 1,
    .doc = doc,
    .run = run,
};
