// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The calls of batch.h: each copies a world of the session a few times, asks or steps the copies, and
// destroys them; the world itself must not change.

#include "api.h"
#include <stdlib.h>

enum { most_made = 2, most_allowed = 1000000 };

static cairn_batch* draw(api* a, int* world)
{
    *world = api_pick_world(a);
    if (*world < 0)
        return NULL;
    cairn_batch_def def = cairn_default_batch_def();
    cairn_batch* batch = NULL;
    cairn_joint_id joint = api_pick_joint(a, *world);
    def.count = api_hostile(a) ? api_int(a, -1, 2) : 1 + api_below(a, 2);

    // worlds that are allowed are made, and so many take their time: two are as good
    if (def.count > most_made && def.count <= most_allowed)
        def.count = most_made;
    def.threads = 1 + api_below(a, 2);
    def.variation.velocity = api_real(a, 0.0, 1.0);
    def.variation.friction = api_real(a, 0.0, 1.0);
    def.observed = def.actuated = &joint;
    def.observed_count = def.actuated_count = api_chance(a, 64);
    const cairn_batch_def* given = API_OR_NULL(a, &def);
    api_begin(a);
    cairn_status status = cairn_batch_create(a->worlds[*world].world, given, &batch, a->said);
    return api_end(a, status, API_NOTHING) ? batch : NULL;
}

static void default_def(api* a)
{
    api_begin(a);
    cairn_batch_def def = cairn_default_batch_def();
    api_end(a, CAIRN_OK, API_NOTHING);
    if (def.count != 1 || def.threads != 1)
        api_broken(a, "other defaults than the header says");
}

static void create(api* a)
{
    int w;
    cairn_batch* batch = draw(a, &w);
    api_begin(a);
    cairn_batch_destroy(batch);
    api_end(a, CAIRN_OK, API_NOTHING);
}

static void ask(api* a)
{
    int w;
    cairn_batch* batch = draw(a, &w);
    const cairn_batch* asked = API_OR_NULL(a, batch);
    api_begin(a);
    int count = cairn_batch_count(asked), bodies = cairn_batch_bodies(asked);
    int seen = cairn_batch_observation_count(asked), done = cairn_batch_action_count(asked);
    cairn_world* world = cairn_batch_world(asked, api_int(a, -1, 3));
    cairn_batch_seed(batch, (uint64_t)api_byte(a));
    api_end(a, CAIRN_OK, API_NOTHING);
    if (count < 0 || count > most_made || bodies < 0 || seen > 2 || done > 1 || (world && !asked))
        api_broken(a, "counts that do not fit");
    cairn_batch_destroy(batch);
}

static void step(api* a)
{
    int w;
    cairn_batch* batch = draw(a, &w);
    double actions[most_made] = {api_real(a, -1.0, 1.0), api_real(a, -1.0, 1.0)};
    double seen[2 * most_made];
    int missed[most_made];
    const double* given = API_OR_NULL(a, actions);
    if (api_chance(a, 16))
        cairn_batch_cancel(batch);
    if (!batch || cairn_batch_bodies(batch) > 20) {
        cairn_batch_destroy(batch);
        return;
    }
    double dt = api_real(a, 1e-4, 0.02);
    api_begin(a);
    api_end(a, cairn_batch_step(batch, dt, 1, given, seen, missed, a->said), API_NOTHING);
    api_begin(a);
    api_end(a, cairn_batch_observe(batch, seen, a->said), API_NOTHING);
    bool which[most_made] = {true, false};
    api_begin(a);
    api_end(a, cairn_batch_reset(batch, API_OR_NULL(a, which), a->said), API_NOTHING);
    cairn_batch_destroy(batch);
}

static void states(api* a)
{
    int w;
    cairn_batch* batch = draw(a, &w);
    size_t size = 13 * (size_t)(cairn_batch_bodies(batch) * cairn_batch_count(batch)) + 1;
    double* numbers = calloc(size, sizeof *numbers);
    if (batch && numbers) {
        int index = api_int(a, -1, 2);
        api_begin(a);
        api_end(a, cairn_batch_get_states(batch, numbers, a->said), API_NOTHING);
        numbers[api_below(a, (int)size)] += api_real(a, -1.0, 1.0);
        api_begin(a);
        api_end(a, cairn_batch_set_state(batch, index, numbers, a->said), API_NOTHING);
    }
    free(numbers);
    cairn_batch_destroy(batch);
}

const api_call api_batch_calls[] = {
    {"cairn_default_batch_def", default_def, 1},
    {"cairn_batch_create", create, 1},
    {"cairn_batch_destroy", create, 1},
    {"cairn_batch_count", ask, 1},
    {"cairn_batch_bodies", ask, 1},
    {"cairn_batch_observation_count", ask, 1},
    {"cairn_batch_action_count", ask, 1},
    {"cairn_batch_world", ask, 1},
    {"cairn_batch_seed", ask, 1},
    {"cairn_batch_step", step, 1},
    {"cairn_batch_cancel", step, 1},
    {"cairn_batch_observe", step, 1},
    {"cairn_batch_reset", step, 1},
    {"cairn_batch_get_states", states, 1},
    {"cairn_batch_set_state", states, 1},
    {0},
};
