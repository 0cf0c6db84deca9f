// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// A world of rigid bodies that stands, slides, rolls and swings. SI units, z up, quaternions (w, x,
// y, z). A world belongs to one thread at a time; two worlds share nothing. Numbers outside the
// ranges of docs/world.md (lengths up to 1e12 m, masses of 1e-27 .. 1e27 kg, ...) are refused.
//
// A world calls back: visitors of queries, the hook of solves. From there it may be read; a visitor
// may also ask and take snapshots. What changes the world, a step included, is refused with
// CAIRN_BUSY, and functions without a status (destroy, wake_all, set_solve_hook) do nothing.
#ifndef CAIRN_WORLD_H
#define CAIRN_WORLD_H

#include <cairn/collide.h>
#include <cairn/shape.h>
#include <cairn/solve.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cairn_world cairn_world;

/// A body or a joint of a world. All zeros is "none". An id whose owner was removed is stale: every
/// function refuses it with CAIRN_BAD_INPUT.
typedef struct cairn_body_id {
    int32_t index;
    uint32_t generation;
} cairn_body_id;

typedef struct cairn_joint_id {
    int32_t index;
    uint32_t generation;
} cairn_joint_id;

// ---------------------------------------------------------------- the world

/// How position errors of contacts are removed.
typedef enum cairn_stabilization {
    CAIRN_STABILIZE_POSITIONS,  ///< after the step, by a normal-only problem on the gaps; no
                                ///< velocity changes
    CAIRN_STABILIZE_VELOCITIES, ///< Baumgarte: part of the gap is asked back as velocity
    CAIRN_STABILIZE_NONE,
} cairn_stabilization;

/// The rule by which a step advances the world.
typedef enum cairn_integrator {
    CAIRN_INTEGRATOR_LEAPFROG, ///< kick, drift, kick: second order, joints closed at the end
    CAIRN_INTEGRATOR_EULER,    ///< semi-implicit: rows at the start of the step; first order
    CAIRN_INTEGRATOR_MOREAU,   ///< the midpoint rule: rows at the middle of the step
} cairn_integrator;

/// What is asked of a step where the options below do not say it. A table of tolerances and costs is
/// in docs/concepts/presets.md.
typedef enum cairn_preset {
    CAIRN_PRESET_BALANCED, ///< 4 substeps; piles to 2e-3, joints to 1e-3, few contacts to 1e-6
    CAIRN_PRESET_REALTIME, ///< piles to 1e-2, all within 4 ms
    CAIRN_PRESET_EXACT,    ///< 16 substeps; 1e-6, large piles to 1e-4
} cairn_preset;

typedef struct cairn_world_def {
    uint32_t
        cookie; ///< of cairn_default_world_def: options that were not started there are refused
    cairn_preset preset;
    cairn_vec3 gravity; ///< m/s²; default (0, 0, -9.81)
    cairn_integrator integrator;
    cairn_stabilization stabilization;
    int substeps;       ///< of each step, up to 10000; default 4. Of islands without contacts,
                        ///< and of few contacts, the least number: leapfrog takes more where
                        ///< accuracy needs them
    double accuracy;    ///< of islands without contacts: the energy that a substep may gain or
                        ///< lose, as a share of what moves; default 1e-4
    int most_substeps;  ///< of such an island in a step, up to 10000; default 64
    const char* method; ///< of cairn_solve; default "auto"
    double tolerance;   ///< relative residual asked of each solve; default 0: the preset's
    double time_limit;  ///< seconds per solve; 0: none
    double budget;      ///< seconds of the clock per step; 0: none. A step that would take longer
                        ///< is made lean: what it did not reach ends with time-limit
    double work;        ///< the same in counted operations (some 25 ns each) instead of seconds; 0:
                        ///< none. Steps are then the same on every machine. Overrules `budget`
    int max_iterations; ///< of each solve by a method; default 0: the method's own limit
    int sweeps;         ///< of "auto" on contacts: sweeps after which a substep is taken as
                        ///< it is; default 0: more exact methods go on to the tolerance
    bool rest_pass;     ///< try the verified rest pass before a solve; default true
    double contact_margin;    ///< m: contacts open by less are part of the problem; default 0.005
    double slop;              ///< m: penetration that is left alone; default 0
    double baumgarte;         ///< share of a gap that is asked back per step; default 0.2
    double restitution_speed; ///< m/s: slower impacts do not bounce; default 0.5
    bool sleep;               ///< islands that stand still are not computed; default true
    double sleep_speed; ///< m/s: a faster body is not at rest; default 1e-5, what a solve leaves.
                        ///< Slower than 0.5 mm in sleep_time, it is asked whether it could stand
    double sleep_time;  ///< s: how long a body rests before it sleeps, at least ten steps; 0.5
    int threads;        ///< default 1; never changes the answer
    const cairn_solve_def* tuning; ///< facets, seed and the options of pgs, prox and tree for
                                   ///< `method`, copied by the world; NULL: the defaults
} cairn_world_def;

