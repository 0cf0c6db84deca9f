// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// A verb of the program: one file with one function and its options, and one line in the table of
// main.c. Shared here: exit statuses, option parsing on argp, error sentences, JSON, tables.
#ifndef CAIRN_CLI_VERB_H
#define CAIRN_CLI_VERB_H

#include <argp.h>
#include <cairn/solve.h>
#include <jansson.h>
#include <stdbool.h>

/// Exit statuses of every verb.
enum { exit_done = 0, exit_missed = 1, exit_bad = 2, exit_fault = 3 };

enum { verb_any_number = 1 << 30 };

typedef struct verb {
    const char* name;
    const char* summary;   ///< one line of `cairn help`
    const char* arguments; ///< the plain ones, as the manual shows them
    int least, most;       ///< how many of them
    const char* noun;      ///< what they are: "no NOUN given, expected ..." is said when there are
    const char* expected;  ///< fewer
    const char* doc;       ///< what it does, a vertical tab, and an example
    const struct argp_option* options; ///< its own, or NULL
    argp_parser_t take;                ///< takes these, and a look at ARGP_KEY_END; or NULL
    bool limits, tuning;               ///< whether it takes these shared options (options.c)
    int (*run)(const struct verb* verb, int argc, char** argv); ///< argv[0] is the verb
} verb;

extern const verb verb_run, verb_scenes, verb_solve, verb_race, verb_lcp, verb_generate,
    verb_methods, verb_bench, verb_view, verb_info, verb_check, verb_diff, verb_help;

/// The verbs in the order of `cairn help`; NULL beyond the last.
const verb* verb_at(int index);
const verb* verb_find(const char* name);

// ---------------------------------------------------------------- options (options.c)

/// What every verb takes: --json, --quiet, --help, plain arguments. The options of a verb begin
/// with it.
typedef struct verb_common {
    const verb* verb;
    bool json, quiet;
    char** arguments;
    int argument_count;
    cairn_solve_def def; ///< of verbs with `limits` (--tolerance --max-iterations --time-limit) or
                         ///< `tuning` (--facets --warm-start --threads --seed)
} verb_common;

/// Parses the arguments of a verb into its options, which begin with a verb_common. Does not return
/// on bad usage or --help.
void verb_parse(const verb* v, int argc, char** argv, verb_common* options);

/// All that argp is told about a verb: its own options and the shared ones.
typedef struct verb_argp {
    struct argp argp;
    struct argp_child children[4];
} verb_argp;

void verb_describe(verb_argp* out, const verb* v);

/// Prints one sentence about the arguments and ends the program with exit_bad.
_Noreturn void verb_usage(const struct argp_state* state, const char* format, ...)
    __attribute__((format(printf, 2, 3)));

/// Whole numbers and reals within bounds, or one sentence.
int verb_integer(const struct argp_state* state, const char* option, const char* text, int least);
uint64_t verb_seed(const struct argp_state* state, const char* text);
double verb_real(const struct argp_state* state, const char* option, const char* text);

/// Prints the manual of a verb.
void verb_manual(const verb* v);

// ---------------------------------------------------------------- places (places.c)

/// The folder of this program, without the last slash.
bool verb_own_folder(char* folder, size_t size);

/// The folder of the shipped scenes: that of the installation, or that of the source tree.
bool verb_scene_folder(char* folder, size_t size);

/// The file of a scene given as a path or as the name of a shipped one.
bool verb_scene_path(char* path, size_t size, const char* scene, cairn_error* error);

/// The shipped scenes: objects with `scene` and `title`; NULL when their folder is not there
/// (scenes.c).
json_t* verb_list_scenes(void);

// ---------------------------------------------------------------- output (output.c)

/// Prints "cairn VERB: sentence" on standard error and gives the exit status that belongs to it.
int verb_fail(const verb* v, cairn_status status, const cairn_error* error);

/// False when `path` exists and `force` is not given; then `error` holds a sentence.
bool verb_may_write(const char* path, bool force, cairn_error* error);

/// Sets a number; one that JSON cannot hold (NaN, infinity) becomes null.
void verb_set_real(json_t* object, const char* key, double x);
void verb_set_integer(json_t* object, const char* key, long long x);
void verb_set_string(json_t* object, const char* key, const char* text);

/// Prints the object on standard output and frees it.
void verb_print_json(json_t* object);

/// A table of short texts, printed with aligned columns; the first row is its head.
typedef struct verb_table {
    int columns;
    int cells;
    char (*text)[96];
} verb_table;

void verb_cell(verb_table* table, const char* format, ...) __attribute__((format(printf, 2, 3)));

/// Prints a table and frees it.
void verb_print_table(verb_table* table);

#endif
