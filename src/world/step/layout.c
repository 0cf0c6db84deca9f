// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// From contacts and bodies to clusters and places, and back; see layout.h.

#include "world/step/layout.h"
#include "solve/sweep/cluster_law.h"
#include "world/step/balance.h"
#include <string.h>

enum { lanes = cairn_cluster_lanes, most_colors = cairn_pack_colors, each = cairn_place_stride };

static cairn_touch* touch_of(const cairn_span* span, int c)
{
    return &span->world->touches[span->group->touches[span->island->touch + c]];
}

// ---------------------------------------------------------------- contacts to lanes

static int ground_of(const cairn_pack* pack, int cluster)
{
    return pack->body_count + (pack->ground_count > 1 ? cluster : 0);
}

// lanes are empty at first; where some stay so, all numbers are zero
static void clear(cairn_pack* pack, const cairn_palette* colors)
{
    for (int k = 0; k <= most_colors; k++) {
        int end = k < most_colors ? pack->color[k + 1] : pack->count;
        int full = k < most_colors ? colors->size[k] / lanes : 0, first = pack->color[k] + full;
        for (int i = first; i < end; i++) {
            memset(&pack->clusters[i], 0, sizeof *pack->clusters);
            memset(&pack->swift[i], 0, sizeof *pack->swift);
        }
    }
    memset(pack->rules, 0, (size_t)pack->count * sizeof *pack->rules);
    if (pack->law)
        memset(pack->law, 0, (size_t)pack->count * sizeof *pack->law);
    pack->lined = 0;
    pack->grained = false;
    for (int i = 0; i < pack->count; i++) {
        cairn_swift* swift = &pack->swift[i];
        memset(pack->clusters[i].total, 0, sizeof pack->clusters[i].total);
        memset(swift->way, 0, sizeof swift->way);
        for (int l = 0; l < lanes; l++)
            swift->body[0][l] = swift->body[1][l] = ground_of(pack, i);
    }
}

static void put(double (*to)[lanes], float (*swift)[lanes], int l, cairn_vec3 v)
{
    const double x[3] = {v.x, v.y, v.z};
    for (int k = 0; k < 3; k++) {
        to[k][l] = x[k];
        if (swift)
            swift[k][l] = (float)x[k];
    }
}

static cairn_vec3 get(double (*x)[lanes], int l)
{
    return cairn_vec(x[0][l], x[1][l], x[2][l]);
}

// the place of a body that no impulse moves
static int immovable(cairn_pack* pack, int slot, int cluster, const cairn_body* body)
{
    if (body->type != CAIRN_BODY_KINEMATIC)
        return ground_of(pack, cluster);
    pack->driven[pack->place_count - pack->body_count - pack->ground_count] = slot;
    return pack->place_count++;
}

// the frame of a lane: that of a contact, or with a grain another one of the same normal
static cairn_mat3 frame_of(const cairn_touch* touch)
{
    if (touch->kind == CAIRN_FRICTION_CONE)
        return cairn_touch_frame(touch);
    cairn_mat3 frame = {.cx = touch->n};
    cairn_tangents(touch->n, &frame.cy, &frame.cz);
    return frame;
}

// the impulse of the last substep as one of h seconds
static void load_impulse(cairn_pack* pack, int lane, const cairn_touch* touch, double h)
{
    int i = lane / lanes, l = lane % lanes;
    cairn_swift* swift = &pack->swift[i];
    double warmth = cairn_touch_warmth(touch, h);
    cairn_vec3 P = cairn_scale(warmth, touch->impulse);
    cairn_mat3 frame = frame_of(touch);
    swift->lambda[0][l] = (float)cairn_dot(P, frame.cx);
    swift->lambda[1][l] = (float)cairn_dot(P, frame.cy);
    swift->lambda[2][l] = (float)cairn_dot(P, frame.cz);
    if (pack->law)
        pack->law[i].lambda[l] = (float)(warmth * touch->spin_impulse);
}

