// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Reading a study: every key is known, every number in its range, every pointer leads somewhere in
// the scene, and every expression parses, before the first run starts.

#include "expression.h"
#include "io/file.h"
#include "study.h"
#include "verb.h"
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct reader {
    study* s;
    const char* path;
    cairn_error* error;
} reader;

static cairn_status refuse(const reader* in, const char* key, const char* expected)
{
    return cairn_fail(in->error, CAIRN_BAD_INPUT, "%s: %s: expected %s", in->path, key, expected);
}

// whether all keys of the object are in the list, which ends with NULL
static cairn_status check_keys(const reader* in, const char* where, const json_t* object,
                               const char* const* keys)
{
    const char* key;
    json_t* value;
    if (!json_is_object(object))
        return refuse(in, where, "an object");

    json_object_foreach((json_t*)object, key, value)
    {
        cairn_guess guess = {.word = key};
        char hint[80];
        int k = 0;
        for (; keys[k] && strcmp(keys[k], key) != 0; k++)
            cairn_guess_offer(&guess, keys[k]);

        if (!keys[k])
            return cairn_fail(in->error, CAIRN_BAD_INPUT, "%s: %s: '%s' is not a key%s", in->path,
                              where, key, cairn_guess_hint(&guess, hint, sizeof hint));
    }

    return CAIRN_OK;
}

static cairn_status load(json_t** out, const char* path, uint64_t* digest, cairn_error* error)
{
    cairn_bytes bytes;
    cairn_status status = cairn_file_read(&bytes, path, &cairn_file_text, error);
    if (status != CAIRN_OK)
        return status;

    // FNV-1a, over the study and then the scene
    for (size_t i = 0; i < bytes.size; i++)
        *digest = (*digest ^ (unsigned char)bytes.data[i]) * 0x100000001b3u;
    json_error_t wrong;
    *out = json_loadb(bytes.data, bytes.size, JSON_REJECT_DUPLICATES, &wrong);
    free(bytes.data);
    if (!*out)
        return cairn_fail(error, CAIRN_BAD_INPUT, "%s:%d:%d: %s", path, wrong.line, wrong.column,
                          wrong.text);
    return CAIRN_OK;
}

// the scene of the study: a path beside the study's own, or the name of a shipped one
static cairn_status load_scene(const reader* in)
{
    char path[2 * PATH_MAX], beside[PATH_MAX];
    study* s = in->s;
    const char* name = json_string_value(json_object_get(s->root, "scene"));
    if (!name)
        return refuse(in, "scene", "the name of a scene or a path that ends with .json");
    const char* slash = strrchr(in->path, '/');
    bool relative = name[0] != '/' && slash && strlen(name) > 5 &&
                    strcmp(name + strlen(name) - 5, ".json") == 0;
    snprintf(beside, sizeof beside, "%.*s%s", relative ? (int)(slash - in->path) + 1 : 0, in->path,
             name);
    snprintf(s->scene_name, sizeof s->scene_name, "%s", name);
    cairn_status status = verb_scene_path(path, sizeof path, beside, in->error);
    return status == CAIRN_OK ? load(&s->scene, path, &s->digest, in->error) : status;
}

// ---------------------------------------------------------------- parameters

// the place of a JSON pointer: the last container and the last key
static json_t* locate(json_t* root, const char* pointer, char* key, size_t size)
{
    json_t* at = root;
    if (*pointer != '/')
        return NULL;
    for (;;) {
        // one token, ~1 for / and ~0 for ~
        size_t length = 0;
        for (pointer++; *pointer && *pointer != '/'; pointer++) {
            char c = *pointer;
            if (c == '~' && (pointer[1] == '0' || pointer[1] == '1'))
                c = *++pointer == '1' ? '/' : '~';
            if (length + 1 == size)
                return NULL; // no key of a scene is as long
            key[length++] = c;
        }
        key[length] = 0;

        // the last token is the key itself; each one before leads a level down
        if (!*pointer)
            return at;
        at = json_is_array(at) ? json_array_get(at, (size_t)strtoul(key, NULL, 10))
                               : json_object_get(at, key);
        if (!at)
            return NULL;
    }
}

