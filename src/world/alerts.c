// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// What a world tells beside its contacts. A sensor is a question that is asked at the end of each
// step: who shares a point with this shape? Those that were not there a step before have entered,
// those that are gone have left. A hit is a pair that started touching, with the speed at which its
// points approached when the step began,
//
//     s = max over its contacts of  -n · (v_B + ω_B × r_B - v_A - ω_A × r_A).
//
// All is found before the last point of failure of a step, in lists of their own, and published
// after.

#include "world/alerts.h"
#include "math/accept.h"
#include "math/array.h"
#include "problem/six.h"
#include "world/sleep/sleep.h"
#include "world/step/island.h"
#include <stdlib.h>
#include <string.h>

typedef cairn_alert_list list;
typedef cairn_sensor sensor;

static bool push(list* to, const void* item, size_t size)
{
    if (to->count == to->capacity) {
        int capacity = 2 * to->capacity + 8;
        void* items = realloc(to->items, (size_t)capacity * size);
        if (!items)
            return false;
        to->items = items;
        to->capacity = capacity;
    }
    memcpy((char*)to->items + (size_t)to->count * size, item, size);
    to->count++;
    return true;
}

static void swap(list* a, list* b)
{
    list c = *a;
    *a = *b;
    *b = c;
}

static bool copy_list(list* to, const list* from, size_t size)
{
    *to = (list){0};
    for (int i = 0; i < from->count; i++)
        if (!push(to, (const char*)from->items + (size_t)i * size, size))
            return false;
    return true;
}

// ---------------------------------------------------------------- making, copying

cairn_alerts* cairn_world_alerts(cairn_world* world)
{
    if (!world->alerts)
        world->alerts = calloc(1, sizeof *world->alerts);
    return world->alerts;
}

void cairn_alerts_destroy(cairn_alerts* alerts)
{
    if (!alerts)
        return;

    for (int i = 0; i < alerts->sensor_count; i++) {
        free(alerts->sensors[i].inside.items);
        free(alerts->sensors[i].next.items);
    }

    list* lists[] = {&alerts->begun,  &alerts->ended, &alerts->hits,  &alerts->broken,
                     &alerts->begins, &alerts->ends,  &alerts->meets, &alerts->breaks};
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
        free(lists[i]->items);

    free(alerts->sensors);
    free(alerts);
}

bool cairn_alerts_copy(cairn_alerts** to, const cairn_alerts* from)
{
    if (!from)
        return true;

    cairn_alerts* out = *to = calloc(1, sizeof *out);
    if (!out)
        return false;

    out->hit_speed = from->hit_speed;
    if (from->sensor_count > 0)
        out->sensors = calloc((size_t)from->sensor_count, sizeof *out->sensors);

    if (from->sensor_count > 0 && !out->sensors)
        return false;
    out->sensor_capacity = from->sensor_count;

    // the list of a step under way is scratch: it is not copied
    for (int i = 0; i < from->sensor_count; i++) {
        sensor* one = &out->sensors[out->sensor_count++];
        *one = from->sensors[i];
        one->next = (list){0};
        if (!copy_list(&one->inside, &from->sensors[i].inside, sizeof(cairn_body_id)))
            return false;
    }

    return copy_list(&out->begun, &from->begun, sizeof(cairn_sensor_event)) &&
           copy_list(&out->ended, &from->ended, sizeof(cairn_sensor_event)) &&
           copy_list(&out->hits, &from->hits, sizeof(cairn_hit_event)) &&
           copy_list(&out->broken, &from->broken, sizeof(cairn_break_event));
}

size_t cairn_alerts_memory(const cairn_alerts* alerts)
{
    if (!alerts)
        return 0;

    size_t bytes = sizeof *alerts + (size_t)alerts->sensor_capacity * sizeof *alerts->sensors;
    for (int i = 0; i < alerts->sensor_count; i++)
        bytes += (size_t)(alerts->sensors[i].inside.capacity + alerts->sensors[i].next.capacity) *
                 sizeof(cairn_body_id);

    return bytes +
           (size_t)(alerts->begun.capacity + alerts->ended.capacity + alerts->begins.capacity +
                    alerts->ends.capacity) *
               sizeof(cairn_sensor_event) +
           (size_t)(alerts->hits.capacity + alerts->meets.capacity) * sizeof(cairn_hit_event) +
           (size_t)(alerts->broken.capacity + alerts->breaks.capacity) * sizeof(cairn_break_event);
}

