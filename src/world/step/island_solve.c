// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// One kick of one island, by the ways that the policy (solve/auto.c) gives it: a linkage by its tree,
// one body by Newton's method, contacts by sweeps, joints beside contacts by sweeps with the joints
// eliminated; by a method of the front door otherwise.

#include "math/numbers.h"
#include "world/step/balance.h"
#include "world/step/march.h"
#include "world/step/policy.h"
#include "world/step/squeeze.h"
#include "world/step/step.h"

// where the contacts of the island are known to be, so that looking on changes nothing
typedef struct known {
    cairn_vec3 n, t;
    double gap;
} known;

// the problem of a solve for whoever looks on
static cairn_status foresee(cairn_problem* problem, const cairn_span* span)
{
    int count = span->island->touch_count;
    known* before = CAIRN_TAKE(span->arena, known, count);
    for (int c = 0; c < count && before; c++)
        before[c] = (known){cairn_span_touch(span, c)->n, cairn_span_touch(span, c)->t,
                            cairn_span_touch(span, c)->gap};
    if (!before || cairn_island_assemble(problem, span) != CAIRN_OK)
        return CAIRN_NO_MEMORY;
    for (int c = 0; c < count; c++) {
        cairn_touch* touch = cairn_span_touch(span, c);
        touch->n = before[c].n;
        touch->t = before[c].t;
        touch->gap = before[c].gap;
    }
    return CAIRN_OK;
}

cairn_status cairn_island_show(cairn_solve_function solve, const cairn_span* span,
                               cairn_judged* judged, bool* solved)
{
    cairn_problem problem;
    bool seen = span->world->solve_hook != NULL;
    if (seen && foresee(&problem, span) != CAIRN_OK)
        return CAIRN_NO_MEMORY;
    cairn_status status = solve(span, judged, solved);
    if (status == CAIRN_OK && seen && *solved) {
        cairn_island_read_impulses(span, &problem, problem.warm);
        cairn_island_witness(span, &problem, problem.warm, judged, NULL);
    }
    return status;
}

cairn_solve_def cairn_island_solve_def(const cairn_span* span)
{
    enum { most_iterations = 1000 };
    const cairn_world_def* own = &span->world->def;
    cairn_solve_def def = span->world->tuning;
    def.method = own->method;
    def.tolerance = cairn_island_tolerance(span);
    def.time_limit = cairn_island_time(span);
    def.cancel = cairn_world_flag(span->world);
    def.max_iterations = own->max_iterations;
    // nobody waits for methods that crawl: what they reached is taken, and reported
    if (def.max_iterations == 0 && !(own->tolerance > 0.0))
        def.max_iterations = most_iterations;
    def.threads = span->threads;
    def.warm_start = true;
    def.any_forces = true; // loads are shared when the step ends
    def.workspace = span->workspace;
    return def;
}

cairn_status cairn_island_call(const cairn_span* span, const cairn_problem* problem,
                               const cairn_solve_def* def, double* lambda, cairn_report* report)
{
    // what has used up its work gets a last few sweeps from the impulses that it has
    enum { last_sweeps = 16 };
    cairn_solve_def own = *def;
    own.max_work = fmax(cairn_island_work_left(span), last_sweeps * (problem->row_count + 16.0));

    cairn_status status = cairn_solve(problem, &own, lambda, report, span->error);
    if (status != CAIRN_OK)
        return status;
    cairn_island_report_of(span)->work += report->work;
    cairn_world_spend(span->world, report->work);
    return report->outcome == CAIRN_OUTCOME_CANCELED ? CAIRN_INTERRUPTED : CAIRN_OK;
}

// the outcome of a solve that misses its tolerance where `met` is false
static cairn_outcome outcome_of(const cairn_judged* judged, bool met)
{
    cairn_outcome missed = judged->late ? CAIRN_OUTCOME_TIME_LIMIT : CAIRN_OUTCOME_ITERATION_LIMIT;
    return met ? CAIRN_OUTCOME_CONVERGED : missed;
}

static bool has_joint(const cairn_span* span, int slot)
{
    for (int i = 0; i < span->island->link_count; i++) {
        const cairn_link* link = &span->world->links[span->group->links[span->island->link + i]];
        if (link->a == slot || link->b == slot)
            return true;
    }
    return false;
}

