// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// What the preset of a world asks of the solve of an island, and what it may cost. A tolerance that
// the user gave holds for all islands, and exact methods go on until it is met. Without one:
//
//                     one body, up to     up to 200     larger     with joints (and up
//                     64 contacts         contacts                 to 64 contacts)
//     balanced        1e-6                2e-3          2e-3       1e-3 (1e-6)
//     realtime        1e-6                1e-2          1e-2       1e-3 (1e-6)
//     exact           1e-6                1e-6          1e-4       1e-6
//
// What hardly moves is solved to 1e-6 up to 200 contacts: a house of cards must not creep.
// (At 1e-2 a collapsing wall gains energy now and then, at 2e-3 it does not, at the same cost.)
// A small island without joints that no exact method solves within its work has the tolerance of larger ones.
// Beyond 400 contacts no exact method goes on after the sweeps: what they reached is taken, and
// reported. (Of the steps of a wall that is hit, sweeps miss about one in 200, by a factor of two.)
// Private to this folder.
#ifndef CAIRN_WORLD_POLICY_H
#define CAIRN_WORLD_POLICY_H

#include "solve/auto.h"
#include "solve/method.h"
#include "world/step/island.h"

/// Whether an island is too large to be solved exactly: more than 64 contacts that move, 200 that
/// hardly do, or 400 of which 64 at most are of bodies that move. (A plate that slides over bricks at
/// rest: sweeps are late with its load, and what sinks meanwhile is lifted again, which adds to its
/// energy.) One whose exact solves have taken all their work is a pile for the rest of the step. So is what
/// other processes share: sweeps are all that they make together.
static inline bool cairn_island_is_pile(const cairn_span* span)
{
    enum { few_contacts = 64, some_contacts = 200, still_contacts = 400 };
    const cairn_island* island = span->island;
    int exact = island->slow                     ? some_contacts
                : cairn_island_is_sedate(island) ? still_contacts
                                                 : few_contacts;
    return island->shared || island->touch_count > (island->tired ? few_contacts : exact);
}

/// The relative residual that sweeps of a pile without joints are to reach. It will do for a small island, too,
/// that no exact method has solved within its work: heaps that slide are not always.
static inline double cairn_pile_tolerance(const cairn_world_def* def)
{
    return def->preset == CAIRN_PRESET_REALTIME ? 1e-2 : 2e-3;
}

/// The relative residual that the solves of an island are to reach.
static inline double cairn_island_tolerance(const cairn_span* span)
{
    enum { few_contacts = 64, some_contacts = 200 };
    const cairn_world_def* def = &span->world->def;
    int contacts = cairn_island_contacts(span);
    if (def->tolerance > 0.0)
        return def->tolerance;
    if (def->preset == CAIRN_PRESET_EXACT)
        return contacts <= some_contacts ? 1e-6 : 1e-4;
    if (span->island->link_count > 0)
        return contacts <= few_contacts ? 1e-6 : 1e-3;
    if (!cairn_island_is_pile(span))
        return 1e-6;
    return cairn_pile_tolerance(def);
}

/// Whether a pile is so large that sweeps do not reach its ends.
static inline bool cairn_island_is_vast(const cairn_span* span)
{
    enum { many_contacts = 10000 };
    return cairn_island_contacts(span) > many_contacts;
}

/// What the choice of its method depends on (solve/auto.h), but for what the stages of a step find out:
/// whether the island stands, marches, is squeezed or driven.
static inline cairn_island_kind cairn_island_kind_of(const cairn_span* span)
{
    enum { rows_per_joint = 6 };
    const cairn_island* island = span->island;
    return (cairn_island_kind){
        .body_count = island->body_count,
        .contacts = island->touch_count,
        .joint_rows = rows_per_joint * island->link_count,
        .bodies = true,
        .cones = island->cones,
        .stepped = true,
        .named = !span->world->automatic,
        .rolls = island->rolls || island->soft,
        .tolerance = span->world->def.sweeps > 0 ? INFINITY : cairn_island_tolerance(span)};
}

/// Whether a more exact method goes on where sweeps have not met the tolerance.
static inline bool cairn_island_insists(const cairn_span* span)
{
    enum { most_contacts = 400 };
    const double strict = 1e-5; // a tighter tolerance is beyond the reach of sweeps
    const cairn_world_def* def = &span->world->def;
    if (def->sweeps > 0)
        return false;
    return (def->tolerance > 0.0 && def->tolerance < strict) ||
           span->island->touch_count <= most_contacts;
}

