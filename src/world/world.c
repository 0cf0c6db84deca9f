// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Making, configuring and hashing a world.

#include "math/accept.h"
#include "problem/friction.h"
#include "world/query.h"
#include "world/sleep/sleep.h"
#include "world/snapshot.h"
#include "world/step/undo.h"
#include "world/threads.h"

cairn_world_def cairn_default_world_def(void)
{
    return (cairn_world_def){.cookie = cairn_cookie,
                             .gravity = {0.0, 0.0, -9.81},
                             .substeps = 4,
                             .accuracy = 1e-4,
                             .most_substeps = 64,
                             .method = "auto",
                             .rest_pass = true,
                             .contact_margin = 0.005,
                             .baumgarte = 0.2,
                             .restitution_speed = 0.5,
                             .sleep = true,
                             .sleep_speed = 1e-5,
                             .sleep_time = 0.5,
                             .threads = 1};
}

cairn_world_def cairn_preset_world_def(cairn_preset preset)
{
    enum { fine_substeps = 16 };
    cairn_world_def def = cairn_default_world_def();
    def.preset = preset;
    if (preset == CAIRN_PRESET_EXACT)
        def.substeps = fine_substeps;
    if (preset == CAIRN_PRESET_REALTIME)
        def.budget = 4e-3;
    return def;
}

double cairn_world_def_tolerance(const cairn_world_def* def)
{
    if (!def || def->tolerance > 0.0)
        return def ? def->tolerance : 0.0;
    return def->preset == CAIRN_PRESET_EXACT      ? 1e-4
           : def->preset == CAIRN_PRESET_REALTIME ? 1e-2
                                                  : 2e-3;
}

static bool is_method(const char* name)
{
    return name && cairn_method_find(name);
}

// takes over options of the method; what belongs to one solve stays the world's
static void use_tuning(cairn_world* world, const cairn_solve_def* tuning)
{
    cairn_solve_def* to = &world->tuning;
    to->facets = tuning->facets;
    to->seed = tuning->seed;
    to->simpler_law = tuning->simpler_law;
    to->any_forces = tuning->any_forces;
    to->pgs = tuning->pgs;
    to->prox = tuning->prox;
    to->tree = tuning->tree;
    to->tree.auxiliary_method = cairn_method_find(tuning->tree.auxiliary_method)->info.name;
    to->tree.large_method = cairn_method_find(tuning->tree.large_method)->info.name;
    world->def.tuning = NULL; // the caller's
}

static cairn_status check_tuning(const cairn_solve_def* tuning, cairn_error* error)
{
    if (!tuning)
        return CAIRN_OK;

    cairn_status status = cairn_accept_def(error, tuning->cookie, "cairn_default_solve_def");
    if (status != CAIRN_OK)
        return status;

    if (tuning->facets < 3 || tuning->facets > cairn_most_facets)
        return cairn_fail(error, CAIRN_BAD_INPUT,
                          "a friction pyramid of %d facets, expected 3 to %d", tuning->facets,
                          cairn_most_facets);

    if (!is_method(tuning->tree.auxiliary_method) || !is_method(tuning->tree.large_method))
        return cairn_fail(error, CAIRN_BAD_INPUT, "`tree` is to hand rows to what is no method");

    return CAIRN_OK;
}

// takes over options that were checked; the name of the table outlives the caller's
static void use_def(cairn_world* world, const cairn_world_def* def)
{
    const cairn_method* method = cairn_method_find(def->method);
    world->def = *def;
    if (def->tuning)
        use_tuning(world, def->tuning);
    world->def.method = method->info.name;
    world->automatic = method->solve == cairn_method_auto;
    world->articulated = method->solve == cairn_method_tree;
}

static cairn_status check_def(const cairn_world_def* def, cairn_error* error)
{
    const cairn_given numbers[] = {
        {"the number of substeps", def->substeps, CAIRN_A_SUBSTEP_COUNT},
        {"the accuracy", def->accuracy, CAIRN_A_SHARE},
        {"the largest number of substeps", def->most_substeps, CAIRN_A_SUBSTEP_COUNT},
        {"the tolerance", def->tolerance, CAIRN_A_SHARE},
        {"the time limit", def->time_limit, CAIRN_A_DURATION},
        {"the budget", def->budget, CAIRN_A_DURATION},
        {"the work of a step", def->work, CAIRN_A_COUNT},
        {"the limit of iterations", def->max_iterations, CAIRN_A_COUNT},
        {"the limit of sweeps", def->sweeps, CAIRN_A_COUNT},
        {"the contact margin", def->contact_margin, CAIRN_A_DISTANCE},
        {"the slop", def->slop, CAIRN_A_DISTANCE},
        {"Baumgarte's share", def->baumgarte, CAIRN_A_SHARE},
        {"the restitution speed", def->restitution_speed, CAIRN_A_SPEED},
        {"the sleep speed", def->sleep_speed, CAIRN_A_SPEED},
        {"the sleep time", def->sleep_time, CAIRN_A_DURATION},
    };

    cairn_status status = cairn_accept_def(error, def->cookie, "cairn_default_world_def");
    if (status == CAIRN_OK)
        status = cairn_accept_vec(error, "gravity", def->gravity, CAIRN_A_ACCELERATION);
    if (status == CAIRN_OK)
        status = cairn_accept_all(error, numbers, (int)(sizeof numbers / sizeof numbers[0]));
    if (status != CAIRN_OK)
        return status;

    if (def->threads < 1)
        return cairn_fail(error, CAIRN_BAD_INPUT, "%d threads, expected at least 1", def->threads);

    if ((unsigned)def->integrator > CAIRN_INTEGRATOR_MOREAU ||
        (unsigned)def->stabilization > CAIRN_STABILIZE_NONE)
        return cairn_fail(error, CAIRN_BAD_INPUT,
                          "%d is not an integrator or %d not a stabilization", (int)def->integrator,
                          (int)def->stabilization);

    if ((unsigned)def->preset > CAIRN_PRESET_EXACT)
        return cairn_fail(error, CAIRN_BAD_INPUT, "%d is not a preset", (int)def->preset);
    if (!is_method(def->method))
        return cairn_fail(error, CAIRN_BAD_INPUT, "'%s' is not a method",
                          def->method ? def->method : "");

    return check_tuning(def->tuning, error);
}

