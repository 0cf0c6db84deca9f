// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// cairn scenes [SCENE]: the shipped scenes by group, one line each, or what is in one of them.

#include "io/file.h"
#include "verb.h"
#include <cairn/robot.h>
#include <dirent.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

static const char doc[] = "List the included scenes, or describe one of them.\v"
                          "Example:\n  cairn scenes\n  cairn scenes wall\n  cairn scenes --json";

// ---------------------------------------------------------------- finding

// the scenes are those files of the folder that are objects with a title, and robots
static int is_scene(const struct dirent* entry)
{
    const char* dot = strrchr(entry->d_name, '.');
    return dot && dot > entry->d_name && strcmp(entry->d_name, "scene.schema.json") != 0 &&
           (strcmp(dot, ".json") == 0 || strcmp(dot, ".xml") == 0);
}

// the title of a robot is its name
static json_t* describe_robot(const char* path)
{
    cairn_robot* robot = NULL;
    json_t* scene = json_object();
    if (cairn_robot_read(path, NULL, &robot, NULL) == CAIRN_OK)
        verb_set_string(scene, "title", cairn_robot_describe(robot).name);
    verb_set_string(scene, "group", "robots");
    cairn_robot_destroy(robot);
    return scene;
}

static json_t* describe(const char* folder, const char* file)
{
    char path[2 * PATH_MAX], name[256];
    cairn_bytes text = {0};
    snprintf(path, sizeof path, "%s/%s", folder, file);
    const char* dot = strrchr(file, '.');
    snprintf(name, sizeof name, "%.*s", (int)(dot - file), file);

    // robots are read by their own reader, scenes as plain JSON
    json_t* scene = NULL;
    if (strcmp(dot, ".xml") == 0)
        scene = describe_robot(path);
    else if (cairn_file_read(&text, path, &cairn_file_text, NULL) == CAIRN_OK)
        scene = json_loadb(text.data, text.size, 0, NULL);

    // a file that cannot be read is listed without a title
    const char* title = json_string_value(json_object_get(scene, "title"));
    const char* group = json_string_value(json_object_get(scene, "group"));
    json_t* item = json_object();
    verb_set_string(item, "scene", name);
    verb_set_string(item, "title", title ? title : "");
    verb_set_string(item, "group", group ? group : "others");
    json_decref(scene);
    free(text.data);

    // without memory a part may be missing
    if (json_object_size(item) < 3) {
        json_decref(item);
        return NULL;
    }
    return item;
}

int view_threads(void)
{
    return 0;
}

json_t* verb_list_scenes(void)
{
    char folder[PATH_MAX];
    struct dirent** files = NULL;
    int count = verb_scene_folder(folder, sizeof folder)
                    ? scandir(folder, &files, is_scene, alphasort)
                    : -1;
    if (count < 0)
        return NULL;

    json_t* list = json_array();
    bool whole = true;
    for (int i = 0; i < count; i++) {
        whole = json_array_append_new(list, describe(folder, files[i]->d_name)) == 0 && whole;
        free(files[i]);
    }

    free(files);
    if (whole)
        return list;
    json_decref(list);
    return NULL;
}

// whether a scene is named by a file of one of its formats
static bool names_file(const char* scene)
{
    static const char* const endings[] = {".json", ".urdf", ".xml", ".mjcf"};
    const char* dot = strrchr(scene, '.');
    for (size_t i = 0; dot && dot > scene && i < sizeof endings / sizeof endings[0]; i++)
        if (strcmp(dot, endings[i]) == 0)
            return true;
    return false;
}

cairn_status verb_scene_path(char* path, size_t size, const char* scene, cairn_error* error)
{
    if (strchr(scene, '/') || names_file(scene)) {
        snprintf(path, size, "%s", scene);
        return CAIRN_OK;
    }
    if (verb_shipped_scene(path, size, scene))
        return CAIRN_OK;

    // no such name: suggest the nearest one
    cairn_guess guess = {.word = scene};
    char hint[80];
    size_t i;
    json_t *list = verb_list_scenes(), *item;
    json_array_foreach(list, i, item)
    {
        cairn_guess_offer(&guess, json_string_value(json_object_get(item, "scene")));
    }

    cairn_fail(error, CAIRN_BAD_INPUT, "'%s' is not an included scene%s", scene,
               guess.best ? cairn_guess_hint(&guess, hint, sizeof hint)
                          : "; expected a name from `cairn scenes` or a path that ends in .json");
    json_decref(list);
    return CAIRN_BAD_INPUT;
}

