// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// All manifolds of a pair of any shapes. Compounds are taken apart into pairs of parts whose boxes
// meet; what a pair of parts remembers is found again by its numbers. Manifolds stay in the order
// of their parts, whatever was there before.

#include "collide/narrow/surface.h"
#include "collide/shape/usable.h"
#include "math/array.h"

typedef struct side {
    const cairn_shape* shape;
    cairn_transform x;
    int part;
} side;

// new patches are written behind the old ones, points likewise, and moved to the front at the end
typedef struct gather {
    cairn_contacts* contacts;
    int old_count;  // patches [0, old_count) are those of the last call, ascending
    int old_points; // and so are these points
    int next;       // of the old patches
    const cairn_collide_def* def;
    cairn_status status;
} gather;

// ---------------------------------------------------------------- memory

// points come in fours, as many as most manifolds have
static int whole_fours(int count)
{
    return (count + 3) / 4 * 4;
}

static int at_least_twice(int count, int capacity)
{
    return count > 2 * capacity ? count : 2 * capacity;
}

// false without memory: then all is as it was
static bool resize_patches(cairn_contacts* c, int capacity)
{
    cairn_patch* patches = realloc(c->patches, (size_t)capacity * sizeof *patches);
    if (patches) {
        c->patches = patches;
        c->capacity = capacity;
    }
    return patches;
}

static bool resize_points(cairn_contacts* c, int capacity)
{
    cairn_contact_point* points = realloc(c->points, (size_t)capacity * sizeof *points);
    if (points) {
        c->points = points;
        c->point_capacity = capacity;
    }
    return points;
}

static bool reserve(cairn_contacts* c, int count, int points)
{
    if (count > c->capacity && !resize_patches(c, at_least_twice(count, c->capacity)))
        return false;
    return points <= c->point_capacity ||
           resize_points(c, whole_fours(at_least_twice(points, c->point_capacity)));
}

cairn_status cairn_contacts_reserve(cairn_contacts* c, int count, int points)
{
    if (!c)
        return CAIRN_BAD_INPUT;
    return reserve(c, count, points) ? CAIRN_OK : CAIRN_NO_MEMORY;
}

void cairn_contacts_clear(cairn_contacts* c)
{
    if (!c)
        return;
    c->count = c->point_count = 0;
}

size_t cairn_contacts_memory(const cairn_contacts* c)
{
    if (!c)
        return 0;
    return (size_t)c->capacity * sizeof *c->patches + (size_t)c->point_capacity * sizeof *c->points;
}

void cairn_contacts_destroy(cairn_contacts* c)
{
    if (!c)
        return;
    free(c->patches);
    free(c->points);
    *c = (cairn_contacts){0};
}

static void fit_points(cairn_contacts* c, int room)
{
    if (room == 0) {
        free(c->points);
        c->points = NULL;
        c->point_capacity = 0;
    } else if (room != c->point_capacity)
        resize_points(c, room);
}

void cairn_contacts_fit(cairn_contacts* c, int least)
{
    if (!c)
        return;
    // several are written anew beside the old ones, one alone in its place
    int times = c->count > 1 ? 2 : 1, room = times * c->count;
    room = room > least ? room : least;
    fit_points(c, whole_fours(times * c->point_count));
    if (room == 0)
        cairn_contacts_destroy(c);
    else if (room != c->capacity)
        resize_patches(c, room);
}

cairn_status cairn_contacts_copy(const cairn_contacts* c, cairn_contacts* copy)
{
    if (!copy || !c)
        return CAIRN_BAD_INPUT;
    *copy = *c;
    copy->patches = CAIRN_COPY_ARRAY(c->patches, cairn_patch, c->count, c->capacity);
    copy->points =
        CAIRN_COPY_ARRAY(c->points, cairn_contact_point, c->point_count, c->point_capacity);
    if (copy->patches && copy->points)
        return CAIRN_OK;
    cairn_contacts_destroy(copy);
    return CAIRN_NO_MEMORY;
}

// ---------------------------------------------------------------- patches and manifolds

static void read_patch(cairn_manifold* m, const cairn_contacts* c, const cairn_patch* patch)
{
    m->normal = patch->normal;
    m->count = patch->count;
    m->part_a = patch->part_a;
    m->part_b = patch->part_b;
    for (int k = 0; k < patch->count; k++)
        m->points[k] = c->points[patch->first + k];
}

