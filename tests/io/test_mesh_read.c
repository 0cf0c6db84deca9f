// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors

#include "check_cairn.h"
#include <cairn/cairn.h>
#include <cairn/io.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static cairn_status read_as(cairn_mesh** mesh, const char* ending, const void* data, size_t size,
                            cairn_error* error)
{
    char path[256];
    snprintf(path, sizeof path, "%s/cairn-test-%ld.%s", check_cairn_folder(), (long)getpid(),
             ending);
    FILE* file = fopen(path, "wb");
    ck_assert(file != NULL);
    fwrite(data, 1, size, file);
    fclose(file);
    cairn_status status = cairn_mesh_read(path, mesh, error);
    unlink(path);
    return status;
}

// a closed mesh of the given volume
static void check_volume(const char* ending, const void* data, size_t size, double volume)
{
    cairn_mesh* mesh = NULL;
    cairn_error error = {{0}};
    cairn_mass_properties mass;
    ck_assert_msg(read_as(&mesh, ending, data, size, &error) == CAIRN_OK, "%s", error.text);
    cairn_shape shape = cairn_shape_mesh(mesh);
    ck_assert_msg(cairn_shape_mass(&shape, &mass, &error) == CAIRN_OK, "%s", error.text);
    CHECK_NEAR(mass.volume, volume, 1e-12);
    cairn_mesh_destroy(mesh);
}

static const char cube[] = "# a cube of side 1\n"
                           "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\n"
                           "v 0 0 1\nv 1 0 1\nv 0 1 1\nv 1 1 1\nvn 0 0 1\n"
                           "f 1/1/1 3/2/1 4/3/1 2/4/1\nf 5 6 8 7\nf 1 2 6 5\n"
                           "f 3 7 8 4\nf 1//1 5//1 7//1 3//1\nf -7 -5 -1 -3\n";

static const int tetrahedron[4][3] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}};
static const float corner[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

TEST(an_obj_cube_with_polygons_and_negative_indices_has_its_volume)
{
    check_volume("obj", cube, strlen(cube), 1.0);
}
END

TEST(an_stl_tetrahedron_is_closed_in_text_and_binary)
{
    char text[2000] = "solid t\n";
    unsigned char binary[84 + 4 * 50] = {0};
    binary[80] = 4;
    for (int f = 0; f < 4; f++) {
        strcat(text, "facet normal 0 0 0\nouter loop\n");
        for (int i = 0; i < 3; i++) {
            const float* c = corner[tetrahedron[f][i]];
            sprintf(text + strlen(text), "  vertex %g %g %g\n", c[0], c[1], c[2]);
            memcpy(&binary[84 + 50 * f + 12 + 12 * i], c, 12);
        }
        strcat(text, "endloop\nendfacet\n");
    }
    strcat(text, "endsolid t\n");
    check_volume("stl", text, strlen(text), 1.0 / 6.0);
    check_volume("STL", binary, sizeof binary, 1.0 / 6.0);
}
END

static void check_refused(const char* ending, const char* text, const char* reason)
{
    cairn_mesh* mesh = NULL;
    cairn_error error = {{0}};
    ck_assert_int_eq(read_as(&mesh, ending, text, strlen(text), &error), CAIRN_BAD_INPUT);
    ck_assert_msg(strstr(error.text, reason), "\"%s\" does not tell \"%s\"", error.text, reason);
    CHECK(!mesh);
}

TEST(bad_files_are_refused_with_their_line)
{
    check_refused("obj", "v 0 0\n", "line 1");
    check_refused("obj", "v 0 0 nan\n", "line 1");
    check_refused("obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 4\n", "line 4: corner 3");
    check_refused("obj", "v 0 0 0\nv 1 0 0\nf 1 2\n", "line 3: a face of 2");
    check_refused("obj", "", "no triangles");
    check_refused("stl", "solid x\nvertex 0 0 0\nvertex 1 0 0\n", "2 corners");
    check_refused("ply", "ply\n", ".obj or .stl");
    cairn_mesh* mesh = NULL;
    cairn_error error;
    ck_assert_int_eq(cairn_mesh_read("/nonexistent/a.obj", &mesh, &error), CAIRN_NO_FILE);
}
END

TESTS(an_obj_cube_with_polygons_and_negative_indices_has_its_volume,
      an_stl_tetrahedron_is_closed_in_text_and_binary, bad_files_are_refused_with_their_line)
