// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Contacts at seams. Two boxes side by side make one floor, but each has edges and sides of its
// own: a body that slides over the seam meets the side of the next box, and would stop there. A
// contact (X, Y; n) is such a ghost if the plane of another contact of X that stays, with a body or
// part Z, through the point p' of Z with the normal n' towards X, separates X from Y as well:
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
// flush, so that it keeps the contacts whose normals are nearly the same, n' in place of the n of
// an edge that it just passes. Contacts are tried from the widest gap to the smallest, and only
// those that stay drop others, so that two never drop each other. What bore a load in the last step
// is no ghost, and what moves slower against each other than a centimeter a second stumbles over
// nothing. A plane that gives way guards nothing: a ball that strikes a brick of a wall meets those
// about it within the same step.

#include "world/step/seams.h"
#include "collide/narrow/support.h"
#include "world/step/refind.h"
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

// whether X strikes Z, of which it has the plane with the normal n, out of its place: without
// restitution both go on at the share m_X / (m_X + m_Z) of the speed of approach
static bool gives_way(const cairn_body* x, cairn_vec3 r_x, const cairn_body* z, cairn_vec3 r_z,
                      cairn_vec3 n)
{
    if (!cairn_body_active(z))
        return false;
    double approach = cairn_dot(n, cairn_sub(velocity_at(z, r_z), velocity_at(x, r_x)));
    return approach * z->inverse_mass > blow * (x->inverse_mass + z->inverse_mass);
}

// The plane of a contact of X with Z, as X sees it. It is placed when it is first asked for: most never are.
typedef struct guard {
    cairn_plane plane;
    bool faces;     // X is above it
    bool placed;    // its place is known,
    bool gives_way; // and whether X strikes Z out of it
} guard;

static guard guard_of(const cairn_touch* k, const cairn_world* world, int x)
{
    const cairn_body *body_x = &world->bodies[x], *body_z = &world->bodies[k->b == x ? k->a : k->b];
    guard own = {.plane = {.normal = k->b == x ? k->n : cairn_neg(k->n),
                           .fixed = body_z->type == CAIRN_BODY_STATIC}};
    own.faces = cairn_dot(own.plane.normal, cairn_sub(body_x->x, body_z->x)) > 0.0;
    return own;
}

static void place(guard* own, const cairn_touch* k, const cairn_world* world, int x)
{
    bool side = k->b == x;
    const cairn_body *body_x = &world->bodies[x], *body_z = &world->bodies[side ? k->a : k->b];
    cairn_reach at = cairn_touch_reach(k, world);
    cairn_vec3 n = own->plane.normal, r_x = side ? at.r_b : at.r_a, r_z = side ? at.r_a : at.r_b;
    own->plane.level = cairn_dot(n, cairn_add(body_z->x, r_z));
    own->plane.sunk = fmax(-at.gap, 0.0);
    own->gives_way = gives_way(body_x, r_x, body_z, r_z, n);
    own->placed = true;
}

// A contact of the body X with Y, as planes of X are held against it.
typedef struct charge {
    int x; // slot
    const cairn_body *body_x, *body_y;
    int part_x, part_y;
    cairn_vec3 n, apart; // its normal towards X; from Y to X
    bool rolls, edge;    // X does; Y has no face there
} charge;

static charge charge_of(const cairn_touch* c, const cairn_world* world, int x)
{
    bool side = c->b == x;
    const cairn_body *body_x = &world->bodies[x], *body_y = &world->bodies[side ? c->a : c->b];
    cairn_shape_kind kind = body_x->shape.kind;
    return (charge){.x = x,
                    .body_x = body_x,
                    .body_y = body_y,
                    .part_x = side ? c->part_b : c->part_a,
                    .part_y = side ? c->part_a : c->part_b,
                    .n = side ? c->n : cairn_neg(c->n),
                    .apart = cairn_sub(body_x->x, body_y->x),
                    .rolls = kind == CAIRN_SHAPE_SPHERE || kind == CAIRN_SHAPE_CAPSULE ||
                             kind == CAIRN_SHAPE_CYLINDER || kind > CAIRN_SHAPE_COMPOUND,
                    .edge = c->rule != CAIRN_RULE_FACE_A && c->rule != CAIRN_RULE_FACE_B};
}