/// The preset `balanced`: gravity of 9.81 m/s² along -z.
CAIRN_API cairn_world_def cairn_default_world_def(void);

/// The options of a preset: those of cairn_default_world_def with its preset and substeps.
CAIRN_API cairn_world_def cairn_preset_world_def(cairn_preset preset);

/// The loosest tolerance that a world of these options asks of a solve.
CAIRN_API double cairn_world_def_tolerance(const cairn_world_def* def);
CAIRN_API cairn_status cairn_world_create(const cairn_world_def* def, cairn_world** world,
                                          cairn_error* error);
CAIRN_API void cairn_world_destroy(cairn_world* world);
CAIRN_API cairn_status cairn_world_set_gravity(cairn_world* world, cairn_vec3 gravity,
                                               cairn_error* error);

/// What solves the steps from now on. `iterations` is the limit of each solve, also of the sweeps
/// of "auto"; 0: none but the methods' own.
CAIRN_API cairn_status cairn_world_set_method(cairn_world* world, const char* method,
                                              double tolerance, int iterations, cairn_error* error);

/// Substeps of each step from now on, up to 10000.
CAIRN_API cairn_status cairn_world_set_substeps(cairn_world* world, int substeps,
                                                cairn_error* error);

/// The options of a world as they are now.
CAIRN_API cairn_world_def cairn_world_get_def(const cairn_world* world);

/// Seconds and steps since the world was made, as its snapshots keep them.
CAIRN_API double cairn_world_time(const cairn_world* world);
CAIRN_API int64_t cairn_world_step_count(const cairn_world* world);

// Bodies and joints lie in slots, 0 to before the count; the slot is the index of the id. Slots of
// removed ones are empty until another one takes them:
//
//     for (int i = 0; i < cairn_world_body_slots(world); i++) {
//         cairn_body_id id = cairn_world_body_at(world, i);
//         if (id.generation != 0) ...
//     }

/// The number of slots, empty ones included.
CAIRN_API int cairn_world_body_slots(const cairn_world* world);
CAIRN_API int cairn_world_joint_slots(const cairn_world* world);

/// Who is in a slot: none when it is empty or there is no such slot.
CAIRN_API cairn_body_id cairn_world_body_at(const cairn_world* world, int slot);
CAIRN_API cairn_joint_id cairn_world_joint_at(const cairn_world* world, int slot);

// ---------------------------------------------------------------- snapshots

/// All that decides how a world goes on: bodies, joints, contacts with their warm-start impulses,
/// broad phase, caches, sleep, ids and generations, gravity and options. Shape data is borrowed, as
/// by bodies.
typedef struct cairn_snapshot cairn_snapshot;

/// Takes a snapshot; the world is as it was. Free it with cairn_snapshot_destroy.
CAIRN_API cairn_status cairn_world_snapshot(const cairn_world* world, cairn_snapshot** snapshot,
                                            cairn_error* error);

/// Brings a world back to the snapshot, bit for bit: the same calls from here on give the same
/// states. Ids are those of the time of the snapshot; ids of bodies that were added later are stale
/// and may be given out again. The world may be another than the one that the snapshot was taken
/// of. Its threads and its hooks stay. On CAIRN_NO_MEMORY the world is unchanged.
CAIRN_API cairn_status cairn_world_restore(cairn_world* world, const cairn_snapshot* snapshot,
                                           cairn_error* error);
CAIRN_API void cairn_snapshot_destroy(cairn_snapshot* snapshot);

// ---------------------------------------------------------------- bodies

typedef enum cairn_body_type {
    CAIRN_BODY_DYNAMIC,
    CAIRN_BODY_KINEMATIC, ///< moves with the velocity that it is given; nothing pushes it
    CAIRN_BODY_STATIC,
} cairn_body_type;

/// How two materials make one: the mean, the product, the smaller, the larger, or the geometric
/// mean.
typedef enum cairn_combine {
    CAIRN_COMBINE_GEOMETRIC,
    CAIRN_COMBINE_MEAN,
    CAIRN_COMBINE_SMALLER,
    CAIRN_COMBINE_LARGER,
    CAIRN_COMBINE_PRODUCT,
} cairn_combine;

