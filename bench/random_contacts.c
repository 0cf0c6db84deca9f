// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors

#include "random_contacts.h"
#include <stdlib.h>

// a solid box with random sides, turned at random; in the plane it turns about y alone
static cairn_mass random_body(int space, cairn_random* random)
{
    double density = cairn_random_range(random, 0.5, 2.0);
    double x = cairn_random_range(random, 0.5, 2.0), y = cairn_random_range(random, 0.5, 2.0);
    double z = cairn_random_range(random, 0.5, 2.0), m = density * x * y * z;
    cairn_quat q =
        cairn_quat_from_rotation_vector(cairn_scale(3.0, cairn_random_direction(random)));
    cairn_mat3 R = cairn_quat_to_mat3(q);
    cairn_mat3 D = cairn_mat3_diagonal(12.0 / (m * (y * y + z * z)), 12.0 / (m * (x * x + z * z)),
                                       12.0 / (m * (x * x + y * y)));
    cairn_mass mass = {1.0 / m,
                       cairn_mat3_multiply(cairn_mat3_multiply(R, D), cairn_mat3_transpose(R))};
    if (space == 2)
        mass.inverse_inertia = cairn_mat3_diagonal(0.0, D.cy.y, 0.0);
    return mass;
}

static cairn_vec3 random_in_space(int space, cairn_random* random)
{
    for (;;) {
        cairn_vec3 v = cairn_random_vec3(random);
        if (space == 2)
            v.y = 0.0;
        double n = cairn_norm(v);
        if (n > 0.1 && n <= 1.0)
            return v;
    }
}

static void plane_rows(cairn_row* rows, cairn_vec3 n, cairn_vec3 r_a, cairn_vec3 r_b)
{
    cairn_vec3 direction[2] = {n, cairn_vec(n.z, 0.0, -n.x)};
    for (int k = 0; k < 2; k++) {
        cairn_vec3 e = direction[k], a = cairn_cross(r_a, e), b = cairn_cross(r_b, e);
        rows[k] = (cairn_row){{-e.x, -e.y, -e.z, -a.x, -a.y, -a.z}, {e.x, e.y, e.z, b.x, b.y, b.z}};
    }
}

static void add_contact(cairn_problem* problem, const random_contacts* def, const double* velocity,
                        cairn_random* random)
{
    int a = cairn_random_index(random, problem->body_count + 1) - 1;
    int b = cairn_random_index(random, problem->body_count);
    cairn_block block = {.kind = CAIRN_BLOCK_CONTACT,
                         .row_count = def->mu == 0.0 ? 1 : def->space,
                         .body_a = a == b ? CAIRN_WORLD_BODY : a,
                         .body_b = b,
                         .friction = cairn_friction_cone(def->mu)};

    cairn_row rows[3];
    double speed[3] = {0.0, 0.0, 0.0};
    cairn_vec3 n = cairn_normalize(random_in_space(def->space, random));
    cairn_vec3 r_a = random_in_space(def->space, random), r_b = random_in_space(def->space, random);

    if (def->space == 2)
        plane_rows(rows, n, r_a, r_b);
    else
        cairn_contact_rows(n, r_a, r_b, block.row_count, rows);

    // the rows see the bodies' velocities, so that b is consistent with a motion
    for (int i = 0; i < block.row_count; i++)
        for (int k = 0; k < 6; k++) {
            if (block.body_a != CAIRN_WORLD_BODY)
                speed[i] += rows[i].a[k] * velocity[6 * block.body_a + k];
            speed[i] += rows[i].b[k] * velocity[6 * block.body_b + k];
        }

    cairn_problem_add_block(problem, &block, rows, speed);
}

static void repeat_contact(cairn_problem* problem, cairn_random* random)
{
    cairn_block block = problem->blocks[cairn_random_index(random, problem->block_count)];
    cairn_row rows[3];
    double b[3];
    for (int i = 0; i < block.row_count; i++) {
        rows[i] = problem->rows[block.row + i];
        b[i] = problem->b[block.row + i];
    }
    cairn_problem_add_block(problem, &block, rows, b);
}

cairn_problem random_contacts_make(const random_contacts* def, cairn_random* random)
{
    enum { most_bodies = 256 };
    double velocity[6 * most_bodies];
    cairn_problem problem = cairn_problem_empty();
    problem.space = def->space;

    for (int i = 0; i < def->bodies && i < most_bodies; i++) {
        cairn_problem_add_body(&problem, random_body(def->space, random));
        cairn_vec3 linear = random_in_space(def->space, random);
        cairn_vec3 angular = cairn_random_vec3(random);
        double v[6] = {linear.x, linear.y, linear.z, angular.x, angular.y, angular.z};
        for (int k = 0; k < 6; k++)
            velocity[6 * i + k] = def->space == 2 && (k == 3 || k == 5) ? 0.0 : v[k];
    }

    // some contacts repeat others, so that rows are dependent
    int fresh = def->contacts - def->repeated;
    for (int c = 0; c < fresh; c++)
        add_contact(&problem, def, velocity, random);
    for (int c = fresh; c < def->contacts; c++)
        repeat_contact(&problem, random);

    return problem;
}

void random_contacts_stir(cairn_problem* problem, double speed, cairn_random* random)
{
    size_t count = 6 * (size_t)problem->body_count;
    double* velocity = malloc((count + 1) * sizeof(double));
    if (!velocity)
        exit(2);
    for (size_t i = 0; i < count; i++)
        velocity[i] = speed * cairn_random_range(random, -1.0, 1.0);

    // b += J v, block by block
    for (int c = 0; c < problem->block_count; c++) {
        const cairn_block* block = &problem->blocks[c];
        for (int i = block->row; i < block->row + block->row_count; i++)
            for (int k = 0; k < 6; k++) {
                const cairn_row* row = &problem->rows[i];
                if (block->body_a != CAIRN_WORLD_BODY)
                    problem->b[i] += row->a[k] * velocity[6 * (ptrdiff_t)block->body_a + k];
                if (block->body_b != CAIRN_WORLD_BODY)
                    problem->b[i] += row->b[k] * velocity[6 * (ptrdiff_t)block->body_b + k];
            }
    }

    free(velocity);
}
