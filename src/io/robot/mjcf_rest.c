// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// What MJCF says beside bodies and actuators: keyframes, equality constraints, and pairs that
// collide or do not.

#include "io/robot/mjcf.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------- keyframes

static void read_numbers_of_key(robot_reader* r, xml_element* key, const char* name, int count,
                                double** numbers)
{
    const char* text = xml_value(key, name);
    if (!text)
        return;
    *numbers = xml_take(&r->robot->pool, (size_t)(count + 1) * sizeof **numbers);
    if (!*numbers)
        robot_starve(r);
    else
        robot_numbers(r, key, name, text, *numbers, count, count);
}

static void count_coordinates(const cairn_robot* robot, int* nq, int* nv)
{
    static const int q[] = {0, 1, 1, 4, 7}, v[] = {0, 1, 1, 3, 6};
    *nq = *nv = 0;
    for (int i = 0; i < robot->joint_count; i++) {
        *nq += q[robot->joints[i].mobility];
        *nv += v[robot->joints[i].mobility];
    }
}

double* mjcf_read_keys(mjcf* m, xml_element* root, int actuators)
{
    robot_reader* r = m->r;
    const char* wanted = r->def->keyframe;
    double* controls = NULL;
    int index = 0, nq, nv;

    count_coordinates(r->robot, &nq, &nv);
    for (xml_element* f = xml_child(root, "keyframe"); f; f = xml_same(f))
        for (xml_element* key = xml_child(f, "key"); key && robot_ok(r); key = xml_same(key)) {
            // a keyframe is known by its name or by its number
            const char* name = xml_value(key, "name");
            char number[16];
            snprintf(number, sizeof number, "%d", index++);
            if (!wanted || ((!name || strcmp(name, wanted) != 0) && strcmp(number, wanted) != 0)) {
                xml_take_all(key);
                continue;
            }

            r->robot->key = key;
            xml_value(key, "time");
            read_numbers_of_key(r, key, "qpos", nq, &r->robot->key_q);
            read_numbers_of_key(r, key, "qvel", nv, &r->robot->key_v);
            read_numbers_of_key(r, key, "ctrl", actuators, &controls);
        }

    if (robot_ok(r) && wanted && !r->robot->key)
        robot_fail(r, root, "has no keyframe '%.60s'", wanted);
    return controls;
}

// ---------------------------------------------------------------- ties

// a body of the file; the world when it is not named
static int read_end(robot_reader* r, xml_element* at, const char* name)
{
    const char* text = xml_value(at, name);
    int link = text ? robot_find_link(r->robot, text) : 0;
    if (link < 0)
        robot_fail(r, at, "names the body '%.60s', which is not there", text);
    return link;
}

static void read_coupling(robot_reader* r, xml_element* at)
{
    double poly[5] = {0.0, 1.0, 0.0, 0.0, 0.0};
    const char *first = xml_value(at, "joint1"), *second = xml_value(at, "joint2");
    const char* text = xml_value(at, "polycoef");
    if (text)
        robot_numbers(r, at, "polycoef", text, poly, 1, 5);

    int a = first ? robot_find_joint(r->robot, first) : -1;
    int b = second ? robot_find_joint(r->robot, second) : -1;
    if (robot_ok(r) && (a < 0 || (second && b < 0))) {
        robot_fail(r, at, "names a joint that is not there");
        return;
    }

    // q_a = poly₀ + poly₁ q_b; higher powers are no linear constraint, and listed as not read
    if (b < 0 || a == b || poly[2] != 0.0 || poly[3] != 0.0 || poly[4] != 0.0) {
        at->taken = false;
        return;
    }

    robot_tie* tie = robot_add_tie(r, at);
    if (!tie)
        return;
    tie->kind = ROBOT_COUPLE;
    tie->a = a;
    tie->b = b;
    tie->offset = poly[0];
    tie->ratio = poly[1];
}

static void read_equality(const mjcf* m, xml_element* at)
{
    robot_reader* r = m->r;
    const char* active = xml_value(at, "active");
    bool weld = strcmp(at->name, "weld") == 0, connect = strcmp(at->name, "connect") == 0;
    bool joint = strcmp(at->name, "joint") == 0;
    if (!weld && !connect && !joint)
        return;

    at->taken = true;
    xml_value(at, "name");
    xml_value(at, "class");

    // an equality that is off counts as read
    if (active && strcmp(active, "false") == 0) {
        xml_take_all(at);
        return;
    }

    if (joint) {
        read_coupling(r, at);
        return;
    }

    robot_need(r, at, "body1");
    int a = read_end(r, at, "body1"), b = read_end(r, at, "body2");
    cairn_vec3 anchor = robot_vec(r, at, "anchor", cairn_vec(0.0, 0.0, 0.0));

    if (robot_ok(r) && m->global && connect)
        robot_fail(r, at, "has an anchor in global coordinates, expected local ones");

    robot_tie* tie = robot_ok(r) ? robot_add_tie(r, at) : NULL;
    if (!tie)
        return;
    tie->kind = weld ? ROBOT_WELD : ROBOT_CONNECT;
    tie->a = a;
    tie->b = b;
    tie->anchor = anchor;
}

static void read_exclude(robot_reader* r, xml_element* at)
{
    xml_value(at, "name");
    robot_need(r, at, "body1");
    robot_need(r, at, "body2");
    int a = read_end(r, at, "body1"), b = read_end(r, at, "body2");
    robot_tie* tie = robot_ok(r) ? robot_add_tie(r, at) : NULL;
    if (!tie)
        return;
    tie->kind = ROBOT_EXCLUDE;
    tie->a = a;
    tie->b = b;
}

static int find_geom(robot_reader* r, xml_element* at, const char* key)
{
    const char* name = robot_need(r, at, key);
    for (int i = 0; i < r->robot->geom_count; i++)
        if (r->robot->geoms[i].name && strcmp(r->robot->geoms[i].name, name) == 0)
            return i;
    robot_fail(r, at, "names the geom '%.60s', which is not there", name);
    return -1;
}

// two geoms that collide; what the pair says of its friction is not read
static void read_pair(robot_reader* r, xml_element* at)
{
    xml_value(at, "name");
    xml_value(at, "class");
    int a = find_geom(r, at, "geom1"), b = find_geom(r, at, "geom2");
    robot_tie* tie = robot_ok(r) ? robot_add_tie(r, at) : NULL;
    if (!tie)
        return;
    tie->kind = ROBOT_PAIR;
    tie->a = a;
    tie->b = b;
    r->robot->geoms[a].collides = r->robot->geoms[b].collides = true;
}

void mjcf_read_rest(mjcf* m, xml_element* root)
{
    robot_reader* r = m->r;
    mjcf_read_actuators(m, root);
    mjcf_read_sensors(m, root);
    for (xml_element* e = xml_child(root, "equality"); e; e = xml_same(e))
        for (xml_element* c = e->child; c && robot_ok(r); c = c->next)
            read_equality(m, c);
    for (xml_element* e = xml_child(root, "contact"); e; e = xml_same(e))
        for (xml_element* c = xml_child(e, "exclude"); c && robot_ok(r); c = xml_same(c))
            read_exclude(r, c);
    for (xml_element* e = xml_child(root, "contact"); e; e = xml_same(e))
        for (xml_element* c = xml_child(e, "pair"); c && robot_ok(r); c = xml_same(c))
            read_pair(r, c);
}