static bool is_index(const char* key, size_t count)
{
    char* end;
    unsigned long index = strtoul(key, &end, 10);
    return key[0] >= '0' && key[0] <= '9' && !*end && index < count;
}

// puts a value where a pointer leads: an element that is there, or any key of an object
static bool put(json_t* root, const char* pointer, json_t* value)
{
    char key[256];
    json_t* at = locate(root, pointer, key, sizeof key);
    if (json_is_object(at))
        return json_object_set(at, key, value) == 0;
    return json_is_array(at) && is_index(key, json_array_size(at)) &&
           json_array_set(at, (size_t)strtoul(key, NULL, 10), value) == 0;
}

static bool is_run_option(const char* name)
{
    for (const verb_option* o = verb_run.options; o && o->name; o++)
        if (strcmp(o->name, name) == 0)
            return o->kind != VERB_OUTPUT && strcmp(name, "dump-problem") != 0;
    return false;
}

static cairn_status read_range(const reader* in, const char* where, const json_t* node,
                               study_parameter* p)
{
    // either a list of values
    const json_t *from = json_object_get(node, "from"), *to = json_object_get(node, "to"),
                 *count = json_object_get(node, "count"), *log = json_object_get(node, "log");
    p->values = json_object_get(node, "values");
    p->log = json_is_true(log);
    if (p->values)
        return json_array_size(p->values) > 0 && !from && !to
                   ? CAIRN_OK
                   : refuse(in, where, "values, a non-empty list, or from and to");

    // or a range, of which a grid also needs the count
    p->from = json_number_value(from);
    p->to = json_number_value(to);
    p->count = (int)json_integer_value(count);

    if (!json_is_number(from) || !json_is_number(to) || !isfinite(p->from) || !isfinite(p->to))
        return refuse(in, where, "values, or the numbers from and to");
    if (p->log && !(p->from > 0.0 && p->to > 0.0))
        return refuse(in, where, "from and to above 0, because log is true");
    if (count && !(p->count >= 1 && p->count <= 1000000))
        return refuse(in, where, "a count from 1 to 1000000");
    return CAIRN_OK;
}

static cairn_status read_parameter(const reader* in, int index, const json_t* node)
{
    static const char* const keys[] = {"name", "scene", "option", "values", "from",
                                       "to",   "count", "log",    NULL};
    char where[64];
    study_parameter* p = &in->s->parameters[index];
    snprintf(where, sizeof where, "parameters[%d]", index);
    cairn_status status = check_keys(in, where, node, keys);
    if (status != CAIRN_OK)
        return status;

    // it sets a place in the scene or an option of the run, and is named after it if it has no name
    p->pointer = json_string_value(json_object_get(node, "scene"));
    p->option = json_string_value(json_object_get(node, "option"));
    p->name = json_string_value(json_object_get(node, "name"));
    if (!p->pointer == !p->option)
        return refuse(in, where, "either scene (a JSON pointer) or option (of cairn run)");
    if (!p->name)
        p->name = p->option ? p->option : p->pointer;

    // the place must exist, the option must be allowed, the name must be its own
    char key[256];
    if (p->pointer && !locate(in->s->scene, p->pointer, key, sizeof key))
        return cairn_fail(in->error, CAIRN_BAD_INPUT, "%s: %s: '%s' leads nowhere in the scene %s",
                          in->path, where, p->pointer, in->s->scene_name);
    if (p->option && !is_run_option(p->option))
        return refuse(in, where, "an option of `cairn run` that writes no file");
    for (int k = 0; k < index; k++)
        if (strcmp(in->s->parameters[k].name, p->name) == 0)
            return refuse(in, where, "a name that no other parameter has");

    return read_range(in, where, node, p);
}

