// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Bodies of a scene file: their keys, materials, names, and those that enter later.

#include "io/recording/stage.h"
#include "io/scene/scene.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------- materials

static cairn_material read_material(const cairn_node* node, cairn_material m)
{
    static const char* const keys[] = {
        "mu",          "mu_across",     "direction",        "mu_spin",
        "restitution", "friction_rule", "restitution_rule", "mu_static",
        "mu_roll",     "stiffness",     "damping",          "surface_velocity",
        NULL};
    static const char* const rules[] = {"geometric", "mean", "smaller", "larger", "product"};

    // a name stands for a material of the list
    if (cairn_node_ok(node) && json_is_string(node->value)) {
        const char* name = json_string_value(node->value);
        const cairn_node* list = node->reader->materials;
        cairn_node named;
        if (!list || !cairn_node_child(&named, list, name)) {
            cairn_node_fail(
                node, "is '%.60s', expected the name of one of \"materials\" or an object", name);
            return m;
        }
        return read_material(&named, m);
    }

    if (!cairn_node_allow(node, keys, NULL))
        return m;

    // whatever is not given keeps its value
    m.mu = cairn_node_real(node, "mu", m.mu, CAIRN_AT_LEAST_0);
    m.mu_across = cairn_node_real(node, "mu_across", m.mu_across, CAIRN_AT_LEAST_0);
    m.direction = cairn_node_vector(node, "direction", m.direction);
    m.surface_velocity = cairn_node_vector(node, "surface_velocity", m.surface_velocity);
    m.mu_static = cairn_node_real(node, "mu_static", m.mu_static, CAIRN_AT_LEAST_0);
    m.mu_roll = cairn_node_real(node, "mu_roll", m.mu_roll, CAIRN_AT_LEAST_0);
    m.stiffness = cairn_node_real(node, "stiffness", m.stiffness, CAIRN_AT_LEAST_0);
    m.damping = cairn_node_real(node, "damping", m.damping, CAIRN_AT_LEAST_0);
    m.mu_spin = cairn_node_real(node, "mu_spin", m.mu_spin, CAIRN_AT_LEAST_0);
    m.restitution = cairn_node_real(node, "restitution", m.restitution, CAIRN_AT_LEAST_0);

    if (cairn_node_ok(node) && m.restitution > 1.0)
        cairn_node_fail(node, "has a restitution of %g, expected 0 to 1", m.restitution);

    m.friction_rule =
        (cairn_combine)cairn_node_choice(node, "friction_rule", rules, 5, (int)m.friction_rule);
    m.restitution_rule = (cairn_combine)cairn_node_choice(node, "restitution_rule", rules, 5,
                                                          (int)m.restitution_rule);
    return m;
}

void cairn_read_materials(const cairn_node* list)
{
    const char* name;
    json_t* value;
    if (!json_is_object(list->value))
        cairn_node_fail(list, "is not an object, expected { \"name\": { ... }, ... }");
    json_object_foreach(list->value, name, value)
    {
        cairn_node item = {list->reader, value, list, name, 0};
        if (json_is_string(value))
            cairn_node_fail(&item, "is not an object, expected { ... }");
        read_material(&item, cairn_default_material());
    }
    list->reader->materials = list;
}

// ---------------------------------------------------------------- templates

const char* const cairn_body_keys[] = {"name",
                                       "type",
                                       "shape",
                                       "at",
                                       "turn",
                                       "quaternion",
                                       "velocity",
                                       "spin",
                                       "mass",
                                       "density",
                                       "inertia",
                                       "center",
                                       "material",
                                       "linear_damping",
                                       "angular_damping",
                                       "gravity_scale",
                                       "category",
                                       "mask",
                                       "enter",
                                       "glass",
                                       "sleep",
                                       "belt",
                                       "look",
                                       "offset",
                                       NULL};

static uint32_t read_bits(const cairn_node* node, const char* key, uint32_t absent)
{
    return (uint32_t)cairn_node_whole(node, key, absent, 0.0, 4294967295.0);
}

