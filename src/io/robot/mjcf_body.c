// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Bodies of MJCF: depth first, each with its joints, its inertia or that of its geoms.

#include "io/robot/mjcf.h"
#include <string.h>

// ---------------------------------------------------------------- inertia

static void read_inertial(mjcf* m, xml_element* at, int link)
{
    robot_reader* r = m->r;
    cairn_transform x = mjcf_in_link(m, link, mjcf_pose(m, at, NULL));
    double I[6] = {0.0};
    const char *text = xml_value(at, "diaginertia"), *full = xml_value(at, "fullinertia");
    double mass = robot_real(r, at, "mass", 0.0);
    robot_need(r, at, "mass");

    if (full)
        robot_numbers(r, at, "fullinertia", full, I, 6, 6);
    else if (text)
        robot_numbers(r, at, "diaginertia", text, I, 3, 3);

    if (robot_ok(r) && mass < 0.0)
        robot_fail(r, at, "has a mass of %g kg, expected one of 0 or more", mass);

    cairn_mat3 tensor = {{I[0], I[3], I[4]}, {I[3], I[1], I[5]}, {I[4], I[5], I[2]}};
    cairn_mat3 R = cairn_quat_to_mat3(x.q);
    tensor = cairn_mat3_multiply(R, cairn_mat3_multiply(tensor, cairn_mat3_transpose(R)));

    if (robot_ok(r))
        robot_add_mass(&r->robot->links[link], mass, x.p, tensor);
}

// ---------------------------------------------------------------- joints

static cairn_mobility mobility_of(robot_reader* r, xml_element* at, const char* type)
{
    if (strcmp(type, "hinge") == 0)
        return CAIRN_MOBILITY_HINGE;
    if (strcmp(type, "slide") == 0)
        return CAIRN_MOBILITY_SLIDE;
    if (strcmp(type, "ball") == 0)
        return CAIRN_MOBILITY_BALL;
    if (strcmp(type, "free") != 0)
        robot_fail(r, at, "has type=\"%.20s\", expected hinge, slide, ball or free", type);
    return CAIRN_MOBILITY_FREE;
}

// what acts on one coordinate
static void read_drives(mjcf* m, xml_element* at, const char* inherited, robot_joint* joint)
{
    robot_reader* r = m->r;
    bool hinge = joint->mobility == CAIRN_MOBILITY_HINGE;
    double range[2] = {0.0, 0.0};
    const char* text = mjcf_text(m, at, inherited, "range");
    const char* limited = mjcf_text(m, at, inherited, "limited");

    // limits count when they are asked for, or when there is a range and the compiler says so
    if (text)
        robot_numbers(r, at, "range", text, range, 2, 2);
    bool by_range = !limited || strcmp(limited, "auto") == 0;
    joint->limited = by_range ? text && m->limits_by_range : strcmp(limited, "true") == 0;

    joint->ref = mjcf_real(m, at, inherited, "ref", 0.0);
    joint->rest = mjcf_real(m, at, inherited, "springref", 0.0);
    joint->stiffness = mjcf_real(m, at, inherited, "stiffness", 0.0);
    joint->damping = mjcf_real(m, at, inherited, "damping", 0.0);
    joint->friction = mjcf_real(m, at, inherited, "frictionloss", 0.0);
    joint->armature = mjcf_real(m, at, inherited, "armature", 0.0);

    // angles of the file may be degrees
    if (hinge) {
        range[0] = mjcf_angle(m, range[0]);
        range[1] = mjcf_angle(m, range[1]);
        joint->ref = mjcf_angle(m, joint->ref);
        joint->rest = mjcf_angle(m, joint->rest);
    }

    // coordinates of the scene begin at zero, those of the file at `ref`
    joint->lo = range[0] - joint->ref;
    joint->hi = range[1] - joint->ref;
    joint->rest -= joint->ref;

    if (robot_ok(r) && joint->limited && !(joint->lo <= joint->hi))
        robot_fail(r, at, "has the range %g to %g, expected the lower limit first", joint->lo,
                   joint->hi);
    if (robot_ok(r) && !(joint->stiffness >= 0.0 && joint->damping >= 0.0 &&
                         joint->friction >= 0.0 && joint->armature >= 0.0))
        robot_fail(r, at, "has a stiffness, damping, frictionloss or armature below 0");
}

