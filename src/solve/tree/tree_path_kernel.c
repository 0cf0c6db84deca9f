// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Auxiliary rows on their way from their bodies to the roots (see tree_response.c), four in the
// lanes of a group, all groups together: links are visited once, in order of elimination, and every
// link adds its share to S for the pairs of groups that come through it, and to s for the
// right-hand side (z_f, t_f) that the tree was loaded with,
//
//     t = -Z^T z,   γ = N^-1 t,   z_p += U^T t,   y = G^-1 (z + j_qk^T γ)
//     S_gh += y_g^T Δ^-1 y_h + γ_g^T E γ_h
//     s_g  += z_g^T D^-1 z_f - γ_g^T t_f.
//
// `plain` rows, the usual ones, have K = J_a^T and meet no compliance.

#include "solve/tree/tree.h"
#include "solve/tree/tree_unroll.h"

// what the right-hand side left at a link
typedef struct loaded {
    double e[cairn_tree_small]; // D^-1 z_f
    double t[cairn_tree_small];
} loaded;

INLINE void load(loaded* to, const cairn_tree_sweep* sweep, const cairn_tree_link* link,
                 const int n, const int m)
{
    const double* G = sweep->factors + link->factor;
    const double* x = sweep->x + link->x;
    UNROLL for (int i = 0; i < n; i++) to->e[i] = x[i];
    UNROLL for (int r = 0; r < m; r++) to->t[r] = x[n + r];
    SOLVE_PACKED(G, to->e, n);
}

// y and γ of one group from what arrived in z; on return z holds what goes to the parent
INLINE void respond(const cairn_tree_sweep* sweep, const cairn_tree_link* link, cairn_double4* z,
                    cairn_double4* y, cairn_double4* c, const int n, const int m)
{
    const double* G = sweep->factors + link->factor;
    const double* N = G + AT(n, 0);
    const double* Z = sweep->couplings + link->coupling;
    const double* U = Z + n * m;
    const double* jk = sweep->inputs + link->input + AT(n, 0);

    // t = -Z^T z
    UNROLL for (int i = 0; i < n; i++) y[i] = z[i];
    UNROLL for (int r = 0; r < m; r++)
    {
        cairn_double4 sum = Z[n * r] * y[0];
        UNROLL for (int i = 1; i < n; i++) sum += Z[n * r + i] * y[i];
        c[r] = -sum;
    }

    // z_p = U^T t
    UNROLL for (int i = 0; i < n && m > 0; i++)
    {
        cairn_double4 sum = U[i] * c[0];
        UNROLL for (int r = 1; r < m; r++) sum += U[n * r + i] * c[r];
        z[i] = sum;
    }

    // γ = N^-1 t and y = G^-1 (z + j^T γ)
    SOLVE_PACKED(N, c, m);
    UNROLL for (int r = 0; r < m; r++)
    {
        UNROLL for (int i = 0; i < n; i++) y[i] += jk[n * r + i] * c[r];
    }
    SOLVE_LOWER(G, y, n);
}

// z^T e - γ^T t
INLINE cairn_double4 see_loaded(const loaded* f, const cairn_double4* z, const cairn_double4* c,
                                const int n, const int m)
{
    cairn_double4 sum = f->e[0] * z[0];
    UNROLL for (int i = 1; i < n; i++) sum += f->e[i] * z[i];
    UNROLL for (int r = 0; r < m; r++) sum -= f->t[r] * c[r];
    return sum;
}

