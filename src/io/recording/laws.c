// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// What a step of h seconds may not do, from the states before and after it and the impulses P of contacts:
//
//     rest      a body that stands still, without joints and without forces of the user, is borne:
//               m g h + Σ P = 0
//     losses    where no contact slides, and none begins to bear, nothing takes energy but what is reported:
//               E' - E - W + D + D_numeric - defect >= -ε
//     gains     since the start of the recording:  E' - E_0 - Σ W <= ε
//     balls     two balls that strike each other without friction push along the line between their centers at the moment t
//               at which |x_B + t v_B - x_A - t v_A| = ρ_A + ρ_B
//     walls     the way of a body's center from x to x' does not lead into one side of a body that stands and out of
//               the opposite one
//     seams     of two contacts of a body X, with Z along n and with Y along another direction, that with Y
//               bears nothing if X lies above the plane of the first and no point of Y sticks out of it
//
// Energies are relative to what moves: the kinetic energy, or what lifts the bodies by 1 cm.

#include "io/recording/laws.h"
#include "io/recording/stage.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double least_lift = 1e-2; // m
static const double most_lost = 5e-4;  // of what moves, in a step
static const double most_grown = 1e-2; // of the most that moved, since the start
static const double round_off = 1e-9;  // of the most that moved
static const double unborne = 1e-3;    // of the weight; and of it what a ghost may bear
static const double skew = 0.0175;     // rad: one degree
static const double flush = 1e-5;      // m: a point sticks out of a plane by more
static const double opposite = -0.9;   // cosine of the normals of two sides
static const double other_way = 0.99;  // cosine of two normals that are not the same

// ---------------------------------------------------------------- bodies and contacts

static bool is_there(const cairn_stage* stage, const cairn_frame* frame, int slot)
{
    return slot >= 0 && slot < frame->body_count && slot < stage->body_count &&
           frame->bodies[slot].present && !frame->bodies[slot].frozen &&
           stage->bodies[slot].id.generation != 0;
}

static bool moves(const cairn_stage* stage, const cairn_frame* frame, int slot)
{
    return is_there(stage, frame, slot) && stage->bodies[slot].type == CAIRN_BODY_DYNAMIC &&
           !frame->bodies[slot].asleep;
}

static bool is_still(const cairn_frame_body* body)
{
    return cairn_norm(body->velocity) == 0.0 && cairn_norm(body->spin) == 0.0;
}

static bool is_joined(const cairn_stage* stage, int slot)
{
    for (int i = 0; i < stage->joint_count; i++)
        if (stage->joints[i].id.generation != 0 &&
            (stage->joints[i].body_a == slot || stage->joints[i].body_b == slot))
            return true;
    return false;
}

static bool bears(const cairn_contact* contact)
{
    return cairn_norm(contact->impulse) > 0.0;
}

// whether a contact of these two bodies bore in the frame before
static bool bore(const cairn_laws* laws, const cairn_contact* contact)
{
    for (int c = 0; c < laws->contact_count; c++) {
        const cairn_contact* old = &laws->contacts[c];
        if (old->body_a.index == contact->body_a.index &&
            old->body_b.index == contact->body_b.index && bears(old))
            return true;
    }
    return false;
}

// ---------------------------------------------------------------- rest

// the weights of all bodies, or of one, and what its contacts give it
static bool is_unborne(const cairn_laws* laws, const cairn_stage* stage, const cairn_frame* frame,
                       int slot)
{
    const cairn_frame_body* body = &frame->bodies[slot];
    if (!moves(stage, frame, slot) || body->pushed || !is_still(body) || slot >= laws->count ||
        !is_still(&laws->bodies[slot]) || is_joined(stage, slot))
        return false;

    double pull = stage->bodies[slot].mass * stage->bodies[slot].gravity_scale * stage->dt;
    cairn_vec3 sum = cairn_scale(pull, stage->gravity);
    double weight = cairn_norm(sum), scale = weight;
    for (int c = 0; c < frame->contact_count; c++) {
        const cairn_contact* contact = &frame->contacts[c];
        double sign = contact->body_b.index == slot   ? 1.0
                      : contact->body_a.index == slot ? -1.0
                                                      : 0.0;
        sum = cairn_add_scaled(sum, sign, contact->impulse);
        scale += fabs(sign) * cairn_norm(contact->impulse);
    }
    return weight > 0.0 && cairn_norm(sum) > unborne * scale;
}

