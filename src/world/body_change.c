// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Changes of bodies while the world runs. All is checked, and memory is asked for, before the first
// number changes. A body that was taken out by choice is a frozen one that may come back.
//
// Joints hold on to the principal frame of a body. Where that moves within the body, from P to P',
// their frames F become P'^-1 P F, and the velocity is that of the new center c':
//
//     v' = v + ω × (c' - c).

#include "collide/broad.h"
#include "math/accept.h"
#include "world/sleep/sleep.h"
#include <cairn/body.h>

// wakes a body and what it held, and forgets how it was stepped: it is another one from now on
static void renew(cairn_world* world, cairn_body* body)
{
    cairn_world_wake_around(world, (int)(body - world->bodies));
    body->moved = true;
    body->pace = (cairn_pace){0};
    world->version++;
}

// sets the inverse mass by the type; a frozen body has an infinite mass
static void settle_mass(cairn_body* body)
{
    bool dynamic = body->type == CAIRN_BODY_DYNAMIC && !body->frozen;
    body->inverse_mass = dynamic ? 1.0 / body->mass : 0.0;
    body->inverse_inertia = cairn_mat3_diagonal(0.0, 0.0, 0.0);
    cairn_body_refresh(body);
}

// CAIRN_NO_MEMORY, which changes nothing, or CAIRN_OK
static cairn_status tell_broad(cairn_world* world, const cairn_body* body, cairn_error* error)
{
    cairn_filter filter = cairn_body_filter(body);
    if (body->proxy < 0 || cairn_broad_set_filter(world->broad, body->proxy, &filter) == CAIRN_OK)
        return CAIRN_OK;
    return cairn_fail(error, CAIRN_NO_MEMORY, "no memory to change a body");
}

// ---------------------------------------------------------------- mass

// moves the principal frame of a body within it, to that of `as`
static void reframe(cairn_world* world, cairn_body* body, const cairn_body* as)
{
    int slot = (int)(body - world->bodies);
    cairn_transform pose = cairn_body_pose(body), old = body->principal;
    cairn_vec3 center = body->x;

    // joint frames stay where they are in the body, as seen from the new principal frame
    for (int i = 0; i < world->link_count; i++) {
        cairn_link* link = &world->links[i];
        if (!link->alive || (link->a != slot && link->b != slot))
            continue;
        cairn_transform* frame = link->a == slot ? &link->frame_a : &link->frame_b;
        *frame = cairn_transform_relative(as->principal, cairn_transform_multiply(old, *frame));
    }

    cairn_body_set_principal(body, as->principal);
    body->offset = as->offset;
    body->inertia = as->inertia;
    body->mass = as->mass;
    body->weighed = as->weighed;

    // v is that of the center of mass, which may have moved: v + ω x (x' - x)
    cairn_body_place(body, pose);
    body->v = cairn_add(body->v, cairn_cross(body->w, cairn_sub(body->x, center)));

    settle_mass(body);
    cairn_body_measure(world, body);
}

// the def of a body that is or becomes dynamic
static cairn_body_def def_of(const cairn_body* body)
{
    cairn_body_def def = cairn_default_body_def();
    def.shape = body->shaped ? &body->shape : NULL;
    def.shape_offset = cairn_transform_multiply(body->principal, body->offset);
    def.parts = body->parts;
    return def;
}

