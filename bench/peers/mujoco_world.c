// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// MuJoCo: Newton and projected Gauss-Seidel with elliptic and pyramidal cones, at its default
// softness and once as stiff as a frame of 1/60 s allows. Scenes are written in its own format;
// joints become nested bodies in reduced coordinates. Its reader refuses deep nesting, so a long
// chain is spread over files that include one another. Its matrices of rows by velocities are
// dense in memory: scenes of many hundred bodies are beyond it.

#include "engine.h"
#include <math.h>
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { newton = 1, elliptic = 2, stiff = 4, depth_limit = 40, joint_limit = 200, body_limit = 150 };

static const peer_setting settings[] = {
    {"Newton, elliptic cone", newton | elliptic, true, true},
    {"Newton, elliptic cone, stiff (solimp 0.9999, impratio 100)", newton | elliptic | stiff, true,
     false},
    {"Newton, pyramidal cone", newton, true, false},
    {"PGS, elliptic cone", elliptic, true, false},
    {"PGS, pyramidal cone", 0, true, false},
    {NULL, 0, false, false}};

typedef struct mujoco_world {
    mjModel* model;
    mjData* data;
    const peer_scene* scene;
    int* body; ///< MuJoCo's number of each body
} mujoco_world;

static const char* version(const peer_engine* engine)
{
    (void)engine;
    return mj_versionString();
}

// ---------------------------------------------------------------- writing

typedef struct writer {
    const peer_scene* scene;
    FILE* file;
    char* text;
    size_t size;
    mjVFS* files;
    int count; ///< files so far
} writer;

static void open_file(writer* w)
{
    w->file = open_memstream(&w->text, &w->size);
}

static bool close_file(writer* w, const char* name)
{
    fclose(w->file);
    bool made = mj_makeEmptyFileVFS(w->files, name, (int)w->size) == 0;
    if (made)
        memcpy(w->files->filedata[mj_findFileVFS(w->files, name)], w->text, w->size);
    free(w->text);
    return made;
}

static void write_geom(writer* w, const peer_body* body)
{
    static const char* const types[] = {"sphere", "capsule", "box", "mesh", "plane"};
    const double* s = body->size;
    fprintf(w->file, "<geom type=\"%s\" friction=\"%.17g 0 0\"", types[body->shape], body->mu);
    if (body->shape == PEER_HALF_SPACE)
        fprintf(w->file, " size=\"0 0 1\"");
    else if (body->shape == PEER_HULL)
        fprintf(w->file, " mesh=\"m%d\"", (int)(body - w->scene->bodies));
    else
        fprintf(w->file, " size=\"%.17g %.17g %.17g\"", s[0], s[1], s[2]);
    if (!body->collides)
        fprintf(w->file, " contype=\"0\" conaffinity=\"0\"");
    fprintf(w->file, "/>");
}

static void quaternion_between(double* out, const peer_scene* scene, int a, int b)
{
    double back[4];
    memcpy(out, scene->bodies[b].start.quaternion, 4 * sizeof(double));
    if (a < 0)
        return;
    mju_negQuat(back, scene->bodies[a].start.quaternion);
    mju_mulQuat(out, back, scene->bodies[b].start.quaternion);
}

static void write_inertial(writer* w, const peer_body* body)
{
    fprintf(w->file, "<inertial pos=\"0 0 0\" mass=\"%.17g\" diaginertia=\"%.17g %.17g %.17g\"/>",
            body->mass, body->inertia[0], body->inertia[1], body->inertia[2]);
}

// a body that hangs by its joint, and all that hang on it
static bool write_link(writer* w, int b, int depth)
{
    const peer_scene* scene = w->scene;
    const peer_joint* joint = &scene->joints[b];
    double q[4], at[3];

    // the place of the body from its joint: at_a - R at_b
    quaternion_between(q, scene, joint->a, b);
    mju_rotVecQuat(at, joint->at_b, q);
    for (int k = 0; k < 3; k++)
        at[k] = joint->at_a[k] - at[k];

    fprintf(w->file,
            "<body name=\"b%d\" pos=\"%.17g %.17g %.17g\" quat=\"%.17g %.17g %.17g %.17g\">"
            "<joint type=\"ball\" pos=\"%.17g %.17g %.17g\"/>",
            b, at[0], at[1], at[2], q[0], q[1], q[2], q[3], joint->at_b[0], joint->at_b[1],
            joint->at_b[2]);

    write_inertial(w, &scene->bodies[b]);
    write_geom(w, &scene->bodies[b]);

    for (int c = b + 1; c < scene->body_count; c++) {
        if (scene->joints[c].a != b)
            continue;

        if (depth < depth_limit) {
            if (!write_link(w, c, depth + 1))
                return false;
            continue;
        }

        // too deep for its reader: the rest of the chain goes to a file of its own
        writer inner = {.scene = scene, .files = w->files, .count = w->count + 1};
        char name[32];
        snprintf(name, sizeof name, "part%d.xml", inner.count);
        open_file(&inner);
        fprintf(inner.file, "<mujoco>");

        bool made = write_link(&inner, c, 0);
        fprintf(inner.file, "</mujoco>");
        w->count = inner.count;
        if (!close_file(&inner, name) || !made)
            return false;

        fprintf(w->file, "<include file=\"%s\"/>", name);
    }

    fprintf(w->file, "</body>");
    return true;
}

