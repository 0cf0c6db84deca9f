// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The broad phase: which boxes are close. Fixed and moving proxies live in two trees with boxes
// that are fatter than told, so that a slow proxy leaves its box only now and then. An update looks
// only around the proxies that did: neighbors whose boxes did not meet before are sorted and merged
// into the pairs that were there, which stay sorted by (a, b), and pairs that parted are dropped on
// the way. So the cost is one pass over the pairs plus what moved, and the order of the pairs
// depends on nothing but which pairs there are.
//
// An update takes all memory that it needs before it changes anything. It can also be undone, with
// the moves before it: the pairs of before are those that `merged` holds until the next update,
// lists that are used as stacks still hold what was popped, and the boxes of before are noted as
// proxies leave them. The trees need not have their old shape for that: they say which boxes meet,
// and that depends on the boxes alone.

#include "collide/broad.h"
#include "collide/broad/broad_state.h"
#include "math/array.h"

// ---------------------------------------------------------------- lists

static bool reserve_pairs(pair_list* list, int count)
{
    if (count <= list->capacity)
        return true;
    int capacity = count > 2 * list->capacity ? count : 2 * list->capacity;
    cairn_pair* pairs = realloc(list->pairs, (size_t)capacity * sizeof *pairs);
    if (!pairs)
        return false;
    list->pairs = pairs;
    list->capacity = capacity;
    return true;
}

static int larger(int a, int b)
{
    return a > b ? a : b;
}

static bool reserve_ints(int_list* list, int count)
{
    if (count <= list->capacity)
        return true;
    int capacity = count > 2 * list->capacity + 16 ? count : 2 * list->capacity + 16;
    int* items = realloc(list->items, (size_t)capacity * sizeof *items);
    if (!items)
        return false;
    list->items = items;
    list->capacity = capacity;
    return true;
}

static bool reserve_boxes(cairn_aabb** boxes, int* capacity, int count)
{
    if (count <= *capacity)
        return true;
    int room = count > 2 * *capacity ? count : 2 * *capacity;
    cairn_aabb* grown = realloc(*boxes, (size_t)room * sizeof *grown);
    if (!grown)
        return false;
    *boxes = grown;
    *capacity = room;
    return true;
}

// room must have been reserved
static void push_int(int_list* list, int item)
{
    list->items[list->count++] = item;
}

static int compare_pairs(const void* a, const void* b)
{
    const cairn_pair *x = a, *y = b;
    if (x->a != y->a)
        return x->a < y->a ? -1 : 1;
    return (x->b > y->b) - (x->b < y->b);
}

// ---------------------------------------------------------------- life

cairn_filter cairn_default_filter(void)
{
    return (cairn_filter){.category = 1, .mask = UINT64_MAX, .owner = -1, .fixed = false};
}

cairn_broad* cairn_broad_create(double margin)
{
    cairn_broad* broad = calloc(1, sizeof *broad);
    if (!broad)
        return NULL;
    broad->margin = margin;
    broad->tree[0] = broad->tree[1] = cairn_box_tree_empty();
    return broad;
}

void cairn_broad_destroy(cairn_broad* broad)
{
    if (!broad)
        return;

    cairn_box_tree_destroy(&broad->tree[0]);
    cairn_box_tree_destroy(&broad->tree[1]);

    free(broad->proxies);
    free(broad->free_proxies.items);
    free(broad->moved.items);
    free(broad->free_slots.items);
    free(broad->pairs.pairs);
    free(broad->merged.pairs);
    free(broad->fresh.pairs);
    free(broad->ended.pairs);
    free(broad->excluded.pairs);
    free(broad->past.boxes);
    free(broad->past.fat);
    free(broad);
}

static bool copy_pairs(pair_list* copy, const pair_list* list)
{
    *copy = *list;
    copy->pairs = CAIRN_COPY_ARRAY(list->pairs, cairn_pair, list->count, list->capacity);
    return copy->pairs != NULL;
}

static bool copy_ints(int_list* copy, const int_list* list)
{
    *copy = *list;
    copy->items = CAIRN_COPY_ARRAY(list->items, int, list->count, list->capacity);
    return copy->items != NULL;
}

