// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// What a world holds. Private to this folder.
#ifndef CAIRN_WORLD_STATE_H
#define CAIRN_WORLD_STATE_H

#include "math/arena.h"
#include "solve/method.h"
#include "solve/sweep/exchange.h"
#include <cairn/alert.h>
#include <cairn/hooks.h>
#include <cairn/world.h>

/// A gap that is smaller counts as closed: this many meters, or this share of the radius of the
/// smallest body.
static const double cairn_touching_gap = 5e-4;
static const double cairn_touching_share = 0.01;

/// Milliseconds of a steady clock, for the stages of the report.
static inline double cairn_world_clock(void)
{
    return 1e3 * cairn_clock();
}

/// How the island of a body was stepped without contacts: what the next step starts from. Bodies of
/// one island hold the same, but for `raised`, `stiffness` and `quiet`.
typedef struct cairn_pace {
    double raised;    ///< factor on the moments of inertia, or 0: none
    double stiffness; ///< rad²/s²: bound of the squared frequency of the body on its joints
    double span;      ///< s: of the substep whose end kick is the joints' warm start; 0: none
    uint16_t calm;    ///< steps in which fewer substeps would have done
    uint16_t wait;    ///< so many of them before fewer are taken
    uint16_t since;   ///< steps since fewer were taken
    uint8_t by_energy, by_closing; ///< substeps as powers of two: for accuracy, for convergence
    uint8_t good;                  ///< substeps that converged fast, one after the other
    uint8_t quiet;                 ///< substeps in which less inertia would have done
    uint8_t aside, tried; ///< steps that a locked net is not tried as another one: still, and as a
                          ///< power of two the last time
    uint8_t by_update, smooth; ///< beside contacts: how often the substeps of the world are doubled
                               ///< so that drifts do what rows promise, and steps that needed less
    double missed;             ///< by which they missed in the step, as a share of the body's size
} cairn_pace;

/// A body. Its own frame is that of its principal axes at its center of mass; `principal` leads
/// from there to the frame that the user gave. Fields stand in groups of 64 bytes, which is what
/// comes from memory at once: what is asked of both bodies of every close pair first, then what
/// touching pairs need, what each substep reads and writes, and last what is hardly looked at.
typedef struct cairn_body {
    _Alignas(64) cairn_vec3 x; ///< m: center of mass
    double radius; ///< m: farthest point of the shape from the center; 0 for shapes without end
    double swing;  ///< m: how far turning takes a point of it within the step, at most
    uint32_t generation; ///< grows when the slot is given to another body
    bool alive, asleep, frozen;
    bool moved : 1;     ///< a static body was placed since the last step
    bool round : 1;     ///< as the last step found it, a ball; see ball.h
    bool shifted : 1;   ///< its pose is another one than at the detection before,
    bool replaced : 1;  ///< or will be: it was looked at again since
    bool lost : 1;      ///< its island has no answer in this step; see freeze.c
    bool advanced : 1;  ///< its island was stepped as a whole; see substeps.c
    bool traveled : 1;  ///< the last step changed its pose
    bool sleepless : 1; ///< it may not fall asleep
    bool spread : 1;    ///< other processes have it, too; see cairn_world_exchange
    bool copy : 1;      ///< and one of them owns it
    bool plain : 1;     ///< `principal` is the identity
    bool weighed : 1;   ///< it has the principal frame of `mass`
    bool disabled : 1;  ///< frozen by choice; see body_change.c
    bool aimed : 1;     ///< on its way to a target, where it stops
    bool belt : 1;      ///< its surface moves and it does not
    bool shaped : 1;    ///< it has a shape
    bool pushed : 1;    ///< forces of the user acted on it in the last step
    bool yields : 1;    ///< a squeeze without an answer moves it in this step; see squeeze.c
    bool squeezed : 1;  ///< and did so in the last one
    bool fled : 1;      ///< a blow within this step makes it faster than its box foresaw
    cairn_body_type type;
    int proxy;           ///< in the broad phase, or -1
    int shared_touches;  ///< of the first body of an island at rest: its contacts; see share.c
    double inverse_mass; ///< 0 unless dynamic

    cairn_vec3 v, w; ///< m/s, rad/s
    double gravity_scale;
    double still; ///< s: for how long it has been certified at rest

    cairn_transform pose; ///< of the shape, as the last step found it
    int next_asleep;      ///< the ring of its sleeping island
    int shared;           ///< of the first body of an island at rest whose loads were shared: their
                          ///< multiplicity plus 1

    cairn_shape shape;
    void* user;

    cairn_material material;
    uint32_t category, mask;
    double mass;             ///< kg: when it is dynamic; 0: not known
    const cairn_part* parts; ///< of its compound, or NULL

    double stood;       ///< s: for how long it has been where it is, or nearly
    double wait;        ///< s: so long it has to, before it is asked again whether it could stand
    cairn_vec3 stood_x; ///< m: and where that is

    cairn_quat q;               ///< principal axes -> world
    cairn_vec3 inertia;         ///< kg m²: principal moments
    cairn_mat3 inverse_inertia; ///< world frame, refreshed with q
    cairn_vec3 force, torque;   ///< N, N m: of the next step
    double linear_damping, angular_damping;

    cairn_transform principal; ///< principal frame -> body frame
    cairn_transform offset;    ///< shape frame -> principal frame

    cairn_quat stood_q; ///< and how it is turned there
    cairn_pace pace;

} cairn_body;
_Static_assert(offsetof(cairn_body, q) % 64 == 0, "x and q, all of a pose, take two cache lines");

