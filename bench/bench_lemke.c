// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Lloyd's three experiments (2004): a peg in a hole with 8 to 32 contacts, arrangements of one body
// on 1 to 16 contacts, and ten stacks of one to five blocks on 4 to 32; friction pyramids of 8
// facets, μ in 0.2..0.3, 200 random wrenches each, by the three variants of Lemke's method that the
// paper compares and by ours (`reduced`; the paper's own is `published`). Times are those of the
// variant alone (from the scaled rows to the impulses, memory prepared), the least of some
// repetitions, averaged over the wrenches. Then columns of up to 32 blocks on eight contacts each,
// and many random pegs and stacks, through the front door, each certified.

#include "solve/pivot/lemke.h"
#include "stopwatch.h"
#include "suite.h"
#include <cairn/cairn.h>
#include <cairn/random.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void bench_lemke(bench* b);

static const double pi = 3.14159265358979323846;

enum { variant_count = 4 };

static const char* const variant_names[variant_count] = {"reduced", "structural", "standard",
                                                         "published"};

// ---------------------------------------------------------------- geometry

static cairn_mass box_mass(double mass, double x, double y, double z)
{
    return (cairn_mass){1.0 / mass, cairn_mat3_diagonal(12.0 / (mass * (y * y + z * z)),
                                                        12.0 / (mass * (z * z + x * x)),
                                                        12.0 / (mass * (x * x + y * y)))};
}

// a contact at arms r_a, r_b of bodies a and b with normal n from a to b
static void touch(cairn_problem* problem, int a, int b, cairn_vec3 n, cairn_vec3 r_a,
                  cairn_vec3 r_b)
{
    const double none[3] = {0.0, 0.0, 0.0};
    cairn_row rows[3];
    cairn_block block = {.kind = CAIRN_BLOCK_CONTACT,
                         .row_count = 3,
                         .body_a = a,
                         .body_b = b,
                         .friction = cairn_friction_cone(0.25)};
    cairn_contact_rows(cairn_normalize(n), r_a, r_b, 3, rows);
    cairn_problem_add_block(problem, &block, rows, none);
}

// a contact of the world with body 0 at r
static void rest(cairn_problem* problem, cairn_vec3 n, cairn_vec3 r)
{
    touch(problem, CAIRN_WORLD_BODY, 0, n, r, r);
}

// four corners of a face: center c, half edges u and v
static void rest_face(cairn_problem* problem, cairn_vec3 n, cairn_vec3 c, cairn_vec3 u,
                      cairn_vec3 v)
{
    for (int k = 0; k < 4; k++)
        rest(problem, n,
             cairn_add_scaled(cairn_add_scaled(c, k == 0 || k == 3 ? 1.0 : -1.0, u),
                              k < 2 ? 1.0 : -1.0, v));
}

// a ring of contacts of radius r at height z; normals lean inwards by `slope` (0: horizontal)
static void rest_ring(cairn_problem* problem, int count, double r, double z, double slope,
                      double twist)
{
    for (int k = 0; k < count; k++) {
        double angle = 2.0 * pi * (k + twist) / count;
        cairn_vec3 out = cairn_vec(cos(angle), sin(angle), 0.0);
        rest(problem, cairn_sub(cairn_vec(0.0, 0.0, slope), out),
             cairn_add_scaled(cairn_vec(0.0, 0.0, z), r, out));
    }
}

static cairn_problem make_peg(int contacts, double twist)
{
    cairn_problem problem = cairn_problem_empty();
    cairn_problem_add_body(&problem, box_mass(360.0, 0.6, 0.6, 1.0));
    rest_ring(&problem, contacts / 2, 0.3, -0.4, 0.0, 0.0);
    rest_ring(&problem, contacts - contacts / 2, 0.3, 0.4, 0.0, twist);
    return problem;
}

enum { single_count = 14 };

static const char* const single_names[single_count] = {
    "face on face",  "ball in rim",        "block in groove", "block on rails",
    "cone in hole",  "block in channel",   "block in corner", "prism in hole",
    "block in slot", "peg in square hole", "point on face",   "edge on face",
    "tripod",        "square on face"};

