// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Bodies: making them, finding them by id, reading and pushing them. A body is stored in the frame
// of its principal axes at its center of mass, where the inertia is three numbers and free rotation
// is exact.

#include "collide/broad.h"
#include "math/accept.h"
#include "math/array.h"
#include "world/sleep/sleep.h"
#include "world/step/rotation.h"

cairn_material cairn_default_material(void)
{
    return (cairn_material){.mu = 0.5};
}

cairn_part cairn_default_part(void)
{
    return (cairn_part){.material = cairn_default_material(),
                        .density = 1000.0,
                        .category = 1,
                        .mask = CAIRN_MASK_ALL};
}

cairn_body_def cairn_default_body_def(void)
{
    return (cairn_body_def){.cookie = cairn_cookie,
                            .pose = cairn_transform_identity(),
                            .shape_offset = cairn_transform_identity(),
                            .density = 1000.0,
                            .material = cairn_default_material(),
                            .gravity_scale = 1.0,
                            .category = 1,
                            .mask = 0xffffffffu};
}

// ---------------------------------------------------------------- ids

cairn_body* cairn_world_body(const cairn_world* world, cairn_body_id id, cairn_error* error)
{
    if (cairn_world_may_read(world, error) != CAIRN_OK)
        return NULL;

    if (id.generation == 0) {
        cairn_fail(error, CAIRN_BAD_INPUT, "the body id is none, expected a body of this world");
        return NULL;
    }

    if (id.index >= 0 && id.index < world->body_count) {
        cairn_body* body = &world->bodies[id.index];
        if (body->alive && body->generation == id.generation)
            return body;
    }

    cairn_fail(error, CAIRN_BAD_INPUT,
               "body %d (generation %u) is not in this world: it was removed or never added",
               (int)id.index, (unsigned)id.generation);
    return NULL;
}

// room for one more body
static bool reserve_body(cairn_world* world)
{
    if (world->body_free >= 0 || world->body_count < world->body_capacity)
        return true;
    int capacity = world->body_capacity ? 2 * world->body_capacity : 16;
    cairn_body* bodies = CAIRN_GROW_ARRAY(world->bodies, cairn_body, world->body_count, capacity);
    if (!bodies)
        return false;
    world->bodies = bodies;
    world->body_capacity = capacity;
    return true;
}

// a slot, for which there is room
static int take_slot(cairn_world* world)
{
    int index = world->body_free;
    if (index >= 0) {
        world->body_free = (int)world->bodies[index].x.x;
        return index;
    }
    index = world->body_count++;
    world->bodies[index].generation = 0;
    return index;
}

// ---------------------------------------------------------------- frames

void cairn_body_refresh(cairn_body* body)
{
    if (body->inverse_mass == 0.0) {
        body->inverse_inertia = cairn_mat3_diagonal(0.0, 0.0, 0.0);
        return;
    }
    // the inertia of a round body does not change with q
    cairn_vec3 I = body->inertia;
    if (I.x == I.y && I.y == I.z && body->inverse_inertia.cx.x > 0.0)
        return;
    cairn_vec3 inverse = {1.0 / I.x, 1.0 / I.y, 1.0 / I.z};
    body->inverse_inertia = cairn_principal_tensor(body->q, inverse);
}

static cairn_transform inverse(cairn_transform x)
{
    return cairn_transform_relative(x, cairn_transform_identity());
}

cairn_transform cairn_body_pose(const cairn_body* body)
{
    cairn_transform here = {body->x, body->q};
    return cairn_transform_multiply(here, inverse(body->principal));
}

void cairn_body_set_principal(cairn_body* body, cairn_transform principal)
{
    cairn_vec3 p = principal.p;
    body->principal = principal;
    body->plain = principal.q.w == 1.0 && p.x == 0.0 && p.y == 0.0 && p.z == 0.0;
}

cairn_transform cairn_body_shape_pose(const cairn_body* body)
{
    cairn_transform here = {body->x, body->q};
    return cairn_transform_multiply(here, body->offset);
}