// the friction of a contact whose normal is that of its lane
static void load_friction(cairn_pack* pack, int lane, const cairn_touch* touch)
{
    int i = lane / lanes, l = lane % lanes;
    double mu = touch->mu[0];
    if (pack->law) {
        cairn_friction friction = cairn_touch_friction(touch);
        cairn_mat3 frame = frame_of(touch);
        mu = cairn_cluster_set_law(&pack->law[i], l, &friction, touch->rows,
                                   cairn_dot(touch->t, frame.cy), cairn_dot(touch->t, frame.cz));
    }
    pack->clusters[i].mu[l] = mu;
    pack->swift[i].mu[l] = (float)mu;
}

// sets or clears the bit of a lane
static void mark(uint16_t* bits, int l, bool yes)
{
    const uint16_t bit = (uint16_t)(1u << l);
    *bits = (uint16_t)(yes ? *bits | bit : *bits & ~bit);
}

// what a contact is as a lane: those with lines are followed as anchors, from where they are now
static cairn_touch as_lane(const cairn_touch* touch, const cairn_span* span)
{
    const cairn_world* world = span->world;
    cairn_touch own = *touch;
    if (touch->line == 0)
        return own;
    cairn_reach now = cairn_touch_reach(touch, world);
    if (span->phase == CAIRN_PHASE_DRIFT)
        cairn_touch_aim(&now, touch, world, span->free, NULL, span->h);
    own.rule = CAIRN_RULE_ANCHORS;
    own.n = now.n;
    if (touch->kind != CAIRN_FRICTION_CONE)
        cairn_touch_turn(&own, world, now.n);
    own.at_a = cairn_rotate_back(world->bodies[touch->a].q, now.r_a);
    own.at_b = cairn_rotate_back(world->bodies[touch->b].q, now.r_b);
    return own;
}

// Where a contact is in its bodies, whose places are known. What stands still has its features in
// the world: a normal turned there, and its level above the origin.
CAIRN_INLINE void anchor(cairn_pack* pack, int lane, const cairn_world* world,
                         const cairn_touch* touch)
{
    int i = lane / lanes, l = lane % lanes, grounds = pack->body_count + pack->ground_count;
    cairn_cluster* cluster = &pack->clusters[i];
    cairn_cluster_rules* rules = &pack->rules[i];
    mark(&rules->balls, l, touch->balls);
    mark(&rules->face_a, l, touch->rule == CAIRN_RULE_FACE_A);
    mark(&rules->face_b, l, touch->rule == CAIRN_RULE_FACE_B);
    mark(&rules->points, l, touch->rule == CAIRN_RULE_POINTS && !touch->balls);
    mark(&rules->bouncy, l, touch->restitution > 0.0);
    for (int side = 0; side < 2; side++) {
        const cairn_body* body = &world->bodies[side ? touch->b : touch->a];
        int place = pack->swift[i].body[side][l];
        bool still = place >= pack->body_count && place < grounds;
        bool face = touch->rule == (side ? CAIRN_RULE_FACE_B : CAIRN_RULE_FACE_A);
        cairn_vec3 at = side ? touch->at_b : touch->at_a;
        double round = side ? touch->round_b : touch->round_a;
        if (still)
            at = cairn_rotate(body->q, at);
        if (still && face)
            round += cairn_dot(at, body->x);
        else if (still)
            at = cairn_add(body->x, at);
        put(cluster->anchor[side], NULL, l, at);
        cluster->round[side][l] = round;
    }
}

