// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// URDF: links and joints in any order, each link the child of one joint but for the root. Links are
// taken depth first, in the order in which the file has their joints.

#include "io/robot/robot.h"
#include <stdlib.h>
#include <string.h>

enum { most_links = 4000 };

// a link of the file, and the joints that lead from it
typedef struct entry {
    const char* name;
    xml_element* link;
    xml_element* joint;    // that leads to it
    int parent;            // -1
    int child, last, next; // first and last child, next sibling; -1
    int index;             // in the robot; -1
    bool held;             // it is a frame, and its joint does not move
} entry;

typedef struct urdf {
    robot_reader* r;
    entry* entries;
    int count;
} urdf;

// ---------------------------------------------------------------- parts

// fixed axes x, y, z one after the other
static cairn_quat roll_pitch_yaw(cairn_vec3 rpy)
{
    cairn_quat x = cairn_quat_from_rotation_vector(cairn_vec(rpy.x, 0.0, 0.0));
    cairn_quat y = cairn_quat_from_rotation_vector(cairn_vec(0.0, rpy.y, 0.0));
    cairn_quat z = cairn_quat_from_rotation_vector(cairn_vec(0.0, 0.0, rpy.z));
    return cairn_quat_multiply(z, cairn_quat_multiply(y, x));
}

static cairn_transform read_origin(robot_reader* r, xml_element* at)
{
    cairn_vec3 zero = {0.0, 0.0, 0.0};
    xml_element* origin = xml_child(at, "origin");
    if (!origin)
        return cairn_transform_identity();
    cairn_vec3 xyz = robot_vec(r, origin, "xyz", zero);
    return (cairn_transform){xyz, roll_pitch_yaw(robot_vec(r, origin, "rpy", zero))};
}

static void read_inertial(robot_reader* r, robot_link* link, xml_element* at)
{
    cairn_transform x = read_origin(r, at);
    xml_element *mass = xml_child(at, "mass"), *inertia = xml_child(at, "inertia");
    double m = mass ? robot_real(r, mass, "value", 0.0) : 0.0;
    cairn_mat3 I = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    if (inertia) {
        I.cx.x = robot_real(r, inertia, "ixx", 0.0);
        I.cy.y = robot_real(r, inertia, "iyy", 0.0);
        I.cz.z = robot_real(r, inertia, "izz", 0.0);
        I.cx.y = I.cy.x = robot_real(r, inertia, "ixy", 0.0);
        I.cx.z = I.cz.x = robot_real(r, inertia, "ixz", 0.0);
        I.cy.z = I.cz.y = robot_real(r, inertia, "iyz", 0.0);
    }

    if (m < 0.0)
        robot_fail(r, mass, "has a mass of %g kg, expected one of 0 or more", m);

    // the inertia is given in axes of its own: R I Rᵀ
    cairn_mat3 R = cairn_quat_to_mat3(x.q);
    I = cairn_mat3_multiply(R, cairn_mat3_multiply(I, cairn_mat3_transpose(R)));

    link->weighed = true;
    link->mass = m;
    link->center = x.p;
    link->inertia = I;
}

static double size_of(robot_reader* r, xml_element* at, const char* name)
{
    robot_need(r, at, name);
    double x = robot_real(r, at, name, 1.0);
    if (robot_ok(r) && !(x >= 1e-9))
        robot_fail(r, at, "has %s=\"%g\", expected a length > 0", name, x);
    return x;
}