void cairn_body_place(cairn_body* body, cairn_transform pose)
{
    cairn_transform here = cairn_transform_multiply(pose, body->principal);
    body->x = here.p;
    body->q = cairn_quat_normalize(here.q);
    cairn_body_refresh(body);
}

void cairn_body_displace(cairn_body* body, const double* d)
{
    cairn_vec3 by = cairn_vec(d[3], d[4], d[5]);
    body->x = cairn_add(body->x, cairn_vec(d[0], d[1], d[2]));
    if (body->round && cairn_dot(by, by) == 0.0)
        return; // a ball is pushed through its center
    cairn_quat turn = cairn_turn_by(by);
    body->q = cairn_quat_normalize(cairn_quat_multiply(turn, body->q));
    cairn_body_refresh(body);
}

// ---------------------------------------------------------------- making and removing

static cairn_status check_material(const cairn_material* m, cairn_error* error)
{
    const cairn_given numbers[] = {{"the friction coefficient", m->mu, CAIRN_A_FRICTION},
                                   {"the friction across", m->mu_across, CAIRN_A_FRICTION},
                                   {"the spin friction", m->mu_spin, CAIRN_A_FRICTION},
                                   {"the static friction", m->mu_static, CAIRN_A_FRICTION},
                                   {"the rolling resistance", m->mu_roll, CAIRN_A_FRICTION},
                                   {"the restitution", m->restitution, CAIRN_A_SHARE},
                                   {"the contact stiffness", m->stiffness, CAIRN_A_STIFFNESS},
                                   {"the contact damping", m->damping, CAIRN_A_STIFFNESS}};

    cairn_status status = cairn_accept_all(error, numbers, 8);
    if (status == CAIRN_OK)
        status =
            cairn_accept_vec(error, "the friction direction", m->direction, CAIRN_A_COORDINATE);

    if (status == CAIRN_OK)
        status =
            cairn_accept_vec(error, "the surface velocity", m->surface_velocity, CAIRN_A_VELOCITY);

    // a direction that has no length to double precision would be taken for none
    bool directed = m->direction.x != 0.0 || m->direction.y != 0.0 || m->direction.z != 0.0;
    if (status == CAIRN_OK && directed)
        status = cairn_accept(error, "the length of the friction direction",
                              cairn_norm(m->direction), CAIRN_A_SIZE);
    if (status != CAIRN_OK)
        return status;

    if ((unsigned)m->friction_rule > CAIRN_COMBINE_PRODUCT ||
        (unsigned)m->restitution_rule > CAIRN_COMBINE_PRODUCT)
        return cairn_fail(error, CAIRN_BAD_INPUT, "a combine rule of the material is not one");

    if (m->damping > 0.0 && m->stiffness == 0.0)
        return cairn_fail(error, CAIRN_BAD_INPUT,
                          "the material has contact damping, but no contact stiffness");
    return CAIRN_OK;
}

// numbers of a def; a mass of 0 is none, and those that follow from the shape are looked at later
static cairn_status check_numbers(const cairn_body_def* def, cairn_error* error)
{
    const cairn_given numbers[] = {
        {"the body's mass", def->mass == 0.0 ? 1.0 : def->mass, CAIRN_A_MASS},
        {"the body's density", def->density, CAIRN_A_DENSITY},
        {"the body's linear damping", def->linear_damping, CAIRN_A_RATE},
        {"the body's angular damping", def->angular_damping, CAIRN_A_RATE},
        {"the body's gravity scale", def->gravity_scale, CAIRN_A_FACTOR},
    };

    cairn_status status = cairn_accept_pose(error, "a coordinate of the body's pose", def->pose);
    if (status == CAIRN_OK)
        status = cairn_accept_pose(error, "a coordinate of the shape's offset", def->shape_offset);
    if (status == CAIRN_OK)
        status =
            cairn_accept_vec(error, "the body's center of mass", def->center, CAIRN_A_COORDINATE);
    if (status == CAIRN_OK)
        status = cairn_accept_vec(error, "the body's velocity", def->velocity, CAIRN_A_VELOCITY);
    if (status == CAIRN_OK)
        status = cairn_accept_vec(error, "the body's spin", def->spin, CAIRN_A_VELOCITY);
    if (status == CAIRN_OK)
        status = cairn_accept_all(error, numbers, (int)(sizeof numbers / sizeof numbers[0]));
    return status;
}

