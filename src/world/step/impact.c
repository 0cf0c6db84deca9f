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
//
// Points that meet t seconds into the substep (balls) are struck along the normal that they have
// then, whatever their restitution: spread over two substeps a blow would have two normals. A body
// that is struck was on its old way for those t seconds: it lags behind by t (v - v'), which drift adds
// to its place.
//
// Balls, and what they strike, meet at times that are known exactly: they are struck in the order of
// time, however often within the substep. With the lags so far, a ball is on the line
//
//     x + lag + s v        for s after its last blow,    lag := lag + t (v - v') at each blow,
//
// and meets others where these lines say. It leaves with e v_impact at t, that is, seen from the place
// where the substep began, with v' = e v_impact + a t: lag and v' lie on the parabola of its flight.

#include "world/step/balance.h"
#include "world/step/contact_law.h"
#include "world/step/policy.h"
#include <string.h>

enum { most_rounds = 64 };
static const double at_once = 1e-6; // of a substep: blows that are no farther apart in time are one

typedef struct strike strike;

typedef struct blow {
    const cairn_span* span;
    cairn_problem problem;
    double* until;   // s: of the contacts in the problem, until they meet
    double* pull;    // of each contact of the island: a, m/s²
    strike* strikes; // of each contact of the island, in this round
    double* first;   // s: of each body of the island, its earliest blow
    double* lambda;
    double* change;
} blow;

// a contact before the blow
typedef struct approach {
    cairn_reach reach;
    double speed; // m/s: v_N, negative when the bodies come together
    double until; // s: until points meet; 0: they do not, or have met
    bool timed;   // it is known exactly when they meet
} approach;

// what is known of it in a round
struct strike {
    double when;    // s: it is struck; those whose time is not known are struck at once
    double leaving; // m/s: v_N after the blow
    bool hit;       // it takes part
};

// whether a contact can take part
static bool may_strike(const cairn_span* span, const cairn_touch* touch)
{
    bool aimed = touch->rule == CAIRN_RULE_POINTS && cairn_island_is_fine(span);
    return !touch->soft && (touch->restitution > 0.0 || aimed);
}

// whether the blows of a contact come in the order of time
static bool is_timed(const cairn_span* span, const cairn_touch* touch)
{
    return span->world->def.integrator == CAIRN_INTEGRATOR_LEAPFROG && cairn_island_is_fine(span) &&
           cairn_touch_is_timed(touch, span->world);
}

// s: how far the place of a contact is ahead of its velocity, while forces act
static double lateness(const cairn_span* span)
{
    return span->kick < 0.75 * span->h ? 0.0 : 0.5 * span->h;
}

// s: until a ball meets a face, of g + v t - a t²/2 = 0, after both were struck last and within the
// substep; 0: it does not, or touches it
static double until_face(const cairn_span* span, const cairn_touch* touch, const approach* now,
                         double a)
{
    const cairn_lag* lags = span->group->lags;
    double begin = fmax(lags[touch->a].last, lags[touch->b].last);
    double v = now->speed - a * lateness(span), g = now->reach.gap, root = v * v + 2.0 * a * g;
    bool struck = lags[touch->a].last > 0.0 || lags[touch->b].last > 0.0;
    if (!(v < 0.0) || !(root >= 0.0) || (g <= 0.0 && !struck))
        return 0.0;
    double t = 2.0 * g / (sqrt(root) - v);
    return t >= begin && t < span->h ? t : 0.0;
}

static approach approach_of(const cairn_span* span, cairn_touch* touch, double a)
{
    approach now = {.reach = cairn_touch_refresh(touch, span->world)};
    now.timed = is_timed(span, touch);
    now.until = cairn_touch_aim(&now.reach, touch, span->world, NULL,
                                now.timed ? span->group->lags : NULL, span->h);
    cairn_touch_turn(touch, span->world, now.reach.n);
    now.speed = cairn_dot(touch->n, cairn_touch_slip(touch, span->world, &now.reach));
    if (now.timed && touch->rule != CAIRN_RULE_POINTS)
        now.until = until_face(span, touch, &now, a);
    return now;
}