typedef struct cairn_material {
    double mu;        ///< friction coefficient
    double mu_across; ///< across `direction`; used when direction is not zero
    cairn_vec3
        direction;  ///< body frame: the direction of `mu` on an anisotropic surface, or zero. Where
                    ///< both bodies have one, frictions are combined along the axes of the sum
                    ///< of their tensors, whichever body is the first
    double mu_spin; ///< m: torsional friction
    double restitution; ///< 0 .. 1
    double mu_static; ///< friction of a contact that does not slide (slower than 1 mm/s when a step
                      ///< begins), where it is more than mu; not of surfaces with a direction
    cairn_combine friction_rule; ///< of two rules the later in the list of cairn_combine counts
    cairn_combine restitution_rule;
    double
        mu_roll; ///< m: rolling resistance. The moment that resists the rolling of one body on the
                 ///< other is at most mu_roll times the normal force (each of its two components
                 ///< along and across the way); combined by friction_rule. Impacts have none
    double
        stiffness; ///< N/m, of each contact point: soft contacts, whose overlap x gives the force
                   ///< stiffness x + damping ẋ, and never pulls; 0: rigid. Two soft materials are
                   ///< springs in series. Soft contacts have no restitution
    double damping; ///< N s/m
    /// m/s, body frame: of the surface against its body, in the plane of each contact: tracks,
    /// treadmills, conveyors. The motion of a `belt` adds to it
    cairn_vec3 surface_velocity;
} cairn_material;

/// A part of the compound that is the shape of a body.
typedef struct cairn_part {
    cairn_material material;
    double density;          ///< kg/m³
    void* user;              ///< yours: contacts tell the part
    bool filtered;           ///< it has a filter of its own; else it has that of the body
    uint32_t category, mask; ///< as of a body, for this part; default 1 and all
} cairn_part;

typedef struct cairn_body_def {
    uint32_t cookie; ///< of cairn_default_body_def: options that were not started there are refused
    cairn_body_type type;
    cairn_transform pose;         ///< body frame -> world
    cairn_vec3 velocity;          ///< m/s, of the center of mass
    cairn_vec3 spin;              ///< rad/s
    const cairn_shape* shape;     ///< NULL: no collisions; then mass and inertia must be given
    cairn_transform shape_offset; ///< shape frame -> body frame
    double density;               ///< kg/m³, used when mass is 0; default 1000
    double mass;                  ///< kg; 0: from the shape and the density
    cairn_mat3 inertia; ///< kg m² about the center of mass, body axes; zero: from the shape, scaled
                        ///< to the mass
    bool centered;      ///< `center` is the center of mass; else that of the shape, or the origin
    cairn_vec3 center;  ///< m, body frame
    cairn_material material;
    double linear_damping;   ///< 1/s
    double angular_damping;  ///< 1/s
    double gravity_scale;    ///< default 1
    uint32_t category, mask; ///< two bodies collide when each one's category is in the other's mask
    bool sleepless;          ///< its island does not fall asleep
    bool belt; ///< of a kinematic body: velocity and spin are those of its surface; it stays
    const cairn_part* parts; ///< one for each part of a compound, borrowed; NULL: all alike
    void* user;              ///< yours
    uint64_t reserved[4];    ///< room for options to come; 0
} cairn_body_def;

/// Definitions to start from: a dynamic body of the density of water at the origin, its material, and a part of a
/// compound with the properties of the body.
CAIRN_API cairn_body_def cairn_default_body_def(void);
CAIRN_API cairn_material cairn_default_material(void);
CAIRN_API cairn_part cairn_default_part(void);

/// Adds a body. Shape data (hulls, meshes, compounds) is borrowed and must outlive the body.
CAIRN_API cairn_status cairn_world_add_body(cairn_world* world, const cairn_body_def* def,
                                            cairn_body_id* id, cairn_error* error);
/// Removes a body and its joints: their ids are stale from now on.
CAIRN_API cairn_status cairn_world_remove_body(cairn_world* world, cairn_body_id id,
                                               cairn_error* error);

typedef struct cairn_body_state {
    cairn_transform pose; ///< body frame -> world
    cairn_vec3 center;    ///< m: center of mass in the world
    cairn_vec3 velocity;  ///< m/s, of the center of mass
    cairn_vec3 spin;      ///< rad/s
    double mass;          ///< kg; infinite for static and kinematic bodies
    bool asleep;
    bool frozen;   ///< left the range of numbers, was taken out of the simulation and reported
    bool disabled; ///< taken out by cairn_body_set_enabled
    bool pushed;   ///< a force or torque of yours acted on it in the last step
    bool squeezed; ///< in the last step no velocity satisfied its contacts, which yielded: it is
                   ///< pressed between bodies that do not give way
    void* user;    ///< from its def
} cairn_body_state;

