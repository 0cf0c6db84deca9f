// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// What the binding adds to the interface: copies of many bodies at once, and calls that end when the
// user presses Ctrl-C. Python notes a signal and acts on it when the call has returned; so that this
// is soon, our handler cancels the computation and then calls Python's.

#include <signal.h>
#include <string.h>

static void (*volatile guarded_cancel)(void*);
static void* volatile guarded_object;
static struct sigaction guarded_before;

static void on_interrupt(int number, siginfo_t* info, void* context)
{
    if (guarded_cancel)
        guarded_cancel(guarded_object);
    if (guarded_before.sa_flags & SA_SIGINFO)
        guarded_before.sa_sigaction(number, info, context);
    else if (guarded_before.sa_handler != SIG_DFL && guarded_before.sa_handler != SIG_IGN)
        guarded_before.sa_handler(number);
}

// from the main thread alone
static void guard(void (*cancel)(void*), void* object)
{
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = on_interrupt;
    action.sa_flags = SA_SIGINFO;
    guarded_object = object;
    guarded_cancel = cancel;
    sigaction(SIGINT, &action, &guarded_before);
}

static void release(void)
{
    sigaction(SIGINT, &guarded_before, NULL);
    guarded_cancel = NULL;
}

static void cancel_world(void* world)
{
    cairn_world_cancel(world);
}

static void cancel_batch(void* batch)
{
    cairn_batch_cancel(batch);
}

static void cancel_flag(void* flag)
{
    cairn_cancel_raise(flag);
}

// `scene` or NULL: the world by itself; `done` receives how many steps were made
cairn_status glue_step(cairn_world* world, cairn_scene* scene, double dt, int steps,
                       bool main_thread, int* done, cairn_motion* motion, int* missed,
                       cairn_step_report* report, cairn_error* error)
{
    cairn_status status = CAIRN_OK;
    if (main_thread)
        guard(cancel_world, world);
    for (*done = 0, *missed = 0; *done < steps && status == CAIRN_OK; *done += status == CAIRN_OK) {
        status = scene ? cairn_scene_step(scene, dt, report, error)
                       : cairn_world_step(world, dt, report, error);
        if (status != CAIRN_OK)
            break;
        cairn_motion_add(motion, &report->motion);
        *missed += report->outcome != CAIRN_OUTCOME_CONVERGED;
    }
    if (main_thread)
        release();
    return status;
}

cairn_status glue_batch_step(cairn_batch* batch, double dt, int steps, const double* actions,
                             double* observations, int* missed, bool main_thread,
                             cairn_error* error)
{
    if (main_thread)
        guard(cancel_batch, batch);
    cairn_status status = cairn_batch_step(batch, dt, steps, actions, observations, missed, error);
    if (main_thread)
        release();
    return status;
}

cairn_status glue_solve(const cairn_problem* problem, const cairn_solve_def* def, double* lambda,
                        cairn_report* report, bool main_thread, cairn_error* error)
{
    cairn_cancel flag = {0};
    cairn_solve_def own = *def;
    own.cancel = &flag;
    if (main_thread)
        guard(cancel_flag, &flag);
    cairn_status status = cairn_solve(problem, &own, lambda, report, error);
    if (main_thread)
        release();
    return status;
}

// 13 numbers for each slot: position, quaternion, velocity, spin; zeros for empty ones
void glue_get_states(const cairn_world* world, double* states)
{
    int slots = cairn_world_body_slots(world);
    for (int i = 0; i < slots; i++) {
        cairn_body_id id = cairn_world_body_at(world, i);
        cairn_body_state s;
        double* to = states + 13 * (ptrdiff_t)i;
        if (id.generation == 0 || cairn_body_get(world, id, &s, NULL) != CAIRN_OK) {
            memset(to, 0, 13 * sizeof *to);
            continue;
        }
        memcpy(to, &s.pose, 7 * sizeof *to);
        memcpy(to + 7, &s.velocity, 3 * sizeof *to);
        memcpy(to + 10, &s.spin, 3 * sizeof *to);
    }
}

// 6 numbers for each slot: force at the center of mass and torque
cairn_status glue_add_forces(cairn_world* world, const double* forces, cairn_error* error)
{
    int slots = cairn_world_body_slots(world);
    cairn_status status = CAIRN_OK;
    for (int i = 0; i < slots && status == CAIRN_OK; i++) {
        const double* f = forces + 6 * (ptrdiff_t)i;
        cairn_body_id id = cairn_world_body_at(world, i);
        cairn_body_state s;
        bool none =
            f[0] == 0.0 && f[1] == 0.0 && f[2] == 0.0 && f[3] == 0.0 && f[4] == 0.0 && f[5] == 0.0;
        if (none || id.generation == 0)
            continue;
        status = cairn_body_get(world, id, &s, error);
        if (status == CAIRN_OK)
            status = cairn_body_add_force(world, id, cairn_vec(f[0], f[1], f[2]), s.center, error);
        if (status == CAIRN_OK)
            status = cairn_body_add_torque(world, id, cairn_vec(f[3], f[4], f[5]), error);
    }
    return status;
}

typedef struct glue_hits {
    cairn_body_hit* hits;
    int count, room;
} glue_hits;

static bool keep_hit(void* context, const cairn_body_hit* hit)
{
    glue_hits* all = context;
    if (all->count < all->room)
        all->hits[all->count] = *hit;
    all->count++;
    return true;
}

static bool keep_body(void* context, cairn_body_id body)
{
    glue_hits* all = context;
    if (all->count < all->room)
        all->hits[all->count].body = body;
    all->count++;
    return true;
}

// all hits of a ray; gives how many there are, of which `room` are kept
cairn_status glue_cast_ray_all(const cairn_world* world, cairn_vec3 origin, cairn_vec3 way,
                               uint32_t mask, cairn_body_hit* hits, int room, int* count,
                               cairn_error* error)
{
    glue_hits all = {hits, 0, room};
    cairn_status status = cairn_world_cast_ray_all(world, origin, way, mask, keep_hit, &all, error);
    *count = all.count;
    return status;
}

// the bodies that share a point with a shape
cairn_status glue_overlap(const cairn_world* world, const cairn_shape* shape, cairn_transform pose,
                          uint32_t mask, cairn_body_hit* hits, int room, int* count,
                          cairn_error* error)
{
    glue_hits all = {hits, 0, room};
    cairn_status status = cairn_world_overlap(world, shape, pose, mask, keep_body, &all, error);
    *count = all.count;
    return status;
}