static cairn_problem make_single(int which)
{
    cairn_problem p = cairn_problem_empty();
    const cairn_vec3 x = {0.5, 0.0, 0.0}, y = {0.0, 0.5, 0.0}, z = {0.0, 0.0, 0.5};
    cairn_problem_add_body(&p, box_mass(1000.0, 1.0, 1.0, 1.0));

    switch (which) {
    case 0: // an octagon, as two squares overlap
        for (int k = 0; k < 8; k++)
            rest(&p, z,
                 cairn_vec(0.5 * cos(pi * (k + 0.5) / 4), 0.5 * sin(pi * (k + 0.5) / 4), -0.5));
        break;
    case 1:
        rest_ring(&p, 8, 0.4, -0.3, 0.75, 0.0);
        break;
    case 2: // a V along x
        for (int side = -1; side <= 1; side += 2)
            rest_face(&p, cairn_vec(0.0, -side, 1.0), cairn_vec(0.0, 0.25 * side, -0.25), x,
                      cairn_vec(0.0, 0.2 * side, 0.2));
        break;
    case 3: // four points on each of two rails
        for (int k = 0; k < 8; k++)
            rest(&p, z, cairn_vec(k % 4 * 0.3 - 0.45, k < 4 ? 0.4 : -0.4, -0.5));
        break;
    case 4:
        rest_ring(&p, 10, 0.4, 0.2, 0.3, 0.0);
        break;
    case 5: // a floor and one wall, with two points more where they meet
        rest_face(&p, z, cairn_neg(z), x, y);
        rest_face(&p, y, cairn_neg(y), x, z);
        for (int k = -1; k <= 1; k += 2)
            rest(&p, cairn_add(y, z), cairn_vec(0.25 * k, -0.5, -0.5));
        break;
    case 6: // three faces of four
        rest_face(&p, z, cairn_neg(z), x, y);
        rest_face(&p, y, cairn_neg(y), x, z);
        rest_face(&p, x, cairn_neg(x), y, z);
        break;
    case 7: // three walls of a triangular hole
        for (int k = 0; k < 3; k++) {
            double angle = 2.0 * pi * k / 3;
            cairn_vec3 out = cairn_vec(cos(angle), sin(angle), 0.0);
            rest_face(&p, cairn_neg(out), cairn_scale(0.3, out),
                      cairn_vec(-0.4 * out.y, 0.4 * out.x, 0.0), z);
        }
        break;
    case 8: // a floor, two walls, and the ends of a groove in the floor
        rest_face(&p, z, cairn_neg(z), x, y);
        rest_face(&p, y, cairn_neg(y), x, z);
        rest_face(&p, cairn_neg(y), y, x, z);
        rest(&p, x, cairn_vec(-0.5, 0.2, 0.0));
        rest(&p, x, cairn_vec(-0.5, -0.2, 0.0));
        break;
    case 10:
    case 11:
    case 12:
    case 13: // one to four points on a circle below
        for (int k = 0; k < which - 9; k++)
            rest(&p, z,
                 cairn_vec(0.5 * cos(2.0 * pi * k / (which - 9)),
                           0.5 * sin(2.0 * pi * k / (which - 9)), -0.5));
        break;
    default: // four walls
        rest_face(&p, y, cairn_neg(y), x, z);
        rest_face(&p, cairn_neg(y), y, x, z);
        rest_face(&p, x, cairn_neg(x), y, z);
        rest_face(&p, cairn_neg(x), x, y, z);
        break;
    }

    return p;
}

// cubes, every other one turned by `turn`: 4 contacts below the first and between the upper ones, 8
// between the lowest `crossed` pairs
static cairn_problem make_stack(int blocks, int crossed, double turn)
{
    cairn_problem p = cairn_problem_empty();
    const cairn_vec3 up = {0.0, 0.0, 1.0};
    for (int m = 0; m < blocks; m++) {
        cairn_problem_add_body(&p, box_mass(1000.0, 1.0, 1.0, 1.0));
        int step = m == 0 || m <= crossed ? 1 : 2;
        for (int k = 0; k < (m == 0 ? 4 : 8); k += step) {
            // corners of the octagon in which squares turned by `turn` overlap
            double at = m == 0 ? pi / 4 * (2 * k + 1)
                               : pi / 2 * (k / 2) + (k % 2 ? -0.5 : 0.5) * (pi / 2 - turn);
            double r = m == 0 ? sqrt(0.5) : 0.5 / cos(0.5 * (pi / 2 - turn));
            at += m == 0 || m % 2 ? 0.0 : turn;
            cairn_vec3 low = cairn_vec(r * cos(at), r * sin(at), -0.5);
            touch(&p, m == 0 ? CAIRN_WORLD_BODY : m - 1, m, up, cairn_vec(low.x, low.y, 0.5), low);
        }
    }
    return p;
}

