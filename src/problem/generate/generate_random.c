// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Bodies of random mass, shape and motion with contacts at random places and in random directions,
// one in four against the world. The first contact of each body leads to an earlier body or to the
// world, which makes a forest: up to as many contacts as bodies are independent. The last
// `deficiency` contacts repeat earlier ones, so then A has rank 3 (contacts - deficiency).

#include "problem/generate/generate_draft.h"

static void add_body(cairn_draft* draft)
{
    cairn_random* random = &draft->random;
    double mass = cairn_random_range(random, 1.0, 10.0);
    double x = cairn_random_range(random, 0.5, 2.0);
    double y = cairn_random_range(random, 0.5, 2.0);
    double z = cairn_random_range(random, 0.5, 2.0);
    cairn_mass box = cairn_draft_box(mass, x, y, z);

    // turned into a random attitude: any four numbers are a rotation once normalized
    cairn_vec3 v = cairn_random_vec3(random);
    cairn_quat q = {cairn_random_unit(random), v.x, v.y, v.z};
    cairn_mat3 R = cairn_quat_to_mat3(cairn_quat_normalize(q));
    cairn_mat3 I =
        cairn_mat3_multiply(cairn_mat3_multiply(R, box.inverse_inertia), cairn_mat3_transpose(R));
    I.cy.x = I.cx.y;
    I.cz.x = I.cx.z;
    I.cz.y = I.cy.z;
    box.inverse_inertia = I;

    int body = cairn_draft_body(draft, box, cairn_scale(10.0, cairn_random_vec3(random)));
    cairn_vec3 linear = cairn_random_vec3(random);
    cairn_vec3 angular = cairn_random_vec3(random);
    cairn_draft_push(draft, body, linear, angular);
}

static void add_contact(cairn_draft* draft, int index, const cairn_generate_def* def)
{
    cairn_random* random = &draft->random;

    // all numbers are drawn first, whether they are used or not
    int b = index % def->width, a = CAIRN_WORLD_BODY;
    int partners = index < def->width ? b : def->width - 1;
    int other = partners > 0 ? cairn_random_index(random, partners) : 0;
    bool world = cairn_random_index(random, 4) == 0;
    cairn_vec3 normal = cairn_random_direction(random);
    cairn_vec3 offset = cairn_random_vec3(random);

    if (partners > 0 && !world)
        a = other < b ? other : other + 1;

    if (draft->failed)
        return;

    // near the middle between the two bodies, so that both arms are of their size
    cairn_vec3 middle = draft->center[b];
    if (a != CAIRN_WORLD_BODY) {
        cairn_vec3 toward = cairn_normalize(cairn_sub(draft->center[a], draft->center[b]));
        middle = cairn_add(middle, toward);
    }

    cairn_draft_contact(draft, a, b, cairn_add(middle, offset), normal, def->mu);
}

static void repeat_contact(cairn_draft* draft, int c)
{
    const double none[3] = {0.0};
    if (draft->failed)
        return;
    cairn_block block = draft->problem.blocks[c];
    cairn_row rows[3];
    for (int i = 0; i < 3; i++)
        rows[i] = draft->problem.rows[block.row + i];
    draft->failed = cairn_problem_add_block(&draft->problem, &block, rows, none) != CAIRN_OK;
}

void cairn_generate_random(cairn_draft* draft, const cairn_generate_def* def)
{
    int distinct = def->height - def->deficiency;
    for (int i = 0; i < def->width; i++)
        add_body(draft);
    for (int i = 0; i < distinct; i++)
        add_contact(draft, i, def);
    for (int i = 0; i < def->deficiency; i++)
        repeat_contact(draft, cairn_random_index(&draft->random, distinct));
}
