// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// What is written is read back, by us and by libfclib's own reader, and old files survive.

#include "fclib_file.h"
#include "io/file.h"
#include <cairn/cairn.h>
#include <cairn/io.h>
#include <fclib.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>

static cairn_problem read_problem(const char* path)
{
    cairn_problem problem;
    cairn_error error;
    ck_assert_msg(cairn_fclib_read(path, &problem, &error) == CAIRN_OK, "%s", error.text);
    return problem;
}

static void write_problem(const char* path, const cairn_problem* problem, const double* lambda)
{
    cairn_error error;
    ck_assert_msg(cairn_fclib_write(path, problem, lambda, true, &error) == CAIRN_OK, "%s",
                  error.text);
}

static double* solve(const cairn_problem* problem)
{
    cairn_solve_def def = cairn_default_solve_def();
    cairn_report report;
    cairn_error error;
    double* lambda = calloc((size_t)problem->row_count + 1, sizeof(double));
    def.method = "pgs";
    def.max_iterations = 500;
    ck_assert_msg(cairn_solve(problem, &def, lambda, &report, &error) == CAIRN_OK, "%s",
                  error.text);
    return lambda;
}

// two bodies on the world and on one another, a joint, a static body
static cairn_problem scene(void)
{
    cairn_problem problem = cairn_problem_empty();
    cairn_mat3 tilted = {{2.0, 0.25, 0.0}, {0.25, 3.0, -0.5}, {0.0, -0.5, 1.5}};
    const cairn_mass masses[] = {{0.5, tilted},
                                 {0.0, cairn_mat3_diagonal(0.0, 0.0, 0.0)},
                                 {0.125, cairn_mat3_diagonal(0.0, 4.0, 0.5)}};
    const int pairs[4][2] = {{CAIRN_WORLD_BODY, 0}, {0, 2}, {1, 2}, {0, 2}};
    for (int k = 0; k < 3; k++)
        cairn_problem_add_body(&problem, masses[k]);
    for (int k = 0; k < 4; k++) {
        const double b[3] = {-1.0 - k, 0.5 * k, 0.25};
        cairn_row rows[3];
        cairn_vec3 normal = cairn_normalize(cairn_vec(0.1 * k, 0.2, 1.0));
        cairn_contact_rows(normal, cairn_vec(0.3, 0.1 * k, 0.5), cairn_vec(0.1, 0.2, -k), 3, rows);
        cairn_block block = {.kind = k == 1 ? CAIRN_BLOCK_JOINT : CAIRN_BLOCK_CONTACT,
                             .row_count = k == 3 ? 1 : 3,
                             .body_a = pairs[k][0],
                             .body_b = pairs[k][1],
                             .friction = cairn_friction_cone(0.5)};
        cairn_problem_add_block(&problem, &block, rows, b);
    }
    return problem;
}

// ---------------------------------------------------------------- round trips

TEST(an_explicit_problem_is_read_back_to_the_bit)
{
    const char* names[] = {"fclib/NESpheres_10_1", "fclib/Rover3865",
                           "fclib2d/FrictionContactProblem00071"};
    for (int k = 0; k < 3; k++) {
        char path[512];
        snprintf(path, sizeof path, "%s/%s.hdf5", CAIRN_TEST_DATA, names[k]);
        cairn_problem first = read_problem(path);
        const char* copy = scratch("copy.hdf5");
        write_problem(copy, &first, NULL);
        cairn_problem second = read_problem(copy);
        unlink(copy);
        ck_assert_int_eq(first.row_count, second.row_count);
        ck_assert_int_eq(first.space, second.space);
        double* lambda = solve(&first);
        double* v = calloc(2 * (size_t)first.row_count, sizeof(double));
        cairn_problem_velocity(&first, lambda, v);
        cairn_problem_velocity(&second, lambda, v + first.row_count);
        for (int i = 0; i < first.row_count; i++)
            ck_assert_double_eq(v[i], v[first.row_count + i]);
        for (int c = 0; c < first.block_count; c++)
            ck_assert_double_eq(first.blocks[c].friction.mu[0], second.blocks[c].friction.mu[0]);
        free(v);
        free(lambda);
        cairn_problem_destroy(&first);
        cairn_problem_destroy(&second);
    }
}
END

