// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// A verb of the program: one file with a table of options, one function that does the work and one
// that shows the result, and one line in the table of main.c. Parsing, refusals, exit statuses and
// the choice between JSON, text and silence are the same for all and live in main.c and options.c.
#ifndef CAIRN_CLI_VERB_H
#define CAIRN_CLI_VERB_H

#include "io/scene/guess.h"
#include "view_needs.h"
#include <argp.h>
#include <cairn/io.h>
#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/// Exit statuses of every verb. A verb that a signal ended gives 128 and the signal's number.
enum { exit_done = 0, exit_missed = 1, exit_bad = 2, exit_fault = 3, exit_signal = 128 };

enum { verb_any_number = 1 << 30, verb_most_options = 40 };

typedef struct verb_common verb_common;

/// What the value of an option is, and the type of the field that it goes to.
typedef enum verb_kind {
    VERB_FLAG,       ///< no value; bool
    VERB_TEXT,       ///< const char*
    VERB_OUTPUT,     ///< a file to write, judged before the work begins; const char*
    VERB_INTEGER,    ///< from `least` to `most` (0: no bound); int
    VERB_SEED,       ///< uint64_t
    VERB_REAL,       ///< finite; double
    VERB_AT_LEAST_0, ///< double
    VERB_POSITIVE,   ///< double
    VERB_METHOD,     ///< the name of a method for contact problems; const char*
    VERB_LCP_METHOD, ///< the name of a method for plain LCPs; const char*
    VERB_OWN         ///< taken by the verb's own function
} verb_kind;

/// An option `--name VALUE`. The table of a verb ends with a zero.
typedef struct verb_option {
    const char *name, *value, *doc;
    verb_kind kind;
    size_t at; ///< of its field in the verb's options
    int least, most;
    void (*take)(verb_common* common, const char* text, struct argp_state* state); ///< VERB_OWN
} verb_option;

/// Shared options, which verbs include in their tables (options.c): --tolerance --max-iterations
/// --time-limit, and --facets --warm-start --threads --seed.
extern const verb_option verb_limits[], verb_tuning[];

/// And of verbs that read scenes, for those that are robots: --packages --keyframe --strict
/// --fix-base --no-floor --no-meshes --hold-frames.
extern const verb_option verb_robots[];

typedef struct verb {
    const char* name;
    const char* summary;   ///< one line of `cairn help`
    const char* arguments; ///< the plain ones, as the manual shows them
    int least, most;       ///< how many of them
    const char* noun;      ///< what they are: "no NOUN given, expected ..." is said when there are
    const char* expected;  ///< fewer
    const char* doc;       ///< what it does, a vertical tab, and an example
    const verb_option* options;  ///< its own, or NULL
    bool limits, tuning, robots; ///< whether it takes these shared options
    size_t size;                 ///< of its options, which begin with a verb_common

    /// Sets defaults that are not zero; or NULL.
    void (*prepare)(verb_common* options);

    /// Does the work. Sets `missed` when it was done but a tolerance or bound was not met.
    cairn_status (*run)(verb_common* options, cairn_error* error);

    /// In place of all that: hands the arguments to another program; or NULL.
    int (*hand_over)(const struct verb* verb, int argc, char** argv);
} verb;

extern const verb verb_run, verb_scenes, verb_solve, verb_race, verb_lcp, verb_generate,
    verb_methods, verb_bench, verb_view, verb_info, verb_convert, verb_check, verb_diff, verb_sweep,
    verb_help;

/// The verbs in the order of `cairn help`; NULL beyond the last.
const verb* verb_at(int index);
const verb* verb_find(const char* name);

// ---------------------------------------------------------------- options (options.c)

/// What every verb takes: --json, --quiet, --help, plain arguments. The options of a verb begin
/// with it.
struct verb_common {
    const verb* verb;
    bool json, quiet;
    bool force; ///< of verbs that write files
    char** arguments;
    int argument_count;
    cairn_solve_def def;   ///< of verbs with `limits` or `tuning`
    cairn_robot_def robot; ///< of verbs with `robots`
    bool missed;           ///< set by the verb: done, but a tolerance was not met
};

