// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The whole step of an island without contacts. It is cut into 2^p substeps, p chosen anew on a
// dyadic grid from
//
//     the user's substeps         the least number
//     stiffness K (inertia.c)     h² K <= 2: the kicks are stable below 4
//     springs                     h ω <= 1/3: frequencies right to one percent
//     gyroscopes                  h s I_s/I_t <= 1.7: precession right to 2e-4
//     convergence                 joints close by a factor 2 an iteration, or p grows by one
//     energy                      |defect| <= accuracy E_ref, or p grows by one
//
// A substep that misses one of the last two is taken back and halved. p comes down slowly: steps of
// varying length are not symplectic, and choosing p afresh each time lets a pendulum gain. At the
// bound of substeps a loss of energy stands, a gain is taken out of the motion, and what does not
// converge ends with a step of first order that closes the joints and adds no energy. Nets end so
// earlier: where one is bent in two directions its joints come to repeat each other, and no substep
// is short enough. Such a net is locked, takes few such steps and is tried again later.
//
//     E_ref = kinetic energy + Σ m g h |u| + work of motors and springs + 1e-12 |potential|,
//
// where the motion of the whole does not count if nothing anchors the island. A defect of Σ m g
// times the tolerance of joints is always allowed: they are closed no better, and where a pendulum
// starts nothing else moves.

#include "world/step/integrate.h"
#include "world/step/leapfrog.h"
#include "world/step/policy.h"
#include <string.h>

enum {
    finest_geometry = 4, // 2^4 substeps at most for stiffness and springs
    first_wait = 30,     // steps before fewer substeps are taken
    longest_wait = 960,
    long_ago = 65000,
    good_substeps = 8,
    deepest_of_nets = 3,       // 2^3 substeps that miss: a net is locked
    longest_locked = 6,        // and is not tried again for up to 2^6 steps,
    most_locked_work = 300000, // operations in all substeps of one that is, but for one substep
};
static const double nutation_turn = 1.7;     // rad: of a free symmetric body in a substep
static const double round_off = 1e-14;       // relative, of velocities across joints
static const double widest_gap = 1e-6;       // m: of an island that the other passes have stepped
static const double stable = 2.0;            // of h² K, which must not reach 4
static const double spring_turn = 1.0 / 3.0; // rad: of a spring in a substep
static const double accepted = 10.0;         // times the accuracy: such a step has converged
static const double relaxed = 0.7; // of the energy allowed to a substep of twice the length

typedef struct energies {
    double kinetic, springs, lively; // J
} energies;

// the island on its way, and how its substeps are chosen
typedef struct journey {
    cairn_flight flight;
    int least, most, geometry; // substeps as powers of two
    cairn_pace pace;
    double dt, accuracy;
    double need; // of the energy allowed, by substeps of twice the length
    double gap;  // m, rad: the largest error of a joint at the end of the last substep
    cairn_motion motion;
    energies now; // after the last substep
    bool counted; // nothing has changed since they were measured
    bool limited; // the bound of substeps was met
} journey;

// ---------------------------------------------------------------- the beginning

static int power_of_two(int count)
{
    int p = 0;
    while ((1 << p) < count)
        p++;
    return p;
}

// what the bodies of the island agree on: the more careful where they differ
static void gather_pace(journey* trip)
{
    cairn_pace* pace = &trip->pace;
    *pace = trip->flight.movers[0].body->pace;
    for (int i = 1; i < trip->flight.body_count; i++) {
        const cairn_pace* own = &trip->flight.movers[i].body->pace;
        pace->by_energy = own->by_energy > pace->by_energy ? own->by_energy : pace->by_energy;
        pace->by_closing = own->by_closing > pace->by_closing ? own->by_closing : pace->by_closing;
        pace->calm = own->calm < pace->calm ? own->calm : pace->calm;
        pace->wait = own->wait > pace->wait ? own->wait : pace->wait;
        pace->since = own->since < pace->since ? own->since : pace->since;
        pace->good = own->good < pace->good ? own->good : pace->good;
        pace->aside = own->aside > pace->aside ? own->aside : pace->aside;
        pace->tried = own->tried > pace->tried ? own->tried : pace->tried;
    }

    if (pace->wait == 0) {
        pace->wait = first_wait;
        pace->since = long_ago;
    }

    pace->by_energy = (uint8_t)(pace->by_energy > trip->most ? trip->most : pace->by_energy);
    pace->by_closing = (uint8_t)(pace->by_closing > trip->most ? trip->most : pace->by_closing);
}

