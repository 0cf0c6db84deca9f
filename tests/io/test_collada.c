// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Meshes of robots in COLLADA: units, axes, nodes, and what is refused.

#include "check_cairn.h"
#include <cairn/robot.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

// a box of 1 x 2 x 3 units from the origin on, in a node, with an up axis, a source and a url
static const char form[] =
    "<?xml version='1.0'?><COLLADA><asset><unit meter='0.1'/><up_axis>%s</up_axis></asset>"
    "<library_geometries><geometry id='g'><mesh><source id='p'><float_array id='f' count='24'>"
    "0 0 0  1 0 0  0 2 0  1 2 0\n0 0 3  1 0 3  0 2 3  1 2 %s</float_array><technique_common>"
    "<accessor stride='3' count='8'/></technique_common></source><vertices id='v'><input "
    "semantic='POSITION' source='#p'/></vertices><triangles count='0'/></mesh></geometry>"
    "</library_geometries><library_visual_scenes><visual_scene id='s'><node><translate>0 0 10"
    "</translate><node><scale>2 1 1</scale><instance_geometry url='%s'/></node></node>"
    "</visual_scene></library_visual_scenes></COLLADA>";

static cairn_status read_robot(const char* up, const char* last, const char* url,
                               cairn_robot** robot, cairn_error* error)
{
    char folder[256], path[300], name[300];
    static const char model[] =
        "<mujoco><asset><mesh name='m' file='box.dae'/></asset><worldbody><body name='b'>"
        "<freejoint/><geom type='mesh' mesh='m' density='1000'/></body></worldbody></mujoco>";
    snprintf(folder, sizeof folder, "%s/cairn-dae-XXXXXX", check_cairn_folder());
    CHECK(mkdtemp(folder) != NULL);
    snprintf(path, sizeof path, "%s/box.dae", folder);
    snprintf(name, sizeof name, "%s/box.xml", folder);
    FILE* file = fopen(path, "w");
    CHECK(file != NULL);
    fprintf(file, form, up, last, url);
    fclose(file);
    cairn_status status = cairn_robot_read_text(model, strlen(model), name, NULL, robot, error);
    unlink(path);
    rmdir(folder);
    return status;
}

// the center of a box of 0.2 x 0.2 x 0.3 m, which starts 1 m along the axis that was z
static void check_center(const char* up, cairn_vec3 center)
{
    cairn_robot* robot = NULL;
    cairn_error error = {""};
    ck_assert_msg(read_robot(up, "3", "#g", &robot, &error) == CAIRN_OK, "%s", error.text);
    cairn_robot_link link = cairn_robot_get_link(robot, 0);
    CHECK_NEAR(link.mass, 1000.0 * 0.2 * 0.2 * 0.3, 1e-9);
    CHECK_NEAR(cairn_norm(cairn_sub(link.center, center)), 0.0, 1e-12);
    cairn_robot_destroy(robot);
}

TEST(units_axes_and_nodes_place_a_mesh)
{
    check_center("Z_UP", cairn_vec(0.1, 0.1, 1.15));
    check_center("Y_UP", cairn_vec(0.1, -1.15, 0.1));
    check_center("X_UP", cairn_vec(-0.1, -1.15, 0.1));
}
END

TEST(bad_meshes_are_refused_with_file_and_line)
{
    static const char* const cases[][3] = {{"3x", "#g", "box.dae:1: <float_array> has 'x"},
                                           {"", "#g", "box.dae:1: <float_array> ends within"},
                                           {"3", "#h", "box.dae:2: <instance_geometry> names"},
                                           {"nan", "#g", "expected numbers"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        cairn_robot* robot = NULL;
        cairn_error error = {""};
        CHECK(read_robot("Z_UP", cases[i][0], cases[i][1], &robot, &error) == CAIRN_BAD_INPUT);
        ck_assert_msg(strstr(error.text, cases[i][2]) != NULL, "%s", error.text);
    }
}
END

TESTS(units_axes_and_nodes_place_a_mesh, bad_meshes_are_refused_with_file_and_line)
