// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// A tree of links: its structure, where the links are, and how points of them move. With the pose
// X_p of the parent, a link is at
//
//     X = X_p at J(q),     J: hinge, ball  x -> a + R (x - a);   slide  x -> x + q e
//
// and the motion of coordinate k about o is S_k = (w, p × w) for a turn about w through p, or
// (0, e).

#include "world/multibody/multibody.h"
#include "math/accept.h"
#include <stdlib.h>
#include <string.h>

enum { most_links = 100000 };

static const int q_numbers[] = {0, 1, 1, 4, 7};
static const int v_numbers[] = {0, 1, 1, 3, 6};

// ---------------------------------------------------------------- making

static cairn_status check_link(const cairn_multibody_link* link, int index, cairn_error* error)
{
    if (link->parent < -1 || link->parent >= index)
        return cairn_fail(error, CAIRN_BAD_INPUT,
                          "link %d has the parent %d, expected an earlier link or -1", index,
                          link->parent);

    if ((unsigned)link->mobility > CAIRN_MOBILITY_FREE)
        return cairn_fail(error, CAIRN_BAD_INPUT, "link %d has a joint of kind %d, expected 0 to 4",
                          index, (int)link->mobility);

    if (link->mobility == CAIRN_MOBILITY_FREE && link->parent >= 0)
        return cairn_fail(error, CAIRN_BAD_INPUT,
                          "link %d is free and has a parent, expected a free link of the world",
                          index);

    // an axis with a direction
    double length = cairn_norm(link->axis);
    bool axis = link->mobility == CAIRN_MOBILITY_HINGE || link->mobility == CAIRN_MOBILITY_SLIDE;
    if (axis && !(length > 1e-9 && length < 1e9))
        return cairn_fail(error, CAIRN_BAD_INPUT, "the axis of link %d has no direction", index);

    // numbers in their ranges
    const cairn_mat3* I = &link->inertia;
    cairn_status status = cairn_accept_pose(error, "the place of a link", link->at);
    if (status == CAIRN_OK)
        status = cairn_accept_vec(error, "the anchor of a link", link->anchor, CAIRN_A_COORDINATE);
    if (status == CAIRN_OK)
        status = cairn_accept_vec(error, "the center of a link", link->center, CAIRN_A_COORDINATE);
    if (status == CAIRN_OK && !(link->mass >= 0.0 && link->mass <= 1e27))
        return cairn_fail(error, CAIRN_BAD_INPUT, "link %d has a mass of %g kg, expected 0 to 1e27",
                          index, link->mass);
    if (status == CAIRN_OK && !(link->armature >= 0.0 && link->armature <= 1e27))
        return cairn_fail(error, CAIRN_BAD_INPUT,
                          "link %d has an armature of %g, expected 0 to 1e27", index,
                          link->armature);
    if (status == CAIRN_OK &&
        !(cairn_is_finite(I->cx) && cairn_is_finite(I->cy) && cairn_is_finite(I->cz)))
        return cairn_fail(error, CAIRN_BAD_INPUT, "the inertia of link %d is not finite", index);

    return status;
}

static bool reserve(cairn_multibody* mb)
{
    size_t n = (size_t)mb->count + 1, v = (size_t)mb->v_count + 1;

    mb->pose = calloc(n, sizeof *mb->pose);
    mb->center = calloc(n, sizeof *mb->center);
    mb->I = calloc(n, sizeof *mb->I);
    mb->V = calloc(n, sizeof *mb->V);
    mb->A = calloc(n, sizeof *mb->A);
    mb->F = calloc(n, sizeof *mb->F);

    mb->IA = calloc(36 * n, sizeof(double));
    mb->D = calloc(36 * n, sizeof(double));

    mb->S = calloc(v, sizeof *mb->S);
    mb->U = calloc(6 * v, sizeof(double));
    mb->u = calloc(v, sizeof(double));

    return mb->pose && mb->center && mb->I && mb->V && mb->A && mb->F && mb->IA && mb->D && mb->S &&
           mb->U && mb->u;
}

// copies the links and numbers their coordinates
static bool take_links(cairn_multibody* mb, const cairn_multibody_link* links, int count)
{
    size_t n = (size_t)count + 1;

    mb->links = calloc(n, sizeof *mb->links);
    mb->q_at = calloc(n, sizeof(int));
    mb->v_at = calloc(n, sizeof(int));
    mb->root = calloc(n, sizeof(int));
    if (!mb->links || !mb->q_at || !mb->v_at || !mb->root)
        return false;

    for (int i = 0; i < count; i++) {
        cairn_multibody_link* link = &mb->links[i];
        *link = links[i];
        link->axis = cairn_normalize(link->axis);
        link->at.q = cairn_quat_normalize(link->at.q);
        mb->root[i] = link->parent < 0 ? i : mb->root[link->parent];

        mb->q_at[i + 1] = mb->q_at[i] + q_numbers[link->mobility];
        mb->v_at[i + 1] = mb->v_at[i] + v_numbers[link->mobility];
    }

    mb->count = count;
    mb->q_count = mb->q_at[count];
    mb->v_count = mb->v_at[count];
    return true;
}

