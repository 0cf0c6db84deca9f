// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Listing what a world holds: its bodies and joints by slot, and their definitions read back.
// Inside, a body lies in the frame of its principal axes at the center of mass; users see the frame
// that they gave, and `principal` leads from the one to the other.

#include "math/accept.h"
#include "world/state.h"

cairn_world_def cairn_world_get_def(const cairn_world* world)
{
    return world ? world->def : cairn_default_world_def();
}

double cairn_world_time(const cairn_world* world)
{
    return world ? world->time : 0.0;
}

int64_t cairn_world_step_count(const cairn_world* world)
{
    return world ? world->step : 0;
}

// ---------------------------------------------------------------- slots

int cairn_world_body_slots(const cairn_world* world)
{
    return world ? world->body_count : 0;
}

int cairn_world_joint_slots(const cairn_world* world)
{
    return world ? world->link_count : 0;
}

cairn_body_id cairn_world_body_at(const cairn_world* world, int slot)
{
    bool taken = slot >= 0 && slot < cairn_world_body_slots(world) && world->bodies[slot].alive;
    return taken ? (cairn_body_id){slot, world->bodies[slot].generation} : (cairn_body_id){0};
}

cairn_joint_id cairn_world_joint_at(const cairn_world* world, int slot)
{
    bool taken = slot >= 0 && slot < cairn_world_joint_slots(world) && world->links[slot].alive;
    return taken ? (cairn_joint_id){slot, world->links[slot].generation} : (cairn_joint_id){0};
}

// ---------------------------------------------------------------- definitions

cairn_status cairn_body_get_mass(const cairn_world* world, cairn_body_id id, cairn_body_mass* mass,
                                 cairn_error* error)
{
    const cairn_body* body = cairn_world_body(world, id, error);
    if (!body)
        return CAIRN_BAD_INPUT;
    if (!mass)
        return cairn_refuse_null(error, "the place for the body's mass");
    bool dynamic = body->inverse_mass > 0.0;
    *mass = (cairn_body_mass){.mass = dynamic ? 1.0 / body->inverse_mass : (double)INFINITY,
                              .principal = body->principal,
                              .moments = dynamic ? body->inertia : (cairn_vec3){0.0, 0.0, 0.0}};
    return CAIRN_OK;
}

cairn_status cairn_body_get_def(const cairn_world* world, cairn_body_id id, cairn_body_def* def,
                                cairn_error* error)
{
    const cairn_body* body = cairn_world_body(world, id, error);
    if (!body)
        return CAIRN_BAD_INPUT;

    if (!def)
        return cairn_refuse_null(error, "the place for the body's def");

    *def = cairn_default_body_def();
    def->type = body->type;
    def->pose = cairn_body_pose(body);
    def->velocity = body->v;
    def->spin = body->w;

    // mass and inertia in the body's axes; bodies of infinite mass have none
    if (body->inverse_mass > 0.0) {
        def->mass = 1.0 / body->inverse_mass;
        def->inertia = cairn_principal_tensor(body->principal.q, body->inertia);
        def->centered = true;
        def->center = body->principal.p;
    }

    if (body->shaped) {
        def->shape = &body->shape;
        def->shape_offset = cairn_transform_multiply(body->principal, body->offset);
    }

    def->material = body->material;
    def->linear_damping = body->linear_damping;
    def->angular_damping = body->angular_damping;
    def->gravity_scale = body->gravity_scale;
    def->category = body->category;
    def->mask = body->mask;
    def->sleepless = body->sleepless;
    def->belt = body->belt;
    def->parts = body->parts;
    def->user = body->user;
    return CAIRN_OK;
}

// a joint frame as the user gave it
static cairn_transform user_frame(const cairn_world* world, int slot, cairn_transform frame)
{
    return slot >= 0 ? cairn_transform_multiply(world->bodies[slot].principal, frame) : frame;
}

cairn_status cairn_joint_get_def(const cairn_world* world, cairn_joint_id id, cairn_joint_def* def,
                                 cairn_error* error)
{
    const cairn_link* link = cairn_world_link(world, id, error);
    if (!link)
        return CAIRN_BAD_INPUT;

    if (!def)
        return cairn_refuse_null(error, "the place for the joint's def");

    const cairn_servo* servo = &link->servo;
    *def = (cairn_joint_def){.cookie = cairn_cookie,
                             .kind = link->kind,
                             .body_a = cairn_world_body_at(world, link->a),
                             .body_b = cairn_world_body_at(world, link->b),
                             .frame_a = user_frame(world, link->a, link->frame_a),
                             .frame_b = user_frame(world, link->b, link->frame_b),
                             .ratio = link->ratio,
                             .locks = link->locks,
                             .anchor_a = link->anchor_a,
                             .anchor_b = link->anchor_b,
                             .limited = link->limited,
                             .lo = link->lo,
                             .hi = link->hi,
                             .driven = link->driven && !servo->on,
                             .speed = servo->on ? 0.0 : link->speed,
                             .strength = servo->on ? servo->strength : link->strength,
                             .stiffness = servo->on ? servo->stiffness : link->stiffness,
                             .damping = servo->on ? servo->damping : link->damping,
                             .rest = servo->on ? servo->target : link->rest,
                             .servo = servo->on,
                             .break_force = link->break_force,
                             .break_torque = link->break_torque,
                             .user = link->user,
                             .collide = link->collide,
                             .surface = link->surface,
                             .radius = link->radius,
                             .tube = link->tube,
                             .roller = link->roller,
                             .wheel = link->wheel};
    return CAIRN_OK;
}
