// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Robots in MJCF and URDF as MuJoCo reads them, where it is installed: mass matrix, bias forces, inverse
// dynamics, places of links and their Jacobians at random coordinates, to 1e-9 relative. Outside robots
// are compared too, where they are.

#include "check_cairn.h"
#include <cairn/robot.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef CAIRN_HAVE_MUJOCO
#include "io/file.h"
#include <mujoco/mujoco.h>
#include <unistd.h>

static double draw(uint64_t* state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return 2.0 * (double)(*state >> 11) * 0x1p-53 - 1.0;
}

static double largest_of(const double* x, int n)
{
    double most = 0.0;
    for (int i = 0; i < n; i++)
        most = fmax(most, fabs(x[i]));
    return most;
}

/// A robot as both have read it, at one state. Coordinates and rows are ours.
typedef struct pair {
    mjModel* m;
    mjData* d;
    cairn_robot* robot;
    cairn_multibody* mb;
    int nq, nv;
    int *q_of, *v_of; ///< the place in MuJoCo's vectors of each of our numbers
    double *q, *v, *a, *ours, *theirs;
} pair;

static const int q_size[] = {0, 1, 1, 4, 7}, v_size[] = {0, 1, 1, 3, 6};

// joints by their names, which may come in another order
static void match_joints(pair* p)
{
    for (int i = 0; i < cairn_robot_describe(p->robot).joint_count; i++) {
        cairn_robot_joint joint = cairn_robot_get_joint(p->robot, i);
        int theirs = mj_name2id(p->m, mjOBJ_JOINT, joint.name);

        // one without a name has ours by its place
        if (theirs < 0)
            theirs = i;
        for (int k = 0; k < q_size[joint.mobility]; k++)
            p->q_of[joint.q + k] = p->m->jnt_qposadr[theirs] + k;
        for (int k = 0; k < v_size[joint.mobility]; k++)
            p->v_of[joint.v + k] = p->m->jnt_dofadr[theirs] + k;
    }
}

static pair make_pair(mjModel* m, cairn_robot* robot, const char* path)
{
    pair p = {.m = m, .d = mj_makeData(m), .robot = robot, .mb = cairn_robot_multibody(robot)};
    p.nq = cairn_multibody_q_count(p.mb);
    p.nv = cairn_multibody_v_count(p.mb);
    ck_assert_msg(p.nq == m->nq && p.nv == m->nv, "%s: %d and %d numbers, expected %d and %d", path,
                  p.nq, p.nv, m->nq, m->nv);
    size_t n = (size_t)p.nv, room = (n + 6) * (n + 7);
    p.q_of = calloc((size_t)p.nq + 1, sizeof(int));
    p.v_of = calloc(n + 1, sizeof(int));
    p.q = calloc((size_t)p.nq + 1, sizeof(double));
    p.v = calloc(n + 1, sizeof(double));
    p.a = calloc(n + 1, sizeof(double));
    p.ours = calloc(room, sizeof(double));
    p.theirs = calloc(room, sizeof(double));
    match_joints(&p);

    // of forces only those of inertia and gravity
    m->opt.disableflags |= mjDSBL_CONSTRAINT | mjDSBL_PASSIVE | mjDSBL_ACTUATION;
    return p;
}

static void free_pair(pair* p)
{
    double* arrays[] = {p->q, p->v, p->a, p->ours, p->theirs};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++)
        free(arrays[i]);
    free(p->q_of);
    free(p->v_of);
    mj_deleteData(p->d);
    mj_deleteModel(p->m);
    cairn_robot_destroy(p->robot);
}

// random coordinates, with quaternions of unit length; ours count from the pose of the model
static void draw_state(pair* p, uint64_t* state)
{
    mjModel* m = p->m;
    mjData* d = p->d;
    for (int i = 0; i < m->nq; i++)
        d->qpos[i] = m->qpos0[i] + 0.4 * draw(state);
    mj_normalizeQuat(m, d->qpos);
    for (int i = 0; i < m->nv; i++) {
        d->qvel[i] = draw(state);
        d->qacc[i] = draw(state);
    }
    for (int i = 0; i < p->nq; i++)
        p->q[i] = d->qpos[p->q_of[i]];
    for (int i = 0; i < cairn_robot_describe(p->robot).joint_count; i++) {
        cairn_robot_joint joint = cairn_robot_get_joint(p->robot, i);
        if (q_size[joint.mobility] == 1)
            p->q[joint.q] -= m->qpos0[p->q_of[joint.q]];
    }
    for (int i = 0; i < p->nv; i++) {
        p->v[i] = d->qvel[p->v_of[i]];
        p->a[i] = d->qacc[p->v_of[i]];
    }
}

