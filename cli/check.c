// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// cairn check F.h5: certifies a recording. The residual of every solve is measured again from the
// recorded contact problem and its impulses alone, and compared with what was reported and with the
// tolerance. And the impulses of the solves must be those that the contacts show (impulses.c). The residual of
// the end of a march is relative to the
// fastest that a contact of it can be; what is claimed is held against the speeds of the two frames, and
// against those of its bodies before this solve, v' - M^-1 J^T λ.
//
// The motion is measured again from shapes, places, velocities and masses: overlaps, joints, energy
// (io/recording/remeasure.h).

#include "impulses.h"
#include "io/recording/laws.h"
#include "motion.h"
#include "verb.h"
#include <cairn/recording.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct options {
    verb_common common;
    double tolerance; ///< 0: that of each step
} options;

static const verb_option own[] = {
    {"tolerance", "X",
     "Relative residual at which a solve counts as converged (default: that of the "
     "run)",
     VERB_POSITIVE, offsetof(options, tolerance), 0, 0, NULL},
    {0}};
static const char doc[] =
    "Certify a recording: recompute the residual of every step from the recorded "
    "contacts alone, and check its motion (overlaps, joint errors, energy) from the "
    "recorded shapes, poses and velocities. The exit status is 1 if a step misses "
    "the tolerance, if bodies overlap, joints are open or energy appears without a "
    "source, or if the recording contradicts its own reports.\v"
    "Example:\n  cairn run wall --record wall.h5\n  cairn check wall.h5";

// ---------------------------------------------------------------- measuring

static const double round_off = 1e-10; // of a relative residual: the rows are made again
static const double few_roundings = 64.0;

// what was found; steps as the reports count them, -1: none
typedef struct verdict {
    int steps, solves;
    long long contacts, rows;
    double residual_max, residual_velocity_max, reported_max;
    double difference_max; ///< between measured and reported
    int missed, differing, unbalanced;
    int64_t first_missed, first_differing, first_unbalanced;
    double tolerance;                      ///< the loosest that was used
    cairn_motion reported;                 ///< of all steps
    double penetration, joint_error, gain; ///< measured, worst of all steps; m, m, J
    int overlapping, torn, gaining, limited, untrue, unborne, lost, grown, askew, passed, ghostly;
    int unjudged; ///< steps whose energy could not be judged,
    int unheld;   ///< or the impulses of some of whose contacts
    int64_t first_overlapping, first_torn, first_gaining, first_limited, first_untrue;
    int64_t first_unborne, first_lost, first_grown, first_askew, first_passed, first_ghostly;
} verdict;

// whether a measured residual confirms the reported one
static bool agrees(double measured, double reported)
{
    return fabs(measured - reported) <= round_off + 1e-6 * reported;
}

// the largest |b| of a problem
static double scale_of(const cairn_problem* problem)
{
    double most = 0.0;
    for (int i = 0; i < problem->row_count; i++)
        most = fmax(most, fabs(problem->b[i]));
    return most;
}

// The residual relative to the scale that the report used: the largest |b| of the problem or, in a
// last half kick, that of an earlier kick of the step or the speed of its bodies, at most `most`.
static double relative_of(const cairn_residual* measured, const cairn_recorded_solve* solve,
                          double largest, double most)
{
    double claimed = solve->residual > 0.0 ? solve->residual_velocity / solve->residual : largest;
    double scale = fmin(claimed, fmax(largest, most));
    return scale > 0.0 ? measured->velocity / scale : measured->velocity;
}

// m/s: how fast a contact of the step can be, at most: twice the fastest body, and what gravity
// adds
static double fastest(const impulses* b, const cairn_frame* frame, const cairn_stage* stage)
{
    double most = 0.0, fall = stage->dt * cairn_norm(stage->gravity);
    for (int i = 0; i < frame->body_count; i++) {
        most = fmax(most, impulses_speed_of(frame, stage, i));
        if (i < b->known)
            most = fmax(most, b->speed[i]);
    }
    return 2.0 * (most + fall);
}

