// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Contacts followed by their features (kinematics.h), and what the motion within a substep adds to
// their rows. A kick leaves velocities u with which the bodies drift for h seconds; the law holds
// where they arrive. Rows are taken where the drift begins, so the change of the geometry on the
// way enters as a bias, from the drift with the velocities v~ before the kick:
//
//     γ_N = (gap(h) - gap)/h - n·u~,      γ_T = t(h/2)·u~(h/2) - t·u~,
//
// the secant of the gap and the slip at mid-drift. J stays where the impulse acts, A stays
// symmetric, and the step is of second order: half of what bends the path of a rolling body acts
// where the drift begins, half where it ends. An impact ends the motion that was predicted: then
// there is no bias.

#include "world/step/kinematics.h"
#include "math/array.h"
#include "world/step/contact_law.h"
#include "world/step/island.h"
#include "world/step/rotation.h"
#include "world/step/seams.h"
#include "world/threads.h"
#include <string.h>

static const double largest_turn = 1.0; // rad: beyond it a prediction says nothing

// ---------------------------------------------------------------- features

// from the center of a rim to where it reaches farthest along `out`
static cairn_vec3 rim_of(cairn_vec3 out, cairn_vec3 axis, double disc)
{
    cairn_vec3 across = cairn_add_scaled(out, -cairn_dot(out, axis), axis);
    double length = cairn_norm(across);
    return length > 0.0 ? cairn_scale(disc / length, across) : across;
}

// the core of one side that meets a plane: `out` leads to it
static cairn_vec3 core_to(const cairn_touch* touch, const cairn_world* world, cairn_quat q,
                          int side, cairn_vec3 out)
{
    const cairn_touch_lines* lines = cairn_touch_lines_of(touch, world);
    cairn_vec3 core = cairn_rotate(q, side ? touch->at_b : touch->at_a);
    if (lines && lines->disc > 0.0)
        core = cairn_add(core, rim_of(out, cairn_rotate(q, lines->along[side]), lines->disc));
    if (lines && lines->oval)
        core =
            cairn_add(core, cairn_rotate(q, cairn_oval_reach(lines->S, cairn_rotate_back(q, out))));
    return core;
}

static cairn_reach reach_face_a(const cairn_touch* touch, const cairn_world* world,
                                cairn_transform a, cairn_transform b)
{
    cairn_reach r = {.n = cairn_rotate(a.q, touch->at_a)};
    cairn_vec3 core = core_to(touch, world, b.q, 1, cairn_neg(r.n)), between = cairn_sub(b.p, a.p);
    r.r_b = cairn_add_scaled(core, -touch->round_b, r.n);
    cairn_vec3 from_a = cairn_add(between, r.r_b);
    r.gap = cairn_dot(r.n, from_a) - touch->round_a;
    r.r_a = cairn_add_scaled(from_a, -r.gap, r.n);
    return r;
}

static cairn_reach reach_face_b(const cairn_touch* touch, const cairn_world* world,
                                cairn_transform a, cairn_transform b)
{
    cairn_reach r = {.n = cairn_rotate(b.q, touch->at_b)};
    cairn_vec3 core = core_to(touch, world, a.q, 0, r.n), between = cairn_sub(a.p, b.p);
    r.r_a = cairn_add_scaled(core, touch->round_a, r.n);
    cairn_vec3 from_b = cairn_add(between, r.r_a);
    r.gap = touch->round_b - cairn_dot(r.n, from_b);
    r.r_b = cairn_add_scaled(from_b, r.gap, r.n);
    return r;
}

// the core points of both sides, from the centers; one of them slides along its edge
static cairn_vec3 points_apart(cairn_vec3* c_a, cairn_vec3* c_b, const cairn_touch* touch,
                               const cairn_world* world, cairn_transform a, cairn_transform b)
{
    const cairn_touch_lines* lines = cairn_touch_lines_of(touch, world);
    *c_a = cairn_rotate(a.q, touch->at_a);
    *c_b = cairn_rotate(b.q, touch->at_b);
    cairn_vec3 d = cairn_sub(cairn_add(b.p, *c_b), cairn_add(a.p, *c_a));

    // points on lines slide along them to where they are closest
    for (int side = 0; lines && side < 2; side++) {
        cairn_vec3 along = cairn_rotate(side ? b.q : a.q, lines->along[side]);
        double way = cairn_dot(d, along);
        d = cairn_add_scaled(d, -way, along);
        if (side)
            *c_b = cairn_add_scaled(*c_b, -way, along);
        else
            *c_a = cairn_add_scaled(*c_a, way, along);
    }

    return d;
}

