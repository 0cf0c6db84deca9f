// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Options of methods by name, and worlds that use them.

#include "check_cairn.h"
#include <cairn/cairn.h>
#include <string.h>

static cairn_status set(cairn_solve_def* def, const char* name, const char* value)
{
    cairn_error error;
    return cairn_solve_def_set(def, name, value, &error);
}

TEST(every_option_has_a_name_and_refuses_what_it_cannot_be)
{
    cairn_solve_def def = cairn_default_solve_def(), before = def;
    int count = 0;
    for (; cairn_solve_option_at(count); count++) {
        ck_assert(set(&def, cairn_solve_option_at(count), "") == CAIRN_BAD_INPUT);
        ck_assert(set(&def, cairn_solve_option_at(count), "-1x") == CAIRN_BAD_INPUT);
    }
    ck_assert_int_ge(count, 20);
    ck_assert(memcmp(&def, &before, sizeof def) == 0);
    ck_assert(set(&def, "prox.colour", "1") == CAIRN_BAD_INPUT);
    ck_assert(set(NULL, "facets", "8") == CAIRN_BAD_INPUT);
}
END

TEST(options_reach_their_fields)
{
    cairn_solve_def def = cairn_default_solve_def();
    ck_assert(set(&def, "facets", "16") == CAIRN_OK && def.facets == 16);
    ck_assert(set(&def, "seed", "18446744073709551615") == CAIRN_OK && def.seed == UINT64_MAX);
    ck_assert(set(&def, "pgs.box", "true") == CAIRN_OK && def.pgs.box);
    ck_assert(set(&def, "pgs.threshold", "1e-3") == CAIRN_OK && def.pgs.threshold == 1e-3);
    ck_assert(set(&def, "pgs.sweeps", "7") == CAIRN_OK && def.pgs.sweeps == 7);
    ck_assert(set(&def, "pgs.form", "dense") == CAIRN_OK && def.pgs.form == CAIRN_PGS_DENSE);
    ck_assert(set(&def, "prox.strategy", "blocked") == CAIRN_OK &&
              def.prox.strategy == CAIRN_PROX_BLOCKED);
    ck_assert(set(&def, "prox.strategy", "global") == CAIRN_OK &&
              def.prox.strategy == CAIRN_PROX_GLOBAL);
    ck_assert(set(&def, "prox.nu", "0.5") == CAIRN_OK && def.prox.nu == 0.5);
    ck_assert(set(&def, "tree.auxiliary_method", "lemke") == CAIRN_OK &&
              strcmp(def.tree.auxiliary_method, "lemke") == 0);
    ck_assert(set(&def, "tree.auxiliary_method", "auto") == CAIRN_BAD_INPUT);
}
END

// a box that slides at 45 degrees: |λ_F|/λ_N is μ on the cone and √2 μ at the corner of a box
static double friction_share(const cairn_solve_def* tuning, const char* method)
{
    cairn_world_def def = cairn_default_world_def();
    cairn_body_def body = cairn_default_body_def();
    cairn_shape plane = cairn_shape_half_space(), box = cairn_shape_box(cairn_vec(0.5, 0.5, 0.1));
    cairn_world* world;
    cairn_body_id id;
    cairn_body_state before, after;
    cairn_error error;
    def.method = method;
    def.tuning = tuning;
    ck_assert_msg(cairn_world_create(&def, &world, &error) == CAIRN_OK, "%s", error.text);

    body.type = CAIRN_BODY_STATIC;
    body.shape = &plane;
    ck_assert(cairn_world_add_body(world, &body, &id, &error) == CAIRN_OK);

    body.type = CAIRN_BODY_DYNAMIC;
    body.shape = &box;
    body.pose.p = cairn_vec(0.0, 0.0, 0.1);
    body.velocity = cairn_vec(2.0, 2.0, 0.0);
    body.material.mu = 0.5;
    ck_assert(cairn_world_add_body(world, &body, &id, &error) == CAIRN_OK);
    cairn_body_get(world, id, &before, &error);

    ck_assert(cairn_world_step(world, 0.01, NULL, &error) == CAIRN_OK);
    cairn_body_get(world, id, &after, &error);
    cairn_world_destroy(world);

    cairn_vec3 dv = cairn_sub(after.velocity, before.velocity);
    return hypot(dv.x, dv.y) / (9.81 * 0.01);
}

TEST(a_world_solves_by_the_options_that_it_is_given)
{
    cairn_solve_def tuning = cairn_default_solve_def();
    double cone = friction_share(NULL, "pgs");
    ck_assert(set(&tuning, "pgs.box", "true") == CAIRN_OK);
    CHECK_NEAR(friction_share(&tuning, "pgs"), sqrt(2.0) * cone, 1e-3 * cone);

    // a pyramid of four facets has its sides there, one of eight a corner
    tuning.facets = 4;
    CHECK_NEAR(friction_share(&tuning, "lemke"), cone / sqrt(2.0), 0.35 * cone);
    tuning.facets = 64;
    CHECK_NEAR(friction_share(&tuning, "lemke"), cone, 1e-2 * cone);
}
END

TEST(a_world_refuses_options_out_of_range)
{
    cairn_world_def def = cairn_default_world_def();
    cairn_solve_def tuning = cairn_default_solve_def(), zero;
    cairn_world* world;
    cairn_error error;
    memset(&zero, 0, sizeof zero);
    def.tuning = &zero;
    ck_assert(cairn_world_create(&def, &world, &error) != CAIRN_OK);
    tuning.facets = 2;
    def.tuning = &tuning;
    ck_assert(cairn_world_create(&def, &world, &error) != CAIRN_OK);
    tuning.facets = 8;
    tuning.tree.large_method = NULL;
    ck_assert(cairn_world_create(&def, &world, &error) != CAIRN_OK);
}
END

TESTS(every_option_has_a_name_and_refuses_what_it_cannot_be, options_reach_their_fields,
      a_world_solves_by_the_options_that_it_is_given, a_world_refuses_options_out_of_range)