// m/s: the same of bodies as they were before their last solve, v' - M^-1 J^T λ; `change` is memory for six
// numbers of each body
static double fastest_before(const cairn_recorded_solve* solve, double* change,
                             const cairn_frame* frame, const cairn_stage* stage)
{
    double most = 0.0, fall = stage->dt * cairn_norm(stage->gravity);
    cairn_problem_body_velocity(&solve->problem, solve->lambda, change);
    for (int i = 0; i < solve->problem.body_count; i++) {
        const double* d = change + 6 * (ptrdiff_t)i;
        if (solve->slot[i] >= 0 && solve->slot[i] < frame->body_count)
            most = fmax(most, impulses_slower_by(frame, stage, solve->slot[i],
                                                 cairn_vec(d[0], d[1], d[2]),
                                                 cairn_vec(d[3], d[4], d[5])));
    }
    return 2.0 * (most + fall);
}

// the step at hand
typedef struct moment {
    cairn_recording* recording;
    int index;
    const cairn_frame* frame;
    const cairn_stage* stage;
    double possible; ///< m/s: the speed of a contact, by the speeds of the two frames
} moment;

static cairn_status check_solve(verdict* out, impulses* b, double* worst, const moment* at,
                                int number, bool* same, cairn_error* error)
{
    // the recorded problem with its recorded impulses
    cairn_recorded_solve solve;
    cairn_residual residual;
    cairn_status status = cairn_recording_solve(at->recording, at->index, number, &solve, error);
    if (status != CAIRN_OK)
        return status;

    // the residual is computed anew from these
    status =
        cairn_problem_residual(&solve.problem, solve.lambda, solve.law, solve.facets, &residual);
    double* change = malloc(6 * ((size_t)solve.problem.body_count + 1) * sizeof *change);
    if (status != CAIRN_OK || !change) {
        free(change);
        cairn_recorded_solve_destroy(&solve);
        return cairn_fail(error, status != CAIRN_OK ? status : CAIRN_NO_MEMORY,
                          "no memory to check a problem");
    }

    // a residual is relative to the largest |b| of its problem; a last half kick takes its step's
    impulses_add_solve(b, &solve);
    double largest = scale_of(&solve.problem);
    b->kick = fmax(b->kick, largest);
    double before = fastest_before(&solve, change, at->frame, at->stage);
    double most = fmax(b->kick, fmax(at->possible, before));
    double relative = relative_of(&residual, &solve, largest, most);

    // nor is it more exact than the sums of velocities that it is made of
    double noise = few_roundings * DBL_EPSILON * most;
    if (residual.velocity <= noise && solve.residual_velocity <= noise)
        relative = solve.residual;

    *worst = fmax(*worst, relative);
    *same = *same && agrees(relative, solve.residual);
    out->difference_max = fmax(out->difference_max, fabs(relative - solve.residual));
    out->residual_velocity_max = fmax(out->residual_velocity_max, residual.velocity);
    out->contacts += cairn_problem_contact_count(&solve.problem);
    out->rows += solve.problem.row_count;
    out->solves++;

    free(change);
    cairn_recorded_solve_destroy(&solve);
    return CAIRN_OK;
}

static void count(int* steps, int64_t* first, bool wrong, int64_t step)
{
    if (wrong && ++*steps == 1)
        *first = step;
}

// the solves of a frame cannot be counted: the attempt to read one tells why
static cairn_status refuse_solves(cairn_recording* recording, int index, cairn_error* error)
{
    cairn_recorded_solve solve;
    cairn_status status = cairn_recording_solve(recording, index, 0, &solve, error);
    if (status != CAIRN_OK)
        return status;
    cairn_recorded_solve_destroy(&solve);
    return cairn_fail(error, CAIRN_BAD_INPUT, "the solves of frame %d are damaged", index);
}

static cairn_status check_frame(verdict* out, impulses* b, cairn_recording* recording, int index,
                                const cairn_stage* stage, const cairn_frame* frame,
                                double tolerance, cairn_error* error)
{
    // a negative count says that the recording is damaged
    double worst = 0.0;
    bool same = true;
    int solves = cairn_recording_solve_count(recording, index);
    if (solves < 0)
        return refuse_solves(recording, index, error);

    if (!impulses_reset(b, frame->body_count))
        return cairn_fail(error, CAIRN_NO_MEMORY, "no memory to check %d bodies",
                          frame->body_count);

    // the step is as good as its worst solve
    cairn_status status = CAIRN_OK;
    const moment at = {recording, index, frame, stage, fastest(b, frame, stage)};
    for (int k = 0; status == CAIRN_OK && k < solves; k++)
        status = check_solve(out, b, &worst, &at, k, &same, error);
    if (status != CAIRN_OK)
        return status;

    // a step can miss its tolerance, differ from its report, or show impulses that no solve found
    int64_t step = frame->report.step;
    same = same && agrees(worst, frame->report.residual);
    bool met = worst <= tolerance + round_off;
    count(&out->missed, &out->first_missed, !met, step);
    count(&out->differing, &out->first_differing, !same, step);
    impulses_verdict held = impulses_hold(b, frame, stage);
    count(&out->unbalanced, &out->first_unbalanced, held == IMPULSES_DIFFER, step);
    out->unheld += held == IMPULSES_UNKNOWN;

    out->residual_max = fmax(out->residual_max, worst);
    out->reported_max = fmax(out->reported_max, frame->report.residual);
    out->tolerance = fmax(out->tolerance, tolerance);
    return CAIRN_OK;
}

