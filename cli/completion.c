// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Completions of bash and zsh. Names that the program knows when it is built (methods, kinds) are
// written out; those that depend on the installation (scenes, suites) are asked for.

#include "manual.h"
#include <cairn/generate.h>
#include <cairn/lcp.h>
#include <string.h>

// how the shell completes a value, by the name that the help gives it
typedef enum words { WORDS_NONE, WORDS_FILES, WORDS_FOLDERS, WORDS_LISTED } words;

static words of_option(const struct argp_option* o)
{
    if (!o->arg)
        return WORDS_NONE;
    if (strcmp(o->name, "method") == 0 || strcmp(o->arg, "SHELL") == 0)
        return WORDS_LISTED;
    if (strstr(o->arg, "DIR"))
        return WORDS_FOLDERS;
    return strstr(o->arg, "FILE") ? WORDS_FILES : WORDS_NONE;
}

static void put_methods(FILE* file)
{
    for (int i = 0; i < cairn_method_count(); i++)
        fprintf(file, "%s%s", i ? " " : "", cairn_method_at(i).name);
}

// the values of an option that are known by name: shells, methods for plain LCPs, methods
static void put_listed(FILE* file, const struct argp_option* o)
{
    if (strcmp(o->arg, "SHELL") == 0) {
        fputs("bash zsh", file);
    } else if (strstr(o->doc, "LCP")) {
        fputs("auto", file);
        for (int i = 0; i < cairn_lcp_method_count(); i++)
            fprintf(file, " %s", cairn_lcp_method_at(i));
    } else {
        put_methods(file);
    }
}

static void put_kinds(FILE* file)
{
    for (int i = 0; cairn_generate_kind_at(i); i++)
        fprintf(file, "%s%s", i ? " " : "", cairn_generate_kind_at(i));
}

static void put_verbs(FILE* file)
{
    for (int i = 0; verb_at(i); i++)
        fprintf(file, "%s%s", i ? " " : "", verb_at(i)->name);
}

// the plain argument of a verb, as words of the shell; false: files
static bool put_argument(FILE* file, const verb* v)
{
    const char* doc = v->arguments;
    if (strstr(doc, "SCENE"))
        fputs("$(cairn scenes 2>/dev/null | awk '/^  / {print $1}')", file);
    else if (strstr(doc, "SUITE"))
        fputs("all $(cairn bench --list 2>/dev/null)", file);
    else if (strstr(doc, "KIND"))
        put_kinds(file);
    else if (strstr(doc, "VERB"))
        put_verbs(file);
    else if (strstr(doc, "NAME"))
        put_methods(file);
    else
        return false;
    return true;
}

// ---------------------------------------------------------------- bash

static void put_long(void* context, const struct argp_option* option)
{
    fprintf(context, "--%s ", option->name);
}

// `--option)` with what completes its value
static void put_value(void* context, const struct argp_option* option)
{
    FILE* file = context;
    words w = of_option(option);
    if (!option->arg)
        return;
    fprintf(file, "        --%s) ", option->name);
    if (w == WORDS_LISTED) {
        fputs("COMPREPLY=($(compgen -W '", file);
        put_listed(file, option);
        fputs("' -- \"$now\"));", file);
    } else if (w == WORDS_FILES || w == WORDS_FOLDERS) {
        fprintf(file, "COMPREPLY=($(compgen -%c -- \"$now\"));", w == WORDS_FILES ? 'f' : 'd');
    }
    fputs(" return ;;\n", file);
}

void manual_bash(FILE* file)
{
    // the first word is a verb or a general option
    fputs("# bash completion of cairn; written by `cairn help --completion bash`\n"
          "_cairn() {\n"
          "    local now=${COMP_WORDS[COMP_CWORD]} last=${COMP_WORDS[COMP_CWORD-1]}\n"
          "    COMPREPLY=()\n"
          "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
          "        COMPREPLY=($(compgen -W '",
          file);
    put_verbs(file);
    fputs(" --version --help' -- \"$now\"))\n        return\n    fi\n"
          "    case ${COMP_WORDS[1]} in\n",
          file);

    // each verb completes the value of the last option, its own options, and its arguments
    for (int i = 0; verb_at(i); i++) {
        const verb* v = verb_at(i);
        fprintf(file, "    %s)\n        case $last in\n", v->name);
        manual_options(v, put_value, file);
        fputs("        esac\n        if [[ $now == -* ]]; then\n"
              "            COMPREPLY=($(compgen -W '",
              file);
        manual_options(v, put_long, file);
        fputs("' -- \"$now\"))\n        else\n            COMPREPLY=($(compgen -W \"", file);
        bool listed = put_argument(file, v);
        fprintf(file, "\"%s -- \"$now\"))\n        fi ;;\n",
                listed && !strstr(v->arguments, "SCENE") ? "" : " -f");
    }

    fputs("    esac\n}\ncomplete -o filenames -F _cairn cairn\n", file);
}

// ---------------------------------------------------------------- zsh

// text inside '...[...]'
static void put_quoted(FILE* file, const char* text)
{
    for (const char* c = text; *c; c++) {
        if (*c == '\'')
            fputs("'\\''", file);
        else if (strchr("[]:", *c))
            fprintf(file, "\\%c", *c);
        else
            fputc(*c, file);
    }
}

static void put_zsh_option(void* context, const struct argp_option* option)
{
    FILE* file = context;
    words w = of_option(option);

    fprintf(file, "            '--%s[", option->name);
    put_quoted(file, option->doc ? option->doc : "");
    fputc(']', file);

    // the value of an option is one of a list, a file, a folder or anything
    if (option->arg) {
        fputc(':', file);
        put_quoted(file, option->arg);
        fputc(':', file);
        if (w == WORDS_LISTED) {
            fputc('(', file);
            put_listed(file, option);
            fputc(')', file);
        } else if (w == WORDS_FILES) {
            fputs("_files", file);
        } else if (w == WORDS_FOLDERS) {
            fputs("_files -/", file);
        }
    }

    fputs("' \\\n", file);
}

void manual_zsh(FILE* file)
{
    // the table of verbs with their summaries
    fputs("#compdef cairn\n# zsh completion of cairn; written by `cairn help --completion zsh`\n"
          "_cairn() {\n    local -a verbs\n    verbs=(\n",
          file);
    for (int i = 0; verb_at(i); i++) {
        fprintf(file, "        '%s:", verb_at(i)->name);
        put_quoted(file, verb_at(i)->summary);
        fputs("'\n", file);
    }

    // the second word is a verb; each verb sees the line as if it were the command
    fputs("    )\n    if (( CURRENT == 2 )); then\n        _describe verb verbs\n        return\n"
          "    fi\n    local verb=$words[2]\n    shift words\n    (( CURRENT-- ))\n"
          "    case $verb in\n",
          file);

    for (int i = 0; verb_at(i); i++) {
        const verb* v = verb_at(i);
        fprintf(file, "    %s)\n        _arguments \\\n", v->name);
        manual_options(v, put_zsh_option, file);
        fputs("            \"*:argument:{compadd -- ", file);
        if (!put_argument(file, v))
            fputs("; _files", file);
        else if (strstr(v->arguments, "SCENE"))
            fputs("; _files", file);
        fputs("}\" ;;\n", file);
    }

    fputs("    esac\n}\n_cairn \"$@\"\n", file);
}