static void compare_mass(pair* p, const char* path)
{
    int n = p->nv;
    mj_fullM(p->m, p->theirs, p->d->qM);
    CHECK(cairn_multibody_mass_matrix(p->mb, p->q, p->ours, NULL) == CAIRN_OK);
    double size = largest_of(p->theirs, n * n);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++) {
            double other = p->theirs[p->v_of[i] * n + p->v_of[k]];
            ck_assert_msg(fabs(p->ours[i * n + k] - other) <= 1e-9 * size,
                          "%s: M[%d][%d] is %.17g, expected %.17g", path, i, k, p->ours[i * n + k],
                          other);
        }
}

// a vector of ours against one of theirs
static void compare_forces(const pair* p, const double* other, const char* what, const char* path)
{
    double size = largest_of(other, p->nv);
    for (int i = 0; i < p->nv; i++)
        ck_assert_msg(fabs(p->ours[i] - other[p->v_of[i]]) <= 1e-9 * size,
                      "%s: %s %d is %.17g, expected %.17g", path, what, i, p->ours[i],
                      other[p->v_of[i]]);
}

// places and Jacobians of the bodies that both have by name
static int compare_links(pair* p, const char* path)
{
    int n = p->nv, count = 0;
    double *along = p->theirs, *about = p->theirs + 3 * n;
    cairn_transform* poses = calloc((size_t)cairn_multibody_links(p->mb) + 1, sizeof *poses);
    CHECK(cairn_multibody_kinematics(p->mb, p->q, NULL, poses, NULL, NULL, NULL) == CAIRN_OK);
    for (int i = 0; i < cairn_robot_describe(p->robot).link_count; i++) {
        cairn_robot_link link = cairn_robot_get_link(p->robot, i);
        int body = mj_name2id(p->m, mjOBJ_BODY, link.name);
        if (body < 0)
            continue; // without a name
        const double* x = p->d->xpos + 3 * body;
        cairn_vec3 off = cairn_sub(poses[link.link].p, cairn_vec(x[0], x[1], x[2]));
        CHECK_BELOW(cairn_norm(off), 1e-12 * (1.0 + cairn_norm(poses[link.link].p)));

        cairn_vec3 point = {0.1, -0.2, 0.3}, at = cairn_transform_point(poses[link.link], point);
        const double there[3] = {at.x, at.y, at.z};
        mj_jac(p->m, p->d, along, about, there, body);
        CHECK(cairn_multibody_jacobian(p->mb, p->q, link.link, point, p->ours, NULL) == CAIRN_OK);
        double size = fmax(1.0, largest_of(p->theirs, 6 * n));
        for (int r = 0; r < 6; r++)
            for (int k = 0; k < n; k++)
                ck_assert_msg(fabs(p->ours[r * n + k] - p->theirs[r * n + p->v_of[k]]) <=
                                  1e-9 * size,
                              "%s: the Jacobian of %s", path, link.name);
        count++;
    }
    free(poses);
    return count;
}

static void compare_pair(pair* p, const char* path)
{
    uint64_t state = 7;
    int links = 0;
    for (int round = 0; round < 3; round++) {
        draw_state(p, &state);
        mj_inverse(p->m, p->d);
        compare_mass(p, path);
        CHECK(cairn_multibody_inverse(p->mb, p->q, p->v, NULL, p->ours, NULL) == CAIRN_OK);
        compare_forces(p, p->d->qfrc_bias, "bias force", path);
        CHECK(cairn_multibody_inverse(p->mb, p->q, p->v, p->a, p->ours, NULL) == CAIRN_OK);
        compare_forces(p, p->d->qfrc_inverse, "inverse dynamics", path);
        links = compare_links(p, path);
    }
    if (getenv("CAIRN_TELL"))
        printf("%s: nv = %d, %d links compared\n", path, p->nv, links);
    free_pair(p);
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
    pair p = make_pair(m, robot, path);
    compare_pair(&p, path);
}

// ---------------------------------------------------------------- URDF

