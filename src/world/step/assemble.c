// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// From contacts to the contact problem of a kick of η seconds:
//
//     v* = v + η (g + M^-1 f)                velocities without contact impulses; f has what is known
//                                            of springs (springs.c)
//     b  = J v* + bias                       open gaps and the drift ahead; see kinematics.c
//
// Damping acts before and after the kicks of a step, so that it changes no reaction. Penetration
// never enters b (it is removed by moving bodies), unless the user asks for Baumgarte's term.

#include "problem/six.h"
#include "world/step/balance.h"
#include "world/step/island.h"

// v* of one body
static void free_velocity(double* to, const cairn_world* world, const cairn_body* body, double h)
{
    cairn_vec3 v = body->v, w = body->w;
    if (cairn_body_active(body)) {
        cairn_vec3 pull = cairn_scale(body->gravity_scale, world->def.gravity);
        v = cairn_add_scaled(v, h, cairn_add_scaled(pull, body->inverse_mass, body->force));
        // few bodies are turned by torques: for the others the inertia need not come from memory
        if (cairn_dot(body->torque, body->torque) > 0.0)
            w = cairn_add_scaled(w, h, cairn_mat3_apply(body->inverse_inertia, body->torque));
    }
    cairn_store_six(to, v, w);
}

void cairn_world_free_velocities(double* to, const cairn_world* world, double h)
{
    for (int i = 0; i < world->body_count; i++)
        free_velocity(to + 6 * (ptrdiff_t)i, world, &world->bodies[i], h);
}

void cairn_span_free_velocities(double* to, const cairn_span* span)
{
    const cairn_world* world = span->world;
    const double* behind = span->group->behind;
    if (span->phase == CAIRN_PHASE_REST || span->instant || !behind) {
        cairn_world_free_velocities(to, world, span->kick);
        return;
    }

    // up to the middle of the drift ahead; where the step ends there is none
    double ahead = span->phase == CAIRN_PHASE_END ? 0.0 : 0.5 * span->h;
    for (int i = 0; i < world->body_count; i++)
        free_velocity(to + 6 * (ptrdiff_t)i, world, &world->bodies[i], behind[i] + ahead);
    cairn_span_push_springs(to, span);
}

static double row_velocity(const cairn_row* row, const double* a, const double* b)
{
    double sum = 0.0;
    for (int k = 0; k < 6; k++)
        sum += row->a[k] * a[k] + row->b[k] * b[k];
    return sum;
}

double cairn_touch_velocity(const cairn_world* world, const cairn_touch* touch,
                            const cairn_row* row)
{
    double a[6], b[6];
    cairn_store_six(a, world->bodies[touch->a].v, world->bodies[touch->a].w);
    cairn_store_six(b, world->bodies[touch->b].v, world->bodies[touch->b].w);
    return row_velocity(row, a, b);
}

// J M^-1 J^T of one side of a row
static double mobility_of(const cairn_problem* problem, int body, const double* row)
{
    if (body < 0)
        return 0.0;
    const cairn_mass* mass = &problem->bodies[body];
    cairn_vec3 n = cairn_vec(row[0], row[1], row[2]), turn = cairn_vec(row[3], row[4], row[5]);
    return mass->inverse_mass * cairn_dot(n, n) +
           cairn_dot(turn, cairn_mat3_apply(mass->inverse_inertia, turn));
}

// puts the law of the spring in the place of the normal row's own
static void soften(cairn_problem* problem, const cairn_span* span, const cairn_touch* touch,
                   int row, const cairn_contact_place* placed)
{
    const cairn_row* normal = &problem->rows[row];
    double speed = cairn_touch_velocity(span->world, touch, normal);
    const cairn_block* block = &problem->blocks[problem->block_count - 1];
    double mobility = mobility_of(problem, block->body_a, normal->a) +
                      mobility_of(problem, block->body_b, normal->b);
    cairn_spring_law law = cairn_touch_soft_law(span, touch, placed->gap, speed, mobility);
    problem->b[row] = row_velocity(normal, span->free + 6 * (ptrdiff_t)touch->a,
                                   span->free + 6 * (ptrdiff_t)touch->b) +
                      law.bias;
    problem->compliance[row] = 1.0 / law.slope;
}

