// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Contacts and joints as springs: what each may bear without a change of the motion. A contact that
// slides keeps its direction, one at rest any force within its cone, an open one none; a motor at
// its bound stays there. Translations count as they are, rotations in units of an arm.

#include "solve/least_norm_springs.h"
#include "math/numbers.h"
#include "problem/friction.h"
#include "problem/mass.h"

static const double on_the_cone = 1e-6; // of the friction limit: closer is sliding, if it moves

// ---------------------------------------------------------------- elements

// whether a body takes part in the balance, and its number
static int number_of(cairn_sharing* all, int body)
{
    if (body == CAIRN_WORLD_BODY || !cairn_mass_moves(&all->problem->bodies[body]))
        return -1;
    if (all->local[body] < 0)
        all->local[body] = all->bodies++;
    return all->local[body];
}

// a new element on rows of a block
static cairn_spring* add_spring(cairn_sharing* all, const cairn_block* block,
                                cairn_spring_kind kind)
{
    cairn_spring* own = &all->springs[all->count];
    cairn_element* element = &all->elements[all->count++];
    *own = (cairn_spring){.kind = kind};
    *element =
        (cairn_element){.a = number_of(all, block->body_a), .b = number_of(all, block->body_b)};
    return own;
}

// another variable of the newest element: x = λ[row] / unit
static void add_variable(cairn_sharing* all, int row, double unit)
{
    cairn_spring* own = &all->springs[all->count - 1];
    cairn_element* element = &all->elements[all->count - 1];
    const cairn_row* J = &all->answer->A->scaled[row];
    int k = element->count++;
    own->row[k] = row;
    own->unit[k] = unit;
    own->lambda_count = k + 1;
    own->start[k] = all->lambda[row] / unit;
    for (int i = 0; i < 6; i++) {
        element->J[k][i] = unit * J->a[i];
        element->J[k][6 + i] = unit * J->b[i];
    }
    all->variables++;
}

// the newest element as impulses along one direction, which need not have length one
static void set_ray(cairn_sharing* all, int row, const double* direction, int count)
{
    cairn_spring* own = &all->springs[all->count - 1];
    cairn_element* element = &all->elements[all->count - 1];
    double size = cairn_norm_n(direction, count);

    own->ray = true;
    own->lambda_count = count;
    own->start[0] = 0.0;
    element->count = 1;

    // J along the ray, and how much of the present impulse lies in it
    for (int k = 0; k < count; k++) {
        const cairn_row* J = &all->answer->A->scaled[row + k];
        own->row[k] = row + k;
        own->unit[k] = direction[k] / size;
        own->start[0] += own->unit[k] * all->lambda[row + k];
        for (int i = 0; i < 6; i++) {
            element->J[0][i] += own->unit[k] * J->a[i];
            element->J[0][6 + i] += own->unit[k] * J->b[i];
        }
    }

    all->variables++;
}

// ---------------------------------------------------------------- contacts

// half axes of the ellipse of friction at λ_N = 1 that the law allows, one for each friction row;
// false where it has none
static bool axes_of(double* axis, const cairn_friction* friction, int rows)
{
    double inner = 1.0;
    axis[0] = friction->mu[0];
    axis[1] = friction->mu[1];
    axis[2] = 0.0;
    switch (friction->kind) {
    case CAIRN_FRICTION_PYRAMID:
        inner = cairn_cos(3.14159265358979323846 / friction->facets);
        axis[0] = axis[1] = inner * friction->mu[0];
        break;
    case CAIRN_FRICTION_CONE:
        axis[1] = friction->mu[0];
        break;
    case CAIRN_FRICTION_ELLIPSOID:
        axis[2] = rows > 3 ? friction->mu[2] : 0.0;
        break;
    case CAIRN_FRICTION_ELLIPSE:
    case CAIRN_FRICTION_BOX:
        break;
    default:
        return false;
    }
    return true;
}

// |λ_F| in units of the friction limit over λ_N
static double use_of(const double* lambda, const double* axis, int rows)
{
    double sum = 0.0;
    for (int k = 1; k < rows; k++) {
        if (axis[k - 1] > 0.0)
            sum += lambda[k] / axis[k - 1] * (lambda[k] / axis[k - 1]);
        else if (lambda[k] != 0.0)
            return INFINITY;
    }
    return sqrt(sum);
}

