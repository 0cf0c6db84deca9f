// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Islands of a step: bodies that contacts and joints connect, and the ways to solve one of them.
// Private to this folder.
#ifndef CAIRN_WORLD_ISLAND_H
#define CAIRN_WORLD_ISLAND_H

#include "problem/mass.h"
#include "problem/six.h"
#include "world/step/kinematics.h"

typedef struct cairn_pack cairn_pack;
typedef struct cairn_march cairn_march;

/// Bodies that can feel each other, with their contacts and joints: ranges of the lists of a group.
typedef struct cairn_island {
    int body, body_count;
    int touch, touch_count;
    int link, link_count;
    bool shared;      ///< other processes have the rest of it; see cairn_world_exchange
    int everywhere;   ///< contacts that it has in all processes
    bool plain;       ///< contacts alone, no joints
    bool cones;       ///< no contact has another law of friction than a cone
    bool bouncy;      ///< some contact has restitution, or may be struck within a substep
    bool startled;    ///< some contact came after its kick, which would be passed; see aftershock.c
    bool springy;     ///< some contact has restitution
    bool rolls;       ///< some contact resists rolling
    bool soft;        ///< some contact is a spring
    bool carries;     ///< a surface of some contact moves
    bool slow;        ///< no body moves faster than a few centimeters a second
    int moving;       ///< contacts of bodies that do; counted up to 65
    bool tired;       ///< exact solves have taken all the work that they may take in the step
    bool rested;      ///< solved for the whole step, found at rest
    bool crowded;     ///< it may meet bodies whose contacts change their motion within the step
    bool advanced;    ///< stepped as a whole, without contacts; see substeps.c
    bool deferred;    ///< or rather by the other passes: its joints could not be closed so
    bool lost;        ///< a solve ended with NaN: it stays where it was when the step began
    bool far;         ///< some body was moved out of the range of numbers
    bool squeezed;    ///< no velocities satisfy its contacts: some of them yield; see squeeze.c
    bool followed;    ///< its contacts have followed its bodies to where these end the step
    double scale;     ///< m/s: the largest |b| of its last kick before a drift
    double bounce;    ///< rad²/s²: of its stiffest soft contacts that meet or swing open
    double lifted;    ///< J: what its last push has added, against gravity
    bool recast;      ///< some contacts came or went, until the pack knows
    cairn_pack* pack; ///< its contacts laid out for sweeps, or NULL
    cairn_pack* spare;      ///< the last layout within the step, whose memory the next one takes
    cairn_march* march;     ///< its contacts laid out for small steps, or NULL; see march.h
    cairn_march* old_march; ///< the last of these, whose memory the next one takes
} cairn_island;

/// Whether few contacts are of bodies that move.
static inline bool cairn_island_is_sedate(const cairn_island* island)
{
    enum { few_contacts = 64 };
    return island->moving <= few_contacts;
}

/// How far a body that was struck within a substep is behind the way of its new velocity, how often it
/// was struck and when last; `cut`: it may not be put back the whole way.
typedef struct cairn_lag {
    cairn_vec3 by; ///< m
    double last;   ///< s: into the substep
    int hits;
    bool cut;
} cairn_lag;

/// The islands of a step. Static, kinematic and sleeping bodies connect nothing.
typedef struct cairn_group {
    int count;
    cairn_island* islands;
    int* bodies;           ///< slots of active bodies, by island, ascending within
    int* touches;          ///< contacts, likewise
    int touch_room;        ///< for so many
    int* links;            ///< active joints, likewise
    int* local;            ///< of each slot: its place in its island, or -1
    int* island_of;        ///< of each slot: its island, or -1
    cairn_vec3* start;     ///< of each slot: v and w when the step began; NULL where no
                           ///< pair is close and nothing is joined
    cairn_transform* from; ///< of each slot: where it was when the substep began; NULL where no
                           ///< island has joints and contacts
    cairn_lag* lags;       ///< of each slot, in this substep; NULL where there are no contacts
    int looks;             ///< distances that times of impact have taken in this step
    double* behind; ///< s, of each slot: by how much its velocity is behind its place; NULL: the
                    ///< world has no leapfrog, or nothing moves
    bool* marched;  ///< of each slot: it has moved in this substep already; see march.h
    bool* ahead;  ///< of each slot: in the next one, too; it is in step with the others after that
    bool renewed; ///< some contacts were found anew within the step
    bool changed; ///< some of them came or went
} cairn_group;