// whether a plane may separate X from Y: most do not, whatever their place
static bool may_separate(const guard* own, const charge* c)
{
    if (!own->faces)
        return false;
    double turn = 1.0 - cairn_dot(own->plane.normal, c->n);
    bool fixed = own->plane.fixed && c->body_y->type == CAIRN_BODY_STATIC;
    if (turn < (fixed ? fixed_turn : round_turn) || (turn < corner_turn && !c->rolls && !c->edge))
        return false;
    return cairn_dot(own->plane.normal, c->apart) > 0.0;
}

// what the plane of a contact makes of another one
typedef enum verdict { is_none_of_it, is_its_plane, is_ghost } verdict;

// Whether the plane of k, which may, separates the pair of another contact; frames of contacts are fresh.
static verdict separates(guard* own, const cairn_touch* k, const charge* c,
                         const cairn_world* world)
{
    double turn = 1.0 - cairn_dot(own->plane.normal, c->n);
    if (!own->placed)
        place(own, k, world, c->x);
    if (own->gives_way ||
        !cairn_plane_parts(world, &own->plane, turn, c->body_x, c->part_x, c->body_y, c->part_y))
        return is_none_of_it;
    return c->rolls || turn >= corner_turn ? is_ghost : is_its_plane;
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

// whether the plane of k, a contact of the body x, makes a ghost of c
static bool drops(const cairn_touch* k, cairn_touch* c, const cairn_world* world, int x)
{
    if (k->gone || same_manifold(c, k))
        return false;
    guard own = guard_of(k, world, x);
    charge other = charge_of(c, world, x);
    verdict found = may_separate(&own, &other) ? separates(&own, k, &other, world) : is_none_of_it;
    if (found == is_its_plane)
        align(c, k, world);
    return found == is_ghost;
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

// ---------------------------------------------------------------- one contact

// the pairs of each active body
static bool list_pairs(cairn_pair_index* all, cairn_world* world)
{
    int count, bodies = world->body_count;
    const cairn_pair* pairs = cairn_broad_pairs(world->broad, &count);
    all->first = CAIRN_TAKE_ZEROED(&world->arena, int, (size_t)bodies + 2);
    all->slots = CAIRN_TAKE(&world->arena, int, 2 * (size_t)count);
    if (world->arena.failed)
        return false;

    // two passes: count the contacts of each body, then list them
    int* next = all->first + 1;
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < count; i++)
            for (int side = 0; side < 2; side++) {
                int body = world->proxy_body[side ? pairs[i].b : pairs[i].a];
                if (!cairn_body_active(&world->bodies[body]))
                    continue;
                if (pass == 0)
                    next[body + 1]++;
                else
                    all->slots[next[body]++] = pairs[i].slot;
            }
        for (int i = 0; i < bodies && pass == 0; i++)
            next[i + 1] += next[i];
    }

    return true;
}

// whether a contact of a pair of the body x makes a ghost of another one
static bool is_dropped_by(const cairn_pair_state* pair, const cairn_world* world, int x,
                          cairn_touch* touch)
{
    const cairn_touch* last = NULL;
    for (int c = cairn_pair_first(pair); c >= 0; c = cairn_pair_next(world, pair, c)) {
        const cairn_touch* k = &world->touches[c];

        // the points of a manifold have one plane
        bool known = last && !last->gone && same_manifold(k, last);
        last = k;
        if (!known && drops(k, touch, world, x))
            return true;
    }
    return false;
}

bool cairn_touch_is_ghost(cairn_touch* touch, cairn_world* world, cairn_pair_index* all)
{
    if (!is_suspect(touch, world) || (!all->first && !list_pairs(all, world)))
        return false;
    for (int side = 0; side < 2; side++) {
        int x = side ? touch->b : touch->a;
        for (int i = all->first[x]; i < all->first[x + 1]; i++) {
            const cairn_pair_state* pair = &world->pairs[all->slots[i]];
            if (!pair->asleep && is_dropped_by(pair, world, x, touch))
                return true;
        }
    }
    return false;
}