static void read_collision(robot_reader* r, int link, xml_element* at)
{
    xml_element* geometry = xml_child(at, "geometry");
    xml_element* kind = geometry ? geometry->child : NULL;
    if (!kind) {
        robot_fail(r, at, "has no geometry, expected a box, cylinder, sphere, capsule or mesh");
        return;
    }

    robot_geom geom = {.link = link, .at = read_origin(r, at), .mu = -1.0};
    kind->taken = true;
    bool read = true;
    if (strcmp(kind->name, "box") == 0) {
        cairn_vec3 size = robot_vec(r, kind, "size", cairn_vec(0.0, 0.0, 0.0));
        geom.kind = CAIRN_SHAPE_BOX;
        geom.half = cairn_scale(0.5, size);
        if (robot_ok(r) && !(size.x > 0.0 && size.y > 0.0 && size.z > 0.0))
            robot_fail(r, kind, "has the size %g %g %g, expected three lengths > 0", size.x, size.y,
                       size.z);
    } else if (strcmp(kind->name, "sphere") == 0) {
        geom.kind = CAIRN_SHAPE_SPHERE;
        geom.radius = size_of(r, kind, "radius");
    } else if (strcmp(kind->name, "cylinder") == 0 || strcmp(kind->name, "capsule") == 0) {
        geom.kind = kind->name[1] == 'y' ? CAIRN_SHAPE_CYLINDER : CAIRN_SHAPE_CAPSULE;
        geom.radius = size_of(r, kind, "radius");
        geom.half_height = 0.5 * size_of(r, kind, "length");
    } else if (strcmp(kind->name, "mesh") == 0) {
        cairn_vec3 scale = robot_vec(r, kind, "scale", cairn_vec(1.0, 1.0, 1.0));
        read = robot_read_mesh(r, kind, robot_need(r, kind, "filename"), "", scale, &geom);
    } else {
        kind->taken = false;
        read = false;
    }

    robot_geom* added = read && robot_ok(r) ? robot_add_geom(r, link) : NULL;
    if (!added)
        return;

    // the added shape has the default filter
    geom.collides = added->collides;
    geom.type = added->type;
    geom.affinity = added->affinity;
    *added = geom;
}

static void read_link(robot_reader* r, int index, xml_element* at)
{
    xml_value(at, "name");
    xml_value(at, "type");
    xml_element* inertial = xml_child(at, "inertial");
    if (inertial)
        read_inertial(r, &r->robot->links[index], inertial);
    for (xml_element* c = xml_child(at, "collision"); c && robot_ok(r); c = xml_same(c)) {
        xml_value(c, "name");
        read_collision(r, index, c);
    }

    // only for drawing
    for (xml_element* v = xml_child(at, "visual"); v; v = xml_same(v))
        xml_take_all(v);
}

// ---------------------------------------------------------------- joints

static cairn_vec3 read_axis(robot_reader* r, xml_element* joint)
{
    xml_element* at = xml_child(joint, "axis");
    cairn_vec3 axis = {1.0, 0.0, 0.0};
    if (at)
        axis = robot_vec(r, at, "xyz", axis);
    if (robot_ok(r) && !(cairn_norm(axis) > 1e-9))
        robot_fail(r, at ? at : joint, "has an axis without direction");
    return cairn_normalize(axis);
}

static void read_limits(robot_reader* r, robot_joint* joint, xml_element* at, bool needed)
{
    xml_element* limit = xml_child(at, "limit");
    if (!limit) {
        if (needed)
            robot_fail(r, at, "has no <limit>, expected one of a revolute or prismatic joint");
        return;
    }

    double lo = robot_real(r, limit, "lower", 0.0), hi = robot_real(r, limit, "upper", 0.0);
    joint->effort = fmax(0.0, robot_real(r, limit, "effort", 0.0));
    xml_value(limit, "velocity");

    if (!needed)
        return;

    joint->limited = true;
    joint->lo = lo;
    joint->hi = hi;

    if (robot_ok(r) && lo > hi)
        robot_fail(r, limit, "has the limits %g to %g, expected lower <= upper", lo, hi);
}

static void read_dynamics(robot_reader* r, robot_joint* joint, xml_element* at)
{
    xml_element* dynamics = xml_child(at, "dynamics");
    if (!dynamics)
        return;
    joint->damping = robot_real(r, dynamics, "damping", 0.0);
    joint->friction = robot_real(r, dynamics, "friction", 0.0);
    if (robot_ok(r) && !(joint->damping >= 0.0 && joint->friction >= 0.0))
        robot_fail(r, dynamics, "has a damping or friction below 0");
}

