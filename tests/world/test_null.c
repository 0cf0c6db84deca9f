// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// NULL where an object is needed: functions with a status refuse it with a sentence, all others do
// nothing and return zero. Header by header; tests/io has those that read and write files.

#include "check_cairn.h"
#include "worlds.h"
#include <string.h>

#define REFUSED(call)                                                                              \
    do {                                                                                           \
        cairn_error error = {""};                                                                  \
        cairn_error* e = &error;                                                                   \
        (void)e;                                                                                   \
        ck_assert_msg((call) == CAIRN_BAD_INPUT, "%s was not refused", #call);                     \
        ck_assert_msg(strstr(error.text, "NULL"), "%s: '%s'", #call, error.text);                  \
        (void)(call);                                                                              \
    } while (0)

// of functions that have no place for a sentence
#define REFUSED_QUIETLY(call) ck_assert_msg((call) == CAIRN_BAD_INPUT, "%s", #call)

static bool go_on(void* context, cairn_body_id id)
{
    (void)context;
    (void)id;
    return true;
}

static bool go_on_hit(void* context, const cairn_body_hit* hit)
{
    (void)context;
    (void)hit;
    return true;
}

static bool go_on_proxy(void* context, int proxy)
{
    (void)context;
    (void)proxy;
    return true;
}

static double go_on_ray(void* context, int proxy, double reach)
{
    (void)context;
    (void)proxy;
    return reach;
}

static const cairn_vec3 none = {0.0, 0.0, 0.0}, up = {0.0, 0.0, 1.0};
static const cairn_transform here = {{0.0, 0.0, 0.0}, {1.0, 0.0, 0.0, 0.0}};
static const cairn_shape ball = {.kind = CAIRN_SHAPE_SPHERE, .radius = 0.5};

TEST(a_world_refuses_what_is_missing)
{
    cairn_world_def def = cairn_default_world_def();
    cairn_world *world = worlds_columns(def, 1, 2), *other = NULL;
    cairn_snapshot* snapshot;
    cairn_body_def body = cairn_default_body_def();
    cairn_joint_def joint = cairn_default_joint_def(CAIRN_JOINT_BALL);
    cairn_material material = cairn_default_material();
    cairn_body_id box = {1, 1}, added;
    cairn_joint_id made, hinge;
    cairn_body_state state;
    cairn_joint_state joint_state;
    cairn_body_mass mass;
    body.shape = &ball;
    joint.body_b = box;
    CHECK(cairn_world_add_joint(world, &joint, &hinge, NULL) == CAIRN_OK);
    CHECK(cairn_world_snapshot(world, &snapshot, NULL) == CAIRN_OK);
    uint64_t before = cairn_world_hash(world);

    REFUSED(cairn_world_create(&def, NULL, e));
    REFUSED(cairn_world_create(NULL, &other, e));
    REFUSED(cairn_world_set_gravity(NULL, none, e));
    REFUSED(cairn_world_set_method(NULL, "auto", 1e-6, 0, e));
    CHECK(cairn_world_set_method(world, NULL, 1e-6, 0, NULL) == CAIRN_BAD_INPUT);

    REFUSED(cairn_world_snapshot(NULL, &snapshot, e));
    REFUSED(cairn_world_snapshot(world, NULL, e));
    REFUSED(cairn_world_restore(NULL, snapshot, e));
    REFUSED(cairn_world_restore(world, NULL, e));
    REFUSED(cairn_world_add_body(NULL, &body, &added, e));
    REFUSED(cairn_world_add_body(world, NULL, &added, e));
    REFUSED(cairn_world_add_body(world, &body, NULL, e));
    REFUSED(cairn_world_remove_body(NULL, box, e));

    REFUSED(cairn_body_get(NULL, box, &state, e));
    REFUSED(cairn_body_get(world, box, NULL, e));
    REFUSED(cairn_body_get_def(NULL, box, &body, e));
    REFUSED(cairn_body_get_def(world, box, NULL, e));
    REFUSED(cairn_body_get_mass(NULL, box, &mass, e));
    REFUSED(cairn_body_get_mass(world, box, NULL, e));
    REFUSED(cairn_joint_get_def(NULL, hinge, &joint, e));
    REFUSED(cairn_joint_get_def(world, hinge, NULL, e));

    REFUSED(cairn_body_set_pose(NULL, box, here, e));
    REFUSED(cairn_body_set_velocity(NULL, box, none, none, e));
    REFUSED(cairn_body_wake(NULL, box, e));
    REFUSED(cairn_body_get_material(NULL, box, &material, e));
    REFUSED(cairn_body_get_material(world, box, NULL, e));
    REFUSED(cairn_body_set_material(NULL, box, &material, e));
    REFUSED(cairn_body_set_material(world, box, NULL, e));
    REFUSED(cairn_body_add_force(NULL, box, none, none, e));
    REFUSED(cairn_body_add_torque(NULL, box, none, e));
    REFUSED(cairn_body_add_impulse(NULL, box, none, none, e));

    REFUSED(cairn_world_add_joint(NULL, &joint, &made, e));
    REFUSED(cairn_world_add_joint(world, NULL, &made, e));
    REFUSED(cairn_world_add_joint(world, &joint, NULL, e));
    REFUSED(cairn_world_remove_joint(NULL, hinge, e));
    REFUSED(cairn_joint_get(NULL, hinge, &joint_state, e));
    REFUSED(cairn_joint_get(world, hinge, NULL, e));
    REFUSED(cairn_joint_set_motor(NULL, hinge, 0.0, 1.0, e));
    REFUSED(cairn_world_step(NULL, worlds_dt, NULL, e));
    ck_assert_uint_eq(before, cairn_world_hash(world));

    // what has no status does nothing
    cairn_world_destroy(NULL);
    cairn_snapshot_destroy(NULL);

    cairn_world_wake_all(NULL);
    cairn_world_cancel(NULL);
    cairn_world_resume(NULL);

    CHECK(cairn_world_time(NULL) == 0.0 && cairn_world_step_count(NULL) == 0);
    CHECK(cairn_world_body_slots(NULL) == 0 && cairn_world_joint_slots(NULL) == 0);
    CHECK(cairn_world_body_at(NULL, 0).generation == 0);
    CHECK(cairn_world_joint_at(NULL, 0).generation == 0);

    cairn_world_set_solve_hook(NULL, NULL, NULL);
    cairn_world_energy(NULL, NULL, NULL);
    cairn_motion_add(NULL, &(cairn_motion){0});
    cairn_motion_add(&(cairn_motion){0}, NULL);
    int count = 7;
    CHECK(cairn_world_contacts(NULL, &count) == NULL && count == 0);

    cairn_world_contacts(world, NULL);
    CHECK(cairn_world_events(NULL).begun_count == 0);
    CHECK(cairn_world_memory(NULL, NULL) == 0 && cairn_world_hash(NULL) == 0);
    cairn_snapshot_destroy(snapshot);
    cairn_world_destroy(world);
}
END

TEST(queries_refuse_what_is_missing)
{
    cairn_world* world = worlds_columns(cairn_default_world_def(), 1, 2);
    cairn_body_hit hit;
    cairn_body_gap gap;
    cairn_aabb box = {{-1.0, -1.0, -1.0}, {1.0, 1.0, 1.0}};
    const uint32_t all = CAIRN_MASK_ALL;

    REFUSED(cairn_world_cast_ray(NULL, none, up, all, &hit, e));
    REFUSED(cairn_world_cast_ray(world, none, up, all, NULL, e));
    REFUSED(cairn_world_cast_ray_all(NULL, none, up, all, go_on_hit, NULL, e));
    REFUSED(cairn_world_cast_ray_all(world, none, up, all, NULL, NULL, e));
    REFUSED(cairn_world_cast_shape(NULL, &ball, here, up, all, &hit, e));
    REFUSED(cairn_world_cast_shape(world, NULL, here, up, all, &hit, e));
    REFUSED(cairn_world_cast_shape(world, &ball, here, up, all, NULL, e));

    REFUSED(cairn_world_overlap(NULL, &ball, here, all, go_on, NULL, e));
    REFUSED(cairn_world_overlap(world, NULL, here, all, go_on, NULL, e));
    REFUSED(cairn_world_overlap(world, &ball, here, all, NULL, NULL, e));
    REFUSED(cairn_world_overlap_box(NULL, box, all, go_on, NULL, e));
    REFUSED(cairn_world_overlap_box(world, box, all, NULL, NULL, e));
    REFUSED(cairn_world_overlap_point(NULL, none, all, go_on, NULL, e));
    REFUSED(cairn_world_overlap_point(world, none, all, NULL, NULL, e));
    REFUSED(cairn_world_closest(NULL, none, 1.0, all, &gap, e));
    REFUSED(cairn_world_closest(world, none, 1.0, all, NULL, e));
    cairn_world_destroy(world);
}
END

TEST(shapes_refuse_what_is_missing)
{
    cairn_vec3 points[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    int corners[3] = {0, 1, 2};
    double heights[4] = {0.0};
    cairn_mesh_def surface = {points, 4, corners, 1}, blank = {NULL, 4, corners, 1};
    cairn_height_field_def ground = {2, 2, 1.0, 1.0, heights}, flat = {2, 2, 1.0, 1.0, NULL};
    cairn_mass_properties mass;
    cairn_hull* hull;
    cairn_mesh* mesh;
    cairn_height_field* field;
    cairn_compound* compound;

    REFUSED(cairn_shape_check(NULL, e));
    REFUSED(cairn_shape_mass(&ball, NULL, e));
    REFUSED(cairn_shape_mass(NULL, &mass, e));
    REFUSED(cairn_hull_create(points, 4, 0.0, NULL, e));
    REFUSED(cairn_hull_create(NULL, 4, 0.0, &hull, e));
    REFUSED(cairn_mesh_create(&surface, NULL, e));
    REFUSED(cairn_mesh_create(NULL, &mesh, e));
    REFUSED(cairn_mesh_create(&blank, &mesh, e));
    REFUSED(cairn_height_field_create(&ground, NULL, e));
    REFUSED(cairn_height_field_create(NULL, &field, e));
    REFUSED(cairn_height_field_create(&flat, &field, e));
    REFUSED(cairn_compound_create(&ball, &here, 1, NULL, e));
    REFUSED(cairn_compound_create(NULL, &here, 1, &compound, e));
    REFUSED(cairn_compound_create(&ball, NULL, 1, &compound, e));

    // what has no status does nothing
    cairn_hull_destroy(NULL);
    cairn_mesh_destroy(NULL);
    cairn_height_field_destroy(NULL);
    cairn_compound_destroy(NULL);

    CHECK(!cairn_shape_is_convex(NULL) && cairn_shape_radius(NULL, none) == 0.0);
    CHECK(cairn_shape_aabb(NULL, here).hi.x == 0.0 && cairn_mesh_triangle_count(NULL) == 0);
}
END

TEST(collision_functions_do_nothing_without_their_objects)
{
    cairn_collide_def def = cairn_default_collide_def();
    cairn_contacts contacts = {0};
    cairn_manifold manifold;
    cairn_hit hit;
    cairn_sweep sweep = {0};
    double t = 0.0;

    REFUSED_QUIETLY(cairn_collide(NULL, &ball, here, &ball, here, &def));
    REFUSED_QUIETLY(cairn_collide(&contacts, NULL, here, &ball, here, &def));
    REFUSED_QUIETLY(cairn_collide(&contacts, &ball, here, NULL, here, &def));
    REFUSED_QUIETLY(cairn_collide(&contacts, &ball, here, &ball, here, NULL));
    REFUSED_QUIETLY(cairn_contacts_reserve(NULL, 1, 1));
    REFUSED_QUIETLY(cairn_contacts_copy(&contacts, NULL));
    REFUSED_QUIETLY(cairn_contacts_copy(NULL, &contacts));

    CHECK(!cairn_collide_convex(&ball, here, &ball, here, &def, NULL, NULL));
    CHECK(!cairn_collide_convex(NULL, here, &ball, here, &def, NULL, &manifold));
    CHECK(!cairn_collide_convex(&ball, here, NULL, here, &def, NULL, &manifold));
    CHECK(!cairn_collide_convex(&ball, here, &ball, here, NULL, NULL, &manifold));
    cairn_contacts_destroy(NULL);

    cairn_contacts_fit(NULL, 1);
    cairn_contacts_clear(NULL);

    CHECK(cairn_contacts_memory(NULL) == 0);
    CHECK(cairn_distance(NULL, here, &ball, here).gap == INFINITY);
    CHECK(cairn_distance(&ball, here, NULL, here).gap == INFINITY);
    CHECK(!cairn_overlap(NULL, here, &ball, here) && !cairn_overlap(&ball, here, NULL, here));
    CHECK(!cairn_contains(NULL, here, none));

    CHECK(!cairn_shape_cast_ray(&ball, here, none, up, NULL));
    CHECK(!cairn_shape_cast_ray(NULL, here, none, up, &hit));
    CHECK(!cairn_shape_cast_shape(&ball, here, up, &ball, here, NULL));
    CHECK(!cairn_shape_cast_shape(NULL, here, up, &ball, here, &hit));
    CHECK(!cairn_shape_cast_shape(&ball, here, up, NULL, here, &hit));
    CHECK(cairn_sweep_at(NULL, 0.5).q.w == 0.0);

    cairn_time_of_impact(&ball, &sweep, &ball, &sweep, 0.0, NULL);
    cairn_time_of_impact(NULL, &sweep, &ball, &sweep, 0.0, &t);
    cairn_time_of_impact(&ball, NULL, &ball, &sweep, 0.0, &t);
    cairn_time_of_impact(&ball, &sweep, NULL, &sweep, 0.0, &t);
    cairn_time_of_impact(&ball, &sweep, &ball, NULL, 0.0, &t);
}
END

TEST(the_broad_phase_does_nothing_without_its_objects)
{
    cairn_broad* broad = cairn_broad_create(0.1);
    cairn_filter filter = cairn_default_filter();
    cairn_aabb box = {{0.0, 0.0, 0.0}, {1.0, 1.0, 1.0}};
    int count = 7;

    REFUSED_QUIETLY(cairn_broad_exclude(NULL, 0, 1, true));
    REFUSED_QUIETLY(cairn_broad_update(NULL));
    cairn_broad_destroy(NULL);

    CHECK(cairn_broad_copy(NULL) == NULL);
    CHECK(cairn_broad_add(NULL, box, &filter) < 0 && cairn_broad_add(broad, box, NULL) < 0);

    cairn_broad_remove(NULL, 0);
    cairn_broad_move(NULL, 0, box, none);
    cairn_broad_set_filter(NULL, 0, &filter);
    cairn_broad_set_filter(broad, 0, NULL);

    CHECK(cairn_broad_memory(NULL) == 0 && cairn_broad_box(NULL, 0).hi.x == 0.0);
    CHECK(cairn_broad_pairs(NULL, &count) == NULL && count == 0);
    CHECK(cairn_broad_ended(NULL, &count) == NULL && count == 0);

    cairn_broad_pairs(broad, NULL);
    cairn_broad_ended(broad, NULL);
    CHECK(cairn_broad_slot_count(NULL) == 0);

    cairn_broad_renumber(NULL);
    cairn_broad_fit(NULL);
    cairn_broad_query(NULL, box, go_on_proxy, NULL);
    cairn_broad_query(broad, box, NULL, NULL);
    cairn_broad_ray(NULL, none, up, none, go_on_ray, NULL);
    cairn_broad_ray(broad, none, up, none, NULL, NULL);
    cairn_broad_destroy(broad);
}
END

TEST(problems_refuse_what_is_missing)
{
    cairn_generate_def def = cairn_default_generate_def("stack");
    cairn_problem problem, other = cairn_problem_empty();
    cairn_generate_def bare = {0};
    cairn_islands islands;
    cairn_residual residual;
    cairn_row rows[6];
    double numbers[6] = {0.0};
    int map[6] = {0};
    CHECK(cairn_generate(&def, &problem, NULL) == CAIRN_OK);
    double* lambda = calloc((size_t)problem.row_count, sizeof *lambda);

    REFUSED(cairn_generate(&def, NULL, e));
    REFUSED(cairn_generate(NULL, &other, e));
    REFUSED(cairn_generate(&bare, &other, e));
    REFUSED(cairn_problem_check(NULL, e));

    cairn_problem bodiless = problem;
    bodiless.bodies = NULL;

    REFUSED(cairn_problem_check(&bodiless, e));
    REFUSED(cairn_problem_explicit(&problem, NULL, e));
    CHECK(cairn_problem_explicit(NULL, &other, NULL) == CAIRN_BAD_INPUT);

    REFUSED_QUIETLY(cairn_problem_add_body(NULL, (cairn_mass){0}));
    REFUSED_QUIETLY(cairn_problem_add_block(NULL, problem.blocks, rows, numbers));
    REFUSED_QUIETLY(cairn_problem_add_block(&other, NULL, rows, numbers));
    REFUSED_QUIETLY(cairn_problem_add_block(&other, problem.blocks, NULL, numbers));
    REFUSED_QUIETLY(cairn_problem_add_block(&other, problem.blocks, rows, NULL));
    REFUSED_QUIETLY(cairn_problem_copy(&problem, NULL));
    REFUSED_QUIETLY(cairn_problem_copy(NULL, &other));

    REFUSED_QUIETLY(cairn_problem_velocity(&problem, lambda, NULL));
    REFUSED_QUIETLY(cairn_problem_velocity(NULL, lambda, lambda));
    REFUSED_QUIETLY(cairn_problem_velocity(&problem, NULL, lambda));
    REFUSED_QUIETLY(cairn_problem_islands(&problem, NULL));
    REFUSED_QUIETLY(cairn_problem_islands(NULL, &islands));
    REFUSED_QUIETLY(cairn_problem_extract(&problem, map, 1, NULL, map));
    REFUSED_QUIETLY(cairn_problem_extract(&problem, map, 1, &other, NULL));
    REFUSED_QUIETLY(cairn_problem_extract(NULL, map, 1, &other, map));
    REFUSED_QUIETLY(cairn_problem_extract(&problem, NULL, 1, &other, map));
    REFUSED_QUIETLY(cairn_problem_residual(&problem, lambda, CAIRN_LAW_AS_GIVEN, 0, NULL));
    REFUSED_QUIETLY(cairn_problem_residual(NULL, lambda, CAIRN_LAW_AS_GIVEN, 0, &residual));
    REFUSED_QUIETLY(cairn_problem_residual(&problem, NULL, CAIRN_LAW_AS_GIVEN, 0, &residual));

    // what has no status does nothing, or has no rows
    cairn_problem_destroy(NULL);

    cairn_problem_set_bounds(NULL, 0, 0.0, 0.0);
    cairn_contact_rows(up, none, none, 3, NULL);
    cairn_frame_rows(cairn_mat3_diagonal(1.0, 1.0, 1.0), none, none, 3, NULL);
    CHECK(cairn_problem_contact_count(NULL) == 0);

    cairn_problem_body_velocity(&problem, lambda, NULL);
    cairn_problem_body_velocity(NULL, lambda, lambda);
    cairn_islands_destroy(NULL);

    CHECK(cairn_ball_rows(none, none, NULL) == 0 && cairn_hinge_rows(none, none, up, NULL) == 0);
    CHECK(cairn_slider_rows(none, none, none, up, NULL) == 0);
    CHECK(cairn_cylindrical_rows(none, none, none, up, NULL) == 0);
    CHECK(cairn_universal_rows(none, none, up, up, NULL) == 0);
    CHECK(cairn_fixed_rows(none, none, NULL) == 0 && cairn_gear_rows(up, up, 1.0, NULL) == 0);
    CHECK(cairn_distance_rows(none, none, up, NULL) == 0);
    CHECK(cairn_surface_rows(none, none, up, NULL) == 0);
    CHECK(cairn_rolling_rows(none, none, up, NULL) == 0);
    free(lambda);
    cairn_problem_destroy(&problem);
}
END

TEST(solves_refuse_what_is_missing)
{
    cairn_generate_def made = cairn_default_generate_def("stack");
    cairn_solve_def def = cairn_default_solve_def();
    cairn_problem problem;
    CHECK(cairn_generate(&made, &problem, NULL) == CAIRN_OK);
    double* lambda = calloc((size_t)problem.row_count, sizeof *lambda);
    double M = 1.0, q = -1.0, z = 0.0;
    cairn_lcp lcp = {.n = 1, .M = &M, .q = &q}, empty = {.n = 1};
    cairn_report report;
    cairn_lcp_report lcp_report;
    cairn_ray_effect effect;

    REFUSED(cairn_solve(&problem, &def, NULL, &report, e));
    REFUSED(cairn_solve(&problem, &def, lambda, NULL, e));
    REFUSED(cairn_solve(NULL, &def, lambda, &report, e));
    REFUSED(cairn_solve(&problem, NULL, lambda, &report, e));
    REFUSED(cairn_solve_gaps(&problem, lambda, 0.0, &def, NULL, &report, e));
    REFUSED(cairn_solve_gaps(NULL, lambda, 0.0, &def, lambda, &report, e));
    REFUSED(cairn_solve_gaps(&problem, NULL, 0.0, &def, lambda, &report, e));
    REFUSED(cairn_solve_gaps(&problem, lambda, 0.0, NULL, lambda, &report, e));

    REFUSED(cairn_lcp_solve(&lcp, &def, NULL, &lcp_report, e));
    REFUSED(cairn_lcp_solve(NULL, &def, &z, &lcp_report, e));
    REFUSED(cairn_lcp_solve(&empty, &def, &z, &lcp_report, e));
    REFUSED(cairn_lcp_solve(&lcp, NULL, &z, &lcp_report, e));
    REFUSED(cairn_lcp_solve(&lcp, &def, &z, NULL, e));

    REFUSED(cairn_solve_with_rays(&problem, &def, NULL, NULL, &report, e));
    REFUSED(cairn_solve_with_rays(NULL, &def, lambda, NULL, &report, e));
    REFUSED(cairn_solve_with_rays(&problem, NULL, lambda, NULL, &report, e));
    REFUSED(cairn_solve_with_rays(&problem, &def, lambda, NULL, NULL, e));
    REFUSED_QUIETLY(cairn_problem_apply_ray(NULL, lambda, lambda, &effect));
    REFUSED_QUIETLY(cairn_problem_apply_ray(&problem, lambda, NULL, &effect));
    REFUSED_QUIETLY(cairn_problem_apply_ray(&problem, NULL, lambda, &effect));
    REFUSED_QUIETLY(cairn_problem_apply_ray(&problem, lambda, lambda, NULL));

    def.method = NULL;
    CHECK(cairn_solve(&problem, &def, lambda, &report, NULL) == CAIRN_BAD_INPUT);
    CHECK(cairn_lcp_solve(&lcp, &def, &z, &lcp_report, NULL) == CAIRN_BAD_INPUT);
    CHECK(cairn_lcp_residual(NULL, &z) == 0.0 && cairn_lcp_residual(&lcp, NULL) == 0.0);
    cairn_workspace_destroy(NULL);
    free(lambda);
    cairn_problem_destroy(&problem);
}
END

TEST(trees_refuse_what_is_missing)
{
    cairn_tree_topology topology = cairn_default_tree_topology();
    cairn_tree* tree;
    cairn_tree_response* response;
    double y[6] = {0.0};

    REFUSED(cairn_tree_create(&topology, NULL, e));
    REFUSED(cairn_tree_create(NULL, &tree, e));
    REFUSED(cairn_tree_response_create(NULL, NULL, 0, &response, e));

    // what has no status does nothing
    cairn_tree_destroy(NULL);

    CHECK(!cairn_tree_is_primary(NULL, 0) && cairn_tree_depth(NULL) == 0);
    CHECK(cairn_tree_body_offset(NULL, 0) == 0 && cairn_tree_row_offset(NULL, 0) == 0);

    cairn_tree_set_mass(NULL, 0, y);
    cairn_tree_set_constraint(NULL, 0, y, y, y);
    CHECK(cairn_tree_factor(NULL) == 0 && cairn_tree_next_redundant(NULL, -1) == -1);

    cairn_tree_solve(NULL, y, y, 1, y, y);
    cairn_tree_load(NULL, y, y);
    CHECK(cairn_tree_residual(NULL, y, y, y, y) == 0.0);

    cairn_tree_refine(NULL, y, y, y, y);
    cairn_tree_project(NULL, y, y);
    cairn_tree_response_destroy(NULL);
    CHECK(cairn_tree_response_rows(NULL) == 0);

    cairn_tree_response_matrix(NULL, y);
    cairn_tree_response_offset(NULL, y);
    cairn_tree_response_velocity(NULL, y, y);
    cairn_tree_response_finish(NULL, y, y, y);
}
END

TESTS(a_world_refuses_what_is_missing, queries_refuse_what_is_missing,
      shapes_refuse_what_is_missing, collision_functions_do_nothing_without_their_objects,
      the_broad_phase_does_nothing_without_its_objects, problems_refuse_what_is_missing,
      solves_refuse_what_is_missing, trees_refuse_what_is_missing)