// what a step keeps of one contact
static void fill_lane(cairn_pack* pack, int lane, const cairn_span* span, const cairn_touch* touch)
{
    const cairn_world* world = span->world;
    int i = lane / lanes, l = lane % lanes;
    cairn_cluster* cluster = &pack->clusters[i];
    cairn_swift* swift = &pack->swift[i];
    const int slots[2] = {touch->a, touch->b};
    for (int side = 0; side < 2; side++) {
        int place = span->group->local[slots[side]];
        if (place < 0)
            place = immovable(pack, slots[side], i, &world->bodies[slots[side]]);
        swift->body[side][l] = place;
    }
    cairn_touch own;
    pack->lined += touch->line > 0;
    if (touch->line > 0) {
        own = as_lane(touch, span);
        touch = &own;
    }
    anchor(pack, lane, world, touch);
    put(cluster->normal, swift->normal, l, touch->n);
    pack->grained = pack->grained || cairn_touch_has_grain(touch, world);
    load_friction(pack, lane, touch);
    load_impulse(pack, lane, touch, span->kick);
}

// contacts of the island with bodies that are moved from outside
static int count_driven(const cairn_span* span)
{
    const cairn_world* world = span->world;
    int count = 0;
    for (int c = 0; c < span->island->touch_count; c++) {
        const cairn_touch* touch = touch_of(span, c);
        int a = touch->a, b = touch->b;
        count += (span->group->local[a] < 0 && world->bodies[a].type == CAIRN_BODY_KINEMATIC) ||
                 (span->group->local[b] < 0 && world->bodies[b].type == CAIRN_BODY_KINEMATIC);
    }
    return count;
}

// room for some more, where contacts may come within the step
static int room_for(int count, const cairn_span* span)
{
    bool may_grow = cairn_pack_lasts(span) && span->world->def.substeps > 1;
    return may_grow ? count + count / 32 + 1 : count;
}

static cairn_arena* memory_of(const cairn_span* span)
{
    return cairn_pack_lasts(span) ? span->keep : span->arena;
}

// whether b of some contact has more than J v* and its gap
static bool is_bent(const cairn_span* span)
{
    return cairn_island_is_fine(span) || span->island->carries;
}

// the memory of a layout that the island had before in this step; false where it is too small
static bool take_over(cairn_pack* pack, const cairn_pack* old, const cairn_span* span, int driven,
                      int places)
{
    if (!old || (!span->island->cones && !old->law) || (is_bent(span) && !old->bend) ||
        old->cluster_room < pack->count || old->lane_room < span->island->touch_count ||
        old->driven_room < driven || old->place_room < places)
        return false;
    cairn_pack fresh = *pack;
    *pack = *old;
    if (span->island->cones)
        pack->law = NULL;
    pack->count = fresh.count;
    memcpy(pack->color, fresh.color, sizeof pack->color);
    pack->body_count = fresh.body_count;
    pack->ground_count = fresh.ground_count;
    pack->place_count = fresh.place_count;
    pack->stale = pack->placed = false;
    return true;
}

static void take_anew(cairn_pack* pack, const cairn_span* span, int driven, int places)
{
    cairn_arena* keep = memory_of(span);
    size_t numbers = each * (size_t)places;
    pack->cluster_room = room_for(pack->count, span);
    pack->lane_room = room_for(span->island->touch_count, span);
    pack->driven_room = driven;
    pack->place_room = places;

    // the contacts: all of them, those with another law than a cone, those that bend
    pack->clusters = CAIRN_TAKE(keep, cairn_cluster, pack->cluster_room);
    pack->swift = CAIRN_TAKE(keep, cairn_swift, pack->cluster_room);
    pack->rules = CAIRN_TAKE(keep, cairn_cluster_rules, pack->cluster_room);
    pack->law = NULL;
    if (!span->island->cones)
        pack->law = CAIRN_TAKE(keep, cairn_cluster_law, pack->cluster_room);
    pack->bend = NULL;
    if (is_bent(span))
        pack->bend = CAIRN_TAKE_ZEROED(keep, cairn_bend, pack->cluster_room);
    pack->lane = CAIRN_TAKE(keep, int, pack->lane_room);
    pack->driven = CAIRN_TAKE(keep, int, driven);

    // the bodies, in double and in single precision
    pack->pose = CAIRN_TAKE(keep, double, numbers);
    pack->mass = CAIRN_TAKE(keep, double, numbers);
    pack->velocity = CAIRN_TAKE(keep, double, numbers);
    pack->momentum = pack->pose;
    pack->swift_velocity = CAIRN_TAKE(keep, float, numbers);
    pack->swift_mass = CAIRN_TAKE(keep, float, numbers);
    pack->before = CAIRN_TAKE(keep, float, numbers);
    pack->way = CAIRN_TAKE(keep, float, numbers);
    pack->weight = CAIRN_TAKE(keep, float, numbers);
}

