// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The table of ranges. They follow from what a step computes: nothing that it forms from accepted
// numbers may overflow (1.8e308) or vanish. With lengths L <= 1e12 m, sizes >= 1e-9 m, substeps
// h >= 1e-9 s / 10000 = 1e-13 s, masses 1e-27 .. 1e27 kg and moments 1e-45 .. 1e45 kg m²:
//
//     geometry       products of six lengths: 1e-54 .. 1e72
//     b              gap / h <= 1e12 / 1e-13 = 1e25 m/s; frozen bodies apart, J v is less
//     diagonal of A  1/m + r²/I: from 1e-45 (a row of turning alone) to 1e24 · 1e45 = 1e69
//     compliance     1 / (h (c + h k)) <= 1 / (1e-26 · 1e-30) = 1e56, less than that
//     λ = b / A      <= 1e25 / 1e-45 = 1e70
//     v = A λ        <= 1e139, and its square, which norms and residuals need, 1e278
//     energy         m v²: a body that is not frozen moves by less than 1e9 m in a step of 1e-9 s
//                    or more: 1e27 · (1e18)² = 1e63 J
//     pushes         F / m <= 1e42 / 1e-27 = 1e69 m/s²; L F / I <= 1e12 · 1e42 · 1e45 = 1e99
//     rad/s²,
//                    times h <= 1e3 s and squared 1e204
//
// A factor of some thousands for sums over rows and bodies finds room in each of them. Nothing that
// exists is refused: a grain of a nanometer weighs 4e-24 kg with a moment of 2e-42 kg m², the Earth
// 6e24 kg.

#include "math/accept.h"
#include <math.h>
#include <stdio.h>

enum { positive = 0, zero = 1, negative = 2, infinite = 4 };

typedef struct range {
    double least, most; // of the absolute value
    int also;           // besides least .. most
    const char* unit;
} range;

static const range table[] = {
    [CAIRN_A_COORDINATE] = {0.0, 1e12, zero | negative, " m"},
    [CAIRN_A_SIZE] = {1e-9, 1e12, positive, " m"},
    [CAIRN_A_DISTANCE] = {0.0, 1e12, zero, " m"},
    [CAIRN_A_STEP] = {1e-9, 1e3, positive, " s"},
    [CAIRN_A_DURATION] = {0.0, 1e12, zero | infinite, " s"},
    [CAIRN_A_MASS] = {1e-27, 1e27, positive, " kg"},
    [CAIRN_A_MOMENT] = {1e-45, 1e45, positive, " kg m²"},
    [CAIRN_A_DENSITY] = {1e-27, 1e27, positive, " kg/m³"},
    [CAIRN_A_VELOCITY] = {0.0, 1e12, zero | negative, " m/s or rad/s"},
    [CAIRN_A_SPEED] = {0.0, 1e12, zero | infinite, " m/s"},
    [CAIRN_A_ACCELERATION] = {0.0, 1e12, zero | negative, " m/s²"},
    [CAIRN_A_FORCE] = {0.0, 1e42, zero | negative, ""},
    [CAIRN_A_STRENGTH] = {0.0, 1e42, zero | infinite, ""},
    [CAIRN_A_STIFFNESS] = {1e-30, 1e30, zero, ""},
    [CAIRN_A_RATE] = {0.0, 1e12, zero, " 1/s"},
    [CAIRN_A_LIMIT] = {0.0, 1e12, zero | negative | infinite, ""},
    [CAIRN_A_FRICTION] = {1e-12, 1e6, zero, ""},
    [CAIRN_A_SHARE] = {0.0, 1.0, zero, ""},
    [CAIRN_A_FACTOR] = {0.0, 1e12, zero | negative, ""},
    [CAIRN_A_RATIO] = {1e-6, 1e6, negative, ""},
    [CAIRN_A_QUATERNION] = {1e-12, 1e12, positive, ""},
    [CAIRN_A_SUBSTEP_COUNT] = {1.0, 10000.0, positive, ""},
    [CAIRN_A_COUNT] = {0.0, 1e9, zero, ""},
};

static bool within(double x, const range* r)
{
    double size = fabs(x);
    bool sign = x >= 0.0 || (r->also & negative);
    bool kind = (size >= r->least && size <= r->most) || (x == 0.0 && (r->also & zero)) ||
                (isinf(x) && (r->also & infinite));
    return sign && kind;
}

cairn_status cairn_accept(cairn_error* error, const char* name, double x, cairn_quantity quantity)
{
    const range* r = &table[quantity];
    if (within(x, r))
        return CAIRN_OK;

    // "-1e+12 to 1e+12", "0 to 1e+12", "0 or 1e-30 to 1e+30", "+-1e-06 to 1e+06"
    char least[32];
    bool from_zero = r->least == 0.0, both_signs = r->also & negative;
    snprintf(least, sizeof least, "%s%g",
             both_signs                     ? from_zero ? "-" : "+-"
             : !from_zero && r->also & zero ? "0 or "
                                            : "",
             from_zero && both_signs ? r->most : r->least);

    return cairn_fail(error, CAIRN_BAD_INPUT, "%s is %g%s, expected %s to %g%s", name, x, r->unit,
                      least, r->most, r->also & infinite ? ", or infinite" : "");
}

cairn_status cairn_accept_vec(cairn_error* error, const char* name, cairn_vec3 x,
                              cairn_quantity quantity)
{
    const double components[3] = {x.x, x.y, x.z};
    cairn_status status = CAIRN_OK;
    for (int k = 0; k < 3 && status == CAIRN_OK; k++)
        status = cairn_accept(error, name, components[k], quantity);
    return status;
}

cairn_status cairn_accept_pose(cairn_error* error, const char* name, cairn_transform x)
{
    cairn_status status = cairn_accept_vec(error, name, x.p, CAIRN_A_COORDINATE);
    if (status != CAIRN_OK)
        return status;
    double length = sqrt(x.q.w * x.q.w + x.q.x * x.q.x + x.q.y * x.q.y + x.q.z * x.q.z);
    return cairn_accept(error, "the length of a quaternion", length, CAIRN_A_QUATERNION);
}

cairn_status cairn_accept_all(cairn_error* error, const cairn_given* given, int count)
{
    cairn_status status = CAIRN_OK;
    for (int i = 0; i < count && status == CAIRN_OK; i++)
        status = cairn_accept(error, given[i].name, given[i].x, given[i].quantity);
    return status;
}

cairn_status cairn_accept_def(cairn_error* error, uint32_t cookie, const char* maker)
{
    if (cookie == (uint32_t)cairn_cookie)
        return CAIRN_OK;
    return cairn_fail(error, CAIRN_BAD_INPUT, "the options do not come from %s()", maker);
}
