// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// MJCF, the format of MuJoCo: included files, settings of the compiler, classes of defaults,
// options; then bodies and the rest, each in a file of its own.

#include "io/robot/mjcf.h"
#include "io/file.h"
#include <stdlib.h>
#include <string.h>

enum { most_files = 100, most_nested = 16 };

// ---------------------------------------------------------------- included files

static xml_element* read_included(robot_reader* r, xml_element* at)
{
    const char* path = robot_path(r, at, robot_need(r, at, "file"), "");
    cairn_error error = {""};
    cairn_bytes bytes;
    xml_element* root = NULL;
    if (!robot_ok(r))
        return NULL;
    cairn_status status = cairn_file_read(&bytes, path, &cairn_file_text, &error);
    if (status == CAIRN_OK) {
        status = xml_parse(&r->robot->pool, bytes.data, bytes.size, path, &root, &error);
        free(bytes.data);
    }
    if (status != CAIRN_OK)
        robot_blame(r, at, status, &error);
    return status == CAIRN_OK ? root : NULL;
}

// puts what is in included files in place of <include>
static void include_all(robot_reader* r, xml_element* element, int depth)
{
    for (xml_element* child = element->child; child && robot_ok(r); child = child->next) {
        if (strcmp(child->name, "include") != 0) {
            include_all(r, child, depth);
            continue;
        }

        child->taken = true;
        if (depth >= most_nested || ++r->files > most_files) {
            robot_fail(r, child, "is nested more than %d deep, or one of more than %d", most_nested,
                       most_files);
            return;
        }

        xml_element* root = read_included(r, child);
        if (!root)
            return;
        include_all(r, root, depth + 1);

        // its children take the place of the element
        if (!root->child)
            continue;
        for (xml_element* c = root->child; c; c = c->next)
            c->parent = element;
        root->last->next = child->next;
        child->next = root->child;
        if (element->last == child)
            element->last = root->last;
        child = root->last;
    }
}

// ---------------------------------------------------------------- classes of defaults

static xml_element* find_class(xml_element* at, const char* name)
{
    for (xml_element* d = xml_child(at, "default"); d; d = xml_same(d)) {
        const char* own = xml_value(d, "class");
        if (own ? strcmp(own, name) == 0 : strcmp(name, "main") == 0)
            return d;
        xml_element* inner = find_class(d, name);
        if (inner)
            return inner;
    }
    return NULL;
}

// the attribute in a class, or in the classes around it
static const char* default_text(xml_element* class, const char* tag, const char* name)
{
    for (xml_element* d = class; d && strcmp(d->name, "default") == 0; d = d->parent)
        for (xml_element* c = xml_child(d, tag); c; c = xml_same(c)) {
            const char* text = xml_value(c, name);
            if (text)
                return text;
        }
    return NULL;
}

const char* mjcf_text(mjcf* m, xml_element* at, const char* inherited, const char* name)
{
    const char* text = xml_value(at, name);
    if (text)
        return text;
    xml_element* root = m->r->robot->root;
    const char* own = xml_value(at, "class");
    const char* class = own ? own : inherited;
    xml_element* found = class ? find_class(root, class) : NULL;
    if (class && !found)
        robot_fail(m->r, at, "is of the class '%.60s', which is not there", class);
    const char* tag = strcmp(at->name, "freejoint") == 0 ? "joint" : at->name;
    text = found ? default_text(found, tag, name) : NULL;

    // the classes without a name, of which there may be several
    for (xml_element* d = xml_child(root, "default"); d && !text; d = xml_same(d))
        text = default_text(d, tag, name);
    return text;
}

double mjcf_real(mjcf* m, xml_element* at, const char* inherited, const char* name, double absent)
{
    const char* text = mjcf_text(m, at, inherited, name);
    double x = absent;
    if (text)
        robot_numbers(m->r, at, name, text, &x, 1, 1);
    return x;
}

