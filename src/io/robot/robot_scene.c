// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// A robot as a scene in JSON. Every link of the multibody becomes a body: those without mass, which
// are there for joints of several axes, take a hundredth of the mass and inertia of the link that
// they lead to, at the same center, so that the whole weighs the same. The armature of a hinge is
// inertia of its body about the axis: as in joint coordinates as long as the parent does not turn
// about it. Links that weigh next to nothing beside their rotor get a thousandth of it about the other
// axes: solves in double precision do not bear moments that differ by a factor of 1e6 and more.
//
// Two shapes collide in MuJoCo when the type of one is in the affinity of the other, either way; in
// Cairn when each one's category is in the other's mask. Each pair (type, affinity) that occurs
// gets a category of its own, and the mask of all pairs that it meets.

#include "io/robot/robot.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double light_share = 0.01, rotor_share = 1e-3, degrees = 57.29577951308232;

typedef struct writer {
    robot_reader* r;
    const cairn_robot* robot;
    FILE* out;
    int items;                          // of the list at hand
    uint32_t types[31], affinities[31]; // classes of shapes
    int owners[31]; // of classes of those that are named by pairs; else no_owner
    int class_count;
} writer;

// ---------------------------------------------------------------- text

static void put_string(FILE* out, const char* text)
{
    fputc('"', out);
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\')
            fprintf(out, "\\%c", c);
        else if (c < 0x20)
            fprintf(out, "\\u%04x", c);
        else
            fputc(c, out);
    }
    fputc('"', out);
}

static void put_vec(FILE* out, const char* key, cairn_vec3 v)
{
    fprintf(out, "%s[%.17g, %.17g, %.17g]", key, v.x, v.y, v.z);
}

static void put_pose(FILE* out, cairn_transform x)
{
    put_vec(out, "\"at\": ", x.p);
    fprintf(out, ", \"quaternion\": [%.17g, %.17g, %.17g, %.17g]", x.q.w, x.q.x, x.q.y, x.q.z);
}

// the comma before all but the first item of a list, and a new line
static void begin_item(writer* w)
{
    fputs(w->items++ ? ",\n    {" : "\n    {", w->out);
}

// ---------------------------------------------------------------- shapes

static void put_shape(FILE* out, const robot_geom* geom)
{
    // lengths of a scene are whole ones, those of a geom halves
    switch (geom->kind) {
    case CAIRN_SHAPE_SPHERE:
        fprintf(out, "{\"kind\": \"sphere\", \"radius\": %.17g}", geom->radius);
        return;
    case CAIRN_SHAPE_CAPSULE:
        fprintf(out, "{\"kind\": \"capsule\", \"radius\": %.17g, \"length\": %.17g}", geom->radius,
                2.0 * geom->half_height);
        return;
    case CAIRN_SHAPE_CYLINDER:
        fprintf(out, "{\"kind\": \"cylinder\", \"radius\": %.17g, \"height\": %.17g}", geom->radius,
                2.0 * geom->half_height);
        return;
    case CAIRN_SHAPE_ELLIPSOID:
        put_vec(out, "{\"kind\": \"ellipsoid\", \"size\": ", cairn_scale(2.0, geom->half));
        fputc('}', out);
        return;
    case CAIRN_SHAPE_BOX:
        put_vec(out, "{\"kind\": \"box\", \"size\": ", cairn_scale(2.0, geom->half));
        fputc('}', out);
        return;
    case CAIRN_SHAPE_HALF_SPACE:
        fputs("{\"kind\": \"half_space\"}", out);
        return;

    default:
        fputs("{\"kind\": \"hull\", \"points\": [", out);
        for (int i = 0; i < geom->point_count; i++)
            put_vec(out, i ? ", " : "", geom->points[i]);
        fputs("]}", out);
    }
}

// ---------------------------------------------------------------- who collides with whom

enum { no_owner = -1 };

// shapes are filtered by body; a shape that does not move has a number of its own, after the bodies
static int owner_of(const cairn_robot* robot, int geom)
{
    int body = robot->links[robot->geoms[geom].link].body;
    return body >= 0 ? body : robot->link_count + geom;
}