// one joint of the robot for each of its coordinates but those of free and ball joints
static void add_joint(robot_reader* r, xml_element* at, const char* name, int link,
                      cairn_mobility mobility, cairn_vec3 axis)
{
    robot_joint* joint = robot_add_joint(r, at, name, link);
    if (!joint)
        return;
    joint->mobility = mobility;
    joint->axis = axis;
    r->robot->links[link].joint_count++;
    if (mobility == CAIRN_MOBILITY_HINGE || mobility == CAIRN_MOBILITY_SLIDE)
        read_dynamics(r, joint, at);
}

static void read_joint(robot_reader* r, int link, xml_element* at)
{
    const char *name = robot_need(r, at, "name"), *type = robot_need(r, at, "type");
    r->robot->links[link].at = read_origin(r, at);
    r->robot->links[link].first_joint = r->robot->joint_count;

    bool revolute = strcmp(type, "revolute") == 0, slides = strcmp(type, "prismatic") == 0;

    // a fixed joint has no coordinate: its link is part of its parent
    if (strcmp(type, "fixed") == 0)
        return;

    if (strcmp(type, "floating") == 0) {
        if (r->robot->links[link].parent >= 0 &&
            strcmp(r->robot->links[r->robot->links[link].parent].name, "world") != 0)
            robot_fail(r, at, "is a floating joint below another link, expected one of the root");
        add_joint(r, at, name, link, CAIRN_MOBILITY_FREE, cairn_vec(0.0, 0.0, 1.0));
        return;
    }

    cairn_vec3 axis = read_axis(r, at), t, s;

    // planar: two slides and a hinge about the normal
    if (strcmp(type, "planar") == 0) {
        cairn_tangents(axis, &t, &s);
        add_joint(r, at, robot_print(r, "%s_x", name), link, CAIRN_MOBILITY_SLIDE, t);
        add_joint(r, at, robot_print(r, "%s_y", name), link, CAIRN_MOBILITY_SLIDE, s);
        add_joint(r, at, name, link, CAIRN_MOBILITY_HINGE, axis);
        return;
    }

    if (!revolute && !slides && strcmp(type, "continuous") != 0) {
        robot_fail(r, at,
                   "has type=\"%.40s\", expected revolute, continuous, prismatic, fixed, floating "
                   "or planar",
                   type);
        return;
    }

    add_joint(r, at, name, link, slides ? CAIRN_MOBILITY_SLIDE : CAIRN_MOBILITY_HINGE, axis);
    if (robot_ok(r))
        read_limits(r, &r->robot->joints[r->robot->joint_count - 1], at, revolute || slides);
}

// ---------------------------------------------------------------- the tree

static int find(const urdf* u, const char* name)
{
    for (int i = 0; i < u->count; i++)
        if (strcmp(u->entries[i].name, name) == 0)
            return i;
    return -1;
}

static void list_links(urdf* u, xml_element* root)
{
    robot_reader* r = u->r;
    int count = 0;
    for (xml_element* l = xml_child(root, "link"); l; l = xml_same(l))
        count++;

    if (count == 0 || count > most_links) {
        robot_fail(r, root, "has %d links, expected 1 to %d", count, most_links);
        return;
    }

    u->entries = calloc((size_t)count, sizeof *u->entries);
    if (!u->entries) {
        robot_starve(r);
        return;
    }

    for (xml_element* l = xml_child(root, "link"); l && robot_ok(r); l = xml_same(l)) {
        const char* name = robot_need(r, l, "name");
        if (find(u, name) >= 0)
            robot_fail(r, l, "has the name '%.60s', which another link has", name);
        u->entries[u->count++] = (entry){.name = name,
                                         .link = l,
                                         .parent = -1,
                                         .child = -1,
                                         .last = -1,
                                         .next = -1,
                                         .index = -1};
    }
}

static int end_of(urdf* u, xml_element* joint, const char* which)
{
    xml_element* end = xml_child(joint, which);
    if (!end) {
        robot_fail(u->r, joint, "has no <%s>", which);
        return -1;
    }
    const char* name = robot_need(u->r, end, "link");
    int i = find(u, name);
    if (i < 0)
        robot_fail(u->r, end, "names the link '%.60s', which is not there", name);
    return i;
}