cairn_status cairn_body_set_type(cairn_world* world, cairn_body_id id, cairn_body_type type,
                                 cairn_error* error)
{
    cairn_body* body;
    cairn_status status = cairn_body_find(&body, world, id, error);
    if (status != CAIRN_OK)
        return status;

    if ((unsigned)type > CAIRN_BODY_STATIC)
        return cairn_fail(error, CAIRN_BAD_INPUT, "%d is not a type of body", (int)type);

    if (type == body->type)
        return CAIRN_OK;

    // the mass of a body that never had one
    cairn_body as = *body;
    as.type = type;
    if (type == CAIRN_BODY_DYNAMIC && !body->weighed) {
        cairn_body_def def = def_of(body);
        def.mass = body->mass;
        cairn_shape_kind kind = body->shape.kind;
        if (body->shaped && (kind == CAIRN_SHAPE_MESH || kind == CAIRN_SHAPE_HEIGHT_FIELD))
            return cairn_fail(error, CAIRN_BAD_INPUT, "a %s cannot be dynamic",
                              cairn_shape_name(kind));
        status = cairn_body_weigh(&as, &def, error);
    }
    if (status == CAIRN_OK)
        status = tell_broad(world, &as, error);
    if (status != CAIRN_OK)
        return status;

    renew(world, body);
    body->type = type;
    body->aimed = false;
    body->belt = body->belt && type == CAIRN_BODY_KINEMATIC;
    reframe(world, body, &as);

    if (type == CAIRN_BODY_STATIC)
        body->v = body->w = cairn_vec(0.0, 0.0, 0.0);
    if (type != CAIRN_BODY_DYNAMIC)
        body->force = body->torque = cairn_vec(0.0, 0.0, 0.0);
    return CAIRN_OK;
}

static cairn_status find_dynamic(cairn_body** body, cairn_world* world, cairn_body_id id,
                                 cairn_error* error)
{
    cairn_status status = cairn_body_find(body, world, id, error);
    if (status == CAIRN_OK && (*body)->type != CAIRN_BODY_DYNAMIC)
        return cairn_fail(error, CAIRN_BAD_INPUT, "body %d is not dynamic: it has no mass",
                          (int)id.index);
    return status;
}

cairn_status cairn_body_set_mass(cairn_world* world, cairn_body_id id, double mass,
                                 cairn_error* error)
{
    cairn_body* body;
    cairn_status status = cairn_accept(error, "the mass", mass, CAIRN_A_MASS);
    if (status == CAIRN_OK)
        status = find_dynamic(&body, world, id, error);
    if (status != CAIRN_OK)
        return status;

    cairn_vec3 inertia = cairn_scale(mass / body->mass, body->inertia);
    status = cairn_accept_vec(error, "a principal moment of the body", inertia, CAIRN_A_MOMENT);
    if (status != CAIRN_OK)
        return status;

    renew(world, body);
    body->mass = mass;
    body->inertia = inertia;
    settle_mass(body);
    return CAIRN_OK;
}

cairn_status cairn_body_set_inertia(cairn_world* world, cairn_body_id id, cairn_vec3 center,
                                    cairn_mat3 inertia, cairn_error* error)
{
    cairn_body* body;

    cairn_status status = find_dynamic(&body, world, id, error);
    if (status == CAIRN_OK)
        status = cairn_accept_vec(error, "the center of mass", center, CAIRN_A_COORDINATE);
    if (status == CAIRN_OK)
        status = cairn_accept_inertia(inertia, error);
    if (status != CAIRN_OK)
        return status;

    // the same body with another principal frame
    cairn_body as = *body;
    cairn_body_def def = def_of(body);
    def.mass = body->mass;
    def.inertia = inertia;
    def.centered = true;
    def.center = center;
    if (cairn_norm(inertia.cx) + cairn_norm(inertia.cy) + cairn_norm(inertia.cz) == 0.0)
        return cairn_fail(error, CAIRN_BAD_INPUT, "the inertia is zero, expected moments > 0");

    status = cairn_body_weigh(&as, &def, error);
    if (status != CAIRN_OK)
        return status;

    renew(world, body);
    reframe(world, body, &as);
    return CAIRN_OK;
}

// ---------------------------------------------------------------- shape