/// Whether an island is solved exactly although sweeps may do for one of its size: it hardly moves, or little of
/// it does.
static inline bool cairn_island_is_favored(const cairn_span* span)
{
    enum { few_contacts = 64 };
    const cairn_world_def* def = &span->world->def;
    const cairn_island* island = span->island;
    return !(def->tolerance > 0.0) && def->preset != CAIRN_PRESET_EXACT && def->sweeps == 0 &&
           island->link_count == 0 && !island->rolls && island->touch_count > few_contacts &&
           !cairn_island_is_pile(span);
}

/// The work that methods may still take for an island in this step; who has used it up is told as
/// `iteration-limit`. A kick has room for 400 factorizations: of all steps that were solved the
/// hardest, walls that are hit at a tolerance of 1e-9, took 270 a kick, and those beyond 400 were in
/// vain. Kicks of substeps that joints have asked for are shorter and easier (the hardest, plates of
/// ten tons on links of ten grams, take 94): they have room for 128. Small worlds may insist: four
/// million updates of rows (0.1 s) are dealt to all islands by their rows, however many there are. The
/// work of a step is thus bounded by its contacts and joints, and no number of threads changes it. Islands
/// that sweeps would do for have room for two million updates a step (12 ms), dealt likewise: rubble of 300
/// contacts may take thirty times that. One body that slides over others at rest (32 contacts move at most)
/// has three million: at eight meters a second a plate over 36 loose bricks needs all of them.
static inline double cairn_island_work_left(const cairn_span* span)
{
    enum {
        per_kick = 400,
        per_raised_kick = 128,
        rows_per_contact = 3,
        rows_per_joint = 6,
        rows_rolling = 2,
        few_contacts = 32
    };
    const double shared = 4e6, favored = 2e6, slider = 3e6;
    const cairn_world* world = span->world;
    int rolling = span->island->rolls ? rows_rolling : 0;
    double rows = (double)(rows_per_contact + rolling) * span->island->touch_count +
                  (double)rows_per_joint * span->island->link_count;
    double all =
        (double)rows_per_contact * world->touch_count + (double)rows_per_joint * world->link_count;
    bool slides = !span->island->slow && span->island->moving <= few_contacts;
    if (cairn_island_is_favored(span) || span->island->tired)
        return (slides ? slider : favored) * rows / fmax(all, 1.0) -
               cairn_island_report_of(span)->work;
    double raised = fmax(span->substeps - world->def.substeps, 0.0);
    double factorizations = per_kick * (world->def.substeps + 1.0) + per_raised_kick * raised;
    double sweeps = cairn_sweeps_per_factorization * factorizations + shared / fmax(all, 1.0);
    return rows * sweeps - cairn_island_report_of(span)->work;
}

/// How many sweeps a solve may take: those that the user has fixed, or those of the policy. The end of
/// a march has been swept already; it takes two million visits of contacts (about 20 ms) at most, and
/// piles of up to 10,000 contacts, which sweeps reach the ends of, three times as many.
static inline int cairn_island_sweeps(const cairn_span* span)
{
    enum { end_visits = 2000000, few_end_visits = 6000000, least_sweeps = 24 };
    const cairn_world_def* def = &span->world->def;
    if (def->sweeps > 0)
        return def->sweeps;
    int contacts = span->island->touch_count;
    if (def->tolerance > 0.0 || def->preset == CAIRN_PRESET_EXACT || !span->island->march)
        return span->budget;
    int affordable = (cairn_island_is_vast(span) ? end_visits : few_end_visits) / contacts;
    affordable = affordable < least_sweeps ? least_sweeps : affordable;
    return affordable < span->budget ? affordable : span->budget;
}

/// Seconds that a solve of the island may take; 0: any time. What ends at the limit of the step is
/// not taken: the step is made again, lean.
static inline double cairn_island_time(const cairn_span* span)
{
    const double least = 1e-6; // s
    const cairn_world* world = span->world;
    double limit = world->def.time_limit;
    if (!world->meter.armed || world->def.work > 0.0)
        return limit;
    double left = fmax(world->meter.limit - cairn_clock(), least);
    return limit > 0.0 ? fmin(limit, left) : left;
}

#endif
