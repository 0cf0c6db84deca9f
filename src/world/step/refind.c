// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Contacts are found anew within a step where others meet than did: a point has left its face, an
// edge its end. Features are followed exactly until then (kinematics.h). Where a contact stands on
// anchors and a normal that stands still its gap is right to first order: once the bodies, of
// radius ρ, have moved by m against each other it is wrong by about
//
//     m² / 2ρ,        m = (time since the pair was looked at) (|u| + ρ |ω_B - ω_A|),
//
// u the relative velocity at the contact. Where this is more than a gap that counts as closed, and
// the pair may meet, it is looked at again, too: after the motion of a substep and before overlaps
// are pushed away, so that these are true ones, and so are the contacts of the next substep. So is a
// pair whose bodies reach deeper through the plane of a contact than its points tell: others have
// turned in.
// Impulses follow their features. A contact that is gone waits, with its impulse for the user, and
// takes no further part.
//
// Islands that meet are solved as one from then on. What was found at rest, or flies alone, has been
// solved for the whole step: where a blow sends a body at it, the step is begun anew (fled.c).

#include "world/step/refind.h"
#include "world/sleep/sleep.h"
#include "world/step/layout.h"
#include "world/step/march.h"
#include "world/step/seams.h"
#include "world/threads.h"
#include <string.h>

static const double least_motion = 2e-3; // m: slower bodies are not looked at,
static const double far_moved = 1e-2;    // and these are, however large they are

// ---------------------------------------------------------------- which pairs

// what a first look at a pair needs to know of a body, close together in memory
typedef struct mover {
    cairn_vec3 x, v;
    double turn, radius; // m/s: of its surface; m
    double gain, spin;   // m/s: of its center and, but of balls, its surface, since the step began
} mover;

// and before that
enum {
    is_swift = 1,   // it moved at all
    is_stepped = 2, // by the laws of motion, and not at rest
    is_rested = 4,
    is_round = 8 // a ball that moves
};

typedef struct renewal {
    cairn_group* group;
    const cairn_span* span;
    double elapsed;      // s: since the step began
    double left;         // s: of it
    double ahead;        // s: until the next look
    int substep;         // after which it is
    bool early;          // nothing has moved since the last look, but faster bodies are about to
    bool brief;          // islands that march are looked at closely after the next substep
    const mover* movers; // of each body
    const unsigned char* traits; // likewise
    cairn_pair_index pairs;      // of each body, once it is needed
    double unseen; // m/s: less than this may be gained on what a pair was looked at for
    bool renewed;  // some pair was looked at again;
    bool changed;  // contacts came or went,
    bool joined;   // of two islands
} renewal;

// whether a body moved by more than least_motion: (|v| + ρ|ω|)² <= 2 (v² + ρ²ω²) tells of most that
// they did not
static bool is_moving(const cairn_body* body, double time)
{
    double v2 = cairn_dot(body->v, body->v);
    double turn2 = body->radius * body->radius * cairn_dot(body->w, body->w);
    if (2.0 * time * time * (v2 + turn2) <= least_motion * least_motion)
        return false;
    bool moves = body->alive && !body->asleep && !body->frozen && body->type != CAIRN_BODY_STATIC;
    return moves && time * (sqrt(v2) + sqrt(turn2)) > least_motion;
}

// returns whether any body is swift
static bool list_traits(unsigned char* traits, const renewal* job)
{
    const cairn_group* group = job->group;
    const cairn_world* world = job->span->world;
    int any = 0;
    for (int i = 0; i < world->body_count; i++) {
        const cairn_body* body = &world->bodies[i];
        int own = is_moving(body, job->elapsed) ? is_swift : 0;
        if (group->local[i] >= 0) {
            const cairn_island* island = &group->islands[group->island_of[i]];
            bool arrived = group->ahead && (group->ahead[i] || (job->early && group->marched[i]));
            own |= island->rested || island->advanced || arrived ? is_rested : is_stepped;
            own |= body->round ? is_round : 0;
        }
        traits[i] = (unsigned char)own;
        any |= own;
    }
    return any & is_swift;
}