static cairn_status read_parameters(const reader* in)
{
    const json_t* list = json_object_get(in->s->root, "parameters");
    if (!list)
        return CAIRN_OK;
    if (!json_is_array(list) || json_array_size(list) > study_most_parameters)
        return refuse(in, "parameters", "a list of at most 32");
    for (size_t k = 0; k < json_array_size(list); k++) {
        cairn_status status = read_parameter(in, (int)k, json_array_get(list, k));
        if (status != CAIRN_OK)
            return status;
        in->s->parameter_count++;
    }
    return CAIRN_OK;
}

// ---------------------------------------------------------------- metrics

// while a study is read any name may turn out to be a number
static bool any_name(void* context, const char* name, size_t length, double* value)
{
    (void)context;
    (void)name;
    *value = 1.0;
    return length > 0;
}

static cairn_status check_expression(const reader* in, const char* where, const char* text)
{
    double value;
    cairn_error own;
    if (!text)
        return refuse(in, where, "an expression in quotes");
    if (expression_evaluate(text, any_name, NULL, &value, &own) == CAIRN_OK)
        return CAIRN_OK;
    return cairn_fail(in->error, CAIRN_BAD_INPUT, "%s: %s: %s", in->path, where, own.text);
}

static cairn_status read_metrics(const reader* in)
{
    const char* name;
    json_t* value;
    json_t* list = json_object_get(in->s->root, "metrics");
    if (!json_is_object(list) || json_object_size(list) == 0 ||
        json_object_size(list) > study_most_metrics)
        return refuse(in, "metrics", "an object with 1 to 64 expressions by name");

    json_object_foreach(list, name, value)
    {
        char where[128];
        snprintf(where, sizeof where, "metrics.%.100s", name);
        cairn_status status = check_expression(in, where, json_string_value(value));
        if (status != CAIRN_OK)
            return status;
        in->s->metrics[in->s->metric_count++] = (study_metric){name, json_string_value(value)};
    }

    return CAIRN_OK;
}

// ---------------------------------------------------------------- how many runs

static cairn_status read_bisection(const reader* in)
{
    static const char* const keys[] = {"parameter", "tolerance", "when", NULL};
    study* s = in->s;
    study_bisection* b = &s->bisection;
    const json_t* node = json_object_get(s->root, "bisect");
    b->parameter = -1;
    s->stride = 1;
    if (!node)
        return CAIRN_OK;

    cairn_status status = check_keys(in, "bisect", node, keys);
    if (status != CAIRN_OK)
        return status;

    // it must be one that has a range
    const char* name = json_string_value(json_object_get(node, "parameter"));
    for (int k = 0; k < s->parameter_count; k++)
        if (name && strcmp(s->parameters[k].name, name) == 0)
            b->parameter = k;
    if (b->parameter < 0 || s->parameters[b->parameter].values)
        return refuse(in, "bisect.parameter", "the name of a parameter with from and to");

    // two runs for the ends, and as many as halve their distance down to the tolerance
    const study_parameter* p = &s->parameters[b->parameter];
    b->tolerance = json_number_value(json_object_get(node, "tolerance"));
    double halvings = ceil(log2(fabs(p->to - p->from) / b->tolerance));
    if (!(b->tolerance > 0.0) || !(p->to != p->from) || !(halvings <= 50.0))
        return refuse(in, "bisect.tolerance", "a number above 1e-15 of the range, which is not 0");

    b->when = json_string_value(json_object_get(node, "when"));
    s->stride = 2 + (int)fmax(halvings, 0.0);
    return check_expression(in, "bisect.when", b->when);
}

