// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The contact problem that every method solves, and the one measure of how well it was solved.
//
//     v = A λ + b,      A = J M^-1 J^T + C
//
// λ are impulses (N s), v the velocities of the constraint rows (m/s), b those velocities without
// impulses. Rows come in blocks between two bodies: a contact, a joint, a limit, a motor. J is
// stored as 12 numbers per row and M^-1 per body, or A is given explicitly in sparse 3x3 blocks.
// See docs/notation.md.
#ifndef CAIRN_PROBLEM_H
#define CAIRN_PROBLEM_H

#include <cairn/base.h>
#include <cairn/math.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The index of the world in a block: an immovable partner.
#define CAIRN_WORLD_BODY (-1)

/// A rigid body as a problem sees it. A static body has zeros.
typedef struct cairn_mass {
    double inverse_mass;        ///< 1/kg, >= 0
    cairn_mat3 inverse_inertia; ///< 1/(kg m²), world frame, symmetric positive semidefinite
} cairn_mass;

/// One row of J: its velocity is a·(linear, angular velocity of A) + b·(those of B).
typedef struct cairn_row {
    double a[6];
    double b[6];
} cairn_row;

typedef enum cairn_block_kind {
    CAIRN_BLOCK_CONTACT, ///< normal row first, then two tangential rows, then the spin about the normal
    CAIRN_BLOCK_JOINT,    ///< equality rows: v = 0
    CAIRN_BLOCK_LIMIT,    ///< one-sided rows: 0 <= v ⟂ λ >= 0
    CAIRN_BLOCK_MOTOR,    ///< rows whose impulse stays in [lo, hi] and that reach v = 0 if it can
    CAIRN_BLOCK_VELOCITY, ///< equality rows between velocities that no position constraint implies
                          ///< (gears)
} cairn_block_kind;

/// The set F(λ_N) of friction impulses that a contact can bear. All grow linearly with λ_N, and the
/// friction impulse of a sliding contact is the one in F that dissipates most.
typedef enum cairn_friction_kind {
    CAIRN_FRICTION_NONE,    ///< {0}
    CAIRN_FRICTION_CONE,    ///< |λ_F| <= μ λ_N
    CAIRN_FRICTION_ELLIPSE, ///< (λ_T/μ_0)² + (λ_S/μ_1)² <= λ_N²
    CAIRN_FRICTION_ELLIPSOID, ///< the same + (λ_τ/μ_2)²; 4 rows; μ_2 in meters (Coulomb-Contensou)
    CAIRN_FRICTION_PYRAMID, ///< regular polygon with `facets` corners at distance μ λ_N, one along T
    CAIRN_FRICTION_BOX,     ///< |λ_T| <= μ_0 λ_N, |λ_S| <= μ_1 λ_N
    CAIRN_FRICTION_SLIDING, ///< known slip direction: λ_F = -μ λ_N slip, whatever v_F is
    CAIRN_FRICTION_CUSTOM,  ///< the convex set that `project` projects on
} cairn_friction_kind;

/// Projects `force` (2 or 3 numbers: T, S and τ for a contact of 4 rows) on a convex set that
/// contains zero and is scaled by the normal impulse `normal` >= 0, in place, in the Euclidean
/// norm.
typedef void (*cairn_friction_projection)(double* force, double normal, int rows, void* context);

typedef struct cairn_friction {
    cairn_friction_kind kind;
    int facets;     ///< PYRAMID: d, 3 .. 1000
    double mu[3];   ///< T, S (no unit) and τ (m); CONE, PYRAMID and SLIDING use mu[0]
    double slip[2]; ///< SLIDING: unit direction of the slip velocity
    cairn_friction_projection project; ///< CUSTOM
    void* context;                     ///< CUSTOM: handed to `project`
} cairn_friction;

/// Rows [row, row + row_count) of the problem, between body_a and body_b (either may be
/// CAIRN_WORLD_BODY). A contact has 1, 2, 3 or 4 rows (2: plane problems); v_N > 0 separates.
typedef struct cairn_block {
    cairn_block_kind kind;
    int row;
    int row_count;
    int body_a, body_b;
    cairn_friction friction; ///< contacts only
    int source;              ///< yours: which contact or joint it came from; no method reads it
} cairn_block;