cairn_status cairn_multibody_create(const cairn_multibody_link* links, int count,
                                    cairn_vec3 gravity, cairn_multibody** multibody,
                                    cairn_error* error)
{
    if (!links || !multibody)
        return cairn_refuse_null(error, "the links or the place for the multibody");

    if (count < 0 || count > most_links)
        return cairn_fail(error, CAIRN_BAD_INPUT, "%d links, expected 0 to %d", count, most_links);

    cairn_status status = cairn_accept_vec(error, "gravity", gravity, CAIRN_A_ACCELERATION);
    for (int i = 0; i < count && status == CAIRN_OK; i++)
        status = check_link(&links[i], i, error);
    if (status != CAIRN_OK)
        return status;

    cairn_multibody* mb = calloc(1, sizeof *mb);
    if (!mb || !take_links(mb, links, count) || !reserve(mb)) {
        cairn_multibody_destroy(mb);
        return cairn_fail(error, CAIRN_NO_MEMORY, "no memory for %d links", count);
    }

    mb->gravity = gravity;
    *multibody = mb;
    return CAIRN_OK;
}

void cairn_multibody_destroy(cairn_multibody* mb)
{
    if (!mb)
        return;
    void* all[] = {mb->links, mb->q_at, mb->v_at, mb->root, mb->pose, mb->center, mb->I, mb->V,
                   mb->A,     mb->F,    mb->IA,   mb->D,    mb->S,    mb->U,      mb->u};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        free(all[i]);
    free(mb);
}

// ---------------------------------------------------------------- reading

int cairn_multibody_links(const cairn_multibody* mb)
{
    return mb ? mb->count : 0;
}

int cairn_multibody_q_count(const cairn_multibody* mb)
{
    return mb ? mb->q_count : 0;
}

int cairn_multibody_v_count(const cairn_multibody* mb)
{
    return mb ? mb->v_count : 0;
}

static bool has(const cairn_multibody* mb, int link)
{
    return mb && link >= 0 && link < mb->count;
}

int cairn_multibody_q_offset(const cairn_multibody* mb, int link)
{
    return has(mb, link) ? mb->q_at[link] : 0;
}

int cairn_multibody_v_offset(const cairn_multibody* mb, int link)
{
    return has(mb, link) ? mb->v_at[link] : 0;
}

cairn_multibody_link cairn_multibody_get(const cairn_multibody* mb, int link)
{
    return has(mb, link) ? mb->links[link] : (cairn_multibody_link){0};
}

void cairn_multibody_zero(const cairn_multibody* mb, double* q)
{
    if (!mb || !q)
        return;
    memset(q, 0, (size_t)mb->q_count * sizeof *q);
    for (int i = 0; i < mb->count; i++) {
        const cairn_multibody_link* link = &mb->links[i];
        double* own = q + mb->q_at[i];
        if (link->mobility == CAIRN_MOBILITY_BALL)
            own[0] = 1.0;
        if (link->mobility == CAIRN_MOBILITY_FREE)
            memcpy(own, &link->at, 7 * sizeof *q);
    }
}

cairn_status cairn_multibody_accept(const double* x, int count, const char* name,
                                    cairn_error* error)
{
    for (int i = 0; x && i < count; i++)
        if (!(fabs(x[i]) <= 1e150))
            return cairn_fail(error, CAIRN_BAD_INPUT,
                              "number %d of %s is %g, expected a finite one", i, name, x[i]);
    return CAIRN_OK;
}

// ---------------------------------------------------------------- where the links are

static cairn_quat quaternion(const double* q)
{
    return cairn_quat_normalize((cairn_quat){q[0], q[1], q[2], q[3]});
}

// J(q): the link's frame as seen from where it is at q = 0
static cairn_transform joint_motion(const cairn_multibody_link* link, const double* q)
{
    cairn_transform J = cairn_transform_identity();
    if (link->mobility == CAIRN_MOBILITY_SLIDE)
        J.p = cairn_scale(q[0], link->axis);
    if (link->mobility == CAIRN_MOBILITY_HINGE)
        J.q = cairn_quat_from_rotation_vector(cairn_scale(q[0], link->axis));
    if (link->mobility == CAIRN_MOBILITY_BALL)
        J.q = quaternion(q);
    if (link->mobility == CAIRN_MOBILITY_HINGE || link->mobility == CAIRN_MOBILITY_BALL)
        J.p = cairn_sub(link->anchor, cairn_rotate(J.q, link->anchor));
    return J;
}

static cairn_screw turn_about(cairn_vec3 w, cairn_vec3 p)
{
    return (cairn_screw){w, cairn_cross(p, w)};
}

