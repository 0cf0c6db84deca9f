// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// All bodies of a world as arrays, one entry for each slot. Writing checks everything first and
// moves only those whose numbers are others than reading gives.

#include "math/accept.h"
#include "math/simd.h"
#include "world/sleep/sleep.h"
#include <cairn/body.h>
#include <string.h>

enum { pose_size = 7, velocity_size = 6 };

// ---------------------------------------------------------------- reading

static void store_pose(double* to, const cairn_body* body)
{
    cairn_transform x = {body->x, body->q};
    if (!body->plain)
        x = cairn_body_pose(body);
    const double numbers[pose_size] = {x.p.x, x.p.y, x.p.z, x.q.w, x.q.x, x.q.y, x.q.z};
    memcpy(to, numbers, sizeof numbers);
}

static void store_velocity(double* to, const cairn_body* body)
{
    const double numbers[velocity_size] = {body->v.x, body->v.y, body->v.z,
                                           body->w.x, body->w.y, body->w.z};
    memcpy(to, numbers, sizeof numbers);
}

typedef void (*store_function)(double* to, const cairn_body* body);

static cairn_status check_room(const cairn_world* world, const void* numbers, int count,
                               cairn_error* error)
{
    cairn_status status = cairn_world_may_read(world, error);
    if (status == CAIRN_OK && !numbers)
        return cairn_refuse_null(error, "the array of numbers");
    if (status == CAIRN_OK && count < 0)
        return cairn_fail(error, CAIRN_BAD_INPUT, "%d slots, expected at least 0", count);
    return status;
}

// The numbers of a slot, zeros where there is no body. Bodies are large and few of their cache lines are
// read: those of a later one are prefetched.
CAIRN_INLINE void read_slot(double* to, const cairn_world* world, int slot, int size,
                            store_function store)
{
    enum { ahead = 12 };
    if (slot + ahead < world->body_count) {
        const cairn_body* later = &world->bodies[slot + ahead];
        __builtin_prefetch(&later->x);
        __builtin_prefetch(size == pose_size ? (const void*)&later->q : &later->v);
    }

    if (slot < world->body_count && world->bodies[slot].alive)
        store(to, &world->bodies[slot]);
    else
        memset(to, 0, (size_t)size * sizeof *to);
}

CAIRN_INLINE cairn_status read_all(const cairn_world* world, double* to, int count, int size,
                                   store_function store, cairn_error* error)
{
    cairn_status status = check_room(world, to, count, error);
    for (int i = 0; i < count && status == CAIRN_OK; i++)
        read_slot(to + (ptrdiff_t)size * i, world, i, size, store);
    return status;
}

CAIRN_INLINE cairn_status read_floats(const cairn_world* world, float* to, int count, int size,
                                      store_function store, cairn_error* error)
{
    cairn_status status = check_room(world, to, count, error);
    for (int i = 0; i < count && status == CAIRN_OK; i++) {
        double numbers[pose_size];
        read_slot(numbers, world, i, size, store);
        for (int k = 0; k < size; k++)
            to[(ptrdiff_t)size * i + k] = (float)numbers[k];
    }
    return status;
}

cairn_status cairn_world_get_poses(const cairn_world* world, double* poses, int count,
                                   cairn_error* error)
{
    return read_all(world, poses, count, pose_size, store_pose, error);
}

cairn_status cairn_world_get_poses_float(const cairn_world* world, float* poses, int count,
                                         cairn_error* error)
{
    return read_floats(world, poses, count, pose_size, store_pose, error);
}

cairn_status cairn_world_get_velocities(const cairn_world* world, double* velocities, int count,
                                        cairn_error* error)
{
    return read_all(world, velocities, count, velocity_size, store_velocity, error);
}

cairn_status cairn_world_get_velocities_float(const cairn_world* world, float* velocities,
                                              int count, cairn_error* error)
{
    return read_floats(world, velocities, count, velocity_size, store_velocity, error);
}

int cairn_world_moved(const cairn_world* world, cairn_body_id* bodies, int room)
{
    int count = 0;
    for (int i = 0; world && i < world->body_count; i++) {
        const cairn_body* body = &world->bodies[i];
        if (!body->alive || !body->traveled)
            continue;
        if (bodies && count < room)
            bodies[count] = (cairn_body_id){i, body->generation};
        count++;
    }
    return count;
}

