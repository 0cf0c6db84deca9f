// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The scene of a live view: steps with a ring of snapshots behind them, springs to the pointers,
// settings, balls. A spring is damped critically: with m the mass that the point feels,
//
//     F = m (ω² (target - p) - 2 ω v),     1/m = tr(K)/3,   K = 1/m_body - [r] I^-1 [r]
//
// so that it is as stiff for a feather as for a rock, and ω dt stays well below 1.

#include "io/file.h"
#include "race_json.h"
#include "view_needs.h"
#include "view_session.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double spring_rate = 20.0;    // 1/s: ω
static const double spring_reach = 2000.0; // m/s²: no spring accelerates more
static const double ball_density = 2000.0; // kg/m³
static const double solve_budget = 0.5;    // s: a solve that takes longer ends with what it has
static const double race_time = 2.0;       // s for each method
static const double moment_memory = 5e8;   // bytes of snapshots to go back to, about
enum { most_balls = 500, fewest_moments = 20 };

// ---------------------------------------------------------------- looking

static cairn_status take(view_session* s, const cairn_step_report* report, cairn_error* error)
{
    cairn_status status = cairn_stage_take(&s->stage, s->scene, s->dt, error);
    if (status == CAIRN_OK)
        status = cairn_frame_take(&s->frame, &s->stage, s->scene, report, s->ms, error);
    return status;
}

static void forget_moments(view_session* s)
{
    for (int i = 0; i < s->moment_count; i++)
        cairn_snapshot_destroy(s->moments[(s->moment_first + i) % view_most_moments].snapshot);
    s->moment_first = s->moment_count = 0;
}

// ---------------------------------------------------------------- opening

// the stage goes on counting, so that pages see that everything is new
static cairn_status start_stage(view_session* s, const char* name, cairn_error* error)
{
    cairn_bytes text;
    int change = s->stage.change;
    cairn_status status = cairn_file_read(&text, s->path, &cairn_file_text, error);
    if (status != CAIRN_OK)
        return status;
    cairn_stage_destroy(&s->stage);
    s->stage.change = change;
    cairn_stage_origin origin = {.name = name, .text = text.data, .text_size = text.size};
    status = cairn_stage_set_origin(&s->stage, &origin, error);
    free(text.data);
    s->report = (cairn_step_report){.method = "none"};
    s->ms = 0.0;
    return status == CAIRN_OK ? take(s, NULL, error) : status;
}

static void adopt(view_session* s, cairn_scene* scene)
{
    // nothing of the old scene may be used with the new one
    forget_moments(s);
    memset(s->springs, 0, sizeof s->springs);
    if (s->materials)
        memset(s->materials, 0, (size_t)s->material_capacity * sizeof *s->materials);
    cairn_scene* old = s->scene;
    s->scene = scene;
    s->balls = 0;

    // the stage borrows names and shapes from the scene that goes
    int change = s->stage.change;
    cairn_stage_destroy(&s->stage);
    s->stage.change = change;
    cairn_scene_destroy(old);

    s->dt = cairn_scene_describe(scene).dt;
}

// no solve of a live scene may take longer than the budget
static cairn_status read_scene(cairn_scene** scene, const view_session* s, const char* path,
                               cairn_error* error)
{
    cairn_scene_def def = {
        .time_limit = solve_budget, .robot = s->robot, .threads = view_threads()};
    return cairn_scene_read(path, &def, scene, error);
}

cairn_status view_scene_open(view_session* s, const char* name, cairn_error* error)
{
    char path[PATH_MAX];
    cairn_scene* scene = NULL;
    cairn_status status = verb_scene_path(path, sizeof path, name, error);
    if (status == CAIRN_OK)
        status = read_scene(&scene, s, path, error);
    if (status != CAIRN_OK)
        return status;

    // the old scene stays until the new one has been read
    if (s->recorder)
        view_scene_end_record(s, NULL);
    memcpy(s->path, path, sizeof path);
    snprintf(s->name, sizeof s->name, "%s", name);
    adopt(s, scene);

    // settings begin with what the scene says
    cairn_scene_info info = cairn_scene_describe(scene);
    s->settings =
        (view_settings){.method = info.method,
                        .tolerance = info.tolerance,
                        .iterations = cairn_world_get_def(cairn_scene_world(scene)).sweeps,
                        .substeps = info.substeps,
                        .gravity = info.gravity};
    return start_stage(s, name, error);
}

