// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Values that JSON may not be able to hold.

#include "view_needs.h"
#include <math.h>

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
