// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The loads that contacts and joints show after a step: where other impulses give the same motion,
// the least of them (solve/least_norm.c). Impulses summed over the step are shared anew where the
// bodies have arrived; no velocity changes. Islands at rest go on from the shared impulses, so that
// they are shared once, when they come to rest.

#include "solve/least_norm.h"
#include "solve/method.h"
#include "world/step/step.h"
#include <string.h>

enum {
    few_contacts = 8,     // of an island that is shared in each step, however it moves,
    moving_contacts = 64, // of one that is slow or has joints,
    moving_links = 64,    // and joints
};

// an island with the impulses of its step
typedef struct loads {
    const cairn_span* span;
    cairn_problem problem;
    double* lambda;
    double* v; // of the rows
} loads;

static bool holds(const cairn_world* world, int slot)
{
    return slot == CAIRN_WORLD_BODY || !cairn_body_active(&world->bodies[slot]);
}

// Whether every load follows from the balance of what hangs on it: contacts and joints are edges of
// a tree, the world one of its nodes. Islands are connected, so that counting tells.
static bool is_tree(const cairn_span* span)
{
    const cairn_world* world = span->world;
    const cairn_island* island = span->island;
    bool held = false;
    int edges = island->link_count;
    for (int c = 0; c < island->touch_count; c++) {
        const cairn_touch* touch = cairn_span_touch(span, c);
        edges += !touch->gone;
        held = held || holds(world, touch->a) || holds(world, touch->b);
    }
    for (int i = 0; i < island->link_count; i++) {
        const cairn_link* link = &world->links[span->group->links[island->link + i]];
        held = held || holds(world, link->a) || holds(world, link->b);
    }
    return edges <= island->body_count - !held;
}

// ---------------------------------------------------------------- the problem

static double along(const double* half, cairn_vec3 linear, cairn_vec3 angular)
{
    return half[0] * linear.x + half[1] * linear.y + half[2] * linear.z + half[3] * angular.x +
           half[4] * angular.y + half[5] * angular.z;
}

static int place_of(const cairn_span* span, int slot)
{
    return slot == CAIRN_WORLD_BODY ? CAIRN_WORLD_BODY : span->group->local[slot];
}

// rows of a block with the velocities of its bodies
static int add_block(loads* own, cairn_block block, const cairn_row* rows, int a, int b)
{
    cairn_problem* problem = &own->problem;
    const cairn_world* world = own->span->world;
    block.row = problem->row_count;
    block.body_a = place_of(own->span, a);
    block.body_b = place_of(own->span, b);
    problem->blocks[problem->block_count++] = block;
    for (int k = 0; k < block.row_count; k++) {
        int row = problem->row_count++;
        problem->rows[row] = rows[k];
        own->v[row] = along(rows[k].b, world->bodies[b].v, world->bodies[b].w);
        if (a != CAIRN_WORLD_BODY)
            own->v[row] += along(rows[k].a, world->bodies[a].v, world->bodies[a].w);
        problem->lo[row] = -INFINITY;
        problem->hi[row] = INFINITY;
    }
    return block.row;
}

// a contact where it is now
static void add_touch(loads* own, int index)
{
    const cairn_world* world = own->span->world;
    const cairn_touch* touch = &world->touches[index];
    cairn_reach reach = cairn_touch_reach(touch, world);
    cairn_row rows[3];
    cairn_vec3 t = cairn_add_scaled(touch->t, -cairn_dot(touch->t, reach.n), reach.n);
    t = cairn_scale(1.0 / cairn_norm(t), t);
    cairn_mat3 frame = {reach.n, t, cairn_cross(reach.n, t)};
    cairn_frame_rows(frame, reach.r_a, reach.r_b, 3, rows);

    // the moment of torsional friction stays what it is
    cairn_block block = {.kind = CAIRN_BLOCK_CONTACT,
                         .row_count = 3,
                         .friction = cairn_touch_friction(touch),
                         .source = index};
    if (touch->rows == 4)
        block.friction.kind = CAIRN_FRICTION_ELLIPSE;
    int row = add_block(own, block, rows, touch->a, touch->b);
    own->lambda[row] = cairn_dot(touch->total, frame.cx);
    own->lambda[row + 1] = cairn_dot(touch->total, frame.cy);
    own->lambda[row + 2] = cairn_dot(touch->total, frame.cz);
    if (reach.gap > world->touching)
        own->v[row] = INFINITY; // open
}

