// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors

#include "mechanisms.h"
#include "check_cairn.h"
#include "worlds.h"
#include <math.h>

cairn_world* mechanism_make(double accuracy, int substeps, int most)
{
    cairn_world_def def = cairn_default_world_def();
    def.accuracy = accuracy;
    def.substeps = substeps;
    def.most_substeps = most;
    def.sleep = false;
    return worlds_empty(def);
}

cairn_body_id mechanism_body(cairn_world* world, double mass, cairn_vec3 moments,
                             cairn_transform at)
{
    cairn_body_def def = cairn_default_body_def();
    cairn_body_id id;
    def.mass = mass;
    def.inertia = cairn_mat3_diagonal(moments.x, moments.y, moments.z);
    def.pose = at;
    CHECK(cairn_world_add_body(world, &def, &id, NULL) == CAIRN_OK);
    return id;
}

cairn_quat mechanism_turn(cairn_vec3 direction)
{
    cairn_vec3 d = cairn_normalize(direction);
    if (d.z < -1.0 + 1e-12)
        return (cairn_quat){0.0, 1.0, 0.0, 0.0};
    return cairn_quat_normalize((cairn_quat){1.0 + d.z, -d.y, d.x, 0.0});
}

cairn_vec3 mechanism_rod(double mass, double length, double radius)
{
    double across = mass * (length * length / 12.0 + radius * radius / 4.0);
    return cairn_vec(across, across, 0.5 * mass * radius * radius);
}

static cairn_transform in_body(const cairn_world* world, cairn_body_id id, cairn_transform at)
{
    if (id.generation == 0)
        return at;
    return cairn_transform_relative(worlds_state(world, id).pose, at);
}

cairn_joint_def mechanism_joint(const cairn_world* world, cairn_joint_kind kind, cairn_body_id a,
                                cairn_body_id b, cairn_vec3 at, cairn_vec3 axis)
{
    cairn_joint_def def = cairn_default_joint_def(kind);
    cairn_transform frame = {at, mechanism_turn(axis)};
    def.body_a = a;
    def.body_b = b;
    def.frame_a = in_body(world, a, frame);
    def.frame_b = in_body(world, b, frame);
    return def;
}

cairn_joint_id mechanism_add(cairn_world* world, const cairn_joint_def* def)
{
    cairn_joint_id id;
    CHECK(cairn_world_add_joint(world, def, &id, NULL) == CAIRN_OK);
    return id;
}

cairn_joint_id mechanism_join(cairn_world* world, cairn_joint_kind kind, cairn_body_id a,
                              cairn_body_id b, cairn_vec3 at, cairn_vec3 axis)
{
    cairn_joint_def def = mechanism_joint(world, kind, a, b, at, axis);
    return mechanism_add(world, &def);
}

cairn_body_id mechanism_chain(cairn_world* world, int links, double length, double mass,
                              double radius)
{
    const cairn_vec3 x = {1.0, 0.0, 0.0};
    cairn_body_id last = mechanism_world;
    for (int i = 0; i < links; i++) {
        cairn_transform at = {cairn_scale((i + 0.5) * length, x), mechanism_turn(x)};
        cairn_body_id rod = mechanism_body(world, mass, mechanism_rod(mass, length, radius), at);
        mechanism_join(world, CAIRN_JOINT_BALL, last, rod, cairn_scale(i * length, x), x);
        last = rod;
    }
    return last;
}

double mechanism_energy(const cairn_world* world)
{
    double kinetic, potential;
    cairn_world_energy(world, &kinetic, &potential);
    return kinetic + potential;
}

double mechanism_coordinate(const cairn_world* world, cairn_joint_id id)
{
    cairn_joint_state state;
    CHECK(cairn_joint_get(world, id, &state, NULL) == CAIRN_OK);
    return state.coordinate;
}

mechanism_run mechanism_step(cairn_world* world, int steps)
{
    double start = mechanism_energy(world), last = start, explained = 0.0;
    mechanism_run run = {.raised = 1.0};
    for (int i = 0; i < steps; i++) {
        cairn_step_report report;
        CHECK(cairn_world_step(world, worlds_dt, &report, NULL) == CAIRN_OK);
        const cairn_motion* motion = &report.motion;
        double energy = mechanism_energy(world);
        CHECK(isfinite(energy));
        run.gain = fmax(run.gain, energy - start);
        run.rise = fmax(run.rise, energy - last + motion->dissipated_numeric);
        run.joint_error = fmax(run.joint_error, fmax(report.joint_error, motion->joint_error));
        run.missed += report.outcome != CAIRN_OUTCOME_CONVERGED;
        run.numeric += motion->dissipated_numeric;
        run.motor += motion->work_motor;
        run.substeps += (double)motion->substeps_max / steps;
        run.raised = fmax(run.raised, motion->inertia_raised);
        explained += motion->work_external + motion->work_motor + motion->energy_defect -
                     motion->dissipated - motion->dissipated_numeric;
        last = energy;
    }
    run.change = last - start;
    run.balance = fabs(run.change - explained);
    return run;
}
