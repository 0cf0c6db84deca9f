// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The motion of a recording, measured again. Overlaps: the broad phase finds pairs of boxes, fresh
// manifolds tell the depth. Joints: from the places of their two frames,
//
//     ball, hinge, universal, fixed     |p_B - p_A|
//     slider, cylindrical               distance of p_B from A's z axis
//     distance                          | |p_B - p_A| - length |
//     surface, rolling                  | distance of p_B from the surface - radius that rolls |
//
// Energy: ½ m v² + ½ ω·Iω - m g·x of the bodies, ½ k (x - x₀)² of the springs.

#include "io/recording/remeasure.h"
#include "io/recording/stage.h"
#include <math.h>
#include <stdlib.h>

static const double pi = 3.14159265358979323846;

// ---------------------------------------------------------------- overlaps

static cairn_transform place_of(const cairn_stage* stage, const cairn_frame* frame, int slot)
{
    return cairn_transform_multiply(frame->bodies[slot].pose, stage->bodies[slot].offset);
}

static bool is_there(const cairn_stage* stage, const cairn_frame* frame, int slot)
{
    return slot >= 0 && slot < frame->body_count && slot < stage->body_count &&
           frame->bodies[slot].present && !frame->bodies[slot].frozen &&
           stage->bodies[slot].id.generation != 0;
}

static cairn_status no_memory(cairn_error* error)
{
    return cairn_fail(error, CAIRN_NO_MEMORY, "no memory to measure the motion of a recording");
}

static cairn_status exclude(cairn_remeasure* all, int a, int b, cairn_error* error)
{
    if (a < 0 || b < 0 || all->proxy[a] < 0 || all->proxy[b] < 0)
        return CAIRN_OK;
    cairn_status status = cairn_broad_exclude(all->broad, all->proxy[a], all->proxy[b], true);
    return status == CAIRN_OK ? CAIRN_OK : no_memory(error);
}

// joined bodies meet only where their joint says so; what else is excluded, older recordings do not
// tell
static cairn_status exclude_all(cairn_remeasure* all, const cairn_stage* stage, cairn_error* error)
{
    cairn_status status = CAIRN_OK;
    for (int i = 0; i < stage->joint_count && status == CAIRN_OK; i++) {
        const cairn_stage_joint* joint = &stage->joints[i];
        if (joint->id.generation != 0 && !joint->collide)
            status = exclude(all, joint->body_a, joint->body_b, error);
    }
    for (int i = 0; i < stage->excluded_count && status == CAIRN_OK; i++)
        status = exclude(all, stage->excluded[i][0], stage->excluded[i][1], error);
    return status;
}

// one proxy for each body with a shape
static cairn_status build(cairn_remeasure* all, const cairn_stage* stage, const cairn_frame* frame,
                          cairn_error* error)
{
    int count = stage->body_count;
    cairn_broad_destroy(all->broad);
    all->broad = cairn_broad_create(0.0);
    if (!all->broad ||
        !cairn_grow((void**)&all->proxy, &all->body_capacity, count, sizeof *all->proxy) ||
        !cairn_grow((void**)&all->slot, &all->proxy_capacity, count, sizeof *all->slot))
        return no_memory(error);

    // proxies have the filters of their bodies: the broad phase finds only pairs that may collide
    for (int i = 0; i < count; i++) {
        const cairn_stage_body* body = &stage->bodies[i];
        all->proxy[i] = -1;
        if (!is_there(stage, frame, i) || !body->shaped)
            continue;
        cairn_filter filter = cairn_default_filter();
        filter.category = body->category;
        filter.mask = body->mask;
        filter.fixed = body->type != CAIRN_BODY_DYNAMIC;
        cairn_aabb box = cairn_shape_aabb(&body->shape, place_of(stage, frame, i));
        all->proxy[i] = cairn_broad_add(all->broad, box, &filter);
        if (all->proxy[i] < 0)
            return no_memory(error);
        all->slot[all->proxy[i]] = i;
    }

    all->change = stage->change;
    return exclude_all(all, stage, error);
}