cairn_status cairn_accept_parts(const cairn_shape* shape, const cairn_part* parts,
                                cairn_error* error)
{
    if (!parts)
        return CAIRN_OK;
    if (!shape || shape->kind != CAIRN_SHAPE_COMPOUND)
        return cairn_fail(error, CAIRN_BAD_INPUT, "parts are given, and the shape is no compound");
    cairn_status status = CAIRN_OK;
    for (int i = 0; i < shape->data.compound->count && status == CAIRN_OK; i++) {
        status = cairn_accept(error, "a part's density", parts[i].density, CAIRN_A_DENSITY);
        if (status == CAIRN_OK)
            status = check_material(&parts[i].material, error);
    }
    return status;
}

static cairn_status check_def(const cairn_body_def* def, cairn_error* error)
{
    cairn_status status = cairn_accept_def(error, def->cookie, "cairn_default_body_def");

    if (status == CAIRN_OK && (unsigned)def->type > CAIRN_BODY_STATIC)
        return cairn_fail(error, CAIRN_BAD_INPUT, "%d is not a type of body", (int)def->type);

    if (status == CAIRN_OK)
        status = check_numbers(def, error);
    if (status == CAIRN_OK)
        status = cairn_accept_inertia(def->inertia, error);

    if (status == CAIRN_OK && def->shape)
        status = cairn_shape_check(def->shape, error);
    if (status == CAIRN_OK)
        status = cairn_accept_parts(def->shape, def->parts, error);

    if (status == CAIRN_OK && def->belt && def->type != CAIRN_BODY_KINEMATIC)
        return cairn_fail(error, CAIRN_BAD_INPUT,
                          "a belt is not kinematic, expected a kinematic body");

    bool surface = def->shape && (def->shape->kind == CAIRN_SHAPE_MESH ||
                                  def->shape->kind == CAIRN_SHAPE_HEIGHT_FIELD);
    if (status == CAIRN_OK && surface && def->type == CAIRN_BODY_DYNAMIC)
        status = cairn_fail(error, CAIRN_BAD_INPUT,
                            "a dynamic body has the shape of a %s, which meets no half-space and "
                            "no other surface; expected a static or kinematic body, or a convex "
                            "shape or compound",
                            cairn_shape_name(def->shape->kind));

    return status == CAIRN_OK ? check_material(&def->material, error) : status;
}

// proxies of removed bodies live on until the next step: there may be more of them than bodies
bool cairn_world_reserve_proxy(cairn_world* world, int proxy)
{
    if (proxy < world->proxy_capacity)
        return true;
    int capacity = 2 * proxy + 16;
    int* bodies = realloc(world->proxy_body, (size_t)capacity * sizeof(int));
    if (!bodies)
        return false;
    world->proxy_body = bodies;
    world->proxy_capacity = capacity;
    return true;
}

void cairn_body_measure(cairn_world* world, cairn_body* body)
{
    if (!body->shaped)
        return;
    double radius = cairn_shape_radius(
        &body->shape, cairn_transform_point_back(body->offset, cairn_vec(0.0, 0.0, 0.0)));
    body->radius = isfinite(radius) ? radius : 0.0;
    if (body->type == CAIRN_BODY_DYNAMIC)
        world->touching = fmin(world->touching, cairn_touching_share * body->radius);
}

// tells the broad phase of a new body
static bool add_proxy(cairn_world* world, cairn_body* body)
{
    body->proxy = -1;
    if (!body->shaped)
        return true;
    cairn_filter filter = cairn_body_filter(body);
    cairn_aabb box = cairn_shape_aabb(&body->shape, cairn_body_shape_pose(body));
    body->moved = true;
    if (!cairn_world_reserve_proxy(world, cairn_broad_next(world->broad)))
        return false;
    body->proxy = cairn_broad_add(world->broad, box, &filter);
    return body->proxy >= 0;
}

