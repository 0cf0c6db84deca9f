// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// JSON as text; see jansson.h. The reader descends; depth is bounded.

#include "jansson.h"
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { most_depth = 512 };

// ---------------------------------------------------------------- reading

typedef struct reader {
    const char *text, *at, *end;
    int depth;
    bool failed;
    bool reject_duplicates;
    json_error_t* error;
} reader;

// keeps the first complaint, with the place that was reached
static json_t* fail(reader* r, bool starved, const char* format, ...)
{
    if (r->failed)
        return NULL;
    r->failed = true;

    json_error_t* e = r->error;
    *e = (json_error_t){.line = 1, .column = 1, .position = (int)(r->at - r->text)};
    e->starved = starved;

    // columns count characters, not the bytes of UTF-8
    for (const char* c = r->text; c < r->at; c++) {
        e->column = *c == '\n' ? 1 : e->column + ((*c & 0xc0) != 0x80);
        e->line += *c == '\n';
    }

    va_list arguments;
    va_start(arguments, format);
    vsnprintf(e->text, sizeof e->text, format, arguments);
    va_end(arguments);
    return NULL;
}

static json_t* made(reader* r, json_t* value)
{
    return value ? value : fail(r, true, "no memory");
}

static void skip_space(reader* r)
{
    while (r->at < r->end && strchr(" \t\r\n", *r->at) && *r->at)
        r->at++;
}

static bool take(reader* r, char c)
{
    skip_space(r);
    if (r->at >= r->end || *r->at != c)
        return false;
    r->at++;
    return true;
}

static json_t* unexpected(reader* r, const char* wish)
{
    skip_space(r);
    if (r->at >= r->end)
        return fail(r, false, "the text ends, %s", wish);
    return fail(r, false, "unexpected '%c', %s", *r->at, wish);
}

// four hexadecimal digits; -1: there are none
static int hex4(reader* r)
{
    int value = 0;
    for (int i = 0; i < 4; i++, r->at++) {
        char c = r->at < r->end ? *r->at : 0;
        int digit = c >= '0' && c <= '9'   ? c - '0'
                    : c >= 'a' && c <= 'f' ? c - 'a' + 10
                    : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                           : -1;
        if (digit < 0)
            return -1;
        value = 16 * value + digit;
    }
    return value;
}

// the character of an escape \u, which may be a pair of surrogates; -1: it is none
static int32_t escaped(reader* r)
{
    int high = hex4(r);
    if (high < 0xd800 || high > 0xdfff)
        return high;
    if (high > 0xdbff || r->end - r->at < 6 || r->at[0] != '\\' || r->at[1] != 'u')
        return -1;
    r->at += 2;
    int low = hex4(r);
    return low < 0xdc00 || low > 0xdfff ? -1 : 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00);
}

static char* put_utf8(char* to, int32_t c)
{
    if (c < 0x80) {
        *to++ = (char)c;
        return to;
    }
    int tail = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
    static const int lead[] = {0, 0xc0, 0xe0, 0xf0};
    *to++ = (char)(lead[tail] | (c >> (6 * tail)));
    while (tail-- > 0)
        *to++ = (char)(0x80 | ((c >> (6 * tail)) & 0x3f));
    return to;
}

// the text of a string, after its quotation mark, to be freed; no text is longer than its source
static char* read_text(reader* r)
{
    char* text = malloc((size_t)(r->end - r->at) + 1);
    char* to = text;
    if (!text) {
        fail(r, true, "no memory");
        return NULL;
    }

    while (r->at < r->end && *r->at != '"' && !r->failed) {
        // control characters must be escaped, bytes of UTF-8 stand as they are
        char c = *r->at++;
        if ((unsigned char)c < 0x20) {
            r->at--;
            fail(r, false, "a control character in a string");
        } else if (c != '\\') {
            *to++ = c;
        } else {
            static const char names[] = "\"\\/bfnrt", values[] = "\"\\/\b\f\n\r\t";
            char name = r->at < r->end ? *r->at++ : 0;
            const char* known = name ? strchr(names, name) : NULL;
            int32_t wide = name == 'u' ? escaped(r) : 0;
            if (known)
                *to++ = values[known - names];
            else if (name == 'u' && wide > 0)
                to = put_utf8(to, wide);
            else
                fail(r, false, "an escape that is not known in a string");
        }
    }

    if (!r->failed && r->at >= r->end)
        fail(r, false, "a string does not end");

    if (r->failed) {
        free(text);
        return NULL;
    }

    r->at++;
    *to = 0;
    return text;
}

