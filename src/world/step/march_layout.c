// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// From contacts to manifolds in lanes (march.h), and back; march_deal.c tells which lanes.

#include "solve/sweep/cluster_law.h"
#include "world/step/march.h"
#include "world/step/step.h"
#include "world/threads.h"
#include <string.h>

enum {
    lanes = cairn_cluster_lanes,
    each = cairn_place_stride,
    most_points = cairn_manifold_points
};
enum { manifolds_at_once = 128 }; // of a loop on all threads

// m or rad, of the radius: what bodies move against each other until their manifold is placed again;
// the gap is wrong by the square of it
static const float far_motion = 0.01f;

static cairn_touch* touch_of(const cairn_span* span, const cairn_march_place* manifold, int k)
{
    return &span->world->touches[manifold->touch[k]];
}

int cairn_march_slot(const cairn_span* span, int place)
{
    const cairn_march* march = span->island->march;
    if (place < march->body_count)
        return span->group->bodies[span->island->body + place];
    place -= march->body_count + march->ground_count;
    return place < 0 ? -1 : march->driven[place];
}

// ---------------------------------------------------------------- manifolds

bool cairn_march_belongs(const cairn_touch* touch, const cairn_touch* first)
{
    const double same = 1e-12;
    cairn_vec3 d = cairn_sub(touch->n, first->n);
    cairn_vec3 e = cairn_sub(touch->t, first->t);
    bool alike = touch->kind == first->kind && touch->mu[0] == first->mu[0] &&
                 (touch->kind == CAIRN_FRICTION_CONE ||
                  (touch->mu[1] == first->mu[1] && touch->mu_spin == first->mu_spin &&
                   cairn_dot(e, e) <= same));
    return touch->a == first->a && touch->b == first->b && alike && cairn_dot(d, d) <= same;
}

// the manifolds of the island; NULL: counts them
static int list_manifolds(cairn_march_place* manifolds, const cairn_span* span)
{
    int count = 0, total = span->island->touch_count;
    const int* list = span->group->touches + span->island->touch;
    for (int c = 0; c < total;) {
        const cairn_touch* first = cairn_span_touch(span, c);
        int end = c + 1;
        while (end < total && end - c < most_points &&
               cairn_march_belongs(cairn_span_touch(span, end), first))
            end++;
        if (manifolds) {
            manifolds[count] = (cairn_march_place){.count = end - c, .pair = first->pair};
            memcpy(manifolds[count].touch, list + c, (size_t)(end - c) * sizeof *list);
        }
        count++;
        c = end;
    }
    return count;
}

// the manifolds of each pair, one after the other
static void link_manifolds(cairn_march* march, const cairn_world* world)
{
    for (int m = 0; m < march->manifold_count; m++)
        world->pairs[march->manifolds[m].pair].manifold = 0;
    for (int m = march->manifold_count - 1; m >= 0; m--) {
        int* head = &world->pairs[march->manifolds[m].pair].manifold;
        march->manifolds[m].next = *head;
        *head = m + 1;
    }
}

// ---------------------------------------------------------------- memory

static int count_driven(const cairn_march* march, const cairn_span* span)
{
    int count = 0;
    for (int m = 0; m < march->manifold_count; m++) {
        const cairn_touch* touch = touch_of(span, &march->manifolds[m], 0);
        for (int side = 0; side < 2; side++) {
            int slot = side ? touch->b : touch->a;
            count += span->group->local[slot] < 0 &&
                     span->world->bodies[slot].type == CAIRN_BODY_KINEMATIC;
        }
    }
    return count;
}

// Room for some more, where contacts may come within the step: those of a pair that share no cluster with the last
// ones open another. Without it the whole is laid out anew, up to twice a step.
static int with_room(int count)
{
    return count + count / 4 + 8;
}

// where the points of each cluster are: as many as the most that a manifold of it has
static void lay_points(cairn_march* march)
{
    for (int i = 0; i < march->count; i++)
        march->clusters[i].points = 0;
    for (int m = 0; m < march->manifold_count; m++) {
        cairn_manifold_cluster* cluster = &march->clusters[march->manifolds[m].lane / lanes];
        if (cluster->points < march->manifolds[m].count)
            cluster->points = march->manifolds[m].count;
    }
    march->point_count = 0;
    for (int i = 0; i < march->count; i++) {
        march->clusters[i].first = march->point_count;
        march->point_count += march->clusters[i].points;
    }
}