static bool are_paired(const cairn_robot* robot, int a, int b)
{
    for (int i = 0; i < robot->tie_count; i++) {
        const robot_tie* tie = &robot->ties[i];
        if (tie->kind != ROBOT_PAIR)
            continue;
        int first = owner_of(robot, tie->a), second = owner_of(robot, tie->b);
        if ((first == a && second == b) || (first == b && second == a) ||
            (b == no_owner && (first == a || second == a)))
            return true;
    }
    return false;
}

static int class_of(writer* w, uint32_t type, uint32_t affinity, int owner)
{
    if (!are_paired(w->robot, owner, no_owner))
        owner = no_owner;
    for (int i = 0; i < w->class_count; i++)
        if (w->types[i] == type && w->affinities[i] == affinity && w->owners[i] == owner)
            return i;
    if (w->class_count == 31)
        return 30;
    w->owners[w->class_count] = owner;
    w->types[w->class_count] = type;
    w->affinities[w->class_count] = affinity;
    return w->class_count++;
}

// the category of all shapes of a body: the types and affinities of any of them
static int class_of_body(writer* w, int body, const robot_geom* alone)
{
    uint32_t type = 0, affinity = 0;
    if (alone)
        return class_of(w, alone->type, alone->affinity,
                        owner_of(w->robot, (int)(alone - w->robot->geoms)));
    for (int i = 0; i < w->robot->geom_count; i++) {
        const robot_geom* geom = &w->robot->geoms[i];
        if (w->robot->links[geom->link].body != body || !geom->collides)
            continue;
        type |= geom->type;
        affinity |= geom->affinity;
    }
    return class_of(w, type, affinity, body);
}

static void put_filter(writer* w, int body, const robot_geom* alone)
{
    // parts of the robot collide with everything but each other
    if (!w->robot->self_collision) {
        fprintf(w->out, ", \"category\": 2, \"mask\": 4294967293");
        return;
    }
    int own = class_of_body(w, body, alone);
    uint32_t mask = 0;
    for (int i = 0; i < w->class_count; i++)
        if ((w->types[own] & w->affinities[i]) || (w->types[i] & w->affinities[own]) ||
            (w->owners[own] != no_owner && w->owners[i] != no_owner &&
             are_paired(w->robot, w->owners[own], w->owners[i])))
            mask |= 1u << i;
    fprintf(w->out, ", \"category\": %u, \"mask\": %u", 1u << own, mask);
}

static void put_material(writer* w, int body, const robot_geom* alone)
{
    double mu = alone ? alone->mu : -1.0, mu_spin = alone ? alone->mu_spin : 0.0;
    for (int i = 0; i < w->robot->geom_count && !alone; i++) {
        const robot_geom* geom = &w->robot->geoms[i];
        if (w->robot->links[geom->link].body != body || !geom->collides)
            continue;
        mu = fmax(mu, geom->mu);
        mu_spin = fmax(mu_spin, geom->mu_spin);
    }
    if (mu >= 0.0)
        fprintf(
            w->out,
            ", \"material\": {\"mu\": %.17g, \"mu_spin\": %.17g, \"friction_rule\": \"larger\"}",
            mu, mu_spin);
}

// ---------------------------------------------------------------- bodies

// one body for each shape that does not move
static void put_static(writer* w)
{
    const cairn_robot* robot = w->robot;

    // a floor that was not in the file
    if (robot->floor) {
        begin_item(w);
        fputs("\"name\": \"floor\", \"type\": \"static\", \"shape\": {\"kind\": \"half_space\"}}",
              w->out);
    }

    for (int i = 0; i < robot->geom_count; i++) {
        const robot_geom* geom = &robot->geoms[i];
        const robot_link* link = &robot->links[geom->link];
        if (link->body >= 0 || !geom->collides)
            continue;

        begin_item(w);
        fputs("\"type\": \"static\", ", w->out);
        put_pose(w->out, geom->at);
        fputs(", \"shape\": ", w->out);
        put_shape(w->out, geom);
        put_filter(w, -1, geom);
        put_material(w, -1, geom);
        fputc('}', w->out);
    }
}