// ---------------------------------------------------------------- writing

static bool differs(const cairn_world* world, int slot, const double* numbers, int size,
                    store_function store)
{
    double now[pose_size];
    if (!world->bodies[slot].alive)
        return false;
    store(now, &world->bodies[slot]);
    return memcmp(now, numbers, (size_t)size * sizeof *now) != 0;
}

static cairn_transform pose_at(const double* n)
{
    return (cairn_transform){{n[0], n[1], n[2]}, {n[3], n[4], n[5], n[6]}};
}

static cairn_status check_slot(const cairn_world* world, int slot, cairn_error* error)
{
    const cairn_body* body = &world->bodies[slot];
    if (!body->frozen || body->disabled)
        return CAIRN_OK;
    return cairn_fail(error, CAIRN_BAD_INPUT,
                      "body %d left the range of numbers and is frozen; it can only be removed",
                      slot);
}

static cairn_status check_poses(const cairn_world* world, const double* poses, int count,
                                cairn_error* error)
{
    cairn_status status = CAIRN_OK;
    for (int i = 0; i < count && status == CAIRN_OK; i++) {
        const double* to = poses + (ptrdiff_t)pose_size * i;
        if (!differs(world, i, to, pose_size, store_pose))
            continue;
        status = check_slot(world, i, error);
        if (status == CAIRN_OK)
            status = cairn_accept_pose(error, "a coordinate of the poses", pose_at(to));
    }
    return status;
}

static cairn_status check_velocities(const cairn_world* world, const double* velocities, int count,
                                     cairn_error* error)
{
    cairn_status status = CAIRN_OK;
    for (int i = 0; i < count && status == CAIRN_OK; i++) {
        const double* to = velocities + (ptrdiff_t)velocity_size * i;
        if (!differs(world, i, to, velocity_size, store_velocity))
            continue;

        status = check_slot(world, i, error);
        for (int k = 0; k < velocity_size && status == CAIRN_OK; k++)
            status = cairn_accept(error, "a number of the velocities", to[k], CAIRN_A_VELOCITY);

        // zero is no velocity: a static body may have it
        bool zero = true;
        for (int k = 0; k < velocity_size; k++)
            zero = zero && to[k] == 0.0;
        if (status == CAIRN_OK && !zero && world->bodies[i].type == CAIRN_BODY_STATIC)
            status = cairn_fail(error, CAIRN_BAD_INPUT, "body %d is static: it has no velocity", i);
    }
    return status;
}

// what may be written, and how many slots there are to write to
static cairn_status check_write(cairn_world* world, const double* numbers, int* count,
                                cairn_error* error)
{
    cairn_status status = cairn_world_may_change(world, error);
    if (status == CAIRN_OK)
        status = check_room(world, numbers, *count, error);
    if (status == CAIRN_OK && *count > world->body_count)
        *count = world->body_count;
    return status;
}

cairn_status cairn_world_set_poses(cairn_world* world, const double* poses, int count,
                                   cairn_error* error)
{
    cairn_status status = check_write(world, poses, &count, error);
    if (status == CAIRN_OK)
        status = check_poses(world, poses, count, error);
    for (int i = 0; i < count && status == CAIRN_OK; i++) {
        const double* to = poses + (ptrdiff_t)pose_size * i;
        if (differs(world, i, to, pose_size, store_pose))
            status = cairn_body_set_pose(world, cairn_world_body_at(world, i), pose_at(to), error);
    }
    return status;
}

cairn_status cairn_world_set_velocities(cairn_world* world, const double* velocities, int count,
                                        cairn_error* error)
{
    cairn_status status = check_write(world, velocities, &count, error);
    if (status == CAIRN_OK)
        status = check_velocities(world, velocities, count, error);

    for (int i = 0; i < count && status == CAIRN_OK; i++) {
        const double* n = velocities + (ptrdiff_t)velocity_size * i;
        if (differs(world, i, n, velocity_size, store_velocity) &&
            world->bodies[i].type != CAIRN_BODY_STATIC)
            status = cairn_body_set_velocity(world, cairn_world_body_at(world, i),
                                             cairn_vec(n[0], n[1], n[2]),
                                             cairn_vec(n[3], n[4], n[5]), error);
    }
    return status;
}
