// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
#include "random_contacts.h"
#include "suite.h"
#include <cairn/cairn.h>
#include <stdio.h>
#include <stdlib.h>

static void campaign(bench* b, int space, double mu, int count)
{
    cairn_random random = {(uint64_t)space};
    cairn_workspace* ws = cairn_workspace_create();
    int fail = 0, lies = 0, deleg = 0, notes = 0, rays = 0;
    double worst = 0;
    long pivots = 0, contacts = 0;
    double t0 = bench_clock(), slow = 0;
    for (int i = 0; i < count; i++) {
        random_contacts def = {.bodies = 1 + cairn_random_index(&random, 6),
                               .contacts = 3 + cairn_random_index(&random, 14),
                               .space = space,
                               .mu = mu};
        def.repeated = cairn_random_index(&random, def.contacts / 2 + 1);
        cairn_problem p = random_contacts_make(&def, &random);
        cairn_solve_def sd = cairn_default_solve_def();
        sd.method = "dantzig";
        sd.workspace = ws;
        cairn_report r;
        cairn_error e;
        double lambda[64];
        double s = bench_clock();
        if (cairn_solve(lambda, &p, &sd, &r, &e) != CAIRN_OK) {
            printf("status %s\n", e.text);
            exit(1);
        }
        s = bench_clock() - s;
        if (s > slow)
            slow = s;
        if (r.outcome != CAIRN_CONVERGED) {
            fail++;
            if (fail < 10)
                printf("case %d outcome %s residual %g note %s\n", i, cairn_outcome_name(r.outcome),
                       r.residual.relative, r.note);
        } else if (r.residual.relative > worst)
            worst = r.residual.relative;
        if (r.outcome == CAIRN_RAY)
            rays++;
        if (r.note[0])
            notes++;
        if (r.method[0] != 'd')
            deleg++;
        if (notes < 6 && r.note[0])
            printf("note %d %s\n", i, r.note);
        pivots += r.pivots;
        contacts += def.contacts;
        cairn_problem_destroy(&p);
    }
    bench_say(b,
              "space %d mu %g: %d of %d fail, %d delegated, %d notes, lies %d worst %g "
              "pivots/contact %g  %g us each slowest %g us",
              space, mu, fail, count, deleg, notes, lies, worst, (double)pivots / (double)contacts,
              (bench_clock() - t0) / count * 1e6, slow * 1e6);
    cairn_workspace_destroy(ws);
}
void bench_dantzig(bench* b)
{
    int n = b->quick ? 1000 : 10000;
    campaign(b, 3, 0, 10 * n);
    campaign(b, 2, 0, 10 * n);
    campaign(b, 2, 0.3, n);
    campaign(b, 3, 0.3, n);
}
