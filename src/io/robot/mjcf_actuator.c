// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Actuators of MJCF, which act on joints or on fixed tendons. A fixed tendon has the length
// l = Σ c_j q_j, and its force f acts on each joint by c_j f. The force of an actuator is affine,
//
//     f = g u + b0 + b1 l + b2 l̇,     l = gear q,
//
// so that at a fixed control u it is a spring of stiffness -b1 gear² and damping -b2 gear², or,
// without b1, a constant force. Springs of tendons of several joints would couple these and are not
// read.

#include "io/robot/mjcf.h"
#include <string.h>

enum { most_of_tendon = 64 };

/// The joints that something acts on, with their factors.
typedef struct transmission {
    int count;
    int joints[most_of_tendon];
    double factors[most_of_tendon];
} transmission;

static bool has_one_coordinate(const robot_joint* joint)
{
    return joint->mobility == CAIRN_MOBILITY_HINGE || joint->mobility == CAIRN_MOBILITY_SLIDE;
}

// whether a range applies: by its flag, or by its presence where the compiler says so
static bool is_limited(mjcf* m, xml_element* at, const char* flag, const char* range, double* out)
{
    const char* text = mjcf_text(m, at, NULL, range);
    const char* limited = mjcf_text(m, at, NULL, flag);
    if (text)
        robot_numbers(m->r, at, range, text, out, 2, 2);
    bool by_range = !limited || strcmp(limited, "auto") == 0;
    return text && (by_range ? m->limits_by_range : strcmp(limited, "true") == 0);
}

// ---------------------------------------------------------------- tendons

// the joints of a fixed tendon; false when it is none, or has a joint of several coordinates
static bool read_joints(mjcf* m, xml_element* at, transmission* t)
{
    robot_reader* r = m->r;
    t->count = 0;
    for (xml_element* e = xml_child(at, "joint"); e && robot_ok(r); e = xml_same(e)) {
        const char* name = robot_need(r, e, "joint");
        int index = robot_find_joint(r->robot, name);
        double factor = robot_real(r, e, "coef", 1.0);

        if (index < 0)
            robot_fail(r, e, "names the joint '%.60s', which is not there", name);
        else if (t->count == most_of_tendon)
            robot_fail(r, e, "is one too many, expected at most %d", most_of_tendon);

        if (!robot_ok(r) || !has_one_coordinate(&r->robot->joints[index]))
            return false;

        t->joints[t->count] = index;
        t->factors[t->count++] = factor;
    }

    return robot_ok(r) && t->count > 0;
}

static xml_element* find_tendon(xml_element* root, const char* name)
{
    for (xml_element* list = xml_child(root, "tendon"); list; list = xml_same(list))
        for (xml_element* e = xml_child(list, "fixed"); e; e = xml_same(e)) {
            const char* own = xml_value(e, "name");
            if (own && strcmp(own, name) == 0)
                return e;
        }
    return NULL;
}

// spring, damper and limits of a tendon of one joint are those of the joint, with l = c (q + ref)
static void read_tendon_of_one(mjcf* m, xml_element* at, const transmission* t)
{
    robot_joint* joint = &m->r->robot->joints[t->joints[0]];
    double c = t->factors[0], range[2] = {0.0, 0.0};
    double k = c * c * fmax(0.0, mjcf_real(m, at, NULL, "stiffness", 0.0));
    double length = mjcf_real(m, at, NULL, "springlength", -1.0);

    if (c == 0.0)
        return;

    // two springs in parallel are one: stiffnesses add, and the rest is their weighted mean
    double rest = length >= 0.0 ? length / c - joint->ref : joint->rest;
    if (k > 0.0)
        joint->rest = (joint->stiffness * joint->rest + k * rest) / (joint->stiffness + k);
    joint->stiffness += k;

    joint->damping += c * c * fmax(0.0, mjcf_real(m, at, NULL, "damping", 0.0));
    joint->friction += fabs(c) * fmax(0.0, mjcf_real(m, at, NULL, "frictionloss", 0.0));
    if (!is_limited(m, at, "limited", "range", range))
        return;

    // the range becomes one of q, within that of the joint
    double a = range[0] / c - joint->ref, b = range[1] / c - joint->ref;
    double lo = fmin(a, b), hi = fmax(a, b);
    joint->lo = joint->limited ? fmax(joint->lo, lo) : lo;
    joint->hi = joint->limited ? fmin(joint->hi, hi) : hi;
    joint->limited = true;

    if (robot_ok(m->r) && !(joint->lo <= joint->hi))
        robot_fail(m->r, at, "has a range that '%.60s' cannot reach", joint->name);
}