static cairn_status count_cases(const reader* in)
{
    study* s = in->s;
    const json_t *sampling = json_object_get(s->root, "sampling"),
                 *samples = json_object_get(s->root, "samples");
    const char* kind = sampling ? json_string_value(sampling) : "grid";

    // a grid has all combinations; the bisected parameter is searched within each
    double cases = 1.0;
    if (kind && strcmp(kind, "grid") == 0) {
        s->sampling = STUDY_GRID;
        for (int k = 0; k < s->parameter_count; k++) {
            const study_parameter* p = &s->parameters[k];
            if (k == s->bisection.parameter)
                continue;
            if (!p->values && p->count == 0)
                return refuse(in, p->name, "a count, because the sampling is a grid");
            cases *= p->values ? (double)json_array_size(p->values) : p->count;
        }
    } else if (kind && (strcmp(kind, "random") == 0 || strcmp(kind, "latin") == 0)) {
        s->sampling = kind[0] == 'r' ? STUDY_RANDOM : STUDY_LATIN;
        cases = (double)json_integer_value(samples);
        if (!json_is_integer(samples))
            return refuse(in, "samples", "how many, because the sampling is not a grid");
    } else {
        return refuse(in, "sampling", "grid, random or latin");
    }

    // a bisection makes several runs of each case
    if (!(cases >= 1.0 && cases * s->stride <= study_most_runs))
        return refuse(in, "samples", "1 to 1000000 runs in all");
    s->cases = (int)cases;
    return CAIRN_OK;
}

static cairn_status read_rest(const reader* in)
{
    study* s = in->s;
    const char* key;
    json_t* value;
    const json_t *seed = json_object_get(s->root, "seed"),
                 *limit = json_object_get(s->root, "time_limit");

    s->title = json_string_value(json_object_get(s->root, "title"));
    s->title = s->title ? s->title : "";
    s->seed = seed ? (uint64_t)json_integer_value(seed) : 1;
    s->time_limit = limit ? json_number_value(limit) : 600.0;
    if (!(s->time_limit > 0.0))
        return refuse(in, "time_limit", "seconds above 0");

    // options for every run
    s->run = json_object_get(s->root, "run");
    if (!s->run)
        return CAIRN_OK;
    if (!json_is_object(s->run))
        return refuse(in, "run", "an object with options of `cairn run`");

    json_object_foreach(s->run, key, value)
    {
        if (!is_run_option(key))
            return refuse(in, key, "an option of `cairn run` that writes no file");
        if (json_is_object(value) || json_is_array(value))
            return refuse(in, key, "a number, a text or true");
    }
    return CAIRN_OK;
}

cairn_status study_read(study* s, const char* path, cairn_error* error)
{
    static const char* const keys[] = {"title",   "scene",   "run",        "parameters",
                                       "metrics", "seed",    "sampling",   "samples",
                                       "bisect",  "version", "time_limit", NULL};

    // the digest of study and scene tells whether a table belongs to them: FNV-1a
    *s = (study){.digest = 0xcbf29ce484222325u};
    reader in = {s, path, error};
    cairn_status status = load(&s->root, path, &s->digest, error);

    // each part needs those before it
    if (status == CAIRN_OK)
        status = check_keys(&in, "the study", s->root, keys);
    if (status == CAIRN_OK)
        status = load_scene(&in);
    if (status == CAIRN_OK)
        status = read_parameters(&in);
    if (status == CAIRN_OK)
        status = read_metrics(&in);
    if (status == CAIRN_OK)
        status = read_bisection(&in);
    if (status == CAIRN_OK)
        status = count_cases(&in);
    if (status == CAIRN_OK)
        status = read_rest(&in);

    if (status != CAIRN_OK)
        study_free(s);
    return status;
}

void study_free(study* s)
{
    json_decref(s->root);
    json_decref(s->scene);
    s->root = s->scene = NULL;
}

// ---------------------------------------------------------------- the scene of a case

json_t* study_scene(const study* s, int number, double searched, cairn_error* error)
{
    json_t* scene = json_deep_copy(s->scene);

    for (int k = 0; k < s->parameter_count && scene; k++) {
        const study_parameter* p = &s->parameters[k];
        if (!p->pointer)
            continue;

        json_t* value =
            k == s->bisection.parameter ? json_real(searched) : study_value(s, k, number);
        bool done = value && put(scene, p->pointer, value);
        json_decref(value);

        if (!done) {
            cairn_fail(error, CAIRN_BAD_INPUT, "'%s' leads nowhere in the scene", p->pointer);
            json_decref(scene);
            return NULL;
        }
    }

    if (!scene)
        cairn_fail(error, CAIRN_NO_MEMORY, "no memory for the scene");
    return scene;
}