static bool begin(journey* trip, const cairn_span* span)
{
    const cairn_world_def* def = &span->world->def;
    *trip = (journey){.dt = span->h, .accuracy = def->accuracy};
    trip->least = power_of_two(def->substeps);
    trip->most = power_of_two(def->most_substeps + 1) - 1;
    trip->most = trip->most > trip->least ? trip->most : trip->least;
    trip->geometry = trip->most < finest_geometry ? trip->most : finest_geometry;
    trip->flight = (cairn_flight){0};
    if (!cairn_flight_begin(&trip->flight, span))
        return false;
    gather_pace(trip);
    return true;
}

// ---------------------------------------------------------------- nets that are locked

// A net that did not close is tried again after a while, longer each time.
static void lock(journey* trip)
{
    cairn_pace* pace = &trip->pace;
    if (pace->aside == 0) {
        pace->tried = (uint8_t)(pace->tried < longest_locked ? pace->tried + 1 : longest_locked);
        pace->aside = (uint8_t)(1 << pace->tried);
    }
    trip->flight.locked = true;
}

// ---------------------------------------------------------------- energies

// J: of gravity, from where the substep began
static double lifted(const journey* trip)
{
    const cairn_flight* all = &trip->flight;
    cairn_vec3 gravity = all->span->world->def.gravity;
    double sum = 0.0;
    for (int i = 0; i < all->body_count; i++) {
        const cairn_mover* mover = &all->movers[i];
        cairn_vec3 way = cairn_sub(mover->at.p, all->next_at[i].p);
        sum -= mover->body->gravity_scale * cairn_dot(gravity, way) / mover->body->inverse_mass;
    }
    return sum;
}

// J: what a substep may miss by gravity: of Σ m g h |u|, of round-off of potential energies, and by
// joints that are closed to their tolerance alone
static double weighty(const journey* trip, double h)
{
    const cairn_flight* all = &trip->flight;
    double g = cairn_norm(all->span->world->def.gravity), sum = 0.0;
    for (int i = 0; i < all->body_count; i++) {
        const cairn_mover* mover = &all->movers[i];
        double weight = fabs(mover->body->gravity_scale) * g / mover->body->inverse_mass;
        double way = h * cairn_norm(mover->u.v) + 1e-12 * cairn_norm(mover->at.p);
        sum += weight * (trip->accuracy * way + all->tolerance);
    }
    return sum;
}

static energies measure_energies(const cairn_flight* all)
{
    double kinetic = cairn_flight_kinetic(all);
    return (energies){kinetic, cairn_flight_spring_energy(all), cairn_flight_lively(all, kinetic)};
}

// gained since `start` beyond the work that was booked, and how much of that is allowed: springs,
// as weights, act along ways that are known to the tolerance of the joints
static double defect_since(journey* trip, const energies* start, double h, double* allowed)
{
    const cairn_flight* all = &trip->flight;
    energies now = measure_energies(all);
    trip->now = now;
    trip->counted = true;
    double springs = now.springs - start->springs;
    *allowed = trip->accuracy *
                   (fmax(start->lively, now.lively) + fabs(springs) + fabs(all->ledger.motor)) +
               weighty(trip, h) + all->tolerance * cairn_flight_spring_force(all);
    return now.kinetic - start->kinetic + springs + lifted(trip) - all->ledger.external -
           all->ledger.motor + all->ledger.dissipated;
}

// ---------------------------------------------------------------- substeps

