// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Lemke's method over the bases of lemke_basis.h. The structural variant covers every row by c = 1.
// The reduced one starts without friction and covers the normal rows alone (c_ν = 1,
// c_σ = c_γ = 0), so that every point on its path solves the contact problem
//
//     0 <= ν_i + z_0 ⟂ θ_i >= 0   with true friction at every contact:
//
// z_0 lifts all contacts off, then sinks to zero. A contact with θ_i = 0 has φ_i = 0 whatever
// its slip, so its friction takes no part. When ν_i reaches zero the friction comes in with its
// λ_i (the slip speed) and the φ_ix most opposed to the slip basic: no new row can be negative,
// and no row needs a cover that grows like 1/z_0, which is what ruins the published form. When
// θ_i reaches zero, friction goes out with it.
//
// Ties are broken by columns of B^-1 in lexicographic order; z_0 leaves whenever it can. The
// values are computed afresh at every basis, and a basis with a negative value ends the run.

#include "solve/pivot/lemke_pivot.h"
#include <cairn/random.h>
#include <string.h>

static const double pivot_tolerance = 1e-11, tie_tolerance = 1e-11, sign_tolerance = 1e-9,
                    final_tolerance = 1e-11;

bool cairn_lemke_solver_make(cairn_lemke_solver* solver, const cairn_lemke_form* form,
                             cairn_arena* arena)
{
    *solver = (cairn_lemke_solver){0};
    bool made = cairn_lemke_basis_make(&solver->basis, form, arena) &&
                cairn_lemke_point_make(&solver->now, &solver->basis, arena) &&
                cairn_lemke_point_make(&solver->drive, &solver->basis, arena) &&
                cairn_lemke_point_make(&solver->column, &solver->basis, arena);
    solver->tied = CAIRN_TAKE(arena, int, solver->basis.pairs + 1);
    solver->settled = CAIRN_TAKE_ZEROED(arena, unsigned char, form->count + 1);
    solver->met = CAIRN_TAKE_ZEROED(arena, unsigned char, form->count + 1);
    solver->perturbation = 1e-7;
    solver->seed = 1;
    return made && !arena->failed;
}

// ---------------------------------------------------------------- ranges of pairs

// calls for each contiguous range of pairs that take part: all normals, then each active group
static int range_count(const cairn_lemke_basis* basis)
{
    return basis->active_count + 1;
}

static void range(const cairn_lemke_basis* basis, int k, int* begin, int* end)
{
    *begin = k == 0 ? 0 : basis->group[basis->active[k - 1]];
    *end =
        k == 0 ? basis->form->count : *begin + basis->form->items[basis->active[k - 1]].facets + 1;
}

// NaN when a value is NaN
double cairn_lemke_least_value(const cairn_lemke_solver* solver)
{
    const double* value = solver->now.value;
    double least = 0.0;
    for (int k = 0; k < range_count(&solver->basis); k++) {
        int begin, end;
        range(&solver->basis, k, &begin, &end);
        for (int p = begin; p < end; p++) {
            if (isnan(value[p]))
                return value[p];
            least = value[p] < least ? value[p] : least;
        }
    }
    return least;
}

// ---------------------------------------------------------------- ties

static void keep_least(cairn_lemke_solver* solver, const double* column)
{
    double least = INFINITY;
    int left = 0;
    for (int k = 0; k < solver->tied_count; k++) {
        int p = solver->tied[k];
        least = fmin(least, column[p] / solver->drive.value[p]);
    }
    for (int k = 0; k < solver->tied_count; k++) {
        int p = solver->tied[k];
        if (column[p] / solver->drive.value[p] <= least + tie_tolerance * (1.0 + fabs(least)))
            solver->tied[left++] = p;
    }
    solver->tied_count = left;
}

static void untie(cairn_lemke_solver* solver, int pair)
{
    int left = 0;
    for (int k = 0; k < solver->tied_count; k++)
        if (solver->tied[k] != pair)
            solver->tied[left++] = solver->tied[k];
    solver->tied_count = left;
}

// Columns of B^-1 one after the other. That of a basic velocity is a unit vector, which only says
// that this velocity is not the least.
static void break_ties(cairn_lemke_solver* solver)
{
    cairn_lemke_basis* basis = &solver->basis;
    for (int k = 0; k < range_count(basis) && solver->tied_count > 1; k++) {
        int begin, end;
        range(basis, k, &begin, &end);
        for (int p = begin; p < end && solver->tied_count > 1; p++) {
            if (!basis->impulse[p] && p != basis->open) {
                untie(solver, p);
            } else {
                cairn_lemke_basis_solve(basis, &solver->column, CAIRN_LEMKE_VELOCITY, p);
                keep_least(solver, solver->column.value);
                solver->tie_columns++;
            }
        }
    }
}

