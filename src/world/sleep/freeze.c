// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// A body that leaves the range of numbers (1e9 m from the origin, 1e9 rad/s) is taken out of the
// simulation and reported: it stays where it was, at the edge of the range at most, nothing touches
// it, its joints let go. Bodies that would leave within the step are found before its problem is
// made, so that no number of theirs reaches the bodies that are sound.
//
// What no range of single numbers can exclude is that an island as a whole has no answer in double
// precision: masses of 1e27 and 1e-27 kg on one joint lose all digits, and a solve ends with NaN or
// is refused. Such an island goes back to where it was when the step began and stays there for the
// step, its impulses are forgotten, and the bodies that are least like the others are frozen: the
// rest of it goes on with the next step. Oddness is measured by the magnitudes that meet in a
// solve,
//
//     f = log(mass, moments, reach, speed),    oddness of a body = max_k |f_k - mean of f_k|,
//
// and whoever has half of the largest oddness, or more, is frozen. Bodies that are all alike are
// all as odd: then the whole island is. So some body is frozen each time, and no world is stuck.

#include "world/step/island.h"
#include "world/step/undo.h"
#include <string.h>

static const double range = 1e9; // m, and rad/s

// false also for a NaN
static bool within(cairn_vec3 v)
{
    return cairn_dot(v, v) < range * range;
}

// whether pose and velocity stay within the range for h seconds if nothing holds the body
static bool sound(const cairn_world* world, const cairn_body* body, double h)
{
    cairn_vec3 v = body->v, w = body->w;
    if (h > 0.0 && body->type == CAIRN_BODY_DYNAMIC) {
        cairn_vec3 pull = cairn_scale(body->gravity_scale, world->def.gravity);
        v = cairn_add_scaled(v, h, cairn_add_scaled(pull, body->inverse_mass, body->force));
        w = cairn_add_scaled(w, h, cairn_mat3_apply(body->inverse_inertia, body->torque));
    }
    return within(body->x) && within(w) && cairn_is_finite(v) &&
           within(cairn_add_scaled(body->x, h, v)) &&
           isfinite(body->q.w + body->q.x + body->q.y + body->q.z);
}

// the point of the range that lies in the same direction
static cairn_vec3 nearest_within(cairn_vec3 x)
{
    double most = fmax(fabs(x.x), fmax(fabs(x.y), fabs(x.z)));
    cairn_vec3 direction = cairn_normalize(cairn_scale(1.0 / most, x));
    return within(x) ? x : cairn_scale(range, direction);
}

static void freeze(cairn_body* body)
{
    cairn_vec3 none = cairn_vec(0.0, 0.0, 0.0);
    body->frozen = true;
    body->x = nearest_within(body->x);
    body->v = body->w = none;
    body->inverse_mass = 0.0;
    cairn_body_refresh(body);
}

void cairn_world_hide_frozen(cairn_world* world)
{
    for (int i = 0; i < world->body_count; i++) {
        const cairn_body* body = &world->bodies[i];
        cairn_filter unseen = cairn_body_filter(body);
        if (body->alive && body->frozen && body->proxy >= 0)
            cairn_broad_set_filter(world->broad, body->proxy, &unseen); // its tree stays
    }
}

void cairn_body_freeze_lost(cairn_world* world, cairn_body* body, cairn_transform from,
                            cairn_step_report* report)
{
    if (sound(world, body, 0.0))
        return;
    if (!cairn_is_finite(body->x) || !isfinite(body->q.w + body->q.x + body->q.y + body->q.z)) {
        body->x = from.p;
        body->q = from.q;
    }
    freeze(body);
    report->frozen++;
}

void cairn_world_freeze_lost(cairn_world* world, double h, cairn_step_report* report)
{
    for (int i = 0; i < world->body_count; i++) {
        cairn_body* body = &world->bodies[i];
        if (!body->alive || body->frozen || body->asleep || body->type == CAIRN_BODY_STATIC)
            continue;
        if (sound(world, body, h))
            continue;
        freeze(body);
        report->frozen++;
    }
}

// ---------------------------------------------------------------- islands

static cairn_body* body_of(const cairn_span* span, int i)
{
    return cairn_span_body(span, i);
}

// 0 for finite numbers, NaN for others
static double nothing(cairn_vec3 v)
{
    return 0.0 * (v.x + v.y + v.z);
}

// nothing is solved for a body alone
static bool is_free(const cairn_island* island)
{
    return island->touch_count + island->link_count == 0;
}

bool cairn_island_is_finite(const cairn_span* span)
{
    double sum = 0.0;
    if (is_free(span->island))
        return true;
    for (int i = 0; i < span->island->body_count; i++) {
        const cairn_body* body = body_of(span, i);
        sum += nothing(body->v) + nothing(body->w);
    }
    return sum == 0.0;
}

bool cairn_island_is_placed(const cairn_span* span)
{
    double sum = 0.0, farthest = 0.0;
    if (is_free(span->island))
        return true;
    for (int i = 0; i < span->island->body_count; i++) {
        const cairn_body* body = body_of(span, i);
        double far = cairn_dot(body->x, body->x);
        farthest = far > farthest ? far : farthest;
        sum += 0.0 * far + 0.0 * (body->q.w + body->q.x + body->q.y + body->q.z);
    }
    span->island->far = span->island->far || farthest >= range * range;
    return sum == 0.0;
}