// velocities jump to what joints, closed limits and strong motors ask for
static bool jump(journey* trip, double kinetic)
{
    cairn_flight* all = &trip->flight;
    memset(all->lambda, 0, (size_t)all->row_count * sizeof *all->lambda);
    all->jumps = true;
    bool solved = cairn_free_solve(all, all->lambda, 0.0);

    // the ledger of the jump: what is neither work nor kept as kinetic energy is dissipated
    if (solved) {
        cairn_free_divide(all, all->lambda);
        all->ledger = (cairn_ledger){0.0, 0.0, 0.0};
        cairn_flight_book(all, all->lambda, 0.0);
        cairn_flight_react(all, all->lambda);
        cairn_flight_keep(all);
        trip->motion.work_external += all->ledger.external;
        trip->motion.work_motor += all->ledger.motor;
        trip->motion.dissipated +=
            kinetic + all->ledger.external + all->ledger.motor - cairn_flight_kinetic(all);
    }

    all->jumps = false;
    all->warm = 0.0;
    return solved;
}

// closes what the user or a step with contacts has left open; only once in a step
static bool start_closed(journey* trip)
{
    cairn_flight* all = &trip->flight;
    cairn_free_positions(all);
    energies start = measure_energies(all);
    cairn_flight_save(all);

    for (int i = 0; i < all->body_count; i++)
        all->next_at[i] = all->movers[i].at;

    // what closing gains or loses of energy counts as numerical
    if (cairn_flight_gaps(all) > fmax(cairn_joint_slack * all->tolerance, all->acceptable)) {
        if (!cairn_flight_close(all)) {
            all->arrived = true;
            cairn_flight_take_back(all);
            return false;
        }
        double gain = lifted(trip) + cairn_flight_spring_energy(all) - start.springs;
        trip->motion.dissipated_numeric -= gain;
        all->warm = 0.0;

        // joints of a net that was locked are far from where they close
        if (cairn_flight_is_net(all) && gain > 0.0) {
            double kinetic = cairn_flight_kinetic(all);
            cairn_flight_clamp(all, gain);
            trip->motion.dissipated_numeric += kinetic - cairn_flight_kinetic(all);
            start.kinetic = cairn_flight_kinetic(all);
        }
    }

    // velocities of which joints open by much less than their tolerance stand
    double least = 1e-10 + 1e-12 * all->fast;
    if (cairn_flight_is_net(all))
        least = fmax(least, 0.1 * all->tolerance / trip->dt);

    // where nothing is violated, no jump is needed
    cairn_flight_weigh(all, 0.0);
    cairn_free_jump(all, 0.25 * trip->dt);
    if (!(cairn_flight_miss(all, all->lambda) > least) && !cairn_free_misses(all, least))
        return true;
    return jump(trip, start.kinetic);
}

// raises inertia where it must; what that costs is booked
static bool raise_inertia(journey* trip)
{
    cairn_flight* all = &trip->flight;
    double before = trip->counted ? trip->now.kinetic : cairn_flight_kinetic(all);
    if (!cairn_flight_raise(all, ldexp(trip->dt, -trip->geometry)))
        return true;
    all->factored = all->weighed = trip->counted = false;
    if (!cairn_flight_project(all))
        return false;
    trip->motion.dissipated_numeric += before - cairn_flight_kinetic(all);
    return true;
}

// the largest h² ω² of springs and nutations, each as a share of what a substep resolves
static double unresolved(const cairn_flight* all, double h)
{
    double spring = h * h * cairn_flight_spring_rate(all) / (spring_turn * spring_turn);
    double nutation = h * cairn_flight_nutation(all) / nutation_turn;
    return fmax(spring, nutation * nutation);
}

static int choose(const journey* trip, int64_t t)
{
    const cairn_flight* all = &trip->flight;
    double K = cairn_flight_stiffness(all);
    int p =
        trip->pace.by_energy > trip->pace.by_closing ? trip->pace.by_energy : trip->pace.by_closing;
    p = p > trip->least ? p : trip->least;
    double h = ldexp(trip->dt, -p);
    for (; p < trip->most && h * h * K > stable; p++)
        h *= 0.5;
    for (double share = unresolved(all, h); p < trip->geometry && share > 1.0; p++)
        share *= 0.25;
    while (t & (((int64_t)1 << (trip->most - p)) - 1))
        p++;
    return p;
}

