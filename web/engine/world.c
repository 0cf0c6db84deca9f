// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// A world for JavaScript: after every call its bodies and contacts lie in plain arrays, which the
// page sees as typed arrays over the memory of the module.

#include "exports.h"
#include "io/recording/stage.h"
#include "view_needs.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/// The places of the report.
enum {
    report_step,
    report_time,
    report_residual,
    report_residual_velocity,
    report_penetration,
    report_joint_error,
    report_kinetic,
    report_potential,
    report_islands,
    report_awake,
    report_outcome,
    report_motion_penetration,
    report_motion_joint_error,
    report_energy_defect,
    report_substeps,
    report_rested,
    report_size
};

struct web_world {
    cairn_scene* scene;
    double dt;
    cairn_step_report report;
    web_arrays arrays;
    uint64_t hash;
    double numbers[report_size];
    int pose_room, velocity_room, state_room, pair_room, point_room;
};

void* cairn_web_alloc(size_t size)
{
    return malloc(size);
}

void cairn_web_free(void* memory)
{
    free(memory);
}

const char* cairn_web_version(void)
{
    return cairn_version();
}

// ---------------------------------------------------------------- the arrays

static bool reserve(web_world* w, int slots, int contacts)
{
    web_arrays* a = &w->arrays;
    return cairn_grow((void**)&a->poses, &w->pose_room, slots, 7 * sizeof(double)) &&
           cairn_grow((void**)&a->velocities, &w->velocity_room, slots, 6 * sizeof(double)) &&
           cairn_grow((void**)&a->states, &w->state_room, slots, sizeof(int32_t)) &&
           cairn_grow((void**)&a->pairs, &w->pair_room, contacts, 3 * sizeof(int32_t)) &&
           cairn_grow((void**)&a->points, &w->point_room, contacts, 10 * sizeof(double));
}

static void put_vector(double* to, cairn_vec3 v)
{
    to[0] = v.x;
    to[1] = v.y;
    to[2] = v.z;
}

static void show_body(web_arrays* a, const cairn_world* world, int slot)
{
    cairn_body_state s;
    cairn_body_id id = cairn_world_body_at(world, slot);
    a->states[slot] = 0;
    if (id.generation == 0 || cairn_body_get(world, id, &s, NULL) != CAIRN_OK)
        return;
    double* pose = a->poses + 7 * (size_t)slot;
    put_vector(pose, s.pose.p);
    pose[3] = s.pose.q.w;
    put_vector(pose + 4, cairn_vec(s.pose.q.x, s.pose.q.y, s.pose.q.z));
    put_vector(a->velocities + 6 * (size_t)slot, s.velocity);
    put_vector(a->velocities + 6 * (size_t)slot + 3, s.spin);
    a->states[slot] = s.frozen ? 4 : isinf(s.mass) ? 3 : s.asleep ? 2 : 1;
}

static void show_contacts(web_arrays* a, const cairn_contact* contacts, int count)
{
    for (int i = 0; i < count; i++) {
        const cairn_contact* c = &contacts[i];
        int32_t* pair = a->pairs + 3 * (size_t)i;
        double* point = a->points + 10 * (size_t)i;
        pair[0] = (int32_t)c->body_a.index;
        pair[1] = (int32_t)c->body_b.index;
        pair[2] = (int32_t)c->state;
        put_vector(point, c->point);
        put_vector(point + 3, c->normal);
        put_vector(point + 6, c->impulse);
        point[9] = c->gap;
    }
}

static void show_report(web_world* w)
{
    const cairn_step_report* r = &w->report;
    double* to = w->numbers;

    to[report_step] = (double)r->step;
    to[report_time] = r->time;
    to[report_residual] = r->residual;
    to[report_residual_velocity] = r->residual_velocity;
    to[report_penetration] = r->penetration;
    to[report_joint_error] = r->joint_error;
    to[report_kinetic] = r->kinetic;
    to[report_potential] = r->potential;
    to[report_islands] = r->islands;
    to[report_awake] = r->awake;
    to[report_outcome] = (double)r->outcome;

    to[report_motion_penetration] = r->motion.penetration;
    to[report_motion_joint_error] = r->motion.joint_error;
    to[report_energy_defect] = r->motion.energy_defect;
    to[report_substeps] = r->motion.substeps_max;
    to[report_rested] = r->rested;
}