/// The lines of a contact that has some: edges, axes of rims, or the form of an ellipsoid; in the
/// principal frames.
typedef struct cairn_touch_lines {
    cairn_vec3 along[2]; ///< unit, of A and B; zero: none
    double half[2];      ///< m: half lengths, about the core points
    double disc;         ///< m: radius of a rim
    bool oval;           ///< an ellipsoid over a face
    cairn_mat3 S;        ///< m²: of the ellipsoid, see feature.h
    int side;            ///< whose rim it is
} cairn_touch_lines;

/// A contact point of the current step. It knows the features of the bodies that meet, so that
/// substeps follow them without detecting collisions again (kinematics.h). In groups of 64 bytes,
/// as a body.
typedef struct cairn_touch {
    _Alignas(64) int a; ///< slots of the bodies
    int b;
    int part_a, part_b;  ///< of compounds and surfaces
    uint64_t feature;    ///< with the parts: the same while the same features touch
    cairn_vec3 impulse;  ///< N s on B, of the last substep (world): the warm start
    double spin_impulse; ///< N m s
    double span;         ///< s: of that substep; 0: there was none

    cairn_vec3 n, t;        ///< unit normal from A to B and a tangent
    double gap;             ///< m
    int pair;               ///< slot of its pair
    bool touching : 1;      ///< whether the bodies of the pair touched in the last step
    bool balls : 1;         ///< of two balls: points that are the centers
    bool renewed : 1;       ///< its pair was looked at again within the step
    bool moved : 1;         ///< when it was found anew
    bool gone : 1;          ///< since an earlier substep of the step
    bool cut : 1;           ///< it was found at the border of its face
    bool struck : 1;        ///< by the impact stage of this substep, before the bodies met
    bool rolls : 1;         ///< it resists rolling: see rolling.c
    unsigned char kind;     ///< of its law of friction: a cairn_friction_kind
    unsigned char rows : 6; ///< 3, or 4 with torsional friction
    bool soft : 1;          ///< it is a spring: see soft.c
    bool carries : 1;       ///< a surface of it moves: see cairn_touch_carry
    unsigned char rule;     ///< how it follows its bodies: a cairn_contact_rule

    cairn_vec3 total; ///< N s on B, summed over the substeps
    double mu[2];     ///< along t and n x t
    double mu_spin;   ///< m
    double restitution;
    double round_a; ///< m: radius about the core of A; of a face its level above A's center

    cairn_vec3 at_a, at_b; ///< core points in the principal frames; of a face its normal
    double round_b;        ///< m: as round_a
    int next;              ///< while the step lasts: the next contact of its pair, plus 1; 0: none
    int line;              ///< its lines in the list of the world, plus 1; 0: none
} cairn_touch;
_Static_assert(sizeof(cairn_touch) <= 256,
               "four lines of the cache: every stage of a step reads them");

/// n, t and the second tangent n x t.
static inline cairn_mat3 cairn_touch_frame(const cairn_touch* touch)
{
    return (cairn_mat3){touch->n, touch->t, cairn_cross(touch->n, touch->t)};
}

/// The law of friction of a contact as problems have it.
static inline cairn_friction cairn_touch_friction(const cairn_touch* touch)
{
    return (cairn_friction){.kind = (cairn_friction_kind)touch->kind,
                            .mu = {touch->mu[0], touch->mu[1], touch->mu_spin}};
}

/// What the contacts of the next step take over from a touch.
typedef struct cairn_warmth {
    int part_a, part_b;
    uint64_t feature;
    cairn_vec3 impulse;
    double spin_impulse, span;
} cairn_warmth;