static void read_joint(mjcf* m, xml_element* at, const char* inherited, int link)
{
    robot_reader* r = m->r;
    robot_link* of = &r->robot->links[link];
    const char* name = xml_value(at, "name");
    const char* type =
        strcmp(at->name, "freejoint") == 0 ? "free" : mjcf_text(m, at, inherited, "type");

    xml_value(at, "class");
    xml_value(at, "group");

    if (!name)
        name = robot_print(r, "%.50s.joint%d", of->name, of->joint_count);
    robot_joint* joint = robot_add_joint(r, at, name, link);
    if (!joint)
        return;

    joint->mobility = mobility_of(r, at, type ? type : "hinge");
    if (joint->mobility == CAIRN_MOBILITY_FREE && of->parent > 0)
        robot_fail(r, at, "is free below another body, expected one of a body of the world");

    if (joint->mobility != CAIRN_MOBILITY_FREE) {
        cairn_vec3 axis = mjcf_vec(m, at, inherited, "axis", cairn_vec(0.0, 0.0, 1.0));
        cairn_transform place = cairn_transform_identity();
        place.p = mjcf_vec(m, at, inherited, "pos", place.p);
        place = mjcf_in_link(m, link, place);
        joint->anchor = place.p;
        joint->axis = cairn_rotate(place.q, axis);
        if (robot_ok(r) && !(cairn_norm(joint->axis) > 1e-9))
            robot_fail(r, at, "has an axis without direction");
        joint->axis = cairn_normalize(joint->axis);
    }

    // only hinges and slides have limits, springs and friction
    if (joint->mobility == CAIRN_MOBILITY_HINGE || joint->mobility == CAIRN_MOBILITY_SLIDE)
        read_drives(m, at, inherited, joint);
    else if (strcmp(at->name, "freejoint") != 0)
        joint->armature = fmax(0.0, mjcf_real(m, at, inherited, "armature", 0.0));

    r->robot->links[link].joint_count++;
}

// ---------------------------------------------------------------- bodies

// sites, lights and cameras change nothing that moves
static void take_visuals(xml_element* body)
{
    static const char* const names[] = {"site", "light", "camera"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        for (xml_element* e = xml_child(body, names[i]); e; e = xml_same(e))
            xml_take_all(e);
}

static void read_body(mjcf* m, xml_element* at, const char* inherited, int parent)
{
    robot_reader* r = m->r;
    const char* name = xml_value(at, "name");
    const char* class = xml_value(at, "childclass");
    xml_value(at, "mocap"); // it stands still unless a program moves it

    if (class)
        inherited = class;
    m->bodies++;

    if (!name)
        name = robot_print(r, "body%d", m->bodies);

    if (!robot_add_link(r, at, name, parent))
        return;
    int link = r->robot->link_count - 1;
    if (robot_find_link(r->robot, name) != link)
        robot_fail(r, at, "has the name '%.60s', which another body has", name);

    // a body without a place among global coordinates may have any frame: that of the one around it
    robot_link* added = &r->robot->links[link];
    added->at = mjcf_in_link(m, parent, mjcf_pose(m, at, NULL));
    if (m->global && !xml_value(at, "pos"))
        added->at.p = cairn_vec(0.0, 0.0, 0.0);

    // joints, in the order of the file, before those of its children
    for (xml_element* e = at->child; e && robot_ok(r); e = e->next)
        if (strcmp(e->name, "joint") == 0 || strcmp(e->name, "freejoint") == 0) {
            e->taken = true;
            read_joint(m, e, inherited, link);
        }

    // a mass of its own, or that of its shapes
    xml_element* inertial = xml_child(at, "inertial");
    bool own = inertial && !m->masses_of_geoms;
    if (inertial && own)
        read_inertial(m, inertial, link);
    else if (inertial)
        xml_take_all(inertial);

    for (xml_element* e = xml_child(at, "geom"); e && robot_ok(r); e = xml_same(e))
        mjcf_read_geom(m, e, inherited, link, !own);
    take_visuals(at);

    for (xml_element* e = xml_child(at, "body"); e && robot_ok(r); e = xml_same(e))
        read_body(m, e, inherited, link);
}

void mjcf_read_world(mjcf* m, xml_element* world)
{
    robot_reader* r = m->r;
    const char* inherited = xml_value(world, "childclass");
    for (xml_element* e = xml_child(world, "geom"); e && robot_ok(r); e = xml_same(e))
        mjcf_read_geom(m, e, inherited, 0, false);
    take_visuals(world);
    for (xml_element* e = xml_child(world, "body"); e && robot_ok(r); e = xml_same(e))
        read_body(m, e, inherited, 0);
}