// books a substep that was taken
static void note(journey* trip, int p, double defect, double allowed)
{
    cairn_flight* all = &trip->flight;
    cairn_pace* pace = &trip->pace;
    cairn_motion* motion = &trip->motion;
    motion->energy_defect += defect;
    motion->work_external += all->ledger.external;
    motion->work_motor += all->ledger.motor;
    motion->dissipated += all->ledger.dissipated;
    motion->substeps_max++;

    // fewer substeps for convergence after several that have closed fast
    if (4.0 * all->rate >= 0.5) {
        pace->good = 0;
    } else if (pace->by_closing > 0 && ++pace->good >= good_substeps) {
        pace->by_closing--;
        pace->good = 0;
    }

    if (p == pace->by_energy && allowed > 0.0)
        trip->need = fmax(trip->need, 16.0 * fabs(defect) / allowed);
}

// shortens the substeps after one that was not taken
static void shorten(journey* trip, int p, cairn_refusal why)
{
    cairn_pace* pace = &trip->pace;
    if (why == CAIRN_ENERGY) {
        pace->by_energy = (uint8_t)(p + 1);
        if (pace->since < 2 * pace->wait) {
            pace->wait = (uint16_t)(2 * pace->wait < longest_wait ? 2 * pace->wait : longest_wait);
            pace->since = long_ago;
        }
    } else {
        pace->by_closing = (uint8_t)(p + 1);
        pace->good = 0;
    }
    pace->calm = 0;
}

// a substep at the bound that does not converge
static void give_up(journey* trip, const energies* start, double h)
{
    cairn_flight* all = &trip->flight;
    double allowed;
    bool moves = cairn_flight_dissipate(all, h);
    double gain = defect_since(trip, start, h, &allowed);

    // what cannot move and gained goes back to where it was
    if (!moves && gain > 0.0) {
        for (int i = 0; i < all->body_count; i++)
            all->movers[i].at = all->next_at[i];
        cairn_flight_place(all);
        gain = defect_since(trip, start, h, &allowed);
    }

    // take the gain out of the motion
    if (gain > 0.0) {
        cairn_flight_clamp(all, gain);
        cairn_flight_project(all);
        gain = defect_since(trip, start, h, &allowed);
    }

    cairn_flight_keep(all);
    trip->gap = cairn_flight_gaps(all);
    trip->counted = false;
    trip->motion.dissipated_numeric -= gain;
    trip->motion.substeps_max++;
    trip->limited = true;
}

// m/s, rad/s: of the rows of joints, at most, since the step began
static double fastest(const cairn_flight* all)
{
    double most = all->fast;
    for (int i = 0; i < all->body_count; i++)
        most = fmax(most, fmax(cairn_flight_speed(all, all->before[i]),
                               cairn_flight_speed(all, all->movers[i].u)));
    return most;
}

static void tell(journey* trip)
{
    const cairn_flight* all = &trip->flight;
    cairn_judged judged = {.residual = all->residual, .scale = all->scale};
    cairn_flight_show(all, &judged);

    // bodies that fall side by side, or that a spring drives along its axis, ask nothing of their
    // joints: then round-off is all there is
    if (judged.residual <= round_off * fastest(all))
        judged.residual = 0.0;
    cairn_island_tell(all->span, "tree", &judged,
                      judged.residual <= cairn_island_tolerance(all->span) * judged.scale
                          ? CAIRN_OUTCOME_CONVERGED
                          : CAIRN_OUTCOME_ITERATION_LIMIT);
}

