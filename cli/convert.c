// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// cairn convert ROBOT SCENE.json: a robot in URDF or MJCF as a scene of ours.

#include "io/file.h"
#include "verb.h"
#include <cairn/robot.h>
#include <string.h>

static const char doc[] = "Convert a URDF or MJCF robot to a JSON scene that can be edited and run "
                          "(docs/robots.md). Elements that are not supported are listed.\v"
                          "Example:\n  cairn convert robot.urdf robot.json --packages .";

typedef struct result {
    const char* path;
    cairn_robot_info info;
} result;

static json_t* to_json(const void* from)
{
    const result* r = from;
    json_t* out = json_object();
    verb_set_string(out, "robot", r->info.name);
    verb_set_string(out, "format", r->info.format);
    verb_set_integer(out, "links", r->info.link_count);
    verb_set_integer(out, "joints", r->info.joint_count);
    verb_set_real(out, "mass", r->info.mass);
    verb_set_string(out, "not_read", r->info.ignored);
    verb_set_string(out, "output", r->path);
    return out;
}

static void to_text(const void* from)
{
    const result* r = from;
    verb_print("%s (%s): %d links, %d joints, %.6g kg", r->info.name, r->info.format,
               r->info.link_count, r->info.joint_count, r->info.mass);
    verb_print_file(r->path, 0.0);
}

static cairn_status run(verb_common* common, cairn_error* error)
{
    const char *from = common->arguments[0], *to = common->arguments[1];
    cairn_robot* robot = NULL;
    if (!verb_may_write(to, common->force, error))
        return CAIRN_NO_FILE;

    cairn_status status = cairn_robot_read(from, &common->robot, &robot, error);
    if (status == CAIRN_OK) {
        const char* text = cairn_robot_scene_text(robot);
        status = cairn_file_write(to, text, strlen(text), common->force, error);
    }

    if (status == CAIRN_OK) {
        result r = {to, cairn_robot_describe(robot)};
        verb_print_ignored(common, r.info.ignored);
        verb_show(common, to_json, to_text, &r);
    }

    cairn_robot_destroy(robot);
    return status;
}

static const verb_option own[] = {{"force", NULL, "Overwrite an existing file", VERB_FLAG,
                                   offsetof(verb_common, force), 0, 0, NULL},
                                  {0}};

const verb verb_convert = {
    .name = "convert",
    .summary = "convert a URDF or MJCF robot to a scene",
    .arguments = "ROBOT SCENE.json",
    .least = 2,
    .most = 2,
    .noun = "file",
    .expected = "a robot file to read and a scene file to write",
    .doc = doc,
    .options = own,
    .robots = true,
    .size = sizeof(verb_common),
    .run = run,
};
