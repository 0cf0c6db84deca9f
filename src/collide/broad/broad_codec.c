// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// A broad phase as bytes. Boxes, filters, pairs and free places decide how it goes on. The shape of
// its trees does not, so a reader grows them anew from the boxes.

#include "collide/broad/broad_state.h"
#include "math/array.h"

int cairn_broad_proxy_count(const cairn_broad* broad)
{
    return broad->proxy_count;
}

bool cairn_broad_has(const cairn_broad* broad, int i)
{
    return i >= 0 && i < broad->proxy_count && broad->proxies[i].leaf >= 0;
}

// ---------------------------------------------------------------- fields

static void code_box(cairn_codec* c, cairn_aabb* box)
{
    cairn_vec3* corners[] = {&box->lo, &box->hi};
    for (int i = 0; i < 2; i++) {
        cairn_code_bound(c, &corners[i]->x);
        cairn_code_bound(c, &corners[i]->y);
        cairn_code_bound(c, &corners[i]->z);
    }
}

// `box` is the one in the tree, where the proxy is in use
static void code_proxy(cairn_codec* c, proxy* p, bool* used, cairn_aabb* box)
{
    cairn_code_bool(c, used);
    cairn_code_bool(c, &p->moved);
    code_box(c, &p->fat);
    code_box(c, box);
    cairn_code_u64(c, &p->filter.category);
    cairn_code_u64(c, &p->filter.mask);
    cairn_code_int(c, &p->filter.owner, -1, INT32_MAX);
    cairn_code_bool(c, &p->filter.fixed);
}

// numbers below `end`, none of them twice; `seen` has a flag for each
static void code_ints(cairn_codec* c, int_list* list, int end, bool* seen)
{
    for (int i = 0; i < list->count; i++) {
        cairn_code_int(c, &list->items[i], 0, end - 1);
        if (c->writing)
            continue;
        if (c->bad || seen[list->items[i]]) {
            c->bad = true;
            return;
        }
        seen[list->items[i]] = true;
    }
}

static void code_pair(cairn_codec* c, cairn_pair* pair, int proxies, int slots)
{
    cairn_code_int(c, &pair->a, 0, proxies - 1);
    cairn_code_int(c, &pair->b, 0, proxies - 1);
    cairn_code_int(c, &pair->slot, 0, slots - 1);
    c->bad = c->bad || pair->a >= pair->b;
}

static bool ascend(const cairn_pair* a, const cairn_pair* b)
{
    return a->a < b->a || (a->a == b->a && a->b < b->b);
}

// ascending, and with slots of their own where `seen` is given
static void code_pairs(cairn_codec* c, pair_list* list, int proxies, int slots, bool* seen)
{
    for (int i = 0; i < list->count && !c->bad; i++) {
        cairn_pair* pair = &list->pairs[i];
        code_pair(c, pair, proxies, slots);
        if (c->writing || c->bad)
            continue;
        c->bad = (i > 0 && !ascend(&pair[-1], pair)) || (seen && seen[pair->slot]);
        if (seen)
            seen[pair->slot] = true;
    }
}

static void code_counts(cairn_codec* c, cairn_broad* broad)
{
    cairn_code_real(c, &broad->margin);
    cairn_code_count(c, &broad->proxy_count, 118);
    cairn_code_count(c, &broad->free_proxies.count, 4);
    cairn_code_count(c, &broad->moved.count, 4);
    cairn_code_count(c, &broad->free_slots.count, 4);
    cairn_code_count(c, &broad->pairs.count, 12);
    cairn_code_count(c, &broad->excluded.count, 12);
    cairn_code_int(c, &broad->slot_count, 0, INT32_MAX);
    c->bad = c->bad ||
             (int64_t)broad->slot_count != (int64_t)broad->free_slots.count + broad->pairs.count;
}

static void code_lists(cairn_codec* c, cairn_broad* broad, bool* seen)
{
    int proxies = broad->proxy_count, slots = broad->slot_count;
    // a writer has nothing to compare with
    bool *free_proxy = seen, *moved = seen ? seen + proxies : NULL;
    bool* slot = seen ? moved + proxies : NULL;
    code_ints(c, &broad->free_proxies, proxies, free_proxy);
    code_ints(c, &broad->moved, proxies, moved);
    code_ints(c, &broad->free_slots, slots, slot);
    code_pairs(c, &broad->pairs, proxies, slots, slot);
    code_pairs(c, &broad->excluded, proxies, INT32_MAX, NULL);
}

