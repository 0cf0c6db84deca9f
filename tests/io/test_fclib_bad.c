// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors

#include "fclib_file.h"
#include "io/fclib/fclib_read.h"
#include <cairn/io.h>
#include <sys/resource.h>
#include <sys/stat.h>

// refused with one sentence that names the file and holds `place` and `expectation`; nothing
// changed
static void check_refused(const char* path, cairn_status expected, const char* place,
                          const char* expectation)
{
    cairn_problem problem = {.row_count = -7};
    cairn_error error = {{0}};
    cairn_status status = cairn_fclib_read(path, &problem, &error);
    ck_assert_msg(status == expected, "status %d, expected %d: %s", status, expected, error.text);
    ck_assert_msg(strstr(error.text, path) && strstr(error.text, place) &&
                      strstr(error.text, expectation) && !strchr(error.text, '\n'),
                  "\"%s\" does not tell \"%s\" and \"%s\"", error.text, place, expectation);
    ck_assert_int_eq(problem.row_count, -7);
}

// a sound small file, open for damage
static hid_t sound(const char* path)
{
    hid_t file = make_file(path);
    fill_small_local(file, BY_ROWS);
    return file;
}

static void check_damaged(hid_t file, const char* path, const char* place, const char* expectation)
{
    H5Fclose(file);
    check_refused(path, CAIRN_BAD_INPUT, place, expectation);
    unlink(path);
}

static void remove_from(hid_t file, const char* name)
{
    ck_assert(H5Ldelete(file, name, H5P_DEFAULT) >= 0);
}

// ---------------------------------------------------------------- files

TEST(a_missing_file_is_told)
{
    check_refused("/tmp/no/such.hdf5", CAIRN_NO_FILE, "cannot be opened", "No such file");
}
END

TEST(a_folder_is_told)
{
    check_refused("/tmp", CAIRN_NO_FILE, "directory", "expected a file");
}
END

TEST(a_file_that_may_not_be_read_is_told)
{
    const char* path = scratch("secret.hdf5");
    make_small_local(path, BY_ROWS);
    chmod(path, 0);

    // root may read everything: become somebody else
    ck_assert(geteuid() != 0 || seteuid(65534) == 0);
    check_refused(path, CAIRN_NO_FILE, "cannot be opened", "Permission denied");
    ck_assert(getuid() != 0 || seteuid(0) == 0);
    unlink(path);
}
END

TEST(bytes_that_are_not_hdf5_are_told)
{
    const char* path = scratch("text.hdf5");
    const char* texts[] = {"", "W", "not an HDF5 file, but long enough to be taken for one"};
    cairn_error error;
    for (int k = 0; k < 3; k++) {
        cairn_file_write(path, texts[k], strlen(texts[k]), true, &error);
        check_refused(path, CAIRN_BAD_INPUT, "is not an HDF5 file", "HDF5");
    }
    unlink(path);
}
END

TEST(every_cut_of_a_file_is_refused)
{
    const char* path = scratch("cut.hdf5");
    cairn_bytes bytes;
    cairn_error error;
    make_small_local(path, BY_ROWS);
    ck_assert_int_eq(cairn_file_read(&bytes, path, &cairn_file_bytes, &error), CAIRN_OK);
    ck_assert_int_gt((int)bytes.size, 4000);
    for (size_t length = 0; length < bytes.size; length++) {
        ck_assert_int_eq(truncate(path, (off_t)(bytes.size - 1 - length)), 0);
        cairn_problem problem;
        error.text[0] = 0;
        ck_assert_int_eq(cairn_fclib_read(path, &problem, &error), CAIRN_BAD_INPUT);
        ck_assert(strstr(error.text, path) != NULL);
    }
    free(bytes.data);
    unlink(path);
}
END

TEST(every_byte_may_be_wrong)
{
    // bytes are replaced one by one, every fifth for the sake of time: a sentence or a sound
    // problem, and never a crash
    const char* path = scratch("byte.hdf5");
    cairn_bytes bytes;
    cairn_error error;
    make_small_local(path, BY_ROWS);
    ck_assert_int_eq(cairn_file_read(&bytes, path, &cairn_file_bytes, &error), CAIRN_OK);
    int refused = 0;
    for (size_t k = 0; k < bytes.size; k += CHECK_FEWER(5, 25)) {
        char keep = bytes.data[k];
        const char others[] = {(char)(keep ^ 1), (char)0xff};
        for (int i = 0; i < 2; i++) {
            cairn_problem problem;
            bytes.data[k] = others[i];
            if (cairn_fclib_read_bytes(&problem, &bytes, path, &error) == CAIRN_OK) {
                ck_assert_int_eq(cairn_problem_check(&problem, &error), CAIRN_OK);
                cairn_problem_destroy(&problem);
            } else {
                refused++;
            }
        }
        bytes.data[k] = keep;
    }
    ck_assert_int_gt(refused, CHECK_FEWER(200, 40));
    free(bytes.data);
    unlink(path);
}
END

