// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// What `cairn run` says of a run: as JSON, or as a table.

#include "motion.h"
#include "run.h"
#include "state_json.h"
#include <cairn/instrument.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char* const ending_names[] = {"done", "time-limit", "interrupted"};
static int by_size(const void* a, const void* b)
{
    double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

// the 99th percentile by nearest rank; sorts
static double percentile(run_record* r)
{
    qsort(r->ms, (size_t)r->done, sizeof *r->ms, by_size);
    int rank = (int)ceil(0.99 * r->done);
    return r->ms[rank > 0 ? rank - 1 : 0];
}

static double sum(const double* x, int n)
{
    double total = 0.0;
    for (int i = 0; i < n; i++)
        total += x[i];
    return total;
}

static const char* const stage_names[] = {"broad", "narrow", "assemble", "solve", "integrate"};

static void add_file(json_t* list, const char* path, double seconds)
{
    struct stat about;
    if (!path || strcmp(path, "-") == 0 || stat(path, &about) != 0)
        return;
    json_t* item = json_object();
    verb_set_string(item, "file", path);
    verb_set_integer(item, "bytes", (long long)about.st_size);
    verb_set_real(item, "seconds", seconds);
    json_array_append_new(list, item);
}

// what a body is called in what is shown; `text` is used for one without a name
enum { room_of_number = 24 };
static const char* name_of(char text[room_of_number], const cairn_scene* scene, cairn_body_id id)
{
    const char* name = cairn_scene_body_name(scene, id);
    snprintf(text, room_of_number, "body %d", (int)id.index);
    return *name ? name : text;
}

static json_t* squeezed_to_json(const run_record* r, const cairn_scene* scene)
{
    json_t* names = json_array();
    for (int k = 0; k < r->squeezed_count; k++) {
        char number[room_of_number];
        json_array_append_new(names, json_string(name_of(number, scene, r->squeezed_bodies[k])));
    }
    return names;
}

static json_t* to_json(const void* from)
{
    const run_result* shown = from;
    run_record* r = shown->r;
    const run_options* o = shown->o;
    const cairn_scene* scene = shown->scene;
    json_t *out = json_object(), *stages = json_object(), *methods = json_object();
    char hash[32];

    double mean = sum(r->ms, r->done) / r->done;
    snprintf(hash, sizeof hash, "%016" PRIx64, shown->hash);

    // what was run
    verb_set_string(out, "scene", o->common.arguments[0]);
    verb_set_string(out, "method", cairn_scene_describe(scene).method);
    verb_set_integer(out, "steps", r->done);
    verb_set_real(out, "dt", o->dt);

    // what was solved, how fast and how well
    verb_set_integer(out, "bodies", r->bodies);
    verb_set_real(out, "contacts_mean", r->contacts / r->done);
    verb_set_integer(out, "contacts_max", r->contacts_max);
    verb_set_real(out, "ms_step_mean", mean);
    verb_set_real(out, "ms_step_p99", percentile(r));
    verb_set_real(out, "residual_mean", r->residual / r->done);
    verb_set_real(out, "residual_max", r->residual_max);
    verb_set_real(out, "penetration_max", r->penetration_max);
    verb_set_real(out, "joint_error_max", r->joint_error_max);
    motion_to_json(out, &r->motion);

    // the state before and after
    verb_set_real(out, "energy_start", r->energy_start);
    verb_set_real(out, "energy_end", r->energy_end);
    verb_set_string(out, "state_hash", hash);

    // mean time of each stage, and how many islands each method solved
    for (int k = 0; k < 5; k++)
        verb_set_real(stages, stage_names[k], r->stages[k] / r->done);
    json_object_set_new(out, "stages", stages);
    for (int k = 0; k < r->method_count; k++)
        verb_set_integer(methods, r->methods[k].name, r->methods[k].count);
    json_object_set_new(out, "methods", methods);

    verb_set_integer(out, "awake", r->awake);
    verb_set_integer(out, "multiplicity", r->multiplicity);
    verb_set_integer(out, "missed", r->missed);

    // what only some runs have
    if (r->squeezed_count > 0)
        json_object_set_new(out, "squeezed", squeezed_to_json(r, scene));
    if (shown->ranks)
        json_object_update(out, shown->ranks);
    if (o->watched_count > 0) {
        json_t* watch = json_object();
        for (int k = 0; k < o->watched_count; k++)
            json_object_set_new(watch, o->watched[k], state_of_body(scene, o->watched[k]));
        json_object_set_new(out, "watch", watch);
    }
    if (cairn_scene_instruments(scene) > 0)
        json_object_set_new(out, "sensors", state_of_sensors(scene));
    if (o->joints)
        json_object_set_new(out, "joints", state_of_joints(cairn_scene_world(scene), o->dt));

    // how it ended, and the files it wrote: a page is not written after a signal
    verb_set_string(out, "ended", ending_names[r->ended]);
    verb_set_real(out, "seconds", verb_clock() - r->started);
    json_t* files = json_array();
    add_file(files, o->csv, 0.0);
    add_file(files, o->record, shown->all->w.record_seconds);
    if (r->ended != ENDED_SIGNAL)
        add_file(files, o->html, shown->all->w.html_seconds);
    if (r->ended != ENDED_SIGNAL)
        add_file(files, o->gltf, shown->all->w.gltf_seconds);
    if (r->done >= o->dump_step)
        add_file(files, o->dump, 0.0);

    json_object_set_new(out, "files", files);
    return out;
}

static void print_files(const run_result* shown)
{
    const run_options* o = shown->o;
    bool hurry = shown->r->ended == ENDED_SIGNAL;

    if (o->csv)
        verb_print_file(o->csv, 0.0);
    if (o->record)
        verb_print_file(o->record, shown->all->w.record_seconds);

    if (o->html && !hurry)
        verb_print_file(o->html, shown->all->w.html_seconds);
    if (o->html && hurry)
        verb_print("%s was not written: the run was interrupted", o->html);
    if (o->gltf && !hurry)
        verb_print_file(o->gltf, shown->all->w.gltf_seconds);
    if (o->gltf && hurry)
        verb_print("%s was not written: the run was interrupted", o->gltf);

    if (o->dump && shown->r->done >= o->dump_step)
        verb_print_file(o->dump, 0.0);
    verb_print("total time %.3g s, output included", verb_clock() - shown->r->started);
}

// bodies that no velocity could free
static void print_squeezed(const run_record* r, const cairn_scene* scene)
{
    char text[400] = "", number[room_of_number];
    size_t length = 0;
    for (int k = 0; k < r->squeezed_count && length < sizeof text; k++)
        length += (size_t)snprintf(text + length, sizeof text - length, "%s%s", k ? ", " : "",
                                   name_of(number, scene, r->squeezed_bodies[k]));
    if (r->squeezed_count > 0)
        verb_print("in %d of them no velocity satisfies the contacts of %s: pressed between bodies "
                   "that do not give way",
                   r->squeezed, text);
}

static void print_ending(const run_record* r, const cairn_scene* scene)
{
    if (r->ended == ENDED_TIME_LIMIT)
        verb_print("the time limit ended the run after %d of %d steps", r->done, r->steps);
    if (r->ended == ENDED_SIGNAL)
        verb_print("interrupted after %d of %d steps", r->done, r->steps);
    if (r->missed > r->limited)
        verb_print("%d of %d steps missed the tolerance", r->missed - r->limited, r->done);
    print_squeezed(r, scene);
    if (r->limited)
        verb_print("%d of %d steps missed the accuracy of the motion (step-limit)", r->limited,
                   r->done);
    if (r->frozen)
        verb_print("%d bodies flew out of range and were frozen", r->frozen);
    if (r->missed && r->ended == ENDED_DONE)
        verb_print("the run is complete, but its exit status is 1 because of %s",
                   r->missed == 1 ? "this step" : "these steps");
}

// a mistyped name of --watch has columns without numbers
static void print_unknown_names(const run_result* shown)
{
    cairn_body_id body;
    cairn_joint_id joint;
    cairn_sensor_id sensor;
    for (int k = 0; k < shown->o->watched_count; k++) {
        const char* name = shown->o->watched[k];
        if (!cairn_scene_find(shown->scene, name, &body) &&
            !cairn_scene_find_joint(shown->scene, name, &joint) &&
            !cairn_scene_find_sensor(shown->scene, name, &sensor) &&
            cairn_scene_find_instrument(shown->scene, name) < 0)
            verb_print("--watch %s: no body, joint or sensor has this name at the end of the run",
                       name);
    }
}

// the rank that has waited longest tells of all
static void ranks_to_table(verb_table* table, const json_t* said)
{
    const json_t *all = json_object_get(said, "ranks"), *each = json_object_get(all, "each"),
                 *worst = json_array_get(each, 0);

    for (size_t r = 1; r < json_array_size(each); r++) {
        const json_t* own = json_array_get(each, r);
        if (json_number_value(json_object_get(own, "ms_waiting_per_step")) >
            json_number_value(json_object_get(worst, "ms_waiting_per_step")))
            worst = own;
    }

    verb_cell(table, "ranks");
    verb_cell(table,
              "%d; at most %.3g ms waiting per step, in %.0f messages of %.3g MB, with %.0f bodies "
              "and %.0f copies",
              (int)json_integer_value(json_object_get(all, "count")),
              json_number_value(json_object_get(worst, "ms_waiting_per_step")),
              json_number_value(json_object_get(worst, "messages_per_step")),
              1e-6 * json_number_value(json_object_get(worst, "bytes_per_step")),
              json_number_value(json_object_get(worst, "bodies")),
              json_number_value(json_object_get(worst, "copies")));
}

static void print_summary(const run_result* shown)
{
    run_record* r = shown->r;
    const cairn_scene* scene = shown->scene;
    const run_options* o = shown->o;
    cairn_scene_info info = cairn_scene_describe(scene);
    double total = sum(r->ms, r->done), mean = total / r->done;
    verb_table table = {.columns = 2};

    verb_print("%s: %s", o->common.arguments[0], info.title);

    // what was simulated
    verb_cell(&table, "simulated");
    verb_cell(&table, "%.6g s in %.3g s: %d steps of %.6g s, %d substeps", r->done * o->dt,
              1e-3 * total, r->done, o->dt, info.substeps);
    verb_cell(&table, "bodies");
    verb_cell(&table, "%d, %d of them awake at the end", r->bodies, r->awake);
    verb_cell(&table, "contacts");
    verb_cell(&table, "%.1f on average, %d at most; forces at the end: %s", r->contacts / r->done,
              r->contacts_max,
              r->multiplicity == 0  ? "unique"
              : r->multiplicity > 0 ? "not unique, least norm"
                                    : "not unique");

    // the method asked for, and those that solved the islands
    verb_cell(&table, "method");
    verb_cell(&table, "%s, tolerance %g", info.method, info.tolerance);
    if (r->method_count > 0) {
        verb_cell(&table, "islands by");
        char text[400] = "";
        size_t length = 0;
        for (int k = 0; k < r->method_count && length < sizeof text; k++)
            length += (size_t)snprintf(text + length, sizeof text - length, "%s%s %" PRId64,
                                       k ? ", " : "", r->methods[k].name, r->methods[k].count);
        verb_cell(&table, "%s", text);
    }

    // Lemke's method needs a linear friction law
    for (int k = 0; k < r->method_count; k++)
        if (strncmp(r->methods[k].name, "lemke", 5) == 0) {
            verb_cell(&table, "friction");
            verb_cell(&table, "cones replaced by pyramids of %s facets",
                      o->facets[0] ? o->facets + strlen("facets=") : "the scene's (usually 8)");
            break;
        }

    // time, and where it went
    verb_cell(&table, "per step");
    verb_cell(&table, "%.3f ms on average, %.3f ms at the 99th percentile", mean, percentile(r));
    verb_cell(&table, "stages");
    verb_cell(&table, "broad %.3f, narrow %.3f, assemble %.3f, solve %.3f, integrate %.3f ms",
              r->stages[0] / r->done, r->stages[1] / r->done, r->stages[2] / r->done,
              r->stages[3] / r->done, r->stages[4] / r->done);

    // accuracy
    verb_cell(&table, "residual");
    verb_cell(&table, "%.2e on average, %.2e at most", r->residual / r->done, r->residual_max);
    verb_cell(&table, "penetration");
    verb_cell(&table, "%.3g mm at most, joint error %.3g mm", 1e3 * r->penetration_max,
              1e3 * r->joint_error_max);
    verb_cell(&table, "energy");
    verb_cell(&table, "%.6g J at the start, %.6g J at the end", r->energy_start, r->energy_end);
    motion_to_table(&table, &r->motion);
    if (shown->ranks)
        ranks_to_table(&table, shown->ranks);

    verb_cell(&table, "state hash");
    verb_cell(&table, "%016" PRIx64, shown->hash);
    verb_print_table(&table);
}

static void to_text(const void* from)
{
    const run_result* shown = from;
    if (shown->r->done > 0)
        print_summary(shown);
    print_ending(shown->r, shown->scene);
    print_unknown_names(shown);
    print_files(shown);
}

static void add_methods(void* context, const char* name, int64_t count)
{
    run_count_method(context, name, count);
}

// all ranks find what is shown, and the first shows it
void run_show(run_result* shown)
{
    run_ranks* ranks = &shown->all->ranks;
    shown->hash =
        ranks->world ? run_ranks_hash(ranks) : cairn_world_hash(cairn_scene_world(shown->scene));

    // names are local to a rank: they are sent as text
    if (ranks->world && shown->r->done > 0) {
        const char* names[run_most_methods];
        int64_t counts[run_most_methods];
        for (int k = 0; k < shown->r->method_count; k++) {
            names[k] = shown->r->methods[k].name;
            counts[k] = shown->r->methods[k].count;
        }
        shown->ranks = json_object();
        run_ranks_to_json(shown->ranks, ranks, shown->r->done);
        run_ranks_count(ranks, names, counts, shown->r->method_count, add_methods, shown->r);
    }

    verb_show(&shown->o->common, to_json, to_text, shown);
    json_decref(shown->ranks);
}