// the rows of one contact, with the impulses of the last substep in their frame
static void add_touch(cairn_problem* problem, const cairn_span* span, int index,
                      const cairn_contact_place* placed)
{
    const cairn_touch* touch = &span->world->touches[index];
    const int* local = span->group->local;

    int row = problem->row_count;
    cairn_row* rows = problem->rows + row;
    cairn_frame_rows(cairn_touch_frame(touch), placed->r[0], placed->r[1], touch->rows, rows);
    problem->blocks[problem->block_count++] = (cairn_block){.kind = CAIRN_BLOCK_CONTACT,
                                                            .row = row,
                                                            .row_count = touch->rows,
                                                            .body_a = local[touch->a],
                                                            .body_b = local[touch->b],
                                                            .friction = cairn_touch_friction(touch),
                                                            .source = index};

    problem->row_count += touch->rows;

    // b = J v* + bias along the contact's axes; spin has no bias
    double warm = cairn_touch_warmth(touch, span->kick);
    for (int i = 0; i < touch->rows; i++) {
        problem->b[row + i] = row_velocity(&rows[i], span->free + 6 * (ptrdiff_t)touch->a,
                                           span->free + 6 * (ptrdiff_t)touch->b);
        cairn_vec3 along = cairn_vec(rows[i].b[0], rows[i].b[1], rows[i].b[2]);
        if (i < 3)
            problem->b[row + i] += cairn_dot(along, placed->bias);
        problem->warm[row + i] =
            warm * (i < 3 ? cairn_dot(along, touch->impulse) : touch->spin_impulse);
        if (problem->compliance)
            problem->compliance[row + i] = 0.0;
    }

    if (touch->soft)
        soften(problem, span, touch, row, placed);
}

static bool take_problem(cairn_problem* problem, const cairn_span* span)
{
    const cairn_island* island = span->island;
    cairn_arena* arena = span->arena;
    size_t rows = 0, blocks = (size_t)island->touch_count;
    for (int c = 0; c < island->touch_count; c++)
        rows += (size_t)span->world->touches[span->group->touches[island->touch + c]].rows;
    for (int i = 0; i < island->link_count; i++)
        rows += cairn_link_room(&span->world->links[span->group->links[island->link + i]], &blocks);
    cairn_rolling_room(span, &rows, &blocks);

    *problem = (cairn_problem){.space = 3, .body_count = island->body_count};
    problem->bodies = CAIRN_TAKE(arena, cairn_mass, island->body_count);
    problem->blocks = CAIRN_TAKE(arena, cairn_block, blocks);
    problem->rows = CAIRN_TAKE(arena, cairn_row, rows);
    problem->b = CAIRN_TAKE(arena, double, rows);
    problem->warm = CAIRN_TAKE(arena, double, rows);

    // joints, rolling and soft contacts have bounds and compliance; hard contacts need neither
    if (island->link_count > 0 || island->rolls || island->soft) {
        problem->lo = CAIRN_TAKE(arena, double, rows);
        problem->hi = CAIRN_TAKE(arena, double, rows);
        problem->compliance = CAIRN_TAKE(arena, double, rows);
    }

    return !arena->failed;
}

cairn_status cairn_island_assemble(cairn_problem* problem, const cairn_span* span)
{
    const cairn_island* island = span->island;
    if (!take_problem(problem, span))
        return CAIRN_NO_MEMORY;

    // an inactive body has zero inverse mass: impulses do not move it
    for (int i = 0; i < island->body_count; i++) {
        const cairn_body* body = cairn_span_body(span, i);
        problem->bodies[i] = (cairn_mass){0};
        if (cairn_body_active(body))
            problem->bodies[i] = (cairn_mass){body->inverse_mass, body->inverse_inertia};
    }

    // contacts that are out of reach leave no block
    const cairn_contact_place* placed = span->placed ? span->placed : cairn_island_place(span);
    if (!placed)
        return CAIRN_NO_MEMORY;
    for (int c = 0; c < island->touch_count; c++)
        if (!cairn_is_out(&placed[c]))
            add_touch(problem, span, span->group->touches[island->touch + c], &placed[c]);

    cairn_island_add_links(problem, span);
    cairn_island_add_rolling(problem, span);
    return CAIRN_OK;
}