// the normal of a contact, towards one of its bodies
static cairn_vec3 towards(const cairn_touch* touch, int slot)
{
    return touch->b == slot ? touch->n : cairn_neg(touch->n);
}

// Whether a body without joints is between one with joints and another one, which press it from two
// sides: neither stands on the other.
static bool grasps(const cairn_span* span)
{
    const double opposite = -0.9, level = 0.5; // cosines
    const cairn_world* world = span->world;
    cairn_vec3 down = world->def.gravity;
    double weight = cairn_norm(down);
    int count = span->island->touch_count;
    for (int c = 0; c < 2 * count; c++) {
        const cairn_touch* touch = cairn_span_touch(span, c / 2);
        int x = c % 2 ? touch->a : touch->b, jaw = c % 2 ? touch->b : touch->a;
        if (!cairn_body_active(&world->bodies[x]) || !cairn_body_active(&world->bodies[jaw]) ||
            fabs(cairn_dot(touch->n, down)) > level * weight || has_joint(span, x) ||
            !has_joint(span, jaw))
            continue;
        for (int k = 0; k < count; k++) {
            const cairn_touch* other = cairn_span_touch(span, k);
            bool beside = (other->a == x && other->b != jaw) || (other->b == x && other->a != jaw);
            if (beside && cairn_dot(towards(touch, x), towards(other, x)) < opposite)
                return true;
        }
    }
    return false;
}

// Whether the motion depends on how loads are shared. Where motors of limited strength push against
// contacts a wheel that happens to bear no load would spin; what slips between two jaws would turn
// about the corner that bears most.
static bool depends_on_loads(const cairn_span* span)
{
    const cairn_island* island = span->island;
    if (island->touch_count == 0 || island->link_count == 0 || !cairn_island_is_fine(span) ||
        span->world->tuning.any_forces)
        return false;
    for (int i = 0; i < island->link_count; i++) {
        const cairn_link* link = &span->world->links[span->group->links[island->link + i]];
        if (link->driven && isfinite(link->strength))
            return true;
    }
    return grasps(span);
}

// the island's problem as it is assembled, and what its answer is measured by
typedef struct assembled {
    cairn_problem problem;
    double* lambda;
    double largest; // |b|
    double scale;
} assembled;

// sweeps with the joints eliminated, or Newton's method; what they did not solve is the start of the
// other methods
static cairn_status solve_jointed(const cairn_span* span, assembled* own,
                                  const cairn_choice* choice, bool* solved)
{
    cairn_judged judged = {.scale = own->scale};
    cairn_status status =
        choice->way == CAIRN_WAY_FEW
            ? cairn_jointed_newton(span, &own->problem, own->lambda, &judged, solved)
            : cairn_jointed_sweep(span, &own->problem, own->lambda, &judged, solved);
    if (status != CAIRN_OK || !*solved)
        return status;

    bool met = judged.residual <= cairn_island_tolerance(span) * judged.scale;
    cairn_island_tell(span, choice->method, &judged, outcome_of(&judged, met));
    cairn_island_tell_law(span, own->problem.row_count, CAIRN_LAW_AS_GIVEN, 0);
    cairn_island_witness(span, &own->problem, own->lambda, &judged, NULL);
    return cairn_island_apply(span, &own->problem, own->lambda);
}