// Whether a contact of the island is to be hit, and how fast it will leave. Places of a fall lie on
// a parabola whose speed, where the place is known, is v - a late.
static bool is_hit(double* leaving, const cairn_span* span, const cairn_touch* touch,
                   const approach* now, double a)
{
    const cairn_world_def* def = &span->world->def;
    const cairn_lag* lags = span->group->lags;

    // rest: how long the drift after the kick lasts
    double late = lateness(span);
    double rest = def->integrator == CAIRN_INTEGRATOR_MOREAU ? 0.5 * span->h : span->h;
    double v = now->speed - a * late, e = touch->restitution, g = now->reach.gap;

    *leaving = 0.0;
    if (!(now->speed < -def->restitution_speed))
        return false;
    if (e == 0.0)
        return now->until > 0.0;

    // squared speed at the surface; whose time is known leaves from there
    double impact2 = fmax(v * v + 2.0 * a * g, 0.0);
    if (now->timed && now->until > 0.0) {
        *leaving = e * sqrt(impact2) + a * (now->until + late);
        return *leaving > fmax(now->speed, 0.0);
    }
    bool struck = lags[touch->a].last > 0.0 || lags[touch->b].last > 0.0;
    if (now->timed && (struck || g > 0.0))
        return false;
    if (g > span->world->touching && g + span->h * (v - a * (span->kick - late)) > 0.0)
        return false;

    // and squared speed back at the gap
    double back2 = e * e * impact2 - 2.0 * a * g;
    if (!(back2 > 0.0))
        return false;

    // what is not back at the surface by the end of the substep is moved there, and leaves from it
    double back = sqrt(back2);
    if (def->stabilization == CAIRN_STABILIZE_POSITIONS && g + rest * (back - 0.5 * a * rest) < 0.0)
        back = e * sqrt(impact2) + a * rest;
    *leaving = back + a * late;
    return *leaving > fmax(now->speed, 0.0);
}

// the place of a body of the island in it, of one of the two sides of a contact; -1: it is not in it
static int local_of(const cairn_span* span, const cairn_touch* touch, int side)
{
    return span->group->local[side ? touch->b : touch->a];
}

// finds which contacts are to be hit, and the earliest blow of each body
static void look(blow* hit)
{
    const cairn_span* span = hit->span;
    for (int i = 0; i < span->island->body_count; i++)
        hit->first[i] = INFINITY;

    for (int c = 0; c < span->island->touch_count; c++) {
        cairn_touch* touch = cairn_span_touch(span, c);
        strike* own = &hit->strikes[c];
        own->hit = false;
        if (!may_strike(span, touch))
            continue;
        approach now = approach_of(span, touch, hit->pull[c]);
        own->hit = is_hit(&own->leaving, span, touch, &now, hit->pull[c]);
        own->when = now.timed ? now.until : 0.0;
        for (int side = 0; side < 2 && own->hit; side++) {
            int local = local_of(span, touch, side);
            if (local >= 0)
                hit->first[local] = fmin(hit->first[local], own->when);
        }
    }
}

// whether a contact is the first one to be hit of each of its bodies
static bool is_first(const blow* hit, int c)
{
    const cairn_touch* touch = cairn_span_touch(hit->span, c);
    bool first = hit->strikes[c].hit;
    for (int side = 0; side < 2 && first; side++) {
        int local = local_of(hit->span, touch, side);
        first = local < 0 || hit->strikes[c].when <= hit->first[local] + at_once * hit->span->h;
    }
    return first;
}

