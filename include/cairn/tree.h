// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Linear-time elimination on forests of bodies: the layer below the method `tree`. Bodies are
// nodes, constraints between two of them (or between one and the world) are edges; with
//
//     M y = f + J^T λ,     J y + E λ + c = 0
//
// the block matrix [M J^T; J -E] is factored in one pass from the leaves to the roots, in time and
// memory proportional to the number of bodies. y is an acceleration, a velocity or a displacement,
// whatever f and c are made for: (F; J̇ u), (M u + h F; bias), (0; error of position).
//
// A constraint that would close a loop (also through the world) is not part of the forest: it is
// told by cairn_tree_is_primary and treated as an auxiliary constraint, like contacts, limits and
// motors: cairn_tree_response.
//
// Bodies have any dimension from 1 to 1000 (deformable ones have many), constraints as many rows. Up
// to six there are fast kernels. A body of dimension 0 has a prescribed motion (static or
// kinematic): its part of J y belongs into c.
#ifndef CAIRN_TREE_H
#define CAIRN_TREE_H

#include <cairn/problem.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A constraint between two different bodies; one of them may be CAIRN_WORLD_BODY.
typedef struct cairn_tree_constraint {
    int body_a, body_b;
    int row_count; ///< 1..1000
} cairn_tree_constraint;

/// The topology. Start from cairn_default_tree_topology().
typedef struct cairn_tree_topology {
    int body_count;
    const int* dimension; ///< of each body, 0..1000; NULL: 6 each
    int constraint_count;
    const cairn_tree_constraint* constraints;
    int root; ///< a body that becomes the root of its tree unless the tree is anchored to the
              ///< world; -1 (the default): the center of each tree
} cairn_tree_topology;

/// No bodies and no constraints.
CAIRN_API cairn_tree_topology cairn_default_tree_topology(void);

/// The structure, the matrices and their factor. One thread at a time.
typedef struct cairn_tree cairn_tree;

/// Chooses the forest (constraints of more rows first) and its order of elimination. Matrices start
/// as the identity (masses) and zero (constraints, compliance). Rebuild when the topology changes.
CAIRN_API cairn_status cairn_tree_create(const cairn_tree_topology* topology, cairn_tree** tree,
                                         cairn_error* error);
CAIRN_API void cairn_tree_destroy(cairn_tree* tree);

/// Whether a constraint is part of the forest. Others have no effect on factor and solve.
CAIRN_API bool cairn_tree_is_primary(const cairn_tree* tree, int constraint);

/// Where a body's numbers start in vectors y and f; body_count gives the length of such vectors.
CAIRN_API ptrdiff_t cairn_tree_body_offset(const cairn_tree* tree, int body);

/// Where a constraint's numbers start in λ and c; constraint_count gives their length. Constraints
/// that are not primary have their places too: λ is zero there.
CAIRN_API ptrdiff_t cairn_tree_row_offset(const cairn_tree* tree, int constraint);

/// The longest way from a leaf to its root, in bodies.
CAIRN_API int cairn_tree_depth(const cairn_tree* tree);

// ---------------------------------------------------------------- numbers

/// The mass matrix of a body: symmetric positive definite, row-major, dimension x dimension.
CAIRN_API void cairn_tree_set_mass(cairn_tree* tree, int body, const double* M);

/// The rows of a primary constraint: j_a is row_count x dimension of body_a, row-major (NULL for
/// the world and for prescribed bodies), j_b likewise; compliance: row_count numbers >= 0, the
/// diagonal of E, or NULL. Does nothing for constraints that are not primary.
CAIRN_API void cairn_tree_set_constraint(cairn_tree* tree, int constraint, const double* j_a,
                                         const double* j_b, const double* compliance);

/// Factors. Only what was set since the last factor, and its ancestors, is computed again; the
/// numbers are the same as those of a factor from the start. Returns how many primary constraints
/// are redundant, that is, have a row that repeats others as far as their outer body is concerned:
/// such a row is left out (λ = 0). Constraints with more rows than their outer body has dimensions,
/// and blocks beyond six, are judged with both bodies. -1: some mass matrix is not positive definite,
/// or there was no memory (of blocks beyond six).
CAIRN_API int cairn_tree_factor(cairn_tree* tree);