static cairn_reach reach_points(const cairn_touch* touch, const cairn_world* world,
                                cairn_transform a, cairn_transform b)
{
    cairn_vec3 c_a, c_b, d = points_apart(&c_a, &c_b, touch, world, a, b);
    cairn_reach r = cairn_balls_reach(touch->round_a, touch->round_b, d, cairn_norm(d), touch->n);
    r.r_a = cairn_add(c_a, r.r_a);
    r.r_b = cairn_add(c_b, r.r_b);
    return r;
}

// of two lines: l_A·(d + s_B l_B - s_A l_A) = 0, likewise l_B; l_A x l_B leads from A to B
static cairn_reach reach_edges(const cairn_touch* touch, const cairn_world* world,
                               cairn_transform a, cairn_transform b)
{
    const cairn_touch_lines* lines = cairn_touch_lines_of(touch, world);
    cairn_vec3 l_a = cairn_rotate(a.q, lines->along[0]), l_b = cairn_rotate(b.q, lines->along[1]);
    cairn_vec3 c_a = cairn_rotate(a.q, touch->at_a), c_b = cairn_rotate(b.q, touch->at_b);
    cairn_vec3 d = cairn_sub(cairn_add(b.p, c_b), cairn_add(a.p, c_a));
    cairn_vec3 across = cairn_cross(l_a, l_b), n = touch->n;
    double square = cairn_dot(across, across);

    // on lines that are not parallel, the closest points
    if (square > 1e-12) {
        double cosine = cairn_dot(l_a, l_b), d_a = cairn_dot(d, l_a), d_b = cairn_dot(d, l_b);
        n = cairn_scale(1.0 / sqrt(square), across);
        c_a = cairn_add_scaled(c_a, (d_a - cosine * d_b) / square, l_a);
        c_b = cairn_add_scaled(c_b, (cosine * d_a - d_b) / square, l_b);
    }

    return (cairn_reach){.n = n,
                         .r_a = cairn_add_scaled(c_a, touch->round_a, n),
                         .r_b = cairn_add_scaled(c_b, -touch->round_b, n),
                         .gap = cairn_dot(n, d) - touch->round_a - touch->round_b};
}

static cairn_reach reach_anchors(const cairn_touch* touch, cairn_transform a, cairn_transform b)
{
    cairn_vec3 r_a = cairn_rotate(a.q, touch->at_a), r_b = cairn_rotate(b.q, touch->at_b);
    cairn_vec3 apart = cairn_sub(cairn_add(b.p, r_b), cairn_add(a.p, r_a));
    return (cairn_reach){touch->n, r_a, r_b, cairn_dot(apart, touch->n)};
}

cairn_reach cairn_touch_reach_at(const cairn_touch* touch, const cairn_world* world,
                                 cairn_transform a, cairn_transform b)
{
    switch (touch->rule) {
    case CAIRN_RULE_FACE_A:
        return reach_face_a(touch, world, a, b);
    case CAIRN_RULE_FACE_B:
        return reach_face_b(touch, world, a, b);
    case CAIRN_RULE_POINTS:
        return reach_points(touch, world, a, b);
    case CAIRN_RULE_EDGES:
        return reach_edges(touch, world, a, b);
    default:
        return reach_anchors(touch, a, b);
    }
}

void cairn_touch_turn(cairn_touch* touch, const cairn_world* world, cairn_vec3 n)
{
    cairn_vec3 across;
    touch->n = n;
    cairn_tangents(n, &touch->t, &across);
    cairn_touch_set_grain(touch, world);
}