// friction coefficients and b = J v: every body falls, the last one gets a random twist
static void load_problem(cairn_problem* problem, double fall, cairn_random* random)
{
    double push[6];

    for (int k = 0; k < 6; k++)
        push[k] = cairn_random_range(random, -1.0, 1.0);

    for (int c = 0; c < problem->block_count; c++) {
        cairn_block* block = &problem->blocks[c];
        block->friction.mu[0] = block->friction.mu[1] = cairn_random_range(random, 0.2, 0.3);
        for (int i = block->row; i < block->row + block->row_count; i++) {
            const cairn_row* row = &problem->rows[i];

            // every body falls
            double v = 0.0;
            if (block->body_a >= 0)
                v -= fall * row->a[2];
            if (block->body_b >= 0)
                v -= fall * row->b[2];

            // the last one has the random twist too
            for (int k = 0; k < 6; k++) {
                v += block->body_a == problem->body_count - 1 ? push[k] * row->a[k] : 0.0;
                v += block->body_b == problem->body_count - 1 ? push[k] * row->b[k] : 0.0;
            }

            problem->b[i] = v;
        }
    }
}

// ---------------------------------------------------------------- measuring

typedef struct figures {
    double us, pivots, residual;
    int failures, kernel;
} figures;

// one variant on one problem; scratch stays in the arena
static void measure(figures* out, const cairn_problem* problem, cairn_lemke_variant variant,
                    int repetitions, cairn_arena* arena)
{
    cairn_solve_def def = cairn_default_solve_def();
    cairn_report report = {0};
    cairn_error error;
    cairn_job job = {.problem = problem, .def = &def, .arena = arena, .report = &report};
    cairn_lemke_attempt attempt = {0};
    cairn_residual residual = {.relative = INFINITY};
    double best = INFINITY;

    cairn_arena_reset(arena);
    job.lambda = CAIRN_TAKE(arena, double, problem->row_count);
    cairn_delassus_prepare(&job.A, problem, arena);
    for (int k = 0; k < repetitions; k++) {
        cairn_lemke_form form;
        cairn_arena_mark mark = cairn_arena_here(arena);

        double started = bench_clock();
        cairn_status status = cairn_lemke_form_make(&form, &job, &error);
        if (status == CAIRN_OK)
            status = cairn_lemke_try(&attempt, &job, &form, variant);

        best = fmin(best, bench_clock() - started);
        cairn_arena_release(arena, mark);
        if (status != CAIRN_OK)
            attempt.outcome = CAIRN_OUTCOME_SINGULAR;
    }

    // the certificate of the last repetition
    cairn_problem_residual(problem, job.lambda, CAIRN_LAW_PYRAMID, def.facets, &residual);
    out->us += 1e6 * best;
    out->pivots += attempt.pivots;
    out->residual = fmax(out->residual, residual.relative);
    out->failures += attempt.outcome != CAIRN_OUTCOME_CONVERGED || !(residual.relative < 1e-8);
    out->kernel = attempt.kernel > out->kernel ? attempt.kernel : out->kernel;
}

