// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Loops over all vertices or faces of a hull; see hull_lanes.h. Vectors are as wide as those of the
// machine: wider ones are compared number by number where it has none. Answers do not depend on the
// width.

#include "collide/shape/hull_lanes.h"
#include <float.h>

#if defined(CAIRN_TARGET_avx512)
enum { wide = 8 };
typedef cairn_double8 real;
typedef cairn_long8 mask;
#elif defined(CAIRN_TARGET_avx2)
enum { wide = 4 };
typedef cairn_double4 real;
typedef cairn_long4 mask;
#else
enum { wide = 2 };
typedef cairn_double2 real;
typedef int64_t mask __attribute__((vector_size(16)));
#endif

enum { group = CAIRN_HULL_LANES };

CAIRN_INLINE real all(double x)
{
    return x - (real){0};
}

CAIRN_INLINE real load(const double* x)
{
    real v;
    memcpy(&v, x, sizeof v);
    return v;
}

CAIRN_INLINE real pick(mask yes, real a, real b)
{
    return (real)((yes & (mask)a) | (~yes & (mask)b));
}

// the same order of operations as cairn_dot
CAIRN_INLINE real along(const double* lanes, real x, real y, real z)
{
    return x * load(lanes) + y * load(lanes + group) + z * load(lanes + 2 * group);
}

// The least name of the greatest value. Without branches, which would be mispredicted.
CAIRN_INLINE int first_of_greatest(real x, mask name)
{
    double value[wide];
    int64_t named[wide];
    memcpy(value, &x, sizeof value);

    // the greatest value, by halving
    for (int half = wide / 2; half > 0; half /= 2)
        for (int l = 0; l < half; l++)
            value[l] = value[l] > value[l + half] ? value[l] : value[l + half];

    // the lanes that do not have it must not win the comparison of names
    mask greatest = x == all(value[0]);
    name = (greatest & name) | (~greatest & ((mask){0} + INT32_MAX));
    memcpy(named, &name, sizeof named);

    for (int half = wide / 2; half > 0; half /= 2)
        for (int l = 0; l < half; l++)
            named[l] = named[l] < named[l + half] ? named[l] : named[l + half];
    return (int)named[0];
}

int CAIRN_KERNEL(cairn_lanes_farthest)(const double* lanes, int groups, int stride, cairn_vec3 d)
{
    real x = all(d.x), y = all(d.y), z = all(d.z), most = all(-DBL_MAX);
    mask at = {0}, lane = {0};
    for (int l = 0; l < wide; l++)
        lane[l] = l;

    // each lane keeps the best of its own column
    for (int g = 0; g < groups; g++) {
        for (int part = 0; part < group; part += wide) {
            real here = along(lanes + g * stride + part, x, y, z);
            mask better = here > most;
            most = pick(better, here, most);
            at = (better & ((mask){0} + (g * group + part))) | (~better & at);
        }
    }

    return first_of_greatest(most, at + lane);
}

void CAIRN_KERNEL(cairn_lanes_lower)(double* least, const double* faces, int groups, cairn_vec3 p)
{
    real x = all(p.x), y = all(p.y), z = all(p.z);
    for (int g = 0; g < groups; g++) {
        for (int part = 0; part < group; part += wide) {
            const double* face = faces + g * CAIRN_FACE_GROUP + part;
            real height = along(face, x, y, z) - load(face + 3 * group);
            real old = load(least + g * group + part);
            old = pick(height < old, height, old);
            memcpy(least + g * group + part, &old, sizeof old);
        }
    }
}

void CAIRN_KERNEL(cairn_lanes_bound)(unsigned char* bits, const double* faces, int groups,
                                     const cairn_lane_points* points, double most)
{
    real limit = all(most), zero = {0};
    for (int g = 0; g < groups; g++) {
        for (int part = 0; part < group; part += wide) {
            const double* face = faces + g * CAIRN_FACE_GROUP + part;
            mask found = {0};

            // bits 0 to 3: points not higher over the face than `most`; bits 4 to 7: points not
            // above it
            for (int k = 0; k < points->count; k++) {
                cairn_vec3 p = points->at[k];
                real height = along(face, all(p.x), all(p.y), all(p.z)) - load(face + 3 * group);
                found |= (height <= limit) & ((mask){0} + (1 << k));
                found |= (height <= zero) & ((mask){0} + (16 << k));
            }

            for (int l = 0; l < wide; l++)
                bits[g * group + part + l] = (unsigned char)found[l];
        }
    }
}
