// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// What verbs print: lines, error sentences, results, tables.

#include "io/file.h"
#include "text.h"
#include "verb.h"
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

double verb_clock(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// ---------------------------------------------------------------- lines

// an escape takes up to six bytes for one
enum { line_size = 2048, printed_size = 6 * line_size };

static void print_line(FILE* file, const char* format, va_list arguments)
{
    char raw[line_size], text[printed_size];
    vsnprintf(raw, sizeof raw, format, arguments);
    text_escape(text, sizeof text, raw);
    fprintf(file, "%s\n", text);
}

void verb_print(const char* format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    print_line(stdout, format, arguments);
    va_end(arguments);
}

void verb_print_on(FILE* file, const char* format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    print_line(file, format, arguments);
    va_end(arguments);
}

int verb_fail(const verb* v, cairn_status status, const cairn_error* error)
{
    verb_print_on(stderr, "cairn %s: %s", v->name, error->text);
    return status == CAIRN_NO_MEMORY || status == CAIRN_FAULT ? exit_fault : exit_bad;
}

// ---------------------------------------------------------------- files

bool verb_may_write(const char* path, bool force, cairn_error* error)
{
    if (strcmp(path, "-") != 0)
        return cairn_file_may_write(path, force, error) == CAIRN_OK;
    cairn_fail(error, CAIRN_BAD_INPUT, "'-' is not the name of a file, expected one");
    return false;
}

void verb_print_ignored(const verb_common* options, const char* ignored)
{
    if (!options->quiet && ignored[0])
        verb_print_on(stderr, "note: not read: %s", ignored);
}

void verb_print_file(const char* path, double seconds)
{
    struct stat about;
    double size = stat(path, &about) == 0 ? (double)about.st_size : 0.0;
    char amount[32], took[32] = "";
    if (size >= 1e6)
        snprintf(amount, sizeof amount, "%.3g MB", 1e-6 * size);
    else if (size >= 1e3)
        snprintf(amount, sizeof amount, "%.3g kB", 1e-3 * size);
    else
        snprintf(amount, sizeof amount, "%.0f bytes", size);
    if (seconds > 0.0)
        snprintf(took, sizeof took, " in %.2g s", seconds);
    verb_print("wrote %s (%s)%s", path, amount, took);
}

// ---------------------------------------------------------------- results

void verb_show(const verb_common* options, json_t* (*json)(const void* result),
               void (*text)(const void* result), const void* result)
{
    if (options->json)
        verb_print_json(json(result));
    else if (!options->quiet)
        text(result);
}

// ---------------------------------------------------------------- tables

void verb_cell(verb_table* table, const char* format, ...)
{
    if (table->cells % 64 == 0) {
        void* text = realloc(table->text, ((size_t)table->cells + 64) * sizeof *table->text);
        if (!text) {
            fputs("cairn: no memory for a table\n", stderr);
            exit(exit_fault);
        }
        table->text = text;
    }
    char raw[sizeof *table->text];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(raw, sizeof raw, format, arguments);
    va_end(arguments);
    text_escape(table->text[table->cells++], sizeof *table->text, raw);
}

// characters, not bytes
static int width_of(const char* text)
{
    int width = 0;
    for (; *text; text++)
        width += (*text & 0xc0) != 0x80;
    return width;
}

void verb_print_table(verb_table* table)
{
    for (int i = 0; i < table->cells; i++) {
        int j = i % table->columns, width = 0;
        const char* text = table->text[i];
        if (j == table->columns - 1) {
            printf("%s\n", text);
            continue;
        }
        for (int k = j; k < table->cells; k += table->columns)
            width = width_of(table->text[k]) > width ? width_of(table->text[k]) : width;
        printf("%s%*s  ", text, width - width_of(text), "");
    }
    free(table->text);
    *table = (verb_table){0};
}
