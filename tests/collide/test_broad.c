// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors

#include "check_cairn.h"
#include "collide/broad.h"
#include "collide/broad/aabb_tree.h"
#include <cairn/cairn.h>
#include <cairn/random.h>
#include <string.h>

enum { most = 300 };

typedef struct scene {
    cairn_broad* broad;
    cairn_aabb box[most];
    cairn_filter filter[most];
    bool alive[most];
} scene;

static cairn_aabb random_box(cairn_random* random)
{
    cairn_vec3 p = cairn_scale(5.0, cairn_random_vec3(random));
    return cairn_aabb_grow((cairn_aabb){p, p}, cairn_random_range(random, 0.1, 1.0));
}

static bool listed(const cairn_pair* pairs, int count, int a, int b)
{
    for (int i = 0; i < count; i++)
        if (pairs[i].a == a && pairs[i].b == b)
            return true;
    return false;
}

static bool may_meet(const cairn_filter* f, const cairn_filter* g)
{
    return (f->category & g->mask) && (g->category & f->mask) && !(f->fixed && g->fixed) &&
           (f->owner < 0 || f->owner != g->owner);
}

// every overlap of true boxes is listed; nothing is listed twice, out of order or against a filter
static void check_pairs(const scene* s, double margin)
{
    int count;
    const cairn_pair* pairs = cairn_broad_pairs(s->broad, &count);
    bool* used = calloc((size_t)cairn_broad_slot_count(s->broad) + 1, 1);
    for (int i = 0; i < count; i++) {
        const cairn_pair* p = &pairs[i];
        CHECK(p->a < p->b && s->alive[p->a] && s->alive[p->b]);
        CHECK(i == 0 || pairs[i - 1].a < p->a || (pairs[i - 1].a == p->a && pairs[i - 1].b < p->b));
        CHECK(p->slot >= 0 && p->slot < cairn_broad_slot_count(s->broad) && !used[p->slot]);
        CHECK(may_meet(&s->filter[p->a], &s->filter[p->b]));
        used[p->slot] = true;
        cairn_aabb fat = cairn_aabb_grow(s->box[p->a], 4.0 * margin);
        cairn_aabb other = cairn_aabb_grow(s->box[p->b], 4.0 * margin);
        CHECK(cairn_aabb_overlap(&fat, &other));
    }
    for (int a = 0; a < most; a++)
        for (int b = a + 1; b < most; b++)
            if (s->alive[a] && s->alive[b] && may_meet(&s->filter[a], &s->filter[b]) &&
                cairn_aabb_overlap(&s->box[a], &s->box[b]))
                CHECK(listed(pairs, count, a, b));
    free(used);
}

static void random_change(scene* s, cairn_random* random)
{
    int i = cairn_random_index(random, most);
    cairn_vec3 d = cairn_scale(0.3, cairn_random_vec3(random));
    if (!s->alive[i]) {
        cairn_filter filter = cairn_default_filter();
        filter.category = UINT64_C(1) << cairn_random_index(random, 3);
        filter.mask = cairn_random_bits(random) | 1;
        filter.fixed = cairn_random_index(random, 4) == 0;
        filter.owner = cairn_random_index(random, 20) - 5;
        cairn_aabb box = random_box(random);
        int k = cairn_broad_add(s->broad, box, &filter);
        CHECK(k >= 0 && k < most && !s->alive[k]);
        s->alive[k] = true;
        s->box[k] = box;
        s->filter[k] = filter;
    } else if (cairn_random_index(random, 10) == 0) {
        cairn_broad_remove(s->broad, i);
        s->alive[i] = false;
    } else {
        s->box[i].lo = cairn_add(s->box[i].lo, d);
        s->box[i].hi = cairn_add(s->box[i].hi, d);
        cairn_broad_move(s->broad, i, s->box[i], cairn_vec(0.0, 0.0, 0.0));
    }
}

TEST(pairs_are_those_of_brute_force_through_adds_moves_and_removes)
{
    scene s = {.broad = cairn_broad_create(0.1)};
    cairn_random random = {1};
    for (int step = 0; step < (CHECK_SLOW_BUILD ? 60 : 200); step++) {
        for (int k = 0; k < 40; k++)
            random_change(&s, &random);
        ck_assert_int_eq(cairn_broad_update(s.broad), CAIRN_OK);
        check_pairs(&s, 0.2);
    }
    cairn_broad_destroy(s.broad);
}
END

