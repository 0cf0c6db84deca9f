// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The fields of bodies, joints and sensors that decide how a world goes on, each listed once for
// both ways. What a step computes afresh before it reads it is not among them.

#include "world/snapshot.h"
#include <stdlib.h>

enum { most_doublings = 16 }; // of counts that are powers of two

static void code_user(cairn_codec* c, void** user)
{
    uint64_t word = (uint64_t)(uintptr_t)*user;
    cairn_code_u64(c, &word);
    if (!c->writing)
        *user = (void*)(uintptr_t)word;
}

// a transform that may not be one yet
static void code_pose(cairn_codec* c, cairn_transform* x)
{
    cairn_code_vec(c, &x->p);
    double* q[] = {&x->q.w, &x->q.x, &x->q.y, &x->q.z};
    for (int i = 0; i < 4; i++)
        cairn_code_real(c, q[i]);
}

static void code_mat3(cairn_codec* c, cairn_mat3* m)
{
    cairn_code_vec(c, &m->cx);
    cairn_code_vec(c, &m->cy);
    cairn_code_vec(c, &m->cz);
}

static void code_u16(cairn_codec* c, uint16_t* x)
{
    uint64_t word = *x;
    cairn_code(c, &word, 2);
    *x = (uint16_t)word;
}

static void code_u8(cairn_codec* c, uint8_t* x, uint8_t most)
{
    uint64_t word = *x;
    cairn_code(c, &word, 1);
    c->bad = c->bad || (!c->writing && word > most);
    *x = (uint8_t)word;
}

// ---------------------------------------------------------------- bodies

static void code_pace(cairn_codec* c, cairn_pace* pace)
{
    cairn_code_real(c, &pace->raised);
    cairn_code_real(c, &pace->stiffness);
    cairn_code_real(c, &pace->span);

    code_u16(c, &pace->calm);
    code_u16(c, &pace->wait);
    code_u16(c, &pace->since);
    code_u8(c, &pace->by_energy, most_doublings);
    code_u8(c, &pace->by_closing, most_doublings);
    code_u8(c, &pace->good, 255);
    code_u8(c, &pace->quiet, 255);
    code_u8(c, &pace->aside, 255);
    code_u8(c, &pace->tried, most_doublings);
    code_u8(c, &pace->by_update, most_doublings);
    code_u8(c, &pace->smooth, 255);

    cairn_code_bound(c, &pace->missed);
}

static void code_flags(cairn_codec* c, cairn_body* body)
{
    // bit fields have no address: they go through an array
    bool flags[] = {body->asleep,   body->frozen,  body->moved,    body->round,    body->shifted,
                    body->replaced, body->lost,    body->advanced, body->traveled, body->sleepless,
                    body->shaped,   body->weighed, body->disabled, body->aimed,    body->belt};

    for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++)
        cairn_code_bool(c, &flags[i]);

    body->asleep = flags[0];
    body->frozen = flags[1];
    body->moved = flags[2];
    body->round = flags[3];
    body->shifted = flags[4];
    body->replaced = flags[5];
    body->lost = flags[6];
    body->advanced = flags[7];
    body->traveled = flags[8];
    body->sleepless = flags[9];
    body->shaped = flags[10];
    body->weighed = flags[11];
    body->disabled = flags[12];
    body->aimed = flags[13];
    body->belt = flags[14];
}

static void code_motion(cairn_codec* c, cairn_body* body)
{
    cairn_code_vec(c, &body->x);
    cairn_code_quat(c, &body->q);
    cairn_code_vec(c, &body->v);
    cairn_code_vec(c, &body->w);
    cairn_code_vec(c, &body->force);
    cairn_code_vec(c, &body->torque);

    code_pose(c, &body->pose);
    cairn_code_real(c, &body->swing);
    cairn_code_real(c, &body->still);
    cairn_code_real(c, &body->stood);
    cairn_code_real(c, &body->wait);

    cairn_code_vec(c, &body->stood_x);
    double* q[] = {&body->stood_q.w, &body->stood_q.x, &body->stood_q.y, &body->stood_q.z};
    for (int i = 0; i < 4; i++)
        cairn_code_real(c, q[i]);

    code_pace(c, &body->pace);
    cairn_code_int(c, &body->shared, INT32_MIN, INT32_MAX);
    cairn_code_int(c, &body->shared_touches, INT32_MIN, INT32_MAX);
}

static void code_mass(cairn_codec* c, cairn_body* body)
{
    cairn_code_real(c, &body->inverse_mass);
    cairn_code_real(c, &body->mass);
    cairn_code_vec(c, &body->inertia);
    code_mat3(c, &body->inverse_inertia);
    cairn_code_transform(c, &body->principal);
    if (!c->writing)
        cairn_body_set_principal(body, body->principal);
    cairn_code_transform(c, &body->offset);
    cairn_code_real(c, &body->radius);
    cairn_code_real(c, &body->gravity_scale);
    cairn_code_real(c, &body->linear_damping);
    cairn_code_real(c, &body->angular_damping);
}