// scratch is not copied: the next update makes it anew
cairn_broad* cairn_broad_copy(const cairn_broad* broad)
{
    if (!broad)
        return NULL;

    cairn_broad* copy = cairn_broad_create(broad->margin);
    if (!copy)
        return NULL;

    copy->proxy_count = broad->proxy_count;
    copy->proxy_capacity = broad->proxy_capacity;
    copy->slot_count = broad->slot_count;
    copy->proxies =
        CAIRN_COPY_ARRAY(broad->proxies, proxy, broad->proxy_count, broad->proxy_capacity);

    bool done = copy->proxies && cairn_box_tree_copy(&copy->tree[0], &broad->tree[0]) &&
                cairn_box_tree_copy(&copy->tree[1], &broad->tree[1]) &&
                copy_ints(&copy->free_proxies, &broad->free_proxies) &&
                copy_ints(&copy->moved, &broad->moved) &&
                copy_ints(&copy->free_slots, &broad->free_slots) &&
                copy_pairs(&copy->pairs, &broad->pairs) &&
                copy_pairs(&copy->excluded, &broad->excluded);

    if (!done) {
        cairn_broad_destroy(copy);
        return NULL;
    }
    return copy;
}

// the fat box of a proxy in the tree
static const cairn_aabb* box_of(const cairn_broad* broad, const proxy* p)
{
    return p->moved ? &broad->tree[p->filter.fixed].nodes[p->leaf].box : &p->fat;
}

static void mark_moved(cairn_broad* broad, int i)
{
    if (broad->proxies[i].moved)
        return;
    broad->proxies[i].moved = true;
    push_int(&broad->moved, i);
}

// any pair of it may be new, or gone
static void mark_changed(cairn_broad* broad, int i)
{
    static const cairn_aabb empty = {{INFINITY, INFINITY, INFINITY},
                                     {-INFINITY, -INFINITY, -INFINITY}};
    proxy* p = &broad->proxies[i];
    p->fat = empty;
    if (p->leaf >= 0)
        cairn_box_tree_touch(&broad->tree[p->filter.fixed], p->leaf);
    mark_moved(broad, i);
}

static int take_proxy(cairn_broad* broad)
{
    if (broad->free_proxies.count > 0)
        return broad->free_proxies.items[--broad->free_proxies.count];

    if (!reserve_ints(&broad->free_proxies, broad->proxy_count + 1) ||
        !reserve_ints(&broad->moved, broad->proxy_count + 1))
        return -1;

    if (broad->proxy_count == broad->proxy_capacity) {
        int capacity = 2 * broad->proxy_capacity + 16;
        proxy* proxies = realloc(broad->proxies, (size_t)capacity * sizeof *proxies);
        if (!proxies)
            return -1;
        broad->proxies = proxies;
        broad->proxy_capacity = capacity;
    }

    broad->proxies[broad->proxy_count].moved = false;
    return broad->proxy_count++;
}

int cairn_broad_add(cairn_broad* broad, cairn_aabb box, const cairn_filter* filter)
{
    if (!broad || !filter)
        return -1;

    int i = take_proxy(broad);
    if (i < 0)
        return -1;

    proxy* p = &broad->proxies[i];
    p->filter = *filter;
    cairn_aabb fat = filter->fixed ? box : cairn_aabb_grow(box, broad->margin);
    p->leaf = cairn_box_tree_insert(&broad->tree[filter->fixed], fat, i);

    if (p->leaf < 0) {
        push_int(&broad->free_proxies, i);
        return -1;
    }

    mark_changed(broad, i);
    return i;
}

int cairn_broad_next(const cairn_broad* broad)
{
    const int_list* free_proxies = &broad->free_proxies;
    return free_proxies->count > 0 ? free_proxies->items[free_proxies->count - 1]
                                   : broad->proxy_count;
}

void cairn_broad_remove(cairn_broad* broad, int i)
{
    if (!broad)
        return;
    // its pairs end at the next update, which also frees the index
    proxy* p = &broad->proxies[i];
    cairn_box_tree_remove(&broad->tree[p->filter.fixed], p->leaf);
    p->leaf = -1;
    mark_moved(broad, i);
}