cairn_status cairn_world_take_def(cairn_world* world, const cairn_world_def* def,
                                  cairn_error* error)
{
    cairn_world_def given = *def;
    cairn_status status = check_def(&given, error);
    if (status == CAIRN_OK)
        use_def(world, &given);
    return status;
}

// ---------------------------------------------------------------- who may call

cairn_status cairn_world_may_read(const cairn_world* world, cairn_error* error)
{
    return world ? CAIRN_OK : cairn_refuse_null(error, "the world");
}

cairn_status cairn_world_may_ask(const cairn_world* world, cairn_error* error)
{
    if (!world || !world->hooked)
        return cairn_world_may_read(world, error);
    return cairn_fail(error, CAIRN_BUSY,
                      "the hook of solves may only read its world, which is in a step");
}

cairn_status cairn_world_may_change(const cairn_world* world, cairn_error* error)
{
    if (!world || world->strays->visiting == 0)
        return cairn_world_may_ask(world, error);
    return cairn_fail(error, CAIRN_BUSY, "a visitor of a query cannot change its world");
}

// ---------------------------------------------------------------- making and configuring

static void destroy(cairn_world* world)
{
    if (!world)
        return;

    cairn_crew_destroy(world->crew);
    cairn_workspace_destroy(world->workspace);
    cairn_linkages_destroy(world->linkages);

    cairn_arena_destroy(&world->arena);
    cairn_arena_destroy(&world->keep);
    cairn_arena_destroy(&world->undo.arena);
    cairn_undo_log_destroy(&world->undo.log);

    if (world->strays)
        free(world->strays->bodies);
    free(world->strays);

    cairn_world_release_state(world);
    free(world);
}

void cairn_world_cancel(cairn_world* world)
{
    if (world)
        cairn_cancel_raise(cairn_world_flag(world));
}

void cairn_world_resume(cairn_world* world)
{
    if (world)
        cairn_cancel_clear(cairn_world_flag(world));
}

cairn_status cairn_world_create(const cairn_world_def* def, cairn_world** world, cairn_error* error)
{
    if (!world || !def)
        return cairn_refuse_null(error, "the place for a world or its def");

    cairn_status status = check_def(def, error);
    if (status != CAIRN_OK)
        return status;

    cairn_world_room* room = calloc(1, sizeof *room);
    cairn_world* out = room ? &room->world : NULL;
    if (out) {
        out->tuning = cairn_default_solve_def();
        use_def(out, def);
        out->body_free = -1;
        out->workspace = cairn_workspace_create();
        out->broad = cairn_broad_create(0.5 * def->contact_margin);
        out->strays = calloc(1, sizeof *out->strays);
        out->version = 1;
        out->touching = cairn_touching_gap;
    }

    if (!out || !out->workspace || !out->broad || !out->strays) {
        destroy(out);
        return cairn_fail(error, CAIRN_NO_MEMORY, "no memory for a world");
    }

    *world = out;
    return CAIRN_OK;
}

void cairn_world_destroy(cairn_world* world)
{
    if (cairn_world_may_change(world, NULL) == CAIRN_OK)
        destroy(world);
}

cairn_status cairn_world_set_gravity(cairn_world* world, cairn_vec3 gravity, cairn_error* error)
{
    cairn_status status = cairn_world_may_change(world, error);
    if (status == CAIRN_OK)
        status = cairn_accept_vec(error, "gravity", gravity, CAIRN_A_ACCELERATION);
    if (status != CAIRN_OK)
        return status;
    if (cairn_norm(cairn_sub(gravity, world->def.gravity)) > 0.0)
        cairn_world_wake_all(world);
    world->def.gravity = gravity;
    return CAIRN_OK;
}

