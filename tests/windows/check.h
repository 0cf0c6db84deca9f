// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// As much of Check as the tests of the core use, for machines that have none: a test that fails ends
// the program.
#ifndef CAIRN_TESTS_WINDOWS_CHECK_H
#define CAIRN_TESTS_WINDOWS_CHECK_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct TTest {
    const char* name;
    void (*function)(int);
} TTest;

#define START_TEST(sentence)                                                                       \
    static void sentence##_fn(int);                                                                \
    static const TTest sentence##_test = {#sentence, sentence##_fn};                               \
    static const TTest* sentence = &sentence##_test;                                               \
    static void sentence##_fn(int unused)                                                          \
    {                                                                                              \
        (void)unused;
#define END_TEST }

#define ck_assert_msg(condition, ...)                                                              \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            printf("%s:%d: ", __FILE__, __LINE__);                                                 \
            printf(__VA_ARGS__);                                                                   \
            printf("\n");                                                                          \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)
#define ck_assert(condition) ck_assert_msg(condition, "%s", #condition)

#define ck_assert_int_eq(a, b) ck_assert((intmax_t)(a) == (intmax_t)(b))
#define ck_assert_int_ne(a, b) ck_assert((intmax_t)(a) != (intmax_t)(b))
#define ck_assert_int_lt(a, b) ck_assert((intmax_t)(a) < (intmax_t)(b))
#define ck_assert_int_le(a, b) ck_assert((intmax_t)(a) <= (intmax_t)(b))
#define ck_assert_int_gt(a, b) ck_assert((intmax_t)(a) > (intmax_t)(b))
#define ck_assert_int_ge(a, b) ck_assert((intmax_t)(a) >= (intmax_t)(b))
#define ck_assert_uint_eq(a, b) ck_assert((uintmax_t)(a) == (uintmax_t)(b))
#define ck_assert_uint_ne(a, b) ck_assert((uintmax_t)(a) != (uintmax_t)(b))
#define ck_assert_double_lt(a, b) ck_assert((a) < (b))
#define ck_assert_ptr_eq(a, b) ck_assert((a) == (b))
#define ck_assert_ptr_ne(a, b) ck_assert((a) != (b))
#define ck_assert_ptr_null(a) ck_assert((a) == NULL)
#define ck_assert_ptr_nonnull(a) ck_assert((a) != NULL)
#define ck_assert_str_eq(a, b) ck_assert(strcmp(a, b) == 0)
#define ck_assert_mem_eq(a, b, size) ck_assert(memcmp(a, b, size) == 0)

#endif
