// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors

#include "fclib_file.h"
#include <cairn/cairn.h>
#include <cairn/io.h>
#include <dirent.h>

static cairn_problem read_problem(const char* path)
{
    cairn_problem problem;
    cairn_error error;
    ck_assert_msg(cairn_fclib_read(path, &problem, &error) == CAIRN_OK, "%s", error.text);
    return problem;
}

static void check_velocity(const cairn_problem* problem, const double* lambda,
                           const double* expected, int count, double tolerance)
{
    double* v = calloc((size_t)problem->row_count + 1, sizeof(double));
    ck_assert_int_eq(cairn_problem_velocity(problem, lambda, v), CAIRN_OK);
    for (int i = 0; i < count; i++)
        CHECK_NEAR(v[i], expected[i], tolerance);
    free(v);
}

// y = A x + b, dense and row-major
static void affine(double* y, const double* A, const double* x, const double* b, int m, int n)
{
    for (int i = 0; i < m; i++) {
        y[i] = b ? b[i] : 0.0;
        for (int j = 0; j < n; j++)
            y[i] += A[i * n + j] * x[j];
    }
}

// ---------------------------------------------------------------- local problems

TEST(all_forms_of_a_matrix_give_the_same_problem)
{
    const form forms[] = {BY_COLUMNS, BY_ROWS, TRIPLETS};
    const double r[6] = {1.0, -0.2, 0.1, 2.0, 0.3, -0.4};
    double u[6];
    affine(u, small_W, r, small_q, 6, 6);
    for (int k = 0; k < 3; k++) {
        const char* path = scratch("form.hdf5");
        make_small_local(path, forms[k]);
        cairn_problem problem = read_problem(path);
        unlink(path);
        ck_assert_int_eq(problem.block_count, 2);
        ck_assert_int_eq(problem.space, 3);
        ck_assert_ptr_nonnull(problem.A);
        ck_assert_double_eq(problem.blocks[1].friction.mu[0], 0.7);
        check_velocity(&problem, r, u, 6, 1e-15);
        cairn_problem_destroy(&problem);
    }
}
END

TEST(multipliers_of_a_local_problem_are_condensed)
{
    // u = W r + V l + q with R l = -(V^T r + s); R is 2x2 and not symmetric
    const double V[12] = {1.0, 0.0, 0.0, 2.0, 0.5, 0.0, 0.0, 0.0, -1.0, 0.0, 0.0, 3.0};
    const double R[4] = {-4.0, 1.0, 0.5, -6.0}, s[2] = {0.7, -0.3};
    const double r[6] = {1.0, -0.2, 0.1, 2.0, 0.3, -0.4};
    double c[2] = {s[0], s[1]}, l[2], u[6], part[6];
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 2; j++)
            c[j] += V[2 * i + j] * r[i];
    double det = R[0] * R[3] - R[1] * R[2];
    l[0] = -(R[3] * c[0] - R[1] * c[1]) / det;
    l[1] = -(R[0] * c[1] - R[2] * c[0]) / det;
    affine(part, small_W, r, small_q, 6, 6);
    affine(u, V, l, part, 6, 2);

    const char* path = scratch("multipliers.hdf5");
    hid_t file = make_file(path);
    fill_small_local(file, BY_ROWS);
    put_matrix(file, "/fclib_local/V", BY_COLUMNS, 6, 2, V);
    put_matrix(file, "/fclib_local/R", BY_ROWS, 2, 2, R);
    put_doubles(file, "/fclib_local/vectors/s", s, 2);
    H5Fclose(file);
    cairn_problem problem = read_problem(path);
    check_velocity(&problem, r, u, 6, 1e-14);

    // the solution that is written back has u and l again
    double stored[6];
    cairn_error error;
    const char* solved = scratch("solved.hdf5");
    ck_assert_msg(cairn_fclib_write_solution(solved, path, &problem, r, true, &error) == CAIRN_OK,
                  "%s", error.text);
    file = H5Fopen(solved, H5F_ACC_RDONLY, H5P_DEFAULT);
    get_doubles(file, "/solution/l", stored, 2);
    for (int j = 0; j < 2; j++)
        CHECK_NEAR(stored[j], l[j], 1e-15);
    get_doubles(file, "/solution/u", stored, 6);
    for (int i = 0; i < 6; i++)
        CHECK_NEAR(stored[i], u[i], 1e-14);
    H5Fclose(file);
    unlink(path);
    unlink(solved);
    cairn_problem_destroy(&problem);
}
END