static bool take_room(cairn_pack* pack, const cairn_span* span, int driven)
{
    // an even number of places, so that they fill whole vectors
    int used = pack->place_count + driven, places = (room_for(used, span) + 1) / 2 * 2;
    if (!take_over(pack, span->island->spare, span, driven, (used + 1) / 2 * 2))
        take_anew(pack, span, driven, places);
    if (memory_of(span)->failed)
        return false;
    size_t numbers = each * (size_t)((used + 1) / 2 * 2);
    double* const doubles[] = {pack->pose, pack->mass, pack->velocity};
    float* const floats[] = {pack->swift_velocity, pack->swift_mass, pack->before, pack->way,
                             pack->weight};
    for (int k = 0; k < 3; k++)
        memset(doubles[k], 0, numbers * sizeof(double));
    for (int k = 0; k < 5; k++)
        memset(floats[k], 0, numbers * sizeof(float));
    return true;
}

cairn_status cairn_pack_make(const cairn_span* span)
{
    cairn_pack* pack = CAIRN_TAKE_ZEROED(memory_of(span), cairn_pack, 1);
    if (!pack)
        return CAIRN_NO_MEMORY;
    cairn_palette colors;
    if (!cairn_pack_color(pack, &colors, span))
        return CAIRN_NO_MEMORY;
    int driven = count_driven(span);
    pack->body_count = span->island->body_count;
    bool shared = span->world->def.threads > 1 && pack->count >= cairn_shared_clusters;
    pack->ground_count = shared ? pack->count : 1;
    pack->place_count = pack->body_count + pack->ground_count;
    if (!take_room(pack, span, driven))
        return CAIRN_NO_MEMORY;
    clear(pack, &colors);
    cairn_pack_deal(pack, &colors, span->island->touch_count);
    for (int c = 0; c < span->island->touch_count; c++)
        fill_lane(pack, pack->lane[c], span, touch_of(span, c));
    span->island->pack = pack;
    return CAIRN_OK;
}

// ---------------------------------------------------------------- bodies to places

// the slot of a place; -1 for a ground
static int slot_of(const cairn_span* span, int place)
{
    const cairn_pack* pack = span->island->pack;
    if (place < pack->body_count)
        return span->group->bodies[span->island->body + place];
    place -= pack->body_count + pack->ground_count;
    return place < 0 ? -1 : pack->driven[place];
}

void cairn_pack_load_poses(const cairn_span* span)
{
    const cairn_pack* pack = span->island->pack;
    for (int i = 0; i < pack->place_count; i++) {
        int slot = slot_of(span, i);
        cairn_vec3 x = cairn_vec(0.0, 0.0, 0.0);
        cairn_quat q = cairn_quat_identity();
        if (slot >= 0) {
            x = span->world->bodies[slot].x;
            q = span->world->bodies[slot].q;
        }
        const double at[each] = {x.x, x.y, x.z, q.w, q.x, q.y, q.z, 0.0};
        memcpy(pack->pose + each * (ptrdiff_t)i, at, sizeof at);
    }
}