/// What a servo asks for; the spring and motor of its joint follow from it in each step (drive.c).
typedef struct cairn_servo {
    bool on;
    double target, stiffness, damping, strength;
} cairn_servo;

/// A joint. Its frames lead to the principal frames of its bodies, or to the world.
typedef struct cairn_link {
    uint32_t generation;
    bool alive;
    cairn_joint_kind kind;
    int a, b; ///< slots; a may be CAIRN_WORLD_BODY
    cairn_transform frame_a, frame_b;
    bool collide;                  ///< whether its two bodies do
    double ratio, length;          ///< of a gear; of a distance joint when it was made
    unsigned locks;                ///< CAIRN_LOCK_X ...
    cairn_vec3 anchor_a, anchor_b; ///< m, world: of a pulley
    cairn_surface surface;
    double radius, tube, roller; ///< m: of the surface; of what rolls on it
    double side;                 ///< 1 or -1: of the surface where B is
    bool wheel;
    bool limited, driven;
    double lo, hi, speed, strength, stiffness, damping, rest;
    double load;               ///< N s: of the step before,
    double borne;              ///< N s: and the lesser of the two steps before: no blow
    double turns;              ///< rad: the angle of a joint, followed beyond a full turn
    double turns_before;       ///< rad: it, where the step began,
    double rate_before;        ///< rad/s: and its rate then; 0: slow
    double x_last;             ///< rad, m: the coordinate where the last drift of the step began
    double warm[9];            ///< impulses of the last substep: joint rows, limit, motor, spring
    cairn_vec3 impulse, twist; ///< N s, N m s on B, summed over the substeps
    double worked;             ///< J: by its motor in the step, beside contacts
    double shares[3];          ///< N s, N m s along its coordinate, likewise: limit, motor, spring
    cairn_servo servo;
    double break_force, break_torque; ///< N, N m; 0: none
    void* user;
} cairn_link;

/// Where a joint is now.
typedef struct cairn_link_place {
    cairn_vec3 r_a, r_b;       ///< from the centers to the points, world
    cairn_vec3 apart;          ///< m: from the point of A to the point of B
    cairn_mat3 axes_a, axes_b; ///< the joint frames' axes in the world
    double coordinate;         ///< rad or m
    cairn_vec3 normal; ///< unit, of a surface towards B: `apart` is along it; of a pulley the
                       ///< rope, from A's anchor to A's point
} cairn_link_place;

/// What a close pair of bodies keeps between steps.
typedef struct cairn_pair_state {
    _Alignas(64) cairn_contacts contacts;
    int64_t seen;                 ///< the attempt at a step of its last narrow phase
    int64_t noted;                ///< the attempt whose undo has its manifolds
    int touch, touch_count;       ///< its touches: of the last step, or put aside when it sleeps
    bool asleep;                  ///< no body of it moves: its touches lie in `slept`
    bool touching;                ///< between its begin and its end event
    bool passes;                  ///< the hook of contacts refused some in this step
    bool settled;                 ///< its last narrow phase gave the manifolds that were there
    double margin;                ///< m: how far ahead it looked
    int64_t renewed;              ///< the attempt in which it was looked at again
    int renewed_at;               ///< and the substep
    int extra;                    ///< the first contact that it found then, plus 1; 0: none
    cairn_body_id body_a, body_b; ///< since its begin event
    int manifold; ///< its first one in the march of its island, if that is its, plus 1
} cairn_pair_state;

typedef struct cairn_event_list {
    cairn_contact_event* items;
    int count, capacity;
} cairn_event_list;

/// Sensors, hits and broken joints; see alert.h.
typedef struct cairn_alerts cairn_alerts;

/// The threads of a world; see threads.h.
typedef struct cairn_crew cairn_crew;

/// Bodies that left their boxes since the last step; see query.h.
typedef struct cairn_strays cairn_strays;
typedef struct cairn_linkage cairn_linkage;

/// What a step changes, as it was before; see undo.c.
typedef struct cairn_undo_bodies cairn_undo_bodies;
typedef struct cairn_undo_links cairn_undo_links;
typedef struct cairn_undo_pair cairn_undo_pair;
typedef struct cairn_undo_block cairn_undo_block;

typedef struct cairn_undo_log {
    cairn_undo_block* newest;
    size_t before; ///< bytes in the step before
} cairn_undo_log;

typedef struct cairn_undo {
    cairn_arena arena;
    cairn_undo_bodies* bodies;
    cairn_undo_links* links;
    int body_count, link_count;      ///< noted in this step,
    int bodies_before, links_before; ///< and in the one before
    int pair_count;
    cairn_undo_pair* pairs;
    int asleep, slept_count, touch_count; ///< as those of the world
    bool slept_stale;
    cairn_undo_log log; ///< manifolds
} cairn_undo;

