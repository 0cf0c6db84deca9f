// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// From contacts to manifolds in lanes (march.h), and back. Loads go from the top of a pile to the
// ground: manifolds are swept in bands, by how many contacts lie between their bodies and the
// ground, upwards and downwards in turn. That is what makes few sweeps enough for tall stacks.
// Bands are two levels high: at four a wall falls.

#include "solve/sweep/cluster_law.h"
#include "world/step/march.h"
#include "world/step/step.h"
#include <string.h>

enum {
    lanes = cairn_cluster_lanes,
    each = cairn_place_stride,
    most_points = cairn_manifold_points
};
enum { levels_per_band = 2 };

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
    return place == march->body_count ? -1 : march->driven[place - march->body_count - 1];
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

// the places of the bodies of a manifold; -1: not active
static void ends_of(int* ends, const cairn_span* span, const cairn_march_place* manifold)
{
    const cairn_touch* touch = touch_of(span, manifold, 0);
    ends[0] = span->group->local[touch->a];
    ends[1] = span->group->local[touch->b];
}

// ---------------------------------------------------------------- bands

// Levels of all bodies, breadth first from those on the ground; returns the highest. What nothing
// connects to the ground has level 0.
static int find_levels(int* level, const cairn_march* march, const cairn_span* span)
{
    int bodies = march->body_count, count = march->manifold_count, head = 0, tail = 0, highest = 0;
    int* begin = CAIRN_TAKE_ZEROED(span->arena, int, bodies + 2);
    int* next = CAIRN_TAKE(span->arena, int, 2 * (size_t)count);
    int* queue = CAIRN_TAKE(span->arena, int, bodies);
    if (span->arena->failed)
        return -1;

    // neighbors of each body, one list after the other
    for (int i = 0; i < bodies; i++)
        level[i] = -1;
    for (int m = 0; m < count; m++) {
        int ends[2];
        ends_of(ends, span, &march->manifolds[m]);
        for (int side = 0; side < 2; side++) {
            if (ends[side] >= 0 && ends[!side] >= 0)
                begin[ends[side] + 2]++;
            if (ends[side] >= 0 && ends[!side] < 0 && level[ends[side]] < 0) {
                level[ends[side]] = 0;
                queue[tail++] = ends[side];
            }
        }
    }
    for (int i = 0; i < bodies; i++)
        begin[i + 2] += begin[i + 1];
    for (int m = 0; m < count; m++) {
        int ends[2];
        ends_of(ends, span, &march->manifolds[m]);
        for (int side = 0; side < 2 && ends[0] >= 0 && ends[1] >= 0; side++)
            next[begin[ends[side] + 1]++] = ends[!side];
    }

    while (head < tail) {
        int body = queue[head++];
        for (int k = begin[body]; k < begin[body + 1]; k++)
            if (level[next[k]] < 0) {
                level[next[k]] = highest = level[body] + 1;
                queue[tail++] = next[k];
            }
    }
    for (int i = 0; i < bodies; i++)
        level[i] = level[i] < 0 ? 0 : level[i];
    return highest;
}

// the band of each manifold: that of its higher body; returns how many there are, or 0: no memory
static int find_bands(const cairn_march* march, const cairn_span* span)
{
    int* level = CAIRN_TAKE(span->arena, int, march->body_count);
    int highest = level ? find_levels(level, march, span) : -1;
    for (int m = 0; m < march->manifold_count && highest >= 0; m++) {
        int ends[2], high = 0;
        ends_of(ends, span, &march->manifolds[m]);
        for (int side = 0; side < 2; side++)
            if (ends[side] >= 0 && level[ends[side]] > high)
                high = level[ends[side]];
        march->manifolds[m].band = high / levels_per_band;
    }
    return highest < 0 ? 0 : highest / levels_per_band + 1;
}

// ---------------------------------------------------------------- lanes

enum { colors = 64 };

// colors that a body has in a band
typedef struct paint {
    uint64_t used;
    int band;
} paint;

// the lowest color that neither body has in the band; the last one where there is none, whose
// manifolds get clusters of their own
static int color_of(paint* paints, const int* ends, int band)
{
    uint64_t used = UINT64_C(1) << (colors - 1);
    for (int side = 0; side < 2; side++)
        if (ends[side] >= 0) {
            paint* own = &paints[ends[side]];
            if (own->band != band)
                *own = (paint){.band = band};
            used |= own->used;
        }
    int color = ~used ? __builtin_ctzll(~used) : colors - 1;
    for (int side = 0; side < 2; side++)
        if (ends[side] >= 0 && color < colors - 1)
            paints[ends[side]].used |= UINT64_C(1) << color;
    return color;
}

// Deals the manifolds of one band to clusters by color. `order` lists them.
static void deal_band(cairn_march* march, const cairn_span* span, paint* paints, const int* order,
                      int count)
{
    int size[colors] = {0}, next[colors];
    for (int k = 0; k < count; k++) {
        int ends[2];
        cairn_march_place* manifold = &march->manifolds[order[k]];
        ends_of(ends, span, manifold);
        manifold->lane = color_of(paints, ends, manifold->band);
        size[manifold->lane]++;
    }
    for (int color = 0; color < colors; color++) {
        bool alone = color == colors - 1;
        next[color] = lanes * march->count;
        march->count += alone ? size[color] : (size[color] + lanes - 1) / lanes;
    }
    for (int k = 0; k < count; k++) {
        cairn_march_place* manifold = &march->manifolds[order[k]];
        int color = manifold->lane;
        manifold->lane = next[color];
        next[color] += color < colors - 1 ? 1 : lanes;
    }
}