cairn_status cairn_world_add_body(cairn_world* world, const cairn_body_def* given,
                                  cairn_body_id* id, cairn_error* error)
{
    cairn_status status = cairn_world_may_change(world, error);
    if (status != CAIRN_OK)
        return status;

    if (!given || !id)
        return cairn_refuse_null(error, "the body's def or the place for its id");

    cairn_body_def unit = *given, *def = &unit;
    cairn_body body = {.alive = true,
                       .type = def->type,
                       .shaped = def->shape != NULL,
                       .material = def->material,
                       .linear_damping = def->linear_damping,
                       .angular_damping = def->angular_damping,
                       .gravity_scale = def->gravity_scale,
                       .category = def->category,
                       .mask = def->mask,
                       .mass = def->mass,
                       .parts = def->parts,
                       .belt = def->belt,
                       .sleepless = def->sleepless,
                       .user = def->user};

    // mass and frames
    status = check_def(def, error);
    unit.pose.q = cairn_quat_normalize(unit.pose.q);
    unit.shape_offset.q = cairn_quat_normalize(unit.shape_offset.q);
    if (status == CAIRN_OK)
        status = cairn_body_weigh(&body, def, error);
    if (status != CAIRN_OK)
        return status;

    // fields that only some bodies have
    if (def->type != CAIRN_BODY_DYNAMIC && body.mass == 0.0 && !def->parts)
        body.mass = cairn_body_mass_of(def);
    if (def->shape)
        body.shape = *def->shape;
    if (def->type != CAIRN_BODY_STATIC) {
        body.v = def->velocity;
        body.w = def->spin;
    }
    cairn_body_place(&body, def->pose);

    if (!reserve_body(world) || !add_proxy(world, &body))
        return cairn_fail(error, CAIRN_NO_MEMORY, "no memory for another body");

    // from here on nothing can fail
    int index = take_slot(world);
    body.generation = world->bodies[index].generation + 1;
    world->bodies[index] = body;
    if (body.proxy >= 0)
        world->proxy_body[body.proxy] = index;
    cairn_body_measure(world, &world->bodies[index]);
    world->version++;
    *id = (cairn_body_id){index, body.generation};
    return CAIRN_OK;
}

cairn_status cairn_world_remove_body(cairn_world* world, cairn_body_id id, cairn_error* error)
{
    cairn_status status = cairn_world_may_change(world, error);
    if (status != CAIRN_OK)
        return status;

    cairn_body* body = cairn_world_body(world, id, error);
    if (!body)
        return CAIRN_BAD_INPUT;

    cairn_world_wake_around(world, id.index);
    cairn_world_remove_links_of(world, id.index);

    if (body->proxy >= 0)
        cairn_broad_remove(world->broad, body->proxy);

    // the slot joins the free list, which is linked through x.x
    body->alive = false;
    body->x.x = world->body_free;
    world->body_free = id.index;

    world->version++;
    return CAIRN_OK;
}

cairn_status cairn_world_exclude(cairn_world* world, cairn_body_id a, cairn_body_id b,
                                 bool excluded, cairn_error* error)
{
    cairn_status status = cairn_world_may_change(world, error);
    if (status != CAIRN_OK)
        return status;

    const cairn_body* first = cairn_world_body(world, a, error);
    const cairn_body* second = first ? cairn_world_body(world, b, error) : NULL;
    if (!second)
        return CAIRN_BAD_INPUT;

    if (first == second)
        return cairn_fail(error, CAIRN_BAD_INPUT, "the two bodies are the same");

    // a joint between the two still excludes them
    excluded = excluded || cairn_world_joint_excludes(world, a.index, b.index);
    if (first->proxy >= 0 && second->proxy >= 0 &&
        cairn_broad_exclude(world->broad, first->proxy, second->proxy, excluded) != CAIRN_OK)
        return cairn_fail(error, CAIRN_NO_MEMORY, "no memory for a pair that does not collide");

    cairn_world_wake(world, a.index);
    cairn_world_wake(world, b.index);
    return CAIRN_OK;
}

