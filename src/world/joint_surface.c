// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Joints on surfaces of A. In the frame of A the surface is given by its signed distance φ with
// the unit gradient n; B touches it with a point, a ball or the rim of a wheel about its center c:
//
//     point, ball of radius ρ:   C = s φ(c) - ρ       at  c - ρ s n,      s = +-1: the side of B
//     wheel of radius ρ on the plane, axle e:  C = s n·(c + ρ d)   at  c + ρ d,
//                                d = the direction across e that points most against s n
//
// In each case dC/dt is the velocity of the material points there along s n: what moves the place
// of contact along ball or rim does not change C. Rolling adds that the material points have the
// same velocity across s n, which is the derivative of nothing.

#include "math/accept.h"
#include "world/state.h"

// φ at a point of A's frame, and n
static double distance(const cairn_link* link, cairn_vec3 p, cairn_vec3* n)
{
    const cairn_vec3 z = {0.0, 0.0, 1.0};

    double ring = cairn_hypot(p.x, p.y), from = link->radius;
    cairn_vec3 way = p;

    switch (link->surface) {
    case CAIRN_SURFACE_PLANE:
        *n = z;
        return p.z;
    case CAIRN_SURFACE_SPHERE:
        break;
    case CAIRN_SURFACE_CYLINDER:
        way.z = 0.0;
        break;
    case CAIRN_SURFACE_TORUS:
        if (ring > 0.0)
            way = cairn_add_scaled(p, -link->radius / ring, cairn_vec(p.x, p.y, 0.0));
        from = link->tube;
        break;
    }

    double length = cairn_norm(way);
    *n = length > 0.0 ? cairn_scale(1.0 / length, way) : z;
    return length - from;
}

// across the axle, most against the normal; any direction of a wheel that lies flat
static cairn_vec3 downwards(cairn_mat3 axes, cairn_vec3 normal)
{
    cairn_vec3 e = axes.cz, d = cairn_add_scaled(normal, -cairn_dot(normal, e), e);
    double length = cairn_norm(d);
    return length > 0.0 ? cairn_scale(-1.0 / length, d) : axes.cx;
}

void cairn_link_touch(cairn_link_place* place, const cairn_link* link)
{
    cairn_vec3 n, center = place->apart; // from the origin of the surface
    cairn_vec3 local = cairn_mat3_apply(cairn_mat3_transpose(place->axes_a), center);

    double far = link->side * distance(link, local, &n) - link->roller;
    place->normal = cairn_scale(link->side, cairn_mat3_apply(place->axes_a, n));
    cairn_vec3 offset = cairn_scale(-link->roller, place->normal);

    // a wheel stands on the lowest point of its rim
    if (link->wheel) {
        offset = cairn_scale(link->roller, downwards(place->axes_b, place->normal));
        far = cairn_dot(place->normal, cairn_add(center, offset));
    }

    place->r_a = cairn_add(cairn_add(place->r_a, center), offset);
    place->r_b = cairn_add(place->r_b, offset);
    place->apart = cairn_scale(far, place->normal);
}

cairn_status cairn_link_check_surface(const cairn_joint_def* def, cairn_error* error)
{
    if (def->kind != CAIRN_JOINT_SURFACE && def->kind != CAIRN_JOINT_ROLLING)
        return CAIRN_OK;

    if ((unsigned)def->surface > CAIRN_SURFACE_TORUS)
        return cairn_fail(error, CAIRN_BAD_INPUT, "%d is not a kind of surface", (int)def->surface);

    const cairn_given radii[] = {{"the surface's radius", def->radius, CAIRN_A_DISTANCE},
                                 {"the surface's tube", def->tube, CAIRN_A_DISTANCE},
                                 {"the joint's roller", def->roller, CAIRN_A_DISTANCE}};
    cairn_status status = cairn_accept_all(error, radii, 3);
    if (status != CAIRN_OK)
        return status;

    if (def->surface == CAIRN_SURFACE_TORUS && !(def->tube > 0.0 && def->tube < def->radius))
        return cairn_fail(error, CAIRN_BAD_INPUT,
                          "the torus has the radius %g and the tube %g, expected 0 < tube < radius",
                          def->radius, def->tube);

    if ((def->kind == CAIRN_JOINT_ROLLING) != (def->roller > 0.0))
        return cairn_fail(error, CAIRN_BAD_INPUT,
                          "the joint's roller is %g, expected > 0 for a rolling one and 0 for one "
                          "on a surface",
                          def->roller);

    if (def->wheel && def->surface != CAIRN_SURFACE_PLANE)
        return cairn_fail(error, CAIRN_BAD_INPUT, "wheels roll on planes alone");

    return CAIRN_OK;
}

void cairn_link_start_surface(cairn_link* link, const cairn_world* world)
{
    if (link->kind != CAIRN_JOINT_SURFACE && link->kind != CAIRN_JOINT_ROLLING)
        return;

    const cairn_body* body = &world->bodies[link->b];
    cairn_transform b = {body->x, body->q}, a = cairn_transform_identity();
    if (link->a != CAIRN_WORLD_BODY)
        a = (cairn_transform){world->bodies[link->a].x, world->bodies[link->a].q};

    cairn_vec3 n, p = cairn_transform_point_back(cairn_transform_multiply(a, link->frame_a),
                                                 cairn_transform_point(b, link->frame_b.p));
    double far = distance(link, p, &n);

    bool open = link->radius == 0.0 && link->surface != CAIRN_SURFACE_PLANE;
    if (open)
        link->radius = far - link->roller; // through the place where it starts

    link->side = open || far >= 0.0 ? 1.0 : -1.0;
}
