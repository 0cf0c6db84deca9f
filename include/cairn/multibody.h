// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Dynamics in joint coordinates: a tree of links, each attached to its parent by a joint, and
//
//     M(q) a + c(q, v) = τ
//
// with the mass matrix M, the bias forces c (Coriolis, centrifugal, gravity) and the joint forces τ.
// Poses, velocities, inverse and forward dynamics take time proportional to the number of links, the
// mass matrix to that times the depth of the tree. Nothing here allocates but cairn_multibody_create;
// a multibody is used by one thread at a time.
//
// The order of coordinates: link after link as they were given; a joint has
//
//     kind    q                                    v
//     fixed   -                                    -
//     hinge   angle, rad                           rad/s
//     slide   displacement, m                      m/s
//     ball    quaternion w, x, y, z                spin in link axes, rad/s
//     free    position of the link's frame in the  velocity of the frame's origin in world axes, m/s,
//             world, m, and quaternion w, x, y, z  and spin in link axes, rad/s
//
// τ has the order of v, and τ·v is power. That is also the order of MuJoCo's qpos and qvel.
#ifndef CAIRN_MULTIBODY_H
#define CAIRN_MULTIBODY_H

#include <cairn/base.h>
#include <cairn/math.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cairn_multibody cairn_multibody;

typedef enum cairn_mobility {
    CAIRN_MOBILITY_FIXED,
    CAIRN_MOBILITY_HINGE, ///< turns about `axis` through `anchor`
    CAIRN_MOBILITY_SLIDE, ///< moves along `axis`
    CAIRN_MOBILITY_BALL,  ///< turns about `anchor`
    CAIRN_MOBILITY_FREE,  ///< of links of the world alone
} cairn_mobility;

/// A link and the joint that attaches it to its parent. Links may be without mass as long as every
/// coordinate moves some.
typedef struct cairn_multibody_link {
    int parent;         ///< an earlier link; -1: the world
    cairn_transform at; ///< link frame where q = 0 -> parent frame; not used by free links
    cairn_mobility mobility;
    cairn_vec3 axis, anchor; ///< in the link's frame
    double mass;             ///< kg, >= 0
    cairn_vec3 center;       ///< m: center of mass in the link's frame
    cairn_mat3 inertia;      ///< kg m² about the center, link axes
    double armature;         ///< kg m² or kg, >= 0: of the rotor, on the diagonal of M
} cairn_multibody_link;

/// Copies the links. At most 100,000.
CAIRN_API cairn_status cairn_multibody_create(const cairn_multibody_link* links, int count,
                                              cairn_vec3 gravity, cairn_multibody** multibody,
                                              cairn_error* error);
CAIRN_API void cairn_multibody_destroy(cairn_multibody* multibody);

/// How many links, how long q is, and how long v is.
CAIRN_API int cairn_multibody_links(const cairn_multibody* multibody);
CAIRN_API int cairn_multibody_q_count(const cairn_multibody* multibody);
CAIRN_API int cairn_multibody_v_count(const cairn_multibody* multibody);

/// Where the numbers of a link start in q and v, and the link as it was given. Zero when there is no
/// such link.
CAIRN_API int cairn_multibody_q_offset(const cairn_multibody* multibody, int link);
CAIRN_API int cairn_multibody_v_offset(const cairn_multibody* multibody, int link);
CAIRN_API cairn_multibody_link cairn_multibody_get(const cairn_multibody* multibody, int link);

/// q where every joint is at zero: quaternions are the identity, free links are `at`.
CAIRN_API void cairn_multibody_zero(const cairn_multibody* multibody, double* q);

/// Forward kinematics: the pose of each link in the world, and its velocity: that of its center of
/// mass and its spin, world axes. `v` and `velocities` may be NULL together, `poses` as well. Numbers
/// that are not finite are refused, as by all functions below; quaternions are normalized.
CAIRN_API cairn_status cairn_multibody_kinematics(cairn_multibody* multibody, const double* q,
                                                  const double* v, cairn_transform* poses,
                                                  cairn_vec3* velocities, cairn_vec3* spins,
                                                  cairn_error* error);

/// The Jacobian of a point of a link, given in the link's frame: 6 x v_count, row-major; rows 0 to 2
/// give its velocity, 3 to 5 the spin of the link, world axes.
CAIRN_API cairn_status cairn_multibody_jacobian(cairn_multibody* multibody, const double* q,
                                                int link, cairn_vec3 point, double* J,
                                                cairn_error* error);

/// M, v_count x v_count, row-major, by composite bodies.
CAIRN_API cairn_status cairn_multibody_mass_matrix(cairn_multibody* multibody, const double* q,
                                                   double* M, cairn_error* error);

/// τ = M a + c: by recursion from link to link. v or a may be NULL: zero. With both NULL, τ holds the
/// robot against gravity; with a NULL, it is c.
CAIRN_API cairn_status cairn_multibody_inverse(cairn_multibody* multibody, const double* q,
                                               const double* v, const double* a, double* tau,
                                               cairn_error* error);

/// a = M⁻¹ (τ - c): by articulated bodies, without forming M. v or tau may be NULL: zero. Refused where
/// a coordinate moves no mass.
CAIRN_API cairn_status cairn_multibody_forward(cairn_multibody* multibody, const double* q,
                                               const double* v, const double* tau, double* a,
                                               cairn_error* error);

/// The kinetic energy and the potential one (zero at the origin of the world), J.
CAIRN_API cairn_status cairn_multibody_energy(cairn_multibody* multibody, const double* q,
                                              const double* v, double* kinetic, double* potential,
                                              cairn_error* error);

#ifdef __cplusplus
}
#endif

#endif