static bool put_shapes(writer* w, int body)
{
    int count = 0;

    // shapes of all links that are welded to the body
    for (int i = 0; i < w->robot->geom_count; i++) {
        const robot_geom* geom = &w->robot->geoms[i];
        if (w->robot->links[geom->link].body != body || !geom->collides)
            continue;
        if (geom->kind == CAIRN_SHAPE_HALF_SPACE) {
            robot_fail(w->r, w->robot->links[body].from,
                       "'%.60s' moves and has a plane, expected one of the world",
                       w->robot->links[body].name);
            return false;
        }
        fputs(count++ ? ", {" : ", \"shape\": {\"kind\": \"compound\", \"parts\": [{", w->out);
        put_pose(w->out, geom->at);
        fputs(", \"shape\": ", w->out);
        put_shape(w->out, geom);
        fputc('}', w->out);
    }

    if (count)
        fputs("]}", w->out);
    return count > 0;
}

// the name of the body of a link of the multibody: NAME, or NAME~K of those before it
static const char* body_name(const writer* w, int model, char* text, size_t size)
{
    const robot_joint* joint = &w->robot->joints[w->robot->model_joint[model]];
    const robot_link* link = &w->robot->links[joint->link];
    if (link->model == model)
        snprintf(text, size, "%.76s", link->name);
    else
        snprintf(text, size, "%.70s~%d", link->name, link->model - model);
    return text;
}

// n n^T
static cairn_mat3 outer(cairn_vec3 n)
{
    return (cairn_mat3){cairn_scale(n.x, n), cairn_scale(n.y, n), cairn_scale(n.z, n)};
}

// what the rotor of a hinge adds to the inertia I of a link
static cairn_mat3 rotor(cairn_mat3 I, const robot_joint* joint)
{
    double across = rotor_share * joint->armature - 0.5 * (I.cx.x + I.cy.y + I.cz.z);
    across = fmax(across, 0.0);
    return cairn_mat3_add(cairn_mat3_diagonal(across, across, across),
                          cairn_mat3_scale(joint->armature - across, outer(joint->axis)));
}

static void put_body(writer* w, int model)
{
    const cairn_robot* robot = w->robot;
    const robot_joint* joint = &robot->joints[robot->model_joint[model]];
    const robot_link* link = &robot->links[joint->link];
    bool whole = link->model == model;

    // links between two joints get a small share of the mass, so that each body has some
    double share = whole ? 1.0 - light_share * (link->joint_count - 1) : light_share;
    cairn_mat3 I = cairn_mat3_scale(share, link->inertia);

    // the rotor of a hinge turns with the link
    if (joint->mobility == CAIRN_MOBILITY_HINGE)
        I = cairn_mat3_add(I, rotor(I, joint));

    char name[96];
    begin_item(w);
    fputs("\"name\": ", w->out);
    put_string(w->out, body_name(w, model, name, sizeof name));
    fputs(", ", w->out);
    put_pose(w->out, robot->poses[model]);
    fprintf(w->out, ", \"mass\": %.17g", share * link->mass);
    put_vec(w->out, ", \"center\": ", link->center);
    fprintf(w->out, ", \"inertia\": [%.17g, %.17g, %.17g, %.17g, %.17g, %.17g]", I.cx.x, I.cy.y,
            I.cz.z, I.cx.y, I.cx.z, I.cy.z);

    // the velocity is that of the center of mass
    cairn_vec3 spin = robot->spins[model];
    cairn_transform X = robot->poses[model];
    cairn_vec3 velocity = robot->velocities[model];
    if (!whole)
        velocity = cairn_add(velocity, cairn_cross(spin, cairn_rotate(X.q, link->center)));
    if (cairn_norm(velocity) > 0.0 || cairn_norm(spin) > 0.0) {
        put_vec(w->out, ", \"velocity\": ", velocity);
        put_vec(w->out, ", \"spin\": ", spin);
    }

    if (whole && put_shapes(w, joint->link)) {
        put_filter(w, joint->link, NULL);
        put_material(w, joint->link, NULL);
    }
    fputc('}', w->out);
}