TEST(memory_that_is_given_back_changes_no_pair)
{
    scene s = {.broad = cairn_broad_create(0.1)};
    cairn_random random = {3};
    for (int step = 0; step < (CHECK_SLOW_BUILD ? 30 : 100); step++) {
        for (int k = 0; k < 40; k++)
            random_change(&s, &random);
        ck_assert_int_eq(cairn_broad_update(s.broad), CAIRN_OK);
        if (step % 3 == 0)
            cairn_broad_renumber(s.broad);
        size_t before = cairn_broad_memory(s.broad);
        cairn_broad_fit(s.broad);
        CHECK(cairn_broad_memory(s.broad) <= before);
        check_pairs(&s, 0.2);
        int count;
        const cairn_pair* pairs = cairn_broad_pairs(s.broad, &count);
        for (int i = 0; i < count && step % 3 == 0; i++)
            ck_assert_int_eq(pairs[i].slot, i);
    }
    cairn_broad_destroy(s.broad);
}
END

// moves every proxy that is there, by the same random numbers for the same seed
static void move_all(cairn_broad* broad, const scene* s, uint64_t seed)
{
    cairn_random random = {seed};
    for (int i = 0; i < most; i++) {
        cairn_vec3 d = cairn_scale(0.3, cairn_random_vec3(&random));
        cairn_aabb box = {cairn_add(s->box[i].lo, d), cairn_add(s->box[i].hi, d)};
        if (s->alive[i])
            cairn_broad_move(broad, i, box, d);
    }
}

static void check_same(const cairn_broad* a, const cairn_broad* b, const scene* s)
{
    int count, other;
    const cairn_pair* pairs = cairn_broad_pairs(a, &count);
    const cairn_pair* others = cairn_broad_pairs(b, &other);
    ck_assert_int_eq(count, other);
    CHECK(count == 0 || memcmp(pairs, others, (size_t)count * sizeof *pairs) == 0);
    ck_assert_int_eq(cairn_broad_slot_count(a), cairn_broad_slot_count(b));
    ck_assert_int_eq(cairn_broad_next(a), cairn_broad_next(b));
    for (int i = 0; i < most; i++) {
        if (!s->alive[i])
            continue;
        cairn_aabb box = cairn_broad_box(a, i), same = cairn_broad_box(b, i);
        CHECK(memcmp(&box, &same, sizeof box) == 0);
    }
}

TEST(moves_and_an_update_that_are_undone_leave_no_trace)
{
    scene s = {.broad = cairn_broad_create(0.1)};
    cairn_random random = {7};
    for (int step = 0; step < (CHECK_SLOW_BUILD ? 30 : 100); step++) {
        // adds, removes and moves that no update knows yet
        for (int k = 0; k < 40; k++)
            random_change(&s, &random);
        cairn_broad* copy = cairn_broad_copy(s.broad);
        ck_assert_int_eq(cairn_broad_begin(s.broad), CAIRN_OK);
        move_all(s.broad, &s, (uint64_t)step);
        if (step % 4 > 0)
            ck_assert_int_eq(cairn_broad_update(s.broad), CAIRN_OK);
        cairn_broad_undo(s.broad);
        check_same(s.broad, copy, &s);

        // other moves after it lead to the same pairs in the same slots
        for (int k = 0; k < 3; k++) {
            move_all(s.broad, &s, 1000 + (uint64_t)k);
            move_all(copy, &s, 1000 + (uint64_t)k);
            ck_assert_int_eq(cairn_broad_update(s.broad), CAIRN_OK);
            ck_assert_int_eq(cairn_broad_update(copy), CAIRN_OK);
            check_same(s.broad, copy, &s);
        }
        cairn_broad_destroy(copy);
    }
    cairn_broad_destroy(s.broad);
}
END

TEST(a_pair_keeps_its_slot_while_it_lives)
{
    cairn_broad* broad = cairn_broad_create(0.05);
    cairn_filter filter = cairn_default_filter();
    cairn_random random = {2};
    cairn_aabb box[60];
    for (int i = 0; i < 60; i++) {
        box[i] = random_box(&random);
        cairn_broad_add(broad, box[i], &filter);
    }
    cairn_pair old[2000];
    int old_count = 0;
    for (int step = 0; step < 100; step++) {
        for (int i = 0; i < 60; i++) {
            cairn_vec3 d = cairn_scale(0.1, cairn_random_vec3(&random));
            box[i].lo = cairn_add(box[i].lo, d);
            box[i].hi = cairn_add(box[i].hi, d);
            cairn_broad_move(broad, i, box[i], d);
        }
        cairn_broad_update(broad);
        int count, ended;
        const cairn_pair* pairs = cairn_broad_pairs(broad, &count);
        const cairn_pair* gone = cairn_broad_ended(broad, &ended);
        for (int i = 0; i < old_count; i++) {
            bool lives = listed(pairs, count, old[i].a, old[i].b);
            CHECK(lives != listed(gone, ended, old[i].a, old[i].b));
            for (int k = 0; k < count; k++)
                if (pairs[k].a == old[i].a && pairs[k].b == old[i].b)
                    ck_assert_int_eq(pairs[k].slot, old[i].slot);
        }
        CHECK(count < 2000);
        memcpy(old, pairs, (size_t)count * sizeof *pairs);
        old_count = count;
    }
    cairn_broad_destroy(broad);
}
END