cairn_reach cairn_touch_refresh(cairn_touch* touch, const cairn_world* world)
{
    cairn_reach reach = cairn_touch_reach(touch, world);
    touch->gap = reach.gap;
    if (touch->rule != CAIRN_RULE_ANCHORS)
        cairn_touch_turn(touch, world, reach.n);
    return reach;
}

// ---------------------------------------------------------------- which features

// a point or a direction of a shape in the principal frame of its body
static cairn_vec3 point_in(const cairn_body* body, cairn_vec3 p)
{
    return cairn_add(body->offset.p, cairn_rotate(body->offset.q, p));
}

static cairn_vec3 direction_in(const cairn_body* body, cairn_vec3 d)
{
    return cairn_rotate(body->offset.q, d);
}

bool cairn_world_reserve_lines(cairn_world* world, int need)
{
    if (need <= world->line_capacity)
        return true;
    int capacity = need + need / 2;
    cairn_touch_lines* lines =
        CAIRN_GROW_ARRAY(world->lines, cairn_touch_lines, world->line_count, capacity);
    if (!lines)
        return false;
    world->lines = lines;
    world->line_capacity = capacity;
    return true;
}

static bool add_lines(cairn_touch* touch, cairn_world* world, const cairn_feature_pair* pair)
{
    if (!cairn_world_reserve_lines(world, world->line_count + 1))
        return false;

    cairn_touch_lines* own = &world->lines[world->line_count++];
    for (int side = 0; side < 2; side++) {
        const cairn_body* body = &world->bodies[side ? touch->b : touch->a];
        own->along[side] = direction_in(body, pair->line[side]);
        own->half[side] = pair->half[side];
    }

    own->disc = pair->rim ? pair->disc : 0.0;
    own->oval = pair->oval;
    if (pair->oval) {
        int other = pair->rule == CAIRN_RULE_FACE_A ? touch->b : touch->a;
        own->S = cairn_oval_turned(pair->S, world->bodies[other].offset.q);
    }

    touch->line = world->line_count;
    return true;
}

// what the narrow phase calls the features at the present contact point of one with anchors; false: none
static bool find_features(cairn_feature_pair* pair, const cairn_touch* touch,
                          const cairn_world* world)
{
    const cairn_body *a = &world->bodies[touch->a], *b = &world->bodies[touch->b];
    if (touch->rule != CAIRN_RULE_ANCHORS)
        return false;
    cairn_reach now =
        reach_anchors(touch, (cairn_transform){a->x, a->q}, (cairn_transform){b->x, b->q});
    cairn_contact_point point = {.gap = now.gap, .feature = touch->feature};
    point.position = cairn_add_scaled(cairn_add(a->x, now.r_a), 0.5 * now.gap, now.n);
    cairn_contact_feature(pair, &a->shape, a->pose, touch->part_a, &b->shape, b->pose,
                          touch->part_b, touch->n, &point);
    return pair->rule != CAIRN_RULE_ANCHORS;
}

static bool is_lined(const cairn_feature_pair* pair)
{
    return pair->rim || pair->oval || pair->rule == CAIRN_RULE_EDGES || pair->half[0] > 0.0 ||
           pair->half[1] > 0.0;
}

static void set_features(cairn_touch* touch, const cairn_world* world,
                         const cairn_feature_pair* pair)
{
    const cairn_body *a = &world->bodies[touch->a], *b = &world->bodies[touch->b];
    touch->rule = pair->rule;
    touch->cut = pair->cut;
    touch->at_a = point_in(a, pair->core[0]);
    touch->at_b = point_in(b, pair->core[1]);
    touch->round_a = pair->round[0];
    touch->round_b = pair->round[1];

    // the owner of a face needs its normal, and its level above the center
    if (pair->rule == CAIRN_RULE_FACE_A) {
        cairn_vec3 own = direction_in(a, pair->own);
        touch->round_a = cairn_dot(own, touch->at_a);
        touch->at_a = own;
    } else if (pair->rule == CAIRN_RULE_FACE_B) {
        cairn_vec3 own = direction_in(b, pair->own);
        touch->round_b = cairn_dot(own, touch->at_b);
        touch->at_b = own;
    }
}