static void set_columns(cairn_multibody* mb, int i, cairn_vec3 o)
{
    static const cairn_vec3 e[] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    const cairn_multibody_link* link = &mb->links[i];
    cairn_transform X = mb->pose[i];
    cairn_screw* S = mb->S + mb->v_at[i];
    cairn_vec3 axis = cairn_rotate(X.q, link->axis);
    cairn_vec3 anchor = cairn_sub(cairn_transform_point(X, link->anchor), o);

    // one coordinate
    if (link->mobility == CAIRN_MOBILITY_HINGE)
        S[0] = turn_about(axis, anchor);
    if (link->mobility == CAIRN_MOBILITY_SLIDE)
        S[0] = (cairn_screw){{0.0, 0.0, 0.0}, axis};

    // three turns about the link's axes, after three ways along the world's where it is free
    bool free_link = link->mobility == CAIRN_MOBILITY_FREE;
    for (int k = 0; k < 3 && free_link; k++)
        *S++ = (cairn_screw){{0.0, 0.0, 0.0}, e[k]};
    if (free_link)
        anchor = cairn_sub(X.p, o);
    for (int k = 0; k < 3 && (free_link || link->mobility == CAIRN_MOBILITY_BALL); k++)
        S[k] = turn_about(cairn_rotate(X.q, e[k]), anchor);
}

static void place_link(cairn_multibody* mb, int i, const double* q)
{
    const cairn_multibody_link* link = &mb->links[i];
    cairn_transform X = cairn_transform_multiply(link->at, joint_motion(link, q));
    if (link->mobility == CAIRN_MOBILITY_FREE)
        X = (cairn_transform){{q[0], q[1], q[2]}, quaternion(q + 3)};
    else if (link->parent >= 0)
        X = cairn_transform_multiply(mb->pose[link->parent], X);

    X.q = cairn_quat_normalize(X.q);
    mb->pose[i] = X;

    // center and inertia in world axes
    cairn_vec3 o = mb->pose[mb->root[i]].p;
    cairn_mat3 R = cairn_quat_to_mat3(X.q);
    mb->center[i] = cairn_sub(cairn_transform_point(X, link->center), o);
    mb->I[i] = cairn_mat3_multiply(R, cairn_mat3_multiply(link->inertia, cairn_mat3_transpose(R)));
    set_columns(mb, i, o);
}

cairn_status cairn_multibody_place(cairn_multibody* mb, const double* q, cairn_error* error)
{
    if (!mb || !q)
        return cairn_refuse_null(error, "the multibody or q");
    cairn_status status = cairn_multibody_accept(q, mb->q_count, "q", error);
    for (int i = 0; i < mb->count && status == CAIRN_OK; i++)
        place_link(mb, i, q + mb->q_at[i]);
    return status;
}

void cairn_multibody_move(cairn_multibody* mb, const double* v)
{
    for (int i = 0; i < mb->count; i++) {
        int parent = mb->links[i].parent;
        cairn_screw V = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
        if (parent >= 0)
            V = mb->V[parent];
        for (int k = mb->v_at[i]; v && k < mb->v_at[i + 1]; k++)
            V = cairn_screw_add(V, v[k], mb->S[k]);
        mb->V[i] = V;
    }
}

cairn_status cairn_multibody_kinematics(cairn_multibody* mb, const double* q, const double* v,
                                        cairn_transform* poses, cairn_vec3* velocities,
                                        cairn_vec3* spins, cairn_error* error)
{
    cairn_status status = cairn_multibody_place(mb, q, error);
    if (status == CAIRN_OK)
        status = cairn_multibody_accept(v, mb->v_count, "v", error);
    if (status != CAIRN_OK)
        return status;

    cairn_multibody_move(mb, v);
    for (int i = 0; i < mb->count; i++) {
        cairn_screw V = mb->V[i];
        if (poses)
            poses[i] = mb->pose[i];
        if (velocities)
            velocities[i] = cairn_add(V.b, cairn_cross(V.a, mb->center[i]));
        if (spins)
            spins[i] = V.a;
    }
    return CAIRN_OK;
}

cairn_status cairn_multibody_jacobian(cairn_multibody* mb, const double* q, int link,
                                      cairn_vec3 point, double* J, cairn_error* error)
{
    cairn_status status = cairn_multibody_place(mb, q, error);
    if (status != CAIRN_OK)
        return status;

    if (!J)
        return cairn_refuse_null(error, "the place for the Jacobian");
    if (!has(mb, link))
        return cairn_fail(error, CAIRN_BAD_INPUT, "there is no link %d, expected 0 to %d", link,
                          mb->count - 1);

    status = cairn_accept_vec(error, "the point", point, CAIRN_A_COORDINATE);
    if (status != CAIRN_OK)
        return status;

    // the coordinates of the link and of its ancestors move it: u + ω × r
    int n = mb->v_count;
    cairn_vec3 o = mb->pose[mb->root[link]].p;
    cairn_vec3 r = cairn_sub(cairn_transform_point(mb->pose[link], point), o);

    memset(J, 0, 6 * (size_t)n * sizeof *J);
    for (int i = link; i >= 0; i = mb->links[i].parent)
        for (int k = mb->v_at[i]; k < mb->v_at[i + 1]; k++) {
            cairn_screw S = mb->S[k];
            cairn_vec3 u = cairn_add(S.b, cairn_cross(S.a, r));
            const double column[] = {u.x, u.y, u.z, S.a.x, S.a.y, S.a.z};
            for (int row = 0; row < 6; row++)
                J[(ptrdiff_t)row * n + k] = column[row];
        }
    return CAIRN_OK;
}
