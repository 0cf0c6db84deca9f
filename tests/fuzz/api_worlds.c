// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The calls on a world as a whole: making, options, snapshots, steps, hooks.

#include "api.h"
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------- making

static void set_solver(api* a, cairn_world_def* def)
{
    def->method = API_OR_NULL(a, api_pick_method(a));
    def->tolerance = api_real(a, 1e-12, 1e-2);
    def->max_iterations = api_chance(a, 64) ? api_int(a, 0, 200) : 0;
    def->sweeps = api_chance(a, 64) ? api_int(a, 0, 50) : 0;
    def->rest_pass = api_chance(a, 128);
}

static void set_contacts(api* a, cairn_world_def* def)
{
    def->stabilization = (cairn_stabilization)api_int(a, 0, 2);
    def->contact_margin = api_real(a, 0.0, 0.02);
    def->slop = api_real(a, 0.0, 0.01);
    def->baumgarte = api_real(a, 0.0, 1.0);
    def->restitution_speed = api_real(a, 0.0, 2.0);
}

static void set_sleep(api* a, cairn_world_def* def)
{
    def->sleep = api_chance(a, 128);
    def->sleep_speed = api_real(a, 0.0, 0.1);
    def->sleep_time = api_real(a, 0.0, 0.5);
}

static cairn_world_def world_def(api* a)
{
    cairn_world_def def = cairn_default_world_def();
    int b = api_byte(a);
    def.time_limit = 0.01;
    if (b & 1)
        set_solver(a, &def);
    if (b & 2)
        set_contacts(a, &def);
    if (b & 4)
        set_sleep(a, &def);
    if (b & 8)
        def.gravity = api_vec(a, -10.0, 10.0);
    if (b & 16)
        def.integrator = (cairn_integrator)api_int(a, 0, 1);
    if (b & 32)
        def.substeps = api_int(a, 1, 4);
    if ((b & 192) == 192)
        def.threads = api_int(a, 1, 4);

    // without a limit of time, iterations stay below what a caller would wait for
    if ((b & 192) == 64)
        def.time_limit = api_real(a, 0.0, 0.0);
    if (!(def.time_limit > 0.0 && def.time_limit <= 0.01) &&
        (def.max_iterations > 1000 || def.sweeps > 1000))
        def.time_limit = 0.01;
    return def;
}

void api_keep_world(api* a, cairn_world* world, cairn_scene* scene, double time_limit)
{
    for (int w = 0; w < api_worlds; w++) {
        if (a->worlds[w].world)
            continue;
        a->worlds[w] =
            (api_world){.world = world, .scene = scene, .time_limit = time_limit, .session = a};
        return;
    }
    if (scene)
        cairn_scene_destroy(scene);
    else
        cairn_world_destroy(world);
}

static void default_world_def(api* a)
{
    api_begin(a);
    cairn_world_def def = cairn_default_world_def();
    api_end(a, CAIRN_OK, API_NOTHING);
    if (def.substeps != 4 || def.threads != 1)
        api_broken(a, "other defaults than the header says");
}

static void preset_world_def(api* a)
{
    cairn_preset preset = (cairn_preset)api_int(a, -1, 3);
    api_begin(a);
    cairn_world_def def = cairn_preset_world_def(preset);
    api_end(a, CAIRN_OK, API_NOTHING);
    if (def.preset != preset || def.substeps < 1)
        api_broken(a, "other options than the preset's");
}

static void world_def_tolerance(api* a)
{
    cairn_world_def def = cairn_preset_world_def((cairn_preset)api_int(a, 0, 2));
    def.tolerance = api_chance(a, 128) ? 0.0 : 1e-5;
    api_begin(a);
    double tolerance = cairn_world_def_tolerance(API_OR_NULL(a, &def));
    api_end(a, CAIRN_OK, API_NOTHING);
    if (!(tolerance >= 0.0 && tolerance <= 1.0))
        api_broken(a, "a tolerance that is none");
}