cairn_status cairn_touch_classify(cairn_touch* touch, cairn_world* world)
{
    cairn_feature_pair pair;
    if (!find_features(&pair, touch, world))
        return CAIRN_OK;
    if (is_lined(&pair) && !add_lines(touch, world, &pair))
        return CAIRN_NO_MEMORY;
    set_features(touch, world, &pair);
    return CAIRN_OK;
}

void cairn_touch_classify_plain(cairn_touch* touch, const cairn_world* world, bool* waits)
{
    cairn_feature_pair pair;
    bool found = find_features(&pair, touch, world);
    *waits = found && is_lined(&pair);
    if (found && !*waits)
        set_features(touch, world, &pair);
}

void cairn_touch_anchor(cairn_touch* touch, const cairn_world* world)
{
    cairn_reach now = cairn_touch_reach(touch, world);
    touch->at_a = cairn_rotate_back(world->bodies[touch->a].q, now.r_a);
    touch->at_b = cairn_rotate_back(world->bodies[touch->b].q, now.r_b);
    touch->rule = CAIRN_RULE_ANCHORS;
    touch->balls = false;
    touch->line = 0;
}

// the features of a contact, as they were found
static cairn_feature_pair features_of(const cairn_touch* touch, const cairn_world* world,
                                      const cairn_reach* now)
{
    cairn_feature_pair pair = {.rule = touch->rule, .cut = touch->cut};
    const cairn_touch_lines* lines = cairn_touch_lines_of(touch, world);
    pair.rim = lines && lines->disc > 0.0;

    for (int side = 0; side < 2; side++) {
        const cairn_body* body = &world->bodies[side ? touch->b : touch->a];
        cairn_vec3 at = side ? touch->at_b : touch->at_a;

        // a face keeps its normal and level; the core point follows from where the contact is
        bool face = touch->rule == (side ? CAIRN_RULE_FACE_B : CAIRN_RULE_FACE_A);
        if (face) {
            pair.own = cairn_rotate_back(body->offset.q, at);
            at = cairn_rotate_back(body->q, side ? now->r_b : now->r_a);
        } else
            pair.round[side] = side ? touch->round_b : touch->round_a;
        pair.core[side] = cairn_rotate_back(body->offset.q, cairn_sub(at, body->offset.p));

        if (lines) {
            pair.line[side] = cairn_rotate_back(body->offset.q, lines->along[side]);
            pair.half[side] = lines->half[side];
            pair.disc = lines->disc;
        }
    }
    return pair;
}

bool cairn_touch_is_valid(const cairn_touch* touch, const cairn_world* world)
{
    const cairn_body *a = &world->bodies[touch->a], *b = &world->bodies[touch->b];
    if (touch->balls || touch->rule == CAIRN_RULE_ANCHORS)
        return true;
    cairn_reach now = cairn_touch_reach(touch, world);
    cairn_feature_pair pair = features_of(touch, world, &now);
    cairn_feature_place place = {
        now.n, {cairn_add(a->x, now.r_a), cairn_add(b->x, now.r_b)}, now.gap};
    return cairn_feature_room(&pair, &place, &a->shape, cairn_body_shape_pose(a), touch->part_a,
                              &b->shape, cairn_body_shape_pose(b), touch->part_b) >= 0.0;
}

// ---------------------------------------------------------------- the drift ahead

// a body after t seconds with the velocities that it has
typedef struct ahead {
    cairn_transform place;
    cairn_vec3 v, w;
} ahead;

static ahead drift_of(const cairn_body* body, double t)
{
    ahead at = {{body->x, body->q}, body->v, body->w};
    if (!body->alive || body->frozen || body->asleep || body->type == CAIRN_BODY_STATIC ||
        body->belt)
        return at;
    const cairn_vec3 one = cairn_vec(1.0, 1.0, 1.0);
    at.place.p = cairn_add_scaled(at.place.p, t, at.v);
    cairn_rotate_freely(&at.place.q, &at.w, body->type == CAIRN_BODY_DYNAMIC ? body->inertia : one,
                        t);
    return at;
}

static cairn_vec3 slip_of(const ahead* a, const ahead* b, const cairn_reach* reach)
{
    return cairn_sub(cairn_add(b->v, cairn_cross(b->w, reach->r_b)),
                     cairn_add(a->v, cairn_cross(a->w, reach->r_a)));
}

