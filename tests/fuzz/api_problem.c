// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The calls of problem.h, joint.h and generate.h: contact problems of some dozen rows.

#include "api.h"
#include <stdlib.h>
#include <string.h>

// a place for a problem that is made; what was there is given back
static cairn_problem* place_problem(api* a)
{
    api_problem* slot = &a->problems[api_below(a, api_most_problems)];
    if (slot->made)
        cairn_problem_destroy(&slot->problem);
    slot->made = false;
    return &slot->problem;
}

static void keep_problem(api* a, cairn_problem* problem)
{
    for (int p = 0; p < api_most_problems; p++)
        if (&a->problems[p].problem == problem)
            a->problems[p].made = true;
}

// impulses of a problem in an array of exactly its size
static double* impulses(api* a, const cairn_problem* problem)
{
    double* lambda = malloc(((size_t)problem->row_count + !problem->row_count) * sizeof(double));
    for (int r = 0; lambda && r < problem->row_count; r++)
        lambda[r] = r < 8 ? api_real(a, 0.0, 1.0) : 0.1;
    return lambda;
}

// ---------------------------------------------------------------- making

static void problem_empty(api* a)
{
    cairn_problem* problem = place_problem(a);
    api_begin(a);
    *problem = cairn_problem_empty();
    api_end(a, CAIRN_OK, API_NOTHING);
    keep_problem(a, problem);
}

static void problem_destroy(api* a)
{
    int p = api_pick_problem(a);
    if (p < 0)
        return;
    api_begin(a);
    cairn_problem_destroy(&a->problems[p].problem);
    api_end(a, CAIRN_OK, API_NOTHING);
    a->problems[p].made = false;
}

static void add_body(api* a)
{
    int p = api_pick_problem(a);
    if (p < 0 || a->problems[p].problem.body_count >= 16 || a->problems[p].problem.A)
        return;
    cairn_mass mass = {api_real(a, 0.0, 2.0), api_inertia(a)};
    api_begin(a);
    a->said = NULL;
    api_end(a, cairn_problem_add_body(&a->problems[p].problem, mass), API_NOTHING);
}

static cairn_friction friction(api* a)
{
    cairn_friction f = cairn_friction_cone(api_real(a, 0.0, 1.0));
    if (api_chance(a, 96)) {
        // all but CAIRN_FRICTION_CUSTOM, which calls back
        f.kind = (cairn_friction_kind)api_int(a, 0, CAIRN_FRICTION_SLIDING);
        f.facets = api_int(a, 3, 9);
        f.mu[1] = api_real(a, 0.0, 1.0);
        f.mu[2] = api_real(a, 0.0, 0.1);
        f.slip[0] = api_chance(a, 128) ? 1.0 : 0.6;
        f.slip[1] = f.slip[0] == 1.0 ? 0.0 : 0.8;
    }
    if (f.kind == CAIRN_FRICTION_CUSTOM)
        f.kind = CAIRN_FRICTION_CONE;
    return f;
}

static int joint_rows(api* a, cairn_row* rows)
{
    cairn_vec3 r_a = api_vec(a, -0.5, 0.5), r_b = api_vec(a, -0.5, 0.5), axis = api_unit(a);
    switch (api_below(a, 4)) {
    case 0:
        return cairn_ball_rows(r_a, r_b, rows);
    case 1:
        return cairn_hinge_rows(r_a, r_b, axis, rows);
    case 2:
        return cairn_fixed_rows(r_a, r_b, rows);
    default:
        return cairn_surface_rows(r_a, r_b, axis, rows);
    }
}

