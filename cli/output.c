// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// What verbs print: error sentences, JSON objects, tables.

#include "io/file.h"
#include "verb.h"
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int verb_fail(const verb* v, cairn_status status, const cairn_error* error)
{
    fprintf(stderr, "cairn %s: %s\n", v->name, error->text);
    return status == CAIRN_NO_MEMORY || status == CAIRN_FAULT ? exit_fault : exit_bad;
}

bool verb_may_write(const char* path, bool force, cairn_error* error)
{
    if (strcmp(path, "-") != 0)
        return cairn_file_may_write(path, force, error) == CAIRN_OK;
    cairn_fail(error, CAIRN_BAD_INPUT, "'-' is not the name of a file, expected one");
    return false;
}

void verb_set_real(json_t* object, const char* key, double x)
{
    json_object_set_new(object, key, isfinite(x) ? json_real(x) : json_null());
}

void verb_set_integer(json_t* object, const char* key, long long x)
{
    json_object_set_new(object, key, json_integer(x));
}

void verb_set_string(json_t* object, const char* key, const char* text)
{
    // a text that is not UTF-8 (a file name can be anything) becomes null
    json_t* value = json_string(text);
    json_object_set_new(object, key, value ? value : json_null());
}

void verb_print_json(json_t* object)
{
    json_dumpf(object, stdout, JSON_INDENT(1));
    putchar('\n');
    json_decref(object);
}

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
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(table->text[table->cells++], sizeof *table->text, format, arguments);
    va_end(arguments);
}

void verb_print_table(verb_table* table)
{
    for (int row = 0; row < table->cells / table->columns; row++)
        for (int j = 0; j < table->columns; j++) {
            size_t width = 0;
            for (int i = j; i < table->cells; i += table->columns) {
                size_t length = strlen(table->text[i]);
                width = length > width ? length : width;
            }
            const char* text = table->text[row * table->columns + j];
            if (j == table->columns - 1)
                printf("%s\n", text);
            else
                printf("%-*s  ", (int)width, text);
        }
    free(table->text);
    *table = (verb_table){0};
}
