// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// cairn scenes: the shipped scenes, one line each.

#include "verb.h"
#include <dirent.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

static const char doc[] = "List the scenes that are shipped.\v"
                          "Example:\n  cairn scenes --json";

// the scenes are those files of the folder that are objects with a title
static int is_scene(const struct dirent* entry)
{
    size_t length = strlen(entry->d_name);
    return length > 5 && strcmp(entry->d_name + length - 5, ".json") == 0 &&
           strcmp(entry->d_name, "scene.schema.json") != 0;
}

static json_t* describe(const char* folder, const char* file)
{
    char path[2 * PATH_MAX];
    snprintf(path, sizeof path, "%s/%s", folder, file);
    json_t* scene = json_load_file(path, 0, NULL);
    json_t* item = json_object();
    char name[256];
    snprintf(name, sizeof name, "%.*s", (int)strlen(file) - 5, file);
    verb_set_string(item, "scene", name);
    const char* title = json_string_value(json_object_get(scene, "title"));
    verb_set_string(item, "title", title ? title : "");
    json_decref(scene);
    return item;
}

static void print_text(const json_t* list)
{
    verb_table table = {.columns = 2};
    size_t i;
    json_t* item;
    verb_cell(&table, "scene");
    verb_cell(&table, "what it shows");
    json_array_foreach(list, i, item)
    {
        verb_cell(&table, "%s", json_string_value(json_object_get(item, "scene")));
        verb_cell(&table, "%s", json_string_value(json_object_get(item, "title")));
    }
    verb_print_table(&table);
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
    for (int i = 0; i < count; i++) {
        json_array_append_new(list, describe(folder, files[i]->d_name));
        free(files[i]);
    }
    free(files);
    return list;
}

static int run(const verb* v, int argc, char** argv)
{
    verb_common common = {0};
    cairn_error error;
    verb_parse(v, argc, argv, &common);
    json_t* list = verb_list_scenes();
    if (!list) {
        cairn_fail(&error, CAIRN_NO_FILE, "the folder of the shipped scenes is not found");
        return verb_fail(v, CAIRN_NO_FILE, &error);
    }
    if (common.json) {
        json_t* out = json_object();
        json_object_set_new(out, "scenes", list);
        verb_print_json(out);
        return exit_done;
    }
    if (!common.quiet)
        print_text(list);
    json_decref(list);
    return exit_done;
}

const verb verb_scenes = {
    .name = "scenes",
    .summary = "the scenes that are shipped",
    .arguments = "",
    .doc = doc,
    .run = run,
};
