// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors

#include "io/hdf5/table.h"
#include "io/hdf5/hdf5_file.h"
#include <stdio.h>
#include <stdlib.h>

static cairn_status store_column(const cairn_hdf5* out, const cairn_table* table, int column)
{
    char full[320];
    const char* group = table->group[column];
    if (group && !cairn_hdf5_has(out, group)) {
        cairn_status status = cairn_hdf5_make_group(out, group);
        if (status != CAIRN_OK)
            return status;
    }

    // names of groups begin at the root; a slash in a name would ask for another group
    int length = snprintf(full, sizeof full, "%s/", group ? group : "");
    snprintf(full + length, sizeof full - (size_t)length, "%.250s", table->name[column]);
    for (char* c = full + length; *c; c++)
        *c = *c == '/' ? '|' : *c;
    return cairn_hdf5_write_doubles(out, full, table->value + (size_t)column * (size_t)table->rows,
                                    table->rows);
}

cairn_status cairn_table_write(const char* path, const cairn_table* table, bool force,
                               cairn_error* error)
{
    cairn_hdf5 out;
    cairn_bytes bytes = {0};
    cairn_status status = cairn_file_may_write(path, force, error);
    if (status != CAIRN_OK)
        return status;

    // the file is made in memory, so that it appears whole or not at all
    cairn_hdf5_quiet quiet = cairn_hdf5_hush();
    status = cairn_hdf5_create(&out, path, error);
    if (status == CAIRN_OK) {
        status = cairn_hdf5_write_text(&out, "/title", table->title);
        for (int k = 0; k < table->columns && status == CAIRN_OK; k++)
            status = store_column(&out, table, k);
        if (status == CAIRN_OK)
            status = cairn_hdf5_bytes(&out, &bytes);
        cairn_hdf5_close(&out);
    }

    cairn_hdf5_loud(quiet);
    if (status == CAIRN_OK)
        status = cairn_file_write(path, bytes.data, bytes.size, force, error);
    free(bytes.data);
    return status;
}