// the deepest point of a pair, from fresh manifolds
static cairn_status measure_pair(cairn_remeasure* all, const cairn_stage* stage,
                                 const cairn_frame* frame, cairn_pair pair, cairn_remeasured* out)
{
    int a = all->slot[pair.a], b = all->slot[pair.b];
    if (!is_there(stage, frame, a) || !is_there(stage, frame, b))
        return CAIRN_OK;

    // springs are there to overlap
    const cairn_stage_body *first = &stage->bodies[a], *second = &stage->bodies[b];
    if (first->soft || second->soft)
        return CAIRN_OK;
    const cairn_collide_def def = {.margin = 0.0, .all_points = true, .reuse = 0.0};
    cairn_contacts_clear(&all->contacts);
    cairn_status status = cairn_collide(&all->contacts, &first->shape, place_of(stage, frame, a),
                                        &second->shape, place_of(stage, frame, b), &def);
    if (status != CAIRN_OK)
        return status;

    double deepest = 0.0;
    for (int i = 0; i < all->contacts.count; i++) {
        const cairn_patch* patch = &all->contacts.patches[i];
        for (int k = 0; k < patch->count; k++)
            deepest = fmax(deepest, -all->contacts.points[patch->first + k].gap);
    }

    out->penetration = fmax(out->penetration, deepest);
    if (deepest <= out->excess)
        return CAIRN_OK;

    // the excess is what lies deeper than the shapes may overlap
    double excess = deepest - cairn_overlap_allowed(&first->shape, &second->shape);
    if (excess > out->excess) {
        out->excess = excess;
        out->body_a = a;
        out->body_b = b;
    }
    return CAIRN_OK;
}

static cairn_status measure_overlaps(cairn_remeasure* all, const cairn_stage* stage,
                                     const cairn_frame* frame, cairn_remeasured* out,
                                     cairn_error* error)
{
    // bodies come and go with a change of the stage
    if (all->change != stage->change || !all->broad) {
        cairn_status status = build(all, stage, frame, error);
        if (status != CAIRN_OK)
            return status;
    }

    for (int i = 0; i < stage->body_count; i++)
        if (all->proxy[i] >= 0 && is_there(stage, frame, i))
            cairn_broad_move(all->broad, all->proxy[i],
                             cairn_shape_aabb(&stage->bodies[i].shape, place_of(stage, frame, i)),
                             cairn_vec(0.0, 0.0, 0.0));
    if (cairn_broad_update(all->broad) != CAIRN_OK)
        return no_memory(error);

    int count = 0;
    const cairn_pair* pairs = cairn_broad_pairs(all->broad, &count);
    for (int i = 0; i < count; i++)
        if (measure_pair(all, stage, frame, pairs[i], out) != CAIRN_OK)
            return no_memory(error);
    return CAIRN_OK;
}

// ---------------------------------------------------------------- joints

// the two frames of a joint in the world; false when a body of it is not there
static bool frames_of(const cairn_stage* stage, const cairn_frame* frame,
                      const cairn_stage_joint* joint, cairn_transform at[2])
{
    const int slots[2] = {joint->body_a, joint->body_b};
    const cairn_transform own[2] = {joint->frame_a, joint->frame_b};
    for (int k = 0; k < 2; k++) {
        if (slots[k] >= 0 && !is_there(stage, frame, slots[k]))
            return false;
        at[k] =
            slots[k] >= 0 ? cairn_transform_multiply(frame->bodies[slots[k]].pose, own[k]) : own[k];
    }
    return true;
}

// how far a point in A's frame is from the surface
static double height(const cairn_stage_joint* joint, cairn_vec3 p)
{
    double across = cairn_hypot(p.x, p.y);
    switch (joint->surface) {
    case CAIRN_SURFACE_PLANE:
        return fabs(p.z);
    case CAIRN_SURFACE_SPHERE:
        return fabs(cairn_norm(p) - joint->radius);
    case CAIRN_SURFACE_CYLINDER:
        return fabs(across - joint->radius);
    case CAIRN_SURFACE_TORUS:
        return fabs(cairn_hypot(across - joint->radius, p.z) - joint->tube);
    }
    return 0.0;
}