cairn_status cairn_world_set_method(cairn_world* world, const char* method, double tolerance,
                                    int iterations, cairn_error* error)
{
    cairn_status status = cairn_world_may_change(world, error);
    if (status != CAIRN_OK)
        return status;

    cairn_world_def def = world->def;
    def.method = method;
    def.tolerance = tolerance;
    def.max_iterations = def.sweeps = iterations;

    status = check_def(&def, error);
    if (status != CAIRN_OK)
        return status;

    use_def(world, &def);
    return CAIRN_OK;
}

cairn_status cairn_world_set_substeps(cairn_world* world, int substeps, cairn_error* error)
{
    cairn_status status = cairn_world_may_change(world, error);
    if (status != CAIRN_OK)
        return status;
    cairn_world_def def = world->def;
    def.substeps = substeps;
    status = check_def(&def, error);
    if (status != CAIRN_OK)
        return status;
    use_def(world, &def);
    return CAIRN_OK;
}

const cairn_contact* cairn_world_contacts(const cairn_world* world, int* count)
{
    // the contacts of a step are shown when it is done
    bool shown = world && !world->hooked;
    if (count)
        *count = shown ? world->slept_count + world->touch_count : 0;
    return shown ? world->contacts : NULL;
}

void cairn_world_set_solve_hook(cairn_world* world, cairn_solve_hook hook, void* context)
{
    if (cairn_world_may_change(world, NULL) != CAIRN_OK)
        return;
    world->solve_hook = hook;
    world->solve_context = context;
}

void cairn_world_energy(const cairn_world* world, double* kinetic, double* potential)
{
    double moving = 0.0, lifted = 0.0;
    for (int i = 0; world && i < world->body_count; i++) {
        const cairn_body* body = &world->bodies[i];
        if (!body->alive || body->inverse_mass == 0.0 || body->copy)
            continue;

        // the turning energy in the principal axes: ½ Σ I_k w_k²
        cairn_vec3 w = cairn_rotate_back(body->q, body->w), I = body->inertia;
        double turning = I.x * w.x * w.x + I.y * w.y * w.y + I.z * w.z * w.z;
        moving += 0.5 * (cairn_dot(body->v, body->v) / body->inverse_mass + turning);
        lifted -= body->gravity_scale * cairn_dot(world->def.gravity, body->x) / body->inverse_mass;
    }

    if (kinetic)
        *kinetic = moving;
    if (potential)
        *potential = lifted;
}

// ---------------------------------------------------------------- the hash (FNV-1a over the bits)

static uint64_t mix(uint64_t hash, const double* numbers, int count)
{
    const unsigned char* bytes = (const unsigned char*)numbers;
    for (size_t i = 0; i < (size_t)count * sizeof(double); i++)
        hash = (hash ^ bytes[i]) * 0x100000001b3u;
    return hash;
}

// bodies that were never stepped on joints, and that need no more substeps on contacts, have none
static uint64_t mix_pace(uint64_t hash, const cairn_pace* pace)
{
    if (pace->wait == 0 && pace->by_update == 0)
        return hash;
    const double numbers[] = {pace->raised, pace->stiffness, pace->span,      pace->calm,
                              pace->wait,   pace->since,     pace->by_energy, pace->by_closing,
                              pace->good,   pace->quiet,     pace->aside,     pace->tried,
                              pace->smooth, pace->by_update};
    return mix(hash, numbers, (int)(sizeof numbers / sizeof numbers[0]));
}

uint64_t cairn_world_hash(const cairn_world* world)
{
    uint64_t hash = 0xcbf29ce484222325u;

    if (!world)
        return 0;

    for (int i = 0; i < world->body_count; i++) {
        const cairn_body* body = &world->bodies[i];
        if (!body->alive)
            continue;

        hash = mix(hash, &body->x.x, 3);
        hash = mix(hash, &body->q.w, 4);
        hash = mix(hash, &body->v.x, 3);
        hash = mix(hash, &body->w.x, 3);
        hash = mix(hash, &body->still, 1);
        hash = mix(hash, &body->stood, 1);
        hash = mix(hash, &body->wait, 1);
        hash = (hash ^ (uint64_t)(body->asleep + 2 * body->frozen)) * 0x100000001b3u;
        hash = mix_pace(hash, &body->pace);
    }

    for (int i = 0; i < world->link_count; i++) {
        const cairn_link* link = &world->links[i];
        if (!link->alive)
            continue;
        hash = mix(hash, link->warm, (int)(sizeof link->warm / sizeof link->warm[0]));
        hash = mix(hash, &link->turns, 1);
    }

    // the warm start of the contacts, sleeping and awake
    const cairn_touch* lists[2] = {world->slept, world->touches};
    const int counts[2] = {world->slept_count, world->touch_count};
    for (int k = 0; k < 2; k++)
        for (int c = 0; c < counts[k]; c++) {
            hash = mix(hash, &lists[k][c].impulse.x, 3);
            hash = mix(hash, &lists[k][c].spin_impulse, 1);
            hash = mix(hash, &lists[k][c].span, 1);
        }

    return hash;
}
