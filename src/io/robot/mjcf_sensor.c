// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Sensors of MJCF. They stand at sites, which are frames on bodies: accelerometers and gyros become
// instruments of one kind, and so do forces and torques, which are those of the joints of the
// site's body.

#include "io/robot/mjcf.h"
#include <string.h>

// the site of a name below a body, and the class of defaults that it inherits
static xml_element* find_site(xml_element* at, const char* name, const char** inherited)
{
    const char* class = xml_value(at, "childclass");
    const char* outer = *inherited;
    *inherited = class ? class : outer;

    for (xml_element* e = xml_child(at, "site"); e; e = xml_same(e)) {
        const char* own = xml_value(e, "name");
        if (own && strcmp(own, name) == 0)
            return e;
    }

    for (xml_element* e = xml_child(at, "body"); e; e = xml_same(e)) {
        xml_element* found = find_site(e, name, inherited);
        if (found)
            return found;
    }

    *inherited = outer;
    return NULL;
}

static int link_of(const cairn_robot* robot, const xml_element* body)
{
    for (int i = 0; i < robot->link_count; i++)
        if (robot->links[i].from == body)
            return i;
    return -1;
}

// where a touch counts: the shape of the site, a ball of 5 mm unless it says otherwise
static void read_zone(mjcf* m, xml_element* site, const char* inherited, robot_geom* zone)
{
    double size[3] = {0.005, 0.005, 0.005};
    const char* type = mjcf_text(m, site, inherited, "type");
    const char* text = mjcf_text(m, site, inherited, "size");

    if (text)
        robot_numbers(m->r, site, "size", text, size, 1, 3);

    zone->kind = CAIRN_SHAPE_SPHERE;
    if (type && strcmp(type, "box") == 0)
        zone->kind = CAIRN_SHAPE_BOX;
    else if (type && strcmp(type, "capsule") == 0)
        zone->kind = CAIRN_SHAPE_CAPSULE;
    else if (type && strcmp(type, "cylinder") == 0)
        zone->kind = CAIRN_SHAPE_CYLINDER;
    else if (type && strcmp(type, "ellipsoid") == 0)
        zone->kind = CAIRN_SHAPE_ELLIPSOID;

    zone->radius = size[0];
    zone->half_height = size[1];
    zone->half = cairn_vec(size[0], size[1], size[2]);
}

// a sensor at a site; false when this cannot be read
static bool read_at_site(mjcf* m, xml_element* at, robot_sensor* s)
{
    robot_reader* r = m->r;
    const char *name = robot_need(r, at, "site"), *inherited = NULL;
    xml_element* site = NULL;
    for (xml_element* w = xml_child(r->robot->root, "worldbody"); w && !site; w = xml_same(w))
        site = find_site(w, name, &inherited);
    if (!site) {
        robot_fail(r, at, "names the site '%.60s', which is not there", name);
        return false;
    }
    s->link = link_of(r->robot, site->parent);
    s->at = mjcf_in_link(m, s->link, mjcf_pose(m, site, inherited));
    if (strcmp(s->kind, "touch") == 0)
        read_zone(m, site, inherited, &s->zone);
    s->length = robot_real(r, at, "cutoff", 0.0);

    // the world does not move, and what is fixed to a link has no joint of its own
    const robot_link* link = s->link >= 0 ? &r->robot->links[s->link] : NULL;
    return robot_ok(r) && link && (strcmp(s->kind, "force_torque") != 0 || link->joint_count > 0);
}

static const char* kind_of(const char* name)
{
    static const char* const pairs[][2] = {{"jointpos", "joint"},     {"jointvel", "joint"},
                                           {"accelerometer", "imu"},  {"gyro", "imu"},
                                           {"force", "force_torque"}, {"torque", "force_torque"},
                                           {"touch", "touch"},        {"rangefinder", "range"}};
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++)
        if (strcmp(name, pairs[i][0]) == 0)
            return pairs[i][1];
    return NULL;
}

static void read_sensor(mjcf* m, xml_element* at, int index)
{
    robot_reader* r = m->r;
    robot_sensor s = {.kind = kind_of(at->name), .link = -1, .joint = -1, .from = at};
    const char* name = xml_value(at, "name");
    s.name = name ? name : robot_print(r, "%.40s%d", at->name, index);

    if (!s.kind)
        return;

    if (strcmp(s.kind, "joint") == 0) {
        const char* joint = robot_need(r, at, "joint");
        s.joint = robot_find_joint(r->robot, joint);
        if (s.joint < 0)
            robot_fail(r, at, "names the joint '%.60s', which is not there", joint);
        at->taken = robot_ok(r);
    } else {
        at->taken = read_at_site(m, at, &s);
    }

    if (at->taken)
        robot_add_sensor(r, &s);
}

void mjcf_read_sensors(mjcf* m, xml_element* root)
{
    int index = 0;
    for (xml_element* list = xml_child(root, "sensor"); list; list = xml_same(list))
        for (xml_element* e = list->child; e && robot_ok(m->r); e = e->next)
            read_sensor(m, e, index++);
}