cairn_vec3 mjcf_vec(mjcf* m, xml_element* at, const char* inherited, const char* name,
                    cairn_vec3 absent)
{
    const char* text = mjcf_text(m, at, inherited, name);
    double x[3] = {absent.x, absent.y, absent.z};
    if (text)
        robot_numbers(m->r, at, name, text, x, 3, 3);
    return cairn_vec(x[0], x[1], x[2]);
}

// marks as read what defaults say of elements that are read, even if no element uses it
static void take_defaults(xml_element* d)
{
    static const char* const tags[] = {"geom",     "joint",    "mesh",    "motor",
                                       "position", "velocity", "general", "site",
                                       "material", "camera",   "light",   "equality"};
    static const char* const known[] = {
        "type",        "size",      "pos",         "quat",       "axisangle",    "xyaxes",
        "zaxis",       "euler",     "fromto",      "mass",       "density",      "contype",
        "conaffinity", "condim",    "friction",    "mesh",       "axis",         "range",
        "limited",     "damping",   "stiffness",   "springref",  "frictionloss", "armature",
        "ref",         "rgba",      "material",    "group",      "gear",         "kp",
        "kv",          "ctrlrange", "ctrllimited", "forcerange", "forcelimited", "gainprm",
        "biasprm",     "gaintype",  "biastype",    "scale",      "class"};

    d->taken = true;
    xml_value(d, "class");

    for (xml_element* c = d->child; c; c = c->next) {
        if (strcmp(c->name, "default") == 0)
            take_defaults(c);

        // what only a viewer needs is of no interest to the dynamics
        bool eye = strcmp(c->name, "site") == 0 || strcmp(c->name, "material") == 0 ||
                   strcmp(c->name, "camera") == 0 || strcmp(c->name, "light") == 0;
        if (eye)
            xml_take_all(c);

        // the elements and attributes that are read
        for (size_t i = 0; i < sizeof tags / sizeof tags[0]; i++)
            c->taken = c->taken || strcmp(c->name, tags[i]) == 0;
        for (size_t i = 0; c->taken && i < sizeof known / sizeof known[0]; i++)
            xml_value(c, known[i]);
    }
}

// ---------------------------------------------------------------- frames

double mjcf_angle(const mjcf* m, double x)
{
    return m->radians ? x : x * 0.017453292519943295;
}

// the shortest turn from z to the axis
static cairn_quat turn_to(cairn_vec3 axis)
{
    cairn_vec3 z = cairn_normalize(axis);
    if (z.z < -1.0 + 1e-12)
        return (cairn_quat){0.0, 1.0, 0.0, 0.0};
    return cairn_quat_normalize((cairn_quat){1.0 + z.z, -z.y, z.x, 0.0});
}

// the frame whose x axis is the first vector and whose y axis lies in the plane of both
static cairn_quat frame_of(cairn_vec3 x, cairn_vec3 y)
{
    x = cairn_normalize(x);
    cairn_vec3 z = cairn_normalize(cairn_cross(x, y));
    y = cairn_cross(z, x);

    // first z, then x about it
    cairn_quat first = turn_to(z);
    cairn_vec3 seen = cairn_rotate_back(first, x);
    double angle = cairn_atan2(seen.y, seen.x);
    return cairn_quat_multiply(first, cairn_quat_from_rotation_vector(cairn_vec(0.0, 0.0, angle)));
}

// lower case: intrinsic rotations about moving axes; upper case: extrinsic about fixed axes
static cairn_quat euler_turn(const mjcf* m, const double* angles)
{
    cairn_quat q = cairn_quat_identity();
    for (int i = 0; i < 3; i++) {
        char letter = m->turns[i];
        double a = mjcf_angle(m, angles[i]);
        cairn_vec3 axis = {letter == 'x' || letter == 'X' ? a : 0.0,
                           letter == 'y' || letter == 'Y' ? a : 0.0,
                           letter == 'z' || letter == 'Z' ? a : 0.0};
        cairn_quat turn = cairn_quat_from_rotation_vector(axis);
        q = letter >= 'a' ? cairn_quat_multiply(q, turn) : cairn_quat_multiply(turn, q);
    }
    return q;
}