// a substep that is taken; one that misses its accuracy has met the bound
static void accept(journey* trip, int p, double defect, double allowed)
{
    cairn_flight* all = &trip->flight;
    bool met = fabs(defect) <= allowed, clamped = !met && defect > 0.0;

    tell(trip);
    note(trip, p, defect, allowed);
    cairn_flight_keep(all);
    trip->gap = all->gap;

    // the multipliers of the end kick are the next warm start
    double* spare = all->mu;
    all->mu = all->lambda;
    all->lambda = spare;
    all->warm = ldexp(trip->dt, -p);

    if (!met)
        trip->limited = trip->limited || fabs(defect) > accepted * allowed;

    // a loss stays as it is; a gain is taken out of the motion and is no defect of the step
    if (clamped) {
        trip->counted = false;
        double kinetic = cairn_flight_kinetic(all);
        cairn_flight_clamp(all, defect);
        cairn_flight_project(all);
        trip->motion.energy_defect -= defect;
        trip->motion.dissipated_numeric += kinetic - defect - cairn_flight_kinetic(all);
    }
}

// the operations of a substep: a few for each row, of a net also those of its factor, whose
// separators grow as the root of their number
static double operations_of(const cairn_flight* all)
{
    enum { per_row = 24, in_nets = 1 };
    double rows = all->row_count, factor = in_nets * rows * sqrt(rows);
    return per_row * rows + (cairn_flight_is_net(all) ? factor : 0.0);
}

// one substep at the time t of 2^most; returns how much further it is
static int64_t travel(journey* trip, int64_t t)
{
    cairn_flight* all = &trip->flight;
    if (!raise_inertia(trip))
        return 0;
    for (int p = choose(trip, t);; p++) {
        double h = ldexp(trip->dt, -p), allowed = 0.0, defect = 0.0;
        energies start = trip->counted ? trip->now : measure_energies(all);
        trip->counted = false;

        cairn_flight_save(all);
        cairn_refusal why = cairn_flight_substep(all, h);
        cairn_world_spend(all->span->world, operations_of(all));

        if (why == CAIRN_TAKEN) {
            defect = defect_since(trip, &start, h, &allowed);
            if (!(fabs(defect) <= allowed))
                why = CAIRN_ENERGY;
        }

        // a net whose rows nearly repeat each other, such as a flat one, does not close
        if (why != CAIRN_TAKEN && cairn_flight_is_net(all) && p >= deepest_of_nets) {
            cairn_flight_take_back(all);
            return 0;
        }

        // halve a substep that missed its accuracy or did not converge
        if (why != CAIRN_TAKEN && p < trip->most) {
            cairn_flight_take_back(all);
            shorten(trip, p, why);
            trip->now = start;
            trip->counted = true;
            continue;
        }

        // at the bound of substeps: a step of first order, or the substep as it is
        if (why == CAIRN_DIVERGED || !(fabs(defect) < INFINITY)) {
            cairn_flight_take_back(all);
            give_up(trip, &start, h);
        } else {
            accept(trip, p, defect, allowed);
        }

        return (int64_t)1 << (trip->most - p);
    }
}

// The rest of the step of a locked net, as much of it at once as the grid of substeps allows
static int64_t creep(journey* trip, int64_t t)
{
    int p = trip->least;
    while (p > 0 && ldexp(operations_of(&trip->flight), p) > most_locked_work)
        p--;
    while (t & (((int64_t)1 << (trip->most - p)) - 1))
        p++;
    double h = ldexp(trip->dt, -p);
    energies start = measure_energies(&trip->flight);
    cairn_flight_save(&trip->flight);
    give_up(trip, &start, h);
    cairn_world_spend(trip->flight.span->world, operations_of(&trip->flight));
    return (int64_t)1 << (trip->most - p);
}

// fewer substeps for accuracy, when they would have done for long enough
static void relax(journey* trip)
{
    cairn_pace* pace = &trip->pace;
    int p = pace->by_energy;
    int wait = p <= 2 ? pace->wait : pace->wait >> (2 * (p - 2));
    pace->since = (uint16_t)(pace->since < long_ago ? pace->since + 1 : long_ago);
    pace->calm = (uint16_t)(trip->need < relaxed ? pace->calm + (pace->calm < long_ago) : 0);
    if (p > 0 && pace->calm >= (wait > 1 ? wait : 1)) {
        pace->by_energy--;
        pace->calm = pace->since = 0;
    }
}