/// A square matrix in 3x3 blocks, compressed by block rows. Each row's columns ascend and contain
/// the diagonal. Not assumed symmetric.
typedef struct cairn_block_matrix {
    int n;          ///< block rows
    int* row_begin; ///< n + 1
    int* column;    ///< row_begin[n]
    double* value;  ///< 9 * row_begin[n], each block row-major
} cairn_block_matrix;

/// The problem: plain arrays. They belong to whoever filled them in; methods only read.
typedef struct cairn_problem {
    int body_count;
    int block_count;
    int row_count;
    int space;             ///< 3, or 2 for a plane problem (contacts then slide along T alone)
    cairn_mass* bodies;    ///< body_count
    cairn_block* blocks;   ///< block_count, rows in order and without gaps
    cairn_row* rows;       ///< row_count, or NULL when A is explicit
    cairn_block_matrix* A; ///< explicit A (then every block is a contact of 3 rows), or NULL
    double* b;             ///< row_count
    double* lo;            ///< row_count: least impulse of motor rows (others: ignored), or NULL
    double* hi;            ///< row_count: greatest impulse of motor rows, or NULL
    double* compliance;    ///< row_count: C, the diagonal added to A (>= 0), or NULL
    double* warm;          ///< row_count: impulses to start from, or NULL
    int body_capacity;     ///< of arrays that cairn_problem_add_* grow; 0 for borrowed arrays
    int block_capacity;
    int row_capacity;
} cairn_problem;

// ---------------------------------------------------------------- building

/// An empty problem. Fill it with cairn_problem_add_*, give it back with cairn_problem_destroy.
CAIRN_API cairn_problem cairn_problem_empty(void);

/// Frees the arrays of a problem that was built with cairn_problem_add_* or read from a file.
CAIRN_API void cairn_problem_destroy(cairn_problem* problem);

/// Adds a body; its index is the former body_count.
CAIRN_API cairn_status cairn_problem_add_body(cairn_problem* problem, cairn_mass mass);

/// Adds a block of `row_count` rows with their velocities `b`; lo = -∞, hi = ∞, no compliance. The
/// rows start at the former row_count. The arguments must not point into the problem's own arrays,
/// which may move.
CAIRN_API cairn_status cairn_problem_add_block(cairn_problem* problem, const cairn_block* block,
                                               const cairn_row* rows, const double* b);

/// Gives one motor row its bounds.
CAIRN_API void cairn_problem_set_bounds(cairn_problem* problem, int row, double lo, double hi);

/// The rows of a contact at a point: r_a and r_b lead from the centers of A and B to it, n is the
/// unit normal from A to B. Order: normal, two tangents (cairn_tangents), spin; `row_count` of
/// them.
CAIRN_API void cairn_contact_rows(cairn_vec3 n, cairn_vec3 r_a, cairn_vec3 r_b, int row_count,
                                  cairn_row* rows);

/// A point that moves with a rigid body: what accelerates it beside forces.
typedef struct cairn_moving_point {
    cairn_vec3 v; ///< m/s: velocity of the body's center
    cairn_vec3 w; ///< rad/s: its angular velocity
    cairn_vec3 r; ///< m: from the center to the point
} cairn_moving_point;

/// J̇ u of the rows of cairn_frame_rows: how their velocity changes while no force acts. The frame
/// turns with body A, whose surface the point of B touches; with c the difference of the points'
/// centripetal accelerations and v that of their velocities, f·c + 2 (w_a × f)·v for each axis f,
/// and nothing for the spin. At rest it is zero. `a` or `b` may be NULL: the world.
CAIRN_API void cairn_frame_bias(cairn_mat3 frame, const cairn_moving_point* a,
                                const cairn_moving_point* b, int row_count, double* bias);

/// Turns a problem of impulses into one of forces: b = J M^-1 F + J̇ u, accelerations of the rows in
/// m/s². F has 6 numbers per body: force (N) and torque about the center (N m), with -ω × I ω in
/// it. `bias` is J̇ u, row_count numbers, or NULL: zero. Then λ are forces (N), and so are the
/// limits lo and hi. Needs rows, not an explicit A.
CAIRN_API cairn_status cairn_problem_set_accelerations(cairn_problem* problem, const double* force,
                                                       const double* bias, cairn_error* error);

/// What restitution adds to b of a normal row: e v_N for a contact that approaches with v_N before
/// the impulses (Newton's law v_N' = -e v_N), and nothing when it approaches more slowly than
/// `threshold` (m/s), so that resting contacts do not rattle.
CAIRN_API double cairn_contact_restitution(double v_normal, double e, double threshold);