// the broad phase forgets removed proxies with its next update
static bool is_proxy_of(const cairn_world* world, int proxy, int slot)
{
    return slot < world->body_count && world->bodies[slot].alive &&
           world->bodies[slot].proxy == proxy;
}

int cairn_world_excluded(const cairn_world* world, int (*slots)[2], int capacity)
{
    int count = 0, found = 0;
    const cairn_pair* pairs = world ? cairn_broad_excluded(world->broad, &count) : NULL;
    for (int i = 0; i < count; i++) {
        int a = world->proxy_body[pairs[i].a], b = world->proxy_body[pairs[i].b];
        if (!is_proxy_of(world, pairs[i].a, a) || !is_proxy_of(world, pairs[i].b, b))
            continue;

        if (found < capacity && slots) {
            slots[found][0] = a;
            slots[found][1] = b;
        }
        found++;
    }
    return found;
}

// ---------------------------------------------------------------- reading and pushing

cairn_status cairn_body_get(const cairn_world* world, cairn_body_id id, cairn_body_state* state,
                            cairn_error* error)
{
    const cairn_body* body = cairn_world_body(world, id, error);
    if (!body)
        return CAIRN_BAD_INPUT;

    if (!state)
        return cairn_refuse_null(error, "the place for the body's state");

    *state =
        (cairn_body_state){.pose = cairn_body_pose(body),
                           .center = body->x,
                           .velocity = body->v,
                           .spin = body->w,
                           .mass = body->inverse_mass > 0.0 ? 1.0 / body->inverse_mass : INFINITY,
                           .asleep = body->asleep,
                           .frozen = body->frozen && !body->disabled,
                           .disabled = body->disabled,
                           .pushed = body->pushed,
                           .squeezed = body->squeezed,
                           .user = body->user};
    return CAIRN_OK;
}

cairn_status cairn_body_find(cairn_body** body, cairn_world* world, cairn_body_id id,
                             cairn_error* error)
{
    cairn_status status = cairn_world_may_change(world, error);
    if (status != CAIRN_OK)
        return status;
    *body = cairn_world_body(world, id, error);
    if (!*body)
        return CAIRN_BAD_INPUT;
    if ((*body)->frozen && !(*body)->disabled)
        return cairn_fail(error, CAIRN_BAD_INPUT,
                          "body %d left the range of numbers and is frozen; it can only be removed",
                          (int)id.index);
    return CAIRN_OK;
}

cairn_status cairn_body_touch(cairn_body** body, cairn_world* world, cairn_body_id id,
                              cairn_error* error)
{
    cairn_status status = cairn_body_find(body, world, id, error);
    if (status == CAIRN_OK)
        cairn_world_wake(world, id.index);
    return status;
}

cairn_status cairn_body_set_pose(cairn_world* world, cairn_body_id id, cairn_transform pose,
                                 cairn_error* error)
{
    cairn_body* body;
    cairn_status status = cairn_accept_pose(error, "a coordinate of the pose", pose);
    if (status == CAIRN_OK)
        status = cairn_body_touch(&body, world, id, error);
    if (status != CAIRN_OK)
        return status;

    pose.q = cairn_quat_normalize(pose.q);

    // what stood beside it may fall now
    if (body->type != CAIRN_BODY_DYNAMIC)
        cairn_world_wake_around(world, id.index);

    cairn_body_place(body, pose);
    body->moved = true;
    world->version++;
    return CAIRN_OK;
}