static void list_movers(mover* movers, const renewal* job)
{
    const cairn_world* world = job->span->world;
    for (int i = 0; i < world->body_count; i++) {
        const cairn_body* body = &world->bodies[i];
        const cairn_vec3* start = job->group->start + 2 * (ptrdiff_t)i;
        mover m = {.x = body->x, .v = body->v, .radius = body->radius};
        m.turn = body->radius * cairn_norm(body->w);
        m.gain = cairn_norm(cairn_sub(body->v, start[0]));
        if (!body->round)
            m.spin = body->radius * cairn_norm(cairn_sub(body->w, start[1]));
        movers[i] = m;
    }
}

// the radius of the smaller body; a half-space has none
static double smaller(double a, double b)
{
    return a > 0.0 && b > 0.0 ? fmin(a, b) : fmax(a, b);
}

// how fast the two surfaces move against each other where they are about to touch
static double speed_at(const cairn_touch* touch, const cairn_world* world)
{
    cairn_reach reach = cairn_touch_reach(touch, world);
    return cairn_norm(cairn_touch_slip(touch, world, &reach));
}

static double gap_at(const cairn_touch* touch, const cairn_world* world)
{
    return cairn_touch_reach(touch, world).gap;
}

// whether two balls that nobody expected to meet overlap, or may before the next look
static bool may_meet(const mover* a, const mover* b, const renewal* job)
{
    if (!(a->gain + b->gain > job->unseen))
        return false;
    cairn_vec3 d = cairn_sub(b->x, a->x);
    double ahead = job->early ? job->span->h : job->ahead;
    double near = a->radius + b->radius + ahead * cairn_norm(cairn_sub(b->v, a->v));
    return cairn_dot(d, d) < near * near;
}

// Whether a pair of an island that marches can be left alone until the next substep ends: its contacts
// take part with features that may have come to their ends, by as much as it moves until then.
static bool may_wait(int ia, int ib, const renewal* job)
{
    const double share = 0.05; // of the size of the smaller body
    const bool* marched = job->group->marched;
    if (!job->brief || (job->group->local[ia] >= 0 && !marched[ia]) ||
        (job->group->local[ib] >= 0 && !marched[ib]))
        return false;
    const mover *a = &job->movers[ia], *b = &job->movers[ib];
    double moved = job->span->h * (cairn_norm(cairn_sub(b->v, a->v)) + a->turn + b->turn);
    return moved < share * smaller(a->radius, b->radius);
}

// Most pairs move little against each other and hardly faster than they did when the step began:
// bounds tell, and neither the pair nor its contacts need be looked at. What was found at rest is
// left alone.
static bool worth_a_look(int ia, int ib, const renewal* job)
{
    int either = job->traits[ia] | job->traits[ib];
    if (!(either & is_swift) || !(either & is_stepped) || either & is_rested)
        return false;
    const mover *a = &job->movers[ia], *b = &job->movers[ib];
    if (job->traits[ia] & job->traits[ib] & is_round)
        return may_meet(a, b, job);
    if (a->gain + a->spin + b->gain + b->spin > job->unseen)
        return true;
    if (may_wait(ia, ib, job))
        return false;
    double moved = job->elapsed * (cairn_norm(cairn_sub(b->v, a->v)) + 2.0 * (a->turn + b->turn));
    double small = 2.0 * smaller(a->radius, b->radius) * job->span->world->touching;
    return !job->early && (moved > far_moved || moved * moved > small);
}

// m: how far the plane of a contact keeps its bodies apart, whatever points of them are known
static double parted_by(const cairn_touch* touch, const cairn_world* world,
                        const cairn_reach* reach)
{
    const cairn_body *a = &world->bodies[touch->a], *b = &world->bodies[touch->b];
    double top = touch->rule == CAIRN_RULE_FACE_A ? cairn_dot(reach->n, cairn_add(a->x, reach->r_a))
                                                  : cairn_body_reach(a, touch->part_a, reach->n);
    double bottom = touch->rule == CAIRN_RULE_FACE_B
                        ? cairn_dot(reach->n, cairn_add(b->x, reach->r_b))
                        : -cairn_body_reach(b, touch->part_b, cairn_neg(reach->n));
    return isfinite(bottom - top) ? bottom - top : reach->gap;
}

