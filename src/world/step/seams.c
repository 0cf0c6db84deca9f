// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Contacts at seams. Two boxes side by side make one floor, but each has edges and sides of its own:
// a body that slides over the seam meets the side of the next box, and would stop there. A contact
// (X, Y; n) is such a ghost if the plane of another contact of X that stays, with a body or part Z,
// through the point p' of Z with the normal n' towards X, separates X from Y as well:
//
//     1 - n·n' >= 1e-14 (Y or Z loose: 1e-7; polytopes: 0.05)      it is another direction,
//     max_Y n'·y - n'·p' <= min(0.1 mm, ρ_X (1 - n·n')/4)      Y does not stick out of the plane,
//     n'·p' - min_X n'·x <= 0.1 mm - gap           X is above it, but for what it has sunk into Z.
//
// The row of that contact guards a plane between X and Y, so that the pair needs none. A real step
// sticks out. The heights of bricks that lie loose are known to a gap that counts as closed, no
// better: it takes the place of the 0.1 mm. A ball on two edges sticks out of the plane of each by
// ρ (1 - n·n'), whatever the width of the gap.
//
// A row guards its plane at one point: what has corners may turn about that point into what lies
// flush, so that it keeps the contacts whose normals are nearly the same, n' in place of the n of an
// edge that it just passes. Contacts are tried from the widest gap to the smallest, and only those
// that stay drop others, so that two never drop each other. What bore a load in the last step is no
// ghost, and what moves slower against each other than a centimeter a second stumbles over nothing.
// A plane that gives way guards nothing: a ball that strikes a brick of a wall meets those about it
// within the same step.

#include "world/step/seams.h"
#include "collide/narrow/support.h"
#include <stdlib.h>

// 1 - n·n' of what rolls over bodies that do not move (a hundred times its round-off), over others, and of
// what has corners
static const double fixed_turn = 1e-14;
static const double round_turn = 1e-7;
static const double corner_turn = 0.05;
static const double slow = 1e-2; // m/s
static const double blow = 0.3;  // m/s: lets 5 mm through in a step of 1/60 s

double cairn_body_reach(const cairn_body* body, int part, cairn_vec3 d)
{
    const cairn_shape* shape = &body->shape;
    cairn_transform x = cairn_body_shape_pose(body);
    if (shape->kind == CAIRN_SHAPE_COMPOUND) {
        x = cairn_transform_multiply(x, shape->data.compound->offsets[part]);
        shape = &shape->data.compound->parts[part];
    }
    if (shape->kind == CAIRN_SHAPE_HALF_SPACE || !cairn_shape_is_convex(shape))
        return INFINITY;
    return cairn_dot(d, x.p) + cairn_shape_reach(shape, cairn_rotate_back(x.q, d));
}

// Most planes are told apart by the centers: Y sticks out where its center does.
bool cairn_plane_parts(const cairn_world* world, const cairn_plane* plane, double turn,
                       const cairn_body* x, int part_x, const cairn_body* y, int part_y)
{
    cairn_vec3 n = plane->normal;
    if (cairn_dot(n, cairn_sub(x->x, y->x)) <= 0.0)
        return false;
    bool compound = y->shape.kind == CAIRN_SHAPE_COMPOUND;
    if (!compound && cairn_dot(n, y->x) - plane->level > world->touching)
        return false;
    bool fixed = plane->fixed && y->type == CAIRN_BODY_STATIC;
    double flush = fixed ? cairn_flush : world->touching;
    double allowed = fmin(flush, 0.25 * x->radius * turn);
    return cairn_body_reach(y, part_y, n) - plane->level <= allowed &&
           plane->level + cairn_body_reach(x, part_x, cairn_neg(n)) <= flush + plane->sunk;
}

static cairn_vec3 velocity_at(const cairn_body* body, cairn_vec3 r)
{
    return cairn_add(body->v, cairn_cross(body->w, r));
}

// whether X strikes Z, of which it has the plane with the normal n, out of its place: without restitution both go
// on at the share m_X / (m_X + m_Z) of the speed of approach
static bool gives_way(const cairn_body* x, cairn_vec3 r_x, const cairn_body* z, cairn_vec3 r_z,
                      cairn_vec3 n)
{
    if (!cairn_body_active(z))
        return false;
    double approach = cairn_dot(n, cairn_sub(velocity_at(z, r_z), velocity_at(x, r_x)));
    return approach * z->inverse_mass > blow * (x->inverse_mass + z->inverse_mass);
}