cairn_status cairn_body_set_velocity(cairn_world* world, cairn_body_id id, cairn_vec3 velocity,
                                     cairn_vec3 spin, cairn_error* error)
{
    cairn_status status = cairn_accept_vec(error, "the velocity", velocity, CAIRN_A_VELOCITY);
    if (status == CAIRN_OK)
        status = cairn_accept_vec(error, "the spin", spin, CAIRN_A_VELOCITY);
    if (status != CAIRN_OK)
        return status;

    cairn_body* body = cairn_world_body(world, id, error);
    if (body && body->type == CAIRN_BODY_STATIC)
        return cairn_fail(error, CAIRN_BAD_INPUT, "body %d is static: it has no velocity",
                          (int)id.index);

    status = cairn_body_touch(&body, world, id, error);
    if (status != CAIRN_OK)
        return status;

    body->v = velocity;
    body->w = spin;
    return CAIRN_OK;
}

cairn_status cairn_body_wake(cairn_world* world, cairn_body_id id, cairn_error* error)
{
    cairn_body* body;
    return cairn_body_touch(&body, world, id, error);
}

cairn_status cairn_body_get_material(const cairn_world* world, cairn_body_id id,
                                     cairn_material* material, cairn_error* error)
{
    const cairn_body* body = cairn_world_body(world, id, error);
    if (!body)
        return CAIRN_BAD_INPUT;
    if (!material)
        return cairn_refuse_null(error, "the place for the material");
    *material = body->material;
    return CAIRN_OK;
}

cairn_status cairn_body_set_material(cairn_world* world, cairn_body_id id,
                                     const cairn_material* material, cairn_error* error)
{
    cairn_body* body;
    if (!material)
        return cairn_refuse_null(error, "the material");
    cairn_status status = check_material(material, error);
    if (status == CAIRN_OK)
        status = cairn_body_touch(&body, world, id, error);
    if (status != CAIRN_OK)
        return status;

    // what sleeps on it may slide from now on
    body->material = *material;
    cairn_world_wake_around(world, id.index);
    return CAIRN_OK;
}

// a force, a torque or an impulse
typedef struct push {
    const char* name;
    cairn_vec3 amount, point;
} push;

// the body that is pushed, awake from now on
static cairn_status find_pushed(cairn_body** body, cairn_world* world, cairn_body_id id, push given,
                                cairn_error* error)
{
    cairn_status status = cairn_accept_vec(error, given.name, given.amount, CAIRN_A_FORCE);
    if (status == CAIRN_OK)
        status = cairn_accept_vec(error, "the point", given.point, CAIRN_A_COORDINATE);
    return status == CAIRN_OK ? cairn_body_touch(body, world, id, error) : status;
}

cairn_status cairn_body_add_force(cairn_world* world, cairn_body_id id, cairn_vec3 force,
                                  cairn_vec3 point, cairn_error* error)
{
    cairn_body* body;
    push given = {"the force (N)", force, point};
    cairn_status status = find_pushed(&body, world, id, given, error);
    if (status != CAIRN_OK)
        return status;
    body->force = cairn_add(body->force, force);
    body->torque = cairn_add(body->torque, cairn_cross(cairn_sub(point, body->x), force));
    return CAIRN_OK;
}

cairn_status cairn_body_add_torque(cairn_world* world, cairn_body_id id, cairn_vec3 torque,
                                   cairn_error* error)
{
    cairn_body* body;
    push given = {"the torque (N m)", torque, {0.0, 0.0, 0.0}};
    cairn_status status = find_pushed(&body, world, id, given, error);
    if (status == CAIRN_OK)
        body->torque = cairn_add(body->torque, torque);
    return status;
}

cairn_status cairn_body_add_impulse(cairn_world* world, cairn_body_id id, cairn_vec3 impulse,
                                    cairn_vec3 point, cairn_error* error)
{
    cairn_body* body;
    push given = {"the impulse (N s)", impulse, point};
    cairn_status status = find_pushed(&body, world, id, given, error);
    if (status != CAIRN_OK)
        return status;
    cairn_vec3 turn = cairn_cross(cairn_sub(point, body->x), impulse);
    body->v = cairn_add_scaled(body->v, body->inverse_mass, impulse);
    body->w = cairn_add(body->w, cairn_mat3_apply(body->inverse_inertia, turn));
    return CAIRN_OK;
}