void cairn_pack_load_masses(const cairn_span* span)
{
    cairn_pack* pack = span->island->pack;
    double largest = 0.0;
    pack->round = true;
    for (int i = 0; i < pack->body_count; i++)
        largest = fmax(largest, 1.0 / span->world->bodies[slot_of(span, i)].inverse_mass);
    for (int i = 0; i < pack->body_count; i++) {
        const cairn_body* body = &span->world->bodies[slot_of(span, i)];
        const cairn_mat3* J = &body->inverse_inertia;
        const double inverse[each] = {
            body->inverse_mass, J->cx.x, J->cy.y, J->cz.z, J->cy.x, J->cz.x, J->cz.y, 0.0};
        double mean = (inverse[1] + inverse[2] + inverse[3]) / 3.0;
        ptrdiff_t at = each * (ptrdiff_t)i;
        cairn_vec3 I = body->inertia;
        pack->round = pack->round && I.x == I.y && I.y == I.z;
        pack->velocity[at + 6] = inverse[0];
        pack->velocity[at + 7] = inverse[1];
        for (int k = 0; k < each; k++) {
            pack->mass[at + k] = inverse[k];
            pack->swift_mass[at + k] = (float)inverse[k];
        }
        for (int k = 0; k < 3; k++) {
            pack->weight[at + k] = (float)(1.0 / (largest * inverse[0]));
            pack->weight[at + 3 + k] = mean > 0.0 ? (float)(1.0 / (largest * mean)) : 0.0f;
        }
    }
}

void cairn_pack_load_impulses(const cairn_span* span)
{
    cairn_pack* pack = span->island->pack;
    for (int c = 0; pack->stale && c < span->island->touch_count; c++)
        load_impulse(pack, pack->lane[c], touch_of(span, c), span->kick);
    pack->stale = false;
}

void cairn_pack_bend(const cairn_span* span)
{
    const cairn_pack* pack = span->island->pack;
    for (int c = 0; pack->bend && c < span->island->touch_count; c++)
        put(pack->bend[pack->lane[c] / lanes].by, NULL, pack->lane[c] % lanes,
            cairn_touch_bend(span, touch_of(span, c)));
}

// the impulse stays what it is in the world
static void turn_lane(cairn_cluster* cluster, cairn_swift* swift, int l, cairn_vec3 n)
{
    cairn_mat3 old, now;
    old.cx = get(cluster->normal, l);
    cairn_tangents(old.cx, &old.cy, &old.cz);
    now.cx = n;
    cairn_tangents(now.cx, &now.cy, &now.cz);
    cairn_vec3 x = cairn_vec((double)swift->lambda[0][l], (double)swift->lambda[1][l],
                             (double)swift->lambda[2][l]);
    cairn_vec3 P = cairn_mat3_apply(old, x);
    swift->lambda[0][l] = (float)cairn_dot(now.cx, P);
    swift->lambda[1][l] = (float)cairn_dot(now.cy, P);
    swift->lambda[2][l] = (float)cairn_dot(now.cz, P);
    put(cluster->normal, swift->normal, l, n);
}

void cairn_pack_follow_lines(const cairn_span* span)
{
    cairn_pack* pack = span->island->pack;
    for (int c = 0; pack->lined > 0 && c < span->island->touch_count; c++) {
        const cairn_touch* touch = touch_of(span, c);
        if (touch->line == 0 || touch->gone)
            continue;
        cairn_touch own = as_lane(touch, span);
        int i = pack->lane[c] / lanes, l = pack->lane[c] % lanes;
        cairn_cluster* cluster = &pack->clusters[i];
        cairn_swift* swift = &pack->swift[i];
        anchor(pack, pack->lane[c], span->world, &own);

        turn_lane(cluster, swift, l, own.n);
    }
}

void cairn_pack_mark_turning(const cairn_span* span)
{
    const cairn_pack* pack = span->island->pack;
    double fastest = 0.0;
    for (int i = 0; i < pack->count; i++)
        pack->rules[i].turning = 0;
    for (int i = 0; i < pack->body_count; i++) {
        cairn_vec3 w = span->world->bodies[slot_of(span, i)].w;
        fastest = fmax(fastest, cairn_dot(w, w));
    }

    // few bodies turn so fast; one that is moved from outside may
    if (!(2.0 * span->h * sqrt(fastest) > 1.0) &&
        pack->place_count == pack->body_count + pack->ground_count)
        return;
    for (int c = 0; c < span->island->touch_count; c++)
        mark(&pack->rules[pack->lane[c] / lanes].turning, pack->lane[c] % lanes,
             cairn_touch_turns_far(touch_of(span, c), span->world, span->h));
}

