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

enum { cairn_tree_max_rows = 6, cairn_tree_max_dimension = 6 };

typedef struct cairn_tree_link {
    size_t input;  // place of M (packed lower), j_qk, j_qp (m x n), E (m) in `inputs`
    size_t factor; // place of G with 1/Δ (packed lower), Λ with 1/Γ, Z^T, U (m x n) in `factors`
    size_t x;      // place of n + m numbers in vectors
    ptrdiff_t body_at, row_at;     // places in a user's vectors
    int parent;                    // link, or -1
    int first_child, next_sibling; // links, or -1; children ascend
    int body;
    int constraint;      // or -1
    uint8_t rows;        // m
    uint8_t dimension;   // of the body
    bool outer_is_b : 1; // the body k is body_b of the constraint
    bool opens : 1;      // the first child of its parent
    uint8_t redundancy;  // bit 0: a row was left out, bit 1: the mass is not positive
} cairn_tree_link;       // a cache line

struct cairn_tree {
    cairn_arena own; // memory of trees made by cairn_tree_create
    cairn_simd_level level;
    int n; // 3 or 6
    int body_count, constraint_count, link_count;
    cairn_tree_link* links;
    int* link_of_body;       // or -1: prescribed
    int* link_of_constraint; // or -1: not primary
    int* dimension;          // of bodies
    cairn_tree_constraint* constraints;
    ptrdiff_t* body_offset; // body_count + 1
    ptrdiff_t* row_offset;  // constraint_count + 1
    double* inputs;
    double* factors;
    double* forward; // w and c of the last solve
    double* x;
    bool* changed; // links to factor again
    int first_changed, changed_count;
    bool fresh;     // nothing was factored yet
    bool compliant; // some E is not zero
    bool resumable; // `forward` belongs to the last solve, which had one column
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

/// Builds a tree in memory of `arena`. CAIRN_NO_MEMORY or CAIRN_OK; the topology must be valid.
cairn_status cairn_tree_build(cairn_tree* tree, const cairn_tree_topology* topology,
                              cairn_arena* arena);

/// What a group of auxiliary rows leaves on the way from its bodies to the roots: for each link, in
/// lanes, left = (y, γ) and right = (Δ^-1 y, E γ) with y = G^-1 (z + j_qk^T γ). Two groups meet in
/// S_gh = Σ over common links of left_g · right_h.
typedef struct cairn_tree_path {
    int row_count, first_row; // of the whole response
    int lanes;                // 1 or 4
    int count;                // links
    int* links;               // ascending
    double* data;             // 2 (n + m) lanes per link
} cairn_tree_path;

struct cairn_tree_response {
    cairn_arena own;
    cairn_tree* tree;
    int path_count, row_count;
    cairn_tree_path* motion; // of J_a
    cairn_tree_path* force;  // of K; the same array when K = J_a^T everywhere
    int block_count;
    const cairn_tree_auxiliary* blocks; // a copy of the list; what it points at is borrowed
};

/// Builds a response in memory of `arena`. CAIRN_NO_MEMORY or CAIRN_OK.
cairn_status cairn_tree_response_build(cairn_tree_response* response, cairn_tree* tree,
                                       const cairn_tree_auxiliary* blocks, int block_count,
                                       cairn_arena* arena);

/// Numbers that the paths of some blocks will take: a measure of memory and work beforehand.
double cairn_tree_response_size(const cairn_tree* tree, const cairn_tree_auxiliary* blocks,
                                int block_count);

// what the kernels see
typedef struct cairn_tree_sweep {
    int n, link_count;
    cairn_tree_link* links;
    const double* inputs;
    double* factors;
    double* forward; // lanes numbers per place
    double* x;
} cairn_tree_sweep;

// the places that a path still has to go through, with what was pushed to them: z, n lanes each
typedef struct cairn_tree_heads {
    int count;
    int* link;
    double* z;
} cairn_tree_heads;

CAIRN_DECLARE_KERNEL(void, cairn_tree_factor_all, (const cairn_tree_sweep* t));
CAIRN_DECLARE_KERNEL(void, cairn_tree_factor_changed,
                     (const cairn_tree_sweep* t, bool* changed, int first));
CAIRN_DECLARE_KERNEL(void, cairn_tree_forward, (const cairn_tree_sweep* t));
CAIRN_DECLARE_KERNEL(void, cairn_tree_backward, (const cairn_tree_sweep* t));
CAIRN_DECLARE_KERNEL(void, cairn_tree_path,
                     (const cairn_tree_sweep* t, cairn_tree_path* path, cairn_tree_heads* heads));
CAIRN_DECLARE_KERNEL(void, cairn_tree_path4,
                     (const cairn_tree_sweep* t, cairn_tree_path* path, cairn_tree_heads* heads));
CAIRN_DECLARE_KERNEL(void, cairn_tree_forward4, (const cairn_tree_sweep* t));
CAIRN_DECLARE_KERNEL(void, cairn_tree_backward4, (const cairn_tree_sweep* t));

cairn_tree_sweep cairn_tree_sweep_of(const cairn_tree* tree);

/// Both sweeps of one column on what `x` holds.
void cairn_tree_sweep_only(cairn_tree* tree);

/// The backward sweep of one column alone, from what `forward` holds.
void cairn_tree_backward_only(cairn_tree* tree, double* y, double* lambda);

#endif