// the pairs that the proxy of the old shape was kept from; an insertion shifts the list, so that some
// are met twice, none is missed
static bool inherit_excluded(cairn_broad* broad, int old, int fresh)
{
    int count = 0;
    for (int i = 0; old >= 0 && i < (cairn_broad_excluded(broad, &count), count); i++) {
        cairn_pair pair = cairn_broad_excluded(broad, NULL)[i];
        int other = pair.a == old ? pair.b : pair.b == old ? pair.a : -1;
        if (other >= 0 && cairn_broad_exclude(broad, fresh, other, true) != CAIRN_OK)
            return false;
    }
    return true;
}

// The pairs of the old shape end and those of the new one begin: a new proxy takes the place of the
// old one and is kept from what that was kept from; joints exclude also where there was no shape. The
// old one is there until nothing can fail.
static cairn_status renew_proxy(cairn_world* world, const cairn_body* body, int* proxy)
{
    cairn_filter filter = cairn_body_filter(body);
    int slot = (int)(body - world->bodies);
    cairn_aabb box = cairn_shape_aabb(&body->shape, cairn_body_shape_pose(body));

    if (!cairn_world_reserve_proxy(world, cairn_broad_next(world->broad)))
        return CAIRN_NO_MEMORY;

    *proxy = cairn_broad_add(world->broad, box, &filter);
    if (*proxy < 0)
        return CAIRN_NO_MEMORY;

    for (int i = 0; i < world->link_count; i++) {
        const cairn_link* link = &world->links[i];
        bool held = link->alive && !link->collide && link->a != CAIRN_WORLD_BODY &&
                    (link->a == slot || link->b == slot);

        int other = held ? world->bodies[link->a == slot ? link->b : link->a].proxy : -1;
        if (other >= 0 && cairn_broad_exclude(world->broad, *proxy, other, true) != CAIRN_OK) {
            cairn_broad_remove(world->broad, *proxy);
            return CAIRN_NO_MEMORY;
        }
    }

    if (!inherit_excluded(world->broad, body->proxy, *proxy)) {
        cairn_broad_remove(world->broad, *proxy);
        return CAIRN_NO_MEMORY;
    }

    world->proxy_body[*proxy] = slot;
    return CAIRN_OK;
}

cairn_status cairn_body_set_shape(cairn_world* world, cairn_body_id id, const cairn_shape* shape,
                                  cairn_transform offset, const cairn_part* parts, double density,
                                  cairn_error* error)
{
    cairn_body* body;
    cairn_status status = cairn_body_find(&body, world, id, error);

    if (status == CAIRN_OK && !shape)
        return cairn_refuse_null(error, "the shape");

    if (status == CAIRN_OK)
        status = cairn_shape_check(shape, error);
    if (status == CAIRN_OK)
        status = cairn_accept_parts(shape, parts, error);
    if (status == CAIRN_OK)
        status = cairn_accept_pose(error, "a coordinate of the shape's offset", offset);
    if (status == CAIRN_OK)
        status =
            cairn_accept(error, "the density", density == 0.0 ? 1.0 : density, CAIRN_A_DENSITY);
    if (status != CAIRN_OK)
        return status;

    if (body->type == CAIRN_BODY_DYNAMIC &&
        (shape->kind == CAIRN_SHAPE_MESH || shape->kind == CAIRN_SHAPE_HEIGHT_FIELD))
        return cairn_fail(error, CAIRN_BAD_INPUT, "a %s cannot be dynamic",
                          cairn_shape_name(shape->kind));

    // the body as it will be
    cairn_body as = *body;
    cairn_body_def def = cairn_default_body_def();
    offset.q = cairn_quat_normalize(offset.q);
    as.shaped = true;
    as.shape = *shape;
    as.parts = parts;
    as.offset = cairn_transform_relative(as.principal, offset);

    def.shape = shape;
    def.shape_offset = offset;
    def.parts = parts;
    def.density = density;

    if (density > 0.0 && body->type == CAIRN_BODY_DYNAMIC)
        status = cairn_body_weigh(&as, &def, error);
    if (status != CAIRN_OK)
        return status;

    // the old shape leaves with its pairs
    cairn_body old = *body;
    int proxy;
    body->shaped = true;
    body->shape = as.shape;
    body->offset = as.offset;
    body->parts = parts;
    status = renew_proxy(world, body, &proxy);
    if (status != CAIRN_OK) {
        *body = old;
        return cairn_fail(error, status, "no memory for another shape");
    }

    renew(world, body);
    if (old.proxy >= 0)
        cairn_broad_remove(world->broad, old.proxy);

    body->proxy = proxy;
    body->weighed = old.weighed && body->type == CAIRN_BODY_DYNAMIC;
    reframe(world, body, &as);
    return CAIRN_OK;
}