// blocks join two bodies of the problem or one and the world; sometimes bodies that are not there
static void add_block(api* a)
{
    int p = api_pick_problem(a);
    if (p < 0)
        return;
    cairn_problem* problem = &a->problems[p].problem;
    if (problem->row_count + 6 > api_most_rows || problem->A)
        return;
    cairn_row rows[6];
    double b[6];
    cairn_block block;
    memset(&block, 0, sizeof block);
    memset(rows, 0, sizeof rows);
    block.kind = (cairn_block_kind)api_int(a, 0, 4);
    block.body_a = api_below(a, problem->body_count + 1) - 1;
    block.body_b = api_below(a, problem->body_count + 1) - 1;
    if (block.kind == CAIRN_BLOCK_CONTACT) {
        block.friction = friction(a);
        block.row_count = block.friction.kind == CAIRN_FRICTION_ELLIPSOID ? 4 : 3;
        cairn_vec3 n = api_unit(a), r_a = api_vec(a, -0.5, 0.5), r_b = api_vec(a, -0.5, 0.5);
        cairn_contact_rows(n, r_a, r_b, block.row_count, rows);
    } else {
        block.row_count = joint_rows(a, rows);
    }
    for (int i = 0; i < 6; i++)
        b[i] = api_real(a, -1.0, 1.0);
    if (api_hostile(a))
        rows[0].a[api_below(a, 6)] = api_real(a, -1.0, 1.0);
    api_begin(a);
    a->said = NULL;
    api_end(a, cairn_problem_add_block(problem, &block, rows, b), API_NOTHING);
}

static void frame_bias(api* a)
{
    double bias[4];
    cairn_moving_point points[2];
    for (int k = 0; k < 2; k++)
        points[k] = (cairn_moving_point){api_vec(a, -1.0, 1.0), api_vec(a, -1.0, 1.0),
                                         api_vec(a, -1.0, 1.0)};
    const cairn_moving_point* first = API_OR_NULL(a, &points[0]);
    const cairn_moving_point* second = API_OR_NULL(a, &points[1]);
    api_begin(a);
    cairn_frame_bias(cairn_mat3_identity(), first, second, 1 + api_below(a, 4), bias);
    api_end(a, CAIRN_OK, API_NOTHING);
}

static void set_accelerations(api* a)
{
    int p = api_pick_problem(a);
    if (p < 0)
        return;
    cairn_problem* problem = &a->problems[p].problem;
    size_t count = 6 * (size_t)problem->body_count;
    double* force = calloc(count + 1, sizeof(double));
    for (size_t i = 0; force && i < count && i < 12; i++)
        force[i] = api_real(a, -1.0, 1.0);
    const double* given = API_OR_NULL(a, force);
    api_begin(a);
    api_end(a, cairn_problem_set_accelerations(problem, given, NULL, a->said), API_NOTHING);
    free(force);
}

static void set_bounds(api* a)
{
    int p = api_pick_problem(a);
    if (p < 0 || a->problems[p].problem.row_count == 0 || !a->problems[p].problem.lo)
        return;
    int row = api_below(a, a->problems[p].problem.row_count);
    double lo = api_real(a, -1.0, 0.0), hi = api_real(a, 0.0, 1.0);
    api_begin(a);
    cairn_problem_set_bounds(&a->problems[p].problem, row, lo, hi);
    api_end(a, CAIRN_OK, API_NOTHING);
}

static void contact_rows(api* a)
{
    cairn_row rows[4];
    cairn_vec3 n = api_unit(a), r_a = api_vec(a, -1.0, 1.0), r_b = api_vec(a, -1.0, 1.0);
    int count = 1 + api_below(a, 4);
    api_begin(a);
    cairn_contact_rows(n, r_a, r_b, count, rows);
    api_end(a, CAIRN_OK, API_NOTHING);
}

static void restitution(api* a)
{
    double v = api_real(a, -3.0, 3.0), e = api_real(a, 0.0, 1.0), least = api_real(a, 0.0, 1.0);
    api_begin(a);
    cairn_contact_restitution(v, e, least);
    api_end(a, CAIRN_OK, API_NOTHING);
}

static void frame_rows(api* a)
{
    cairn_row rows[4];
    cairn_mat3 frame = api_inertia(a);
    cairn_vec3 r_a = api_vec(a, -1.0, 1.0), r_b = api_vec(a, -1.0, 1.0);
    int count = 1 + api_below(a, 4);
    api_begin(a);
    cairn_frame_rows(frame, r_a, r_b, count, rows);
    api_end(a, CAIRN_OK, API_NOTHING);
}