static json_t* read_string(reader* r)
{
    char* text = read_text(r);
    if (!text)
        return NULL;
    json_t* value = json_string(text);
    free(text);
    return value ? value : fail(r, false, "a string that is not UTF-8");
}

// digits, a fraction, an exponent, as the grammar has them; correctly rounded by strtod
static json_t* read_number(reader* r)
{
    const char *start = r->at, *at = r->at;
    bool real = false;

    // an integer part without leading zeros
    if (*at == '-')
        at++;
    const char* digits = at;
    while (at < r->end && *at >= '0' && *at <= '9')
        at++;
    bool good = at > digits && (*digits != '0' || at == digits + 1);

    if (good && at < r->end && *at == '.') {
        const char* fraction = ++at;
        real = true;
        while (at < r->end && *at >= '0' && *at <= '9')
            at++;
        good = at > fraction;
    }

    if (good && at < r->end && (*at == 'e' || *at == 'E')) {
        at++;
        real = true;
        if (at < r->end && (*at == '+' || *at == '-'))
            at++;
        const char* exponent = at;
        while (at < r->end && *at >= '0' && *at <= '9')
            at++;
        good = at > exponent;
    }

    // strtod needs an end: the text goes on behind the number
    char copy[400];
    if (!good || (size_t)(at - start) >= sizeof copy)
        return fail(r, false, "a number that is none");
    memcpy(copy, start, (size_t)(at - start));
    copy[at - start] = 0;

    errno = 0;
    double x = strtod(copy, NULL);
    json_int_t whole = real ? 0 : strtoll(copy, NULL, 10);

    // a tiny real may underflow to zero, which is its rounded value
    if (isinf(x) || errno == ERANGE)
        if (isinf(x) || !real)
            return fail(r, false, "a number that is too big");

    r->at = at;
    return made(r, real ? json_real(x) : json_integer(whole));
}

static json_t* read_value(reader* r);

static json_t* read_array(reader* r)
{
    json_t* list = made(r, json_array());
    if (take(r, ']'))
        return list;
    while (!r->failed) {
        json_t* item = read_value(r);
        if (item && json_array_append_new(list, item) != 0)
            fail(r, true, "no memory");
        if (take(r, ']'))
            break;
        if (!r->failed && !take(r, ','))
            unexpected(r, "expected ',' or ']'");
    }
    return list;
}

static json_t* read_object(reader* r)
{
    json_t* object = made(r, json_object());
    if (take(r, '}'))
        return object;

    while (!r->failed) {
        if (!take(r, '"')) {
            unexpected(r, "expected a key in quotation marks");
            break;
        }

        json_t* name = read_string(r);
        const char* key = json_string_value(name);
        if (key && r->reject_duplicates && json_object_get(object, key))
            fail(r, false, "the key \"%.60s\" stands here twice", key);
        if (key && !take(r, ':'))
            unexpected(r, "expected ':'");

        json_t* value = r->failed ? NULL : read_value(r);
        if (value && json_object_set_new(object, key, value) != 0)
            fail(r, true, "no memory");
        json_decref(name);

        if (take(r, '}'))
            break;
        if (!r->failed && !take(r, ','))
            unexpected(r, "expected ',' or '}'");
    }
    return object;
}

static json_t* read_word(reader* r)
{
    static const char* const words[] = {"true", "false", "null"};
    for (int i = 0; i < 3; i++) {
        size_t length = strlen(words[i]);
        if ((size_t)(r->end - r->at) < length || memcmp(r->at, words[i], length) != 0)
            continue;
        r->at += length;
        return made(r, i == 0 ? json_true() : i == 1 ? json_false() : json_null());
    }
    return unexpected(r, "expected a value");
}

