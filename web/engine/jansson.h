// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// JSON for the module of the browser, where Debian's Jansson is not to be had: that part of its
// interface which the reader of scenes, the stages of pages and the session of the live view use,
// with the same meaning. Values are counted; a function whose name ends in _new takes the reference
// that it is given, also when it fails. Without memory functions give NULL or -1.
#ifndef CAIRN_WEB_JANSSON_H
#define CAIRN_WEB_JANSSON_H

#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

typedef enum json_type {
    JSON_OBJECT,
    JSON_ARRAY,
    JSON_STRING,
    JSON_INTEGER,
    JSON_REAL,
    JSON_TRUE,
    JSON_FALSE,
    JSON_NULL
} json_type;

typedef long long json_int_t;
#define JSON_INTEGER_FORMAT "lld"
typedef struct json_t json_t;

/// A value. Objects keep the order in which their keys came.
struct json_t {
    json_type type;
    int holders;
    union {
        json_int_t integer;
        double real;
        char* text;
        struct {
            json_t** items;
            char** keys; ///< of an object, else NULL
            size_t count, capacity;
        };
    };
};

/// Where and why a text is no JSON: line and column count from 1, the position in bytes from 0.
typedef struct json_error_t {
    int line, column, position;
    bool starved;
    char text[160];
} json_error_t;

enum json_error_code { json_error_unknown, json_error_out_of_memory, json_error_invalid_syntax };

// ---------------------------------------------------------------- values (json_value.c)

json_t* json_object(void);
json_t* json_array(void);
json_t* json_string(const char* text); ///< NULL when it is not UTF-8
json_t* json_integer(json_int_t x);
json_t* json_real(double x); ///< NULL unless finite
json_t* json_true(void);
json_t* json_false(void);
json_t* json_null(void);
json_t* json_boolean(bool x);

json_t* json_incref(json_t* value);
void json_decref(json_t* value);

bool json_is_object(const json_t* value);
bool json_is_array(const json_t* value);
bool json_is_string(const json_t* value);
bool json_is_integer(const json_t* value);
bool json_is_real(const json_t* value);
bool json_is_number(const json_t* value);
bool json_is_boolean(const json_t* value);
bool json_is_true(const json_t* value);
bool json_is_null(const json_t* value);

/// Zero, or NULL, of a value of another type.
const char* json_string_value(const json_t* value);
json_int_t json_integer_value(const json_t* value);
double json_real_value(const json_t* value);
double json_number_value(const json_t* value);

size_t json_array_size(const json_t* array);
json_t* json_array_get(const json_t* array, size_t index);
int json_array_append_new(json_t* array, json_t* value);
int json_array_append(json_t* array, json_t* value);
int json_array_set_new(json_t* array, size_t index, json_t* value);

size_t json_object_size(const json_t* object);
json_t* json_object_get(const json_t* object, const char* key);
int json_object_set_new(json_t* object, const char* key, json_t* value);
int json_object_set(json_t* object, const char* key, json_t* value);

/// Of the formats of Jansson: objects and lists of s (text), i (int), f (double), b (int as a truth
/// value), n (null), o (a value that is taken) and O (one that is shared).
json_t* json_pack(const char* format, ...);

#define json_array_foreach(array, index, value)                                                    \
    for (index = 0; index < json_array_size(array) && (value = json_array_get(array, index));      \
         index++)

#define json_object_foreach(object, key, value)                                                    \
    for (size_t json_at_##key = 0;                                                                 \
         json_at_##key < json_object_size(object) && (key = (object)->keys[json_at_##key]) &&      \
         (value = (object)->items[json_at_##key]);                                                 \
         json_at_##key++)

// ---------------------------------------------------------------- text (json_text.c)

enum { JSON_COMPACT = 1, JSON_REJECT_DUPLICATES = 2, JSON_ENSURE_ASCII = 4 };
#define JSON_REAL_PRECISION(digits) ((size_t)(digits) << 8)

json_t* json_loadb(const char* text, size_t size, size_t flags, json_error_t* error);
enum json_error_code json_error_code(const json_error_t* error);

/// The text of a value, compact; to be freed.
char* json_dumps(const json_t* value, size_t flags);

#endif