static cairn_quat read_turn(mjcf* m, xml_element* at, const char* inherited)
{
    double x[6] = {0.0};
    const char* text;
    robot_reader* r = m->r;

    // at most one of five forms; the first that is there counts
    if ((text = mjcf_text(m, at, inherited, "quat")) != NULL) {
        robot_numbers(r, at, "quat", text, x, 4, 4);
        if (robot_ok(r) && !(x[0] * x[0] + x[1] * x[1] + x[2] * x[2] + x[3] * x[3] > 1e-20))
            robot_fail(r, at, "has a quaternion of no length");
        return cairn_quat_normalize((cairn_quat){x[0], x[1], x[2], x[3]});
    }

    if ((text = mjcf_text(m, at, inherited, "axisangle")) != NULL) {
        robot_numbers(r, at, "axisangle", text, x, 4, 4);
        cairn_vec3 axis = cairn_normalize(cairn_vec(x[0], x[1], x[2]));
        return cairn_quat_from_rotation_vector(cairn_scale(mjcf_angle(m, x[3]), axis));
    }

    if ((text = mjcf_text(m, at, inherited, "euler")) != NULL) {
        robot_numbers(r, at, "euler", text, x, 3, 3);
        return euler_turn(m, x);
    }

    if ((text = mjcf_text(m, at, inherited, "xyaxes")) != NULL) {
        robot_numbers(r, at, "xyaxes", text, x, 6, 6);
        cairn_vec3 a = cairn_vec(x[0], x[1], x[2]), b = cairn_vec(x[3], x[4], x[5]);
        if (robot_ok(r) && !(cairn_norm(cairn_cross(a, b)) > 1e-12))
            robot_fail(r, at, "has two axes that are parallel");
        return frame_of(a, b);
    }

    if ((text = mjcf_text(m, at, inherited, "zaxis")) != NULL) {
        robot_numbers(r, at, "zaxis", text, x, 3, 3);
        return turn_to(cairn_vec(x[0], x[1], x[2]));
    }

    return cairn_quat_identity();
}

cairn_transform mjcf_pose(mjcf* m, xml_element* at, const char* inherited)
{
    cairn_vec3 p = mjcf_vec(m, at, inherited, "pos", cairn_vec(0.0, 0.0, 0.0));
    return (cairn_transform){p, read_turn(m, at, inherited)};
}

// With W the pose of the link where all joints are at zero, the product of those of the links from
// the world to it: x as it stands where coordinates are local, W^-1 x where they are global.
cairn_transform mjcf_in_link(const mjcf* m, int link, cairn_transform x)
{
    if (!m->global)
        return x;

    const robot_link* links = m->r->robot->links;
    cairn_transform W = cairn_transform_identity();
    for (int i = link; i >= 0; i = links[i].parent)
        W = cairn_transform_multiply(links[i].at, W);
    return cairn_transform_relative(W, x);
}

// ---------------------------------------------------------------- settings

