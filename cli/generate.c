// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// cairn generate KIND --output F.hdf5: a test problem from a seed.

#include "verb.h"
#include <cairn/generate.h>
#include <cairn/io.h>
#include <string.h>

// options overrule the reference sizes of the kind, which is known only after all are parsed
typedef struct options {
    verb_common common;
    const char* output;
    bool force;
    const char *seed, *size, *width, *height, *mu, *mass_ratio, *hit, *deficiency;
    cairn_generate_def def;
} options;

enum {
    key_output = 0x300,
    key_force = 0x200,
    key_seed,
    key_size,
    key_width,
    key_height,
    key_mu,
    key_mass_ratio,
    key_hit,
    key_deficiency
};

static void set_sizes(const options* o, cairn_generate_def* def, const struct argp_state* state)
{
    bool wall = strcmp(def->kind, "wall") == 0, random = strcmp(def->kind, "random") == 0;
    if (o->size) {
        def->size = verb_integer(state, "--size", o->size, 0);
        if (wall)
            def->width = def->height = def->size;
        if (random) {
            def->width = (def->size + 1) / 2;
            def->height = def->size;
        }
    }
    if (o->width)
        def->width = verb_integer(state, "--width", o->width, 0);
    if (o->height)
        def->height = verb_integer(state, "--height", o->height, 0);
    if (o->deficiency)
        def->deficiency = verb_integer(state, "--deficiency", o->deficiency, 0);
}

static void finish(options* o, const struct argp_state* state)
{
    if (!o->output)
        verb_usage(state, "no output file given, expected --output FILE.hdf5");
    o->def = cairn_default_generate_def(o->common.arguments[0]);
    set_sizes(o, &o->def, state);
    if (o->seed)
        o->def.seed = verb_seed(state, o->seed);
    if (o->mu)
        o->def.mu = verb_real(state, "--mu", o->mu);
    if (o->mass_ratio)
        o->def.mass_ratio = verb_real(state, "--mass-ratio", o->mass_ratio);
    if (o->hit)
        o->def.hit = verb_real(state, "--hit", o->hit);
}

static error_t take(int key, char* arg, struct argp_state* state)
{
    options* o = state->input;
    switch (key) {
    case key_output:
        o->output = arg;
        return 0;
    case key_force:
        o->force = true;
        return 0;
    case key_seed:
        o->seed = arg;
        return 0;
    case key_size:
        o->size = arg;
        return 0;
    case key_width:
        o->width = arg;
        return 0;
    case key_height:
        o->height = arg;
        return 0;
    case key_mu:
        o->mu = arg;
        return 0;
    case key_mass_ratio:
        o->mass_ratio = arg;
        return 0;
    case key_hit:
        o->hit = arg;
        return 0;
    case key_deficiency:
        o->deficiency = arg;
        return 0;
    case ARGP_KEY_END:
        finish(o, state);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_option own[] = {
    {"output", key_output, "FILE", 0, "FCLib file to write", 0},
    {"force", key_force, NULL, 0, "Overwrite an existing file", 0},
    {"seed", key_seed, "N", 0, "Same seed, same bits (1)", 0},
    {"size", key_size, "N", 0,
     "peg: contacts; stack, massratio: blocks; chain: links; heap: spheres; wall: N x N bricks; "
     "random: N contacts between N/2 bodies",
     0},
    {"width", key_width, "N", 0, "wall: bricks in a row; random: bodies", 0},
    {"height", key_height, "N", 0, "wall: rows; random: contacts", 0},
    {"mu", key_mu, "X", 0, "Friction coefficient", 0},
    {"mass-ratio", key_mass_ratio, "X", 0, "stack, massratio: mass of the top block", 0},
    {"hit", key_hit, "X", 0, "wall: m/s by which the middle brick is hit", 0},
    {"deficiency", key_deficiency, "N", 0, "random: how many contacts repeat others", 0},
    {0}};
static const char doc[] =
    "Make a test problem and write it in FCLib's format. Kinds: peg, stack, wall, chain, heap, "
    "massratio, random.\v"
    "Example:\n  cairn generate wall --width 32 --height 32 --output wall32.hdf5";

static void print_json(const options* o, const cairn_problem* problem)
{
    json_t* out = json_object();
    verb_set_string(out, "kind", o->def.kind);
    verb_set_integer(out, "seed", (long long)o->def.seed);
    verb_set_integer(out, "contacts", cairn_problem_contact_count(problem));
    verb_set_integer(out, "bodies", problem->body_count);
    verb_set_integer(out, "rows", problem->row_count);
    verb_set_string(out, "output", o->output);
    verb_print_json(out);
}

static int run(const verb* v, int argc, char** argv)
{
    options o = {0};
    verb_parse(v, argc, argv, &o.common);
    cairn_error error;
    cairn_problem problem;
    if (!verb_may_write(o.output, o.force, &error))
        return verb_fail(v, CAIRN_BAD_INPUT, &error);
    cairn_status status = cairn_generate(&problem, &o.def, &error);
    if (status != CAIRN_OK)
        return verb_fail(v, status, &error);
    status = cairn_fclib_write(o.output, &problem, NULL, o.force, &error);
    if (status == CAIRN_OK && o.common.json)
        print_json(&o, &problem);
    else if (status == CAIRN_OK && !o.common.quiet)
        printf("%s: %s, %d contacts, %d bodies, %d rows\n", o.output, o.def.kind,
               cairn_problem_contact_count(&problem), problem.body_count, problem.row_count);
    cairn_problem_destroy(&problem);
    return status == CAIRN_OK ? exit_done : verb_fail(v, status, &error);
}

const verb verb_generate = {
    .name = "generate",
    .summary = "make a test problem from a seed",
    .arguments = "KIND",
    .least = 1,
    .most = 1,
    .noun = "kind",
    .expected = "for example 'wall'; `cairn help generate` lists them",
    .doc = doc,
    .options = own,
    .take = take,
    .run = run,
};