// ---------------------------------------------------------------- joints

static void put_drives(writer* w, const robot_joint* joint)
{
    double unit = joint->mobility == CAIRN_MOBILITY_HINGE ? degrees : 1.0;
    if (joint->limited)
        fprintf(w->out, ", \"limits\": [%.17g, %.17g]", unit * (joint->lo - joint->start),
                unit * (joint->hi - joint->start));
    if (joint->friction > 0.0)
        fprintf(w->out, ", \"motor\": {\"speed\": 0, \"strength\": %.17g}", joint->friction);

    // the springs of the joint and of its servos as one, unless these are bounded
    double own = joint->stiffness;
    double servo = joint->servo_strength > 0.0 ? 0.0 : joint->servo_stiffness, k = own + servo;
    double d = joint->damping + (joint->servo_strength > 0.0 ? 0.0 : joint->servo_damping);
    double rest = k > 0.0 ? (own * joint->rest + servo * joint->servo_target) / k : joint->start;
    if (k > 0.0 || d > 0.0)
        fprintf(w->out, ", \"spring\": {\"stiffness\": %.17g, \"damping\": %.17g, \"rest\": %.17g}",
                k, d, unit * (rest - joint->start));
}

// name, kind, bodies and place of a joint at that of a link
static void begin_joint(writer* w, int model, const char* of, const char* kind)
{
    const cairn_robot* robot = w->robot;
    const robot_joint* joint = &robot->joints[robot->model_joint[model]];
    int parent = cairn_multibody_get(robot->model, model).parent;
    cairn_transform X = robot->poses[model];
    char name[96];

    begin_item(w);
    fputs("\"name\": ", w->out);
    put_string(w->out, of);
    fprintf(w->out, ", \"kind\": \"%s\"", kind);

    if (parent >= 0) {
        fputs(", \"a\": ", w->out);
        put_string(w->out, body_name(w, parent, name, sizeof name));
    }

    fputs(", \"b\": ", w->out);
    put_string(w->out, body_name(w, model, name, sizeof name));
    put_vec(w->out, ", \"at\": ", cairn_transform_point(X, joint->anchor));
    put_vec(w->out, ", \"axis\": ", cairn_rotate(X.q, joint->axis));
}

// a bounded servo is a joint of its own, on the coordinate that the first one leaves free
static void put_servo(writer* w, int model, const robot_joint* joint)
{
    bool hinge = joint->mobility == CAIRN_MOBILITY_HINGE;
    char name[96];
    snprintf(name, sizeof name, "%.70s~servo", joint->name);
    begin_joint(w, model, name, hinge ? "twist" : "along");
    fprintf(w->out,
            ", \"servo\": {\"target\": %.17g, \"stiffness\": %.17g, \"damping\": %.17g, "
            "\"strength\": %.17g}}",
            (hinge ? degrees : 1.0) * (joint->servo_target - joint->start), joint->servo_stiffness,
            joint->servo_damping, joint->servo_strength);
}

static void put_joint(writer* w, int model)
{
    static const char* const kinds[] = {"fixed", "hinge", "slider", "ball", ""};
    const robot_joint* joint = &w->robot->joints[w->robot->model_joint[model]];
    if (joint->mobility == CAIRN_MOBILITY_FREE)
        return;
    begin_joint(w, model, joint->name, kinds[joint->mobility]);
    put_drives(w, joint);
    fputc('}', w->out);
    if (joint->servo_strength > 0.0)
        put_servo(w, model, joint);
}

// ---------------------------------------------------------------- forces

// a constant force of a joint on one of its two bodies, in the frame of that body
static void put_push_on(writer* w, int model, cairn_vec3 axis, cairn_vec3 at, bool turns)
{
    char name[96];
    cairn_transform X = w->robot->poses[model];
    begin_item(w);
    fputs("\"body\": ", w->out);
    put_string(w->out, body_name(w, model, name, sizeof name));
    put_vec(w->out, turns ? ", \"torque\": " : ", \"force\": ", cairn_rotate_back(X.q, axis));
    if (!turns)
        put_vec(w->out, ", \"at\": ", cairn_transform_point_back(X, at));
    fputs(", \"local\": true}", w->out);
}