// dynamic bodies have a mass and moments, others have none
static bool is_weighed_rightly(const cairn_body* body)
{
    cairn_vec3 I = body->inertia;
    if (body->linear_damping < 0.0 || body->angular_damping < 0.0 || body->radius < 0.0)
        return false;
    if (body->type != CAIRN_BODY_DYNAMIC)
        return body->inverse_mass == 0.0 && !body->asleep;
    return body->inverse_mass > 0.0 && I.x > 0.0 && I.y > 0.0 && I.z > 0.0;
}

void cairn_code_body(cairn_snapshot_codec* s, cairn_body* body, int bodies)
{
    cairn_codec* c = &s->c;

    cairn_code_bool(c, &body->alive);
    cairn_code_u32(c, &body->generation);
    if (!body->alive) {
        cairn_code_real(c, &body->x.x); // the next free slot
        return;
    }

    int type = (int)body->type;
    cairn_code_int(c, &type, 0, CAIRN_BODY_STATIC);
    body->type = (cairn_body_type)type;

    code_flags(c, body);
    code_motion(c, body);
    code_mass(c, body);

    cairn_code_material(c, &body->material);
    cairn_code_u32(c, &body->category);
    cairn_code_u32(c, &body->mask);
    cairn_code_int(c, &body->proxy, -1, INT32_MAX);
    cairn_code_int(c, &body->next_asleep, INT32_MIN, bodies - 1);
    code_user(c, &body->user);

    if (body->shaped)
        cairn_code_shape(s, &body->shape, &body->parts);

    // the mass must fit the type, whatever the bytes say
    c->bad = c->bad || (!c->writing && !is_weighed_rightly(body));
}

// ---------------------------------------------------------------- joints

static void code_drive(cairn_codec* c, cairn_link* link)
{
    cairn_code_bool(c, &link->limited);
    cairn_code_bool(c, &link->driven);

    double* bounds[] = {&link->lo,          &link->hi,
                        &link->strength,    &link->servo.strength,
                        &link->break_force, &link->break_torque};
    for (size_t i = 0; i < sizeof bounds / sizeof bounds[0]; i++)
        cairn_code_bound(c, bounds[i]);

    double* reals[] = {&link->speed,        &link->stiffness,    &link->damping,
                       &link->rest,         &link->servo.target, &link->servo.stiffness,
                       &link->servo.damping};
    for (size_t i = 0; i < sizeof reals / sizeof reals[0]; i++)
        cairn_code_real(c, reals[i]);

    cairn_code_bool(c, &link->servo.on);
    bool sound = link->strength >= 0.0 && link->stiffness >= 0.0 && link->damping >= 0.0 &&
                 link->servo.strength >= 0.0 && link->servo.stiffness >= 0.0 &&
                 link->servo.damping >= 0.0 && (!link->limited || link->lo <= link->hi);
    c->bad = c->bad || (!c->writing && !sound);
}

static void code_surface(cairn_codec* c, cairn_link* link)
{
    int surface = (int)link->surface;
    cairn_code_int(c, &surface, 0, CAIRN_SURFACE_TORUS);
    link->surface = (cairn_surface)surface;
    cairn_code_real(c, &link->radius);
    cairn_code_real(c, &link->tube);
    cairn_code_real(c, &link->roller);
    cairn_code_real(c, &link->side);
    cairn_code_bool(c, &link->wheel);
}

void cairn_code_link(cairn_codec* c, cairn_link* link, int bodies)
{
    cairn_code_bool(c, &link->alive);
    cairn_code_u32(c, &link->generation);
    if (!link->alive)
        return;

    int kind = (int)link->kind;
    cairn_code_int(c, &kind, 0, CAIRN_JOINT_KIND_COUNT - 1);
    link->kind = (cairn_joint_kind)kind;

    cairn_code_int(c, &link->a, CAIRN_WORLD_BODY, bodies - 1);
    cairn_code_int(c, &link->b, 0, bodies - 1);
    c->bad = c->bad || link->a == link->b;

    cairn_code_transform(c, &link->frame_a);
    cairn_code_transform(c, &link->frame_b);
    cairn_code_bool(c, &link->collide);
    cairn_code_real(c, &link->ratio);
    cairn_code_real(c, &link->length);

    cairn_code_u32(c, &link->locks);
    cairn_code_vec(c, &link->anchor_a);
    cairn_code_vec(c, &link->anchor_b);
    c->bad = c->bad || link->locks > 63;

    code_surface(c, link);
    code_drive(c, link);

    cairn_code_real(c, &link->load);
    cairn_code_real(c, &link->borne);
    cairn_code_real(c, &link->turns);
    cairn_code_real(c, &link->x_last);

    // the warm start and what the last step reported
    cairn_code_reals(c, link->warm, 9);
    cairn_code_vec(c, &link->impulse);
    cairn_code_vec(c, &link->twist);
    cairn_code_real(c, &link->worked);
    cairn_code_reals(c, link->shares, 3);

    code_user(c, &link->user);
}

// ---------------------------------------------------------------- sensors, hits, broken joints

