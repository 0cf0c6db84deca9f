// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors

#include "check_cairn.h"
#include <cairn/io.h>
#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char* two = "%%MatrixMarket matrix array real general\n2 1\n1\n2\n";

static const char* text_file(char name, const char* text)
{
    static char path[2][256];
    char* to = path[name == 'q'];
    snprintf(to, sizeof path[0], "%s/cairn-test-%ld-%c.mtx", check_cairn_folder(), (long)getpid(),
             name);
    FILE* file = fopen(to, "w");
    ck_assert(file != NULL);
    fwrite(text, 1, strlen(text), file);
    fclose(file);
    return to;
}

static cairn_status read_texts(cairn_lcp_data* lcp, const char* M, const char* q,
                               cairn_error* error)
{
    const char* M_path = text_file('M', M);
    const char* q_path = text_file('q', q);
    cairn_status status = cairn_lcp_read(M_path, q_path, lcp, error);
    unlink(M_path);
    unlink(q_path);
    return status;
}

static void check_reads(const char* M, double a, double b, double c, double d)
{
    cairn_lcp_data lcp;
    cairn_error error;
    ck_assert_msg(read_texts(&lcp, M, two, &error) == CAIRN_OK, "%s", error.text);
    const double expected[4] = {a, b, c, d};
    ck_assert_int_eq(lcp.n, 2);
    for (int k = 0; k < 4; k++)
        ck_assert_double_eq(lcp.M[k], expected[k]);
    ck_assert_double_eq(lcp.q[0], 1.0);
    ck_assert_double_eq(lcp.q[1], 2.0);
    cairn_lcp_data_destroy(&lcp);
}

// refused as bad input, with a sentence that holds `place` and `expectation`
static void check_refused(const char* M, const char* q, const char* place, const char* expectation)
{
    cairn_lcp_data lcp = {.n = -7};
    cairn_error error;
    ck_assert_int_eq(read_texts(&lcp, M, q, &error), CAIRN_BAD_INPUT);
    ck_assert_msg(strstr(error.text, place) && strstr(error.text, expectation),
                  "\"%s\" does not tell \"%s\" and \"%s\"", error.text, place, expectation);
    ck_assert_int_eq(lcp.n, -7);
}

TEST(an_array_is_read_column_by_column)
{
    check_reads("%%MatrixMarket matrix array real general\n2 2\n1 2\n3\n4\n", 1, 3, 2, 4);
    check_reads("%MatrixMarket matrix array integer general\r\n% note\r\n\r\n2 2\r\n1\r\n2\r\n3\r\n"
                "4\r\n",
                1, 3, 2, 4);
}
END

TEST(a_symmetric_array_gives_its_lower_triangle)
{
    check_reads("%%MatrixMarket MATRIX Array Real Symmetric\n2 2\n1\n2\n3\n", 1, 2, 2, 3);
    check_reads("%%MatrixMarket matrix array real skew-symmetric\n2 2\n5\n", 0, -5, 5, 0);
}
END

TEST(coordinates_count_from_one_and_add_up)
{
    check_reads("%%MatrixMarket matrix coordinate real general\n%\n2 2 4\n\n2 1 5\n1 1 1.5e0\n% in "
                "between\n1 1 -0.5\n2 2 7",
                1, 0, 5, 7);
    check_reads("%%MatrixMarket matrix coordinate real symmetric\n2 2 2\n2 1 5\n2 2 7\n", 0, 5, 5,
                7);
    check_reads("%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 1\n2 1 5\n", 0, -5, 5,
                0);
}
END

TEST(an_empty_pair_is_a_problem_of_size_zero)
{
    cairn_lcp_data lcp;
    cairn_error error;
    ck_assert_int_eq(read_texts(&lcp, "%%MatrixMarket matrix array real general\n0 0\n",
                                "%%MatrixMarket matrix array real general\n0 1\n", &error),
                     CAIRN_OK);
    ck_assert_int_eq(lcp.n, 0);
    cairn_lcp_data_destroy(&lcp);
}
END

TEST(what_is_wrong_is_told_with_its_line)
{
    const char* head = "%%MatrixMarket matrix array real general\n";
    char text[256];
    check_refused("", two, "-M.mtx:1", "the banner");
    check_refused("1 2 3", two, "-M.mtx:1", "the banner");
    check_refused("%%MatrixMarket vector array real general\n", two, "\"vector\"", "\"matrix\"");
    check_refused("%%MatrixMarket matrix array complex general\n", two, "\"complex\"", "\"real\"");
    check_refused("%%MatrixMarket matrix array real hermitian\n", two, "\"hermitian\"",
                  "\"symmetric\"");
    check_refused("%%MatrixMarket matrix array real general 3\n", two, "\"3\"",
                  "the end of the banner");
    snprintf(text, sizeof text, "%s2 2\n1\n2\n\n4 x\n", head);
    check_refused(text, two, "-M.mtx:6: found \"x\"", "a finite number");
    snprintf(text, sizeof text, "%s2 2\n1\n2\n3\n", head);
    check_refused(text, two, "-M.mtx:6: the file ends", "a finite number");
    snprintf(text, sizeof text, "%s2 2\n1 2 3 4 5\n", head);
    check_refused(text, two, "found \"5\"", "the end of the file");
    snprintf(text, sizeof text, "%s2 2\n1 nan 3 4\n", head);
    check_refused(text, two, "found \"nan\"", "a finite number");
    snprintf(text, sizeof text, "%s2 2\n1 1e999 3 4\n", head);
    check_refused(text, two, "found \"1e999\"", "a finite number");
    snprintf(text, sizeof text, "%s-2 2\n", head);
    check_refused(text, two, "found \"-2\"", "the number of rows");
    snprintf(text, sizeof text, "%s2 3\n1 2 3 4 5 6\n", head);
    check_refused(text, two, "2 rows and 3 columns", "square");
    snprintf(text, sizeof text, "%s3 3\n1 2 3 4 5 6 7 8 9\n", head);
    check_refused(text, two, "-q.mtx", "expected 3 rows");
    check_refused("%%MatrixMarket matrix array integer general\n2 2\n1 1.5 3 4\n", two,
                  "found \"1.5\"", "a whole number");
    check_refused("%%MatrixMarket matrix array real symmetric\n2 3\n1 2 3\n", two,
                  "2 rows and 3 columns", "square");
}
END

