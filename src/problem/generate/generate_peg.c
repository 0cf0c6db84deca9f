// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// A peg in a hole: one box, n contacts in two rings against an immovable hole, and a random wrench.
// However many contacts there are, A has rank 6 at most.

#include "problem/generate/generate_draft.h"

void cairn_generate_peg(cairn_draft* draft, const cairn_generate_def* def)
{
    const double density = 1000.0, width = 0.6, length = 1.0, radius = 0.3, level = 0.4;
    cairn_mass mass = cairn_draft_box(density * width * width * length, width, width, length);
    int peg = cairn_draft_body(draft, mass, cairn_vec(0.0, 0.0, 0.0));
    cairn_draft_wrench(draft, peg, 0.5 * length);

    // the lower ring takes the odd one
    int count[2] = {def->size - def->size / 2, def->size / 2};
    for (int ring = 0; ring < 2; ring++)
        for (int k = 0; k < count[ring]; k++) {
            cairn_vec3 out = cairn_draft_turn(k, count[ring]);
            cairn_vec3 point = cairn_scale(radius, out);
            point.z = ring == 0 ? -level : level;
            cairn_draft_contact(draft, CAIRN_WORLD_BODY, peg, point, cairn_neg(out), def->mu);
        }
}