static void list_joints(urdf* u, xml_element* root)
{
    robot_reader* r = u->r;
    for (xml_element* j = xml_child(root, "joint"); j && robot_ok(r); j = xml_same(j)) {
        int parent = end_of(u, j, "parent"), child = end_of(u, j, "child");
        if (!robot_ok(r))
            return;

        entry *from = &u->entries[parent], *to = &u->entries[child];
        if (to->joint || parent == child) {
            robot_fail(r, j, "leads to the link '%.60s', which %s: the links do not form a tree",
                       to->name, parent == child ? "it comes from" : "another joint leads to");
            return;
        }

        to->joint = j;
        to->parent = parent;

        if (from->last >= 0)
            u->entries[from->last].next = child;
        else
            from->child = child;
        from->last = child;
    }
}

static int find_root(urdf* u, xml_element* at)
{
    int root = -1;

    for (int i = 0; i < u->count; i++) {
        if (u->entries[i].joint)
            continue;

        if (root >= 0) {
            robot_fail(u->r, u->entries[i].link,
                       "'%.60s' is not attached, and neither is '%.60s'; expected one root",
                       u->entries[i].name, u->entries[root].name);
            return -1;
        }
        root = i;
    }

    if (root < 0)
        robot_fail(u->r, at, "has no root: its joints form a loop");
    return root;
}

// a link at the end that has neither mass nor shape is a frame, which nothing can move
static bool is_frame(const entry* e)
{
    static const char* const kinds[] = {"revolute", "continuous", "prismatic", "planar"};
    const char* type = xml_value(e->joint, "type");
    bool moves = false;
    for (size_t i = 0; type && i < sizeof kinds / sizeof kinds[0]; i++)
        moves = moves || strcmp(type, kinds[i]) == 0;
    return moves && e->child < 0 && !xml_child(e->link, "inertial") &&
           !xml_child(e->link, "collision");
}

static void take_link(urdf* u, int i)
{
    robot_reader* r = u->r;
    entry* e = &u->entries[i];
    int parent = e->parent >= 0 ? u->entries[e->parent].index : -1;
    if (!robot_add_link(r, e->link, e->name, parent))
        return;

    e->index = r->robot->link_count - 1;

    // a frame without mass may be held, so that it does not become a body
    if (e->joint && r->def->hold_frames && is_frame(e)) {
        e->held = true;
        r->robot->links[e->index].at = read_origin(r, e->joint);
    } else if (e->joint) {
        read_joint(r, e->index, e->joint);
    }

    read_link(r, e->index, e->link);

    // a root that has a mass is free, unless it is to be fixed
    const robot_link* link = &r->robot->links[e->index];
    if (parent < 0 && link->mass > 0.0 && !r->def->fix_base && strcmp(e->name, "world") != 0) {
        add_joint(r, e->link, "root", e->index, CAIRN_MOBILITY_FREE, cairn_vec(0.0, 0.0, 1.0));
        r->robot->floor = !r->def->no_floor;
    }
}

// depth first, children in the order of the file
static void take_tree(urdf* u, int root)
{
    int at = root;
    while (at >= 0 && robot_ok(u->r)) {
        take_link(u, at);
        if (u->entries[at].child >= 0) {
            at = u->entries[at].child;
            continue;
        }

        // up to the nearest link that has a next sibling
        while (at >= 0 && u->entries[at].next < 0)
            at = u->entries[at].parent;
        at = at >= 0 ? u->entries[at].next : -1;
    }

    // links that were not reached form loops
    for (int i = 0; i < u->count && robot_ok(u->r); i++)
        if (u->entries[i].index < 0)
            robot_fail(u->r, u->entries[i].link, "'%.60s' is part of a loop of joints",
                       u->entries[i].name);
}

// ---------------------------------------------------------------- what is left