// ---------------------------------------------------------------- contents

TEST(a_file_without_a_contact_problem_is_told)
{
    const char* path = scratch("other.hdf5");
    hid_t file = make_file(path);
    put_group(file, "/something");
    check_damaged(file, path, "holds no contact problem", "/fclib_local");
    file = make_file(path);
    put_group(file, "/fclib_global_rolling");
    check_damaged(file, path, "rolling friction", "/fclib_local");
}
END

TEST(what_is_missing_is_named)
{
    const char* names[] = {"/fclib_local/spacedim",   "/fclib_local/W",   "/fclib_local/vectors/q",
                           "/fclib_local/vectors/mu", "/fclib_local/W/p", "/fclib_local/W/i",
                           "/fclib_local/W/x",        "/fclib_local/W/nz"};
    const char* path = scratch("missing.hdf5");
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
        hid_t file = sound(path);
        remove_from(file, names[k]);
        check_damaged(file, path, names[k], "missing");
    }
}
END

TEST(sizes_that_disagree_are_told)
{
    const char* path = scratch("sizes.hdf5");
    const double numbers[12] = {0.0};
    const int whole[9] = {0};

    // one damage at a time, to a sound file
    hid_t file = sound(path);
    put_doubles(file, "/fclib_local/vectors/q", numbers, 5);
    check_damaged(file, path, "/fclib_local/vectors/q has 5 numbers", "expected 6");

    file = sound(path);
    put_doubles(file, "/fclib_local/vectors/mu", numbers, 3);
    check_damaged(file, path, "/fclib_local/vectors/mu has 3 numbers", "expected 2");

    file = sound(path);
    put_int(file, "/fclib_local/W/m", 9);
    check_damaged(file, path, "/fclib_local/W", "expected");

    file = sound(path);
    put_doubles(file, "/fclib_local/W/x", numbers, 3);
    check_damaged(file, path, "/fclib_local/W/x has 3 numbers", "expected 12");

    file = sound(path);
    put_int(file, "/fclib_local/W/nzmax", 4);
    check_damaged(file, path, "/fclib_local/W/nzmax is 4", "12 entries");

    file = sound(path);
    put_ints(file, "/fclib_local/W/m", whole, 2);
    check_damaged(file, path, "/fclib_local/W/m has 2 numbers", "expected one");

    file = sound(path);
    put_int(file, "/fclib_local/spacedim", 5);
    check_damaged(file, path, "/fclib_local/spacedim is 5", "2 or 3");

    file = sound(path);
    put_group(file, "/guesses");
    put_group(file, "/guesses/1");
    put_doubles(file, "/guesses/1/r", numbers, 5);
    check_damaged(file, path, "/guesses/1/r has 5 numbers", "expected 6");
}
END

TEST(a_matrix_that_is_not_square_is_told)
{
    const char* path = scratch("square.hdf5");
    hid_t file = sound(path);
    put_int(file, "/fclib_local/W/n", 9);
    check_damaged(file, path, "/fclib_local/W has 6 rows and 9 columns", "square");
}
END

TEST(an_index_out_of_range_is_told_with_its_place)
{
    const char* path = scratch("range.hdf5");
    int i[12] = {0, 2, 3, 1, 0, 2, 0, 3, 5, 4, 3, 5};
    hid_t file = sound(path);
    i[7] = 6;
    put_ints(file, "/fclib_local/W/i", i, 12);
    check_damaged(file, path, "/fclib_local/W/i[7] is 6", "0 to 5");
    file = sound(path);
    i[7] = -1;
    put_ints(file, "/fclib_local/W/i", i, 12);
    check_damaged(file, path, "/fclib_local/W/i[7] is -1", "0 to 5");
    const int p[7] = {0, 3, 2, 6, 9, 10, 12};
    file = sound(path);
    put_ints(file, "/fclib_local/W/p", p, 7);
    check_damaged(file, path, "/fclib_local/W/p[2] is 2", "never to descend");
    file = make_file(path);
    fill_small_local(file, TRIPLETS);
    put_int(file, "/fclib_local/W/n", 5);
    put_int(file, "/fclib_local/W/m", 5);
    check_damaged(file, path, "/fclib_local/W/i[9] is 5", "0 to 4");
}
END

TEST(numbers_that_are_not_finite_are_told_with_their_place)
{
    const char* names[] = {"/fclib_local/vectors/q", "/fclib_local/vectors/mu", "/fclib_local/W/x"};
    const int counts[] = {6, 2, 12};
    const double bad[] = {NAN, INFINITY, -INFINITY};
    const char* path = scratch("finite.hdf5");
    for (int k = 0; k < 3; k++)
        for (int b = 0; b < 3; b++) {
            double values[12] = {1.0, bad[b]};
            char place[80];
            hid_t file = sound(path);
            put_doubles(file, names[k], values, counts[k]);
            snprintf(place, sizeof place, "%s[1] is ", names[k]);
            check_damaged(file, path, place, "a finite number");
        }
}
END