// A method of the front door on the island's problem. Not solved: it has taken all its work in vain,
// and the island is a pile from now on.
static cairn_status solve_by_method(const cairn_span* span, assembled* own,
                                    const cairn_island_kind* kind, bool* solved_it)
{
    cairn_solve_def def = cairn_island_solve_def(span);
    if (own->largest > 0.0)
        def.tolerance = fmin(def.tolerance * own->scale / own->largest, 1.0);
    def.any_forces = !kind->driven;
    cairn_report solved;
    cairn_status status =
        cairn_island_call_rolling(span, &own->problem, &def, own->lambda, &solved);
    if (status != CAIRN_OK)
        return status;

    // what tires has the tolerance of piles
    cairn_judged judged = {.residual = solved.residual.velocity, .scale = own->scale};
    *solved_it = true;
    if (solved.outcome == CAIRN_OUTCOME_ITERATION_LIMIT && cairn_island_is_favored(span)) {
        span->island->tired = true;
        *solved_it = judged.residual <= cairn_island_tolerance(span) * own->scale;
        solved.outcome = CAIRN_OUTCOME_CONVERGED;
    }
    if (!*solved_it)
        return CAIRN_OK;

    // a small heap that no exact method solves is no worse than a larger one
    const cairn_world_def* asked = &span->world->def;
    bool lenient = !(asked->tolerance > 0.0) && asked->preset != CAIRN_PRESET_EXACT &&
                   span->island->link_count == 0;
    if (solved.outcome == CAIRN_OUTCOME_ITERATION_LIMIT && lenient &&
        judged.residual <= cairn_pile_tolerance(asked) * own->scale)
        solved.outcome = CAIRN_OUTCOME_CONVERGED;
    cairn_island_tell(span, solved.method, &judged,
                      kind->squeezed ? CAIRN_OUTCOME_NO_SOLUTION : solved.outcome);
    cairn_island_tell_law(span, own->problem.row_count, solved.law, solved.facets);
    cairn_island_witness(span, &own->problem, own->lambda, &judged, &solved);
    return cairn_island_apply(span, &own->problem, own->lambda);
}

// a solve of the island's problem as it is assembled
static cairn_status solve_assembled(const cairn_span* span, cairn_island_kind* kind, bool* solved)
{
    assembled own;
    cairn_status status = cairn_island_assemble(&own.problem, span);
    own.lambda = CAIRN_TAKE(span->arena, double, own.problem.row_count);
    if (status != CAIRN_OK || !own.lambda)
        return CAIRN_NO_MEMORY;
    if (own.problem.row_count == 0) {
        *solved = true;
        return cairn_island_apply(span, &own.problem, own.lambda);
    }

    // what residuals are relative to
    own.largest = cairn_largest(own.problem.b, own.problem.row_count);
    own.scale = cairn_island_scale(span, own.largest);

    // what only the problem tells of its kind
    span->island->squeezed = false;
    if (cairn_island_may_be_squeezed(span))
        status = cairn_island_soften(span, &own.problem);
    kind->squeezed = span->island->squeezed;
    kind->driven = depends_on_loads(span);
    *solved = false;
    for (const cairn_choice* choice = NULL; status == CAIRN_OK && !*solved;) {
        choice = cairn_choose(kind, choice);
        if (choice->way == CAIRN_WAY_JOINTED || choice->way == CAIRN_WAY_FEW)
            status = solve_jointed(span, &own, choice, solved);
        else if (choice->way == CAIRN_WAY_PROBLEM)
            return solve_by_method(span, &own, kind, solved);
    }
    return status;
}

// one body alone; what sweeps of earlier substeps keep of its impulses comes back first
static cairn_status solve_single(const cairn_span* span, cairn_judged* judged, bool* solved)
{
    if (span->island->pack && !span->island->pack->stale)
        cairn_pack_yield(span);
    return cairn_single_solve(span, judged, solved);
}

// Whether bodies of the island were struck at known times in this substep: lanes know nothing of the lines on
// which these blows put them.
static bool lags(const cairn_span* span)
{
    const cairn_lag* of = span->phase == CAIRN_PHASE_DRIFT ? span->group->lags : NULL;
    for (int i = 0; of && i < span->island->body_count; i++)
        if (of[span->group->bodies[span->island->body + i]].last > 0.0)
            return true;
    return false;
}