TEST(plane_contacts_get_a_third_row_of_zeros)
{
    const double W[16] = {2.0, 0.1, 0.0, 0.3, 0.1, 3.0, 0.0, 0.0,
                          0.0, 0.0, 4.0, 0.0, 0.3, 0.0, 0.0, 5.0};
    const double q[4] = {-1.0, 0.5, -2.0, 0.25}, mu[2] = {0.3, 0.4};
    const double r[6] = {1.0, 0.2, 0.0, 2.0, -0.3, 0.0}, plane[4] = {1.0, 0.2, 2.0, -0.3};
    double u[4];
    affine(u, W, plane, q, 4, 4);
    const double expected[6] = {u[0], u[1], 0.0, u[2], u[3], 0.0};
    const char* path = scratch("plane.hdf5");
    hid_t file = make_file(path);
    put_group(file, "/fclib_local");
    put_int(file, "/fclib_local/spacedim", 2);
    put_matrix(file, "/fclib_local/W", BY_ROWS, 4, 4, W);
    put_group(file, "/fclib_local/vectors");
    put_doubles(file, "/fclib_local/vectors/q", q, 4);
    put_doubles(file, "/fclib_local/vectors/mu", mu, 2);
    H5Fclose(file);
    cairn_problem problem = read_problem(path);
    unlink(path);
    ck_assert_int_eq(problem.space, 2);
    check_velocity(&problem, r, expected, 6, 1e-15);
    cairn_problem_destroy(&problem);
}
END

TEST(a_file_without_contacts_is_an_empty_problem)
{
    const char* path = scratch("empty.hdf5");
    hid_t file = make_file(path);
    put_group(file, "/fclib_local");
    put_int(file, "/fclib_local/spacedim", 3);
    put_matrix(file, "/fclib_local/W", BY_COLUMNS, 0, 0, NULL);
    put_group(file, "/fclib_local/vectors");
    put_doubles(file, "/fclib_local/vectors/q", NULL, 0);
    put_doubles(file, "/fclib_local/vectors/mu", NULL, 0);
    H5Fclose(file);
    cairn_problem problem = read_problem(path);
    unlink(path);
    ck_assert_int_eq(problem.block_count, 0);
    ck_assert_int_eq(problem.row_count, 0);
    cairn_problem_destroy(&problem);
}
END

TEST(attributes_texts_and_dummy_solutions_do_not_matter)
{
    // as Siconos writes them, and texts of any length as h5py does
    const double r[6] = {1.0, -0.2, 0.1, 2.0, 0.3, -0.4}, nothing[6] = {NAN};
    const char* title = "two contacts";
    const char* path = scratch("attributes.hdf5");
    double u[6];
    affine(u, small_W, r, small_q, 6, 6);
    hid_t file = make_file(path), one = H5Screate(H5S_SCALAR), text = H5Tcopy(H5T_C_S1);
    fill_small_local(file, BY_ROWS);
    for (int k = 0; k < 12; k++) {
        char name[16];
        snprintf(name, sizeof name, "rank%d", k);
        hid_t W = H5Gopen2(file, "/fclib_local/W", H5P_DEFAULT);
        hid_t attribute = H5Acreate2(W, name, H5T_NATIVE_FLOAT, one, H5P_DEFAULT, H5P_DEFAULT);
        float value = (float)k;
        H5Awrite(attribute, H5T_NATIVE_FLOAT, &value);
        H5Aclose(attribute);
        H5Gclose(W);
    }
    H5Tset_size(text, H5T_VARIABLE);
    put_group(file, "/fclib_local/info");
    hid_t set = H5Dcreate2(file, "/fclib_local/info/title", text, one, H5P_DEFAULT, H5P_DEFAULT,
                           H5P_DEFAULT);
    H5Dwrite(set, text, H5S_ALL, H5S_ALL, H5P_DEFAULT, &title);
    H5Dclose(set);
    put_group(file, "/solution");
    put_doubles(file, "/solution/r", nothing, 6);
    H5Tclose(text);
    H5Sclose(one);
    H5Fclose(file);
    cairn_problem problem = read_problem(path);
    check_velocity(&problem, r, u, 6, 1e-15);
    ck_assert_ptr_null(problem.warm);
    cairn_problem_destroy(&problem);
    unlink(path);
}
END