// cuts <NAME ...> ... </NAME> out of a text, or <NAME .../>
static void cut(char* text, const char* name)
{
    char open[40], close[40];
    snprintf(open, sizeof open, "<%s", name);
    snprintf(close, sizeof close, "</%s>", name);
    for (char* from = strstr(text, open); from; from = strstr(from + 1, open)) {
        if (!strchr(" />", from[strlen(open)]))
            continue;
        char *end = strchr(from, '>'), *last = strstr(from, close);
        if (!end)
            return;
        if (end[-1] != '/' && last)
            end = last + strlen(close) - 1;
        memmove(from, end + 1, strlen(end + 1) + 1);
        from--;
    }
}

static char* read_text(const char* path)
{
    cairn_bytes bytes;
    CHECK(cairn_file_read(&bytes, path, &cairn_file_text, NULL) == CAIRN_OK);
    return bytes.data;
}

// R with R^T I R diagonal, by Jacobi's rotations
static void diagonalize(double I[3][3], double R[9])
{
    for (int k = 0; k < 9; k++)
        R[k] = k % 4 == 0;
    for (int turn = 0; turn < 60; turn++) {
        int p = turn % 3, q = (p + 1) % 3;
        double angle = 0.5 * atan2(2.0 * I[p][q], I[q][q] - I[p][p]);
        if (fabs(angle) > 0.25 * mjPI) // the smaller of the two that do
            angle -= copysign(0.5 * mjPI, angle);
        double c = cos(angle), s = sin(angle);
        for (int k = 0; k < 3; k++) {
            double x = I[k][p], y = I[k][q], u = R[3 * k + p], v = R[3 * k + q];
            I[k][p] = c * x - s * y;
            I[k][q] = s * x + c * y;
            R[3 * k + p] = c * u - s * v;
            R[3 * k + q] = s * u + c * v;
        }
        for (int k = 0; k < 3; k++) {
            double x = I[p][k], y = I[q][k];
            I[p][k] = c * x - s * y;
            I[q][k] = s * x + c * y;
        }
    }
}

// MuJoCo keeps moments and axes, which it finds to 1e-7 alone: links must have the same masses, centers and,
// so far, inertias; then it is given ours
static void align_inertias(pair* p, const char* path)
{
    for (int i = 0; i < cairn_robot_describe(p->robot).link_count; i++) {
        cairn_robot_link told = cairn_robot_get_link(p->robot, i);
        cairn_multibody_link link = cairn_multibody_get(p->mb, told.link);
        int body = mj_name2id(p->m, mjOBJ_BODY, told.name);
        ck_assert_msg(body > 0, "%s: %s", path, told.name);
        const cairn_mat3* I = &link.inertia;
        double own[3][3] = {
            {I->cx.x, I->cy.x, I->cz.x}, {I->cx.y, I->cy.y, I->cz.y}, {I->cx.z, I->cy.z, I->cz.z}};
        double R[9], *moments = p->m->body_inertia + 3 * body, *at = p->m->body_ipos + 3 * body;
        CHECK_NEAR(p->m->body_mass[body], link.mass, 1e-12 * link.mass);
        CHECK_NEAR(cairn_norm(cairn_sub(link.center, cairn_vec(at[0], at[1], at[2]))), 0.0, 1e-9);
        mju_quat2Mat(R, p->m->body_iquat + 4 * body);
        double size = own[0][0] + own[1][1] + own[2][2];
        for (int a = 0; a < 3; a++)
            for (int b = 0; b < 3; b++) {
                double sum = 0.0;
                for (int k = 0; k < 3; k++)
                    sum += R[3 * a + k] * moments[k] * R[3 * b + k];
                CHECK_NEAR(sum, own[a][b], 1e-6 * size);
            }
        diagonalize(own, R);
        if (R[0] * (R[4] * R[8] - R[5] * R[7]) - R[1] * (R[3] * R[8] - R[5] * R[6]) +
                R[2] * (R[3] * R[7] - R[4] * R[6]) <
            0.0)
            for (int k = 0; k < 3; k++)
                R[3 * k] = -R[3 * k];
        mju_mat2Quat(p->m->body_iquat + 4 * body, R);
        for (int k = 0; k < 3; k++)
            moments[k] = own[k][k];
        at[0] = link.center.x;
        at[1] = link.center.y;
        at[2] = link.center.z;
        p->m->body_mass[body] = link.mass;
        p->m->body_sameframe[body] = 0;
    }
    mj_setConst(p->m, p->d);
}