// the frame before, as it was measured
typedef struct memory {
    cairn_remeasure all;
    cairn_remeasured last;
    cairn_laws laws;
    int change; ///< of the stage, then; 0: there was none
} memory;

static void judge(verdict* out, const memory* m, const cairn_remeasured* now,
                  const cairn_stage* stage, const cairn_frame* frame)
{
    const cairn_step_report* report = &frame->report;
    int64_t step = report->step;

    // energies can be compared only while the bodies are the same
    bool same = m->change == stage->change && report->frozen == 0;
    cairn_motion_flaws flaws = cairn_motion_judge(same ? &m->last : NULL, now, report, stage->dt);
    out->penetration = fmax(out->penetration, now->penetration);
    out->joint_error = fmax(out->joint_error, now->joint_error);
    out->gain = fmax(out->gain, flaws.gain);

    bool limited = report->outcome == CAIRN_OUTCOME_STEP_LIMIT;
    count(&out->overlapping, &out->first_overlapping, flaws.overlaps, step);
    count(&out->torn, &out->first_torn, flaws.torn, step);
    count(&out->gaining, &out->first_gaining, flaws.gained, step);
    count(&out->limited, &out->first_limited, limited, step);
    count(&out->untrue, &out->first_untrue, flaws.differs, step);
    out->unjudged += !flaws.judged;
    cairn_motion_add(&out->reported, &report->motion);
}

// the motion of a step; the first frame is only where it starts
static cairn_status check_motion(verdict* out, memory* m, const cairn_stage* stage,
                                 const cairn_frame* frame, cairn_error* error)
{
    cairn_remeasured now;
    cairn_status status = cairn_remeasure_frame(&m->all, stage, frame, &now, error);
    if (status != CAIRN_OK)
        return status;
    if (m->change > 0)
        judge(out, m, &now, stage, frame);

    // the laws of motion; energies and bodies compare only while the bodies are the same
    cairn_law_flaws flaws;
    bool same = m->change == stage->change && frame->report.frozen == 0;
    if (!cairn_laws_judge(&m->laws, &flaws, stage, frame, &now, same))
        return cairn_fail(error, CAIRN_NO_MEMORY, "no memory to check a frame");
    int64_t step = frame->report.step;
    count(&out->unborne, &out->first_unborne, flaws.unborne, step);
    count(&out->lost, &out->first_lost, flaws.lost, step);
    count(&out->grown, &out->first_grown, flaws.grown, step);
    count(&out->askew, &out->first_askew, flaws.askew, step);
    count(&out->passed, &out->first_passed, flaws.passed, step);
    count(&out->ghostly, &out->first_ghostly, flaws.ghostly, step);
    m->last = now;
    m->change = stage->change;
    return status;
}

static cairn_status check_all(verdict* out, cairn_recording* recording, double tolerance,
                              cairn_error* error)
{
    cairn_stage stage = {0};
    cairn_frame frame = {0};
    impulses b = {0};
    memory m = {0};
    cairn_status status = CAIRN_OK;

    int frames = cairn_recording_frame_count(recording);
    for (int i = 0; status == CAIRN_OK && i < frames; i++) {
        status = cairn_recording_show(recording, i, &stage, &frame, error);
        // the first frame is the state before the first step
        if (status == CAIRN_OK && i > 0)
            status = check_frame(out, &b, recording, i, &stage, &frame,
                                 tolerance > 0.0 ? tolerance : stage.tolerance, error);
        if (status == CAIRN_OK)
            status = check_motion(out, &m, &stage, &frame, error);
        if (status == CAIRN_OK && !impulses_remember(&b, &frame, &stage))
            status = cairn_fail(error, CAIRN_NO_MEMORY, "no memory to check %d bodies",
                                frame.body_count);
    }

    out->steps = frames > 0 ? frames - 1 : 0;
    impulses_destroy(&b);
    cairn_remeasure_destroy(&m.all);
    cairn_laws_destroy(&m.laws);
    cairn_frame_destroy(&frame);
    cairn_stage_destroy(&stage);
    return status;
}

