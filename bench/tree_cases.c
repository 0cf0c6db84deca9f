// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Comparisons of Baraff 1996 that take a method on each side. Conjugate gradients solve
//
//     J M^-1 J^T λ = -(c + J M^-1 f)
//
// without forming the matrix and without a preconditioner, to a relative residual of 1e-6; the
// publication names no accuracy. Set-up counts on both sides.

#include "tree_cases.h"
#include "linalg/ldl.h"
#include "timed_solve.h"
#include <cairn/cairn.h>
#include <cairn/random.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// ---------------------------------------------------------------- plane pins

enum { dimension = 3, pin_rows = 2, most_bodies = 64, most_pins = 64, most_loops = 8 };

// pins of a plane figure; the first `joints` of them form a tree, the others close loops
typedef struct pins {
    int bodies, joints, count;
    int ends[most_pins][2];
    double j[most_pins][2][pin_rows * dimension];
    double mass[dimension * most_bodies], inverse[dimension * most_bodies]; // diagonals
    double f[dimension * most_bodies], c[pin_rows * most_pins];
} pins;

static void place_pin(pins* p, int k, int a, int b, cairn_random* random)
{
    p->ends[k][0] = a;
    p->ends[k][1] = b;
    for (int end = 0; end < 2; end++) {
        double sign = end ? 1.0 : -1.0, x = cairn_random_range(random, -0.5, 0.5);
        double y = cairn_random_range(random, -0.5, 0.5);
        const double rows[] = {sign, 0.0, -sign * y, 0.0, sign, sign * x};
        memcpy(p->j[k][end], rows, sizeof rows);
    }
    for (int r = 0; r < pin_rows; r++)
        p->c[pin_rows * k + r] = cairn_random_range(random, -1.0, 1.0);
}

// a binary tree; loops pin neighboring leaves to each other
static pins make_pins(int joints, int loops)
{
    cairn_random random = {1996};
    pins p = {.bodies = joints + 1, .joints = joints, .count = joints + loops};
    for (int i = 0; i < dimension * p.bodies; i++) {
        double m = cairn_random_range(&random, 0.5, 2.0);
        p.mass[i] = i % dimension == 2 ? 0.1 * m : m;
        p.inverse[i] = 1.0 / p.mass[i];
        p.f[i] = cairn_random_range(&random, -1.0, 1.0);
    }

    for (int k = 0; k < joints; k++)
        place_pin(&p, k, k / 2, k + 1, &random);
    for (int k = 0; k < loops; k++)
        place_pin(&p, joints + k, joints - 2 * k - 1, joints - 2 * k, &random);
    return p;
}

// v = M^-1 (J^T λ), then out = J v
static void apply(double* out, const pins* p, const double* lambda)
{
    double v[dimension * most_bodies] = {0.0};
    for (int k = 0; k < p->count; k++)
        for (int end = 0; end < 2; end++)
            for (int r = 0; r < pin_rows; r++)
                for (int i = 0; i < dimension; i++)
                    v[dimension * p->ends[k][end] + i] +=
                        p->j[k][end][dimension * r + i] * lambda[pin_rows * k + r];
    for (int i = 0; i < dimension * p->bodies; i++)
        v[i] *= p->inverse[i];
    for (int k = 0; k < p->count; k++)
        for (int r = 0; r < pin_rows; r++) {
            double sum = 0.0;
            for (int end = 0; end < 2; end++)
                for (int i = 0; i < dimension; i++)
                    sum += p->j[k][end][dimension * r + i] * v[dimension * p->ends[k][end] + i];
            out[pin_rows * k + r] = sum;
        }
}

static void right_side(double* rhs, const pins* p)
{
    for (int k = 0; k < p->count; k++)
        for (int r = 0; r < pin_rows; r++) {
            double sum = p->c[pin_rows * k + r];
            for (int end = 0; end < 2; end++)
                for (int i = 0; i < dimension; i++) {
                    int at = dimension * p->ends[k][end] + i;
                    sum += p->j[k][end][dimension * r + i] * p->f[at] * p->inverse[at];
                }
            rhs[pin_rows * k + r] = -sum;
        }
}