// MuJoCo reads URDF with the root fixed. Meshes are not among the samples, and its checks of inertias
// refuse some robots: shapes are cut out for both, and the inertias taken as they are
static void compare_urdf(const char* path)
{
    static const char settings[] =
        "<mujoco><compiler fusestatic='true' inertiafromgeom='false' balanceinertia='false' "
        "boundmass='0' boundinertia='0'/></mujoco>";
    char name[300], said[1000] = "";
    cairn_robot* robot = NULL;
    cairn_error error = {""};
    cairn_robot_def def = {.fix_base = true};
    char* text = read_text(path);
    cut(text, "visual");
    cut(text, "collision");
    cut(text, "transmission");
    cut(text, "gazebo");
    char* root = strstr(text, "<robot");
    CHECK(root != NULL);
    char* inside = strchr(root, '>') + 1;

    snprintf(name, sizeof name, "%s/cairn-XXXXXX.urdf", check_cairn_folder());
    int file = mkstemps(name, 5);
    FILE* out = file >= 0 ? fdopen(file, "w") : NULL;
    CHECK(out != NULL);
    fprintf(out, "%.*s%s%s", (int)(inside - text), text, settings, inside);
    fclose(out);
    mjModel* m = mj_loadXML(name, NULL, said, sizeof said);
    unlink(name);
    ck_assert_msg(m != NULL, "%s: %s", path, said);
    cairn_status status =
        cairn_robot_read_text(text, strlen(text), "robot.urdf", &def, &robot, &error);
    ck_assert_msg(status == CAIRN_OK, "%s: %s", path, error.text);
    free(text);
    pair p = make_pair(m, robot, path);
    align_inertias(&p, path);
    compare_pair(&p, path);
}

// ---------------------------------------------------------------- robots

TEST(robots_of_the_repository_move_as_mujoco_says)
{
    static const char* const files[] = {CAIRN_TEST_DATA "/robots/parts.xml",
                                        CAIRN_SOURCE_DIR "/scenes/cart_pole.xml",
                                        CAIRN_SOURCE_DIR "/scenes/walker.xml"};
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++)
        compare(files[i]);
    compare_urdf(CAIRN_TEST_DATA "/robots/arm.urdf");
}
END

// Debian's libmujoco-samples and dart-doc, or a folder with the same below it; pr2.urdf of
// morse-simulator-doc has an inertia that MuJoCo refuses
TEST(outside_robots_move_as_mujoco_says)
{
    static const char* const samples[] = {"mujoco/model/humanoid/humanoid.xml",
                                          "mujoco/model/humanoid/22_humanoids.xml",
                                          "mujoco/model/humanoid100/humanoid100.xml",
                                          "mujoco/model/slider_crank/slider_crank.xml",
                                          "mujoco/model/tendon_arm/arm26.xml",
                                          "doc/dart/data/mjcf/openai/ant.xml",
                                          "doc/dart/data/mjcf/openai/half_cheetah.xml",
                                          "doc/dart/data/mjcf/openai/humanoid.xml",
                                          "doc/dart/data/mjcf/openai/humanoidstandup.xml",
                                          "doc/dart/data/mjcf/openai/inverted_double_pendulum.xml",
                                          "doc/dart/data/mjcf/openai/reacher.xml",
                                          "doc/dart/data/mjcf/openai/pusher.xml",
                                          "doc/dart/data/mjcf/openai/swimmer.xml",
                                          "doc/dart/data/mjcf/openai/thrower.xml",
                                          "doc/dart/data/urdf/KR5/KR5 sixx R650.urdf",
                                          "doc/dart/data/urdf/drchubo/drchubo.urdf",
                                          "doc/dart/data/urdf/wam/wam.urdf",
                                          "doc/dart/data/sdf/atlas/atlas_v3_no_head.urdf"};
    const char* root = getenv("CAIRN_OUTSIDE_ROBOTS");
    for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++) {
        char path[400];
        snprintf(path, sizeof path, "%s/%s", root ? root : "/usr/share", samples[i]);
        if (access(path, R_OK) != 0)
            continue;
        (strstr(path, ".urdf") ? compare_urdf : compare)(path);
    }
}
END

TESTS(robots_of_the_repository_move_as_mujoco_says, outside_robots_move_as_mujoco_says)
#else
TEST(mujoco_is_not_installed_and_nothing_is_compared)
{
    CHECK(true);
}
END

TESTS(mujoco_is_not_installed_and_nothing_is_compared)
#endif
