// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// A blow may send a body out of the box within which detection looked for its pairs, at a body that no pair
// tells of, or at one that is asleep or has made the whole step already: it would pass through. The step is
// begun anew, some times, with boxes that are large enough and with contacts as far ahead as the body gets:
// they make one island of all that it meets.

#include "world/part_filter.h"
#include "world/step/contact_law.h"
#include "world/step/refind.h"

enum { most_again = 8, most_looks = 64 };

// what the search asks of each body
enum {
    has_gained = 1, // it is faster than when its pairs were looked for, or turns faster
    waits = 2       // it stays where it is until the step ends, whatever meets it
};

typedef struct search {
    const cairn_group* group;
    cairn_world* world;
    unsigned char* traits; // of each body
    double left;           // s: until the step ends
    double unseen;         // m/s: less than this may be gained on what pairs were looked for
} search;

// ---------------------------------------------------------------- who flees, and who waits

static bool is_waiting(const search* job, int slot)
{
    const cairn_body* body = &job->world->bodies[slot];
    if (job->group->local[slot] < 0)
        return body->alive && body->asleep;
    const cairn_island* island = &job->group->islands[job->group->island_of[slot]];
    return island->rested || island->advanced;
}

static bool is_faster(const search* job, int slot)
{
    const cairn_body* body = &job->world->bodies[slot];
    const cairn_vec3* start = job->group->start + 2 * (ptrdiff_t)slot;
    double gain = cairn_norm(cairn_sub(body->v, start[0])) +
                  body->radius * cairn_norm(cairn_sub(body->w, start[1]));
    return job->group->local[slot] >= 0 && cairn_body_active(body) && body->proxy >= 0 &&
           gain > job->unseen;
}

// returns the traits that any body has
static int list_traits(const search* job)
{
    int any = 0;
    for (int i = 0; i < job->world->body_count; i++) {
        int own = is_waiting(job, i) ? waits : is_faster(job, i) ? has_gained : 0;
        job->traits[i] = (unsigned char)own;
        any |= own;
    }
    return any;
}

// ---------------------------------------------------------------- ways

static cairn_vec3 lag_of(const search* job, int slot)
{
    return job->group->lags ? job->group->lags[slot].by : cairn_vec(0.0, 0.0, 0.0);
}

// m/s: of the point of a body that may be fastest
static double reach_speed(const cairn_body* body)
{
    return cairn_norm(body->v) + body->radius * cairn_norm(body->w);
}

// where the shape of a body is, and where it will be when the step ends
static cairn_sweep way_of(const search* job, int slot)
{
    const cairn_body* body = &job->world->bodies[slot];
    cairn_body end = *body;
    cairn_vec3 way = cairn_add_scaled(lag_of(job, slot), job->left, body->v);
    cairn_vec3 turn = cairn_scale(job->left, body->w);
    cairn_body_displace(&end, (double[]){way.x, way.y, way.z, turn.x, turn.y, turn.z});
    return (cairn_sweep){cairn_body_shape_pose(body), cairn_body_shape_pose(&end)};
}

// the box of that way
static cairn_aabb box_of(const search* job, int slot)
{
    const cairn_shape* shape = &job->world->bodies[slot].shape;
    cairn_sweep way = way_of(job, slot);
    return cairn_aabb_join(cairn_shape_aabb(shape, way.from), cairn_shape_aabb(shape, way.to));
}

// whether a box holds the way of the ball that holds the shape, which is quicker to tell
static bool holds_ball(const cairn_aabb* box, const search* job, int slot)
{
    const cairn_body* body = &job->world->bodies[slot];
    cairn_vec3 end = cairn_add(body->x, cairn_add_scaled(lag_of(job, slot), job->left, body->v));
    cairn_aabb way = cairn_aabb_join((cairn_aabb){body->x, body->x}, (cairn_aabb){end, end});
    way = cairn_aabb_grow(way, body->radius);
    return cairn_aabb_contains(box, &way);
}

// ---------------------------------------------------------------- whom a body meets