// one of the ways in the arrays of the step, the first that does it
static cairn_status solve_in_place(const cairn_span* span, const cairn_island_kind* kind,
                                   bool* done)
{
    static const cairn_solve_function ways[] = {[CAIRN_WAY_LINKAGE] = cairn_linkage_solve,
                                                [CAIRN_WAY_ONE_BODY] = solve_single,
                                                [CAIRN_WAY_SWEEPS] = cairn_island_sweep};
    for (const cairn_choice* choice = cairn_choose(kind, NULL); choice->way < CAIRN_WAY_JOINTED;
         choice = cairn_choose(kind, choice)) {
        if (choice->way == CAIRN_WAY_SWEEPS && lags(span))
            continue;
        cairn_judged judged = {0};
        cairn_span own = *span;
        own.budget = choice->budget;
        cairn_status status = cairn_island_show(ways[choice->way], &own, &judged, done);
        if (status != CAIRN_OK)
            return status;
        if (*done) {
            bool met = judged.residual <= cairn_island_tolerance(span) * judged.scale;
            cairn_island_tell(span, choice->method, &judged, outcome_of(&judged, met));
            return CAIRN_OK;
        }
    }
    return CAIRN_OK;
}

// one kick, by the first way that does it
static cairn_status solve(const cairn_span* span, cairn_island_kind* kind)
{
    // nothing acts on a body alone but forces
    if (kind->contacts == 0 && kind->joint_rows == 0) {
        size_t numbers = 6 * (size_t)span->island->body_count;
        double* none = CAIRN_TAKE_ZEROED(span->arena, double, numbers);
        if (!none)
            return CAIRN_NO_MEMORY;
        cairn_island_kick(span, none);
        return CAIRN_OK;
    }

    // what tires an exact method is solved again, as a pile
    bool done = false;
    cairn_status status = CAIRN_OK;
    while (status == CAIRN_OK && !done) {
        status = solve_in_place(span, kind, &done);
        if (status == CAIRN_OK && !done)
            status = solve_assembled(span, kind, &done);
        kind->tolerance = cairn_island_kind_of(span).tolerance;
    }
    return status;
}

// J: the work of the impulses that the contacts hold on their velocities, from those of the bodies to
// those of the certificate
static double work_of(const cairn_span* span, const cairn_judged* judged)
{
    double sum = 0.0;
    for (int c = 0; c < span->island->touch_count; c++) {
        const cairn_touch* touch = cairn_span_touch(span, c);
        const int slots[2] = {touch->a, touch->b};
        cairn_vec3 twice = cairn_vec(0.0, 0.0, 0.0);
        if (cairn_is_out(&judged->placed[c]))
            continue;
        for (int side = 0; side < 2; side++) {
            const cairn_body* body = &span->world->bodies[slots[side]];
            int place = span->group->local[slots[side]];
            cairn_vec3 r = judged->placed[c].r[side];
            cairn_vec3 before = cairn_add(body->v, cairn_cross(body->w, r)), after = before;
            if (place >= 0)
                after = cairn_point_velocity(judged->velocity + 6 * (ptrdiff_t)place, r);
            twice = cairn_add_scaled(twice, side ? 1.0 : -1.0, cairn_add(before, after));
        }
        double warmth = cairn_touch_warmth(touch, span->kick);
        sum += 0.5 * warmth * cairn_dot(touch->impulse, twice);
    }
    return sum;
}

// The end of a march takes the impulses of its own sweeps if they pass the certificate and add no energy.
static cairn_status keep_certified(const cairn_span* span, cairn_judged* judged, bool* kept)
{
    *kept = false;
    cairn_status status = cairn_island_verify(span, judged, INFINITY);
    if (status != CAIRN_OK)
        return status;
    double tolerance = cairn_island_tolerance(span);
    judged->scale = cairn_island_scale(span, judged->scale);
    double target = tolerance * fmin(judged->scale, cairn_island_fastest(span));
    double may_gain = cairn_balance_allowed(span, 0.0) / (span->substeps + 1);
    *kept = judged->residual <= target && work_of(span, judged) <= may_gain;
    if (*kept) {
        cairn_island_accept(span, judged);
        cairn_island_tell(span, "sweeps", judged, CAIRN_OUTCOME_CONVERGED);
    }
    return CAIRN_OK;
}