static double dot(const double* a, const double* b, int n)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

// the number of iterations
static int conjugate_gradients(double* x, const pins* p)
{
    enum { most = pin_rows * most_pins, limit = 10 * most };
    const double accuracy = 1e-6;
    double r[most], d[most], Ad[most];
    int n = pin_rows * p->count, k = 0;

    right_side(r, p);
    memset(x, 0, (size_t)n * sizeof(double));
    memcpy(d, r, (size_t)n * sizeof(double));
    double now = dot(r, r, n), aim = accuracy * accuracy * now;

    for (; k < limit && now > aim; k++) {
        apply(Ad, p, d);
        double step = now / dot(d, Ad, n), before = now;
        for (int i = 0; i < n; i++) {
            x[i] += step * d[i];
            r[i] -= step * Ad[i];
        }

        // the new direction is conjugate to the last (Fletcher and Reeves)
        now = dot(r, r, n);
        for (int i = 0; i < n; i++)
            d[i] = r[i] + now / before * d[i];
    }

    return k;
}

// ---------------------------------------------------------------- the tree's side

typedef struct elimination {
    cairn_tree* tree;
    cairn_tree_auxiliary loops[most_loops];
    double loop_rows[most_loops][2 * pin_rows * dimension];
    cairn_ldl ldl;
    cairn_arena arena;
} elimination;

static void prepare(elimination* e, const pins* p)
{
    int dimensions[most_bodies];
    cairn_tree_constraint constraints[most_pins];

    for (int i = 0; i < p->bodies; i++)
        dimensions[i] = dimension;
    for (int k = 0; k < p->joints; k++)
        constraints[k] = (cairn_tree_constraint){p->ends[k][0], p->ends[k][1], pin_rows};

    cairn_tree_topology topology = cairn_default_tree_topology();
    topology.body_count = p->bodies;
    topology.dimension = dimensions;
    topology.constraint_count = p->joints;
    topology.constraints = constraints;

    memset(e, 0, sizeof *e);
    if (cairn_tree_create(&topology, &e->tree, NULL) != CAIRN_OK ||
        cairn_ldl_take(&e->ldl, pin_rows * most_loops, &e->arena) != CAIRN_OK)
        exit(2);

    // pins that close loops become auxiliary rows
    for (int k = p->joints; k < p->count; k++) {
        int loop = k - p->joints;
        memcpy(e->loop_rows[loop], p->j[k], sizeof p->j[k]);
        e->loops[loop] = (cairn_tree_auxiliary){
            .row_count = pin_rows, .body_count = 2, .bodies = p->ends[k], .j = e->loop_rows[loop]};
    }
}

static void eliminate(double* x, elimination* e, const pins* p)
{
    double y[dimension * most_bodies], M[dimension * dimension];

    for (int i = 0; i < p->bodies; i++) {
        memset(M, 0, sizeof M);
        for (int k = 0; k < dimension; k++)
            M[(dimension + 1) * k] = p->mass[dimension * i + k];
        cairn_tree_set_mass(e->tree, i, M);
    }

    for (int k = 0; k < p->joints; k++)
        cairn_tree_set_constraint(e->tree, k, p->j[k][0], p->j[k][1], NULL);
    cairn_tree_factor(e->tree);

    int loops = p->count - p->joints, n = pin_rows * loops;
    if (loops == 0) {
        cairn_tree_solve(e->tree, p->f, p->c, 1, y, x);
        return;
    }

    // auxiliary rows: S μ = -(s + c), then all of the rest
    enum { most = pin_rows * most_loops };
    double S[most * most], s[most], mu[most];
    cairn_tree_response* response;
    cairn_tree_load(e->tree, p->f, p->c);
    if (cairn_tree_response_create(e->tree, e->loops, loops, &response, NULL) != CAIRN_OK)
        exit(2);

    cairn_tree_response_matrix(response, S);
    cairn_tree_response_offset(response, s);
    cairn_ldl_factor(&e->ldl, S, (size_t)n, n, 1e-12);
    for (int i = 0; i < n; i++)
        mu[i] = -(s[i] + p->c[pin_rows * p->joints + i]);
    cairn_ldl_solve(&e->ldl, mu);

    cairn_tree_response_finish(response, mu, y, x);
    memcpy(x + pin_rows * p->joints, mu, (size_t)n * sizeof(double));
    cairn_tree_response_destroy(response);
}