// ---------------------------------------------------------------- sensors of the user

cairn_sensor_def cairn_default_sensor_def(void)
{
    return (cairn_sensor_def){
        .cookie = cairn_cookie, .pose = cairn_transform_identity(), .mask = CAIRN_MASK_ALL};
}

static cairn_status check_sensor(const cairn_world* world, const cairn_sensor_def* def,
                                 cairn_error* error)
{
    cairn_status status = cairn_accept_def(error, def->cookie, "cairn_default_sensor_def");

    if (status == CAIRN_OK && !def->shape)
        return cairn_refuse_null(error, "the sensor's shape");
    if (status == CAIRN_OK)
        status = cairn_shape_check(def->shape, error);

    if (status == CAIRN_OK && !cairn_shape_is_convex(def->shape))
        return cairn_fail(error, CAIRN_BAD_INPUT,
                          "a sensor has the shape of a %s, expected a convex one",
                          cairn_shape_name(def->shape->kind));

    if (status == CAIRN_OK)
        status = cairn_accept_pose(error, "a coordinate of the sensor's pose", def->pose);

    if (status == CAIRN_OK && def->body.generation != 0 &&
        !cairn_world_body(world, def->body, error))
        status = CAIRN_BAD_INPUT;
    return status;
}

// a slot that is free, or one more; NULL without memory
static sensor* take_sensor(cairn_alerts* alerts)
{
    for (int i = 0; alerts && i < alerts->sensor_count; i++)
        if (!alerts->sensors[i].alive)
            return &alerts->sensors[i];

    if (alerts && alerts->sensor_count == alerts->sensor_capacity) {
        int capacity = 2 * alerts->sensor_capacity + 4;
        sensor* sensors = realloc(alerts->sensors, (size_t)capacity * sizeof *sensors);
        if (!sensors)
            return NULL;
        alerts->sensors = sensors;
        alerts->sensor_capacity = capacity;
    }

    if (!alerts)
        return NULL;

    sensor* fresh = &alerts->sensors[alerts->sensor_count++];
    *fresh = (sensor){0};
    return fresh;
}

cairn_status cairn_world_add_sensor(cairn_world* world, const cairn_sensor_def* def,
                                    cairn_sensor_id* id, cairn_error* error)
{
    cairn_status status = cairn_world_may_change(world, error);
    if (status != CAIRN_OK)
        return status;

    if (!def || !id)
        return cairn_refuse_null(error, "the sensor's def or the place for its id");

    status = check_sensor(world, def, error);
    if (status != CAIRN_OK)
        return status;

    sensor* one = take_sensor(cairn_world_alerts(world));
    if (!one)
        return cairn_fail(error, CAIRN_NO_MEMORY, "no memory for another sensor");

    one->generation++;
    one->alive = true;
    one->bound = def->body.generation != 0;
    one->body = def->body;
    one->shape = *def->shape;
    one->pose = (cairn_transform){def->pose.p, cairn_quat_normalize(def->pose.q)};
    one->mask = def->mask;
    one->user = def->user;
    one->inside.count = 0;

    *id = (cairn_sensor_id){(int32_t)(one - world->alerts->sensors), one->generation};
    return CAIRN_OK;
}

static sensor* find_sensor(const cairn_world* world, cairn_sensor_id id)
{
    const cairn_alerts* alerts = world ? world->alerts : NULL;
    if (!alerts || id.generation == 0 || id.index < 0 || id.index >= alerts->sensor_count)
        return NULL;
    sensor* one = &alerts->sensors[id.index];
    return one->alive && one->generation == id.generation ? one : NULL;
}

cairn_status cairn_world_remove_sensor(cairn_world* world, cairn_sensor_id id, cairn_error* error)
{
    cairn_status status = cairn_world_may_change(world, error);
    if (status != CAIRN_OK)
        return status;

    sensor* one = find_sensor(world, id);
    if (!one)
        return cairn_fail(
            error, CAIRN_BAD_INPUT,
            "sensor %d (generation %u) is not in this world: it was removed or never added",
            (int)id.index, (unsigned)id.generation);

    one->alive = false;
    one->inside.count = 0;
    return CAIRN_OK;
}

int cairn_sensor_inside(const cairn_world* world, cairn_sensor_id id, cairn_body_id* bodies,
                        int room)
{
    const sensor* one = find_sensor(world, id);
    for (int i = 0; one && bodies && i < one->inside.count && i < room; i++)
        bodies[i] = ((const cairn_body_id*)one->inside.items)[i];
    return one ? one->inside.count : 0;
}