// rows of the contacts that are hit in this round; returns their number
static int list_contacts(blow* hit)
{
    const cairn_span* span = hit->span;
    cairn_problem* problem = &hit->problem;
    problem->block_count = problem->row_count = 0;
    look(hit);

    for (int c = 0; c < span->island->touch_count; c++) {
        int index = span->group->touches[span->island->touch + c];
        cairn_touch* touch = &span->world->touches[index];
        if (!is_first(hit, c))
            continue;
        approach now = approach_of(span, touch, hit->pull[c]);

        // rows in the frame of the contact, along the normal at the impact
        int row = problem->row_count;
        cairn_frame_rows(cairn_touch_frame(touch), now.reach.r_a, now.reach.r_b, touch->rows,
                         problem->rows + row);
        hit->until[problem->block_count] = now.until;
        problem->blocks[problem->block_count++] =
            (cairn_block){.kind = CAIRN_BLOCK_CONTACT,
                          .row = row,
                          .row_count = touch->rows,
                          .body_a = local_of(span, touch, 0),
                          .body_b = local_of(span, touch, 1),
                          .friction = cairn_touch_friction(touch),
                          .source = index};

        // b: the normal velocity is to become the leaving one
        for (int r = 0; r < touch->rows; r++)
            problem->b[row + r] = cairn_touch_velocity(span->world, touch, &problem->rows[row + r]);
        cairn_vec3 carry = cairn_touch_carry(touch, span->world);
        problem->b[row + 1] += cairn_dot(touch->t, carry);
        problem->b[row + 2] += cairn_dot(cairn_cross(touch->n, touch->t), carry);
        problem->b[row] -= hit->strikes[c].leaving;
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

// What the blow makes bodies lag behind. Blows whose times are known follow each other; who else is struck
// by several at once, or again, has no one time of impact.
static void add_lags(const blow* hit, int contacts)
{
    const cairn_span* span = hit->span;
    cairn_lag* lags = span->group->lags;

    // count the blows on each body, this round's and earlier ones
    for (int c = 0; c < contacts; c++) {
        cairn_touch* touch = &span->world->touches[hit->problem.blocks[c].source];
        touch->struck = hit->until[c] > 0.0;
        lags[touch->a].hits++;
        lags[touch->b].hits++;
    }

    // a body that is struck lags behind by t (v - v'); struck again at no known time, by no more than that
    for (int c = 0; c < contacts; c++) {
        const cairn_touch* touch = &span->world->touches[hit->problem.blocks[c].source];
        bool timed = is_timed(span, touch);
        const int slots[2] = {touch->a, touch->b};
        for (int side = 0; side < 2 && hit->until[c] > 0.0; side++) {
            int place = span->group->local[slots[side]];
            cairn_lag* lag = &lags[slots[side]];
            if (place < 0)
                continue;
            const double* d = hit->change + 6 * (ptrdiff_t)place;
            cairn_vec3 by = cairn_scale(-hit->until[c], cairn_vec(d[0], d[1], d[2]));
            if (!timed) {
                lag->cut = lag->cut || lag->hits > 1;
                if (lag->hits == 1)
                    lag->by = by;
            } else if (hit->first[place] < INFINITY) {
                lag->by = cairn_add(lag->by, by);
                lag->last = hit->until[c];
                hit->first[place] = INFINITY; // blows at once are one
            }
        }
    }
}

// velocities after the blow, and its impulses for the user
static void apply(const blow* hit, int contacts)
{
    const cairn_span* span = hit->span;
    cairn_problem_body_velocity(&hit->problem, hit->lambda, hit->change);
    add_lags(hit, contacts);

    for (int i = 0; i < span->island->body_count; i++) {
        cairn_body* body = &span->world->bodies[span->group->bodies[span->island->body + i]];
        const double* d = hit->change + 6 * (ptrdiff_t)i;
        if (!cairn_body_active(body))
            continue;
        body->v = cairn_add(body->v, cairn_vec(d[0], d[1], d[2]));
        body->w = cairn_add(body->w, cairn_vec(d[3], d[4], d[5]));
    }

    // impulses of contacts
    for (int c = 0; c < contacts; c++) {
        cairn_touch* touch = &span->world->touches[hit->problem.blocks[c].source];
        const double* x = hit->lambda + hit->problem.blocks[c].row;
        cairn_vec3 P = cairn_mat3_apply(cairn_touch_frame(touch), cairn_vec(x[0], x[1], x[2]));
        touch->total = cairn_add(touch->total, P);
        cairn_balance_carry(span->world, touch, P);

        // impulses from before the blow are no warm start after it
        touch->impulse = cairn_vec(0.0, 0.0, 0.0);
        touch->spin_impulse = 0.0;
    }

    // impulses of joints: their blocks follow those of the contacts
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

    hit->until = CAIRN_TAKE(arena, double, contacts);
    hit->pull = CAIRN_TAKE(arena, double, contacts);
    hit->strikes = CAIRN_TAKE(arena, strike, contacts);
    hit->first = CAIRN_TAKE(arena, double, island->body_count);
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

    // without restitution a contact only asks whether its points meet
    for (int c = 0; c < island->touch_count; c++) {
        cairn_touch* touch = &span->world->touches[span->group->touches[island->touch + c]];
        hit->pull[c] = 0.0;
        if (touch->restitution == 0.0)
            continue;
        approach now = approach_of(span, touch, 0.0);
        const double *a = span->free + 6 * (ptrdiff_t)touch->a,
                     *b = span->free + 6 * (ptrdiff_t)touch->b;
        cairn_vec3 v_free = cairn_sub(cairn_point_velocity(b, now.reach.r_b),
                                      cairn_point_velocity(a, now.reach.r_a));
        hit->pull[c] = (now.speed - cairn_dot(touch->n, v_free)) / span->kick;
    }
}

cairn_status cairn_island_impact(const cairn_span* span)
{
    blow hit;
    if (!span->island->bouncy || span->island->shared)
        return CAIRN_OK;
    if (!take(&hit, span))
        return CAIRN_NO_MEMORY;

    prepare(&hit);

    // each round solves what approaches now: the blow travels body by body
    for (int round = 0; round <= most_rounds; round++) {
        int contacts = list_contacts(&hit);
        if (contacts == 0)
            break;

        // there are more than the substep resolves
        if (round == most_rounds) {
            cairn_reports_tell_waiting(span->group, span->world,
                                       span->group->bodies[span->island->body]);
            break;
        }
        list_joints(&hit);

        cairn_solve_def def = cairn_default_solve_def();
        cairn_report solved;
        def.tolerance = cairn_island_tolerance(span);
        def.time_limit = cairn_island_time(span);
        def.cancel = cairn_world_flag(span->world);
        def.workspace = span->workspace;
        cairn_status status = cairn_island_call(span, &hit.problem, &def, hit.lambda, &solved);
        if (status != CAIRN_OK)
            return status;

        cairn_judged judged = {.residual = solved.residual.velocity};
        if (solved.residual.relative > 0.0)
            judged.scale = solved.residual.velocity / solved.residual.relative;
        cairn_island_tell(span, solved.method, &judged, solved.outcome);
        cairn_island_witness(span, &hit.problem, hit.lambda, &judged, &solved);

        apply(&hit, contacts);
        if (!(cairn_island_work_left(span) > 0.0))
            break;
    }
    return CAIRN_OK;
}