// rad/s: how fast the features of a contact turn; a ball about its center does not
static double turning_of(const cairn_touch* touch, const cairn_world* world)
{
    double sum = 0.0;
    for (int side = 0; side < 2; side++) {
        cairn_vec3 at = side ? touch->at_b : touch->at_a;
        bool ball =
            touch->rule != CAIRN_RULE_ANCHORS && touch->line == 0 && cairn_dot(at, at) == 0.0;
        sum += ball ? 0.0 : cairn_norm(world->bodies[side ? touch->b : touch->a].w);
    }
    return sum;
}

bool cairn_touch_turns_far(const cairn_touch* touch, const cairn_world* world, double h)
{
    return h * turning_of(touch, world) > largest_turn;
}

// whether the points of a contact are on its lines, with the bodies at these places
static bool is_on_lines(const cairn_touch* touch, const cairn_world* world,
                        const cairn_reach* reach, cairn_quat a, cairn_quat b)
{
    const cairn_touch_lines* lines = cairn_touch_lines_of(touch, world);
    if (!lines || touch->rule < CAIRN_RULE_POINTS)
        return true;
    cairn_vec3 from_a = cairn_sub(cairn_rotate_back(a, reach->r_a), touch->at_a);
    cairn_vec3 from_b = cairn_sub(cairn_rotate_back(b, reach->r_b), touch->at_b);
    return fabs(cairn_dot(from_a, lines->along[0])) <= lines->half[0] &&
           fabs(cairn_dot(from_b, lines->along[1])) <= lines->half[1];
}

// γ of a closed contact, in the world
static cairn_vec3 bend_of(const cairn_touch* touch, const cairn_world* world,
                          const cairn_reach* now, double h)
{
    const cairn_body *a = &world->bodies[touch->a], *b = &world->bodies[touch->b];
    const cairn_vec3 none = cairn_vec(0.0, 0.0, 0.0);
    bool straight = touch->rule != CAIRN_RULE_POINTS && cairn_dot(a->w, a->w) == 0.0 &&
                    cairn_dot(b->w, b->w) == 0.0;
    if (straight || !(h * turning_of(touch, world) < largest_turn))
        return none;

    // where the drift leads, with the velocities before the kick
    ahead ma = drift_of(a, 0.5 * h), mb = drift_of(b, 0.5 * h);
    ahead ea = drift_of(a, h), eb = drift_of(b, h);
    cairn_reach mid = cairn_touch_reach_at(touch, world, ma.place, mb.place);
    cairn_reach end = cairn_touch_reach_at(touch, world, ea.place, eb.place);

    // beyond the ends of its lines a contact is elsewhere
    if (!is_on_lines(touch, world, &end, ea.place.q, eb.place.q))
        return none;
    cairn_vec3 n = touch->n, u = cairn_touch_slip(touch, world, now),
               u_mid = slip_of(&ma, &mb, &mid);

    // the gap's secant; a contact that closes fast is an impact, which ends the predicted motion
    double bend = (end.gap - now->gap) / h - cairn_dot(n, u);
    if (cairn_dot(n, u) < -2.0 * fabs(bend) - 2.0 * h * cairn_norm(world->def.gravity))
        return none;

    // tangents are carried along to the normal at mid-drift: t' = t - t·n'/(1 + n·n') (n + n')
    cairn_vec3 sum = cairn_scale(bend, n), both = cairn_add(n, mid.n);
    const cairn_vec3 t[2] = {touch->t, cairn_cross(n, touch->t)};
    for (int i = 0; i < 2; i++) {
        double back = cairn_dot(t[i], mid.n) / (1.0 + cairn_dot(n, mid.n));
        cairn_vec3 carried = cairn_add_scaled(t[i], -back, both);
        sum = cairn_add_scaled(sum, cairn_dot(carried, u_mid) - cairn_dot(t[i], u), t[i]);
    }
    return sum;
}

// ---------------------------------------------------------------- the bias of rows