/// Reads the state of a body.
CAIRN_API cairn_status cairn_body_get(const cairn_world* world, cairn_body_id id,
                                      cairn_body_state* state, cairn_error* error);

/// The definition that would make the body as it is now: pose, velocity, mass and inertia are
/// given, whatever the density was. `shape` points into the world and lasts until a body is added
/// or removed, or the world is restored. Mass and inertia of bodies that are not dynamic are 0.
CAIRN_API cairn_status cairn_body_get_def(const cairn_world* world, cairn_body_id id,
                                          cairn_body_def* def, cairn_error* error);

/// How the mass of a body lies.
typedef struct cairn_body_mass {
    double mass;               ///< kg; infinite for static and kinematic bodies
    cairn_transform principal; ///< frame of the principal axes at the center of mass -> body frame
    cairn_vec3 moments;        ///< kg m²: about the principal axes; 0 unless dynamic
} cairn_body_mass;

/// Reads mass, center and principal moments of inertia.
CAIRN_API cairn_status cairn_body_get_mass(const cairn_world* world, cairn_body_id id,
                                           cairn_body_mass* mass, cairn_error* error);

/// Keeps two bodies from colliding, or lets them collide again. A joint between them that keeps
/// them from it still does; removing that joint lets them collide.
CAIRN_API cairn_status cairn_world_exclude(cairn_world* world, cairn_body_id a, cairn_body_id b,
                                           bool excluded, cairn_error* error);

/// How many pairs of bodies are kept from colliding, by this or by a joint. Writes the first
/// `capacity` of them: a pair of slots each, in an order of their own.
CAIRN_API int cairn_world_excluded(const cairn_world* world, int (*slots)[2], int capacity);

/// Places a body, whatever is in the way, or sets its velocity and spin; wakes it.
CAIRN_API cairn_status cairn_body_set_pose(cairn_world* world, cairn_body_id id,
                                           cairn_transform pose, cairn_error* error);
CAIRN_API cairn_status cairn_body_set_velocity(cairn_world* world, cairn_body_id id,
                                               cairn_vec3 velocity, cairn_vec3 spin,
                                               cairn_error* error);

/// Wakes a sleeping body with its island, and starts the clock of one that is awake anew. All
/// functions that move or push a body do so too.
CAIRN_API cairn_status cairn_body_wake(cairn_world* world, cairn_body_id id, cairn_error* error);

/// Wakes every body.
CAIRN_API void cairn_world_wake_all(cairn_world* world);

/// What a body is made of; a change wakes it, and what it touches.
CAIRN_API cairn_status cairn_body_get_material(const cairn_world* world, cairn_body_id id,
                                               cairn_material* material, cairn_error* error);
CAIRN_API cairn_status cairn_body_set_material(cairn_world* world, cairn_body_id id,
                                               const cairn_material* material, cairn_error* error);

/// A force (N) at a point of the world, acting during the next step.
CAIRN_API cairn_status cairn_body_add_force(cairn_world* world, cairn_body_id id, cairn_vec3 force,
                                            cairn_vec3 point, cairn_error* error);
/// A torque (N m), acting during the next step.
CAIRN_API cairn_status cairn_body_add_torque(cairn_world* world, cairn_body_id id,
                                             cairn_vec3 torque, cairn_error* error);
/// An impulse (N s) at a point of the world, acting at once.
CAIRN_API cairn_status cairn_body_add_impulse(cairn_world* world, cairn_body_id id,
                                              cairn_vec3 impulse, cairn_vec3 point,
                                              cairn_error* error);

// ---------------------------------------------------------------- joints