// what the plane of a contact makes of another one
typedef enum verdict { is_none_of_it, is_its_plane, is_ghost } verdict;

// Whether the plane of k, a contact of the body x, separates the pair of c; frames of contacts are
// fresh.
static verdict separates(const cairn_touch* k, const cairn_touch* c, const cairn_world* world,
                         int x)
{
    bool c_side = c->b == x, k_side = k->b == x;
    cairn_vec3 n = k_side ? k->n : cairn_neg(k->n); // towards X
    double turn = 1.0 - cairn_dot(n, c_side ? c->n : cairn_neg(c->n));
    const cairn_body* body_x = &world->bodies[x];
    cairn_shape_kind kind = body_x->shape.kind;
    bool rolls = kind == CAIRN_SHAPE_SPHERE || kind == CAIRN_SHAPE_CAPSULE ||
                 kind == CAIRN_SHAPE_CYLINDER || kind > CAIRN_SHAPE_COMPOUND;
    bool edge = c->rule != CAIRN_RULE_FACE_A && c->rule != CAIRN_RULE_FACE_B;
    const cairn_body* body_y = &world->bodies[c_side ? c->a : c->b];
    const cairn_body* body_z = &world->bodies[k_side ? k->a : k->b];
    bool fixed = body_y->type == CAIRN_BODY_STATIC && body_z->type == CAIRN_BODY_STATIC;
    if (turn < (fixed ? fixed_turn : round_turn) || (turn < corner_turn && !rolls && !edge))
        return is_none_of_it;
    if (cairn_dot(n, cairn_sub(body_x->x, body_z->x)) <= 0.0 ||
        cairn_dot(n, cairn_sub(body_x->x, body_y->x)) <= 0.0)
        return is_none_of_it; // most end here, before anything is placed
    cairn_reach at = cairn_touch_reach(k, world);
    cairn_plane plane = {n, cairn_dot(n, cairn_add(body_z->x, k_side ? at.r_a : at.r_b)),
                         fmax(-at.gap, 0.0), body_z->type == CAIRN_BODY_STATIC};
    int part_x = c_side ? c->part_b : c->part_a, part_y = c_side ? c->part_a : c->part_b;
    if (!cairn_plane_parts(world, &plane, turn, body_x, part_x, body_y, part_y) ||
        gives_way(body_x, k_side ? at.r_b : at.r_a, body_z, k_side ? at.r_a : at.r_b, n))
        return is_none_of_it;
    return rolls || turn >= corner_turn ? is_ghost : is_its_plane;
}

// gives an edge that is just passed the plane that lies flush
static void align(cairn_touch* c, const cairn_touch* k, const cairn_world* world)
{
    cairn_touch_anchor(c, world);
    cairn_touch_turn(c, world, cairn_dot(c->n, k->n) < 0.0 ? cairn_neg(k->n) : k->n);
    c->gap = cairn_touch_reach(c, world).gap;
}

static bool same_manifold(const cairn_touch* c, const cairn_touch* k)
{
    return k->pair == c->pair && k->part_a == c->part_a && k->part_b == c->part_b;
}

static bool drops(const cairn_touch* k, cairn_touch* c, const cairn_world* world)
{
    if (k->gone || same_manifold(c, k))
        return false;
    for (int side = 0; side < 2; side++) {
        int x = side ? c->b : c->a;
        if ((k->a != x && k->b != x) || !cairn_body_active(&world->bodies[x]))
            continue;
        verdict found = separates(k, c, world, x);
        if (found == is_its_plane)
            align(c, k, world);
        if (found == is_ghost)
            return true;
    }
    return false;
}

// whether a contact can be a ghost at all
static bool is_suspect(const cairn_touch* touch, const cairn_world* world)
{
    if (touch->gone || cairn_dot(touch->impulse, touch->n) > 0.0)
        return false;
    const cairn_body *a = &world->bodies[touch->a], *b = &world->bodies[touch->b];
    cairn_vec3 u = cairn_sub(b->v, a->v);
    double turn = a->radius * cairn_norm(a->w) + b->radius * cairn_norm(b->w);
    return cairn_norm(u) + turn > slow;
}

// ---------------------------------------------------------------- the contacts of a body

