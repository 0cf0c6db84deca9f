// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Sensors that measure: joints, accelerations and spins, forces of joints and contacts, distances.
// An accelerometer reads the specific force of its point,
//
//     R^T ( (v_after - v_before) / dt - g ),
//
// the mean over the step, in axes R where it ends.

#include "io/scene/scene.h"
#include <cairn/drive.h>
#include <cairn/instrument.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char* const kind_names[] = {"joint", "imu", "force_torque", "touch", "range"};

static const cairn_instrument kinds[] = {
    {.count = 3, .columns = {"coordinate", "speed", "effort"}},
    {.count = 6, .columns = {"ax", "ay", "az", "wx", "wy", "wz"}},
    {.count = 6, .columns = {"fx", "fy", "fz", "tx", "ty", "tz"}},
    {.count = 1, .columns = {"force"}},
    {.count = 1, .columns = {"distance"}},
};

// ---------------------------------------------------------------- reading the scene

bool cairn_is_instrument(const cairn_node* node)
{
    cairn_node child;
    return json_is_object(node->value) && cairn_node_child(&child, node, "kind");
}

static void read_joint(cairn_scene_instrument* to, const cairn_node* node)
{
    cairn_node child;
    const char* name = cairn_node_string(node, "joint", "");
    if (!cairn_node_need(&child, node, "joint") || !cairn_node_ok(node))
        return;
    if (!cairn_scene_find_joint(node->reader->scene, name, &to->joint))
        cairn_node_fail(&child, "is '%.60s', expected the name of a joint", name);
}

void cairn_read_instrument(const cairn_node* node)
{
    static const char* const keys[] = {"name", "kind",       "joint",  "offset", "body",    "at",
                                       "turn", "quaternion", "length", "shape",  "comment", NULL};
    cairn_scene* scene = node->reader->scene;
    cairn_node child;
    if (!cairn_node_allow(node, keys, NULL) || !cairn_node_need(&child, node, "name") ||
        !cairn_node_spend(node))
        return;

    cairn_scene_instrument own = {.made_at = -1};
    own.kind = cairn_node_choice(node, "kind", kind_names, 5, 0);
    own.at = cairn_node_pose(node);
    own.placed = cairn_node_child(&child, node, "at");
    own.length = cairn_node_real(node, "length", 100.0, CAIRN_ABOVE_0);
    own.offset = cairn_node_real(node, "offset", 0.0, CAIRN_ANY);

    // some belong to a joint, the others to a body
    if (own.kind == CAIRN_INSTRUMENT_JOINT || own.kind == CAIRN_INSTRUMENT_FORCE_TORQUE)
        read_joint(&own, node);
    else if (cairn_node_need(&child, node, "body"))
        own.body = cairn_scene_body(&child, cairn_node_string(node, "body", ""));

    if (cairn_node_child(&child, node, "shape")) {
        own.shape = cairn_read_shape(&child);
        own.shaped = true;
        if (cairn_node_ok(node) && !cairn_shape_is_convex(&own.shape))
            cairn_node_fail(&child, "is not convex");
    }

    if (!cairn_node_ok(node))
        return;
    own.name = strdup(cairn_node_string(node, "name", ""));
    if (!own.name)
        cairn_node_starve(node);
    else
        scene->instruments[scene->instrument_count++] = own;
}

void cairn_scene_free_instruments(cairn_scene* scene)
{
    for (int i = 0; i < scene->instrument_count; i++)
        free(scene->instruments[i].name);
    free(scene->instruments);
}

// ---------------------------------------------------------------- steps

static cairn_vec3 velocity_of(const cairn_scene_instrument* own, const cairn_body_state* s)
{
    cairn_vec3 arm = cairn_sub(cairn_transform_point(s->pose, own->at.p), s->center);
    return cairn_add(s->velocity, cairn_cross(s->spin, arm));
}

void cairn_instruments_before(cairn_scene* scene)
{
    for (int i = 0; i < scene->instrument_count; i++) {
        cairn_scene_instrument* own = &scene->instruments[i];
        cairn_body_state s;
        own->made_at = -1;
        if (own->kind == CAIRN_INSTRUMENT_IMU &&
            cairn_body_get(scene->world, own->body, &s, NULL) == CAIRN_OK)
            own->velocity = velocity_of(own, &s);
    }
}

void cairn_instruments_after(cairn_scene* scene, double dt)
{
    for (int i = 0; i < scene->instrument_count; i++) {
        cairn_scene_instrument* own = &scene->instruments[i];
        cairn_body_state s;
        own->made_at = cairn_world_step_count(scene->world);
        own->dt = dt;
        if (own->kind == CAIRN_INSTRUMENT_IMU &&
            cairn_body_get(scene->world, own->body, &s, NULL) == CAIRN_OK)
            own->acceleration =
                cairn_scale(1.0 / dt, cairn_sub(velocity_of(own, &s), own->velocity));
    }
}

// ---------------------------------------------------------------- readings

static void store(double* values, cairn_vec3 a)
{
    values[0] = a.x;
    values[1] = a.y;
    values[2] = a.z;
}