// all bands, from the ground upwards; counts the clusters
static bool deal(cairn_march* march, const cairn_span* span)
{
    int bands = find_bands(march, span), count = march->manifold_count;
    int* begin = CAIRN_TAKE_ZEROED(span->arena, int, bands + 1);
    int* order = CAIRN_TAKE(span->arena, int, count);
    paint* paints = CAIRN_TAKE(span->arena, paint, march->body_count);
    if (bands == 0 || span->arena->failed)
        return false;
    for (int i = 0; i < march->body_count; i++)
        paints[i] = (paint){.band = -1};
    for (int m = 0; m < count; m++)
        begin[march->manifolds[m].band + 1]++;
    for (int b = 0; b < bands; b++)
        begin[b + 1] += begin[b];
    for (int m = 0; m < count; m++)
        order[begin[march->manifolds[m].band]++] = m;
    march->count = 0;
    for (int b = 0, first = 0; b < bands; first = begin[b++])
        deal_band(march, span, paints, order + first, begin[b] - first);
    return true;
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
    int capacity = with_room(march->count), more = most_points * (capacity - march->count);
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
    int places = march->body_count + 1 + count_driven(march, span);
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

// lanes are empty at first
static void clear(cairn_march* march)
{
    memset(march->points, 0, (size_t)march->point_count * sizeof *march->points);
    if (march->laws)
        memset(march->laws, 0, (size_t)march->point_count * sizeof *march->laws);
    for (int k = 0; k < march->point_count; k++)
        for (int l = 0; l < lanes; l++)
            march->points[k].gap[l] = cairn_wide_open;
    for (int i = 0; i < march->count; i++) {
        cairn_manifold_cluster* cluster = &march->clusters[i];
        memset(cluster->normal, 0, sizeof cluster->normal);
        memset(cluster->mu, 0, sizeof cluster->mu);
        for (int l = 0; l < lanes; l++) {
            cluster->normal[2][l] = 1.0f;
            cluster->body[0][l] = cluster->body[1][l] = march->body_count;
        }
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
        cairn_touch_aim(&now, touch, span->world, span->free, span->h);
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

// the place of a body that no impulse moves
static int immovable(cairn_march* march, const cairn_span* span, int slot)
{
    if (span->world->bodies[slot].type != CAIRN_BODY_KINEMATIC)
        return march->body_count;
    march->driven[march->place_count - march->body_count - 1] = slot;
    return march->place_count++;
}

// the places of its bodies
static void hold(cairn_march* march, const cairn_span* span, cairn_march_place* manifold)
{
    const cairn_touch* first = touch_of(span, manifold, 0);
    for (int side = 0; side < 2; side++) {
        int slot = side ? first->b : first->a, place = span->group->local[slot];
        manifold->held[side] = place < 0 ? immovable(march, span, slot) : place;
    }
}

void cairn_march_fill(cairn_march* march, const cairn_span* span, cairn_march_place* manifold)
{
    cairn_manifold_cluster* cluster = &march->clusters[manifold->lane / lanes];
    int l = manifold->lane % lanes;
    const cairn_touch* first = touch_of(span, manifold, 0);
    for (int side = 0; side < 2; side++)
        cluster->body[side][l] = manifold->held[side];
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
                if (place != march->body_count && last[place] == i)
                    cluster->apart = 0;
            }
        for (int side = 0; side < 2; side++)
            for (int l = 0; l < lanes; l++)
                last[cluster->body[side][l]] = i + 1;
    }
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
    int room = 2 * with_room(march->manifold_count); // pairs that turn leave empty ones behind
    if (march->manifold_room < room) {
        march->manifold_room = room;
        march->manifolds = CAIRN_TAKE(span->keep, cairn_march_place, march->manifold_room);
    }
    if (!march->manifolds)
        return CAIRN_NO_MEMORY;

    // the shape of it
    cairn_arena_mark mark = cairn_arena_here(span->arena);
    march->body_count = island->body_count;
    list_manifolds(march->manifolds, span);
    link_manifolds(march, span->world);
    bool fits = deal(march, span) && take_clusters(march, span);
    cairn_arena_release(span->arena, mark);
    if (!fits)
        return CAIRN_NO_MEMORY;

    // and what is in it
    march->place_count = march->body_count + 1;
    march->eta = eta;
    march->laid = march->count;
    march->amended = false;
    clear(march);
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
    for (int m = 0; m < march->manifold_count; m++) {
        hold(march, span, &march->manifolds[m]);
        cairn_march_fill(march, span, &march->manifolds[m]);
    }

    part_clusters(march, march->moved);
    memset(march->moved, 0, (size_t)march->place_room * sizeof *march->moved);
    island->march = march;
    island->old_march = NULL;
    return CAIRN_OK;
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

void cairn_march_follow(const cairn_span* span)
{
    cairn_march* march = span->island->march;
    for (int m = 0; m < march->manifold_count; m++) {
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

void cairn_march_hand_back(cairn_march* march, const cairn_span* span,
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
        if (!totals)
            continue;
        cairn_vec3 P = cairn_mat3_apply(frame, get(point->total, l));
        touch->total = cairn_add(touch->total, P);
        put(point->total, l, cairn_vec(0.0, 0.0, 0.0));
        for (int side = 0; side < 2; side++) {
            int place = cluster->body[side][l];
            if (place < march->body_count)
                march->sum[place] = cairn_add_scaled(march->sum[place], side ? 1.0 : -1.0, P);
        }
    }
}

void cairn_march_store(const cairn_span* span, bool totals)
{
    cairn_march* march = span->island->march;
    for (int i = 0; i < march->body_count; i++)
        march->sum[i] = cairn_vec(0.0, 0.0, 0.0);
    for (int m = 0; m < march->manifold_count; m++)
        cairn_march_hand_back(march, span, &march->manifolds[m], totals);
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
