// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// A character as a kinematic capsule that a program moves by casts of its shape: it walks, climbs
// steps of 0.3 m, slides along walls, falls where there is no ground, and rides on what moves. The
// scene is examples/character.json.
#include "example.h"
#include <cairn/io.h>

enum { solid = 1 };
static const double radius = 0.3, half = 0.6, climb = 0.35, skin = 0.01;

// what moves, and what it stands on
typedef struct walker {
    cairn_vec3 at;
    double fall; // m/s
    cairn_body_id ground;
    cairn_transform before; // where that was a step ago
} walker;

// where a capsule is stopped on its way; false: nowhere
static bool cast(const cairn_world* world, cairn_vec3 at, cairn_vec3 way, cairn_body_hit* hit)
{
    cairn_shape capsule = cairn_shape_capsule(radius, half);
    cairn_transform from = {at, cairn_quat_identity()};
    cairn_error error;
    must(cairn_world_cast_shape(world, &capsule, from, way, solid, hit, &error), &error);
    return hit->body.generation != 0;
}

// moves it by a way as far as it is free, along what it meets; up to four times
static cairn_vec3 slide(const cairn_world* world, cairn_vec3 at, cairn_vec3 way)
{
    for (int i = 0; i < 4 && cairn_norm(way) > 1e-9; i++) {
        cairn_body_hit hit;
        double length = cairn_norm(way);
        if (!cast(world, at, cairn_scale((length + skin) / length, way), &hit))
            return cairn_add(at, way);
        double free = fmax(hit.t * (length + skin) - skin, 0.0);
        at = cairn_add_scaled(at, free / length, way);
        way = cairn_scale(1.0 - free / length, way);
        way = cairn_add_scaled(way, -fmin(cairn_dot(way, hit.normal), 0.0), hit.normal);
    }
    return at;
}

// a step of a walk: up, forwards, and down again by as much or as far as it falls
static void walk(const cairn_world* world, walker* w, cairn_vec3 way)
{
    cairn_body_hit hit;
    cairn_vec3 up = slide(world, w->at, cairn_vec(0.0, 0.0, climb));
    cairn_vec3 there = slide(world, up, way);
    w->fall += g * dt;
    double down = (up.z - w->at.z) + w->fall * dt;
    bool stands = cast(world, there, cairn_vec(0.0, 0.0, -down - skin), &hit);
    w->at = slide(world, there, cairn_vec(0.0, 0.0, -down));
    w->ground = stands ? hit.body : (cairn_body_id){0};
    w->before = stands ? state(world, hit.body).pose : w->before;
    w->fall = stands ? 0.0 : w->fall;
}

// what it stands on has moved in the last step, and takes it along
static void ride(const cairn_world* world, walker* w)
{
    if (w->ground.generation == 0)
        return;
    cairn_transform now = state(world, w->ground).pose;
    w->at = cairn_transform_point(now, cairn_transform_point_back(w->before, w->at));
}

// walks for some steps at a velocity
static void go(cairn_scene* scene, cairn_body_id hero, walker* w, int steps, double x, double y)
{
    cairn_world* world = cairn_scene_world(scene);
    cairn_error error;
    for (int i = 0; i < steps; i++) {
        ride(world, w);
        walk(world, w, cairn_scale(dt, cairn_vec(x, y, 0.0)));
        cairn_transform to = {w->at, cairn_quat_identity()};
        must(cairn_body_set_target(world, hero, to, dt, &error), &error);
        must(cairn_scene_step(scene, dt, NULL, &error), &error);
    }
}

int main(void)
{
    cairn_scene* scene;
    cairn_error error;
    cairn_body_id hero, crate, lift;
    must(cairn_scene_read("character.json", NULL, &scene, &error), &error);
    cairn_world* world = cairn_scene_world(scene);
    if (!cairn_scene_find(scene, "hero", &hero) || !cairn_scene_find(scene, "crate", &crate) ||
        !cairn_scene_find(scene, "lift", &lift))
        return 1;

    // 2 m/s along x, and a little to the left, against the crate, up the steps and along the wall
    walker w = {.at = state(world, hero).pose.p};
    go(scene, hero, &w, 61, 2.0, 0.3);
    fact("the crate is pushed ahead (1: yes)", state(world, crate).pose.p.x > 1.6, 1.0, 0.0);
    go(scene, hero, &w, 239, 2.0, 0.3);
    fact("up on three steps of 0.3 m, m", w.at.z - radius - half, 0.9, 2.0 * skin);
    fact("stopped by the wall at x, m", w.at.x, 5.5 - radius, 2.0 * skin);
    fact("slid along it, m", w.at.y, 0.3 * 300 * dt, 0.1);

    // onto the lift, which rises by 1.5 m from 7.5 s on, moves and turns
    go(scene, hero, &w, 75, 0.0, 1.2);
    go(scene, hero, &w, 165, 0.0, 0.0);
    fact("up on the lift, m", state(world, hero).pose.p.z - radius - half, 0.9 + 1.5, 3.0 * skin);
    cairn_vec3 seen = cairn_transform_point_back(w.before, w.at);
    go(scene, hero, &w, 120, 0.0, 0.0);
    cairn_vec3 then = cairn_transform_point_back(w.before, w.at);
    fact("carried along, x in m", state(world, lift).pose.p.x, 4.0, 1e-6);
    fact("moved on the lift that turned, m", cairn_norm(cairn_sub(then, seen)), 0.0, 1e-3);
    cairn_scene_destroy(scene);
    return 0;
}
