// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// What other files need of rays.
#ifndef CAIRN_COLLIDE_RAY_H
#define CAIRN_COLLIDE_RAY_H

#include <cairn/shape.h>

/// How many triangles of a mesh an endless ray crosses: odd from inside a closed mesh.
int cairn_mesh_crossings(const cairn_mesh* mesh, cairn_vec3 origin, cairn_vec3 way);

#endif
