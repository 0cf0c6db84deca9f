// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The vertices of a COLLADA file (.dae): the positions of the meshes that its scene shows, each
// moved by the nodes around it, in meters and with the z axis up. Hulls are made of them, so that
// how triangles, polygons or strips connect them is of no meaning. Source: The Khronos Group,
// COLLADA 1.4.1 Specification, 2008.

#include "io/file.h"
#include "io/robot/robot.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/// x -> A x + t
typedef struct affine {
    cairn_mat3 A;
    cairn_vec3 t;
} affine;

typedef struct collada {
    robot_reader* r;
    xml_element* root;
    cairn_vec3* points;
    int count, capacity;
    int shown; ///< instances so far
} collada;

enum { most_points = 4000000, most_shown = 10000 };

static affine then(affine outer, affine inner)
{
    return (affine){cairn_mat3_multiply(outer.A, inner.A),
                    cairn_add(cairn_mat3_apply(outer.A, inner.t), outer.t)};
}

// ---------------------------------------------------------------- numbers

// as many numbers of a text as `most`; how many there were, or -1 after a complaint
static int read_numbers(collada* c, const xml_element* at, const char** text, double* out, int most)
{
    int count = 0;
    while (count < most) {
        while (isspace((unsigned char)**text))
            (*text)++;
        if (!**text)
            break;

        char* end;
        out[count] = strtod(*text, &end);
        if (end == *text || !(fabs(out[count]) <= 1e12)) {
            robot_fail(c->r, at, "has '%.20s', expected numbers up to 1e12", *text);
            return -1;
        }

        *text = end;
        count++;
    }

    return count;
}

// exactly n numbers of an element
static bool read_row(collada* c, const xml_element* at, double* out, int n)
{
    const char* text = at->text;
    int count = read_numbers(c, at, &text, out, n);
    if (count >= 0 && count < n)
        robot_fail(c->r, at, "has %d numbers, expected %d", count, n);
    return robot_ok(c->r);
}

// ---------------------------------------------------------------- references

// the element of a name below another one, by its id, of a reference "#id"
static xml_element* find_id(xml_element* below, const char* name, const char* reference)
{
    if (!reference || reference[0] != '#')
        return NULL;
    for (xml_element* e = xml_child(below, name); e; e = xml_same(e)) {
        const char* id = xml_value(e, "id");
        if (id && strcmp(id, reference + 1) == 0)
            return e;
    }
    return NULL;
}

// ---------------------------------------------------------------- positions

static bool add_point(collada* c, const affine* place, const double* x)
{
    if (c->count == c->capacity) {
        int capacity = 2 * c->capacity + 256;
        cairn_vec3* grown = realloc(c->points, (size_t)capacity * sizeof *grown);
        if (!grown) {
            robot_starve(c->r);
            return false;
        }
        c->points = grown;
        c->capacity = capacity;
    }
    cairn_vec3 p = cairn_mat3_apply(place->A, cairn_vec(x[0], x[1], x[2]));
    c->points[c->count++] = cairn_add(p, place->t);
    return true;
}

static void add_source(collada* c, xml_element* source, const affine* place)
{
    xml_element* array = xml_child(source, "float_array");
    xml_element* technique = xml_child(source, "technique_common");
    xml_element* accessor = xml_child(technique, "accessor");
    const char* given = xml_value(accessor, "stride");
    int stride = given ? (int)strtol(given, NULL, 10) : 3;
    double x[16];

    if (!array || stride < 3 || stride > 16) {
        robot_fail(c->r, source, "has no positions of three numbers");
        return;
    }

    // of each position the first three numbers count, whatever the stride
    const char* text = array->text;
    for (int n = stride; n == stride && robot_ok(c->r);) {
        n = read_numbers(c, array, &text, x, stride);
        if (n > 0 && n < stride)
            robot_fail(c->r, array, "ends within a position");
        else if (n == stride && c->count == most_points)
            robot_fail(c->r, array, "has more than %d positions", most_points);
        else if (n == stride)
            add_point(c, place, x);
    }
}

// the positions of a mesh
static void add_geometry(collada* c, xml_element* geometry, const affine* place)
{
    xml_element *mesh = xml_child(geometry, "mesh"), *vertices = xml_child(mesh, "vertices");
    for (xml_element* in = xml_child(vertices, "input"); in; in = xml_same(in)) {
        const char* semantic = xml_value(in, "semantic");
        if (!semantic || strcmp(semantic, "POSITION") != 0)
            continue;
        xml_element* source = find_id(mesh, "source", xml_value(in, "source"));
        if (source)
            add_source(c, source, place);
        else
            robot_fail(c->r, in, "names a source that is not there");
        return;
    }
    robot_fail(c->r, geometry, "has no mesh with positions");
}