static void friction_cone(api* a)
{
    double mu = api_real(a, 0.0, 1.0);
    api_begin(a);
    cairn_friction f = cairn_friction_cone(mu);
    api_end(a, CAIRN_OK, API_NOTHING);
    if (f.kind != CAIRN_FRICTION_CONE)
        api_broken(a, "a cone of kind %d", (int)f.kind);
}

// ---------------------------------------------------------------- using

// a problem that the front door accepts, or NULL: others may be copied and checked alone
static const cairn_problem* checked(api* a)
{
    int p = api_pick_problem(a);
    if (p < 0 || cairn_problem_check(&a->problems[p].problem, NULL) != CAIRN_OK)
        return NULL;
    return &a->problems[p].problem;
}

static void problem_copy(api* a)
{
    int p = api_pick_problem(a);
    if (p < 0)
        return;
    cairn_problem copy;
    api_begin(a);
    a->said = NULL;
    if (api_end(a, cairn_problem_copy(&a->problems[p].problem, &copy), API_NOTHING))
        cairn_problem_destroy(&copy);
}

static void problem_check(api* a)
{
    int p = api_pick_problem(a);
    if (p < 0)
        return;
    const cairn_problem* given = API_OR_NULL(a, &a->problems[p].problem);
    api_begin(a);
    api_end(a, cairn_problem_check(given, a->said), API_NOTHING);
}

static void problem_explicit(api* a)
{
    const cairn_problem* from = checked(a);
    if (!from)
        return;
    cairn_problem form;
    api_begin(a);
    if (!api_end(a, cairn_problem_explicit(from, &form, a->said), API_NOTHING))
        return;
    cairn_problem* place = place_problem(a);
    *place = form;
    keep_problem(a, place);
}

static void contact_count(api* a)
{
    int p = api_pick_problem(a);
    if (p < 0)
        return;
    api_begin(a);
    int count = cairn_problem_contact_count(&a->problems[p].problem);
    api_end(a, CAIRN_OK, API_NOTHING);
    if (count < 0 || count > a->problems[p].problem.block_count)
        api_broken(a, "%d contacts", count);
}

static void problem_velocity(api* a)
{
    const cairn_problem* problem = checked(a);
    if (!problem)
        return;
    double *lambda = impulses(a, problem), *v = impulses(a, problem);
    api_begin(a);
    a->said = NULL;
    if (lambda && v)
        api_end(a, cairn_problem_velocity(problem, lambda, v), API_NOTHING);
    free(lambda);
    free(v);
}

static void body_velocity(api* a)
{
    const cairn_problem* problem = checked(a);
    if (!problem || problem->A)
        return;
    double* lambda = impulses(a, problem);
    double* change = malloc(6 * sizeof(double) * ((size_t)problem->body_count + 1));
    api_begin(a);
    if (lambda && change)
        cairn_problem_body_velocity(problem, lambda, change);
    api_end(a, CAIRN_OK, API_NOTHING);
    free(lambda);
    free(change);
}

static void problem_islands(api* a)
{
    const cairn_problem* problem = checked(a);
    if (!problem)
        return;
    cairn_islands islands;
    api_begin(a);
    a->said = NULL;
    if (!api_end(a, cairn_problem_islands(problem, &islands), API_NOTHING))
        return;
    if (islands.count < 0 || islands.count > problem->block_count)
        api_broken(a, "%d islands of %d blocks", islands.count, problem->block_count);
    cairn_islands_destroy(&islands);
}

static void islands_destroy(api* a)
{
    cairn_islands islands = {0};
    api_begin(a);
    cairn_islands_destroy(&islands);
    api_end(a, CAIRN_OK, API_NOTHING);
}

