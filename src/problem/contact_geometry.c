// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// A row of a contact is (-e, -r_A x e) on A and (e, r_B x e) on B. With three orthonormal e_i and
// the moments m_i = r x e_i,
//
//     Σ e_i x m_i = Σ (r - e_i (e_i·r)) = 2 r
//
// gives the arm back; with the normal alone, n x m = r - n (n·r), which turns the body as r does.

#include "problem/contact_geometry.h"
#include "math/accept.h"
#include "problem/mass.h"

static bool moves(const cairn_problem* problem, int body)
{
    return body != CAIRN_WORLD_BODY && cairn_mass_moves(&problem->bodies[body]);
}

// direction and moment of a row on B, or of the opposite on A
static cairn_vec3 half(const cairn_row* row, int side, int from)
{
    const double* x = (side ? row->b : row->a) + from;
    return cairn_scale(side ? 1.0 : -1.0, cairn_vec(x[0], x[1], x[2]));
}

static bool is_near(cairn_vec3 a, cairn_vec3 b, double distance)
{
    return cairn_norm(cairn_sub(a, b)) <= distance;
}

// the arm of one side, if its rows have these axes and one
static bool read_side(cairn_contact_geometry* geometry, const cairn_row* rows, int count, int side,
                      double roundoff)
{
    const cairn_vec3* axis = geometry->axis;

    // Σ axis x (arm x axis) = 2 arm over three axes; over one, the part of arm square to it
    cairn_vec3 twice = {0}, m = half(&rows[0], side, 3);
    for (int i = 0; i < count; i++)
        twice = cairn_add(twice, cairn_cross(axis[i], half(&rows[i], side, 3)));
    cairn_vec3 arm = count == 1 ? cairn_cross(axis[0], m) : cairn_scale(0.5, twice);

    // the rows of a contact with this arm must be the rows that are given
    double distance = roundoff * fmax(1.0, cairn_norm(arm));
    for (int i = 0; i < count; i++)
        if (!is_near(half(&rows[i], side, 0), axis[i], roundoff) ||
            !is_near(half(&rows[i], side, 3), cairn_cross(arm, axis[i]), distance))
            return false;

    geometry->arm[side] = arm;
    return true;
}

// whether a row is that of the spin about n
static bool is_spin(const cairn_row* row, cairn_vec3 n, int side, double roundoff)
{
    return is_near(half(row, side, 0), cairn_vec(0.0, 0.0, 0.0), roundoff) &&
           is_near(half(row, side, 3), n, roundoff);
}

static bool is_frame(const cairn_vec3* axis, double roundoff)
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j <= i; j++)
            if (!(fabs(cairn_dot(axis[i], axis[j]) - (i == j)) <= roundoff))
                return false;
    return true;
}

bool cairn_contact_geometry_read(cairn_contact_geometry* geometry, const cairn_problem* problem,
                                 const cairn_block* block, double roundoff)
{
    const cairn_row* rows = &problem->rows[block->row];
    const int body[2] = {block->body_a, block->body_b};
    int from = moves(problem, block->body_b), count = block->row_count == 4 ? 3 : block->row_count;
    *geometry = (cairn_contact_geometry){0};

    if (count != 1 && count != 3)
        return false;

    // axes from a side that moves; what does not may have rows of zeros
    for (int i = 0; i < count; i++)
        geometry->axis[i] = half(&rows[i], from, 0);
    if (count == 1)
        cairn_tangents(geometry->axis[0], &geometry->axis[1], &geometry->axis[2]);

    // nothing moves: no side has arms to read
    if (!moves(problem, body[from]))
        return true;
    if (!is_frame(geometry->axis, roundoff))
        return false;

    for (int side = 0; side < 2; side++) {
        if (!moves(problem, body[side]))
            continue;
        if (!read_side(geometry, rows, count, side, roundoff))
            return false;

        if (block->row_count == 4 && !is_spin(&rows[3], geometry->axis[0], side, roundoff))
            return false;
    }
    return true;
}

// a law of friction that a method does not know
static bool is_foreign(const cairn_block* block, bool cones)
{
    cairn_friction_kind kind = block->friction.kind;
    if (block->row_count == 1 || kind == CAIRN_FRICTION_CONE || kind == CAIRN_FRICTION_NONE)
        return block->row_count == 4 && cones;
    return cones || (kind != CAIRN_FRICTION_ELLIPSE && kind != CAIRN_FRICTION_ELLIPSOID);
}

cairn_status cairn_contacts_check(const cairn_problem* problem, const char* method, bool cones,
                                  double roundoff, cairn_error* error)
{
    if (problem->A)
        return cairn_fail(error, CAIRN_NOT_SUPPORTED,
                          "%s needs the bodies of a problem, but this one gives A alone", method);

    for (int i = 0; i < problem->row_count && problem->compliance; i++)
        if (problem->compliance[i] != 0.0)
            return cairn_fail(error, CAIRN_NOT_SUPPORTED,
                              "%s knows no compliance, but row %d has some", method, i);

    for (int c = 0; c < problem->block_count; c++) {
        const cairn_block* block = &problem->blocks[c];
        cairn_contact_geometry geometry;
        if (block->kind != CAIRN_BLOCK_CONTACT)
            return cairn_fail(
                error, CAIRN_NOT_SUPPORTED,
                "%s knows contacts alone, but block %d is a joint, a limit or a motor", method, c);

        if (is_foreign(block, cones))
            return cairn_fail(error, CAIRN_NOT_SUPPORTED,
                              "%s knows %s of friction alone, but contact %d has another law",
                              method, cones ? "isotropic cones" : "cones and ellipsoids", c);

        if (!cairn_contact_geometry_read(&geometry, problem, block, roundoff))
            return cairn_fail(error, CAIRN_NOT_SUPPORTED,
                              "%s needs contacts of 1%s rows at a point, but block %d is none",
                              method, cones ? " or 3" : ", 3 or 4", c);
    }
    return CAIRN_OK;
}

cairn_vec3 cairn_contact_vector(const cairn_contact_geometry* geometry, const cairn_block* block,
                                const double* x)
{
    cairn_vec3 sum = {0};
    for (int i = 0; i < block->row_count && i < 3; i++)
        sum = cairn_add_scaled(sum, x[block->row + i], geometry->axis[i]);
    return sum;
}

void cairn_contact_components(const cairn_contact_geometry* geometry, const cairn_block* block,
                              cairn_vec3 vector, double* x)
{
    for (int i = 0; i < block->row_count && i < 3; i++)
        x[block->row + i] = cairn_dot(vector, geometry->axis[i]);
}