// ---------------------------------------------------------------- global problems

// Two bodies, one contact of the second with the world, one contact and two joint columns
// between them. M v = H r + G l + f, u = H^T v + w.
enum { n = 12, m = 6, p = 2 };

typedef struct global {
    double M[n * n], H[n * m], G[n * p], f[n], w[m], b[p];
} global;

static global example(void)
{
    global g = {{0.0}, {0.0}, {0.0}, {0.0}, {0.0}, {0.0}};
    const double mass[2] = {2.0, 5.0}, inertia[2][3] = {{0.3, 0.4, 0.5}, {1.5, 1.25, 2.0}};
    for (int body = 0; body < 2; body++)
        for (int i = 0; i < 6; i++)
            g.M[(6 * body + i) * (n + 1)] = i < 3 ? mass[body] : inertia[body][i - 3];
    g.M[9 * n + 10] = g.M[10 * n + 9] = 0.25;

    // some numbers without a pattern; the first contact has no part in the first body
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < m; j++)
            g.H[i * m + j] = i < 6 && j < 3 ? 0.0 : cos(1.0 + 3.0 * i + 7.0 * j);
        for (int j = 0; j < p; j++)
            g.G[i * p + j] = sin(2.0 + 5.0 * i + 3.0 * j);
        g.f[i] = 0.5 * cos(0.3 * i);
    }
    for (int j = 0; j < m; j++)
        g.w[j] = 0.1 * j - 0.2;
    g.b[0] = 0.3;
    g.b[1] = -0.1;
    return g;
}

// the same motion in other coordinates: v = T v', T lower triangular and far from orthogonal
static global transformed(const global* g)
{
    double T[n * n] = {0.0}, half[n * n];
    global t = *g;
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++)
            T[i * n + j] = i == j ? 1.0 + 0.1 * i : 0.2 * sin(i + 4.0 * j);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            half[i * n + j] = 0.0;
            for (int k = 0; k < n; k++)
                half[i * n + j] += g->M[i * n + k] * T[k * n + j];
        }
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            t.M[i * n + j] = 0.0;
            for (int k = 0; k < n; k++)
                t.M[i * n + j] += T[k * n + i] * half[k * n + j];
        }
        for (int j = 0; j < m; j++) {
            t.H[i * m + j] = 0.0;
            for (int k = 0; k < n; k++)
                t.H[i * m + j] += T[k * n + i] * g->H[k * m + j];
        }
        for (int j = 0; j < p; j++) {
            t.G[i * p + j] = 0.0;
            for (int k = 0; k < n; k++)
                t.G[i * p + j] += T[k * n + i] * g->G[k * p + j];
        }
        t.f[i] = 0.0;
        for (int k = 0; k < n; k++)
            t.f[i] += T[k * n + i] * g->f[k];
    }
    return t;
}

static void make_global(const char* path, const global* g, form how, int joints)
{
    hid_t file = make_file(path);
    double G[n * p];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < joints; j++)
            G[i * joints + j] = g->G[i * p + j];
    put_group(file, "/fclib_global");
    put_int(file, "/fclib_global/spacedim", 3);
    put_matrix(file, "/fclib_global/M", how, n, n, g->M);
    put_matrix(file, "/fclib_global/H", how, n, m, g->H);
    put_group(file, "/fclib_global/vectors");
    put_doubles(file, "/fclib_global/vectors/f", g->f, n);
    put_doubles(file, "/fclib_global/vectors/w", g->w, m);
    put_doubles(file, "/fclib_global/vectors/mu", small_mu, 2);
    if (joints > 0) {
        put_matrix(file, "/fclib_global/G", how, n, joints, G);
        put_doubles(file, "/fclib_global/vectors/b", g->b, joints);
    }
    H5Fclose(file);
}

static cairn_problem read_global(const global* g, form how, int joints)
{
    const char* path = scratch("global.hdf5");
    make_global(path, g, how, joints);
    cairn_problem problem = read_problem(path);
    unlink(path);
    return problem;
}

