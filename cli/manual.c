// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The manual page cairn(1), in the language of man(7).

#include "manual.h"
#include <string.h>

void manual_options(const verb* v, manual_visit visit, void* context)
{
    verb_argp all;
    verb_describe(&all, v);
    for (const struct argp_option* o = all.own; o->name; o++)
        visit(context, o);
}

// text with the control characters of roff escaped
static void put(FILE* file, const char* text, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        bool first = i == 0 || text[i - 1] == '\n';
        if (first && (text[i] == '.' || text[i] == '\''))
            fputs("\\&", file);
        if (text[i] == '\\')
            fputs("\\e", file);
        else if (text[i] == '-')
            fputs("\\-", file);
        else
            fputc(text[i], file);
    }
}

static void put_text(FILE* file, const char* text)
{
    put(file, text, strlen(text));
}

static void put_option(void* context, const struct argp_option* option)
{
    FILE* file = context;
    fputs(".TP\n.B \\-\\-", file);
    put_text(file, option->name);
    if (option->arg) {
        fputs("\\fR \\fI", file);
        put_text(file, option->arg);
    }
    fputs("\\fR\n", file);
    put_text(file, option->doc ? option->doc : "");
    fputc('\n', file);
}

// the text before the form feed of argp is what the verb does, the one after it the example
static void put_verb(FILE* file, const verb* v)
{
    const char* doc = v->doc;
    size_t length = strcspn(doc, "\v");
    const char* example = strstr(doc, "Example:\n");

    fputs(".SS cairn ", file);
    put_text(file, v->name);
    if (*v->arguments) {
        fputc(' ', file);
        put_text(file, v->arguments);
    }

    fputc('\n', file);
    put(file, doc, length);
    fputc('\n', file);
    manual_options(v, put_option, file);

    if (example) {
        fputs(".PP\nExample:\n.PP\n.nf\n.RS\n", file);
        put_text(file, example + strlen("Example:\n"));
        fputs("\n.RE\n.fi\n", file);
    }
}

void manual_page(FILE* file)
{
    fprintf(file, ".TH CAIRN 1 \"\" \"Cairn %s\" \"User Commands\"\n", cairn_version());
    fputs(
        ".SH NAME\ncairn \\- rigid-body dynamics with contact and friction, every result checked\n"
        ".SH SYNOPSIS\n.B cairn\n.I COMMAND\n.RI [ OPTIONS ]\n.br\n.B cairn \\-\\-version\n"
        ".SH DESCRIPTION\nCairn simulates scenes of rigid bodies and solves contact problems. "
        "Every answer comes with the residual of the contact law, measured independently of the "
        "method that produced it.\n.SH COMMANDS\n",
        file);

    for (int i = 0; verb_at(i); i++)
        put_verb(file, verb_at(i));

    fputs(
        ".SH EXIT STATUS\n.TP\n.B 0\nDone and within tolerance.\n.TP\n.B 1\nDone, but a tolerance "
        "or a bound was missed.\n.TP\n.B 2\nBad usage or bad input; one sentence on standard error "
        "names the problem.\n.TP\n.B 3\nInternal error, or out of memory.\n.TP\n.B 130, 143\nEnded "
        "by SIGINT or by SIGTERM; recordings and CSV files keep every completed step.\n"
        ".SH FILES\nScenes are JSON files; problems are FCLib's HDF5 files; plain linear "
        "complementarity problems are Matrix Market files. Existing files are overwritten only "
        "if\n.B \\-\\-force\nis given. Files are written completely or not at all.\n",
        file);
}