/// What the steps since the last look have needed at most, beside what arenas remember themselves.
typedef struct cairn_need {
    int steps;   ///< since then
    int growths; ///< how often more looks found that memory had grown than that it had not
    size_t held; ///< bytes after the last look
    int pairs, touches, slept, contacts, begun, ended, islands;
} cairn_need;

/// What a step may take, and what steps have taken; see budget.c. Costs are in seconds of the
/// clock, or in operations where the world counts these.
typedef struct cairn_meter {
    bool armed;          ///< who polls is told when the limit is passed
    bool again;          ///< it was, in the step under way
    double started;      ///< s, of cairn_clock(): the step under way
    double limit;        ///< s, of cairn_clock(), or operations; 0: none
    uint64_t spent;      ///< operations of the attempt under way
    double detection;    ///< what the detection of the step has cost
    double whole;        ///< of a step without limits, for each unit of its size; 0: not known
    double each, around; ///< of a small step of a lean one, and of all else in it, likewise
    int wait, tried;     ///< lean steps until a whole one is tried again; how often that failed
    int steps;           ///< small steps of the lean step under way; 0: it is a whole one
    double h;            ///< s: of the small steps of the step before; 0: it was a whole one
    bool stood;          ///< all islands were found at rest in it,
    int contacts;        ///< with so many contacts
} cairn_meter;

struct cairn_world {
    cairn_world_def def;
    cairn_solve_def tuning;        // options of the method
    int body_count, body_capacity; ///< slots, dead ones included
    int body_free;                 ///< a dead slot to reuse, chained through `x.x`; -1: none
    cairn_body* bodies;
    int link_count, link_capacity; ///< slots of joints, dead ones included
    int link_free;                 ///< how many of them are dead
    cairn_link* links;
    cairn_broad* broad;
    int proxy_capacity;
    int* proxy_body; ///< slot of the body of each proxy
    int pair_capacity;
    cairn_pair_state* pairs; ///< by slot of the broad phase
    int touch_count, touch_capacity;
    cairn_touch* touches; ///< of the current step, in the order of pairs and features
    int line_count, line_capacity;
    cairn_touch_lines* lines; ///< of those touches that have some
    cairn_warmth* warmth;     ///< of the touches of the step before; memory of `undo`
    int asleep;               ///< bodies
    int slept_count, slept_capacity;
    cairn_touch* slept; ///< touches of sleeping pairs
    bool slept_stale;   ///< some of them belong to pairs that are awake or gone
    bool slept_shown;   ///< the first of `contacts` are theirs
    double slept_depth; ///< m: the deepest of them
    int contact_capacity;
    cairn_contact* contacts;       ///< what the user sees: of sleeping pairs, then of the last step
    cairn_event_list begun, ended; ///< of the last step
    cairn_event_list begins, ends; ///< of the step under way
    int island_count, island_capacity;
    cairn_island_report* island_reports; ///< of the last step
    int told_count;
    cairn_island_report* told; ///< of the step under way; memory of `undo`
    int64_t step;
    int64_t attempt; ///< as `step`, but those that failed count, too
    int again;       ///< how often the step under way was begun anew for bodies that fled
    bool fled;       ///< some did in the attempt under way: it is given up
    double flight;   ///< m/s: how fast the fastest of them is
    cairn_meter meter;
    double time;
    double entered;    ///< s: bodies of a scene that enter at this time or before are in
    double touching;   ///< m: a smaller gap counts as closed
    bool automatic;    ///< the method of `def` is the one that chooses for each island
    bool articulated;  ///< it is the one for joints alone
    cairn_arena arena; ///< scratch of a step
    struct cairn_balance* balance; ///< of each slot, within a step; NULL: not yet
    cairn_arena keep;              ///< what lasts through the substeps of a step
    cairn_undo undo;               ///< the way back, if the step fails
    cairn_workspace* workspace;
    cairn_need need;      ///< of the steps since memory was last given back
    cairn_crew* crew;     ///< or NULL
    cairn_strays* strays; ///< what queries remember
    uint64_t version;     ///< grows with every change of places, so that they know when to forget
    cairn_linkage* linkages; ///< trees of joints that were built so far; they follow from the state
    cairn_alerts* alerts;    ///< or NULL
    double dt;               ///< s: of the last step
    cairn_pair_hook pair_hook; ///< or NULL
    void* pair_context;
    cairn_contact_hook contact_hook; ///< or NULL
    void* contact_context;
    cairn_material_hook material_hook; ///< or NULL
    void* material_context;
    cairn_solve_hook solve_hook; ///< or NULL
    void* solve_context;
    cairn_task_hook task_hook; ///< or NULL: threads are the world's own
    void* task_context;
    bool hooked; ///< while the hook runs
};