// ---------------------------------------------------------------- energy

static double energy_of(const cairn_remeasured* m)
{
    return m->kinetic + m->potential + m->spring;
}

static double moving_of(const cairn_remeasured* m)
{
    return m->kinetic + least_lift * m->weight;
}

// whether something may have taken energy: contacts that slide, or that begin to bear
static bool may_lose(const cairn_laws* laws, const cairn_frame* frame)
{
    for (int c = 0; c < frame->contact_count; c++) {
        const cairn_contact* contact = &frame->contacts[c];
        if (bears(contact) && (contact->state == CAIRN_CONTACT_SLIDE || !bore(laws, contact)))
            return true;
    }
    return false;
}

static void judge_energy(cairn_laws* laws, cairn_law_flaws* flaws, const cairn_frame* frame,
                         const cairn_remeasured* now)
{
    const cairn_motion* m = &frame->report.motion;
    const cairn_remeasured* before = &laws->measured;
    double work = m->work_external + m->work_motor, end = energy_of(now) - work;
    laws->start += work;
    if (!before->weighed || !now->weighed || before->powered || now->powered ||
        m->inertia_raised > 1.0) {
        laws->start = energy_of(now); // work and inertia that no report tells
        laws->most = 0.0;
        return;
    }

    double told = m->dissipated + m->dissipated_numeric - m->energy_defect;
    double moved = fmax(moving_of(before), moving_of(now)), change = end - energy_of(before) + told;
    laws->most = fmax(laws->most, moved);
    flaws->lost = -change > most_lost * moved + round_off * laws->most && !may_lose(laws, frame);

    // what overlaps and residuals allow adds up
    double grown = energy_of(now) - laws->start;
    flaws->grown = grown > most_grown * laws->most;
}

// ---------------------------------------------------------------- balls

static bool is_ball(const cairn_stage* stage, int slot)
{
    const cairn_stage_body* body = &stage->bodies[slot];
    cairn_vec3 off = cairn_sub(body->offset.p, body->principal.p);
    return body->shaped && body->shape.kind == CAIRN_SHAPE_SPHERE && cairn_norm(off) == 0.0;
}

static int contacts_of(const cairn_frame* frame, int slot)
{
    int count = 0;
    for (int c = 0; c < frame->contact_count; c++)
        count += bears(&frame->contacts[c]) && (frame->contacts[c].body_a.index == slot ||
                                                frame->contacts[c].body_b.index == slot);
    return count;
}

// whether the spin of a body changed: friction pushed, too
static bool spins(const cairn_laws* laws, const cairn_frame* frame, int slot)
{
    cairn_vec3 change = cairn_sub(frame->bodies[slot].spin, laws->bodies[slot].spin);
    return cairn_dot(change, change) > 0.0;
}

static bool is_askew(const cairn_laws* laws, const cairn_stage* stage, const cairn_frame* frame,
                     const cairn_contact* contact)
{
    int a = contact->body_a.index, b = contact->body_b.index;
    if (!bears(contact) || bore(laws, contact) || !moves(stage, frame, a) ||
        !moves(stage, frame, b) || a >= laws->count || b >= laws->count || !is_ball(stage, a) ||
        !is_ball(stage, b) || contacts_of(frame, a) > 1 || contacts_of(frame, b) > 1 ||
        is_joined(stage, a) || is_joined(stage, b) || spins(laws, frame, a) ||
        spins(laws, frame, b))
        return false;

    // of balls the origins of the bodies go along with the centers, but for where they turn about those
    const cairn_frame_body *at_a = &laws->bodies[a], *at_b = &laws->bodies[b];
    cairn_vec3 d = cairn_sub(cairn_transform_point(at_b->pose, stage->bodies[b].principal.p),
                             cairn_transform_point(at_a->pose, stage->bodies[a].principal.p));
    cairn_vec3 u = cairn_sub(at_b->velocity, at_a->velocity);
    double R = stage->bodies[a].shape.radius + stage->bodies[b].shape.radius;
    double uu = cairn_dot(u, u), du = cairn_dot(d, u),
           root = du * du - uu * (cairn_dot(d, d) - R * R);
    if (!(du < 0.0) || !(cairn_norm(d) > R))
        return false;

    // they do not meet, or not within the step: nothing pushes
    double t = root >= 0.0 ? (-du - sqrt(root)) / uu : INFINITY;
    if (!(t <= stage->dt * (1.0 + 1e-6)))
        return cairn_norm(cairn_sub(frame->bodies[b].velocity, at_b->velocity)) > 1e-3 * sqrt(uu);
    cairn_vec3 n = cairn_normalize(cairn_add_scaled(d, t, u));
    return cairn_norm(cairn_cross(n, cairn_normalize(contact->impulse))) > skew;
}

