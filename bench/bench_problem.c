// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Suite `problem`: what every solve pays before it starts, the scaled rows Ĵ = J G^-T and the block
// diagonal of A, on walls of growing size. The least of several runs on one core, memory at hand.

#include "problem/delassus.h"
#include "suite.h"
#include <cairn/generate.h>

enum { repetitions = 15, reference_side = 32 };

// milliseconds, or a negative number when there is no memory
static double prepare_time(const cairn_problem* problem)
{
    cairn_arena arena = {0};
    double least = -1.0;
    for (int i = 0; i < repetitions; i++) {
        cairn_delassus A;
        cairn_arena_reset(&arena);
        double started = bench_clock();
        cairn_status status = cairn_delassus_prepare(&A, problem, &arena);
        double milliseconds = 1e3 * (bench_clock() - started);
        if (status != CAIRN_OK)
            break;
        if (least < 0.0 || milliseconds < least)
            least = milliseconds;
    }

    cairn_arena_destroy(&arena);
    return least;
}

void bench_problem(bench* b)
{
    const int sides[] = {reference_side, 65, 100, 145, 207};
    int count = b->quick ? 2 : (int)(sizeof sides / sizeof sides[0]);
    double reference = -1.0;
    for (int i = 0; i < count; i++) {
        cairn_generate_def def = cairn_default_generate_def("wall");
        cairn_problem problem;
        cairn_error error;
        char scene[32];

        def.width = def.height = sides[i];
        if (cairn_generate(&def, &problem, &error) != CAIRN_OK) {
            bench_bound(b, false, "%s", error.text);
            return;
        }

        // one size has a bound, the others show how the time grows
        double milliseconds = prepare_time(&problem);
        if (sides[i] == reference_side)
            reference = milliseconds;

        snprintf(scene, sizeof scene, "wall%d", sides[i]);
        bench_row(b, json_pack("{s:s, s:i, s:i, s:i, s:f, s:f}", "scene", scene, "bodies",
                               problem.body_count, "contacts", problem.block_count, "rows",
                               problem.row_count, "prepare_ms", milliseconds, "ns_per_row",
                               1e6 * milliseconds / problem.row_count));
        cairn_problem_destroy(&problem);
    }

    bench_bound(b, reference >= 0.0 && reference < 5.0,
                "rows and block diagonal of a 32 x 32 wall: %.3g ms, expected below 5 ms",
                reference);
}