/// A world as it lies in memory: beside it, out of the reach of snapshots, the flag that another
/// thread or a signal handler may raise at any time.
typedef struct cairn_world_room {
    cairn_world world; ///< first, so that one address serves both
    cairn_cancel cancel;
    const cairn_exchange* exchange; ///< or NULL
} cairn_world_room;

/// The flag that cancels the steps of a world. Not for the copies inside snapshots.
static inline cairn_cancel* cairn_world_flag(const cairn_world* world)
{
    return &((cairn_world_room*)world)->cancel;
}

/// A world on several processes: each has bodies of its own and copies of those of others that are
/// near them, and every contact is in one process alone. All shared bodies make one island with
/// what they touch. NULL: there is one process. The marks `spread` and `copy` of its bodies are set
/// by whoever sets it.
static inline const cairn_exchange* cairn_world_exchange(const cairn_world* world)
{
    return ((const cairn_world_room*)world)->exchange;
}

/// Whether the limit of the step under way is passed.
static inline bool cairn_meter_is_passed(const cairn_world* world)
{
    const cairn_meter* meter = &world->meter;
    if (!meter->armed)
        return false;
    if (world->def.work > 0.0)
        return (double)__atomic_load_n(&meter->spent, __ATOMIC_RELAXED) > meter->limit;
    return cairn_clock() > meter->limit;
}

/// Whether something that cannot be interrupted and takes so many operations would pass it.
static inline bool cairn_meter_would_pass(const cairn_world* world, double operations)
{
    const double seconds = 2.5e-8; // for each of them
    const cairn_meter* meter = &world->meter;
    if (!meter->armed)
        return false;
    if (world->def.work > 0.0)
        return operations > meter->limit;
    return cairn_clock() + operations * seconds > meter->limit;
}

/// CAIRN_INTERRUPTED once the step under way was canceled or has passed its limit, else CAIRN_OK.
/// Every loop of a step asks it whose work is not bounded by a tenth of a millisecond or so.
static inline cairn_status cairn_world_poll(const cairn_world* world)
{
    bool ends = cairn_is_raised(cairn_world_flag(world)) || cairn_meter_is_passed(world);
    return ends ? CAIRN_INTERRUPTED : CAIRN_OK;
}

/// Counts operations (visits of a contact, a body or a row) of the step under way, on any thread. A
/// sum of whole numbers is the same in any order.
static inline void cairn_world_spend(const cairn_world* world, double operations)
{
    if (world->def.work > 0.0)
        __atomic_fetch_add(&((cairn_world*)world)->meter.spent, (uint64_t)operations,
                           __ATOMIC_RELAXED);
}

/// Who may call a function of a world: CAIRN_BAD_INPUT without a world, and CAIRN_BUSY where one of
/// its hooks or visitors calls. Reading is for all, asking (queries, snapshots) not for the hook of
/// solves, changing for neither.
cairn_status cairn_world_may_read(const cairn_world* world, cairn_error* error);
cairn_status cairn_world_may_ask(const cairn_world* world, cairn_error* error);
cairn_status cairn_world_may_change(const cairn_world* world, cairn_error* error);

/// The body of an id, or NULL with a sentence in `error` when the id is stale or none.
cairn_body* cairn_world_body(const cairn_world* world, cairn_body_id id, cairn_error* error);

/// Likewise the joint of an id.
cairn_link* cairn_world_link(const cairn_world* world, cairn_joint_id id, cairn_error* error);

/// Finds the contacts of a step of dt seconds and carries over the impulses of the last one.
cairn_status cairn_world_detect(cairn_world* world, double dt, cairn_step_report* report);

/// Room for contacts, and for what the user sees of them; false without memory.
bool cairn_world_reserve_touches(cairn_world* world, int need);
bool cairn_world_reserve_contacts(cairn_world* world);

/// Moves a body by a small displacement: 3 numbers of translation, 3 of rotation.
void cairn_body_displace(cairn_body* body, const double* d);

cairn_link_place cairn_link_where(const cairn_world* world, const cairn_link* link);

/// What a joint keeps of its place when it is made: the mesh of a rack or a screw, else its
/// coordinate.
double cairn_link_start_length(const cairn_link* link, const cairn_link_place* p);

