// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors

#include "check_cairn.h"
#include <stdio.h>
#include <sys/resource.h>

// s: of wall time for a single test, a little less than the program has (cmake/tests.cmake), and of
// processor time for all of them
enum { seconds_per_test = 180, processor_seconds = 20 };

// s of processor time, of this process or of all that it waited for
static double used(int who)
{
    struct rusage use;
    getrusage(who, &use);
    return (double)(use.ru_utime.tv_sec + use.ru_stime.tv_sec) +
           1e-6 * (double)(use.ru_utime.tv_usec + use.ru_stime.tv_usec);
}

const char* check_cairn_folder(void)
{
    const char* folder = getenv("TMPDIR");
    return folder && *folder ? folder : "/tmp";
}

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
    double seconds = used(RUSAGE_SELF) + used(RUSAGE_CHILDREN);
    if (seconds > processor_seconds)
        printf("%s: more than %d s of processor time: %.1f s\n", name, processor_seconds, seconds);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
