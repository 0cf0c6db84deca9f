// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The certificate of the motion in JSON and in plain words.

#include "motion.h"
#include <math.h>

void motion_to_json(json_t* out, const cairn_motion* motion)
{
    json_t* object = json_object();
    verb_set_real(object, "penetration", motion->penetration);
    verb_set_real(object, "joint_error", motion->joint_error);
    verb_set_real(object, "energy_defect", motion->energy_defect);
    verb_set_real(object, "work_external", motion->work_external);
    verb_set_real(object, "work_motor", motion->work_motor);
    verb_set_real(object, "dissipated", motion->dissipated);
    verb_set_real(object, "dissipated_numeric", motion->dissipated_numeric);
    verb_set_real(object, "update_error", motion->update_error);
    verb_set_integer(object, "substeps_max", motion->substeps_max);
    verb_set_real(object, "inertia_raised", motion->inertia_raised);
    json_object_set_new(out, "motion", object);
}

void motion_to_table(verb_table* table, const cairn_motion* motion)
{
    verb_cell(table, "motion");
    verb_cell(table,
              "overlaps of %.3g mm, joint errors of %.3g mm, contact errors of %.3g mm at "
              "most; %d substeps",
              1e3 * motion->penetration, 1e3 * motion->joint_error, 1e3 * motion->update_error,
              motion->substeps_max);

    verb_cell(table, "balance");
    verb_cell(table,
              "work of forces %.3g J, of motors %.3g J; dissipated %.3g J; unexplained %.3g J",
              motion->work_external, motion->work_motor,
              motion->dissipated + fmin(motion->dissipated_numeric, 0.0), motion->energy_defect);

    if (motion->dissipated_numeric > 0.0 || motion->inertia_raised > 1.0) {
        verb_cell(table, "numerics");
        verb_cell(table, "dissipated %.3g J; inertia of light bodies raised up to %.3g times",
                  motion->dissipated_numeric, motion->inertia_raised);
    }
}
