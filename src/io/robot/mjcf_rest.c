// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// What MJCF says beside bodies: actuators that act on joints, equality constraints, pairs that do not
// collide, and keyframes. The force of an actuator is affine,
//
//     f = g u + b0 + b1 l + b2 l̇,     l = gear q
//
// so that at a fixed control u it is a spring of stiffness -b1 gear² and damping -b2 gear².

#include "io/robot/mjcf.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------- actuators

// gain and bias of an actuator by its kind; false for kinds that are not read
static bool read_gains(mjcf* m, xml_element* at, double* gain, double* bias)
{
    robot_reader* r = m->r;
    const char* text;
    if (strcmp(at->name, "motor") == 0)
        return true;
    if (strcmp(at->name, "position") == 0) {
        *gain = mjcf_real(m, at, NULL, "kp", 1.0);
        bias[1] = -*gain;
        bias[2] = -mjcf_real(m, at, NULL, "kv", 0.0);
        return true;
    }
    if (strcmp(at->name, "velocity") == 0) {
        *gain = mjcf_real(m, at, NULL, "kv", 1.0);
        bias[2] = -*gain;
        return true;
    }
    const char* gaintype = mjcf_text(m, at, NULL, "gaintype");
    const char* biastype = mjcf_text(m, at, NULL, "biastype");
    if (strcmp(at->name, "general") != 0 || (gaintype && strcmp(gaintype, "fixed") != 0))
        return false;
    if ((text = mjcf_text(m, at, NULL, "gainprm")) != NULL)
        robot_numbers(r, at, "gainprm", text, gain, 1, 1);
    text = mjcf_text(m, at, NULL, "biasprm");
    if (text && biastype && strcmp(biastype, "affine") == 0)
        robot_numbers(r, at, "biasprm", text, bias, 1, 3);
    return !biastype || strcmp(biastype, "affine") == 0 || strcmp(biastype, "none") == 0;
}

static void read_actuator(mjcf* m, xml_element* at, double control)
{
    static const char* const harmless[] = {"name",        "class", "ctrlrange",
                                           "ctrllimited", "group", "forcelimited"};
    robot_reader* r = m->r;
    double gear[6] = {1.0}, gain = 1.0, bias[3] = {0.0}, force[2] = {0.0};
    const char* name = xml_value(at, "joint");
    const char* text = mjcf_text(m, at, NULL, "gear");
    if (text)
        robot_numbers(r, at, "gear", text, gear, 1, 6);
    int index = name ? robot_find_joint(r->robot, name) : -1;
    if (name && index < 0)
        robot_fail(r, at, "acts on the joint '%.60s', which is not there", name);
    bool read = robot_ok(r) && index >= 0 && read_gains(m, at, &gain, bias);
    at->taken = read;
    if (!read) {
        if (r->def->strict)
            robot_fail(r, at, "is not read (strict)");
        return;
    }
    for (size_t i = 0; i < sizeof harmless / sizeof harmless[0]; i++)
        xml_value(at, harmless[i]);
    if ((text = mjcf_text(m, at, NULL, "forcerange")) != NULL)
        robot_numbers(r, at, "forcerange", text, force, 2, 2);

    // its spring beside those of other actuators
    robot_joint* joint = &r->robot->joints[index];
    if (joint->mobility != CAIRN_MOBILITY_HINGE && joint->mobility != CAIRN_MOBILITY_SLIDE) {
        at->taken = false;
        return;
    }
    double k = -bias[1] * gear[0] * gear[0], d = -bias[2] * gear[0] * gear[0];
    double pull = gear[0] * (gain * control + bias[0]);
    joint->effort = fmax(joint->effort, fabs(gear[0]) * fmax(fabs(force[0]), fabs(force[1])));
    if (!(k >= 0.0 && d >= 0.0)) {
        robot_fail(r, at, "pushes along with the motion (stiffness %g, damping %g)", k, d);
        return;
    }
    double sum = joint->servo_stiffness + k;
    if (sum > 0.0)
        joint->servo_target = (joint->servo_stiffness * joint->servo_target +
                               (k > 0.0 ? pull - k * joint->ref : 0.0)) /
                              sum;
    joint->servo_stiffness = sum;
    joint->servo_damping += d;
}

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

// the controls of the keyframe that was asked for, one for each actuator; or NULL
static double* read_keys(mjcf* m, xml_element* root, int actuators)
{
    robot_reader* r = m->r;
    const char* wanted = r->def->keyframe;
    double* controls = NULL;
    int index = 0, nq, nv;
    count_coordinates(r->robot, &nq, &nv);
    for (xml_element* f = xml_child(root, "keyframe"); f; f = xml_same(f))
        for (xml_element* key = xml_child(f, "key"); key && robot_ok(r); key = xml_same(key)) {
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

static void read_actuators(mjcf* m, xml_element* root)
{
    int count = 0, index = 0;
    for (xml_element* a = xml_child(root, "actuator"); a; a = xml_same(a))
        for (xml_element* e = a->child; e; e = e->next)
            count++;
    const double* controls = read_keys(m, root, count);
    for (xml_element* a = xml_child(root, "actuator"); a; a = xml_same(a))
        for (xml_element* e = a->child; e && robot_ok(m->r); e = e->next, index++)
            read_actuator(m, e, controls ? controls[index] : 0.0);
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

static void read_equality(robot_reader* r, xml_element* at)
{
    const char* active = xml_value(at, "active");
    bool weld = strcmp(at->name, "weld") == 0, connect = strcmp(at->name, "connect") == 0;
    bool joint = strcmp(at->name, "joint") == 0;
    if (!weld && !connect && !joint)
        return;
    at->taken = true;
    xml_value(at, "name");
    xml_value(at, "class");
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

void mjcf_read_rest(mjcf* m, xml_element* root)
{
    robot_reader* r = m->r;
    read_actuators(m, root);
    for (xml_element* e = xml_child(root, "equality"); e; e = xml_same(e))
        for (xml_element* c = e->child; c && robot_ok(r); c = c->next)
            read_equality(r, c);
    for (xml_element* e = xml_child(root, "contact"); e; e = xml_same(e))
        for (xml_element* c = xml_child(e, "exclude"); c && robot_ok(r); c = xml_same(c))
            read_exclude(r, c);
}
