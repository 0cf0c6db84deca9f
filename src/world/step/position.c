// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Post-stabilization: after a substep, contacts that overlap are pushed apart by displacements that
// change no velocity. Normal rows only: with J_N and M at the new positions, find x >= 0 with
//
//     J_N M^-1 J_N^T x + g >= 0  ⟂  x >= 0,        g = gap + slop,
//
// by Gauss-Seidel sweeps, and move the bodies by M^-1 J_N^T x. Open gaps give slack. A displacement
// per sweep and contact is bounded, so that one deep overlap does not throw bodies about.
//
// Joints after that, so that no push leaves them open: one Newton step of J M^-1 J^T λ + C = 0 by
// the linear-time solver. Limits that were passed belong to it, as rows that push alone:
//
//     J_l M^-1 J^T λ + room >= 0  ⟂  λ_l >= 0,        room < 0: how far the coordinate is inside.
//
// An island that is found at rest may have come to it with overlaps, from a blow: they go, too.
//
// Where a joint turns fast a limit may be passed by far: then the step is repeated. A joint that
// was made beyond its limit comes back little by little, as deep overlaps do.

#include "world/step/layout.h"
#include "world/step/march.h"
#include "world/step/policy.h"
#include "world/step/step.h"
#include <string.h>

enum { moving_sweeps = 4, resting_sweeps = 32, most_rounds = 8, most_projections = 6 };
enum { net_rows = 600 };                   // joints of which an island is called a net
static const double shallow = 5e-4;        // m: less may wait for the next substep
static const double longest_push = 0.05;   // m or rad per substep
static const double smallest_push = 1e-9;  // m: less is left alone
static const double resting_overlap = 0.2; // of a gap that counts as closed: left in what stands

// rad or m: one Newton step back from a limit leaves about the square of it
static const double coarse_passing = 1e-4;

// what rows ask of a body, close together in memory
typedef struct push_body {
    double inverse_mass; // 1/kg
    double xx, yy, zz;   // of the inverse inertia
    double xy, xz, yz;
} push_body;

typedef struct push_row {
    int a, b;                     // places
    cairn_vec3 n, turn_a, turn_b; // r x n
    double gap, mobility, amount;
} push_row;

// I^-1 turn
static cairn_vec3 spin_of(const push_body* body, cairn_vec3 turn)
{
    return cairn_vec(body->xx * turn.x + body->xy * turn.y + body->xz * turn.z,
                     body->xy * turn.x + body->yy * turn.y + body->yz * turn.z,
                     body->xz * turn.x + body->yz * turn.y + body->zz * turn.z);
}

static double mobility(const push_body* bodies, int place, cairn_vec3 turn)
{
    if (place < 0)
        return 0.0;
    return bodies[place].inverse_mass + cairn_dot(turn, spin_of(&bodies[place], turn));
}

static void list_bodies(push_body* bodies, const cairn_span* span)
{
    for (int i = 0; i < span->island->body_count; i++) {
        const cairn_body* body = &span->world->bodies[span->group->bodies[span->island->body + i]];
        const cairn_mat3* J = &body->inverse_inertia;
        bodies[i] =
            (push_body){body->inverse_mass, J->cx.x, J->cy.y, J->cz.z, J->cx.y, J->cx.z, J->cy.z};
    }
}

// one row per contact that overlaps or may come to; bodies by their places, -1 for the ground
static int list_rows(push_row* rows, const push_body* bodies, const cairn_span* span,
                     double* deepest)
{
    const cairn_world* world = span->world;
    const cairn_island* island = span->island;
    int count = 0;
    *deepest = 0.0;

    for (int c = 0; c < island->touch_count; c++) {
        const cairn_touch* touch = &world->touches[span->group->touches[island->touch + c]];
        cairn_reach reach = cairn_touch_reach(touch, world);
        double gap = reach.gap + world->def.slop;
        if (gap >= longest_push || touch->soft)
            continue;

        push_row* row = &rows[count++];
        row->n = reach.n;
        row->a = span->group->local[touch->a];
        row->b = span->group->local[touch->b];
        row->turn_a = cairn_cross(reach.r_a, reach.n);
        row->turn_b = cairn_cross(reach.r_b, reach.n);
        row->gap = gap;
        row->mobility =
            mobility(bodies, row->a, row->turn_a) + mobility(bodies, row->b, row->turn_b);
        row->amount = 0.0;
        *deepest = fmax(*deepest, -gap);
    }

    return count;
}