static void motion_add(api* a)
{
    double values[] = {0.0, 1e-9, -1.0, 1e300, NAN, INFINITY};
    cairn_motion sum = {0}, other = {.penetration = values[api_byte(a) % 6],
                                     .energy_defect = values[api_byte(a) % 4],
                                     .substeps_max = api_int(a, -1, 64)};
    cairn_motion* to = API_OR_NULL(a, &sum);
    cairn_motion* from = API_OR_NULL(a, &other);
    api_begin(a);
    cairn_motion_add(to, from);
    api_end(a, CAIRN_OK, API_NOTHING);
    if (to && from && !(sum.penetration >= 0.0 && sum.inertia_raised >= 1.0))
        api_broken(a, "a worst that is none");
}

static void world_create(api* a)
{
    cairn_world* world = NULL;
    cairn_world_def def = world_def(a);
    cairn_world** place = API_OR_NULL(a, &world);
    const cairn_world_def* given = API_OR_NULL(a, &def);
    api_begin(a);
    cairn_status status = cairn_world_create(given, place, a->said);
    if (!api_end(a, status, API_NOTHING)) {
        if (world)
            api_broken(a, "refused, and gave a world");
        return;
    }

    // a session has no time for thousands of substeps or threads
    if (def.substeps > 4 || def.threads > 8)
        cairn_world_destroy(world);
    else
        api_keep_world(a, world, NULL, def.time_limit);
}

// a world of a scene goes with its scene; one in a hook of its own stays
static void world_destroy(api* a)
{
    int w = api_pick_world(a);
    bool owned = w >= 0 && !a->worlds[w].scene;
    api_begin(a);
    cairn_world_destroy(owned ? a->worlds[w].world : NULL);
    if (owned && a->worlds[w].busy == 0)
        a->worlds[w].world = NULL;
    api_end(a, CAIRN_OK, API_NOTHING);
}

// ---------------------------------------------------------------- options

static void set_gravity(api* a)
{
    int w = api_pick_world(a);
    if (w < 0)
        return;
    cairn_vec3 gravity = api_vec(a, -10.0, 10.0);
    cairn_world* world = API_OR_NULL(a, a->worlds[w].world);
    api_begin(a);
    api_end(a, cairn_world_set_gravity(world, gravity, a->said), w);
}

static void set_substeps(api* a)
{
    int w = api_pick_world(a);
    if (w < 0)
        return;
    int substeps = api_int(a, 1, 16);
    cairn_world* world = API_OR_NULL(a, a->worlds[w].world);
    if (substeps > 64 && substeps <= 10000)
        substeps = 64; // a step may take only so long
    api_begin(a);
    api_end(a, cairn_world_set_substeps(world, substeps, a->said), w);
}

static void set_method(api* a)
{
    int w = api_pick_world(a);
    if (w < 0)
        return;
    const char* method = API_OR_NULL(a, api_pick_method(a));
    double tolerance = api_real(a, 1e-12, 1e-2);
    int iterations = api_int(a, 0, 200);
    if (a->worlds[w].time_limit == 0.0 && iterations > 1000)
        iterations = 1000;
    cairn_world* world = API_OR_NULL(a, a->worlds[w].world);
    api_begin(a);
    api_end(a, cairn_world_set_method(world, method, tolerance, iterations, a->said), w);
}

// ---------------------------------------------------------------- snapshots

static void snapshot(api* a)
{
    int w = api_pick_world(a), s = api_below(a, api_most_snapshots);
    if (w < 0)
        return;
    cairn_snapshot* taken = NULL;
    cairn_world* world = API_OR_NULL(a, a->worlds[w].world);
    cairn_snapshot** place = API_OR_NULL(a, &taken);
    api_begin(a);
    cairn_status status = cairn_world_snapshot(world, place, a->said);
    if (!api_end(a, status, API_NOTHING))
        return;
    cairn_snapshot_destroy(a->snapshots[s]);
    a->snapshots[s] = taken;
    a->snapshot_limits[s] = a->worlds[w].time_limit;
}

// also of another world, whose options it takes over
static void restore(api* a)
{
    int w = api_pick_world(a), s = api_below(a, api_most_snapshots);
    if (w < 0 || (!a->snapshots[s] && !a->nulls))
        return;
    cairn_world* world = API_OR_NULL(a, a->worlds[w].world);
    api_begin(a);
    cairn_status status = cairn_world_restore(world, a->snapshots[s], a->said);
    if (!api_end(a, status, w))
        return;
    if (!a->snapshots[s])
        api_broken(a, "restored from nothing");
    a->worlds[w].time_limit = a->snapshot_limits[s];
}