// every other block
static void problem_extract(api* a)
{
    const cairn_problem* problem = checked(a);
    if (!problem || problem->block_count == 0)
        return;
    int *blocks = malloc((size_t)problem->block_count * sizeof(int)), count = 0, rows = 0;
    for (int i = api_below(a, 2); blocks && i < problem->block_count; i += 2) {
        blocks[count++] = i;
        rows += problem->blocks[i].row_count;
    }
    int* row_of = malloc(((size_t)rows + 1) * sizeof(int));
    cairn_problem part;
    api_begin(a);
    a->said = NULL;
    if (blocks && row_of &&
        api_end(a, cairn_problem_extract(problem, blocks, count, &part, row_of), API_NOTHING))
        cairn_problem_destroy(&part);
    free(blocks);
    free(row_of);
}

static void problem_residual(api* a)
{
    const cairn_problem* problem = checked(a);
    if (!problem)
        return;
    cairn_residual residual;
    double* lambda = impulses(a, problem);
    cairn_law law = (cairn_law)api_below(a, 4);
    int facets = 3 + api_below(a, 12);
    api_begin(a);
    a->said = NULL;
    if (lambda)
        api_end(a, cairn_problem_residual(problem, lambda, law, facets, &residual), API_NOTHING);
    free(lambda);
}

// ---------------------------------------------------------------- rows of joints

typedef int (*plain_rows)(cairn_vec3 r_a, cairn_vec3 r_b, cairn_row* rows);
typedef int (*axis_rows)(cairn_vec3 r_a, cairn_vec3 r_b, cairn_vec3 axis, cairn_row* rows);
typedef int (*two_axes_rows)(cairn_vec3 r_a, cairn_vec3 r_b, cairn_vec3 first, cairn_vec3 second,
                             cairn_row* rows);

static void judge_rows(api* a, int rows, int expected)
{
    api_end(a, CAIRN_OK, API_NOTHING);
    if (rows != expected)
        api_broken(a, "%d rows", rows);
}

static void with_points(api* a, plain_rows make, int expected)
{
    cairn_row rows[6];
    cairn_vec3 r_a = api_vec(a, -1.0, 1.0), r_b = api_vec(a, -1.0, 1.0);
    api_begin(a);
    judge_rows(a, make(r_a, r_b, rows), expected);
}

static void with_axis(api* a, axis_rows make, int expected)
{
    cairn_row rows[6];
    cairn_vec3 r_a = api_vec(a, -1.0, 1.0), r_b = api_vec(a, -1.0, 1.0), axis = api_unit(a);
    api_begin(a);
    judge_rows(a, make(r_a, r_b, axis, rows), expected);
}

static void with_two_axes(api* a, two_axes_rows make, int expected)
{
    cairn_row rows[6];
    cairn_vec3 r_a = api_vec(a, -1.0, 1.0), r_b = api_vec(a, -1.0, 1.0);
    cairn_vec3 first = api_unit(a), second = api_unit(a);
    api_begin(a);
    judge_rows(a, make(r_a, r_b, first, second, rows), expected);
}

static void ball_rows(api* a)
{
    with_points(a, cairn_ball_rows, 3);
}

static void hinge_rows(api* a)
{
    with_axis(a, cairn_hinge_rows, 5);
}

static void slider_rows(api* a)
{
    with_two_axes(a, cairn_slider_rows, 5);
}

static void cylindrical_rows(api* a)
{
    with_two_axes(a, cairn_cylindrical_rows, 4);
}

static void universal_rows(api* a)
{
    with_two_axes(a, cairn_universal_rows, 4);
}

static void fixed_rows(api* a)
{
    with_points(a, cairn_fixed_rows, 6);
}

static void distance_rows(api* a)
{
    with_axis(a, cairn_distance_rows, 1);
}

static void surface_rows(api* a)
{
    with_axis(a, cairn_surface_rows, 1);
}

static void gear_rows(api* a)
{
    cairn_row rows[6];
    cairn_vec3 axis_a = api_unit(a), axis_b = api_unit(a);
    double ratio = api_real(a, -3.0, 3.0);
    api_begin(a);
    judge_rows(a, cairn_gear_rows(axis_a, axis_b, ratio, rows), 1);
}

static void rolling_rows(api* a)
{
    with_axis(a, cairn_rolling_rows, 3);
}

// ---------------------------------------------------------------- generated problems