static void write_free(writer* w, int i)
{
    const peer_body* body = &w->scene->bodies[i];
    const double *p = body->start.position, *q = body->start.quaternion;
    fprintf(w->file,
            "<body name=\"b%d\" pos=\"%.17g %.17g %.17g\" quat=\"%.17g %.17g %.17g %.17g\">", i,
            p[0], p[1], p[2], q[0], q[1], q[2], q[3]);
    if (body->mass > 0.0) {
        fprintf(w->file, "<freejoint/>");
        write_inertial(w, body);
    }
    write_geom(w, body);
    fprintf(w->file, "</body>");
}

static void write_meshes(writer* w)
{
    fprintf(w->file, "<asset>");
    for (int i = 0; i < w->scene->body_count; i++) {
        const peer_body* body = &w->scene->bodies[i];
        if (body->shape != PEER_HULL)
            continue;
        fprintf(w->file, "<mesh name=\"m%d\" vertex=\"", i);
        for (int k = 0; k < 3 * body->hull.point_count; k++)
            fprintf(w->file, "%.17g ", body->hull.points[k]);
        fprintf(w->file, "\"/>");
    }
    fprintf(w->file, "</asset>");
}

static bool write_scene(writer* w, int choice)
{
    const peer_scene* scene = w->scene;
    const double* g = scene->gravity;
    int contacts = scene->joint_count ? 10 : 9 * scene->body_count + 60;
    bool made = true;

    // memory is set beforehand, by a bound on the contacts
    open_file(w);
    fprintf(w->file,
            "<mujoco><compiler boundmass=\"0\" balanceinertia=\"false\"/><size nconmax=\"%d\" "
            "njmax=\"%d\" nstack=\"%d\"/><option timestep=\"%.17g\" gravity=\"%.17g "
            "%.17g %.17g\" solver=\"%s\" cone=\"%s\" iterations=\"100\" tolerance=\"1e-10\" "
            "impratio=\"%d\"/>",
            contacts, 4 * contacts, 40000000, scene->dt, g[0], g[1], g[2],
            choice & newton ? "Newton" : "PGS", choice & elliptic ? "elliptic" : "pyramidal",
            choice & stiff ? 100 : 1);

    if (choice & stiff)
        fprintf(w->file, "<default><geom solimp=\"0.9999 0.9999 0.001\"/></default>");
    write_meshes(w);

    fprintf(w->file, "<worldbody>");
    for (int i = 0; i < scene->body_count && made; i++) {
        if (scene->joint_count == 0)
            write_free(w, i);
        else if (scene->joints[i].a < 0)
            made = write_link(w, i, 0);
    }

    fprintf(w->file, "</worldbody></mujoco>");
    return close_file(w, "scene.xml") && made;
}

// ---------------------------------------------------------------- the engine

static void set_velocities(mujoco_world* w)
{
    for (int i = 0; i < w->scene->body_count && w->scene->joint_count == 0; i++) {
        const peer_state* s = &w->scene->bodies[i].start;
        int dof = w->model->body_dofadr[w->body[i]];
        double back[4];
        if (dof < 0)
            continue;
        memcpy(w->data->qvel + dof, s->velocity, sizeof s->velocity);
        mju_negQuat(back, s->quaternion);
        mju_rotVecQuat(w->data->qvel + dof + 3, s->spin, back);
    }
}

static bool refuses(const peer_scene* scene, int choice)
{
    (void)choice;
    return scene->joint_count > joint_limit || scene->body_count > body_limit;
}

// its warnings would go into a file where we stand; its errors end the process, which is a trial's
static void ignore(const char* message)
{
    (void)message;
}

static void give_up(const char* message)
{
    (void)message;
    _Exit(1);
}

static void* create(const peer_scene* scene, int choice)
{
    mujoco_world* w = calloc(1, sizeof *w);
    char error[512];
    writer out = {.scene = scene, .files = malloc(sizeof *out.files)};
    mju_user_warning = ignore;
    mju_user_error = give_up;

    w->scene = scene;
    w->body = calloc((size_t)scene->body_count + 1, sizeof(int));
    mj_defaultVFS(out.files);

    if (write_scene(&out, choice))
        w->model = mj_loadXML("scene.xml", out.files, error, sizeof error);
    mj_deleteVFS(out.files);
    free(out.files);

    if (!w->model)
        return NULL;
    w->data = mj_makeData(w->model);

    // bodies are found again by their names
    for (int i = 0; i < scene->body_count; i++) {
        char name[32];
        snprintf(name, sizeof name, "b%d", i);
        w->body[i] = mj_name2id(w->model, mjOBJ_BODY, name);
    }

    set_velocities(w);
    mj_forward(w->model, w->data);
    return w;
}

static void step(void* world, double dt)
{
    mujoco_world* w = world;
    (void)dt;
    mj_step(w->model, w->data);
}

static void read(void* world, peer_state* all)
{
    mujoco_world* w = world;
    mj_kinematics(w->model, w->data);
    mj_comPos(w->model, w->data);
    mj_comVel(w->model, w->data);
    for (int i = 0; i < w->scene->body_count; i++) {
        int body = w->body[i];
        double speed[6];
        memcpy(all[i].position, w->data->xpos + 3 * body, sizeof all[i].position);
        memcpy(all[i].quaternion, w->data->xquat + 4 * body, sizeof all[i].quaternion);
        mj_objectVelocity(w->model, w->data, mjOBJ_XBODY, body, speed, 0);
        memcpy(all[i].spin, speed, sizeof all[i].spin);
        memcpy(all[i].velocity, speed + 3, sizeof all[i].velocity);
    }
}

static void destroy(void* world)
{
    mujoco_world* w = world;
    mj_deleteData(w->data);
    mj_deleteModel(w->model);
    free(w->body);
    free(w);
}

const peer_engine peer_mujoco = {
    "mujoco", "libmujoco-dev", version, settings, refuses, create, step, read, destroy, NULL, NULL};
