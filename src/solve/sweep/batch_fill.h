// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The way into batches and out of them, a template in the number type: REAL, NAMED. Included by
// batch.c once for each, hence without a guard.

bool NAMED(cairn_batch_take)(NAMED(cairn_batches) * batches, const cairn_batch_plan* plan,
                             cairn_arena* arena)
{
    size_t numbers = cairn_state_stride * (size_t)plan->slot_count;
    *batches = (NAMED(cairn_batches)){.rows = plan->rows};
    batches->batch = CAIRN_TAKE(arena, NAMED(cairn_batch), plan->batch_count);
    if (plan->more)
        batches->more = CAIRN_TAKE(arena, NAMED(cairn_batch_more), plan->batch_count);
    batches->state = CAIRN_TAKE_ZEROED(arena, REAL, numbers);
    batches->mass = CAIRN_TAKE(arena, REAL, numbers);
    return !arena->failed;
}

static void NAMED(put)(REAL (*to)[cairn_lanes], int l, cairn_vec3 v)
{
    to[0][l] = (REAL)v.x;
    to[1][l] = (REAL)v.y;
    to[2][l] = (REAL)v.z;
}

static void NAMED(fill_rates)(NAMED(cairn_batch) * batch, NAMED(cairn_batch_more) * more, int l,
                              const cairn_batch_plan* plan, const double* D, int n)
{
    double d[3] = {0.0};
    for (int i = 0; i < n; i++)
        d[i] = D[n * i + i];
    if (!plan->box)
        d[1] = d[2] = fmax(d[1], d[2]);
    for (int i = 0; i < n; i++)
        batch->rate[i][l] = d[i] > 0.0 ? (REAL)(plan->relaxation / d[i]) : 0;
    batch->coupling[0][l] = n > 1 ? (REAL)D[n] : 0;
    batch->coupling[1][l] = n > 2 ? (REAL)D[2 * n] : 0;
    if (more)
        more->coupling[l] = n > 2 ? (REAL)D[2 * n + 1] : 0;
}

static void NAMED(fill_lane)(NAMED(cairn_batch) * batch, NAMED(cairn_batch_more) * more, int l,
                             const cairn_batch_plan* plan, int c, const double* lambda)
{
    const cairn_problem* problem = plan->A->problem;
    const cairn_block* block = &problem->blocks[c];

    for (int i = 0; i < block->row_count; i++) {
        int row = block->row + i;
        batch->b[i][l] = (REAL)problem->b[row];
        batch->lambda[i][l] = (REAL)lambda[row];
        if (more)
            more->soft[i][l] = problem->compliance ? (REAL)problem->compliance[row] : 0;
    }

    NAMED(put)(batch->normal, l, plan->frame[c].normal);
    NAMED(put)(batch->tangent, l, plan->frame[c].tangent);
    NAMED(put)(batch->arm[0], l, plan->frame[c].arm[0]);
    NAMED(put)(batch->arm[1], l, plan->frame[c].arm[1]);

    // a box has a coefficient of its own for the second row
    cairn_friction friction = cairn_friction_as(&block->friction, plan->law, 0);
    bool smooth = friction.kind == CAIRN_FRICTION_NONE;
    batch->mu[l] = smooth ? 0 : (REAL)friction.mu[0];
    if (more)
        more->mu[l] = smooth ? 0 : (REAL)friction.mu[plan->box ? 1 : 0];

    // rates from the block of A; lanes without a body keep their immovable place
    NAMED(fill_rates)(batch, more, l, plan, cairn_delassus_block(plan->A, c), block->row_count);
    batch->body[0][l] = slot(problem, block->body_a, batch->body[0][l]);
    batch->body[1][l] = slot(problem, block->body_b, batch->body[1][l]);
}

// 1/m, the inverse inertia xx, yy, zz, xy, xz, yz, and the square of the radius of gyration
static void NAMED(fill_mass)(REAL* mass, const cairn_problem* problem, int place)
{
    memset(mass, 0, cairn_state_stride * sizeof(REAL));
    if (place >= problem->body_count || !cairn_mass_moves(&problem->bodies[place]))
        return;
    const cairn_mass* body = &problem->bodies[place];
    const cairn_mat3* I = &body->inverse_inertia;
    double turn = (I->cx.x + I->cy.y + I->cz.z) / 3.0;
    double gyration = turn > 0.0 ? body->inverse_mass / turn : 0.0;
    const double numbers[cairn_state_stride] = {
        body->inverse_mass, I->cx.x, I->cy.y, I->cz.z, I->cx.y, I->cx.z, I->cy.z, gyration};
    for (int k = 0; k < cairn_state_stride; k++)
        mass[k] = (REAL)numbers[k];
}

void NAMED(cairn_batch_fill)(NAMED(cairn_batches) * batches, const cairn_batch_plan* plan,
                             const double* lambda)
{
    batches->relaxation = (REAL)plan->relaxation;
    for (int i = 0; i < plan->slot_count; i++)
        NAMED(fill_mass)(batches->mass + cairn_state_stride * (ptrdiff_t)i, plan->A->problem, i);
    for (int i = 0; i < plan->batch_count; i++) {
        NAMED(cairn_batch)* batch = &batches->batch[i];
        NAMED(cairn_batch_more)* more = batches->more ? &batches->more[i] : NULL;
        int first = plan->first_block[i];
        memset(batch, 0, sizeof *batch);
        if (more)
            memset(more, 0, sizeof *more);
        for (int l = 0; l < cairn_lanes; l++)
            batch->body[0][l] = batch->body[1][l] = plan->immovable[i];
        for (int l = 0; l < plan->first_block[i + 1] - first; l++)
            NAMED(fill_lane)(batch, more, l, plan, plan->block[first + l], lambda);
    }
}

void NAMED(cairn_batch_set)(NAMED(cairn_batches) * batches, const cairn_batch_plan* plan,
                            const double* lambda)
{
    for (int i = 0; i < plan->batch_count; i++)
        for (int at = plan->first_block[i]; at < plan->first_block[i + 1]; at++) {
            const cairn_block* block = &plan->A->problem->blocks[plan->block[at]];
            for (int k = 0; k < block->row_count; k++)
                batches->batch[i].lambda[k][at - plan->first_block[i]] =
                    (REAL)lambda[block->row + k];
        }
}

void NAMED(cairn_batch_store)(double* lambda, const cairn_batch_plan* plan,
                              const NAMED(cairn_batches) * batches)
{
    for (int i = 0; i < plan->batch_count; i++)
        for (int at = plan->first_block[i]; at < plan->first_block[i + 1]; at++) {
            const cairn_block* block = &plan->A->problem->blocks[plan->block[at]];
            cairn_friction friction = cairn_friction_as(&block->friction, plan->law, 0);
            double* to = lambda + block->row;
            for (int k = 0; k < block->row_count; k++)
                to[k] = (double)batches->batch[i].lambda[k][at - plan->first_block[i]];
            to[0] = fmax(to[0], 0.0);
            cairn_friction_project(to + 1, block->row_count, &friction, to[0]);
        }
}