static void read_tendon(mjcf* m, xml_element* at)
{
    static const char* const harmless[] = {"name", "class", "group", "width", "rgba", "material"};
    transmission t;
    if (strcmp(at->name, "fixed") != 0)
        return;
    at->taken = read_joints(m, at, &t);
    for (size_t i = 0; i < sizeof harmless / sizeof harmless[0]; i++)
        xml_value(at, harmless[i]);
    if (at->taken && t.count == 1)
        read_tendon_of_one(m, at, &t);
    else if (at->taken && mjcf_real(m, at, NULL, "stiffness", 0.0) == 0.0 &&
             mjcf_real(m, at, NULL, "damping", 0.0) == 0.0)
        xml_value(at, "springlength");

    // a spring between several joints
    else if (at->taken)
        at->taken = false;
}

// ---------------------------------------------------------------- actuators

// gain and bias of an actuator by its kind; false for kinds that are not read
static bool read_gains(mjcf* m, xml_element* at, double* gain, double* bias)
{
    robot_reader* r = m->r;
    const char* text;

    // f = gain · u + bias₀ + bias₁ l + bias₂ l̇
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

    if (strcmp(at->name, "damper") == 0) {
        bias[2] = 0.0; // f = -kv u l̇
        *gain = -mjcf_real(m, at, NULL, "kv", 1.0);
        return true;
    }

    // the general form, as far as it is affine and without states of its own
    const char* gaintype = mjcf_text(m, at, NULL, "gaintype");
    const char* biastype = mjcf_text(m, at, NULL, "biastype");
    const char* dynamics = mjcf_text(m, at, NULL, "dyntype");
    if (strcmp(at->name, "general") != 0 || (gaintype && strcmp(gaintype, "fixed") != 0) ||
        (dynamics && strcmp(dynamics, "none") != 0))
        return false;

    double gains[10] = {1.0}, biases[10] = {0.0};
    if ((text = mjcf_text(m, at, NULL, "gainprm")) != NULL)
        robot_numbers(r, at, "gainprm", text, gains, 1, 10);
    text = mjcf_text(m, at, NULL, "biasprm");
    if (text && biastype && strcmp(biastype, "affine") == 0)
        robot_numbers(r, at, "biasprm", text, biases, 1, 10);

    *gain = gains[0];
    memcpy(bias, biases, 3 * sizeof *bias);
    return !biastype || strcmp(biastype, "affine") == 0 || strcmp(biastype, "none") == 0;
}

// what an actuator acts on; false when that is not read
static bool read_transmission(mjcf* m, xml_element* at, transmission* t)
{
    robot_reader* r = m->r;
    const char *joint = xml_value(at, "joint"), *tendon = xml_value(at, "tendon");
    if (!joint)
        joint = xml_value(at, "jointinparent");

    if (tendon) {
        xml_element* found = find_tendon(r->robot->root, tendon);
        return found && read_joints(m, found, t);
    }

    if (!joint)
        return false;
    *t =
        (transmission){.count = 1, .joints = {robot_find_joint(r->robot, joint)}, .factors = {1.0}};

    if (t->joints[0] < 0)
        robot_fail(r, at, "acts on the joint '%.60s', which is not there", joint);
    return robot_ok(r) && has_one_coordinate(&r->robot->joints[t->joints[0]]);
}

/// The force of an actuator on l at its control: push - k l - d l̇, within ± strength (0: no
/// bound).
typedef struct affine {
    double push, k, d, strength;
} affine;

