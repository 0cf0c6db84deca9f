// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The budget of a step, B seconds of the clock or so many counted operations. A step within it is
// the step without one, to the bit. It is tried first, until
//
//     limit = start + B - reserve,    reserve = detection + a lean step of one small step
//
// by what these have cost (or start + B, if that is more than B: then B cannot be kept either way).
// Every loop of a step asks whether the limit is passed, as it asks for cancellation; then all is
// undone, and the step is made lean (lean.c) with what is left. So no stage has to know what share
// of the time is its own, and none of them is left half done.
//
// A whole step that has failed is not tried again for 1, 2, 4 .. 32 steps. In the meantime lean
// steps have all of the time, and take as many small steps as it has room for.
//
// Counted operations are the same on every machine. Their sum does not depend on the order in which
// threads add to it, and a whole step is taken or undone as a whole: neither do the bits.

#include "world/step/budget.h"
#include "world/step/lean.h"

enum { longest_wait = 5 }; // 2^5 steps

static const double slack = 1.15; // costs vary by so much from step to step

// what lean steps cost for each unit of size before one was seen: s, and operations
static const double first_each = 2e-7, first_around = 4e-7;
static const double counted_each = 6.0, counted_around = 16.0, counted_detection = 8.0;

static bool is_counted(const cairn_world* world)
{
    return world->def.work > 0.0;
}

bool cairn_budget_is_set(const cairn_world* world)
{
    return world->def.budget > 0.0 || is_counted(world);
}

// the cost of a step is proportional to this size
static double size_of(const cairn_world* world)
{
    enum { rows_per_joint = 6 };
    return 1.0 + world->touch_count + 0.5 * (world->body_count - world->asleep) +
           (double)rows_per_joint * world->link_count;
}

// what the step under way has taken so far: s, or operations
static double taken(const cairn_world* world)
{
    if (is_counted(world))
        return (double)world->meter.spent;
    return cairn_clock() - world->meter.started;
}

static double budget_of(const cairn_world* world)
{
    return is_counted(world) ? world->def.work : world->def.budget;
}

void cairn_budget_begin(cairn_world* world)
{
    cairn_meter* meter = &world->meter;
    meter->started = cairn_clock();
    meter->armed = false;
    meter->spent = 0;
    meter->steps = 0;
    meter->again = false;
    if (is_counted(world)) {
        meter->each = counted_each;
        meter->around = counted_around;
    } else if (!(meter->each > 0.0)) {
        meter->each = first_each;
        meter->around = first_around;
    }
}

// a whole step is not tried for a while, longer each time
static void wait(cairn_meter* meter)
{
    meter->wait = 1 << meter->tried;
    meter->tried += meter->tried < longest_wait;
}

bool cairn_budget_tries_whole(cairn_world* world, bool late)
{
    cairn_meter* meter = &world->meter;
    double size = size_of(world);
    cairn_world_spend(world, counted_detection * size);

    if (late)
        return false;
    meter->detection = taken(world);
    if (meter->wait > 0) {
        meter->wait--;
        return false;
    }

    // What a lean step would need, should this one fail, is kept back; not where that would not fit
    // either, nor where all stood in the last step and no contact has come or gone since, or may
    // stand from the start: a lean step would stir it.
    double budget = budget_of(world), used = taken(world);
    double reserve = slack * (meter->detection + size * (meter->around + 2.5 * meter->each));
    bool stands = world->step == 0 || (meter->stood && meter->contacts == world->touch_count);
    double limit = stands || used + reserve > budget ? budget : budget - reserve;

    // no time is left, or a whole step does not fit by what the last ones have cost
    if (limit <= used || (meter->tried == 0 && used + meter->whole * size > limit)) {
        wait(meter);
        return false;
    }

    // from here on every poll asks for the limit
    meter->limit = is_counted(world) ? limit : meter->started + limit;
    meter->armed = true;
    return true;
}

void cairn_budget_note_late(cairn_world* world)
{
    world->meter.armed = false;
    world->meter.again = true;
    wait(&world->meter);
}

int cairn_budget_small_steps(cairn_world* world, double* deadline)
{
    cairn_meter* meter = &world->meter;
    double size = size_of(world), left = budget_of(world) - taken(world);
    double count = (left / slack - size * meter->around) / (size * meter->each) - 1.5;
    meter->steps = count < 1.0 ? 1 : count > cairn_lean_steps ? cairn_lean_steps : (int)count;
    double end = meter->started + world->def.budget - size * (meter->around + meter->each);
    *deadline = is_counted(world) ? 0.0 : end;
    return meter->steps;
}

bool cairn_budget_affords_overlaps(const cairn_world* world)
{
    const cairn_meter* meter = &world->meter;
    if (is_counted(world))
        return meter->steps == cairn_lean_steps;
    double rest = meter->detection + size_of(world) * meter->around;
    return taken(world) + slack * rest < world->def.budget;
}

// a cost that grows counts at once; one that shrinks is averaged over steps
static double learn(double known, double seen)
{
    return seen > known ? seen : 0.9 * known + 0.1 * seen;
}

void cairn_budget_note_small_steps(cairn_world* world, double seconds)
{
    cairn_meter* meter = &world->meter;
    if (!is_counted(world))
        meter->each = learn(meter->each, seconds / ((meter->steps + 1.5) * size_of(world)));
}

void cairn_budget_end(cairn_world* world, double dt, const cairn_step_report* report)
{
    cairn_meter* meter = &world->meter;
    double cost = fmax(taken(world) - meter->detection, 0.0) / size_of(world);
    meter->h = meter->steps > 0 ? dt / meter->steps : 0.0;
    meter->stood = report->rested == report->islands;
    meter->contacts = world->touch_count;
    if (meter->steps == 0) {
        meter->whole = cost;
        meter->tried = 0;
    } else if (!is_counted(world) && !meter->again) {
        double rest = cost - (meter->steps + 1.5) * meter->each;
        meter->around = learn(meter->around, fmax(rest, 0.0));
    }
}