// x of Σ x_k row_k = the impulse and the moment on B, by least squares
static void decompose(double* x, const cairn_row* rows, int count, const cairn_link* link)
{
    double G[7][8];
    for (int i = 0; i < count; i++) {
        G[i][count] = along(rows[i].b, link->impulse, link->twist);
        for (int j = 0; j < count; j++) {
            G[i][j] = 0.0;
            for (int k = 0; k < 6; k++)
                G[i][j] += rows[i].b[k] * rows[j].b[k];
        }
    }

    // rows of a joint are independent: elimination without pivoting of a positive definite matrix
    for (int p = 0; p < count; p++)
        for (int i = p + 1; i < count; i++)
            for (int j = count; j >= p; j--)
                G[i][j] -= G[p][p] > 0.0 ? G[i][p] / G[p][p] * G[p][j] : 0.0;
    for (int i = count - 1; i >= 0; i--) {
        x[i] = G[i][count];
        for (int j = i + 1; j < count; j++)
            x[i] -= G[i][j] * x[j];
        x[i] = G[i][i] > 0.0 ? x[i] / G[i][i] : 0.0;
    }
}

// the rows of a joint; a motor that nothing else helps or hinders shares, too
static void add_link(loads* own, int index, double dt)
{
    const cairn_world* world = own->span->world;
    const cairn_link* link = &world->links[index];
    cairn_link_place place = cairn_link_where(world, link);
    cairn_row rows[7];
    double x[7] = {0};
    int count = cairn_link_rows(rows, link, &place);
    bool free = count < 6 && cairn_link_free_row(&rows[count], link, &place);
    decompose(x, rows, count + free, link);
    if (count == 0)
        return;
    cairn_block block = {.kind = CAIRN_BLOCK_JOINT, .row_count = count, .source = index};
    int row = add_block(own, block, rows, link->a, link->b);
    memcpy(own->lambda + row, x, (size_t)count * sizeof(double));

    bool spring = link->stiffness > 0.0 || link->damping > 0.0;
    if (!free || !link->driven || link->limited || spring)
        return;
    block.kind = CAIRN_BLOCK_MOTOR;
    block.row_count = 1;
    row = add_block(own, block, rows + count, link->a, link->b);
    own->lambda[row] = x[count];
    own->v[row] -= link->speed;
    own->problem.lo[row] = -dt * link->strength;
    own->problem.hi[row] = dt * link->strength;
}

static cairn_status assemble(loads* own, double dt)
{
    const cairn_span* span = own->span;
    const cairn_island* island = span->island;
    cairn_arena* arena = span->arena;
    size_t blocks = (size_t)island->touch_count + 2 * (size_t)island->link_count;
    size_t rows = 3 * (size_t)island->touch_count + 7 * (size_t)island->link_count;
    own->problem = (cairn_problem){.space = 3,
                                   .body_count = island->body_count,
                                   .bodies = CAIRN_TAKE(arena, cairn_mass, island->body_count),
                                   .blocks = CAIRN_TAKE(arena, cairn_block, blocks),
                                   .rows = CAIRN_TAKE(arena, cairn_row, rows),
                                   .b = CAIRN_TAKE_ZEROED(arena, double, rows),
                                   .lo = CAIRN_TAKE(arena, double, rows),
                                   .hi = CAIRN_TAKE(arena, double, rows)};
    own->lambda = CAIRN_TAKE(arena, double, rows);
    own->v = CAIRN_TAKE(arena, double, rows);
    if (arena->failed)
        return CAIRN_NO_MEMORY;
    for (int i = 0; i < island->body_count; i++) {
        const cairn_body* body = cairn_span_body(span, i);
        own->problem.bodies[i] = (cairn_mass){body->inverse_mass, body->inverse_inertia};
    }
    for (int c = 0; c < island->touch_count; c++) {
        int index = span->group->touches[island->touch + c];
        if (!span->world->touches[index].gone)
            add_touch(own, index);
    }
    for (int i = 0; i < island->link_count; i++)
        add_link(own, span->group->links[island->link + i], dt);
    return CAIRN_OK;
}

// ---------------------------------------------------------------- sharing