cairn_status view_scene_restart(view_session* s, cairn_error* error)
{
    cairn_scene* scene = NULL;
    view_settings settings = s->settings;
    cairn_status status = read_scene(&scene, s, s->path, error);
    if (status != CAIRN_OK)
        return status;
    if (s->recorder)
        view_scene_end_record(s, NULL);
    adopt(s, scene);
    status = start_stage(s, s->name, error);
    return status == CAIRN_OK ? view_scene_apply(s, &settings, error) : status;
}

// ---------------------------------------------------------------- settings

// every body gets the friction, and back what it had; ids tell whether a slot has another body now
static cairn_status apply_friction(view_session* s, const view_settings* set, cairn_error* error)
{
    cairn_world* world = cairn_scene_world(s->scene);
    if (s->stage.body_count > s->material_capacity) {
        size_t count = (size_t)s->stage.body_count;
        view_material* grown = realloc(s->materials, count * sizeof *grown);
        if (!grown)
            return cairn_fail(error, CAIRN_NO_MEMORY, "no memory for the materials of %d bodies",
                              s->stage.body_count);
        memset(grown + s->material_capacity, 0,
               (count - (size_t)s->material_capacity) * sizeof *grown);
        s->materials = grown;
        s->material_capacity = s->stage.body_count;
    }

    // the first change keeps the body's own material, to be given back when the friction is lifted
    for (int i = 0; i < s->stage.body_count; i++) {
        cairn_body_id id = s->stage.bodies[i].id;
        view_material* kept = &s->materials[i];
        cairn_material now;
        if (id.generation == 0 || cairn_body_get_material(world, id, &now, NULL) != CAIRN_OK)
            continue;

        bool known = kept->generation == id.generation;
        if (set->has_mu) {
            if (!known)
                *kept = (view_material){id.generation, now};
            now.mu = now.mu_across = set->mu;
            now.friction_rule = CAIRN_COMBINE_GEOMETRIC;
            cairn_body_set_material(world, id, &now, NULL);
        } else if (known) {
            cairn_body_set_material(world, id, &kept->material, NULL);
            kept->generation = 0;
        }
    }
    return CAIRN_OK;
}

cairn_status view_scene_apply(view_session* s, const view_settings* set, cairn_error* error)
{
    cairn_world* world = cairn_scene_world(s->scene);
    cairn_world_def def = cairn_world_get_def(world);
    cairn_status status = CAIRN_OK;

    // only what differs is set
    if (strcmp(def.method, set->method) != 0 || cairn_world_def_tolerance(&def) != set->tolerance ||
        def.sweeps != set->iterations)
        status = cairn_world_set_method(world, set->method, set->tolerance, set->iterations, error);
    if (status == CAIRN_OK && def.substeps != set->substeps)
        status = cairn_world_set_substeps(world, set->substeps, error);
    if (status == CAIRN_OK)
        status = cairn_world_set_gravity(world, set->gravity, error);
    if (status == CAIRN_OK && (set->has_mu || s->settings.has_mu))
        status = apply_friction(s, set, error);

    if (status != CAIRN_OK)
        return status;

    s->settings = *set;
    return cairn_stage_take(&s->stage, s->scene, s->dt, error);
}

// ---------------------------------------------------------------- stepping

// 1/m that a point of a body feels, on average over directions
static double lightness(const cairn_body_def* body, cairn_vec3 arm)
{
    cairn_mat3 I = cairn_mat3_inverse(body->inertia);
    cairn_vec3 r = cairn_rotate_back(body->pose.q, arm);
    double sum = I.cx.x + I.cy.y + I.cz.z;
    double turn = sum * cairn_dot(r, r) - cairn_dot(r, cairn_mat3_apply(I, r));
    return 1.0 / body->mass + turn / 3.0;
}