TEST(bodies_and_joints_are_read_back)
{
    // contacts come first in a file: rows 0-2, 6-8, 9 and then the joint's 3-5; the last contact
    // has one row and is given two more, of zeros
    const int row_of[12] = {0, 1, 2, 6, 7, 8, 9, -1, -1, 3, 4, 5};
    double lambda[10], mapped[12], v[10], w[12];
    cairn_problem first = scene();
    const char* path = scratch("bodies.hdf5");
    for (int i = 0; i < 10; i++)
        lambda[i] = cos(2.0 * i);
    first.warm = calloc(12, sizeof(double));
    memcpy(first.warm, lambda, sizeof lambda);
    write_problem(path, &first, lambda);
    cairn_problem second = read_problem(path);
    ck_assert_int_eq(second.body_count, 3);
    ck_assert_int_eq(second.row_count, 12);
    ck_assert_ptr_null(second.A);
    ck_assert_ptr_nonnull(second.warm);
    for (int i = 0; i < 12; i++) {
        mapped[i] = row_of[i] < 0 ? 0.0 : lambda[row_of[i]];
        ck_assert_double_eq(second.warm[i], mapped[i]);
    }
    cairn_problem_velocity(&first, lambda, v);
    cairn_problem_velocity(&second, mapped, w);
    for (int i = 0; i < 12; i++)
        CHECK_NEAR(w[i], row_of[i] < 0 ? 0.0 : v[row_of[i]], 1e-13);

    // the solution inside: u = H^T v + w again
    double u[9], l[3];
    hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    get_doubles(file, "/solution/u", u, 9);
    get_doubles(file, "/solution/l", l, 3);
    H5Fclose(file);
    for (int i = 0; i < 9; i++)
        CHECK_NEAR(u[i], w[i], 1e-13);
    for (int i = 0; i < 3; i++)
        ck_assert_double_eq(l[i], lambda[3 + i]);
    unlink(path);
    cairn_problem_destroy(&first);
    cairn_problem_destroy(&second);
}
END

TEST(the_same_problem_gives_the_same_bytes)
{
    cairn_problem problem = scene();
    const char* one = scratch("one.hdf5");
    const char* other = scratch("other.hdf5");
    cairn_bytes a, b;
    cairn_error error;
    write_problem(one, &problem, NULL);
    sleep(1);
    write_problem(other, &problem, NULL);
    ck_assert_int_eq(cairn_file_read(&a, one, &cairn_file_bytes, &error), CAIRN_OK);
    ck_assert_int_eq(cairn_file_read(&b, other, &cairn_file_bytes, &error), CAIRN_OK);
    ck_assert_uint_eq(a.size, b.size);
    ck_assert_int_eq(memcmp(a.data, b.data, a.size), 0);
    free(a.data);
    free(b.data);
    unlink(one);
    unlink(other);
    cairn_problem_destroy(&problem);
}
END

// ---------------------------------------------------------------- libfclib

// libfclib ends the process when it is not content, and Check tells; its deletes leave the outer
// struct to the caller

TEST(libfclib_agrees_on_the_merit_of_ten_solved_problems)
{
    const char* names[] = {"Box_Stacks-i0122-82-condensed",
                           "Confeti-ex03",
                           "Confeti-ex13-4contact",
                           "FrictionContact3D_1c",
                           "LMGC_GFC3D-i00501-4-condensed",
                           "LMGC_Global00046-condensed",
                           "NESpheres_10_1",
                           "OneObject-i100000-499",
                           "OneObject-i1028-138",
                           "Rover11035",
                           "Rover3865",
                           "Rover4396"};
    int solved = 0;
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
        char input[512];
        snprintf(input, sizeof input, "%s/fclib/%s.hdf5", CAIRN_TEST_DATA, names[k]);
        cairn_problem problem = read_problem(input);
        double* lambda = solve(&problem);
        cairn_residual residual;
        cairn_problem_residual(&problem, lambda, CAIRN_LAW_AS_GIVEN, 0, &residual);

        // written by columns, the one form that libfclib's merit function multiplies with
        const char* path = scratch("merit.hdf5");
        write_problem(path, &problem, lambda);
        struct fclib_local* local = fclib_read_local(path);
        struct fclib_solution* solution = fclib_read_solution(path);
        ck_assert(local && solution && local->W->nz == -1);
        for (int i = 0; i < problem.row_count; i++)
            ck_assert_double_eq(solution->r[i], lambda[i]);
        double merit = fclib_merit_local(local, MERIT_1, solution);

        CHECK_NEAR(residual.fclib_merit, merit, 1e-12 * merit);
        solved += residual.relative < 1e-6;

        fclib_delete_solutions(solution, 1);
        fclib_delete_local(local);
        free(local);
        unlink(path);
        free(lambda);
        cairn_problem_destroy(&problem);
    }
    ck_assert_int_ge(solved, 10);
}
END