static int friction_count(const cairn_lemke_basis* basis, int item)
{
    int count = 0;
    for (int k = 0; k < basis->phi_count; k++)
        count += basis->item_of[basis->phi[k]] == item;
    return count;
}

// whether friction follows from θ alone once the driver is basic: φ_x = μ θ with λ, none without
static bool follows(const cairn_lemke_solver* solver, int item)
{
    const cairn_lemke_basis* basis = &solver->basis;
    int limit = cairn_lemke_limit_pair(basis, item), open = basis->open;
    if (!basis->is_active[item] || basis->firm[item])
        return false;
    bool driven = solver->drive_impulse && open >= basis->group[item] && open <= limit;
    int count = friction_count(basis, item) + (driven && open < limit);
    int slack = basis->impulse[limit] + (driven && open == limit);
    return count == slack;
}

// θ and the friction of its item reach zero together: θ leaves first when the friction follows from
// it, and last otherwise
static void order_item_ties(cairn_lemke_solver* solver)
{
    cairn_lemke_basis* basis = &solver->basis;
    for (int k = 0; k < solver->tied_count && solver->tied_count > 1; k++) {
        int i = solver->tied[k];
        if (i >= basis->form->count || !basis->impulse[i] || basis->firm[i] || !basis->is_active[i])
            continue;

        bool simple = follows(solver, i), other = false;
        for (int l = solver->tied_count - 1; l >= 0; l--) {
            int p = solver->tied[l];
            if (p == i || basis->item_of[p] != i)
                continue;
            other = true;
            if (simple)
                untie(solver, p);
        }

        if (other && !simple)
            untie(solver, i);
        // the list has changed: look through it again
        if (other)
            k = -1;
    }
}

// ---------------------------------------------------------------- the ratio test

enum { leaves_z0 = -1, leaves_nothing = -2 };

// the pair whose basic variable leaves; the step length in `length`
static int ratio_test(cairn_lemke_solver* solver, double* length)
{
    const cairn_lemke_basis* basis = &solver->basis;
    const double *now = solver->now.value, *drive = solver->drive.value;
    double z0 = solver->now.z0, z0_drive = solver->drive.z0, least = INFINITY;
    int first = leaves_nothing; // whose ratio is the least

    // the least ratio, with a margin for ties
    if (z0_drive < -pivot_tolerance) {
        least = (fmax(z0, 0.0) + tie_tolerance) / -z0_drive;
        first = leaves_z0;
    }
    for (int k = 0; k < range_count(basis); k++) {
        int begin, end;
        range(basis, k, &begin, &end);
        for (int p = begin; p < end; p++)
            if (drive[p] < -pivot_tolerance) {
                double ratio = ((now[p] > 0.0 ? now[p] : 0.0) + tie_tolerance) / -drive[p];
                first = ratio < least ? p : first;
                least = ratio < least ? ratio : least;
            }
    }

    if (first == leaves_nothing)
        return leaves_nothing;

    if (z0_drive < -pivot_tolerance && z0 <= -least * z0_drive) {
        *length = fmax(z0, 0.0) / -z0_drive;
        return leaves_z0;
    }

    // all that reach zero within the margin
    solver->tied_count = 0;
    for (int k = 0; k < range_count(basis); k++) {
        int begin, end;
        range(basis, k, &begin, &end);
        for (int p = begin; p < end; p++)
            if (drive[p] < -pivot_tolerance && now[p] <= -least * drive[p])
                solver->tied[solver->tied_count++] = p;
    }

    if (solver->tied_count > 1 && solver->reduced)
        order_item_ties(solver);
    if (solver->tied_count > 1) {
        // ratios are taken with |drive|, and the solved columns are those of -B^-1
        break_ties(solver);
    }

    // beside large values the tolerance is lost to round-off, and nothing ties, not even the least
    int best = solver->tied_count > 0 ? solver->tied[0] : first;
    if (best == leaves_z0) {
        *length = fmax(z0, 0.0) / -z0_drive;
        return leaves_z0;
    }

    for (int k = 1; k < solver->tied_count; k++)
        best = drive[solver->tied[k]] < drive[best] ? solver->tied[k] : best;
    *length = fmax(now[best], 0.0) / -drive[best];
    return best;
}

// ---------------------------------------------------------------- pivots

