// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Forces where statics leave a choice. With an answer λ0, v of a contact problem, all impulses of
//
//     Λ = { λ :  J^T λ = J^T λ0;   open: λ = 0;   sliding: λ = s λ0, s >= 0;   at rest: λ in K;
//                joints free;   limits >= 0;   motors within their bounds }
//
// give the same motion by the same law. The set is convex, and what is wanted is the least of it,
//
//     min ½ λ^T C λ  over Λ,     C = 1 for contacts and translations of joints, 1/ℓ² for rotations:
//
// what stiff equal springs at every contact and joint would carry. It is unique, symmetric where
// the structure is, and follows the loads. Rows are divided by the root of C, so that C = 1 below.
// With the displacements y of the bodies on these springs the dual problem has no constraints,
//
//     max φ(y) = f·y - Σ_e ( z_e·x_e - ½ |x_e|² ),   z_e = J_e y,   x_e = P_e(z_e),   f = J^T λ0,
//     grad φ = f - J^T x,        - Hess φ = Σ_e J_e^T P_e' J_e,
//
// where P_e projects on the cone, the half line or the interval of element e: 6 unknowns for each
// body, however many contacts it has. Newton's method with a line search (Qi and Sun 1993) begins
// with the stiffness of all springs, P' = 1, whose rank tells the dimension of Λ where no cone
// confines it: rows minus rank.
//
// Not for laws without a smooth cone: pyramids and boxes take the ellipse that they contain, or
// keep the direction that they have; laws of the user keep it always.

#include "solve/least_norm.h"
#include "math/numbers.h"
#include "math/sets.h"
#include "problem/mass.h"
#include "problem/six.h"
#include "solve/least_norm_springs.h"
#include <string.h>

static const double shift = 1e-13;     // of the stiffness of the springs, whose diagonal is one:
static const double null_pivot = 1e-9; // such pivots belong to motions that nothing resists
static const double balanced = 1e-12;  // of the largest force: a balance that is taken

// ---------------------------------------------------------------- without loops

// the world and all immovable bodies are one node
static int node_of(const cairn_problem* problem, int body)
{
    bool moves = body != CAIRN_WORLD_BODY && cairn_mass_moves(&problem->bodies[body]);
    return moves ? body : problem->body_count;
}

// Whether blocks and the bodies that they connect are a forest, the world among them: then each
// impulse follows from the balance of what hangs on it. A limit or a motor of a joint is part of
// it. `parent` has room for the bodies and the world.
static bool is_forest(const cairn_problem* problem, int* parent, const int* blocks, int count)
{
    const cairn_block* before = NULL;
    int rows = 0;

    // bodies and the world start as trees of their own
    for (int i = 0; i <= problem->body_count; i++)
        parent[i] = i;

    // a block joins two trees; one within a tree closes a loop
    for (int c = 0; c < count; c++) {
        const cairn_block* block = &problem->blocks[blocks[c]];
        if (cairn_block_is_soft(problem, block))
            continue;
        int i = cairn_set_root(parent, node_of(problem, block->body_a));
        int j = cairn_set_root(parent, node_of(problem, block->body_b));

        // a limit or a motor follows its joint and bears along an axis that the joint leaves free
        bool extra = before && block->kind != CAIRN_BLOCK_CONTACT &&
                     before->kind != CAIRN_BLOCK_CONTACT && block->row_count == 1 &&
                     block->body_a == before->body_a && block->body_b == before->body_b;
        rows = extra ? rows + 1 : block->row_count;

        if ((i == j && !extra) || rows > 6)
            return false;
        parent[i] = j;
        before = block;
    }

    return true;
}

// ---------------------------------------------------------------- the dual problem