// the box of a proxy that is about to move for the first time since the last update
static bool note_box(cairn_broad* broad, const proxy* p)
{
    history* past = &broad->past;
    if (!past->open || p->moved)
        return true;
    if (!reserve_boxes(&past->boxes, &past->capacity, past->count + 1))
        return false;
    past->boxes[past->count++] = p->fat;
    return true;
}

void cairn_broad_move(cairn_broad* broad, int i, cairn_aabb box, cairn_vec3 ahead)
{
    if (!broad)
        return;

    proxy* p = &broad->proxies[i];
    if (cairn_aabb_contains(box_of(broad, p), &box))
        return;
    if (!note_box(broad, p)) {
        broad->no_memory = true; // as the update will say
        return;
    }

    // fatten the box by four steps ahead and by one step all around: in a heap every impact changes
    // the direction
    cairn_aabb fat =
        cairn_aabb_grow(box, p->filter.fixed ? 0.0 : broad->margin + cairn_norm(ahead));
    cairn_vec3 far = cairn_scale(4.0, ahead), zero = cairn_vec(0.0, 0.0, 0.0);
    fat.lo = cairn_add(fat.lo, cairn_min(far, zero));
    fat.hi = cairn_add(fat.hi, cairn_max(far, zero));

    // a proxy that pairs with nobody is in the tree for queries alone
    bool pairs = p->filter.mask != 0 && p->filter.category != 0;
    cairn_box_tree_move(&broad->tree[p->filter.fixed], p->leaf, fat, pairs);
    mark_moved(broad, i);
}

cairn_status cairn_broad_set_filter(cairn_broad* broad, int i, const cairn_filter* filter)
{
    if (!broad || !filter)
        return CAIRN_BAD_INPUT;

    // fixed and moving boxes have a tree each
    proxy* p = &broad->proxies[i];
    if (p->filter.fixed != filter->fixed) {
        int leaf = cairn_box_tree_insert(&broad->tree[filter->fixed], *box_of(broad, p), i);
        if (leaf < 0)
            return CAIRN_NO_MEMORY;
        cairn_box_tree_remove(&broad->tree[p->filter.fixed], p->leaf);
        p->leaf = leaf;
    }

    p->filter = *filter;
    mark_changed(broad, i);
    return CAIRN_OK;
}

// ---------------------------------------------------------------- who may pair

static bool is_excluded(const cairn_broad* broad, int a, int b)
{
    cairn_pair key = {a, b, 0};
    return broad->excluded.count > 0 &&
           bsearch(&key, broad->excluded.pairs, (size_t)broad->excluded.count, sizeof key,
                   compare_pairs);
}

static bool may_pair(const cairn_broad* broad, int a, int b)
{
    const cairn_filter *f = &broad->proxies[a].filter, *g = &broad->proxies[b].filter;
    if ((f->fixed && g->fixed) || (f->owner >= 0 && f->owner == g->owner))
        return false;
    return (f->category & g->mask) && (g->category & f->mask) && !is_excluded(broad, a, b);
}

cairn_status cairn_broad_exclude(cairn_broad* broad, int a, int b, bool excluded)
{
    if (!broad)
        return CAIRN_BAD_INPUT;

    cairn_pair key = {a < b ? a : b, a < b ? b : a, 0};
    pair_list* list = &broad->excluded;
    int i = 0;

    if (!reserve_pairs(list, list->count + 1))
        return CAIRN_NO_MEMORY;
    mark_changed(broad, a);

    // the list is ascending
    while (i < list->count && compare_pairs(&list->pairs[i], &key) < 0)
        i++;
    bool there = i < list->count && compare_pairs(&list->pairs[i], &key) == 0;
    size_t after = (size_t)(list->count - i) * sizeof key;

    if (excluded && !there) {
        memmove(&list->pairs[i + 1], &list->pairs[i], after);
        list->pairs[i] = key;
        list->count++;
    } else if (!excluded && there) {
        memmove(&list->pairs[i], &list->pairs[i + 1], after - sizeof key);
        list->count--;
    }
    return CAIRN_OK;
}