INLINE void visit(const cairn_tree_sweep* sweep, const cairn_tree_link* link,
                  const cairn_tree_walk* walk, cairn_tree_head* head, const loaded* f,
                  const bool plain, const int n, const int m)
{
    const double* G = sweep->factors + link->factor;
    const double* E = sweep->inputs + link->input + AT(n, 0) + 2 * n * m;
    cairn_double4 y[6], c[6], z[6];
    UNROLL for (int i = 0; i < n; i++) z[i] = head->z[0][i];
    respond(sweep, link, head->z[0], y, c, n, m);
    if (walk->s) {
        double* s = walk->s + 4 * head->group;
        cairn_store4(s, cairn_load4(s) + see_loaded(f, z, c, n, m));
    }
    UNROLL for (int i = 0; i < n; i++) head->left[i] = y[i];
    if (!plain) {
        UNROLL for (int r = 0; r < m; r++) head->left[n + r] = c[r];
        if (walk->other_forces)
            respond(sweep, link, head->z[1], y, c, n, m);
        UNROLL for (int r = 0; r < m; r++) head->right[n + r] = E[r] * c[r];
    }
    UNROLL for (int i = 0; i < n; i++) head->right[i] = G[AT(i, i)] * y[i];
}

// S_gh += left_g^T right_h over `count` numbers, for two rows of g
INLINE void meet_half(double* S, ptrdiff_t stride, const double* left, const cairn_double4* right,
                      const int count)
{
    cairn_double4 sum[2];
    UNROLL for (int a = 0; a < 2; a++) sum[a] = left[a] * right[0];
    UNROLL for (int i = 1; i < count; i++)
    {
        UNROLL for (int a = 0; a < 2; a++) sum[a] += left[4 * i + a] * right[i];
    }
    UNROLL for (int a = 0; a < 2; a++)
    {
        cairn_store4(S + stride * a, cairn_load4(S + stride * a) + sum[a]);
    }
}

// near the bodies half of a group is often still empty
INLINE void meet(const cairn_tree_walk* walk, const cairn_tree_head* g, const cairn_tree_head* h,
                 const int count)
{
    const double* left = (const double*)g->left;
    double* S = walk->S + 4 * (walk->stride * g->group + h->group);
    if (g->lanes & 3)
        meet_half(S, walk->stride, left, h->right, count);
    if (g->lanes & 12)
        meet_half(S + 2 * walk->stride, walk->stride, left + 2, h->right, count);
}

// All groups at a link go through it. Heads stand in falling order of groups, so that the lower
// triangle of S is filled where that is enough.
INLINE void go_through(const cairn_tree_sweep* sweep, const cairn_tree_walk* walk,
                       const cairn_tree_link* link, cairn_tree_head* first, const bool plain,
                       const int n, const int m)
{
    loaded f = {{0}, {0}};
    if (walk->s)
        load(&f, sweep, link, n, m);
    for (cairn_tree_head* g = first; g; g = g->next)
        visit(sweep, link, walk, g, &f, plain, n, m);
    for (const cairn_tree_head* g = first; g; g = g->next)
        for (const cairn_tree_head* h = plain || !walk->other_forces ? g : first; h; h = h->next)
            meet(walk, g, h, plain ? n : n + m);
}

// one function for each n and m: all of them in one take compilers a quarter of a minute
typedef void walk_function(const cairn_tree_sweep* sweep, const cairn_tree_walk* walk,
                           const cairn_tree_link* link, cairn_tree_head* first);
#define PLAIN_NAME(n, m) go_through_plain_##n##_##m
#define GENERAL_NAME(n, m) go_through_##n##_##m
#define WALK_FUNCTION(name, plain, n, m)                                                           \
    static void name(const cairn_tree_sweep* sweep, const cairn_tree_walk* walk,                   \
                     const cairn_tree_link* link, cairn_tree_head* first)                          \
    {                                                                                              \
        go_through(sweep, walk, link, first, plain, n, m);                                         \
    }
#define WALK_FUNCTIONS(n, m)                                                                       \
    WALK_FUNCTION(PLAIN_NAME(n, m), true, n, m)                                                    \
    WALK_FUNCTION(GENERAL_NAME(n, m), false, n, m)
EACH_SHAPE(WALK_FUNCTIONS)
static walk_function* const go_through_plain[2][7] = SHAPE_TABLE(PLAIN_NAME);
static walk_function* const go_through_general[2][7] = SHAPE_TABLE(GENERAL_NAME);

