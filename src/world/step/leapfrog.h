// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// An island without contacts on its way through a step: its bodies and joints in memory of their
// own, so that a substep can be tried and taken back. Private to this folder.
//
//     flight.c       from the world and back
//     ties.c         joints: places, rows, errors of position
//     free_row.c     limits, motors and springs on the coordinate of a joint
//     tie_factor.c   M y = J^T λ, J y + E λ + c = 0
//     leapfrog.c     one substep: kick, drift, kick
//     energy.c       the balance of energy
//     inertia.c      bodies that are too light for their joints
//     substeps.c     the whole step: how many substeps, and what happens at their bound
//     free_flight.c  a body alone
#ifndef CAIRN_WORLD_LEAPFROG_H
#define CAIRN_WORLD_LEAPFROG_H

#include "world/step/linkage.h"
#include "world/step/rotation.h"

/// A velocity, or a momentum.
typedef struct cairn_twist {
    cairn_vec3 v, w;
} cairn_twist;

/// A body of the island.
typedef struct cairn_mover {
    cairn_body* body;
    cairn_transform at; ///< of the principal frame
    cairn_twist u;      ///< its velocity
    cairn_vec3 moments; ///< kg m²: as raised
    double raised;      ///< by this factor
    double stiffness;   ///< rad²/s²: see cairn_pace
    int quiet;          ///< likewise
    int axis;           ///< of symmetry, or -1: no gyroscopic torque in the kicks
    // of the present place and kick, damping included
    double inverse_mass;
    cairn_mat3 inverse_inertia;
    cairn_vec3 gyration; ///< N m s: the gyroscopic impulse of the kick
} cairn_mover;

/// Damping in a kick.
typedef struct cairn_drag {
    double keep_v, keep_w; ///< what it leaves of v and w
    double phi_v, phi_w;   ///< the factor that impulses see on mass and inertia
} cairn_drag;

/// What holds the coordinate of a joint in a kick.
typedef enum cairn_free_mode {
    CAIRN_FREE_OFF,
    CAIRN_FREE_SPRING, ///< J u + soft λ + bias = 0
    CAIRN_FREE_MOTOR,  ///< J u = speed
    CAIRN_FREE_LIMIT,  ///< the coordinate ends at its limit
} cairn_free_mode;

/// Limit, motor and spring of a joint share the row of its coordinate.
typedef struct cairn_free {
    bool there;           ///< the coordinate has a row at the present place
    cairn_free_mode mode; ///< what is solved for,
    double side;          ///< at a limit: 1 at the lower one, -1 at the upper one; else 0
    double pressed;       ///< N s: by a motor at the end of its strength, applied already; else 0
    int saturated;        ///< 1 or -1 then
    double bound;         ///< N s: strength of the motor in this kick
    double goal;          ///< what J u is to be in the modes of motor and limit
    double soft, bias;    ///< the law of the spring and damper; soft 0: none
    double spring;        ///< N s: its impulse at the end of a kick, where it is known beforehand
    double damping;       ///< N s per unit of velocity: of the damper in this kick,
    double share;         ///< of it by the velocity after; the rest by that before
    double row_before;    ///< J v before the kick
    double x, x_next;     ///< the coordinate at the present place, and after the drift,
    double x_last;        ///< and where the substep began
    double limit, motor, pull; ///< N s: of limit, motor and spring in the kick
} cairn_free;

/// What a joint has beyond the points of a ball joint.
typedef struct cairn_tie_more {
    cairn_link_place place, next; ///< at the present place, and after the drift
    cairn_row rows[6];            ///< of the present place; the last one may be the coordinate's
    int count;                    ///< equality rows
    bool blank;                   ///< which its kind does not have at this place: zeros
    bool extra;                   ///< there is a place for the row of the coordinate
    double compliance;            ///< of that row as factored
    bool on;                      ///< that row is part of the factor
    double lo, hi;                ///< limits of the coordinate in this step
    double shares[3];             ///< N s along it: of limit, motor and spring, as `impulse`
    cairn_free free;
} cairn_tie_more;

/// A joint of the island.
typedef struct cairn_tie {
    cairn_link* link;
    int a, b;                  ///< movers, or -1
    int first, width;          ///< its rows in vectors
    cairn_vec3 r_a, r_b;       ///< of a ball joint: from the centers to its point
    cairn_tie_more* more;      ///< NULL: a ball joint and no more
    cairn_vec3 impulse, twist; ///< N s, N m s on B, of a substep that may be taken back
} cairn_tie;

/// Where energy went.
typedef struct cairn_ledger {
    double external, motor, dissipated; ///< J
} cairn_ledger;

/// Why a substep was not taken.
typedef enum cairn_refusal {
    CAIRN_TAKEN,
    CAIRN_DIVERGED,
    CAIRN_ENERGY,
    CAIRN_FAILED, ///< a matrix could not be factored
} cairn_refusal;

typedef struct cairn_loop_factor cairn_loop_factor;