// whether two contacts of a pair are points on the same face, whose plane is told once
static bool share_plane(const cairn_touch* touch, const cairn_touch* other)
{
    bool of_a = touch->rule == CAIRN_RULE_FACE_A, of_b = touch->rule == CAIRN_RULE_FACE_B;
    cairn_vec3 d = of_a ? cairn_sub(touch->at_a, other->at_a) : cairn_sub(touch->at_b, other->at_b);
    double level = of_a ? touch->round_a - other->round_a : touch->round_b - other->round_b;
    return (of_a || of_b) && touch->rule == other->rule && touch->part_a == other->part_a &&
           touch->part_b == other->part_b && cairn_dot(d, d) == 0.0 && level == 0.0;
}

static bool outdated(const cairn_world* world, const cairn_pair* close, const renewal* job)
{
    const cairn_pair_state* pair = &world->pairs[close->slot];
    int ia = world->proxy_body[close->a], ib = world->proxy_body[close->b];
    if (job->traits[ia] & job->traits[ib] & is_round)
        return cairn_pair_first(pair) < 0;
    const cairn_body *a = &world->bodies[ia], *b = &world->bodies[ib];
    bool renewed = pair->renewed == world->attempt;
    int since = job->substep + job->early - pair->renewed_at;
    double age = renewed ? since * job->span->h : job->elapsed;
    // points that were too far away to be seen
    double most = cairn_norm(cairn_sub(b->v, a->v)) + job->movers[ia].turn + job->movers[ib].turn;
    if ((age + job->ahead) * most > pair->margin)
        return true;
    if (job->early || may_wait(ia, ib, job))
        return false;

    double size = smaller(a->radius, b->radius), turn = cairn_norm(cairn_sub(b->w, a->w));
    bool dropped = false;
    double speed = 0.0, gap = INFINITY, known = INFINITY, parted = INFINITY;
    const cairn_touch* last = NULL;
    for (int c = cairn_pair_first(pair); c >= 0; c = cairn_pair_next(world, pair, c)) {
        const cairn_touch* touch = &world->touches[c];
        if (touch->balls)
            continue;

        // what was dropped at a seam may be the floor by now
        if (touch->gone) {
            dropped = true;
            continue;
        }

        // others may have turned in
        cairn_reach now = cairn_touch_reach(touch, world);
        known = fmin(known, now.gap);
        if (!last || !share_plane(touch, last))
            parted = fmin(parted, parted_by(touch, world, &now));
        last = touch;

        // features are followed exactly, until others meet
        if (touch->rule != CAIRN_RULE_ANCHORS) {
            if (!cairn_touch_is_valid(touch, world))
                return true;
            continue;
        }
        speed = fmax(speed, speed_at(touch, world));
        gap = fmin(gap, gap_at(touch, world));
    }
    if (parted < fmin(known, 0.0) - world->touching)
        return true;
    speed += size * turn;
    double moved = age * speed;
    return dropped ||
           (moved * moved > 2.0 * size * world->touching && gap < moved + job->ahead * speed);
}

static cairn_island* island_of(const cairn_group* group, int slot)
{
    return group->local[slot] < 0 ? NULL : &group->islands[group->island_of[slot]];
}

// ---------------------------------------------------------------- new points

// an old contact with the features of a new one, that no other new one has taken
static cairn_touch* same_feature(cairn_world* world, const cairn_pair_state* pair,
                                 const cairn_touch* touch)
{
    for (int c = cairn_pair_first(pair); c >= 0; c = cairn_pair_next(world, pair, c)) {
        cairn_touch* old = &world->touches[c];
        if (!old->moved && old->feature == touch->feature && old->part_a == touch->part_a &&
            old->part_b == touch->part_b)
            return old;
    }
    return NULL;
}

