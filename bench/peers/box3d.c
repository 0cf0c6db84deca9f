// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Box3D where a build of it is found: soft contacts, with 4 substeps as its samples have and with
// 16. The floor is a large box, since it has no half-space.

#include "engine.h"
#include <box3d/box3d.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct box3d_world {
    b3WorldId world;
    b3BodyId* bodies;
    b3HullData** hulls; ///< of polytopes; NULL for others
    const peer_scene* scene;
    int substeps;
} box3d_world;

static const char* version(const peer_engine* engine)
{
    static char text[32];
    b3Version v = b3GetVersion();
    (void)engine;
    snprintf(text, sizeof text, "%d.%d.%d", v.major, v.minor, v.revision);
    return text;
}

static const peer_setting settings[] = {
    {"soft step, 4 substeps", 4, true, true}, {"soft step, 16 substeps", 16, true, true}, {0}};

static b3Vec3 vector(const double* v)
{
    return (b3Vec3){(float)v[0], (float)v[1], (float)v[2]};
}

static b3Quat rotation(const double* q)
{
    return (b3Quat){{(float)q[1], (float)q[2], (float)q[3]}, (float)q[0]};
}

// the hull of points, or NULL
static b3HullData* make_hull(const peer_hull* hull)
{
    b3Vec3* points = calloc((size_t)hull->point_count + 1, sizeof *points);
    for (int i = 0; i < hull->point_count; i++)
        points[i] = vector(hull->points + 3 * (size_t)i);
    b3HullData* made = b3CreateHull(points, hull->point_count, hull->point_count);
    free(points);
    return made;
}

static void add_shape(box3d_world* w, int i, const b3ShapeDef* def)
{
    const peer_body* body = &w->scene->bodies[i];
    const float s[] = {(float)body->size[0], (float)body->size[1], (float)body->size[2]};
    b3Sphere sphere = {{0.0f, 0.0f, 0.0f}, s[0]};
    b3Capsule capsule = {{0.0f, 0.0f, -s[1]}, {0.0f, 0.0f, s[1]}, s[0]};
    b3BoxHull box;

    switch (body->shape) {
    case PEER_SPHERE:
        b3CreateSphereShape(w->bodies[i], def, &sphere);
        break;
    case PEER_CAPSULE:
        b3CreateCapsuleShape(w->bodies[i], def, &capsule);
        break;
    case PEER_BOX:
        box = b3MakeBoxHull(s[0], s[1], s[2]);
        b3CreateHullShape(w->bodies[i], def, &box.base);
        break;
    case PEER_HULL:
        w->hulls[i] = make_hull(&body->hull);
        if (w->hulls[i])
            b3CreateHullShape(w->bodies[i], def, w->hulls[i]);
        break;
    case PEER_HALF_SPACE:
        box = b3MakeOffsetBoxHull(200.0f, 200.0f, 10.0f, (b3Vec3){0.0f, 0.0f, -10.0f});
        b3CreateHullShape(w->bodies[i], def, &box.base);
        break;
    }
}

static void add_body(box3d_world* w, int i)
{
    const peer_body* body = &w->scene->bodies[i];
    b3BodyDef def = b3DefaultBodyDef();
    def.type = body->mass > 0.0 ? b3_dynamicBody : b3_staticBody;
    def.position.x = (float)body->start.position[0];
    def.position.y = (float)body->start.position[1];
    def.position.z = (float)body->start.position[2];
    def.rotation = rotation(body->start.quaternion);
    def.linearVelocity = vector(body->start.velocity);
    def.angularVelocity = vector(body->start.spin);

    def.enableSleep = false;
    w->bodies[i] = b3CreateBody(w->world, &def);

    // what touches nothing keeps a shape, with an empty mask
    b3ShapeDef shape = b3DefaultShapeDef();
    shape.density = 0.0f;
    shape.baseMaterial.friction = (float)body->mu;
    shape.baseMaterial.restitution = 0.0f;
    if (!body->collides)
        shape.filter.maskBits = 0;
    add_shape(w, i, &shape);

    // mass and inertia are those of the scene, not of the shape
    if (body->mass > 0.0) {
        const double* inertia = body->inertia;
        b3MassData mass = {.mass = (float)body->mass};
        mass.inertia.cx.x = (float)inertia[0];
        mass.inertia.cy.y = (float)inertia[1];
        mass.inertia.cz.z = (float)inertia[2];
        b3Body_SetMassData(w->bodies[i], mass);
    }
}

static void add_joint(box3d_world* w, b3BodyId ground, const peer_joint* joint)
{
    b3SphericalJointDef def = b3DefaultSphericalJointDef();
    def.base.bodyIdA = joint->a < 0 ? ground : w->bodies[joint->a];
    def.base.bodyIdB = w->bodies[joint->b];
    def.base.localFrameA.p = vector(joint->at_a);
    def.base.localFrameB.p = vector(joint->at_b);
    b3CreateSphericalJoint(w->world, &def);
}

static void* create(const peer_scene* scene, int choice)
{
    box3d_world* w = calloc(1, sizeof *w);
    b3WorldDef def = b3DefaultWorldDef();
    def.gravity = vector(scene->gravity);
    def.enableSleep = false;
    w->scene = scene;
    w->substeps = choice;
    w->world = b3CreateWorld(&def);
    w->bodies = calloc((size_t)scene->body_count + 1, sizeof *w->bodies);
    w->hulls = calloc((size_t)scene->body_count + 1, sizeof *w->hulls);
    for (int i = 0; i < scene->body_count; i++)
        add_body(w, i);

    b3BodyDef fixed = b3DefaultBodyDef();
    b3BodyId ground = b3CreateBody(w->world, &fixed);
    for (int i = 0; i < scene->joint_count; i++)
        add_joint(w, ground, &scene->joints[i]);
    return w;
}

static void step(void* world, double dt)
{
    const box3d_world* w = world;
    b3World_Step(w->world, (float)dt, w->substeps);
}

static void read(void* world, peer_state* all)
{
    const box3d_world* w = world;
    for (int i = 0; i < w->scene->body_count; i++) {
        all[i] = w->scene->bodies[i].start;
        if (!(w->scene->bodies[i].mass > 0.0))
            continue;
        b3Quat q = b3Body_GetRotation(w->bodies[i]);
        b3Vec3 v = b3Body_GetLinearVelocity(w->bodies[i]);
        b3Vec3 spin = b3Body_GetAngularVelocity(w->bodies[i]);
        b3Pos p = b3Body_GetWorldCenter(w->bodies[i]);
        all[i] = (peer_state){{(double)p.x, (double)p.y, (double)p.z},
                              {(double)q.s, (double)q.v.x, (double)q.v.y, (double)q.v.z},
                              {(double)v.x, (double)v.y, (double)v.z},
                              {(double)spin.x, (double)spin.y, (double)spin.z}};
    }
}

static void destroy(void* world)
{
    box3d_world* w = world;
    b3DestroyWorld(w->world);
    for (int i = 0; i < w->scene->body_count; i++)
        if (w->hulls[i])
            b3DestroyHull(w->hulls[i]);
    free(w->hulls);
    free(w->bodies);
    free(w);
}

const peer_engine peer_box3d = {"box3d", "box3d", version, settings, NULL, create,
                                step,    read,    destroy, NULL,     NULL};