// bytes of a snapshot, one of them changed now and then, and back
static void snapshot_bytes(api* a)
{
    int s = api_below(a, api_most_snapshots);
    size_t size = 0, written = 0;
    cairn_snapshot* from = API_OR_NULL(a, a->snapshots[s]);
    api_begin(a);
    cairn_status status =
        cairn_snapshot_write(from, NULL, api_int(a, 0, 0), NULL, 0, &size, a->said);
    if (!api_end(a, status, API_NOTHING))
        return;
    unsigned char* bytes = malloc(size);
    if (!bytes)
        return;
    if (cairn_snapshot_write(from, NULL, 0, bytes, size, &written, NULL) != CAIRN_OK ||
        written != size)
        api_broken(a, "a snapshot has another size the second time");
    bool changed = api_chance(a, 128);
    if (changed)
        bytes[(size_t)api_below(a, 255) * size / 255] ^= (unsigned char)(1 + api_below(a, 254));
    cairn_snapshot* back = NULL;
    api_begin(a);
    status = cairn_snapshot_read(API_OR_NULL(a, bytes), size, NULL, api_int(a, 0, 0),
                                 API_OR_NULL(a, &back), a->said);
    if (api_end(a, status, API_NOTHING)) {
        if (changed)
            api_broken(a, "a changed snapshot was read");
        cairn_snapshot_destroy(a->snapshots[s]);
        a->snapshots[s] = back;
    }
    free(bytes);
}

static void snapshot_destroy(api* a)
{
    int s = api_below(a, api_most_snapshots);
    api_begin(a);
    cairn_snapshot_destroy(a->snapshots[s]);
    a->snapshots[s] = NULL;
    api_end(a, CAIRN_OK, API_NOTHING);
}

// ---------------------------------------------------------------- steps

static void step(api* a)
{
    int w = api_pick_world(a);
    if (w < 0)
        return;
    int b = api_byte(a);
    double dt = b & 1 ? api_real(a, 1e-4, 0.05) : 1.0 / 60.0;
    if (a->nulls && api_hostile(a)) {
        api_begin(a);
        api_end(a, cairn_world_step(NULL, dt, NULL, a->said), API_NOTHING);
        return;
    }
    if ((b & 14) == 14)
        api_step_twice(a, w, dt);
    for (int i = 0; i <= b >> 5; i++)
        if (!api_step(a, w, dt))
            return;
}

// the next step is to be refused
static void cancel(api* a)
{
    int w = api_pick_world(a);
    if (w < 0)
        return;
    api_begin(a);
    cairn_world_cancel(a->worlds[w].world);
    api_end(a, CAIRN_OK, API_NOTHING);
}

static void resume(api* a)
{
    int w = api_pick_world(a);
    if (w < 0)
        return;
    api_begin(a);
    cairn_world_resume(a->worlds[w].world);
    api_end(a, CAIRN_OK, API_NOTHING);
}

static void contacts(api* a)
{
    int w = api_pick_world(a), count = -1;
    if (w < 0)
        return;
    api_begin(a);
    const cairn_contact* list = cairn_world_contacts(a->worlds[w].world, &count);
    api_end(a, CAIRN_OK, API_NOTHING);
    if (count < 0 || (count > 0 && !list))
        api_broken(a, "%d contacts in no array", count);
}

static void events(api* a)
{
    int w = api_pick_world(a);
    if (w < 0)
        return;
    api_begin(a);
    cairn_events e = cairn_world_events(a->worlds[w].world);
    api_end(a, CAIRN_OK, API_NOTHING);
    if (e.begun_count < 0 || e.ended_count < 0 || (e.begun_count > 0 && !e.begun) ||
        (e.ended_count > 0 && !e.ended))
        api_broken(a, "events in no array");
}

static void wake_all(api* a)
{
    int w = api_pick_world(a);
    if (w < 0)
        return;
    api_begin(a);
    cairn_world_wake_all(a->worlds[w].world);
    api_end(a, CAIRN_OK, a->worlds[w].busy ? API_NOTHING : w);
}