// the projection on |x_1 ..| <= μ x_0 and, if asked for, its derivative, row-major
static void project_on_cone(double* x, double* W, const double* z, double mu, int n)
{
    double t = cairn_norm_n(z + 1, n - 1);
    bool inside = t <= mu * z[0], none = !inside && mu * t <= -z[0];

    for (int k = 0; W && k < n * n; k++)
        W[k] = inside && k % (n + 1) == 0 ? 1.0 : 0.0;
    if (inside || none) {
        for (int k = 0; k < n; k++)
            x[k] = inside ? z[k] : 0.0;
        return;
    }

    // s (1, μ u) with s = (z_0 + μ t) / (1 + μ²) and u the direction of z_1 ..
    double over = 1.0 / (1.0 + mu * mu), s = (z[0] + mu * t) * over;
    x[0] = s;
    for (int k = 1; k < n; k++)
        x[k] = mu * s * z[k] / t;
    if (!W)
        return;

    // its derivative
    W[0] = over;
    for (int i = 1; i < n; i++) {
        double u = z[i] / t;
        W[i] = W[n * i] = mu * over * u;
        for (int j = 1; j < n; j++)
            W[n * i + j] =
                (mu * mu * over - mu * s / t) * u * (z[j] / t) + (i == j ? mu * s / t : 0.0);
    }
}

// x = P(z) of one element, and P' if asked for
static void project(cairn_spring* own, double* W, int n)
{
    switch (own->kind) {
    case CAIRN_SPRING_CONE:
        project_on_cone(own->x, W, own->z, own->mu, n);
        return;
    case CAIRN_SPRING_HALF:
        own->x[0] = fmax(own->z[0], 0.0);
        break;
    case CAIRN_SPRING_INTERVAL:
        own->x[0] = fmin(fmax(own->z[0], own->lo), own->hi);
        break;
    case CAIRN_SPRING_FREE:
        memcpy(own->x, own->z, (size_t)n * sizeof(double));
        break;
    }

    for (int k = 0; W && k < n * n; k++)
        W[k] = k % (n + 1) == 0 && own->x[k / (n + 1)] == own->z[k / (n + 1)] ? 1.0 : 0.0;
}

// to += s J^T x of one element
static void spread(double* to, const cairn_element* element, const double* x, double s)
{
    for (int k = 0; k < element->count; k++)
        for (int i = 0; i < 6; i++) {
            if (element->a >= 0)
                to[6 * element->a + i] += s * element->J[k][i] * x[k];
            if (element->b >= 0)
                to[6 * element->b + i] += s * element->J[k][6 + i] * x[k];
        }
}

// x = P(J y), r = f - J^T x; returns φ. `linear` tells whether no projection did anything.
static double evaluate(cairn_sharing* all, const double* y, bool* linear)
{
    size_t numbers = 6 * (size_t)all->bodies;
    double phi = 0.0;
    *linear = true;

    // φ = f·y - Σ (z·x - ½ |x|²), with z = J y and x = P(z)
    memcpy(all->r, all->f, numbers * sizeof(double));
    for (size_t i = 0; i < numbers; i++)
        phi += all->f[i] * y[i];
    for (int e = 0; e < all->count; e++) {
        cairn_element* element = &all->elements[e];
        cairn_spring* own = &all->springs[e];

        // the stretch of the spring and the force that it may bear
        for (int k = 0; k < element->count; k++)
            own->z[k] = (element->a >= 0 ? cairn_dot6(element->J[k], y + 6 * element->a) : 0.0) +
                        (element->b >= 0 ? cairn_dot6(element->J[k] + 6, y + 6 * element->b) : 0.0);
        project(own, NULL, element->count);

        for (int k = 0; k < element->count; k++) {
            phi -= own->z[k] * own->x[k] - 0.5 * own->x[k] * own->x[k];
            *linear = *linear && own->x[k] == own->z[k];
        }
        spread(all->r, element, own->x, -1.0);
    }

    return phi;
}

// the stiffness of the springs that bear something, or of all
static bool factor(cairn_sharing* all, bool every, double regular)
{
    cairn_stiffness_start(&all->stiffness, regular);
    for (int e = 0; e < all->count; e++) {
        double W[cairn_element_rows * cairn_element_rows] = {0};
        int n = all->elements[e].count;
        if (every)
            for (int k = 0; k < n; k++)
                W[(n + 1) * k] = 1.0;
        else
            project(&all->springs[e], W, n);
        cairn_stiffness_add(&all->stiffness, &all->elements[e], W);
    }
    return cairn_stiffness_factor(&all->stiffness);
}