static double displacement(const double* d, int place, cairn_vec3 n, cairn_vec3 turn)
{
    if (place < 0)
        return 0.0;
    d += 6 * (ptrdiff_t)place;
    return cairn_dot(n, cairn_vec(d[0], d[1], d[2])) + cairn_dot(turn, cairn_vec(d[3], d[4], d[5]));
}

static void shift(double* d, const push_body* bodies, int place, cairn_vec3 n, cairn_vec3 turn,
                  double amount)
{
    if (place < 0)
        return;
    cairn_vec3 spin = spin_of(&bodies[place], turn);
    double along = amount * bodies[place].inverse_mass;
    d += 6 * (ptrdiff_t)place;
    d[0] += along * n.x;
    d[1] += along * n.y;
    d[2] += along * n.z;
    d[3] += amount * spin.x;
    d[4] += amount * spin.y;
    d[5] += amount * spin.z;
}

static void sweep(push_row* rows, int count, double* d, const push_body* bodies)
{
    for (int i = 0; i < count; i++) {
        push_row* row = &rows[i];
        double moved = displacement(d, row->b, row->n, row->turn_b) -
                       displacement(d, row->a, row->n, row->turn_a);
        double missing = -(fmax(row->gap, -longest_push) + moved);
        double amount = fmax(0.0, row->amount + missing / row->mobility);
        double change = amount - row->amount;
        if (change == 0.0)
            continue;
        row->amount = amount;
        shift(d, bodies, row->a, row->n, row->turn_a, -change);
        shift(d, bodies, row->b, row->n, row->turn_b, change);
    }
}

static void displace_all(const cairn_span* span, const double* d)
{
    const cairn_island* island = span->island;
    for (int i = 0; i < island->body_count; i++) {
        cairn_body* body = &span->world->bodies[span->group->bodies[island->body + i]];
        if (cairn_body_active(body))
            cairn_body_displace(body, d + 6 * (ptrdiff_t)i);
    }
}

static cairn_status push_contacts(const cairn_span* span, int sweeps, double* deepest)
{
    cairn_arena* arena = span->arena;
    push_row* rows = CAIRN_TAKE(arena, push_row, span->island->touch_count);
    double* d = CAIRN_TAKE_ZEROED(arena, double, 6 * (size_t)span->island->body_count);
    push_body* bodies = CAIRN_TAKE(arena, push_body, span->island->body_count);
    if (arena->failed)
        return CAIRN_NO_MEMORY;
    list_bodies(bodies, span);
    int count = list_rows(rows, bodies, span, deepest);
    if (*deepest <= smallest_push)
        return CAIRN_OK;

    // what is deep goes through many bodies, for which clusters have the better sweeps
    if (span->island->plain && !span->island->soft && *deepest > cairn_shallow_overlap)
        return cairn_pack_push(span, smallest_push, longest_push);

    for (int k = 0; k < sweeps; k++)
        sweep(rows, count, d, bodies);
    displace_all(span, d);
    return CAIRN_OK;
}

// ---------------------------------------------------------------- joints

static bool take_joint_problem(cairn_problem* problem, const cairn_span* span)
{
    const cairn_island* island = span->island;
    cairn_arena* arena = span->arena;
    size_t rows = 0, blocks = 0;
    for (int i = 0; i < island->link_count; i++)
        rows += cairn_link_room(&span->world->links[span->group->links[island->link + i]], &blocks);
    *problem = (cairn_problem){.space = 3, .body_count = island->body_count};
    problem->bodies = CAIRN_TAKE(arena, cairn_mass, island->body_count);
    problem->blocks = CAIRN_TAKE(arena, cairn_block, blocks);
    problem->rows = CAIRN_TAKE(arena, cairn_row, rows);
    problem->b = CAIRN_TAKE(arena, double, rows);
    return !arena->failed;
}

// appends a block whose rows stand behind the others already
static void add_block(cairn_problem* problem, const cairn_span* span, const cairn_link* link,
                      cairn_block_kind kind, int count)
{
    problem->blocks[problem->block_count++] = (cairn_block){
        .kind = kind,
        .row = problem->row_count,
        .row_count = count,
        .body_a = link->a == CAIRN_WORLD_BODY ? CAIRN_WORLD_BODY : span->group->local[link->a],
        .body_b = span->group->local[link->b]};
    problem->row_count += count;
}