static void code_body_id(cairn_codec* c, cairn_body_id* id)
{
    cairn_code_int(c, &id->index, INT32_MIN, INT32_MAX);
    cairn_code_u32(c, &id->generation);
}

// room for the items of a list whose count is known; false without memory
static bool take_list(cairn_snapshot_codec* s, cairn_alert_list* list, size_t size)
{
    if (s->c.writing || list->count == 0)
        return true;
    list->items = calloc((size_t)list->count, size);
    list->capacity = list->items ? list->count : 0;
    list->count = list->capacity;
    s->no_memory = s->no_memory || !list->items;
    return list->items != NULL;
}

static void code_ids(cairn_snapshot_codec* s, cairn_alert_list* list)
{
    cairn_code_count(&s->c, &list->count, 8);
    if (!take_list(s, list, sizeof(cairn_body_id)))
        return;
    for (int i = 0; i < list->count; i++)
        code_body_id(&s->c, (cairn_body_id*)list->items + i);
}

static void code_sensor_events(cairn_snapshot_codec* s, cairn_alert_list* list)
{
    cairn_codec* c = &s->c;
    cairn_code_count(c, &list->count, 24);
    if (!take_list(s, list, sizeof(cairn_sensor_event)))
        return;
    for (int i = 0; i < list->count; i++) {
        cairn_sensor_event* event = (cairn_sensor_event*)list->items + i;
        cairn_code_int(c, &event->sensor.index, INT32_MIN, INT32_MAX);
        cairn_code_u32(c, &event->sensor.generation);
        code_body_id(c, &event->body);
        code_user(c, &event->user);
    }
}

static void code_hits(cairn_snapshot_codec* s, cairn_alert_list* list)
{
    cairn_codec* c = &s->c;
    cairn_code_count(c, &list->count, 88);
    if (!take_list(s, list, sizeof(cairn_hit_event)))
        return;

    for (int i = 0; i < list->count; i++) {
        cairn_hit_event* event = (cairn_hit_event*)list->items + i;
        code_body_id(c, &event->body_a);
        code_body_id(c, &event->body_b);
        cairn_code_vec(c, &event->point);
        cairn_code_vec(c, &event->normal);
        cairn_code_real(c, &event->speed);
        cairn_code_real(c, &event->impulse);
        cairn_code_int(c, &event->part_a, 0, INT32_MAX);
        cairn_code_int(c, &event->part_b, 0, INT32_MAX);
    }
}

static void code_broken(cairn_snapshot_codec* s, cairn_alert_list* list)
{
    cairn_codec* c = &s->c;
    cairn_code_count(c, &list->count, 32);
    if (!take_list(s, list, sizeof(cairn_break_event)))
        return;

    for (int i = 0; i < list->count; i++) {
        cairn_break_event* event = (cairn_break_event*)list->items + i;
        cairn_code_int(c, &event->joint.index, INT32_MIN, INT32_MAX);
        cairn_code_u32(c, &event->joint.generation);
        code_user(c, &event->user);
        cairn_code_real(c, &event->force);
        cairn_code_real(c, &event->torque);
    }
}

static void code_sensor(cairn_snapshot_codec* s, cairn_sensor* sensor)
{
    cairn_codec* c = &s->c;

    cairn_code_bool(c, &sensor->alive);
    cairn_code_u32(c, &sensor->generation);
    if (!sensor->alive)
        return;

    cairn_code_bool(c, &sensor->bound);
    code_body_id(c, &sensor->body);
    cairn_code_transform(c, &sensor->pose);
    cairn_code_u32(c, &sensor->mask);
    code_user(c, &sensor->user);

    cairn_code_shape(s, &sensor->shape, NULL);
    c->bad = c->bad || (!c->writing && !cairn_shape_is_convex(&sensor->shape));
    code_ids(s, &sensor->inside);
}

void cairn_code_alerts(cairn_snapshot_codec* s, cairn_alerts** alerts)
{
    cairn_codec* c = &s->c;

    bool there = *alerts != NULL;
    cairn_code_bool(c, &there);
    if (!there || c->bad)
        return;

    if (!c->writing)
        *alerts = calloc(1, sizeof **alerts);
    cairn_alerts* out = *alerts;
    s->no_memory = s->no_memory || !out;
    if (!out)
        return;

    cairn_code_real(c, &out->hit_speed);
    int count = out->sensor_count;
    cairn_code_count(c, &count, 5);

    if (!c->writing && count > 0) {
        out->sensors = calloc((size_t)count, sizeof *out->sensors);
        out->sensor_count = out->sensor_capacity = out->sensors ? count : 0;
        s->no_memory = s->no_memory || !out->sensors;
    }

    for (int i = 0; i < out->sensor_count && !c->bad && !s->no_memory; i++) {
        cairn_sensor sensor = out->sensors[i];
        code_sensor(s, &sensor);
        if (!c->writing)
            out->sensors[i] = sensor;
    }

    code_sensor_events(s, &out->begun);
    code_sensor_events(s, &out->ended);
    code_hits(s, &out->hits);
    code_broken(s, &out->broken);
}