/// Groups the active bodies of the world. Memory from the arena.
cairn_status cairn_world_group(cairn_group* group, cairn_world* world);

/// Deals the contacts of the world to the islands again; groups the bodies again, too.
cairn_status cairn_group_touches(cairn_group* group, cairn_world* world);
cairn_status cairn_group_again(cairn_group* group, cairn_world* world);

/// What a solve is for.
typedef enum cairn_phase {
    CAIRN_PHASE_REST,  ///< the whole step at once: the bodies stay where they are
    CAIRN_PHASE_DRIFT, ///< a kick: the bodies move with its velocities for h seconds
    CAIRN_PHASE_END,   ///< the last half kick of a step, where the bodies have arrived
} cairn_phase;

/// A contact of the island in one solve: its arms, and what its velocity has beside J v.
typedef struct cairn_contact_place {
    cairn_vec3 r[2]; ///< m: from the centers to the points, world
    cairn_vec3 bias; ///< m/s, world; infinite: it takes no part
    double gap;      ///< m: of soft contacts
} cairn_contact_place;

/// Whether a contact takes no part: it is open at the end of the step.
static inline bool cairn_is_out(const cairn_contact_place* placed)
{
    return placed->bias.x == INFINITY;
}

/// One island in one substep.
typedef struct cairn_span {
    cairn_world* world;
    const cairn_group* group;
    cairn_island* island;
    double h;     ///< s: of the substep
    double kick;  ///< s: for which forces act in this solve
    bool instant; ///< a kick after the kick, in which they do nothing; see aftershock.c
    cairn_phase phase;
    int substeps;       ///< of the step,
    int substep;        ///< and which of them this is
    bool last;          ///< the last substep of its step
    bool straight;      ///< its rows do not see how geometry turns in the drift ahead
    bool fresh;         ///< nothing has moved since contacts were detected
    const double* free; ///< v* of all slots for `kick`, 6 each
    const cairn_contact_place* placed; ///< of each contact; NULL: not yet
    cairn_arena* arena;                ///< scratch
    cairn_arena* keep;                 ///< what lasts through the substeps of the step
    cairn_workspace* workspace;
    int threads;     ///< that a solve may use
    int budget;      ///< iterations that the policy gives it; 0: any number
    double deadline; ///< of cairn_clock(): when a lean step is to end; 0: any time
    cairn_step_report* report;
    cairn_error* error;
} cairn_span;

/// Contacts and bodies of one part of a loop on all threads (cairn_world_loop).
enum { cairn_touches_at_once = 256, cairn_bodies_at_once = 128 };

/// Threads for work inside an island, or of the whole step; NULL: the caller's alone.
cairn_crew* cairn_span_crew(const cairn_span* span);

/// cairn_world_loop on those.
void cairn_span_loop(const cairn_span* span, void (*body)(void* context, int first, int end),
                     void* context, int count, int share);

/// A contact and a body of the island.
static inline cairn_touch* cairn_span_touch(const cairn_span* span, int c)
{
    return &span->world->touches[span->group->touches[span->island->touch + c]];
}
static inline cairn_body* cairn_span_body(const cairn_span* span, int i)
{
    return &span->world->bodies[span->group->bodies[span->island->body + i]];
}

/// What the processes that share an island tell each other; NULL: it is in this one alone.
static inline const cairn_exchange* cairn_island_exchange(const cairn_span* span)
{
    return span->island->shared ? cairn_world_exchange(span->world) : NULL;
}

/// Contacts of an island, wherever they are.
static inline int cairn_island_contacts(const cairn_span* span)
{
    return span->island->shared ? span->island->everywhere : span->island->touch_count;
}

