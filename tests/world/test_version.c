// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Headers and library fit together, and options that nobody has started are refused.

#include "check_cairn.h"
#include <cairn/cairn.h>
#include <stdio.h>
#include <string.h>

TEST(the_library_serves_programs_of_its_own_headers_alone)
{
    char text[32];
    snprintf(text, sizeof text, "%d.%d.%d", CAIRN_VERSION_MAJOR, CAIRN_VERSION_MINOR,
             CAIRN_VERSION_PATCH);
    CHECK(strcmp(cairn_version(), text) == 0);
    CHECK(cairn_version_check());
    CHECK(!cairn_version_serves(CAIRN_VERSION_MAJOR, CAIRN_VERSION_MINOR + 1));
    CHECK(!cairn_version_serves(CAIRN_VERSION_MAJOR + 1, CAIRN_VERSION_MINOR));
}
END

TEST(options_that_were_only_zeroed_are_refused)
{
    cairn_error error;
    cairn_world* world = NULL;
    cairn_world_def no_world = {0}, def = cairn_default_world_def();

    CHECK(cairn_world_create(&no_world, &world, &error) == CAIRN_BAD_INPUT);
    CHECK(strstr(error.text, "cairn_default_world_def") != NULL);
    CHECK(cairn_world_create(&def, &world, &error) == CAIRN_OK);

    cairn_body_id body;
    cairn_body_def no_body = {.mass = 1.0};

    CHECK(cairn_world_add_body(world, &no_body, &body, &error) == CAIRN_BAD_INPUT);
    CHECK(strstr(error.text, "cairn_default_body_def") != NULL);

    cairn_joint_id joint;
    cairn_joint_def no_joint = {0};

    CHECK(cairn_world_add_joint(world, &no_joint, &joint, &error) == CAIRN_BAD_INPUT);
    CHECK(strstr(error.text, "cairn_default_joint_def") != NULL);
    cairn_world_destroy(world);

    cairn_problem problem = cairn_problem_empty();
    cairn_solve_def no_solve = {.method = "auto", .threads = 1, .facets = 4};
    cairn_report report;

    CHECK(cairn_solve(&problem, &no_solve, NULL, &report, &error) == CAIRN_BAD_INPUT);
    CHECK(strstr(error.text, "cairn_default_solve_def") != NULL);
}
END

TESTS(the_library_serves_programs_of_its_own_headers_alone,
      options_that_were_only_zeroed_are_refused)
