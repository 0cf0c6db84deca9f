// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Linear-time elimination on trees: does the time grow with the size, how far ahead of a dense
// factorization is it, what do auxiliary rows add, and where do other engines stand. The cases of
// Baraff (1996): 54 plane pins (108 multipliers), 48 pins with 6 pins that close loops (96 + 12),
// 32 ball joints with 3 contact rows (96 + 3), 127 ball joints (381).
//
// Times are the least of some repetitions. factor_us is one factor of everything, solve_us all
// that follows: the solve, and with auxiliary rows S, the small system and the final sweep.
// dense_us forms A = J M^-1 J^T (blocks that share a body) and solves by a dense L D L^T.

#include "linalg/ldl.h"
#include "peers/peers.h"
#include "suite.h"
#include "tree_cases.h"
#include <cairn/cairn.h>
#include <cairn/random.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifdef CAIRN_HAVE_OPENBLAS
#include <cblas.h>
void dposv_(const char* uplo, const int* n, const int* columns, double* A, const int* lda,
            double* b, const int* ldb, int* info);
#endif

void bench_tree(bench* b);

enum { largest_dense = 600 };

typedef enum shape { chain, star, binary, caterpillar, random_tree, shape_count } shape;
static const char* const shape_names[] = {"chain", "star", "binary", "caterpillar", "random"};

// a tree with all its numbers, and vectors to solve with
typedef struct figure {
    int bodies, constraints, dimension, rows;
    int* parent;
    cairn_tree* tree;
    cairn_arena vectors; // as the engine's own: large pages
    double* M;           // dimension² per body
    double* j;           // two blocks of rows x dimension per constraint: parent's, child's
    double *f, *c;       // right-hand sides
    double *y, *mul;     // answers
} figure;

static int parent_of(shape s, int i, cairn_random* random)
{
    switch (s) {
    case chain:
        return i - 1;
    case star:
        return 0;
    case binary:
        return (i - 1) / 2;
    case caterpillar:
        return i % 2 ? i - 1 : (i < 2 ? 0 : i - 2);
    default:
        return cairn_random_index(random, i);
    }
}