static bool pull(view_pull* out, const view_session* s, const view_spring* spring)
{
    const cairn_world* world = cairn_scene_world(s->scene);
    cairn_body_def body;
    cairn_body_state state;
    if (cairn_body_get_def(world, spring->body, &body, NULL) != CAIRN_OK ||
        cairn_body_get(world, spring->body, &state, NULL) != CAIRN_OK || !(body.mass > 0.0))
        return false;

    cairn_vec3 p = cairn_transform_point(body.pose, spring->point);
    cairn_vec3 arm = cairn_sub(p, state.center);
    cairn_vec3 v = cairn_add(body.velocity, cairn_cross(body.spin, arm));

    // critically damped: a = ω² (target − p) − 2 ω v, bounded
    cairn_vec3 a = cairn_scale(spring_rate * spring_rate, cairn_sub(spring->target, p));
    a = cairn_add_scaled(a, -2.0 * spring_rate, v);
    double size = cairn_norm(a);
    if (size > spring_reach)
        a = cairn_scale(spring_reach / size, a);

    *out = (view_pull){spring->body, cairn_scale(1.0 / lightness(&body, arm), a), p};
    return true;
}

static void apply_pulls(view_session* s, const view_moment* moment)
{
    cairn_world* world = cairn_scene_world(s->scene);
    for (int i = 0; i < moment->pull_count; i++)
        cairn_body_add_force(world, moment->pulls[i].body, moment->pulls[i].force,
                             moment->pulls[i].point, NULL);
}

// a snapshot takes about as much memory as the state of its world; the larger, the fewer are kept
static int moment_limit(const view_session* s)
{
    size_t scratch, all = cairn_world_memory(cairn_scene_world(s->scene), &scratch);
    double room = moment_memory / (double)(all - scratch + 1);
    return (int)fmin(fmax(room, fewest_moments), view_most_moments);
}

// keeps the state before a step; the oldest go when there are too many
static cairn_status keep_moment(view_session* s, cairn_error* error)
{
    for (int limit = moment_limit(s); s->moment_count >= limit;) {
        cairn_snapshot_destroy(s->moments[s->moment_first].snapshot);
        s->moment_first = (s->moment_first + 1) % view_most_moments;
        s->moment_count--;
    }

    view_moment* moment = &s->moments[(s->moment_first + s->moment_count) % view_most_moments];
    *moment = (view_moment){.report = s->report, .ms = s->ms};
    cairn_status status =
        cairn_world_snapshot(cairn_scene_world(s->scene), &moment->snapshot, error);
    if (status != CAIRN_OK)
        return status;

    s->moment_count++;

    // the forces of the springs belong to the moment, so that the step can be made again
    for (int i = 0; i < view_most_springs; i++)
        if (s->springs[i].client != 0)
            moment->pull_count += pull(&moment->pulls[moment->pull_count], s, &s->springs[i]);
    apply_pulls(s, moment);
    return CAIRN_OK;
}

static view_moment* last_moment(view_session* s)
{
    return &s->moments[(s->moment_first + s->moment_count - 1) % view_most_moments];
}

// the worker's part of a step
static cairn_status make_step(void* context, cairn_error* error)
{
    view_session* s = context;
    double start = view_clock();
    cairn_status status = cairn_scene_step(s->scene, s->dt, &s->report, error);
    s->ms = 1e3 * (view_clock() - start);
    return status;
}

cairn_status view_scene_begin(view_session* s, cairn_error* error)
{
    cairn_status status = keep_moment(s, error);
    if (status != CAIRN_OK)
        return status;
    s->task = VIEW_STEP;
    s->stage_before = s->stage.change;
    view_worker_begin(s->worker, make_step, s);
    return CAIRN_OK;
}

// A step that was canceled or failed leaves the world as it was, but for the forces of springs and
// what the scene let in and drove. The state before it is restored where there was any of that.
static cairn_status undo_step(view_session* s, cairn_error* error)
{
    view_moment* moment = last_moment(s);
    bool touched = moment->pull_count > 0 || cairn_scene_describe(s->scene).driven;
    cairn_status status =
        touched ? cairn_scene_restore(s->scene, moment->snapshot, error) : CAIRN_OK;
    s->report = moment->report;
    s->ms = moment->ms;
    cairn_snapshot_destroy(moment->snapshot);
    s->moment_count--;
    cairn_recorder_forget(s->recorder);
    return status;
}