// ---------------------------------------------------------------- the end

static void report(journey* trip)
{
    cairn_flight* all = &trip->flight;
    const cairn_span* span = all->span;
    cairn_motion* motion = &trip->motion;
    motion->joint_error = trip->gap;
    bool open = !(motion->joint_error <= fmax(cairn_joint_slack * all->tolerance, all->acceptable));
    if (open || trip->limited)
        cairn_island_tell(span, "tree", &(cairn_judged){0}, CAIRN_OUTCOME_STEP_LIMIT);
    cairn_island_tell_motion(span, motion, all->row_count);
}

static cairn_status advance_joints(const cairn_span* span)
{
    journey trip;
    cairn_flight* all = &trip.flight;
    if (!begin(&trip, span))
        return all->no_memory || span->arena->failed ? CAIRN_NO_MEMORY : CAIRN_OK;
    double added = cairn_flight_raised_energy(all);
    int64_t t = 0, end = (int64_t)1 << trip.most;

    // the factor of a large net cannot be interrupted, so it must fit into the budget
    if (cairn_meter_would_pass(span->world, ldexp(operations_of(all), trip.least)))
        return CAIRN_INTERRUPTED;

    // joints that cannot be closed, or rows that cannot be factored, are left to the other passes
    bool net = cairn_flight_is_net(all), waits = net && trip.pace.aside > 0;
    if (!waits && !start_closed(&trip) && !net) {
        span->island->deferred = true;
        return all->no_memory ? CAIRN_NO_MEMORY : CAIRN_OK;
    }

    if (waits)
        lock(&trip);
    while (t < end) {
        cairn_status status = cairn_world_poll(span->world);
        if (status != CAIRN_OK)
            return status;
        int64_t further = all->locked ? creep(&trip, t) : travel(&trip, t);
        if (further == 0)
            lock(&trip);
        t += further;
        if (all->no_memory)
            return CAIRN_NO_MEMORY;
    }

    // what a change of raised inertia has added or taken of energy is numerical
    trip.motion.dissipated_numeric += cairn_flight_raised_energy(all) - added;

    relax(&trip);
    trip.pace.tried = all->locked ? trip.pace.tried : 0;
    trip.pace.aside = (uint8_t)(trip.pace.aside > 0 ? trip.pace.aside - 1 : 0);
    trip.motion.inertia_raised = cairn_flight_end(all, &trip.pace);

    report(&trip);
    span->island->advanced = true;
    return CAIRN_OK;
}

void cairn_island_tell_deferred(const cairn_span* span)
{
    const cairn_world* world = span->world;
    cairn_motion motion = {.substeps_max = world->def.substeps, .inertia_raised = 1.0};
    for (int i = 0; i < span->island->link_count; i++) {
        const cairn_link* link = &world->links[span->group->links[span->island->link + i]];
        motion.joint_error = fmax(motion.joint_error, cairn_link_gap(world, link));
    }
    if (!(motion.joint_error <= widest_gap))
        cairn_island_tell(span, "tree", &(cairn_judged){0}, CAIRN_OUTCOME_STEP_LIMIT);
    cairn_island_tell_motion(span, &motion, 0);
}

cairn_status cairn_island_advance(const cairn_span* span)
{
    const cairn_world_def* def = &span->world->def;
    const cairn_island* island = span->island;
    bool direct = span->world->automatic || span->world->articulated;
    if (def->integrator != CAIRN_INTEGRATOR_LEAPFROG || island->touch_count > 0 ||
        island->crowded || island->shared)
        return CAIRN_OK;
    if (island->link_count == 0) {
        cairn_island_fly(span);
        return CAIRN_OK;
    }
    return direct ? advance_joints(span) : CAIRN_OK;
}