void cairn_island_lose(const cairn_span* span)
{
    static const cairn_vec3 none = {0.0, 0.0, 0.0};
    cairn_world* world = span->world;
    cairn_island* island = span->island;

    // the bodies stay where they were, and nothing is solved for them in this step
    for (int i = 0; i < island->body_count; i++) {
        cairn_body* body = body_of(span, i);
        cairn_undo_place(world, span->group->bodies[island->body + i]);
        body->lost = true;
        body->v = body->w = none;
        cairn_body_refresh(body);
    }

    island->rested = island->lost = true;
    island->pack = island->spare = NULL;

    // their impulses are no warm start
    for (int c = 0; c < island->touch_count; c++) {
        cairn_touch* touch = cairn_span_touch(span, c);
        touch->impulse = touch->total = none;
        touch->spin_impulse = touch->span = 0.0;
    }
    for (int i = 0; i < island->link_count; i++) {
        cairn_link* link = &world->links[span->group->links[island->link + i]];
        memset(link->warm, 0, sizeof link->warm);
        link->impulse = link->twist = none;

        link->turns = isfinite(link->turns) ? link->turns : 0.0;
        link->turns = cairn_link_where(world, link).coordinate;
    }
    cairn_island_tell(span, "none", &(cairn_judged){0}, CAIRN_OUTCOME_SINGULAR);
}

enum { traits = 5 };

// m: how far the shape of a body and its joints reach from its center
static void measure_reach(double* reach, const cairn_group* group, const cairn_world* world,
                          const cairn_island* island)
{
    for (int i = 0; i < island->body_count; i++)
        reach[i] = world->bodies[group->bodies[island->body + i]].radius;
    for (int i = 0; i < island->link_count; i++) {
        const cairn_link* link = &world->links[group->links[island->link + i]];
        int a = link->a == CAIRN_WORLD_BODY ? -1 : group->local[link->a], b = group->local[link->b];
        if (a >= 0)
            reach[a] = fmax(reach[a], cairn_norm(link->frame_a.p));
        if (b >= 0)
            reach[b] = fmax(reach[b], cairn_norm(link->frame_b.p));
    }
}

static void magnitudes(double* f, const cairn_body* body, const cairn_vec3* start, double reach)
{
    cairn_vec3 I = body->inertia;
    f[0] = cairn_log(body->inverse_mass);
    f[1] = cairn_log(fmin(I.x, fmin(I.y, I.z)));
    f[2] = cairn_log(fmax(I.x, fmax(I.y, I.z)));
    f[3] = cairn_log1p(reach);
    f[4] = cairn_log1p(cairn_norm(start[0]) + reach * cairn_norm(start[1]));
}

// how unlike the others each body of an island is, in place of its reach; returns the largest
static double measure_oddness(double* odd, const cairn_group* group, const cairn_world* world,
                              const cairn_island* island)
{
    double mean[traits] = {0.0}, f[traits], most = 0.0;

    for (int i = 0; i < island->body_count; i++) {
        int slot = group->bodies[island->body + i];
        magnitudes(f, &world->bodies[slot], group->start + 2 * (ptrdiff_t)slot, odd[i]);
        for (int k = 0; k < traits; k++)
            mean[k] += f[k] / island->body_count;
    }

    for (int i = 0; i < island->body_count; i++) {
        int slot = group->bodies[island->body + i];
        magnitudes(f, &world->bodies[slot], group->start + 2 * (ptrdiff_t)slot, odd[i]);
        odd[i] = 0.0;
        for (int k = 0; k < traits; k++)
            odd[i] = fmax(odd[i], fabs(f[k] - mean[k]));
        most = fmax(most, odd[i]);
    }
    return most;
}

// freezes the oddest bodies of an island that was lost; the others have their velocities back
static cairn_status end_lost(const cairn_group* group, cairn_world* world,
                             const cairn_island* island, cairn_step_report* report)
{
    cairn_arena_mark mark = cairn_arena_here(&world->arena);
    double* odd = CAIRN_TAKE(&world->arena, double, island->body_count);
    if (!odd)
        return CAIRN_NO_MEMORY;

    measure_reach(odd, group, world, island);
    double most = measure_oddness(odd, group, world, island);
    for (int i = 0; i < island->body_count; i++) {
        int slot = group->bodies[island->body + i];
        cairn_body* body = &world->bodies[slot];

        if (!body->lost)
            continue;

        body->lost = false;
        body->v = group->start[2 * (ptrdiff_t)slot];
        body->w = group->start[2 * (ptrdiff_t)slot + 1];

        if (odd[i] >= 0.5 * most) {
            freeze(body);
            report->frozen++;
        }
    }

    cairn_arena_release(&world->arena, mark);
    return CAIRN_OK;
}

cairn_status cairn_group_end_lost(const cairn_group* group, cairn_world* world,
                                  cairn_step_report* report)
{
    cairn_status status = CAIRN_OK;
    bool far = false;
    for (int i = 0; i < group->count && status == CAIRN_OK; i++) {
        if (group->islands[i].lost)
            status = end_lost(group, world, &group->islands[i], report);
        far = far || group->islands[i].far;
    }
    if (far)
        cairn_world_freeze_lost(world, 0.0, report);
    return status;
}