static bool leads_to_frame(const urdf* u, const xml_element* joint)
{
    for (int i = 0; i < u->count; i++)
        if (u->entries[i].joint == joint)
            return u->entries[i].held;
    return false;
}

static void read_mimics(urdf* u, xml_element* root)
{
    robot_reader* r = u->r;
    for (xml_element* j = xml_child(root, "joint"); j && robot_ok(r); j = xml_same(j)) {
        xml_element* mimic = xml_child(j, "mimic");
        if (!mimic || leads_to_frame(u, j))
            continue;

        // q_a = offset + multiplier · q_b
        const char* name = robot_need(r, mimic, "joint");
        robot_tie tie = {.kind = ROBOT_COUPLE,
                         .a = robot_find_joint(r->robot, robot_need(r, j, "name")),
                         .b = robot_find_joint(r->robot, name),
                         .ratio = robot_real(r, mimic, "multiplier", 1.0),
                         .offset = robot_real(r, mimic, "offset", 0.0),
                         .from = mimic};

        if (tie.b < 0 || tie.a < 0 || tie.a == tie.b) {
            robot_fail(r, mimic, "names the joint '%.60s', expected another joint that moves",
                       name);
            return;
        }

        robot_tie* added = robot_add_tie(r, mimic);
        if (added)
            *added = tie;
    }
}

// the number of an element that has nothing but a number
static double text_number(robot_reader* r, xml_element* at, double absent)
{
    double x = absent;
    if (at && at->text[0])
        robot_numbers(r, at, "its text", at->text, &x, 1, 1);
    return x;
}

// a motor drives a joint through gears: its force counts `reduction` times. What kinds of several
// joints do is not read
static void read_transmission(robot_reader* r, xml_element* at)
{
    xml_element *joint = xml_child(at, "joint"), *motor = xml_child(at, "actuator");
    xml_element* type = xml_child(at, "type");
    const char* kind = type ? type->text : xml_value(at, "type");

    // only the kind with one joint
    if (!joint || xml_same(joint) || !kind || !strstr(kind, "SimpleTransmission")) {
        at->taken = false;
        return;
    }

    const char* name = robot_need(r, joint, "name");
    int index = robot_find_joint(r->robot, name);
    double reduction = text_number(r, xml_child(at, "mechanicalReduction"), 1.0);

    if (motor)
        reduction = text_number(r, xml_child(motor, "mechanicalReduction"), reduction);

    if (robot_ok(r) && (index < 0 || !(fabs(reduction) >= 1e-6 && fabs(reduction) <= 1e6)))
        robot_fail(r, at,
                   index < 0 ? "drives the joint '%.60s', which does not move or is not there"
                             : "drives '%.60s' with a reduction outside 1e-6 to 1e6",
                   name);

    if (robot_ok(r))
        r->robot->joints[index].reduction = reduction;

    // what it is called, and how a controller talks to it
    xml_take_all(at);
}

void robot_read_urdf(robot_reader* r)
{
    xml_element* root = r->robot->root;
    urdf u = {.r = r};
    const char* name = xml_value(root, "name");
    r->robot->format = "URDF";
    r->robot->name = name ? name : "robot";
    xml_value(root, "version");

    // links and joints are a list; the tree is taken from its root, parents first
    list_links(&u, root);
    if (robot_ok(r))
        list_joints(&u, root);

    int first = robot_ok(r) ? find_root(&u, root) : -1;
    if (first >= 0)
        take_tree(&u, first);

    // ties and motors name joints, so these must be known
    if (robot_ok(r))
        read_mimics(&u, root);
    for (xml_element* t = xml_child(root, "transmission"); t && robot_ok(r); t = xml_same(t))
        read_transmission(r, t);

    // joints that were held are listed as not read
    for (int i = 0; i < u.count && robot_ok(r); i++)
        if (u.entries[i].held)
            u.entries[i].joint->taken = false;

    // colors are only for drawing
    for (xml_element* m = xml_child(root, "material"); m; m = xml_same(m))
        xml_take_all(m);

    free(u.entries);
}