/// Where a joint is with its bodies at `a` and `b` (principal frames; the world: the identity). An
/// angle is the one that is nearest to `near`.
cairn_link_place cairn_link_at(const cairn_link* link, cairn_transform a, cairn_transform b,
                               double near);

/// The points of a joint, which are all that there is to a ball joint.
typedef struct cairn_link_points {
    cairn_vec3 r_a, r_b; ///< from the centers, world
    cairn_vec3 apart;    ///< m: from the point of A to the point of B
} cairn_link_points;

static inline cairn_link_points cairn_link_points_of(const cairn_world* world,
                                                     const cairn_link* link)
{
    const cairn_body* b = &world->bodies[link->b];
    cairn_vec3 r_b = cairn_rotate(b->q, link->frame_b.p), r_a = link->frame_a.p;
    cairn_vec3 at_b = cairn_add(b->x, r_b), at_a = r_a;
    if (link->a != CAIRN_WORLD_BODY) {
        const cairn_body* a = &world->bodies[link->a];
        r_a = cairn_rotate(a->q, link->frame_a.p);
        at_a = cairn_add(a->x, r_a);
    }
    return (cairn_link_points){r_a, r_b, cairn_sub(at_b, at_a)};
}

/// m: how far the points of a joint gape.
double cairn_link_gap(const cairn_world* world, const cairn_link* link);

/// The equality rows of a joint at its place; returns their number: none, or that of its kind, at
/// most 6.
int cairn_link_rows(cairn_row* rows, const cairn_link* link, const cairn_link_place* place);
int cairn_link_most_rows(const cairn_link* link);

/// The axis u of the angle that the coordinate of a joint is: its rate is (w_B - w_A)·u. False where it
/// is no angle, or none at this place.
bool cairn_link_angle_axis(cairn_vec3* u, const cairn_link* link, const cairn_link_place* place);

/// The row of the free coordinate of a joint; false when there is none.
bool cairn_link_free_row(cairn_row* row, const cairn_link* link, const cairn_link_place* place);

/// The row of the limit that is nearer, made to point inside, and the way to it in *room: negative
/// beyond it. False when the joint has no limits, or no coordinate where it is.
bool cairn_link_limit(cairn_row* inward, double* room, const cairn_link* link,
                      const cairn_link_place* place);

/// The position error of each equality row: C with dC/dt = row · velocity. Zero for gears.
void cairn_link_errors(double* C, const cairn_link* link, const cairn_link_place* place,
                       const cairn_row* rows, int count);

/// Baumgarte's term, if the world asks for it: what b of a joint has beside J v* for each unit of
/// its errors of position, in 1/s; else 0.
static inline double cairn_link_return(const cairn_world* world, double h)
{
    bool asked = world->def.stabilization == CAIRN_STABILIZE_VELOCITIES;
    return asked ? world->def.baumgarte / h : 0.0;
}

/// Whether joints obey J (v + v') = 0, so that their impulses do no work, rather than J v' = 0. Not
/// with Baumgarte's term, whose velocities would turn round in every step and never end.
static inline bool cairn_links_workless(const cairn_world* world)
{
    return world->def.integrator == CAIRN_INTEGRATOR_MOREAU &&
           world->def.stabilization != CAIRN_STABILIZE_VELOCITIES;
}

/// The velocity of a joint's row with the bodies' present velocities.
double cairn_link_velocity(const cairn_row* row, const cairn_world* world, const cairn_link* link);

/// Moves the place of a joint on a surface from B's point to where it touches.
void cairn_link_touch(cairn_link_place* place, const cairn_link* link);

/// Refuses surfaces and rollers that are none; nothing to say of other joints.
cairn_status cairn_link_check_surface(const cairn_joint_def* def, cairn_error* error);

/// Settles the side of the surface where B is, and a radius that was left open.
void cairn_link_start_surface(cairn_link* link, const cairn_world* world);

/// Bytes that the trees of joints hold.
size_t cairn_linkages_memory(const cairn_linkage* first);

/// Counts the room that a step has needed; gives back, before the next one, what none has needed
/// for a while.
void cairn_world_count_need(cairn_world* world);
void cairn_world_trim(cairn_world* world);

/// Frees the trees of joints that no step has needed for a while.
void cairn_linkages_prune(cairn_world* world);

/// Frees the trees of joints.
void cairn_linkages_destroy(cairn_linkage* first);

/// Whether a joint keeps the bodies of two slots from colliding.
bool cairn_world_joint_excludes(const cairn_world* world, int a, int b);