// writes a manifold into a patch and its points behind the others, where there is room
static void write_patch(cairn_contacts* c, cairn_patch* patch, const cairn_manifold* m)
{
    patch->normal = m->normal;
    patch->part_a = m->part_a;
    patch->part_b = m->part_b;
    patch->first = c->point_count;
    patch->count = m->count;
    for (int k = 0; k < m->count; k++)
        c->points[c->point_count++] = m->points[k];
}

static bool add_patch(cairn_contacts* c, const cairn_manifold* m, const cairn_pair_cache* cache)
{
    if (!reserve(c, c->count + 1, c->point_count + m->count))
        return false;
    write_patch(c, &c->patches[c->count], m);
    c->patches[c->count++].cache = *cache;
    return true;
}

// ---------------------------------------------------------------- pieces

// the old patch of two parts, or NULL; parts come in ascending order
static const cairn_patch* find_old(gather* g, int part_a, int part_b)
{
    const cairn_patch* p = g->contacts->patches;
    while (g->next < g->old_count && (p[g->next].part_a < part_a ||
                                      (p[g->next].part_a == part_a && p[g->next].part_b < part_b)))
        g->next++;
    bool found =
        g->next < g->old_count && p[g->next].part_a == part_a && p[g->next].part_b == part_b;
    return found ? &p[g->next] : NULL;
}

static void convex_pair(gather* g, const side* a, const side* b)
{
    cairn_manifold m;
    cairn_pair_cache cache = {0};
    const cairn_patch* old = find_old(g, a->part, b->part);
    m.count = 0;
    m.normal = cairn_vec(0.0, 0.0, 0.0); // also of a patch without points: patches are compared

    // a patch of the step before gives its points for matching and its cache for reuse
    if (old) {
        read_patch(&m, g->contacts, old);
        cache = old->cache;
    }

    cairn_collide_convex(a->shape, a->x, b->shape, b->x, g->def, &cache, &m);
    m.part_a = a->part;
    m.part_b = b->part;

    if (!add_patch(g->contacts, &m, &cache))
        g->status = CAIRN_NO_MEMORY;
}

enum { most_directions = 16 };

// the manifolds of the last call between a surface and a part, as they are given out; at most a few
static int old_directions(cairn_manifold* old, cairn_pair_cache* caches, const gather* g, int part,
                          bool flip)
{
    int count = 0;
    for (int i = 0; i < g->old_count && count < most_directions; i++) {
        const cairn_patch* patch = &g->contacts->patches[i];
        if ((flip ? patch->part_a : patch->part_b) != part)
            continue;
        read_patch(&old[count], g->contacts, patch);
        caches[count++] = patch->cache;
    }
    return count;
}

// Reuses all manifolds of a pair that hardly moved, or none: they were found together.
static bool reuse_directions(cairn_manifold* old, cairn_pair_cache* caches, int count,
                             const side* first, const side* second, const gather* g)
{
    double reuse = cairn_reuse_of(first->shape, second->shape, g->def);
    for (int i = 0; i < count; i++)
        if (!cairn_reuse_manifold(&old[i], &caches[i], first->x, second->x, reuse, g->def->margin))
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
                              .valid = true,
                              .of_b = cairn_has_triangles(second->shape)};
}

