// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// A character as a kinematic capsule that a program moves by casts of its shape: it walks, climbs
// steps of 0.3 m, slides along walls, and falls where there is no ground.
#include "example.h"

enum { walkers = 2, solid = 1 };
static const double radius = 0.3, half = 0.6, climb = 0.35, skin = 0.01;

// moves a capsule by a way as far as it is free, along what it meets; up to four times
static cairn_vec3 slide(const cairn_world* world, cairn_vec3 at, cairn_vec3 way)
{
    cairn_shape capsule = cairn_shape_capsule(radius, half);
    for (int i = 0; i < 4 && cairn_norm(way) > 1e-9; i++) {
        cairn_body_hit hit;
        cairn_error error;
        cairn_transform from = {at, cairn_quat_identity()};
        double length = cairn_norm(way);
        cairn_vec3 ahead = cairn_scale((length + skin) / length, way);
        must(cairn_world_cast_shape(world, &capsule, from, ahead, solid, &hit, &error), &error);
        if (hit.body.generation == 0)
            return cairn_add(at, way);
        double free = fmax(hit.t * (length + skin) - skin, 0.0);
        at = cairn_add_scaled(at, free / length, way);
        way = cairn_scale(1.0 - free / length, way);
        way = cairn_add_scaled(way, -fmin(cairn_dot(way, hit.normal), 0.0), hit.normal);
    }
    return at;
}

// a step of a walk: up, forwards, and down again by as much or as far as it falls
static cairn_vec3 walk(const cairn_world* world, cairn_vec3 at, cairn_vec3 way, double* fall)
{
    cairn_vec3 up = slide(world, at, cairn_vec(0.0, 0.0, climb));
    cairn_vec3 there = slide(world, up, way);
    *fall += g * dt;
    double down = (up.z - at.z) + *fall * dt;
    cairn_vec3 feet = slide(world, there, cairn_vec(0.0, 0.0, -down));
    if (feet.z > there.z - down + 1e-6)
        *fall = 0.0;
    return feet;
}

int main(void)
{
    cairn_world* world = make_world();
    cairn_error error;
    add(world, cairn_shape_half_space(), 0.0, 0.0, 0.0, 0.0);
    for (int i = 0; i < 3; i++)
        add(world, box(1.0, 4.0, 0.3 * (i + 1)), 0.0, 3.0 + i, 0.0, 0.15 * (i + 1));
    add(world, box(0.4, 4.0, 3.0), 0.0, 5.7, 0.0, 1.5); // a wall behind the stairs
    cairn_body_id crate = add(world, box(0.4, 0.4, 0.4), 10.0, 1.5, 0.0, 0.2);
    cairn_shape capsule = cairn_shape_capsule(radius, half);
    cairn_body_def def = cairn_default_body_def();
    cairn_body_id hero;
    def.type = CAIRN_BODY_KINEMATIC;
    def.shape = &capsule;
    def.pose.p = cairn_vec(0.0, 0.0, radius + half + skin);
    def.category = walkers;
    must(cairn_world_add_body(world, &def, &hero, &error), &error);
    must(cairn_body_set_filter(world, crate, 4, 0xffffffffu, &error), &error); // is pushed

    // 2 m/s along x, and a little to the left; the body goes where the casts lead it
    double fall = 0.0, highest = 0.0;
    cairn_vec3 at = def.pose.p;
    for (int i = 0; i < 300; i++) {
        at = walk(world, at, cairn_scale(dt, cairn_vec(2.0, 0.3, 0.0)), &fall);
        cairn_transform to = {at, cairn_quat_identity()};
        must(cairn_body_set_target(world, hero, to, dt, &error), &error);
        step(world, 1);
        highest = fmax(highest, at.z);
        if (i == 60)
            fact("the crate is pushed ahead (1: yes)", state(world, crate).pose.p.x > 1.6, 1., 0.);
    }
    fact("up on three steps of 0.3 m, m", highest - radius - half, 0.9, 2.0 * skin);
    fact("stopped by the wall at x, m", at.x, 5.5 - radius, 2.0 * skin);
    fact("slid along it, m", at.y, 0.3 * 300 * dt, 0.1);
    cairn_world_destroy(world);
    return 0;
}
