// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// What the readers of robots share: complaints, numbers, lists that grow, and the list of what was
// passed over.

#include "io/recording/stage.h"
#include "io/robot/robot.h"
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { most_links = 4000, most_geoms = 20000 };

// ---------------------------------------------------------------- complaints

bool robot_ok(const robot_reader* r)
{
    return r->status == CAIRN_OK;
}

void robot_fail(robot_reader* r, const xml_element* at, const char* format, ...)
{
    char text[320];
    va_list arguments;
    if (!robot_ok(r))
        return;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    r->status = cairn_fail(r->error, CAIRN_BAD_INPUT, "%.100s:%d: <%.30s> %s", at->file, at->line,
                           at->name, text);
}

void robot_blame(robot_reader* r, const xml_element* at, cairn_status status,
                 const cairn_error* error)
{
    if (robot_ok(r))
        r->status = cairn_fail(r->error, status, "%.100s:%d: <%.30s>: %.300s", at->file, at->line,
                               at->name, error->text);
}

void robot_starve(robot_reader* r)
{
    if (robot_ok(r))
        r->status =
            cairn_fail(r->error, CAIRN_NO_MEMORY, "%.200s: no memory to read it", r->robot->file);
}

// ---------------------------------------------------------------- numbers

int robot_numbers(robot_reader* r, const xml_element* at, const char* name, const char* text,
                  double* out, int least, int most)
{
    int count = 0;
    const char* end = text;

    while (robot_ok(r)) {
        while (isspace((unsigned char)*end))
            end++;
        if (!*end)
            break;

        char* stop;
        double x = strtod(end, &stop);
        bool whole = stop != end && (!*stop || isspace((unsigned char)*stop));

        // NaN and infinity are no numbers here
        if (!whole || !(fabs(x) <= 1e12)) {
            robot_fail(r, at, "has %s=\"%.40s\", expected numbers up to 1e12", name, text);
            return 0;
        }

        // one number too many is enough to know
        if (count == most) {
            count++;
            break;
        }
        out[count++] = x;
        end = stop;
    }

    if (robot_ok(r) && (count < least || count > most)) {
        if (least == most)
            robot_fail(r, at, "has %s=\"%.40s\", expected %d numbers", name, text, least);
        else
            robot_fail(r, at, "has %s=\"%.40s\", expected %d to %d numbers", name, text, least,
                       most);
    }
    return robot_ok(r) ? count : 0;
}

double robot_real(robot_reader* r, xml_element* at, const char* name, double absent)
{
    double x = absent;
    const char* text = xml_value(at, name);
    if (text)
        robot_numbers(r, at, name, text, &x, 1, 1);
    return x;
}

cairn_vec3 robot_vec(robot_reader* r, xml_element* at, const char* name, cairn_vec3 absent)
{
    double x[3] = {absent.x, absent.y, absent.z};
    const char* text = xml_value(at, name);
    if (text)
        robot_numbers(r, at, name, text, x, 3, 3);
    return cairn_vec(x[0], x[1], x[2]);
}

const char* robot_need(robot_reader* r, xml_element* at, const char* name)
{
    const char* text = xml_value(at, name);
    if (!text)
        robot_fail(r, at, "has no attribute '%s', which is needed", name);
    return text ? text : "";
}

const char* robot_print(robot_reader* r, const char* format, ...)
{
    char text[4096];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    length = length < 0 ? 0 : length;
    const char* copy =
        xml_copy(&r->robot->pool, text, (size_t)length < sizeof text ? (size_t)length : 4095);
    if (!copy)
        robot_starve(r);
    return copy ? copy : "";
}

// ---------------------------------------------------------------- lists

static void* grow(robot_reader* r, void** list, int* capacity, int* count, size_t size)
{
    if (!robot_ok(r))
        return NULL;
    if (!cairn_grow(list, capacity, *count + 1, size)) {
        robot_starve(r);
        return NULL;
    }
    return (char*)*list + (size_t)(*count)++ * size;
}

// names go into the scene; bounds keep reading in proportion to the file
static bool may_add(robot_reader* r, const xml_element* from, const char* name, int count, int most)
{
    if (strlen(name) > 70)
        robot_fail(r, from, "has a name of more than 70 bytes");
    if (count >= most)
        robot_fail(r, from, "is one too many, expected at most %d", most);
    return robot_ok(r);
}

robot_link* robot_add_link(robot_reader* r, xml_element* from, const char* name, int parent)
{
    if (!may_add(r, from, name, r->robot->link_count, most_links))
        return NULL;
    cairn_robot* robot = r->robot;
    robot_link* link =
        grow(r, (void**)&robot->links, &robot->link_capacity, &robot->link_count, sizeof *link);
    if (link)
        *link = (robot_link){.name = name,
                             .parent = parent,
                             .at = cairn_transform_identity(),
                             .body = -1,
                             .model = -1,
                             .first_joint = robot->joint_count,
                             .from = from};
    return link;
}

