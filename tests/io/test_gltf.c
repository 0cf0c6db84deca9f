// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors

#include "check_cairn.h"
#include "io/file.h"
#include "io/gltf/gltf.h"
#include <jansson.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const double pi = 3.14159265358979323846;

// ---------------------------------------------------------------- a GLB file, read back

typedef struct glb {
    cairn_bytes file;
    json_t* json;
    const char* numbers;
} glb;

static uint32_t word(const char* at)
{
    uint32_t x;
    memcpy(&x, at, sizeof x);
    return x;
}

static glb read_glb(const char* path)
{
    glb f = {0};
    CHECK(cairn_file_read(&f.file, path, &cairn_file_bytes, NULL) == CAIRN_OK);
    CHECK(memcmp(f.file.data, "glTF", 4) == 0 && word(f.file.data + 4) == 2);
    ck_assert_uint_eq(word(f.file.data + 8), f.file.size);
    uint32_t length = word(f.file.data + 12);
    f.json = json_loadb(f.file.data + 20, length, 0, NULL);
    CHECK(f.json != NULL);
    f.numbers = f.file.data + 20 + length + 8;
    return f;
}

static void free_glb(glb* f)
{
    json_decref(f->json);
    free(f->file.data);
}

static json_t* item(const glb* f, const char* list, json_int_t i)
{
    return json_array_get(json_object_get(f->json, list), (size_t)i);
}

static json_int_t whole(const json_t* object, const char* key)
{
    return json_integer_value(json_object_get(object, key));
}

// the floats of an accessor without stride
static const float* floats(const glb* f, json_int_t accessor, json_int_t* count)
{
    const json_t* a = item(f, "accessors", accessor);
    const json_t* view = item(f, "bufferViews", whole(a, "bufferView"));
    *count = whole(a, "count");
    return (const float*)(const void*)(f->numbers + whole(view, "byteOffset") +
                                       whole(a, "byteOffset"));
}

// the node of a name, or -1
static json_int_t find_node(const glb* f, const char* name)
{
    size_t i;
    json_t* node;
    json_array_foreach(json_object_get(f->json, "nodes"), i, node)
    {
        if (strcmp(json_string_value(json_object_get(node, "name")), name) == 0)
            return (json_int_t)i;
    }
    return -1;
}

// times and values of what moves a node along a path; NULL when nothing does
static const float* channel(const glb* f, json_int_t node, const char* path, const float** times,
                            json_int_t* count)
{
    const json_t* run = item(f, "animations", 0);
    size_t i;
    json_t* c;
    json_array_foreach(json_object_get(run, "channels"), i, c)
    {
        const json_t* target = json_object_get(c, "target");
        if (whole(target, "node") != node ||
            strcmp(json_string_value(json_object_get(target, "path")), path) != 0)
            continue;
        const json_t* sampler =
            json_array_get(json_object_get(run, "samplers"), (size_t)whole(c, "sampler"));
        *times = floats(f, whole(sampler, "input"), count);
        return floats(f, whole(sampler, "output"), count);
    }
    return NULL;
}

// ---------------------------------------------------------------- a run

static const char text[] =
    "{\"cairn\": 1, \"bodies\": [{\"type\": \"static\", \"shape\": {\"kind\": \"half_space\"}},"
    "  {\"name\": \"falls\", \"shape\": {\"kind\": \"box\", \"size\": [0.4, 0.3, 0.2]},"
    "   \"at\": [1, 2, 9], \"spin\": [0, 3, 0], \"look\": \"wood\"},"
    "  {\"name\": \"too\", \"shape\": {\"kind\": \"box\", \"size\": [0.4, 0.3, 0.2]},"
    "   \"at\": [3, 2, 9], \"look\": \"wood\"},"
    "  {\"name\": \"ball\", \"enter\": 0.1, \"shape\": {\"kind\": \"sphere\", \"radius\": 0.1},"
    "   \"at\": [0, -1, 5]}]}";

