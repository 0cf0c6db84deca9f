// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The frame of a test program on Check: a test is a sentence, a program is a list of them.
//
//     TEST(a_block_at_rest_does_not_move) { ... CHECK_NEAR(v, 0.0, 1e-12); }
//     TESTS(a_block_at_rest_does_not_move, ...)
#ifndef CAIRN_TESTS_CHECK_CAIRN_H
#define CAIRN_TESTS_CHECK_CAIRN_H

#include <check.h>
#include <math.h>
#include <stdlib.h>

/// Whether a sanitizer slows the program down by a factor of ten: tests may then take fewer cases
/// of the same law.
#ifdef CAIRN_SANITIZED
#define CHECK_SLOW_BUILD 1
#else
#define CHECK_SLOW_BUILD 0
#endif

/// How many random cases of a law are tried: a tenth where a sanitizer looks on, which needs the paths
/// and not their number.
#define CHECK_CASES(count) (CHECK_SLOW_BUILD ? ((count) + 9) / 10 : (count))

/// `many` steps, rows or pieces, or the `few` that still show the law where a sanitizer looks on.
#define CHECK_FEWER(many, few) (CHECK_SLOW_BUILD ? (few) : (many))

#define TEST(sentence) START_TEST(sentence)
#define END END_TEST

/// |value - expected| <= tolerance, and neither is NaN.
#define CHECK_NEAR(value, expected, tolerance)                                                     \
    do {                                                                                           \
        double check_v = (value), check_e = (expected), check_t = (tolerance);                     \
        ck_assert_msg(fabs(check_v - check_e) <= check_t, "%s = %.17g, expected %s = %.17g +- %g", \
                      #value, check_v, #expected, check_e, check_t);                               \
    } while (0)

/// value <= bound, and value is not NaN.
#define CHECK_BELOW(value, bound)                                                                  \
    do {                                                                                           \
        double check_v = (value), check_b = (bound);                                               \
        ck_assert_msg(check_v <= check_b, "%s = %.17g, expected at most %s = %.17g", #value,       \
                      check_v, #bound, check_b);                                                   \
    } while (0)

#define CHECK(condition) ck_assert(condition)

/// The folder for files of tests: that of the environment (TMPDIR), or /tmp.
const char* check_cairn_folder(void);

/// Runs the tests of a program and gives its exit status. CK_FORK=no keeps them in one process.
int check_cairn_run(const char* name, const TTest* const* tests, int count);

#define TESTS(...)                                                                                 \
    int main(void)                                                                                 \
    {                                                                                              \
        const TTest* const tests[] = {__VA_ARGS__};                                                \
        return check_cairn_run(__FILE__, tests, (int)(sizeof tests / sizeof tests[0]));            \
    }

#endif
