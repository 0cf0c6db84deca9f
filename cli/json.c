// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// JSON on standard output. Jansson prints numbers with 17 digits (9.9999999999999995e-7); here each
// has as few as read back as the same bits (1e-06). Control characters are escaped, also those that
// JSON allows but terminals obey.

#include "text.h"
#include "verb.h"
#include <stdlib.h>
#include <string.h>

static void put_real(double x)
{
    char text[40];
    int digits = 1;
    for (; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*e", digits - 1, x);
        if (strtod(text, NULL) == x)
            break;
    }

    // 120.0 rather than 1.2e+02; a real keeps its point, for readers that tell it from an integer
    int exponent = atoi(strchr(text, 'e') + 1);
    int decimals = digits - 1 - exponent;
    if (exponent >= -4 && exponent < 16)
        snprintf(text, sizeof text, "%.*f", decimals > 1 ? decimals : 1, x);
    fputs(text, stdout);
}

static void put_string(const char* text)
{
    putchar('"');
    while (*text) {
        text_char c = text_next(&text);
        if (c.code == '"' || c.code == '\\')
            printf("\\%c", (char)c.code);
        else if (c.printable)
            fwrite(c.bytes, 1, c.length, stdout);
        else if (c.code < 0x10000)
            printf("\\u%04x", (unsigned)c.code);
        else
            printf("\\u%04x\\u%04x", (unsigned)(0xd800 + ((c.code - 0x10000) >> 10)),
                   (unsigned)(0xdc00 + ((c.code - 0x10000) & 0x3ff)));
    }
    putchar('"');
}

static void new_line(int depth)
{
    printf("\n%*s", depth, "");
}

static void put(json_t* value, int depth)
{
    size_t i;
    const char* key;
    json_t* item;
    bool first = true;

    // objects and arrays take a line for each item
    switch (json_typeof(value)) {
    case JSON_OBJECT:
        putchar('{');
        json_object_foreach(value, key, item)
        {
            if (!first)
                putchar(',');
            first = false;
            new_line(depth + 1);
            put_string(key);
            fputs(": ", stdout);
            put(item, depth + 1);
        }
        if (!first)
            new_line(depth);
        putchar('}');
        break;

    case JSON_ARRAY:
        putchar('[');
        json_array_foreach(value, i, item)
        {
            if (i)
                putchar(',');
            new_line(depth + 1);
            put(item, depth + 1);
        }
        if (json_array_size(value))
            new_line(depth);
        putchar(']');
        break;

    case JSON_STRING:
        put_string(json_string_value(value));
        break;

    case JSON_INTEGER:
        printf("%lld", (long long)json_integer_value(value));
        break;

    case JSON_REAL:
        put_real(json_real_value(value));
        break;

    case JSON_TRUE:
    case JSON_FALSE:
        fputs(json_is_true(value) ? "true" : "false", stdout);
        break;

    case JSON_NULL:
        fputs("null", stdout);
        break;
    }
}

void verb_print_json(json_t* object)
{
    if (!object) {
        fputs("cairn: no memory for the object\n", stderr);
        exit(exit_fault);
    }
    put(object, 0);
    putchar('\n');
    json_decref(object);
}