// ---------------------------------------------------------------- all islands

// The contacts of a manifold, as one of its bodies sees them: the first that is not a ghost guards its plane.
typedef struct watch {
    guard own;
    int begin, end; // in the list of contacts of the body
} watch;

// The contacts of each active body of an island, and what they guard: those of place i from first[i] to before
// first[i + 1], and likewise.
typedef struct posts {
    int *first, *touches;
    int* begin;
    watch* watches;
    int turned; // contacts that were given another plane
} posts;

static bool take_posts(posts* all, cairn_world* world, int bodies, int count)
{
    all->first = CAIRN_TAKE_ZEROED(&world->arena, int, (size_t)bodies + 2);
    all->touches = CAIRN_TAKE(&world->arena, int, 2 * (size_t)count);
    all->begin = CAIRN_TAKE(&world->arena, int, (size_t)bodies + 1);
    all->watches = CAIRN_TAKE(&world->arena, watch, 2 * (size_t)count);
    return !world->arena.failed;
}

// which contacts each body has
static bool list_touches(posts* all, const cairn_group* group, const cairn_island* island,
                         cairn_world* world)
{
    int count = island->touch_count, *next = all->first + 1;
    int* places = CAIRN_TAKE(&world->arena, int, 2 * (size_t)count);
    if (!places)
        return false;
    for (int c = 0; c < count; c++) {
        const cairn_touch* touch = &world->touches[group->touches[island->touch + c]];
        for (int side = 0; side < 2; side++) {
            int slot = side ? touch->b : touch->a, place = group->local[slot];
            if (place >= 0 && !cairn_body_active(&world->bodies[slot]))
                place = -1;
            places[2 * c + side] = place;
            if (place >= 0)
                next[place + 1]++;
        }
    }
    for (int i = 0; i < island->body_count; i++)
        next[i + 1] += next[i];
    for (int c = 0; c < count; c++)
        for (int side = 0; side < 2; side++)
            if (places[2 * c + side] >= 0)
                all->touches[next[places[2 * c + side]]++] = group->touches[island->touch + c];
    return true;
}

// and what these guard
static bool post(posts* all, const cairn_group* group, const cairn_island* island,
                 cairn_world* world)
{
    if (!take_posts(all, world, island->body_count, island->touch_count) ||
        !list_touches(all, group, island, world))
        return false;
    int count = 0;
    for (int place = 0; place < island->body_count; place++) {
        const cairn_touch* last = NULL;
        int x = group->bodies[island->body + place];
        all->begin[place] = count;
        for (int i = all->first[place]; i < all->first[place + 1]; i++) {
            const cairn_touch* k = &world->touches[all->touches[i]];
            if (last && same_manifold(k, last))
                all->watches[count - 1].end = i + 1;
            else
                all->watches[count++] = (watch){guard_of(k, world, x), i, i + 1};
            last = k;
        }
    }
    all->begin[island->body_count] = count;
    return true;
}

// another contact of the manifold takes over, with the same normal; or the same contact, which has turned
static void relieve(const posts* all, watch* one, const cairn_world* world, int x)
{
    while (one->begin < one->end && world->touches[all->touches[one->begin]].gone)
        one->begin++;
    if (one->begin < one->end)
        one->own = guard_of(&world->touches[all->touches[one->begin]], world, x);
}

// a contact that has turned guards another plane, on both of its sides
static void turn_posts(const posts* all, const cairn_group* group, const cairn_world* world,
                       const cairn_touch* turned)
{
    const int slots[2] = {turned->a, turned->b};
    for (int side = 0; side < 2; side++) {
        int place = group->local[slots[side]];
        for (int i = place < 0 ? 0 : all->begin[place]; place >= 0 && i < all->begin[place + 1];
             i++) {
            watch* one = &all->watches[i];
            if (one->begin < one->end && &world->touches[all->touches[one->begin]] == turned)
                relieve(all, one, world, slots[side]);
        }
    }
}