static double gap_of(const cairn_stage_joint* joint, const cairn_transform at[2])
{
    // the separation of the two frames in the axes that the joint does not leave free
    cairn_vec3 apart = cairn_sub(at[1].p, at[0].p);
    cairn_vec3 seen = cairn_rotate_back(at[0].q, apart);
    double roller = joint->roller;

    switch (joint->kind) {
    case CAIRN_JOINT_BALL:
    case CAIRN_JOINT_HINGE:
    case CAIRN_JOINT_UNIVERSAL:
    case CAIRN_JOINT_FIXED:
        return cairn_norm(apart);
    case CAIRN_JOINT_SLIDER:
    case CAIRN_JOINT_CYLINDRICAL:
    case CAIRN_JOINT_WHEEL:
        return cairn_hypot(seen.x, seen.y);

    case CAIRN_JOINT_DISTANCE:
        return joint->length >= 0.0 ? fabs(cairn_norm(apart) - joint->length) : 0.0;

    case CAIRN_JOINT_SURFACE:
        return height(joint, seen);
    case CAIRN_JOINT_ROLLING:
        // older recordings do not tell what rolls
        if (!(roller > 0.0))
            return 0.0;

        // a wheel that leans has its center lower
        if (joint->wheel) {
            cairn_vec3 z = cairn_vec(0.0, 0.0, 1.0);
            double up = cairn_dot(cairn_rotate(at[0].q, z), cairn_rotate(at[1].q, z));
            roller *= sqrt(fmax(1.0 - up * up, 0.0));
        }
        return fabs(height(joint, seen) - roller);

    case CAIRN_JOINT_GEAR:
    case CAIRN_JOINT_RACK:
    case CAIRN_JOINT_SCREW:
    case CAIRN_JOINT_LOCKS:  // of which a recording does not tell the axes,
    case CAIRN_JOINT_PULLEY: // and of which it does not tell the anchors
    case CAIRN_JOINT_ALONG:
    case CAIRN_JOINT_TWIST:
    case CAIRN_JOINT_AROUND:
    case CAIRN_JOINT_KIND_COUNT:
        return 0.0;
    }
    return 0.0;
}

// ---------------------------------------------------------------- springs

// the free coordinate; angles as near to `before` as whole turns allow
static double coordinate_of(const cairn_stage_joint* joint, const cairn_transform at[2],
                            double before)
{
    // the frame of B, seen from that of A
    cairn_vec3 seen = cairn_rotate_back(at[0].q, cairn_sub(at[1].p, at[0].p));
    cairn_vec3 x = cairn_rotate_back(at[0].q, cairn_rotate(at[1].q, cairn_vec(1.0, 0.0, 0.0)));
    cairn_vec3 z = cairn_rotate_back(at[0].q, cairn_rotate(at[1].q, cairn_vec(0.0, 0.0, 1.0)));
    cairn_quat turn = cairn_quat_multiply(cairn_quat_conjugate(at[0].q), at[1].q);
    double angle = 0.0;

    switch (joint->kind) {
    case CAIRN_JOINT_SLIDER:
    case CAIRN_JOINT_CYLINDRICAL:
    case CAIRN_JOINT_WHEEL:
    case CAIRN_JOINT_ALONG:
        return seen.z;
    case CAIRN_JOINT_DISTANCE:
        return cairn_norm(seen);
    case CAIRN_JOINT_BALL:
        return cairn_atan2(cairn_hypot(z.x, z.y), z.z);
    case CAIRN_JOINT_HINGE:
        angle = cairn_atan2(x.y, x.x);
        break;
    case CAIRN_JOINT_UNIVERSAL:
    case CAIRN_JOINT_AROUND:
        angle = cairn_atan2(z.y, z.x);
        break;
    case CAIRN_JOINT_TWIST:
        angle = 2.0 * cairn_atan2(turn.z, turn.w);
        break;
    default:
        return 0.0;
    }
    return angle + 2.0 * pi * round((before - angle) / (2.0 * pi));
}

