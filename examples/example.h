// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// What the examples share: a world, bodies in one line, and facts that must be so.
#ifndef CAIRN_EXAMPLE_H
#define CAIRN_EXAMPLE_H

#include <cairn/cairn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const double dt = 1.0 / 60.0, g = 9.81;

/// Ends the program where a call is refused.
static inline void must(cairn_status status, const cairn_error* error)
{
    if (status == CAIRN_OK)
        return;
    fprintf(stderr, "%s\n", error->text);
    exit(1);
}

/// A fact: prints it, and ends the program where it is not so.
static inline void fact(const char* what, double value, double expected, double within)
{
    printf("%-44s %10.4f   expected %10.4f ± %g\n", what, value, expected, within);
    if (!(fabs(value - expected) <= within))
        exit(1);
}

static inline cairn_world* make_world(void)
{
    cairn_world_def def = cairn_default_world_def();
    cairn_world* world;
    cairn_error error;
    must(cairn_world_create(&def, &world, &error), &error);
    return world;
}

/// A body of a mass (kg; 0: static) at a place.
static inline cairn_body_id add(cairn_world* world, cairn_shape shape, double mass, double x,
                                double y, double z)
{
    cairn_body_def def = cairn_default_body_def();
    cairn_body_id id;
    cairn_error error;
    def.type = mass > 0.0 ? CAIRN_BODY_DYNAMIC : CAIRN_BODY_STATIC;
    def.shape = &shape;
    def.mass = mass;
    def.pose.p = cairn_vec(x, y, z);
    def.material.mu = 0.8;
    must(cairn_world_add_body(world, &def, &id, &error), &error);
    return id;
}

static inline cairn_shape box(double x, double y, double z)
{
    return cairn_shape_box(cairn_vec(0.5 * x, 0.5 * y, 0.5 * z));
}

static inline cairn_body_state state(const cairn_world* world, cairn_body_id id)
{
    cairn_body_state s;
    cairn_error error;
    must(cairn_body_get(world, id, &s, &error), &error);
    return s;
}

static inline void step(cairn_world* world, int times)
{
    cairn_error error;
    for (int i = 0; i < times; i++)
        must(cairn_world_step(world, dt, NULL, &error), &error);
}

/// A joint whose two frames coincide now at a point of the world, with the z axis along `axis`.
static inline cairn_joint_def joint_at(const cairn_world* world, cairn_joint_kind kind,
                                       cairn_body_id a, cairn_body_id b, cairn_vec3 at,
                                       cairn_vec3 axis)
{
    cairn_joint_def def = cairn_default_joint_def(kind);
    cairn_vec3 z = cairn_vec(0.0, 0.0, 1.0), turn = cairn_cross(z, axis);
    double angle = atan2(cairn_norm(turn), cairn_dot(z, axis));
    cairn_transform frame = {at, cairn_quat_identity()};
    if (cairn_norm(turn) > 0.0)
        frame.q = cairn_quat_from_rotation_vector(cairn_scale(angle, cairn_normalize(turn)));
    def.body_a = a;
    def.body_b = b;
    def.frame_a = frame;
    if (a.generation != 0)
        def.frame_a = cairn_transform_relative(state(world, a).pose, frame);
    def.frame_b = cairn_transform_relative(state(world, b).pose, frame);
    return def;
}

static inline cairn_joint_id add_joint(cairn_world* world, const cairn_joint_def* def)
{
    cairn_joint_id id;
    cairn_error error;
    must(cairn_world_add_joint(world, def, &id, &error), &error);
    return id;
}

static inline cairn_joint_motion motion(const cairn_world* world, cairn_joint_id id)
{
    cairn_joint_motion m;
    cairn_error error;
    must(cairn_joint_get_motion(world, id, &m, &error), &error);
    return m;
}

/// N: what the contacts of the last step press on a body, upwards.
static inline double load_on(const cairn_world* world, cairn_body_id id)
{
    int count;
    double sum = 0.0;
    const cairn_contact* contacts = cairn_world_contacts(world, &count);
    for (int i = 0; i < count; i++)
        sum += ((contacts[i].body_b.index == id.index) - (contacts[i].body_a.index == id.index)) *
               contacts[i].impulse.z / dt;
    return sum;
}

static const cairn_body_id the_world = {0, 0};

#endif