// What the end of a march corrects is no start for the next one: contacts keep what they had.
static cairn_status solve_aside(const cairn_span* span, cairn_island_kind* kind)
{
    int count = span->island->touch_count;
    cairn_vec3* impulse = CAIRN_TAKE(span->arena, cairn_vec3, count);
    double* spin = CAIRN_TAKE(span->arena, double, count);
    double* seconds = CAIRN_TAKE(span->arena, double, count);
    if (span->arena->failed)
        return CAIRN_NO_MEMORY;
    for (int c = 0; c < count; c++) {
        impulse[c] = cairn_span_touch(span, c)->impulse;
        spin[c] = cairn_span_touch(span, c)->spin_impulse;
        seconds[c] = cairn_span_touch(span, c)->span;
    }

    bool kept = false;
    cairn_judged judged = {0};
    cairn_status status = CAIRN_OK;
    if (span->island->march)
        status = cairn_march_end(span, keep_certified, &judged, &kept);
    if (status == CAIRN_OK && !kept)
        status = solve(span, kind);
    for (int c = 0; c < count; c++)
        cairn_touch_start(cairn_span_touch(span, c), impulse[c], spin[c], seconds[c]);
    return status;
}

// A march through this substep, or through this one and the next: contacts are looked at again after
// that, and the others are in step with them. Blows, for which the step has more substeps, are looked at
// after each.
static cairn_status march(const cairn_span* span)
{
    cairn_span both = *span;
    both.h *= 2.0;
    both.substeps /= 2;
    if (span->substep % 2 != 0 || span->last || span->substeps > span->world->def.substeps ||
        !cairn_march_applies(&both))
        return cairn_island_march(span);
    cairn_status status = cairn_island_march(&both);
    for (int i = 0; i < span->island->body_count; i++)
        span->group->ahead[span->group->bodies[span->island->body + i]] = true;
    return status;
}

// An island that other processes share: sweeps, which all of them make together. What they reach is taken, and
// reported. A pile in motion has, as one that marches, some sweeps in each drift, and its certificate where the
// step ends.
static cairn_status solve_shared(const cairn_span* span)
{
    enum { most_sweeps = 1000, some_sweeps = 24 };
    bool drifts = span->phase == CAIRN_PHASE_DRIFT && cairn_march_suffices(span);
    cairn_judged judged = {0};
    cairn_span own = *span;
    bool solved = false;
    own.budget = drifts ? some_sweeps : most_sweeps;
    if (span->phase == CAIRN_PHASE_END && span->group->behind)
        own.kick = span->group->behind[span->group->bodies[span->island->body]];
    cairn_status status = cairn_island_sweep(&own, &judged, &solved);
    if (status != CAIRN_OK)
        return status;
    if (!solved)
        return cairn_fail(span->error, CAIRN_FAULT,
                          "numbers left their range in an island of several processes");
    bool met = judged.residual <= cairn_island_tolerance(span) * judged.scale;
    if (drifts)
        return CAIRN_OK;

    // one process tells of it
    const char* method = cairn_island_exchange(span)->first ? "sweeps" : "none";
    cairn_island_tell(span, method, &judged, outcome_of(&judged, met));
    return CAIRN_OK;
}

// What the geometry does in the drift ahead is foreseen with the velocities before the kick, and makes contacts push:
// by -bend, which is of the order of h ω² r. Where a light body is jammed between heavy ones the cheapest way to
// give way may be to turn faster, which bends more: the spin runs away within some substeps. Without the bend
// contacts take energy, or none: a kick that adds some, beyond what a bend of that order does to rolling bodies, is
// made once more without.
static const double little_turn = 0.02; // rad: in a substep; nothing runs away from there
static const double may_add = 1.5e-3;   // of the energy that moves

// what a kick changes of an island
typedef struct kick_state {
    cairn_vec3 *v, *w, *impulse, *total;
    double *spin, *seconds;
} kick_state;

static bool may_run_away(const cairn_span* span)
{
    const cairn_island* island = span->island;
    if (span->phase != CAIRN_PHASE_DRIFT || island->touch_count == 0 || island->link_count > 0 ||
        island->carries || !cairn_island_is_fine(span) || cairn_island_may_be_squeezed(span))
        return false;
    for (int i = 0; i < island->body_count; i++)
        if (span->h * cairn_norm(cairn_span_body(span, i)->w) > little_turn)
            return true;
    return false;
}