robot_joint* robot_add_joint(robot_reader* r, xml_element* from, const char* name, int link)
{
    if (!may_add(r, from, name, r->robot->joint_count, 3 * most_links))
        return NULL;
    cairn_robot* robot = r->robot;
    robot_joint* joint =
        grow(r, (void**)&robot->joints, &robot->joint_capacity, &robot->joint_count, sizeof *joint);
    if (joint)
        *joint = (robot_joint){.name = name,
                               .link = link,
                               .axis = {0.0, 0.0, 1.0},
                               .reduction = 1.0,
                               .model = -1,
                               .from = from};
    return joint;
}

robot_geom* robot_add_geom(robot_reader* r, int link)
{
    if (!may_add(r, r->robot->links[link].from, "", r->robot->geom_count, most_geoms))
        return NULL;
    cairn_robot* robot = r->robot;
    robot_geom* geom =
        grow(r, (void**)&robot->geoms, &robot->geom_capacity, &robot->geom_count, sizeof *geom);
    if (geom)
        *geom = (robot_geom){.link = link,
                             .at = cairn_transform_identity(),
                             .collides = true,
                             .type = 1,
                             .affinity = 1,
                             .mu = -1.0};
    return geom;
}

robot_tie* robot_add_tie(robot_reader* r, xml_element* from)
{
    if (!may_add(r, from, "", r->robot->tie_count, most_geoms))
        return NULL;
    cairn_robot* robot = r->robot;
    robot_tie* tie =
        grow(r, (void**)&robot->ties, &robot->tie_capacity, &robot->tie_count, sizeof *tie);
    if (tie)
        *tie = (robot_tie){.ratio = 1.0, .from = from};
    return tie;
}

void robot_add_sensor(robot_reader* r, const robot_sensor* sensor)
{
    cairn_robot* robot = r->robot;
    if (!may_add(r, sensor->from, sensor->name, robot->sensor_count, most_geoms))
        return;
    robot_sensor* added = grow(r, (void**)&robot->sensors, &robot->sensor_capacity,
                               &robot->sensor_count, sizeof *added);
    if (added)
        *added = *sensor;
}

int robot_find_link(const cairn_robot* robot, const char* name)
{
    for (int i = 0; i < robot->link_count; i++)
        if (strcmp(robot->links[i].name, name) == 0)
            return i;
    return -1;
}

int robot_find_joint(const cairn_robot* robot, const char* name)
{
    for (int i = 0; i < robot->joint_count; i++)
        if (strcmp(robot->joints[i].name, name) == 0)
            return i;
    return -1;
}

// ---------------------------------------------------------------- what was passed over

// one kind of thing that was ignored: an element, or an attribute of one
typedef struct ignored {
    const char *element, *attribute; // attribute: or ""
    int count, line;
} ignored;

typedef struct ignored_list {
    ignored* items;
    int count, capacity;
    bool starved;
} ignored_list;

static void note(ignored_list* list, const char* element, const char* attribute, int line)
{
    for (int i = 0; i < list->count; i++)
        if (strcmp(list->items[i].element, element) == 0 &&
            strcmp(list->items[i].attribute, attribute) == 0) {
            list->items[i].count++;
            return;
        }
    if (!cairn_grow((void**)&list->items, &list->capacity, list->count + 1, sizeof *list->items)) {
        list->starved = true;
        return;
    }
    list->items[list->count++] = (ignored){element, attribute, 1, line};
}

static void visit(robot_reader* r, ignored_list* list, const xml_element* element)
{
    if (!robot_ok(r))
        return;

    if (!element->taken) {
        if (r->def->strict)
            robot_fail(r, element, "is not read (strict)");
        note(list, element->name, "", element->line);
        return;
    }

    for (int i = 0; i < element->attribute_count; i++) {
        if (element->attributes[i].taken)
            continue;
        if (r->def->strict)
            robot_fail(r, element, "has the attribute '%.40s', which is not read (strict)",
                       element->attributes[i].name);
        note(list, element->name, element->attributes[i].name, element->line);
    }

    for (const xml_element* child = element->child; child; child = child->next)
        visit(r, list, child);
}

void robot_list_ignored(robot_reader* r)
{
    ignored_list list = {0};
    size_t size = 0;
    visit(r, &list, r->robot->root);

    // a scene has no rotors but those of hinges
    for (int i = 0; i < r->robot->joint_count; i++)
        if (r->robot->joints[i].armature > 0.0 &&
            r->robot->joints[i].mobility != CAIRN_MOBILITY_HINGE)
            note(&list, "joint", "armature", r->robot->joints[i].from->line);

    // <element attribute> xCOUNT (line N), the whole list on one line
    FILE* out = robot_ok(r) ? open_memstream(&r->robot->ignored, &size) : NULL;
    for (int i = 0; out && i < list.count; i++) {
        const ignored* item = &list.items[i];
        fprintf(out, "%s<%s%s%s>", i ? ", " : "", item->element, item->attribute[0] ? " " : "",
                item->attribute);
        if (item->count > 1)
            fprintf(out, " x%d", item->count);
        fprintf(out, " (line %d)", item->line);
    }

    free(list.items);
    if (robot_ok(r) && (!out || fclose(out) != 0 || list.starved))
        robot_starve(r);
}