static void put_push(writer* w, int model)
{
    const cairn_robot* robot = w->robot;
    const robot_joint* joint = &robot->joints[robot->model_joint[model]];
    int parent = cairn_multibody_get(robot->model, model).parent;
    cairn_transform X = robot->poses[model];
    bool turns = joint->mobility == CAIRN_MOBILITY_HINGE;
    cairn_vec3 push = cairn_scale(joint->push, cairn_rotate(X.q, joint->axis));
    cairn_vec3 at = cairn_transform_point(X, joint->anchor);
    if (joint->push == 0.0)
        return;
    put_push_on(w, model, push, at, turns);
    if (parent >= 0)
        put_push_on(w, parent, cairn_neg(push), at, turns);
}

// ---------------------------------------------------------------- ties

// the body that a link is a part of, as a key; nothing for the world
static void put_end(writer* w, const char* key, int link)
{
    char name[96];
    int body = link >= 0 ? w->robot->links[link].body : -1;
    if (body < 0)
        return;
    fprintf(w->out, ", \"%s\": ", key);
    put_string(w->out, body_name(w, w->robot->links[body].model, name, sizeof name));
}

// a hinge of a link of the world, whose spin is its own
static bool is_world_hinge(const writer* w, const robot_joint* joint)
{
    return joint->mobility == CAIRN_MOBILITY_HINGE &&
           cairn_multibody_get(w->robot->model, joint->model).parent < 0;
}

// an end of a screw, as a key; nothing for the world
static void put_screw_end(writer* w, const char* key, const robot_coupler* k, int end)
{
    char name[96];
    if (end == -1)
        return;
    fprintf(w->out, ", \"%s\": ", key);
    put_string(w->out, end == robot_own ? k->name : body_name(w, end, name, sizeof name));
}

static void put_coupler_body(writer* w, const robot_coupler* k)
{
    const cairn_robot* robot = w->robot;
    const robot_motions links = {robot->poses, robot->velocities, robot->spins};
    robot_motion x = robot_move_coupler(robot, k, &links, robot->start_q, robot->start_v);
    begin_item(w);
    fputs("\"name\": ", w->out);
    put_string(w->out, k->name);
    fputs(", ", w->out);
    put_pose(w->out, x.pose);
    fprintf(w->out, ", \"mass\": %.17g, \"inertia\": [%.17g, %.17g, %.17g, 0, 0, 0]", k->mass,
            k->inertia, k->inertia, k->inertia);
    put_vec(w->out, ", \"velocity\": ", x.velocity);
    put_vec(w->out, ", \"spin\": ", x.spin);
    fputs(", \"gravity_scale\": 0}", w->out);
}

// the joint of its body with the carrier, and the screws
static void put_coupler_joints(writer* w, const robot_coupler* k)
{
    if (k->made) {
        begin_item(w);
        fprintf(w->out, "\"kind\": \"%s\"", k->turns ? "hinge" : "slider");
        put_screw_end(w, "a", k, k->carrier);
        put_screw_end(w, "b", k, robot_own);
        put_vec(w->out, ", \"at\": ", k->pose.p);
        put_vec(w->out, ", \"axis\": ", k->axis);
        fputc('}', w->out);
    }

    for (int i = 0; i < k->screw_count; i++) {
        const robot_screw* screw = &k->screws[i];
        begin_item(w);
        fputs("\"kind\": \"screw\"", w->out);
        put_screw_end(w, "a", k, screw->a);
        put_screw_end(w, "b", k, screw->b);
        put_vec(w->out, ", \"at\": ", screw->at);
        put_vec(w->out, ", \"axis\": ", k->axis);
        fprintf(w->out, ", \"ratio\": %.17g, \"collide\": true}", screw->ratio);
    }
}