static cairn_status finish_step(view_session* s, cairn_status status, cairn_error* error)
{
    if (status != CAIRN_OK) {
        cairn_error other;
        cairn_status back = undo_step(s, &other);
        if (back != CAIRN_OK)
            return cairn_fail(error, back, "%s", other.text);
        return status == CAIRN_INTERRUPTED ? CAIRN_OK : status;
    }
    status = take(s, &s->report, error);
    if (status == CAIRN_OK && s->recorder)
        status = cairn_recorder_add(s->recorder, &s->stage, &s->frame, error);

    // bodies that have entered get the friction of all
    if (status == CAIRN_OK && s->settings.has_mu && s->stage.change != s->stage_before)
        status = apply_friction(s, &s->settings, error);
    return status;
}

cairn_status view_scene_back(view_session* s, cairn_error* error)
{
    if (s->moment_count == 0)
        return cairn_fail(error, CAIRN_BAD_INPUT, "there is no step to go back to");
    view_moment* moment = last_moment(s);
    view_settings settings = s->settings;
    cairn_status status = cairn_scene_restore(s->scene, moment->snapshot, error);
    if (status != CAIRN_OK)
        return status;
    s->report = moment->report;
    s->ms = moment->ms;
    cairn_snapshot_destroy(moment->snapshot);
    s->moment_count--;
    status = take(s, s->report.step > 0 ? &s->report : NULL, error);
    return status == CAIRN_OK ? view_scene_apply(s, &settings, error) : status;
}

cairn_status view_scene_shoot(view_session* s, cairn_vec3 origin, cairn_vec3 direction,
                              double speed, double radius, cairn_error* error)
{
    cairn_shape ball = cairn_shape_sphere(radius);
    cairn_body_def def = cairn_default_body_def();
    cairn_body_id id;
    double length = cairn_norm(direction);

    if (!(length > 0.0))
        return cairn_fail(error, CAIRN_BAD_INPUT, "the direction is zero");
    if (s->balls >= most_balls)
        return cairn_fail(error, CAIRN_BAD_INPUT, "at most %d balls can be shot; restart the scene",
                          (int)most_balls);

    def.shape = &ball;
    def.density = ball_density;
    def.pose.p = origin;
    def.velocity = cairn_scale(speed / length, direction);
    cairn_status status = cairn_world_add_body(cairn_scene_world(s->scene), &def, &id, error);
    if (status != CAIRN_OK)
        return status;

    // the stage must know the new body before it can be drawn
    s->balls++;
    status = take(s, s->report.step > 0 ? &s->report : NULL, error);
    if (status == CAIRN_OK && s->settings.has_mu)
        status = apply_friction(s, &s->settings, error);
    return status;
}

// ---------------------------------------------------------------- the problem of the last step

// the worker's part: the last step once more, and back
static cairn_status find_problem(void* context, cairn_error* error)
{
    view_session* s = context;
    cairn_world* world = cairn_scene_world(s->scene);
    cairn_snapshot* here = NULL;
    cairn_status status = cairn_world_snapshot(world, &here, error);
    if (status != CAIRN_OK)
        return status;

    const view_moment* moment = last_moment(s);
    status = cairn_scene_restore(s->scene, moment->snapshot, error);
    if (status == CAIRN_OK) {
        apply_pulls(s, moment);
        status = dump_step(&s->dumped, s->scene, s->dt, error);
        cairn_world_set_solve_hook(world, s->recorder ? cairn_recorder_solve : NULL, s->recorder);

        cairn_error other;
        cairn_status back = cairn_scene_restore(s->scene, here, &other);
        if (back != CAIRN_OK)
            status = cairn_fail(error, back, "%s", other.text);
    }

    cairn_snapshot_destroy(here);
    return status;
}

cairn_status view_scene_problem(view_session* s, view_task task, int client, const json_t* message,
                                cairn_error* error)
{
    if (s->task != VIEW_NOTHING)
        return cairn_fail(error, CAIRN_BAD_INPUT, "a race is still running");
    if (s->moment_count == 0)
        return cairn_fail(error, CAIRN_BAD_INPUT,
                          "there is no contact problem before the first step");
    json_decref(s->asked_id);
    s->asked_id = json_incref(json_object_get(message, "id"));
    s->asked_by = client;
    s->task = task;
    view_worker_begin(s->worker, find_problem, s);
    return CAIRN_OK;
}