static cairn_status put(cairn_world* world, cairn_pair_state* pair, cairn_touch* touch,
                        bool* changed)
{
    cairn_touch* old = same_feature(world, pair, touch);
    if (old) {
        touch->impulse = old->impulse;
        touch->spin_impulse = old->spin_impulse;
        touch->span = old->span;
        touch->total = old->total;
        touch->next = old->next;
        // where a grain turns out of the normal the law of friction is another one
        *changed = *changed || old->gone || old->kind != touch->kind || old->rows != touch->rows;
        *old = *touch;
        old->moved = true;
        return CAIRN_OK;
    }
    *changed = true;
    if (!cairn_world_reserve_touches(world, world->touch_count + 1))
        return CAIRN_NO_MEMORY;
    touch->next = pair->extra;
    touch->moved = true;
    world->touches[world->touch_count++] = *touch;
    pair->extra = world->touch_count;
    return CAIRN_OK;
}

// contacts of a pair will change: the layout of the island for sweeps hands their impulses back
static void unpack(const renewal* job, cairn_island* island, const cairn_pair_state* pair)
{
    cairn_span own = *job->span;
    own.island = island;
    if (island && island->march)
        cairn_march_release(&own, (int)(pair - own.world->pairs));
    if (!island || !island->pack || island->pack->stale)
        return;
    int place = cairn_pair_first(pair);
    for (int c = cairn_pair_first(pair); c >= 0; c = cairn_pair_next(own.world, pair, c))
        cairn_pack_yield_touch(&own, c, &place);
}

// and follows them; once some came or went it hands back all impulses and is of no more use
static void redraw(const renewal* job, cairn_island* island, const cairn_pair_state* pair,
                   bool changed)
{
    cairn_span own = *job->span;
    own.island = island;
    if (!island || island->recast)
        return;
    int place = cairn_pair_first(pair);
    for (int c = cairn_pair_first(pair); c >= 0 && island->pack;
         c = cairn_pair_next(own.world, pair, c))
        cairn_pack_redraw_touch(&own, c, &place);
    if (changed && island->pack && !island->pack->stale)
        cairn_pack_yield(&own);
    island->recast = changed;
}

// The layout of an island that marches takes the contacts of a pair in; where there is no room, or where
// the pair makes one of two islands, it is given up.
static void take_in(const renewal* job, cairn_island* island, const cairn_pair_state* pair,
                    bool joins)
{
    cairn_span own = *job->span;
    own.island = island;
    if (island && island->march &&
        (joins || !cairn_march_adopt(&own, (int)(pair - own.world->pairs))))
        cairn_march_yield(&own);
}

// layouts of islands where contacts came or went are made anew
static void repack(const renewal* job)
{
    for (int i = 0; i < job->group->count; i++) {
        cairn_island* island = &job->group->islands[i];
        if (island->recast && island->pack) {
            island->spare = island->pack;
            island->pack = NULL;
        }
        island->recast = false;
    }
}

static bool has_rim(const cairn_body* body)
{
    return body->shape.kind == CAIRN_SHAPE_CYLINDER || body->shape.kind == CAIRN_SHAPE_CONE;
}

