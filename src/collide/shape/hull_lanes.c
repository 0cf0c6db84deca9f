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

    for (int i = 0; i < wide * vertices; i++) {
        double* group = hull->vertex_lanes + i / wide * CAIRN_VERTEX_GROUP;
        fill_vector(group, i % wide, hull->vertices[i < hull->vertex_count ? i : 0]);
    }
    const cairn_hull_face none = {.offset = DBL_MAX};
    for (int i = 0; i < wide * faces; i++) {
        double* group = hull->face_lanes + i / wide * CAIRN_FACE_GROUP;
        const cairn_hull_face* face = i < hull->face_count ? &hull->faces[i] : &none;
        fill_vector(group, i % wide, face->normal);
        group[3 * wide + i % wide] = face->offset;
    }
    return true;
}