cairn_sensor_events cairn_world_sensor_events(const cairn_world* world)
{
    const cairn_alerts* alerts = world ? world->alerts : NULL;
    if (!alerts)
        return (cairn_sensor_events){0};
    return (cairn_sensor_events){.begun = alerts->begun.items,
                                 .begun_count = alerts->begun.count,
                                 .ended = alerts->ended.items,
                                 .ended_count = alerts->ended.count};
}

// ---------------------------------------------------------------- sensors in a step

// the bodies that a query meets, but the sensor's own
typedef struct catch
{
    sensor* by;
    bool failed;
}
catch;

static bool keep_body(void* context, cairn_body_id id)
{
    catch* all = context;
    bool own = all->by->bound && id.index == all->by->body.index;
    all->failed = !own && !push(&all->by->next, &id, sizeof id);
    return !all->failed;
}

static int by_slot(const void* a, const void* b)
{
    const cairn_body_id *x = a, *y = b;
    if (x->index != y->index)
        return x->index < y->index ? -1 : 1;
    return x->generation < y->generation ? -1 : x->generation > y->generation;
}

// who entered and who left: two lists by slot side by side
static bool compare(cairn_alerts* alerts, const sensor* one)
{
    const cairn_body_id *old = one->inside.items, *now = one->next.items;
    cairn_sensor_id id = {(int32_t)(one - alerts->sensors), one->generation};
    for (int i = 0, k = 0; i < one->inside.count || k < one->next.count;) {
        // -1: it was inside and has left; 1: it has entered; 0: it stayed
        int order = i == one->inside.count ? 1
                    : k == one->next.count ? -1
                                           : by_slot(&old[i], &now[k]);

        cairn_sensor_event event = {id, order < 0 ? old[i] : now[k < one->next.count ? k : 0],
                                    one->user};
        if (order != 0 && !push(order < 0 ? &alerts->ends : &alerts->begins, &event, sizeof event))
            return false;

        i += order <= 0;
        k += order >= 0;
    }
    return true;
}

static cairn_status sense(cairn_world* world, sensor* one)
{
    cairn_transform pose = one->pose;
    one->next.count = 0;
    one->gone = one->bound && !cairn_world_body(world, one->body, NULL);

    if (one->bound && !one->gone)
        pose = cairn_transform_multiply(cairn_body_pose(&world->bodies[one->body.index]), pose);

    catch all = {one, false};
    cairn_status status = CAIRN_OK;
    if (!one->gone)
        status = cairn_world_overlap(world, &one->shape, pose, one->mask, keep_body, &all, NULL);
    if (status == CAIRN_BAD_INPUT)
        status = CAIRN_OK; // it was carried beyond the numbers, where nobody is

    // by slot, so that events come in the same order whatever the broad phase says
    if (one->next.count > 1)
        qsort(one->next.items, (size_t)one->next.count, sizeof(cairn_body_id), by_slot);

    if (status != CAIRN_OK || all.failed || !compare(world->alerts, one))
        return CAIRN_NO_MEMORY;
    return CAIRN_OK;
}

// ---------------------------------------------------------------- hits and loads

cairn_status cairn_alerts_begin(cairn_world* world)
{
    cairn_alerts* alerts = world->alerts;
    alerts->start = NULL;
    if (alerts->hit_speed == 0.0)
        return CAIRN_OK;
    double* start = CAIRN_TAKE(&world->undo.arena, double, 6 * (size_t)world->body_count);
    if (!start)
        return CAIRN_NO_MEMORY;
    for (int i = 0; i < world->body_count; i++)
        cairn_store_six(start + 6 * (ptrdiff_t)i, world->bodies[i].v, world->bodies[i].w);
    alerts->start = start;
    return CAIRN_OK;
}

static cairn_vec3 start_at(const double* start, int slot, cairn_vec3 r)
{
    const double* v = start + 6 * (ptrdiff_t)slot;
    return cairn_add(cairn_vec(v[0], v[1], v[2]), cairn_cross(cairn_vec(v[3], v[4], v[5]), r));
}