// y ← y + α d with φ enough larger; false when there is no such step
static bool search(cairn_sharing* all, double* phi, bool* linear)
{
    size_t numbers = 6 * (size_t)all->bodies;
    double slope = 0.0, before = *phi;
    for (size_t i = 0; i < numbers; i++)
        slope += all->r[i] * all->d[i];
    double round_off = 1e-14 * fabs(before);
    for (double alpha = 1.0; alpha > 1e-6; alpha *= 0.5) {
        for (size_t i = 0; i < numbers; i++)
            all->trial[i] = all->y[i] + alpha * all->d[i];
        *phi = evaluate(all, all->trial, linear);
        if (*phi >= before + 1e-4 * alpha * slope - round_off) {
            memcpy(all->y, all->trial, numbers * sizeof(double));
            return true;
        }
    }
    return false;
}

// Newton's method from the springs that all bear; true when the forces balance
static bool maximize(cairn_sharing* all)
{
    enum { most_steps = 60 };
    size_t numbers = 6 * (size_t)all->bodies;
    bool linear, every = true;
    double phi = evaluate(all, all->y, &linear), left = cairn_largest(all->r, (ptrdiff_t)numbers);
    for (int step = 0; step < most_steps && left > 1e-15 * all->largest; step++) {
        // the springs of the last step serve again as long as all of them bear
        if (!every || (step > 0 && !linear)) {
            every = linear;
            double regular = fmin(1e-3, fmax(1e-11, 1e-2 * left / all->largest));
            if (!factor(all, every, every ? shift : regular))
                return false;
        }

        // a Newton step with a line search along it
        memcpy(all->d, all->r, numbers * sizeof(double));
        cairn_stiffness_solve(&all->stiffness, all->d);
        double before = left;
        if (!search(all, &phi, &linear))
            break;

        // stop at the floor of round-off, where the forces balance and hardly improve
        left = cairn_largest(all->r, (ptrdiff_t)numbers);
        if (left <= balanced * all->largest && left > 0.5 * before)
            break;
    }

    evaluate(all, all->y, &linear);
    return cairn_largest(all->r, (ptrdiff_t)numbers) <= balanced * all->largest;
}

// ---------------------------------------------------------------- the whole

// A diagonal of about one makes pivots comparable: translations and rotations of each body are
// scaled, each as a whole, so that what is round-off in one direction stays so.
static void equilibrate(cairn_sharing* all)
{
    size_t numbers = 6 * (size_t)all->bodies;
    double* D = all->d;

    // the diagonal of J^T J
    memset(D, 0, numbers * sizeof(double));
    for (int e = 0; e < all->count; e++) {
        const cairn_element* element = &all->elements[e];
        for (int k = 0; k < element->count; k++)
            for (int i = 0; i < 6; i++) {
                if (element->a >= 0)
                    D[6 * element->a + i] += element->J[k][i] * element->J[k][i];
                if (element->b >= 0)
                    D[6 * element->b + i] += element->J[k][6 + i] * element->J[k][6 + i];
            }
    }

    // one scale for the translations and one for the rotations of each body
    for (size_t i = 0; i < numbers; i += 3) {
        double most = fmax(D[i], fmax(D[i + 1], D[i + 2]));
        D[i] = D[i + 1] = D[i + 2] = most > 0.0 ? 1.0 / sqrt(most) : 0.0;
    }

    for (int e = 0; e < all->count; e++) {
        cairn_element* element = &all->elements[e];
        for (int k = 0; k < element->count; k++)
            for (int i = 0; i < 6; i++) {
                element->J[k][i] *= element->a >= 0 ? D[6 * element->a + i] : 0.0;
                element->J[k][6 + i] *= element->b >= 0 ? D[6 * element->b + i] : 0.0;
            }
    }
}