static bool take_clusters(cairn_march* march, const cairn_span* span)
{
    int capacity = march->count + march->count / 8 + 8,
        more = most_points * (capacity - march->count);
    if (march->capacity < capacity) {
        march->capacity = capacity;
        march->clusters = CAIRN_TAKE(span->keep, cairn_manifold_cluster, march->capacity);
    }
    if (!march->clusters)
        return false;
    lay_points(march);
    if (march->point_room < march->point_count + more) {
        march->point_room = march->point_count + more;
        march->points = CAIRN_TAKE(span->keep, cairn_manifold_point, march->point_room);
    }
    if (span->island->cones) {
        march->laws = NULL;
        march->law_room = 0;
    } else if (march->law_room < march->point_room) {
        march->law_room = march->point_room;
        march->laws = CAIRN_TAKE(span->keep, cairn_cluster_law, march->law_room);
    }
    int places = march->body_count + march->ground_count + count_driven(march, span);
    if (march->place_room < places) {
        size_t numbers = each * (size_t)(march->place_room = with_room(places));
        float** const all[] = {&march->velocity, &march->displacement, &march->mass,
                               &march->pushed,   &march->begun,        &march->done};
        for (int k = 0; k < 6; k++)
            *all[k] = CAIRN_TAKE(span->keep, float, numbers);
        march->driven = CAIRN_TAKE(span->keep, int, march->place_room);
        march->moved = CAIRN_TAKE(span->keep, int32_t, march->place_room);
        march->linear = CAIRN_TAKE(span->keep, cairn_vec3, march->place_room);
        march->sum = CAIRN_TAKE(span->keep, cairn_vec3, march->place_room);
        march->left = CAIRN_TAKE(span->keep, cairn_vec3, march->place_room);
    }
    return !span->keep->failed;
}

// lanes of a cluster are empty at first
static void clear(cairn_march* march, int i, int ground)
{
    cairn_manifold_cluster* cluster = &march->clusters[i];
    cairn_manifold_point* points = &march->points[cluster->first];
    memset(points, 0, (size_t)cluster->points * sizeof *points);
    if (march->laws)
        memset(&march->laws[cluster->first], 0, (size_t)cluster->points * sizeof *march->laws);
    for (int k = 0; k < cluster->points; k++)
        for (int l = 0; l < lanes; l++)
            points[k].gap[l] = cairn_wide_open;
    cluster->ground = ground;
    memset(cluster->normal, 0, sizeof cluster->normal);
    memset(cluster->mu, 0, sizeof cluster->mu);
    for (int l = 0; l < lanes; l++) {
        cluster->normal[2][l] = 1.0f;
        cluster->body[0][l] = cluster->body[1][l] = ground;
    }
}

// ---------------------------------------------------------------- placing

static void put(float (*to)[lanes], int l, cairn_vec3 v)
{
    to[0][l] = (float)v.x;
    to[1][l] = (float)v.y;
    to[2][l] = (float)v.z;
}

static cairn_vec3 get(float (*x)[lanes], int l)
{
    return cairn_vec((double)x[0][l], (double)x[1][l], (double)x[2][l]);
}

// the frame of a lane as the kernels have it
static cairn_mat3 frame_of(cairn_manifold_cluster* cluster, int l)
{
    cairn_mat3 frame = {.cx = get(cluster->normal, l)};
    cairn_tangents(frame.cx, &frame.cy, &frame.cz);
    return frame;
}

static cairn_vec3 in_frame(cairn_mat3 frame, cairn_vec3 P)
{
    return cairn_vec(cairn_dot(P, frame.cx), cairn_dot(P, frame.cy), cairn_dot(P, frame.cz));
}

static cairn_vec3 linear_of(const float* d)
{
    return cairn_vec((double)d[0], (double)d[1], (double)d[2]);
}

// how a point of the body at this arm is displaced
static cairn_vec3 moved_at(const float* d, cairn_vec3 arm)
{
    return cairn_add(linear_of(d), cairn_cross(linear_of(d + 3), arm));
}

// where the contact is, and for points that are open where they will meet
static cairn_reach reach_of(const cairn_span* span, const cairn_touch* touch)
{
    cairn_reach now = cairn_touch_reach(touch, span->world);
    if (touch->rule == CAIRN_RULE_POINTS && now.gap > 0.0)
        cairn_touch_aim(&now, touch, span->world, span->free, NULL, span->h);
    return now;
}