// as bodies of a heap do at every impact
TEST(a_proxy_that_turns_back_stays_in_its_box)
{
    cairn_broad* broad = cairn_broad_create(0.001);
    cairn_filter filter = cairn_default_filter();
    cairn_aabb start = {{-0.5, -0.5, -0.5}, {0.5, 0.5, 0.5}};
    cairn_vec3 ahead = cairn_vec(0.1, 0.0, 0.0);
    int proxy = cairn_broad_add(broad, start, &filter);
    cairn_aabb there = {cairn_add(start.lo, ahead), cairn_add(start.hi, ahead)};
    cairn_broad_move(broad, proxy, there, ahead);
    cairn_aabb before = cairn_broad_box(broad, proxy);
    cairn_broad_move(broad, proxy, start, cairn_neg(ahead));
    cairn_aabb after = cairn_broad_box(broad, proxy);
    CHECK(memcmp(&before, &after, sizeof after) == 0);
    cairn_broad_destroy(broad);
}
END

TEST(an_excluded_pair_ends_and_comes_back)
{
    cairn_broad* broad = cairn_broad_create(0.1);
    cairn_filter filter = cairn_default_filter();
    cairn_aabb box = {{0.0, 0.0, 0.0}, {1.0, 1.0, 1.0}};
    int a = cairn_broad_add(broad, box, &filter), b = cairn_broad_add(broad, box, &filter), count;
    cairn_broad_update(broad);
    cairn_broad_pairs(broad, &count);
    ck_assert_int_eq(count, 1);
    cairn_broad_exclude(broad, b, a, true);
    cairn_broad_update(broad);
    cairn_broad_pairs(broad, &count);
    ck_assert_int_eq(count, 0);
    cairn_broad_exclude(broad, a, b, false);
    cairn_broad_update(broad);
    cairn_broad_pairs(broad, &count);
    ck_assert_int_eq(count, 1);
    cairn_broad_destroy(broad);
}
END

static bool count_visit(void* context, int proxy)
{
    ((bool*)context)[proxy] = true;
    return true;
}

static double count_ray(void* context, int proxy, double reach)
{
    ((bool*)context)[proxy] = true;
    return reach;
}

TEST(queries_through_the_tree_miss_nothing)
{
    cairn_broad* broad = cairn_broad_create(0.1);
    cairn_filter filter = cairn_default_filter();
    cairn_random random = {5};
    cairn_aabb box[most];
    for (int i = 0; i < most; i++) {
        box[i] = random_box(&random);
        filter.fixed = i % 3 == 0;
        cairn_broad_add(broad, box[i], &filter);
    }
    for (int trial = 0; trial < CHECK_CASES(300); trial++) {
        bool seen[most] = {false}, met[most] = {false};
        cairn_aabb query = random_box(&random);
        cairn_vec3 o = cairn_scale(6.0, cairn_random_vec3(&random));
        cairn_vec3 w = cairn_scale(8.0, cairn_random_vec3(&random));
        if (trial % 5 == 0)
            w.x = 0.0;
        cairn_broad_query(broad, query, count_visit, seen);
        cairn_broad_ray(broad, o, w, cairn_vec(0.0, 0.0, 0.0), count_ray, met);
        for (int i = 0; i < most; i++) {
            CHECK(seen[i] || !cairn_aabb_overlap(&query, &box[i]));
            cairn_vec3 half = cairn_scale(0.5, cairn_sub(box[i].hi, box[i].lo));
            cairn_shape shape = cairn_shape_box(half);
            cairn_transform x = {cairn_add(box[i].lo, half), {1.0, 0.0, 0.0, 0.0}};
            cairn_hit hit;
            CHECK(met[i] || !cairn_shape_cast_ray(&shape, x, o, w, &hit));
        }
    }
    cairn_broad_destroy(broad);
}
END