// q_a = offset + ratio q_b by a coupler, or by a gear, which knows spins against the world alone
static void put_coupling(writer* w, const robot_tie* tie)
{
    const robot_joint *a = &w->robot->joints[tie->a], *b = &w->robot->joints[tie->b];
    char name[96];

    for (int i = 0; i < w->robot->coupler_count; i++)
        if (&w->robot->ties[w->robot->couplers[i].tie] == tie) {
            put_coupler_joints(w, &w->robot->couplers[i]);
            return;
        }

    if (!is_world_hinge(w, a) || !is_world_hinge(w, b)) {
        tie->from->taken = false;
        return;
    }

    begin_item(w);
    fputs("\"kind\": \"gear\", \"a\": ", w->out);
    put_string(w->out, body_name(w, a->model, name, sizeof name));
    fputs(", \"b\": ", w->out);
    put_string(w->out, body_name(w, b->model, name, sizeof name));
    put_vec(w->out, ", \"axis\": ", cairn_rotate(w->robot->poses[a->model].q, a->axis));
    put_vec(w->out, ", \"axis_b\": ", cairn_rotate(w->robot->poses[b->model].q, b->axis));
    fprintf(w->out, ", \"ratio\": %.17g}", tie->ratio);
}

static void put_tie(writer* w, const robot_tie* tie)
{
    const cairn_robot* robot = w->robot;

    // pairs that do not collide are written elsewhere
    if (tie->kind == ROBOT_EXCLUDE || tie->kind == ROBOT_PAIR)
        return;
    if (tie->kind == ROBOT_COUPLE) {
        put_coupling(w, tie);
        return;
    }

    int first = tie->a >= 0 ? robot->links[tie->a].body : -1;
    int second = tie->b >= 0 ? robot->links[tie->b].body : -1;

    // the anchor is given in the frame of the link, and written in that of the world
    cairn_vec3 at = tie->anchor;
    if (tie->a >= 0)
        at = cairn_transform_point(robot->links[tie->a].in_body, at);
    if (first >= 0)
        at = cairn_transform_point(robot->poses[robot->links[first].model], at);

    if (first == second) {
        robot_fail(w->r, tie->from, "ties a link to itself");
        return;
    }

    // the body attached to the world comes second
    bool swap = second < 0;
    begin_item(w);
    fprintf(w->out, "\"kind\": \"%s\"", tie->kind == ROBOT_WELD ? "fixed" : "ball");
    put_end(w, "a", swap ? tie->b : tie->a);
    put_end(w, "b", swap ? tie->a : tie->b);
    put_vec(w->out, ", \"at\": ", at);
    fputs(", \"collide\": true}", w->out);
}

static void put_pair(writer* w, int a, int b)
{
    char name[96];
    fputs(w->items++ ? ",\n    [" : "\n    [", w->out);
    put_string(w->out, body_name(w, a, name, sizeof name));
    fputs(", ", w->out);
    put_string(w->out, body_name(w, b, name, sizeof name));
    fputc(']', w->out);
}

// pairs of the file, and links joined by several joints
static void put_exclusions(writer* w)
{
    const cairn_robot* robot = w->robot;

    // pairs that the file lists
    for (int i = 0; i < robot->tie_count; i++) {
        const robot_tie* tie = &robot->ties[i];
        int a = tie->a, b = tie->b;
        if (tie->kind != ROBOT_EXCLUDE || a < 0 || b < 0)
            continue;

        a = robot->links[a].body;
        b = robot->links[b].body;
        if (a >= 0 && b >= 0 && a != b)
            put_pair(w, robot->links[a].model, robot->links[b].model);
    }

    // bodies between the joints of a link part it from its parent, so the two would collide
    for (int i = 0; i < robot->link_count && robot->self_collision; i++) {
        const robot_link* link = &robot->links[i];
        if (link->joint_count > 1 && link->parent >= 0)
            put_pair(w, robot->links[link->parent].model, link->model);
    }
}

// ---------------------------------------------------------------- sensors