// the rows of a pin at arms r from the centers: identity and the arm, in the plane or in space
static void pin_rows(double* j, int dimension, double sign, cairn_vec3 r)
{
    memset(j, 0, (size_t)(dimension == 3 ? 6 : 18) * sizeof(double));
    if (dimension == 3) {
        j[0] = j[4] = sign;
        j[2] = -sign * r.y;
        j[5] = sign * r.x;
        return;
    }

    const cairn_vec3 e[3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    for (int k = 0; k < 3; k++) {
        cairn_vec3 turn = cairn_scale(sign, cairn_cross(r, e[k]));
        j[6 * k + k] = sign;
        j[6 * k + 3] = turn.x;
        j[6 * k + 4] = turn.y;
        j[6 * k + 5] = turn.z;
    }
}

static void fill_numbers(figure* g, cairn_random* random, double decades)
{
    int d = g->dimension, m = g->rows;

    // masses run from 10^-decades to 10^decades along the figure
    for (int i = 0; i < g->bodies; i++) {
        double* M = g->M + (ptrdiff_t)d * d * i;
        double scale = decades > 0.0 ? pow(10.0, decades * (2.0 * i / (g->bodies - 1) - 1.0)) : 1.0;
        double mass = scale * cairn_random_range(random, 0.5, 2.0);
        memset(M, 0, (size_t)(d * d) * sizeof(double));

        for (int k = 0; k < d; k++) {
            double turning = k >= (d == 3 ? 2 : 3) ? 0.1 : 1.0;
            M[(d + 1) * k] = mass * turning;
        }

        for (int k = 0; k < d; k++)
            g->f[(ptrdiff_t)d * i + k] = cairn_random_range(random, -1.0, 1.0);
    }

    for (int k = 0; k < g->constraints; k++) {
        double* j = g->j + (ptrdiff_t)2 * m * d * k;
        pin_rows(j, d, -1.0, cairn_scale(0.5, cairn_random_direction(random)));
        pin_rows(j + m * d, d, 1.0, cairn_scale(0.5, cairn_random_direction(random)));

        for (int r = 0; r < m; r++)
            g->c[(ptrdiff_t)m * k + r] = cairn_random_range(random, -1.0, 1.0);
    }
}

static void set_numbers(figure* g)
{
    int d = g->dimension, m = g->rows;
    for (int i = 0; i < g->bodies; i++)
        cairn_tree_set_mass(g->tree, i, g->M + (ptrdiff_t)d * d * i);
    for (int k = 0; k < g->constraints; k++) {
        const double* j = g->j + (ptrdiff_t)2 * m * d * k;
        cairn_tree_set_constraint(g->tree, k, j, j + m * d, NULL);
    }
}

static double* numbers(ptrdiff_t n)
{
    return malloc((size_t)n * sizeof(double) + 1);
}

static figure make_figure(shape s, int bodies, int dimension, double decades)
{
    cairn_random random = {(uint64_t)bodies};
    figure g = {.bodies = bodies, .constraints = bodies - 1, .dimension = dimension};
    int d = dimension, m = g.rows = dimension == 3 ? 2 : 3;
    int* dimensions = malloc((size_t)bodies * sizeof(int));
    cairn_tree_constraint* list = malloc((size_t)bodies * sizeof *list);
    g.parent = malloc((size_t)bodies * sizeof(int));

    // body 0 is the root
    for (int i = 0; i < bodies; i++) {
        dimensions[i] = d;
        g.parent[i] = i ? parent_of(s, i, &random) : -1;
        if (i)
            list[i - 1] = (cairn_tree_constraint){g.parent[i], i, m};
    }

    cairn_tree_topology topology = cairn_default_tree_topology();
    topology.body_count = bodies;
    topology.dimension = dimensions;
    topology.constraint_count = g.constraints;
    topology.constraints = list;
    if (cairn_tree_create(&topology, &g.tree, NULL) != CAIRN_OK)
        abort();

    // one block of memory for all vectors
    CAIRN_TAKE(&g.vectors, double, (ptrdiff_t)(d * d + 2 * m * d + 2 * d + 2 * m) * bodies);
    cairn_arena_reset(&g.vectors);
    g.M = CAIRN_TAKE(&g.vectors, double, (ptrdiff_t)d* d* bodies);
    g.j = CAIRN_TAKE(&g.vectors, double, (ptrdiff_t)2 * m * d * bodies);
    g.f = CAIRN_TAKE(&g.vectors, double, (ptrdiff_t)d* bodies);
    g.y = CAIRN_TAKE(&g.vectors, double, (ptrdiff_t)d* bodies);
    g.c = CAIRN_TAKE(&g.vectors, double, (ptrdiff_t)m* bodies);
    g.mul = CAIRN_TAKE(&g.vectors, double, (ptrdiff_t)m* bodies);

    fill_numbers(&g, &random, decades);
    free(dimensions);
    free(list);
    return g;
}

static void free_figure(figure* g)
{
    cairn_tree_destroy(g->tree);
    free(g->parent);
    cairn_arena_destroy(&g->vectors);
}

// ---------------------------------------------------------------- the dense route

// A_kl += j_k M^-1 j_l^T for one shared body; the mass matrices are diagonal
static void add_shared(double* A, const figure* g, int body, int k, const double* jk, int l,
                       const double* jl)
{
    int d = g->dimension, m = g->rows;
    ptrdiff_t n = (ptrdiff_t)m * g->constraints;
    const double* M = g->M + (ptrdiff_t)d * d * body;
    for (int r = 0; r < m; r++)
        for (int q = 0; q < m; q++) {
            double sum = 0.0;
            for (int i = 0; i < d; i++)
                sum += jk[d * r + i] * jl[d * q + i] / M[(d + 1) * i];
            A[n * (m * k + r) + m * l + q] += sum;
        }
}

static void form_dense(double* A, double* b, const figure* g)
{
    int d = g->dimension, m = g->rows;
    ptrdiff_t n = (ptrdiff_t)m * g->constraints;
    memset(A, 0, (size_t)(n * n) * sizeof(double));

    for (int k = 0; k < g->constraints; k++) {
        int ends[2] = {g->parent[k + 1], k + 1};
        const double* j = g->j + (ptrdiff_t)2 * m * d * k;

        // blocks of constraints that share a body
        for (int l = 0; l < g->constraints; l++)
            for (int x = 0; x < 2; x++)
                for (int y = 0; y < 2; y++)
                    if (ends[x] == (y ? l + 1 : g->parent[l + 1]))
                        add_shared(A, g, ends[x], k, j + m * d * x, l,
                                   g->j + (ptrdiff_t)2 * m * d * l + m * d * y);

        // b = -(J M^-1 f + c)
        for (int r = 0; r < m; r++) {
            double sum = g->c[m * k + r];
            for (int x = 0; x < 2; x++)
                for (int i = 0; i < d; i++)
                    sum += j[m * d * x + d * r + i] * g->f[d * ends[x] + i] /
                           g->M[(ptrdiff_t)d * d * ends[x] + (d + 1) * i];
            b[m * k + r] = -sum;
        }
    }
}

// both routes in microseconds; `difference` tells how far the multipliers are apart
static double dense_us(const figure* g, int repetitions, double* lapack, double* difference)
{
    int n = g->rows * g->constraints;
    cairn_arena arena = {0};
    cairn_ldl ldl;
    double* A = numbers((ptrdiff_t)n * n);
    double* x = numbers(n);
    double best = INFINITY;
    cairn_ldl_take(&ldl, n, &arena);
    *lapack = INFINITY;

    for (int k = 0; k < repetitions; k++) {
        double start = bench_clock();
        form_dense(A, x, g);
        cairn_ldl_factor(&ldl, A, (size_t)n, n, 0.0);
        cairn_ldl_solve(&ldl, x);
        best = fmin(best, bench_clock() - start);

        // the multipliers of both routes must agree
        *difference = 0.0;
        for (int i = 0; i < n; i++)
            *difference = fmax(*difference, fabs(x[i] - g->mul[i]));
#ifdef CAIRN_HAVE_OPENBLAS
        int one = 1, info;
        openblas_set_num_threads(1);
        start = bench_clock();
        form_dense(A, x, g);
        dposv_("L", &n, &one, A, &n, x, &n, &info);
        *lapack = fmin(*lapack, bench_clock() - start);
#endif
    }

    *lapack *= 1e6;
    free(A);
    free(x);
    cairn_arena_destroy(&arena);
    return 1e6 * best;
}

// ---------------------------------------------------------------- measuring

typedef struct timing {
    double set, factor, solve, dense, lapack, residual;
} timing;

// Seconds. Long stretches are timed by the processor, so that other programs do not count; for
// short ones, which are rarely interrupted, such a clock takes too long itself.
static double clock_for(const figure* g)
{
    struct timespec now;
    if (g->bodies < 1000)
        return bench_clock();
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static const timing no_timing = {.set = INFINITY, .factor = INFINITY, .solve = INFINITY};

// one repetition; least times stay
static void repeat(figure* g, timing* t)
{
    double start = clock_for(g);
    set_numbers(g);
    double set = clock_for(g);
    cairn_tree_factor(g->tree);
    double factored = clock_for(g);
    cairn_tree_solve(g->tree, g->f, g->c, 1, g->y, g->mul);
    double solved = clock_for(g);
    t->set = fmin(t->set, 1e6 * (set - start));
    t->factor = fmin(t->factor, 1e6 * (factored - set));
    t->solve = fmin(t->solve, 1e6 * (solved - factored));
}

static timing measure(figure* g, int repetitions)
{
    timing t = no_timing;
    for (int k = 0; k < repetitions; k++)
        repeat(g, &t);
    t.residual = cairn_tree_residual(g->tree, g->f, g->c, g->y, g->mul);
    return t;
}

static void add_row(bench* b, const char* name, const figure* g, int auxiliary, const timing* t)
{
    json_t* row = json_pack("{s:s, s:i, s:i, s:i, s:f, s:f}", "shape", name, "bodies", g->bodies,
                            "multipliers", g->rows * g->constraints, "auxiliary", auxiliary,
                            "factor_us", t->factor, "solve_us", t->solve);
    json_object_set_new(row, "dense_us", t->dense > 0.0 ? json_real(t->dense) : json_null());
    json_object_set_new(row, "residual", json_real(t->residual));
    bench_row(b, row);
}

static int repetitions_for(const bench* b, int bodies)
{
    int n = (b->quick ? 400000 : 4000000) / bodies;
    return n < 5 ? 5 : n > 2000 ? 2000 : n;
}

static void bench_shapes(bench* b)
{
    static const int sizes[] = {32, 128, 512, 1024, 4096, 16384, 65536, 131072};
    int count = (int)(sizeof sizes / sizeof sizes[0]) - (b->quick ? 2 : 0);

    for (shape s = chain; s < shape_count; s++) {
        double least = INFINITY, most = 0.0;
        if (!bench_reach(b, "%s of every size", shape_names[s]))
            continue;

        for (int k = 0; k < count; k++) {
            figure g = make_figure(s, sizes[k], 6, 0.0);
            timing t = measure(&g, repetitions_for(b, sizes[k]));
            double difference;
            if (g.rows * g.constraints <= largest_dense)
                t.dense = dense_us(&g, 3, &t.lapack, &difference);
            add_row(b, shape_names[s], &g, 0, &t);

            // small figures do not count for the growth
            double each = (t.factor + t.solve) / (g.rows * g.constraints);
            if (sizes[k] >= 1000) {
                least = fmin(least, each);
                most = fmax(most, each);
            }

            free_figure(&g);
        }

        bench_bound(b, most <= 1.5 * least,
                    "%s: %.1f to %.1f ns per multiplier from 1,024 bodies on (at most 1.5x)",
                    shape_names[s], 1e3 * least, 1e3 * most);
    }
}

// ---------------------------------------------------------------- auxiliary rows

// pins that close loops, or contact points on the floor, with the small system that they lead to
typedef struct closing {
    int count, rows; // blocks, rows of each
    cairn_tree_auxiliary* blocks;
    int* bodies;
    double* j;
    double *S, *s, *mu;
    cairn_ldl ldl;
    cairn_arena arena;
} closing;

// Block k ties the body `step` k before the last to the one `span` before it; a contact has the
// first alone.
static closing make_closing(const figure* g, int count, int rows, int step, int span)
{
    cairn_random random = {42};
    int d = g->dimension, ends = rows == 1 ? 1 : 2, size = ends * rows * d, n = count * rows;
    closing a = {.count = count, .rows = rows};

    a.blocks = CAIRN_TAKE_ZEROED(&a.arena, cairn_tree_auxiliary, count);
    a.bodies = CAIRN_TAKE(&a.arena, int, 2 * count);
    a.j = CAIRN_TAKE(&a.arena, double, count* size);
    a.S = CAIRN_TAKE(&a.arena, double, n* n);
    a.s = CAIRN_TAKE(&a.arena, double, n);
    a.mu = CAIRN_TAKE(&a.arena, double, n);

    if (cairn_ldl_take(&a.ldl, n, &a.arena) != CAIRN_OK || a.arena.failed)
        abort();

    for (int k = 0; k < count; k++) {
        double* j = a.j + (ptrdiff_t)size * k;
        double pin[18];
        a.bodies[2 * k] = g->bodies - 1 - step * k;
        a.bodies[2 * k + 1] = g->bodies - 1 - step * k - span;

        for (int end = 0; end < ends; end++) {
            pin_rows(pin, d, end ? -1.0 : 1.0, cairn_scale(0.5, cairn_random_direction(&random)));
            memcpy(j + end * rows * d, pin + (rows == 1 ? d * (d == 3 ? 1 : 2) : 0),
                   (size_t)(rows * d) * sizeof(double));
        }

        a.blocks[k] = (cairn_tree_auxiliary){
            .row_count = rows, .body_count = ends, .bodies = a.bodies + 2 * k, .j = j};
    }
    return a;
}

// loops: S μ = -s by L D L^T; contacts: v = S μ + s as a problem of frictionless contacts
static void solve_small(closing* a)
{
    int n = a->count * a->rows;
    if (a->rows > 1) {
        if (!cairn_ldl_factor(&a->ldl, a->S, (size_t)n, n, 1e-12))
            abort();
        for (int i = 0; i < n; i++)
            a->mu[i] = -a->s[i];
        cairn_ldl_solve(&a->ldl, a->mu);
        return;
    }

    cairn_lcp lcp = {.n = n, .M = a->S, .q = a->s};
    cairn_lcp_report report;
    cairn_solve_def def = cairn_default_solve_def();
    def.method = "pgs";
    def.tolerance = 1e-12;
    cairn_lcp_solve(&lcp, &def, a->mu, &report, NULL);
}

// one repetition; the residual is what is left of the auxiliary rows' velocities
static void repeat_closed(figure* g, closing* a, timing* t)
{
    cairn_tree_response* response;
    int n = a->count * a->rows;

    set_numbers(g);
    double start = bench_clock();
    cairn_tree_factor(g->tree);
    double factored = bench_clock();

    // S and s of the auxiliary rows, the small system, and the final sweep
    cairn_tree_load(g->tree, g->f, g->c);
    cairn_tree_response_create(g->tree, a->blocks, a->count, &response, NULL);
    cairn_tree_response_matrix(response, a->S);
    cairn_tree_response_offset(response, a->s);
    solve_small(a);
    cairn_tree_response_finish(response, a->mu, g->y, g->mul);
    double solved = bench_clock();

    t->factor = fmin(t->factor, 1e6 * (factored - start));
    t->solve = fmin(t->solve, 1e6 * (solved - factored));

    cairn_tree_response_velocity(response, g->y, a->s);
    t->residual = 0.0;
    for (int i = 0; i < n; i++) {
        double v = a->s[i];
        t->residual = fmax(t->residual, a->rows == 1 ? fmax(-v, fabs(v * a->mu[i])) : fabs(v));
    }
    cairn_tree_response_destroy(response);
}

// 12 loop rows against none. The three cases take turns, so that what else the machine does meets
// them alike.
static void bench_loops(bench* b, shape s, int step, int span, double bound)
{
    double difference;
    char name[64];
    figure whole = make_figure(s, 55, 3, 0.0), open = make_figure(s, 49, 3, 0.0);
    closing loops = make_closing(&open, 6, 2, step, span);
    timing none = no_timing, fewer = no_timing, closed = no_timing;

    for (int k = 0; k < (b->quick ? 1000 : 10000); k++) {
        repeat(&whole, &none);
        repeat_closed(&open, &loops, &closed);
        repeat(&open, &fewer);
    }

    fewer.residual = cairn_tree_residual(open.tree, open.f, open.c, open.y, open.mul);
    none.residual = cairn_tree_residual(whole.tree, whole.f, whole.c, whole.y, whole.mul);
    none.dense = dense_us(&whole, 3, &none.lapack, &difference);

    // 108 primary multipliers, 96, and 96 with 12 in loops
    snprintf(name, sizeof name, "plane-54%s", s == chain ? "-chain" : "");
    add_row(b, name, &whole, 0, &none);
    snprintf(name, sizeof name, "plane-48%s", s == chain ? "-chain" : "");
    add_row(b, name, &open, 0, &fewer);
    snprintf(name, sizeof name, "plane-48%s-loops", s == chain ? "-chain" : "");
    add_row(b, name, &open, 12, &closed);

    double with = closed.factor + closed.solve, without = none.factor + none.solve;
    double rest = fewer.factor + fewer.solve;
    bench_bound(
        b, with < bound * without,
        "12 loop rows in a %s: %.2f us against %.2f us with 108 primary multipliers (%.2fx, "
        "less than %.1fx) and %.2f us with 96 (%.2fx); published 3.2x",
        shape_names[s], with, without, with / without, bound, rest, with / rest);

    cairn_arena_destroy(&loops.arena);
    free_figure(&whole);
    free_figure(&open);
}

// The connectivity is not published. A balanced tree, six pairs of neighboring leaves pinned to
// each other, and the longest paths there are: a chain with six loops of four links, which may cost
// what was published.
static void bench_published(bench* b)
{
    bench_loops(b, binary, 2, 1, 1.5);
    bench_loops(b, chain, 8, 3, 3.2);

    double difference;
    figure g = make_figure(binary, 33, 6, 0.0);
    closing contacts = make_closing(&g, 3, 1, 2, 1);
    timing closed = no_timing;
    for (int k = 0; k < (b->quick ? 300 : 3000); k++)
        repeat_closed(&g, &contacts, &closed);
    closed.dense = dense_us(&g, 3, &closed.lapack, &difference);
    add_row(b, "space-32-contacts", &g, 3, &closed);
    cairn_arena_destroy(&contacts.arena);
    free_figure(&g);
}

// 127 ball joints as a binary tree and as a chain, against the dense routes
static void bench_largest_published(bench* b)
{
    static const shape shapes[] = {binary, chain};

    for (int k = 0; k < 2; k++) {
        figure g = make_figure(shapes[k], 128, 6, 0.0);
        timing t = measure(&g, b->quick ? 300 : 3000);
        double difference, ours = t.factor + t.solve;

        t.dense = dense_us(&g, b->quick ? 3 : 7, &t.lapack, &difference);
        add_row(b, k ? "space-127-chain" : "space-127-binary", &g, 0, &t);
        bench_bound(b, t.dense >= 40.0 * ours && difference < 1e-9,
                    "381 multipliers (%s): %.0fx faster than dense L D L^T (at least 40x), "
                    "multipliers agree to %.1e",
                    shape_names[shapes[k]], t.dense / ours, difference);

        if (isfinite(t.lapack))
            bench_say(b, "381 multipliers (%s): %.0fx faster than LAPACK on one core",
                      shape_names[shapes[k]], t.lapack / ours);
        bench_bound(b, ours < 80.0,
                    "381 multipliers: factor and solve in %.1f us (aim: 80), ratio "
                    "%.1f (published: 4)",
                    ours, t.factor / t.solve);

        free_figure(&g);
    }
}

static void bench_mass_ratio(bench* b)
{
    figure g = make_figure(chain, 101, 6, 6.0);
    timing t = measure(&g, 100);
    add_row(b, "chain-1e-6-to-1e6", &g, 0, &t);
    bench_bound(b, t.residual < 1e-9, "masses from 1e-6 to 1e6 along 100 links: residual %.1e",
                t.residual);
    free_figure(&g);
}

static void bench_peers(bench* b)
{
#ifdef CAIRN_HAVE_BULLET
    for (int k = 0; k < 2; k++) {
        figure g = make_figure(k ? binary : chain, k ? 128 : 101, 6, 0.0);
        timing t = measure(&g, b->quick ? 300 : 3000);
        double ours = t.set + t.factor + t.solve;
        double theirs = peer_bullet_us(g.parent, g.bodies, b->quick ? 300 : 3000);

        bench_bound(b, ours <= theirs,
                    "%s of %d joints: %.1f us with setting all numbers (%.1f), Bullet's multibody "
                    "%.1f us (%.2f us per link)",
                    k ? "binary tree" : "chain", g.bodies - 1, ours, t.set, theirs,
                    theirs / (g.bodies - 1));

        free_figure(&g);
    }
#endif
#ifdef CAIRN_HAVE_MUJOCO
    int links = b->quick ? 200 : 1000;
    figure g = make_figure(chain, links, 6, 0.0);
    timing t = measure(&g, 200);
    double ours = t.set + t.factor + t.solve, theirs = peer_mujoco_chain_us(links);

    if (theirs < 0.0)
        bench_say(b, "MuJoCo could not make the chain");
    else
        bench_bound(b, 10.0 * ours <= theirs,
                    "chain of %d links: %.0f us, one forward step of MuJoCo %.0f us (%.0fx, at "
                    "least 10x)",
                    links, ours, theirs, theirs / ours);

    free_figure(&g);
#endif
    (void)b;
}

void bench_tree(bench* b)
{
    static const struct {
        const char* name;
        void (*run)(bench* b);
    } parts[] = {{"the published figures", bench_published},
                 {"381 multipliers", bench_largest_published},
                 {"conjugate gradients", tree_gradients},
                 {"contacts by two methods", tree_contacts},
                 {"auxiliary rows on a chain", tree_auxiliary_rows},
                 {"masses from 1e-6 to 1e6", bench_mass_ratio},
                 {"Bullet and MuJoCo", bench_peers},
                 {"chains, trees and stars of every size", bench_shapes}};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        if (bench_reach(b, "%s", parts[i].name))
            parts[i].run(b);
}