/// Whether the velocities of the island's bodies are finite, and whether their places are; takes an
/// island back that is not, or that no method can solve, for the rest of the step; and at its end
/// freezes the bodies that are to blame, and those that were moved out of the range of numbers.
bool cairn_island_is_finite(const cairn_span* span);
bool cairn_island_is_placed(const cairn_span* span);
void cairn_island_lose(const cairn_span* span);
cairn_status cairn_group_end_lost(const cairn_group* group, cairn_world* world,
                                  cairn_step_report* report);

/// v* of all slots: the velocities after h seconds without contacts and joints, 6 each; and for a kick
/// of a substep, whose seconds may differ from body to body.
void cairn_world_free_velocities(double* to, const cairn_world* world, double h);
void cairn_span_free_velocities(double* to, const cairn_span* span);

/// Whether all bodies of the island have made the motion of this substep.
bool cairn_island_has_marched(const cairn_span* span);

/// Whether the island has made that of the next one, too.
static inline bool cairn_island_is_ahead(const cairn_span* span)
{
    return span->group->ahead && span->group->ahead[span->group->bodies[span->island->body]];
}

/// m/s: no contact of the island is faster than its bodies, v*. The largest |b| may be that of a wide
/// open gap, by which a slow pile would creep within its tolerance.
double cairn_island_fastest(const cairn_span* span);

/// Gives the active bodies of an island v* plus a change (6 for each place).
void cairn_island_kick(const cairn_span* span, const double* change);

/// Follows the contacts of the island to where they are now, and tells what b has beside J v*: one
/// for each contact, memory from the arena; NULL without memory.
cairn_contact_place* cairn_island_place(const cairn_span* span);

/// Whether an island is small enough for what is of second order: the drift ahead in the rows of
/// its contacts, and a stage of its own for impacts without restitution.
static inline bool cairn_island_is_fine(const cairn_span* span)
{
    enum { most_contacts = 64 };
    return cairn_island_contacts(span) <= most_contacts;
}

/// m/s: what the residual of a solve is measured by: its largest |b|. The last half kick, which has
/// no drift and no open gaps, is measured as the kicks before it.
static inline double cairn_island_scale(const cairn_span* span, double largest)
{
    if (span->phase == CAIRN_PHASE_DRIFT)
        span->island->scale = largest;
    return span->phase == CAIRN_PHASE_END ? fmax(largest, span->island->scale) : largest;
}

/// m: smaller gaps count as closed where nothing bore a load in the last substep.
static inline double cairn_closed_gap(const cairn_span* span)
{
    static const double closing_speed = 1e-5; // m/s
    return span->phase == CAIRN_PHASE_REST ? span->world->touching : closing_speed * span->h;
}

/// Measures after the drift by how much the contacts of an island that bear a load miss the gap that
/// their rows promised: none where it was open, the same where it was closed. Of small islands.
void cairn_island_update_error(const cairn_span* span);

/// Notes that a drift missed the gap that a contact was to have by `error` m: for the substeps of the
/// next step.
void cairn_pace_miss(cairn_world* world, const cairn_touch* touch, double error);

/// The plane that the bodies of an open contact must not cross within h seconds: one along their
/// relative velocity, if that separates them; else, of points, that of their impact or of their
/// closest approach. With the velocities of all slots (6 each), or the bodies' own (NULL). Returns
/// the seconds until the impact; 0: none. `lags` of all slots, or NULL: bodies of contacts that are timed
/// go along the lines on which these put them, and meet after both were struck last.
double cairn_touch_aim(cairn_reach* reach, const cairn_touch* touch, const cairn_world* world,
                       const double* velocities, const cairn_lag* lags, double h);

/// Whether the features of a contact turn so far within h seconds that no straight line tells whether they meet.
bool cairn_touch_turns_far(const cairn_touch* touch, const cairn_world* world, double h);

/// Whether the bodies of an open contact, which would close, pass each other within h seconds: then the contact
/// gets the plane along their relative velocity that has them on its two sides.
bool cairn_touch_passes(cairn_reach* reach, const cairn_touch* touch, const cairn_world* world,
                        const double* velocities, double h);