// three moments, or the tensor: xx, yy, zz, xy, xz, yz
static cairn_mat3 read_inertia(const cairn_node* node)
{
    double m[6] = {0.0};
    int count = cairn_node_count(node);
    if (cairn_node_ok(node) && count != 3 && count != 6)
        cairn_node_fail(
            node, "has %d numbers, expected three moments or six: xx, yy, zz, xy, xz, yz", count);
    for (int i = 0; i < count && cairn_node_ok(node); i++) {
        cairn_node item = cairn_node_item(node, i);
        m[i] = cairn_node_number(&item, CAIRN_ANY);
    }
    if (cairn_node_ok(node) && !(m[0] > 0.0 && m[1] > 0.0 && m[2] > 0.0))
        cairn_node_fail(node, "is [%g, %g, %g], expected three moments > 0", m[0], m[1], m[2]);
    cairn_mat3 inertia = {{m[0], m[3], m[4]}, {m[3], m[1], m[5]}, {m[4], m[5], m[2]}};
    return inertia;
}

// what is not said follows from a material of that name
static cairn_look read_look(const cairn_node* node)
{
    static const char* const looks[] = {"plain", "stone", "wood", "steel", "rubber"};
    cairn_node child;
    int look = CAIRN_LOOK_PLAIN;
    if (cairn_node_child(&child, node, "material") && json_is_string(child.value))
        for (int i = 1; i < 5; i++)
            if (strcmp(json_string_value(child.value), looks[i]) == 0)
                look = i;
    return (cairn_look)cairn_node_choice(node, "look", looks, 5, look);
}

void cairn_read_body(cairn_template* body, const cairn_node* node, const cairn_body_def* defaults)
{
    static const char* const types[] = {"dynamic", "kinematic", "static"};
    static const char* const places[] = {"at", "turn", "quaternion", NULL};
    cairn_node child;
    cairn_body_def* def = &body->def;
    *body = (cairn_template){.def = *defaults};

    body->name = cairn_node_string(node, "name", NULL);
    def->type = (cairn_body_type)cairn_node_choice(node, "type", types, 3, (int)def->type);

    if (cairn_node_child(&child, node, "shape")) {
        body->shape = cairn_read_shape(&child);
        body->shaped = true;
    }

    if (cairn_node_child(&child, node, "offset") && cairn_node_allow(&child, places, NULL))
        def->shape_offset = cairn_node_pose(&child);

    def->pose = cairn_node_pose(node);
    def->velocity = cairn_node_vector(node, "velocity", def->velocity);
    def->spin = cairn_node_vector(node, "spin", def->spin);

    // the mass: given, or from density and shape
    def->mass = cairn_node_real(node, "mass", def->mass, CAIRN_ABOVE_0);
    def->density = cairn_node_real(node, "density", def->density, CAIRN_ABOVE_0);
    if (cairn_node_child(&child, node, "inertia"))
        def->inertia = read_inertia(&child);
    if (cairn_node_child(&child, node, "center")) {
        def->centered = true;
        def->center = cairn_node_triple(&child);
    }

    if (cairn_node_child(&child, node, "material"))
        def->material = read_material(&child, def->material);

    def->linear_damping =
        cairn_node_real(node, "linear_damping", def->linear_damping, CAIRN_AT_LEAST_0);
    def->angular_damping =
        cairn_node_real(node, "angular_damping", def->angular_damping, CAIRN_AT_LEAST_0);
    def->gravity_scale = cairn_node_real(node, "gravity_scale", def->gravity_scale, CAIRN_ANY);

    def->belt = cairn_node_flag(node, "belt", def->belt);
    def->sleepless = !cairn_node_flag(node, "sleep", !def->sleepless);

    // whom it collides with
    def->category = read_bits(node, "category", def->category);
    def->mask = read_bits(node, "mask", def->mask);

    // when it comes and how it looks
    body->enter = cairn_node_real(node, "enter", 0.0, CAIRN_AT_LEAST_0);
    body->glass = cairn_node_flag(node, "glass", false);
    body->look = read_look(node);
}

// ---------------------------------------------------------------- names

static int find_name(const cairn_scene* scene, const char* name, int first)
{
    for (int i = scene->name_count - 1; i >= first; i--)
        if (strcmp(scene->names[i].name, name) == 0)
            return i;
    return -1;
}

cairn_body_id cairn_scene_body(const cairn_node* node, const char* name)
{
    const cairn_scene* scene = node->reader->scene;
    cairn_body_id none = {0, 0};
    int i = find_name(scene, name, 0);
    if (i < 0)
        cairn_node_fail(node, "is '%.60s', expected the name of a body", name);
    else if (scene->names[i].id.generation == 0)
        cairn_node_fail(node, "is '%.60s', which enters later; expected a body from the start",
                        name);
    return i < 0 ? none : scene->names[i].id;
}