TEST(libfclib_reads_bodies_that_we_wrote)
{
    cairn_problem problem = scene();
    double lambda[10];
    for (int i = 0; i < 10; i++)
        lambda[i] = 1.0 + i;
    const char* path = scratch("global.hdf5");
    write_problem(path, &problem, lambda);
    struct fclib_global* global = fclib_read_global(path);
    struct fclib_solution* solution = fclib_read_solution(path);
    ck_assert(global && solution && global->M && global->H && global->G);
    ck_assert_int_eq(global->spacedim, 3);
    ck_assert_int_eq(global->M->n, 18);
    ck_assert_int_eq(global->H->n, 9);
    ck_assert_int_eq(global->G->n, 3);
    ck_assert_double_eq(solution->r[0], 1.0);
    ck_assert_double_eq(solution->l[0], 4.0);

    // M v = H r + G l + f with the matrices that libfclib read
    double left[18] = {0.0};
    const struct fclib_matrix* matrices[] = {global->M, global->H, global->G};
    const double* factors[] = {solution->v, solution->r, solution->l};
    for (int k = 0; k < 3; k++)
        for (int j = 0; j < matrices[k]->n; j++)
            for (int e = matrices[k]->p[j]; e < matrices[k]->p[j + 1]; e++)
                left[matrices[k]->i[e]] += (k ? -1.0 : 1.0) * matrices[k]->x[e] * factors[k][j];
    for (int i = 0; i < 18; i++)
        CHECK_NEAR(left[i], global->f[i], 1e-12);
    fclib_delete_solutions(solution, 1);
    fclib_delete_global(global);
    free(global);
    unlink(path);
    cairn_problem_destroy(&problem);
}
END

TEST(a_solution_is_put_into_a_copy_of_the_file)
{
    const char* input = CAIRN_TEST_DATA "/global/Box_Stacks-i0122-82-5.hdf5";
    cairn_problem problem = read_problem(input);
    double* lambda = solve(&problem);
    const char* path = scratch("copy.hdf5");
    cairn_error error;
    ck_assert_msg(cairn_fclib_write_solution(path, input, &problem, lambda, false, &error) ==
                      CAIRN_OK,
                  "%s", error.text);
    struct fclib_global* global = fclib_read_global(path);
    struct fclib_solution* solution = fclib_read_solution(path);
    double* u = calloc((size_t)problem.row_count, sizeof(double));
    cairn_problem_velocity(&problem, lambda, u);
    for (int i = 0; i < problem.row_count; i++) {
        ck_assert_double_eq(solution->r[i], lambda[i]);
        CHECK_NEAR(solution->u[i], u[i], 1e-12);
    }

    // the rest is as it was: triplets, and the title
    ck_assert_int_eq(global->H->nz, 1284);
    ck_assert_ptr_nonnull(global->info);
    cairn_problem again = read_problem(path);
    ck_assert_int_eq(again.row_count, problem.row_count);

    // another problem's impulses are refused
    cairn_problem other = read_problem(CAIRN_TEST_DATA "/fclib/Rover3865.hdf5");
    ck_assert_int_eq(cairn_fclib_write_solution(path, input, &other, lambda, true, &error),
                     CAIRN_BAD_INPUT);
    ck_assert(strstr(error.text, "another problem") != NULL);
    fclib_delete_solutions(solution, 1);
    fclib_delete_global(global);
    free(global);
    unlink(path);
    free(u);
    free(lambda);
    cairn_problem_destroy(&problem);
    cairn_problem_destroy(&again);
    cairn_problem_destroy(&other);
}
END