/// Whether it is known exactly when and where the bodies of a contact meet: balls, and a ball and a
/// face, an edge or a corner of what neither turns nor is moved.
bool cairn_touch_is_timed(const cairn_touch* touch, const cairn_world* world);

/// What the motion of the geometry within the drift, and of surfaces, adds to b of a contact, world.
cairn_vec3 cairn_touch_bend(const cairn_span* span, const cairn_touch* touch);

/// The velocity of a row of a contact with the bodies' present velocities.
double cairn_touch_velocity(const cairn_world* world, const cairn_touch* touch,
                            const cairn_row* row);

/// Impacts with restitution of an island, before forces act: changes velocities.
cairn_status cairn_island_impact(const cairn_span* span);

/// The contact problem of the island: active bodies by their places, all others as the world.
/// Memory from the arena.
cairn_status cairn_island_assemble(cairn_problem* problem, const cairn_span* span);

/// What the world's options ask of a method that solves the whole island.
cairn_solve_def cairn_island_solve_def(const cairn_span* span);

/// Solves a problem of the island by a method, within the work that is left to the island in this
/// step (policy.h). CAIRN_INTERRUPTED: the step was canceled.
cairn_status cairn_island_call(const cairn_span* span, const cairn_problem* problem,
                               const cairn_solve_def* def, double* lambda, cairn_report* report);

/// The same for a problem that may have blocks against rolling, whose bounds follow the normal
/// impulses: on return they are those of `lambda`.
cairn_status cairn_island_call_rolling(const cairn_span* span, cairn_problem* problem,
                                       const cairn_solve_def* def, double* lambda,
                                       cairn_report* report);

/// Hands impulses of the island's problem to its contacts and joints, and moves on its velocities.
cairn_status cairn_island_apply(const cairn_span* span, const cairn_problem* problem,
                                double* lambda);

/// Rows that a joint may have in a problem; its blocks are added to `blocks`.
size_t cairn_link_room(const cairn_link* link, size_t* blocks);

/// Appends the blocks of the island's joints to its problem, and reads their impulses back.
void cairn_island_add_links(cairn_problem* problem, const cairn_span* span);
void cairn_island_keep_links(const cairn_span* span, const cairn_problem* problem, double* lambda);

/// m: by which the normal force of a contact is multiplied to the greatest moment against rolling.
double cairn_touch_rolling(const cairn_touch* touch, const cairn_world* world);

/// Rows and blocks against rolling in the island's problem, which are added to `rows` and `blocks`.
void cairn_rolling_room(const cairn_span* span, size_t* rows, size_t* blocks);

/// Appends them to its problem, behind all other blocks.
void cairn_island_add_rolling(cairn_problem* problem, const cairn_span* span);

/// Whether a block resists the rolling of a contact.
static inline bool cairn_is_rolling(const cairn_block* block)
{
    return block->source < 0;
}

/// The row of a spring and damper in a kick: J u + λ / slope + bias = 0; slope 0: none.
typedef struct cairn_spring_law {
    double slope, bias;
} cairn_spring_law;

/// The normal row of a soft contact with this gap, whose points part at this speed before the kick;
/// the mobility is J M^-1 J^T of the row (1/kg).
cairn_spring_law cairn_touch_soft_law(const cairn_span* span, const cairn_touch* touch, double gap,
                                      double speed, double mobility);

cairn_spring_law cairn_link_spring_law(const cairn_span* span, const cairn_link* link,
                                       const cairn_link_place* place, const cairn_row* row);

/// Adds what is known of springs when a kick begins to velocities of all slots, and to what the user
/// sees of the joints of an island whose kick is done.
void cairn_span_push_springs(double* velocities, const cairn_span* span);
void cairn_island_keep_springs(const cairn_span* span);

/// rad²/s²: the squared frequency of the spring of a joint by itself.
double cairn_link_spring_rate(const cairn_world* world, const cairn_link* link);