// ---------------------------------------------------------------- writing

void cairn_broad_write(cairn_codec* codec, const cairn_broad* broad)
{
    cairn_broad view = *broad; // the lists are read alone
    code_counts(codec, &view);
    for (int i = 0; i < view.proxy_count; i++) {
        proxy p = view.proxies[i];
        bool used = p.leaf >= 0;
        if (!used && !p.moved)
            p = (proxy){.leaf = -1}; // free: nothing of it counts
        cairn_aabb box = used ? view.tree[p.filter.fixed].nodes[p.leaf].box : p.fat;
        code_proxy(codec, &p, &used, &box);
    }
    code_lists(codec, &view, NULL);
}

// ---------------------------------------------------------------- reading

static int* take_ints(int_list* list, int capacity)
{
    list->capacity = capacity;
    return list->items = CAIRN_COPY_ARRAY(NULL, int, 0, capacity);
}

static cairn_pair* take_pairs(pair_list* list)
{
    list->capacity = list->count;
    return list->pairs = CAIRN_COPY_ARRAY(NULL, cairn_pair, 0, list->count);
}

static bool take_room(cairn_broad* broad)
{
    broad->proxy_capacity = broad->proxy_count;
    broad->proxies = CAIRN_COPY_ARRAY(NULL, proxy, 0, broad->proxy_count);
    return broad->proxies && take_ints(&broad->free_proxies, broad->proxy_count) &&
           take_ints(&broad->moved, broad->proxy_count) &&
           take_ints(&broad->free_slots, broad->slot_count) && take_pairs(&broad->pairs) &&
           take_pairs(&broad->excluded);
}

static bool is_box(const cairn_aabb* box)
{
    return box->lo.x <= box->hi.x && box->lo.y <= box->hi.y && box->lo.z <= box->hi.z;
}

// false without memory
static bool read_proxies(cairn_codec* c, cairn_broad* broad)
{
    for (int i = 0; i < broad->proxy_count; i++) {
        proxy* p = &broad->proxies[i];
        cairn_aabb box;
        bool used = false;
        *p = (proxy){.leaf = -1};
        code_proxy(c, p, &used, &box);

        c->bad = c->bad || (used && !is_box(&box));
        if (c->bad)
            return true;
        if (!used)
            continue;

        cairn_box_tree* tree = &broad->tree[p->filter.fixed];
        p->leaf = cairn_box_tree_insert(tree, box, i);
        if (p->leaf < 0)
            return false;
    }

    // settle the trees: only boxes that had moved when the bytes were written are fresh
    for (int k = 0; k < 2; k++)
        cairn_box_tree_settle(&broad->tree[k]);

    for (int i = 0; i < broad->proxy_count; i++) {
        const proxy* p = &broad->proxies[i];
        bool pairs = p->filter.mask != 0 && p->filter.category != 0;
        bool changed = !is_box(&p->fat);
        if (p->leaf >= 0 && p->moved && (pairs || changed))
            cairn_box_tree_touch(&broad->tree[p->filter.fixed], p->leaf);
    }
    return true;
}

// a proxy is free, or in use, or removed since the last update; the list of the moved is complete
static bool agree(const cairn_broad* broad, const bool* seen)
{
    const bool *free_proxy = seen, *moved = seen + broad->proxy_count;
    for (int i = 0; i < broad->proxy_count; i++) {
        const proxy* p = &broad->proxies[i];
        bool used = p->leaf >= 0;
        if (p->moved != moved[i] || (used && free_proxy[i]) || (!used && free_proxy[i] == p->moved))
            return false;
    }
    return true;
}

cairn_broad* cairn_broad_read(cairn_codec* codec)
{
    cairn_broad* broad = cairn_broad_create(0.0);
    if (!broad)
        return NULL;
    code_counts(codec, broad);

    bool* seen = NULL;
    bool room = !codec->bad && take_room(broad);
    if (room) {
        seen = calloc(2 * (size_t)broad->proxy_count + (size_t)broad->slot_count + 1, sizeof *seen);
        room = seen && read_proxies(codec, broad);
    }

    // the lists must agree with the proxies, whatever the bytes say
    if (room && !codec->bad)
        code_lists(codec, broad, seen);
    if (room && !codec->bad)
        codec->bad = !agree(broad, seen);

    free(seen);
    if (room && !codec->bad)
        return broad;
    cairn_broad_destroy(broad);
    return NULL;
}