// ---------------------------------------------------------------- what stands beside FCLib

// three contacts of two bodies: an ellipse, a known slip, and one that resists spin
static cairn_problem unusual(void)
{
    static const cairn_friction laws[] = {
        {.kind = CAIRN_FRICTION_ELLIPSE, .mu = {0.5, 0.2}},
        {.kind = CAIRN_FRICTION_SLIDING, .mu = {0.3}, .slip = {0.6, -0.8}},
        {.kind = CAIRN_FRICTION_ELLIPSOID, .mu = {0.4, 0.4, 0.05}}};
    cairn_problem problem = cairn_problem_empty();
    for (int i = 0; i < 2; i++)
        cairn_problem_add_body(&problem, (cairn_mass){0.5, cairn_mat3_diagonal(3.0, 4.0, 5.0)});
    for (int c = 0; c < 3; c++) {
        cairn_row rows[4];
        const double b[4] = {-1.0, 0.6 + 0.1 * c, -0.8, 0.7};
        cairn_block block = {.kind = CAIRN_BLOCK_CONTACT,
                             .row_count = c == 2 ? 4 : 3,
                             .body_a = c == 1 ? 0 : CAIRN_WORLD_BODY,
                             .body_b = c == 1,
                             .friction = laws[c]};
        cairn_contact_rows(cairn_vec(0.0, 0.0, 1.0), cairn_vec(0.1, 0.2, 0.5),
                           cairn_vec(0.2 * c, 0.3, -0.5), block.row_count, rows);
        cairn_problem_add_block(&problem, &block, rows, b);
    }
    return problem;
}

TEST(laws_and_spin_rows_are_read_back)
{
    const char* path = scratch("unusual.hdf5");
    cairn_problem problem = unusual();
    double lambda[10];
    for (int i = 0; i < 10; i++)
        lambda[i] = 0.1 * i;
    write_problem(path, &problem, lambda);
    cairn_problem again = read_problem(path);
    ck_assert_int_eq(again.row_count, problem.row_count);
    for (int c = 0; c < 3; c++) {
        const cairn_block *x = &problem.blocks[c], *y = &again.blocks[c];
        ck_assert_int_eq(x->row_count, y->row_count);
        ck_assert_int_eq(x->friction.kind, y->friction.kind);
        for (int k = 0; k < 3; k++)
            CHECK_NEAR(y->friction.mu[k], x->friction.mu[k], 0.0);
        for (int k = 0; k < 2; k++)
            CHECK_NEAR(y->friction.slip[k], x->friction.slip[k], 0.0);
    }
    double v[10], w[10];
    ck_assert(cairn_problem_velocity(&problem, lambda, v) == CAIRN_OK);
    ck_assert(cairn_problem_velocity(&again, lambda, w) == CAIRN_OK);
    for (int i = 0; i < 10; i++)
        CHECK_NEAR(w[i], v[i], 1e-12);

    // and solved alike
    cairn_solve_def def = cairn_default_solve_def();
    cairn_report report, other;
    cairn_error error;
    def.method = "prox";
    ck_assert(cairn_solve(&problem, &def, lambda, &report, &error) == CAIRN_OK);
    ck_assert(cairn_solve(&again, &def, lambda, &other, &error) == CAIRN_OK);
    ck_assert_int_eq(report.outcome, other.outcome);
    unlink(path);
    cairn_problem_destroy(&problem);
    cairn_problem_destroy(&again);
}
END

// ---------------------------------------------------------------- what FCLib cannot say

static void no_friction(double* force, double normal, int rows, void* context)
{
    (void)normal;
    (void)context;
    for (int i = 0; i < rows; i++)
        force[i] = 0.0;
}