/// Books half of the work Σ λ J (v + v')/2 of the motors in a kick, with the velocities that the bodies
/// have: once before it and once after.
void cairn_island_work_motors(const cairn_span* span, const cairn_problem* problem,
                              const double* lambda);

/// The joint whose equality rows a block of the island's problem has, or NULL.
const cairn_link* cairn_island_link_of(const cairn_span* span, const cairn_block* block);

/// γ of a joint at a place, along rows of the place that it came from; rows that hold velocities
/// alone have none. Returns the largest error, INFINITY where B is upside down in A.
double cairn_link_drifted(double* C, const cairn_link* link, const cairn_link_place* at,
                          const cairn_row* rows, int count);

/// The warm starts of the island's joints as impulses of its problem.
void cairn_island_read_links(const cairn_span* span, const cairn_problem* problem, double* lambda);

/// The impulses that contacts and joints hold, as those of the problem.
void cairn_island_read_impulses(const cairn_span* span, const cairn_problem* problem,
                                double* lambda);

/// The factor that turns the impulse of the last substep of a contact into one of h seconds.
static inline double cairn_touch_warmth(const cairn_touch* touch, double h)
{
    return touch->span > 0.0 ? h / touch->span : 0.0;
}

/// Gives a contact the warm start of the next solve: the impulse of a substep of h seconds.
static inline void cairn_touch_start(cairn_touch* touch, cairn_vec3 impulse, double spin, double h)
{
    touch->impulse = impulse;
    touch->spin_impulse = spin;
    touch->span = h;
}

/// Adds the impulse of a substep to a contact: the next warm start, and what the user sees.
static inline void cairn_touch_keep(cairn_touch* touch, cairn_vec3 impulse, double spin, double h)
{
    cairn_touch_start(touch, impulse, spin, h);
    touch->total = cairn_add(touch->total, impulse);
}

/// tr(K) of a body at an arm, K = 1/m - [r] I^-1 [r].
static inline double cairn_body_trace(const cairn_body* body, cairn_vec3 r)
{
    return cairn_mass_trace(body->inverse_mass, &body->inverse_inertia, r);
}

/// What the certificate says of the impulses that the contacts of an island hold.
typedef struct cairn_judged {
    double residual;        ///< m/s
    double scale;           ///< m/s: the largest |b|
    const double* velocity; ///< with these impulses, 6 for each place; memory of the arena,
    const cairn_contact_place* placed; ///< as these of each contact
    bool late;                         ///< the limit of time has ended the solve
} cairn_judged;

/// Shows a solve of the island to whoever looks on. `solved` tells the law; NULL: the contacts'
/// own.
void cairn_island_witness(const cairn_span* span, const cairn_problem* problem,
                          const double* lambda, const cairn_judged* judged,
                          const cairn_report* solved);

/// What is told of the island in this step.
static inline cairn_island_report* cairn_island_report_of(const cairn_span* span)
{
    return &span->world->told[span->island - span->group->islands];
}

/// Writes down how an island was solved in a substep; then which law that was, if not its own.
void cairn_island_tell(const cairn_span* span, const char* method, const cairn_judged* judged,
                       cairn_outcome outcome);
void cairn_island_tell_law(const cairn_span* span, int rows, cairn_law law, int facets);

/// Writes down how far the joints of an island with contacts gape at the end of the step, and the
/// largest factor on the inertia of its bodies.
void cairn_island_tell_joints(const cairn_span* span, double gape, double raised, bool open);

/// Writes down by how much the contacts of an island miss what their rows promised.
void cairn_island_tell_update(const cairn_span* span, double error);

/// Adds what became of the energy of an island with contacts; `gained`: more than may be.
void cairn_island_tell_balance(const cairn_span* span, const cairn_motion* motion, bool gained);

/// Writes down how deep two bodies overlap at the end of a step of dt s; deeper than
/// cairn_overlap_allowed is told as `step-limit`.
void cairn_reports_tell_overlap(const cairn_group* group, const cairn_world* world,
                                const int slots[2], double depth, double dt);

/// A body did not make the whole of its way in a substep.
void cairn_reports_tell_waiting(const cairn_group* group, const cairn_world* world, int slot);