// m: a smaller gap counts as closed. What bore a load in the last substep may open by `touching`
// without a bias that flips its sign with every micrometer; what did not has to arrive first.
static double closed_gap(const cairn_span* span, const cairn_touch* touch)
{
    bool bore = touch->span > 0.0 && cairn_dot(touch->impulse, touch->n) > 0.0;
    return bore ? span->world->touching : cairn_closed_gap(span);
}

void cairn_island_update_error(const cairn_span* span)
{
    cairn_world* world = span->world;
    const double felt = 1e-4; // m/s: less is what a method leaves on open contacts
    double worst = 0.0;
    if (!cairn_island_is_fine(span))
        return;
    for (int c = 0; c < span->island->touch_count; c++) {
        const cairn_touch* touch = &world->touches[span->group->touches[span->island->touch + c]];

        // only contacts that bear promise a gap at the end of the drift
        double inverse_mass =
            world->bodies[touch->a].inverse_mass + world->bodies[touch->b].inverse_mass;
        double change = cairn_dot(touch->impulse, touch->n) * inverse_mass;
        bool bears = touch->span > 0.0 && change > felt;
        if (!bears || touch->gone || touch->struck || touch->soft ||
            !cairn_touch_is_valid(touch, world))
            continue;

        double promised = touch->gap > world->touching ? 0.0 : touch->gap;
        double gap = cairn_touch_reach(touch, world).gap;

        // an open contact that came to bear closes all of its gap, one that bore keeps it
        double error = fmin(fabs(gap - promised), fabs(gap));
        // contacts that yield to a squeeze promise nothing that more substeps would keep
        if (!span->island->squeezed)
            cairn_pace_miss(world, touch, error);
        worst = fmax(worst, error);
    }

    cairn_island_tell_update(span, worst);
}

// whether the rows of the island's contacts see the drift ahead
static bool is_bent(const cairn_span* span)
{
    return span->phase == CAIRN_PHASE_DRIFT && !span->straight && cairn_island_is_fine(span) &&
           span->world->def.integrator == CAIRN_INTEGRATOR_LEAPFROG;
}

// whether a body of a timed contact was struck in this substep: its gap is that of the lines on which the
// bodies are
static bool is_lagging(const cairn_span* span, const cairn_touch* touch)
{
    const cairn_lag* lags = span->phase == CAIRN_PHASE_DRIFT ? span->group->lags : NULL;
    return lags && (lags[touch->a].last > 0.0 || lags[touch->b].last > 0.0) &&
           cairn_touch_is_timed(touch, span->world);
}

// an open contact may close its gap until the end of the drift, but not more
static cairn_vec3 bias_of(const cairn_span* span, const cairn_touch* touch, const cairn_reach* now)
{
    const cairn_world_def* def = &span->world->def;
    double remaining = def->integrator == CAIRN_INTEGRATOR_MOREAU ? 0.5 * span->h : span->h;
    cairn_vec3 bias = cairn_vec(0.0, 0.0, 0.0);
    if (now->gap > closed_gap(span, touch) || is_lagging(span, touch))
        bias = cairn_scale(now->gap / remaining, touch->n);
    else if (def->stabilization == CAIRN_STABILIZE_VELOCITIES && now->gap < -def->slop)
        bias = cairn_scale(def->baumgarte * (now->gap + def->slop) / remaining, touch->n);
    if (is_bent(span) && now->gap <= span->world->touching)
        bias = cairn_add(bias, bend_of(touch, span->world, now, span->h));
    return touch->carries ? cairn_add(bias, cairn_touch_carried(touch, span->world)) : bias;
}

// At the end of a step only what is closed takes part, and what bounces waits for the next step's
// impacts. Where features turn by far in a drift, no straight line tells whether they meet: bodies
// that move so are traced (trace.c).
static bool is_out(const cairn_span* span, const cairn_touch* touch, const cairn_reach* now)
{
    if (touch->soft)
        return now->gap > 0.0 || span->instant;
    if (span->phase == CAIRN_PHASE_DRIFT)
        return now->gap > span->world->touching &&
               cairn_touch_turns_far(touch, span->world, span->h);
    if (span->phase != CAIRN_PHASE_END)
        return false;
    if (now->gap > closed_gap(span, touch))
        return true;
    double approach = cairn_dot(touch->n, cairn_touch_slip(touch, span->world, now));
    return touch->restitution > 0.0 && approach < -span->world->def.restitution_speed;
}

