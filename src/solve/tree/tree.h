// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The forest inside: links in order of elimination. A link is a body k with the constraint q
// towards its parent body p (none at a free root; q without p where a tree is anchored). Parents
// come after all their children, so both sweeps are scans.
//
//     D_k = M_k + Σ_children j_cp^T N_c^-1 j_cp = G Δ G^T       (n x n)
//     N_q = E_q + j_qk D_k^-1 j_qk^T            = Λ Γ Λ^T       (m x m; -N is the pivot of q)
//     Z   = D_k^-1 j_qk^T,   U = N_q^-1 j_qp
//
// Both D and N are sums of positive terms: nothing cancels. All bodies of a tree are stored with
// the same n, 3 or 6; smaller ones are padded by an identity mass that no row touches.
#ifndef CAIRN_SOLVE_TREE_H
#define CAIRN_SOLVE_TREE_H

#include "math/arena.h"
#include "math/simd.h"
#include <cairn/tree.h>

// blocks of up to `cairn_tree_small` have kernels; larger ones go the general way
enum {
    cairn_tree_small = 6,
    cairn_tree_most = 1000, // rows and dimensions
    cairn_tree_lanes = 4
};

typedef struct cairn_tree_link {
    size_t input;    // place of M (packed lower), j_qk, j_qp (m x n), E (m) in `inputs`
    size_t factor;   // place of G with 1/Δ (packed lower), Λ with 1/Γ in `factors`
    size_t coupling; // place of Z^T, U (m x n) in `couplings`
    size_t x;        // place of n + m numbers in `x`
    int parent;      // link, or -1
    int first_child, next_sibling; // links, or -1; children ascend
    int body;
    int constraint;      // or -1
    uint16_t rows;       // m
    bool outer_is_b : 1; // the body k is body_b of the constraint
    bool opens : 1;      // the first child of its parent
    uint8_t redundancy;  // bit 0: a row was left out, bit 1: the mass is not positive
} cairn_tree_link;

// A link as the sweeps of a solve see it: where its numbers and its parent's are in a user's
// vectors. Far beyond the caches a sweep lasts as long as its data takes to arrive, so this is kept
// small, and what both sweeps read (Z, U) lies apart from what one of them reads (G, Λ).
typedef struct cairn_tree_step {
    uint32_t body_at, row_at;
    uint32_t parent_body_at, parent_x; // no meaning without a parent
    uint8_t rows, dimension, parent_dimension;
    bool has_parent : 1;
    bool opens : 1;
    bool leaf : 1;
} cairn_tree_step;

typedef struct cairn_tree_head cairn_tree_head;
typedef struct cairn_tree_general cairn_tree_general;

struct cairn_tree {
    cairn_arena own;             // memory of trees made by cairn_tree_create
    cairn_tree_response* spare;  // memory for the next response, or NULL
    cairn_tree_general* general; // where blocks are not small, or NULL
    cairn_simd_level level;
    int n; // 3 or 6, or the largest dimension
    int body_count, constraint_count, link_count;
    cairn_tree_link* links;
    cairn_tree_step* steps;
    int* link_of_body;       // or -1: prescribed
    int* link_of_constraint; // or -1: not primary
    int* dimension;          // of bodies
    cairn_tree_constraint* constraints;
    ptrdiff_t* body_offset; // body_count + 1
    ptrdiff_t* row_offset;  // constraint_count + 1
    double* inputs;
    double* factors;
    double* couplings;
    bool lean;                    // one or two columns, no responses: without what they need
    double* x;                    // z and t of the last solve, in lanes
    double* lanes;                // right-hand sides and answers, four lanes each
    double* forces;               // as x, forces on their way to the roots; 0 between walks
    cairn_tree_head** first_head; // of each link, NULL between walks (tree_response.c)
    uint64_t* pending;            // one bit per link, 0 between walks
    bool* changed;                // links to factor again
    int first_changed, changed_count;
    int redundant, massless; // links with bit 0 and bit 1 of their redundancy
    bool fresh;              // nothing was factored yet
    bool compliant;          // some E is not zero
    bool loaded;             // `x` belongs to one right-hand side
    bool all_primary;
    int depth;
};

// places inside a link's inputs and factors
static inline size_t cairn_packed(int n)
{
    return (size_t)(n * (n + 1) / 2);
}

static inline size_t cairn_tree_block(int n, int m)
{
    return (size_t)(n * m);
}

/// Builds a tree in memory of `arena`. CAIRN_NO_MEMORY or CAIRN_OK; the topology must be valid. A
/// lean tree has no responses, and solves one column, or two by cairn_tree_solve_pair.
cairn_status cairn_tree_build(cairn_tree* tree, const cairn_tree_topology* topology, bool lean,
                              cairn_arena* arena);

/// Solves for two columns side by side: each number of y, λ and c is two. λ may be NULL.
void cairn_tree_solve_pair(cairn_tree* tree, double* y, double* lambda, const double* c);

/// Up to four auxiliary rows that go from their bodies to the roots together, a lane each.
typedef struct cairn_tree_group {
    int first_row, row_count;
} cairn_tree_group;

