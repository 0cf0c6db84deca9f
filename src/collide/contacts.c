// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// All manifolds of a pair of any shapes. Compounds are taken apart into pairs of parts whose boxes
// meet; what a pair of parts remembers is found again by its numbers. Manifolds stay in the order
// of their parts, whatever was there before.

#include "collide/surface.h"
#include "math/array.h"

typedef struct side {
    const cairn_shape* shape;
    cairn_transform x;
    int part;
} side;

// new manifolds are written behind the old ones and moved to the front at the end
typedef struct gather {
    cairn_contacts* contacts;
    int old_count; // manifolds [0, old_count) are those of the last call, ascending
    int next;      // of the old ones
    const cairn_collide_def* def;
    cairn_status status;
} gather;

// false without memory: then there is room for the less of what was and what is wanted
static bool resize(cairn_contacts* c, int capacity)
{
    cairn_manifold* manifolds = realloc(c->manifolds, (size_t)capacity * sizeof *manifolds);
    if (manifolds)
        c->manifolds = manifolds;
    cairn_pair_cache* caches = realloc(c->caches, (size_t)capacity * sizeof *caches);
    if (caches)
        c->caches = caches;
    if ((manifolds && caches) || capacity < c->capacity)
        c->capacity = capacity;
    return manifolds && caches;
}

static bool reserve(cairn_contacts* c, int count)
{
    if (count <= c->capacity)
        return true;
    return resize(c, count > 2 * c->capacity ? count : 2 * c->capacity);
}

cairn_status cairn_contacts_reserve(cairn_contacts* c, int count)
{
    return reserve(c, count) ? CAIRN_OK : CAIRN_NO_MEMORY;
}

void cairn_contacts_destroy(cairn_contacts* c)
{
    free(c->manifolds);
    free(c->caches);
    *c = (cairn_contacts){0};
}

void cairn_contacts_fit(cairn_contacts* c, int least)
{
    // several are written anew beside the old ones, one alone in its place
    int room = c->count > 1 ? 2 * c->count : c->count;
    room = room > least ? room : least;
    if (room == 0)
        cairn_contacts_destroy(c);
    else if (room != c->capacity)
        resize(c, room);
}

cairn_status cairn_contacts_copy(cairn_contacts* copy, const cairn_contacts* c)
{
    *copy = *c;
    copy->manifolds = CAIRN_COPY_ARRAY(c->manifolds, cairn_manifold, c->count, c->capacity);
    copy->caches = CAIRN_COPY_ARRAY(c->caches, cairn_pair_cache, c->count, c->capacity);
    if (copy->manifolds && copy->caches)
        return CAIRN_OK;
    cairn_contacts_destroy(copy);
    return CAIRN_NO_MEMORY;
}

// the old manifold of two parts, or -1; parts come in ascending order
static int find_old(gather* g, int part_a, int part_b)
{
    const cairn_manifold* m = g->contacts->manifolds;
    while (g->next < g->old_count && (m[g->next].part_a < part_a ||
                                      (m[g->next].part_a == part_a && m[g->next].part_b < part_b)))
        g->next++;
    bool found =
        g->next < g->old_count && m[g->next].part_a == part_a && m[g->next].part_b == part_b;
    return found ? g->next : -1;
}

static void convex_pair(gather* g, const side* a, const side* b)
{
    cairn_contacts* c = g->contacts;
    if (!reserve(c, c->count + 1)) {
        g->status = CAIRN_NO_MEMORY;
        return;
    }
    cairn_manifold* m = &c->manifolds[c->count];
    cairn_pair_cache* cache = &c->caches[c->count];
    int old = find_old(g, a->part, b->part);
    if (old >= 0) {
        *m = c->manifolds[old];
        *cache = c->caches[old];
    } else {
        m->count = 0;
        memset(cache, 0, sizeof *cache);
    }
    cairn_collide_convex(m, cache, a->shape, a->x, b->shape, b->x, g->def);
    m->part_a = a->part;
    m->part_b = b->part;
    c->count++;
}

enum { most_directions = 16 };

// the manifolds of the last call between a surface and a part, as they are given out; at most a few
static int old_directions(cairn_manifold* old, cairn_pair_cache* caches, const gather* g, int part,
                          bool flip)
{
    int count = 0;
    for (int i = 0; i < g->old_count && count < most_directions; i++) {
        const cairn_manifold* m = &g->contacts->manifolds[i];
        if ((flip ? m->part_a : m->part_b) != part)
            continue;
        old[count] = *m;
        caches[count++] = g->contacts->caches[i];
    }
    return count;
}

// All of a pair that hardly moved, or none: they have the same past.
static bool reuse_directions(cairn_manifold* old, cairn_pair_cache* caches, int count,
                             const side* first, const side* second, const gather* g)
{
    for (int i = 0; i < count; i++)
        if (!cairn_reuse_manifold(&old[i], &caches[i], first->x, second->x, g->def))
            return false;
    return count > 0;
}

static double reach_of(const side* s)
{
    return cairn_has_triangles(s->shape) ? INFINITY
                                         : cairn_shape_radius(s->shape, cairn_vec(0.0, 0.0, 0.0));
}