static void read_compiler(mjcf* m, xml_element* at)
{
    robot_reader* r = m->r;
    const char* text = xml_value(at, "angle");
    if (text)
        m->radians = strcmp(text, "radian") == 0;

    text = xml_value(at, "coordinate");
    if (text && strcmp(text, "local") != 0 && strcmp(text, "global") != 0)
        robot_fail(r, at, "has coordinate=\"%.20s\", expected local or global", text);
    if (text)
        m->global = strcmp(text, "global") == 0;

    text = xml_value(at, "eulerseq");
    if (text && strlen(text) == 3 && strspn(text, "xyzXYZ") == 3)
        memcpy(m->turns, text, 3);
    else if (text)
        robot_fail(r, at, "has eulerseq=\"%.20s\", expected three of x, y, z, X, Y, Z", text);

    text = xml_value(at, "autolimits");
    if (text)
        m->limits_by_range = strcmp(text, "true") == 0;

    text = xml_value(at, "inertiafromgeom");
    if (text)
        m->masses_of_geoms = strcmp(text, "true") == 0;

    // "meshdir" wins over "assetdir"
    text = xml_value(at, "meshdir");
    if (!text)
        text = xml_value(at, "assetdir");
    if (text)
        m->mesh_folder = text;

    m->total_mass = robot_real(r, at, "settotalmass", m->total_mass);
    xml_value(at, "texturedir");
    xml_value(at, "fusestatic");
}

static void read_option(mjcf* m, xml_element* at)
{
    robot_reader* r = m->r;
    r->robot->gravity = robot_vec(r, at, "gravity", r->robot->gravity);
    r->robot->dt = robot_real(r, at, "timestep", r->robot->dt);
    if (robot_ok(r) && !(r->robot->dt >= 0.0 && r->robot->dt <= 10.0))
        robot_fail(r, at, "has timestep=\"%g\", expected 0 to 10 s", r->robot->dt);
}

// for the eye, or for the size of MuJoCo's memory
static void take_visuals(xml_element* root)
{
    static const char* const names[] = {"visual", "statistic", "size"};
    for (size_t i = 0; i < 3; i++)
        for (xml_element* e = xml_child(root, names[i]); e; e = xml_same(e))
            xml_take_all(e);
    for (xml_element* a = xml_child(root, "asset"); a; a = xml_same(a)) {
        for (xml_element* e = xml_child(a, "texture"); e; e = xml_same(e))
            xml_take_all(e);
        for (xml_element* e = xml_child(a, "material"); e; e = xml_same(e))
            xml_take_all(e);
        for (xml_element* e = xml_child(a, "mesh"); e; e = xml_same(e))
            xml_take_all(e); // until a geom finds that it cannot be read
    }
}

static void scale_masses(cairn_robot* robot, double total)
{
    double sum = 0.0;
    for (int i = 1; i < robot->link_count; i++)
        sum += robot->links[i].mass;
    for (int i = 1; i < robot->link_count && sum > 0.0; i++) {
        robot->links[i].mass *= total / sum;
        robot->links[i].inertia = cairn_mat3_scale(total / sum, robot->links[i].inertia);
    }
}

void robot_read_mjcf(robot_reader* r)
{
    xml_element* root = r->robot->root;
    mjcf m = {.r = r, .limits_by_range = true, .turns = "xyz", .mesh_folder = ""};

    const char* name = xml_value(root, "model");
    r->robot->format = "MJCF";
    r->robot->name = name ? name : "robot";
    r->robot->self_collision = true;

    // includes come first: any section may be in another file
    include_all(r, root, 0);

    // then the settings that the other sections depend on
    for (xml_element* e = xml_child(root, "compiler"); e && robot_ok(r); e = xml_same(e))
        read_compiler(&m, e);
    for (xml_element* e = xml_child(root, "option"); e && robot_ok(r); e = xml_same(e))
        read_option(&m, e);
    for (xml_element* e = xml_child(root, "default"); e && robot_ok(r); e = xml_same(e))
        take_defaults(e);
    take_visuals(root);

    // the world is a link that does not move
    if (robot_ok(r))
        robot_add_link(r, root, "world", -1);
    for (xml_element* e = xml_child(root, "worldbody"); e && robot_ok(r); e = xml_same(e))
        mjcf_read_world(&m, e);

    if (robot_ok(r) && m.total_mass > 0.0)
        scale_masses(r->robot, m.total_mass);
    if (robot_ok(r))
        mjcf_read_rest(&m, root);
}