TEST(negative_friction_is_told)
{
    const char* path = scratch("friction.hdf5");
    const double mu[2] = {0.5, -0.25};
    hid_t file = sound(path);
    put_doubles(file, "/fclib_local/vectors/mu", mu, 2);
    check_damaged(file, path, "/fclib_local/vectors/mu[1] is -0.25", ">= 0");
}
END

TEST(other_types_and_shapes_are_told)
{
    const char* path = scratch("type.hdf5");
    hid_t file = sound(path);
    put(file, "/fclib_local/vectors/mu", H5T_NATIVE_INT, small_mu, 2);
    check_damaged(file, path, "/fclib_local/vectors/mu", "floating-point");
    file = sound(path);
    put(file, "/fclib_local/W/m", H5T_NATIVE_DOUBLE, small_mu, 1);
    check_damaged(file, path, "/fclib_local/W/m", "integers");
    file = sound(path);
    remove_from(file, "/fclib_local/W/m");
    put_group(file, "/fclib_local/W/m");
    check_damaged(file, path, "/fclib_local/W/m", "expected an array");

    // links that lead elsewhere are not followed
    file = sound(path);
    remove_from(file, "/fclib_local/vectors/mu");
    H5Lcreate_soft("/fclib_local/vectors/q", file, "/fclib_local/vectors/mu", H5P_DEFAULT,
                   H5P_DEFAULT);
    check_damaged(file, path, "/fclib_local/vectors/mu", "missing");
}
END

TEST(singular_masses_are_told)
{
    const char* path = scratch("singular.hdf5");
    const double M[4] = {1.0, 1.0, 1.0, 1.0}, H[6] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0};
    const double f[2] = {0.0, 0.0}, w[3] = {-1.0, 0.0, 0.0}, mu[1] = {0.5};
    hid_t file = make_file(path);
    put_group(file, "/fclib_global");
    put_int(file, "/fclib_global/spacedim", 3);
    put_matrix(file, "/fclib_global/M", TRIPLETS, 2, 2, M);
    put_matrix(file, "/fclib_global/H", TRIPLETS, 2, 3, H);
    put_group(file, "/fclib_global/vectors");
    put_doubles(file, "/fclib_global/vectors/f", f, 2);
    put_doubles(file, "/fclib_global/vectors/w", w, 3);
    put_doubles(file, "/fclib_global/vectors/mu", mu, 1);
    check_damaged(file, path, "/fclib_global/M is singular", "expected");
}
END

TEST(huge_sizes_in_a_small_file_take_no_memory)
{
    // 1 GB of address space would be too little for what these files announce
    const struct rlimit little = {1u << 30, 1u << 30};
    const char* path = scratch("huge.hdf5");
#if !CHECK_SLOW_BUILD
    ck_assert_int_eq(setrlimit(RLIMIT_AS, &little), 0);
#else
    (void)little;
#endif
    const int n = 2000000001;
    hid_t file = sound(path);
    put_int(file, "/fclib_local/W/m", n);
    put_int(file, "/fclib_local/W/n", n);
    check_damaged(file, path, "/fclib_local/W/p", "expected");
    file = make_file(path);
    fill_small_local(file, TRIPLETS);
    put_int(file, "/fclib_local/W/m", n);
    put_int(file, "/fclib_local/W/n", n);
    check_damaged(file, path, "/fclib_local/vectors/mu has 2 numbers", "expected 666666667");

    // a dataset that was announced but never written
    hsize_t size = 1u << 31;
    file = sound(path);
    remove_from(file, "/fclib_local/vectors/q");
    hid_t space = H5Screate_simple(1, &size, NULL);
    H5Dclose(H5Dcreate2(file, "/fclib_local/vectors/q", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT,
                        H5P_DEFAULT, H5P_DEFAULT));
    H5Sclose(space);
    check_damaged(file, path, "damaged", "not larger than its file");
}
END

TESTS(a_missing_file_is_told, a_folder_is_told, a_file_that_may_not_be_read_is_told,
      bytes_that_are_not_hdf5_are_told, every_cut_of_a_file_is_refused, every_byte_may_be_wrong,
      a_file_without_a_contact_problem_is_told, what_is_missing_is_named,
      sizes_that_disagree_are_told, a_matrix_that_is_not_square_is_told,
      an_index_out_of_range_is_told_with_its_place,
      numbers_that_are_not_finite_are_told_with_their_place, negative_friction_is_told,
      other_types_and_shapes_are_told, singular_masses_are_told,
      huge_sizes_in_a_small_file_take_no_memory)
