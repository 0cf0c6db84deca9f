// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// What is round rolls to and fro in a trough of flat strips, a mesh. Each seam takes the part sin²φ of its
// energy, φ the angle between two strips, whatever rolls: nothing else gains or loses any.

#include "check_cairn.h"
#include "worlds.h"

static const double pi = 3.14159265358979323846, R = 1.0, r = 0.1, from = 0.4;

enum { most_strips = 256, steps = 120 };

static cairn_mesh* trough(int strips)
{
    static cairn_vec3 vertices[2 * most_strips + 2];
    static int triangles[6 * most_strips];
    for (int i = 0; i <= strips; i++) {
        double a = pi * ((double)i / strips - 0.5);
        for (int side = 0; side < 2; side++)
            vertices[2 * i + side] = cairn_vec(R * sin(a), 2.0 * side - 1.0, -R * cos(a));
    }
    for (int i = 0; i < strips; i++) {
        const int own[6] = {2 * i, 2 * i + 2, 2 * i + 1, 2 * i + 1, 2 * i + 2, 2 * i + 3};
        for (int k = 0; k < 6; k++)
            triangles[6 * i + k] = own[k];
    }

    cairn_mesh_def def = {vertices, 2 * strips + 2, triangles, 2 * strips};
    cairn_mesh* mesh = NULL;
    CHECK(cairn_mesh_create(&def, &mesh, NULL) == CAIRN_OK);
    return mesh;
}

// adds a body of 1 kg, or a static one
static void add(cairn_world* world, const cairn_shape* shape, bool moves)
{
    cairn_body_def def = cairn_default_body_def();
    def.shape = shape;
    def.material.mu = 1.0;
    def.mass = moves ? 1.0 : 0.0;
    def.type = moves ? CAIRN_BODY_DYNAMIC : CAIRN_BODY_STATIC;
    cairn_quat lying = cairn_quat_from_rotation_vector(cairn_vec(0.5 * pi, 0.0, 0.0));
    if (moves)
        def.pose = (cairn_transform){{(R - r) * sin(from), 0.0, -(R - r) * cos(from)}, lying};
    cairn_body_id id;
    CHECK(cairn_world_add_body(world, &def, &id, NULL) == CAIRN_OK);
}

static double energy_of(const cairn_world* world)
{
    double kinetic, potential;
    cairn_world_energy(world, &kinetic, &potential);
    return kinetic + potential;
}

// what a shape loses in two seconds, of the energy of its swing; `gained`: the most in a step
static double loss(cairn_shape shape, int strips, double* gained)
{
    cairn_mesh* mesh = trough(strips);
    cairn_shape floor = cairn_shape_mesh(mesh);
    cairn_world_def def = cairn_default_world_def();
    def.sleep = false;
    cairn_world* world = worlds_empty(def);
    add(world, &floor, false);
    add(world, &shape, true);

    // the first step pushes it out of the flat strip that its circle cuts
    worlds_run(world, 1);
    double swing = 9.81 * (R - r) * (1.0 - cos(from)), start = energy_of(world), last = start;
    for (int i = 1; i < steps; i++) {
        worlds_run(world, 1);
        double now = energy_of(world);
        *gained = fmax(*gained, (now - last) / swing);
        last = now;
    }

    cairn_world_destroy(world);
    cairn_mesh_destroy(mesh);
    return (start - last) / swing;
}

TEST(a_cylinder_crosses_the_seams_of_a_mesh_as_a_capsule_does)
{
    static const int strips[] = {16, 64, 256};
    for (int i = 0; i < 3; i++) {
        double gained = 0.0;
        double capsule = loss(cairn_shape_capsule(r, 0.3), strips[i], &gained);
        double cylinder = loss(cairn_shape_cylinder(r, 0.3), strips[i], &gained);
        CHECK_BELOW(gained, 1e-5);
        CHECK(cylinder > 0.0);
        CHECK_NEAR(cylinder, capsule, 0.03 * capsule);
    }
}
END

TESTS(a_cylinder_crosses_the_seams_of_a_mesh_as_a_capsule_does)
