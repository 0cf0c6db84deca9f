// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Robots in MJCF as MuJoCo reads them, where it is installed: mass matrix, bias forces and places of
// bodies at random coordinates. Models that come with its samples are compared too, where they are.

#include "check_cairn.h"
#include <cairn/robot.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef CAIRN_HAVE_MUJOCO
#include <mujoco/mujoco.h>
#include <unistd.h>

static double draw(uint64_t* state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return 2.0 * (double)(*state >> 11) * 0x1p-53 - 1.0;
}

// coordinates of MuJoCo, with quaternions of unit length
static void draw_state(const mjModel* m, mjData* d, uint64_t* state)
{
    for (int i = 0; i < m->nq; i++)
        d->qpos[i] = m->qpos0[i] + 0.4 * draw(state);
    mj_normalizeQuat(m, d->qpos);
    for (int i = 0; i < m->nv; i++)
        d->qvel[i] = draw(state);
}

static double largest_of(const double* x, int n)
{
    double most = 0.0;
    for (int i = 0; i < n; i++)
        most = fmax(most, fabs(x[i]));
    return most;
}

static void compare_places(const cairn_robot* robot, const mjModel* m, const mjData* d,
                           const double* q)
{
    cairn_multibody* mb = cairn_robot_multibody(robot);
    cairn_transform* poses = calloc((size_t)cairn_multibody_links(mb) + 1, sizeof *poses);
    CHECK(cairn_multibody_kinematics(mb, q, NULL, poses, NULL, NULL, NULL) == CAIRN_OK);
    for (int i = 0; i < cairn_robot_describe(robot).link_count; i++) {
        cairn_robot_link link = cairn_robot_get_link(robot, i);
        int body = mj_name2id(m, mjOBJ_BODY, link.name);
        if (body < 0)
            continue; // without a name
        const double* x = d->xpos + 3 * body;
        cairn_vec3 off = cairn_sub(poses[link.link].p, cairn_vec(x[0], x[1], x[2]));
        CHECK_BELOW(cairn_norm(off), 1e-12);
    }
    free(poses);
}

static void compare(const char* path)
{
    char said[1000] = "";
    cairn_robot* robot = NULL;
    cairn_error error = {""};
    mjModel* m = mj_loadXML(path, NULL, said, sizeof said);
    ck_assert_msg(m != NULL, "%s: %s", path, said);
    cairn_status status = cairn_robot_read(path, NULL, &robot, &error);
    ck_assert_msg(status == CAIRN_OK, "%s", error.text);
    mjData* d = mj_makeData(m);
    cairn_multibody* mb = cairn_robot_multibody(robot);
    int n = m->nv;
    ck_assert_int_eq(cairn_multibody_q_count(mb), m->nq);
    ck_assert_int_eq(cairn_multibody_v_count(mb), n);
    double* M = calloc((size_t)(n * n), sizeof *M);
    double* theirs = calloc((size_t)(n * n), sizeof *M);
    double *c = calloc((size_t)n, sizeof *c), *q = calloc((size_t)m->nq, sizeof *q);
    uint64_t state = 7;
    for (int round = 0; round < 3; round++) {
        draw_state(m, d, &state);
        mj_forward(m, d);
        mj_fullM(m, theirs, d->qM);

        // ours count from the pose of the model
        memcpy(q, d->qpos, (size_t)m->nq * sizeof *q);
        for (int j = 0; j < m->njnt; j++)
            if (m->jnt_type[j] == mjJNT_HINGE || m->jnt_type[j] == mjJNT_SLIDE)
                q[m->jnt_qposadr[j]] -= m->qpos0[m->jnt_qposadr[j]];
        CHECK(cairn_multibody_mass_matrix(mb, q, M, NULL) == CAIRN_OK);
        CHECK(cairn_multibody_inverse(mb, q, d->qvel, NULL, c, NULL) == CAIRN_OK);
        double size = largest_of(theirs, n * n), force = largest_of(d->qfrc_bias, n);
        for (int i = 0; i < n * n; i++)
            CHECK_NEAR(M[i], theirs[i], 1e-9 * size);
        for (int i = 0; i < n; i++)
            CHECK_NEAR(c[i], d->qfrc_bias[i], 1e-9 * force);
        compare_places(robot, m, d, q);
    }
    free(M);
    free(theirs);
    free(c);
    free(q);
    mj_deleteData(d);
    mj_deleteModel(m);
    cairn_robot_destroy(robot);
}

TEST(mass_matrices_and_bias_forces_are_those_of_mujoco)
{
    static const char* const files[] = {CAIRN_TEST_DATA "/robots/parts.xml",
                                        CAIRN_SOURCE_DIR "/scenes/cart_pole.xml",
                                        CAIRN_SOURCE_DIR "/scenes/walker.xml"};
    static const char* const samples[] = {"humanoid/humanoid.xml", "humanoid100/humanoid100.xml",
                                          "slider_crank/slider_crank.xml", "tendon_arm/arm26.xml"};
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++)
        compare(files[i]);
    for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++) {
        char path[256];
        const char* root = getenv("CAIRN_MUJOCO_MODELS");
        snprintf(path, sizeof path, "%s/%s", root ? root : "/usr/share/mujoco/model", samples[i]);
        if (access(path, R_OK) == 0)
            compare(path);
    }
}
END

TESTS(mass_matrices_and_bias_forces_are_those_of_mujoco)
#else
TEST(mujoco_is_not_installed_and_nothing_is_compared)
{
    CHECK(true);
}
END

TESTS(mujoco_is_not_installed_and_nothing_is_compared)
#endif
