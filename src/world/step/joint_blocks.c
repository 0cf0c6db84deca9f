// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The blocks of joints in the problem of a substep: equality rows; a limit while its coordinate can
// reach it; a motor; and a spring, an equality row with compliance (springs.c).

#include "world/step/island.h"

// the parts of a joint that are blocks, and where their warm starts are
enum { equality_part, limit_part, motor_part, spring_part, part_count };
static const int warm_of[part_count] = {0, 6, 7, 8};

static double row_velocity(const cairn_row* row, const cairn_link* link, const double* velocity)
{
    const double* b = velocity + 6 * (ptrdiff_t)link->b;
    double sum = 0.0;
    for (int k = 0; k < 6; k++) {
        sum += row->b[k] * b[k];
        if (link->a != CAIRN_WORLD_BODY)
            sum += row->a[k] * velocity[6 * (ptrdiff_t)link->a + k];
    }
    return sum;
}

// the source of a block tells its joint and part
static int add_rows(cairn_problem* problem, const cairn_span* span, const cairn_link* link,
                    cairn_block_kind kind, int part, const cairn_row* rows, int count)
{
    const int* local = span->group->local;
    int row = problem->row_count;

    problem->blocks[problem->block_count++] =
        (cairn_block){.kind = kind,
                      .row = row,
                      .row_count = count,
                      .body_a = link->a == CAIRN_WORLD_BODY ? CAIRN_WORLD_BODY : local[link->a],
                      .body_b = local[link->b],
                      .source = part_count * (int)(link - span->world->links) + part};

    // an equality row by default; callers change bounds, compliance and warm start
    for (int i = 0; i < count; i++) {
        problem->rows[row + i] = rows[i];
        problem->b[row + i] = row_velocity(&rows[i], link, span->free);
        problem->lo[row + i] = -INFINITY;
        problem->hi[row + i] = INFINITY;
        problem->compliance[row + i] = 0.0;
    }

    problem->row_count += count;
    return row;
}

// a limit that the coordinate could pass within the substep: rows push it back inside
static void add_limit(cairn_problem* problem, const cairn_span* span, const cairn_link* link,
                      const cairn_link_place* place)
{
    cairn_row inward;
    double room;
    if (!cairn_link_limit(&inward, &room, link, place))
        return;
    // without any room between its ends it holds the coordinate from both sides
    cairn_block_kind kind = link->lo == link->hi ? CAIRN_BLOCK_JOINT : CAIRN_BLOCK_LIMIT;
    int at = add_rows(problem, span, link, kind, limit_part, &inward, 1);
    problem->b[at] += room > 0.0 ? room / span->h : 0.0;
    problem->warm[at] = link->warm[warm_of[limit_part]];
}

static void add_free_rows(cairn_problem* problem, const cairn_span* span, const cairn_link* link,
                          const cairn_link_place* place)
{
    cairn_row row;
    if (!cairn_link_free_row(&row, link, place))
        return;
    add_limit(problem, span, link, place);

    // a motor: J u = speed with a bounded impulse
    if (link->driven) {
        int at = add_rows(problem, span, link, CAIRN_BLOCK_MOTOR, motor_part, &row, 1);
        problem->b[at] -= link->speed;
        problem->lo[at] = -span->kick * link->strength;
        problem->hi[at] = span->kick * link->strength;
        problem->warm[at] = link->warm[warm_of[motor_part]];
    }

    // a spring and damper: one row with compliance
    if (link->damping + link->stiffness == 0.0)
        return;
    cairn_spring_law law = cairn_link_spring_law(span, link, place, &row);
    if (law.slope > 0.0) {
        int at = add_rows(problem, span, link, CAIRN_BLOCK_JOINT, spring_part, &row, 1);
        problem->b[at] += law.bias;
        problem->compliance[at] = 1.0 / law.slope;
        problem->warm[at] = link->warm[warm_of[spring_part]];
    }
}

double cairn_link_velocity(const cairn_row* row, const cairn_world* world, const cairn_link* link)
{
    const cairn_body* b = &world->bodies[link->b];
    double sum = cairn_dot(cairn_vec(row->b[0], row->b[1], row->b[2]), b->v) +
                 cairn_dot(cairn_vec(row->b[3], row->b[4], row->b[5]), b->w);
    if (link->a != CAIRN_WORLD_BODY) {
        const cairn_body* a = &world->bodies[link->a];
        sum += cairn_dot(cairn_vec(row->a[0], row->a[1], row->a[2]), a->v) +
               cairn_dot(cairn_vec(row->a[3], row->a[4], row->a[5]), a->w);
    }
    return sum;
}

