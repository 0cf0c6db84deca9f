// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The angles of joints beyond a full turn. Poses give an angle φ up to 2π k. In the islands every substep
// takes the k that is nearest to where the angle was before, which is right up to half a turn in a
// substep. Over the whole step of dt seconds the rates s at its begin and its end tell more:
//
//     φ₁ ≈ φ₀ + dt (s₀ + s₁)/2,
//
// which misses by at most dt |s₁ - s₀|/2 where the rate goes from the one to the other: as long as that
// is less than half a turn, it decides. What turns by less than 1 rad in a step needs none of it, unless
// no island has followed it: a joint that holds nothing and on which nothing acts, or one between
// bodies that move by themselves.

#include "world/state.h"

static const double half_turn = 3.141592653589793, slow = 1.0;

// rad/s: of B against A
static cairn_vec3 spin_of(const cairn_world* world, const cairn_link* link)
{
    cairn_vec3 spin = cairn_body_turning(&world->bodies[link->b]);
    if (link->a == CAIRN_WORLD_BODY)
        return spin;
    return cairn_sub(spin, cairn_body_turning(&world->bodies[link->a]));
}

static bool is_frozen(const cairn_world* world, const cairn_link* link)
{
    return world->bodies[link->b].frozen ||
           (link->a != CAIRN_WORLD_BODY && world->bodies[link->a].frozen);
}

void cairn_world_note_angles(cairn_world* world, double dt)
{
    for (int i = 0; i < world->link_count; i++) {
        cairn_link* link = &world->links[i];
        link->turns_before = link->turns;
        link->rate_before = 0.0;
        if (!link->alive || is_frozen(world, link))
            continue;

        cairn_vec3 spin = spin_of(world, link), axis;
        if (dt * cairn_norm(spin) <= slow)
            continue;

        cairn_link_place place = cairn_link_where(world, link);
        if (!cairn_link_angle_axis(&axis, link, &place))
            continue;
        link->turns_before = place.coordinate;
        link->rate_before = cairn_dot(axis, spin);
    }
}

void cairn_world_follow_angles(cairn_world* world, double dt)
{
    for (int i = 0; i < world->link_count; i++) {
        cairn_link* link = &world->links[i];
        if (!link->alive || is_frozen(world, link))
            continue;

        // most joints turn slowly, in an island or not at all
        cairn_vec3 spin = spin_of(world, link), axis;
        bool fast = link->rate_before != 0.0 || dt * cairn_norm(spin) > slow;
        bool followed = cairn_link_active(world, link) || cairn_norm(spin) == 0.0;
        if (!fast && followed)
            continue;

        cairn_link_place place = cairn_link_where(world, link);
        if (!cairn_link_angle_axis(&axis, link, &place))
            continue;
        double rate = cairn_dot(axis, spin);
        if (!(0.5 * dt * fabs(rate - link->rate_before) < half_turn))
            continue;
        link->turns = link->turns_before + 0.5 * dt * (link->rate_before + rate);
        link->turns = cairn_link_where(world, link).coordinate;
    }
}
