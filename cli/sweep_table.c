// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Tables of a study. The CSV file begins with a line that names the study by a digest of its file
// and of its scene; rows of another study are refused. Numbers have 17 digits, so that what is read
// back has the same bits.

#include "io/file.h"
#include "io/hdf5/table.h"
#include "sweep.h"
#include <cairn/math.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

const char* const sweep_status_names[sweep_statuses] = {"open",   "ok",      "missed",
                                                        "failed", "crashed", "stalled"};

cairn_status sweep_rows_make(sweep_rows* rows, const study* of, cairn_error* error)
{
    *rows = (sweep_rows){.of = of, .count = of->cases * of->stride};
    size_t metrics = (size_t)rows->count * (size_t)of->metric_count;
    rows->row = calloc((size_t)rows->count, sizeof *rows->row);
    rows->metric = malloc(metrics * sizeof *rows->metric);
    if (!rows->row || !rows->metric) {
        sweep_rows_free(rows);
        return cairn_fail(error, CAIRN_NO_MEMORY, "no memory for the rows of %d runs", rows->count);
    }
    for (size_t k = 0; k < metrics; k++)
        rows->metric[k] = NAN;
    for (int run = 0; run < rows->count; run++)
        rows->row[run].searched = NAN;
    return CAIRN_OK;
}

void sweep_rows_free(sweep_rows* rows)
{
    for (int run = 0; run < rows->count && rows->row; run++)
        free(rows->row[run].reason);
    free(rows->row);
    free(rows->metric);
    rows->row = NULL;
    rows->metric = NULL;
}

void sweep_parameters(const sweep_rows* rows, int run, double* values)
{
    const study* s = rows->of;
    for (int k = 0; k < s->parameter_count; k++) {
        json_t* value = study_value(s, k, run / s->stride);
        values[k] = json_is_number(value) ? json_number_value(value) : NAN;
        if (k == s->bisection.parameter)
            values[k] = rows->row[run].searched;
        json_decref(value);
    }
}

// ---------------------------------------------------------------- writing

static void put_text(FILE* file, const char* text)
{
    if (!strpbrk(text, ",\"\r\n")) {
        fputs(text, file);
        return;
    }
    putc('"', file);
    for (; *text; text++) {
        if (*text == '"')
            putc('"', file);
        putc(*text == '\n' || *text == '\r' ? ' ' : *text, file);
    }
    putc('"', file);
}

static void put_value(FILE* file, const json_t* value)
{
    if (json_is_string(value))
        put_text(file, json_string_value(value));
    else if (json_is_integer(value))
        fprintf(file, "%lld", (long long)json_integer_value(value));
    else if (json_is_boolean(value))
        fputs(json_is_true(value) ? "true" : "false", file);
    else
        fprintf(file, "%.17g", json_number_value(value));
}

void sweep_table_head(FILE* file, const study* s)
{
    fprintf(file, "# cairn sweep, study %016" PRIx64 "\nrun", s->digest);
    for (int k = 0; k < s->parameter_count; k++) {
        putc(',', file);
        put_text(file, s->parameters[k].name);
    }
    fputs(",status", file);
    for (int k = 0; k < s->metric_count; k++) {
        putc(',', file);
        put_text(file, s->metrics[k].name);
    }
    fputs(s->bisection.parameter >= 0 ? ",holds,seconds,reason\n" : ",seconds,reason\n", file);
}

void sweep_table_line(FILE* file, const sweep_rows* rows, int run)
{
    const study* s = rows->of;
    const sweep_row* row = &rows->row[run];
    fprintf(file, "%d", run);

    for (int k = 0; k < s->parameter_count; k++) {
        json_t* value = k == s->bisection.parameter ? json_real(row->searched)
                                                    : study_value(s, k, run / s->stride);
        putc(',', file);
        put_value(file, value);
        json_decref(value);
    }

    fprintf(file, ",%s", sweep_status_names[row->status]);

    // a metric that was not measured is an empty field
    for (int k = 0; k < s->metric_count; k++) {
        double x = rows->metric[(size_t)run * (size_t)s->metric_count + (size_t)k];
        putc(',', file);
        if (!isnan(x))
            fprintf(file, "%.17g", x);
    }

    if (s->bisection.parameter >= 0)
        fprintf(file, ",%d", row->holds);
    fprintf(file, ",%.3g,", row->seconds);
    put_text(file, row->reason ? row->reason : "");
    putc('\n', file);
}

cairn_status sweep_table_write(const sweep_rows* rows, const char* path, cairn_error* error)
{
    char* text = NULL;
    size_t size = 0;
    FILE* file = open_memstream(&text, &size);
    if (!file)
        return cairn_fail(error, CAIRN_NO_MEMORY, "no memory for the table");
    sweep_table_head(file, rows->of);
    for (int run = 0; run < rows->count; run++)
        if (rows->row[run].status != SWEEP_OPEN)
            sweep_table_line(file, rows, run);
    bool whole = fclose(file) == 0;
    cairn_status status = whole ? cairn_file_write(path, text, size, true, error)
                                : cairn_fail(error, CAIRN_NO_MEMORY, "no memory for the table");
    free(text);
    return status;
}

// ---------------------------------------------------------------- reading