// ---------------------------------------------------------------- nodes

// one of the transformations of a node; others change no place
static bool read_transform(collada* c, const xml_element* at, affine* x)
{
    double n[16];
    *x = (affine){cairn_mat3_diagonal(1.0, 1.0, 1.0), cairn_vec(0.0, 0.0, 0.0)};

    if (strcmp(at->name, "translate") == 0 && read_row(c, at, n, 3)) {
        x->t = cairn_vec(n[0], n[1], n[2]);
    } else if (strcmp(at->name, "scale") == 0 && read_row(c, at, n, 3)) {
        x->A = cairn_mat3_diagonal(n[0], n[1], n[2]);
    } else if (strcmp(at->name, "rotate") == 0 && read_row(c, at, n, 4)) {
        cairn_vec3 axis = cairn_normalize(cairn_vec(n[0], n[1], n[2]));
        double angle = n[3] * 0.017453292519943295;
        x->A = cairn_quat_to_mat3(cairn_quat_from_rotation_vector(cairn_scale(angle, axis)));
    } else if (strcmp(at->name, "matrix") == 0 && read_row(c, at, n, 16)) {
        x->A = (cairn_mat3){{n[0], n[4], n[8]}, {n[1], n[5], n[9]}, {n[2], n[6], n[10]}};
        x->t = cairn_vec(n[3], n[7], n[11]);
    } else {
        return false;
    }

    return true;
}

static void add_node(collada* c, xml_element* node, affine place)
{
    for (xml_element* e = node->child; e && robot_ok(c->r); e = e->next) {
        affine own;

        // transformations apply to all that follows them in the node
        if (read_transform(c, e, &own))
            place = then(place, own);
        else if (strcmp(e->name, "node") == 0)
            add_node(c, e, place);

        if (strcmp(e->name, "instance_geometry") != 0)
            continue;

        xml_element* library = xml_child(c->root, "library_geometries");
        xml_element* geometry = find_id(library, "geometry", xml_value(e, "url"));
        if (!geometry)
            robot_fail(c->r, e, "names a geometry that is not there");
        else if (++c->shown > most_shown)
            robot_fail(c->r, e, "is one too many, expected at most %d", most_shown);
        else
            add_geometry(c, geometry, &place);
    }
}

// meters, z up
static affine read_units(collada* c)
{
    xml_element* asset = xml_child(c->root, "asset");
    xml_element *unit = xml_child(asset, "unit"), *up = xml_child(asset, "up_axis");
    double meter = unit ? robot_real(c->r, unit, "meter", 1.0) : 1.0;
    affine x = {cairn_mat3_diagonal(meter, meter, meter), cairn_vec(0.0, 0.0, 0.0)};
    if (!(meter > 0.0))
        robot_fail(c->r, unit, "has a meter of %g, expected more than 0", meter);
    if (!up || strcmp(up->text, "Y_UP") == 0)
        x.A = (cairn_mat3){{meter, 0.0, 0.0}, {0.0, 0.0, meter}, {0.0, -meter, 0.0}};
    else if (strcmp(up->text, "X_UP") == 0)
        x.A = (cairn_mat3){{0.0, 0.0, meter}, {-meter, 0.0, 0.0}, {0.0, -meter, 0.0}};
    return x;
}

cairn_vec3* robot_read_collada(robot_reader* r, const xml_element* at, const char* path, int* count)
{
    cairn_error error = {""};
    cairn_bytes bytes;
    xml_pool pool = {0};
    collada c = {.r = r};

    cairn_status status = cairn_file_read(&bytes, path, &cairn_file_text, &error);
    if (status == CAIRN_OK) {
        status = xml_parse(&pool, bytes.data, bytes.size, path, &c.root, &error);
        free(bytes.data);
    }
    if (status != CAIRN_OK)
        robot_blame(r, at, status, &error);

    // the geometry of all scenes, in meters and z up
    if (robot_ok(r)) {
        affine place = read_units(&c);
        xml_element* scenes = xml_child(c.root, "library_visual_scenes");
        for (xml_element* s = xml_child(scenes, "visual_scene"); s; s = xml_same(s))
            add_node(&c, s, place);
    }

    if (robot_ok(r) && c.count == 0)
        robot_fail(r, at, "names the mesh '%.100s', which shows no geometry", path);

    xml_free(&pool);
    *count = c.count;
    if (robot_ok(r))
        return c.points;
    free(c.points);
    return NULL;
}