TEST(a_global_problem_of_rigid_bodies_becomes_bodies_and_rows)
{
    global g = example();
    const double lambda[m + p] = {1.0, -0.2, 0.1, 2.0, 0.3, -0.4, 0.6, -0.7};
    const form forms[] = {BY_COLUMNS, BY_ROWS, TRIPLETS, TRIPLETS_AS_DOCUMENTED};
    for (int k = 0; k < 4; k++) {
        cairn_problem problem = read_global(&g, forms[k], p);
        ck_assert_int_eq(problem.body_count, 2);
        ck_assert_int_eq(problem.block_count, 3);
        ck_assert_ptr_null(problem.A);
        ck_assert_int_eq(problem.blocks[0].body_a, CAIRN_WORLD_BODY);
        ck_assert_int_eq(problem.blocks[0].body_b, 1);
        ck_assert_int_eq(problem.blocks[1].body_a, 0);
        ck_assert_int_eq(problem.blocks[2].kind, CAIRN_BLOCK_JOINT);
        ck_assert_int_eq(problem.blocks[2].row_count, 2);

        // v = M^-1 (H r + G l + f): M v is put together again and compared
        double change[n], v[n], u[m + p];
        cairn_problem_body_velocity(&problem, lambda, change);
        const double det = 1.5 * 1.25 - 0.25 * 0.25;
        for (int i = 0; i < n; i++)
            v[i] = change[i] + g.f[i] / g.M[i * n + i];
        v[9] = change[9] + (1.25 * g.f[9] - 0.25 * g.f[10]) / det;
        v[10] = change[10] + (1.5 * g.f[10] - 0.25 * g.f[9]) / det;
        for (int i = 0; i < n; i++) {
            double left = 0.0, right = g.f[i];
            for (int j = 0; j < n; j++)
                left += g.M[i * n + j] * v[j];
            for (int j = 0; j < m; j++)
                right += g.H[i * m + j] * lambda[j];
            for (int j = 0; j < p; j++)
                right += g.G[i * p + j] * lambda[m + j];
            CHECK_NEAR(left, right, 1e-13);
        }
        for (int j = 0; j < m + p; j++) {
            u[j] = j < m ? g.w[j] : g.b[j - m];
            for (int i = 0; i < n; i++)
                u[j] += (j < m ? g.H[i * m + j] : g.G[i * p + j - m]) * v[i];
        }
        check_velocity(&problem, lambda, u, m + p, 1e-12);
        cairn_problem_destroy(&problem);
    }
}
END

TEST(other_coordinates_give_the_same_contact_velocities)
{
    // without joints, the explicit A of transformed masses is that of the bodies
    global g = example(), t = transformed(&g);
    const double r[m] = {1.0, -0.2, 0.1, 2.0, 0.3, -0.4};
    double u[m];
    cairn_problem bodies = read_global(&g, TRIPLETS, 0), matrix = read_global(&t, TRIPLETS, 0);
    ck_assert_ptr_null(bodies.A);
    ck_assert_ptr_nonnull(matrix.A);
    cairn_problem_velocity(&bodies, r, u);
    check_velocity(&matrix, r, u, m, 1e-11);
    cairn_problem_destroy(&bodies);
    cairn_problem_destroy(&matrix);
}
END

TEST(joints_of_other_masses_hold_in_the_explicit_form)
{
    // with l from the written solution, the bodies' joint rows stand still and the contacts move as
    // the explicit form says
    global g = example(), t = transformed(&g);
    double lambda[m + p] = {1.0, -0.2, 0.1, 2.0, 0.3, -0.4}, u[m], v[m + p];
    const char* path = scratch("coupled.hdf5");
    const char* solved = scratch("solved.hdf5");
    cairn_error error;
    make_global(path, &t, TRIPLETS, p);
    cairn_problem matrix = read_problem(path), bodies = read_global(&g, TRIPLETS, p);
    ck_assert_ptr_nonnull(matrix.A);
    ck_assert_int_eq(matrix.row_count, m);
    ck_assert_msg(cairn_fclib_write_solution(solved, path, &matrix, lambda, false, &error) ==
                      CAIRN_OK,
                  "%s", error.text);
    hid_t file = H5Fopen(solved, H5F_ACC_RDONLY, H5P_DEFAULT);
    get_doubles(file, "/solution/l", lambda + m, p);
    get_doubles(file, "/solution/u", u, m);
    H5Fclose(file);
    cairn_problem_velocity(&bodies, lambda, v);
    for (int j = 0; j < m; j++)
        CHECK_NEAR(v[j], u[j], 1e-11);
    for (int j = 0; j < p; j++)
        CHECK_NEAR(v[m + j], 0.0, 1e-11);
    check_velocity(&matrix, lambda, u, m, 1e-11);
    unlink(path);
    unlink(solved);
    cairn_problem_destroy(&matrix);
    cairn_problem_destroy(&bodies);
}
END