// the heads of a link go to its parent, each joined with one of its group that is there already
INLINE void move_up(cairn_tree_walk* walk, cairn_tree_head* first, int parent, const int n)
{
    int sides = walk->other_forces ? 2 : 1;
    cairn_tree_head** at = &walk->first_head[parent];
    walk->pending[parent / 64] |= UINT64_C(1) << parent % 64;

    // both lists are sorted by group, the largest first
    for (cairn_tree_head* head = first; head;) {
        while (*at && (*at)->group > head->group)
            at = &(*at)->next;

        cairn_tree_head* next = head->next;
        if (!*at) {
            *at = head;
            return;
        }

        if ((*at)->group < head->group) {
            head->next = *at;
            *at = head;
        } else {
            (*at)->lanes |= head->lanes;
            for (int side = 0; side < sides; side++)
                UNROLL for (int i = 0; i < n; i++)(*at)->z[side][i] += head->z[side][i];
        }
        head = next;
    }
}

INLINE void walk_link(const cairn_tree_sweep* sweep, cairn_tree_walk* walk, int k, const int n)
{
    const cairn_tree_link* link = &sweep->links[k];
    cairn_tree_head* first = walk->first_head[k];
    walk->first_head[k] = NULL;
    if (walk->other_forces || walk->compliant)
        go_through_general[n == 6][link->rows](sweep, walk, link, first);
    else
        go_through_plain[n == 6][link->rows](sweep, walk, link, first);
    if (link->parent >= 0)
        move_up(walk, first, link->parent, n);
}

void CAIRN_KERNEL(cairn_tree_respond)(const cairn_tree_sweep* t, cairn_tree_walk* walk)
{
    for (int word = 0; word < (t->link_count + 63) / 64; word++)
        while (walk->pending[word]) {
            uint64_t lowest = walk->pending[word] & (~walk->pending[word] + 1);
            int k = 64 * word + __builtin_ctzll(lowest);
            walk->pending[word] ^= lowest;
            walk->visited[word] |= lowest;
            if (t->n == 3)
                walk_link(t, walk, k, 3);
            else
                walk_link(t, walk, k, 6);
        }
}

// ---------------------------------------------------------------- one column more

// z and t of forces that are added to a solve, at one link; leaves zeros where they came along
INLINE void push_link(const cairn_tree_sweep* sweep, const cairn_tree_link* link, double* forces,
                      const int n, const int m)
{
    const double* Z = sweep->couplings + link->coupling;
    const double* U = Z + n * m;
    double* at = forces + link->x;
    double* x = sweep->x + link->x;
    double own[6], t[6];

    UNROLL for (int i = 0; i < n; i++)
    {
        own[i] = at[i];
        at[i] = 0.0;
    }

    // t = -Z^T z is added to that of the solve
    UNROLL for (int r = 0; r < m; r++)
    {
        double sum = -Z[n * r] * own[0];
        UNROLL for (int i = 1; i < n; i++) sum -= Z[n * r + i] * own[i];
        t[r] = sum;
        x[n + r] += sum;
    }

    UNROLL for (int i = 0; i < n; i++) x[i] += own[i];
    if (m == 0 || link->parent < 0)
        return;

    double* up = forces + sweep->links[link->parent].x;
    UNROLL for (int i = 0; i < n; i++)
    {
        UNROLL for (int r = 0; r < m; r++) up[i] += U[n * r + i] * t[r];
    }
}

void CAIRN_KERNEL(cairn_tree_push)(const cairn_tree_sweep* t, const uint64_t* visited,
                                   double* forces)
{
    for (int word = 0; word < (t->link_count + 63) / 64; word++)
        for (uint64_t bits = visited[word]; bits; bits &= bits - 1) {
            const cairn_tree_link* link = &t->links[64 * word + __builtin_ctzll(bits)];
            if (t->n == 3)
                FOR_ROWS(link->rows, push_link, t, link, forces, 3)
            else
                FOR_ROWS(link->rows, push_link, t, link, forces, 6)
        }
}