/// Removes the joints of a body that is about to be removed.
void cairn_world_remove_links_of(cairn_world* world, int body);

/// Frees what a snapshot keeps of a world: bodies, joints, pairs, contacts.
void cairn_world_release_state(cairn_world* world);

/// Takes a body out of the simulation that left the range of numbers; it stays where it was before.
void cairn_body_freeze_lost(cairn_world* world, cairn_body* body, cairn_transform from,
                            cairn_step_report* report);

/// Takes all bodies out that left the range of numbers, or would within h seconds.
void cairn_world_freeze_lost(cairn_world* world, double h, cairn_step_report* report);

/// Hides frozen bodies from each other and from all others, once the step in which they froze is
/// done.
void cairn_world_hide_frozen(cairn_world* world);

/// Ends the contact of a pair that is gone: an end event if it was touching.
cairn_status cairn_pair_end(cairn_world* world, cairn_pair_state* pair);

/// Begin and end events of the pairs that have touches in this step.
cairn_status cairn_world_find_events(cairn_world* world);

/// Ends a step: time, what the user sees of contacts and joints, and the figures of the report.
/// CAIRN_NO_MEMORY, before anything of it is changed, or CAIRN_OK.
cairn_status cairn_world_publish(cairn_world* world, double dt, cairn_step_report* report);

/// Whether the laws of motion move a body: dynamic, awake and sound.
static inline bool cairn_body_active(const cairn_body* body)
{
    return body->alive && body->type == CAIRN_BODY_DYNAMIC && !body->asleep && !body->frozen;
}

/// rad/s: how fast its pose turns; that of a belt stays.
static inline cairn_vec3 cairn_body_turning(const cairn_body* body)
{
    return body->belt ? cairn_vec(0.0, 0.0, 0.0) : body->w;
}

/// Whether a joint has a coordinate and holds nothing.
static inline bool cairn_joint_is_open(cairn_joint_kind kind)
{
    return kind == CAIRN_JOINT_ALONG || kind == CAIRN_JOINT_TWIST || kind == CAIRN_JOINT_AROUND;
}

/// Whether something acts on the coordinate of a joint, or will as soon as its servo is aimed.
static inline bool cairn_link_acts(const cairn_link* link)
{
    const cairn_servo* servo = &link->servo;
    return link->limited || link->driven || link->stiffness + link->damping > 0.0 ||
           (servo->on && servo->stiffness + servo->damping > 0.0);
}

/// Whether a joint takes part in the simulation: it holds an active body, and no frozen one.
static inline bool cairn_link_active(const cairn_world* world, const cairn_link* link)
{
    const cairn_body* b = &world->bodies[link->b];
    const cairn_body* a = link->a == CAIRN_WORLD_BODY ? NULL : &world->bodies[link->a];
    if (!link->alive || b->frozen || (a && a->frozen) ||
        (cairn_joint_is_open(link->kind) && !cairn_link_acts(link)))
        return false;
    return cairn_body_active(b) || (a && cairn_body_active(a));
}

/// Adds the impulse x of a row to what the user sees of a joint.
static inline void cairn_link_add_impulse(cairn_link* link, const cairn_row* row, double x)
{
    const double* b = row->b;
    link->impulse = cairn_add_scaled(link->impulse, x, cairn_vec(b[0], b[1], b[2]));
    link->twist = cairn_add_scaled(link->twist, x, cairn_vec(b[3], b[4], b[5]));
}

/// R diag(d) R^T: a tensor of the principal axes in the world; d_x + (d_z - d_x) e e^T with e the z
/// axis where d_x = d_y.
static inline cairn_mat3 cairn_principal_tensor(cairn_quat q, cairn_vec3 d)
{
    if (d.x == d.y && d.y == d.z)
        return cairn_mat3_diagonal(d.x, d.x, d.x);
    cairn_mat3 R = cairn_quat_to_mat3(q);

    // symmetric about its z axis e: d_x I + (d_z - d_x) e e^T
    if (d.x == d.y) {
        cairn_vec3 e = R.cz, s = cairn_scale(d.z - d.x, e);
        double across = s.x * e.y, up = s.x * e.z, side = s.y * e.z;
        return (cairn_mat3){{d.x + s.x * e.x, across, up},
                            {across, d.x + s.y * e.y, side},
                            {up, side, d.x + s.z * e.z}};
    }

    // six products, the rest by symmetry
    cairn_vec3 x = cairn_scale(d.x, R.cx), y = cairn_scale(d.y, R.cy), z = cairn_scale(d.z, R.cz);
    double xy = x.x * R.cx.y + y.x * R.cy.y + z.x * R.cz.y;
    double xz = x.x * R.cx.z + y.x * R.cy.z + z.x * R.cz.z;
    double yz = x.y * R.cx.z + y.y * R.cy.z + z.y * R.cz.z;
    return (cairn_mat3){{x.x * R.cx.x + y.x * R.cy.x + z.x * R.cz.x, xy, xz},
                        {xy, x.y * R.cx.y + y.y * R.cy.y + z.y * R.cz.y, yz},
                        {xz, yz, x.z * R.cx.z + y.z * R.cy.z + z.z * R.cz.z}};
}