/// The frames of a joint sit at its two points; the z axes are its axes. The free coordinate, which
/// limits, motors and springs act on, is
/// - of a hinge the angle of B's x axis against A's about the z axis, also beyond a full turn (all
///   angles are followed, also at several turns a step),
/// - of a universal joint the angle of B's z axis against A's x axis about A's z axis, likewise,
/// - of a ball joint the swing: the angle between the two z axes, 0 .. π,
/// - of a slider or cylindrical joint the displacement of B along A's z axis,
/// - of a distance joint the distance, which is free as soon as one of them acts on it,
/// - of a wheel joint the displacement of B along A's z axis: the way of the suspension,
/// - of a pulley |P_A - anchor_a| + ratio |P_B - anchor_b|, the rope, free as a distance is.
/// Joints of the kinds ALONG, TWIST and AROUND hold nothing: they have a free coordinate alone, to put
/// limits, motors, springs and servos on what other joints leave free, or between free bodies.
/// Gears couple velocities, racks and screws a turn and a way; they hold nothing else: put them beside the
/// hinges, sliders and cylindrical joints of their bodies.
typedef enum cairn_joint_kind {
    CAIRN_JOINT_BALL,      ///< the points stay together
    CAIRN_JOINT_HINGE,     ///< and B turns about the common z axis alone
    CAIRN_JOINT_SLIDER,    ///< B moves along A's z axis and does not turn
    CAIRN_JOINT_UNIVERSAL, ///< the points stay together, A's z axis stays perpendicular to B's; axes
                           ///< that start parallel are refused, also of a wheel joint
    CAIRN_JOINT_CYLINDRICAL, ///< B moves along A's z axis and turns about it
    CAIRN_JOINT_FIXED,       ///< B is part of A
    CAIRN_JOINT_DISTANCE,    ///< the points keep their distance
    CAIRN_JOINT_GEAR,        ///< turning about z: spin of A = ratio times spin of B
    CAIRN_JOINT_SURFACE,     ///< B's point stays on a surface of A
    CAIRN_JOINT_ROLLING, ///< a ball or wheel about B's point rolls on a surface of A without slip
    CAIRN_JOINT_LOCKS,   ///< B's frame keeps its place along and about axes of A: `locks`
    CAIRN_JOINT_RACK, ///< A is a pinion about its z axis, of the pitch radius `ratio`; B is a rack
                      ///< along its own z axis, square to that. They meet at the pitch point
    CAIRN_JOINT_SCREW, ///< B moves along A's z axis by `ratio` for each radian that it turns about it
    CAIRN_JOINT_WHEEL, ///< B moves along A's z axis (suspension), turns about it (steering) and about
                       ///< its own z axis (the axle), which stays square to A's
    CAIRN_JOINT_PULLEY, ///< a rope from B over anchor_b and anchor_a to A keeps its length; both are
                        ///< fixed in the world. A rope that may hang loose has limits 0 .. length
    CAIRN_JOINT_ALONG,  ///< coordinate: the displacement of B's point along A's z axis
    CAIRN_JOINT_TWIST, ///< coordinate: the twist of B about its z axis, in the decomposition into the
                       ///< shortest turn of the z axes and a twist: of balls, of bushings
    CAIRN_JOINT_AROUND, ///< coordinate: the angle of B's z axis against A's x axis about A's z axis:
                        ///< steering (A chassis, B wheel), spin (A wheel, B chassis)
    CAIRN_JOINT_KIND_COUNT
} cairn_joint_kind;

/// A surface in A's frame of a joint. Balls roll on the side where they start.
typedef enum cairn_surface {
    CAIRN_SURFACE_PLANE,    ///< z = 0
    CAIRN_SURFACE_SPHERE,   ///< of `radius` about the origin
    CAIRN_SURFACE_CYLINDER, ///< of `radius` about the z axis
    CAIRN_SURFACE_TORUS, ///< a tube of radius `tube` about the circle of `radius` in the plane z = 0
} cairn_surface;

typedef struct cairn_joint_def {
    uint32_t
        cookie; ///< of cairn_default_joint_def: options that were not started there are refused
    cairn_joint_kind kind;
    cairn_body_id body_a; ///< none: the world
    cairn_body_id body_b;
    cairn_transform frame_a, frame_b; ///< joint frame -> body frame (of the world: -> world)
    double ratio;                     ///< gear, pulley; of a rack and a screw m/rad; default 1
    bool limited;                     ///< the free coordinate stays within [lo, hi] (rad or m)
    double lo, hi;
    bool driven;                     ///< a motor drives the free coordinate
    double speed;                    ///< rad/s or m/s that the motor is to reach
    double strength;                 ///< N m or N that it has
    double stiffness, damping, rest; ///< a spring on the free coordinate, implicit; 0: none
    bool servo;                      ///< the spring is a servo of `strength`; see <cairn/drive.h>
    double break_force;              ///< N: a joint that bore more in a step is removed; 0: never
    double break_torque;             ///< N m, about its point; likewise
    void* user;                      ///< yours
    bool collide;                    ///< whether the two bodies collide; default false
    cairn_surface surface;           ///< of joints on surfaces and rolling ones; default a plane
    double radius, tube;             ///< m: of the surface; radius 0: from where B's point starts
    double roller;                   ///< m: radius of the ball or wheel that rolls
    bool wheel;                      ///< B's z axis is the axle of a thin wheel; on planes
    unsigned locks;                  ///< CAIRN_LOCK_X ... of <cairn/drive.h>, of CAIRN_JOINT_LOCKS
    cairn_vec3 anchor_a, anchor_b;   ///< m, world: of a pulley; away from the points of A and B
    uint64_t reserved[4];            ///< room for options to come; 0
} cairn_joint_def;

