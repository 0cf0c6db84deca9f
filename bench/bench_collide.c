// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Collision: nanoseconds for one manifold of every pair of shapes, overlapping, near (within the
// margin) and far, each pair with its cache but without reuse of the manifold; and the broad phase
// for growing numbers of slowly moving boxes.

#include "suite.h"
#include <cairn/cairn.h>
#include <cairn/random.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { poses = 128 };

typedef struct zoo {
    cairn_shape shape[CAIRN_SHAPE_KIND_COUNT];
    cairn_hull* hull;
    cairn_mesh* mesh;
    cairn_height_field* field;
    cairn_compound* compound;
} zoo;

static cairn_quat random_rotation(cairn_random* random)
{
    return cairn_quat_from_rotation_vector(
        cairn_scale(cairn_random_range(random, 0.0, 3.0), cairn_random_direction(random)));
}

// ---------------------------------------------------------------- shapes of about half a meter

// random points on a sphere until the hull has 32 faces, more or less
static cairn_hull* make_hull(cairn_random* random)
{
    cairn_vec3 points[18];
    cairn_hull* hull = NULL;
    for (int i = 0; i < 18; i++)
        points[i] = cairn_scale(0.5, cairn_random_direction(random));
    cairn_hull_create(points, 18, 0.0, &hull, NULL);
    return hull;
}

enum { grid = 21 };

static double hill(int i, int j)
{
    return 0.2 * sin(0.7 * i) * cos(0.5 * j);
}

static cairn_mesh* make_mesh(void)
{
    static cairn_vec3 vertices[grid * grid];
    static int triangles[6 * (grid - 1) * (grid - 1)];
    int count = 0;
    for (int j = 0; j < grid; j++)
        for (int i = 0; i < grid; i++)
            vertices[j * grid + i] = cairn_vec(0.3 * i - 3.0, 0.3 * j - 3.0, hill(i, j));
    for (int j = 0; j + 1 < grid; j++) {
        for (int i = 0; i + 1 < grid; i++) {
            int a = j * grid + i;
            int cell[6] = {a, a + 1, a + grid + 1, a, a + grid + 1, a + grid};
            memcpy(&triangles[6 * count++], cell, sizeof cell);
        }
    }

    cairn_mesh_def def = {vertices, grid * grid, triangles, 2 * count};
    cairn_mesh* mesh = NULL;
    cairn_mesh_create(&def, &mesh, NULL);
    return mesh;
}

static cairn_height_field* make_field(void)
{
    double heights[grid * grid];
    for (int i = 0; i < grid * grid; i++)
        heights[i] = hill(i % grid, i / grid);
    cairn_height_field_def def = {grid, grid, 0.3, 0.3, heights};
    cairn_height_field* field = NULL;
    cairn_height_field_create(&def, &field, NULL);
    return field;
}

// a jack: three crossed bars
static cairn_compound* make_jack(void)
{
    cairn_shape bar[3] = {cairn_shape_box(cairn_vec(0.5, 0.1, 0.1)),
                          cairn_shape_box(cairn_vec(0.1, 0.5, 0.1)),
                          cairn_shape_box(cairn_vec(0.1, 0.1, 0.5))};
    cairn_transform at[3] = {cairn_transform_identity(), cairn_transform_identity(),
                             cairn_transform_identity()};
    cairn_compound* jack = NULL;
    cairn_compound_create(bar, at, 3, &jack, NULL);
    return jack;
}

static void make_zoo(zoo* z)
{
    cairn_random random = {4};
    z->hull = make_hull(&random);
    z->mesh = make_mesh();
    z->field = make_field();
    z->compound = make_jack();
    z->shape[CAIRN_SHAPE_SPHERE] = cairn_shape_sphere(0.5);
    z->shape[CAIRN_SHAPE_CAPSULE] = cairn_shape_capsule(0.25, 0.4);
    z->shape[CAIRN_SHAPE_BOX] = cairn_shape_box(cairn_vec(0.5, 0.4, 0.3));
    z->shape[CAIRN_SHAPE_CYLINDER] = cairn_shape_cylinder(0.4, 0.4);
    z->shape[CAIRN_SHAPE_HULL] = cairn_shape_hull(z->hull);
    z->shape[CAIRN_SHAPE_HALF_SPACE] = cairn_shape_half_space();
    z->shape[CAIRN_SHAPE_MESH] = cairn_shape_mesh(z->mesh);
    z->shape[CAIRN_SHAPE_HEIGHT_FIELD] = cairn_shape_height_field(z->field);
    z->shape[CAIRN_SHAPE_COMPOUND] = cairn_shape_compound(z->compound);
}