// whether a body of a contact has another one whose plane makes a ghost of it
static bool has_ghost_plane(posts* all, const cairn_group* group, const cairn_world* world, int x,
                            cairn_touch* touch)
{
    int place = group->local[x];
    charge own = charge_of(touch, world, x);
    for (int i = place < 0 ? 0 : all->begin[place]; place >= 0 && i < all->begin[place + 1]; i++) {
        watch* one = &all->watches[i];
        if (one->begin == one->end || !may_separate(&one->own, &own))
            continue;
        const cairn_touch* k = &world->touches[all->touches[one->begin]];
        if (k->gone) {
            relieve(all, one, world, x);
            if (one->begin == one->end || !may_separate(&one->own, &own))
                continue;
            k = &world->touches[all->touches[one->begin]];
        }
        if (same_manifold(touch, k))
            continue;
        verdict found = separates(&one->own, k, &own, world);
        if (found == is_its_plane) {
            align(touch, k, world);
            turn_posts(all, group, world, touch);
            all->turned++;
            own = charge_of(touch, world, x);
        }
        if (found == is_ghost)
            return true;
    }
    return false;
}

typedef struct suspect {
    double gap;
    int touch; // of the world
} suspect;

static int widest_first(const void* p, const void* q)
{
    const suspect *x = p, *y = q;
    return x->gap > y->gap ? -1 : x->gap < y->gap ? 1 : x->touch - y->touch;
}

// whether some plane of a body may separate the pair of a contact, as the planes are now
static bool may_have_ghost_plane(const posts* all, const cairn_group* group,
                                 const cairn_world* world, int x, const cairn_touch* touch)
{
    int place = group->local[x];
    if (place < 0)
        return false;
    charge own = charge_of(touch, world, x);
    for (int i = all->begin[place]; i < all->begin[place + 1]; i++)
        if (may_separate(&all->watches[i].own, &own))
            return true;
    return false;
}

static bool may_be_ghost(const posts* all, const cairn_group* group, const cairn_world* world,
                         const suspect* one)
{
    const cairn_touch* touch = &world->touches[one->touch];
    return may_have_ghost_plane(all, group, world, touch->a, touch) ||
           may_have_ghost_plane(all, group, world, touch->b, touch);
}

// the contacts of an island that can be ghosts at all; returns how many
static int list_suspects(suspect* some, const cairn_group* group, const cairn_island* island,
                         const cairn_world* world)
{
    int count = 0;
    for (int c = 0; c < island->touch_count; c++) {
        int index = group->touches[island->touch + c];
        const cairn_touch* touch = &world->touches[index];
        if (is_suspect(touch, world))
            some[count++] = (suspect){touch->gap, index};
    }
    return count;
}

// returns how many contacts of an island were dropped; -1: no memory
static int drop_ghosts(const cairn_group* group, const cairn_island* island, cairn_world* world)
{
    int dropped = 0;
    suspect* some = CAIRN_TAKE(&world->arena, suspect, island->touch_count);
    if (!some)
        return -1;
    int count = list_suspects(some, group, island, world), first = 0;
    posts all = {.turned = 0};
    if (count == 0)
        return 0;
    if (!post(&all, group, island, world))
        return -1;

    // most have no plane about them that may separate their pair, and need no order: they come last
    for (int i = 0; i < count; i++)
        if (may_be_ghost(&all, group, world, &some[i])) {
            suspect swap = some[first];
            some[first++] = some[i];
            some[i] = swap;
        }

    // from the widest gap to the smallest: only contacts that stay drop others
    qsort(some, (size_t)first, sizeof *some, widest_first);
    for (int i = 0; i < first; i++) {
        suspect own = some[i];
        cairn_touch* touch = &world->touches[own.touch];
        int turned = all.turned;
        touch->gone = has_ghost_plane(&all, group, world, touch->a, touch) ||
                      has_ghost_plane(&all, group, world, touch->b, touch);
        dropped += touch->gone;

        // planes that have turned may separate others: all that come after it take their turn
        if (all.turned > 0 && turned == 0) {
            qsort(some, (size_t)count, sizeof *some, widest_first);
            first = count;
            for (i = 0; some[i].touch != own.touch;)
                i++;
        }
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