void cairn_island_kick(const cairn_span* span, const double* change)
{
    const cairn_island* island = span->island;
    for (int i = 0; i < island->body_count; i++) {
        int slot = span->group->bodies[island->body + i];
        const double *v = span->free + 6 * (ptrdiff_t)slot, *d = change + 6 * (ptrdiff_t)i;
        cairn_body* body = &span->world->bodies[slot];
        if (!cairn_body_active(body))
            continue;
        body->v = cairn_vec(v[0] + d[0], v[1] + d[1], v[2] + d[2]);
        body->w = cairn_vec(v[3] + d[3], v[4] + d[4], v[5] + d[5]);
    }
}

// hands the impulses back to the contacts, for the next substep and for the user
static void keep_impulses(const cairn_span* span, const cairn_problem* problem, double* lambda)
{
    const cairn_island* island = span->island;
    int b = 0;
    for (int c = 0; c < island->touch_count; c++) {
        int index = span->group->touches[island->touch + c];
        cairn_touch* touch = &span->world->touches[index];
        cairn_vec3 P = cairn_vec(0.0, 0.0, 0.0);
        double spin = 0.0;
        const cairn_block* block = b < problem->block_count ? &problem->blocks[b] : NULL;

        // contacts without a block took no part
        if (block && block->kind == CAIRN_BLOCK_CONTACT && block->source == index) {
            const double* x = lambda + block->row;
            P = cairn_mat3_apply(cairn_touch_frame(touch), cairn_vec(x[0], x[1], x[2]));
            spin = touch->rows == 4 ? x[3] : 0.0;
            b++;
        }

        cairn_touch_keep(touch, P, spin, span->kick);
    }

    cairn_island_carry(span);
    cairn_island_keep_links(span, problem, lambda);
}

cairn_status cairn_island_apply(const cairn_span* span, const cairn_problem* problem,
                                double* lambda)
{
    double* change = CAIRN_TAKE(span->arena, double, 6 * (size_t)problem->body_count);
    if (!change)
        return CAIRN_NO_MEMORY;
    cairn_problem_body_velocity(problem, lambda, change);
    keep_impulses(span, problem, lambda);
    cairn_island_work_motors(span, problem, lambda);
    cairn_island_kick(span, change);
    cairn_island_work_motors(span, problem, lambda);
    return CAIRN_OK;
}

void cairn_island_read_impulses(const cairn_span* span, const cairn_problem* problem,
                                double* lambda)
{
    // contacts come first in the list of blocks
    for (int b = 0; b < problem->block_count; b++) {
        const cairn_block* block = &problem->blocks[b];
        if (block->kind != CAIRN_BLOCK_CONTACT)
            break;

        const cairn_touch* touch = &span->world->touches[block->source];
        double* x = lambda + block->row;
        cairn_mat3 frame = cairn_touch_frame(touch);
        x[0] = cairn_dot(touch->impulse, frame.cx);
        x[1] = cairn_dot(touch->impulse, frame.cy);
        x[2] = cairn_dot(touch->impulse, frame.cz);
        if (touch->rows == 4)
            x[3] = touch->spin_impulse;
    }

    cairn_island_read_links(span, problem, lambda);
}

double cairn_island_fastest(const cairn_span* span)
{
    double most = 0.0;
    for (int i = 0; i < span->island->body_count; i++) {
        int slot = span->group->bodies[span->island->body + i];
        const double* v = span->free + 6 * (ptrdiff_t)slot;
        double turn = cairn_norm(cairn_vec(v[3], v[4], v[5])) * span->world->bodies[slot].radius;
        most = fmax(most, cairn_norm(cairn_vec(v[0], v[1], v[2])) + turn);
    }
    return 2.0 * most;
}
