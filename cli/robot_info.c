// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors

#include "robot_info.h"
#include <cairn/robot.h>
#include <string.h>

static const char* const kinds[] = {"fixed", "hinge", "slide", "ball", "free"};

bool robot_info_is_for(const char* path)
{
    static const char* const endings[] = {".urdf", ".xml", ".mjcf"};
    const char* dot = strrchr(path, '.');
    for (size_t i = 0; dot && i < sizeof endings / sizeof endings[0]; i++)
        if (strcmp(dot, endings[i]) == 0)
            return true;
    return false;
}

typedef struct result {
    const cairn_robot* robot;
    const char* path;
} result;

static json_t* links_json(const cairn_robot* robot)
{
    json_t* list = json_array();
    cairn_robot_info info = cairn_robot_describe(robot);
    for (int i = 0; i < info.link_count; i++) {
        cairn_robot_link link = cairn_robot_get_link(robot, i);
        json_t* item = json_object();
        verb_set_string(item, "name", link.name);
        verb_set_string(item, "parent", link.parent);
        verb_set_real(item, "mass", link.mass);
        json_array_append_new(list, item);
    }
    return list;
}

static json_t* joints_json(const cairn_robot* robot)
{
    json_t* list = json_array();
    cairn_robot_info info = cairn_robot_describe(robot);

    for (int i = 0; i < info.joint_count; i++) {
        cairn_robot_joint joint = cairn_robot_get_joint(robot, i);
        json_t* item = json_object();

        verb_set_string(item, "name", joint.name);
        verb_set_string(item, "link", joint.link);
        verb_set_string(item, "kind", kinds[joint.mobility]);
        verb_set_integer(item, "q", joint.q);
        verb_set_integer(item, "v", joint.v);
        if (joint.limited) {
            verb_set_real(item, "lo", joint.lo);
            verb_set_real(item, "hi", joint.hi);
        }

        verb_set_real(item, "start", joint.start);
        json_array_append_new(list, item);
    }

    return list;
}

static json_t* to_json(const void* from)
{
    const result* r = from;
    cairn_robot_info info = cairn_robot_describe(r->robot);
    json_t* out = json_object();
    verb_set_string(out, "robot", info.name);
    verb_set_string(out, "format", info.format);
    verb_set_real(out, "mass", info.mass);
    verb_set_integer(out, "q", info.q_count);
    verb_set_integer(out, "v", info.v_count);
    json_object_set_new(out, "links", links_json(r->robot));
    json_object_set_new(out, "joints", joints_json(r->robot));
    verb_set_string(out, "not_read", info.ignored);
    return out;
}

static void to_text(const void* from)
{
    const result* r = from;
    cairn_robot_info info = cairn_robot_describe(r->robot);
    verb_print("%s: %s (%s), %.6g kg in %d links; q has %d numbers, v has %d", r->path, info.name,
               info.format, info.mass, info.link_count, info.q_count, info.v_count);

    verb_table table = {.columns = 7};
    const char* const head[] = {"joint", "kind", "moves", "q", "v", "limits", "start"};
    for (int i = 0; i < 7; i++)
        verb_cell(&table, "%s", head[i]);

    // q and v tell where the joint's coordinates begin
    for (int i = 0; i < info.joint_count; i++) {
        cairn_robot_joint joint = cairn_robot_get_joint(r->robot, i);
        verb_cell(&table, "%s", joint.name);
        verb_cell(&table, "%s", kinds[joint.mobility]);
        verb_cell(&table, "%s", joint.link);
        verb_cell(&table, "%d", joint.q);
        verb_cell(&table, "%d", joint.v);
        if (joint.limited)
            verb_cell(&table, "%.4g to %.4g", joint.lo, joint.hi);
        else
            verb_cell(&table, "none");
        verb_cell(&table, "%.4g", joint.start);
    }

    verb_print_table(&table);
}

cairn_status robot_info_run(verb_common* common, cairn_error* error)
{
    cairn_robot* robot = NULL;
    const char* path = common->arguments[0];
    cairn_status status = cairn_robot_read(path, &common->robot, &robot, error);
    if (status == CAIRN_OK) {
        verb_show(common, to_json, to_text, &(result){robot, path});
        verb_print_ignored(common, cairn_robot_describe(robot).ignored);
    }
    cairn_robot_destroy(robot);
    return status;
}