static json_t* read_value(reader* r)
{
    json_t* value;
    skip_space(r);

    if (r->depth++ > most_depth)
        return fail(r, false, "too many levels of lists and objects");

    if (take(r, '{'))
        value = read_object(r);
    else if (take(r, '['))
        value = read_array(r);
    else if (take(r, '"'))
        value = read_string(r);
    else if (r->at < r->end && (*r->at == '-' || (*r->at >= '0' && *r->at <= '9')))
        value = read_number(r);
    else
        value = read_word(r);

    r->depth--;
    if (!r->failed)
        return value;
    json_decref(value);
    return NULL;
}

json_t* json_loadb(const char* text, size_t size, size_t flags, json_error_t* error)
{
    json_error_t unasked;
    reader r = {.text = text, .at = text, .end = text + size, .error = error ? error : &unasked};
    r.reject_duplicates = (flags & JSON_REJECT_DUPLICATES) != 0;
    *r.error = (json_error_t){0};

    json_t* value = read_value(&r);

    // nothing but space may follow
    skip_space(&r);
    if (!r.failed && r.at < r.end) {
        unexpected(&r, "expected the end of the text");
        json_decref(value);
        value = NULL;
    }

    // as in Jansson, a text is an object or a list
    if (value && !json_is_object(value) && !json_is_array(value)) {
        r.at = text;
        fail(&r, false, "expected '{' or '['");
        json_decref(value);
        value = NULL;
    }
    return value;
}

enum json_error_code json_error_code(const json_error_t* error)
{
    return error->starved ? json_error_out_of_memory : json_error_invalid_syntax;
}

// ---------------------------------------------------------------- writing

typedef struct writer {
    char* text;
    size_t size, capacity;
    int precision;
    bool failed;
} writer;

static void put(writer* w, const char* data, size_t size)
{
    if (w->size + size + 1 > w->capacity) {
        size_t capacity = 2 * (w->size + size) + 256;
        char* text = w->failed ? NULL : realloc(w->text, capacity);
        w->failed = !text;
        if (!text)
            return;
        w->text = text;
        w->capacity = capacity;
    }
    memcpy(w->text + w->size, data, size);
    w->size += size;
    w->text[w->size] = 0;
}

static void put_text(writer* w, const char* text)
{
    put(w, text, strlen(text));
}

static void write_string(writer* w, const char* text)
{
    put(w, "\"", 1);
    for (const char* at = text; *at; at++) {
        char escape[8];
        if (*at == '"' || *at == '\\')
            snprintf(escape, sizeof escape, "\\%c", *at);
        else if ((unsigned char)*at < 0x20)
            snprintf(escape, sizeof escape, "\\u%04x", (unsigned)(unsigned char)*at);
        else
            snprintf(escape, sizeof escape, "%c", *at);
        put_text(w, escape);
    }
    put(w, "\"", 1);
}

// a real number keeps its point or exponent
static void write_real(writer* w, double x)
{
    char number[64];
    snprintf(number, sizeof number, "%.*g", w->precision, x);
    put_text(w, number);
    if (!strpbrk(number, ".e"))
        put_text(w, ".0");
}

static void write_value(writer* w, const json_t* value)
{
    char number[32];
    bool object = value->type == JSON_OBJECT;

    switch (value->type) {
    case JSON_OBJECT:
    case JSON_ARRAY:
        put_text(w, object ? "{" : "[");
        for (size_t i = 0; i < value->count; i++) {
            if (i > 0)
                put_text(w, ",");
            if (object) {
                write_string(w, value->keys[i]);
                put_text(w, ":");
            }
            write_value(w, value->items[i]);
        }
        put_text(w, object ? "}" : "]");
        return;

    case JSON_STRING:
        write_string(w, value->text);
        return;

    case JSON_INTEGER:
        snprintf(number, sizeof number, "%lld", value->integer);
        put_text(w, number);
        return;

    case JSON_REAL:
        write_real(w, value->real);
        return;
    default:
        put_text(w, value->type == JSON_TRUE    ? "true"
                    : value->type == JSON_FALSE ? "false"
                                                : "null");
    }
}

char* json_dumps(const json_t* value, size_t flags)
{
    writer w = {.precision = (int)(flags >> 8)};
    if (w.precision == 0)
        w.precision = 17;
    if (!value)
        return NULL;
    write_value(&w, value);
    if (!w.failed)
        return w.text;
    free(w.text);
    return NULL;
}