// the friction of a manifold with the normal that its lane has
static void place_law(cairn_march* march, const cairn_span* span, const cairn_march_place* manifold)
{
    cairn_manifold_cluster* cluster = &march->clusters[manifold->lane / lanes];
    int l = manifold->lane % lanes;
    cairn_mat3 frame = frame_of(cluster, l);
    cairn_touch own = *touch_of(span, manifold, 0);
    if (own.kind != CAIRN_FRICTION_CONE && own.rule != CAIRN_RULE_ANCHORS)
        cairn_touch_turn(&own, span->world, frame.cx);
    cairn_friction friction = cairn_touch_friction(&own);
    double cosine = cairn_dot(own.t, frame.cy), sine = cairn_dot(own.t, frame.cz);
    for (int k = 0; k < manifold->count; k++)
        cluster->mu[l] = (float)cairn_cluster_set_law(&march->laws[cluster->first + k], l,
                                                      &friction, own.rows, cosine, sine);
}

// arms, normal and gaps of a manifold where its bodies are; the impulses stay in the world
static void place(cairn_march* march, const cairn_span* span, cairn_march_place* manifold,
                  bool turned)
{
    cairn_manifold_cluster* cluster = &march->clusters[manifold->lane / lanes];
    int l = manifold->lane % lanes;
    const float* d[2];
    for (int side = 0; side < 2; side++) {
        d[side] = march->displacement + each * (ptrdiff_t)cluster->body[side][l];
        memcpy(manifold->base[side], d[side], sizeof manifold->base[side]);
    }
    cairn_mat3 before = frame_of(cluster, l);
    for (int k = 0; k < manifold->count; k++) {
        cairn_manifold_point* point = &march->points[cluster->first + k];
        cairn_reach now = reach_of(span, touch_of(span, manifold, k));
        cairn_vec3 n = now.n;
        if (k == 0)
            put(cluster->normal, l, n);
        put(point->arm[0], l, now.r_a);
        put(point->arm[1], l, now.r_b);
        cairn_vec3 moved = cairn_sub(moved_at(d[1], now.r_b), moved_at(d[0], now.r_a));
        point->gap[l] = (float)(now.gap - cairn_dot(n, moved));
        if (!turned)
            continue;
        cairn_mat3 after = frame_of(cluster, l);
        put(point->lambda, l, in_frame(after, cairn_mat3_apply(before, get(point->lambda, l))));
        put(point->total, l, in_frame(after, cairn_mat3_apply(before, get(point->total, l))));
    }
    if (march->laws)
        place_law(march, span, manifold);
}

int cairn_march_immovable(cairn_march* march, const cairn_span* span, int slot)
{
    if (span->world->bodies[slot].type != CAIRN_BODY_KINEMATIC)
        return march->body_count;
    march->driven[march->place_count - march->body_count - march->ground_count] = slot;
    return march->place_count++;
}

// the places of its bodies
static void hold(cairn_march* march, const cairn_span* span, cairn_march_place* manifold)
{
    const cairn_touch* first = touch_of(span, manifold, 0);
    for (int side = 0; side < 2; side++) {
        int slot = side ? first->b : first->a, place = span->group->local[slot];
        manifold->held[side] = place < 0 ? cairn_march_immovable(march, span, slot) : place;
    }
}

void cairn_march_fill(cairn_march* march, const cairn_span* span, cairn_march_place* manifold)
{
    cairn_manifold_cluster* cluster = &march->clusters[manifold->lane / lanes];
    int l = manifold->lane % lanes;
    const cairn_touch* first = touch_of(span, manifold, 0);
    for (int side = 0; side < 2; side++)
        cluster->body[side][l] =
            manifold->held[side] == march->body_count ? cluster->ground : manifold->held[side];
    cluster->mu[l] = (float)first->mu[0];
    place(march, span, manifold, false);
    cairn_mat3 frame = frame_of(cluster, l);
    for (int k = 0; k < manifold->count; k++) {
        const cairn_touch* touch = touch_of(span, manifold, k);
        double warmth = cairn_touch_warmth(touch, march->eta);
        put(march->points[cluster->first + k].lambda, l,
            in_frame(frame, cairn_scale(warmth, touch->impulse)));
        if (march->laws)
            march->laws[cluster->first + k].lambda[l] = (float)(warmth * touch->spin_impulse);
    }
}

// Which clusters share no active body with the one before, as two of one color do: these may be swept side by
// side. `last` is of as many numbers as there are places, all 0.
static void part_clusters(cairn_march* march, int32_t* last)
{
    for (int i = 0; i < march->count; i++) {
        cairn_manifold_cluster* cluster = &march->clusters[i];
        cluster->apart = i > 0;
        for (int side = 0; side < 2; side++)
            for (int l = 0; l < lanes; l++) {
                int place = cluster->body[side][l];
                if (place < march->body_count && last[place] == i)
                    cluster->apart = 0;
            }
        for (int side = 0; side < 2; side++)
            for (int l = 0; l < lanes; l++)
                last[cluster->body[side][l]] = i + 1;
    }
}