// ---------------------------------------------------------------- walls

static cairn_vec3 center_of(const cairn_stage* stage, const cairn_frame_body* state, int slot)
{
    return cairn_transform_point(state->pose, stage->bodies[slot].principal.p);
}

// whether a body stood where it is, and collides with another one
static bool is_wall(const cairn_laws* laws, const cairn_stage* stage, const cairn_frame* frame,
                    int slot, int other)
{
    const cairn_stage_body *a = &stage->bodies[slot], *b = &stage->bodies[other];
    if (!is_there(stage, frame, other) || other >= laws->count || !b->shaped ||
        b->type == CAIRN_BODY_DYNAMIC || frame->bodies[other].pushed || !(a->category & b->mask) ||
        !(b->category & a->mask))
        return false;
    const cairn_transform *now = &frame->bodies[other].pose, *before = &laws->bodies[other].pose;
    return memcmp(now, before, sizeof *now) == 0;
}

// A body without joints that went farther than it is wide. Bent ways do not mislead: what a wall turns back stays on
// one side of the plane of its contact, and so does the straight line between its places.
static bool has_passed(const cairn_laws* laws, const cairn_stage* stage, const cairn_frame* frame,
                       int slot)
{
    if (!moves(stage, frame, slot) || slot >= laws->count || !laws->bodies[slot].present ||
        laws->bodies[slot].asleep || !stage->bodies[slot].shaped || is_joined(stage, slot))
        return false;

    cairn_vec3 from = center_of(stage, &laws->bodies[slot], slot),
               to = center_of(stage, &frame->bodies[slot], slot), way = cairn_sub(to, from);
    cairn_aabb box = cairn_shape_aabb(&stage->bodies[slot].shape, stage->bodies[slot].offset);
    cairn_vec3 size = cairn_sub(box.hi, box.lo);
    if (!(cairn_norm(way) > 0.5 * fmin(size.x, fmin(size.y, size.z))))
        return false;

    for (int other = 0; other < frame->body_count && other < stage->body_count; other++) {
        if (other == slot || !is_wall(laws, stage, frame, slot, other))
            continue;
        const cairn_stage_body* wall = &stage->bodies[other];
        cairn_transform x = cairn_transform_multiply(frame->bodies[other].pose, wall->offset);
        cairn_hit in, out;
        if (cairn_shape_cast_ray(&wall->shape, x, from, way, &in) &&
            cairn_shape_cast_ray(&wall->shape, x, to, cairn_neg(way), &out) &&
            cairn_dot(in.normal, out.normal) < opposite)
            return true;
    }
    return false;
}

// ---------------------------------------------------------------- seams

// m: how far a body reaches along a unit direction
static double reach(const cairn_stage* stage, const cairn_frame_body* state, int slot, cairn_vec3 n)
{
    // the turn that takes n to z
    cairn_vec3 z = cairn_vec(0.0, 0.0, 1.0), axis = cairn_cross(n, z);
    double sine = cairn_norm(axis), angle = cairn_atan2(sine, cairn_dot(n, z));
    axis = sine > 0.0 ? cairn_scale(angle / sine, axis) : cairn_vec(angle, 0.0, 0.0);
    cairn_quat R = cairn_quat_from_rotation_vector(axis);

    cairn_transform x = cairn_transform_multiply(state->pose, stage->bodies[slot].offset);
    cairn_transform turned = {cairn_rotate(R, x.p), cairn_quat_multiply(R, x.q)};
    return cairn_shape_aabb(&stage->bodies[slot].shape, turned).hi.z;
}

