// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Values of a scene file by key, with defaults, bounds and complaints.

#include "io/scene/guess.h"
#include "io/scene/scene.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// ---------------------------------------------------------------- complaints

// "bodies[3].shape.radius"; long ways are cut at their end
static size_t write_path(char* path, size_t room, const cairn_node* node)
{
    if (!node->parent) {
        path[0] = 0;
        return 0;
    }
    size_t length = write_path(path, room, node->parent);
    int put = node->key
                  ? snprintf(path + length, room - length, "%s%s", length ? "." : "", node->key)
                  : snprintf(path + length, room - length, "[%d]", node->index);
    length += put > 0 ? (size_t)put : 0;
    return length < room ? length : room - 1;
}

static void complain(const cairn_node* node, cairn_status status, const char* text)
{
    cairn_reader* reader = node->reader;
    char path[128];
    int line, column;
    if (reader->status != CAIRN_OK)
        return;
    write_path(path, sizeof path, node);
    cairn_node_locate(node, &line, &column);
    reader->status = cairn_fail(reader->error, status, "%s:%d:%d: %s %s", reader->file, line,
                                column, path[0] ? path : "the scene", text);
}

void cairn_node_fail(const cairn_node* node, const char* format, ...)
{
    char text[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    complain(node, CAIRN_BAD_INPUT, text);
}

void cairn_node_blame(const cairn_node* node, cairn_status status, const cairn_error* error)
{
    char text[300];
    snprintf(text, sizeof text, "is refused: %.280s", error->text);
    complain(node, status, text);
}

void cairn_node_starve(const cairn_node* node)
{
    complain(node, CAIRN_NO_MEMORY, "cannot be read: no memory");
}

bool cairn_node_ok(const cairn_node* node)
{
    return node->reader->status == CAIRN_OK;
}

bool cairn_node_afford(const cairn_node* node, int count)
{
    if (count <= node->reader->limit)
        return true;
    cairn_node_fail(node, "makes the scene too big, expected fewer bodies and joints");
    return false;
}

bool cairn_node_spend(const cairn_node* node)
{
    if (!cairn_node_afford(node, 1))
        return false;
    node->reader->limit--;
    return true;
}

// ---------------------------------------------------------------- objects and arrays

static bool listed(const char* key, const char* const* keys)
{
    for (int i = 0; keys && keys[i]; i++)
        if (strcmp(keys[i], key) == 0)
            return true;
    return false;
}

// "expected one of a, b, c", as far as there is room
static void list_keys(char* list, size_t room, const char* const* keys, const char* const* more)
{
    size_t length = 0;
    list[0] = 0;
    for (int pass = 0; pass < 2; pass++)
        for (const char* const* k = pass ? more : keys; k && *k; k++) {
            size_t need = strlen(*k) + 2;
            if (length + need + 4 > room) {
                snprintf(list + length, room - length, "...");
                return;
            }
            length +=
                (size_t)snprintf(list + length, room - length, "%s%s", length ? ", " : "", *k);
        }
}

// a misspelled key is an error: with the key that it most likely meant, else with all that are known
static void refuse_key(const cairn_node* bad, const char* const* keys, const char* const* more)
{
    char list[200];
    cairn_guess guess = {.word = bad->key};
    for (int pass = 0; pass < 2; pass++)
        for (const char* const* k = pass ? more : keys; k && *k; k++)
            cairn_guess_offer(&guess, *k);

    if (guess.best) {
        cairn_node_fail(bad, "is not a known key; did you mean '%s'?", guess.best);
        return;
    }
    list_keys(list, sizeof list, keys, more);
    cairn_node_fail(bad, "is not a known key, expected one of %s", list);
}

bool cairn_node_allow(const cairn_node* node, const char* const* keys, const char* const* more)
{
    const char* key;
    json_t* value;
    if (!cairn_node_ok(node))
        return false;
    if (!json_is_object(node->value)) {
        cairn_node_fail(node, "is not an object, expected { ... }");
        return false;
    }

    json_object_foreach(node->value, key, value)
    {
        // keys for people: read, and otherwise ignored
        if (strcmp(key, "comment") == 0 || strcmp(key, "$schema") == 0)
            cairn_node_string(node, key, NULL);
        if (listed(key, keys) || listed(key, more))
            continue;

        refuse_key(&(cairn_node){node->reader, value, node, key, 0}, keys, more);
        return false;
    }
    return cairn_node_ok(node);
}

bool cairn_node_child(cairn_node* child, const cairn_node* node, const char* key)
{
    json_t* value = cairn_node_ok(node) ? json_object_get(node->value, key) : NULL;
    *child = (cairn_node){node->reader, value, node, key, 0};
    return value != NULL;
}

bool cairn_node_need(cairn_node* child, const cairn_node* node, const char* key)
{
    if (cairn_node_child(child, node, key))
        return true;
    cairn_node_fail(node, "has no \"%s\", which is needed", key);
    return false;
}

int cairn_node_count(const cairn_node* node)
{
    if (cairn_node_ok(node) && !json_is_array(node->value))
        cairn_node_fail(node, "is not a list, expected [ ... ]");
    return cairn_node_ok(node) ? (int)json_array_size(node->value) : 0;
}

cairn_node cairn_node_item(const cairn_node* node, int index)
{
    json_t* value = json_array_get(node->value, (size_t)index);
    return (cairn_node){node->reader, value, node, NULL, index};
}

// ---------------------------------------------------------------- values

double cairn_node_number(const cairn_node* node, cairn_bound bound)
{
    static const char* const wish[] = {"a number", "a number >= 0", "a number > 0"};
    if (!cairn_node_ok(node))
        return 1.0;
    if (!json_is_number(node->value)) {
        cairn_node_fail(node, "is not a number, expected %s", wish[bound]);
        return 1.0;
    }
    double x = json_number_value(node->value);
    if ((bound == CAIRN_ABOVE_0 && !(x > 0.0)) || (bound == CAIRN_AT_LEAST_0 && !(x >= 0.0)) ||
        !isfinite(x)) {
        cairn_node_fail(node, "is %g, expected %s", x, wish[bound]);
        return 1.0;
    }
    return x;
}

cairn_vec3 cairn_node_triple(const cairn_node* node)
{
    double x[3] = {0.0, 0.0, 0.0};
    if (!cairn_node_ok(node))
        return cairn_vec(0.0, 0.0, 0.0);
    if (!json_is_array(node->value) || json_array_size(node->value) != 3)
        cairn_node_fail(node, "is not a vector, expected [x, y, z]");
    for (int i = 0; i < 3 && cairn_node_ok(node); i++) {
        cairn_node item = cairn_node_item(node, i);
        x[i] = cairn_node_number(&item, CAIRN_ANY);
    }
    return cairn_vec(x[0], x[1], x[2]);
}

double cairn_node_real(const cairn_node* node, const char* key, double absent, cairn_bound bound)
{
    cairn_node child;
    return cairn_node_child(&child, node, key) ? cairn_node_number(&child, bound) : absent;
}

double cairn_node_whole(const cairn_node* node, const char* key, double absent, double least,
                        double most)
{
    cairn_node child;
    if (!cairn_node_child(&child, node, key))
        return absent;
    // 2.0 and 1e3 are whole numbers, too
    double x = json_number_value(child.value);
    if (!json_is_number(child.value) || x != floor(x) || !(x >= least && x <= most)) {
        cairn_node_fail(&child, "is out of range, expected a whole number from %.0f to %.0f", least,
                        most);
        return least;
    }
    return x;
}

int cairn_node_integer(const cairn_node* node, const char* key, int absent, int least, int most)
{
    return (int)cairn_node_whole(node, key, absent, least, most);
}

bool cairn_node_flag(const cairn_node* node, const char* key, bool absent)
{
    cairn_node child;
    if (!cairn_node_child(&child, node, key))
        return absent;
    if (!json_is_boolean(child.value))
        cairn_node_fail(&child, "is not true or false, expected one of them");
    return json_is_true(child.value);
}

const char* cairn_node_string(const cairn_node* node, const char* key, const char* absent)
{
    cairn_node child;
    if (!cairn_node_child(&child, node, key))
        return absent;
    if (!json_is_string(child.value)) {
        cairn_node_fail(&child, "is not a text, expected \"...\"");
        return absent;
    }
    return json_string_value(child.value);
}

cairn_vec3 cairn_node_vector(const cairn_node* node, const char* key, cairn_vec3 absent)
{
    cairn_node child;
    return cairn_node_child(&child, node, key) ? cairn_node_triple(&child) : absent;
}

int cairn_node_choice(const cairn_node* node, const char* key, const char* const* names, int count,
                      int absent)
{
    cairn_node child;
    char list[200] = "";
    size_t length = 0;
    if (!cairn_node_child(&child, node, key))
        return absent;

    const char* text = json_string_value(child.value);
    for (int i = 0; i < count; i++) {
        if (text && strcmp(text, names[i]) == 0)
            return i;
        if (length + strlen(names[i]) + 4 < sizeof list)
            length += (size_t)snprintf(list + length, sizeof list - length, "%s\"%s\"",
                                       i ? ", " : "", names[i]);
    }

    cairn_node_fail(&child, "is '%.40s', expected one of %s", text ? text : "not a text", list);
    return absent;
}

cairn_transform cairn_node_pose(const cairn_node* node)
{
    const double degree = 0.017453292519943295;
    cairn_transform x = {cairn_node_vector(node, "at", cairn_vec(0.0, 0.0, 0.0)),
                         {1.0, 0.0, 0.0, 0.0}};
    cairn_node child;

    // an orientation: a rotation vector in degrees, or a quaternion
    if (cairn_node_child(&child, node, "turn"))
        x.q = cairn_quat_from_rotation_vector(cairn_scale(degree, cairn_node_triple(&child)));
    bool turned = child.value != NULL;
    if (!cairn_node_child(&child, node, "quaternion"))
        return x;

    if (turned)
        cairn_node_fail(&child, "stands beside \"turn\", expected one of them");

    double q[4] = {0.0, 0.0, 0.0, 0.0}, norm = 0.0;
    if (cairn_node_count(&child) != 4)
        cairn_node_fail(&child, "does not have 4 numbers, expected [w, x, y, z]");
    for (int i = 0; i < 4 && cairn_node_ok(node); i++) {
        cairn_node item = cairn_node_item(&child, i);
        q[i] = cairn_node_number(&item, CAIRN_ANY);
        norm += q[i] * q[i];
    }

    if (!(norm > 1e-12 && norm < 1e12))
        cairn_node_fail(&child, "has no usable length, expected a unit quaternion");
    x.q = cairn_quat_normalize((cairn_quat){q[0], q[1], q[2], q[3]});
    return x;
}