// cuts one field off the line, in place; NULL when there is none
static char* next_field(char** line)
{
    char *at = *line, *start = at, *to = at;
    if (!at)
        return NULL;

    bool quoted = *at == '"';
    for (at += quoted; *at && (quoted || *at != ','); at++) {
        // a doubled quotation mark stands for one
        if (quoted && *at == '"' && at[1] != '"') {
            quoted = false;
            continue;
        }
        at += quoted && *at == '"';
        *to++ = *at;
    }

    *line = *at == ',' ? at + 1 : NULL;
    *to = 0;
    return start;
}

static bool read_number(char** line, double* x)
{
    char* end;
    const char* field = next_field(line);
    if (!field)
        return false;
    *x = *field ? strtod(field, &end) : NAN;
    return !*field || (end != field && !*end);
}

// one line; false when it is none of this study
static bool read_line(sweep_rows* rows, char* line)
{
    const study* s = rows->of;
    double run, seconds, metric[study_most_metrics], searched = NAN, holds = 0.0;

    // the parameters follow from the number of the run: only a searched value is kept
    if (!read_number(&line, &run) || !(run >= 0.0 && run < rows->count) || run != floor(run))
        return false;
    for (int k = 0; k < s->parameter_count; k++) {
        const char* field = next_field(&line);
        if (!field)
            return false;
        if (k == s->bisection.parameter)
            searched = strtod(field, NULL);
    }

    // the status, then the metrics
    const char* name = next_field(&line);
    int status = 1;
    while (name && status < sweep_statuses && strcmp(sweep_status_names[status], name) != 0)
        status++;
    if (!name || status == sweep_statuses)
        return false;
    for (int k = 0; k < s->metric_count; k++)
        if (!read_number(&line, &metric[k]))
            return false;
    if (s->bisection.parameter >= 0 && !read_number(&line, &holds))
        return false;

    const char* reason = read_number(&line, &seconds) ? next_field(&line) : NULL;
    if (!reason)
        return false;

    // the line is whole: the run counts as made
    sweep_row* row = &rows->row[(int)run];
    free(row->reason);
    *row = (sweep_row){(sweep_status)status, holds != 0.0, searched, seconds,
                       *reason ? strdup(reason) : NULL};
    memcpy(rows->metric + (size_t)run * (size_t)s->metric_count, metric,
           (size_t)s->metric_count * sizeof *metric);
    return true;
}

cairn_status sweep_table_read(sweep_rows* rows, const char* path, cairn_error* error)
{
    cairn_bytes bytes;
    cairn_status status = cairn_file_read(&bytes, path, &cairn_file_text, error);
    if (status != CAIRN_OK)
        return status;

    // the study that it belongs to, then the names of its columns
    uint64_t digest = 0;
    char* at = bytes.data;
    if (sscanf(at, "# cairn sweep, study %" SCNx64, &digest) != 1 || digest != rows->of->digest)
        status = cairn_fail(
            error, CAIRN_BAD_INPUT,
            "%s: is not a table of this study and this scene; --force overwrites it", path);

    for (int line = 1; status == CAIRN_OK && *at; line++) {
        char* end = strchr(at, '\n');

        // a line that was cut short when the program was killed is run again
        if (!end)
            break;
        *end = 0;
        if (line > 2 && !read_line(rows, at))
            status =
                cairn_fail(error, CAIRN_BAD_INPUT, "%s:%d: is not a row of this study", path, line);
        at = end + 1;
    }

    free(bytes.data);
    return status;
}

// ---------------------------------------------------------------- HDF5

cairn_status sweep_hdf5_write(const sweep_rows* rows, const char* path, bool force,
                              cairn_error* error)
{
    const study* s = rows->of;
    size_t count = 0;
    for (int run = 0; run < rows->count; run++)
        count += rows->row[run].status != SWEEP_OPEN;

    // columns one after the other: run, status, seconds, parameters, metrics
    int columns = 3 + s->parameter_count + s->metric_count;
    double* value = malloc(((size_t)columns * count + 1) * sizeof *value);
    const char* name[3 + study_most_parameters + study_most_metrics] = {"run", "status", "seconds"};
    const char* group[3 + study_most_parameters + study_most_metrics] = {NULL};
    if (!value)
        return cairn_fail(error, CAIRN_NO_MEMORY, "no memory for the table");

    // names and groups of the columns in the file
    for (int k = 0; k < columns - 3; k++) {
        bool parameter = k < s->parameter_count;
        name[3 + k] = parameter ? s->parameters[k].name : s->metrics[k - s->parameter_count].name;
        group[3 + k] = parameter ? "/parameters" : "/metrics";
    }

    // runs that were made, in order
    size_t i = 0;
    for (int run = 0; run < rows->count; run++) {
        const sweep_row* row = &rows->row[run];
        double own[study_most_parameters];
        if (row->status == SWEEP_OPEN)
            continue;
        sweep_parameters(rows, run, own);
        value[i] = run;
        value[count + i] = row->status;
        value[2 * count + i] = row->seconds;
        for (int k = 0; k < s->parameter_count; k++)
            value[(size_t)(3 + k) * count + i] = own[k];
        for (int k = 0; k < s->metric_count; k++)
            value[(size_t)(3 + s->parameter_count + k) * count + i] =
                rows->metric[(size_t)run * (size_t)s->metric_count + (size_t)k];
        i++;
    }

    cairn_table table = {"a study written by cairn sweep", columns, (int)count, name, group, value};
    cairn_status status = cairn_table_write(path, &table, force, error);
    free(value);
    return status;
}
