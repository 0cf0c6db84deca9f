// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// A chain of capsules along x, joined by ball joints at the centers of their end spheres, the first
// one held by the world at the origin. Gravity acts on all, a random wrench on the last.

#include "problem/generate/generate_draft.h"

static const double capsule_radius = 0.05; // m
static const double link_length = 0.5;     // m between the centers of the end spheres

// capsule along x: a cylinder and two half spheres
static cairn_mass link_mass(void)
{
    const double density = 1000.0, pi = 3.14159265358979323846;
    double r = capsule_radius, l = link_length;
    double cylinder = density * pi * r * r * l, ball = density * 4.0 / 3.0 * pi * r * r * r;
    double along = 0.5 * cylinder * r * r + 0.4 * ball * r * r;

    // a half sphere's center lies 3/8 r beyond the end of the cylinder
    double across = cylinder * (l * l / 12.0 + r * r / 4.0) +
                    ball * (0.4 * r * r + l * l / 4.0 + 3.0 / 8.0 * l * r);
    return (cairn_mass){1.0 / (cylinder + ball),
                        cairn_mat3_diagonal(1.0 / along, 1.0 / across, 1.0 / across)};
}

void cairn_generate_chain(cairn_draft* draft, const cairn_generate_def* def)
{
    int last = CAIRN_WORLD_BODY;
    for (int i = 0; i < def->size; i++) {
        int link =
            cairn_draft_body(draft, link_mass(), cairn_vec((i + 0.5) * link_length, 0.0, 0.0));
        cairn_draft_ball(draft, last, link, cairn_vec(i * link_length, 0.0, 0.0));
        last = link;
    }
    cairn_draft_gravity(draft);
    if (last != CAIRN_WORLD_BODY)
        cairn_draft_wrench(draft, last, 0.25 * link_length);
}