// what contacts and joints show from now on
static void show(const loads* own, const double* before, double dt)
{
    cairn_world* world = own->span->world;
    for (int c = 0; c < own->problem.block_count; c++) {
        const cairn_block* block = &own->problem.blocks[c];
        for (int k = block->row; k < block->row + block->row_count; k++) {
            double change = own->lambda[k] - before[k];
            const double* b = own->problem.rows[k].b;
            if (block->kind != CAIRN_BLOCK_CONTACT) {
                cairn_link_add_impulse(&world->links[block->source], &own->problem.rows[k], change);
                continue;
            }
            cairn_touch* touch = &world->touches[block->source];
            touch->total = cairn_add_scaled(touch->total, change, cairn_vec(b[0], b[1], b[2]));
        }
        if (block->kind == CAIRN_BLOCK_CONTACT && own->span->island->rested) {
            cairn_touch* touch = &world->touches[block->source];
            cairn_touch_start(touch, touch->total, touch->spin_impulse, dt);
        }
    }
}

// the loads of an island, and how many others there are
static cairn_status share(const cairn_span* span, int* multiplicity, double dt)
{
    cairn_arena* arena = span->arena;
    loads own = {.span = span};
    cairn_delassus A;
    cairn_shared shared;
    if (assemble(&own, dt) != CAIRN_OK ||
        cairn_delassus_prepare(&A, &own.problem, arena) != CAIRN_OK)
        return CAIRN_NO_MEMORY;
    size_t bytes = (size_t)own.problem.row_count * sizeof(double);
    double* before = CAIRN_TAKE(arena, double, own.problem.row_count);
    int* blocks = CAIRN_TAKE(arena, int, own.problem.block_count);
    if (arena->failed)
        return CAIRN_NO_MEMORY;
    for (int c = 0; c < own.problem.block_count; c++)
        blocks[c] = c;
    memcpy(before, own.lambda, bytes);

    cairn_stop stop = cairn_stop_after(0.0, 0.0, cairn_world_flag(span->world));
    cairn_answer answer = {.A = &A,
                           .v = own.v,
                           .still =
                               fmax(2.0 * cairn_island_report_of(span)->residual_velocity, 1e-9),
                           .law = CAIRN_LAW_AS_GIVEN};
    cairn_status status = cairn_least_norm(own.lambda, &shared, &answer, blocks,
                                           own.problem.block_count, arena, &stop);
    if (status != CAIRN_OK)
        return status;
    *multiplicity = shared.multiplicity;
    if (memcmp(before, own.lambda, bytes) != 0)
        show(&own, before, dt);
    return CAIRN_OK;
}

// Whether an island at rest has the impulses of the last step, which were shared then: its first body
// remembers.
static bool is_shared(const cairn_span* span, const cairn_body* first)
{
    const char* method = cairn_island_report_of(span)->method;
    return span->island->rested && cairn_method_is(method, "warm") && first->shared > 0 &&
           first->shared_touches == span->island->touch_count;
}

cairn_status cairn_island_share(const cairn_span* span, double dt)
{
    const cairn_island* island = span->island;
    cairn_body* first = &span->world->bodies[span->group->bodies[island->body]];
    cairn_island_report* report = cairn_island_report_of(span);
    cairn_status status = CAIRN_OK;

    // loads of other processes are not known here
    if (island->shared) {
        report->multiplicity = CAIRN_MULTIPLICITY_UNKNOWN;
        return CAIRN_OK;
    }

    // nothing to share, or too much
    report->multiplicity = 0;
    if (is_tree(span))
        return CAIRN_OK;
    if (is_shared(span, first)) {
        report->multiplicity = first->shared - 1;
        return CAIRN_OK;
    }
    int contacts = island->rested                           ? cairn_shared_contacts
                   : island->slow || island->link_count > 0 ? moving_contacts
                                                            : few_contacts;
    report->multiplicity = CAIRN_MULTIPLICITY_UNKNOWN;
    first->shared = 0;
    if (!island->lost && !island->rolls && !island->soft && !island->carries &&
        !span->world->tuning.any_forces && island->touch_count <= contacts &&
        island->link_count <= moving_links)
        status = share(span, &report->multiplicity, dt);
    if (island->rested && report->multiplicity >= 0) {
        first->shared = report->multiplicity + 1;
        first->shared_touches = island->touch_count;
    }
    return status;
}