// a pair whose touches are those from `first` to before `end`
static bool meet(cairn_alerts* alerts, const cairn_world* world, int first, int end)
{
    cairn_hit_event hit = {.speed = -INFINITY};

    for (int c = first; c < end; c++) {
        const cairn_touch* touch = &world->touches[c];
        const cairn_body *a = &world->bodies[touch->a], *b = &world->bodies[touch->b];
        cairn_reach reach = cairn_touch_reach(touch, world);
        double speed =
            -cairn_dot(touch->n, cairn_sub(start_at(alerts->start, touch->b, reach.r_b),
                                           start_at(alerts->start, touch->a, reach.r_a)));
        hit.impulse += cairn_dot(touch->n, touch->total);

        // the point that closed fastest stands for the pair
        if (!(speed > hit.speed))
            continue;

        hit.body_a = (cairn_body_id){touch->a, a->generation};
        hit.body_b = (cairn_body_id){touch->b, b->generation};
        hit.point = cairn_add(b->x, reach.r_b);
        hit.normal = touch->n;
        hit.speed = speed;
        hit.part_a = touch->part_a;
        hit.part_b = touch->part_b;
    }

    if (!(hit.impulse > 0.0) || !(hit.speed >= alerts->hit_speed))
        return true;
    return push(&alerts->meets, &hit, sizeof hit);
}

static bool find_hits(cairn_alerts* alerts, const cairn_world* world)
{
    bool done = true;
    for (int c = 0, end; c < world->touch_count && done; c = end) {
        for (end = c + 1;
             end < world->touch_count && world->touches[end].pair == world->touches[c].pair;)
            end++;
        if (!world->touches[c].touching)
            done = meet(alerts, world, c, end);
    }
    return done;
}

static bool find_breaks(cairn_alerts* alerts, const cairn_world* world, double dt)
{
    for (int i = 0; i < world->link_count; i++) {
        const cairn_link* link = &world->links[i];
        bool breakable = link->break_force > 0.0 || link->break_torque > 0.0;
        if (!link->alive || !breakable || !cairn_link_active(world, link))
            continue;

        // the torque about the joint's own point, from the torque about the center of B
        cairn_vec3 r_b = cairn_link_points_of(world, link).r_b;
        cairn_vec3 turning = cairn_sub(link->twist, cairn_cross(r_b, link->impulse));
        cairn_break_event event = {.joint = {i, link->generation},
                                   .user = link->user,
                                   .force = cairn_norm(link->impulse) / dt,
                                   .torque = cairn_norm(turning) / dt};

        bool broken = (link->break_force > 0.0 && event.force > link->break_force) ||
                      (link->break_torque > 0.0 && event.torque > link->break_torque);
        if (broken && !push(&alerts->breaks, &event, sizeof event))
            return false;
    }
    return true;
}

// ---------------------------------------------------------------- the end of a step

cairn_status cairn_alerts_find(cairn_world* world, double dt)
{
    cairn_alerts* alerts = world->alerts;
    cairn_status status = CAIRN_OK;
    alerts->begins.count = alerts->ends.count = alerts->meets.count = alerts->breaks.count = 0;

    // queries keep their list of strays as long as the version is the same
    world->version++;
    for (int i = 0; i < alerts->sensor_count && status == CAIRN_OK; i++)
        if (alerts->sensors[i].alive)
            status = sense(world, &alerts->sensors[i]);
    world->version++;

    if (status == CAIRN_OK && alerts->start && !find_hits(alerts, world))
        status = CAIRN_NO_MEMORY;
    if (status == CAIRN_OK && !find_breaks(alerts, world, dt))
        status = CAIRN_NO_MEMORY;
    return status;
}

void cairn_alerts_publish(cairn_world* world)
{
    cairn_alerts* alerts = world->alerts;

    // a sensor whose body was removed goes with it
    for (int i = 0; i < alerts->sensor_count; i++) {
        sensor* one = &alerts->sensors[i];
        if (!one->alive)
            continue;
        swap(&one->inside, &one->next);
        one->alive = !one->gone;
    }

    swap(&alerts->begun, &alerts->begins);
    swap(&alerts->ended, &alerts->ends);
    swap(&alerts->hits, &alerts->meets);
    swap(&alerts->broken, &alerts->breaks);

    // broken joints leave the world after the step that broke them
    const cairn_break_event* broken = alerts->broken.items;
    for (int i = 0; i < alerts->broken.count; i++)
        cairn_link_remove(world, &world->links[broken[i].joint.index]);

    alerts->start = NULL;
}