/// The same with tangents of one's own: the columns of `frame` are normal and tangents.
CAIRN_API void cairn_frame_rows(cairn_mat3 frame, cairn_vec3 r_a, cairn_vec3 r_b, int row_count,
                                cairn_row* rows);

/// Isotropic Coulomb friction; frictionless when mu is 0 is the same cone of no width.
CAIRN_API cairn_friction cairn_friction_cone(double mu);

/// Copies a problem with all its arrays into `copy`.
CAIRN_API cairn_status cairn_problem_copy(const cairn_problem* problem, cairn_problem* copy);

/// Checks every number and index: sizes that agree, rows in order, finite data, μ >= 0, lo <= hi,
/// ascending columns with a diagonal. The methods rely on it; cairn_solve calls it.
CAIRN_API cairn_status cairn_problem_check(const cairn_problem* problem, cairn_error* error);

/// The same problem with A = J M^-1 J^T formed explicitly (contacts of up to 3 rows only).
CAIRN_API cairn_status cairn_problem_explicit(const cairn_problem* problem, cairn_problem* form,
                                              cairn_error* error);

/// Number of blocks that are contacts.
CAIRN_API int cairn_problem_contact_count(const cairn_problem* problem);

/// v = A λ + b, computed afresh from the problem alone. Returns CAIRN_NO_MEMORY or CAIRN_OK.
CAIRN_API cairn_status cairn_problem_velocity(const cairn_problem* problem, const double* lambda,
                                              double* v);

/// The change of the bodies' velocities, 6 numbers each (linear, angular): M^-1 J^T λ.
CAIRN_API void cairn_problem_body_velocity(const cairn_problem* problem, const double* lambda,
                                           double* change);

// ---------------------------------------------------------------- islands

/// Blocks that can feel each other: island i holds the blocks block[begin[i]] ..
/// block[begin[i+1]-1], ascending; islands are ordered by their first block.
typedef struct cairn_islands {
    int count;
    int* begin; ///< count + 1
    int* block; ///< block_count
} cairn_islands;

/// Splits a problem into islands. Static bodies and the world do not connect. Free with
/// cairn_islands_destroy.
CAIRN_API cairn_status cairn_problem_islands(const cairn_problem* problem, cairn_islands* islands);
CAIRN_API void cairn_islands_destroy(cairn_islands* islands);

/// The sub-problem made of some blocks (ascending); its row r is row `row_of[r]` of the whole.
/// `row_of` has room for the rows of these blocks.
CAIRN_API cairn_status cairn_problem_extract(const cairn_problem* problem, const int* blocks,
                                             int block_count, cairn_problem* part, int* row_of);

// ---------------------------------------------------------------- the certificate

/// Which law the friction of contacts is measured against.
typedef enum cairn_law {
    CAIRN_LAW_AS_GIVEN, ///< each contact's own
    CAIRN_LAW_COULOMB,  ///< cones in place of pyramids and boxes
    CAIRN_LAW_PYRAMID,  ///< pyramids of `facets` in place of cones and ellipses
    CAIRN_LAW_BOX,      ///< boxes in place of cones, ellipses and pyramids
} cairn_law;

/// How far impulses are from solving a problem; docs/certificate.md defines each figure.
typedef struct cairn_residual {
    double relative;    ///< velocity / max |b|: no unit, unchanged by a scaling of mass or time
    double velocity;    ///< m/s: the worst block of the natural map
    double approach;    ///< m/s: the worst v_N < 0 of a contact
    double slip;        ///< m/s: the worst |slip| that friction below its limit should have stopped
    double fclib_merit; ///< libfclib's MERIT_1: |F| / (1 + sqrt |q|), step 1, De Saxcé's term
    double fclib_relative; ///< |F| / |q|: the strict one
    int worst_block;       ///< the block of `velocity`, or -1
} cairn_residual;

/// Measures λ against the contact law, from λ and a freshly computed v = A λ + b alone. `facets` is
/// used by CAIRN_LAW_PYRAMID. The fclib figures are NaN where blocks other than contacts of a cone
/// and equality rows are present.
CAIRN_API cairn_status cairn_problem_residual(const cairn_problem* problem, const double* lambda,
                                              cairn_law law, int facets, cairn_residual* residual);

#ifdef __cplusplus
}
#endif

#endif