static void read_imu(const cairn_scene* scene, const cairn_scene_instrument* own,
                     const cairn_body_state* s, bool stepped, double* values)
{
    cairn_quat axes = cairn_quat_multiply(s->pose.q, own->at.q);
    cairn_vec3 a = cairn_neg(cairn_world_get_def(scene->world).gravity);
    if (stepped)
        a = cairn_add(a, own->acceleration);
    store(values, cairn_rotate_back(axes, a));
    store(values + 3, cairn_rotate_back(axes, s->spin));
}

// the sum of what presses on the body, within the shape where there is one
static double read_touch(const cairn_scene* scene, const cairn_scene_instrument* own,
                         const cairn_body_state* s)
{
    int count = 0;
    const cairn_contact* contacts = cairn_world_contacts(scene->world, &count);
    cairn_transform place = cairn_transform_multiply(s->pose, own->at);
    double sum = 0.0;
    for (int i = 0; i < count; i++) {
        const cairn_contact* c = &contacts[i];
        bool mine = c->body_a.index == own->body.index || c->body_b.index == own->body.index;
        if (mine && (!own->shaped || cairn_contains(&own->shape, place, c->point)))
            sum += cairn_dot(c->impulse, c->normal);
    }
    return sum / own->dt;
}

typedef struct nearest {
    cairn_body_id own;
    double t;
} nearest;

static bool keep_nearest(void* context, const cairn_body_hit* hit)
{
    nearest* best = context;
    if (hit->body.index != best->own.index && hit->t < best->t)
        best->t = hit->t;
    return true;
}

static cairn_status read_range(const cairn_scene* scene, const cairn_scene_instrument* own,
                               const cairn_body_state* s, double* value, cairn_error* error)
{
    cairn_transform place = cairn_transform_multiply(s->pose, own->at);
    cairn_vec3 way = cairn_rotate(place.q, cairn_vec(0.0, 0.0, own->length));
    nearest best = {own->body, INFINITY};
    cairn_status status = cairn_world_cast_ray_all(scene->world, place.p, way, CAIRN_MASK_ALL,
                                                   keep_nearest, &best, error);
    *value = best.t <= 1.0 ? best.t * own->length : -1.0;
    return status;
}

static cairn_status read_of_joint(const cairn_scene* scene, const cairn_scene_instrument* own,
                                  double* values, cairn_error* error)
{
    cairn_joint_motion m;
    cairn_joint_def def;
    cairn_body_state s;
    cairn_status status = cairn_joint_get_motion(scene->world, own->joint, &m, error);
    if (status != CAIRN_OK)
        return status;

    if (own->kind == CAIRN_INSTRUMENT_JOINT) {
        store(values, cairn_vec(m.coordinate + own->offset, m.speed, m.motor + m.limit + m.spring));
        return CAIRN_OK;
    }

    // the wrench on B at the sensor's own point, in its own axes
    status = cairn_joint_get_def(scene->world, own->joint, &def, error);
    if (status == CAIRN_OK)
        status = cairn_body_get(scene->world, def.body_b, &s, error);
    if (status != CAIRN_OK)
        return status;

    cairn_transform place = cairn_transform_multiply(s.pose, own->at);
    cairn_vec3 arm = own->placed ? cairn_sub(m.point, place.p) : cairn_vec(0.0, 0.0, 0.0);
    store(values, cairn_rotate_back(place.q, m.force));
    store(values + 3, cairn_rotate_back(place.q, cairn_add(m.torque, cairn_cross(arm, m.force))));
    return CAIRN_OK;
}

int cairn_scene_instruments(const cairn_scene* scene)
{
    return scene ? scene->instrument_count : 0;
}

cairn_instrument cairn_scene_get_instrument(const cairn_scene* scene, int index)
{
    if (!scene || index < 0 || index >= scene->instrument_count)
        return (cairn_instrument){0};
    cairn_instrument told = kinds[scene->instruments[index].kind];
    told.kind = (cairn_instrument_kind)scene->instruments[index].kind;
    told.name = scene->instruments[index].name;
    return told;
}

int cairn_scene_find_instrument(const cairn_scene* scene, const char* name)
{
    for (int i = 0; scene && name && i < scene->instrument_count; i++)
        if (strcmp(scene->instruments[i].name, name) == 0)
            return i;
    return -1;
}

cairn_status cairn_scene_read_instrument(const cairn_scene* scene, int index, double* values,
                                         cairn_error* error)
{
    if (!scene || !values)
        return cairn_refuse_null(error, "the scene or the place for the values");
    if (index < 0 || index >= scene->instrument_count)
        return cairn_fail(error, CAIRN_BAD_INPUT, "instrument %d of %d, expected one of them",
                          index, scene->instrument_count);
    const cairn_scene_instrument* own = &scene->instruments[index];
    if (own->kind == CAIRN_INSTRUMENT_JOINT || own->kind == CAIRN_INSTRUMENT_FORCE_TORQUE)
        return read_of_joint(scene, own, values, error);

    cairn_body_state s;
    cairn_status status = cairn_body_get(scene->world, own->body, &s, error);
    bool stepped = own->made_at == cairn_world_step_count(scene->world);
    if (status != CAIRN_OK)
        return status;

    // what changes during a step can be read only after one
    if (own->kind == CAIRN_INSTRUMENT_IMU)
        read_imu(scene, own, &s, stepped, values);
    else if (own->kind == CAIRN_INSTRUMENT_TOUCH)
        values[0] = stepped ? read_touch(scene, own, &s) : 0.0;
    else
        status = read_range(scene, own, &s, values, error);
    return status;
}