// clusters with what is in their lanes
typedef struct filling {
    const cairn_span* span;
    cairn_march* march;
    const int* manifolds; // in each lane, plus 1; 0: none
} filling;

static void fill_some(void* context, int first, int end)
{
    const filling* own = context;
    cairn_march* march = own->march;
    for (int i = first, part = 0; i < end; i++) {
        while (i >= march->part[part + 1])
            part++;
        clear(march, i, march->body_count + part);
        for (int l = 0; l < lanes; l++) {
            int m = own->manifolds[lanes * i + l];
            if (m > 0)
                cairn_march_fill(march, own->span, &march->manifolds[m - 1]);
        }
    }
}

static bool fill(cairn_march* march, const cairn_span* span)
{
    enum { clusters_at_once = 8 };
    cairn_arena_mark mark = cairn_arena_here(span->arena);
    int* manifolds = CAIRN_TAKE_ZEROED(span->arena, int, lanes*(size_t)march->count);
    if (!manifolds)
        return false;
    for (int m = 0; m < march->manifold_count; m++) {
        hold(march, span, &march->manifolds[m]);
        manifolds[march->manifolds[m].lane] = m + 1;
    }
    filling own = {span, march, manifolds};
    cairn_span_loop(span, fill_some, &own, march->count, clusters_at_once);
    part_clusters(march, march->moved);
    memset(march->moved, 0, (size_t)march->place_room * sizeof *march->moved);
    cairn_arena_release(span->arena, mark);
    return true;
}

cairn_status cairn_march_make(const cairn_span* span, double eta)
{
    cairn_island* island = span->island;
    cairn_march* march = island->old_march;
    if (!march)
        march = CAIRN_TAKE_ZEROED(span->keep, cairn_march, 1);
    if (!march)
        return CAIRN_NO_MEMORY;
    march->manifold_count = list_manifolds(NULL, span);
    int count = march->manifold_count,
        room = count + count / 2 + 16; // what turns leaves empty ones
    if (march->manifold_room < room) {
        march->manifold_room = room;
        march->manifolds = CAIRN_TAKE(span->keep, cairn_march_place, march->manifold_room);
    }
    if (!march->manifolds)
        return CAIRN_NO_MEMORY;

    // the shape of it
    cairn_arena_mark mark = cairn_arena_here(span->arena);
    march->body_count = island->body_count;
    march->ground_count = 2 << cairn_march_cuts;
    list_manifolds(march->manifolds, span);
    link_manifolds(march, span->world);
    bool fits = cairn_march_deal(march, span) && take_clusters(march, span);
    cairn_arena_release(span->arena, mark);
    if (!fits)
        return CAIRN_NO_MEMORY;

    // and what is in it
    march->place_count = march->body_count + march->ground_count;
    march->eta = eta;
    march->laid = march->count;
    march->amended = false;
    size_t size = each * (size_t)march->place_room * sizeof(float);
    memset(march->displacement, 0, size);
    memset(march->done, 0, size);
    memset(march->mass, 0, size);
    memset(march->velocity, 0, size);
    memset(march->begun, 0, size);
    memset(march->moved, 0, (size_t)march->place_room * sizeof *march->moved);
    march->visit = 0;
    for (int i = 0; i < march->body_count; i++)
        march->linear[i] = march->left[i] =
            span->world->bodies[span->group->bodies[island->body + i]].v;
    island->march = march;
    island->old_march = NULL;
    return fill(march, span) ? CAIRN_OK : CAIRN_NO_MEMORY;
}

// ---------------------------------------------------------------- from substep to substep

// whether arms and normals that stand still are no longer good enough
static bool is_outdated(const cairn_march* march, const cairn_manifold_cluster* cluster, int l,
                        const cairn_march_place* manifold, float size)
{
    const float *a = march->displacement + each * (ptrdiff_t)cluster->body[0][l],
                *b = march->displacement + each * (ptrdiff_t)cluster->body[1][l];
    float square = 0.0f;
    for (int k = 0; k < 3; k++) {
        float da = a[k] - manifold->base[0][k], db = b[k] - manifold->base[1][k];
        float ta = size * (a[3 + k] - manifold->base[0][3 + k]),
              tb = size * (b[3 + k] - manifold->base[1][3 + k]);
        square += (db - da) * (db - da) + ta * ta + tb * tb;
    }
    return square > far_motion * far_motion * size * size;
}