// brings the arrays to the state of the world
static cairn_status show(web_world* w)
{
    const cairn_world* world = cairn_scene_world(w->scene);
    int count, slots = cairn_world_body_slots(world);
    const cairn_contact* contacts = cairn_world_contacts(world, &count);

    if (!reserve(w, slots, count))
        return cairn_fail(cairn_web_said(), CAIRN_NO_MEMORY, "no memory for %d bodies", slots);

    for (int i = 0; i < slots; i++)
        show_body(&w->arrays, world, i);
    show_contacts(&w->arrays, contacts, count);
    show_report(w);

    w->arrays.slots = (uint32_t)slots;
    w->arrays.contacts = (uint32_t)count;
    w->arrays.report = w->numbers;
    w->arrays.method = w->report.method ? w->report.method : "none";
    w->hash = cairn_world_hash(world);
    w->arrays.hash = &w->hash;
    return CAIRN_OK;
}

const web_arrays* cairn_web_world_arrays(web_world* w)
{
    return &w->arrays;
}

// ---------------------------------------------------------------- life

web_world* cairn_web_world(const char* text, size_t size, const char* method,
                           const web_options* options)
{
    web_world* w = calloc(1, sizeof *w);
    if (!w) {
        cairn_fail(cairn_web_said(), CAIRN_NO_MEMORY, "no memory for a world");
        return NULL;
    }

    cairn_vec3 gravity = cairn_vec(options->gravity[0], options->gravity[1], options->gravity[2]);
    cairn_scene_def def = {.method = method && method[0] ? method : NULL,
                           .tolerance = options->tolerance,
                           .substeps = (int)options->substeps,
                           .threads =
                               options->threads > 0.0 ? (int)options->threads : view_threads(),
                           .gravity = options->has_gravity != 0.0 ? &gravity : NULL};

    if (cairn_scene_read_text(text, size, "scene", &def, &w->scene, cairn_web_said()) != CAIRN_OK ||
        show(w) != CAIRN_OK) {
        cairn_web_world_free(w);
        return NULL;
    }

    w->dt = options->dt > 0.0 ? options->dt : cairn_scene_describe(w->scene).dt;
    return w;
}

void cairn_web_world_free(web_world* w)
{
    if (!w)
        return;
    cairn_scene_destroy(w->scene);
    free(w->arrays.poses);
    free(w->arrays.velocities);
    free(w->arrays.states);
    free(w->arrays.pairs);
    free(w->arrays.points);
    free(w);
}

cairn_status cairn_web_world_step(web_world* w, double dt)
{
    cairn_status status =
        cairn_scene_step(w->scene, dt > 0.0 ? dt : w->dt, &w->report, cairn_web_said());
    return status == CAIRN_OK ? show(w) : status;
}

// ---------------------------------------------------------------- bodies

static cairn_body_id body_of(const web_world* w, int slot)
{
    return cairn_world_body_at(cairn_scene_world(w->scene), slot);
}

static cairn_status done(web_world* w, cairn_status status)
{
    return status == CAIRN_OK ? show(w) : status;
}

static cairn_vec3 vector_at(const double* x)
{
    return cairn_vec(x[0], x[1], x[2]);
}

static cairn_transform pose_at(const double* x)
{
    return (cairn_transform){vector_at(x), {x[3], x[4], x[5], x[6]}};
}

int cairn_web_world_find(web_world* w, const char* name)
{
    cairn_body_id id;
    return cairn_scene_find(w->scene, name, &id) ? (int)id.index : -1;
}

