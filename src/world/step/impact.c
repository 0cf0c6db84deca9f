// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Impacts with restitution, before the forces of a substep act. Contacts that approach fast and
// will meet within the substep are solved together for v_N' = -e v_N while joints keep their
// velocities; what approaches then is solved next, and so on: a blow travels through a row of balls
// as it does through Newton's cradle, ball by ball. Contacts that do not approach take no part.
//
// A contact meets at once, a little before its time. With the gap g, the speed v here and the
// acceleration a towards each other,
//
//     v_impact² = v² + 2 a g,     v_back² = e² v_impact² - 2 a g,
//
// the speed that it has when it is back at the gap g: neither an early nor a late blow changes its
// energy. A bounce that is lower than the gap, at most the way of a substep, cannot be told so: it
// is brought to the surface, and meets there in the next substep.

#include "world/step/island.h"
#include <string.h>

enum { most_rounds = 64 };

typedef struct blow {
    const cairn_span* span;
    cairn_problem problem;
    int* touches; // of the contacts in the problem
    double* pull; // of each contact of the island: a, m/s²
    double* lambda;
    double* change;
} blow;

// A contact of the island that is to be hit: how fast it will leave; 0: none. Either rule puts the
// places of a fall on a parabola whose speed, where the place is known, is v - a h/2.
static double leaving_speed(const cairn_span* span, const cairn_touch* touch, double a)
{
    const cairn_world_def* def = &span->world->def;
    double late = 0.5 * span->h, rest = def->integrator == CAIRN_INTEGRATOR_MOREAU ? late : span->h;
    double v = touch->approach - a * late, e = touch->restitution, g = touch->gap;
    if (!(e > 0.0 && touch->approach < -def->restitution_speed))
        return 0.0;
    if (g > span->world->touching && g + span->h * (v - a * (span->h - late)) > 0.0)
        return 0.0;
    double impact2 = fmax(v * v + 2.0 * a * g, 0.0), back2 = e * e * impact2 - 2.0 * a * g;
    if (!(back2 > 0.0))
        return 0.0;

    // what is not back at the surface by the end of the substep is moved there, and leaves from it
    double back = sqrt(back2);
    if (def->stabilization == CAIRN_STABILIZE_POSITIONS && g + rest * (back - 0.5 * a * rest) < 0.0)
        back = e * sqrt(impact2) + a * rest;
    return back + a * late;
}

// rows of the contacts that are hit in this round; returns their number
static int list_contacts(blow* hit)
{
    const cairn_span* span = hit->span;
    cairn_problem* problem = &hit->problem;
    problem->block_count = problem->row_count = 0;
    for (int c = 0; c < span->island->touch_count; c++) {
        int index = span->group->touches[span->island->touch + c];
        cairn_touch* touch = &span->world->touches[index];
        if (touch->restitution == 0.0)
            continue;
        cairn_reach reach = cairn_touch_refresh(touch, span->world);
        double speed = leaving_speed(span, touch, hit->pull[c]);
        if (speed <= touch->approach || speed == 0.0)
            continue;
        int row = problem->row_count;
        cairn_frame_rows(cairn_touch_frame(touch), reach.r_a, reach.r_b, touch->rows,
                         problem->rows + row);
        hit->touches[problem->block_count] = index;
        problem->blocks[problem->block_count++] =
            (cairn_block){.kind = CAIRN_BLOCK_CONTACT,
                          .row = row,
                          .row_count = touch->rows,
                          .body_a = span->group->local[touch->a],
                          .body_b = span->group->local[touch->b],
                          .friction = cairn_touch_friction(touch)};
        for (int r = 0; r < touch->rows; r++)
            problem->b[row + r] = cairn_touch_velocity(span->world, touch, &problem->rows[row + r]);
        problem->b[row] -= speed;
        problem->row_count += touch->rows;
    }
    return problem->block_count;
}

// joints keep the velocities that they have: their change is zero
static void list_joints(blow* hit)
{
    const cairn_span* span = hit->span;
    cairn_problem* problem = &hit->problem;
    for (int i = 0; i < span->island->link_count; i++) {
        const cairn_link* link = &span->world->links[span->group->links[span->island->link + i]];
        cairn_link_place place = cairn_link_where(span->world, link);
        int row = problem->row_count, count = cairn_link_rows(problem->rows + row, link, &place);
        if (count == 0)
            continue;
        problem->blocks[problem->block_count++] = (cairn_block){
            .kind = CAIRN_BLOCK_JOINT,
            .row = row,
            .row_count = count,
            .body_a = link->a == CAIRN_WORLD_BODY ? CAIRN_WORLD_BODY : span->group->local[link->a],
            .body_b = span->group->local[link->b]};
        memset(problem->b + row, 0, (size_t)count * sizeof(double));
        problem->row_count += count;
    }
}