/// Definitions to start from, and joints added and removed. Both bodies are awake afterwards.
CAIRN_API cairn_joint_def cairn_default_joint_def(cairn_joint_kind kind);
CAIRN_API cairn_status cairn_world_add_joint(cairn_world* world, const cairn_joint_def* def,
                                             cairn_joint_id* id, cairn_error* error);
CAIRN_API cairn_status cairn_world_remove_joint(cairn_world* world, cairn_joint_id id,
                                                cairn_error* error);

typedef struct cairn_joint_state {
    double coordinate;  ///< rad or m: the free coordinate, 0 for joints without one
    double error;       ///< m: how far its points are apart
    cairn_vec3 impulse; ///< N s on B at its point, summed over the last step
    cairn_vec3 twist;   ///< N m s on B about its center, likewise
    void* user;         ///< from its def
} cairn_joint_state;

/// Reads the state of a joint: what it bore in the last step.
CAIRN_API cairn_status cairn_joint_get(const cairn_world* world, cairn_joint_id id,
                                       cairn_joint_state* state, cairn_error* error);

/// The definition of the joint as it is now, with the radius of its surface and the motor as they
/// were settled. A distance joint keeps the distance that its points had when it was made.
CAIRN_API cairn_status cairn_joint_get_def(const cairn_world* world, cairn_joint_id id,
                                           cairn_joint_def* def, cairn_error* error);

/// Gives the motor of a joint another speed (rad/s or m/s) and strength (N m or N); wakes the bodies.
CAIRN_API cairn_status cairn_joint_set_motor(cairn_world* world, cairn_joint_id id, double speed,
                                             double strength, cairn_error* error);

// ---------------------------------------------------------------- queries

// Queries see the bodies where they are now, asleep or awake, with a shape, and with a category in
// `mask` (all: CAIRN_MASK_ALL); of parts with filters of their own, those with their category in it.
// Frozen bodies are not seen. A query changes nothing. Several hits come in no particular order.
// Numbers that are not finite are refused.
#define CAIRN_MASK_ALL 0xffffffffu

/// Where a ray or a cast shape meets a body.
typedef struct cairn_body_hit {
    cairn_body_id body; ///< none when nothing was hit
    double t;           ///< fraction of the way
    cairn_vec3 point;   ///< m, world: on the body
    cairn_vec3 normal;  ///< unit, outwards from it; zero when the start was inside
    int part;           ///< part of a compound, triangle of a surface, or 0
} cairn_body_hit;

/// Called for each hit or body of a query; returns false to end it. Cannot change the world
/// (CAIRN_BUSY).
typedef bool (*cairn_hit_visit)(void* context, const cairn_body_hit* hit);
typedef bool (*cairn_body_visit)(void* context, cairn_body_id body);

/// The first body on origin + t way, 0 <= t <= 1.
CAIRN_API cairn_status cairn_world_cast_ray(const cairn_world* world, cairn_vec3 origin,
                                            cairn_vec3 way, uint32_t mask, cairn_body_hit* hit,
                                            cairn_error* error);
/// All of them.
CAIRN_API cairn_status cairn_world_cast_ray_all(const cairn_world* world, cairn_vec3 origin,
                                                cairn_vec3 way, uint32_t mask,
                                                cairn_hit_visit visit, void* context,
                                                cairn_error* error);

/// The first body that a convex shape meets on its way, without turning.
CAIRN_API cairn_status cairn_world_cast_shape(const cairn_world* world, const cairn_shape* shape,
                                              cairn_transform from, cairn_vec3 way, uint32_t mask,
                                              cairn_body_hit* hit, cairn_error* error);

/// The bodies that share a point with a shape, with a box, or with a point (that lies in them).
CAIRN_API cairn_status cairn_world_overlap(const cairn_world* world, const cairn_shape* shape,
                                           cairn_transform pose, uint32_t mask,
                                           cairn_body_visit visit, void* context,
                                           cairn_error* error);