// ---------------------------------------------------------------- numbers

cairn_status cairn_body_set_damping(cairn_world* world, cairn_body_id id, double linear,
                                    double angular, cairn_error* error)
{
    cairn_body* body;
    const cairn_given numbers[] = {{"the linear damping", linear, CAIRN_A_RATE},
                                   {"the angular damping", angular, CAIRN_A_RATE}};
    cairn_status status = cairn_accept_all(error, numbers, 2);
    if (status == CAIRN_OK)
        status = cairn_body_touch(&body, world, id, error);
    if (status != CAIRN_OK)
        return status;
    body->linear_damping = linear;
    body->angular_damping = angular;
    return CAIRN_OK;
}

cairn_status cairn_body_set_gravity_scale(cairn_world* world, cairn_body_id id, double scale,
                                          cairn_error* error)
{
    cairn_body* body;
    cairn_status status = cairn_accept(error, "the gravity scale", scale, CAIRN_A_FACTOR);
    if (status == CAIRN_OK)
        status = cairn_body_touch(&body, world, id, error);
    if (status == CAIRN_OK)
        body->gravity_scale = scale;
    return status;
}

cairn_status cairn_body_set_user(cairn_world* world, cairn_body_id id, void* user,
                                 cairn_error* error)
{
    cairn_status status = cairn_world_may_change(world, error);
    cairn_body* body = status == CAIRN_OK ? cairn_world_body(world, id, error) : NULL;
    if (body)
        body->user = user;
    return body ? CAIRN_OK : status == CAIRN_OK ? CAIRN_BAD_INPUT : status;
}

cairn_status cairn_body_allow_sleep(cairn_world* world, cairn_body_id id, bool allowed,
                                    cairn_error* error)
{
    cairn_body* body;
    cairn_status status = cairn_body_touch(&body, world, id, error);
    if (status == CAIRN_OK)
        body->sleepless = !allowed;
    return status;
}

// ---------------------------------------------------------------- whom it meets

cairn_status cairn_body_set_filter(cairn_world* world, cairn_body_id id, uint32_t category,
                                   uint32_t mask, cairn_error* error)
{
    cairn_body* body;
    cairn_status status = cairn_body_find(&body, world, id, error);
    if (status != CAIRN_OK)
        return status;
    cairn_world_wake_around(world, id.index);
    body->category = category;
    body->mask = mask;

    // pairs may go on, of parts with filters of their own: their manifolds are found anew
    body->moved = body->replaced = true;
    world->version++;
    return tell_broad(world, body, error);
}

cairn_status cairn_body_set_enabled(cairn_world* world, cairn_body_id id, bool enabled,
                                    cairn_error* error)
{
    cairn_body* body;
    cairn_status status = cairn_body_find(&body, world, id, error);
    if (status != CAIRN_OK || enabled == !body->disabled)
        return status;
    renew(world, body);
    body->disabled = body->frozen = !enabled;
    body->aimed = false;
    body->v = body->w = cairn_vec(0.0, 0.0, 0.0);
    body->force = body->torque = body->v;
    settle_mass(body);
    return tell_broad(world, body, error);
}

