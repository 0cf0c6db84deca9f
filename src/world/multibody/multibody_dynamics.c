// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The dynamics of a tree of links, M(q) a + c(q, v) = τ, by three recursions (Featherstone 2008):
//
//     inverse   A_i = A_p + Σ S a + V_i × S v,   F_i = I_i A_i + V_i ×* I_i V_i + Σ F_children,   τ = S·F
//     M         I^c_i = I_i + Σ I^c_children,    M_jk = S_j · I^c_i S_k for k of link i, j of its ancestors
//     forward   articulated inertias from the leaves, accelerations from the roots
//
// Gravity is an acceleration of the world by -g.

#include "linalg/cholesky6.h"
#include "problem/six.h"
#include "world/multibody/multibody.h"
#include <string.h>

// ---------------------------------------------------------------- rigid bodies about o

// mass, first moment and moments about o
typedef struct rigid {
    double m;
    cairn_vec3 h;
    cairn_mat3 I;
} rigid;

// I_o = I + m (c² 1 - c c^T)
static rigid rigid_of(const cairn_multibody* mb, int i)
{
    double m = mb->links[i].mass;
    cairn_vec3 c = mb->center[i];
    cairn_mat3 X = cairn_mat3_skew(c);
    cairn_mat3 shift = cairn_mat3_scale(-m, cairn_mat3_multiply(X, X));
    return (rigid){m, cairn_scale(m, c), cairn_mat3_add(mb->I[i], shift)};
}

// n = I ω + h × u,  f = m u + ω × h
static cairn_screw rigid_apply(const rigid* r, cairn_screw V)
{
    return (cairn_screw){cairn_add(cairn_mat3_apply(r->I, V.a), cairn_cross(r->h, V.b)),
                         cairn_add(cairn_scale(r->m, V.b), cairn_cross(V.a, r->h))};
}

// V ×* P: the rate of a momentum that goes along with a link of velocity V
static cairn_screw cross_force(cairn_screw V, cairn_screw P)
{
    return (cairn_screw){cairn_add(cairn_cross(V.a, P.a), cairn_cross(V.b, P.b)),
                         cairn_cross(V.a, P.b)};
}

// the acceleration of a link without that of its coordinates: Σ V × S v
static cairn_screw drift(const cairn_multibody* mb, int i, const double* v)
{
    cairn_screw c = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    for (int k = mb->v_at[i]; v && k < mb->v_at[i + 1]; k++)
        if (cairn_column_turns(&mb->links[i], k - mb->v_at[i]))
            c = cairn_screw_add(c, v[k], cairn_screw_cross(mb->V[i], mb->S[k]));
    return c;
}

static cairn_screw world_acceleration(const cairn_multibody* mb)
{
    return (cairn_screw){{0.0, 0.0, 0.0}, cairn_neg(mb->gravity)};
}

// ---------------------------------------------------------------- inverse dynamics

cairn_status cairn_multibody_inverse(cairn_multibody* mb, const double* q, const double* v,
                                     const double* a, double* tau, cairn_error* error)
{
    cairn_status status = cairn_multibody_place(mb, q, error);
    if (status == CAIRN_OK)
        status = cairn_multibody_accept(v, mb->v_count, "v", error);
    if (status == CAIRN_OK)
        status = cairn_multibody_accept(a, mb->v_count, "a", error);
    if (status != CAIRN_OK)
        return status;
    if (!tau)
        return cairn_refuse_null(error, "the place for the forces");

    // accelerations and the forces that they need, from the roots (recursive Newton-Euler)
    cairn_multibody_move(mb, v);
    for (int i = 0; i < mb->count; i++) {
        int parent = mb->links[i].parent;
        cairn_screw A = parent >= 0 ? mb->A[parent] : world_acceleration(mb);

        A = cairn_screw_add(A, 1.0, drift(mb, i, v));
        for (int k = mb->v_at[i]; a && k < mb->v_at[i + 1]; k++)
            A = cairn_screw_add(A, a[k], mb->S[k]);

        rigid body = rigid_of(mb, i);
        mb->A[i] = A;
        mb->F[i] = cairn_screw_add(rigid_apply(&body, A), 1.0,
                                   cross_force(mb->V[i], rigid_apply(&body, mb->V[i])));
    }

    // forces, from the leaves
    for (int i = mb->count - 1; i >= 0; i--) {
        int parent = mb->links[i].parent;
        for (int k = mb->v_at[i]; k < mb->v_at[i + 1]; k++)
            tau[k] = cairn_screw_dot(mb->S[k], mb->F[i]) + (a ? mb->links[i].armature * a[k] : 0.0);
        if (parent >= 0)
            mb->F[parent] = cairn_screw_add(mb->F[parent], 1.0, mb->F[i]);
    }
    return CAIRN_OK;
}