/// What a substep that is taken back has to bring back of a body and of the coordinate of a joint.
typedef struct cairn_past_mover {
    cairn_twist u;
    double stiffness;
} cairn_past_mover;

typedef struct cairn_past_free {
    double x, side;
    int saturated;
} cairn_past_free;

/// Joints that are open by so many times their tolerance at most are closed.
static const double cairn_joint_slack = 10.0;

/// Of velocities that the solves of a kick leave across the joints of a net, relative.
static const double cairn_kick_accuracy = 1e-11;

/// The island under way.
typedef struct cairn_flight {
    const cairn_span* span;
    int body_count, link_count, row_count;
    cairn_mover* movers;
    cairn_tie* ties;
    cairn_tie_more* more; ///< of the joints that have it
    int more_count;
    cairn_past_mover* past_movers; ///< when the substep began,
    cairn_past_free* past_free;    ///< of each `more`
    double past_time;
    double reach;             ///< m: the longest arm of a joint
    double fast;              ///< m/s, rad/s: of the rows of joints, at most, when the step began
    cairn_drag* drags;        ///< of each mover, or NULL: none is damped
    cairn_transform* next_at; ///< of each mover, after the drift; then where it came from
    cairn_vec3* next_w;       ///< its angular velocity after the drift
    cairn_twist* before;      ///< velocities before the kick
    cairn_twist* momentum;    ///< scratch, six numbers for each body
    double *c, *delta;        ///< rows
    double* lambda;           ///< of the kick under way
    double* mu;               ///< of the last end kick of a substep that was taken
    cairn_linkage* kept;      ///< the forest, or
    cairn_loop_factor* loops; ///< where there are loops
    double tolerance;         ///< m, rad: of joints at the end of a substep,
    double acceptable;        ///< and what will do where loops come no closer
    double time;              ///< s: since the step began
    double enough;            ///< m/s: across the joints of a net, on the mean; 0: as accuracy asks
    double warm;              ///< s: of the substep whose end kick `mu` is; 0: none
    double eta;               ///< s: for which masses hold the damping
    bool anchored;            ///< something that is not active holds it
    bool gyric, extra;        ///< some body has a gyroscopic torque; some row is free
    bool factored, weighed;   ///< at the present place
    bool arrived;             ///< the drift of the substep is done
    bool decided;             ///< limits and motors are not revised in a solve: the drift does it
    bool jumps;               ///< a motor at the end of its strength takes no part
    bool locked;              ///< a net that did not close: it takes what comes close
    bool no_memory;
    int solves;
    double rate;            ///< of convergence in the last substep
    double gap;             ///< m, rad: the largest error of a joint at its end
    double residual, scale; ///< m/s: of the end kick; what its rows missed before it
    cairn_ledger ledger;    ///< of the substep
} cairn_flight;

// ---------------------------------------------------------------- flight.c

/// Takes an island out of the world. False: it is not one for this, or no memory (`no_memory`, or
/// that of the arena).
bool cairn_flight_begin(cairn_flight* all, const cairn_span* span);

/// m/s, rad/s: the most that a body of this velocity gives to a row of a joint.
static inline double cairn_flight_speed(const cairn_flight* all, cairn_twist u)
{
    return cairn_norm(u.v) + (1.0 + all->reach) * cairn_norm(u.w);
}

/// Before a substep; and back to it.
void cairn_flight_save(cairn_flight* all);
void cairn_flight_take_back(cairn_flight* all);

/// The substep is done: its impulses are what the user sees. Or none is: the island is left to the
/// other passes.
void cairn_flight_keep(cairn_flight* all);
void cairn_flight_forget(cairn_flight* all);

/// Brings it home; returns the largest factor on inertia.
double cairn_flight_end(cairn_flight* all, const cairn_pace* pace);

// ---------------------------------------------------------------- ties.c

/// Places all joints where the bodies are, with their rows.
void cairn_flight_place(cairn_flight* all);

/// Places all joints where the drift of h seconds leads, and takes that place as the present one.
/// The former gives the largest error of position, INFINITY for a hinge that is upside down, and
/// what a solve is to take away in `c`, in m/s.
double cairn_flight_errors(cairn_flight* all, double h);
void cairn_flight_arrive(cairn_flight* all);

/// The largest error of position at the present place, and the errors in `c`.
double cairn_flight_gaps(cairn_flight* all);

/// J u of a joint with the present velocities, its free row included; bodies that move by
/// themselves have a part in it, which is also given alone.
void cairn_tie_velocity(double* u, const cairn_flight* all, const cairn_tie* tie);
void cairn_tie_own_velocity(double* u, const cairn_flight* all, const cairn_tie* tie);

/// Adds the impulses of all rows to the velocities; those of one free row.
void cairn_flight_push(cairn_flight* all, const double* lambda);
void cairn_flight_push_free(cairn_flight* all, const cairn_tie* tie, double impulse);

/// Adds impulses of all rows to what the user will see of the joints.
void cairn_flight_react(cairn_flight* all, const double* lambda);