static void against_gradients(bench* b, const char* name, int joints, int loops)
{
    pins p = make_pins(joints, loops);
    elimination e;
    double x[pin_rows * most_pins], z[pin_rows * most_pins], tree = INFINITY, cg = INFINITY;
    int n = pin_rows * p.count, iterations = 0;
    prepare(&e, &p);

    for (int k = 0; k < (b->quick ? 200 : 2000); k++) {
        double start = bench_clock();
        eliminate(x, &e, &p);
        double middle = bench_clock();
        iterations = conjugate_gradients(z, &p);

        cg = fmin(cg, bench_clock() - middle);
        tree = fmin(tree, middle - start);
    }

    // multipliers of both, relative to the largest
    double most = 0.0, apart = 0.0;
    for (int i = 0; i < n; i++) {
        most = fmax(most, fabs(x[i]));
        apart = fmax(apart, fabs(x[i] - z[i]));
    }

    bench_row(b, json_pack("{s:s, s:i, s:f, s:f, s:i, s:f}", "figure", name, "rows", n, "tree_us",
                           1e6 * tree, "cg_us", 1e6 * cg, "iterations", iterations, "apart",
                           apart / most));
    bench_bound(b, apart <= 1e-3 * most, "%s: multipliers agree to %.1e of the largest (1e-3)",
                name, apart / most);

    cairn_tree_destroy(e.tree);
    cairn_arena_destroy(&e.arena);
}

void tree_gradients(bench* b)
{
    against_gradients(b, "conjugate gradients, 108 rows", 54, 0);
    against_gradients(b, "conjugate gradients, 96 and 12 rows", 48, 6);
}

// ---------------------------------------------------------------- contacts

// 33 bodies in a binary tree of ball joints, three of its leaves on the floor
static cairn_problem figure_on_the_floor(void)
{
    enum { bodies = 33, contacts = 3 };
    cairn_random random = {1996};
    cairn_problem problem = cairn_problem_empty();
    cairn_row rows[3];
    double b[3];

    for (int i = 0; i < bodies; i++) {
        double m = cairn_random_range(&random, 0.5, 2.0);
        cairn_problem_add_body(&problem,
                               (cairn_mass){1.0 / m, cairn_mat3_diagonal(10.0, 10.0, 10.0)});
    }

    // joints from parent to child, then contacts of three leaves with the floor
    for (int i = 1; i < bodies + contacts; i++) {
        bool joint = i < bodies;
        cairn_block block = {.kind = joint ? CAIRN_BLOCK_JOINT : CAIRN_BLOCK_CONTACT,
                             .row_count = joint ? 3 : 1,
                             .body_a = joint ? (i - 1) / 2 : CAIRN_WORLD_BODY,
                             .body_b = joint ? i : bodies - 1 - 2 * (i - bodies)};

        cairn_contact_rows(joint ? cairn_random_direction(&random) : cairn_vec(0.0, 0.0, 1.0),
                           cairn_scale(0.5, cairn_random_direction(&random)),
                           cairn_scale(0.5, cairn_random_direction(&random)), block.row_count,
                           rows);

        for (int k = 0; k < 3; k++)
            b[k] = joint ? cairn_random_range(&random, -0.1, 0.1) : -1.0;
        cairn_problem_add_block(&problem, &block, rows, b);
    }

    return problem;
}

void tree_contacts(bench* b)
{
    static const char* const methods[] = {"tree", "dantzig"};
    cairn_problem problem = figure_on_the_floor();
    double us[2], residual[2];
    bool solved = true;
    for (int k = 0; k < 2; k++) {
        cairn_solve_def def = cairn_default_solve_def();
        def.method = methods[k];
        cairn_report report = timed_solve(NULL, &problem, def, b->quick ? 50 : 500);
        us[k] = 1e6 * report.seconds;
        residual[k] = report.residual.relative;
        solved = solved && report.outcome == CAIRN_OUTCOME_CONVERGED && !report.rescued_by;
    }

    bench_row(b, json_pack("{s:s, s:i, s:f, s:f, s:f, s:f}", "figure", "96 rows and 3 contacts",
                           "rows", problem.row_count, "tree_us", us[0], "dantzig_us", us[1],
                           "tree_residual", residual[0], "dantzig_residual", residual[1]));
    bench_bound(b, solved, "96 rows and 3 contacts: both methods solve by themselves");
    cairn_problem_destroy(&problem);
}