const cairn_pair* cairn_broad_excluded(const cairn_broad* broad, int* count)
{
    if (count)
        *count = broad ? broad->excluded.count : 0;
    return broad ? broad->excluded.pairs : NULL;
}

// ---------------------------------------------------------------- update

// of two boxes that meet: a pair, unless it is there already
static void add_meeting(void* context, int i, int j)
{
    cairn_broad* broad = context;
    int a = i < j ? i : j, b = i < j ? j : i;
    if (cairn_aabb_overlap(&broad->proxies[a].fat, &broad->proxies[b].fat) ||
        !may_pair(broad, a, b))
        return;
    broad->no_memory = broad->no_memory || !reserve_pairs(&broad->fresh, broad->fresh.count + 1);
    if (!broad->no_memory)
        broad->fresh.pairs[broad->fresh.count++] = (cairn_pair){a, b, -1};
}

// the pairs of boxes that meet now and did not before, ascending
static bool find_fresh(cairn_broad* broad)
{
    pair_list* fresh = &broad->fresh;
    fresh->count = 0;
    broad->no_memory = false;
    cairn_box_tree_meetings(&broad->tree[0], add_meeting, broad);
    cairn_box_tree_meetings_between(&broad->tree[0], &broad->tree[1], add_meeting, broad);
    if (fresh->count > 1)
        qsort(fresh->pairs, (size_t)fresh->count, sizeof(cairn_pair), compare_pairs);
    return !broad->no_memory;
}

// whether a pair of before goes on
static bool still_close(const cairn_broad* broad, const cairn_pair* pair)
{
    const proxy *a = &broad->proxies[pair->a], *b = &broad->proxies[pair->b];
    if (!a->moved && !b->moved)
        return true;
    return a->leaf >= 0 && b->leaf >= 0 && cairn_aabb_overlap(box_of(broad, a), box_of(broad, b)) &&
           may_pair(broad, pair->a, pair->b);
}

static int take_slot(cairn_broad* broad)
{
    int_list* free_slots = &broad->free_slots;
    return free_slots->count > 0 ? free_slots->items[--free_slots->count] : broad->slot_count++;
}

// merges old and fresh pairs, both ascending; room has been made. Slots are given once the ended
// pairs have returned theirs: until then `slot` of a fresh one is its place.
static void merge(cairn_broad* broad)
{
    const pair_list* old = &broad->pairs;
    pair_list *fresh = &broad->fresh, *out = &broad->merged;
    int i = 0, j = 0;
    out->count = broad->ended.count = 0;

    while (i < old->count || j < fresh->count) {
        int order = i == old->count     ? 1
                    : j == fresh->count ? -1
                                        : compare_pairs(&old->pairs[i], &fresh->pairs[j]);

        if (order > 0) {
            fresh->pairs[j].slot = out->count;
            out->pairs[out->count++] = fresh->pairs[j++];
            continue;
        }

        // a fresh pair that is there already keeps its old slot
        const cairn_pair* pair = &old->pairs[i++];
        j += order == 0;
        if (still_close(broad, pair))
            out->pairs[out->count++] = *pair;
        else
            broad->ended.pairs[broad->ended.count++] = *pair;
    }
}

// ended pairs give back their slots and removed bodies their proxies; no box is fresh afterwards
static void free_what_ended(cairn_broad* broad)
{
    for (int i = broad->ended.count - 1; i >= 0; i--)
        push_int(&broad->free_slots, broad->ended.pairs[i].slot);

    for (int i = 0; i < broad->moved.count; i++) {
        int k = broad->moved.items[i];
        proxy* p = &broad->proxies[k];
        if (p->leaf >= 0)
            p->fat = *box_of(broad, p);
        else
            push_int(&broad->free_proxies, k);
        p->moved = false;
    }

    cairn_box_tree_settle(&broad->tree[0]);
    cairn_box_tree_settle(&broad->tree[1]);
    broad->moved.count = 0;
}

static void exchange_pairs(cairn_broad* broad)
{
    pair_list swap = broad->pairs;
    broad->pairs = broad->merged;
    broad->merged = swap;
}