bool cairn_pack_let_pass(const cairn_span* span)
{
    const cairn_pack* pack = span->island->pack;
    bool some = false;
    for (int c = 0; c < span->island->touch_count; c++) {
        int i = pack->lane[c] / lanes, l = pack->lane[c] % lanes;
        cairn_cluster* cluster = &pack->clusters[i];
        cairn_cluster_rules* rules = &pack->rules[i];
        const cairn_touch* touch = touch_of(span, c);
        if (!(rules->closing >> l & 1) || touch->balls || touch->gone)
            continue;

        // contacts without a feature of their own have the normal of their lane
        cairn_touch own = *touch;
        own.n = get(cluster->normal, l);
        cairn_reach now = cairn_touch_reach(&own, span->world);
        if (!cairn_touch_passes(&now, &own, span->world, span->free, span->h))
            continue;
        turn_lane(cluster, &pack->swift[i], l, now.n);
        put(cluster->arm[0], NULL, l, now.r_a);
        put(cluster->arm[1], NULL, l, now.r_b);
        cluster->gap[l] = now.gap;
        mark(&rules->passed, l, true);
        some = true;
    }
    return some;
}

// A_ττ: how easily the spin of a contact is changed
static double turning_of(const cairn_span* span, const cairn_touch* touch)
{
    double sum = 0.0;
    for (int side = 0; side < 2; side++) {
        int slot = side ? touch->b : touch->a;
        if (span->group->local[slot] >= 0) {
            cairn_mat3 J = span->world->bodies[slot].inverse_inertia;
            sum += cairn_dot(touch->n, cairn_mat3_apply(J, touch->n));
        }
    }
    return sum;
}

void cairn_pack_turn_grains(const cairn_span* span)
{
    cairn_pack* pack = span->island->pack;
    for (int c = 0; pack->grained && c < span->island->touch_count; c++) {
        const cairn_touch* touch = touch_of(span, c);
        int i = pack->lane[c] / lanes, l = pack->lane[c] % lanes;
        if (touch->rule == CAIRN_RULE_ANCHORS || touch->gone ||
            !cairn_touch_has_grain(touch, span->world))
            continue;
        cairn_touch own = *touch;
        double arm = pack->law[i].arm[l];
        cairn_touch_turn(&own, span->world, get(pack->clusters[i].normal, l));
        load_friction(pack, pack->lane[c], &own);

        // the mean diagonal of four rows has the spin at its new arm
        double now = pack->law[i].arm[l], more = turning_of(span, &own) * (now * now - arm * arm);
        pack->clusters[i].mean[l] += 0.25 * more;
        pack->swift[i].mean[l] = (float)pack->clusters[i].mean[l];
    }
}

void cairn_pack_load_velocities(const cairn_span* span)
{
    const cairn_pack* pack = span->island->pack;
    for (int i = 0; i < pack->place_count; i++) {
        int slot = slot_of(span, i);
        if (slot >= 0)
            memcpy(pack->velocity + each * (ptrdiff_t)i, span->free + 6 * (ptrdiff_t)slot,
                   6 * sizeof(double));
    }
}

// ---------------------------------------------------------------- and back

// hands impulse and gap to a contact
CAIRN_INLINE void store_impulse(cairn_touch* touch, const cairn_world* world,
                                const cairn_pack* pack, int lane, double h)
{
    cairn_cluster* cluster = &pack->clusters[lane / lanes];
    int l = lane % lanes;
    touch->total = cairn_add(touch->total, get(cluster->total, l));
    put(cluster->total, NULL, l, cairn_vec(0.0, 0.0, 0.0));
    touch->gap = cluster->gap[l];
    cairn_vec3 n = get(cluster->normal, l);
    if (touch->rule != CAIRN_RULE_ANCHORS || memcmp(&n, &touch->n, sizeof n) != 0)
        cairn_touch_turn(touch, world, n);
    cairn_vec3 P = cairn_mat3_apply(frame_of(touch), get(cluster->lambda, l));
    cairn_touch_start(touch, P, pack->law ? pack->law[lane / lanes].spin[l] : 0.0, h);
}