// friction of a contact that begins to bear a load while it slides: -D² v / |D v|
static bool dissipate(double* direction, const double* v, const double* axis, int rows)
{
    double sum = 0.0;
    direction[0] = 1.0;
    for (int k = 1; k < rows; k++)
        sum += axis[k - 1] * v[k] * (axis[k - 1] * v[k]);
    for (int k = 1; k < rows; k++)
        direction[k] = sum > 0.0 ? -axis[k - 1] * axis[k - 1] * v[k] / sqrt(sum) : 0.0;
    return sum > 0.0;
}

// the cone with these axes, in units in which it is round
static void add_cone(cairn_sharing* all, const cairn_block* block, const double* axis)
{
    double mu = 0.0;
    for (int k = 1; k < block->row_count && mu == 0.0; k++)
        mu = axis[k - 1];
    cairn_spring* own = add_spring(all, block, mu > 0.0 ? CAIRN_SPRING_CONE : CAIRN_SPRING_HALF);
    own->mu = mu;
    add_variable(all, block->row, 1.0);
    for (int k = 1; k < block->row_count; k++)
        if (axis[k - 1] > 0.0)
            add_variable(all, block->row + k, axis[k - 1] / mu);
}

static void add_contact(cairn_sharing* all, const cairn_block* block)
{
    const cairn_answer* answer = all->answer;
    const double *lambda = all->lambda + block->row, *v = answer->v + block->row;
    int rows = block->row_count;

    bool loaded = lambda[0] > 0.0;
    if (!loaded && v[0] > answer->still)
        return;

    // no friction, or a known one
    cairn_friction friction = cairn_friction_as(&block->friction, answer->law, answer->facets);
    double axis[3] = {0}, direction[4] = {1.0};
    bool none = friction.kind == CAIRN_FRICTION_NONE ||
                (friction.kind == CAIRN_FRICTION_CONE && friction.mu[0] == 0.0);
    if (rows == 1 || none) {
        add_spring(all, block, CAIRN_SPRING_HALF);
        add_variable(all, block->row, 1.0);
        return;
    }
    if (friction.kind == CAIRN_FRICTION_SLIDING) {
        for (int k = 1; k < rows; k++)
            direction[k] = k < 3 ? -friction.mu[0] * friction.slip[k - 1] : 0.0;
        add_spring(all, block, CAIRN_SPRING_HALF);
        set_ray(all, block->row, direction, rows);
        return;
    }

    // a contact that slides, or whose law is no ellipse where it is, keeps its direction
    bool round = axes_of(axis, &friction, rows),
         slides = cairn_norm_n(v + 1, rows - 1) > answer->still;
    double use = round ? use_of(lambda, axis, rows) : INFINITY;
    bool inside = use < (1.0 - on_the_cone) * lambda[0];
    all->moves = all->moves || slides;
    if (loaded && ((slides && !inside) || use > (1.0 + 1e-12) * lambda[0])) {
        add_spring(all, block, CAIRN_SPRING_HALF);
        set_ray(all, block->row, lambda, rows);
        return;
    }

    if (!round)
        return;

    // an unloaded contact that slides can only be loaded against its slip
    if (!loaded && slides) {
        bool smooth =
            friction.kind != CAIRN_FRICTION_PYRAMID && friction.kind != CAIRN_FRICTION_BOX;
        if (!smooth || !dissipate(direction, v, axis, rows))
            return;
        add_spring(all, block, CAIRN_SPRING_HALF);
        set_ray(all, block->row, direction, rows);
        return;
    }

    // at rest any impulse within the cone will do
    add_cone(all, block, axis);
}

// ---------------------------------------------------------------- joints

// m²: the square of the radius of gyration, about
static double gyration(const cairn_problem* problem, int body)
{
    if (body == CAIRN_WORLD_BODY)
        return 0.0;
    const cairn_mass* mass = &problem->bodies[body];
    double turn =
        mass->inverse_inertia.cx.x + mass->inverse_inertia.cy.y + mass->inverse_inertia.cz.z;
    return turn > 0.0 ? 3.0 * mass->inverse_mass / turn : 0.0;
}