cairn_status cairn_broad_update(cairn_broad* broad)
{
    if (!broad)
        return CAIRN_BAD_INPUT;

    broad->past.open = false;
    broad->ended.count = 0;

    if (broad->no_memory)
        return CAIRN_NO_MEMORY;
    if (broad->moved.count == 0)
        return CAIRN_OK;

    // find the new pairs, and take the memory for all that follows
    if (!find_fresh(broad) ||
        !reserve_pairs(&broad->merged, broad->pairs.count + broad->fresh.count) ||
        !reserve_pairs(&broad->ended, broad->pairs.count))
        return CAIRN_NO_MEMORY;

    merge(broad);
    if (!reserve_ints(&broad->free_slots, broad->free_slots.count + broad->ended.count))
        return CAIRN_NO_MEMORY;

    // nothing fails from here on
    free_what_ended(broad);
    for (int i = 0; i < broad->fresh.count; i++)
        if (broad->fresh.pairs[i].slot >= 0)
            broad->merged.pairs[broad->fresh.pairs[i].slot].slot = take_slot(broad);

    exchange_pairs(broad);
    broad->past.updated = true;
    return CAIRN_OK;
}

// ---------------------------------------------------------------- and back

cairn_status cairn_broad_begin(cairn_broad* broad)
{
    history* past = &broad->past;
    const int_list* moved = &broad->moved;

    if (!reserve_boxes(&past->boxes, &past->capacity, moved->count) ||
        !reserve_boxes(&past->fat, &past->changed_capacity, moved->count))
        return CAIRN_NO_MEMORY;

    // what had moved before the step: a failed step returns to this
    for (int k = 0; k < moved->count; k++) {
        const proxy* p = &broad->proxies[moved->items[k]];
        past->fat[k] = p->fat;
        past->boxes[k] = p->leaf >= 0 ? *box_of(broad, p) : p->fat;
    }

    past->most_changed = larger(past->most_changed, moved->count);
    past->count = past->changed_count = moved->count;
    past->slot_count = broad->slot_count;
    past->free_slots = broad->free_slots.count;
    past->free_proxies = broad->free_proxies.count;
    past->open = true;
    past->updated = broad->no_memory = false;
    return CAIRN_OK;
}

// the box of before, and whether it was to be looked around
static void put_back(cairn_broad* broad, int k)
{
    const history* past = &broad->past;
    proxy* p = &broad->proxies[broad->moved.items[k]];
    cairn_box_tree* tree = &broad->tree[p->filter.fixed];
    p->moved = k < past->changed_count;
    p->fat = p->moved ? past->fat[k] : past->boxes[k];
    if (p->leaf < 0)
        return;
    cairn_box_tree_move(tree, p->leaf, past->boxes[k], false);
    if (p->moved)
        cairn_box_tree_touch(tree, p->leaf);
}

void cairn_broad_undo(cairn_broad* broad)
{
    history* past = &broad->past;

    // the update exchanged the lists of pairs, and the old ones are still there
    if (past->updated) {
        exchange_pairs(broad);
        broad->slot_count = past->slot_count;
        broad->free_slots.count = past->free_slots;
        broad->free_proxies.count = past->free_proxies;
    }

    cairn_box_tree_settle(&broad->tree[0]);
    cairn_box_tree_settle(&broad->tree[1]);
    for (int k = 0; k < past->count; k++)
        put_back(broad, k);
    broad->moved.count = past->changed_count;
    broad->ended.count = 0;
    past->open = past->updated = broad->no_memory = false;
}

size_t cairn_broad_memory(const cairn_broad* broad)
{
    if (!broad)
        return 0;

    const int_list* ints[] = {&broad->free_proxies, &broad->moved, &broad->free_slots};
    const pair_list* pairs[] = {&broad->pairs, &broad->merged, &broad->fresh, &broad->ended,
                                &broad->excluded};

    size_t bytes = sizeof *broad + (size_t)broad->proxy_capacity * sizeof(proxy);

    for (int k = 0; k < 2; k++)
        bytes += (size_t)broad->tree[k].capacity * sizeof(cairn_box_tree_node);
    for (size_t k = 0; k < sizeof ints / sizeof ints[0]; k++)
        bytes += (size_t)ints[k]->capacity * sizeof(int);
    for (size_t k = 0; k < sizeof pairs / sizeof pairs[0]; k++)
        bytes += (size_t)pairs[k]->capacity * sizeof(cairn_pair);

    bytes += (size_t)(broad->past.capacity + broad->past.changed_capacity) * sizeof(cairn_aabb);
    return bytes;
}