static void kind_count(api* a)
{
    api_begin(a);
    int count = cairn_generate_kind_count();
    api_end(a, CAIRN_OK, API_NOTHING);
    if (count <= 0)
        api_broken(a, "%d kinds", count);
}

static void kind_at(api* a)
{
    int kind = api_below(a, cairn_generate_kind_count());
    api_begin(a);
    const char* name = cairn_generate_kind_at(kind);
    api_end(a, CAIRN_OK, API_NOTHING);
    if (!name)
        api_broken(a, "a kind without a name");
}

static const char* pick_kind(api* a)
{
    return api_hostile(a) ? "no such kind"
                          : cairn_generate_kind_at(api_below(a, cairn_generate_kind_count()));
}

static void default_generate_def(api* a)
{
    const char* kind = pick_kind(a);
    api_begin(a);
    cairn_default_generate_def(kind);
    api_end(a, CAIRN_OK, API_NOTHING);
}

// sizes of a few bodies, or such as must be refused
static void generate(api* a)
{
    const char* kind = API_OR_NULL(a, pick_kind(a));
    cairn_generate_def def = cairn_default_generate_def(kind ? kind : "stack");
    def.kind = kind;
    def.seed = (uint64_t)api_byte(a);
    def.size = 1 + api_below(a, 6);
    def.width = 1 + api_below(a, 3);
    def.height = 1 + api_below(a, 3);
    if (api_hostile(a))
        def.size = -api_below(a, 3);
    def.mu = api_real(a, 0.0, 1.0);
    def.mass_ratio = api_real(a, 0.1, 100.0);
    def.hit = api_real(a, 0.0, 1.0);
    def.deficiency = api_below(a, 3);
    cairn_problem made;
    api_begin(a);
    if (!api_end(a, cairn_generate(&def, &made, a->said), API_NOTHING))
        return;
    cairn_problem* place = place_problem(a);
    *place = made;
    keep_problem(a, place);
}

// clang-format off: one line for each call
const api_call api_problem_calls[] = {
    {"cairn_problem_empty", problem_empty, 2},
    {"cairn_problem_destroy", problem_destroy, 1},
    {"cairn_problem_add_body", add_body, 6},
    {"cairn_problem_add_block", add_block, 8},
    {"cairn_problem_set_bounds", set_bounds, 2},
    {"cairn_contact_rows", contact_rows, 1},
    {"cairn_contact_restitution", restitution, 1},
    {"cairn_frame_rows", frame_rows, 1},
    {"cairn_frame_bias", frame_bias, 1},
    {"cairn_problem_set_accelerations", set_accelerations, 1},
    {"cairn_friction_cone", friction_cone, 1},
    {"cairn_problem_copy", problem_copy, 1},
    {"cairn_problem_check", problem_check, 2},
    {"cairn_problem_explicit", problem_explicit, 2},
    {"cairn_problem_contact_count", contact_count, 1},
    {"cairn_problem_velocity", problem_velocity, 1},
    {"cairn_problem_body_velocity", body_velocity, 1},
    {"cairn_problem_islands", problem_islands, 1},
    {"cairn_islands_destroy", islands_destroy, 1},
    {"cairn_problem_extract", problem_extract, 2},
    {"cairn_problem_residual", problem_residual, 2},
    {"cairn_ball_rows", ball_rows, 1},
    {"cairn_hinge_rows", hinge_rows, 1},
    {"cairn_slider_rows", slider_rows, 1},
    {"cairn_cylindrical_rows", cylindrical_rows, 1},
    {"cairn_universal_rows", universal_rows, 1},
    {"cairn_fixed_rows", fixed_rows, 1},
    {"cairn_distance_rows", distance_rows, 1},
    {"cairn_surface_rows", surface_rows, 1},
    {"cairn_gear_rows", gear_rows, 1},
    {"cairn_rolling_rows", rolling_rows, 1},
    {"cairn_generate_kind_count", kind_count, 1},
    {"cairn_generate_kind_at", kind_at, 1},
    {"cairn_default_generate_def", default_generate_def, 1},
    {"cairn_generate", generate, 6},
    {0},
};
// clang-format on
