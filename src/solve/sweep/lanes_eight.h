// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Places of bodies to eight lanes and back, after lanes.h.

// 8x8: lanes become numbers and numbers lanes; its own inverse
CAIRN_INLINE bodies transpose(bodies r)
{
    bodies a, b, c;
    for (int k = 0; k < 4; k++) {
        real low = r.w[2 * k], high = r.w[2 * k + 1];
        a.w[2 * k] = __builtin_shufflevector(low, high, 0, 8, 2, 10, 4, 12, 6, 14);
        a.w[2 * k + 1] = __builtin_shufflevector(low, high, 1, 9, 3, 11, 5, 13, 7, 15);
    }

    for (int k = 0; k < 2; k++)
        for (int odd = 0; odd < 2; odd++) {
            real low = a.w[4 * k + odd], high = a.w[4 * k + 2 + odd];
            b.w[4 * k + odd] = __builtin_shufflevector(low, high, 0, 1, 8, 9, 4, 5, 12, 13);
            b.w[4 * k + 2 + odd] = __builtin_shufflevector(low, high, 2, 3, 10, 11, 6, 7, 14, 15);
        }
    for (int k = 0; k < 4; k++) {
        c.w[k] = __builtin_shufflevector(b.w[k], b.w[4 + k], 0, 1, 2, 3, 8, 9, 10, 11);
        c.w[4 + k] = __builtin_shufflevector(b.w[k], b.w[4 + k], 4, 5, 6, 7, 12, 13, 14, 15);
    }
    return c;
}

CAIRN_INLINE bodies gather(const scalar* from, const int32_t* place)
{
    bodies s;
    for (int l = 0; l < wide; l++)
        s.w[l] = load(from + cairn_place_stride * (ptrdiff_t)place[l]);
    return transpose(s);
}

CAIRN_INLINE void scatter(scalar* to, const int32_t* place, bodies s)
{
    s = transpose(s);
    for (int l = 0; l < wide; l++)
        keep(to + cairn_place_stride * (ptrdiff_t)place[l], s.w[l]);
}

// adds to the places of lanes, one after the other: several lanes may share the ground
CAIRN_INLINE void add(scalar* to, const int32_t* place, bodies s)
{
    s = transpose(s);
    for (int l = 0; l < wide; l++) {
        scalar* at = to + cairn_place_stride * (ptrdiff_t)place[l];
        keep(at, load(at) + s.w[l]);
    }
}