/// Writes down the certificate of its motion, and how many rows it had.
void cairn_island_tell_motion(const cairn_span* span, const cairn_motion* motion, int rows);

/// The reports of the islands: empty ones at the start of a step, and the figures of the step.
cairn_status cairn_reports_start(const cairn_group* group, cairn_world* world);
/// The same when bodies were grouped again: what was told of the old islands holds of the new.
cairn_status cairn_reports_regroup(const cairn_group* group, const cairn_group* old,
                                   cairn_world* world);
void cairn_reports_sum(const cairn_world* world, cairn_step_report* report);

/// Makes room for the reports of the step (CAIRN_NO_MEMORY or CAIRN_OK), and shows them.
cairn_status cairn_reports_reserve(cairn_world* world);
void cairn_reports_publish(cairn_world* world, cairn_step_report* report);

/// Puts the impulses that the contacts hold (of the last step, or of a solve) to the certificate.
/// For plain islands. A contact beyond `limit` (m/s) ends it: then residual and scale are those of
/// the contacts so far. CAIRN_NO_MEMORY or CAIRN_OK.
cairn_status cairn_island_verify(const cairn_span* span, cairn_judged* judged, double limit);

/// Takes verified impulses as those of the substep.
void cairn_island_accept(const cairn_span* span, const cairn_judged* judged);

/// Counts for how long a body has hardly moved.
void cairn_body_watch(cairn_body* body, double speed, double dt);

/// Asks an island that has hardly moved for a while whether it could stand; if so it stops.
cairn_status cairn_island_calm(const cairn_span* span);

/// Solves an island of one body on cones of friction by Newton's method, from the impulses that its
/// contacts hold, as exactly as round-off allows. `solved` tells whether the tolerance was met; if not,
/// the contacts hold what they held before.
cairn_status cairn_single_solve(const cairn_span* span, cairn_judged* judged, bool* solved);

/// Whether impulses are as exact as that.
bool cairn_single_exact(const cairn_judged* judged);

/// Solves by sweeps from the impulses that the contacts hold, until the tolerance is met or the
/// sweeps are used up. `judged` tells what the certificate says of the answer, `solved` whether it
/// was taken: it met the tolerance, or the world allows no more sweeps. For plain islands.
cairn_status cairn_island_sweep(const cairn_span* span, cairn_judged* judged, bool* solved);

/// m: such overlaps wait for the next substep; deep ones go now, through many bodies if need be.
static const double cairn_shallow_overlap = 1e-4;

/// m: what a position pass may leave of the deepest overlap.
static inline double cairn_push_enough(double deepest)
{
    return fmax(0.25 * deepest, cairn_shallow_overlap);
}

/// The position pass of a plain island, laid out in clusters if it is not: overlaps of more than
/// `least` m are removed, up to `most` at once.
cairn_status cairn_pack_push(const cairn_span* span, double least, double most);

/// Steps an island without contacts through the whole step of span->h seconds by the leapfrog, if
/// the world is to be integrated so and the island can be: then it is `advanced`.
cairn_status cairn_island_advance(const cairn_span* span);

/// Writes down how open the joints of a deferred island are after the step.
void cairn_island_tell_deferred(const cairn_span* span);

/// Finds the islands that are too close to contacts to be advanced: `crowded`.
cairn_status cairn_group_crowds(const cairn_group* group, cairn_world* world);

/// Solves an island of joints alone by the linear-time solver, where it can; and the same for the
/// errors of position (and, after a midpoint, of velocity) of its joints. `solved` tells whether it
/// could.
cairn_status cairn_linkage_solve(const cairn_span* span, cairn_judged* judged, bool* solved);
cairn_status cairn_linkage_stabilize(const cairn_span* span, bool* solved);

/// Moves the bodies of an island so that contacts do not overlap and joints do not gape; contacts
/// keep their velocities.
cairn_status cairn_island_stabilize(const cairn_span* span);

/// Pushes deep overlaps of an island away that was found at rest.
cairn_status cairn_island_part(const cairn_span* span);

#endif