/// A group on its way, at one link: what arrived there, and what it leaves there,
/// left = (y, γ) and right = (Δ^-1 y, E γ) with y = G^-1 (z + j_qk^T γ).
struct cairn_tree_head {
    cairn_double4 z[2][cairn_tree_small]; // of J_a and of K
    cairn_double4 left[cairn_tree_small + cairn_tree_small];
    cairn_double4 right[cairn_tree_small + cairn_tree_small];
    cairn_tree_head* next; // at the same link, of a lower group, or NULL
    int group;
    unsigned lanes; // a bit for each that is not empty
};

/// The walk of all groups to the roots.
typedef struct cairn_tree_walk {
    cairn_tree_head** first_head; // of each link, or NULL
    uint64_t* pending;            // links with heads
    uint64_t* visited;            // out: links that some group went through
    double* S;                    // out: `stride` numbers per row, rows in lanes of groups
    double* s;                    // out, or NULL: nothing was loaded
    ptrdiff_t stride;
    bool compliant;
    bool other_forces; // K is not J_a^T
} cairn_tree_walk;

struct cairn_tree_response {
    cairn_arena own;
    cairn_tree* tree;
    int group_count, row_count;
    cairn_tree_group* groups;
    uint64_t* visited;
    double* S; // (4 group_count)²; symmetric where K = J_a^T: only h <= g are filled in
    double* s; // 4 group_count, or NULL
    bool other_forces;
    int block_count;
    const cairn_tree_auxiliary* blocks; // a copy of the list; what it points at is borrowed
};

/// Some rows of a block, all in lanes of one group.
typedef struct cairn_tree_part {
    const cairn_tree_auxiliary* block;
    int first, count; // of its rows
    int group, lane;
} cairn_tree_part;

/// The part after `p`, which starts as zeros, in the order of groups; false: there is none.
bool cairn_tree_next_part(const cairn_tree_response* response, cairn_tree_part* p);

/// Whether the response by columns is cheaper than that by paths.
bool cairn_tree_columns_pay(const cairn_tree_response* response, cairn_arena* arena);

/// Fills S, s and `visited` of a response by solves for its columns K (tree_columns.c).
/// CAIRN_NO_MEMORY or CAIRN_OK.
cairn_status cairn_tree_respond_by_columns(cairn_tree_response* response, cairn_arena* arena);

/// Builds a response in memory of `arena`. CAIRN_NO_MEMORY or CAIRN_OK.
cairn_status cairn_tree_response_build(cairn_tree_response* response, cairn_tree* tree,
                                       const cairn_tree_auxiliary* blocks, int block_count,
                                       cairn_arena* arena);

/// Gives a response's memory back to the system; NULL is allowed.
void cairn_tree_response_free(cairn_tree_response* response);

/// Numbers that the paths of some blocks will touch: a measure of the work beforehand.
double cairn_tree_response_size(const cairn_tree* tree, const cairn_tree_auxiliary* blocks,
                                int block_count);

// what the kernels see
typedef struct cairn_tree_sweep {
    int n, link_count;
    cairn_tree_link* links;
    const cairn_tree_step* steps;
    const double* inputs;
    double* factors;
    double* couplings;
    double* x;               // LANES numbers per place, as in all that follow
    const double *f, *c;     // or NULL: zero
    double *y, *lambda;      // lambda may be NULL
    int redundant, massless; // changes in the number of links that are
} cairn_tree_sweep;

CAIRN_DECLARE_NARROW_KERNEL(void, cairn_tree_factor_all, (cairn_tree_sweep * t));
CAIRN_DECLARE_NARROW_KERNEL(void, cairn_tree_factor_changed,
                            (cairn_tree_sweep * t, bool* changed, int first));
CAIRN_DECLARE_NARROW_KERNEL(void, cairn_tree_forward, (const cairn_tree_sweep* t));
CAIRN_DECLARE_NARROW_KERNEL(void, cairn_tree_backward, (const cairn_tree_sweep* t));
CAIRN_DECLARE_NARROW_KERNEL(void, cairn_tree_forward2, (const cairn_tree_sweep* t));
CAIRN_DECLARE_NARROW_KERNEL(void, cairn_tree_backward2, (const cairn_tree_sweep* t));
CAIRN_DECLARE_NARROW_KERNEL(void, cairn_tree_forward4, (const cairn_tree_sweep* t));
CAIRN_DECLARE_NARROW_KERNEL(void, cairn_tree_backward4, (const cairn_tree_sweep* t));
CAIRN_DECLARE_NARROW_KERNEL(void, cairn_tree_respond,
                            (const cairn_tree_sweep* t, cairn_tree_walk* walk));
CAIRN_DECLARE_NARROW_KERNEL(void, cairn_tree_push,
                            (const cairn_tree_sweep* t, const uint64_t* visited, double* forces));

cairn_tree_sweep cairn_tree_sweep_of(const cairn_tree* tree);

/// The backward sweep of one column alone, from what `x` holds.
void cairn_tree_backward_only(cairn_tree* tree, double* y, double* lambda);

#endif