cairn_status cairn_world_set_hit_speed(cairn_world* world, double speed, cairn_error* error)
{
    cairn_status status = cairn_world_may_change(world, error);
    if (status == CAIRN_OK)
        status = cairn_accept(error, "the speed of hits", speed, CAIRN_A_SPEED);
    if (status != CAIRN_OK)
        return status;
    if (!cairn_world_alerts(world))
        return cairn_fail(error, CAIRN_NO_MEMORY, "no memory for hits");
    world->alerts->hit_speed = speed;
    return CAIRN_OK;
}

const cairn_hit_event* cairn_world_hits(const cairn_world* world, int* count)
{
    const cairn_alerts* alerts = world ? world->alerts : NULL;
    if (count)
        *count = alerts ? alerts->hits.count : 0;
    return alerts ? alerts->hits.items : NULL;
}

const cairn_break_event* cairn_world_broken(const cairn_world* world, int* count)
{
    const cairn_alerts* alerts = world ? world->alerts : NULL;
    if (count)
        *count = alerts ? alerts->broken.count : 0;
    return alerts ? alerts->broken.items : NULL;
}

// ---------------------------------------------------------------- hooks

cairn_status cairn_world_set_pair_hook(cairn_world* world, cairn_pair_hook hook, void* context,
                                       cairn_error* error)
{
    cairn_status status = cairn_world_may_change(world, error);
    if (status != CAIRN_OK)
        return status;
    cairn_world_wake_all(world);
    world->pair_hook = hook;
    world->pair_context = context;
    return CAIRN_OK;
}

cairn_status cairn_world_set_contact_hook(cairn_world* world, cairn_contact_hook hook,
                                          void* context, cairn_error* error)
{
    cairn_status status = cairn_world_may_change(world, error);
    if (status != CAIRN_OK)
        return status;
    cairn_world_wake_all(world);
    world->contact_hook = hook;
    world->contact_context = context;
    return CAIRN_OK;
}

cairn_status cairn_world_set_material_hook(cairn_world* world, cairn_material_hook hook,
                                           void* context, cairn_error* error)
{
    cairn_status status = cairn_world_may_change(world, error);
    if (status != CAIRN_OK)
        return status;
    cairn_world_wake_all(world);
    world->material_hook = hook;
    world->material_context = context;
    return CAIRN_OK;
}

bool cairn_world_ask_pair(const cairn_world* world, cairn_body_id a, cairn_body_id b)
{
    // the world is in a step: it may be read, but not changed
    cairn_world* own = (cairn_world*)world;
    bool hooked = world->hooked;
    own->hooked = true;
    bool may = world->pair_hook(world->pair_context, world, a, b);
    own->hooked = hooked;
    return may;
}

bool cairn_world_ask_contact(cairn_world* world, const cairn_pair* pair, const cairn_patch* patch,
                             const cairn_contact_point* points)
{
    int a = world->proxy_body[pair->a], b = world->proxy_body[pair->b];
    const cairn_contact_point* deepest = &points[patch->first];
    for (int k = 1; k < patch->count; k++)
        if (points[patch->first + k].gap < deepest->gap)
            deepest = &points[patch->first + k];

    cairn_contact contact = {.body_a = {a, world->bodies[a].generation},
                             .body_b = {b, world->bodies[b].generation},
                             .point = deepest->position,
                             .normal = patch->normal,
                             .gap = deepest->gap,
                             .part_a = patch->part_a,
                             .part_b = patch->part_b};
    bool hooked = world->hooked;
    world->hooked = true;
    bool may = world->contact_hook(world->contact_context, world, &contact);
    world->hooked = hooked;
    if (!may)
        world->pairs[pair->slot].passes = true;
    return may;
}

// a NaN becomes the lower bound
static double clamp(double x, double lo, double hi)
{
    return x >= hi ? hi : x > lo ? x : lo;
}

void cairn_world_ask_material(cairn_world* world, int a, int part_a, int b, int part_b,
                              cairn_law_of_pair* law)
{
    static const double most = 1e6; // a friction coefficient, or m
    bool hooked = world->hooked;
    cairn_body_id first = {a, world->bodies[a].generation};
    cairn_body_id second = {b, world->bodies[b].generation};
    world->hooked = true;
    world->material_hook(world->material_context, world, first, part_a, second, part_b, law);
    world->hooked = hooked;
    law->mu = clamp(law->mu, 0.0, most);
    law->mu_static = clamp(law->mu_static, 0.0, most);
    law->mu_spin = clamp(law->mu_spin, 0.0, most);
    law->restitution = clamp(law->restitution, 0.0, 1.0);
}