static void check_unsayable(cairn_problem* problem, const char* what)
{
    const char* path = scratch("unsayable.hdf5");
    cairn_error error;
    ck_assert_int_eq(cairn_fclib_write(path, problem, NULL, true, &error), CAIRN_NOT_SUPPORTED);
    ck_assert_msg(strstr(error.text, what) && strstr(error.text, path), "\"%s\" does not tell %s",
                  error.text, what);
    ck_assert_int_ne(access(path, F_OK), 0);
    cairn_problem_destroy(problem);
}

TEST(what_fclib_cannot_say_is_refused)
{
    cairn_problem problem = scene();
    problem.blocks[1].kind = CAIRN_BLOCK_MOTOR;
    check_unsayable(&problem, "block 1 is a motor");
    problem = scene();
    problem.blocks[1].kind = CAIRN_BLOCK_LIMIT;
    check_unsayable(&problem, "block 1 is a limit");
    problem = scene();
    problem.blocks[2].friction =
        (cairn_friction){.kind = CAIRN_FRICTION_CUSTOM, .project = no_friction};
    check_unsayable(&problem, "a projection of its own");
    problem = scene();
    problem.compliance = calloc(10, sizeof(double));
    problem.compliance[0] = 1e-6;
    check_unsayable(&problem, "block 0 is compliant");
}
END

// ---------------------------------------------------------------- old files survive

static void check_untouched(const char* path)
{
    cairn_bytes bytes;
    cairn_error error;
    ck_assert_int_eq(cairn_file_read(&bytes, path, &cairn_file_bytes, &error), CAIRN_OK);
    ck_assert_str_eq(bytes.data, "precious");
    free(bytes.data);
}

static const char* precious(void)
{
    const char* path = scratch("precious.hdf5");
    cairn_error error;
    ck_assert_int_eq(cairn_file_write(path, "precious", 8, true, &error), CAIRN_OK);
    return path;
}

static void check_cannot_write(const char* path, bool force, const char* what)
{
    cairn_problem problem = scene();
    cairn_error error;
    ck_assert_int_eq(cairn_fclib_write(path, &problem, NULL, force, &error), CAIRN_NO_FILE);
    ck_assert_msg(strstr(error.text, path) && strstr(error.text, what), "\"%s\" does not tell %s",
                  error.text, what);
    cairn_problem_destroy(&problem);
}

TEST(an_existing_file_is_replaced_only_by_force)
{
    const char* path = precious();
    check_cannot_write(path, false, "exists already");
    check_untouched(path);
    cairn_problem problem = scene();
    write_problem(path, &problem, NULL);
    cairn_problem again = read_problem(path);
    ck_assert_int_eq(again.body_count, 3);
    cairn_problem_destroy(&problem);
    cairn_problem_destroy(&again);
    unlink(path);
}
END

TEST(a_full_disk_leaves_the_old_file)
{
    // files of this process may not grow beyond 4000 bytes
    const char* path = precious();
    const struct rlimit small = {4000, 4000};
    signal(SIGXFSZ, SIG_IGN);
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &small), 0);
    check_cannot_write(path, true, "File too large");
    check_untouched(path);

    // nothing is left beside it
    char beside[300];
    snprintf(beside, sizeof beside, "%s.%ld-0", path, (long)getpid());
    ck_assert_int_ne(access(beside, F_OK), 0);
    unlink(path);
}
END

TEST(places_where_nothing_can_be_written_are_told)
{
    check_cannot_write("/tmp", true, "directory");
    check_cannot_write("/tmp/no/such/folder.hdf5", false, "No such file");
    ck_assert(geteuid() != 0 || seteuid(65534) == 0);
    check_cannot_write("/cairn-test.hdf5", false, "Permission denied");
    ck_assert(getuid() != 0 || seteuid(0) == 0);
}
END

TESTS(an_explicit_problem_is_read_back_to_the_bit, laws_and_spin_rows_are_read_back,
      bodies_and_joints_are_read_back, the_same_problem_gives_the_same_bytes,
      libfclib_agrees_on_the_merit_of_ten_solved_problems, libfclib_reads_bodies_that_we_wrote,
      a_solution_is_put_into_a_copy_of_the_file, what_fclib_cannot_say_is_refused,
      an_existing_file_is_replaced_only_by_force, a_full_disk_leaves_the_old_file,
      places_where_nothing_can_be_written_are_told)