// children differ in height by 8 at most, and no node is fresh without a leaf that is
static void check_tree(const cairn_box_tree* tree, int i)
{
    const cairn_box_tree_node* n = &tree->nodes[i];
    if (n->child[0] < 0)
        return;
    const cairn_box_tree_node *a = &tree->nodes[n->child[0]], *b = &tree->nodes[n->child[1]];
    CHECK(a->parent == i && b->parent == i && abs(a->height - b->height) <= 8);
    CHECK(n->height == 1 + (a->height > b->height ? a->height : b->height));
    CHECK(n->fresh == (a->fresh || b->fresh));
    CHECK(cairn_aabb_contains(&n->box, &a->box) && cairn_aabb_contains(&n->box, &b->box));
    check_tree(tree, n->child[0]);
    check_tree(tree, n->child[1]);
}

TEST(the_tree_stays_balanced_for_sorted_and_equal_boxes)
{
    cairn_box_tree tree = cairn_box_tree_empty();
    for (int i = 0; i < 20000; i++) {
        double x = i < 10000 ? i : 0.0;
        cairn_box_tree_insert(&tree, (cairn_aabb){{x, 0.0, 0.0}, {x + 1.0, 1.0, 1.0}}, i);
    }
    check_tree(&tree, tree.root);
    cairn_box_tree_settle(&tree);
    CHECK(!tree.nodes[tree.root].fresh);
    check_tree(&tree, tree.root);
    // log 20000 / log 1.2131
    CHECK(tree.nodes[tree.root].height <= 51);
    cairn_box_tree_destroy(&tree);
}
END

static cairn_aabb cube_around(cairn_vec3 p)
{
    cairn_vec3 half = cairn_vec(0.6, 0.6, 0.6);
    return (cairn_aabb){cairn_sub(p, half), cairn_add(p, half)};
}

// the nodes that a query of each box sees
static long cost_of_queries(const cairn_box_tree* tree, const cairn_aabb* box, int count)
{
    long nodes = 0;
    for (int i = 0; i < count; i++) {
        int stack[128], depth = 1;
        stack[0] = tree->root;
        while (depth > 0) {
            const cairn_box_tree_node* n = &tree->nodes[stack[--depth]];
            nodes++;
            if (n->child[0] < 0 || !cairn_aabb_overlap(&n->box, &box[i]))
                continue;
            stack[depth++] = n->child[0];
            stack[depth++] = n->child[1];
        }
    }
    return nodes;
}

// cubes in a loose packing wander by small steps; now and then one is taken out and comes back
TEST(the_tree_stays_good_while_its_leaves_move)
{
    enum { side = CHECK_SLOW_BUILD ? 8 : 14, count = side * side * side };
    static cairn_vec3 p[count];
    static cairn_aabb box[count];
    static int leaf[count];
    cairn_random random = {17};
    cairn_box_tree tree = cairn_box_tree_empty(), built = cairn_box_tree_empty();
    for (int i = 0; i < count; i++) {
        p[i] = cairn_scale(1.15, cairn_vec(i % side, i / side % side, i / side / side));
        leaf[i] = cairn_box_tree_insert(&tree, box[i] = cube_around(p[i]), i);
    }
    for (int round = 0; round < 20; round++) {
        for (int k = 0; k < count; k++) {
            int i = cairn_random_index(&random, count);
            p[i] = cairn_add_scaled(p[i], 0.15, cairn_random_vec3(&random));
            box[i] = cube_around(p[i]);
            if (k % 16 == 0) {
                cairn_box_tree_remove(&tree, leaf[i]);
                leaf[i] = cairn_box_tree_insert(&tree, box[i], i);
            } else {
                cairn_box_tree_move(&tree, leaf[i], box[i], true);
            }
        }
        check_tree(&tree, tree.root);
        cairn_box_tree_settle(&tree);
    }
    CHECK(cairn_box_tree_build(&built, box, count) == CAIRN_OK);
    double moved = (double)cost_of_queries(&tree, box, count);
    double ideal = (double)cost_of_queries(&built, box, count);
    CHECK_BELOW(moved, 2.0 * ideal);
    cairn_box_tree_destroy(&tree);
    cairn_box_tree_destroy(&built);
}
END

TESTS(pairs_are_those_of_brute_force_through_adds_moves_and_removes,
      memory_that_is_given_back_changes_no_pair, moves_and_an_update_that_are_undone_leave_no_trace,
      a_pair_keeps_its_slot_while_it_lives, a_proxy_that_turns_back_stays_in_its_box,
      an_excluded_pair_ends_and_comes_back, queries_through_the_tree_miss_nothing,
      the_tree_stays_balanced_for_sorted_and_equal_boxes, the_tree_stays_good_while_its_leaves_move)
