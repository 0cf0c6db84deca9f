// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The tree of links and what a call computes of it. Motions and forces are pairs of vectors in
// world axes about one point o of the world, the place of the root of each tree, so that they are
// added from link to link as they are:
//
//     motion (ω, u):  the link turns with ω, its point at o moves with u
//     force  (n, f):  the moment about o, and the force;     power = ω·n + u·f
#ifndef CAIRN_WORLD_MULTIBODY_H
#define CAIRN_WORLD_MULTIBODY_H

#include <cairn/multibody.h>

/// A motion (ω, u) or a force (n, f).
typedef struct cairn_screw {
    cairn_vec3 a, b;
} cairn_screw;

struct cairn_multibody {
    int count, q_count, v_count;
    cairn_vec3 gravity;
    cairn_multibody_link* links; ///< axes of unit length
    int *q_at, *v_at;            ///< of each link, and the end
    int* root;                   ///< the root of its tree

    // where the links are for the q at hand (cairn_multibody_place)
    cairn_transform* pose;
    cairn_screw* S;     ///< the motion of each coordinate
    cairn_vec3* center; ///< of mass, from o
    cairn_mat3* I;      ///< about the center, world axes

    // scratch of the recursions
    cairn_screw *V, *A, *F; ///< velocity, acceleration and force of each link
    double* IA;             ///< 36 numbers of each link
    double* U;              ///< IA S: 6 of each coordinate
    double* D;              ///< the factor of S^T IA S: 36 of each link
    double* u;              ///< of each coordinate
};

/// Puts the links where q says; refuses numbers that are not finite.
cairn_status cairn_multibody_place(cairn_multibody* mb, const double* q, cairn_error* error);

/// The velocity V of each link for the q at hand; v may be NULL: zero.
void cairn_multibody_move(cairn_multibody* mb, const double* v);

/// Refuses numbers that are not finite; `x` may be NULL.
cairn_status cairn_multibody_accept(const double* x, int count, const char* name,
                                    cairn_error* error);

/// Whether the axes of coordinate k of a link turn with it (all but those of a free position).
static inline bool cairn_column_turns(const cairn_multibody_link* link, int k)
{
    return link->mobility != CAIRN_MOBILITY_FREE || k >= 3;
}

static inline cairn_screw cairn_screw_add(cairn_screw x, double s, cairn_screw y)
{
    cairn_screw z = {cairn_add_scaled(x.a, s, y.a), cairn_add_scaled(x.b, s, y.b)};
    return z;
}

static inline double cairn_screw_dot(cairn_screw x, cairn_screw y)
{
    return cairn_dot(x.a, y.a) + cairn_dot(x.b, y.b);
}

/// V × S: the rate of a motion that is fixed in a link of velocity V.
static inline cairn_screw cairn_screw_cross(cairn_screw V, cairn_screw S)
{
    cairn_screw z = {cairn_cross(V.a, S.a),
                     cairn_add(cairn_cross(V.a, S.b), cairn_cross(V.b, S.a))};
    return z;
}

#endif