// appends the equality rows of a joint, with b = their position error or their velocity
static void add_joint(cairn_problem* problem, const cairn_span* span, const cairn_link* link,
                      const cairn_link_place* place, bool positions)
{
    cairn_row* rows = problem->rows + problem->row_count;
    double* b = problem->b + problem->row_count;
    int count = cairn_link_rows(rows, link, place);
    if (count == 0 || (positions && cairn_joint_is_gear(link->kind)))
        return;
    if (positions)
        cairn_link_errors(b, link, place, rows, count);
    for (int k = 0; k < count && !positions; k++)
        b[k] = cairn_link_velocity(&rows[k], span->world, link);
    add_block(problem, span, link, CAIRN_BLOCK_JOINT, count);
}

// appends the row of a limit that was passed; returns by how much
static double add_limit(cairn_problem* problem, const cairn_span* span, const cairn_link* link,
                        const cairn_link_place* place)
{
    double room;
    cairn_row inward;
    if (!cairn_link_limit(&inward, &room, link, place) || room >= 0.0)
        return 0.0;
    problem->rows[problem->row_count] = inward;
    problem->b[problem->row_count] = fmax(room, -longest_push);
    add_block(problem, span, link, CAIRN_BLOCK_LIMIT, 1);
    return -room;
}

// the rows of the island's joints where they are now; *passed: the worst that a limit was passed
static cairn_status joint_problem(cairn_problem* problem, const cairn_span* span, bool positions,
                                  double* passed)
{
    const cairn_world* world = span->world;
    const cairn_island* island = span->island;
    *passed = 0.0;
    if (!take_joint_problem(problem, span))
        return CAIRN_NO_MEMORY;

    for (int i = 0; i < island->body_count; i++) {
        const cairn_body* body = &world->bodies[span->group->bodies[island->body + i]];
        problem->bodies[i] = (cairn_mass){body->inverse_mass, body->inverse_inertia};
    }
    for (int i = 0; i < island->link_count; i++) {
        const cairn_link* link = &world->links[span->group->links[island->link + i]];
        cairn_link_place place = cairn_link_where(world, link);
        add_joint(problem, span, link, &place, positions);
        if (positions)
            *passed = fmax(*passed, add_limit(problem, span, link, &place));
    }

    return CAIRN_OK;
}

// the blocks come in the order of the joints that have rows
static void keep_impulses(const cairn_span* span, const cairn_problem* problem,
                          const double* lambda)
{
    int row = 0;
    for (int i = 0; i < span->island->link_count; i++) {
        cairn_link* link = &span->world->links[span->group->links[span->island->link + i]];
        cairn_link_place place = cairn_link_where(span->world, link);
        cairn_row rows[6];
        for (int end = row + cairn_link_rows(rows, link, &place); row < end; row++)
            cairn_link_add_impulse(link, &problem->rows[row], lambda[row]);
    }
}

static double widest_gap(const cairn_problem* problem)
{
    double widest = 0.0;
    for (int i = 0; i < problem->row_count; i++)
        widest = fmax(widest, fabs(problem->b[i]));
    return widest;
}

// the least displacement (in the mass metric) that closes the joints and leads back inside the
// limits, or the same for the velocities of joints; *passed: by how much a limit was passed
static cairn_status close_joints(double* d, const cairn_span* span, bool positions, double* passed)
{
    cairn_problem problem;
    cairn_status status = joint_problem(&problem, span, positions, passed);
    double* lambda = CAIRN_TAKE(span->arena, double, problem.row_count);
    if (status != CAIRN_OK || !lambda)
        return CAIRN_NO_MEMORY;

    cairn_solve_def def = cairn_default_solve_def();
    cairn_report report;
    def.method = "tree";
    def.tolerance = 1e-9;

    // A net takes a factor of all its bodies, and rows that repeat each other contradict each other
    // by what they are open: it is closed when that is worth it, and no further.
    if (positions && problem.row_count > net_rows) {
        double gap = widest_gap(&problem);
        if (gap <= smallest_push) {
            memset(d, 0, 6 * (size_t)span->island->body_count * sizeof(double));
            return CAIRN_OK;
        }
        def.tolerance = fmin(1e-2, fmax(def.tolerance, smallest_push / gap));
    }

    def.time_limit = cairn_island_time(span);
    def.cancel = cairn_world_flag(span->world);
    def.workspace = span->workspace;
    status = cairn_island_call(span, &problem, &def, lambda, &report);

    if (status == CAIRN_OK)
        cairn_problem_body_velocity(&problem, lambda, d);
    if (status == CAIRN_OK && !positions)
        keep_impulses(span, &problem, lambda);
    return status;
}

