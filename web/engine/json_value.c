// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// JSON values; see jansson.h. Objects are lists of pairs: those of scenes have few keys.

#include "jansson.h"
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------- making and freeing

static json_t* make(json_type type)
{
    json_t* value = calloc(1, sizeof *value);
    if (value)
        *value = (json_t){.type = type, .holders = 1};
    return value;
}

json_t* json_object(void)
{
    return make(JSON_OBJECT);
}

json_t* json_array(void)
{
    return make(JSON_ARRAY);
}

// how many bytes follow the first one of a character; -1: it begins none
static int tail_of(unsigned char first)
{
    return first < 0x80                     ? 0
           : first >= 0xc2 && first <= 0xdf ? 1
           : first >= 0xe0 && first <= 0xef ? 2
           : first >= 0xf0 && first <= 0xf4 ? 3
                                            : -1;
}

static bool is_utf8(const char* text)
{
    const unsigned char* at = (const unsigned char*)text;
    while (*at) {
        unsigned char first = *at, second = at[1];
        int tail = tail_of(first);
        if (tail < 0)
            return false;

        // overlong forms, surrogates, and what lies beyond the last plane
        if ((first == 0xe0 && second < 0xa0) || (first == 0xed && second > 0x9f) ||
            (first == 0xf0 && second < 0x90) || (first == 0xf4 && second > 0x8f))
            return false;
        for (int i = 1; i <= tail; i++)
            if ((at[i] & 0xc0) != 0x80)
                return false;
        at += tail + 1;
    }
    return true;
}

json_t* json_string(const char* text)
{
    if (!text || !is_utf8(text))
        return NULL;
    json_t* value = make(JSON_STRING);
    if (value && !(value->text = strdup(text))) {
        free(value);
        return NULL;
    }
    return value;
}

json_t* json_integer(json_int_t x)
{
    json_t* value = make(JSON_INTEGER);
    if (value)
        value->integer = x;
    return value;
}

json_t* json_real(double x)
{
    json_t* value = isfinite(x) ? make(JSON_REAL) : NULL;
    if (value)
        value->real = x;
    return value;
}

json_t* json_true(void)
{
    return make(JSON_TRUE);
}

json_t* json_false(void)
{
    return make(JSON_FALSE);
}

json_t* json_null(void)
{
    return make(JSON_NULL);
}

json_t* json_boolean(bool x)
{
    return x ? json_true() : json_false();
}

json_t* json_incref(json_t* value)
{
    if (value)
        value->holders++;
    return value;
}

void json_decref(json_t* value)
{
    if (!value || --value->holders > 0)
        return;
    if (value->type == JSON_STRING)
        free(value->text);
    if (value->type == JSON_OBJECT || value->type == JSON_ARRAY) {
        for (size_t i = 0; i < value->count; i++) {
            json_decref(value->items[i]);
            if (value->keys)
                free(value->keys[i]);
        }
        free(value->items);
        free(value->keys);
    }
    free(value);
}

// ---------------------------------------------------------------- reading

bool json_is_object(const json_t* value)
{
    return value && value->type == JSON_OBJECT;
}

bool json_is_array(const json_t* value)
{
    return value && value->type == JSON_ARRAY;
}

bool json_is_string(const json_t* value)
{
    return value && value->type == JSON_STRING;
}

bool json_is_integer(const json_t* value)
{
    return value && value->type == JSON_INTEGER;
}

bool json_is_real(const json_t* value)
{
    return value && value->type == JSON_REAL;
}

bool json_is_number(const json_t* value)
{
    return json_is_integer(value) || json_is_real(value);
}

bool json_is_boolean(const json_t* value)
{
    return value && (value->type == JSON_TRUE || value->type == JSON_FALSE);
}

bool json_is_true(const json_t* value)
{
    return value && value->type == JSON_TRUE;
}

bool json_is_null(const json_t* value)
{
    return value && value->type == JSON_NULL;
}

const char* json_string_value(const json_t* value)
{
    return json_is_string(value) ? value->text : NULL;
}

json_int_t json_integer_value(const json_t* value)
{
    return json_is_integer(value) ? value->integer : 0;
}

double json_real_value(const json_t* value)
{
    return json_is_real(value) ? value->real : 0.0;
}

