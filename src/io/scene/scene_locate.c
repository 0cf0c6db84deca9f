// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Where a value stands in a scene file. Jansson forgets the places of values once the text is
// parsed; a complaint is rare, so the text is walked again along the way to the node. The text is
// valid JSON: brackets match and strings end.

#include "io/scene/scene.h"
#include <string.h>

static size_t skip_blank(const cairn_reader* reader, size_t at)
{
    while (at < reader->size && strchr(" \t\r\n,:", reader->text[at]) && reader->text[at])
        at++;
    return at;
}

// past the closing quote of the string that opens at `at`
static size_t skip_string(const cairn_reader* reader, size_t at)
{
    for (at++; at < reader->size && reader->text[at] != '"'; at++)
        if (reader->text[at] == '\\')
            at++;
    return at + 1;
}

static size_t skip_value(const cairn_reader* reader, size_t at)
{
    int depth = 0;
    do {
        at = skip_blank(reader, at);
        if (at >= reader->size)
            return reader->size;

        char c = reader->text[at];

        // braces in a string are no braces
        if (c == '"') {
            at = skip_string(reader, at);
            continue;
        }

        if (c == '{' || c == '[')
            depth++;
        if (c == '}' || c == ']')
            depth--;
        at++;

        // a number or a word ends at the next delimiter
        if (!strchr("{}[]", c))
            while (at < reader->size && reader->text[at] &&
                   !strchr(" \t\r\n,:{}[]", reader->text[at]))
                at++;
    } while (depth > 0);
    return at;
}

// finds the value of a node; `shown` is where a person looks for it: its key, when it has one
static size_t find(const cairn_node* node, size_t* shown)
{
    const cairn_reader* reader = node->reader;
    if (!node->parent)
        return *shown = skip_blank(reader, 0);
    size_t at = find(node->parent, shown), here = at;
    at = skip_blank(reader, at + 1);
    if (!node->key) {
        for (int i = 0; i < node->index; i++)
            at = skip_blank(reader, skip_value(reader, at));
        return *shown = at;
    }

    // keys are compared as they are written
    size_t length = strlen(node->key);
    while (at < reader->size && reader->text[at] == '"') {
        size_t key = at;
        at = skip_blank(reader, skip_string(reader, at));
        if (key + length + 1 < reader->size && reader->text[key + length + 1] == '"' &&
            memcmp(reader->text + key + 1, node->key, length) == 0) {
            *shown = key;
            return at;
        }
        at = skip_blank(reader, skip_value(reader, at));
    }
    return here;
}

void cairn_node_locate(const cairn_node* node, int* line, int* column)
{
    size_t at;
    find(node, &at);
    *line = *column = 1;
    for (size_t i = 0; i < at && i < node->reader->size; i++) {
        *column += 1;
        if (node->reader->text[i] == '\n') {
            *line += 1;
            *column = 1;
        }
    }
}