// the worker's part of a race
static cairn_status run_race(void* context, cairn_error* error)
{
    view_session* s = context;
    cairn_solve_def solve = cairn_default_solve_def();
    solve.tolerance = s->race_tolerance;
    solve.time_limit = race_time;
    solve.cancel = &s->no_race;
    cairn_race_def def = {.solve = &solve, .runs = 3, .patience = 0.1, .traces = true};
    return cairn_race(&s->race, &s->dumped.problem, &def, NULL, error);
}

static void show_race(view_session* s)
{
    verb_set_string(s->race, "type", "race");
    verb_set_integer(s->race, "step", s->race_step);
    view_reply(s, s->asked_by, s->asked_id, s->race);
    s->race = NULL;
}

// ---------------------------------------------------------------- what the worker has done

// tells the client that made a request why it failed
static void refuse(view_session* s, const char* command, const cairn_error* error)
{
    view_reply(
        s, s->asked_by, s->asked_id,
        json_pack("{s:s,s:s,s:s}", "type", "error", "command", command, "text", error->text));
}

cairn_status view_scene_finish(view_session* s, cairn_error* error)
{
    view_task task = s->task;
    cairn_status status = view_worker_end(s->worker, error);

    // a cancellation that came too late is not for the next step
    cairn_world_resume(cairn_scene_world(s->scene));
    s->task = VIEW_NOTHING;
    s->due = fmax(s->due, view_clock() - s->dt / s->speed);

    // a step is published in its own way
    if (task == VIEW_STEP)
        return finish_step(s, status, error);

    // a problem was dumped to save or to race: what comes of it
    if (task == VIEW_SAVE && status == CAIRN_OK)
        status = view_scene_save(s, error);
    if (task == VIEW_RACE && status == CAIRN_OK)
        show_race(s);
    if (status == CAIRN_INTERRUPTED)
        cairn_fail(error, status, "interrupted by a newer command");
    if (status != CAIRN_OK)
        refuse(s, task == VIEW_SAVE ? "save-problem" : "race", error);

    // the race itself is a second task, on the problem that the first one dumped
    if (task == VIEW_RACE_PROBLEM && status == CAIRN_OK) {
        s->task = VIEW_RACE;
        s->race_tolerance = s->settings.tolerance;
        s->race_step = s->report.step;
        cairn_cancel_clear(&s->no_race);
        view_worker_begin(s->worker, run_race, s);
        return CAIRN_OK;
    }

    dump_free(&s->dumped);
    return CAIRN_OK;
}

void view_scene_interrupt(view_session* s)
{
    cairn_error error;
    if (s->task == VIEW_NOTHING || s->task == VIEW_RACE)
        return;
    cairn_world_cancel(cairn_scene_world(s->scene));
    view_scene_finish(s, &error);
    s->single = s->announced = false; // the order that it makes way for tells the state
}

// Ends a race, too, and answers nobody. A step that was cut short is not undone: nobody uses the
// world any more.
static void stop_worker(view_session* s)
{
    cairn_error error;
    if (s->task == VIEW_NOTHING)
        return;

    cairn_cancel_raise(&s->no_race);
    if (s->task != VIEW_RACE)
        cairn_world_cancel(cairn_scene_world(s->scene));

    cairn_status status = view_worker_end(s->worker, &error);
    if (s->task == VIEW_STEP && status == CAIRN_OK)
        finish_step(s, status, &error);
    else if (s->task == VIEW_STEP)
        cairn_recorder_forget(s->recorder);

    dump_free(&s->dumped);
    s->task = VIEW_NOTHING;
}

// ---------------------------------------------------------------- closing

void view_scene_stop(view_session* s)
{
    stop_worker(s);
    if (s->recorder)
        view_scene_cut_record(s);
}

void view_scene_close(view_session* s)
{
    view_scene_stop(s);
    forget_moments(s);
    cairn_scene_destroy(s->scene);
    s->scene = NULL;
}
