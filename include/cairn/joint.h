// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The rows of joints. Each function fills in the rows of J for one joint between a body A and a
// body B and returns how many there are. All vectors are in world axes: r_a and r_b lead from the
// centers of A and B to the point of the joint, axes are unit vectors. When A or B is the world,
// its half of the rows is ignored.
//
// Every row is the time derivative of a constraint C = 0 (for gears and rolling there is no C); its
// velocity is positive when B moves or turns forward against A.
#ifndef CAIRN_JOINT_H
#define CAIRN_JOINT_H

#include <cairn/problem.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A point of A and a point of B stay together: 3 rows along x, y, z.
CAIRN_API int cairn_ball_rows(cairn_vec3 r_a, cairn_vec3 r_b, cairn_row* rows);

/// The same, and B turns against A about `axis` alone: 5 rows, the turning last.
CAIRN_API int cairn_hinge_rows(cairn_vec3 r_a, cairn_vec3 r_b, cairn_vec3 axis, cairn_row* rows);

/// B moves against A along `axis` (fixed to A) and does not turn: 5 rows, the turning last. The
/// points at r_a and r_b lie on the axis, not necessarily together: `apart` leads from the first to
/// the second.
CAIRN_API int cairn_slider_rows(cairn_vec3 r_a, cairn_vec3 r_b, cairn_vec3 apart, cairn_vec3 axis,
                                cairn_row* rows);

/// B moves along `axis` (fixed to A) and turns about it: 4 rows, the turning last.
CAIRN_API int cairn_cylindrical_rows(cairn_vec3 r_a, cairn_vec3 r_b, cairn_vec3 apart,
                                     cairn_vec3 axis, cairn_row* rows);

/// A point in common, and axis_a (fixed to A) stays perpendicular to axis_b (fixed to B), so that B
/// turns about either: 4 rows, the turning last.
CAIRN_API int cairn_universal_rows(cairn_vec3 r_a, cairn_vec3 r_b, cairn_vec3 axis_a,
                                   cairn_vec3 axis_b, cairn_row* rows);

/// B is part of A: 6 rows, the turning last.
CAIRN_API int cairn_fixed_rows(cairn_vec3 r_a, cairn_vec3 r_b, cairn_row* rows);

/// Two points keep their distance; `apart` leads from the point of A to that of B and is not zero:
/// 1 row.
CAIRN_API int cairn_distance_rows(cairn_vec3 r_a, cairn_vec3 r_b, cairn_vec3 apart,
                                  cairn_row* rows);

/// A point of B stays on a surface of A: r_a and r_b lead to the point where it is now, `normal` is
/// the unit normal of the surface there: 1 row.
CAIRN_API int cairn_surface_rows(cairn_vec3 r_a, cairn_vec3 r_b, cairn_vec3 normal,
                                 cairn_row* rows);

/// axis_a · ω_a = ratio axis_b · ω_b: 1 row.
CAIRN_API int cairn_gear_rows(cairn_vec3 axis_a, cairn_vec3 axis_b, double ratio, cairn_row* rows);

/// B rolls on A without slip and stays in touch: r_a and r_b lead to the point of contact, `normal`
/// is the unit normal from A to B: 3 rows, the normal first.
CAIRN_API int cairn_rolling_rows(cairn_vec3 r_a, cairn_vec3 r_b, cairn_vec3 normal,
                                 cairn_row* rows);

#ifdef __cplusplus
}
#endif

#endif