// whether `other` pushes a body although the plane of `plane` parts the two
static bool is_ghost(const cairn_laws* laws, const cairn_stage* stage, int slot,
                     const cairn_contact* plane, const cairn_contact* other)
{
    cairn_vec3 n = plane->body_b.index == slot ? plane->normal : cairn_neg(plane->normal);
    cairn_vec3 m = other->body_b.index == slot ? other->normal : cairn_neg(other->normal);
    int z = plane->body_b.index == slot ? plane->body_a.index : plane->body_b.index;
    int y = other->body_b.index == slot ? other->body_a.index : other->body_b.index;
    if (y == z || y < 0 || z < 0 || y >= laws->count || z >= laws->count ||
        cairn_dot(n, m) > other_way || stage->bodies[y].type != CAIRN_BODY_STATIC ||
        stage->bodies[z].type != CAIRN_BODY_STATIC || !stage->bodies[y].shaped ||
        !cairn_shape_is_convex(&stage->bodies[y].shape) ||
        !cairn_shape_is_convex(&stage->bodies[z].shape) ||
        !cairn_shape_is_convex(&stage->bodies[slot].shape))
        return false;

    // in both frames: Y below the plane, the body above it
    double level = reach(stage, &laws->bodies[z], z, n);
    return reach(stage, &laws->bodies[y], y, n) <= level + flush &&
           -reach(stage, &laws->bodies[slot], slot, cairn_neg(n)) >= level - flush;
}

static bool is_ghostly(const cairn_laws* laws, const cairn_stage* stage, const cairn_frame* frame,
                       const cairn_contact* contact)
{
    double weight = 0.0;
    const int slots[2] = {contact->body_a.index, contact->body_b.index};
    for (int side = 0; side < 2; side++) {
        int slot = slots[side];
        if (!moves(stage, frame, slot) || slot >= laws->count || !stage->bodies[slot].shaped)
            continue;
        weight = stage->bodies[slot].mass * cairn_norm(stage->gravity) * stage->dt;
        if (!(cairn_norm(contact->impulse) > unborne * weight))
            continue;

        // a plane that held the body in the frame before
        for (int c = 0; c < laws->contact_count; c++) {
            const cairn_contact* plane = &laws->contacts[c];
            bool own = plane->body_a.index == slot || plane->body_b.index == slot;
            if (own && bears(plane) && is_ghost(laws, stage, slot, plane, contact))
                return true;
        }
    }
    return false;
}

// ---------------------------------------------------------------- a step

static bool remember(cairn_laws* laws, const cairn_frame* frame, const cairn_remeasured* now)
{
    if (!cairn_grow((void**)&laws->bodies, &laws->capacity, frame->body_count,
                    sizeof *laws->bodies) ||
        !cairn_grow((void**)&laws->contacts, &laws->contact_capacity, frame->contact_count,
                    sizeof *laws->contacts))
        return false;
    laws->count = frame->body_count;
    laws->contact_count = frame->contact_count;
    if (frame->body_count > 0)
        memcpy(laws->bodies, frame->bodies, (size_t)frame->body_count * sizeof *laws->bodies);
    if (frame->contact_count > 0)
        memcpy(laws->contacts, frame->contacts,
               (size_t)frame->contact_count * sizeof *laws->contacts);
    laws->measured = *now;
    laws->known = true;
    return true;
}

bool cairn_laws_judge(cairn_laws* laws, cairn_law_flaws* flaws, const cairn_stage* stage,
                      const cairn_frame* frame, const cairn_remeasured* now, bool same)
{
    *flaws = (cairn_law_flaws){0};
    if (!laws->known || !same) {
        laws->start = energy_of(now);
        laws->most = 0.0;
        return remember(laws, frame, now);
    }

    for (int i = 0; i < frame->body_count && !flaws->unborne; i++)
        flaws->unborne = is_unborne(laws, stage, frame, i);
    for (int i = 0; i < frame->body_count && !flaws->passed; i++)
        flaws->passed = has_passed(laws, stage, frame, i);
    judge_energy(laws, flaws, frame, now);
    for (int c = 0; c < frame->contact_count; c++) {
        flaws->askew = flaws->askew || is_askew(laws, stage, frame, &frame->contacts[c]);
        flaws->ghostly = flaws->ghostly || is_ghostly(laws, stage, frame, &frame->contacts[c]);
    }
    return remember(laws, frame, now);
}

void cairn_laws_destroy(cairn_laws* laws)
{
    free(laws->bodies);
    free(laws->contacts);
    *laws = (cairn_laws){0};
}
