// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Two peers run the same game. The input of each comes to the other four steps late: the other goes on
// without it, and when it arrives goes back to a snapshot and runs again. In the end both worlds are
// the same to the last bit. A third one joins late: it is sent the bytes of a snapshot, refuses those
// that a bad line has changed, and goes on with the others.
#include "example.h"
#include <stdlib.h>

enum { late = 4, steps = 120 };

typedef struct peer {
    cairn_world* world;
    cairn_snapshot* past[late + 1]; // of the last steps, the oldest first
    int count;
} peer;

// what player p does in step i: a push upwards or sideways
static cairn_vec3 input(int p, int i)
{
    if ((i * 7 + p * 13) % 23 != 0)
        return cairn_vec(0.0, 0.0, 0.0);
    return cairn_vec(p ? -3.0 : 3.0, (i % 5) - 2.0, 4.0);
}

static peer make_peer(void)
{
    peer made = {.world = make_world()};
    add(made.world, cairn_shape_half_space(), 0.0, 0.0, 0.0, 0.0);
    for (int i = 0; i < 2; i++)
        add(made.world, cairn_shape_sphere(0.3), 1.0, i ? 1.0 : -1.0, 0.0, 0.3);
    for (int i = 0; i < 6; i++)
        add(made.world, box(0.4, 0.4, 0.4), 1.0, 0.0, 0.0, 0.2 + 0.4 * i);
    return made;
}

static void keep(peer* p)
{
    cairn_error error;
    if (p->count > late) {
        cairn_snapshot_destroy(p->past[0]);
        for (int i = 0; i < late; i++)
            p->past[i] = p->past[i + 1];
        p->count--;
    }
    must(cairn_world_snapshot(p->world, &p->past[p->count++], &error), &error);
}

// step i with the inputs that are known: those of the other player up to the last one that was heard
static void play(peer* p, int self, int i, int heard)
{
    cairn_error error;
    for (int player = 0; player < 2; player++) {
        cairn_body_id ball = cairn_world_body_at(p->world, 1 + player);
        cairn_vec3 push = input(player, i);
        if ((player == self || i <= heard) && cairn_norm(push) > 0.0)
            must(cairn_body_add_impulse(p->world, ball, push, state(p->world, ball).center, &error),
                 &error);
    }
    step(p->world, 1);
}

// the world of a peer as it comes out at the other end of a line; NULL where the line has changed it
static cairn_world* send(const peer* p, bool disturbed)
{
    cairn_snapshot *here = NULL, *there = NULL;
    cairn_error error;
    size_t size = 0;
    must(cairn_world_snapshot(p->world, &here, &error), &error);
    must(cairn_snapshot_write(here, NULL, 0, NULL, 0, &size, &error), &error);
    unsigned char* bytes = malloc(size);
    if (!bytes)
        return NULL;
    must(cairn_snapshot_write(here, NULL, 0, bytes, size, &size, &error), &error);
    bytes[size / 2] ^= disturbed;
    cairn_world* joined = NULL;
    if (cairn_snapshot_read(bytes, size, NULL, 0, &there, &error) == CAIRN_OK) {
        joined = make_world();
        must(cairn_world_restore(joined, there, &error), &error);
    }
    cairn_snapshot_destroy(here);
    cairn_snapshot_destroy(there);
    free(bytes);
    return joined;
}

int main(void)
{
    peer peers[2] = {make_peer(), make_peer()};
    int corrected = 0;
    for (int i = 0; i < steps + late; i++)
        for (int self = 0; self < 2; self++) {
            peer* p = &peers[self];
            cairn_error error;

            // the input of step i - late has come: back to its start, and again to now
            int heard = i - late;
            if (heard >= 0 && cairn_norm(input(!self, heard)) > 0.0) {
                must(cairn_world_restore(p->world, p->past[p->count - late], &error), &error);
                p->count -= late;
                for (int k = p->count; k < p->count + late; k++)
                    cairn_snapshot_destroy(p->past[k]);
                for (int k = heard; k < i; k++) {
                    keep(p);
                    play(p, self, k, heard);
                }
                corrected++;
            }
            keep(p);
            play(p, self, i < steps ? i : steps, i < steps ? heard : -1);
        }
    fact("corrections (1: some)", corrected > 0, 1.0, 0.0);
    bool same = cairn_world_hash(peers[0].world) == cairn_world_hash(peers[1].world);
    fact("both worlds are the same (1: yes)", same, 1.0, 0.0);
    fact("changed bytes are refused (1: yes)", send(&peers[0], true) == NULL, 1.0, 0.0);
    peer late_comer = {.world = send(&peers[0], false)};
    for (int i = 0; i < 60; i++) {
        play(&late_comer, 0, i, i);
        play(&peers[0], 0, i, i);
    }
    same = cairn_world_hash(peers[0].world) == cairn_world_hash(late_comer.world);
    fact("who joins late has the same world (1: yes)", same, 1.0, 0.0);
    cairn_world_destroy(late_comer.world);
    for (int self = 0; self < 2; self++) {
        for (int k = 0; k < peers[self].count; k++)
            cairn_snapshot_destroy(peers[self].past[k]);
        cairn_world_destroy(peers[self].world);
    }
    return 0;
}