/// Parses the arguments of a verb. Does not return on bad usage or --help.
void verb_parse(const verb* v, int argc, char** argv, verb_common* options);

/// All that argp is told about a verb: its own options and the shared ones.
typedef struct verb_argp {
    struct argp argp;
    const verb_option* from[verb_most_options]; ///< the option behind each of `own`, but for shared
    struct argp_option own[verb_most_options + 1];
} verb_argp;

void verb_describe(verb_argp* out, const verb* v);

/// Prints one sentence about the arguments and ends the program with exit_bad.
_Noreturn void verb_usage(const struct argp_state* state, const char* format, ...)
    __attribute__((format(printf, 2, 3)));

/// Whole numbers and reals within bounds, or one sentence.
int verb_integer(const struct argp_state* state, const char* option, const char* text, int least,
                 int most);
/// Sets an option of a method from NAME=VALUE, or ends with a sentence.
void verb_set_option(cairn_solve_def* def, const char* text, struct argp_state* state);

double verb_real(const struct argp_state* state, const char* option, const char* text);

/// Prints the manual of a verb.
void verb_manual(const verb* v);

// ---------------------------------------------------------------- interruption (interrupt.c)

/// From now on SIGINT and SIGTERM raise a flag that long computations poll, and end nothing else.
/// Gives the flag.
const cairn_cancel* verb_catch_signals(void);

/// The same flag, whether signals are caught yet or not.
const cairn_cancel* verb_canceled(void);

/// A step of this world is under way from now on (NULL: no more): a signal cancels it, and so does
/// the clock after `seconds` (0: never).
void verb_cancel_steps(cairn_world* world, double seconds);

/// The signal that came since, or 0.
int verb_signal(void);

// ---------------------------------------------------------------- places (places.c, scenes.c)

/// The folder of this program, without the last slash.
bool verb_own_folder(char* folder, size_t size);

/// The folder of the shipped scenes: that of the installation, or that of the source tree.
bool verb_scene_folder(char* folder, size_t size);

/// The file of a shipped scene; false when there is none of this name.
bool verb_shipped_scene(char* path, size_t size, const char* name);

// ---------------------------------------------------------------- words (words.c)

/// Whether the text is the name of a method; else `guess` holds the nearest.
bool verb_is_method(const char* name, cairn_guess* guess);
bool verb_is_lcp_method(const char* name, cairn_guess* guess);

// ---------------------------------------------------------------- output (output.c)

/// Prints one line on standard output, or on another stream. Whatever in it could drive a terminal
/// (control characters, also those of Unicode, overrides of the writing direction, bytes that are
/// not UTF-8) is printed as an escape: names and sentences may come from hostile files. Every line
/// that the program prints for people goes through here.
void verb_print(const char* format, ...) __attribute__((format(printf, 1, 2)));
void verb_print_on(FILE* file, const char* format, ...) __attribute__((format(printf, 2, 3)));

/// Prints "cairn VERB: sentence" on standard error and gives the exit status that belongs to it.
int verb_fail(const verb* v, cairn_status status, const cairn_error* error);

/// False when no file may be written there; then `error` holds a sentence.
bool verb_may_write(const char* path, bool force, cairn_error* error);

/// Tells on standard error what the reader of a robot passed over, unless --quiet.
void verb_print_ignored(const verb_common* options, const char* ignored);

/// Prints "wrote FILE (7.1 MB)"; with `seconds` > 0 also how long that took.
void verb_print_file(const char* path, double seconds);

/// Seconds of a steady clock.
double verb_clock(void);

/// Shows a result as the options ask: as one JSON object, as text, or not at all.
void verb_show(const verb_common* options, json_t* (*json)(const void* result),
               void (*text)(const void* result), const void* result);

/// Prints the object on standard output, numbers in the shortest form that reads back as the same
/// bits, and frees it (json.c).
void verb_print_json(json_t* object);

/// A table of short texts, printed with aligned columns; the first row is its head.
typedef struct verb_table {
    int columns;
    int cells;
    char (*text)[120];
} verb_table;

void verb_cell(verb_table* table, const char* format, ...) __attribute__((format(printf, 2, 3)));

/// Prints a table and frees it.
void verb_print_table(verb_table* table);

#endif