size_t cairn_link_room(const cairn_link* link, size_t* blocks)
{
    int free_rows = link->limited + link->driven + (link->damping + link->stiffness > 0.0);
    *blocks += (size_t)(1 + free_rows);
    return (size_t)(cairn_link_most_rows(link) + free_rows);
}

void cairn_island_add_links(cairn_problem* problem, const cairn_span* span)
{
    cairn_world* world = span->world;
    for (int i = 0; i < span->island->link_count; i++) {
        cairn_link* link = &world->links[span->group->links[span->island->link + i]];
        cairn_link_place place = cairn_link_where(world, link);

        cairn_row rows[6];
        double C[6];
        int count = cairn_link_rows(rows, link, &place);
        cairn_link_errors(C, link, &place, rows, count);

        link->turns = place.coordinate;

        // a gear constrains velocities alone
        if (count > 0) {
            cairn_block_kind kind =
                cairn_joint_is_gear(link->kind) ? CAIRN_BLOCK_VELOCITY : CAIRN_BLOCK_JOINT;
            int at = add_rows(problem, span, link, kind, equality_part, rows, count);
            for (int k = 0; k < count; k++) {
                problem->warm[at + k] = link->warm[k];
                problem->b[at + k] += cairn_link_return(world, span->h) * C[k];
                // J (v + v') = 0: impulses of joints do no work
                if (cairn_links_workless(world))
                    problem->b[at + k] += cairn_link_velocity(&rows[k], world, link);
            }
        }

        add_free_rows(problem, span, link, &place);
    }
}

const cairn_link* cairn_island_link_of(const cairn_span* span, const cairn_block* block)
{
    if (block->kind != CAIRN_BLOCK_JOINT || block->source % part_count != equality_part)
        return NULL;
    return &span->world->links[block->source / part_count];
}

// the impulse of one block on B, summed for the user
static void add_impulse(cairn_link* link, const cairn_problem* problem, const cairn_block* block,
                        const double* lambda)
{
    for (int k = block->row; k < block->row + block->row_count; k++)
        cairn_link_add_impulse(link, &problem->rows[k], lambda[k]);
}

// what a walk over the blocks of an island's joints does with each: `warm` is its warm start
typedef void (*block_function)(cairn_link* link, const cairn_problem* problem,
                               const cairn_block* block, double* warm, double* lambda);

static void walk(const cairn_span* span, const cairn_problem* problem, block_function function,
                 double* lambda)
{
    for (int c = 0; c < problem->block_count; c++) {
        const cairn_block* block = &problem->blocks[c];
        if (block->kind == CAIRN_BLOCK_CONTACT || cairn_is_rolling(block))
            continue;
        cairn_link* link = &span->world->links[block->source / part_count];
        function(link, problem, block, link->warm + warm_of[block->source % part_count], lambda);
    }
}

static void keep_block(cairn_link* link, const cairn_problem* problem, const cairn_block* block,
                       double* warm, double* lambda)
{
    for (int r = 0; r < block->row_count; r++)
        warm[r] = lambda[block->row + r];

    // a limit pushes inwards, the others along the coordinate
    ptrdiff_t share = warm - link->warm - warm_of[limit_part];
    bool upper = share == 0 && link->turns - link->lo >= link->hi - link->turns;
    if (share >= 0)
        link->shares[share] += upper ? -*warm : *warm;
    add_impulse(link, problem, block, lambda);
}

static void read_block(cairn_link* link, const cairn_problem* problem, const cairn_block* block,
                       double* warm, double* lambda)
{
    (void)link;
    (void)problem;
    for (int r = 0; r < block->row_count; r++)
        lambda[block->row + r] = warm[r];
}

void cairn_island_keep_links(const cairn_span* span, const cairn_problem* problem, double* lambda)
{
    walk(span, problem, keep_block, lambda);
    cairn_island_keep_springs(span);
}

// half of the work of a motor's impulse, with the present velocities
static void add_work(cairn_link* link, const cairn_problem* problem, const cairn_block* block,
                     const cairn_world* world, const double* lambda)
{
    for (int r = block->row; r < block->row + block->row_count; r++)
        link->worked += 0.5 * lambda[r] * cairn_link_velocity(&problem->rows[r], world, link);
}

void cairn_island_work_motors(const cairn_span* span, const cairn_problem* problem,
                              const double* lambda)
{
    for (int c = 0; c < problem->block_count; c++) {
        const cairn_block* block = &problem->blocks[c];
        if (block->kind == CAIRN_BLOCK_MOTOR && !cairn_is_rolling(block))
            add_work(&span->world->links[block->source / part_count], problem, block, span->world,
                     lambda);
    }
}

void cairn_island_read_links(const cairn_span* span, const cairn_problem* problem, double* lambda)
{
    walk(span, problem, read_block, lambda);
}