// `which` touches of the world, or all; bodies by their places (-1: none), or their slots
static bool list_touches(cairn_touch_index* all, cairn_world* world, const int* which, int count,
                         const int* local, int places)
{
    all->first = CAIRN_TAKE_ZEROED(&world->arena, int, (size_t)places + 2);
    all->touches = CAIRN_TAKE(&world->arena, int, 2 * (size_t)count);
    all->listed = count;
    if (world->arena.failed)
        return false;
    int* next = all->first + 1;
    for (int pass = 0; pass < 2; pass++) {
        for (int c = 0; c < count; c++) {
            int index = which ? which[c] : c;
            const cairn_touch* touch = &world->touches[index];
            for (int side = 0; side < 2; side++) {
                int slot = side ? touch->b : touch->a, place = local ? local[slot] : slot;
                if (place < 0 || !cairn_body_active(&world->bodies[slot]))
                    continue;
                if (pass == 0)
                    next[place + 1]++;
                else
                    all->touches[next[place]++] = index;
            }
        }
        for (int i = 0; i < places && pass == 0; i++)
            next[i + 1] += next[i];
    }
    return true;
}

static bool has_ghost_plane(const cairn_touch_index* all, const cairn_world* world, int place,
                            cairn_touch* touch)
{
    const cairn_touch* last = NULL;
    for (int i = all->first[place]; i < all->first[place + 1]; i++) {
        const cairn_touch* k = &world->touches[all->touches[i]];

        // the points of a manifold have one plane
        bool known = last && !last->gone && same_manifold(k, last);
        last = k;
        if (!known && drops(k, touch, world))
            return true;
    }
    return false;
}

bool cairn_touch_is_ghost(cairn_touch* touch, cairn_world* world, cairn_touch_index* all)
{
    if (!is_suspect(touch, world))
        return false;
    if (!all->first && !list_touches(all, world, NULL, world->touch_count, NULL, world->body_count))
        return false;
    if (has_ghost_plane(all, world, touch->a, touch) ||
        has_ghost_plane(all, world, touch->b, touch))
        return true;

    // those that came since
    for (int k = all->listed; k < world->touch_count; k++)
        if (drops(&world->touches[k], touch, world))
            return true;
    return false;
}

// ---------------------------------------------------------------- all islands

typedef struct suspect {
    double gap;
    int touch; // of the world
} suspect;

static int widest_first(const void* p, const void* q)
{
    const suspect *x = p, *y = q;
    return x->gap > y->gap ? -1 : x->gap < y->gap ? 1 : x->touch - y->touch;
}

// returns how many contacts of an island were dropped; -1: no memory
static int drop_ghosts(const cairn_group* group, const cairn_island* island, cairn_world* world)
{
    int count = 0, dropped = 0;
    suspect* some = CAIRN_TAKE(&world->arena, suspect, island->touch_count);
    if (!some)
        return -1;
    for (int c = 0; c < island->touch_count; c++) {
        int index = group->touches[island->touch + c];
        const cairn_touch* touch = &world->touches[index];
        if (is_suspect(touch, world))
            some[count++] = (suspect){touch->gap, index};
    }
    cairn_touch_index all;
    if (count == 0)
        return 0;
    if (!list_touches(&all, world, group->touches + island->touch, island->touch_count,
                      group->local, island->body_count))
        return -1;
    qsort(some, (size_t)count, sizeof *some, widest_first);
    for (int i = 0; i < count; i++) {
        cairn_touch* touch = &world->touches[some[i].touch];
        for (int side = 0; side < 2 && !touch->gone; side++) {
            int place = group->local[side ? touch->b : touch->a];
            touch->gone = place >= 0 && has_ghost_plane(&all, world, place, touch);
        }
        dropped += touch->gone;
    }
    return dropped;
}

bool cairn_group_drop_ghosts(const cairn_group* group, cairn_world* world, cairn_status* status)
{
    int sum = 0;
    for (int i = 0; i < group->count && *status == CAIRN_OK; i++) {
        const cairn_island* island = &group->islands[i];
        cairn_arena_mark mark = cairn_arena_here(&world->arena);
        int dropped = 0;
        if (!island->rested && island->touch_count > 1)
            dropped = drop_ghosts(group, island, world);
        if (dropped < 0)
            *status = CAIRN_NO_MEMORY;
        sum += dropped;
        cairn_arena_release(&world->arena, mark);
    }
    return sum > 0;
}