double json_number_value(const json_t* value)
{
    return json_is_integer(value) ? (double)value->integer : json_real_value(value);
}

// ---------------------------------------------------------------- lists and objects

static bool reserve(json_t* list)
{
    if (list->count < list->capacity)
        return true;

    size_t capacity = 2 * list->capacity + 4;
    json_t** items = realloc(list->items, capacity * sizeof *items);
    if (!items)
        return false;
    list->items = items;

    if (list->type == JSON_OBJECT) {
        char** keys = realloc(list->keys, capacity * sizeof *keys);
        if (!keys)
            return false;
        list->keys = keys;
    }

    list->capacity = capacity;
    return true;
}

size_t json_array_size(const json_t* array)
{
    return json_is_array(array) ? array->count : 0;
}

json_t* json_array_get(const json_t* array, size_t index)
{
    return index < json_array_size(array) ? array->items[index] : NULL;
}

int json_array_append_new(json_t* array, json_t* value)
{
    if (!value || !json_is_array(array) || !reserve(array)) {
        json_decref(value);
        return -1;
    }
    array->items[array->count++] = value;
    return 0;
}

int json_array_append(json_t* array, json_t* value)
{
    return json_array_append_new(array, json_incref(value));
}

int json_array_set_new(json_t* array, size_t index, json_t* value)
{
    if (!value || index >= json_array_size(array)) {
        json_decref(value);
        return -1;
    }
    json_decref(array->items[index]);
    array->items[index] = value;
    return 0;
}

size_t json_object_size(const json_t* object)
{
    return json_is_object(object) ? object->count : 0;
}

// the place of a key, or the number of keys
static size_t find(const json_t* object, const char* key)
{
    size_t i = 0;
    while (i < object->count && strcmp(object->keys[i], key) != 0)
        i++;
    return i;
}

json_t* json_object_get(const json_t* object, const char* key)
{
    if (!json_is_object(object) || !key)
        return NULL;
    size_t i = find(object, key);
    return i < object->count ? object->items[i] : NULL;
}

int json_object_set_new(json_t* object, const char* key, json_t* value)
{
    if (!value || !json_is_object(object) || !key) {
        json_decref(value);
        return -1;
    }

    // the newest value of a key counts
    size_t i = find(object, key);
    if (i < object->count) {
        json_decref(object->items[i]);
        object->items[i] = value;
        return 0;
    }

    char* copy = reserve(object) ? strdup(key) : NULL;
    if (!copy) {
        json_decref(value);
        return -1;
    }

    object->keys[i] = copy;
    object->items[i] = value;
    object->count++;
    return 0;
}

int json_object_set(json_t* object, const char* key, json_t* value)
{
    return json_object_set_new(object, key, json_incref(value));
}

// ---------------------------------------------------------------- packing

// one value of the format; `at` moves on
static json_t* pack(const char** at, va_list* arguments)
{
    char kind = *(*at)++;
    if (kind == 's')
        return json_string(va_arg(*arguments, const char*));
    if (kind == 'i')
        return json_integer(va_arg(*arguments, int));
    if (kind == 'f')
        return json_real(va_arg(*arguments, double));
    if (kind == 'b')
        return json_boolean(va_arg(*arguments, int) != 0);
    if (kind == 'n')
        return json_null();
    if (kind == 'o')
        return va_arg(*arguments, json_t*);
    if (kind == 'O')
        return json_incref(va_arg(*arguments, json_t*));

    // a list, or an object of keys and values
    char end = kind == '{' ? '}' : ']';
    json_t* list = kind == '{' ? json_object() : json_array();
    bool whole = list != NULL;
    while (**at && **at != end) {
        if (strchr(",: ", **at)) {
            (*at)++;
            continue;
        }

        const char* key = NULL;
        if (kind == '{') {
            key = va_arg(*arguments, const char*);
            *at += strcspn(*at, ":") + 1;
        }

        json_t* value = pack(at, arguments);
        int failed =
            key ? json_object_set_new(list, key, value) : json_array_append_new(list, value);
        whole = whole && failed == 0;
    }

    (*at)++;
    if (whole)
        return list;
    json_decref(list);
    return NULL;
}

json_t* json_pack(const char* format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    json_t* value = pack(&format, &arguments);
    va_end(arguments);
    return value;
}
