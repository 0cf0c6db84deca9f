// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Forces of a mechanism at one instant, from accelerations instead of from a step: two bars on
// pins, the second with its tip on the ground. At rest the ground and the pins carry the weight; in
// motion the bars pull as well, and the tip drags against its slip.
#include <cairn/cairn.h>
#include <math.h>
#include <stdio.h>

enum { bars = 2, rows = 3 * bars + 3 };

static const double mass = 2.0, half = 0.5, g = 9.81;

// the bars hang from the origin at angles to the vertical, turning at rates about -y
typedef struct pose {
    double angle[bars], rate[bars];
} pose;

static cairn_vec3 along(double angle)
{
    return cairn_vec(sin(angle), 0.0, -cos(angle));
}

// a block of rows in the axes of the world, its J u and its J̇ u
static void join(cairn_problem* problem, cairn_block block, const cairn_moving_point* a,
                 const cairn_moving_point* b, double* velocity, double* bias)
{
    const double none[3] = {0.0, 0.0, 0.0};
    cairn_mat3 frame = {cairn_vec(0, 0, 1), cairn_vec(1, 0, 0), cairn_vec(0, 1, 0)};
    cairn_row row[3];
    cairn_vec3 v = cairn_add(b->v, cairn_cross(b->w, b->r));
    if (a)
        v = cairn_sub(v, cairn_add(a->v, cairn_cross(a->w, a->r)));
    cairn_frame_rows(frame, a ? a->r : cairn_vec(0, 0, 0), b->r, 3, row);
    cairn_frame_bias(frame, NULL, b, 3, bias + problem->row_count);
    if (a) { // the frame stands still, but the point of A turns as well
        double own[3];
        cairn_frame_bias(frame, NULL, a, 3, own);
        for (int k = 0; k < 3; k++)
            bias[problem->row_count + k] -= own[k];
    }
    velocity[problem->row_count] = v.z;
    velocity[problem->row_count + 1] = v.x;
    velocity[problem->row_count + 2] = v.y;
    block.row_count = 3;
    cairn_problem_add_block(problem, &block, row, none);
}

// forces of all rows: pins first, then the tip
static cairn_report solve(const pose* at, double* force)
{
    cairn_problem problem = cairn_problem_empty();
    double velocity[rows], bias[rows], weight[6 * bars] = {0}, impulse[rows], inertia;
    cairn_vec3 joint_velocity = cairn_vec(0, 0, 0);
    cairn_moving_point last = {.w = cairn_vec(0, 0, 0)};
    inertia = mass * half * half / 3.0;
    for (int i = 0; i < bars; i++) {
        cairn_vec3 out = along(at->angle[i]), w = cairn_vec(0.0, -at->rate[i], 0.0);
        cairn_vec3 v = cairn_add_scaled(joint_velocity, half, cairn_cross(w, out));
        cairn_moving_point top = {v, w, cairn_scale(-half, out)};
        cairn_block pin = {.kind = CAIRN_BLOCK_JOINT, .body_a = i - 1, .body_b = i};
        cairn_problem_add_body(
            &problem,
            (cairn_mass){1.0 / mass, cairn_mat3_diagonal(1 / inertia, 1 / inertia, 1 / inertia)});
        weight[6 * i + 2] = -mass * g;
        join(&problem, pin, i ? &last : NULL, &top, velocity, bias);
        last = (cairn_moving_point){v, w, cairn_scale(half, out)};
        joint_velocity = cairn_add_scaled(v, half, cairn_cross(w, out));
    }
    cairn_block tip = {.kind = CAIRN_BLOCK_CONTACT,
                       .body_a = CAIRN_WORLD_BODY,
                       .body_b = bars - 1,
                       .friction = cairn_friction_cone(0.3)};
    join(&problem, tip, NULL, &last, velocity, bias);

    // b = J M^-1 F + J̇ u, then forces
    cairn_solve_def def = cairn_default_solve_def();
    cairn_forces forces = {.force = force, .impulse = impulse};
    cairn_report report = {0};
    cairn_error error = {""};
    if (cairn_problem_set_accelerations(&problem, weight, bias, &error) != CAIRN_OK ||
        cairn_solve_forces(&problem, velocity, &def, &forces, &report, &error) != CAIRN_OK)
        fprintf(stderr, "%s\n", error.text);
    cairn_problem_destroy(&problem);
    return report;
}

int main(void)
{
    // bars that lean alike to both sides and turn alike keep the tip on the ground
    pose still = {{0.5, -0.5}, {0.0, 0.0}}, moving = {{0.5, -0.5}, {1.0, 1.0}};
    pose* poses[] = {&still, &moving};
    int wrong = 0;
    for (int k = 0; k < 2; k++) {
        double force[rows];
        cairn_report report = solve(poses[k], force);
        printf("%-9s pin %6.2f %6.2f N, elbow %6.2f %6.2f N, ground %6.2f %6.2f N (%s)\n",
               k ? "in motion" : "at rest", force[1], force[0], force[4], force[3], force[7],
               force[6], cairn_outcome_name(report.outcome));
        wrong += report.outcome != CAIRN_OUTCOME_CONVERGED;

        // at rest the weight is carried; in motion the tip is braked by μ times its load
        if (k == 0)
            wrong += fabs(force[0] + force[6] - bars * mass * g) > 1e-6;
        else
            wrong += fabs(fabs(force[7]) - 0.3 * force[6]) > 1e-6;
    }
    return wrong;
}