void cairn_broad_renumber(cairn_broad* broad)
{
    if (!broad)
        return;
    for (int i = 0; i < broad->pairs.count; i++)
        broad->pairs.pairs[i].slot = i;
    broad->slot_count = broad->pairs.count;
    broad->free_slots.count = 0;
}

void cairn_broad_fit(cairn_broad* broad)
{
    if (!broad)
        return;

    int_list* ints[] = {&broad->free_proxies, &broad->moved, &broad->free_slots};
    pair_list* pairs[] = {&broad->pairs, &broad->merged, &broad->ended, &broad->fresh};

    CAIRN_FIT_ARRAY(broad->proxies, broad->proxy_capacity, broad->proxy_count);
    CAIRN_FIT_ARRAY(broad->excluded.pairs, broad->excluded.capacity, broad->excluded.count);

    for (size_t k = 0; k < sizeof ints / sizeof ints[0]; k++)
        CAIRN_FIT_ARRAY(ints[k]->items, ints[k]->capacity,
                        k == 2 ? broad->slot_count : broad->proxy_count);

    // scratch may have the size of an update with more pairs than there are now
    broad->merged.count = broad->ended.count = broad->fresh.count = 0;
    history* past = &broad->past;
    CAIRN_FIT_ARRAY(past->boxes, past->capacity, broad->proxy_count);
    CAIRN_FIT_ARRAY(past->fat, past->changed_capacity, past->most_changed);
    past->most_changed = 0;

    for (size_t k = 0; k < sizeof pairs / sizeof pairs[0]; k++)
        CAIRN_FIT_ARRAY(pairs[k]->pairs, pairs[k]->capacity, broad->pairs.count);
    for (int k = 0; k < 2; k++)
        cairn_box_tree_fit(&broad->tree[k]);
}

cairn_aabb cairn_broad_box(const cairn_broad* broad, int i)
{
    if (!broad)
        return (cairn_aabb){0};
    return *box_of(broad, &broad->proxies[i]);
}

const cairn_pair* cairn_broad_pairs(const cairn_broad* broad, int* count)
{
    if (count)
        *count = broad ? broad->pairs.count : 0;
    return broad ? broad->pairs.pairs : NULL;
}

const cairn_pair* cairn_broad_ended(const cairn_broad* broad, int* count)
{
    if (count)
        *count = broad ? broad->ended.count : 0;
    return broad ? broad->ended.pairs : NULL;
}

int cairn_broad_slot_count(const cairn_broad* broad)
{
    if (!broad)
        return 0;
    return broad->slot_count;
}

// ---------------------------------------------------------------- queries

void cairn_broad_query(const cairn_broad* broad, cairn_aabb box, cairn_broad_visit visit,
                       void* context)
{
    if (!broad || !visit)
        return;
    for (int kind = 0; kind < 2; kind++) {
        cairn_box_tree_walk walk = cairn_box_tree_start(&broad->tree[kind]);
        for (int i; (i = cairn_box_tree_next(&broad->tree[kind], &walk, &box)) >= 0;)
            if (!visit(context, i))
                return;
    }
}

void cairn_broad_ray(const cairn_broad* broad, cairn_vec3 origin, cairn_vec3 way, cairn_vec3 half,
                     cairn_broad_visit_ray visit, void* context)
{
    if (!broad || !visit)
        return;

    cairn_box_tree_ray ray = cairn_box_tree_ray_make(origin, way, 1.0);
    ray.grow = half;

    for (int kind = 0; kind < 2; kind++) {
        cairn_box_tree_walk walk = cairn_box_tree_start(&broad->tree[kind]);
        for (int i; (i = cairn_box_tree_next_ray(&broad->tree[kind], &walk, &ray)) >= 0;) {
            // the visitor shortens the ray, or ends it
            double reach = visit(context, i, ray.reach);
            if (reach < 0.0)
                return;
            ray.reach = fmin(ray.reach, reach);
        }
    }
}