// ---------------------------------------------------------------- mass matrix

// the composite body of a link waits in the first numbers of its IA
static void put_rigid(double* to, const rigid* r)
{
    memcpy(to, r, sizeof *r);
}

static rigid get_rigid(const double* from)
{
    rigid r;
    memcpy(&r, from, sizeof r);
    return r;
}

cairn_status cairn_multibody_mass_matrix(cairn_multibody* mb, const double* q, double* M,
                                         cairn_error* error)
{
    cairn_status status = cairn_multibody_place(mb, q, error);
    if (status != CAIRN_OK)
        return status;

    if (!M)
        return cairn_refuse_null(error, "the place for the mass matrix");

    ptrdiff_t n = mb->v_count;
    memset(M, 0, (size_t)(n * n) * sizeof *M);

    for (int i = 0; i < mb->count; i++) {
        rigid own = rigid_of(mb, i);
        put_rigid(mb->IA + (ptrdiff_t)36 * i, &own);
    }

    // composite rigid bodies, from the leaves
    for (int i = mb->count - 1; i >= 0; i--) {
        rigid sum = get_rigid(mb->IA + (ptrdiff_t)36 * i);

        // rows of this link against itself and its ancestors
        for (int k = mb->v_at[i]; k < mb->v_at[i + 1]; k++) {
            cairn_screw F = rigid_apply(&sum, mb->S[k]);
            for (int j = i; j >= 0; j = mb->links[j].parent)
                for (int l = mb->v_at[j]; l < mb->v_at[j + 1]; l++)
                    M[k * n + l] = M[l * n + k] = cairn_screw_dot(mb->S[l], F);
        }
        for (int k = mb->v_at[i]; k < mb->v_at[i + 1]; k++)
            M[k * n + k] += mb->links[i].armature;

        // the composite body joins that of the parent
        int parent = mb->links[i].parent;
        if (parent < 0)
            continue;
        rigid to = get_rigid(mb->IA + (ptrdiff_t)36 * parent);
        to.m += sum.m;
        to.h = cairn_add(to.h, sum.h);
        to.I = cairn_mat3_add(to.I, sum.I);
        put_rigid(mb->IA + (ptrdiff_t)36 * parent, &to);
    }
    return CAIRN_OK;
}

// ---------------------------------------------------------------- forward dynamics

static void to_six(double* x, cairn_screw s)
{
    memcpy(x, &s, 6 * sizeof *x);
}

static cairn_screw of_six(const double* x)
{
    cairn_screw s;
    memcpy(&s, x, sizeof s);
    return s;
}

// y = A x, of 6 x 6
static void apply_six(double* y, const double* A, const double* x)
{
    for (int r = 0; r < 6; r++) {
        y[r] = 0.0;
        for (int c = 0; c < 6; c++)
            y[r] += A[6 * r + c] * x[c];
    }
}

static void fill_six(double* A, const rigid* r)
{
    for (int c = 0; c < 6; c++) {
        double unit[6] = {0.0}, column[6];
        unit[c] = 1.0;
        to_six(column, rigid_apply(r, of_six(unit)));
        for (int k = 0; k < 6; k++)
            A[6 * k + c] = column[k];
    }
}

// U = IA S, D = S^T U + armature, u = τ - S·F; false when the coordinates move no mass
static bool eliminate(cairn_multibody* mb, int i, const double* tau)
{
    int first = mb->v_at[i], n = mb->v_at[i + 1] - first;
    double* D = mb->D + (ptrdiff_t)36 * i;
    double s[6][6];

    for (int k = 0; k < n; k++) {
        to_six(s[k], mb->S[first + k]);
        apply_six(mb->U + (ptrdiff_t)6 * (first + k), mb->IA + (ptrdiff_t)36 * i, s[k]);
        mb->u[first + k] =
            (tau ? tau[first + k] : 0.0) - cairn_screw_dot(mb->S[first + k], mb->F[i]);
    }

    for (int k = 0; k < n; k++)
        for (int l = 0; l < n; l++)
            D[6 * k + l] = cairn_dot6(s[k], mb->U + (ptrdiff_t)6 * (first + l)) +
                           (k == l ? mb->links[i].armature : 0.0);

    // positive definite to round-off
    double largest = 0.0;
    for (int k = 0; k < n; k++)
        largest = fmax(largest, D[7 * k]);
    return cairn_cholesky6_factor(D, n, 1e-15 * largest);
}

