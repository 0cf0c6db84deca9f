// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors

#include "motion.h"
#include <math.h>
#include <stdlib.h>

static void must(cairn_status status, const cairn_error* error)
{
    if (status == CAIRN_OK)
        return;
    fprintf(stderr, "cairn bench: %s\n", error->text);
    exit(2);
}

// JSON knows no NaN
static json_t* number(double x)
{
    return isfinite(x) ? json_real(x) : json_null();
}

void motion_row(bench* b, const char* name, const char* unit, double reference, double measured,
                double bound)
{
    double error = fabs(measured - reference);
    bool met = error <= bound;
    bench_row(b,
              json_pack("{s:s, s:s, s:o, s:o, s:o, s:o, s:s}", "case", name, "unit", unit,
                        "reference", number(reference), "measured", number(measured), "error",
                        number(error), "bound", number(bound), "verdict", met ? "ok" : "MISSED"));
    bench_bound(b, met, "%s: %.9g %s, reference %.9g, error %.3g, bound %.3g", name, measured, unit,
                reference, error, bound);
}

cairn_world* motion_world(cairn_vec3 gravity)
{
    cairn_world_def def = cairn_default_world_def();
    cairn_world* world = NULL;
    cairn_error error = {""};
    def.gravity = gravity;
    must(cairn_world_create(&def, &world, &error), &error);
    return world;
}

cairn_body_id motion_add(cairn_world* world, const cairn_body_def* def)
{
    cairn_body_id id = {0};
    cairn_error error = {""};
    must(cairn_world_add_body(world, def, &id, &error), &error);
    return id;
}

cairn_joint_id motion_join(cairn_world* world, const cairn_joint_def* def)
{
    cairn_joint_id id = {0};
    cairn_error error = {""};
    must(cairn_world_add_joint(world, def, &id, &error), &error);
    return id;
}

cairn_body_state motion_state(const cairn_world* world, cairn_body_id id)
{
    cairn_body_state state = {0};
    cairn_error error = {""};
    must(cairn_body_get(world, id, &state, &error), &error);
    return state;
}

cairn_step_report motion_step(cairn_world* world, double dt)
{
    cairn_step_report report = {0};
    cairn_error error = {""};
    must(cairn_world_step(world, dt, &report, &error), &error);
    return report;
}

void motion_run(cairn_world* world, int steps)
{
    for (int i = 0; i < steps; i++)
        motion_step(world, motion_dt);
}

double motion_energy(const cairn_world* world)
{
    double kinetic, potential;
    cairn_world_energy(world, &kinetic, &potential);
    return kinetic + potential;
}

cairn_quat motion_turn(cairn_vec3 axis, double angle)
{
    return cairn_quat_from_rotation_vector(cairn_scale(angle, axis));
}

void motion_section(bench* b)
{
    motion_joints(b);
    motion_contacts(b);
}