// friction comes in at the point now + length drive
static void bring_friction(cairn_lemke_solver* solver, int item, double length)
{
    cairn_lemke_basis* basis = &solver->basis;
    const cairn_lemke_item* it = &basis->form->items[item];
    int width = basis->form->width, x = 0;
    double slip[2], least = INFINITY;

    // the slip at that point, and the facet most opposed to it
    for (int k = 0; k < 2; k++)
        slip[k] = basis->q[3 * item + k + 1] +
                  cairn_lemke_item_dot(it, k + 1, solver->now.v, width) +
                  length * cairn_lemke_item_dot(it, k + 1, solver->drive.v, width);
    for (int j = 0; j < it->facets; j++) {
        double along = it->corner[2 * j] * slip[0] + it->corner[2 * j + 1] * slip[1] +
                       basis->lift[basis->group[item] + j];
        if (along < least) {
            least = along;
            x = j;
        }
    }

    solver->met[item] = 1;
    cairn_lemke_basis_activate(basis, item, 0.0);

    if (least >= 0.0)
        return;
    cairn_lemke_basis_set(basis, basis->group[item] + x, true);
    cairn_lemke_basis_set(basis, cairn_lemke_limit_pair(basis, item), true);
}

// Friction comes in as printed (Lloyd 2004, appendix D): its rows are covered by 1, and by more
// where that leaves one of them negative, in proportion to 1/z_0:
//
//     d_ij·v + λ_i + c_i z_0 >= 0,     c_i = 1, or 1 - 2 min_j (d_ij·v + z_0) / z_0.
static void bring_friction_as_printed(cairn_lemke_solver* solver, int item, double length)
{
    cairn_lemke_basis* basis = &solver->basis;
    const cairn_lemke_item* it = &basis->form->items[item];
    int width = basis->form->width;
    double slip[2], least = INFINITY, z0 = solver->now.z0 + length * solver->drive.z0;
    for (int k = 0; k < 2; k++)
        slip[k] = basis->q[3 * item + k + 1] +
                  cairn_lemke_item_dot(it, k + 1, solver->now.v, width) +
                  length * cairn_lemke_item_dot(it, k + 1, solver->drive.v, width);
    for (int j = 0; j < it->facets; j++)
        least = fmin(least, it->corner[2 * j] * slip[0] + it->corner[2 * j + 1] * slip[1] + z0);
    solver->met[item] = 1;
    cairn_lemke_basis_activate(basis, item, least < 0.0 ? 1.0 - 2.0 * least / z0 : 1.0);
}

// the basic variable of a pair leaves; its complement drives from now on
static void leave(cairn_lemke_solver* solver, int pair, double length)
{
    cairn_lemke_basis* basis = &solver->basis;
    bool normal = pair < basis->form->count;
    solver->drive_impulse = !basis->impulse[pair];
    if (!solver->drive_impulse)
        cairn_lemke_basis_set(basis, pair, false);
    basis->open = pair;
    if (normal && solver->published && solver->drive_impulse && basis->group[pair] >= 0 &&
        !basis->is_active[pair])
        bring_friction_as_printed(solver, pair, length);
    if (!normal || !solver->reduced)
        return;
    if (!solver->drive_impulse && follows(solver, pair))
        cairn_lemke_basis_deactivate(basis, pair);
    else if (solver->drive_impulse && basis->group[pair] >= 0 && !basis->is_active[pair])
        bring_friction(solver, pair, length);
}

// The data of a run. Real contacts are degenerate: at rest, redundant, aligned, and a contact that
// sticks has σ = 0 at all its facets. The reduced variant therefore walks with data raised by
// random amounts of size ε at every ν and σ, and takes the true data back at its last basis. Raised
// data keep the problem solvable: an internal impulse z >= 0 still has q·z >= 0.
static void set_data(cairn_lemke_solver* solver, double size)
{
    cairn_lemke_basis* basis = &solver->basis;
    cairn_random random = {solver->seed};
    for (int i = 0; i < basis->form->count; i++) {
        const cairn_lemke_item* item = &basis->form->items[i];
        memcpy(basis->q + 3 * i, item->q, 3 * sizeof(double));
        if (size > 0.0)
            basis->q[3 * i] += size * cairn_random_range(&random, 1.0, 2.0);
        for (int j = 0; j < item->facets; j++)
            basis->lift[basis->group[i] + j] =
                size > 0.0 ? size * cairn_random_range(&random, 1.0, 2.0) : 0.0;
    }
}

void cairn_lemke_true_data(cairn_lemke_solver* solver)
{
    set_data(solver, 0.0);
}

// the first basis: no impulses, every row that takes part lifted by its cover
static void start(cairn_lemke_solver* solver)
{
    cairn_lemke_basis* basis = &solver->basis;
    cairn_lemke_basis_reset(basis);
    set_data(solver, solver->reduced ? solver->perturbation : 0.0);
    for (int i = 0; i < basis->form->count; i++)
        if (basis->group[i] >= 0 && !basis->is_active[i] &&
            ((!solver->reduced && !solver->published) || solver->settled[i]))
            cairn_lemke_basis_activate(basis, i, 1.0);
    cairn_lemke_basis_factor(basis);
    cairn_lemke_basis_solve(basis, &solver->now, CAIRN_LEMKE_DATA, 0);
    memset(solver->drive.v, 0, (size_t)basis->form->dim * sizeof(double));
    memcpy(solver->drive.value, basis->cover, (size_t)basis->pairs * sizeof(double));
}