static void measure_case(bench* b, const char* experiment, cairn_problem* problem, double fall,
                         figures* out)
{
    cairn_arena arena = {0};
    cairn_random random = {17};
    int wrenches = b->quick ? 40 : 200;
    memset(out, 0, variant_count * sizeof *out);
    for (int k = 0; k < wrenches; k++) {
        load_problem(problem, fall, &random);
        for (int v = 0; v < variant_count; v++)
            measure(&out[v], problem, (cairn_lemke_variant)v, v == CAIRN_LEMKE_STANDARD ? 2 : 7,
                    &arena);
    }

    // times first, then the rest, so that a table shows them side by side
    json_t* row = json_pack("{s:s, s:i, s:i}", "experiment", experiment, "bodies",
                            problem->body_count, "contacts", problem->block_count);
    for (int v = variant_count - 1; v >= 0; v--) {
        char key[64];
        out[v].us /= wrenches;
        snprintf(key, sizeof key, "%s_us", variant_names[v]);
        json_object_set_new(row, key, json_real(out[v].us));
    }

    for (int v = variant_count - 1; v >= 0; v--) {
        char key[64];
        snprintf(key, sizeof key, "%s_pivots", variant_names[v]);
        json_object_set_new(row, key, json_real(out[v].pivots / wrenches));
        snprintf(key, sizeof key, "%s_residual_max", variant_names[v]);
        json_object_set_new(row, key, json_real(out[v].residual));
        snprintf(key, sizeof key, "%s_failures", variant_names[v]);
        json_object_set_new(row, key, json_integer(out[v].failures));
    }

    json_object_set_new(row, "kernel", json_integer(out[CAIRN_LEMKE_REDUCED].kernel));
    bench_row(b, row);
    cairn_arena_destroy(&arena);
}

// ---------------------------------------------------------------- many random problems

typedef struct crowd {
    int problems, failures, helped;
    double residual, us, pivots;
} crowd;

static void certify(crowd* out, const cairn_problem* problem, double* lambda,
                    cairn_workspace* workspace)
{
    cairn_solve_def def = cairn_default_solve_def();
    cairn_report report;
    cairn_error error;
    def.method = "lemke";
    def.workspace = workspace;
    out->problems++;
    if (cairn_solve(problem, &def, lambda, &report, &error) != CAIRN_OK) {
        out->failures++;
        return;
    }
    out->residual = fmax(out->residual, report.residual.relative);
    out->failures +=
        report.outcome != CAIRN_OUTCOME_CONVERGED || !(report.residual.relative < 1e-8);
    out->helped += report.note[0] != '\0';
    out->us += 1e6 * report.seconds;
    out->pivots += report.pivots;
}

static void run_crowd(bench* b, const char* experiment, int problems, bool stacks)
{
    if (!bench_reach(b, "%s", experiment))
        return;

    cairn_random random = {stacks ? 23u : 19u};
    cairn_workspace* workspace = cairn_workspace_create();
    crowd all = {0};
    double* lambda = calloc(3 * 64, sizeof(double));

    // ten loads for each problem
    for (int k = 0; k < problems; k += 10) {
        cairn_problem problem =
            stacks ? make_stack(1 + cairn_random_index(&random, 5), 4,
                                cairn_random_range(&random, 0.1, pi / 2 - 0.1))
                   : make_peg(8 + cairn_random_index(&random, 25), cairn_random_unit(&random));

        for (int l = 0; l < 10 && lambda && workspace; l++) {
            load_problem(&problem, stacks ? 0.1 : 0.0, &random);
            certify(&all, &problem, lambda, workspace);
        }
        cairn_problem_destroy(&problem);
    }

    bench_row(b,
              json_pack("{s:s, s:i, s:f, s:f, s:f, s:i, s:i}", "experiment", experiment, "problems",
                        all.problems, "reduced_us", all.us / all.problems, "reduced_pivots",
                        all.pivots / all.problems, "reduced_residual_max", all.residual,
                        "reduced_failures", all.failures, "fall_backs", all.helped));
    bench_bound(b, all.failures == 0 && all.problems >= problems,
                "%s: %d problems, %d failures (bound: 0)", experiment, all.problems, all.failures);

    free(lambda);
    cairn_workspace_destroy(workspace);
}

// ---------------------------------------------------------------- columns