// m: ℓ of a joint: the longest arm of its bodies there, or the larger radius of gyration. For three
// translations along axes e, Σ |r × e|² = 2 |r|².
static double arm_of(const cairn_problem* problem, const cairn_block* block)
{
    double arm = fmax(gyration(problem, block->body_a), gyration(problem, block->body_b));
    double sum[2] = {0};
    for (int k = 0; k < block->row_count; k++) {
        const cairn_row* row = &problem->rows[block->row + k];
        if (cairn_norm_n(row->a, 3) + cairn_norm_n(row->b, 3) == 0.0)
            continue;
        sum[0] += 0.5 * cairn_norm_n(row->a + 3, 3) * cairn_norm_n(row->a + 3, 3);
        sum[1] += 0.5 * cairn_norm_n(row->b + 3, 3) * cairn_norm_n(row->b + 3, 3);
    }
    arm = sqrt(fmax(arm, fmax(sum[0], sum[1])));
    return arm > 0.0 ? arm : 1.0;
}

// C^-1/2 of a row
static double unit_of(const cairn_problem* problem, int row, double arm)
{
    const cairn_row* J = &problem->rows[row];
    bool turns = cairn_norm_n(J->a, 3) + cairn_norm_n(J->b, 3) == 0.0;
    return turns ? arm : 1.0;
}

void cairn_share_compliance(double* C, const cairn_problem* problem, const cairn_block* block)
{
    double arm = block->kind == CAIRN_BLOCK_CONTACT ? 1.0 : arm_of(problem, block);
    for (int k = 0; k < block->row_count; k++) {
        double unit = block->kind != CAIRN_BLOCK_CONTACT ? unit_of(problem, block->row + k, arm)
                      : k == 3                           ? cairn_spin_arm(&block->friction)
                                                         : 1.0;
        C[k] = 1.0 / (unit * unit);
    }
}

// rows with bounds are elements of their own
static void add_bounded(cairn_sharing* all, const cairn_block* block, double arm)
{
    const cairn_problem* problem = all->problem;
    bool limit = block->kind == CAIRN_BLOCK_LIMIT;
    for (int k = block->row; k < block->row + block->row_count; k++) {
        double unit = unit_of(problem, k, arm), still = all->answer->still;
        double v = all->answer->v[k], lambda = all->lambda[k];
        double lo = limit ? 0.0 : problem->lo ? problem->lo[k] : -INFINITY;
        double hi = limit ? INFINITY : problem->hi ? problem->hi[k] : INFINITY;

        // what is open, or drives as hard as it can, stays so
        bool open = lambda <= lo && v > still, spent = lambda >= hi && v < -still;
        all->moves = all->moves || (!limit && (open || spent));
        if (open || spent)
            continue;

        cairn_spring* own =
            add_spring(all, block, limit ? CAIRN_SPRING_HALF : CAIRN_SPRING_INTERVAL);
        add_variable(all, k, unit);
        own->lo = lo / unit;
        own->hi = hi / unit;
    }
}

static void add_joint(cairn_sharing* all, const cairn_block* block)
{
    double arm = arm_of(all->problem, block);
    if (block->kind == CAIRN_BLOCK_LIMIT || block->kind == CAIRN_BLOCK_MOTOR) {
        add_bounded(all, block, arm);
        return;
    }
    for (int k = 0; k < block->row_count; k++) {
        if (k % cairn_element_rows == 0)
            add_spring(all, block, CAIRN_SPRING_FREE);
        add_variable(all, block->row + k, unit_of(all->problem, block->row + k, arm));
    }
}

bool cairn_block_is_soft(const cairn_problem* problem, const cairn_block* block)
{
    for (int k = 0; problem->compliance && k < block->row_count; k++)
        if (problem->compliance[block->row + k] > 0.0)
            return true;
    return false;
}

void cairn_sharing_add(cairn_sharing* all, const cairn_block* block)
{
    if (block->kind == CAIRN_BLOCK_CONTACT)
        add_contact(all, block);
    else
        add_joint(all, block);
}