CAIRN_API cairn_status cairn_world_overlap_box(const cairn_world* world, cairn_aabb box,
                                               uint32_t mask, cairn_body_visit visit, void* context,
                                               cairn_error* error);
CAIRN_API cairn_status cairn_world_overlap_point(const cairn_world* world, cairn_vec3 point,
                                                 uint32_t mask, cairn_body_visit visit,
                                                 void* context, cairn_error* error);

/// The point of a body that is closest to a given point.
typedef struct cairn_body_gap {
    cairn_body_id body; ///< none when no body is within reach
    double gap;         ///< m; negative when the given point lies inside
    cairn_vec3 point;   ///< m, world: on the body's surface
    cairn_vec3 normal;  ///< unit, outwards
    int part;           ///< part of a compound, triangle of a surface, or 0
} cairn_body_gap;

/// Looks `reach` meters far (>= 0, may be infinite).
CAIRN_API cairn_status cairn_world_closest(const cairn_world* world, cairn_vec3 point, double reach,
                                           uint32_t mask, cairn_body_gap* closest,
                                           cairn_error* error);

// ---------------------------------------------------------------- stepping

/// The certificate of the motion: how far the step is from the laws of motion and of joints, and
/// where energy went. Of a step: the worst of its islands, and sums of the energies.
typedef struct cairn_motion {
    double penetration;        ///< m: the deepest overlap at the end of the step
    double joint_error;        ///< m: the widest gap of a joint at the end of the step
    double energy_defect;      ///< J: gained beyond work and dissipation; below 0: lost
    double work_external;      ///< J: of forces and torques of the user, of kinematic bodies and
                               ///< of surfaces that move
    double work_motor;         ///< J
    double dissipated;         ///< J: by dampers, damping, limits and contacts
    double dissipated_numeric; ///< J: by raised inertia, by the bound of substeps, by soft
                               ///< contacts that bounce within a few of these
    double update_error;       ///< m: by which contacts miss what their rows promised
    int substeps_max;          ///< of an island
    double inertia_raised;     ///< the largest factor on the inertia of a body; 1: none was raised
} cairn_motion;

/// Adds the motion of another island or step: the worst of both, and sums of the energies. A sum
/// starts from zeros. A NaN counts as infinite.
CAIRN_API void cairn_motion_add(cairn_motion* sum, const cairn_motion* other);

/// What a step did to an island of awake bodies: the worst of its substeps.
typedef struct cairn_island_report {
    const char* method; ///< of the last substep (static storage); "none": nothing to solve
    int bodies, contacts, joints, rows;
    double residual;          ///< relative, by the certificate
    double residual_velocity; ///< m/s
    cairn_outcome outcome;
    cairn_law law;    ///< the friction law that was solved
    int facets;       ///< of that law, when it is a pyramid
    int multiplicity; ///< as in cairn_report, of the impulses that contacts and joints show; unknown
                      ///< also for larger islands that move (docs/concepts/forces.md)
    double work; ///< that methods took for it, as cairn_solve_def.max_work counts; sweeps of the
                 ///< world's own do not count
    cairn_motion motion;
} cairn_island_report;

/// What a step did, and how exact it was.
typedef struct cairn_step_report {
    int64_t step;                              ///< steps since the world was made
    double time;                               ///< s
    int bodies, contacts, joints;              ///< sleeping ones included
    int awake, awake_contacts;                 ///< bodies and contacts that were computed
    int islands;                               ///< of awake bodies
    const cairn_island_report* island_reports; ///< each of them; the world's, until the next step
    double residual;          ///< the worst relative residual of the substeps' solves (certificate)
    double residual_velocity; ///< m/s, likewise
    double penetration;       ///< m: the deepest contact
    double joint_error;       ///< m: the widest gap of a joint
    double kinetic, potential; ///< J
    int rested;                ///< islands that were found at rest
    int multiplicity; ///< of all awake islands together; CAIRN_MULTIPLICITY_UNKNOWN: of some unknown
    const char* method;    ///< of all islands, or "auto" when they differ
    cairn_outcome outcome; ///< the worst of the step
    int frozen;            ///< bodies taken out because they left the range of numbers
    double work;           ///< of all islands. It is bounded by the number of contacts and joints
    cairn_motion motion;
    double ms_broad, ms_narrow, ms_assemble, ms_solve, ms_integrate; ///< stages
} cairn_step_report;

/// Advances the world by dt seconds (1e-9 .. 1e3). `report` may be NULL. CAIRN_INTERRUPTED: the
/// step was canceled. Whatever status but CAIRN_OK it returns, the world is as it was, to the bit:
/// bodies, joints, contacts, events and time, and so are all later steps, as if the call had not
/// been made.
CAIRN_API cairn_status cairn_world_step(cairn_world* world, double dt, cairn_step_report* report,
                                        cairn_error* error);