/// The next redundant constraint after `after` (start with -1), or -1.
CAIRN_API int cairn_tree_next_redundant(const cairn_tree* tree, int after);

/// Solves for `columns` right-hand sides stored one after the other. f or c may be NULL: zero.
/// y and lambda are outputs; lambda may be NULL.
CAIRN_API void cairn_tree_solve(cairn_tree* tree, const double* f, const double* c, int columns,
                                double* y, double* lambda);

/// The first half of a solve of one column: the forward sweep, which is all that
/// cairn_tree_response_create needs to know of a right-hand side and cairn_tree_response_finish to
/// complete it. f or c may be NULL: zero.
CAIRN_API void cairn_tree_load(cairn_tree* tree, const double* f, const double* c);

/// The largest |M y - f - J^T λ| and |J y + E λ + c|, each over the size of its largest term.
CAIRN_API double cairn_tree_residual(cairn_tree* tree, const double* f, const double* c,
                                     const double* y, const double* lambda);

/// One step of iterative refinement of one column. Worth it for mass ratios beyond 1e8. Ends
/// what was loaded.
CAIRN_API void cairn_tree_refine(cairn_tree* tree, const double* f, const double* c, double* y,
                                 double* lambda);

/// The smallest displacement (in the norm of M) that removes the errors of position C of the
/// constraints to first order: M dq = J^T λ, J dq + C = 0. Uses the factor that is there.
CAIRN_API void cairn_tree_project(cairn_tree* tree, const double* C, double* dq);

// ---------------------------------------------------------------- auxiliary constraints

/// Rows over some bodies: a = J_a y + c_a, with forces K μ. Any number of different bodies; world
/// and prescribed bodies are left out by the caller.
typedef struct cairn_tree_auxiliary {
    int row_count; ///< 1..1000
    int body_count;
    const int* bodies;
    const double* j; ///< for each body row_count x dimension, row-major, one after the other
    const double* k; ///< K^T in the same shape, or NULL: K = J_a^T (forces that do no work)
} cairn_tree_auxiliary;

/// How auxiliary rows respond to auxiliary forces when the primary constraints hold.
typedef struct cairn_tree_response cairn_tree_response;

/// Sweeps each block along the paths from its bodies to their roots: O(depth) per block. The tree
/// must be factored, and must not change while the response lives; what the blocks point at must
/// stay as well. Where a right-hand side is loaded (cairn_tree_load, or a cairn_tree_solve of one
/// column), the rows' velocities under it are found on the way. Destroy responses before their
/// tree, which keeps the memory for the next one.
CAIRN_API cairn_status cairn_tree_response_create(cairn_tree* tree,
                                                  const cairn_tree_auxiliary* blocks,
                                                  int block_count, cairn_tree_response** response,
                                                  cairn_error* error);
CAIRN_API void cairn_tree_response_destroy(cairn_tree_response* response);

/// Rows of all blocks.
CAIRN_API int cairn_tree_response_rows(const cairn_tree_response* response);

/// S = J_a M̂^-1 K, row-major, rows x rows; a Gram matrix when K = J_a^T: symmetric, and positive
/// semidefinite to round-off.
CAIRN_API void cairn_tree_response_matrix(const cairn_tree_response* response, double* S);

/// s = J_a y for the y that solves the right-hand side that was loaded when the response was
/// created (and without auxiliary forces). There must have been one; y itself is not needed.
CAIRN_API void cairn_tree_response_offset(const cairn_tree_response* response, double* s);

/// s = J_a y for any y.
CAIRN_API void cairn_tree_response_velocity(const cairn_tree_response* response, const double* y,
                                            double* s);

/// Adds the forces K μ to what is loaded (cairn_tree_load, or a cairn_tree_solve of one column): y
/// and lambda of f + K μ, by one sweep along the paths and one backward sweep. Ends what was
/// loaded.
CAIRN_API void cairn_tree_response_finish(cairn_tree_response* response, const double* mu,
                                          double* y, double* lambda);

#ifdef __cplusplus
}
#endif

#endif
