// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The arithmetic of articulated.c. Lanes are the coordinates of a body, so that a 6x6 matrix times
// a vector is six products of a column with a number, summed in the same order at every width.

#include "solve/sweep/local_solve.h"
#include "solve/tree/articulated.h"
#include <math.h>

enum { most_rows = 6 };

// ---------------------------------------------------------------- six coordinates

CAIRN_INLINE cairn_six zero(void)
{
    return (cairn_six){0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
}

CAIRN_INLINE cairn_six load(const double* x)
{
    return (cairn_six){x[0], x[1], x[2], x[3], x[4], x[5], 0.0, 0.0};
}

CAIRN_INLINE cairn_six times(const cairn_six_by_six* A, const cairn_six* x)
{
    const double* e = (const double*)x;
    cairn_six sum = A->column[0] * e[0];
    for (int j = 1; j < 6; j++)
        sum += A->column[j] * e[j];
    return sum;
}

CAIRN_INLINE double dot(const double* x, const double* y)
{
    double sum = x[0] * y[0];
    for (int k = 1; k < 6; k++)
        sum += x[k] * y[k];
    return sum;
}

CAIRN_INLINE double dot_six(const cairn_six* x, const cairn_six* y)
{
    return dot((const double*)x, (const double*)y);
}

CAIRN_INLINE double entry(const cairn_six_by_six* A, int i, int j)
{
    return ((const double*)&A->column[j])[i];
}

// 1 in one lane, and in all others
CAIRN_INLINE cairn_six unit(int k)
{
    cairn_six e = zero();
    e[k] = 1.0;
    return e;
}

CAIRN_INLINE cairn_six others(int k)
{
    return (cairn_six){1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0} - unit(k);
}

// A^-1 of a symmetric positive matrix of n rows by Gauss and Jordan, in place, rows as vectors; the
// rest of it is zero. False: it is not positive.
CAIRN_INLINE bool invert(cairn_six_by_six* A, int n)
{
    for (int k = 0; k < n; k++) {
        double pivot = entry(A, k, k);
        if (!(pivot > 0.0))
            return false;
        const cairn_six own = unit(k), rest = others(k);
        double over = 1.0 / pivot;
        cairn_six row = (A->column[k] * rest + own) * over;
        for (int i = 0; i < n; i++)
            if (i != k)
                A->column[i] = A->column[i] * rest - entry(A, k, i) * row;
        A->column[k] = row;
    }

    for (int i = n; i < 6; i++)
        A->column[i] = zero();
    return true;
}

// ---------------------------------------------------------------- the factorization

static bool put_mass(cairn_six_by_six* I, const cairn_mass* mass)
{
    cairn_mat3 inertia = cairn_mat3_inverse(mass->inverse_inertia);
    double m = 1.0 / mass->inverse_mass;
    const double R[6][6] = {{m, 0, 0, 0, 0, 0},
                            {0, m, 0, 0, 0, 0},
                            {0, 0, m, 0, 0, 0},
                            {0, 0, 0, inertia.cx.x, inertia.cx.y, inertia.cx.z},
                            {0, 0, 0, inertia.cy.x, inertia.cy.y, inertia.cy.z},
                            {0, 0, 0, inertia.cz.x, inertia.cz.y, inertia.cz.z}};
    for (int j = 0; j < 6; j++)
        I->column[j] = load(R[j]);
    return mass->inverse_mass > 0.0 && isfinite(inertia.cx.x + inertia.cy.y + inertia.cz.z);
}

static void put_rows(cairn_limb_factor* factor, const cairn_limb* limb,
                     const cairn_problem* problem)
{
    for (int r = 0; r < limb->row_count; r++) {
        const cairn_row* row = &problem->rows[limb->row[r]];
        factor->outer[r] = load(limb->is_b[r] ? row->b : row->a);
        factor->inner[r] = limb->parent < 0 ? zero() : load(limb->is_b[r] ? row->a : row->b);
    }
}

// eliminates a limb; its parent takes its inertia over
static bool eliminate(cairn_limb_factor* own, cairn_limb_factor* parent, const cairn_limb* limb,
                      const double* compliance)
{
    const int n = limb->row_count;
    if (!invert(&own->inertia, 6))
        return false;
    own->response = own->inertia;
    if (n == 0)
        return true;

    // Y = I^-1 J^T, S = J Y + C
    cairn_six Y[most_rows], Z[most_rows], V[most_rows];
    for (int r = 0; r < n; r++)
        Y[r] = times(&own->inertia, &own->outer[r]);
    for (int r = 0; r < 6; r++)
        own->S.column[r] = zero();
    for (int r = 0; r < n; r++)
        for (int s = 0; s <= r; s++) {
            double x = dot_six(&own->outer[r], &Y[s]);
            ((double*)&own->S.column[r])[s] = ((double*)&own->S.column[s])[r] = x;
        }
    for (int r = 0; r < n && compliance; r++)
        ((double*)&own->S.column[r])[r] += compliance[limb->row[r]];
    if (!invert(&own->S, n))
        return false;

    // Z = Y S^-1: N = I^-1 - Z Y^T is the response with the parent held, T = -Z K
    for (int r = 0; r < n; r++) {
        Z[r] = V[r] = zero();
        for (int s = 0; s < n; s++) {
            double x = entry(&own->S, r, s);
            Z[r] += x * Y[s];
            V[r] += x * own->inner[s];
        }
    }
    for (int j = 0; j < 6; j++) {
        cairn_six N = own->response.column[j], T = zero(), up = zero();
        for (int r = 0; r < n; r++) {
            N -= Z[r] * ((const double*)&Y[r])[j];
            T -= Z[r] * ((const double*)&own->inner[r])[j];
            up -= own->inner[r] * ((const double*)&Z[r])[j];
        }
        own->response.column[j] = N;
        own->down.column[j] = T;
        own->up.column[j] = up;
    }

    // K^T S^-1 K
    for (int j = 0; j < 6 && parent; j++)
        for (int r = 0; r < n; r++)
            parent->inertia.column[j] += V[r] * ((const double*)&own->inner[r])[j];
    return true;
}

// Φ_ii = N + T Φ_pp T^T, from the root outwards
static void respond(cairn_limb_factor* own, const cairn_limb_factor* parent)
{
    for (int j = 0; j < 6; j++) {
        cairn_six x = times(&parent->response, &own->up.column[j]);
        own->response.column[j] += times(&own->down, &x);
    }
}

// J_b Φ_ba J_a^T of a grip within one tree, by way of the limb where their branches meet
static void cross_response(cairn_six* x, const cairn_articulated* all, int from, int to)
{
    const cairn_limb* limbs = all->limbs;
    int depth = 0, a = from, b = to;
    while (a != b) {
        if (limbs[a].depth >= limbs[b].depth) {
            *x = times(&all->factors[a].up, x);
            a = limbs[a].parent;
        } else {
            all->path[depth++] = b;
            b = limbs[b].parent;
        }
    }

    *x = times(&all->factors[a].response, x);
    while (depth > 0)
        *x = times(&all->factors[all->path[--depth]].down, x);
}

static void weigh_grip(const cairn_articulated* all, cairn_grip* grip)
{
    // relative to the bodies' own response: joints that close loops may be redundant
    const double shift = 1e-7;
    const int n = grip->row_count;
    const cairn_six *ja = all->ja + grip->first, *jb = all->jb + grip->first;
    bool same =
        grip->a >= 0 && grip->b >= 0 && all->limbs[grip->a].tree == all->limbs[grip->b].tree;

    cairn_six_by_six W;
    for (int k = 0; k < 6; k++)
        W.column[k] = zero();

    for (int k = 0; k < n; k++) {
        cairn_six in_a = zero(), in_b = zero();
        if (grip->a >= 0)
            in_a = times(&all->factors[grip->a].response, &ja[k]);
        if (grip->b >= 0)
            in_b = times(&all->factors[grip->b].response, &jb[k]);

        // both sides in one tree: an impulse on one also moves the other
        if (same) {
            cairn_six from_a = ja[k], from_b = jb[k];
            cross_response(&from_a, all, grip->a, grip->b);
            cross_response(&from_b, all, grip->b, grip->a);
            in_a += from_b;
            in_b += from_a;
        }

        for (int r = 0; r < n; r++)
            ((double*)&W.column[k])[r] = dot_six(&ja[r], &in_a) + dot_six(&jb[r], &in_b);
        ((double*)&W.column[k])[k] += all->softness[grip->first + k];
        grip->diagonal[k] = entry(&W, k, k);
    }

    // contacts keep W for the local solve
    if (grip->kind == CAIRN_BLOCK_CONTACT) {
        for (int k = 0; k < n; k++)
            for (int r = 0; r < n; r++)
                grip->W[4 * k + r] = entry(&W, r, k);
        return;
    }

    // others keep its inverse, regularized by the shift
    for (int k = 0; k < n; k++)
        ((double*)&W.column[k])[k] += shift * grip->scale;
    bool regular = invert(&W, n);
    for (int k = 0; k < 6; k++)
        for (int r = 0; r < 6; r++)
            grip->W[6 * k + r] = regular ? entry(&W, r, k) : 0.0;
}

bool CAIRN_KERNEL(cairn_articulated_factor_kernel)(cairn_articulated* all)
{
    const cairn_problem* problem = all->problem;

    // masses and rows
    for (int i = 0; i < all->limb_count; i++) {
        if (!put_mass(&all->factors[i].inertia, &problem->bodies[all->limbs[i].body]))
            return false;
        put_rows(&all->factors[i], &all->limbs[i], problem);
    }

    // from the leaves to the roots
    for (int i = all->limb_count - 1; i >= 0; i--) {
        int parent = all->limbs[i].parent;
        if (!eliminate(&all->factors[i], parent < 0 ? NULL : &all->factors[parent], &all->limbs[i],
                       problem->compliance))
            return false;
    }

    // outwards: Φ of each limb, then W of each grip
    for (int i = 0; i < all->limb_count; i++)
        if (all->limbs[i].parent >= 0)
            respond(&all->factors[i], &all->factors[all->limbs[i].parent]);
    for (int c = 0; c < all->grip_count; c++)
        weigh_grip(all, &all->grips[c]);
    return true;
}

// ---------------------------------------------------------------- joints alone

// M v = force + J^T λ, J v + C λ + c = 0 for the rows of the forest; `force`: six numbers a limb
void CAIRN_KERNEL(cairn_articulated_solve_kernel)(cairn_articulated* all, const double* force,
                                                  const double* c, double* lambda)
{
    cairn_six* f = all->pending;
    for (int i = 0; i < all->limb_count; i++)
        f[i] = load(force + 6 * (ptrdiff_t)i);

    // inwards: what the joint bears with the parent held
    for (int i = all->limb_count - 1; i >= 0; i--) {
        const cairn_limb* limb = &all->limbs[i];
        const cairn_limb_factor* own = &all->factors[i];
        const int n = limb->row_count;
        cairn_six e = zero();
        if (limb->parent < 0 || n == 0)
            continue;
        cairn_six x = times(&own->inertia, &f[i]);
        for (int r = 0; r < n; r++)
            ((double*)&e)[r] = dot_six(&own->outer[r], &x) + c[limb->row[r]];
        e = times(&own->S, &e);

        for (int r = 0; r < n; r++)
            f[limb->parent] -= own->inner[r] * ((const double*)&e)[r];
    }

    // outwards
    for (int i = 0; i < all->limb_count; i++) {
        const cairn_limb* limb = &all->limbs[i];
        const cairn_limb_factor* own = &all->factors[i];
        const int n = limb->row_count;
        cairn_six x = times(&own->inertia, &f[i]), e = zero();
        for (int r = 0; r < n; r++) {
            double u = dot_six(&own->outer[r], &x) + c[limb->row[r]];
            if (limb->parent >= 0)
                u += dot_six(&own->inner[r], &all->v[limb->parent]);
            ((double*)&e)[r] = u;
        }

        e = times(&own->S, &e);
        cairn_six total = f[i];
        for (int r = 0; r < n; r++) {
            lambda[limb->row[r]] = -((const double*)&e)[r];
            total -= own->outer[r] * ((const double*)&e)[r];
        }
        all->v[i] = n > 0 ? times(&own->inertia, &total) : x;
    }

    // nothing is pending: every limb has seen its parent
    for (int i = 0; i < all->limb_count; i++) {
        f[i] = zero();
        all->stirred[i] = false;
        all->seen[i] = all->limbs[i].parent < 0 ? zero() : all->v[all->limbs[i].parent];
    }
}

// ---------------------------------------------------------------- walking

// Only one limb of each tree has its true velocity at a time. A walk along the branches brings
// another up to date: a limb takes the change of its parent since its last visit, a parent takes
// the impulses that its child has been given.

CAIRN_INLINE void climb(cairn_articulated* all, int from)
{
    int parent = all->limbs[from].parent;
    if (!all->stirred[from])
        return;
    cairn_six x = times(&all->factors[from].up, &all->pending[from]);
    all->v[parent] += times(&all->factors[parent].response, &x);
    all->pending[parent] = all->stirred[parent] ? all->pending[parent] + x : x;
    all->stirred[parent] = true;
    all->stirred[from] = false;
    all->seen[from] = all->v[parent];
}

CAIRN_INLINE void descend(cairn_articulated* all, int to)
{
    cairn_six now = all->v[all->limbs[to].parent], x = now - all->seen[to];
    all->v[to] += times(&all->factors[to].down, &x);
    all->seen[to] = now;
}

static void walk(cairn_articulated* all, int to)
{
    const cairn_limb* limbs = all->limbs;
    int* at = &all->at[limbs[to].tree];
    int from = *at, other = to, depth = 0;
    if (from == to)
        return;

    while (from != other) {
        if (limbs[from].depth >= limbs[other].depth) {
            climb(all, from);
            from = limbs[from].parent;
        } else {
            all->path[depth++] = other;
            other = limbs[other].parent;
        }
    }

    while (depth > 0)
        descend(all, all->path[--depth]);
    *at = to;
}

// brings all velocities up to date
static void settle(cairn_articulated* all)
{
    for (int t = 0; t < all->tree_count; t++) {
        int i = all->at[t];
        for (; all->limbs[i].parent >= 0; i = all->limbs[i].parent)
            climb(all, i);
        all->stirred[i] = false;
        all->at[t] = i;
    }
    for (int i = 0; i < all->limb_count; i++)
        if (all->limbs[i].parent >= 0)
            descend(all, i);
}

CAIRN_INLINE void push(cairn_articulated* all, int limb, cairn_six p)
{
    all->v[limb] += times(&all->factors[limb].response, &p);
    all->pending[limb] = all->stirred[limb] ? all->pending[limb] + p : p;
    all->stirred[limb] = true;
}

// ---------------------------------------------------------------- sweeps

// A contact with two rows of friction: open, sticking, or sliding with l of the last sweep as the
// start of Newton's method on 1/r_N = 1/|r_T| (solve/sweep/local_solve.c). False: not solved.
static bool solve_cone(double* r, cairn_grip* grip, const double* b)
{
    const double* W = grip->W;
    const double over = 1.0 / W[0], x = W[1] * over, y = W[2] * over;
    const double p = W[5] - x * W[4], q = W[9] - x * W[8], s = W[10] - y * W[8];
    const double g = b[1] - x * b[0], h = b[2] - y * b[0];

    // stick: r_T = -S^-1 g
    double det = p * s - q * q;
    if (!(det > 0.0))
        return false;
    r[1] = (q * h - s * g) / det;
    r[2] = (q * g - p * h) / det;
    r[0] = -(b[0] + W[4] * r[1] + W[8] * r[2]) * over;
    if (r[0] >= 0.0 && r[1] * r[1] + r[2] * r[2] <= r[0] * r[0])
        return true;

    // slide: the shift l, from the last sweep
    double l = grip->slide;
    enum { most_steps = 3 };
    const double close = 1e-3;
    for (int k = 0; k < most_steps; k++) {
        double a = p + l, d = s + l;
        det = 1.0 / (a * d - q * q);
        r[1] = (q * h - d * g) * det;
        r[2] = (q * g - a * h) * det;
        r[0] = -(b[0] + W[4] * r[1] + W[8] * r[2]) * over;

        double length = sqrt(r[1] * r[1] + r[2] * r[2]);
        if (!(r[0] > 0.0 && length > 0.0))
            return false;
        if (fabs(length - r[0]) <= close * r[0] && k > 0) {
            // onto the cone; the next sweep goes on from here
            double share = r[0] / length;
            r[1] *= share;
            r[2] *= share;
            grip->slide = l;
            return true;
        }

        // Newton's step in l
        double z1 = (d * r[1] - q * r[2]) * det, z2 = (a * r[2] - q * r[1]) * det;
        double normal = (W[4] * z1 + W[8] * z2) * over;
        double slope =
            -normal / (r[0] * r[0]) - (r[1] * z1 + r[2] * z2) / (length * length * length);
        l -= (1.0 / r[0] - 1.0 / length) / slope;
        if (!(l >= 0.0))
            return false;
    }
    return false;
}

// the impulses of a contact that obey its law, with b what its velocity is without them
static void solve_contact(double* r, cairn_grip* grip, const double* b)
{
    r[0] = r[1] = r[2] = r[3] = 0.0;
    if (b[0] >= 0.0)
        return;
    if (grip->slip_count == 0) {
        r[0] = grip->W[0] > 0.0 ? -b[0] / grip->W[0] : 0.0;
        return;
    }
    if (grip->slip_count == 2 && grip->row_count == 3 && solve_cone(r, grip, b))
        return;

    // the general local solve
    cairn_local local = {
        .W = grip->W, .mu = 1.0, .slip_count = grip->slip_count, .slip = grip->slip};
    r[0] = r[1] = r[2] = r[3] = 0.0;
    cairn_local_solve(r, &local, b);

    // remember l for the next sweep, u_T = -l r_T
    if (grip->slip_count == 2 && grip->row_count == 3) {
        double square = r[1] * r[1] + r[2] * r[2], along = 0.0;
        for (int i = 1; i < 3; i++)
            along +=
                r[i] * (b[i] + grip->W[i] * r[0] + grip->W[4 + i] * r[1] + grip->W[8 + i] * r[2]);
        grip->slide = square > 0.0 ? fmax(0.0, -along / square) : 0.0;
    }
}

// the new impulses of a grip with the velocity u of its rows
static void solve_grip(double* r, cairn_grip* grip, const double* lambda, const double* u)
{
    const int n = grip->row_count;
    if (grip->kind == CAIRN_BLOCK_CONTACT) {
        double b[4] = {0.0};
        for (int i = 0; i < n; i++) {
            b[i] = u[i];
            for (int j = 0; j < n; j++)
                b[i] -= grip->W[4 * j + i] * lambda[j];
        }
        solve_contact(r, grip, b);
        return;
    }

    for (int i = 0; i < n; i++) {
        double sum = lambda[i];
        for (int j = 0; j < n; j++)
            sum -= grip->W[6 * j + i] * u[j];
        r[i] = sum < grip->lo ? grip->lo : sum > grip->hi ? grip->hi : sum;
    }
}

// m²/s²: the square of how far a grip is from its law before it is visited; see problem/residual.c.
// In scaled rows the disc of friction has the radius of the normal impulse.
static double violation(const cairn_grip* grip, const double* lambda, const double* u)
{
    const double over = grip->over;
    double square = 0.0;
    if (grip->kind != CAIRN_BLOCK_CONTACT) {
        for (int r = 0; r < grip->row_count; r++) {
            double x = lambda[r] - over * u[r];
            double F = lambda[r] - (x < grip->lo ? grip->lo : x > grip->hi ? grip->hi : x);
            square += F * F;
        }
        return square * grip->scale * grip->scale;
    }

    // the normal row, and friction: within the disc it is not projected
    double z = lambda[0] - over * u[0], normal = lambda[0] - (z < 0.0 ? 0.0 : z);
    double y[3] = {0.0}, length = 0.0, radius = lambda[0] > 0.0 ? lambda[0] : 0.0;
    for (int k = 0; k < grip->slip_count; k++) {
        int r = grip->slip[k];
        y[k] = lambda[r] - grip->slip_over * u[r];
        length += y[k] * y[k];
    }

    double share = length <= radius * radius ? 1.0 : radius / sqrt(length);
    for (int k = 0; k < grip->slip_count; k++) {
        double F = lambda[grip->slip[k]] - share * y[k];
        square += F * F;
    }
    return (normal * normal + grip->slip_square * square) * grip->scale * grip->scale;
}

static double visit(cairn_articulated* all, cairn_grip* grip)
{
    const int n = grip->row_count;
    const cairn_six *ja = all->ja + grip->first, *jb = all->jb + grip->first;
    double* lambda = all->lambda + grip->first;
    double u[most_rows], r[most_rows], change[most_rows];
    bool changed = false;

    // the velocities of both sides
    if (grip->a >= 0)
        walk(all, grip->a);
    if (grip->b >= 0)
        walk(all, grip->b);
    for (int i = 0; i < n; i++) {
        u[i] = all->b[grip->first + i] + all->softness[grip->first + i] * lambda[i];
        if (grip->a >= 0)
            u[i] += dot_six(&ja[i], &all->v[grip->a]);
        if (grip->b >= 0)
            u[i] += dot_six(&jb[i], &all->v[grip->b]);
    }

    // the law
    double worst = violation(grip, lambda, u);
    solve_grip(r, grip, lambda, u);
    for (int i = 0; i < n; i++) {
        change[i] = r[i] - lambda[i];
        lambda[i] = r[i];
        changed = changed || change[i] != 0.0;
    }
    if (!changed)
        return worst;

    // what it does to both sides
    cairn_six on_a = zero(), on_b = zero();
    for (int i = 0; i < n; i++) {
        on_a += ja[i] * change[i];
        on_b += jb[i] * change[i];
    }
    if (grip->b >= 0)
        push(all, grip->b, on_b);
    if (grip->a >= 0) {
        walk(all, grip->a);
        push(all, grip->a, on_a);
    }
    return worst;
}

// the step along the conjugate direction, from what the last sweep left
static void step_ahead(cairn_articulated* all)
{
    double square = 0.0;
    for (int c = 0; c < all->grip_count; c++) {
        const cairn_grip* grip = &all->grips[c];
        for (int i = 0; i < grip->row_count; i++) {
            double d = all->lambda[grip->first + i] - all->before[grip->first + i];
            square += grip->diagonal[i] * d * d;
        }
    }

    // β of Fletcher and Reeves; zero when the changes have grown
    double beta = all->last > 0.0 && square <= all->last ? square / all->last : 0.0;
    all->last = square;

    for (int r = 0; r < all->grip_rows; r++) {
        double d = all->lambda[r] - all->before[r], ahead = beta * all->way[r];
        all->way[r] = ahead + d;
        all->lambda[r] += ahead;
    }
    for (int i = 0; i < all->limb_count; i++) {
        cairn_six d = all->v[i] - all->v_before[i], ahead = beta * all->v_way[i];
        all->v_way[i] = ahead + d;
        all->v[i] += ahead;
    }

    for (int i = 0; i < all->limb_count; i++)
        if (all->limbs[i].parent >= 0)
            all->seen[i] = all->v[all->limbs[i].parent];
}

double CAIRN_KERNEL(cairn_articulated_sweep_kernel)(cairn_articulated* all)
{
    double most = 0.0;
    if (all->sweeps > 0)
        step_ahead(all);
    for (int r = 0; r < all->grip_rows; r++)
        all->before[r] = all->lambda[r];
    for (int i = 0; i < all->limb_count; i++)
        all->v_before[i] = all->v[i];
    for (int c = 0; c < all->grip_count; c++) {
        double change = visit(all, &all->grips[c]);
        most = change > most || change != change ? change : most;
    }
    settle(all);
    all->sweeps++;
    return sqrt(most);
}