/// Ends the step that is under way: within some milliseconds it returns CAIRN_INTERRUPTED. Between
/// two steps it ends the next one at once; a step that is nearly done may still succeed, and then
/// that is the next one. Each call ends one step. May be called from any thread and from a signal
/// handler while the world exists.
CAIRN_API void cairn_world_cancel(cairn_world* world);

/// Takes back a call of cairn_world_cancel that no step has answered, so that the next one runs.
CAIRN_API void cairn_world_resume(cairn_world* world);

typedef enum cairn_contact_state {
    CAIRN_CONTACT_OPEN,
    CAIRN_CONTACT_STICK,
    CAIRN_CONTACT_SLIDE
} cairn_contact_state;

/// A contact of the last step.
typedef struct cairn_contact {
    cairn_body_id body_a, body_b;
    cairn_vec3 point;   ///< m, world
    cairn_vec3 normal;  ///< from A to B
    cairn_vec3 impulse; ///< N s on B, summed over the substeps
    double gap;         ///< m
    int part_a, part_b; ///< part of a compound; of a surface a number of the normal; or 0
    cairn_contact_state state;
    double mu; ///< of friction along the first tangent; where nothing has a direction, the impulse
               ///< lies in the cone about the normal whose slope this is
} cairn_contact;

/// The contacts of the last step, those of sleeping bodies first, with the impulses of the step in
/// which they fell asleep. The array belongs to the world and lasts until the next step.
CAIRN_API const cairn_contact* cairn_world_contacts(const cairn_world* world, int* count);

/// Two bodies that started or stopped touching.
typedef struct cairn_contact_event {
    cairn_body_id body_a, body_b;
} cairn_contact_event;

/// The arrays belong to the world and last until the next step.
typedef struct cairn_events {
    const cairn_contact_event* begun;
    int begun_count;
    const cairn_contact_event* ended;
    int ended_count;
} cairn_events;

/// The pairs that started and stopped touching in the last step. Bodies start when a contact of
/// theirs bears an impulse in any substep, or overlaps; they stop when none does and they are half
/// a millimeter apart (less for bodies of less than 5 cm). Every begin has one end: also when a
/// body is removed (its id is stale by then), which the next step reports. Bodies that fall asleep
/// go on touching.
CAIRN_API cairn_events cairn_world_events(const cairn_world* world);

/// A solve of one island: a kick of a substep (leapfrog has one more, of half the length, where the
/// step ends; of piles that march, docs/world.md, that one alone), or the whole step when the
/// island was found at rest. All of it lasts until the hook
/// returns.
typedef struct cairn_island_solve {
    const cairn_problem* problem; ///< its bodies are the moving ones of the island; others: world
    const int* slot;              ///< of each body of the problem
    const double* lambda;
    double h;                           ///< s: for which forces act in this kick
    cairn_law law;                      ///< the friction law that was solved
    int facets;                         ///< of that law, when it is a pyramid
    double residual, residual_velocity; ///< against that law, as reported
    double
        scale; ///< m/s: what `residual` is relative to: the largest |b| of the problem; of a last
               ///< half kick, of that of the kick before if that is larger
    int64_t
        attempt; ///< grows when a step is made again: what was shown of it before does not count
} cairn_island_solve;

/// Called with every solve of a step: shows each island as it was solved. The motion is the same
/// with it and without. The world is in the middle of the step: it may be read, but neither changed
/// nor queried nor copied (CAIRN_BUSY).
typedef void (*cairn_solve_hook)(void* context, const cairn_island_solve* solve);

/// Sets the hook of a world; NULL: none.
CAIRN_API void cairn_world_set_solve_hook(cairn_world* world, cairn_solve_hook hook, void* context);

/// The energy of the dynamic bodies now, in J; potential energy is zero at the origin.
CAIRN_API void cairn_world_energy(const cairn_world* world, double* kinetic, double* potential);

/// Bytes that the world holds: its state (bodies, joints, pairs, contacts), and scratch memory that
/// steps and solvers keep for the next time. `scratch` receives the latter part, or is NULL.
CAIRN_API size_t cairn_world_memory(const cairn_world* world, size_t* scratch);

/// A number that depends on every bit of the state: poses, velocities, warm-start impulses.
CAIRN_API uint64_t cairn_world_hash(const cairn_world* world);

#ifdef __cplusplus
}
#endif

#endif