// the surface is a; with `flip` it is the second of the pair
static void surface_pair(gather* g, const side* a, const side* b, bool flip)
{
    cairn_manifold found[most_directions], old[most_directions];
    cairn_pair_cache caches[most_directions];
    const side *first = flip ? b : a, *second = flip ? a : b;

    int count = old_directions(old, caches, g, b->part, flip);
    bool reused = reuse_directions(old, caches, count, first, second, g);

    // the job takes the surface as A, so the name of a direction moves to part_a
    if (!reused) {
        for (int i = 0; flip && i < count; i++)
            old[i].part_a = old[i].part_b;
        cairn_surface_job job = {a->shape, b->shape, a->x, b->x, g->def, old, count};
        count = cairn_collide_surface(found, most_directions, &job);
        caches[0] = new_cache(first, second, g->def->margin);
    }

    // back to the order of the pair: the normal points from its first to its second
    for (int i = 0; i < count && !reused; i++) {
        cairn_manifold* m = &found[i];
        m->part_b = b->part;
        if (flip) {
            m->normal = cairn_neg(m->normal);
            m->part_b = m->part_a;
            m->part_a = b->part;
        }
    }

    for (int i = 0; i < count && g->status == CAIRN_OK; i++)
        if (!add_patch(g->contacts, reused ? &old[i] : &found[i], &caches[reused ? i : 0]))
            g->status = CAIRN_NO_MEMORY;
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

// the box around part i, in the frame of the shape
static cairn_aabb part_box(const cairn_shape* s, int i)
{
    if (s->kind != CAIRN_SHAPE_COMPOUND)
        return cairn_shape_aabb(s, cairn_transform_identity());
    const cairn_compound* c = s->data.compound;
    return c->boxes ? c->boxes[i] : cairn_shape_aabb(&c->parts[i], c->offsets[i]);
}

// Pairs of parts whose boxes meet: those of A that meet a box around B, in the frame of A, and of
// B those that meet the part of A, in the frame of B.
static void all_parts(gather* g, const cairn_shape* a, cairn_transform xa, const cairn_shape* b,
                      cairn_transform xb)
{
    double margin = g->def->margin;
    bool several = b->kind == CAIRN_SHAPE_COMPOUND;
    cairn_transform b_in_a = cairn_transform_relative(xa, xb);

    // parts of A that a box around all of B overlaps
    cairn_aabb box_b = cairn_aabb_grow(cairn_shape_aabb(b, b_in_a), margin);
    for (int i = 0; i < part_count(a) && g->status == CAIRN_OK; i++) {
        cairn_aabb box = part_box(a, i);
        if (!cairn_aabb_overlap(&box, &box_b))
            continue;

        side pa = part_of(a, xa, i);

        // for a compound B the part of A is boxed in the frame of B, where the parts of B are
        if (several) {
            cairn_transform in_b = cairn_transform_relative(xb, pa.x);
            box = cairn_aabb_grow(cairn_shape_aabb(pa.shape, in_b), margin);
        }

        for (int k = 0; k < part_count(b) && g->status == CAIRN_OK; k++) {
            cairn_aabb other = several ? part_box(b, k) : box;
            if (!cairn_aabb_overlap(&box, &other) ||
                (g->def->parts_meet && !g->def->parts_meet(g->def->context, i, k)))
                continue;
            side pb = part_of(b, xb, k);
            part_pair(g, &pa, &pb);
        }
    }
}

static void drop_old(cairn_contacts* c, int old_count, int old_points)
{
    size_t count = (size_t)(c->count - old_count), points = (size_t)(c->point_count - old_points);
    if (count > 0)
        memmove(c->patches, c->patches + old_count, count * sizeof *c->patches);
    if (points > 0)
        memmove(c->points, c->points + old_points, points * sizeof *c->points);
    for (size_t i = 0; i < count; i++)
        c->patches[i].first -= old_points;
    c->count = (int)count;
    c->point_count = (int)points;
}

// one convex pair that was here before: in place
static cairn_status collide_again(cairn_contacts* c, const cairn_shape* a, cairn_transform xa,
                                  const cairn_shape* b, cairn_transform xb,
                                  const cairn_collide_def* def)
{
    cairn_manifold m;
    read_patch(&m, c, c->patches);
    cairn_collide_convex(a, xa, b, xb, def, &c->patches->cache, &m);
    if (!reserve(c, 1, m.count)) {
        cairn_contacts_clear(c); // found from the start when there is memory
        return CAIRN_NO_MEMORY;
    }
    c->point_count = 0;
    write_patch(c, c->patches, &m);
    return CAIRN_OK;
}

cairn_status cairn_collide(cairn_contacts* contacts, const cairn_shape* a, cairn_transform xa,
                           const cairn_shape* b, cairn_transform xb, const cairn_collide_def* def)
{
    if (!contacts || !a || !b || !def || !cairn_shape_known(a) || !cairn_shape_known(b))
        return CAIRN_BAD_INPUT;

    bool simple_a = cairn_shape_is_convex(a) || a->kind == CAIRN_SHAPE_HALF_SPACE;
    bool simple_b = cairn_shape_is_convex(b) || b->kind == CAIRN_SHAPE_HALF_SPACE;
    gather g = {contacts, contacts->count, contacts->point_count, 0, def, CAIRN_OK};

    // two simple shapes have one patch, which is updated in place
    if (simple_a && simple_b && contacts->count == 1)
        return collide_again(contacts, a, xa, b, xb, def);

    // the patches of this step come after the old ones, which are dropped only if all went well
    all_parts(&g, a, xa, b, xb);
    if (g.status == CAIRN_OK) {
        drop_old(contacts, g.old_count, g.old_points);
    } else {
        contacts->count = g.old_count;
        contacts->point_count = g.old_points;
    }
    return g.status;
}