TEST(a_joint_given_twice_changes_nothing)
{
    global t = example();
    t = transformed(&t);
    const double r[m] = {1.0, -0.2, 0.1, 2.0, 0.3, -0.4};
    double u[m];
    cairn_problem once = read_global(&t, TRIPLETS, 1);
    for (int i = 0; i < n; i++)
        t.G[i * p + 1] = -2.0 * t.G[i * p];
    t.b[1] = -2.0 * t.b[0];
    cairn_problem twice = read_global(&t, TRIPLETS, 2);
    cairn_problem_velocity(&once, r, u);
    check_velocity(&twice, r, u, m, 1e-10);
    cairn_problem_destroy(&once);
    cairn_problem_destroy(&twice);
}
END

TEST(the_upper_triangle_alone_stands_for_a_symmetric_mass)
{
    global g = example(), t = transformed(&g);
    const double r[m] = {1.0, -0.2, 0.1, 2.0, 0.3, -0.4};
    double u[m];
    cairn_problem whole = read_global(&t, TRIPLETS, p);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            t.M[i * n + j] = 0.0;
    cairn_problem upper = read_global(&t, TRIPLETS, p);
    cairn_problem_velocity(&whole, r, u);
    check_velocity(&upper, r, u, m, 1e-12);
    cairn_problem_destroy(&whole);
    cairn_problem_destroy(&upper);
}
END

TEST(a_global_problem_and_its_condensed_twin_are_one)
{
    cairn_problem bodies = read_problem(CAIRN_TEST_DATA "/global/Box_Stacks-i0122-82-5.hdf5");
    cairn_problem matrix =
        read_problem(CAIRN_TEST_DATA "/fclib/Box_Stacks-i0122-82-condensed.hdf5");
    ck_assert_int_eq(bodies.body_count, 75);
    ck_assert_int_eq(bodies.row_count, matrix.row_count);
    double* lambda = calloc((size_t)bodies.row_count, sizeof(double));
    double* u = calloc((size_t)bodies.row_count, sizeof(double));
    for (int i = 0; i < bodies.row_count; i++)
        lambda[i] = cos(i);
    cairn_problem_velocity(&bodies, lambda, u);
    check_velocity(&matrix, lambda, u, bodies.row_count, 1e-10);
    free(lambda);
    free(u);

    // the stored guess is the warm start
    ck_assert_ptr_nonnull(bodies.warm);
    ck_assert_ptr_null(matrix.warm);
    cairn_problem_destroy(&bodies);
    cairn_problem_destroy(&matrix);
}
END

// ---------------------------------------------------------------- real files

TEST(all_bundled_problems_are_read)
{
    const char* folders[] = {"fclib", "fclib2d", "global"};
    const int expected[] = {16, 4, 1};
    for (int k = 0; k < 3; k++) {
        char path[512];
        int count = 0;
        snprintf(path, sizeof path, "%s/%s", CAIRN_TEST_DATA, folders[k]);
        DIR* list = opendir(path);
        ck_assert(list != NULL);
        for (struct dirent* entry = readdir(list); entry; entry = readdir(list)) {
            if (entry->d_name[0] == '.')
                continue;
            snprintf(path, sizeof path, "%s/%s/%.200s", CAIRN_TEST_DATA, folders[k], entry->d_name);
            cairn_problem problem = read_problem(path);
            ck_assert_int_gt(problem.block_count, 0);
            ck_assert_int_eq(problem.space, k == 1 ? 2 : 3);
            cairn_problem_destroy(&problem);
            count++;
        }
        closedir(list);
        ck_assert_int_eq(count, expected[k]);
    }
}
END

TESTS(all_forms_of_a_matrix_give_the_same_problem, multipliers_of_a_local_problem_are_condensed,
      plane_contacts_get_a_third_row_of_zeros, a_file_without_contacts_is_an_empty_problem,
      attributes_texts_and_dummy_solutions_do_not_matter,
      a_global_problem_of_rigid_bodies_becomes_bodies_and_rows,
      other_coordinates_give_the_same_contact_velocities,
      joints_of_other_masses_hold_in_the_explicit_form, a_joint_given_twice_changes_nothing,
      the_upper_triangle_alone_stands_for_a_symmetric_mass,
      a_global_problem_and_its_condensed_twin_are_one, all_bundled_problems_are_read)