// adds the spring of an actuator to those of others; a bounded one is a servo of its own
static void act_on(robot_joint* joint, const affine* f, double factor)
{
    double k = f->k * factor * factor, d = f->d * factor * factor;
    double push = factor * f->push - k * joint->ref, sum = joint->servo_stiffness + k;
    if (k == 0.0) {
        joint->push += push;
        joint->servo_damping += d;
        return;
    }
    joint->servo_strength = joint->servo_stiffness > 0.0 ? 0.0 : fabs(factor) * f->strength;
    joint->servo_target = (joint->servo_stiffness * joint->servo_target + push) / sum;
    joint->servo_stiffness = sum;
    joint->servo_damping += d;
}

// the force at a control, or false when the actuator cannot be read
static bool read_force(mjcf* m, xml_element* at, double control, affine* f)
{
    double gain = 1.0, bias[3] = {0.0}, range[2] = {0.0}, force[2] = {0.0};
    if (!read_gains(m, at, &gain, bias))
        return false;

    if (is_limited(m, at, "ctrllimited", "ctrlrange", range))
        control = fmin(fmax(control, range[0]), range[1]);
    bool bounded = is_limited(m, at, "forcelimited", "forcerange", force);

    if (strcmp(at->name, "damper") == 0)
        *f = (affine){.d = -gain * control};
    else
        *f = (affine){.push = gain * control + bias[0], .k = -bias[1], .d = -bias[2]};

    if (bounded && f->k == 0.0)
        f->push = fmin(fmax(f->push, force[0]), force[1]);
    if (bounded)
        f->strength = fmax(fabs(force[0]), fabs(force[1]));
    return true;
}

static void read_actuator(mjcf* m, xml_element* at, double control)
{
    static const char* const harmless[] = {"name", "class", "group"};
    robot_reader* r = m->r;
    transmission t;
    affine f;
    double gear[6] = {1.0};
    const char* text = mjcf_text(m, at, NULL, "gear");
    if (text)
        robot_numbers(r, at, "gear", text, gear, 1, 6);

    // a spring or damper over several joints would couple them, which no servo of a scene can
    at->taken = robot_ok(r) && read_transmission(m, at, &t) && read_force(m, at, control, &f) &&
                (t.count == 1 || (f.k == 0.0 && f.d == 0.0));

    if (!at->taken) {
        if (r->def->strict)
            robot_fail(r, at, "is not read (strict)");
        return;
    }

    for (size_t i = 0; i < sizeof harmless / sizeof harmless[0]; i++)
        xml_value(at, harmless[i]);

    // a negative spring or damper would feed energy
    if (!(f.k >= 0.0 && f.d >= 0.0)) {
        robot_fail(r, at, "pushes along with the motion (stiffness %g, damping %g)", f.k, f.d);
        return;
    }

    for (int i = 0; i < t.count; i++) {
        robot_joint* joint = &r->robot->joints[t.joints[i]];
        double factor = gear[0] * t.factors[i];
        joint->effort = fmax(joint->effort, fabs(factor) * f.strength);

        // a bound applies to a single servo only: otherwise it is listed as not read
        bool bound = f.k > 0.0 ? joint->servo_stiffness == 0.0 : f.d == 0.0;
        for (int a = 0; a < at->attribute_count && f.strength > 0.0 && !bound; a++)
            if (strcmp(at->attributes[a].name, "forcerange") == 0)
                at->attributes[a].taken = false;
        act_on(joint, &f, factor);
    }
}

void mjcf_read_actuators(mjcf* m, xml_element* root)
{
    int count = 0, index = 0;
    for (xml_element* list = xml_child(root, "tendon"); list; list = xml_same(list))
        for (xml_element* e = list->child; e && robot_ok(m->r); e = e->next)
            read_tendon(m, e);
    for (xml_element* a = xml_child(root, "actuator"); a; a = xml_same(a))
        for (xml_element* e = a->child; e; e = e->next)
            count++;
    const double* controls = mjcf_read_keys(m, root, count);
    for (xml_element* a = xml_child(root, "actuator"); a; a = xml_same(a))
        for (xml_element* e = a->child; e && robot_ok(m->r); e = e->next, index++)
            read_actuator(m, e, controls ? controls[index] : 0.0);
}