// the largest z_0 at which a value reaches zero: its variable leaves. False: nothing to do.
static bool lower_z0(cairn_lemke_solver* solver)
{
    cairn_lemke_basis* basis = &solver->basis;
    const double *value = solver->now.value, *lift = solver->drive.value;
    int worst = -1;
    double z0 = 0.0;

    for (int k = 0; k < range_count(basis); k++) {
        int begin, end;
        range(basis, k, &begin, &end);
        for (int p = begin; p < end; p++)
            if (value[p] < 0.0 && -value[p] > z0 * lift[p]) {
                z0 = -value[p] / lift[p];
                worst = p;
            }
    }

    if (worst < 0)
        return false;

    basis->has_z0 = true;
    solver->drive.z0 = 1.0;
    leave(solver, worst, z0);
    return true;
}

// the true data at a complementary basis
static cairn_outcome finish(cairn_lemke_solver* solver)
{
    cairn_lemke_basis* basis = &solver->basis;
    if (basis->open >= 0)
        cairn_lemke_basis_set(basis, basis->open, solver->drive_impulse);
    basis->has_z0 = false;
    basis->open = -1;
    set_data(solver, 0.0);
    if (!cairn_lemke_basis_factor(basis))
        return cairn_stop_now(&solver->stop) ? CAIRN_OUTCOME_TIME_LIMIT : CAIRN_OUTCOME_SINGULAR;
    cairn_lemke_basis_solve(basis, &solver->now, CAIRN_LEMKE_DATA, 0);
    return cairn_lemke_least_value(solver) >= -final_tolerance ? CAIRN_OUTCOME_CONVERGED
                                                               : CAIRN_OUTCOME_SINGULAR;
}

cairn_outcome cairn_lemke_run(cairn_lemke_solver* solver)
{
    start(solver);
    return cairn_lemke_walk(solver);
}

cairn_outcome cairn_lemke_walk(cairn_lemke_solver* solver)
{
    cairn_lemke_basis* basis = &solver->basis;
    if (!lower_z0(solver))
        return finish(solver);

    for (int k = 1; k <= solver->max_pivots; k++) {
        double length;
        solver->pivots++;
        cairn_stop_spend(&solver->stop,
                         basis->pairs + (double)basis->form->dim * basis->form->dim / 32.0);
        if (cairn_stop_now(&solver->stop))
            return CAIRN_OUTCOME_TIME_LIMIT;

        // the present point
        if (!cairn_lemke_basis_factor(basis))
            return cairn_stop_now(&solver->stop) ? CAIRN_OUTCOME_TIME_LIMIT
                                                 : CAIRN_OUTCOME_SINGULAR;
        cairn_lemke_basis_solve(basis, &solver->now, CAIRN_LEMKE_DATA, 0);
        if (!(cairn_lemke_least_value(solver) >= -sign_tolerance))
            return CAIRN_OUTCOME_SINGULAR;

        // how it moves with the driving variable
        cairn_lemke_basis_solve(basis, &solver->drive,
                                solver->drive_impulse ? CAIRN_LEMKE_IMPULSE : CAIRN_LEMKE_VELOCITY,
                                basis->open);

        int leaving = ratio_test(solver, &length);
        if (leaving == leaves_nothing)
            return CAIRN_OUTCOME_RAY;
        if (leaving == leaves_z0)
            return finish(solver);

        cairn_lemke_basis_set(basis, basis->open, solver->drive_impulse);
        leave(solver, leaving, length);
    }
    return CAIRN_OUTCOME_ITERATION_LIMIT;
}

void cairn_lemke_read(const cairn_lemke_solver* solver, const cairn_lemke_point* point,
                      double* theta, double* friction)
{
    const cairn_lemke_basis* basis = &solver->basis;
    for (int i = 0; i < basis->form->count; i++)
        theta[i] = friction[2 * i] = friction[2 * i + 1] = 0.0;
    for (int k = 0; k < basis->theta_count; k++)
        theta[basis->theta[k]] = fmax(0.0, point->value[basis->theta[k]]);
    for (int k = 0; k < basis->phi_count; k++) {
        int pair = basis->phi[k], item = basis->item_of[pair];
        const double* corner = basis->form->items[item].corner + 2 * (pair - basis->group[item]);
        double phi = fmax(0.0, point->value[pair]);
        friction[2 * item] += phi * corner[0];
        friction[2 * item + 1] += phi * corner[1];
    }
}
