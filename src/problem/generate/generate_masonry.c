// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Blocks on blocks: a stack, a stack with a heavy top, a wall. Faces lie flat on each other, and
// each overlap of two faces has a contact at its four corners.

#include "problem/generate/generate_draft.h"

// four contacts at the corners of a horizontal rectangle, A below and B above
static void lay_on(cairn_draft* draft, int a, int b, const double* x, const double* y, double z,
                   double mu)
{
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
            cairn_draft_contact(draft, a, b, cairn_vec(x[i], y[j], z), cairn_vec(0.0, 0.0, 1.0),
                                mu);
}

// ---------------------------------------------------------------- stacks

// unit cubes of 1 kg, the top one heavier
static int pile_up(cairn_draft* draft, const cairn_generate_def* def)
{
    const double edge[2] = {-0.5, 0.5};
    int below = CAIRN_WORLD_BODY;
    for (int i = 0; i < def->size; i++) {
        double mass = i == def->size - 1 ? def->mass_ratio : 1.0;
        int cube = cairn_draft_body(draft, cairn_draft_box(mass, 1.0, 1.0, 1.0),
                                    cairn_vec(0.0, 0.0, i + 0.5));
        lay_on(draft, below, cube, edge, edge, i, def->mu);
        below = cube;
    }
    cairn_draft_gravity(draft);
    return below;
}

void cairn_generate_stack(cairn_draft* draft, const cairn_generate_def* def)
{
    int top = pile_up(draft, def);
    if (top != CAIRN_WORLD_BODY)
        cairn_draft_wrench(draft, top, 0.25);
}

void cairn_generate_massratio(cairn_draft* draft, const cairn_generate_def* def)
{
    // a small sideways push, well below the limit of friction, tells one seed from another
    int top = pile_up(draft, def);
    cairn_vec3 push = cairn_scale(1e-3, cairn_random_vec3(&draft->random));
    push.z = 0.0;
    if (top != CAIRN_WORLD_BODY)
        cairn_draft_push(draft, top, push, cairn_vec(0.0, 0.0, 0.0));
}

// ---------------------------------------------------------------- the wall

static const double pitch = 1.01;       // m between the centers of neighbors in a row
static const double brick_length = 1.0; // m
static const double half_length = 0.495;
static const double brick_side = 0.5; // depth and height

// even rows hold `width` bricks; odd rows one less, and a half brick at each end
static int bricks_in_row(int row, int width)
{
    return row % 2 == 0 ? width : width + 1;
}

static void span_of(double* x, int row, int i, int width)
{
    double end = 0.5 * (width - 1) * pitch + 0.5 * brick_length;
    double center = (i - 0.5 * (row % 2 == 0 ? width - 1 : width)) * pitch;
    x[0] = center - 0.5 * brick_length;
    x[1] = center + 0.5 * brick_length;
    if (row % 2 == 1 && i == 0) {
        x[0] = -end;
        x[1] = -end + half_length;
    } else if (row % 2 == 1 && i == width) {
        x[0] = end - half_length;
        x[1] = end;
    }
}

static int lay_row(cairn_draft* draft, int row, int width)
{
    const double density = 1000.0;
    int first = draft->problem.body_count;

    for (int i = 0; i < bricks_in_row(row, width); i++) {
        double x[2];
        span_of(x, row, i, width);
        double length = x[1] - x[0];
        cairn_mass mass = cairn_draft_box(density * length * brick_side * brick_side, length,
                                          brick_side, brick_side);
        cairn_draft_body(draft, mass,
                         cairn_vec(0.5 * (x[0] + x[1]), 0.0, (row + 0.5) * brick_side));
    }
    return first;
}

// each brick of the even row overlaps two of the odd row
static void join_rows(cairn_draft* draft, int row, const int* first, const cairn_generate_def* def)
{
    const double y[2] = {-0.5 * brick_side, 0.5 * brick_side};
    int even = row % 2 == 0 ? row : row + 1, odd = row % 2 == 0 ? row + 1 : row;
    for (int i = 0; i < def->width; i++)
        for (int side = 0; side < 2; side++) {
            double x[2], other[2];
            span_of(x, even, i, def->width);
            span_of(other, odd, i + side, def->width);
            x[0] = x[0] > other[0] ? x[0] : other[0];
            x[1] = x[1] < other[1] ? x[1] : other[1];

            int lower = row % 2 == 0 ? i : i + side, upper = row % 2 == 0 ? i + side : i;
            lay_on(draft, first[0] + lower, first[1] + upper, x, y, (row + 1) * brick_side,
                   def->mu);
        }
}

void cairn_generate_wall(cairn_draft* draft, const cairn_generate_def* def)
{
    const double y[2] = {-0.5 * brick_side, 0.5 * brick_side};
    int first[2] = {0, 0}, target = CAIRN_WORLD_BODY;
    for (int row = 0; row < def->height && def->width > 0; row++) {
        first[0] = first[1];
        first[1] = lay_row(draft, row, def->width);

        if (row == def->height / 2)
            target = first[1] + def->width / 2;

        for (int i = 0; row == 0 && i < def->width; i++) {
            double x[2];
            span_of(x, 0, i, def->width);
            lay_on(draft, CAIRN_WORLD_BODY, i, x, y, 0.0, def->mu);
        }

        if (row > 0)
            join_rows(draft, row - 1, first, def);
    }

    // at rest the wall is the same for every seed; a hit strikes the middle brick off its center
    cairn_draft_gravity(draft);
    if (target != CAIRN_WORLD_BODY && def->hit != 0.0) {
        cairn_vec3 spin = cairn_scale(0.1 * def->hit, cairn_random_vec3(&draft->random));
        cairn_draft_push(draft, target, cairn_vec(0.0, def->hit, 0.0), spin);
    }
}