// ---------------------------------------------------------------- free_row.c

/// The free row of a joint at its present place.
void cairn_free_place(cairn_tie* tie);

/// Gets limits, motors and springs ready for the first kick of a substep of h seconds, for its end
/// kick, and for a kick of h seconds that is the only one.
void cairn_free_start(cairn_flight* all, double h);
void cairn_free_end(cairn_flight* all, double h);
void cairn_free_whole(cairn_flight* all, double h);

/// Gets them ready for a jump of velocities that lasts no time: limits that are closed, and motors
/// that could do it within eta seconds. Weaker ones take their time.
void cairn_free_jump(cairn_flight* all, double eta);

/// Solves for the velocities after a kick, with the right set of limits and motors: J u is to be
/// what each row asks for. `lambda` has a start, which is part of the velocities already. h: s that
/// a drift will last, 0: none. False: no set was found, or a factor failed.
bool cairn_free_solve(cairn_flight* all, double* lambda, double h);

/// Whether a motor or a closed limit is to change a velocity by more than `least`.
bool cairn_free_misses(const cairn_flight* all, double least);

/// What the rows miss, J u + E λ + b, in `c`; returns the largest of a joint, in m/s.
double cairn_flight_miss(cairn_flight* all, const double* lambda);

/// Changes the set where the drift shows that it is wrong; returns whether it did.
bool cairn_free_revise(cairn_flight* all, double* lambda, double h);

/// Divides the impulses of free rows between limit, motor and spring.
void cairn_free_divide(cairn_flight* all, const double* lambda);

/// Takes limits that are passed as rows, and nothing else: for errors of position.
void cairn_free_positions(cairn_flight* all);

/// 1/s²: the largest squared frequency of a spring by itself.
double cairn_flight_spring_rate(const cairn_flight* all);

// ---------------------------------------------------------------- tie_factor.c

/// Chooses the solver of an island and its numbering of rows. False: it is not one for it, or no
/// memory.
bool cairn_flight_choose(cairn_flight* all);

/// Whether it is a net: so many rows in loops that each substep counts.
bool cairn_flight_is_net(const cairn_flight* all);

/// Brings the masses of a kick of eta seconds in line with the present place.
void cairn_flight_weigh(cairn_flight* all, double eta);

/// The damping of a body in that kick.
cairn_drag cairn_mover_drag(const cairn_flight* all, int i);

/// Factors at the present place what has changed. False: it cannot.
bool cairn_flight_factor(cairn_flight* all);

/// J M^-1 J^T δ + E δ + c = 0 with c and delta of the flight; of a net with a residual of this share
/// of c.
void cairn_flight_solve(cairn_flight* all, double accuracy);

// ---------------------------------------------------------------- leapfrog.c

/// One substep of h seconds.
cairn_refusal cairn_flight_substep(cairn_flight* all, double h);

/// Takes the velocity across joints away; closes the joints. False: it cannot.
bool cairn_flight_project(cairn_flight* all);
bool cairn_flight_close(cairn_flight* all);

/// A substep of h seconds that is certain to end: of first order, it may lose energy.
bool cairn_flight_dissipate(cairn_flight* all, double h);

// ---------------------------------------------------------------- leapfrog_show.c

/// Shows the end kick to whoever looks on; `judged` is then what the certificate says of it.
void cairn_flight_show(const cairn_flight* all, cairn_judged* judged);

// ---------------------------------------------------------------- energy.c

/// J: kinetic energy with raised inertia; the part of it that raised inertia adds.
double cairn_flight_kinetic(const cairn_flight* all);
double cairn_flight_raised_energy(const cairn_flight* all);

/// J: of springs at the present place.
double cairn_flight_spring_energy(const cairn_flight* all);

/// N or N m: of all springs.
double cairn_flight_spring_force(const cairn_flight* all);

/// Books the work of a kick of eta seconds with impulses `lambda`.
void cairn_flight_book(cairn_flight* all, const double* lambda, double eta);

/// J: of the kinetic energy the part that a defect is compared with: relative to the mean motion of what
/// nothing anchors.
double cairn_flight_lively(const cairn_flight* all, double kinetic);

/// Takes a gain of energy out of the motion of the island within itself.
void cairn_flight_clamp(cairn_flight* all, double gain);

// ---------------------------------------------------------------- inertia.c

/// Measures the stiffness of all bodies on their joints from the impulses of an end kick of eta
/// seconds.
void cairn_flight_measure(cairn_flight* all, const double* lambda, double eta);

/// rad²/s²: the largest of them.
double cairn_flight_stiffness(const cairn_flight* all);

/// rad/s: of the fastest nutation of a symmetric body that nothing holds.
double cairn_flight_nutation(const cairn_flight* all);

/// Raises and lowers inertia for substeps of h seconds; returns whether any has changed.
bool cairn_flight_raise(cairn_flight* all, double h);

// ---------------------------------------------------------------- free_flight.c

/// Steps a body alone.
void cairn_island_fly(const cairn_span* span);

#endif