// all of them, as those of the substep when they are an answer
static void store_impulses(const cairn_span* span, bool answer)
{
    const cairn_pack* pack = span->island->pack;
    for (int c = 0; c < span->island->touch_count; c++) {
        cairn_touch* touch = touch_of(span, c);
        if (touch->gone)
            continue;
        store_impulse(touch, span->world, pack, pack->lane[c], span->kick);
        if (answer)
            touch->total = cairn_add(touch->total, touch->impulse);
    }
    if (answer)
        cairn_island_carry(span);
}

void cairn_pack_store(const cairn_span* span)
{
    const cairn_pack* pack = span->island->pack;
    if (span->last || span->world->solve_hook || !cairn_pack_lasts(span) || span->island->carries)
        store_impulses(span, true);
    else
        CAIRN_PICK_KERNEL(cairn_simd_detect(), cairn_cluster_sum)(pack->clusters, pack->count);
    for (int i = 0; i < pack->body_count; i++) {
        cairn_body* body = &span->world->bodies[slot_of(span, i)];
        const double* v = pack->velocity + each * (ptrdiff_t)i;
        if (!cairn_body_active(body))
            continue;
        body->v = cairn_vec(v[0], v[1], v[2]);
        body->w = cairn_vec(v[3], v[4], v[5]);
    }
}

void cairn_pack_yield(const cairn_span* span)
{
    store_impulses(span, false);
    span->island->pack->stale = true;
}

void cairn_pack_retire(const cairn_span* span)
{
    cairn_island* island = span->island;
    if (!island->pack)
        return;
    if (!island->pack->stale)
        cairn_pack_yield(span);
    island->spare = island->pack;
    island->pack = NULL;
}

// ---------------------------------------------------------------- one contact

// the lane of a contact of the world, or -1; those of an island ascend
static int lane_of(const cairn_span* span, int index, int* place)
{
    const cairn_island* island = span->island;
    const int* touches = span->group->touches + island->touch;
    int lo = 0, hi = island->touch_count - 1;
    for (int c = *place; lo <= hi; c = lo + (hi - lo) / 2) {
        c = c < lo ? lo : c > hi ? hi : c;
        if (touches[c] == index) {
            *place = c + 1;
            return island->pack->lane[c];
        }
        if (touches[c] < index)
            lo = c + 1;
        else
            hi = c - 1;
    }
    return -1;
}

void cairn_pack_yield_touch(const cairn_span* span, int index, int* place)
{
    int lane = lane_of(span, index, place);
    if (lane >= 0)
        store_impulse(&span->world->touches[index], span->world, span->island->pack, lane,
                      span->kick);
}

void cairn_pack_redraw_touch(const cairn_span* span, int index, int* place)
{
    const cairn_touch* touch = &span->world->touches[index];
    cairn_pack* pack = span->island->pack;
    int lane = lane_of(span, index, place), i = lane / lanes, l = lane % lanes;
    if (lane < 0)
        return;
    cairn_touch own = as_lane(touch, span);
    pack->lined += touch->line > 0;
    anchor(pack, lane, span->world, &own);
    put(pack->clusters[i].normal, pack->swift[i].normal, l, own.n);
    load_friction(pack, lane, &own);
    load_impulse(pack, lane, &own, span->kick);
    for (int k = 0; k < 3; k++)
        pack->clusters[i].lambda[k][l] = (double)pack->swift[i].lambda[k][l];
    if (pack->law)
        pack->law[i].spin[l] = (double)pack->law[i].lambda[l];
}
