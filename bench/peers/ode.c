// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The Open Dynamics Engine: world step (Dantzig on the whole matrix) and quick step (projected
// Gauss-Seidel). The surface layer of 1 mm is what its manual advises against jitter.

#include "engine.h"
#include <math.h>
#include <ode/ode.h>
#include <stdlib.h>
#include <string.h>

enum { exact = 0, contact_limit = 16 };

typedef struct ode_world {
    dWorldID world;
    dSpaceID space;
    dJointGroupID contacts;
    dBodyID* bodies; ///< NULL for static ones
    const peer_scene* scene;
    int iterations; ///< of the quick step; 0: world step
} ode_world;

static const char* version(const peer_engine* engine)
{
    (void)engine;
    return dODE_VERSION;
}

static const peer_setting settings[] = {
    {"world step, erp 0.2, layer 1 mm", exact, true, true},
    {"quick step, 20 iterations, erp 0.2, layer 1 mm", 20, true, true},
    {"quick step, 100 iterations, erp 0.2, layer 1 mm", 100, true, true},
    {NULL, 0, false, false}};

static dGeomID make_geom(dSpaceID space, const peer_body* body)
{
    const double* s = body->size;
    const peer_hull* h = &body->hull;
    switch (body->shape) {
    case PEER_SPHERE:
        return dCreateSphere(space, s[0]);
    case PEER_CAPSULE:
        return dCreateCapsule(space, s[0], 2.0 * s[1]);
    case PEER_BOX:
        return dCreateBox(space, 2.0 * s[0], 2.0 * s[1], 2.0 * s[2]);
    case PEER_HULL:
        return dCreateConvex(space, h->planes, (unsigned)h->face_count, h->points,
                             (unsigned)h->point_count, h->polygons);
    case PEER_HALF_SPACE:
        break;
    }
    return dCreatePlane(space, 0.0, 0.0, 1.0, 0.0);
}

static void add_body(ode_world* w, int i)
{
    const peer_body* body = &w->scene->bodies[i];
    const peer_state* at = &body->start;
    if (body->mass > 0.0) {
        dMass mass;
        dBodyID id = w->bodies[i] = dBodyCreate(w->world);
        dMassSetParameters(&mass, body->mass, 0.0, 0.0, 0.0, body->inertia[0], body->inertia[1],
                           body->inertia[2], 0.0, 0.0, 0.0);

        dBodySetMass(id, &mass);
        dBodySetPosition(id, at->position[0], at->position[1], at->position[2]);
        dBodySetQuaternion(id, at->quaternion);
        dBodySetLinearVel(id, at->velocity[0], at->velocity[1], at->velocity[2]);
        dBodySetAngularVel(id, at->spin[0], at->spin[1], at->spin[2]);
        dBodySetAutoDisableFlag(id, 0);
    }

    if (!body->collides)
        return;

    dGeomID geom = make_geom(w->space, body);
    if (body->mass > 0.0) {
        dGeomSetBody(geom, w->bodies[i]);
    } else if (body->shape != PEER_HALF_SPACE) {
        dGeomSetPosition(geom, at->position[0], at->position[1], at->position[2]);
        dGeomSetQuaternion(geom, at->quaternion);
    }
}

static void add_joint(ode_world* w, const peer_joint* joint)
{
    dVector3 at;
    dJointID id = dJointCreateBall(w->world, NULL);
    dBodyID b = w->bodies[joint->b];
    dJointAttach(id, b, joint->a < 0 ? NULL : w->bodies[joint->a]);
    dBodyGetRelPointPos(b, joint->at_b[0], joint->at_b[1], joint->at_b[2], at);
    dJointSetBallAnchor(id, at[0], at[1], at[2]);
}

static void* create(const peer_scene* scene, int choice)
{
    ode_world* w = calloc(1, sizeof *w);
    dInitODE2(0);
    w->scene = scene;
    w->iterations = choice;
    w->world = dWorldCreate();
    w->space = dHashSpaceCreate(NULL);
    w->contacts = dJointGroupCreate(0);
    w->bodies = calloc((size_t)scene->body_count + 1, sizeof *w->bodies);

    dWorldSetGravity(w->world, scene->gravity[0], scene->gravity[1], scene->gravity[2]);
    dWorldSetERP(w->world, 0.2);
    dWorldSetContactSurfaceLayer(w->world, 1e-3);
    if (choice != exact)
        dWorldSetQuickStepNumIterations(w->world, choice);

    for (int i = 0; i < scene->body_count; i++)
        add_body(w, i);
    for (int i = 0; i < scene->joint_count; i++)
        add_joint(w, &scene->joints[i]);

    return w;
}

static void touch(void* context, dGeomID a, dGeomID b)
{
    const ode_world* w = context;
    dBodyID body_a = dGeomGetBody(a), body_b = dGeomGetBody(b);
    dContact contacts[contact_limit];
    if (!body_a && !body_b)
        return;

    int count = dCollide(a, b, contact_limit, &contacts[0].geom, sizeof contacts[0]);
    for (int i = 0; i < count; i++) {
        // two polytopes that just touch may give a normal without length, which would end the run
        if (!(fabs(dCalcVectorLength3(contacts[i].geom.normal) - 1.0) < 0.1))
            continue;
        memset(&contacts[i].surface, 0, sizeof contacts[i].surface);
        contacts[i].surface.mode = dContactApprox1;
        contacts[i].surface.mu = w->scene->bodies[0].mu;
        dJointAttach(dJointCreateContact(w->world, w->contacts, &contacts[i]), body_a, body_b);
    }
}

static void step(void* world, double dt)
{
    ode_world* w = world;
    dSpaceCollide(w->space, w, touch);
    if (w->iterations == exact)
        dWorldStep(w->world, dt);
    else
        dWorldQuickStep(w->world, dt);
    dJointGroupEmpty(w->contacts);
}

static void read(void* world, peer_state* all)
{
    const ode_world* w = world;
    for (int i = 0; i < w->scene->body_count; i++) {
        all[i] = w->scene->bodies[i].start;
        if (!w->bodies[i])
            continue;
        memcpy(all[i].position, dBodyGetPosition(w->bodies[i]), sizeof all[i].position);
        memcpy(all[i].quaternion, dBodyGetQuaternion(w->bodies[i]), sizeof all[i].quaternion);
        memcpy(all[i].velocity, dBodyGetLinearVel(w->bodies[i]), sizeof all[i].velocity);
        memcpy(all[i].spin, dBodyGetAngularVel(w->bodies[i]), sizeof all[i].spin);
    }
}

static void destroy(void* world)
{
    ode_world* w = world;
    dJointGroupDestroy(w->contacts);
    dSpaceDestroy(w->space);
    dWorldDestroy(w->world);
    dCloseODE();
    free(w->bodies);
    free(w);
}

const peer_engine peer_ode = {"ode", "libode-dev", version, settings, NULL, create,
                              step,  read,         destroy, NULL,     NULL};
