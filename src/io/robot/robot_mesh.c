// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Geometry of robots from files, as convex hulls of few points, and where such files are.

// realpath
#define _XOPEN_SOURCE 700
#include "io/robot/robot.h"
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

// a hull with more corners costs more than it is worth: it is made of fewer, within a share of its
// size
enum { most_corners = 100 };
static const double first_tolerance = 1e-4, last_tolerance = 0.05;

// ---------------------------------------------------------------- places

static bool is_file(const char* path)
{
    struct stat about;
    return stat(path, &about) == 0 && S_ISREG(about.st_mode);
}

// the part of a path before its last slash, "." when there is none
static const char* folder_of(robot_reader* r, const char* path)
{
    const char* slash = strrchr(path, '/');
    return slash ? robot_print(r, "%.*s", (int)(slash - path), path) : ".";
}

static const char* base_of(const char* path)
{
    const char* slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

// NAME/REST of package://NAME/REST in the folder that was given, or in one above the file; packages
// whose folder has another name come last
static const char* package_path(robot_reader* r, const char* rest)
{
    const char* slash = strchr(rest, '/');
    const char* inner = slash ? slash + 1 : rest;
    int length = slash ? (int)(slash - rest) : 0;

    // a folder of packages was given
    if (r->def->packages) {
        const char* path = robot_print(r, "%s/%s", r->def->packages, rest);
        if (!is_file(path))
            path = robot_print(r, "%s/%s", r->def->packages, inner);
        return path;
    }

    // from the folder of the file upwards
    char real[PATH_MAX];
    const char* renamed = "";
    if (!realpath(folder_of(r, r->robot->file), real))
        return "";

    for (char* end = real + strlen(real); end && end > real; end = strrchr(real, '/')) {
        *end = '\0';
        const char* path = robot_print(r, "%s/%s", real, rest);
        if (is_file(path))
            return path;
        bool named = (int)strlen(base_of(real)) == length &&
                     strncmp(base_of(real), rest, (size_t)length) == 0;
        path = robot_print(r, "%s/%s", real, inner);
        if (named && is_file(path))
            return path;
        if (!renamed[0] && is_file(path))
            renamed = path;
    }
    return renamed;
}

const char* robot_path(robot_reader* r, const xml_element* at, const char* name, const char* folder)
{
    const char* path;
    bool package = strncmp(name, "package://", 10) == 0 || strncmp(name, "model://", 8) == 0;

    if (package)
        path = package_path(r, strstr(name, "://") + 3);
    else if (strncmp(name, "file://", 7) == 0)
        path = name + 7;
    else if (name[0] == '/')
        path = name;
    else
        path = robot_print(r, "%s/%s%s%s", folder_of(r, r->robot->file), folder,
                           folder[0] ? "/" : "", name);

    if (robot_ok(r) && !is_file(path))
        robot_fail(r, at, "names the file '%.100s', which is not there%s", name,
                   package && !r->def->packages ? "; say where packages are (--packages FOLDER)"
                                                : "");

    return path;
}

// ---------------------------------------------------------------- hulls

static bool ends_in(const char* name, const char* ending)
{
    size_t n = strlen(name), m = strlen(ending);
    return n >= m && strcasecmp(name + n - m, ending) == 0;
}

// the corners of the hull of points, as few as are wanted
static bool keep_corners(robot_reader* r, const xml_element* at, const cairn_vec3* points,
                         int count, robot_geom* geom)
{
    // a coarser tolerance leaves fewer corners
    cairn_error error = {""};
    cairn_hull* hull = NULL;
    cairn_status status = CAIRN_OK;
    for (double tolerance = first_tolerance; tolerance < last_tolerance; tolerance *= 3.0) {
        cairn_hull_destroy(hull);
        hull = NULL;
        status = cairn_hull_create(points, count, tolerance, &hull, &error);
        if (status != CAIRN_OK || hull->vertex_count <= most_corners)
            break;
    }

    if (status != CAIRN_OK) {
        robot_blame(r, at, status, &error);
        return false;
    }

    // the corners live as long as the robot
    size_t size = (size_t)hull->vertex_count * sizeof(cairn_vec3);
    cairn_vec3* copy = xml_take(&r->robot->pool, size);
    if (copy)
        memcpy(copy, hull->vertices, size);
    else
        robot_starve(r);

    geom->kind = CAIRN_SHAPE_HULL;
    geom->points = copy;
    geom->point_count = copy ? hull->vertex_count : 0;
    cairn_hull_destroy(hull);
    return copy != NULL;
}

// the vertices of an OBJ or STL file; NULL after a complaint
static cairn_vec3* read_vertices(robot_reader* r, const xml_element* at, const char* path,
                                 int* count)
{
    cairn_error error = {""};
    cairn_mesh* mesh = NULL;
    cairn_status status = cairn_mesh_read(path, &mesh, &error);
    if (status != CAIRN_OK) {
        robot_blame(r, at, status, &error);
        return NULL;
    }

    cairn_mesh_def def = cairn_mesh_get_def(mesh);
    cairn_vec3* points = malloc((size_t)(def.vertex_count + 1) * sizeof *points);
    if (points)
        memcpy(points, def.vertices, (size_t)def.vertex_count * sizeof *points);
    else
        robot_starve(r);

    *count = def.vertex_count;
    cairn_mesh_destroy(mesh);
    return points;
}

bool robot_read_mesh(robot_reader* r, xml_element* at, const char* name, const char* folder,
                     cairn_vec3 scale, robot_geom* geom)
{
    // formats that are not read are passed over, and listed
    bool collada = ends_in(name, ".dae");
    if (r->def->no_meshes) {
        at->taken = false;
        return false;
    }
    if (!ends_in(name, ".stl") && !ends_in(name, ".obj") && !collada) {
        at->taken = false;
        if (r->def->strict)
            robot_fail(r, at, "names the mesh '%.100s', expected OBJ, STL or DAE (strict)", name);
        return false;
    }

    const char* path = robot_path(r, at, name, folder);
    if (!robot_ok(r))
        return false;

    int count = 0;
    cairn_vec3* points =
        collada ? robot_read_collada(r, at, path, &count) : read_vertices(r, at, path, &count);
    for (int i = 0; points && i < count; i++)
        points[i] = cairn_vec(scale.x * points[i].x, scale.y * points[i].y, scale.z * points[i].z);

    // contacts see the convex hull: mesh and scale matter only by its corners
    bool done = points && keep_corners(r, at, points, count, geom);
    free(points);
    return done;
}

bool robot_shape(robot_reader* r, const robot_geom* geom, const xml_element* at, cairn_shape* shape,
                 cairn_hull** hull)
{
    cairn_error error = {""};
    cairn_status status = CAIRN_OK;
    *hull = NULL;

    *shape = (cairn_shape){.kind = geom->kind,
                           .radius = geom->radius,
                           .half_height = geom->half_height,
                           .half = geom->half};

    if (geom->kind == CAIRN_SHAPE_HULL) {
        status = cairn_hull_create(geom->points, geom->point_count, 0.0, hull, &error);
        shape->data.hull = *hull;
    }

    if (status == CAIRN_OK)
        status = cairn_shape_check(shape, &error);
    if (status != CAIRN_OK)
        robot_blame(r, at, status, &error);
    return status == CAIRN_OK;
}