// velocities after the blow, and its impulses for the user
static void apply(const blow* hit, int contacts)
{
    const cairn_span* span = hit->span;
    cairn_problem_body_velocity(&hit->problem, hit->lambda, hit->change);
    for (int i = 0; i < span->island->body_count; i++) {
        cairn_body* body = &span->world->bodies[span->group->bodies[span->island->body + i]];
        const double* d = hit->change + 6 * (ptrdiff_t)i;
        if (!cairn_body_active(body))
            continue;
        body->v = cairn_add(body->v, cairn_vec(d[0], d[1], d[2]));
        body->w = cairn_add(body->w, cairn_vec(d[3], d[4], d[5]));
    }
    for (int c = 0; c < contacts; c++) {
        cairn_touch* touch = &span->world->touches[hit->touches[c]];
        const double* x = hit->lambda + hit->problem.blocks[c].row;
        cairn_vec3 P = cairn_mat3_apply(cairn_touch_frame(touch), cairn_vec(x[0], x[1], x[2]));
        touch->total = cairn_add(touch->total, P);
        // what held it before the blow says nothing about what holds it after
        touch->impulse = cairn_vec(0.0, 0.0, 0.0);
        touch->spin_impulse = 0.0;
    }
    for (int i = 0, c = contacts; i < span->island->link_count; i++) {
        cairn_link* link = &span->world->links[span->group->links[span->island->link + i]];
        cairn_link_place place = cairn_link_where(span->world, link);
        cairn_row rows[6];
        if (cairn_link_rows(rows, link, &place) == 0)
            continue;
        const cairn_block* block = &hit->problem.blocks[c++];
        for (int r = block->row; r < block->row + block->row_count; r++)
            cairn_link_add_impulse(link, &hit->problem.rows[r], hit->lambda[r]);
    }
}

static bool take(blow* hit, const cairn_span* span)
{
    cairn_arena* arena = span->arena;
    const cairn_island* island = span->island;
    size_t contacts = (size_t)island->touch_count, joints = (size_t)island->link_count;
    size_t rows = 4 * contacts + 6 * joints;
    *hit = (blow){.span = span};
    hit->problem = (cairn_problem){.space = 3, .body_count = island->body_count};
    hit->problem.bodies = CAIRN_TAKE(arena, cairn_mass, island->body_count);
    hit->problem.blocks = CAIRN_TAKE(arena, cairn_block, contacts + joints);
    hit->problem.rows = CAIRN_TAKE(arena, cairn_row, rows);
    hit->problem.b = CAIRN_TAKE(arena, double, rows);
    hit->touches = CAIRN_TAKE(arena, int, contacts);
    hit->pull = CAIRN_TAKE(arena, double, contacts);
    hit->lambda = CAIRN_TAKE(arena, double, rows);
    hit->change = CAIRN_TAKE(arena, double, 6 * (size_t)island->body_count);
    return !arena->failed;
}

// masses, and the acceleration with which the free motion brings each contact together
static void prepare(blow* hit)
{
    const cairn_span* span = hit->span;
    const cairn_island* island = span->island;
    for (int i = 0; i < island->body_count; i++) {
        const cairn_body* body = &span->world->bodies[span->group->bodies[island->body + i]];
        hit->problem.bodies[i] = (cairn_mass){body->inverse_mass, body->inverse_inertia};
    }
    for (int c = 0; c < island->touch_count; c++) {
        cairn_touch* touch = &span->world->touches[span->group->touches[island->touch + c]];
        if (touch->restitution == 0.0)
            continue;
        cairn_reach reach = cairn_touch_refresh(touch, span->world);
        const double *a = span->free + 6 * (ptrdiff_t)touch->a,
                     *b = span->free + 6 * (ptrdiff_t)touch->b;
        cairn_vec3 turn_a = cairn_cross(cairn_vec(a[3], a[4], a[5]), reach.r_a);
        cairn_vec3 turn_b = cairn_cross(cairn_vec(b[3], b[4], b[5]), reach.r_b);
        cairn_vec3 v = cairn_vec(b[0] - a[0], b[1] - a[1], b[2] - a[2]);
        double v_free = cairn_dot(touch->n, cairn_add(v, cairn_sub(turn_b, turn_a)));
        hit->pull[c] = (touch->approach - v_free) / span->h;
    }
}

cairn_status cairn_island_impact(const cairn_span* span)
{
    blow hit;
    if (!span->island->bouncy)
        return CAIRN_OK;
    if (!take(&hit, span))
        return CAIRN_NO_MEMORY;
    prepare(&hit);
    for (int round = 0; round < most_rounds; round++) {
        int contacts = list_contacts(&hit);
        if (contacts == 0)
            break;
        list_joints(&hit);
        cairn_solve_def def = cairn_default_solve_def();
        cairn_report solved;
        def.tolerance = span->world->def.tolerance;
        def.time_limit = span->world->def.time_limit;
        def.cancel = cairn_world_flag(span->world);
        def.workspace = span->workspace;
        cairn_status status = cairn_solve(&hit.problem, &def, hit.lambda, &solved, span->error);
        if (status == CAIRN_OK && solved.outcome == CAIRN_OUTCOME_CANCELED)
            status = CAIRN_INTERRUPTED;
        if (status != CAIRN_OK)
            return status;
        cairn_judged judged = {.residual = solved.residual.velocity};
        if (solved.residual.relative > 0.0)
            judged.scale = solved.residual.velocity / solved.residual.relative;
        cairn_island_tell(span, solved.method, &judged, solved.outcome);
        cairn_island_witness(span, &hit.problem, hit.lambda, &judged, &solved);
        apply(&hit, contacts);
    }
    return CAIRN_OK;
}