// hands IA - U D⁻¹ U^T and F + (...) c + U D⁻¹ u to the parent
static void hand_on(cairn_multibody* mb, int i)
{
    int first = mb->v_at[i], n = mb->v_at[i + 1] - first;
    int parent = mb->links[i].parent;
    const double* U = mb->U + (ptrdiff_t)6 * first;
    const double* D = mb->D + (ptrdiff_t)36 * i;
    double Ia[36], c[6], Ic[6], F[6];
    memcpy(Ia, mb->IA + (ptrdiff_t)36 * i, sizeof Ia);

    // column by column
    for (int col = 0; col < 6; col++) {
        double x[6] = {0.0};
        for (int k = 0; k < n; k++)
            x[k] = U[6 * k + col];
        cairn_cholesky6_solve(D, n, x);
        for (int row = 0; row < 6; row++)
            for (int k = 0; k < n; k++)
                Ia[6 * row + col] -= U[6 * k + row] * x[k];
    }

    // the bias force that the joint does not take
    double x[6] = {0.0};
    memcpy(x, mb->u + first, (size_t)n * sizeof *x);
    cairn_cholesky6_solve(D, n, x);
    to_six(c, mb->A[i]);
    to_six(F, mb->F[i]);
    apply_six(Ic, Ia, c);
    for (int row = 0; row < 6; row++) {
        F[row] += Ic[row];
        for (int k = 0; k < n; k++)
            F[row] += U[6 * k + row] * x[k];
    }

    for (int k = 0; k < 36; k++)
        mb->IA[(ptrdiff_t)36 * parent + k] += Ia[k];
    mb->F[parent] = cairn_screw_add(mb->F[parent], 1.0, of_six(F));
}

cairn_status cairn_multibody_forward(cairn_multibody* mb, const double* q, const double* v,
                                     const double* tau, double* a, cairn_error* error)
{
    cairn_status status = cairn_multibody_place(mb, q, error);
    if (status == CAIRN_OK)
        status = cairn_multibody_accept(v, mb->v_count, "v", error);
    if (status == CAIRN_OK)
        status = cairn_multibody_accept(tau, mb->v_count, "tau", error);
    if (status != CAIRN_OK)
        return status;
    if (!a)
        return cairn_refuse_null(error, "the place for the accelerations");

    // each link by itself; A holds its drift until the last pass
    cairn_multibody_move(mb, v);
    for (int i = 0; i < mb->count; i++) {
        rigid body = rigid_of(mb, i);
        fill_six(mb->IA + (ptrdiff_t)36 * i, &body);
        mb->A[i] = drift(mb, i, v);
        mb->F[i] = cross_force(mb->V[i], rigid_apply(&body, mb->V[i]));
    }

    // articulated inertias, from the leaves
    for (int i = mb->count - 1; i >= 0; i--) {
        if (!eliminate(mb, i, tau))
            return cairn_fail(error, CAIRN_BAD_INPUT, "the joint of link %d moves no mass", i);

        if (mb->links[i].parent >= 0)
            hand_on(mb, i);
    }

    // accelerations, from the roots
    for (int i = 0; i < mb->count; i++) {
        int parent = mb->links[i].parent, first = mb->v_at[i], n = mb->v_at[i + 1] - first;
        cairn_screw A = parent >= 0 ? mb->A[parent] : world_acceleration(mb);
        double x[6] = {0.0}, six[6];

        A = cairn_screw_add(A, 1.0, mb->A[i]);
        to_six(six, A);
        for (int k = 0; k < n; k++)
            x[k] = mb->u[first + k] - cairn_dot6(mb->U + (ptrdiff_t)6 * (first + k), six);
        cairn_cholesky6_solve(mb->D + (ptrdiff_t)36 * i, n, x);

        for (int k = 0; k < n; k++) {
            a[first + k] = x[k];
            A = cairn_screw_add(A, x[k], mb->S[first + k]);
        }

        mb->A[i] = A;
    }
    return CAIRN_OK;
}

// ---------------------------------------------------------------- energy

cairn_status cairn_multibody_energy(cairn_multibody* mb, const double* q, const double* v,
                                    double* kinetic, double* potential, cairn_error* error)
{
    cairn_status status = cairn_multibody_place(mb, q, error);
    if (status == CAIRN_OK)
        status = cairn_multibody_accept(v, mb->v_count, "v", error);
    if (status != CAIRN_OK)
        return status;

    cairn_multibody_move(mb, v);
    double T = 0.0, P = 0.0;
    for (int i = 0; i < mb->count; i++) {
        rigid body = rigid_of(mb, i);
        cairn_vec3 at = cairn_add(mb->center[i], mb->pose[mb->root[i]].p);

        T += 0.5 * cairn_screw_dot(mb->V[i], rigid_apply(&body, mb->V[i]));
        P -= mb->links[i].mass * cairn_dot(mb->gravity, at);
        for (int k = mb->v_at[i]; v && k < mb->v_at[i + 1]; k++)
            T += 0.5 * mb->links[i].armature * v[k] * v[k];
    }

    if (kinetic)
        *kinetic = T;
    if (potential)
        *potential = P;
    return CAIRN_OK;
}