static void energy(api* a)
{
    int w = api_pick_world(a);
    if (w < 0)
        return;
    double kinetic = 0.0, potential = 0.0;
    api_begin(a);
    cairn_world_energy(a->worlds[w].world, &kinetic, &potential);
    api_end(a, CAIRN_OK, API_NOTHING);
    if (isnan(kinetic) || isnan(potential))
        api_broken(a, "an energy is NaN: %g and %g", kinetic, potential);
}

static void memory(api* a)
{
    int w = api_pick_world(a);
    if (w < 0)
        return;
    size_t scratch = 0;
    api_begin(a);
    size_t bytes = cairn_world_memory(a->worlds[w].world, api_chance(a, 64) ? NULL : &scratch);
    api_end(a, CAIRN_OK, API_NOTHING);
    if (scratch > bytes)
        api_broken(a, "more scratch memory than memory");
}

static void hash(api* a)
{
    int w = api_pick_world(a);
    if (w < 0)
        return;
    api_begin(a);
    uint64_t first = cairn_world_hash(a->worlds[w].world);
    api_end(a, CAIRN_OK, API_NOTHING);
    if (first != cairn_world_hash(a->worlds[w].world))
        api_broken(a, "two hashes of one state");
}

// ---------------------------------------------------------------- what is there

static void get_def(api* a)
{
    int w = api_pick_world(a);
    if (w < 0)
        return;
    api_begin(a);
    cairn_world_def def = cairn_world_get_def(a->worlds[w].world);
    api_end(a, CAIRN_OK, API_NOTHING);
    if (!def.method || def.substeps < 1)
        api_broken(a, "options that no world has");
}

static void world_time(api* a)
{
    int w = api_pick_world(a);
    if (w < 0)
        return;
    api_begin(a);
    double time = cairn_world_time(a->worlds[w].world);
    api_end(a, CAIRN_OK, API_NOTHING);
    if (!(time >= 0.0))
        api_broken(a, "a time of %g s", time);
}

static void step_count(api* a)
{
    int w = api_pick_world(a);
    if (w < 0)
        return;
    api_begin(a);
    int64_t steps = cairn_world_step_count(a->worlds[w].world);
    api_end(a, CAIRN_OK, API_NOTHING);
    if (steps < 0)
        api_broken(a, "%lld steps", (long long)steps);
}

static void body_slots(api* a)
{
    int w = api_pick_world(a);
    if (w < 0)
        return;
    api_begin(a);
    int slots = cairn_world_body_slots(a->worlds[w].world);
    api_end(a, CAIRN_OK, API_NOTHING);
    if (slots < 0)
        api_broken(a, "%d slots", slots);
}

static void joint_slots(api* a)
{
    int w = api_pick_world(a);
    if (w < 0)
        return;
    api_begin(a);
    int slots = cairn_world_joint_slots(a->worlds[w].world);
    api_end(a, CAIRN_OK, API_NOTHING);
    if (slots < 0)
        api_broken(a, "%d slots", slots);
}

static void body_at(api* a)
{
    int w = api_pick_world(a), slot = api_int(a, 0, 8);
    if (w < 0)
        return;
    cairn_body_state state;
    api_begin(a);
    cairn_body_id id = cairn_world_body_at(a->worlds[w].world, slot);
    api_end(a, CAIRN_OK, API_NOTHING);
    if (id.generation && cairn_body_get(a->worlds[w].world, id, &state, NULL) != CAIRN_OK)
        api_broken(a, "the body in slot %d is stale", slot);
}

static void joint_at(api* a)
{
    int w = api_pick_world(a), slot = api_int(a, 0, 8);
    if (w < 0)
        return;
    cairn_joint_state state;
    api_begin(a);
    cairn_joint_id id = cairn_world_joint_at(a->worlds[w].world, slot);
    api_end(a, CAIRN_OK, API_NOTHING);
    if (id.generation && cairn_joint_get(a->worlds[w].world, id, &state, NULL) != CAIRN_OK)
        api_broken(a, "the joint in slot %d is stale", slot);
}

// ---------------------------------------------------------------- the hook

