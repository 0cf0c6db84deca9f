// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// What the inline functions of the public headers give for random arguments: a hash of all bits for each, one line each.
// tests/cross/test_inline_bits.sh compiles this in several ways and compares. C17 and C++17 at once; loops over arrays,
// since compilers contract those that they vectorize by other rules.
#ifdef __cplusplus
#include <cairn/cairn.hpp>
#else
#include <cairn/cairn.h>
#endif
#include <cairn/random.h>
#include <stdio.h>

enum { count = 4096 };

static cairn_vec3 a[count], b[count], unit[count];
static cairn_quat p[count], q[count], turn[count];
static cairn_mat3 m[count], n[count];
static cairn_transform x[count], y[count];
static cairn_aabb box[count], other[count];
static double s[count], t[count];
static cairn_random seed[count];

static void show(const char* name, const void* data, size_t size)
{
    const unsigned char* bytes = (const unsigned char*)data;
    uint64_t hash = 0xcbf29ce484222325u;
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ bytes[i]) * 0x100000001b3u;
    printf("%s %08x%08x\n", name, (unsigned)(hash >> 32), (unsigned)(hash & 0xffffffffu));
}

// fills an array with an expression of i, and shows its bits
#define SHOW(name, type, expression)                                                               \
    do {                                                                                           \
        static type out[count];                                                                    \
        for (size_t i = 0; i < count; i++)                                                         \
            out[i] = (expression);                                                                 \
        show(name, out, sizeof out);                                                               \
    } while (0)

// an argument in [-2, 2), without any of the functions that are tested but for those of integers
static double drawn(cairn_random* random)
{
    return (double)(int64_t)cairn_random_bits(random) * 0x1p-62;
}

static cairn_vec3 drawn_vector(cairn_random* random)
{
    double vx = drawn(random), vy = drawn(random), vz = drawn(random);
    return cairn_vec(vx, vy, vz);
}

static cairn_quat drawn_quat(cairn_random* random)
{
    cairn_quat r;
    r.w = drawn(random), r.x = drawn(random), r.y = drawn(random), r.z = drawn(random);
    return r;
}

static void draw(void)
{
    cairn_random random = {1};
    for (int i = 0; i < count; i++) {
        a[i] = drawn_vector(&random), b[i] = drawn_vector(&random);
        p[i] = drawn_quat(&random), q[i] = drawn_quat(&random);
        m[i].cx = drawn_vector(&random), m[i].cy = drawn_vector(&random),
        m[i].cz = drawn_vector(&random);
        n[i].cx = drawn_vector(&random), n[i].cy = drawn_vector(&random),
        n[i].cz = drawn_vector(&random);
        s[i] = drawn(&random), t[i] = drawn(&random);
        seed[i].state = cairn_random_bits(&random);
        x[i].p = drawn_vector(&random), x[i].q = drawn_quat(&random);
        y[i].p = drawn_vector(&random), y[i].q = drawn_quat(&random);
        box[i].lo = drawn_vector(&random), box[i].hi = drawn_vector(&random);
        other[i].lo = drawn_vector(&random), other[i].hi = drawn_vector(&random);

        // a direction, and rotations by small angles as well as by large ones
        unit[i].x = i % 2 ? 0.6 : -0.28;
        unit[i].y = 0.0;
        unit[i].z = i % 2 ? 0.8 : -0.96;
        turn[i] = i % 2 ? q[i] : cairn_quat_identity();
        if (i % 4 == 0)
            turn[i].x = drawn(&random) * 0x1p-20;
        if (i % 8 == 0)
            b[i] = cairn_scale(0x1p-8, b[i]);
    }
}

typedef struct frame {
    cairn_vec3 t, s;
} frame;

static frame tangents(cairn_vec3 normal)
{
    frame f;
    cairn_tangents(normal, &f.t, &f.s);
    return f;
}

static void vectors(void)
{
    SHOW("cairn_mul", double, cairn_mul(s[i], t[i]));
    SHOW("cairn_mul, added", double, cairn_mul(s[i], t[i]) + a[i].x);
    SHOW("cairn_vec", cairn_vec3, cairn_vec(s[i], t[i], a[i].x));
    SHOW("cairn_add", cairn_vec3, cairn_add(a[i], b[i]));
    SHOW("cairn_sub", cairn_vec3, cairn_sub(a[i], b[i]));
    SHOW("cairn_neg", cairn_vec3, cairn_neg(a[i]));
    SHOW("cairn_scale", cairn_vec3, cairn_scale(s[i], a[i]));
    SHOW("cairn_scale, added", cairn_vec3, cairn_add(b[i], cairn_scale(s[i], a[i])));
    SHOW("cairn_add_scaled", cairn_vec3, cairn_add_scaled(a[i], s[i], b[i]));
    SHOW("cairn_dot", double, cairn_dot(a[i], b[i]));
    SHOW("cairn_cross", cairn_vec3, cairn_cross(a[i], b[i]));
    SHOW("cairn_norm", double, cairn_norm(a[i]));
    SHOW("cairn_length", double, cairn_length(s[i], t[i]));
    SHOW("cairn_normalize", cairn_vec3, cairn_normalize(a[i]));
    SHOW("cairn_min", cairn_vec3, cairn_min(a[i], b[i]));
    SHOW("cairn_max", cairn_vec3, cairn_max(a[i], b[i]));
    SHOW("cairn_abs", cairn_vec3, cairn_abs(a[i]));
    SHOW("cairn_is_finite", bool, cairn_is_finite(a[i]));
    SHOW("cairn_tangents", frame, tangents(unit[i]));
    SHOW("cairn_tangents, of any vector", frame, tangents(a[i]));
}

