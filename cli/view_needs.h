// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// What the session of the live view needs of the program. The module for the browser (web/engine),
// which runs the same session, has its own way to find scenes.
#ifndef CAIRN_CLI_VIEW_NEEDS_H
#define CAIRN_CLI_VIEW_NEEDS_H

#include <cairn/base.h>
#include <jansson.h>
#include <stddef.h>

/// The file of a scene given as a path or as the name of a shipped one.
cairn_status verb_scene_path(char* path, size_t size, const char* scene, cairn_error* error);

/// The shipped scenes: objects with `scene`, `title` and `group`; NULL when their folder is not
/// there.
json_t* verb_list_scenes(void);

/// How many threads step a live scene; 0: as many as the scene says.
int view_threads(void);

/// Sets a number; one that JSON cannot hold (NaN, infinity) becomes null (set_json.c).
void verb_set_real(json_t* object, const char* key, double x);
void verb_set_integer(json_t* object, const char* key, long long x);
void verb_set_string(json_t* object, const char* key, const char* text);

#endif