// ---------------------------------------------------------------- auxiliary rows

static double processor_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static cairn_tree* make_chain(int links)
{
    cairn_random random = {7};
    cairn_tree_constraint* list = malloc((size_t)links * sizeof *list);
    cairn_tree* tree = NULL;
    if (!list)
        exit(2);

    for (int i = 0; i < links; i++)
        list[i] = (cairn_tree_constraint){i - 1, i, 3};
    cairn_tree_topology topology = cairn_default_tree_topology();
    topology.body_count = topology.constraint_count = links;
    topology.constraints = list;
    if (cairn_tree_create(&topology, &tree, NULL) != CAIRN_OK)
        exit(2);

    for (int i = 0; i < links; i++) {
        double M[36] = {0.0}, j[2][18] = {{0.0}};
        for (int k = 0; k < 6; k++)
            M[7 * k] = (k < 3 ? 1.0 : 0.1) * cairn_random_range(&random, 0.5, 2.0);

        // both ends are pinned at half a length
        for (int end = 0; end < 2; end++) {
            cairn_row rows[3];
            cairn_vec3 arm = cairn_vec(end ? -0.5 : 0.5, 0.0, 0.0);
            cairn_contact_rows(cairn_vec(0.0, 0.0, 1.0), arm, arm, 3, rows);
            for (int r = 0; r < 3; r++)
                memcpy(j[end] + 6 * r, end ? rows[r].b : rows[r].a, 6 * sizeof(double));
        }

        cairn_tree_set_mass(tree, i, M);
        cairn_tree_set_constraint(tree, i, j[0], j[1], NULL);
    }

    free(list);
    cairn_tree_factor(tree);
    return tree;
}

void tree_auxiliary_rows(bench* b)
{
    enum { links = 4000, most = 256, runs = 3 };
    cairn_random random = {5};
    cairn_tree* tree = make_chain(links);
    cairn_tree_auxiliary* blocks = calloc(most, sizeof *blocks);
    int* bodies = malloc(most * sizeof(int));
    double *j = malloc(6 * most * sizeof(double)), *S = malloc(most * most * sizeof(double));
    double *s = malloc(most * sizeof(double)), *f = calloc(6 * links, sizeof(double));
    if (!blocks || !bodies || !j || !S || !s || !f)
        exit(2);

    for (int i = 0; i < 6 * most; i++)
        j[i] = cairn_random_range(&random, -1.0, 1.0);

    // one row on each of the last links
    for (int k = 0; k < most; k++) {
        bodies[k] = links - 1 - k;
        blocks[k] = (cairn_tree_auxiliary){
            .row_count = 1, .body_count = 1, .bodies = bodies + k, .j = j + 6 * k};
    }

    for (int k = 32; k <= most; k *= 2) {
        double least = INFINITY;
        for (int run = 0; run < runs; run++) {
            cairn_tree_response* response;

            double start = processor_now();
            cairn_tree_load(tree, f, NULL);
            if (cairn_tree_response_create(tree, blocks, k, &response, NULL) != CAIRN_OK)
                exit(2);

            cairn_tree_response_matrix(response, S);
            cairn_tree_response_offset(response, s);
            least = fmin(least, processor_now() - start);
            cairn_tree_response_destroy(response);
        }

        bench_row(b, json_pack("{s:s, s:i, s:i, s:f}", "figure", "auxiliary rows on a chain",
                               "links", (int)links, "k", k, "ms", 1e3 * least));
    }

    cairn_tree_destroy(tree);
    free(blocks);
    free(bodies);
    free(j);
    free(S);
    free(s);
    free(f);
}
