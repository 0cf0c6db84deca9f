// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// A scene from its file: the top level, and what callers do with a scene.

#include "io/file.h"
#include "io/recording/stage.h"
#include "io/scene/scene.h"
#include <cairn/robot.h>
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------- how to run

static const char* known_method(const char* name)
{
    for (int i = 0; i < cairn_method_count(); i++)
        if (strcmp(cairn_method_at(i).name, name) == 0)
            return cairn_method_at(i).name;
    return NULL;
}

static void read_method(cairn_world_def* def, const cairn_node* node)
{
    cairn_node child;
    if (!cairn_node_child(&child, node, "method"))
        return;
    const char* name = cairn_node_string(node, "method", "auto");
    const char* known = known_method(name);
    if (cairn_node_ok(node) && !known)
        cairn_node_fail(&child, "is '%.60s', expected the name of a method (`cairn methods`)",
                        name);
    def->method = known ? known : "auto";
}

// options of the method: strings, numbers and flags under their names
static void read_options(cairn_scene* scene, const cairn_node* run)
{
    cairn_node list, child;
    const char* name;
    json_t* value;
    if (!cairn_node_child(&list, run, "options"))
        return;
    if (!json_is_object(list.value)) {
        cairn_node_fail(&list, "is not an object, expected { \"prox.strategy\": ..., ... }");
        return;
    }

    json_object_foreach(list.value, name, value)
    {
        // every value as text: the solver parses it, and knows which names there are
        char text[80] = "";
        cairn_error error = {""};
        if (json_is_string(value))
            snprintf(text, sizeof text, "%s", json_string_value(value));
        else if (json_is_boolean(value))
            snprintf(text, sizeof text, "%s", json_is_true(value) ? "true" : "false");
        else if (json_is_integer(value))
            snprintf(text, sizeof text, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
        else if (json_is_real(value))
            snprintf(text, sizeof text, "%.17g", json_real_value(value));

        if (cairn_solve_def_set(&scene->tuning, name, text, &error) != CAIRN_OK) {
            cairn_node_child(&child, &list, name);
            cairn_node_fail(&child, "is refused: %s", error.text);
            return;
        }
    }
}

static const char* const presets[] = {"balanced", "realtime", "exact"};

// what a preset sets, and no more
static void take_preset(cairn_world_def* def, int preset)
{
    cairn_world_def own = cairn_preset_world_def((cairn_preset)preset);
    def->preset = own.preset;
    def->substeps = own.substeps;
    def->tolerance = own.tolerance;
    def->budget = own.budget;
}

static void read_run(cairn_scene* scene, const cairn_node* root)
{
    static const char* const keys[] = {"time",          "dt",
                                       "substeps",      "method",
                                       "tolerance",     "integrator",
                                       "stabilization", "margin",
                                       "slop",          "restitution_speed",
                                       "rest_pass",     "sweeps",
                                       "sleep",         "sleep_speed",
                                       "sleep_time",    "accuracy",
                                       "most_substeps", "preset",
                                       "options",       "budget",
                                       "work",          NULL};
    // "midpoint" stands for what replaced it
    static const char* const integrators[] = {"leapfrog", "euler", "moreau", "midpoint"};
    static const char* const ways[] = {"positions", "velocities", "none"};
    cairn_world_def* def = &scene->def;
    cairn_node node;

    if (!cairn_node_child(&node, root, "run") || !cairn_node_allow(&node, keys, NULL))
        return;

    // a preset comes first, so that the keys beside it win
    take_preset(def, cairn_node_choice(&node, "preset", presets, 3, (int)def->preset));
    scene->time = cairn_node_real(&node, "time", scene->time, CAIRN_ABOVE_0);
    scene->dt = cairn_node_real(&node, "dt", scene->dt, CAIRN_ABOVE_0);
    def->substeps = cairn_node_integer(&node, "substeps", def->substeps, 1, 10000);

    read_method(def, &node);
    read_options(scene, &node);
    def->tolerance = cairn_node_real(&node, "tolerance", def->tolerance, CAIRN_ABOVE_0);

    int rule = cairn_node_choice(&node, "integrator", integrators, 4, (int)def->integrator);
    def->integrator = rule == 3 ? CAIRN_INTEGRATOR_LEAPFROG : (cairn_integrator)rule;

    def->budget = cairn_node_real(&node, "budget", def->budget, CAIRN_AT_LEAST_0);
    def->work = cairn_node_real(&node, "work", def->work, CAIRN_AT_LEAST_0);
    def->accuracy = cairn_node_real(&node, "accuracy", def->accuracy, CAIRN_ABOVE_0);
    def->most_substeps = cairn_node_integer(&node, "most_substeps", def->most_substeps, 1, 10000);

    def->stabilization = (cairn_stabilization)cairn_node_choice(&node, "stabilization", ways, 3,
                                                                (int)def->stabilization);
    def->contact_margin = cairn_node_real(&node, "margin", def->contact_margin, CAIRN_AT_LEAST_0);
    def->slop = cairn_node_real(&node, "slop", def->slop, CAIRN_AT_LEAST_0);
    def->restitution_speed =
        cairn_node_real(&node, "restitution_speed", def->restitution_speed, CAIRN_AT_LEAST_0);

    def->rest_pass = cairn_node_flag(&node, "rest_pass", def->rest_pass);
    def->sweeps = cairn_node_integer(&node, "sweeps", def->sweeps, 0, 1000000);
    def->sleep = cairn_node_flag(&node, "sleep", def->sleep);
    def->sleep_speed = cairn_node_real(&node, "sleep_speed", def->sleep_speed, CAIRN_AT_LEAST_0);
    def->sleep_time = cairn_node_real(&node, "sleep_time", def->sleep_time, CAIRN_AT_LEAST_0);
}

// options of the caller, "NAME=VALUE"
static cairn_status set_options(cairn_scene* scene, const cairn_scene_def* def, cairn_error* error)
{
    for (int i = 0; i < def->option_count; i++) {
        char name[64];
        const char* value = strchr(def->options[i], '=');
        size_t length = value ? (size_t)(value - def->options[i]) : 0;
        if (!value || length >= sizeof name)
            return cairn_fail(error, CAIRN_BAD_INPUT,
                              "the option '%.60s' is not of the form NAME=VALUE", def->options[i]);
        memcpy(name, def->options[i], length);
        name[length] = 0;
        cairn_status status = cairn_solve_def_set(&scene->tuning, name, value + 1, error);
        if (status != CAIRN_OK)
            return status;
    }
    return CAIRN_OK;
}

static void overrule(cairn_world_def* to, const cairn_scene_def* def)
{
    for (int i = 0; i < 3; i++)
        if (def->preset && strcmp(def->preset, presets[i]) == 0)
            take_preset(to, i);

    // the caller's choices win over those of the file
    if (def->method)
        to->method = def->method;
    if (def->substeps > 0)
        to->substeps = def->substeps;
    if (def->tolerance > 0.0)
        to->tolerance = def->tolerance;
    if (def->time_limit > 0.0)
        to->time_limit = def->time_limit;
    if (def->budget > 0.0)
        to->budget = def->budget;
    if (def->work > 0.0)
        to->work = def->work;
    if (def->gravity)
        to->gravity = *def->gravity;
    if (def->threads > 0)
        to->threads = def->threads;
    if (def->no_sleep)
        to->sleep = false;
}

// ---------------------------------------------------------------- the top level

static void read_shapes(cairn_reader* reader, const cairn_node* root)
{
    cairn_node list;
    const char* name;
    json_t* value;
    if (!cairn_node_child(&list, root, "shapes"))
        return;
    if (!json_is_object(list.value)) {
        cairn_node_fail(&list, "is not an object, expected { \"name\": { ... }, ... }");
        return;
    }

    size_t count = json_object_size(list.value);
    reader->shape_names = calloc(count + 1, sizeof *reader->shape_names);
    reader->shapes = calloc(count + 1, sizeof *reader->shapes);
    if (!reader->shape_names || !reader->shapes) {
        cairn_node_starve(&list);
        return;
    }

    // a shape may name those before it
    json_object_foreach(list.value, name, value)
    {
        cairn_node item = {reader, value, &list, name, 0};
        cairn_shape shape = cairn_read_shape(&item);
        if (!cairn_node_ok(&item))
            return;
        reader->shape_names[reader->shape_count] = name;
        reader->shapes[reader->shape_count++] = shape;
    }
}

static void read_defaults(cairn_reader* reader, const cairn_node* root)
{
    static const char* const keys[] = {
        "density",       "material", "linear_damping", "angular_damping",
        "gravity_scale", "category", "mask",           NULL};
    cairn_node node;
    cairn_template body;
    reader->defaults = cairn_default_body_def();
    if (!cairn_node_child(&node, root, "defaults") || !cairn_node_allow(&node, keys, NULL))
        return;
    cairn_body_def plain = reader->defaults;
    cairn_read_body(&body, &node, &plain);
    reader->defaults = body.def;
}

static void read_root(const cairn_node* root, const cairn_scene_def* def)
{
    static const char* const keys[] = {
        "cairn",  "$schema",   "title",  "group",  "comment", "gravity", "run",     "defaults",
        "shapes", "materials", "bodies", "joints", "exclude", "drives",  "sensors", NULL};
    cairn_reader* reader = root->reader;
    cairn_scene* scene = reader->scene;
    cairn_error error;
    cairn_node child, materials;
    if (!cairn_node_allow(root, keys, NULL) || !cairn_node_need(&child, root, "cairn"))
        return;

    // the version of the format
    cairn_node_integer(root, "cairn", 1, 1, 1);
    scene->title = strdup(cairn_node_string(root, "title", ""));
    scene->group = strdup(cairn_node_string(root, "group", ""));
    scene->def.gravity = cairn_node_vector(root, "gravity", scene->def.gravity);
    read_run(scene, root);

    // what bodies refer to
    if (cairn_node_child(&materials, root, "materials"))
        cairn_read_materials(&materials);
    read_shapes(reader, root);
    read_defaults(reader, root);

    if (!cairn_node_need(&child, root, "bodies"))
        return;

    // the world begins with the settings of the file, overruled by the caller
    overrule(&scene->def, def);
    scene->def.tuning = &scene->tuning;
    cairn_status status = set_options(scene, def, &error);
    if (status == CAIRN_OK)
        status = cairn_world_create(&scene->def, &scene->world, &error);
    if (status != CAIRN_OK)
        cairn_node_blame(root, status, &error);
    else
        cairn_read_group(root, cairn_transform_identity());

    // what refers to bodies and joints by name comes after them
    if (cairn_node_child(&child, root, "exclude"))
        cairn_read_exclusions(&child);
    if (cairn_node_child(&child, root, "drives"))
        cairn_read_drives(&child);
    if (cairn_node_child(&child, root, "sensors"))
        cairn_read_sensors(&child);

    if (cairn_node_ok(root) && (!scene->title || !scene->group))
        cairn_node_starve(root);
}

// Jansson that gets no memory complains about the text wherever it happens to be, or says nothing.
// A text that is wrong is wrong in the same way when it is read again.
static cairn_status parse(json_t** value, const char* text, size_t size, const char* name,
                          cairn_error* error)
{
    json_error_t syntax, again;
    *value = json_loadb(text, size, JSON_REJECT_DUPLICATES, &syntax);
    if (*value)
        return CAIRN_OK;
    json_t* second = json_loadb(text, size, JSON_REJECT_DUPLICATES, &again);
    bool wrong = !second && syntax.text[0] && syntax.position == again.position &&
                 strcmp(syntax.text, again.text) == 0 &&
                 json_error_code(&syntax) != json_error_out_of_memory;
    json_decref(second);
    if (!wrong)
        return cairn_fail(error, CAIRN_NO_MEMORY, "%s: no memory to read it", name);
    return cairn_fail(error, CAIRN_BAD_INPUT, "%s:%d:%d: %s, expected a scene in JSON", name,
                      syntax.line, syntax.column, syntax.text);
}

// ---------------------------------------------------------------- robots

// XML begins with "<", after a mark of the byte order and blanks
static bool is_xml(const char* text, size_t size)
{
    size_t i = size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    while (i < size && (text[i] == ' ' || text[i] == '\t' || text[i] == '\n' || text[i] == '\r'))
        i++;
    return i < size && text[i] == '<';
}

static bool is_json(const char* text, size_t size)
{
    return size > 0 && text[0] == '{';
}

// a file named like a robot is read as one, so that the error says what is wrong with it
static bool is_robot_name(const char* name)
{
    static const char* const endings[] = {".urdf", ".xml", ".mjcf"};
    const char* dot = strrchr(name, '.');
    for (size_t i = 0; dot && i < sizeof endings / sizeof endings[0]; i++)
        if (strcmp(dot, endings[i]) == 0)
            return true;
    return false;
}

static cairn_status read_robot(const char* text, size_t size, const char* name,
                               const cairn_scene_def* def, cairn_scene** scene, cairn_error* error)
{
    cairn_robot* robot = NULL;
    cairn_scene* out = NULL;
    cairn_status status =
        cairn_robot_read_text(text, size, name, def ? def->robot : NULL, &robot, error);
    if (status == CAIRN_OK)
        status = cairn_robot_make_scene(robot, def, &out, error);

    if (status == CAIRN_OK) {
        out->ignored = strdup(cairn_robot_describe(robot).ignored);
        if (!out->ignored)
            status = cairn_fail(error, CAIRN_NO_MEMORY, "%s: no memory to read it", name);
    }

    cairn_robot_destroy(robot);
    if (status == CAIRN_OK)
        *scene = out;
    else
        cairn_scene_destroy(out);
    return status;
}

cairn_status cairn_scene_read_text(const char* text, size_t size, const char* name,
                                   const cairn_scene_def* def, cairn_scene** scene,
                                   cairn_error* error)
{
    if (!scene || !text || !name)
        return cairn_refuse_null(error, "the place for the scene, its text or its name");
    static const cairn_scene_def plain = {0};
    json_t* value = NULL;
    if (is_xml(text, size) || (is_robot_name(name) && !is_json(text, size)))
        return read_robot(text, size, name, def, scene, error);

    cairn_status parsed = parse(&value, text, size, name, error);
    if (parsed != CAIRN_OK)
        return parsed;

    if (!def)
        def = &plain;
    cairn_scene* out = calloc(1, sizeof *out);
    if (!out) {
        json_decref(value);
        return cairn_fail(error, CAIRN_NO_MEMORY, "%s: no memory for a scene", name);
    }

    // defaults of a scene that says nothing
    out->def = cairn_default_world_def();
    out->tuning = cairn_default_solve_def();
    out->dt = 1.0 / 60.0;
    out->time = 5.0;

    cairn_reader reader = {.scene = out,
                           .file = name,
                           .text = text,
                           .size = size,
                           .limit = def->limit > 0 ? def->limit : 1000000,
                           .part = def->part,
                           .parts = def->parts,
                           .error = error};
    cairn_node root = {&reader, value, NULL, NULL, 0};

    read_root(&root, def);
    free(reader.shape_names);
    free(reader.shapes);
    json_decref(value);

    if (reader.status != CAIRN_OK)
        cairn_scene_destroy(out);
    else
        *scene = out;
    return reader.status;
}

cairn_status cairn_scene_read(const char* path, const cairn_scene_def* def, cairn_scene** scene,
                              cairn_error* error)
{
    if (!scene || !path)
        return cairn_refuse_null(error, "the place for the scene or the path");
    cairn_bytes bytes;
    cairn_status status = cairn_file_read(&bytes, path, &cairn_file_text, error);
    if (status != CAIRN_OK)
        return status;
    status = cairn_scene_read_text(bytes.data, bytes.size, path, def, scene, error);
    free(bytes.data);
    return status;
}

// ---------------------------------------------------------------- using a scene

void cairn_scene_destroy(cairn_scene* scene)
{
    if (!scene)
        return;

    // the world borrows shapes, so it goes first; shapes go in reverse, as compounds borrow parts
    cairn_world_destroy(scene->world);
    cairn_scene_free_drives(scene);
    for (int i = scene->data_count - 1; i >= 0; i--)
        scene->data[i].destroy(scene->data[i].data);

    for (int i = 0; i < scene->name_count; i++)
        free(scene->names[i].name);
    for (int i = 0; i < scene->joint_count; i++)
        free(scene->joints[i].name);

    free(scene->data);
    free(scene->names);
    free(scene->joints);
    free(scene->late);
    free(scene->looks);
    free(scene->group);
    free(scene->title);
    free(scene->ignored);
    free(scene);
}

cairn_world* cairn_scene_world(const cairn_scene* scene)
{
    if (!scene)
        return NULL;
    return scene->world;
}

cairn_scene_info cairn_scene_describe(const cairn_scene* scene)
{
    if (!scene)
        return (cairn_scene_info){0};
    return (cairn_scene_info){.title = scene->title,
                              .group = scene->group,
                              .method = scene->def.method,
                              .time = scene->time,
                              .dt = scene->dt,
                              .substeps = scene->def.substeps,
                              .tolerance = cairn_world_def_tolerance(&scene->def),
                              .gravity = scene->def.gravity,
                              .body_count = scene->body_count,
                              .driven = scene->late_count > 0 || scene->drive_count > 0,
                              .ignored = scene->ignored ? scene->ignored : ""};
}

bool cairn_scene_find(const cairn_scene* scene, const char* name, cairn_body_id* id)
{
    if (!scene || !name || !id)
        return false;
    for (int i = 0; i < scene->name_count; i++)
        if (strcmp(scene->names[i].name, name) == 0 && scene->names[i].id.generation != 0) {
            *id = scene->names[i].id;
            return true;
        }
    return false;
}

bool cairn_scene_find_joint(const cairn_scene* scene, const char* name, cairn_joint_id* id)
{
    if (!scene || !name || !id)
        return false;
    for (int i = 0; i < scene->joint_count; i++)
        if (strcmp(scene->joints[i].name, name) == 0) {
            *id = scene->joints[i].id;
            return true;
        }
    return false;
}

const char* cairn_scene_body_name(const cairn_scene* scene, cairn_body_id id)
{
    for (int i = 0; scene && i < scene->name_count; i++)
        if (id.generation != 0 && scene->names[i].id.index == id.index &&
            scene->names[i].id.generation == id.generation)
            return scene->names[i].name;
    return "";
}

const char* cairn_scene_joint_name(const cairn_scene* scene, cairn_joint_id id)
{
    for (int i = 0; scene && i < scene->joint_count; i++)
        if (scene->joints[i].id.index == id.index &&
            scene->joints[i].id.generation == id.generation)
            return scene->joints[i].name;
    return "";
}

// Bodies that enter later. Snapshots know nothing of a scene, so each of these bodies carries its
// place in the list as its `user`: whoever is in the world after a restore has entered, whatever
// has happened to this scene since, or to the other instance that the snapshot comes from. One that
// is not may have been removed; what this scene remembers of its entry decides that.

// the body of a slot if it is one of these, and its place in the list; else none
static cairn_body_id named_late(const cairn_world* world, int slot, int late_count, int* late)
{
    cairn_body_state state;
    cairn_body_id id = cairn_world_body_at(world, slot);
    if (id.generation == 0 || cairn_body_get(world, id, &state, NULL) != CAIRN_OK)
        return (cairn_body_id){0};
    uintptr_t tag = (uintptr_t)state.user;
    *late = (int)tag - 1;
    return tag >= 1 && tag <= (uintptr_t)late_count ? id : (cairn_body_id){0};
}

// the bodies whose time has come
static cairn_status let_in(cairn_scene* scene, cairn_error* error)
{
    double now = cairn_world_time(scene->world) + 1e-9 * scene->dt;
    for (int i = 0; i < scene->late_count; i++) {
        cairn_scene_late* late = &scene->late[i];
        cairn_body_id id;
        if (late->done || late->enter > now)
            continue;

        late->def.shape = &late->shape;
        late->def.user = (void*)(uintptr_t)(i + 1);
        cairn_status status = cairn_world_add_body(scene->world, &late->def, &id, error);
        if (status != CAIRN_OK)
            return status;

        late->done = true;
        late->entered = cairn_world_step_count(scene->world);
        if (late->name >= 0)
            scene->names[late->name].id = id;
        if (!cairn_scene_add_look(scene, (cairn_scene_look){id, late->glass, late->look}))
            return cairn_fail(error, CAIRN_NO_MEMORY, "no memory for a body that enters");
    }

    return CAIRN_OK;
}

// removes the bodies that entered for a step that was not made
static void send_back(cairn_scene* scene)
{
    cairn_world* world = scene->world;
    int64_t now = cairn_world_step_count(world);
    for (int slot = 0; slot < cairn_world_body_slots(world); slot++) {
        int i;
        cairn_body_id id = named_late(world, slot, scene->late_count, &i);
        if (id.generation == 0 || !scene->late[i].done || scene->late[i].entered != now)
            continue;
        cairn_world_remove_body(world, id, NULL);
        scene->late[i].done = false;
        scene->late[i].entered = -1;
        if (scene->late[i].name >= 0)
            scene->names[scene->late[i].name].id = (cairn_body_id){0};
    }
}

cairn_status cairn_scene_step(cairn_scene* scene, double dt, cairn_step_report* report,
                              cairn_error* error)
{
    if (!scene)
        return cairn_refuse_null(error, "the scene");

    cairn_status status = let_in(scene, error);
    if (status == CAIRN_OK)
        status = cairn_scene_drive_all(scene, dt, error);

    if (status == CAIRN_OK) {
        cairn_instruments_before(scene);
        status = cairn_world_step(scene->world, dt, report, error);
        if (status == CAIRN_OK)
            cairn_instruments_after(scene, dt);
        else
            cairn_scene_release(scene, dt);
    }

    if (status != CAIRN_OK)
        send_back(scene);
    return status;
}

cairn_status cairn_scene_restore(cairn_scene* scene, const cairn_snapshot* snapshot,
                                 cairn_error* error)
{
    if (!scene)
        return cairn_refuse_null(error, "the scene");

    // memory first: a world that was restored cannot be put back
    if (!cairn_grow((void**)&scene->looks, &scene->look_capacity,
                    scene->look_count + scene->late_count + 1, sizeof *scene->looks))
        return cairn_fail(error, CAIRN_NO_MEMORY, "no memory to restore a scene");
    cairn_status status = cairn_world_restore(scene->world, snapshot, error);
    if (status != CAIRN_OK)
        return status;

    // what is not there has not entered yet, or was removed since
    const cairn_world* world = scene->world;
    for (int i = 0; i < scene->late_count; i++) {
        cairn_scene_late* late = &scene->late[i];
        late->done = late->entered >= 0 && late->entered < cairn_world_step_count(world);
        if (late->name >= 0)
            scene->names[late->name].id = (cairn_body_id){0};
    }

    // what is there has entered
    for (int slot = 0; slot < cairn_world_body_slots(world); slot++) {
        int i;
        cairn_body_id id = named_late(world, slot, scene->late_count, &i);
        if (id.generation == 0)
            continue;
        scene->late[i].done = true;
        if (scene->late[i].name >= 0)
            scene->names[scene->late[i].name].id = id;
        cairn_scene_look look = {id, scene->late[i].glass, scene->late[i].look};
        cairn_scene_add_look(scene, look); // there is room
    }
    return CAIRN_OK;
}