// what a hook does: it reads, and calls its own world and any other
static void in_hook(void* context, const cairn_island_solve* solve)
{
    api_world* slot = context;
    cairn_residual residual;
    if (cairn_problem_residual(solve->problem, solve->lambda, solve->law, solve->facets,
                               &residual) == CAIRN_OK)
        api_reenter(slot->session, (int)(slot - slot->session->worlds));
}

static void set_solve_hook(api* a)
{
    int w = api_pick_world(a);
    if (w < 0)
        return;
    bool none = api_chance(a, 64);
    a->worlds[w].reentries = api_below(a, 8);
    api_begin(a);
    cairn_world_set_solve_hook(a->worlds[w].world, none ? NULL : in_hook, &a->worlds[w]);
    api_end(a, CAIRN_OK, API_NOTHING);
}

// ---------------------------------------------------------------- hooks of the host

// blocks of worlds are in use, unless it is the start of a session: what is set is what there was
static void set_allocator(api* a)
{
    cairn_allocator none = {0};
    api_begin(a);
    cairn_status status = cairn_set_allocator(api_chance(a, 128) ? &none : NULL, a->said);
    api_end(a, status, API_NOTHING);
}

static void count_log(void* context, cairn_status status, const char* text)
{
    api* a = context;
    if (status == CAIRN_OK || text[0] == 0)
        api_broken(a, "a log without a cause");
}

static void set_log_hook(api* a)
{
    api_begin(a);
    cairn_set_log_hook(api_chance(a, 128) ? count_log : NULL, a);
    cairn_set_log_hook(NULL, NULL);
    api_end(a, CAIRN_OK, API_NOTHING);
}

static void set_assert_hook(api* a)
{
    api_begin(a);
    cairn_set_assert_hook(NULL, a);
    api_end(a, CAIRN_OK, API_NOTHING);
}

// back to threads of its own, which end and start anew
static void set_task_hook(api* a)
{
    int w = api_pick_world(a);
    if (w < 0)
        return;
    cairn_world* world = API_OR_NULL(a, a->worlds[w].world);
    api_begin(a);
    api_end(a, cairn_world_set_task_hook(world, NULL, a, a->said), w);
}

// clang-format off: one line for each call
const api_call api_world_calls[] = {
    {"cairn_default_world_def", default_world_def, 1},
    {"cairn_preset_world_def", preset_world_def, 1},
    {"cairn_world_def_tolerance", world_def_tolerance, 1},
    {"cairn_motion_add", motion_add, 1},
    {"cairn_world_create", world_create, 4},
    {"cairn_world_destroy", world_destroy, 1},
    {"cairn_world_set_gravity", set_gravity, 2},
    {"cairn_world_set_method", set_method, 6},
    {"cairn_world_set_substeps", set_substeps, 1},
    {"cairn_world_snapshot", snapshot, 6},
    {"cairn_world_restore", restore, 6},
    {"cairn_snapshot_destroy", snapshot_destroy, 1},
    {"cairn_snapshot_write", snapshot_bytes, 3},
    {"cairn_snapshot_read", snapshot_bytes, 3},
    {"cairn_world_step", step, 40},
    {"cairn_world_cancel", cancel, 2},
    {"cairn_world_resume", resume, 2},
    {"cairn_world_get_def", get_def, 1},
    {"cairn_world_time", world_time, 1},
    {"cairn_world_step_count", step_count, 1},
    {"cairn_world_body_slots", body_slots, 1},
    {"cairn_world_joint_slots", joint_slots, 1},
    {"cairn_world_body_at", body_at, 1},
    {"cairn_world_joint_at", joint_at, 1},
    {"cairn_world_contacts", contacts, 1},
    {"cairn_world_events", events, 1},
    {"cairn_world_wake_all", wake_all, 1},
    {"cairn_world_energy", energy, 1},
    {"cairn_world_memory", memory, 1},
    {"cairn_world_hash", hash, 1},
    {"cairn_world_set_solve_hook", set_solve_hook, 3},
    {"cairn_world_set_task_hook", set_task_hook, 1},
    {"cairn_set_allocator", set_allocator, 1},
    {"cairn_set_log_hook", set_log_hook, 1},
    {"cairn_set_assert_hook", set_assert_hook, 1},
    {0},
};
// clang-format on
