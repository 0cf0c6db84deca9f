// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The features that meet at a point of contact, so that point, normal and gap follow the bodies
// without detecting collisions again. With core points c, radii ρ about them, all in the world:
//
//     face of A     n = R_A own,  p_B = c_B - ρ_B n,  gap = n·(p_B - c_A),  p_A = p_B - gap n
//     face of B     n = R_B own,  p_A = c_A + ρ_A n,  gap = n·(c_B - p_A),  p_B = p_A + gap n
//     points        d = c_B - c_A, square to a line,  n = d/|d|,  gap = |d| - ρ_A - ρ_B
//     edges         n = l_A x l_B / |l_A x l_B|,  the closest points of the two lines,
//                   gap = n·(c_B - c_A) - ρ_A - ρ_B
//     anchors       two material points and a normal that stands still
//
// A rim of radius D about the axis z meets a face where it reaches farthest towards it: its core
// moves by D along the part of the direction that is square to z. An ellipsoid with S = Σ h_i² e_i
// e_iᵀ over its axes e_i and half axes h_i meets it along the direction m at c + S m / sqrt(m·S m).
// Faces, points, rims and ellipsoids over faces are exact for any motion that keeps the features,
// edges too; anchors are right to first order.
#ifndef CAIRN_COLLIDE_FEATURE_H
#define CAIRN_COLLIDE_FEATURE_H

#include <cairn/collide.h>

typedef enum cairn_contact_rule {
    CAIRN_RULE_ANCHORS,
    CAIRN_RULE_FACE_A, ///< a face of A, and a point, a ball or a rim of B
    CAIRN_RULE_FACE_B, ///< a face of B, and a point, a ball or a rim of A
    CAIRN_RULE_POINTS, ///< balls or a ball and a corner; one side may be a line instead of a point
    CAIRN_RULE_EDGES,  ///< two lines that cross, each with a radius
} cairn_contact_rule;

/// Two features, everything in the frames of the shapes (of the compound, not of its part).
typedef struct cairn_feature_pair {
    unsigned char rule; ///< a cairn_contact_rule
    bool rim;           ///< with a face: the other side is a rim
    bool oval;          ///< with a face: the other side is an ellipsoid
    bool cut;           ///< with a face: the point was found at its border
    double round[2];    ///< m: radius about each core; 0 for polytopes
    cairn_vec3 core[2]; ///< m: center of a ball, end of a capsule's axis, corner, middle of a line,
                        ///< center of a rim, any point of a face
    cairn_vec3 own;     ///< with a face: the normal from A to B, in the frame of the face's owner
    cairn_vec3 line[2]; ///< unit: direction of an edge or an axis, axis of a rim; zero: none. Of
                        ///< two edges signed so that l_A x l_B points from A to B
    double half[2];     ///< m: half the length of the line, about the core; 0: no line
    double disc;        ///< m: radius of the rim
    cairn_mat3 S;       ///< m²: of the ellipsoid
} cairn_feature_pair;

/// The features at a point of a manifold that was found with the shapes at these poses. Parts and
/// the normal are those of the manifold.
void cairn_contact_feature(cairn_feature_pair* out, const cairn_shape* a, cairn_transform xa,
                           int part_a, const cairn_shape* b, cairn_transform xb, int part_b,
                           cairn_vec3 normal, const cairn_contact_point* point);

/// How far an ellipsoid reaches along a direction m, from its center: S m / sqrt(m·S m).
static inline cairn_vec3 cairn_oval_reach(cairn_mat3 S, cairn_vec3 m)
{
    cairn_vec3 v = cairn_mat3_apply(S, m);
    double square = cairn_dot(m, v);
    return square > 0.0 ? cairn_scale(1.0 / sqrt(square), v) : v;
}

/// A symmetric matrix in a frame that is turned by q: R S Rᵀ.
static inline cairn_mat3 cairn_oval_turned(cairn_mat3 S, cairn_quat q)
{
    cairn_mat3 R = cairn_quat_to_mat3(q);
    return cairn_mat3_multiply(cairn_mat3_multiply(R, S), cairn_mat3_transpose(R));
}

/// Where a contact is.
typedef struct cairn_feature_place {
    cairn_vec3 normal;   ///< unit, world, from A to B
    cairn_vec3 point[2]; ///< m, world: on A and on B
    double gap;          ///< m
} cairn_feature_place;

/// Where two features meet with the shapes at these poses. `last` is the normal so far (unit,
/// world): that of anchors, and of points whose cores meet.
cairn_feature_place cairn_feature_now(const cairn_feature_pair* pair, cairn_transform xa,
                                      cairn_transform xb, cairn_vec3 last);

/// How far (m) the place may still go until other features meet, each feature being grown by a
/// hundredth: over the border of a face, beyond the end of a line, or to a normal that is not one
/// of the corner or edge. Below zero: look again. Infinite for anchors and balls.
double cairn_feature_room(const cairn_feature_pair* pair, const cairn_feature_place* now,
                          const cairn_shape* a, cairn_transform xa, int part_a,
                          const cairn_shape* b, cairn_transform xb, int part_b);

/// The same of a face alone, with a point on it and the normal outwards, both in the frame of its piece.
/// `cut`: the point was found at the border of the face.
double cairn_face_room(const cairn_shape* piece, cairn_vec3 point, cairn_vec3 out, bool cut);

#endif