// m blocks on 8 m - 4 contacts: how the method grows with the bodies
static void run_column(bench* b, int blocks)
{
    enum { columns = 6, time_limit = 5 };
    if (!bench_reach(b, "columns of %d", blocks))
        return;

    cairn_random random = {29};
    cairn_solve_def def = cairn_default_solve_def();
    cairn_report report;
    double ms[columns], pivots = 0.0, residual = 0.0;
    int solved = 0, count = b->quick ? 2 : columns;
    double* lambda = calloc((size_t)(24 * blocks), sizeof(double));

    def.method = "lemke";
    def.time_limit = time_limit;
    def.workspace = cairn_workspace_create();

    for (int k = 0; k < count && lambda; k++) {
        cairn_problem problem = make_stack(blocks, blocks, cairn_random_range(&random, 0.2, 1.3));
        load_problem(&problem, 0.1, &random);

        // through the front door, certificate included
        stopwatch watch = stopwatch_start();
        cairn_solve(&problem, &def, lambda, &report, NULL);
        ms[k] = stopwatch_read(&watch);

        solved += report.outcome == CAIRN_OUTCOME_CONVERGED && report.residual.relative < 1e-8;
        pivots += report.pivots;
        residual = fmax(residual, report.residual.relative);
        cairn_problem_destroy(&problem);
    }

    bench_row(b, json_pack("{s:s, s:i, s:i, s:i, s:i, s:f, s:f, s:f}", "experiment", "column",
                           "bodies", blocks, "contacts", 8 * blocks - 4, "columns", count, "solved",
                           solved, "ms", bench_median(ms, count), "pivots", pivots / count,
                           "residual_max", residual));

    cairn_workspace_destroy(def.workspace);
    free(lambda);
}

// ---------------------------------------------------------------- the suite

static void check_pegs(bench* b, const figures (*peg)[variant_count])
{
    double few = peg[0][0].us, middle = peg[2][0].us, many = peg[6][0].us;
    bench_bound(b, peg[6][2].us / many >= 40.0, "32 contacts: standard / reduced = %.1f (>= 40)",
                peg[6][2].us / many);
    bench_bound(b, peg[6][1].us / many >= 4.0, "32 contacts: structural / reduced = %.1f (>= 4)",
                peg[6][1].us / many);
    bench_bound(b, many / few <= 5.0, "reduced grows by %.2f from 8 to 32 contacts (<= 5)",
                many / few);
    bench_say(b, "reduced: %.1f, %.1f and %.1f us for 8, 16 and 32 contacts (aim 10, 25, 80)", few,
              middle, many);
}

void bench_lemke(bench* b)
{
    figures peg[7][variant_count], out[variant_count];
    int failures = 0;

    // the three experiments of the paper
    for (int k = 0; k < 7; k++) {
        cairn_problem problem = make_peg(8 + 4 * k, 0.0);
        measure_case(b, "peg", &problem, 0.0, peg[k]);
        failures += peg[k][0].failures + peg[k][1].failures + peg[k][2].failures;
        cairn_problem_destroy(&problem);
    }

    for (int k = 0; k < single_count; k++) {
        if (!bench_reach(b, "%s", single_names[k]))
            continue;
        cairn_problem problem = make_single(k);
        measure_case(b, single_names[k], &problem, 0.0, out);
        failures += out[0].failures + out[1].failures + out[2].failures;
        cairn_problem_destroy(&problem);
    }

    static const int stacks[10][2] = {{1, 0}, {2, 0}, {2, 1}, {3, 0}, {3, 2},
                                      {4, 0}, {4, 3}, {5, 0}, {5, 2}, {5, 3}};
    for (int k = 0; k < 10; k++) {
        if (!bench_reach(b, "stack of %d, %d crossed", stacks[k][0], stacks[k][1]))
            continue;
        cairn_problem problem = make_stack(stacks[k][0], stacks[k][1], pi / 4);
        measure_case(b, "stack", &problem, 0.1, out);
        failures += out[0].failures + out[1].failures + out[2].failures;
        cairn_problem_destroy(&problem);
    }

    check_pegs(b, (const figures(*)[variant_count])peg);
    bench_bound(b, failures == 0, "failures of single attempts, all variants: %d (bound: 0)",
                failures);

    // columns and crowds go through the front door
    for (int m = 1; m <= 32; m *= 2)
        run_column(b, m);
    run_crowd(b, "random pegs", b->quick ? 2000 : 100000, false);
    run_crowd(b, "random stacks", b->quick ? 500 : 10000, true);
}