static cairn_status measure_joints(cairn_remeasure* all, const cairn_stage* stage,
                                   const cairn_frame* frame, cairn_remeasured* out,
                                   cairn_error* error)
{
    if (!cairn_grow((void**)&all->angle, &all->angle_capacity, stage->joint_count,
                    sizeof *all->angle))
        return no_memory(error);

    for (int i = 0; i < stage->joint_count; i++) {
        const cairn_stage_joint* joint = &stage->joints[i];
        cairn_transform at[2];
        if (joint->id.generation == 0 || !frames_of(stage, frame, joint, at))
            continue;

        double gap = gap_of(joint, at);
        if (gap > out->joint_error) {
            out->joint_error = gap;
            out->joint = i;
        }

        // springs store ½ k (x − rest)²
        if (joint->stiffness > 0.0) {
            all->angle[i] = coordinate_of(joint, at, all->angle[i]);
            double stretch = all->angle[i] - joint->rest;
            out->spring += 0.5 * joint->stiffness * stretch * stretch;
        }
    }
    return CAIRN_OK;
}

// ---------------------------------------------------------------- energy

static void measure_energy(const cairn_stage* stage, const cairn_frame* frame,
                           cairn_remeasured* out)
{
    out->weighed = true;
    for (int i = 0; i < stage->body_count && i < frame->body_count; i++) {
        const cairn_stage_body* body = &stage->bodies[i];
        const cairn_frame_body* state = &frame->bodies[i];
        if (!state->present || body->id.generation == 0 || body->type != CAIRN_BODY_DYNAMIC)
            continue;

        cairn_transform axes = cairn_transform_multiply(state->pose, body->principal);
        cairn_vec3 w = cairn_rotate_back(axes.q, state->spin), I = body->moments;

        double pull = body->gravity_scale * body->mass;
        out->weighed = out->weighed && I.x + I.y + I.z > 0.0;

        // ½ m v² + ½ ω·I ω, −m g·x
        out->kinetic += 0.5 * (body->mass * cairn_dot(state->velocity, state->velocity) +
                               I.x * w.x * w.x + I.y * w.y * w.y + I.z * w.z * w.z);
        out->potential -= pull * cairn_dot(stage->gravity, axes.p);
        out->weight += fabs(pull) * cairn_norm(stage->gravity);
    }
}

static void measure_load(const cairn_frame* frame, cairn_remeasured* out)
{
    for (int c = 0; c < frame->contact_count; c++)
        out->load += cairn_norm(frame->contacts[c].impulse);
}

// whether contacts of bodies that are awake belong to the island of a body
static bool touches(const cairn_frame* frame, int slot)
{
    int island = slot >= 0 && slot < frame->body_count ? frame->bodies[slot].island : -1;
    for (int c = 0; c < frame->contact_count && island >= 0; c++) {
        const int ends[2] = {frame->contacts[c].body_a.index, frame->contacts[c].body_b.index};
        for (int k = 0; k < 2; k++)
            if (ends[k] >= 0 && ends[k] < frame->body_count &&
                frame->bodies[ends[k]].island == island && !frame->bodies[ends[k]].asleep)
                return true;
    }
    return false;
}

static bool is_kinematic(const cairn_stage* stage, int slot)
{
    return slot >= 0 && stage->bodies[slot].type == CAIRN_BODY_KINEMATIC;
}

static bool is_powered(const cairn_stage* stage, const cairn_frame* frame)
{
    for (int i = 0; i < stage->joint_count; i++) {
        const cairn_stage_joint* joint = &stage->joints[i];
        bool drives = joint->driven || is_kinematic(stage, joint->body_a) ||
                      is_kinematic(stage, joint->body_b);
        if (joint->id.generation != 0 && drives &&
            (touches(frame, joint->body_a) || touches(frame, joint->body_b)))
            return true;
    }
    return false;
}

// whether contacts are springs, whose energy no recording tells
static bool is_sprung(const cairn_stage* stage, const cairn_frame* frame)
{
    for (int c = 0; c < frame->contact_count; c++) {
        const int slots[2] = {frame->contacts[c].body_a.index, frame->contacts[c].body_b.index};
        for (int side = 0; side < 2; side++)
            if (is_there(stage, frame, slots[side]) && stage->bodies[slots[side]].soft)
                return true;
    }
    return false;
}

