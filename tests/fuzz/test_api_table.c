// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The fuzzer of the C interface knows every public function: each name that a header declares with
// CAIRN_API stands in a table of tests/fuzz, and some function there calls it.

#include "api.h"
#include "check_cairn.h"
#include "io/file.h"
#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <string.h>

// functions that a session cannot call, by how their names begin: those of ranks are calls of all
// processes of a job of MPI together
static const char* const exempt[] = {"cairn_ranks_"};

static bool is_exempt(const char* name)
{
    for (size_t i = 0; i < sizeof exempt / sizeof exempt[0]; i++)
        if (strncmp(exempt[i], name, strlen(exempt[i])) == 0)
            return true;
    return false;
}

static bool in_table(const char* name)
{
    for (const api_table* t = api_tables; t->calls; t++)
        for (const api_call* c = t->calls; c->name; c++)
            if (strcmp(c->name, name) == 0)
                return true;
    return false;
}

// the files of a folder that end in one way, one after the other, as one text
static char* texts(const char* folder, const char* start, const char* ending)
{
    char path[1024];
    char* all = calloc(1, 1);
    size_t size = 0;
    snprintf(path, sizeof path, "%s/%s", CAIRN_SOURCE_DIR, folder);
    DIR* list = opendir(path);
    ck_assert_msg(list != NULL, "%s cannot be opened", path);
    for (struct dirent* entry = readdir(list); entry; entry = readdir(list)) {
        size_t length = strlen(entry->d_name);
        cairn_bytes bytes;
        if (strncmp(entry->d_name, start, strlen(start)) != 0 || length < strlen(ending) ||
            strcmp(entry->d_name + length - strlen(ending), ending) != 0)
            continue;
        snprintf(path, sizeof path, "%s/%s/%.200s", CAIRN_SOURCE_DIR, folder, entry->d_name);
        CHECK(cairn_file_read(&bytes, path, &cairn_file_bytes, NULL) == CAIRN_OK);
        all = realloc(all, size + bytes.size + 1);
        CHECK(all != NULL);
        memcpy(all + size, bytes.data, bytes.size);
        size += bytes.size;
        all[size] = 0;
        free(bytes.data);
    }
    closedir(list);
    return all;
}

// the name that the declaration at `text` (after CAIRN_API) declares: what stands before its "("
static void declared(char* name, size_t room, const char* text)
{
    const char* end = text;
    while (*end && *end != '(' && *end != ';')
        end++;
    const char* begin = end;
    while (begin > text && (isalnum((unsigned char)begin[-1]) || begin[-1] == '_'))
        begin--;
    snprintf(name, room, "%.*s", (int)(end - begin), begin);
}

// calls `judge` with every public name, and gives their number
static int each_name(void (*judge)(const char* name, const char* context), const char* context)
{
    int count = 0;
    char* headers = texts("include/cairn", "", ".h");
    for (const char* at = strstr(headers, "\nCAIRN_API "); at;
         at = strstr(at + 1, "\nCAIRN_API ")) {
        char name[128];
        declared(name, sizeof name, at + strlen("\nCAIRN_API "));
        judge(name, context);
        count++;
    }
    free(headers);
    return count;
}

static void must_be_listed(const char* name, const char* context)
{
    (void)context;
    ck_assert_msg(in_table(name) || is_exempt(name), "%s stands in no table of tests/fuzz/api_*.c",
                  name);
}

static void must_be_called(const char* name, const char* sources)
{
    char call[140], pointer[140];
    snprintf(call, sizeof call, " %s(", name);
    snprintf(pointer, sizeof pointer, ", %s,", name);
    ck_assert_msg(strstr(sources, call) || strstr(sources, pointer) || strstr(sources, call + 1) ||
                      is_exempt(name),
                  "nothing in tests/fuzz/api_*.c calls %s", name);
}

TEST(every_public_function_stands_in_a_table)
{
    ck_assert_int_gt(each_name(must_be_listed, NULL), 200);
}
END

TEST(every_public_function_is_called)
{
    char* sources = texts("tests/fuzz", "api_", ".c");
    each_name(must_be_called, sources);
    free(sources);
}
END

TESTS(every_public_function_stands_in_a_table, every_public_function_is_called)