static void destroy_zoo(zoo* z)
{
    cairn_hull_destroy(z->hull);
    cairn_mesh_destroy(z->mesh);
    cairn_height_field_destroy(z->field);
    cairn_compound_destroy(z->compound);
}

// ---------------------------------------------------------------- pairs

typedef struct sample {
    cairn_transform xa, xb;
    cairn_contacts contacts;
} sample;

static bool is_wide(cairn_shape_kind kind)
{
    return kind >= CAIRN_SHAPE_HALF_SPACE && kind <= CAIRN_SHAPE_HEIGHT_FIELD;
}

// B comes towards A until the gap is what was asked for
static void place(sample* s, cairn_random* random, const cairn_shape* a, const cairn_shape* b,
                  double gap)
{
    cairn_vec3 d = cairn_random_direction(random);
    s->xa = (cairn_transform){cairn_random_vec3(random), random_rotation(random)};
    s->xb = (cairn_transform){cairn_add_scaled(s->xa.p, 3.0, d), random_rotation(random)};
    if (is_wide(a->kind)) {
        cairn_vec3 over = cairn_random_vec3(random);
        double shift = a->kind == CAIRN_SHAPE_HEIGHT_FIELD ? 3.0 : 0.0;
        s->xa = cairn_transform_identity();
        s->xb.p = cairn_vec(2.0 * over.x + shift, 2.0 * over.y + shift, 3.0);
        d = cairn_vec(0.0, 0.0, 1.0);
    }

    for (int i = 0; i < 30; i++) {
        double off = cairn_distance(a, s->xa, b, s->xb).gap - gap;
        if (off < 1e-4)
            break;
        s->xb.p = cairn_add_scaled(s->xb.p, -off, d);
    }
}

// nanoseconds for one call, the best of several passes over all poses
static double time_pair(const cairn_shape* a, const cairn_shape* b, double gap, bool quick)
{
    static sample samples[poses];
    cairn_random random = {9};
    cairn_collide_def def = cairn_default_collide_def();
    def.reuse = 0.0;
    def.margin = 0.02;

    for (int i = 0; i < poses; i++) {
        samples[i].contacts = (cairn_contacts){0};
        place(&samples[i], &random, a, b, gap);
    }

    double best = 1e9;
    for (int pass = 0; pass < (quick ? 5 : 40); pass++) {
        double start = bench_clock();
        for (int i = 0; i < poses; i++)
            cairn_collide(&samples[i].contacts, a, samples[i].xa, b, samples[i].xb, &def);
        double seconds = bench_clock() - start;
        // the first pass warms the caches
        if (pass > 0 && seconds < best)
            best = seconds;
    }

    for (int i = 0; i < poses; i++)
        cairn_contacts_destroy(&samples[i].contacts);
    return 1e9 * best / poses;
}