/// What the hook of pairs says.
bool cairn_world_ask_pair(const cairn_world* world, cairn_body_id a, cairn_body_id b);

/// Whether the hook of pairs keeps two bodies from colliding in this step.
static inline bool cairn_pair_refused(const cairn_world* world, int a, int b)
{
    if (!world->pair_hook)
        return false;
    cairn_body_id first = {a, world->bodies[a].generation};
    cairn_body_id second = {b, world->bodies[b].generation};
    return !cairn_world_ask_pair(world, first, second);
}

/// What the hook of contacts says of a patch of a pair. A refusal is noted with the pair.
bool cairn_world_ask_contact(cairn_world* world, const cairn_pair* pair, const cairn_patch* patch,
                             const cairn_contact_point* points);

/// Whether the hook of contacts takes a patch of a pair away; `points` are those of all its patches.
static inline bool cairn_patch_refused(cairn_world* world, const cairn_pair* pair,
                                       const cairn_patch* patch, const cairn_contact_point* points)
{
    return world->contact_hook && patch->count > 0 &&
           !cairn_world_ask_contact(world, pair, patch, points);
}

/// Whether a joint couples velocities and holds no position.
static inline bool cairn_joint_is_gear(cairn_joint_kind kind)
{
    return kind == CAIRN_JOINT_GEAR;
}

/// Refuses limits that the free coordinate cannot keep.
cairn_status cairn_joint_check_limits(const cairn_joint_def* def, cairn_error* error);

/// Whether a joint of this kind has a free coordinate.
bool cairn_joint_has_coordinate(cairn_joint_kind kind);

/// Notes the angles of joints where a step of dt seconds begins, and finds their full turns where it ends.
void cairn_world_note_angles(cairn_world* world, double dt);
void cairn_world_follow_angles(cairn_world* world, double dt);

/// Turns the servos of joints into springs and motors for a step of dt seconds.
void cairn_world_aim_servos(cairn_world* world, double dt);

/// Removes a joint; wakes its bodies.
void cairn_link_remove(cairn_world* world, cairn_link* link);
void cairn_link_wake(cairn_world* world, const cairn_link* link);

/// The body of an id that may be changed; and awake from now on.
cairn_status cairn_body_find(cairn_body** body, cairn_world* world, cairn_body_id id,
                             cairn_error* error);
cairn_status cairn_body_touch(cairn_body** body, cairn_world* world, cairn_body_id id,
                              cairn_error* error);

/// Puts the body's frame at a pose.
void cairn_body_place(cairn_body* body, cairn_transform pose);

/// Mass, principal axes and frames of a body by its def; nothing but the mass unless it is dynamic.
cairn_status cairn_body_weigh(cairn_body* body, const cairn_body_def* def, cairn_error* error);

/// kg: what a body that is not dynamic would have; 0: not known.
double cairn_body_mass_of(const cairn_body_def* def);

/// Refuses an inertia that is not finite or not symmetric; zero is none.
cairn_status cairn_accept_inertia(cairn_mat3 inertia, cairn_error* error);

/// Room for the body of a proxy; false without memory.
bool cairn_world_reserve_proxy(cairn_world* world, int proxy);
/// Refuses parts that are given without a compound, or with numbers out of their ranges.
cairn_status cairn_accept_parts(const cairn_shape* shape, const cairn_part* parts,
                                cairn_error* error);

/// How far its shape reaches from its center of mass, and what counts as closed beside it.
void cairn_body_measure(cairn_world* world, cairn_body* body);

/// What the broad phase is told of whom a body meets.
cairn_filter cairn_body_filter(const cairn_body* body);

/// Brings the world-frame inertia in line with q.
void cairn_body_refresh(cairn_body* body);

/// The body's pose in the user's frame.
cairn_transform cairn_body_pose(const cairn_body* body);

/// Sets the principal frame.
void cairn_body_set_principal(cairn_body* body, cairn_transform principal);

/// The pose of the body's shape where the body is now.
cairn_transform cairn_body_shape_pose(const cairn_body* body);

#endif
