// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Trees of joints, kept between steps: an island of joints alone has the same tree as long as it
// has the same bodies and joints. Trees that no step has needed for a while are freed.

#include "world/step/linkage.h"
#include "world/threads.h"
#include <stdlib.h>
#include <string.h>

enum { most_idle_steps = 60 };

static void destroy_one(cairn_linkage* kept)
{
    cairn_tree_destroy(kept->tree);
    cairn_loops_destroy(kept->net);
    cairn_arena_destroy(&kept->own);
    free(kept->bodies);
    free(kept->keys);
    free(kept);
}

static size_t memory_of(const cairn_linkage* kept)
{
    size_t tree = kept->tree ? sizeof *kept->tree + cairn_arena_memory(&kept->tree->own) : 0;
    size_t net = kept->net ? sizeof *kept->net + cairn_arena_memory(&kept->net->own) : 0;
    return sizeof *kept + tree + net + cairn_arena_memory(&kept->own) +
           (size_t)kept->body_count * sizeof(int) +
           (size_t)kept->link_count * sizeof(cairn_joint_key);
}

size_t cairn_linkages_memory(const cairn_linkage* first)
{
    size_t bytes = 0;
    for (; first; first = first->next)
        bytes += memory_of(first);
    return bytes;
}

void cairn_linkages_prune(cairn_world* world)
{
    for (cairn_linkage** at = &world->linkages; *at;) {
        cairn_linkage* kept = *at;
        // a restored world may be at an earlier step
        if (kept->used <= world->step && world->step - kept->used <= most_idle_steps) {
            at = &kept->next;
            continue;
        }
        *at = kept->next;
        destroy_one(kept);
    }
}

void cairn_linkages_destroy(cairn_linkage* first)
{
    while (first) {
        cairn_linkage* next = first->next;
        destroy_one(first);
        first = next;
    }
}

static bool same(const cairn_linkage* kept, const cairn_span* span, const cairn_joint_key* keys)
{
    const cairn_island* island = span->island;
    return kept->body_count == island->body_count && kept->link_count == island->link_count &&
           memcmp(kept->bodies, span->group->bodies + island->body,
                  (size_t)island->body_count * sizeof(int)) == 0 &&
           memcmp(kept->keys, keys, (size_t)island->link_count * sizeof *keys) == 0;
}

// once to see how much memory it takes, and once in memory of that size
static cairn_tree* lean_tree(const cairn_tree_topology* topology)
{
    cairn_tree* tree = calloc(1, sizeof *tree);
    bool done = tree != NULL;
    for (int k = 0; k < 2 && done; k++) {
        cairn_arena_fit(&tree->own);
        done = cairn_tree_build(tree, topology, true, &tree->own) == CAIRN_OK;
    }
    if (!done)
        cairn_tree_destroy(tree);
    return done ? tree : NULL;
}

// a forest of ball joints alone needs no more than its structure; likewise
static bool make_balls(cairn_linkage* kept)
{
    bool done = true;
    for (int i = 0; i < kept->link_count; i++)
        if (!kept->forest || kept->keys[i].kind != CAIRN_JOINT_BALL)
            return true;
    for (int k = 0; k < 2 && done; k++) {
        cairn_arena_fit(&kept->own);
        done = cairn_ball_tree_make(&kept->balls, kept->tree, &kept->own);
    }
    cairn_tree_destroy(kept->tree);
    kept->tree = NULL;
    return done;
}

// the joints as edges between places
static void list_constraints(cairn_tree_constraint* to, const cairn_linkage* kept, const int* local)
{
    for (int i = 0; i < kept->link_count; i++) {
        const cairn_joint_key* key = &kept->keys[i];
        to[i] = (cairn_tree_constraint){.body_a = key->a == CAIRN_WORLD_BODY ? CAIRN_WORLD_BODY
                                                                             : local[key->a],
                                        .body_b = local[key->b],
                                        .row_count = key->rows};
    }
}

cairn_loops* cairn_linkage_net(cairn_linkage* kept, const cairn_span* span)
{
    if (kept->net)
        return kept->net;
    cairn_tree_constraint* constraints = calloc((size_t)kept->link_count, sizeof *constraints);
    if (!constraints)
        return NULL;
    list_constraints(constraints, kept, span->group->local);
    cairn_loops_def def = cairn_default_loops_def();
    if (cairn_loops_create(&kept->net, kept->body_count, constraints, kept->link_count, &def) !=
        CAIRN_OK)
        kept->net = NULL;
    free(constraints);
    return kept->net;
}

static cairn_linkage* build(const cairn_span* span, const cairn_joint_key* keys)
{
    const cairn_island* island = span->island;
    cairn_linkage* kept = calloc(1, sizeof *kept);
    cairn_tree_constraint* constraints = calloc((size_t)island->link_count, sizeof *constraints);
    bool done = kept && constraints;

    // the linkage remembers the bodies and joints that it was built for
    if (done) {
        kept->body_count = island->body_count;
        kept->link_count = island->link_count;
        kept->bodies = malloc((size_t)island->body_count * sizeof(int));
        kept->keys = malloc((size_t)island->link_count * sizeof *keys);
        done = kept->bodies && kept->keys;
    }

    if (done) {
        memcpy(kept->bodies, span->group->bodies + island->body,
               (size_t)island->body_count * sizeof(int));
        memcpy(kept->keys, keys, (size_t)island->link_count * sizeof *keys);
        list_constraints(constraints, kept, span->group->local);
        cairn_tree_topology topology = cairn_default_tree_topology();
        topology.body_count = island->body_count;
        topology.constraint_count = island->link_count;
        topology.constraints = constraints;
        kept->tree = lean_tree(&topology);
        done = kept->tree != NULL;
        kept->forest = done && kept->tree->all_primary;
        done = done && make_balls(kept);
    }

    free(constraints);
    if (!done && kept)
        destroy_one(kept);
    return done ? kept : NULL;
}

// the list of trees is common to all threads, a tree belongs to its island
cairn_linkage* cairn_linkage_find(const cairn_span* span, const cairn_joint_key* keys)
{
    cairn_world* world = span->world;
    cairn_crew_lock(world->crew);
    cairn_linkage* kept = world->linkages;
    while (kept && !same(kept, span, keys))
        kept = kept->next;
    if (!kept && (kept = build(span, keys)) != NULL) {
        kept->next = world->linkages;
        world->linkages = kept;
    }
    if (kept)
        kept->used = world->step;
    cairn_crew_unlock(world->crew);
    return kept;
}