static void follow_some(void* context, int first, int end)
{
    const cairn_span* span = context;
    cairn_march* march = span->island->march;
    for (int m = first; m < end; m++) {
        cairn_march_place* manifold = &march->manifolds[m];
        if (manifold->count == 0)
            continue;
        const cairn_touch* touch = touch_of(span, manifold, 0);
        const cairn_manifold_cluster* cluster = &march->clusters[manifold->lane / lanes];
        double a = span->world->bodies[touch->a].radius, b = span->world->bodies[touch->b].radius;
        double size = a > 0.0 && b > 0.0 ? fmin(a, b) : fmax(a, b);
        if (is_outdated(march, cluster, manifold->lane % lanes, manifold, (float)size))
            place(march, span, manifold, true);
    }
}

void cairn_march_follow(const cairn_span* span)
{
    cairn_span own = *span;
    cairn_span_loop(span, follow_some, &own, span->island->march->manifold_count,
                    manifolds_at_once);
}

// the impulses of a manifold to its contacts, and their totals if these are to count
static void give_impulses(cairn_march* march, const cairn_span* span,
                          const cairn_march_place* manifold, bool totals)
{
    cairn_manifold_cluster* cluster = &march->clusters[manifold->lane / lanes];
    int l = manifold->lane % lanes;
    cairn_mat3 frame = frame_of(cluster, l);
    for (int k = 0; k < manifold->count; k++) {
        cairn_touch* touch = touch_of(span, manifold, k);
        cairn_manifold_point* point = &march->points[cluster->first + k];
        double spin = march->laws ? (double)march->laws[cluster->first + k].lambda[l] : 0.0;
        cairn_touch_start(touch, cairn_mat3_apply(frame, get(point->lambda, l)), spin, march->eta);
        if (totals)
            touch->total = cairn_add(touch->total, cairn_mat3_apply(frame, get(point->total, l)));
    }
}

// what these totals were is booked with the bodies
static void book_totals(cairn_march* march, const cairn_march_place* manifold)
{
    cairn_manifold_cluster* cluster = &march->clusters[manifold->lane / lanes];
    int l = manifold->lane % lanes;
    cairn_mat3 frame = frame_of(cluster, l);
    for (int k = 0; k < manifold->count; k++) {
        cairn_manifold_point* point = &march->points[cluster->first + k];
        cairn_vec3 P = cairn_mat3_apply(frame, get(point->total, l));
        put(point->total, l, cairn_vec(0.0, 0.0, 0.0));
        for (int side = 0; side < 2; side++) {
            int place = cluster->body[side][l];
            if (place < march->body_count)
                march->sum[place] = cairn_add_scaled(march->sum[place], side ? 1.0 : -1.0, P);
        }
    }
}

void cairn_march_hand_back(cairn_march* march, const cairn_span* span,
                           const cairn_march_place* manifold, bool totals)
{
    give_impulses(march, span, manifold, totals);
    if (totals)
        book_totals(march, manifold);
}

typedef struct storing {
    const cairn_span* span;
    bool totals;
} storing;

static void store_some(void* context, int first, int end)
{
    const storing* own = context;
    cairn_march* march = own->span->island->march;
    for (int m = first; m < end; m++)
        give_impulses(march, own->span, &march->manifolds[m], own->totals);
}

void cairn_march_store(const cairn_span* span, bool totals)
{
    cairn_march* march = span->island->march;
    storing own = {span, totals};
    for (int i = 0; i < march->body_count; i++)
        march->sum[i] = cairn_vec(0.0, 0.0, 0.0);
    cairn_span_loop(span, store_some, &own, march->manifold_count, manifolds_at_once);
    for (int m = 0; m < march->manifold_count && totals; m++)
        book_totals(march, &march->manifolds[m]);
    for (int i = 0; i < march->body_count && totals; i++) {
        cairn_body* body = &span->world->bodies[cairn_march_slot(span, i)];
        march->linear[i] = cairn_add_scaled(march->linear[i], body->inverse_mass, march->sum[i]);
        if (cairn_body_active(body))
            body->v = cairn_add(body->v, cairn_sub(march->linear[i], march->left[i]));
        march->left[i] = march->linear[i];
    }
}

void cairn_march_yield(const cairn_span* span)
{
    cairn_march_store(span, true);
    span->island->old_march = span->island->march;
    span->island->march = NULL;
}