static cairn_status project_joints(const cairn_span* span)
{
    const cairn_island* island = span->island;
    double* d = CAIRN_TAKE(span->arena, double, 6 * (size_t)island->body_count);
    bool solved;
    cairn_status status = cairn_linkage_stabilize(span, &solved);
    if (!d || status != CAIRN_OK || solved)
        return d ? status : CAIRN_NO_MEMORY;

    // limits and motors beside joints: as where there are contacts
    if (island->touch_count == 0 && span->world->def.integrator == CAIRN_INTEGRATOR_LEAPFROG) {
        status = cairn_jointed_part(span, &solved);
        if (status != CAIRN_OK || solved)
            return status;
    }

    double passed = longest_push;
    for (int k = 0; k < most_projections && passed > coarse_passing && passed <= longest_push;
         k++) {
        cairn_arena_mark mark = cairn_arena_here(span->arena);
        status = close_joints(d, span, true, &passed);
        if (status != CAIRN_OK)
            return status;
        displace_all(span, d);
        cairn_arena_release(span->arena, mark);
    }
    if (span->world->def.integrator != CAIRN_INTEGRATOR_MOREAU)
        return CAIRN_OK;

    // the midpoint rule leaves a velocity across the joints: remove it where they are now
    status = close_joints(d, span, false, &passed);
    for (int i = 0; i < island->body_count && status == CAIRN_OK; i++) {
        const double* x = d + 6 * (ptrdiff_t)i;
        cairn_body* body = &span->world->bodies[span->group->bodies[island->body + i]];
        body->v = cairn_add(body->v, cairn_vec(x[0], x[1], x[2]));
        body->w = cairn_add(body->w, cairn_vec(x[3], x[4], x[5]));
    }
    return status;
}

cairn_status cairn_island_stabilize(const cairn_span* span)
{
    const cairn_island* island = span->island;
    cairn_status status = CAIRN_OK;
    if (span->world->def.stabilization != CAIRN_STABILIZE_POSITIONS)
        return CAIRN_OK;
    if (island->shared)
        return cairn_pack_push(span, smallest_push, longest_push);
    if (cairn_island_has_marched(span))
        return cairn_march_part(span);

    // contacts and joints undo a part of each other's work: twice where there are both, and on
    // until what a round has met is small
    bool both = island->touch_count > 0 && island->link_count > 0;
    if (both && span->world->def.integrator == CAIRN_INTEGRATOR_LEAPFROG) {
        bool done;
        status = cairn_jointed_part(span, &done);
        if (status != CAIRN_OK || done)
            return status;
    }

    double deepest = 0.0;
    int least = both ? 2 : 1, most = both ? most_rounds : 1;
    for (int k = 0; k < most && status == CAIRN_OK && (k < least || deepest > shallow); k++) {
        if (island->pack || (island->spare && cairn_pack_lasts(span)))
            status = cairn_pack_push(span, smallest_push, longest_push);
        else if (island->touch_count > 0)
            status = push_contacts(span, moving_sweeps, &deepest);
        if (status == CAIRN_OK && island->link_count > 0)
            status = project_joints(span);
        if (status == CAIRN_OK)
            status = cairn_world_poll(span->world);
    }
    return status;
}

cairn_status cairn_island_part(const cairn_span* span)
{
    const cairn_island* island = span->island;
    double deepest = 0.0;
    if (span->world->def.stabilization != CAIRN_STABILIZE_POSITIONS)
        return CAIRN_OK;
    for (int c = 0; c < island->touch_count; c++)
        if (!cairn_span_touch(span, c)->soft)
            deepest = fmax(deepest, -cairn_span_touch(span, c)->gap);
    if (deepest - span->world->def.slop <= resting_overlap * span->world->touching)
        return CAIRN_OK;
    return push_contacts(span, resting_sweeps, &deepest);
}
