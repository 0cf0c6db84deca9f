// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The table of generators and their front door.

#include "math/accept.h"
#include "problem/generate/generate_draft.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { most = 10000000 }; // bodies or contacts: row numbers stay within an int

typedef struct kind {
    cairn_generate_def reference;
    cairn_generate_function make;
} kind;

// clang-format off
static const kind kinds[] = {
    {{.kind = "peg", .seed = 1, .size = 32, .mu = 0.5, .mass_ratio = 1.0}, cairn_generate_peg},
    {{.kind = "stack", .seed = 1, .size = 10, .mu = 0.6, .mass_ratio = 1.0}, cairn_generate_stack},
    {{.kind = "wall", .seed = 1, .width = 10, .height = 10, .mu = 0.6, .mass_ratio = 1.0}, cairn_generate_wall},
    {{.kind = "chain", .seed = 1, .size = 100, .mu = 0.5, .mass_ratio = 1.0}, cairn_generate_chain},
    {{.kind = "heap", .seed = 1, .size = 1000, .mu = 0.5, .mass_ratio = 1.0}, cairn_generate_heap},
    {{.kind = "massratio", .seed = 1, .size = 10, .mu = 0.6, .mass_ratio = 1000.0}, cairn_generate_massratio},
    {{.kind = "random", .seed = 1, .width = 20, .height = 40, .mu = 0.5, .mass_ratio = 1.0}, cairn_generate_random},
};
// clang-format on

enum { kind_count = sizeof kinds / sizeof kinds[0] };

int cairn_generate_kind_count(void)
{
    return kind_count;
}

const char* cairn_generate_kind_at(int index)
{
    return index >= 0 && index < kind_count ? kinds[index].reference.kind : NULL;
}

static const kind* find_kind(const char* name)
{
    for (int i = 0; name && i < kind_count; i++)
        if (strcmp(kinds[i].reference.kind, name) == 0)
            return &kinds[i];
    return NULL;
}

cairn_generate_def cairn_default_generate_def(const char* name)
{
    const kind* found = find_kind(name);
    return found ? found->reference : (cairn_generate_def){.kind = name, .mass_ratio = 1.0};
}

static cairn_status unknown_kind(const char* name, cairn_error* error)
{
    char list[128] = "";
    for (int i = 0, used = 0; i < kind_count; i++)
        used += snprintf(list + used, sizeof list - (size_t)used, "%s%s", i ? ", " : "",
                         kinds[i].reference.kind);
    return cairn_fail(error, CAIRN_BAD_INPUT, "'%s' is not a kind of problem, expected one of %s",
                      name ? name : "", list);
}

static cairn_status check_sizes(const cairn_generate_def* def, cairn_error* error)
{
    if (def->size < 0 || def->size > most)
        return cairn_fail(error, CAIRN_BAD_INPUT, "%s: the size is %d, expected 0 to %d", def->kind,
                          def->size, most);

    if (def->width < 0 || def->width > most || def->height < 0 || def->height > most)
        return cairn_fail(error, CAIRN_BAD_INPUT,
                          "%s: width and height are %d and %d, expected 0 to %d", def->kind,
                          def->width, def->height, most);

    if (strcmp(def->kind, "wall") == 0 && (int64_t)def->width * def->height > most)
        return cairn_fail(error, CAIRN_BAD_INPUT, "wall: %d times %d bricks, expected at most %d",
                          def->width, def->height, most);

    if (strcmp(def->kind, "random") == 0 && def->width == 0 && def->height > 0)
        return cairn_fail(error, CAIRN_BAD_INPUT,
                          "random: %d contacts without a body, expected a width of at least 1",
                          def->height);

    if (def->deficiency < 0 || (def->deficiency > 0 && def->deficiency >= def->height))
        return cairn_fail(error, CAIRN_BAD_INPUT,
                          "%s: the deficiency is %d, expected at least 0 and less than the %d "
                          "contacts",
                          def->kind, def->deficiency, def->height);

    return CAIRN_OK;
}

static cairn_status check_def(const cairn_generate_def* def, cairn_error* error)
{
    if (!find_kind(def->kind))
        return unknown_kind(def->kind, error);

    if (!(isfinite(def->mu) && def->mu >= 0.0))
        return cairn_fail(error, CAIRN_BAD_INPUT,
                          "%s: the friction coefficient is %g, expected a finite number >= 0",
                          def->kind, def->mu);

    if (!(isfinite(def->mass_ratio) && def->mass_ratio > 0.0))
        return cairn_fail(error, CAIRN_BAD_INPUT,
                          "%s: the mass ratio is %g, expected a finite number > 0", def->kind,
                          def->mass_ratio);

    if (!isfinite(def->hit))
        return cairn_fail(error, CAIRN_BAD_INPUT,
                          "%s: the speed of the hit is %g, expected a finite number", def->kind,
                          def->hit);

    return check_sizes(def, error);
}

cairn_status cairn_generate(const cairn_generate_def* def, cairn_problem* problem,
                            cairn_error* error)
{
    if (!problem || !def || !def->kind)
        return cairn_refuse_null(error, "the problem, the def or its kind");
    cairn_status status = check_def(def, error);
    if (status != CAIRN_OK)
        return status;

    cairn_draft draft = {.problem = cairn_problem_empty(), .random = {def->seed}};
    find_kind(def->kind)->make(&draft, def);
    if (!draft.failed)
        cairn_draft_finish(&draft);

    free(draft.center);
    free(draft.velocity);
    if (draft.failed) {
        cairn_problem_destroy(&draft.problem);
        return cairn_fail(error, CAIRN_NO_MEMORY, "%s: no memory for a problem of this size",
                          def->kind);
    }

    *problem = draft.problem;
    return CAIRN_OK;
}
