// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The geometry of a contact, read back from its rows: directions e_i, and arms r with r x e_i.
#ifndef CAIRN_PROBLEM_CONTACT_GEOMETRY_H
#define CAIRN_PROBLEM_CONTACT_GEOMETRY_H

#include <cairn/problem.h>

typedef struct cairn_contact_geometry {
    cairn_vec3 axis[3]; ///< normal from A to B, and the directions of the tangential rows
    cairn_vec3 arm[2];  ///< from the centers of A and B to the point; zero of what does not move
} cairn_contact_geometry;

/// Reads a contact of 1, 3 or, with spin, 4 rows (of 1: its tangents are those of cairn_tangents,
/// and arms have no part along the normal). False when its rows are not those of a contact at one
/// point, to a relative `roundoff`.
bool cairn_contact_geometry_read(cairn_contact_geometry* geometry, const cairn_problem* problem,
                                 const cairn_block* block, double roundoff);

/// Refuses, in the name of `method`, a problem that has anything but contacts at points of bodies:
/// with isotropic friction (`cones`), or also with ellipses and ellipsoids. CAIRN_NOT_SUPPORTED
/// with the reason, or CAIRN_OK.
cairn_status cairn_contacts_check(const cairn_problem* problem, const char* method, bool cones,
                                  double roundoff, cairn_error* error);

/// The impulse of a contact as a vector on B, and the rows of such a vector; spin apart.
cairn_vec3 cairn_contact_vector(const cairn_contact_geometry* geometry, const cairn_block* block,
                                const double* x);
void cairn_contact_components(const cairn_contact_geometry* geometry, const cairn_block* block,
                              cairn_vec3 vector, double* x);

#endif