// whether a body will lie deeper in another one than a substep would leave it, if both keep their velocities
static bool runs_into(const search* job, int slot, int other)
{
    cairn_world* world = job->world;
    cairn_body_pair bodies = {&world->bodies[slot], &world->bodies[other]};
    if (cairn_pair_refused(world, slot, other) || cairn_body_is_soft(bodies.a) ||
        cairn_body_is_soft(bodies.b))
        return false;

    double t = 1.0;
    int looks = most_looks;
    cairn_transform pose = cairn_body_shape_pose(bodies.b);
    bool moves = !(job->traits[other] & waits) && bodies.b->type != CAIRN_BODY_STATIC;
    cairn_sweep way = way_of(job, slot);
    cairn_sweep its = moves ? way_of(job, other) : (cairn_sweep){pose, pose};
    cairn_impact how =
        cairn_bodies_time_of_impact(bodies, &way, &its, 0.9 * world->touching, &t, &looks);

    if (how == CAIRN_IMPACT_OVERLAP)
        return cairn_bodies_distance(bodies, way.from, pose).gap < -cairn_shallow_overlap;
    double length = cairn_norm(lag_of(job, slot)) + job->left * reach_speed(bodies.a);
    length += moves ? cairn_norm(lag_of(job, other)) + job->left * reach_speed(bodies.b) : 0.0;
    return how == CAIRN_IMPACT_HIT && (1.0 - t) * length > cairn_shallow_overlap;
}

typedef struct stranger {
    const search* job;
    int slot;
    cairn_aabb known; // box of its pairs
    bool any;
} stranger;

static bool visit_stranger(void* context, int proxy)
{
    stranger* s = context;
    const cairn_world* world = s->job->world;
    int other = world->proxy_body[proxy];
    cairn_aabb box = cairn_broad_box(world->broad, proxy);
    s->any = other != s->slot && !cairn_aabb_overlap(&box, &s->known) &&
             !cairn_pair_refused(world, s->slot, other) && runs_into(s->job, s->slot, other);
    return !s->any;
}

// whether a body may meet another one that no pair tells of
static bool meets_strangers(const search* job, int slot)
{
    const cairn_world* world = job->world;
    stranger s = {.job = job, .slot = slot};
    s.known = cairn_broad_box(world->broad, world->bodies[slot].proxy);
    if (holds_ball(&s.known, job, slot))
        return false;

    cairn_aabb box = box_of(job, slot);
    if (!cairn_aabb_contains(&s.known, &box))
        cairn_broad_query(world->broad, box, visit_stranger, &s);
    return s.any;
}

// ---------------------------------------------------------------- all of them

// the step is begun anew for a body, or tells of it where that did not help
static void note(const search* job, int slot)
{
    cairn_world* world = job->world;
    cairn_body* body = &world->bodies[slot];
    if (world->again >= most_again) {
        cairn_reports_tell_waiting(job->group, world, slot);
        return;
    }
    body->fled = true;
    world->flight = fmax(world->flight, reach_speed(body));
    world->fled = true;
}

// notes those that run into a body that waits
static void find_struck(const search* job)
{
    int count;
    const cairn_world* world = job->world;
    const cairn_pair* pairs = cairn_broad_pairs(world->broad, &count);
    for (int i = 0; i < count; i++) {
        int a = world->proxy_body[pairs[i].a], b = world->proxy_body[pairs[i].b];
        if ((job->traits[a] | job->traits[b]) != (has_gained | waits))
            continue;
        int slot = job->traits[a] == has_gained ? a : b;
        if (runs_into(job, slot, a + b - slot))
            note(job, slot);
    }
}

cairn_status cairn_world_find_fled(const cairn_group* group, const cairn_span* span, double left)
{
    cairn_world* world = span->world;
    if (!group->start)
        return CAIRN_OK;

    cairn_arena_mark mark = cairn_arena_here(&world->arena);
    search job = {.group = group, .world = world, .left = left};
    job.unseen = world->def.contact_margin / (span->h * span->substeps);
    job.traits = CAIRN_TAKE(&world->arena, unsigned char, world->body_count);
    if (!job.traits)
        return CAIRN_NO_MEMORY;

    int any = list_traits(&job);
    for (int i = 0; i < world->body_count && (any & has_gained); i++)
        if (job.traits[i] == has_gained && meets_strangers(&job, i))
            note(&job, i);
    if (any == (has_gained | waits))
        find_struck(&job);

    cairn_arena_release(&world->arena, mark);
    return world->fled ? CAIRN_INTERRUPTED : CAIRN_OK;
}