static void write_back(const cairn_sharing* all, double* lambda)
{
    for (int e = 0; e < all->count; e++) {
        const cairn_spring* own = &all->springs[e];
        for (int k = 0; k < own->lambda_count; k++)
            lambda[own->row[k]] = own->unit[k] * own->x[own->ray ? 0 : k];
    }
}

// blocks that may bear something else, and the bodies between them
static bool take(cairn_sharing* all, const int* blocks, int count, cairn_arena* arena)
{
    int elements = 0;
    for (int c = 0; c < count; c++) {
        const cairn_block* block = &all->problem->blocks[blocks[c]];
        elements += block->kind == CAIRN_BLOCK_CONTACT ? 1 : block->row_count; // at most
    }

    all->local = CAIRN_TAKE(arena, int, all->problem->body_count);
    all->springs = CAIRN_TAKE(arena, cairn_spring, elements);
    all->elements = CAIRN_TAKE(arena, cairn_element, elements);
    if (arena->failed)
        return false;

    // bodies are numbered as the springs name them
    memset(all->local, -1, (size_t)all->problem->body_count * sizeof(int));
    for (int c = 0; c < count; c++) {
        const cairn_block* block = &all->problem->blocks[blocks[c]];
        if (!cairn_block_is_soft(all->problem, block))
            cairn_sharing_add(all, block);
    }

    size_t numbers = 6 * (size_t)all->bodies;
    all->f = CAIRN_TAKE_ZEROED(arena, double, numbers);
    all->y = CAIRN_TAKE_ZEROED(arena, double, numbers);
    all->r = CAIRN_TAKE(arena, double, numbers);
    all->d = CAIRN_TAKE(arena, double, numbers);
    all->trial = CAIRN_TAKE(arena, double, numbers);
    return !arena->failed;
}

// whether the island is too large for this
static bool is_large(const cairn_problem* problem, const int* blocks, int count)
{
    int contacts = 0, joints = 0;
    for (int c = 0; c < count; c++) {
        bool contact = problem->blocks[blocks[c]].kind == CAIRN_BLOCK_CONTACT;
        contacts += contact;
        joints += !contact;
    }
    return contacts > cairn_shared_contacts || joints > cairn_shared_contacts;
}

// the least impulses of elements that are not unique
static void share(cairn_sharing* all, double* lambda)
{
    for (int e = 0; e < all->count; e++)
        spread(all->f, &all->elements[e], all->springs[e].start, 1.0);
    all->largest = cairn_largest(all->f, 6 * (ptrdiff_t)all->bodies);
    if (maximize(all))
        write_back(all, lambda);
}

cairn_status cairn_least_norm(double* lambda, cairn_shared* shared, const cairn_answer* answer,
                              const int* blocks, int block_count, cairn_arena* arena,
                              const cairn_stop* stop)
{
    const cairn_problem* problem = answer->A->problem;
    *shared = (cairn_shared){.multiplicity = CAIRN_MULTIPLICITY_UNKNOWN};
    if (!problem->rows)
        return CAIRN_OK;

    // nothing is to be shared where nothing closes a loop
    int* parent = CAIRN_TAKE(arena, int, problem->body_count + 1);
    if (!parent)
        return CAIRN_NO_MEMORY;
    if (is_forest(problem, parent, blocks, block_count)) {
        shared->multiplicity = 0;
        return CAIRN_OK;
    }
    if (is_large(problem, blocks, block_count))
        return CAIRN_OK;

    // rows that may change, and their rank
    cairn_sharing all = {.answer = answer, .problem = problem, .lambda = lambda};
    if (!take(&all, blocks, block_count, arena))
        return CAIRN_NO_MEMORY;
    equilibrate(&all);
    cairn_status status =
        cairn_stiffness_prepare(&all.stiffness, all.bodies, all.elements, all.count, arena, stop);
    if (status != CAIRN_OK || !factor(&all, true, shift))
        return status;
    int rank = 6 * all.bodies - cairn_stiffness_null(&all.stiffness, null_pivot);
    shared->multiplicity = rank < all.variables ? all.variables - rank : 0;
    shared->moves = all.moves;
    if (shared->multiplicity > 0)
        share(&all, lambda);
    return CAIRN_OK;
}