static void put_sensor(writer* w, const robot_sensor* s)
{
    const cairn_robot* robot = w->robot;
    const robot_link* link = s->link >= 0 ? &robot->links[s->link] : NULL;
    const robot_joint* joint = s->joint >= 0 ? &robot->joints[s->joint] : NULL;
    bool forces = strcmp(s->kind, "force_torque") == 0;
    char name[96];

    // what does not move, or has no joint in a scene
    if (forces)
        joint = &robot->joints[robot->model_joint[link->model]];
    if ((link && link->body < 0) || (joint && joint->mobility == CAIRN_MOBILITY_FREE)) {
        s->from->taken = false;
        return;
    }

    begin_item(w);
    fputs("\"name\": ", w->out);
    put_string(w->out, s->name);
    fprintf(w->out, ", \"kind\": \"%s\"", s->kind);

    // joint sensors count the coordinate from the file's zero
    if (joint) {
        fputs(", \"joint\": ", w->out);
        put_string(w->out, joint->name);
    }
    if (joint && !forces)
        fprintf(w->out, ", \"offset\": %.17g", joint->start + joint->ref);

    if (!joint) {
        fputs(", \"body\": ", w->out);
        put_string(w->out, body_name(w, robot->links[link->body].model, name, sizeof name));
    }

    if (link) {
        fputs(", ", w->out);
        put_pose(w->out, cairn_transform_multiply(link->in_body, s->at));
    }

    if (strcmp(s->kind, "touch") == 0) {
        fputs(", \"shape\": ", w->out);
        put_shape(w->out, &s->zone);
    }
    if (strcmp(s->kind, "range") == 0 && s->length > 0.0)
        fprintf(w->out, ", \"length\": %.17g", s->length);
    fputc('}', w->out);
}

// ---------------------------------------------------------------- the scene

static void put_all(writer* w)
{
    const cairn_robot* robot = w->robot;
    int count = cairn_multibody_links(robot->model);
    fputs("{\n  \"cairn\": 1,\n  \"title\": ", w->out);
    put_string(w->out, robot->name);
    put_vec(w->out, ",\n  \"gravity\": ", robot->gravity);
    if (robot->dt > 0.0)
        fprintf(w->out, ",\n  \"run\": {\"dt\": %.17g}", robot->dt);

    // classes of shapes are known before the first filter is written
    for (int i = 0; i < robot->link_count; i++)
        if (robot->links[i].joint_count > 0)
            class_of_body(w, i, NULL);
    for (int i = 0; i < robot->geom_count; i++)
        if (robot->geoms[i].collides && robot->links[robot->geoms[i].link].body < 0)
            class_of_body(w, -1, &robot->geoms[i]);

    fputs(",\n  \"bodies\": [", w->out);
    w->items = 0;
    put_static(w);
    for (int i = 0; i < count; i++)
        put_body(w, i);
    for (int i = 0; i < robot->coupler_count; i++)
        if (robot->couplers[i].made)
            put_coupler_body(w, &robot->couplers[i]);

    fputs("\n  ],\n  \"joints\": [", w->out);
    w->items = 0;
    for (int i = 0; i < count; i++)
        put_joint(w, i);
    for (int i = 0; i < robot->tie_count; i++)
        put_tie(w, &robot->ties[i]);

    fputs("\n  ],\n  \"exclude\": [", w->out);
    w->items = 0;
    put_exclusions(w);

    fputs("\n  ],\n  \"drives\": [", w->out);
    w->items = 0;
    for (int i = 0; i < count; i++)
        put_push(w, i);

    fputs("\n  ],\n  \"sensors\": [", w->out);
    w->items = 0;
    for (int i = 0; i < robot->sensor_count; i++)
        put_sensor(w, &robot->sensors[i]);

    fputs("\n  ]\n}\n", w->out);
}

void robot_make_scene(robot_reader* r)
{
    size_t size = 0;
    writer w = {.r = r, .robot = r->robot, .out = open_memstream(&r->robot->scene, &size)};
    if (!w.out) {
        robot_starve(r);
        return;
    }
    put_all(&w);
    bool failed = ferror(w.out);
    if (fclose(w.out) != 0 || failed)
        robot_starve(r);
}