static void bench_pairs(bench* b)
{
    zoo z;
    char name[64];

    make_zoo(&z);
    for (int i = 0; i < CAIRN_SHAPE_KIND_COUNT; i++) {
        for (int k = i; k < CAIRN_SHAPE_KIND_COUNT; k++) {
            if (is_wide((cairn_shape_kind)i) && is_wide((cairn_shape_kind)k))
                continue;

            // surfaces as A
            int first = is_wide((cairn_shape_kind)k) ? k : i, second = first == k ? i : k;
            const cairn_shape *sa = &z.shape[first], *sb = &z.shape[second];

            snprintf(name, sizeof name, "%s-%s", cairn_shape_name((cairn_shape_kind)i),
                     cairn_shape_name((cairn_shape_kind)k));

            double overlap = time_pair(sa, sb, -0.01, b->quick);
            double near = time_pair(sa, sb, 0.01, b->quick);
            double far = time_pair(sa, sb, 0.5, b->quick);
            bench_row(b, json_pack("{s:s, s:f, s:f, s:f}", "pair", name, "ns_overlap", overlap,
                                   "ns_near", near, "ns_far", far));

            if (i == CAIRN_SHAPE_BOX && k == CAIRN_SHAPE_BOX)
                bench_bound(b, overlap <= 250.0, "box-box %.0f ns (aim 250)", overlap);
            if (i == CAIRN_SHAPE_HULL && k == CAIRN_SHAPE_HULL)
                bench_bound(b, overlap <= 1500.0, "hull-hull with %d faces %.0f ns (aim 1500)",
                            z.hull->face_count, overlap);
        }
    }

    destroy_zoo(&z);
}

// ---------------------------------------------------------------- broad phase

typedef struct crowd {
    int count;
    cairn_vec3 *p, *v;
    int* proxy;
    cairn_broad* broad;
} crowd;

static cairn_aabb box_at(cairn_vec3 p)
{
    cairn_vec3 h = cairn_vec(0.5, 0.5, 0.5);
    return (cairn_aabb){cairn_sub(p, h), cairn_add(p, h)};
}

static double build_crowd(crowd* c, int count)
{
    cairn_random random = {3};
    int side = (int)ceil(cbrt(count));
    cairn_filter filter = cairn_default_filter();
    *c = (crowd){count, malloc((size_t)count * sizeof *c->p), malloc((size_t)count * sizeof *c->v),
                 malloc((size_t)count * sizeof(int)), cairn_broad_create(0.1)};
    // a loose packing: unit boxes at a pitch of 1.15, moving at up to 1 m/s
    for (int i = 0; i < count; i++) {
        cairn_vec3 cell = cairn_vec(i % side, i / side % side, i / side / side);
        c->p[i] = cairn_add_scaled(cairn_scale(1.15, cell), 0.1, cairn_random_vec3(&random));
        c->v[i] = cairn_random_vec3(&random);
    }

    double start = bench_clock();
    for (int i = 0; i < count; i++)
        c->proxy[i] = cairn_broad_add(c->broad, box_at(c->p[i]), &filter);
    cairn_broad_update(c->broad);
    return bench_clock() - start;
}

// one step of 1/60 s; boxes turn back after a while so that the packing stays what it is
static double step_crowd(crowd* c, int step)
{
    double start = bench_clock(), dt = step / 15 % 2 ? -1.0 / 60.0 : 1.0 / 60.0;
    for (int i = 0; i < c->count; i++) {
        cairn_vec3 d = cairn_scale(dt, c->v[i]);
        c->p[i] = cairn_add(c->p[i], d);
        cairn_broad_move(c->broad, c->proxy[i], box_at(c->p[i]), d);
    }
    cairn_broad_update(c->broad);
    return bench_clock() - start;
}

static void bench_broad(bench* b)
{
    static const int counts[] = {1000, 10000, 100000};
    for (int k = 0; k < 3; k++) {
        enum { steps = 60 };
        crowd c;
        double build = build_crowd(&c, counts[k]), update = 0.0;
        int pairs;

        // the mean: the boxes began together, so that many leave their fat boxes in the same step
        for (int i = 0; i < steps; i++)
            update += step_crowd(&c, i) / steps;

        cairn_broad_pairs(c.broad, &pairs);
        bench_row(b, json_pack("{s:s, s:i, s:i, s:f, s:f}", "broad", "boxes", "bodies", c.count,
                               "pairs", pairs, "build_ms", 1e3 * build, "update_ms", 1e3 * update));
        if (counts[k] == 100000)
            bench_bound(b, update < 0.015, "update of 100000 boxes %.1f ms (aim 15)", 1e3 * update);

        free(c.p);
        free(c.v);
        free(c.proxy);
        cairn_broad_destroy(c.broad);
    }
}

void bench_collide(bench* b)
{
    bench_pairs(b);
    bench_broad(b);
}