// As long as the bodies are where detection found them the points of a contact are its gap apart,
// along the normal.
static cairn_reach reach_fresh(const cairn_touch* touch, const cairn_world* world)
{
    const cairn_body *a = &world->bodies[touch->a], *b = &world->bodies[touch->b];
    cairn_reach r = {.n = touch->n, .gap = touch->gap};
    cairn_vec3 between = cairn_sub(b->x, a->x);
    if (touch->rule == CAIRN_RULE_FACE_A) {
        r.r_b = cairn_add_scaled(cairn_rotate(b->q, touch->at_b), -touch->round_b, r.n);
        r.r_a = cairn_add_scaled(cairn_add(between, r.r_b), -r.gap, r.n);
        return r;
    }
    double round = touch->rule == CAIRN_RULE_ANCHORS ? 0.0 : touch->round_a;
    r.r_a = cairn_add_scaled(cairn_rotate(a->q, touch->at_a), round, r.n);
    r.r_b = cairn_sub(cairn_add_scaled(r.r_a, r.gap, r.n), between);
    return r;
}

// a contact where this solve takes its rows
static cairn_reach follow(const cairn_span* span, cairn_touch* touch)
{
    const cairn_world* world = span->world;
    bool known = span->fresh && !touch->balls && touch->line == 0;
    cairn_reach now = known ? reach_fresh(touch, world) : cairn_touch_refresh(touch, world);
    if (span->phase == CAIRN_PHASE_DRIFT && (now.gap > 0.0 || is_lagging(span, touch))) {
        cairn_touch_aim(&now, touch, world, span->free, span->group->lags, span->h);
        if (memcmp(&now.n, &touch->n, sizeof now.n) != 0)
            cairn_touch_turn(touch, world, now.n);
    }
    return now;
}

cairn_vec3 cairn_touch_bend(const cairn_span* span, const cairn_touch* touch)
{
    cairn_touch own = *touch;
    cairn_reach now = follow(span, &own);
    cairn_vec3 carry = cairn_touch_carry(&own, span->world);
    if (!is_bent(span) || now.gap > span->world->touching)
        return carry;
    return cairn_add(carry, bend_of(&own, span->world, &now, span->h));
}

// the contacts of an island, each by itself
typedef struct placing {
    const cairn_span* span;
    cairn_contact_place* placed;
} placing;

static void place_some(void* context, int first, int end)
{
    const placing* own = context;
    const cairn_span* span = own->span;
    const cairn_island* island = span->island;
    for (int c = first; c < end; c++) {
        cairn_touch* touch = &span->world->touches[span->group->touches[island->touch + c]];

        // a fast path: most contacts of bodies at rest are closed and lie on anchors
        if (span->phase == CAIRN_PHASE_REST && span->fresh && !touch->balls && touch->line == 0 &&
            !touch->soft && !touch->carries && touch->gap <= span->world->touching &&
            touch->gap >= -span->world->def.slop) {
            cairn_reach now = reach_fresh(touch, span->world);
            own->placed[c] =
                (cairn_contact_place){{now.r_a, now.r_b}, cairn_vec(0.0, 0.0, 0.0), 0.0};
            continue;
        }

        cairn_reach now = follow(span, touch);
        cairn_vec3 bias = bias_of(span, touch, &now);
        if (is_out(span, touch, &now))
            bias.x = INFINITY;
        own->placed[c] = (cairn_contact_place){{now.r_a, now.r_b}, bias, now.gap};
    }
}

cairn_contact_place* cairn_island_place(const cairn_span* span)
{
    int count = span->island->touch_count;
    placing own = {span, CAIRN_TAKE(span->arena, cairn_contact_place, count)};
    if (own.placed)
        cairn_span_loop(span, place_some, &own, count, cairn_touches_at_once);

    // no body moves any more once velocities are those at the end of the step
    span->island->followed = span->phase == CAIRN_PHASE_END && own.placed;
    return own.placed;
}
