// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// How many substeps a step takes: what joints under load beside contacts need, and what a budget has
// room for.

#include "world/step/step.h"

// N s: what a joint may bear of which nothing is known yet: the weight of all
static double weight_of(const cairn_group* group, const cairn_island* island,
                        const cairn_world* world, double dt)
{
    double mass = 0.0, borne = 0.0;
    for (int i = 0; i < island->link_count; i++)
        borne += world->links[group->links[island->link + i]].borne;
    for (int i = 0; i < island->body_count && borne == 0.0; i++)
        mass += 1.0 / world->bodies[group->bodies[island->body + i]].inverse_mass;
    return mass * cairn_norm(world->def.gravity) * dt;
}

// what the joints of a body do to its turning: Σ |r| |F| (1 - r r^T/|r|²), principal axes
typedef struct moment {
    double xx, yy, zz, xy, xz, yz; // N m
} moment;

static void add_moment(moment* sum, cairn_vec3 r, double force)
{
    double length = cairn_norm(r), f = length > 0.0 ? force / length : 0.0;
    sum->xx += f * (r.y * r.y + r.z * r.z);
    sum->yy += f * (r.x * r.x + r.z * r.z);
    sum->zz += f * (r.x * r.x + r.y * r.y);
    sum->xy -= f * r.x * r.y;
    sum->xz -= f * r.x * r.z;
    sum->yz -= f * r.y * r.z;
}

// rad²/s²: the norm of I^-½ G I^-½
static double rate_of(const moment* G, cairn_vec3 I)
{
    double x = G->xx / I.x, y = G->yy / I.y, z = G->zz / I.z;
    double mixed =
        G->xy * G->xy / (I.x * I.y) + G->xz * G->xz / (I.x * I.z) + G->yz * G->yz / (I.y * I.z);
    return sqrt(x * x + y * y + z * z + 2.0 * mixed);
}

// rad²/s²: how stiff the joints of an island make its lightest body: with the forces F of the last
// step at the arms r, ω² <= |I^-½ Σ |r| |F| (1 - r r^T/|r|²) I^-½| for every transverse mode.
static double stiffness_of(const cairn_group* group, const cairn_island* island,
                           const cairn_world* world, double dt, moment* moments)
{
    double most = 0.0, weight = weight_of(group, island, world, dt);
    for (int i = 0; i < island->link_count; i++) {
        const cairn_link* link = &world->links[group->links[island->link + i]];
        const int slots[2] = {link->a, link->b};
        const cairn_vec3 arms[2] = {link->frame_a.p, link->frame_b.p};
        for (int side = 0; side < 2; side++)
            if (slots[side] >= 0 && group->local[slots[side]] >= 0)
                add_moment(&moments[group->local[slots[side]]], arms[side],
                           fmax(link->borne, weight) / dt);
    }
    for (int i = 0; i < island->body_count; i++) {
        int slot = group->bodies[island->body + i];
        most = fmax(most, rate_of(&moments[i], world->bodies[slot].inertia));
    }
    return most;
}

cairn_status cairn_pace_joints(int* substeps, const cairn_group* group, cairn_world* world,
                               double dt)
{
    double stiffest = 0.0;
    for (int i = 0; i < group->count; i++) {
        const cairn_island* island = &group->islands[i];
        if (island->rested || island->advanced || island->link_count == 0)
            continue;
        cairn_arena_mark mark = cairn_arena_here(&world->arena);
        moment* moments = CAIRN_TAKE_ZEROED(&world->arena, moment, island->body_count);
        if (!moments)
            return CAIRN_NO_MEMORY;
        stiffest = fmax(stiffest, stiffness_of(group, island, world, dt, moments));
        cairn_arena_release(&world->arena, mark);
    }
    while (2 * *substeps <= world->def.most_substeps &&
           stiffest * dt * dt > 2.0 * *substeps * *substeps)
        *substeps *= 2;
    return CAIRN_OK;
}

// s: the part of a budget that solves may use; the rest is for what ends the step
static const double usable_share = 0.85;

// Detection costs about as much as two substeps.
int cairn_pace_afford(const cairn_world* world, int substeps, double started)
{
    double end = started + usable_share * world->def.budget, now = cairn_clock();
    double each = 0.5 * (now - started);
    while (world->def.budget > 0.0 && substeps > 1 && now + substeps * each > end)
        substeps /= 2;
    return substeps;
}

double cairn_pace_deadline(const cairn_world* world, double started, int left)
{
    double end = started + usable_share * world->def.budget, now = cairn_clock();
    return world->def.budget > 0.0 ? now + fmax(end - now, 0.0) / left : 0.0;
}