TEST(wrong_coordinates_are_told_with_their_range)
{
    const char* head = "%%MatrixMarket matrix coordinate real general\n";
    char text[256];
    snprintf(text, sizeof text, "%s2 2 1\n3 1 5\n", head);
    check_refused(text, two, "-M.mtx:3: found \"3\"", "a row, from 1 to 2");
    snprintf(text, sizeof text, "%s2 2 1\n1 0 5\n", head);
    check_refused(text, two, "-M.mtx:3: found \"0\"", "a column, from 1 to 2");
    snprintf(text, sizeof text, "%s2 2 2\n1 1 1e308\n1 1 1e308\n", head);
    check_refused(text, two, "entry (1, 1)", "a finite number");
    check_refused("%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 1\n1 1 5\n", two,
                  "entry (1, 1)", "expected 0");
}
END

TEST(sizes_that_the_file_cannot_hold_take_no_memory)
{
    check_refused("%%MatrixMarket matrix array real general\n10000 10000\n1\n", two,
                  "100000000 entries", "room for");
    check_refused("%%MatrixMarket matrix coordinate real general\n2 2 999999999999\n1 1 1\n", two,
                  "999999999999 entries", "room for");
    check_refused("%%MatrixMarket matrix coordinate real general\n2000000000 2000000000 0\n", two,
                  "2000000000 rows", "at most");
    check_refused("%%MatrixMarket matrix coordinate real general\n99999999999999999999 1 0\n", two,
                  "99999999999999999999", "the number of rows");
}
END

TEST(every_cut_of_a_file_is_refused_or_whole)
{
    const char* whole = "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 5\n2 2 7\n";
    char text[256];
    for (size_t length = 0; length < strlen(whole) - 2; length++) {
        cairn_lcp_data lcp;
        cairn_error error = {{0}};
        snprintf(text, sizeof text, "%.*s", (int)length, whole);
        ck_assert_int_eq(read_texts(&lcp, text, two, &error), CAIRN_BAD_INPUT);
        ck_assert(error.text[0]);
    }
}
END

TEST(a_missing_file_and_a_folder_are_told)
{
    cairn_lcp_data lcp;
    cairn_error error;
    ck_assert_int_eq(cairn_lcp_read("/tmp/no/such.mtx", "/tmp/no/q.mtx", &lcp, &error),
                     CAIRN_NO_FILE);
    ck_assert(strstr(error.text, "/tmp/no/such.mtx") && strstr(error.text, "No such file"));
    ck_assert_int_eq(cairn_lcp_read("/tmp", "/tmp", &lcp, &error), CAIRN_NO_FILE);
    ck_assert(strstr(error.text, "directory"));
}
END

TEST(all_bundled_pairs_are_read)
{
    int count = 0;
    DIR* list = opendir(CAIRN_TEST_DATA "/lcp");
    ck_assert(list != NULL);
    for (struct dirent* entry = readdir(list); entry; entry = readdir(list)) {
        char M[512], q[512];
        cairn_lcp_data lcp;
        cairn_error error;
        const char* end = strstr(entry->d_name, ".M.mtx");
        if (!end)
            continue;
        int stem = (int)(end - entry->d_name);
        snprintf(M, sizeof M, "%s/lcp/%.*s.M.mtx", CAIRN_TEST_DATA, stem, entry->d_name);
        snprintf(q, sizeof q, "%s/lcp/%.*s.q.mtx", CAIRN_TEST_DATA, stem, entry->d_name);
        ck_assert_msg(cairn_lcp_read(M, q, &lcp, &error) == CAIRN_OK, "%s", error.text);
        ck_assert_int_gt(lcp.n, 0);
        cairn_lcp_data_destroy(&lcp);
        count++;
    }
    closedir(list);
    ck_assert_int_eq(count, 11);
}
END

TESTS(an_array_is_read_column_by_column, a_symmetric_array_gives_its_lower_triangle,
      coordinates_count_from_one_and_add_up, an_empty_pair_is_a_problem_of_size_zero,
      what_is_wrong_is_told_with_its_line, wrong_coordinates_are_told_with_their_range,
      sizes_that_the_file_cannot_hold_take_no_memory, every_cut_of_a_file_is_refused_or_whole,
      a_missing_file_and_a_folder_are_told, all_bundled_pairs_are_read)