static cairn_pair_cache new_cache(const side* first, const side* second, double margin)
{
    return (cairn_pair_cache){.a = first->x,
                              .b = second->x,
                              .margin = margin,
                              .reach_a = reach_of(first),
                              .reach_b = reach_of(second),
                              .valid = true};
}

// the surface is a; with `flip` it is the second of the pair
static void surface_pair(gather* g, const side* a, const side* b, bool flip)
{
    cairn_manifold found[most_directions], old[most_directions];
    cairn_pair_cache caches[most_directions];
    cairn_contacts* c = g->contacts;
    const side *first = flip ? b : a, *second = flip ? a : b;
    int count = old_directions(old, caches, g, b->part, flip);
    bool reused = reuse_directions(old, caches, count, first, second, g);
    if (!reused) {
        for (int i = 0; flip && i < count; i++)
            old[i].part_a = old[i].part_b;
        cairn_surface_job job = {a->shape, b->shape, a->x, b->x, g->def, old, count};
        count = cairn_collide_surface(found, most_directions, &job);
        caches[0] = new_cache(first, second, g->def->margin);
    }
    if (!reserve(c, c->count + count)) {
        g->status = CAIRN_NO_MEMORY;
        return;
    }
    for (int i = 0; i < count; i++) {
        cairn_manifold* m = &c->manifolds[c->count];
        *m = reused ? old[i] : found[i];
        c->caches[c->count++] = caches[reused ? i : 0];
        if (reused)
            continue;
        m->part_b = b->part;
        if (flip) {
            m->normal = cairn_neg(m->normal);
            m->part_b = m->part_a;
            m->part_a = b->part;
        }
    }
}

static void part_pair(gather* g, const side* a, const side* b)
{
    bool wide_a = cairn_has_triangles(a->shape), wide_b = cairn_has_triangles(b->shape);
    bool plane_a = a->shape->kind == CAIRN_SHAPE_HALF_SPACE;
    bool plane_b = b->shape->kind == CAIRN_SHAPE_HALF_SPACE;
    if ((wide_a || plane_a) && (wide_b || plane_b))
        return;
    if (wide_a)
        surface_pair(g, a, b, false);
    else if (wide_b)
        surface_pair(g, b, a, true);
    else
        convex_pair(g, a, b);
}

static int part_count(const cairn_shape* s)
{
    return s->kind == CAIRN_SHAPE_COMPOUND ? s->data.compound->count : 1;
}

static side part_of(const cairn_shape* s, cairn_transform x, int i)
{
    if (s->kind != CAIRN_SHAPE_COMPOUND)
        return (side){s, x, 0};
    const cairn_compound* c = s->data.compound;
    return (side){&c->parts[i], cairn_transform_multiply(x, c->offsets[i]), i};
}

static void all_parts(gather* g, const cairn_shape* a, cairn_transform xa, const cairn_shape* b,
                      cairn_transform xb)
{
    cairn_aabb box_b = cairn_shape_aabb(b, xb);
    for (int i = 0; i < part_count(a) && g->status == CAIRN_OK; i++) {
        side pa = part_of(a, xa, i);
        cairn_aabb box = cairn_aabb_grow(cairn_shape_aabb(pa.shape, pa.x), g->def->margin);
        if (!cairn_aabb_overlap(&box, &box_b))
            continue;
        for (int k = 0; k < part_count(b) && g->status == CAIRN_OK; k++) {
            side pb = part_of(b, xb, k);
            cairn_aabb other = cairn_shape_aabb(pb.shape, pb.x);
            if (cairn_aabb_overlap(&box, &other))
                part_pair(g, &pa, &pb);
        }
    }
}

static void drop_old(cairn_contacts* c, int old_count)
{
    size_t count = (size_t)(c->count - old_count);
    memmove(c->manifolds, c->manifolds + old_count, count * sizeof *c->manifolds);
    memmove(c->caches, c->caches + old_count, count * sizeof *c->caches);
    c->count = (int)count;
}

cairn_status cairn_collide(cairn_contacts* contacts, const cairn_shape* a, cairn_transform xa,
                           const cairn_shape* b, cairn_transform xb, const cairn_collide_def* def)
{
    bool simple_a = cairn_shape_is_convex(a) || a->kind == CAIRN_SHAPE_HALF_SPACE;
    bool simple_b = cairn_shape_is_convex(b) || b->kind == CAIRN_SHAPE_HALF_SPACE;
    gather g = {contacts, contacts->count, 0, def, CAIRN_OK};

    // one convex pair that was here before: in place
    if (simple_a && simple_b && contacts->count == 1) {
        cairn_collide_convex(contacts->manifolds, contacts->caches, a, xa, b, xb, def);
        return CAIRN_OK;
    }
    all_parts(&g, a, xa, b, xb);
    if (g.status != CAIRN_OK)
        contacts->count = g.old_count;
    else if (contacts->count > 0)
        drop_old(contacts, g.old_count);
    return g.status;
}
