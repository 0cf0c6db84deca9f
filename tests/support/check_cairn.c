// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors

#include "check_cairn.h"

enum { seconds_per_test = 240 };

int check_cairn_run(const char* name, const TTest* const* tests, int count)
{
    Suite* suite = suite_create(name);
    TCase* cases = tcase_create("laws");
    tcase_set_timeout(cases, seconds_per_test);
    for (int i = 0; i < count; i++)
        tcase_add_test(cases, tests[i]);
    suite_add_tcase(suite, cases);
    SRunner* runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