// ---------------------------------------------------------------- telling

static bool certified(const verdict* v)
{
    return v->missed + v->differing + v->unbalanced == 0 &&
           v->overlapping + v->torn + v->gaining + v->limited + v->untrue == 0 &&
           v->unborne + v->lost + v->grown + v->askew + v->passed + v->ghostly == 0;
}

static void set_step(json_t* out, const char* key, int64_t step)
{
    if (step >= 0)
        verb_set_integer(out, key, step);
    else
        json_object_set_new(out, key, json_null());
}

// what is shown
typedef struct result {
    const verdict* v;
    const char* path;
} result;

// the motion as it was measured again
static json_t* measured_json(const verdict* v)
{
    json_t* out = json_object();

    verb_set_real(out, "penetration", v->penetration);
    verb_set_real(out, "joint_error", v->joint_error);
    verb_set_real(out, "energy_gain", v->gain);
    verb_set_integer(out, "energy_unjudged", v->unjudged);

    // steps with a flaw, and the first of each kind
    verb_set_integer(out, "overlapping", v->overlapping);
    set_step(out, "first_overlapping", v->first_overlapping);
    verb_set_integer(out, "torn", v->torn);
    set_step(out, "first_torn", v->first_torn);
    verb_set_integer(out, "gaining", v->gaining);
    set_step(out, "first_gaining", v->first_gaining);
    verb_set_integer(out, "limited", v->limited);
    set_step(out, "first_limited", v->first_limited);
    verb_set_integer(out, "untrue", v->untrue);
    set_step(out, "first_untrue", v->first_untrue);

    // steps that break a law of motion
    verb_set_integer(out, "unborne", v->unborne);
    set_step(out, "first_unborne", v->first_unborne);
    verb_set_integer(out, "lost", v->lost);
    set_step(out, "first_lost", v->first_lost);
    verb_set_integer(out, "grown", v->grown);
    set_step(out, "first_grown", v->first_grown);
    verb_set_integer(out, "askew", v->askew);
    set_step(out, "first_askew", v->first_askew);
    verb_set_integer(out, "passed", v->passed);
    set_step(out, "first_passed", v->first_passed);
    verb_set_integer(out, "ghostly", v->ghostly);
    set_step(out, "first_ghostly", v->first_ghostly);

    return out;
}

static json_t* to_json(const void* from)
{
    const result* r = from;
    const verdict* v = r->v;

    json_t* out = json_object();
    verb_set_string(out, "file", r->path);
    json_object_set_new(out, "certified", json_boolean(certified(v)));

    // how much was measured
    verb_set_integer(out, "steps", v->steps);
    verb_set_integer(out, "solves", v->solves);
    verb_set_integer(out, "contacts", v->contacts);
    verb_set_integer(out, "rows", v->rows);

    // the residuals: measured, reported, and how far apart
    verb_set_real(out, "tolerance", v->tolerance);
    verb_set_real(out, "residual_max", v->residual_max);
    verb_set_real(out, "residual_velocity_max", v->residual_velocity_max);
    verb_set_real(out, "residual_reported_max", v->reported_max);
    verb_set_real(out, "difference_max", v->difference_max);

    // the steps that failed, and the first of each kind
    verb_set_integer(out, "missed", v->missed);
    set_step(out, "first_missed", v->first_missed);
    verb_set_integer(out, "differing", v->differing);
    set_step(out, "first_differing", v->first_differing);
    verb_set_integer(out, "unbalanced", v->unbalanced);
    set_step(out, "first_unbalanced", v->first_unbalanced);
    verb_set_integer(out, "impulses_unjudged", v->unheld);

    // the motion: remeasured from the poses, then as reported
    json_object_set_new(out, "measured", measured_json(v));
    motion_to_json(out, &v->reported);
    return out;
}