// looks at a pair again; `known`: its narrow phase has run on another thread
static cairn_status renew(renewal* job, const cairn_pair* close, bool known)
{
    cairn_world* world = job->span->world;
    cairn_pair_state* pair = &world->pairs[close->slot];
    int a = world->proxy_body[close->a], b = world->proxy_body[close->b];
    cairn_island *first = island_of(job->group, a), *second = island_of(job->group, b);
    unpack(job, first, pair);
    if (second != first)
        unpack(job, second, pair);
    bool changed = false;
    job->renewed = true;
    cairn_found found;
    cairn_status status = CAIRN_OK;
    if (!known || !cairn_pair_show(&found, world, close))
        status = cairn_pair_look_again(&found, world, close, job->left,
                                       cairn_default_collide_def().reuse);
    pair->renewed = world->attempt;
    pair->renewed_at = job->substep;
    for (int c = cairn_pair_first(pair); c >= 0; c = cairn_pair_next(world, pair, c))
        world->touches[c].moved = false;
    for (int m = 0; status == CAIRN_OK && m < found.count; m++) {
        const cairn_patch* patch = &found.patches[m];
        if (cairn_patch_refused(world, close, patch, found.points))
            continue;
        for (int k = 0; k < patch->count && status == CAIRN_OK; k++) {
            cairn_touch touch =
                cairn_touch_at(world, close, patch, &found.points[patch->first + k]);
            status = cairn_touch_classify(&touch, world);
            if (status == CAIRN_OK && !cairn_touch_is_ghost(&touch, world, &job->pairs))
                status = put(world, pair, &touch, &changed);
            if (world->arena.failed)
                status = CAIRN_NO_MEMORY;
        }
    }

    // Contacts that were not found again end, but for far ones. Those of rims end, too, where their features do
    // not hold: a tangent turns with its body, and may cross a line where the bodies are not.
    bool rims = has_rim(&world->bodies[a]) || has_rim(&world->bodies[b]);
    for (int c = cairn_pair_first(pair); c >= 0; c = cairn_pair_next(world, pair, c)) {
        cairn_touch* touch = &world->touches[c];
        touch->renewed = true;
        if (touch->moved || touch->gone ||
            (gap_at(touch, world) > pair->margin && (!rims || cairn_touch_is_valid(touch, world))))
            continue;
        cairn_touch_start(touch, cairn_vec(0.0, 0.0, 0.0), 0.0, 0.0);
        touch->gone = changed = true;
    }
    bool joins = changed && first && second && first != second;
    redraw(job, first, pair, changed);
    take_in(job, first, pair, joins);
    if (second != first) {
        redraw(job, second, pair, changed);
        take_in(job, second, pair, joins);
    }
    job->changed = job->changed || changed;
    job->joined = job->joined || joins;
    return status;
}

// whether a contact of a pair was dropped at a seam, or is gone since
static bool has_dropped(const cairn_world* world, const cairn_pair* close)
{
    const cairn_pair_state* pair = &world->pairs[close->slot];
    for (int c = cairn_pair_first(pair); c >= 0; c = cairn_pair_next(world, pair, c))
        if (world->touches[c].gone)
            return true;
    return false;
}

// which pairs are looked at again, and how far that is
typedef enum state { is_left, is_outdated, is_looked_at } state;

typedef struct survey {
    const renewal* job;
    const cairn_pair* pairs;
    unsigned char* states; // of all of them
} survey;

static void judge_some(void* context, int first, int end)
{
    const survey* own = context;
    const cairn_world* world = own->job->span->world;
    for (int i = first; i < end; i++) {
        const cairn_pair* pair = &own->pairs[i];
        bool worth = worth_a_look(world->proxy_body[pair->a], world->proxy_body[pair->b], own->job);
        own->states[i] = worth && outdated(world, pair, own->job) ? is_outdated : is_left;
    }
}

static cairn_status share_look(void* context, cairn_worker* worker, int i)
{
    const survey* own = context;
    cairn_found found;
    if (own->states[i] != is_looked_at)
        return CAIRN_OK;
    return cairn_pair_look_on(&found, own->job->span->world, &own->pairs[i], own->job->left,
                              cairn_default_collide_def().reuse, &worker->log);
}

// The narrow phase of all that are outdated, when there are threads for it. What hooks refuse is left to the
// pair's turn.
static cairn_status look_ahead(const survey* own, int count, int outdated_count)
{
    enum { least_pairs = 16, share = 64 };
    cairn_world* world = own->job->span->world;
    cairn_crew* crew = outdated_count >= least_pairs ? cairn_world_crew(world) : NULL;
    if (!crew || world->pair_hook)
        return CAIRN_OK;
    for (int i = 0; i < count; i++) {
        if (own->states[i] != is_outdated)
            continue;
        cairn_pair_note_places(world, &own->pairs[i], own->job->left);
        own->states[i] = is_looked_at;
    }
    return cairn_crew_run(crew, share_look, (void*)own, count, share, true, NULL);
}