// steps the scene and gives the poses of the second body
static cairn_gltf* run(cairn_transform* poses, int frames)
{
    cairn_error error = {""};
    cairn_scene* scene;
    cairn_stage stage = {0};
    cairn_frame frame = {0};
    cairn_gltf* g;
    ck_assert_msg(cairn_scene_read_text(text, strlen(text), "t.json", NULL, &scene, &error) ==
                      CAIRN_OK,
                  "%s", error.text);
    CHECK(cairn_gltf_create(&g, &error) == CAIRN_OK);
    for (int i = 0; i < frames; i++) {
        if (i > 0)
            CHECK(cairn_scene_step(scene, 0.01, NULL, &error) == CAIRN_OK);
        CHECK(cairn_stage_take(&stage, scene, 0.01, &error) == CAIRN_OK);
        CHECK(cairn_frame_take(&frame, &stage, scene, NULL, 0.0, &error) == CAIRN_OK);
        CHECK(cairn_gltf_add(g, &stage, &frame, &error) == CAIRN_OK);
        poses[i] = frame.bodies[1].pose;
    }
    cairn_frame_destroy(&frame);
    cairn_stage_destroy(&stage);
    cairn_scene_destroy(scene);
    return g;
}

static glb run_and_read(cairn_transform* poses, int frames)
{
    char path[256];
    cairn_error error = {""};
    snprintf(path, sizeof path, "%s/cairn-gltf-XXXXXX", check_cairn_folder());
    int fd = mkstemp(path);
    CHECK(fd >= 0);
    close(fd);
    cairn_gltf* g = run(poses, frames);
    CHECK(cairn_gltf_write(g, path, false, &error) != CAIRN_OK);
    ck_assert_msg(cairn_gltf_write(g, path, true, &error) == CAIRN_OK, "%s", error.text);
    cairn_gltf_destroy(g);
    glb f = read_glb(path);
    unlink(path);
    return f;
}

// ---------------------------------------------------------------- the motion

TEST(an_animation_has_the_poses_of_every_frame)
{
    enum { frames = 40 };
    cairn_transform poses[frames];
    glb f = run_and_read(poses, frames);
    const float *times, *x, *q;
    json_int_t count, node = find_node(&f, "falls");
    x = channel(&f, node, "translation", &times, &count);
    CHECK(x != NULL);
    ck_assert_int_eq(count, frames);
    q = channel(&f, node, "rotation", &times, &count);

    // floats have 24 bits
    for (int i = 0; i < frames; i++) {
        CHECK_NEAR(times[i], 0.01 * i, 1e-7);
        CHECK_NEAR(x[3 * i + 2], poses[i].p.z, 1e-6);
        double dot = q[4 * i] * poses[i].q.x + q[4 * i + 1] * poses[i].q.y +
                     q[4 * i + 2] * poses[i].q.z + q[4 * i + 3] * poses[i].q.w;
        CHECK_NEAR(fabs(dot), 1.0, 1e-6);
    }
    free_glb(&f);
}
END

TEST(a_body_that_lies_still_is_not_animated)
{
    cairn_transform poses[20];
    glb f = run_and_read(poses, 20);
    const float* times;
    json_int_t count, node = find_node(&f, "body 0");
    CHECK(node > 0);
    CHECK(channel(&f, node, "translation", &times, &count) == NULL);
    CHECK(channel(&f, node, "scale", &times, &count) == NULL);
    free_glb(&f);
}
END

TEST(a_body_that_comes_later_has_no_size_before)
{
    cairn_transform poses[30];
    glb f = run_and_read(poses, 30);
    const float* times;
    json_int_t count, node = find_node(&f, "ball");
    const float* sizes = channel(&f, node, "scale", &times, &count);
    CHECK(sizes != NULL && count == 2);
    CHECK(sizes[0] == 0.0f && sizes[3] == 1.0f);
    CHECK_NEAR(times[1], 0.1, 0.011);
    free_glb(&f);
}
END

TEST(equal_shapes_of_one_material_share_a_mesh)
{
    cairn_transform poses[2];
    glb f = run_and_read(poses, 2);
    const json_t* one = item(&f, "nodes", find_node(&f, "falls"));
    const json_t* other = item(&f, "nodes", find_node(&f, "too"));
    ck_assert_int_eq(whole(one, "mesh"), whole(other, "mesh"));
    const json_t* mesh = item(&f, "meshes", whole(one, "mesh"));
    const json_t* part = json_array_get(json_object_get(mesh, "primitives"), 0);
    const json_t* material = item(&f, "materials", whole(part, "material"));
    ck_assert_str_eq(json_string_value(json_object_get(material, "name")), "wood");
    free_glb(&f);
}
END