// ---------------------------------------------------------------- motion

cairn_status cairn_body_set_target(cairn_world* world, cairn_body_id id, cairn_transform pose,
                                   double dt, cairn_error* error)
{
    cairn_body* body;
    cairn_status status = cairn_accept_pose(error, "a coordinate of the target", pose);
    if (status == CAIRN_OK)
        status = cairn_accept(error, "the step", dt, CAIRN_A_STEP);
    if (status == CAIRN_OK)
        status = cairn_body_find(&body, world, id, error);
    if (status != CAIRN_OK)
        return status;

    if (body->type != CAIRN_BODY_KINEMATIC || body->belt || body->disabled)
        return cairn_fail(error, CAIRN_BAD_INPUT,
                          "body %d is not a kinematic one that moves: it takes no target",
                          (int)id.index);

    // x' = x + dt v,  q' = exp(dt ω) q
    pose.q = cairn_quat_normalize(pose.q);
    cairn_transform to = cairn_transform_multiply(pose, body->principal);
    cairn_quat back = {body->q.w, -body->q.x, -body->q.y, -body->q.z};
    cairn_vec3 turn = cairn_quat_to_rotation_vector(cairn_quat_multiply(to.q, back));
    cairn_vec3 v = cairn_scale(1.0 / dt, cairn_sub(to.p, body->x));
    cairn_vec3 w = cairn_scale(1.0 / dt, turn);

    status = cairn_accept_vec(error, "the velocity to the target", v, CAIRN_A_VELOCITY);
    if (status == CAIRN_OK)
        status = cairn_accept_vec(error, "the spin to the target", w, CAIRN_A_VELOCITY);
    if (status == CAIRN_OK)
        status = cairn_body_touch(&body, world, id, error);
    if (status != CAIRN_OK)
        return status;

    body->v = v;
    body->w = w;
    body->aimed = true;
    return CAIRN_OK;
}

cairn_status cairn_body_velocity_at(const cairn_world* world, cairn_body_id id, cairn_vec3 point,
                                    cairn_vec3* velocity, cairn_error* error)
{
    const cairn_body* body = cairn_world_body(world, id, error);
    if (!body)
        return CAIRN_BAD_INPUT;
    if (!velocity)
        return cairn_refuse_null(error, "the place for the velocity");
    cairn_status status = cairn_accept_vec(error, "the point", point, CAIRN_A_COORDINATE);
    if (status == CAIRN_OK)
        *velocity = cairn_add(body->v, cairn_cross(body->w, cairn_sub(point, body->x)));
    return status;
}

cairn_status cairn_body_add_force_local(cairn_world* world, cairn_body_id id, cairn_vec3 force,
                                        cairn_vec3 point, cairn_error* error)
{
    const cairn_body* body = cairn_world_body(world, id, error);
    if (!body)
        return CAIRN_BAD_INPUT;
    cairn_status status = cairn_accept_vec(error, "the force (N)", force, CAIRN_A_FORCE);
    if (status == CAIRN_OK)
        status = cairn_accept_vec(error, "the point", point, CAIRN_A_COORDINATE);
    if (status != CAIRN_OK)
        return status;
    cairn_transform pose = cairn_body_pose(body);
    return cairn_body_add_force(world, id, cairn_rotate(pose.q, force),
                                cairn_transform_point(pose, point), error);
}

cairn_status cairn_body_add_torque_local(cairn_world* world, cairn_body_id id, cairn_vec3 torque,
                                         cairn_error* error)
{
    const cairn_body* body = cairn_world_body(world, id, error);
    if (!body)
        return CAIRN_BAD_INPUT;
    cairn_status status = cairn_accept_vec(error, "the torque (N m)", torque, CAIRN_A_FORCE);
    if (status != CAIRN_OK)
        return status;
    return cairn_body_add_torque(world, id, cairn_rotate(cairn_body_pose(body).q, torque), error);
}