// ---------------------------------------------------------------- all of them

static json_t* list_json(const void* from)
{
    return json_pack("{s:O}", "scenes", (json_t*)from);
}

// a string of an object; a file name that is not UTF-8 has become null
static const char* text_of(const json_t* item, const char* key)
{
    const char* text = json_string_value(json_object_get(item, key));
    return text ? text : "";
}

static int by_name(const void* a, const void* b)
{
    return strcmp(*(const char* const*)a, *(const char* const*)b);
}

static void list_text(const void* from)
{
    const json_t* list = from;
    const char* groups[64];
    int width = 0, count = 0;
    size_t i;
    json_t* item;

    // the width of the longest name, and the groups in use
    json_array_foreach(list, i, item)
    {
        int k = 0, length = (int)strlen(text_of(item, "scene"));
        width = length > width ? length : width;
        while (k < count && strcmp(groups[k], text_of(item, "group")) != 0)
            k++;
        if (k == count && count < 64)
            groups[count++] = text_of(item, "group");
    }

    // one paragraph per group, by name
    qsort(groups, (size_t)count, sizeof *groups, by_name);
    for (int k = 0; k < count; k++) {
        verb_print("%s", groups[k]);
        json_array_foreach(list, i, item)
        {
            if (strcmp(groups[k], text_of(item, "group")) == 0)
                verb_print("  %-*s  %s", width, text_of(item, "scene"), text_of(item, "title"));
        }
    }

    verb_print("Try `cairn run NAME`, `cairn view NAME --open` or `cairn scenes NAME`.");
}

// ---------------------------------------------------------------- one of them

typedef struct entry {
    const char *name, *path;
    cairn_scene_info info;
} entry;

static json_t* one_json(const void* from)
{
    const entry* e = from;
    json_t* out = json_object();
    verb_set_string(out, "scene", e->name);
    verb_set_string(out, "title", e->info.title);
    verb_set_string(out, "group", e->info.group);
    verb_set_string(out, "file", e->path);
    verb_set_integer(out, "bodies", e->info.body_count);
    verb_set_real(out, "time", e->info.time);
    verb_set_real(out, "dt", e->info.dt);
    verb_set_integer(out, "substeps", e->info.substeps);
    verb_set_string(out, "method", e->info.method);
    verb_set_real(out, "tolerance", e->info.tolerance);
    return out;
}

static void one_text(const void* from)
{
    const entry* e = from;
    verb_table table = {.columns = 2};
    verb_print("%s: %s", e->name, e->info.title);
    verb_cell(&table, "group");
    verb_cell(&table, "%s", e->info.group);
    verb_cell(&table, "bodies");
    verb_cell(&table, "%d", e->info.body_count);
    verb_cell(&table, "time");
    verb_cell(&table, "%g s in steps of %.4g s, %d substeps", e->info.time, e->info.dt,
              e->info.substeps);
    verb_cell(&table, "method");
    verb_cell(&table, "%s, tolerance %g", e->info.method, e->info.tolerance);
    verb_print_table(&table);
    verb_print("file    %s", e->path);
}

static cairn_status show_one(const verb_common* common, cairn_error* error)
{
    char path[2 * PATH_MAX];
    cairn_scene* scene = NULL;
    const char* name = common->arguments[0];
    cairn_status status = verb_scene_path(path, sizeof path, name, error);
    if (status == CAIRN_OK)
        status = cairn_scene_read(path, NULL, &scene, error);
    if (status != CAIRN_OK)
        return status;
    entry e = {name, path, cairn_scene_describe(scene)};
    verb_show(common, one_json, one_text, &e);
    cairn_scene_destroy(scene);
    return CAIRN_OK;
}

static cairn_status run(verb_common* common, cairn_error* error)
{
    if (common->argument_count > 0)
        return show_one(common, error);
    json_t* list = verb_list_scenes();
    char folder[PATH_MAX];
    if (!list && verb_scene_folder(folder, sizeof folder))
        return cairn_fail(error, CAIRN_NO_MEMORY, "%s: no memory to list its scenes", folder);
    if (!list)
        return cairn_fail(error, CAIRN_NO_FILE, "the folder of the included scenes was not found");
    verb_show(common, list_json, list_text, list);
    json_decref(list);
    return CAIRN_OK;
}

const verb verb_scenes = {
    .name = "scenes",
    .summary = "list the included scenes",
    .arguments = "[SCENE]",
    .most = 1,
    .doc = doc,
    .run = run,
};