static void matrices(void)
{
    SHOW("cairn_mat3_diagonal", cairn_mat3, cairn_mat3_diagonal(s[i], t[i], a[i].x));
    SHOW("cairn_mat3_identity", cairn_mat3, cairn_mat3_identity());
    SHOW("cairn_mat3_apply", cairn_vec3, cairn_mat3_apply(m[i], a[i]));
    SHOW("cairn_mat3_apply_transposed", cairn_vec3, cairn_mat3_apply_transposed(m[i], a[i]));
    SHOW("cairn_mat3_transpose", cairn_mat3, cairn_mat3_transpose(m[i]));
    SHOW("cairn_mat3_multiply", cairn_mat3, cairn_mat3_multiply(m[i], n[i]));
    SHOW("cairn_mat3_add", cairn_mat3, cairn_mat3_add(m[i], n[i]));
    SHOW("cairn_mat3_scale", cairn_mat3, cairn_mat3_scale(s[i], m[i]));
    SHOW("cairn_mat3_scale, added", cairn_mat3, cairn_mat3_add(n[i], cairn_mat3_scale(s[i], m[i])));
    SHOW("cairn_mat3_skew", cairn_mat3, cairn_mat3_skew(a[i]));
    SHOW("cairn_mat3_determinant", double, cairn_mat3_determinant(m[i]));
    SHOW("cairn_mat3_inverse", cairn_mat3, cairn_mat3_inverse(m[i]));
}

static void rotations(void)
{
    SHOW("cairn_quat_identity", cairn_quat, cairn_quat_identity());
    SHOW("cairn_quat_multiply", cairn_quat, cairn_quat_multiply(p[i], q[i]));
    SHOW("cairn_quat_conjugate", cairn_quat, cairn_quat_conjugate(q[i]));
    SHOW("cairn_quat_normalize", cairn_quat, cairn_quat_normalize(q[i]));
    SHOW("cairn_series", double, cairn_series(s[i], t[i], a[i].x, a[i].y, a[i].z, b[i].x));
    SHOW("cairn_quat_from_rotation_vector", cairn_quat, cairn_quat_from_rotation_vector(b[i]));
    SHOW("cairn_quat_to_rotation_vector", cairn_vec3, cairn_quat_to_rotation_vector(turn[i]));
    SHOW("cairn_quat_to_mat3", cairn_mat3, cairn_quat_to_mat3(q[i]));
    SHOW("cairn_rotate", cairn_vec3, cairn_rotate(q[i], a[i]));
    SHOW("cairn_rotate_back", cairn_vec3, cairn_rotate_back(q[i], a[i]));
    SHOW("cairn_transform_identity", cairn_transform, cairn_transform_identity());
    SHOW("cairn_transform_point", cairn_vec3, cairn_transform_point(x[i], a[i]));
    SHOW("cairn_transform_point, of one body", cairn_vec3, cairn_transform_point(x[0], a[i]));
    SHOW("cairn_transform_point_back", cairn_vec3, cairn_transform_point_back(x[i], a[i]));
    SHOW("cairn_transform_multiply", cairn_transform, cairn_transform_multiply(x[i], y[i]));
    SHOW("cairn_transform_relative", cairn_transform, cairn_transform_relative(x[i], y[i]));
}

static void others(void)
{
    SHOW("cairn_aabb_overlap", bool, cairn_aabb_overlap(&box[i], &other[i]));
    SHOW("cairn_aabb_contains", bool, cairn_aabb_contains(&box[i], &other[i]));
    SHOW("cairn_aabb_join", cairn_aabb, cairn_aabb_join(box[i], other[i]));
    SHOW("cairn_aabb_grow", cairn_aabb, cairn_aabb_grow(box[i], s[i]));
    SHOW("cairn_random_bits", uint64_t, cairn_random_bits(&seed[i]));
    SHOW("cairn_random_unit", double, cairn_random_unit(&seed[i]));
    SHOW("cairn_random_range", double, cairn_random_range(&seed[i], s[i], t[i]));
    SHOW("cairn_random_index", int, cairn_random_index(&seed[i], 1000));
    SHOW("cairn_random_vec3", cairn_vec3, cairn_random_vec3(&seed[i]));
    SHOW("cairn_random_direction", cairn_vec3, cairn_random_direction(&seed[i]));
    SHOW("cairn_version_check", bool, cairn_version_check());
    SHOW("cairn_refuse_null", cairn_status, cairn_refuse_null(NULL, "the world"));
}

int main(void)
{
    draw();
    vectors();
    matrices();
    rotations();
    others();
    return 0;
}
