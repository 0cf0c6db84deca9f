// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Separating axes of polytopes: the direction along which they are farthest apart or, when they
// overlap, least deep.
#ifndef CAIRN_COLLIDE_SAT_H
#define CAIRN_COLLIDE_SAT_H

#include "collide/narrow/support.h"

typedef enum cairn_axis_kind {
    CAIRN_AXIS_NONE,
    CAIRN_AXIS_FACE_A, ///< a: face of A
    CAIRN_AXIS_FACE_B, ///< b: face of B
    CAIRN_AXIS_EDGES,  ///< a, b: whole edges
} cairn_axis_kind;

/// Cores with more faces are not for separating axes.
enum { CAIRN_MOST_SAT_FACES = 2048 };

/// A candidate: how far its direction separates the cores (m), and the unit direction from A to B
/// in the frame of A.
typedef struct cairn_axis {
    cairn_axis_kind kind;
    int a, b;
    double separation;
    cairn_vec3 normal;
} cairn_axis;

/// The best of each kind; a kind that the cores do not have is CAIRN_AXIS_NONE with -DBL_MAX.
typedef struct cairn_axes {
    cairn_axis face_a, face_b, edges;
} cairn_axes;

/// Searches all axes; ends early, with one of them filled in, when one separates by more than
/// `beyond`. Not for cylinders.
void cairn_sat(cairn_axes* axes, const cairn_placed* p, double beyond);

/// The same for two boxes.
void cairn_sat_boxes(cairn_axes* axes, const cairn_placed* p, double beyond);

/// One axis again, at new poses; false when its features no longer make an axis.
bool cairn_sat_again(cairn_axis* axis, const cairn_placed* p);

/// Whether x (frame of the core) is an outward normal at whole edge i.
bool cairn_edge_shows(const cairn_core* core, int i, cairn_vec3 x);

/// The axis that separates most.
const cairn_axis* cairn_axes_best(const cairn_axes* axes);

#endif