// ---------------------------------------------------------------- a frame

cairn_status cairn_remeasure_frame(cairn_remeasure* all, const cairn_stage* stage,
                                   const cairn_frame* frame, cairn_remeasured* out,
                                   cairn_error* error)
{
    *out = (cairn_remeasured){.body_a = -1, .body_b = -1, .joint = -1};
    cairn_status status = measure_overlaps(all, stage, frame, out, error);
    if (status == CAIRN_OK)
        status = measure_joints(all, stage, frame, out, error);
    if (status == CAIRN_OK)
        measure_energy(stage, frame, out);
    measure_load(frame, out);
    out->powered = is_powered(stage, frame) || is_sprung(stage, frame);
    return status;
}

// ---------------------------------------------------------------- judging

static const double widest_gap = 1e-4; // m: of joints
static const double most_gain = 1e-3;  // of the energy that moves, in a step
static const double least_lift = 1e-2; // m: by which the weight may always rise
static const double depth_slack =
    1e-5; // m: manifolds that go along with bodies, between detections
static const double joint_slack = 1e-9;  // m: round-off
static const double energy_slack = 1e-4; // of the energy that moves: the default accuracy

// whether the report claims at least what was found, up to round-off
static bool admitted(double found, double claimed, double slack)
{
    return found <= claimed * (1.0 + 1e-6) + slack;
}

cairn_motion_flaws cairn_motion_judge(const cairn_remeasured* before, const cairn_remeasured* after,
                                      const cairn_step_report* report, double dt)
{
    const cairn_motion* motion = &report->motion;
    bool told = motion->inertia_raised > 0.0;

    // a solve within its tolerance lets bodies approach by its residual, for as long as the step
    // lasts
    cairn_motion_flaws flaws = {.overlaps = after->excess > report->residual_velocity * dt,
                                .torn = after->joint_error > widest_gap};
    flaws.differs =
        !admitted(after->joint_error, fmax(report->joint_error, motion->joint_error), joint_slack);

    // older recordings have neither collision filters nor principal axes
    double claimed = fmax(report->penetration, motion->penetration);
    if (told && !admitted(after->penetration, claimed, depth_slack))
        flaws.differs = true;
    if (!after->weighed)
        return flaws;

    // the energies of the report are those of the bodies
    double moving = after->kinetic + least_lift * after->weight;
    double lifted = fabs(after->potential) + moving;
    flaws.differs = flaws.differs ||
                    fabs(after->kinetic - report->kinetic) > energy_slack * moving ||
                    fabs(after->potential - report->potential) > 1e-9 * lifted;
    if (!before || !before->weighed || !told || before->powered || after->powered ||
        motion->inertia_raised > 1.0) // which energies count with, and the recording does not tell
        return flaws;
    flaws.judged = true;

    // the energy gained beyond work, and what the report says was dissipated
    double change = after->kinetic + after->potential + after->spring -
                    (before->kinetic + before->potential + before->spring);
    double lost = motion->dissipated + motion->dissipated_numeric;
    flaws.gain = change - motion->work_external - motion->work_motor;

    // overlaps of the frame before that were pushed apart under load give back what they owed
    double owed = before->load / dt * before->penetration;
    flaws.gain -= fmin(fmax(-motion->dissipated_numeric, 0.0), owed);
    lost = fmax(lost, motion->dissipated);
    moving = fmax(moving, before->kinetic + least_lift * before->weight);
    flaws.gained = flaws.gain > (most_gain + 2.0 * report->residual) * moving;
    flaws.differs = flaws.differs || flaws.gain > motion->energy_defect - lost +
                                                      energy_slack * moving + 1e-12 * lifted;
    return flaws;
}

void cairn_remeasure_destroy(cairn_remeasure* all)
{
    cairn_broad_destroy(all->broad);
    cairn_contacts_destroy(&all->contacts);
    free(all->slot);
    free(all->proxy);
    free(all->angle);
    *all = (cairn_remeasure){0};
}
