// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors

#include "collide/shape/hull_lanes.h"
#include <float.h>
#include <stdlib.h>

enum { wide = CAIRN_HULL_LANES };

static void fill_vector(double* group, int lane, cairn_vec3 v)
{
    group[lane] = v.x;
    group[wide + lane] = v.y;
    group[2 * wide + lane] = v.z;
}

bool cairn_hull_fill_lanes(cairn_hull* hull)
{
    int vertices = cairn_hull_groups(hull->vertex_count);
    int faces = cairn_hull_groups(hull->face_count);
    hull->vertex_lanes = malloc((size_t)vertices * CAIRN_VERTEX_GROUP * sizeof(double));
    hull->face_lanes = malloc((size_t)faces * CAIRN_FACE_GROUP * sizeof(double));
    if (!hull->vertex_lanes || !hull->face_lanes)
        return false;

    // the last group repeats the first vertex, which never changes a maximum
    for (int i = 0; i < wide * vertices; i++) {
        double* group = hull->vertex_lanes + i / wide * CAIRN_VERTEX_GROUP;
        fill_vector(group, i % wide, hull->vertices[i < hull->vertex_count ? i : 0]);
    }

    // the last group is filled with faces whose planes are so far out that no point lies above
    const cairn_hull_face none = {.offset = DBL_MAX};
    for (int i = 0; i < wide * faces; i++) {
        double* group = hull->face_lanes + i / wide * CAIRN_FACE_GROUP;
        const cairn_hull_face* face = i < hull->face_count ? &hull->faces[i] : &none;
        fill_vector(group, i % wide, face->normal);
        group[3 * wide + i % wide] = face->offset;
    }
    return true;
}

int cairn_hull_facing(const cairn_hull* hull, cairn_vec3 d)
{
    if (hull->face_lanes)
        return CAIRN_PICK_KERNEL(cairn_simd_detect(), cairn_lanes_farthest)(
            hull->face_lanes, cairn_hull_groups(hull->face_count), CAIRN_FACE_GROUP, d);
    int best = 0;
    for (int f = 1; f < hull->face_count; f++)
        if (cairn_dot(hull->faces[f].normal, d) > cairn_dot(hull->faces[best].normal, d))
            best = f;
    return best;
}

// lists a face while there is room, and counts it
static int add_face(int face, int* faces, int most, int count)
{
    if (count < most)
        faces[count] = face;
    return count + 1;
}

static int faces_at_by_lanes(const cairn_hull* hull, cairn_vec3 p, double slack, int* faces,
                             int most)
{
    // some groups at a time; faces that the point is clearly below of have the lowest bit
    enum { groups_at_once = 16 };
    unsigned char bits[groups_at_once * wide];
    const cairn_lane_points points = {.count = 1, .at = {p}};
    int groups = cairn_hull_groups(hull->face_count), count = 0;
    cairn_simd_level level = cairn_simd_detect();

    for (int g = 0; g < groups; g += groups_at_once) {
        int here = groups - g < groups_at_once ? groups - g : groups_at_once;
        CAIRN_PICK_KERNEL(level, cairn_lanes_bound)
        (bits, hull->face_lanes + g * CAIRN_FACE_GROUP, here, &points, -slack);

        // groups whose eight faces are all below are the rule: one comparison passes over them
        for (int i = 0; i < here; i++) {
            uint64_t eight;
            memcpy(&eight, bits + wide * i, sizeof eight);
            if ((eight & 0x0101010101010101u) == 0x0101010101010101u)
                continue;
            for (int l = 0; l < wide; l++)
                if (!(bits[wide * i + l] & 1))
                    count = add_face(wide * (g + i) + l, faces, most, count);
        }
    }
    return count;
}

int cairn_hull_faces_at(const cairn_hull* hull, cairn_vec3 p, double slack, int* faces, int most)
{
    if (hull->face_lanes)
        return faces_at_by_lanes(hull, p, slack, faces, most);
    int count = 0;
    for (int f = 0; f < hull->face_count; f++)
        if (!(cairn_dot(hull->faces[f].normal, p) - hull->faces[f].offset <= -slack))
            count = add_face(f, faces, most, count);
    return count;
}
