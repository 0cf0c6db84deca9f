// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Meshes that a scene takes from files beside it: Wavefront OBJ and STL. A path is relative to the
// folder of the scene and stays inside it, also where it is a symbolic link: a scene from elsewhere
// cannot make a program read other files.

// realpath
#define _XOPEN_SOURCE 700
#include "io/scene/scene.h"
#include <cairn/io.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

// whether a path is written as one inside a folder
static bool is_inner(const char* path)
{
    if (path[0] == '\0' || path[0] == '/' || strchr(path, '\\'))
        return false;
    for (const char* at = path; at; at = strchr(at, '/')) {
        at += *at == '/';
        if (strncmp(at, "..", 2) == 0 && (at[2] == '/' || at[2] == '\0'))
            return false;
    }
    return true;
}

// the file of a path in the folder of the scene; false with a complaint
static bool find_file(char* found, const cairn_node* node, const char* path)
{
    const char* scene = node->reader->file;
    const char* slash = strrchr(scene, '/');
    char folder[PATH_MAX], joined[PATH_MAX];
    size_t length = slash ? (size_t)(slash - scene) + 1 : 0;

    // a scene may come from anywhere: it reads no files outside of its folder
    if (!is_inner(path)) {
        cairn_node_fail(node, "is '%.60s', expected a path inside the folder of the scene", path);
        return false;
    }
    if (length + strlen(path) + 1 > sizeof joined) {
        cairn_node_fail(node, "is a path of more than %d characters", PATH_MAX);
        return false;
    }

    memcpy(joined, scene, length);
    memcpy(joined + length, path, strlen(path) + 1);
    if (!realpath(joined, found)) {
        cairn_node_fail(node, "is '%.60s', and there is no such file beside the scene", path);
        return false;
    }

    // symbolic links may lead out of the folder
    memcpy(joined, scene, length);
    memcpy(joined + length, ".", 2);
    size_t prefix = realpath(joined, folder) ? strlen(folder) : 0;
    if (prefix == 0 || strncmp(found, folder, prefix) != 0 ||
        (found[prefix] != '/' && folder[prefix - 1] != '/')) {
        cairn_node_fail(node, "is '%.60s', which leads out of the folder of the scene", path);
        return false;
    }
    return true;
}

bool cairn_scene_load(cairn_mesh_def* def, const cairn_node* node)
{
    char path[PATH_MAX];
    cairn_mesh* mesh = NULL;
    cairn_error error;
    cairn_node file;
    *def = (cairn_mesh_def){0};
    cairn_node_child(&file, node, "file");
    double scale = cairn_node_real(node, "scale", 1.0, CAIRN_ABOVE_0);
    const char* name = cairn_node_string(node, "file", "");
    if (!cairn_node_ok(node) || !find_file(path, &file, name))
        return false;
    cairn_status status = cairn_mesh_read(path, &mesh, &error);
    if (status != CAIRN_OK) {
        cairn_node_blame(&file, status, &error);
        return false;
    }

    // a copy at its scale
    cairn_mesh_def own = cairn_mesh_get_def(mesh);
    size_t corners = 3 * (size_t)own.triangle_count;
    cairn_vec3* vertices = calloc((size_t)own.vertex_count + 1, sizeof *vertices);
    int* triangles = calloc(corners + 1, sizeof *triangles);
    for (int i = 0; vertices && triangles && i < own.vertex_count; i++)
        vertices[i] = cairn_scale(scale, own.vertices[i]);
    if (vertices && triangles)
        memcpy(triangles, own.triangles, corners * sizeof *triangles);
    *def = (cairn_mesh_def){vertices, own.vertex_count, triangles, own.triangle_count};
    cairn_mesh_destroy(mesh);
    if (vertices && triangles)
        return true;
    free(vertices);
    free(triangles);
    *def = (cairn_mesh_def){0};
    cairn_node_starve(node);
    return false;
}