// shape (0 sphere, 1 box, 2 capsule, 3 cylinder, 4 ellipsoid, 5 cone, 6 tapered capsule), three
// sizes; pose (7), velocity (3), spin (3); density, friction, restitution, type (0 dynamic, 1
// kinematic, 2 static)
int cairn_web_world_add(web_world* w, const double* x)
{
    int kind = (int)x[0];
    cairn_shape shape = kind == 0   ? cairn_shape_sphere(x[1])
                        : kind == 1 ? cairn_shape_box(cairn_vec(x[1], x[2], x[3]))
                        : kind == 2 ? cairn_shape_capsule(x[1], x[2])
                        : kind == 4 ? cairn_shape_ellipsoid(cairn_vec(x[1], x[2], x[3]))
                        : kind == 5 ? cairn_shape_cone(x[1], x[2])
                        : kind == 6 ? cairn_shape_tapered_capsule(x[1], x[3], x[2])
                                    : cairn_shape_cylinder(x[1], x[2]);

    cairn_body_def def = cairn_default_body_def();
    cairn_body_id id;

    def.shape = &shape;
    def.pose = pose_at(x + 4);
    def.velocity = vector_at(x + 11);
    def.spin = vector_at(x + 14);
    def.density = x[17];
    def.material.mu = def.material.mu_across = x[18];
    def.material.restitution = x[19];
    def.type = (cairn_body_type)(int)x[20];

    cairn_status status =
        cairn_world_add_body(cairn_scene_world(w->scene), &def, &id, cairn_web_said());
    return status == CAIRN_OK && show(w) == CAIRN_OK ? (int)id.index : -1;
}

cairn_status cairn_web_world_remove(web_world* w, int slot)
{
    return done(w, cairn_world_remove_body(cairn_scene_world(w->scene), body_of(w, slot),
                                           cairn_web_said()));
}

cairn_status cairn_web_world_set_pose(web_world* w, int slot, const double* pose)
{
    return done(w, cairn_body_set_pose(cairn_scene_world(w->scene), body_of(w, slot), pose_at(pose),
                                       cairn_web_said()));
}

cairn_status cairn_web_world_set_velocity(web_world* w, int slot, const double* velocity)
{
    return done(w, cairn_body_set_velocity(cairn_scene_world(w->scene), body_of(w, slot),
                                           vector_at(velocity), vector_at(velocity + 3),
                                           cairn_web_said()));
}

cairn_status cairn_web_world_push(web_world* w, int slot, const double* force)
{
    return cairn_body_add_force(cairn_scene_world(w->scene), body_of(w, slot), vector_at(force),
                                vector_at(force + 3), cairn_web_said());
}

cairn_status cairn_web_world_set_gravity(web_world* w, const double* gravity)
{
    return cairn_world_set_gravity(cairn_scene_world(w->scene), vector_at(gravity),
                                   cairn_web_said());
}

cairn_status cairn_web_world_set_method(web_world* w, const char* method, double tolerance)
{
    cairn_world* world = cairn_scene_world(w->scene);
    cairn_world_def def = cairn_world_get_def(world);
    if (!(tolerance > 0.0))
        tolerance = cairn_world_def_tolerance(&def);
    return cairn_world_set_method(world, method, tolerance, def.sweeps, cairn_web_said());
}

int cairn_web_world_ray(web_world* w, const double* ray, double* hit)
{
    cairn_body_hit found;
    cairn_status status =
        cairn_world_cast_ray(cairn_scene_world(w->scene), vector_at(ray), vector_at(ray + 3),
                             UINT32_MAX, &found, cairn_web_said());
    if (status != CAIRN_OK || found.body.generation == 0)
        return -1;
    put_vector(hit, found.point);
    put_vector(hit + 3, found.normal);
    hit[6] = found.t;
    return (int)found.body.index;
}

// ---------------------------------------------------------------- snapshots

cairn_snapshot* cairn_web_world_snapshot(web_world* w)
{
    cairn_snapshot* snapshot = NULL;
    cairn_world_snapshot(cairn_scene_world(w->scene), &snapshot, cairn_web_said());
    return snapshot;
}

cairn_status cairn_web_world_restore(web_world* w, const cairn_snapshot* snapshot)
{
    return done(w, cairn_scene_restore(w->scene, snapshot, cairn_web_said()));
}

void cairn_web_snapshot_free(cairn_snapshot* snapshot)
{
    cairn_snapshot_destroy(snapshot);
}
