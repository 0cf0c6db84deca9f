// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// What the interface accepts: objects that are there, and numbers within one table of ranges. What
// a step cannot digest is refused where it is given, with a sentence that names it and its range.
// Private.
#ifndef CAIRN_MATH_ACCEPT_H
#define CAIRN_MATH_ACCEPT_H

#include <cairn/math.h>

/// Quantities with a range of their own; accept.c has the table.
typedef enum cairn_quantity {
    CAIRN_A_COORDINATE,   ///< m: a position, an offset, a way
    CAIRN_A_SIZE,         ///< m: of a shape
    CAIRN_A_DISTANCE,     ///< m: a margin, a radius that may be zero
    CAIRN_A_STEP,         ///< s
    CAIRN_A_DURATION,     ///< s: a limit of time, which may be infinite
    CAIRN_A_MASS,         ///< kg
    CAIRN_A_MOMENT,       ///< kg m²
    CAIRN_A_DENSITY,      ///< kg/m³
    CAIRN_A_VELOCITY,     ///< m/s or rad/s
    CAIRN_A_SPEED,        ///< m/s: a threshold, which may be infinite
    CAIRN_A_ACCELERATION, ///< m/s²
    CAIRN_A_FORCE,        ///< N, N m, N s
    CAIRN_A_STRENGTH,     ///< N, N m: of a motor, which may be infinite
    CAIRN_A_STIFFNESS,    ///< N/m, N s/m and the same about an axis
    CAIRN_A_RATE,         ///< 1/s: damping of a free body
    CAIRN_A_LIMIT,        ///< m or rad: of a coordinate, which may be infinite
    CAIRN_A_FRICTION,     ///< coefficient, or m for spin
    CAIRN_A_SHARE,        ///< 0 .. 1
    CAIRN_A_FACTOR,       ///< of gravity
    CAIRN_A_RATIO,        ///< of a gear
    CAIRN_A_QUATERNION,   ///< its length
    CAIRN_A_SUBSTEP_COUNT,
    CAIRN_A_COUNT, ///< of iterations
} cairn_quantity;

/// What cairn_default_* functions write into their structs.
enum { cairn_cookie = 0x6361726e };

/// Refuses options that were not started by `maker`, such as ones that were only zeroed.
cairn_status cairn_accept_def(cairn_error* error, uint32_t cookie, const char* maker);

/// Refuses a number that is NaN or outside the range of its quantity. `name` begins the sentence:
/// "the body's mass".
cairn_status cairn_accept(cairn_error* error, const char* name, double x, cairn_quantity quantity);

/// The same for each component of a vector; for the position and the quaternion of a pose.
cairn_status cairn_accept_vec(cairn_error* error, const char* name, cairn_vec3 x,
                              cairn_quantity quantity);
cairn_status cairn_accept_pose(cairn_error* error, const char* name, cairn_transform x);

/// One number of a list to accept.
typedef struct cairn_given {
    const char* name;
    double x;
    cairn_quantity quantity;
} cairn_given;

cairn_status cairn_accept_all(cairn_error* error, const cairn_given* given, int count);

#endif
