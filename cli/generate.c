// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// cairn generate KIND --output F.hdf5: a test problem from a seed.

#include "verb.h"
#include <cairn/generate.h>
#include <cairn/io.h>
#include <math.h>
#include <string.h>

// what was not given is negative or NaN: the kind has reference sizes of its own
typedef struct options {
    verb_common common;
    const char* output;
    uint64_t seed;
    int size, width, height, deficiency;
    double mu, mass_ratio, hit;
} options;

static void prepare(verb_common* common)
{
    options* o = (options*)common;
    o->seed = 1;
    o->size = o->width = o->height = o->deficiency = -1;
    o->mu = o->mass_ratio = o->hit = NAN;
}

static const verb_option own[] = {
    {"output", "FILE", "FCLib file to write", VERB_OUTPUT, offsetof(options, output), 0, 0, NULL},
    {"seed", "N", "Random seed; the same seed gives the same bits (1)", VERB_SEED,
     offsetof(options, seed), 0, 0, NULL},
    {"size", "N",
     "peg: contacts; stack, massratio: blocks; chain: links; heap: spheres; wall: N x N bricks; "
     "random: N contacts between N/2 bodies",
     VERB_INTEGER, offsetof(options, size), 0, 0, NULL},
    {"width", "N", "wall: bricks in a row; random: bodies", VERB_INTEGER, offsetof(options, width),
     0, 0, NULL},
    {"height", "N", "wall: rows; random: contacts", VERB_INTEGER, offsetof(options, height), 0, 0,
     NULL},
    {"mu", "X", "Friction coefficient", VERB_REAL, offsetof(options, mu), 0, 0, NULL},
    {"mass-ratio", "X", "stack, massratio: mass of the top block", VERB_REAL,
     offsetof(options, mass_ratio), 0, 0, NULL},
    {"hit", "X", "wall: impact speed on the middle brick, in m/s", VERB_REAL,
     offsetof(options, hit), 0, 0, NULL},
    {"deficiency", "N", "random: number of redundant contacts", VERB_INTEGER,
     offsetof(options, deficiency), 0, 0, NULL},
    {0}};
static const char doc[] =
    "Generate a test problem and write it as an FCLib file. Kinds: peg, stack, wall, chain, heap, "
    "massratio, random.\v"
    "Example:\n  cairn generate wall --width 32 --height 32 --output wall32.hdf5";

static cairn_status choose(cairn_generate_def* def, const options* o, cairn_error* error)
{
    const char* kind = o->common.arguments[0];
    cairn_guess guess = {.word = kind};
    char hint[80];

    bool known = false;
    for (int i = 0; i < cairn_generate_kind_count(); i++) {
        known = known || strcmp(cairn_generate_kind_at(i), kind) == 0;
        cairn_guess_offer(&guess, cairn_generate_kind_at(i));
    }
    if (!known)
        return cairn_fail(error, CAIRN_BAD_INPUT, "'%s' is not a kind of problem%s", kind,
                          guess.best ? cairn_guess_hint(&guess, hint, sizeof hint)
                                     : "; `cairn help generate` lists them");

    if (!o->output)
        return cairn_fail(error, CAIRN_BAD_INPUT,
                          "no output file given, expected --output FILE.hdf5");

    // one size stands for two where a kind has two
    *def = cairn_default_generate_def(kind);
    def->seed = o->seed;
    if (o->size >= 0) {
        def->size = o->size;
        if (strcmp(kind, "wall") == 0)
            def->width = def->height = o->size;
        if (strcmp(kind, "random") == 0) {
            def->width = (o->size + 1) / 2;
            def->height = o->size;
        }
    }

    // sizes and parameters of their own come after, so that they win
    def->width = o->width >= 0 ? o->width : def->width;
    def->height = o->height >= 0 ? o->height : def->height;
    def->deficiency = o->deficiency >= 0 ? o->deficiency : def->deficiency;
    def->mu = isnan(o->mu) ? def->mu : o->mu;
    def->mass_ratio = isnan(o->mass_ratio) ? def->mass_ratio : o->mass_ratio;
    def->hit = isnan(o->hit) ? def->hit : o->hit;
    return CAIRN_OK;
}

// what is shown
typedef struct result {
    const cairn_generate_def* def;
    const cairn_problem* problem;
    const char* output;
} result;

static json_t* to_json(const void* from)
{
    const result* r = from;
    json_t* out = json_object();
    verb_set_string(out, "kind", r->def->kind);
    verb_set_integer(out, "seed", (long long)r->def->seed);
    verb_set_integer(out, "contacts", cairn_problem_contact_count(r->problem));
    verb_set_integer(out, "bodies", r->problem->body_count);
    verb_set_integer(out, "rows", r->problem->row_count);
    verb_set_string(out, "output", r->output);
    return out;
}

static void to_text(const void* from)
{
    const result* r = from;
    verb_print("%s: %d contacts, %d bodies, %d rows", r->def->kind,
               cairn_problem_contact_count(r->problem), r->problem->body_count,
               r->problem->row_count);
    verb_print_file(r->output, 0.0);
}

static cairn_status run(verb_common* common, cairn_error* error)
{
    const options* o = (const options*)common;
    cairn_generate_def def;
    cairn_problem problem;
    cairn_status status = choose(&def, o, error);
    if (status == CAIRN_OK)
        status = cairn_generate(&def, &problem, error);
    if (status != CAIRN_OK)
        return status;
    status = cairn_fclib_write(o->output, &problem, NULL, common->force, error);
    if (status == CAIRN_OK)
        verb_show(common, to_json, to_text, &(result){&def, &problem, o->output});
    cairn_problem_destroy(&problem);
    return status;
}

const verb verb_generate = {
    .name = "generate",
    .summary = "generate a test problem from a seed",
    .arguments = "KIND",
    .least = 1,
    .most = 1,
    .noun = "kind",
    .expected = "for example 'wall'; `cairn help generate` lists them",
    .doc = doc,
    .options = own,
    .size = sizeof(options),
    .prepare = prepare,
    .run = run,
};