// the index of the name of the next body of a template, or -1
static int add_name(const cairn_node* node, cairn_template* body)
{
    cairn_scene* scene = node->reader->scene;
    char text[96];

    if (!body->name)
        return -1;

    // bodies of a layout are numbered
    if (body->many)
        snprintf(text, sizeof text, "%.80s.%d", body->name, body->made);
    else
        snprintf(text, sizeof text, "%.80s", body->name);

    if (!body->many && find_name(scene, text, node->reader->scope) >= 0) {
        cairn_node_fail(node, "has the name '%s', which another body has", text);
        return -1;
    }

    if (scene->name_count == scene->name_capacity) {
        int capacity = scene->name_capacity ? 2 * scene->name_capacity : 16;
        cairn_scene_name* grown = realloc(scene->names, (size_t)capacity * sizeof *grown);
        if (!grown) {
            cairn_node_starve(node);
            return -1;
        }
        scene->names = grown;
        scene->name_capacity = capacity;
    }

    scene->names[scene->name_count] = (cairn_scene_name){.name = strdup(text)};
    if (!scene->names[scene->name_count].name) {
        cairn_node_starve(node);
        return -1;
    }
    return scene->name_count++;
}

// ---------------------------------------------------------------- adding

static void add_late(const cairn_node* node, const cairn_template* body, int name)
{
    cairn_scene* scene = node->reader->scene;

    if (scene->late_count == scene->late_capacity) {
        int capacity = scene->late_capacity ? 2 * scene->late_capacity : 4;
        cairn_scene_late* grown = realloc(scene->late, (size_t)capacity * sizeof *grown);
        if (!grown) {
            cairn_node_starve(node);
            return;
        }
        scene->late = grown;
        scene->late_capacity = capacity;
    }

    scene->late[scene->late_count++] = (cairn_scene_late){.enter = body->enter,
                                                          .def = body->def,
                                                          .shape = body->shape,
                                                          .name = name,
                                                          .glass = body->glass,
                                                          .look = body->look,
                                                          .entered = -1};
}

bool cairn_scene_add_look(cairn_scene* scene, cairn_scene_look look)
{
    if (!look.glass && look.look == CAIRN_LOOK_PLAIN)
        return true;
    for (int i = 0; i < scene->look_count; i++) {
        cairn_body_id known = scene->looks[i].id;
        if (known.index == look.id.index && known.generation == look.id.generation)
            return true;
    }
    if (!cairn_grow((void**)&scene->looks, &scene->look_capacity, scene->look_count + 1,
                    sizeof *scene->looks))
        return false;
    scene->looks[scene->look_count++] = look;
    return true;
}

cairn_body_id cairn_scene_add(const cairn_node* node, cairn_template* body, cairn_transform pose)
{
    cairn_scene* scene = node->reader->scene;
    cairn_body_id id = {0, 0};
    cairn_error error;

    if (!cairn_node_ok(node) || !cairn_node_spend(node))
        return id;

    int name = add_name(node, body);
    if (!cairn_node_ok(node))
        return id;

    // the template counts on, the body is a copy of it
    cairn_template one = *body;
    one.def.pose = pose;
    one.def.shape = one.shaped ? &one.shape : NULL;
    body->made++;
    scene->body_count++;

    if (one.enter > 0.0) {
        if (!one.shaped)
            cairn_node_fail(node, "enters later and has no shape, which is needed then");
        add_late(node, &one, name);
        return id;
    }

    // of several processes each makes its share of the dynamic bodies, by turns
    cairn_reader* reader = node->reader;
    bool dealt = reader->parts > 1 && one.def.type == CAIRN_BODY_DYNAMIC;
    if (dealt && reader->dynamic++ % reader->parts != reader->part)
        return id;

    cairn_status status = cairn_world_add_body(scene->world, &one.def, &id, &error);
    if (status != CAIRN_OK)
        cairn_node_blame(node, status, &error);
    else if (name >= 0)
        scene->names[name].id = id;

    cairn_scene_look look = {id, one.glass, one.look};
    if (status == CAIRN_OK && !cairn_scene_add_look(scene, look))
        cairn_node_starve(node);
    return id;
}
