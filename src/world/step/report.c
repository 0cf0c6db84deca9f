// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// What was done to each island of a step, and how exactly: the worst of its substeps. Each island
// writes its own report, whatever thread solves it; the step's figures are taken from them at the
// end, in the order of the islands.

#include "problem/natural_map.h"
#include "solve/method.h"
#include "world/step/island.h"
#include <stdlib.h>
#include <string.h>

void cairn_island_tell(const cairn_span* span, const char* method, const cairn_judged* judged,
                       cairn_outcome outcome)
{
    cairn_island_report* report = cairn_island_report_of(span);
    double relative = judged->scale > 0.0 ? judged->residual / judged->scale : judged->residual;
    report->residual = cairn_worst(report->residual, relative);
    report->residual_velocity = cairn_worst(report->residual_velocity, judged->residual);
    report->method = method;
    report->law = CAIRN_LAW_AS_GIVEN;
    report->facets = 0;
    if (outcome != CAIRN_OUTCOME_CONVERGED)
        report->outcome = outcome;
}

void cairn_island_witness(const cairn_span* span, const cairn_problem* problem,
                          const double* lambda, const cairn_judged* judged,
                          const cairn_report* solved)
{
    cairn_world* world = span->world;
    if (!world->solve_hook)
        return;

    cairn_island_solve seen = {.problem = problem,
                               .slot = span->group->bodies + span->island->body,
                               .lambda = lambda,
                               .h = span->kick,
                               .residual = judged->scale > 0.0 ? judged->residual / judged->scale
                                                               : judged->residual,
                               .residual_velocity = judged->residual,
                               .scale = judged->scale,
                               .attempt = world->attempt};

    if (solved) {
        seen.law = solved->law;
        seen.facets = solved->facets;
    }

    world->hooked = true;
    world->solve_hook(world->solve_context, &seen);
    world->hooked = false;
}

void cairn_island_tell_law(const cairn_span* span, int rows, cairn_law law, int facets)
{
    cairn_island_report* report = cairn_island_report_of(span);
    report->rows = rows;
    report->law = law;
    report->facets = facets;
}

void cairn_island_tell_joints(const cairn_span* span, double gape, double raised, bool open)
{
    cairn_island_report* report = cairn_island_report_of(span);
    report->motion.joint_error = fmax(report->motion.joint_error, gape);
    report->motion.substeps_max = span->substeps;
    report->motion.inertia_raised = fmax(report->motion.inertia_raised, raised);
    if (open && report->outcome == CAIRN_OUTCOME_CONVERGED)
        report->outcome = CAIRN_OUTCOME_STEP_LIMIT;
}

void cairn_island_tell_update(const cairn_span* span, double error)
{
    cairn_island_report* report = cairn_island_report_of(span);
    report->motion.update_error = cairn_worst(report->motion.update_error, error);
}

void cairn_island_tell_balance(const cairn_span* span, const cairn_motion* motion, bool gained)
{
    cairn_island_report* report = cairn_island_report_of(span);
    report->motion.energy_defect = motion->energy_defect;
    report->motion.work_external = motion->work_external;
    report->motion.work_motor = motion->work_motor;
    report->motion.dissipated = motion->dissipated;
    report->motion.dissipated_numeric = motion->dissipated_numeric;
    report->motion.substeps_max = motion->substeps_max;
    if (gained && report->outcome == CAIRN_OUTCOME_CONVERGED)
        report->outcome = CAIRN_OUTCOME_STEP_LIMIT;
}

void cairn_reports_tell_overlap(const cairn_group* group, const cairn_world* world,
                                const int slots[2], double depth, double dt)
{
    for (int side = 0; side < 2; side++) {
        int i = group->island_of[slots[side]];
        if (i < 0)
            continue;
        cairn_island_report* report = &world->told[i];
        report->motion.penetration = fmax(report->motion.penetration, depth);
        if (depth <= 1e-3 || report->outcome != CAIRN_OUTCOME_CONVERGED)
            continue;

        // a solve within its tolerance lets bodies approach by its residual, as long as the step is
        double allowed =
            cairn_overlap_allowed(&world->bodies[slots[0]].shape, &world->bodies[slots[1]].shape);
        if (depth > allowed + report->residual_velocity * dt)
            report->outcome = CAIRN_OUTCOME_STEP_LIMIT;
    }
}

void cairn_reports_tell_waiting(const cairn_group* group, const cairn_world* world, int slot)
{
    int i = group->island_of[slot];
    if (i >= 0 && world->told[i].outcome == CAIRN_OUTCOME_CONVERGED)
        world->told[i].outcome = CAIRN_OUTCOME_STEP_LIMIT;
}

void cairn_island_tell_motion(const cairn_span* span, const cairn_motion* motion, int rows)
{
    cairn_island_report* report = cairn_island_report_of(span);
    report->motion = *motion;
    report->rows = rows;
}

