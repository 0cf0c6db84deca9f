// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// How many substeps a step takes: what joints under load beside contacts need, and what blows do.

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

// what the joints of an island do to the turning of its bodies
static void list_moments(moment* moments, const cairn_group* group, const cairn_island* island,
                         const cairn_world* world, double dt)
{
    double weight = weight_of(group, island, world, dt);
    for (int i = 0; i < island->link_count; i++) {
        const cairn_link* link = &world->links[group->links[island->link + i]];
        const int slots[2] = {link->a, link->b};
        const cairn_vec3 arms[2] = {link->frame_a.p, link->frame_b.p};
        for (int side = 0; side < 2; side++)
            if (slots[side] >= 0 && group->local[slots[side]] >= 0)
                add_moment(&moments[group->local[slots[side]]], arms[side],
                           fmax(link->borne, weight) / dt);
    }
}

// whether an island goes through the substeps with joints
static bool is_paced(const cairn_island* island)
{
    return !island->rested && !island->advanced && island->link_count > 0;
}

// Bodies with too little inertia for the forces in their joints, ω² = |I^-½ G I^-½| of
// list_moments: a substep of h seconds resolves h² ω² <= 2.
static const double stable = 2.0;

// All islands take the same substeps. Where that is much work, bodies get more inertia instead: a
// blow to one limb of a hundred figures is worth no substeps of all others.
enum { most_work = 6400 }; // joints times substeps

// Springs ask for h ω <= 1/3: frequencies right to one percent.
enum { most_for_springs = 16 };
static const double spring_turn = 1.0 / 3.0;

// rad²/s²: of the springs of an island
static double spring_rate(const cairn_group* group, const cairn_island* island,
                          const cairn_world* world)
{
    double most = 0.0;
    for (int i = 0; i < island->link_count; i++)
        most = fmax(most,
                    cairn_link_spring_rate(world, &world->links[group->links[island->link + i]]));
    return most;
}

cairn_status cairn_pace_joints(int* substeps, const cairn_group* group, cairn_world* world,
                               double dt)
{
    double stiffest = 0.0, springs = 0.0;
    int joints = 0;

    for (int i = 0; i < group->count; i++) {
        const cairn_island* island = &group->islands[i];
        if (!is_paced(island))
            continue;
        joints += island->link_count;

        cairn_arena_mark mark = cairn_arena_here(&world->arena);
        moment* moments = CAIRN_TAKE_ZEROED(&world->arena, moment, island->body_count);
        if (!moments)
            return CAIRN_NO_MEMORY;
        springs = fmax(springs, spring_rate(group, island, world));
        list_moments(moments, group, island, world, dt);
        for (int k = 0; k < island->body_count; k++) {
            const cairn_body* body = &world->bodies[group->bodies[island->body + k]];
            stiffest = fmax(stiffest, rate_of(&moments[k], body->inertia));
        }
        cairn_arena_release(&world->arena, mark);
    }

    int most = world->def.most_substeps;
    while (2 * *substeps <= (most < most_for_springs ? most : most_for_springs) &&
           sqrt(springs) * dt > spring_turn * *substeps)
        *substeps *= 2;

    while (2 * *substeps <= most && 2 * *substeps * joints <= most_work &&
           stiffest * dt * dt > stable * *substeps * *substeps)
        *substeps *= 2;
    return CAIRN_OK;
}

// Whether bodies of an open contact will strike so fast that a substep takes them far into each
// other: what they are driven into is seen only when it ends.
static bool is_violent(const cairn_touch* touch, const cairn_world* world, double dt, double h)
{
    const double share = 0.1; // of the size of the smaller body
    const cairn_body *a = &world->bodies[touch->a], *b = &world->bodies[touch->b];
    double size = a->radius > 0.0 && b->radius > 0.0 ? fmin(a->radius, b->radius)
                                                     : fmax(a->radius, b->radius);
    if (touch->gap <= world->touching || share * size >= h * cairn_norm(cairn_sub(b->v, a->v)))
        return false;
    cairn_reach reach = cairn_touch_reach(touch, world);
    double closing = -cairn_dot(reach.n, cairn_touch_slip(touch, world, &reach));
    return h * closing > share * size && reach.gap < dt * closing;
}

void cairn_pace_blows(int* substeps, const cairn_group* group, const cairn_world* world, double dt)
{
    enum { few_contacts = 64 };
    double h = dt / *substeps;
    for (int i = 0; i < group->count; i++) {
        const cairn_island* island = &group->islands[i];
        bool pile = island->plain && !island->springy && island->touch_count > few_contacts;
        for (int c = 0; c < island->touch_count && pile && !island->rested; c++)
            if (is_violent(&world->touches[group->touches[island->touch + c]], world, dt, h)) {
                *substeps *= 2;
                return;
            }
    }
}

// ---------------------------------------------------------------- raised inertia

// A body whose inertia the substeps cannot resolve gets more of it, by a power of two, and keeps it
// as long as it needs a quarter of that: to raise and lower it again and again would feed on its
// spin. Its angular momentum stays.
static double raise_body(cairn_body* body, double need)
{
    double before = fmax(body->pace.raised, 1.0), factor = before;
    while (factor < need)
        factor *= 2.0;
    if (factor == before && factor > 1.0 && need < 0.25 * factor)
        factor *= 0.5;
    if (factor > before)
        body->w = cairn_scale(before / factor, body->w);
    body->pace.raised = factor > 1.0 ? factor : 0.0;
    return factor;
}

cairn_status cairn_pace_raise(double** raised, const cairn_group* group, cairn_world* world,
                              double dt, double h)
{
    for (int i = 0; i < group->count; i++) {
        const cairn_island* island = &group->islands[i];
        if (!is_paced(island) || island->touch_count == 0)
            continue;

        if (!*raised)
            *raised = CAIRN_TAKE_ZEROED(&world->keep, double, world->body_count);
        cairn_arena_mark mark = cairn_arena_here(&world->arena);
        moment* moments = CAIRN_TAKE_ZEROED(&world->arena, moment, island->body_count);
        if (!*raised || !moments)
            return CAIRN_NO_MEMORY;

        list_moments(moments, group, island, world, dt);

        // inertia is raised as far as the stiffness needs, until the step ends
        for (int k = 0; k < island->body_count; k++) {
            int slot = group->bodies[island->body + k];
            cairn_body* body = &world->bodies[slot];
            double need = rate_of(&moments[k], body->inertia) * h * h / stable;
            double factor = cairn_body_active(body) ? raise_body(body, need) : 1.0;
            if (factor == 1.0)
                continue;
            (*raised)[slot] = factor;
            body->inertia = cairn_scale(factor, body->inertia);
            cairn_body_refresh(body);
        }

        cairn_arena_release(&world->arena, mark);
    }
    return CAIRN_OK;
}

void cairn_pace_lower(const double* raised, cairn_world* world)
{
    for (int i = 0; i < world->body_count && raised; i++) {
        cairn_body* body = &world->bodies[i];
        if (raised[i] == 0.0)
            continue;
        body->inertia = cairn_scale(1.0 / raised[i], body->inertia);
        cairn_body_refresh(body);
    }
}