static void print_flaws(const verdict* v)
{
    const struct {
        int steps;
        int64_t first;
        const char* what;
    } flaws[] = {
        {v->overlapping, v->first_overlapping, "end with overlapping bodies"},
        {v->torn, v->first_torn, "end with open joints"},
        {v->gaining, v->first_gaining, "gain energy without a source"},
        {v->limited, v->first_limited, "reported that they missed the accuracy of the motion"},
        {v->untrue, v->first_untrue, "report a motion that differs from the recorded one"},
        {v->unborne, v->first_unborne, "leave a body that stands still without what bears it"},
        {v->lost, v->first_lost, "lose energy that nothing could take, and tell nothing of it"},
        {v->grown, v->first_grown, "have more energy than the run began with and was given"},
        {v->askew, v->first_askew,
         "let balls push each other along another line than their centers'"},
        {v->passed, v->first_passed, "let a body pass through one that stands"},
        {v->ghostly, v->first_ghostly, "push a body at a seam that it lies above"},
    };

    if (v->unjudged)
        verb_print("energy not checked in %d of the steps: bodies were added or removed, or work "
                   "was not recorded",
                   v->unjudged);
    if (v->unheld)
        verb_print("contact impulses not checked in %d of the steps: bodies share loads with "
                   "joints that hold them "
                   "to the world",
                   v->unheld);

    for (size_t i = 0; i < sizeof flaws / sizeof *flaws; i++)
        if (flaws[i].steps)
            verb_print("%d steps %s, first at step %lld", flaws[i].steps, flaws[i].what,
                       (long long)flaws[i].first);
}

static void to_text(const void* from)
{
    const result* r = from;
    const verdict* v = r->v;
    verb_table table = {.columns = 2};

    verb_print("%s: %s", r->path, certified(v) ? "certified" : "NOT certified");

    // the residuals measured here, beside those reported
    verb_cell(&table, "measured");
    verb_cell(&table, "%d steps, %d solves, %lld contacts, %lld rows", v->steps, v->solves,
              v->contacts, v->rows);
    verb_cell(&table, "residual");
    verb_cell(&table, "%.2e at most (%.2e m/s), tolerance %g", v->residual_max,
              v->residual_velocity_max, v->tolerance);
    verb_cell(&table, "reported");
    verb_cell(&table, "%.2e at most, recomputed within %.1e", v->reported_max, v->difference_max);

    verb_cell(&table, "motion");
    verb_cell(&table, "at most: overlap %.3g mm, joint error %.3g mm, energy gain per step %.3g J",
              1e3 * v->penetration, 1e3 * v->joint_error, v->gain);
    verb_print_table(&table);

    // each kind of failure, with the step where it began
    print_flaws(v);
    if (v->missed)
        verb_print("%d steps missed the tolerance, first at step %lld", v->missed,
                   (long long)v->first_missed);
    if (v->differing)
        verb_print("%d steps have a residual other than the reported one, first at step %lld",
                   v->differing, (long long)v->first_differing);
    if (v->unbalanced)
        verb_print(
            "%d steps show contact impulses that are not those of their solves, the first is "
            "step %lld",
            v->unbalanced, (long long)v->first_unbalanced);
}

static cairn_status run(verb_common* common, cairn_error* error)
{
    const options* o = (const options*)common;
    verdict found = {.first_missed = -1,
                     .first_differing = -1,
                     .first_unbalanced = -1,
                     .first_overlapping = -1,
                     .first_torn = -1,
                     .first_gaining = -1,
                     .first_limited = -1,
                     .first_untrue = -1,
                     .first_unborne = -1,
                     .first_lost = -1,
                     .first_grown = -1,
                     .first_askew = -1,
                     .first_passed = -1,
                     .first_ghostly = -1};

    cairn_recording* recording = NULL;
    cairn_status status = cairn_recording_open(common->arguments[0], &recording, error);
    if (status == CAIRN_OK)
        status = check_all(&found, recording, o->tolerance, error);

    cairn_recording_destroy(recording);
    if (status != CAIRN_OK)
        return status;

    verb_show(common, to_json, to_text, &(result){&found, common->arguments[0]});
    common->missed = !certified(&found);
    return CAIRN_OK;
}

const verb verb_check = {
    .name = "check",
    .summary = "certify a recording: recheck every step",
    .arguments = "FILE",
    .least = 1,
    .most = 1,
    .noun = "recording",
    .expected = "a file written by `cairn run --record`",
    .doc = doc,
    .options = own,
    .size = sizeof(options),
    .run = run,
};