cairn_status cairn_reports_start(const cairn_group* group, cairn_world* world)
{
    world->told = CAIRN_TAKE(&world->undo.arena, cairn_island_report, group->count);
    world->told_count = group->count;
    if (!world->told)
        return CAIRN_NO_MEMORY;

    for (int i = 0; i < group->count; i++) {
        const cairn_island* island = &group->islands[i];
        int rows = 0;
        for (int c = 0; c < island->touch_count; c++)
            rows += world->touches[group->touches[island->touch + c]].rows;
        world->told[i] = (cairn_island_report){
            .method = "none",
            .bodies = island->body_count,
            .contacts = island->touch_count,
            .joints = island->link_count,
            .rows = rows,
            .motion = {.substeps_max = world->def.substeps, .inertia_raised = 1.0}};
    }

    return CAIRN_OK;
}

static void take_over(cairn_island_report* report, const cairn_island_report* old)
{
    report->residual = cairn_worst(report->residual, old->residual);
    report->residual_velocity = cairn_worst(report->residual_velocity, old->residual_velocity);
    if (old->outcome > report->outcome)
        report->outcome = old->outcome;
    report->motion = old->motion;
    report->work = fmax(report->work, old->work);
    if (!cairn_method_is(old->method, "none")) {
        report->method = old->method;
        report->law = old->law;
        report->facets = old->facets;
    }
}

cairn_status cairn_reports_regroup(const cairn_group* group, const cairn_group* old,
                                   cairn_world* world)
{
    const cairn_island_report* told = world->told;
    cairn_status status = cairn_reports_start(group, world);
    for (int i = 0; i < world->body_count && status == CAIRN_OK; i++)
        if (group->island_of[i] >= 0)
            take_over(&world->told[group->island_of[i]], &told[old->island_of[i]]);
    return status;
}

// the method of all islands that had something to solve, "auto" when they differ
static const char* common_method(const cairn_world* world)
{
    const char* method = "none";
    for (int i = 0; i < world->told_count; i++) {
        const char* own = world->told[i].method;
        if (cairn_method_is(own, "none") || cairn_method_is(own, method))
            continue;
        if (!cairn_method_is(method, "none"))
            return "auto";
        method = own;
    }
    return method;
}

void cairn_motion_add(cairn_motion* sum, const cairn_motion* other)
{
    if (!sum || !other)
        return;

    // the worst of both
    sum->penetration = cairn_worst(sum->penetration, other->penetration);
    sum->joint_error = cairn_worst(sum->joint_error, other->joint_error);
    sum->update_error = cairn_worst(sum->update_error, other->update_error);
    sum->inertia_raised = cairn_worst(fmax(sum->inertia_raised, 1.0), other->inertia_raised);
    sum->substeps_max =
        sum->substeps_max > other->substeps_max ? sum->substeps_max : other->substeps_max;

    // energies add up
    sum->energy_defect += other->energy_defect;
    sum->work_external += other->work_external;
    sum->work_motor += other->work_motor;
    sum->dissipated += other->dissipated;
    sum->dissipated_numeric += other->dissipated_numeric;
}

void cairn_reports_sum(const cairn_world* world, cairn_step_report* report)
{
    report->motion = (cairn_motion){.inertia_raised = 1.0};
    for (int i = 0; i < world->told_count; i++) {
        const cairn_island_report* own = &world->told[i];
        report->residual = cairn_worst(report->residual, own->residual);
        report->residual_velocity = cairn_worst(report->residual_velocity, own->residual_velocity);
        if (own->outcome > report->outcome)
            report->outcome = own->outcome;
        report->work += own->work;
        report->multiplicity = own->multiplicity < 0 || report->multiplicity < 0
                                   ? CAIRN_MULTIPLICITY_UNKNOWN
                                   : report->multiplicity + own->multiplicity;
        cairn_motion_add(&report->motion, &own->motion);
    }

    report->method = common_method(world);
}

cairn_status cairn_reports_reserve(cairn_world* world)
{
    if (world->told_count <= world->island_capacity)
        return CAIRN_OK;
    int capacity = 2 * world->told_count;
    cairn_island_report* reports =
        realloc(world->island_reports, (size_t)capacity * sizeof *reports);
    if (!reports)
        return CAIRN_NO_MEMORY;
    world->island_reports = reports;
    world->island_capacity = capacity;
    return CAIRN_OK;
}

void cairn_reports_publish(cairn_world* world, cairn_step_report* report)
{
    world->island_count = world->told_count;
    if (world->told_count > 0)
        memcpy(world->island_reports, world->told, (size_t)world->told_count * sizeof *world->told);
    report->islands = world->island_count;
    report->island_reports = world->island_reports;
}