// ---------------------------------------------------------------- surfaces

// the volume inside, by the divergence theorem; normals must be on the outside of their triangles
static double volume(const gltf_surface* s)
{
    const float* v = (const float*)(const void*)s->vertices.data;
    const uint32_t* t = (const uint32_t*)(const void*)s->triangles.data;
    double sum = 0.0;
    for (size_t i = 0; i < s->triangles.size / sizeof *t; i += 3) {
        cairn_vec3 x[3], n = {0};
        for (int k = 0; k < 3; k++) {
            const float* p = v + 6 * t[i + (size_t)k];
            x[k] = cairn_vec(p[0], p[1], p[2]);
            n = cairn_add(n, cairn_vec(p[3], p[4], p[5]));
            CHECK_NEAR(cairn_norm(cairn_vec(p[3], p[4], p[5])), 1.0, 1e-6);
        }
        cairn_vec3 area = cairn_cross(cairn_sub(x[1], x[0]), cairn_sub(x[2], x[0]));
        CHECK(cairn_dot(area, n) > 0.0);
        sum += cairn_dot(x[0], area) / 6.0;
    }
    return sum;
}

static double volume_of(cairn_shape shape)
{
    gltf_surface s = {0};
    cairn_transform at = {cairn_vec(0.3, -0.2, 0.5),
                          cairn_quat_from_rotation_vector(cairn_vec(0.6, 0.0, 0.8))};
    gltf_add_shape(&s, &shape, at, 10.0);
    double v = volume(&s);
    gltf_surface_destroy(&s);
    return v;
}

TEST(surfaces_hold_the_volume_of_their_shapes)
{
    // a polygon of 32 corners inscribed in a circle has 0.9936 of its area
    CHECK_NEAR(volume_of(cairn_shape_box(cairn_vec(0.1, 0.2, 0.3))), 0.048, 1e-7);
    CHECK_NEAR(volume_of(cairn_shape_sphere(0.5)) / (pi / 6.0), 0.985, 0.01);
    CHECK_NEAR(volume_of(cairn_shape_cylinder(0.5, 0.4)) / (0.2 * pi), 0.9936, 1e-4);
    CHECK_NEAR(volume_of(cairn_shape_capsule(0.5, 0.4)) / (pi / 6.0 + 0.2 * pi), 0.99, 0.01);

    CHECK_NEAR(volume_of(cairn_shape_ellipsoid(cairn_vec(0.3, 0.4, 0.5))) / (0.08 * pi), 0.985,
               0.01);
    CHECK_NEAR(volume_of(cairn_shape_cone(0.5, 0.4)) / (0.2 * pi / 3.0), 0.9936, 1e-4);
    CHECK_NEAR(volume_of(cairn_shape_tapered_capsule(0.5, 0.5, 0.4)) / (pi / 6.0 + 0.2 * pi), 0.99,
               0.01);

    cairn_hull* hull;
    const cairn_vec3 corners[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    CHECK(cairn_hull_create(corners, 4, 0.0, &hull, NULL) == CAIRN_OK);
    CHECK_NEAR(volume_of(cairn_shape_hull(hull)), 1.0 / 6.0, 1e-6);

    // two of them apart
    cairn_compound* both;
    cairn_shape parts[2] = {cairn_shape_hull(hull), cairn_shape_box(cairn_vec(0.5, 0.5, 0.5))};
    cairn_transform places[2] = {cairn_transform_identity(), cairn_transform_identity()};
    places[1].p.x = 4.0;
    CHECK(cairn_compound_create(parts, places, 2, &both, NULL) == CAIRN_OK);
    CHECK_NEAR(volume_of(cairn_shape_compound(both)), 7.0 / 6.0, 1e-5);
    cairn_compound_destroy(both);
    cairn_hull_destroy(hull);
}
END

TESTS(an_animation_has_the_poses_of_every_frame, a_body_that_lies_still_is_not_animated,
      a_body_that_comes_later_has_no_size_before, equal_shapes_of_one_material_share_a_mesh,
      surfaces_hold_the_volume_of_their_shapes)