// The pairs whose contacts are outdated, in their order. What was dropped at a seam comes first: it may be
// the floor by now, beside which the last floor has but an edge.
static cairn_status look_at_pairs(renewal* job)
{
    enum { pairs_at_once = 256, pairs_between_polls = 64 };
    int count, some = 0;
    cairn_world* world = job->span->world;
    survey own = {.job = job, .pairs = cairn_broad_pairs(world->broad, &count)};
    own.states = CAIRN_TAKE(&world->arena, unsigned char, count);
    if (!own.states)
        return CAIRN_NO_MEMORY;
    cairn_world_loop(world, judge_some, &own, count, pairs_at_once);
    for (int i = 0; i < count; i++)
        some += own.states[i] == is_outdated;
    cairn_status status = look_ahead(&own, count, some);

    // first pairs of which seams have taken contacts, then the others
    for (int pass = job->group->changed ? 0 : 1; pass < 2; pass++)
        for (int i = 0; i < count && status == CAIRN_OK; i++) {
            state now = (state)own.states[i];
            if (now == is_left || (pass == 0 && !has_dropped(world, &own.pairs[i])))
                continue;
            own.states[i] = is_left;
            status = renew(job, &own.pairs[i], now == is_looked_at);
            if (status == CAIRN_OK && i % pairs_between_polls == 0)
                status = cairn_world_poll(world);
        }
    return status;
}

static cairn_status look_around(renewal* job)
{
    int count;
    const cairn_span* span = job->span;
    cairn_world* world = span->world;
    cairn_broad_pairs(world->broad, &count);
    if (count == 0)
        return CAIRN_OK;

    // what the first look at pairs asks of bodies
    cairn_arena_mark mark = cairn_arena_here(&world->arena);
    mover* movers = CAIRN_TAKE(&world->arena, mover, world->body_count);
    unsigned char* traits = CAIRN_TAKE(&world->arena, unsigned char, world->body_count);
    if (world->arena.failed)
        return CAIRN_NO_MEMORY;
    job->movers = movers;
    job->traits = traits;
    double dt = span->h * span->substeps;
    job->unseen = world->def.contact_margin / dt + dt * cairn_norm(world->def.gravity);
    cairn_status status = CAIRN_OK;
    if (list_traits(traits, job)) {
        list_movers(movers, job);
        status = look_at_pairs(job);
    }
    cairn_arena_release(&world->arena, mark);
    if (status != CAIRN_OK || !job->renewed)
        return status;

    // contacts that came or went
    job->group->renewed = true;
    repack(job);
    if (!job->changed)
        return CAIRN_OK;
    job->group->changed = true;
    return job->joined ? cairn_group_again(job->group, world)
                       : cairn_group_touches(job->group, world);
}

cairn_status cairn_world_retouch(cairn_group* group, const cairn_span* span, int substep)
{
    renewal job = {.group = group, .span = span, .elapsed = (substep + 1) * span->h};
    job.substep = substep;
    job.left = span->last ? 0.0 : (span->substeps - substep - 1) * span->h;
    job.ahead = span->last ? 0.0 : span->h;
    job.brief = group->marched && !span->last && substep % 2 == 0;
    return look_around(&job);
}

cairn_status cairn_world_foresee(cairn_group* group, const cairn_span* span, int substep)
{
    renewal job = {.group = group, .span = span, .elapsed = (substep + 1) * span->h};
    job.early = true;
    job.substep = substep - 1;
    job.left = (span->substeps - substep) * span->h;
    cairn_status status = cairn_world_find_fled(group, span, job.left);
    return status == CAIRN_OK ? look_around(&job) : status;
}
