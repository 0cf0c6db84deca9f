// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// A session: the first two bytes choose how hostile it is, then calls are drawn by their weights
// until the bytes end.

#include "api.h"
#include <stdio.h>
#include <string.h>

// shares of 256
// clang-format off
const api_table api_tables[] = {
    {api_world_calls, 56},
    {api_body_calls, 32},
    {api_joint_calls, 24},
    {api_query_calls, 20},
    {api_shape_calls, 28},
    {api_collide_calls, 16},
    {api_broad_calls, 8},
    {api_problem_calls, 14},
    {api_solve_calls, 16},
    {api_tree_calls, 8},
    {api_file_calls, 4},
    {api_recording_calls, 4},
    {api_start_calls, 6},
    {api_change_calls, 10},
    {api_multibody_calls, 4},
    {api_robot_calls, 2},
    {api_batch_calls, 2},
    {api_math_calls, 2},
    {NULL, 0},
};
// clang-format on

// one byte chooses the table and one the call, so that a new call changes the meaning of few bytes
static const api_call* draw(int table_number, int call_number)
{
    const api_table* table = api_tables;
    for (; table[1].calls && table_number >= table->share; table++)
        table_number -= table->share;
    int total = 0;
    for (const api_call* c = table->calls; c->name; c++)
        total += c->weight;
    call_number %= total;
    const api_call* c = table->calls;
    for (; call_number >= c->weight; c++)
        call_number -= c->weight;
    return c;
}

void api_reenter(api* a, int w)
{
    static const api_call* const tables[] = {api_world_calls, api_body_calls, api_joint_calls,
                                             api_query_calls};
    api_world* slot = &a->worlds[w];
    if (slot->reentries <= 0 || a->nested > 1)
        return;

    // the call that we are in is judged as before once we are back
    const char* call = a->call;
    double started = a->started;
    cairn_error* said = a->said;
    slot->reentries--;
    slot->busy++;
    a->nested++;
    const api_call* table = tables[api_below(a, 4)];
    int count = 0;
    while (table[count].name)
        count++;
    const api_call* chosen = &table[api_below(a, count)];
    a->call = chosen->name;
    chosen->run(a);
    a->nested--;
    slot->busy--;
    a->call = call;
    a->started = started;
    a->said = said;
}

// gives everything back: worlds before the shapes that their bodies borrow
static void end(api* a)
{
    a->call = "the end of the session";
    api_files_free(a);
    for (int w = 0; w < api_worlds; w++) {
        if (!a->worlds[w].world)
            continue;
        if (a->worlds[w].scene)
            cairn_scene_destroy(a->worlds[w].scene);
        else
            cairn_world_destroy(a->worlds[w].world);
    }
    for (int s = 0; s < api_most_snapshots; s++)
        cairn_snapshot_destroy(a->snapshots[s]);
    for (int i = 0; i < a->held.compound_count; i++)
        cairn_compound_destroy(a->held.compounds[i]);
    for (int i = 0; i < a->held.hull_count; i++)
        cairn_hull_destroy(a->held.hulls[i]);
    for (int i = 0; i < a->held.mesh_count; i++)
        cairn_mesh_destroy(a->held.meshes[i]);
    for (int i = 0; i < a->held.field_count; i++)
        cairn_height_field_destroy(a->held.fields[i]);
    for (int p = 0; p < api_most_problems; p++)
        if (a->problems[p].made)
            cairn_problem_destroy(&a->problems[p].problem);
    cairn_workspace_destroy(a->workspace);
    cairn_broad_destroy(a->boxes.broad);
    cairn_contacts_destroy(&a->contacts);
    api_forest_free(a);
}

void api_run(const uint8_t* data, size_t size, api_tally* tally)
{
    static const int hostilities[] = {1, 4, 12, 40};
    api a;
    memset(&a, 0, sizeof a);
    a.data = data;
    a.size = size;
    a.tally = tally;
    a.hostility = hostilities[api_below(&a, 4)];
    a.nulls = api_chance(&a, 128);
    for (int i = 0; i < api_most_calls && !api_ended(&a); i++) {
        int table_number = api_byte(&a), call_number = api_byte(&a);
        const api_call* call = draw(table_number, call_number);
        a.call = call->name;
        snprintf(tally->call, sizeof tally->call, "%s", call->name);
        call->run(&a);
    }
    end(&a);
}