static bool save_kick(kick_state* saved, const cairn_span* span)
{
    int bodies = span->island->body_count, count = span->island->touch_count;
    saved->v = CAIRN_TAKE(span->arena, cairn_vec3, bodies);
    saved->w = CAIRN_TAKE(span->arena, cairn_vec3, bodies);
    saved->impulse = CAIRN_TAKE(span->arena, cairn_vec3, count);
    saved->total = CAIRN_TAKE(span->arena, cairn_vec3, count);
    saved->spin = CAIRN_TAKE(span->arena, double, count);
    saved->seconds = CAIRN_TAKE(span->arena, double, count);
    if (span->arena->failed)
        return false;
    for (int i = 0; i < bodies; i++) {
        saved->v[i] = cairn_span_body(span, i)->v;
        saved->w[i] = cairn_span_body(span, i)->w;
    }
    for (int c = 0; c < count; c++) {
        const cairn_touch* touch = cairn_span_touch(span, c);
        saved->impulse[c] = touch->impulse;
        saved->total[c] = touch->total;
        saved->spin[c] = touch->spin_impulse;
        saved->seconds[c] = touch->span;
    }
    return true;
}

static void undo_kick(const kick_state* saved, const cairn_span* span)
{
    for (int i = 0; i < span->island->body_count; i++) {
        cairn_span_body(span, i)->v = saved->v[i];
        cairn_span_body(span, i)->w = saved->w[i];
    }
    for (int c = 0; c < span->island->touch_count; c++) {
        cairn_touch* touch = cairn_span_touch(span, c);
        cairn_touch_start(touch, saved->impulse[c], saved->spin[c], saved->seconds[c]);
        touch->total = saved->total[c];
    }
}

// J: of the bodies of an island, with their own velocities or with those before the kick
static double kinetic_of(const cairn_span* span, bool before)
{
    double sum = 0.0;
    for (int i = 0; i < span->island->body_count; i++) {
        const cairn_body* body = cairn_span_body(span, i);
        const double* v = span->free + 6 * (ptrdiff_t)(body - span->world->bodies);
        if (!cairn_body_active(body))
            continue;
        cairn_vec3 linear = before ? cairn_vec(v[0], v[1], v[2]) : body->v;
        cairn_vec3 turn = before ? cairn_vec(v[3], v[4], v[5]) : body->w;
        cairn_vec3 own = cairn_rotate_back(body->q, turn), I = body->inertia;
        sum += cairn_dot(linear, linear) / body->inverse_mass + I.x * own.x * own.x +
               I.y * own.y * own.y + I.z * own.z * own.z;
    }
    return 0.5 * sum;
}

// a kick, and once more without the bend if that has added energy
static cairn_status solve_safely(const cairn_span* span, cairn_island_kind* kind)
{
    if (!may_run_away(span))
        return solve(span, kind);
    kick_state saved;
    if (!save_kick(&saved, span))
        return CAIRN_NO_MEMORY;

    cairn_island_kind first = *kind;
    cairn_status status = solve(span, kind);
    if (status != CAIRN_OK || kinetic_of(span, false) <= (1.0 + may_add) * kinetic_of(span, true))
        return status;
    undo_kick(&saved, span);
    cairn_span straight = *span;
    straight.straight = true;
    straight.placed = NULL;
    *kind = first;
    return solve(&straight, kind);
}

cairn_status cairn_island_solve_kick(const cairn_span* span)
{
    if (span->island->shared)
        return solve_shared(span);

    // large piles in motion take small steps, if they may through two substeps at once
    bool drift = span->phase == CAIRN_PHASE_DRIFT && !span->instant;
    if (drift && cairn_island_has_marched(span))
        return CAIRN_OK;
    cairn_island_kind kind = cairn_island_kind_of(span);
    kind.marches = drift && cairn_march_applies(span);
    if (cairn_choose(&kind, NULL)->way == CAIRN_WAY_MARCH)
        return march(span);

    // where the step ends velocities come up to where the bodies are
    cairn_span own = *span;
    if (span->phase == CAIRN_PHASE_END && span->group->behind)
        own.kick = span->group->behind[span->group->bodies[span->island->body]];
    return cairn_island_has_marched(span) ? solve_aside(&own, &kind) : solve_safely(&own, &kind);
}
